"""Contact of moving points by irreducible factors and balls of many digits (FLINT): slow, exact, another derivation.

A vertex is in a triangle with an area if its three barycentric coordinates are not negative, and on a triangle without
one if it is on one of its edges. Edges that are not parallel meet where the parameters of the common perpendicular are
between 0 and 1; parallel ones if an end of one is on the other. Instants are roots of irreducible polynomials, so that
another polynomial vanishes there if and only if it is divisible; all other signs are found with enough digits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import lcm

import flint
import numpy as np

Poly = flint.fmpz_poly
Sign = Callable[[Poly], int]
Vector = list  # three polynomials

# Bernstein polynomials of degree 1 and 3 in powers of t.
BASIS = {
    1: [Poly([1, -1]), Poly([0, 1])],
    3: [Poly([1, -3, 3, -1]), Poly([0, 3, -6, 3]), Poly([0, 0, 3, -3]), Poly([0, 0, 0, 1])],
}


class Instant:
    """A root of an irreducible polynomial in [0, 1]."""

    def __init__(self, factor: Poly, index: int) -> None:
        self.factor, self.index = factor, index

    def ball(self, bits: int) -> flint.arb:
        """The root to this many bits."""
        with flint.ctx.workprec(bits):
            return real_roots(self.factor)[self.index]

    def sign(self, p: Poly) -> int:
        """The sign of a polynomial at the root."""
        if flint.fmpq_poly(p) % flint.fmpq_poly(self.factor) == 0:
            return 0
        bits = 64
        while True:
            with flint.ctx.workprec(bits):
                value = value_at(p, self.ball(bits))
                if value > 0 or value < 0:
                    return 1 if value > 0 else -1
            bits *= 2


def value_at(p: Poly, x: flint.arb) -> flint.arb:
    total = flint.arb(0)
    for k in range(p.degree(), -1, -1):
        total = total * x + flint.arb(p[k])
    return total


def real_roots(p: Poly) -> list[flint.arb]:
    """The real roots, in order; those of an irreducible polynomial are single."""
    if p.degree() == 1:
        return [-flint.arb(p[0]) / flint.arb(p[1])]
    roots = [root.real for root, _ in p.complex_roots() if root.imag == 0]
    return sorted(roots, key=lambda root: float(root.mid()))


def instants(p: Poly) -> Iterator[Instant]:
    """The roots of a polynomial in [0, 1]."""
    for factor, _ in p.factor()[1]:
        if factor.degree() < 1:
            continue
        for index in range(len(real_roots(factor))):
            instant = Instant(factor, index)
            if instant.sign(Poly([0, 1])) >= 0 and instant.sign(Poly([1, -1])) >= 0:
                yield instant


def paths_of(control: np.ndarray) -> list[Vector]:
    """Four points as integer polynomials in t; `control` is (4, d + 1, 3), of floats or fractions."""
    fractions = [[[Fraction(x) for x in place] for place in path] for path in control]
    unit = lcm(*(x.denominator for path in fractions for place in path for x in place))
    basis = BASIS[control.shape[1] - 1]
    return [
        [
            sum((b * int(place[k] * unit) for b, place in zip(basis, path, strict=True)), Poly([0]))
            for k in range(3)
        ]
        for path in fractions
    ]


def sub(p: Vector, q: Vector) -> Vector:
    return [a - b for a, b in zip(p, q, strict=True)]


def dot(p: Vector, q: Vector) -> Poly:
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]


def cross(p: Vector, q: Vector) -> Vector:
    return [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]


class OnSegment:
    """A point on a segment: in its line, and not beyond its ends."""

    def __init__(self, x: Vector, p: Vector, q: Vector) -> None:
        edge, way = sub(q, p), sub(x, p)
        self.zero = [*cross(edge, way)]
        self.along = [dot(way, edge), dot(sub(x, q), sub(p, q))]
        self.point = [*sub(p, q)]  # a segment without length
        self.same = [*way]

    def polynomials(self) -> list[Poly]:
        return [*self.zero, *self.along, *self.point, *self.same]

    def holds(self, sign: Sign) -> bool:
        if not any(sign(p) for p in self.point):
            return not any(sign(p) for p in self.same)
        return not any(sign(p) for p in self.zero) and all(sign(p) >= 0 for p in self.along)


class Contact:
    """A vertex and a triangle, or two edges: which polynomials decide, and how."""

    def __init__(self, control: np.ndarray, edges: bool) -> None:
        a, b, c, d = paths_of(control)
        if edges:
            u, v, w = sub(b, a), sub(d, c), sub(c, a)
            n = cross(u, v)
            size = dot(n, n)
            s, t = dot(cross(w, v), n), dot(cross(w, u), n)
            self.inside = [s, size - s, t, size - t]
            self.rims = [OnSegment(a, c, d), OnSegment(b, c, d), OnSegment(c, a, b), OnSegment(d, a, b)]
        else:
            u, v, w = sub(c, b), sub(d, b), sub(a, b)
            n = cross(u, v)
            size = dot(n, n)
            s, t = dot(cross(w, v), n), dot(cross(u, w), n)
            self.inside = [s, t, size - s - t]
            self.rims = [OnSegment(a, b, c), OnSegment(a, c, d), OnSegment(a, d, b)]
        self.volume, self.size = dot(w, n), size

    def holds(self, sign: Sign) -> bool:
        if sign(self.volume):
            return False
        if sign(self.size):
            return all(sign(p) >= 0 for p in self.inside)
        return any(rim.holds(sign) for rim in self.rims)

    def decisive(self) -> list[Poly]:
        if self.volume != 0:
            return [self.volume]
        return [self.size, *self.inside, *(p for rim in self.rims for p in rim.polynomials())]


def first_contact(control: np.ndarray, edges: bool) -> flint.arb | None:
    """The first instant of contact in [0, 1], as a ball of 100 bits; None if there is none."""
    contact = Contact(control, edges)
    found: list[flint.arb] = []
    for t in (0, 1):
        if contact.holds(lambda p, t=t: sign_of(p(t))):
            found.append(flint.arb(t))
            break
    if not found or found[0] == 1:
        for p in contact.decisive():
            if p != 0:
                found += [instant.ball(100) for instant in instants(p) if contact.holds(instant.sign)]
    return min(found, key=lambda ball: float(ball.mid())) if found else None


def sign_of(number: flint.fmpz) -> int:
    return int(number > 0) - int(number < 0)
