"""Meshes tracked by their hulls: the same answers as cold searches, whatever settles a frame."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.geometry.element_meshes import blocks, gear, plate, u_block

import keepclear as kc

PAIRS = {
    "cubes": (blocks(np.ones((2, 2, 2))), blocks(np.ones((1, 2, 3)))),
    "mouth to mouth": (u_block(), u_block()),
    "gear and plate": (gear(6), plate(2)),
}


def path(seed: int, n: int, distance: float, step: float) -> np.ndarray:
    """Return frames of a body that turns and drifts."""
    rng = np.random.default_rng(seed)
    direction = rng.normal(size=3)
    direction /= np.linalg.norm(direction)
    axis = rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    K = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    X = np.tile(np.eye(4), (n, 1, 1))
    for k in range(n):
        angle = step * k
        X[k, :3, :3] = np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * (K @ K)
        X[k, :3, 3] = direction * distance * (1.0 + 0.6 * np.cos(0.15 * k))
    return X


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("seed", range(4))
def test_frames_have_the_distances_of_cold_searches(name: str, seed: int) -> None:
    a, b = PAIRS[name]
    frames = path(seed, 60, 4.0, 0.02)
    single, batch = kc.Tracker(a, b), kc.Tracker(a, b)
    together = batch.distance(np.eye(4), frames)
    for k, X in enumerate(frames):
        cold = kc.distance(a, np.eye(4), b, X)
        for found in (single.distance(np.eye(4), X), together[k]):
            assert found.state == cold.state
            assert found.distance == pytest.approx(cold.distance, abs=1e-9)
            assert found.lower <= cold.upper
            assert found.upper >= cold.lower
            if cold.distance > 0.0:
                assert np.linalg.norm(found.p_WB - found.p_WA) == pytest.approx(found.distance, abs=1e-9)
    assert single.statistics.frames == batch.statistics.frames == 60


def test_hulls_settle_frames_of_convex_meshes() -> None:
    a, b = PAIRS["cubes"]
    tracker = kc.Tracker(a, b)
    tracker.distance(np.eye(4), path(1, 50, 8.0, 0.01))
    assert tracker.statistics.by_hulls == 50


def test_bounds_are_enough_where_they_are_asked_for() -> None:
    a, b = PAIRS["mouth to mouth"]
    X = np.eye(4)
    X[:3, :3] = np.diag([-1.0, -1.0, 1.0])
    X[:3, 3] = [3.0, 4.5, 0.0]  # mouths face each other; closest are the tips
    X[0, 3] += 0.2  # tips beside each other
    opened = kc.Tracker(a, b)
    bounded = kc.Tracker(a, b)
    frames = np.tile(X, (40, 1, 1))
    frames[:, 1, 3] -= np.linspace(0.0, 0.3, 40)
    exact = opened.distance(np.eye(4), frames)
    loose = bounded.distance(np.eye(4), frames, exact=False)
    assert (loose.lower <= exact.distance + 1e-12).all()
    assert (loose.distance >= exact.distance - 1e-12).all()
    assert bounded.statistics.by_hulls == 40
    far = kc.Tracker(a, b).distance(np.eye(4), frames, enough=0.01)
    assert (far.lower > 0.01).all()
    assert (far.lower <= exact.distance + 1e-12).all()
    with pytest.raises(kc.ArgumentError, match="enough"):
        opened.distance(np.eye(4), X, enough=-1.0)
    with pytest.raises(kc.ArgumentError, match="exact"):
        opened.distance(np.eye(4), frames, exact="no")  # type: ignore[arg-type]


def test_inside_hulls_nothing_is_lost() -> None:
    u, peg = u_block(), blocks([[[1]]])
    frames = np.tile(np.eye(4), (80, 1, 1))
    frames[:, 0, 3] = 1.0
    frames[:, 1, 3] = np.concatenate([np.linspace(5.0, 1.0, 60), np.linspace(1.0, 5.0, 20)])
    found = kc.Tracker(u, peg).distance(np.eye(4), frames)
    for k, X in enumerate(frames):
        assert found[k].colliding == kc.collide(u, np.eye(4), peg, X).colliding
        assert found[k].distance == pytest.approx(kc.distance(u, np.eye(4), peg, X).distance, abs=1e-12)


def test_scaled_and_rounded_poses_are_searched() -> None:
    a, b = PAIRS["cubes"]
    tracker = kc.Tracker(a, b)
    tracker.distance(np.eye(4), path(2, 20, 8.0, 0.01))
    X = np.diag([2.0, 2.0, 2.0, 1.0])
    X[0, 3] = 9.0
    assert tracker.distance(np.eye(4), X).distance == pytest.approx(
        kc.distance(a, np.eye(4), b, X).distance, abs=1e-12
    )
    rough = path(3, 1, 8.0, 0.01)[0].astype(np.float32).astype(np.float64)
    assert tracker.distance(np.eye(4), rough).distance == pytest.approx(
        kc.distance(a, np.eye(4), b, rough).distance, abs=1e-9
    )
