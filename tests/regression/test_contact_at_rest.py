"""Contact that a motion leads into was not checked once the pair rested, and lags were forgotten after a release."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.unit.world.worlds import at, cube, drive, slider, way

import keepclear as kc

CLEAR, COLLIDING = kc.Verdict.CLEAR, kc.Verdict.COLLIDING


def pair(report: kc.Report, a: str, b: str) -> kc.PairReport:
    (found,) = [p for p in report.pairs if {p.a, p.b} == {a, b}]
    return found


def head_in_wall() -> kc.World:
    """A head moves 50 mm deep into a wall until 1 s, and rests there; "bird" makes the world move afterwards."""
    world = kc.World()
    world.add("head", kc.Box([0.1] * 3), way([0, 1], (0, 0, 0), (0.5, 0, 0)))
    world.add("wall", kc.Box([0.2] * 3), at(0.6, 0))
    world.add("bird", kc.Sphere(0.05), way([0, 3], (0, 1, 0), (1, 1, 0)))
    return world


def test_a_head_that_stops_in_a_wall_is_in_contact_when_its_permission_ends() -> None:
    """It was CLEAR, with an overlap of 50 mm for two seconds that nobody allowed."""
    world = head_in_wall()
    world.allow("head", "wall", t_to=1.0)
    report = world.verify(0, 3)
    found = pair(report, "head", "wall")
    assert (report.verdict, found.verdict) == (COLLIDING, COLLIDING)
    assert found.time == math.nextafter(1.0, 2.0)
    assert found.contacts[0].permission_end == 1.0
    assert "the contact continues when its permission ends at 1 s" in str(report)
    assert kc.Report.from_json(report.to_json()) == report
    assert "the contact continues when its permission ends at 1 s" in report.to_junit()
    (contact,) = pair(world.verify(0, 3, contacts="all"), "head", "wall").contacts
    assert (contact.permission_end, contact.t_end) == (1.0, None)
    world.allow("head", "wall", t_from=1.0)
    assert world.verify(0, 3).verdict is CLEAR


def test_a_contact_that_a_permission_interrupts_is_two() -> None:
    world = head_in_wall()
    world.allow("head", "wall", t_from=1.0, t_to=2.0)
    first, second = pair(world.verify(0, 3, contacts="all"), "head", "wall").contacts
    assert first.time == pytest.approx(0.9, abs=2e-3)
    assert (first.permission_end, first.t_end) == (None, None)
    assert (second.time, second.permission_end, second.t_end) == (math.nextafter(2.0, 3.0), 2.0, None)


def test_a_contact_that_begins_later_does_not_continue() -> None:
    world = head_in_wall()
    world.allow("head", "wall", t_to=0.2)
    found = pair(world.verify(0, 3), "head", "wall")
    assert found.contacts[0].permission_end is None
    assert "permission" not in str(found)


@pytest.mark.parametrize("interval", [(1, 3), (2, 3), (4, 5), (2, 2)])
def test_an_interval_that_starts_later_does_not_hide_the_contact(interval: tuple[float, float]) -> None:
    """`verify(1, 3)` was CLEAR: the pair rests in this interval."""
    report = head_in_wall().verify(*interval)
    found = pair(report, "head", "wall")
    assert (found.verdict, found.time) == (COLLIDING, interval[0])
    assert head_in_wall().collisions(interval[0], at_rest=False) == (("head", "wall"),)


def released_in_wall() -> kc.World:
    """A slider takes a part at 0.5 s and lets it go at 1.5 s, in the wall."""
    world = kc.World()
    world.add_robot("bot", slider(), drive([0, 2], [0, 2]))
    world.add("part", kc.Sphere(0.05), at(0.5, 0, -0.3))
    world.add("wall", kc.Box([0.1] * 3), at(1.5, 0, -0.3))
    world.attach("part", "bot/head", 0.5, 1.5)
    world.allow("part", "bot/head")
    return world


def test_a_part_released_in_a_wall_is_in_contact() -> None:
    """It was CLEAR with a clearance_lower of 0.1 m."""
    world = released_in_wall()
    world.allow("part", "wall", t_from=1.0, t_to=1.5)
    found = pair(world.verify(tolerance=1e-4), "part", "wall")
    assert found.verdict is COLLIDING
    assert (found.clearance_lower, found.clearance_upper) == (0.0, 0.0)
    assert found.contacts[0].permission_end == 1.5


def on_a_table() -> kc.World:
    """A part lies on its table until a slider takes it at 1 s, straight up from 1.5 s on."""
    world = kc.World()
    world.add_robot("bot", slider(), drive([0, 1, 1.5, 2], [0, 1, 1, 1], [0, 0, 0, 1]))
    world.add("part", kc.Box([0.1] * 3), at(1, 0, -0.3))
    world.add("table", kc.Box([1, 1, 0.1]), at(1, 0, -0.4))
    world.add("leg", kc.Box([0.1] * 3), at(1, 0, -0.5))
    world.attach("part", "bot/finger", 1.0)
    world.allow("part", "bot")
    world.allow("bot/finger", "bot/lamp")
    return world


def test_a_part_on_its_table_is_listed_until_it_moves() -> None:
    world = on_a_table()
    world.allow("part", "table", t_from=1.5, t_to=1.6)
    report = world.verify(tolerance=1e-3)
    assert report.verdict is CLEAR
    told = {(u.a, u.b): (u.touching, u.t_from, u.t_to) for u in report.unchecked if u.reason == "at rest"}
    assert told == {
        ("part", "table"): (True, 0.0, math.nextafter(1.5, 0)),
        ("leg", "table"): (True, None, None),
    }
    assert [text.partition(",")[0] for text in report.warnings] == [
        "object 'part' floats 0.5 m away from 'bot/finger'"
    ]
    assert pair(report, "part", "table").clearance_lower >= 0.1
    assert world.collisions(1.0) == (("leg", "table"), ("part", "table"))
    assert world.collisions(1.0, at_rest=False) == ()
    assert {(d.a, d.b) for d in world.distances(1.0, at_rest=False)} & set(told) == set()


def test_what_slides_on_its_table_is_in_contact() -> None:
    world = kc.World()
    world.add("part", kc.Box([0.1] * 3), way([0, 1, 2], (0, 0, 0), (0, 0, 0), (0.1, 0, 0)))
    world.add("table", kc.Box([1, 1, 0.1]), at(0, 0, -0.1))
    found = pair(world.verify(0, 3), "part", "table")
    assert (found.verdict, found.time) == (COLLIDING, 1.0)
    report = world.verify(0, 1)
    assert (report.verdict, report.pairs) == (CLEAR, ())
    assert [(u.reason, u.touching) for u in report.unchecked] == [("at rest", True)]


def test_what_is_apart_at_the_start_is_checked_from_the_start() -> None:
    world = kc.World()
    world.add("part", kc.Box([0.1] * 3), way([0, 1, 2], (0, 0, 0), (0, 0, 0), (0, 0, 1)))
    world.add("table", kc.Box([1, 1, 0.1]), at(0, 0, -0.13))
    report = world.verify(0, 3, tolerance=1e-4)
    assert (report.verdict, report.unchecked) == (CLEAR, ())
    (found,) = report.pairs
    assert found.clearance_lower <= 0.03 <= found.clearance_upper
    assert world.verify(0, 0.5).pairs[0].verdict is CLEAR


@pytest.mark.parametrize(("depth", "warned"), [(0.0, False), (0.0005, False), (0.05, True)])
@pytest.mark.parametrize("mesh", [False, True])
def test_listed_pairs_that_overlap_are_warned_of(depth: float, warned: bool, mesh: bool) -> None:
    world = head_in_wall()
    world.move("wall", at(9, 0))
    world.add("foot", cube(0.2) if mesh else kc.Box([0.2] * 3), at(0, 5))
    world.add("floor", kc.Box([0.2] * 3), at(0, 5, 0.2 - depth))
    report = world.verify(0, 3, tolerance=1e-3)
    assert report.verdict is CLEAR
    assert [(u.a, u.b, u.reason) for u in report.unchecked] == [("floor", "foot", "at rest")]
    warnings = [text for text in report.warnings if "overlap" in text]
    assert len(warnings) == warned
    for text in warnings:
        state = ", probably by more than 1 mm" if mesh else " by 50 mm"  # the depth of a mesh is not known
        assert text.startswith(f"'floor' and 'foot': they overlap{state}, and this is not checked")
        assert str(report).splitlines()[1] == f"  warning: {text}"


def test_a_part_released_late_lies_elsewhere_for_good() -> None:
    """At 1 m/s, 0.05 s early or late, the margin fell back to nothing at 1.55 s, 20 mm from the post."""
    world = kc.World()
    world.add_robot("bot", slider(), drive([0, 2], [0, 2]))
    world.add("part", kc.Sphere(0.05), at(0.5, 0, -0.3))
    world.add("post", kc.Sphere(0.05), at(1.62, 0, -0.3))
    world.attach("part", "bot/head", 0.5, 1.5)
    world.allow("part", "bot")
    world.allow("part", "post", t_to=1.6)  # all that was checked is later
    assert pair(world.verify(0, 5, tolerance=1e-4), "part", "post").verdict is CLEAR
    world.set_path_tolerance("bot", time=0.05)
    found = pair(world.verify(0, 5, tolerance=1e-4), "part", "post")
    assert found.verdict is COLLIDING
    assert found.margin >= 0.05
    late = pair(world.verify(4, 5, tolerance=1e-4), "part", "post")
    assert (late.verdict, late.time) == (COLLIDING, 4.0)


def test_margins_of_a_window_that_ends_at_a_knot_hold() -> None:
    """A span of one tick beside the knot at 1 s had a speed of five times the true one."""
    world = kc.World()
    world.add("ball", kc.Sphere(0.1), way([0, 1, 2], (0, 0, 0), (1, 0, 0), (1, 1, 0)))
    world.add("post", kc.Sphere(0.1), at(0, 5))
    world.set_path_tolerance("ball", time=0.25)
    for t in (0.25, 0.75, 1.0, 1.25):
        world.allow("ball", "post", t_from=t, t_to=t)
    assert pair(world.verify(0, 2), "ball", "post").margin == pytest.approx(0.25, rel=1e-5)


def base_at(x: float) -> kc.World:
    world = kc.World()
    world.add_robot("bot", slider(), drive([0, 2], [0, 2]), at(x, 0))
    world.add("table", kc.Box([1.2, 0.8, 0.05]), at(0, 0, -0.5))
    world.add("post", kc.Box([0.1] * 3), at(0, 1.5))
    return world


def test_a_base_at_914_is_warned_of_first() -> None:
    world = base_at(914.0)
    world.warn("something else")
    report = world.verify()
    assert report.verdict is CLEAR
    assert report.warnings[0].startswith("robot 'bot' never comes within 91")
    assert "millimetres" in report.warnings[0]
    assert report.warnings[1:] == ("something else",)
    assert world.unverified().warnings == report.warnings
    assert base_at(0.914).verify().warnings == ()
    assert base_at(5.0).verify().warnings == ()


def test_a_table_in_millimetres_is_warned_of_first() -> None:
    """Its size of 1200 m was told by nobody, under a wall of contacts."""
    world = base_at(0.0)
    world.remove("table")
    world.add("table", kc.Box([1200, 800, 50]), at(0, 0, -0.5))
    report = world.verify()
    assert report.verdict is COLLIDING
    assert report.warnings == (
        "'table' is 1200 m large; check whether its size is in millimetres where metres are expected",
        "'post' and 'table': they overlap by 24.6 m, and this is not checked because nothing moves between them",
    )
    assert world.unverified().warnings == report.warnings[:1]
    world.remove("table")
    world.add("floor", kc.Box([200, 200, 0.1]), at(0, 0, -0.5))
    assert world.verify().warnings == ()


def test_each_group_of_things_far_away_is_one_warning() -> None:
    world = base_at(0.0)
    for k in range(2):
        world.add(f"part {k}", kc.Box([0.1] * 3), at(300.0 + k, 0))
    (text,) = world.verify().warnings
    assert text.startswith("object 'part 0', object 'part 1' never come within 29")


def test_two_bodies_that_move_alike_may_be_late_each_on_its_own() -> None:
    world = kc.World()
    world.add("pallet", kc.Box([0.2] * 3), way([0, 1], (0, 0, 0), (1, 0, 0)))
    world.add("part", kc.Box([0.2] * 3), way([0, 1], (0, 0, 0.2), (1, 0, 0.2)))
    world.add("gate", kc.Box([0.2] * 3), at(0, 2))
    report = world.verify()
    assert [(u.a, u.b, u.reason) for u in report.unchecked] == [("pallet", "part", "at rest")]
    world.set_path_tolerance("part", time=0.1)
    assert pair(world.verify(), "pallet", "part").verdict is COLLIDING


def write_cell(folder: Path, x: float) -> Path:
    file = folder / "cell.yaml"
    file.write_text(
        f"""
