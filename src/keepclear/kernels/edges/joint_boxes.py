"""Proofs that two links of a robot never touch, over boxes of joint values."""

from __future__ import annotations

import math

from keepclear.compiler.kernel import kernel
from keepclear.kernels.convex.support import support
from keepclear.kernels.edges.separation import CLOSE, separate
from keepclear.kernels.motion.joints import map_of, mapped, moved

REST = (0.0, 0.0, 0.0)
UP = 1.0 + 2.0**-40  # displacements are rounded up by far more than the error of their few operations
EVEN = 0.1  # fraction of a joint's greatest displacement, added to that along the direction, when a column is chosen


@kernel(boundscheck=False)
def _place(route, ends, joints):
    """Write axes, origins and half widths of all joints at the centre of a box; return the pose of B in A's frame."""
    a, b, c, x, e, f, g, y, h, i, j, z = map_of(route[0])
    for k in range(joints.shape[0]):
        own, joint = route[k], joints[k]
        lower, upper = ends[0, own.column], ends[1, own.column]
        middle = 0.5 * (lower + upper)
        value = own.offset + own.multiplier * middle
        width = abs(own.multiplier) * max(upper - middle, middle - lower) * UP
        joint.axis[0], joint.axis[1], joint.axis[2] = c, g, j
        joint.origin[0], joint.origin[1], joint.origin[2] = x, y, z
        joint.width = width
        is_revolute = own.revolute != 0
        joint.chord = 2.0 * math.sin(0.5 * min(width, math.pi)) * UP if is_revolute else width
        si, co = math.sin(value), math.cos(value)
        M = map_of(route[k + 1])
        a, b, c, x = moved(a, b, c, x, is_revolute, value, si, co)
        e, f, g, y = moved(e, f, g, y, is_revolute, value, si, co)
        h, i, j, z = moved(h, i, j, z, is_revolute, value, si, co)
        a, b, c, x = mapped(a, b, c, x, M)
        e, f, g, y = mapped(e, f, g, y, M)
        h, i, j, z = mapped(h, i, j, z, M)
    return a, b, c, e, f, g, h, i, j, x, y, z


@kernel(inline=True, boundscheck=False)
def _lever(joint, x, y, z):
    """Return the velocity of a point in A's frame for unit speed of a joint, and the distance from its axis."""
    ax, ay, az = joint.axis[0], joint.axis[1], joint.axis[2]
    x, y, z = x - joint.origin[0], y - joint.origin[1], z - joint.origin[2]
    vx, vy, vz = ay * z - az * y, az * x - ax * z, ax * y - ay * x
    return vx, vy, vz, math.sqrt(vx * vx + vy * vy + vz * vz)


@kernel(boundscheck=False)
def _step(own, joint, p, radius, n):
    """Bound how far a joint moves the points within a radius of p: along n, and in any direction."""
    nx, ny, nz = n
    w, chord, inner = joint.width, joint.chord, joint.inner
    if own.revolute == 0:
        along = abs(nx * joint.axis[0] + ny * joint.axis[1] + nz * joint.axis[2])
        return min(chord, w * along + w * inner) * UP, chord
    vx, vy, vz, rho = _lever(joint, p[0], p[1], p[2])
    rho += radius
    along = abs(nx * vx + ny * vy + nz * vz) + radius
    return min(chord * rho, w * along + w * rho * (0.5 * w + inner)) * UP, chord * rho * UP


@kernel(inline=True, boundscheck=False)
def _at(pose, p):
    """Return a point of B's frame in A's frame."""
    x, y, z = p[0], p[1], p[2]
    return (
        pose[0] * x + pose[1] * y + pose[2] * z + pose[9],
        pose[3] * x + pose[4] * y + pose[5] * z + pose[10],
        pose[6] * x + pose[7] * y + pose[8] * z + pose[11],
    )


