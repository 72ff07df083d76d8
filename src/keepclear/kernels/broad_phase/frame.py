"""Near pairs of one frame: boxes, overlapping pairs by trees, rules, and distances that start from the last frame.

One call answers a frame. Each pair keeps a row: the result of its last distance query and the simplex that it ended
with (`kernels.convex.gjk`), the lower bound that it proved, and how far both bodies had moved by then. While they have
not moved far enough since to come within the limit, there is no query. Rows are copied into the order of the frame's
pairs, because reading them in their old order takes twice as long.

Distances are those of the entry points of `gjk` and `epa`, which this kernel is linked with: it contains no copy of
them.
"""

from __future__ import annotations

import math

from keepclear.kernels._compile import kernel
from keepclear.kernels.broad_phase.tree import LEAF, fill_tree
from keepclear.kernels.convex.epa import penetration_many
from keepclear.kernels.convex.gjk import (
    LOWER,
    MEMORY,
    ROW,
    SEPARATE,
    STATE,
    TOUCHING,
    UPPER,
    distance_one,
)

# Integers of a body: ranges of its convex shape in the joined arrays, and whether that is only a hull around a mesh.
F_BEGIN, F_END, L_BEGIN, L_END, IS_HULL, GEOM = 0, 1, 2, 3, 4, 5
# Floats of a body: ball and box around it in its frame (7), margin of its item, the largest margin of its pairs, how
# far rounding and deformation may move a point of it, the greatest path length of its points since the last frame, and
# how far any point has moved in all frames together [m].
AROUND, MARGIN, REACH, SLACK, TRAVEL, ODOMETER, BODY = 0, 7, 8, 9, 10, 11, 12
# A row of a pair: result, memory of the search, lower bound and odometers at the last query, whether there was one.
KNOWN, STAMP, WAS_ASKED, PAIR = ROW + MEMORY, ROW + MEMORY + 1, ROW + MEMORY + 2, ROW + MEMORY + 3
# Rules: the number of items, how many keys follow of pairs that are excluded, selected (-1: all pairs are) and have a
# special margin; then the keys, each list sorted, i n + j for items i < j.
N_ITEMS, N_EXCLUDED, N_SELECTED, N_SPECIAL, KEYS = 0, 1, 2, 3, 4
# A reported pair: bodies A and B, whether a mesh has to be searched, and whether contact since the last frame is
# undecided.
IS_MESH, IS_OPEN, REPORTED = 2, 3, 4
# Counts: rows of the last frame (in), rows of this frame, reported pairs, and the capacity that pairs need.
N_OLD, N_NEW, N_REPORTED, N_NEEDED, COUNTS = 0, 1, 2, 3, 4
# Error of sums of less than twenty products, relative to the sum of their absolute values: at least ten times their
# rounding.
ROUNDING = 1e-14
HALF_ROOT = math.sqrt(0.5)
LAST_DIGIT = 2.0**-52  # without it, an odometer would lose steps below half of its last digit
STACK = 256  # a path has fewer than 64 nodes, each of which leaves one entry of two numbers


@kernel(inline=True, boundscheck=False)
def _find(keys, begin, count, key):
    """Return the position of a key in a sorted range, or -1."""
    low, high = begin, begin + count
    while low < high:
        middle = (low + high) // 2
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low if low < begin + count and keys[low] == key else -1


