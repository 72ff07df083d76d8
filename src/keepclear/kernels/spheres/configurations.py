"""Configurations of a robot proved free: spheres around its links against obstacles and against each other.

The poses of nodes (see `kernels.motion.joints`) are computed for eight configurations at a time, in float64 and in the
frame of the robot's base. Then, one by one: balls around links are compared with all obstacles, and the spheres of
links that come near, which are transformed when they are first needed, with these obstacles; then pairs of links in the
same way. The first sphere that comes too near ends a configuration. Spheres are compared in float32, four at a time.

Rounding, with u = 2^-24: D bounds the distance of a link's spheres from the base, P that of an obstacle, and M is the
margin. A centre that is transformed to the base frame is accurate to 9 u D: rotation and position are rounded (u each),
and products and sums add 4 u of |c| + |p| in each of three coordinates. In the frame of an obstacle the error is 9 u
(D + P) more. Coordinates beyond a box, the root of their squares, and the square of r + M add 8 u (D + P + M). `SLACK`
u (D + P + M), which is more, is included in the limits that are passed in, as is the error of poses in float64.
"""

from __future__ import annotations

import math

import numpy as np

from keepclear.compiler.kernel import kernel
from keepclear.kernels.convex import gjk, support
from keepclear.kernels.edges.pair import core_of, tree_of
from keepclear.kernels.motion.joints import place_nodes
from keepclear.kernels.trees import mesh_convex

SINGLE = 2.0**-24  # rounding unit of float32
SLACK = 32.0  # rounding units: more than the relative error of comparisons in float32
LANES = 8  # configurations whose nodes are computed together
CHUNK = 32  # obstacles, or spheres, that are compared in one loop with a bit each
LARGEST_VALUE = 1e6  # greatest value of a joint [rad or m]

# Rows of the boxes of obstacles, each for all obstacles: the rotation into the obstacle's frame, the offset that is
# subtracted there, and half sizes: of its core, which has a radius (part of the limits), or of a box around it.
TURN, MINUS, HALF, BOX_ROWS = 0, 9, 12, 15
# Kinds of obstacles.
ROUND_BOX, CYLINDER, GENERAL = 0, 1, 2
OF_CORE = {  # by the numbers of cores; all others are GENERAL
    support.POINT: ROUND_BOX,
    support.SEGMENT: ROUND_BOX,
    support.BOX: ROUND_BOX,
    support.CYLINDER: CYLINDER,
}
FREE, TOUCHES = 1, 0


@kernel(inline=True, boundscheck=False)
def _lanes():
    return LANES


@kernel(boundscheck=False)
def _near_obstacles(boxes, limits, bits, body, first, last, x, y, z):
    """Return bits of the obstacles from `first` on whose boxes a ball with a centre may come near."""
    found, zero = np.int32(0), np.float32(0.0)
    first, last = np.uint64(first), np.uint64(last)
    for o in range(first, last):
        a = abs(boxes[0, o] * x + boxes[1, o] * y + boxes[2, o] * z - boxes[9, o]) - boxes[12, o]
        b = abs(boxes[3, o] * x + boxes[4, o] * y + boxes[5, o] * z - boxes[10, o]) - boxes[13, o]
        c = abs(boxes[6, o] * x + boxes[7, o] * y + boxes[8, o] * z - boxes[11, o]) - boxes[14, o]
        a, b, c = a if a > zero else zero, b if b > zero else zero, c if c > zero else zero
        square = a * a + b * b + c * c
        found |= np.int32(0) if square > limits[body, o] else bits[o - first]
    return found


@kernel(boundscheck=False)
def _move(spheres, first, last, states, n, k, moved):
    """Write the spheres of a body in the frame of the base."""
    r0, r1, r2 = np.float32(states[n, 0, k]), np.float32(states[n, 1, k]), np.float32(states[n, 2, k])
    r3, r4, r5 = np.float32(states[n, 3, k]), np.float32(states[n, 4, k]), np.float32(states[n, 5, k])
    r6, r7, r8 = np.float32(states[n, 6, k]), np.float32(states[n, 7, k]), np.float32(states[n, 8, k])
    p0, p1, p2 = np.float32(states[n, 9, k]), np.float32(states[n, 10, k]), np.float32(states[n, 11, k])
    first, last = np.uint64(first), np.uint64(last)
    for i in range(first, last):
        x, y, z = spheres[0, i], spheres[1, i], spheres[2, i]
        moved[0, i] = r0 * x + r1 * y + r2 * z + p0
        moved[1, i] = r3 * x + r4 * y + r5 * z + p1
        moved[2, i] = r6 * x + r7 * y + r8 * z + p2


