"""Sets of instants: sorted lists of closed intervals with exact ends."""

from collections.abc import Iterable
from fractions import Fraction

Number = Fraction | int
Interval = tuple[Fraction, Fraction]
Times = list[Interval]

EVER = Fraction(10**6)  # later than everything that happens in a world [s]
JOIN = Fraction(1, 10**12)  # intervals that are closer than this are one: ends are roots, off by less [s]


def union(*sets: Iterable[Interval]) -> Times:
    """All instants of any set."""
    joined: Times = []
    for start, end in sorted(interval for times in sets for interval in times):
        if joined and start <= joined[-1][1] + JOIN:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def intersection(first: Times, second: Times) -> Times:
    """The instants of both sets; intervals that share one instant only give an interval of no length."""
    common = [(max(a, c), min(b, d)) for a, b in first for c, d in second]
    return union([(start, end) for start, end in common if start <= end])


def without(times: Times, removed: Times) -> Times:
    """The closure of what is left of a set after closed intervals are removed; what has no length is dropped.

    An interval of no length stays unless it is in a removed one: the set may be a single instant.
    """
    left = list(times)
    for start, end in removed:
        pieces: Times = []
        for a, b in left:
            if a == b:
                pieces += [] if start <= a <= end else [(a, b)]
                continue
            pieces += [(c, d) for c, d in ((a, min(b, start)), (max(a, end), b)) if c < d]
        left = pieces
    return sorted(left)


def holds(times: Times, t: Number | float, slop: Number | float = 0) -> bool:
    """Whether an instant is in the set, or nearer to it than the slop [s]."""
    return any(start - slop <= t <= end + slop for start, end in times)


def long_parts(times: Times, least: Fraction) -> Times:
    """The intervals of more than a length, or of no length where that is all there is."""
    return [(start, end) for start, end in times if end - start > least]


def text(times: Times) -> str:
    return ", ".join(f"{float(start):.6g} to {float(end):.6g} s" for start, end in times) or "never"
