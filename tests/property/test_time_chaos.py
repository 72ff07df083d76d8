"""Contacts planted on wild grids of time: steps of a few float64 ticks, offsets to 1e12 s, sizes from 1e-6 to 1e6 m.

The campaign is longer: `python -m tests.oracles.time_campaign --cases 20000`.
"""

import math

import numpy as np
import pytest
from tests.oracles.time_chaos import make_case
from tests.oracles.time_known import (
    billion_seconds,
    first_example,
    milliseconds_today,
    nudged_stamp,
    sheets_in_one_tick,
)
from tests.oracles.time_world_checks import FUNCTIONS

SEEDS = range(50)
KNOWN = {
    "two metres in four ticks": [first_example(0.75)],
    "a nudged time stamp": [
        nudged_stamp(x, ticks) for ticks in (1, 2, 3, 16) for x in np.linspace(-0.85, 0.85, 5)
    ],
    "two metres in a microsecond at 1e9 s": [billion_seconds(x) for x in np.linspace(-0.9, 0.9, 12)],
    "two metres in a millisecond at 1.7e9 s": [milliseconds_today(x) for x in np.linspace(-0.9, 0.9, 12)],
    "two sheets that swap within one tick": [sheets_in_one_tick(t) for t in (1.0, -3e5, 1.7e9, 1e12)],
}


def faults_of(name, cases):
    """All faults of a function, as text."""
    return [f"{case}: {kind}: {text}" for case in cases for kind, text in FUNCTIONS[name](case)]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_wild_times(name):
    wrong = faults_of(name, [make_case(seed) for seed in SEEDS])
    assert not wrong, "\n".join(wrong[:5])


@pytest.mark.parametrize("known", KNOWN)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_known_cases(name, known):
    wrong = faults_of(name, KNOWN[known])
    assert not wrong, "\n".join(wrong[:5])


def test_the_cases_are_as_wild_as_they_should_be():
    """Contacts and near misses of each family on each grid, sizes and times of all magnitudes."""
    cases = [make_case(seed) for seed in range(200)]
    touching = [case.truth.touches(*case.interval, case.margin) for case in cases]
    assert 60 <= sum(touching) <= 140
    assert len({(case.family, case.grid) for case in cases}) >= 26
    assert min(case.scale for case in cases) < 1e-4
    assert max(case.scale for case in cases) > 1e6
    steps = [np.diff(case.knots).min() for case in cases]
    assert min(steps) < 1e-12
    assert max(case.knots[-1] - case.knots[0] for case in cases) > 1e8
    assert max(abs(case.knots[0]) for case in cases) > 1e10
    few = [step <= 16 * math.ulp(case.knots[-1]) for step, case in zip(steps, cases, strict=True)]
    assert sum(few) >= 40
