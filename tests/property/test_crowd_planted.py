"""Crowds whose contacts are known by hand: grazes, triples, high speeds, extreme sizes, overlaps at the start, rest."""

import math

import numpy as np
import pytest
from tests.oracles.crowd_library import plain

import keepclear as kc


def crowd(x, v, radii, bounds=None, **options):
    known = {"motion": kc.Ballistic(), "response": "report", "tolerance": 1e-12}
    x = np.array(x, dtype=float)
    return kc.Crowd(
        x,
        np.array(v, dtype=float),
        np.array(radii, dtype=float),
        np.zeros(len(x)),
        bounds=bounds,
        **(known | options),
    )


@pytest.mark.parametrize("offset", [-1e-3, -1e-6, -1e-9])
def test_graze_a_little_inside(offset):
    """Centres pass at a distance a little below R: contact for 2 sqrt(R^2 - h^2) / speed."""
    h = 2.0 + offset
    events = plain(crowd([[0, 0, 0], [5, h, 0]], [[1, 0, 0], [0, 0, 0]], [1, 1]).advance(10.0))
    half = math.sqrt((2.0 - h) * (2.0 + h))
    assert [e[3] for e in events] == ["begin", "end"]
    assert [e[0] for e in events] == pytest.approx([5 - half, 5 + half], abs=1e-9 + 1e-12 * 4 / half)


@pytest.mark.parametrize("offset", [1e-3, 1e-6, 1e-9])
def test_graze_a_little_outside(offset):
    passing = crowd([[0, 0, 0], [5, 2.0 + offset, 0]], [[1, 0, 0], [0, 0, 0]], [1, 1])
    assert len(passing.advance(10.0)) == 0


def test_graze_exactly():
    """At exactly R either both events are told, at the instant, or none: never one of them."""
    events = plain(crowd([[0, 0, 0], [5, 2, 0]], [[1, 0, 0], [0, 0, 0]], [1, 1]).advance(10.0))
    assert [e[3] for e in events] in ([], ["begin", "end"])
    assert all(abs(e[0] - 5.0) <= 4e-6 for e in events)  # sqrt(2 R tolerance)


@pytest.mark.parametrize("speed", [1.0, 1e3, 1e6, 1e9])
def test_head_on_between_any_steps(speed):
    """Two bullets meet for 2 R / (2 speed) and fly on."""
    events = plain(
        crowd([[-100, 0], [100, 0]], [[speed, 0], [-speed, 0]], [0.01, 0.01]).advance(400.0 / speed)
    )
    assert [e[1:] for e in events] == [(0, 1, "begin"), (0, 1, "end")]
    assert [e[0] for e in events] == pytest.approx([99.99 / speed, 100.01 / speed], rel=1e-11)


def test_head_on_turns_equal_bullets_round():
    speed = 1e6
    bullets = crowd(
        [[-100, 0, 0], [100, 0, 0]], [[speed, 0, 0], [-speed, 0, 0]], [0.01, 0.01], response="elastic"
    )
    events = plain(bullets.advance(200.0 / speed))
    assert [e[1:] for e in events] == [(0, 1, "contact")]
    np.testing.assert_allclose(bullets.velocities(bullets.time), [[-speed, 0, 0], [speed, 0, 0]], rtol=1e-12)


def test_three_at_once():
    """Three discs come together at one instant: all three pairs begin at it."""
    angles = 2.0 * np.pi * np.arange(3) / 3
    way = np.column_stack([np.cos(angles), np.sin(angles)])
    together = 1.0 / math.sin(math.pi / 3)  # of centres from the middle when radii are 1
    events = plain(crowd(10.0 * way, -way, [1, 1, 1]).advance(9.0))
    assert sorted(e[1:3] for e in events) == [(0, 1), (0, 2), (1, 2)]
    assert [e[0] for e in events] == pytest.approx([10.0 - together] * 3, abs=1e-9)


def test_three_at_once_bounce():
    angles = 2.0 * np.pi * np.arange(3) / 3
    way = np.column_stack([np.cos(angles), np.sin(angles)])
    triple = crowd(10.0 * way, -way, [1, 1, 1], response="elastic")
    events = plain(triple.advance(15.0))
    v = triple.velocities(15.0)
    assert {e[1:3] for e in events} >= {(0, 1)}
    assert np.sum(v**2) == pytest.approx(3.0, rel=1e-9)
    np.testing.assert_allclose(v.sum(axis=0), 0.0, atol=1e-9)
    x = triple.positions(15.0)
    assert all(np.linalg.norm(x[i] - x[j]) >= 2.0 - 1e-9 for i, j in ((0, 1), (0, 2), (1, 2)))


def test_many_at_one_instant():
    """A grid of discs, each met by a bullet of its own at the same time."""
    at = np.array([[i, j] for i in range(5) for j in range(5)], dtype=float) * 4.0
    x = np.concatenate([at, at + np.array([1.5, 0.0])])
    v = np.concatenate([np.zeros((25, 2)), np.tile([-1.0, 0.0], (25, 1))])
    events = plain(crowd(x, v, np.full(50, 0.5)).advance(0.6))
    assert sorted(e[1:] for e in events) == [(i, i + 25, "begin") for i in range(25)]
    assert [e[0] for e in events] == pytest.approx([0.5] * 25, abs=1e-9)


@pytest.mark.parametrize("ratio", [1e3, 1e6])
def test_grain_meets_boulder(ratio):
    events = plain(crowd([[0, 0, 0], [5, 0.1, 0]], [[0, 0, 0], [-1, 0, 0]], [2.0, 2.0 / ratio]).advance(5.0))
    reach = 2.0 + 2.0 / ratio
    assert events[0][1:] == (0, 1, "begin")
    assert events[0][0] == pytest.approx(5.0 - math.sqrt(reach**2 - 0.01), abs=1e-9)


