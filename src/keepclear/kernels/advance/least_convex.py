"""The least distance of two moving convex bodies: intervals of time are halved until polynomials prove each of them.

Between two instants s and e the poses of B in A's frame are nearly those of a cubic C(u), u from 0 to 1, with the same
poses and rates at both ends: no point is farther from it than u^2 (1-u)^2 h^4 D / 24, where h = e - s and D bounds the
fourth derivative. Where no D is known, the straight line between both poses serves, and K u (1-u) h^2 / 2 with the
acceleration bound K. A direction n(u) goes straight from the one that separates the bodies at s to the one at e. Then
n(u) . C(u) p is, for each point p of B, a polynomial of degree 4 whose Bernstein coefficients are products of p with
five tilted directions. Their least values over B, five support points, are the coefficients of a polynomial that is
below the least of all points; A's support function is convex, so the straight line between its values at both ends is
above it; and |n(u)| <= 1 - (1 - n_s . n_e) u (1-u). So one polynomial in u bounds the distance from below for the whole
interval. A cubic without a jump of its closest features is proved in one step of length (384 tolerance / D)^(1/4).

Where the polynomial is too low the interval is cut where it is lowest, which is where the least distance is likely to
be: a minimum in time is found like a root by Newton's method, and not by halving.
"""

from __future__ import annotations

import math

import numpy as np

from keepclear.kernels._compile import kernel
from keepclear.kernels.advance.swept_convex import INSIDE, ROUNDING, forget, inner_reach, least_along, measure
from keepclear.kernels.advance.swept_leaf import (
    ENDS,
    EVALUATIONS,
    FOUND,
    HINT,
    LIMIT,
    LOWER,
    MARGIN,
    NOW,
    SIZE,
    TIME,
    TOLERANCE,
    UNPROVED,
)
from keepclear.kernels.convex import gjk
from keepclear.kernels.convex.support import DEFECT, RADIUS
from keepclear.kernels.motion.state import (
    ACCELERATION_BOUND,
    AFFINE,
    CUBIC,
    JOINTED,
    JOINTS,
    KIND,
    LARGEST,
    LINEAR,
    POSE_ROUNDING,
    ROUND_UP,
    SCREW,
    SMALLEST,
    SPAN,
    SPEED,
    SPIN,
    STATE,
    TURN,
    fill_span,
    fourth_derivative,
    is_still,
    next_knot,
    piece_at,
    record,
    relative_at,
)

# A sample, what is known at an instant: its time, the unit vector n from A to B, whether n belongs to the closest
# points at this instant (else to those at a neighbour), how far A reaches along n, whether the interval from there to
# the next sample is proved, then the relative pose and its rate.
AT, N, MEASURED, FAR, DONE_AFTER, Z, DZ, SAMPLE = 0, 1, 4, 5, 6, 8, 20, 32
# Intervals are halved less often than a float64 time has digits; cuts away from the middle take a few more.
MOST_SAMPLES = 96
DEEPEST = 7  # how often a polynomial is halved before the interval is
# A bit for each eighth of an interval: all, and all but the first or the last two.
ALL_CELLS, LATER, EARLIER = 255, 252, 63
# What is proved of an interval: nothing, all, or its beginning or end up to a cut.
NONE, WHOLE, BEGINNING, END = 0, 1, 2, 3
# Cuts are so far inside of what is proved, as a part of the interval, which is then much longer than rounding of times.
OVERLAP, LONG = 1e-6, 1e-7
# Scratch: states of both motions, a span, four control matrices, three polynomials of five coefficients each, the stack
# of their halves, start vertices, then the samples: the left end, and right ends still to come.
SPAN_AT = 2 * STATE + 24
CONTROLS = SPAN_AT + SPAN
POLYNOMIALS = CONTROLS + 48
HALVES = POLYNOMIALS + 16
HINTS = HALVES + 7 * (DEEPEST + 1)
SAMPLES = HINTS + 8
WORK = SAMPLES + SAMPLE * MOST_SAMPLES
SEEDS = 8  # instants of a motion with several segments that are sampled first
STRAIGHT = 0.9  # of the product of both directions; above it the constant ones would not prove more
OPPOSITE = -0.5  # below it the direction between both is too short to prove anything
# For rounding, of the search and of the polynomials, as a part of the size of the scene.
ALLOWANCE = 2.0 * ROUNDING


