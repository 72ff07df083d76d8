"""Proofs that a tree from a file is a valid tree over a surface: links in range and without cycles, enclosing boxes.

Every search may use an accepted tree: each triangle is below the root once, no path is longer than the scratch of
searches, and the box of a node contains the corners of the triangles below it with the accuracy that the builders
guarantee (docs/theory: oriented-boxes, box-tree).
"""

from __future__ import annotations

import numpy as np

from keepclear.compiler.kernel import kernel
from keepclear.kernels.box_trees.cuts import slab_unit
from keepclear.kernels.box_trees.tree import LEAF, SLAB, SPLIT, TRIM, code_and_link, slab_of
from keepclear.kernels.box_trees.tree import NODE as BOX_NODE
from keepclear.kernels.tables.surface import EXTENT, N_TRIANGLES, ROOT_HALF
from keepclear.kernels.trees.obb_tree import AXES, HALF, LINK, NODE, corner

PROVED, NO_TREE, TOO_SMALL = 0, 1, 2
# Greatest deviation of the products of axes in single precision from those of orthonormal vectors.
SKEW = 1.2e-7
# Required slack of each half size, as a fraction of their sum: builders leave 2e-6, searches need 4e-7.
SPARE = 1.6e-6
LARGEST = 1e30  # no coordinate is larger; comparisons with nan fail
UNIT = 2.0**-53
FEW = 16  # triangles up to which boxes are compared with all corners
WAITING = FEW * 352  # triangles that are not in a list yet: on a path each level leaves a small child behind
PENDING = 9  # node, level, slabs above it, box
SCRATCH = 2 * 2048 * PENDING  # a box tree has less than 1750 levels, and each leaves one node behind


