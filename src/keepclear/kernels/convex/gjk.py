"""Closest points of two convex cores: Gilbert's iteration with a certified lower bound, cold or tracked.

All computations are in the frame of A. The difference body A - B is explored through its support points; a simplex of
at most four of them contains the point v nearest to the origin. |v| is an upper bound on the distance, the supporting
plane at -v gives the lower one, and the search ends when the two are equal, which proves the distance.

`iterate` is the only loop: other searches give it other support functions and stop rules, as kernels among its
arguments. Numba compiles it for each of these, so that a rule that never ends a search costs nothing.

Notes on the implementation:

- A simplex that stores points of the bodies, not vertex numbers, warm-starts cylinders as well as hulls.
- Inside a triangle v is its normal times a number. Adding up barycentric multiples instead loses the direction of v to
  rounding once v is short, and with it the lower bound.
- Numba's reference counts cost more than the vertices: without them and with the small functions inlined, a tracked
  query of two boxes went from 300 to 130 ns; bounds checks were 10 to 25 %. Vertices from the tables, without a walk,
  while the simplex is far from the answer, save 6 %.
- Assignments of more than three names are tuples to the compiler: writing them in threes saved 15 % of its time.
"""

from __future__ import annotations

import math

from keepclear.compiler.kernel import kernel
from keepclear.kernels.convex.pose import POSE_OK, load_pose, load_single_pose
from keepclear.kernels.convex.simplex import closest_on_segment, closest_on_tetrahedron, closest_on_triangle
from keepclear.kernels.convex.support import (
    CENTER,
    DEFECT,
    EXTENT,
    KIND,
    RADIUS,
    UNIT,
    WALK,
    certain_support,
    is_curved,
    support,
    walk_slack,
)

# Columns of a result row.
DISTANCE, LOWER, UPPER, POINT_A, POINT_B, NORMAL = 0, 1, 2, 3, 6, 9
ITERATIONS, STATE, VISITED, FALLBACKS = 12, 13, 14, 15
ROW = 16
# Memory between frames: number of simplex points, start vertices, slots of the points, four pairs of points, then the
# counters of a tracker: frames, iterations, vertices visited, fallbacks, frames whose cores intersect.
COUNTS = 28
MEMORY = 33

SEPARATE, TOUCHING, INTERFERING = 0, 1, 2
CORES_MEET = -1  # in the STATE column: cores intersect, or nearly; the penetration kernel completes the row

# All rounding errors of one query, in units of 2^-53 (extents of A and B + distance of their frames): poses that are
# orthonormal to 1e-15, the relative pose, supports and products (docs/theory/closest-points: 58).
# Too small voids `lower`; larger only loosens it.
ROUNDING = 64.0 * UNIT
CONVERGED = 8.0 * UNIT  # same unit; a gap this small is indistinguishable from rounding
CURVED = 1e-13  # same unit; the gap that ends a search with a cylinder, which converges without end
WALK_SLACK = 2e-13  # same scale; a walk that may be short by more is completed by the tree of boxes
BUDGET = 200
MOST_STALLS = 4
WORSE = 1.000001  # factor of a squared length that is greater than before by more than rounding
LEAN = 0.7  # weight of the line of centres in the second direction; saves 0.1 to 0.3 iterations from 32 vertices on
ROUGH = 0.9  # a cold search takes vertices from the tables, without a walk, while lower / upper bound is below this
NEAR = 1e-2  # same scale; below it, a search that stalls without a proof is handed to the penetration kernel


@kernel(inline=True, boundscheck=False)
def smallest_gap(FA, FB):
    """Return the gap between the bounds that ends a search, as a fraction of the scale."""
    # harmless (CURVED): it ends a search, whose bounds hold whenever it ends
    return CURVED if is_curved(FA) or is_curved(FB) else CONVERGED


@kernel(inline=True, boundscheck=False)
def difference(pose, ax, ay, az, bx, by, bz):
    """Return a - b for a point a of A and a point b of B, each in its own frame."""
    r00, r01, r02, r10, r11, r12, r20, r21, r22, px, py, pz = pose
    return (
        ax - (r00 * bx + r01 * by + r02 * bz + px),
        ay - (r10 * bx + r11 * by + r12 * bz + py),
        az - (r20 * bx + r21 * by + r22 * bz + pz),
    )


