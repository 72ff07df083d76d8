"""Distances of convex bodies and moving points: from near to far, overlapping, tracked, one call at a time."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from scipy.spatial.transform import Rotation

import keepclear as kc
from benchmarks.convex_distance import ball_points, coal_at_its_best, motion
from benchmarks.evidence.question import Question
from benchmarks.point_contact import KINDS, peer_job, random_queries

POSES, POINTS = 500, 500
EYE = np.eye(4)
GAPS = {"near, gap 1 % of the size": 0.02, "middle, gap 20 %": 0.4, "far, gap 200 %": 4.0}


def questions() -> Iterator[Question]:
    """Yield the rows of convex bodies."""
    for n in (8, 128, 2048):
        points = ball_points(n, 1), ball_points(n, 2)
        a, b = kc.Convex(points[0]), kc.Convex(points[1])
        for label, gap in GAPS.items():
            X = poses_at_gap(a, b, gap, POSES, seed=n)
            yield _batch(f"distance of hulls of {n} vertices, {label}", points, a, b, X)
        X = poses_at_gap(a, b, -0.3, POSES, seed=n)
        yield _batch(f"depth of overlapping hulls of {n} vertices", points, a, b, X)
        yield _tracked(n, points, a, b)
    yield from _single_calls()
    points8 = random_queries(POINTS)
    for kind, ask in KINDS.items():
        x0, x1 = points8[:, :4].copy(), points8[:, 4:].copy()
        yield Question(
            f"contact of moving points, {kind}, batch",
            "points uniform in a cube, each moving about its width",
            partial(ask, x0, x1),
            {"ipctk": peer_job(kind, points8)},
            POINTS,
            3,
        )


def poses_at_gap(a: kc.Convex, b: kc.Convex, gap: float, n: int, seed: int) -> np.ndarray:
    """Return poses of B around A at a signed distance, to 1e-9 m; both directions and rotations are uniform."""
    rng = np.random.default_rng(seed)
    X = np.tile(EYE, (n, 1, 1))
    X[:, :3, :3] = Rotation.random(n, random_state=seed).as_matrix()
    direction = rng.normal(size=(n, 3))
    direction /= np.linalg.norm(direction, axis=1)[:, None]
    X[:, :3, 3] = (2.5 + max(gap, 0.0)) * direction
    for _ in range(60):
        beyond = kc.distance(a, EYE, b, X).distance - gap
        if np.abs(beyond).max() < 1e-9:
            return X
        X[:, :3, 3] -= beyond[:, None] * direction
    return X[np.abs(kc.distance(a, EYE, b, X).distance - gap) < 1e-6]


def _batch(
    name: str, points: tuple[np.ndarray, np.ndarray], a: kc.Convex, b: kc.Convex, X: np.ndarray
) -> Question:
    peer = coal_at_its_best(*points, X)
    return Question(
        f"{name}, batch",
        f"{len(X)} poses, directions and rotations uniform",
        partial(kc.distance, a, EYE, b, X),
        {"coal": partial(peer.ready_made, peer.transforms(X))},
        len(X),
    )


def _tracked(n: int, points: tuple[np.ndarray, np.ndarray], a: kc.Convex, b: kc.Convex) -> Question:
    X = motion()
    peer, tracker = coal_at_its_best(*points, X), kc.Tracker(a, b)
    return Question(
        f"distance of hulls of {n} vertices, tracked",
        "once around in 1000 frames, turning",
        partial(tracker.distance, EYE, X),
        {"coal": partial(peer.ready_made, peer.transforms(X))},
        len(X),
    )


def _single_calls() -> Iterator[Question]:
    """Yield one call from Python per pose, from pose arrays and with the peer's transforms made ahead."""
    points = ball_points(8, 1), ball_points(8, 2)
    a, b = kc.Convex(points[0]), kc.Convex(points[1])
    X = poses_at_gap(a, b, 0.4, POSES, seed=3)
    poses, peer = list(X), coal_at_its_best(*points, X)
    ready = peer.transforms(X)
    for label, job in (
        ("pose arrays", lambda: peer.from_arrays(X)),
        ("the peer's transforms made ahead", lambda: peer.ready_made(ready)),
    ):
        yield Question(
            f"distance of hulls of 8 vertices, one call per pose, {label}",
            f"{len(X)} poses, gap 20 % of the size",
            lambda: [kc.distance(a, EYE, b, pose) for pose in poses],
            {"coal": job},
            len(X),
        )
