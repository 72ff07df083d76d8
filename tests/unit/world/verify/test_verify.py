"""A whole world over an interval: verdicts, contacts in the world, clearances, and what stays open."""

from __future__ import annotations

import math
import threading
from typing import Any

import numpy as np
import pytest
from tests.oracles.poses import random_pose
from tests.unit.world.worlds import at, cube, drive, gate, slider, swing, way

import keepclear as kc
from keepclear.results import Verdict
from keepclear.world.verify import pair_check, verify

CLEAR, COLLIDING, UNDECIDED = Verdict.CLEAR, Verdict.COLLIDING, Verdict.UNDECIDED


def passing(y: float = 0.25) -> kc.World:
    """Ball a of 0.1 m passes ball b at 0.5 s, with y - 0.2 m between them; c is far away."""
    world = kc.World()
    world.add("a", kc.Sphere(0.1), way([0, 1], (0, 0, 0), (1, 0, 0)))
    world.add("b", kc.Sphere(0.1), at(0.5, y))
    world.add("c", kc.Sphere(0.1), at(0, 50))
    return world


def pair(report: kc.Report, a: str, b: str) -> Any:
    (found,) = [p for p in report.pairs if {p.a, p.b} == {a, b}]
    return found


def test_a_clear_world_with_its_clearances() -> None:
    report = passing().verify(tolerance=1e-4)
    assert report.verdict is CLEAR
    assert (report.t0, report.t1, report.tolerance) == (0, 1, 1e-4)
    near, far = report.pairs
    assert (near.a, near.b, far.a, far.b) == ("a", "b", "a", "c")
    assert near.clearance_lower <= 0.05 <= near.clearance_upper <= near.clearance_lower + 1e-4
    assert near.clearance_time == pytest.approx(0.5, abs=0.02)
    assert np.linalg.norm(np.subtract(near.p_WA, near.p_WB)) == pytest.approx(near.clearance_upper, abs=1e-9)
    assert (far.clearance_lower, far.clearance_upper, far.proof) == (0.1, None, "swept boxes")
    assert (near.t_lo, near.t_hi, near.time, near.contacts) == (1.0, 1.0, None, ())
    assert report.statistics["pairs"] == 2
    assert report.statistics["at rest and apart"] == 1


def test_pairs_are_in_the_order_of_reports() -> None:
    """By verdict, then by time or distance, and pairs of which boxes say the same by name."""
    world = passing(0.12)
    for k, y in enumerate((9.0, 5.0, 0.3, 0.3, 7.0)):
        world.add("zyxwv"[k], kc.Sphere(0.05), at(0.5, -y))
    world.add("e", kc.Sphere(0.05), at(0.9, 0.1))
    for clearances in (False, True):
        report = world.verify(clearances=clearances)
        assert report.pairs == report.records.sorted()
        assert [one.b for one in report.pairs][:2] == ["b", "e"]


def test_a_contact_with_its_time_and_place() -> None:
    """The balls meet when their middles are 0.2 m apart."""
    report = passing(0.12).verify(tolerance=1e-6)
    meeting = 0.5 - math.sqrt(0.2**2 - 0.12**2)
    assert report.verdict is COLLIDING
    found = pair(report, "a", "b")
    assert report.pairs[0] is found
    assert found.t_lo <= meeting
    assert found.time == pytest.approx(meeting, abs=2e-5)
    (contact,) = found.contacts
    assert contact.p_W == pytest.approx([0.5 * (meeting + 0.5), 0.06, 0], abs=1e-5)
    assert contact.normal_W == pytest.approx([(0.5 - meeting) / 0.2, 0.6, 0], abs=1e-4)
    assert (found.clearance_lower, found.clearance_time) == (0.0, found.time)
    assert found.clearance_upper <= 1e-6


