"""No run is endless: steps that are too small for the clock, collapses, and answers that change nothing."""

from __future__ import annotations

import numpy as np
import pytest

import keepclear as kc

UNIX = 1.7e9
"""About now, in seconds since 1970: one digit of it is 2.4e-7 s."""


def test_a_member_at_rest_between_walls() -> None:
    crowd = kc.Crowd([[5, 5]], [[0, 0]], 1.0, motion=kc.Ballistic(), bounds=([0, 0], [10, 10]))
    assert len(crowd.advance(5.0)) == 0
    assert crowd.statistics["steps"] < 5


@pytest.mark.parametrize("response", ["elastic", "report"])
@pytest.mark.parametrize("gap", [0.0, 1e-13, 1e-12, 1e-11, -1e-12])
def test_members_at_rest_that_touch_at_a_late_hour(response: str, gap: float) -> None:
    crowd = kc.Crowd(
        [[0, 0], [2 + gap, 0]], np.zeros((2, 2)), 1.0, 20.0,
        motion=kc.Ballistic(), response=response, time=UNIX,
    )  # fmt: skip
    crowd.advance(UNIX + 2e-4)
    assert crowd.time == UNIX + 2e-4


@pytest.mark.parametrize("response", ["elastic", "report"])
def test_small_members_at_rest_on_a_wall_at_a_late_hour(response: str) -> None:
    crowd = kc.Crowd(
        [[1e-3, 1e-3], [3e-3, 1e-3]], np.zeros((2, 2)), 1e-3, 10.0,
        motion=kc.Ballistic(), response=response, time=UNIX, bounds=([0, 0], [1, 1]),
    )  # fmt: skip
    crowd.advance(UNIX + 1e-4)


def test_members_meet_at_a_late_hour_too() -> None:
    crowd = kc.Crowd(
        [[0, 0], [10, 0]], [[1, 0], [-1, 0]], 1.0, 5.0, motion=kc.Ballistic(), response="report", time=UNIX
    )
    events = crowd.advance(UNIX + 8.0)
    assert events.kind.tolist() == ["begin", "end"]
    np.testing.assert_allclose(events.time - UNIX, [4.0, 6.0], atol=1e-5)  # two of the smallest steps


def test_boxes_that_are_good_for_less_than_a_tick() -> None:
    crowd = kc.Crowd(
        [[0, 0], [9, 0]], [[1, 0], [-1, 0]], 1.0, motion=kc.Ballistic(), time=1000.0, growth=1e-14
    )
    crowd.advance(1000.0 + 1e-11)
    assert crowd.time == 1000.0 + 1e-11


def test_large_members_that_come_to_a_point() -> None:
    crowd = kc.Crowd([[0, 0]], [[0, 0]], 0.0, 1.0, motion=kc.Ballistic())
    crowd.add([[0, 5], [2, 5]], np.zeros((2, 2)), 1.0, 1.0)
    crowd.advance(1e-4)
    assert crowd.time == 1e-4


def test_a_light_member_between_a_heavy_one_and_a_wall() -> None:
    """A heavy one 100^2 times as heavy makes 314 impacts in all: digits of pi (Galperin 2003)."""
    crowd = kc.Crowd(
        [[0.5, 0], [2, 0]], [[0, 0], [-1, 0]], [0.1, 1.0],
        motion=kc.Ballistic(), masses=[1e-4, 1.0], bounds=([0, -5], [20, 5]),
    )  # fmt: skip
    events = crowd.advance(4.0)
    assert len(events) == 314
    assert crowd.velocities()[1, 0] == pytest.approx(1.0, rel=1e-2)
    assert crowd.statistics["resting"] == 0


def test_a_member_as_large_as_its_box() -> None:
    crowd = kc.Crowd([[5, 5]], [[1, 0.3]], 5.0, motion=kc.Ballistic(), bounds=([0, 0], [10, 10]))
    crowd.advance(1.0)
    np.testing.assert_allclose(crowd.positions(), [[5, 5]], atol=0.05)


