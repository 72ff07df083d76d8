"""Distance of a mesh and a convex body: Gilbert's iteration against boxes of the tree and single triangles."""

from __future__ import annotations

import math

import numpy as np

from keepclear.compiler.kernel import kernel
from keepclear.kernels.convex import gjk
from keepclear.kernels.convex import support as core
from keepclear.kernels.convex.pose import relative_matrix
from keepclear.kernels.tables.surface import EXTENT, N_TRIANGLES, ORIGIN, SOLID, SURFACE_HEADER
from keepclear.kernels.trees.nearest_triangle import push_two
from keepclear.kernels.trees.obb_distance import CONTAINED, SHRINK
from keepclear.kernels.trees.obb_pair import STACK, node_of_b
from keepclear.kernels.trees.obb_tree import LINK, NODE
from keepclear.kernels.trees.winding import winding
from keepclear.kernels.triangles.exact import SCRATCH
from keepclear.kernels.vectors import dot, minus, put, three, turned_back

# A row's last number: the closest triangle.
TRIANGLE = 14
DEEP = 1e-6  # fraction of its size by which a body is shrunk to distinguish overlap from touch
ROOM = core.HEADER + 9  # size of a part of the mesh as a convex core


@kernel(boundscheck=False)
def _shared_point(M, pose, ax, ay, az):
    """Return a point of both cores, in A's frame, after a search that ended with the origin inside a tetrahedron.

    Its corners are differences of points of A and B, and are in the four slots of M. The weights that combine them to
    the origin combine the points of A and those of B to the same point. A flat tetrahedron gives the point (ax, ay,
    az).
    """
    px, py, pz, total = 0.0, 0.0, 0.0, 0.0
    for k in range(4):
        o, p, q = 4 + 6 * ((k + 1) % 4), 4 + 6 * ((k + 2) % 4), 4 + 6 * ((k + 3) % 4)
        x, y, z = gjk.difference(pose, M[o], M[o + 1], M[o + 2], M[o + 3], M[o + 4], M[o + 5])
        u, v, w = gjk.difference(pose, M[p], M[p + 1], M[p + 2], M[p + 3], M[p + 4], M[p + 5])
        a, b, c = gjk.difference(pose, M[q], M[q + 1], M[q + 2], M[q + 3], M[q + 4], M[q + 5])
        # The weight of a corner is the volume of the origin and the other three corners; signs alternate.
        weight = x * (v * c - w * b) + y * (w * a - u * c) + z * (u * b - v * a)
        weight = -weight if k % 2 else weight
        i = 4 + 6 * k
        px, py, pz = px + weight * M[i], py + weight * M[i + 1], pz + weight * M[i + 2]
        total += weight
    if not abs(total) > 0.0:
        return ax, ay, az
    return px / total, py / total, pz / total


@kernel(boundscheck=False)
def _core_distance(FA, IA, FB, IB, pose, M):
    """Return (whether the cores of A and B intersect, upper and lower bound on their distance, v, A's point).

    Bounds hold for these numbers; the caller subtracts the rounding error. v points from B to A.
    """
    M[0], M[1], M[2] = 0.0, -1.0, -1.0
    M[3] = 0.0
    inside, upper, lower, vx, vy, vz, l1, l2, l3, _, _, _ = gjk.search(FA, IA, FB, IB, pose, M, 0)
    ax, ay, az, bx, by, bz = gjk.witness_points(M, 0, l1, l2, l3)
    if inside:
        ax, ay, az = _shared_point(M, pose, ax, ay, az)
        return inside, 0.0, 0.0, vx, vy, vz, ax, ay, az
    ex, ey, ez = gjk.difference(pose, ax, ay, az, bx, by, bz)
    ex, ey, ez = ex - vx, ey - vy, ez - vz
    return (
        inside,
        upper + math.sqrt(ex * ex + ey * ey + ez * ez),
        min(lower, upper),
        vx, vy, vz, ax - 0.5 * ex, ay - 0.5 * ey, az - 0.5 * ez,
    )  # fmt: skip


