"""Many pairs of bodies at given instants: their poses, distances and path lengths, all pairs in one call."""

from __future__ import annotations

import numpy as np

from keepclear.compiler.kernel import kernel
from keepclear.kernels.convex import epa, gjk
from keepclear.kernels.convex.pose import project_poses
from keepclear.kernels.motion.path_length import path_lengths
from keepclear.kernels.motion.state import poses_at
from keepclear.kernels.tables.body import links_at, nodes_at, reals_at
from keepclear.kernels.trees import cold_distance, mesh_convex
from keepclear.kernels.trees.obb_distance import LIMIT
from keepclear.kernels.trees.obb_pair import BOX_PAIRS

_two_meshes, _beside_convex = cold_distance.distance, mesh_convex.distance
_two_convex, _depths = gjk.distance_many, epa.penetration_many
_ROW, _ITERATIONS, _MEMORY = gjk.ROW, gjk.ITERATIONS, gjk.MEMORY


@kernel(
    "int64(BODY[::1], float64[::1], int64[::1], SAMPLED[::1], float64[::1], float64[:,:,::1], float64[:,:,::1],"
    " float64[::1], int64[::1], int64)",
    allocates=True,
)
def distances(bodies, Q, motions, pairs, times, X_WA, X_WB, rows, state, begin):
    """Fill the rows of all instants from `begin` on; return where to continue, or -1 - p for a bad pose of pair p.

    Args:
        bodies: The bodies.
        Q, motions: Motions, concatenated, and where each begins.
        pairs: Which bodies with which motions; their ranges of instants follow each other.
        times: Instants.
        X_WA, X_WB: Receive the poses, or have those that are given.
        rows: Result rows as `gjk` writes them; of a convex A and a mesh B they have A and B exchanged.
        state: Counters, as in `obb_pair`, and LIMIT: above that many pairs of boxes or iterations it pauses.
    """
    memory = np.empty(_MEMORY)
    for p in range(pairs.shape[0]):
        pair = pairs[p]
        first, end = max(pair.first, begin), pair.end
        if first >= end:
            continue
        a, b = bodies[pair.a], bodies[pair.b]
        FA, LA = reals_at(a.reals, a.n_reals), links_at(a.links, a.n_links)
        FB, LB = reals_at(b.reals, b.n_reals), links_at(b.links, b.n_links)
        NA, KA = nodes_at(a.nodes, a.n_nodes), links_at(a.children, a.n_children)
        NB, KB = nodes_at(b.nodes, b.n_nodes), links_at(b.children, b.n_children)
        XA, XB, out = X_WA[first:end], X_WB[first:end], rows[_ROW * first : _ROW * end]
        if pair.motion_a >= 0:
            poses_at(Q[motions[pair.motion_a] :], times[first:end], XA)
        if pair.motion_b >= 0:
            poses_at(Q[motions[pair.motion_b] :], times[first:end], XB)
        n = done = end - first
        if NA.shape[0] == 0 and NB.shape[0] == 0:
            met = _two_convex(FA, LA, FB, LB, XA, XB, out, memory, False)
            if met < 0:
                return -1 - p
            if met > 0:
                _depths(FA, LA, FB, LB, XA, XB, out)
        elif project_poses(XA) != 0 or project_poses(XB) != 0:
            return -1 - p
        elif NB.shape[0] == 0:
            _beside_convex(FA, LA, NA, KA, FB, LB, XA, XB, out, 0, n)
        elif NA.shape[0] == 0:
            _beside_convex(FB, LB, NB, KB, FA, LA, XB, XA, out, 0, n)
        else:
            done = _two_meshes(
                FA, LA, NA, KA, FB, LB, NB, KB, XA, XB, np.ones(n), out, state, 0, n
            )  # fmt: skip
        if NA.shape[0] == 0 or NB.shape[0] == 0:
            for k in range(n):
                state[BOX_PAIRS] += int(out[_ROW * k + _ITERATIONS])
        if state[BOX_PAIRS] > state[LIMIT]:
            return first + done
    return times.shape[0]


@kernel(
    "void(float64[::1], int64[::1], SAMPLED[::1], float64[:,::1], float64[::1], float64[::1], float64[::1])"
)
def pair_path_lengths(Q, motions, pairs, bodies, times, n, out):
    """Bound how far points of B move in A's frame from each instant of a pair to its next, as `path_lengths` does.

    Args:
        Q, motions: Motions, concatenated, and where each begins.
        pairs: Their motions and ranges of instants.
        bodies: Points of B of each pair: a ball and a box.
        times: Instants; no knot lies between two of a pair.
        n: Unit vector in A's frame, (3,).
        out: Receives three numbers for each instant and the next.
    """
    for p in range(pairs.shape[0]):
        pair = pairs[p]
        if pair.end - pair.first > 1:
            path_lengths(
                Q[motions[pair.motion_a] :], Q[motions[pair.motion_b] :], bodies[p], times[pair.first : pair.end], n,
                out[3 * pair.first : 3 * pair.end - 3],
            )  # fmt: skip
