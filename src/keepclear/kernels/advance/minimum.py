"""Least distance of two moving convex bodies: intervals of time are cut until polynomials prove each of them.

Between two instants s and e the poses of B in A's frame are close to those of a cubic C(u), u from 0 to 1, with the
same poses and rates at both ends. No point is farther from the cubic than u^2 (1-u)^2 h^4 D / 24, where h = e - s and D
bounds the fourth derivative. Where no D is known, the straight line between both poses is used, with the error K u
(1-u) h^2 / 2 and the acceleration bound K. A direction n(u) is interpolated linearly from the one that separates the
bodies at s to the one at e. Then n(u) . C(u) p is, for each point p of B, a polynomial of degree 4 whose Bernstein
coefficients are products of p with five tilted directions. The minima of these products over B, five support points,
are the coefficients of a polynomial that is a lower bound for all points. A's support function is convex, so the
straight line between its values at both ends is an upper bound of it. Finally |n(u)| <= 1 - (1 - n_s . n_e) u (1-u). So
one polynomial in u is a lower bound on the distance for the whole interval. A cubic without a jump of its closest
features is proved in one step of length (384 tolerance / D)^(1/4).

Where the polynomial is too low, the interval is cut where it is lowest, which is where the least distance is likely to
be. So a minimum in time is found as fast as Newton's method finds a root, not by bisection.
"""

from __future__ import annotations

import math

import numpy as np

from keepclear.compiler.kernel import kernel
from keepclear.kernels.advance.convex import INSIDE, ROUNDING, forget, inner_reach, least_along, measure
from keepclear.kernels.advance.distance_polynomials import (
    ALL_CELLS,
    AT,
    CONTROLS,
    DONE_AFTER,
    FAR,
    MEASURED,
    POLYNOMIALS,
    SAMPLE,
    SPAN_AT,
    USED,
    N,
    Z,
    cut,
    fill_controls,
    fill_polynomial,
    prove_cells,
)
from keepclear.kernels.convex import gjk
from keepclear.kernels.convex.support import DEFECT, RADIUS
from keepclear.kernels.motion.fourth_derivative import fourth_bound, translates
from keepclear.kernels.motion.rows import motion_of
from keepclear.kernels.motion.state import (
    ACCELERATION_BOUND,
    ROUND_UP,
    STATE,
    fill_span,
    is_affine,
    next_knot,
    piece_at,
    relative_at,
)
from keepclear.kernels.tables.body import links_at, reals_at

# Intervals are halved less often than a float64 time has bits; cuts away from the middle take a few more.
MOST_SAMPLES = 96
# Bits of the eighths of an interval: all but the first two or the last two.
LATER, EARLIER = 252, 63
# What is proved of an interval: nothing, all of it, or its start or end up to a cut.
NONE, WHOLE, BEGINNING, END = 0, 1, 2, 3
# Distance of cuts inside the proved part, as a fraction of the interval, which is then much longer than the rounding of
# times.
OVERLAP, LONG = 1e-6, 1e-7
# Scratch: that of polynomials, start vertices, then the samples: the left end, and the stack of right ends.
HINTS = USED
SAMPLES = HINTS + 8
WORK = SAMPLES + SAMPLE * MOST_SAMPLES
SEEDS = 8  # instants of a motion with several segments that are sampled first
STRAIGHT = 0.9  # product of both directions above which constant directions would not prove more
OPPOSITE = -0.5  # product of both directions below which their mean is too short to prove anything
# Rounding error of the search and of the polynomials, as a fraction of the size of the scene.
ALLOWANCE = 2.0 * ROUNDING


@kernel(inline=True, boundscheck=False)
def _norm(x, y, z):
    return math.sqrt(x * x + y * y + z * z)