def test_boulder_among_grains():
    """A sphere that covers many cells of the small ones meets each of them."""
    rng = np.random.default_rng(0)
    x = np.concatenate([[[0.0, 0.0, 0.0]], rng.uniform(-40, 40, (60, 3)) + np.array([120, 0, 0])])
    v = np.concatenate([[[50.0, 0.0, 0.0]], np.zeros((60, 3))])
    radii = np.concatenate([[30.0], np.full(60, 0.03)])
    events = [e for e in plain(crowd(x, v, radii).advance(10.0)) if e[3] == "begin"]
    side = np.hypot(x[1:, 1], x[1:, 2])
    expected = {
        i + 1: (x[i + 1, 0] - math.sqrt(30.03**2 - side[i] ** 2)) / 50.0 for i in range(60) if side[i] < 30.03
    }
    assert {e[2] for e in events} == set(expected)
    assert all(e[0] == pytest.approx(expected[e[2]], abs=1e-9) for e in events)


def test_overlap_at_the_start_is_told_then():
    events = plain(crowd([[0, 0], [1, 0], [9, 9]], [[0, 0], [1, 0], [0, 0]], [1, 1, 1]).advance(3.0))
    assert events == [(0.0, 0, 1, "begin"), (pytest.approx(1.0, abs=1e-9), 0, 1, "end")]


def test_same_place_and_same_speed():
    """Members that are one and the same for ever begin once and never end."""
    events = plain(crowd([[1, 2], [1, 2]], [[1, 0], [1, 0]], [1, 0.5]).advance(100.0))
    assert events == [(0.0, 0, 1, "begin")]


def test_elastic_overlap_at_the_start():
    """Those that come nearer bounce at once; those that go apart are left alone."""
    x, v = [[0, 0], [1, 0], [10, 0], [11, 0]], [[1, 0], [-1, 0], [-1, 0], [1, 0]]
    bounced = crowd(x, v, [1, 1, 1, 1], response="elastic")
    events = plain(bounced.advance(0.5))
    assert [(e[1], e[2]) for e in events if e[3] == "contact"] == [(0, 1)]
    assert events[0][0] == pytest.approx(0.0, abs=1e-9)
    np.testing.assert_allclose(bounced.velocities(0.5), [[-1, 0], [1, 0], [-1, 0], [1, 0]], atol=1e-12)


def test_ball_on_the_floor_comes_to_an_end():
    """A ball that lies on the floor, pulled down: never an endless loop, and it stays where it is."""
    box = np.array([-5.0, -5.0, 0.0]), np.array([5.0, 5.0, 10.0])
    ball = crowd([[0, 0, 1]], [[0, 0, 0]], [1], bounds=box, response="elastic", gravity=[0, 0, -9.81])
    ball.advance(2.0)
    assert ball.time == 2.0
    assert ball.positions(2.0)[0, 2] == pytest.approx(1.0, abs=1e-6)


def test_tower_at_rest_comes_to_an_end():
    box = np.array([-5.0, 0.0]), np.array([5.0, 10.0])
    tower = crowd(
        [[0, 1], [0, 3], [0, 5]],
        np.zeros((3, 2)),
        [1, 1, 1],
        bounds=box,
        response="elastic",
        gravity=[0, -9.81],
    )
    tower.advance(1.0)
    assert tower.time == 1.0
    np.testing.assert_allclose(tower.positions(1.0), [[0, 1], [0, 3], [0, 5]], atol=1e-4)


def test_bouncing_ball_keeps_its_height():
    """Falls 1 m, bounces elastically: contacts at odd multiples of the time of fall."""
    box = np.array([-5.0, -5.0, 0.0]), np.array([5.0, 5.0, 10.0])
    ball = crowd([[0, 0, 1.5]], [[0, 0, 0]], [0.5], bounds=box, response="elastic", gravity=[0, 0, -9.81])
    fall = math.sqrt(2.0 / 9.81)
    events = plain(ball.advance(10.0 * fall))
    assert [e[1:] for e in events] == [(0, -1, "wall")] * 5
    assert [e[0] for e in events] == pytest.approx([fall * k for k in (1, 3, 5, 7, 9)], abs=1e-9)


def test_corner_turns_all_parts_of_a_velocity():
    box = np.zeros(3), np.full(3, 10.0)
    ball = crowd([[5, 5, 5]], [[1, 1, 1]], [1], bounds=box, response="elastic")
    events = plain(ball.advance(5.0))
    assert {e[1:] for e in events} == {(0, -1, "wall")}
    np.testing.assert_allclose(ball.velocities(5.0), [[-1, -1, -1]], atol=1e-12)
    np.testing.assert_allclose(ball.positions(5.0), [[8, 8, 8]], atol=1e-9)


def test_cradle():
    """Equal discs in a row that touch hand the blow through at one instant."""
    cradle = crowd(
        [[0, 0], [4, 0], [6, 0], [8, 0]], [[1, 0], [0, 0], [0, 0], [0, 0]], [1] * 4, response="elastic"
    )
    events = plain(cradle.advance(3.0))
    assert [e[1:3] for e in events if e[3] == "contact"] == [(0, 1), (1, 2), (2, 3)]
    assert [e[0] for e in events if e[3] == "contact"] == pytest.approx([2.0] * 3, abs=1e-9)
    np.testing.assert_allclose(cradle.velocities(3.0), [[0, 0], [0, 0], [0, 0], [1, 0]], atol=1e-9)
