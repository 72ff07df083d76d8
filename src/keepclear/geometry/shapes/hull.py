"""The graph of a convex hull's surface: extreme vertices, their neighbours, and whether hill climbing on it is safe.

Qhull finds the hull. This module makes hill climbing on it safe: points inside flat faces and straight edges are
removed (they tie with their neighbours), and every edge is proved to be convex in exact arithmetic (a diagonal that
rounding bent inwards is flipped).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

UNIT = 2.0**-53
# A vertex that sticks out of its neighbourhood by less than this part of the size is removed; the error is
# measured and subtracted from every lower bound. A larger value costs accuracy, a smaller one keeps rounding
# noise.
FLAT = 1e-14
# A vertex with more neighbours is not scanned by hill climbing: the tree of boxes decides. (An apex of 10 000
# neighbours would cost 10 us a visit.)
MOST_NEIGHBOURS = 64


class HullLayout(NamedTuple):
    """Numbers that speed up proving and packing a hull; wrong ones only cost time or are detected.

    Attributes:
        witness: (n,) the triangle under which each of the given points lies, viewed from the middle of the hull.
        order: (k,) the vertices in the order of the tree of boxes; empty where all are scanned.
        table: The vertex from which the walk in each cell of directions starts, a place in `order`; empty likewise.
    """

    witness: npt.NDArray[np.int32]
    order: IntArray
    table: IntArray


@dataclass(frozen=True)
class HullGraph:
    """The surface of a convex hull, with its own vertex numbers.

    Attributes:
        point_index: (n,) which of the given points each vertex is.
        vertices: (n, 3) the extreme points [m].
        triangles: (m, 3) the surface, counter-clockwise viewed from outside; empty for flat and thinner hulls.
        facet: (m,) number of the flat face each triangle belongs to.
        neighbour_start: (n + 1,) where each vertex's neighbours begin.
        neighbours: The vertices that share an edge with each vertex, in their order around it.
        proved: Whether the surface is proved convex, so that a local maximum of hill climbing is the global one.
        dimension: 0 a point, 1 a segment, 2 a polygon, 3 a solid.
        layout: Data that takes a search to find, and may be kept on disk, or None.
        outside: (p,) bounds of how far outside each of the given points is [m], where they are known.
    """

    point_index: IntArray
    vertices: FloatArray
    triangles: IntArray
    facet: IntArray
    neighbour_start: IntArray
    neighbours: IntArray
    proved: bool
    dimension: int
    layout: HullLayout | None = None
    outside: FloatArray | None = None


def size_of(points: FloatArray) -> float:
    """Return the longest edge of the box around (n, 3) points [m]."""
    return float(np.ptp(np.ascontiguousarray(points.T), axis=1).max())  # ten times faster than along columns


def build_hull_graph(points: FloatArray) -> HullGraph:
    """Return the graph of the convex hull of (n, 3) points, in O(n log n).

    For hulls that have no inside, or whose convexity could not be proved, hill climbing gives only a first
    guess, and the tree of boxes decides.
    """
    index = np.unique(points, axis=0, return_index=True)[1].astype(np.int64)
    dimension = _dimension(points[index])
    if dimension < 3:
        index = index[_flat_corners(points[index], dimension)]
        return build_graph(
            index, points[index], np.empty((0, 3), np.int64), np.empty(0, np.int64), dimension, proved=False
        )
    for last in (False,) * 5 + (True,):
        hull = _qhull(points[index])
        if hull is None:
            nothing = np.empty(0, np.int64)
            return build_graph(index, points[index], nothing.reshape(0, 3), nothing, 3, proved=False)
        triangles, facet, corner = hull
        if last or corner.all():
            break
        index = index[corner]
    used = np.unique(triangles)
    triangles = np.searchsorted(used, triangles)
    index = index[used]
    triangles, proved = prove_convex(points[index], triangles)
    return build_graph(index, points[index], triangles, facet, 3, proved)


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
    if dimension == 0:
        return np.arange(1)
    centred = points - points.mean(axis=0)
    axes = np.linalg.svd(centred, full_matrices=False)[2]
    if dimension == 1:
        along = centred @ axes[0]
        return np.unique([along.argmin(), along.argmax()])
    from scipy.spatial import ConvexHull, QhullError

    try:
        return np.sort(ConvexHull(centred @ axes[:2].T).vertices).astype(np.int64)
    except QhullError:
        return np.arange(len(points))


def _qhull(points: FloatArray) -> tuple[IntArray, IntArray, npt.NDArray[np.bool_]] | None:
    """Return outward triangles, the flat face of each, and which points are corners; None when Qhull gives up.

    Where faces are almost flat, but not flat, Qhull merges faces wrongly and omits points. There its
    points are joggled instead (by some 1e-14 of the size), and the diagonals that this bends are flipped later.
    """
    from scipy.spatial import ConvexHull, QhullError

    size = float(np.ptp(points, axis=0).max())
    for options in ("Qt", "QJ Pp"):
        try:
            hull = ConvexHull(points, qhull_options=options)
        except QhullError:
            return None
        triangles = _outward(points, hull.simplices.astype(np.int64), hull.neighbors, hull.equations[:, :3])
        facet = _flat_faces(points[hull.simplices], hull.neighbors, hull.equations, FLAT * size)
        # Neighbours that are flat to each other may still bend along the way: then it is not a face.
        bent = ~is_flat(points[triangles], facet, FLAT * size)
        facet[bent[facet]] = facet.max() + 1 + np.arange(np.count_nonzero(bent[facet]))
        if not bent.any():
            break
    facet = np.unique(facet, return_inverse=True)[1]
    # A corner belongs to three flat faces or more; inside a face or along an edge there are one or two.
    around = np.unique(np.stack([triangles.ravel(), np.repeat(facet, 3)]), axis=1)[0]
    return triangles, facet, np.bincount(around, minlength=len(points)) >= 3


def _flat_faces(
    corners: FloatArray, neighbours: IntArray, equations: FloatArray, tolerance: float
) -> IntArray:
    """Number (m, 3, 3) triangles so that neighbours in each other's plane have one number."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n, pairs = len(corners), []
    for k in range(3):
        other = neighbours[:, k]
        heights = np.einsum("ijk,ik->ij", corners[other], equations[:, :3]) + equations[:, 3:]
        flat = np.abs(heights).max(axis=1) <= tolerance
        pairs.append(np.stack([np.flatnonzero(flat), other[flat]]))
    joined = np.concatenate(pairs, axis=1)
    matrix = coo_array((np.ones(joined.shape[1], bool), (joined[0], joined[1])), shape=(n, n))
    facet: IntArray = connected_components(matrix, directed=False)[1].astype(np.int64)
    return facet


