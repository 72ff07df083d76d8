"""Distance of a mesh and a convex body by the box tree of the mesh: like `mesh_convex`, with boxes cut on descent."""

from __future__ import annotations

import math

import numpy as np

from keepclear.compiler.kernel import kernel
from keepclear.kernels.box_trees.containment import LOWER, UPPER, WAITING, winding
from keepclear.kernels.box_trees.tree import LEAF, NODE, SPLIT, TRIM, code_and_link
from keepclear.kernels.convex import gjk
from keepclear.kernels.convex import support as core
from keepclear.kernels.tables.surface import EXTENT, ORIGIN, ROOT_HALF
from keepclear.kernels.trees.mesh_convex import _core_distance, compare_leaf, fill_rows
from keepclear.kernels.trees.winding import UNIT

# On the stack: a node with its box as in `containment`, and its bound.
BOUND, ENTRY = WAITING, WAITING + 1
SHRINK = 1.0 - 1e-12


@kernel(boundscheck=False)
def _enter(S, N, L, node, FB, IB, rel, pad, P, K, M, E, at):
    """Descend trims and slabs from a node to a split or a leaf, and write it with the bound of its box."""
    while True:
        code, link = code_and_link(L, node)
        kind = code >> 2
        if kind == TRIM or kind == LEAF:
            E[at + LOWER + (code & 3)] += np.float64(N[NODE * node + 1])
            E[at + UPPER + (code & 3)] -= np.float64(N[NODE * node + 2])
        if kind == SPLIT or kind == LEAF:
            break
        node = link
    E[at] = node
    x, y, z = (
        0.5 * (E[at + LOWER] + E[at + UPPER]),
        0.5 * (E[at + LOWER + 1] + E[at + UPPER + 1]),
        0.5 * (E[at + LOWER + 2] + E[at + UPPER + 2]),
    )
    u = max(0.0, 0.5 * (E[at + UPPER] - E[at + LOWER])) + pad
    v = max(0.0, 0.5 * (E[at + UPPER + 1] - E[at + LOWER + 1])) + pad
    w = max(0.0, 0.5 * (E[at + UPPER + 2] - E[at + LOWER + 2])) + pad
    P[core.KIND] = core.BOX
    P[core.SIZE_X], P[core.SIZE_Y], P[core.SIZE_Z] = u, v, w
    P[core.EXTENT] = u + v + w
    P[core.CENTER], P[core.CENTER + 1], P[core.CENTER + 2] = 0.0, 0.0, 0.0
    pose = (
        rel[0], rel[1], rel[2], rel[3], rel[4], rel[5], rel[6], rel[7], rel[8],
        rel[9] - S[ORIGIN] - x, rel[10] - S[ORIGIN + 1] - y, rel[11] - S[ORIGIN + 2] - z,
    )  # fmt: skip
    _, _, lower, _, _, _, _, _, _ = _core_distance(P, K, FB, IB, pose, M)
    # harmless (SHRINK): the rounding of the search is part of `reach`
    E[at + BOUND] = lower * SHRINK


@kernel(boundscheck=False)
def _nearest(S, T, N, L, FB, IB, rel, rounding, E, P, K, M, best):
    """Search one pose; return (state of the surfaces, lower, upper, triangle, box tests) like `mesh_convex`."""
    # harmless (FB[core.DEFECT]): the lower bound of the nearest leaf is as much below `upper`
    # harmless (rounding): likewise
    reach = FB[core.RADIUS] + FB[core.DEFECT] + rounding
    pad = UNIT * (32.0 + 4.0 * L[L.shape[0] - NODE]) * 3.0 * S[EXTENT]
    lower, upper, closest = math.inf, math.inf, -1
    depth, visited = 1, 1
    for k in range(3):
        E[LOWER + k], E[UPPER + k] = -S[ROOT_HALF + k], S[ROOT_HALF + k]
    # harmless (pad): the first node is never left out: upper is infinite
    _enter(S, N, L, 0, FB, IB, rel, pad, P, K, M, E, 0)
    while depth > 0:
        depth -= 1
        at = ENTRY * depth
        if E[at + BOUND] - reach > upper:
            continue
        node = int(E[at])
        code, link = code_and_link(L, node)
        if code >> 2 == LEAF:
            lower, upper, closest, meets = compare_leaf(
                S, T, link, FB, IB, rel, rounding, P, K, M, best, lower, upper, closest
            )
            if meets:
                return gjk.INTERFERING, 0.0, 0.0, closest, visited
            continue
        other, axis = at + ENTRY, code & 3
        for k in range(ENTRY):
            E[other + k] = E[at + k]
        E[at + UPPER + axis] -= np.float64(N[NODE * node + 1])
        E[other + LOWER + axis] += np.float64(N[NODE * node + 2])
        _enter(S, N, L, link, FB, IB, rel, pad, P, K, M, E, at)
        _enter(S, N, L, link + 1, FB, IB, rel, pad, P, K, M, E, other)
        # harmless (>): only the order of the search depends on it
        if E[other + BOUND] > E[at + BOUND]:  # the nearer one on top
            for k in range(ENTRY):
                E[at + k], E[other + k] = E[other + k], E[at + k]
        visited += 2
        depth += 2
    state = gjk.TOUCHING if lower <= 0.0 else gjk.SEPARATE
    return state, max(0.0, lower), upper + rounding, closest, visited


@kernel(
    "void(float64[::1], int32[::1], float32[::1], int32[::1], float64[::1], int32[::1], float64[:,:,::1],"
    " float64[:,:,::1], float64[::1], int64, int64)",
    allocates=True,
)
def distance(S, T, N, L, FB, IB, X_WA, X_WB, rows, begin, end):
    """Fill the rows of the poses from `begin` to before `end`, as `gjk` writes them, for a mesh A and a convex body B.

    Args:
        S, T, N, L: Surface and box tree of A.
        FB, IB: The core of B (see `support`).
        X_WA, X_WB: Checked rigid poses; one on a side is repeated.
    """
    E = np.empty(ENTRY * (L[L.shape[0] - NODE] + 3))
    fill_rows(_nearest, winding, S, T, N, L, FB, IB, X_WA, X_WB, rows, begin, end, E, E)
