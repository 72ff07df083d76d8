"""The distance of two meshes by their trees of oriented boxes: the least over all pairs of triangles, certified."""

from __future__ import annotations

import math

import numpy as np

from keepclear.kernels import gjk
from keepclear.kernels import triangle_distance as triangle
from keepclear.kernels._compile import kernel
from keepclear.kernels.exact import APART, COPLANAR, CROSS, SCRATCH
from keepclear.kernels.obb_pair import (
    BOX_PAIRS,
    LEAF_PAIRS,
    STACK,
    corner_of_a,
    corner_of_b,
    leaves_meet,
    place,
)
from keepclear.kernels.obb_tree import HALF, LINK, NODE, ORIGIN, ROOT_HALF, SOLID
from keepclear.kernels.winding import contained

# Along axes in single precision gaps are wrong by at most 4e-7 of themselves (docs/theory/mesh-contacts).
SHRINK = 1.0 - 2e-6
# Once surfaces touch, so many pairs of triangles are looked at for one that crosses before they are called touching.
TOUCHING_PAIRS = 20_000
# What is remembered from frame to frame: the closest triangles (-1 for none), how many pairs the front has, and the
# number of the frame. In `motion`: how far B has moved in all, then the last relative matrix.
TRIANGLE_A, TRIANGLE_B, SIZE, FRAME, MEMORY = 0, 1, 2, 3, 4
MOTION = 14
CONTAINED = 3  # a state, beside those of `gjk`
FACE_A, FACE_B = 14, 15  # of a row
LIMIT = 7  # of the state: pause when so many pairs of boxes have been compared
FULL = -1


@kernel(inline=True, boundscheck=False)
def _insert(keys, nodes, size, key, a, b, frame):
    """Add a pair to the heap; return its new size."""
    i = size
    while i > 0:
        up = (i - 1) >> 1
        if keys[up] <= key:
            break
        keys[i] = keys[up]
        nodes[3 * i], nodes[3 * i + 1], nodes[3 * i + 2] = nodes[3 * up], nodes[3 * up + 1], nodes[3 * up + 2]
        i = up
    keys[i] = key
    nodes[3 * i], nodes[3 * i + 1], nodes[3 * i + 2] = a, b, frame
    return size + 1


@kernel(boundscheck=False)
def _remove_first(keys, nodes, size):
    """Take the pair with the least key out of the heap; return its new size."""
    size -= 1
    key, i = keys[size], 0
    a, b, frame = nodes[3 * size], nodes[3 * size + 1], nodes[3 * size + 2]
    while True:
        down = 2 * i + 1
        if down >= size:
            break
        if down + 1 < size and keys[down + 1] < keys[down]:
            down += 1
        if key <= keys[down]:
            break
        keys[i] = keys[down]
        nodes[3 * i], nodes[3 * i + 1], nodes[3 * i + 2] = (
            nodes[3 * down],
            nodes[3 * down + 1],
            nodes[3 * down + 2],
        )
        i = down
    keys[i] = key
    nodes[3 * i], nodes[3 * i + 1], nodes[3 * i + 2] = a, b, frame
    return size


