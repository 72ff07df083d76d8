"""Motions of crowds: what they refuse, and recorded tracks with gaps."""

from __future__ import annotations

import math

import numpy as np
import pytest

import keepclear as kc
from keepclear.kernels.crowd.motion import field_velocity

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
    events = crowd.advance(5.0)
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
    np.testing.assert_array_equal(crowd.bounds_at(4.5)[0], crowd.positions(4.5))  # past two bends
    assert np.isnan(crowd.positions(6.0)).all()


@pytest.mark.parametrize(("time", "until"), [(None, 5.1), (-0.1, 0.0), (9.0, 9.0)])
def test_nothing_is_said_of_times_that_were_not_recorded(time: float | None, until: float) -> None:
    """After the last sample nobody was there, and no contact was reported, as if it were known."""
    with pytest.raises(
        kc.ArgumentError, match=r"the recorded tracks are from 0 s to 5 s; other times are not recorded"
    ):
        kc.Crowd(None, None, 0.5, motion=tracks(), time=time).advance(until)


def test_intervals_that_cannot_be_counted_are_refused() -> None:
    """A billion intervals of 1e-20 s were counted one by one, for ever."""
    crowd = kc.Crowd([[0, 0]], [[1, 0]], 1.0, 1.0, motion=kc.RandomForces(interval=1e-20))
    with pytest.raises(
        kc.ArgumentError, match=r"until is 1 s, and an interval of 1e-20 s can be counted up to 4.5"
    ):
        crowd.advance(1.0)
    with pytest.raises(
        kc.ArgumentError, match=r"time is 1 s, and an interval of 1e-20 s can be counted up to"
    ):
        kc.Crowd([[0, 0]], [[1, 0]], 1.0, 1.0, motion=kc.RandomForces(interval=1e-20), time=1.0)
    with pytest.raises(
        kc.ArgumentError, match=r"interval must be a number > 0 in seconds, from 1e-30 to 1e\+12"
    ):
        kc.RandomForces(interval=1e-40)
    with pytest.raises(kc.ArgumentError, match="response must be a number"):
        kc.VelocityField(response=1e-300)
    with pytest.raises(kc.ArgumentError, match="its box must be at least 2e-30 m wide"):
        kc.VelocityField(bounds=([0, 0], [1, 1e-200])).max_acceleration()


def test_tracks_refuse_what_they_cannot_do() -> None:
    with pytest.raises(kc.ArgumentError, match="cannot bounce"):
        kc.Crowd(None, None, 0.5, motion=tracks(), response="elastic")
    with pytest.raises(kc.ArgumentError, match="contain positions and velocities"):
        kc.Crowd([[0, 0], [1, 1]], None, 0.5, motion=tracks())
    crowd = kc.Crowd(None, None, 0.5, motion=tracks())
    with pytest.raises(kc.ArgumentError, match="none can be added"):
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


@pytest.mark.parametrize(
    "bounds",
    [([0, 0], [0, 10]), ([0, 0], [nan, 10]), ([0, 0, 0], [9, 9, 9]), (0, 1), ([9, 9], [0, 0]), "ab", 7],
)
def test_a_field_refuses_a_box_that_is_none(bounds) -> None:
    with pytest.raises(kc.ArgumentError, match="bounds"):
        kc.Crowd([[5, 5]], [[0, 0]], 0.5, 1.0, motion=kc.VelocityField(speed=2.0, bounds=bounds))


def test_members_follow_a_field_by_themselves() -> None:
    crowd = kc.Crowd([[5, 5]], [[0, 0]], 0.3, motion=kc.VelocityField(speed=2.0), bounds=([0, 0], [10, 10]))
    crowd.add([[5, 3]], [[0, 0]], 0.3)
    crowd.advance(1.0)
    assert (crowd.velocities()[:, 1] > 1.0).all()
    # In the middle of the plane the speed is 2 and the gradients are at most 2 pi / 5: the bound must be that large.
    bound = kc.VelocityField(speed=2.0, bounds=([0, 0], [10, 10])).max_acceleration()
    assert bound >= 2.0 * 2.0 * np.pi / 5.0


@pytest.mark.parametrize("box", [([0, 0], [10, 6]), ([0, 1, 2], [10, 5, 9])])
def test_nothing_that_flows_with_a_field_accelerates_more_than_it_says(box) -> None:
    lower, upper = (np.array(corner, dtype=float) for corner in box)
    d = len(lower)
    field = kc.VelocityField(speed=3.0, bounds=box)
    _, D = field.pack(None, d)
    rng = np.random.default_rng(4)

    def velocity(x: np.ndarray) -> np.ndarray:
        return np.array(field_velocity(D, *np.append(x, np.zeros(3 - d)), d))[:d]

    most = 0.0
    for _ in range(150):
        x, h = rng.uniform(lower, upper), 1e-5
        gradient = np.array([(velocity(x + e) - velocity(x - e)) / (2.0 * h) for e in h * np.eye(d)]).T
        most = max(most, float(np.linalg.norm(gradient @ velocity(x))))
    assert 0.0 < most <= field.max_acceleration()
