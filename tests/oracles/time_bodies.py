"""Bodies that reach farthest on their own axes, so that distances along an axis are known exactly."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import numpy as np

import keepclear as kc

Generator = np.random.Generator
Extent = tuple[Fraction, Fraction]


class AxisBody(NamedTuple):
    """A shape, and from where to where it reaches on each of its axes; nothing of it is beyond.

    It contains these three segments. So two bodies whose origins are on one line along an axis touch exactly
    where their segments on that line do, and otherwise their distance is that of the segments.
    """

    kind: str
    shape: Any
    extents: tuple[Extent, Extent, Extent]

    def along(self, R: np.ndarray, axis: int) -> Extent:
        """From where to where it reaches on an axis of the world, turned by a signed permutation."""
        k = int(np.argmax(np.abs(R[axis])))
        low, high = self.extents[k]
        return (low, high) if R[axis, k] > 0 else (-high, -low)


def length(rng: Generator, size: float) -> float:
    return float(size * rng.uniform(0.02, 0.3))


def both(x: Fraction) -> Extent:
    return -x, x


def ball(rng: Generator, size: float) -> AxisBody:
    r = length(rng, size)
    return AxisBody("sphere", kc.Sphere(r), (both(Fraction(r)),) * 3)


def block(rng: Generator, size: float) -> AxisBody:
    edges = [length(rng, size) for _ in range(3)]
    x, y, z = (both(Fraction(e) / 2) for e in edges)
    return AxisBody("box", kc.Box(edges), (x, y, z))


def capsule(rng: Generator, size: float) -> AxisBody:
    r, h = length(rng, size), length(rng, size)
    side = both(Fraction(r))
    return AxisBody("capsule", kc.Capsule(r, h), (side, side, both(Fraction(h) / 2 + Fraction(r))))


def cylinder(rng: Generator, size: float) -> AxisBody:
    r, h = length(rng, size), length(rng, size)
    side = both(Fraction(r))
    return AxisBody("cylinder", kc.Cylinder(r, h), (side, side, both(Fraction(h) / 2)))


def spikes(rng: Generator, size: float) -> tuple[np.ndarray, tuple[Extent, Extent, Extent]]:
    """Six points on the axes, the negative one before the positive one of each axis."""
    reach = [(length(rng, size), length(rng, size)) for _ in range(3)]
    points = np.zeros((6, 3))
    for k, (low, high) in enumerate(reach):
        points[2 * k, k], points[2 * k + 1, k] = -low, high
    x, y, z = ((-Fraction(low), Fraction(high)) for low, high in reach)
    return points, (x, y, z)


def octants() -> list[tuple[int, int, int]]:
    """The faces of an octahedron with the vertices of `spikes`, outward."""
    faces = []
    for sx, sy, sz in product((0, 1), repeat=3):
        face = (sx, 2 + sy, 4 + sz)
        faces.append(face if (sx + sy + sz) % 2 else face[::-1])
    return faces


def convex(rng: Generator, size: float) -> AxisBody:
    points, extents = spikes(rng, size)
    return AxisBody("convex", kc.Convex(points), extents)


def solid(rng: Generator, size: float) -> AxisBody:
    points, extents = spikes(rng, size)
    return AxisBody("solid mesh", kc.Mesh(points, octants()), extents)


def star(rng: Generator, size: float) -> AxisBody:
    """A closed mesh that is not convex: an octahedron whose faces are dented at their centres."""
    points, extents = spikes(rng, size)
    faces = []
    for face in octants():
        middle = len(points)
        points = np.vstack([points, 0.3 * points[list(face)].mean(axis=0)])
        faces += [(face[k], face[(k + 1) % 3], middle) for k in range(3)]
    return AxisBody("star mesh", kc.Mesh(points, faces), extents)


def sheet(rng: Generator, size: float) -> AxisBody:
    """A rectangle without thickness, an open mesh."""
    x, y = length(rng, size), length(rng, size)
    corners = [(-x, -y, 0), (x, -y, 0), (x, y, 0), (-x, y, 0), (0, 0, 0)]
    mesh = kc.Mesh(corners, [(0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)])
    return AxisBody("sheet", mesh, (both(Fraction(x)), both(Fraction(y)), both(Fraction(0))))


def wall(rng: Generator, size: float) -> AxisBody:
    """A thin plate, much wider than everything else."""
    thick, wide = float(size * 10.0 ** rng.uniform(-3, -1)), 16.0 * size
    x, y, z = (both(Fraction(e) / 2) for e in (thick, wide, wide))
    return AxisBody("wall", kc.Box([thick, wide, wide]), (x, y, z))


BODIES: dict[str, Callable[[Generator, float], AxisBody]] = {
    "sphere": ball,
    "box": block,
    "capsule": capsule,
    "cylinder": cylinder,
    "convex": convex,
    "solid mesh": solid,
    "star mesh": star,
    "sheet": sheet,
}
POLYHEDRA = ("box", "convex", "solid mesh", "star mesh", "sheet", "wall")


def axis_rotation(rng: Generator) -> np.ndarray:
    """A rotation by quarter turns: a signed permutation, exact in float64."""
    R = np.zeros((3, 3))
    R[np.arange(3), rng.permutation(3)] = rng.choice([-1.0, 1.0], size=3)
    return R if np.linalg.det(R) > 0 else -R
