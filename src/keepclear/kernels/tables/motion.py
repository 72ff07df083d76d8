"""MOTION, its segments and CHAIN_LINK: a motion in the form of kernels.

A motion is one array of 8-byte numbers, so that it is one argument of a kernel and many motions are joined by
concatenation. In this order it has a row of MOTION; the knots, (n + 1,) times [s]; a row for each segment between two
knots, RIGID, CUBIC_SEGMENT or JOINTED_SEGMENT by the kind; and for a chain of joints their coefficients (n, joints, 4),
then rows of CHAIN_LINK. Before the first and after the last knot the body is at rest. The functions below are views of
these rows for Python; `kernels.motion.rows` has those for kernels.
"""

from __future__ import annotations

import struct
from collections import namedtuple
from typing import Any

import numpy as np
import numpy.typing as npt

from keepclear.kernels.tables.record import Rows, record

FloatArray = npt.NDArray[np.float64]
f8, i8, i4 = np.float64, np.int64, np.int32

# Kinds of motions: all segments of a motion are alike.
SCREW, LINEAR, CUBIC, JOINTED = 0, 1, 2, 3
# Kinds of joints.
FIXED, REVOLUTE, PRISMATIC = 0, 1, 2

MOTION = record(
    ("t0", f8),  # first knot [s]
    ("t1", f8),  # last knot [s]
    ("place", f8),  # sum of the absolute values of the terms of positions [m]
    ("terms", f8),  # and of those of linear parts
    ("stretch", f8),  # bound of how far linear parts are from rotations
    ("smallest", f8),  # their smallest singular value, or less
    ("largest", f8),  # their largest singular value, or more
    ("n", i8),  # segments
    ("kind", i4),  # SCREW, LINEAR, CUBIC or JOINTED
    ("width", i4),  # numbers of a segment's row
    ("joints", i4),  # joints of the chain, 0 if it is none
    ("rank", i4),  # the other body moves in the frame of the body with the smaller rank
)

_COMMON = (
    ("duration", f8),  # from its knot to the next [s]
    ("rests", i8),  # whether the body is known to be at rest in it
)

SEGMENT = record(*_COMMON)
"""What the rows of all kinds of segments begin with."""

RIGID = record(
    *_COMMON,
    ("R", f8, (3, 3)),  # SCREW, LINEAR: rotation at the start
    ("p", f8, (3,)),  # p0, the point of the frame that moves so, at the start [m]
    ("w", f8, (3,)),  # angular velocity [rad/s]
    ("v", f8, (3,)),  # velocity of p0 at the start [m/s]
    (
        "o",
        f8,
        (3,),
    ),  # LINEAR: origin of the body from p0, in its own frame; a point x is at R (x + o) + p0 [m]
)

CUBIC_SEGMENT = record(
    *_COMMON,
    (
        "c",
        f8,
        (3, 4, 4),
    ),  # coefficients of [M | p]: row, column, power of the elapsed fraction of the duration
)

JOINTED_SEGMENT = record(
    *_COMMON,
    ("fourth_p", f8),  # bound on the fourth derivative of the origin [m/s^4]
    ("fourth_R", f8),  # and of the rotation [1/s^4]
)

CHAIN_LINK = record(
    ("kind", i8),  # of the joint before it: REVOLUTE or PRISMATIC; FIXED for the first map, which has none
    ("X", f8, (3, 4)),  # the constant map after that joint, rows of [R | p]
)

SPAN = record(
    ("first", i8),  # where the motion begins in an array of many
    ("body", i8),  # number of the body that moves so
    ("first_step", i8),  # of the time steps in which it does
    ("end_step", i8),  # after the last
)
"""A moving body in time steps; a body whose parent frame changes has several rows."""

_LINK = CHAIN_LINK.itemsize // 8
HEAD = MOTION.itemsize // 8
"""Where the knots begin."""
_SEGMENTS = {SCREW: RIGID, LINEAR: RIGID, CUBIC: CUBIC_SEGMENT, JOINTED: JOINTED_SEGMENT}
_RANKS = {SCREW: 0, LINEAR: 0, CUBIC: 2, JOINTED: 1}


_CODES = {"f8": "d", "i8": "q", "i4": "i"}
_FIELDS: Any = MOTION.fields
_unpack: Any = struct.Struct("=" + "".join(_CODES[_FIELDS[name][0].str[1:]] for name in _FIELDS)).unpack_from
_Numbers: Any = namedtuple("_Numbers", _FIELDS)  # type: ignore[misc]


def motion_numbers(Q: FloatArray) -> Any:
    """Return the MOTION row of a motion as Python numbers, `.kind`, `.place`, in a fifth of the time of its view."""
    return _Numbers(*_unpack(Q))


def motion_row(Q: FloatArray) -> Any:
    """Return the MOTION row of a motion, to write to it."""
    return Q[:HEAD].view(MOTION)[0]


def motion_rows(Q: FloatArray, first: npt.NDArray[np.int64]) -> Rows:
    """Return copies of the MOTION rows (n,) of motions that begin at these places of an array."""
    return Q[first[:, None] + np.arange(HEAD)].view(MOTION)[:, 0]


def segment_rows(Q: FloatArray) -> Rows:
    """Return the rows of the segments of a motion, (n,), by its kind.

    Raises:
        ValueError: The kind is unknown.
    """
    row = motion_numbers(Q)
    if row.kind not in _SEGMENTS:
        raise ValueError(f"segments of the kind {row.kind} are no motion")
    return Q[HEAD + row.n + 1 : _end_of_segments(row)].view(_SEGMENTS[row.kind])


def joint_coefficients(Q: FloatArray) -> FloatArray:
    """Return the coefficients of the joints of a chain, (n, joints, 4), by powers of the elapsed fraction."""
    row = motion_numbers(Q)
    begin = _end_of_segments(row)
    return Q[begin : begin + 4 * row.n * row.joints].reshape(row.n, row.joints, 4)


def link_rows(Q: FloatArray) -> Rows:
    """Return the CHAIN_LINK rows of a motion, (joints + 1,) of a chain, else none."""
    row = motion_numbers(Q)
    begin = _end_of_segments(row) + 4 * row.n * row.joints
    links = row.joints + 1 if row.kind == JOINTED else 0
    return Q[begin : begin + _LINK * links].view(CHAIN_LINK)


def knots_of(Q: FloatArray) -> FloatArray:
    """Return the times between which a motion is smooth, (n + 1,) [s]."""
    return Q[HEAD : HEAD + motion_numbers(Q).n + 1]


def new_motion(kind: int, knots: FloatArray, joints: int = 0) -> FloatArray:
    """Return a rigid motion with these knots (n + 1,); all other numbers of its segments and links are 0."""
    n, fields = len(knots) - 1, _SEGMENTS[kind]
    width, links = fields.itemsize // 8, joints + 1 if kind == JOINTED else 0
    Q = np.zeros(HEAD + n + 1 + (width + 4 * joints) * n + _LINK * links)
    Q[:HEAD].view(MOTION)[0] = (
        knots[0],
        knots[-1],
        0.0,
        1.0,
        0.0,
        1.0,
        1.0,
        n,
        kind,
        width,
        joints,
        _RANKS[kind],
    )
    knots_of(Q)[:] = knots
    segment_rows(Q)["duration"] = knots[1:] - knots[:-1]
    return Q


def number_of(fields: np.dtype[Any], name: str) -> int:
    """Return the place of the first number of a field in its row."""
    known: Any = fields.fields
    return int(known[name][1]) // 8


def _end_of_segments(row: Any) -> int:
    return int(HEAD + row.n + 1 + row.width * row.n)
