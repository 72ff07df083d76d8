"""Bodies that move far within a few float64 ticks of time, or at large absolute times.

The path length of a step between two neighbouring times was taken from the segment at its rounded middle, which may be
the end of the step, where the body rests: 5 to 40 of 80 walls in the way of a ball were CLEAR. The others were
UNDECIDED, because such a step cannot be halved. Now the segment is that of the start, and the question is asked again
in the segment's own time.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

import keepclear as kc

BALL = kc.Sphere(0.05)
HULL = kc.Convex(0.05 * np.array(list(itertools.product([-1, 1], repeat=3))))
CUBE = kc.Mesh(HULL.vertices, HULL.faces)
WALL = kc.Box([0.02, 2.0, 2.0])
WALLS = np.linspace(-0.95, 0.95, 20)
GRIDS = {
    "four ticks": ([1.0, 1.0 + 2.0**-50], [-1, 1]),
    "one tick": ([1.0, 1.0 + 2.0**-52], [-1, 1]),
    "one odd tick": ([1.0 + 2.0**-52, 1.0 + 2.0**-51], [-1, 1]),
    "two ticks in the middle": ([0, 1, 1 + 2.0**-51, 2], [-1, -1, 1, 1]),
    "sixteen ticks in the middle": ([0, 1, 1 + 2.0**-48, 2], [-1, -1, 1, 1]),
    "a microsecond at 1e9 s": ([1e9, 1e9 + 1e-6], [-1, 1]),
    "a millisecond of Unix time": ([1.7e9, 1.7e9 + 1e-3], [-1, 1]),
    "before time zero": ([-1.0 - 2.0**-51, -1.0], [-1, 1]),
}


def at(x: float) -> np.ndarray:
    X = np.eye(4)
    X[0, 3] = x
    return X


def motion(grid: str, interpolation: str = "linear") -> kc.PoseTrajectory:
    times, xs = GRIDS[grid]
    return kc.PoseTrajectory(times, np.array([at(x) for x in xs]), interpolation)


@pytest.mark.parametrize("grid", GRIDS)
@pytest.mark.parametrize(
    ("body", "method"),
    [(BALL, "hybrid"), (BALL, "bisection"), (CUBE, "hybrid"), (CUBE, "bisection"), (CUBE, "exact")],
)
def test_no_wall_is_crossed_unseen(grid, body, method):
    moving, (times, _) = motion(grid), GRIDS[grid]
    for x in WALLS:
        k = kc.first_contact(body, moving, WALL, at(x), 1e-6, method=method)
        assert k.verdict is kc.Verdict.COLLIDING
        assert times[0] <= k.t_lo <= k.time <= k.t_hi <= times[-1]
        assert k.distance <= 1e-6
        # The poses are those of the contact itself, also where no float64 time is that instant.
        gap = kc.distance(body, k.X_WA, WALL, k.X_WB).distance
        assert gap <= 1.1e-6


@pytest.mark.parametrize("grid", GRIDS)
def test_batches_and_worlds_see_them_too(grid):
    moving = motion(grid)
    batch = kc.first_contact_batch([(BALL, moving, WALL, at(x)) for x in WALLS])
    assert (batch.verdict == kc.Verdict.COLLIDING).all()
    for x in WALLS[::3]:
        world = kc.World()
        world.add("ball", BALL, moving)
        world.add("wall", WALL, at(x))
        report = world.verify()
        assert report.verdict is kc.Verdict.COLLIDING
        assert report.pairs[0].clearance_lower == 0.0
        assert world.first_contact("ball", "wall").verdict is kc.Verdict.COLLIDING


@pytest.mark.parametrize("grid", GRIDS)
@pytest.mark.parametrize("body", [BALL, CUBE], ids=["ball", "mesh"])
def test_clearances_hold(grid, body):
    moving = motion(grid)
    for x in WALLS[::4]:
        m = kc.clearance(body, moving, WALL, at(x), 1e-6)
        assert m.lower == 0.0
        assert m.upper <= 1e-6
    aside = at(0.3)
    aside[1, 3] = 1.2
    m = kc.clearance(body, moving, WALL, aside, 1e-6)  # passes 0.15 m beside the wall
    assert m.lower <= 0.15 <= m.upper
    assert m.upper - m.lower <= 1e-6
    assert np.linalg.norm(m.p_WA - m.p_WB) == pytest.approx(0.15, abs=1e-6)
    assert kc.first_contact(body, moving, WALL, aside, 1e-6).verdict is kc.Verdict.CLEAR
    assert kc.first_contact(body, moving, WALL, aside, 1e-6, 0.1501).verdict is kc.Verdict.COLLIDING


@pytest.mark.parametrize("interpolation", ["screw", "linear"])
def test_half_a_turn_in_one_tick(interpolation):
    """A rod turns half around its end; a post stands where neither of its two known poses is."""
    X = np.tile(np.eye(4), (2, 1, 1))
    a = np.pi * 0.9
    X[1, :2, :2] = [[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]
    turning = kc.PoseTrajectory([1.0, 1.0 + 2.0**-52], X, interpolation)
    rod = [[x, y, z] for x in (0.1, 1.0) for y in (-0.01, 0.01) for z in (-0.01, 0.01)]
    for angle in np.linspace(0.3, 2.5, 7):
        post = np.eye(4)
        post[:2, 3] = 0.7 * np.cos(angle), 0.7 * np.sin(angle)
        k = kc.first_contact(kc.Convex(rod), turning, kc.Sphere(0.02), post, 1e-6)
        assert k.verdict is kc.Verdict.COLLIDING
        # The rod's upper face touches the ball when it is the half width and the radius away from its centre.
        expected = angle - np.arcsin((0.01 + 0.02) / 0.7)
        assert np.arctan2(k.X_WA[1, 0], k.X_WA[0, 0]) == pytest.approx(expected, abs=1e-5)


def test_an_instant_is_not_the_tick_after_it():
    """At 1 s the ball is in front of the wall, and 2 ** -52 s later behind it: neither is contact."""
    moving, wall = motion("one tick"), at(0.2)
    for t in (1.0, 1.0 + 2.0**-52):
        assert kc.first_contact(BALL, moving, WALL, wall, t0=t, t1=t).verdict is kc.Verdict.CLEAR
        batch = kc.first_contact_batch([(BALL, moving, WALL, wall)], t0=t, t1=t)
        assert batch.verdict[0] is kc.Verdict.CLEAR
    inside = kc.first_contact(BALL, moving, WALL, at(-1.0), t0=1.0, t1=1.0)
    assert inside.verdict is kc.Verdict.COLLIDING
    assert inside.time == 1.0


def test_a_budget_still_ends_the_search():
    found = [kc.first_contact(BALL, motion("one tick"), WALL, at(0.2), 1e-6, budget=n) for n in (1, 2, 3, 50)]
    for k in found:
        assert k.verdict is not kc.Verdict.CLEAR
        assert 1.0 <= k.t_lo <= k.t_hi <= 1.0 + 2.0**-52
    assert found[-1].verdict is kc.Verdict.COLLIDING


def test_equal_bounds_of_clearances_are_ordered():
    """Ties in the heap of intervals compared results with each other: TypeError or ValueError."""
    moving = kc.PoseTrajectory([1e9, 1e9 + 1e-6], np.array([at(-1), at(1)]), "linear")
    for x in WALLS:
        m = kc.clearance(BALL, moving, WALL, at(x))
        assert m.lower == 0.0


def test_bounds_of_travel_hold_over_one_tick():
    """The time since the segment's start rounded to the same number at both ends: both bounds were 0."""
    moving = kc.PoseTrajectory([-1.0, 1.0], [at(-1), at(1)], "linear")
    begin, end = math.nextafter(0.1, 0.0), 0.1
    assert moving.path_length(BALL, begin, end) >= end - begin
    assert moving.displacement(BALL, begin, end) >= end - begin


