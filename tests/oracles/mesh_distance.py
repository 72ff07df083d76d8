"""The distance of two meshes: the exact nearest point of every pair of triangles that can be the closest."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from tests.oracles.curved import WorldBody, core_distance_interval
from tests.oracles.exact_convex import Difference, Truth
from tests.oracles.exact_distance import Nearest, nearest_of_points
from tests.oracles.exact_points import Body, Point, convex, dot, sqrt_interval, sub
from tests.oracles.mesh_scene import MeshBody, Scene, Triangle

DIRECTIONS = ((1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1), (1, 1, -1), (1, -1, 1), (1, -1, -1))


class Closest(NamedTuple):
    """The square of the distance in units of the grid, and a pair of triangles that are so close."""

    square: Fraction
    pair: tuple[int, int]


def distance_squared(a: Triangle, b: Triangle) -> Fraction:
    """The square of the distance of two triangles, segments or points, exactly."""
    return square_of(nearest_of_points([sub(p, q) for p in a.points for q in b.points], [a_first(a, b)]))


def a_first(a: Triangle, b: Triangle) -> Point:
    return sub(a.points[0], b.points[0])


def square_of(best: Nearest) -> Fraction:
    return Fraction(dot(best.V, best.V), best.D**2)


def closest_triangles(world: Scene) -> Closest:
    """The closest pair of triangles, 0 if surfaces meet.

    The gap of two triangles along a direction n is at least the gap of their points' products with n, over |n|.
    Pairs are asked in the order of the largest such gap, until it exceeds the minimum distance found.
    """
    spans_a, spans_b = spans(world.triangles_a), spans(world.triangles_b)
    gaps = [(gap_squared(p, q), i, j) for i, p in enumerate(spans_a) for j, q in enumerate(spans_b)]
    gaps.sort()
    best = Closest(distance_squared(world.triangles_a[0], world.triangles_b[0]), (0, 0))
    for three_squares, i, j in gaps:
        if three_squares >= 3 * best.square:
            break
        square = distance_squared(world.triangles_a[i], world.triangles_b[j])
        if square < best.square:
            best = Closest(square, (i, j))
    return best


def spans(triangles: Sequence[Triangle]) -> list[list[tuple[int, int]]]:
    """For each triangle the least and the greatest product with each direction."""
    found = []
    for t in triangles:
        products = [[dot(n, p) for p in t.points] for n in DIRECTIONS]
        found.append([(min(values), max(values)) for values in products])
    return found


def gap_squared(p: list[tuple[int, int]], q: list[tuple[int, int]]) -> int:
    """Three times a lower bound of the squared distance: axes together, or one of the diagonals (|n|^2 = 3)."""
    gaps = [max(c - b, a - d, 0) for (a, b), (c, d) in zip(p, q, strict=True)]
    return max(3 * sum(g * g for g in gaps[:3]), max(gaps[3:]) ** 2)


def surface_distance(world: Scene) -> Truth:
    """The distance of two surfaces [m], enclosed to 60 digits."""
    lower, upper = sqrt_interval(closest_triangles(world).square / (1 << 2 * world.grid))
    return Truth(lower, upper)


def face_distance_squared(world: Scene, face_a: int, face_b: int) -> Fraction:
    """The square of the distance of two faces [m^2]."""
    pairs = (
        distance_squared(a, b)
        for a, i in zip(world.triangles_a, world.a.triangle_face, strict=True)
        for b, j in zip(world.triangles_b, world.b.triangle_face, strict=True)
        if (i, j) == (face_a, face_b)
    )
    return min(pairs) / (1 << 2 * world.grid)


def body_distance(mesh: MeshBody, X_WM: np.ndarray, body: Body, X_WB: np.ndarray) -> Truth:
    """The distance of a surface and a convex body [m]: 0 or less where they meet, then without a depth."""
    intervals = list(triangle_intervals(mesh, X_WM, body, X_WB))
    radius = Fraction(body.radius) if body.kind != "cylinder" else Fraction(0)
    return Truth(min(low for low, _ in intervals) - radius, min(high for _, high in intervals) - radius)


def triangle_intervals(
    mesh: MeshBody, X_WM: np.ndarray, body: Body, X_WB: np.ndarray
) -> Iterator[tuple[Fraction, Fraction]]:
    """Yield the distance of each triangle to the body without its ball, as an interval."""
    for corners in mesh.triangles:
        points = mesh.vertices[list(corners)]
        if body.kind == "cylinder":
            apart = core_distance_interval(WorldBody(convex(points), X_WM), WorldBody(body, X_WB))
            yield apart if apart is not None else (Fraction(0), Fraction(0))
        else:
            pair = Difference(points, X_WM, body.points, X_WB)
            yield sqrt_interval(square_of(pair.nearest()) / (1 << 2 * pair.grid))