@kernel(boundscheck=False)
def _meets_inside(FA, IA, FB, IB, pose, rounding, M):
    """Return whether core A still intersects B when B is shrunk by a millionth about its centre.

    Two cores that intersect only to rounding may touch or overlap; this distinguishes the two.
    """
    x, y, z = DEEP * FB[core.CENTER], DEEP * FB[core.CENTER + 1], DEEP * FB[core.CENTER + 2]
    r0, r1, r2 = pose[0], pose[1], pose[2]
    r3, r4, r5 = pose[3], pose[4], pose[5]
    r6, r7, r8 = pose[6], pose[7], pose[8]
    k = 1.0 - DEEP
    shrunk = (
        k * r0, k * r1, k * r2, k * r3, k * r4, k * r5, k * r6, k * r7, k * r8,
        pose[9] + r0 * x + r1 * y + r2 * z, pose[10] + r3 * x + r4 * y + r5 * z, pose[11] + r6 * x + r7 * y + r8 * z,
    )  # fmt: skip
    inside, upper, _, _, _, _, _, _, _ = _core_distance(FA, IA, FB, IB, shrunk, M)
    return inside or upper <= k * FB[core.RADIUS] + rounding


@kernel(inline=True, boundscheck=False)
def as_box(S, N, node, rel, P):
    """Write the core of a node's box to P, and return the pose of B in its coordinates.

    In the coordinates y = axes (x - centre) the box is |y| <= half sizes; they stretch lengths by less than 4e-7.
    """
    a, b, c, center, (p, q, r) = node_of_b(N, NODE * node)
    turn = rel[0:3], rel[3:6], rel[6:9]
    x = minus(minus(rel[9:12], three(S, ORIGIN)), center)
    P[core.KIND] = core.BOX
    P[core.SIZE_X], P[core.SIZE_Y], P[core.SIZE_Z] = p, q, r
    P[core.EXTENT] = p + q + r
    P[core.CENTER], P[core.CENTER + 1], P[core.CENTER + 2] = 0.0, 0.0, 0.0
    return (
        *turned_back(turn, a),
        *turned_back(turn, b),
        *turned_back(turn, c),
        dot(a, x),
        dot(b, x),
        dot(c, x),
    )


@kernel(boundscheck=False)
def _box_bound(S, N, node, FB, IB, rel, P, K, M):
    """Return a lower bound on the distance between a node's box and the core of B."""
    pose = as_box(S, N, node, rel, P)
    _, _, lower, _, _, _, _, _, _ = _core_distance(P, K, FB, IB, pose, M)
    return lower * SHRINK


@kernel(boundscheck=False)
def as_triangle(S, T, t, P):
    """Write the core of a triangle to P."""
    P[core.KIND], P[core.COUNT], P[core.EXTENT] = core.SCAN, 3.0, S[EXTENT]
    for i in range(3):
        put(P, core.HEADER + 3 * i, three(S, SURFACE_HEADER + 3 * T[3 * t + i]))
    for i in range(3):
        P[core.CENTER + i] = (P[core.HEADER + i] + P[core.HEADER + 3 + i] + P[core.HEADER + 6 + i]) / 3.0


@kernel(boundscheck=False)
def _is_inside_convex(S, T, t, FB, IB, rel, rounding, P, K, M):
    """Return whether all corners of a triangle are certainly inside the convex body."""
    for i in range(3):
        q = SURFACE_HEADER + 3 * T[3 * t + i]
        pose = (
            rel[0], rel[1], rel[2], rel[3], rel[4], rel[5], rel[6], rel[7], rel[8],
            rel[9] - S[q], rel[10] - S[q + 1], rel[11] - S[q + 2],
        )  # fmt: skip
        P[core.KIND], P[core.EXTENT] = core.POINT, S[EXTENT]
        P[core.SIZE_X], P[core.SIZE_Y], P[core.SIZE_Z] = 0.0, 0.0, 0.0  # those of the last box remain
        P[core.CENTER], P[core.CENTER + 1], P[core.CENTER + 2] = 0.0, 0.0, 0.0
        # harmless (rounding): fewer meshes count as contained; they intersect then, a contact too
        if not _meets_inside(P, K, FB, IB, pose, rounding, M):
            return False
    return True


