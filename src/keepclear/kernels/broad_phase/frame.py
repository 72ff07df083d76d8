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

import numpy as np

from keepclear.compiler.kernel import kernel
from keepclear.kernels.broad_phase.tree import LEAF, fill_tree
from keepclear.kernels.convex.epa import penetration_many
from keepclear.kernels.convex.gjk import LOWER, MEMORY, ROW, SEPARATE, STATE, TOUCHING, UPPER, distance_one
from keepclear.kernels.tables.record import record

FRAME_PAIR = record(
    ("row", np.float64, (ROW + MEMORY,)),  # result and memory of the search
    ("known", np.float64),  # lower bound at the last query [m]
    ("stamp", np.float64),  # odometers of both bodies then [m]
    ("asked", np.int64),  # whether there was one
    ("key", np.int64),  # a n + b, with the number n of bodies
)
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
def _advance(X, X_last, body, g, far, boxes):
    """Write the box around a body, add its motion to its odometer, and store its pose.

    The box is enlarged by the body's share of the distance that its pairs must keep; it is never too small. The shares
    of two bodies add up to at least the limit of their pair: half of `far` each, or the body's own margin.

    A point p within r of the centre c is moved by D p + d = (D c + d) + D (p - c). D is a difference of two rotations:
    two of its singular values are equal and the third is 0, so that the largest is its Frobenius norm over sqrt 2.
    """
    cx, cy, cz = body.center[0], body.center[1], body.center[2]
    hx, hy, hz = body.half[0], body.half[1], body.half[2]
    radius = body.radius
    share = (0.5 * far if body.reach <= far else body.reach) + body.travel
    size = abs(cx) + abs(cy) + abs(cz) + radius
    shift, turn, terms = 0.0, 0.0, 0.0
    for i in range(3):
        u, v, w = X[g, i, 0], X[g, i, 1], X[g, i, 2]
        p, q = X[g, i, 3], X_last[g, i, 3]
        half = min(abs(u) * hx + abs(v) * hy + abs(w) * hz, radius) + share
        half += ROUNDING * (abs(p) + size + half) + body.slack
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
        body.odometer += moved + LAST_DIGIT * body.odometer


@kernel(inline=True, boundscheck=False)
def _limits(frame, rules, special_margins, A, B):
    """Return whether a pair of bodies is checked, its margin, and the distance beyond which it is not reported."""
    key, at = A.owner * frame.items + B.owner, 0
    if frame.excluded > 0 and _find(rules, at, frame.excluded, key) >= 0:
        return False, 0.0, 0.0
    at += frame.excluded
    if frame.selected >= 0:
        if _find(rules, at, frame.selected, key) < 0:
            return False, 0.0, 0.0
        at += frame.selected
    margin = max(A.margin, B.margin)
    if frame.special > 0:
        found = _find(rules, at, frame.special, key)
        if found >= 0:
            margin = special_margins[found - at]
    return True, margin, max(frame.far, (margin + (A.travel + B.travel)) * (1.0 + ROUNDING))