@kernel(inline=True, boundscheck=False)
def _norm(x, y, z):
    return math.sqrt(x * x + y * y + z * z)


@kernel(boundscheck=False)
def _speeds(Q, k, cx, cy, cz, radius, out):
    """Write bounds of the first four derivatives of the paths of a rigid body's points within `radius` of c."""
    out[0], out[1], out[2], out[3] = 0.0, 0.0, 0.0, 0.0
    if is_still(Q, k):
        return
    q = record(Q, k)
    wx, wy, wz = Q[q + SPIN], Q[q + SPIN + 1], Q[q + SPIN + 2]
    vx, vy, vz = Q[q + SPEED], Q[q + SPEED + 1], Q[q + SPEED + 2]
    w = _norm(wx, wy, wz)
    x = Q[q + TURN] * cx + Q[q + TURN + 1] * cy + Q[q + TURN + 2] * cz
    y = Q[q + TURN + 3] * cx + Q[q + TURN + 4] * cy + Q[q + TURN + 5] * cz
    z = Q[q + TURN + 6] * cx + Q[q + TURN + 7] * cy + Q[q + TURN + 8] * cz
    x, y, z = wy * z - wz * y, wz * x - wx * z, wx * y - wy * x
    if Q[q + KIND] == SCREW:
        # The velocity turns about the axis: each derivative is its part across the axis, times w once more.
        x, y, z = x + vx, y + vy, z + vz
        out[0] = _norm(x, y, z) + w * radius
    else:
        out[0] = _norm(vx, vy, vz) + _norm(x, y, z) + w * radius
    across = _norm(wy * z - wz * y, wz * x - wx * z, wx * y - wy * x) + w * w * radius
    out[1], out[2], out[3] = across, w * across, w * w * across


@kernel(boundscheck=False)
def _goes_straight(Q, k):
    """Tell whether a body rests in segment k of its motion, or goes straight at constant speed without turning."""
    if is_still(Q, k):
        return True
    if Q[AFFINE] != 0.0 or Q[JOINTS] != 0.0:
        return False
    q = record(Q, k)
    return Q[q + SPIN] == 0.0 and Q[q + SPIN + 1] == 0.0 and Q[q + SPIN + 2] == 0.0


@kernel(boundscheck=False)
def _is_sharp(QA, ka, QB, kb):
    """Tell whether a bound of the fourth derivative is known, and serves better than one of the acceleration.

    It does so until B turns by several radians in one interval, unless A turns too.
    """
    if not _goes_straight(QA, ka):
        return False
    kind = LINEAR if is_still(QB, kb) else int(QB[record(QB, kb) + KIND])
    return kind == SCREW or kind == LINEAR or kind == CUBIC or kind == JOINTED


@kernel(boundscheck=False)
def fourth_bound(QA, ka, QB, kb, Zs, at, h, cx, cy, cz, radius, out):
    """Bound the fourth derivative in A's frame of the paths of B's points within `radius` of c.

    While A goes straight without turning, it is that of B in the world, whatever B's kind. For two rigid motions it is
    the fourth derivative of a product, z = R_A^T y: the sum of binomials times w_A^k times the bound of y's derivative
    of order 4 - k. y goes from A's origin to the point.

    Args:
        Zs: Has the relative pose at one end of the interval, at `at`.
        h: Length of the interval [s].
        out: Scratch of 8 numbers.

    Returns:
        The bound, infinite where none is known.
    """
    kind = LINEAR if is_still(QB, kb) else int(QB[record(QB, kb) + KIND])
    if _goes_straight(QA, ka):
        if kind == CUBIC:
            return 0.0
        if kind == JOINTED:
            found = fourth_derivative(QB, record(QB, kb), _norm(cx, cy, cz) + radius)
        elif kind == SCREW or kind == LINEAR:
            _speeds(QB, kb, cx, cy, cz, radius, out)
            found = out[3]
        else:
            return math.inf
        return found / QA[SMALLEST] * ROUND_UP
    if QA[AFFINE] != 0.0 or QB[AFFINE] != 0.0 or QA[JOINTS] != 0.0 or (kind != SCREW and kind != LINEAR):
        return math.inf
    q = record(QA, ka)
    w = _norm(QA[q + SPIN], QA[q + SPIN + 1], QA[q + SPIN + 2])
    _speeds(QB, kb, cx, cy, cz, radius, out)
    _speeds(QA, ka, 0.0, 0.0, 0.0, 0.0, out[4:])
    x = Zs[at] * cx + Zs[at + 1] * cy + Zs[at + 2] * cz + Zs[at + 3]
    y = Zs[at + 4] * cx + Zs[at + 5] * cy + Zs[at + 6] * cz + Zs[at + 7]
    z = Zs[at + 8] * cx + Zs[at + 9] * cy + Zs[at + 10] * cz + Zs[at + 11]
    first = out[0] + out[4]
    away = _norm(x, y, z) + radius + h * first
    found = w * (w * (w * (w * away + 4.0 * first) + 6.0 * (out[1] + out[5])) + 4.0 * (out[2] + out[6]))
    return (found + out[3] + out[7]) * ROUND_UP


