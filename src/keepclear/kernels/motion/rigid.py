"""Rigid motions through poses: screws, or straight paths of the origin, with constant angular velocity between knots.

Each number is within a few units in the last place of what exact arithmetic gives for the poses, at all angles, so that
a segment ends where the next one begins to within 1e-15.
"""

from __future__ import annotations

import math

from keepclear.compiler.kernel import kernel
from keepclear.kernels.motion.rows import motion_of, rigid_of
from keepclear.kernels.tables.motion import HEAD, LINEAR, RIGID, SCREW

# A rotation this close to half a turn is refused [rad]: rounding would decide its direction.
HALF_TURN = 2e-9
_WIDTH = RIGID.itemsize // 8
ONE_SEGMENT = HEAD + 2 + _WIDTH  # numbers of a motion with two knots
ROUND_UP = 1.0 + 2.0**-48


@kernel(inline=True, boundscheck=False)
def _norm(x, y, z):
    return math.sqrt(x * x + y * y + z * z)


@kernel(inline=True, boundscheck=False)
def _cross(a, b, c, x, y, z):
    return b * z - c * y, c * x - a * z, a * y - b * x


@kernel(inline=True, boundscheck=False)
def _product(X, i, Y, j, row, column):
    """Return an entry of R_i R_j^T for poses X[i] and Y[j]."""
    return X[i, row, 0] * Y[j, column, 0] + X[i, row, 1] * Y[j, column, 1] + X[i, row, 2] * Y[j, column, 2]


@kernel(inline=True, boundscheck=False)
def _change(X, i, Y, j, row, column):
    """Return an entry of (R_i - R_j) R_j^T for poses X[i] and Y[j]."""
    return (
        (X[i, row, 0] - Y[j, row, 0]) * Y[j, column, 0]
        + (X[i, row, 1] - Y[j, row, 1]) * Y[j, column, 1]
        + (X[i, row, 2] - Y[j, row, 2]) * Y[j, column, 2]
    )


@kernel(boundscheck=False)
def turn_between(Y, j, X, i):
    """Return the logarithm of R_i R_j^T for poses Y[j] and X[i], accurate at all angles [rad].

    The part of M = R_i R_j^T that is not symmetric is the axis times the sine of the angle. It equals that of
    (R_i - R_j) R_j^T, whose first factor is exact where the rotations are near: a turn by 1e-12 keeps all its digits.
    Near half a turn the sine no longer determines the axis; there the symmetric part does.
    """
    x = 0.5 * (_change(X, i, Y, j, 2, 1) - _change(X, i, Y, j, 1, 2))
    y = 0.5 * (_change(X, i, Y, j, 0, 2) - _change(X, i, Y, j, 2, 0))
    z = 0.5 * (_change(X, i, Y, j, 1, 0) - _change(X, i, Y, j, 0, 1))
    trace = _product(X, i, Y, j, 0, 0) + _product(X, i, Y, j, 1, 1) + _product(X, i, Y, j, 2, 2)
    # Lengths of vectors whose squares underflow.
    scale = max(abs(x), abs(y), abs(z))
    if scale == 0.0:
        scale = 1.0
    sine = scale * _norm(x / scale, y / scale, z / scale)
    angle = math.atan2(sine, 0.5 * (trace - 1.0))
    if trace < 0.0:
        x, y, z = _far_axis(Y, j, X, i, x, y, z, trace)
    elif sine > 0.0:
        x, y, z = x / sine, y / sine, z / sine
    return x * angle, y * angle, z * angle


@kernel(boundscheck=False)
def _far_axis(Y, j, X, i, x, y, z, trace):
    """Return the axis of a rotation by more than a third of a turn, from the symmetric part of its matrix.

    M + M^T = 2 cos(angle) + 2 (1 - cos(angle)) a a^T: the column with the largest entry of the axis a is taken. Its
    sign is that of the sines (x, y, z).
    """
    k = 0
    for row in range(1, 3):
        if _product(X, i, Y, j, row, row) > _product(X, i, Y, j, k, k):
            k = row
    a = _product(X, i, Y, j, k, 0) + _product(X, i, Y, j, 0, k) + (1.0 - trace if k == 0 else 0.0)
    b = _product(X, i, Y, j, k, 1) + _product(X, i, Y, j, 1, k) + (1.0 - trace if k == 1 else 0.0)
    c = _product(X, i, Y, j, k, 2) + _product(X, i, Y, j, 2, k) + (1.0 - trace if k == 2 else 0.0)
    length = _norm(a, b, c) if a * x + b * y + c * z >= 0.0 else -_norm(a, b, c)
    return a / length, b / length, c / length


@kernel(boundscheck=False)
def _screw_step(u, v, w, x, y, z):
    """Return s with J(turn) s = step, for J the left Jacobian of the rotation group: the initial velocity of a screw.

    J^-1 = 1 - W / 2 + (1 - h cot h) U^2 with W the cross product with the turn (u, v, w), U that with its unit vector
    and h half the angle. The difference loses no digits that matter: it is multiplied by the step (x, y, z) itself.
    """
    angle = _norm(u, v, w)
    if angle == 0.0:
        return x, y, z
    h = 0.5 * angle
    bend = 1.0 - h * math.cos(h) / math.sin(h)
    a, b, c = u / angle, v / angle, w / angle
    p, q, r = _cross(a, b, c, x, y, z)
    p, q, r = _cross(a, b, c, p, q, r)
    f, g, k = _cross(u, v, w, x, y, z)
    return x - 0.5 * f + bend * p, y - 0.5 * g + bend * q, z - 0.5 * k + bend * r


