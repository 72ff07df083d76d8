"""Event loop of a crowd: handles the earliest event until a given time, or until it needs something from its caller."""

from __future__ import annotations

import math

from keepclear.compiler.kernel import kernel
from keepclear.kernels.crowd import layout as at
from keepclear.kernels.crowd.heap import drop, set_time
from keepclear.kernels.crowd.motion import refresh, set_anchor
from keepclear.kernels.crowd.pairs import (
    FEW_CONTACTS,
    MOST_CONTACTS,
    PART,
    approach_step,
    bounds_step,
    contact_tolerance,
    has_parted,
    hold_time,
    is_contact,
    is_resting,
    later,
    overlap_step,
    relative,
    remove_pair,
    resting_distance,
    speed_of,
    touching_distance,
    wall_step,
)
from keepclear.kernels.crowd.renewal import drop_pairs, emit, emit_pair, leave, renew
from keepclear.kernels.crowd.roots import meeting_time

HORIZON = at.HORIZON
# Two resting spheres penetrate each other by at most this many resting distances between two checks.
UNSEEN = 4000.0
FIRST_RUN = 1 << 14
# An item that repeats this often at one instant is postponed a little. Nothing should cause that; the limit ensures
# that time advances.
MOST_REPEATS = 1000
TABLES = (
    "Tuple((float64[:,::1], int64[:,::1], int64[:,::1], float64[::1], int64[:,::1], int64[:,::1], int64[:,::1], "
    "int64[::1], float64[::1], float64[::1], float64[:,::1], float64[:,::1]))"
)


@kernel(boundscheck=False)
def is_collapsing(F, N, i, t, hold):
    """Return whether a sphere had too many contacts in quick succession; if not, count one more."""
    since = t - F[i, at.BURST]
    if not since <= PART * hold:
        N[i, at.CONTACTS] = MOST_CONTACTS - FEW_CONTACTS if since <= 4.0 * hold and is_resting(N, i) else 0
    if N[i, at.CONTACTS] >= MOST_CONTACTS:
        return True
    F[i, at.BURST] = t
    N[i, at.CONTACTS] += 1
    return False


@kernel(boundscheck=False)
def begin(F, N, K, H, C, S, D, i, t):
    """Start a new anchor from the velocity a sphere was given at time t, and queue the sphere for renewal at t."""
    set_anchor(F, N, S, D, i, t)
    F[i, HORIZON], N[i, at.JUMPED] = t, 1
    set_time(K, H, C, i, t)


@kernel(boundscheck=False)
def restart(F, N, K, H, C, S, D, L, i, t):
    """Start a new anchor for a sphere after an impact, and log the anchor."""
    begin(F, N, K, H, C, S, D, i, t)
    if S[at.HISTORY] == 0.0:
        return
    k = C[at.N_LOGGED]
    L[k, at.L_TIME], L[k, at.L_ID] = t, N[i, at.ID]
    for c in range(9):
        column = at.ANCHOR_X if c < 3 else (at.ANCHOR_V - 3 if c < 6 else at.ANCHOR_A - 6)
        L[k, at.L_X + c] = F[i, column + c]
    L[k, at.L_END], L[k, at.L_ACCELERATION] = F[i, at.ANCHOR_END], F[i, at.ACCELERATION]
    C[at.N_LOGGED] = k + 1


@kernel(boundscheck=False)
def bounce(F, i, j, x, y, z, d, speed, kept):
    """Exchange the impulse of an impact along the line of centres: elastic if `kept` is 1, without rebound if 0."""
    mi, mj = F[i, at.MASS], F[j, at.MASS]
    part = (1.0 + kept) * speed / d
    for c in range(3):
        n = x if c == 0 else (y if c == 1 else z)
        F[i, at.V + c] += part * (mj / (mi + mj)) * n
        F[j, at.V + c] -= part * (mi / (mi + mj)) * n


