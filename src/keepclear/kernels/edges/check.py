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

from keepclear.kernels._compile import kernel
from keepclear.kernels.convex import gjk
from keepclear.kernels.convex.support import UNIT
from keepclear.kernels.edges.layout import (
    BALL,
    BODY_A,
    BODY_B,
    BODY_STATE,
    BOUND,
    BUDGET,
    CALL_BUDGET,
    CLEAR,
    CLEAR_UNTIL,
    COLLIDING,
    COMMON,
    COVERS_ONLY,
    DIRECTION,
    EARLIEST,
    FIRST,
    GAPS,
    GROUP_FIRST,
    GROUP_LAST,
    HIGH,
    HINTS,
    LEAST_GAP,
    LOW,
    MARGIN,
    MOST_DEPTH,
    NODE_STATE,
    OPEN,
    OPEN_PAIR,
    OVER_BUDGET,
    QUERIES,
    REACH,
    SECOND,
    SIZE,
    STAMP,
    STATUS,
    TIME,
    TOLERANCE,
)
from keepclear.kernels.edges.pair import CONTACT, HALVE, check_pair
from keepclear.kernels.edges.poses import bound_gap, move_nodes, near_ball, near_box, place_body
from keepclear.kernels.motion.joints import COLUMN, MULTIPLIER, OFFSET, REVOLUTE, TURN
from keepclear.kernels.trees import mesh_convex, obb_pair
from keepclear.kernels.triangles.exact import SCRATCH

# Status of a call: the list of undecided pairs may be too short.
DONE, FULL_LIST = 0, 1
LARGEST_VALUE = 1e6  # greatest value of a joint [rad or m]; beyond it sines lose digits that tolerances need
LINKS_SIZE = obb_pair.STACK + 1 + obb_pair.HIT
LEAST_HALF = 1e-11  # shorter intervals are not halved


@kernel(boundscheck=False)
def _rounding(nodes, joints, q0, q1, k):
    """Return, for edge k, the relative rounding of queries, the reach of prismatic joints, and the sum of rotations."""
    angles, reach, turns = 0.0, 0.0, 0.0
    for n in range(1, nodes.shape[0]):
        c = joints[n, COLUMN]
        value = abs(nodes[n, OFFSET]) + abs(nodes[n, MULTIPLIER]) * max(abs(q0[k, c]), abs(q1[k, c]))
        if nodes[n, REVOLUTE] != 0.0:
            angles += value
            turns += abs(nodes[n, MULTIPLIER]) * abs(q1[k, c] - q0[k, c])
        else:
            reach += value
    return 2.0 * (16.0 * nodes.shape[0] + 4.0 * angles + 24.0 + 64.0) * UNIT, reach, turns


@kernel(boundscheck=False)
def _keep(open_pair, size, a, b, k, margin):
    """Add a pair to the list of undecided pairs; return whether there was space."""
    if size >= open_pair.shape[0]:
        return False
    open_pair[size, FIRST], open_pair[size, SECOND], open_pair[size, 2] = a, b, k
    open_pair[size, MARGIN] = margin
    open_pair[size, DIRECTION], open_pair[size, DIRECTION + 1], open_pair[size, DIRECTION + 2] = 0.0, 0.0, 0.0
    open_pair[size, HINTS], open_pair[size, HINTS + 1] = -1.0, -1.0
    return True


