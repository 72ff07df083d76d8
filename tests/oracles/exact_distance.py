"""The point of a convex polytope nearest to the origin, in exact integers, proved by a certificate."""

from collections.abc import Callable, Iterator
from itertools import combinations
from math import gcd
from typing import NamedTuple

from tests.oracles.exact_points import Point, dot, furthest, sub

Support = Callable[[Point], Point]


class Nearest(NamedTuple):
    """The nearest point v = V / D, and at most four polytope points whose hull contains it."""

    V: Point
    D: int
    simplex: list[Point]


def nearest_to_origin(support: Support, start: list[Point]) -> Nearest:
    """Return the point nearest to the origin of the polytope that `support` maximises over.

    Gilbert's iteration with an exact sub-distance: every step strictly lowers |v|, there are finitely many
    simplices, so it ends. It ends only when v . w >= v . v for every point w of the polytope, which proves
    that no point is nearer: |v| |w| >= v . w >= |v|^2.
    """
    best = Nearest(start[0], 1, [start[0]])
    for w in start[1:]:
        best = add_point(best, w)
    while any(best.V):
        w = support((-best.V[0], -best.V[1], -best.V[2]))
        if best.D * dot(best.V, w) >= dot(best.V, best.V):
            return best
        best = add_point(best, w)
    return best


def nearest_of_points(points: list[Point], start: list[Point]) -> Nearest:
    """The same for the hull of a list of points."""
    return nearest_to_origin(lambda n: furthest(points, n), start)


def add_point(best: Nearest, w: Point) -> Nearest:
    """Return the nearest point of the hull of a simplex and one more point."""
    if best.D * dot(best.V, w) >= dot(best.V, best.V):
        return best
    found = None
    for candidate in faces_with(w, best.simplex):
        if found is None or is_nearer(candidate, found):
            found = candidate
    V, D, simplex = found
    g = gcd(*V, D)
    return Nearest((V[0] // g, V[1] // g, V[2] // g), D // g, simplex)


def is_nearer(a: Nearest, b: Nearest) -> bool:
    return dot(a.V, a.V) * b.D**2 < dot(b.V, b.V) * a.D**2


def faces_with(w: Point, others: list[Point]) -> Iterator[Nearest]:
    """Yield the nearest point of the plane of each face with the corner w, where it lies in that face.

    The nearest point of conv(S + w) lies inside exactly one face, and that face contains w whenever w is
    nearer than S; so the nearest of what is yielded is the answer.
    """
    yield Nearest(w, 1, [w])
    edges = [sub(p, w) for p in others]
    gram = [[dot(e, f) for f in edges] for e in edges]
    right = [-dot(e, w) for e in edges]
    for count in range(1, len(others) + 1):
        for subset in combinations(range(len(others)), count):
            G = [[gram[i][j] for j in subset] for i in subset]
            D, weights = solve_by_cramer(G, [right[i] for i in subset])
            if D > 0 and all(c > 0 for c in weights) and sum(weights) <= D:
                x, y, z = (D * c for c in w)
                for c, i in zip(weights, subset, strict=True):
                    x, y, z = x + c * edges[i][0], y + c * edges[i][1], z + c * edges[i][2]
                yield Nearest((x, y, z), D, [w, *(others[i] for i in subset)])


def solve_by_cramer(G: list[list[int]], r: list[int]) -> tuple[int, list[int]]:
    """Solve G x = r in integers: x = weights / D with D = det G (0 when the points are dependent)."""
    columns = range(len(r))
    replaced = [[[r[i] if j == k else G[i][j] for j in columns] for i in columns] for k in columns]
    return determinant(G), [determinant(M) for M in replaced]


def determinant(M: list[list[int]]) -> int:
    if len(M) == 1:
        return M[0][0]
    if len(M) == 2:
        return M[0][0] * M[1][1] - M[0][1] * M[1][0]
    (a, b, c), u, v = M
    x, y, z = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    return a * x + b * y + c * z
