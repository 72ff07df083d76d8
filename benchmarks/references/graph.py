"""The source's directed graph of a convex polyhedron, and the search for closest points on it, compiled.

JP 3316092 B2, claims 1, 2 and 8, figures 1 to 12. Below the node of a polygon are its vertices and edges, below a
vertex or an edge are the polygons that it belongs to. Each step of Gilbert's iteration evaluates inner products only at
the vertices of some polygons: those around the closest point, if that is a vertex or on an edge, or the one that it is
on. The second form of the source is the same graph with all polygons divided into triangles. The iteration is that of
the library (`kernels/convex/gjk.py`), with another support function.

Where the source says nothing: the first support points are those of a scan; a closest point that is on no polygon (its
vertices have none in common), or on one that faces away, takes the polygons around all of its vertices.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

import keepclear as kc
from keepclear.compiler.kernel import kernel
from keepclear.kernels.convex.gjk import CONVERGED, MEMORY, difference, goes_on, iterate, known_points
from keepclear.kernels.convex.pose import load_pose

IntArray = npt.NDArray[np.int32]
FloatArray = npt.NDArray[np.float64]

# Where the parts of a graph begin in its array of integers: the polygons around each vertex, the corners of each
# polygon, its edges (each from a corner to the next), and the two polygons of each edge.
N_VERTICES, AROUND, CORNERS, EDGES, SIDES, HEADER = 0, 1, 2, 3, 4, 5
# Floats: the mean of the vertices, the radius around the origin, the vertices, then a normal of each polygon.
CENTER, EXTENT, POINTS = 0, 3, 4
# The state of a search: the vertices in the slots of the simplex, of A and of B; the number of the evaluation; counts
# of inner products, of nodes of the graph that were read, and of scans of all vertices; whether each is a scan.
OF_A, OF_B, EVALUATION, INNER_PRODUCTS, NODES, SCANS, ALWAYS_SCANS, STATE = 0, 4, 8, 9, 10, 11, 12, 13
DISTANCE, ITERATIONS, INSIDE, ROW = 0, 1, 2, 3


class Graph(NamedTuple):
    """A polyhedron for kernels.

    Attributes:
        reals: Centre, extent, vertices and normals, flat.
        nodes: The directed graph.
        seen: (vertices,) scratch: the last evaluation in which each vertex was tried.
    """

    reals: FloatArray
    nodes: IntArray
    seen: npt.NDArray[np.int64]


def build_graph(hull: kc.Convex, *, triangulated: bool) -> Graph:
    """Return the directed graph of a solid hull, of its polygons, or of the triangles that they are divided into."""
    if hull.graph.dimension != 3:
        raise ValueError("a flat hull has no polygons that close")
    given = list(hull.graph.point_index[hull.graph.triangles] if triangulated else hull.faces)
    corners, number = np.unique(np.concatenate(given), return_inverse=True)  # only these are vertices
    points = np.asarray(hull.points)[corners]
    polygons = [one.tolist() for one in np.split(number, np.cumsum([len(one) for one in given])[:-1])]
    around: list[list[int]] = [[] for _ in points]
    numbers: dict[tuple[int, int], int] = {}
    sides: list[list[int]] = []
    edges: list[list[int]] = []
    for p, corners in enumerate(polygons):
        edges.append([])
        for a, b in zip(corners, [*corners[1:], corners[0]], strict=True):
            around[a].append(p)
            edge = numbers.setdefault((min(a, b), max(a, b)), len(sides))
            if edge == len(sides):
                sides.append([])
            sides[edge].append(p)
            edges[-1].append(edge)
    if any(len(two) != 2 for two in sides):
        raise ValueError("the polygons do not close: an edge has other than two of them")
    nodes = [len(points), HEADER, 0, 0, 0]
    for name, lists in ((AROUND, around), (CORNERS, polygons), (EDGES, edges)):
        nodes[name] = len(nodes)
        starts = np.cumsum([0, *(len(one) for one in lists)]) + len(nodes) + len(lists) + 1
        nodes += [*starts.tolist(), *(number for one in lists for number in one)]
    nodes[SIDES] = len(nodes)
    nodes += [p for two in sides for p in two]
    center, normals = points.mean(axis=0), []
    for corners in polygons:
        x = points[corners] - points[corners[0]]
        normal = np.cross(x, np.roll(x, -1, axis=0)).sum(axis=0)
        normals.append(normal if normal @ (points[corners[0]] - center) > 0.0 else -normal)
    extent = float(np.linalg.norm(points, axis=1).max())
    reals = np.concatenate([center, [extent], points.reshape(-1), np.array(normals).reshape(-1)])
    return Graph(reals, np.array(nodes, np.int32), np.zeros(len(points), np.int64))


@kernel(boundscheck=False)
def _try_polygon(V, G, seen, S, p, x, y, z, best, found):
    """Compare the corners of a polygon, each once in an evaluation; return the greatest product and its vertex."""
    begin = G[G[CORNERS] + p]
    end = G[G[CORNERS] + p + 1]
    S[NODES] += 1 + end - begin
    for j in range(begin, end):
        k = G[j]
        if seen[k] != S[EVALUATION]:
            seen[k] = S[EVALUATION]
            S[INNER_PRODUCTS] += 1
            q = POINTS + 3 * k
            product = x * V[q] + y * V[q + 1] + z * V[q + 2]
            if product > best:
                best, found = product, k
    return best, found


@kernel(boundscheck=False)
def _holds(G, S, p, k):
    """Return the number of a vertex among the corners of a polygon, -1 if it is none of them."""
    begin = G[G[CORNERS] + p]
    for j in range(begin, G[G[CORNERS] + p + 1]):
        S[NODES] += 1
        if G[j] == k:
            return j - begin
    return -1


@kernel(boundscheck=False)
def farthest(V, G, seen, S, own, x, y, z, n, s1, s2, s3):
    """Return the vertex with the greatest inner product, among those of the polygons at the closest point.

    Args:
        V: Floats of the body.
        G: Its graph.
        seen: See `Graph`.
        S: The state of the search.
        own: Where the body's vertices are in it.
        x: Direction.
        y: See x.
        z: See x.
        n: How many points the simplex around the closest point has.
        s1: Their slots.
        s2: See s1.
        s3: See s1.
    """
    S[EVALUATION] += 1
    best, found = -math.inf, 0
    if n == 0 or S[ALWAYS_SCANS] != 0:
        S[SCANS] += 1
        for k in range(G[N_VERTICES]):
            q = POINTS + 3 * k
            S[INNER_PRODUCTS] += 1
            product = x * V[q] + y * V[q + 1] + z * V[q + 2]
            if product > best:
                best, found = product, k
        return found
    # The vertices that the closest point is a mean of, each once.
    a = S[own + s1]
    b = S[own + s2] if n > 1 else a
    c = S[own + s3] if n > 2 else a
    if b == a:
        b, c = c, a
    if c == b:
        c = a
    if b != a:
        for j in range(G[G[AROUND] + a], G[G[AROUND] + a + 1]):
            p = G[j]
            S[NODES] += 1
            of_a, of_b = _holds(G, S, p, a), _holds(G, S, p, b)
            if of_b < 0 or (c != a and _holds(G, S, p, c) < 0):
                continue
            last = G[G[CORNERS] + p + 1] - G[G[CORNERS] + p] - 1
            apart = abs(of_a - of_b)
            if c == a and (apart == 1 or apart == last):  # on an edge: the polygons below it
                first = min(of_a, of_b) if apart == 1 else last
                edge = G[G[EDGES] + p] + first
                at = G[SIDES] + 2 * G[edge]
                best, found = _try_polygon(V, G, seen, S, G[at], x, y, z, best, found)
                best, found = _try_polygon(V, G, seen, S, G[at + 1], x, y, z, best, found)
                return found
            q = POINTS + 3 * (G[N_VERTICES] + p)
            if V[q] * x + V[q + 1] * y + V[q + 2] * z >= 0.0:  # on a polygon that faces the other body
                best, found = _try_polygon(V, G, seen, S, p, x, y, z, best, found)
                return found
            break
    for k in (a, b, c):
        for j in range(G[G[AROUND] + k], G[G[AROUND] + k + 1]):
            best, found = _try_polygon(V, G, seen, S, G[j], x, y, z, best, found)
        if b == a:
            break
    return found


@kernel(inline=True, boundscheck=False)
def support_on_graph(A, x, y, z, _hint, _rough, held):
    """Return the support point that the graph gives, and its vertex; it takes a free slot of the simplex."""
    V, G, seen, S, own = A
    n, s1, s2, s3 = held
    k = farthest(V, G, seen, S, own, x, y, z, n, s1, s2, s3)
    free = 0
    while (n > 0 and free == s1) or (n > 1 and free == s2) or (n > 2 and free == s3):
        free += 1
    S[own + free] = k
    q = POINTS + 3 * k
    return V[q], V[q + 1], V[q + 2], k, 0


@kernel(inline=True, boundscheck=False)
def _between_centers(A, B, pose, _question):
    """Return the vector between the means of the vertices, equation (12)."""
    VA, VB = A[0], B[0]
    x, y, z = difference(pose, VA[0], VA[1], VA[2], VB[0], VB[1], VB[2])
    if x == 0.0 and y == 0.0 and z == 0.0:
        x = 1.0
    return x, y, z


@kernel(
    "void(float64[::1], int32[::1], int64[::1], float64[::1], int32[::1], int64[::1], float64[:,:,::1],"
    " float64[:,::1], int64[::1], float64[::1], boolean)"
)
def distance_on_graphs(VA, GA, seen_a, VB, GB, seen_b, X_AB, rows, S, M, tracked):
    """Write distance, iterations and whether the bodies overlap for each pose of B in the frame of A.

    Args:
        VA: A, see `Graph`.
        GA: See VA.
        seen_a: See VA.
        VB: B.
        GB: See VB.
        seen_b: See VB.
        X_AB: (n, 4, 4) poses.
        rows: (n, ROW) the results.
        S: (STATE,) the state; counts are added up.
        M: Memory of the iteration.
        tracked: Whether each search begins with the last simplex.
    """
    for k in range(X_AB.shape[0]):
        pose = load_pose(X_AB, k)[1:]
        length = math.sqrt(pose[9] * pose[9] + pose[10] * pose[10] + pose[11] * pose[11])
        tolerance = CONVERGED * (VA[EXTENT] + VB[EXTENT] + length)
        if not tracked:
            M[0], M[1], M[2], M[3] = 0.0, -1.0, -1.0, 0.0
        _, _, inside, upper, _, _, _, _, _, _, _, iterations, _, _ = iterate(
            support_on_graph, known_points, goes_on, (VA, GA, seen_a, S, OF_A), (VB, GB, seen_b, S, OF_B), pose,
            _between_centers, M, 0, False, 0.0, tolerance, tolerance, 0.0, 0,
        )  # fmt: skip
        rows[k, DISTANCE] = 0.0 if inside else upper
        rows[k, ITERATIONS], rows[k, INSIDE] = iterations, inside


class Search:
    """A search on the graphs of two hulls, with its counts.

    Args:
        a: One hull.
        b: The other.
        triangulated: Whether polygons are divided into triangles first.
        scans: Whether all inner products are evaluated each time, as before the source's graph.
    """

    def __init__(
        self, a: kc.Convex, b: kc.Convex, *, triangulated: bool = False, scans: bool = False
    ) -> None:
        self.graphs = build_graph(a, triangulated=triangulated), build_graph(b, triangulated=triangulated)
        self.state, self.memory = np.zeros(STATE, np.int64), np.zeros(MEMORY)
        self.state[ALWAYS_SCANS] = scans

    def distances(self, X_AB: FloatArray, *, tracked: bool) -> FloatArray:
        """Return a row of results for each pose of B in A's frame, (n, ROW)."""
        rows = np.zeros((len(X_AB), ROW))
        self.memory[:4] = 0.0, -1.0, -1.0, 0.0
        distance_on_graphs(*self.graphs[0], *self.graphs[1], X_AB, rows, self.state, self.memory, tracked)
        return rows
