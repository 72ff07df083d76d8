"""Poses at the public door: what is taken as it is, what is projected, what is refused and in which words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.oracles.poses import pose, random_pose, random_rotation

from keepclear.errors import KeepclearError, PoseError
from keepclear.geometry.pose import as_poses, nearest_rigid


def rng_of(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def polar_factor(R: np.ndarray) -> np.ndarray:
    """The nearest rotation, by singular values, and by Newton's steps (R + R^-T) / 2 in more digits."""
    u, _, vt = np.linalg.svd(R)
    found = R.astype(np.longdouble)
    for _ in range(6):
        cofactors = np.array([np.cross(found[(i + 1) % 3], found[(i + 2) % 3]) for i in range(3)])
        found = (found + cofactors / (found[0] @ cofactors[0])) / 2
    assert np.max(np.abs(u @ vt - found)) < 1e-14
    return np.asarray(found)


def deviation(R: np.ndarray) -> float:
    """max |R^T R - 1| in more digits, so that it does not depend on the processor's BLAS."""
    R = R.astype(np.longdouble)
    return float(np.max(np.abs(R.T @ R - np.eye(3))))


ORTHONORMAL = 1e-15 + 4 * 2.0**-53  # the kernel's limit, and what its own sum of three products is rounded by


def test_rotations_are_returned_bit_for_bit() -> None:
    rng = rng_of(1)
    X = np.array([random_pose(rng, 10.0) for _ in range(50)])
    assert nearest_rigid(X).tobytes() == X.tobytes()
    assert nearest_rigid(X[0]).tobytes() == X[0].tobytes()


@pytest.mark.parametrize("noise", [1e-15, 1e-12, 1e-8, 3e-7, 1e-6, 1e-5, 2e-4])
def test_the_nearest_rotation_is_the_polar_factor_and_stays(noise: float) -> None:
    rng = rng_of(2)
    for _ in range(20):
        X = random_pose(rng, 1.0)
        X[:3, :3] += noise * rng.uniform(-1.0, 1.0, size=(3, 3))
        Y = nearest_rigid(X)
        # What passes for orthonormal, max |R^T R - 1| <= 1e-15, is within half the Frobenius norm of that, 1.5e-15, of
        # its polar factor; the factor itself is rounded. Which digits are left open depends on the processor's BLAS.
        assert np.max(np.abs(Y[:3, :3] - polar_factor(X[:3, :3]))) <= 2e-15
        assert deviation(Y[:3, :3]) <= ORTHONORMAL
        assert np.array_equal(Y[:3, 3], X[:3, 3])
        assert nearest_rigid(Y).tobytes() == Y.tobytes()


@pytest.mark.parametrize("digits", [3, 4, 6, 8, 12, 15])
def test_rotations_printed_with_few_digits(digits: int) -> None:
    rng = rng_of(digits)
    tolerance = 0.01 if digits == 3 else 1e-3
    for _ in range(10):
        R = random_rotation(rng)
        X = pose(np.round(R, digits), (1.0, 2.0, 3.0))
        Y = nearest_rigid(X, tolerance=tolerance)
        assert np.max(np.abs(Y[:3, :3] - R)) <= 3 * 10.0**-digits
        assert nearest_rigid(Y).tobytes() == Y.tobytes()


def test_the_argument_is_not_changed() -> None:
    X = pose(np.round(random_rotation(rng_of(3)), 7), (1.0, 2.0, 3.0))
    before = X.copy()
    Y = nearest_rigid(X)
    assert X.tobytes() == before.tobytes()
    assert not np.shares_memory(X, Y)
    stack = np.array([X, X])
    assert nearest_rigid(stack).shape == (2, 4, 4)
    assert stack.tobytes() == np.array([before, before]).tobytes()


QUARTER = np.array([[0, -1, 0, 1], [1, 0, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]])


@pytest.mark.parametrize(
    "X",
    [
        QUARTER,
        QUARTER.astype(np.float32),
        QUARTER.astype(np.int8),
        QUARTER.astype(">f8"),
        QUARTER.tolist(),
        tuple(map(tuple, QUARTER.tolist())),
        np.asfortranarray(QUARTER, dtype=np.float64),
        np.repeat(np.repeat(QUARTER.astype(float), 2, axis=0), 2, axis=1)[::2, ::2],
    ],
    ids=["int64", "float32", "int8", "big endian", "list", "tuple", "Fortran", "strided"],
)
def test_arrays_of_many_kinds(X: Any) -> None:
    Y = nearest_rigid(X)
    assert Y.dtype == np.float64
    assert np.array_equal(Y, QUARTER)
    poses, single = as_poses([X, X], "X")
    assert not single
    assert poses.shape == (2, 4, 4)
    assert poses.flags.carray


