"""Verdicts over pairs: the first contact of any two parts, and the least distance."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.world.worlds import at, scene, way

import keepclear as kc
from keepclear.kernels.tables.pair import Pairs
from keepclear.results import Verdict
from keepclear.scene.scene import Scene
from keepclear.world.selection.plan import checked_pairs, near_rows, plan_pairs
from keepclear.world.verify import pair_check
from keepclear.world.verify.pair_check import check_pair, part_rows

A, B = (0, 0), (1, 0)


def rows_of(tables: Scene, *given: tuple[float, float, float], q: int = 0) -> Pairs:
    """Rows of A and part q of the second item, in windows (t0, t1, margin)."""
    rows = part_rows(tables.timeline, 0, 1, given)
    return rows[rows["geom_b"] == tables.first[1] + q]


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
    rows = part_rows(tables.timeline, 0, 1, [(0.0, 1.0, 0.0)])
    later = rows.copy()
    later["since"][1] = 0.2
    for given in (rows, rows[::-1], later):
        finding = check_pair(given, tables.timeline, 1e-4, None)
        assert finding.verdict is Verdict.COLLIDING
        assert finding.which == (A, (1, 1))
        assert finding.contact is not None
        assert finding.contact.time == pytest.approx(0.3, abs=2e-4)


def test_later_rows_are_not_looked_at() -> None:
    tables = passing(0.15)
    early, late = (0.0, 0.6, 0.0), (0.7, 1.0, 0.0)
    both, one = (
        check_pair(rows_of(tables, late, early), tables.timeline, 1e-4, None),
        check_pair(rows_of(tables, early), tables.timeline, 1e-4, None),
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
    tables = passing(0.0)
    found = check_pair(
        rows_of(tables, *((t, t + 0.6, 0.0) for t in (0.0, 0.2, 0.7))), tables.timeline, 1e-4, None
    )
    assert found.contact is not None
    assert asked[0] == (0.0, 0.6)
    assert [t0 for t0, _ in asked] == [0.0, 0.2]
    assert asked[1][1] == pytest.approx(0.3, abs=1e-3)  # only until what is known
    assert found.contact.time == pytest.approx(0.3, abs=1e-3)


def test_what_the_budget_leaves_open() -> None:
    tables = passing(0.2001)
    whole = rows_of(tables, (0.0, 1.0, 0.0))
    finding = check_pair(whole, tables.timeline, 1e-6, 1)
    assert finding.verdict is Verdict.UNDECIDED
    assert 0.0 <= finding.left[0] < 0.5 < finding.left[1] <= 1.0
    assert check_pair(whole, tables.timeline, 1e-6, None).verdict is Verdict.CLEAR
    # A contact in another window is a contact; what is open before it is told.
    hit = check_pair(rows_of(tables, (0.0, 0.6, 0.0), (0.6, 1.0, 0.2)), tables.timeline, 1e-6, 1)
    assert hit.verdict is Verdict.COLLIDING
    assert hit.left[0] < 0.5


def test_rows_with_a_limit_end_there() -> None:
    tables = passing(0.15)
    finding = check_pair(rows_of(tables, (0.0, 1.0, 0.0)), tables.timeline, 1e-4, None, 0.2)
    assert finding.verdict is Verdict.CLEAR


def test_rows_are_sorted_by_pair_with_their_parts() -> None:
    world = kc.World()
    world.add(
        "a", [(kc.Sphere(0.1), at(0, 0)), (kc.Sphere(0.1), at(0, 5))], way([0, 1], (0, 0, 0), (1, 0, 0))
    )
    world.add("b", kc.Sphere(0.1), at(0.5, 5))
    world.add("c", kc.Sphere(0.1), at(0.5, 0))
    tables, steps = scene(world), scene(world).steps(0.0, 1.0)
    pairs, bodies, _ = checked_pairs(tables, steps, 0.0)
    assert pairs.tolist() == [[0, 1], [0, 2]]
    rows = near_rows(plan_pairs(tables, pairs, 0.0, 1.0), bodies, steps, None)
    found = [rows[rows["pair"] == k] for k in (0, 1)]
    assert [(tables.geoms[row["geom_a"]], tables.geoms[row["geom_b"]]) for (row,) in found] == [
        ((0, 1), (1, 0)),
        ((0, 0), (2, 0)),
    ]
    for (row,) in found:
        assert 0.0 <= row["t0"] <= 0.3
        assert row["t0"] <= row["hint"] <= row["t1"]
        assert row["t1"] >= 0.7
