"""Bounds of the distance of a body's points from their positions by a rounded, rigid pose."""

from __future__ import annotations

import numpy as np

from keepclear.checks import FloatArray
from keepclear.kernels.motion.state import POSE_ROUNDING
from keepclear.motions.custom import UnpackedMotion
from keepclear.motions.fixed import Fixed
from keepclear.motions.motion import Motion, head_of
from keepclear.motions.shifted import pose_rounding, rounded_place

LINK_ROUNDING = 4.0 * POSE_ROUNDING
"""Bound of the displacement of a link by rounding of joints, products and projections, as a part of its size: four
times the bound for motions of links, because poses of all links come from another kernel [1]."""


def pose_slack(motion: Motion, X: FloatArray, extent: float) -> float:
    """Return how far points of a part may be from their positions by the nearest rigid poses [m]; X becomes those.

    Args:
        motion: How the part moves.
        X: (n, 4, 4) its poses at some instants; overwritten if a cubic motion deforms the body.
        extent: How far it reaches from its origin [m].
    """
    if isinstance(motion, Fixed):
        place = rounded_place(motion)
        return POSE_ROUNDING * (place + extent) if place > 0.0 else 0.0
    if isinstance(motion, UnpackedMotion):
        return pose_rounding(motion, X, extent)
    head = head_of(motion)
    slack = LINK_ROUNDING * (head.place + head.terms * extent)
    if head.affine:  # a cubic motion deforms its body
        u, _, vt = np.linalg.svd(X[:, :3, :3])
        rigid = u @ vt
        slack += 1.01 * float(np.linalg.norm(X[:, :3, :3] - rigid, axis=(1, 2)).max()) * extent
        X[:, :3, :3] = rigid
    return slack
