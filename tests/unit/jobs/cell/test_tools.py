"""Tools and grasps in given poses, from cell files."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.jobs.cell.cells import ARM, write

import keepclear as kc
from keepclear.jobs.cell.locations import CellLines

WIDE = "time,shoulder,reach\n0,-1.5,0\n1,0,0\n2,1.5,0\n"
AWAY = "time,shoulder,reach\n0,1.5,0\n1,1.4,0\n2,1.5,0\n"
CELL = """objects:
  arm: {robot: arm.urdf}
  grip: {box: [0.1, 0.02, 0.1], %s}
  post: {cylinder: {radius: 0.05, length: 1}, position: [0.79, 0, 0.2]}
  wall: {box: [0.1, 1, 1], position: [-0.3, 0, 0.2]}
programs: {wide: {arm: wide.csv}, away: {arm: away.csv}}
"""
TOOL = "tool: {of: arm, link: hand, position: [0.25, 0, 0]}"
GRASP = "position: [0.75, 0, 0.1]"  # before the hand if the arm is straight
AT_START = "attached: [{object: grip, to: arm/hand, from: 0}]"


def report_of(folder: Path, tool: str, more: str = "") -> kc.Report:
    return kc.verify(write(folder, cell_yaml=CELL % tool + more, arm_urdf=ARM, wide_csv=WIDE, away_csv=AWAY))


def test_a_tool_has_one_pose_in_all_programs(tmp_path: Path) -> None:
    report = report_of(tmp_path, TOOL)
    wide, away = report.programs
    assert (wide.first.a, wide.first.b) == ("grip", "post")
    assert away.verdict is kc.Verdict.CLEAR
    assert report.warnings == ()
    for one in (wide, away):
        (held,) = [note.text for note in one.assumptions if note.subject == "grip"]
        assert held == "it moves with arm/hand at all times, at (0.25, 0, 0) m relative to it"
        (mount,) = [pair for pair in one.unchecked if "grip" in (pair.a, pair.b)]
        assert (mount.a, mount.reason, mount.detail) == ("arm/hand", "allowed", "grip is a tool on arm/hand")


@pytest.mark.parametrize("program", ["wide", "away"])
def test_a_tool_is_a_link_of_the_robot(tmp_path: Path, program: str) -> None:
    """The same bounds of all distances but for rounding as with the tool as a link, `kc.Robot.attach`."""
    report_of(tmp_path, TOOL)
    found = kc.read_cell(tmp_path / "cell.yaml").world(program).verify()
    world = kc.read_cell(tmp_path / "cell.yaml").world(program)
    robot, motion = kc.read_robot(tmp_path / "arm.urdf"), kc.read_cell(tmp_path / "cell.yaml")
    X = [[1, 0, 0, 0.25], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    for name in ("grip", "arm"):
        world.remove(name)
    whole = robot.attach("grip", kc.Box([0.1, 0.02, 0.1]), "hand", X)
    world.add_robot("arm", whole, motion.program_motions[program]["arm"].motion)
    expected = world.verify()
    links = {frozenset(name.replace("arm/grip", "grip") for name in (p.a, p.b)): p for p in expected.pairs}
    assert {frozenset((p.a, p.b)) for p in found.pairs} == set(links)
    for pair in found.pairs:
        other = links[frozenset((pair.a, pair.b))]
        assert pair.verdict is other.verdict
        bounds = [(p.t_lo or 0.0, p.clearance_lower) for p in (pair, other)]
        assert bounds[0] == pytest.approx(bounds[1], abs=1e-12)  # the pose of the tool is rounded elsewhere


def test_a_grasp_away_from_the_link_is_warned_of_first(tmp_path: Path) -> None:
    """A program that starts elsewhere left the gripper beside the arm: CLEAR, without a warning."""
    report = report_of(tmp_path, GRASP, AT_START)
    texts = [text for one in report.programs for text in one.warnings[:1]]
    assert len(texts) == 2
    assert all(text.startswith("object 'grip' floats 0.") and "'arm/hand'" in text for text in texts)
    assert "object 'grip' floats" in report.warnings[0]


def test_a_grasp_in_a_given_pose_jumps_to_it(tmp_path: Path) -> None:
    held = "attached: [{object: grip, to: arm/hand, from: 1, position: [0.25, 0, 0], program: wide}]"
    wide = report_of(tmp_path, GRASP, held).programs[0]
    assert not any("jumps" in text or "floats" in text for text in wide.warnings)  # it is there at 1 s
    notes = [note.text for note in wide.assumptions if note.subject == "grip"]
    assert notes == ["it moves with arm/hand from 1 s on, at (0.25, 0, 0) m relative to it"]
    wide = report_of(tmp_path, "position: [0.75, 0, 0.2]", held).programs[0]
    assert wide.warnings[0].startswith("object 'grip' jumps by 0.1 m at 1 s, when 'arm/hand' grasps it")


def test_a_jump_into_something_at_rest_is_not_listed_as_contact_at_rest(tmp_path: Path) -> None:
    """While the robot rests, nothing moves but the jump, which must count as a move."""
    still = "time,shoulder,reach\n0,0,0\n2,0,0\n3,1,0\n"
    text = """objects:
  arm: {robot: arm.urdf, motion: still.csv}
  grip: {box: [0.1, 0.02, 0.1], position: [0, 0, 3]}
  post: {cylinder: {radius: 0.05, length: 1}, position: [0.79, 0, 0.2]}
