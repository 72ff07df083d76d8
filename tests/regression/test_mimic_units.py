"""A prismatic joint that a revolute joint mimics is a length, whatever the other one is.

The column counted as an angle because one of the joints it moves turns: a list of 0 and 1.5 was taken as degrees, the
slide went to 26 mm instead of 1.5 m, and a program through a gate at 1.2 m was CLEAR.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import keepclear as kc

LINK = '<link name="{}"><collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>'
JOINT = """<joint name="{}" type="{}"><parent link="{}"/><child link="{}"/><axis xyz="1 0 0"/>
<limit lower="-9" upper="9" velocity="9" effort="1"/>{}</joint>"""
CELL = """objects:
  s: {{robot: s.urdf, motion: {}}}
  gate: {{box: [0.02, 0.5, 0.5], position: [1.2, 0, 0]}}
allowed: [[s/wheel, gate]]
"""
FILES = {
    "list.csv": "0\n1.5\n",
    "metres.csv": "time,slide [m]\n0,0\n1,1.5\n",
    "plain.csv": "time,slide\n0,0\n1,1.5\n",
    "degrees.csv": "time,slide [deg]\n0,0\n1,1.5\n",
}


@pytest.fixture(params=["revolute", "continuous", "prismatic"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    slide = JOINT.format("slide", "prismatic", "rail", "head", "")
    gear = JOINT.format("gear", request.param, "head", "wheel", '<mimic joint="slide" multiplier="2"/>')
    links = '<link name="rail"/>' + LINK.format("head") + LINK.format("wheel")
    (tmp_path / "s.urdf").write_text(f'<robot name="s">{links}{gear}{slide}</robot>')
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    "motion", ["{file: list.csv, dt: 1}", "metres.csv", "plain.csv", "{times: [0, 1], q: [[0], [1.5]]}"]
)
def test_the_slide_goes_through_the_gate(folder: Path, motion: str) -> None:
    (folder / "cell.yaml").write_text(CELL.format(motion))
    report = kc.verify(folder / "cell.yaml")
    assert report.verdict is kc.Verdict.COLLIDING
    assert {report.first.a, report.first.b} == {"s/head", "gate"}


def test_a_length_in_degrees_is_refused(folder: Path) -> None:
    (folder / "cell.yaml").write_text(CELL.format("degrees.csv"))
    with pytest.raises(kc.CellError, match="column 'slide' is in 'deg'; expected m, cm, mm"):
        kc.verify(folder / "cell.yaml")


def test_degrees_are_for_joints_that_turn(folder: Path) -> None:
    (folder / "cell.yaml").write_text(CELL.format("{times: [0, 1], q_deg: [[0], [1.5]]}"))
    assert kc.verify(folder / "cell.yaml").verdict is kc.Verdict.COLLIDING


def test_the_robot_says_which_columns_are_angles(folder: Path) -> None:
    assert np.array_equal(kc.read_robot(folder / "s.urdf").kinematics.turns, [False])
