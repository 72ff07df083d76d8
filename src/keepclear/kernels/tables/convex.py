"""SHAPE: where the numbers of convex shapes begin and end in common arrays."""

from __future__ import annotations

import numpy as np

from keepclear.kernels.tables.record import record

f8, i8 = np.float64, np.int64

SHAPE = record(
    ("ball", f8, (5,)),  # as in PAIR
    ("extent", f8),  # how far it reaches from the origin of its frame [m]
    ("first_real", i8),  # its range in F
    ("end_real", i8),
    ("first_link", i8),  # its range in L
    ("end_link", i8),
)
