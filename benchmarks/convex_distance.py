"""Closest points of convex hulls beside coal 3: batches, tracked motions, single calls; and the cost of tracking."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from scipy.spatial.transform import Rotation

import keepclear as kc
from benchmarks.harness import Row, best_times, compare, table

FRAMES = 1000
SIZES = (8, 32, 128, 512, 2048)


def ball_points(n: int, seed: int) -> np.ndarray:
    """Return n random points on the unit sphere."""
    points = np.random.default_rng(seed).normal(size=(n, 3))
    return points / np.linalg.norm(points, axis=1)[:, None]


def random_poses() -> np.ndarray:
    """Return poses of B around A, 3 m away in every direction."""
    directions = ball_points(FRAMES, 5)
    X = np.tile(np.eye(4), (FRAMES, 1, 1))
    X[:, :3, :3] = Rotation.random(FRAMES, random_state=1).as_matrix()
    X[:, :3, 3] = 3.0 * directions
    return X


def motion() -> np.ndarray:
    """Return B going once around A in a circle of 2.5 m while it turns."""
    t = np.linspace(0.0, 2.0 * np.pi, FRAMES)
    X = np.tile(np.eye(4), (FRAMES, 1, 1))
    X[:, :3, :3] = Rotation.from_rotvec(np.column_stack([0 * t, 0.3 * t, t])).as_matrix()
    X[:, :3, 3] = np.column_stack([2.5 * np.cos(t), 2.5 * np.sin(t), 0 * t + 0.1])
    return X


class Coal:
    """The peer at its best: a functor for the pair, cached or bounding-volume guess, whichever is faster."""

    def __init__(self, points_a: np.ndarray, points_b: np.ndarray, guess: str) -> None:
        import coal

        self.coal = coal
        self.shapes = [self._hull(points_a), self._hull(points_b)]
        self.ask = coal.ComputeDistance(*self.shapes)
        self.request = coal.DistanceRequest()
        self.request.gjk_initial_guess = getattr(coal.GJKInitialGuess, guess)
        self.result = coal.DistanceResult()
        self.identity = coal.Transform3s()

    def _hull(self, points: np.ndarray) -> object:
        vertices = self.coal.StdVec_Vec3s()
        for point in points:
            vertices.append(point)
        hull = self.coal.ConvexBase.convexHull(vertices, False, "Qt")
        hull.computeLocalAABB()
        return hull

    def transforms(self, X: np.ndarray) -> list[object]:
        """Return poses as the peer's own objects, made ahead."""
        return [self.coal.Transform3s(pose[:3, :3], pose[:3, 3]) for pose in X]

    def ready_made(self, transforms: list[object]) -> list[float]:
        """Answer with transforms made ahead."""
        ask, identity, request, result = self.ask, self.identity, self.request, self.result
        answers = []
        for transform in transforms:
            result.clear()
            answers.append(ask(identity, transform, request, result))
            request.updateGuess(result)
        return answers

    def from_arrays(self, X: np.ndarray) -> None:
        """Answer from pose arrays, as a user who has arrays must."""
        make, ask, request, result = self.coal.Transform3s, self.ask, self.request, self.result
        eye = np.eye(4)
        for pose in X:
            result.clear()
            ask(make(eye[:3, :3], eye[:3, 3]), make(pose[:3, :3], pose[:3, 3]), request, result)
            request.updateGuess(result)


def coal_at_its_best(points_a: np.ndarray, points_b: np.ndarray, X: np.ndarray) -> Coal:
    """Return the peer with the faster of its guesses for these poses."""
    peers = [
        Coal(points_a, points_b, guess) for guess in ("CachedGuess", "BoundingVolumeGuess", "DefaultGuess")
    ]
    transforms = peers[0].transforms(X)
    jobs: list[Callable[[], object]] = [partial(peer.ready_made, transforms) for peer in peers]
    times = best_times(jobs, len(X), rounds=3)
    return peers[times.index(min(times))]


def batches() -> None:
    """Print the batch call against one call of coal per pose with ready-made transforms."""
    rows = []
    for n in SIZES:
        points_a, points_b = ball_points(n, 1), ball_points(n, 2)
        a, b, eye = kc.Convex(points_a), kc.Convex(points_b), np.eye(4)
        for name, X in (("random poses", random_poses()), ("motion, tracked", motion())):
            peer = coal_at_its_best(points_a, points_b, X)
            T = peer.transforms(X)
            ours = kc.distance(a, eye, b, X).distance
            assert np.abs(ours - np.array(peer.ready_made(T))).max() < 1e-5, (
                "the two do not answer the same question"
            )
            tracker = kc.Tracker(a, b)
            if name == "random poses":
                rows.append(
                    compare(
                        f"{n} vertices, {name}",
                        lambda: kc.distance(a, eye, b, X),
                        lambda: peer.ready_made(T),
                        FRAMES,
                    )
                )
            else:
                rows.append(
                    compare(
                        f"{n} vertices, {name}",
                        lambda: tracker.distance(eye, X),
                        lambda: peer.ready_made(T),
                        FRAMES,
                    )
                )
    table("Batch call, per query", "coal", rows)


