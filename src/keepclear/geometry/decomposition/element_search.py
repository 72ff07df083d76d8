"""The search for convex elements: flat faces of a surface, and their merging by divide and conquer."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.shapes.mesh_check import merge_and_count_edges
from keepclear.kernels.decomposition import merging

Indices = npt.NDArray[np.int64]

DEFAULT_EPS = 1e-6
"""Tolerance of convexity as a part of the size [1]: coordinates in single precision are off by 1e-7."""

FLAT = 0.25
"""Largest distance of vertices of a flat face from its plane, as a part of the tolerance of convexity [1]."""

ROUNDING = 2.0**-50
"""Upper bound of the rounding of the height of a vertex above a plane, as a part of the largest coordinate [1]."""


def flat_within(eps: float, size: float) -> float:
    """Return how far vertices of a flat face may be from its plane, for a tolerance of convexity and a size [m]."""
    return FLAT * min(eps, DEFAULT_EPS * size)


class Surface(NamedTuple):
    """A surface to be decomposed.

    Attributes:
        vertices: (n, 3) [m].
        triangles: (t, 3) vertices, of which those at one position, or across a seam, count as one.
        seam: Greatest distance of vertices that count as one [m].
        eps: How far a vertex may be above the plane of a face of its element [m].
        flat: How far a vertex of a flat face may be from its plane [m].
    """

    vertices: FloatArray
    triangles: Indices
    seam: float
    eps: float
    flat: float


def welded_surface(mesh: Mesh, eps: float | None = None) -> Surface:
    """Return the surface of a mesh, for a tolerance of convexity [m]; None: the default."""
    V = mesh._vertices.copy()
    size = float(np.ptp(V[mesh._triangles].reshape(-1, 3), axis=0).max())
    T, seam, _ = merge_and_count_edges(V, mesh._triangles)
    accepted = DEFAULT_EPS * size if eps is None else eps
    return Surface(V, np.ascontiguousarray(T), seam, accepted, flat_within(accepted, size))


class Settings(NamedTuple):
    """Tolerance of convexity [m]; whether pairs without a shared edge are skipped, and elements merged again."""

    eps: float
    neighbours_only: bool = True
    repeat: bool = True


def merged_elements(faces: FlatFaces, settings: Settings, negative: bool | None) -> Elements:
    """Return the elements of flat faces: the smaller set of both variants, unless one variant is requested."""
    found = [] if negative is True else [_positive(faces, settings)]
    if negative is not False:
        found.append(_negative_first(faces, settings))
    return min(found, key=lambda elements: len(elements.signs))


class FlatFaces(NamedTuple):
    """Flat faces: the face of each triangle, planes, their flatness, and shared edges.

    `edges` are pairs of faces, both ways; `is_concave` is True where the surface is strictly concave.
    """

    vertices: FloatArray
    welded: Indices
    face_of: Indices
    planes: FloatArray
    flatness: FloatArray
    edges: Indices
    is_concave: npt.NDArray[np.bool_]
    n_borders: int


class Elements(NamedTuple):
    """The element of each face, numbered from 0, with signs and largest heights."""

    element_of: Indices
    signs: npt.NDArray[np.int8]
    heights: FloatArray
    tests: int


def find_flat_faces(surface: Surface, group: Indices | None = None) -> FlatFaces:
    """Return the flat faces of a surface; none spans triangles of two groups, where groups are given."""
    V, T, _, eps, flat = surface
    normals, areas, is_thin = triangle_planes(V, T, flat)
    opposite, n_borders = _half_edges(T, len(V))
    if group is not None:
        opposite[(opposite >= 0) & (group[opposite // 3] != np.repeat(group, 3))] = -1
    face_of, flatness = np.empty(len(T), np.int64), np.empty(len(T))
    planes, stack = np.zeros((len(T), merging.PLANE)), np.empty(len(T) + 1, np.int64)
    order = np.argsort(-areas, kind="stable")
    n = merging.grow(
        V, T, opposite, np.ascontiguousarray(normals), is_thin, order, flat, face_of, planes, flatness, stack
    )  # fmt: skip
    n = _place_thin(face_of, flatness, opposite, n)
    order, face_of = in_order(face_of, n)
    planes, flatness = planes[:n][order], flatness[:n][order]
    flatness = np.maximum(flatness, spread(V, T, face_of, planes))
    half = np.flatnonzero(opposite >= 0)
    u, v = half // 3, opposite[half] // 3
    between = face_of[u] != face_of[v]
    u, v = u[between], v[between]
    beyond = np.einsum("ijk,ik->ij", V[T[v]], planes[face_of[u], :3]) - planes[face_of[u], 3:]
    pairs, back = np.unique(face_of[u] * n + face_of[v], return_inverse=True)
    concave = np.zeros(len(pairs), bool)
    np.logical_or.at(concave, back, beyond.max(axis=1) > eps)
    return FlatFaces(
        V, T, face_of, np.ascontiguousarray(planes), flatness,
        np.stack(np.divmod(pairs, n), axis=1), concave, n_borders,
    )  # fmt: skip


def triangle_planes(
    V: FloatArray, T: Indices, flat: float
) -> tuple[FloatArray, FloatArray, npt.NDArray[np.bool_]]:
    """Return unit normals and twice the areas of triangles, and which are too thin to have a plane."""
    corners = V[T]
    sides = np.roll(corners, -1, axis=1) - corners
    normals = np.cross(sides[:, 0], -sides[:, 2])
    areas, longest = np.linalg.norm(normals, axis=1), np.linalg.norm(sides, axis=2).max(axis=1)
    is_thin = areas <= flat * longest
    normals = np.where(is_thin[:, None], 0.0, normals / np.where(is_thin, 1.0, areas)[:, None])
    return normals, areas, is_thin


def count_borders(T: Indices, n_vertices: int) -> int:
    """Return how many edges do not have exactly two triangles, walked in opposite directions."""
    return _half_edges(T, n_vertices)[1]


def _half_edges(T: Indices, n_vertices: int) -> tuple[Indices, int]:
    """Return the half-edge across each half-edge 3 t + k, -1 at borders, and the number of border edges."""
    tail, head = T.ravel(), np.roll(T, -1, axis=1).ravel()
    lower, upper = np.minimum(tail, head), np.maximum(tail, head)
    order = np.argsort(lower * n_vertices + upper, kind="stable")
    key = (lower * n_vertices + upper)[order]
    start = np.flatnonzero(np.diff(key, prepend=-1))
    count = np.diff(start, append=len(key))
    i, j = order[start[count == 2]], order[start[count == 2] + 1]
    across = (tail[i] != tail[j]) & (lower[i] != upper[i])
    opposite = np.full(T.size, -1, np.int64)
    opposite[i[across]], opposite[j[across]] = j[across], i[across]
    return opposite, len(start) - int(np.count_nonzero(across))


def _place_thin(face_of: Indices, flatness: FloatArray, opposite: Indices, n: int) -> int:
    """Assign triangles without a plane to the face of a neighbour, or to a new one each; return the number of faces."""
    left = np.flatnonzero(face_of < 0)
    while len(left):
        beside = opposite.reshape(-1, 3)[left]
        faces = np.where(beside >= 0, face_of[beside // 3], -1)
        best = faces.max(axis=1)
        if (best < 0).all():
            break
        face_of[left[best >= 0]] = best[best >= 0]
        left = left[best < 0]
    face_of[left] = np.arange(n, n + len(left))
    flatness[n : n + len(left)] = 0.0
    return n + len(left)


def spread(V: FloatArray, T: Indices, face_of: Indices, planes: FloatArray) -> FloatArray:
    """Return bounds of the distances of each face's vertices from its plane, including thin triangles and rounding."""
    heights = np.abs(np.einsum("ijk,ik->ij", V[T], planes[face_of, :3]) - planes[face_of, 3:]).max(axis=1)
    most = np.zeros(len(planes))
    np.maximum.at(most, face_of, heights)
    return most


