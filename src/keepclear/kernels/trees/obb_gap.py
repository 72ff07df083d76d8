"""Lower bounds on the distance of two nodes of trees of oriented boxes: by their boxes, or the triangles below them.

How far the triangles below a node reach along a direction is exact, where boxes give only a bound.
"""

from __future__ import annotations

import math

import numpy as np

from keepclear.compiler.kernel import kernel
from keepclear.kernels.trees.obb_pair import corners_of_a, corners_of_b, node_of_a, node_of_b, opposite_in_b
from keepclear.kernels.trees.obb_tree import LINK, NODE, corner
from keepclear.kernels.trees.pair_heap import keep
from keepclear.kernels.triangles import triangle_distance as triangle
from keepclear.kernels.vectors import dot, matrix, minus, moved, plus, put, scaled, three, turned, turned_back

# Along axes in single precision, gaps have a relative error of at most 4e-7 (docs/theory/oriented-boxes).
SHRINK = 1.0 - 2e-6
# A search gives up after this many pairs of boxes: flat faces across the direction would make it visit all of them.
# Without a motion that keeps proofs, a longer search for large nodes is worthwhile.
STEPS, COLD_STEPS = 48, 200
# Answers for the current direction are kept, this many for each body, under the node and the number of the direction.
CACHE = 256


@kernel(inline=True, boundscheck=False)
def _push(keys, pairs, bottom, depth, key, a, b):
    """Push a pair; those above `bottom` stay sorted, the least key on top. Return the new depth."""
    i = depth
    while i > bottom and keys[i - 1] < key:
        keys[i], pairs[2 * i], pairs[2 * i + 1] = keys[i - 1], pairs[2 * i - 2], pairs[2 * i - 1]
        i -= 1
    keys[i], pairs[2 * i], pairs[2 * i + 1] = key, a, b
    return depth + 1


@kernel(inline=True, boundscheck=False)
def _inside(x, h):
    """Return a point moved into the box with these half sizes around the origin."""
    return min(max(x[0], -h[0]), h[0]), min(max(x[1], -h[1]), h[1]), min(max(x[2], -h[2]), h[2])


