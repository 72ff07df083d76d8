"""Pair tasks that are known from earlier runs: equal reports, and only what changed is computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from tests.unit.world.selection.test_windows import path, world_of

import keepclear as kc
from keepclear.world.selection import windows


class Known:
    """Results in memory, with counts."""

    part, keeps = (0, 1), True

    def __init__(self) -> None:
        self.rows: dict[bytes, bytes] = {}
        self.computed = self.stored = 0

    def find(self, kind: int, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:  # noqa: ARG002
        return {key: self.rows[key] for key in keys if key in self.rows}

    def keep(self, kind: int, found: Mapping[bytes, bytes]) -> None:  # noqa: ARG002
        self.rows.update(found)

    def count(self, computed: int, stored: int) -> None:
        self.computed, self.stored = self.computed + computed, self.stored + stored

    def note_pairs(self, found: Sequence[tuple[bytes, ...]]) -> None: ...

    def counts(self) -> tuple[int, int]:
        """Counts since the last call."""
        found = self.computed, self.stored
        self.computed = self.stored = 0
        return found


def findings(world: kc.World, **options: object) -> str:
    return world.verify(**options).to_json(effort=False)  # type: ignore[arg-type]


@pytest.fixture(params=[4, 1000])
def _segments(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Windows of about four segments, or one."""
    monkeypatch.setattr(windows, "SEGMENTS", request.param)
    monkeypatch.setattr(windows, "FEW", request.param)


@pytest.mark.usefixtures("_segments")
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("contacts", ["first", "all"])
def test_reports_with_known_results_have_the_same_bytes(seed: int, contacts: str) -> None:
    given, known = path(40, seed, beyond=0.015 * (seed % 3)), Known()
    options = {"contacts": contacts, "tolerance": 1e-4}
    plain = findings(world_of(given), **options)
    assert findings(world_of(given), store=known, **options) == plain
    computed, stored = known.counts()
    assert computed > 0
    assert stored == 0
    assert findings(world_of(given), store=known, **options) == plain
    assert known.counts()[0] == 0


@pytest.mark.usefixtures("_segments")
@pytest.mark.parametrize("seed", range(3))
def test_parts_in_any_order_give_the_whole_report(seed: int) -> None:
    given, known = path(40, seed, beyond=0.015 * seed), Known()
    for k in (2, 0, 1):
        known.part = k, 3
        world_of(given).verify(store=known)
    known.part = 0, 1
    parts, _ = known.counts()
    assert findings(world_of(given), store=known) == findings(world_of(given))
    computed, _ = known.counts()
    assert parts > 0
    assert computed == 0


@pytest.mark.usefixtures("_segments")
@pytest.mark.parametrize("seed", range(4))
def test_a_changed_waypoint_is_proved_again_and_equals_a_full_run(seed: int) -> None:
    given, known = path(40, seed), Known()
    findings(world_of(given), store=known)
    first, _ = known.counts()
    given[20] += 0.005
    assert findings(world_of(given), store=known) == findings(world_of(given))
    computed, stored = known.counts()
    assert 0 < computed <= first
    if windows.FEW == 4:
        assert stored > computed


@pytest.mark.usefixtures("_segments")
def test_a_moved_fixture_is_proved_again_alone() -> None:
    given, known = path(40), Known()
    findings(world_of(given), store=known)
    total, _ = known.counts()
    assert findings(world_of(given, 1.003), store=known) == findings(world_of(given, 1.003))
    computed, stored = known.counts()
    only_box = Known()
    world = world_of(given, 1.003)
    world.only([("ball", "box")])
    world.verify(store=only_box)
    assert computed == only_box.counts()[0]
    assert stored > 0
    assert total > computed


@pytest.mark.parametrize(("name", "value"), [("tolerance", 2e-3), ("far", 0.2), ("budget", 10_000)])
def test_other_questions_are_other_pair_tasks(name: str, value: float) -> None:
    given, known = path(30), Known()
    findings(world_of(given), store=known)
    known.counts()
    assert findings(world_of(given), store=known, **{name: value}) == findings(
        world_of(given), **{name: value}
    )
    assert known.counts()[0] > 0


def test_a_margin_and_a_shape_are_part_of_the_content() -> None:
    given, known = path(30), Known()
    findings(world_of(given), store=known)
    known.counts()
    world = world_of(given)
    world.set_margin("ball", "box", 0.02)
    report = world.verify(store=known)
    assert report.pair("ball", "box").margin == 0.02
    assert known.counts()[0] > 0


def test_content_that_cannot_be_is_computed_again() -> None:
    given, known = path(30), Known()
    plain = findings(world_of(given), store=known)
    known.counts()
    rng = np.random.default_rng(1)
    for key, content in known.rows.items():
        damaged = bytearray(content)
        damaged[0] = 77  # no verdict, and no state
        known.rows[key] = bytes(damaged) if rng.random() < 0.5 else content[:-1]
    assert findings(world_of(given), store=known) == plain
    assert known.counts()[0] > 0


def test_motions_of_a_users_class_are_never_known() -> None:
    class Shaking(kc.CustomMotion):
        def pose(self, t: float) -> np.ndarray:
            X = np.eye(4)
            X[0, 3] = 0.75 * t
            return X

        def path_length(self, radius: float, t0: float, t1: float) -> float:  # noqa: ARG002
            return 0.75 * (t1 - t0) * (1.0 + 1e-12)

    known = Known()
    for _ in range(2):
        world = kc.World(threads=1)
        world.add("shaking", kc.Sphere(0.1), Shaking(0.0, 1.0))
        world.add(
            "box",
            kc.Box([0.2, 0.2, 0.2]),
            np.array([[1, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]]),
        )
        world.verify(store=known)
        computed, stored = known.counts()
        assert computed > 0
        assert stored == 0
