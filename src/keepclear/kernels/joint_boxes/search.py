"""Columns of the arrays that the kernel for boxes of joint values reads and writes."""

from __future__ import annotations

import math

from keepclear.kernels._compile import kernel
from keepclear.kernels.convex.support import support
from keepclear.kernels.edges.separation import AFTER_SIMPLEX, CLOSE, separate
from keepclear.kernels.motion.joints import MULTIPLIER, OFFSET, REVOLUTE, map_of, mapped, moved

# Data of a query: how far hulls reach beyond their points [m]; a ball around each body in its own frame; whether their
# points only enclose them, since they have a curved surface; whether both have hulls; rounding of a distance query [m];
# cores with points as near as this overlap [m].
RADIUS_A, RADIUS_B, BALL_A, BALL_B, CURVED_A, CURVED_B, HAS_HULLS, SLIP, NEAR, NUMBERS = (
    0,
    1,
    2,
    6,
    10,
    11,
    12,
    13,
    14,
    15,
)

# A box: a direction from A to B that proved a part of the enclosing box (zeros: none), then lower and upper ends.
DIRECTION, ENDS = 0, 3
# A box that hulls leave undecided begins with: the pose of B in A's frame, rows of [R | p], how far any two points move
# at most relative to each other [m], and the column to be halved. Then the box follows.
POSE, MOVED, SPLIT, OPEN = 0, 12, 13, 14

# Counts: boxes on the stack, undecided boxes, boxes examined, and the number of these at which to stop.
STACK, OPENED, EXAMINED, BUDGET, COUNTS = 0, 1, 2, 3, 4
# Scratch of a joint: axis and origin in A's frame, half width of its values, chord of that, and the rotation by the
# joints between it and the middle.
AXIS, ORIGIN, WIDTH, CHORD, INNER, PART, SCRATCH = 0, 3, 6, 7, 8, 9, 10


REST = (0.0, 0.0, 0.0)
UP = 1.0 + 2.0**-40  # displacements are rounded up by far more than the error of their few operations
EVEN = 0.1  # fraction of a joint's greatest displacement, added to that along the direction, when a column is chosen


@kernel(boundscheck=False)
def _place(route, columns, box, d, joints):
    """Write axes, origins and half widths of all joints at the centre of a box; return the pose of B in A's frame."""
    a, b, c, x, e, f, g, y, h, i, j, z = map_of(route, 0)
    for k in range(columns.shape[0]):
        lower, upper = box[ENDS + columns[k]], box[ENDS + d + columns[k]]
        middle = 0.5 * (lower + upper)
        value = route[k, OFFSET] + route[k, MULTIPLIER] * middle
        width = abs(route[k, MULTIPLIER]) * max(upper - middle, middle - lower) * UP
        joints[k, AXIS], joints[k, AXIS + 1], joints[k, AXIS + 2] = c, g, j
        joints[k, ORIGIN], joints[k, ORIGIN + 1], joints[k, ORIGIN + 2] = x, y, z
        joints[k, WIDTH] = width
        is_revolute = route[k, REVOLUTE] != 0.0
        joints[k, CHORD] = 2.0 * math.sin(0.5 * min(width, math.pi)) * UP if is_revolute else width
        si, co = math.sin(value), math.cos(value)
        M = map_of(route, k + 1)
        a, b, c, x = moved(a, b, c, x, is_revolute, value, si, co)
        e, f, g, y = moved(e, f, g, y, is_revolute, value, si, co)
        h, i, j, z = moved(h, i, j, z, is_revolute, value, si, co)
        a, b, c, x = mapped(a, b, c, x, M)
        e, f, g, y = mapped(e, f, g, y, M)
        h, i, j, z = mapped(h, i, j, z, M)
    return a, b, c, e, f, g, h, i, j, x, y, z


@kernel(inline=True, boundscheck=False)
def _lever(joints, k, x, y, z):
    """Return the velocity of a point in A's frame for unit speed of joint k, and the distance from its axis."""
    ax, ay, az = joints[k, AXIS], joints[k, AXIS + 1], joints[k, AXIS + 2]
    x, y, z = x - joints[k, ORIGIN], y - joints[k, ORIGIN + 1], z - joints[k, ORIGIN + 2]
    vx, vy, vz = ay * z - az * y, az * x - ax * z, ax * y - ay * x
    return vx, vy, vz, math.sqrt(vx * vx + vy * vy + vz * vz)