objects:
  head: {{box: [0.1, 0.1, 0.1], motion: head.csv}}
  post: {{box: [0.1, 0.1, 0.1], position: [{x}, 0, 0]}}
"""
    )
    (folder / "head.csv").write_text("time,x,y,z,qx,qy,qz,qw\n0,0,0,0,0,0,0,1\n1,0,1,0,0,0,0,1\n")
    return file


@pytest.mark.parametrize(("x", "codes"), [(0.5, (0, 0)), (914.0, (0, 2)), (0.0, (1, 1))])
def test_strict_turns_warnings_into_exit_code_2(tmp_path: Path, x: float, codes: Any) -> None:
    from click.testing import CliRunner

    from keepclear.cli.main import main

    cell = str(write_cell(tmp_path, x))
    results = [CliRunner().invoke(main, ["verify", cell, *more]) for more in ([], ["--strict"])]
    assert tuple(result.exit_code for result in results) == codes
    lines = results[0].output.splitlines()
    assert lines[1].startswith("warning: object" if x > 100 else ("CLEAR", "COLLIDING"))


def test_the_points_of_a_part_held_off_centre_count() -> None:
    """A robot that turns at 1 rad/s, 0.1 s late, holds a part 1 m out 0.1 m off, whatever the part's origin does."""
    from tests.unit.world.worlds import swing

    world = kc.World()
    robot = swing()
    world.add_robot("arm", robot, kc.JointTrajectory(robot, [0, 2], [[0], [2]]))
    world.add("part", kc.Sphere(0.05), at(math.cos(1), math.sin(1), 0.5))
    world.add("post", kc.Sphere(0.05), at(1.2 * math.cos(2), 1.2 * math.sin(2), 0.5))
    world.attach("part", "arm/arm", 1.0, 2.0)
    world.set_path_tolerance("arm", time=0.1)
    world.allow("part", "post", t_to=2.5)
    found = pair(world.verify(0, 5), "part", "post")
    assert found.verdict is COLLIDING  # 0.1 m apart, and 0.2 m off
    assert found.margin == pytest.approx(0.2 * 1.05, rel=0.05)
    assert np.isfinite(found.time)


