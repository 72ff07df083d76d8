"""Crowds stepped 60 times a second, as is done without events: numpy with scipy's cKDTree, and coal's tree of boxes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

STEPS = 60  # per second
INTERVAL = 0.25  # between changes of the forces [s]
DIAMETER = 20.0  # of the largest sphere [m]
Array = np.ndarray
Finder = Callable[[Array], Array]


@dataclass(frozen=True, eq=False)
class Setting:
    """Spheres in a cube [0, edge]^3 that do not overlap, each with a bound of its acceleration."""

    x: Array
    v: Array
    radii: Array
    bounds: Array
    edge: float
    seed: int

    @property
    def n(self) -> int:
        return len(self.radii)


def place(n: int, edge: float, seed: int) -> Setting:
    """The source's crowd: radii 0.1 to 10, speeds 2.5 sqrt(3) to 25 sqrt(3), accelerations 10 to 20."""
    rng = np.random.default_rng(seed)
    radii = rng.uniform(0.1, 0.5 * DIAMETER, n)
    x = relaxed(rng.uniform(radii[:, None], edge - radii[:, None], (n, 3)), radii, edge)
    way = rng.normal(size=(n, 3))
    speed = rng.uniform(2.5, 25.0, n) * np.sqrt(3.0)
    v = way * (speed / np.linalg.norm(way, axis=1))[:, None]
    return Setting(x, v, radii, rng.uniform(10.0, 20.0, n), edge, seed)


def relaxed(x: Array, radii: Array, edge: float) -> Array:
    """Push overlapping spheres apart, the smaller of two the farther, until none overlap."""
    find = kd_tree_finder(radii * 1.002)
    for _ in range(2000):
        pairs = find(x)
        if len(pairs) == 0:
            return x
        i, j = pairs.T
        d = x[j] - x[i]
        distance = np.linalg.norm(d, axis=1)
        depth = (radii[i] + radii[j]) * 1.004 - distance
        push = d * (depth / np.maximum(distance, 1e-12))[:, None]
        share = (radii[j] / (radii[i] + radii[j]))[:, None]
        np.add.at(x, i, -push * share)
        np.add.at(x, j, push * (1.0 - share))
        x = np.clip(x, radii[:, None] * 1.001, edge - radii[:, None] * 1.001)
    raise RuntimeError(f"{len(radii)} spheres do not fit into a cube of {edge:.1f} m")


def kd_tree_finder(radii: Array) -> Finder:
    """All overlapping pairs (m, 2), i < j, by scipy's tree of centres."""
    from scipy.spatial import cKDTree

    reach = 2.0 * float(radii.max())

    def find(x: Array) -> Array:
        pairs = cKDTree(x, balanced_tree=False, compact_nodes=False).query_pairs(reach, output_type="ndarray")
        i, j = pairs.T
        d = x[j] - x[i]
        found: Array = pairs[np.einsum("ij,ij->i", d, d) <= (radii[i] + radii[j]) ** 2]
        return found

    return find


def coal_finder(radii: Array) -> Finder:
    """All overlapping pairs (m, 2), i < j, by coal's dynamic tree of boxes; spheres are known by their radii."""
    import coal

    bodies = [coal.CollisionObject(coal.Sphere(float(r))) for r in radii]
    manager = coal.DynamicAABBTreeCollisionManager()
    for body in bodies:
        manager.registerObject(body)
    callback = coal.CollisionCallBackDefault()
    callback.data.request.num_max_contacts = 64 * len(radii)
    order = np.argsort(radii)
    assert len(np.unique(radii)) == len(radii)
    is_ready = False

    def find(x: Array) -> Array:
        nonlocal is_ready
        for body, centre in zip(bodies, x, strict=True):
            body.setTranslation(centre)
            body.computeAABB()
        if is_ready:
            manager.update()
        else:
            manager.setup()
            is_ready = True
        callback.data.clear()
        callback.data.request.num_max_contacts = 64 * len(radii)
        manager.collide(callback)
        met = [(c.o1.radius, c.o2.radius) for c in callback.data.result.getContacts()]
        found = order[np.searchsorted(radii[order], np.array(met, dtype=np.float64).reshape(-1, 2))]
        return np.sort(found, axis=1)

    return find


def pushes(setting: Setting, number: int) -> Array:
    """The accelerations (n, 3) in an interval: the library's random forces, in numpy."""
    step, ids = np.uint64(0x9E3779B97F4A7C15), np.arange(setting.n, dtype=np.uint64)
    with np.errstate(over="ignore"):
        state = _mixed(np.array([setting.seed], dtype=np.uint64) + step)
        state = _mixed((_mixed((state ^ ids) + step) ^ np.uint64(number)) + step)
        words = [_mixed(state + np.uint64(k) * step) for k in (1, 2, 3)]
    u0, u1, u2 = ((word >> np.uint64(11)).astype(np.float64) * 2.0**-53 for word in words)
    z, angle = 2.0 * u0 - 1.0, 2.0 * np.pi * u1
    s, size = np.sqrt((1.0 - z) * (1.0 + z)), setting.bounds * u2 * (1.0 - 2.0**-50)
    return np.column_stack([s * np.cos(angle), s * np.sin(angle), z]) * size[:, None]


def _mixed(z: Array) -> Array:
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: Array = z ^ (z >> np.uint64(31))
    return mixed


def step_through(setting: Setting, find: Finder, seconds: float) -> tuple[Array, Array, int]:
    """Step a crowd with elastic impacts where spheres are found in each other; positions, velocities, impacts."""
    x, v, r = setting.x.copy(), setting.v.copy(), setting.radii
    masses, h, impacts, number = r**3, 1.0 / STEPS, 0, -1
    for k in range(round(seconds * STEPS)):
        if int(k * h / INTERVAL + 1e-9) != number:
            number = int(k * h / INTERVAL + 1e-9)
            a = pushes(setting, number)
        x += (v + 0.5 * h * a) * h
        v += a * h
        v[(x < r[:, None]) & (v < 0.0)] *= -1.0
        v[(x > setting.edge - r[:, None]) & (v > 0.0)] *= -1.0
        impacts += respond(x, v, masses, find(x))
    return x, v, impacts


def respond(x: Array, v: Array, masses: Array, pairs: Array) -> int:
    """Turn the velocities of pairs that come nearer; the number of those."""
    i, j = pairs.T
    coming = np.einsum("ij,ij->i", x[j] - x[i], v[j] - v[i]) < 0.0
    impacts = 0
    for a, b in pairs[coming]:
        d = x[b] - x[a]
        n: Any = d / np.sqrt(d @ d)
        u = (v[b] - v[a]) @ n
        if u < 0.0:
            push = 2.0 * u / (masses[a] + masses[b])
            v[a] += n * (push * masses[b])
            v[b] -= n * (push * masses[a])
            impacts += 1
    return impacts


def main() -> None:
    """Print how full the source's boxes are, and how long relaxation of the fullest takes."""
    import time

    for n in (500, 3500):
        start = time.process_time()
        setting = place(n, 200.0, 1)
        filled = float(np.sum(setting.radii**3)) * 4.0 / 3.0 * np.pi / 200.0**3
        print(f"\n{n} spheres fill {filled:.0%} of the box, placed in {time.process_time() - start:.2f} s")
