"""Meshes to measure with (torus knots, a machined part, a scan), and poses of two meshes close to contact."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

import keepclear as kc
from benchmarks.mesh_peers import Coal

SHARED_PART = Path(__file__).parents[2] / "shared" / "data" / "meshes" / "featuretype.STL"
# Where the scan has its head, ears and tail: direction, height and width.
BUMPS = (
    ((0.7, 0, 0.7), 0.7, 0.5),
    ((0.5, 0.25, 1), 1.3, 0.12),
    ((0.5, -0.25, 1), 1.3, 0.12),
    ((-1, 0, -0.2), 0.25, 0.2),
)


def torus_knot(n_triangles: int, p: int = 2, q: int = 3) -> kc.Mesh:
    """Return a closed tube along the (p, q) torus knot, 0.2 m thick in a torus of 1 m, with nearly n triangles."""
    major, minor, tube = 1.0, 0.4, 0.1
    length = 2.0 * np.pi * np.hypot(p * major, q * minor)
    # n = 2 rings * around, with triangles about as long along the tube as around it.
    ideal = max(3.0, np.sqrt(n_triangles * np.pi * tube / length))
    candidates = range(max(3, int(0.7 * ideal)), int(1.4 * ideal) + 1)
    around = min(
        candidates, key=lambda k: (abs(2 * k * round(n_triangles / 2 / k) - n_triangles), abs(k - ideal))
    )
    rings = max(3, round(n_triangles / 2 / around))
    t, v = (2.0 * np.pi * np.arange(n)[:, None] / n for n in (rings, around))
    ring = np.concatenate([np.cos(p * t), np.sin(p * t), 0 * t], axis=1)  # outward in the plane of the torus
    up = np.array([0.0, 0.0, 1.0])
    normal = np.cos(q * t) * ring + np.sin(q * t) * up  # of the torus, so square to the knot
    core = major * ring + minor * normal
    along = (major + minor * np.cos(q * t)) * p * np.cross(up, ring)
    along += minor * q * (np.cos(q * t) * up - np.sin(q * t) * ring)
    side = np.cross(normal, along / np.linalg.norm(along, axis=1)[:, None])
    points = core[:, None] + tube * (np.cos(v) * normal[:, None] + np.sin(v) * side[:, None])
    return kc.Mesh(points.reshape(-1, 3), grid_triangles(rings, around), name=f"torus knot {n_triangles}")


def grid_triangles(rows: int, columns: int) -> np.ndarray:
    """Return the triangles of a grid of vertices that is closed both ways, (2 rows columns, 3)."""
    i, j = np.meshgrid(np.arange(rows), np.arange(columns), indexing="ij")
    a, b = i * columns + j, (i + 1) % rows * columns + j
    c, d = (i + 1) % rows * columns + (j + 1) % columns, i * columns + (j + 1) % columns
    return np.stack([a, b, c, a, c, d], axis=-1).reshape(-1, 3)


def scan_like(n_triangles: int, seed: int = 1) -> kc.Mesh:
    """Return a closed blob of exactly n (even) triangles with a head, two ears, fractal bumps and noise, 0.2 m large.

    Vertices lie anywhere, as those of a scan do; the hull of their directions connects them.
    """
    rng = np.random.default_rng(seed)
    waves = [(rng.normal(size=(4, 3)) * 2.0 ** (k + 1), rng.uniform(0, 6, size=4)) for k in range(7)]
    n = n_triangles // 2 + 2
    z = 1.0 - (2.0 * np.arange(n) + 1.0) / n
    turn = np.pi * (3.0 - np.sqrt(5.0)) * np.arange(n)
    r = np.sqrt(1.0 - z * z)
    directions = np.column_stack([r * np.cos(turn), r * np.sin(turn), z])
    directions += rng.normal(size=(n, 3)) * 0.3 / np.sqrt(n)
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    radius = 1.0 + rng.normal(size=n) * 0.1 / np.sqrt(n)
    for center, height, width in BUMPS:
        c = np.array(center) / np.linalg.norm(center)
        radius += height * np.exp(-((directions - c) ** 2).sum(axis=1) / width**2)
    for octave, (wave, phase) in enumerate(waves):
        radius += 0.06 * 0.5**octave * np.sin(directions @ wave.T + phase).sum(axis=1)
    triangles = outward(directions, ConvexHull(directions).simplices)
    return kc.Mesh(0.05 * radius[:, None] * directions, triangles, name=f"scan {n_triangles}")


def outward(points: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """Return the triangles of a hull around the origin, all looking outward."""
    a, b, c = (points[triangles[:, k]] for k in range(3))
    inward = np.einsum("ij,ij->i", a, np.cross(b, c)) < 0.0
    triangles = triangles.copy()
    triangles[inward] = triangles[inward, ::-1]
    return triangles


def machined_part() -> kc.Mesh:
    """Return a plate of 0.2 x 0.12 x 0.02 m with 15 cells (holes, counterbores, pockets) and rounded edges.

    Nearly all of its 6286 triangles are long and thin, as programs that read drawings make them.
    """
    height, columns, rows = 0.02, np.linspace(0.0, 0.2, 6), np.linspace(0.0, 0.12, 4)
    pieces = [_rim(columns, rows, height, 0.003)]
    for k, (i, j) in enumerate(np.ndindex(5, 3)):
        cell = np.array([columns[i], columns[i + 1], rows[j], rows[j + 1]])
        middle = np.array([cell[:2].mean(), cell[2:].mean()])
        if k % 3 == 2:
            pieces += _pocket(cell, _rounded_square(0.03, 0.006, 12) + middle, middle, height)
            continue
        turn = 2.0 * np.pi * (np.arange(48) + 0.5) / 48
        circle = np.column_stack([np.cos(turn), np.sin(turn)])
        bore, wide = middle + 0.006 * circle, middle + (0.006 + 0.005 * (k % 3)) * circle
        rings = [_at(wide, height), _at(wide, 0.012), _at(bore, 0.012)] if k % 3 else [_at(bore, height)]
        rings.append(_at(bore, 0.0))
        pieces += [_frame(cell, rings[0], 1), _frame(cell, rings[-1], -1), _loft(rings)]
    corners = np.concatenate(pieces).reshape(-1, 3)
    vertices, triangles = np.unique(corners, axis=0, return_inverse=True)
    return kc.Mesh(vertices, triangles.reshape(-1, 3), name="machined part")


def _at(outline: np.ndarray, z: float) -> np.ndarray:
    return np.column_stack([outline, np.full(len(outline), z)])


def _rounded_square(size: float, radius: float, n: int) -> np.ndarray:
    """Return a square outline with rounded corners, n points each, counter-clockwise."""
    turn = np.linspace(0.0, 0.5 * np.pi, n)
    arc = np.column_stack([np.cos(turn), np.sin(turn)]) * radius + (0.5 * size - radius)
    quarter = np.array([[0.0, -1.0], [1.0, 0.0]])
    return np.concatenate([arc @ np.linalg.matrix_power(quarter, k).T for k in range(4)])


def _frame(cell: np.ndarray, ring: np.ndarray, sense: int) -> np.ndarray:
    """Return what is between a rectangle and an outline around its middle; sense 1 looks up, -1 down."""
    x0, x1, y0, y1 = cell
    z = ring[0, 2]
    corners = np.array([(x1, y1, z), (x0, y1, z), (x0, y0, z), (x1, y0, z)])
    dx, dy = (ring[:, :2] - (0.5 * (x0 + x1), 0.5 * (y0 + y1))).T
    quadrant = np.where(dy > 0, np.where(dx > 0, 0, 1), np.where(dx > 0, 3, 2))
    following = np.roll(quadrant, -1)
    after = np.roll(ring, -1, axis=0)
    fans = np.stack([ring, corners[quadrant], after], axis=1)
    turns = quadrant != following
    bridges = np.stack([after[turns], corners[quadrant[turns]], corners[following[turns]]], axis=1)
    return np.concatenate([fans, bridges])[:, ::sense]


def _loft(rings: list[np.ndarray]) -> np.ndarray:
    """Return the walls between rings that follow each other downwards, looking to the middle."""
    walls = []
    for upper, lower in pairwise(rings):
        u, v = np.roll(upper, -1, axis=0), np.roll(lower, -1, axis=0)
        walls += [np.stack([upper, u, lower], axis=1), np.stack([u, v, lower], axis=1)]
    return np.concatenate(walls)


def _pocket(cell: np.ndarray, outline: np.ndarray, middle: np.ndarray, height: float) -> list[np.ndarray]:
    """Return a pocket 12 mm deep whose wall turns into its floor with a radius of 2 mm, and the closed side below."""
    turn = np.linspace(0.0, 0.5 * np.pi, 5)
    inward = (middle - outline) / np.linalg.norm(middle - outline, axis=1)[:, None]
    rings = [_at(outline, height)]
    rings += [_at(outline + 0.002 * (1 - np.cos(a)) * inward, 0.01 - 0.002 * np.sin(a)) for a in turn]
    floor = rings[-1]
    center = np.broadcast_to([*middle, floor[0, 2]], floor.shape)
    x0, x1, y0, y1 = cell
    below = np.array([[(x0, y0, 0), (x0, y1, 0), (x1, y1, 0)], [(x0, y0, 0), (x1, y1, 0), (x1, y0, 0)]])
    fan = np.stack([center, floor, np.roll(floor, -1, axis=0)], axis=1)
    return [_frame(cell, rings[0], 1), _loft(rings), fan, below]


def _rim(columns: np.ndarray, rows: np.ndarray, height: float, radius: float) -> np.ndarray:
    """Return the side of the plate, rounded above and below."""
    w, h = columns[-1], rows[-1]
    south, north = [(x, 0.0) for x in columns[:-1]], [(x, h) for x in columns[:0:-1]]
    east, west = [(w, y) for y in rows[:-1]], [(0.0, y) for y in rows[:0:-1]]
    outline = np.array(south + east + north + west)
    out = np.where(outline == 0.0, -1.0, np.where(outline == (w, h), 1.0, 0.0))
    turn = np.linspace(0.0, 0.5 * np.pi, 7)
    upper = [_at(outline + radius * np.sin(a) * out, height - radius * (1 - np.cos(a))) for a in turn]
    lower = [_at(outline + radius * np.sin(a) * out, radius * (1 - np.cos(a))) for a in turn[::-1]]
    return _loft(upper + lower)[:, ::-1]


def shared_part() -> kc.Mesh | None:
    """Return the machined part of the shared data (3476 triangles, 0.127 m), or None where that is absent."""
    return kc.read_mesh(SHARED_PART, unit="in") if SHARED_PART.exists() else None


def near_contact_poses(a: kc.Mesh, b: kc.Mesh, n: int = 200, seed: int = 1) -> np.ndarray:
    """Return n poses of B in the frame of A close to contact: half of them overlap a little, half leave a gap.

    B is turned at random, moved towards A until they touch, and then by up to 1e-3 of the size on or back.
    """
    rng, peer = np.random.default_rng(seed), Coal(a, b)
    size = _size(a) + _size(b)
    X = np.tile(np.eye(4), (n, 1, 1))
    for k in range(n):
        touch = None
        while touch is None:
            R, direction = Rotation.random(random_state=rng).as_matrix(), rng.normal(size=3)
            direction /= np.linalg.norm(direction)
            touch = _first_touch(peer, a, b, R, direction, size)
        X[k, :3, :3] = R
        X[k, :3, 3] = touch + direction * size * rng.uniform(0.0, 1e-3) * (1 if k % 2 else -1)
    return X


def smooth_motion(a: kc.Mesh, b: kc.Mesh, n: int = 1000, seed: int = 1) -> np.ndarray:
    """Return n poses of B in the frame of A along a smooth motion, the gap going from 4 to 0.1 percent of the size.

    B turns by a quarter radian while it circles A by another. Its distance follows where it would touch, as a spline
    through 33 places, so it may touch in between where surfaces are rough; motions with jumps in it are not taken.
    """
    rng, peer = np.random.default_rng(seed), Coal(a, b)
    size, t = _size(a) + _size(b), np.linspace(0.0, 1.0, n)
    places = np.linspace(0, n - 1, 33).astype(int)
    while True:
        start, axes = Rotation.random(2, random_state=rng), rng.normal(size=(2, 3))
        axes *= 0.25 / np.linalg.norm(axes, axis=1)[:, None]
        turned = Rotation.from_rotvec(t[:, None] * axes[0]) * start[0]
        ways = (Rotation.from_rotvec(t[:, None] * axes[1]) * start[1]).apply([1.0, 0.0, 0.0])
        middle = _middle(a) - turned.apply(_middle(b))
        touches = [_first_touch(peer, a, b, turned[k].as_matrix(), ways[k], size) for k in places]
        if any(touch is None for touch in touches):
            continue
        lengths = [(touch - middle[k]) @ ways[k] for k, touch in zip(places, touches, strict=True)]
        if np.abs(np.diff(lengths)).max() < 0.01 * size:
            break
    gap = size * (0.0205 + 0.0195 * np.cos(6.0 * np.pi * t))
    X = np.tile(np.eye(4), (n, 1, 1))
    X[:, :3, :3] = turned.as_matrix()
    X[:, :3, 3] = middle + (CubicSpline(t[places], lengths)(t) + gap)[:, None] * ways
    return X


def _size(mesh: kc.Mesh) -> float:
    lower, upper = mesh.bounds
    return 0.5 * float(np.linalg.norm(upper - lower))


def _middle(mesh: kc.Mesh) -> np.ndarray:
    lower, upper = mesh.bounds
    return 0.5 * (lower + upper)


def _first_touch(
    peer: Coal, a: kc.Mesh, b: kc.Mesh, R: np.ndarray, direction: np.ndarray, size: float
) -> np.ndarray | None:
    """Return where B, coming in along -direction towards A's middle, begins to touch; None if it does not.

    Looked for at 64 places, then halved until 1e-6 of the size is left; B is free at the place returned.
    """
    middle = _middle(a) - R @ _middle(b)

    def is_touching(ways: np.ndarray) -> np.ndarray:
        X = np.tile(np.eye(4), (len(ways), 1, 1))
        X[:, :3, :3], X[:, :3, 3] = R, middle + ways[:, None] * direction
        return np.array(peer.collide(peer.poses(X)))

    ways = np.linspace(size, 0.0, 65)
    touching = np.flatnonzero(is_touching(ways))
    if len(touching) == 0:
        return None
    free, met = ways[touching[0] - 1], ways[touching[0]]
    while free - met > 1e-6 * size:
        half = 0.5 * (free + met)
        free, met = (free, half) if is_touching(np.array([half]))[0] else (half, met)
    place: np.ndarray = middle + free * direction
    return place


def main() -> None:
    """Print what the models are."""
    parts = [machined_part(), shared_part(), torus_knot(1000), torus_knot(10_000), torus_knot(100_000)]
    for mesh in [*parts, scan_like(70_000)]:
        if mesh is not None:
            print(mesh)


if __name__ == "__main__":
    main()