@kernel(boundscheck=False)
def push_out(F, i, j, x, y, z, d, gap):
    """Move two resting spheres that penetrated each other between checks to where they touch."""
    mi, mj = F[i, at.MASS], F[j, at.MASS]
    for c in range(3):
        n = (x if c == 0 else (y if c == 1 else z)) * (gap / d)
        F[i, at.X + c] += n * (mj / (mi + mj))
        F[j, at.X + c] -= n * (mi / (mi + mj))


@kernel(boundscheck=False)
def meet_observed(F, N, Q, K, H, C, S, E, p, t):
    """Handle a pair of observed spheres: report that contact is possible, or no longer possible."""
    i, j = Q[p, at.FIRST], Q[p, at.SECOND]
    item, until = len(N) + p, min(F[i, HORIZON], F[j, HORIZON])
    if Q[p, at.STATE] == at.APART:
        emit_pair(E, F, N, S, C, t, i, j, at.POSSIBLE)
        C[at.CONTACT_COUNT] += 1
        Q[p, at.STATE] = at.OVERLAPPING
    s = bounds_step(F, S, i, j, t)
    if s <= 0.0:
        emit_pair(E, F, N, S, C, t, i, j, at.END)
        Q[p, at.STATE] = at.APART
        s = approach_step(F, N, S, C, i, j, t, until - t)
    if s < math.inf and later(t, s) <= until:
        set_time(K, H, C, item, later(t, s))
    elif Q[p, at.STATE] == at.APART:
        remove_pair(N, Q, K, H, C, p)
    else:
        drop(K, H, C, item)


@kernel(boundscheck=False)
def meet(F, N, Q, K, H, C, S, D, E, L, p, t):
    """Handle a pair whose bounds touched or may separate: probe both, report what changed; return the status."""
    i, j = Q[p, at.FIRST], Q[p, at.SECOND]
    item = len(N) + p
    C[at.COLLIDING] += 1
    if S[at.MOTION] == at.OBSERVED:
        meet_observed(F, N, Q, K, H, C, S, E, p, t)
        return at.DONE
    fresh = refresh(F, N, S, D, C, i, t)
    if not (refresh(F, N, S, D, C, j, t) and fresh):
        C[at.ASKED_A], C[at.ASKED_B] = i, j
        C[at.COLLIDING] -= 1
        return at.NEEDS_PROBE
    x, y, z, vx, vy, vz, _, _ = relative(F, S, i, j, t)
    a = F[i, at.ACCELERATION] + F[j, at.ACCELERATION]
    d = math.sqrt(x * x + y * y + z * z)
    gap = d - touching_distance(F, S, i, j)
    speed = (x * vx + y * vy + z * vz) / d if d > 0.0 else 0.0
    tolerance = contact_tolerance(S, t, speed_of(vx, vy, vz), a)
    until, status = min(F[i, HORIZON], F[j, HORIZON]), at.DONE
    if N[i, at.SHAPED] + N[j, at.SHAPED] > 0:
        if gap <= tolerance:
            if Q[p, at.STATE] == at.APART:
                Q[p, at.STATE] = at.NEAR
            C[at.ASKED_A], C[at.ASKED_B], C[at.ASKED_PAIR] = i, j, p
            return at.NEEDS_SHAPES
        if Q[p, at.STATE] == at.OVERLAPPING:
            emit_pair(E, F, N, S, C, t, i, j, at.END)
        Q[p, at.STATE] = at.APART
    elif Q[p, at.STATE] == at.OVERLAPPING:
        if has_parted(gap, speed, tolerance):
            emit_pair(E, F, N, S, C, t, i, j, at.END)
            Q[p, at.STATE] = at.APART
    elif is_contact(S, gap, speed, tolerance):
        if S[at.RESPONSE] != at.REPORT:
            rest = resting_distance(S, min(F[i, at.RADIUS], F[j, at.RADIUS]))
            g = speed_of(S[at.GRAVITY], S[at.GRAVITY + 1], S[at.GRAVITY + 2])
            hold = hold_time(t, speed, a + g, rest)
            collapsing = is_collapsing(F, N, i, t, hold)
            if is_collapsing(F, N, j, t, hold) or collapsing:
                C[at.RESTING] += 1
                set_time(K, H, C, item, t + hold)
                return at.DONE
            unseen = -UNSEEN * rest
            # harmless (>): likewise
            # harmless (<): spheres that a response pushes apart by rounding are in contact already
            if gap < -tolerance and d > 0.0 and (gap > unseen or is_resting(N, i) or is_resting(N, j)):
                # harmless (max): likewise
                push_out(F, i, j, x, y, z, d, max(gap, unseen))
        C[at.CONTACT_COUNT] += 1
        if S[at.RESPONSE] == at.ELASTIC:
            emit_pair(E, F, N, S, C, t, i, j, at.CONTACT)
            bounce(F, i, j, x, y, z, d, speed, 0.0 if is_resting(N, i) or is_resting(N, j) else 1.0)
            restart(F, N, K, H, C, S, D, L, i, t)
            restart(F, N, K, H, C, S, D, L, j, t)
            remove_pair(N, Q, K, H, C, p)
            return at.DONE
        emit_pair(E, F, N, S, C, t, i, j, at.BEGIN if S[at.RESPONSE] == at.REPORT else at.CONTACT)
        Q[p, at.STATE] = at.OVERLAPPING
        if S[at.RESPONSE] == at.ASK:
            C[at.ASKED_A], C[at.ASKED_B] = i, j
            status = at.NEEDS_RESPONSE
    if Q[p, at.STATE] == at.OVERLAPPING:
        s = overlap_step(F, S, C, i, j, t, until - t)
        if s < math.inf and later(t, s) <= until:
            set_time(K, H, C, item, later(t, s))
        else:
            drop(K, H, C, item)
        return status
    s = approach_step(F, N, S, C, i, j, t, until - t)
    if s < math.inf and later(t, s) <= until:
        set_time(K, H, C, item, later(t, s))
    else:
        remove_pair(N, Q, K, H, C, p)
    return status


