"""The BoxTree beside oriented boxes: size, pairs of boxes and times."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import keepclear as kc
from benchmarks.harness import best_times, duration
from benchmarks.mesh_models import machined_part, near_contact_poses, scan_like, torus_knot
from keepclear.proximity.pair_search import PairSearch

KNOTS = (1_000, 10_000, 100_000)
SCAN = 30_000
POSES = 200
ROUNDS = 5


@dataclass(frozen=True)
class Scene:
    """A mesh beside itself at poses near contact, with both trees."""

    name: str
    X: np.ndarray
    obb: kc.OBBTree
    box: kc.BoxTree


def scenes() -> list[Scene]:
    """Return the knots, the machined part and the scan."""
    found = []
    for mesh in (*(torus_knot(n) for n in KNOTS), machined_part(), scan_like(SCAN)):
        X = near_contact_poses(mesh, mesh, POSES)
        found.append(Scene(mesh.name or "", X, kc.build_obb_tree(mesh), kc.build_box_tree(mesh)))
    return found


def times(all_scenes: list[Scene], find: str) -> None:
    """Print times, pairs of boxes and pairs of triangles of both kinds of trees."""
    heads = "".join(f"{head:>14}{'boxes':>9}{'triangles':>11}" for head in ("OBBTree", "BoxTree"))
    print(f"\nBoxTree, find={find!r}, per pose near contact\n{'':<22}{heads}{'ratio':>9}")
    for s in all_scenes:

        def run(tree: kc.OBBTree | kc.BoxTree, s: Scene = s) -> PairSearch:
            return PairSearch(tree, np.eye(4), tree, s.X, find).run_to_end()

        searches = [run(s.obb), run(s.box)]
        found = [np.unique(search.hits()[:, : 3 if find == "all" else 1], axis=0) for search in searches]
        assert np.array_equal(*found), f"{s.name}: the trees do not find the same"
        measured = best_times([lambda: run(s.obb), lambda: run(s.box)], POSES, ROUNDS)
        columns = "".join(
            f"{duration(time):>14}{search.counts['box_pairs'] / POSES:>9.0f}"
            f"{search.counts['triangle_pairs'] / POSES:>11.0f}"
            for time, search in zip(measured, searches, strict=True)
        )
        print(f"{s.name:<22}{columns}{measured[1] / measured[0]:>8.2f}x")


def sizes(all_scenes: list[Scene]) -> None:
    """Print bytes per triangle, boxes per triangle and depth."""
    print(
        f"\nBoxTree, size{'':<9}{'bytes per triangle':>20}{'OBBTree':>10}{'boxes per triangle':>20}{'depth':>7}"
    )
    for s in all_scenes:
        n = len(s.box.mesh.triangles)
        print(
            f"{s.name:<22}{s.box.nbytes / n:>20.1f}{s.obb.nbytes / n:>10.1f}{s.box.n_nodes / n:>20.2f}{s.box.depth:>7}"
        )


def main() -> None:
    """Print all tables."""
    all_scenes = scenes()
    sizes(all_scenes)
    times(all_scenes, "any")
    times(all_scenes, "all")


if __name__ == "__main__":
    main()
