"""Seeded difficult crowds: exact grazes and instants, extreme sizes, positions and speeds."""

from dataclasses import replace

import numpy as np
from tests.oracles.crowd_families import Scene, random_scene

Rng = np.random.Generator


def nasty_scene(kind: str, seed: int) -> Scene:
    """A crowd of a kind: see NASTY."""
    rng = np.random.default_rng([seed, *map(ord, kind)])
    base = random_scene("plain 2D" if rng.integers(0, 2) else "plain", seed)
    if rng.integers(0, 2):
        base = replace(base, bounds=0.0 * base.bounds)
    return replace(NASTY[kind](base, rng), name=f"{kind} {seed}")


def scaled(scene: Scene, size: float) -> Scene:
    """Everything so many times as large, at the same times."""
    assert scene.box is not None
    return replace(
        scene,
        x=scene.x * size,
        v=scene.v * size,
        radii=scene.radii * size,
        bounds=scene.bounds * size,
        gravity=scene.gravity * size,
        box=(scene.box[0] * size, scene.box[1] * size),
    )


def tiny(scene: Scene, _rng: Rng) -> Scene:
    return scaled(scene, 1e-6)


def huge(scene: Scene, _rng: Rng) -> Scene:
    return scaled(scene, 1e6)


def away(scene: Scene, rng: Rng) -> Scene:
    """Of ordinary size, a thousand kilometres from the origin."""
    place = rng.choice([-1e6, 0.0, 1e6], scene.dimension)
    assert scene.box is not None
    return replace(scene, x=scene.x + place, box=(scene.box[0] + place, scene.box[1] + place))


def lattice(scene: Scene, rng: Rng) -> Scene:
    """Places, speeds and radii are multiples of an eighth: contacts at exactly the same time, and exact grazes."""
    n, d = scene.x.shape
    return replace(
        scene,
        x=rng.integers(0, 12 if d == 3 else 20, (n, d)) / 4.0,
        v=rng.integers(-2, 3, (n, d)) * float(rng.choice([0.5, 1.0, 4.0])),
        radii=rng.integers(0, 5, n) / 8.0,
        bounds=0.0 * scene.bounds,
        gravity=np.zeros(d) if rng.integers(0, 2) else np.eye(d)[-1] * -8.0,
        t_end=2.0,
    )


def packed(scene: Scene, rng: Rng) -> Scene:
    """Members side by side in rows that touch exactly, some rows moving along others or into them."""
    d = scene.dimension
    steps = np.stack(np.meshgrid(*[np.arange(3.0)] * d, indexing="ij"), axis=-1).reshape(-1, d)
    n = len(steps)
    speed = float(rng.choice([0.0, 0.5, 1.0]))
    v = np.zeros((n, d))
    v[:, 0] = speed * rng.choice([-1.0, 0.0, 1.0], 3)[steps[:, -1].astype(int)]
    gaps = float(rng.choice([0.0, 0.25, 1.0]))
    return replace(
        scene,
        x=1.0 + steps * (1.0 + gaps),
        v=v,
        radii=np.full(n, 0.5),
        bounds=np.zeros(n) if rng.integers(0, 2) else np.full(n, 3.0),
        t_end=2.0,
    )


def grazes(scene: Scene, rng: Rng) -> Scene:
    """Pairs that pass each other at the sum of their radii, a little more or a little less, along an axis."""
    n, d = 12, scene.dimension
    x, v, radii = np.zeros((n, d)), np.zeros((n, d)), rng.integers(1, 5, n) / 4.0
    for k in range(0, n, 2):
        x[k] = rng.integers(0, 40, d) / 2.0
        off = float(rng.choice([0.0, 0.0, 1e-15, -1e-15, 1e-12, -1e-12, 1e-9, -1e-9, 1e-6, -1e-6]))
        x[k + 1] = x[k]
        x[k + 1, -1] += radii[k] + radii[k + 1] + off
        v[k, 0] = float(rng.choice([0.25, 1.0, 1000.0]))
        back = float(rng.choice([0.25, 0.5, 0.75]))
        x[k, 0] -= v[k, 0] * back
    return replace(scene, x=x, v=v, radii=radii, bounds=np.zeros(n), t_end=1.0)