SLIDE = """<robot name="s"><link name="rail"/>
<link name="head"><collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
<link name="tool0"/><link name="finger"><collision><geometry><sphere radius="0.05"/></geometry></collision></link>
<joint name="slide" type="prismatic"><parent link="rail"/><child link="head"/><axis xyz="1 0 0"/>
  <limit lower="-9" upper="9" velocity="9" effort="1"/></joint>
<joint name="f" type="fixed"><parent link="head"/><child link="tool0"/><origin xyz="0.2 0 0"/></joint>
<joint name="g" type="fixed"><parent link="tool0"/><child link="finger"/><origin xyz="0 0 0.2"/></joint></robot>
"""


@pytest.mark.parametrize("link", ["r/head", "r/tool0", "r/finger"])
@pytest.mark.parametrize("said_of", ["r", "r/head", "r/tool0", "r/finger"])
@pytest.mark.parametrize("tolerance", [{"distance": 0.1}, {"time": 0.1}])
def test_what_is_fixed_to_a_link_shares_its_path_tolerance(
    tmp_path: Path, link: str, said_of: str, tolerance: Any
) -> None:
    """A part carried by the tool frame of an inexact link passed 25 mm from a wall: CLEAR with margin 0."""
    file = tmp_path / "s.urdf"
    file.write_text(SLIDE)
    robot = kc.read_robot(file)
    world = kc.World()
    world.add_robot("r", robot, kc.JointTrajectory(robot, [0, 2, 2.05], [[0.0], [2.0], [2.0]]))
    world.add("part", kc.Sphere(0.05), at(0.7, 0.5, 0.2))
    world.add("wall", kc.Box([0.01, 2, 0.2]), at(2.28, 0, 0.2))
    world.attach("part", link, 0.5)
    world.set_path_tolerance(said_of, **tolerance)
    report = world.verify()
    for name in ("part", "r/finger"):
        assert pair(report, name, "wall").margin >= 0.1
        assert pair(report, name, "wall").verdict is kc.Verdict.COLLIDING


