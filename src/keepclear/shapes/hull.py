"""The graph of a convex hull's surface: extreme vertices, who is whose neighbour, and whether a walk on it is safe.

Qhull finds the hull. What follows here makes it safe to walk on: points inside flat faces and straight edges
are left out (they tie with their neighbours), and every edge is shown to be convex in exact arithmetic (a
diagonal that rounding bent inwards is flipped).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

UNIT = 2.0**-53
# A vertex that sticks out of its neighbourhood by less than this part of the size is left out; what that
# costs is measured and subtracted from every lower bound. Larger would cost accuracy, smaller keeps rounding
# noise.
FLAT = 1e-14
# A vertex with more neighbours is not scanned by the walk: the tree of boxes settles it. (An apex of 10 000
# neighbours would cost 10 us a visit.)
MOST_NEIGHBOURS = 64


@dataclass(frozen=True)
class HullGraph:
    """The surface of a convex hull, in vertex numbers of its own.

    Attributes:
        point_index: (n,) which of the given points each vertex is.
        vertices: (n, 3) the extreme points [m].
        triangles: (m, 3) the surface, counter-clockwise seen from outside; empty for flat and thinner hulls.
        facet: (m,) number of the flat face each triangle belongs to.
        neighbour_start: (n + 1,) where each vertex's neighbours begin.
        neighbours: The vertices that share an edge with each vertex, in their order around it.
        proved: Whether the surface is convex beyond doubt, so that a walk that cannot go on has arrived.
        dimension: 0 a point, 1 a segment, 2 a polygon, 3 a solid.
    """

    point_index: IntArray
    vertices: FloatArray
    triangles: IntArray
    facet: IntArray
    neighbour_start: IntArray
    neighbours: IntArray
    proved: bool
    dimension: int


def build_hull_graph(points: FloatArray) -> HullGraph:
    """Return the graph of the convex hull of (n, 3) points, in O(n log n).

    For hulls that have no inside, or whose convexity could not be proved, a walk is only a first guess, and
    the tree of boxes decides.
    """
    index = np.unique(points, axis=0, return_index=True)[1].astype(np.int64)
    dimension = _dimension(points[index])
    if dimension < 3:
        index = index[_flat_corners(points[index], dimension)]
        return _graph(
            index, points[index], np.empty((0, 3), np.int64), np.empty(0, np.int64), dimension, proved=False
        )
    for _ in range(6):
        hull = _qhull(points[index])
        if hull is None:
            return _graph(
                index, points[index], np.empty((0, 3), np.int64), np.empty(0, np.int64), 3, proved=False
            )
        triangles, facet, corner = hull
        if corner.all():
            break
        index = index[corner]
    used = np.unique(triangles)
    triangles = np.searchsorted(used, triangles)
    index = index[used]
    triangles, proved = prove_convex(points[index], triangles)
    return _graph(index, points[index], triangles, facet, 3, proved)


def _dimension(points: FloatArray) -> int:
    """Return how many dimensions the points span, to rounding."""
    offsets = points - points[0]
    size = float(np.abs(offsets).max())
    for dimension in range(3):
        lengths = np.linalg.norm(offsets, axis=1)
        far = int(lengths.argmax())
        if lengths[far] <= 1e-13 * size or size == 0.0:
            return dimension
        axis = offsets[far] / lengths[far]
        offsets = offsets - np.outer(offsets @ axis, axis)
    return 3


def _flat_corners(points: FloatArray, dimension: int) -> IntArray:
    """Return the indices of points that may be extreme, for hulls without an inside."""
    from scipy.spatial import ConvexHull, QhullError

    if dimension == 0:
        return np.arange(1)
    centred = points - points.mean(axis=0)
    axes = np.linalg.svd(centred, full_matrices=False)[2]
    if dimension == 1:
        along = centred @ axes[0]
        return np.unique([along.argmin(), along.argmax()])
    try:
        return np.sort(ConvexHull(centred @ axes[:2].T).vertices).astype(np.int64)
    except QhullError:
        return np.arange(len(points))


def _qhull(points: FloatArray) -> tuple[IntArray, IntArray, npt.NDArray[np.bool_]] | None:
    """Return outward triangles, the flat face of each, and which points are corners; None when Qhull gives up."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components
    from scipy.spatial import ConvexHull, QhullError

    try:
        hull = ConvexHull(points, qhull_options="Qt")
    except QhullError:
        return None
    triangles, n = hull.simplices.astype(np.int64), len(hull.simplices)
    normal, offset = hull.equations[:, :3], hull.equations[:, 3]
    corners = points[triangles]
    inwards = (
        np.einsum("ij,ij->i", np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), normal)
        < 0.0
    )
    triangles[inwards] = triangles[inwards][:, ::-1]
    # Two triangles are one flat face when the far corner of each is in the plane of the other.
    size = float(np.ptp(points, axis=0).max())
    flat_pairs = []
    for k in range(3):
        other = hull.neighbors[:, k]
        height = np.max(
            np.einsum("ijk,ik->ij", points[hull.simplices[other]], normal) + offset[:, None], axis=1
        )
        lowest = np.min(
            np.einsum("ijk,ik->ij", points[hull.simplices[other]], normal) + offset[:, None], axis=1
        )
        flat = np.maximum(np.abs(height), np.abs(lowest)) <= FLAT * size
        flat_pairs.append(np.stack([np.flatnonzero(flat), other[flat]]))
    pairs = np.concatenate(flat_pairs, axis=1)
    joined = coo_array((np.ones(pairs.shape[1], bool), (pairs[0], pairs[1])), shape=(n, n))
    facet = connected_components(joined, directed=False)[1].astype(np.int64)
    # A corner belongs to three flat faces or more; inside a face or along an edge there are one or two.
    around = np.unique(np.stack([triangles.ravel(), np.repeat(facet, 3)]), axis=1)[0]
    return triangles, facet, np.bincount(around, minlength=len(points)) >= 3