def _positive(faces: FlatFaces, settings: Settings) -> Elements:
    """Return convex elements."""
    everything = np.ones(len(faces.planes), bool)
    return _numbered(*_merged(faces, everything, 1.0, settings), np.zeros(len(faces.planes), bool))


def _negative_first(faces: FlatFaces, settings: Settings) -> Elements:
    """Return first elements that are convex viewed from the other side, then convex elements of the remaining faces.

    Of the first kind only those with two or more faces and a strictly concave edge count: otherwise each side of a cube
    would be one.
    """
    n = len(faces.planes)
    everything = np.ones(n, bool)
    owner, heights, tests = _merged(faces, everything, -1.0, settings)
    inner = faces.is_concave & (owner[faces.edges[:, 0]] == owner[faces.edges[:, 1]])
    has_concave = np.zeros(n, bool)
    has_concave[owner[faces.edges[inner, 0]]] = True
    is_negative = has_concave[owner]
    rest_owner, rest_heights, rest_tests = _merged(faces, ~is_negative, 1.0, settings)
    return _numbered(
        np.where(is_negative, owner, rest_owner), np.where(is_negative, heights, rest_heights), tests + rest_tests,
        is_negative,
    )  # fmt: skip


def _numbered(
    owner: Indices, heights: FloatArray, tests: int, is_negative: npt.NDArray[np.bool_]
) -> Elements:
    roots, element_of = np.unique(owner, return_inverse=True)
    signs = np.where(is_negative[roots], -1, 1).astype(np.int8)
    return Elements(element_of, signs, heights[roots], tests)


