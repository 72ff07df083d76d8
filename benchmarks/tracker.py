"""Tracked frames of meshes of 10 to 100 000 triangles: beside a tracker of convex hulls, python-fcl and coal."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np

import keepclear as kc
from benchmarks.harness import best_times
from benchmarks.mesh_models import grid_triangles
from benchmarks.mesh_peers import Coal, Fcl
from keepclear.query.track.mesh_tracker import MeshTracker

SIZES = (12, 1_000, 10_000, 100_000)
FRAMES, PEER_FRAMES, ROUNDS = 200, 20, 5
E = np.eye(4)


def ball(n_triangles: int) -> kc.Mesh:
    """Return a round mesh: all faces of its hull are real."""
    rows = max(2, int(np.sqrt(n_triangles / 4.0)))
    columns = max(3, 2 * rows)
    theta, phi = np.linspace(0.0, np.pi, rows + 1)[1:-1], np.arange(columns) * (2.0 * np.pi / columns)
    ring = np.stack(
        [
            np.outer(np.sin(theta), np.cos(phi)),
            np.outer(np.sin(theta), np.sin(phi)),
            np.tile(np.cos(theta)[:, None], columns),
        ],
        axis=-1,
    ).reshape(-1, 3)
    at = np.arange(len(ring)).reshape(len(theta), columns)
    following = np.roll(at, -1, axis=1)
    sides = [
        np.stack([at[:-1], at[1:], following[1:]], -1),
        np.stack([at[:-1], following[1:], following[:-1]], -1),
    ]
    top = np.stack([np.full(columns, len(ring)), at[0], following[0]], -1)
    bottom = np.stack([np.full(columns, len(ring) + 1), following[-1], at[-1]], -1)
    return kc.Mesh(
        np.r_[ring, [[0, 0, 1], [0, 0, -1]]],
        np.concatenate([*(s.reshape(-1, 3) for s in sides), top, bottom]),
    )


def channel(n_triangles: int) -> kc.Mesh:
    """Return a U as a surface, open towards +y: its walls are grids."""
    outline = np.array([[0, 2], [0, 0], [3, 0], [3, 2], [2, 2], [2, 1], [1, 1], [1, 2], [0, 2]], dtype=float)
    steps = max(1, int(np.sqrt(n_triangles / 16.0)))
    along = np.concatenate([np.linspace(p, q, steps + 1)[:-1] for p, q in itertools.pairwise(outline)])
    along = np.r_[along, outline[-1:]]
    depth = np.linspace(0.0, 1.0, steps + 1)
    points = np.c_[np.repeat(along, len(depth), axis=0), np.tile(depth, len(along))]
    return kc.Mesh(points, grid_triangles(len(along), len(depth)), solid=False)


def motion(
    place: Callable[[float], tuple[float, float, float]], turn: float, flip: bool = False
) -> np.ndarray:
    """Return frames that run there and back."""
    s = np.r_[np.linspace(0.0, 1.0, FRAMES // 2), np.linspace(1.0, 0.0, FRAMES // 2)]
    X = np.tile(np.eye(4), (FRAMES, 1, 1))
    X[:, 0, 0] = X[:, 1, 1] = np.cos(turn * s)
    X[:, 1, 0], X[:, 0, 1] = np.sin(turn * s), -np.sin(turn * s)
    if flip:
        X[:, :3, :3] = X[:, :3, :3] @ np.diag([-1.0, -1.0, 1.0])
    X[:, :3, 3] = [place(u) for u in s]
    return X


def frame_by_frame(tracker: kc.Tracker, X: np.ndarray, **options: bool) -> Callable[[], object]:
    """Return a job that asks for one frame after the other."""
    frames = [np.ascontiguousarray(x) for x in X]

    def job() -> None:
        for x in frames:
            tracker.distance(E, x, **options)

    return job


def peers(a: kc.Mesh, b: kc.Mesh, X: np.ndarray) -> list[float]:
    """Return the times per frame of python-fcl and coal, by some of the frames [s]."""
    some = X[:: max(1, len(X) // PEER_FRAMES)]
    times = []
    for kind in (Fcl, Coal):
        peer = kind(a, b)
        poses = peer.poses(some)
        times += best_times([lambda peer=peer, poses=poses: peer.distance(poses)], len(some), 2)
    return times


def search_only(a: kc.Mesh, b: kc.Mesh) -> kc.Tracker:
    """Return a tracker that searches triangles in every frame, without hulls and states."""
    tracker = kc.Tracker(a, b)
    assert isinstance(tracker, MeshTracker)
    tracker._hulls = None
    return tracker


def print_case(title: str, make: Callable[[int], tuple[kc.Mesh, kc.Mesh]], X: np.ndarray) -> None:
    """Print a line for each size."""
    print(f"\n{title}")
    names = ("convex", "exact", "exact=False", "search only", "python-fcl", "coal")
    print(f"{'triangles':>10}" + "".join(f"{name:>14}" for name in names) + "  exact/convex")
    for n in SIZES:
        a, b = make(n)
        trackers = [
            kc.Tracker(kc.Convex(a.vertices), kc.Convex(b.vertices)),
            *(kc.Tracker(a, b, eps_hull=1e-3) for _ in range(2)),
        ]
        jobs = [frame_by_frame(tracker, X) for tracker in (*trackers[:2], search_only(a, b))]
        jobs.insert(2, frame_by_frame(trackers[2], X, exact=False))
        times = best_times(jobs, len(X), ROUNDS) + peers(a, b, X)
        print(
            f"{len(a.triangles):>10}"
            + "".join(f"{1e6 * t:11.2f} us" for t in times)
            + f"{times[1] / times[0]:14.2f}"
        )


def main() -> None:
    """Print tables for real witnesses, virtual ones, and bodies inside of each other's hulls."""
    round_path = motion(lambda u: (2.5 + 0.3 * u, 0.4 * u, 0.0), 0.5)
    print_case("Apart, real witnesses: two round meshes", lambda n: (ball(n), ball(n)), round_path)
    facing = motion(lambda u: (3.4 + 0.2 * u, 4.5 - 0.3 * u, 0.1 * u), 0.05, flip=True)
    print_case("Apart, virtual witnesses: two U's mouth to mouth", lambda n: (channel(n), channel(n)), facing)
    hooked = motion(lambda u: (3.5 - 0.1 * u, 3.3 - 0.1 * u, 0.2 * u), 0.0, flip=True)
    print_case(
        "Inside: an arm of each U between the arms of the other", lambda n: (channel(n), channel(n)), hooked
    )


if __name__ == "__main__":
    main()