@kernel(boundscheck=False)
def meet_walls(F, N, K, H, C, S, D, E, L, i, t):
    """Handle a bound that reached a wall: probe the sphere, reflect it or report it as through; return the status."""
    if not refresh(F, N, S, D, C, i, t):
        C[at.ASKED_A], C[at.ASKED_B] = i, -1
        return at.NEEDS_PROBE
    C[at.WALLS] += 1
    turned, held, r = False, math.inf, F[i, at.RADIUS] + S[at.OWN_TOLERANCE]
    for c in range(int(S[at.DIMENSIONS])):
        for side in range(2):
            sign = 1.0 - 2.0 * side
            wall = S[(at.LOWER if side == 0 else at.UPPER) + c]
            gap, speed = sign * (F[i, at.X + c] - wall) - r, sign * F[i, at.V + c]
            A, bit = F[i, at.ACCELERATION], 1 << (2 * c + side)
            tolerance = contact_tolerance(S, t, abs(speed), A + abs(S[at.GRAVITY + c]))
            kind = -1
            if N[i, at.OUTSIDE] & bit:
                if has_parted(gap, speed, tolerance):
                    kind = at.END
                    N[i, at.OUTSIDE] -= bit
            elif is_contact(S, gap, speed, tolerance):
                rest = resting_distance(S, F[i, at.RADIUS])
                hold = hold_time(t, speed, A + abs(S[at.GRAVITY + c]), rest)
                if S[at.RESPONSE] != at.REPORT and is_collapsing(F, N, i, t, hold):
                    C[at.RESTING] += 1
                    held = min(held, t + hold)
                    continue
                kind = at.BEGIN if S[at.RESPONSE] == at.REPORT else at.WALL
                C[at.WALL_COUNT] += 1
                unseen = -UNSEEN * rest
                # harmless (>): likewise
                # harmless (<): a sphere that a response pushes back by rounding is in contact already
                if S[at.RESPONSE] != at.REPORT and gap < -tolerance and (gap > unseen or is_resting(N, i)):
                    # harmless (max): likewise
                    F[i, at.X + c] -= sign * max(gap, unseen)
                if S[at.RESPONSE] == at.ELASTIC:
                    F[i, at.V + c] = 0.0 if is_resting(N, i) else -F[i, at.V + c]
                    turned = True
                else:
                    N[i, at.OUTSIDE] += bit
            if kind >= 0:
                px = wall if c == 0 else F[i, at.X]
                py = wall if c == 1 else F[i, at.X + 1]
                pz = wall if c == 2 else F[i, at.X + 2]
                emit(E, C, t, N[i, at.ID], -1, kind, px, py, pz)
            if kind == at.WALL and S[at.RESPONSE] == at.ASK:
                # One wall at a time: the others are checked after the answer.
                C[at.ASKED_A], C[at.ASKED_B], C[at.ASKED_PAIR] = i, -1, bit
                F[i, at.WALL_TIME] = t
                return at.NEEDS_RESPONSE
    if turned:
        restart(F, N, K, H, C, S, D, L, i, t)
        return at.DONE
    # Held walls are checked again at that time. Free walls need no check before it.
    F[i, at.WALL_TIME] = held if held < math.inf else later(t, wall_step(F, N, S, C, i, t))
    set_time(K, H, C, i, min(F[i, HORIZON], F[i, at.WALL_TIME]))
    return at.DONE


