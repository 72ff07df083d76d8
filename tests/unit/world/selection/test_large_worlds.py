"""Worlds with many pairs list those that come near: the same verdicts as where every pair is listed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numba import config
from tests.oracles.poses import random_pose
from tests.unit.world.worlds import at, cube, drive, slider, swing, way

import keepclear as kc
from keepclear.results import Verdict
from keepclear.scene import steps
from keepclear.world.selection import plan as plans

Options = dict[str, Any]


def random_world(seed: int) -> kc.World:
    """Things that rest, pass, wait, travel together, ride and turn, at different times, with rules of all kinds."""
    rng = np.random.default_rng(seed)
    world = kc.World(threads=1)
    together = rng.uniform(-1, 1, 3)
    for k in range(16):
        shape = [kc.Sphere(0.1), kc.Box([0.4, 0.1, 0.1]), cube(0.15), kc.Capsule(0.05, 0.3)][k % 4]
        start, end = rng.uniform(-1.2, 1.2, (2, 3))
        begin = float(rng.integers(0, 3)) * 0.5
        if k % 4 == 0:
            motion: Any = at(*start)
        elif k % 4 == 1:
            motion = way([0, 1], start, start + together)
        elif k % 4 == 2:
            motion = way([begin, begin + 0.5], start, end)
        else:
            ends = [random_pose(rng, 0.8), random_pose(rng, 0.8)]
            motion = kc.PoseTrajectory([begin, begin + 0.7], ends, "screw")
        world.add(f"x{k:02}", shape, motion)
    world.add("pair", [(kc.Sphere(0.05), at(0, 0)), (cube(0.1), at(0.5, 0))], random_pose(rng, 1.0))
    world.add_robot("bot", slider(), drive([0, 0.5, 2], [-1, -1, 1], [0, 0.2, 0]), at(0, 0.3))
    arm = kc.JointTrajectory(swing(), [0.3, 1.2], [[0], [rng.uniform(-3, 3)]])
    world.add_robot("arm", swing(), arm, at(0.2, 0, 0.1))
    world.add("part", kc.Sphere(0.08), at(-0.5, 0.3, -0.4))
    world.attach("part", "bot/head", 0.8, 1.6)
    names = [*(f"x{k:02}" for k in range(16)), "pair", "bot", "arm", "part"]
    for _ in range(3):
        world.set_margin(str(rng.choice(names)), None, float(rng.uniform(0, 0.1)))
        a, b = (str(name) for name in rng.choice(names, 2, replace=False))
        world.set_margin(a, b, float(rng.choice([0.0, 0.05, 0.3])))
        a, b = (str(name) for name in rng.choice(names, 2, replace=False))
        world.allow(a, b) if rng.random() < 0.5 else world.allow(a, b, t_from=0.5, t_to=0.6)
    if seed % 3 == 1:
        world.set_path_tolerance("bot" if seed % 2 else "x02", distance=0.01, time=0.02)
    if seed % 4 == 3:
        world.only([*names[::3], ("arm", "bot")])
    return world


def both(seed: int, monkeypatch: pytest.MonkeyPatch, **options: Any) -> tuple[kc.Report, kc.Report]:
    """A report with all pairs, and one with those that come near; time is divided for the second."""
    monkeypatch.setattr(plans, "MOST_LISTED", 2000)
    whole = random_world(seed).verify(**options)
    monkeypatch.setattr(plans, "MOST_LISTED", 0)
    monkeypatch.setattr(steps, "PAIRS_EACH", seed % 3)
    monkeypatch.setattr(steps, "PAIRS_BESIDES", 40)
    return whole, random_world(seed).verify(**options)


CASES: list[Options] = [
    {},
    {"clearances": False},
    {"t0": 1.0, "t1": 1.6},
    {"t0": 2.2, "t1": 3.0},
    {"t0": 0.8, "t1": 0.8},
    {"contacts": "all", "clearances": False},
    {"contacts": "earliest", "clearances": False},
    {"far": 0.4, "t0": -1.0, "t1": 0.55},
]


def far_of(report: kc.Report) -> int:
    return 0 if report.far is None else report.far.count


@pytest.mark.parametrize("case", range(len(CASES)))
@pytest.mark.parametrize("seed", range(2 if config.DISABLE_JIT else 6))
def test_large_worlds_say_the_same_as_small_ones(
    seed: int, case: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, some = both(seed, monkeypatch, **CASES[case])
    listed = {(pair.a, pair.b): pair for pair in some.pairs}
    every = {(pair.a, pair.b): pair for pair in whole.pairs}
    assert set(listed) <= set(every)
    for names, pair in every.items():
        if names in listed:
            assert listed[names] == pair
        else:
            assert (pair.verdict, pair.proof, pair.contacts) == (Verdict.CLEAR, "swept boxes", ())
            assert pair.clearance_upper is None
    assert some.verdict is whole.verdict
    assert some.unchecked == whole.unchecked
    assert some.warnings == whole.warnings
    assert whole.far is None
    assert far_of(some) + len(listed) == len(every)
    assert some.statistics["at rest and apart"] == whole.statistics["at rest and apart"]


def test_the_random_worlds_have_all_verdicts_and_far_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    verdicts, far = set(), 0
    for seed in range(3):
        _, some = both(seed, monkeypatch, contacts="earliest", clearances=False)
        verdicts |= {pair.verdict for pair in some.pairs}
        far += far_of(some)
    assert verdicts == set(Verdict)
    assert far > 30


def arrived() -> kc.World:
    """A ball that arrives at 1 s inside another one, while something else moves on until 3 s."""
    world = kc.World()
    world.add("a", kc.Sphere(0.1), way([0, 1], (0, 0, 0), (1, 0, 0)))
    world.add("b", kc.Sphere(0.1), at(1.1, 0))
    world.add("c", kc.Sphere(0.1), way([0, 3], (0, 5, 0), (1, 5, 0)))
    return world


@pytest.mark.parametrize("most", [0, 2000])
def test_contact_of_two_that_rest_in_the_interval_but_moved_before(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bodies that rest were compared with those that move only, so this was CLEAR where only near pairs are listed."""
    monkeypatch.setattr(plans, "MOST_LISTED", most)
    for t0, t1 in ((2.0, 3.0), (2.0, 2.0), (4.0, 5.0)):
        report = arrived().verify(t0, t1)
        assert report.verdict is Verdict.COLLIDING
        (hit,) = [pair for pair in report.pairs if pair.verdict is Verdict.COLLIDING]
        assert (hit.a, hit.b, hit.time) == ("a", "b", t0)


