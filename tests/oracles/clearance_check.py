"""Errors in bounds of a minimum distance, found by distances at many instants."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from tests.oracles.contact_time import Encounter, point_distance


def sampled_minimum(case: Encounter) -> tuple[float, float]:
    """A distance that is reached, and when: the best of a few instants, and of ever more around it."""
    low, high = case.span
    best = (math.inf, low)
    for _ in range(4):
        t = np.linspace(low, high, 24)
        upper = case.distances(t)[1]
        k = int(np.argmin(upper))
        best = min(best, (float(upper[k]), float(t[k])))
        low, high = float(t[max(k - 1, 0)]), float(t[min(k + 1, 23)])
    return best


def faults(case: Encounter, answer: Any, tolerance: float) -> Iterator[str]:
    """What is wrong with an answer: `lower` against distances that are reached, `upper` against the one at `time`."""
    reached, when = sampled_minimum(case)
    if answer.lower > reached:
        yield f"lower {answer.lower!r} is more than the distance {reached!r} at {when!r}"
    if not 0.0 <= answer.upper - answer.lower <= tolerance:
        yield f"bounds {answer.lower!r}, {answer.upper!r} are more than {tolerance!r} apart"
    at_time = case.distance(answer.time)[0]
    if at_time > answer.upper:
        yield f"at time {answer.time!r} the distance is {at_time!r}, more than upper {answer.upper!r}"
    if not case.span[0] <= answer.time <= case.span[1]:
        yield f"time {answer.time!r} is outside of the interval"
    if answer.lower > 0.0:
        slack = tolerance + 1e-12
        for name, thing, motion, p in (
            ("p_WA", case.a, case.move_a, answer.p_WA),
            ("p_WB", case.b, case.move_b, answer.p_WB),
        ):
            off = point_distance(thing, motion.at(answer.time)[0].astype(float), np.asarray(p))
            if off > slack:
                yield f"{name} is {off:.3g} off its body"
        length = float(np.linalg.norm(np.asarray(answer.p_WB) - np.asarray(answer.p_WA)))
        if not answer.lower - slack <= length <= answer.upper + slack:
            yield f"the closest points are {length!r} apart"
