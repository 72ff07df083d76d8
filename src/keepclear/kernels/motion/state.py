"""Pose and velocity of a body at an instant, relative to the world and to another moving body, with bounds.

Between two knots (times) a motion is smooth: a screw, a straight path with constant angular velocity, an entrywise
cubic, or a chain of joints. Before the first and after the last knot the body is at rest. `tables.motion` has its rows.

Relative to a body A, which may move itself, a point p of B is at z(t) = Z(t) p with Z = M_A^-1 M_B. Around the middle
tau of a span of time of half length h, z(t) = Z p + (t - tau) Z' p, with an error of at most K (t - tau)^2 / 2, where K
bounds the acceleration (docs/theory/motions). Motion that both bodies share cancels in Z', and for rigid motions in K
as well: K is a multiple of their difference.
"""

from __future__ import annotations

import math

import numpy as np

from keepclear.compiler.kernel import kernel
from keepclear.kernels.motion.chain import chain_at, chain_bounds
from keepclear.kernels.motion.rows import cubic_of, knot_of, motion_of, rigid_of, segment_of
from keepclear.kernels.tables.motion import CUBIC, JOINTED, LINEAR, SCREW

# The state of a body at an instant: its map into the world (rows of [M | p]), then its derivative, row by row.
RATE, STATE = 12, 24
# A span of time relative to A: start, end, middle, half length, bounds on acceleration and on the change of speed, then
# the greatest error of the straight line through the middle at its ends, the rounding allowance, Z and Z'.
BEGIN, END, MIDDLE, LENGTH, ACCELERATION_BOUND, SPEED_CHANGE_BOUND, MISSED, ROUNDED = 0, 1, 2, 3, 4, 5, 6, 7
Z, DZ, SPAN = 8, 20, 32

# Rounding error of the evaluated position of any point, as a fraction of the size of the scene: coefficients and angles
# have errors of some rounding units, sums of products of a few more, twice, and the relative pose of as many again.
POSE_ROUNDING = 64.0 * 2.0**-53
SMALL_TURN = 0.5  # rad; below it a series is more accurate than a difference
ROUND_UP = 1.0 + 1e-12  # bounds are sums of few products of positive numbers


@kernel(boundscheck=False)
def piece_at(Q, t):
    """Return the segment of a motion at time t: -1 before the first knot, the number of segments after the last."""
    motion = motion_of(Q)
    if t < motion.t0:
        return -1
    if t >= motion.t1:
        return motion.n
    low, high = 0, motion.n
    while high - low > 1:
        middle = (low + high) // 2
        if knot_of(Q, middle) <= t:
            low = middle
        else:
            high = middle
    return low


@kernel(boundscheck=False)
def next_knot(Q, t, until):
    """Return the first knot of a motion after t, or `until` if that comes first."""
    k = piece_at(Q, t)
    return min(knot_of(Q, k + 1), until) if k < motion_of(Q).n else until


@kernel(inline=True, boundscheck=False)
def is_affine(Q):
    """Return whether the maps of a motion are not exactly rigid."""
    return motion_of(Q).kind == CUBIC


@kernel(inline=True, boundscheck=False)
def is_rigid(Q):
    """Return whether a motion is made of screws or of straight paths."""
    kind = motion_of(Q).kind
    return kind == SCREW or kind == LINEAR


@kernel(inline=True, boundscheck=False)
def check_rigid(kind):
    """Raise unless a motion that is neither a cubic nor a chain is a screw or a straight path."""
    if kind != SCREW and kind != LINEAR:
        raise ValueError("the number of a segment has no motion")


