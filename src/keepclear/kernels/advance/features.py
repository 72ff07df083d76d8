"""First time of impact of a moving vertex and a triangle, or of two moving edges, on straight or cubic paths.

Both are the same problem. Relative to the vertex, the triangle is a polygon of 3 corners. The differences of the points
of two edges fill a parallelogram, a polygon of 4 corners. The features touch when the polygon contains the origin. An
interval of time is excluded by a direction along which all corners stay on one side, by a volume (of the origin and
three corners) that does not vanish, or by two sides of the polygon, in projection along an axis, that have the origin
on different sides. Contact is proved by a volume that changes its sign while the origin is inside the polygon in
projection along an axis.
"""

from __future__ import annotations

import math

from keepclear.compiler.kernel import kernel
from keepclear.kernels.advance.bernstein import certain_sign, cross, cut_to, first_zero, volume
from keepclear.kernels.convex.simplex import closest_on_triangle

# Results of a search: no contact; contact in the bracket; no farther than the tolerance at the start of the bracket;
# neither could be proved.
FREE, CONTACT, NEAR, OPEN = 0, 1, 2, 3

# The scratch array: paths of up to 4 corners (x, y, z of 4 coefficients each) on [0, 1] and on the present interval,
# cross products of neighbours, the volume, magnitudes of corners and of cross products, a direction with the products
# of the corners along it, the farthest corner, the result of a search, and the stack of intervals.
PATH, HERE, CROSS, VOLUME, REACH, AREA = 0, 48, 96, 180, 190, 194
AIM, ALONG, SIZE, BRACKET, DISTANCE, STEPS, STACK = 198, 201, 217, 218, 220, 221, 222
WAITING = 80
SCRATCH = STACK + 2 * WAITING

UNIT = 2.0**-53
UP, DOWN = 1.0 + 2.0**-40, 1.0 - 2.0**-51
# Rounding error of a corner, in units of UNIT times the farthest corner: straight (0, 1) and cubic (3).
ROUNDING = (8.0, 8.0, 0.0, 16.0)
# Fraction of an interval that is examined first after this many steps in a row that excluded nothing. Contact at the
# start is found in ten steps instead of fifty.
SHARES = (0.5, 0.25, 2.0**-4, 2.0**-8, 2.0**-16)
# How many of the smallest intervals may be excluded one by one: features that creep along at almost no distance are
# left undecided.
PATIENCE = 16
# Margin around a possible contact, as a fraction of the interval: at the very ends the volume would have no sign.
AROUND = 2.0**-10


@kernel(boundscheck=False)
def bring_to_one(W, m, d):
    """Scale the paths of m corners by a power of two so that the farthest is near 1; return the factor.

    The factor is 0 if a difference is not finite. Products of three scaled lengths neither overflow nor underflow.
    """
    size = 0.0
    for i in range(3 * m * (d + 1)):
        size = max(size, abs(W[PATH + i]))
        if not math.isfinite(W[PATH + i]):
            return 0.0
    exponent = max(math.frexp(size)[1], -1000)
    factor = math.ldexp(1.0, -exponent)
    for i in range(3 * m * (d + 1)):
        W[PATH + i] *= factor
    W[SIZE] = size * factor
    return factor


@kernel(boundscheck=False)
def _along_axes(W, m, d, slack):
    """Return the fractions of the interval between which the polygon, projected on the axes, may contain the origin."""
    enter, leave = 0.0, 1.0
    for k in range(3):
        for sign in (1.0, -1.0):
            x, y = 2.0, 2.0
            for c in range(m):
                at = HERE + (3 * c + k) * (d + 1)
                if x > 0.0:
                    x = min(x, first_zero(W, at, 1, d, sign, slack))
                if y > 0.0:
                    y = min(y, first_zero(W, at + d, -1, d, sign, slack))
            enter, leave = max(enter, x), min(leave, 1.0 - y)
    return enter, leave


@kernel(boundscheck=False)
def _spread(W, m, d):
    """Store how far the corners are from the origin; return how far one moves at most, as the sum over the axes."""
    largest = 0.0
    for c in range(m):
        total, reach = 0.0, 0.0
        for k in range(3):
            at = HERE + (3 * c + k) * (d + 1)
            least = most = W[at]
            for j in range(1, d + 1):
                least, most = min(least, W[at + j]), max(most, W[at + j])
            total += most - least
            reach = max(reach, abs(least), abs(most))
        W[REACH + c] = reach
        largest = max(largest, total)
    return largest


@kernel(boundscheck=False)
def _polynomials(W, m, d, slack):
    """Write the cross products of neighbours and the volume; return an error bound of the volume."""
    n = d + 1
    for e in range(m):
        second = (e + 1) % m
        out = CROSS + 3 * (2 * d + 1) * e
        W[AREA + e] = cross(W, HERE + 3 * n * e, HERE + 3 * n * second, d, out)
    volume(W, HERE + 6 * n, CROSS, d, VOLUME)
    a, b, c = W[REACH], W[REACH + 1], W[REACH + 2]
    # The third cross product of the corners 0, 1, 2 is one of neighbours, or in a parallelogram the sum of two.
    area = W[AREA] + W[AREA + 1] + (W[AREA + 2] if m == 3 else W[AREA] + W[AREA + 3])
    # harmless (UP): 6 squares of the slack, at least 8 u of a corner, are allowed and 4 possible: more than rounding
    return UP * (slack * (area + 6.0 * slack * (a + b + c + slack)) + 128.0 * UNIT * a * b * c)


