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

from keepclear.kernels._compile import kernel
from keepclear.kernels.edges.layout import (
    ACCELERATION,
    BALL,
    BALL_VELOCITY,
    CENTER,
    HALF,
    OF_NODE,
    POSE,
    RADIUS,
    REACH,
    SPEED,
    SPIN,
    STAMP,
    SUM,
    VELOCITY,
    WIDE,
)
from keepclear.kernels.motion.joints import (
    COLUMN,
    MULTIPLIER,
    PARENT,
    PLACE,
    REVOLUTE,
    TURN,
    one,
    place_nodes,
)


@kernel(boundscheck=False)
def move_nodes(nodes, joints, q0, q1, k, s, scratch, states):
    """Write pose and velocity of all nodes at the fraction s of edge k.

    Scratch: space for q and turns of `place_nodes`, and the states as it needs them.
    """
    q, turns, poses = scratch
    for c in range(q0.shape[1]):
        q[c, 0] = q0[k, c] + s * (q1[k, c] - q0[k, c])
    place_nodes(one, nodes, joints, q, turns, poses)
    for n in range(1, nodes.shape[0]):
        p, c = joints[n, PARENT], joints[n, COLUMN]
        speed = nodes[n, MULTIPLIER] * (q1[k, c] - q0[k, c])
        wx, wy, wz = states[p, SPIN], states[p, SPIN + 1], states[p, SPIN + 2]
        ux, uy, uz = states[n, TURN + 2], states[n, TURN + 5], states[n, TURN + 8]
        states[n, SPEED] = abs(speed)
        states[n, SPIN], states[n, SPIN + 1], states[n, SPIN + 2] = wx, wy, wz
        states[n, SUM] = states[p, SUM]
        if nodes[n, REVOLUTE] != 0.0:
            states[n, SPIN] += speed * ux
            states[n, SPIN + 1] += speed * uy
            states[n, SPIN + 2] += speed * uz
            states[n, SUM] += abs(speed)
            speed = 0.0
        x, y = states[n, PLACE] - states[p, PLACE], states[n, PLACE + 1] - states[p, PLACE + 1]
        z = states[n, PLACE + 2] - states[p, PLACE + 2]
        states[n, VELOCITY] = states[p, VELOCITY] + (wy * z - wz * y + speed * ux)
        states[n, VELOCITY + 1] = states[p, VELOCITY + 1] + (wz * x - wx * z + speed * uy)
        states[n, VELOCITY + 2] = states[p, VELOCITY + 2] + (wx * y - wy * x + speed * uz)


@kernel(inline=True, boundscheck=False)
def velocity_at(states, n, x, y, z):
    """Return the velocity of the point (x, y, z) of the world that is fixed to a node."""
    wx, wy, wz = states[n, SPIN], states[n, SPIN + 1], states[n, SPIN + 2]
    x, y, z = x - states[n, PLACE], y - states[n, PLACE + 1], z - states[n, PLACE + 2]
    return (
        states[n, VELOCITY] + (wy * z - wz * y),
        states[n, VELOCITY + 1] + (wz * x - wx * z),
        states[n, VELOCITY + 2] + (wx * y - wy * x),
    )


@kernel(boundscheck=False)
def bound_acceleration(nodes, joints, states, n, stop, x, y, z, radius, h):
    """Bound the acceleration, relative to node `stop`, of the points within a radius of (x, y, z) on node n."""
    found, moved, base = 0.0, 0.0, states[stop, SUM]
    while n != stop:
        p, u = joints[n, PARENT], states[n, SPEED]
        if u > 0.0:
            before = max(0.0, states[p, SUM] - base)
            if nodes[n, REVOLUTE] != 0.0:
                ax, ay, az = states[n, TURN + 2], states[n, TURN + 5], states[n, TURN + 8]
                dx, dy, dz = x - states[n, PLACE], y - states[n, PLACE + 1], z - states[n, PLACE + 2]
                ex, ey, ez = dy * az - dz * ay, dz * ax - dx * az, dx * ay - dy * ax
                far = math.sqrt(ex * ex + ey * ey + ez * ez) + radius + moved
                found += far * u * (u + 2.0 * before)
                moved += h * u * far
            else:
                found += 2.0 * u * before
                moved += h * u
        n = p
    return found


