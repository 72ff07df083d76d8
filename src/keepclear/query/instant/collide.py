"""Whether two bodies intersect at given poses, and which of their faces do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeGuard, cast, overload
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, shown
from keepclear.errors import ArgumentError
from keepclear.geometry.bodies.body import Geometry, Parts, as_geometry, has_parts, has_triangles, shape_of
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.shapes.shape import Shape
from keepclear.geometry.shapes.table import SHAPE_TABLE
from keepclear.geometry.trees.trees import OBBTree, Tree, Using, trees_of
from keepclear.kinds import SPHERE_TREES
from keepclear.query.batches import checked_threads, in_pieces
from keepclear.query.instant.distance import distance
from keepclear.query.instant.pair_search import PairSearch, collide_at_one_pose
from keepclear.results import Collision, Contacts, Distance, State

if TYPE_CHECKING:
    from keepclear.geometry.spheres.tree import SphereTree
    from keepclear.query.instant.sphere_results import SphereCollision

__all__ = ["collide"]

Find = Literal["any", "all"]
_FLOAT64 = np.dtype(np.float64)
_SPHERE_TREES = SPHERE_TREES.classes


@overload
def collide(
    a: Geometry | Parts,
    X_WA: npt.ArrayLike,
    b: Geometry | Parts,
    X_WB: npt.ArrayLike,
    find: Find = "any",
    *,
    using: Using | None = None,
    threads: int = 1,
) -> Collision: ...
@overload
def collide(
    a: SphereTree,
    X_WA: npt.ArrayLike,
    b: SphereTree,
    X_WB: npt.ArrayLike,
    find: Find = "any",
    *,
    margin: float = 0.0,
    trace: bool = False,
    threads: int = 1,
) -> SphereCollision: ...
def collide(
    a: Any,
    X_WA: npt.ArrayLike,
    b: Any,
    X_WB: npt.ArrayLike,
    find: Find = "any",
    *,
    using: Using | None = None,
    threads: int = 1,
    margin: float = 0.0,
    trace: bool = False,
) -> Collision | SphereCollision:
    """Return whether two bodies intersect, and which faces do; exact for meshes.

    Touching is contact, and so is a body entirely inside a solid. Of a mesh that is not closed only the surface counts;
    `Collision.solid` gives which of the two are solids.

    Args:
        a: A shape, the tree of a mesh (`kc.build_obb_tree`, `kc.build_box_tree`), or a compound `[(shape, X), ...]`:
            then `parts` of the answer gives the parts to which the pairs of faces belong.
            Two sphere trees (`kc.build_sphere_tree`) answer for the shapes that they cover, with a `SphereCollision`.
        X_WA: Its pose in the world, (4, 4), or poses (n, 4, 4); between meshes a pose may include a uniform scale.
        b: The other body.
        X_WB: Its pose or poses. A single pose is repeated.
        find: "any" stops at the first pair of faces that intersects; "all" finds every pair.
        using: "obb_tree" (fast) or "box_tree" (small); None chooses, and `Collision.using` gives the choice.
        threads: How many threads share a batch; the answers do not depend on it.
        margin: For sphere trees: bodies count as touching if two of their smallest spheres are within this distance
            [m].
        trace: For sphere trees: whether the tests of spheres are recorded.

    Examples:
        Two unit cubes, one rotated by 45 degrees and pushed into the other edge first:
        >>> import keepclear as kc
        >>> corners = [[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]
        >>> faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
        >>> cube = kc.Mesh(corners, faces)
        >>> X_WB = np.eye(4)
        >>> X_WB[:2, :2] = np.array([[1.0, -1.0], [1.0, 1.0]]) / np.sqrt(2.0)
        >>> X_WB[:3, 3] = 1.5, 0.0, 0.5
        >>> contact = kc.collide(cube, np.eye(4), cube, X_WB, find="all")
        >>> contact.colliding, contact.state.name, len(contact.pairs)
        (True, 'INTERFERING', 5)
    """
    if find not in ("any", "all"):
        raise ArgumentError(f"find must be 'any' or 'all', but it is {shown(find)}.")
    threads = checked_threads(threads)
    if type(a) in _SPHERE_TREES or type(b) in _SPHERE_TREES:
        from keepclear.query.instant.sphere_search import sphere_collide

        if using is not None:
            raise ArgumentError(f"using={shown(using)} is for meshes; leave it out with sphere trees.")
        return sphere_collide(a, X_WA, b, X_WB, find, margin, trace, threads)
    if trace is not False or (margin != 0.0) is not False:
        raise ArgumentError(
            "margin and trace are for two sphere trees (kc.build_sphere_tree); for shapes compare "
            "kc.distance(...).lower with a margin."
        )
    if type(a) is type(b) is Mesh:  # calls in loops: nothing to convert
        return _collide_trees(a, X_WA, b, X_WB, find, using, threads)
    if has_parts(a, b):
        from keepclear.query.instant.compound import compound_collide

        return compound_collide(a, X_WA, b, X_WB, find, using, threads)
    body_a, body_b = as_geometry(a), as_geometry(b)
    if not (has_triangles(body_a) or has_triangles(body_b)) and find == "any":
        return _by_distance(body_a, X_WA, body_b, X_WB, threads, using)
    mesh_a, mesh_b = faces_of(body_a), faces_of(body_b)
    if mesh_a is None or mesh_b is None:
        if find == "any":
            return _by_distance(body_a, X_WA, body_b, X_WB, threads, using)
        curved = body_a if mesh_a is None else body_b
        raise ArgumentError(
            f"find='all' lists faces that intersect, but {curved!r} has none; use find='any', or give it as a kc.Mesh."
        )
    return _collide_trees(mesh_a, X_WA, mesh_b, X_WB, find, using, threads)


def _collide_trees(
    a: Mesh | Tree,
    X_WA: npt.ArrayLike,
    b: Mesh | Tree,
    X_WB: npt.ArrayLike,
    find: Find,
    using: Using | None,
    threads: int,
) -> Collision:
    """Return whether two meshes intersect, by trees of one kind."""
    tree_a, tree_b = trees_of(a, b, using)
    if find == "any" and _is_pose(X_WA) and _is_pose(X_WB) and type(tree_a) is OBBTree:
        return collide_at_one_pose(tree_a, X_WA, tree_b, X_WB)
    return _search(PairSearch(tree_a, X_WA, tree_b, X_WB, find), threads)


def _is_pose(X: npt.ArrayLike) -> TypeGuard[FloatArray]:
    return type(X) is np.ndarray and X.shape == (4, 4) and X.dtype == _FLOAT64


def _search(search: PairSearch, threads: int) -> Collision:
    if threads < 2 or search.n_poses < 2:
        return search.run_to_end().result()
    found = {}

    def piece(first: int, last: int) -> None:
        found[first] = search.part(first, last).run_to_end().hits()
        found[first][:, 0] += first

    in_pieces(search.n_poses, threads, piece)
    return search.result(np.concatenate([found[first] for first in sorted(found)]))


def _by_distance(
    a: Geometry, X_WA: npt.ArrayLike, b: Geometry, X_WB: npt.ArrayLike, threads: int, using: object
) -> Collision:
    """Return the result for bodies without faces by their distance; contact is a distance not proved positive."""
    if using is not None:
        raise ArgumentError(f"using={shown(using)} needs two bodies with faces; leave it out here.")
    answer: Distance = distance(a, X_WA, b, X_WB, threads=threads)
    colliding = np.atleast_1d(answer.colliding)
    state = np.where(np.atleast_1d(answer.state) == State.CONTAINED, State.CONTAINED, State.INTERFERING)
    nothing = Contacts(np.empty((0, 2, 3)), np.empty(0, bool), {})
    return Collision(
        np.where(colliding, state, State.SEPARATE).astype(np.int8),
        np.zeros(len(colliding) + 1, np.int64),
        np.empty((0, 2), np.int64),
        nothing,
        single=np.ndim(answer.distance) == 0,
        find="any",
        using="distance",
        solid=(shape_of(a).is_solid, shape_of(b).is_solid),
    )


_hulls: WeakKeyDictionary[Shape, Mesh] = WeakKeyDictionary()


def faces_of(body: Geometry) -> Mesh | Tree | None:
    """Return a body with faces as a mesh or tree; None for curved bodies and flat hulls."""
    if has_triangles(body):
        return cast(Mesh | Tree, body)
    assert isinstance(body, Shape)
    mesh = _hulls.get(body)
    if mesh is None:
        found = SHAPE_TABLE[body].triangles(body)
        if found is None:
            return None
        mesh = _hulls[body] = Mesh(*found)
    return mesh
