"""Tests whether exact shapes come within a distance of each other at one pose; the search ends at the first contact."""

from __future__ import annotations

import math

import numpy as np

from keepclear.compiler.kernel import kernel
from keepclear.kernels.convex import gjk
from keepclear.kernels.convex.support import BOX, CYLINDER, DEFECT, KIND, SIZE_X, SIZE_Y, SIZE_Z
from keepclear.kernels.convex.support import RADIUS as CORE_RADIUS
from keepclear.kernels.edges.poses import bound_acceleration, relative_spin, relative_velocity, velocity_at
from keepclear.kernels.edges.separation import CLOSE, PROVED, STALLED, UNPROVED, is_apart, separate
from keepclear.kernels.tables.surface import ORIGIN
from keepclear.kernels.trees import cold_distance, mesh_convex, obb_distance, obb_pair
from keepclear.kernels.trees.mesh_convex import as_box, as_triangle
from keepclear.kernels.trees.obb_tree import LINK, NODE

STRETCHED = 1.0 + 1e-6  # boxes in single precision stretch lengths by less than this
REST = (0.0, 0.0, 0.0)


@kernel(inline=True, boundscheck=False)
def core_of(body, F, G):
    """Return the arrays of a body's hull."""
    f, g = body.reals, body.links
    return F[f[0] : f[1]], G[g[0] : g[1]]


@kernel(inline=True, boundscheck=False)
def tree_of(body, S, T, N, L):
    """Return surface and tree of a mesh."""
    s, t, n = body.surface, body.triangles, body.boxes
    return S[s[0] : s[1]], T[t[0] : t[1]], N[n[0] : n[1]], L[n[0] : n[1]]


@kernel(boundscheck=False)
def inner_balls_meet(inner, a, b, rel, within):
    """Return whether balls inside of A and of B, whose pose in A's frame is `rel`, come within a distance.

    Their ranges a and b have a first ball and an end.
    """
    for j in range(b[0], b[1]):
        x, y, z = inner[j, 0], inner[j, 1], inner[j, 2]
        bx = rel[0] * x + rel[1] * y + rel[2] * z + rel[9]
        by = rel[3] * x + rel[4] * y + rel[5] * z + rel[10]
        bz = rel[6] * x + rel[7] * y + rel[8] * z + rel[11]
        for i in range(a[0], a[1]):
            x, y, z = bx - inner[i, 0], by - inner[i, 1], bz - inner[i, 2]
            far = inner[i, 3] + inner[j, 3] + within
            if far > 0.0 and x * x + y * y + z * z <= far * far:
                return True
    return False


