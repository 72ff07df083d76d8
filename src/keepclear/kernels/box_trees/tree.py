"""Restricted box trees over triangles: two cuts along one axis per node of 12 bytes, built top-down and refitted.

A node is three words in one buffer that kernels access both as int32 and as float32. The first word has a code (kind of
node and axis) and a link; the others hold the amounts that are cut off from the box that the node is given:

- SPLIT: two children, the nodes at the link and after it. The box of the first is cut by word 1 at its upper side along
  the axis, that of the second by word 2 at its lower side.
- TRIM: one child; its box is cut by word 1 at the lower and word 2 at the upper side along the axis.
- LEAF: trimmed in the same way; the link is the triangle.
- SLAB: one child in the same box, whose triangles lie between two parallel planes. Their normal has 1 along the axis
  and two entries of 10 bits along the other two; their offsets have 22 bits.

The root has the box of the surface (origin +- half sizes). Cuts are amounts, not positions, so small boxes keep their
relative precision, and they are rounded down, so boxes are never too small. The last three words of the buffer are not
a node: the first holds the length of the longest path from the root to a leaf.
"""

from __future__ import annotations

import numpy as np

from keepclear.compiler.kernel import kernel
from keepclear.kernels.box_trees.cuts import (
    BOX,
    SLAB_AT,
    SLAB_STEPS,
    SLOPE,
    STACK_AT,
    TIGHT,
    TRIANGLE,
    best_trim,
    describe,
    fit_slab,
    measure,
    split,
    trim_cuts,
)
from keepclear.kernels.tables.surface import N_TRIANGLES, ROOT_HALF

NODE = 3  # words
SPLIT, TRIM, LEAF, SLAB = 0, 1, 2, 3  # kinds; a code is 4 kind + axis
LINK_BITS = 28
MOST_NODES = 1 << LINK_BITS
HIGH = 1 << 31  # words are stored less this, so that they fit a signed integer

# One-child nodes pay where a trim leaves at most this fraction of the area, and where a slab is at most this fraction
# of the box along its normal and the normals within it agree this well. A tree has at most this many per triangle,
# which keeps it below 32 bytes.
TRIM_AREA, SLAB_WIDTH, SLAB_NORMALS, SLAB_TRIANGLES = 0.95, 0.5, 0.6, 3
ONE_CHILD = 0.66
SINGLE_DOWN = 1.0 - 2.0**-22  # rounds a positive number down through the conversion to single precision

PENDING = 11
SCRATCH = STACK_AT + PENDING * 66  # numbers; the stack of nodes is never longer than 2 log2(n)


@kernel(inline=True, boundscheck=False)
def code_and_link(L, node):
    """Return the code and the link of a node."""
    word = np.int64(L[NODE * node]) + HIGH
    return word >> LINK_BITS, word & (MOST_NODES - 1)


@kernel(inline=True, boundscheck=False)
def slab_of(L, node, unit):
    """Return the normal of a slab and the least and greatest product with it, in tree coordinates."""
    code, _ = code_and_link(L, node)
    first, second = np.int64(L[NODE * node + 1]) + HIGH, np.int64(L[NODE * node + 2]) + HIGH
    u, v = SLOPE * ((first & 1023) - 512), SLOPE * ((second & 1023) - 512)
    lower, upper = ((first >> 10) - SLAB_STEPS) * unit, ((second >> 10) - SLAB_STEPS) * unit
    axis = code & 3
    if axis == 0:
        return 1.0, u, v, lower, upper
    if axis == 1:
        return v, 1.0, u, lower, upper
    return u, v, 1.0, lower, upper


@kernel
def _write(N, L, node, kind, axis, link, lower, upper):
    """Write a node; return the two cuts as they were stored, rounded down."""
    L[NODE * node] = ((4 * kind + axis) << LINK_BITS) + np.int64(link) - HIGH
    if kind == SLAB:
        L[NODE * node + 1], L[NODE * node + 2] = np.int64(lower) - HIGH, np.int64(upper) - HIGH
        return 0.0, 0.0
    # A cut below the range of single precision is not worthwhile.
    N[NODE * node + 1] = np.float32(lower * SINGLE_DOWN if lower > 1e-30 else 0.0)
    N[NODE * node + 2] = np.float32(upper * SINGLE_DOWN if upper > 1e-30 else 0.0)
    return np.float64(N[NODE * node + 1]), np.float64(N[NODE * node + 2])


