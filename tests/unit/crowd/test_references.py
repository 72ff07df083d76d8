"""References of the benchmarks as plain Python: the quartic's root, and the contacts of space-time bounds."""

from __future__ import annotations

import math

import numpy as np
import pytest
from benchmarks.crowd_references.four_event_kernels import quartic_root
from numba.core import config
from tests.oracles.crowd_references_campaign import differences

pytestmark = pytest.mark.skipif(
    not config.DISABLE_JIT, reason="inner kernels, and one that compiles for 20 s, are tested as Python"
)


def test_space_time_bounds_find_the_same_contacts() -> None:
    found = [differences(seed, 1.0) for seed in range(100, 106)]
    assert [line for lines, _ in found for line in lines] == []


def test_the_quartic_has_no_earlier_root() -> None:
    rng = np.random.default_rng(1)
    for k in range(400):
        x, v = rng.normal(size=3) * 5.0, rng.normal(size=3) * rng.choice([0.0, 1.0, 10.0])
        a, b = rng.uniform(0.0, 4.0) * (k % 3 > 0), rng.uniform(0.0, 4.0) * (k % 3 > 1)
        R = rng.uniform(0.1, 0.95) * float(np.linalg.norm(x))
        powers = [-0.25 * a * a, -a * b, v @ v - a * R - b * b, 2.0 * (x @ v - b * R), x @ x - R * R]
        roots = [
            r.real for r in np.roots(powers) if abs(r.imag) < 1e-9 * (1.0 + abs(r)) and 0.0 < r.real <= 100.0
        ]
        first, found = min(roots, default=math.inf), quartic_root(*x, *v, R, b, a, 100.0, 0.0)
        assert found <= first * (1.0 + 1e-9)
        assert found == first or found >= first * (1.0 - 1e-3)
