"""Rotations in files: roll, pitch and yaw, quaternions, and matrices with few digits."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from keepclear.cell.samples import Source
from keepclear.checks import FloatArray

__all__ = ["check_rotations", "from_quaternions", "from_rpy"]

ROUNDED = 1e-3  # how far from orthonormal a matrix may be that was printed with few digits
WILD = 1e100  # no entry of a matrix is larger: neither that of a rotation nor a position [m]
UNREPORTED = 1e-6  # from here on the report says that rotations were rounded


def from_rpy(angles: FloatArray) -> FloatArray:
    """Return the rotations (n, 3, 3) of turns about the fixed axes x, then y, then z, (n, 3) [rad].

    Examples:
        >>> from_rpy(np.array([[0.0, 0.0, np.pi / 2]]))[0].round(9).tolist()
        [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [-0.0, 0.0, 1.0]]
    """
    (cr, cp, cy), (sr, sp, sy) = np.cos(angles).T, np.sin(angles).T
    rows = [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ]
    return np.moveaxis(np.array(rows), -1, 0)


def from_quaternions(source: Source, xyzw: FloatArray, lines: Sequence[int] | None) -> FloatArray:
    """Return the rotations (n, 3, 3) of quaternions (n, 4), the scalar part last; record errors for invalid ones."""
    largest = np.abs(xyzw).max(axis=1, initial=0.0)
    zero = np.flatnonzero(~((largest > 0.0) & np.isfinite(largest)))
    texts = [f"the quaternion {xyzw[k].tolist()} is not a rotation; repair it" for k in zero.tolist()]
    _note(source, zero, texts, lines)
    if len(zero):
        return np.tile(np.eye(3), (len(xyzw), 1, 1))
    scaled = xyzw / largest[:, None]  # squares of 1e200 would overflow, and the length be infinite
    size = np.linalg.norm(scaled, axis=1)
    with np.errstate(over="ignore"):
        length = size * largest
    if np.abs(length - 1.0).max(initial=0.0) > ROUNDED:
        worst = float(length[np.argmax(np.abs(length - 1.0))])
        source.warnings.append(
            f"{source.label or 'a motion'} has quaternions of length {worst:.4g} instead of 1; they are normalized"
        )
    x, y, z, w = (scaled / size[:, None]).T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), -1, 0)


def check_rotations(source: Source, X: FloatArray, lines: Sequence[int] | None) -> FloatArray:
    """Return matrices (n, 4, 4) with their rotations made orthonormal; record errors for those that are not rigid."""
    R = X[:, :3, :3]
    wild = np.flatnonzero(~(np.abs(X) <= WILD).all(axis=(1, 2)))
    if len(wild):  # including values that are not finite, for which a decomposition never ends
        texts = ["the matrix is not rigid: it has numbers that are not finite or too large; repair it"] * len(
            wild
        )
        _note(source, wild, texts, lines)
        return X
    defect = np.abs(np.swapaxes(R, 1, 2) @ R - np.eye(3)).max(axis=(1, 2), initial=0.0)
    mirrored = np.linalg.det(R) < 0.0
    moved = np.abs(X[:, 3] - [0.0, 0.0, 0.0, 1.0]).max(axis=1, initial=0.0) > 0.0
    bad = np.flatnonzero((defect > ROUNDED) | mirrored | moved)
    texts = []
    for k in bad.tolist():
        if moved[k]:
            texts.append(
                f"the last row of the matrix is {X[k, 3].tolist()}, not [0, 0, 0, 1]; is it transposed?"
            )
        elif mirrored[k]:
            texts.append("the matrix mirrors, which no rigid motion does; mirror the shape instead")
        else:
            texts.append(
                f"the matrix is not rigid: its rotation is off by {defect[k]:.2g}; give rotations without scale"
            )
    _note(source, bad, texts, lines)
    if len(bad):
        return X
    if defect.max(initial=0.0) > UNREPORTED:
        source.warnings.append(
            f"{source.label or 'a pose'} has rotations with few digits, off by {defect.max():.2g}; "
            "the nearest rigid ones are used"
        )
    u, _, vt = np.linalg.svd(R)
    result = X.copy()
    result[:, :3, :3] = np.where(defect[:, None, None] > 1e-15, u @ vt, R)
    return result


def _note(source: Source, rows: npt.NDArray[np.intp], texts: list[str], lines: Sequence[int] | None) -> None:
    if lines is None:
        for k, text in zip(rows.tolist()[:1], texts[:1], strict=True):
            source.problem(f"sample {k + 1}: {text}")
    else:
        source.problems_of_rows([(lines[k], text) for k, text in zip(rows.tolist(), texts, strict=True)])