@kernel(boundscheck=False)
def place_body(nodes, joints, states, bodies, parts, g, h, stamp, rounding, out):
    """Write pose and motion of a body that a node carries, unless this evaluation has written them already."""
    if out[g, STAMP] == stamp:
        return
    n, x = parts[g, OF_NODE], POSE
    for i in range(3):
        a, b, c = states[n, TURN + 3 * i], states[n, TURN + 3 * i + 1], states[n, TURN + 3 * i + 2]
        out[g, TURN + 3 * i] = a * bodies[g, x] + b * bodies[g, x + 4] + c * bodies[g, x + 8]
        out[g, TURN + 3 * i + 1] = a * bodies[g, x + 1] + b * bodies[g, x + 5] + c * bodies[g, x + 9]
        out[g, TURN + 3 * i + 2] = a * bodies[g, x + 2] + b * bodies[g, x + 6] + c * bodies[g, x + 10]
        out[g, PLACE + i] = (a * bodies[g, x + 3] + b * bodies[g, x + 7] + c * bodies[g, x + 11]) + states[
            n, PLACE + i
        ]
    for i in range(3):
        t = TURN + 3 * i
        out[g, BALL + i] = (
            out[g, t] * bodies[g, CENTER]
            + out[g, t + 1] * bodies[g, CENTER + 1]
            + out[g, t + 2] * bodies[g, CENTER + 2]
        ) + out[g, PLACE + i]
    px, py, pz = out[g, BALL], out[g, BALL + 1], out[g, BALL + 2]
    vx, vy, vz = velocity_at(states, n, px, py, pz)
    out[g, BALL_VELOCITY], out[g, BALL_VELOCITY + 1], out[g, BALL_VELOCITY + 2] = vx, vy, vz
    r = bodies[g, RADIUS]
    wx, wy, wz = states[n, SPIN], states[n, SPIN + 1], states[n, SPIN + 2]
    found = bound_acceleration(nodes, joints, states, n, 0, px, py, pz, r, h)
    out[g, ACCELERATION] = found
    # The points of a ball that turns: |n + s n x w| <= sqrt(1 + h^2 w^2) <= 1 + h^2 w^2 / 2.
    out[g, WIDE] = r * (1.0 + 0.5 * h * h * (wx * wx + wy * wy + wz * wz)) + 0.5 * h * h * found + rounding
    out[g, REACH] = out[g, WIDE] + h * math.sqrt(vx * vx + vy * vy + vz * vz)
    out[g, STAMP] = stamp


@kernel(inline=True, boundscheck=False)
def beyond_box(bodies, o, x, y, z):
    """Return the vector from the box around body o, at rest, to a point of the world, in the frame of the body."""
    p = POSE
    x, y, z = x - bodies[o, p + 3], y - bodies[o, p + 7], z - bodies[o, p + 11]
    ax = bodies[o, p] * x + bodies[o, p + 4] * y + bodies[o, p + 8] * z - bodies[o, CENTER]
    ay = bodies[o, p + 1] * x + bodies[o, p + 5] * y + bodies[o, p + 9] * z - bodies[o, CENTER + 1]
    az = bodies[o, p + 2] * x + bodies[o, p + 6] * y + bodies[o, p + 10] * z - bodies[o, CENTER + 2]
    hx, hy, hz = bodies[o, HALF], bodies[o, HALF + 1], bodies[o, HALF + 2]
    return (
        ax - hx if ax > hx else (ax + hx if ax < -hx else 0.0),
        ay - hy if ay > hy else (ay + hy if ay < -hy else 0.0),
        az - hz if az > hz else (az + hz if az < -hz else 0.0),
    )


