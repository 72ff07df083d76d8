"""Rows of PAIR about exact shapes, one after the other in one call: convex bodies and meshes, contacts and distances.

Rows of one pair of items (`pair`) are beside each other. After a contact, its later rows are cut at the contact, so
that a pair is advanced only as far as its answer needs. A row that this arithmetic cannot decide is left to the caller:
its `unproved` is set. Where one solid is inside another, surfaces are apart; so the start of a row is checked first.
"""

from __future__ import annotations

import math

import numpy as np

from keepclear.compiler.kernel import kernel
from keepclear.kernels.advance import convex, hull_windows, mesh_pair, minimum
from keepclear.kernels.advance import mesh_convex as swept_mesh_convex
from keepclear.kernels.advance.convex import RELATIVE
from keepclear.kernels.box_trees import containment
from keepclear.kernels.convex import gjk
from keepclear.kernels.convex.support import RADIUS
from keepclear.kernels.motion.rows import motion_of
from keepclear.kernels.motion.state import mapped, piece_at, relative_at
from keepclear.kernels.tables.body import links_at, nodes_at, reals_at
from keepclear.kernels.tables.surface import ORIGIN, ROOT_HALF
from keepclear.kernels.trees import mesh_convex
from keepclear.kernels.trees.obb_distance import CONTAINED

# Entry points, to which this one is linked: their code is compiled once.
_two_convex, _least_convex = convex.advance_pair, minimum.least_pair
_beside_convex, _two_meshes = swept_mesh_convex.search, mesh_pair.search
_near_windows = hull_windows.near_windows
_keeps_out, _closest, _contained = (
    swept_mesh_convex.keeps_out,
    mesh_convex.distance,
    containment.contained_many,
)

PIECE = (
    1 << 18
)  # pairs of boxes and distances until it returns, so that Ctrl-C works: about a tenth of a second
CONTACT, UNIT, HORIZON, FALLS = 0, 1, 2, 3
STATE = 4
"""Numbers that calls share: the contact of the pair so far [s] and the unit of its row; the time after which nothing is
asked [s], and whether it falls with each contact."""

BELOW, WHEN, OWNER, LOWER, EFFORT = 0, 1, 2, 3, 4
LEAST = 5
"""Numbers of a row whose least distance is searched: what larger distances do not matter than [m], when that is reached
[s], and the row that reaches it (UNKNOWN: none, KNOWN: no row of the search); they go on to the next row of the unit.
Then a lower bound of the row [m], and the number of distances."""
UNKNOWN, KNOWN = -1.0, -2.0
SPANS, NEXT, TOLERANCE, PART = 0, 1, 2, 3
"""Numbers that calls of `least_distances` share: spans of time of a row (-1: not known yet), the next of them; how far
apart bounds may be [m], and the part of that for a search."""


@kernel(
    "boolean(float64[::1], int32[::1], float32[::1], int32[::1], float64[::1], int32[::1], float32[::1], int32[::1],"
    " float64[::1], float64[::1], PAIR[::1], float64[::1], float64[::1])",
    boundscheck=False,
    allocates=True,
)
def starts_inside(SA, TA, NA, LA, SB, TB, NB, LB, QA, QB, pairs, windows, R):
    """Return whether a mesh A and B of the only row are one inside the other at `now`.

    A comparison of surfaces does not find that. B is a mesh, or convex and without a tree.
    """
    pair = pairs[0]
    t, size = pair.now, pair.scale
    if pair.apart or (NB.shape[0] == 0 and _keeps_out(SA, NA, SB, TB, QA, QB, size, t, windows)):
        return False
    # Relative to A, so that a matrix that is not quite rigid is used as it is.
    relative_at(QA, piece_at(QA, t), QB, piece_at(QB, t), t, R, R, RELATIVE)
    x, y, z = mapped(R, RELATIVE, pair.ball[0], pair.ball[1], pair.ball[2])
    x, y, z = x - SA[ORIGIN], y - SA[ORIGIN + 1], z - SA[ORIGIN + 2]
    reach = pair.ball[3] + (SB[RADIUS] if NB.shape[0] == 0 else 0.0)
    around = math.sqrt(SA[ROOT_HALF] ** 2 + SA[ROOT_HALF + 1] ** 2 + SA[ROOT_HALF + 2] ** 2)
    # harmless (1.01): bodies that are apart are not inside each other, which the rest finds out as well
    if math.sqrt(x * x + y * y + z * z) > 1.01 * (
        around + motion_of(QB).largest / motion_of(QA).smallest * reach
    ):
        return False
    X_AA, X_AB = np.zeros((1, 4, 4)), np.zeros((1, 4, 4))
    for i in range(4):
        X_AA[0, i, i] = 1.0
        for j in range(4):
            X_AB[0, i, j] = R[RELATIVE + 4 * i + j] if i < 3 else X_AA[0, i, j]
    X_AB[0, 3, 3] = 1.0
    if NB.shape[0] == 0:
        row = np.empty(gjk.ROW)
        _closest(SA, TA, NA, LA, SB, TB, X_AA, X_AB, row, 0, 1)
        return row[gjk.STATE] == CONTAINED
    inner, vertices = np.zeros(1, np.int32), np.zeros(1, np.int32)
    _contained(SA, TA, NA, LA, SB, TB, NB, LB, X_AA, X_AB, np.zeros(1, np.int64), inner, vertices)
    return inner[0] != 0


