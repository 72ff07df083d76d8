"""Crowds stepped 60 times a second, without events: numpy with scipy's cKDTree, and coal's tree of boxes."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.crowd_cases import INTERVAL, Setting, place

STEPS = 60  # per second
Array = np.ndarray
Finder = Callable[[Array], Array]


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
    callback = coal.CollisionCallBackDefault()
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
        else:  # only now: a tree of spheres that were all at the origin stays a bad one
            for body in bodies:
                manager.registerObject(body)
            manager.setup()
            is_ready = True
        callback.data.clear()
        callback.data.request.num_max_contacts = 64 * len(radii)
        manager.collide(callback)
        met = [(c.o1.radius, c.o2.radius) for c in callback.data.result.getContacts()]
        found = order[np.searchsorted(radii[order], np.array(met, dtype=np.float64).reshape(-1, 2))]
        return np.sort(found, axis=1)

    return find


FINDERS: dict[str, Callable[[Array], Finder]] = {"cKDTree": kd_tree_finder, "coal": coal_finder}


def pushes(setting: Setting, number: int) -> Array:
    """The accelerations (n, 3) in an interval: the library's random forces, in numpy."""
    step, ids = np.uint64(0x9E3779B97F4A7C15), np.arange(setting.n, dtype=np.uint64)
    with np.errstate(over="ignore"):
        state = _mixed(np.array([setting.seed], dtype=np.uint64) + step)
        state = _mixed((_mixed((state ^ ids) + step) ^ np.uint64(number)) + step)
        words = [_mixed(state + np.uint64(k) * step) for k in (1, 2, 3)]
    u0, u1, u2 = ((word >> np.uint64(11)).astype(np.float64) * 2.0**-53 for word in words)
    z, angle = 2.0 * u0 - 1.0, 2.0 * np.pi * u1
    s, size = np.sqrt((1.0 - z) * (1.0 + z)), setting.accelerations * u2 * (1.0 - 2.0**-50)
    return np.column_stack([s * np.cos(angle), s * np.sin(angle), z]) * size[:, None]


def _mixed(z: Array) -> Array:
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: Array = z ^ (z >> np.uint64(31))
    return mixed


class Stepped:
    """The same crowd in steps, with elastic impacts where spheres are found in each other."""

    def __init__(self, setting: Setting, find: Finder) -> None:
        self.setting, self.find = setting, find
        self.x, self.v = setting.x.copy(), setting.v.copy()
        self.masses, self.steps, self.impacts, self.number = setting.radii**3, 0, 0, -1

    def step(self, count: int) -> float:
        """Make some steps; return their CPU time [s]."""
        start = time.process_time()
        for _ in range(count):
            self._step()
        return time.process_time() - start

    def _step(self) -> None:
        x, v, r, h = self.x, self.v, self.setting.radii[:, None], 1.0 / STEPS
        number = int(self.steps * h / INTERVAL + 1e-9)
        if number != self.number:
            self.number, self.a = number, pushes(self.setting, number)
        x += (v + 0.5 * h * self.a) * h
        v += self.a * h
        v[(x < r) & (v < 0.0)] *= -1.0
        v[(x > self.setting.edge - r) & (v > 0.0)] *= -1.0
        self.impacts += respond(x, v, self.masses, self.find(x))
        self.steps += 1


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
    """Print whether the two find the same pairs among spheres that overlap."""
    setting = place(1000)
    x = setting.x + np.random.default_rng(0).normal(size=setting.x.shape)
    kd, coal = (sorted(map(tuple, build(setting.radii)(x).tolist())) for build in FINDERS.values())
    print(f"\n1000 spheres, {len(kd)} pairs overlap; coal finds {'the same' if kd == coal else 'others'}")


if __name__ == "__main__":
    main()