def _merged(
    faces: FlatFaces, is_in: npt.NDArray[np.bool_], sign: float, settings: Settings
) -> tuple[Indices, FloatArray, int]:
    """Merge faces into elements; return the element that each face belongs to, heights, and the tests."""
    n = len(faces.planes)
    owner, chains = np.arange(n), np.full((merging.CHAINS, n), -1, np.int64)
    chains[merging.FACES] = chains[merging.FACES + 1] = np.arange(n)
    start, vertex = face_tables(faces.welded, faces.face_of, n, len(faces.vertices))
    boxes, children = np.empty((2 * n, 6)), np.empty((n, 2), np.int64)
    boxes[:n, :3] = np.minimum.reduceat(faces.vertices[vertex], start[:-1])
    boxes[:n, 3:] = np.maximum.reduceat(faces.vertices[vertex], start[:-1])
    edges = faces.edges[is_in[faces.edges].all(axis=1)]
    next_edge = _chained(chains, merging.BOUNDARY, edges[:, 0])
    next_face, tree, n_nodes = np.full(n, -1, np.int64), np.arange(n), n
    scratch, sizes = np.empty((3, n + 1), np.int64), np.ones(n, np.int64)
    heights, counts = faces.flatness.copy(), np.zeros(merging.COUNTS, np.int64)
    across = np.ascontiguousarray(edges[:, 1])
    elements = np.flatnonzero(is_in)
    while True:
        place = np.full(n, -1, np.int64)
        place[elements] = np.arange(len(elements))
        n_nodes = merging.merge(
            elements, faces.vertices, faces.planes, sign, settings.eps, settings.neighbours_only, owner, chains,
            next_face, start, vertex, next_edge, across, tree, boxes, children, n_nodes, place, scratch, sizes, heights,
            counts,
        )  # fmt: skip
        left = elements[owner[elements] == elements]
        if len(left) == len(elements) or not settings.repeat:
            break
        elements = left
    while (owner[owner] != owner).any():
        owner = owner[owner]
    return owner, heights, int(counts[merging.TESTED])


def face_tables(T: Indices, face_of: Indices, n_faces: int, n_vertices: int) -> tuple[Indices, Indices]:
    """Return the start of each flat face's vertices in a list, and the list."""
    corners = np.unique(np.repeat(face_of, 3) * n_vertices + T.ravel())
    face, vertex = np.divmod(corners, n_vertices)
    return np.searchsorted(face, np.arange(n_faces + 1)), vertex


def _chained(chains: Indices, kind: int, owners: Indices) -> Indices:
    """Chain entries that are sorted by the element they belong to; return what follows each entry."""
    following = np.arange(1, len(owners) + 1)
    is_last = np.diff(owners, append=-1) != 0
    following[is_last] = -1
    is_first = np.diff(owners, prepend=-1) != 0
    chains[kind, owners[is_first]] = np.flatnonzero(is_first)
    chains[kind + 1, owners[is_last]] = np.flatnonzero(is_last)
    return following


def in_order(number: Indices, n: int) -> tuple[Indices, Indices]:
    """Return n numbers by the first triangle that has each, and which of these each triangle has."""
    first = np.full(n, len(number), np.int64)
    np.minimum.at(first, number, np.arange(len(number)))
    order = np.argsort(first, kind="stable")
    rank = np.empty(n, np.int64)
    rank[order] = np.arange(n)
    return order, rank[number]


def rounding_of(surface: Surface) -> float:
    """Return a bound of the error of a height above a plane [m]: rounding, and vertices that count as one."""
    return 2.0 * surface.seam + ROUNDING * float(np.abs(surface.vertices).max(initial=0.0))
