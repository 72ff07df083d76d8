"""Bounds of a world's queries when what they are made of is wrong by as much as is allowed for."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tests.oracles.poses import pose, rotation_of_quaternion
from tests.unit.world.worlds import at, drive, number, scene, slider, timeline, way

import keepclear as kc
from keepclear.motion.motion import MOTION_TABLE
from keepclear.query.moving import samples
from keepclear.scene.distances import ItemDistances, query_distance, query_distances
from keepclear.world.selection.plan import Checked, PairPlan
from keepclear.world.simulate import sampling
from keepclear.world.verify import contacts, curves

WRONG = 2.0**-7
BALL = kc.Sphere(0.1)


def carts(gap: float) -> kc.World:
    """Two balls that move side by side."""
    world = kc.World(threads=1)
    world.add("a", BALL, way([0, 1], (0, 0, 0), (1, 0, 0)))
    world.add("b", BALL, way([0, 1], (0, 0.2 + gap, 0), (2, 0.2 + gap, 0)))
    return world


@pytest.fixture
def slacks(monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    """What poses of each kind of motion may be wrong by, by the name of the class; of others nothing."""
    wrong: dict[str, float] = {}
    assert carts(0.0).distances(0.5)  # the classes of motions are imported, and have rows
    for cls, row in MOTION_TABLE:
        monkeypatch.setitem(
            MOTION_TABLE._rows, cls, replace(row, slack=lambda *_, name=cls.__name__: wrong.get(name, 0.0))
        )
    return wrong


def test_distances_are_wrong_by_the_slack_of_both(slacks: dict[str, float]) -> None:
    slacks["PoseTrajectory"] = WRONG
    found = query_distance(timeline(carts(0.3)), (0, 0), (1, 0), 0.0)
    assert found.lower <= 0.3 - 2.0 * WRONG
    assert found.upper >= 0.3 + 2.0 * WRONG


@pytest.mark.parametrize("wrong", ["Fixed", "PoseTrajectory"])
def test_distances_at_instants_are_wrong_by_the_slack_of_either(slacks: dict[str, float], wrong: str) -> None:
    world = kc.World(threads=1)
    world.add("a", BALL, way([0, 1], (0, 0, 0), (1, 0, 0)))
    world.add("b", BALL, at(0, 0.5))
    line, slacks[wrong] = timeline(world), WRONG
    for i, j in ((0, 1), (1, 0)):
        (one,) = query_distances(line, [((i, 0), (j, 0), 0.0)])
        (lower,), (upper,) = ItemDistances(line, i, j).bounds(np.array([0.0]))
        for low, high in ((one.lower, one.upper), (lower, upper)):
            assert 0.3 - 1.01 * WRONG < low <= 0.3 - WRONG
            assert 0.3 + WRONG <= high < 0.3 + 1.01 * WRONG


def test_distances_of_bodies_that_deform_are_not_below_their_bounds() -> None:
    turns = [rotation_of_quaternion(np.array([np.cos(w), 0.0, 0.0, np.sin(w)])) for w in (0.0, 0.1, 0.2, 0.3)]
    poses = [pose(R, [0.0, 0.0, 0.0]) for R in turns]
    world = kc.World(threads=1)
    world.add("a", PLATE, kc.PoseTrajectory([0.0, 1.0, 2.0, 3.0], poses, "cubic"))
    world.add("b", PLATE, at(0, 0, THICK + 0.25))
    found = query_distance(timeline(world), (0, 0), (1, 0), 1.5)
    assert found.lower <= 0.25 <= found.upper
    assert found.lower <= found.distance <= found.upper


# Steps of a simulation: of two plates, one above the other, tilted so that the boxes around them overlap.

PLATE, THICK = kc.Box([0.6, 0.6, 0.05]), 0.05
TILT = rotation_of_quaternion(
    np.array([np.cos(0.4), np.sin(0.4) / np.sqrt(2.0), np.sin(0.4) / np.sqrt(2.0), 0.0])
)


def tilted(x: float, z: float) -> np.ndarray:
    return pose(TILT, TILT @ [x, 0.0, z])


def sliding(speed: float, z: float) -> kc.PoseTrajectory:
    return kc.PoseTrajectory([0.0, 1.0], [tilted(0.0, z), tilted(speed, z)], "linear")


def plates(gap: float, margin: float = 0.0) -> kc.World:
    world = kc.World(threads=1)
    world.add("a", PLATE, sliding(1.0, 0.0))
    world.add("b", PLATE, sliding(9.0, THICK + gap))
    world.set_margin("a", "b", margin)
    return world


def test_steps_count_margins_and_slacks(slacks: dict[str, float]) -> None:
    for margin, slack in ((0.25, 0.0), (0.0, WRONG), (0.25, WRONG)):
        slacks["PoseTrajectory"] = slack
        for gap, touches in ((margin + 1.98 * slack - 1e-9, True), (margin + 2.02 * slack + 1e-9, False)):
            found = plates(gap, margin).simulate(times=[0.0, 1.0], models="exact", stop=False)
            assert (found.steps[0] is kc.Step.CONTACT) == touches
            assert [pair.margin for pair in found.pairs(0)] == [margin] * touches
            report = found.report()
            assert [pair.margin for pair in report.pairs if pair.verdict is kc.Verdict.COLLIDING] == [
                margin
            ] * touches


@pytest.mark.parametrize("wrong", ["Fixed", "PoseTrajectory"])
def test_steps_count_the_slack_of_either_body(slacks: dict[str, float], wrong: str) -> None:
    slacks[wrong] = WRONG
    for gap, touches in ((0.99 * WRONG, True), (1.01 * WRONG, False)):
        for names in (("a", "b"), ("b", "a")):
            world = kc.World(threads=1)
            world.add(names[0], PLATE, sliding(9.0, 0.0))
            world.add(names[1], PLATE, tilted(0.0, THICK + gap))
            steps = world.simulate(times=[0.0, 1.0], models="exact", stop=False).steps
            assert (steps[0] is kc.Step.CONTACT) == touches


def test_steps_of_sphere_models_count_margins_and_slacks(slacks: dict[str, float]) -> None:
    tree = kc.build_sphere_tree(PLATE, 0.1)
    gap = kc.distance(tree, tilted(0.0, 0.0), tree, tilted(0.0, THICK + 0.3)).lower  # of the covers
    assert gap > 0.01
    for slack in (0.0, WRONG):
        slacks["PoseTrajectory"] = slack
        for margin, touches in ((gap - 1.98 * slack + 1e-9, True), (gap - 2.02 * slack - 1e-9, False)):
            found = plates(0.3, margin).simulate(times=[0.0, 1.0], accuracy=0.1, stop=False)
            assert (found.steps[0] is kc.Step.MAY_TOUCH) == touches
            assert [pair.margin for pair in found.pairs(0)] == [margin] * touches


@pytest.mark.parametrize("wrong", ["Fixed", "LinkMotion"])
def test_steps_count_the_slack_of_each_parent_frame(slacks: dict[str, float], wrong: str) -> None:
    world = kc.World(threads=1)
    world.add_robot("bot", slider(), drive([0, 2], [0, 2]))
    world.add("part", BALL, at(0, 1))
    world.attach("part", "bot/head", 1.0)
    here = scene(world)
    line, g = here.timeline, here.bodies_of(number(here, "part"))[0]
    kinds = {type(line.motion(number(here, "part"), 0, k)).__name__ for k in range(2)}
    assert wrong in kinds
    assert len(kinds) == 2
    slacks[wrong] = WRONG
    assert sampling.Block(here, np.array([0.0, 2.0])).placed(g).slack == WRONG


def test_steps_of_bodies_that_deform_count_margins() -> None:
    turns = [rotation_of_quaternion(np.array([np.cos(w), 0.0, 0.0, np.sin(w)])) for w in (0.0, 0.1, 0.2, 0.3)]
    poses = [pose(TILT @ R, TILT @ [9.0 * k, 0.0, 0.0]) for k, R in enumerate(turns)]
    for gap, touches in ((0.24, True), (0.26, False)):
        world = kc.World(threads=1)
        world.add("a", PLATE, kc.PoseTrajectory([0.0, 1.0, 2.0, 3.0], poses, "cubic"))
        world.add("b", PLATE, tilted(0.0, THICK + gap))
        world.set_margin("a", "b", 0.25)
        steps = world.simulate(times=[0.0, 1.0], models="exact", stop=False).steps
        assert (steps[0] is kc.Step.CONTACT) == touches


@pytest.mark.parametrize("order", [1, -1])
def test_the_worst_finding_of_a_pair_is_kept(order: int) -> None:
    def kept(*some: sampling.Found) -> sampling.Found:
        found: dict[int, sampling.Found] = {}
        for one in some[::order]:
            sampling.Stepping._keep(None, found, 0, one)  # type: ignore[arg-type]
        return found[0]

    contact = sampling.Found(sampling.CONTACT, 0.5, 0.0, (0, 1), None)
    near, far = (sampling.Found(sampling.MAY_TOUCH, gap, 0.0, (0, 1), None) for gap in (0.1, 0.3))
    assert kept(contact, near) is contact
    assert kept(near, far) is near


@pytest.mark.parametrize("seed", range(20))
def test_bodies_that_touch_far_away_are_near(seed: int) -> None:
    rng = np.random.default_rng(seed)
    center, half = rng.normal(size=(1, 3)) * 1e6, rng.uniform(0.1, 1.0, (1, 3))
    away = center + np.array([2.0 * half[0, 0], 0.0, 0.0])
    limit = float(max(Fraction(0), Fraction(away[0, 0]) - Fraction(center[0, 0]) - 2 * Fraction(half[0, 0])))
    one, other = (
        sampling.Placed(np.eye(4)[None], np.eye(4)[None], 0.0, False, c * (1.0 + e), half, 9.0)
        for c, e in ((center, -(2.0**-52)), (away, 2.0**-52))  # centres are rounded
    )
    assert sampling._near(one, other, np.arange(1), limit).all()


# Curves.


def cart_query(gap: float = 0.3) -> Any:
    line = timeline(carts(gap))
    rows = curves.part_rows(line, 0, 1, [(0.0, 1.0, 0.0)])
    return curves.row_query(rows, 0, line, 1e-3, None, (0.0, 1.0))[0]


def sampled(query: Any) -> samples.PairSamples:
    return samples.PairSamples([samples.Sampled(query.body_a, query.motion_a, query.body_b, query.motion_b)])


def test_curves_are_wrong_by_the_rounding_of_poses(monkeypatch: pytest.MonkeyPatch) -> None:
    query, times = cart_query(), np.array([0.0, 1e-3])
    (rows,) = sampled(query).rows([times])
    monkeypatch.setattr(curves.layout, "POSE_ROUNDING", WRONG / query.size)
    found = curves._more(query, curves._NOTHING, times, rows, np.zeros(1))
    assert 0.3 - 1.01 * WRONG < found.lower[0] <= 0.3 - WRONG
    assert 0.3 + WRONG <= found.upper[0] < 0.3 + 1.01 * WRONG


def test_path_lengths_of_curves_contain_the_rounding_of_each_step(monkeypatch: pytest.MonkeyPatch) -> None:
    query = cart_query()
    monkeypatch.setattr(samples, "STEP_ROUNDING", WRONG / query.size)
    ((found,),) = sampled(query).path_lengths([np.array([0.0, 1.0])], [query.size])
    assert 1.0 + WRONG <= found < 1.1


def test_path_lengths_of_curves_are_not_rounded_down(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    query, given = cart_query(), 1e9 * rng.uniform(size=64)

    def planted(*arguments: Any) -> None:
        out, times = arguments[-1], arguments[-3]
        out.reshape(-1, 3)[:-1, 0] = given[: len(times) - 1]

    monkeypatch.setattr(samples.kernels, "pair_path_lengths", planted)
    packed, pair = SimpleNamespace(knots=np.arange(65.0)), sampled(query)
    pair.pairs = [SimpleNamespace(motion_a=packed, motion_b=packed, body_b=query.body_b)]  # type: ignore[list-item]
    for n in range(1, 65):
        (found,) = pair.path_lengths([np.array([0.0, float(n)])], [0.0])
        assert Fraction(float(found[0])) >= sum(Fraction(float(v)) for v in given[:n])


def test_at_a_common_instant_the_wider_bounds_count() -> None:
    def bounds(lower: list[float], upper: list[float], start: float) -> curves._Bounds:
        return curves._Bounds(start + np.arange(2.0), np.array(lower), np.array(upper), np.zeros(1))

    for a, b in (((0.2, 0.3), (0.1, 0.4)), ((0.1, 0.4), (0.2, 0.3))):
        found = curves._joined([bounds([0.0, a[0]], [1.0, a[1]], 0.0), bounds([b[0], 0.0], [b[1], 1.0], 1.0)])
        assert found.lower == (0.0, 0.1, 0.0)
        assert found.upper == (1.0, 0.4, 1.0)


# Reports.


def test_the_least_distance_of_several_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [
        SimpleNamespace(lower=low, upper=up, effort=1) for low, up in ((0.5, 0.9), (0.2, 0.8), (0.4, 1.0))
    ]
    given = iter(answers)
    monkeypatch.setattr(contacts, "least_below", lambda *_: next(given))
    plan = PairPlan(0, 1, [Checked(0.3 * k, 0.3 * k + 0.2, 0.0) for k in range(3)], [])
    samples, task = SimpleNamespace(timeline=timeline(carts(0.3)), queries=0), SimpleNamespace(tolerance=1e-3)
    found = contacts._least_between(0.0, 1.0, 2.0, 0.0, plan, samples, task)  # type: ignore[arg-type]
    assert found == (0.2, 0.8)
    nothing = contacts._least_between(7.0, 8.0, 2.0, 0.0, plan, samples, task)  # type: ignore[arg-type]
    assert nothing == (2.0, 2.0)


def test_a_contact_right_after_a_permission_says_so() -> None:
    t = math.nextafter(1.0, 2.0)
    contact = SimpleNamespace(time=t, t_lo=1.0, t_hi=t, p_W=(0, 0, 0), normal_W=(0, 0, 1))
    finding = SimpleNamespace(contact=contact, in_world=lambda: (np.zeros(3), np.array([0.0, 0.0, 1.0])))
    plan = PairPlan(0, 1, [], [])
    plan.permitted = (0.5, 1.0, t)
    assert contacts.contact_of(finding, plan).permission_end == 1.0  # type: ignore[arg-type]


def test_distances_leave_out_who_touches_and_has_not_moved_yet() -> None:
    def world_of(gap: float) -> kc.World:
        world = kc.World(threads=1)
        world.add("wall", BALL, at(0, 0))
        world.add("cart", BALL, way([0, 1, 2], (0, 0.2 + gap, 0), (0, 0.2 + gap, 0), (0, 3, 0)))
        world.set_margin("wall", "cart", 0.25)
        return world

    for gap, is_listed in ((0.24, True), (0.26, False), (-0.01, True)):
        world = world_of(gap)
        assert len(world.distances(0.5)) == 1
        assert len(world.distances(0.5, at_rest=False)) == (0 if is_listed else 1)


def test_who_rests_within_the_margin_is_listed() -> None:
    for gap, is_listed in ((0.24, True), (0.26, False)):
        world = carts(5.0)
        world.add("wall", BALL, at(0, 0, 9))
        world.add("post", BALL, at(0, 0.2 + gap, 9))
        world.set_margin("wall", "post", 0.25)
        report = world.verify(t0=0.0, t1=1.0, tolerance=1e-3)
        named = [{one.a, one.b} for one in report.unchecked if one.reason == "at rest"]
        assert ({"wall", "post"} in named) == is_listed