@kernel(boundscheck=False)
def _sides(W, m, d, slack):
    """Return, in projection along some axis, -1 if the origin stays outside the polygon, 1 if inside, 0 if unknown."""
    n = 2 * d + 1
    for k in range(3):
        left, right = 0, 0
        for e in range(m):
            a, b = W[REACH + e], W[REACH + (e + 1) % m]
            # harmless (UP): corners use 4 of 8, or 10 of 16, units in the slack; the rest is more than rounding
            wrong = UP * (2.0 * slack * (a + b + slack) + 16.0 * UNIT * a * b)
            sign = certain_sign(W, CROSS + (3 * e + k) * n, n, wrong)
            if sign > 0:
                left += 1
            elif sign < 0:
                right += 1
        if left > 0 and right > 0:
            return -1
        if left == m or right == m:
            return 1
    return 0


@kernel(boundscheck=False)
def aim(W, m, d):
    """Write the vector from the origin to the polygon at the interval's start; return an upper bound on its length."""
    n = d + 1
    best = math.inf
    for c in range(1, m - 1):
        p, q, r = HERE, HERE + 3 * n * c, HERE + 3 * n * (c + 1)
        a, b, c, x, y, z = closest_on_triangle(
            W[p], W[p + n], W[p + 2 * n], W[q], W[q + n], W[q + 2 * n], W[r], W[r + n], W[r + 2 * n]
        )
        square = 0.0
        for k in range(3):
            at = k * n
            square += (a * W[p + at] + b * W[q + at] + c * W[r + at]) ** 2
        if square < best:
            best = square
            W[AIM], W[AIM + 1], W[AIM + 2] = x, y, z
    # The weights add up to 1, and the sum is computed, to a few rounding units of the farthest corner.
    # harmless (UP): the root rounds by 4 u of itself, and corners use 7 of 16, or 18 of 32, units
    return UP * math.sqrt(best) + (64.0 + 2.0 * ROUNDING[d]) * UNIT * W[SIZE]


@kernel(boundscheck=False)
def ahead(W, m, d, gap):
    """Return the fraction of the interval for which all corners stay beyond `gap` along `aim`; 2 if all of it.

    Any direction is valid; the one of the shortest distance lasts longest.
    """
    n = d + 1
    x, y, z = W[AIM], W[AIM + 1], W[AIM + 2]
    wrong = (ROUNDING[d] + 8.0) * UNIT * W[SIZE] * (abs(x) + abs(y) + abs(z))
    # harmless (UP): 7 of 16, or 13 of 24, units of the farthest corner are used; the rest is more than rounding
    slack = UP * (gap * math.sqrt(x * x + y * y + z * z) + wrong)
    part = 2.0
    for c in range(m):
        p, out = HERE + 3 * n * c, ALONG + 4 * c
        for j in range(n):
            W[out + j] = x * W[p + j] + y * W[p + n + j] + z * W[p + 2 * n + j]
        part = min(part, first_zero(W, out, 1, d, 1.0, slack))
        if part == 0.0:
            break
    return part


@kernel(boundscheck=False)
def _examine(W, m, d, slack, proved, quick):
    """Return from where to where the interval may have contact (empty: nowhere), and whether it must have it.

    With `quick`, polynomials are not used if the axes leave less than half.
    """
    enter, leave = _along_axes(W, m, d, slack)
    if enter > leave or (quick and leave - enter < 0.5):
        return enter, leave, False
    wrong = _polynomials(W, m, d, slack)
    first, last = W[VOLUME], W[VOLUME + 3 * d]
    enter = max(enter, first_zero(W, VOLUME, 1, 3 * d, math.copysign(1.0, first), wrong))
    leave = min(leave, 1.0 - first_zero(W, VOLUME + 3 * d, -1, 3 * d, math.copysign(1.0, last), wrong))
    if enter > leave or proved:
        return enter, leave, False
    side = _sides(W, m, d, slack)
    if side < 0:
        return 2.0, 0.0, False
    return enter, leave, side > 0 and min(first, last) < -wrong and max(first, last) > wrong


@kernel(boundscheck=False)
def _wait(W, n, t0, t1):
    """Push an interval on the stack of n others; return the new size of the stack."""
    W[STACK + 2 * n], W[STACK + 2 * n + 1] = t0, t1
    return n + 1


@kernel(boundscheck=False)
def _later(t0, t1, part):
    """Return the instant at this fraction of the interval, or a little before it."""
    return max(t0, (t0 + (t1 - t0) * min(part, 1.0)) * DOWN)


@kernel(boundscheck=False)
def _earlier(t0, t1, part):
    """Return the instant at this fraction of the interval, or a little after it."""
    return min(t1, (t1 - (t1 - t0) * (1.0 - part) * DOWN) / DOWN)