@pytest.mark.parametrize("mesh", ["arm", "wall", "neither"])
def test_contacts_are_told_in_the_world_whoever_looks(mesh: str) -> None:
    """A cube of 0.2 m on an arm of 1 m meets a wall at y = 0.8 m: its far corner is first, at (0.9 + ..., 0.8)."""
    X_WB = random_pose(np.random.default_rng(8), 3.0)
    body = cube(0.2) if mesh == "arm" else kc.Box([0.2] * 3)
    robot = swing().attach("claw", body, "arm", at(1, 0))
    wall = cube(2.0) if mesh == "wall" else kc.Box([2.0] * 3)
    for name in ("wall", "a wall"):  # before and after the robot's links in the order of names
        world = kc.World()
        world.add_robot("robot", robot, kc.JointTrajectory(robot, [0, 1], [[0], [1.5]]), X_WB)
        world.add(name, wall, X_WB @ at(0, 1.8))
        world.only([("robot/claw", name)])
        (found,) = world.verify(tolerance=1e-5, clearances=False).pairs
        # The corner (1.1, 0.1) of the claw is at a radius of 1.10454 m, 0.09066 rad ahead of the arm.
        radius, ahead = math.hypot(1.1, 0.1), math.atan2(0.1, 1.1)
        angle = math.asin(0.8 / radius) - ahead
        assert found.verdict is COLLIDING
        assert found.time == pytest.approx(angle / 1.5, abs=2e-5)
        p = np.linalg.inv(X_WB) @ np.append(found.contacts[0].p_W, 1.0)
        assert p[:2] == pytest.approx([radius * math.cos(angle + ahead), 0.8], abs=1e-4)
        assert abs(p[2]) <= 0.1 + 1e-4
        n = X_WB[:3, :3].T @ found.contacts[0].normal_W
        assert n == pytest.approx([0, 1 if found.a == "robot/claw" else -1, 0], abs=1e-3)


def test_links_of_one_robot_are_told_in_the_world() -> None:
    """The finger, 0.3 m above the head, is lifted into the lamp at 0.5 m while the head moves on."""
    world = kc.World()
    world.add_robot("bot", slider(), drive([0, 1], [0, 1], [0, 0.2]), at(0, 7))
    (found,) = world.verify(tolerance=1e-6).pairs
    assert (found.a, found.b) == ("bot/finger", "bot/lamp")
    assert found.time == pytest.approx(0.5, abs=1e-5)
    assert found.contacts[0].p_W == pytest.approx([0.5, 7, 0.45], abs=1e-5)
    assert found.contacts[0].normal_W == pytest.approx([0, 0, 1], abs=1e-6)


def test_an_allowed_window_hides_a_contact_and_nothing_else() -> None:
    world = passing(0.12)
    world.allow("a", "b", t_from=0.3, t_to=0.45)
    found = pair(world.verify(tolerance=1e-6), "a", "b")
    assert found.verdict is COLLIDING
    assert found.time == math.nextafter(0.45, 1)  # they overlap when they are judged again
    world.allow("a", "b", t_from=0.45, t_to=0.7)
    assert pair(world.verify(tolerance=1e-6), "a", "b").verdict is CLEAR


def test_margins_decide() -> None:
    world = passing(0.25)
    world.set_margin("a", "b", 0.049)
    assert world.verify(tolerance=1e-4).verdict is CLEAR
    world.set_margin("a", "b", 0.0501)
    report = world.verify(tolerance=1e-4)
    assert report.verdict is COLLIDING
    assert pair(report, "a", "b").margin == 0.0501
    assert pair(report, "a", "b").clearance_upper == pytest.approx(0.0501, abs=2e-4)


def test_all_contacts_with_their_ends() -> None:
    """The ball goes by, comes back and stays: two contacts that end, and one that does not."""
    world = kc.World()
    places = [(0, 0, 0), (2, 0, 0), (0, 0, 0), (1, 0, 0)]
    world.add("a", kc.Sphere(0.1), way([0, 2, 4, 5], *places))
    world.add("b", kc.Sphere(0.1), at(1, 0))
    (found,) = world.verify(tolerance=1e-4, contacts="all").pairs
    assert [c.time for c in found.contacts] == pytest.approx([0.8, 2.8, 4.8], abs=1e-3)
    assert [c.t_end for c in found.contacts[:2]] == pytest.approx([1.2, 3.2], abs=1e-2)
    assert found.contacts[2].t_end is None
    assert [c.t_last for c in found.contacts] == pytest.approx([1.2, 3.2, 5.0], abs=1e-2)
    assert [c.distance_upper for c in found.contacts] == pytest.approx([-0.2] * 3, abs=1e-3)
    assert all(c.distance_upper >= -0.2 for c in found.contacts)  # never deeper than it is
    first = world.verify(tolerance=1e-4).pairs[0].contacts
    assert [(c.t_last, c.distance_upper) for c in first] == [(None, None)]


