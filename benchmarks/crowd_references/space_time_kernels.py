"""Hubbard's space-time bounds, compiled: hypertrapezoids around parabolic horns, all rebuilt at each collision.

Hubbard (IEEE TVCG 1(3), 1995), as Kim, Guibas and Shin describe and modify his broad phase. All spheres are probed at
one time. Until an interval T has passed, sphere i is inside a box whose faces move at constant speed: along each axis
they are at x +- r + (v +- A T / 2) s, the chords of the horn's parabolas. Along each axis the faces are lines over
time, kept in their order by a sweep that swaps neighbours where lines intersect (Bentley and Ottmann; all lines begin
and end together). At an intersection where two bounds begin to overlap along one axis and overlap along the others,
they collide: both spheres are checked, and all bounds are built again.

Boxes of spheres that pass diagonally overlap while the spheres are apart, and space-time bounds alone would stop time.
Such pairs are given the time before which their horns cannot touch instead, which is to Hubbard's advantage. So are the
interval T, which follows the mean time between collisions, and lines that stay sorted from one building to the next.
"""

from __future__ import annotations

import math

from keepclear.compiler.kernel import kernel
from keepclear.kernels.crowd import layout as at
from keepclear.kernels.crowd.events import TABLES, meet, meet_walls
from keepclear.kernels.crowd.heap import drop, set_time
from keepclear.kernels.crowd.motion import refresh
from keepclear.kernels.crowd.pairs import add_pair, approach_step, later, remove_pair, tick, wall_step

# What is counted: bounds built (of all spheres), faces swapped, collisions of bounds, of horns and with walls;
# and how many pairs are listed because their boxes overlap, -1 if that is not known.
BUILT, SWAPPED, BOUNDS, HORNS, WALLS, LISTED = 0, 1, 2, 3, 4, 5
RUN = 1 << 12
# Boxes this part of the coordinates apart count as overlapping when bounds are built: rounding does not stop time.
NEAR = 1e-6
# How fast the mean time between collisions follows.
FOLLOWING = 0.02


@kernel(boundscheck=False)
def build_bounds(F, N, S, D, C, X, U, t, T):
    """Probe all spheres and write their faces: X at the start and U the speeds, (axis, 2 i + side)."""
    for i in range(len(F)):
        refresh(F, N, S, D, C, i, t)
        r, grow = (
            F[i, at.RADIUS] + 0.5 * S[at.OWN_TOLERANCE] + 4.0 * S[at.SLACK],
            0.5 * F[i, at.ACCELERATION] * T,
        )
        for c in range(3):
            x, v = F[i, at.X + c], F[i, at.V + c]
            X[c, 2 * i], X[c, 2 * i + 1] = x - r, x + r
            U[c, 2 * i], U[c, 2 * i + 1] = v - grow, v + grow


@kernel(boundscheck=False)
def sort_faces(X, order):
    """Sort the faces of each axis, which are nearly sorted, by where they start."""
    for c in range(3):
        for k in range(1, X.shape[1]):
            e = order[c, k]
            x, m = X[c, e], k - 1
            while m >= 0 and X[c, order[c, m]] > x:
                order[c, m + 1] = order[c, m]
                m -= 1
            order[c, m + 1] = e


@kernel(inline=True, boundscheck=False)
def overlap_on(X, U, c, i, j, s, near):
    """Return whether two bounds are so near along an axis, s after they were built; 0 is overlapping."""
    return (
        X[c, 2 * i] + U[c, 2 * i] * s <= X[c, 2 * j + 1] + U[c, 2 * j + 1] * s + near
        and X[c, 2 * j] + U[c, 2 * j] * s <= X[c, 2 * i + 1] + U[c, 2 * i + 1] * s + near
    )


@kernel(boundscheck=False)
def overlap_at_start(X, U, i, j, near):
    """Return whether the boxes of two spheres overlap when bounds are built, or all but do."""
    return (
        overlap_on(X, U, 0, i, j, 0.0, near)
        and overlap_on(X, U, 1, i, j, 0.0, near)
        and overlap_on(X, U, 2, i, j, 0.0, near)
    )


@kernel(boundscheck=False)
def list_overlaps(X, U, order, active, P, near):
    """List the pairs whose boxes overlap by a sweep along the first axis; return how many, -1 if they do not fit."""
    n, listed = 0, 0
    for k in range(X.shape[1]):
        i, m = order[0, k] >> 1, 0
        if order[0, k] & 1:
            continue
        while m < n:
            j = active[m]
            if X[0, 2 * j + 1] < X[0, 2 * i] - near:  # behind the sweep
                n -= 1
                active[m] = active[n]
                continue
            m += 1
            if overlap_at_start(X, U, i, j, near):
                if listed == len(P):
                    return -1
                P[listed, 0], P[listed, 1] = i, j
                listed += 1
        active[n] = i
        n += 1
    return listed


@kernel(boundscheck=False)
def first_horns(F, N, S, C, X, U, P, listed, t, T, near):
    """Return when horns of listed pairs first touch, whose, and how many stay listed: those whose boxes overlap.

    New boxes are inside the bounds that they replace, so no other pair's overlap but the one that collided.
    """
    least, first, second, k = T, -1, -1, 0
    while k < listed:
        i, j = P[k, 0], P[k, 1]
        if not overlap_at_start(X, U, i, j, near):
            listed -= 1
            P[k, 0], P[k, 1] = P[listed, 0], P[listed, 1]
            continue
        k += 1
        s = approach_step(F, N, S, C, i, j, t, least)
        if s < least:
            least, first, second = s, i, j
    return least, first, second, listed