@kernel(boundscheck=False)
def _begin(tables, margins, groups, states, placed, open_pair, n_carried, h, stamp, rounding, slide, gap):
    """List the pairs that balls and boxes do not prove for the first interval; return how many, or -1 without space."""
    nodes, joints, bodies, parts, own = tables
    size = 0
    most = 0.0 if gap == -math.inf else gap
    for g in range(n_carried):
        place_body(
            nodes, joints, states, bodies, parts, g, h, stamp, rounding * (bodies[g, SIZE] + slide), placed
        )
        x, y, z = placed[g, BALL], placed[g, BALL + 1], placed[g, BALL + 2]
        far = placed[g, REACH] + max(margins[g, 0], most)
        for i in range(groups.shape[0]):
            dx = max(groups[i, LOW] - x, x - groups[i, HIGH])
            dy = max(groups[i, LOW + 1] - y, y - groups[i, HIGH + 1])
            dz = max(groups[i, LOW + 2] - z, z - groups[i, HIGH + 2])
            dx, dy, dz = max(dx, 0.0), max(dy, 0.0), max(dz, 0.0)
            if dx * dx + dy * dy + dz * dz > far * far:
                continue
            for o in range(int(groups[i, GROUP_FIRST]), int(groups[i, GROUP_LAST])):
                margin = margins[g, 1 + o - n_carried]
                if margin < 0.0:
                    continue
                wide = max(margin, most) + rounding * bodies[o, SIZE]
                if near_box(bodies, placed, g, o, wide, h):
                    if not _keep(open_pair, size, o, g, -1, margin):
                        return -1
                    size += 1
    for k in range(own.shape[0]):
        a, b = int(own[k, FIRST]), int(own[k, SECOND])
        wide = max(own[k, MARGIN], most) + rounding * (bodies[a, SIZE] + bodies[b, SIZE] + 2.0 * slide)
        if near_ball(parts, states, bodies, placed, a, b, int(own[k, COMMON]), wide, h):
            if not _keep(open_pair, size, a, b, k, own[k, MARGIN]):
                return -1
            size += 1
    return size


@kernel(boundscheck=False)
def _order_by_bound(bodies, placed, pairs, size, rounding, slide):
    """Bound the gap of each listed pair, and move the pair with the least bound to the front."""
    least = 0
    for row in range(size):
        a, b = int(pairs[row, FIRST]), int(pairs[row, SECOND])
        slip = rounding * (bodies[a, SIZE] + bodies[b, SIZE] + 2.0 * slide)
        pairs[row, BOUND] = bound_gap(bodies, placed, a, b, pairs[row, 2] >= 0.0) - slip
        # harmless (<): the order of pairs changes no answer
        if pairs[row, BOUND] < pairs[least, BOUND]:
            least = row
    for i in range(OPEN_PAIR if size > 0 else 0):
        pairs[0, i], pairs[least, i] = pairs[least, i], pairs[0, i]


@kernel(boundscheck=False)
def _is_near(tables, states, placed, pairs, row, h, stamp, rounding, slide):
    """Return whether balls and boxes leave a listed pair undecided for the current interval."""
    nodes, joints, bodies, parts, own = tables
    a, b, k = int(pairs[row, FIRST]), int(pairs[row, SECOND]), int(pairs[row, 2])
    slip = rounding * (bodies[b, SIZE] + slide)
    place_body(nodes, joints, states, bodies, parts, b, h, stamp, slip, placed)
    if k < 0:
        return near_box(bodies, placed, b, a, pairs[row, MARGIN] + rounding * bodies[a, SIZE], h)
    wide = pairs[row, MARGIN] + slip
    slip = rounding * (bodies[a, SIZE] + slide)
    place_body(nodes, joints, states, bodies, parts, a, h, stamp, slip, placed)
    return near_ball(parts, states, bodies, placed, a, b, int(own[k, COMMON]), wide + slip, h)