@kernel(boundscheck=False)
def missed_by(QA, ka, QB, kb, Zs, at, h, acceleration, ball, reach, out):
    """Return the error of the better of two curves: h^4 D / 24, h^2 K / 2 (one is 0), and whether it is the line.

    Args:
        Zs: Holds the relative pose at one end of the interval, at `at`.
        h: Length of the interval [s].
        acceleration: The acceleration bound K, or infinity.
        ball: Its centre is that of a ball of radius `reach` around B.
        out: Scratch of 8 numbers.
    """
    fourth = fourth_bound(QA, ka, QB, kb, Zs, at, h, ball[0], ball[1], ball[2], reach, out)
    # harmless (ROUND_UP): both bounds are rounded up by as much already, and these products round by 6 u
    quartic, quadratic = fourth * h * h * h * h / 24.0 * ROUND_UP, acceleration * h * h / 2.0 * ROUND_UP
    # harmless (quartic / 16.0): both errors are right, if finite; an infinite one proves nothing
    if quartic / 16.0 <= quadratic / 4.0:
        return quartic, 0.0, False
    return 0.0, quadratic, True


@kernel(boundscheck=False)
def _measure_sample(FA, IA, FB, IB, QA, QB, pair, W, s, M):
    """Compute the distance at a sample; store its direction, and the distance if it is the least so far."""
    inside, upper, _, nx, ny, nz = measure(FA, IA, FB, IB, W, s + Z, M, 0.0)
    pair.evaluations += 1
    radii, size = FA[RADIUS] + FB[RADIUS], pair.scale
    rounding = ALLOWANCE * (size + radii)
    inner = radii
    if is_affine(QA) or is_affine(QB):
        # harmless (FB[RADIUS] * inner_reach(W, s + Z, W, nx, ny, nz)): a larger upper bound
        inner = FA[RADIUS] + FB[RADIUS] * inner_reach(W, s + Z, W, nx, ny, nz)
    reached = motion_of(QA).largest * max((0.0 if inside else upper) + rounding - inner, 0.0)
    if inside and reached > 0.0 and pair.ball[INSIDE] > 0.0:
        # Bodies that still intersect when shrunk by more than rounding are in contact.
        shrink = 2.0 * rounding / pair.ball[INSIDE]
        if shrink < 0.5:
            inside, upper, _, _, _, _ = measure(FA, IA, FB, IB, W, s + Z, M, shrink)
            if inside or upper + rounding <= shrink * pair.ball[INSIDE]:
                reached = 0.0
    if reached < pair.distance:
        pair.distance, pair.time = reached, W[s + AT]
    W[s + MEASURED] = 1.0
    if nx != 0.0 or ny != 0.0 or nz != 0.0:
        _set_direction(FA, IA, W, s, nx, ny, nz, size, int(M[1]))


@kernel(boundscheck=False)
def _set_direction(FA, IA, W, s, nx, ny, nz, size, vertex):
    """Set the direction of a sample, and the support of A along it; `vertex` is the start of that search, or -1."""
    least, _, _, _, _ = least_along(FA, IA, -nx, -ny, -nz, vertex, size)
    W[s + N], W[s + N + 1], W[s + N + 2] = nx, ny, nz
    W[s + FAR] = -least


@kernel(boundscheck=False)
def borrow_direction(FA, IA, nx, ny, nz, size, W):
    """Set the direction that the next `least_segment` begins with: a unit vector that may separate the bodies."""
    W[SAMPLES + MEASURED], W[SAMPLES + FAR] = 0.0, 0.0
    W[SAMPLES + N], W[SAMPLES + N + 1], W[SAMPLES + N + 2] = 0.0, 0.0, 0.0
    if nx != 0.0 or ny != 0.0 or nz != 0.0:
        _set_direction(FA, IA, W, SAMPLES, nx, ny, nz, size, -1)


@kernel(boundscheck=False)
def copy_sample(V, at, t, W, s):
    """Write an unmeasured sample at time t, with the relative motion at V[at:] and the direction of the left sample."""
    for i in range(SAMPLE - Z):
        W[s + Z + i] = V[at + i]
    W[s + AT], W[s + MEASURED], W[s + FAR] = t, 0.0, W[SAMPLES + FAR]
    W[s + N], W[s + N + 1], W[s + N + 2] = W[SAMPLES + N], W[SAMPLES + N + 1], W[SAMPLES + N + 2]
    W[s + DONE_AFTER] = 0.0


