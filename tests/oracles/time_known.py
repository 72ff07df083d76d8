"""Cases on wild grids of time that once had wrong results, written by hand."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from tests.oracles import time_motions as motions
from tests.oracles import time_truth as truths
from tests.oracles.time_chaos import Case
from tests.oracles.time_families import Body
from tests.oracles.time_grids import later
from tests.oracles.time_truth import Truth

import keepclear as kc


def ball_and_wall(
    name: str, times: list[float], values: list[float], x: float, tolerance: float = 1e-4, thick: float = 0.1
) -> Case:
    """A ball of that radius that moves along x, and a wall of that thickness at x, wide enough for all of it."""
    n = len(times)
    a = motions.sliding("linear", times, np.array(values), np.eye(3), 0, np.zeros((n, 3)), "both")
    b = motions.resting(motions.pose(np.eye(3), [x, 0, 0]), 0)
    width = Fraction(thick) + Fraction(thick) / 2
    truth = Truth(a.path.minus(b.path), Fraction(0), truths.slab(width))
    bodies = Body("sphere", kc.Sphere(thick), a), Body("wall", kc.Box([thick, 4.0, 4.0]), b)
    return Case(-1, name, "by hand", *bodies, truth, 4.0, 0.0, tolerance)


def first_example(x: float) -> Case:
    """Two metres within four ticks: CLEAR before, with a wall at 0.75."""
    return ball_and_wall("four ticks", [1.0, 1.0 + 2.0**-50], [-1.0, 1.0], x)


def nudged_stamp(x: float, ticks: int) -> Case:
    """A repeated time stamp that was nudged: 5 to 40 of 80 wall positions were CLEAR."""
    times = [0.0, 1.0, later(1.0, ticks), 2.0]
    return ball_and_wall(f"{ticks} ticks", times, [-1.2, -1.0, 1.0, 1.2], x)


def billion_seconds(x: float) -> Case:
    """Two metres in a microsecond, at 1e9 s: 7 of 60 were CLEAR, and `clearance.lower > 0` in two."""
    return ball_and_wall("a microsecond", [1e9, 1e9 + 1e-6], [-1.0, 1.0], x)


def milliseconds_today(x: float) -> Case:
    """Two metres in a millisecond, at 1.7e9 s, with a fine tolerance: 24 of 60 were UNDECIDED."""
    return ball_and_wall("a millisecond", [1.7e9, 1.7e9 + 1e-3], [-1.0, 1.0], x, 1e-6, thick=1e-4)


def sheets_in_one_tick(t: float) -> Case:
    """Two sheets without thickness that change places within one tick: apart at every float64 time."""
    corners = [(0, -1, -1), (0, 1, -1), (0, 1, 1), (0, -1, 1)]
    sheet = kc.Mesh(corners, [(0, 1, 2), (0, 2, 3)])
    times = [t, later(t, 1)]
    a, b = (
        motions.sliding("linear", times, np.array(x), np.eye(3), 0, np.zeros((2, 3)), "both")
        for x in ([-1.0, 1.0], [1.0, -1.0])
    )
    truth = Truth(a.path.minus(b.path), Fraction(0), truths.slab(Fraction(0)))
    return Case(
        -1, "sheets", "by hand", Body("sheet", sheet, a), Body("sheet", sheet, b), truth, 2.0, 0.0, 1e-4
    )