@kernel(boundscheck=False)
def _check_edge(
    tables, arrays, margins, groups, states, placed, pairs, stack, n_carried, q0, q1, k, asked, room, answers
):
    """Write the answer of edge k; return DONE, or FULL_LIST if it must be repeated with more scratch."""
    nodes, joints = tables[0], tables[1]
    units, slide, turns = _rounding(nodes, joints, q0, q1, k)
    instant = asked[TOLERANCE] == 0.0
    gap = math.inf if asked[GAPS] != 0.0 else -math.inf
    status, until, time = CLEAR, 0.0, math.nan
    first, second, queries = -1.0, -1.0, 0
    # Remaining intervals: their middle and half length, and where the list of their undecided pairs begins and ends.
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3] = 0.5, 0.0 if instant else 0.5, 0.0, 0.0
    depth, is_first = 1, True
    while depth > 0:
        depth -= 1
        s, h = stack[depth, 0], stack[depth, 1]
        begin, end = int(stack[depth, 2]), int(stack[depth, 3])
        if s - h >= time:  # later than a known contact
            continue
        queries += 1
        rounding = units * (1.0 + h * turns) * (1.0 + h * turns)
        move_nodes(nodes, joints, q0, q1, k, s, room[11], states)
        room[4][0] += 1.0
        stamp = room[4][0]
        if is_first:
            end = _begin(
                tables, margins, groups, states, placed, pairs, n_carried, h, stamp, rounding, slide, gap
            )
            if end < 0:
                return FULL_LIST
            if asked[GAPS] != 0.0:
                _order_by_bound(tables[2], placed, pairs, end, rounding, slide)
        left, hit = end, False
        for row in range(begin, end):
            if asked[GAPS] != 0.0:
                if pairs[row, BOUND] > max(gap, pairs[row, MARGIN]):
                    continue
            elif not is_first and not _is_near(tables, states, placed, pairs, row, h, stamp, rounding, slide):
                continue
            queries += 1
            found, gap = check_pair(
                tables, arrays, states, placed, pairs, row, n_carried, h, rounding, slide, asked, gap, room
            )
            if found == CONTACT:
                hit, first, second = True, pairs[row, FIRST], pairs[row, SECOND]
                if asked[GAPS] == 0.0:
                    break
            elif found == HALVE:
                if left >= pairs.shape[0]:
                    return FULL_LIST
                for i in range(OPEN_PAIR):
                    pairs[left, i] = pairs[row, i]
                left += 1
        is_first = False
        if hit:
            status, time = COLLIDING, s
            if asked[COVERS_ONLY] != 0.0:
                status = OVER_BUDGET
            if asked[EARLIEST] == 0.0 or h == 0.0 or h <= asked[EARLIEST]:
                break
            # All pairs that were undecided here are so in the earlier half, since this search was interrupted.
            stack[depth, 0], stack[depth, 1] = s - 0.5 * h, 0.5 * h
            stack[depth, 2], stack[depth, 3] = begin, end
            depth += 1
            continue
        if left == end:
            until = s + h
            continue
        # harmless (<): a contact is known; it ends the search for an earlier one
        # harmless (LEAST_HALF): likewise
        if status == COLLIDING and (queries >= asked[BUDGET] or depth + 2 > MOST_DEPTH or h < LEAST_HALF):
            break  # an earlier contact is neither found nor excluded
        if queries >= asked[BUDGET]:
            status = OVER_BUDGET
            first, second = pairs[end, FIRST], pairs[end, SECOND]
            break
        # harmless (LEAST_HALF): MOST_DEPTH ends the search at 2^-44, which is not clear either
        if depth + 2 > MOST_DEPTH or h < LEAST_HALF:
            status = OPEN
            break
        # The later half is below the earlier one on the stack, which is examined first; both have the same list.
        stack[depth, 0], stack[depth, 1] = s + 0.5 * h, 0.5 * h
        stack[depth, 2], stack[depth, 3] = end, left
        stack[depth + 1, 0], stack[depth + 1, 1] = s - 0.5 * h, 0.5 * h
        stack[depth + 1, 2], stack[depth + 1, 3] = end, left
        depth += 2
    answers[k, STATUS], answers[k, CLEAR_UNTIL], answers[k, TIME] = status, until, time
    answers[k, BODY_A], answers[k, BODY_B] = first, second
    answers[k, QUERIES], answers[k, LEAST_GAP] = queries, gap
    return DONE


