"""Elastic crowds from impact to impact: all pairs, exact roots, impulses to many digits."""

from dataclasses import dataclass
from typing import NamedTuple

import flint
import numpy as np
from flint import arb, fmpq
from tests.oracles.crowd_paths import (
    Forces,
    Paths,
    as_float,
    exact,
    exact_array,
    float_array,
    forced,
    next_border,
    rounded,
    rounded_array,
)
from tests.oracles.crowd_truth import WALL, Box, stretches

Array = np.ndarray


class Impact(NamedTuple):
    """Two members (or one and a face of the box, j = -1) meet; `rate` is how fast the gap closes [m/s]."""

    time: float
    i: int
    j: int
    face: int
    rate: float
    exact_time: fmpq


@dataclass
class Elastic:
    """A crowd with positions and velocities (n, d) as fractions at a time; masses and forces do not change."""

    x: Array
    v: Array
    radii: Array
    masses: Array
    forces: Forces
    interval: float
    box: Box | None
    time: fmpq

    @classmethod
    def start(cls, x: Array, v: Array, radii: Array, forces: Forces, **known: object) -> "Elastic":
        """A crowd from doubles; keywords: masses, interval, box, time."""
        masses = np.asarray(known.get("masses", radii**3), dtype=float)
        interval, time = float(str(known.get("interval", 0.25))), exact(known.get("time", 0.0))
        return cls(
            exact_array(x),
            exact_array(v),
            radii,
            masses,
            forces,
            interval,
            known.get("box"),
            time,  # type: ignore[arg-type]
        )

    def run(self, until: float, most: int = 10**9) -> list[Impact]:
        """Go to a time, or to just after so many impacts, and return these."""
        found: list[Impact] = []
        end = exact(until)
        while self.time < end and len(found) < most:
            border = min(next_border(self.interval, self.time), end)
            paths = forced(self.x, self.v, self.forces, [self.time, border])
            hit = self.first(paths)
            self.move(paths, border if hit is None else hit.exact_time)
            if hit is not None:
                self.respond(hit)
                found.append(hit)
        return found

    def first(self, paths: Paths) -> Impact | None:
        """The first impact in the single interval of these paths.

        A pair that touches at once and goes apart has no impact; one that comes nearer has it now.
        """
        best: Impact | None = None
        for (i, j, face), run in stretches(paths, 0, self.radii, self.box):
            if best is not None and run.begin >= best.exact_time:
                continue
            rate = self.closing(paths, run.begin, i, j, face)
            if rate > 0:
                best = Impact(as_float(run.begin), i, j, face, as_float(rate), run.begin)
        return best

    def closing(self, paths: Paths, t: fmpq, i: int, j: int, face: int) -> fmpq:
        """How fast a gap closes, up to a positive factor for pairs that is near 1."""
        x, v = paths.state(t)
        if j == WALL:
            return v[i][face // 2] if face % 2 else -v[i][face // 2]
        d = x[j] - x[i]
        reach = exact(self.radii[i]) + exact(self.radii[j])
        return -sum(d * (v[j] - v[i])) / (reach if reach > 0 else 1)

    def move(self, paths: Paths, t: fmpq) -> None:
        x, v = paths.state(t)
        self.x, self.v, self.time = rounded_array(x), rounded_array(v), rounded(t)

    def respond(self, hit: Impact) -> None:
        """Turn velocities round as an elastic impact does."""
        i, j = hit.i, hit.j
        self.v = self.v.copy()
        if j == WALL:
            self.v[i, hit.face // 2] = -self.v[i, hit.face // 2]
            return
        normal = direction(self.x[j] - self.x[i])
        m_i, m_j = exact(self.masses[i]), exact(self.masses[j])
        push = 2 * sum(normal * (self.v[j] - self.v[i])) / (m_i + m_j)
        self.v[i] = rounded_array(self.v[i] + normal * (push * m_j))
        self.v[j] = rounded_array(self.v[j] - normal * (push * m_i))

    def doubles(self) -> tuple[Array, Array]:
        return float_array(self.x).astype(float), float_array(self.v).astype(float)


def direction(d: Array) -> Array:
    """A vector of length 1 to some 50 digits."""
    before = flint.ctx.prec
    flint.ctx.prec = 200
    try:
        length = arb(sum(d * d)).sqrt().mid().fmpq()
    finally:
        flint.ctx.prec = before
    return rounded_array(d / length)
