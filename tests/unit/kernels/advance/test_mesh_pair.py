"""Two moving meshes: pauses, knots, spans that run out, and the earliest of several contacts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from tests.unit.kernels.advance.swept_runs import Run, sheet, shift, triangle, turn, way

import keepclear as kc
from keepclear.kernels.advance.mesh_pair import MOST_WINDOWS
from keepclear.kernels.motion.state import ACCELERATION_BOUND, BEGIN, END

REST = np.eye(4)
SHEET = sheet(2)
GEM = kc.Mesh(
    0.1 * np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]]),
    [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]],
)
POINT = triangle([0, 0, 0])

FALLING = way(shift(0.1, 0.2, 1.0), shift(0.2, 0.1, -1.0) @ turn(2, 1.0), kind="screw")
PASSING = way(
    shift(-1.0, 0.2, 0.12) @ turn(2, 0.4), shift(1.0, 0.1, 0.12) @ turn(1, 0.7)
)  # 2 to 3 cm above the sheet


@pytest.mark.parametrize("limit", [1, 2, 7])
@pytest.mark.parametrize(
    ("motion", "options"),
    [
        (FALLING, {}),
        (PASSING, {}),
        (PASSING, {"margin": 0.02}),
        (PASSING, {"margin": 0.03}),
        (PASSING, {"least": True, "tolerance": 0.02}),
        (FALLING, {"begin": -0.5, "end": 1.5}),
    ],
)
def test_pauses_change_nothing(motion: Any, options: Any, limit: int) -> None:
    whole = Run(SHEET, REST, GEM, motion, **{"end": 1.0} | options).finish()
    pieces = Run(SHEET, REST, GEM, motion, **{"end": 1.0} | options).finish(limit)
    assert whole.proved
    assert whole.answer == pieces.answer
    assert whole.rows["box_pairs"][0] > 10


def test_what_is_proved_at_a_pause() -> None:
    """Two pieces that are clear, then one with a contact: `now` is where the piece begins that is being searched."""
    motion = way(shift(0, 0, 1.0), shift(0, 0.2, 0.8), shift(0.1, 0, 0.6), shift(0.1, 0, -0.6))
    run, seen = Run(SHEET, REST, GEM, motion, end=3.0), []
    while not run.go(len(seen) > 0):
        seen.append(run.now)
        assert run.time > run.now
    assert seen == sorted(seen)
    assert seen[0] == 0.0
    assert seen[-1] == 2.0
    assert set(seen) <= {0.0, 1.0, 2.0}
    assert run.now == run.time == pytest.approx(2.0 + 0.5 / 1.2, abs=1e-9)


def test_a_limit_is_kept_but_for_the_last_pair() -> None:
    run = Run(SHEET, REST, GEM, FALLING)
    while not run.go(5):
        done = run.rows["evaluations"][0] + run.rows["box_pairs"][0]
        assert run.rows["limit"][0] <= done
    assert not Run(SHEET, REST, GEM, FALLING).go(0)


def test_an_answer_stays_when_asked_again() -> None:
    run = Run(SHEET, REST, GEM, FALLING).finish()
    before = run.state
    assert run.go()
    assert run.state == before


def test_a_corner_of_the_way_is_not_cut() -> None:
    """A point goes (-1, 0) -> (0, 0) -> (0, 1), past one at the origin: it is at neither end, and meets it."""
    run = Run(POINT, REST, POINT, way(shift(-1), shift(0), shift(0, 1)), end=2.0).finish()
    assert run.proved
    assert 1.0 - 1e-12 <= run.time <= 1.0
    beside = Run(POINT, REST, POINT, way(shift(-1), shift(-1e-3, 1e-3), shift(0, 1)), end=2.0).finish()
    assert (beside.time, beside.now, beside.proved) == (math.inf, 2.0, True)


@pytest.mark.parametrize("kind", ["screw", "linear"])
@pytest.mark.parametrize("degrees", [85, -85, 60])
def test_curved_paths_are_advanced_along(kind: str, degrees: float) -> None:
    """A point goes round most of a half circle, and meets another one on it near an end of the arc.

    The straight line through the middle of the arc stays clear of that all the while.
    """
    right, there = triangle([1, 0, 0]), turn(2, math.radians(degrees)) @ shift(1)
    motion = way(turn(2, -math.radians(88)), turn(2, math.radians(88)), kind=kind)
    run = Run(POINT, there, right, motion).finish()
    when = (88 + degrees) / 176
    assert run.proved
    assert when - 1e-3 <= run.time <= when
    assert run.distance <= 1e-4


def test_bodies_stand_still_before_and_after_their_times() -> None:
    """The sheet rises from 5 s to 6 s, the gem has come down from 1 s to 3 s; they meet after that."""
    up = way(shift(0, 0, 0), shift(0, 0, 1), times=[5.0, 6.0])
    down = way(shift(0, 0, 2), shift(0.1, 0, 0.5), times=[1.0, 3.0])
    run = Run(SHEET, up, GEM, down, begin=-2.0, end=9.0).finish()
    assert run.proved
    assert 5.4 - 1e-9 <= run.time <= 5.4 <= run.certain <= 5.4 + 1e-9
    early = Run(SHEET, up, GEM, down, begin=-2.0, end=5.25).finish()
    assert (early.time, early.now) == (math.inf, 5.25)
    late = Run(SHEET, up, GEM, down, begin=5.45, end=9.0).finish()
    assert late.time == 5.45 <= late.certain <= 5.45 + 1e-9
    assert (
        Run(SHEET, up, GEM, down, begin=7.0, end=9.0).finish().time == math.inf
    )  # the sheet has gone through


@pytest.mark.parametrize("pieces", [1, 2, 5, 16])
def test_knots_do_not_move_a_contact(pieces: int) -> None:
    """The same straight way in several pieces: down by 0.913 m at 2 m/s."""
    times = np.linspace(0.0, 1.0, pieces + 1)
    motion = way(*(shift(0.1, 0.05, 1.013 - 2.0 * t) for t in times), times=times)
    run = Run(SHEET, REST, GEM, motion).finish()
    assert run.proved
    assert 0.4565 - 1e-11 <= run.time <= 0.4565 <= run.certain <= 0.4565 + 1e-11


def test_a_contact_at_a_knot() -> None:
    """Down to the sheet, and up again: they touch at the knot alone, and that is contact."""
    bounce = way(shift(0.1, 0.05, 1.1), shift(0.1, 0.05, 0.1), shift(0.1, 0.05, 1.1))
    run = Run(SHEET, REST, GEM, bounce, end=2.0).finish()
    assert 1.0 - 1e-11 <= run.time <= 1.0
    above = way(shift(0.1, 0.05, 1.1), shift(0.1, 0.05, 0.1 + 1e-9), shift(0.1, 0.05, 1.1))
    assert Run(SHEET, REST, GEM, above, end=2.0, tolerance=1e-12).finish().time == math.inf


@pytest.mark.parametrize("made", [MOST_WINDOWS, MOST_WINDOWS - 1, MOST_WINDOWS - 2])
@pytest.mark.parametrize(("motion", "options"), [(FALLING, {}), (PASSING, {}), (PASSING, {"margin": 0.03})])
def test_a_search_goes_on_when_spans_run_out(motion: Any, options: Any, made: int) -> None:
    """As if all spans but none, one or two had been used up: boxes are opened instead, for the same answer."""
    plenty = Run(SHEET, REST, GEM, motion, **options).finish()
    assert plenty.rows["spans"][0] > 3
    run = Run(SHEET, REST, GEM, motion, **options)
    assert not run.go(0)
    run.rows["spans"][0] = made
    run.finish()
    assert run.proved
    assert run.rows["spans"][0] == MOST_WINDOWS
    assert run.time == pytest.approx(plenty.time, abs=1e-6)
    assert run.certain == math.inf or run.time <= run.certain <= run.time + 1e-6


def stairs(order: Any) -> kc.Mesh:
    """Three triangles, one per metre along x, at heights that a falling sheet reaches one after the other."""
    heights = (0.0, 0.3, 0.6)
    corners = [
        [[2.0 * x + dx, dy, heights[h]] for dx, dy in ((0, 0), (1, 0), (0, 1))] for x, h in enumerate(order)
    ]
    return kc.Mesh(np.reshape(corners, (9, 3)), np.arange(9).reshape(3, 3))


@pytest.mark.parametrize("order", [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)])
def test_the_earliest_contact_wins(order: Any) -> None:
    """In whatever order the tree leads to them: some order finds a later contact first."""
    plate = triangle([-10, -10, 0], [20, -10, 0], [0, 20, 0])
    down = way(shift(0, 0, 1), shift(0, 0, -1))
    a = stairs(order)
    for first, second in (((a, REST), (plate, down)), ((plate, down), (a, REST))):
        run = Run(*first, *second).finish()
        assert run.proved
        assert 0.2 - 1e-11 <= run.time <= 0.2
        assert order[max(run.triangles)] == 2
        later = Run(*first, *second, begin=0.3).finish()
        assert 0.35 - 1e-11 <= later.time <= 0.35
        assert order[max(later.triangles)] == 1


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_the_least_distance_wins(order: Any) -> None:
    plate = triangle([-10, -10, 0], [20, -10, 0], [0, 20, 0])
    run = Run(
        stairs(order), REST, plate, way(shift(0, 0, 2), shift(0, 0, 1)), least=True, tolerance=0.02
    ).finish()
    assert (run.proved, run.now) == (True, 1.0)
    assert 0.4 <= run.distance <= 0.42
    assert order[run.triangles[0]] == 2


def test_a_known_distance_spares_the_search() -> None:
    """Nothing is closer than 0.3 m: with a witness of that, next to nothing is left to do."""
    motion = way(shift(-0.3, 0, 0.4), shift(0.3, 0, 0.4))
    run = Run(SHEET, REST, GEM, motion, least=True, tolerance=0.01)
    run.rows["distance"], run.rows["time"] = 0.305, 0.5
    run.finish()
    assert (run.distance, run.time, run.now, run.proved) == (0.305, 0.5, 1.0, True)
    assert run.evaluations == 0


POINTER = triangle([0, 0, 0], [1, 0, 0], [0, 0, -0.1])


def swing(*degrees: float) -> kc.PoseTrajectory:
    """A piece of three seconds, through four angles about z."""
    return kc.PoseTrajectory(
        [0.0, 1.0, 2.0, 3.0], [turn(2, math.radians(angle)) for angle in degrees], "cubic"
    )


def mark(degrees: float) -> kc.Mesh:
    """A point that the pointer meets half way along, just below its edge."""
    return triangle((0.5 * math.cos(math.radians(degrees)), 0.5 * math.sin(math.radians(degrees)), -0.001))


@pytest.mark.parametrize("made", [1, MOST_WINDOWS])
@pytest.mark.parametrize(
    ("motion", "where", "latest"),
    [
        (swing(0, 50, 100, 150), 100, 2.0),
        (swing(150, 100, 50, 0), 50, 2.0),
        (swing(0, 60, 40, -60), -30, 3.0),  # away from the point at first, and back
        (swing(0, 80, 40, -100), -60, 3.0),
    ],
)
def test_time_is_cut_where_accelerations_have_no_bound(
    motion: Any, where: float, latest: float, made: int
) -> None:
    """A cubic that turns far in one piece meets a point, with and without room for spans.

    Where it passes the point at a sample, the instant is known: there a cubic is exact.
    """
    run = Run(POINTER, motion, mark(where), REST, end=3.0)
    assert not run.go(0)
    assert run.windows[BEGIN] == 0.0
    assert run.windows[END] < 3.0
    assert run.windows[ACCELERATION_BOUND] < math.inf
    run.rows["spans"][0] = made
    run.finish()
    assert run.proved
    assert run.time <= latest
    assert run.distance <= 1e-4
    assert latest == 3.0 or run.time >= latest - 1e-3


@pytest.mark.parametrize("margin", [0.0, 0.05])
def test_bodies_may_change_places(margin: float) -> None:
    one = Run(SHEET, REST, GEM, FALLING, margin=margin).finish()
    other = Run(GEM, FALLING, SHEET, REST, margin=margin).finish()
    assert one.time == pytest.approx(other.time, abs=1e-6)
    assert (one.rows["certain"][0] < math.inf) == (other.rows["certain"][0] < math.inf)