@kernel(inline=True, boundscheck=False)
def direction(W):
    """Return the direction at the end of `least_segment`, a unit vector."""
    return W[SAMPLES + N], W[SAMPLES + N + 1], W[SAMPLES + N + 2]


@kernel(boundscheck=False)
def _sample(QA, ka, QB, kb, t, like, W, s):
    """Write an unmeasured sample at time t, with the direction of the sample at `like`."""
    relative_at(QA, ka, QB, kb, t, W, W, s + Z)
    W[s + AT], W[s + MEASURED], W[s + FAR] = t, 0.0, W[like + FAR]
    W[s + DONE_AFTER] = 0.0
    W[s + N], W[s + N + 1], W[s + N + 2] = W[like + N], W[like + N + 1], W[like + N + 2]


@kernel(boundscheck=False)
def _prove(FA, FB, IB, QA, ka, QB, kb, s, e, pair, hints, W):
    """Try to prove the interval between two samples; return what is proved of it, and where to cut it.

    The directions of both samples are used, interpolated; if they differ much, also each of them alone.
    """
    size, h = pair.scale, W[e + AT] - W[s + AT]
    affine = is_affine(QA) or is_affine(QB)
    stretchy = FB[RADIUS] if affine else 0.0
    ball = pair.ball
    reach = ball[3] + stretchy
    # harmless (stretchy): then more is needed than the radii are
    firm = FA[RADIUS] + FB[RADIUS] - stretchy
    # harmless (pair.margin): then less is proved, and no more than that is stored
    margin = max(pair.distance - pair.tolerance, pair.margin)
    acceleration = math.inf
    if not translates(QA, ka):
        fill_span(QA, ka, QB, kb, W[s + AT], W[e + AT], ball[0], ball[1], ball[2], reach, size, W, W, SPAN_AT)
        acceleration = W[SPAN_AT + ACCELERATION_BOUND]
    quartic, quadratic, straight = missed_by(
        QA, ka, QB, kb, W, s + Z, h, acceleration, ball, reach, W[2 * STATE + 9 :]
    )
    # harmless (quadratic / 4.0): likewise
    # harmless (quartic / 16.0): it saves polynomials that an error as large makes negative
    if not quartic / 16.0 + quadratic / 4.0 < size:
        return NONE, 0.5
    # harmless (stretchy): the size of the scene contains this radius, and is as large as the sum of both
    rounding = ALLOWANCE * (size + firm + stretchy)
    rounding += fill_controls(W, s + Z, e + Z, h, straight, size, W, CONTROLS)
    fixed = firm + rounding + FA[DEFECT] + FB[DEFECT]
    need = margin / motion_of(QA).smallest + fixed
    along = W[s + N] * W[e + N] + W[s + N + 1] * W[e + N + 1] + W[s + N + 2] * W[e + N + 2]
    n, cells, least, hasty = 0, 0, math.inf, W[e + MEASURED] == 0.0
    for k in range(3):
        if (k == 0 and along < OPPOSITE) or (k > 0 and along > STRAIGHT):
            continue
        p, q = (e if k == 2 else s), (s if k == 1 else e)
        out = POLYNOMIALS + 5 * n
        if fill_polynomial(FB, IB, W, p, q, stretchy, need, quartic, quadratic, size, hints, out, hasty):
            cells, least = prove_cells(W, out, cells, least)
            if cells == ALL_CELLS:
                pair.lower = min(pair.lower, margin + motion_of(QA).smallest * least)
                return WHOLE, 0.5
        n += 1
    if hasty:
        return NONE, 0.5
    if h > LONG * (abs(W[s + AT]) + abs(W[e + AT])) and (
        cells & LATER == LATER or cells & EARLIER == EARLIER
    ):
        # Nearly all of it is proved: the rest is at one end.
        pair.lower = min(pair.lower, margin + motion_of(QA).smallest * least)
        if cells & LATER == LATER:
            return END, (0.125 if cells & 2 else 0.25) + OVERLAP
        return BEGINNING, (0.875 if cells & 64 else 0.75) - OVERLAP
    return NONE, cut(W, n)


