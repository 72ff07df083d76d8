"""Motions as kernels read them: logarithms that keep their digits, and coefficients that are rounded once."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx
from tests.oracles.high_precision_motion import BITS, logarithm, nearest_rotation, precise
from tests.oracles.poses import pose, random_pose, random_rotation, rotation_of_quaternion, unit_vector

from keepclear.kernels.tables.motion import LINEAR, SCREW, knots_of, motion_numbers, segment_rows
from keepclear.motion.packing import pack_cubic, pack_rest, pack_rigid

ANGLES = [1e-300, 1e-100, 1e-15, 1e-12, 1e-8, 1e-4, 0.1, 1.0, 2.0, 2.1, 3.0, math.pi - 1e-4, math.pi - 1e-8]


def rotation_vectors(R: np.ndarray) -> np.ndarray:
    """Return the logarithms (n - 1, 3) of R_(i+1) R_i^T: the angular velocities of segments of one second."""
    X = np.tile(np.eye(4), (len(R), 1, 1))
    X[:, :3, :3] = R
    Q, half = pack_rigid(np.arange(float(len(R))), X, screw=True)
    assert half == -1
    return segment_rows(Q)["w"]


def turned(rng: np.random.Generator, angle: float) -> tuple[np.ndarray, np.ndarray]:
    """Two rotations that differ by about an angle."""
    R = random_rotation(rng)
    step = rotation_of_quaternion(np.array([math.cos(angle / 2), *(math.sin(angle / 2) * unit_vector(rng))]))
    return R, step @ R


@pytest.mark.parametrize("angle", ANGLES)
def test_logarithms_are_right_to_the_last_digits(angle: float) -> None:
    ctx.prec = BITS
    rng = np.random.default_rng(11)
    for _ in range(10):
        R0, R1 = turned(rng, angle)
        found = rotation_vectors(np.array([R0, R1]))[0]
        # What the two matrices say: (R1 - R0) R0^T keeps the digits of a small turn, also where rounding made it.
        M = precise(R1) * precise(R0).transpose()
        told = [float(x) for x in logarithm(nearest_rotation(M))]
        size = np.linalg.norm(told)
        assert np.linalg.norm(found - told) <= 1e-15 * max(size, 1e-15)


def test_no_turn_has_no_logarithm() -> None:
    R = random_rotation(np.random.default_rng(1))
    assert rotation_vectors(np.array([R, R, R])).tolist() == [[0, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (-1, 0, 0), (0, -1, 0), (0, 0, -1)])
def test_large_turns_about_each_axis(axis: tuple[int, int, int]) -> None:
    half = 0.5 * 3.0
    R = rotation_of_quaternion(np.array([math.cos(half), *(math.sin(half) * np.array(axis))]))
    found = rotation_vectors(np.array([np.eye(3), R]))[0]
    assert np.abs(found - 3.0 * np.array(axis)).max() <= 1e-15


def test_coefficients_of_cubics_are_rounded_once() -> None:
    rng = np.random.default_rng(2)
    X = np.array([random_pose(rng, 1e-3) for _ in range(7)])
    X[:, :3, 3] += 1000.0
    Q = pack_cubic(np.arange(7.0), X)
    weights = [(2, 0, 0, 0), (-11, 18, -9, 2), (18, -45, 36, -9), (-9, 27, -27, 9)]
    for piece in range(2):
        c = segment_rows(Q)["c"][piece].reshape(12, 4)
        for entry in range(12):
            f = [Fraction(float(X[3 * piece + k].ravel()[entry])) for k in range(4)]
            for power, row in enumerate(weights):
                exact = sum(w * x for w, x in zip(row, f, strict=True)) / 2
                # A remainder of the sum is lost in 2^-106 of its terms.
                assert abs(Fraction(float(c[entry, power])) - exact) <= abs(exact) / 2**53 + Fraction(
                    1, 2**90
                )


def test_the_layout_is_that_of_the_kernels() -> None:
    X = np.array([np.eye(4), pose(rotation_of_quaternion(np.array([0.8, 0, 0, 0.6])), (3, 0, 4))])
    angle = 2 * math.atan2(0.6, 0.8)
    Q, _ = pack_rigid(np.array([1.0, 3.0]), X, screw=False)
    row = motion_numbers(Q)
    assert (row.kind, row.n, row.t0, row.t1, row.joints) == (LINEAR, 1, 1.0, 3.0, 0)
    assert (row.terms, row.stretch, row.smallest, row.largest) == (1.0, 0.0, 1.0, 1.0)
    assert knots_of(Q).tolist() == [1, 3]
    (segment,) = segment_rows(Q)
    assert (segment["duration"], segment["rests"]) == (2.0, 0)
    assert np.allclose(segment["w"], [0, 0, angle / 2], rtol=1e-15)
    assert segment["v"].tolist() == [1.5, 0, 2]
    rest = pack_rest(X[1], 7.0)
    assert motion_numbers(rest)._replace(place=0.0) == row._replace(kind=SCREW, t0=7.0, t1=7.0, place=0.0)
    assert knots_of(rest).tolist() == [7, 7]
    (segment,) = segment_rows(rest)
    assert (segment["duration"], segment["rests"]) == (0.0, 1)
    assert np.column_stack([segment["R"], segment["p"]]).tolist() == X[1, :3].tolist()
    assert not np.concatenate([segment[name] for name in "wvo"]).any()


def test_rest_is_written_where_nothing_moves() -> None:
    X = np.array([np.eye(4)] * 4)
    X[2:, 0, 3] = 1.0
    for screw in (True, False):
        assert segment_rows(pack_rigid(np.arange(4.0), X, screw=screw)[0])["rests"].tolist() == [1, 0, 1]


def test_sizes_of_terms_are_those_of_the_largest_sums() -> None:
    X = np.array([np.eye(4)] * 4)
    X[:, 0, 3] = [-100, -50, 50, 100]
    straight, _ = pack_rigid(np.arange(4.0), X, screw=True)
    assert 150 <= motion_numbers(straight).place <= 150.0001
    assert motion_numbers(straight).terms == 1.0
    cubic = pack_cubic(np.arange(4.0), X)
    c = [abs(float(arb(x))) for x in segment_rows(cubic)["c"][0, 0, 3]]
    assert sum(c) <= motion_numbers(cubic).place <= sum(c) * 1.0001
    assert math.sqrt(3) <= motion_numbers(cubic).terms <= math.sqrt(3) * 1.0001
