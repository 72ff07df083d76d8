"""Boxes that come near each other: a tree over boxes that are sorted along a space-filling curve.

The tree is a heap: node k has the children 2 k and 2 k + 1, and the leaves contain `LEAF` boxes each, in the order of
their Morton codes. Building it is one sort and one pass; its quality does not depend on similar sizes.
"""

from __future__ import annotations

import numpy as np

from keepclear.compiler.kernel import kernel

LEAF = 4
# Modes of `near_pairs`, as a sum.
DIFFERENT, SAME, ONCE, STOP = 0, 1, 2, 4
DEPTH = 128  # entries of the stack of a search: a path has fewer than 64 nodes, each leaves one entry


@kernel("void(float64[:,::1], float64[::1], float64[::1], int64[::1])")
def morton_codes(boxes, lower, scale, out):
    """Write the Morton codes of the centres of boxes, 20 bits for each axis.

    Args:
        boxes: (n, 6) lower and upper corners.
        lower: (3,) a corner of the box around all centres.
        scale: (3,) factors of lengths so that the centres fill 2**20 cells.
        out: (n,) receives the codes.
    """
    for k in range(boxes.shape[0]):
        code = 0
        for i in range(3):
            x = 0.5 * (boxes[k, i] + boxes[k, 3 + i])
            x = (x - lower[i]) * scale[i]
            cell = int(x) if 0.0 <= x and x < 1048575.0 else (0 if not x > 0.0 else 1048575)
            for bit in range(20):
                code |= ((cell >> bit) & 1) << (3 * bit + i)
        out[k] = code


@kernel("void(float64[:,::1], int64[::1], float64[:,::1])")
def fill_tree(boxes, order, nodes):
    """Write the nodes of a tree over boxes.

    Args:
        boxes: (n, 6).
        order: (n,) the numbers of the boxes, along the curve.
        nodes: (2 leaves, 6), leaves a power of two with LEAF leaves >= n; node 0 is not used.
    """
    leaves = nodes.shape[0] // 2
    for leaf in range(leaves):
        for i in range(3):
            low, high = np.inf, -np.inf
            for k in range(LEAF * leaf, min(LEAF * leaf + LEAF, order.shape[0])):
                low, high = min(low, boxes[order[k], i]), max(high, boxes[order[k], 3 + i])
            nodes[leaves + leaf, i], nodes[leaves + leaf, 3 + i] = low, high
    for node in range(leaves - 1, 0, -1):
        for i in range(3):
            nodes[node, i] = min(nodes[2 * node, i], nodes[2 * node + 1, i])
            nodes[node, 3 + i] = max(nodes[2 * node, 3 + i], nodes[2 * node + 1, 3 + i])


@kernel(inline=True, boundscheck=False)
def _overlap(A, a, B, b):
    return (
        A[a, 0] <= B[b, 3]
        and B[b, 0] <= A[a, 3]
        and A[a, 1] <= B[b, 4]
        and B[b, 1] <= A[a, 4]
        and A[a, 2] <= B[b, 5]
        and B[b, 2] <= A[a, 5]
    )


@kernel(
    "int64(float64[:,::1], int64[::1], int64[::1], float64[:,::1], int64[::1], int64[:,::1], int64,"
    " int64[:,::1])",
    allocates=True,
    boundscheck=False,
)
def near_pairs(nodes, order, members, boxes, queries, keys, mode, out):
    """Write the pairs of bodies whose boxes come near each other; return how many there are.

    Args:
        nodes, order: A tree over the boxes of `members`.
        members: (n,) the bodies in the tree, by number.
        boxes: (bodies, 6) the box of every body, enlarged by its reach, as in the tree.
        queries: (q,) the bodies that are compared with the tree.
        keys: (bodies, 2) the item of each body, and its class: items of one class never move relative to each other.
        mode: DIFFERENT: pairs of different classes; SAME: pairs of one class; with ONCE added, members and queries are
            the same bodies and each pair counts once; with STOP added, the search ends when the capacity is reached.
        out: (capacity, 2) receives the pairs, the smaller number first, up to the capacity.
    """
    stack = np.empty(DEPTH, np.int64)
    leaves, found = nodes.shape[0] // 2, 0
    same, once, stop = mode & 1, mode & 2, mode & 4
    for q in range(queries.shape[0]):
        a = queries[q]
        stack[0] = 1
        depth = 1
        while depth > 0:
            depth -= 1
            node = stack[depth]
            if not _overlap(nodes, node, boxes, a):
                continue
            if node < leaves:
                stack[depth], stack[depth + 1] = 2 * node, 2 * node + 1
                depth += 2
                continue
            first = LEAF * (node - leaves)
            for k in range(first, min(first + LEAF, order.shape[0])):
                b = members[order[k]]
                if (once != 0 and b <= a) or keys[a, 0] == keys[b, 0]:
                    continue
                if (1 if keys[a, 1] == keys[b, 1] else 0) != same or not _overlap(boxes, a, boxes, b):
                    continue
                if found < out.shape[0]:
                    out[found, 0], out[found, 1] = min(a, b), max(a, b)
                found += 1
                if stop != 0 and found > out.shape[0]:
                    return found
    return found


@kernel(inline=True, boundscheck=False)
def _gap_squared(A, a, B, b):
    total = 0.0
    for i in range(3):
        gap = max(A[a, i] - B[b, 3 + i], B[b, i] - A[a, 3 + i])
        if gap > 0.0:
            total += gap * gap
    return total


@kernel(
    "int64(int64[:,::1], float64[::1], float64[:,::1], int64[::1], float64[:,:,::1], int64[:,::1], float64[::1])",
    boundscheck=False,
)
def near_runs(pairs, limits, boxes, column, steps, out, nearest):
    """Write the runs of time steps in which the boxes of pairs are within a limit; return how many there are.

    Args:
        pairs: (n, 2) bodies by number.
        limits: (n,) distances [m].
        boxes: (bodies, 6) the box of each body that rests.
        column: (bodies,) index of a moving body in `steps`, -1 for one that rests.
        steps: (steps, moving, 6) boxes of bodies that move.
        out: (capacity, 4) receives pair, first step, one past the last step, and the step in which they are closest.
        nearest: (n,) receives the least gap over all steps [m].
    """
    found, n_steps = 0, steps.shape[0]
    for k in range(pairs.shape[0]):
        a, b = pairs[k, 0], pairs[k, 1]
        ca, cb = column[a], column[b]
        limit = limits[k] * limits[k]
        begin, best, least, all_least = -1, 0, np.inf, np.inf
        for s in range(n_steps):
            if ca >= 0:
                A, i = steps[s], ca
            else:
                A, i = boxes, a
            if cb >= 0:
                gap = _gap_squared(A, i, steps[s], cb)
            else:
                gap = _gap_squared(A, i, boxes, b)
            all_least = min(all_least, gap)
            if gap <= limit:
                if begin < 0:
                    begin, least = s, np.inf
                if gap < least:
                    best, least = s, gap
            elif begin >= 0:
                if found < out.shape[0]:
                    out[found, 0], out[found, 1], out[found, 2], out[found, 3] = k, begin, s, best
                found += 1
                begin = -1
            if ca < 0 and cb < 0:  # both rest: one step represents all
                break
        if begin >= 0:
            if found < out.shape[0]:
                out[found, 0], out[found, 1], out[found, 2], out[found, 3] = k, begin, n_steps, best
            found += 1
        nearest[k] = np.sqrt(all_least)
    return found
