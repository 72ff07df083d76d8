"""The source's crowd as it describes it, compiled: entering, leaving, resetting and colliding are events of one queue.

Kim, Guibas and Shin (Algorithmica 43, 2005), sections 3 and 4.1. A bound is registered in the cells that it touches,
along each axis at most two. It enters a cell when it touches the face, leaves it when it parts from the face, is reset
when its diameter is the edge of the cell, and collides when it touches another bound or a wall; then the bounds
concerned are reset. Motions, impulses and what counts as a contact are keepclear's, and so are the heap, the lists of
pairs and the hashed cells, so that a comparison is one of algorithms. Each sphere has one item in the queue, for the
earliest of its own candidates; the events that occur are the same as with one item per candidate.
"""

from __future__ import annotations

import math

from keepclear.compiler.kernel import kernel
from keepclear.kernels.crowd import layout as at
from keepclear.kernels.crowd.events import TABLES, bounce, meet_walls
from keepclear.kernels.crowd.grid import cell_key, find_cell, has_capacity, register, whole
from keepclear.kernels.crowd.heap import drop, set_time
from keepclear.kernels.crowd.motion import refresh, set_anchor
from keepclear.kernels.crowd.pairs import (
    ACCURACY,
    add_pair,
    approach_step,
    contact_tolerance,
    has_parted,
    is_contact,
    later,
    overlap_step,
    relative,
    remove_pair,
    speed_of,
    tick,
    touching_distance,
    wall_step,
)
from keepclear.kernels.crowd.renewal import emit_pair
from keepclear.kernels.crowd.roots import NEARLY_ONE, first_root

# What is counted; at.HORIZON is when a bound is reset, and two columns that hold boxes elsewhere hold its next face.
ENTERING, LEAVING, RESETTING, COLLIDING, WALLS = 0, 1, 2, 3, 4
FACE_TIME, FACE = at.LO, at.LO + 1
HORIZON, RANGE = at.HORIZON, at.RANGE
# The edge of a cell is at least this many radii: twice the diameter.
EDGE_IN_RADII = 4.0
# A bound has left a cell when it is this part of an edge away from it, so that rounding does not bring it back.
PARTED = 1e-9
RUN, FAR = 1 << 20, 1 << 40


@kernel(boundscheck=False)
def quartic_root(x, y, z, vx, vy, vz, R, b, a, horizon, slack):
    """Return the smallest positive root of equation (10), or a little less; inf if it is after the horizon.

    The polynomial p has a negative fourth and a third coefficient that is not positive, so p'' falls: p is convex up to
    the root of p'' and concave after it. Newton's steps from 0 rise to a root in the convex part and never pass it; the
    concave part has one root, between a chord's and a tangent's.
    """
    R += slack
    c4, c3 = -0.25 * a * a, -a * b
    c2 = vx * vx + vy * vy + vz * vz - a * R - b * b
    c1 = 2.0 * (x * vx + y * vy + z * vz - b * R)
    d = math.sqrt(x * x + y * y + z * z)
    c0 = (d - R) * (d + R)
    if c0 <= 0.0:
        return 0.0
    bend = 0.0
    if c2 > 0.0:
        bend = math.inf if a == 0.0 else c2 / (-1.5 * c3 + math.sqrt(2.25 * c3 * c3 - 6.0 * c4 * c2))
    s, p = 0.0, c0
    for _ in range(100):
        slope = c1 + s * (2.0 * c2 + s * (3.0 * c3 + 4.0 * c4 * s))
        if slope >= 0.0:  # it rises until the bend
            s = bend
            break
        step = -p / slope
        if s + step >= bend:
            s = bend
            break
        s += step
        if not s <= horizon:
            return math.inf
        if step <= ACCURACY * s:
            return s * NEARLY_ONE
        p = c0 + s * (c1 + s * (c2 + s * (c3 + c4 * s)))
        if p <= 0.0:
            return s * NEARLY_ONE
    if s == math.inf or s > horizon:
        return math.inf
    lo, hi = s, horizon
    at_lo = c0 + lo * (c1 + lo * (c2 + lo * (c3 + c4 * lo)))
    if at_lo <= 0.0:
        return lo * NEARLY_ONE
    if hi == math.inf:
        hi = max(2.0 * lo, 1e-3)
        while c0 + hi * (c1 + hi * (c2 + hi * (c3 + c4 * hi))) > 0.0:
            hi *= 2.0
    at_hi = c0 + hi * (c1 + hi * (c2 + hi * (c3 + c4 * hi)))
    if at_hi > 0.0:
        return math.inf
    for _ in range(100):
        slope = c1 + hi * (2.0 * c2 + hi * (3.0 * c3 + 4.0 * c4 * hi))
        chord = lo + (hi - lo) * (at_lo / (at_lo - at_hi)) * NEARLY_ONE
        tangent = hi - at_hi / slope if slope < 0.0 else hi
        if tangent > lo and tangent < hi:
            hi = tangent
            at_hi = min(c0 + hi * (c1 + hi * (c2 + hi * (c3 + c4 * hi))), 0.0)
        value = c0 + chord * (c1 + chord * (c2 + chord * (c3 + c4 * chord)))
        if chord <= lo or value <= 0.0:
            break
        lo, at_lo = chord, value
        if hi - lo <= ACCURACY * lo:
            break
    return lo * NEARLY_ONE


