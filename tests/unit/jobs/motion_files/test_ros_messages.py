"""Recorded JointState messages as programs, and start states of trajectories."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.jobs.cell.cells import ARM, JOINTS, problems

import keepclear as kc
from keepclear.jobs.motion_files.reading import read_joint_file
from keepclear.jobs.motion_files.samples import Joints, JointSamples, Options, Source
from keepclear.report.words import hint_line

STATE = "header: {{stamp: {{sec: {}, nanosec: 100}}}}\nname: [{}]\nposition: [{}]\nvelocity: [9, 9]\n---\n"
STATES = STATE.format(1700000000, "reach, shoulder", "0.05, -1") + STATE.format(
    1700000002, "shoulder, reach", "1, 0.1"
)
POINTS = [
    {"positions": [-1.0], "time_from_start": {"sec": 0, "nanosec": 0}},
    {"positions": [1.0], "time_from_start": {"sec": 1, "nanosec": 500000000}},
]


def display(**start: Any) -> dict[str, Any]:
    """Return a DisplayTrajectory of the shoulder, with a start state of both joints."""
    state = {"name": ["shoulder", "reach", "finger"], "position": [-1.0, 0.05, 0.0]}
    trajectory = {"joint_trajectory": {"header": {}, "joint_names": ["shoulder"], "points": POINTS}}
    return {
        "model_id": "arm",
        "trajectory": [trajectory],
        "trajectory_start": {"joint_state": state, **start},
    }


def read(folder: Path, text: object, joints: Joints = JOINTS) -> tuple[JointSamples, Source]:
    path = folder / ("a.yaml" if isinstance(text, str) else "a.json")
    path.write_text(text if isinstance(text, str) else json.dumps(text))
    source = Source(path.name, Options())
    return read_joint_file(source, path, joints), source


def test_a_recording_is_a_program(tmp_path: Path) -> None:
    (tmp_path / "arm.urdf").write_text(ARM)
    (tmp_path / "states.yaml").write_text(STATES)
    (tmp_path / "cell.yaml").write_text(
        "objects:\n  arm: {robot: arm.urdf, motion: states.yaml}\n"
        "  post: {cylinder: {radius: 0.05, length: 1}, position: [0.6, 0, 0]}\n"
    )
    contact = kc.verify(tmp_path / "cell.yaml").first
    assert (contact.a, contact.b) == ("arm/hand", "post")
    assert 0.5 < contact.time < 1.0  # from -1 to 1 rad in 2 s: it points at the post after 1 s


def test_values_are_by_name_and_times_from_the_first_stamp(tmp_path: Path) -> None:
    found, _ = read(tmp_path, STATES)
    assert found.times.tolist() == [0.0, 2.0]
    assert found.q.tolist() == [[-1.0, 0.05], [1.0, 0.1]]
    assert found.qd is None


def test_nanoseconds_are_not_lost_behind_seconds_since_1970(tmp_path: Path) -> None:
    text = "".join(
        f"header: {{stamp: {{sec: 1700000000, nanosec: {k}}}}}\nname: [shoulder, reach]\nposition: [{k}, 0]\n---\n"
        for k in (1, 2)
    )
    assert read(tmp_path, text)[0].times.tolist() == [0.0, 1e-9]


def test_lists_in_json_and_names_of_ros_1_are_read(tmp_path: Path) -> None:
    states = [
        {"header": {"stamp": {"secs": k, "nsecs": 0}}, "name": ["shoulder", "reach"], "position": [k, 0.1]}
        for k in (1, 2)
    ]
    assert read(tmp_path, states)[0].q.tolist() == [[1.0, 0.1], [2.0, 0.1]]
    assert read(tmp_path, states[0])[0].q.tolist() == [[1.0, 0.1]]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "name: [shoulder, reach]\nposition: [1, 0.1]",
            "name: [shoulder]\nposition: [1]",
            "message 2 has other joints than the first: shoulder",
        ),
        (
            "name: [shoulder, reach]\nposition: [1, 0.1]",
            "name: [shoulder, shoulder]\nposition: [1, 0.1]",
            "message 2 has other joints than the first",
        ),
        ("sec: 1700000002, ", "", "message 2 has no header.stamp with sec and nanosec"),
        ("02, nanosec: 100", "02, nanosec: 1000000000", "message 2 has no header.stamp"),
        ("02, nanosec: 100", "02.0, nanosec: 100", "message 2 has no header.stamp"),
        (
            "position: [1, 0.1]",
            "position: [1]",
            "message 2: 'name' and 'position' must be lists of one length",
        ),
        ("position: [1, 0.1]", "position: [1, .nan]", "has a value that is not finite"),
        ("sec: 1700000002", "sec: 1700000000", "times must increase"),
        ("position: [1, 0.1]", "effort: []", "a.yaml:6: message 2 is incomplete"),
        ("name: [reach, shoulder]", "joints: []", "it has 2 documents, and one motion is read"),
        ("name: [reach, shoulder]", "name: [reach, [shoulder]]", "'name' must list the names of the joints"),
    ],
)
def test_mistakes_of_a_recording(tmp_path: Path, old: str, new: str, expected: str) -> None:
    path = tmp_path / "a.yaml"
    assert old in STATES
    path.write_text(STATES.replace(old, new))
    found = problems(lambda source: read_joint_file(source, path, JOINTS), label="a.yaml")
    assert expected in found[0]


ECHO = """header:
  stamp: {sec: %d, nanosec: 0}