def test_meshes_in_contact_have_no_depth_but_a_margin_finds_out_whether_they_touch() -> None:
    world = kc.World()
    world.add("a", cube(0.2), way([0, 2], (0, 0, 0), (2, 0, 0)))
    world.add("b", cube(0.2), at(1, 0))
    world.add("c", cube(0.2), at(1, 0.25))
    (found,) = world.verify(tolerance=1e-4, contacts="all").records.having(COLLIDING)
    assert [c.distance_upper for c in found.contacts] == [None]
    world.set_margin("a", None, 0.06)
    pairs = world.verify(tolerance=1e-4, contacts="all")
    assert pair(pairs, "a", "b").contacts[0].distance_upper <= 1e-9
    assert pair(pairs, "a", "c").contacts[0].distance_upper == pytest.approx(0.05, abs=1e-6)


def test_only_the_earliest_contact() -> None:
    world = passing(0.12)
    world.add("d", kc.Sphere(0.1), at(0.9, 0.12))
    report = world.verify(tolerance=1e-5, contacts="earliest", clearances=False)
    assert report.verdict is COLLIDING
    assert pair(report, "a", "b").verdict is COLLIDING
    late = pair(report, "a", "d")
    assert late.verdict is UNDECIDED
    assert late.t_lo == pytest.approx(pair(report, "a", "b").time)
    assert late.t_hi == 1.0
    assert pair(report, "a", "c").verdict is CLEAR


def test_a_later_contact_that_is_found_first_is_forgotten() -> None:
    """Ball d goes beside a from the start, so that pair is looked at first; it meets b, and later a."""
    world = passing(0.12)
    world.add("d", kc.Sphere(0.1), way([0, 1], (0.15, 0.15, 0), (1.139, 0.139, 0)))
    assert {p.verdict for p in world.verify(clearances=False).pairs if p.b != "c" and p.a != "c"} == {
        COLLIDING
    }
    report = world.verify(contacts="earliest", clearances=False)
    assert pair(report, "b", "d").verdict is COLLIDING
    assert pair(report, "b", "d").time == pytest.approx(0.153, abs=2e-3)
    for name in ("b", "d"):
        assert pair(report, "a", name).verdict is UNDECIDED
        assert pair(report, "a", name).contacts == ()


def gates(last: float) -> kc.World:
    """A ball of 0.1 m goes through two gates, in 10 s, to a wall at x = `last`; hulls show neither gap."""
    world = kc.World(threads=1)
    world.add("ball", kc.Sphere(0.1), way([0, 10], (0, 0, 0), (10, 0, 0)))
    world.add("gate 1", gate(0.3), at(2, 0))
    world.add("gate 2", gate(0.3), at(5, 0))
    world.add("wall", kc.Box([0.2, 4, 4]), at(last + 0.1, 0))
    return world


@pytest.mark.parametrize("last", [3.5, 5.9, 9.0])
def test_the_earliest_contact_long_after_hulls_have_touched(last: float) -> None:
    report = gates(last).verify(tolerance=1e-5, contacts="earliest", clearances=False)
    assert report.verdict is COLLIDING
    assert pair(report, "ball", "wall").time == pytest.approx(last - 0.1, abs=1e-4)
    assert pair(report, "ball", "wall").t_lo <= last - 0.1
    for name in ("gate 1", "gate 2"):
        assert pair(report, "ball", name).verdict is UNDECIDED
        assert pair(report, "ball", name).t_lo == pair(report, "ball", "wall").time


@pytest.mark.parametrize("budget", [None, 100_000])
def test_no_contact_where_hulls_touch(budget: int | None) -> None:
    report = gates(12.0).verify(contacts="earliest", clearances=False, budget=budget)
    assert report.verdict is CLEAR
    assert pair(report, "ball", "gate 2").proof == "exact shapes"
    assert pair(report, "ball", "wall").proof == "swept boxes"


def test_what_is_searched_until_a_horizon_is_not_clear_when_the_user_stops_there() -> None:
    """The first gate is proved clear for a part of the interval; stopped then, nothing is known about the rest."""

    def stop(done: int, total: int, text: str) -> None:
        if text == "checking pairs" and 0 < done == total:
            raise KeyboardInterrupt

    report = gates(12.0).verify(contacts="earliest", clearances=False, progress=stop)
    assert report.interrupted
    assert report.verdict is UNDECIDED
    for name in ("gate 1", "gate 2"):
        assert pair(report, "ball", name).verdict is UNDECIDED
        assert pair(report, "ball", name).t_lo == 0.0


