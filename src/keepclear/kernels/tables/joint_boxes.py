"""BOX_SEARCH, OPEN_BOX, ROUTE_JOINT: the search for contacts of two links over boxes of joint values."""

from __future__ import annotations

import numpy as np

from keepclear.kernels.tables.record import record

f8, i8 = np.float64, np.int64

COVER = record(
    ("center", f8, (3,)),  # of a ball around a body, in its own frame [m]
    ("radius", f8),
    ("thick", f8),  # how far its hull reaches beyond its points [m]
    ("curved", i8),  # whether the points only enclose it, since it has a curved surface
)

BOX_SEARCH = record(
    ("a", COVER),
    ("b", COVER),
    ("slip", f8),  # rounding of a distance query [m]
    ("near", f8),  # cores with points as near as this overlap [m]
    ("hulls", i8),  # whether both have hulls
    ("stack", i8),  # boxes on the stack
    ("opened", i8),  # undecided boxes
    ("examined", i8),  # boxes so far
    ("budget", i8),  # number of these at which to stop
)

OPEN_BOX = record(
    ("pose", f8, (3, 4)),  # of B in A's frame, at the centre of a box that hulls leave undecided
    ("direction", f8, (3,)),  # from A to B, that proved a part of the enclosing box; zeros: none
    ("moved", f8),  # how far any two points move at most relative to each other [m]
    ("split", i8),  # the column to be halved, -1 for none
)

ROUTE_JOINT = record(
    ("axis", f8, (3,)),  # in A's frame
    ("origin", f8, (3,)),
    ("width", f8),  # half width of its values
    ("chord", f8),  # of that
    ("inner", f8),  # rotation by the joints between it and the middle
    ("part", f8),  # how far it moves A or B [m]
)
"""Scratch of a joint."""
