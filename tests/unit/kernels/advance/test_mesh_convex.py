"""A moving mesh and a moving convex body: contacts known by hand, pauses, knots, and spans that run out."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from tests.unit.kernels.advance.swept_runs import Run, sheet, shift, triangle, turn, way

import keepclear as kc
from keepclear.kernels.advance.mesh_pair import MOST_WINDOWS
from keepclear.kernels.motion.state import ACCELERATION_BOUND, END

REST = np.eye(4)
SHEET = sheet(2)
BALL = kc.Sphere(0.1)
SHARP = 1e-11  # what rounding may cost in scenes of some metres [m]

# Each reaches down to -depth below its origin when it is not turned.
BODIES: dict[str, tuple[Any, float]] = {
    "sphere": (BALL, 0.1),
    "box": (kc.Box([0.1, 0.2, 0.3]), 0.15),
    "capsule": (kc.Capsule(0.1, 0.4), 0.3),
    "cylinder": (kc.Cylinder(0.2, 0.4), 0.2),
    "spear": (kc.Convex([[0, 0, -0.5], [0.1, 0, 0.1], [-0.1, 0.1, 0.1], [0, -0.1, 0.1]]), 0.5),
}
FALLING = way(shift(0.1, 0.05, 1.0), shift(0.2, 0.1, -1.0) @ turn(1, 1.0), kind="screw")
PASSING = way(shift(-1.0, 0.2, 0.17) @ turn(2, 0.4), shift(1.0, 0.1, 0.17) @ turn(1, 0.7))
BRICK = kc.Box([0.1, 0.2, 0.3])


@pytest.mark.parametrize("who", ["body", "mesh", "both"])
@pytest.mark.parametrize("name", BODIES)
def test_each_body_falls_on_a_sheet(name: str, who: str) -> None:
    """From 1.013 m above it at 2 m/s; with a margin of 10 cm it is 50 ms earlier."""
    body, depth = BODIES[name]
    top = shift(0.1, 0.05, 1.013 + depth)
    motions = {
        "body": (REST, way(top, top @ shift(0, 0, -2))),
        "mesh": (way(REST, shift(0, 0, 2)), top),
        "both": (way(REST, shift(0, 0, 1)), way(top, top @ shift(0, 0, -1))),
    }
    for margin, when in ((0.0, 0.5065), (0.1, 0.4565)):
        run = Run(SHEET, motions[who][0], body, motions[who][1], margin=margin).finish()
        assert run.proved
        assert when - SHARP <= run.time == run.now <= when <= run.certain <= when + SHARP
        assert margin <= run.distance <= margin + SHARP
    assert SHEET.triangles[run.triangles[0]].tolist() in hit_triangles()


def hit_triangles() -> list[list[int]]:
    """The triangles that are nearest to (0.1, 0.05)."""
    corners = SHEET.vertices[SHEET.triangles]
    near = np.linalg.norm(corners.mean(axis=1) - [0.1, 0.05, 0.0], axis=1)
    return [SHEET.triangles[k].tolist() for k in np.flatnonzero(near < near.min() + 0.3)]


def test_what_is_over_before_they_meet_is_clear() -> None:
    motion = way(shift(0, 0, 1.1), shift(0, 0, 0.1 + 1e-9))
    run = Run(SHEET, REST, BALL, motion, tolerance=1e-11).finish()
    assert (run.time, run.now, run.proved) == (math.inf, 1.0, True)


@pytest.mark.parametrize("angle", [1.0, 2.5])
def test_a_sheet_turns_onto_a_ball(angle: float) -> None:
    """A strip turns about the z axis; a ball of 10 cm, 40 cm off, is met at asin(1/4) before its centre."""
    strip = kc.Mesh([[0, 0, -1], [0.5, 0, -1], [0.5, 0, 1], [0, 0, 1]], [[0, 1, 2], [0, 2, 3]])
    at = turn(2, 0.6 * angle) @ shift(0.4)
    when = (0.6 * angle - math.asin(0.1 / 0.4)) / angle
    run = Run(strip, way(REST, turn(2, angle), kind="screw"), BALL, at, tolerance=1e-9).finish()
    assert run.proved
    assert when - 1e-8 <= run.time <= when <= run.certain <= when + 1e-8


def test_contact_at_the_start() -> None:
    for motion in (REST, way(REST, shift(0, 0, 3)), way(shift(0, 0, 0.05), shift(1, 1))):
        run = Run(SHEET, REST, BALL, motion).finish()
        assert (run.time, run.now, run.proved) == (0.0, 0.0, True)
        assert run.distance <= 1e-12
        assert 0.0 <= run.certain <= 1e-10


@pytest.mark.parametrize("limit", [1, 2, 7])
@pytest.mark.parametrize(
    ("motion", "options"),
    [
        (FALLING, {}),
        (PASSING, {"margin": 0.008}),  # 8.1 mm are left
        (PASSING, {"margin": 0.05}),
        (PASSING, {"least": True, "tolerance": 0.02}),
        (FALLING, {"begin": -0.5, "end": 1.5}),
    ],
)
def test_pauses_change_nothing(motion: Any, options: Any, limit: int) -> None:
    whole = Run(SHEET, REST, BRICK, motion, **{"end": 1.0} | options).finish()
    pieces = Run(SHEET, REST, BRICK, motion, **{"end": 1.0} | options).finish(limit)
    assert whole.proved
    assert whole.answer == pieces.answer
    assert whole.rows["box_pairs"][0] > 6


def test_what_is_proved_at_a_pause() -> None:
    """Two pieces that are clear, then one with a contact: `now` is where the piece begins that is being searched."""
    motion = way(shift(0, 0, 1.0), shift(0, 0.2, 0.8), shift(0.1, 0, 0.6), shift(0.1, 0, -0.6))
    run, seen = Run(SHEET, REST, BALL, motion, end=3.0), []
    while not run.go(len(seen) > 0):
        seen.append(run.now)
        assert run.time > run.now
    assert seen == sorted(seen)
    assert seen[0] == 0.0
    assert seen[-1] == 2.0
    assert set(seen) <= {0.0, 1.0, 2.0}
    assert run.now == run.time == pytest.approx(2.0 + 0.5 / 1.2, abs=1e-9)


def test_an_answer_stays_when_asked_again() -> None:
    run = Run(SHEET, REST, BRICK, FALLING).finish()
    before = run.state
    assert run.go()
    assert run.state == before


def test_a_corner_of_the_way_is_not_cut() -> None:
    """A point goes (-1, 0) -> (0, 0) -> (0, 1), past one at the origin: it is at neither end, and meets it."""
    dot, point = triangle([0, 0, 0]), kc.Convex([[0, 0, 0]])
    run = Run(dot, REST, point, way(shift(-1), shift(0), shift(0, 1)), end=2.0).finish()
    assert run.proved
    assert 1.0 - SHARP <= run.time <= 1.0
    beside = Run(dot, REST, point, way(shift(-1), shift(-1e-3, 1e-3), shift(0, 1)), end=2.0).finish()
    assert (beside.time, beside.now, beside.proved) == (math.inf, 2.0, True)


@pytest.mark.parametrize("kind", ["screw", "linear"])
@pytest.mark.parametrize("degrees", [85, -85, 60])
def test_curved_paths_are_advanced_along(kind: str, degrees: float) -> None:
    """A point goes round most of a half circle, and meets another one on it near an end of the arc.

    The straight line through the middle of the arc stays clear of that all the while.
    """
    right, there = kc.Convex([[1, 0, 0]]), turn(2, math.radians(degrees)) @ shift(1)
    motion = way(turn(2, -math.radians(88)), turn(2, math.radians(88)), kind=kind)
    run = Run(triangle([0, 0, 0]), there, right, motion).finish()
    when = (88 + degrees) / 176
    assert run.proved
    assert when - 1e-3 <= run.time <= when
    assert run.distance <= 1e-4


@pytest.mark.parametrize("pieces", [1, 2, 5, 16])
def test_knots_do_not_move_a_contact(pieces: int) -> None:
    times = np.linspace(0.0, 1.0, pieces + 1)
    motion = way(*(shift(0.1, 0.05, 1.013 - 2.0 * t) for t in times), times=times)
    run = Run(SHEET, REST, BALL, motion).finish()
    assert run.proved
    assert 0.4565 - SHARP <= run.time <= 0.4565 <= run.certain <= 0.4565 + SHARP


def test_bodies_stand_still_before_and_after_their_times() -> None:
    up = way(shift(0, 0, 0), shift(0, 0, 1), times=[5.0, 6.0])
    down = way(shift(0, 0, 2), shift(0.1, 0, 0.5), times=[1.0, 3.0])
    run = Run(SHEET, up, BALL, down, begin=-2.0, end=9.0).finish()
    assert 5.4 - 1e-9 <= run.time <= 5.4 <= run.certain <= 5.4 + 1e-9
    assert Run(SHEET, up, BALL, down, begin=-2.0, end=5.25).finish().now == 5.25


@pytest.mark.parametrize("made", [MOST_WINDOWS, MOST_WINDOWS - 1, MOST_WINDOWS - 2])
@pytest.mark.parametrize(("motion", "options"), [(FALLING, {}), (PASSING, {}), (PASSING, {"margin": 0.05})])
def test_a_search_goes_on_when_spans_run_out(motion: Any, options: Any, made: int) -> None:
    """As if all spans but none, one or two had been used up: boxes are opened instead, for the same answer."""
    plenty = Run(SHEET, REST, BRICK, motion, **options).finish()
    run = Run(SHEET, REST, BRICK, motion, **options)
    assert not run.go(0)
    run.rows["spans"][0] = made
    run.finish()
    assert run.proved
    assert run.rows["spans"][0] <= MOST_WINDOWS
    assert run.time == pytest.approx(plenty.time, abs=1e-6)
    assert run.certain == math.inf or run.time <= run.certain <= run.time + 1e-6


@pytest.mark.parametrize("order", [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)])
def test_the_earliest_contact_wins(order: Any) -> None:
    """Three triangles side by side at different heights under a plate, in whatever order the tree leads to them."""
    heights = (0.0, 0.3, 0.6)
    corners = [
        [[2 * x + dx, dy, heights[h]] for dx, dy in ((0, 0), (1, 0), (0, 1))] for x, h in enumerate(order)
    ]
    steps = kc.Mesh(np.reshape(corners, (9, 3)), np.arange(9).reshape(3, 3))
    plate = kc.Box([20, 20, 0.2])
    run = Run(steps, REST, plate, way(shift(0, 0, 1.1), shift(0, 0, -0.9))).finish()
    assert run.proved
    assert 0.2 - SHARP <= run.time <= 0.2
    assert order[run.triangles[0]] == 2
    above = way(shift(0, 0, 2.1), shift(0, 0, 1.1))
    least = Run(steps, REST, plate, above, least=True, tolerance=0.02, wider=5.0).finish()
    assert (least.proved, least.now) == (True, 1.0)
    assert 0.4 <= least.distance <= 0.42
    assert least.time == pytest.approx(1.0, abs=0.021)
    assert order[least.triangles[0]] == 2


def swing(*degrees: float) -> kc.PoseTrajectory:
    """A piece of three seconds, through four angles about z."""
    return kc.PoseTrajectory(
        [0.0, 1.0, 2.0, 3.0], [turn(2, math.radians(angle)) for angle in degrees], "cubic"
    )


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize(
    ("motion", "where", "latest"),
    [
        (swing(0, 50, 100, 150), 100, 2.0),
        (swing(150, 100, 50, 0), 50, 2.0),
        (swing(0, 60, 40, -60), -30, 3.0),
    ],
)
def test_time_is_cut_where_accelerations_have_no_bound(
    motion: Any, where: float, latest: float, full: bool
) -> None:
    """A pointer that turns far in one cubic meets a point; with and without room for spans."""
    pointer = triangle([0, 0, 0], [1, 0, 0], [0, 0, -0.1])
    point, at = kc.Convex([[0, 0, -0.001]]), turn(2, math.radians(where)) @ shift(0.5)
    run = Run(pointer, motion, point, at, end=3.0)
    assert not run.go(0)
    assert run.windows[END] < 3.0
    assert run.windows[ACCELERATION_BOUND] < math.inf
    if full:
        run.rows["spans"][0] = MOST_WINDOWS
    run.finish()
    assert run.proved
    assert run.time <= latest
    assert run.distance <= 1e-4
    assert latest == 3.0 or run.time >= latest - 1e-3