def test_the_earliest_contact_at_an_instant_and_of_bodies_without_hulls() -> None:
    """What touches at the start is found there, also where the interval is that instant."""
    world = gates(2.0)
    for end in (2.5, 2.0):
        report = world.verify(2.0, end, contacts="earliest", clearances=False)
        assert pair(report, "ball", "wall").time == 2.0
    flat = kc.Mesh([[0, -1, -1], [0, 1, -1], [0, 1, 1]], [[0, 1, 2]])  # which has no hull
    world.add("sheet", flat, at(1.0, 0))
    report = world.verify(contacts="earliest", clearances=False)
    assert pair(report, "ball", "sheet").time == pytest.approx(0.9, abs=1e-3)
    assert pair(report, "ball", "wall").verdict is UNDECIDED


def test_what_touches_and_rests_is_told_not_judged() -> None:
    world = passing()
    world.add("d", kc.Sphere(0.1), at(0.5, 0.45))
    report = world.verify()
    assert report.verdict is CLEAR
    (told,) = report.unchecked
    assert (told.a, told.b, told.reason, told.touching) == ("b", "d", "at rest", True)
    assert (told.t_from, told.t_to) == (None, None)
    # So it is in every interval.
    for t0, t1 in ((2.0, 3.0), (0.5, 0.5)):
        later = world.verify(t0, t1)
        assert (later.verdict, later.unchecked) == (CLEAR, report.unchecked)
    # Where nothing ever moves, everything is judged as it stands.
    world.move("a", at(0, 0))
    assert pair(world.verify(2.0, 3.0), "b", "d").verdict is COLLIDING
    assert pair(world.verify(0.5, 0.5), "b", "d").verdict is COLLIDING


def carried(y: float) -> kc.World:
    """A part waits at x = 0.5 m, rides with the slider from 0.5 s to 1.5 s, and rests beside a post at y."""
    world = kc.World()
    world.add_robot("bot", slider(), drive([0, 2], [0, 2]))
    world.add("part", kc.Sphere(0.05), at(0.5, 0, -0.2))
    world.add("post", kc.Sphere(0.05), at(1.5, y, -0.2))
    return world


def test_a_part_that_rides_meets_what_its_parent_frame_passes() -> None:
    world = carried(0.0)
    assert pair(world.verify(tolerance=1e-4), "part", "bot/head").verdict is CLEAR
    assert not [p for p in world.verify(tolerance=1e-4).pairs if {p.a, p.b} == {"part", "post"}]
    world.attach("part", "bot/head", 0.5, 1.5)
    report = world.verify(tolerance=1e-4)
    found = pair(report, "part", "post")
    assert found.verdict is COLLIDING
    assert found.time == pytest.approx(1.4, abs=1e-3)
    assert found.contacts[0].p_W == pytest.approx([1.45, 0, -0.2], abs=1e-3)


def test_the_distance_at_rest_counts_too() -> None:
    """The part is let go 0.02 m from the post; before that, touching the post was allowed."""
    world = carried(0.12)
    world.attach("part", "bot/head", 0.5, 1.5)
    world.allow("part", "post", t_from=0.6, t_to=1.6)
    found = pair(world.verify(tolerance=1e-4), "part", "post")
    assert found.verdict is CLEAR
    assert found.clearance_lower == pytest.approx(0.02, abs=1e-4)
    assert found.clearance_lower <= 0.02 + 1e-12


def test_parts_stretched_by_cubics_are_judged_too() -> None:
    times = np.linspace(0, 1, 7)
    X = np.tile(np.eye(4), (7, 1, 1))
    c, s = np.cos(times), np.sin(times)
    X[:, 0, 0], X[:, 0, 1], X[:, 1, 0], X[:, 1, 1] = c, -s, s, c
    world = kc.World()
    world.add("rod", kc.Box([1.0, 0.1, 0.1]), kc.PoseTrajectory(times, X, "cubic"))
    world.add("ball", kc.Sphere(0.05), at(0, 0.55))
    world.add("rock", kc.Sphere(0.05), at(0.45 * math.cos(0.6), 0.45 * math.sin(0.6)))
    report = world.verify(tolerance=1e-3, contacts="all", curves=5)
    assert pair(report, "rod", "ball").verdict is CLEAR
    assert pair(report, "rod", "rock").verdict is COLLIDING
    assert world.collisions(0.6) == (("rock", "rod"),)
    assert [d.b for d in world.distances(0.61, far=0.1)] == ["rod"]