def _outward(points: FloatArray, triangles: IntArray, neighbours: IntArray, normal: FloatArray) -> IntArray:
    """Return Qhull's triangles, counter-clockwise viewed from outside; those that are too thin follow a neighbour."""
    a, b, c = (points[triangles[:, k]] for k in range(3))
    lean = np.einsum("ij,ij->i", np.cross(b - a, c - a), normal)
    size = np.linalg.norm(b - a, axis=1) * np.linalg.norm(c - a, axis=1)
    turn = np.where(np.abs(lean) > 1e-4 * size, np.sign(lean), 0.0)
    turn[np.argmax(np.abs(lean))] = np.sign(lean[np.argmax(np.abs(lean))])
    while (turn == 0.0).any():
        before = np.count_nonzero(turn)
        for k in range(3):
            open_ = np.flatnonzero(turn == 0.0)
            other = neighbours[open_, k]
            start, end = triangles[open_, (k + 1) % 3], triangles[open_, (k + 2) % 3]
            at = triangles[other] == start[:, None]
            same = (np.roll(triangles[other], -1, axis=1)[at] == end) if len(open_) else np.empty(0, bool)
            turn[open_] = turn[other] * np.where(
                same, -1.0, 1.0
            )  # neighbours run along their edge in opposite ways
        if np.count_nonzero(turn) == before:
            break
    return np.where(turn[:, None] < 0.0, triangles[:, ::-1], triangles)


