"""Lines of findings: a held object moves as what holds it, so that its contacts stand in that motion."""

from __future__ import annotations

from pathlib import Path

import pytest

from keepclear.jobs.cell.locations import CellLines, Location

CELL = """\
objects:
  arm: {robot: arm.urdf}
  part: {sphere: 0.1}
  tray: {box: [1, 1, 0.1]}
  wall: {box: [1, 1, 1]}
programs:
  pick: {arm: pick.csv}
attached:
  - {object: tray, to: arm/hand, from: 1, until: 3}
  - {object: part, to: tray, from: 2, program: pick}
"""


@pytest.fixture
def lines(tmp_path: Path) -> CellLines:
    (tmp_path / "pick.csv").write_text("time,j\n0,0\n1,1\n2,2\n3,3\n")
    path = tmp_path / "cell.yaml"
    path.write_text(CELL)
    return CellLines(str(path))


@pytest.mark.parametrize(
    ("a", "b", "time", "file", "line"),
    [
        ("arm/hand", "wall", 2.5, "pick.csv", 4),
        ("tray", "wall", 1.5, "pick.csv", 3),
        ("wall", "part", 2.5, "pick.csv", 4),
        ("tray", "wall", 0.5, "cell.yaml", 4),
        ("wall", "part", 1.5, "cell.yaml", 5),
        ("wall", "part", 3.5, "cell.yaml", 5),
    ],
)
def test_a_held_object_moves_as_what_holds_it(
    lines: CellLines, tmp_path: Path, a: str, b: str, time: float, file: str, line: int
) -> None:
    found = lines.pair(a, b, "pick", time)
    assert (found.file, found.line) == (str(tmp_path / file), line)


def test_a_held_object_without_a_time_stands_at_the_motion(lines: CellLines, tmp_path: Path) -> None:
    assert lines.pair("part", "wall", "pick") == Location(str(tmp_path / "cell.yaml"), 7, 10)
    assert lines.pair("part", "wall", "other") == Location(str(tmp_path / "cell.yaml"), 3, 3)
