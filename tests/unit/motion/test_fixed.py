"""A body at rest: one pose at all times, no way, no error."""

from __future__ import annotations

import copy
import math
import pickle

import numpy as np
import pytest
from tests.oracles.poses import random_pose

from keepclear.errors import ArgumentError, PoseError
from keepclear.geometry.shapes.primitives import Box
from keepclear.motion.fixed import Fixed
from keepclear.motion.motion import Motion


@pytest.fixture
def X_W() -> np.ndarray:
    return random_pose(np.random.default_rng(5), 3.0)


def test_it_is_there_at_all_times(X_W: np.ndarray) -> None:
    body = Fixed(X_W)
    assert isinstance(body, Motion)
    assert (body.t_start, body.t_end, body.hold) == (-math.inf, math.inf, "both")
    assert body.knots.shape == (0,)
    assert np.array_equal(body.pose(-1e9), X_W)
    assert np.array_equal(body.pose([0, 1e9]), [X_W, X_W])
    assert body.pose([]).shape == (0, 4, 4)
    assert np.array_equal(body.X_W, X_W)


def test_it_goes_nowhere(X_W: np.ndarray) -> None:
    body = Fixed(X_W)
    assert body.path_length(Box([1, 2, 3]), -5, 5) == 0.0
    assert body.displacement(10.0, -5, 5) == 0.0
    assert body.deviation(10.0) == 0.0
    told = body.cubic(-5, 5, 10.0)
    assert told.times.tolist() == [-5, 5]
    assert np.array_equal(told.control, np.broadcast_to(X_W, (1, 4, 4, 4)))
    assert told.error < 2e-13


def test_it_is_a_value_that_never_changes(X_W: np.ndarray) -> None:
    body = Fixed(X_W)
    X_W[0, 3] = 99.0
    assert body.pose(0.0)[0, 3] != 99.0
    with pytest.raises(AttributeError, match="a Fixed never changes, so its 'hold' cannot be set"):
        body.hold = "none"  # type: ignore[misc]
    with pytest.raises(ValueError, match="read-only"):
        body.X_W[0, 3] = 1.0
    again = pickle.loads(pickle.dumps(body))
    assert again != body
    assert np.array_equal(again.pose(1.0), body.pose(1.0))
    assert copy.deepcopy(body) is body


def test_it_can_be_printed() -> None:
    X_W = np.eye(4)
    X_W[:3, 3] = [0.1, 0, -2]
    assert repr(Fixed(X_W)) == "Fixed(at (0.1, 0, -2) m)"


def test_bad_poses_are_refused() -> None:
    with pytest.raises(PoseError, match=r"X_W mirrors"):
        Fixed(np.diag([1.0, 1, -1, 1]))
    with pytest.raises(
        PoseError, match=r"X_W must be one pose \(4, 4\), but it has shape \(2, 4, 4\); several poses"
    ):
        Fixed(np.array([np.eye(4), np.eye(4)]))


@pytest.mark.parametrize("t", [math.nan, [0.0, math.inf], "now", [[1.0]], None, True])
def test_times_must_be_numbers(t: object) -> None:
    with pytest.raises(ArgumentError, match=r"^t(\[1\])? (must be a time|is (nan|inf), which is not a time)"):
        Fixed(np.eye(4)).pose(t)  # type: ignore[arg-type]