def is_flat(corners: FloatArray, facet: IntArray, tolerance: float) -> npt.NDArray[np.bool_]:
    """Return for each facet of (m, 3, 3) triangles whether all its corners lie within a tolerance of one plane."""
    n = int(facet.max()) + 1
    points, owner = corners.reshape(-1, 3), np.repeat(facet, 3)
    count = np.bincount(owner, minlength=n)
    centre = (
        np.stack([np.bincount(owner, points[:, k], minlength=n) for k in range(3)], axis=1) / count[:, None]
    )
    offset = points - centre[owner]
    spread = np.empty((n, 3, 3))
    for i in range(3):
        for j in range(3):
            spread[:, i, j] = np.bincount(owner, offset[:, i] * offset[:, j], minlength=n)
    normal = np.linalg.eigh(spread)[1][:, :, 0]  # of the plane that fits best
    height = np.zeros(n)
    np.maximum.at(height, owner, np.abs(np.einsum("ij,ij->i", offset, normal[owner])))
    return np.asarray(height <= tolerance, dtype=np.bool_)


def prove_convex(points: FloatArray, triangles: IntArray) -> tuple[IntArray, bool]:
    """Return the triangles with inward-bent diagonals flipped, and whether all edges are now convex, exactly."""
    exact = _ExactPoints(points)
    budget = 4 * len(triangles) + 100
    while True:
        bent = bent_edges(points, triangles, exact)
        if bent is None:
            return triangles, False
        if not bent:
            return triangles, _is_one_ball(points, triangles)
        budget -= len(bent)
        if budget < 0:
            return triangles, False
        triangles = _flip(triangles, bent)


def bent_edges(
    points: FloatArray, triangles: IntArray, exact: _ExactPoints | None = None
) -> list[tuple[int, int, int, int]] | None:
    """Return the edges that are bent inwards, by their two triangles and corners there.

    None where the surface is not closed, or may be folded onto itself.
    """
    start, end = triangles.ravel(), np.roll(triangles, -1, axis=1).ravel()
    twin = twin_edges(start, end, len(points))
    if twin is None:
        return None
    exact = exact or _ExactPoints(points)
    once = np.flatnonzero(start < end)
    face, corner, other, other_corner = once // 3, once % 3, twin[once] // 3, (twin[once] + 2) % 3
    quads = np.stack([*(triangles[face, (corner + k) % 3] for k in range(3)), triangles[other, other_corner]])
    doubtful = np.flatnonzero(is_doubtful(*points[quads]))
    signs = np.array([exact.orientation(*quad) for quad in quads[:, doubtful].T.tolist()], dtype=np.int64)
    a, b, c, d = points[quads[:, doubtful[signs == 0]]]
    if _may_be_folds(np.cross(b - a, c - a), np.cross(b - d, a - d)).any():
        return None
    edges = doubtful[signs > 0]
    return list(zip(*(row[edges].tolist() for row in (face, corner, other, other_corner)), strict=True))


def is_doubtful(a: FloatArray, b: FloatArray, c: FloatArray, d: FloatArray) -> npt.NDArray[np.bool_]:
    """Return for which rows floating point cannot prove that d lies below the triangle abc.

    |error| <= 8 u sum |u_i v_j w_k| (Shewchuk's bound for orient3d); the sum is at most 6 times the product of the
    largest entries.
    """
    u, v, w = b - a, c - a, d - a
    height = np.einsum("ij,ij->i", np.cross(u, v), w)
    limit: FloatArray = -48.0 * UNIT * np.abs(u).max(axis=1) * np.abs(v).max(axis=1) * np.abs(w).max(axis=1)
    return np.asarray(height >= limit, dtype=np.bool_)


