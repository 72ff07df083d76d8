"""Prepared models: a shape with everything built that later queries need, in memory or in one file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Self, cast

import numpy.typing as npt

from keepclear import __version__
from keepclear.checks import checked_flag, checked_path, shown
from keepclear.errors import ArgumentError, PreparedFileError, ShapeError
from keepclear.files.access import read_named_file, write_named_file
from keepclear.geometry.decomposition.decomposition import Decomposition, decompose
from keepclear.geometry.decomposition.element_refit import refitted_elements
from keepclear.geometry.hulls import build
from keepclear.geometry.hulls.faces import hull_faces_of
from keepclear.geometry.models.sections import SECTIONS, Model
from keepclear.geometry.shapes.convex import Convex
from keepclear.geometry.shapes.mesh import Mesh, as_shape
from keepclear.geometry.shapes.packed_hull import pack_hull
from keepclear.geometry.shapes.shape import Shape
from keepclear.geometry.shapes.table import shape_from, shape_values
from keepclear.geometry.spheres.tree import SphereTree, build_sphere_tree
from keepclear.geometry.spheres.tree_refit import refitted_sphere_tree
from keepclear.geometry.storage import section_file
from keepclear.geometry.storage.section_file import Array, FileDamage
from keepclear.geometry.trees import trees
from keepclear.geometry.trees.surface import surface_of_mesh
from keepclear.kinds import PREPARED
from keepclear.unchanging import Unchanging

__all__ = ["Prepared", "prepare", "read_prepared", "write_prepared"]

SHAPE = "shape"  # prefix of the sections of the shape itself


@PREPARED.register
class Prepared(Unchanging):
    """A shape with the trees and the hull that queries need; `kc.prepare` and `kc.read_prepared` make it.

    It is accepted wherever its shape is, with the same answers. Immutable.
    """

    __slots__ = ("__weakref__", "_model")

    _instead = "prepare another shape"
    _model: Model

    def __init__(self) -> None:
        raise TypeError("a Prepared is made by kc.prepare(shape) or kc.read_prepared(path).")

    @classmethod
    def _of(cls, model: Model) -> Self:
        prepared = object.__new__(cls)
        prepared._fill(_model=model)
        return prepared

    @property
    def shape(self) -> Shape:
        """The shape that was prepared."""
        return self._model.shape

    @property
    def elements(self) -> Decomposition | None:
        """The convex elements of a mesh, None if they were not built."""
        return self._model.elements

    @property
    def sphere_tree(self) -> SphereTree | None:
        """The sphere tree of the shape, None if it was not built."""
        return self._model.sphere_tree

    def to_html(self, path: str | os.PathLike[str] | None = None, *, title: str = "") -> str:
        """Return the page of the elements of a mesh, and write it to a file if a path is given.

        Without elements the mesh is decomposed with the default tolerance. See `kc.Decomposition.to_html`.

        Raises:
            ArgumentError: The shape is not a mesh.
        """
        from keepclear.report.pages.element_page import page_of_elements

        return page_of_elements(self, path, title=title)

    @property
    def _packed(self) -> Any:
        return self.shape._packed

    def refit(self, vertices: npt.ArrayLike) -> Self:
        """Return the model of the same faces with moved vertices, for a body that deforms.

        Only the changed parts are prepared again. Boxes are fitted to the triangles that have moved. The hull stays
        while none of its vertices has moved and all others are inside. Elements without a moved vertex stay; the others
        are certified again, and divided where they are no longer convex within their tolerance. Cells of the sphere
        tree that no moved triangle touches stay. Answers are those of a newly prepared model.

        Args:
            vertices: New positions of all vertices of the mesh, (n, 3) [m].

        Raises:
            ArgumentError: The shape is not a mesh.
            MeshError: The array has a wrong shape, or a number in it is not finite.

        Examples:
            >>> import numpy as np
            >>> import keepclear as kc
            >>> V = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
            >>> F = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
            >>> cube = kc.prepare(kc.Mesh(V, F), elements=True)
            >>> taller = cube.refit(V * [1, 1, 3])
            >>> taller.shape.volume, len(taller.elements)
            (3.0, 1)
        """
        shape = self.shape
        if not isinstance(shape, Mesh):
            raise ArgumentError(f"refit: {shape!r} has no vertices to move; prepare and refit a kc.Mesh.")
        mesh = _refitted_mesh(shape, vertices)
        elements, spheres = self.elements, self.sphere_tree
        return self._of(
            Model(
                mesh,
                None if elements is None else refitted_elements(elements, mesh),
                None if spheres is None else refitted_sphere_tree(spheres, mesh),
            )
        )

    @property
    def sections(self) -> dict[str, int]:
        """The content of a file of this model: the names of its sections, with their bytes."""
        _, arrays = _content(self._model)
        found: dict[str, int] = {}
        for name, array in arrays.items():
            section = name.partition("/")[0]
            found[section] = found.get(section, 0) + array.nbytes
        return found

    def __reduce__(self) -> Any:
        return _decoded, (_encoded(self),)

    def __repr__(self) -> str:
        return f"Prepared({self.shape!r})"


def prepare(
    shape: Shape | Prepared,
    *,
    trees: Sequence[trees.Using] | None = None,
    hull: bool = True,
    elements: bool | Decomposition = False,
    sphere_tree: float | SphereTree | None = None,
) -> Prepared:
    """Return a shape with everything built that later queries need, so that each of them starts at once.

    For a mesh this is whether it is closed, its trees of boxes and its convex hull with the graph of its surface; for a
    `kc.Convex` it is the graph. Primitives need nothing.

    Args:
        shape: A shape, or a `trimesh.Trimesh`.
        trees: The trees of a mesh: "obb_tree", "box_tree", both or an empty list. None: those that queries use, which
            are oriented boxes, and axis-aligned ones where these are faster or the mesh is very large.
        hull: Whether to build the convex hull, which worlds query before triangles, and to find which of its faces are
            faces of the mesh.
        elements: Whether to decompose a mesh into convex elements, by `kc.decompose` with its default tolerance; or
            elements of this mesh, with another tolerance.
        sphere_tree: The accuracy of a sphere tree [m], for `kc.build_sphere_tree` with its default ratio; or a sphere
            tree of this shape, with another ratio.

    Raises:
        ArgumentError: It is not a shape, there is no such tree, or elements or spheres are those of another shape.

    Examples:
        >>> import numpy as np
        >>> import keepclear as kc
        >>> corners = [[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]
        >>> part = kc.prepare(kc.Convex(corners))
        >>> part
        Prepared(Convex(8 vertices, 6 faces, size 1 x 1 x 1 m))
        >>> kc.distance(part, np.eye(4), kc.Sphere(0.5), np.eye(4)).colliding
        True
    """
    given: object = shape
    if isinstance(given, list | tuple):
        raise ArgumentError(
            f"prepare takes one shape, but it was given a {type(given).__name__} of {len(given)} parts; prepare each, "
            "[(kc.prepare(part), X) for part, X in parts], and pass that list as the body. "
            "The parts of kc.decompose(mesh, solid=True) are written to a file by parts.write_obj(path)."
        )
    known = as_shape(shape)
    wanted = _checked_trees(trees)
    wants_hull = checked_flag("hull", hull)
    model = Model(known)
    if elements is not False:
        model.elements = _elements_of(known, elements)
    if isinstance(known, Mesh):
        _prepare_mesh(known, wanted, wants_hull)
    elif isinstance(known, Convex):
        pack_hull(known)
    if sphere_tree is not None:
        model.sphere_tree = _sphere_tree_of(known, sphere_tree)
    return Prepared._of(model)


def _elements_of(shape: Shape, elements: object) -> Decomposition:
    """Return the elements for a model."""
    if elements is True:
        return decompose(cast(Mesh, shape))
    if not isinstance(elements, Decomposition) or elements.mesh != shape:
        raise ArgumentError(
            "prepare: elements must be True, False or what kc.decompose(mesh) returns for this mesh, but it is "
            f"{shown(elements)}."
        )
    return elements


def _sphere_tree_of(shape: Shape, tree: object) -> SphereTree:
    """Return the sphere tree for a model."""
    if not isinstance(tree, SphereTree):
        return build_sphere_tree(shape, cast(float, tree))
    if tree.shape != shape:
        raise ArgumentError(f"prepare: sphere_tree covers another shape: {tree.shape!r}, not {shape!r}.")
    return tree


def _checked_trees(kinds: object) -> tuple[trees.Using, ...] | None:
    if kinds is None:
        return None
    if (
        isinstance(kinds, str)
        or not isinstance(kinds, Sequence)
        or any(kind not in trees.KINDS for kind in kinds)
    ):
        raise ArgumentError(
            f"prepare: trees must be a list of 'obb_tree' and 'box_tree', or None, but it is {shown(kinds)}."
        )
    return tuple(kinds)


def _prepare_mesh(mesh: Mesh, wanted: tuple[trees.Using, ...] | None, wants_hull: bool) -> None:
    surface_of_mesh(mesh)
    _ = mesh.is_solid
    trees.aligned_part(mesh)
    for kind in trees.likely_kinds(mesh) if wanted is None else wanted:
        trees.tree_of(mesh, kind)
    found = build.hull_of(mesh) if wants_hull else None
    if found is not None:
        pack_hull(found)
        hull_faces_of(mesh)


def _refitted_mesh(mesh: Mesh, vertices: npt.ArrayLike) -> Mesh:
    """Return a mesh of the same triangles with moved vertices, and with the updated structures of the mesh before.

    Boxes of trees are fitted to triangles that have moved; the order of triangles in them stays. The hull stays if no
    vertex of it has moved and no other has left it. Whether the mesh is closed depends on positions, so it is
    determined again.

    Raises:
        MeshError: The array has another shape, or a number in it is not finite.
    """
    moved = mesh._with_vertices(vertices)
    before, after = trees.kept_trees(mesh), trees.kept_trees(moved)
    surface_of_mesh(moved)
    after.aligned = before.aligned  # it decides which tree is faster, and no answer
    for kind in trees.KINDS:
        tree = getattr(before, kind)
        if tree is not None:
            trees.keep_tree(moved, tree._refitted(moved))
    build.refit_hull(moved, mesh)
    hull = build.known_hull(moved)
    if hull is not None:
        pack_hull(hull)
    if before.hull_faces is not None:
        hull_faces_of(moved)
    return moved


def write_prepared(prepared: Prepared, path: str | os.PathLike[str]) -> None:
    """Write a prepared model to a file, whole or not at all.

    Args:
        prepared: From `kc.prepare`.
        path: The file; the usual extension is `.kcm`.

    Raises:
        ArgumentError: It is not a prepared model, or the path is invalid.
        PreparedFileError: The file cannot be written.
    """
    if prepared not in PREPARED:
        raise ArgumentError(
            f"write_prepared takes what kc.prepare returns, but it was given {shown(prepared)}."
        )
    file = checked_path("write_prepared", path)
    write_named_file(file, _encoded(prepared), f"prepared model '{file}'", PreparedFileError)


def read_prepared(path: str | os.PathLike[str]) -> Prepared:
    """Return the prepared model in a file, with everything in it proved against its shape, or built again.

    Reading takes a tenth of the time of preparing, or less; a sphere tree takes as long as before.

    Raises:
        FileMissingError: There is no such file.
        PreparedFileError: It is not a prepared model, is damaged or truncated, has another version, or its content is
            false for its shape.
        ArgumentError: It is not a path.

    Examples:
        >>> import keepclear as kc
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     kc.write_prepared(kc.prepare(kc.Box([1, 2, 3])), f"{folder}/box.kcm")
        ...     print(kc.read_prepared(f"{folder}/box.kcm"))
        Prepared(Box(size=(1.0, 2.0, 3.0)))
    """
    file = checked_path("read_prepared", path)
    data = read_named_file(file, "prepared model", PreparedFileError)
    try:
        return _decoded(data)
    except FileDamage as cause:
        raise PreparedFileError(f"prepared model '{file}' {cause}.") from cause


def _content(model: Model) -> tuple[dict[str, Any], dict[str, Array]]:
    """Return the values and the arrays of a model, the arrays as section/name."""
    values, own = shape_values(model.shape)
    arrays = {f"{SHAPE}/{name}": array for name, array in own.items()}
    builders = {}
    for name, section in SECTIONS.items():
        found = section.write(model)
        if found is not None:
            builders[name] = section.version
            arrays |= {f"{name}/{part}": array for part, array in found.items()}
    about = {"keepclear": __version__, SHAPE: values, "builders": builders}
    aligned = trees.kept_trees(model.shape).aligned if isinstance(model.shape, Mesh) else None
    return about | ({} if aligned is None else {"aligned": aligned}), arrays


def _encoded(prepared: Prepared) -> bytes:
    return section_file.encode(*_content(prepared._model))


def _decoded(data: bytes) -> Prepared:
    """Return the model in the bytes of a file, or raise `FileDamage`; nothing of a refused file is kept."""
    about, arrays = section_file.decode(data)
    grouped: dict[str, dict[str, Array]] = {}
    for name, array in arrays.items():
        owner, _, part = name.partition("/")
        grouped.setdefault(owner, {})[part] = array
    shape = shape_from(about.get(SHAPE), grouped.pop(SHAPE, {}))
    model = Model(shape)
    builders = about.get("builders")
    if not isinstance(builders, dict) or set(builders) != set(grouped):
        raise FileDamage("has other sections than its header lists; prepare it again")
    for name in grouped:
        if name not in SECTIONS:
            raise FileDamage(
                f"has a section {name[:40]!r} that is not known here; a newer version of keepclear wrote it"
            )
        if builders[name] != SECTIONS[name].version:
            raise FileDamage(
                f"has section {name!r} of version {shown(builders[name])}, and version {SECTIONS[name].version} is "
                "read here; prepare it again"
            )
        if SECTIONS[name].is_of_mesh and not isinstance(shape, Mesh):
            raise FileDamage(
                f"has the section {name!r}, which belongs to a mesh, for a {type(shape).__name__}"
            )
    try:
        for section, row in SECTIONS.items():
            if section in grouped:
                row.read(model, grouped[section])
    except ShapeError as cause:  # a mesh that is too small for boxes
        raise FileDamage(f"has a shape for which nothing can be built: {cause}") from cause
    if isinstance(shape, Mesh):
        if shape._solid and not shape._closed.is_closed:
            raise FileDamage("claims that its mesh is solid, but it is open")
        trees.kept_trees(shape).aligned = _aligned(about.get("aligned"))
    return Prepared._of(model)


def _aligned(part: object) -> float | None:
    """Return the part of a mesh's area that is perpendicular to an axis; it only decides which tree is faster."""
    if part is not None and not (isinstance(part, float | int) and 0.0 <= part <= 1.0):
        raise FileDamage("has a fraction of its area that is not from 0 to 1")
    return None if part is None else float(part)