@kernel(inline=True, boundscheck=False)
def open_pairs(NA, a, na, NB, b, nb, r, t, scale, n, limit, slack, keep_all, keys, pairs, depth):
    """Push pairs of nodes that may be closer than the limit, squared, or all; return the depth of the stack.

    The key is a lower bound on the distance. Boxes that overlap get a negative key, the least for the nearest centres.
    The pair with the least key ends up on top.

    Names as in `obb_pair._descend`. The gap of two boxes along any direction is a lower bound on their distance. Two
    directions are tried, the cheap one first: n, the vector between the closest points so far (in B's frame), which is
    nearly right for all boxes near them; and nearly the vector between the closest points of both boxes: the centre of
    B's box is projected onto A's box, onto B's and onto A's again.
    """
    inverse = 1.0 / (scale * scale)
    bottom = depth
    for p in range(NODE * a, NODE * (a + na), NODE):
        w0, w1, w2, f, h = node_of_a(NA, p, r, t, inverse)
        w, (g0, g1, g2) = (w0, w1, w2), scaled(inverse, h)
        reach = h[0] * abs(dot(w0, n)) + h[1] * abs(dot(w1, n)) + h[2] * abs(dot(w2, n))
        reach *= inverse * scale
        for q in range(NODE * b, NODE * (b + nb), NODE):
            v0, v1, v2, center, k = node_of_b(NB, q)
            g, (k0, k1, k2) = plus(center, f), k
            gap = dot(n, g) - (k0 * abs(dot(v0, n)) + k1 * abs(dot(v1, n)))
            gap = scale * (gap - k2 * abs(dot(v2, n))) - reach
            if gap > 0.0 and gap * gap > limit:
                if keep_all:
                    # harmless (SHRINK): boxes reach exactly this far along any direction; slack covers rounding
                    depth = _push(keys, pairs, bottom, depth, gap * SHRINK - slack, p // NODE, q // NODE)
                continue
            # B's centre projected onto A, onto B and onto A again: nearly the closest points.
            d = minus(turned_back(w, scaled(inverse, _inside(turned(w, g), h))), g)
            x, y, z = _inside(turned((v0, v1, v2), d), k)
            e = moved(moved(moved(g, x, v0), y, v1), z, v2)
            d = minus(e, turned_back(w, scaled(inverse, _inside(turned(w, e), h))))
            gap = dot(d, g) - (g0 * abs(dot(w0, d)) + g1 * abs(dot(w1, d)))
            gap -= g2 * abs(dot(w2, d)) + k0 * abs(dot(v0, d))
            gap -= k1 * abs(dot(v1, d)) + k2 * abs(dot(v2, d))
            bound = scale * scale * gap * gap / dot(d, d) if gap > 0.0 else 0.0
            if bound > limit and not keep_all:
                continue
            # harmless (SHRINK): likewise, a reserve
            key = math.sqrt(bound) * SHRINK - slack
            if key <= 0.0:
                key = -1.0 / (dot(g, g) + 1e-300)
            depth = _push(keys, pairs, bottom, depth, key, p // NODE, q // NODE)
    return depth


@kernel(inline=True, boundscheck=False)
def squared_limit(upper, slack):
    """Return the squared bound above which a pair of boxes cannot be closer than `upper`."""
    # harmless (SHRINK): likewise, a reserve
    limit = (upper + slack) / SHRINK
    return limit * limit


@kernel(inline=True, boundscheck=False)
def box_reach(N, p, x, y, z):
    """Return how far the box of the node at p reaches along a direction, relative to the origin of the tree."""
    u, v, w, center, h = node_of_b(N, p)
    n = x, y, z
    return dot(n, center) + h[0] * abs(dot(n, u)) + h[1] * abs(dot(n, v)) + h[2] * abs(dot(n, w))


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


@kernel(boundscheck=False)
def prove(SA, TA, NA, LA, a, SB, TB, NB, LB, b, Q, x, y, z, enough, tags, reaches, stack, bounds):
    """Return how far the nodes a and b reach towards each other along a unit vector; infinity if not `enough` apart.

    Boxes are larger than their contents, so around the closest points they separate nodes only when these are small.
    The reach of the triangles themselves decides large nodes there at once, where both surfaces are convex towards each
    other.
    """
    u, v, w = opposite_in_b(Q, x, y, z)
    p, q = NODE * a, NODE * b
    slack = x * Q[14] + y * Q[15] + z * Q[16] - enough
    middle_a = x * np.float64(NA[p]) + y * np.float64(NA[p + 1]) + z * np.float64(NA[p + 2])
    middle_b = u * np.float64(NB[q]) + v * np.float64(NB[q + 1]) + w * np.float64(NB[q + 2])
    # harmless (<): without it proofs that fail are tried, or none; reaches decide
    # harmless (slack): likewise
    if not middle_a + middle_b < slack:
        return math.inf, math.inf
    # harmless (slack): it is where the search gives up; the sum decides
    far_a = reach(SA, TA, NA, LA, a, x, y, z, slack - middle_b, tags, reaches, 0, stack, bounds)
    if far_a == math.inf:
        return math.inf, math.inf
    # harmless (slack): likewise: the comparison below decides
    far_b = reach(SB, TB, NB, LB, b, u, v, w, slack - far_a, tags, reaches, 1, stack, bounds)
    # harmless (<): far_b is infinite beyond slack - far_a: only proofs are lost
    # harmless (slack): likewise
    return far_a, far_b if far_a + far_b < slack else math.inf


@kernel(boundscheck=False)
def are_apart_along(
    SA, TA, NA, LA, a, SB, TB, NB, LB, b, Q, x, y, z, enough, tags, highs, lows, stack, bounds
):
    """Return whether the nodes a and b are proved `enough` apart along a unit vector, like `prove`.

    The reach of each node is not returned, so that fewer nodes are opened. Where the boxes overlap by more than half of
    their extents along the vector, the proof succeeds once in thirty times, and is not tried.
    """
    u, v, w = opposite_in_b(Q, x, y, z)
    p, q = NODE * a, NODE * b
    sum_of_reaches = x * Q[14] + y * Q[15] + z * Q[16] - enough
    middle_a = x * np.float64(NA[p]) + y * np.float64(NA[p + 1]) + z * np.float64(NA[p + 2])
    middle_b = u * np.float64(NB[q]) + v * np.float64(NB[q + 1]) + w * np.float64(NB[q + 2])
    # harmless (box_reach(NA, p, x, y, z)): it only decides whether a proof is tried
    box_a, box_b = box_reach(NA, p, x, y, z), box_reach(NB, q, u, v, w)
    if not 0.5 * (middle_a + middle_b + box_a + box_b) < sum_of_reaches:
        return False
    least, most = sum_of_reaches - box_b, sum_of_reaches - middle_b
    far_a = bound_reach(SA, TA, NA, LA, a, x, y, z, least, most, tags, highs, lows, 0, stack, bounds)
    if far_a <= least:
        return True
    rest = sum_of_reaches - far_a
    return (
        rest > -math.inf
        and bound_reach(SB, TB, NB, LB, b, u, v, w, rest, rest, tags, highs, lows, 1, stack, bounds) <= rest
    )


@kernel(boundscheck=False)
def keep_leaves(SA, TA, ta, SB, TB, tb, NB, a, b, Q, W, memory, motion):
    """Store the proof that two triangles, at the leaves a and b, are separate along the vector in W."""
    x, y, z = W[triangle.GAP], W[triangle.GAP + 1], W[triangle.GAP + 2]
    f = 1.0 / math.sqrt(x * x + y * y + z * z)
    x, y, z = f * x, f * y, f * z
    u, v, w = opposite_in_b(Q, x, y, z)
    far_a, far_b = triangle_reach(SA, TA, ta, x, y, z), triangle_reach(SB, TB, tb, u, v, w)
    keep(NB, a, b, x, y, z, far_a, far_b, Q, memory, motion)


@kernel(inline=True, boundscheck=False)
def direction_of_gap(best, upper, scale, Q):
    """Return the unit vector between the closest points, which are `upper` apart, in A's frame, and in B's."""
    gap = three(best, triangle.GAP)
    m = gap[0] / upper, gap[1] / upper, gap[2] / upper
    return m, scaled(1.0 / (upper * scale), turned_back(matrix(Q, 0), gap))


@kernel(boundscheck=False)
def measure(SA, TA, ta, SB, TB, tb, Q, upper, n, W):
    """Write the closest points of two triangles to W, unless a direction proves that they are not closer than `upper`.

    Then W receives that direction, for the gap. The direction n between the closest points so far decides nearly all
    pairs around them: where both surfaces are convex towards each other it separates every pair by as much. The normals
    of the two triangles are tried next.
    """
    a, b, c = corners_of_a(SA, TA, ta)
    p, q, r = corners_of_b(SB, TB, tb, Q)
    enough = upper - Q[13]
    put(W, triangle.GAP, n)
    gap = triangle.gap_along(a, b, c, p, q, r, n)
    # harmless (<=): a gap along any direction is a bound, and triangles without one are measured
    if gap <= enough:
        gap = triangle.plane_gap(a, b, c, p, q, r, 1.0, W)
    # harmless (<=): a gap along any direction is a bound, and triangles without one are measured
    if gap <= enough:
        gap = triangle.plane_gap(p, q, r, a, b, c, -1.0, W)
    if gap > enough:
        W[triangle.SQUARE], W[triangle.LOWER] = math.inf, gap
        return
    triangle.closest(a, b, c, p, q, r, W)


@kernel(boundscheck=False)
def measure_fully(SA, TA, ta, SB, TB, tb, Q, W):
    """Write the closest points of two triangles to W."""
    triangle.closest(*corners_of_a(SA, TA, ta), *corners_of_b(SB, TB, tb, Q), W)
