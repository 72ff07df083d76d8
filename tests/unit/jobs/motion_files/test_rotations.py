"""Rotations of files: what is no rotation is refused, whatever its numbers are."""

from __future__ import annotations

import numpy as np
import pytest

from keepclear.jobs.motion_files.samples import Options, Source, check_rotations, from_quaternions


@pytest.fixture
def source() -> Source:
    return Source("poses.csv", Options())


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf, 1e200])
@pytest.mark.parametrize("place", [(0, 0), (1, 2), (0, 3), (3, 0)])
def test_numbers_that_no_pose_has_are_refused(source: Source, number: float, place: tuple[int, int]) -> None:
    """An infinite entry has a defect of nan, which no comparison called bad; the decomposition then never ended."""
    X = np.tile(np.eye(4), (2, 1, 1))
    X[1][place] = number
    check_rotations(source, X, None)
    assert source.problems == [
        "poses.csv: sample 2: the matrix is not rigid: it has numbers that are not finite or too large; repair it"
    ]


@pytest.mark.parametrize("size", [1e-300, 1e-160, 1.0, 1e160, 1e300])
def test_quaternions_of_any_length_turn_the_same(source: Source, size: float) -> None:
    """The square of 1e160 overflows: half a turn about x had an infinite length, and was read as no turn at all."""
    (R,) = from_quaternions(source, size * np.array([[1.0, 0.0, 0.0, 0.0]]), None)
    np.testing.assert_array_equal(R, np.diag([1.0, -1.0, -1.0]))
    assert not source.problems
    assert len(source.warnings) == (size != 1.0)


@pytest.mark.parametrize("number", [0.0, np.nan, np.inf])
def test_quaternions_without_a_direction_are_refused(source: Source, number: float) -> None:
    from_quaternions(source, np.array([[number, 0.0, 0.0, 0.0]]), None)
    assert len(source.problems) == 1