@kernel(boundscheck=False)
def _meets_core(boxes, o, is_cylinder, spheres, moved, first, last, added):
    """Return whether a sphere may come too near the core of an obstacle: a box, or a cylinder with its half sizes."""
    r0, r1, r2, r3, r4, r5 = boxes[0, o], boxes[1, o], boxes[2, o], boxes[3, o], boxes[4, o], boxes[5, o]
    r6, r7, r8, p0, p1, p2 = boxes[6, o], boxes[7, o], boxes[8, o], boxes[9, o], boxes[10, o], boxes[11, o]
    h0, h1, h2, zero = boxes[12, o], boxes[13, o], boxes[14, o], np.float32(0.0)
    hit = np.int32(0)
    first, last = np.uint64(first), np.uint64(last)
    if is_cylinder:
        for i in range(first, last):
            x, y, z = moved[0, i], moved[1, i], moved[2, i]
            a, b = r0 * x + r1 * y + r2 * z - p0, r3 * x + r4 * y + r5 * z - p1
            c = abs(r6 * x + r7 * y + r8 * z - p2) - h2
            a = math.sqrt(a * a + b * b) - h0
            a, c = a if a > zero else zero, c if c > zero else zero
            far = spheres[3, i] + added
            hit |= np.int32(0) if a * a + c * c > far * far else np.int32(1)
        return hit != 0
    for i in range(first, last):
        x, y, z = moved[0, i], moved[1, i], moved[2, i]
        a = abs(r0 * x + r1 * y + r2 * z - p0) - h0
        b = abs(r3 * x + r4 * y + r5 * z - p1) - h1
        c = abs(r6 * x + r7 * y + r8 * z - p2) - h2
        a, b, c = a if a > zero else zero, b if b > zero else zero, c if c > zero else zero
        far = spheres[3, i] + added
        hit |= np.int32(0) if a * a + b * b + c * c > far * far else np.int32(1)
    return hit != 0


@kernel(boundscheck=False)
def _meets_spheres(spheres, moved, bits, a, a_end, b, b_end, x, y, z, radius, added):
    """Return whether a sphere from a to before a_end may come too near one from b on, all of which are in a ball."""
    while a < a_end:
        end, near = min(a + CHUNK, a_end), np.int32(0)
        a0, a1 = np.uint64(a), np.uint64(end)
        for i in range(a0, a1):
            u, v, w, far = moved[0, i] - x, moved[1, i] - y, moved[2, i] - z, spheres[3, i] + added + radius
            near |= np.int32(0) if u * u + v * v + w * w > far * far else bits[i - a0]
        for i in range(a, end):
            if near & bits[i - a] != 0:
                px, py, pz, more = moved[0, i], moved[1, i], moved[2, i], spheres[3, i] + added
                hit = np.int32(0)
                for j in range(np.uint64(b), np.uint64(b_end)):
                    u, v, w, far = moved[0, j] - px, moved[1, j] - py, moved[2, j] - pz, spheres[3, j] + more
                    hit |= np.int32(0) if u * u + v * v + w * w > far * far else np.int32(1)
                if hit != 0:
                    return True
        a = end
    return False


@kernel(boundscheck=False)
def _lower_distance(exact, part, states, k, x, y, z):
    """Return a lower bound on the distance of a point of the base frame from an exact part; 0 inside of a solid."""
    parts, F, G, S, T, N, L, X, rows, probe, none = exact
    body = parts[part]
    n, pose = body.node, body.pose
    for i in range(3):
        for j in range(4):
            X[0, 0, i, j] = (
                states[n, 3 * i, k] * pose[0, j]
                + states[n, 3 * i + 1, k] * pose[1, j]
                + states[n, 3 * i + 2, k] * pose[2, j]
            )
        X[0, 0, i, 3] += states[n, 9 + i, k]
    X[1, 0, 0, 3], X[1, 0, 1, 3], X[1, 0, 2, 3] = x, y, z
    if body.mesh != 0:
        SA, TA, NA, LA = tree_of(body, S, T, N, L)
        mesh_convex.distance(SA, TA, NA, LA, probe, none, X[0], X[1], rows, 0, 1)
        return max(0.0, rows[gjk.LOWER])
    FA, IA = core_of(body, F, G)
    ended = gjk.distance_one(FA, IA, probe, none, X[0, 0], X[1, 0], rows, False)
    return max(0.0, rows[gjk.LOWER]) if ended == 0 else 0.0