@kernel(inline=True, boundscheck=False)
def turned_back(pose, x, y, z):
    """Return a direction of A's frame in the frame of B."""
    return (
        pose[0] * x + pose[3] * y + pose[6] * z,
        pose[1] * x + pose[4] * y + pose[7] * z,
        pose[2] * x + pose[5] * y + pose[8] * z,
    )


@kernel(inline=True, boundscheck=False)
def _remembered(pose, M, q):
    """Return the difference of the pair of points stored at M[q:], at the current pose."""
    return difference(pose, M[q], M[q + 1], M[q + 2], M[q + 3], M[q + 4], M[q + 5])


@kernel(inline=True, boundscheck=False)
def center_line(FA, FB, pose):
    """Return the vector from the centre of B to that of A, or any other if there is none."""
    vx, vy, vz = difference(
        pose, FA[CENTER], FA[CENTER + 1], FA[CENTER + 2], FB[CENTER], FB[CENTER + 1], FB[CENTER + 2]
    )
    if vx == 0.0 and vy == 0.0 and vz == 0.0:
        vx = 1.0
    return vx, vy, vz


@kernel(inline=True, boundscheck=False)
def _between_centers(A, B, pose, _question):
    """Return the first vector from B to A of a search for the distance of two cores."""
    return center_line(A[0], B[0], pose)


@kernel(inline=True, boundscheck=False)
def support_of_core(A, x, y, z, hint, rough, _held):
    """Return the support point of a core, see `support`."""
    return support(A[0], A[1], x, y, z, hint, rough)


@kernel(inline=True, boundscheck=False)
def _certain_points(A, B, v, d, a, b, ha, hb, allowed):
    """Return how far walks of two cores may have ended short of their support points, and these (visited: 0).

    If that is more than `allowed`, return 0 and exact support points, and how many vertices were visited for them.
    """
    slack = walk_slack(A[0], A[1], -v[0], -v[1], -v[2], ha) + walk_slack(B[0], B[1], d[0], d[1], d[2], hb)
    # harmless (<=): with the slack or by the tree of boxes, the bound holds
    # harmless (slack): likewise
    if slack <= allowed:
        return slack, a, b, ha, hb, 0
    ax, ay, az, ha, na = certain_support(A[0], A[1], -v[0], -v[1], -v[2], a[0], a[1], a[2], ha)
    bx, by, bz, hb, nb = certain_support(B[0], B[1], d[0], d[1], d[2], b[0], b[1], b[2], hb)
    return 0.0, (ax, ay, az), (bx, by, bz), ha, hb, na + nb


@kernel(inline=True, boundscheck=False)
def known_points(_A, _B, _v, _d, a, b, ha, hb, _allowed):
    """Return what `_certain_points` does for support points that are exact, or whose stop rule allows for walks."""
    return 0.0, a, b, ha, hb, 0


@kernel(inline=True, boundscheck=False)
def goes_on(*_):
    """Return 0: the stop rule of a search for the distance, which ends when its bounds are equal."""
    return 0, -math.inf


@kernel(inline=True, boundscheck=False)
def search(FA, IA, FB, IB, pose, M, at):
    """Search the closest points of two cores from the simplex stored in M[at:] (none: cold); store the last one there.

    Returns:
        (whether the origin is inside a tetrahedron, length of v, lower bound, v, weights of up to three simplex points,
        iterations, vertices visited, fallbacks). Inside, v is the nearest point of its surface.
    """
    scale = FA[EXTENT] + FB[EXTENT] + math.sqrt(pose[9] * pose[9] + pose[10] * pose[10] + pose[11] * pose[11])
    tolerance = smallest_gap(FA, FB) * scale
    rough = FA[KIND] == WALK or FB[KIND] == WALK
    _, _, inside, upper, lower, vx, vy, vz, l1, l2, l3, iterations, visited, fallbacks = iterate(
        support_of_core, _certain_points, goes_on, (FA, IA), (FB, IB), pose, _between_centers, M, at, rough,
        LEAN, tolerance, tolerance, WALK_SLACK * scale, 0,
    )  # fmt: skip
    return inside, upper, lower, vx, vy, vz, l1, l2, l3, iterations, visited, fallbacks


