"""Tests whether exact shapes come within a distance of each other at one pose; the search ends at the first contact."""

from __future__ import annotations

import math

import numpy as np

from keepclear.kernels._compile import kernel
from keepclear.kernels.convex import gjk
from keepclear.kernels.convex.support import BOX, CYLINDER, DEFECT, KIND, SIZE_X, SIZE_Y, SIZE_Z
from keepclear.kernels.convex.support import RADIUS as CORE_RADIUS
from keepclear.kernels.edges.layout import (
    ACCELERATION,
    BALL,
    BALL_VELOCITY,
    BOXES,
    COMMON,
    COVERS_ONLY,
    DIRECTION,
    FIRST,
    GAPS,
    HAS_HULL,
    INNER,
    IS_MESH,
    LINKS,
    MARGIN,
    OF_NODE,
    POSE,
    RADIUS,
    REALS,
    SECOND,
    SIZE,
    SLACK,
    SPIN,
    SURFACE,
    TOLERANCE,
    TRIANGLES,
)
from keepclear.kernels.edges.poses import bound_acceleration, velocity_at
from keepclear.kernels.edges.separation import (
    AFTER_SIMPLEX,
    CLOSE,
    PROVED,
    STALLED,
    UNPROVED,
    is_apart,
    separate,
)
from keepclear.kernels.motion.joints import PLACE
from keepclear.kernels.trees import cold_distance, mesh_convex, obb_distance, obb_pair
from keepclear.kernels.trees.mesh_convex import as_box, as_triangle
from keepclear.kernels.trees.obb_tree import LINK, NODE
from keepclear.kernels.trees.surface_layout import ORIGIN

STRETCHED = 1.0 + 1e-6  # boxes in single precision stretch lengths by less than this
REST = (0.0, 0.0, 0.0)


@kernel(boundscheck=False)
def inner_balls_meet(inner, first_a, last_a, first_b, last_b, rel, within):
    """Return whether balls inside of A and of B, whose pose in A's frame is `rel`, come within a distance."""
    for j in range(first_b, last_b):
        x, y, z = inner[j, 0], inner[j, 1], inner[j, 2]
        bx = rel[0] * x + rel[1] * y + rel[2] * z + rel[9]
        by = rel[3] * x + rel[4] * y + rel[5] * z + rel[10]
        bz = rel[6] * x + rel[7] * y + rel[8] * z + rel[11]
        for i in range(first_a, last_a):
            x, y, z = bx - inner[i, 0], by - inner[i, 1], bz - inner[i, 2]
            far = inner[i, 3] + inner[j, 3] + within
            if far > 0.0 and x * x + y * y + z * z <= far * far:
                return True
    return False


@kernel(boundscheck=False)
def inner_ball_meets_convex(inner, first, last, FB, rel, within):
    """Return whether a ball inside of A comes within a distance of B, a box or a cylinder at a pose in A's frame."""
    kind = FB[KIND]
    if kind != BOX and kind != CYLINDER:
        return False
    for i in range(first, last):
        x, y, z = inner[i, 0] - rel[9], inner[i, 1] - rel[10], inner[i, 2] - rel[11]
        bx = abs(rel[0] * x + rel[3] * y + rel[6] * z)
        by = abs(rel[1] * x + rel[4] * y + rel[7] * z)
        bz = max(0.0, abs(rel[2] * x + rel[5] * y + rel[8] * z) - FB[SIZE_Z])
        if kind == BOX:
            bx, by = max(0.0, bx - FB[SIZE_X]), max(0.0, by - FB[SIZE_Y])
        else:
            bx, by = max(0.0, math.sqrt(bx * bx + by * by) - FB[SIZE_X]), 0.0
        far = inner[i, 3] + within + FB[CORE_RADIUS]
        if far > 0.0 and bx * bx + by * by + bz * bz <= far * far:
            return True
    return False


@kernel(inline=True, boundscheck=False)
def _square_to(S, N, node, rel):
    """Return the squared distance from the centre of a node's box to the origin of the convex body."""
    at = NODE * node
    x = rel[9] - S[ORIGIN] - np.float64(N[at])
    y = rel[10] - S[ORIGIN + 1] - np.float64(N[at + 1])
    z = rel[11] - S[ORIGIN + 2] - np.float64(N[at + 2])
    return x * x + y * y + z * z


