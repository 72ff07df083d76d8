"""The source's BoxTree and its step of four pairs, compiled: the reference of our own tree and search.

US 6 862 026. A node has an axis and two cut planes: its first child ends at the upper one, its second child begins at
the lower one; a leaf holds one polygon. In a step both nodes of a pair are opened. The box around a child of B along
the axes of A follows from that of its parent, of which one face of B's box has moved: three products and three sums
for three coordinates that change, which alone are compared; with both directions, likewise the box around a child of A
along the axes of B. There are no trims, slabs or planes of triangles, and no rounding allowances: it is a reference for
counts and times, not a proof.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from benchmarks.operations import Case, counting, counts
from keepclear.compiler.kernel import kernel

# A pair on the stack: A's box (lower, upper), the box around B along A's axes, B's box, the box around A along B's.
BOX_A, AROUND_B, BOX_B, AROUND_A, PAIR = 0, 6, 12, 18, 24
STEPS, CUTS, LEAVES, STATE = 0, 1, 2, 3


class Tree(NamedTuple):
    """A tree for kernels.

    Attributes:
        cuts: (nodes, 2) where the first child ends, and where the second begins [m].
        links: (nodes, 2) axis and first child (the second follows it); of a leaf -1 and its polygon.
        box: (6,) lower and upper corner of the root [m].
        depth: Nodes on the longest path from the root.
    """

    cuts: npt.NDArray[np.float64]
    links: npt.NDArray[np.int32]
    box: npt.NDArray[np.float64]
    depth: int


def build_tree(vertices: npt.NDArray[np.float64], triangles: npt.NDArray[np.int32]) -> Tree:
    """Return the tree of a mesh: nodes are split in the middle of their triangles, along the longest side."""
    corners = vertices[triangles]
    lower, upper = corners.min(axis=1), corners.max(axis=1)
    middle = lower + upper
    cuts, links = np.zeros((2 * len(triangles) - 1, 2)), np.zeros((2 * len(triangles) - 1, 2), np.int32)
    pending, used, deepest = [(0, np.arange(len(triangles)), 1)], 1, 1
    while pending:
        node, which, depth = pending.pop()
        deepest = max(deepest, depth)
        if len(which) == 1:
            links[node] = -1, which[0]
            continue
        axis = int((upper[which].max(axis=0) - lower[which].min(axis=0)).argmax())
        order = which[np.argsort(middle[which, axis], kind="stable")]
        first, second = np.array_split(order, 2)
        cuts[node], links[node] = (upper[first, axis].max(), lower[second, axis].min()), (axis, used)
        pending += [(used, first, depth + 1), (used + 1, second, depth + 1)]
        used += 2
    box = np.concatenate([lower.min(axis=0), upper.max(axis=0)])
    return Tree(cuts, links, box, deepest)


@kernel(inline=True, boundscheck=False)
def _cut(E, at, own, around, axis, face, cut, R, G, side):
    """Move one face of a box to a cut, and what this changes of the box around it along the other axes.

    Args:
        E: The stack.
        at: The pair.
        own: Where its box is.
        around: Where the box around it is.
        axis: Of the face.
        face: 1 for an upper face.
        cut: The new coordinate [m].
        R: Absolute values of the rotation, for A's axes, then transposed for B's.
        G: Whether its entries are positive, tested once.
        side: 0: the box is B's, and the one around it along A's axes; 1: the other way round.
    """
    k = at + own + 3 * face + axis
    moved = E[k] - cut if face == 1 else cut - E[k]
    E[k] = cut
    for i in range(3):
        j = 9 * side + 3 * i + axis
        change = R[j] * moved
        if (G[j] == 1) == (face == 1):
            E[at + around + 3 + i] -= change
        else:
            E[at + around + i] += change


@kernel(inline=True, boundscheck=False)
def _apart(E, at, around, other, axis, face, G, side):
    """Return whether the three coordinates that a cut has changed separate the box around it from another box."""
    for i in range(3):
        if (G[9 * side + 3 * i + axis] == 1) == (face == 1):
            if E[at + around + 3 + i] < E[at + other + i]:
                return True
        elif E[at + around + i] > E[at + other + 3 + i]:
            return True
    return False


@kernel(inline=True, boundscheck=False)
def _face_apart(E, at, own, axis, face, around):
    """Return whether a face that has moved separates its box from the box around the other one."""
    k = 3 * face + axis
    if face == 1:
        return E[at + own + k] < E[at + around + axis]
    return E[at + own + k] > E[at + around + 3 + axis]


@kernel(
    "int64(float64[:,::1], int32[:,::1], float64[:,::1], int32[:,::1], float64[::1], float64[::1], int64[::1],"
    " int32[::1], int32[:,::1], int64[::1], boolean)",
    boundscheck=False,
)
def search(NA, LA, NB, LB, E, R, G, nodes, leaves, state, both):
    """Write the pairs of leaves whose boxes overlap, and return how many there are (more than fit are counted only).

    Args:
        NA: Cuts of A's tree.
        LA: Its links.
        NB: Cuts of B's tree.
        LB: Its links.
        E: The stack; it begins with the pair of roots.
        R: See `_cut`.
        G: See `_cut`.
        nodes: The nodes of each pair on the stack.
        leaves: (n, 2) receives polygons.
        state: Receives counts: steps, pairs of boxes, pairs of leaves.
        both: Whether boxes around A are compared along B's axes as well.
    """
    depth, found = 1, 0
    nodes[0], nodes[1] = 0, 0
    while depth > 0:
        depth -= 1
        at, a, b = PAIR * depth, nodes[2 * depth], nodes[2 * depth + 1]
        opens_a, opens_b = LA[a, 0] >= 0, LB[b, 0] >= 0
        if not opens_a and not opens_b:
            if found < leaves.shape[0]:
                leaves[found, 0], leaves[found, 1] = LA[a, 1], LB[b, 1]
            found += 1
            continue
        state[STEPS] += 1
        # Out of the way of the four children: the pair itself, one child of B beside A, both children of A beside B.
        base, kept = at + 4 * PAIR, at + 5 * PAIR
        for k in range(PAIR):
            E[base + k] = E[at + k]
        axis_a, axis_b, n_a, n_b = LA[a, 0], LB[b, 0], 1 + int(opens_a), 1 + int(opens_b)
        first_apart = second_apart = False
        if both and opens_a:
            for second in range(2):
                child = at + (6 + second) * PAIR
                for k in range(PAIR):
                    E[child + k] = E[base + k]
                _cut(E, child, BOX_A, AROUND_A, axis_a, 1 - second, NA[a, second], R, G, 1)
                is_apart = _apart(E, child, AROUND_A, BOX_B, axis_a, 1 - second, G, 1)
                first_apart, second_apart = (
                    (is_apart, second_apart) if second == 0 else (first_apart, is_apart)
                )
        for of_b in range(n_b):
            state[CUTS] += n_a
            for k in range(PAIR):
                E[kept + k] = E[base + k]
            if opens_b:
                _cut(E, kept, BOX_B, AROUND_B, axis_b, 1 - of_b, NB[b, of_b], R, G, 0)
                if _apart(E, kept, AROUND_B, BOX_A, axis_b, 1 - of_b, G, 0):
                    continue
            for of_a in range(n_a):
                if first_apart if of_a == 0 else second_apart:
                    continue
                new = PAIR * depth
                for k in range(PAIR):
                    E[new + k] = E[kept + k]
                if opens_a:
                    if both:
                        for k in range(6):
                            E[new + AROUND_A + k] = E[at + (6 + of_a) * PAIR + AROUND_A + k]
                    E[new + BOX_A + 3 * (1 - of_a) + axis_a] = NA[a, of_a]
                    if _face_apart(E, new, BOX_A, axis_a, 1 - of_a, AROUND_B):
                        continue
                if both and opens_b and _face_apart(E, new, BOX_B, axis_b, 1 - of_b, AROUND_A):
                    continue
                nodes[2 * depth] = LA[a, 1] + of_a if opens_a else a
                nodes[2 * depth + 1] = LB[b, 1] + of_b if opens_b else b
                depth += 1
    state[LEAVES] += found
    return found


def begin(a: Tree, b: Tree, X_AB: npt.NDArray[np.float64]) -> tuple[npt.NDArray[Any], ...]:
    """Return the stack with the pair of roots, |R| and |R^T|, which entries are positive, and space for nodes."""
    R, p = X_AB[:3, :3], X_AB[:3, 3]
    E = np.zeros(PAIR * (3 * (a.depth + b.depth) + 12))
    for own, around, box, turn, shift in (
        (BOX_B, AROUND_B, b.box, R, p),
        (BOX_A, AROUND_A, a.box, R.T, -R.T @ p),
    ):
        center, half = turn @ (0.5 * (box[:3] + box[3:])) + shift, np.abs(turn) @ (0.5 * (box[3:] - box[:3]))
        E[own : own + 6] = box
        E[around : around + 6] = np.concatenate([center - half, center + half])
    factors = np.concatenate([np.abs(R).reshape(-1), np.abs(R.T).reshape(-1)])
    signs = np.concatenate([R.reshape(-1) > 0.0, R.T.reshape(-1) > 0.0]).astype(np.int64)
    return E, factors, signs, np.zeros(len(E) // PAIR * 2, np.int32)


def overlapping(
    a: Tree, b: Tree, X_AB: npt.NDArray[np.float64], *, both: bool = True
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    """Return the pairs of polygons whose boxes overlap, (n, 2), and the counts of the search."""
    E, R, G, nodes = begin(a, b, X_AB)
    state, leaves = np.zeros(STATE, np.int64), np.empty((1 << 20, 2), np.int32)
    n = search(a.cuts, a.links, b.cuts, b.links, E, R, G, nodes, leaves, state, both)
    return leaves[:n], state


def operations_of(case: Case) -> dict[str, float]:
    """Return operations of a search, counted where kernels are plain Python, and its counts."""
    counts.update(dict.fromkeys(counts, 0))
    E, R, G, nodes = (case[name] for name in ("E", "R", "G", "nodes"))
    cuts_a, cuts_b = (counting(case[name]) for name in ("cuts_a", "cuts_b"))
    state, leaves = np.zeros(STATE, np.int64), np.empty((1 << 16, 2), np.int32)
    search(
        cuts_a, case["links_a"], cuts_b, case["links_b"], counting(E), counting(R), G, nodes, leaves, state,
        bool(case["both"]),
    )  # fmt: skip
    return {**counts, "steps": int(state[STEPS]), "pairs": int(state[CUTS]), "leaves": int(state[LEAVES])}
