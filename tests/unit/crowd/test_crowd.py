"""Crowds of a few members whose contacts are known by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

import keepclear as kc


def told(events) -> list[tuple[float, int, int, str]]:
    return [(round(float(e.time), 9), int(e.i), int(e.j), str(e.kind)) for e in events]


def head_on(**options) -> kc.Crowd:
    """Two spheres of radius 1 that meet at 4 s in the middle."""
    known = {"motion": kc.Ballistic(), "response": "elastic"}
    return kc.Crowd([[0, 0, 0], [10, 0, 0]], [[1, 0, 0], [-1, 0, 0]], 1.0, **(known | options))


@pytest.mark.parametrize("bound", [0.0, 0.5, 20.0])
def test_a_loose_bound_changes_no_answer(bound: float) -> None:
    crowd = head_on(max_accelerations=bound)
    assert told(crowd.advance(5.0)) == [(4.0, 0, 1, "contact")]
    np.testing.assert_allclose(crowd.positions(), [[3, 0, 0], [7, 0, 0]], atol=1e-9)
    assert crowd.statistics["contacts"] == 1
    assert crowd.time == 5.0


def test_events_are_records() -> None:
    (event,) = head_on().advance(5.0)
    assert event.dtype.names == ("time", "i", "j", "kind", "position")
    assert event.position == pytest.approx([5.0, 0.0, 0.0])


@pytest.mark.parametrize("bound", [0.0, 3.0])
def test_reported_overlaps_begin_and_end(bound: float) -> None:
    crowd = head_on(response="report", max_accelerations=bound)
    assert told(crowd.advance(20.0)) == [(4.0, 0, 1, "begin"), (6.0, 0, 1, "end")]
    np.testing.assert_allclose(crowd.positions(), [[20, 0, 0], [-10, 0, 0]], atol=1e-12)


def test_advancing_in_pieces_tells_the_same() -> None:
    whole, pieces = head_on(response="report"), head_on(response="report")
    parts = [e for t in np.arange(0.0, 8.1, 0.5) for e in told(pieces.advance(t))]
    assert parts == told(whole.advance(8.0))


def test_heavy_members_push_light_ones() -> None:
    crowd = head_on(masses=[3.0, 1.0])
    crowd.advance(5.0)
    np.testing.assert_allclose(crowd.velocities(), [[0, 0, 0], [2, 0, 0]], atol=1e-15)


def test_walls_turn_members_back() -> None:
    crowd = kc.Crowd([[2, 5]], [[-1, 0.5]], 1.0, motion=kc.Ballistic(), bounds=([0, 0], [10, 10]))
    events = crowd.advance(8.5)
    assert told(events) == [(1.0, 0, -1, "wall"), (8.0, 0, -1, "wall")]
    np.testing.assert_allclose(events.position, [[0, 5.5], [8, 10]], atol=1e-12)
    np.testing.assert_allclose(crowd.velocities(), [[1.0, -0.5]])


def test_walls_are_passed_where_contacts_are_only_reported() -> None:
    # x = 5.5 - 3 t + t^2 / 2 is 1.5 at 2 s and at 4 s, and again on its way out far later.
    through = kc.Crowd(
        [[5.5, 5.0]], [[-3.0, 0.0]], 0.5, motion=kc.Ballistic(), bounds=([1, 0], [100, 10]), response="report",
        gravity=[1.0, 0.0],
    )  # fmt: skip
    assert told(through.advance(10.0)) == [(2.0, 0, -1, "begin"), (4.0, 0, -1, "end")]


def test_a_corner_is_two_walls_at_once() -> None:
    crowd = kc.Crowd([[2, 2]], [[-1, -1]], 1.0, motion=kc.Ballistic(), bounds=([0, 0], [9, 9]))
    assert told(crowd.advance(2.0)) == [(1.0, 0, -1, "wall")] * 2
    np.testing.assert_allclose(crowd.positions(), [[2, 2]], atol=1e-12)


def test_gravity_is_exact() -> None:
    """A ball that falls on a resting one, while both fall: they meet as if there were no gravity."""
    crowd = kc.Crowd(
        [[0, 0, 100], [0, 0, 90]], [[0, 0, -2], [0, 0, 0]], 1.0, motion=kc.Ballistic(), gravity=[0, 0, -9.81]
    )
    (event,) = crowd.advance(6.0)
    assert event.time == pytest.approx(4.0, abs=1e-12)
    assert event.position[2] == pytest.approx(91.0 - 0.5 * 9.81 * 16.0)


def test_members_that_overlap_at_the_start() -> None:
    nested = [[0, 0, 0], [0.5, 0, 0]], [[0, 0, 0], [1, 0, 0]]
    report = kc.Crowd(*nested, 1.0, motion=kc.Ballistic(), response="report")
    assert told(report.advance(3.0)) == [(0.0, 0, 1, "begin"), (1.5, 0, 1, "end")]
    apart = kc.Crowd(*nested, 1.0, motion=kc.Ballistic())
    assert told(apart.advance(3.0)) == []
    closer = kc.Crowd(nested[0], [[0, 0, 0], [-1, 0, 0]], 1.0, motion=kc.Ballistic())
    assert told(closer.advance(3.0)) == [(0.0, 0, 1, "contact")]


def test_members_on_one_spot_are_told_and_do_no_harm() -> None:
    same = kc.Crowd(
        np.zeros((2, 3)), [[0, 0, 0], [1, 0, 0]], 1.0, 1.0, motion=kc.Ballistic(), response="report"
    )
    assert told(same.advance(4.0)) == [(0.0, 0, 1, "begin"), (2.0, 0, 1, "end")]


@pytest.mark.parametrize("bound", [0.0, 1.0])
def test_an_exact_graze_ends(bound: float) -> None:
    crowd = kc.Crowd(
        [[0, 0, 0], [5, 2, 0]], [[1, 0, 0], [0, 0, 0]], 1.0, bound, motion=kc.Ballistic(), response="report"
    )
    events = told(crowd.advance(10.0))
    assert [e[3] for e in events] in ([], ["begin", "end"])
    assert all(abs(e[0] - 5.0) < 1e-5 for e in events)


def test_a_ball_at_rest_on_the_floor_is_no_endless_loop() -> None:
    crowd = kc.Crowd(
        [[0, 0, 1.0], [0, 0, 3.0]], np.zeros((2, 3)), 1.0, 0.1,
        motion=kc.Ballistic(), gravity=[0, 0, -10.0], bounds=([-5, -5, 0], [5, 5, 9]),
    )  # fmt: skip
    crowd.advance(0.02)
    np.testing.assert_allclose(crowd.positions(), [[0, 0, 1], [0, 0, 3]], atol=1e-4)
    assert crowd.statistics["resting"] > 0
    assert crowd.statistics["steps"] < 20_000


def test_a_row_of_touching_balls_passes_the_blow_on() -> None:
    x = np.column_stack([[0.0, 5.0, 7.0, 9.0], np.zeros(4)])
    crowd = kc.Crowd(x, [[1, 0], [0, 0], [0, 0], [0, 0]], 1.0, motion=kc.Ballistic())
    assert told(crowd.advance(10.0)) == [
        (3.0, 0, 1, "contact"),
        (3.0, 1, 2, "contact"),
        (3.0, 2, 3, "contact"),
    ]
    np.testing.assert_allclose(crowd.velocities(), [[0, 0], [0, 0], [0, 0], [1, 0]], atol=1e-12)


def test_members_of_very_different_sizes_meet() -> None:
    x = np.array([[0.0, 0, 0], [200.0, 0, 0], [0, 150.5, 0]])
    v = np.array([[0.0, 0, 0], [-10.0, 0, 0], [0, -1.0, 0]])
    crowd = kc.Crowd(x, v, [100.0, 0.5, 0.01], motion=kc.Ballistic(), response="report")
    assert told(crowd.advance(51.0)) == [(9.95, 0, 1, "begin"), (30.05, 0, 1, "end"), (50.49, 0, 2, "begin")]


@pytest.mark.parametrize("growth", [0.01, 1.0, 100.0])
def test_how_far_boxes_reach_changes_no_answer(growth: float) -> None:
    crowd = head_on(growth=growth, max_accelerations=1.0)
    assert told(crowd.advance(5.0)) == [(4.0, 0, 1, "contact")]


def test_random_forces_give_the_same_run_twice() -> None:
    rng = np.random.default_rng(0)
    x, v = rng.uniform(2, 18, (12, 3)), rng.normal(size=(12, 3)) * 5
    runs = [
        kc.Crowd(
            x, v, 0.8, 9.0, bounds=([0] * 3, [20] * 3), motion=kc.RandomForces(seed=4), response="report"
        )
        for _ in range(2)
    ]
    first, second = (crowd.advance(1.0) for crowd in runs)
    assert len(first) > 0
    assert first.tobytes() == second.tobytes()
    assert np.array_equal(runs[0].positions(), runs[1].positions())


def test_an_unknown_kind_of_time_is_refused() -> None:
    crowd = head_on()
    crowd.advance(1.0)
    with pytest.raises(
        kc.ArgumentError, match=r"it is 1 s already; until must not be earlier, but it is 0\.5"
    ):
        crowd.advance(0.5)
    with pytest.raises(kc.ArgumentError, match=r"what was at 0\.5 s is not kept"):
        crowd.positions(0.5)
    with pytest.raises(kc.ArgumentError, match="until must be a finite number"):
        crowd.advance(math.nan)


def test_what_is_asked_of_the_future_changes_nothing() -> None:
    crowd = head_on(motion=kc.RandomForces(seed=1), max_accelerations=2.0)
    later = crowd.positions(3.0)
    crowd.advance(3.0)
    np.testing.assert_allclose(crowd.positions(), later, atol=1e-12)


def test_no_contact_before_clear_until() -> None:
    crowd = head_on(max_accelerations=[2.0, 0.0])
    # 8 - 2 s - s^2 = 0
    assert crowd.clear_until(0, 1) == pytest.approx(2.0, rel=1e-9)
    assert crowd.clear_until(1) == crowd.clear_until(0, 1) <= 2.0
    assert head_on().clear_until(0, 1) == pytest.approx(4.0)
    assert kc.Crowd([[0, 0]], [[0, 0]], 1.0, motion=kc.Ballistic()).clear_until(0) == math.inf


def test_members_come_and_go_and_grow() -> None:
    crowd = head_on(response="report")
    crowd.advance(1.0)
    assert crowd.add([[5, 0, 0]], [[0, 0, 0]], 0.5).tolist() == [2]
    assert len(crowd) == 3
    assert told(crowd.advance(3.0)) == []
    crowd.change(2, radii=1.5)
    assert told(crowd.advance(3.0)) == [(3.0, 0, 2, "begin"), (3.0, 1, 2, "begin")]
    crowd.remove(2)
    assert told(crowd.advance(3.5)) == [(3.0, 0, 2, "end"), (3.0, 1, 2, "end")]
    assert crowd.ids.tolist() == [0, 1]
    assert crowd.positions().shape == (2, 3)
    with pytest.raises(kc.ArgumentError, match="there is no member 2"):
        crowd.clear_until(2)
    assert crowd.add(np.full((50, 3), 99.0) + np.arange(50)[:, None], np.zeros((50, 3)), 0.1)[0] == 3
    assert told(crowd.advance(4.5)) == [(4.0, 0, 1, "begin")]


def test_observations_move_members() -> None:
    crowd = head_on(response="report")
    crowd.advance(2.0)
    crowd.observe([1], 2.0, [[8.0, 0.0, 0.0]], [[2.0, 0.0, 0.0]])
    assert told(crowd.advance(10.0)) == []
    crowd.observe([0, 1], 10.0, [[0, 0, 0], [3.0, 0.0, 0.0]], [[0, 0, 0], [-1.0, 0.0, 0.0]])
    assert told(crowd.advance(11.5)) == [(11.0, 0, 1, "begin")]


def test_members_known_from_observations_alarm_when_contact_is_possible() -> None:
    crowd = kc.Crowd([[0, 0], [10, 0]], [[0, 0], [0, 0]], 1.0, 1.0)
    assert crowd.clear_until(0, 1) == pytest.approx(math.sqrt(8.0))
    crowd.advance(2.0)
    crowd.observe(0, 2.0, [[0, 0]], [[0, 0]])
    # 8 - s^2 / 2 - (s + 2)^2 / 2 = 0
    alarm = 2.0 + (math.sqrt(7.0) - 1.0)
    assert told(crowd.advance(4.0)) == [(round(alarm, 9), 0, 1, "possible")]
    crowd.observe([0, 1], 4.0, [[0, 0], [10, 0]], [[0, 0], [0, 0]])
    assert told(crowd.advance(4.0)) == [(4.0, 0, 1, "end")]
    with pytest.raises(kc.ArgumentError, match="advance the crowd first"):
        crowd.observe(0, 5.0, [[0, 0]], [[0, 0]])


def test_bounds_hold_members() -> None:
    crowd = head_on(motion=kc.RandomForces(seed=2), max_accelerations=5.0, response="report")
    for t in (0.1, 0.7, 1.3):
        crowd.advance(t)
        centres, radii = crowd.bounds_at()
        off = np.linalg.norm(crowd.positions() - centres, axis=1)
        assert (off + 1.0 <= radii + 1e-12).all()


def test_memory_does_not_grow_with_time() -> None:
    rng = np.random.default_rng(0)
    x = np.stack(np.meshgrid([2.0, 6.0], [2.0, 6.0], [2.0, 6.0]), axis=-1).reshape(-1, 3)
    crowd = kc.Crowd(x, rng.normal(size=(8, 3)) * 3, 1.0, bounds=([0] * 3, [8] * 3), motion=kc.Ballistic())
    crowd.advance(2.0)
    before = crowd.nbytes
    crowd.advance(20.0)
    assert crowd.nbytes == before


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("entering", "cells entered"),
        ("leaving", "cells left"),
        ("resetting", "bounds updated"),
        ("colliding", "bounds touched"),
        ("wall", "walls touched"),
    ],
)
def test_counts_answer_to_their_names_of_before_with_a_warning(old: str, new: str) -> None:
    crowd = head_on(bounds=([-1, -1, -1], [11, 1, 1]))
    crowd.advance(9.0)
    with pytest.warns(DeprecationWarning, match=f"'{old}' of a crowd is called '{new}' now"):
        assert crowd.statistics[old] == crowd.statistics[new] > 0
    with pytest.warns(DeprecationWarning, match=new):
        assert crowd.statistics.get(old, -1) == crowd.statistics[new]
    assert old not in list(crowd.statistics)


def test_what_is_not_counted_is_no_statistic() -> None:
    counts = head_on().statistics
    assert counts.get("sparks", 7) == 7
    with pytest.raises(KeyError, match="sparks"):
        counts["sparks"]


def test_a_crowd_is_shown_with_its_size_and_time() -> None:
    crowd = kc.Crowd(np.array([[0.0, 0.0], [5.0, 0.0]]), np.zeros((2, 2)), 1.0, time=0.25, max_speeds=1.0)
    assert repr(crowd) == "Crowd(2 discs, time 0.25 s)"
