"""The contact geometry of two bodies at an instant: point, normal, and the vertex, edge or face of each body."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from keepclear.checks import FloatArray
from keepclear.geometry.bodies.body import Geometry, has_triangles, is_on_boxes, shape_of
from keepclear.geometry.pose import nearest_rigid
from keepclear.geometry.shapes.convex import Convex
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.shapes.table import SHAPE_TABLE
from keepclear.kernels.advance import triangles as swept_leaf
from keepclear.kernels.triangles import triangle_distance as triangle
from keepclear.query.instant.distance import distance
from keepclear.query.moving.question import Query
from keepclear.query.moving.results import SURFACE, Feature
from keepclear.results import Distance, State

# Vertices whose support value is below the largest one by at most this part of the body's size belong to the feature
# that touches; points this close to a vertex or an edge of a triangle are on it.
FLAT = 1e-7
MOST_TURNS = 100  # rounds between two bodies, for a point of both


class Place(NamedTuple):
    """A contact in the world."""

    p_W: FloatArray
    normal_W: FloatArray
    features: tuple[Feature, Feature]


def place_of_contact(
    query: Query,
    time: float,
    swapped: bool,
    triangles: tuple[int, int],
    X_WA: FloatArray,
    X_WB: FloatArray,
    normal_W: FloatArray | None = None,
) -> Place:
    """Return the contact geometry of a query at the poses (or not exactly rigid matrices) of the contact.

    Args:
        query: The query.
        time: The time of contact [s].
        swapped: Whether the triangles are of B and A.
        triangles: Numbers of the triangles that touch, of two meshes; -1 where one is inside the other.
        X_WA: Pose of A.
        X_WB: Pose of B.
        normal_W: The direction from A to B if it is known better than from points that nearly coincide.
    """
    if not (has_triangles(query.body_a) and has_triangles(query.body_b)) or min(triangles) < 0:
        return _place_of_bodies(query, time, X_WA, X_WB, normal_W)
    poses, numbers = (X_WA, X_WB), triangles[::-1] if swapped else triangles
    meshes = [known_mesh(body) for body in (query.body_a, query.body_b)]
    corners = [
        mesh._vertices[mesh._triangles[k]] @ X[:3, :3].T + X[:3, 3]
        for mesh, k, X in zip(meshes, numbers, poses, strict=True)
    ]
    out = np.empty(triangle.RESULT)
    swept_leaf.closest_corners(np.concatenate(corners).ravel(), out)
    p, gap = out[triangle.POINT : triangle.POINT + 3], out[triangle.GAP : triangle.GAP + 3]
    length = float(np.linalg.norm(gap))
    normal = np.full(3, np.nan) if length == 0.0 else gap / length
    if normal_W is not None:
        normal = normal_W
    features = [
        triangle_feature(mesh, k, c, x)
        for mesh, k, c, x in zip(meshes, numbers, corners, (p, p + gap), strict=True)
    ]
    return Place(p + 0.5 * gap, normal, (features[0], features[1]))


def known_mesh(body: Geometry) -> Mesh:
    """Return the mesh of a body that has triangles."""
    mesh = shape_of(body)
    assert isinstance(mesh, Mesh)
    return mesh


def _place_of_bodies(
    query: Query, time: float, X_WA: FloatArray, X_WB: FloatArray, normal_W: FloatArray | None
) -> Place:
    """Return the closest points of the whole bodies, deformed if their matrices are not rigid."""
    rigid = [nearest_rigid(X, tolerance=0.5) for X in (X_WA, X_WB)]
    if any(query.deviations):
        from keepclear.query.moving.evaluation import Evaluator

        found = Evaluator(replace(query, budget=None)).at(time).answer
    else:
        found = distance(query.body_a, rigid[0], query.body_b, rigid[1])
    normal = np.array(found.normal_W) if normal_W is None else normal_W
    if not normal.any():
        normal = np.full(3, np.nan)
    middle = 0.5 * (np.array(found.p_WA) + np.array(found.p_WB))
    if found.distance < 0.0:
        middle = _common_point(query, rigid, middle)
    faces = np.array([-1, -1])
    if found._is_of_surfaces and found.state is not State.CONTAINED:
        faces = found.faces
    return Place(
        middle,
        normal,
        (
            body_feature(query.body_a, rigid[0][:3, :3].T @ normal, int(faces[0])),
            body_feature(query.body_b, -rigid[1][:3, :3].T @ normal, int(faces[1])),
        ),
    )


def _common_point(query: Query, poses: list[FloatArray], p_W: FloatArray) -> FloatArray:
    """Return a common point of two overlapping convex bodies, by alternating projections from p."""
    point, X_WP = Convex([[0.0, 0.0, 0.0]]), np.eye(4)
    for _ in range(MOST_TURNS):
        before = p_W
        for body, X in zip((query.body_a, query.body_b), poses, strict=True):
            X_WP[:3, 3] = p_W
            found = distance(point, X_WP, body, X)
            if found.distance > 0.0:
                p_W = np.array(found.p_WB)
        if np.array_equal(before, p_W):
            break
    return p_W


def triangle_feature(mesh: Mesh, k: int, corners: FloatArray, x: FloatArray) -> Feature:
    """Return the part of triangle k on which x lies."""
    vertices = mesh._triangles[k]
    size = float(np.abs(corners - corners[0]).max())
    # harmless (<=): it names the feature of a known contact
    # harmless (FLAT * size): likewise
    near = [i for i in range(3) if np.abs(corners[i] - x).max() <= FLAT * size]
    if near:
        return Feature("vertex", (int(vertices[near[0]]),))
    for i in range(3):
        a, b = corners[i], corners[(i + 1) % 3]
        u = b - a
        square = float(u @ u)
        s = float((x - a) @ u) / square if square > 0.0 else 0.0
        # harmless (<=): it names the feature of a known contact
        # harmless (FLAT * size): likewise
        if 0.0 <= s <= 1.0 and float(np.linalg.norm(a + s * u - x)) <= FLAT * size:
            first, second = sorted((int(vertices[i]), int(vertices[(i + 1) % 3])))
            return Feature("edge", (first, second))
    return Feature("face", (int(mesh._triangle_face[k]),))


def body_feature(body: Geometry, direction: FloatArray, face: int) -> Feature:
    """Return the supporting feature of a convex body along a direction in its frame, or the closest face of a mesh."""
    if has_triangles(body):
        return Feature("face", (face,)) if face >= 0 else SURFACE
    facets = SHAPE_TABLE[body].facets(body)
    if facets is None:
        return SURFACE
    points, faces = facets
    if not np.isfinite(direction).all():
        return SURFACE
    heights = points @ direction
    # harmless (>=): it names the feature of a known contact
    # harmless (FLAT * float(np.ptp(points, axis=0).max())): likewise
    top = np.flatnonzero(heights >= heights.max() - FLAT * float(np.ptp(points, axis=0).max()))
    if len(top) == 1:
        return Feature("vertex", (int(top[0]),))
    if len(top) == 2:
        return Feature("edge", (int(top[0]), int(top[1])))
    on_top = set(top.tolist())
    for i, corners in enumerate(faces):
        if on_top.issuperset(int(v) for v in corners):
            return Feature("face", (i,))
    return SURFACE


def features_of(
    a: Geometry, X_WA: FloatArray, b: Geometry, X_WB: FloatArray, answer: Distance
) -> tuple[Feature, Feature]:
    """Return the closest features of two bodies at an instant, from their closest faces or the normal there."""
    faces = answer.faces
    normal = np.asarray(answer.normal_W)
    if is_on_boxes(a, b) and has_triangles(a) and has_triangles(b) and min(faces) >= 0:
        return (
            _feature_at(a, X_WA, int(faces[0]), np.asarray(answer.p_WA)),
            _feature_at(b, X_WB, int(faces[1]), np.asarray(answer.p_WB)),
        )
    return (
        body_feature(a, normal @ X_WA[:3, :3], int(faces[0])),
        body_feature(b, -normal @ X_WB[:3, :3], int(faces[1])),
    )


def _feature_at(body: Geometry, X_W: FloatArray, face: int, p_W: FloatArray) -> Feature:
    """Return the vertex, edge or face of a mesh at a point of one of its faces; a polygon counts as one face."""
    mesh = known_mesh(body)
    triangles = np.flatnonzero(mesh._triangle_face == face)
    if len(triangles) != 1:
        return Feature("face", (face,))
    k = int(triangles[0])
    corners = mesh._vertices[mesh._triangles[k]] @ X_W[:3, :3].T + X_W[:3, 3]
    return triangle_feature(mesh, k, corners, p_W)