def test_read_only_arrays_are_copied_and_good_ones_are_not() -> None:
    X = np.array([np.eye(4)] * 3)
    assert as_poses(X, "X")[0] is X
    X.flags.writeable = False
    poses, _ = as_poses(X, "X")
    assert poses.flags.writeable
    assert np.array_equal(nearest_rigid(X), X)


def test_no_poses_at_all() -> None:
    assert nearest_rigid(np.empty((0, 4, 4))).shape == (0, 4, 4)


def changed(i: int, j: int, value: float) -> np.ndarray:
    X = np.eye(4)
    X[i, j] = value
    return X


def scaled(factor: float) -> np.ndarray:
    return pose(np.eye(3) * factor, (0, 0, 0))


BAD = [
    (changed(0, 0, np.nan), "has an entry that is not finite: [0, 0] = nan."),
    (changed(2, 3, np.inf), "has an entry that is not finite: [2, 3] = inf."),
    (changed(3, 1, -np.inf), "has an entry that is not finite: [3, 1] = -inf."),
    (changed(3, 0, 1.0), "has the last row [1.0, 0.0, 0.0, 1.0], not [0, 0, 0, 1]; is it transposed"),
    (changed(3, 3, 2.0), "has the last row [0.0, 0.0, 0.0, 2.0], not [0, 0, 0, 1]"),
    (changed(0, 3, 1e13), "has the translation [10000000000000.0, 0.0, 0.0], farther than 1e+12 m"),
    (changed(2, 2, -1.0), "mirrors (its rotation has determinant -1)"),
    (np.diag([-1.0, -1.0, -1.0, 1.0]), "mirrors (its rotation has determinant -1)"),
    (scaled(2.0), "scale belongs to the shape: shape.scaled(2)."),
    (scaled(0.001), "scale belongs to the shape: shape.scaled(0.001)."),
    (changed(0, 1, 0.5), "|R^T R - 1| is 0.5, and the columns of R have lengths [1.0, 1.118034, 1.0]"),
    (np.diag([0.0, 0.0, 0.0, 1.0]), "is not rigid: |R^T R - 1| is 1"),
    (changed(0, 0, 1e200), "is not rigid"),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore:overflow", "ignore:invalid value")  # kernels as plain Python say so
@pytest.mark.parametrize(("X", "message"), BAD, ids=[m[:24] for _, m in BAD])
def test_refusals_say_what_is_wrong(X: np.ndarray, message: str) -> None:
    with pytest.raises(PoseError) as caught:
        nearest_rigid(X)
    assert str(caught.value).startswith("X ")
    assert message in str(caught.value)
    with pytest.raises(PoseError) as caught:
        nearest_rigid(np.array([np.eye(4), np.eye(4), X, X]))
    assert str(caught.value).startswith("X[2] ")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.eye(3), "X must be a pose (4, 4) or poses (n, 4, 4), but it has shape (3, 3)"),
        (np.zeros((2, 4, 3)), "but it has shape (2, 4, 3)"),
        (np.zeros((2, 2, 4, 4)), "but it has shape (2, 2, 4, 4)"),
        (np.zeros(16), "but it has shape (16,)"),
        (5.0, "but it has shape ()"),
        ([], "but it has shape (0,)"),
        (None, "X must be an array of numbers of shape (4, 4) or (n, 4, 4), but it is a NoneType"),
        ("pose", "but it is a str of dtype"),
        (np.eye(4).astype(complex), "but it is an array of dtype complex128."),
        (np.eye(4).astype(bool), "but it is an array of dtype bool."),
        ([[1.0, 2.0], [1.0]], "X must be an array of numbers of shape (4, 4) or (n, 4, 4): "),
    ],
)  # fmt: skip
def test_what_is_no_pose(X: Any, message: str) -> None:
    with pytest.raises(PoseError) as caught:
        nearest_rigid(X)
    assert message in str(caught.value)
    assert isinstance(caught.value, KeepclearError)
    assert isinstance(caught.value, ValueError)


def test_the_tolerance_decides_what_counts_as_rounded() -> None:
    X = pose(np.round(random_rotation(rng_of(5)), 2), (0, 0, 0))
    with pytest.raises(PoseError, match="is not rigid"):
        nearest_rigid(X)
    assert deviation(nearest_rigid(X, tolerance=0.1)[:3, :3]) <= 1e-15
    with pytest.raises(PoseError):
        nearest_rigid(pose(-np.round(random_rotation(rng_of(5)), 3), (0, 0, 0)))