@kernel(
    "int64(float64[:,::1], int64[:,::1], float64[:,::1], int64[:,::1], float64[:,::1], float64[:,::1], float64[:,::1],"
    " float64[::1], int32[::1], float64[::1], int32[::1], float32[::1], int32[::1], float64[:,::1], float64[:,::1],"
    " float64[:,::1], float64[:,::1], float64[::1], float64[:,::1], float64[:,::1], float64[::1],"
    " int64[::1], int32[::1], int64, int64)",
    boundscheck=False,
)
def run(
    nodes, joints, bodies, parts, own, margins, groups, F, G, S, T, N, L, inner, limits, q0, q1, asked, answers, pairs,
    work, counts, links, begin, end,
):  # fmt: skip
    """Check edges from `begin` to before `end`; return how many of all are done, or -1 - that if space is too small.

    Args:
        nodes, joints, bodies, parts, own, groups: Tables, see `layout`.
        margins: (carried, 1 + resting) distances that pairs must keep, below 0 if they are not checked; first the
            largest.
        F, G: Hulls of all bodies. S, T, N, L: Surfaces and trees of all meshes.
        inner: Balls inside of meshes (k, 4).
        limits: (2, columns) lower and upper limits of joints.
        q0, q1: Both ends of each edge (n, columns).
        asked: The query, see `layout`.
        answers: (n, ANSWER).
        pairs: Space for undecided pairs (m, OPEN_PAIR).
        work: Scratch of `work_size`.
        links: Scratch of LINKS_SIZE integers.
        counts: Scratch of `count_size` integers; the last two receive the number of an edge with a value that is nan or
            too large (-1: none), and whether any value is beyond its limits.
    """
    n_nodes, n_carried = nodes.shape[0], margins.shape[0]
    states = work[: n_nodes * NODE_STATE].reshape((n_nodes, NODE_STATE))
    at = n_nodes * NODE_STATE
    placed = work[at : at + n_carried * BODY_STATE].reshape((n_carried, BODY_STATE))
    at += n_carried * BODY_STATE
    stack = work[at : at + 4 * (MOST_DEPTH + 2)].reshape((MOST_DEPTH + 2, 4))
    at += 4 * (MOST_DEPTH + 2)
    X = work[at : at + 32].reshape((2, 1, 4, 4))
    at += 32
    rows, scales = work[at : at + gjk.ROW], work[at + gjk.ROW : at + gjk.ROW + 1]
    at += gjk.ROW + 1
    stamps = work[at : at + 1]
    core = work[at + 1 : at + 1 + mesh_convex.ROOM]
    at += 1 + mesh_convex.ROOM
    simplex, turns = work[at : at + gjk.MEMORY], work[at + gjk.MEMORY : at + gjk.MEMORY + 3].reshape((3, 1))
    at += gjk.MEMORY + 3
    q, poses = work[at : at + q0.shape[1]].reshape((q0.shape[1], 1)), states.reshape((n_nodes, NODE_STATE, 1))
    scales[0], stamps[0] = 1.0, 0.0
    state, digits = counts[: obb_pair.STATE], counts[obb_pair.STATE : obb_pair.STATE + SCRATCH]
    stack_of_nodes, dummy = links[: obb_pair.STACK], links[obb_pair.STACK : obb_pair.STACK + 1]
    hits = links[obb_pair.STACK + 1 : LINKS_SIZE]
    for i in range(n_carried):
        placed[i, STAMP] = -1.0
    for i in range(NODE_STATE):
        states[0, i] = 0.0
    states[0, TURN], states[0, TURN + 4], states[0, TURN + 8] = 1.0, 1.0, 1.0
    tables, arrays = (nodes, joints, bodies, parts, own), (S, T, N, L, F, G, inner)
    room = (
        X,
        rows,
        state,
        scales,
        stamps,
        core,
        dummy,
        hits,
        simplex,
        stack_of_nodes,
        digits,
        (q, turns, poses),
    )
    total, flags = 0.0, obb_pair.STATE + SCRATCH
    for k in range(begin, end):
        for c in range(q0.shape[1]):
            low, high = min(q0[k, c], q1[k, c]), max(q0[k, c], q1[k, c])
            if not (abs(q0[k, c]) <= LARGEST_VALUE and abs(q1[k, c]) <= LARGEST_VALUE):
                counts[flags] = k
                return end
            if low < limits[0, c] or high > limits[1, c]:
                counts[flags + 1] = 1
        ended = _check_edge(
            tables, arrays, margins, groups, states, placed, pairs, stack, n_carried, q0, q1, k, asked, room, answers
        )  # fmt: skip
        if ended != DONE:
            return -1 - k
        total += answers[k, QUERIES]
        if total > asked[CALL_BUDGET]:
            return k + 1
    return end


def work_size(n_nodes: int, n_carried: int, n_columns: int) -> int:
    """Return how many numbers of scratch `run` needs."""
    fixed = 4 * (MOST_DEPTH + 2) + 32 + gjk.ROW + 1 + 1 + mesh_convex.ROOM + gjk.MEMORY + 3
    return n_nodes * NODE_STATE + n_carried * BODY_STATE + n_columns + fixed


def count_size() -> int:
    """Return how many integers of scratch `run` needs."""
    return int(obb_pair.STATE) + int(SCRATCH) + 2
