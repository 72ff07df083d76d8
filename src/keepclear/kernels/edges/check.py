"""Edges and configurations of a robot against a scene: proved clear by bisection, or a contact of exact shapes.

An edge is a straight motion in joint space. Its intervals are examined depth first, the earlier half first. In the
middle of an interval, each undecided pair is tested, in this order: a ball around one body against the box or ball
around the other; a plane between both hulls; the exact shapes, where hulls come too close. A proof of a pair holds for
the whole interval; pairs that are not proved are passed on to both halves.

Rounding: a pose is accurate to (16 n + 4 a + 24) u of its size, with n joints whose angles add up to a, u = 2^-53: a
node adds 8 u for the product with its map, 4 u for sine and cosine, 2 u for the rotation, and 4 u of the angle for its
value. A query of two cores adds 64 u (`gjk.ROUNDING`). Twice this is allowed for, times (1 + h S)^2 for velocities and
accelerations in an interval of half length h, with S the sum of all rotations; the reach of prismatic joints adds to
the sizes of the bodies that they carry.
"""

from __future__ import annotations

import math

import numpy as np

from keepclear.compiler.kernel import kernel
from keepclear.kernels.convex import gjk
from keepclear.kernels.convex.support import UNIT
from keepclear.kernels.edges.pair import CONTACT, HALVE, check_pair
from keepclear.kernels.edges.poses import bound_gap, move_nodes, near_ball, near_box, place_body
from keepclear.kernels.tables.record import record
from keepclear.kernels.tables.robot import PLANE
from keepclear.kernels.trees import mesh_convex, obb_pair
from keepclear.kernels.triangles.exact import SCRATCH

CLEAR, COLLIDING, OVER_BUDGET, OPEN = 0, 1, 2, 3
"""Status of an edge. OPEN: halving does not decide, because the tolerance is below the rounding error."""
# Status of a call: the list of undecided pairs may be too short.
DONE, FULL_LIST = 0, 1
MOST_DEPTH = 44  # halvings of an edge
LARGEST_VALUE = 1e6  # greatest value of a joint [rad or m]; beyond it sines lose digits that tolerances need
LEAST_HALF = 1e-11  # shorter intervals are not halved

ROOM = record(
    ("X", np.float64, (2, 1, 4, 4)),  # poses of two bodies
    ("row", np.float64, (gjk.ROW,)),  # their distance
    ("scale", np.float64, (1,)),
    ("core", np.float64, (mesh_convex.ROOM,)),  # a part of a mesh
    ("simplex", np.float64, (gjk.MEMORY,)),
    ("plane", PLANE),
    ("turns", np.float64, (3, 1)),  # of `place_nodes`
    ("state", np.int64, (obb_pair.STATE,)),  # of a search through two trees
    ("digits", np.int64, (SCRATCH,)),  # of exact tests of triangles
    ("stamp", np.int64),  # number of evaluations
    ("bad", np.int64),  # number of an edge with a value that is nan or too large, -1 for none
    ("beyond", np.int64),  # whether any value is beyond its limits
    ("stack", np.int32, (obb_pair.STACK,)),  # nodes of trees
    ("hits", np.int32, (obb_pair.HIT,)),
    ("links", np.int32, (2,)),  # of the core
)
"""Scratch of a thread, and what a call found about its values. Kernels for arrays get slices of fields, `row[:]`."""


@kernel(boundscheck=False)
def _rounding(joints, q0, q1, k):
    """Return, for edge k, the relative rounding of queries, the reach of prismatic joints, and the sum of rotations."""
    angles, reach, turns = 0.0, 0.0, 0.0
    for n in range(1, joints.shape[0]):
        joint = joints[n]
        c = joint.column
        value = abs(joint.offset) + abs(joint.multiplier) * max(abs(q0[k, c]), abs(q1[k, c]))
        if joint.revolute != 0:
            angles += value
            turns += abs(joint.multiplier) * abs(q1[k, c] - q0[k, c])
        else:
            reach += value
    return 2.0 * (16.0 * joints.shape[0] + 4.0 * angles + 24.0 + 64.0) * UNIT, reach, turns


@kernel(boundscheck=False)
def _keep(pairs, size, a, b, k, margin):
    """Add a pair to the list of undecided pairs; return whether there was space."""
    if size >= pairs.shape[0]:
        return False
    pair = pairs[size]
    pair.a, pair.b, pair.own, pair.margin = a, b, k, margin
    plane = pair.plane
    plane.direction[0], plane.direction[1], plane.direction[2] = 0.0, 0.0, 0.0
    plane.vertex_a, plane.vertex_b = -1, -1
    return True


