"""Where a polynomial with exact coefficients is not positive: certified roots, signs by exact arithmetic."""

import itertools
from typing import NamedTuple

import flint
from flint import acb, arb, fmpq, fmpq_poly

BITS = 240  # of the roots: far below anything that is compared


class Stretch(NamedTuple):
    """A closed stretch of times; a single instant where both are equal."""

    begin: fmpq
    end: fmpq


def not_positive(f: fmpq_poly, length: fmpq) -> list[Stretch]:
    """The stretches of [0, length] where f <= 0, in order, isolated zeros included."""
    if f.degree() < 1:
        return [Stretch(fmpq(0), length)] if f(0) <= 0 else []
    cuts = [fmpq(0), *inner_roots(f, length), length]
    found: list[Stretch] = []
    for start, end in itertools.pairwise(cuts):
        if start < end and f((start + end) / 2) <= 0:
            found = joined(found, Stretch(start, end))
        else:
            touched = [t for t in (start, end) if is_zero_near(f, t, cuts)]
            for t in touched:
                found = joined(found, Stretch(t, t))
    return found


def is_zero_near(f: fmpq_poly, t: fmpq, cuts: list[fmpq]) -> bool:
    """Whether a cut is a root: the ends of the stretch need not be."""
    return t not in (cuts[0], cuts[-1]) or f(t) == 0


def joined(found: list[Stretch], new: Stretch) -> list[Stretch]:
    """Stretches with one more, which begins where the last ends, or later."""
    if found and new.begin <= found[-1].end:
        return [*found[:-1], Stretch(found[-1].begin, max(new.end, found[-1].end))]
    return [*found, new]


def inner_roots(f: fmpq_poly, length: fmpq) -> list[fmpq]:
    """The real roots inside (0, length), each once, to many digits."""
    for end in (fmpq(0), length):
        while f.degree() > 0 and f(end) == 0:
            f = f // fmpq_poly([-end, 1])
    if f.degree() < 1:
        return []
    before = flint.ctx.prec
    flint.ctx.prec = BITS
    try:
        roots = [real(root) for root, _ in f.numer().complex_roots()]
        ends = arb(0), arb(length)
        return sorted(root.mid().fmpq() for root in roots if root is not None and ends[0] < root < ends[1])
    finally:
        flint.ctx.prec = before


def real(root: arb | acb) -> arb | None:
    """A root as a real number, or None; the roots of flint are real exactly where they say so."""
    if isinstance(root, arb):
        return root
    return root.real if root.imag.is_zero() else None
