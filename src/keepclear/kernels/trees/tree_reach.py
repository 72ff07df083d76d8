"""How far the triangles below a node of a tree reach along a direction: exact, where boxes give only a bound."""

from __future__ import annotations

import math

import numpy as np

from keepclear.kernels._compile import kernel
from keepclear.kernels.trees.obb_tree import HALF, LINK, NODE, corner

# A search gives up after this many pairs of boxes: flat faces across the direction would make it visit all of them.
# Without a motion that keeps proofs, a longer search for large nodes is worthwhile.
STEPS, COLD_STEPS = 48, 200
# Answers for the current direction are kept, this many for each body, under the node and the number of the direction.
CACHE = 256


@kernel(inline=True, boundscheck=False)
def box_reach(N, p, x, y, z):
    """Return how far the box of the node at p reaches along a direction, relative to the origin of the tree."""
    return (
        (x * np.float64(N[p]) + y * np.float64(N[p + 1]) + z * np.float64(N[p + 2]))
        + np.float64(N[p + HALF])
        * abs(x * np.float64(N[p + 3]) + y * np.float64(N[p + 4]) + z * np.float64(N[p + 5]))
        + np.float64(N[p + HALF + 1])
        * abs(x * np.float64(N[p + 6]) + y * np.float64(N[p + 7]) + z * np.float64(N[p + 8]))
        + np.float64(N[p + HALF + 2])
        * abs(x * np.float64(N[p + 9]) + y * np.float64(N[p + 10]) + z * np.float64(N[p + 11]))
    )


@kernel(inline=True, boundscheck=False)
def triangle_reach(S, T, t, x, y, z):
    """Return how far a triangle reaches along a direction, relative to the origin of its surface."""
    far = -math.inf
    for k in range(3):
        u, v, w = corner(S, T, 3 * t + k)
        far = max(far, x * u + y * v + z * w)
    return far


@kernel(boundscheck=False)
def _search(S, T, N, L, node, x, y, z, far, enough, most, stack, bounds):
    """Return how far the triangles below a node reach, at least `far`, and whether the search was complete.

    The box that reaches farther is opened first; boxes that reach no farther than the value found are not opened. The
    search stops early, and is then incomplete, at a triangle that reaches farther than `enough` or after `most` steps.
    """
    depth, steps = 1, 0
    stack[0], bounds[0] = node, math.inf
    while depth > 0:
        depth -= 1
        if bounds[depth] <= far:
            continue
        link = L[NODE * stack[depth] + LINK]
        while link >= 0:
            steps += 1
            p, q = box_reach(N, NODE * link, x, y, z), box_reach(N, NODE * link + NODE, x, y, z)
            other = link + 1
            if p < q:
                p, q = q, p
                other, link = link, other
            if q > far:
                stack[depth], bounds[depth] = other, q
                depth += 1
            if p <= far:
                break
            link = L[NODE * link + LINK]
        if link < 0:
            far = max(far, triangle_reach(S, T, -1 - link, x, y, z))
        if far > enough:
            return far, False
        if steps > most:
            return math.inf, False
    return far, True


@kernel(boundscheck=False)
def reach(S, T, N, L, node, x, y, z, enough, tags, reaches, side, stack, bounds):
    """Return how far the triangles below a node reach along a direction; infinity if beyond `enough`, or unknown.

    Args:
        S, T, N, L: Surface and tree.
        x, y, z: The direction; the first of `tags` is its number, which the caller increments when it changes.
        tags: 1 + 2 CACHE numbers, zeros at first.
        reaches: Likewise, of float64.
        side: 0 for the first body, 1 for the second.
        stack, bounds: Space for as many nodes as a tree has levels, and two more.
    """
    slot, tag = 1 + side * CACHE + (node & (CACHE - 1)), (tags[0] << 33) | (node << 1)
    if tags[slot] != tag and (tags[slot] != (tag | 1) or reaches[slot] <= enough):
        reaches[slot], whole = _search(S, T, N, L, node, x, y, z, -math.inf, enough, STEPS, stack, bounds)
        tags[slot] = tag if whole else tag | 1
    return reaches[slot] if tags[slot] == tag and reaches[slot] <= enough else math.inf


@kernel(boundscheck=False)
def bound_reach(S, T, N, L, node, x, y, z, least, enough, tags, highs, lows, side, stack, bounds):
    """Return how far the triangles below a node reach, or at most `least` if they do not reach farther than that.

    Infinity if they reach beyond `enough`, or if the search gave up. Boxes that do not reach beyond `least` are not
    opened, so this takes less time than `reach` where the exact number is not needed.

    Args:
        S, T, N, L: Surface and tree.
        x, y, z: The direction; the first of `tags` is its number, which the caller increments when it changes.
        tags: 1 + 2 CACHE numbers, zeros at first.
        highs, lows: Likewise, of float64: bounds on the reach of a node that were found for this direction.
        side: 0 for the first body, 1 for the second.
        stack, bounds: Space for as many nodes as a tree has levels, and two more.
    """
    slot, tag = 1 + side * CACHE + (node & (CACHE - 1)), (tags[0] << 32) | node
    if tags[slot] != tag:
        tags[slot], highs[slot], lows[slot] = tag, math.inf, -math.inf
    # harmless (max): a search from less finds the same reach
    floor = max(least, lows[slot])
    if lows[slot] > enough:
        return math.inf
    # harmless (<=): both are upper bounds on the reach
    if highs[slot] <= floor:
        return highs[slot]
    far, whole = _search(S, T, N, L, node, x, y, z, floor, enough, COLD_STEPS, stack, bounds)
    if whole:
        highs[slot] = far
    # harmless (>): a larger floor makes the answer larger
    if not whole or far > least:
        lows[slot] = far  # infinite where the search gave up: it is not repeated for this direction
    return far if whole else math.inf
