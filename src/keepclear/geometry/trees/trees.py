"""Trees of boxes over meshes: two kinds of them, built when they are first needed and kept beside the mesh.

Those of large meshes are also stored on disk.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Literal, Self, cast

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, IndexArray, shown
from keepclear.errors import ArgumentError
from keepclear.geometry.shapes.mesh import Mesh, as_shape
from keepclear.geometry.storage.cache import is_worth_keeping, mesh_digest, read_entry, write_entry
from keepclear.geometry.trees.surface import Surface, bare_surface, surface_of_mesh
from keepclear.kernels.box_trees import cuts
from keepclear.kernels.box_trees import tree as box_tree
from keepclear.kernels.tables import surface as layout
from keepclear.kernels.trees import obb_tree
from keepclear.kinds import TREES

__all__ = ["BoxTree", "OBBTree", "build_box_tree", "build_obb_tree"]

Nodes = npt.NDArray[np.float32]
Using = Literal["obb_tree", "box_tree"]

KINDS = ("obb_tree", "box_tree")
TREE_VERSION = {"obb_tree": 1, "box_tree": 1}
"""Versions of the builders and of the layouts of nodes; trees of other versions are built again."""
# Meshes with more triangles than this get a BoxTree unless another kind is requested: their oriented boxes would take
# 640 MB, a BoxTree takes a fifth.
LARGE = 5_000_000
# Meshes with at least this part of their surface across the axes of their frame, as machined parts have, are searched
# faster in BoxTrees: 3 to 4 times on parts with 3/4 (`python -m benchmarks box_tree`), half as fast with none.
ALIGNED = 0.5
SIZES = slice(layout.ORIGIN, layout.ROOT_HALF + 3)  # entries of the header of a surface


class MeshTree(ABC):
    """A tree of boxes over the triangles of a mesh; it never changes, and stores only its boxes."""

    __slots__ = ("__weakref__", "_arrays", "_mesh", "_nodes")

    kind: ClassVar[str]

    def __init__(self, mesh: Mesh, nodes: Nodes) -> None:
        self._mesh, self._nodes = mesh, nodes
        self._arrays: tuple[FloatArray, IndexArray, Nodes, IndexArray] | None = None

    @property
    def mesh(self) -> Mesh:
        """The mesh whose triangles are in the leaves."""
        return self._mesh

    @property
    @abstractmethod
    def n_nodes(self) -> int:
        """Number of boxes."""

    @property
    def nbytes(self) -> int:
        """Memory of the boxes [bytes]; vertices and triangles are the mesh's."""
        return int(self._nodes.nbytes)

    @property
    def surface(self) -> Surface:
        """The arrays of the mesh, with the data for tests of its inside; computed on first use."""
        return surface_of_mesh(self._mesh)

    @property
    def arrays(self) -> tuple[FloatArray, IndexArray, Nodes, IndexArray]:
        """Surface and nodes in the form of kernels; the nodes twice, as numbers and as links."""
        if self._arrays is None:
            self._arrays = *self.surface, self._nodes, self._nodes.view(np.int32)
        return self._arrays

    def refit(self, vertices: npt.ArrayLike) -> Self:
        """Return a tree of the same triangles with moved vertices, its boxes refitted without sorting.

        Its results are as exact as those of a new tree. It is slower to search if neighbours have moved apart.

        Args:
            vertices: New positions of all vertices, (n, 3) [m].
        """
        return self._refitted(self._mesh._with_vertices(vertices))

    @abstractmethod
    def _refitted(self, mesh: Mesh) -> Self:
        """Return this tree over a mesh of the same triangles."""

    def __reduce__(self) -> Any:
        return type(self), (self._mesh, self._nodes)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.n_nodes} boxes, {self.nbytes} bytes, {self._mesh!r})"


@TREES.register
class OBBTree(MeshTree):
    """A hierarchy of oriented boxes around the parts of a mesh, down to single triangles; from `kc.build_obb_tree`.

    64 bytes per box, 128 per triangle. `kc.collide` and `kc.distance` accept it in place of its mesh.
    """

    kind = "obb_tree"
    __slots__ = ()

    @property
    def n_nodes(self) -> int:
        """Number of boxes: 2 n - 1 for n triangles."""
        return len(self._nodes) // obb_tree.NODE

    def _refitted(self, mesh: Mesh) -> Self:
        nodes, n = self._nodes.copy(), len(mesh._triangles)
        before, after = bare_surface(self._mesh), bare_surface(mesh)
        is_moved = np.ones(n, np.uint8)
        if np.array_equal(before.reals[SIZES], after.reals[SIZES]):  # the unit of boxes
            has_moved = (self._mesh._vertices != mesh._vertices).any(axis=1)
            is_moved = has_moved[mesh._triangles].any(axis=1).astype(np.uint8)
        scratch: tuple[Any, ...] = (*_obb_arrays(n, nodes), is_moved, np.empty(n + 1, np.int32))
        obb_tree.refit(*after, *scratch)
        return type(self)(mesh, nodes)