@kernel(boundscheck=False)
def is_listed(P, listed, i, j):
    """Return whether a pair is among the first rows of the list, in either order."""
    k = 0
    while k < listed and not ((P[k, 0] == i and P[k, 1] == j) or (P[k, 0] == j and P[k, 1] == i)):
        k += 1
    return k < listed


@kernel(boundscheck=False)
def first_wall(F, N, S, C, X, U, t, T):
    """Return when a sphere may first touch a wall, and which; T and -1 if none may within T."""
    least, first = T, -1
    if S[at.WALLED] == 0.0:
        return least, first
    for i in range(len(F)):
        near = False
        for c in range(int(S[at.DIMENSIONS])):
            lo, hi = X[c, 2 * i], X[c, 2 * i + 1]
            near |= min(lo, lo + U[c, 2 * i] * least) <= S[at.LOWER + c]
            near |= max(hi, hi + U[c, 2 * i + 1] * least) >= S[at.UPPER + c]
        if near:
            s = wall_step(F, N, S, C, i, t)
            if s < least:
                least, first = s, i
    return least, first


@kernel(inline=True, boundscheck=False)
def intersection(X, U, order, c, k):
    """Return when the k-th face of an axis and the next one intersect; inf if never."""
    e, f = order[c, k], order[c, k + 1]
    closing = U[c, e] - U[c, f]
    return (X[c, f] - X[c, e]) / closing if closing > 0.0 else math.inf


@kernel(boundscheck=False)
def first_bounds(X, U, order, P, listed, K, H, Z, W, T):
    """Return when two bounds that are not listed first overlap, and whose; T and -1 if none do until T."""
    size = X.shape[1]
    for c in range(3):
        for k in range(size - 1):
            s = intersection(X, U, order, c, k)
            if s < T:
                set_time(K, H, Z, c * size + k, s)
    while Z[at.HEAP_SIZE] > 0:
        s, item = K[0], H[0, at.ITEM]
        c, k = item // size, item % size
        e, f = order[c, k], order[c, k + 1]
        order[c, k], order[c, k + 1] = f, e
        W[SWAPPED] += 1
        i, j = e >> 1, f >> 1
        if e & 1 == 1 and f & 1 == 0 and i != j:
            a, b = (c + 1) % 3, (c + 2) % 3
            both = overlap_on(X, U, a, i, j, s, 0.0) and overlap_on(X, U, b, i, j, s, 0.0)
            if both and not is_listed(P, listed, i, j):
                while Z[at.HEAP_SIZE] > 0:
                    drop(K, H, Z, H[0, at.ITEM])
                return s, i, j
        for m in range(max(k - 1, 0), min(k + 2, size - 1)):
            u = max(intersection(X, U, order, c, m), s)
            if u < T:
                set_time(K, H, Z, c * size + m, u)
            else:
                drop(K, H, Z, c * size + m)
    return T, -1, -1


@kernel(f"int64({TABLES}, float64[:,::1], float64[:,::1], int64[:,::1], int64[::1], float64[::1], int64[:,::1], "
        "int64[::1], int64[::1], float64[::1], int64[:,::1], float64, float64, boolean)")  # fmt: skip
def advance_space_time(tables, X, U, order, active, K, H, Z, W, mean, P, until, factor, is_anew):
    """Advance a crowd from collision to collision of its space-time bounds; return `DONE` or which table is full."""
    F, N, Q, KQ, HQ, _, _, C, S, D, E, L = tables
    for _ in range(RUN):
        t = S[at.TIME]
        if t >= until:
            return at.DONE
        if C[at.N_EVENTS] + 8 > len(E):
            return at.EVENTS_FULL
        near = NEAR * S[at.EXTENT]
        T = min(max(factor * mean[0], 4.0 * tick(t)), until - t)
        build_bounds(F, N, S, D, C, X, U, t, T)
        sort_faces(X, order)
        W[BUILT] += 1
        wall, w = first_wall(F, N, S, C, X, U, t, T)
        if is_anew or W[LISTED] < 0 or W[LISTED] == len(P):
            W[LISTED] = list_overlaps(X, U, order, active, P, near)
            if W[LISTED] < 0:
                return at.GROW_PAIRS
        horns, i, j, W[LISTED] = first_horns(F, N, S, C, X, U, P, W[LISTED], t, wall, near)
        bounds, p, q = first_bounds(X, U, order, P, W[LISTED], K, H, Z, W, horns)
        if p >= 0:
            P[W[LISTED], 0], P[W[LISTED], 1] = p, q
            W[LISTED] += 1
        now = later(t, bounds) if p >= 0 or i >= 0 or w >= 0 else t + T
        S[at.TIME] = now
        mean[0] += FOLLOWING * (max(bounds, 1e-3 * mean[0]) - mean[0])
        if p < 0 and i < 0:
            if w >= 0:
                W[WALLS] += 1
                meet_walls(F, N, KQ, HQ, C, S, D, E, L, w, now)
            continue
        W[HORNS if p < 0 else BOUNDS] += 1
        first, second = (i, j) if p < 0 else (p, q)
        F[first, at.HORIZON], F[second, at.HORIZON] = -math.inf, -math.inf
        pair = add_pair(N, Q, C, first, second, at.APART)
        meet(F, N, Q, KQ, HQ, C, S, D, E, L, pair, now)
        if Q[pair, at.FIRST] >= 0:
            remove_pair(N, Q, KQ, HQ, C, pair)
    return at.OUT_OF_STEPS
