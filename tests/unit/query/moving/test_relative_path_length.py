"""Bounds of relative ways: never shorter than what points walk, and not much longer."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import keepclear as kc
from keepclear.motion.path_length import _sums_up
from keepclear.query.moving.question import checked_query
from keepclear.query.moving.relative_path_length import WORLD, RelativePathLength

CORNERS = np.array([[0.1, 0.2, 0.3], [-0.3, 0.1, 0.2], [0.2, -0.3, 0.1], [0.1, 0.1, -0.3]])
BODY = kc.Convex(CORNERS)


def motion(seed: int, interpolation: Any) -> kc.PoseTrajectory:
    """Return a motion through four random poses, less than a radian apart; for a cubic a tenth of that."""
    rng = np.random.default_rng(seed)
    step = 0.05 if interpolation == "cubic" else 0.4
    X = np.tile(np.eye(4), (4, 1, 1))
    for k in range(1, 4):
        X[k, :3, :3] = Rotation.from_rotvec(step * rng.normal(size=3)).as_matrix() @ X[k - 1, :3, :3]
        X[k, :3, 3] = X[k - 1, :3, 3] + 0.3 * rng.normal(size=3)
    return kc.PoseTrajectory([0.0, 0.4, 0.8, 1.2], X, interpolation)


def walked(of: kc.Motion, seen_from: kc.Motion, t0: float, t1: float) -> float:
    """Return the longest way of a corner in the frame of the other body, along 200 chords."""
    times = np.linspace(t0, t1, 201)
    Z = np.linalg.solve(seen_from.pose(times), of.pose(times))
    places = np.einsum("nij,kj->nki", Z[:, :3, :3], CORNERS) + Z[:, None, :3, 3]
    return float(np.linalg.norm(np.diff(places, axis=0), axis=2).sum(axis=0).max())


@pytest.mark.parametrize("b", ["screw", "linear", "cubic", "fixed"])
@pytest.mark.parametrize("a", ["screw", "linear", "cubic"])
def test_a_bound_is_never_too_short_and_not_much_too_long(a: str, b: str) -> None:
    motion_a = motion(1, a)
    motion_b = kc.Fixed(np.eye(4)) if b == "fixed" else motion(2, b)
    path_length = RelativePathLength(checked_query(BODY, motion_a, BODY, motion_b))
    for t0, t1 in [(0.0, 1.2), (0.1, 0.3), (0.3, 0.5), (0.25, 1.1), (0.7, 0.7001), (-1.0, 0.2), (0.4, 0.8)]:
        bound = path_length.needed(t0, t1, 2)
        truth = min(walked(motion_b, motion_a, t0, t1), walked(motion_a, motion_b, t0, t1))
        assert truth <= bound <= 2.0 * truth + 1e-9


def test_bodies_that_move_together_do_not_move() -> None:
    carried = motion(3, "screw")
    other = kc.PoseTrajectory(carried.times, carried.X_W @ offset(), "screw")
    assert RelativePathLength(checked_query(BODY, carried, BODY, other)).needed(0.0, 1.2, 2) < 1e-12


def offset() -> np.ndarray:
    X = np.eye(4)
    X[:3, 3] = 0.5, 0.2, -0.1
    X[:3, :3] = Rotation.from_rotvec([0.3, 0.2, 0.1]).as_matrix()
    return X


def test_a_margin_counts_once_for_each_end() -> None:
    query = checked_query(BODY, motion(1, "screw"), BODY, np.eye(4), margin=0.25)
    path_length = RelativePathLength(query)
    one, two = path_length.needed(0.1, 0.5, 1), path_length.needed(0.1, 0.5, 2)
    assert two - one == pytest.approx(0.25, rel=1e-9)


def test_a_margin_between_two_cubics_is_not_stretched() -> None:
    """Seen from a body that is stretched by 0.1 %, a margin of 1 m grows by a millimetre; in the world it does not."""
    sixth = np.tile(np.eye(4), (4, 1, 1))
    angles = np.linspace(0.0, 60.0, 4)[:, None]
    sixth[:, :3, :3] = Rotation.from_euler("z", angles, degrees=True).as_matrix()
    turning = kc.PoseTrajectory([0, 1, 2, 3], sixth, max_deviation=0.1)
    path_length = RelativePathLength(checked_query(BODY, turning, BODY, turning, margin=1.0))
    assert path_length.needed(1.0, 1.0 + 1e-9, 2) < 2.0 + 1e-7
    # Over a long time the frame of one of them is better, in which the other rests.
    assert path_length.needed(0.0, 3.0, 2) < 2.01


def test_sums_are_exact() -> None:
    rng = np.random.default_rng(4)
    values = np.concatenate([rng.uniform(0.0, 1.0, 200) * 10.0 ** rng.integers(-30, 3, 200), [1e-3] * 100])
    sums = _sums_up(values)
    assert all(b - a >= v for a, b, v in zip(sums[:-1], sums[1:], values, strict=True))
    assert math.fsum(values) <= sums[-1] <= math.fsum(values) * (1.0 + 1e-12)
    assert math.fsum(np.diff(sums)) == sums[-1]


@pytest.mark.parametrize("b", ["screw", "linear", "cubic"])
@pytest.mark.parametrize("frame", [0, 1, WORLD])
def test_approaches_along_a_direction_are_never_too_short(frame: int, b: str) -> None:
    """Seen from A, B may come closer along n by what any of its corners moves along it since any earlier time."""
    motions = motion(1, "screw"), motion(2, b)
    path_length = RelativePathLength(checked_query(BODY, motions[0], BODY, motions[1]))
    n = np.array([0.48, -0.6, 0.64])
    for t0, t1 in [(0.0, 1.2), (0.1, 0.3), (0.7, 0.7001), (-1.0, 0.2)]:
        times = np.linspace(t0, t1, 101)
        X = [m.pose(times) for m in motions]
        if frame == WORLD:
            truth = climbed(X[0], n) + climbed(X[1], -n)
        else:
            truth = climbed(np.linalg.solve(X[frame], X[1 - frame]), n)
        bound = path_length.moved_along(frame, n, t0, t1)
        if frame == 1 and b == "cubic":
            assert bound == math.inf  # no rigid frame
        else:
            assert truth <= bound <= 4.0 * truth + 0.1 * (t1 - t0)


def climbed(X: np.ndarray, n: np.ndarray) -> float:
    """Return how far a corner gets along n at most, since any earlier time."""
    height = (np.einsum("nij,kj->nki", X[:, :3, :3], CORNERS) + X[:, None, :3, 3]) @ n
    return float((height - np.minimum.accumulate(height, axis=0)).max())
