"""Walls: turned back, passed, appeared behind, and answered by their caller; each of them once."""

from __future__ import annotations

import math

import numpy as np
import pytest

import keepclear as kc
from keepclear.kernels.crowd import layout as at

BOX = ([0, 0], [10, 10])
nan = math.nan


def told(events) -> list[tuple[float, int, int, str]]:
    return [(round(float(e.time), 9), int(e.i), int(e.j), str(e.kind)) for e in events]


def tracked(*samples: tuple[float, float]) -> kc.Crowd:
    x = np.array(samples, dtype=float)[:, None]
    return kc.Crowd(None, None, 0.5, motion=kc.RecordedTracks(np.arange(float(len(x))), x), bounds=BOX)


def test_a_track_that_appears_behind_a_wall() -> None:
    crowd = tracked((5, 5), (6, 5), (nan, nan), (12, 5), (12, 5), (5, 5))
    assert told(crowd.advance(5.0)) == [(3.0, 0, -1, "begin"), (round(4.0 + 2.5 / 7.0, 9), 0, -1, "end")]


def test_a_track_that_vanishes_behind_a_wall() -> None:
    crowd = tracked((5, 5), (11, 5), (nan, nan), (5, 5), (5, 6))
    assert told(crowd.advance(4.0)) == [(0.75, 0, -1, "begin"), (1.0, 0, -1, "end")]


def test_a_member_that_grows_through_a_wall_and_shrinks_back() -> None:
    crowd = kc.Crowd([[2, 5]], [[0, 0.1]], 1.0, motion=kc.Ballistic(), bounds=BOX, response="report")
    crowd.change(0, radii=2.5)
    assert told(crowd.advance(1.0)) == [(0.0, 0, -1, "begin")]
    crowd.change(0, radii=1.0)
    assert told(crowd.advance(2.0)) == [(1.0, 0, -1, "end")]


def test_a_member_that_is_taken_out_behind_a_wall() -> None:
    crowd = kc.Crowd([[2, 5]], [[-1, 0]], 1.0, motion=kc.Ballistic(), bounds=BOX, response="report")
    assert told(crowd.advance(2.0)) == [(1.0, 0, -1, "begin")]
    crowd.remove(0)
    assert told(crowd.advance(3.0)) == [(2.0, 0, -1, "end")]


def test_a_corner_is_passed_through_two_walls() -> None:
    crowd = kc.Crowd([[8, 8]], [[1, 1]], 1.0, motion=kc.Ballistic(), bounds=BOX, response="report")
    events = crowd.advance(5.0)
    assert told(events) == [(1.0, 0, -1, "begin")] * 2
    assert sorted(events.position.round(9).tolist()) == [[9.0, 10.0], [10.0, 9.0]]


def test_the_caller_is_asked_about_each_wall_of_a_corner() -> None:
    seen = []

    def turn(event, velocities):
        seen.append((str(event.kind), *np.round(event.position, 9).tolist()))
        return velocities * ([-1, 1] if event.position[0] >= 10 - 1e-9 else [1, -1])

    crowd = kc.Crowd([[5, 5]], [[1, 1]], 1.0, motion=kc.Ballistic(), bounds=BOX, response=turn)
    assert told(crowd.advance(6.0)) == [(4.0, 0, -1, "wall")] * 2
    assert sorted(seen) == [("wall", 9.0, 10.0), ("wall", 10.0, 9.0)]
    np.testing.assert_allclose(crowd.velocities(), [[-1, -1]])
    assert crowd.statistics["wall contacts"] == 2


def test_an_answer_about_one_wall_forgets_no_other() -> None:
    """Let it pass the right wall, turn it at the upper one, and it comes back through the right one."""

    def answer(event, velocities):
        return None if event.position[0] >= 10 - 1e-9 and event.position[1] < 9 - 1e-9 else -velocities

    crowd = kc.Crowd([[8, 5]], [[1, 1]], 1.0, motion=kc.Ballistic(), bounds=BOX, response=answer)
    assert told(crowd.advance(8.5)) == [(1.0, 0, -1, "wall"), (4.0, 0, -1, "wall"), (7.0, 0, -1, "end")]


def test_a_failing_answer_in_a_corner_takes_nothing_back_twice() -> None:
    answers = iter([ZeroDivisionError, None, None])

    def moody(_event, _velocities):
        answer = next(answers)
        if answer is not None:
            raise answer
        return

    crowd = kc.Crowd([[5, 5]], [[1, 1]], 1.0, motion=kc.Ballistic(), bounds=BOX, response=moody)
    with pytest.raises(kc.CrowdError, match=r"the response to spheres \[0\] at 4 s raised ZeroDivisionError"):
        crowd.advance(6.0)
    assert told(crowd.advance(6.0)) == [(4.0, 0, -1, "wall")] * 2
    assert crowd.statistics["wall contacts"] == 2


def test_gravity_lifts_a_ball_off_a_wall_it_is_through() -> None:
    # y = 8.5 + 3 t - t^2 / 2 * 2 is 9.5 at t = 0.382 and 2.618.
    crowd = kc.Crowd(
        [[5, 8.5]], [[0, 3]], 0.5, motion=kc.Ballistic(), bounds=BOX, response="report", gravity=[0, -2.0]
    )
    t = (3.0 - math.sqrt(5.0)) / 2.0
    assert told(crowd.advance(3.0)) == [
        (round(t, 9), 0, -1, "begin"),
        (round(3.0 - t, 9), 0, -1, "end"),
    ]


@pytest.mark.parametrize("bound", [0.0, 2.0])
def test_walls_in_space_turn_along_their_own_axis(bound: float) -> None:
    crowd = kc.Crowd([[5, 5, 5]], [[1, -2, 4]], 1.0, bound, motion=kc.Ballistic(), bounds=([0] * 3, [10] * 3))
    assert told(crowd.advance(2.5)) == [(1.0, 0, -1, "wall"), (2.0, 0, -1, "wall")]
    np.testing.assert_allclose(crowd.velocities(), [[1, 2, -4]], atol=1e-12)
    np.testing.assert_allclose(crowd.positions(), [[7.5, 2.0, 3.0]], atol=1e-9)


def test_a_wall_that_is_held_does_not_keep_another_one_from_turning() -> None:
    """In a collapse slow contacts wait longer than fast ones: both walls of a corner at once, one of each kind."""
    crowd = kc.Crowd([[1, 1]], [[-1e-3, -1]], 1.0, motion=kc.Ballistic(), bounds=BOX)
    T = crowd._state.tables
    T.N[0, at.CONTACTS], T.F[0, at.BURST] = 1000, -1e-4
    events = crowd.advance(1.0)
    along_y = [e for e in events if e.position[1] == 0.0]
    assert [float(e.time) for e in along_y] == [0.0]
    assert crowd.velocities()[0, 1] == 1.0
    assert crowd.positions()[0, 1] == pytest.approx(2.0, abs=1e-9)
    assert crowd.statistics["resting"] > 0
