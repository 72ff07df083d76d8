"""`kc.distance` on pairs known by hand: every kind of shape, batches, threads, and what it refuses."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
from tests.oracles.hull_bodies import CUBE, ball, gridded_box
from tests.oracles.poses import pose, random_pose

import keepclear as kc
from keepclear.errors import ArgumentError, KeepclearError, PoseError
from keepclear.query.instant.distance import batch_size, checked_threads
from keepclear.results import Distance, State

BOX, BALL = kc.Box([1, 1, 1]), kc.Sphere(0.5)


def shifted(x: float, y: float = 0.0, z: float = 0.0) -> np.ndarray:
    return pose(np.eye(3), (x, y, z))


PAIRS = [
    (BALL, BALL, shifted(2.0), 1.0),
    (BALL, BALL, shifted(0.75), -0.25),
    (BALL, kc.Sphere(1.5), shifted(2.0), 0.0),
    (BOX, BOX, shifted(2.0), 1.0),
    (BOX, BOX, shifted(4.0, 5.0), 5.0),
    (BOX, BOX, shifted(3.0, 3.0, 2.0), 3.0),
    (BOX, BOX, shifted(0.75, 0.25, 0.0), -0.25),
    (BOX, BOX, shifted(0.0), -1.0),
    (BOX, BALL, shifted(0.0, 0.0, -1.5), 0.5),
    (BALL, kc.Capsule(0.25, 2.0), shifted(1.0), 0.25),
    (BALL, kc.Capsule(0.25, 2.0), shifted(0.0, 0.0, 3.0), 1.25),
    (kc.Capsule(0.25, 2.0), kc.Capsule(0.25, 2.0), shifted(0.25), -0.25),
    (kc.Cylinder(0.5, 2.0), kc.Cylinder(0.5, 2.0), shifted(2.0), 1.0),
    (kc.Cylinder(0.5, 2.0), kc.Cylinder(0.5, 2.0), shifted(4.0, 0.0, 6.0), 5.0),
    (kc.Cylinder(0.5, 2.0), BALL, shifted(0.0, 0.0, 2.5), 1.0),
    (kc.Convex(CUBE), kc.Convex(CUBE), shifted(2.0, 0.5, 0.5), 1.0),
    (kc.Convex(CUBE), kc.Convex(CUBE), shifted(0.75), -0.25),
    (kc.Convex(gridded_box(4)), BALL, shifted(3.5), 2.0),
    (kc.Convex([[0, 0, 0]]), kc.Convex([[3, 4, 0]]), shifted(0.0), 5.0),
    (kc.Convex([[0, 0, 0]]), kc.Convex([[0, 0, 0]]), shifted(0.0), 0.0),
    (kc.Convex([[0, 0, -1], [0, 0, 1]]), kc.Convex([[1, -1, 0], [1, 1, 0]]), shifted(1.0), 2.0),
    (kc.Convex([[0, 0, -1], [0, 0, 1]]), kc.Convex([[0, -1, 0], [0, 1, 0]]), shifted(0.0), 0.0),
    (kc.Convex(CUBE * [1, 1, 0]), kc.Convex(CUBE * [1, 1, 0]), shifted(0.5, 0.5, 2.0), 2.0),
    (kc.Convex(CUBE * [1, 1, 0]), kc.Convex(CUBE * [1, 1, 0]), shifted(0.5, 0.5, 0.0), 0.0),
]


@pytest.mark.parametrize(("a", "b", "X_WB", "expected"), PAIRS)
def test_pairs_known_by_hand(a: Any, b: Any, X_WB: np.ndarray, expected: float) -> None:
    for swapped in (False, True):
        r = kc.distance(b, X_WB, a, np.eye(4)) if swapped else kc.distance(a, np.eye(4), b, X_WB)
        assert abs(r.distance - expected) <= 1e-14
        assert r.lower <= expected <= r.upper
        assert r.upper - r.lower <= 1e-12
        assert r.state is (
            State.SEPARATE if expected > 0 else State.INTERFERING if expected < 0 else State.TOUCHING
        )
        assert r.colliding is (expected <= 0)
        assert np.allclose(r.p_WA + r.distance * r.normal_W, r.p_WB, rtol=0.0, atol=1e-14)
        assert abs(np.linalg.norm(r.normal_W) - 1.0) <= 1e-14


def test_points_and_normal() -> None:
    r = kc.distance(BOX, shifted(1.0, 2.0, 3.0), BALL, shifted(1.0, 2.0, 6.0))
    assert r.p_WA.tolist() == [1.0, 2.0, 3.5]
    assert r.p_WB.tolist() == [1.0, 2.0, 5.5]
    assert r.normal_W.tolist() == [0.0, 0.0, 1.0]


def batch(n: int, seed: int = 1, spread: float = 0.7) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return tuple(np.array([random_pose(rng, spread) for _ in range(n)]) for _ in range(2))  # type: ignore[return-value]


def rows_of(result: Distance) -> bytes:
    return result._rows[..., :16].tobytes()


@pytest.mark.parametrize("kind", ["boxes", "hulls", "cylinders"])
def test_threads_change_no_bit_apart_and_overlapping(kind: str) -> None:
    rng = np.random.default_rng(2)
    a, b = {
        "boxes": (BOX, kc.Box([0.5, 2.0, 1.0])),
        "hulls": (kc.Convex(ball(rng, 12)), kc.Convex(ball(rng, 50))),
        "cylinders": (kc.Cylinder(0.5, 1.0), BALL),
    }[kind]
    X_WA, X_WB = batch(13, spread=1.2)
    expected = kc.distance(a, X_WA, b, X_WB)
    assert 0 < int(expected.colliding.sum()) < 13
    for threads in (2, 3, 13, 14, 100):
        assert rows_of(kc.distance(a, X_WA, b, X_WB, threads=threads)) == rows_of(expected)
    for threads in (2, 3):
        one_sided = kc.distance(a, X_WA[0], b, X_WB, threads=threads)
        assert rows_of(one_sided) == rows_of(kc.distance(a, X_WA[0], b, X_WB))
    singles = b"".join(rows_of(kc.distance(a, X_WA[k], b, X_WB[k])) for k in range(13))
    assert singles == rows_of(expected)


def test_an_overlap_is_searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The depth goes on from the row of the search, and is the same as that of poses that are converted first."""
    module = sys.modules["keepclear.query.instant.distance"]
    calls: list[Any] = []
    search = module._distance_one

    def counted(*arguments: Any) -> int:
        calls.append(arguments)
        return int(search(*arguments))

    monkeypatch.setattr(module, "_distance_one", counted)
    X = shifted(0.3)
    found = kc.distance(BOX, np.eye(4), BOX, X)
    assert found.distance < 0.0
    assert len(calls) == 1
    assert rows_of(found) == rows_of(kc.distance(BOX, np.eye(4).tolist(), BOX, X.tolist()))