@kernel(boundscheck=False)
def collision_step(F, N, S, C, i, j, t, horizon):
    """Return when two bounds, each of its own age, touch; what touches already is treated as keepclear does."""
    x, y, z, vx, vy, vz, unknown, rate = relative(F, S, i, j, t)
    a = F[i, at.ACCELERATION] + F[j, at.ACCELERATION]
    R = touching_distance(F, S, i, j) + unknown
    if rate == 0.0:
        gap = math.sqrt(x * x + y * y + z * z) - R
        if gap <= contact_tolerance(S, t, speed_of(vx, vy, vz), a):
            return approach_step(F, N, S, C, i, j, t, horizon)
    C[at.ROOTS] += 1
    s = quartic_root(x, y, z, vx, vy, vz, R, rate, a, horizon, S[at.SLACK])
    return s if s == 0.0 else max(s, tick(t))


@kernel(boundscheck=False)
def next_face(F, N, S, i, t, edge):
    """Write when a bound next touches an outer face of its cells, or parts from an inner one, by equation (7)."""
    age, A = t - F[i, at.PROBED], F[i, at.ACCELERATION]
    radius = F[i, at.RADIUS] + 0.5 * (S[at.OWN_TOLERANCE] + A * age * age)
    least, face = math.inf, -1
    for c in range(int(S[at.DIMENSIONS])):
        x, first, last = F[i, at.X + c] + F[i, at.V + c] * age, N[i, RANGE + 2 * c], N[i, RANGE + 2 * c + 1]
        for side in range(2):
            sign = 1.0 - 2.0 * side
            reach, rate = sign * x + radius, sign * F[i, at.V + c] + A * age
            gap = (edge * (last + 1) if side == 0 else -edge * first) - reach - S[at.SLACK]
            s = first_root(gap, -rate, A) if gap > 0.0 else 0.0
            if s < least:
                least, face = s, 4 * c + side
            if last > first and rate < 0.0:
                gap = reach - (edge * last if side == 0 else -edge * (first + 1)) + PARTED * edge
                square = rate * rate - 2.0 * A * gap
                s = (
                    0.0
                    if gap <= 0.0
                    else (2.0 * gap / (math.sqrt(square) - rate) if square >= 0.0 else math.inf)
                )
                if s < least:
                    least, face = s, 4 * c + 2 + side
    F[i, FACE_TIME], F[i, FACE] = later(t, least), face


