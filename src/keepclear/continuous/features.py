"""Which parts of two surfaces take part in a contact: vertices, edges and faces by number."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from keepclear.continuous.extent import extent_of, shape_of
from keepclear.continuous.results import SURFACE, Feature
from keepclear.proximity.distance import Body
from keepclear.results import Distance, MeshDistance
from keepclear.shapes.convex import Convex
from keepclear.shapes.mesh import Mesh

FloatArray = npt.NDArray[np.float64]

SAME_HEIGHT = 1e-9  # of the extent; corners this close to the foremost one are foremost as well


def features_of(
    a: Body, X_WA: FloatArray, b: Body, X_WB: FloatArray, answer: Distance
) -> tuple[Feature, Feature]:
    """Return what is closest of two bodies at an instant, from their closest points or faces there."""
    faces = answer.faces if isinstance(answer, MeshDistance) else np.array([-1, -1])
    normal = np.asarray(answer.normal_W)
    return _feature(a, X_WA, normal, int(faces[0])), _feature(b, X_WB, -normal, int(faces[1]))


def _feature(body: Body, X_W: FloatArray, towards_W: FloatArray, face: int) -> Feature:
    shape = shape_of(body)
    if isinstance(shape, Mesh):
        return Feature("face", (face,)) if face >= 0 else SURFACE
    if not isinstance(shape, Convex) or not np.isfinite(towards_W).all():
        return SURFACE
    graph = shape.graph
    height = graph.vertices @ (towards_W @ X_W[:3, :3])
    foremost = graph.point_index[height >= height.max() - SAME_HEIGHT * extent_of(shape)]
    if len(foremost) < 3:
        return Feature("vertex" if len(foremost) == 1 else "edge", tuple(sorted(foremost.tolist())))
    for k, corners in enumerate(shape.faces):
        if np.isin(foremost, corners).all():
            return Feature("face", (k,))
    return SURFACE