@kernel(inline=True, boundscheck=False)
def _advance(X, X_last, S, g, far, boxes):
    """Write the box around a body, add its motion to its odometer, and store its pose.

    The box is enlarged by the body's share of the distance that its pairs must keep; it is never too small. The shares
    of two bodies add up to at least the limit of their pair: half of `far` each, or the body's own margin.

    A point p within r of the centre c is moved by D p + d = (D c + d) + D (p - c). D is a difference of two rotations:
    two of its singular values are equal and the third is 0, so that the largest is its Frobenius norm over sqrt 2.
    """
    cx, cy, cz = S[g, AROUND], S[g, AROUND + 1], S[g, AROUND + 2]
    hx, hy, hz = S[g, AROUND + 4], S[g, AROUND + 5], S[g, AROUND + 6]
    radius = S[g, AROUND + 3]
    share = (0.5 * far if S[g, REACH] <= far else S[g, REACH]) + S[g, TRAVEL]
    size = abs(cx) + abs(cy) + abs(cz) + radius
    shift, turn, terms = 0.0, 0.0, 0.0
    for i in range(3):
        u, v, w = X[g, i, 0], X[g, i, 1], X[g, i, 2]
        p, q = X[g, i, 3], X_last[g, i, 3]
        half = min(abs(u) * hx + abs(v) * hy + abs(w) * hz, radius) + share
        half += ROUNDING * (abs(p) + size + half) + S[g, SLACK]
        center = p + (u * cx + v * cy + w * cz)
        boxes[g, i], boxes[g, 3 + i] = center - half, center + half
        x, y, z = u - X_last[g, i, 0], v - X_last[g, i, 1], w - X_last[g, i, 2]
        d = p - q + (x * cx + y * cy + z * cz)
        shift += d * d
        turn += x * x + y * y + z * z
        terms += abs(p) + abs(q)
        X_last[g, i, 0], X_last[g, i, 1], X_last[g, i, 2] = u, v, w
        X_last[g, i, 3] = p
    if shift != 0.0 or turn != 0.0:
        moved = math.sqrt(shift) + HALF_ROOT * math.sqrt(turn) * radius
        # harmless (ROUNDING): it is at most terms + 2 size, whose part is added
        moved = moved * (1.0 + ROUNDING) + ROUNDING * (terms + size)
        S[g, ODOMETER] += moved + LAST_DIGIT * S[g, ODOMETER]


@kernel(inline=True, boundscheck=False)
def _limits(rules, special_margins, S, i, j, a, b, far):
    """Return whether a pair of items is checked, its margin, and the distance beyond which it is not reported."""
    key, at = i * rules[N_ITEMS] + j, KEYS
    if rules[N_EXCLUDED] > 0 and _find(rules, at, rules[N_EXCLUDED], key) >= 0:
        return False, 0.0, 0.0
    at += rules[N_EXCLUDED]
    if rules[N_SELECTED] >= 0:
        if _find(rules, at, rules[N_SELECTED], key) < 0:
            return False, 0.0, 0.0
        at += rules[N_SELECTED]
    margin = max(S[a, MARGIN], S[b, MARGIN])
    if rules[N_SPECIAL] > 0:
        found = _find(rules, at, rules[N_SPECIAL], key)
        if found >= 0:
            margin = special_margins[found - at]
    return True, margin, max(far, (margin + (S[a, TRAVEL] + S[b, TRAVEL])) * (1.0 + ROUNDING))


@kernel(inline=True, boundscheck=False)
def _is_apart(X, S, a, b, limit):
    """Return whether the balls around two bodies are farther apart than a limit, including rounding."""
    square, terms = 0.0, 0.0
    for i in range(3):
        d = X[a, i, 3] - X[b, i, 3]
        terms += abs(X[a, i, 3]) + abs(X[b, i, 3])
        for j in range(3):
            u, v = X[a, i, j] * S[a, AROUND + j], X[b, i, j] * S[b, AROUND + j]
            d += u - v
            terms += abs(u) + abs(v)
        square += d * d
    reach = limit + S[a, AROUND + 3] + S[b, AROUND + 3] + S[a, SLACK] + S[b, SLACK]
    # harmless (reach): where it decides, it is about the distance, which is at most terms
    reach += ROUNDING * (terms + reach)
    return square > reach * reach


