"""The source's four events, compiled, find the contacts that `kc.Crowd` finds, and happen when they should."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.crowd_references.four_events import FourEvents
from numba.core import config
from tests.oracles.crowd_references_campaign import common, differences, in_order, seeded

import keepclear as kc

SEEDS = 24 if config.DISABLE_JIT else 300


def test_four_events_find_the_same_contacts() -> None:
    found = [differences(seed, space_time=False) for seed in range(SEEDS)]
    assert [line for lines, _ in found for line in lines] == []
    assert sum(count for _, count in found) > 40 * SEEDS


def test_a_contact_that_is_missed_or_late_is_found() -> None:
    events = in_order(seeded(4, "report").advance(2.0))
    assert common(events, events, 0.0) == len(events) > 4
    assert common(events, np.delete(events, 3), 1e-8) == 3
    late = events.copy()
    late["time"][2] += 2e-8
    assert common(events, late, 1e-8) == 2


def test_each_event_of_one_sphere_is_counted() -> None:
    # Radius 1 and cells of 4 m. At 0.5 m/s and without acceleration the bound touches the face at 4 m after 2 s, leaves
    # the cell below it after 6 s, and so on every 8 s; it never grows to the width of a cell.
    crowd = kc.Crowd([[2, 2, 2], [2, 2, 90]], [[0.5, 0, 0], [0, 0, 0]], 1.0, motion=kc.Ballistic())
    four = FourEvents(crowd, 4.0)
    four.advance(0.0)
    expected = {1.9: (0, 0), 2.1: (1, 0), 5.9: (1, 0), 6.1: (1, 1), 10.1: (2, 1), 14.1: (2, 2)}
    for t, counts in expected.items():
        four.advance(t)
        assert (four.statistics["entering"], four.statistics["leaving"]) == counts
    assert four.statistics["resetting"] == four.statistics["colliding"] == 0


def test_a_bound_is_reset_when_its_diameter_is_the_edge() -> None:
    # Equation (8): sqrt((4 - 2) / 0.5) = 2 s; at rest at the middle of a cell it touches the faces at that time too.
    crowd = kc.Crowd(
        [[2, 2, 2], [2, 2, 90]], np.zeros((2, 3)), 1.0, 0.5, motion=kc.RandomForces(), response="report"
    )
    T = crowd._state.tables
    T.F[:, 24:27] = 0.0  # no force is on them
    four = FourEvents(crowd, 4.0)
    four.advance(0.0)
    four.counted[:] = 0
    four.advance(1.9)
    assert four.statistics["resetting"] == 0
    four.advance(2.1)
    assert four.statistics["resetting"] == 2


def test_what_the_reference_does_not_know_is_refused() -> None:
    with pytest.raises(ValueError, match="no gravity"):
        FourEvents(kc.Crowd([[0, 0, 0]], None, 1.0, motion=kc.Ballistic(), gravity=[0, 0, -9.81]), 4.0)
    with pytest.raises(ValueError, match="motions that kernels can probe"):
        FourEvents(kc.Crowd([[0, 0, 0]], [[0, 0, 0]], 1.0, 1.0), 4.0)