@kernel(f"int64({TABLES}, float64, int64)")
def advance(tables, until, run):
    """Handle the events of a crowd up to a time; return `DONE`, or a status that says what is needed to continue.

    After `run` steps, and more often at first, it returns `OUT_OF_STEPS`, so that the caller can check the whole crowd.
    """
    F, N, Q, K, H, G, B, C, S, D, E, L = tables
    n_spheres, status = len(N), at.DONE
    last_item, last_time, repeats = -1, -math.inf, 0
    while True:
        if C[at.HEAP_SIZE] == 0 or K[0] > until:
            S[at.TIME] = max(S[at.TIME], until)
            return at.DONE
        if C[at.N_EVENTS] + 8 > len(E) or C[at.N_LOGGED] + 2 > len(L):
            return at.EVENTS_FULL
        t, item = max(K[0], S[at.TIME]), H[0, at.ITEM]
        repeats = repeats + 1 if item == last_item and t == last_time else 0
        last_item, last_time = item, t
        if repeats > MOST_REPEATS:
            # harmless (2.0**-40 * (abs(t) + 1e-3)): without it time stands still, and no event is lost
            set_time(K, H, C, item, t + 2.0**-40 * (abs(t) + 1e-3))
            C[at.RESTING] += 1
            continue
        S[at.TIME] = t
        C[at.STEPS] += 1
        if item >= n_spheres:
            status = meet(F, N, Q, K, H, C, S, D, E, L, item - n_spheres, t)
        elif t >= F[item, HORIZON]:
            status = renew(F, N, Q, K, H, G, B, C, S, D, E, item, t)
        else:
            status = meet_walls(F, N, K, H, C, S, D, E, L, item, t)
        if status != at.DONE:
            return status
        steps = C[at.STEPS]
        if steps % run == 0 or (steps >= FIRST_RUN and steps & (steps - 1) == 0):
            return at.OUT_OF_STEPS


@kernel(f"void({TABLES}, int64[::1], float64, int64)")
def wake(tables, rows, t, jumped):
    """Queue spheres to be renewed at time t; `jumped` is 1 if their velocities or sizes changed."""
    F, N, _, K, H, _, _, C, _, _, _, _ = tables
    for i in rows:
        F[i, HORIZON], N[i, at.JUMPED] = t, max(N[i, at.JUMPED], jumped)
        set_time(K, H, C, i, t)


@kernel(f"void({TABLES}, int64[::1])")
def go_on(tables, rows):
    """Start new anchors for spheres from the states that they have at the crowd's time."""
    F, N, _, K, H, _, _, C, S, D, _, _ = tables
    for i in rows:
        begin(F, N, K, H, C, S, D, i, S[at.TIME])


