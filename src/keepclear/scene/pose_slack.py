"""How far points of a body may be from where a rounded, rigid pose puts them."""

from __future__ import annotations

import numpy as np

from keepclear.checks import FloatArray
from keepclear.kernels.motion.state import POSE_ROUNDING
from keepclear.motions.custom import UnpackedMotion, pose_rounding
from keepclear.motions.fixed import Fixed
from keepclear.motions.motion import Motion, head_of
from keepclear.proximity.compound import COMPOSED
from keepclear.scene.items import HERE

LINK_ROUNDING = 4.0 * POSE_ROUNDING
"""What rounding of joints, products and projections moves a link by, as a part of its size: four times as much as
motions of links allow for, because poses of all links come from another kernel [1]."""


def pose_slack(motion: Motion, X: FloatArray, X_OP: FloatArray, extent: float) -> float:
    """Return how far points of a part may be from where the nearest rigid poses put them [m]; X becomes those.

    Args:
        motion: How the part moves.
        X: (n, 4, 4) its poses at some instants; written to where a cubic deforms the body.
        X_OP: Its pose in the frame of its object.
        extent: How far it reaches from its origin [m].
    """
    if isinstance(motion, Fixed):
        if np.array_equal(X_OP, HERE):
            return 0.0
        far = float(np.linalg.norm(X[:, :3, 3], axis=1).max())
        return COMPOSED * (far + 2.0 * float(np.linalg.norm(X_OP[:3, 3])) + 2.0 * extent)
    if isinstance(motion, UnpackedMotion):
        return pose_rounding(motion, X, extent)
    head = head_of(motion)
    slack = LINK_ROUNDING * (head.place + head.terms * extent)
    if head.affine:  # a cubic deforms its body
        u, _, vt = np.linalg.svd(X[:, :3, :3])
        rigid = u @ vt
        slack += 1.01 * float(np.linalg.norm(X[:, :3, :3] - rigid, axis=(1, 2)).max()) * extent
        X[:, :3, :3] = rigid
    return slack