@kernel(inline=True, boundscheck=False)
def _is_apart(X, bodies, a, b, limit):
    """Return whether the balls around two bodies are farther apart than a limit, including rounding."""
    A, B = bodies[a], bodies[b]
    square, terms = 0.0, 0.0
    for i in range(3):
        d = X[a, i, 3] - X[b, i, 3]
        terms += abs(X[a, i, 3]) + abs(X[b, i, 3])
        for j in range(3):
            u, v = X[a, i, j] * A.center[j], X[b, i, j] * B.center[j]
            d += u - v
            terms += abs(u) + abs(v)
        square += d * d
    reach = limit + A.radius + B.radius + A.slack + B.slack
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
def _join_leaves(first, i, second, j, second_nodes, is_same, boxes, bodies, pairs, found):
    """Write the pairs of bodies of two leaves whose boxes overlap, up to the capacity; return how many there are.

    Bodies of one item, or of one group, do not form a pair.
    """
    for k in range(LEAF * i, min(LEAF * i + LEAF, first.shape[0])):
        a = first[k]
        if not _overlap(boxes, a, second_nodes, second_nodes.shape[0] // 2 + j):
            continue
        for m in range(k + 1 if is_same else LEAF * j, min(LEAF * j + LEAF, second.shape[0])):
            b = second[m]
            if (
                _overlap(boxes, a, boxes, b)
                and bodies[a].group != bodies[b].group
                and bodies[a].owner != bodies[b].owner
            ):
                if found < pairs.shape[0]:
                    pairs[found, 0], pairs[found, 1] = min(a, b), max(a, b)
                found += 1
    return found


@kernel(boundscheck=False)
def _join_trees(first, first_nodes, second, second_nodes, is_same, boxes, bodies, stack, pairs, found):
    """Write the pairs of bodies of two trees whose boxes overlap, up to the capacity; return how many there are.

    Each leaf of the first tree is compared with the second tree from its root: four bodies at a time cost half as much
    as one by one. If both are the same tree, earlier leaves are skipped: they were compared already.

    Args:
        first, first_nodes: The bodies of the first tree in its order, and its nodes; see `tree.fill_tree`.
        second, second_nodes: The same of the second.
        is_same: Whether both are one tree.
        boxes, bodies, pairs: As for `near_contacts`.
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
                found = _join_leaves(first, i, second, j, second_nodes, is_own, boxes, bodies, pairs, found)
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
def _begin_pair(pair, key):
    """Clear the memory of a new pair."""
    for c in range(ROW + MEMORY):
        pair.row[c] = 0.0
    pair.row[ROW + 1], pair.row[ROW + 2] = -1.0, -1.0
    pair.known, pair.stamp, pair.asked, pair.key = 0.0, 0.0, 0, key


@kernel(boundscheck=False)
def _ask(F, L, bodies, X, a, b, pair):
    """Query the distance of two bodies from their last simplex; write the row, with rounding of poses and proof."""
    A, B, row = bodies[a], bodies[b], pair.row[:]
    FA, IA = F[A.reals[0] : A.reals[1]], L[A.links[0] : A.links[1]]
    FB, IB = F[B.reals[0] : B.reals[1]], L[B.links[0] : B.links[1]]
    ended = distance_one(FA, IA, FB, IB, X[a], X[b], row, True)
    if ended < 0:
        return False
    if ended > 0 and A.hull == 0 and B.hull == 0:
        penetration_many(FA, IA, FB, IB, X[a : a + 1], X[b : b + 1], row[:ROW])
    slack = A.slack + B.slack
    row[LOWER] -= slack
    row[UPPER] += slack
    if row[STATE] == SEPARATE and not row[LOWER] > 0.0:
        row[STATE] = TOUCHING
    # harmless (A.odometer): with a smaller stamp, a query is due sooner
    # harmless (B.odometer): likewise
    pair.known, pair.stamp = row[LOWER], A.odometer + B.odometer
    pair.asked = 1
    return True


@kernel(
    "int64(float64[::1], int32[::1], FRAME_BODY[::1], float64[:,:,::1], float64[:,:,::1], int64[::1], float64[::1],"
    " int64[::1], int64[::1], float64[:,::1], int64[::1], float64[:,::1], float64[:,::1], int64[:,::1], int64[::1],"
    " int64[::1], FRAME_PAIR[::1], FRAME_PAIR[::1], NEAR_PAIR[::1], float64[:,::1], FRAME[::1])",
    boundscheck=False,
)
def near_contacts(
    F, L, bodies, X, X_last, rules, special_margins, stack, moving, moving_nodes, still, still_nodes, boxes, pairs,
    starts, keys, old, new, reported, results, frames,
):  # fmt: skip
    """Write the pairs of bodies that are near in this frame, in the order of their numbers; return a status.

    Args:
        F, L: All convex shapes, concatenated.
        bodies: (n,) bodies; odometers are kept here.
        X: (n, 4, 4) their poses, rigid.
        X_last: (n, 4, 4) their poses in the last frame; receives those of this one.
        rules: Keys of rules, see FRAME.
        special_margins: Margins of the pairs that have a special one.
        stack: (STACK,) scratch.
        moving, moving_nodes: The bodies that move, in the order of a space-filling curve, and the nodes of their tree.
        still, still_nodes: The same for those that rest; their tree is filled again with `renew`.
        boxes: (n, 6) boxes of all bodies; those at rest are kept here.
        pairs, keys: (capacity, 2), (capacity,) scratch.
        starts: (n + 1,) scratch.
        old: (capacity,) pairs of the last frame, sorted.
        new: (capacity,) receives those of this frame.
        reported: (capacity,) receives the pairs that are near, or may have been since the last frame.
        results: (capacity, ROW) receives their results.
        frames: (1,) the frame.

    Returns:
        0; 1 where the capacity is too small (`needed` has the capacity needed, and nothing is lost); 2 for a pose that
        is not rigid; 3 for arrays that are too small.
    """
    n, capacity, frame = bodies.shape[0], pairs.shape[0], frames[0]
    if (
        min(X.shape[0], X_last.shape[0], boxes.shape[0]) < n
        or min(keys.shape[0], new.shape[0], reported.shape[0], results.shape[0]) < capacity
        or old.shape[0] < frame.kept
        or moving_nodes.shape[0] // 2 * LEAF < moving.shape[0]
        or still_nodes.shape[0] // 2 * LEAF < still.shape[0]
        or starts.shape[0] <= n
        or stack.shape[0] < STACK
    ):
        return 3
    far = frame.far
    for m in range(moving.shape[0]):
        _advance(X, X_last, bodies[moving[m]], moving[m], far, boxes)
    if frame.renew != 0:
        for m in range(still.shape[0]):
            _advance(X, X_last, bodies[still[m]], still[m], far, boxes)
        if still.shape[0] > 0:
            fill_tree(boxes, still, still_nodes)
    found = 0
    if moving.shape[0] > 0:
        fill_tree(boxes, moving, moving_nodes)
        found = _join_trees(
            moving, moving_nodes, moving, moving_nodes, True, boxes, bodies, stack, pairs, found
        )
        if still.shape[0] > 0:
            found = _join_trees(
                moving, moving_nodes, still, still_nodes, False, boxes, bodies, stack, pairs, found
            )
    frame.needed = found
    if found > capacity:
        return 1
    kept = 0
    for k in range(found):
        a, b = pairs[k, 0], pairs[k, 1]
        checked, _, limit = _limits(frame, rules, special_margins, bodies[a], bodies[b])
        if checked and not _is_apart(X, bodies, a, b, limit):
            pairs[kept, 0], pairs[kept, 1] = a, b
            kept += 1
    _sort_pairs(pairs, kept, n, starts, keys)
    last, n_near = 0, 0
    for k in range(kept):
        key = keys[k]
        a, b = key // n, key % n
        A, B, pair = bodies[a], bodies[b], new[k]
        while last < frame.kept and old[last].key < key:
            last += 1
        if last < frame.kept and old[last].key == key:
            new[k] = old[last]
        else:
            _begin_pair(pair, key)
        _, margin, limit = _limits(frame, rules, special_margins, A, B)
        moved = A.odometer + B.odometer
        if pair.asked != 0:
            since = moved - pair.stamp + 4.0 * (A.slack + B.slack)
            if pair.known - since - ROUNDING * (moved + abs(pair.known)) > limit:
                continue
        if not _ask(F, L, bodies, X, a, b, pair):
            return 2
        lower = pair.row[LOWER]
        if lower > limit:
            continue
        near = reported[n_near]
        near.a, near.b, near.mesh = a, b, 1 if A.hull != 0 or B.hull != 0 else 0
        # harmless (ROUNDING): the sum rounds by 2 u; lower allows 64 u of the scene for errors of 58 u
        near.open = 1 if not lower > (margin + (A.travel + B.travel)) * (1.0 + ROUNDING) else 0
        for c in range(ROW):
            results[n_near, c] = pair.row[c]
        # harmless (margin): within its margin, a pair is open
        if lower <= max(far, margin) or near.mesh != 0 or near.open != 0:
            n_near += 1
    frame.kept, frame.reported, frame.renew = kept, n_near, 0
    return 0