def test_a_cubic_that_deforms_too_much_is_refused_wherever_it_is() -> None:
    times = np.linspace(0, 1, 4)
    X = np.tile(np.eye(4), (4, 1, 1))
    c, s = np.cos(2.5 * times), np.sin(2.5 * times)
    X[:, 0, 0], X[:, 0, 1], X[:, 1, 0], X[:, 1, 1] = c, -s, s, c
    world = kc.World()
    world.add("rod", kc.Box([0.2] * 3), kc.PoseTrajectory(times, X, "cubic"))
    world.add("ball", kc.Sphere(0.05), at(0, 99))
    with pytest.raises(kc.TrajectoryError, match=r"cubic trajectory of 'rod' .* max_deviation"):
        world.verify()


def test_motions_that_do_not_cover_the_interval() -> None:
    world = passing()
    world.add("d", kc.Sphere(0.1), way([0, 1], (9, 0, 0), (9, 1, 0), hold="before"))
    world.verify(-1.0, 1.0)
    with pytest.raises(kc.TrajectoryError, match=r"^d: .*hold is 'before'"):
        world.verify(0.0, 1.5)


@pytest.mark.parametrize("stage", ["comparing boxes", "checking pairs", "clearances"])
def test_interruptions_claim_nothing_that_was_not_proved(stage: str) -> None:
    def stop(done: int, _: int, text: str) -> None:
        if text == stage and done == 0:
            raise KeyboardInterrupt

    measuring = stage == "clearances"
    report = passing(0.2001 if measuring else 0.12).verify(tolerance=1e-5, progress=stop)
    assert report.interrupted
    found = pair(report, "a", "b")
    assert report.verdict is found.verdict is (CLEAR if measuring else UNDECIDED)
    assert found.clearance_lower <= 1e-4
    assert found.clearance_upper is None


def test_budgets_leave_pairs_open() -> None:
    """Ball a passes b along a diagonal with 0.01 mm between them: boxes overlap, and one distance proves nothing."""
    world = kc.World()
    world.add("a", kc.Sphere(0.1), way([0, 1], (0, 0, 0), (1, 1, 0)))
    side = math.sqrt(0.5) * 0.20001
    world.add("b", kc.Sphere(0.1), at(0.5 + side, 0.5 - side))
    assert world.verify(tolerance=1e-6, clearances=False).verdict is CLEAR
    report = world.verify(tolerance=1e-6, budget=1, clearances=False)
    found = pair(report, "a", "b")
    assert report.verdict is found.verdict is UNDECIDED
    assert 0.0 <= found.t_lo < 0.5 < found.t_hi <= 1.0
    assert found.clearance_lower == 0.0


def test_without_clearances_margins_are_what_is_known() -> None:
    world = passing()
    world.set_margin("a", None, 0.02)
    near, far = sorted(world.verify(clearances=False).pairs, key=lambda p: p.b)
    assert (near.clearance_lower, near.clearance_upper) == (0.02, None)
    assert (far.clearance_lower, far.clearance_upper) == (0.02, None)


def test_the_least_margin_of_all_windows_is_what_is_known() -> None:
    """While it moves at 1 m/s a lag of 0.01 s is kept as a margin; long after it has stopped none is."""
    world = passing()
    world.set_path_tolerance("a", time=0.01)
    found = pair(world.verify(0.0, 3.0, clearances=False), "a", "b")
    assert found.margin == pytest.approx(0.01, rel=1e-6)
    assert found.clearance_lower == 0.0


def test_curves_are_denser_near_the_least_distance() -> None:
    world = kc.World()
    world.add("a", kc.Sphere(0.1), way([0, 1], (-1, 0, 0), (1, 0, 0)))
    world.add("b", kc.Sphere(0.1), at(0.137, 0.21))
    (found,) = world.verify(tolerance=1e-4, curves=11).pairs
    times = np.array(found.curve.times)
    closest = 0.5 * (1 + 0.137)
    gaps = np.diff(times)
    near = np.abs(0.5 * (times[:-1] + times[1:]) - closest) < 0.05
    assert gaps[near].max() <= 0.1 / 8
    assert np.median(gaps[times[1:] < 0.3]) >= 0.1 / 8
    assert min(found.curve.upper) == pytest.approx(0.01, abs=1e-4)