@kernel(boundscheck=False)
def _turn(segment, is_screw, tau, out, at):
    """Write the pose and rate of a rigid segment at tau after its start."""
    R, p, w, v, o = segment.R, segment.p, segment.w, segment.v, segment.o
    wx, wy, wz = w[0], w[1], w[2]
    vx, vy, vz = v[0], v[1], v[2]
    x, y, z = wx * tau, wy * tau, wz * tau
    square = x * x + y * y + z * z
    angle = math.sqrt(square)
    # sin(a) / a, (1 - cos(a)) / a^2 and (a - sin(a)) / a^3
    s1, s2, s3 = 1.0, 0.5, 1.0 / 6.0
    if angle > SMALL_TURN:
        half = math.sin(0.5 * angle)
        s1, s2, s3 = (
            math.sin(angle) / angle,
            2.0 * half * half / square,
            (angle - math.sin(angle)) / (square * angle),
        )
    elif square > 0.0:
        p1, p2, p3 = 1.0, 0.5, 1.0 / 6.0
        for n in range(1, 8):
            p1 *= -square / ((2 * n) * (2 * n + 1))
            p2 *= -square / ((2 * n + 1) * (2 * n + 2))
            p3 *= -square / ((2 * n + 2) * (2 * n + 3))
            s1, s2, s3 = s1 + p1, s2 + p2, s3 + p3
    # exp(w tau) = 1 + s1 W + s2 W^2 rotates R0; its left Jacobian 1 + s2 W + s3 W^2 moves the origin.
    for j in range(3):
        rx, ry, rz = R[0, j], R[1, j], R[2, j]
        cx, cy, cz = y * rz - z * ry, z * rx - x * rz, x * ry - y * rx
        rx += s1 * cx + s2 * (y * cz - z * cy)
        ry += s1 * cy + s2 * (z * cx - x * cz)
        rz += s1 * cz + s2 * (x * cy - y * cx)
        out[at + j], out[at + 4 + j], out[at + 8 + j] = rx, ry, rz
        out[at + RATE + j], out[at + RATE + 4 + j] = wy * rz - wz * ry, wz * rx - wx * rz
        out[at + RATE + 8 + j] = wx * ry - wy * rx
    px, py, pz = vx * tau, vy * tau, vz * tau
    if is_screw:
        cx, cy, cz = y * pz - z * py, z * px - x * pz, x * py - y * px
        dx, dy, dz = y * cz - z * cy, z * cx - x * cz, x * cy - y * cx
        px, py, pz = px + s2 * cx + s3 * dx, py + s2 * cy + s3 * dy, pz + s2 * cz + s3 * dz
        # The velocity of the origin rotates with the screw.
        cx, cy, cz = y * vz - z * vy, z * vx - x * vz, x * vy - y * vx
        dx, dy, dz = y * cz - z * cy, z * cx - x * cz, x * cy - y * cx
        vx, vy, vz = vx + s1 * cx + s2 * dx, vy + s1 * cy + s2 * dy, vz + s1 * cz + s2 * dz
    else:
        cx, cy, cz = o[0], o[1], o[2]
        if cx != 0.0 or cy != 0.0 or cz != 0.0:
            dx = out[at] * cx + out[at + 1] * cy + out[at + 2] * cz
            dy = out[at + 4] * cx + out[at + 5] * cy + out[at + 6] * cz
            dz = out[at + 8] * cx + out[at + 9] * cy + out[at + 10] * cz
            px, py, pz = px + dx, py + dy, pz + dz
            vx, vy, vz = vx + wy * dz - wz * dy, vy + wz * dx - wx * dz, vz + wx * dy - wy * dx
    out[at + 3], out[at + 7], out[at + 11] = p[0] + px, p[1] + py, p[2] + pz
    out[at + RATE + 3], out[at + RATE + 7], out[at + RATE + 11] = vx, vy, vz


