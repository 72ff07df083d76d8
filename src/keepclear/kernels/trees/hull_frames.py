"""Frames of two meshes whose hulls are apart: the distance of the hulls is theirs where its closest points are real."""

from __future__ import annotations

import math

from keepclear.kernels._compile import kernel
from keepclear.kernels.convex import gjk
from keepclear.kernels.convex.pose import POSE_OK, load_single_pose
from keepclear.kernels.trees.leaf_distance import measure_fully
from keepclear.kernels.trees.nearest_triangle import nearest_triangle
from keepclear.kernels.trees.obb_distance import FACE_A, FACE_B, write_row
from keepclear.kernels.trees.obb_pair import place
from keepclear.kernels.triangles import triangle_distance as triangle

# What is known of a frame: nothing, bounds of the distance, or the distance.
UNKNOWN, BOUNDED, EXACT = 0, 1, 2
# In `scratch`: relative pose, maps into the world, and closest points of two triangles.
RELATIVE, MAPS, CLOSEST, SCRATCH = 0, 20, 44, 44 + triangle.RESULT
# The bounds of a distance differ by rounding only if by less than this many times the rounding of the pose.
SAME = 64.0


@kernel(inline=True, boundscheck=False)
def _keep_rigid(X, poses, k):
    """Write the nearest rigid pose to poses[k]; return whether there is one."""
    status, a, b, c, d, e, f, g, h, i, x, y, z = load_single_pose(X)
    poses[k, 0, 0], poses[k, 0, 1], poses[k, 0, 2], poses[k, 0, 3] = a, b, c, x
    poses[k, 1, 0], poses[k, 1, 1], poses[k, 1, 2], poses[k, 1, 3] = d, e, f, y
    poses[k, 2, 0], poses[k, 2, 1], poses[k, 2, 2], poses[k, 2, 3] = g, h, i, z
    return status == POSE_OK


@kernel(inline=True, boundscheck=False)
def _in_frame(X, k, x, y, z):
    """Return a point of the world in the frame of a rigid pose."""
    x, y, z = x - X[k, 0, 3], y - X[k, 1, 3], z - X[k, 2, 3]
    return (
        X[k, 0, 0] * x + X[k, 1, 0] * y + X[k, 2, 0] * z,
        X[k, 0, 1] * x + X[k, 1, 1] * y + X[k, 2, 1] * z,
        X[k, 0, 2] * x + X[k, 1, 2] * y + X[k, 2, 2] * z,
    )


@kernel(
    "int64(float64[::1], int32[::1], float32[::1], int32[::1], float64[::1], int32[::1], float32[::1], int32[::1],"
    " float64[:,::1], float64[:,::1], float64[::1], float64[::1], int64[::1], int32[::1], float64[::1], float64[::1],"
    " float64[:,:,::1])"
)
def settle(SA, TA, NA, LA, SB, TB, NB, LB, X_WA, X_WB, hulls, row, closest, stack, bounds, scratch, poses):
    """Fill the row of one frame from that of the hulls, and return how much is known.

    The distance of the hulls is a lower bound. The triangles nearest to their closest points, or those of the last
    frame, have a distance that is an upper bound. Where both are equal up to rounding, that is the distance.

    Args:
        SA, TA, NA, LA: Surface and tree of A; likewise B.
        X_WA, X_WB: A pose (4, 4) each, which need not be checked.
        hulls: The row of the hulls, which are apart.
        row: Gets the answer.
        closest: The two closest triangles of the last frame, -1 for none; replaced.
        stack, bounds: Scratch of `obb_pair.STACK` numbers each.
        scratch: SCRATCH numbers.
        poses: Scratch for two poses.
    """
    if X_WA.shape[0] != 4 or X_WA.shape[1] != 4 or X_WB.shape[0] != 4 or X_WB.shape[1] != 4:
        return UNKNOWN
    if not (_keep_rigid(X_WA, poses, 0) and _keep_rigid(X_WB, poses, 1)):
        return UNKNOWN
    Q, M, W = scratch[RELATIVE:MAPS], scratch[MAPS:CLOSEST], scratch[CLOSEST:SCRATCH]
    place(SA, SB, poses, 0, poses, 1, Q, M)
    lower = hulls[gjk.LOWER]
    if not lower > 4.0 * Q[13]:
        return UNKNOWN
    enough = lower + SAME * Q[13]
    d = math.inf
    if closest[0] >= 0:
        measure_fully(SA, TA, closest[0], SB, TB, closest[1], Q, W)
        d = math.sqrt(W[triangle.SQUARE])
    if not d <= enough:
        x, y, z = _in_frame(poses, 0, hulls[gjk.POINT_A], hulls[gjk.POINT_A + 1], hulls[gjk.POINT_A + 2])
        closest[0] = nearest_triangle(SA, TA, NA, LA, x, y, z, stack, bounds)
        x, y, z = _in_frame(poses, 1, hulls[gjk.POINT_B], hulls[gjk.POINT_B + 1], hulls[gjk.POINT_B + 2])
        closest[1] = nearest_triangle(SB, TB, NB, LB, x, y, z, stack, bounds)
        measure_fully(SA, TA, closest[0], SB, TB, closest[1], Q, W)
        d = math.sqrt(W[triangle.SQUARE])
    write_row(poses, 0, Q, W, gjk.SEPARATE, lower, 1.0, row, 0)
    row[gjk.ITERATIONS] = hulls[gjk.ITERATIONS]
    row[FACE_A], row[FACE_B] = closest[0], closest[1]
    return EXACT if d <= enough else BOUNDED
