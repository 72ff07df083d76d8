"""`keepclear reproduce`: what it prints, and its exit codes."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from keepclear.cli.main import main

CELL = """
tolerance: 1e-4
objects:
  ball: {{sphere: 0.1, motion: path.csv}}
  post: {{box: [0.2, 0.2, 0.2], position: [0.5, {y}, 0]}}
"""


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(one) for one in arguments])


def made(folder: Path, y: float) -> Path:
    (folder / "path.csv").write_text("time,x,y,z\n0,0,0,0\n1,1,0,0\n")
    (folder / "cell.yaml").write_text(CELL.format(y=y))
    run("verify", folder / "cell.yaml", "--json", folder / "report.json")
    return folder / "report.json"


@pytest.mark.parametrize(("y", "verdict"), [(0.3, "CLEAR"), (0.1, "COLLIDING")])
def test_an_equal_report_exits_with_0_and_its_verdict_is_named(
    tmp_path: Path, y: float, verdict: str
) -> None:
    result = run("reproduce", made(tmp_path, y))
    assert result.exit_code == 0
    assert f"equal: {verdict}, same inputs and findings, 1 pair checked again" in result.stdout


@pytest.mark.parametrize(
    ("y", "code", "text"),
    [
        (0.27, 3, "'ball' - 'post': clearance 50 mm then, 70 mm now"),
        (0.1, 1, "verdict: CLEAR then, COLLIDING now"),
    ],
)
def test_differences_are_named(tmp_path: Path, y: float, code: int, text: str) -> None:
    report = made(tmp_path, 0.25)
    (tmp_path / "cell.yaml").write_text(CELL.format(y=y))
    result = run("reproduce", report, "--json", tmp_path / "new.json")
    assert result.exit_code == code
    assert "  input changed: cell.yaml\n" in result.stdout
    assert f"  {text}\n" in result.stdout
    assert "differs: " in result.stdout
    assert run("reproduce", tmp_path / "new.json").exit_code == 0


def test_a_collision_that_the_report_has_is_no_new_one(tmp_path: Path) -> None:
    report = made(tmp_path, 0.1)
    (tmp_path / "cell.yaml").write_text(CELL.format(y=0.15))
    result = run("reproduce", report)
    assert result.exit_code == 3
    assert "'ball' - 'post': time " in result.stdout


def test_a_change_that_changes_no_finding_is_named_as_such(tmp_path: Path) -> None:
    report = made(tmp_path, 0.25)
    with (tmp_path / "cell.yaml").open("a") as file:
        file.write("# looked at\n")
    result = run("reproduce", report)
    assert result.exit_code == 3
    assert "differs: CLEAR, other inputs, but the same findings" in result.stdout


def test_bad_input_is_one_line(tmp_path: Path) -> None:
    result = run("reproduce", tmp_path / "none.json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    report = made(tmp_path, 0.25)
    assert run("reproduce", report, "--json", report).exit_code == 2, "the report would be replaced"
    cell = tmp_path / "cell.yaml"
    assert run("reproduce", report, "--json", cell).exit_code == 2, "the cell would be replaced"
    cell.write_text("objects: {ball: {sphere: -1}}")
    assert run("reproduce", report).exit_code == 2


def test_a_report_of_several_cells_is_refused(tmp_path: Path) -> None:
    made(tmp_path, 0.25)
    run("verify", tmp_path, "--json", tmp_path / "fleet.json")
    result = run("reproduce", tmp_path / "fleet.json")
    assert result.exit_code == 2
    assert "it is not a report of one cell" in result.stderr