def prove_convex(points: FloatArray, triangles: IntArray) -> tuple[IntArray, bool]:
    """Return the triangles with inward-bent diagonals flipped, and whether all edges are now convex, exactly."""
    budget = 4 * len(triangles) + 100
    while True:
        start, end = triangles.ravel(), np.roll(triangles, -1, axis=1).ravel()
        twin = twin_edges(start, end, len(points))
        if twin is None:
            return triangles, False
        once = np.flatnonzero(start < end)
        face, corner, other, other_corner = once // 3, once % 3, twin[once] // 3, (twin[once] + 2) % 3
        a, b, c = (points[triangles[face, (corner + k) % 3]] for k in range(3))
        d = points[triangles[other, other_corner]]
        u, v, w = b - a, c - a, d - a
        cross = np.cross(u, v)
        height = np.einsum("ij,ij->i", cross, w)
        # |error| <= (7 + 56 u) u sum |u_i v_j w_k|, Shewchuk's bound for orient3d, taken twice.
        magnitude = np.einsum(
            "ij,ij->i",
            np.abs(np.cross(np.abs(u), np.abs(v))) + 2 * np.abs(u[:, [1, 2, 0]] * v[:, [2, 0, 1]]),
            np.abs(w),
        )
        magnitude += np.abs(u).max(axis=1) * np.abs(v).max(axis=1) * np.abs(w).max(axis=1) * 6
        doubtful = np.flatnonzero(height >= -16 * UNIT * magnitude)
        bent = []
        for e in doubtful:
            sign = _orientation(a[e], b[e], c[e], d[e])
            if sign > 0:
                bent.append(e)
            elif sign == 0 and _is_fold(np.cross(u[e], v[e]), np.cross(b[e] - d[e], a[e] - d[e])):
                return triangles, False
        if not bent:
            return triangles, _is_one_ball(points, triangles)
        budget -= len(bent)
        if budget < 0:
            return triangles, False
        triangles = _flip(triangles, [(face[e], corner[e], other[e], other_corner[e]) for e in bent])


