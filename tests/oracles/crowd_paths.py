"""Paths of many members on one grid of times, quadratic in each interval, held as exact fractions."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from flint import fmpq
from tests.oracles.crowd_forces import acceleration, interval_number

Array = np.ndarray
Forces = Callable[[int, float], Sequence[float]]  # what acts on a member at a time


def exact(x: Any) -> fmpq:
    """A double as a fraction."""
    return x if isinstance(x, fmpq) else fmpq(*float(x).as_integer_ratio())


exact_array = np.frompyfunc(exact, 1, 1)


def rounded(x: fmpq, bits: int = 180) -> fmpq:
    """The nearest of the fractions with that many binary places: keeps numbers short after an impact."""
    return fmpq((x.p * (1 << (bits + 1)) // x.q + 1) // 2, 1 << bits)


rounded_array = np.frompyfunc(rounded, 1, 1)


def as_float(x: fmpq) -> float:
    """The double nearest to a fraction."""
    return int(x.p) / int(x.q)


float_array = np.frompyfunc(as_float, 1, 1)


@dataclass(frozen=True)
class Paths:
    """Positions x + v s + a s^2 / 2, s after the start of an interval: arrays (intervals, n, d) of fractions.

    Where `present` (intervals, n) is False a member is nowhere.
    """

    grid: Sequence[fmpq]
    x: Array
    v: Array
    a: Array
    present: Array

    @property
    def n(self) -> int:
        return int(self.x.shape[1])

    @cached_property
    def spans(self) -> Array:
        return np.array([as_float(b - a) for a, b in zip(self.grid, self.grid[1:], strict=False)])

    @cached_property
    def floats(self) -> tuple[Array, Array, Array]:
        """Positions, velocities and accelerations in the middle of each interval, as doubles."""
        x, v, a = (float_array(y).astype(float) for y in (self.x, self.v, self.a))
        h = 0.5 * self.spans[:, None, None]
        return x + (v + 0.5 * a * h) * h, v + a * h, a

    def interval(self, t: fmpq) -> int:
        """The interval that holds a time; at a border the later one."""
        k = len(self.grid) - 2
        while k > 0 and self.grid[k] > t:
            k -= 1
        return k

    def state(self, t: Any) -> tuple[Array, Array]:
        """Positions and velocities (n, d) at a time, as fractions."""
        t = exact(t)
        k = self.interval(t)
        s = t - self.grid[k]
        return self.x[k] + self.v[k] * s + self.a[k] * (s * s / 2), self.v[k] + self.a[k] * s

    def positions(self, t: Any) -> Array:
        """Positions (n, d) as doubles, nan where a member is nowhere."""
        t = exact(t)
        x = float_array(self.state(t)[0]).astype(float)
        x[~self.present[self.interval(t)]] = np.nan
        return x

    def velocities(self, t: Any) -> Array:
        return float_array(self.state(t)[1]).astype(float)

    def gap(self, i: int, j: int, reach: float, t: float) -> float:
        """Distance of two centres less `reach` at a time [m], without cancellation."""
        x, _ = self.state(t)
        d = x[j] - x[i]
        square = sum(y * y for y in d)
        r = exact(reach)
        distance = float(np.sqrt(as_float(square)))
        return as_float(square - r * r) / (distance + reach) if distance + reach > 0 else 0.0


def forced(x: Array, v: Array, forces: Forces, grid: Sequence[fmpq]) -> Paths:
    """Paths from positions and velocities (n, d), with forces that are constant between the times of a grid."""
    xs, vs, accs = [exact_array(x)], [exact_array(v)], []
    for start, end in itertools.pairwise(grid):
        s = end - start
        middle = as_float((start + end) / 2)
        acc = exact_array(np.array([forces(i, middle) for i in range(len(x))], dtype=object))
        accs.append(acc)
        xs.append(xs[-1] + vs[-1] * s + acc * (s * s / 2))
        vs.append(vs[-1] + acc * s)
    return Paths(
        grid, np.array(xs[:-1]), np.array(vs[:-1]), np.array(accs), np.ones((len(accs), len(x)), bool)
    )


def borders(interval: float, t0: float, t1: float) -> list[fmpq]:
    """The times at which random forces change, with both ends."""
    first, last = interval_number(t0, interval), interval_number(t1, interval)
    inner = [k * interval for k in range(first + 1, last + 1)]
    return [exact(t) for t in (t0, *(t for t in inner if t0 < t < t1), t1)]


def next_border(interval: float, t: fmpq) -> fmpq:
    """The first time after t at which random forces change."""
    k = interval_number(as_float(t), interval)
    while exact(k * interval) <= t:
        k += 1
    return exact(k * interval)


def random_forces(seed: int, interval: float, bounds: Array, gravity: Array) -> Forces:
    """The forces of a seed, with a common gravity [m/s^2]."""

    def at(member: int, t: float) -> list[fmpq]:
        push = acceleration(seed, member, interval_number(t, interval), float(bounds[member]), len(gravity))
        return [exact(p) + exact(g) for p, g in zip(push, gravity, strict=True)]

    return at


def steady(gravity: Array) -> Forces:
    """Nothing but gravity."""
    return lambda _member, _t: gravity


def recorded(times: Array, positions: Array) -> Paths:
    """Straight ways between samples (m, n, d) at times (m,); a member is nowhere beside a sample that is nan."""
    grid = [exact(t) for t in times]
    known = ~np.isnan(positions).any(axis=2)
    x = exact_array(np.where(known[:, :, None], positions, 0.0))
    spans = np.array([b - a for a, b in itertools.pairwise(grid)], dtype=object)
    v = (x[1:] - x[:-1]) / spans[:, None, None]
    return Paths(grid, x[:-1], v, v * fmpq(0), known[1:] & known[:-1])
