"""Polynomials on an interval by their Bernstein coefficients: restriction, products, and where they may have zeros.

A polynomial lies within the convex hull of its control points (the coefficients at equally spaced parameters), and
passes through the first and the last of them. So coefficients of one sign exclude zeros, and zeros can only be where
the hull crosses zero.

Paths of degree d = 1 (straight) or 3 (cubic) are x, y, z of a moving point; products are of degree 2 d and 3 d.
`docs/theory/point-contact.md` derives bounds of the rounding errors of all these operations.
"""

from __future__ import annotations

from keepclear.compiler.kernel import kernel

# Rows 1, 2, 3, 6 and 9 of Pascal's triangle, and where those of degrees d, 2 d and 3 d begin for d = 1 and d = 3.
BINOMIALS = (
    1.0, 1.0,
    1.0, 2.0, 1.0,
    1.0, 3.0, 3.0, 1.0,
    1.0, 6.0, 15.0, 20.0, 15.0, 6.0, 1.0,
    1.0, 9.0, 36.0, 84.0, 126.0, 126.0, 84.0, 36.0, 9.0, 1.0,
)  # fmt: skip
PATHS, PRODUCTS, VOLUMES = (0, 0, 0, 5), (0, 2, 0, 9), (0, 5, 0, 16)
NEARLY_ONE = 1.0 - 2.0**-48


@kernel(boundscheck=False)
def cut_to(W, source, out, n, d, t0, t1):
    """Write the coefficients of n polynomials of degree d on [t0, t1] from those on [0, 1]."""
    s0, s1 = 1.0 - t0, 1.0 - t1
    for k in range(n):
        i, o = source + (d + 1) * k, out + (d + 1) * k
        if d == 1:
            W[o] = s0 * W[i] + t0 * W[i + 1]
            W[o + 1] = s1 * W[i] + t1 * W[i + 1]
        else:
            # The blossom b(., ., .), each argument at t0 or t1.
            a0 = s0 * W[i] + t0 * W[i + 1]
            a1 = s0 * W[i + 1] + t0 * W[i + 2]
            a2 = s0 * W[i + 2] + t0 * W[i + 3]
            b0 = s1 * W[i] + t1 * W[i + 1]
            b1 = s1 * W[i + 1] + t1 * W[i + 2]
            b2 = s1 * W[i + 2] + t1 * W[i + 3]
            c0, c1 = s0 * a0 + t0 * a1, s0 * a1 + t0 * a2
            m0, m1 = s1 * a0 + t1 * a1, s1 * a1 + t1 * a2
            e0, e1 = s1 * b0 + t1 * b1, s1 * b1 + t1 * b2
            W[o] = s0 * c0 + t0 * c1
            W[o + 1] = s1 * c0 + t1 * c1
            W[o + 2] = s1 * m0 + t1 * m1
            W[o + 3] = s1 * e0 + t1 * e1


@kernel(boundscheck=False)
def first_zero(W, at, step, n, sign, slack):
    """Return where, as a fraction of the interval, `sign` times a polynomial may first be <= `slack`; 2 if nowhere.

    Its n + 1 coefficients are at W[at + step i]; with step -1 the interval is traversed from its end.
    """
    if not sign * W[at] > slack:
        return 0.0
    first = 2.0 * n
    for j in range(1, n + 1):
        low = sign * W[at + step * j] - slack
        if not low > 0.0:
            for i in range(j):
                high = sign * W[at + step * i] - slack
                if high > 0.0:
                    first = min(first, i + (j - i) * (high / (high - low)))
    return first / n * NEARLY_ONE


@kernel(boundscheck=False)
def cross(W, p, q, d, out):
    """Write the cross product of two paths; return the greatest sum of magnitudes of its coefficients."""
    n, m = d + 1, 2 * d + 1
    row, product = PATHS[d], PRODUCTS[d]
    largest = 0.0
    for k in range(m):
        x, y, z = 0.0, 0.0, 0.0
        for i in range(max(0, k - d), min(k, d) + 1):
            j = k - i
            w = BINOMIALS[row + i] * BINOMIALS[row + j]
            ax, ay, az = W[p + i], W[p + n + i], W[p + 2 * n + i]
            bx, by, bz = W[q + j], W[q + n + j], W[q + 2 * n + j]
            x += w * (ay * bz - az * by)
            y += w * (az * bx - ax * bz)
            z += w * (ax * by - ay * bx)
        w = BINOMIALS[product + k]
        x, y, z = x / w, y / w, z / w
        W[out + k], W[out + m + k], W[out + 2 * m + k] = x, y, z
        largest = max(largest, abs(x) + abs(y) + abs(z))
    return largest


@kernel(boundscheck=False)
def volume(W, p, q, d, out):
    """Write the scalar product of the path at p and a cross product at q, a polynomial of degree 3 d."""
    n, m = d + 1, 2 * d + 1
    row, product, whole = PATHS[d], PRODUCTS[d], VOLUMES[d]
    for k in range(3 * d + 1):
        total = 0.0
        for i in range(max(0, k - 2 * d), min(k, d) + 1):
            j = q + k - i
            w = BINOMIALS[row + i] * BINOMIALS[product + k - i]
            total += w * (W[p + i] * W[j] + W[p + n + i] * W[j + m] + W[p + 2 * n + i] * W[j + 2 * m])
        W[out + k] = total / BINOMIALS[whole + k]


@kernel(boundscheck=False)
def certain_sign(W, at, n, slack):
    """Return 1 or -1 if all n coefficients exceed `slack` on that side of zero, else 0."""
    least = largest = W[at]
    for k in range(1, n):
        least, largest = min(least, W[at + k]), max(largest, W[at + k])
    if least > slack:
        return 1
    return -1 if largest < -slack else 0
