"""Boxes around what bodies pass: no sampled point leaves them, and they are tight where motion is straight."""

from __future__ import annotations

import itertools
import math
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.oracles.poses import random_pose, random_rotation

import keepclear as kc
from keepclear.geometry.bodies.bounds import bounding_volumes_of
from keepclear.kernels.broad_phase import swept
from keepclear.kernels.tables.motion import SPAN, segment_rows
from keepclear.motion.path_length import WORLD_FRAME

Array = np.ndarray
TIMES = np.array([0.0, 0.1, 0.35, 0.4, 0.9, 1.0, 1.5])

# Revolute, prismatic and mimicking joints on axes that are not parallel, and a branch.
CHAIN = """
<robot name="chain">
<link name="l0"/><link name="l1"/><link name="l2"/><link name="l3"/><link name="l4"/><link name="l5"/>
<joint name="a" type="continuous"><parent link="l0"/><child link="l1"/><origin xyz="0.1 0 0.2" rpy="0.3 0 1"/>
  <axis xyz="0 0 1"/></joint>
<joint name="b" type="prismatic"><parent link="l1"/><child link="l2"/><origin xyz="0.4 0.1 0" rpy="0 1 0"/>
  <axis xyz="1 2 0"/><limit lower="-9" upper="9" velocity="99" effort="1"/></joint>
<joint name="c" type="revolute"><parent link="l2"/><child link="l3"/><origin xyz="0.2 0 0.3" rpy="1 2 0"/>
  <axis xyz="1 0 1"/><limit lower="-9" upper="9" velocity="99" effort="1"/></joint>
<joint name="d" type="revolute"><parent link="l3"/><child link="l4"/><origin xyz="0.3 0 0"/><axis xyz="0 1 0"/>
  <limit lower="-99" upper="99" velocity="99" effort="1"/><mimic joint="a" multiplier="-2" offset="0.3"/></joint>
<joint name="e" type="prismatic"><parent link="l1"/><child link="l5"/><origin xyz="0 0.3 0"/><axis xyz="0 0 1"/>
  <limit lower="-99" upper="99" velocity="99" effort="1"/><mimic joint="c" multiplier="0.5"/></joint>
</robot>
"""


@cache
def chain() -> kc.Robot:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "chain.urdf"
        file.write_text(CHAIN)
        return kc.read_robot(file)


def program(rng: np.random.Generator, kind: str, times: Array) -> kc.JointTrajectory:
    q = np.cumsum(rng.normal(size=(len(times), 3)) * 0.7, axis=0)
    q[2] = q[1]  # nothing moves between these
    return kc.JointTrajectory(chain(), times, q, interpolation=kind)  # type: ignore[arg-type]


def motion_of(kind: str, rng: np.random.Generator, times: Array = TIMES) -> Any:
    """A motion of some kind with knots at the given times."""
    if kind == "fixed":
        return kc.Fixed(random_pose(rng, 1.0))
    if kind.startswith("l") and kind[1].isdigit():
        return program(rng, kind[3:], times).link(kind[:2], random_pose(rng, 1.0), random_pose(rng, 0.2))
    if kind == "straight":
        return kc.PoseTrajectory.from_positions(
            times, rng.uniform(-1, 1, (len(times), 3)), interpolation="linear"
        )
    if kind == "cubic":  # a segment has four samples, evenly spaced
        times = np.concatenate([np.linspace(*times[[0, 3]], 4), np.linspace(*times[[3, 6]], 4)[1:]])
        X = np.tile(random_pose(rng, 0.5), (len(times), 1, 1))
        angle = 0.6 * np.cumsum(rng.uniform(0, 0.3, len(times)))
        c, s = np.cos(angle), np.sin(angle)
        R = np.tile(np.eye(3), (len(times), 1, 1))
        R[:, 0, 0], R[:, 0, 1], R[:, 1, 0], R[:, 1, 1] = c, -s, s, c
        X[:, :3, :3] = R @ X[:, :3, :3]
        X[:, :3, 3] += np.cumsum(rng.normal(size=(len(times), 3)) * 0.2, axis=0)
        return kc.PoseTrajectory(times, X, "cubic", max_deviation=0.3)
    X = np.array([random_pose(rng, 1.0) for _ in times])
    X[2] = X[1]
    return kc.PoseTrajectory(times, X, kind)  # type: ignore[arg-type]


