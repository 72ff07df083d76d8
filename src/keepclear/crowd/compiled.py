"""Probes that their caller compiled with Numba: the event loop calls them without leaving machine code."""

from __future__ import annotations

from typing import Any

import numpy as np

from keepclear.errors import CrowdError


def is_compiled(motion: object) -> bool:
    """Return whether a probe was compiled by `numba.njit` or a relative of it."""
    from numba.core.dispatcher import Dispatcher

    return isinstance(motion, Dispatcher)


def compile_probe(probe: Any, dimensions: int) -> Any:
    """Return a C function `int64(int64 id, float64 t, float64 *out)` around a probe, with its `address`.

    It returns 1 and writes position and velocity, three numbers each; in all other cases Python calls the probe
    again and raises the error.
    """
    import numba

    d = dimensions

    def ask(i, t, out):  # type: ignore[no-untyped-def]
        try:
            ids = np.empty(1, np.int64)
            ids[0] = i
            x, v = probe(ids, t)
            if x.shape != (1, d) or v.shape != (1, d):
                return 0
            for c in range(3):
                out[c], out[3 + c] = 0.0, 0.0
            for c in range(d):
                out[c], out[3 + c] = x[0, c], v[0, c]
        except Exception:
            return 0
        return 1

    try:
        return numba.cfunc("int64(int64, float64, CPointer(float64))", nopython=True)(ask)
    except numba.core.errors.NumbaError as cause:
        reason = str(cause).strip().splitlines()
        raise CrowdError(
            "crowd: the compiled probe must take (ids: int64 array, t: float) and return two arrays "
            f"(k, {dimensions}): {reason[-1] if reason else cause}"
        ) from cause
