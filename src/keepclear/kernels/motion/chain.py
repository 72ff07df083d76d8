"""Pose and velocity of a robot link while its joints move, with bounds on its derivatives.

A chain is F_0 E_1(q_1) F_1 ... E_n(q_n) F_n: constant maps F, and joints E that turn about the z axis or shift along
it. Each q is a cubic in time on a segment of the motion. One pass over the chain from its end, with a point of the last
link and its derivatives in the frame reached so far, gives the point's acceleration in the middle of a span of time,
and its distance from each axis.

A point at most r_k from the axis of joint k has, with w_k the speed of that joint and W_k = w_1 + ... + w_k the sum
over the revolute joints up to it, an acceleration of at most the sum of r_k (W_k^2 - W_(k-1)^2) and r_k |q_k''|: in
each pair of joints the inner one turns the motion of the outer one. Third derivatives follow the same rule. So the
acceleration over a span is at most that sum, and at most its value in the middle plus half the length times the bound
on the third derivative; the second is the better one for short spans.
"""

from __future__ import annotations

import math

from keepclear.compiler.kernel import kernel
from keepclear.kernels.motion.joints import mapped, moved, shift
from keepclear.kernels.motion.rows import coefficients_of, link_of, motion_of
from keepclear.kernels.tables.motion import REVOLUTE


@kernel(inline=True, boundscheck=False)
def _map_of(link):
    """Return the map of a link, rows of [R | p]."""
    X = link.X
    return (
        X[0, 0], X[0, 1], X[0, 2], X[0, 3], X[1, 0], X[1, 1], X[1, 2], X[1, 3],
        X[2, 0], X[2, 1], X[2, 2], X[2, 3],
    )  # fmt: skip


@kernel(boundscheck=False)
def chain_at(Q, segment, s, T, out, at):
    """Write the pose and the rate of the last link at fraction s of a segment of duration T, rows of [R | p].

    Args:
        Q: The motion.
        segment: Number of the segment.
    """
    coefficients = coefficients_of(Q, segment)
    a, b, c, px, d, e, f, py, i, j, k, pz = _map_of(link_of(Q, 0))
    wx, wy, wz, vx, vy, vz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for m in range(motion_of(Q).joints):
        o = coefficients + 4 * m
        angle = Q[o] + s * (Q[o + 1] + s * (Q[o + 2] + s * Q[o + 3]))
        rate = (Q[o + 1] + s * (2.0 * Q[o + 2] + s * 3.0 * Q[o + 3])) / T
        link = link_of(Q, m + 1)
        is_revolute, si, co = link.kind == REVOLUTE, 0.0, 1.0
        if is_revolute:
            wx, wy, wz = wx + rate * c, wy + rate * f, wz + rate * k
            co, si = math.cos(angle), math.sin(angle)
        else:
            vx, vy, vz = vx + rate * c, vy + rate * f, vz + rate * k
            x, y, z = angle * c, angle * f, angle * k
            vx, vy, vz = vx + wy * z - wz * y, vy + wz * x - wx * z, vz + wx * y - wy * x
        a, b, c, px = moved(a, b, c, px, is_revolute, angle, si, co)
        d, e, f, py = moved(d, e, f, py, is_revolute, angle, si, co)
        i, j, k, pz = moved(i, j, k, pz, is_revolute, angle, si, co)
        F = _map_of(link)
        x, y, z = shift(a, b, c, F), shift(d, e, f, F), shift(i, j, k, F)
        vx, vy, vz = vx + wy * z - wz * y, vy + wz * x - wx * z, vz + wx * y - wy * x
        a, b, c, px = mapped(a, b, c, px, F)
        d, e, f, py = mapped(d, e, f, py, F)
        i, j, k, pz = mapped(i, j, k, pz, F)
    out[at], out[at + 1], out[at + 2] = a, b, c
    out[at + 4], out[at + 5], out[at + 6] = d, e, f
    out[at + 8], out[at + 9], out[at + 10] = i, j, k
    out[at + 3], out[at + 7], out[at + 11] = px, py, pz
    at += 12
    out[at], out[at + 4], out[at + 8] = wy * i - wz * d, wz * a - wx * i, wx * d - wy * a
    out[at + 1], out[at + 5], out[at + 9] = wy * j - wz * e, wz * b - wx * j, wx * e - wy * b
    out[at + 2], out[at + 6], out[at + 10] = wy * k - wz * f, wz * c - wx * k, wx * f - wy * c
    out[at + 3], out[at + 7], out[at + 11] = vx, vy, vz


@kernel(inline=True, boundscheck=False)
def _speeds(Q, x, s, h, T):
    """Return a joint's speed and acceleration in the middle, and bounds on its first three derivatives in the span.

    Args:
        x: Where its coefficients are.
        s, h: The middle of the span and half its length, as fractions of the duration T.
    """
    rate = (Q[x + 1] + s * (2.0 * Q[x + 2] + s * 3.0 * Q[x + 3])) / T
    push = (2.0 * Q[x + 2] + s * 6.0 * Q[x + 3]) / (T * T)
    jerk = 6.0 * abs(Q[x + 3]) / (T * T * T)
    span = h * T
    return rate, push, abs(rate) + span * (abs(push) + 0.5 * span * jerk), abs(push) + span * jerk, jerk