@kernel(boundscheck=False)
def missed_by(QA, ka, QB, kb, Zs, at, h, acceleration, ball, reach, out):
    """Return what the better of two curves misses: h^4 D / 24, h^2 K / 2 (one is 0), and whether it is the line.

    Args:
        Zs: Has the relative pose at one end of the interval, at `at`.
        h: Length of the interval [s].
        acceleration: The acceleration bound K, or infinity.
        ball: Its centre is that of a ball of radius `reach` around B.
        out: Scratch of 8 numbers.
    """
    fourth = fourth_bound(QA, ka, QB, kb, Zs, at, h, ball[0], ball[1], ball[2], reach, out)
    quartic, quadratic = fourth * h * h * h * h / 24.0 * ROUND_UP, acceleration * h * h / 2.0 * ROUND_UP
    if quartic / 16.0 <= quadratic / 4.0:
        return quartic, 0.0, False
    return 0.0, quadratic, True


@kernel(boundscheck=False)
def fill_controls(V, s, e, h, straight, size, W, at):
    """Write four control matrices to W[at:], and return how much they are rounded by [m].

    Args:
        V: Has the relative poses at both ends of the interval at s and e, and their rates 12 numbers later.
        h: Length of the interval [s].
        straight: Whether they are those of the line, else those of the cubic.
        size: Of the scene [m].
    """
    turned, shifted = 0.0, 0.0
    for i in range(12):
        a, b = V[s + i], V[e + i]
        u, v = (b - a) / 3.0, (b - a) / 3.0
        if not straight:
            u, v = h / 3.0 * V[s + 12 + i], h / 3.0 * V[e + 12 + i]
        if i % 4 == 3:
            shifted += abs(u) + abs(v)
        else:
            turned += abs(u) + abs(v)
        W[at + i], W[at + 12 + i] = a, a + u
        W[at + 24 + i], W[at + 36 + i] = b - v, b
    return 4.0 * POSE_ROUNDING * (turned * size + shifted)


@kernel(inline=True, boundscheck=False)
def _carried(W, m, nx, ny, nz):
    """Return the direction n in B's frame under the control matrix at W[m:], and what its translation adds."""
    return (
        nx * W[m] + ny * W[m + 4] + nz * W[m + 8],
        nx * W[m + 1] + ny * W[m + 5] + nz * W[m + 9],
        nx * W[m + 2] + ny * W[m + 6] + nz * W[m + 10],
        nx * W[m + 3] + ny * W[m + 7] + nz * W[m + 11],
    )