@kernel(boundscheck=False)
def _begin(tables, margins, groups, nodes, placed, pairs, h, stamp, rounding, slide, gap):
    """List the pairs that balls and boxes do not prove for the first interval; return how many, or -1 without space."""
    joints, bodies, own = tables
    size, n_carried = 0, margins.shape[0]
    most = 0.0 if gap == -math.inf else gap
    for g in range(n_carried):
        moved = placed[g]
        place_body(joints, nodes, bodies[g], h, stamp, rounding * (bodies[g].extent + slide), moved)
        x, y, z = moved.center[0], moved.center[1], moved.center[2]
        far = moved.reach + max(margins[g, 0], most)
        for i in range(groups.shape[0]):
            group = groups[i]
            dx = max(group.low[0] - x, x - group.high[0])
            dy = max(group.low[1] - y, y - group.high[1])
            dz = max(group.low[2] - z, z - group.high[2])
            dx, dy, dz = max(dx, 0.0), max(dy, 0.0), max(dz, 0.0)
            if dx * dx + dy * dy + dz * dz > far * far:
                continue
            for o in range(group.first, group.end):
                margin = margins[g, 1 + o - n_carried]
                if margin < 0.0:
                    continue
                wide = max(margin, most) + rounding * bodies[o].extent
                if near_box(bodies[o], moved, wide, h):
                    if not _keep(pairs, size, o, g, -1, margin):
                        return -1
                    size += 1
    for k in range(own.shape[0]):
        a, b = own[k].a, own[k].b
        wide = max(own[k].margin, most) + rounding * (bodies[a].extent + bodies[b].extent + 2.0 * slide)
        if near_ball(nodes, bodies, placed, a, b, own[k].common, wide, h):
            if not _keep(pairs, size, a, b, k, own[k].margin):
                return -1
            size += 1
    return size


@kernel(boundscheck=False)
def _order_by_bound(bodies, placed, pairs, size, rounding, slide):
    """Bound the gap of each listed pair, and move the pair with the least bound to the front."""
    least = 0
    for row in range(size):
        pair = pairs[row]
        a, b = pair.a, pair.b
        slip = rounding * (bodies[a].extent + bodies[b].extent + 2.0 * slide)
        pair.bound = bound_gap(bodies, placed, a, b, pair.own >= 0) - slip
        # harmless (<): the order of pairs changes no answer
        if pair.bound < pairs[least].bound:
            least = row
    if size > 0:  # nothing is known of their planes
        a, b = pairs[0], pairs[least]
        a.a, a.b, a.own, b.a, b.b, b.own = b.a, b.b, b.own, a.a, a.b, a.own
        a.margin, a.bound, b.margin, b.bound = b.margin, b.bound, a.margin, a.bound


@kernel(boundscheck=False)
def _is_near(tables, nodes, placed, pair, h, stamp, rounding, slide):
    """Return whether balls and boxes leave a listed pair undecided for the current interval."""
    joints, bodies, own = tables
    a, b = pair.a, pair.b
    slip = rounding * (bodies[b].extent + slide)
    place_body(joints, nodes, bodies[b], h, stamp, slip, placed[b])
    if pair.own < 0:
        return near_box(bodies[a], placed[b], pair.margin + rounding * bodies[a].extent, h)
    wide = pair.margin + slip
    slip = rounding * (bodies[a].extent + slide)
    place_body(joints, nodes, bodies[a], h, stamp, slip, placed[a])
    return near_ball(nodes, bodies, placed, a, b, own[pair.own].common, wide + slip, h)


@kernel(boundscheck=False)
def _push(stack, depth, middle, half, first, end):
    """Add an interval to the stack; return its new height."""
    interval = stack[depth]
    interval.middle, interval.half, interval.first, interval.end = middle, half, first, end
    return depth + 1


