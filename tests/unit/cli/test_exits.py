"""Exit code 1 is a contact, whatever happens."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import keepclear as kc
from keepclear.cli.exits import Finished
from keepclear.cli.main import Commands, main


def fail(error: BaseException) -> Callable[[], None]:
    def run() -> None:
        raise error

    return run


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (Finished(0), 0, ""),
        (Finished(1), 1, ""),
        (Finished(3), 3, ""),
        (kc.MeshError("a bad mesh"), 2, "keepclear: a bad mesh"),
        (kc.CellError(["cell.yaml:1:1: no"]), 2, "cell.yaml:1:1: no"),
        (click.UsageError("no such option"), 2, "keepclear: no such option"),
        (KeyboardInterrupt(), 130, "keepclear: stopped"),
        (click.Abort(), 130, "keepclear: stopped"),
        (SystemExit(1), 4, ""),
        (SystemExit("a library gave up"), 4, "keepclear: a library gave up"),
        (SystemExit(), 0, ""),
        (click.ClickException("from the framework"), 4, "Error: from the framework"),
        (click.exceptions.Exit(1), 4, ""),
        (BrokenPipeError(32, "Broken pipe"), 4, ""),
        (
            OSError(28, "No space left on device"),
            4,
            "OSError: [Errno 28] No space left on device; please report",
        ),
        (MemoryError(), 4, "keepclear: there is not enough memory for this"),
        (
            RecursionError("too deep"),
            4,
            "keepclear: internal error: RecursionError: too deep; please report it",
        ),
        (ZeroDivisionError("x"), 4, "keepclear: internal error: ZeroDivisionError: x; please report it"),
        (ImportError("no numpy"), 4, "keepclear: internal error: ImportError: no numpy; please report it"),
        (GeneratorExit(), 4, "keepclear: internal error: GeneratorExit"),
    ],
    ids=repr,
)
def test_every_end_has_its_code(
    monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, line: str
) -> None:
    monkeypatch.setattr(Commands, "get_command", lambda *_: click.Command("broken", callback=fail(error)))
    result = CliRunner().invoke(main, ["broken"])
    assert result.exit_code == code
    assert line in (result.stderr.splitlines() or [""])[-1]


def command(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(Path(kc.__file__).parents[1])} | options.pop("env", {})  # type: ignore[operator]
    return subprocess.run(  # type: ignore[call-overload,no-any-return]
        [sys.executable, *arguments], capture_output=True, text=True, check=False, env=environment, **options
    )


def test_an_installation_that_cannot_be_imported_ends_with_4(tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text("raise ImportError('click is broken')\n")
    path = os.pathsep.join([str(tmp_path), str(Path(kc.__file__).parents[1])])
    result = command("-m", "keepclear", "--version", env={"PYTHONPATH": path})
    assert result.returncode == 4
    assert result.stderr.splitlines()[-1] == "keepclear: it cannot be imported; install it again"


def test_the_script_and_the_module_end_alike() -> None:
    for arguments in (["-m", "keepclear"], ["-c", "from keepclear.__main__ import run; run()"]):
        assert command(*arguments, "collide").returncode == 2
        assert command(*arguments, "--version").returncode == 0


def test_without_a_command_the_help_has_its_lines() -> None:
    """All of the help was one line."""
    result = command("-m", "keepclear")
    assert result.returncode == 2
    assert (result.stderr or result.stdout) == command("-m", "keepclear", "--help").stdout


def test_an_output_that_cannot_be_written_ends_with_4() -> None:
    with Path("/dev/full").open("w") as full:
        result = subprocess.run(
            [sys.executable, "-m", "keepclear", "--help"], stdout=full, stderr=subprocess.PIPE, check=False,
            env={**os.environ, "PYTHONPATH": str(Path(kc.__file__).parents[1])},
        )  # fmt: skip
    assert result.returncode == 4


def test_a_reader_that_went_away_is_no_contact() -> None:
    reads, writes = os.pipe()
    os.close(reads)
    result = subprocess.run(
        [sys.executable, "-m", "keepclear", "--help"], stdout=writes, stderr=subprocess.PIPE, check=False,
        env={**os.environ, "PYTHONPATH": str(Path(kc.__file__).parents[1])},
    )  # fmt: skip
    os.close(writes)
    assert result.returncode == 4
