"""Renewal of a sphere of a crowd: a new probe, a box that contains the sphere until a new horizon, and its pairs.

The sphere that is renewed last is compared with all spheres whose boxes overlap its own. So at any time two spheres
whose boxes do not overlap cannot touch before the earlier of their horizons. Two spheres whose boxes overlap have a
pair if they may touch before it.
"""

from __future__ import annotations

import math

from keepclear.compiler.kernel import kernel
from keepclear.kernels.crowd import layout as at
from keepclear.kernels.crowd.grid import cell_key, find_cell, has_capacity, register, unregister, whole
from keepclear.kernels.crowd.heap import drop, set_time
from keepclear.kernels.crowd.motion import next_sample, refresh
from keepclear.kernels.crowd.pairs import (
    add_pair,
    approach_step,
    bounds_step,
    later,
    overlap_step,
    relative,
    remove_pair,
    tick,
    wall_step,
)

LO, HI, HORIZON = at.LO, at.HI, at.HORIZON


@kernel(boundscheck=False)
def emit(E, C, t, i, j, kind, x, y, z):
    """Write an event; the caller ensures that there is space."""
    k = C[at.N_EVENTS]
    E[k, at.E_TIME], E[k, at.E_I], E[k, at.E_J], E[k, at.E_KIND] = t, i, j, kind
    E[k, at.E_POSITION], E[k, at.E_POSITION + 1], E[k, at.E_POSITION + 2] = x, y, z
    C[at.N_EVENTS] = k + 1


@kernel(boundscheck=False)
def emit_pair(E, F, N, S, C, t, i, j, kind):
    """Write an event of two spheres, the lower id first, at the point midway between their surfaces."""
    x, y, z, _, _, _, _, _ = relative(F, S, i, j, t)
    s = t - F[i, at.PROBED]
    d = math.sqrt(x * x + y * y + z * z)
    part = 0.5 * (1.0 + (F[i, at.RADIUS] - F[j, at.RADIUS]) / d) if d > 0.0 else 0.5
    part = min(max(part, 0.0), 1.0)
    h = 0.5 * s * s
    emit(
        E, C, t, min(N[i, at.ID], N[j, at.ID]), max(N[i, at.ID], N[j, at.ID]), kind,
        F[i, at.X] + F[i, at.V] * s + S[at.GRAVITY] * h + part * x,
        F[i, at.X + 1] + F[i, at.V + 1] * s + S[at.GRAVITY + 1] * h + part * y,
        F[i, at.X + 2] + F[i, at.V + 2] * s + S[at.GRAVITY + 2] * h + part * z,
    )  # fmt: skip