@kernel(boundscheck=False)
def _fill_polynomial(FB, IB, W, p, q, stretchy, need, quartic, quadratic, size, hints, out, hasty):
    """Write the polynomial that bounds the gap beyond `need` from below, with the directions of the samples p and q.

    Args:
        stretchy: Radius of B where its ball is stretched with it, else 0.
        quartic: h^4 D / 24, or 0.
        quadratic: h^2 K / 2, or 0.
        out: Where its coefficients go in W.
        hasty: Return False without the others where the last coefficient is negative.
    """
    ax, ay, az = W[p + N], W[p + N + 1], W[p + N + 2]
    bx, by, bz = W[q + N], W[q + N + 1], W[q + N + 2]
    far, more = W[p + FAR], 0.25 * (W[q + FAR] - W[p + FAR])
    less = max(0.0, 1.0 - (ax * bx + ay * by + az * bz))
    for k in range(4, -1, -1):
        if k == 0:
            x, y, z, shift = _carried(W, CONTROLS, ax, ay, az)
        elif k == 4:
            x, y, z, shift = _carried(W, CONTROLS + 36, bx, by, bz)
        else:
            # Products of Bernstein polynomials of degrees 3 and 1: the control matrices before and at k.
            m = CONTROLS + 12 * (k - 1)
            f, g = (0.25, 0.75) if k == 1 else ((0.5, 0.5) if k == 2 else (0.75, 0.25))
            x, y, z, shift = _carried(W, m, f * bx, f * by, f * bz)
            u, v, w, moved = _carried(W, m + 12, g * ax, g * ay, g * az)
            x, y, z, shift = x + u, y + v, z + w, shift + moved
        least, _, _, _, j = least_along(FB, IB, x, y, z, int(hints[0]), size)
        hints[0] = j
        dip = 0.0 if k == 0 or k == 4 else (1.0 / 3.0 if k == 2 else 0.25)
        value = least + shift - (far + k * more) - need * (1.0 - less * dip) - quadratic * dip
        if stretchy > 0.0:
            value -= stretchy * _norm(x, y, z)
        if k == 2:
            value -= quartic / 6.0
        W[out + k] = value if value > -math.inf else -math.inf  # nan is no proof
        if k == 4 and value < 0.0 and hasty:
            return False
    return True


@kernel(boundscheck=False)
def _prove_cells(W, p, cells, least):
    """Prove that the polynomial at W[p:] is not negative in eighths of its range, where it is so.

    Args:
        cells: A bit for each of the eighths that are proved already.
        least: What is proved to be exceeded there.

    Returns:
        The same two, with what is proved now.
    """
    depth, level, first, failed = 0, 0, 0, 0
    c0, c1, c2, c3, c4 = W[p], W[p + 1], W[p + 2], W[p + 3], W[p + 4]
    while True:
        cell = first >> (DEEPEST - 3)
        bits = ((1 << (8 >> level)) - 1 if level < 3 else 1) << cell
        low = min(c0, c1, c2, c3, c4)
        if (cells | failed) & bits != bits and not low >= 0.0:
            if max(c0, c1, c2, c3, c4) < 0.0 or (
                level >= 3 and (c0 < 0.0 or c4 < 0.0 or not level < DEEPEST)
            ):
                failed |= bits
            else:
                # De Casteljau at the middle: the later half waits.
                d0, d1, d2, d3 = 0.5 * (c0 + c1), 0.5 * (c1 + c2), 0.5 * (c2 + c3), 0.5 * (c3 + c4)
                e0, e1, e2 = 0.5 * (d0 + d1), 0.5 * (d1 + d2), 0.5 * (d2 + d3)
                f0, f1 = 0.5 * (e0 + e1), 0.5 * (e1 + e2)
                g = 0.5 * (f0 + f1)
                level += 1
                o = HALVES + 7 * depth
                W[o], W[o + 1], W[o + 2] = g, f1, e2
                W[o + 3], W[o + 4], W[o + 5] = d3, c4, level
                W[o + 6] = first + (1 << (DEEPEST - level))
                depth += 1
                c1, c2, c3, c4 = d0, e0, f0, g
                continue
        elif low >= 0.0:
            least = min(least, low)
        if depth == 0:
            return cells | (ALL_CELLS & ~failed), least
        depth -= 1
        o = HALVES + 7 * depth
        c0, c1, c2 = W[o], W[o + 1], W[o + 2]
        c3, c4, level = W[o + 3], W[o + 4], int(W[o + 5])
        first = int(W[o + 6])


@kernel(boundscheck=False)
def _value(W, p, u):
    """Return the value of the polynomial at W[p:]."""
    v = 1.0 - u
    a, b = v * v, u * u
    return a * (a * W[p] + 4.0 * u * v * W[p + 1] + 6.0 * b * W[p + 2]) + b * (
        4.0 * u * v * W[p + 3] + b * W[p + 4]
    )


