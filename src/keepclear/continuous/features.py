"""Which parts of two surfaces are closest at an instant: vertices, edges and faces by number."""

from __future__ import annotations

import numpy as np

from keepclear.checks import FloatArray
from keepclear.continuous.place import body_feature
from keepclear.continuous.results import Feature
from keepclear.proximity.distance import Body
from keepclear.results import Distance, MeshDistance


def features_of(
    a: Body, X_WA: FloatArray, b: Body, X_WB: FloatArray, answer: Distance
) -> tuple[Feature, Feature]:
    """Return what is closest of two bodies at an instant, from their closest faces or the normal there."""
    faces = answer.faces if isinstance(answer, MeshDistance) else np.array([-1, -1])
    normal = np.asarray(answer.normal_W)
    return (
        body_feature(a, normal @ X_WA[:3, :3], int(faces[0])),
        body_feature(b, -normal @ X_WB[:3, :3], int(faces[1])),
    )
