"""Which parts of two surfaces are closest at an instant: vertices, edges and faces by number."""

from __future__ import annotations

import numpy as np

from keepclear.continuous.extent import shape_of
from keepclear.continuous.place import body_feature
from keepclear.continuous.results import SURFACE, Feature
from keepclear.proximity.distance import Body
from keepclear.results import Distance, MeshDistance
from keepclear.shapes.arguments import FloatArray
from keepclear.shapes.mesh import Mesh


def features_of(
    a: Body, X_WA: FloatArray, b: Body, X_WB: FloatArray, answer: Distance
) -> tuple[Feature, Feature]:
    """Return what is closest of two bodies at an instant, from their closest faces or the normal there."""
    faces = answer.faces if isinstance(answer, MeshDistance) else np.array([-1, -1])
    normal = np.asarray(answer.normal_W)
    return _feature(a, X_WA, normal, int(faces[0])), _feature(b, X_WB, -normal, int(faces[1]))


def _feature(body: Body, X_W: FloatArray, towards_W: FloatArray, face: int) -> Feature:
    if isinstance(shape_of(body), Mesh):
        return Feature("face", (face,)) if face >= 0 else SURFACE
    return body_feature(body, towards_W @ X_W[:3, :3])
