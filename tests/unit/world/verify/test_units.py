"""Results of pair tasks in a store: a second verification reads what the first one computed, and answers the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.unit.world.worlds import at, drive, slider, way

import keepclear as kc


def cell() -> kc.World:
    """A ball meets a wall and passes a post; a robot takes a part along: contacts relative to links, too."""
    world = kc.World(threads=1)
    world.add("wall", kc.Box([0.2, 2.0, 2.0]), at(1, 0))
    world.add("ball", kc.Sphere(0.1), way([0, 1, 2], (0, 0, 0), (2, 0, 0), (0, 0.5, 0)))
    world.add("post", kc.Box([0.1, 0.1, 0.1]), at(0.5, 0.4))
    world.add_robot("bot", slider(), drive([0, 2], [0, 2]))
    world.add("part", kc.Sphere(0.05), at(1, 0, -0.2))
    world.attach("part", "bot/head", 1.0, 1.5)
    return world


def answers(report: kc.Report) -> list[Any]:
    return [
        (pair.a, pair.b, pair.verdict, pair.t_lo, pair.t_hi, pair.clearance_lower, pair.clearance_upper,
         [(one.time, one.t_lo, one.t_hi, one.p_W, one.normal_W) for one in pair.contacts])
        for pair in report.pairs
    ]  # fmt: skip


def test_stored_results_are_those_that_were_computed(tmp_path: Path) -> None:
    expected = answers(cell().verify())
    assert {verdict for _, _, verdict, *_ in expected} >= {kc.Verdict.CLEAR, kc.Verdict.COLLIDING}
    with kc.ResultStore(tmp_path / "results.db") as store:
        assert answers(cell().verify(store=store)) == expected
        computed = store.computed
        assert computed > 0
        assert answers(cell().verify(store=store)) == expected
        assert store.computed == computed
        assert store.stored >= computed