@kernel(boundscheck=False)
def _step(route, joints, k, x, y, z, radius, n):
    """Bound how far joint k moves the points within a radius of a point: along n, and in any direction."""
    nx, ny, nz = n
    w, chord, inner = joints[k, WIDTH], joints[k, CHORD], joints[k, INNER]
    if route[k, REVOLUTE] == 0.0:
        along = abs(nx * joints[k, AXIS] + ny * joints[k, AXIS + 1] + nz * joints[k, AXIS + 2])
        return min(chord, w * along + w * inner) * UP, chord
    vx, vy, vz, rho = _lever(joints, k, x, y, z)
    rho += radius
    along = abs(nx * vx + ny * vy + nz * vz) + radius
    return min(chord * rho, w * along + w * rho * (0.5 * w + inner)) * UP, chord * rho * UP


@kernel(boundscheck=False)
def _balls(numbers, pose):
    """Return the centres of the balls around both bodies in A's frame."""
    x, y, z = numbers[BALL_B], numbers[BALL_B + 1], numbers[BALL_B + 2]
    return (
        (numbers[BALL_A], numbers[BALL_A + 1], numbers[BALL_A + 2]),
        (
            pose[0] * x + pose[1] * y + pose[2] * z + pose[9],
            pose[3] * x + pose[4] * y + pose[5] * z + pose[10],
            pose[6] * x + pose[7] * y + pose[8] * z + pose[11],
        ),
    )


@kernel(boundscheck=False)
def _middle(route, columns, numbers, a, b, joints):
    """Choose the middle, write the rotations by inner joints, and return (middle, displacements of A and of B).

    Joints before the middle move A. At the middle, the sum of the greatest displacements by all joints is least.
    """
    n = columns.shape[0]
    total = 0.0
    for k in range(n):
        _, moved = _step(route, joints, k, b[0], b[1], b[2], numbers[BALL_B + 3], REST)
        joints[k, PART] = moved
        # harmless (moved): it only chooses the middle, and there is a bound for each
        total += moved
    best, middle, moved_a, moved_b = total, 0, 0.0, total
    at_a, at_b = 0.0, total
    for k in range(n):
        _, moved = _step(route, joints, k, a[0], a[1], a[2], numbers[BALL_A + 3], REST)
        # harmless (moved): it only chooses the middle, and there is a bound for each
        at_a += moved
        at_b -= joints[k, PART]
        if at_a + at_b < best:
            best, middle, moved_a, moved_b = at_a + at_b, k + 1, at_a, max(at_b, 0.0)
    inner = 0.0
    for k in range(middle - 1, -1, -1):
        _, joints[k, PART] = _step(route, joints, k, a[0], a[1], a[2], numbers[BALL_A + 3], REST)
        # harmless (UP): the widths in this sum are rounded up by as much
        joints[k, INNER] = inner * UP
        if route[k, REVOLUTE] != 0.0:
            inner += joints[k, WIDTH]
    inner = 0.0
    for k in range(middle, n):
        # harmless (UP): the widths in this sum are rounded up by as much
        joints[k, INNER] = inner * UP
        if route[k, REVOLUTE] != 0.0:
            inner += joints[k, WIDTH]
    moved_a, moved_b = 0.0, 0.0  # recomputed, because the differences above have rounding errors
    for k in range(n):
        if k < middle:
            moved_a += joints[k, PART]
        else:
            moved_b += joints[k, PART]
    # harmless (UP): the displacements in these sums are rounded up by as much
    return middle, moved_a * UP, moved_b * UP


@kernel(boundscheck=False)
def _reach(route, joints, first, last, points, pose, n, most):
    """Bound how far any point of a polyhedron reaches along n while the joints move it; also return that point."""
    nx, ny, nz = n
    best, px, py, pz = -math.inf, 0.0, 0.0, 0.0
    for i in range(points.shape[0]):
        x, y, z = points[i, 0], points[i, 1], points[i, 2]
        x, y, z = (
            pose[0] * x + pose[1] * y + pose[2] * z + pose[9],
            pose[3] * x + pose[4] * y + pose[5] * z + pose[10],
            pose[6] * x + pose[7] * y + pose[8] * z + pose[11],
        )
        far = nx * x + ny * y + nz * z
        if far + most <= best:
            continue
        for k in range(first, last):
            moved, _ = _step(route, joints, k, x, y, z, 0.0, n)
            far += moved
        if far > best:
            best, px, py, pz = far, x, y, z
    return best, px, py, pz


