"""Boxes around what parts pass: never too small, with slots that no knot and no change of a carrier is within."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from tests.oracles.poses import random_pose
from tests.unit.world.worlds import at, cube, drive, number, slider, swing, timeline, way

import keepclear as kc
from keepclear.world import sweep as module
from keepclear.world.sweep import Sweep, runs

Array = np.ndarray


def busy_world() -> kc.World:
    """All kinds of motions, objects of several parts, and a part that rides for a while."""
    rng = np.random.default_rng(4)
    times = np.linspace(0, 1.5, 7)
    turned = np.tile(random_pose(rng, 0.5), (7, 1, 1))
    c, s = np.cos(times), np.sin(times)
    R = np.tile(np.eye(3), (7, 1, 1))
    R[:, 0, 0], R[:, 0, 1], R[:, 1, 0], R[:, 1, 1] = c, -s, s, c
    turned[:, :3, :3] = R @ turned[:, :3, :3]
    poses = np.array([random_pose(rng, 0.5) for _ in range(3)])
    world = kc.World()
    world.add("cubic", kc.Box([0.3, 0.1, 0.2]), kc.PoseTrajectory(times, turned, "cubic", max_deviation=0.1))
    world.add(
        "screw",
        [(kc.Box([0.3, 0.1, 0.2]), random_pose(rng, 0.3)), (cube(0.1), random_pose(rng, 0.3))],
        kc.PoseTrajectory([0.1, 0.7, 1.2], poses, "screw"),
    )
    world.add("straight", kc.Capsule(0.1, 0.3), kc.PoseTrajectory([0.2, 0.5, 1.9], poses, "linear"))
    world.add("rest", kc.Cylinder(0.1, 0.3), random_pose(rng, 0.5))
    world.add("part", cube(0.2), random_pose(rng, 0.5))
    arm = kc.JointTrajectory(swing(), [0, 0.4, 1], [[0], [1], [-2]], interpolation="spline")
    world.add_robot("arm", swing(), arm, random_pose(rng, 0.3))
    world.attach("part", "arm/arm", 0.35, 0.85)
    return world


def points_of(body: object) -> Array:
    """Points of a body: corners, or a few of its surface."""
    shape = getattr(body, "mesh", body)
    if isinstance(shape, kc.Mesh):
        return np.asarray(shape.vertices)
    signs = np.array(list(itertools.product((-1, 0, 1), repeat=3)), dtype=float)
    if isinstance(shape, kc.Box):
        return 0.5 * signs * np.asarray(shape.size)
    units = signs[np.abs(signs).sum(axis=1) == 1]
    if isinstance(shape, kc.Sphere):
        return shape.radius * units
    along = np.array([0, 0, 0.5 * shape.length])
    if isinstance(shape, kc.Capsule):
        return np.concatenate([shape.radius * units + along, shape.radius * units - along])
    flat = units[units[:, 2] == 0.0]
    return np.concatenate([shape.radius * flat + along, shape.radius * flat - along])


@pytest.mark.parametrize("interval", [(0.0, 1.5), (-1.0, 3.0), (0.33, 0.36), (0.5, 0.5), (1.95, 4.0)])
def test_no_point_leaves_its_boxes(interval: tuple[float, float]) -> None:
    line = timeline(busy_world())
    sweep = Sweep(line, *interval)
    assert sweep.times[0] == interval[0]
    assert sweep.times[-1] == interval[1]
    slots = range(0, len(sweep.lower), max(1, len(sweep.lower) // 8))
    for (i, p), k in sweep.number.items():
        points = points_of(line.items[i].parts[p].body)
        for slot in slots:
            for t in np.linspace(sweep.times[slot], sweep.times[slot + 1], 5):
                for carrier in {line.carrier(i, t), line.carrier(i, sweep.times[slot])}:
                    X = line.motion(i, p, carrier).pose(t)
                    if not line.carriers[i][carrier].window[0] <= t <= line.carriers[i][carrier].window[1]:
                        continue
                    places = points @ X[:3, :3].T + X[:3, 3]
                    assert (places >= sweep.lower[slot, k]).all(), (line.items[i].name, p, t)
                    assert (places <= sweep.upper[slot, k]).all(), (line.items[i].name, p, t)


def test_boxes_at_an_instant_are_tight() -> None:
    world = kc.World()
    world.add("box", kc.Box([0.2, 0.4, 0.6]), way([0, 1], (1, 0, 0), (2, 0, 0)))
    sweep = Sweep(timeline(world), 0.5, 0.5)
    assert sweep.lower[0, 0] == pytest.approx([1.4, -0.2, -0.3], abs=1e-7)
    assert sweep.upper[0, 0] == pytest.approx([1.6, 0.2, 0.3], abs=1e-7)


def test_boxes_of_what_moves_are_not_much_too_large() -> None:
    world = kc.World()
    world.add("ball", kc.Sphere(0.1), way([0, 1], (0, 0, 0), (1.2, 0, 0)))
    sweep = Sweep(timeline(world), 0.0, 1.0)
    assert len(sweep.times) - 1 >= 1.2 / module.STEP
    size = sweep.upper[:, 0] - sweep.lower[:, 0]
    assert size.max() <= 0.2 + module.STEP + 1e-6
    assert sweep.lower[:, 0, 0].min() == pytest.approx(-0.1, abs=1e-7)
    assert sweep.upper[:, 0, 0].max() == pytest.approx(1.3, abs=1e-7)


def test_knots_and_changes_are_ends_of_slots() -> None:
    line = timeline(busy_world())
    sweep = Sweep(line, 0.0, 1.5)
    knots = {0.1, 0.7, 1.2, 0.2, 0.5, 0.4, 1.0, 0.75, 0.35, 0.85}
    assert knots <= set(sweep.times.tolist())
    assert (np.diff(sweep.times) > 0.0).all()
    assert module.FEWEST <= len(sweep.lower) <= module.MOST + module.FEWEST + len(knots)


def test_many_knots_are_all_kept() -> None:
    times = np.arange(501) / 500.0
    world = kc.World()
    world.add("ball", kc.Sphere(0.1), way(times.tolist(), *[(math.sin(9 * t), t, 0.0) for t in times]))
    sweep = Sweep(timeline(world), 0.0, 1.0)
    assert set(times.tolist()) <= set(sweep.times.tolist())


def test_gaps_are_lower_bounds_of_distances() -> None:
    world = busy_world()
    line = timeline(world)
    sweep = Sweep(line, 0.0, 1.5)
    pairs = list(itertools.combinations(range(len(sweep.parts)), 2))
    a, b = (np.array([pair[side] for pair in pairs]) for side in (0, 1))
    gaps = sweep.gaps(a, b)
    assert gaps.shape == (len(sweep.lower), len(pairs))
    for slot in range(0, len(sweep.lower), 9):
        t = 0.5 * (sweep.times[slot] + sweep.times[slot + 1])
        for k, (one, other) in enumerate(pairs):
            p, q = sweep.lower[slot, one], sweep.upper[slot, one]
            r, s = sweep.lower[slot, other], sweep.upper[slot, other]
            away = np.maximum(0.0, np.maximum(r - q, p - s))
            assert gaps[slot, k] == pytest.approx(float(np.linalg.norm(away)))
            if gaps[slot, k] > 0.0:
                middles = []
                for part in (one, other):
                    i, n = sweep.parts[part]
                    X = line.motion(i, n, line.carrier(i, t)).pose(t)
                    middles.append(X[:3, :3] @ line.items[i].parts[n].around[:3] + X[:3, 3])
                assert np.linalg.norm(middles[0] - middles[1]) >= gaps[slot, k]


def test_gaps_in_portions_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    sweep = Sweep(timeline(busy_world()), 0.0, 1.5)
    a, b = np.array([0, 1, 2, 3, 4]), np.array([5, 4, 0, 2, 1])
    whole = sweep.gaps(a, b)
    monkeypatch.setattr(module, "AT_ONCE", 2 * len(sweep.lower))
    assert np.array_equal(sweep.gaps(a, b), whole)


def test_a_part_has_the_boxes_of_what_carries_it() -> None:
    world = kc.World()
    world.add_robot("bot", slider(), drive([0, 2], [0, 2]))
    world.add("part", kc.Sphere(0.05), at(0.5, 0, 1))
    world.attach("part", "bot/head", 0.5, 1.5)
    line = timeline(world)
    sweep = Sweep(line, 0.0, 2.0)
    k = sweep.number[number(line, "part"), 0]
    middles = 0.5 * (sweep.times[:-1] + sweep.times[1:])
    x = np.clip(middles, 0.5, 1.5)
    assert np.allclose(0.5 * (sweep.lower[:, k, 0] + sweep.upper[:, k, 0]), x, atol=1e-9)


@pytest.mark.parametrize(
    ("near", "found"),
    [
        ([], []),
        ([False, False], []),
        ([True], [(0, 1)]),
        ([True, True, False, True], [(0, 2), (3, 4)]),
        ([False, True, True], [(1, 3)]),
    ],
)
def test_runs(near: list[bool], found: list[tuple[int, int]]) -> None:
    assert runs(np.array(near, dtype=bool)) == found
