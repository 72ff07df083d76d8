"""Convex decomposition of a surface: patches that are convex, or convex seen from inside, within a tolerance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple, overload

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, checked_flag, checked_length, read_only
from keepclear.errors import ArgumentError
from keepclear.kernels.decomposition import flat_faces, merging
from keepclear.shapes.convex import Convex
from keepclear.shapes.mesh import Mesh, as_shape
from keepclear.shapes.mesh_edges import merge_and_count_edges

if TYPE_CHECKING:
    from keepclear.preprocess.convex_parts import ConvexParts

__all__ = ["Decomposition", "Element", "decompose"]

Indices = npt.NDArray[np.int64]

DEFAULT_EPS = 1e-6
"""Tolerance of convexity as a part of the size [1]: coordinates in single precision are off by 1e-7."""

FLAT = 0.25
"""How far vertices of a flat face may be from its plane, as a part of the tolerance of convexity [1]."""

ROUNDING = 2.0**-50
"""More than covers the rounding of the height of a vertex above a plane, as a part of the largest coordinate [1]."""


class Element:
    """A patch of a surface: its faces bound its vertices within a defect; it never changes.

    Attributes:
        faces: The triangles of the mesh that it consists of, (k,).
        sign: 1 where the patch is convex, -1 where it is convex seen from the other side (a hole, a fillet).
        defect: How far a vertex is above the plane of one of its faces, at most [m].
    """

    def __init__(self, decomposition: Decomposition, number: int) -> None:
        self._whole, self._number = decomposition, number
        start = decomposition._start
        self.faces: Indices = read_only(decomposition._order[start[number] : start[number + 1]])
        self.sign = int(decomposition.signs[number])
        self.defect = float(decomposition.defects[number])

    @cached_property
    def vertices(self) -> Indices:
        """The vertices of the mesh at its corners, (m,); of those at one position only the first."""
        return read_only(np.unique(self._whole._welded[self.faces]))

    @cached_property
    def hull(self) -> Convex:
        """The convex hull of its vertices, with its graph; flat where the patch is."""
        return Convex(self._whole.mesh.vertices[self.vertices])

    @cached_property
    def center(self) -> FloatArray:
        """The centre of its enveloping sphere, (3,): that of the box around its vertices [m]."""
        points = self._whole.mesh.vertices[self.vertices]
        return read_only(0.5 * (points.min(axis=0) + points.max(axis=0)))

    @cached_property
    def radius(self) -> float:
        """The radius of its enveloping sphere [m], rounded up."""
        points = self._whole.mesh.vertices[self.vertices]
        return float(np.linalg.norm(points - self.center, axis=1).max()) * (1.0 + 2.0**-49)

    @cached_property
    def boundary(self) -> Indices:
        """The edges around it as pairs of vertices, (e, 2), with the patch on their left."""
        tail = self._whole._welded[self.faces]
        edges = np.stack([tail, np.roll(tail, -1, axis=1)], axis=-1).reshape(-1, 2)
        n = len(self._whole.mesh.vertices)
        forth, back = edges[:, 0] * n + edges[:, 1], edges[:, 1] * n + edges[:, 0]
        return read_only(edges[~np.isin(forth, back) & (edges[:, 0] != edges[:, 1])])

    def __len__(self) -> int:
        return len(self.faces)

    def __repr__(self) -> str:
        what = "convex" if self.sign > 0 else "concave"
        return f"Element({len(self.faces)} triangles, {what}, defect {self.defect:.3g} m)"


@dataclass(frozen=True, eq=False, repr=False)
class Decomposition(Sequence[Element]):
    """The elements of a surface; every triangle of the mesh is in exactly one of them.

    Attributes:
        mesh: The mesh.
        eps: Tolerance of convexity [m].
        signs: (n,) 1 or -1 for each element.
        defects: (n,) how far a vertex of each element is above the plane of one of its faces, at most [m].
        element_of: (triangles,) the element of each triangle of the mesh.
        n_borders: Edges that do not have exactly two triangles, walked in opposite directions. Nothing is merged
            across them, so soups and T-junctions give more elements.
        tests: Pairs of elements that were tested.
    """

    mesh: Mesh
    eps: float
    signs: npt.NDArray[np.int8]
    defects: FloatArray
    element_of: Indices
    n_borders: int
    tests: int
    _welded: Indices
    _order: Indices
    _start: Indices

    @cached_property
    def elements(self) -> tuple[Element, ...]:
        """The elements, in the order of their first triangles."""
        return tuple(Element(self, i) for i in range(len(self)))

    def __len__(self) -> int:
        return len(self.signs)

    @overload
    def __getitem__(self, index: int) -> Element: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Element, ...]: ...
    def __getitem__(self, index: int | slice) -> Element | tuple[Element, ...]:
        return self.elements[index]

    def __iter__(self) -> Iterator[Element]:
        return iter(self.elements)

    def __repr__(self) -> str:
        n, negative = len(self), int((self.signs < 0).sum())
        borders = f", {self.n_borders} border edges" if self.n_borders else ""
        return (
            f"Decomposition({n} element{'s' * (n != 1)}, {negative} concave, of {len(self.element_of)} triangles, "
            f"eps {self.eps:.3g} m{borders})"
        )


@overload
def decompose(
    mesh: Mesh,
    eps: float | None = None,
    *,
    negative: bool | None = None,
    pretest: bool = True,
    repeat: bool = True,
    solid: Literal[False] = False,
) -> Decomposition: ...
@overload
def decompose(
    mesh: Mesh,
    eps: None = None,
    *,
    solid: Literal[True],
    excess: float | None = None,
    max_parts: int | None = None,
    max_vertices: int | None = None,
) -> ConvexParts: ...
def decompose(
    mesh: Mesh,
    eps: float | None = None,
    *,
    negative: bool | None = None,
    pretest: bool = True,
    repeat: bool = True,
    solid: bool = False,
    excess: float | None = None,
    max_parts: int | None = None,
    max_vertices: int | None = None,
) -> Decomposition | ConvexParts:
    """Return a surface as convex elements: patches whose faces all bound all of their vertices.

    Coplanar triangles are one face. The list of faces is divided in two, each half is decomposed, and each element of
    the left half is merged with elements of the right half wherever the union is convex. Elements are patches of
    surface: their hulls may fill cavities, and they do not cover the volume.

    Args:
        mesh: The mesh; open, non-manifold or with repeated vertices, as it is.
        eps: How far a vertex may be above the plane of a face of its element [m]; None: a millionth of the size.
        negative: True finds concave elements first (holes are convex seen from inside: "negative objects"), False finds
            convex elements only, None takes what gives fewer elements.
        pretest: Whether pairs that share no edge are skipped; False visits them all, slowly, with the same result.
        repeat: Whether the elements are decomposed again until their number does not fall.
        solid: True gives convex parts whose union contains the solid of a closed mesh, proved, instead of elements of
            its surface; `eps` and `negative` are then left out.
        excess: With solid=True: how far a point of a part may be from the solid [m]; holes of a larger radius stay
            open. None: 3 % of the diagonal of the box around the mesh, or what `max_parts` needs.
        max_parts: With solid=True: most parts; the allowed excess grows until they suffice.
        max_vertices: With solid=True: most vertices of a part, at least 8; parts grow for it, and `excess_of` says how
            far.

    Returns:
        A `Decomposition`, a sequence of `Element`; with solid=True `ConvexParts`, a sequence of parts with poses.

    Raises:
        ArgumentError: It is not a mesh, a number makes no sense, or `excess` needs more than `max_parts`.
        MeshError: With solid=True, the mesh is open.

    Example:
        >>> import keepclear as kc
        >>> corners = [[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]
        >>> faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
        >>> kc.decompose(kc.Mesh(corners, faces))
        Decomposition(1 element, 0 concave, of 12 triangles, eps 1e-06 m)
    """
    if checked_flag("solid", solid):
        if eps is not None or negative is not None:
            raise ArgumentError(
                "decompose: eps and negative are for elements of the surface; leave them out with solid=True."
            )
        from keepclear.preprocess.convex_parts import build_convex_parts

        return build_convex_parts(mesh, excess=excess, max_parts=max_parts, max_vertices=max_vertices)
    if excess is not None or max_parts is not None:
        raise ArgumentError(
            "decompose: excess and max_parts are for parts that contain the solid; give solid=True too."
        )
    shape = as_shape(mesh)
    if type(shape) is not Mesh:
        raise ArgumentError(
            f"decompose: {type(shape).__name__} is convex already; give a kc.Mesh, whose surface may be concave."
        )
    size = float(np.ptp(shape.vertices[shape.triangles].reshape(-1, 3), axis=0).max())
    accepted = DEFAULT_EPS * size if eps is None else checked_length("eps", eps)
    if negative is not None:
        checked_flag("negative", negative)
    settings = _Settings(accepted, checked_flag("pretest", pretest), checked_flag("repeat", repeat))
    faces = _flat_faces(shape, accepted, FLAT * min(accepted, DEFAULT_EPS * size))
    found = [] if negative is True else [_positive(faces, settings)]
    if negative is not False:
        found.append(_negative_first(faces, settings))
    return _described(shape, faces, min(found, key=lambda elements: len(elements.signs)), accepted)


class _Settings(NamedTuple):
    eps: float
    neighbours_only: bool
    repeat: bool


class _Faces(NamedTuple):
    """Flat faces: the face of each triangle, planes, how flat they are, and where they share edges.

    `edges` are pairs of faces, both ways; `is_concave` tells whether the surface is strictly concave there.
    """

    vertices: FloatArray
    welded: Indices
    face_of: Indices
    planes: FloatArray
    flatness: FloatArray
    edges: Indices
    is_concave: npt.NDArray[np.bool_]
    n_borders: int
    seam: float


class _Elements(NamedTuple):
    """The element of each face, numbered from 0, with signs and largest heights."""

    element_of: Indices
    signs: npt.NDArray[np.int8]
    heights: FloatArray
    tests: int


def _flat_faces(mesh: Mesh, eps: float, flat: float) -> _Faces:
    """Return the flat faces of a mesh, whose vertices at one position, or across a seam, count as one."""
    V = mesh.vertices.copy()
    merged, seam, _ = merge_and_count_edges(V, mesh.triangles)
    T = np.ascontiguousarray(merged)
    corners = V[T]
    sides = np.roll(corners, -1, axis=1) - corners
    normals = np.cross(sides[:, 0], -sides[:, 2])
    areas, longest = np.linalg.norm(normals, axis=1), np.linalg.norm(sides, axis=2).max(axis=1)
    is_thin = areas <= flat * longest
    normals = np.where(is_thin[:, None], 0.0, normals / np.where(is_thin, 1.0, areas)[:, None])
    opposite, n_borders = _half_edges(T, len(V))
    face_of, flatness = np.empty(len(T), np.int64), np.empty(len(T))
    planes, stack = np.zeros((len(T), flat_faces.PLANE)), np.empty(len(T) + 1, np.int64)
    order = np.argsort(-areas, kind="stable")
    n = flat_faces.grow(
        V, T, opposite, np.ascontiguousarray(normals), is_thin, order, flat, face_of, planes, flatness, stack
    )  # fmt: skip
    n = _place_thin(face_of, flatness, opposite, n)
    # Faces in the order of their first triangles.
    first = np.full(n, len(T), np.int64)
    np.minimum.at(first, face_of, np.arange(len(T)))
    order = np.argsort(first, kind="stable")
    rank = np.empty(n, np.int64)
    rank[order] = np.arange(n)
    face_of, planes, flatness = rank[face_of], planes[:n][order], flatness[:n][order]
    flatness = np.maximum(flatness, _spread(V, T, face_of, planes))
    half = np.flatnonzero(opposite >= 0)
    u, v = half // 3, opposite[half] // 3
    between = face_of[u] != face_of[v]
    u, v = u[between], v[between]
    beyond = np.einsum("ijk,ik->ij", V[T[v]], planes[face_of[u], :3]) - planes[face_of[u], 3:]
    pairs, back = np.unique(face_of[u] * n + face_of[v], return_inverse=True)
    concave = np.zeros(len(pairs), bool)
    np.logical_or.at(concave, back, beyond.max(axis=1) > eps)
    return _Faces(
        V, T, face_of, np.ascontiguousarray(planes), flatness,
        np.stack(np.divmod(pairs, n), axis=1), concave, n_borders, seam,
    )  # fmt: skip


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
    """Give triangles without a plane the face of a neighbour, or a new face each; return the number of faces."""
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


def _spread(V: FloatArray, T: Indices, face_of: Indices, planes: FloatArray) -> FloatArray:
    """Return how far the vertices of each face are from its plane, thin triangles included, rounding included."""
    heights = np.abs(np.einsum("ijk,ik->ij", V[T], planes[face_of, :3]) - planes[face_of, 3:]).max(axis=1)
    most = np.zeros(len(planes))
    np.maximum.at(most, face_of, heights)
    return most


def _positive(faces: _Faces, settings: _Settings) -> _Elements:
    """Return convex elements."""
    everything = np.ones(len(faces.planes), bool)
    return _numbered(*_merged(faces, everything, 1.0, settings), np.zeros(len(faces.planes), bool))


def _negative_first(faces: _Faces, settings: _Settings) -> _Elements:
    """Return elements that are convex seen from the other side first, and convex elements of what is left.

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
) -> _Elements:
    roots, element_of = np.unique(owner, return_inverse=True)
    signs = np.where(is_negative[roots], -1, 1).astype(np.int8)
    return _Elements(element_of, signs, heights[roots], tests)


