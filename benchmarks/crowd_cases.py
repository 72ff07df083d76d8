"""The crowds that are timed: spheres in a cube, placed without overlaps, with bounds on their accelerations."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

import keepclear as kc

EDGE = 200.0  # of the source's cube [m]
INTERVAL = 0.25  # between changes of the forces [s]
Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Setting:
    """Spheres in a cube, or discs in a square, that do not overlap, each with a bound of its acceleration."""

    x: Array
    v: Array
    radii: Array
    accelerations: Array
    edge: float
    seed: int

    @property
    def n(self) -> int:
        return len(self.radii)

    @property
    def box(self) -> tuple[Array, Array]:
        return np.zeros(self.dimensions), np.full(self.dimensions, self.edge)

    @property
    def dimensions(self) -> int:
        return int(self.x.shape[1])

    @property
    def filled(self) -> float:
        """The part of the cube that is inside spheres."""
        return float(np.sum(self.radii**3)) * 4.0 / 3.0 * np.pi / self.edge**3


@lru_cache(maxsize=16)
def place(
    n: int,
    edge: float = EDGE,
    seed: int = 1,
    *,
    radii: tuple[float, float] = (0.1, 10.0),
    push: float = 1.0,
    dimensions: int = 3,
) -> Setting:
    """The source's crowd: radii 0.1 to 10, speeds 2.5 sqrt(3) to 25 sqrt(3), accelerations 10 to 20 times `push`."""
    rng, d = np.random.default_rng(seed), dimensions
    r = rng.uniform(*radii, n)
    x = kc.place_spheres(r, (np.zeros(d), np.full(d, edge)), seed=seed)
    way = rng.normal(size=(n, d))
    speed = rng.uniform(2.5, 25.0, n) * np.sqrt(3.0)
    v = way * (speed / np.linalg.norm(way, axis=1))[:, None]
    return Setting(x, v, r, push * rng.uniform(10.0, 20.0, n), edge, seed)


@lru_cache(maxsize=4)
def circulating(n: int = 1000) -> Setting:
    """The source's particles in a velocity field: radii 1 to 10, accelerations up to 30, at rest at first."""
    rng = np.random.default_rng(3)
    radii = rng.uniform(1.0, 10.0, n)
    x = kc.place_spheres(radii, (np.zeros(3), np.full(3, EDGE)), seed=3)
    return Setting(x, np.zeros((n, 3)), radii, np.full(n, 30.0), EDGE, 0)


def same_density(n: int) -> float:
    """The edge of a cube in which n spheres are as dense as 1000 in the source's [m]."""
    return float(EDGE * (n / 1000.0) ** (1.0 / 3.0))


def crowd_of(setting: Setting, response: str = "elastic", **options: Any) -> Any:
    """The library's crowd of a setting, pushed by random forces unless `options` name another motion."""
    options.setdefault("motion", kc.RandomForces(seed=setting.seed, interval=INTERVAL))
    return kc.Crowd(
        setting.x,
        setting.v,
        setting.radii,
        setting.accelerations,
        bounds=setting.box,
        response=response,
        **options,
    )


def started(setting: Setting, response: str = "elastic", **options: Any) -> Any:
    """A crowd whose members have all been looked at once: what comes after is running, not building."""
    crowd = crowd_of(setting, response, **options)
    crowd.advance(crowd.time)
    return crowd


def cpu(job: Callable[[], Any]) -> float:
    """The CPU time of a job [s]."""
    start = time.process_time()
    job()
    return time.process_time() - start


def best_run(
    setting: Setting, seconds: float, rounds: int, response: str = "elastic", **options: Any
) -> float:
    """The least CPU time per simulated second of some runs of the same crowd, without building it [s]."""
    least = np.inf
    for _ in range(rounds):
        crowd = started(setting, response, **options)
        least = min(least, cpu(lambda: crowd.advance(seconds)))
    return float(least) / seconds


def main() -> None:
    """Print how full the source's cubes are, and how long it takes to place the spheres."""
    print()
    for n in (500, 1000, 3500):
        start = time.process_time()
        setting = place(n)
        print(f"{n} spheres fill {setting.filled:.0%}, placed in {time.process_time() - start:.2f} s")


if __name__ == "__main__":
    main()