name:
- shoulder
- reach
position:
- 0.25
- 0.125
velocity: []
---
"""


@pytest.mark.parametrize(
    "end", ["- rea", "- reach", "position", "position:\n- 0.2", "0.12", "velo", "  stamp: {sec: 1"]
)
def test_a_recording_that_was_stopped_within_a_message(tmp_path: Path, end: str) -> None:
    third = ECHO % 2
    assert end in third.replace("sec: 2", "sec: 1")
    cut = third[: third.replace("sec: 2", "sec: 1").index(end) + len(end)]
    path = tmp_path / "a.yaml"
    path.write_text(ECHO % 0 + ECHO % 1 + cut)
    found = problems(lambda source: read_joint_file(source, path, JOINTS), label="a.yaml")
    assert found == [
        "a.yaml:21: message 3 is incomplete, as at the end of a recording that was stopped; delete it, from this "
        "line on"
    ]


def test_an_error_before_the_last_message_is_not_the_end_of_a_recording(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(ECHO % 0 + "header: {stamp\n---\n" + ECHO % 2)
    found = problems(lambda source: read_joint_file(source, path, JOINTS), label="a.yaml")
    assert "it is not YAML" in found[0]


def test_joints_that_the_robot_does_not_have_can_be_ignored(tmp_path: Path) -> None:
    text = (
        STATES.replace("shoulder", "reach_finger, shoulder").replace("-1]", "0, -1]").replace("[1,", "[0, 1,")
    )
    path = tmp_path / "a.yaml"
    path.write_text(text)
    found = problems(lambda source: read_joint_file(source, path, JOINTS), label="a.yaml")
    assert found == [
        "a.yaml: the robot has no joint 'reach_finger'; to leave it out, give ignore: [reach_finger] in the cell; "
        "its joints are shoulder and reach"
    ]
    source = Source(path.name, Options(ignore=("reach_finger",)))
    assert read_joint_file(source, path, JOINTS).q.tolist() == [[-1.0, 0.05], [1.0, 0.1]]


def test_hints_name_the_file_and_count_its_samples_from_1(tmp_path: Path) -> None:
    (tmp_path / "arm.urdf").write_text(ARM)
    (tmp_path / "states.yaml").write_text(STATES)
    (tmp_path / "cell.yaml").write_text(
        "objects:\n  arm: {robot: arm.urdf, motion: states.yaml}\n"
        "  post: {cylinder: {radius: 0.05, length: 1}, position: [0.6, 0, 0]}\n"
    )
    hint = kc.verify(tmp_path / "cell.yaml", hints=True).first.hint
    assert (hint.around.first, hint.around.file, hint.around.row_first) == (0, "states.yaml", None)
    assert hint_line(hint).startswith("samples 1 to 2 of states.yaml, for ")


def test_joints_that_a_trajectory_does_not_move_rest_where_it_starts(tmp_path: Path) -> None:
    found, source = read(tmp_path, display())
    assert found.times.tolist() == [0.0, 1.5]
    assert found.q.tolist() == [[-1.0, 0.05], [1.0, 0.05]]
    assert source.warnings == []


def test_the_cell_counts_before_the_start_state_with_a_warning(tmp_path: Path) -> None:
    found, source = read(tmp_path, display(), Joints(JOINTS.names, JOINTS.is_angle, {"reach": 0.2}))
    assert found.q.tolist() == [[-1.0, 0.2], [1.0, 0.2]]
    assert source.warnings == ["a.json starts with reach at 0.05, and the cell holds it at 0.2, which counts"]


def test_objects_that_a_start_state_holds_are_a_warning(tmp_path: Path) -> None:
    _, source = read(tmp_path, display(attached_collision_objects=[{"link_name": "hand"}]))
    assert source.warnings == [
        "a.json: its trajectory_start has 1 attached object, not read from here; the cell must have them, such as "
        "by the planning scene"
    ]