@kernel(inline=True, boundscheck=False)
def _overlap(A, a, B, b):
    """Return whether two boxes overlap; without branches, because unpredictable ones cost more."""
    return (
        (A[a, 0] <= B[b, 3])
        & (B[b, 0] <= A[a, 3])
        & (A[a, 1] <= B[b, 4])
        & (B[b, 1] <= A[a, 4])
        & (A[a, 2] <= B[b, 5])
        & (B[b, 2] <= A[a, 5])
    )


@kernel(inline=True, boundscheck=False)
def _join_leaves(first, i, second, j, second_nodes, is_same, boxes, keys, pairs, found):
    """Write the pairs of bodies of two leaves whose boxes overlap, up to the capacity; return how many there are.

    Bodies of one item, or of one class, do not form a pair.
    """
    for k in range(LEAF * i, min(LEAF * i + LEAF, first.shape[0])):
        a = first[k]
        if not _overlap(boxes, a, second_nodes, second_nodes.shape[0] // 2 + j):
            continue
        for m in range(k + 1 if is_same else LEAF * j, min(LEAF * j + LEAF, second.shape[0])):
            b = second[m]
            if _overlap(boxes, a, boxes, b) and keys[a, 1] != keys[b, 1] and keys[a, 0] != keys[b, 0]:
                if found < pairs.shape[0]:
                    pairs[found, 0], pairs[found, 1] = min(a, b), max(a, b)
                found += 1
    return found


@kernel(boundscheck=False)
def _join_trees(first, first_nodes, second, second_nodes, is_same, boxes, keys, stack, pairs, found):
    """Write the pairs of bodies of two trees whose boxes overlap, up to the capacity; return how many there are.

    Each leaf of the first tree is compared with the second tree from its root: four bodies at a time cost half as much
    as one by one. If both are the same tree, earlier leaves are skipped: they were compared already.

    Args:
        first, first_nodes: The bodies of the first tree in its order, and its nodes; see `tree.fill_tree`.
        second, second_nodes: The same of the second.
        is_same: Whether both are one tree.
        boxes, keys, pairs: As for `near_contacts`.
        stack: (STACK,) scratch: nodes, and how many levels are below them.
        found: How many pairs there are already.
    """
    leaves, others, height = first_nodes.shape[0] // 2, second_nodes.shape[0] // 2, 0
    while 1 << height < others:
        height += 1
    for i in range(leaves):
        stack[0], stack[1], depth = 1, height, 2
        while depth > 0:
            depth -= 2
            node, level = stack[depth], stack[depth + 1]
            if is_same and ((node + 1) << level) - 1 - others < i:
                continue
            if not _overlap(first_nodes, leaves + i, second_nodes, node):
                continue
            if level > 0:
                stack[depth], stack[depth + 1] = 2 * node + 1, level - 1
                stack[depth + 2], stack[depth + 3] = 2 * node, level - 1
                depth += 4
            else:
                j = node - others
                is_own = is_same and i == j
                found = _join_leaves(first, i, second, j, second_nodes, is_own, boxes, keys, pairs, found)
    return found


@kernel(boundscheck=False)
def _sort_pairs(pairs, count, n, starts, keys):
    """Write the keys a n + b of pairs (a, b) in ascending order: a counting sort by a, then each run by b."""
    for g in range(n + 1):
        starts[g] = 0
    for k in range(count):
        starts[pairs[k, 0] + 1] += 1
    for g in range(n):
        starts[g + 1] += starts[g]
    for k in range(count):
        a = pairs[k, 0]
        keys[starts[a]] = a * n + pairs[k, 1]
        starts[a] += 1
    for k in range(1, count):
        key, at = keys[k], k
        while at > 0 and keys[at - 1] > key:  # within its run: keys of runs before are smaller
            keys[at] = keys[at - 1]
            at -= 1
        keys[at] = key


@kernel(boundscheck=False)
def _begin_row(rows, k):
    """Clear the memory of a new pair."""
    for c in range(PAIR):
        rows[k, c] = 0.0
    rows[k, ROW + 1], rows[k, ROW + 2] = -1.0, -1.0


@kernel(boundscheck=False)
def _ask(F, L, G, X, S, a, b, rows, k):
    """Query the distance of two bodies from their last simplex; write row k, with rounding of poses and proof."""
    FA, IA = F[G[a, F_BEGIN] : G[a, F_END]], L[G[a, L_BEGIN] : G[a, L_END]]
    FB, IB = F[G[b, F_BEGIN] : G[b, F_END]], L[G[b, L_BEGIN] : G[b, L_END]]
    ended = distance_one(FA, IA, FB, IB, X[a], X[b], rows[k], True)
    if ended < 0:
        return False
    if ended > 0 and G[a, IS_HULL] == 0 and G[b, IS_HULL] == 0:
        penetration_many(FA, IA, FB, IB, X[a : a + 1], X[b : b + 1], rows[k, :ROW])
    slack = S[a, SLACK] + S[b, SLACK]
    rows[k, LOWER] -= slack
    rows[k, UPPER] += slack
    if rows[k, STATE] == SEPARATE and not rows[k, LOWER] > 0.0:
        rows[k, STATE] = TOUCHING
    # harmless (S[a, ODOMETER]): with a smaller stamp, a query is due sooner
    # harmless (S[b, ODOMETER]): likewise
    rows[k, KNOWN], rows[k, STAMP] = rows[k, LOWER], S[a, ODOMETER] + S[b, ODOMETER]
    rows[k, WAS_ASKED] = 1.0
    return True


@kernel(
    "int64(float64[::1], int32[::1], int64[:,::1], int64[:,::1], float64[:,:,::1], float64[:,:,::1], float64[:,::1],"
    " int64[::1], float64[::1], int64[::1], int64[::1], float64[:,::1], int64[::1], float64[:,::1],"
    " float64[:,::1], int64[:,::1], int64[::1], int64[::1], float64[:,::1], int64[::1], float64[:,::1],"
    " int64[:,::1], float64[:,::1], int64[::1], float64, boolean)",
    boundscheck=False,
)
def near_contacts(
    F, L, G, keys, X, X_last, S, rules, special_margins, stack, moving, moving_nodes, still, still_nodes,
    boxes, pairs, starts, old_keys, old_rows, new_keys, new_rows, reported, results, counts, far, renew,
):  # fmt: skip
    """Write the pairs of bodies that are near in this frame, in the order of their numbers; return a status.

    Args:
        F, L: All convex shapes, concatenated.
        G: (n, GEOM) integers of the bodies.
        keys: (n, 2) item and class of each body: items of one class never move relative to each other.
        X: (n, 4, 4) their poses, rigid.
        X_last: (n, 4, 4) their poses in the last frame; receives those of this one.
        S: (n, BODY) floats of the bodies; odometers are kept here.
        rules: See N_ITEMS.
        special_margins: Margins of the pairs that have a special one.
        stack: (STACK,) scratch.
        moving, moving_nodes: The bodies that move, in the order of a space-filling curve, and the nodes of their tree.
        still, still_nodes: The same for those that rest; their tree is filled again with `renew`.
        boxes: (n, 6) boxes of all bodies; those at rest are kept here.
        pairs: (capacity, 2) scratch.
        starts: (n + 1,) scratch.
        old_keys, old_rows: (capacity,), (capacity, PAIR) pairs of the last frame, sorted, and their rows.
        new_keys, new_rows: Receive those of this frame.
        reported: (capacity, REPORTED) receives the pairs that are near, or may have been since the last frame.
        results: (capacity, ROW) receives their results.
        counts: (COUNTS,) see there.
        far: Distance up to which pairs are near, if that is more than their margin [m].
        renew: Whether boxes of bodies at rest are out of date, because `far` or the bodies changed.

    Returns:
        0; 1 where the capacity is too small (`counts` has the capacity needed, and nothing is lost); 2 for a pose that
        is not rigid; 3 for arrays that are too small.
    """
    n, capacity = G.shape[0], pairs.shape[0]
    if (
        min(keys.shape[0], X.shape[0], X_last.shape[0], S.shape[0], boxes.shape[0]) < n
        or min(new_keys.shape[0], new_rows.shape[0], reported.shape[0], results.shape[0]) < capacity
        or min(old_keys.shape[0], old_rows.shape[0]) < counts[N_OLD]
        or moving_nodes.shape[0] // 2 * LEAF < moving.shape[0]
        or still_nodes.shape[0] // 2 * LEAF < still.shape[0]
        or starts.shape[0] <= n
        or stack.shape[0] < STACK
    ):
        return 3
    counts[N_NEW], counts[N_REPORTED] = 0, 0
    for m in range(moving.shape[0]):
        _advance(X, X_last, S, moving[m], far, boxes)
    if renew:
        for m in range(still.shape[0]):
            _advance(X, X_last, S, still[m], far, boxes)
        if still.shape[0] > 0:
            fill_tree(boxes, still, still_nodes)
    found = 0
    if moving.shape[0] > 0:
        fill_tree(boxes, moving, moving_nodes)
        found = _join_trees(
            moving, moving_nodes, moving, moving_nodes, True, boxes, keys, stack, pairs, found
        )
        if still.shape[0] > 0:
            found = _join_trees(
                moving, moving_nodes, still, still_nodes, False, boxes, keys, stack, pairs, found
            )
    counts[N_NEEDED] = found
    if found > capacity:
        return 1
    kept = 0
    for k in range(found):
        a, b = pairs[k, 0], pairs[k, 1]
        checked, _, limit = _limits(rules, special_margins, S, keys[a, 0], keys[b, 0], a, b, far)
        if checked and not _is_apart(X, S, a, b, limit):
            pairs[kept, 0], pairs[kept, 1] = a, b
            kept += 1
    _sort_pairs(pairs, kept, n, starts, new_keys)
    old, n_near = 0, 0
    for k in range(kept):
        key = new_keys[k]
        a, b = key // n, key % n
        while old < counts[N_OLD] and old_keys[old] < key:
            old += 1
        if old < counts[N_OLD] and old_keys[old] == key:
            for c in range(PAIR):
                new_rows[k, c] = old_rows[old, c]
        else:
            _begin_row(new_rows, k)
        _, margin, limit = _limits(rules, special_margins, S, keys[a, 0], keys[b, 0], a, b, far)
        moved = S[a, ODOMETER] + S[b, ODOMETER]
        if new_rows[k, WAS_ASKED] != 0.0:
            since = moved - new_rows[k, STAMP] + 4.0 * (S[a, SLACK] + S[b, SLACK])
            if new_rows[k, KNOWN] - since - ROUNDING * (moved + abs(new_rows[k, KNOWN])) > limit:
                continue
        if not _ask(F, L, G, X, S, a, b, new_rows, k):
            return 2
        lower = new_rows[k, LOWER]
        if lower > limit:
            continue
        reported[n_near, 0], reported[n_near, 1] = a, b
        reported[n_near, IS_MESH] = 1 if G[a, IS_HULL] != 0 or G[b, IS_HULL] != 0 else 0
        reported[n_near, IS_OPEN] = (
            # harmless (ROUNDING): the sum rounds by 2 u; lower allows 64 u of the scene for errors of 58 u
            1 if not lower > (margin + (S[a, TRAVEL] + S[b, TRAVEL])) * (1.0 + ROUNDING) else 0
        )
        for c in range(ROW):
            results[n_near, c] = new_rows[k, c]
        # harmless (margin): within its margin, a pair is open
        if lower <= max(far, margin) or reported[n_near, IS_MESH] != 0 or reported[n_near, IS_OPEN] != 0:
            n_near += 1
    counts[N_NEW], counts[N_REPORTED] = kept, n_near
    return 0