@pytest.mark.parametrize("bound", [0.0, 1.0])
def test_a_response_that_changes_nothing_lets_members_pass(bound: float) -> None:
    crowd = kc.Crowd(
        [[0, 0], [5, 0]], [[1, 0], [-1, 0]], 1.0, bound, motion=kc.Ballistic(), response=lambda _event, v: v
    )
    assert crowd.advance(6.0).kind.tolist() == ["contact", "end"]


def test_a_response_that_changes_nothing_lets_members_through_walls() -> None:
    crowd = kc.Crowd(
        [[5, 5]], [[1, 0]], 1.0, 1.0,
        motion=kc.Ballistic(), bounds=([0, 0], [10, 10]), response=lambda _event, v: v,
    )  # fmt: skip
    assert crowd.advance(6.0).kind.tolist() == ["wall"]


def test_a_response_to_members_that_overlap_at_the_start() -> None:
    crowd = kc.Crowd(
        [[0, 0], [1, 0]], [[1, 0], [-1, 0]], 1.0, motion=kc.Ballistic(), response=lambda _event, v: -v
    )
    assert crowd.advance(6.0).kind.tolist() == ["contact"]
    np.testing.assert_allclose(crowd.velocities(), [[-1, 0], [1, 0]])


@pytest.mark.parametrize("bound", [0.0, 0.5])
def test_a_stack_at_rest_stays_where_it_is(bound: float) -> None:
    z = np.array([1.0, 3.0, 5.0])
    crowd = kc.Crowd(
        np.column_stack([np.zeros(3), z]), np.zeros((3, 2)), 1.0, bound,
        motion=kc.Ballistic(), gravity=[0, -10.0], bounds=([-2, 0], [2, 9]),
    )  # fmt: skip
    crowd.advance(0.02)
    np.testing.assert_allclose(crowd.positions()[:, 1], z, atol=1e-5)
    assert crowd.statistics["resting"] > 0


def test_a_ball_in_a_corner_stays_there() -> None:
    """Two walls collapse at once: neither turn may be lost."""
    crowd = kc.Crowd(
        [[1, 1, 1]], [[0, 0, 0]], 1.0,
        motion=kc.Ballistic(), bounds=([0] * 3, [10] * 3), gravity=[-7.0, -10.0, -5.0],
    )  # fmt: skip
    for t in np.linspace(0.0, 0.05, 11):
        crowd.advance(float(t))
        np.testing.assert_allclose(crowd.positions(), [[1, 1, 1]], atol=1e-4)
    crowd.advance(0.05)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"growth": 1e308}, "growth must be a finite number from 1e-30 to 1e"),
        ({"growth": 0.0}, "growth must be"),
        ({"tolerance": 1e300}, "tolerance must be a finite number from 0 to 1e"),
        ({"time": 1e18}, "time must be a finite number from -1e"),
    ],
)
def test_numbers_that_no_clock_can_tell_apart_are_refused(options, words: str) -> None:
    with pytest.raises(kc.ArgumentError, match=words):
        kc.Crowd([[0, 0]], [[1, 0]], 1.0, motion=kc.Ballistic(), **options)


def test_a_night_without_news() -> None:
    """Boxes grow with what is unknown: so few are enough, and the alarm is not late."""
    crowd = kc.Crowd([[0, 0], [1e6, 0]], np.zeros((2, 2)), 0.3, 2.0, growth=0.5)
    (event,) = crowd.advance(30_000.0)
    assert event.kind == "possible"
    assert event.time == pytest.approx(np.sqrt(5e5 - 0.3), rel=1e-12)
    assert crowd.statistics["steps"] < 500


def test_points_on_one_spot() -> None:
    tracks = kc.RecordedTracks([0, 1, 2], [[[0, 0], [0, 0]], [[0, 0], [0, 0]], [[1, 0], [0, 0]]])
    assert kc.Crowd(None, None, 0.0, motion=tracks, growth=1.0).advance(2.0).kind.tolist() == ["begin", "end"]
    still = kc.Crowd(np.zeros((2, 2)), np.zeros((2, 2)), 0.0, motion=kc.Ballistic(), response="report")
    assert still.advance(2.0).kind.tolist() == ["begin"]