@kernel(boundscheck=False)
def shares_cell(N, level, first, last, j):
    """Return whether cells from first to last of a level, and those of sphere j, meet on the coarser level of both."""
    top = max(level, N[j, at.LEVEL])
    h, g = top - level, top - N[j, at.LEVEL]
    for c in range(3):
        if first[c] >> h > N[j, RANGE + 2 * c + 1] >> g or last[c] >> h < N[j, RANGE + 2 * c] >> g:
            return False
    return True


@kernel(boundscheck=False)
def scan(F, N, Q, K, H, C, S, i, t, block, B, old):
    """Queue the collisions of a bound with those in a list that shared none of its old cells; False without space."""
    stamp, level = C[at.STAMP], N[i, at.LEVEL]
    while block >= 0:
        for k in range(at.IDS, at.IDS + B[block, at.COUNT]):
            j = B[block, k]
            if N[j, at.MARK] == stamp:
                continue
            N[j, at.MARK] = stamp
            C[at.TESTS] += 1
            if shares_cell(N, level, old[0], old[1], j):
                continue
            until = min(F[i, HORIZON], F[j, HORIZON])
            s = collision_step(F, N, S, C, i, j, t, until - t)
            # Section 3.3: what comes after a reset is not queued.
            if s < math.inf and later(t, s) <= until:
                p = add_pair(N, Q, C, i, j, at.APART)
                if p < 0:
                    return False
                set_time(K, H, C, len(N) + p, later(t, s))
        block = B[block, at.FOLLOWING]
    return True


@kernel(boundscheck=False)
def scan_cells(F, N, Q, K, H, G, B, C, S, i, t, old):
    """Scan the cells of a bound that are not among its old ones, on its own and on coarser levels."""
    level = N[i, at.LEVEL]
    C[at.STAMP] += 1
    N[i, at.MARK] = C[at.STAMP]
    e = N[i, at.FIRST_PAIR]
    while e >= 0:
        N[Q[e >> 1, at.FIRST] + Q[e >> 1, at.SECOND] - i, at.MARK] = C[at.STAMP]
        e = Q[e >> 1, at.NEXT + (e & 1)]
    for e in range(level, C[at.TOP_LEVEL] + 1):
        h = e - level
        o = (old[0][0] >> h, old[0][1] >> h, old[0][2] >> h)
        p = (old[1][0] >> h, old[1][1] >> h, old[1][2] >> h)
        for ix in range(N[i, RANGE] >> h, (N[i, RANGE + 1] >> h) + 1):
            for iy in range(N[i, RANGE + 2] >> h, (N[i, RANGE + 3] >> h) + 1):
                for iz in range(N[i, RANGE + 4] >> h, (N[i, RANGE + 5] >> h) + 1):
                    if o[0] <= ix <= p[0] and o[1] <= iy <= p[1] and o[2] <= iz <= p[2]:
                        continue
                    row = find_cell(G, cell_key(e, ix, iy, iz))
                    if G[row, at.KEY] < 0:
                        continue
                    if not scan(F, N, Q, K, H, C, S, i, t, G[row, at.NATIVES], B, old):
                        return False
                    if h == 0 and not scan(F, N, Q, K, H, C, S, i, t, G[row, at.VISITORS], B, old):
                        return False
    return True


@kernel(boundscheck=False)
def drop_candidates(F, N, Q, K, H, C, S, i, t):
    """Forget the candidate collisions of a bound; those that overlap, where spheres pass, get new times."""
    e = N[i, at.FIRST_PAIR]
    while e >= 0:
        p = e >> 1
        e = Q[p, at.NEXT + (e & 1)]
        if Q[p, at.STATE] == at.APART:
            remove_pair(N, Q, K, H, C, p)
            continue
        j = Q[p, at.FIRST] + Q[p, at.SECOND] - i
        until = min(F[i, HORIZON], F[j, HORIZON])
        s = overlap_step(F, S, C, i, j, t, until - t)
        if s < math.inf and later(t, s) <= until:
            set_time(K, H, C, len(N) + p, later(t, s))
        else:
            drop(K, H, C, len(N) + p)