@kernel(boundscheck=False)
def near_box(bodies, states, g, o, margin, h):
    """Return whether the ball around body g may come within a margin of the box around body o, at rest.

    The nearest point of the box and the centre of the ball give a direction that separates both.
    """
    p = POSE
    ax, ay, az = beyond_box(bodies, o, states[g, BALL], states[g, BALL + 1], states[g, BALL + 2])
    square = ax * ax + ay * ay + az * az
    far = states[g, REACH] + margin
    if square > far * far:
        return False
    near = states[g, WIDE] + margin
    if square <= near * near:
        return True
    vx, vy, vz = states[g, BALL_VELOCITY], states[g, BALL_VELOCITY + 1], states[g, BALL_VELOCITY + 2]
    along = (
        ax * (bodies[o, p] * vx + bodies[o, p + 4] * vy + bodies[o, p + 8] * vz)
        + ay * (bodies[o, p + 1] * vx + bodies[o, p + 5] * vy + bodies[o, p + 9] * vz)
        + az * (bodies[o, p + 2] * vx + bodies[o, p + 6] * vy + bodies[o, p + 10] * vz)
    )
    distance = math.sqrt(square)
    return not distance - h * abs(along) / distance > near


@kernel(boundscheck=False)
def _wide_ball(states, bodies, placed, g, n, common, h):
    """Return the radius of the ball of a body on node n, widened for rotation and acceleration relative to a node."""
    wx, wy, wz = (
        states[n, SPIN] - states[common, SPIN],
        states[n, SPIN + 1] - states[common, SPIN + 1],
        states[n, SPIN + 2] - states[common, SPIN + 2],
    )
    # Its acceleration relative to an ancestor node is bounded by fewer joints than that in the world.
    r = bodies[g, RADIUS]
    return r + 0.5 * h * h * (r * (wx * wx + wy * wy + wz * wz) + placed[g, ACCELERATION])


@kernel(boundscheck=False)
def near_ball(parts, states, bodies, placed, a, b, common, margin, h):
    """Return whether the balls around two bodies of the robot may come within a margin of each other."""
    ax, ay, az = placed[a, BALL], placed[a, BALL + 1], placed[a, BALL + 2]
    bx, by, bz = placed[b, BALL], placed[b, BALL + 1], placed[b, BALL + 2]
    x, y, z = bx - ax, by - ay, bz - az
    square = x * x + y * y + z * z
    # harmless (margin): a quick answer; what it does not answer is decided below
    near = bodies[a, RADIUS] + bodies[b, RADIUS] + margin
    if square <= near * near:
        return True
    far = (
        placed[a, REACH] + placed[b, REACH] + margin
    )  # relative to the other, neither moves farther than both do together
    if square > far * far:
        return False
    near = margin + _wide_ball(states, bodies, placed, b, parts[b, OF_NODE], common, h)
    ux, uy, uz = velocity_at(states, common, bx, by, bz)
    vx, vy, vz = (
        placed[b, BALL_VELOCITY] - ux,
        placed[b, BALL_VELOCITY + 1] - uy,
        placed[b, BALL_VELOCITY + 2] - uz,
    )
    if parts[a, OF_NODE] == common:
        near += bodies[a, RADIUS]
    else:
        near += _wide_ball(states, bodies, placed, a, parts[a, OF_NODE], common, h)
        ux, uy, uz = velocity_at(states, common, ax, ay, az)
        vx, vy = vx - placed[a, BALL_VELOCITY] + ux, vy - placed[a, BALL_VELOCITY + 1] + uy
        vz = vz - placed[a, BALL_VELOCITY + 2] + uz
    distance = math.sqrt(square)
    return not distance - h * abs(x * vx + y * vy + z * vz) / distance > near


@kernel(boundscheck=False)
def bound_gap(bodies, placed, a, b, is_own):
    """Return a lower bound on the distance of two bodies at an instant, from ball and box or two balls."""
    x, y, z = placed[b, BALL], placed[b, BALL + 1], placed[b, BALL + 2]
    if is_own:
        x, y, z = x - placed[a, BALL], y - placed[a, BALL + 1], z - placed[a, BALL + 2]
        return math.sqrt(x * x + y * y + z * z) - bodies[a, RADIUS] - bodies[b, RADIUS]
    ax, ay, az = beyond_box(bodies, a, x, y, z)
    return math.sqrt(ax * ax + ay * ay + az * az) - bodies[b, RADIUS]
