"""Time windows in which two moving convex bodies are close: times outside are proved, times inside are sampled."""

from __future__ import annotations

import math

from keepclear.compiler.kernel import kernel
from keepclear.kernels.advance.convex import RELATIVE, advance_row, forget, measure
from keepclear.kernels.convex.support import RADIUS
from keepclear.kernels.motion.rows import motion_of
from keepclear.kernels.motion.state import piece_at, relative_at
from keepclear.kernels.tables.body import links_at, reals_at

SAMPLES = 48  # samples of an interval, to detect when close bodies have separated
MOST_STEPS = 24  # distance queries to prove how long bodies stay apart, before the next sample


@kernel(
    "int64(BODY[::1], float64[::1], int64[::1], PAIR[::1], int64, float64, float64,"
    " float64[::1], PAIR[::1], float64[::1], float64[::1])",
    boundscheck=False,
)
def near_windows(bodies, Q, motions, pairs, k, limit, tolerance, windows, spare, R, M):
    """Write the time windows in which two bodies may be closer than `limit`, and return how many there are.

    Outside of the windows the distance is proved to be at least `limit`.

    Args:
        bodies, Q, motions, pairs: As in `swept_convex.advance_pairs`.
        k: The row of the pair.
        limit: The distance [m].
        tolerance: How far beyond `limit` the distance within a window may be [m].
        windows: Start and end of each; the last window takes the rest of the time when there is no space for more.
        spare, R, M: Scratch; the first is one row.
    """
    spare[0] = pairs[k]
    pair = spare[0]
    a, b = bodies[pair.shape_a], bodies[pair.shape_b]
    FA, IA = reals_at(a.reals, a.n_reals), links_at(a.links, a.n_links)
    FB, IB = reals_at(b.reals, b.n_reals), links_at(b.links, b.n_links)
    QA, QB = Q[motions[pair.motion_a] :], Q[motions[pair.motion_b] :]
    pair.margin, pair.tolerance = limit, tolerance
    begin, until, n = pair.t0, pair.end, 0
    t = begin
    step = (until - begin) / SAMPLES
    far = (limit + 2.0 * tolerance) / motion_of(QA).smallest + FA[RADIUS] + FB[RADIUS]
    while t < until:
        pair.now, pair.time, pair.certain, pair.distance = t, math.inf, math.inf, math.inf
        pair.unproved, pair.evaluations, pair.limit = 0, 0, MOST_STEPS
        advance_row(FA, IA, FB, IB, QA, QB, pair, R, M)
        if not pair.unproved:
            if pair.now >= until and pair.time == math.inf:
                break
            t = min(max(t, min(pair.now, pair.time)), until)
        windows[2 * n] = t
        near = True
        while near and t < until:
            later = t + step
            t = later if later > t and later < until else until
            if 2 * n + 2 < windows.shape[0] and t < until:
                relative_at(QA, piece_at(QA, t), QB, piece_at(QB, t), t, R, R, RELATIVE)
                forget(M)
                inside, _, lower, _, _, _ = measure(FA, IA, FB, IB, R, RELATIVE, M, 0.0)
                near = inside or lower < far
        windows[2 * n + 1] = t
        n += 1
    return n