@kernel(boundscheck=False)
def _meets_general(boxes, o, part, exact, spheres, reals, first, last, states, n, k, moved, added):
    """Return whether a sphere may come too near an obstacle of any shape, by its box and then by its exact shape."""
    for i in range(first, last):
        if _meets_core(boxes, o, False, spheres, moved, i, i + 1, added):
            u, v, w = reals[0, i], reals[1, i], reals[2, i]
            x = states[n, 0, k] * u + states[n, 1, k] * v + states[n, 2, k] * w + states[n, 9, k]
            y = states[n, 3, k] * u + states[n, 4, k] * v + states[n, 5, k] * w + states[n, 10, k]
            z = states[n, 6, k] * u + states[n, 7, k] * v + states[n, 8, k] * w + states[n, 11, k]
            if not _lower_distance(exact, part, states, k, x, y, z) > reals[3, i] + added:
                return True
    return False


@kernel(inline=True, boundscheck=False)
def _open_seed(body, seeds, cells, n_cells, first, last, n, states, k):
    """Return the first seed, from `first` on, of a shape on node n in an undecided cell of a body; `last` if none.

    Seeds are in no sphere of the body. Most are in a cell without interior points of the body outside of its spheres.
    """
    m, low, per_metre = body.node, body.low, body.per_metre
    for i in range(first, last):
        u, v, w = seeds[i, 0], seeds[i, 1], seeds[i, 2]
        x = (
            states[n, 0, k] * u
            + states[n, 1, k] * v
            + states[n, 2, k] * w
            + (states[n, 9, k] - states[m, 9, k])
        )
        y = (
            states[n, 3, k] * u
            + states[n, 4, k] * v
            + states[n, 5, k] * w
            + (states[n, 10, k] - states[m, 10, k])
        )
        z = (
            states[n, 6, k] * u
            + states[n, 7, k] * v
            + states[n, 8, k] * w
            + (states[n, 11, k] - states[m, 11, k])
        )
        a = states[m, 0, k] * x + states[m, 3, k] * y + states[m, 6, k] * z
        b = states[m, 1, k] * x + states[m, 4, k] * y + states[m, 7, k] * z
        c = states[m, 2, k] * x + states[m, 5, k] * y + states[m, 8, k] * z
        a = (a - low[0]) * per_metre[0]
        b = (b - low[1]) * per_metre[1]
        c = (c - low[2]) * per_metre[2]
        if (
            min(a, b, c) >= 0.0
            and max(a, b, c) < n_cells
            and cells[body.cells + (int(a) * n_cells + int(b)) * n_cells + int(c)] != 0
        ):
            return i
    return last


@kernel(boundscheck=False)
def _is_inside(body, inner_parts, seeds, exact, i, n, states, k):
    """Return whether seed i, of a shape on node n, is inside of a body."""
    u, v, w = seeds[i, 0], seeds[i, 1], seeds[i, 2]
    x = states[n, 0, k] * u + states[n, 1, k] * v + states[n, 2, k] * w + states[n, 9, k]
    y = states[n, 3, k] * u + states[n, 4, k] * v + states[n, 5, k] * w + states[n, 10, k]
    z = states[n, 6, k] * u + states[n, 7, k] * v + states[n, 8, k] * w + states[n, 11, k]
    for j in range(body.parts[0], body.parts[1]):
        if not _lower_distance(exact, inner_parts[j], states, k, x, y, z) > 0.0:
            return True
    return False


@kernel(inline=True, boundscheck=False)
def _has_inside(robot, exact, body, some, n, states, k):
    """Return whether a seed of a shape on node n, of a range of seeds, is inside of a body."""
    _, _, _, inner_parts, seeds, cells, n_cells = robot
    first, last = some[0], some[1]
    while first < last:
        first = _open_seed(body, seeds, cells, n_cells, first, last, n, states, k)
        if first < last and _is_inside(body, inner_parts, seeds, exact, first, n, states, k):
            return True
        first += 1
    return False


