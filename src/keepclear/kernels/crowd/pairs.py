"""Pairs of a crowd that wait for an event, in the lists of both spheres, and when they may touch or separate."""

from __future__ import annotations

import math

from keepclear.compiler.kernel import kernel
from keepclear.kernels.crowd import layout as at
from keepclear.kernels.crowd.heap import drop
from keepclear.kernels.crowd.roots import first_root, meeting_time, parting_time

NEXT, PREVIOUS = at.NEXT, at.PREVIOUS
# A collapse is more contacts of one sphere than this in quick succession, each within this fraction of `hold_time`
# after the one before. While a collapse lasts, a few contacts are handled between one hold and the next.
MOST_CONTACTS, FEW_CONTACTS, PART = 1000, 20, 0.5
# Motion in resting contact that needs no check, as a fraction of the radius.
RESTING_PART = 1e-9
# Relative accuracy of roots; an earlier time costs an event, and is as safe.
ACCURACY = 1e-4


@kernel(boundscheck=False)
def link_half(N, Q, e, i):
    """Insert the half-edge e at the front of a sphere's list."""
    p, side = e >> 1, e & 1
    first = N[i, at.FIRST_PAIR]
    Q[p, NEXT + side], Q[p, PREVIOUS + side] = first, -1
    if first >= 0:
        Q[first >> 1, PREVIOUS + (first & 1)] = e
    N[i, at.FIRST_PAIR] = e


@kernel(boundscheck=False)
def unlink_half(N, Q, e, i):
    """Remove the half-edge e from a sphere's list."""
    p, side = e >> 1, e & 1
    after, before = Q[p, NEXT + side], Q[p, PREVIOUS + side]
    if after >= 0:
        Q[after >> 1, PREVIOUS + (after & 1)] = before
    if before >= 0:
        Q[before >> 1, NEXT + (before & 1)] = after
    else:
        N[i, at.FIRST_PAIR] = after


@kernel(boundscheck=False)
def add_pair(N, Q, C, i, j, state):
    """Add a pair of two spheres; return its row, or -1 if the table is full."""
    p = C[at.FREE_PAIR]
    if p < 0:
        return p
    C[at.FREE_PAIR] = Q[p, NEXT]
    C[at.N_PAIRS] += 1
    Q[p, at.FIRST], Q[p, at.SECOND], Q[p, at.STATE] = i, j, state
    link_half(N, Q, 2 * p, i)
    link_half(N, Q, 2 * p + 1, j)
    return p


@kernel(boundscheck=False)
def remove_pair(N, Q, K, H, C, p):
    """Remove a pair and its event."""
    drop(K, H, C, len(N) + p)
    unlink_half(N, Q, 2 * p, Q[p, at.FIRST])
    unlink_half(N, Q, 2 * p + 1, Q[p, at.SECOND])
    Q[p, at.FIRST] = -1
    Q[p, NEXT] = C[at.FREE_PAIR]
    C[at.FREE_PAIR] = p
    C[at.N_PAIRS] -= 1


@kernel(inline=True, boundscheck=False)
def later(t, s):
    """Return t + s, rounded down."""
    u = t + s
    if u == math.inf:
        return u
    return max(t, u - 2.0**-52 * abs(u))


@kernel(inline=True, boundscheck=False)
def relative(F, S, i, j, t):
    """Return the second bound relative to the first at time t: position, velocity, radius uncertainty and its rate.

    Gravity is the same for both. It changes the relative velocity only by the difference of the ages of their probes.
    """
    p, q = t - F[i, at.PROBED], t - F[j, at.PROBED]
    P, W = at.X, at.V
    x, y, z = F[j, P] - F[i, P], F[j, P + 1] - F[i, P + 1], F[j, P + 2] - F[i, P + 2]
    vx, vy, vz = F[j, W] - F[i, W], F[j, W + 1] - F[i, W + 1], F[j, W + 2] - F[i, W + 2]
    unknown, rate = 0.0, 0.0
    if p != 0.0 or q != 0.0:
        gx, gy, gz = S[at.GRAVITY], S[at.GRAVITY + 1], S[at.GRAVITY + 2]
        h = 0.5 * (q * q - p * p)
        x += F[j, W] * q - F[i, W] * p + gx * h
        y += F[j, W + 1] * q - F[i, W + 1] * p + gy * h
        z += F[j, W + 2] * q - F[i, W + 2] * p + gz * h
        vx, vy, vz = vx + gx * (q - p), vy + gy * (q - p), vz + gz * (q - p)
        rate = F[i, at.ACCELERATION] * p + F[j, at.ACCELERATION] * q
        unknown = 0.5 * (F[i, at.ACCELERATION] * p * p + F[j, at.ACCELERATION] * q * q)
    if S[at.MOTION] == at.OBSERVED:
        rate += F[i, at.ERROR_V] + F[j, at.ERROR_V]
        unknown += F[i, at.ERROR_X] + F[j, at.ERROR_X] + F[i, at.ERROR_V] * p + F[j, at.ERROR_V] * q
    return x, y, z, vx, vy, vz, unknown, rate


