"""Distances of two bodies at many instants at once: all corners against all triangles, all edges against all edges."""

from collections.abc import Callable, Sequence

import numpy as np
from tests.oracles.motion_bodies import Thing

Array = np.ndarray
ROUNDING = 3e-14  # of the largest length, for poses and all that follows: a hundred units of rounding
AT_ONCE = 60_000  # pairs of edges, or of corners and triangles, in one go: what fits into a fast cache


def dot(u: Array, v: Array) -> Array:
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]


def cross(u: Array, v: Array) -> Array:
    return np.stack([u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]])


def relative_points(a: Thing, X_WA: Array, b: Thing, X_WB: Array) -> tuple[Array, Array]:
    """World points (3, m, n) of both bodies as seen from A's origin: far from the world's, digits would be lost."""
    R_A, R_B = (X[:, :3, :3].astype(np.float64) for X in (X_WA, X_WB))
    between = (X_WB[:, :3, 3] - X_WA[:, :3, 3]).astype(np.float64)
    P = np.einsum("tij,nj->itn", R_A, a.points)
    return P, np.einsum("tij,nj->itn", R_B, b.points) + between.T[:, :, None]


def skeleton_intervals(a: Thing, X_WA: Array, b: Thing, X_WB: Array) -> tuple[Array, Array]:
    """Lower and upper values (m,) [m] of the distance at poses (m, 4, 4); matrices may stretch what has no ball.

    The upper value is 0 where the bodies surely meet, by more than rounding could pretend.
    """
    P, Q = relative_points(a, X_WA, b, X_WB)
    rounding = ROUNDING * (a.extent + b.extent + np.sqrt(np.max(dot(Q, Q), axis=1)))
    between = over_pairs(edge_distances, P[:, :, a.edges], Q[:, :, b.edges])
    between = np.minimum(between, over_pairs(heights, P[:, :, a.corners], Q[:, :, b.triangles]))
    between = np.minimum(between, over_pairs(heights, Q[:, :, b.corners], P[:, :, a.triangles]))
    apart = between - a.radius - b.radius
    sure = apart < -rounding
    inside = np.zeros(len(apart), dtype=bool)
    if b.is_solid:
        inside |= is_inside(P[:, :, a.seeds], Q[:, :, b.triangles])
    if a.is_solid:
        inside |= is_inside(Q[:, :, b.seeds], P[:, :, a.triangles])
    sure |= inside & (between > rounding)
    depth = over_pairs(piercing, P[:, :, a.edges], Q[:, :, b.triangles])
    depth = np.minimum(depth, over_pairs(piercing, Q[:, :, b.edges], P[:, :, a.triangles]))
    sure |= -depth > rounding
    for i in np.flatnonzero((depth == 0.0) & (between <= rounding) & ~sure):  # as where edges lie on edges
        sure[i] = min(a.radius, b.radius) == 0.0 and overlap(a, P[:, i], b, Q[:, i]) > rounding[i]
    meeting = sure | inside | (depth < 0)
    lower = np.where(meeting, 0.0, np.maximum(apart - rounding, 0.0))
    return lower, np.where(sure, 0.0, np.where(meeting, 0.0, np.maximum(apart, 0.0)) + rounding)


def overlap(a: Thing, P: Array, b: Thing, Q: Array) -> float:
    """How deep two convex polyhedra with points (3, n) overlap, at least: along no facet's normal of their difference
    less. Facets are normal to a face, or to an edge of each. For other bodies 0."""
    if a.is_mesh or b.is_mesh or not len(a.triangles) or not len(b.triangles):
        return 0.0
    E, F = (points[:, t.edges[:, 1]] - points[:, t.edges[:, 0]] for t, points in ((a, P), (b, Q)))
    normals = [cross(E[:, :, None], F[:, None, :]).reshape(3, -1)]
    for t, points in ((a, P), (b, Q)):
        x, y, z = (points[:, t.triangles[:, j]] for j in range(3))
        normals.append(cross(y - x, z - x))
    n = np.concatenate(normals, axis=1)
    length = np.sqrt(dot(n, n))
    n = n[:, length > 0] / length[length > 0]
    along_a, along_b = n.T @ P, n.T @ Q
    return float(min(np.min(along_a.max(1) - along_b.min(1)), np.min(along_b.max(1) - along_a.min(1))))


