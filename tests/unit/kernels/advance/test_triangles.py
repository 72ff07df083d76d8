"""Two moving triangles: first contacts and least distances known by hand, and none later than the truth."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from tests.oracles.contact_time import Encounter
from tests.oracles.mesh_scene import mesh_body
from tests.oracles.motion_bodies import Thing
from tests.oracles.motion_poses import Move, library_motion, move
from tests.oracles.poses import pose, random_rotation, small_rotation
from tests.unit.kernels.advance.swept_runs import Run, shift, triangle, turn, way

REST = np.eye(4)
FAR = 100.0  # boxes grown by this keep nothing apart: what is proved, is proved by the triangles
SHARP = 1e-11  # what rounding may cost in scenes of some metres [m]

FLOOR = triangle([0, 0, 0], [4, 0, 0], [0, 4, 0])
SPIKE = triangle([0, 0, 0], [0.5, 0, 2], [0, 0.5, 2])
BLADE = triangle([-1, 0, 0], [1, 0, 0], [0.3, 0, 2])
POINT = triangle([0, 0, 0])
RIDGE = triangle([0, -1, 0], [0, 1, 0], [0, 0.3, -2])


def meet(a: Any, motion_a: Any, b: Any, motion_b: Any, **options: Any) -> Run:
    """Advance two triangles to the end; the boxes around them do not help."""
    return Run(a, motion_a, b, motion_b, wider=FAR, **options).finish()


def fall(x: float, y: float, height: float = 1.0, speed: float = 2.0) -> Any:
    """Down along z for a second."""
    return way(shift(x, y, height), shift(x, y, height - speed))


def check_contact(run: Run, when: float, speed: float = 2.0) -> None:
    """Within rounding of the true instant, and not after it."""
    assert run.proved
    assert when - SHARP / speed <= run.time <= when
    assert run.now == run.time
    assert 0.0 < run.distance <= SHARP


HEAD_ON = {
    "corner on face": (FLOOR, SPIKE, (1, 1)),
    "corner on edge": (FLOOR, SPIKE, (1, 0)),
    "corner on corner": (FLOOR, SPIKE, (0, 0)),
    "edge on edge": (RIDGE, BLADE, (0, 0)),
    "edge on face": (FLOOR, BLADE, (1.5, 1)),
    "face on face": (FLOOR, FLOOR, (0.5, 0.5)),
    "point on face": (FLOOR, triangle([0, 0, 0]), (1, 1)),
    "segment on face": (FLOOR, triangle([0, 0, 0], [0, 0, 3]), (1, 1)),
    "segment on edge": (RIDGE, triangle([-1, 0, 0], [1, 0, 0]), (0, 0)),
    "segment on segment": (triangle([0, -1, 0], [0, 1, 0]), triangle([-1, 0, 0], [1, 0, 0]), (0, 0)),
    "point on point": (triangle([0, 0, 0]), triangle([0, 0, 0]), (0, 0)),
}


@pytest.mark.parametrize("who", ["B", "A", "both"])
@pytest.mark.parametrize("kind", HEAD_ON)
def test_head_on(kind: str, who: str) -> None:
    """One metre apart at 2 m/s, whoever moves."""
    a, b, (x, y) = HEAD_ON[kind]
    motions = {
        "B": (REST, fall(x, y)),
        "A": (way(shift(0), shift(0, 0, 2)), shift(x, y, 1)),
        "both": (way(shift(0), shift(0, 0, 1)), fall(x, y, 1.0, 1.0)),
    }
    run = meet(a, motions[who][0], b, motions[who][1])
    check_contact(run, 0.5)
    assert run.triangles == (0, 0)


@pytest.mark.parametrize("kind", ["corner on face", "edge on edge", "edge on face"])
def test_a_crossing_soon_after_is_certain(kind: str) -> None:
    a, b, (x, y) = HEAD_ON[kind]
    run = meet(a, REST, b, fall(x, y))
    assert 0.5 <= run.certain <= 0.5 + SHARP


def test_nothing_is_certain_about_what_only_touches() -> None:
    """A spike that comes down to the floor at the very end; and a point, which crosses nothing."""
    touching = meet(FLOOR, REST, SPIKE, fall(1, 1, speed=1.0))
    check_contact(touching, 1.0, speed=1.0)
    assert touching.certain == math.inf
    assert meet(FLOOR, REST, triangle([0, 0, 0]), fall(1, 1)).certain == math.inf


def test_what_is_over_before_they_meet_is_clear() -> None:
    for height in (1e-3, 1e-9):
        run = meet(FLOOR, REST, SPIKE, fall(1, 1, 1.0 + height, 1.0), tolerance=1e-12)
        assert (run.time, run.now, run.proved) == (math.inf, 1.0, True)


@pytest.mark.parametrize("angle", [0.3, 1.0, 1.5])
def test_a_corner_turns_onto_a_face(angle: float) -> None:
    """The tip of a pointer of 2 m turns about x, from an angle above the floor to as much below it."""
    pointer = triangle([0, 2, 0], [0, 0, 0.5], [0.1, 0, 0.6])
    motion = way(shift(1, 0.5) @ turn(0, angle), shift(1, 0.5) @ turn(0, -angle), kind="screw")
    run = meet(FLOOR, REST, pointer, motion)
    check_contact(run, 0.5, 2.0 * 2.0 * angle)
    assert 0.5 <= run.certain <= 0.5 + SHARP


@pytest.mark.parametrize("kind", ["screw", "linear"])
@pytest.mark.parametrize("tolerance", [1e-3, 1e-9])
def test_a_rod_turns_onto_an_edge(kind: str, tolerance: float) -> None:
    """A rod through the origin turns about y, from straight up towards x; the edge goes along y at (1, 0.5).

    Its tip is faster than the place that touches, so that steps fall short: the tolerance is used.
    """
    rod, edge = triangle([0, 0, 0], [0, 0, 3]), triangle([1, -1, 0.5], [1, 1, 0.5], [2, 0, 0])
    when, speed = 0.5 * math.atan2(1.0, 0.5), 2.0 * math.hypot(1.0, 0.5)
    for motions in ((REST, way(REST, turn(1, 2.0), kind=kind)), (way(REST, turn(1, -2.0), kind=kind), REST)):
        run = meet(edge, motions[0], rod, motions[1], tolerance=tolerance)
        assert run.proved
        assert when - tolerance / speed <= run.time <= when
        assert run.distance <= tolerance


@pytest.mark.parametrize("kind", ["screw", "linear"])
@pytest.mark.parametrize("degrees", [85, -85, 60])
def test_curved_paths_are_advanced_along(kind: str, degrees: float) -> None:
    """A point goes round most of a half circle, and meets another one on it near an end of the arc.

    The straight line through the middle of the arc stays clear of that all the while.
    """
    right, there = triangle([1, 0, 0]), turn(2, math.radians(degrees)) @ shift(1)
    motion = way(turn(2, -math.radians(88)), turn(2, math.radians(88)), kind=kind)
    run = Run(POINT, there, right, motion, wider=FAR).finish()
    when = (88 + degrees) / 176
    assert run.proved
    assert when - 1e-3 <= run.time <= when
    assert run.distance <= 1e-4


def test_crossing_at_the_start() -> None:
    """Their closest features are half a metre apart, which says nothing: they go through each other."""
    needle = triangle([1, 1, -1], [1, 1, 1], [1.01, 1, 1])
    for motion in (REST, way(REST, shift(0, 0, 5)), way(REST, shift(3, 3, 3))):
        run = meet(FLOOR, REST, needle, motion, tolerance=1e-3)
        assert (run.time, run.certain, run.distance, run.proved) == (0.0, 0.0, 0.0, True)


@pytest.mark.parametrize("gap", [1e-2, 1e-5, 1e-8])
def test_past_each_other(gap: float) -> None:
    """A point passes another one at a small distance: clear, and in contact with a margin that is larger."""
    motion = way(shift(-1, gap), shift(1, gap))
    point = triangle([0, 0, 0])
    run = meet(point, REST, point, motion, tolerance=0.25 * gap)
    assert (run.time, run.now, run.proved) == (math.inf, 1.0, True)
    run = meet(point, REST, point, motion, tolerance=1e-3 * gap, margin=1.25 * gap)
    assert 0.5 - 0.375 * gap - 1e-2 * gap <= run.time <= 0.5 - 0.375 * gap  # 3-4-5
    assert run.distance <= 1.251 * gap
    assert 0.5 - 0.375 * gap <= run.certain <= 0.5 + 0.375 * gap


@pytest.mark.parametrize("gap", [1.0, 1e-3])
def test_a_graze_is_contact(gap: float) -> None:
    """The least distance is the margin itself, at one instant."""
    point, motion = triangle([0, 0, 0]), way(shift(-1, gap), shift(1, gap))
    run = meet(point, REST, point, motion, margin=gap, tolerance=1e-6)
    assert 0.5 - math.sqrt(2.0 * gap * 1e-6) <= run.time <= 0.5
    assert gap <= run.distance <= gap + 1e-6


def test_sliding_along_within_the_tolerance_is_answered() -> None:
    """Half a tolerance above the floor for the whole time: either answer is right, if it is told as it is."""
    run = meet(FLOOR, REST, FLOOR, way(shift(0, 0, 5e-5), shift(1, 0.5, 5e-5)))
    assert run.proved
    assert (run.time, run.now) == (math.inf, 1.0) or 5e-5 <= run.distance <= 1e-4


@pytest.mark.parametrize("margin", [1e-3, 0.25])
def test_a_margin_is_reached_earlier(margin: float) -> None:
    run = meet(FLOOR, REST, SPIKE, fall(1, 1), margin=margin)
    when = 0.5 * (1.0 - margin)
    assert when - SHARP <= run.time <= when <= run.certain <= when + SHARP
    assert margin <= run.distance <= margin + SHARP


@pytest.mark.parametrize("gap", [0.5, 1e-3])
def test_the_least_distance_of_two_points(gap: float) -> None:
    point, tolerance = triangle([0, 0, 0]), 0.02 * gap
    motion = way(shift(-gap, gap), shift(gap, gap))
    run = meet(point, REST, point, motion, least=True, tolerance=tolerance)
    assert (run.proved, run.now) == (True, 1.0)
    assert gap <= run.distance <= gap + tolerance
    assert run.distance == pytest.approx(gap * math.hypot(2.0 * run.time - 1.0, 1.0), abs=SHARP)


def test_a_least_distance_within_the_tolerance_is_enough() -> None:
    run = meet(FLOOR, REST, SPIKE, fall(1, 1), least=True, tolerance=0.1)
    assert run.proved
    assert 0.0 < run.distance <= 0.1
    assert run.now == 1.0


@pytest.mark.parametrize("kind", ["corner on face", "edge on edge", "corner on corner"])
def test_triangles_that_move_apart_are_clear(kind: str) -> None:
    """Straight away from each other, and past each other and away: a gap that grows for ever is no contact."""
    a, b, (x, y) = HEAD_ON[kind]
    for end in ((0, 0, 1), (9, 1, 0.1), (-9, 2, 0.1), (1, 9, 0.1)):
        motion = way(shift(x, y, 0.01), shift(x + end[0], y + end[1], 0.01 + end[2]))
        run = meet(a, REST, b, motion)
        assert (run.time, run.now, run.proved) == (math.inf, 1.0, True)


def test_the_least_distance_while_turning() -> None:
    """The tip of a pointer of 2 m passes 10 cm below a point; or it stops before."""
    pointer = triangle([0, 0, 2.0], [0, 0, 0])
    for angle, least in ((1.0, 0.1), (-0.1, math.hypot(2.1 - 2.0 * math.cos(0.1), 2.0 * math.sin(0.1)))):
        motion = way(turn(0, -1.0), turn(0, angle), kind="screw")
        run = meet(triangle([0, 0, 2.1]), REST, pointer, motion, least=True, tolerance=0.01)
        assert (run.proved, run.now) == (True, 1.0)
        assert least <= run.distance <= least + 0.01


def test_a_least_distance_that_is_known_is_not_looked_for() -> None:
    """What is given as found already is kept if nothing is closer by more than the tolerance."""
    run = Run(FLOOR, REST, SPIKE, way(shift(1, 1, 2), shift(1, 1, 1)), least=True, wider=FAR)
    run.rows["distance"], run.rows["time"] = 1.00005, 0.25
    run.finish()
    assert (run.distance, run.time, run.proved) == (1.00005, 0.25, True)


def test_triangles_that_cross_have_no_distance() -> None:
    needle = triangle([1, 1, -1], [1, 1, 1], [1.01, 1, 1])
    run = meet(FLOOR, REST, needle, REST, least=True)
    assert run.proved
    assert 0.0 <= run.distance <= SHARP


@pytest.mark.parametrize(
    "kinds", [("fixed", "screw"), ("screw", "linear"), ("linear", "screw"), ("cubic", "screw")]
)
def test_no_contact_is_told_too_late(kinds: tuple[str, str]) -> None:
    """Random triangles on random motions, looked at at many instants by all pairs of corners, edges and faces."""
    rng, met = np.random.default_rng(11), 0
    for _ in range(5):
        things = [Thing(mesh_body(rng.normal(size=(3, 3)), [[0, 1, 2]])) for _ in range(2)]
        moves = [random_move(rng, kind) for kind in kinds]
        case = Encounter(things[0], moves[0], things[1], moves[1], 0.0, 1.0)
        motions = [
            library_motion(m, max_deviation=1.0) if m.kind == "cubic" else library_motion(m) for m in moves
        ]
        run = meet(things[0].library(), motions[0], things[1].library(), motions[1])
        assert run.proved
        times = np.linspace(0.0, min(run.time, 1.0), 200, endpoint=run.time == math.inf)
        assert (case.distances(times)[1] > 0.0).all()
        if run.time < math.inf:
            met += 1
            assert case.distance(run.time)[0] <= min(run.distance, 1e-4)
            assert case.distance(run.certain)[1] == 0.0
    assert met > 0


def random_move(rng: np.random.Generator, kind: str) -> Move:
    """A piece from one side to the other, turned by a radian; a tenth of that for a cubic."""
    if kind == "fixed":
        return move(kind, [0.0], [pose(random_rotation(rng), (0, 0, 0))])
    angle, n = (0.1, 4) if kind == "cubic" else (1.0, 2)
    R, side = random_rotation(rng), rng.normal(size=3)
    turns = [small_rotation(rng, angle) for _ in range(n)]
    return move(
        kind,
        np.linspace(0, 1, n),
        [pose(R @ S, s * side) for S, s in zip(turns, np.linspace(-2, 2, n), strict=True)],
    )