def test_a_pair_within_its_margin_is_found_though_its_boxes_are_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Margins of one object, of the pair, and path tolerances, with 0.3 m between boxes."""
    monkeypatch.setattr(plans, "MOST_LISTED", 0)
    for margin, verdict in ((0.29, Verdict.CLEAR), (0.31, Verdict.COLLIDING)):
        for kind in ("own", "pair", "path"):
            world = kc.World()
            world.add("a", kc.Box([0.2] * 3), way([0, 1], (0, 0, 0), (1, 0, 0)))
            world.add("b", kc.Box([0.2] * 3), at(0.5, 0.5))
            world.add("c", kc.Box([0.2] * 3), at(0.5, 50))
            if kind == "own":
                world.set_margin("b", None, margin)
            elif kind == "pair":
                world.set_margin("a", "b", margin)
            else:
                world.set_path_tolerance("b", distance=margin)
            report = world.verify(clearances=False)
            assert report.verdict is verdict, (kind, margin)


def test_a_world_of_many_bodies(monkeypatch: pytest.MonkeyPatch) -> None:
    """A grid of balls 0.5 m apart, and one that travels along a row at 0.15 m: it meets each ball of that row."""
    world = kc.World(threads=1)
    for i in range(9):
        for j in range(9):
            world.add(f"b{i}{j}", kc.Sphere(0.1), at(0.5 * i, 0.5 * j))
    world.add("a", kc.Sphere(0.1), way([0, 1], (-1, 0.15, 0), (5, 0.15, 0)))
    monkeypatch.setattr(plans, "MOST_LISTED", 50)
    report = world.verify(tolerance=1e-4, clearances=False)
    hits = [(pair.b, pair.time) for pair in report.pairs if pair.verdict is Verdict.COLLIDING]
    assert [name for name, _ in hits] == [f"b{i}0" for i in range(9)]
    half = math.sqrt(0.2**2 - 0.15**2)
    assert [time for _, time in hits] == pytest.approx([(1 + 0.5 * i - half) / 6 for i in range(9)], abs=1e-3)
    assert far_of(report) + len(report.pairs) == 81
    assert far_of(report) >= 60
    assert report.statistics["at rest and apart"] == 81 * 80 // 2


def test_pairs_allowed_all_the_time_leave_a_count_that_can_be_printed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The count was a NumPy integer then, and the report could not be printed.
    monkeypatch.setattr(plans, "MOST_LISTED", 0)
    world = kc.World()
    for k in range(8):
        world.add(f"{k}", kc.Sphere(0.1), way([0, 1], (0, 5.0 * k, 0), (1, 5.0 * k, 0.1 * k)))
    world.allow("0", "5", t_from=-1.0, t_to=2.0)
    report = world.verify(0.0, 1.0)
    assert type(far_of(report)) is int
    assert far_of(report) == 27
    assert "27 pairs" in str(report)
    assert report.to_junit()