@kernel(
    "boolean(float64[::1], int32[::1], float64[::1], int32[::1], float64[::1], int64, float64[::1], int64, PAIR,"
    " float64[::1], float64[::1], float64[::1])",
    boundscheck=False,
)
def least_between(FA, IA, FB, IB, QA, ka, QB, kb, pair, hints, W, M):
    """Search the least distance between the first two samples in W, in segments ka and kb; return whether to stop.

    `pair.distance` is the least distance so far, or a limit beyond which distances do not matter. `pair.lower` is a
    proved lower bound for all times until `pair.now`, where the left sample is; it is at most a tolerance less.
    """
    left, right = SAMPLES, SAMPLES + SAMPLE
    while right > left:
        # harmless (pair.margin): then the search goes on, until its answer or the limit
        if pair.distance - pair.tolerance <= pair.margin:
            # harmless (pair.margin): a smaller lower bound
            pair.lower, pair.now = min(pair.lower, pair.margin), pair.end
            return True
        if pair.evaluations >= pair.limit:
            pair.now = W[left + AT]
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
            proved, where = _prove(FA, FB, IB, QA, ka, QB, kb, left, right, pair, hints, W)
        if proved == WHOLE:
            skips = True
            while skips:
                for i in range(SAMPLE):
                    W[left + i] = W[right + i]
                right -= SAMPLE
                skips = W[left + DONE_AFTER] != 0.0
            pair.now = W[left + AT]
        elif W[left + MEASURED] == 0.0:
            _measure_sample(FA, IA, FB, IB, QA, QB, pair, W, left, M)
        elif W[right + MEASURED] == 0.0:
            _measure_sample(FA, IA, FB, IB, QA, QB, pair, W, right, M)
        else:
            s, e = W[left + AT], W[right + AT]
            # Cuts may be far from the middle as long as many cuts are left: a minimum is then found in few of them.
            least = 0.05 if right < SAMPLES + SAMPLE * MOST_SAMPLES // 2 or proved != NONE else 0.3
            t = s + min(max(where, least), 1.0 - least) * (e - s)
            if not (s < t and t < e) or right + 2 * SAMPLE > WORK:
                pair.unproved = 1
                return True
            new = left
            if proved != BEGINNING:
                right += SAMPLE
                new = right
            _sample(QA, ka, QB, kb, t, left, W, new)
            _measure_sample(FA, IA, FB, IB, QA, QB, pair, W, new, M)
            if proved == END:
                W[right + DONE_AFTER] = 1.0
            pair.now = W[left + AT]
    return False


@kernel(
    "boolean(float64[::1], int32[::1], float64[::1], int32[::1], float64[::1], int64, float64[::1], int64, float64,"
    " PAIR, float64[::1], float64[::1], float64[::1])",
    boundscheck=False,
)
def least_segment(FA, IA, FB, IB, QA, ka, QB, kb, until, pair, hints, W, M):
    """Search the least distance from `pair.now` until the segments ka and kb end; return whether to stop there.

    The sample at the left end of W keeps its direction from segment to segment; see `least_between`.
    """
    left, right = SAMPLES, SAMPLES + SAMPLE
    measured = W[left + MEASURED] != 0.0 and W[left + AT] == pair.now
    _sample(QA, ka, QB, kb, pair.now, left, W, left)
    W[left + MEASURED] = 1.0 if measured else 0.0
    _sample(QA, ka, QB, kb, until, left, W, right)
    return least_between(FA, IA, FB, IB, QA, ka, QB, kb, pair, hints, W, M)


