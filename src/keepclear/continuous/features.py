"""The closest features of two surfaces at an instant: vertices, edges and faces by number."""

from __future__ import annotations

import numpy as np

from keepclear.checks import FloatArray
from keepclear.continuous.extent import shape_of
from keepclear.continuous.place import body_feature, triangle_feature
from keepclear.continuous.results import Feature
from keepclear.proximity.body import Geometry, has_triangles, is_on_boxes
from keepclear.results import Distance
from keepclear.shapes.mesh import Mesh


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
    mesh = shape_of(body)
    assert isinstance(mesh, Mesh)
    triangles = np.flatnonzero(mesh._triangle_face == face)
    if len(triangles) != 1:
        return Feature("face", (face,))
    k = int(triangles[0])
    corners = mesh._vertices[mesh._triangles[k]] @ X_W[:3, :3].T + X_W[:3, 3]
    return triangle_feature(mesh, k, corners, p_W)