@kernel(inline=True, boundscheck=False)
def _holds(N, at, P, first, last):
    """Return PROVED if a node's box contains the points first..last-1, with SPARE left, else what is wrong.

    A box has finite sizes, and axes that are orthonormal up to rounding. The coordinates of the points are in P.
    """
    x0, y0, z0 = np.float64(N[at]), np.float64(N[at + 1]), np.float64(N[at + 2])
    a0, a1, a2 = np.float64(N[at + AXES]), np.float64(N[at + AXES + 1]), np.float64(N[at + AXES + 2])
    b0, b1, b2 = np.float64(N[at + AXES + 3]), np.float64(N[at + AXES + 4]), np.float64(N[at + AXES + 5])
    c0, c1, c2 = np.float64(N[at + AXES + 6]), np.float64(N[at + AXES + 7]), np.float64(N[at + AXES + 8])
    h0, h1, h2 = np.float64(N[at + HALF]), np.float64(N[at + HALF + 1]), np.float64(N[at + HALF + 2])
    far = abs(x0) + abs(y0) + abs(z0) + h0 + h1 + h2  # nan, if one of them is
    if not (h0 >= 0.0 and h1 >= 0.0 and h2 >= 0.0 and far <= LARGEST):
        return NO_TREE
    if not (
        abs(a0 * a0 + a1 * a1 + a2 * a2 - 1.0) <= SKEW
        and abs(b0 * b0 + b1 * b1 + b2 * b2 - 1.0) <= SKEW
        and abs(c0 * c0 + c1 * c1 + c2 * c2 - 1.0) <= SKEW
        and abs(a0 * b0 + a1 * b1 + a2 * b2) <= SKEW
        and abs(b0 * c0 + b1 * c1 + b2 * c2) <= SKEW
        and abs(c0 * a0 + c1 * a1 + c2 * a2) <= SKEW
    ):
        return NO_TREE
    spare = SPARE * (h0 + h1 + h2)
    h0, h1, h2 = h0 - spare, h1 - spare, h2 - spare
    outside = 0
    y_at, z_at = np.uint64(P.shape[0] // 3), np.uint64(2 * (P.shape[0] // 3))
    for k in range(
        np.uint64(first), np.uint64(last)
    ):  # without an early exit, so that four points are tested at once
        x, y, z = P[k] - x0, P[y_at + k] - y0, P[z_at + k] - z0
        p, q, r = a0 * x + a1 * y + a2 * z, b0 * x + b1 * y + b2 * z, c0 * x + c1 * y + c2 * z
        outside += int(abs(p) > h0) | int(abs(q) > h1) | int(abs(r) > h2)
    return PROVED if outside == 0 else TOO_SMALL


@kernel(boundscheck=False)
def _collect(S, T, first, last, waiting, mark, stamp, U, n_points):
    """Add the vertices of the triangles waiting[first:last], each once, to U; return their new number."""
    n = U.shape[0] // 3
    for k in range(first, last):
        for i in range(3):
            v = T[3 * waiting[k] + i]
            if mark[v] != stamp:
                mark[v] = stamp
                U[n_points], U[n + n_points], U[2 * n + n_points] = corner(S, T, 3 * waiting[k] + i)
                n_points += 1
    return n_points


@kernel(
    "int64(float64[::1], int32[::1], float32[::1], int32[::1], int32[::1], int32[::1], int32[::1], float64[::1],"
    " float64[::1], int64[::1])",
    boundscheck=False,
)
def prove_obb_tree(S, T, N, L, start, mark, waiting, P, U, stack):
    """Return PROVED for a tree of oriented boxes over all triangles of a surface, else what is wrong.

    Boxes of few triangles are compared with the corners of these, larger ones with lists of distinct vertices. A small
    child is added to such a list when its parent is not small; the list of a node is then everything added below it.

    Args:
        S, T: The surface, with sizes.
        N, L: 2 n - 1 nodes, two views of the same memory.
        start: Scratch for 3 n - 1 numbers.
        mark: Scratch, a number for each vertex.
        waiting: Scratch, WAITING numbers: triangles that are in no list yet.
        P: Scratch, 9 WAITING numbers: their corners, all x, all y, all z.
        U: Scratch, 9 n numbers: the lists, likewise.
        stack: Scratch of 2 `obb_tree.STACK` numbers.
    """
    n = int(S[N_TRIANGLES])
    n_nodes = 2 * n - 1
    if N.shape[0] != NODE * n_nodes or U.shape[0] != 9 * n or start.shape[0] != n_nodes + n:
        return NO_TREE
    if P.shape[0] != 9 * WAITING or waiting.shape[0] != WAITING:
        return NO_TREE
    for k in range(n_nodes + n):
        start[k] = -1
    for k in range(mark.shape[0]):
        mark[k] = -1
    depth, done, visited, n_waiting, n_points = 1, 0, 0, 0, 0
    stack[0], stack[1] = 0, 0
    while depth > 0:
        at_stack = 4 * depth - 4
        node, is_back = stack[at_stack], stack[at_stack + 1]
        at = NODE * node
        link = np.int64(L[at + LINK])
        if is_back == 0:
            if start[node] >= 0:
                return NO_TREE
            start[node], stack[at_stack + 2], stack[at_stack + 3] = done, n_waiting, n_points
            visited += 1
            if link >= 0:
                if link <= node or link + 1 >= n_nodes or at_stack + 12 > stack.shape[0]:
                    return NO_TREE
                stack[at_stack + 1] = 1
                stack[at_stack + 4], stack[at_stack + 5] = link + 1, 0
                stack[at_stack + 8], stack[at_stack + 9] = link, 0
                depth += 2
                continue
            t = -1 - link
            if t >= n or start[n_nodes + t] >= 0 or n_waiting >= WAITING:
                return NO_TREE
            start[n_nodes + t], waiting[n_waiting] = 0, t
            for i in range(3):
                k = 3 * n_waiting + i
                P[k], P[3 * WAITING + k], P[6 * WAITING + k] = corner(S, T, 3 * t + i)
            n_waiting, done = n_waiting + 1, done + 1
        first, begin = start[node], stack[at_stack + 2]
        if link >= 0:
            least = (done - first) // 16 + 1  # as the builder splits, which bounds the number of levels
            if start[link + 1] - first < least or done - start[link + 1] < least:
                return NO_TREE
        if done - first <= FEW:
            held = _holds(N, at, P, 3 * begin, 3 * n_waiting)
        else:
            n_points = _collect(S, T, begin, n_waiting, waiting, mark, node, U, n_points)
            n_waiting = begin
            held = _holds(N, at, U, stack[at_stack + 3], n_points)
        if held != PROVED:
            return held
        depth -= 1
    return PROVED if visited == n_nodes and done == n else NO_TREE


@kernel(boundscheck=False)
def _leaf_holds(S, T, t, box, error, L, slabs, n_slabs):
    """Return whether a box, and the slabs around a leaf, contain a triangle, up to the builder's rounding."""
    unit = slab_unit(S)
    for i in range(3):
        x, y, z = corner(S, T, 3 * t + i)
        for k in range(3):
            value = x if k == 0 else (y if k == 1 else z)
            # harmless (error): without it more trees are refused
            if not box[k] - error <= value <= box[3 + k] + error:
                return False
        for k in range(n_slabs):
            u, v, w, lower, upper = slab_of(L, slabs[k], unit)
            # harmless (error): without it more trees are refused
            if not lower - error <= u * x + v * y + w * z <= upper + error:
                return False
    return True


@kernel(
    "int64(float64[::1], int32[::1], float32[::1], int32[::1], int32[::1], float64[::1], float64[::1], int64[::1])"
)
def prove_box_tree(S, T, N, L, seen, W, box, slabs):
    """Return PROVED for a box tree over all triangles of a surface, else what is wrong.

    Boxes are cut off from the box of the surface and only ever shrink, so boxes above a leaf contain its contents.

    Args:
        S, T: The surface, with sizes.
        N, L: The nodes and the three words after them, two views of the same memory.
        seen: Scratch, a number for each node and each triangle.
        W: Scratch, SCRATCH numbers.
        box: Scratch, 6 numbers.
        slabs: Scratch, a number for each level: 2048.
    """
    n, n_nodes = int(S[N_TRIANGLES]), N.shape[0] // BOX_NODE - 1
    if n_nodes < 1 or N.shape[0] != BOX_NODE * (n_nodes + 1) or seen.shape[0] != n_nodes + n:
        return NO_TREE
    for k in range(n_nodes + n):
        seen[k] = 0
    for k in range(3):
        W[3 + k], W[6 + k] = -S[ROOT_HALF + k], S[ROOT_HALF + k]
    W[0], W[1], W[2] = 0, 1, 0
    depth, visited, found, deepest = 1, 0, 0, 0
    while depth > 0:
        depth -= 1
        at = PENDING * depth
        node, level, n_slabs = int(W[at]), int(W[at + 1]), int(W[at + 2])
        for k in range(6):
            box[k] = W[at + 3 + k]
        if seen[node] != 0:
            return NO_TREE
        seen[node] = 1
        visited += 1
        code, link = code_and_link(L, node)
        kind, axis = code >> 2, code & 3
        if axis > 2 or level >= slabs.shape[0]:
            return NO_TREE
        lower, upper = np.float64(N[BOX_NODE * node + 1]), np.float64(N[BOX_NODE * node + 2])
        if kind != SLAB and not (0.0 <= lower <= LARGEST and 0.0 <= upper <= LARGEST):
            return NO_TREE
        if kind == TRIM or kind == LEAF:
            box[axis] += lower
            box[3 + axis] -= upper
        if kind == LEAF:
            if link >= n or seen[n_nodes + link] != 0:
                return NO_TREE
            seen[n_nodes + link] = 1
            found += 1
            deepest = max(deepest, level)
            # harmless (UNIT * (level + 2) * S[EXTENT]): without it more trees are refused
            if not _leaf_holds(S, T, link, box, UNIT * (level + 2) * S[EXTENT], L, slabs, n_slabs):
                return TOO_SMALL
            continue
        children = 2 if kind == SPLIT else 1
        if link <= node or link + children > n_nodes or PENDING * (depth + 2) > W.shape[0]:
            return NO_TREE
        if kind == SLAB:
            slabs[n_slabs] = node
            n_slabs += 1
        for child in range(children - 1, -1, -1):
            at = PENDING * depth
            W[at], W[at + 1], W[at + 2] = link + child, level + 1, n_slabs
            for k in range(6):
                W[at + 3 + k] = box[k]
            if kind == SPLIT and child == 0:
                W[at + 6 + axis] -= lower
            if kind == SPLIT and child == 1:
                W[at + 3 + axis] += upper
            depth += 1
    whole = visited == n_nodes and found == n and L[BOX_NODE * n_nodes] == deepest
    return PROVED if whole else NO_TREE
