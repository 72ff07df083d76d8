"""The trees of a mesh, built when they are first needed and kept beside it."""

from __future__ import annotations

from typing import Any, Literal

from keepclear.errors import ArgumentError
from keepclear.preprocess.box_tree import BoxTree, build_box_tree
from keepclear.preprocess.obb_tree import OBBTree, build_obb_tree
from keepclear.shapes.arguments import shown
from keepclear.shapes.mesh import Mesh

Tree = OBBTree | BoxTree
Using = Literal["obb_tree", "box_tree"]

KINDS = ("obb_tree", "box_tree")
# Meshes with more triangles than this get a BoxTree unless something else is asked for: their oriented boxes would
# take 640 MB, a BoxTree takes a fifth.
LARGE = 5_000_000


class Trees:
    """What has been built for a mesh so far."""

    __slots__ = KINDS

    obb_tree: OBBTree | None
    box_tree: BoxTree | None

    def __init__(self) -> None:
        self.obb_tree = self.box_tree = None


def tree_of(mesh: Mesh, using: Using) -> Tree:
    """Return the tree of a mesh, from its own slot when it is there."""
    if mesh._packed is None:
        mesh._packed = Trees()
    trees: Any = mesh._packed
    if getattr(trees, using) is None:
        setattr(trees, using, build_obb_tree(mesh) if using == "obb_tree" else build_box_tree(mesh))
    tree: Tree = getattr(trees, using)
    return tree


def trees_of(a: Mesh | Tree, b: Mesh | Tree, using: Using | None) -> tuple[Tree, Tree]:
    """Return two trees of one kind: the kind that is asked for, that of a tree that is given, or the faster one.

    Raises:
        ArgumentError: What is given is of another kind than what is asked for, or of two kinds.
    """
    if using is not None and using not in KINDS:
        raise ArgumentError(f"using must be 'obb_tree', 'box_tree' or None, but it is {shown(using)}.")
    given = {body.kind for body in (a, b) if not isinstance(body, Mesh)}
    if using is not None:
        given.add(using)
    if len(given) > 1:
        raise ArgumentError(
            "an OBBTree and a BoxTree cannot be searched together; give two trees of one kind (kc.build_obb_tree, "
            "kc.build_box_tree), or a mesh beside a tree, and leave `using` out."
        )
    kind: Any = given.pop() if given else ("box_tree" if max(_size(a), _size(b)) > LARGE else "obb_tree")
    return (
        tree_of(a, kind) if isinstance(a, Mesh) else a,
        tree_of(b, kind) if isinstance(b, Mesh) else b,
    )


def _size(body: Mesh | Tree) -> int:
    mesh = body if isinstance(body, Mesh) else body.mesh
    return len(mesh._triangles)