def build_obb_tree(mesh: Mesh) -> OBBTree:
    """Return the tree of oriented boxes of a mesh.

    Args:
        mesh: A `kc.Mesh`, or a `trimesh.Trimesh`.

    Examples:
        >>> import keepclear as kc
        >>> tree = kc.build_obb_tree(kc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1, 2], [0, 1, 3]]))
        >>> tree.n_nodes, tree.nbytes
        (3, 192)
    """
    shape = _mesh_to_build_for("build_obb_tree", mesh)
    n = len(shape._triangles)
    nodes = np.empty(obb_tree.NODE * (2 * n - 1), np.float32)
    obb_tree.build(*bare_surface(shape), *_obb_arrays(n, nodes))
    return OBBTree(shape, nodes)


def _obb_arrays(n: int, nodes: Nodes) -> tuple[Any, ...]:
    """Return the arguments of kernels after the surface: the nodes, and scratch for n triangles."""
    return np.empty(n, np.int32), nodes, nodes.view(np.int32), np.empty(obb_tree.STACK, np.int64), np.empty(9)


@TREES.register
class BoxTree(MeshTree):
    """A hierarchy of axis-aligned boxes around the parts of a mesh, down to single triangles; from `kc.build_box_tree`.

    All boxes have the axes of the mesh's frame. Each is its parent shortened along one axis, and only that cut
    is stored: 12 bytes per box, at most 32 bytes per triangle. `kc.collide` accepts the tree in place of its mesh.
    """

    kind = "box_tree"
    __slots__ = ()

    @property
    def n_nodes(self) -> int:
        """Number of boxes: 2 n - 1 for n triangles, and one for each additional cut that pays."""
        return len(self._nodes) // box_tree.NODE - 1

    @property
    def depth(self) -> int:
        """Number of boxes on the longest path from the root to a leaf."""
        return int(self._nodes[-box_tree.NODE :].view(np.int32)[0])

    def _refitted(self, mesh: Mesh) -> Self:
        surface, nodes = bare_surface(mesh), self._nodes.copy()
        order, triangles, scratch = _box_scratch(len(mesh._triangles))
        boxes = np.empty(12 * self.n_nodes)
        box_tree.refit(*surface, order, nodes, nodes.view(np.int32), triangles, boxes, scratch)
        return type(self)(mesh, nodes)


def build_box_tree(mesh: Mesh) -> BoxTree:
    """Return the tree of axis-aligned boxes of a mesh.

    Args:
        mesh: A `kc.Mesh`, or a `trimesh.Trimesh`.

    Raises:
        ArgumentError: It is not a mesh, or has more than 100 million triangles.

    Examples:
        >>> import keepclear as kc
        >>> tree = kc.build_box_tree(kc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1, 2], [0, 1, 3]]))
        >>> tree.n_nodes, tree.nbytes
        (3, 48)
    """
    shape = _mesh_to_build_for("build_box_tree", mesh)
    surface, n = bare_surface(shape), len(shape._triangles)
    if 8 * n > 3 * box_tree.MOST_NODES:
        most = 3 * box_tree.MOST_NODES // 8
        raise ArgumentError(
            f"build_box_tree takes at most {most} triangles, but the mesh has {n}; cut it in parts."
        )
    order, triangles, scratch = _box_scratch(n)
    nodes = np.empty(8 * n, np.float32)
    n_nodes = box_tree.build(*surface, order, nodes, nodes.view(np.int32), triangles, scratch)
    return BoxTree(shape, nodes[: box_tree.NODE * (n_nodes + 1)].copy())


