"""The BoxTree beside oriented boxes: size, time, pairs of boxes, and operations in one direction and in both."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

import keepclear as kc
from benchmarks.harness import best_times, duration
from benchmarks.mesh_models import machined_part, near_contact_poses, scan_like, torus_knot
from keepclear.kernels.trees import box_pair
from keepclear.kernels.trees.box_planes import PAIR
from keepclear.proximity.pair_search import PairSearch

KNOTS = (1_000, 10_000, 100_000)
SCAN = 30_000
POSES = 200
ROUNDS = 5


class OneDirection(PairSearch):
    """A search in two box trees that can compare boxes in A's frame only, and can count what it computes."""

    def __init__(self, tree: kc.BoxTree, X: np.ndarray, find: str, *, both: bool, counting: bool) -> None:
        super().__init__(tree, np.eye(4), tree, X, find)
        self._pair, self._both = (tree, tree), both
        self._state[box_pair.COUNTING] = counting

    def _run_kernel(self, budget: int) -> int:
        a, b = self._pair
        if self._stack is None:
            self._stack = np.empty(PAIR * (a.depth + b.depth + 2))
        arrays = (*a.arrays, *b.arrays, *self._poses, self._state, self._stack, self._buffer, self._digits)
        return int(box_pair.collide(*arrays, self._find == "all", self._both, budget))

    def per_pose(self, kind: int) -> float:
        """Return an entry of the state as an average over the poses."""
        return float(self._state[kind] / self.n_poses)

    def operations(self) -> list[float]:
        """Return multiplications, additions and comparisons per step: a box opened or trimmed."""
        kinds = box_pair.MULTIPLICATIONS, box_pair.ADDITIONS, box_pair.COMPARISONS
        return [self.per_pose(kind) / self.per_pose(box_pair.STEPS) for kind in kinds]


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
    """Print times and pairs of boxes of oriented boxes, and of the BoxTree in both directions and in one."""
    heads = "".join(f"{head:>14}{'pairs':>9}" for head in ("OBBTree", "both ways", "one way"))
    print(f"\nBoxTree, find={find!r}, per pose near contact\n{'':<22}{heads}{'ratio':>9}{'one way':>9}")
    for s in all_scenes:

        def oriented() -> PairSearch:
            return PairSearch(s.obb, np.eye(4), s.obb, s.X, find).run_to_end()

        def boxes(both: bool) -> PairSearch:
            return OneDirection(s.box, s.X, find, both=both, counting=False).run_to_end()

        searches = [oriented(), boxes(True), boxes(False)]
        for search in searches[1:]:
            agree = np.array_equal(_found(search, find), _found(searches[0], find))
            assert agree, f"{s.name}: the trees do not find the same"
        measured = best_times([oriented, partial(boxes, True), partial(boxes, False)], POSES, ROUNDS)
        columns = "".join(
            f"{duration(time):>14}{search.counts['box_pairs'] / POSES:>9.0f}"
            for time, search in zip(measured, searches, strict=True)
        )
        ratios = "".join(f"{time / measured[0]:>8.2f}x" for time in measured[1:])
        print(f"{s.name:<22}{columns}{ratios}")


def _found(search: PairSearch, find: str) -> np.ndarray:
    """Return what every tree must find: the poses that hit, and with "all" the triangles too, sorted."""
    hits = search.hits()[:, : 3 if find == "all" else 1]
    return np.unique(hits, axis=0)


def operations(all_scenes: list[Scene]) -> None:
    """Print what a step computes on boxes; the source needs at most 12, 16 and 20, or half of that in one direction."""
    print(
        "\nBoxTree, multiplications, additions and comparisons of boxes per step, find='all'; and counts per pose"
    )
    print(
        f"{'':<22}{'both directions':^24}{'one direction':^24}{'steps':>8}{'planes':>8}{'leaves':>8}{'exact':>8}"
    )
    for s in all_scenes:
        both, one = (OneDirection(s.box, s.X, "all", both=way, counting=True) for way in (True, False))
        both.run_to_end()
        one.run_to_end()
        numbers = "".join(f"{number:>8.2f}" for number in both.operations() + one.operations())
        counts = "".join(f"{both.per_pose(kind):>8.0f}" for kind in (box_pair.STEPS, box_pair.SLABS))
        leaves, exact = (both.counts[kind] / POSES for kind in ("triangle_pairs", "exact_pairs"))
        print(f"{s.name:<22}{numbers}{counts}{leaves:>8.0f}{exact:>8.2f}")


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
    operations(all_scenes)


if __name__ == "__main__":
    main()
