"""Tests of questions in local time: how they are cut, and how answers come back."""

from __future__ import annotations

import math

import numpy as np
import pytest

from keepclear.geometry.shapes.primitives import Box, Sphere
from keepclear.motion.trajectory import PoseTrajectory
from keepclear.query.interval.first_contact import advance_first_contact
from keepclear.query.interval.local_time import AT_ONCE, first_contact_locally, local_queries
from keepclear.query.moving.question import checked_query
from keepclear.results import Verdict

BALL, WALL = Sphere(0.1), Box([0.2, 2.0, 2.0])
TICK = 2.0**-52


def along(times, xs) -> PoseTrajectory:
    return PoseTrajectory.from_positions(times, [[x, 0.0, 0.0] for x in xs])


def at(x: float) -> np.ndarray:
    X = np.eye(4)
    X[0, 3] = x
    return X


def question(times, xs, wall=1.0, **options):
    return checked_query(BALL, along(times, xs), WALL, at(wall), **options)


def test_steps_end_at_the_knots_of_both_motions():
    query = checked_query(BALL, along([0, 1, 3], [0, 0, 0]), WALL, along([2, 4], [5, 5]), t0=-1.0, t1=3.5)
    (part,) = local_queries(query)
    assert part.times.tolist() == [-1.0, 0.0, 1.0, 2.0, 3.0, 3.5]
    assert (part.query.t0, part.query.t1) == (0.0, 5.0)
    assert part.query.motion_a.pose(1.5)[0, 3] == query.motion_a.pose(0.5)[0, 3]


def test_an_instant_is_one_step_at_rest():
    (part,) = local_queries(question([0, 1], [0, 2], t0=0.5, t1=0.5))
    assert part.times.tolist() == [0.5, 0.5]
    assert part.query.motion_a.pose([0.0, 1.0])[:, 0, 3].tolist() == [1.0, 1.0]
    assert part.bracket(0.3) == (0.5, 0.5, 0.5)


def test_many_steps_are_asked_about_in_parts_that_join():
    times = np.arange(2 * AT_ONCE + 2) * 0.1
    parts = list(local_queries(question(times, np.zeros(len(times)))))
    assert [len(part.times) for part in parts] == [AT_ONCE + 1, AT_ONCE + 1, 2]
    assert parts[0].times[-1] == parts[1].times[0]
    assert parts[2].times[-1] == times[-1]


@pytest.mark.parametrize("u", [0.0, 0.1, 0.5, 1.0, 1.0 + 2.0**-40, 1.7, 2.0])
def test_brackets_hold_the_instant(u):
    (part,) = local_queries(question([1.0, 1.0 + 3 * TICK, 7.0], [0, 0, 0]))
    before, near, after = part.bracket(u)
    k = min(int(u), 1)
    begin, length = part.times[k], part.times[k + 1] - part.times[k]
    # Relative to the start of the step all numbers here are exact enough.
    assert before - begin <= (u - k) * length <= after - begin
    assert part.times[0] <= before <= near <= after <= part.times[-1]
    assert after - before <= 2 * math.ulp(near)
    if u in (0.0, 1.0, 2.0):
        assert before == near == after == part.times[int(u)]


def test_the_width_of_a_bracket_counts_in_the_longest_step():
    (part,) = local_queries(question([0.0, 0.5, 8.5], [0, 0, 0], time_tolerance=0.4))
    assert part.query.time_tolerance == 0.05
    (part,) = local_queries(question([0.0, 0.1], [0, 0], time_tolerance=0.4))
    assert part.query.time_tolerance == 1.0


def test_answers_come_back_in_absolute_time():
    query = question([1e6, 1e6 + 1, 1e6 + 3], [0, 0.5, 1.5])
    found = first_contact_locally(query, advance_first_contact)
    assert found.verdict is Verdict.COLLIDING
    assert found.t_lo <= found.time <= found.t_hi
    assert found.time == pytest.approx(1e6 + 1.6, abs=1e-3)
    assert found.X_WA[0, 3] == pytest.approx(0.8, abs=1e-3)
    assert found.names == query.names
    clear = first_contact_locally(question([0, 1], [0, 0.5]), advance_first_contact)
    assert (clear.verdict, clear.t_lo, clear.t_hi) == (Verdict.CLEAR, 1.0, 1.0)
    assert math.isnan(clear.time)


def test_what_was_assumed_before_and_after_is_that_of_the_original():
    query = question([0, 1], [0, 0.5], t0=-1.0, t1=2.0)
    assert first_contact_locally(query, advance_first_contact).holds == query.holds != ""


def test_the_budget_counts_for_all_parts():
    times = np.arange(3.0 * AT_ONCE)
    xs = np.where(np.arange(len(times)) % 2, 0.7, 0.0)  # up to 0.1 m from the wall, again and again
    whole = first_contact_locally(question(times, xs, tolerance=1e-6), advance_first_contact)
    assert whole.verdict is Verdict.CLEAR
    budget = whole.evaluations // 2
    some = first_contact_locally(question(times, xs, tolerance=1e-6, budget=budget), advance_first_contact)
    assert some.verdict is Verdict.UNDECIDED
    assert 0.0 < some.t_lo < some.t_hi == times[-1]
    assert some.evaluations <= budget
    assert sum(whole.counts.values()) == whole.evaluations