@kernel(boundscheck=False)
def enclose(F, S, i, t):
    """Choose the horizon of a sphere's next box, write box and horizon, and return the longest side of the box.

    The bound is known from the last probe on. The box extends beyond the present bound by about the growth that the
    settings allow.
    """
    age = t - F[i, at.PROBED]
    A, speed, pull = F[i, at.ACCELERATION], 0.0, 0.0
    for c in range(3):
        g = S[at.GRAVITY + c]
        speed, pull = max(speed, abs(F[i, at.V + c] + g * age)), max(pull, abs(g))
    radius, rate = F[i, at.RADIUS] + 0.5 * S[at.OWN_TOLERANCE] + 0.5 * A * age * age, A * age
    if S[at.MOTION] == at.OBSERVED:
        radius, rate = radius + F[i, at.ERROR_X] + F[i, at.ERROR_V] * age, rate + F[i, at.ERROR_V]
    speed, pull = speed + 2.0 * rate, A + 0.5 * pull
    # In proportion to the uncertainty: a member without a measurement for an hour gets few boxes, not millions.
    growth = max(S[at.GROWTH], 0.5 * (radius - F[i, at.RADIUS]))
    below = speed + math.sqrt(speed * speed + 4.0 * pull * growth)
    s = 2.0 * growth / below if below > 0.0 else math.inf
    end = t + max(s, tick(t))
    if S[at.MOTION] == at.TRACKS and end > F[i, at.ANCHOR_END]:
        end = F[i, at.ANCHOR_END]
    if S[at.MOTION] == at.OBSERVED and A > 0.0 and end > F[i, at.PROBED] + F[i, at.TAU]:
        end = F[i, at.PROBED] + F[i, at.TAU]
    s = end - t
    if s == math.inf:
        s = 0.0
    longest, far = 0.0, 0.0
    for c in range(3):
        g = S[at.GRAVITY + c]
        x = F[i, at.X + c] + (F[i, at.V + c] + 0.5 * g * age) * age
        v = F[i, at.V + c] + g * age
        lo, hi = _span(x - radius, v - rate, g - A, s)[0], _span(x + radius, v + rate, g + A, s)[1]
        far = max(far, max(abs(lo), abs(hi)))
        F[i, LO + c], F[i, HI + c] = lo - S[at.SLACK], hi + S[at.SLACK]
        longest = max(longest, hi - lo)
    F[i, HORIZON] = end
    if far > S[at.EXTENT]:
        S[at.EXTENT] = 2.0 * far
        S[at.SLACK] = 2.0**-49 * S[at.EXTENT]
        S[at.TOLERANCE] = 2.0**-44 * S[at.EXTENT]
        for c in range(3):
            F[i, LO + c] -= S[at.SLACK]
            F[i, HI + c] += S[at.SLACK]
    return longest + 4.0 * S[at.SLACK]


@kernel(boundscheck=False)
def reach_speed_limit(F, i):
    """Make the bound of an observed sphere grow at a constant rate once its speed limit is reached.

    Its radius, r + e + f s + A s^2 / 2 until tau, continues along its tangent at tau: from there on the acceleration
    does not matter.
    """
    A, tau = F[i, at.ACCELERATION], F[i, at.TAU]
    F[i, at.ERROR_X] -= 0.5 * A * tau * tau * (1.0 - 2.0**-50)
    F[i, at.ERROR_V] += A * tau
    F[i, at.ACCELERATION] = 0.0


@kernel(inline=True, boundscheck=False)
def _span(x, v, a, s):
    """Return the least and the greatest value of x + v u + a u^2 / 2 for u from 0 to s."""
    end = x + (v + 0.5 * a * s) * s
    lo, hi = min(x, end), max(x, end)
    if a != 0.0:
        turn = -v / a
        if 0.0 < turn < s:
            top = x + 0.5 * v * turn
            lo, hi = min(lo, top), max(hi, top)
    return lo, hi


@kernel(boundscheck=False)
def place(F, N, G, B, C, S, i, longest):
    """Register a sphere's box on the finest level whose edge it does not exceed; False if tables must grow first."""
    level, edge = 0, S[at.EDGE]
    while edge < longest:
        level, edge = level + 1, 2.0 * edge
    if level > C[at.TOP_LEVEL]:
        C[at.TOPMOST] = level
        return False
    if not has_capacity(G, B, C):
        return False
    q = 1.0 / edge
    a = (whole(F[i, LO] * q), whole(F[i, LO + 1] * q), whole(F[i, LO + 2] * q))
    b = (whole(F[i, HI] * q), whole(F[i, HI + 1] * q), whole(F[i, HI + 2] * q))
    register(G, B, C, N, i, level, a, b)
    return True


@kernel(boundscheck=False)
def leave(F, N, Q, K, H, G, B, C, S, E, i, t):
    """Remove a sphere from the crowd for now, with its pairs and cells; False if there is no space for events."""
    if not drop_pairs(F, N, Q, K, H, C, S, E, i, t) or C[at.N_EVENTS] + 6 > len(E):
        return False
    for bit in range(6):
        if N[i, at.OUTSIDE] >> bit & 1:
            wall = S[(at.LOWER if bit & 1 == 0 else at.UPPER) + (bit >> 1)]
            px = wall if bit >> 1 == 0 else F[i, at.X]
            py = wall if bit >> 1 == 1 else F[i, at.X + 1]
            pz = wall if bit >> 1 == 2 else F[i, at.X + 2]
            emit(E, C, t, N[i, at.ID], -1, at.END, px, py, pz)
    N[i, at.OUTSIDE] = 0
    unregister(G, B, C, N, i)
    return True


