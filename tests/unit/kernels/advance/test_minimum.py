"""Least distances of two moving convex bodies: known by hand, against dense samples, their cost, pauses and digits."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from tests.oracles.poses import pose, random_rotation, small_rotation
from tests.unit.kernels.advance.swept_runs import Run, shift, turn, way

import keepclear as kc

REST = np.eye(4)
SHARP = 1e-11  # what rounding may cost in scenes of some metres [m]
BALL, BOX = kc.Sphere(0.1), kc.Box([0.2, 0.2, 0.2])
WALL = kc.Box([0.2, 2.0, 2.0])
SPEAR = kc.Convex([[0, 0, 0], [0, 0, 1.0], [0.01, 0, 0], [0, 0.01, 0]])


def check(run: Run, true: float, tolerance: float, end: float = 1.0) -> None:
    """The truth is between both bounds, and these are as close as was asked for."""
    assert (run.proved, run.now) == (True, end)
    assert run.lower <= true + SHARP
    assert true - SHARP <= run.distance
    assert run.distance - run.lower <= tolerance


@pytest.mark.parametrize(("gap", "tolerance"), [(0.5, 1e-2), (1e-2, 1e-3)])
@pytest.mark.parametrize("body", [BALL, BOX, kc.Cylinder(0.1, 0.2)], ids=repr)
def test_the_least_distance(body: Any, gap: float, tolerance: float) -> None:
    """Past a wall whose edge is `gap` away at the middle of the way."""
    motion = way(shift(0.2 + gap, -0.3), shift(0.2 + gap, 0.4))
    run = Run(WALL, REST, body, motion, least=True, tolerance=tolerance).finish()
    check(run, gap, tolerance)
    passing = way(shift(-gap, 0.2 + gap), shift(gap, 0.2 + gap))
    run = Run(BALL, REST, BALL, passing, least=True, tolerance=tolerance).finish()
    check(run, gap, tolerance)
    assert run.distance == pytest.approx(math.hypot((2 * run.time - 1) * gap, 0.2 + gap) - 0.2, abs=SHARP)


def test_a_least_distance_within_the_tolerance_ends_the_search() -> None:
    run = Run(WALL, REST, BALL, way(shift(1), shift(0)), least=True, tolerance=0.1)
    run.go()
    assert run.proved
    assert 0.0 <= run.distance <= 0.1
    assert run.lower == 0.0


def test_a_distance_that_stays_is_proved_in_one_step() -> None:
    """A ball on a circle around another, and a box that turns above a plate: nothing but the direction changes."""
    orbit = way(shift(0.5), turn(2, 1.0) @ shift(0.5), kind="screw")
    run = Run(BALL, REST, BALL, orbit, least=True, tolerance=1e-3).finish()
    check(run, 0.3, 1e-3)
    assert run.evaluations <= 3
    spin = way(shift(0, 0, 0.4), shift(0, 0, 0.4) @ turn(2, 1.0))
    run = Run(kc.Box([2, 2, 0.2]), REST, BOX, spin, least=True, tolerance=1e-4).finish()
    check(run, 0.2, 1e-4)
    assert run.evaluations <= 3


def test_more_digits_cost_few_more_distances() -> None:
    motion = way(shift(-1, 0.3), turn(0, 1.0) @ shift(1.2, 0.35))
    counts = [
        Run(BOX, REST, BOX, motion, least=True, tolerance=10.0**-n).finish().evaluations for n in (3, 6, 9)
    ]
    assert counts[2] <= 4 * counts[0]


def test_the_least_of_many_segments() -> None:
    """Towards a wall and back eight times; the hint is where it comes closest."""
    depths = [0.9, 0.6, 0.7, 0.31, 0.8, 0.5, 0.45, 0.6]
    poses = [shift(x) for depth in depths for x in (2.0, depth)]
    motion = way(*poses)
    for hint in (math.nan, 7.0, 2.5):
        run = Run(WALL, REST, BALL, motion, least=True, end=15.0)
        run.rows["hint"] = hint
        check(run.finish(), 0.11, 1e-4, 15.0)
        assert run.time == pytest.approx(7.0, abs=1e-3)


def test_what_is_known_already_is_kept() -> None:
    """A distance that is given and not undercut by more than the tolerance stays; so does its time."""
    run = Run(WALL, REST, BALL, way(shift(1.2), shift(1)), least=True)
    run.rows["distance"], run.rows["time"] = 0.80005, 0.25
    run.finish()
    assert (run.proved, run.distance, run.time) == (True, 0.80005, 0.25)
    assert 0.8 - 5e-5 - SHARP <= run.lower <= 0.8


@pytest.mark.parametrize("limit", [150, 400])
def test_pauses_do_not_change_what_is_answered(limit: int) -> None:
    """A box turns close to a wall through many segments; two distances do not prove any of them."""
    poses = [shift(0.4, 0.01 * k) @ turn(2, 0.3 * k) for k in range(20)]
    whole, pieces = (
        Run(WALL, REST, BOX, way(*poses), least=True, tolerance=1e-8, end=19.0) for _ in range(2)
    )
    whole.finish()
    pauses, before = 0, -math.inf
    while not pieces.go(limit if pauses else 2):
        assert before <= pieces.now
        before, pauses = pieces.now, pauses + 1
    assert pauses >= 1
    assert whole.proved
    assert pieces.proved
    assert pieces.distance == pytest.approx(whole.distance, abs=1e-8)


KINDS = ("fixed", "screw", "linear", "cubic")


def _motion(rng: np.random.Generator, kind: str, far: float) -> Any:
    first = pose(random_rotation(rng), far * rng.normal(size=3))
    if kind == "fixed":
        return kc.Fixed(first)
    poses, angle = [first], 0.05 if kind == "cubic" else 0.8
    for _ in range(3):
        R, step = small_rotation(rng, angle), 0.3 * rng.normal(size=3)
        poses.append(pose(R @ poses[-1][:3, :3], poses[-1][:3, 3] + step))
    return kc.PoseTrajectory([0.0, 1 / 3, 2 / 3, 1.0], poses, kind)


@pytest.mark.parametrize("kind_a", KINDS[:3])
@pytest.mark.parametrize("kind_b", KINDS[1:])
def test_no_sample_is_closer_than_the_lower_bound(kind_a: str, kind_b: str) -> None:
    """Random bodies on random motions; a cubic one is sampled as it is. A is rigid, as in every question."""
    rng = np.random.default_rng([KINDS.index(kind_a), KINDS.index(kind_b), 77])
    for _ in range(6):
        a, b = (kc.Convex(rng.normal(size=(6, 3)) * 0.2) for _ in range(2))
        motions = _motion(rng, kind_a, 0.7), _motion(rng, kind_b, 0.7)
        tolerance = float(10.0 ** rng.uniform(-5, -2))
        run = Run(a, motions[0], b, motions[1], least=True, tolerance=tolerance).finish()
        assert (run.proved, run.now) == (True, 1.0)
        assert 0.0 <= run.distance - run.lower <= tolerance
        times = np.unique(np.clip([*np.linspace(0, 1, 41), *(run.time + np.linspace(-0.02, 0.02, 9))], 0, 1))
        for t in times:
            points = [
                m.pose(t)[:3, :3] @ s.vertices.T + m.pose(t)[:3, 3:]
                for m, s in zip(motions, (a, b), strict=True)
            ]
            sampled = kc.distance(kc.Convex(points[0].T), REST, kc.Convex(points[1].T), REST)
            assert run.lower <= max(sampled.upper, 0.0) + SHARP
            if t == run.time:
                assert run.distance >= sampled.lower - SHARP
