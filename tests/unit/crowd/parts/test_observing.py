"""Members known from observations: alarms where contact is possible, limits on speed, errors, late news, forecasts."""

from __future__ import annotations

import math

import numpy as np
import pytest

import keepclear as kc

inf = math.inf


def told(events) -> list[tuple[float, int, int, str]]:
    return [(round(float(e.time), 9), int(e.i), int(e.j), str(e.kind)) for e in events]


def two(distance: float = 10.0, bound: float = 1.0, **options) -> kc.Crowd:
    """Two discs of radius 1 that were seen at rest."""
    return kc.Crowd([[0, 0], [distance, 0]], np.zeros((2, 2)), 1.0, bound, **options)


@pytest.mark.parametrize(
    ("options", "alarm"),
    [
        ({"bound": 1.0}, math.sqrt(8.0)),  # 8 = 2 s^2 / 2
        ({"bound": [2.0, 0.0]}, math.sqrt(8.0)),
        ({"bound": inf, "max_speeds": 2.0}, 2.0),  # 8 = 2 * 2 s
        ({"bound": 1.0, "max_speeds": 1.0}, 4.5),  # 1 / 2 each until 1 s, then 1 m/s each
        ({"bound": 1.0, "max_speeds": [1.0, inf]}, math.sqrt(18.0) - 1.0),  # s - 1 / 2 + s^2 / 2 = 8
        ({"bound": [inf, 0.0], "max_speeds": [4.0, inf]}, 2.0),
    ],
)
def test_an_alarm_comes_when_contact_is_possible(options, alarm: float) -> None:
    crowd = two(**options)
    assert crowd.clear_until(0, 1) == pytest.approx(alarm, rel=1e-12)
    assert crowd.clear_until(0, 1) <= alarm * (1.0 + 1e-15)
    assert crowd.clear_until(1) == crowd.clear_until(0, 1)
    (event,) = crowd.advance(alarm + 1.0)
    assert (int(event.i), int(event.j), str(event.kind)) == (0, 1, "possible")
    assert event.time == pytest.approx(alarm, rel=1e-12)
    assert event.time <= alarm * (1.0 + 1e-15)


def test_a_limit_that_is_not_given_is_none() -> None:
    """Without max_accelerations a crowd said that two could never touch: what it did not know counted as 0."""
    x, v = [[0, 0], [10, 0]], np.zeros((2, 2))
    fast = kc.Crowd(x, v, 1.0, max_speeds=2.0)
    assert fast.clear_until(0, 1) == pytest.approx(2.0)  # 8 = 2 * 2 s
    assert told(fast.advance(3.0)) == [(2.0, 0, 1, "possible")]
    with pytest.raises(
        kc.ArgumentError, match="row 0 has neither; give max_accelerations, max_speeds or both"
    ):
        kc.Crowd(x, v, 1.0)
    with pytest.raises(kc.ArgumentError, match="row 1 has neither"):
        kc.Crowd(x, v, 1.0, max_speeds=[2.0, inf])
    with pytest.raises(kc.ArgumentError, match="row 1 has neither"):
        kc.Crowd(x, v, 1.0, [1.0, inf])
    (third,) = fast.add([[0, 50]], [[0, 0]], 1.0, max_speeds=4.0)
    assert fast.clear_until(0, third) == pytest.approx(3.0 + (48.0 - 2 * 3.0) / 6.0)
    with pytest.raises(kc.ArgumentError, match="row 0 has neither"):
        fast.add([[0, 90]], [[0, 0]], 1.0)
    assert len(fast) == 3


def test_velocities_that_are_not_given_are_any() -> None:
    """They counted as 0, without an error."""
    x = [[0, 0], [10, 0]]
    crowd = kc.Crowd(x, None, 1.0, 0.0, max_speeds=1.0)
    assert crowd.clear_until(0, 1) == pytest.approx(4.0)  # 8 = 2 * 1 s
    np.testing.assert_allclose(crowd.bounds_at(2.0)[1], [3.0, 3.0])
    (third,) = crowd.add([[0, 50]], None, 1.0, 0.0, max_speeds=2.0)
    assert crowd.clear_until(0, third) == pytest.approx(16.0)  # 48 = 3 s
    with pytest.raises(
        kc.ArgumentError, match="velocities are missing, and member 0 of these has no maximum speed"
    ):
        kc.Crowd(x, None, 1.0, 1.0)
    with pytest.raises(
        kc.ArgumentError, match="velocities are missing, and member 0 of these has no maximum speed"
    ):
        crowd.add([[0, 90]], None, 1.0, 1.0)


