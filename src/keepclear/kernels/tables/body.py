"""BODY: a shape or the surface of a mesh by the addresses of its arrays, so that one call reads many bodies.

No array is copied or joined: a mesh may have a million triangles. The table of a row keeps the arrays alive while it
is used; a row is never stored or sent.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numba import config, types
from numba.extending import intrinsic

from keepclear.kernels.tables.record import record

f8, i8 = np.float64, np.int64

BODY = record(
    ("ball", f8, (5,)),  # as in PAIR
    ("extent", f8),  # how far it reaches from the origin of its frame [m]
    ("reals", i8),  # the core of a convex body, or the surface of a mesh: where its float64 numbers are,
    ("n_reals", i8),  # how many there are,
    ("links", i8),  # and the same for its int32 numbers
    ("n_links", i8),
    ("nodes", i8),  # the tree of a mesh, float32; none of a convex body
    ("n_nodes", i8),
    ("children", i8),  # its links, int32
    ("n_children", i8),
)

ARRAYS = (("reals", "n_reals"), ("links", "n_links"), ("nodes", "n_nodes"), ("children", "n_children"))
"""The fields for the address and the length of each array."""


def _reader(scalar: Any, plain: Any) -> Any:
    """Return the function that kernels call for an array of such numbers, with an address and a length."""

    def from_memory(address: int, n: int) -> Any:
        return np.frombuffer((plain * int(n)).from_address(int(address)), plain) if n else np.empty(0, plain)

    if config.DISABLE_JIT:
        return from_memory
    array = types.Array(scalar, 1, "C")
    size = scalar.bitwidth // 8

    def make(context: Any, builder: Any, _: Any, arguments: Any) -> Any:
        from numba.core import cgutils  # only the compiler needs them
        from numba.np import arrayobj

        address, n = arguments
        made = arrayobj.make_array(array)(context, builder)
        data = builder.inttoptr(address, context.get_data_type(scalar).as_pointer())
        width = context.get_constant(types.intp, size)
        shape, strides = (cgutils.pack_array(builder, [one]) for one in (n, width))
        arrayobj.populate_array(made, data=data, shape=shape, strides=strides, itemsize=width, meminfo=None)
        return made._getvalue()

    def typed(_context: Any, _address: Any, _n: Any) -> Any:
        return array(types.int64, types.int64), make

    return intrinsic(typed)


reals_at = _reader(types.float64, ctypes.c_double)
links_at = _reader(types.int32, ctypes.c_int32)
nodes_at = _reader(types.float32, ctypes.c_float)