@kernel(boundscheck=False)
def chain_bounds(Q, segment, s, h, T, x, y, z, out):
    """Bound the motion of the last link around the middle s of a span of half length h, as fractions of the duration T.

    Args:
        x, y, z: A point of the last link.
        out: Receives bounds on the point's acceleration, and on the second and the first derivative of the rotation.
    """
    n, coefficients = motion_of(Q).joints, coefficients_of(Q, segment)
    turns, turn_pushes, turn_jerks = 0.0, 0.0, 0.0  # sums over the revolute joints
    for m in range(n):
        if link_of(Q, m + 1).kind == REVOLUTE:
            _, _, w, a, b = _speeds(Q, coefficients + 4 * m, s, h, T)
            turns, turn_pushes, turn_jerks = turns + w, turn_pushes + a, turn_jerks + b
    far = math.sqrt(x * x + y * y + z * z)
    moved = 0.0  # how far the point may move in the frame reached so far
    second, third = 0.0, 0.0
    inner, inner_push = turns, turn_pushes  # sums over the revolute joints up to the present one
    # The point, its velocity and acceleration, and the angular velocity and acceleration, all in the present frame.
    vx, vy, vz, ax, ay, az = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    wx, wy, wz, ex, ey, ez = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for m in range(n - 1, -1, -1):
        link, c = link_of(Q, m + 1), coefficients + 4 * m
        a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3 = _map_of(link)
        x, y, z = a0 * x + a1 * y + a2 * z + a3, b0 * x + b1 * y + b2 * z + b3, c0 * x + c1 * y + c2 * z + c3
        vx, vy, vz = a0 * vx + a1 * vy + a2 * vz, b0 * vx + b1 * vy + b2 * vz, c0 * vx + c1 * vy + c2 * vz
        ax, ay, az = a0 * ax + a1 * ay + a2 * az, b0 * ax + b1 * ay + b2 * az, c0 * ax + c1 * ay + c2 * az
        wx, wy, wz = a0 * wx + a1 * wy + a2 * wz, b0 * wx + b1 * wy + b2 * wz, c0 * wx + c1 * wy + c2 * wz
        ex, ey, ez = a0 * ex + a1 * ey + a2 * ez, b0 * ex + b1 * ey + b2 * ez, c0 * ex + c1 * ey + c2 * ez
        far += math.sqrt(a3 * a3 + b3 * b3 + c3 * c3)
        angle = Q[c] + s * (Q[c + 1] + s * (Q[c + 2] + s * Q[c + 3]))
        rate, push, w, a, b = _speeds(Q, c, s, h, T)
        if link.kind == REVOLUTE:
            r = min(math.sqrt(x * x + y * y) + moved, far)
            outer, inner, inner_push = inner, inner - w, inner_push - a
            # Differences of sums up to this joint and up to the one before.
            second += r * (w * (outer + inner) + a)
            third += r * (w * (outer * outer + outer * inner + inner * inner) + b)
            third += 3.0 * r * (outer * a + w * inner_push)
            moved += h * T * w * r
            # With u = (-y, x, 0) the cross product of the axis with a vector, in the frame before the turn.
            ax, ay = (
                ax - 2.0 * rate * vy - push * y - rate * rate * x,
                ay + 2.0 * rate * vx + push * x - rate * rate * y,
            )
            vx, vy = vx - rate * y, vy + rate * x
            ex, ey, ez = ex - rate * wy, ey + rate * wx, ez + push
            wz += rate
            co, si = math.cos(angle), math.sin(angle)
            x, y = co * x - si * y, si * x + co * y
            vx, vy = co * vx - si * vy, si * vx + co * vy
            ax, ay = co * ax - si * ay, si * ax + co * ay
            wx, wy = co * wx - si * wy, si * wx + co * wy
            ex, ey = co * ex - si * ey, si * ex + co * ey
        else:
            far += abs(angle) + h * T * w
            second += 2.0 * w * inner + a
            third += 3.0 * w * (inner * inner + inner_push) + 3.0 * a * inner + b
            moved += h * T * w
            z, vz, az = z + angle, vz + rate, az + push
    here = math.sqrt(ax * ax + ay * ay + az * az)
    w2 = wx * wx + wy * wy + wz * wz
    span = h * T
    out[0] = min(second, here + span * third)
    turned = turns * (turns * turns + 3.0 * turn_pushes) + turn_jerks
    out[1] = min(turns * turns + turn_pushes, math.sqrt(ex * ex + ey * ey + ez * ez) + w2 + span * turned)
    out[2] = min(turns, math.sqrt(w2) + span * (turns * turns + turn_pushes))
