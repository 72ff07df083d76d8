"""Motions as cubics: exact where they are cubics, within the error elsewhere."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from tests.oracles.poses import pose, random_pose

from keepclear.errors import ArgumentError
from keepclear.geometry.shapes.primitives import Box
from keepclear.motion.cubic import CubicApproximation
from keepclear.motion.motion import Motion
from keepclear.motion.trajectory import PoseTrajectory


def at(told: CubicApproximation, t: np.ndarray) -> np.ndarray:
    """The matrices of the approximation at times (n,)."""
    i = np.clip(np.searchsorted(told.times, t, side="right") - 1, 0, len(told.control) - 1)
    s = (t - told.times[i]) / (told.times[i + 1] - told.times[i])
    weights = np.stack([(1 - s) ** 3, 3 * s * (1 - s) ** 2, 3 * s * s * (1 - s), s**3], axis=1)
    return np.einsum("tk,tkij->tij", weights, told.control[i])


def missed(motion: Motion, told: CubicApproximation, extent: float) -> float:
    """The largest distance of a point within `extent` from where the motion puts it, at many times."""
    t = np.linspace(told.times[0], told.times[-1], 2001)
    off = (at(told, t) - motion.pose(t))[:, :3]
    return float(
        (
            np.linalg.norm(off[:, :, :3], ord=2, axis=(1, 2)) * extent + np.linalg.norm(off[:, :, 3], axis=1)
        ).max()
    )


def quarter_turn(kind: Any = "screw") -> PoseTrajectory:
    return PoseTrajectory(
        [0, 1], [np.eye(4), pose(np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1.0]]), (1, 1, 0))], kind
    )


def test_a_quarter_turn_in_one_cubic() -> None:
    # (pi / 2)^4 / 384 = 0.0159 bounds it; the middle is 0.0151 off.
    told = quarter_turn("linear").cubic(0, 1, 1.0, error=0.1)
    assert told.times.tolist() == [0, 1]
    assert told.error == pytest.approx((math.pi / 2) ** 4 / 384, rel=1e-9)
    off = at(told, np.array([0.5]))[0, :3, :3] - quarter_turn("linear").pose(0.5)[:3, :3]
    assert 0.9 * told.error <= np.linalg.norm(off, ord=2) <= told.error


@pytest.mark.parametrize("error", [1e-2, 1e-4, 1e-6, 1e-9])
@pytest.mark.parametrize("kind", ["screw", "linear"])
def test_the_error_is_kept_and_used(kind: str, error: float) -> None:
    motion = quarter_turn(kind)
    told = motion.cubic(0, 1, 2.0, error)
    off = missed(motion, told, 2.0 if kind == "linear" else 0.0)
    assert off <= told.error <= error
    fewer = len(told.control) - 1
    reach = 2.0 if kind == "linear" else 2.0 + 1.0  # the screw's axis is 1 m from the origin
    assert fewer == 0 or reach * (math.pi / 2 / fewer) ** 4 / 384 > 0.98 * error


def test_cubics_straight_ways_and_rest_are_exact() -> None:
    rng = np.random.default_rng(4)
    cubic = PoseTrajectory(np.arange(7), [random_pose(rng, 1.0) for _ in range(7)])
    told = cubic.cubic(0.5, 5.5, 1.0)
    assert told.times.tolist() == [0.5, 3, 5.5]
    assert missed(cubic, told, 1.0) <= told.error <= 1e-11
    straight = PoseTrajectory.from_positions([0, 1, 2], [[0, 0, 0], [3, 0, 0], [3, 3, 0]])
    told = straight.cubic(0, 2, Box([1, 1, 1]))
    assert told.times.tolist() == [0, 1, 2]
    assert told.control[0, :, 0, 3].tolist() == [0, 1, 2, 3]
    assert told.error <= 1e-13


def test_it_covers_all_the_time_asked_for() -> None:
    motion = quarter_turn()
    told = motion.cubic(-1, 3, 0.1, error=1e-2)
    assert told.times[[0, 1, -2, -1]].tolist() == [-1, 0, 1, 3]
    assert np.array_equal(told.control[0], [motion.pose(0)] * 4)
    assert np.array_equal(told.control[-1], [motion.pose(1)] * 4)
    assert told.control.shape == (len(told.times) - 1, 4, 4, 4)
    for moment in (-1.0, 0.25, 1.0, 7.0):
        instant = motion.cubic(moment, moment, 0.1)
        assert instant.times.tolist() == [moment, moment]
        assert np.array_equal(instant.control, [[motion.pose(moment)] * 4])
    assert motion.cubic(-3, -1, 0.1).times.tolist() == [-3, -1]


def test_large_times_leave_no_empty_intervals() -> None:
    motion = PoseTrajectory([1.7e9, 1.7e9 + 1e-6], [quarter_turn().pose(t) for t in (0, 1)], "screw")
    told = motion.cubic(motion.t_start, motion.t_end, 1.0, error=1e-2)
    assert (np.diff(told.times) > 0).all()
    assert told.error <= 1e-2


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (0.0, "error must be a finite number > 0, in metres, but it is 0.0"),
        ("small", "error must be a finite number > 0, in metres, but it is 'small'"),
        (math.nan, "error must be a finite number > 0"),
        (1e-15, r"error = 1e-15 m would take more than 1000000 cubics \(rounding leaves .*\); ask for more"),
    ],
)
def test_errors_that_cannot_be_kept_are_refused(error: Any, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        quarter_turn().cubic(0, 1, 1.0, error)
