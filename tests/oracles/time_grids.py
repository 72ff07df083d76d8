"""Wild grids of time: steps of a few float64 ticks, offsets to 1e12 s, durations from 1e-12 s to 1e9 s."""

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np

Generator = np.random.Generator
TICKS = (1, 1, 2, 3, 4, 5, 8, 16, 33)


def offset(rng: Generator) -> float:
    """A time between -1e12 s and 1e12 s, often zero or a power of two."""
    sign = rng.choice([-1.0, 1.0])
    kind = rng.integers(4)
    if kind == 0:
        return 0.0
    if kind == 1:
        return float(sign * 2.0 ** rng.integers(-10, 40))
    return float(sign * 10.0 ** rng.uniform(-3, 12))


def later(t: float, ticks: int) -> float:
    """The float64 number so many places after t."""
    for _ in range(ticks):
        t = math.nextafter(t, math.inf)
    return t


def increasing(times: list[float]) -> list[float]:
    """The same times, each at least one tick after the one before."""
    for k in range(1, len(times)):
        times[k] = max(times[k], math.nextafter(times[k - 1], math.inf))
    return times


def steps(start: float, lengths: np.ndarray) -> list[float]:
    return increasing([float(t) for t in start + np.concatenate([[0.0], np.cumsum(lengths)])])


def plain(rng: Generator, n: int) -> list[float]:
    return steps(float(rng.uniform(-2, 2)), rng.uniform(0.2, 1.5, size=n - 1))


def ticks(rng: Generator, n: int) -> list[float]:
    """All steps are a few ticks."""
    times = [offset(rng) or 1.0]
    for _ in range(n - 1):
        times.append(later(times[-1], int(rng.choice(TICKS))))
    return times


def far(rng: Generator, n: int) -> list[float]:
    """Steps of a second down to a microsecond, far away from time zero."""
    start = float(rng.choice([-1, 1]) * 10.0 ** rng.uniform(6, 12))
    return steps(start, 10.0 ** rng.uniform(-6, 0) * rng.uniform(0.2, 1.5, size=n - 1))


def short(rng: Generator, n: int) -> list[float]:
    """Durations down to 1e-12 s."""
    start = 0.0 if rng.random() < 0.5 else offset(rng)
    return steps(start, 10.0 ** rng.uniform(-12, -3) * rng.uniform(0.2, 1.5, size=n - 1))


def long(rng: Generator, n: int) -> list[float]:
    """Durations up to 1e9 s."""
    return steps(offset(rng), 10.0 ** rng.uniform(2, 9) * rng.uniform(0.2, 1.0, size=n - 1))


def nudged(rng: Generator, n: int) -> list[float]:
    """A usual grid with a repeated time stamp in its middle, nudged by a few ticks."""
    start = float(rng.choice([0.0, 1.0, 100.0, 1.7e9, -3e5])) + float(rng.uniform(-2, 2))
    times = steps(start, rng.uniform(0.2, 1.5, size=n - 2)) if n > 2 else [start]
    k = int(rng.integers(len(times)))
    times.insert(k + 1, later(times[k], int(rng.choice(TICKS))))
    return increasing(times)


def mixed(rng: Generator, n: int) -> list[float]:
    """Each step between a tick and 1e6 s."""
    return steps(offset(rng), 10.0 ** rng.uniform(-13, 6, size=n - 1))


GRIDS: dict[str, Callable[[Generator, int], list[float]]] = {
    "plain": plain,
    "ticks": ticks,
    "far": far,
    "short": short,
    "long": long,
    "nudged": nudged,
    "mixed": mixed,
}


def even(rng: Generator, kind: str, n: int) -> list[float]:
    """A grid whose steps are exactly equal in each three, for cubics through four samples: n = 3 m + 1."""
    while True:
        ends = GRIDS[kind](rng, (n - 1) // 3 + 1)
        times = ends[:1]
        for end in ends[1:]:
            start = times[-1]
            tick = math.ulp(max(abs(start), abs(end)))
            h = max(round((end - start) / 3 / tick), 1) * tick
            times += [start + j * h for j in (1, 2, 3)]
        gaps = np.diff([Fraction(t) for t in times])
        if all(a == b == c > 0 for a, b, c in gaps.reshape(-1, 3)):
            return times