@kernel(boundscheck=False)
def _middle(route, asked, a, b, joints):
    """Choose the middle, write the rotations by inner joints, and return (middle, displacements of A and of B).

    Joints before the middle move A. At the middle, the sum of the greatest displacements by all joints is least.
    """
    n = joints.shape[0]
    total = 0.0
    for k in range(n):
        _, moved = _step(route[k], joints[k], b, asked.b.radius, REST)
        joints[k].part = moved
        # harmless (moved): it only chooses the middle, and there is a bound for each
        total += moved
    best, middle, moved_a, moved_b = total, 0, 0.0, total
    at_a, at_b = 0.0, total
    for k in range(n):
        _, moved = _step(route[k], joints[k], a, asked.a.radius, REST)
        # harmless (moved): it only chooses the middle, and there is a bound for each
        at_a += moved
        at_b -= joints[k].part
        if at_a + at_b < best:
            best, middle, moved_a, moved_b = at_a + at_b, k + 1, at_a, max(at_b, 0.0)
    inner = 0.0
    for k in range(middle - 1, -1, -1):
        _, joints[k].part = _step(route[k], joints[k], a, asked.a.radius, REST)
        # harmless (UP): the widths in this sum are rounded up by as much
        joints[k].inner = inner * UP
        if route[k].revolute != 0:
            inner += joints[k].width
    inner = 0.0
    for k in range(middle, n):
        # harmless (UP): the widths in this sum are rounded up by as much
        joints[k].inner = inner * UP
        if route[k].revolute != 0:
            inner += joints[k].width
    moved_a, moved_b = 0.0, 0.0  # recomputed, because the differences above have rounding errors
    for k in range(n):
        if k < middle:
            moved_a += joints[k].part
        else:
            moved_b += joints[k].part
    # harmless (UP): the displacements in these sums are rounded up by as much
    return middle, moved_a * UP, moved_b * UP


@kernel(boundscheck=False)
def _reach(route, joints, first, last, points, pose, n, most):
    """Bound how far any point of a polyhedron reaches along n while the joints move it; also return that point."""
    nx, ny, nz = n
    best, px, py, pz = -math.inf, 0.0, 0.0, 0.0
    for i in range(points.shape[0]):
        p = _at(pose, points[i])
        x, y, z = p
        far = nx * x + ny * y + nz * z
        if far + most <= best:
            continue
        for k in range(first, last):
            moved, _ = _step(route[k], joints[k], p, 0.0, n)
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
    px, py, pz = _at(pose, (x, y, z))
    best = nx * px + ny * py + nz * pz
    for k in range(first, last):
        w, chord, inner = joints[k].width, joints[k].chord, joints[k].inner
        if route[k].revolute == 0:
            moved, _ = _step(route[k], joints[k], REST, 0.0, n)
            best += moved
            continue
        turned, along = 0.0, 0.0
        for i in range(points.shape[0]):
            x, y, z = _at(pose, points[i])
            vx, vy, vz, rho = _lever(joints[k], x, y, z)
            turned = max(turned, chord * rho)
            along = max(along, w * abs(nx * vx + ny * vy + nz * vz) + w * rho * (0.5 * w + inner))
        # harmless (UP): chords and widths, of which both are multiples, are rounded up by as much
        best += min(turned, along) * UP
    return best, px, py, pz


@kernel(boundscheck=False)
def _gap(route, joints, middle, points_a, points_b, FA, LA, FB, LB, asked, pose, n, moved_a, moved_b):
    """Return a lower bound on the gap along n over the whole box, and the points of A and B that attain it."""
    still = 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0
    if asked.a.curved != 0:
        far_a, ax, ay, az = _curved_reach(route, joints, 0, middle, points_a, FA, LA, still, n)
    else:
        far_a, ax, ay, az = _reach(route, joints, 0, middle, points_a, still, n, moved_a)
    back = -n[0], -n[1], -n[2]
    last = joints.shape[0]
    if asked.b.curved != 0:
        far_b, bx, by, bz = _curved_reach(route, joints, middle, last, points_b, FB, LB, pose, back)
    else:
        far_b, bx, by, bz = _reach(route, joints, middle, last, points_b, pose, back, moved_b)
    gap = -far_b - far_a - asked.a.thick - asked.b.thick - asked.slip
    return gap, (ax, ay, az), (bx, by, bz)


@kernel(boundscheck=False)
def _column(route, joints, middle, a, b, n, ends, shares):
    """Return the column of q that contributes most to the motion of a point of A and one of B along n; -1 for none."""
    d = shares.shape[0]
    for c in range(d):
        shares[c] = 0.0
    for k in range(joints.shape[0]):
        along, _ = _step(route[k], joints[k], a if k < middle else b, 0.0, n)
        shares[route[k].column] += along + EVEN * joints[k].part
    best = -1
    for c in range(d):
        middle_value = 0.5 * (ends[0, c] + ends[1, c])
        if ends[0, c] < middle_value < ends[1, c] and (best < 0 or shares[c] > shares[best]):
            best = c
    return best


