"""Reproducible pseudorandom numbers: the hash of splitmix64 (Steele, Lea and Flood, OOPSLA 2014).

All integers are unsigned with 64 bits and wrap around. Compiled code does so by itself; plain Python needs explicit
masks.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.core import config

from keepclear.kernels._compile import kernel

STEP, FIRST, SECOND = (
    np.uint64(0x9E3779B97F4A7C15),
    np.uint64(0xBF58476D1CE4E5B9),
    np.uint64(0x94D049BB133111EB),
)
S30, S27, S31, S11 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11)


def _bits(n: int) -> Any:
    """Return an integer as 64 bits, negative ones in two's complement."""
    return np.uint64(n)


def _product(a: Any, b: Any) -> Any:
    """Return the low 64 bits of a product."""
    return a * b


def _sum(a: Any, b: Any) -> Any:
    """Return the low 64 bits of a sum."""
    return a + b


def _plain_bits(n: int) -> Any:
    return np.uint64(int(n) & 0xFFFFFFFFFFFFFFFF)


def _plain_product(a: Any, b: Any) -> Any:
    return _plain_bits(int(a) * int(b))


def _plain_sum(a: Any, b: Any) -> Any:
    return _plain_bits(int(a) + int(b))


bits: Any = _plain_bits if config.DISABLE_JIT else kernel(_bits)
product: Any = _plain_product if config.DISABLE_JIT else kernel(_product)
total: Any = _plain_sum if config.DISABLE_JIT else kernel(_sum)


@kernel(boundscheck=False)
def mixed(z):
    """Return 64 well mixed bits: the finaliser of splitmix64."""
    z = product(z ^ (z >> S30), FIRST)
    z = product(z ^ (z >> S27), SECOND)
    return z ^ (z >> S31)


@kernel(boundscheck=False)
def hashed(seed, i, k):
    """Return the 64-bit hash of a seed, a member and an interval."""
    z = mixed(total(bits(seed), STEP))
    z = mixed(total(z ^ bits(i), STEP))
    return mixed(total(z ^ bits(k), STEP))


@kernel(boundscheck=False)
def uniform(z, n):
    """Return the n-th pseudorandom number in [0, 1) derived from 64 bits."""
    return float(mixed(total(z, product(bits(n), STEP))) >> S11) * 2.0**-53