KINDS = ["fixed", "straight", "linear", "screw", "cubic"]
KINDS += [f"l{link} {kind}" for link in (1, 2, 4, 5) for kind in ("linear", "spline")]


def cloud(rng: np.random.Generator) -> tuple[Array, Array]:
    """Corners of a hull that is away from the origin of its frame and not round, and a ball and a box around it."""
    corners = rng.normal(size=(12, 3)) * [0.2, 0.05, 0.01] @ random_rotation(rng).T + rng.uniform(
        -0.3, 0.3, 3
    )
    return corners, bounding_volumes_of(kc.Convex(corners)).around


def boxes_of(motion: Any, around: Array, times: Array) -> Array:
    """The boxes (steps, 6) of one body."""
    out = np.full((len(times) - 1, 1, 6), np.nan)
    rows = np.zeros(1, SPAN)
    Q = motion._packed.copy()
    rows["end_step"] = len(times) - 1
    swept.swept_boxes(WORLD_FRAME, Q, rows, around[None].copy(), np.asarray(times, float), out)
    return out[:, 0]


def check_contained(motion: Any, corners: Array, times: Array, boxes: Array, n: int = 25) -> None:
    for step, (begin, end) in enumerate(itertools.pairwise(times)):
        inside = [t for t in TIMES.tolist() if begin <= t <= end]
        for t in [*np.clip(np.linspace(begin, end, n), begin, end).tolist(), *inside]:
            X = motion.pose(t)
            places = corners @ X[:3, :3].T + X[:3, 3]
            assert (places >= boxes[step, :3]).all(), (step, t)
            assert (places <= boxes[step, 3:]).all(), (step, t)


STEPS = {
    "even": np.linspace(-0.2, 1.7, 14),
    "one": np.array([-1.0, 3.0]),
    "several knots": np.array([0.05, 0.5, 0.95, 1.6]),
    "knots": np.unique([*TIMES, 0.2, 0.7]),
    "before and after": np.array([-3.0, -2.0, 0.0, 1.5, 2.0, 9.0]),
    "instant": np.array([0.37, 0.37]),
    "instant at a knot": np.array([0.4, 0.4]),
    "instant at the end": np.array([1.5, 1.5]),
}


@pytest.mark.parametrize("steps", STEPS)
@pytest.mark.parametrize("kind", KINDS)
def test_no_point_leaves_its_boxes(kind: str, steps: str) -> None:
    for seed in range(3):
        rng = np.random.default_rng([seed, len(kind)])
        motion, (corners, around) = motion_of(kind, rng), cloud(rng)
        boxes = boxes_of(motion, around, STEPS[steps])
        assert np.isfinite(boxes).all()
        check_contained(motion, corners, STEPS[steps], boxes)


@pytest.mark.parametrize("kind", KINDS)
def test_steps_of_a_few_ticks_hold_the_path(kind: str) -> None:
    """Also where time is large, so that half of a step rounds to its end, and around knots."""
    for start in (0.0, 1e5):
        rng = np.random.default_rng(5)
        motion, (corners, around) = motion_of(kind, rng, TIMES + start), cloud(rng)
        for t in (0.35 + start, float(TIMES[3] + start), 1.5 + start):
            ticks = [t]
            for _ in range(6):
                ticks = [math.nextafter(ticks[0], -math.inf), *ticks, math.nextafter(ticks[-1], math.inf)]
            for width in (1, 2, 3, 5):
                times = np.array(ticks[::width])
                boxes = boxes_of(motion, around, times)
                assert (boxes[:, 3:] > boxes[:, :3]).all()
                for step, (begin, end) in enumerate(itertools.pairwise(times)):
                    for now in (tick for tick in ticks if begin <= tick <= end):
                        X = motion.pose(now)
                        places = corners @ X[:3, :3].T + X[:3, 3]
                        assert (places >= boxes[step, :3]).all()
                        assert (places <= boxes[step, 3:]).all()