@kernel(
    "int64(JOINT[::1], float64[:,::1], float64[:,::1], float64[::1], int32[::1], float64[::1], int32[::1],"
    " BOX_SEARCH[::1], float64[:,::1], float64[:,:,::1], OPEN_BOX[::1], float64[:,:,::1], ROUTE_JOINT[::1],"
    " float64[::1], PLANE[::1], float64[::1])",
    boundscheck=False,
)
def search(
    route, points_a, points_b, FA, LA, FB, LB, asked, directions, boxes, opened, opened_boxes, joints, simplex, plane,
    shares,
):  # fmt: skip
    """Prove the boxes on a stack by bisection until it is empty; return 1, or 0 if the search has to stop.

    It stops with a full list of undecided boxes, without space on the stack, or when the budget ends; counts say which.

    Args:
        route: (n + 1,) joints from A to B, and the maps before them; `column` is that of a box; the last row has a map
            only.
        points_a, points_b: Points whose hulls, with a radius, contain A and B.
        FA, LA, FB, LB: The hulls.
        asked: The query (1,), with counts.
        directions, boxes: The stack: a direction from A to B that proved a part of the enclosing box (zeros: none), and
            lower and upper ends (2, columns).
        opened, opened_boxes: Boxes whose hulls overlap at the centre: exact shapes have to decide.
        joints: (n,) scratch.
        simplex: Scratch of `gjk.MEMORY` numbers.
        plane: Scratch (1,).
        shares: Scratch, a number for each column.
    """
    counts, found = asked[0], plane[0]
    d = shares.shape[0]
    while counts.stack > 0:
        top = counts.stack - 1
        if counts.examined >= counts.budget or counts.opened >= opened.shape[0] or top + 2 > boxes.shape[0]:
            return 0
        counts.examined += 1
        box, direction = boxes[top], directions[top]
        pose = _place(route, box, joints)
        center = counts.a.center
        ball_a, ball_b = (center[0], center[1], center[2]), _at(pose, counts.b.center[:])
        middle, moved_a, moved_b = _middle(route, counts, ball_a, ball_b, joints)
        n = direction[0], direction[1], direction[2]
        gap, at_a, at_b, overlap = -1.0, ball_a, ball_b, True
        if counts.hulls != 0:
            if n[0] != 0.0 or n[1] != 0.0 or n[2] != 0.0:
                gap, at_a, at_b = _gap(
                    route, joints, middle, points_a, points_b, FA, LA, FB, LB, counts, pose, n, moved_a, moved_b
                )  # fmt: skip
            # harmless (>): another direction is searched or not; only a gap above 0 proves a box
            if not gap > 0.0:
                found.direction[0], found.direction[1], found.direction[2] = n
                found.vertex_a, found.vertex_b = -1, -1
                ended, _ = separate(
                    FA, LA, FB, LB, pose, REST, REST, REST, REST, False, 0.0, found, (0.0, 0.0), math.inf, 0.0,
                    counts.near, simplex,
                )  # fmt: skip
                overlap = ended == CLOSE
                if not overlap:
                    n = found.direction[0], found.direction[1], found.direction[2]
                    gap, at_a, at_b = _gap(
                        route, joints, middle, points_a, points_b, FA, LA, FB, LB, counts, pose, n, moved_a, moved_b
                    )  # fmt: skip
        if gap > 0.0:
            counts.stack = top
            continue
        c = _column(route, joints, middle, at_a, at_b, n, box, shares)
        if overlap or c < 0:
            row, left = opened[counts.opened], opened_boxes[counts.opened]
            for i in range(3):
                for j in range(3):
                    row.pose[i, j] = pose[3 * i + j]
                row.pose[i, 3], row.direction[i] = pose[9 + i], direction[i]
            row.moved, row.split = moved_a + moved_b + counts.slip, c
            for i in range(d):
                left[0, i], left[1, i] = box[0, i], box[1, i]
            counts.opened += 1
            counts.stack = top
            continue
        other, also = boxes[top + 1], directions[top + 1]
        for i in range(d):
            other[0, i], other[1, i] = box[0, i], box[1, i]
        for i in range(3):
            direction[i] = n[i]
            also[i] = n[i]
        cut = 0.5 * (box[0, c] + box[1, c])
        box[1, c] = cut
        other[0, c] = cut
        counts.stack = top + 2
    return 1