class _ExactPoints:
    """Points as integer multiples of one power of two, computed when needed, and a cache of orientations."""

    def __init__(self, points: FloatArray) -> None:
        self._points = points
        smallest = np.abs(points[points != 0.0]).min(initial=np.inf)
        self._scale = 2 ** max(0, 53 - int(np.frexp(smallest)[1])) if np.isfinite(smallest) else 1
        self._whole: dict[int, tuple[int, int, int]] = {}
        self._known: dict[tuple[int, int, int, int], int] = {}

    def _at(self, k: int) -> tuple[int, int, int]:
        found = self._whole.get(k)
        if found is None:
            ratios = [value.as_integer_ratio() for value in self._points[k].tolist()]
            x, y, z = (above * (self._scale // below) for above, below in ratios)  # both are powers of two
            found = self._whole[k] = (x, y, z)
        return found

    def orientation(self, a: int, b: int, c: int, d: int) -> int:
        """Return the sign of det[b - a, c - a, d - a], exactly: > 0 when d is above the triangle abc."""
        found = self._known.get((a, b, c, d))
        if found is None:
            ax, ay, az = self._at(a)
            (ux, uy, uz), (vx, vy, vz), (wx, wy, wz) = (
                (x - ax, y - ay, z - az) for x, y, z in (self._at(b), self._at(c), self._at(d))
            )
            det = (uy * vz - uz * vy) * wx + (uz * vx - ux * vz) * wy + (ux * vy - uy * vx) * wz
            found = self._known[a, b, c, d] = (det > 0) - (det < 0)
        return found


def insert_points(graph: HullGraph, points: FloatArray, extra: IntArray) -> HullGraph:
    """Return the graph of a proved hull grown by some more of the points, each by a cone over the faces it sees."""
    index = np.concatenate([graph.point_index, extra])
    vertices, triangles = points[index], graph.triangles
    exact = _ExactPoints(vertices)
    for k in range(len(graph.vertices), len(index)):
        a, b, c = (vertices[triangles[:, i]] for i in range(3))
        seen = is_doubtful(a, b, c, vertices[k][None, :])
        for f in np.flatnonzero(seen):
            first, second, third = triangles[f].tolist()
            seen[f] = exact.orientation(first, second, third, k) > 0
        start, end = triangles[seen].ravel(), np.roll(triangles[seen], -1, axis=1).ravel()
        outline = ~np.isin(start * len(index) + end, end * len(index) + start)
        cone = np.stack([start[outline], end[outline], np.full(np.count_nonzero(outline), k)], axis=1)
        triangles = np.concatenate([triangles[~seen], cone])
    used = np.unique(triangles)
    triangles, proved = prove_convex(vertices[used], np.searchsorted(used, triangles))
    return build_graph(index[used], vertices[used], triangles, np.arange(len(triangles)), 3, proved)


def _is_one_ball(points: FloatArray, triangles: IntArray) -> bool:
    """Return whether a closed surface is connected and winds around each of its vertices once.

    If it is also convex at each edge, it is convex at each vertex, and a closed connected surface that is convex at
    each vertex is the boundary of a convex body.
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
    """Return the flat faces as polygons of point indices, counter-clockwise viewed from outside."""
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


def _may_be_folds(n1: FloatArray, n2: FloatArray) -> npt.NDArray[np.bool_]:
    """Return which pairs of triangles in one plane, with normals (n, 3), may be folded onto one another."""
    cosines = np.einsum("ij,ij->i", n1, n2)
    return np.asarray(
        ~(cosines > 0.5 * np.linalg.norm(n1, axis=1) * np.linalg.norm(n2, axis=1)), dtype=np.bool_
    )


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


def build_graph(
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
