"""Conservative advancement of two triangles: when they first come within a distance; every step is proved.

At an instant the closest points give a direction n and the gap along it. Points that move straight close the gap at
known rates, and K (t^2) / 2 bounds the deviation from straight paths. Until the gap can be used up, the triangles are
proved clear. Near a contact this is Newton's method from the safe side: the remaining gap is squared from step to step,
unless the paths only graze each other.
"""

from __future__ import annotations

import math

from keepclear.compiler.kernel import kernel
from keepclear.kernels.motion.rows import motion_of
from keepclear.kernels.motion.state import (
    ACCELERATION_BOUND,
    BEGIN,
    END,
    LENGTH,
    MISSED,
    POSE_ROUNDING,
    Z,
    mapped,
    relative_at,
)
from keepclear.kernels.tables.surface import SURFACE_HEADER
from keepclear.kernels.trees.obb_pair import ROUNDING_MESH, corners_of_a
from keepclear.kernels.triangles import triangle_distance as triangle
from keepclear.kernels.triangles.triangle_pair import meet
from keepclear.kernels.vectors import cross, dot, minus, three

# A pair within the tolerance gets this many more steps to prove that it touches, or that it does not.
MORE_STEPS = 8
# The direction between closest points that are closer than this fraction of the scene is taken from the step before.
VAGUE = 1e-9
SHORT = 1e-140  # the squares of shorter vectors lose digits, and their lengths are not known
TIME_UNIT = 2.0**-52
CORNERS = 18  # size of scratch: three corners of B and their rates


@kernel(inline=True, boundscheck=False)
def allowance(size):
    """Return a bound on the rounding error of a gap between two triangles in a scene of this size [m]."""
    return 2.0 * (ROUNDING_MESH + POSE_ROUNDING) * size


@kernel(boundscheck=False)
def _corners(SB, TB, tb, W, z, C):
    """Write the corners of a triangle of B in A's frame and their rates, by the maps at W[z:] and W[z + 12:]."""
    for i in range(3):
        q = SURFACE_HEADER + 3 * TB[3 * tb + i]
        C[3 * i], C[3 * i + 1], C[3 * i + 2] = mapped(W, z, SB[q], SB[q + 1], SB[q + 2])
        C[9 + 3 * i], C[10 + 3 * i], C[11 + 3 * i] = mapped(W, z + 12, SB[q], SB[q + 1], SB[q + 2])


@kernel(boundscheck=False)
def _keeps_clear(a, b, c, n, C, half, need):
    """Return whether n keeps a, b, c and the corners in C more than `need` apart, either side, from -half to half."""
    length = math.sqrt(dot(n, n))
    if not length > SHORT:
        return False
    p, q, r = dot(n, a), dot(n, b), dot(n, c)
    least, largest = math.inf, -math.inf
    for i in range(3):
        g, travel = dot(n, three(C, 3 * i)), abs(half * dot(n, three(C, 9 + 3 * i)))
        least, largest = min(least, g - travel), max(largest, g + travel)
    # harmless (max): then no direction keeps anything clear
    return max(least - max(p, q, r), min(p, q, r) - largest) > need * length


@kernel(inline=True, boundscheck=False)
def _across(a, b, c):
    """Return a normal vector of the plane of a, b, c."""
    return cross(minus(b, a), minus(c, a))


@kernel(inline=True, boundscheck=False)
def time_until(gap, rate, acceleration):
    """Return for how long a gap that changes at this rate lasts at least, with this acceleration bound."""
    if acceleration == math.inf:
        return 0.0
    if acceleration > 0.0:
        root = math.sqrt(rate * rate + 2.0 * acceleration * gap)
        return 2.0 * gap / (root - rate) if rate < 0.0 else (rate + root) / acceleration
    return gap / -rate if rate < 0.0 else math.inf


@kernel(boundscheck=False)
def _step(a, b, c, C, V, need, acceleration):
    """Return for how long the gap in V lasts, and the rate at which it closes at first."""
    length = math.sqrt(V[triangle.SQUARE])
    n = V[triangle.GAP] / length, V[triangle.GAP + 1] / length, V[triangle.GAP + 2] / length
    far = max(dot(n, a), dot(n, b), dot(n, c)) + need
    step, closing = math.inf, 0.0
    for i in range(3):
        gap, rate = dot(n, three(C, 3 * i)) - far, dot(n, three(C, 9 + 3 * i))
        if not gap > 0.0:
            return 0.0, closing
        step, closing = min(step, time_until(gap, rate, acceleration)), min(closing, rate)
    return step, closing