def over_pairs(value: Callable[[Array, Array], Array], E: Array, F: Array) -> Array:
    """The least value (m,) of all pairs of parts E (3, m, k, ...) and F (3, m, l, ...), infinite without parts."""
    n_times, k, n_parts = E.shape[1], E.shape[2], F.shape[2]
    best = np.full(n_times, np.inf)
    if k == 0 or n_parts == 0:
        return best
    width = max(1, AT_ONCE // n_parts)  # this many parts of E, all those of F
    times = max(1, width // k)
    for t in range(0, n_times, times):
        for i in range(0, k, width):
            some = E[:, t : t + times, i : i + width, None], F[:, t : t + times, None]
            best[t : t + times] = np.minimum(best[t : t + times], np.min(value(*some), axis=(1, 2)))
    return best


def edge_distances(E: Array, F: Array) -> Array:
    """Distances of segments: ends to segments, and where the lines are closest."""
    o, e = E[..., 0], E[..., 1] - E[..., 0]
    p, d = F[..., 0], F[..., 1] - F[..., 0]
    ends = [point_segment(E[..., j], p, d) for j in (0, 1)] + [point_segment(F[..., j], o, e) for j in (0, 1)]
    return np.minimum(np.sqrt(least(ends)), crossing_distance(o, e, p, d))


def least(values: Sequence[Array]) -> Array:
    found = values[0]
    for other in values[1:]:
        found = np.minimum(found, other)
    return found


def point_segment(q: Array, p: Array, d: Array) -> Array:
    """Squared distances of points q to segments from p to p + d."""
    square = dot(d, d)
    s = dot(q - p, d) / np.where(square > 0, square, 1.0)
    gap = p + np.clip(s, 0.0, 1.0) * d - q
    return dot(gap, gap)


def crossing_distance(o: Array, e: Array, p: Array, d: Array) -> Array:
    """Distances where lines o + s e and p + u d are closest, infinite if that is beyond the ends of a segment.

    Lines that are almost parallel are closest at parameters with few digits; solving again for the remaining
    gap, which is as short as the distance, regains them.
    """
    n = cross(e, d)
    square = dot(n, n)
    usable = square > 0
    to_s, to_u = (cross(f, n) / np.where(usable, square, 1.0) for f in (d, e))
    s = u = np.zeros(square.shape)
    for _ in range(2):
        gap = (p + u * d) - (o + s * e)
        s, u = s + dot(gap, to_s), u + dot(gap, to_u)
    gap = (p + u * d) - (o + s * e)
    within = usable & (s >= 0) & (s <= 1) & (u >= 0) & (u <= 1)
    return np.where(within, np.sqrt(dot(gap, gap)), np.inf)


def heights(q: Array, T: Array) -> Array:
    """Heights of points over triangles, infinite where a point is not straight over the triangle."""
    a, b, c = (T[..., j] for j in range(3))
    n = cross(b - a, c - a)
    length = np.sqrt(dot(n, n))
    over = length > 0
    for x, y in ((a, b), (b, c), (c, a)):
        over = over & (dot(q - x, cross(n, y - x)) >= 0)
    from_corners = least([np.abs(dot(q - x, n)) for x in (a, b, c)])
    return np.where(over, from_corners / np.where(length > 0, length, 1.0), np.inf)


def piercing(E: Array, T: Array) -> Array:
    """How deep segments pass through triangles, negative: at most the ends' heights and the ways to edges; else 0."""
    p, q = E[..., 0], E[..., 1]
    a, b, c = (T[..., j] for j in range(3))
    n = cross(b - a, c - a)
    above, below = dot(p - a, n), dot(q - a, n)
    area, length = np.sqrt(dot(n, n)), np.sqrt(dot(q - p, q - p))
    turns, parts = [], []
    for x, y in ((a, b), (b, c), (c, a)):
        turns.append(dot(q - p, cross(x - p, y - p)))
        parts.append(np.abs(turns[-1]) / np.maximum(length * np.sqrt(dot(y - x, y - x)), 1e-300))
    one_way = (least(turns) > 0) | (least([-x for x in turns]) > 0)
    parts += [np.abs(h) / np.maximum(area, 1e-300) for h in (above, below)]
    return np.where(one_way & (above * below < 0), -least(parts), 0.0)


def is_inside(q: Array, T: Array) -> Array:
    """Whether (m,) some point q (3, m, n), off the surface, has closed triangles T (3, m, l, 3) around it.

    The solid angles of the triangles, with their signs, add up to 4 pi times the winding number (van Oosterom
    and Strackee 1983).
    """
    found = np.zeros(q.shape[1], dtype=bool)
    for k in range(q.shape[2]):
        x, y, z = (T[..., j] - q[:, :, k, None] for j in range(3))
        u, v, w = (np.sqrt(dot(p, p)) for p in (x, y, z))
        scale = u * v * w + dot(x, y) * w + dot(y, z) * u + dot(z, x) * v
        found |= np.abs(np.sum(2 * np.arctan2(dot(x, cross(y, z)), scale), axis=1)) > 2 * np.pi
    return found