@kernel(boundscheck=False)
def compare_leaf(S, T, t, FB, IB, rel, rounding, P, K, M, best, lower, upper, closest):
    """Compare a triangle with the convex body; return lower and upper bound, closest triangle so far, and contact.

    `best` receives the normal, then A's point, if it is the closest.
    """
    radius = FB[core.RADIUS]
    as_triangle(S, T, t, P)
    inside, high, low, vx, vy, vz, ax, ay, az = _core_distance(P, K, FB, IB, rel, M)
    lower = min(lower, low - radius - (FB[core.DEFECT] + rounding))
    if high - radius < upper or inside:
        upper, closest = high - radius, t
        length = math.sqrt(vx * vx + vy * vy + vz * vz)
        f = -1.0 / length if length > 0.0 else 0.0
        best[0], best[1], best[2] = f * vx, f * vy, f * vz
        best[3], best[4], best[5] = ax, ay, az
    meets = inside or upper + rounding < 0.0
    if not meets and upper <= rounding and closest == t:
        meets = _meets_inside(P, K, FB, IB, rel, rounding, M)
    return lower, upper, closest, meets


@kernel(boundscheck=False)
def _nearest(S, T, N, L, FB, IB, rel, rounding, work, P, K, M, best):
    """Search one pose; return (state of the surfaces, lower, upper, triangle, box tests).

    `best` receives the normal, then A's point.
    """
    stack, bounds = work
    # harmless (FB[core.DEFECT]): the lower bound of the nearest leaf is as much below `upper`
    # harmless (rounding): likewise
    reach = FB[core.RADIUS] + FB[core.DEFECT] + rounding
    state, lower, upper, closest = gjk.SEPARATE, math.inf, math.inf, -1
    stack[0], depth, visited = 0, 1, 0
    bounds[0] = -math.inf
    while depth > 0:
        depth -= 1
        if bounds[depth] - reach > upper:
            continue
        node = stack[depth]
        link = L[NODE * node + LINK]
        if link >= 0:
            first = _box_bound(S, N, link, FB, IB, rel, P, K, M)
            second = _box_bound(S, N, link + 1, FB, IB, rel, P, K, M)
            visited += 2
            depth = push_two(link, first, second, stack, bounds, depth)
            continue
        lower, upper, closest, meets = compare_leaf(
            S, T, -1 - link, FB, IB, rel, rounding, P, K, M, best, lower, upper, closest
        )
        if meets:
            return gjk.INTERFERING, 0.0, 0.0, closest, visited
    if lower <= 0.0:
        state = gjk.TOUCHING
    return state, max(0.0, lower), upper + rounding, closest, visited


@kernel(boundscheck=False)
def lies_within(S, T, t, FB, IB, rel, rounding, P, K, M):
    """Return whether the whole mesh is certainly inside the convex body."""
    n = int(S[N_TRIANGLES])
    for m in range(n):  # from the triangle found on: its neighbours are the most likely to be outside
        # harmless (rounding): fewer meshes count as contained; they intersect then, a contact too
        if not _is_inside_convex(S, T, (t + m) % n, FB, IB, rel, rounding, P, K, M):
            return False
    return True


@kernel(boundscheck=False)
def write_row(X_WA, i, state, lower, upper, rounding, t, visited, best, rows, at):
    """Write the answer for one pose, transformed from A's frame to the world."""
    rows[at + gjk.ITERATIONS], rows[at + gjk.STATE] = visited, state
    rows[at + TRIANGLE], rows[at + TRIANGLE + 1] = t, -1.0
    contact = state == gjk.INTERFERING or state == CONTAINED
    rows[at + gjk.LOWER] = 0.0 if contact else lower
    rows[at + gjk.UPPER] = 0.0 if contact else upper
    # harmless (max): an estimate between the bounds
    # harmless (rounding): likewise
    rows[at + gjk.DISTANCE] = 0.0 if contact or lower <= 0.0 else max(lower, upper - rounding)
    if contact:
        best[0], best[1], best[2] = math.nan, math.nan, math.nan
    for m in range(3):
        rows[at + gjk.NORMAL + m] = (
            X_WA[i, m, 0] * best[0] + X_WA[i, m, 1] * best[1] + X_WA[i, m, 2] * best[2]
        )
        p = X_WA[i, m, 0] * best[3] + X_WA[i, m, 1] * best[4] + X_WA[i, m, 2] * best[5] + X_WA[i, m, 3]
        rows[at + gjk.POINT_A + m] = p
        rows[at + gjk.POINT_B + m] = p if contact else p + rows[at + gjk.DISTANCE] * rows[at + gjk.NORMAL + m]