@kernel(inline=True, boundscheck=False)
def _is_free(robot, around, pairs, exact, states, k, centers, is_moved, moved, bits):
    """Return whether configuration k of the lanes is proved free."""
    bodies, spheres, reals = robot[0], robot[1], robot[2]
    boxes, obstacles, chunks, chunk_limits, near, added, inside = around
    zero = np.float32(0.0)
    for g in range(bodies.shape[0]):
        n, center = bodies[g].node, bodies[g].center
        for i in range(3):
            centers[g, i] = np.float32(
                states[n, 3 * i, k] * center[0]
                + states[n, 3 * i + 1, k] * center[1]
                + states[n, 3 * i + 2, k] * center[2]
                + states[n, 9 + i, k]
            )
        is_moved[g] = 0
    for g in range(bodies.shape[0]):
        body = bodies[g]
        n = body.node
        if n == 0:
            continue
        x, y, z = centers[g, 0], centers[g, 1], centers[g, 2]
        begin, end = body.spheres[0], body.spheres[1]
        for c in range(chunks.shape[0]):
            box = chunks[c]
            dx = max(box.low[0] - x, x - box.high[0], zero)
            dy = max(box.low[1] - y, y - box.high[1], zero)
            dz = max(box.low[2] - z, z - box.high[2], zero)
            if dx * dx + dy * dy + dz * dz > chunk_limits[c, g]:
                continue
            first = CHUNK * c
            last = min(first + CHUNK, boxes.shape[1])
            found = _near_obstacles(boxes, near, bits, g, first, last, x, y, z)
            if found == 0:
                continue
            if is_moved[g] == 0:
                _move(spheres, begin, end, states, n, k, moved)
                is_moved[g] = 1
            for o in range(first, last):
                if found & bits[o - first] == 0:
                    continue
                obstacle, more = obstacles[o], added[g, o]
                if obstacle.kind == GENERAL:
                    if _meets_general(
                        boxes, o, obstacle.part, exact, spheres, reals, begin, end, states, n, k, moved, more
                    ):  # fmt: skip
                        return TOUCHES
                elif obstacle.kind == ROUND_BOX or obstacle.kind == CYLINDER:
                    if _meets_core(boxes, o, obstacle.kind == CYLINDER, spheres, moved, begin, end, more):
                        return TOUCHES
                else:
                    raise ValueError("the number of an obstacle has no test")
                if inside[g, o] != 0 and _has_inside(robot, exact, body, obstacle.seeds, 0, states, k):
                    return TOUCHES
    for p in range(pairs.shape[0]):
        pair = pairs[p]
        a, b = pair.a, pair.b
        A, B = bodies[a], bodies[b]
        x, y, z = centers[b, 0], centers[b, 1], centers[b, 2]
        u, v, w = centers[a, 0] - x, centers[a, 1] - y, centers[a, 2] - z
        if u * u + v * v + w * w > pair.far:
            continue
        if is_moved[a] == 0:
            _move(spheres, A.spheres[0], A.spheres[1], states, A.node, k, moved)
            is_moved[a] = 1
        if is_moved[b] == 0:
            _move(spheres, B.spheres[0], B.spheres[1], states, B.node, k, moved)
            is_moved[b] = 1
        if _meets_spheres(
            spheres, moved, bits, A.spheres[0], A.spheres[1], B.spheres[0], B.spheres[1], x, y, z,
            np.float32(B.radius), pair.added,
        ):  # fmt: skip
            return TOUCHES
        if pair.a_inside != 0 and _has_inside(robot, exact, B, A.seeds, A.node, states, k):
            return TOUCHES
        if pair.b_inside != 0 and _has_inside(robot, exact, A, B.seeds, B.node, states, k):
            return TOUCHES
    return FREE