def test_a_motion_of_the_caller_must_say_what_it_is_capable_of() -> None:
    """At rest with limits of 0 it was never asked again, and moved through everybody."""

    def probe(ids, t):
        return np.array([[0.0, 0.0], [8.0 - t * t, 0.0]])[ids], np.array([[0.0, 0.0], [-2.0 * t, 0.0]])[ids]

    x, v = [[0, 0], [8, 0]], np.zeros((2, 2))
    with pytest.raises(
        kc.ArgumentError, match="max_accelerations are missing; only the author of a function"
    ):
        kc.Crowd(x, v, 1.0, motion=probe)
    with pytest.raises(
        kc.ArgumentError, match="velocities are missing; give those that the caller's motion has"
    ):
        kc.Crowd(x, None, 1.0, 2.0, motion=probe)
    crowd = kc.Crowd(x, v, 1.0, 2.0, motion=probe)
    with pytest.raises(kc.ArgumentError, match="max_accelerations are missing"):
        crowd.add([[0, 50]], [[0, 0]], 1.0)
    assert [round(float(e.time), 6) for e in crowd.advance(3.0)] == [round(math.sqrt(6.0), 6)]


def test_errors_of_measurement_make_it_earlier() -> None:
    crowd = two(bound=0.0)
    crowd.observe(
        [0, 1], 0.0, [[0, 0], [10, 0]], np.zeros((2, 2)), position_errors=0.5, velocity_errors=[1.0, 0.0]
    )
    assert crowd.clear_until(0, 1) == pytest.approx(7.0)
    centres, radii = crowd.bounds_at(2.0)
    np.testing.assert_array_equal(centres, [[0, 0], [10, 0]])
    np.testing.assert_allclose(radii, [3.5, 1.5])
    assert told(crowd.advance(8.0)) == [(7.0, 0, 1, "possible")]


def test_velocities_that_nobody_measured() -> None:
    crowd = two(bound=inf, max_speeds=1.0)
    crowd.observe(0, 0.0, [[0, 0]])
    assert crowd.clear_until(0, 1) == pytest.approx(4.0)
    unlimited = two()
    with pytest.raises(kc.ArgumentError, match="velocities are missing, and member 1 has no maximum speed"):
        unlimited.observe(1, 0.0, [[10, 0]])


def test_bounds_follow_the_limits_of_speed() -> None:
    crowd = kc.Crowd([[0, 0]], [[3, 0]], 1.0, 2.0, max_speeds=5.0)
    centres, radii = crowd.bounds_at(10.0)
    # W = 5 + 3 is reached after 4 s: 2 * 16 / 2 + 8 * 6
    np.testing.assert_allclose(centres, [[30.0, 0.0]])
    np.testing.assert_allclose(radii, [1.0 + 16.0 + 48.0])
    crowd.advance(10.0)
    np.testing.assert_allclose(crowd.bounds_at()[1], radii, rtol=1e-12)
    assert crowd.bounds_at()[1][0] >= 65.0 * (1.0 - 1e-15)


def test_news_of_the_past_count_from_then() -> None:
    crowd = two()
    crowd.advance(2.0)
    taken = crowd.observe([0, 1], [1.0, 2.0], [[0, 0], [10, 0]], np.zeros((2, 2)))
    assert taken.tolist() == [True, True]
    np.testing.assert_array_equal(crowd.observed, [1.0, 2.0])
    # (s + 1)^2 / 2 + s^2 / 2 = 8
    assert crowd.clear_until(0, 1) == pytest.approx(2.0 + (math.sqrt(31.0) - 1.0) / 2.0)


def test_late_news_change_nothing() -> None:
    crowd = two()
    crowd.advance(3.0)
    crowd.observe([0, 1], 2.5, [[0, 0], [10, 0]], np.zeros((2, 2)))
    before = crowd.clear_until(0, 1)
    assert crowd.observe([0, 1], [1.0, 2.0], [[9, 9], [3, 3]], np.ones((2, 2))).tolist() == [False, False]
    assert crowd.clear_until(0, 1) == before
    assert crowd.statistics["jumps"] == 0


def test_news_that_do_not_fit_are_counted_or_refused() -> None:
    crowd = two()
    crowd.advance(1.0)
    crowd.observe(0, 1.0, [[0.49, 0]], [[0.9, 0]])
    assert crowd.statistics["jumps"] == 0
    with pytest.raises(
        kc.CrowdError, match=r"the measurement of member 1 at 1 s is 0\.6 m and 0 m/s off what was known"
    ):
        crowd.observe(1, 1.0, [[10.6, 0]], [[0, 0]], jumps="refuse")
    with pytest.raises(kc.CrowdError, match="member 1"):
        crowd.observe(1, 1.0, [[10, 0]], [[0, 1.1]], jumps="refuse")
    assert crowd.observed[1] == 0.0
    crowd.observe(1, 1.0, [[10.6, 0]], [[0, 0]])
    assert crowd.statistics["jumps"] == 1
    with pytest.raises(kc.ArgumentError, match="jumps"):
        crowd.observe(1, 1.0, [[10.6, 0]], [[0, 0]], jumps="maybe")