@kernel(boundscheck=False)
def inner_ball_meets_convex(inner, a, FB, rel, within):
    """Return whether a ball inside of A comes within a distance of B, a box or a cylinder at a pose in A's frame."""
    kind = FB[KIND]
    if kind != BOX and kind != CYLINDER:
        return False
    for i in range(a[0], a[1]):
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
def touches_convex(S, T, N, L, FB, IB, rel, within, slip, slack, P, K, M, plane, stack):
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
        plane: Scratch, a PLANE.
        stack: Scratch: nodes.
    """
    limit = within + FB[CORE_RADIUS]
    # harmless (2.0 * slip): a contact that this search misses is found by the distance that follows it
    # harmless (STRETCHED): likewise
    needed = (limit + 2.0 * slip) * STRETCHED
    plane.vertex_b = -1
    stack[0], depth = 0, 1
    while depth > 0:
        depth -= 1
        node = stack[depth]
        link = L[NODE * node + LINK]
        plane.direction[0], plane.direction[1], plane.direction[2], plane.vertex_a = 0.0, 0.0, 0.0, -1
        if link < 0:
            as_triangle(S, T, -1 - link, P)
            ended, _ = separate(
                P, K, FB, IB, rel, REST, REST, REST, REST, False, 0.0, plane,
                # harmless (slack): a contact that this search misses is found by the distance that follows it
                (0.0, slack), needed, 0.0, limit - slip, M,
            )  # fmt: skip
            if ended == CLOSE:
                return True
            continue
        pose = as_box(S, N, node, rel, P)
        ended, _ = separate(
            P, K, FB, IB, pose, REST, REST, REST, REST, False, 0.0, plane,
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
def _pose_of(bodies, placed, o):
    """Return the pose of a body in the world, R by rows and p."""
    if bodies[o].node > 0:
        R, p = placed[o].R, placed[o].p
        return (
            R[0, 0], R[0, 1], R[0, 2], R[1, 0], R[1, 1], R[1, 2], R[2, 0], R[2, 1], R[2, 2], p[0], p[1], p[2],
        )  # fmt: skip
    X = bodies[o].pose
    return (
        X[0, 0], X[0, 1], X[0, 2], X[1, 0], X[1, 1], X[1, 2], X[2, 0], X[2, 1], X[2, 2], X[0, 3], X[1, 3], X[2, 3],
    )  # fmt: skip


@kernel(boundscheck=False)
def _write_pose(pose, X):
    """Write a pose as a matrix (1, 4, 4), whose last row is written already."""
    for i in range(3):
        for j in range(3):
            X[0, i, j] = pose[3 * i + j]
        X[0, i, 3] = pose[9 + i]


@kernel(boundscheck=False)
def _exact(bodies, arrays, placed, a, b, within, slip, instant, room):
    """Return (certified lower bound, upper bound) on the distance of exact shapes.

    Contact is searched first, because it is faster than a distance: then both bounds are 0, though the distance may be
    as large as `within`. At an instant without a margin no more is needed if all triangles are apart by more than
    `slip`, the rounding of poses; a distance decides where they are not.
    """
    S, T, N, L, F, G, inner = arrays
    if bodies[a].mesh == 0:
        a, b = b, a
    A, B, body_a, body_b = _pose_of(bodies, placed, a), _pose_of(bodies, placed, b), bodies[a], bodies[b]
    X, rows, rel = room.X[:], room.row[:], gjk.relative_pose(A, B)
    _write_pose(A, X[0])
    _write_pose(B, X[1])
    SA, TA, NA, LA = tree_of(body_a, S, T, N, L)
    if body_b.mesh != 0:
        if inner_balls_meet(inner, body_a.inner, body_b.inner, rel, within - slip):
            return 0.0, 0.0
        SB, TB, NB, LB = tree_of(body_b, S, T, N, L)
        do_meet, is_certain = obb_pair.meet_within(
            SA,
            TA,
            NA,
            LA,
            SB,
            TB,
            NB,
            LB,
            X[0],
            X[1],
            slip,
            room.state[:],
            room.stack[:],
            room.hits[:],
            room.digits[:],
        )
        if do_meet:
            return 0.0, 0.0
        if instant and within == 0.0 and is_certain:
            return math.inf, math.inf
        room.state[obb_distance.LIMIT] = 1 << 62
        cold_distance.fill_rows(
            SA, TA, NA, LA, SB, TB, NB, LB, X[0], X[1], room.scale[:], rows, room.state[:], 0, 1
        )  # fmt: skip
    else:
        FB, IB = core_of(body_b, F, G)
        if inner_ball_meets_convex(inner, body_a.inner, FB, rel, within - slip) or touches_convex(
            SA, TA, NA, LA, FB, IB, rel, within, slip,
            # harmless (body_b.slack): a contact that this search misses is found by the distance below
            body_b.slack, room.core[:], room.links[:], room.simplex[:], room.plane, room.stack[:],
        ):  # fmt: skip
            return 0.0, 0.0
        mesh_convex.distance(SA, TA, NA, LA, FB, IB, X[0], X[1], rows, 0, 1)
    return rows[gjk.LOWER], rows[gjk.UPPER]


@kernel(inline=True, boundscheck=False)
def _first_order(nodes, body, moved, common, A, h):
    """Return how a body moves relative to a node: angular velocity and velocity of its origin, in A's frame.

    Also return how far any point of it moves at most, to first order.
    """
    node, other, p = nodes[body.node], nodes[common], moved.p
    wx, wy, wz = relative_spin(node, other)
    vx, vy, vz = velocity_at(node, p[0], p[1], p[2])
    ux, uy, uz = velocity_at(other, p[0], p[1], p[2])
    x, y, z = relative_velocity(moved, other)
    far = h * (math.sqrt(x * x + y * y + z * z) + math.sqrt(wx * wx + wy * wy + wz * wz) * body.radius)
    return gjk.turned_back(A, wx, wy, wz), gjk.turned_back(A, vx - ux, vy - uy, vz - uz), far


@kernel(boundscheck=False)
def check_pair(tables, arrays, nodes, placed, pair, h, rounding, slide, asked, gap, room):
    """Return the status of an OPEN_PAIR after the current interval, and the least gap of covers."""
    joints, bodies, own = tables
    _, _, _, _, F, G, _ = arrays
    a, b, k, margin, tolerance = pair.a, pair.b, pair.own, pair.margin, asked.tolerance
    body_a, body_b = bodies[a], bodies[b]
    instant = h == 0.0 and tolerance == 0.0
    A, B = _pose_of(bodies, placed, a), _pose_of(bodies, placed, b)
    # Sizes do not include prismatic joints, which carry B, and also A if it is a link.
    slip = rounding * (body_a.extent + body_b.extent + 2.0 * slide)
    common = own[k].common if k >= 0 else 0
    if k >= 0:
        bend = bound_acceleration(joints, nodes, body_b.node, common, placed[b].center, body_b.radius, h)
    else:
        bend = placed[b].acceleration
    # How far any point of B moves at most relative to A, and of A if it moves relative to their common node.
    spin_b, v_b, moved = _first_order(nodes, body_b, placed[b], common, A, h)
    spin_a, v_a, moves_a = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), False
    if k >= 0 and body_a.node != common:
        bend += bound_acceleration(joints, nodes, body_a.node, common, placed[a].center, body_a.radius, h)
        spin_a, v_a, far = _first_order(nodes, body_a, placed[a], common, A, h)
        moved, moves_a = moved + far, True
    remainder = 0.5 * h * h * bend
    ended, best = STALLED, -math.inf
    if body_a.hull != 0 and body_b.hull != 0:
        FA, IA = core_of(body_a, F, G)
        FB, IB = core_of(body_b, F, G)
        pose = gjk.relative_pose(A, B)
        radii = FA[CORE_RADIUS] + FB[CORE_RADIUS]
        thick = radii + FA[DEFECT] + FB[DEFECT]
        slacks = body_a.slack, body_b.slack
        wanted = max(margin, gap) if asked.gaps != 0 else margin
        ended, best = separate(
            FA, IA, FB, IB, pose, spin_a, spin_b, v_a, v_b, moves_a, h, pair.plane, slacks,
            wanted + thick + slip + remainder, moved, margin + tolerance + radii - slip, room.simplex[:],
        )  # fmt: skip
        if ended == PROVED:
            return APART, gap
        if asked.gaps != 0:  # an instant, and the least gap of covers is needed
            # harmless (slacks[0]): if less is subtracted, the test below fails, and contact is the answer
            # harmless (slacks[1]): likewise
            certain = best - slacks[0] - slacks[1]
            d = pair.plane.direction
            if ended == CLOSE or not is_apart(
                FA, IA, FB, IB, pose, spin_a, spin_b, v_a, v_b, moves_a, 0.0, (d[0], d[1], d[2]), (-1, -1), slacks,
                # harmless (slip): a stricter test
                certain - slip,
            ):  # fmt: skip
                return CONTACT, 0.0
            certain -= thick + 2.0 * slip
            # harmless (max): a smaller gap is a lower bound too
            return (APART if certain > margin else CONTACT), min(gap, max(0.0, certain))
        if ended == UNPROVED and not instant:
            return HALVE, gap
        if body_a.mesh == 0 and body_b.mesh == 0:
            return (CONTACT if ended == CLOSE or instant else HALVE), gap
    if asked.covers_only != 0:
        return CONTACT, 0.0
    lower, upper = _exact(bodies, arrays, placed, a, b, margin + tolerance, slip, instant, room)
    if instant:
        return (APART if lower > margin + slip else CONTACT), gap
    if upper == 0.0 or upper + slip <= margin + tolerance:
        return CONTACT, gap
    return (APART if lower > margin + moved + remainder + slip else HALVE), gap