@kernel(
    "int64(JOINT[::1], SPHERE_BODY[::1], float32[:,::1], float64[:,::1], int64[::1], float64[:,::1], int8[::1],"
    " int64, float32[:,::1], OBSTACLE[::1], BOX[::1], float32[:,::1], float32[:,::1], float32[:,::1], int8[:,::1],"
    " SPHERE_PAIR[::1], NODE_BODY[::1], float64[::1], int32[::1], float64[::1], int32[::1], float32[::1],"
    " int32[::1], float64[:,::1], float64, float64[:,::1], float64[::1], float32[:,::1], int32[::1], int64[::1],"
    " boolean[::1], int64, int64)",
    boundscheck=False,
)
def run(
    joints, bodies, spheres, reals, inner_parts, seeds, cells, n_cells, boxes, obstacles, chunks, chunk_limits, near,
    added, inside, pairs, parts, F, G, S, T, N, L, limits, slide, q, work, moved, bits, counts, free, begin, end,
):  # fmt: skip
    """Write which configurations from `begin` to before `end` are proved free; return `end`.

    Args:
        joints: Moving joints; node 0 is the base.
        bodies: Bodies with spheres, sorted by node.
        spheres, reals: (4, m) centres and radii of all spheres in the frames of nodes; in float32, with radii that
            compensate for it, and in float64. Each body's are repeated up to a multiple of eight.
        inner_parts, seeds: Numbers of exact parts with an interior, and points, one of each component of a surface.
        cells, n_cells: Cells of all bodies, n_cells along each side: not 0 where a body may have interior points
            outside of its spheres.
        boxes: (BOX_ROWS, obstacles), see above.
        obstacles: Bodies at rest.
        chunks: Boxes around CHUNK obstacles each.
        chunk_limits: (chunks, bodies) limits of the squared distance of the ball's centre from these boxes.
        near, added: (bodies, obstacles) limits: of the squared distance of the ball's centre from the box, below 0
            where the pair is not checked; and the addition to radii of spheres.
        inside: (bodies, obstacles) whether the obstacle may be inside of the body.
        pairs: Pairs of bodies.
        parts, F, G, S, T, N, L: Exact parts, as in `kernels.edges.check.run`, with poses in the frames of nodes, those
            at rest in that of the base.
        limits: (2, columns) lower and upper limits of joints.
        slide: Greatest total displacement by prismatic joints for which the limits hold; beyond it nothing is proved
            [m].
        q: Configurations (n, columns).
        work: Scratch of `work_size`, the core of a point last. moved: Space for spheres (4, m), m at least three times
            the number of bodies.
        bits: Powers of two, 32 of them, then space for a number of each body, and one more.
        counts: Receives the number of a configuration with a value that is nan or too large (-1: none), and whether any
            value is beyond its limits.
        free: (n,) answers.
    """
    n_nodes, n_bodies = joints.shape[0], bodies.shape[0]
    states = work[: 12 * LANES * n_nodes].reshape((n_nodes, 12, LANES))
    at = 12 * LANES * n_nodes
    turns = work[at : at + 3 * LANES].reshape((3, LANES))
    at += 3 * LANES
    X = work[at : at + 32].reshape((2, 1, 4, 4))
    at += 32
    rows = work[at : at + gjk.ROW + gjk.MEMORY]
    at += gjk.ROW + gjk.MEMORY
    beside = work[at : at + q.shape[1] * LANES].reshape((q.shape[1], LANES))
    probe = work[at + q.shape[1] * LANES :]
    for i in range(2):
        for j in range(16):
            X[i, 0, j // 4, j % 4] = 1.0 if j % 5 == 0 else 0.0
    for i in range(12):
        for k in range(LANES):
            states[0, i, k] = 1.0 if i % 4 == 0 and i < 9 else 0.0
    is_moved, none = bits[CHUNK : CHUNK + n_bodies], bits[CHUNK + n_bodies :]
    centers = moved[3, : 3 * n_bodies].reshape((n_bodies, 3))
    robot = bodies, spheres, reals, inner_parts, seeds, cells, n_cells
    around = boxes, obstacles, chunks, chunk_limits, near, added, inside
    exact = parts, F, G, S, T, N, L, X, rows, probe, none
    for first in range(begin, end, LANES):
        last = min(first + LANES, end)
        for k in range(first, last):
            for c in range(q.shape[1]):
                if not abs(q[k, c]) <= LARGEST_VALUE:
                    counts[0] = k
                    return end
                if q[k, c] < limits[0, c] or q[k, c] > limits[1, c]:
                    counts[1] = 1
        for k in range(LANES):
            for c in range(q.shape[1]):
                beside[c, k] = q[min(first + k, last - 1), c]
        place_nodes(_lanes, joints, beside, turns, states)
        for k in range(first, last):
            moves = 0.0
            for n in range(1, n_nodes):
                joint = joints[n]
                if joint.revolute == 0:
                    moves += abs(joint.offset + joint.multiplier * q[k, joint.column])
            free[k] = (
                moves <= slide
                and _is_free(robot, around, pairs, exact, states, k - first, centers, is_moved, moved, bits)
                == FREE
            )
    return end


def work_size(n_nodes: int, n_columns: int, n_probe: int) -> int:
    """Return how many numbers of scratch `run` needs; the last of them are the core of a point."""
    return LANES * (12 * n_nodes + n_columns + 3) + 32 + int(gjk.ROW) + int(gjk.MEMORY) + n_probe