@kernel(boundscheck=False)
def queue_sphere(F, K, H, C, i):
    set_time(K, H, C, i, min(min(F[i, HORIZON], F[i, FACE_TIME]), F[i, at.WALL_TIME]))


@kernel(boundscheck=False)
def reset_again(F, N, K, H, C, i, t, status):
    """Let a bound be reset now, once there is more space; return what is missing."""
    F[i, HORIZON], N[i, at.JUMPED] = t, 1
    set_time(K, H, C, i, t)
    return status


@kernel(boundscheck=False)
def reset(F, N, Q, K, H, G, B, C, S, D, i, t):
    """Probe a sphere, make its bound the sphere, and find its cells, candidates and next reset anew."""
    if not refresh(F, N, S, D, C, i, t):
        return at.NEEDS_PROBE
    r = F[i, at.RADIUS] + 0.5 * S[at.OWN_TOLERANCE]
    level, edge = 0, S[at.EDGE]
    while edge < EDGE_IN_RADII * r:
        level, edge = level + 1, 2.0 * edge
    if level > C[at.TOP_LEVEL] or not has_capacity(G, B, C):
        C[at.TOPMOST] = max(C[at.TOPMOST], level)
        return reset_again(F, N, K, H, C, i, t, at.GROW_GRID)
    q, x, y, z = 1.0 / edge, F[i, at.X], F[i, at.X + 1], F[i, at.X + 2]
    a = (whole((x - r) * q), whole((y - r) * q), whole((z - r) * q))
    b = (whole((x + r) * q), whole((y + r) * q), whole((z + r) * q))
    register(G, B, C, N, i, level, a, b)
    A = F[i, at.ACCELERATION]
    F[i, HORIZON] = t + math.sqrt((edge - 2.0 * r) / A) if A > 0.0 else math.inf  # equation (8)
    N[i, at.JUMPED] = 0
    drop_candidates(F, N, Q, K, H, C, S, i, t)
    if not scan_cells(F, N, Q, K, H, G, B, C, S, i, t, ((FAR, FAR, FAR), (-FAR, -FAR, -FAR))):
        return reset_again(F, N, K, H, C, i, t, at.GROW_PAIRS)
    F[i, at.WALL_TIME] = later(t, wall_step(F, N, S, C, i, t)) if S[at.WALLED] > 0.0 else math.inf
    next_face(F, N, S, i, t, edge)
    queue_sphere(F, K, H, C, i)
    return at.DONE


@kernel(boundscheck=False)
def cross_face(F, N, Q, K, H, G, B, C, S, W, i, t):
    """Handle an entering or a leaving event: other cells along one axis, and the candidates that come or go."""
    if not has_capacity(G, B, C):
        return at.GROW_GRID
    face, level = int(F[i, FACE]), N[i, at.LEVEL]
    axis, is_leaving, side = face >> 2, face & 2 == 2, face & 1
    o = (N[i, RANGE], N[i, RANGE + 2], N[i, RANGE + 4])
    p = (N[i, RANGE + 1], N[i, RANGE + 3], N[i, RANGE + 5])
    step = 1 if is_leaving == (side == 1) else -1
    da, db = (0, step) if side == 0 else (step, 0)
    a = (o[0] + (da if axis == 0 else 0), o[1] + (da if axis == 1 else 0), o[2] + (da if axis == 2 else 0))
    b = (p[0] + (db if axis == 0 else 0), p[1] + (db if axis == 1 else 0), p[2] + (db if axis == 2 else 0))
    register(G, B, C, N, i, level, a, b)
    if is_leaving:
        W[LEAVING] += 1
        e = N[i, at.FIRST_PAIR]
        while e >= 0:
            k = e >> 1
            e = Q[k, at.NEXT + (e & 1)]
            j = Q[k, at.FIRST] + Q[k, at.SECOND] - i
            if Q[k, at.STATE] == at.APART and not shares_cell(N, level, a, b, j):
                remove_pair(N, Q, K, H, C, k)
    else:
        W[ENTERING] += 1
        if not scan_cells(F, N, Q, K, H, G, B, C, S, i, t, (o, p)):
            return reset_again(F, N, K, H, C, i, t, at.GROW_PAIRS)
    next_face(F, N, S, i, t, S[at.EDGE] * 2.0**level)
    queue_sphere(F, K, H, C, i)
    return at.DONE


