"""The least distance of moving bodies and its profile over time: bounds hold, are close, and are reached."""

import math

import numpy as np
import pytest
from tests.oracles import mesh_bodies as make
from tests.oracles.clearance_check import faults
from tests.oracles.contact_time import Encounter
from tests.oracles.contact_time_check import told
from tests.oracles.exact_points import box, sphere
from tests.oracles.motion_bodies import Thing
from tests.oracles.motion_families import SHAPES, planted_impact, planted_miss
from tests.oracles.motion_poses import fixed, library_motion, move, turn
from tests.oracles.motion_scenes import HERE, shift
from tests.oracles.poses import pose

import keepclear as kc

KINDS = ("screw", "linear", "cubic")


def clearance_of(case: Encounter, **options):
    motions = library_motion(case.move_a), library_motion(case.move_b)
    return kc.clearance(case.a.library(), motions[0], case.b.library(), motions[1], **options)


def profile_faults(case: Encounter, answer, times):
    """Bounds at the times, and the lower ones between them against distances in between."""
    profile = answer.profile(times)
    assert np.array_equal(profile.times, times)
    lower, upper = case.distances(times)
    if np.any(profile.lower > upper) or np.any(profile.upper < lower):
        yield f"bounds at times miss the distances: {profile.lower - upper}, {lower - profile.upper}"
    between = np.linspace(times[:-1], times[1:], 5).T
    reached = case.distances(between.ravel())[1].reshape(between.shape).min(axis=1)
    if np.any(profile.lower_between > reached):
        yield f"lower_between is too high: {profile.lower_between - reached}"
    if np.any(profile.lower_between < 0.0) or profile.lower_between.shape != (len(times) - 1,):
        yield f"lower_between is {profile.lower_between}"


@pytest.mark.parametrize("a", SHAPES)
def test_bounds_hold_and_are_close(a):
    for place, b in list(enumerate(SHAPES))[list(SHAPES).index(a) % 3 :: 3]:
        rng = np.random.default_rng([list(SHAPES).index(a), place, 31])
        kind, gap = KINDS[(place + len(a)) % 3], float(10.0 ** rng.uniform(-3, 0))
        case = planted_miss(rng, SHAPES[a](rng, 1.0), SHAPES[b](rng, 1.0), kind, gap).case
        tolerance = float(10.0 ** rng.uniform(-5, -2))
        answer = clearance_of(case, tolerance=tolerance)
        wrong = [*faults(case, answer, tolerance)]
        if not answer.lower <= gap + 1e-12:
            wrong.append(f"lower is more than the planted {gap!r}")
        if not answer.upper >= gap - 1e-12:
            wrong.append(f"upper is less than the planted {gap!r}")
        wrong += profile_faults(case, answer, np.linspace(*case.span, 9))
        assert not wrong, told(case, wrong, answer, gap)


def test_contact_is_no_distance():
    for seed in range(10):
        rng = np.random.default_rng([seed, 32])
        names = list(SHAPES)
        a, b = (SHAPES[names[int(k)]](rng, 1.0) for k in rng.integers(len(names), size=2))
        case, truth, *_ = planted_impact(rng, a, b, KINDS[seed % 3])
        answer = clearance_of(case)
        assert answer.lower <= 0.0 <= answer.upper <= 1e-4
        assert case.distance(answer.time)[0] <= answer.upper
        times = np.linspace(case.span[0], truth.clear_until, 5)
        assert not list(profile_faults(case, answer, times))


def test_at_rest_and_at_a_constant_distance():
    """Rest is one instant; two bodies on one screw, or one that turns on the spot, keep their distance."""
    cube, ball = Thing(box((1, 1, 1))), Thing(sphere(0.5))
    for x, expected in ((2.0, 1.0), (1.0, 0.0), (0.5, 0.0)):
        answer = clearance_of(Encounter(cube, fixed(HERE), cube, fixed(shift(x, 0, 0))))
        assert answer.lower <= expected <= answer.upper
        assert answer.upper - answer.lower <= 1e-4
    twist = pose(turn((1, -2, 3), 2.8), (3.0, -1.0, 2.0))
    for a, b in ((cube, cube), (Thing(make.star(0.5)), ball)):
        moves = [move("screw", [0, 1], [X, twist @ X]) for X in (HERE, shift(3.0, 0.2, 0.1))]
        case = Encounter(a, moves[0], b, moves[1])
        lower, upper = case.distance(0.0)
        answer = clearance_of(case, tolerance=1e-6)
        assert answer.lower <= upper
        assert answer.upper >= lower
        assert answer.upper - answer.lower <= 1e-6
    spinning = move("linear", [0, 1], [shift(0, 0, 2), pose(turn((0, 0, 1), 3.0), (0, 0, 2))])
    answer = clearance_of(Encounter(cube, spinning, Thing(box((4, 4, 1))), fixed(HERE)), tolerance=1e-6)
    assert answer.lower <= 1.0 <= answer.upper
    assert answer.upper - answer.lower <= 1e-6


def test_a_budget_leaves_wider_bounds_that_hold():
    rng = np.random.default_rng(33)
    case = planted_miss(rng, SHAPES["box"](rng, 1.0), SHAPES["convex"](rng, 1.0), "screw", 1e-3).case
    widths = []
    for budget in (1, 4, 16, None):
        answer = clearance_of(case, tolerance=1e-7, budget=budget)
        assert answer.lower <= 1e-3 + 1e-12
        assert answer.upper >= 1e-3 - 1e-12
        widths.append(answer.upper - answer.lower)
    assert widths[0] > 1e-7 >= widths[-1]


def test_a_part_of_the_time():
    way = move("linear", [0, 2], [shift(-2, 0, 2), shift(2, 0, 2)])
    ball = Thing(sphere(0.5))
    for t0, t1, nearest in (
        (0.0, 2.0, 1.0),
        (1.5, 2.0, math.sqrt(5.0) - 1),
        (0.0, 0.25, math.hypot(1.5, 2) - 1),
    ):
        case = Encounter(ball, way, ball, fixed(HERE), t0=t0, t1=t1)
        answer = clearance_of(case, t0=t0, t1=t1, tolerance=1e-8)
        assert answer.lower <= nearest + 1e-12
        assert answer.upper >= nearest - 1e-12
        assert answer.upper - answer.lower <= 1e-8