@kernel(inline=True, boundscheck=False)
def _push(
    NA, a, na, NB, b, nb, r00, r01, r02, r10, r11, r12, r20, r21, r22, tx, ty, tz, scale, nx, ny, nz, limit, slack,
    moved, frame, tracked, keys, nodes, size,
):  # fmt: skip
    """Add pairs of nodes to the heap: those that may be closer than the limit, squared, and all if a motion is tracked.

    The key is a lower bound of the distance, plus how far B has moved until now: it stays one while B moves on, since no
    distance shrinks faster than B moves. Boxes that overlap get a negative key, those with the nearest centres first.

    Names as in `obb_pair._descend`. What is between two boxes along any direction is a lower bound of their distance.
    Three kinds are tried, the cheap ones first. Along n, the way between the closest points so far (in B's frame),
    which is nearly right for all that is near them. Along the line of centres, good for boxes that are far apart. And
    along the axes: the gaps along the three axes of one box are legs of right angles, so the root of the sum of their
    squares counts; good for surfaces that face each other.
    """
    inverse = 1.0 / (scale * scale)
    for p in range(NODE * a, NODE * (a + na), NODE):
        x, y, z = np.float64(NA[p + 3]), np.float64(NA[p + 4]), np.float64(NA[p + 5])
        w00, w01, w02 = r00 * x + r10 * y + r20 * z, r01 * x + r11 * y + r21 * z, r02 * x + r12 * y + r22 * z
        x, y, z = np.float64(NA[p + 6]), np.float64(NA[p + 7]), np.float64(NA[p + 8])
        w10, w11, w12 = r00 * x + r10 * y + r20 * z, r01 * x + r11 * y + r21 * z, r02 * x + r12 * y + r22 * z
        x, y, z = np.float64(NA[p + 9]), np.float64(NA[p + 10]), np.float64(NA[p + 11])
        w20, w21, w22 = r00 * x + r10 * y + r20 * z, r01 * x + r11 * y + r21 * z, r02 * x + r12 * y + r22 * z
        x, y, z = tx - np.float64(NA[p]), ty - np.float64(NA[p + 1]), tz - np.float64(NA[p + 2])
        fx, fy = inverse * (r00 * x + r10 * y + r20 * z), inverse * (r01 * x + r11 * y + r21 * z)
        fz = inverse * (r02 * x + r12 * y + r22 * z)
        h0, h1, h2 = np.float64(NA[p + HALF]), np.float64(NA[p + HALF + 1]), np.float64(NA[p + HALF + 2])
        g0, g1, g2 = inverse * h0, inverse * h1, inverse * h2
        reach = (
            h0 * abs(w00 * nx + w01 * ny + w02 * nz)
            + h1 * abs(w10 * nx + w11 * ny + w12 * nz)
            + h2 * abs(w20 * nx + w21 * ny + w22 * nz)
        ) * (inverse * scale)
        for q in range(NODE * b, NODE * (b + nb), NODE):
            gx, gy, gz = np.float64(NB[q]) + fx, np.float64(NB[q + 1]) + fy, np.float64(NB[q + 2]) + fz
            k0, k1, k2 = np.float64(NB[q + HALF]), np.float64(NB[q + HALF + 1]), np.float64(NB[q + HALF + 2])
            v00, v01, v02 = np.float64(NB[q + 3]), np.float64(NB[q + 4]), np.float64(NB[q + 5])
            v10, v11, v12 = np.float64(NB[q + 6]), np.float64(NB[q + 7]), np.float64(NB[q + 8])
            v20, v21, v22 = np.float64(NB[q + 9]), np.float64(NB[q + 10]), np.float64(NB[q + 11])
            gap = nx * gx + ny * gy + nz * gz
            gap -= k0 * abs(v00 * nx + v01 * ny + v02 * nz) + k1 * abs(v10 * nx + v11 * ny + v12 * nz)
            gap = scale * (gap - k2 * abs(v20 * nx + v21 * ny + v22 * nz)) - reach
            if gap > 0.0 and gap * gap > limit:
                if tracked:
                    size = _insert(
                        keys, nodes, size, gap * SHRINK - slack + moved, p // NODE, q // NODE, frame
                    )
                continue
            # Where B's centre comes to lie when it is brought to A, to B and to A again: nearly the closest points.
            x, y, z = (
                w00 * gx + w01 * gy + w02 * gz,
                w10 * gx + w11 * gy + w12 * gz,
                w20 * gx + w21 * gy + w22 * gz,
            )
            x, y, z = (
                inverse * min(max(x, -h0), h0),
                inverse * min(max(y, -h1), h1),
                inverse * min(max(z, -h2), h2),
            )
            dx, dy = w00 * x + w10 * y + w20 * z - gx, w01 * x + w11 * y + w21 * z - gy
            dz = w02 * x + w12 * y + w22 * z - gz
            x, y, z = (
                v00 * dx + v01 * dy + v02 * dz,
                v10 * dx + v11 * dy + v12 * dz,
                v20 * dx + v21 * dy + v22 * dz,
            )
            x, y, z = min(max(x, -k0), k0), min(max(y, -k1), k1), min(max(z, -k2), k2)
            px, py = gx + v00 * x + v10 * y + v20 * z, gy + v01 * x + v11 * y + v21 * z
            pz = gz + v02 * x + v12 * y + v22 * z
            x, y, z = (
                w00 * px + w01 * py + w02 * pz,
                w10 * px + w11 * py + w12 * pz,
                w20 * px + w21 * py + w22 * pz,
            )
            x, y, z = (
                inverse * min(max(x, -h0), h0),
                inverse * min(max(y, -h1), h1),
                inverse * min(max(z, -h2), h2),
            )
            dx, dy = px - (w00 * x + w10 * y + w20 * z), py - (w01 * x + w11 * y + w21 * z)
            dz = pz - (w02 * x + w12 * y + w22 * z)
            square = dx * dx + dy * dy + dz * dz
            gap = dx * gx + dy * gy + dz * gz
            gap -= g0 * abs(w00 * dx + w01 * dy + w02 * dz) + g1 * abs(w10 * dx + w11 * dy + w12 * dz)
            gap -= g2 * abs(w20 * dx + w21 * dy + w22 * dz) + k0 * abs(v00 * dx + v01 * dy + v02 * dz)
            gap -= k1 * abs(v10 * dx + v11 * dy + v12 * dz) + k2 * abs(v20 * dx + v21 * dy + v22 * dz)
            bound = scale * scale * gap * gap / square if gap > 0.0 else 0.0
            if bound > limit and not tracked:
                continue
            square = gx * gx + gy * gy + gz * gz
            key = math.sqrt(bound) * SHRINK - slack
            if key <= 0.0:
                key = -1.0 / (square + 1e-300)
            size = _insert(keys, nodes, size, key + moved, p // NODE, q // NODE, frame)
    return size


@kernel(inline=True, boundscheck=False)
def _limit(upper, slack):
    """Return the squared bound from which on a pair of boxes cannot be closer than `upper`."""
    limit = (upper + slack) / SHRINK
    return limit * limit


@kernel(boundscheck=False)
def _measure(SA, TA, ta, SB, TB, tb, Q, upper, nx, ny, nz, W):
    """Write the closest points of two triangles to W, unless a direction shows that they are not closer than `upper`.

    The direction n between the closest points so far settles nearly all pairs around them: where both surfaces bulge
    towards each other it separates every pair by as much. Then come the normals of the two triangles.
    """
    ax, ay, az = corner_of_a(SA, TA, 3 * ta)
    bx, by, bz = corner_of_a(SA, TA, 3 * ta + 1)
    cx, cy, cz = corner_of_a(SA, TA, 3 * ta + 2)
    px, py, pz = corner_of_b(SB, TB, 3 * tb, Q)
    qx, qy, qz = corner_of_b(SB, TB, 3 * tb + 1, Q)
    rx, ry, rz = corner_of_b(SB, TB, 3 * tb + 2, Q)
    enough = upper - Q[13]
    gap = triangle.gap_along(
        ax, ay, az, bx, by, bz, cx, cy, cz, px, py, pz, qx, qy, qz, rx, ry, rz, nx, ny, nz
    )  # fmt: skip
    if gap <= enough:
        gap = triangle.plane_gap(ax, ay, az, bx, by, bz, cx, cy, cz, px, py, pz, qx, qy, qz, rx, ry, rz)
    if gap <= enough:
        gap = triangle.plane_gap(px, py, pz, qx, qy, qz, rx, ry, rz, ax, ay, az, bx, by, bz, cx, cy, cz)
    if gap > enough:
        W[triangle.SQUARE], W[triangle.LOWER] = math.inf, gap
        return
    triangle.closest(ax, ay, az, bx, by, bz, cx, cy, cz, px, py, pz, qx, qy, qz, rx, ry, rz, W)


@kernel(boundscheck=False)
def _crosses(SA, TA, ta, SB, TB, tb, Q, kind):
    """Tell whether two triangles that meet show that bodies overlap: they cross, or solids lie on the same side of both."""
    if kind != COPLANAR or SA[SOLID] == 0.0 or SB[SOLID] == 0.0:
        return kind == CROSS
    ax, ay, az = corner_of_a(SA, TA, 3 * ta)
    bx, by, bz = corner_of_a(SA, TA, 3 * ta + 1)
    cx, cy, cz = corner_of_a(SA, TA, 3 * ta + 2)
    px, py, pz = corner_of_b(SB, TB, 3 * tb, Q)
    qx, qy, qz = corner_of_b(SB, TB, 3 * tb + 1, Q)
    rx, ry, rz = corner_of_b(SB, TB, 3 * tb + 2, Q)
    ux, uy, uz = bx - ax, by - ay, bz - az
    vx, vy, vz = cx - ax, cy - ay, cz - az
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    ux, uy, uz = qx - px, qy - py, qz - pz
    vx, vy, vz = rx - px, ry - py, rz - pz
    return nx * (uy * vz - uz * vy) + ny * (uz * vx - ux * vz) + nz * (ux * vy - uy * vx) > 0.0


@kernel(boundscheck=False)
def _moved(SB, Q, motion):
    """Return how far a point of B can have moved in A's frame since the last frame, and remember this one."""
    way, turn = 0.0, 0.0
    for i in range(3):
        d = Q[9 + i] - motion[10 + i]
        for j in range(3):
            r = Q[3 * i + j] - motion[1 + 3 * i + j]
            d += r * SB[ORIGIN + j]
            turn += r * r
        way += d * d
    for k in range(13):
        motion[1 + k] = Q[k]
    radius = math.sqrt(SB[ROOT_HALF] ** 2 + SB[ROOT_HALF + 1] ** 2 + SB[ROOT_HALF + 2] ** 2)
    return (math.sqrt(way) + math.sqrt(turn) * radius) * (1.0 + 1e-9) + 2.0 * Q[13]


@kernel(boundscheck=False)
def _nearest(
    SA, TA, NA, LA, SB, TB, NB, LB, Q, M, memory, motion, tracked, state, keys, nodes, digits, W, best
):  # fmt: skip
    """Search one pose; return (contact, lower bound), contact SEPARATE, TOUCHING or INTERFERING of the surfaces, or FULL.

    `best` gets what `triangle_distance` writes, `memory` the closest pair. The pair of nodes that may be closest is opened
    first, until none may be closer than what was found. While a motion is tracked, what was never opened stays in the
    heap with its bound: a front through the product of both trees, which the next frame starts from. It finds nearly
    all of it still far enough away and looks only at pairs whose bound the motion has used up.
    """
    r00, r01, r02 = Q[0], Q[1], Q[2]
    r10, r11, r12 = Q[3], Q[4], Q[5]
    r20, r21, r22 = Q[6], Q[7], Q[8]
    tx, ty, tz = Q[14], Q[15], Q[16]
    scale, slack = math.sqrt(Q[12]), Q[13]
    near = 4.0 * slack
    contact, lower, upper, limit = gjk.SEPARATE, math.inf, math.inf, math.inf
    touching, nx, ny, nz = 0, 0.0, 0.0, 0.0
    mx, my, mz = 0.0, 0.0, 0.0  # the same direction in A's frame
    best[triangle.SQUARE] = math.inf
    size, frame, room = memory[SIZE], memory[FRAME], keys.shape[0]
    done = room  # leaves that this frame has measured wait at the end of the heap's room
    moved = motion[0]
    # The closest pair of the last frame, if there is one, comes first: its distance prunes nearly everything.
    a, b, key, fresh = -1, -1, 0.0, True
    la, lb = -1 - memory[TRIANGLE_A], -1 - memory[TRIANGLE_B]
    warm = la < 0 and lb < 0
    while warm or size > 0:
        if not warm:
            key = keys[0] - moved
            if key > (upper if contact == gjk.SEPARATE else near):
                break
            if done - size < 5:
                return FULL, 0.0
            a, b = nodes[0], nodes[1]
            fresh = nodes[2] == frame
            la, lb = LA[NODE * a + LINK], LB[NODE * b + LINK]
            size = _remove_first(keys, nodes, size)
        if la >= 0 or lb >= 0:
            na, nb = 1, 1
            if fresh:
                size_a, size_b = NA[NODE * a + HALF + 2], scale * NB[NODE * b + HALF + 2]
                if la >= 0 and (lb < 0 or size_a >= 0.5 * size_b):
                    a, na = la, 2
                if lb >= 0 and (la < 0 or size_b >= 0.5 * size_a):
                    b, nb = lb, 2
            state[BOX_PAIRS] += na * nb
            size = _push(
                NA, a, na, NB, b, nb, r00, r01, r02, r10, r11, r12, r20, r21, r22, tx, ty, tz, scale, nx, ny, nz,
                limit, slack, moved, frame, tracked, keys, nodes, size,
            )  # fmt: skip
            continue
        ta, tb = -1 - la, -1 - lb
        kind = leaves_meet(SA, TA, ta, SB, TB, tb, Q, M, state, digits) if key <= near else APART
        if kind != APART:
            memory[TRIANGLE_A], memory[TRIANGLE_B] = ta, tb
            contact = gjk.TOUCHING
            touching += 1
            W[triangle.LOWER] = 0.0
        elif contact == gjk.SEPARATE:
            state[LEAF_PAIRS] += 1
            _measure(SA, TA, ta, SB, TB, tb, Q, upper, mx, my, mz, W)
            lower = min(lower, W[triangle.LOWER])
            if W[triangle.SQUARE] < best[triangle.SQUARE]:
                for i in range(triangle.RESULT):
                    best[i] = W[i]
                memory[TRIANGLE_A], memory[TRIANGLE_B] = ta, tb
                upper = math.sqrt(best[triangle.SQUARE])
                limit = _limit(upper, slack)
                if upper > 0.0:
                    x, y, z = best[triangle.GAP], best[triangle.GAP + 1], best[triangle.GAP + 2]
                    mx, my, mz = x / upper, y / upper, z / upper
                    f = 1.0 / (upper * scale)
                    nx, ny = f * (r00 * x + r10 * y + r20 * z), f * (r01 * x + r11 * y + r21 * z)
                    nz = f * (r02 * x + r12 * y + r22 * z)
        else:
            W[triangle.LOWER] = 0.0
        if tracked and not warm:
            done -= 1
            keys[done] = max(0.0, W[triangle.LOWER] - slack) + moved
            nodes[3 * done], nodes[3 * done + 1] = a, b
        warm = False
        if kind != APART and (_crosses(SA, TA, ta, SB, TB, tb, Q, kind) or touching > TOUCHING_PAIRS):
            contact = gjk.INTERFERING if touching <= TOUCHING_PAIRS else contact
            break
    for i in range(done, room):
        size = _insert(keys, nodes, size, keys[i], nodes[3 * i], nodes[3 * i + 1], frame)
    memory[SIZE] = size
    return contact, lower


@kernel(boundscheck=False)
def _write_row(X, k, Q, best, contact, lower, scale_a, rows, at):
    """Write the answer for one pose: to the world from A's frame, lengths times A's scale."""
    slack = Q[13]
    d = math.sqrt(best[triangle.SQUARE])
    rows[at + gjk.STATE] = contact
    if contact != gjk.SEPARATE:
        for i in range(gjk.DISTANCE, gjk.NORMAL + 3):
            rows[at + i] = math.nan
        rows[at + gjk.DISTANCE], rows[at + gjk.LOWER], rows[at + gjk.UPPER] = 0.0, 0.0, 0.0
        return
    # Exact arithmetic has shown that they do not meet, so the distance is above zero whatever rounding leaves.
    rows[at + gjk.DISTANCE] = scale_a * d
    rows[at + gjk.LOWER] = max(5e-324, scale_a * ((min(lower, d) - slack) * (1.0 - 1e-15)))
    rows[at + gjk.UPPER] = scale_a * ((d + slack) * (1.0 + 1e-15))
    x, y, z = best[triangle.POINT], best[triangle.POINT + 1], best[triangle.POINT + 2]
    u, v, w = best[triangle.GAP], best[triangle.GAP + 1], best[triangle.GAP + 2]
    for i in range(3):
        p = X[k, i, 0] * x + X[k, i, 1] * y + X[k, i, 2] * z + X[k, i, 3]
        g = X[k, i, 0] * u + X[k, i, 1] * v + X[k, i, 2] * w
        rows[at + gjk.POINT_A + i] = p
        rows[at + gjk.POINT_B + i] = p + g
        rows[at + gjk.NORMAL + i] = g / (scale_a * d) if d > 0.0 else math.nan


@kernel(
    "int64(float64[::1], int32[::1], float32[::1], int32[::1], float64[::1], int32[::1], float32[::1], int32[::1],"
    " float64[:,:,::1], float64[:,:,::1], float64[::1], float64[::1], int64[::1], float64[::1], float64[::1], int32[::1],"
    " int64[::1], boolean, int64, int64)",
    allocates=True,
)
def distance(
    SA, TA, NA, LA, SB, TB, NB, LB, X_WA, X_WB, scales_a, rows, memory, motion, keys, nodes, state, tracked, first, last
):  # fmt: skip
    """Fill the rows of the poses from `first` to before `last`; return the pose where to go on, or -1 - it if the heap is full.

    Args:
        SA, TA, NA, LA: Surface and tree of A; likewise B.
        X_WA, X_WB: Checked poses; one on a side is repeated.
        scales_a: The scale in each pose of A.
        rows: Result rows as `gjk` writes them; the last two numbers are the closest triangles.
        memory: MEMORY numbers, the last frame; its FRAME is -1 when there is none.
        motion: MOTION numbers, likewise.
        keys, nodes: Room for the heap: a number and three integers per pair.
        state: Counts, as `obb_pair` keeps them.
        tracked: Whether the poses are frames of a motion, each started from the front of the last one.
    """
    Q, M = np.empty(20), np.empty(24)
    W, best = np.empty(triangle.RESULT), np.empty(triangle.RESULT)
    stack, digits = np.empty(STACK, np.int32), np.empty(SCRATCH, np.int64)
    one_a, one_b = X_WA.shape[0] == 1, X_WB.shape[0] == 1
    for k in range(first, last):
        i, j, at = 0 if one_a else k, 0 if one_b else k, gjk.ROW * k
        place(SA, SB, X_WA, i, X_WB, j, Q, M)
        if not tracked:
            memory[TRIANGLE_A], memory[TRIANGLE_B] = -1, -1
        way = _moved(SB, Q, motion)
        if not tracked or memory[FRAME] < 0:
            memory[SIZE], memory[FRAME], motion[0] = 1, 0, 0.0
            keys[0] = -math.inf
            nodes[0], nodes[1], nodes[2] = 0, 0, 1
        else:
            motion[0] += way
        memory[FRAME] += 1
        before = state[BOX_PAIRS]
        contact, lower = _nearest(
            SA, TA, NA, LA, SB, TB, NB, LB, Q, M, memory, motion, tracked, state, keys, nodes, digits, W, best
        )
        if contact == FULL:
            memory[FRAME] = -1
            return -1 - k
        rows[at + gjk.ITERATIONS] = state[BOX_PAIRS] - before
        rows[at + FACE_A], rows[at + FACE_B] = memory[TRIANGLE_A], memory[TRIANGLE_B]
        if contact == gjk.SEPARATE:
            rel = (Q[0], Q[1], Q[2], Q[3], Q[4], Q[5], Q[6], Q[7], Q[8], Q[9], Q[10], Q[11])
            inner = contained(SA, TA, NA, LA, SB, TB, NB, LB, rel, Q[13], M, digits, stack)
            if inner != 0:
                contact = CONTAINED
                rows[at + FACE_A], rows[at + FACE_B] = -1, inner
        _write_row(X_WA, i, Q, best, contact, lower, scales_a[i], rows, at)
        if state[BOX_PAIRS] > state[LIMIT]:
            return k + 1
    return last
