"""The distance of two bodies under matrices that are not exactly rigid, such as those of entrywise cubics."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from keepclear.checks import FloatArray
from keepclear.geometry.bodies.body import Geometry, has_triangles
from keepclear.geometry.bodies.bounds import corners_of, extent_of, shape_of
from keepclear.geometry.shapes.convex import Convex
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.shapes.row import ROUND_UP, Packed
from keepclear.geometry.shapes.shape import Shape
from keepclear.geometry.shapes.table import SHAPE_TABLE
from keepclear.geometry.trees.trees import BoxTree
from keepclear.kernels.convex import gjk
from keepclear.kernels.convex import support as core
from keepclear.query.instant.distance import run_one
from keepclear.query.instant.mesh_distance import mesh_distance
from keepclear.results import Distance

MOST_STEPS = 200
# Support points under a matrix, and products with a direction, are rounded by less than this part of the size.
ROUNDING = 64.0 * 2.0**-53


class Placed(NamedTuple):
    """A body in the world: its own shape at a rigid pose, or its deformed shape at the identity."""

    body: Geometry
    X_W: FloatArray


class Bounds(NamedTuple):
    """A certified interval of the distance, the closest points, and the bodies as they were compared."""

    lower: float
    upper: float
    answer: Distance
    a: Placed
    b: Placed


def nearest_rotation(M: FloatArray) -> tuple[FloatArray, float, float, float]:
    """Return the rigid pose nearest to a matrix (4, 4), its largest stretch, and the range of singular values."""
    u, s, vt = np.linalg.svd(M[:3, :3])
    X = M.copy()
    X[:3, :3] = u @ vt
    rounding = 1e-15 * float(s[0])
    return X, float(np.abs(s - 1.0).max()) + rounding, float(s[-1]) - rounding, float(s[0]) + rounding


def deformed_distance(
    a: Geometry, M_WA: FloatArray, b: Geometry, M_WB: FloatArray, rigid: tuple[bool, bool], gap: float
) -> Bounds:
    """Return bounds of the distance of two bodies, deformed by their matrices.

    Args:
        a: The first body.
        M_WA: Its matrix (4, 4).
        b: The second body.
        M_WB: Its matrix.
        rigid: Which of the matrices are rigid.
        gap: Largest difference of the bounds [m], at which a search ends.
    """
    if not has_triangles(a) and not has_triangles(b):
        return _convex_distance(shape_of(a), M_WA, shape_of(b), M_WB, gap)
    curved = [corners_of(shape_of(body)) is None and not ok for body, ok in zip((a, b), rigid, strict=True)]
    if True in curved:
        return _beside_curved(a, M_WA, b, M_WB, curved.index(True))
    placed = _placed(a, M_WA, rigid[0]), _placed(b, M_WB, rigid[1])
    answer = mesh_distance(placed[0].body, placed[0].X_W, placed[1].body, placed[1].X_W)
    return Bounds(answer.lower, answer.upper, answer, *placed)


def _placed(body: Geometry, M_W: FloatArray, rigid: bool) -> Placed:
    return Placed(body, M_W) if rigid else Placed(_moved(body, M_W), np.eye(4))


def _moved(body: Geometry, M: FloatArray) -> Geometry:
    """Return a polyhedron with its points transformed by a matrix; a BoxTree is refitted to them."""
    shape = shape_of(body)
    points = corners_of(shape)
    assert points is not None
    points = points @ M[:3, :3].T + M[:3, 3]
    if isinstance(body, BoxTree):
        return body.refit(points)
    return shape._with_vertices(points) if isinstance(shape, Mesh) else Convex(points)


def _beside_curved(a: Geometry, M_WA: FloatArray, b: Geometry, M_WB: FloatArray, which: int) -> Bounds:
    """Compare a mesh with a curved body that is deformed: in coordinates in which the curved one is not.

    With the singular values of its matrix between s and S, a distance in the world is between s and S times the one in
    the body's own coordinates.
    """
    own, other = (M_WA, M_WB) if which == 0 else (M_WB, M_WA)
    X, _, smallest, largest = nearest_rotation(own)
    # In coordinates rotated back to the world: x -> X own^-1 x, which leaves the curved body at the rigid pose X.
    mesh = Placed(_moved(b if which == 0 else a, X @ np.linalg.solve(own, other)), np.eye(4))
    placed = (Placed(a, X), mesh) if which == 0 else (mesh, Placed(b, X))
    answer = mesh_distance(placed[0].body, placed[0].X_W, placed[1].body, placed[1].X_W)
    mapped = _mapped_back(answer, own @ np.linalg.inv(X))
    return Bounds(smallest * answer.lower, largest * answer.upper, mapped, *placed)


def _mapped_back(answer: Distance, M: FloatArray) -> Distance:
    """Return a result with its points transformed by a matrix (4, 4), and its normal as that of the mapped plane."""
    rows = answer._rows.copy()
    for k in (3, 6):
        rows[k : k + 3] = M[:3, :3] @ rows[k : k + 3] + M[:3, 3]
    n = np.linalg.solve(M[:3, :3].T, rows[9:12])
    rows[9:12] = n / np.linalg.norm(n)
    return Distance(rows, answer.solid)


def _convex_distance(a: Shape, M_WA: FloatArray, b: Shape, M_WB: FloatArray, gap: float) -> Bounds:
    """Compare two convex bodies by their support points in more and more directions.

    The hulls of the points found so far are inside the bodies and give the upper bound and the next direction; the
    planes through the support points in that direction give the lower bound.
    """
    rounding = ROUNDING * (_size(a, M_WA) + _size(b, M_WB))
    n = M_WB[:3, 3] - M_WA[:3, 3]
    n = n / np.linalg.norm(n) if n.any() else np.array([0.0, 0.0, 1.0])
    found_a, found_b = [support_point(a, M_WA, n)], [support_point(b, M_WB, -n)]
    lower = float(n @ (found_b[0] - found_a[0])) - rounding
    for _ in range(MOST_STEPS):
        best = _hull_distance(found_a, found_b)
        upper = best.upper + rounding
        if upper - lower <= gap or upper <= -gap or not np.isfinite(best.normal_W).all():
            break
        p, q = support_point(a, M_WA, best.normal_W), support_point(b, M_WB, -best.normal_W)
        lower = max(lower, float(best.normal_W @ (q - p)) - rounding)
        if _is_known(p, found_a) and _is_known(q, found_b):
            break
        found_a.append(p)
        found_b.append(q)
    return Bounds(min(lower, upper), upper, best, Placed(a, M_WA), Placed(b, M_WB))


def support_point(shape: Shape, M: FloatArray, n: FloatArray) -> FloatArray:
    """Return the support point of a convex shape under a matrix along n, (3,) in the world."""
    d = n @ M[:3, :3]
    support = SHAPE_TABLE[shape].support
    if support is not None:
        p = support(shape, d)
    else:
        points = corners_of(shape)
        assert points is not None
        p = points[int((points @ d).argmax())]
    return np.asarray(M[:3, :3] @ p + M[:3, 3])


def _is_known(p: FloatArray, points: list[FloatArray]) -> bool:
    return any((p == q).all() for q in points)


def _hull_distance(a: list[FloatArray], b: list[FloatArray]) -> Distance:
    """Return the signed distance of the hulls of points in the world."""
    out, world = np.empty(gjk.ROW + gjk.MEMORY), np.eye(4)[None]
    run_one((*_as_core(a), *_as_core(b)), world, world, out, tracked=False)
    return Distance(out)


def _as_core(points: list[FloatArray]) -> Packed:
    """Return points as arrays for kernels, which accept points inside their hull."""
    header = np.zeros(core.HEADER)
    array = np.array(points)
    header[core.KIND], header[core.COUNT] = core.SCAN, len(points)
    # harmless (ROUND_UP): the size that 64 u of rounding are relative to, of which less than 60 are used
    header[core.EXTENT] = np.sqrt((array * array).sum(axis=1).max()) * ROUND_UP
    header[core.CENTER : core.CENTER + 3] = array.mean(axis=0)
    return Packed(np.concatenate([header, array.ravel()]), np.zeros(1, np.int32))


def _size(shape: Shape, M: FloatArray) -> float:
    """Return the size that rounding of points under a matrix is relative to [m]."""
    return extent_of(shape) * float(np.linalg.norm(M[:3, :3], 2)) + float(np.linalg.norm(M[:3, 3]))