@kernel(boundscheck=False, allocates=True)
def run_row(bodies, Q, motions, pairs, k, most, windows, halves, stack, W, M):
    """Run row k, one that has begun or not, to its end or its budget; return whether it is paused.

    Args:
        bodies, Q, motions: Bodies; motions, concatenated, and where each begins.
        pairs: The rows; `limit` is 0 in those that have not begun.
        most: Maximum number of distances.
        windows, halves, stack: Scratch of searches through trees, which has the state of a paused row.
        W, M: Scratch of searches of convex bodies.
    """
    pair = pairs[k]
    a, b = bodies[pair.shape_a], bodies[pair.shape_b]
    SA, TA = reals_at(a.reals, a.n_reals), links_at(a.links, a.n_links)
    SB, TB = reals_at(b.reals, b.n_reals), links_at(b.links, b.n_links)
    NA, LA = nodes_at(a.nodes, a.n_nodes), links_at(a.children, a.n_children)
    NB, LB = nodes_at(b.nodes, b.n_nodes), links_at(b.children, b.n_children)
    QA, QB = Q[motions[pair.motion_a] :], Q[motions[pair.motion_b] :]
    only = pairs[k : k + 1]
    if (
        pair.limit == 0
        and NA.shape[0] > 0
        and starts_inside(SA, TA, NA, LA, SB, TB, NB, LB, QA, QB, only, windows, W)
    ):
        pair.limit, pair.distance, pair.time, pair.certain, pair.lower = 1, 0.0, pair.now, pair.now, 0.0
        pair.triangle_a, pair.triangle_b = -1, -1
        return False
    before = pair.evaluations + pair.box_pairs
    while True:
        done = pair.evaluations + pair.box_pairs
        pair.limit = done + min(PIECE, most - pair.evaluations)
        if NB.shape[0] > 0:
            paused = _two_meshes(SA, TA, NA, LA, SB, TB, NB, LB, QA, QB, only, windows, halves, stack) != 0
        elif NA.shape[0] > 0:
            paused = _beside_convex(SA, TA, NA, LA, SB, TB, QA, QB, only, windows, halves, stack) != 0
        elif pair.least:
            paused = _least_convex(SA, TA, SB, TB, QA, QB, only, W, M)
        else:
            paused = _two_convex(SA, TA, SB, TB, QA, QB, only, W, M)
        if not paused or pair.evaluations >= most:
            return False
        if pair.evaluations + pair.box_pairs - before >= PIECE:
            return True


@kernel(
    "int64(BODY[::1], float64[::1], int64[::1], PAIR[::1], int64, int64, int64, float64[::1], float64[::1],"
    " int32[::1], int32[::1], float64[::1], float64[::1])",
    allocates=True,
)
def first_contacts(bodies, Q, motions, pairs, begin, end, most, state, windows, halves, stack, W, M):
    """Search the first contact of rows, each from its `now`, until its end, a contact or its budget.

    Rows of a pair are in the order of units, then of times. Those after a contact in an earlier unit, or that start
    later than the contact, keep the limit 0: nothing is asked about them.

    Args:
        bodies, Q, motions, pairs, windows, halves, stack, W, M: As in `run_row`.
        begin, end: Range of rows.
        most: Maximum number of distances of each.
        state: STATE numbers; the first two are those of the row before `begin`.

    Returns:
        Where to go on: `end`; a row that is paused; or one that is left to the caller, whose `unproved` is set.
    """
    work = 0
    for k in range(begin, end):
        pair = pairs[k]
        if k == 0 or pairs[k - 1].pair != pair.pair:
            state[CONTACT], state[UNIT] = math.inf, -1.0
        if pair.limit == 0:
            latest = min(state[CONTACT], state[HORIZON])
            # harmless (>): a row that begins at the contact is asked about that instant
            if pair.t0 > latest or (state[CONTACT] < math.inf and pair.unit != state[UNIT]):
                continue
            if latest < pair.t1:
                pair.t1 = pair.end = latest
                if pair.t0 == latest:  # an instant, while the bodies move
                    pair.unproved = 1
        if pair.unproved or run_row(bodies, Q, motions, pairs, k, most, windows, halves, stack, W, M):
            return k
        if pair.unproved:
            return k
        time = min(pair.time, pair.t1)
        if pair.time <= pair.now and time < state[CONTACT]:
            state[CONTACT], state[UNIT] = time, pair.unit
            if state[FALLS] != 0.0:
                state[HORIZON] = min(state[HORIZON], time)
        work += pair.evaluations + pair.box_pairs
        if work >= PIECE:
            return k + 1
    return end


