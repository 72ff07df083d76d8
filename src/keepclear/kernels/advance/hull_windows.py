"""Time windows in which two moving convex bodies are close: times outside are proved, times inside are sampled."""

from __future__ import annotations

import math

from keepclear.kernels._compile import kernel
from keepclear.kernels.advance.swept_convex import RELATIVE, advance_pair, forget, measure
from keepclear.kernels.advance.swept_leaf import (
    CERTAIN,
    ENDS,
    EVALUATIONS,
    FOUND,
    LIMIT,
    MARGIN,
    NOW,
    TIME,
    TOLERANCE,
    UNPROVED,
)
from keepclear.kernels.convex.support import RADIUS
from keepclear.kernels.motion.state import SMALLEST, piece_at, relative_at

SAMPLES = 48  # samples of an interval, to detect when close bodies have separated
MOST_STEPS = 24  # distance queries to prove how long bodies stay apart, before the next sample


@kernel(
    "int64(float64[::1], int32[::1], float64[::1], int64[:,::1], float64[:,::1], float64[:,::1], int64, float64,"
    " float64, float64, float64[::1], float64[::1], float64[::1], int64[::1], float64[::1], float64[::1])",
    boundscheck=False,
)
def near_windows(
    F, L, Q, places, balls, queries, k, begin, limit, tolerance, windows, query, answer, counts, R, M
):  # fmt: skip
    """Write the time windows in which two bodies may be closer than `limit`, and return how many there are.

    Outside of the windows the distance is proved to be at least `limit`.

    Args:
        F, L, Q, places, balls, queries, k: Bodies, motions, as in `swept_convex.advance_pairs`, and the row of a pair.
        begin: Start of the interval [s]; its end is that of the query.
        limit: The distance [m].
        tolerance: How far beyond `limit` the distance within a window may be [m].
        windows: Start and end of each; the last window takes the rest of the time when there is no space for more.
        query, answer, counts, R, M: Scratch.
    """
    FA, IA = F[places[k, 0] : places[k, 1]], L[places[k, 2] : places[k, 3]]
    FB, IB = F[places[k, 4] : places[k, 5]], L[places[k, 6] : places[k, 7]]
    QA, QB = Q[places[k, 8] : places[k, 9]], Q[places[k, 10] : places[k, 11]]
    for i in range(query.shape[0]):
        query[i] = queries[k, i]
    query[MARGIN], query[TOLERANCE] = limit, tolerance
    until, n, t = query[ENDS], 0, begin
    step = (until - begin) / SAMPLES
    far = (limit + 2.0 * tolerance) / QA[SMALLEST] + FA[RADIUS] + FB[RADIUS]
    while t < until:
        answer[NOW], answer[TIME], answer[CERTAIN], answer[FOUND] = t, math.inf, math.inf, math.inf
        answer[UNPROVED], counts[EVALUATIONS], counts[LIMIT] = 0.0, 0, MOST_STEPS
        advance_pair(FA, IA, FB, IB, QA, QB, balls[k], query, answer, counts, R, M)
        if answer[UNPROVED] == 0.0:
            if answer[NOW] >= until and answer[TIME] == math.inf:
                break
            t = min(max(t, min(answer[NOW], answer[TIME])), until)
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
