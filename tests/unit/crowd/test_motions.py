"""Motions of crowds: what they refuse, and recorded tracks with gaps."""

from __future__ import annotations

import math

import numpy as np
import pytest

import keepclear as kc

nan = math.nan


def tracks() -> kc.RecordedTracks:
    """One stands, one walks past it, is missing for a while, and comes back."""
    walker = np.array([-4.0, -2.0, 0.0, nan, 2.0, 0.0])
    x = np.zeros((6, 2, 2))
    x[:, 1, 0] = walker
    x[np.isnan(walker), 1] = nan
    return kc.RecordedTracks(np.arange(6.0), x)


def test_tracks_with_a_gap() -> None:
    crowd = kc.Crowd(None, None, 0.5, motion=tracks())
    assert crowd.time == 0.0
    events = crowd.advance(10.0)
    assert [(round(float(e.time), 9), str(e.kind)) for e in events] == [
        (1.5, "begin"),
        (2.0, "end"),  # it is not there any more
        (4.5, "begin"),
        (5.0, "end"),
    ]


def test_positions_on_tracks() -> None:
    crowd = kc.Crowd(None, None, 0.5, motion=tracks())
    np.testing.assert_array_equal(crowd.positions(1.25), [[0, 0], [-1.5, 0]])
    np.testing.assert_array_equal(crowd.positions(2.5)[1], [nan, nan])
    np.testing.assert_array_equal(crowd.positions(2.0)[1], [0, 0])
    np.testing.assert_array_equal(crowd.velocities(4.0)[1], [-2, 0])
    assert np.isnan(crowd.positions(6.0)).all()


def test_tracks_refuse_what_they_cannot_do() -> None:
    with pytest.raises(kc.ArgumentError, match="cannot bounce"):
        kc.Crowd(None, None, 0.5, motion=tracks(), response="elastic")
    with pytest.raises(kc.ArgumentError, match="bring positions"):
        kc.Crowd([[0, 0], [1, 1]], None, 0.5, motion=tracks())
    crowd = kc.Crowd(None, None, 0.5, motion=tracks())
    with pytest.raises(kc.ArgumentError, match="nobody can be added"):
        crowd.add([[0, 0]], [[0, 0]], 1.0)
    with pytest.raises(kc.TrajectoryError, match=r"positions\[1, 0\]"):
        kc.RecordedTracks([0, 1], [[[0, 0]], [[nan, 0]]])
    with pytest.raises(kc.TrajectoryError, match=r"must have shape \(2, n, 2 or 3\)"):
        kc.RecordedTracks([0, 1], np.zeros((3, 1, 2)))
    with pytest.raises(kc.TrajectoryError, match="two samples"):
        kc.RecordedTracks([0], np.zeros((1, 1, 2)))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: kc.RandomForces(seed=-1), "seed must be a whole number"),
        (lambda: kc.RandomForces(interval=0.0), "interval must be a number > 0"),
        (lambda: kc.VelocityField(speed=nan), "speed must be a number > 0"),
        (lambda: kc.VelocityField(response=-1.0), "response must be a number > 0"),
    ],
)
def test_bad_numbers_are_refused(make, words: str) -> None:
    with pytest.raises(kc.ArgumentError, match=words):
        make()


def test_a_field_needs_a_box() -> None:
    with pytest.raises(kc.ArgumentError, match="it needs a box"):
        kc.Crowd([[0, 0]], [[0, 0]], 1.0, 1.0, motion=kc.VelocityField())


def test_a_field_carries_members_along() -> None:
    crowd = kc.Crowd(
        [[5, 2]], [[0, 0]], 0.5, 30.0, bounds=([0, 0], [10, 10]), motion=kc.VelocityField(speed=3.0)
    )
    crowd.advance(1.0)
    assert crowd.velocities()[0, 1] > 1.0
    assert crowd.positions()[0, 1] > 2.3
    assert crowd.positions()[0, 0] == pytest.approx(5.0, abs=1e-9)