@kernel(boundscheck=False)
def _check_edge(
    tables, arrays, margins, groups, nodes, placed, pairs, stack, q0, q1, k, asked, room, q, answer
):
    """Write the answer of edge k; return DONE, or FULL_LIST if it must be repeated with more scratch."""
    joints = tables[0]
    units, slide, turns = _rounding(joints, q0, q1, k)
    gap = math.inf if asked.gaps != 0 else -math.inf
    status, until, time = CLEAR, 0.0, math.nan
    first, second, queries = -1, -1, 0
    depth, is_first = _push(stack, 0, 0.5, 0.0 if asked.tolerance == 0.0 else 0.5, 0, 0), True
    while depth > 0:
        depth -= 1
        s, h, begin, end = stack[depth].middle, stack[depth].half, stack[depth].first, stack[depth].end
        if s - h >= time:  # later than a known contact
            continue
        queries += 1
        rounding = units * (1.0 + h * turns) * (1.0 + h * turns)
        move_nodes(joints, q0, q1, k, s, q, room.turns[:], nodes)
        room.stamp += 1
        stamp = room.stamp
        if is_first:
            end = _begin(tables, margins, groups, nodes, placed, pairs, h, stamp, rounding, slide, gap)
            if end < 0:
                return FULL_LIST
            if asked.gaps != 0:
                _order_by_bound(tables[1], placed, pairs, end, rounding, slide)
        left, hit = end, False
        for row in range(begin, end):
            pair = pairs[row]
            if asked.gaps != 0:
                if pair.bound > max(gap, pair.margin):
                    continue
            elif not is_first and not _is_near(tables, nodes, placed, pair, h, stamp, rounding, slide):
                continue
            queries += 1
            found, gap = check_pair(tables, arrays, nodes, placed, pair, h, rounding, slide, asked, gap, room)
            if found == CONTACT:
                hit, first, second = True, pair.a, pair.b
                if asked.gaps == 0:
                    break
            elif found == HALVE:
                if left >= pairs.shape[0]:
                    return FULL_LIST
                pairs[left] = pair
                left += 1
        is_first = False
        if hit:
            status, time = COLLIDING, s
            if asked.covers_only != 0:
                status = OVER_BUDGET
            if asked.earliest == 0.0 or h == 0.0 or h <= asked.earliest:
                break
            # All pairs that were undecided here are so in the earlier half, since this search was interrupted.
            depth = _push(stack, depth, s - 0.5 * h, 0.5 * h, begin, end)
            continue
        if left == end:
            until = s + h
            continue
        # harmless (<): a contact is known; it ends the search for an earlier one
        # harmless (LEAST_HALF): likewise
        if status == COLLIDING and (queries >= asked.budget or depth + 2 > MOST_DEPTH or h < LEAST_HALF):
            break  # an earlier contact is neither found nor excluded
        if queries >= asked.budget:
            status = OVER_BUDGET
            first, second = pairs[end].a, pairs[end].b
            break
        # harmless (LEAST_HALF): MOST_DEPTH ends the search at 2^-44, which is not clear either
        if depth + 2 > MOST_DEPTH or h < LEAST_HALF:
            status = OPEN
            break
        # The later half is below the earlier one on the stack, which is examined first; both have the same list.
        depth = _push(stack, depth, s + 0.5 * h, 0.5 * h, end, left)
        depth = _push(stack, depth, s - 0.5 * h, 0.5 * h, end, left)
    answer.status, answer.clear_until, answer.time, answer.a, answer.b = status, until, time, first, second
    answer.queries, answer.least_gap = queries, gap
    return DONE


@kernel(
    "int64(JOINT[::1], NODE_BODY[::1], OWN_PAIR[::1], float64[:,::1], BODY_GROUP[::1],"
    " float64[::1], int32[::1], float64[::1], int32[::1], float32[::1], int32[::1], float64[:,::1], float64[:,::1],"
    " float64[:,::1], float64[:,::1], EDGE_ASKED[::1], EDGE_ANSWER[::1], OPEN_PAIR[::1], INTERVAL[::1],"
    " NODE[::1], MOVED_BODY[::1], ROOM[::1], float64[:,::1], int64, int64)",
    boundscheck=False,
)
def run(
    joints, bodies, own, margins, groups, F, G, S, T, N, L, inner, limits, q0, q1, asked, answers, pairs, stack, nodes,
    placed, room, q, begin, end,
):  # fmt: skip
    """Check edges from `begin` to before `end`; return how many of all are done, or -1 - that if space is too small.

    Args:
        joints, bodies, own, groups: See `tables.robot`.
        margins: (carried, 1 + resting) distances that pairs must keep, below 0 if they are not checked; first the
            largest.
        F, G: Hulls of all bodies. S, T, N, L: Surfaces and trees of all meshes.
        inner: Balls inside of meshes (k, 4).
        limits: (2, columns) lower and upper limits of joints.
        q0, q1: Both ends of each edge (n, columns).
        asked: The query (1,).
        answers: (n,).
        pairs: Space for undecided pairs.
        stack: Space for MOST_DEPTH + 2 intervals.
        nodes, placed: Space for all nodes, and for the bodies that they carry.
        room: Scratch (1,); receives what was found about values.
        q: Space for a configuration (columns, 1).
    """
    base = nodes[0]
    for i in range(12):
        base.pose[i, 0] = 1.0 if i == 0 or i == 4 or i == 8 else 0.0
    base.speed, base.turns = 0.0, 0.0
    for i in range(3):
        base.spin[i], base.velocity[i] = 0.0, 0.0
    for g in range(margins.shape[0]):
        placed[g].stamp = -1
    scratch = room[0]
    scratch.scale[0], scratch.stamp = 1.0, 0
    for k in range(2):
        for i in range(4):
            scratch.X[k, 0, 3, i] = 1.0 if i == 3 else 0.0
    total = 0
    for k in range(begin, end):
        for c in range(q0.shape[1]):
            low, high = min(q0[k, c], q1[k, c]), max(q0[k, c], q1[k, c])
            if not (abs(q0[k, c]) <= LARGEST_VALUE and abs(q1[k, c]) <= LARGEST_VALUE):
                scratch.bad = k
                return end
            if low < limits[0, c] or high > limits[1, c]:
                scratch.beyond = 1
        ended = _check_edge(
            (joints, bodies, own), (S, T, N, L, F, G, inner), margins, groups, nodes, placed, pairs, stack, q0, q1, k,
            asked[0], scratch, q, answers[k],
        )  # fmt: skip
        if ended != DONE:
            return -1 - k
        total += answers[k].queries
        if total > asked[0].call_budget:
            return k + 1
    return end