def single_calls() -> None:
    """Print one call from Python per query, from pose arrays, and coal with ready-made transforms."""
    rows = []
    for n in (8, 128):
        points_a, points_b = ball_points(n, 1), ball_points(n, 2)
        a, b, eye, X = kc.Convex(points_a), kc.Convex(points_b), np.eye(4), motion()
        peer = coal_at_its_best(points_a, points_b, X)
        T, poses, tracker = peer.transforms(X), list(X), kc.Tracker(a, b)

        def cold() -> None:
            for pose in poses:
                kc.distance(a, eye, b, pose)

        def tracked() -> None:
            for pose in poses:
                tracker.distance(eye, pose)

        rows.append(compare(f"{n} vertices, arrays, cold", cold, lambda: peer.from_arrays(X), FRAMES))
        rows.append(compare(f"{n} vertices, arrays, tracked", tracked, lambda: peer.from_arrays(X), FRAMES))
        rows.append(compare(f"{n} vertices, coal ready-made, cold", cold, lambda: peer.ready_made(T), FRAMES))
        rows.append(
            compare(f"{n} vertices, coal ready-made, tracked", tracked, lambda: peer.ready_made(T), FRAMES)
        )
    table("Single call, per query", "coal", rows)


def iterations() -> None:
    """Print average iterations, cold and tracked at a tenth of the vertex spacing per frame."""
    print(f"\nIterations per query\n{'':<20}{'cold':>8}{'tracked':>9}{'vertices looked at, tracked':>30}")
    for n in (8, 32, 128, 512, 2048):
        a, b = kc.Convex(ball_points(n, 1)), kc.Convex(ball_points(n, 2))
        cold = kc.distance(a, np.eye(4), b, random_poses()).iterations.mean()
        tracker = kc.Tracker(a, b)
        tracker.distance(np.eye(4), creeping(n, 0.1))
        done = tracker.statistics
        print(
            f"{n:>8} vertices   {cold:8.2f}{done.iterations / done.frames:9.2f}{done.vertices / done.frames:30.1f}"
        )


def creeping(n: int, part: float) -> np.ndarray:
    """Return 1000 frames in which B moves and turns by a part of the spacing of n vertices on the unit sphere."""
    step = part * np.sqrt(4.0 * np.pi / n)
    t = np.arange(FRAMES) * step / 2.5
    X = np.tile(np.eye(4), (FRAMES, 1, 1))
    X[:, :3, :3] = Rotation.from_rotvec(np.column_stack([0 * t, 0.3 * t, t])).as_matrix()
    X[:, :3, 3] = np.column_stack([2.5 * np.cos(t), 2.5 * np.sin(t), 0 * t + 0.1])
    return X


def tracking_cost() -> None:
    """Print what a tracked frame costs from 100 to 100 000 vertices, for moves of half a spacing and for one motion."""
    sizes = (100, 1000, 10_000, 100_000)
    jobs: list[Callable[[], object]] = []
    looked = []
    eye = np.eye(4)
    for n in sizes:
        a, b = kc.Convex(ball_points(n, 1)), kc.Convex(ball_points(n, 2))
        for X in (creeping(n, 0.5), motion()):
            tracker = kc.Tracker(a, b)
            tracker.distance(eye, X)
            looked.append(tracker.statistics.vertices / FRAMES)
            jobs.append(partial(tracker.distance, eye, X))
    times = best_times(jobs, FRAMES)
    print(f"\nTracked frame{'half a spacing per frame':>38}{'one motion, all sizes':>34}")
    for k, n in enumerate(sizes):
        small, same = times[2 * k], times[2 * k + 1]
        print(
            f"{n:>8} vertices {small * 1e9:10.0f} ns ({small / times[0]:4.2f}x) {looked[2 * k]:6.1f} looked at"
            f"{same * 1e9:12.0f} ns ({same / times[1]:4.2f}x) {looked[2 * k + 1]:7.1f} looked at"
        )


def main() -> None:
    """Print all tables."""
    batches()
    single_calls()
    iterations()
    tracking_cost()


if __name__ == "__main__":
    main()

__all__ = ["Row", "main"]
