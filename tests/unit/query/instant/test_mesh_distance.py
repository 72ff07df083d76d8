"""Distances of meshes: answers known by hand, and what they say."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import keepclear as kc
from keepclear.errors import PoseError
from keepclear.kernels.trees import obb_distance, pair_heap

CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
FACES = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
CUBE = kc.Mesh(CORNERS, FACES)
HERE = np.eye(4)


def moved(x: float, y: float = 0.0, z: float = 0.0, scale: float = 1.0) -> np.ndarray:
    X = np.diag([scale, scale, scale, 1.0])
    X[:3, 3] = x, y, z
    return X


@pytest.mark.parametrize(
    ("place", "expected", "normal"),
    [
        ((1.5, 0.0, 0.0), 0.5, (1.0, 0.0, 0.0)),
        ((2.0, 3.0, 0.0), np.hypot(1.0, 2.0), None),
        ((2.0, 3.0, 4.0), np.sqrt(14.0), None),
    ],
)
def test_cubes_apart(place: tuple[float, float, float], expected: float, normal: Any) -> None:
    answer = kc.distance(CUBE, HERE, CUBE, moved(*place))
    assert answer.state is kc.State.SEPARATE
    assert answer.distance == pytest.approx(expected, abs=1e-15)
    assert answer.lower <= answer.distance <= answer.upper
    assert answer.upper - answer.lower < 1e-12
    np.testing.assert_allclose(answer.p_WB - answer.p_WA, answer.distance * answer.normal_W, atol=1e-15)
    assert answer.solid == (True, True)
    if normal is not None:
        np.testing.assert_allclose(answer.normal_W, normal, atol=1e-15)


def test_the_closest_faces() -> None:
    tip = kc.Mesh([[0, 0, 0], [1, 1, 0], [1, -1, 0], [1, 0, 1]], [[0, 1, 2], [3, 2, 1]])
    answer = kc.distance(CUBE, HERE, tip, moved(1.25, 0.5, 0.5))
    assert answer.faces.tolist() == [1, 0]
    np.testing.assert_allclose(answer.p_WA, [1.0, 0.5, 0.5])


def test_cubes_that_meet() -> None:
    for place in ((0.5, 0.25, 0.125), (1.0, 0.25, 0.125), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0)):
        answer = kc.distance(CUBE, HERE, CUBE, moved(*place))
        assert answer.state is kc.State.INTERFERING
        assert (answer.distance, answer.lower, answer.upper) == (0.0, 0.0, 0.0)
        assert answer.colliding
        assert np.array_equal(answer.p_WA, answer.p_WB)
        assert np.isnan(answer.normal_W).all()
        assert (answer.p_WA >= -1e-15).all()
        assert (answer.p_WA <= 1.0 + 1e-15).all()


def test_the_smallest_gap_is_seen() -> None:
    answer = kc.distance(CUBE, HERE, CUBE, moved(np.nextafter(1.0, 2.0)))
    assert answer.state is kc.State.SEPARATE
    assert not answer.colliding
    assert answer.distance == pytest.approx(2.0**-52)
    assert 0.0 < answer.lower <= 2.0**-52 <= answer.upper


def test_one_inside_the_other() -> None:
    for answer in (
        kc.distance(CUBE, HERE, CUBE, moved(0.4, 0.3, 0.5, scale=0.2)),
        kc.distance(CUBE, moved(0.4, 0.3, 0.5, scale=0.2), CUBE, HERE),
    ):
        assert answer.state is kc.State.CONTAINED
        assert answer.distance == 0.0
        assert answer.faces.tolist() == [-1, -1]
        assert np.array_equal(answer.p_WA, answer.p_WB)
        assert (answer.p_WA >= [0.4, 0.3, 0.5]).all()
        assert (answer.p_WA <= [0.6, 0.5, 0.7]).all()


def test_scales_scale_distances() -> None:
    answer = kc.distance(CUBE, moved(0.0, scale=2.0), CUBE, moved(5.0, scale=0.5))
    assert answer.distance == pytest.approx(3.0, abs=1e-15)
    np.testing.assert_allclose(answer.p_WA[0], 2.0)
    np.testing.assert_allclose(answer.p_WB[0], 5.0)


@pytest.mark.parametrize(
    ("shape", "reach"),
    [
        (kc.Sphere(0.25), 0.25),
        (kc.Box([0.5, 0.25, 0.5]), 0.25),
        (kc.Capsule(0.25, 0.25), 0.25),
        (kc.Cylinder(0.25, 0.5), 0.25),
        (kc.Convex((CORNERS - 0.5) * 0.5), 0.25),
    ],
)
def test_a_mesh_beside_convex_shapes(shape: kc.Sphere, reach: float) -> None:
    X = np.array([moved(2.0, 0.5, 0.5), moved(1.0, 0.5, 0.5), moved(0.5, 0.5, 0.5)])
    answer = kc.distance(CUBE, HERE, shape, X)
    assert answer.distance[0] == pytest.approx(1.0 - reach, abs=1e-12)
    assert (answer.lower <= answer.upper).all()
    assert answer.lower[0] <= 1.0 - reach <= answer.upper[0]
    assert answer.state.tolist() == [kc.State.SEPARATE, kc.State.INTERFERING, kc.State.CONTAINED]
    np.testing.assert_allclose(answer.normal_W[0], [1.0, 0.0, 0.0], atol=1e-7)
    back = kc.distance(shape, X, CUBE, HERE, threads=2)
    assert np.array_equal(back.distance, answer.distance)
    assert np.array_equal(back.p_WB, answer.p_WA)
    assert np.array_equal(back.normal_W[0], -answer.normal_W[0])
    assert back.faces[0].tolist() == [-1, 1]
    with pytest.raises(PoseError, match="scale"):
        kc.distance(CUBE, moved(0.0, scale=2.0), shape, HERE)


def test_a_mesh_inside_a_convex_shape() -> None:
    answer = kc.distance(CUBE, HERE, kc.Sphere(3.0), HERE)
    assert answer.state is kc.State.CONTAINED
    assert kc.distance(CUBE, HERE, kc.Sphere(1.2), HERE).state is kc.State.INTERFERING


def test_tracking_is_the_same_as_asking_each_time() -> None:
    t = np.linspace(0.0, 1.0, 25)
    X = np.array([moved(2.0 - 1.2 * s, 0.3 * s, 0.1) for s in t])
    tracker = kc.Tracker(CUBE, CUBE)
    frames = tracker.distance(HERE, X)
    cold = kc.distance(CUBE, HERE, CUBE, X)
    np.testing.assert_allclose(frames.distance, cold.distance, atol=1e-15)
    assert np.array_equal(frames.state, cold.state)
    assert tracker.statistics.frames == 25
    assert tracker.statistics.penetrations == int(cold.colliding.sum()) > 0
    tracker.reset()
    assert tracker.distance(HERE, X[0]).distance == cold[0].distance
    beside = kc.Tracker(CUBE, kc.Sphere(0.1))
    assert isinstance(beside, kc.Tracker)
    assert beside.distance(HERE, moved(2.0, 0.5, 0.5)).distance == pytest.approx(0.9)


def test_a_tracker_that_has_travelled_far_begins_anew() -> None:
    # Bounds are kept as sums with the way so far; on a long way their rounding could hide a contact.
    tracker: Any = kc.Tracker(CUBE, CUBE)
    tracker.distance(HERE, moved(2.0))
    tracker._search._motion[obb_distance.MOVED] = 1e3
    assert tracker.distance(HERE, moved(0.5, 0.5, 0.5)).colliding
    assert tracker._search._motion[obb_distance.MOVED] == 0.0
    tracker._search._memory[pair_heap.FRAME] = obb_distance.MOST_FRAMES + 1
    assert tracker.distance(HERE, moved(2.0)).distance == 1.0
    assert tracker._search._memory[pair_heap.FRAME] == 1


def test_batches_threads_and_storage() -> None:
    X = np.array([moved(2.0, 0.1 * k) for k in range(7)])
    answer = kc.distance(CUBE, HERE, CUBE, X)
    assert kc.distance(CUBE, HERE, CUBE, X, threads=3) == answer
    assert answer[2].faces.tolist() == answer.faces[2].tolist()
    assert answer[2] == kc.distance(kc.build_obb_tree(CUBE), HERE, kc.build_box_tree(CUBE), X[2])
    again = pickle.loads(pickle.dumps(answer))
    assert again == answer
    assert again.solid == answer.solid
    assert len(kc.distance(CUBE, HERE, CUBE, X[:0])) == 0