@kernel(boundscheck=False)
def drop_pairs(F, N, Q, K, H, C, S, E, i, t):
    """Remove the pairs of a sphere and report the ends of its overlaps; False if there is no space for events."""
    while N[i, at.FIRST_PAIR] >= 0:
        p = N[i, at.FIRST_PAIR] >> 1
        if Q[p, at.STATE] == at.OVERLAPPING:
            if C[at.N_EVENTS] >= len(E):
                return False
            emit_pair(E, F, N, S, C, t, Q[p, at.FIRST], Q[p, at.SECOND], at.END)
        remove_pair(N, Q, K, H, C, p)
    return True


@kernel(boundscheck=False)
def scan(F, N, Q, K, H, C, S, D, i, t, block, B):
    """Compare a sphere with all spheres in a list of a cell; return False if there is no space for a pair."""
    stamp, n_spheres, group = C[at.STAMP], len(N), N[i, at.GROUP]
    x0, y0, z0, x1, y1, z1 = F[i, LO], F[i, LO + 1], F[i, LO + 2], F[i, HI], F[i, HI + 1], F[i, HI + 2]
    end, known = F[i, HORIZON], S[at.MOTION] != at.OBSERVED and S[at.MOTION] < at.EXTERNAL
    tests = 0
    while block >= 0:
        for k in range(at.IDS, at.IDS + B[block, at.COUNT]):
            j = B[block, k]
            tests += 1
            if F[j, LO] > x1 or F[j, HI] < x0 or F[j, LO + 1] > y1 or F[j, HI + 1] < y0:
                continue
            if F[j, LO + 2] > z1 or F[j, HI + 2] < z0 or N[j, at.MARK] == stamp:
                continue
            N[j, at.MARK] = stamp
            if group >= 0 and N[j, at.GROUP] == group:
                continue
            if known:
                refresh(F, N, S, D, C, j, t)
            until = min(end, F[j, HORIZON])
            s = approach_step(F, N, S, C, i, j, t, until - t)
            if s < math.inf and later(t, s) <= until:
                p = add_pair(N, Q, C, i, j, at.APART)
                if p < 0:
                    return False
                set_time(K, H, C, n_spheres + p, later(t, s))
        block = B[block, at.FOLLOWING]
    C[at.TESTS] += tests
    return True


@kernel(boundscheck=False)
def find_neighbours(F, N, Q, K, H, G, B, C, S, D, i, t):
    """Find all boxes that overlap a sphere's box, and queue pairs that may touch; False without space for pairs."""
    level = N[i, at.LEVEL]
    for rank in range(level, C[at.TOP_LEVEL] + 1):
        h = rank - level
        for ix in range(N[i, at.RANGE] >> h, (N[i, at.RANGE + 1] >> h) + 1):
            for iy in range(N[i, at.RANGE + 2] >> h, (N[i, at.RANGE + 3] >> h) + 1):
                for iz in range(N[i, at.RANGE + 4] >> h, (N[i, at.RANGE + 5] >> h) + 1):
                    row = find_cell(G, cell_key(rank, ix, iy, iz))
                    if G[row, at.KEY] < 0:
                        continue
                    if not scan(F, N, Q, K, H, C, S, D, i, t, G[row, at.NATIVES], B):
                        return False
                    if h == 0 and not scan(F, N, Q, K, H, C, S, D, i, t, G[row, at.VISITORS], B):
                        return False
    return True