@kernel(f"void({TABLES}, int64, int64, float64)")
def settle(tables, p, state, t):
    """Set the state of a pair of spheres with shapes, and the time of its next check."""
    _, N, Q, K, H, _, _, C, _, _, _, _ = tables
    Q[p, at.STATE] = state
    set_time(K, H, C, len(N) + p, t)


@kernel(f"boolean({TABLES}, int64)")
def forget_pairs(tables, i):
    """Remove the pairs of a sphere and report the ends of its overlaps; False if there is no space for events."""
    F, N, Q, K, H, _, _, C, S, _, E, _ = tables
    return drop_pairs(F, N, Q, K, H, C, S, E, i, S[at.TIME])


@kernel(f"int64({TABLES}, int64)")
def take_out(tables, i):
    """Remove a sphere from the crowd; return `DONE`, or `EVENTS_FULL` if there is no space for events."""
    F, N, Q, K, H, G, B, C, S, D, E, _ = tables
    refresh(F, N, S, D, C, i, S[at.TIME])
    if not leave(F, N, Q, K, H, G, B, C, S, E, i, S[at.TIME]):
        return at.EVENTS_FULL
    drop(K, H, C, i)
    N[i, at.ACTIVE] = 0
    return at.DONE


@kernel("void(float64[:,::1], int64[:,::1], int64[::1], float64[::1], float64[::1], float64)")
def probe_all(F, N, C, S, D, t):
    """Probe all spheres at time t. The tables are copies that the caller made."""
    for i in range(len(F)):
        if N[i, at.ACTIVE] == 1:
            refresh(F, N, S, D, C, i, t)


@kernel(boundscheck=False)
def pair_clear_time(F, S, i, j, t, enough):
    """Return for how long two spheres cannot touch, as far as is known at t; inf if for longer than enough.

    The radius of a bound grows along a parabola until its sphere may have reached its speed limit, and along the
    tangent after that.
    """
    x, y, z, vx, vy, vz, unknown, rate = relative(F, S, i, j, t)
    R = touching_distance(F, S, i, j) + unknown
    a, start = F[i, at.ACCELERATION] + F[j, at.ACCELERATION], 0.0
    ends = (math.inf, math.inf)
    if S[at.MOTION] == at.OBSERVED:
        ends = (F[i, at.PROBED] + F[i, at.TAU] - t, F[j, at.PROBED] + F[j, at.TAU] - t)
    for k in range(3):
        end = min(ends[0], ends[1]) if k == 0 else (max(ends[0], ends[1]) if k == 1 else math.inf)
        s = meeting_time(x, y, z, vx, vy, vz, R, rate, a, min(end, enough) - start, S[at.SLACK], 0.0)
        if s < math.inf or end >= enough:
            return start + s
        step = max(end - start, 0.0)
        x, y, z, R, rate = (
            x + vx * step,
            y + vy * step,
            z + vz * step,
            R + (rate + 0.5 * a * step) * step,
            rate + a * step,
        )
        first = ends[0] <= ends[1]
        a = F[j if first else i, at.ACCELERATION] if k == 0 else 0.0
        start = max(end, start)
    return math.inf


@kernel("float64(float64[:,::1], int64[:,::1], float64[::1], int64, int64, float64)")
def clear_time(F, N, S, i, j, t):
    """Return the time until which sphere i cannot touch sphere j, or any other if j is -1, as far as is known at t."""
    least = math.inf
    for k in range(len(F)):
        ours = k == j or (j < 0 and (N[i, at.GROUP] < 0 or N[i, at.GROUP] != N[k, at.GROUP]))
        if k != i and N[k, at.ACTIVE] == 1 and ours:
            least = min(least, pair_clear_time(F, S, i, k, t, least))
        if S[at.MOTION] == at.TRACKS and N[k, at.ACTIVE] > 0 and (ours or k == i):
            # The velocity of a track changes at its next sample, and an absent member may appear then.
            least = min(least, F[k, at.ANCHOR_END] - t)
    return later(t, least)