def test_fast_and_large_motions_stay_inside() -> None:
    """Thousands of kilometres at once, and hundreds of turns in a step."""
    rng = np.random.default_rng(9)
    corners, around = cloud(rng)
    for scale in (1e-4, 1e3, 1e7):
        places = rng.uniform(-scale, scale, (7, 3))
        for motion in (
            kc.PoseTrajectory.from_positions(TIMES, places, interpolation="linear"),
            kc.JointTrajectory(chain(), TIMES, rng.uniform(-9, 9, (7, 3)) * min(scale, 1e3)).link("l4"),
        ):
            for times in (np.linspace(0.0, 1.5, 4), np.linspace(0.2, 0.3, 40)):
                check_contained(motion, corners, times, boxes_of(motion, around, times), 60)


def test_boxes_of_straight_motion_are_exact() -> None:
    """A box that is turned and travels straight: corners at both ends, and at knots within a step."""
    rng = np.random.default_rng(1)
    R = random_rotation(rng)
    places = rng.uniform(-1, 1, (len(TIMES), 3))
    X = np.tile(np.eye(4), (len(TIMES), 1, 1))
    X[:, :3, :3], X[:, :3, 3] = R, places
    around = bounding_volumes_of(kc.Box([0.4, 0.2, 0.1])).around
    half = np.abs(R) @ [0.2, 0.1, 0.05]
    for kind in ("linear", "screw"):
        motion = kc.PoseTrajectory(TIMES, X, kind)  # type: ignore[arg-type]
        for times in STEPS.values():
            boxes = boxes_of(motion, around, times)
            for step, (begin, end) in enumerate(itertools.pairwise(times)):
                ends = [begin, *(t for t in TIMES if begin < t < end), end]
                passed = np.array([[np.interp(t, TIMES, places[:, i]) for i in range(3)] for t in ends])
                assert boxes[step, :3] == pytest.approx(passed.min(axis=0) - half, abs=1e-6)
                assert boxes[step, 3:] == pytest.approx(passed.max(axis=0) + half, abs=1e-6)


def test_boxes_of_round_bodies_do_not_grow_when_they_turn() -> None:
    X = np.array([random_pose(np.random.default_rng(k), 0.0) for k in range(2)])
    motion = kc.PoseTrajectory([0, 1], X, "screw")
    around = bounding_volumes_of(kc.Sphere(0.3)).around
    boxes = boxes_of(motion, around, np.linspace(0, 1, 200))
    size = boxes[:, 3:] - boxes[:, :3]
    assert size.max() <= 0.6 + 0.02  # a step of 1/199 turns by at most 0.016 rad
    assert size.min() >= 0.6
    at_rest = boxes_of(motion, around, np.array([0.5, 0.5]))
    assert at_rest[0, 3:] - at_rest[0, :3] == pytest.approx([0.6] * 3, abs=1e-6)


def test_boxes_shrink_to_the_body_with_the_step() -> None:
    """Over a span of h the remainder of the straight line is of second order."""
    rng = np.random.default_rng(2)
    for kind in KINDS[1:]:
        motion, (_, around) = motion_of(kind, rng), cloud(rng)
        excess = []
        for h in (1e-2, 1e-3):
            times = np.array([0.6 - h, 0.6 + h])
            box = boxes_of(motion, around, times)[0]
            still = boxes_of(motion, around, np.array([0.6, 0.6]))[0]
            excess.append(float(np.max(box[3:] - box[:3] - still[3:] + still[:3])))
        assert excess[1] <= 0.2 * excess[0], kind