def _merged(
    faces: _Faces, is_in: npt.NDArray[np.bool_], sign: float, settings: _Settings
) -> tuple[Indices, FloatArray, int]:
    """Merge faces into elements; return the element that each face belongs to, heights, and the tests."""
    n = len(faces.planes)
    owner, chains = np.arange(n), np.full((merging.CHAINS, n), -1, np.int64)
    chains[merging.FACES] = chains[merging.FACES + 1] = np.arange(n)
    corners = np.unique(np.repeat(faces.face_of, 3) * len(faces.vertices) + faces.welded.ravel())
    face, vertex = np.divmod(corners, len(faces.vertices))
    start = np.searchsorted(face, np.arange(n + 1))
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


def _chained(chains: Indices, kind: int, owners: Indices) -> Indices:
    """Chain entries that are sorted by the element they belong to; return what follows each entry."""
    following = np.arange(1, len(owners) + 1)
    is_last = np.diff(owners, append=-1) != 0
    following[is_last] = -1
    is_first = np.diff(owners, prepend=-1) != 0
    chains[kind, owners[is_first]] = np.flatnonzero(is_first)
    chains[kind + 1, owners[is_last]] = np.flatnonzero(is_last)
    return following


def _described(mesh: Mesh, faces: _Faces, elements: _Elements, eps: float) -> Decomposition:
    """Return the elements in the order of their first triangles, with certified defects."""
    raw = elements.element_of[faces.face_of]
    n = len(elements.signs)
    first = np.full(n, len(raw), np.int64)
    np.minimum.at(first, raw, np.arange(len(raw)))
    order = np.argsort(first, kind="stable")
    rank = np.empty(n, np.int64)
    rank[order] = np.arange(n)
    element_of = rank[raw]
    rounding = 2.0 * faces.seam + ROUNDING * float(np.abs(faces.vertices).max(initial=0.0))
    by_element = np.argsort(element_of, kind="stable")
    start = np.searchsorted(element_of[by_element], np.arange(n + 1))
    return Decomposition(
        mesh, eps, read_only(elements.signs[order]), read_only(elements.heights[order] + rounding),
        read_only(element_of), faces.n_borders, elements.tests, faces.welded, by_element, start,
    )  # fmt: skip