@kernel(inline=True, boundscheck=False)
def iterate(
    support_of, certain, rule, A, B, pose, start, M, at, rough, tilt, contact, tolerance, allowed, question
):
    """Iterate from the simplex stored in M[at:] (none: along `start`) until it ends, and store the last one there.

    Args:
        support_of: Kernel: support point of a body along a direction, from a hint, for a simplex that holds (how many,
            in which slots) the points around v, and the number of points visited.
        certain: Kernel: the shortfall of support points, `_certain_points` or `known_points`.
        rule: Kernel: the stop rule, asked for each plane; it returns 0 to go on or the status with which to end, and
            the greatest distance of planes.
        A, B: What `support_of` reads.
        pose: Of B in A's frame.
        start: Kernel: the first vector from B to A, not 0.
        rough: Whether a cold search begins with support points that prove nothing.
        tilt: Weight of `start` in the second direction of a cold search.
        contact: It ends if the length of v is no more than this, at least 0 [m].
        tolerance: It ends if the gap between the bounds is no more than this, at least 0; planes up to it do not prove
            that the origin is outside [m].
        allowed: Argument of `certain` [m].
        question: Argument of `rule` and `start`.

    Returns:
        (status by the rule or 0, greatest distance of planes, then as `search`).
    """
    n, ha, hb = int(M[at]), int(M[at + 1]), int(M[at + 2])
    slots = int(M[at + 3])
    s1, s2, s3 = slots & 3, (slots >> 2) & 3, (slots >> 4) & 3
    x1, y1, z1 = 0.0, 0.0, 0.0
    x2, y2, z2 = 0.0, 0.0, 0.0
    x3, y3, z3 = 0.0, 0.0, 0.0
    l1, l2, l3 = 1.0, 0.0, 0.0
    upper, lower, best = math.inf, -math.inf, -math.inf
    iterations, visited, fallbacks, stalls = 0, 0, 0, 0
    ended = 0
    # The stored points at the current pose. All are points of the bodies, so any simplex of them is valid.
    if n > 0:
        x1, y1, z1 = _remembered(pose, M, at + 4 + 6 * s1)
    if n > 1:
        x2, y2, z2 = _remembered(pose, M, at + 4 + 6 * s2)
    if n > 2:
        x3, y3, z3 = _remembered(pose, M, at + 4 + 6 * s3)
    rough, inside = n == 0 and rough, False
    if n == 0:
        vx, vy, vz = start(A, B, pose, question)
    elif n == 1:
        vx, vy, vz = x1, y1, z1
    elif n == 2:
        l1, l2, vx, vy, vz = closest_on_segment(x1, y1, z1, x2, y2, z2)
    else:
        l1, l2, l3, vx, vy, vz = closest_on_triangle(x1, y1, z1, x2, y2, z2, x3, y3, z3)
    length = math.sqrt(vx * vx + vy * vy + vz * vz)
    if n > 0:
        upper = length

    while True:
        # Remove the points of weight zero.
        if n == 3 and l3 == 0.0:
            n = 2
        if n >= 2 and l2 == 0.0:
            x2, y2, z2 = x3, y3, z3
            s2, l2 = s3, l3
            n -= 1
        if n >= 2 and l1 == 0.0:
            x1, y1, z1 = x2, y2, z2
            s1, l1 = s2, l2
            x2, y2, z2 = x3, y3, z3
            s2, l2 = s3, l3
            n -= 1
        if n > 0 and upper <= contact:
            break
        iterations += 1
        # The support points of A along -v and of B along v, and the distance of the planes through them.
        held = n, s1, s2, s3
        ax, ay, az, ha, na = support_of(A, -vx, -vy, -vz, ha, rough, held)
        dx, dy, dz = turned_back(pose, vx, vy, vz)
        bx, by, bz, hb, nb = support_of(B, dx, dy, dz, hb, rough, held)
        visited += na + nb
        x, y, z = difference(pose, ax, ay, az, bx, by, bz)
        plane = (vx * x + vy * y + vz * z) / length
        if not rough:
            ended, best = rule(
                question, iterations, (vx, vy, vz), length, upper, plane, best, (ax, ay, az), (bx, by, bz), ha, hb
            )  # fmt: skip
            if ended != 0:
                break
        ending = upper - plane <= tolerance or stalls > MOST_STALLS or iterations >= BUDGET
        # harmless (>): it decides when walks begin; no search ends with vertices of the table
        if rough and n > 0 and (ending or stalls > 0 or plane > ROUGH * upper):
            rough = False  # little to gain from vertices of the table: walk from here on, and before the search ends
            iterations -= 1
            continue
        if ending and n == 1 and length != upper:
            # The direction was tilted: prove the bound again with that of the point itself.
            vx, vy, vz = x1, y1, z1
            length = upper
            continue
        if ending:
            slack, a, b, ha, hb, more = certain(
                A, B, (vx, vy, vz), (dx, dy, dz), (ax, ay, az), (bx, by, bz), ha, hb, allowed
            )
            if more == 0:
                lower = plane - slack
                break
            ax, ay, az = a
            bx, by, bz = b
            fallbacks += 1
            visited += more
            x, y, z = difference(pose, ax, ay, az, bx, by, bz)
            lower = (vx * x + vy * y + vz * z) / length
            # harmless (<=): it ends a search, whose bounds hold whenever it ends
            if upper - lower <= tolerance or stalls > MOST_STALLS or iterations >= BUDGET:
                break
        free = 0
        while (n > 0 and free == s1) or (n > 1 and free == s2) or (n > 2 and free == s3):
            free += 1
        q = at + 4 + 6 * free
        M[q], M[q + 1], M[q + 2] = ax, ay, az
        M[q + 3], M[q + 4], M[q + 5] = bx, by, bz
        if n == 0:
            # One point gives a poor direction: tilt the next one towards the line of centres.
            n, s1, l1 = 1, free, 1.0
            x1, y1, z1 = x, y, z
            upper = math.sqrt(x * x + y * y + z * z)
            lean = tilt * upper / length
            vx, vy, vz = x + lean * vx, y + lean * vy, z + lean * vz
            length = math.sqrt(vx * vx + vy * vy + vz * vz)
            if length == 0.0:
                vx, vy, vz = x, y, z
                length = upper
            continue
        elif n == 1:
            n, s2 = 2, free
            x2, y2, z2 = x, y, z
            l1, l2, vx, vy, vz = closest_on_segment(x1, y1, z1, x, y, z)
        elif n == 2:
            m1, m2, m3, ux, uy, uz = closest_on_triangle(x1, y1, z1, x2, y2, z2, x, y, z)
            # harmless (WORSE): it ends a search, whose bounds hold whenever it ends
            if ux * ux + uy * uy + uz * uz > WORSE * upper * upper:
                stalls = MOST_STALLS + 1  # no progress because of rounding: keep the old simplex, and end
                continue
            n, s3 = 3, free
            x3, y3, z3 = x, y, z
            l1, l2, l3 = m1, m2, m3
            vx, vy, vz = ux, uy, uz
        else:
            inside, out, m1, m2, m3, ux, uy, uz = closest_on_tetrahedron(
                x1, y1, z1, x2, y2, z2, x3, y3, z3, x, y, z, upper, plane > tolerance
            )
            # harmless (WORSE): it ends a search, whose bounds hold whenever it ends
            if not inside and ux * ux + uy * uy + uz * uz > WORSE * upper * upper:
                stalls = MOST_STALLS + 1
                continue
            if out == 0:
                x1, y1, z1 = x2, y2, z2
                s1 = s2
            if out <= 1:
                x2, y2, z2 = x3, y3, z3
                s2 = s3
            x3, y3, z3 = x, y, z
            s3 = free
            l1, l2, l3 = m1, m2, m3
            vx, vy, vz = ux, uy, uz
        length = math.sqrt(vx * vx + vy * vy + vz * vz)
        if inside:
            break
        # harmless (>=): it ends a search, whose bounds hold whenever it ends
        if length >= upper:  # rounding, or a tiny step; a few more may still turn v the right way
            stalls += 1
        upper = length
    M[at], M[at + 1], M[at + 2] = n, ha, hb
    M[at + 3] = s1 + 4 * s2 + 16 * s3
    upper = length if inside else upper
    return ended, best, inside, upper, lower, vx, vy, vz, l1, l2, l3, iterations, visited, fallbacks