@kernel(
    "void(float64[::1], int32[::1], float32[::1], int32[::1], float64[::1], int32[::1], float64[:,:,::1],"
    " float64[:,:,::1], float64[::1], int64, int64)",
    allocates=True,
)
def distance(S, T, N, L, FB, IB, X_WA, X_WB, rows, begin, end):
    """Fill the rows of the poses from `begin` to before `end`, as `gjk` writes them, for a mesh A and a convex body B.

    Args:
        S, T, N, L: Surface and tree of A.
        FB, IB: The core of B (see `support`).
        X_WA, X_WB: Checked rigid poses; one on a side is repeated.
    """
    stack, bounds = np.empty(STACK, np.int32), np.empty(STACK)
    fill_rows(_nearest, winding, S, T, N, L, FB, IB, X_WA, X_WB, rows, begin, end, (stack, bounds), stack)


@kernel(inline=True, allocates=True)
def fill_rows(nearest, winding_of, S, T, N, L, FB, IB, X_WA, X_WB, rows, begin, end, work, rays):
    """Do the same with the search and the winding numbers of a kind of tree, and their scratch."""
    P, K, M = np.zeros(ROOM), np.zeros(1, np.int32), np.zeros(gjk.MEMORY)
    best, digits, maps, point = (
        np.empty(6),
        np.empty(SCRATCH, np.int64),
        np.empty(24),
        np.zeros(SURFACE_HEADER + 3),
    )
    for i in range(3):
        point[SURFACE_HEADER + i] = FB[core.CENTER + i]
    one_a, one_b = X_WA.shape[0] == 1, X_WB.shape[0] == 1
    for k in range(begin, end):
        i, j, at = 0 if one_a else k, 0 if one_b else k, gjk.ROW * k
        r00, r01, r02, r10, r11, r12, r20, r21, r22, tx, ty, tz, _ = relative_matrix(X_WA, i, X_WB, j)
        rel = (r00, r01, r02, r10, r11, r12, r20, r21, r22, tx, ty, tz)
        scale = S[EXTENT] + FB[core.EXTENT] + FB[core.RADIUS] + math.sqrt(tx * tx + ty * ty + tz * tz)
        rounding = gjk.ROUNDING * scale
        state, lower, upper, t, visited = nearest(S, T, N, L, FB, IB, rel, rounding, work, P, K, M, best)
        if state == gjk.SEPARATE and S[SOLID] != 0.0:
            x, y, z = FB[core.CENTER], FB[core.CENTER + 1], FB[core.CENTER + 2]
            x, y, z = (
                r00 * x + r01 * y + r02 * z + tx,
                r10 * x + r11 * y + r12 * z + ty,
                r20 * x + r21 * y + r22 * z + tz,
            )
            for m in range(12):
                maps[m], maps[12 + m] = X_WA[i, m // 4, m % 4], X_WB[j, m // 4, m % 4]
            # harmless (rounding): the surface is farther away: the winding number is the same
            if winding_of(S, T, N, L, x, y, z, rounding, point, 0, True, maps, digits, rays) != 0:
                state = CONTAINED
                best[3], best[4], best[5] = x, y, z
        # harmless (rounding): both states are contacts
        elif state == gjk.INTERFERING and lies_within(S, T, t, FB, IB, rel, rounding, P, K, M):
            state = CONTAINED
        # harmless (rounding): only the estimate between the bounds depends on it
        write_row(X_WA, i, state, lower, upper, rounding, t, visited, best, rows, at)
