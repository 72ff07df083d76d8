"""Frames of two meshes with separate hulls: the hulls' distance is theirs if its closest points are on the meshes.

One array holds all data of a frame besides the hulls, so that a frame is one call with few arguments: the row of the
answer, the memory of the distance search of the hulls, and the cells below.
"""

from __future__ import annotations

import math

from keepclear.compiler.kernel import kernel
from keepclear.kernels.convex import gjk
from keepclear.kernels.convex.pose import POSE_OK, load_single_pose
from keepclear.kernels.tables.surface import SURFACE_HEADER
from keepclear.kernels.trees.nearest_triangle import nearest_triangle
from keepclear.kernels.trees.obb_pair import ROUNDING_MESH
from keepclear.kernels.triangles import triangle_distance as triangle
from keepclear.kernels.vectors import three

# Cells after the row and the memory of `gjk`. HULLS: the row of the hulls. BALLS: a lower bound on the distance by
# enveloping spheres, and whether it counts as far. FAR, NEAR: the thresholds, set by the caller. SPHERES: centre and
# radius of the sphere around A, in its frame, then B's. EXTENTS: greatest distances of vertices from their origins.
HULLS = gjk.ROW + gjk.MEMORY
BALLS, IS_FAR, FAR, NEAR = HULLS + 16, HULLS + 17, HULLS + 18, HULLS + 19
SPHERES, EXTENTS = HULLS + 20, HULLS + 28
# The closest triangles so far: numbers (-1: none) and faces, corners in the frames of A and B, by how much they were
# farther apart than the hulls when they were found, and for how many frames their bounds have been accepted since.
TRIANGLES, FACES, CORNERS, GAP, AGE = HULLS + 30, HULLS + 32, HULLS + 34, HULLS + 52, HULLS + 53
WORK = HULLS + 54
CELLS = WORK + triangle.RESULT

# Status of a frame: answered; answered, and the caller must update a state; separate hulls without an answer; hulls
# that overlap or nearly touch. A negative number: a pose that needs to be checked.
ANSWERED, ATTENTION, UNSETTLED, OVERLAP = 0, 1, 2, 3

# Bounds on a distance that differ by less than this many times the rounding of the pose count as equal.
SAME = 64.0
# Spheres count as far from this multiple of the threshold on, and as near below the threshold itself.
HYSTERESIS = 1.1
# Bounds are accepted while the triangles fit worse by at most this factor than when they were found, or differ by at
# most this fraction of the distance, for at most this many frames.
WORSE, CLOSE, OLD = 1.5, 1e-3, 16.0


@kernel(inline=True, boundscheck=False)
def _slack(out, pose):
    """Return a bound on the rounding error of distances in this frame [m]."""
    far = math.sqrt(pose[9] * pose[9] + pose[10] * pose[10] + pose[11] * pose[11])
    return ROUNDING_MESH * (out[EXTENTS] + out[EXTENTS + 1] + far)


@kernel(inline=True, boundscheck=False)
def _between_balls(out, pose, slack):
    """Return a lower bound on the distance of the spheres around A and B; not positive where they may overlap."""
    x, y, z = gjk.difference(
        pose, out[SPHERES], out[SPHERES + 1], out[SPHERES + 2], out[SPHERES + 4], out[SPHERES + 5], out[SPHERES + 6]
    )  # fmt: skip
    return math.sqrt(x * x + y * y + z * z) - out[SPHERES + 3] - out[SPHERES + 7] - slack


@kernel(inline=True, boundscheck=False)
def _corner(out, pose, k):
    """Return corner k of the closest triangle of B in A's frame."""
    x, y, z = three(out, CORNERS + 9 + 3 * k)
    return (
        pose[0] * x + pose[1] * y + pose[2] * z + pose[9],
        pose[3] * x + pose[4] * y + pose[5] * z + pose[10],
        pose[6] * x + pose[7] * y + pose[8] * z + pose[11],
    )


@kernel(boundscheck=False)
def _measure(A, pose, lower, slack, out):
    """Write the row from the closest triangles so far and a lower bound; return the distance of the triangles."""
    W = out[WORK:CELLS]
    triangle.closest(
        three(out, CORNERS), three(out, CORNERS + 3), three(out, CORNERS + 6),
        _corner(out, pose, 0), _corner(out, pose, 1), _corner(out, pose, 2), W,
    )  # fmt: skip
    d = math.sqrt(W[triangle.SQUARE])
    f = 1.0 / d if d > 0.0 else math.nan
    out[gjk.DISTANCE] = d
    x, y, z = W[triangle.POINT], W[triangle.POINT + 1], W[triangle.POINT + 2]
    nx, ny, nz = f * W[triangle.GAP], f * W[triangle.GAP + 1], f * W[triangle.GAP + 2]
    gjk.write_points(A, x, y, z, nx, ny, nz, out, 0)
    out[gjk.LOWER] = max(5e-324, (min(lower, d) - slack) * (1.0 - 1e-15))
    out[gjk.UPPER] = (d + slack) * (1.0 + 1e-15)
    out[gjk.STATE], out[gjk.ITERATIONS] = gjk.SEPARATE, out[HULLS + gjk.ITERATIONS]
    out[gjk.VISITED], out[gjk.FALLBACKS] = out[FACES], out[FACES + 1]
    return d


