"""Poses and velocities of a robot's nodes and bodies in the middle of an interval, with bounds on the remainder.

Joints move linearly: q(s) = q0 + s (q1 - q0). A point p of a body on node j has the velocity v_j + w_j x (p - p_j). Its
acceleration is at most the sum, over the joints k up to j, of r_k u_k (U_k + U_(k-1)) for revolute and 2 u_k U_(k-1)
for prismatic ones: u_k is the absolute speed of joint k, U_k the sum of these over revolute joints up to k, and r_k
bounds the distance of the point from the axis of joint k (see kernels/motion/chain.py). During the interval the
distance of the point from that axis exceeds that in the middle by at most the motion due to joints after k: h r_i u_i
each.
"""

from __future__ import annotations

import math

from keepclear.compiler.kernel import kernel
from keepclear.kernels.motion.joints import one, place_nodes


@kernel(boundscheck=False)
def move_nodes(joints, q0, q1, k, s, q, turns, nodes):
    """Write pose and velocity of all nodes at the fraction s of edge k; q and turns are scratch of `place_nodes`."""
    for c in range(q0.shape[1]):
        q[c, 0] = q0[k, c] + s * (q1[k, c] - q0[k, c])
    place_nodes(one, joints, q, turns, nodes["pose"])
    for n in range(1, joints.shape[0]):
        joint, node = joints[n], nodes[n]
        parent = nodes[joint.parent]
        speed = joint.multiplier * (q1[k, joint.column] - q0[k, joint.column])
        wx, wy, wz = parent.spin[0], parent.spin[1], parent.spin[2]
        ux, uy, uz = node.pose[2, 0], node.pose[5, 0], node.pose[8, 0]
        node.speed, node.turns = abs(speed), parent.turns
        node.spin[0], node.spin[1], node.spin[2] = wx, wy, wz
        if joint.revolute != 0:
            node.spin[0] += speed * ux
            node.spin[1] += speed * uy
            node.spin[2] += speed * uz
            node.turns += abs(speed)
            speed = 0.0
        x, y, z = (
            node.pose[9, 0] - parent.pose[9, 0],
            node.pose[10, 0] - parent.pose[10, 0],
            node.pose[11, 0] - parent.pose[11, 0],
        )
        node.velocity[0] = parent.velocity[0] + (wy * z - wz * y + speed * ux)
        node.velocity[1] = parent.velocity[1] + (wz * x - wx * z + speed * uy)
        node.velocity[2] = parent.velocity[2] + (wx * y - wy * x + speed * uz)


@kernel(inline=True, boundscheck=False)
def velocity_at(node, x, y, z):
    """Return the velocity of the point (x, y, z) of the world that is fixed to a node."""
    wx, wy, wz = node.spin[0], node.spin[1], node.spin[2]
    x, y, z = x - node.pose[9, 0], y - node.pose[10, 0], z - node.pose[11, 0]
    return (
        node.velocity[0] + (wy * z - wz * y),
        node.velocity[1] + (wz * x - wx * z),
        node.velocity[2] + (wx * y - wy * x),
    )


@kernel(boundscheck=False)
def bound_acceleration(joints, nodes, n, stop, center, radius, h):
    """Bound the acceleration, relative to node `stop`, of the points within a radius of a centre on node n."""
    found, moved, base = 0.0, 0.0, nodes[stop].turns
    while n != stop:
        joint, node = joints[n], nodes[n]
        u = node.speed
        if u > 0.0:
            before = max(0.0, nodes[joint.parent].turns - base)
            if joint.revolute != 0:
                ax, ay, az = node.pose[2, 0], node.pose[5, 0], node.pose[8, 0]
                dx, dy, dz = (
                    center[0] - node.pose[9, 0],
                    center[1] - node.pose[10, 0],
                    center[2] - node.pose[11, 0],
                )
                ex, ey, ez = dy * az - dz * ay, dz * ax - dx * az, dx * ay - dy * ax
                far = math.sqrt(ex * ex + ey * ey + ez * ez) + radius + moved
                found += far * u * (u + 2.0 * before)
                moved += h * u * far
            else:
                found += 2.0 * u * before
                moved += h * u
        n = joint.parent
    return found


@kernel(boundscheck=False)
def place_body(joints, nodes, body, h, stamp, rounding, out):
    """Write pose and motion of a body that a node carries, unless this evaluation has written them already."""
    if out.stamp == stamp:
        return
    node, X, c, r = nodes[body.node], body.pose, body.center, body.radius
    for i in range(3):
        u, v, w = node.pose[3 * i, 0], node.pose[3 * i + 1, 0], node.pose[3 * i + 2, 0]
        for j in range(3):
            out.R[i, j] = u * X[0, j] + v * X[1, j] + w * X[2, j]
        out.p[i] = (u * X[0, 3] + v * X[1, 3] + w * X[2, 3]) + node.pose[9 + i, 0]
    for i in range(3):
        out.center[i] = (out.R[i, 0] * c[0] + out.R[i, 1] * c[1] + out.R[i, 2] * c[2]) + out.p[i]
    vx, vy, vz = velocity_at(node, out.center[0], out.center[1], out.center[2])
    out.velocity[0], out.velocity[1], out.velocity[2] = vx, vy, vz
    wx, wy, wz = node.spin[0], node.spin[1], node.spin[2]
    found = bound_acceleration(joints, nodes, body.node, 0, out.center, r, h)
    out.acceleration = found
    # The points of a ball that turns: |n + s n x w| <= sqrt(1 + h^2 w^2) <= 1 + h^2 w^2 / 2.
    out.wide = r * (1.0 + 0.5 * h * h * (wx * wx + wy * wy + wz * wz)) + 0.5 * h * h * found + rounding
    out.reach = out.wide + h * math.sqrt(vx * vx + vy * vy + vz * vz)
    out.stamp = stamp