@kernel(boundscheck=False)
def state_at(Q, k, t, out, at):
    """Write the state of a body at time t, which is in segment k, to out[at:]: its map into the world and its rate."""
    kind, n = motion_of(Q).kind, motion_of(Q).n
    still = k < 0 or k >= n
    k = min(max(k, 0), n - 1)
    T = segment_of(Q, k).duration
    tau = min(max(t - knot_of(Q, k), 0.0), T)
    if kind == CUBIC:
        c, s = cubic_of(Q, k).c, tau / T
        for i in range(12):
            x, y = i // 4, i % 4
            out[at + i] = c[x, y, 0] + s * (c[x, y, 1] + s * (c[x, y, 2] + s * c[x, y, 3]))
            out[at + RATE + i] = (c[x, y, 1] + s * (2.0 * c[x, y, 2] + s * 3.0 * c[x, y, 3])) / T
    elif kind == JOINTED:
        chain_at(Q, k, tau / T, T, out, at)
    elif still and tau == 0.0 and kind == SCREW:
        # as `_turn` would write it; bodies that never move are asked for it at each step
        R, p = rigid_of(Q, k).R, rigid_of(Q, k).p
        for i in range(3):
            out[at + 4 * i], out[at + 4 * i + 1] = R[i, 0] + 0.0, R[i, 1] + 0.0
            out[at + 4 * i + 2], out[at + 4 * i + 3] = R[i, 2] + 0.0, p[i] + 0.0
    else:
        check_rigid(kind)
        _turn(rigid_of(Q, k), kind == SCREW, tau, out, at)
    if still:
        for i in range(12):
            out[at + RATE + i] = 0.0


