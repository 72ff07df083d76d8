"""Intervals for pairs with a cylinder: integer bounds when apart, a search of directions when overlapping."""

from collections.abc import Callable
from fractions import Fraction
from math import isqrt

import numpy as np
from tests.oracles.exact_distance import Nearest, nearest_of_points
from tests.oracles.exact_points import (
    Body,
    Point,
    dot,
    furthest,
    integers,
    map_to_world,
    refine,
    sqrt_interval,
    sub,
    world_points,
)

GUARD_BITS = 150  # points of a circle are rounded to this many bits, always inward


class WorldBody:
    """A body at its pose on a grid: points it certainly contains, and certified supports."""

    def __init__(self, body: Body, X: np.ndarray) -> None:
        self.body, self.X = body, X
        self.R, self.k_R = integers(X[:3, :3])
        self.t, self.k_t = integers(X[:3, 3])
        if body.points is not None:
            self.points, self.grid = world_points(body.points, X)
            return
        sizes, k = integers([body.radius, body.length])
        k_local = max(k + 1, GUARD_BITS - int(np.frexp(body.radius)[1]))
        self.k_local = k_local
        self.radius = sizes[0] << (k_local - k)
        self.half = sizes[1] << (k_local - k - 1)
        self.grid = map_to_world([(0, 0, 0)], k_local, X)[1]

    def to_grid(self, grid: int) -> None:
        """Move to a finer grid, the same for both bodies of a pair."""
        self.finer = grid
        if self.body.points is not None:
            self.points = refine(self.points, self.grid, grid)

    def furthest(self, n: Point) -> Point:
        """A point of the body, all but furthest along n."""
        if self.body.points is not None:
            return furthest(self.points, n)
        dx, dy, dz = self.local_direction(n)
        norm = isqrt(dx * dx + dy * dy << 2 * GUARD_BITS) + 1
        x, y = (abs(self.radius * c << GUARD_BITS) // norm * (1 if c > 0 else -1) for c in (dx, dy))
        mapped, grid = map_to_world([(x, y, self.half if dz > 0 else -self.half)], self.k_local, self.X)
        return refine(mapped, grid, self.finer)[0]

    def upper_support(self, n: Point) -> Fraction:
        """At least the greatest n . p over the body, in units of the finer grid."""
        if self.body.points is not None:
            return Fraction(dot(n, furthest(self.points, n)))
        dx, dy, dz = self.local_direction(n)
        flat = sqrt_interval(Fraction(dx * dx + dy * dy))[1]
        reach = (self.radius * flat + self.half * abs(dz)) * Fraction(2) ** (
            self.finer - self.k_local - self.k_R
        )
        return reach + dot(n, refine([tuple(self.t)], self.k_t, self.finer)[0])

    def local_direction(self, n: Point) -> Point:
        """R^T n in units of 2**-k_R."""
        return tuple(dot(n, (self.R[j], self.R[3 + j], self.R[6 + j])) for j in range(3))


def core_distance_interval(a: WorldBody, b: WorldBody) -> tuple[Fraction, Fraction] | None:
    """Enclose the distance of two bodies (without the radii of spheres and capsules), None if they meet.

    The hull of the points found so far lies inside the difference body: its distance is an upper bound. Its
    normal with the true support is a lower bound. Keeping every point makes each round halve an arc.
    """
    grid = max(a.grid, b.grid)
    a.to_grid(grid)
    b.to_grid(grid)
    pool = [sub(a.furthest(n), b.furthest((-n[0], -n[1], -n[2]))) for n in ((1, 1, 1), (-1, -1, -1))]
    size = max(isqrt(dot(w, w)) for w in pool) + 1
    best = Nearest(pool[0], 1, [pool[0]])
    while True:
        best = nearest_of_points(pool, best.simplex)
        if not any(best.V):
            return None
        n = shorten(best.V)
        lower = (
            -(b.upper_support(n) + a.upper_support((-n[0], -n[1], -n[2])))
            / sqrt_interval(Fraction(dot(n, n)))[1]
        )
        upper = sqrt_interval(Fraction(dot(best.V, best.V), best.D**2))[1]
        if upper - lower <= Fraction(size, 1 << 64):
            return max(lower, Fraction(0)) / (1 << grid), upper / (1 << grid)
        w = sub(a.furthest((-n[0], -n[1], -n[2])), b.furthest(n))
        if w in pool:
            raise ArithmeticError("the search for the closest points stands still")
        pool.append(w)


def shorten(V: Point, bits: int = 200) -> Point:
    """The same direction up to 2**-bits; any direction gives a valid bound."""
    surplus = max(0, max(abs(c).bit_length() for c in V) - bits)
    return tuple(c >> surplus for c in V)


def depth_interval(
    support: Callable[[np.ndarray], np.ndarray], size: float, tolerance: float
) -> tuple[float, float]:
    """Enclose the least support value over all unit directions, by branch and bound on the sphere.

    A cell is a spherical triangle with corners n_j whose support points are w_j. Any unit n in it is
    sum c_j n_j with c_j >= 0 and sum c_j >= 1, and any mixture w of the w_j is in the body, so
    h(n) >= w . n = sum c_j (w . n_j) >= min_j w . n_j wherever that is not negative (and sum c_j <= 2 where
    it is). Cells that cannot undercut the best value by `tolerance` are dropped.
    """
    cells = octahedron()
    slack = 1e-14 * size  # rounding of a few dot products of numbers below `size`
    upper = np.inf
    while len(cells):
        cells = split(cells)
        w = support(cells.reshape(-1, 3)).reshape(cells.shape)
        products = np.einsum("cik,cjk->cij", w, cells)
        upper = min(upper, float(np.min(np.einsum("cii->ci", products))))
        lower = value_of_games(products)
        lower = np.where(lower < 0, 2 * lower, lower)
        cells = cells[lower < upper - tolerance]
        if len(cells) > 2_000_000:
            raise ArithmeticError("too many directions are equally deep; use a closed form for this pair")
    return upper - tolerance - slack, upper + slack


def value_of_games(M: np.ndarray) -> np.ndarray:
    """Bound max over mixtures m of min_j (m M)_j from below for (c, 3, 3) matrices, usually sharply.

    Tries the rows, mixtures of two rows that make two columns equal, and the one that makes all three equal.
    Without mixtures a cell across a crease of h has a gap of first order, and creases fill up with cells.
    """
    best = np.max(np.min(M, axis=2), axis=1)
    pairs = ((0, 1), (1, 2), (2, 0))
    with np.errstate(divide="ignore", invalid="ignore"):
        for i, k in pairs:
            for j, m in pairs:
                rise, fall = M[:, i, j] - M[:, i, m], M[:, k, m] - M[:, k, j]
                share = np.clip(np.nan_to_num(fall / (rise + fall)), 0.0, 1.0)[:, None]
                best = np.maximum(best, np.min(share * M[:, i] + (1 - share) * M[:, k], axis=1))
        weights = np.cross(M[:, :, 0] - M[:, :, 1], M[:, :, 1] - M[:, :, 2])
        weights = np.clip(weights / np.sum(weights, axis=1, keepdims=True), 0.0, None)
        weights = np.nan_to_num(weights / np.sum(weights, axis=1, keepdims=True), posinf=0.0)
    usable = np.abs(np.sum(weights, axis=1) - 1.0) < 1e-14
    mixed = np.min(np.einsum("ci,cij->cj", weights, M), axis=1)
    return np.where(usable, np.maximum(best, mixed), best)


def octahedron() -> np.ndarray:
    """Eight spherical triangles that cover the sphere, (8, 3, 3)."""
    signs = [(i, j, k) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]
    return np.array([np.diag(s) for s in signs], dtype=np.float64)


def split(cells: np.ndarray) -> np.ndarray:
    """Four cells for each."""
    a, b, c = cells[:, 0], cells[:, 1], cells[:, 2]
    ab, bc, ca = (p / np.linalg.norm(p, axis=1, keepdims=True) for p in (a + b, b + c, c + a))
    parts = [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
    return np.concatenate([np.stack(part, axis=1) for part in parts])


def float_support(body: Body, R: np.ndarray, t: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """Support points of the core for (m, 3) directions, in float64."""

    def support(n: np.ndarray) -> np.ndarray:
        d = n @ R
        if body.points is not None:
            return body.points[np.argmax(d @ body.points.T, axis=1)] @ R.T + t
        flat = np.linalg.norm(d[:, :2], axis=1, keepdims=True)
        rim = body.radius * d[:, :2] / np.where(flat > 0, flat, 1.0)
        end = np.where(d[:, 2:] > 0, 0.5, -0.5) * body.length
        return np.concatenate([rim, end], axis=1) @ R.T + t

    return support


def core_depth_interval(
    a: Body, X_WA: np.ndarray, b: Body, X_WB: np.ndarray, relative: float = 1e-11
) -> tuple[float, float]:
    """Enclose the depth of two overlapping cores to `relative` times the size of their difference."""
    t = X_WA[:3, 3] - X_WB[:3, 3]
    of_a = float_support(a, X_WA[:3, :3], t)
    of_b = float_support(b, X_WB[:3, :3], np.zeros(3))
    size = a.extent + b.extent + float(np.linalg.norm(t))
    return depth_interval(lambda n: of_a(n) - of_b(-n), size, relative * size)
