"""Robots of several cells: each file is read once in a run, however cells spell its path."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.jobs.cell.cells import ARM, SRDF

import keepclear as kc
from keepclear.jobs.cell.building import KnownRobots
from keepclear.jobs.fleet.variants import read_variant


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for name in ("a", "b", "c/d"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "arm.urdf").write_text(ARM)
    (tmp_path / "arm.srdf").write_text(SRDF)
    for name in ("a", "b"):
        (tmp_path / name / "cell.yaml").write_text("objects: {arm: {robot: ../arm.urdf, q: [0, 0]}}\n")
    return tmp_path


def test_one_file_is_one_robot(files: Path) -> None:
    known = KnownRobots()
    robot = known.read(files / "arm.urdf", None, [])
    assert known.read(files / "c" / "d" / ".." / ".." / "arm.urdf", None, []) is robot
    assert known.read(files / "arm.urdf", files / "arm.srdf", []) is not robot
    assert known.read(files / "arm.urdf", None, [files / "a"]) is not robot


def test_a_link_is_not_its_target(files: Path) -> None:
    (files / "c" / "arm.urdf").symlink_to(files / "arm.urdf")
    known = KnownRobots()
    assert known.read(files / "c" / "arm.urdf", None, []) is not known.read(files / "arm.urdf", None, [])


def test_cells_of_a_run_share_robots(files: Path) -> None:
    known = KnownRobots()
    a, b = (read_variant(str(files / name / "cell.yaml"), (), known) for name in "ab")
    assert a.objects["arm"].robot is b.objects["arm"].robot
    assert a.objects["arm"].robot is not kc.read_cell(files / "a" / "cell.yaml").objects["arm"].robot


def test_a_robot_that_cannot_be_read_is_an_error_of_each_cell(files: Path) -> None:
    (files / "arm.urdf").write_text("<robot")
    known = KnownRobots()
    for name in "ab":
        with pytest.raises(kc.CellError, match=rf"{name}/cell.yaml:1:.*arm.urdf"):
            read_variant(str(files / name / "cell.yaml"), (), known)
