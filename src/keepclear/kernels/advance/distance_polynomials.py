"""Polynomials that are lower bounds on the distance of two moving convex bodies during an interval of time.

Each has degree 4 and is given by its five Bernstein coefficients; `least_convex` derives them. Subdivision proves in
which eighths of the interval they are not negative. The interval is cut where they are lowest.
"""

from __future__ import annotations

import math

from keepclear.compiler.kernel import kernel
from keepclear.kernels.advance.convex import least_along
from keepclear.kernels.motion.state import POSE_ROUNDING, SPAN, STATE

# A sample, the data at an instant: its time, the unit vector n from A to B, whether n belongs to the closest points at
# this instant (else to those at a neighbour), the support of A along n, whether the interval from there to the next
# sample is proved, then the relative pose and its rate.
AT, N, MEASURED, FAR, DONE_AFTER, Z, DZ, SAMPLE = 0, 1, 4, 5, 6, 8, 20, 32
DEEPEST = 7  # a polynomial is halved this often before the interval is
# A bit for each eighth of an interval.
ALL_CELLS = 255
# Scratch: states of both motions, a span, four control matrices, three polynomials of five coefficients each, and the
# stack of their halves. Further scratch of `least_convex` begins at USED.
SPAN_AT = 2 * STATE + 24
CONTROLS = SPAN_AT + SPAN
POLYNOMIALS = CONTROLS + 48
HALVES = POLYNOMIALS + 16
USED = HALVES + 7 * (DEEPEST + 1)


@kernel(boundscheck=False)
def fill_controls(V, s, e, h, straight, size, W, at):
    """Write four control matrices to W[at:], and return a bound on their rounding error [m].

    Args:
        V: Holds the relative poses at both ends of the interval at s and e, and their rates 12 numbers later.
        h: Length of the interval [s].
        straight: Whether to write those of the straight line, else those of the cubic.
        size: Size of the scene [m].
    """
    turned, shifted = 0.0, 0.0
    for i in range(12):
        a, b = V[s + i], V[e + i]
        u, v = (b - a) / 3.0, (b - a) / 3.0
        if not straight:
            u, v = h / 3.0 * V[s + 12 + i], h / 3.0 * V[e + 12 + i]
        if i % 4 == 3:
            shifted += abs(u) + abs(v)
        else:
            turned += abs(u) + abs(v)
        W[at + i], W[at + 12 + i] = a, a + u
        W[at + 24 + i], W[at + 36 + i] = b - v, b
    return 4.0 * POSE_ROUNDING * (turned * size + shifted)


@kernel(inline=True, boundscheck=False)
def _carried(W, m, nx, ny, nz):
    """Return the direction n in B's frame under the control matrix at W[m:], and the part due to its translation."""
    return (
        nx * W[m] + ny * W[m + 4] + nz * W[m + 8],
        nx * W[m + 1] + ny * W[m + 5] + nz * W[m + 9],
        nx * W[m + 2] + ny * W[m + 6] + nz * W[m + 10],
        nx * W[m + 3] + ny * W[m + 7] + nz * W[m + 11],
    )


@kernel(boundscheck=False)
def fill_polynomial(FB, IB, W, p, q, stretchy, need, quartic, quadratic, size, hints, out, hasty):
    """Write the polynomial that is a lower bound on the gap beyond `need`, with the directions of the samples p and q.

    Args:
        stretchy: Radius of B if its ball is stretched with it, else 0.
        quartic: h^4 D / 24, or 0.
        quadratic: h^2 K / 2, or 0.
        out: Index of its first coefficient in W.
        hasty: Return False, without the other coefficients, if the last one is negative.
    """
    ax, ay, az = W[p + N], W[p + N + 1], W[p + N + 2]
    bx, by, bz = W[q + N], W[q + N + 1], W[q + N + 2]
    far, more = W[p + FAR], 0.25 * (W[q + FAR] - W[p + FAR])
    less = max(0.0, 1.0 - (ax * bx + ay * by + az * bz))
    for k in range(4, -1, -1):
        if k == 0:
            x, y, z, shift = _carried(W, CONTROLS, ax, ay, az)
        elif k == 4:
            x, y, z, shift = _carried(W, CONTROLS + 36, bx, by, bz)
        else:
            # Products of Bernstein polynomials of degrees 3 and 1: the control matrices before and at k.
            m = CONTROLS + 12 * (k - 1)
            f, g = (0.25, 0.75) if k == 1 else ((0.5, 0.5) if k == 2 else (0.75, 0.25))
            x, y, z, shift = _carried(W, m, f * bx, f * by, f * bz)
            u, v, w, moved = _carried(W, m + 12, g * ax, g * ay, g * az)
            x, y, z, shift = x + u, y + v, z + w, shift + moved
        least, _, _, _, j = least_along(FB, IB, x, y, z, int(hints[0]), size)
        hints[0] = j
        dip = 0.0 if k == 0 or k == 4 else (1.0 / 3.0 if k == 2 else 0.25)
        value = least + shift - (far + k * more) - need * (1.0 - less * dip) - quadratic * dip
        if stretchy > 0.0:
            value -= stretchy * math.sqrt(x * x + y * y + z * z)
        if k == 2:
            value -= quartic / 6.0
        W[out + k] = value if value > -math.inf else -math.inf  # nan is no proof
        if k == 4 and value < 0.0 and hasty:
            return False
    return True