@kernel("void(float64[::1], float64[::1], float64[:,:,::1])", allocates=True)
def poses_at(Q, times, X):
    """Fill poses (n, 4, 4) at the given times."""
    out = np.empty(STATE)
    for i in range(times.shape[0]):
        state_at(Q, piece_at(Q, times[i]), times[i], out, 0)
        for j in range(12):
            X[i, j // 4, j % 4] = out[j]
        X[i, 3, 0], X[i, 3, 1], X[i, 3, 2] = 0.0, 0.0, 0.0
        X[i, 3, 3] = 1.0


@kernel(inline=True, boundscheck=False)
def _norm(x, y, z):
    return math.sqrt(x * x + y * y + z * z)


@kernel(inline=True, boundscheck=False)
def is_still(Q, k):
    """Return whether the body is at rest in segment k of a motion."""
    return k < 0 or k >= motion_of(Q).n or segment_of(Q, k).rests != 0


@kernel(boundscheck=False)
def invert(A, at, J):
    """Write the inverse of the linear part of the map at A[at:] to J[0:9], the transpose if it is a rotation."""
    a, b, c = A[at], A[at + 1], A[at + 2]
    d, e, f = A[at + 4], A[at + 5], A[at + 6]
    g, h, i = A[at + 8], A[at + 9], A[at + 10]
    p, q, r = e * i - f * h, f * g - d * i, d * h - e * g
    s = 1.0 / (a * p + b * q + c * r)
    J[0], J[3], J[6] = s * p, s * q, s * r
    J[1], J[4], J[7] = s * (c * h - b * i), s * (a * i - c * g), s * (b * g - a * h)
    J[2], J[5], J[8] = s * (b * f - c * e), s * (c * d - a * f), s * (a * e - b * d)


@kernel(boundscheck=False)
def scene_size(QA, QB, extents):
    """Return the size that rounding of positions in A's frame is relative to: extents, and the terms of positions."""
    a, b = motion_of(QA), motion_of(QB)
    return (a.place + b.place + max(a.terms, b.terms) * extents) / a.smallest


@kernel(boundscheck=False)
def relative_at(QA, ka, QB, kb, t, work, W, at):
    """Write the relative motion at time t to W[at:]: Z and Z', rows of [lin | p]. `work` has 2 STATE + 9 numbers."""
    state_at(QA, ka, t, work, 0)
    state_at(QB, kb, t, work, STATE)
    J = work[2 * STATE :]
    if is_affine(QA):
        invert(work, 0, J)
    else:
        J[0], J[1], J[2] = work[0], work[4], work[8]
        J[3], J[4], J[5] = work[1], work[5], work[9]
        J[6], J[7], J[8] = work[2], work[6], work[10]
    b = STATE
    for j in range(4):
        x, y, z = work[b + j], work[b + 4 + j], work[b + 8 + j]
        if j == 3:
            x, y, z = x - work[3], y - work[7], z - work[11]
        u, v, w = (
            J[0] * x + J[1] * y + J[2] * z,
            J[3] * x + J[4] * y + J[5] * z,
            J[6] * x + J[7] * y + J[8] * z,
        )
        W[at + j], W[at + 4 + j], W[at + 8 + j] = u, v, w
        a = RATE
        x = work[b + a + j] - (work[a] * u + work[a + 1] * v + work[a + 2] * w)
        y = work[b + a + 4 + j] - (work[a + 4] * u + work[a + 5] * v + work[a + 6] * w)
        z = work[b + a + 8 + j] - (work[a + 8] * u + work[a + 9] * v + work[a + 10] * w)
        if j == 3:
            x, y, z = x - work[a + 3], y - work[a + 7], z - work[a + 11]
        W[at + 12 + j] = J[0] * x + J[1] * y + J[2] * z
        W[at + 16 + j] = J[3] * x + J[4] * y + J[5] * z
        W[at + 20 + j] = J[6] * x + J[7] * y + J[8] * z


@kernel(boundscheck=False)
def _cubic_bounds(segment, s0, s1, x, y, z, out):
    """Bound a cubic segment from s0 to s1: out receives |M'' (x, y, z)|, and norms of M''_lin, M'_lin (Frobenius)."""
    T, c = segment.duration, segment.c
    push, lin, rate = 0.0, 0.0, 0.0
    for end in range(2):
        s = s0 if end == 0 else s1
        a, b = 0.0, 0.0
        for i in range(3):
            p = 0.0
            for j in range(4):
                second = (2.0 * c[i, j, 2] + 6.0 * s * c[i, j, 3]) / (T * T)
                p += second * (x if j == 0 else (y if j == 1 else (z if j == 2 else 1.0)))
                if j < 3:
                    b += second * second
            a += p * p
        push, lin = max(push, math.sqrt(a)), max(lin, math.sqrt(b))
    m, a = 0.5 * (s0 + s1), 0.0
    for i in range(3):
        for j in range(3):
            first = (c[i, j, 1] + m * (2.0 * c[i, j, 2] + m * 3.0 * c[i, j, 3])) / T
            a += first * first
    rate = math.sqrt(a) + 0.5 * (s1 - s0) * T * lin
    out[0], out[1], out[2] = push, lin, rate


@kernel(boundscheck=False)
def _own_bounds(Q, k, t0, t1, x, y, z, out):
    """Bound the motion of a body itself from t0 to t1, at a point (x, y, z) of it.

    `out` receives bounds on the point's acceleration, and on the second and first derivatives of the linear part.
    """
    out[0], out[1], out[2] = 0.0, 0.0, 0.0
    if is_still(Q, k):
        return
    kind = motion_of(Q).kind
    start, T = knot_of(Q, k), segment_of(Q, k).duration
    if kind == CUBIC:
        _cubic_bounds(cubic_of(Q, k), (t0 - start) / T, (t1 - start) / T, x, y, z, out)
        return
    if kind == JOINTED:
        middle = 0.5 * (t0 + t1)
        # harmless (ROUND_UP): `fill_span` rounds the bounds that depend on it up by as much
        half = max(t1 - middle, middle - t0) / T * ROUND_UP  # the middle is rounded
        chain_bounds(Q, k, (middle - start) / T, half, T, x, y, z, out)
        return
    check_rigid(kind)
    segment = rigid_of(Q, k)
    w, v, o = segment.w, segment.v, segment.o
    turn, speed = _norm(w[0], w[1], w[2]), _norm(v[0], v[1], v[2])
    away = _norm(x + o[0], y + o[1], z + o[2])
    out[0] = turn * turn * away + (turn * speed if kind == SCREW else 0.0)
    out[1], out[2] = 1.5 * turn * turn, 1.5 * turn  # Frobenius: sqrt(2) times the angular velocity


@kernel(boundscheck=False)
def _affine_acceleration(QA, ka, QB, kb, W, at, cx, cy, cz, radius, speed, out):
    """Bound the acceleration in A's frame of B's points within `radius` of c, where a cubic or a chain is involved.

    M_A z'' = M_B'' p - M_A'' z - 2 M_A' z'. The speed in the last term is bounded by that in the middle, plus the
    acceleration times the elapsed time, so the bound K appears on both sides.
    """
    t0, t1, h = W[at + BEGIN], W[at + END], W[at + LENGTH]
    inverse = 1.0 / motion_of(QA).smallest
    _own_bounds(QB, kb, t0, t1, cx, cy, cz, out)
    push = out[0] + out[1] * radius
    x, y, z = mapped(W, at + Z, cx, cy, cz)
    _own_bounds(QA, ka, t0, t1, x, y, z, out)
    push += out[0] + out[1] * (motion_of(QB).largest * inverse * radius + h * speed)
    push += 2.0 * out[2] * speed
    left = 1.0 - inverse * (2.0 * out[2] * h + out[1] * h * h)
    return inverse * push / left if left > 0.25 else math.inf


@kernel(inline=True, boundscheck=False)
def mapped(W, at, x, y, z):
    """Return the point (x, y, z) under the map whose rows of [lin | p] are at W[at:]."""
    return (
        W[at] * x + W[at + 1] * y + W[at + 2] * z + W[at + 3],
        W[at + 4] * x + W[at + 5] * y + W[at + 6] * z + W[at + 7],
        W[at + 8] * x + W[at + 9] * y + W[at + 10] * z + W[at + 11],
    )


@kernel(inline=True, boundscheck=False)
def _spin(Q, k):
    """Return the angular velocity and the velocity of p0 at the start of a rigid segment, zero at rest."""
    if is_still(Q, k):
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, True
    w, v = rigid_of(Q, k).w, rigid_of(Q, k).v
    return w[0], w[1], w[2], v[0], v[1], v[2], motion_of(Q).kind == SCREW


@kernel(boundscheck=False)
def _rigid_accelerations(QA, ka, QB, kb, work, W, at, cx, cy, cz, radius, speed):
    """Bound acceleration and change of speed in A's frame of B's points within `radius` of c, for rigid motions.

    With u the velocity of a point in the world, g its velocity relative to A, e = u - g that of A's body there, and
    d = w_B - w_A, z'' rotated into the world is for two screws d x u - w_A x g = (w_B - 2 w_A) x g + d x e.

    Where a point fixed to B moves straight (its origin, less the offset), the velocity v_B of that point does not
    contribute to d x u, and -w_A x v_B is added; where one of A does, w_A x v_A is added. Terms perpendicular to g do
    not change its length, so that the speed is constant if either body is at rest. The lengths of u, and of u - v_B,
    are constant.
    """
    ax, ay, az, px, py, pz, screw_a = _spin(QA, ka)
    bx, by, bz, qx, qy, qz, screw_b = _spin(QB, kb)
    a, b, h = _norm(ax, ay, az), _norm(bx, by, bz), W[at + LENGTH]
    dx, dy, dz = bx - ax, by - ay, bz - az
    ux, uy, uz = mapped(work, STATE + RATE, cx, cy, cz)
    fx, fy, fz = 0.0, 0.0, 0.0  # terms added to d x u; less g, to d x e
    gx, gy, gz = 0.0, 0.0, 0.0
    drift = 0.0
    if not screw_a:
        fx, fy, fz = ay * pz - az * py, az * px - ax * pz, ax * py - ay * px
        drift = _norm(px, py, pz)
    if not screw_b:
        fx, fy, fz = fx - (ay * qz - az * qy), fy - (az * qx - ax * qz), fz - (ax * qy - ay * qx)
        gx, gy, gz = dy * qz - dz * qy, dz * qx - dx * qz, dx * qy - dy * qx
        ux, uy, uz = ux - qx, uy - qy, uz - qz
    own = _norm(ux, uy, uz) + b * radius
    d = _norm(dx, dy, dz)
    first = d * own + _norm(fx, fy, fz)
    if not screw_b:
        own += _norm(qx, qy, qz)
    x, y, z = mapped(work, STATE, cx, cy, cz)
    x, y, z = x - work[3], y - work[7], z - work[11]
    x, y, z = (
        ay * z - az * y + work[RATE + 3],
        az * x - ax * z + work[RATE + 7],
        ax * y - ay * x + work[RATE + 11],
    )
    carried = _norm(x, y, z) + a * (radius + h * (own + drift))
    second = d * carried + _norm(fx - gx, fy - gy, fz - gz)
    speed_change = min(first, second)
    fastest = speed + h * speed_change
    acceleration = min(
        a * fastest + first, _norm(bx - 2.0 * ax, by - 2.0 * ay, bz - 2.0 * az) * fastest + second
    )
    return acceleration, speed_change


@kernel(
    "void(float64[::1], int64, float64[::1], int64, float64, float64, float64, float64, float64, float64, float64,"
    " float64[::1], float64[::1], int64)",
    boundscheck=False,
)
def fill_span(QA, ka, QB, kb, begin, end, cx, cy, cz, radius, extents, work, W, at):
    """Write the span from `begin` to `end`, within segments ka and kb, to W[at:].

    Args:
        cx, cy, cz, radius: A ball in B's frame that contains B: the bounds are for its points.
        extents: Sum of the extents of A and B [m], which the rounding allowance is relative to.
        work: Scratch of 2 STATE + 12 numbers; keeps the states of A and B in the middle.
    """
    W[at + BEGIN], W[at + END] = begin, end
    middle = 0.5 * (begin + end)
    half = max(end - middle, middle - begin)
    W[at + MIDDLE], W[at + LENGTH] = middle, half
    relative_at(QA, ka, QB, kb, middle, work, W, at + Z)
    W[at + ROUNDED] = POSE_ROUNDING * scene_size(QA, QB, extents)
    x, y, z = mapped(W, at + DZ, cx, cy, cz)
    d = at + DZ
    lin = _norm(W[d], W[d + 1], W[d + 2]) ** 2 + _norm(W[d + 4], W[d + 5], W[d + 6]) ** 2
    lin = math.sqrt(lin + _norm(W[d + 8], W[d + 9], W[d + 10]) ** 2)
    if is_affine(QA) or is_affine(QB):
        speed = _norm(x, y, z) + lin * radius
    else:
        # The Frobenius norm of W R is sqrt(2) times the angular velocity.
        speed = _norm(x, y, z) + math.sqrt(0.5) * lin * radius
    # harmless (ROUND_UP): both bounds below, in which it is a summand, are rounded up by as much
    speed *= ROUND_UP
    if not (is_rigid(QA) and is_rigid(QB)):
        acceleration = _affine_acceleration(
            QA, ka, QB, kb, W, at, cx, cy, cz, radius, speed, work[2 * STATE + 9 :]
        )
        speed_change = acceleration
    else:
        acceleration, speed_change = _rigid_accelerations(
            QA, ka, QB, kb, work, W, at, cx, cy, cz, radius, speed
        )
    W[at + ACCELERATION_BOUND], W[at + SPEED_CHANGE_BOUND] = acceleration * ROUND_UP, speed_change * ROUND_UP
    # harmless (ROUND_UP): the acceleration bound is rounded up by 1e-12, and three products round by 3e-16
    W[at + MISSED] = 0.5 * half * half * W[at + ACCELERATION_BOUND] * ROUND_UP if acceleration > 0.0 else 0.0


@kernel(boundscheck=False)
def fastest_corner(W, at, cx, cy, cz, hx, hy, hz):
    """Return the largest speed in A's frame, in the middle of the span at W[at:], of B's points in a box."""
    d = at + DZ
    x, y, z = mapped(W, d, cx, cy, cz)
    most = 0.0
    for k in range(4):  # opposite corners by the sign of the last
        u, v = (hx if k & 1 else -hx), (hy if k & 2 else -hy)
        p = W[d] * u + W[d + 1] * v + W[d + 2] * hz
        q = W[d + 4] * u + W[d + 5] * v + W[d + 6] * hz
        r = W[d + 8] * u + W[d + 9] * v + W[d + 10] * hz
        most = max(most, _norm(x + p, y + q, z + r), _norm(x - p, y - q, z - r))
    return most
