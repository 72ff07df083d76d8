"""Tests of motions whose time is relative to segments."""

from __future__ import annotations

import numpy as np
import pytest
from tests.oracles.poses import random_pose

from keepclear.kernels.tables.motion import PRISMATIC, REVOLUTE, segment_rows
from keepclear.motion.fixed import Fixed
from keepclear.motion.joints.link_motion import LinkMotion
from keepclear.motion.local_time import LocalMotion
from keepclear.motion.packed_chain import Chain
from keepclear.motion.trajectory import PoseTrajectory

KNOTS = np.arange(7) * 0.5


def random_poses(n: int) -> np.ndarray:
    rng = np.random.default_rng(7)
    return np.array([random_pose(rng, 1.0) for _ in range(n)])


def motions():
    X = random_poses(7)
    yield Fixed(X[0])
    yield PoseTrajectory(KNOTS, X, "screw")
    yield PoseTrajectory(KNOTS, X, "linear")
    near = PoseTrajectory(KNOTS[[0, 6]], X[[0, 1]], "screw").pose(KNOTS)
    yield PoseTrajectory(KNOTS, near, "cubic", max_deviation=10.0)
    rng = np.random.default_rng(3)
    yield LinkMotion(
        KNOTS, Chain(X[:3], np.array([REVOLUTE, PRISMATIC]), _joined_cubics(rng, 6, 2)), "both", "hand"
    )


def _joined_cubics(rng: np.random.Generator, pieces: int, joints: int) -> np.ndarray:
    """Coefficients (pieces, joints, 4) of random cubics, each of which begins where the last one ends."""
    c = rng.normal(size=(pieces, joints, 4))
    for k in range(1, pieces):
        c[k, :, 0] = c[k - 1].sum(axis=1)
    return c


@pytest.mark.parametrize("motion", list(motions()), ids=["fixed", "screw", "linear", "cubic", "chain"])
def test_poses_are_those_of_the_original(motion):
    times = np.unique(np.concatenate([[-1.0, 4.0, 0.3, 1.9], KNOTS]))
    local = LocalMotion(motion, times)
    u = np.linspace(0.0, len(times) - 1.0, 200)
    k = np.minimum(u.astype(int), len(times) - 2)
    t = times[k] + (u - k) * np.diff(times)[k]
    assert local.pose(u) == pytest.approx(motion.pose(t), abs=1e-14)


def test_equal_times_are_rest():
    motion = PoseTrajectory(KNOTS, random_poses(7), "screw")
    local = LocalMotion(motion, np.array([1.2, 1.2]))
    assert local.pose([0.0, 0.4, 1.0]) == pytest.approx(
        np.repeat(motion.pose(1.2)[None], 3, axis=0), abs=1e-15
    )


def test_neighbouring_times_have_instants_between_them():
    X = np.tile(np.eye(4), (2, 1, 1))
    X[:, 0, 3] = -1.0, 1.0
    times = np.array([1.0, np.nextafter(1.0, 2.0)])
    local = LocalMotion(PoseTrajectory(times, X, "linear"), times)
    assert local.pose([0.0, 0.25, 0.5, 1.0])[:, 0, 3].tolist() == [-1.0, -0.5, 0.0, 1.0]


def test_bounds_of_fourth_derivatives_count_steps():
    motion = list(motions())[-1]
    times = np.array([0.0, 0.25, 0.5])
    local = LocalMotion(motion, times)
    for name in ("fourth_p", "fourth_R"):
        bound = segment_rows(motion._packed)[name][0]
        assert bound > 0.0
        assert segment_rows(local._packed)[name][0] == pytest.approx(bound * 0.25**4, rel=1e-12)