@kernel(boundscheck=False)
def collide(F, N, Q, K, H, G, B, C, S, D, E, W, p, t):
    """Handle two bounds that touch: probe both, answer a contact if there is one, and reset both in any case."""
    i, j = Q[p, at.FIRST], Q[p, at.SECOND]
    W[COLLIDING] += 1
    if not (refresh(F, N, S, D, C, i, t) and refresh(F, N, S, D, C, j, t)):
        return at.NEEDS_PROBE
    x, y, z, vx, vy, vz, _, _ = relative(F, S, i, j, t)
    d = math.sqrt(x * x + y * y + z * z)
    gap = d - touching_distance(F, S, i, j)
    speed = (x * vx + y * vy + z * vz) / d if d > 0.0 else 0.0
    a = F[i, at.ACCELERATION] + F[j, at.ACCELERATION]
    tolerance = contact_tolerance(S, t, speed_of(vx, vy, vz), a)
    if Q[p, at.STATE] == at.OVERLAPPING:
        if has_parted(gap, speed, tolerance):
            emit_pair(E, F, N, S, C, t, i, j, at.END)
            Q[p, at.STATE] = at.APART
    elif is_contact(S, gap, speed, tolerance):
        C[at.CONTACT_COUNT] += 1
        if S[at.RESPONSE] == at.ELASTIC:
            emit_pair(E, F, N, S, C, t, i, j, at.CONTACT)
            bounce(F, i, j, x, y, z, d, speed, 1.0)
            set_anchor(F, N, S, D, i, t)
            set_anchor(F, N, S, D, j, t)
        else:
            emit_pair(E, F, N, S, C, t, i, j, at.BEGIN)
            Q[p, at.STATE] = at.OVERLAPPING
    F[j, HORIZON] = t
    status = reset(F, N, Q, K, H, G, B, C, S, D, i, t)
    if status != at.DONE:
        return reset_again(F, N, K, H, C, j, t, status)
    return reset(F, N, Q, K, H, G, B, C, S, D, j, t)


@kernel(f"int64({TABLES}, int64[::1], float64)")
def advance_four_events(tables, W, until):
    """Handle the events of the source's method up to a time; return `DONE`, or which table must grow."""
    F, N, Q, K, H, G, B, C, S, D, E, L = tables
    while True:
        if C[at.HEAP_SIZE] == 0 or K[0] > until:
            S[at.TIME] = max(S[at.TIME], until)
            return at.DONE
        if C[at.N_EVENTS] + 8 > len(E):
            return at.EVENTS_FULL
        C[at.STEPS] += 1
        if C[at.STEPS] % RUN == 0:
            return at.OUT_OF_STEPS
        t, item = max(K[0], S[at.TIME]), H[0, at.ITEM]
        S[at.TIME] = t
        if item >= len(N):
            status = collide(F, N, Q, K, H, G, B, C, S, D, E, W, item - len(N), t)
        elif t >= F[item, HORIZON]:
            W[RESETTING] += 1 - N[item, at.JUMPED]
            status = reset(F, N, Q, K, H, G, B, C, S, D, item, t)
        elif t >= F[item, at.WALL_TIME]:
            W[WALLS] += 1
            meet_walls(F, N, K, H, C, S, D, E, L, item, t)
            status = reset(F, N, Q, K, H, G, B, C, S, D, item, t)
        else:
            status = cross_face(F, N, Q, K, H, G, B, C, S, W, item, t)
        if status != at.DONE:
            return status