@kernel(inline=True, boundscheck=False)
def _push(W, depth, node, first, last, budget, level):
    """Push a node with the box at W[BOX:] on the stack; return the new depth."""
    at = STACK_AT + PENDING * depth
    W[at], W[at + 1], W[at + 2] = node, first, last
    W[at + 3], W[at + 4] = budget, level
    for k in range(6):
        W[at + 5 + k] = W[BOX + k]
    return depth + 1


@kernel(boundscheck=False)
def _one_child_nodes(S, T, B, order, first, last, N, L, node, n_nodes, budget, W):
    """Write trims and a slab above the triangles first..last-1 where they pay; return the node below, and how many."""
    extra = 0
    slab = last - first >= SLAB_TRIANGLES and budget >= 1.0
    slab = slab and fit_slab(S, T, B, order, first, last, SLAB_NORMALS, W) < SLAB_WIDTH
    for _ in range(3):
        axis, part = best_trim(W)
        if last - first == 1 or part > TRIM_AREA or budget - extra < (2.0 if slab else 1.0):
            break
        lower, upper = trim_cuts(W, axis)
        lower, upper = _write(N, L, node, TRIM, axis, n_nodes + extra, lower, upper)
        W[BOX + axis] += lower
        W[BOX + 3 + axis] -= upper
        node = n_nodes + extra
        extra += 1
    if slab:
        axis = int(W[SLAB_AT])
        _write(N, L, node, SLAB, axis, n_nodes + extra, W[SLAB_AT + 1], W[SLAB_AT + 2])
        node = n_nodes + extra
        extra += 1
    return node, extra


@kernel("int64(float64[::1], int32[::1], int32[::1], float32[::1], int32[::1], float64[::1], float64[::1])")
def build(S, T, order, N, L, B, W):
    """Build the tree over all triangles; return the number of nodes, without the three words after them.

    Args:
        S, T: The surface.
        order: Scratch, one number per triangle.
        N, L: Space for 8/3 n nodes, two views of the same memory.
        B: Scratch, TRIANGLE numbers per triangle.
        W: Scratch, SCRATCH numbers.
    """
    n = int(S[N_TRIANGLES])
    describe(S, T, n, B)
    for k in range(n):
        order[k] = k
    for k in range(3):
        W[BOX + k], W[BOX + 3 + k] = -S[ROOT_HALF + k], S[ROOT_HALF + k]
    n_nodes, deepest = 1, 0
    depth = _push(W, 0, 0, 0, n, ONE_CHILD * n, 1)
    while depth > 0:
        depth -= 1
        at = STACK_AT + PENDING * depth
        node, first, last = int(W[at]), int(W[at + 1]), int(W[at + 2])
        budget, level = W[at + 3], int(W[at + 4])
        for k in range(6):
            W[BOX + k] = W[at + 5 + k]
        measure(B, order, first, last, W)
        node, extra = _one_child_nodes(S, T, B, order, first, last, N, L, node, n_nodes, budget, W)
        n_nodes, budget, level = n_nodes + extra, budget - extra, level + extra
        if last - first == 1:
            axis, _ = best_trim(W)
            lower, upper = trim_cuts(W, axis)
            _write(N, L, node, LEAF, axis, order[first], lower, upper)
            deepest = max(deepest, level)
            continue
        axis, middle, upper_end, lower_end = split(B, order, first, last, W)
        lower, upper = W[BOX + axis], W[BOX + 3 + axis]
        first_cut, second_cut = _write(N, L, node, SPLIT, axis, n_nodes, upper - upper_end, lower_end - lower)
        share = budget / (last - first)
        # The side with more triangles is below the other one on the stack, which then has log2(n) sides at most.
        for second in (middle - first < last - middle, middle - first >= last - middle):
            W[BOX + axis] = lower + second_cut if second else lower
            W[BOX + 3 + axis] = upper if second else upper - first_cut
            if second:
                depth = _push(W, depth, n_nodes + 1, middle, last, share * (last - middle), level + 1)
            else:
                depth = _push(W, depth, n_nodes, first, middle, share * (middle - first), level + 1)
        n_nodes += 2
    L[NODE * n_nodes], L[NODE * n_nodes + 1], L[NODE * n_nodes + 2] = deepest, 0, 0
    return n_nodes


