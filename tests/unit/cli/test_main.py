"""The command line: help at once, one line for errors, and the commands around compiled kernels."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import click
import numba
import numpy as np
import pytest
from click.testing import CliRunner

import keepclear as kc
from keepclear.cli.main import Commands, main
from keepclear.cli.options import Grouped
from keepclear.compiler import warmup
from keepclear.geometry.hulls import build


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A kernel cache for one test, and no other place to write one."""
    monkeypatch.setenv("KEEPCLEAR_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)  # is remembered
    return tmp_path / "cache"


def test_help_imports_nothing_heavy() -> None:
    code = """
import sys
from keepclear.cli.main import main
main(["--help"], standalone_mode=False)
print({"numba", "numpy", "scipy", "trimesh", "yaml", "pydantic", "matplotlib"} & set(sys.modules) or "light")
"""
    output = subprocess.check_output([sys.executable, "-c", code], text=True)
    assert output.splitlines()[-1] == "light"
    for command in ("cache", "crowd", "demo", "init", "prepare", "verify", "view", "warmup"):
        assert f"  {command} " in output


@pytest.mark.parametrize(("value", "coloured"), [("", True), ("1", False)])
def test_colours_are_left_out_on_request(value: str, coloured: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", value)

    @click.command()
    def show() -> None:
        click.echo(click.style("clear", fg="green"))

    group = Commands("keepclear")
    monkeypatch.setattr(Commands, "get_command", lambda *_: show)
    output = CliRunner().invoke(group, ["show"], color=True).output
    assert ("\x1b[" in output) == coloured


def test_no_garbage_is_collected_at_exit() -> None:
    code = """
import atexit, gc, sys
atexit.register(lambda: print("frozen", gc.get_freeze_count() >= len(gc.get_objects())))
sys.argv = ["keepclear", "--version"]
from keepclear.__main__ import run
run()
"""
    output = subprocess.check_output([sys.executable, "-c", code], text=True)
    assert output.splitlines()[-1] == "frozen True"


def test_version() -> None:
    assert CliRunner().invoke(main, ["--version"]).output == f"keepclear {kc.__version__}\n"


def test_every_command_has_its_file_and_its_line_of_help() -> None:
    from keepclear.cli.main import _COMMANDS

    context = click.Context(main)
    for name, line in _COMMANDS.items():
        command = main.get_command(context, name)
        assert command is not None
        assert command.name == name
        assert command.help
        assert line.endswith(".")


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("collide", "there is no command 'collide'. See"),
        ("verfy", "there is no command 'verfy'; did you mean 'verify'? See"),
        ("Sphere", "there is no command 'Sphere'; did you mean 'spheres'? See"),
        ("pick.yaml", "there is no command 'pick.yaml'; did you mean 'keepclear verify pick.yaml'? See"),
        ("ur10.urdf", "there is no command 'ur10.urdf'; did you mean 'keepclear init ur10.urdf'? See"),
        ("--verify", "No such option '--verify'"),
    ],
)
def test_an_unknown_command_is_bad_input(word: str, said: str) -> None:
    result = CliRunner().invoke(main, [word])
    assert result.exit_code == 2
    assert f"keepclear: {said}" in result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("command", ["verify", "batch"])
def test_each_option_of_a_help_text_is_in_one_group(command: str) -> None:
    shown = CliRunner().invoke(main, [command, "--help"]).output
    options = Commands("keepclear").get_command(click.Context(main), command)
    assert isinstance(options, Grouped)
    for option in options.params:
        if isinstance(option, click.Option):
            assert shown.count(f"  {'-q, ' * ('-q' in option.opts)}{max(option.opts, key=len)} ") == 1
    titles = [line for line in shown.splitlines() if line.endswith(":") and not line.startswith(" ")]
    assert titles[0] == "What is verified:"
    assert titles[-1] == "Other options:"
    assert set(titles[:-1]) <= {f"{title}:" for title in Grouped.groups}
    last = shown.partition("Other options:")[2].split()
    assert {word for word in last if word.startswith("--")} <= {"--threads", "--quiet", "--help"}


def test_advice_names_options_and_warnings_are_one_line(tmp_path: Path) -> None:
    """Messages of the library name Python arguments, and Python shows where a warning was raised."""
    part = tmp_path / "part.obj"
    part.write_text("v 0 0 0\nv 120 0 0\nv 0 120 0\nf 1 2 3\n")
    command = [sys.executable, "-m", "keepclear", "prepare", "part.obj", "--no-hull"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[0] == (
        "warning: mesh file 'part.obj' has no unit and would be 120 m large in metres: looks like millimetres; "
        "give --unit mm, or --unit m if it really is that large."
    ), done.stderr
    assert "UnitWarning" not in done.stderr


def test_errors_are_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    @click.command()
    def broken() -> None:
        raise kc.MeshError("mesh 'a.stl' has\n  3 open edges")

    monkeypatch.setattr(Commands, "get_command", lambda *_: broken)
    result = CliRunner().invoke(main, ["broken"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "keepclear: mesh 'a.stl' has 3 open edges\n"


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="the JIT is off, so there is nothing to compile")
def test_warmup_and_cache(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warmup, "group_names", lambda: ["tests.unit.kernels.toy"])
    run = CliRunner().invoke
    assert run(main, ["warmup"], catch_exceptions=False).output == ""
    table = run(main, ["warmup", "--report"], catch_exceptions=False).output.splitlines()
    assert table[0] == "kernel      seconds  source"
    assert [line.split()[0] for line in table[1:]] == ["toy.length", "toy.longer", "toy.roots", "all"]
    assert all(float(line.split()[1]) > 0.0 and line.split()[2] == "cache" for line in table[1:-1])
    shown = run(main, ["cache"], catch_exceptions=False).output.splitlines()
    assert shown[0] == f"folder   {own_cache / 'kernels'}"
    assert shown[1].startswith("cached   3 kernels, ")
    assert shown[-1] == "models   0 files, 0.0 MB, of at most 1074 MB"
    assert run(main, ["cache", "--clear"]).output.startswith("removed 3 kernels, ")
    assert run(main, ["cache"]).output.splitlines()[1] == "cached   0 kernels, 0.0 MB"
    assert list(own_cache.rglob("*.kcode")) == []


def test_the_cache_of_models(own_cache: Path) -> None:
    points = np.random.default_rng(0).normal(size=(2000, 3))
    build._find_graph(points / np.linalg.norm(points, axis=1, keepdims=True))
    run = CliRunner().invoke
    lines = run(main, ["cache"]).output.splitlines()
    assert lines[-2:] == ["models   1 files, 0.1 MB, of at most 1074 MB", "         1 hulls, 0.1 MB"]
    assert run(main, ["cache", "--clear"]).output.splitlines()[-1] == "removed 1 stored models, 0.1 MB"
    assert list(own_cache.rglob("*.model")) == []


def test_warmup_says_which_module_does_not_compile(own_cache: Path) -> None:
    with pytest.raises(
        RuntimeError, match=r"kernel module no\.such\.module does not compile(.|\n)*No module named"
    ):
        list(warmup.compile_all(["no.such.module"]))
    assert not own_cache.exists()