@kernel(boundscheck=False)
def touches_convex(S, T, N, L, FB, IB, rel, within, slip, slack, P, K, M, stack):
    """Return whether a triangle of a mesh has a point within a distance of a convex body; containment is not tested.

    Args:
        S, T, N, L: Surface and tree of the mesh.
        FB, IB: The core of the convex body.
        rel: Its pose in the mesh's frame.
        within: The distance [m].
        slip: Rounding error of distances [m].
        slack: Greatest shortfall of support points of the convex body [m].
        P, K: Scratch: a part of the mesh as a convex core.
        M: Scratch of `gjk.MEMORY` numbers.
        stack: Scratch: nodes.
    """
    limit = within + FB[CORE_RADIUS]
    # harmless (2.0 * slip): a contact that this search misses is found by the distance that follows it
    # harmless (STRETCHED): likewise
    needed = (limit + 2.0 * slip) * STRETCHED
    at = AFTER_SIMPLEX
    M[at + 4] = -1.0
    stack[0], depth = 0, 1
    while depth > 0:
        depth -= 1
        node = stack[depth]
        link = L[NODE * node + LINK]
        M[at], M[at + 1], M[at + 2], M[at + 3] = 0.0, 0.0, 0.0, -1.0
        if link < 0:
            as_triangle(S, T, -1 - link, P)
            ended, _ = separate(
                P, K, FB, IB, rel, REST, REST, REST, REST, False, 0.0, M, at,
                # harmless (slack): a contact that this search misses is found by the distance that follows it
                (0.0, slack), needed, 0.0, limit - slip, M,
            )  # fmt: skip
            if ended == CLOSE:
                return True
            continue
        pose = as_box(S, N, node, rel, P)
        ended, _ = separate(
            P, K, FB, IB, pose, REST, REST, REST, REST, False, 0.0, M, at,
            # harmless (slack): a contact that this search misses is found by the distance that follows it
            (0.0, slack), needed, 0.0, -1.0, M,
        )  # fmt: skip
        if ended == PROVED:
            continue
        # The child whose centre is nearer to that of B is on top.
        stack[depth], stack[depth + 1] = link, link + 1
        if _square_to(S, N, link, rel) < _square_to(S, N, link + 1, rel):
            stack[depth], stack[depth + 1] = link + 1, link
        depth += 2
    return False


# Status of a pair after an interval: proved, to be halved, or in contact.
APART, HALVE, CONTACT = 0, 1, 2


@kernel(boundscheck=False)
def _pose_of(bodies, placed, o, n_carried, X, k):
    """Write the pose of a body as a matrix (4, 4), and return it as rows of R and p."""
    if o < n_carried:
        r = (
            placed[o, 0], placed[o, 1], placed[o, 2], placed[o, 3], placed[o, 4], placed[o, 5], placed[o, 6],
            placed[o, 7], placed[o, 8], placed[o, PLACE], placed[o, PLACE + 1], placed[o, PLACE + 2],
        )  # fmt: skip
    else:
        p = POSE
        r = (
            bodies[o, p], bodies[o, p + 1], bodies[o, p + 2], bodies[o, p + 4], bodies[o, p + 5], bodies[o, p + 6],
            bodies[o, p + 8], bodies[o, p + 9], bodies[o, p + 10],
            bodies[o, p + 3], bodies[o, p + 7], bodies[o, p + 11],
        )  # fmt: skip
    if k >= 0:
        for i in range(3):
            for j in range(3):
                X[k, 0, i, j] = r[3 * i + j]
            X[k, 0, i, 3] = r[9 + i]
            X[k, 0, 3, i] = 0.0
        X[k, 0, 3, 3] = 1.0
    return r