@kernel(inline=True, boundscheck=False)
def witness_points(M, at, l1, l2, l3):
    """Return the points of A and B from the weights of the simplex in M[at:], each in its own frame."""
    slots, n = int(M[at + 3]), int(M[at])
    if n < 3:
        l3 = 0.0
    if n < 2:
        l2 = 0.0
    i1, i2, i3 = at + 4 + 6 * (slots & 3), at + 4 + 6 * ((slots >> 2) & 3), at + 4 + 6 * ((slots >> 4) & 3)
    ax, ay, az = l1 * M[i1], l1 * M[i1 + 1], l1 * M[i1 + 2]
    bx, by, bz = l1 * M[i1 + 3], l1 * M[i1 + 4], l1 * M[i1 + 5]
    if n > 1:
        ax, ay, az = ax + l2 * M[i2], ay + l2 * M[i2 + 1], az + l2 * M[i2 + 2]
        bx, by, bz = bx + l2 * M[i2 + 3], by + l2 * M[i2 + 4], bz + l2 * M[i2 + 5]
    if n > 2:
        ax, ay, az = ax + l3 * M[i3], ay + l3 * M[i3 + 1], az + l3 * M[i3 + 2]
        bx, by, bz = bx + l3 * M[i3 + 3], by + l3 * M[i3 + 4], bz + l3 * M[i3 + 5]
    return ax, ay, az, bx, by, bz


