"""Bounds of the distance of convex bodies, stretched or not, using only their support points along directions."""

from collections.abc import Callable

import numpy as np
from tests.oracles.contact_time_distance import ROUNDING, is_inside
from tests.oracles.motion_bodies import Thing

Array = np.ndarray
Support = Callable[[Array, Array], Array]  # of directions (k, 3) for the pairs with these k numbers
ACCURACY = 1e-11  # of the largest length
PAIRS = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
TRIPLES = ((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3))


def support_intervals(a: Thing, X_WA: Array, b: Thing, X_WB: Array) -> tuple[Array, Array]:
    """Lower and upper values (m,) [m] of the distance at affine poses (m, 4, 4); at most one body is a mesh.

    The upper value is 0 where the bodies surely meet, by more than rounding could pretend.
    """
    if a.is_mesh:
        return support_intervals(b, X_WB, a, X_WA)
    between = (X_WB[:, :3, 3] - X_WA[:, :3, 3]).astype(np.float64)
    M_A, M_B = (X[:, :3, :3].astype(np.float64) for X in (X_WA, X_WB))
    rounding = ROUNDING * (a.extent + 2 * b.extent + np.linalg.norm(between, axis=1))
    if not b.is_mesh:
        found = closest(support_of(a, M_A, np.zeros_like(between)), support_of(b, M_B, between), rounding)
        return widened(*found, rounding)
    T = (np.einsum("tij,nj->tni", M_B, b.points) + between[:, None])[:, b.triangles]
    m, k = T.shape[:2]
    of_a = support_of(a, np.repeat(M_A, k, axis=0), np.zeros((m * k, 3)))
    found = closest(of_a, corners_support(T.reshape(-1, 3, 3)), np.repeat(rounding, k))
    lower, upper = (np.min(values.reshape(m, k), axis=1) for values in found)
    if b.is_solid:
        inside = is_inside(np.zeros((3, m, 1)), np.moveaxis(T, -1, 0)) & (lower > rounding)
        lower, upper = (np.where(inside, 0.0, values) for values in (lower, upper))
    return widened(lower, upper, rounding)


def widened(lower: Array, upper: Array, rounding: Array) -> tuple[Array, Array]:
    return np.maximum(lower - rounding, 0.0), np.where(upper == 0.0, 0.0, upper + rounding)


def support_of(thing: Thing, M: Array, p: Array) -> Support:
    """Farthest points of the image of a convex body under M (m, 3, 3) and a shift p (m, 3)."""

    def support(n: Array, rows: Array) -> Array:
        d = np.einsum("tij,ti->tj", M[rows], n)
        length = np.linalg.norm(d, axis=1, keepdims=True)
        if thing.kind == "cylinder":
            flat = np.linalg.norm(d[:, :2], axis=1, keepdims=True)
            rim = thing.radius * d[:, :2] / np.where(flat > 0, flat, 1.0)
            end = np.where(d[:, 2:] > 0, 0.5, -0.5) * thing.body.length
            local = np.concatenate([rim, end], axis=1)
        else:
            local = thing.points[np.argmax(d @ thing.points.T, axis=1)] + thing.radius * d / length
        return np.einsum("tij,tj->ti", M[rows], local) + p[rows]

    return support


def corners_support(T: Array) -> Support:
    """Farthest corners of triangles (m, 3, 3), one for each direction."""

    def support(n: Array, rows: Array) -> Array:
        return T[rows, np.argmax(np.einsum("tci,ti->tc", T[rows], n), axis=1)]

    return support