@kernel(boundscheck=False)
def _cut(W, n):
    """Return where the largest of n polynomials is least: where the least distance is likely to be."""
    best, where = math.inf, 0
    before, after, last = math.inf, math.inf, math.inf
    for i in range(9):
        value = -math.inf
        for k in range(n):
            value = max(value, _value(W, POLYNOMIALS + 5 * k, 0.125 * i))
        if i == where + 1:
            after = value
        if value < best:
            best, where, before = value, i, last
        last = value
    if where == 0 or where == 8:
        return 0.5
    curvature = before - 2.0 * best + after
    return 0.125 * (where + (0.5 * (before - after) / curvature if curvature > 0.0 else 0.0))


@kernel(boundscheck=False)
def _measure_sample(FA, IA, FB, IB, QA, QB, ball, query, answer, counts, W, s, M):
    """Compute the distance at a sample: note it if it is the least so far, and the direction along which it is."""
    inside, upper, _, nx, ny, nz = measure(FA, IA, FB, IB, W, s + Z, M, 0.0)
    counts[EVALUATIONS] += 1
    radii, size = FA[RADIUS] + FB[RADIUS], query[SIZE]
    rounding = ALLOWANCE * (size + radii)
    inner = radii
    if QA[AFFINE] != 0.0 or QB[AFFINE] != 0.0:
        inner = FA[RADIUS] + FB[RADIUS] * inner_reach(W, s + Z, W, nx, ny, nz)
    reached = QA[LARGEST] * max((0.0 if inside else upper) + rounding - inner, 0.0)
    if inside and reached > 0.0 and ball[INSIDE] > 0.0:
        # Shrunk by more than rounding they still intersect: it is contact.
        shrink = 2.0 * rounding / ball[INSIDE]
        if shrink < 0.5:
            inside, upper, _, _, _, _ = measure(FA, IA, FB, IB, W, s + Z, M, shrink)
            if inside or upper + rounding <= shrink * ball[INSIDE]:
                reached = 0.0
    if reached < answer[FOUND]:
        answer[FOUND], answer[TIME] = reached, W[s + AT]
    W[s + MEASURED] = 1.0
    if nx != 0.0 or ny != 0.0 or nz != 0.0:
        _set_direction(FA, IA, W, s, nx, ny, nz, size, int(M[1]))


@kernel(boundscheck=False)
def _set_direction(FA, IA, W, s, nx, ny, nz, size, vertex):
    """Set the direction of a sample, and how far A reaches along it; `vertex` is where to begin, or -1."""
    least, _, _, _, _ = least_along(FA, IA, -nx, -ny, -nz, vertex, size)
    W[s + N], W[s + N + 1], W[s + N + 2] = nx, ny, nz
    W[s + FAR] = -least


@kernel(boundscheck=False)
def borrow_direction(FA, IA, nx, ny, nz, size, W):
    """Let the next `least_segment` begin with a unit vector that may separate the bodies."""
    W[SAMPLES + MEASURED], W[SAMPLES + FAR] = 0.0, 0.0
    W[SAMPLES + N], W[SAMPLES + N + 1], W[SAMPLES + N + 2] = 0.0, 0.0, 0.0
    if nx != 0.0 or ny != 0.0 or nz != 0.0:
        _set_direction(FA, IA, W, SAMPLES, nx, ny, nz, size, -1)


@kernel(boundscheck=False)
def copy_sample(V, at, t, W, s):
    """Put a sample at time t, not measured, with the relative motion at V[at:] and the direction of the left one."""
    for i in range(SAMPLE - Z):
        W[s + Z + i] = V[at + i]
    W[s + AT], W[s + MEASURED], W[s + FAR] = t, 0.0, W[SAMPLES + FAR]
    W[s + N], W[s + N + 1], W[s + N + 2] = W[SAMPLES + N], W[SAMPLES + N + 1], W[SAMPLES + N + 2]
    W[s + DONE_AFTER] = 0.0


