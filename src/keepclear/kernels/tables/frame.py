"""FRAME_BODY, FRAME, NEAR_PAIR: bodies of a world at one instant, a frame, and the pairs that it reports."""

from __future__ import annotations

import numpy as np

from keepclear.kernels.tables.record import record

f8, i8 = np.float64, np.int64

FRAME_BODY = record(
    ("center", f8, (3,)),  # of a ball and a box around it, in its own frame [m]
    ("radius", f8),  # of the ball
    ("half", f8, (3,)),  # sizes of the box
    ("margin", f8),  # of its item [m]
    ("reach", f8),  # largest margin of its pairs [m]
    ("slack", f8),  # how far rounding and deformation may move a point of it [m]
    ("travel", f8),  # greatest path length of its points since the last frame [m]
    ("odometer", f8),  # how far any point has moved in all frames together [m]
    ("owner", i8),  # number of its item
    ("group", i8),  # items of one group never move relative to each other
    ("hull", i8),  # whether its convex shape is only a hull around a mesh
    ("reals", i8, (2,)),  # range of its convex shape in F: first and end
    ("links", i8, (2,)),  # in L
)

FRAME = record(
    ("far", f8),  # distance up to which pairs are near, if that is more than their margin [m]
    ("renew", i8),  # whether boxes of bodies at rest are out of date (`far` or bodies changed); ends as 0
    ("items", i8),  # their number
    ("excluded", i8),  # numbers of keys of rules, i n + j for items i < j: of excluded pairs, then
    ("selected", i8),  # of selected ones (-1: all pairs are), then
    ("special", i8),  # of those that have a special margin; each list is sorted
    ("kept", i8),  # pairs of the last frame with a row; receives those of this one
    ("reported", i8),  # receives how many pairs are reported
    ("needed", i8),  # receives the capacity that pairs need
)

NEAR_PAIR = record(
    ("a", i8),  # bodies
    ("b", i8),
    ("mesh", i8),  # whether a mesh has to be searched
    ("open", i8),  # whether contact since the last frame is undecided
)