def _box_scratch(n: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    return np.empty(n, np.int32), np.empty(cuts.TRIANGLE * n), np.empty(box_tree.SCRATCH)


def _mesh_to_build_for(builder: str, mesh: object) -> Mesh:
    """Return the mesh that a builder was given, or raise an `ArgumentError`."""
    shape = as_shape(mesh)
    if not isinstance(shape, Mesh):
        raise ArgumentError(f"{builder} takes a kc.Mesh, but it was given {shown(mesh)}.")
    return shape


Tree = OBBTree | BoxTree


def checked_using(using: object) -> Using | None:
    """Return the requested kind of tree, None for none, or raise an `ArgumentError`."""
    if using is not None and not (isinstance(using, str) and using in KINDS):
        raise ArgumentError(f"using must be None, 'obb_tree' or 'box_tree', but it is {shown(using)}.")
    return cast("Using | None", using)


class Trees:
    """The structures that have been built for a mesh so far."""

    __slots__ = (*KINDS, "aligned", "hull_faces", "outer_solid")

    obb_tree: OBBTree | None
    box_tree: BoxTree | None
    aligned: float | None
    hull_faces: Any  # `HullFaces` of `virtuality.py`
    outer_solid: Any  # outlines of `outer_solid.py`

    def __init__(self) -> None:
        self.obb_tree = self.box_tree = self.aligned = self.hull_faces = self.outer_solid = None


def tree_of(mesh: Mesh, using: Using) -> Tree:
    """Return the tree of a mesh; it is built on first use, and concurrent threads get the same tree."""
    trees = kept_trees(mesh)
    found: Tree | None = getattr(trees, using)
    if found is None:
        with mesh._lock:
            found = getattr(trees, using)
            if found is None:
                found = _recalled(mesh, using) if is_worth_keeping(mesh) else _built(mesh, using)
                setattr(trees, using, found)
    return found


def _built(mesh: Mesh, using: Using) -> Tree:
    return build_obb_tree(mesh) if using == "obb_tree" else build_box_tree(mesh)


def tree_of_nodes(mesh: Mesh, using: str, nodes: Nodes) -> Tree:
    """Return the tree of a kind over a mesh that has these nodes."""
    return OBBTree(mesh, nodes) if using == "obb_tree" else BoxTree(mesh, nodes)


def _recalled(mesh: Mesh, using: Using) -> Tree:
    """Return the tree that is stored in the cache, or a new one, which is then stored."""
    key = using, TREE_VERSION[using], mesh_digest(mesh)
    stored = read_entry(*key)
    if stored is not None:
        return tree_of_nodes(mesh, using, stored["nodes"])
    tree = _built(mesh, using)
    write_entry(*key, {"nodes": tree._nodes})
    return tree


def keep_tree(mesh: Mesh, tree: Tree) -> None:
    """Set the tree of its kind that searches of a mesh use."""
    with mesh._lock:
        setattr(kept_trees(mesh), tree.kind, tree)


def kept_trees(mesh: Mesh) -> Trees:
    """Return the structures that are kept with a mesh."""
    trees: Trees | None = mesh._packed
    if trees is None:
        with mesh._lock:
            trees = mesh._packed
            if trees is None:
                trees = mesh._packed = Trees()
    return trees


def aligned_part(mesh: Mesh) -> float:
    """Return the part of a mesh's area that is perpendicular to an axis of its frame, to within 2.6 degrees."""
    trees = kept_trees(mesh)
    if trees.aligned is None:
        a, b, c = (mesh._vertices[mesh._triangles[:, i]] for i in range(3))
        normals = np.abs(np.cross(b - a, c - a))
        areas = np.sqrt(np.einsum("ij,ij->i", normals, normals))
        total = float(areas.sum())
        trees.aligned = (
            float(areas[normals.max(axis=1) >= 0.999 * areas].sum()) / total if total > 0.0 else 0.0
        )
    return trees.aligned


def trees_of(a: Mesh | Tree, b: Mesh | Tree, using: Using | None) -> tuple[Tree, Tree]:
    """Return two trees of one kind: the requested kind, that of a given tree, or the better one.

    Raises:
        ArgumentError: A given tree has another kind than the requested one, or two trees differ in kind.
    """
    if using is None and isinstance(a, Mesh) and isinstance(b, Mesh):
        best = _best_kind(a, b)
        return tree_of(a, best), tree_of(b, best)
    checked_using(using)
    given = {body.kind for body in (a, b) if not isinstance(body, Mesh)}
    if using is not None:
        given.add(using)
    if len(given) > 1:
        raise ArgumentError(
            "an OBBTree and a BoxTree cannot be searched together; give two trees of one kind (kc.build_obb_tree, "
            "kc.build_box_tree), or a mesh beside a tree, and leave `using` out."
        )
    kind: Any = given.pop()
    return (
        tree_of(a, kind) if isinstance(a, Mesh) else a,
        tree_of(b, kind) if isinstance(b, Mesh) else b,
    )


def likely_kinds(mesh: Mesh) -> tuple[Using, ...]:
    """Return the kinds of trees that queries about a mesh use, as far as the mesh itself decides."""
    if len(mesh._triangles) > LARGE:
        return ("box_tree",)
    return ("obb_tree", "box_tree") if aligned_part(mesh) >= ALIGNED else ("obb_tree",)


def _best_kind(a: Mesh, b: Mesh) -> Using:
    """Return the kind of tree for meshes: BoxTrees for very large ones and for those with faces along their axes."""
    if len(a._triangles) > LARGE or len(b._triangles) > LARGE:
        return "box_tree"
    return "box_tree" if aligned_part(a) >= ALIGNED and aligned_part(b) >= ALIGNED else "obb_tree"
