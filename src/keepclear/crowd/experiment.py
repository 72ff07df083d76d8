"""Random crowds in a box, by default those on which the method was first measured."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from keepclear.checks import FloatArray
from keepclear.crowd.crowd import Crowd
from keepclear.crowd.parts.motions import Ballistic, RandomForces, VelocityField
from keepclear.crowd.placing import filled_share, place_spheres

EDGE, FULLEST = 200.0, 3500
"""Edge of the source's box [m], and how many spheres it holds at most; more of them get a larger box, as full."""


class Range(NamedTuple):
    """Numbers with a uniform distribution from low to high."""

    low: float
    high: float

    def mean_power(self, k: int) -> float:
        """Return the mean of the k-th powers."""
        a, b = self
        if b - a <= 1e-6 * b:
            return a**k
        return float((b ** (k + 1) - a ** (k + 1)) / ((k + 1) * (b - a)))


class Setting(NamedTuple):
    """Radii [m], speeds at the start [m/s] and maximum accelerations [m/s^2] of a crowd."""

    radii: Range
    speeds: Range
    accelerations: Range


_RADII, _SPEEDS = Range(0.1, 10.0), Range(2.5 * math.sqrt(3.0), 25.0 * math.sqrt(3.0))
SETTINGS = {
    "random": Setting(_RADII, _SPEEDS, Range(10.0, 20.0)),
    "field": Setting(Range(1.0, 10.0), Range(0.0, 0.0), Range(30.0, 30.0)),
    "ballistic": Setting(_RADII, _SPEEDS, Range(0.0, 0.0)),
}
"""By motion: spheres pushed by random forces, particles that circulate, and spheres that fly freely."""


@dataclass(frozen=True)
class Experiment:
    """A random crowd: how many spheres, how large, how fast, and in what box.

    Attributes:
        n: How many.
        motion: "random", "field" or "ballistic".
        setting: Radii, speeds and accelerations; by default those of the motion.
        edge: Of the box [m]; by default as `usual_edge` says.
        dimensions: 3, or 2 for discs.
        response: "elastic" or "report".
        seed: The same seed gives the same crowd.
    """

    n: int
    motion: str = "random"
    setting: Setting | None = None
    edge: float | None = None
    dimensions: int = 3
    response: str = "elastic"
    seed: int = 1

    @property
    def numbers(self) -> Setting:
        """Radii, speeds and accelerations, as given or those of the motion."""
        return SETTINGS[self.motion] if self.setting is None else self.setting

    @property
    def size(self) -> float:
        """Edge of the box [m], as given or the usual one."""
        return self.usual_edge() if self.edge is None else self.edge

    def usual_edge(self) -> float:
        """Return the edge of a box that is as full as the source's is with as many spheres [m].

        That is 200 m for up to 3500 spheres of the motion's own radii; more of them, discs and other radii get a box
        that is filled to the same part. Few discs are as dense as 1000 spheres.
        """
        usual = SETTINGS[self.motion].radii
        n = max(self.n, 1000) if self.dimensions == 2 else self.n
        share = min(n, FULLEST) * _ball(3) * usual.mean_power(3) / EDGE**3
        volume = self.n * _ball(self.dimensions) * self.numbers.radii.mean_power(self.dimensions)
        edge = (volume / share) ** (1.0 / self.dimensions) if share > 0.0 else EDGE
        return float(f"{max(edge, 3.0 * self.numbers.radii.high):.12g}")

    def build(self) -> Crowd:
        """Return the crowd at its start, in which no two overlap.

        Raises:
            ArgumentError: They do not fit into the box.
        """
        n, d, setting = self.n, self.dimensions, self.numbers
        rng = np.random.default_rng(self.seed)
        radii = rng.uniform(*setting.radii, n)
        corners = np.zeros(d), np.full(d, self.size)
        x = place_spheres(radii, corners, seed=self.seed)
        direction = rng.normal(size=(n, d))
        direction /= np.maximum(np.linalg.norm(direction, axis=1), 1e-300)[:, None]
        motions: dict[str, Ballistic | RandomForces | VelocityField] = {
            "random": RandomForces(seed=self.seed),
            "field": VelocityField(),
            "ballistic": Ballistic(),
        }
        return Crowd(
            x,
            direction * rng.uniform(*setting.speeds, n)[:, None],
            radii,
            rng.uniform(*setting.accelerations, n),
            bounds=corners,
            motion=motions[self.motion],
            response=self.response,
        )

    def filled(self, radii: FloatArray) -> float:
        """Return the part of the box that these spheres fill."""
        return filled_share(radii, np.zeros(self.dimensions), np.full(self.dimensions, self.size))


def _ball(dimensions: int) -> float:
    """Return the volume of a sphere, or the area of a disc, of radius 1."""
    return math.pi if dimensions == 2 else 4.0 * math.pi / 3.0