@kernel(boundscheck=False)
def _curved_reach(route, joints, first, last, points, F, L, pose, n):
    """Bound how far a curved body reaches along n while the joints move it; also return its support point.

    Each of the two bounds on a step is a convex function of the point, so it is greatest at one of the points that
    enclose the body.
    """
    nx, ny, nz = n
    x, y, z, _, _ = support(
        F,
        L,
        pose[0] * nx + pose[3] * ny + pose[6] * nz,
        pose[1] * nx + pose[4] * ny + pose[7] * nz,
        pose[2] * nx + pose[5] * ny + pose[8] * nz,
        -1,
        False,
    )
    px, py, pz = (
        pose[0] * x + pose[1] * y + pose[2] * z + pose[9],
        pose[3] * x + pose[4] * y + pose[5] * z + pose[10],
        pose[6] * x + pose[7] * y + pose[8] * z + pose[11],
    )
    best = nx * px + ny * py + nz * pz
    for k in range(first, last):
        w, chord, inner = joints[k, WIDTH], joints[k, CHORD], joints[k, INNER]
        if route[k, REVOLUTE] == 0.0:
            moved, _ = _step(route, joints, k, 0.0, 0.0, 0.0, 0.0, n)
            best += moved
            continue
        turned, along = 0.0, 0.0
        for i in range(points.shape[0]):
            x, y, z = points[i, 0], points[i, 1], points[i, 2]
            vx, vy, vz, rho = _lever(
                joints,
                k,
                pose[0] * x + pose[1] * y + pose[2] * z + pose[9],
                pose[3] * x + pose[4] * y + pose[5] * z + pose[10],
                pose[6] * x + pose[7] * y + pose[8] * z + pose[11],
            )
            turned = max(turned, chord * rho)
            along = max(along, w * abs(nx * vx + ny * vy + nz * vz) + w * rho * (0.5 * w + inner))
        # harmless (UP): chords and widths, of which both are multiples, are rounded up by as much
        best += min(turned, along) * UP
    return best, px, py, pz


@kernel(boundscheck=False)
def _gap(route, joints, middle, points_a, points_b, FA, LA, FB, LB, numbers, pose, n, moved_a, moved_b):
    """Return a lower bound on the gap along n over the whole box, and the points of A and B that attain it."""
    still = 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0
    if numbers[CURVED_A] != 0.0:
        far_a, ax, ay, az = _curved_reach(route, joints, 0, middle, points_a, FA, LA, still, n)
    else:
        far_a, ax, ay, az = _reach(route, joints, 0, middle, points_a, still, n, moved_a)
    back = -n[0], -n[1], -n[2]
    last = joints.shape[0]
    if numbers[CURVED_B] != 0.0:
        far_b, bx, by, bz = _curved_reach(route, joints, middle, last, points_b, FB, LB, pose, back)
    else:
        far_b, bx, by, bz = _reach(route, joints, middle, last, points_b, pose, back, moved_b)
    gap = -far_b - far_a - numbers[RADIUS_A] - numbers[RADIUS_B] - numbers[SLIP]
    return gap, (ax, ay, az), (bx, by, bz)


@kernel(boundscheck=False)
def _column(route, columns, joints, middle, a, b, n, box, d, shares):
    """Return the column of q that contributes most to the motion of a point of A and one of B along n; -1 for none."""
    for c in range(d):
        shares[c] = 0.0
    for k in range(columns.shape[0]):
        x, y, z = a if k < middle else b
        along, _ = _step(route, joints, k, x, y, z, 0.0, n)
        shares[columns[k]] += along + EVEN * joints[k, PART]
    best = -1
    for c in range(d):
        middle_value = 0.5 * (box[ENDS + c] + box[ENDS + d + c])
        if box[ENDS + c] < middle_value < box[ENDS + d + c] and (best < 0 or shares[c] > shares[best]):
            best = c
    return best


