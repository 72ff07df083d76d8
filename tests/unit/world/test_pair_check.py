"""Verdicts over pairs: the first contact of any two parts, and the least distance."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.unit.world.worlds import at, scene, way

import keepclear as kc
from keepclear.results import Verdict
from keepclear.scene.scene import Scene
from keepclear.world import pair_check
from keepclear.world.near import checked_pairs, near_tasks
from keepclear.world.pair_check import PairTask, check_pair, pair_tasks
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
