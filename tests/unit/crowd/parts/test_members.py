"""Members that come, go and change: ids are never given again, their memory is, and overlaps begin and end rightly."""

from __future__ import annotations

import numpy as np
import pytest

import keepclear as kc


def told(events) -> list[tuple[float, int, int, str]]:
    return [(round(float(e.time), 9), int(e.i), int(e.j), str(e.kind)) for e in events]


def approaching(**options) -> kc.Crowd:
    """Two discs of radius 1 that touch at 1 s, and would part at 5 s."""
    known = {"motion": kc.Ballistic(), "response": "report"}
    return kc.Crowd([[0, 0], [3, 0]], [[0, 0], [-1, 0]], 1.0, **(known | options))


def test_members_that_shrink_while_they_approach() -> None:
    crowd = approaching()
    assert told(crowd.advance(1.2)) == [(1.0, 0, 1, "begin")]
    crowd.change([0, 1], radii=0.5)
    assert told(crowd.advance(5.0)) == [(1.2, 0, 1, "end"), (2.0, 0, 1, "begin"), (4.0, 0, 1, "end")]


def test_members_that_are_moved_out_of_an_overlap() -> None:
    crowd = approaching()
    crowd.advance(1.2)
    crowd.observe(1, 1.2, [[9, 0]], [[-1, 0]])
    assert told(crowd.advance(15.0)) == [(1.2, 0, 1, "end"), (8.2, 0, 1, "begin"), (12.2, 0, 1, "end")]


def test_members_at_rest_that_are_moved_out_of_an_overlap() -> None:
    crowd = kc.Crowd([[0, 0], [1, 0]], np.zeros((2, 2)), 1.0, motion=kc.Ballistic(), response="report")
    assert told(crowd.advance(1.0)) == [(0.0, 0, 1, "begin")]
    crowd.observe(1, 1.0, [[9, 0]], [[0, 0]])
    assert told(crowd.advance(2.0)) == [(1.0, 0, 1, "end")]


def test_members_that_grow_into_each_other() -> None:
    crowd = approaching()
    crowd.change(0, radii=2.5)
    assert told(crowd.advance(0.5)) == [(0.0, 0, 1, "begin")]
    crowd.change(0, radii=1.0, masses=3.0, max_accelerations=2.0)
    assert told(crowd.advance(2.0)) == [(0.5, 0, 1, "end"), (1.0, 0, 1, "begin")]


def test_rows_of_members_that_left_are_used_again_and_ids_are_not() -> None:
    crowd = kc.Crowd(np.arange(8.0).reshape(4, 2) * 9, np.zeros((4, 2)), [1, 2, 3, 4], motion=kc.Ballistic())
    crowd.advance(1.0)
    size = crowd.nbytes
    for k in range(40):
        crowd.remove(crowd.ids[k % 3])
        assert crowd.add([[100.0 + 20 * k, 0]], [[0, 0]], 5.0 + k).tolist() == [4 + k]
        crowd.advance(1.5 + k)
        assert len(crowd) == len(crowd.ids) == 4
    assert crowd.nbytes == size
    assert (np.diff(crowd.ids) > 0).all()
    newest = crowd.radii[crowd.ids.tolist().index(43)]
    assert newest == 44.0
    np.testing.assert_array_equal(crowd.positions()[-1], [880.0, 0])


def test_a_new_member_in_an_old_row_has_nothing_of_the_old_one() -> None:
    walls = ([0, 0], [10, 10])
    crowd = kc.Crowd(
        [[2, 5], [5, 5]], [[-1, 0], [0, 0]], 1.0, 3.0,
        motion=kc.RandomForces(seed=1), response="report", bounds=walls, masses=[7.0, 1.0],
    )  # fmt: skip
    crowd.advance(3.0)
    crowd.remove(0)
    crowd.advance(3.0)
    (new,) = crowd.add([[8, 5]], [[0, 0]], 0.5)
    other = kc.Crowd(
        [[5, 5], [8, 5]], np.zeros((2, 2)), [1.0, 0.5], 0.0,
        motion=kc.RandomForces(seed=1), response="report", bounds=walls, time=3.0,
    )  # fmt: skip
    crowd.observe(1, 3.0, [[5, 5]], [[0, 0]])
    crowd.change(1, max_accelerations=0.0)
    assert told(crowd.advance(8.0)) == told(other.advance(8.0)) == []
    np.testing.assert_array_equal(crowd.positions(), other.positions())
    assert new == 2


def test_many_members_come_while_pairs_wait() -> None:
    crowd = approaching(max_accelerations=1.0)
    crowd.advance(0.5)
    x = np.column_stack([np.arange(200) * 5.0 + 50.0, np.zeros(200)])
    ids = crowd.add(x, np.zeros((200, 2)), 1.0)
    assert ids.tolist() == list(range(2, 202))
    assert told(crowd.advance(5.5)) == [(1.0, 0, 1, "begin"), (5.0, 0, 1, "end")]
    np.testing.assert_array_equal(crowd.positions()[2:], x)


