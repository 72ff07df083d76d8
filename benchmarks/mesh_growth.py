"""How the cost of mesh queries grows from a thousand to a million triangles: times, pairs found, boxes compared."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

import keepclear as kc
from benchmarks.harness import best_times, duration
from benchmarks.mesh_models import near_contact_poses, smooth_motion, torus_knot
from keepclear.query.instant.pair_search import PairSearch

SIZES = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
# Finer knots take the poses of this one: its surface is within 0.3 mm of theirs, and the poses leave millimetres.
FINEST_FOR_POSES = 100_000
POSES = 100
FRAMES = 1_000
ROUNDS = 3


@dataclass(frozen=True)
class Cost:
    """What one question costs: time [s], pairs of boxes compared, and pairs of faces found, per query."""

    time: float
    boxes: float
    pairs: float = 0.0


def collide(tree: kc.OBBTree, X: np.ndarray, find: str) -> Cost:
    """Measure a batch of contacts; all of them with their segments."""
    search = PairSearch(tree, np.eye(4), tree, X, find).run_to_end()
    answer = search.result()
    pairs = sum(len(found) for found in answer.pairs)

    def job() -> object:
        found = PairSearch(tree, np.eye(4), tree, X, find).run_to_end().result()
        return found.segments_W if find == "all" else found

    (time,) = best_times([job], len(X), ROUNDS)
    return Cost(time, search.counts["box_pairs"] / len(X), pairs / len(X))


def distance(tree: kc.OBBTree, X: np.ndarray) -> Cost:
    """Measure a batch of distances."""
    boxes = kc.distance(tree, np.eye(4), tree, X).iterations.mean()
    (time,) = best_times([partial(kc.distance, tree, np.eye(4), tree, X)], len(X), ROUNDS)
    return Cost(time, float(boxes))


def tracked(tree: kc.OBBTree, X: np.ndarray) -> Cost:
    """Measure a motion, its first frame cold."""
    tracker = kc.Tracker(tree, tree)
    tracker.distance(np.eye(4), X)
    boxes = tracker.statistics.iterations / len(X)

    def job() -> object:
        tracker.reset()
        return tracker.distance(np.eye(4), X)

    (time,) = best_times([job], len(X), ROUNDS)
    return Cost(time, boxes)


def main() -> None:
    """Print a line for each size: build, then time and pairs of boxes of each question."""
    print(f"\nTwo torus knots, per query; {POSES} poses near contact, {FRAMES} frames of a smooth motion")
    print(f"{'':<21}{'meet?':^20}{'all contacts':^40}{'distance':^22}{'tracked':^22}")
    print(
        f"{'triangles':>10}{'build':>11}{'time':>10}{'boxes':>10}{'time':>10}{'boxes':>10}{'pairs':>9}"
        f"{'per (*)':>11}" + f"{'time':>11}{'boxes':>11}" * 2
    )
    for n in SIZES:
        mesh, coarse = torus_knot(n), torus_knot(min(n, FINEST_FOR_POSES))
        X, motion = near_contact_poses(coarse, coarse, POSES), smooth_motion(coarse, coarse, FRAMES)
        (build,) = best_times([partial(kc.build_obb_tree, mesh)], 1, ROUNDS)
        tree = kc.build_obb_tree(mesh)
        some, every, near, moving = (
            collide(tree, X, "any"), collide(tree, X, "all"), distance(tree, X), tracked(tree, motion)
        )  # fmt: skip
        output = every.pairs + np.log2(len(mesh.triangles))
        print(
            f"{len(mesh.triangles):>10}{duration(build):>11}{duration(some.time):>10}{some.boxes:>10.0f}"
            f"{duration(every.time):>10}{every.boxes:>10.0f}{every.pairs:>9.1f}{every.boxes / output:>11.1f}"
            f"{duration(near.time):>11}{near.boxes:>11.0f}{duration(moving.time):>11}{moving.boxes:>11.1f}"
        )
    print("(*) pairs of boxes for each pair of faces found, counting log2 of the triangles as found too")


if __name__ == "__main__":
    main()