@kernel(inline=True, boundscheck=False)
def relative_pose(A, B):
    """Return the pose of B in the frame of A; all have the rotation row by row, then the translation."""
    a00, a01, a02, a10, a11, a12, a20, a21, a22, atx, aty, atz = A
    b00, b01, b02, b10, b11, b12, b20, b21, b22, btx, bty, btz = B
    tx, ty, tz = btx - atx, bty - aty, btz - atz
    return (
        a00 * b00 + a10 * b10 + a20 * b20, a00 * b01 + a10 * b11 + a20 * b21, a00 * b02 + a10 * b12 + a20 * b22,
        a01 * b00 + a11 * b10 + a21 * b20, a01 * b01 + a11 * b11 + a21 * b21, a01 * b02 + a11 * b12 + a21 * b22,
        a02 * b00 + a12 * b10 + a22 * b20, a02 * b01 + a12 * b11 + a22 * b21, a02 * b02 + a12 * b12 + a22 * b22,
        a00 * tx + a10 * ty + a20 * tz, a01 * tx + a11 * ty + a21 * tz, a02 * tx + a12 * ty + a22 * tz,
    )  # fmt: skip


@kernel(inline=True, boundscheck=False)
def state_of(lower, upper):
    """Return the state that the bounds on a signed distance prove."""
    return SEPARATE if lower > 0.0 else (INTERFERING if upper < 0.0 else TOUCHING)


@kernel(inline=True, boundscheck=False)
def write_points(A, ax, ay, az, nx, ny, nz, rows, k):
    """Write normal and closest points to a row that has its distance, from A's point and the normal in A's frame."""
    _, a00, a01, a02, a10, a11, a12, a20, a21, a22, tx, ty, tz = A
    nx, ny, nz = (
        a00 * nx + a01 * ny + a02 * nz,
        a10 * nx + a11 * ny + a12 * nz,
        a20 * nx + a21 * ny + a22 * nz,
    )
    ax, ay, az = (
        a00 * ax + a01 * ay + a02 * az + tx,
        a10 * ax + a11 * ay + a12 * az + ty,
        a20 * ax + a21 * ay + a22 * az + tz,
    )
    rows[k + NORMAL], rows[k + NORMAL + 1], rows[k + NORMAL + 2] = nx, ny, nz
    rows[k + POINT_A], rows[k + POINT_A + 1], rows[k + POINT_A + 2] = ax, ay, az
    d = rows[k + DISTANCE]
    rows[k + POINT_B], rows[k + POINT_B + 1], rows[k + POINT_B + 2] = ax + d * nx, ay + d * ny, az + d * nz