def test_other_limits_from_now_on() -> None:
    crowd = two(bound=0.0)
    crowd.advance(1.0)
    crowd.change([0, 1], max_accelerations=inf, max_speeds=1.0)
    assert crowd.clear_until(0, 1) == pytest.approx(5.0)
    crowd.advance(2.0)
    crowd.change(0, max_speeds=0.0)
    # 1 m of each is unknown, and the second goes on with 1 m/s
    assert crowd.clear_until(0, 1) == pytest.approx(8.0)
    with pytest.raises(kc.ArgumentError, match="without a maximum acceleration needs a maximum speed"):
        crowd.change(0, max_speeds=inf)


def test_members_may_come_late_and_inexact() -> None:
    crowd = two(bound=0.0)
    crowd.advance(3.0)
    crowd.add([[0, 5]], [[0, 0]], 1.0, 0.5, time=1.0, position_errors=0.25, velocity_errors=0.5)
    # 3 = 0.25 + 0.5 s + 0.25 s^2
    assert crowd.clear_until(2, 0) == pytest.approx(1.0 + (-1.0 + math.sqrt(1.0 + 11.0)))
    with pytest.raises(kc.ArgumentError, match="the observation is of 4 s"):
        crowd.add([[0, 9]], [[0, 0]], 1.0, 0.0, time=4.0)
    assert len(crowd) == 3


def test_a_forecast_lets_nothing_happen() -> None:
    crowd = two()
    assert told(crowd.forecast(9.0)) == [(round(math.sqrt(8.0), 9), 0, 1, "possible")]
    assert crowd.time == 0.0
    assert told(crowd.forecast(2.0)) == []
    first = crowd.forecast(9.0)
    assert first.tobytes() == crowd.advance(9.0).tobytes()


def test_forecasts_of_motions_and_who_cannot_tell() -> None:
    free = kc.Crowd([[0, 0], [5, 0]], [[1, 0], [0, 0]], 1.0, motion=kc.Ballistic(), history=True)
    assert told(free.forecast(9.0)) == [(3.0, 0, 1, "contact")]
    np.testing.assert_array_equal(free.positions(), [[0, 0], [5, 0]])
    asked = kc.Crowd([[0, 0]], [[1, 0]], 1.0, motion=kc.Ballistic(), response=lambda _e, v: v)
    with pytest.raises(kc.ArgumentError, match="forecast needs a motion and a response that the crowd knows"):
        asked.forecast(1.0)
    with pytest.raises(kc.ArgumentError, match="until must not be earlier"):
        free.forecast(-1.0)


@pytest.mark.parametrize("growth", [0.3, 1.0, 5.0])
def test_alarms_end_when_bounds_part_whatever_the_boxes(growth: float) -> None:
    crowd = kc.Crowd([[0, 0], [10, 0]], [[1, 0], [-1, 0]], 1.0, 0.0, growth=growth)
    assert told(crowd.advance(30.0)) == [(4.0, 0, 1, "possible"), (6.0, 0, 1, "end")]


def test_what_observed_crowds_refuse() -> None:
    with pytest.raises(kc.ArgumentError, match="without a maximum acceleration needs a maximum speed"):
        two(bound=inf)
    with pytest.raises(kc.ArgumentError, match="walls cannot reflect observed members"):
        two(bounds=([-99, -99], [99, 99]))
    with pytest.raises(kc.ArgumentError, match="gravity makes members faster"):
        two(max_speeds=1.0, gravity=[0, -9.81])
    with pytest.raises(kc.ArgumentError, match="cannot bounce"):
        two(response="elastic")
    with pytest.raises(kc.ArgumentError, match="history needs a motion that the crowd knows"):
        two(history=True)
    heavy = two(gravity=[0, -9.81])
    with pytest.raises(kc.ArgumentError, match="gravity makes members faster"):
        heavy.change(0, max_speeds=1.0)
    with pytest.raises(kc.ArgumentError, match="gravity makes members faster"):
        heavy.add([[50, 0]], [[0, 0]], 1.0, max_speeds=1.0)
    with pytest.raises(kc.ArgumentError, match=r"t must be one time, or 2 of them, .* but there are 3"):
        two().observe([0, 1], [0.0, 0.0, 0.0], np.zeros((2, 2)), np.zeros((2, 2)))
    with pytest.raises(kc.ArgumentError, match=r"position_errors\[0\] must be finite and >= 0"):
        two().observe([0, 1], 0.0, np.zeros((2, 2)), np.zeros((2, 2)), position_errors=-1.0)