@kernel(
    "int64(float64[::1], int32[::1], float64[::1], int32[::1], float64[:,::1], float64[:,::1], float64[::1], float64)"
)
def track(FA, IA, FB, IB, X_WA, X_WB, out, accepted):
    """Answer one frame by spheres, hulls and the closest triangles so far; return its status.

    The distance of the hulls is a lower bound, that of two triangles an upper bound. Where both are equal up to
    rounding, that is the distance.

    Args:
        FA, IA, FB, IB: The packed hulls of A and B.
        X_WA, X_WB: A pose (4, 4) each, which need not be checked.
        out: CELLS numbers. Its row receives the answer.
        accepted: Bounds are sufficient, in place of the distance, where the lower one is above this; -1: everywhere.
    """
    if X_WA.shape[0] != 4 or X_WA.shape[1] != 4 or X_WB.shape[0] != 4 or X_WB.shape[1] != 4:
        return -1
    A, B = load_single_pose(X_WA), load_single_pose(X_WB)
    if A[0] != POSE_OK or B[0] != POSE_OK:
        return -1
    pose = gjk.relative_pose(A[1:], B[1:])
    slack = _slack(out, pose)
    balls, was_far = _between_balls(out, pose, slack), out[IS_FAR]
    if balls > HYSTERESIS * out[FAR]:
        out[IS_FAR] = 1.0
    elif balls < out[FAR]:
        out[IS_FAR] = 0.0
    out[BALLS] = balls
    is_known = out[TRIANGLES] >= 0.0
    if is_known and balls > 0.0 and (balls > accepted if accepted >= 0.0 else out[IS_FAR] > 0.0):
        out[HULLS + gjk.LOWER], out[HULLS + gjk.ITERATIONS] = balls, 0.0
        _measure(A, pose, balls, slack, out)
        return ANSWERED if out[IS_FAR] == was_far and balls >= out[NEAR] else ATTENTION
    ended = gjk.query(FA, IA, FB, IB, A, B, out, gjk.ROW, out, HULLS)
    lower = out[HULLS + gjk.LOWER]
    if ended == gjk.CORES_MEET or not lower > 4.0 * slack:
        return OVERLAP
    if not is_known:
        return UNSETTLED
    d = _measure(A, pose, lower, slack, out)
    # harmless (SAME * slack): more frames are searched, and bounds hold
    if d > lower + SAME * slack:
        out[AGE] += 1.0
        # harmless (max): more frames are searched
        if not lower > accepted or d - lower > max(WORSE * out[GAP], CLOSE * lower) or out[AGE] > OLD:
            return UNSETTLED
    return ANSWERED if out[IS_FAR] == was_far and lower >= out[NEAR] else ATTENTION


@kernel(inline=True, boundscheck=False)
def _keep_corners(S, T, t, out, k):
    """Store triangle t of body k."""
    out[TRIANGLES + k] = t
    for i in range(3):
        q = SURFACE_HEADER + 3 * T[3 * t + i]
        for j in range(3):
            out[CORNERS + 9 * k + 3 * i + j] = S[q + j]


@kernel(inline=True, boundscheck=False)
def _in_frame(X, x, y, z):
    """Return a point of the world in the frame of a loaded pose."""
    _, a, b, c, d, e, f, g, h, i, u, v, w = X
    x, y, z = x - u, y - v, z - w
    return a * x + d * y + g * z, b * x + e * y + h * z, c * x + f * y + i * z


@kernel(
    "int64(float64[::1], int32[::1], float32[::1], int32[::1], float64[::1], int32[::1], float32[::1], int32[::1],"
    " float64[:,::1], float64[:,::1], float64[::1], float64, int32[::1], float64[::1])"
)
def settle(SA, TA, NA, LA, SB, TB, NB, LB, X_WA, X_WB, out, accepted, stack, bounds):
    """Answer a frame that `track` has left UNSETTLED by the triangles nearest to the closest points of the hulls.

    Args:
        SA, TA, NA, LA: Surface and tree of A; likewise B.
        X_WA, X_WB: The poses of that frame.
        out: CELLS numbers, as `track` has left them.
        accepted: As for `track`.
        stack, bounds: Scratch of `obb_pair.STACK` numbers each.
    """
    A, B = load_single_pose(X_WA), load_single_pose(X_WB)
    pose = gjk.relative_pose(A[1:], B[1:])
    slack = _slack(out, pose)
    p = HULLS + gjk.POINT_A
    x, y, z = _in_frame(A, out[p], out[p + 1], out[p + 2])
    _keep_corners(SA, TA, nearest_triangle(SA, TA, NA, LA, x, y, z, stack, bounds), out, 0)
    p = HULLS + gjk.POINT_B
    x, y, z = _in_frame(B, out[p], out[p + 1], out[p + 2])
    _keep_corners(SB, TB, nearest_triangle(SB, TB, NB, LB, x, y, z, stack, bounds), out, 1)
    lower = out[HULLS + gjk.LOWER]
    d = _measure(A, pose, lower, slack, out)
    # harmless (max): it only decides how long bounds are accepted
    out[GAP], out[AGE] = max(0.0, d - lower), 0.0
    return ANSWERED if d <= lower + SAME * slack or lower > accepted else UNSETTLED