@kernel(
    "int64(float64[:,::1], int64[::1], float64[:,::1], float64[:,::1], float64[::1], int32[::1], float64[::1],"
    " int32[::1], float64[::1], float64[:,::1], float64[:,::1], float64[:,::1], float64[::1], float64[::1],"
    " int64[::1])",
    boundscheck=False,
)
def search(
    route, columns, points_a, points_b, FA, LA, FB, LB, numbers, boxes, opened, joints, memory, shares, counts
):
    """Prove the boxes on a stack by bisection until it is empty; return 1, or 0 if the search has to stop.

    It stops with a full list of undecided boxes, without space on the stack, or when the budget ends; counts say which.

    Args:
        route: (n + 1, JOINT) joints from A to B, and the maps before them, see `kernels.motion.joints`; the last row
            has a map only.
        columns: (n,) the column of a box that moves each joint.
        points_a, points_b: Points whose hulls, with a radius, contain A and B.
        FA, LA, FB, LB: The hulls.
        numbers: NUMBERS, see `layout`.
        boxes: The stack; a row is DIRECTION, lower and upper ends.
        opened: Boxes whose hulls overlap at the centre: exact shapes have to decide.
        joints: (n, SCRATCH) scratch.
        memory: Scratch of `gjk.MEMORY` numbers.
        shares: Scratch, a number for each column.
        counts: COUNTS.
    """
    d, m = shares.shape[0], AFTER_SIMPLEX
    while counts[STACK] > 0:
        top = counts[STACK] - 1
        if (
            counts[EXAMINED] >= counts[BUDGET]
            or counts[OPENED] >= opened.shape[0]
            or top + 2 > boxes.shape[0]
        ):
            return 0
        counts[EXAMINED] += 1
        box = boxes[top]
        pose = _place(route, columns, box, d, joints)
        ball_a, ball_b = _balls(numbers, pose)
        middle, moved_a, moved_b = _middle(route, columns, numbers, ball_a, ball_b, joints)
        n = box[DIRECTION], box[DIRECTION + 1], box[DIRECTION + 2]
        gap, at_a, at_b, overlap = -1.0, ball_a, ball_b, True
        if numbers[HAS_HULLS] != 0.0:
            if n[0] != 0.0 or n[1] != 0.0 or n[2] != 0.0:
                gap, at_a, at_b = _gap(
                    route, joints, middle, points_a, points_b, FA, LA, FB, LB, numbers, pose, n, moved_a, moved_b
                )  # fmt: skip
            # harmless (>): another direction is searched or not; only a gap above 0 proves a box
            if not gap > 0.0:
                memory[m], memory[m + 1], memory[m + 2] = n
                memory[m + 3], memory[m + 4] = -1.0, -1.0
                ended, _ = separate(
                    FA, LA, FB, LB, pose, REST, REST, REST, REST, False, 0.0, memory, m, (0.0, 0.0), math.inf, 0.0,
                    numbers[NEAR], memory,
                )  # fmt: skip
                overlap = ended == CLOSE
                if not overlap:
                    n = memory[m], memory[m + 1], memory[m + 2]
                    gap, at_a, at_b = _gap(
                        route, joints, middle, points_a, points_b, FA, LA, FB, LB, numbers, pose, n, moved_a, moved_b
                    )  # fmt: skip
        if gap > 0.0:
            counts[STACK] = top
            continue
        c = _column(route, columns, joints, middle, at_a, at_b, n, box, d, shares)
        if overlap or c < 0:
            row = opened[counts[OPENED]]
            for i in range(3):
                for j in range(3):
                    row[POSE + 4 * i + j] = pose[3 * i + j]
                row[POSE + 4 * i + 3] = pose[9 + i]
            row[MOVED], row[SPLIT] = moved_a + moved_b + numbers[SLIP], c
            for i in range(ENDS + 2 * d):
                row[OPEN + i] = box[i]
            counts[OPENED] += 1
            counts[STACK] = top
            continue
        other = boxes[top + 1]
        for i in range(ENDS + 2 * d):
            other[i] = box[i]
        for i in range(3):
            box[DIRECTION + i] = n[i]
            other[DIRECTION + i] = n[i]
        cut = 0.5 * (box[ENDS + c] + box[ENDS + d + c])
        box[ENDS + d + c] = cut
        other[ENDS + c] = cut
        counts[STACK] = top + 2
    return 1
