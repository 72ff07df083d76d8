"""Two sphere trees against each other: which of their smallest spheres come within a margin, pose after pose."""

from __future__ import annotations

import math

from keepclear.compiler.kernel import kernel
from keepclear.kernels.convex.pose import relative_matrix
from keepclear.kernels.trees.pair_heap import insert, remove_first

# Error of a centre of B that is transformed into A's frame, as a fraction of the scene, as for vertices of meshes
# (docs/theory/oriented-boxes); the distance of two centres and its square are rounded by less.
ROUNDING_SPHERES = 256.0 * 2.0**-53

# A tree: four numbers for each sphere, centre and reach, rank after rank; and where the children of each sphere begin;
# those of the next sphere begin where they end.
SPHERE = 4
# Parameters of a search: margin [m], and how far any sphere reaches from the origin of its frame, for A and B [m].
MARGIN, EXTENT_A, EXTENT_B = 0, 1, 2
# Its options: all hits or the first, with marks or without, ranks of A and B, first and last pose.
FIND_ALL, WITH_MARKS, RANKS_A, RANKS_B, FIRST_POSE, LAST_POSE, OPTIONS = 0, 1, 2, 3, 4, 5, 6
# Its state: hits and recorded tests; then tests by rank of A and rank of B.
N_HITS, N_TESTS, TESTS = 0, 1, 2
# A list of spheres of A and one of B that are compared: their rank, their position in the marks, how many there are,
# the next pair, and the group of tests to which it belongs.
RANK_A, RANK_B, AT_A, AT_B, COUNT_A, COUNT_B, NEXT, GROUP, FRAME = 0, 1, 2, 3, 4, 5, 6, 7, 8
# A hit: pose, sphere of A, sphere of B. A test: pose, group, sphere of A, sphere of B, whether they overlapped.
HIT, TEST = 3, 5
# Instead of the number of hits, if not even the roots are within the margin.
ROOTS_APART = -1


@kernel(inline=True, boundscheck=False)
def moved(F, s, r):
    """Return the centre of a sphere of B in A's frame."""
    x, y, z = F[SPHERE * s], F[SPHERE * s + 1], F[SPHERE * s + 2]
    return (
        r[0] * x + r[1] * y + r[2] * z + r[9],
        r[3] * x + r[4] * y + r[5] * z + r[10],
        r[6] * x + r[7] * y + r[8] * z + r[11],
    )


@kernel(inline=True, boundscheck=False)
def rounding_of(numbers, r):
    """Return an error bound of the distance of two centres [m]."""
    between = math.sqrt(r[9] * r[9] + r[10] * r[10] + r[11] * r[11])
    return ROUNDING_SPHERES * (numbers[EXTENT_A] + numbers[EXTENT_B] + between)


@kernel(inline=True, boundscheck=False)
def _meets(FA, a, FB, b, x, y, z, widened):
    """Return whether sphere a of A and sphere b of B, centre at (x, y, z), overlap or touch when widened."""
    x, y, z = x - FA[SPHERE * a], y - FA[SPHERE * a + 1], z - FA[SPHERE * a + 2]
    reach = FA[SPHERE * a + 3] + FB[SPHERE * b + 3] + widened
    return x * x + y * y + z * z <= reach * reach


@kernel(inline=True, boundscheck=False)
def _record(state, options, trace, pose, group, rank_a, a, rank_b, b, met):
    """Count a test, and store it if there is space."""
    state[TESTS + rank_a * options[RANKS_B] + rank_b] += 1
    at = TEST * state[N_TESTS]
    if at < trace.shape[0]:
        trace[at], trace[at + 1], trace[at + 2], trace[at + 3], trace[at + 4] = pose, group, a, b, met
    state[N_TESTS] += 1