@kernel(boundscheck=False)
def stays_positive(g0, g1, g2, g3, quartic, quadratic, W):
    """Tell whether a cubic with these Bernstein coefficients, less what it misses, is not negative from 0 to 1."""
    if not quartic + quadratic < math.inf:
        return False
    p = POLYNOMIALS
    W[p], W[p + 4] = g0, g3
    W[p + 1] = 0.25 * g0 + 0.75 * g1 - 0.25 * quadratic
    W[p + 2] = 0.5 * (g1 + g2) - quadratic / 3.0 - quartic / 6.0
    W[p + 3] = 0.75 * g2 + 0.25 * g3 - 0.25 * quadratic
    cells, _ = _prove_cells(W, p, 0, math.inf)
    return cells == ALL_CELLS


@kernel(inline=True, boundscheck=False)
def direction(W):
    """Return the direction at which `least_segment` ended, a unit vector."""
    return W[SAMPLES + N], W[SAMPLES + N + 1], W[SAMPLES + N + 2]


@kernel(boundscheck=False)
def _sample(QA, ka, QB, kb, t, like, W, s):
    """Put a sample at time t that is not measured, with the direction of the one at `like`."""
    relative_at(QA, ka, QB, kb, t, W, W, s + Z)
    W[s + AT], W[s + MEASURED], W[s + FAR] = t, 0.0, W[like + FAR]
    W[s + DONE_AFTER] = 0.0
    W[s + N], W[s + N + 1], W[s + N + 2] = W[like + N], W[like + N + 1], W[like + N + 2]


@kernel(boundscheck=False)
def _prove(FA, FB, IB, QA, ka, QB, kb, s, e, ball, query, answer, hints, W):
    """Try to prove the interval between two samples; return what is proved of it, and where to cut it.

    With the directions of both samples, and where these differ much with each of them.
    """
    size, h = query[SIZE], W[e + AT] - W[s + AT]
    affine = QA[AFFINE] != 0.0 or QB[AFFINE] != 0.0
    stretchy = FB[RADIUS] if affine else 0.0
    reach = ball[3] + stretchy
    firm = FA[RADIUS] + FB[RADIUS] - stretchy
    margin = max(answer[FOUND] - query[TOLERANCE], query[MARGIN])
    acceleration = math.inf
    if not _is_sharp(QA, ka, QB, kb):
        fill_span(QA, ka, QB, kb, W[s + AT], W[e + AT], ball[0], ball[1], ball[2], reach, size, W, W, SPAN_AT)
        acceleration = W[SPAN_AT + ACCELERATION_BOUND]
    quartic, quadratic, straight = missed_by(
        QA, ka, QB, kb, W, s + Z, h, acceleration, ball, reach, W[2 * STATE + 9 :]
    )
    if not quartic / 16.0 + quadratic / 4.0 < size:
        return NONE, 0.5
    rounding = ALLOWANCE * (size + firm + stretchy)
    rounding += fill_controls(W, s + Z, e + Z, h, straight, size, W, CONTROLS)
    fixed = firm + rounding + FA[DEFECT] + FB[DEFECT]
    need = margin / QA[SMALLEST] + fixed
    along = W[s + N] * W[e + N] + W[s + N + 1] * W[e + N + 1] + W[s + N + 2] * W[e + N + 2]
    n, cells, least, hasty = 0, 0, math.inf, W[e + MEASURED] == 0.0
    for k in range(3):
        if (k == 0 and along < OPPOSITE) or (k > 0 and along > STRAIGHT):
            continue
        p, q = (e if k == 2 else s), (s if k == 1 else e)
        out = POLYNOMIALS + 5 * n
        if _fill_polynomial(FB, IB, W, p, q, stretchy, need, quartic, quadratic, size, hints, out, hasty):
            cells, least = _prove_cells(W, out, cells, least)
            if cells == ALL_CELLS:
                answer[LOWER] = min(answer[LOWER], margin + QA[SMALLEST] * least)
                return WHOLE, 0.5
        n += 1
    if hasty:
        return NONE, 0.5
    if h > LONG * (abs(W[s + AT]) + abs(W[e + AT])) and (
        cells & LATER == LATER or cells & EARLIER == EARLIER
    ):
        # Nearly all of it: what is left is at one end.
        answer[LOWER] = min(answer[LOWER], margin + QA[SMALLEST] * least)
        if cells & LATER == LATER:
            return END, (0.125 if cells & 2 else 0.25) + OVERLAP
        return BEGINNING, (0.875 if cells & 64 else 0.75) - OVERLAP
    return NONE, _cut(W, n)


