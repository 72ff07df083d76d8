"""Motions in 240 bits by exponentials of matrices: the pose of a body, and its motion relative to another one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import arb, arb_mat, ctx
from tests.oracles.poses import pose, random_pose, rotation_of_quaternion, unit_vector

BITS = 240
STEP = arb(2) ** -40  # of numerical derivatives: they are wrong by about 2^-80 of higher ones


@dataclass(frozen=True, eq=False)
class PreciseMotion:
    """Poses (n, 4, 4) at times (n,) and what is between them; before and after, the ends are held.

    With `X_P`, (4, 4), it is the motion of a frame that is fixed there in the moving one.
    """

    kind: str  # "fixed", "screw", "linear", "cubic"
    times: np.ndarray
    X_W: np.ndarray
    X_P: np.ndarray | None = None

    @property
    def knots(self) -> np.ndarray:
        """Where one formula ends and the next begins."""
        return self.times[::3] if self.kind == "cubic" else self.times

    def piece(self, t: float) -> int:
        """The piece at time t, -1 before the first one, their number after the last."""
        return (
            int(np.searchsorted(self.knots, t, side="right")) - 1
            if t < self.knots[-1]
            else len(self.knots) - 1
        )

    def at(self, t: Any, piece: int | None = None) -> arb_mat:
        """The matrix (4, 4) at time t, by the formula of the piece that t is in, or of one that is given."""
        ctx.prec = BITS
        X = self._whole(t, self.piece(float(t)) if piece is None else piece)
        return X if self.X_P is None else X * precise(self.X_P)

    def _whole(self, t: Any, i: int) -> arb_mat:
        last = len(self.knots) - 1
        if self.kind == "fixed" or last == 0 or i < 0:
            return precise(self.X_W[0])
        if i >= last:
            return precise(self.X_W[-1])
        start, end = arb(float(self.knots[i])), arb(float(self.knots[i + 1]))
        s = (arb(t) - start) / (end - start)
        if self.kind == "cubic":
            return lagrange([precise(X) for X in self.X_W[3 * i : 3 * i + 4]], s)
        return between(precise(self.X_W[i]), precise(self.X_W[i + 1]), s, screw=self.kind == "screw")


def precise(X: np.ndarray) -> arb_mat:
    """A matrix of floats without rounding."""
    return arb_mat([[arb(float(entry)) for entry in row] for row in np.atleast_2d(X)])


def rounded(X: arb_mat) -> np.ndarray:
    """The nearest floats, or nearly."""
    return np.array([[float(entry.mid()) for entry in row] for row in X.tolist()])


def lagrange(X: list[arb_mat], s: arb) -> arb_mat:
    """The cubic through four matrices at s = 0, 1/3, 2/3, 1."""
    total = X[0] * arb(0)
    for j in range(4):
        weight = arb(1)
        for k in range(4):
            if k != j:
                weight *= (3 * s - k) / arb(j - k)
        total += X[j] * weight
    return total


def between(X0: arb_mat, X1: arb_mat, s: arb, *, screw: bool) -> arb_mat:
    """Part s of the way from X0 to X1, by the matrix X0 exp(s log(X0^-1 X1)) or with a straight way of the origin."""
    R0, R1 = block(X0, 3), block(X1, 3)
    w = logarithm(nearest_rotation(R0.transpose() * R1))
    step = arb_mat([[X1[i, 3] - X0[i, 3]] for i in range(3)])
    if not screw:
        return joined(R0 * (hat(w) * s).exp(), column(X0) + step * s)
    # The mean of exp(s W) for s from 0 to 1 stands beside exp(W) in the exponential of [[W, 1], [0, 0]].
    wide = joined6(hat(w)).exp()
    mean = arb_mat([[wide[i, 3 + j] for j in range(3)] for i in range(3)])
    rho = mean.solve(R0.solve(step))
    twist = arb_mat(
        [[hat(w)[i, j] if j < 3 else rho[i, 0] for j in range(4)] for i in range(3)] + [[0, 0, 0, 0]]
    )
    return X0 * (twist * s).exp()


def nearest_rotation(M: arb_mat) -> arb_mat:
    """The orthogonal factor of a matrix that is within 1e-14 of a rotation, by Newton's steps."""
    for _ in range(5):
        M = midpoints((M + M.inv().transpose()) * arb(0.5))
    return M


