"""Columns of the arrays that the kernel for boxes of joint values reads and writes."""

from __future__ import annotations

# Data of a query: how far hulls reach beyond their points [m]; a ball around each body in its own frame; whether their
# points only enclose them, since they have a curved surface; whether both have hulls; rounding of a distance query [m];
# cores with points as near as this overlap [m].
RADIUS_A, RADIUS_B, BALL_A, BALL_B, CURVED_A, CURVED_B, HAS_HULLS, SLIP, NEAR, NUMBERS = (
    0,
    1,
    2,
    6,
    10,
    11,
    12,
    13,
    14,
    15,
)

# A box: a direction from A to B that proved a part of the enclosing box (zeros: none), then lower and upper ends.
DIRECTION, ENDS = 0, 3
# A box that hulls leave undecided begins with: the pose of B in A's frame, rows of [R | p], how far any two points move
# at most relative to each other [m], and the column to be halved. Then the box follows.
POSE, MOVED, SPLIT, OPEN = 0, 12, 13, 14

# Counts: boxes on the stack, undecided boxes, boxes examined, and the number of these at which to stop.
STACK, OPENED, EXAMINED, BUDGET, COUNTS = 0, 1, 2, 3, 4
# Scratch of a joint: axis and origin in A's frame, half width of its values, chord of that, and the rotation by the
# joints between it and the middle.
AXIS, ORIGIN, WIDTH, CHORD, INNER, PART, SCRATCH = 0, 3, 6, 7, 8, 9, 10