@kernel(boundscheck=False)
def _ends(W, m, d, t0, t1, steps, how):
    """Store the bracket, the distance at its start, and the number of steps; return the result `how`."""
    W[BRACKET], W[BRACKET + 1], W[STEPS] = t0, t1, steps
    if how != FREE:
        cut_to(W, PATH, HERE, 3 * m, d, t0, t0)
        W[DISTANCE] = aim(W, m, d)
    return how


@kernel("int64(float64[::1], int64, int64, float64, float64, float64, int64)", boundscheck=False)
def meet(W, m, d, tolerance, error, width, budget):
    """Return the result of the search for the first contact in [0, 1]; its bracket is in W[BRACKET:].

    W[PATH:] holds the paths of m corners, of degree d, scaled by `bring_to_one`; lengths are in the same unit. The true
    corners may be up to `error` away from them at any time. FREE: no contact, and none before the bracket, for all such
    corners. CONTACT: the bracket contains one, for all of them. NEAR, usual if `error` is at most a quarter of
    `tolerance`: at the start of the bracket they are no farther than `tolerance`. A bracket of contact is made no wider
    than `width` as far as rounding and `error` allow.
    """
    slack = error + ROUNDING[d] * UNIT * W[SIZE]
    proved, last = False, 1.0
    n = _wait(W, 0, 0.0, 1.0)
    steps, stuck, tiny = 0, 0, 0
    while n > 0:
        n -= 1
        t0, t1 = W[STACK + 2 * n], W[STACK + 2 * n + 1]
        if steps == budget:
            return _ends(W, m, d, t0, last, steps, OPEN)
        steps += 1
        cut_to(W, PATH, HERE, 3 * m, d, t0, t1)
        spread = _spread(W, m, d)
        enter, leave, found = _examine(W, m, d, slack, proved, steps == 1)
        middle = 0.5 * (t0 + t1)
        smallest = spread <= slack or not (t0 < middle and middle < t1)
        distance = math.inf
        if enter <= leave and not (found or proved) and (smallest or stuck > 0):
            distance = aim(W, m, d) + error
            # harmless (max): then less is excluded
            enter = max(enter, ahead(W, m, d, error))
        if enter > leave:
            stuck = 0
            tiny += smallest
            if tiny > PATIENCE:
                return _ends(W, m, d, t0, last, steps, NEAR if distance <= tolerance else OPEN)
            continue
        if found:
            proved = True
            n = 0
        start, end = _later(t0, t1, max(0.0, enter - AROUND)), _earlier(t0, t1, min(1.0, leave + AROUND))
        if proved and n == 0:
            last = end
        narrow = proved and spread <= tolerance and last - start <= width
        # harmless (<=): likewise
        # harmless (error): contact is proved already; it selects when the bracket is narrow enough
        if proved and (smallest or (narrow and (n == 0 or aim(W, m, d) + error <= tolerance))):
            return _ends(W, m, d, start, last, steps, CONTACT)
        if smallest:
            return _ends(W, m, d, t0, last, steps, NEAR if distance <= tolerance else OPEN)
        if end - start > 0.75 * (t1 - t0):
            middle = start + SHARES[stuck] * (end - start)
            if not (start < middle and middle < end):
                middle = 0.5 * (start + end)
            n = _wait(W, n, middle, end)
            end = middle
            stuck = min(stuck + 1, len(SHARES) - 1)
        n = _wait(W, n, start, end)
    return _ends(W, m, d, 1.0, 1.0, steps, FREE)


@kernel("int64(float64[::1], int64, int64, float64, float64, float64, int64)", boundscheck=False)
def approach(W, m, d, tolerance, gap, error, budget):
    """Return the result of the search for the first distance of `gap` or less; like `meet`, for gap > 0.

    From the start of an interval, the polygon is advanced along the shortest vector to it until it may be too near.
    """
    n = _wait(W, 0, 0.0, 1.0)
    steps = 0
    while n > 0:
        n -= 1
        t0, t1 = W[STACK + 2 * n], W[STACK + 2 * n + 1]
        if steps == budget:
            return _ends(W, m, d, t0, 1.0, steps, OPEN)
        steps += 1
        cut_to(W, PATH, HERE, 3 * m, d, t0, t1)
        enter, leave = _along_axes(W, m, d, gap + error + ROUNDING[d] * UNIT * W[SIZE])
        if enter > leave:
            continue
        distance = aim(W, m, d) + error
        if distance <= gap + tolerance:
            return _ends(W, m, d, t0, t0, steps, CONTACT if distance <= gap else NEAR)
        enter = max(enter, ahead(W, m, d, gap + error))
        if enter > leave:
            continue
        start, end = _later(t0, t1, enter), _earlier(t0, t1, leave)
        if end - start <= 4.0 * UNIT * end:
            return _ends(W, m, d, start, 1.0, steps, OPEN)
        if end - start > 0.75 * (t1 - t0):
            middle = 0.5 * (start + end)
            n = _wait(W, n, middle, end)
            end = middle
        n = _wait(W, n, start, end)
    return _ends(W, m, d, 1.0, 1.0, steps, FREE)