@kernel(
    "boolean(float64[::1], int32[::1], float64[::1], int32[::1], float64[::1], int64, float64[::1], int64,"
    " float64[::1], float64[::1], float64[::1], int64[::1], float64[::1], float64[::1], float64[::1])",
    boundscheck=False,
)
def least_between(FA, IA, FB, IB, QA, ka, QB, kb, ball, query, answer, counts, hints, W, M):
    """Search the least distance between the first two samples in W, in the segments ka and kb; return whether to stop.

    `answer[FOUND]` is the least distance so far, or what is not to be exceeded, and `answer[LOWER]` what everything
    until `answer[NOW]`, where the left sample is, is proved to exceed: at most a tolerance less.
    """
    left, right = SAMPLES, SAMPLES + SAMPLE
    while right > left:
        if answer[FOUND] - query[TOLERANCE] <= query[MARGIN]:
            answer[LOWER], answer[NOW] = min(answer[LOWER], query[MARGIN]), query[ENDS]
            return True
        if counts[EVALUATIONS] >= counts[LIMIT]:
            answer[NOW] = W[left + AT]
            return True
        directed = W[left + N] != 0.0 or W[left + N + 1] != 0.0 or W[left + N + 2] != 0.0
        both = W[left + MEASURED] != 0.0 and W[right + MEASURED] != 0.0
        proved, where = NONE, 0.5
        if both or (directed and W[right + MEASURED] == 0.0):
            if not both:
                W[right + N], W[right + N + 1], W[right + N + 2] = (
                    W[left + N],
                    W[left + N + 1],
                    W[left + N + 2],
                )
                W[right + FAR] = W[left + FAR]
            proved, where = _prove(FA, FB, IB, QA, ka, QB, kb, left, right, ball, query, answer, hints, W)
        if proved == WHOLE:
            skips = True
            while skips:
                for i in range(SAMPLE):
                    W[left + i] = W[right + i]
                right -= SAMPLE
                skips = W[left + DONE_AFTER] != 0.0
            answer[NOW] = W[left + AT]
        elif W[left + MEASURED] == 0.0:
            _measure_sample(FA, IA, FB, IB, QA, QB, ball, query, answer, counts, W, left, M)
        elif W[right + MEASURED] == 0.0:
            _measure_sample(FA, IA, FB, IB, QA, QB, ball, query, answer, counts, W, right, M)
        else:
            s, e = W[left + AT], W[right + AT]
            # Far from the middle as long as many cuts are left: a minimum is then found in few of them.
            least = 0.05 if right < SAMPLES + SAMPLE * MOST_SAMPLES // 2 or proved != NONE else 0.3
            t = s + min(max(where, least), 1.0 - least) * (e - s)
            if not (s < t and t < e) or right + 2 * SAMPLE > WORK:
                answer[UNPROVED] = 1.0
                return True
            new = left
            if proved != BEGINNING:
                right += SAMPLE
                new = right
            _sample(QA, ka, QB, kb, t, left, W, new)
            _measure_sample(FA, IA, FB, IB, QA, QB, ball, query, answer, counts, W, new, M)
            if proved == END:
                W[right + DONE_AFTER] = 1.0
            answer[NOW] = W[left + AT]
    return False


@kernel(
    "boolean(float64[::1], int32[::1], float64[::1], int32[::1], float64[::1], int64, float64[::1], int64, float64,"
    " float64[::1], float64[::1], float64[::1], int64[::1], float64[::1], float64[::1], float64[::1])",
    boundscheck=False,
)
def least_segment(FA, IA, FB, IB, QA, ka, QB, kb, until, ball, query, answer, counts, hints, W, M):
    """Search the least distance from `answer[NOW]` until the segments ka and kb end; return whether to stop there.

    The sample at the left end of W keeps its direction from segment to segment; see `least_between`.
    """
    left, right = SAMPLES, SAMPLES + SAMPLE
    measured = W[left + MEASURED] != 0.0 and W[left + AT] == answer[NOW]
    _sample(QA, ka, QB, kb, answer[NOW], left, W, left)
    W[left + MEASURED] = 1.0 if measured else 0.0
    _sample(QA, ka, QB, kb, until, left, W, right)
    return least_between(FA, IA, FB, IB, QA, ka, QB, kb, ball, query, answer, counts, hints, W, M)


