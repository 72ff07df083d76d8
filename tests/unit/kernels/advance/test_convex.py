"""Two moving convex bodies: first contacts known by hand, pauses, knots, and kept directions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from tests.unit.kernels.advance.swept_runs import Run, shift, turn, way

import keepclear as kc

REST = np.eye(4)
BOX = kc.Box([0.2, 0.4, 0.6])
WALL = kc.Box([0.2, 2.0, 2.0])
BALL = kc.Sphere(0.1)
SPEAR = kc.Convex([[0, 0, 0], [1, 0.1, 0], [1, -0.1, 0.1], [1, 0, -0.1]])
SHARP = 1e-11  # what rounding may cost in scenes of some metres [m]


def pebble() -> kc.Convex:
    """A hull of 60 vertices, so many that they are found by walking; the lowest is at (0.1, 0.2, -1)."""
    rng = np.random.default_rng(5)
    points = rng.normal(size=(60, 3))
    points /= np.linalg.norm(points, axis=1)[:, None]
    points[:, 2] *= 0.9
    points[0] = 0.1, 0.2, -1.0
    return kc.Convex(points)


PEBBLE = pebble()

# Each reaches down to -depth below its origin when it is not turned.
BODIES: dict[str, tuple[Any, float]] = {
    "sphere": (BALL, 0.1),
    "box": (BOX, 0.3),
    "capsule": (kc.Capsule(0.1, 0.4), 0.3),
    "cylinder": (kc.Cylinder(0.2, 0.4), 0.2),
    "spear": (SPEAR, 0.1),
    "pebble": (PEBBLE, 1.0),
    "point": (kc.Convex([[0, 0, 0]]), 0.0),
}
FLOOR = kc.Box([4.0, 4.0, 1.0])


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("name", BODIES)
def test_each_body_falls_on_the_floor(name: str, swap: bool) -> None:
    """From 1 m above it at 2 m/s; with a margin of 10 cm it is 50 ms earlier."""
    body, depth = BODIES[name]
    falling = way(shift(0.2, 0.1, 1.5 + depth), shift(0.2, 0.1, -0.5 + depth))
    for margin, when in ((0.0, 0.5), (0.1, 0.45)):
        pair = (body, falling, FLOOR, REST) if swap else (FLOOR, REST, body, falling)
        run = Run(*pair, margin=margin).finish()
        assert run.proved
        assert when - SHARP <= run.time == run.now <= when
        assert margin <= run.distance <= margin + SHARP
        if margin == 0.0 and name == "point":  # has no inside to be in
            continue
        assert when <= run.certain <= when + SHARP
    before = way(shift(0.2, 0.1, 1.5 + depth), shift(0.2, 0.1, 0.5 + depth + 1e-9))
    clear = Run(FLOOR, REST, body, before, tolerance=1e-11).finish()
    assert (clear.time, clear.now, clear.proved) == (math.inf, 1.0, True)


@pytest.mark.parametrize("kind", ["screw", "linear"])
@pytest.mark.parametrize("angle", [0.5, 2.0, 3.0])
def test_a_spear_turns_onto_a_ball(angle: float, kind: str) -> None:
    """A needle of 1 m turns about z; a ball of 10 cm, 80 cm off, is met at asin(1/8) before its centre."""
    needle = kc.Convex([[0, 0, 0], [1, 0, 0]])
    at = turn(2, 0.4 * angle) @ shift(0.8)
    when = (0.4 * angle - math.asin(0.1 / 0.8)) / angle
    for pair in (
        (BALL, at, needle, way(REST, turn(2, angle), kind=kind)),
        (needle, way(REST, turn(2, angle)), BALL, at),
    ):
        run = Run(*pair, tolerance=1e-9).finish()
        assert run.proved
        assert when - 1e-8 <= run.time <= when <= run.certain
        assert run.distance <= 1e-9
    assert run.certain <= when + 1e-8


@pytest.mark.parametrize("kind", ["screw", "linear"])
@pytest.mark.parametrize("degrees", [85, -85, 60])
def test_curved_paths_are_advanced_along(kind: str, degrees: float) -> None:
    """A point goes round most of a half circle, and meets another one on it near an end of the arc.

    The straight line through the middle of the arc stays clear of that all the while.
    """
    right, there = kc.Convex([[1, 0, 0]]), turn(2, math.radians(degrees)) @ shift(1)
    motion = way(turn(2, -math.radians(88)), turn(2, math.radians(88)), kind=kind)
    run = Run(kc.Convex([[0, 0, 0]]), there, right, motion).finish()
    when = (88 + degrees) / 176
    assert run.proved
    assert when - 1e-3 <= run.time <= when
    assert run.distance <= 1e-4


@pytest.mark.parametrize("turned", [0.3, 1.0, 3.0])
@pytest.mark.parametrize("part", [0.2, 0.9])
def test_the_rim_of_a_disc_turns_onto_the_floor(turned: float, part: float) -> None:
    """A cylinder turns about a diameter through its middle; it reaches down by r sin + h cos of the angle.

    The lowest point wanders along the rim, so that each support point that is looked at is another one.
    """
    disc = kc.Cylinder(1.0, 0.2)
    angle = part * min(turned, math.atan(1.0 / 0.1))
    floor, reach = kc.Box([4, 4, 2]), math.sin(angle) + 0.1 * math.cos(angle)
    end = turn(0, 0.6) @ turn(1, turned)
    tilted = way(REST, turn(0, turned), kind="screw")
    run = Run(floor, shift(0, 0, -1.0 - reach), disc, tilted).finish()
    assert run.proved
    assert angle / turned - 1e-3 <= run.time <= angle / turned + 1e-15
    # About an axis of no symmetry, against many instants.
    wild = way(REST, end, kind="screw")
    run = Run(floor, shift(0, 0, -1.0 - 0.7 * 1.005), disc, wild).finish()
    times = np.linspace(0.0, min(run.time, 1.0), 200, endpoint=False)
    z = np.array([X[2, :3] for X in wild.pose(times)])
    assert (0.1 * np.abs(z[:, 2]) + np.hypot(z[:, 0], z[:, 1]) < 0.7 * 1.005).all()


@pytest.mark.parametrize("gap", [1e-3, 1e-6])
def test_balls_that_pass_each_other(gap: float) -> None:
    """At a distance that is clear; with a margin of 5/4 of it they meet where two circles do."""
    motion = way(shift(-1, 0.2 + gap), shift(1, 0.2 + gap))
    clear = Run(BALL, REST, BALL, motion, tolerance=0.1 * gap).finish()
    assert (clear.time, clear.now, clear.proved) == (math.inf, 1.0, True)
    margin = 1.25 * gap
    when = 0.5 - 0.5 * math.sqrt((0.2 + margin) ** 2 - (0.2 + gap) ** 2)
    run = Run(BALL, REST, BALL, motion, tolerance=1e-3 * gap, margin=margin).finish()
    assert when - 1e-2 * gap <= run.time <= when <= run.certain <= 1.0 - when
    assert run.distance <= margin + 1e-3 * gap


def test_a_graze_is_contact() -> None:
    """Two balls whose surfaces touch at one instant."""
    run = Run(BALL, REST, BALL, way(shift(-1, 0.2), shift(1, 0.2)), tolerance=1e-6).finish()
    assert run.proved
    assert 0.5 - 1e-3 <= run.time <= 0.5
    assert run.distance <= 1e-6


@pytest.mark.parametrize(("a", "b"), [(BOX, BOX), (BALL, BALL), (WALL, PEBBLE), (kc.Capsule(0.1, 1), BOX)])
def test_contact_at_the_start(a: Any, b: Any) -> None:
    for motion in (shift(0.05), way(shift(0.05), shift(5)), way(shift(-0.01), shift(0, 0, 0.1))):
        run = Run(a, REST, b, motion).finish()
        assert (run.time, run.now, run.proved) == (0.0, 0.0, True)
        assert 0.0 <= run.certain <= 1e-10 or run.certain == math.inf
        assert run.distance <= 1e-12


CASES: dict[str, tuple[Any, Any, Any, Any, dict[str, Any]]] = {
    "contact": (WALL, REST, BOX, way(shift(1), shift(-1) @ turn(1, 2.0), kind="screw"), {}),
    "clear": (
        WALL,
        REST,
        SPEAR,
        way(shift(0.12), shift(0.12) @ turn(1, -3.0), kind="screw"),
        {"margin": 0.015},
    ),
    "both move": (SPEAR, way(REST, turn(2, 1.5)), BOX, way(shift(1, 1), shift(0.8, 1) @ turn(0, 1)), {}),
    "pieces": (WALL, REST, BOX, way(shift(1), shift(0.5) @ turn(0, 1), shift(0.4), shift(0)), {"end": 3.0}),
}


@pytest.mark.parametrize("limit", [1, 3])
@pytest.mark.parametrize("name", CASES)
def test_pauses_do_not_change_what_is_answered(name: str, limit: int) -> None:
    """A search that is taken up again begins from no closest points, so its last digits may differ."""
    a, motion_a, b, motion_b, options = CASES[name]
    whole = Run(a, motion_a, b, motion_b, **options).finish()
    pieces, before = Run(a, motion_a, b, motion_b, **options), -math.inf
    while not pieces.go(limit):
        assert before <= pieces.now
        before = pieces.now
    assert whole.proved
    assert pieces.proved
    assert whole.evaluations > 2
    assert (whole.time == math.inf) == (pieces.time == math.inf)
    assert pieces.time == pytest.approx(whole.time, abs=1e-6)
    assert pieces.now == pytest.approx(whole.now, abs=1e-6)
    assert pieces.distance == pytest.approx(whole.distance, abs=options.get("tolerance", 1e-4))


def test_a_pause_tells_what_is_proved_and_no_more() -> None:
    motion = way(shift(1), shift(-1) @ turn(1, 2.0), kind="screw")
    run, proved = Run(WALL, REST, BOX, motion), []
    while not run.go(1):
        proved.append(run.now)
        assert run.time == math.inf
    assert proved == sorted(proved)
    assert 0.0 < proved[0] < proved[-1] <= run.time
    for t in np.linspace(0.0, run.time, 50, endpoint=False):
        assert kc.distance(WALL, REST, BOX, motion.pose(t)).lower > 0.0


def test_an_answer_stays_when_asked_again() -> None:
    for name in ("contact", "clear"):
        a, motion_a, b, motion_b, options = CASES[name]
        run = Run(a, motion_a, b, motion_b, **options).finish()
        before = run.state
        assert run.go()
        assert run.state == before


def test_a_corner_of_the_way_is_not_cut() -> None:
    """A point goes (-1, 0) -> (0, 0) -> (0, 1), past one at the origin: it is at neither end, and meets it."""
    point = kc.Convex([[0, 0, 0]])
    run = Run(point, REST, point, way(shift(-1), shift(0), shift(0, 1)), end=2.0).finish()
    assert run.proved
    assert 1.0 - SHARP <= run.time <= 1.0
    beside = Run(point, REST, point, way(shift(-1), shift(-1e-3, 1e-3), shift(0, 1)), end=2.0).finish()
    assert (beside.time, beside.now, beside.proved) == (math.inf, 2.0, True)


@pytest.mark.parametrize("pieces", [1, 3, 16])
def test_knots_do_not_move_a_contact(pieces: int) -> None:
    times = np.linspace(0.0, 1.0, pieces + 1)
    motion = way(*(shift(1.0 - t) for t in times), times=times)
    run = Run(WALL, REST, BALL, motion).finish()
    assert run.proved
    assert 0.8 - SHARP <= run.time <= 0.8 <= run.certain <= 0.8 + SHARP


def test_the_first_of_several_contacts_is_found() -> None:
    """To the wall and back, three times; the end is in contact as well."""
    motion = way(shift(1), shift(0.15), shift(1), shift(0.1), shift(1), shift(0.0))
    run = Run(WALL, REST, BALL, motion, end=5.0).finish()
    assert run.time == pytest.approx(0.8 / 0.85, abs=1e-9)
    later = Run(WALL, REST, BALL, motion, begin=1.5, end=5.0).finish()
    assert later.time == pytest.approx(2.0 + 0.8 / 0.9, abs=1e-9)


def test_bodies_stand_still_before_and_after_their_times() -> None:
    come, go = way(shift(1), shift(0.5), times=[1.0, 2.0]), way(shift(0), shift(0.6), times=[4.0, 5.0])
    run = Run(WALL, go, BALL, come, begin=-3.0, end=9.0).finish()
    assert run.time == pytest.approx(4.5, abs=1e-9)
    assert Run(WALL, go, BALL, come, begin=-3.0, end=4.4).finish().now == 4.4


def test_a_direction_that_serves_on_is_kept() -> None:
    """Along a wall in 50 pieces, never farther than 1 m from it and never closer than 10 cm: one distance is enough."""
    places = [shift(0.5 + 0.3 * math.sin(k), 0.1 * k) for k in range(51)]
    run = Run(kc.Box([0.2, 20, 2]), REST, BALL, way(*places), end=50.0).finish()
    assert (run.time, run.now, run.evaluations) == (math.inf, 50.0, 1)


@pytest.mark.parametrize("place", [(3, 0, 0), (0.5, 0.5, 2)])
def test_both_at_rest(place: Any) -> None:
    run = Run(BOX, REST, PEBBLE, shift(*place), end=100.0).finish()
    assert (run.time, run.now, run.evaluations) == (math.inf, 100.0, 1)