allowed: [[arm, grip]]
attached: [{object: grip, to: arm/hand, from: 1, position: [0.25, 0, 0]}]
"""
    report = kc.verify(write(tmp_path, cell_yaml=text, arm_urdf=ARM, still_csv=still))
    assert report.verdict is kc.Verdict.COLLIDING
    assert (report.first.a, report.first.b) == ("grip", "post")
    assert report.first.time == pytest.approx(1.0)


def test_an_attachment_without_from_is_a_tool(tmp_path: Path) -> None:
    report = report_of(tmp_path, GRASP, "attached: [{object: grip, to: arm/hand, position: [0.25, 0, 0]}]")
    assert report.programs[0].first.time == report_of(tmp_path, TOOL).programs[0].first.time
    (mount,) = [pair for pair in report.programs[0].unchecked if "grip" in (pair.a, pair.b)]
    assert mount.detail == "grip is a tool on arm/hand"


@pytest.mark.parametrize(
    ("tool", "more", "expected"),
    [
        (
            GRASP,
            "attached: [{object: grip, to: arm/hand}]",
            "attached[0]: it has neither 'from' (when it is grasped) nor a pose relative to the link",
        ),
        (TOOL, AT_START, "attached[0].object: 'grip' is already a tool of arm/hand; remove this or 'tool'"),
        (
            GRASP,
            "attached: [{object: grip, to: arm/hand, rpy: [0, 0, 0], rpy_deg: [0, 0, 0]}]",
            "attached[0].rpy_deg: the rotation is also given by 'rpy'",
        ),
        (
            GRASP,
            "attached: [{object: grip, to: arm/hand, quat_xyzw: [0, 0, 0, 0]}]",
            "attached[0].quat_xyzw: ",
        ),
        (
            TOOL.replace("hand", "hnd"),
            "",
            "objects.grip.tool.link: 'arm' has no link 'hnd'; did you mean 'hand'?",
        ),
        (
            TOOL.replace("position", "rpy: [0, 0, 1], rpy_deg"),
            "",
            "objects.grip.tool.rpy_deg: the rotation is also given by 'rpy'; keep one of them",
        ),
        (
            f"{TOOL}, position: [0, 0, 1]",
            "",
            "objects.grip.position: a tool moves with its link; give its pose relative to the link under 'tool'",
        ),
    ],
)
def test_mistakes_of_grasps(tmp_path: Path, tool: str, more: str, expected: str) -> None:
    with pytest.raises(kc.CellError) as caught:
        report_of(tmp_path, tool, more)
    assert len(caught.value.mistakes) == 1, caught.value.mistakes
    assert expected in caught.value.mistakes[0]


def test_a_program_does_not_move_a_tool(tmp_path: Path) -> None:
    text = (CELL % TOOL).replace("{arm: wide.csv}", "{arm: wide.csv, grip: wide.csv}")
    with pytest.raises(kc.CellError) as caught:
        kc.read_cell(write(tmp_path, cell_yaml=text, arm_urdf=ARM, wide_csv=WIDE, away_csv=AWAY))
    assert any("'grip' is a tool and moves with arm/hand" in text for text in caught.value.mistakes)


def test_contacts_of_a_tool_stand_in_the_program_of_its_robot(tmp_path: Path) -> None:
    report_of(tmp_path, TOOL)
    found = CellLines(str(tmp_path / "cell.yaml")).pair("grip", "post", "wide", 0.5)
    assert (Path(found.file).name, found.line) == ("wide.csv", 2)


NEAR = CELL.replace("[0.79, 0, 0.2]", "[0.86, 0, 0.2]") % TOOL  # 10 mm beside the path of the tool


@pytest.mark.parametrize(
    ("more", "margin"),
    [
        ("margins: [{pair: [arm, post], margin: 0.02}]\n", 0.02),
        ("margins: [{pair: [post, arm], margin: 0.02}, {pair: [arm, arm], margin: 0}]\n", 0.02),
        ("margins: [{pair: [grip, post], margin: 0.005}, {pair: [arm, post], margin: 0.02}]\n", 0.005),
        ("margins: [{pair: [arm/hand, post], margin: 0.02}]\n", 0.0),
    ],
)
def test_a_margin_of_a_robot_is_one_of_its_tool(tmp_path: Path, more: str, margin: float) -> None:
    cell = NEAR + more
    file = write(tmp_path, cell_yaml=cell, arm_urdf=ARM, wide_csv=WIDE, away_csv=AWAY)
    world = kc.read_cell(file).world("wide")
    report = world.verify(tolerance=1e-4)
    (pair,) = [pair for pair in report.pairs if {pair.a, pair.b} == {"grip", "post"}]
    assert pair.margin == margin
    assert pair.verdict is (kc.Verdict.COLLIDING if margin > 0.01 else kc.Verdict.CLEAR)
    found = world.check_configurations("arm", [[0.0, 0.0]])
    assert found.colliding.tolist() == [margin > 0.01]
    near = world.contacts(0.0, t=1.0)
    assert [{a, b} for a, b in zip(near.a, near.b, strict=True)] == [{"grip", "post"}] * (margin > 0.01)


def test_a_margin_at_the_robot_is_one_of_its_tool(tmp_path: Path) -> None:
    cell = NEAR.replace("robot: arm.urdf", "robot: arm.urdf, margin: 0.02")
    file = write(tmp_path, cell_yaml=cell, arm_urdf=ARM, wide_csv=WIDE, away_csv=AWAY)
    report = kc.read_cell(file).world("wide").verify()
    margins = {frozenset((pair.a, pair.b)): pair.margin for pair in report.pairs}
    assert margins[frozenset(("grip", "post"))] == margins[frozenset(("grip", "arm/base"))] == 0.02


@pytest.mark.parametrize("only", ["[arm]", "[[arm, post]]"])
def test_a_selected_robot_is_checked_with_its_tool(tmp_path: Path, only: str) -> None:
    report = report_of(tmp_path, TOOL, f"only: {only}\n")
    wide, _ = report.programs
    assert (wide.first.a, wide.first.b) == ("grip", "post")