def test_curves_are_bounds_at_all_times() -> None:
    report = passing().verify(tolerance=1e-4, curves=9)
    curve = pair(report, "a", "b").curve
    assert pair(report, "a", "c").curve is None
    times = np.array(curve.times)
    assert (times[0], times[-1]) == (0.0, 1.0)
    true = np.hypot(times - 0.5, 0.25) - 0.2
    assert (np.array(curve.lower) <= true + 1e-12).all()
    assert (np.array(curve.upper) >= true - 1e-12).all()
    for t in np.linspace(0.001, 0.999, 101):
        k = np.searchsorted(times, t, side="right") - 1
        assert curve.lower_between[k] <= math.hypot(t - 0.5, 0.25) - 0.2
    # Close enough to be drawn: within 10 % or 3 mm at these instants.
    ends = np.minimum(true[:-1], true[1:])
    assert (np.array(curve.lower_between) >= ends - np.maximum(0.1 * ends, 3e-3) - 1e-2).all()


def test_curves_between_instants_hold_where_bodies_come_straight_at_each_other() -> None:
    """The ball comes to 0.05 m at 0.5 s and goes back: between instants no bound could be higher."""
    world = kc.World()
    world.add("a", kc.Sphere(0.1), way([0, 0.5, 1], (0, 0, 0), (0.25, 0, 0), (0, 0, 0)))
    world.add("b", kc.Sphere(0.1), at(0.5, 0))
    for n in (2, 4, 7):
        curve = pair(world.verify(curves=n), "a", "b").curve
        for begin, end, lower in zip(curve.times[:-1], curve.times[1:], curve.lower_between, strict=True):
            t = np.linspace(begin, end, 101)
            assert lower <= (0.3 - 0.25 + 0.5 * np.abs(t - 0.5)).min() + 1e-12


def test_curves_pass_changes_of_parent_frames() -> None:
    world = carried(0.2)
    world.attach("part", "bot/head", 0.5, 1.5)
    curve = pair(world.verify(tolerance=1e-4, curves=5, far=2.0), "part", "post").curve
    times = np.array(curve.times)
    assert {0.0, 0.5, 1.5, 2.0} <= set(curve.times)
    true = np.hypot(np.clip(times, 0.5, 1.5) - 1.5, 0.2) - 0.1
    assert (np.array(curve.lower) <= true + 1e-12).all()
    assert (np.array(curve.upper) >= true - 1e-12).all()
    assert len(curve.lower_between) == len(times) - 1


def test_answers_do_not_depend_on_threads_or_order() -> None:
    def made(order: list[str]) -> kc.World:
        world = kc.World()
        for name in order:
            k = int(name[1])
            if name[0] == "s":
                world.add(name, kc.Sphere(0.1), way([0, 1], (0, 0.3 * k, 0), (1, 0.3 * k, 0)))
            else:
                world.add(name, kc.Sphere(0.1), at(0.5, 0.3 * k + 0.19 * (k % 2), 0))
        return world

    names = ["s0", "s1", "s2", "r0", "r1", "r2"]
    one = made(names).verify(tolerance=1e-5, threads=1, contacts="all")
    two = made(names).verify(tolerance=1e-5, threads=2, contacts="all")
    turned = made(names[::-1]).verify(tolerance=1e-5, threads=2, contacts="all")
    assert one.pairs == two.pairs == turned.pairs
    assert one.unchecked == turned.unchecked
    assert {p.verdict for p in one.pairs} == {CLEAR, COLLIDING}
    bounded = made(names).verify(tolerance=1e-5, threads=1, contacts="all", budget=100_000)
    for other in (two, turned, bounded):
        assert other.to_json(effort=False) == one.to_json(effort=False)
    assert one.objects == tuple(sorted(names))
    assert one.far is None


def test_progress_is_told_to_the_end() -> None:
    told: list[tuple[int, int, str]] = []
    owner = threading.get_ident()

    def tell(done: int, total: int, text: str) -> None:
        assert threading.get_ident() == owner
        told.append((done, total, text))

    passing().verify(progress=tell, threads=2)
    assert (1, 1, "clearances") in told
    assert all(0 <= done <= total for done, total, _ in told)


