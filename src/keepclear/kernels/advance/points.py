"""Batches of moving points: when a vertex touches a triangle, an edge another edge, or comes within a margin."""

from __future__ import annotations

from keepclear.compiler.kernel import kernel
from keepclear.kernels.advance.features import BRACKET, OPEN, PATH, STEPS, approach, bring_to_one, meet

# Corners of the polygon in each kind of query, as the difference of two of its four points: a triangle relative to a
# vertex; the differences of the ends of two edges, around the parallelogram.
VERTEX_FACE, EDGE_EDGE = 0, 1
FIRST = (1, 2, 3, 0, 0, 1, 1, 0)
SECOND = (0, 0, 0, 0, 2, 2, 3, 3)
# A row of results: the result of the search, its bracket, and how many intervals it examined.
ROW = 4


@kernel(boundscheck=False)
def _take(X, Y, query, kind, d, W):
    """Write the corners of a query's polygon; straight paths go from X to Y, cubic ones are all in X."""
    m = 3 + kind
    for c in range(m):
        p, q = FIRST[4 * kind + c], SECOND[4 * kind + c]
        for k in range(3):
            at = PATH + (3 * c + k) * (d + 1)
            if d == 1:
                i, j = 3 * (4 * query + p) + k, 3 * (4 * query + q) + k
                W[at], W[at + 1] = X[i] - X[j], Y[i] - Y[j]
            else:
                i, j = 12 * (4 * query + p) + k, 12 * (4 * query + q) + k
                for step in range(4):
                    W[at + step] = X[i + 3 * step] - X[j + 3 * step]
    return m


@kernel(
    "void(float64[::1], float64[::1], int64, int64, float64, float64, int64, float64[::1], float64[::1])",
    boundscheck=False,
)
def contact_many(X, Y, kind, d, tolerance, margin, budget, W, out):
    """Fill a row of results for each query: whether and when its four moving points make contact in [0, 1].

    Args:
        X, Y: Points at 0 and at 1, 12 numbers per query; for cubic paths X has 48 per query (points, Bernstein control
            points, x, y, z) and Y is empty.
        kind: VERTEX_FACE or EDGE_EDGE.
        d: Degree of the paths, 1 or 3.
        tolerance: Distance beyond the margin that may count as contact.
        margin: Distance that counts as contact.
        budget: How many intervals a query may examine.
        W: Scratch of `feature_contact.SCRATCH` numbers.
        out: ROW numbers per query.
    """
    for query in range(len(out) // ROW):
        m = _take(X, Y, query, kind, d, W)
        factor = bring_to_one(W, m, d)
        ended = OPEN
        W[BRACKET], W[BRACKET + 1], W[STEPS] = 0.0, 1.0, 0.0
        if factor > 0.0 and margin > 0.0:
            ended = approach(W, m, d, factor * tolerance, factor * margin, 0.0, budget)
        elif factor > 0.0:
            ended = meet(W, m, d, factor * tolerance, 0.0, 1.0, budget)
        at = ROW * query
        out[at], out[at + 1], out[at + 2] = ended, W[BRACKET], W[BRACKET + 1]
        out[at + 3] = W[STEPS]