@kernel(boundscheck=False)
def _sample_ahead(FA, IA, FB, IB, QA, QB, pair, W, M):
    """Sample instants at which the bodies may be close, so that the search does not begin with a poor bound."""
    now, ends, hint, s = pair.now, pair.end, pair.hint, SAMPLES + SAMPLE
    several = next_knot(QB, now, next_knot(QA, now, ends)) < ends
    for i in range(SEEDS if several else 1):
        t = hint if i == 0 else now + (ends - now) * i / SEEDS
        # harmless (>=): the number of samples is a matter of speed
        if not (now < t and t < ends) or pair.evaluations >= pair.limit:
            continue
        _sample(QA, piece_at(QA, t), QB, piece_at(QB, t), t, SAMPLES, W, s)
        _measure_sample(FA, IA, FB, IB, QA, QB, pair, W, s, M)


@kernel(
    "boolean(float64[::1], int32[::1], float64[::1], int32[::1], float64[::1], float64[::1], PAIR, float64[::1],"
    " float64[::1])",
    boundscheck=False,
)
def least_row(FA, IA, FB, IB, QA, QB, pair, W, M):
    """Search the least distance of two bodies from `pair.now` to the end or the limit; return whether it is paused.

    Args:
        FA, IA, FB, IB: The bodies, as in `support`.
        QA, QB: Their motions, as in `motion.state`.
        pair: The row; see `tables.pair`. `pair.distance` may begin with a distance that is known to be reached, or one
            beyond which distances do not matter; `pair.lower` begins with infinity.
        W: Scratch of WORK numbers.
        M: Memory of the distance search, of `gjk.MEMORY` numbers.
    """
    forget(M)
    for i in range(SAMPLE):
        W[SAMPLES + i] = 0.0
    hints = W[HINTS : HINTS + 8]
    hints[0] = -1.0
    _sample_ahead(FA, IA, FB, IB, QA, QB, pair, W, M)
    while pair.now < pair.end and not pair.unproved:
        now = pair.now
        until = next_knot(QB, now, next_knot(QA, now, pair.end))
        ka, kb = piece_at(QA, now), piece_at(QB, now)
        if least_segment(FA, IA, FB, IB, QA, ka, QB, kb, until, pair, hints, W, M):
            break
    return pair.now < pair.end and not pair.unproved


@kernel(
    "boolean(float64[::1], int32[::1], float64[::1], int32[::1], float64[::1], float64[::1], PAIR[::1], float64[::1],"
    " float64[::1])",
    boundscheck=False,
)
def least_pair(FA, IA, FB, IB, QA, QB, pairs, W, M):
    """Search the least distance of the only row of a table; see `least_row`."""
    return least_row(FA, IA, FB, IB, QA, QB, pairs[0], W, M)


@kernel(
    "int64(BODY[::1], float64[::1], int64[::1], PAIR[::1], int64, int64)",
    allocates=True,
)
def least_pairs(bodies, Q, motions, pairs, begin, end):
    """Search the least distances of pairs of convex bodies, each to its end or its limit of evaluations.

    Args:
        bodies: The shapes.
        Q, motions: All motions, concatenated, and where each begins.
        pairs: The rows; see `least_row`.
        begin, end: Range of pairs.

    Returns:
        How many pairs are not finished; call again to continue.
    """
    W, M = np.empty(WORK), np.zeros(gjk.MEMORY)
    paused = 0
    for k in range(begin, end):
        pair = pairs[k]
        if pair.now < pair.end and not pair.unproved:
            a, b = bodies[pair.shape_a], bodies[pair.shape_b]
            FA, IA = reals_at(a.reals, a.n_reals), links_at(a.links, a.n_links)
            FB, IB = reals_at(b.reals, b.n_reals), links_at(b.links, b.n_links)
            QA, QB = Q[motions[pair.motion_a] :], Q[motions[pair.motion_b] :]
            if least_row(FA, IA, FB, IB, QA, QB, pair, W, M):
                paused += 1
    return paused