@kernel(inline=True, boundscheck=False)
def tick(t):
    """Return the shortest time step at time t, a few units in the last place of t. Every step is at least that long."""
    return 2.0**-49 * abs(t)


@kernel(inline=True, boundscheck=False)
def touching_distance(F, S, i, j):
    """Return the distance of the centres of two spheres that touch. All kernels get the same number, to the last bit.

    Otherwise two kernels could disagree forever about whether a pair is in contact.
    """
    return F[i, at.RADIUS] + F[j, at.RADIUS] + S[at.OWN_TOLERANCE]


@kernel(inline=True, boundscheck=False)
def contact_tolerance(S, t, speed, a):
    """Return the gap that counts as touching at time t: rounding of positions, and the motion during one tick."""
    s = tick(t)
    return S[at.TOLERANCE] + (speed + 0.5 * a * s) * s


@kernel(inline=True, boundscheck=False)
def speed_of(x, y, z):
    """Return an upper bound on the length of a vector."""
    return abs(x) + abs(y) + abs(z)


@kernel(inline=True, boundscheck=False)
def is_resting(N, i):
    """Return whether the contacts of a sphere belong to a collapse that still lasts."""
    return N[i, at.CONTACTS] > MOST_CONTACTS - FEW_CONTACTS


@kernel(inline=True, boundscheck=False)
def resting_distance(S, r):
    """Return how far two resting spheres may move without a check: a tiny fraction of the smaller radius."""
    return max(4.0 * S[at.TOLERANCE], RESTING_PART * r)


@kernel(boundscheck=False)
def hold_time(t, speed, a, rest):
    """Return how long the members of a collapse are not checked: they move by about a thousand resting distances."""
    hold = 1000.0 * rest / max(abs(speed), 1e-300)
    if a > 0.0:
        hold = min(hold, math.sqrt(2000.0 * rest / a))
    return max(hold, tick(t))


@kernel(inline=True, boundscheck=False)
def is_contact(S, gap, speed, tolerance):
    """Return whether two spheres that were separate are in contact now: touching and not separating.

    Spheres that pass through each other are in contact also when they do not move, or when they are found overlapping;
    spheres that bounce must approach each other.
    """
    if S[at.RESPONSE] == at.REPORT:
        return gap <= tolerance and (speed <= 0.0 or gap < -2.0 * tolerance)
    return gap <= tolerance and speed < 0.0


@kernel(inline=True, boundscheck=False)
def has_parted(gap, speed, tolerance):
    """Return whether two spheres that overlapped are separate now."""
    return gap > tolerance or (gap >= -tolerance and speed > 0.0)


@kernel(boundscheck=False)
def touching_step(C, t, gap, rate, a, tolerance, rest):
    """Return for how long two spheres that touch, and do not approach, cannot touch again.

    If they separate at `rate`, they stay apart until 2 rate / a; if they overlap, they may turn around after rate / a.
    """
    if a <= 0.0:
        return math.inf
    s = 2.0 * rate / a if gap >= -2.0 * tolerance else rate / a
    hold = max(math.sqrt(2.0 * rest / a), tick(t))
    if s < hold:
        C[at.RESTING] += 1
        return hold
    return s


@kernel(boundscheck=False)
def approach_step(F, N, S, C, i, j, t, horizon):
    """Return for how long two separate spheres cannot touch; inf if not before the horizon."""
    x, y, z, vx, vy, vz, unknown, rate = relative(F, S, i, j, t)
    a = F[i, at.ACCELERATION] + F[j, at.ACCELERATION]
    C[at.ROOTS] += 1
    R = touching_distance(F, S, i, j) + unknown
    if rate == 0.0:
        d = math.sqrt(x * x + y * y + z * z)
        gap = d - R
        tolerance = contact_tolerance(S, t, speed_of(vx, vy, vz), a)
        if gap <= tolerance:
            speed = (x * vx + y * vy + z * vz) / d if d > 0.0 else 0.0
            if is_contact(S, gap, speed, tolerance) or N[i, at.SHAPED] + N[j, at.SHAPED] > 0:
                return 0.0
            rest = tolerance
            if S[at.RESPONSE] != at.REPORT:
                rest = resting_distance(S, min(F[i, at.RADIUS], F[j, at.RADIUS]))
                rest *= 1000.0 if is_resting(N, i) or is_resting(N, j) else 1.0
            return touching_step(C, t, gap, speed, a, tolerance, rest)
    # Without probes this time is itself the answer, so it is computed to all digits.
    accuracy = 0.0 if S[at.MOTION] == at.OBSERVED else ACCURACY
    s = meeting_time(x, y, z, vx, vy, vz, R, rate, a, horizon, S[at.SLACK], accuracy)
    return s if s == 0.0 else max(s, tick(t))