def test_exact_times_are_next_to_the_contact():
    """`time` was two ticks of 1.5e-5 s before the contact, and 1.8e-4 m from it, at a tolerance of 1e-9 m."""
    box, t = kc.Box([1, 1, 1]), [-1e11, -1e11 + 1]
    a = kc.PoseTrajectory(t, [at(0), at(10)], "linear")
    b = kc.PoseTrajectory([-64, -63], [at(8), at(11)], "linear")
    k = kc.first_contact(box, a, box, b, tolerance=1e-9, method="exact", t0=t[0])
    assert k.t_lo <= k.time <= k.t_hi
    assert abs((k.time + 1e11) - 0.7) <= math.ulp(1e11)
    assert k.X_WA[0, 3] == pytest.approx(7.0, abs=1e-9)


def test_worlds_look_at_cubics_far_out():
    """An error about a tolerance that was not given."""
    world = kc.World()
    world.add("a", BALL, kc.PoseTrajectory([0, 1, 2, 3], [at(2e6 + k) for k in range(4)], "cubic"))
    world.add("b", BALL, at(0))
    assert world.collisions(0.0) == ()
    assert world.distances(0.0)[0].lower == pytest.approx(2e6 - 0.1, abs=1e-5)


def test_times_that_are_too_large_are_refused():
    world = kc.World()
    world.add("ball", BALL, at(0))
    for call in (world.verify, lambda **times: kc.clearance(BALL, at(0), WALL, at(1), **times)):
        with pytest.raises(kc.ArgumentError, match=r"t0 = -1.7e\+308 s is beyond the largest time, 1e\+20 s"):
            call(t0=-1.7e308, t1=1.7e308)


@pytest.mark.parametrize("x", WALLS)
@pytest.mark.parametrize("xs", [[-1, 1], [-1, 1, -1], [-1, 1, 1], [1, 1, -1, -1], [-1, 1, -1, 1]])
def test_contacts_between_neighbouring_times_are_within_the_contacts_of_the_list(xs, x):
    """A contact ended at the earlier of two neighbouring times, before the instant at which the ball is in the wall."""
    times = [1.0 + k * 2.0**-52 for k in range(len(xs))]
    world = kc.World()
    world.add("ball", BALL, kc.PoseTrajectory(times, np.array([at(x) for x in xs]), "linear"))
    world.add("wall", WALL, at(x))
    (pair,) = world.verify(contacts="all").pairs
    listed = [(Fraction(k.t_lo), Fraction(times[-1] if k.t_end is None else k.t_end)) for k in pair.contacts]
    for (s, begin), (e, end) in itertools.pairwise(zip(map(Fraction, times), xs, strict=True)):
        if begin != end:
            t = s + (Fraction(x) - begin) / (end - begin) * (e - s)
            assert any(t_lo <= t <= t_end for t_lo, t_end in listed), (float(t - s), listed)