@kernel(boundscheck=False)
def _sample_ahead(FA, IA, FB, IB, QA, QB, ball, query, answer, counts, W, M):
    """Sample instants at which the bodies may be close, so that the search does not begin with a bound that is poor."""
    now, ends, hint, s = answer[NOW], query[ENDS], query[HINT], SAMPLES + SAMPLE
    several = next_knot(QB, now, next_knot(QA, now, ends)) < ends
    for i in range(SEEDS if several else 1):
        t = hint if i == 0 else now + (ends - now) * i / SEEDS
        if not (now < t and t < ends) or counts[EVALUATIONS] >= counts[LIMIT]:
            continue
        _sample(QA, piece_at(QA, t), QB, piece_at(QB, t), t, SAMPLES, W, s)
        _measure_sample(FA, IA, FB, IB, QA, QB, ball, query, answer, counts, W, s, M)


@kernel(
    "boolean(float64[::1], int32[::1], float64[::1], int32[::1], float64[::1], float64[::1], float64[::1],"
    " float64[::1], float64[::1], int64[::1], float64[::1], float64[::1])",
    boundscheck=False,
)
def least_pair(FA, IA, FB, IB, QA, QB, ball, query, answer, counts, W, M):
    """Search the least distance of two bodies from `answer[NOW]` to the end or the limit; return whether it is paused.

    Args:
        FA, IA, FB, IB: The bodies, as in `support`.
        QA, QB: Their motions, as in `motion.state`.
        ball: Of B, as in `swept_convex`.
        query, answer, counts: See `swept_leaf`. `answer[FOUND]` may begin with a distance that is known to be reached,
            or from which on distances are not of interest; `answer[LOWER]` begins with infinity.
        W: Scratch of WORK numbers.
        M: Memory of the distance search, of `gjk.MEMORY` numbers.
    """
    forget(M)
    for i in range(SAMPLE):
        W[SAMPLES + i] = 0.0
    hints = W[HINTS : HINTS + 8]
    hints[0] = -1.0
    _sample_ahead(FA, IA, FB, IB, QA, QB, ball, query, answer, counts, W, M)
    while answer[NOW] < query[ENDS] and answer[UNPROVED] == 0.0:
        now = answer[NOW]
        until = next_knot(QB, now, next_knot(QA, now, query[ENDS]))
        ka, kb = piece_at(QA, now), piece_at(QB, now)
        if least_segment(FA, IA, FB, IB, QA, ka, QB, kb, until, ball, query, answer, counts, hints, W, M):
            break
    return answer[NOW] < query[ENDS] and answer[UNPROVED] == 0.0


@kernel(
    "int64(float64[::1], int32[::1], float64[::1], int64[:,::1], float64[:,::1], float64[:,::1], float64[:,::1],"
    " int64[:,::1], int64, int64)",
    allocates=True,
)
def least_pairs(F, L, Q, places, balls, queries, answers, counts, begin, end):
    """Search the least distances of pairs of convex bodies, each to its end or its limit of evaluations.

    Args:
        F, L, Q: All shapes and motions, one after the other.
        places: For each pair where A's reals, A's links, B's reals, B's links, A's and B's motion begin and end.
        balls, queries, answers, counts: A row for each pair; see `least_pair`.
        begin, end: Which pairs.

    Returns:
        How many of them have not come to an end; call again to go on.
    """
    W, M = np.empty(WORK), np.zeros(gjk.MEMORY)
    paused = 0
    for k in range(begin, end):
        FA, IA = F[places[k, 0] : places[k, 1]], L[places[k, 2] : places[k, 3]]
        FB, IB = F[places[k, 4] : places[k, 5]], L[places[k, 6] : places[k, 7]]
        QA, QB = Q[places[k, 8] : places[k, 9]], Q[places[k, 10] : places[k, 11]]
        if answers[k, NOW] < queries[k, ENDS] and answers[k, UNPROVED] == 0.0:
            if least_pair(FA, IA, FB, IB, QA, QB, balls[k], queries[k], answers[k], counts[k], W, M):
                paused += 1
    return paused