@kernel(boundscheck=False)
def overlap_step(F, S, C, i, j, t, horizon):
    """Return for how long two overlapping spheres certainly still overlap; inf if until after the horizon."""
    x, y, z, vx, vy, vz, unknown, rate = relative(F, S, i, j, t)
    a = F[i, at.ACCELERATION] + F[j, at.ACCELERATION]
    C[at.ROOTS] += 1
    R = touching_distance(F, S, i, j) - unknown
    d, fast = math.sqrt(x * x + y * y + z * z), speed_of(vx, vy, vz)
    tolerance = contact_tolerance(S, t, fast, a)
    if R - d > tolerance:
        return max(parting_time(x, y, z, vx, vy, vz, R, rate, a, horizon, S[at.SLACK]), tick(t))
    if rate > 0.0 or d - R > tolerance:
        return 0.0
    if fast + a == 0.0:
        return math.inf
    # The spheres touch within the tolerance. While they approach they cannot separate, and their speed along the line
    # of centres grows at a rate of at most a + v^2 / d. Until they may have moved by half the distance d, that is at
    # most a + 2 v^2 / d.
    speed = (x * vx + y * vy + z * vz) / d if d > 0.0 else 0.0
    change = a + 2.0 * fast * fast / d if d > 0.0 else math.inf
    s = -0.9 * speed / change if speed < 0.0 and change > 0.0 else 0.0
    # Within the hold they move by about the tolerance; the hold ensures that time advances.
    hold = tolerance / fast if fast > 0.0 else math.inf
    if a > 0.0:
        hold = min(hold, math.sqrt(2.0 * tolerance / a))
    if s < hold:
        C[at.RESTING] += 1
        return max(hold, tick(t))
    return s


@kernel(boundscheck=False)
def bounds_step(F, S, i, j, t):
    """Return for how long the bounds of two observed spheres overlap at least; 0 if separate, inf if forever."""
    x, y, z, vx, vy, vz, unknown, rate = relative(F, S, i, j, t)
    R = touching_distance(F, S, i, j) + unknown
    speed = math.sqrt(vx * vx + vy * vy + vz * vz)
    tolerance = contact_tolerance(S, t, speed_of(vx, vy, vz), F[i, at.ACCELERATION] + F[j, at.ACCELERATION])
    gap = math.sqrt(x * x + y * y + z * z) - R
    if gap > 1.5 * tolerance:
        return 0.0
    if speed <= rate:
        return math.inf
    return max((2.0 * tolerance - gap) / (speed - rate), tick(t))


@kernel(boundscheck=False)
def wall_step(F, N, S, C, i, t):
    """Return for how long a sphere, probed at t, can neither touch a wall nor come back through one that it passed."""
    A, least, r = F[i, at.ACCELERATION], math.inf, F[i, at.RADIUS] + S[at.OWN_TOLERANCE]
    for c in range(int(S[at.DIMENSIONS])):
        g, x, v = S[at.GRAVITY + c], F[i, at.X + c], F[i, at.V + c]
        tolerance = contact_tolerance(S, t, abs(v), A + abs(g))
        for side in range(2):
            sign = 1.0 - 2.0 * side
            gap = sign * (x - S[(at.LOWER if side == 0 else at.UPPER) + c]) - r
            rate, a = sign * v, A - sign * g
            if N[i, at.OUTSIDE] >> (2 * c + side) & 1:
                s = first_root(max(-gap, tolerance), -rate, A + sign * g) if gap <= tolerance else 0.0
            elif gap > tolerance:
                s = first_root(gap - S[at.SLACK], rate, a)
            elif is_contact(S, gap, rate, tolerance):
                s = 0.0
            else:
                rest = tolerance
                if S[at.RESPONSE] != at.REPORT:
                    rest = resting_distance(S, F[i, at.RADIUS]) * (1000.0 if is_resting(N, i) else 1.0)
                s = touching_step(C, t, gap, rate, a, tolerance, rest)
            least = min(least, s)
    return least if least == 0.0 else max(least, tick(t))