@kernel(boundscheck=False)
def prove_cells(W, p, cells, least):
    """Prove that the polynomial at W[p:] is not negative, in those eighths of its range where that is so.

    Args:
        cells: A bit for each of the eighths that are proved already.
        least: Lower bound that is proved there.

    Returns:
        Both, updated.
    """
    depth, level, first, failed = 0, 0, 0, 0
    c0, c1, c2, c3, c4 = W[p], W[p + 1], W[p + 2], W[p + 3], W[p + 4]
    while True:
        cell = first >> (DEEPEST - 3)
        bits = ((1 << (8 >> level)) - 1 if level < 3 else 1) << cell
        low = min(c0, c1, c2, c3, c4)
        if (cells | failed) & bits != bits and not low >= 0.0:
            if max(c0, c1, c2, c3, c4) < 0.0 or (
                level >= 3 and (c0 < 0.0 or c4 < 0.0 or not level < DEEPEST)
            ):
                failed |= bits
            else:
                # De Casteljau at the middle: the later half goes on the stack.
                d0, d1, d2, d3 = 0.5 * (c0 + c1), 0.5 * (c1 + c2), 0.5 * (c2 + c3), 0.5 * (c3 + c4)
                e0, e1, e2 = 0.5 * (d0 + d1), 0.5 * (d1 + d2), 0.5 * (d2 + d3)
                f0, f1 = 0.5 * (e0 + e1), 0.5 * (e1 + e2)
                g = 0.5 * (f0 + f1)
                level += 1
                o = HALVES + 7 * depth
                W[o], W[o + 1], W[o + 2] = g, f1, e2
                W[o + 3], W[o + 4], W[o + 5] = d3, c4, level
                W[o + 6] = first + (1 << (DEEPEST - level))
                depth += 1
                c1, c2, c3, c4 = d0, e0, f0, g
                continue
        elif low >= 0.0:
            least = min(least, low)
        if depth == 0:
            return cells | (ALL_CELLS & ~failed), least
        depth -= 1
        o = HALVES + 7 * depth
        c0, c1, c2 = W[o], W[o + 1], W[o + 2]
        c3, c4, level = W[o + 3], W[o + 4], int(W[o + 5])
        first = int(W[o + 6])


@kernel(boundscheck=False)
def _value(W, p, u):
    """Return the value of the polynomial at W[p:]."""
    v = 1.0 - u
    a, b = v * v, u * u
    return a * (a * W[p] + 4.0 * u * v * W[p + 1] + 6.0 * b * W[p + 2]) + b * (
        4.0 * u * v * W[p + 3] + b * W[p + 4]
    )


@kernel(boundscheck=False)
def cut(W, n):
    """Return where the largest of n polynomials is least, which is where the least distance is likely to be."""
    best, where = math.inf, 0
    before, after, last = math.inf, math.inf, math.inf
    for i in range(9):
        value = -math.inf
        for k in range(n):
            value = max(value, _value(W, POLYNOMIALS + 5 * k, 0.125 * i))
        if i == where + 1:
            after = value
        if value < best:
            best, where, before = value, i, last
        last = value
    if where == 0 or where == 8:
        return 0.5
    curvature = before - 2.0 * best + after
    return 0.125 * (where + (0.5 * (before - after) / curvature if curvature > 0.0 else 0.0))


@kernel(boundscheck=False)
def stays_positive(g0, g1, g2, g3, quartic, quadratic, W):
    """Return whether a cubic with these Bernstein coefficients, less its error bound, is not negative from 0 to 1."""
    # harmless (quadratic): likewise
    # harmless (quartic): an infinite error makes a coefficient infinitely negative, which proves nothing
    if not quartic + quadratic < math.inf:
        return False
    p = POLYNOMIALS
    W[p], W[p + 4] = g0, g3
    W[p + 1] = 0.25 * g0 + 0.75 * g1 - 0.25 * quadratic
    W[p + 2] = 0.5 * (g1 + g2) - quadratic / 3.0 - quartic / 6.0
    W[p + 3] = 0.75 * g2 + 0.25 * g3 - 0.25 * quadratic
    cells, _ = prove_cells(W, p, 0, math.inf)
    return cells == ALL_CELLS
