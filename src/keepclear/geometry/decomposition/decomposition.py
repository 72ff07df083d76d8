"""Convex decomposition of a surface: patches that are convex, or convex viewed from inside, within a tolerance."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal, overload

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, checked_flag, checked_length, read_only
from keepclear.errors import ArgumentError
from keepclear.geometry.decomposition.element_search import (
    Elements,
    FlatFaces,
    Indices,
    Settings,
    Surface,
    find_flat_faces,
    in_order,
    merged_elements,
    rounding_of,
    welded_surface,
)
from keepclear.geometry.shapes.convex import Convex
from keepclear.geometry.shapes.mesh import Mesh, as_shape
from keepclear.geometry.trees.surface import bare_surface

if TYPE_CHECKING:
    from keepclear.geometry.decomposition.convex_parts import ConvexParts
    from keepclear.geometry.models.element_files import ElementRecord, HullRecord

__all__ = ["Decomposition", "Element", "decompose"]


class Element:
    """A patch of a surface: its faces bound its vertices within a defect; immutable.

    Attributes:
        faces: Its triangles in the mesh, (k,).
        sign: 1 where the patch is convex, -1 where it is convex viewed from the other side (a hole, a fillet).
        defect: Greatest height of a vertex above the plane of one of its faces [m].
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
        defects: (n,) greatest height of a vertex of each element above the plane of one of its faces [m].
        element_of: (triangles,) the element of each triangle of the mesh.
        n_borders: Edges that do not have exactly two triangles with opposite orientations. Nothing is merged across
            them, so soups and T-junctions give more elements.
        tests: Pairs of elements that were tested; 0 for elements from a file.
    """

    mesh: Mesh
    eps: float
    signs: npt.NDArray[np.int8]
    defects: FloatArray
    element_of: Indices
    n_borders: int
    tests: int
    _welded: Indices
    _face_of: Indices
    _seam: float

    @cached_property
    def _order(self) -> Indices:
        """All triangles, element by element."""
        return np.argsort(self.element_of, kind="stable")

    @cached_property
    def _start(self) -> Indices:
        """The start of each element's triangles in `_order`."""
        return np.concatenate([[0], np.cumsum(np.bincount(self.element_of, minlength=len(self)))])

    @cached_property
    def elements(self) -> tuple[Element, ...]:
        """The elements, in the order of their first triangles."""
        return tuple(Element(self, i) for i in range(len(self)))

    def refit(self, vertices: npt.ArrayLike) -> Decomposition:
        """Return the elements of the same triangles with moved vertices.

        Elements without a moved vertex stay as they are. The others are certified again, and divided where they are no
        longer convex within the tolerance.

        Args:
            vertices: New positions of all vertices of the mesh, (n, 3) [m].

        Raises:
            MeshError: The array has a wrong shape, a number in it is not finite, or the mesh is too small.
        """
        from keepclear.geometry.decomposition.element_refit import refitted_elements

        mesh = self.mesh._with_vertices(vertices)
        bare_surface(mesh)  # refuses a mesh that is too small
        return refitted_elements(self, mesh)

    def to_html(self, path: str | os.PathLike[str] | None = None, *, title: str = "") -> str:
        """Return a self-contained page of the elements and the hull, and write it to a file if a path is given.

        Convex elements are blue and green, concave ones red and orange. Faces of the hull that span a gap of the mesh
        are orange. A slider moves elements apart.
        """
        from keepclear.report.pages.element_page import page_of_elements

        return page_of_elements(self, path, title=title)

    def write_elements(self, path: str | os.PathLike[str]) -> None:
        """Write the hull of each element to an L file, whole or not at all; numbers are written with all their digits.

        Raises:
            PreparedFileError: The file cannot be written.

        Examples:
            >>> import keepclear as kc
            >>> from tempfile import TemporaryDirectory
            >>> corners = [[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]
            >>> faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
            >>> with TemporaryDirectory() as folder:
            ...     kc.decompose(kc.Mesh(corners, faces)).write_elements(f"{folder}/cube.l")
            ...     [cube] = kc.Decomposition.read_elements(f"{folder}/cube.l")
            >>> cube.sign, len(cube.vertices)
            (1, 8)
        """
        from keepclear.geometry.models.element_files import write_elements

        write_elements(self, path)

    def write_hull(self, path: str | os.PathLike[str]) -> None:
        """Write the hull of the mesh to an HL file: all vertices of the mesh, and which faces are virtual.

        Raises:
            ArgumentError: The mesh is flat, so that its hull has no faces.
            PreparedFileError: The file cannot be written.
        """
        from keepclear.geometry.models.element_files import write_hull

        write_hull(self.mesh, path)

    @staticmethod
    def read_elements(path: str | os.PathLike[str]) -> tuple[ElementRecord, ...]:
        """Return the elements of an L file: sign, vertices and neighbours of each.

        Raises:
            PreparedFileError: The file cannot be read, or a line of it is wrong.
        """
        from keepclear.geometry.models.element_files import read_elements

        return read_elements(path)

    @staticmethod
    def read_hull(path: str | os.PathLike[str]) -> HullRecord:
        """Return the hull of an HL file: vertices, neighbours and faces.

        Raises:
            PreparedFileError: The file cannot be read, or a line of it is wrong.
        """
        from keepclear.geometry.models.element_files import read_hull

        return read_hull(path)

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
        negative: True finds concave elements first (holes are convex viewed from inside: "negative objects"), False
            finds convex elements only, None uses whichever gives fewer elements.
        pretest: Whether pairs that share no edge are skipped; False tests them all, slowly, with the same result.
        repeat: Whether the elements are decomposed again until their number no longer falls.
        solid: True gives convex parts whose union contains the solid of a closed mesh, proved, instead of elements of
            its surface; `eps` and `negative` must then be omitted.
        excess: With solid=True: how far a point of a part may be from the solid [m]; holes of a larger radius stay
            open. None: 3 % of the diagonal of the box around the mesh, or what `max_parts` needs.
        max_parts: With solid=True: maximum number of parts; the allowed excess grows until they suffice.
        max_vertices: With solid=True: maximum number of vertices of a part, at least 8; parts grow for it, and
            `excess_of` bounds how far.

    Returns:
        A `Decomposition`, a sequence of `Element`; with solid=True `ConvexParts`, a sequence of parts with poses.

    Raises:
        ArgumentError: It is not a mesh, a number is invalid, or `excess` needs more than `max_parts`.
        MeshError: The mesh is too small; with solid=True, it is open.

    Examples:
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
        from keepclear.geometry.decomposition.convex_parts import build_convex_parts

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
    bare_surface(shape)  # refuses a mesh that is too small
    accepted = None if eps is None else checked_length("eps", eps)
    if negative is not None:
        checked_flag("negative", negative)
    options = checked_flag("pretest", pretest), checked_flag("repeat", repeat)
    surface = welded_surface(shape, accepted)
    settings = Settings(surface.eps, *options)
    faces = find_flat_faces(surface)
    return _described(shape, surface, faces, merged_elements(faces, settings, negative))


def _described(mesh: Mesh, surface: Surface, faces: FlatFaces, elements: Elements) -> Decomposition:
    """Return the elements of faces in the order of their first triangles, with certified defects."""
    order, element_of = in_order(elements.element_of[faces.face_of], len(elements.signs))
    return Decomposition(
        mesh, surface.eps, read_only(elements.signs[order]), read_only(elements.heights[order] + rounding_of(surface)),
        read_only(element_of), faces.n_borders, elements.tests, surface.triangles, faces.face_of, surface.seam,
    )  # fmt: skip