def test_only_the_steps_of_a_row_are_written() -> None:
    """A body that changes its parent frame has two rows, for different steps, and others are left alone."""
    first = kc.Fixed(np.eye(4))
    second = kc.PoseTrajectory.from_positions([0, 4], [[0, 0, 0], [4, 0, 0]], interpolation="linear")
    packs = [first._packed, second._packed]
    Q = np.concatenate(packs)
    rows = np.array([(0, 1, 0, 2), (len(packs[0]), 1, 2, 3)], SPAN)
    around = np.tile(bounding_volumes_of(kc.Sphere(0.1)).around, (2, 1))
    out = np.full((4, 3, 6), np.nan)
    swept.swept_boxes(WORLD_FRAME, Q, rows, around, np.arange(5.0), out)
    assert np.isnan(out[:, [0, 2]]).all()
    assert np.isnan(out[3]).all()
    assert out[:3, 1, 0] == pytest.approx([-0.1, -0.1, 1.9], abs=1e-6)
    assert out[:3, 1, 3] == pytest.approx([0.1, 0.1, 3.1], abs=1e-6)
    longest = np.array([0.0, 0.25, 0.0, 9.0])
    swept.longest_paths(WORLD_FRAME, Q, rows, around, np.arange(5.0), longest)
    assert longest[[0, 1, 3]].tolist() == [0.0, 0.25, 9.0]  # it is raised, and only where a row has steps
    assert longest[2] == pytest.approx(1.0)


@pytest.mark.parametrize("value", [math.nan, math.inf])
@pytest.mark.parametrize("knot", [0, 3])
def test_what_cannot_be_bounded_may_be_anywhere(knot: int, value: float) -> None:
    """One segment of several in a step that is not a number, or not finite, is enough."""
    motion = motion_of("straight", np.random.default_rng(0))
    around = bounding_volumes_of(kc.Sphere(0.1)).around
    Q = motion._packed.copy()
    segment_rows(Q)["p"][knot, 0] = value

    class Broken:
        _packed = Q

    with np.errstate(all="ignore"):
        (box,) = boxes_of(Broken, around, np.array([0.0, 1.5]))
    assert box.tolist() == [-math.inf] * 3 + [math.inf] * 3


@pytest.mark.parametrize("kind", KINDS)
def test_paths_are_no_longer_than_said(kind: str) -> None:
    rng = np.random.default_rng(6)
    motion, (corners, around) = motion_of(kind, rng), cloud(rng)
    for times in (STEPS["even"], STEPS["several knots"], STEPS["knots"], STEPS["one"]):
        rows = np.zeros(1, SPAN)
        rows["end_step"] = len(times) - 1
        longest = np.zeros(len(times) - 1)
        swept.longest_paths(WORLD_FRAME, motion._packed.copy(), rows, around[None].copy(), times, longest)
        for step, (begin, end) in enumerate(itertools.pairwise(times)):
            X = np.array([motion.pose(t) for t in np.linspace(begin, end, 200)])
            places = corners @ X[:, :3, :3].transpose(0, 2, 1) + X[:, None, :3, 3]
            sampled = np.linalg.norm(np.diff(places, axis=0), axis=2).sum(axis=0).max()
            assert sampled <= longest[step] * (1 + 1e-9) + 1e-9
            if kind == "straight" and not any(begin < t < end for t in TIMES):  # samples cut corners at knots
                assert longest[step] <= sampled * (1 + 1e-9) + 1e-9


def moves(motion: Any, t0: float, t1: float) -> bool:
    rows, out = np.zeros(1, SPAN), np.empty(1, np.bool_)
    swept.moving(motion._packed.copy(), rows, float(t0), float(t1), out)
    return bool(out[0])


def test_what_moves_in_an_interval() -> None:
    """At rest between 1 s and 2 s, before 0 s and after 3 s."""
    places = [[0, 0, 0], [1, 0, 0], [1, 0, 0], [2, 0, 0]]
    motion = kc.PoseTrajectory.from_positions([0, 1, 2, 3], places, interpolation="linear")
    for t0, t1 in ((-1, 0.1), (0.5, 0.5), (0, 3), (0.9, 1.5), (1.5, 2.5), (-5, 5), (2.999, 9)):
        assert moves(motion, t0, t1), (t0, t1)
    for t0, t1 in ((-2, -1), (1.0, 1.9), (1.5, 1.5), (3, 4), (3.0, 3.0), (9, 9)):
        assert not moves(motion, t0, t1), (t0, t1)
    assert not moves(kc.Fixed(np.eye(4)), -9, 9)
    arm = program(np.random.default_rng(0), "linear", TIMES).link("l4")
    assert not moves(arm, 0.1, 0.34)
    assert moves(arm, 0.1, 0.36)
    for kind in KINDS[1:]:
        assert moves(motion_of(kind, np.random.default_rng(1)), 0.4, 0.9)