@kernel(boundscheck=False)
def _gather(L, node, order):
    """Write the triangles under a node to `order`, which is also the stack of nodes to visit; return their number."""
    waiting, count, n = 1, 0, order.shape[0]
    order[n - 1] = node
    while waiting > 0:
        code, link = code_and_link(L, order[n - waiting])
        waiting -= 1
        kind = code >> 2
        if kind == LEAF:
            order[count] = link
            count += 1
            continue
        waiting += 1
        order[n - waiting] = link
        if kind == SPLIT:
            waiting += 1
            order[n - waiting] = link + 1
    return count


@kernel(
    "int64(float64[::1], int32[::1], int32[::1], float32[::1], int32[::1], float64[::1], float64[::1], float64[::1])"
)
def refit(S, T, order, N, L, B, F, W):
    """Recompute the cuts of a built tree for vertices that moved; return the number of nodes.

    Children come after their parents, so one backward pass computes the tight boxes and one forward pass the cuts.

    Args:
        S, T: The surface, with new vertices.
        order, B, W: Scratch as for `build`; `order` has one more number than there are triangles.
        N, L: The nodes.
        F: Scratch, 12 numbers per node.
    """
    n_nodes = L.shape[0] // NODE - 1
    describe(S, T, int(S[N_TRIANGLES]), B)
    for node in range(n_nodes - 1, -1, -1):
        code, link = code_and_link(L, node)
        for k in range(6):
            if code >> 2 == LEAF:
                F[12 * node + k] = B[TRIANGLE * link + k]
            elif code >> 2 != SPLIT:
                F[12 * node + k] = F[12 * link + k]
            elif k < 3:
                F[12 * node + k] = min(F[12 * link + k], F[12 * link + 12 + k])
            else:
                F[12 * node + k] = max(F[12 * link + k], F[12 * link + 12 + k])
    for k in range(3):
        F[6 + k], F[9 + k] = -S[ROOT_HALF + k], S[ROOT_HALF + k]
    for node in range(n_nodes):
        code, link = code_and_link(L, node)
        kind, axis = code >> 2, code & 3
        for k in range(6):
            W[TIGHT + k], W[BOX + k] = F[12 * node + k], F[12 * node + 6 + k]
            if kind != LEAF:
                F[12 * link + 6 + k] = W[BOX + k]
            if kind == SPLIT:
                F[12 * link + 18 + k] = W[BOX + k]
        if kind == SLAB:
            count = _gather(L, node, order)
            fit_slab(S, T, B, order, 0, count, 0.0, W)
            _write(N, L, node, SLAB, int(W[SLAB_AT]), link, W[SLAB_AT + 1], W[SLAB_AT + 2])
        elif kind == SPLIT:
            lower, upper = (
                F[12 * link + 12 + axis] - W[BOX + axis],
                W[BOX + 3 + axis] - F[12 * link + 3 + axis],
            )
            first_cut, second_cut = _write(N, L, node, SPLIT, axis, link, upper, lower)
            F[12 * link + 9 + axis] -= first_cut
            F[12 * link + 18 + axis] += second_cut
        else:
            lower, upper = trim_cuts(W, axis)
            lower, upper = _write(N, L, node, kind, axis, link, lower, upper)
            if kind == TRIM:
                F[12 * link + 6 + axis] += lower
                F[12 * link + 9 + axis] -= upper
    return n_nodes
