"""First contact of bounds that move and grow: certified lower bounds on its time, so that no contact is late.

The distance of two centres on straight paths is a convex function of time: it stays above each of its tangents. Minus
radii that grow as R + b s + a s^2 / 2, a tangent gives a parabola below the true gap. The first root of that parabola
is a time before which the bounds cannot touch, and the next tangent starts there. The times increase towards the
smallest positive root of

    |x + v s|^2 = (R + b s + a s^2 / 2)^2

and never exceed it. They converge quadratically unless the bounds graze each other.
"""

from __future__ import annotations

import math

from keepclear.compiler.kernel import kernel

NEARLY_ONE = 1.0 - 2.0**-47


@kernel(inline=True, boundscheck=False)
def first_root(gap, rate, a):
    """Return the smallest s > 0 with gap + rate s - a s^2 / 2 = 0 for a gap > 0, rounded down; inf if there is none."""
    square = rate * rate + 2.0 * a * gap
    if a > 0.0:
        root = math.sqrt(square)
        if rate > 0.0:
            return (rate + root) / a * NEARLY_ONE
        return 2.0 * gap / (root - rate) * NEARLY_ONE
    if rate >= 0.0 or square < 0.0:
        return math.inf
    return 2.0 * gap / (math.sqrt(square) - rate) * NEARLY_ONE


@kernel(boundscheck=False)
def straight_meeting(x, y, z, vx, vy, vz, R, horizon):
    """Return when two spheres on straight paths are first R apart, rounded down; inf if not before the horizon.

    The discriminant is the difference of R^2 v^2 and |x cross v|^2, enlarged by its rounding error.
    """
    along = x * vx + y * vy + z * vz
    if along >= 0.0:
        return math.inf
    cx, cy, cz = y * vz - z * vy, z * vx - x * vz, x * vy - y * vx
    xx, vv = x * x + y * y + z * z, vx * vx + vy * vy + vz * vz
    square = R * R * vv - (cx * cx + cy * cy + cz * cz) + 2.0**-47 * xx * vv
    if square < 0.0:
        return math.inf
    d = math.sqrt(xx)
    # harmless (NEARLY_ONE): the larger discriminant makes it less by 12 u of itself, and these operations round by 7 u
    s = (d - R) * (d + R) / (math.sqrt(square) - along) * NEARLY_ONE
    return s if s <= horizon else math.inf


@kernel(boundscheck=False)
def meeting_time(x, y, z, vx, vy, vz, R, b, a, horizon, slack, accuracy):
    """Return a lower bound on the time when two bounds first touch; inf if that is after the horizon.

    Args:
        x, y, z, vx, vy, vz: Centre of the second bound relative to the first, and its velocity.
        R, b, a: Sum of the radii now, its rate of growth and the growth of that rate; none negative.
        horizon: Later times are not needed.
        slack: Bound on the rounding error of the distance [m].
        accuracy: The search ends when a step is below this fraction of the time found; 0 asks for all digits.

    Returns:
        0 if the bounds touch now. Fifty steps converge to the last digits of a simple root. Where bounds graze each
        other, the last iterate is an earlier time, which is safe.
    """
    d = math.sqrt(x * x + y * y + z * z)
    gap = d - R - slack
    if gap <= 0.0:
        return 0.0
    if a == 0.0 and b == 0.0:
        return straight_meeting(x, y, z, vx, vy, vz, R + slack, horizon)
    s, px, py, pz = 0.0, x, y, z
    for _ in range(50):
        step = first_root(gap, (px * vx + py * vy + pz * vz) / d - (b + a * s), a)
        s += step
        if not s <= horizon:
            return math.inf
        # harmless (2.0**-50 * s): it ends a search; each of its times is early
        if step <= accuracy * s or step <= 2.0**-50 * s:
            break
        px, py, pz = x + vx * s, y + vy * s, z + vz * s
        d = math.sqrt(px * px + py * py + pz * pz)
        gap = d - (R + (b + 0.5 * a * s) * s) - slack
        if gap <= 0.0:
            break
    return s * NEARLY_ONE


@kernel(boundscheck=False)
def parting_time(x, y, z, vx, vy, vz, R, b, a, horizon, slack):
    """Return a time until which two overlapping spheres certainly still overlap; inf if until after the horizon.

    They separate when |x + v s| = R - b s - a s^2 / 2, where R is the sum of radii minus the uncertainty of the
    positions. The depth R - b s - a s^2 / 2 - |x + v s| is concave, so chords from a positive to a negative value cross
    zero too early, which is safe.
    """
    # harmless (slack): it only chooses where to look first
    depth = R - math.sqrt(x * x + y * y + z * z) - slack
    speed = math.sqrt(vx * vx + vy * vy + vz * vz)
    if speed + b <= 0.0 and a <= 0.0:
        return math.inf
    # After this time the centres are certainly farther apart than R.
    # harmless (2.0**-40): with an earlier end, the time that is found is earlier
    late = 2.0 * R / (0.5 * (speed + b) + math.sqrt(0.25 * (speed + b) ** 2 + 0.5 * a * R)) * (1.0 + 2.0**-40)
    lo, at_lo, hi, at_hi = 0.0, max(depth, 0.0), late, -R
    for k in range(60):
        s = 0.5 * (lo + hi)
        if k % 2 == 1 and at_lo > 0.0:
            s = lo + (hi - lo) * (at_lo / (at_lo - at_hi)) * NEARLY_ONE
        if s <= lo or s >= hi:
            break
        px, py, pz = x + vx * s, y + vy * s, z + vz * s
        value = R - (b + 0.5 * a * s) * s - math.sqrt(px * px + py * py + pz * pz) - slack
        if value > 0.0:
            lo, at_lo = s, value
            if lo > horizon:
                return math.inf
        else:
            hi, at_hi = s, value
        # harmless (1e-7 * lo): it ends a search; each lower end is early
        if hi - lo <= 1e-7 * lo:
            break
    return lo * NEARLY_ONE


@kernel("float64(float64[::1], float64, float64, float64, float64, float64, float64)")
def meeting(xv, R, b, a, horizon, slack, accuracy):
    """Return `meeting_time` of two bounds whose relative position and velocity are in an array (6,)."""
    return meeting_time(xv[0], xv[1], xv[2], xv[3], xv[4], xv[5], R, b, a, horizon, slack, accuracy)


@kernel("float64(float64[::1], float64, float64, float64, float64, float64)")
def parting(xv, R, b, a, horizon, slack):
    """Return `parting_time` of two spheres whose relative position and velocity are in an array (6,)."""
    return parting_time(xv[0], xv[1], xv[2], xv[3], xv[4], xv[5], R, b, a, horizon, slack)
