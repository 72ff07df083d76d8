"""The demo: its cell is copied, and what it says is what the report says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click
import numba
import pytest
from click.testing import CliRunner
from tests.unit.cli import reports

import keepclear as kc
from keepclear.cli.commands import demo as module
from keepclear.cli.main import main


def test_the_cell_that_is_copied_is_small(tmp_path: Path) -> None:
    folder = module.copy_cell(tmp_path / "a" / "b")
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 600_000
    assert not {path.suffix for path in files} - {".yaml", ".urdf", ".srdf", ".csv", ".ply", ".stl"}
    (folder / "cell.yaml").write_text("objects: {}")
    module.copy_cell(folder)  # again: what was changed is as before
    assert (folder / "cell.yaml").read_bytes() == (module.CELL / "cell.yaml").read_bytes()


def test_a_place_that_cannot_be_written_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = CliRunner().invoke(main, ["demo", "--out", str(tmp_path / "file" / "folder")])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "choose another folder" in result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("report", "text"),
    [
        (reports.clear, "proved clear with 4.0 mm to spare"),
        (reports.undecided, "undecided"),
        (
            reports.colliding,
            "contact at t = 2.0625 s between 'arm/hand' and 'arch'\n"
            "               for 6 ms, between the samples at 2.0202 and 2.1010 s",
        ),
    ],
)
def test_what_is_said_is_what_was_found(report: kc.Report, text: str) -> None:
    assert click.unstyle(module._judged(report)) == text


def test_what_is_to_spare_is_rounded_down() -> None:
    close = replace(reports.clear, pairs=(reports.pair("a", "b", 0.003999),))
    assert "with 3.9 mm to spare" in module._judged(close)


def test_kernels_that_the_demo_compiles_ahead_exist() -> None:
    from keepclear.compiler import warmup

    names = [f"keepclear.kernels.{name}" for name in module.NEEDED]
    modules = [name.partition(":")[0] for name in names]
    assert len(set(modules)) == len(modules)
    assert set(modules) <= set(warmup.group_names())
    assert numba.config.DISABLE_JIT or warmup.count_entry_points(names) > len(names)


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="the JIT is off, so there is nothing to compile")
def test_kernels_are_compiled_ahead_only_where_there_are_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEEPCLEAR_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(module, "NEEDED", ("triangles.components", "convex.pose:project_poses"))
    module.prepare_kernels()
    compiled = {path.name.split("-")[0] for path in tmp_path.rglob("*.kcode")}
    assert compiled == {"triangles.components.find_seeds", "convex.pose.project_poses"}
    monkeypatch.setattr(module, "NEEDED", ("triangles.components", "no_such_module"))
    module.prepare_kernels()  # does not look further