@pytest.mark.parametrize("threads", [0, -1, 1.0, 2.5, "2", None, True, [1]])
def test_threads_are_a_whole_number(threads: Any) -> None:
    with pytest.raises(ArgumentError, match="threads must be a whole number >= 1, but it is "):
        kc.distance(BOX, np.eye(4), BOX, shifted(2.0)[None], threads=threads)
    assert checked_threads(np.int8(3)) == 3
    assert checked_threads(10**9) == 256


def test_batch_sizes() -> None:
    assert batch_size(5, False, 5, False) == 5
    assert batch_size(1, True, 5, False) == 5
    assert batch_size(5, False, 1, True) == 5
    X = np.tile(np.eye(4), (3, 1, 1))
    with pytest.raises(PoseError, match="X_WA has 3 poses and X_WB has 2; give as many on both sides"):
        kc.distance(BOX, X, BOX, X[:2])
    with pytest.raises(PoseError, match="X_WA has 1 poses and X_WB has 3"):
        kc.distance(BOX, X[:1], BOX, X)
    assert len(kc.distance(BOX, X[:0], BOX, X[:0])) == 0
    assert len(kc.distance(BOX, X[:0], BOX, np.eye(4))) == 0
    assert len(kc.distance(BOX, X[:1], BOX, X[:1])) == 1


def nan() -> np.ndarray:
    X = np.eye(4)
    X[0, 0] = np.nan
    return X


@pytest.mark.filterwarnings("ignore:invalid value")  # NaN in kernels as plain Python
@pytest.mark.parametrize("threads", [1, 3])
def test_bad_poses_are_named(threads: int) -> None:
    good = np.tile(np.eye(4), (9, 1, 1))
    bad = good.copy()
    bad[7] = nan()
    for arguments, name in (
        ((nan(), np.eye(4)), "X_WA has"),
        ((np.eye(4), nan()), "X_WB has"),
        ((bad, good), "X_WA[7] has"),
        ((good, bad), "X_WB[7] has"),
        ((np.eye(4), bad), "X_WB[7] has"),
        ((bad, np.eye(4)), "X_WA[7] has"),
        ((nan(), good), "X_WA has"),
        ((good, nan()), "X_WB has"),
    ):
        with pytest.raises(PoseError) as caught:
            kc.distance(BOX, arguments[0], BOX, arguments[1], threads=threads)
        assert str(caught.value).startswith(name)
        assert "[0, 0] = nan" in str(caught.value)


def test_poses_of_many_kinds() -> None:
    X_WB = shifted(2.0)
    expected = kc.distance(BOX, np.eye(4), BOX, X_WB)
    read_only = X_WB.copy()
    read_only.flags.writeable = False
    strided = np.repeat(X_WB, 2, axis=0)[::2]
    for X in (X_WB.tolist(), X_WB.astype(np.float32), X_WB.astype(int), read_only, strided, X_WB.T.copy().T):
        assert kc.distance(BOX, np.eye(4), BOX, X) == expected
        assert kc.distance(BOX, np.eye(4).tolist(), BOX, X) == expected
        assert kc.distance(BOX, np.eye(4), BOX, [X, X])[1] == expected


def test_a_pose_that_is_nearly_rigid_is_its_nearest_rigid_one() -> None:
    X_WB = pose(np.round(random_pose(np.random.default_rng(3), 1.0)[:3, :3], 8), (2.0, 0.0, 0.0))
    assert kc.distance(BOX, np.eye(4), BOX, X_WB) == kc.distance(BOX, np.eye(4), BOX, kc.nearest_rigid(X_WB))


@pytest.mark.parametrize("thing", [None, "box", 3.0, np.eye(4), kc.Box])
def test_what_is_no_shape(thing: Any) -> None:
    for arguments in ((thing, np.eye(4), BOX, np.eye(4)), (BOX, np.eye(4), thing, np.eye(4))):
        with pytest.raises(KeepclearError) as caught:
            kc.distance(*arguments)
        assert isinstance(caught.value, ValueError)


def test_poses_and_shapes_are_left_alone() -> None:
    X_WA, X_WB = batch(4)
    before = X_WA.tobytes(), X_WB.tobytes()
    hull = kc.Convex(CUBE)
    kc.distance(hull, X_WA, BOX, X_WB, threads=2)
    assert (X_WA.tobytes(), X_WB.tobytes()) == before
    assert hull == kc.Convex(CUBE)
