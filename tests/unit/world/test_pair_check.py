"""Verdicts over pairs: the first contact of any two parts, and the least distance."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from tests.unit.world.worlds import at, drive, number, scene, slider, way

import keepclear as kc
from keepclear.continuous.clearance import least_below
from keepclear.results import Verdict
from keepclear.scene.scene import Scene
from keepclear.world import pair_check
from keepclear.world.near import checked_pairs, near_tasks
from keepclear.world.pair_check import PairTask, check_pair, measure_pair, pair_tasks, task_query
from keepclear.world.plan import plan_pairs

A, B = (0, 0), (1, 0)


def passing(y: float = 0.25) -> Scene:
    """Ball a of 0.1 m passes ball b at x = 0.5 m, y m away, at 1 m/s."""
    world = kc.World()
    world.add("a", kc.Sphere(0.1), way([0, 1], (0, 0, 0), (1, 0, 0)))
    world.add("b", kc.Sphere(0.1), at(0.5, y))
    return scene(world)


def test_the_first_contact_of_any_two_parts() -> None:
    """Part 1 meets at 0.3 s, part 0 at 0.5 s; whichever is checked first, the earlier one counts."""
    world = kc.World()
    world.add("a", kc.Sphere(0.1), way([0, 1], (0, 0, 0), (1, 0, 0)))
    world.add("b", [(kc.Sphere(0.1), at(0.7, 0)), (kc.Sphere(0.1), at(0.5, 0))], at(0, 0))
    tables = scene(world)
    tasks = [PairTask(0, A, (1, q), 0.0, 1.0, 0.0) for q in (0, 1)]
    for given in (tasks, tasks[::-1], [tasks[0], tasks[1]._replace(t0=0.2)]):
        finding = check_pair(given, tables.timeline, 1e-4, None)
        assert finding.verdict is Verdict.COLLIDING
        assert finding.which == (A, (1, 1))
        assert finding.contact is not None
        assert finding.contact.time == pytest.approx(0.3, abs=2e-4)


def test_later_tasks_are_not_looked_at() -> None:
    tables = passing(0.15)
    early, late = PairTask(0, A, B, 0.0, 0.6, 0.0), PairTask(0, A, B, 0.7, 1.0, 0.0)
    both, one = (
        check_pair([late, early], tables.timeline, 1e-4, None),
        check_pair([early], tables.timeline, 1e-4, None),
    )
    assert both.evaluations == one.evaluations
    assert both.contact is not None
    assert both.contact.time == one.contact.time  # type: ignore[union-attr]


def test_windows_after_a_contact_are_not_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, answer = [], pair_check.answer_query

    def note(query: Any, *more: Any) -> Any:
        asked.append((query.t0, query.t1))
        return answer(query, *more)

    monkeypatch.setattr(pair_check, "answer_query", note)
    tasks = [PairTask(0, A, B, t, t + 0.6, 0.0) for t in (0.0, 0.2, 0.7)]
    found = check_pair(tasks, passing(0.0).timeline, 1e-4, None)
    assert found.contact is not None
    assert asked[0] == (0.0, 0.6)
    assert [t0 for t0, _ in asked] == [0.0, 0.2]
    assert asked[1][1] == pytest.approx(0.3, abs=1e-3)  # only until what is known
    assert found.contact.time == pytest.approx(0.3, abs=1e-3)


def test_what_the_budget_leaves_open() -> None:
    tables = passing(0.2001)
    task = PairTask(0, A, B, 0.0, 1.0, 0.0)
    finding = check_pair([task], tables.timeline, 1e-6, 1)
    assert finding.verdict is Verdict.UNDECIDED
    assert 0.0 <= finding.left[0] < 0.5 < finding.left[1] <= 1.0
    assert check_pair([task], tables.timeline, 1e-6, None).verdict is Verdict.CLEAR
    # A contact in another window is a contact; what is open before it is told.
    hit = check_pair([task._replace(t1=0.6), PairTask(0, A, B, 0.6, 1.0, 0.2)], tables.timeline, 1e-6, 1)
    assert hit.verdict is Verdict.COLLIDING
    assert hit.left[0] < 0.5


def test_tasks_with_a_limit_end_there() -> None:
    tables = passing(0.15)
    finding = check_pair([PairTask(0, A, B, 0.0, 1.0, 0.0)], tables.timeline, 1e-4, None, 0.2)
    assert finding.verdict is Verdict.CLEAR


def least(tasks: list[PairTask], tables: Scene, budget: int | None = None) -> Any:
    """The least distance below 0.1 m to 0.1 mm, looked for at the start of each task first, or at its hint."""
    steps = tables.steps(min(task.t0 for task in tasks), max(task.t1 for task in tasks))
    return measure_pair(
        [task if math.isfinite(task.hint) else task._replace(hint=task.t0) for task in tasks],
        tables,
        steps.times,
        1e-4,
        budget,
        0.1,
    )


def test_the_least_distance_of_any_two_parts() -> None:
    world = kc.World()
    world.add("a", kc.Sphere(0.1), way([0, 1], (0, 0, 0), (1, 0, 0)))
    world.add("b", [(kc.Sphere(0.1), at(0.3, 0.26)), (kc.Sphere(0.1), at(0.6, 0.23))], at(0, 0))
    tables = scene(world)
    tasks = [PairTask(0, A, (1, q), 0.0, 1.0, 0.0) for q in (0, 1)]
    for given in (tasks, tasks[::-1]):
        lower, upper, time, which, effort = least(given, tables)
        assert lower <= 0.03 <= upper <= lower + 1e-4
        assert which == (A, (1, 1))
        assert time == pytest.approx(0.6, abs=0.02)
        assert effort > 0


def test_the_least_distance_is_a_little_below_the_first_look() -> None:
    """The look at 0.464 s sees 0.0605 m, and the least distance is 0.058 m: hulls may rule out nothing around it."""
    lower, upper, *_ = least([PairTask(0, A, B, 0.0, 1.0, 0.0, 0.464)], passing(0.258))
    assert lower <= 0.058 <= upper <= lower + 1e-4


def test_what_the_budget_leaves_unmeasured_counts_as_nothing() -> None:
    """One distance per window does not bound the first; that the second is known does not help."""
    found = least([PairTask(0, A, B, 0.0, 1.0, 0.0), PairTask(0, A, B, 0.5, 0.5, 0.0)], passing(0.25), 1)
    assert found[0] == 0.0
    assert found[1] == pytest.approx(0.05)


def test_distances_beyond_far_are_not_told_apart() -> None:
    tables = passing(0.5)
    lower, upper, time, which, _ = least([PairTask(0, A, B, 0.0, 1.0, 0.0)], tables)
    assert upper == math.inf
    assert 0.1 <= lower <= 0.3
    assert which is None
    assert math.isnan(time)
    one = least([PairTask(0, A, B, 0.5, 0.5, 0.0)], passing(0.25))
    assert one[0] == pytest.approx(0.05)
    assert one[1] == pytest.approx(0.05)


def test_what_is_not_below_a_limit_is_only_said_to_be_so() -> None:
    """Balls that stay 0.3 m apart, asked about distances below 0.1 m: a tolerance below that is proved, no more."""
    for t1 in (1.0, 0.5):
        query, _ = task_query(PairTask(0, A, B, 0.5, t1, 0.0), passing(0.5).timeline, 1e-3, None)
        lower, upper, *_ = least_below(query, 0.1, 0.5)
        assert upper == 0.1
        assert 0.1 - 1e-3 <= lower <= 0.3 + 1e-12


def test_overlap_is_no_distance() -> None:
    found = least([PairTask(0, A, B, 0.0, 1.0, 0.0)], passing(0.0))
    assert found[:2] == pytest.approx((0.0, 0.0), abs=1e-9)
    assert found[0] == 0.0
    assert least([PairTask(0, A, B, 0.45, 0.55, 0.0)], passing(0.0))[:2] == (0.0, 0.0)


def test_a_part_and_its_carrier() -> None:
    """The part waits at 1 m; the head that takes it there comes as close as 0.05 m, and keeps that."""
    world = kc.World()
    world.add_robot("bot", slider(), drive([0, 2], [0, 2]))
    world.add("part", kc.Sphere(0.05), at(1, 0, -0.2))
    world.attach("part", "bot/head", 1.0, 1.5)
    tables = scene(world)
    head, part = (number(tables, "bot/head"), 0), (number(tables, "part"), 0)
    for t0, t1, gap in ((0.0, 1.0, 0.05), (1.0, 1.5, 0.05), (1.5, 2.0, 0.05)):
        lower, upper, *_ = least([PairTask(0, head, part, t0, t1, 0.0)], tables)
        assert lower - 1e-12 <= gap <= upper + 1e-12
        assert upper - lower <= 1e-4


def test_tasks_are_sorted_by_pair_with_their_parts() -> None:
    world = kc.World()
    world.add(
        "a", [(kc.Sphere(0.1), at(0, 0)), (kc.Sphere(0.1), at(0, 5))], way([0, 1], (0, 0, 0), (1, 0, 0))
    )
    world.add("b", kc.Sphere(0.1), at(0.5, 5))
    world.add("c", kc.Sphere(0.1), at(0.5, 0))
    tables, steps = scene(world), scene(world).steps(0.0, 1.0)
    pairs, bodies, _ = checked_pairs(tables, steps, 0.0)
    assert pairs.tolist() == [[0, 1], [0, 2]]
    tasks = near_tasks(plan_pairs(tables, pairs, 0.0, 1.0), bodies, steps, None)
    found = pair_tasks(tables, tasks[np.argsort(-tasks.pair)])
    assert list(found) == [0, 1]
    assert [(task.pair, task.a, task.b) for some in found.values() for task in some] == [
        (0, (0, 1), (1, 0)),
        (1, (0, 0), (2, 0)),
    ]
    for (task,) in found.values():
        assert 0.0 <= task.t0 <= 0.3
        assert task.t0 <= task.hint <= task.t1
        assert task.t1 >= 0.7
    assert pair_tasks(tables, tasks[np.zeros(2, dtype=bool)]) == {}


def tilted(x: float, z: float) -> np.ndarray:
    """A frame whose z axis is along (1, 0, 1): boxes around two rods in it overlap though the rods are apart."""
    X = at(x, 0, z)
    c = math.sqrt(0.5)
    X[:3, :3] = [[c, 0, c], [0, 1, 0], [-c, 0, c]]
    return X


def test_the_least_distance_is_after_a_change_of_carriers() -> None:
    """Two parallel rods keep 0.06 m; then one is taken 0.02 m along x and back: 0.06 - 0.02 / sqrt(2) at 0.75 s.

    Parts of the tasks before and after the taking were once joined, and answered as if it had never been taken: 0.06 m.
    """
    world = kc.World()
    world.add_robot("bot", slider(), drive([0, 0.5, 0.75, 1], [0, 0, 0.02, 0]))
    world.add("part", kc.Capsule(0.02, 1.0), tilted(0, 5))
    world.attach("part", "bot/head", 0.5)
    d = 0.1 * math.sqrt(2.0)
    ends = [tilted(d - 0.1, 4.9), tilted(d + 0.1, 5.1)]
    world.add("bird", kc.Capsule(0.02, 1.0), kc.PoseTrajectory([0, 1], ends, "linear"))
    tables = scene(world)
    bird, part = (number(tables, "bird"), 0), (number(tables, "part"), 0)
    lower, upper, time, *_ = least(
        [PairTask(0, bird, part, 0.0, 0.5, 0.0), PairTask(0, bird, part, 0.5, 1.0, 0.0)], tables
    )
    assert lower <= 0.06 - 0.02 * math.sqrt(0.5) + 1e-12 <= upper + 2e-12
    assert upper - lower <= 1e-4
    assert time == pytest.approx(0.75, abs=0.01)
