"""Motions over time by independent formulas in extended precision: poses of a body, and bounds of point speeds."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from tests.oracles.poses import rotation_of_quaternion

import keepclear as kc

Wide = np.longdouble  # 64 bits of mantissa where the machine has them


@dataclass(frozen=True, eq=False)
class Move:
    """Poses (n, 4, 4) at increasing times and what is between them; before and after, the ends are held."""

    kind: str  # "fixed", "screw", "linear", "cubic"
    times: np.ndarray
    X_W: np.ndarray

    def at(self, t: Any) -> np.ndarray:
        """The poses at times (m,), (m, 4, 4) in extended precision."""
        t = np.clip(np.atleast_1d(np.asarray(t, dtype=Wide)), self.times[0], self.times[-1])
        if self.kind == "fixed":
            return np.broadcast_to(self.X_W[0].astype(Wide), (len(t), 4, 4))
        knots = self.knots
        piece = np.clip(np.searchsorted(knots, t, side="right") - 1, 0, len(knots) - 2)
        X = np.empty((len(t), 4, 4), dtype=Wide)
        for i in np.unique(piece):
            here = piece == i
            start, end = Wide(knots[i]), Wide(knots[i + 1])
            X[here] = self.between(int(i), (t[here] - start) / (end - start))
        return X

    @property
    def knots(self) -> np.ndarray:
        """Where one formula ends and the next one begins."""
        return self.times[::3] if self.kind == "cubic" else self.times

    def between(self, i: int, s: np.ndarray) -> np.ndarray:
        """The poses of piece i at parts s of its time."""
        if self.kind == "cubic":
            return cubic(self.X_W[3 * i : 3 * i + 4], s)
        return (screw if self.kind == "screw" else linear)(self.X_W[i], self.X_W[i + 1], s)

    def speeds(self, extent: float) -> tuple[np.ndarray, np.ndarray]:
        """The knots, and for each piece more than the speed of any point within `extent` of the origin [m/s]."""
        if self.kind == "fixed" or len(self.knots) < 2:
            return np.array([self.times[0]]), np.zeros(0)
        lengths = [self.way(i, extent) for i in range(len(self.knots) - 1)]
        return self.knots, 1.000001 * np.array(lengths) / np.diff(self.knots)

    def way(self, i: int, extent: float) -> float:
        """At least the maximum speed of a point in piece i, times the piece's duration [m]."""
        if self.kind == "cubic":
            rates = 3.0 * np.diff(control_matrices(self.X_W[3 * i : 3 * i + 4]), axis=0)
            turning = max(np.linalg.norm(D[:3, :3]) for D in rates)  # Frobenius: more than the operator norm
            return float(turning * extent + max(np.linalg.norm(D[:3, 3]) for D in rates))
        angle, _ = angle_axis(self.X_W[i], self.X_W[i + 1])
        step = float(np.linalg.norm(self.X_W[i + 1][:3, 3] - self.X_W[i][:3, 3]))
        if self.kind == "screw":
            step *= float(angle / 2 / np.sin(angle / 2)) if angle > 0 else 1.0  # arc over chord
        return step + float(angle) * extent


def fixed(X_W: Any) -> Move:
    """At rest."""
    return Move("fixed", np.zeros(1), np.array(X_W, dtype=np.float64).reshape(1, 4, 4))


def move(kind: str, times: Sequence[float] | np.ndarray, X_W: Any) -> Move:
    """A motion through poses."""
    return Move(kind, np.array(times, dtype=np.float64), np.array(X_W, dtype=np.float64))


def library_motion(told: Move, **options: Any) -> Any:
    """The library's motion for a move."""
    if told.kind == "fixed":
        return kc.Fixed(told.X_W[0])
    return kc.PoseTrajectory(told.times, told.X_W, interpolation=told.kind, **options)


def quaternion_of(R: np.ndarray) -> np.ndarray:
    """The quaternion (w, x, y, z), w >= 0, of a rotation: from its largest part, so that no digits are lost."""
    R = R.astype(Wide)
    squares = np.array([1 + R[0, 0] + R[1, 1] + R[2, 2], *(1 + 2 * R[k, k] - np.trace(R) for k in range(3))])
    skew = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    k = int(np.argmax(squares))
    if k == 0:
        q = np.array([squares[0], *skew])
    else:
        q = np.array([skew[k - 1], *(R[j, k - 1] + R[k - 1, j] for j in range(3))])
        q[k] = squares[k]
    q /= np.sqrt(np.sum(q * q))
    return q if q[0] >= 0 else -q