@kernel(inline=True, boundscheck=False)
def beyond_box(other, center):
    """Return the vector from the box around a body at rest to a point of the world, in the frame of the body."""
    X, c, half = other.pose, other.center, other.half
    x, y, z = center[0] - X[0, 3], center[1] - X[1, 3], center[2] - X[2, 3]
    ax = X[0, 0] * x + X[1, 0] * y + X[2, 0] * z - c[0]
    ay = X[0, 1] * x + X[1, 1] * y + X[2, 1] * z - c[1]
    az = X[0, 2] * x + X[1, 2] * y + X[2, 2] * z - c[2]
    hx, hy, hz = half[0], half[1], half[2]
    return (
        ax - hx if ax > hx else (ax + hx if ax < -hx else 0.0),
        ay - hy if ay > hy else (ay + hy if ay < -hy else 0.0),
        az - hz if az > hz else (az + hz if az < -hz else 0.0),
    )


@kernel(boundscheck=False)
def near_box(other, moved, margin, h):
    """Return whether the ball around a body of the robot may come within a margin of the box around a body at rest.

    The nearest point of the box and the centre of the ball give a direction that separates both.
    """
    X = other.pose
    ax, ay, az = beyond_box(other, moved.center)
    square = ax * ax + ay * ay + az * az
    far = moved.reach + margin
    if square > far * far:
        return False
    near = moved.wide + margin
    if square <= near * near:
        return True
    vx, vy, vz = moved.velocity[0], moved.velocity[1], moved.velocity[2]
    along = (
        ax * (X[0, 0] * vx + X[1, 0] * vy + X[2, 0] * vz)
        + ay * (X[0, 1] * vx + X[1, 1] * vy + X[2, 1] * vz)
        + az * (X[0, 2] * vx + X[1, 2] * vy + X[2, 2] * vz)
    )
    distance = math.sqrt(square)
    return not distance - h * abs(along) / distance > near


@kernel(inline=True, boundscheck=False)
def relative_spin(node, common):
    """Return the angular velocity of a node relative to another one."""
    return node.spin[0] - common.spin[0], node.spin[1] - common.spin[1], node.spin[2] - common.spin[2]


@kernel(inline=True, boundscheck=False)
def relative_velocity(moved, common):
    """Return the velocity of the centre of a body's ball relative to a node."""
    ux, uy, uz = velocity_at(common, moved.center[0], moved.center[1], moved.center[2])
    return moved.velocity[0] - ux, moved.velocity[1] - uy, moved.velocity[2] - uz


@kernel(boundscheck=False)
def _wide_ball(nodes, body, moved, common, h):
    """Return the radius of the ball of a body, widened for rotation and acceleration relative to a node."""
    wx, wy, wz = relative_spin(nodes[body.node], nodes[common])
    # Its acceleration relative to an ancestor node is bounded by fewer joints than that in the world.
    r = body.radius
    return r + 0.5 * h * h * (r * (wx * wx + wy * wy + wz * wz) + moved.acceleration)


@kernel(boundscheck=False)
def near_ball(nodes, bodies, placed, a, b, common, margin, h):
    """Return whether the balls around two bodies of the robot may come within a margin of each other."""
    body_a, body_b, A, B = bodies[a], bodies[b], placed[a], placed[b]
    x, y, z = B.center[0] - A.center[0], B.center[1] - A.center[1], B.center[2] - A.center[2]
    square = x * x + y * y + z * z
    # harmless (margin): a quick answer; what it does not answer is decided below
    near = body_a.radius + body_b.radius + margin
    if square <= near * near:
        return True
    far = A.reach + B.reach + margin  # relative to the other, neither moves farther than both do together
    if square > far * far:
        return False
    near = margin + _wide_ball(nodes, body_b, B, common, h)
    vx, vy, vz = relative_velocity(B, nodes[common])
    if body_a.node == common:
        near += body_a.radius
    else:
        near += _wide_ball(nodes, body_a, A, common, h)
        ux, uy, uz = velocity_at(nodes[common], A.center[0], A.center[1], A.center[2])
        vx, vy, vz = vx - A.velocity[0] + ux, vy - A.velocity[1] + uy, vz - A.velocity[2] + uz
    distance = math.sqrt(square)
    return not distance - h * abs(x * vx + y * vy + z * vz) / distance > near


@kernel(boundscheck=False)
def bound_gap(bodies, placed, a, b, is_own):
    """Return a lower bound on the distance of two bodies at an instant, from ball and box or two balls."""
    center = placed[b].center
    if is_own:
        other = placed[a].center
        x, y, z = center[0] - other[0], center[1] - other[1], center[2] - other[2]
        return math.sqrt(x * x + y * y + z * z) - bodies[a].radius - bodies[b].radius
    ax, ay, az = beyond_box(bodies[a], center)
    return math.sqrt(ax * ax + ay * ay + az * az) - bodies[b].radius
