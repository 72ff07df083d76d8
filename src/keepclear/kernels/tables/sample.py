"""BODY and SAMPLED: bodies in common arrays, and pairs of them at given instants."""

from __future__ import annotations

import numpy as np

from keepclear.kernels.tables.record import record

i8 = np.int64

BODY = record(
    ("first_real", i8),  # its range in F: the core of a convex body, or the surface of a mesh
    ("end_real", i8),
    ("first_link", i8),  # its range in L
    ("end_link", i8),
    ("first_node", i8),  # its range in N: the tree of a mesh; empty for a convex body
    ("end_node", i8),
    ("first_child", i8),  # its range in K
    ("end_child", i8),
)

SAMPLED = record(
    ("a", i8),  # rows of BODY
    ("b", i8),
    ("motion_a", i8),  # numbers of motions; -1: its poses are given
    ("motion_b", i8),
    ("first", i8),  # its range of instants
    ("end", i8),
)