@kernel(boundscheck=False)
def _search_pose(FA, IA, FB, IB, pose, r, numbers, options, state, frames, marks, centers, hits, trace):
    """Search at one pose; return the number of hits, or ROOTS_APART.

    A frame of the stack is two lists with pending pairs, in the order of the source; so a stack holds at most the
    children of one sphere of each rank, and no pair is stored. Marks are entries of these lists: they belong to the
    pair that is opened.

    The smallest spheres are compared with twice the rounding, all others with four times: hits of the former are within
    the reach of all spheres above them, so no pair of them is lost during descent.
    """
    rounding = rounding_of(numbers, r)
    at_leaves, above = numbers[MARGIN] + 2.0 * rounding, numbers[MARGIN] + 4.0 * rounding
    last_a, last_b = options[RANKS_A] - 1, options[RANKS_B] - 1
    found, groups, depth = 0, 1, 1
    marks[0], marks[1] = 0, 0
    centers[0], centers[1], centers[2] = moved(FB, 0, r)
    frames[RANK_A], frames[RANK_B], frames[AT_A], frames[AT_B] = 0, 0, 1, 0
    frames[COUNT_A], frames[COUNT_B], frames[NEXT], frames[GROUP] = 1, 1, 0, 1
    while depth > 0:
        f = FRAME * (depth - 1)
        k = frames[f + NEXT]
        if k == frames[f + COUNT_A] * frames[f + COUNT_B]:
            depth -= 1
            continue
        frames[f + NEXT] = k + 1
        rank_a, rank_b, group = frames[f + RANK_A], frames[f + RANK_B], frames[f + GROUP]
        at = frames[f + AT_B] + k % frames[f + COUNT_B]
        a, b = marks[frames[f + AT_A] + k // frames[f + COUNT_B]], marks[at]
        x, y, z = centers[3 * at], centers[3 * at + 1], centers[3 * at + 2]
        leaves = rank_a == last_a and rank_b == last_b
        met = _meets(FA, a, FB, b, x, y, z, at_leaves if leaves else above)
        _record(state, options, trace, pose, group, rank_a, a, rank_b, b, met)
        if not met:
            if rank_a == 0 and rank_b == 0:
                return ROOTS_APART
            continue
        if leaves:
            at = HIT * state[N_HITS]
            if at < hits.shape[0]:
                hits[at], hits[at + 1], hits[at + 2] = pose, a, b
            state[N_HITS] += 1
            found += 1
            if not options[FIND_ALL]:
                return found
            continue
        marking = options[WITH_MARKS] and rank_a < last_a and rank_b < last_b
        at_b, n_b = frames[f + AT_A] + frames[f + COUNT_A], 0
        if rank_b < last_b:
            if marking:
                groups += 1
            for s in range(IB[b], IB[b + 1]):
                u, v, w = moved(FB, s, r)
                if marking:
                    met = _meets(FA, a, FB, s, u, v, w, above)
                    _record(state, options, trace, pose, groups, rank_a, a, rank_b + 1, s, met)
                    if not met:
                        continue
                marks[at_b + n_b] = s
                centers[3 * (at_b + n_b)], centers[3 * (at_b + n_b) + 1] = u, v
                centers[3 * (at_b + n_b) + 2] = w
                n_b += 1
            if n_b == 0:
                continue
        else:
            marks[at_b], n_b = b, 1
            centers[3 * at_b], centers[3 * at_b + 1], centers[3 * at_b + 2] = x, y, z
        at_a, n_a = at_b + n_b, 0
        if rank_a < last_a:
            if marking:
                groups += 1
            for s in range(IA[a], IA[a + 1]):
                if marking:
                    met = _meets(FA, s, FB, b, x, y, z, above)
                    _record(state, options, trace, pose, groups, rank_a + 1, s, rank_b, b, met)
                    if not met:
                        continue
                marks[at_a + n_a] = s
                n_a += 1
            if n_a == 0:
                continue
        else:
            marks[at_a], n_a = a, 1
        groups += 1
        f += FRAME
        depth += 1
        frames[f + RANK_A], frames[f + RANK_B] = min(rank_a + 1, last_a), min(rank_b + 1, last_b)
        frames[f + AT_A], frames[f + AT_B], frames[f + COUNT_A], frames[f + COUNT_B] = at_a, at_b, n_a, n_b
        frames[f + NEXT], frames[f + GROUP] = 0, groups
    return found


@kernel(
    "void(float64[::1], int32[::1], float64[::1], int32[::1], float64[:,:,::1], float64[:,:,::1], float64[::1],"
    " int64[::1], int64[::1], int64[::1], int32[::1], float64[::1], int64[::1], int64[::1], int64[::1])",
    boundscheck=False,
)
def search(FA, IA, FB, IB, X_WA, X_WB, numbers, options, state, frames, marks, centers, found, hits, trace):
    """Search two trees at each pose from options[FIRST_POSE] to before options[LAST_POSE].

    Hits and tests that do not fit into their arrays are still counted, so that a second call with larger arrays has
    them all.

    Args:
        FA, IA: Tree A: spheres and children; FB, IB: tree B.
        X_WA, X_WB: Checked rigid poses; one on a side is repeated.
        numbers, options, state: See above; the state is added to.
        frames: Scratch, FRAME entries for each rank of both trees and one more.
        marks, centers: Scratch, and three times as many entries: the most children of a sphere of each rank, of both
            trees, and two more for each rank, for the sphere that stays when one side is at its lowest rank.
        found: How many hits each pose has, or ROOTS_APART.
        hits, trace: HIT entries for each hit, TEST entries for each test; may be empty.
    """
    one_a, one_b = X_WA.shape[0] == 1, X_WB.shape[0] == 1
    for pose in range(options[FIRST_POSE], options[LAST_POSE]):
        r = relative_matrix(X_WA, 0 if one_a else pose, X_WB, 0 if one_b else pose)
        found[pose] = _search_pose(
            FA, IA, FB, IB, pose, r, numbers, options, state, frames, marks, centers, hits, trace
        )


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