def test_scenes_show_where_everything_is() -> None:
    world = carried(0.2)
    world.attach("part", "bot/head", 0.5, 1.5)
    report = world.verify(tolerance=1e-3, scene=True)
    assert report.scene is not None
    times = np.asarray(report.scene.times)
    bodies = {body.name: np.asarray(body.X_W) for body in report.scene.bodies}
    assert np.allclose(bodies["part"][:, 0, 3], np.clip(times, 0.5, 1.5), atol=1e-14)
    assert np.allclose(bodies["bot/head"][:, 0, 3], times, atol=1e-14)
    assert len(bodies["post"]) == 1
    assert world.verify().scene is None


def test_what_exact_shapes_left_undecided_is_not_clear_when_stopped_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With contacts="earliest" hulls go on after a horizon; Ctrl-C then must not show a pair as proved by them."""
    world = kc.World(threads=1)
    path = kc.PoseTrajectory.from_positions(
        [0, 0.1, 0.2, 1.0], [[-1, 0, 0], [0, 0, 0], [9, 0, 0], [99, 0, 0]]
    )
    world.add("ball", kc.Sphere(0.1), path)
    world.add("first", kc.Box([0.1, 0.1, 1.0]), np.eye(4))
    world.add("second", kc.Box([0.1, 0.1, 1.0]), at(50.0, 0.0, 0.0))
    calls: list[object] = []

    def undecided(checks: pair_check.RowChecks) -> dict[int, pair_check.PairFinding]:
        finding = pair_check.PairFinding(kc.Verdict.UNDECIDED, left=(0.05, 0.15))
        return dict.fromkeys(checks.rows["unit"].tolist(), finding)

    def some_rows(*given: Any) -> object:
        calls.append(given)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return by_start(*given)

    by_start = verify._by_start
    monkeypatch.setattr(pair_check.RowChecks, "findings", undecided)
    monkeypatch.setattr(verify, "_by_start", some_rows)
    report = world.verify(contacts="earliest", clearances=False)
    assert len(calls) == 3
    found = report.pair("ball", "first")
    assert (found.verdict, found.t_lo, found.t_hi) == (kc.Verdict.UNDECIDED, 0.05, 0.15)


@pytest.mark.parametrize("stage", ["comparing boxes", "checking pairs"])
def test_what_ctrl_c_leaves_open_has_no_proved_distance(stage: str) -> None:
    """The balls come within 5 cm of each other; their margin of 10 cm was once reported as their least distance."""
    world = kc.World(threads=1)
    world.add("a", kc.Sphere(0.1), kc.PoseTrajectory.from_positions([0, 1], [[-1, 0, 0], [1, 0, 0]]))
    world.add("b", kc.Sphere(0.1), at(0.0, 0.25, 0.0))
    world.set_margin("a", "b", 0.1)

    def interrupt(_done: int, _total: int, text: str) -> None:
        if text == stage:
            raise KeyboardInterrupt

    report = world.verify(progress=interrupt)
    assert report.interrupted
    assert report.pair("a", "b").verdict is kc.Verdict.UNDECIDED
    assert report.pair("a", "b").clearance_lower == 0.0


@pytest.mark.parametrize(
    ("gap", "detail"),
    [
        (0.0, "they touch, and nothing moves between them"),
        (0.0009, "they are 0.9 mm apart, within the tolerance, and nothing moves between them"),
        (0.004, "they are 4 mm apart, within their margin, and nothing moves between them"),
    ],
)
def test_pairs_at_rest_within_the_tolerance_are_not_said_to_touch(gap: float, detail: str) -> None:
    world = kc.World()
    world.add("a", kc.Box([1, 1, 1]), np.eye(4))
    world.add("b", kc.Box([1, 1, 1]), at(0, 0, 1 + gap))
    world.set_margin("a", "b", 0.005 if gap > 0.001 else 0.0)
    world.add("c", kc.Sphere(0.1), way([0, 1], (5, 0, 0), (5, 0, 1)))
    report = world.verify(tolerance=1e-3)
    (pair,) = report.unchecked
    assert pair.detail == detail
    assert "at rest, touching or within margin and tolerance (1 mm): 'a' - 'b'" in str(report)
