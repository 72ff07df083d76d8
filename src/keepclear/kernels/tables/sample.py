"""SAMPLED: pairs of bodies at given instants."""

from __future__ import annotations

import numpy as np

from keepclear.kernels.tables.record import record

i8 = np.int64

SAMPLED = record(
    ("a", i8),  # rows of BODY
    ("b", i8),
    ("motion_a", i8),  # numbers of motions; -1: its poses are given
    ("motion_b", i8),
    ("first", i8),  # its range of instants
    ("end", i8),
)