def test_members_that_leave_while_they_overlap() -> None:
    crowd = approaching()
    crowd.advance(1.5)
    crowd.remove([0, 1])
    assert told(crowd.advance(9.0)) == [(1.5, 0, 1, "end")]
    assert len(crowd) == 0
    assert crowd.positions().shape == (0, 2)
    crowd.add([[0, 0], [1, 0]], np.zeros((2, 2)), 1.0)
    assert told(crowd.advance(9.0)) == [(9.0, 2, 3, "begin")]


def test_a_crowd_may_start_empty() -> None:
    crowd = kc.Crowd(np.zeros((0, 3)), np.zeros((0, 3)), 1.0, motion=kc.Ballistic())
    assert len(crowd.advance(1.0)) == 0
    crowd.add([[0, 0, 0], [4, 0, 0]], [[0, 0, 0], [-1, 0, 0]], 1.0)
    assert told(crowd.advance(4.0)) == [(3.0, 0, 1, "contact")]


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda c: c.remove(7), "there is no member 7; 2 members are there"),
        (lambda c: c.remove([0, 0]), "an id is given twice"),
        (lambda c: c.remove([0.5]), "ids must be whole numbers"),
        (lambda c: c.remove(-1), "there is no member -1"),
        (lambda c: c.change(0, radii=-1.0), r"radii\[0\] must be finite and >= 0, but it is -1"),
        (lambda c: c.change(0, masses=0.0), r"masses\[0\] must be finite and > 0, but it is 0"),
        (lambda c: c.change([0, 1], radii=[1, 2, 3]), "radii must be one number, or 2 of them"),
        (lambda c: c.change(0, max_accelerations=np.nan), r"max_accelerations\[0\] must be finite"),
        (lambda c: c.change(0, max_speeds=1.0), "max_speeds are for crowds without a motion"),
        (lambda c: c.change(0, radii=50.0), "sphere 0 .* reaches out of the box along x"),
        (lambda c: c.add([[99, 0]], [[0, 0]], 1.0), "sphere 2 .* reaches out of the box along x"),
        (lambda c: c.add([[0, 0, 0]], [[0, 0, 0]], 1.0), r"positions must have shape \(n, 2\)"),
        (lambda c: c.add([[0, 0]], [[0, 0], [0, 0]], 1.0), "there are 1 members, but 2 velocities"),
        (lambda c: c.add([[0, 0]], [[0, 0]], 1.0, time=0.0), "leave time out"),
        (lambda c: c.add([[0, 0]], [[0, 0]], 1.0, max_speeds=3.0), "max_speeds are for crowds without"),
        (lambda c: c.add([[0, 0]], [[0, 0]], 1.0, groups=[-2]), "groups must be one whole number >= -1"),
        (lambda c: c.observe(0, 1.0, [[0, 0]], [[0, 0]]), "it is 0 s, and the observation is of 1 s"),
        (
            lambda c: c.observe(0, -1.0, [[0, 0]], [[0, 0]]),
            "motions can only be set from now on, not from -1",
        ),
        (lambda c: c.observe(0, 0.0, [[0, 0]]), "velocities are missing; only crowds without a motion"),
        (
            lambda c: c.observe(0, 0.0, [[0, 0]], [[0, 0]], position_errors=1.0),
            "errors of observations are for",
        ),
        (lambda c: c.observe(0, 0.0, [[99, 0]], [[0, 0]]), "sphere 0 .* reaches out of the box"),
        (lambda c: c.clear_until(0, 0), "an id is given twice"),
        (lambda c: c.clear_until(9), "there is no member 9"),
        (lambda c: c.positions(np.nan), "t must be a finite number"),
    ],
)
def test_what_is_refused_changes_nothing(act, words: str) -> None:
    options = {"motion": kc.Ballistic(), "bounds": ([-20, -20], [20, 20])}
    crowd = kc.Crowd([[0, 0], [5, 0]], [[0, 0], [-1, 0]], 1.0, **options)
    with pytest.raises(kc.ArgumentError, match=words):
        act(crowd)
    assert len(crowd) == 2
    untouched = kc.Crowd([[0, 0], [5, 0]], [[0, 0], [-1, 0]], 1.0, **options)
    assert crowd.advance(9.0).tobytes() == untouched.advance(9.0).tobytes()
    np.testing.assert_array_equal(crowd.positions(), untouched.positions())


def test_groups_are_not_compared() -> None:
    x = [[0, 0], [4, 0], [8, 0]]
    crowd = kc.Crowd(
        x, [[1, 0], [0, 0], [-1, 0]], 1.0, motion=kc.Ballistic(), response="report", groups=[5, 5, -1]
    )
    assert told(crowd.advance(2.5)) == [(2.0, 1, 2, "begin")]
    assert crowd.clear_until(0) == crowd.clear_until(0, 2) == pytest.approx(3.0)
    assert crowd.clear_until(0, 1) == pytest.approx(2.5)
    crowd.add([[2.5, 3.0]], [[0, -1]], 1.0, groups=5)
    assert told(crowd.advance(3.0)) == [(3.0, 0, 2, "begin")]