@pytest.mark.parametrize("seed", range(6))
def test_nobody_leaves_the_bound_that_limits_and_errors_allow(seed: int) -> None:
    """A walker who keeps its limits is always inside; and its alarm never comes after the meeting."""
    rng = np.random.default_rng(seed)
    A, V, e = rng.uniform(0.5, 3.0), rng.uniform(0.5, 2.0), 0.05
    x, v, t = np.zeros(2), np.zeros(2), 0.0
    crowd = kc.Crowd([x, [4.0, 0.0]], [v, [0, 0]], 0.3, [A, 0.0], max_speeds=[V, 0.0])
    first, alarm = inf, inf
    for k in range(200):
        push = rng.normal(size=2) + np.array([1.0, 0.0])
        push *= A / np.linalg.norm(push)
        after = v + push * 0.02
        after *= min(1.0, V / np.linalg.norm(after))
        x, v, t = x + 0.5 * (v + after) * 0.02, after, t + 0.02
        events = crowd.advance(t)
        alarm = min(alarm, *events.time, inf)
        if np.linalg.norm(x - [4.0, 0.0]) <= 0.6:
            first = min(first, t)
        centres, radii = crowd.bounds_at()
        assert np.linalg.norm(x - centres[0]) + 0.3 <= radii[0] + 1e-12
        if k % 37 == 36:
            off = rng.normal(size=2)
            off *= e / np.linalg.norm(off)
            crowd.observe(0, t, [x + off], [v], position_errors=e, velocity_errors=1e-9, jumps="refuse")
    assert alarm <= first


def test_another_radius_leaves_the_news_what_it_was() -> None:
    crowd = kc.Crowd([[0, 0], [50, 0]], np.zeros((2, 2)), 0.5, 1.0, max_speeds=2.0)
    crowd.advance(3.0)
    crowd.change([0], radii=0.7)
    assert crowd.observed[0] == 0.0
    assert crowd.observe([0], 1.0, [[0.1, 0.0]], [[0.0, 0.0]]).tolist() == [True]
    crowd.change([0], max_speeds=3.0)  # other limits hold from now on
    assert crowd.observe([0], 2.0, [[0.1, 0.0]], [[0.0, 0.0]]).tolist() == [False]


def test_boxes_of_members_without_a_limit_of_acceleration_are_of_their_size() -> None:
    x = np.stack(np.meshgrid(np.arange(10.0), np.arange(10.0)), axis=-1).reshape(-1, 2)
    known = kc.Crowd(x, np.zeros((100, 2)), 0.1, 0.0, max_speeds=1.0).growth
    assert kc.Crowd(x, np.zeros((100, 2)), 0.1, np.inf, max_speeds=1.0).growth == known


def test_velocities_beyond_the_greatest_speeds_contradict_them():
    """Nothing was raised, and the time until which no contact is possible was too late for these velocities."""
    P, V = [[0.0, 0, 0], [10, 0, 0]], [[1.0, 0, 0], [-1, 0, 0]]
    with pytest.raises(
        kc.ArgumentError, match=r"velocity of member 0 of these is 1 m/s, more than .* 0.5 m/s"
    ):
        kc.Crowd(P, V, 1.0, 1.0, max_speeds=0.5, motion=None)
    crowd = kc.Crowd(P, V, 1.0, 1.0, max_speeds=1.0, motion=None)
    with pytest.raises(kc.ArgumentError, match="maximum speed"):
        crowd.add([[0.0, 5, 0]], [[3.0, 0, 0]], 1.0, 1.0, max_speeds=2.0)


def test_a_new_member_may_be_measured_faster_than_it_can_be() -> None:
    crowd = kc.Crowd(np.empty((0, 2)), np.empty((0, 2)), np.empty(0), 1.5, max_speeds=2.0)
    limits = {"radii": 0.3, "max_accelerations": 1.5, "max_speeds": 2.0, "position_errors": 0.05}
    (i,) = crowd.add([[3.0, 3.0]], [[2.05, 0.0]], velocity_errors=0.1, **limits)
    (j,) = crowd.add([[9.0, 3.0]], [[0.0, 0.0]], velocity_errors=0.0, **limits)
    # The gap of 5.4 m, less both errors, closes at 2 m/s and by the other's 1.5 m/s^2 up to 2 m/s: in 1.74 s at best.
    assert 1.2 < crowd.clear_until(i, j) < 1.74
    with pytest.raises(kc.ArgumentError, match=r"the velocity of member 0 of these is 2\.05 m/s, more than"):
        crowd.add([[5.0, 5.0]], [[2.05, 0.0]], velocity_errors=0.01, **limits)
    with pytest.raises(kc.ArgumentError, match=r"velocity_errors\[0\] must be finite and >= 0"):
        crowd.add([[5.0, 5.0]], [[2.05, 0.0]], velocity_errors=-0.1, **limits)
    assert crowd.ids.tolist() == [i, j]