@kernel(boundscheck=False)
def _exact(bodies, parts, arrays, placed, a, b, n_carried, within, slip, instant, room):
    """Return (certified lower bound, upper bound) on the distance of exact shapes.

    Contact is searched first, because it is faster than a distance: then both bounds are 0, though the distance may be
    as large as `within`. At an instant without a margin no more is needed if all triangles are apart by more than
    `slip`, the rounding of poses; a distance decides where they are not.
    """
    S, T, N, L, F, G, inner = arrays
    X, rows, counts, scales, _, core, dummy, hits, simplex, stack, digits, _ = room
    if parts[a, IS_MESH] == 0:
        a, b = b, a
    A, B = _pose_of(bodies, placed, a, n_carried, X, 0), _pose_of(bodies, placed, b, n_carried, X, 1)
    rel, s, t, n = gjk.relative_pose(A, B), SURFACE, TRIANGLES, BOXES
    first, last = parts[a, INNER], parts[a, INNER + 1]
    SA, TA = S[parts[a, s] : parts[a, s + 1]], T[parts[a, t] : parts[a, t + 1]]
    NA, LA = N[parts[a, n] : parts[a, n + 1]], L[parts[a, n] : parts[a, n + 1]]
    if parts[b, IS_MESH] != 0:
        SB, TB = S[parts[b, s] : parts[b, s + 1]], T[parts[b, t] : parts[b, t + 1]]
        NB, LB = N[parts[b, n] : parts[b, n + 1]], L[parts[b, n] : parts[b, n + 1]]
        if inner_balls_meet(inner, first, last, parts[b, INNER], parts[b, INNER + 1], rel, within - slip):
            return 0.0, 0.0
        do_meet, is_certain = obb_pair.meet_within(
            SA, TA, NA, LA, SB, TB, NB, LB, X[0], X[1], slip, counts, stack, hits, digits
        )
        if do_meet:
            return 0.0, 0.0
        if instant and within == 0.0 and is_certain:
            return math.inf, math.inf
        counts[obb_distance.LIMIT] = 1 << 62
        cold_distance.fill_rows(
            SA, TA, NA, LA, SB, TB, NB, LB, X[0], X[1], scales, rows, counts, 0, 1
        )  # fmt: skip
    else:
        FB, IB = F[parts[b, REALS] : parts[b, REALS + 1]], G[parts[b, LINKS] : parts[b, LINKS + 1]]
        if inner_ball_meets_convex(inner, first, last, FB, rel, within - slip) or touches_convex(
            SA, TA, NA, LA, FB, IB, rel, within, slip,
            # harmless (bodies[b, SLACK]): a contact that this search misses is found by the distance below
            bodies[b, SLACK], core, dummy, simplex, stack,
        ):  # fmt: skip
            return 0.0, 0.0
        mesh_convex.distance(SA, TA, NA, LA, FB, IB, X[0], X[1], rows, 0, 1)
    return rows[gjk.LOWER], rows[gjk.UPPER]


