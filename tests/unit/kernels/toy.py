"""Small kernels that stand in for the real ones in tests of the compiler."""

from __future__ import annotations

import math

import numpy as np

from keepclear.compiler.kernel import kernel


@kernel
def larger(x, y):
    """Return the larger magnitude of two numbers."""
    return max(abs(x), abs(y))


@kernel("float64(float64[::1], int64)")
def length(values, count):
    """Return the length of the first `count` numbers as a vector; each rounding shows in the last bit."""
    if count < 0:
        raise ValueError("count is negative")
    total = 0.0
    for i in range(count):
        total = total + values[i] * values[i]
    return math.sqrt(total)


@kernel("float64(float64[::1], float64[::1])")
def longer(a, b):
    """Return the greater length of two vectors: an entry point that calls another."""
    return larger(length(a, a.shape[0]), length(b, b.shape[0]))


@kernel("void(float64[::1], float64[::1])", allocates=True)
def roots(values, out):
    """Fill `out` with square roots times three plus one: loops that compilers like to vectorise and fuse."""
    scratch = np.empty(values.shape[0])
    for i in range(values.shape[0]):
        scratch[i] = values[i] * 3.0 + 1.0
    for i in range(values.shape[0]):
        out[i] = math.sqrt(scratch[i])
