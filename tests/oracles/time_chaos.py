"""Seeded pairs of moving bodies on wild grids of time, with contacts and near misses whose truth is exact."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from tests.oracles.time_families import FAMILIES, Body
from tests.oracles.time_grids import GRIDS, later
from tests.oracles.time_truth import Truth, after, before

Generator = np.random.Generator
OFTEN = ("slab", "slab", "slab", "passing", "hinge", "rod", "links")


@dataclass(frozen=True)
class Case:
    """A question about two moving bodies, and what is true."""

    seed: int
    family: str
    grid: str
    a: Body
    b: Body
    truth: Truth
    scale: float  # of coordinates and bodies [m]
    margin: float
    tolerance: float
    t0: float | None = None
    t1: float | None = None

    @property
    def knots(self) -> list[float]:
        """The times of both motions, in order."""
        return sorted({t for body in (self.a, self.b) for t in body.mover.times})

    @property
    def interval(self) -> tuple[float, float]:
        """What is asked about; by default from where the first motion begins to where the last one ends."""
        knots = self.knots
        return knots[0] if self.t0 is None else self.t0, knots[-1] if self.t1 is None else self.t1

    @property
    def slack(self) -> Fraction:
        """What paths that the library solves for may be off by [m]."""
        return Fraction(self.scale) * Fraction(self.a.mover.slack + self.b.mover.slack)

    def __str__(self) -> str:
        a, b = (f"{x.kind} ({x.mover.interpolation})" for x in (self.a, self.b))
        return (
            f"seed {self.seed}: {self.family} on {self.grid}, {a} and {b}, scale {self.scale:.3g}, "
            f"margin {self.margin:.3g}, tolerance {self.tolerance:.3g}, interval {self.interval}"
        )


@lru_cache(maxsize=256)
def make_case(seed: int) -> Case:
    """The case of a seed."""
    rng = np.random.default_rng([seed, 1301])
    family = str(rng.choice(OFTEN))
    size = float(10.0 ** rng.uniform(-6, 6)) if rng.random() < 0.6 else 1.0
    grid = str(rng.choice(list(GRIDS)))
    margin = 0.0 if rng.random() < 0.6 else float(size * 10.0 ** rng.uniform(-4, -1))
    tolerance = float(size * 10.0 ** rng.uniform(-8 if rng.random() < 0.8 else -10, -2))
    a, b, truth, scale = FAMILIES[family](rng, grid, size, margin, tolerance)
    if rng.random() < 0.5:
        a, b = b, a
    t0, t1 = interval(rng, a, b)
    return Case(seed, family, grid, a, b, truth, scale, margin, tolerance, t0, t1)


def interval(rng: Generator, a: Body, b: Body) -> tuple[float | None, float | None]:
    """What to ask about, within the times for which both motions say where the bodies are."""
    low, high = wanted_interval(rng, sorted({t for body in (a, b) for t in body.mover.times}))
    for body in (a, b):
        hold = "both" if body.mover.motion is None else body.mover.motion.hold
        if body.mover.times and hold in ("none", "after"):
            low = body.mover.times[0] if low is None else max(low, body.mover.times[0])
            high = None if high is None else max(low, high)
        if body.mover.times and hold in ("none", "before"):
            high = body.mover.times[-1] if high is None else min(high, body.mover.times[-1])
            low = None if low is None else min(low, high)
    return low, high


def wanted_interval(rng: Generator, times: list[float]) -> tuple[float | None, float | None]:
    """Everything, a part, one instant, ticks beside knots, or beyond the ends."""
    kind = rng.integers(10)
    if kind < 5:
        return None, None
    if kind == 5:
        t = float(rng.choice(times))
        return t, t
    if kind == 6:
        low, high = sorted(float(t) for t in rng.uniform(times[0], times[-1], size=2))
        return low, high
    if kind == 7:
        ends = [float(t) for t in rng.choice(times, size=2)]
        low, high = sorted(f(t) for f, t in zip(rng.choice([before, after], size=2), ends, strict=True))
        return low, high
    if kind == 8:
        long = times[-1] - times[0]
        return before(times[0]) - 0.1 * long, later(times[-1], 2) + 0.3 * long
    k = int(rng.integers(len(times) - 1))
    return times[k], times[k + 1]
