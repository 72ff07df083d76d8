"""Distance, closest points and penetration depth of two shapes, for one pair of poses or many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.geometry.bodies.body import (
    WITH_TRIANGLES,
    Geometry,
    Parts,
    as_geometry,
    has_parts,
    has_triangles,
)
from keepclear.geometry.pose import as_poses, refuse_pose
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.shapes.packed import IntArray, packed
from keepclear.geometry.shapes.shape import Shape
from keepclear.kernels.convex import epa, gjk
from keepclear.kinds import SPHERE_TREES
from keepclear.query.batches import batch_size, checked_threads, in_pieces
from keepclear.results import Distance

if TYPE_CHECKING:
    from keepclear.geometry.spheres.tree import SphereTree
    from keepclear.query.instant.sphere_results import SphereDistance

__all__ = ["distance"]

Arrays = tuple[FloatArray, IntArray, FloatArray, IntArray]

_ROOM = gjk.ROW + gjk.MEMORY
_empty = np.empty
_ndarray = np.ndarray
_new = object.__new__
_ROW = gjk.ROW
_distance_one = gjk.distance_one
_finish = epa.penetration_many


@overload
def distance(
    a: Geometry | Parts, X_WA: npt.ArrayLike, b: Geometry | Parts, X_WB: npt.ArrayLike, *, threads: int = 1
) -> Distance: ...
@overload
def distance(
    a: SphereTree, X_WA: npt.ArrayLike, b: SphereTree, X_WB: npt.ArrayLike, *, threads: int = 1
) -> SphereDistance: ...
def distance(
    a: Any, X_WA: npt.ArrayLike, b: Any, X_WB: npt.ArrayLike, *, threads: int = 1
) -> Distance | SphereDistance:
    """Return the signed distance of two shapes, with certified bounds, and their closest points.

    Args:
        a: A shape of any kind; the tree of a mesh; or a compound of them, `[(shape, X), ...]`, each part with its
            pose (4, 4) in the frame of the whole. Parts are not compounds themselves. Two sphere trees
            (`kc.build_sphere_tree`) give bounds, a `SphereDistance`.
        X_WA: Its pose in the world, (4, 4), or poses (n, 4, 4); between two meshes it may include a uniform scale.
        b: The other shape.
        X_WB: Its pose or poses. A single pose is repeated.
        threads: How many threads share a batch; the answers do not depend on it.

    Returns:
        A `Distance`: `distance`, certified `lower` and `upper`, `p_WA`, `p_WB`, `normal_W`, `colliding`, `state`. With
        a mesh it is the minimum distance of all triangles; bodies that intersect, or of which one is inside the other,
        have distance 0 and no depth. With a compound, `parts` gives the closest parts.

    Examples:
        >>> import keepclear as kc
        >>> X_WB = np.eye(4)
        >>> X_WB[0, 3] = 2.0
        >>> kc.distance(kc.Box([1, 1, 1]), np.eye(4), kc.Sphere(0.25), X_WB).distance
        1.25
    """
    if type(a) is Mesh and type(b) in WITH_TRIANGLES:
        # Checked first: an exception in the fast path of convex shapes would cost 4 us.
        from keepclear.query.instant.mesh_distance import mesh_distance

        return mesh_distance(a, X_WA, b, X_WB, threads)
    if threads == 1:
        try:
            if type(X_WA) is type(X_WB) is _ndarray and len(X_WB) == 4:
                # The fast path: further checks would cost as much as the query. The kernel refuses wrong types and bad
                # poses, but it would read what a masked array hides. Four poses cost an exception; `ndim` costs more.
                FA, IA = a._packed
                FB, IB = b._packed
                out = _empty(_ROOM)
                ended = _distance_one(FA, IA, FB, IB, X_WA, X_WB, out, False)
                if ended > 0:
                    _finish(FA, IA, FB, IB, X_WA[None], X_WB[None], out[:_ROW])
                if ended >= 0:
                    result = _new(Distance)  # its __init__ would cost 60 ns more
                    result._rows = out
                    return result
        except (TypeError, ValueError, AttributeError):
            pass
    if a in SPHERE_TREES or b in SPHERE_TREES:
        from keepclear.query.instant.sphere_search import sphere_distance

        return sphere_distance(a, X_WA, b, X_WB, threads)
    if has_parts(a, b):
        from keepclear.query.instant.compound import compound_distance

        return compound_distance(a, X_WA, b, X_WB, threads)
    body_a, body_b = as_geometry(a), as_geometry(b)
    if has_triangles(body_a) or has_triangles(body_b):
        from keepclear.query.instant.mesh_distance import mesh_distance

        return mesh_distance(body_a, X_WA, body_b, X_WB, threads)
    assert isinstance(body_a, Shape)
    assert isinstance(body_b, Shape)
    return _distance(body_a, X_WA, body_b, X_WB, threads)


def are_apart(a: Shape, X_WA: FloatArray, b: Shape, X_WB: FloatArray) -> bool:
    """Return whether a search of closest points proves two convex shapes apart; no depth is computed."""
    out = _empty(_ROOM)
    return _distance_one(*packed(a), *packed(b), X_WA, X_WB, out, False) == 0 and bool(out[gjk.LOWER] > 0.0)


def _distance(a: Shape, X_WA: object, b: Shape, X_WB: object, threads: int) -> Distance:
    """Return the result with every argument checked, for one pair of poses or many."""
    threads = checked_threads(threads)
    A, B = packed(a), packed(b)
    poses_a, single_a = as_poses(X_WA, "X_WA")
    poses_b, single_b = as_poses(X_WB, "X_WB")
    if single_a and single_b:
        out = _empty(_ROOM)
        run_one((*A, *B), poses_a, poses_b, out, tracked=False)
        return Distance(out)
    n = batch_size(len(poses_a), single_a, len(poses_b), single_b)
    rows = np.empty((n, gjk.ROW))
    if n:
        _run((*A, *B), poses_a, poses_b, rows, threads, (single_a, single_b))
    return Distance(rows)


def run_one(arrays: Arrays, X_WA: FloatArray, X_WB: FloatArray, out: FloatArray, tracked: bool) -> None:
    """Fill one row and its memory from (1, 4, 4) poses, or raise for a bad one."""
    ended = _distance_one(*arrays, X_WA[0], X_WB[0], out, tracked)
    if ended < 0:
        side, why = divmod(-ended - 1, 10)
        refuse_pose(("X_WA", "X_WB")[side], (X_WA, X_WB)[side], 0, why, single=True)
    if ended > 0:
        _finish(*arrays, X_WA, X_WB, out[:_ROW])


def _run(
    arrays: Arrays,
    X_WA: FloatArray,
    X_WB: FloatArray,
    rows: FloatArray,
    threads: int,
    single: tuple[bool, bool],
) -> None:
    """Fill the rows, in as many chunks as there are threads."""

    def piece(i: int, j: int) -> None:
        poses = (X_WA if single[0] else X_WA[i:j]), (X_WB if single[1] else X_WB[i:j])
        run_rows(arrays, *poses, rows[i:j], None, single, first=i)

    in_pieces(len(rows), threads, piece)


def run_rows(
    arrays: Arrays,
    X_WA: FloatArray,
    X_WB: FloatArray,
    rows: FloatArray,
    memory: FloatArray | None,
    single: tuple[bool, bool],
    first: int = 0,
) -> None:
    """Fill the rows of one chunk, distances, then depths where cores intersect; with a memory, frames are in order."""
    scratch = np.empty(gjk.MEMORY) if memory is None else memory
    ended = gjk.distance_many(*arrays, X_WA, X_WB, rows.reshape(-1), scratch, memory is not None)
    if ended < 0:
        k, code = divmod(-ended - 1, 32)
        side, why = divmod(code, 16)
        refuse_pose(
            ("X_WA", "X_WB")[side], (X_WA, X_WB)[side], 0 if single[side] else k, why, single[side], first
        )
    if ended > 0:
        _finish(*arrays, X_WA, X_WB, rows.reshape(-1))