@kernel(boundscheck=False)
def revisit_pairs(F, N, Q, K, H, C, S, D, i, t):
    """Remove the pairs of a sphere except overlapping ones, which get new times."""
    e = N[i, at.FIRST_PAIR]
    while e >= 0:
        p = e >> 1
        e = Q[p, at.NEXT + (e & 1)]
        if Q[p, at.STATE] == at.APART:
            remove_pair(N, Q, K, H, C, p)
            continue
        j = Q[p, at.FIRST] + Q[p, at.SECOND] - i
        if N[i, at.SHAPED] + N[j, at.SHAPED] > 0:
            if N[i, at.JUMPED] == 1:
                set_time(K, H, C, len(N) + p, t)
        elif S[at.MOTION] == at.OBSERVED:
            s = bounds_step(F, S, i, j, t)
            if s < math.inf and later(t, s) <= min(F[i, HORIZON], F[j, HORIZON]):
                set_time(K, H, C, len(N) + p, later(t, s))
            else:
                drop(K, H, C, len(N) + p)
        else:
            if S[at.MOTION] < at.EXTERNAL:
                refresh(F, N, S, D, C, j, t)
            until = min(F[i, HORIZON], F[j, HORIZON])
            s = overlap_step(F, S, C, i, j, t, until - t)
            if s < math.inf and later(t, s) <= until:
                set_time(K, H, C, len(N) + p, later(t, s))
            else:
                drop(K, H, C, len(N) + p)
        N[j, at.MARK] = C[at.STAMP]


@kernel(boundscheck=False)
def renew(F, N, Q, K, H, G, B, C, S, D, E, i, t):
    """Give a sphere a new box, horizon and pairs; return `DONE`, or a status that names what is missing."""
    if S[at.MOTION] == at.TRACKS and (t >= F[i, at.ANCHOR_END] or N[i, at.ACTIVE] == 2):
        if C[at.N_EVENTS] + 1 >= len(E):
            return at.EVENTS_FULL
        goes_on = False
        if N[i, at.ACTIVE] == 1 and F[i, at.PROBED] < F[i, at.ANCHOR_END]:
            refresh(F, N, S, D, C, i, t)
        while t >= F[i, at.ANCHOR_END]:
            goes_on = next_sample(F, N, D, i)
        if not goes_on:
            N[i, at.ACTIVE] = 2
            if not leave(F, N, Q, K, H, G, B, C, S, E, i, t):
                return at.EVENTS_FULL
            F[i, HORIZON] = F[i, at.ANCHOR_END]
            set_time(K, H, C, i, F[i, HORIZON])
            return at.DONE
        N[i, at.ACTIVE], N[i, at.JUMPED] = 1, 1
        F[i, at.PROBED] = -math.inf
    if not refresh(F, N, S, D, C, i, t) and S[at.MOTION] != at.OBSERVED:
        C[at.ASKED_A], C[at.ASKED_B] = i, -1
        return at.NEEDS_PROBE
    if S[at.MOTION] == at.OBSERVED and F[i, at.ACCELERATION] > 0.0 and t >= F[i, at.PROBED] + F[i, at.TAU]:
        reach_speed_limit(F, i)
    longest = enclose(F, S, i, t)
    if not place(F, N, G, B, C, S, i, longest):
        F[i, HORIZON] = t
        return at.GROW_GRID
    C[at.STAMP] += 1
    N[i, at.MARK] = C[at.STAMP]
    revisit_pairs(F, N, Q, K, H, C, S, D, i, t)
    if not find_neighbours(F, N, Q, K, H, G, B, C, S, D, i, t):
        F[i, HORIZON] = t
        return at.GROW_PAIRS
    wall = math.inf
    if S[at.WALLED] > 0.0 and S[at.MOTION] != at.OBSERVED:
        wall = later(t, wall_step(F, N, S, C, i, t))
    F[i, at.WALL_TIME], N[i, at.JUMPED] = wall, 0
    set_time(K, H, C, i, min(F[i, HORIZON], wall))
    C[at.RESETTING] += 1
    return at.DONE