def angle_axis(X0: np.ndarray, X1: np.ndarray) -> tuple[Any, np.ndarray]:
    """The angle in [0, pi] and the axis, in the first body frame, of the turn from one pose to the next."""
    q = quaternion_of(X0[:3, :3].T.astype(Wide) @ X1[:3, :3].astype(Wide))
    sine = np.sqrt(np.sum(q[1:] * q[1:]))
    if sine == 0:
        return Wide(0), np.array([0, 0, 1], dtype=Wide)
    return 2 * np.arctan2(sine, q[0]), q[1:] / sine


def turned(axis: np.ndarray, angles: np.ndarray) -> np.ndarray:
    """Rotations (m, 3, 3) about one unit axis, by Rodrigues' formula with half angles."""
    x, y, z = axis
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]], dtype=Wide)
    half = np.sin(angles / 2)[:, None, None]
    return np.eye(3, dtype=Wide) + np.sin(angles)[:, None, None] * K + 2 * half * half * (K @ K)


def screw(X0: np.ndarray, X1: np.ndarray, s: np.ndarray) -> np.ndarray:
    """Part s of the screw from X0 to X1.

    Along the axis the way is a part s of the whole. Across it the origin walks an arc: its chord at s is
    sin(s angle / 2) / sin(angle / 2) as long as the whole, and turned back from it by (1 - s) angle / 2.
    """
    angle, axis = angle_axis(X0, X1)
    whole = X0[:3, :3].T.astype(Wide) @ (X1[:3, 3].astype(Wide) - X0[:3, 3].astype(Wide))
    along = axis * np.sum(axis * whole)
    part = s if angle == 0 else np.sin(s * angle / 2) / np.sin(angle / 2)
    across = turned(axis, (s - 1) * angle / 2) @ (whole - along)
    step = s[:, None] * along + part[:, None] * across
    return placed(X0, turned(axis, s * angle), step @ X0[:3, :3].T.astype(Wide))


def linear(X0: np.ndarray, X1: np.ndarray, s: np.ndarray) -> np.ndarray:
    """Part s of the straight way of the origin, and of the turn."""
    angle, axis = angle_axis(X0, X1)
    step = s[:, None] * (X1[:3, 3].astype(Wide) - X0[:3, 3].astype(Wide))
    return placed(X0, turned(axis, s * angle), step)


def placed(X0: np.ndarray, R: np.ndarray, step: np.ndarray) -> np.ndarray:
    """Poses that are turned by R in the frame X0 and moved by `step` in the world."""
    X = np.zeros((len(R), 4, 4), dtype=Wide)
    X[:, :3, :3] = X0[:3, :3].astype(Wide) @ R
    X[:, :3, 3] = X0[:3, 3].astype(Wide) + step
    X[:, 3, 3] = 1
    return X


def cubic(X: np.ndarray, s: np.ndarray) -> np.ndarray:
    """Lagrange's cubic through four matrices at s = 0, 1/3, 2/3, 1, for each entry."""
    u = 3 * s
    weights = (
        -(u - 1) * (u - 2) * (u - 3) / 6,
        u * (u - 2) * (u - 3) / 2,
        -u * (u - 1) * (u - 3) / 2,
        u * (u - 1) * (u - 2) / 6,
    )
    return sum(w[:, None, None] * M.astype(Wide) for w, M in zip(weights, X, strict=True))


def control_matrices(X: np.ndarray) -> np.ndarray:
    """The Bernstein control matrices of the cubic through four matrices."""
    a, b, c, d = X
    return np.array([a, (-5 * a + 18 * b - 9 * c + 2 * d) / 6, (2 * a - 9 * b + 18 * c - 5 * d) / 6, d])


def reversed_move(told: Move) -> Move:
    """The same way back, from the last time's negative to the first one's."""
    return Move(told.kind, -told.times[::-1], told.X_W[::-1].copy())


def carried(X_VW: np.ndarray, told: Move) -> Move:
    """The motion as seen from a frame V in which the world stands at X_VW."""
    return Move(told.kind, told.times, X_VW @ told.X_W)


def turn(axis: Sequence[float] | np.ndarray, angle: float) -> np.ndarray:
    """One rotation about an axis of any length, in float64."""
    a = np.array(axis, dtype=np.float64)
    return rotation_of_quaternion(
        np.concatenate([[np.cos(angle / 2)], np.sin(angle / 2) * a / np.linalg.norm(a)])
    )
