"""Joint values over time: straight between waypoints, or cubic pieces through them, by independent formulas."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.interpolate import CubicSpline
from tests.oracles.robot_urdf import Wide

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class JointPath:
    """Waypoints (n, dof) at increasing times, with velocities (n, dof) or none; beyond its times the ends are held."""

    times: Array
    q: Array
    kind: str = "linear"  # or "spline"
    qd: Array | None = None

    @cached_property
    def slopes(self) -> Array:
        """The velocities (n, dof) at the waypoints of a spline: as given, or those of the natural one."""
        if self.qd is not None:
            return np.asarray(self.qd, dtype=Wide)
        return natural_slopes(self.times, self.q)

    def coefficients(self, i: int) -> Array:
        """The coefficients (4, dof) of 1, s, s^2, s^3 of piece i, with s from 0 to 1."""
        a, b = self.q[i].astype(Wide), self.q[i + 1].astype(Wide)
        if self.kind == "linear":
            return np.array([a, b - a, 0 * a, 0 * a])
        width = Wide(self.times[i + 1]) - Wide(self.times[i])
        u, v = self.slopes[i] * width, self.slopes[i + 1] * width
        return np.array([a, u, 3 * (b - a) - 2 * u - v, 2 * (a - b) + u + v])

    def at(self, t: Any) -> Array:
        """The values (m, dof) at times (m,), in extended precision."""
        return self.evaluated(t, 0)

    def speed(self, t: Any) -> Array:
        """The velocities (m, dof) at times (m,); at a waypoint those of the piece that follows, beyond the ends 0."""
        return self.evaluated(t, 1)

    def evaluated(self, t: Any, derivative: int) -> Array:
        told = np.atleast_1d(np.asarray(t, dtype=Wide))
        t = np.clip(told, self.times[0], self.times[-1])
        found = np.empty((len(t), self.q.shape[1]), dtype=Wide)
        piece = np.clip(np.searchsorted(self.times, t, side="right") - 1, 0, len(self.times) - 2)
        for i in np.unique(piece):
            here, start = piece == i, Wide(self.times[i])
            width = Wide(self.times[i + 1]) - start
            s, c = ((t[here] - start) / width)[:, None], self.coefficients(int(i))
            if derivative == 0:
                found[here] = c[0] + s * (c[1] + s * (c[2] + s * c[3]))
            else:
                found[here] = (c[1] + s * (2 * c[2] + s * 3 * c[3])) / width
        if derivative:
            found[(told < self.times[0]) | (told > self.times[-1])] = 0
        return found

    def most(self, i: int, weights: Sequence[float] | Array, offset: float = 0.0) -> tuple[float, float]:
        """Greatest absolute value and speed of a joint that is `weights` times the columns, plus an offset, in piece i.

        A cubic is largest at an end or where its derivative is 0, its derivative where the second one is.
        """
        c = (self.coefficients(i) @ np.asarray(weights, dtype=Wide)).astype(np.float64)
        c[0] += offset
        turns = [s.real for s in np.roots([3 * c[3], 2 * c[2], c[1]]) if 0 < s.real < 1]
        bends = [-c[2] / (3 * c[3])] if c[3] != 0 else []
        s = np.array([0.0, 1.0, *turns, *(b for b in bends if 0 < b < 1)])
        value = float(np.max(np.abs(c[0] + s * (c[1] + s * (c[2] + s * c[3])))))
        slope = float(np.max(np.abs(c[1] + s * (2 * c[2] + s * 3 * c[3]))))
        width = float(self.times[i + 1] - self.times[i])
        return value * (1 + 1e-9) + 1e-12, slope / width * (1 + 1e-9)


def natural_slopes(times: Array, q: Array) -> Array:
    """The velocities at the knots of the natural cubic spline: the second derivative is 0 at both ends.

    scipy solves the system; two steps of refinement in extended precision sharpen its last digits.
    """
    if len(times) == 2:
        slope = (q[1].astype(Wide) - q[0].astype(Wide)) / (Wide(times[1]) - Wide(times[0]))
        return np.array([slope, slope])
    h = np.diff(times.astype(Wide))[:, None]
    rise = np.diff(q.astype(Wide), axis=0) / h
    A = np.zeros((len(times), len(times)), dtype=Wide)
    b = np.zeros(q.shape, dtype=Wide)
    A[0, :2], b[0] = (2, 1), 3 * rise[0]
    A[-1, -2:], b[-1] = (1, 2), 3 * rise[-1]
    for i in range(1, len(times) - 1):
        A[i, i - 1 : i + 2] = 1 / h[i - 1, 0], 2 / h[i - 1, 0] + 2 / h[i, 0], 1 / h[i, 0]
        b[i] = 3 * (rise[i - 1] / h[i - 1] + rise[i] / h[i])
    slopes = CubicSpline(times, q, bc_type="natural").derivative()(times).astype(Wide)
    for _ in range(2):
        rest = (b - A @ slopes).astype(np.float64)
        slopes = slopes + np.linalg.solve(A.astype(np.float64), rest)
    return slopes
