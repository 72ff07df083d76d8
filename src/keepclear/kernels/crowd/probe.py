"""Calls of a probe that the caller compiled: machine code at an address."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import config
from numba.extending import intrinsic

SUCCESS = 1


def _call_address(typing_context: Any, address: Any, i: Any, t: Any, out: Any) -> Any:
    """Call `int64 f(int64 id, double t, double *out)` at an address; 1 means that out holds position and velocity."""
    del typing_context, address, i, t, out
    signature = types.int64(types.int64, types.int64, types.float64, types.int64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        del context, signature
        word = ir.IntType(64)
        kind = ir.FunctionType(word, [word, ir.DoubleType(), word])
        return builder.call(builder.inttoptr(arguments[0], kind.as_pointer()), arguments[1:])

    return signature, generate


def _never(address: int, i: int, t: float, out: int) -> int:
    """Raise an error: without the compiler there are no compiled probes, and Python calls the probe instead."""
    del address, i, t, out
    return 0


call_probe: Any = _never if config.DISABLE_JIT else intrinsic(_call_address)