@kernel(boundscheck=False)
def check_pair(
    tables, arrays, states, placed, open_pair, row, n_carried, h, rounding, slide, asked, gap, room
):
    """Return the status of the pair at open_pair[row] after the current interval, and the least gap of covers."""
    nodes, joints, bodies, parts, own = tables
    _, _, _, _, F, G, _ = arrays
    X = room[0]
    a, b, k = int(open_pair[row, FIRST]), int(open_pair[row, SECOND]), int(open_pair[row, 2])
    margin, tolerance = open_pair[row, MARGIN], asked[TOLERANCE]
    instant = h == 0.0 and tolerance == 0.0
    A, B = _pose_of(bodies, placed, a, n_carried, X, -1), _pose_of(bodies, placed, b, n_carried, X, -1)
    # Sizes do not include prismatic joints, which carry B, and also A if it is a link.
    slip = rounding * (bodies[a, SIZE] + bodies[b, SIZE] + 2.0 * slide)
    common = int(own[k, COMMON]) if k >= 0 else 0
    j = parts[b, OF_NODE]
    cx, cy, cz = placed[b, BALL], placed[b, BALL + 1], placed[b, BALL + 2]
    if k >= 0:
        bend = bound_acceleration(nodes, joints, states, j, common, cx, cy, cz, bodies[b, RADIUS], h)
    else:
        bend = placed[b, ACCELERATION]
    wx, wy, wz = (
        states[j, SPIN] - states[common, SPIN],
        states[j, SPIN + 1] - states[common, SPIN + 1],
        states[j, SPIN + 2] - states[common, SPIN + 2],
    )
    vx, vy, vz = velocity_at(states, j, B[9], B[10], B[11])
    ux, uy, uz = velocity_at(states, common, B[9], B[10], B[11])
    spin_b, v_b = gjk.turned_back(A, wx, wy, wz), gjk.turned_back(A, vx - ux, vy - uy, vz - uz)
    spin_a, v_a, moves_a = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), False
    # How far any point of B moves at most relative to A, and of A if it moves relative to their common node.
    ux, uy, uz = velocity_at(states, common, cx, cy, cz)
    x, y, z = (
        placed[b, BALL_VELOCITY] - ux,
        placed[b, BALL_VELOCITY + 1] - uy,
        placed[b, BALL_VELOCITY + 2] - uz,
    )
    moved = h * (
        math.sqrt(x * x + y * y + z * z) + math.sqrt(wx * wx + wy * wy + wz * wz) * bodies[b, RADIUS]
    )
    if k >= 0 and parts[a, OF_NODE] != common:
        moves_a, i = True, parts[a, OF_NODE]
        cx, cy, cz = placed[a, BALL], placed[a, BALL + 1], placed[a, BALL + 2]
        bend += bound_acceleration(nodes, joints, states, i, common, cx, cy, cz, bodies[a, RADIUS], h)
        wx, wy, wz = (
            states[i, SPIN] - states[common, SPIN],
            states[i, SPIN + 1] - states[common, SPIN + 1],
            states[i, SPIN + 2] - states[common, SPIN + 2],
        )
        vx, vy, vz = velocity_at(states, i, A[9], A[10], A[11])
        ux, uy, uz = velocity_at(states, common, A[9], A[10], A[11])
        spin_a, v_a = gjk.turned_back(A, wx, wy, wz), gjk.turned_back(A, vx - ux, vy - uy, vz - uz)
        ux, uy, uz = velocity_at(states, common, cx, cy, cz)
        x, y, z = (
            placed[a, BALL_VELOCITY] - ux,
            placed[a, BALL_VELOCITY + 1] - uy,
            placed[a, BALL_VELOCITY + 2] - uz,
        )
        moved += h * (
            math.sqrt(x * x + y * y + z * z) + math.sqrt(wx * wx + wy * wy + wz * wz) * bodies[a, RADIUS]
        )
    remainder = 0.5 * h * h * bend
    ended, best = STALLED, -math.inf
    if parts[a, HAS_HULL] != 0 and parts[b, HAS_HULL] != 0:
        FA, IA = F[parts[a, REALS] : parts[a, REALS + 1]], G[parts[a, LINKS] : parts[a, LINKS + 1]]
        FB, IB = F[parts[b, REALS] : parts[b, REALS + 1]], G[parts[b, LINKS] : parts[b, LINKS + 1]]
        pose = gjk.relative_pose(A, B)
        radii = FA[CORE_RADIUS] + FB[CORE_RADIUS]
        thick = radii + FA[DEFECT] + FB[DEFECT]
        slacks = bodies[a, SLACK], bodies[b, SLACK]
        wanted = max(margin, gap) if asked[GAPS] != 0.0 else margin
        ended, best = separate(
            FA, IA, FB, IB, pose, spin_a, spin_b, v_a, v_b, moves_a, h, open_pair[row], DIRECTION, slacks,
            wanted + thick + slip + remainder, moved, margin + tolerance + radii - slip, room[8],
        )  # fmt: skip
        if ended == PROVED:
            return APART, gap
        if asked[GAPS] != 0.0:  # an instant, and the least gap of covers is needed
            # harmless (slacks[0]): if less is subtracted, the test below fails, and contact is the answer
            # harmless (slacks[1]): likewise
            certain = best - slacks[0] - slacks[1]
            direction = (
                open_pair[row, DIRECTION],
                open_pair[row, DIRECTION + 1],
                open_pair[row, DIRECTION + 2],
            )
            if ended == CLOSE or not is_apart(
                FA, IA, FB, IB, pose, spin_a, spin_b, v_a, v_b, moves_a, 0.0, direction, (-1, -1), slacks,
                # harmless (slip): a stricter test
                certain - slip,
            ):  # fmt: skip
                return CONTACT, 0.0
            certain -= thick + 2.0 * slip
            # harmless (max): a smaller gap is a lower bound too
            return (APART if certain > margin else CONTACT), min(gap, max(0.0, certain))
        if ended == UNPROVED and not instant:
            return HALVE, gap
        if parts[a, IS_MESH] == 0 and parts[b, IS_MESH] == 0:
            return (CONTACT if ended == CLOSE or instant else HALVE), gap
    if asked[COVERS_ONLY] != 0.0:
        return CONTACT, 0.0
    lower, upper = _exact(
        bodies, parts, arrays, placed, a, b, n_carried, margin + tolerance, slip, instant, room
    )
    if instant:
        return (APART if lower > margin + slip else CONTACT), gap
    if upper == 0.0 or upper + slip <= margin + tolerance:
        return CONTACT, gap
    return (APART if lower > margin + moved + remainder + slip else HALVE), gap