@kernel(boundscheck=False)
def _find_certain(a, b, c, SB, TB, tb, QA, ka, QB, kb, t, until, gap, closing, pair, work, V, C):
    """Search for an instant soon after t at which contact is certain; store it if it is the earliest."""
    later = gap / -closing if closing < 0.0 else 0.0
    # harmless (4.0 * TIME_UNIT * abs(t)): it selects the instants that are tried; each is tested
    later = max(later, 4.0 * TIME_UNIT * abs(t))
    for _ in range(20):
        u = min(t + later, until)
        if u >= pair.certain:
            return
        relative_at(QA, ka, QB, kb, u, work, work, 64)
        _corners(SB, TB, tb, work, 64, C)
        delta = allowance(pair.scale)
        if pair.margin > 0.0:
            triangle.closest(a, b, c, three(C, 0), three(C, 3), three(C, 6), V)
            certain = motion_of(QA).largest * (math.sqrt(V[triangle.SQUARE]) + delta) <= pair.margin
        else:
            certain = meet(a, b, c, three(C, 0), three(C, 3), three(C, 6), delta) > 0
        if certain:
            pair.certain = u
            return
        if u == until:
            return
        later *= 2.0


@kernel(boundscheck=False)
def keeps_clear(SA, TA, ta, SB, TB, tb, QA, W, at, pair, V, C):
    """Return whether a direction keeps two triangles apart during the span at W[at:].

    Candidates, evaluated at the middle of the span, are the direction that separated last, the normals of both
    triangles, then the vector between the closest points. Most pairs are decided without a step. Faces that slide along
    each other at a small gap need the normals: the vectors between their closest points have all directions.
    """
    a, b, c = corners_of_a(SA, TA, ta)
    _corners(SB, TB, tb, W, at + Z, C)
    margin = pair.margin
    if pair.least:
        # harmless (margin): only distances below the known one, less the tolerance, are asked for
        margin = max(pair.distance - pair.tolerance, margin)
    half = W[at + LENGTH]
    need = margin / motion_of(QA).smallest + allowance(pair.scale) + W[at + MISSED]
    if _keeps_clear(a, b, c, three(V, triangle.GAP), C, half, need):
        return True
    if _keeps_clear(a, b, c, _across(a, b, c), C, half, need):
        return True
    if _keeps_clear(a, b, c, _across(three(C, 0), three(C, 3), three(C, 6)), C, half, need):
        return True
    triangle.closest(a, b, c, three(C, 0), three(C, 3), three(C, 6), V)
    pair.evaluations += 1
    return _keeps_clear(a, b, c, three(V, triangle.GAP), C, half, need)


@kernel(boundscheck=False)
def advance(SA, TA, ta, SB, TB, tb, QA, ka, QB, kb, W, at, pair, work, V, C):
    """Advance two triangles through the span at W[at:] until it ends or they come within the margin."""
    if keeps_clear(SA, TA, ta, SB, TB, tb, QA, W, at, pair, V, C):
        return
    a, b, c = corners_of_a(SA, TA, ta)
    begin, end, acceleration = W[at + BEGIN], W[at + END], W[at + ACCELERATION_BOUND]
    margin, slack = pair.margin, allowance(pair.scale)
    t, steps = begin, 0
    gx, gy, gz = 0.0, 0.0, 0.0
    while True:
        relative_at(QA, ka, QB, kb, t, work, work, 64)
        _corners(SB, TB, tb, work, 64, C)
        triangle.closest(a, b, c, three(C, 0), three(C, 3), three(C, 6), V)
        pair.evaluations += 1
        length = math.sqrt(V[triangle.SQUARE])
        upper = motion_of(QA).largest * (length + slack)
        # harmless (VAGUE * pair.scale): the normal is part of the answer, no bound depends on it
        if length > VAGUE * pair.scale or (gx == 0.0 and gy == 0.0 and gz == 0.0 and length > 0.0):
            gx, gy, gz = V[triangle.GAP] / length, V[triangle.GAP + 1] / length, V[triangle.GAP + 2] / length
        step, closing = 0.0, 0.0
        if length > 0.0:
            step, closing = _step(a, b, c, C, V, margin / motion_of(QA).smallest + slack, acceleration)
        # harmless (margin): it selects when a search among close triangles ends
        steps = steps + 1 if upper <= margin + pair.tolerance else 0
        later = end
        if step < end - t:
            later = (t + step) - TIME_UNIT * abs(t + step)
        if not later > t or steps > MORE_STEPS:
            if upper > margin + pair.tolerance:
                # Only triangles that cross can be in contact without being close: their closest points do not show it.
                if meet(a, b, c, three(C, 0), three(C, 3), three(C, 6), slack) > 0:
                    upper = 0.0
                    pair.certain = min(pair.certain, t)
                else:
                    pair.unproved = 1
            if t < pair.time:
                pair.normal[0], pair.normal[1], pair.normal[2] = gx, gy, gz
                pair.time, pair.distance = t, upper
                pair.triangle_a, pair.triangle_b = ta, tb
            # harmless (4.0 * slack): it selects the instants that `_find_certain` tries; each is tested
            gap = max(length - margin, 0.0) + 4.0 * slack
            _find_certain(a, b, c, SB, TB, tb, QA, ka, QB, kb, t, W[END], gap, closing, pair, work, V, C)
            return
        t = later
        if t >= end or t >= pair.time:
            return


@kernel("void(float64[::1], float64[::1])")
def closest_corners(C, V):
    """Write the closest points of two triangles, given by 18 coordinates, to V."""
    triangle.closest(three(C, 0), three(C, 3), three(C, 6), three(C, 9), three(C, 12), three(C, 15), V)