@kernel(
    "int64(BODY[::1], float64[::1], int64[::1], PAIR[::1], PAIR[::1], PAIR[::1], int64, int64, boolean, float64[::1],"
    " float64[:,::1], float64[::1], float64[::1], int32[::1], int32[::1], float64[::1], float64[::1])",
    allocates=True,
)
def least_distances(
    bodies,
    Q,
    motions,
    hulls,
    pairs,
    only,
    begin,
    most,
    cuts,
    state,
    found,
    spans,
    windows,
    halves,
    stack,
    W,
    M,
):
    """Search the least distances of units, as far as they are less than what is known.

    Rows are in the order of units, and in each unit by the lower bounds of hulls.

    Args:
        bodies, Q, motions, windows, halves, stack, W, M: As in `run_row`.
        hulls: The rows with their hulls, searched.
        pairs: The same rows with exact shapes; those that are `unproved` are left to the caller.
        only: One row, for the search in a span of time.
        begin: The first row.
        most: Maximum number of distances of a search.
        cuts: Whether rows are searched only while their hulls are closer than what is known.
        state: See SPANS.
        found: A line for each row, see BELOW; the first three numbers of the first row of each unit are given.
        spans: Receives the spans of time of a row, begin and end of each.

    Returns:
        Where to go on: the number of rows; a row that is paused; or one of which a span is left to the caller, by
        `unproved` of `only`.
    """
    work = 0
    for k in range(begin, pairs.shape[0]):
        tolerance = state[TOLERANCE]
        if state[SPANS] < 0.0:
            if k > 0 and pairs[k - 1].unit == pairs[k].unit:
                found[k, BELOW], found[k, WHEN], found[k, OWNER] = (
                    found[k - 1, BELOW], found[k - 1, WHEN], found[k - 1, OWNER]
                )  # fmt: skip
            limit, n = found[k, BELOW] - state[PART] * tolerance, 1
            found[k, LOWER], found[k, EFFORT] = max(limit, 0.0), 0.0
            spans[0], spans[1] = pairs[k].t0, pairs[k].t1
            if limit <= 0.0:
                n = 0
            elif cuts and not hulls[k].unproved:
                # harmless (max): outside of the spans the distance is proved, however exact their ends are
                near = max(tolerance, 0.05 * limit)
                n = _near_windows(bodies, Q, motions, hulls, k, limit, near, spans, only, W, M)
            state[SPANS], state[NEXT] = float(n), 0.0
            only[0].limit = 0
        while state[NEXT] < state[SPANS]:
            w = 2 * int(state[NEXT])
            if only[0].limit == 0:
                only[0] = pairs[k]
                row = only[0]
                row.t0, row.t1, row.now, row.end = spans[w], spans[w + 1], spans[w], spans[w + 1]
                row.distance, row.time, row.limit = found[k, BELOW], spans[w], 0
                if found[k, OWNER] != UNKNOWN:
                    row.hint = math.nan
                # An instant, and a mesh of which no distance is known, which needs one to begin with.
                if row.t0 == row.t1 or (
                    not row.unproved and bodies[row.shape_a].n_nodes > 0 and row.hint == row.hint
                ):
                    row.unproved = 1
            row = only[0]
            if row.unproved or run_row(bodies, Q, motions, only, 0, most, windows, halves, stack, W, M):
                return k
            if row.unproved:
                return k
            lower = row.lower
            if bodies[row.shape_a].n_nodes > 0:
                lower = max(0.0, row.distance - row.tolerance)
            if row.now < row.t1:  # the budget ended, or one body is inside the other
                lower = 0.0
            work += row.evaluations + row.box_pairs
            # harmless (min): a smaller lower bound
            found[k, LOWER] = min(found[k, LOWER], min(lower, row.distance))
            found[k, EFFORT] += row.evaluations
            if row.distance < found[k, BELOW]:
                found[k, BELOW], found[k, WHEN], found[k, OWNER] = row.distance, row.time, float(k)
            state[NEXT] += 1.0
            row.limit = 0
        state[SPANS] = -1.0
        if work >= PIECE:
            return k + 1
    return pairs.shape[0]