def _is_one_ball(points: FloatArray, triangles: IntArray) -> bool:
    """Tell whether a closed surface is in one piece and goes around each of its vertices once.

    Then, convex at each edge, it is convex at each vertex, and a closed surface in one piece that is convex at each
    vertex is the boundary of a convex body.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n = len(points)
    start, end = triangles.ravel(), np.roll(triangles, -1, axis=1).ravel()
    joined = coo_array((np.ones(len(start), bool), (start, end)), shape=(n, n))
    to_next = points[end] - points[start]
    to_last = points[np.roll(triangles, -2, axis=1).ravel()] - points[start]
    sine = np.linalg.norm(np.cross(to_next, to_last), axis=1)
    angle = np.bincount(start, np.arctan2(sine, np.einsum("ij,ij->i", to_next, to_last)), minlength=n)
    return connected_components(joined, directed=False)[0] == 1 and bool((angle <= 2.0 * np.pi + 1e-6).all())


def twin_edges(start: IntArray, end: IntArray, n_points: int) -> IntArray | None:
    """Return for each directed edge the number of the edge that runs the other way; None where any has none, or two."""
    key, twin_key = start * n_points + end, end * n_points + start
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    found = np.minimum(np.searchsorted(ordered, twin_key), len(key) - 1)
    if (np.diff(ordered) == 0).any() or (ordered[found] != twin_key).any():
        return None
    return order[found]


def facet_polygons(graph: HullGraph) -> tuple[IntArray, ...]:
    """Return the flat faces as polygons of point indices, counter-clockwise seen from outside."""
    triangles = graph.triangles
    start, end = triangles.ravel(), np.roll(triangles, -1, axis=1).ravel()
    twin = twin_edges(start, end, len(graph.vertices))
    facet = np.repeat(graph.facet, 3)
    outline = np.ones(len(start), bool) if twin is None else facet != facet[twin]
    following: dict[tuple[int, int], int] = {
        (int(f), int(a)): int(b) for f, a, b in zip(facet[outline], start[outline], end[outline], strict=True)
    }
    polygons = []
    while following:
        (f, first), corner = following.popitem()
        polygon = [first]
        while corner != first and (f, corner) in following:
            polygon.append(corner)
            corner = following.pop((f, corner))
        polygons.append(graph.point_index[np.array(polygon)])
    return tuple(polygons)


def _orientation(a: FloatArray, b: FloatArray, c: FloatArray, d: FloatArray) -> int:
    """Return the sign of det[b - a, c - a, d - a], exactly: > 0 when d is above the counter-clockwise triangle."""
    p, q, r, s = ([Fraction(float(x)) for x in point] for point in (a, b, c, d))
    u, v, w = ([y[k] - p[k] for k in range(3)] for y in (q, r, s))
    det = (
        (u[1] * v[2] - u[2] * v[1]) * w[0]
        + (u[2] * v[0] - u[0] * v[2]) * w[1]
        + (u[0] * v[1] - u[1] * v[0]) * w[2]
    )
    return (det > 0) - (det < 0)


def _is_fold(n1: FloatArray, n2: FloatArray) -> bool:
    """Tell whether two triangles in one plane, with these normals, may be folded onto one another."""
    return not float(np.dot(n1, n2)) > 0.5 * float(np.linalg.norm(n1)) * float(np.linalg.norm(n2))


def _flip(triangles: IntArray, bent: list[tuple[int, int, int, int]]) -> IntArray:
    """Replace the common edge of two triangles by the other diagonal, for edges that share no triangle."""
    triangles = triangles.copy()
    touched: set[int] = set()
    for face, corner, other, other_corner in bent:
        if face in touched or other in touched:
            continue
        touched |= {face, other}
        a, b, c = (int(triangles[face, (corner + k) % 3]) for k in range(3))
        d = int(triangles[other, other_corner])
        triangles[face], triangles[other] = (a, d, c), (d, b, c)
    return triangles


def _graph(
    index: IntArray, vertices: FloatArray, triangles: IntArray, facet: IntArray, dimension: int, proved: bool
) -> HullGraph:
    """Collect the neighbours of each vertex, in the order in which they lie around it."""
    n = len(vertices)
    start, end = triangles.ravel(), np.roll(triangles, -1, axis=1).ravel()
    twin = twin_edges(start, end, n)
    if twin is None:
        start, end, twin, proved = start[:0], end[:0], start[:0], False
    # Around a vertex, the edge to `end` is followed by the edge to the third corner of its triangle.
    after = twin[np.arange(len(start)).reshape(-1, 3)[:, [2, 0, 1]].ravel()] if len(start) else start
    degree = np.bincount(start, minlength=n)
    neighbour_start = np.concatenate([[0], np.cumsum(degree)])
    neighbours = np.empty(len(start), np.int64)
    edge = np.full(n, -1)
    edge[start] = np.arange(len(start))
    for turn in range(int(degree.max(initial=0))):
        here = np.flatnonzero(degree > turn)
        neighbours[neighbour_start[here] + turn] = end[edge[here]]
        edge[here] = after[edge[here]]
    return HullGraph(
        point_index=index,
        vertices=np.ascontiguousarray(vertices),
        triangles=triangles,
        facet=facet,
        neighbour_start=neighbour_start,
        neighbours=neighbours,
        proved=proved,
        dimension=dimension,
    )