def nested(scene: Scene, rng: Rng) -> Scene:
    """Small ones within larger ones within larger ones, at first or always, some with one centre."""
    n, d = scene.x.shape
    x = rng.uniform(2.9, 3.1, (n, d))
    x[rng.random(n) < 0.3] = 3.0
    v = scene.v * rng.choice([0.0, 0.01, 1.0], (n, 1))
    return replace(scene, x=x, v=v, radii=4.0 * 10.0 ** -rng.uniform(0.0, 3.0, n))


def still(scene: Scene, rng: Rng) -> Scene:
    """Some are at rest and stay, others not."""
    rest = rng.random(len(scene.radii)) < 0.6
    return replace(scene, v=np.where(rest[:, None], 0.0, scene.v), bounds=np.where(rest, 0.0, scene.bounds))


def uneven(scene: Scene, rng: Rng) -> Scene:
    """Greatest accelerations from none to a thousand beside each other."""
    n = len(scene.radii)
    return replace(scene, bounds=rng.choice([0.0, 1e-6, 1.0, 1e3], n), t_end=min(scene.t_end, 1.0))


def tangent(scene: Scene, rng: Rng) -> Scene:
    """Each next member touches the one before at the start, as exactly as rounding allows."""
    n, d = scene.x.shape
    x = np.zeros((n, d))
    for k in range(1, n):
        way = rng.normal(size=d)
        x[k] = x[k - 1] + way / np.linalg.norm(way) * (scene.radii[k] + scene.radii[k - 1])
    return replace(scene, x=x, v=scene.v * rng.choice([0.0, 1.0], (n, 1)), box=None)


def bullets(scene: Scene, rng: Rng) -> Scene:
    """A few at a thousand kilometres a second, others slow; small ones."""
    speed = 10.0 ** rng.uniform(2.0, 6.0)
    quick = rng.random(len(scene.radii)) < 0.5
    v = scene.v * np.where(quick, speed, 1.0)[:, None]
    return replace(scene, v=v, radii=scene.radii * 0.3, t_end=max(2.0 / speed, 1e-3))


def giants(scene: Scene, rng: Rng) -> Scene:
    """Radii from dust to many times the place they are in."""
    return replace(scene, radii=20.0 * 10.0 ** -rng.uniform(0.0, 4.0, len(scene.radii)))


def points(scene: Scene, rng: Rng) -> Scene:
    """Nothing but points and discs of radius 0 beside a few others, on a lattice so that they meet."""
    return replace(lattice(scene, rng), radii=rng.choice([0.0, 0.0, 0.125], len(scene.radii)))


def many(scene: Scene, rng: Rng) -> Scene:
    """Two hundred of all sizes."""
    n, d = 200, scene.dimension
    side = 20.0 if d == 3 else 60.0
    return replace(
        scene,
        x=rng.uniform(0.0, side, (n, d)),
        v=rng.normal(size=(n, d)) * 10.0,
        radii=0.02 * 100.0 ** rng.uniform(0.0, 1.0, n),
        bounds=rng.uniform(0.0, 20.0, n) if scene.is_random else np.zeros(n),
        box=(np.zeros(d), np.full(d, side)),
        t_end=0.5,
    )


def quick_forces(scene: Scene, rng: Rng) -> Scene:
    """Forces that change after a hundredth of a second, or never while one looks."""
    bounds = rng.uniform(5.0, 50.0, len(scene.radii))
    interval = float(rng.choice([0.01, 0.02, 7.0]))
    return replace(scene, bounds=bounds, interval=interval, t_end=0.6)


NASTY = {
    "tiny": tiny,
    "huge": huge,
    "away": away,
    "lattice": lattice,
    "packed": packed,
    "grazes": grazes,
    "nested": nested,
    "still": still,
    "uneven": uneven,
    "tangent": tangent,
    "bullets": bullets,
    "giants": giants,
    "points": points,
    "quick forces": quick_forces,
    "many": many,
}