@kernel(boundscheck=False)
def _write_motion(Q, kind, n, t0, t1):
    """Write the row of a rigid motion with n segments, less its `place`."""
    motion = motion_of(Q)
    motion.kind, motion.width, motion.n, motion.t0, motion.t1 = kind, _WIDTH, n, t0, t1
    motion.smallest, motion.largest, motion.terms = 1.0, 1.0, 1.0
    Q[HEAD], Q[HEAD + n] = t0, t1


@kernel(boundscheck=False)
def _write_start(segment, duration, X, k):
    """Write a rigid segment, less its velocities, that begins at pose X[k]."""
    segment.duration = duration
    R, p = segment.R, segment.p
    for row in range(3):
        for column in range(3):
            R[row, column] = X[k, row, column]
        p[row] = X[k, row, 3]


@kernel(boundscheck=False)
def _write_segment(segment, T, Y, j, X, i, screw):
    """Write the segment from pose Y[j] to X[i] in time T; return the size of its positions, or -1 for half a turn."""
    a, b, c = turn_between(Y, j, X, i)
    if not _norm(a, b, c) < math.pi - HALF_TURN:
        return -1.0
    x, y, z = X[i, 0, 3] - Y[j, 0, 3], X[i, 1, 3] - Y[j, 1, 3], X[i, 2, 3] - Y[j, 2, 3]
    if screw:
        x, y, z = _screw_step(a, b, c, x, y, z)
    a, b, c, x, y, z = a / T, b / T, c / T, x / T, y / T, z / T
    _write_start(segment, T, Y, j)
    w, v = segment.w, segment.v
    w[0], w[1], w[2] = a, b, c
    v[0], v[1], v[2] = x, y, z
    segment.rests = 1 if a == b == c == x == y == z == 0.0 else 0
    return _norm(Y[j, 0, 3], Y[j, 1, 3], Y[j, 2, 3]) + _norm(x, y, z) * T


@kernel("boolean(float64[::1], float64, float64)")
def is_increasing(times, latest, shortest):
    """Return whether times are within +-latest, and each is later than the one before by at least `shortest` [s]."""
    for k in range(len(times)):
        if not abs(times[k]) <= latest or (k > 0 and not times[k] - times[k - 1] >= shortest):
            return False
    return True


@kernel("int64(float64[::1], float64[:,:,::1], boolean, float64[::1])")
def pack_rigid(times, X, screw, Q):
    """Write the motion through checked poses X (n, 4, 4), n >= 2, at increasing times to Q, whose numbers are 0.

    Returns:
        -1, or the number of the first segment with half a turn.
    """
    n = len(times) - 1
    if len(X) != n + 1 or len(Q) != HEAD + n + 1 + _WIDTH * n:
        return n
    _write_motion(Q, SCREW if screw else LINEAR, n, times[0], times[n])
    place = 0.0
    for k in range(n):
        Q[HEAD + k] = times[k]
        size = _write_segment(rigid_of(Q, k), times[k + 1] - times[k], X, k, X, k + 1, screw)
        if size < 0.0:
            return k
        place = max(place, size)
    # harmless (ROUND_UP): 64 u of it are allowed for rounding, and less than half of that is used
    motion_of(Q).place = place * ROUND_UP
    return -1


@kernel(boundscheck=False)
def write_cast(Q, X0, X1, k, screw):
    """Write the motion from X0[k] at time 0 to X1[k] at time 1, or at rest at X0[k] if X1 is empty.

    An array of one pose has it for all k. Q has ONE_SEGMENT numbers, all 0 or those of another such motion.

    Returns:
        Whether it is not by half a turn.
    """
    i = k if len(X0) > 1 else 0
    if len(X1) == 0:
        _write_motion(Q, SCREW, 1, 0.0, 0.0)
        _write_start(rigid_of(Q, 0), 0.0, X0, i)
        rigid_of(Q, 0).rests = 1
        size = _norm(X0[i, 0, 3], X0[i, 1, 3], X0[i, 2, 3])
    else:
        _write_motion(Q, SCREW if screw else LINEAR, 1, 0.0, 1.0)
        size = _write_segment(rigid_of(Q, 0), 1.0, X0, i, X1, k if len(X1) > 1 else 0, screw)
    # harmless (ROUND_UP): 64 u of it are allowed for rounding, and less than half of that is used
    motion_of(Q).place = size * ROUND_UP
    return size >= 0.0


@kernel("int64(float64[:,:,::1], float64[:,:,::1], boolean, float64[:,::1])")
def pack_casts(X0, X1, screw, Q):
    """Write the motion from X0[k] at time 0 to X1[k] at time 1 to Q[k] for all k; all numbers of Q are 0.

    Returns:
        -1, or the number of the first motion by half a turn.
    """
    for k in range(len(Q)):
        if not write_cast(Q[k], X0, X1, k, screw):
            return k
    return -1
