"""Tests whether balls around bodies of a robot may come near boxes or other balls during an interval."""

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
    SPIN,
    WIDE,
)
from keepclear.kernels.edges.poses import velocity_at


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
