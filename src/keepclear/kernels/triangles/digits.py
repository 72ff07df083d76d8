"""Integers of many digits for the signs of determinants: points in world coordinates without any rounding.

A number is a row of n words: the digits of base 2**28, each from -2**27 to 2**27 - 1, the lowest first. Signed digits
make every number unique, its sign that of its highest digit, and its negative as short as itself. The highest digit may
be twice as large after a subtraction. `docs/theory/mesh-contacts.md` proves that no word overflows, for any finite
input.
"""

from __future__ import annotations

import math

import numpy as np

from keepclear.compiler.kernel import kernel

BITS = 28
BASE = 1 << BITS
HALF = BASE >> 1
MASK = BASE - 1

# Layout of the scratch array: mantissas and exponents of the input (two matrices of 12, six points), signs that are
# known already, the points (18 numbers), nine differences, and a normal (3 numbers of 2 n digits).
MANTISSAS, EXPONENTS, SIGNS, POINTS = 0, 42, 84, 108
# Where the vertices of a surface begin in its array.
VERTICES = 16
# Digits of a coordinate: products of float64 numbers reach from 2**-2252 to 2**2050.
MOST_DIGITS = 156
SCRATCH = POINTS + (18 + 9 + 6) * MOST_DIGITS


@kernel(boundscheck=False)
def take(D, slot, x):
    """Write the mantissa and exponent of a float64 number, both integers, to a slot."""
    m, e = math.frexp(x)
    D[MANTISSAS + slot] = np.int64(m * 9007199254740992.0)
    D[EXPONENTS + slot] = e - 53


@kernel(boundscheck=False)
def take_vertex(D, k, S, vertex):
    """Write the coordinates of a surface's vertex to the slots of point k."""
    for j in range(3):
        take(D, 24 + 3 * k + j, S[VERTICES + 3 * vertex + j])


@kernel(boundscheck=False)
def _range(D, first, last, step, lowest, highest):
    """Extend the range of exponents by those of slots that are not zero."""
    for slot in range(first, last, step):
        if D[MANTISSAS + slot] != 0:
            lowest = min(lowest, D[EXPONENTS + slot])
            highest = max(highest, D[EXPONENTS + slot])
    return lowest, highest


@kernel(boundscheck=False)
def _add(D, at, n1, n2, e):
    """Add n1 n2 2**e, with mantissas of 53 bits, to a number whose digits may grow to full words."""
    at += e // BITS
    shift = e % BITS
    l1, h1 = n1 & MASK, n1 >> BITS
    l2, h2 = n2 & MASK, n2 >> BITS
    for product in (l1 * l2, l1 * h2 + h1 * l2, h1 * h2):
        D[at] += (product & MASK) << shift
        D[at + 1] += (product >> BITS) << shift
        at += 1


@kernel(boundscheck=False)
def _settle(D, at, n):
    """Propagate carries until the words of a number are digits again; the highest keeps the rest."""
    for i in range(at, at + n - 1):
        carry = (D[i] + HALF) >> BITS
        D[i] -= carry << BITS
        D[i + 1] += carry


@kernel(boundscheck=False)
def subtract(D, n, p, q, out):
    """Write the number at p minus that at q."""
    carry = 0
    for i in range(n - 1):
        word = D[p + i] - D[q + i] + carry
        carry = (word + HALF) >> BITS
        D[out + i] = word - (carry << BITS)
    D[out + n - 1] = D[p + n - 1] - D[q + n - 1] + carry


@kernel(boundscheck=False)
def place(D, M, n_first, n_points, swapped):
    """Transform points to the world, as digits relative to the first point; return the number of digits per number.

    The first n_first points are transformed by the first matrix of M, the others by the second; if swapped, vice versa.
    """
    for slot in range(24):
        take(D, slot, M[slot])
    lo_r, hi_r, lo_t, hi_t = 9999, -9999, 9999, -9999
    for row in range(6):
        lo_r, hi_r = _range(D, 4 * row, 4 * row + 3, 1, lo_r, hi_r)
        lo_t, hi_t = _range(D, 4 * row + 3, 4 * row + 4, 1, lo_t, hi_t)
    lo_v, hi_v = _range(D, 24, 24 + 3 * n_points, 1, 9999, -9999)
    lowest = min(lo_r + lo_v, lo_t)
    n = max(3, (max(hi_r + hi_v, hi_t) + 108 - lowest) // BITS + 2)
    for k in range(n_points):
        half = 0 if (k < n_first) != swapped else 12
        for i in range(3):
            at = POINTS + (3 * k + i) * n
            for word in range(at, at + n):
                D[word] = 0
            row = MANTISSAS + half + 4 * i
            for j in range(3):
                v = 24 + 3 * k + j
                if D[row + j] != 0 and D[v] != 0:
                    _add(D, at, D[row + j], D[v], D[EXPONENTS + row + j] + D[EXPONENTS + v] - lowest)
            if D[row + 3] != 0:
                _add(D, at, D[row + 3], 1, D[EXPONENTS + row + 3] - lowest)
            _settle(D, at, n)
    for k in range(n_points - 1, -1, -1):
        for i in range(3):
            subtract(D, n, POINTS + (3 * k + i) * n, POINTS + i * n, POINTS + (3 * k + i) * n)
    return _trim(D, n, 3 * n_points)


@kernel(boundscheck=False)
def _trim(D, n, count):
    """Remove digits that are zero in all numbers, at both ends; return how many are left, at least 3."""
    low, high = n, 0
    for c in range(count):
        for i in range(n):
            if D[POINTS + c * n + i] != 0:
                low = min(low, i)
                high = max(high, i)
    low = max(0, min(low, high - 2))
    high = max(high, low + 2)
    m = high - low + 1
    for c in range(count):
        for i in range(m):
            D[POINTS + c * m + i] = D[POINTS + c * n + low + i]
    return m


@kernel(boundscheck=False)
def compare(D, n, p, q):
    """Return the sign of the number at p minus that at q."""
    for i in range(n - 1, -1, -1):
        if D[p + i] != D[q + i]:
            return 1 if D[p + i] > D[q + i] else -1
    return 0


@kernel(boundscheck=False)
def minor(D, n, a, b, c, d, out):
    """Write a d - b c, of 2 n digits, and return its sign."""
    carry = 0
    sign = 0
    for k in range(2 * n - 1):
        total = carry
        for i in range(max(0, k - n + 1), min(k, n - 1) + 1):
            total += D[a + i] * D[d + k - i] - D[b + i] * D[c + k - i]
        carry = (total + HALF) >> BITS
        total -= carry << BITS
        D[out + k] = total
        if total != 0:
            sign = 1 if total > 0 else -1
    D[out + 2 * n - 1] = carry
    if carry != 0:
        sign = 1 if carry > 0 else -1
    return sign


@kernel(boundscheck=False)
def dot_sign(D, n, v, normal):
    """Return the sign of the product of a vector, three numbers of n digits, and a normal of 2 n digits."""
    carry = 0
    sign = 0
    for k in range(3 * n - 1):
        total = carry
        for i in range(max(0, k - 2 * n + 1), min(k, n - 1) + 1):
            j = normal + k - i
            total += D[v + i] * D[j] + D[v + n + i] * D[j + 2 * n] + D[v + 2 * n + i] * D[j + 4 * n]
        carry = (total + HALF) >> BITS
        total -= carry << BITS
        if total != 0:
            sign = 1 if total > 0 else -1
    if carry != 0:
        sign = 1 if carry > 0 else -1
    return sign