@kernel(inline=True, boundscheck=False)
def query(FA, IA, FB, IB, A, B, M, at, rows, k):
    """Answer one pair of checked poses into the row at rows[k:] (memory in M[at:])."""
    pose = relative_pose(A[1:], B[1:])
    inside, upper, lower, vx, vy, vz, l1, l2, l3, iterations, visited, fallbacks = search(
        FA, IA, FB, IB, pose, M, at
    )
    scale = FA[EXTENT] + FB[EXTENT] + math.sqrt(pose[9] * pose[9] + pose[10] * pose[10] + pose[11] * pose[11])
    rows[k + ITERATIONS], rows[k + VISITED], rows[k + FALLBACKS] = iterations, visited, fallbacks
    M[at + COUNTS] += 1.0
    M[at + COUNTS + 1] += iterations
    M[at + COUNTS + 2] += visited
    M[at + COUNTS + 3] += fallbacks
    ax, ay, az, bx, by, bz = witness_points(M, at, l1, l2, l3)
    # Both points come from the same weights; the rounding error between their difference and v is split.
    ex, ey, ez = difference(pose, ax, ay, az, bx, by, bz)
    ex, ey, ez = ex - vx, ey - vy, ez - vz
    length = math.sqrt(vx * vx + vy * vy + vz * vz)
    inverse = -1.0 / length if length > 0.0 else 0.0
    nx, ny, nz = inverse * vx, inverse * vy, inverse * vz
    ra, rb = FA[RADIUS], FB[RADIUS]
    rounding = ROUNDING * (scale + ra + rb)
    rows[k + DISTANCE] = (0.0 if inside else upper) - (ra + rb)
    rows[k + LOWER] = min(lower, upper) - (ra + rb) - FA[DEFECT] - FB[DEFECT] - rounding
    rows[k + UPPER] = upper - (ra + rb) + rounding + math.sqrt(ex * ex + ey * ey + ez * ez)
    rows[k + STATE] = state_of(rows[k + LOWER], rows[k + UPPER])
    write_points(
        A, ax - 0.5 * ex + ra * nx, ay - 0.5 * ey + ra * ny, az - 0.5 * ez + ra * nz, nx, ny, nz, rows, k
    )
    if (
        inside
        or upper <= CONVERGED * scale
        or (upper - lower > 8.0 * smallest_gap(FA, FB) * scale and upper <= NEAR * scale)
    ):
        rows[k + STATE] = CORES_MEET
        M[at + COUNTS + 4] += 1.0
        return CORES_MEET
    return 0


@kernel(
    "int64(float64[::1], int32[::1], float64[::1], int32[::1], float64[:,::1], float64[:,::1], float64[::1], boolean)"
)
def distance_one(FA, IA, FB, IB, X_WA, X_WB, out, tracked):
    """Fill `out` (a result row, then the memory) for one pair of poses.

    Returns:
        0, 1 when the cores intersect and the penetration kernel must complete the row, -(1 + why) for a bad X_WA,
        -(11 + why) for X_WB.
    """
    if X_WA.shape[0] != 4 or X_WA.shape[1] != 4 or X_WB.shape[0] != 4 or X_WB.shape[1] != 4:
        return -100
    A, B = load_single_pose(X_WA), load_single_pose(X_WB)
    if A[0] != POSE_OK:
        return -1 - A[0]
    if B[0] != POSE_OK:
        return -11 - B[0]
    if not tracked:
        out[ROW], out[ROW + 1], out[ROW + 2] = 0.0, -1.0, -1.0
        out[ROW + 3] = 0.0
    return 1 if query(FA, IA, FB, IB, A, B, out, ROW, out, 0) == CORES_MEET else 0


@kernel(
    "int64(float64[::1], int32[::1], float64[::1], int32[::1], float64[:,:,::1], float64[:,:,::1],"
    " float64[::1], float64[::1], boolean)"
)
def distance_many(FA, IA, FB, IB, X_WA, X_WB, rows, memory, tracked):
    """Fill the result rows, one after the other, for pairs of poses; one pose on a side is repeated.

    Returns:
        The number of rows whose cores intersect, or -(1 + 32 k + why) for a bad X_WA[k], 16 more for X_WB[k].
    """
    one_a, one_b, meeting = X_WA.shape[0] == 1, X_WB.shape[0] == 1, 0
    A, B = load_pose(X_WA, 0), load_pose(X_WB, 0)
    for k in range(rows.shape[0] // ROW):
        if k > 0 and not one_a:
            A = load_pose(X_WA, k)
        if k > 0 and not one_b:
            B = load_pose(X_WB, k)
        if A[0] != POSE_OK:
            return -1 - 32 * k - A[0]
        if B[0] != POSE_OK:
            return -17 - 32 * k - B[0]
        if not tracked:
            memory[0], memory[1], memory[2] = 0.0, -1.0, -1.0
            memory[3] = 0.0
        if query(FA, IA, FB, IB, A, B, memory, 0, rows, k * ROW) == CORES_MEET:
            meeting += 1
    return meeting