def midpoints(M: arb_mat) -> arb_mat:
    """The middles of the entries: iterations that correct themselves need not carry their error bounds."""
    return arb_mat([[entry.mid() for entry in row] for row in M.tolist()])


def logarithm(R: arb_mat) -> list[arb]:
    """The rotation vector of a rotation by less than half a turn."""
    sines = [(R[2, 1] - R[1, 2]) / 2, (R[0, 2] - R[2, 0]) / 2, (R[1, 0] - R[0, 1]) / 2]
    sine = sum(x * x for x in sines).mid().sqrt()
    cosine = ((R.trace() - 1) / 2).mid()
    if sine < arb(2) ** -100:
        return sines
    angle = arb.atan2(sine, cosine)
    return [x * angle / sine for x in sines]


def hat(w: list[arb]) -> arb_mat:
    """The matrix of the cross product with a vector."""
    x, y, z = w
    return arb_mat([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def block(X: arb_mat, n: int) -> arb_mat:
    return arb_mat([[X[i, j] for j in range(n)] for i in range(n)])


def column(X: arb_mat) -> arb_mat:
    return arb_mat([[X[i, 3]] for i in range(3)])


def joined(R: arb_mat, p: arb_mat) -> arb_mat:
    return arb_mat([[R[i, j] if j < 3 else p[i, 0] for j in range(4)] for i in range(3)] + [[0, 0, 0, 1]])


def joined6(W: arb_mat) -> arb_mat:
    rows = [[W[i, j] if j < 3 else int(j - 3 == i) for j in range(6)] for i in range(3)]
    return arb_mat(rows + [[0] * 6 for _ in range(3)])


def relative(a: PreciseMotion, b: PreciseMotion, t: Any, pieces: tuple[int, int]) -> arb_mat:
    """The matrix of B in A's frame at time t, by the formulas of the given pieces."""
    return a.at(t, pieces[0]).solve(b.at(t, pieces[1]))


def relative_rate(a: PreciseMotion, b: PreciseMotion, t: Any, pieces: tuple[int, int]) -> arb_mat:
    """The derivative of the matrix of B in A's frame at time t."""
    ctx.prec = BITS
    t = arb(t)
    return (relative(a, b, t + STEP, pieces) - relative(a, b, t - STEP, pieces)) * (1 / (2 * STEP))


def random_samples(
    rng: np.random.Generator,
    kind: str,
    angle: float,
    step: float,
    far: float,
    pieces: int = 1,
    t0: float = 0.0,
) -> tuple[np.ndarray, np.ndarray]:
    """Times and poses of a motion that turns by about `angle` and goes about `step` in each of its pieces [rad, m].

    It begins at time t0 and about `far` from the world's origin.
    """
    per_piece = 3 if kind == "cubic" else 1
    X = [random_pose(rng, far)]
    for _ in range(pieces):
        axis, way = unit_vector(rng), step * unit_vector(rng)
        for _ in range(per_piece):
            bent = axis + 0.2 * unit_vector(rng)
            half = 0.5 * angle / per_piece
            turn = np.concatenate([[np.cos(half)], np.sin(half) * bent / np.linalg.norm(bent)])
            R = rotation_of_quaternion(turn) @ X[-1][:3, :3]
            X.append(pose(R, X[-1][:3, 3] + (way + 0.3 * step * unit_vector(rng)) / per_piece))
    lengths = np.repeat(rng.uniform(0.5, 2.0, size=pieces), per_piece)
    return t0 + np.concatenate([[0.0], np.cumsum(lengths)]), np.array(X)