@pytest.mark.parametrize("floor", [False, True])
def test_a_base_in_millimetres_is_warned_of_beside_a_floor(floor: bool) -> None:
    """A floor of 100 x 60 m made 914 m look near: CLEAR without a warning."""
    world = kc.World()
    world.add_robot("slider", slider(), drive([0, 2], [0, 2]), at(914.0, 0, 0))
    world.add("table", kc.Box([1, 1, 0.1]), at(0, 0, 0))
    world.add("wall", kc.Box([0.1, 1, 1]), at(1, 0, 0))
    if floor:
        world.add("floor", kc.Box([100, 60, 0.1]), at(0, 0, -1))
    (warning,) = world.verify().warnings
    assert warning.startswith(
        "robot 'slider' never comes within 8" if floor else "robot 'slider' never comes within 9"
    )


def test_a_robot_that_takes_a_part_far_away_is_warned_of(tmp_path: Path) -> None:
    """It swung the part on an arc of 914 m, whose box held everything: CLEAR without a warning."""
    file = tmp_path / "s.urdf"
    file.write_text(SLIDE)
    robot = kc.read_robot(file)
    for x, count in ((914.0, 1), (-0.4, 0)):
        world = kc.World()
        world.add_robot("r", robot, kc.JointTrajectory(robot, [0, 2], [[0.0], [2.0]]), at(x, 0, 0))
        world.add("part", kc.Sphere(0.05), at(0.3, 0.1, 0.2))
        world.attach("part", "r/tool0", 0.5)
        grasps = [text for text in world.verify().warnings if "which holds it from 0.5 s on" in text]
        assert len(grasps) == count
