"""Seeded crowds of many kinds, small enough for all pairs and exact roots."""

from dataclasses import dataclass, field, replace

import numpy as np
from tests.oracles.crowd_elastic import Elastic
from tests.oracles.crowd_paths import Forces, Paths, borders, forced, random_forces, steady
from tests.oracles.crowd_truth import Box

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Scene:
    """A crowd and how long to watch it; `bounds` are of accelerations, `box` the lower and upper corner or None."""

    name: str
    x: Array
    v: Array
    radii: Array
    bounds: Array
    seed: int = 0
    interval: float = 0.25
    gravity: Array = field(default_factory=lambda: np.zeros(3))
    box: Box | None = None
    t_end: float = 2.0

    @property
    def dimension(self) -> int:
        return int(self.x.shape[1])

    @property
    def is_random(self) -> bool:
        return bool(np.any(self.bounds > 0))

    def forces(self) -> Forces:
        if self.is_random:
            return random_forces(self.seed, self.interval, self.bounds, self.gravity)
        return steady(self.gravity)

    def paths(self) -> Paths:
        """The paths of members that pass through each other and through walls."""
        return forced(self.x, self.v, self.forces(), borders(self.interval, 0.0, self.t_end))

    def elastic(self) -> Elastic:
        return Elastic.start(self.x, self.v, self.radii, self.forces(), interval=self.interval, box=self.box)


def random_scene(kind: str, seed: int) -> Scene:
    """A crowd of a kind: see KINDS."""
    rng = np.random.default_rng([seed, *map(ord, kind)])
    d = 2 if kind.endswith("2D") else 3
    n = int(rng.integers(4, 17))
    x = rng.uniform(0.0, 6.0, (n, d))
    scene = Scene(
        f"{kind} {seed}",
        x,
        (rng.uniform(2.0, 4.0, (n, d)) - x) / rng.uniform(0.2, 1.2, (n, 1)),  # all go where others go
        rng.uniform(0.1, 0.8, n),
        rng.uniform(5.0, 10.0, n),
        seed=int(rng.integers(0, 2**31)),
        interval=float(rng.choice([0.1, 0.25, 0.3, 1.0 / 3.0])),
        gravity=np.zeros(d),
        box=(np.zeros(d), np.full(d, 6.0)),
        t_end=float(rng.uniform(1.0, 2.5)),
    )
    return KINDS[kind](scene, rng)


def plain(scene: Scene, _rng: np.random.Generator) -> Scene:
    return scene


def ballistic(scene: Scene, rng: np.random.Generator) -> Scene:
    g = np.zeros(scene.dimension)
    g[-1] = -9.81 * float(rng.integers(0, 2))
    return replace(scene, bounds=np.zeros(len(scene.radii)), gravity=g)


def sizes(scene: Scene, rng: np.random.Generator) -> Scene:
    """Radii from 0.002 to 2: a ratio of 1000."""
    return replace(scene, radii=2.0 * 10.0 ** -rng.uniform(0.0, 3.0, len(scene.radii)))


def fast(scene: Scene, rng: np.random.Generator) -> Scene:
    """Members that cross the whole crowd in a few hundredths of a second."""
    return replace(scene, v=scene.v * 10.0 ** rng.uniform(1.0, 2.0), t_end=0.2 * scene.t_end)


def slow(scene: Scene, rng: np.random.Generator) -> Scene:
    """Hardly any speed at first: all motion comes from forces, and turns round in each interval."""
    return replace(scene, v=scene.v * 1e-3, x=rng.uniform(0.0, 3.0, scene.x.shape))


def idle(scene: Scene, rng: np.random.Generator) -> Scene:
    """Bounds that are far greater than what acts: those of members at rest and of ballistic ones among random ones."""
    return replace(scene, bounds=scene.bounds * rng.choice([0.0, 1.0], len(scene.radii)))


def dense(scene: Scene, rng: np.random.Generator) -> Scene:
    """Members that start inside each other."""
    return replace(scene, x=rng.uniform(0.0, 2.0, scene.x.shape))


def far(scene: Scene, rng: np.random.Generator) -> Scene:
    """Far from the origin, where positions have fewer digits."""
    place = rng.uniform(-1e4, 1e4, scene.dimension)
    return replace(scene, x=scene.x + place, box=(place, place + 6.0))


def specks(scene: Scene, rng: np.random.Generator) -> Scene:
    """Some members are points, or next to that."""
    return replace(scene, radii=scene.radii * rng.choice([0.0, 1e-9, 1.0], len(scene.radii)))


KINDS = {
    "plain": plain,
    "plain 2D": plain,
    "ballistic": ballistic,
    "ballistic 2D": ballistic,
    "sizes": sizes,
    "sizes 2D": sizes,
    "fast": fast,
    "slow": slow,
    "slow 2D": slow,
    "idle": idle,
    "dense": dense,
    "dense 2D": dense,
    "far": far,
    "specks": specks,
}


def apart(scene: Scene, rng: np.random.Generator) -> Scene:
    """The same crowd placed so that no members overlap and none reaches out of the box; fewer where they do not fit.

    They go as fast as before, to somewhere near the middle.
    """
    assert scene.box is not None
    lower, upper = scene.box
    radii = np.minimum(scene.radii, 0.2 * float(np.min(upper - lower)))
    kept: list[int] = []
    x = scene.x.copy()
    for i in np.argsort(-radii).tolist():
        for _ in range(200):
            x[i] = rng.uniform(lower + 1.01 * radii[i], upper - 1.01 * radii[i])
            if all(np.linalg.norm(x[i] - x[j]) > 1.01 * (radii[i] + radii[j]) for j in kept):
                kept.append(i)
                break
    keep = np.sort(np.array(kept))
    ways = lower + rng.uniform(0.4, 0.6, x.shape) * (upper - lower) - x
    v = ways * (np.linalg.norm(scene.v, axis=1) / np.linalg.norm(ways, axis=1))[:, None]
    least = 1e-4 * float(np.min(upper - lower))
    return replace(
        scene, x=x[keep], v=v[keep], radii=np.maximum(radii[keep], least), bounds=scene.bounds[keep]
    )