def closest(of_a: Support, of_b: Support, rounding: Array, rounds: int = 120) -> tuple[Array, Array]:
    """Enclose distances (m,): the hull of a few points of B - A gives an upper value, its normal a lower one.

    The nearest point v of up to four points of the difference to the origin is looked for among all corners,
    edges, triangles and the inside; the support point of the difference along -v takes the place of one
    that v does not need. The upper value is 0 only if the points enclose the origin by more than `rounding`.
    """
    m, rng = len(rounding), np.random.default_rng(0)
    lower, upper, sure = np.zeros(m), np.full(m, np.inf), np.zeros(m, dtype=bool)
    touching, waiting, best = np.zeros(m, dtype=int), np.zeros(m, dtype=int), np.full(m, np.inf)
    going, start = np.arange(m), np.tile(np.array([[1.0, 0.3, -0.2]]), (m, 1))
    simplex = np.repeat((of_b(-start, going) - of_a(start, going))[:, None, :], 4, axis=1)
    v = simplex[:, 0].copy()
    for _ in range(rounds):
        length = np.linalg.norm(v, axis=1)
        upper[going] = np.minimum(upper[going], length)
        n = v / np.where(length > 0, length, 1.0)[:, None]
        n[length == 0] = rng.normal(size=(np.count_nonzero(length == 0), 3))  # on the border: look around
        w = of_b(-n, going) - of_a(n, going)
        lower[going] = np.maximum(lower[going], np.sum(w * n, axis=1) / np.linalg.norm(n, axis=1))
        size, gap = np.max(np.abs(w), axis=1) + length, upper[going] - lower[going]
        touching[going] += (
            upper[going] <= ACCURACY * size
        )  # then a few rounds more, to see whether 0 is inside
        waiting[going] = np.where(
            gap < 0.9 * best[going], 0, waiting[going] + 1
        )  # thin simplices stand still
        best[going] = np.minimum(best[going], gap)
        open_ = np.where(lower[going] > 0, gap > ACCURACY * size, touching[going] < 8)
        keep = ~sure[going] & (waiting[going] < 10) & open_
        going, w, simplex = going[keep], w[keep], simplex[keep]
        if len(going) == 0:
            break
        simplex[:, 3] = w
        v, simplex, sure[going] = nearest(simplex, rounding[going])
    return lower, np.where(sure, 0.0, np.maximum(upper, 1e-300))


def nearest(S: Array, rounding: Array) -> tuple[Array, Array, Array]:
    """The point nearest to 0 of the hulls of four points (m, 4, 3), the points it needs in the first places, and
    whether 0 is inside by more than `rounding`."""
    m = len(S)
    rows = np.arange(m)
    points, needed = [S[:, k] for k in range(4)], [(k, k, k, k) for k in range(4)]
    for i, j in PAIRS:
        points.append(on_segment(S[:, i], S[:, j]))
        needed.append((i, j, j, j))
    for i, j, k in TRIPLES:
        points.append(on_triangle(S[:, i], S[:, j], S[:, k]))
        needed.append((i, j, k, k))
    squares = np.stack([np.sum(p * p, axis=1) for p in points])
    best = np.argmin(np.where(np.isnan(squares), np.inf, squares), axis=0)
    v = np.stack(points)[best, rows]
    sure = depth_of_origin(S) > rounding
    v[sure] = 0.0
    return v, S[rows[:, None], np.array(needed)[best]], sure


def cross(u: Array, v: Array) -> Array:
    """Products of the rows of (m, 3) arrays."""
    (a, b, c), (x, y, z) = u.T, v.T
    return np.stack([b * z - c * y, c * x - a * z, a * y - b * x], axis=1)


def on_segment(p: Array, q: Array) -> Array:
    """The nearest points of segments to 0."""
    d = q - p
    square = np.sum(d * d, axis=1)
    s = np.clip(-np.sum(p * d, axis=1) / np.where(square > 0, square, 1.0), 0.0, 1.0)
    return p + s[:, None] * d


def on_triangle(p: Array, q: Array, r: Array) -> Array:
    """The feet of 0 on triangles, made of their corners so that they lie in them; nan if outside."""
    n = cross(q - p, r - p)
    parts = np.stack([np.sum(cross(x, y) * n, axis=1) for x, y in ((q, r), (r, p), (p, q))])
    total = np.sum(parts, axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        parts = np.where(np.min(parts, axis=0) >= 0, parts / total, np.nan)
    return parts[0][:, None] * p + parts[1][:, None] * q + parts[2][:, None] * r


def depth_of_origin(S: Array) -> Array:
    """How far 0 is inside of tetrahedra: its least height over the four faces, negative outside."""
    p, q, r, s = (S[:, k] for k in range(4))
    depths = []
    for x, y, z in ((q, s, r), (p, r, s), (p, s, q), (p, q, r)):
        n = cross(y - x, z - x)
        depths.append(np.sum(x * n, axis=1) / np.maximum(np.linalg.norm(n, axis=1), 1e-300))
    return np.maximum(np.min(depths, axis=0), np.min(-np.array(depths), axis=0))
