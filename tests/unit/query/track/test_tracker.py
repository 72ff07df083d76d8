"""The tracker's memory, counts and errors, on motions known by hand."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.oracles.hull_bodies import CUBE, ball, cone, gridded_box
from tests.oracles.poses import pose, rotation_of_quaternion

import keepclear as kc
from keepclear.errors import KeepclearError, PoseError
from keepclear.query.track.tracker import Tracker, TrackerStatistics
from keepclear.results import Distance

BOX = kc.Box([1, 1, 1])
HULL = kc.Convex(ball(np.random.default_rng(1), 60))


def shifted(*xs: float) -> np.ndarray:
    X = np.tile(np.eye(4), (len(xs), 1, 1))
    X[:, 0, 3] = xs
    return X


def passing(n: int, nearest: float) -> np.ndarray:
    """n frames that turn slowly, fly past at about `nearest` and away again."""
    t = np.linspace(-1.0, 1.0, n)
    turns = [rotation_of_quaternion(np.array([1.0, 0.1 * s, 0.2 * s, 0.3])) for s in t]
    return kc.nearest_rigid(np.array([pose(R, (2 * s, nearest, 0.1)) for R, s in zip(turns, t, strict=True)]))


def rows_of(result: Distance) -> bytes:
    return result._rows[..., :16].tobytes()


@pytest.mark.parametrize("option", ["eps_element", "rest"])
@pytest.mark.parametrize("body", [kc.Sphere(0.1), [(kc.Sphere(0.1), np.eye(4))]])
def test_options_of_groups_are_refused_without_a_group(option: str, body: object) -> None:
    with pytest.raises(kc.ArgumentError, match=f"{option} is about the members of a kc.Group"):
        kc.Tracker(body, kc.Box([1, 1, 1]), **{option: 0.1})


def test_a_new_tracker_has_done_nothing() -> None:
    assert Tracker(BOX, BOX).statistics == TrackerStatistics() == TrackerStatistics(0, 0, 0, 0, 0)
    with pytest.raises(dataclasses.FrozenInstanceError):
        TrackerStatistics().frames = 3  # type: ignore[misc]


def test_statistics_add_up() -> None:
    tracker = Tracker(HULL, BOX)
    frames = tracker.distance(np.eye(4), passing(20, 2.5))
    after = tracker.statistics
    assert after.frames == 20
    assert after.iterations == int(frames.iterations.sum())
    assert after.vertices >= 20
    assert after.penetrations == 0
    single = tracker.distance(np.eye(4), passing(20, 2.5)[-1])
    assert tracker.statistics.frames == 21
    assert tracker.statistics.iterations == after.iterations + single.iterations
    tracker.distance(np.eye(4), shifted(0.1, 0.2))
    assert tracker.statistics.frames == 23
    assert tracker.statistics.penetrations == 2
    assert all(type(value) is int for value in dataclasses.astuple(tracker.statistics))


def test_fallbacks_are_counted() -> None:
    tracker = Tracker(kc.Convex(cone(80)), kc.Sphere(0.1))  # the walk does not leave an apex of 80 neighbours
    tracker.distance(np.eye(4), pose(np.eye(3), (0.0, 0.0, 3.0)))
    assert tracker.statistics.fallbacks >= 1


@pytest.mark.parametrize(("a", "b"), [(HULL, BOX), (HULL, HULL), (BOX, kc.Cylinder(0.5, 1.0))])
def test_frames_in_one_call_equal_single_calls_bit_for_bit(a: Any, b: Any) -> None:
    X_WB = np.concatenate([passing(15, 2.2), passing(15, 0.9)])
    at_once, one_by_one, in_parts = Tracker(a, b), Tracker(a, b), Tracker(a, b)
    expected = at_once.distance(np.eye(4), X_WB)
    assert 0 < int(expected.colliding.sum()) < 30
    assert b"".join(rows_of(one_by_one.distance(np.eye(4), X)) for X in X_WB) == rows_of(expected)
    parts = [in_parts.distance(np.eye(4), X_WB[i:j]) for i, j in ((0, 7), (7, 8), (8, 30))]
    assert b"".join(map(rows_of, parts)) == rows_of(expected)
    assert at_once.statistics == one_by_one.statistics == in_parts.statistics


def test_one_pose_beside_many_is_repeated() -> None:
    X_WB = passing(10, 2.2)
    expected = Tracker(HULL, BOX).distance(np.eye(4), X_WB)
    repeated = Tracker(HULL, BOX).distance(np.tile(np.eye(4), (10, 1, 1)), X_WB)
    assert rows_of(expected) == rows_of(repeated)
    swapped = Tracker(BOX, HULL).distance(X_WB, np.eye(4))
    assert np.allclose(swapped.distance, expected.distance, rtol=0.0, atol=1e-13)


def nan() -> np.ndarray:
    X = np.eye(4)
    X[1, 3] = np.nan
    return X


@pytest.mark.filterwarnings("ignore:invalid value")  # NaN in kernels as plain Python
def test_a_failed_call_changes_nothing() -> None:
    tracker, untouched = Tracker(HULL, BOX), Tracker(HULL, BOX)
    X_WB = passing(12, 2.2)
    for t in (tracker, untouched):
        t.distance(np.eye(4), X_WB[:6])
    before = tracker.statistics
    broken = X_WB.copy()
    broken[3] = nan()
    for arguments, name in (
        ((np.eye(4), broken), "X_WB[3] has an entry that is not finite: [1, 3] = nan."),
        ((broken, X_WB), "X_WA[3] has"),
        ((np.eye(4), nan()), "X_WB has"),
        ((nan(), X_WB), "X_WA has"),
        ((np.eye(4), np.eye(3)), "X_WB must be a pose (4, 4)"),
        ((X_WB, X_WB[:5]), "X_WA has 12 poses and X_WB has 5"),
        ((None, X_WB[0]), "X_WA must be an array of numbers"),
    ):
        with pytest.raises(PoseError) as caught:
            tracker.distance(*arguments)
        assert str(caught.value).startswith(name)
        assert tracker.statistics == before
    assert rows_of(tracker.distance(np.eye(4), X_WB[6:])) == rows_of(untouched.distance(np.eye(4), X_WB[6:]))
    assert tracker.statistics == untouched.statistics


def test_no_frames() -> None:
    tracker = Tracker(HULL, BOX)
    assert len(tracker.distance(np.eye(4), np.empty((0, 4, 4)))) == 0
    assert tracker.statistics.frames == 0


def test_reset_starts_cold_and_keeps_counting() -> None:
    tracker = Tracker(HULL, HULL)
    X = pose(np.eye(3), (3.0, 0.4, 0.2))
    cold = tracker.distance(np.eye(4), X)
    warm = tracker.distance(np.eye(4), X)
    assert warm.iterations == 1 < cold.iterations
    tracker.reset()
    again = tracker.distance(np.eye(4), X)
    assert rows_of(again) == rows_of(cold) == rows_of(kc.distance(HULL, np.eye(4), HULL, X))
    assert tracker.statistics.frames == 3


def test_teleports_and_repeats_cost_time_and_nothing_else() -> None:
    rng = np.random.default_rng(5)
    tracker = Tracker(HULL, BOX)
    for k in range(40):
        X = pose(rotation_of_quaternion(rng.normal(size=4)), rng.normal(size=3) * 10.0 ** rng.integers(0, 5))
        X = kc.nearest_rigid(X)
        for _ in range(1 + k % 2):
            r, cold = tracker.distance(np.eye(4), X), kc.distance(HULL, np.eye(4), BOX, X)
            scale = 3.0 + np.linalg.norm(X[:3, 3])
            assert abs(r.distance - cold.distance) <= 1e-14 * scale
            assert max(r.lower, cold.lower) <= min(r.upper, cold.upper)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_any_size(scale: float) -> None:
    tracker = Tracker(HULL.scaled(scale), kc.Sphere(scale))
    X_WB = passing(10, 2.5)
    X_WB[:, :3, 3] *= scale
    expected = Tracker(HULL, kc.Sphere(1.0)).distance(np.eye(4), passing(10, 2.5))
    assert np.allclose(tracker.distance(np.eye(4), X_WB).distance / scale, expected.distance, rtol=1e-13)


def test_points_inside_faces_are_never_looked_at() -> None:
    coarse, fine = (Tracker(kc.Convex(gridded_box(n)), kc.Sphere(0.5)) for n in (2, 12))
    for tracker in (coarse, fine):
        tracker.distance(np.eye(4), passing(10, 3.0))
    assert fine.statistics == coarse.statistics


def test_poses_of_many_kinds() -> None:
    X = shifted(2.0)[0]
    read_only = X.copy()
    read_only.flags.writeable = False
    for given in (
        X,
        X.tolist(),
        X.astype(np.float32),
        X.astype(int),
        read_only,
        np.repeat(X, 2, axis=1)[:, ::2],
    ):
        r = Tracker(BOX, BOX).distance(np.eye(4), given)
        assert r.distance == 1.0
        assert Tracker(BOX, BOX).distance(np.eye(4).tolist(), [given, given])[1].distance == 1.0


@pytest.mark.parametrize("thing", [None, "box", 3.0])
def test_what_is_no_shape(thing: Any) -> None:
    for pair in ((thing, BOX), (BOX, thing)):
        with pytest.raises(KeepclearError):
            Tracker(*pair)


def test_two_trackers_of_the_same_shapes_do_not_share_memory() -> None:
    hull = kc.Convex(CUBE)
    first, second = Tracker(hull, hull), Tracker(hull, hull)
    first.distance(np.eye(4), shifted(3.0, 2.5))
    assert second.statistics.frames == 0
    assert rows_of(second.distance(np.eye(4), shifted(3.0))) == rows_of(
        kc.distance(hull, np.eye(4), hull, shifted(3.0))
    )


@pytest.mark.parametrize("again", [lambda t: pickle.loads(pickle.dumps(t)), copy.copy, copy.deepcopy])
@pytest.mark.parametrize("kinds", ["hulls", "meshes", "mesh and hull", "tree"])
def test_copies_and_pickles_begin_cold_and_keep_statistics(
    again: Callable[[Tracker], Tracker], kinds: str
) -> None:
    """It raised a TypeError about missing arguments."""
    vertices = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    mesh = kc.Mesh(vertices, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
    bodies: dict[str, tuple[Any, Any]] = {
        "hulls": (HULL, BOX),
        "meshes": (mesh, mesh),
        "mesh and hull": (mesh, HULL),
        "tree": (kc.build_obb_tree(mesh), mesh),
    }
    tracker = kc.Tracker(*bodies[kinds])
    tracker.distance(np.eye(4), passing(10, 2.5))
    copied = again(tracker)
    assert type(copied) is type(tracker)
    assert copied.statistics == tracker.statistics
    assert copied.statistics.frames == 10
    X = shifted(2.5)[0]
    assert rows_of(copied.distance(np.eye(4), X)) == rows_of(
        kc.Tracker(*bodies[kinds]).distance(np.eye(4), X)
    )
    assert (copied.statistics.frames, tracker.statistics.frames) == (11, 10)
