"""Least distance of the smallest spheres of two trees, by best-first search."""

from __future__ import annotations

import math

from keepclear.kernels._compile import kernel
from keepclear.kernels.convex.pose import relative_matrix
from keepclear.kernels.spheres.pair_search import SPHERE, moved, rounding_of
from keepclear.kernels.trees.pair_heap import insert, remove_first

# Row of a pose: the least distance of two smallest spheres, negative if they overlap, its error bound, the two spheres,
# how many pairs were compared, and the distance of the roots.
LEAST, ROUNDING, SPHERE_A, SPHERE_B, COMPARED, ROOTS, ROW = 0, 1, 2, 3, 4, 5, 6


@kernel(inline=True, boundscheck=False)
def _between(FA, a, FB, b, r):
    """Return the distance of two spheres, by their reach; negative if they overlap."""
    x, y, z = moved(FB, b, r)
    x, y, z = x - FA[SPHERE * a], y - FA[SPHERE * a + 1], z - FA[SPHERE * a + 2]
    return math.sqrt(x * x + y * y + z * z) - FA[SPHERE * a + 3] - FB[SPHERE * b + 3]


@kernel(boundscheck=False)
def _approach_pose(FA, IA, FB, IB, r, keys, nodes, rows, at):
    """Write the row of one pose; return False if the heap is too small.

    The pair with the least bound is opened on the side of the larger sphere. Smallest spheres that overlap end the
    search: the distance is 0.
    """
    best, best_a, best_b, compared, size = math.inf, 0, 0, 1, 0
    roots = _between(FA, 0, FB, 0, r)
    if IA[0] == IA[1] and IB[0] == IB[1]:
        best = roots
    else:
        size = insert(keys, nodes, size, roots, 0, 0, 0)
    while size > 0 and keys[0] < best and best > 0.0:
        a, b = nodes[0], nodes[1]
        size = remove_first(keys, nodes, size)
        open_a = IA[a] < IA[a + 1]
        if open_a and IB[b] < IB[b + 1]:
            open_a = FA[SPHERE * a + 3] >= FB[SPHERE * b + 3]
        first, last = (IA[a], IA[a + 1]) if open_a else (IB[b], IB[b + 1])
        if size + last - first > keys.shape[0]:
            return False
        for s in range(first, last):
            p, q = (s, b) if open_a else (a, s)
            bound = _between(FA, p, FB, q, r)
            compared += 1
            if bound >= best:
                continue
            if IA[p] == IA[p + 1] and IB[q] == IB[q + 1]:
                best, best_a, best_b = bound, p, q
            else:
                size = insert(keys, nodes, size, bound, p, q, 0)
    rows[at + LEAST], rows[at + SPHERE_A], rows[at + SPHERE_B] = best, best_a, best_b
    rows[at + COMPARED], rows[at + ROOTS] = compared, roots
    return True


@kernel(
    "int64(float64[::1], int32[::1], float64[::1], int32[::1], float64[:,:,::1], float64[:,:,::1], float64[::1],"
    " int64, int64, float64[::1], int32[::1], float64[::1])",
    boundscheck=False,
)
def approach(FA, IA, FB, IB, X_WA, X_WB, numbers, first, last, keys, nodes, rows):
    """Fill the rows of poses `first` to before `last`; return the first that needs a larger heap, or `last`.

    Args:
        FA, IA, FB, IB: The trees, as for `pair_search.search`.
        X_WA, X_WB: Checked rigid poses; one on a side is repeated.
        numbers: As for `pair_search.search`; the margin is not used.
        first, last: Range of poses.
        keys, nodes: The heap, n and 3 n entries.
        rows: ROW entries for each pose.
    """
    one_a, one_b = X_WA.shape[0] == 1, X_WB.shape[0] == 1
    for pose in range(first, last):
        r = relative_matrix(X_WA, 0 if one_a else pose, X_WB, 0 if one_b else pose)
        if not _approach_pose(FA, IA, FB, IB, r, keys, nodes, rows, ROW * pose):
            return pose
        rows[ROW * pose + ROUNDING] = rounding_of(numbers, r)
    return last
