"""PAIR: two moving bodies in an interval of time, with the question, its progress and its result.

A is the body in whose frame the search is done, B moves there; `swapped` says whether A is the second body of the
question. A row is a whole state: a search that paused continues from it. Scratch of searches through trees is not part
of it (their stack and spans belong to the thread). In worlds, a row is two GEOMs in a run of time steps in which their
swept boxes are near each other; what hulls leave open of it, exact shapes are asked about.
"""

from __future__ import annotations

import math
import struct

import numpy as np
import numpy.typing as npt

from keepclear.kernels.tables.record import record

f8, i8, i4, u1 = np.float64, np.int64, np.int32, np.uint8

PAIR = record(
    # The question.
    ("t0", f8),  # start of the interval [s]
    ("t1", f8),  # its end; equal to the start: one instant [s]
    ("end", f8),  # end of the search: t1, or for one instant the next float64 [s]
    ("margin", f8),  # distance that counts as contact [m]
    ("tolerance", f8),  # of a contact, or of a least distance [m]
    ("time_tolerance", f8),  # longest bracket of a contact (`swept_exact`) [s]
    ("hint", f8),  # least distances: an instant at which the bodies may be close, nan for none [s]
    ("scale", f8),  # size of the scene that rounding is relative to [m]
    # Progress and result.
    ("now", f8),  # everything is proved from `since` until here [s]
    ("since", f8),  # start of the present search: t0, or the time until which earlier ones decided [s]
    (
        "time",
        f8,
    ),  # first instant within margin + tolerance so far, or that of the least distance; inf: none [s]
    ("certain", f8),  # an instant at which contact is certain; inf: none [s]
    (
        "distance",
        f8,
    ),  # upper bound at `time`; least distances: or one beyond which distances do not matter [m]
    ("lower", f8),  # least distances of convex bodies: lower bound until `now` [m]
    (
        "normal",
        f8,
        (3,),
    ),  # direction from A to B in A's frame, when they were last farther apart than rounding
    (
        "ball",
        f8,
        (5,),
    ),  # around the core of B: centre, radius; radius of a ball inside it around its centre [m]
    ("evaluations", i8),  # distances computed so far
    ("box_pairs", i8),  # pairs of boxes compared so far
    ("limit", i8),  # the search pauses after this many of both
    ("depth", i8),  # a paused search through trees: entries of its stack
    ("spans", i8),  # and spans of time that it has
    ("segment_a", i8),  # and the segments of both motions that it is in
    ("segment_b", i8),
    ("shape_a", i4),  # rows of BODY and numbers of motions, where the pair belongs to tables
    ("shape_b", i4),
    ("motion_a", i4),
    ("motion_b", i4),
    ("triangle_a", i4),  # triangles of the contact, -1 for none
    ("triangle_b", i4),
    ("features", i4),  # of these triangles (`swept_exact`)
    ("pair", i4),  # worlds: number of the pair of items
    ("unit", i4),  # worlds: number of the pair and window of time whose results are stored together
    ("geom_a", i4),  # worlds: bodies of the question by number; never swapped
    ("geom_b", i4),
    ("swapped", u1),  # whether A is the second body of the question
    ("least", u1),  # whether the least distance is searched, else the first contact
    ("unproved", u1),  # whether a proof is missing that should exist
    ("apart", u1),  # whether the bodies are proved apart just before `since`, neither inside the other
)

Pairs = npt.NDArray[np.record]
"""Rows of PAIR, (n,)."""


_QUESTION = struct.Struct("=10d")
_ORDER = ("t0", "t1", "end", "margin", "tolerance", "time_tolerance", "hint", "scale", "now", "since")
assert PAIR.names is not None
assert PAIR.names[: len(_ORDER)] == _ORDER


def new_pairs(n: int) -> Pairs:
    """Return n rows about which nothing is asked and nothing is known; they have no shapes."""
    return np.frombuffer(bytearray(_BLANK * n), PAIR)


def new_pair(
    interval: tuple[float, float, float],
    margin: float,
    tolerance: float,
    scale: float,
    ball: npt.NDArray[np.float64],
    swapped: bool,
    least: bool,
) -> Pairs:
    """Return one row with a question: as bytes, since an assignment to each field takes four times as long.

    Args:
        interval: Its `t0`, `t1` and `end`.
        margin: See `PAIR`, like the following.
        tolerance: See there.
        scale: See there.
        ball: See there.
        swapped: See there.
        least: See there.
    """
    row = bytearray(_BLANK)
    begin = interval[0]
    _QUESTION.pack_into(row, 0, *interval, margin, tolerance, math.inf, math.nan, scale, begin, begin)
    pair = np.frombuffer(row, PAIR)
    pair["ball"] = ball
    if swapped:
        pair["swapped"] = 1
    if least:
        pair["least"] = 1
    return pair


def repeated(pair: Pairs, n: int) -> Pairs:
    """Return n copies of one row."""
    return np.frombuffer(bytearray(pair.tobytes() * n), PAIR)


def forget_answers(
    pairs: Pairs, which: slice | npt.NDArray[np.int64], now: float | npt.NDArray[np.float64]
) -> None:
    """Set progress and results of some rows as if their searches began at `now` [s]."""
    for name in ("time", "certain", "distance", "lower"):
        pairs[name][which] = math.inf
    for name in ("normal", "triangle_a", "triangle_b", "features", "unproved"):
        pairs[name][which] = 0
    pairs["now"][which] = pairs["since"][which] = now


def _blank() -> bytes:
    pair = np.zeros(1, PAIR)
    pair["hint"], pair["shape_a"], pair["shape_b"] = math.nan, -1, -1
    forget_answers(pair, slice(None), 0.0)
    return pair.tobytes()


_BLANK = _blank()
