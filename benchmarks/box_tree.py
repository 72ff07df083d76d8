"""The BoxTree beside oriented boxes: size, times, and every operation of trees as the source has them and of ours."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

import numpy as np

import keepclear as kc
from benchmarks.harness import best_times, duration
from benchmarks.mesh_models import machined_part, near_contact_poses, scan_like, torus_knot
from keepclear.kernels.trees import box_cuts, box_pair
from keepclear.kernels.trees import box_tree as layout
from keepclear.kernels.trees.box_pair import PAIR
from keepclear.kernels.triangles import exact
from keepclear.preprocess.surface import bare_surface
from keepclear.proximity.pair_search import PairSearch

KNOTS = (1_000, 10_000, 100_000)
SCAN = 30_000
POSES, COUNTED = 200, 50
ROUNDS = 5
OPERATIONS = box_pair.MULTIPLICATIONS, box_pair.ADDITIONS, box_pair.COMPARISONS
# What the source gives for a pair of boxes; a step of its traversal compares four.
SOURCE = {True: (3.0, 4.0, 5.0), False: (1.5, 2.0, 2.5)}
VARIANTS = {
    "splits alone, one direction": (layout.BARE, False),
    "splits alone, both": (layout.BARE, True),
    "and trims, triangle planes": (layout.TRIMMED, True),
    "and slabs: ours": (layout.FULL, True),
    "the same, one direction": (layout.FULL, False),
}


def tree_with(mesh: kc.Mesh, extras: int) -> kc.BoxTree:
    """Return a tree with nothing but splits (the source's), with trims, or with trims and slabs (ours)."""
    n = len(mesh.triangles)
    nodes, order = np.empty(8 * n, np.float32), np.empty(n, np.int32)
    scratch = np.empty(box_cuts.TRIANGLE * n), np.empty(layout.SCRATCH)
    count = layout.build(*bare_surface(mesh), order, nodes, nodes.view(np.int32), *scratch, extras)
    return kc.BoxTree(mesh, nodes[: layout.NODE * (count + 1)].copy())


class BoxSearch(PairSearch):
    """A search in a box tree and itself that can compare boxes in A's frame only, and can count what it computes."""

    def __init__(
        self, tree: kc.BoxTree, X: np.ndarray, find: str, *, both: bool, extras: bool = True, counting: bool = False
    ) -> None:  # fmt: skip
        super().__init__(tree, np.eye(4), tree, X, find)
        self._tree, self._both, self._extras = tree, both, extras
        self._state[box_pair.COUNTING] = counting
        self._stack = np.empty(PAIR * (2 * tree.depth + 2))
        self._scratch = np.empty(exact.SCRATCH, np.int64)

    def _run_kernel(self, budget: int) -> int:
        tree, scratch = self._tree, (self._state, self._stack, self._buffer, self._scratch)
        options = self._find == "all", self._both, self._extras, budget
        return int(box_pair.collide(*tree.arrays, *tree.arrays, *self._poses, *scratch, *options))

    def per_pose(self, kind: int) -> float:
        """Return an entry of the state as an average over the poses."""
        return float(self._state[kind] / self.n_poses)

    def per_pair(self) -> list[float]:
        """Return multiplications, additions and comparisons for each pair of boxes of which one was cut."""
        return [self.per_pose(kind) / self.per_pose(box_pair.CUT_PAIRS) for kind in OPERATIONS]


@dataclass(frozen=True)
class Scene:
    """A mesh beside itself at poses near contact, with both trees."""

    name: str
    mesh: kc.Mesh
    X: np.ndarray
    obb: kc.OBBTree
    box: kc.BoxTree
    variants: dict[int, kc.BoxTree] = field(default_factory=dict)

    def tree(self, extras: int) -> kc.BoxTree:
        """Return a tree with so much besides splits."""
        if extras not in self.variants:
            self.variants[extras] = tree_with(self.mesh, extras)
        return self.variants[extras]


def scenes() -> list[Scene]:
    """Return the knots, the machined part and the scan."""
    found = []
    for mesh in (*(torus_knot(n) for n in KNOTS), machined_part(), scan_like(SCAN)):
        X = near_contact_poses(mesh, mesh, POSES)
        found.append(Scene(mesh.name or "", mesh, X, kc.build_obb_tree(mesh), kc.build_box_tree(mesh)))
    return found


def times(all_scenes: list[Scene], find: str) -> None:
    """Print times and pairs of boxes of oriented boxes, and of the BoxTree in both directions and in one."""
    heads = "".join(f"{head:>14}{'pairs':>9}" for head in ("OBBTree", "both ways", "one way"))
    print(f"\nBoxTree, find={find!r}, per pose near contact\n{'':<22}{heads}{'ratio':>9}{'one way':>9}")
    for s in all_scenes:

        def oriented(s: Scene = s) -> PairSearch:
            return PairSearch(s.obb, np.eye(4), s.obb, s.X, find).run_to_end()

        def boxes(both: bool, s: Scene = s) -> PairSearch:
            return BoxSearch(s.box, s.X, find, both=both).run_to_end()

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
    """Print what pairs of boxes cost, tests of planes included, and a step of four pairs, as the source counts."""
    heads = ("mult", "add", "comp")
    print(
        f"\nBoxTree, operations per pair of boxes, and per step of four pairs; counts and time per pose, find='all'\n"
        f"{'':<32}{'':4}{''.join(f'{h:>7}' for h in heads)}{'':4}{''.join(f'{h:>7}' for h in heads)}"
        f"{'pairs':>9}{'planes':>8}{'leaves':>8}{'exact':>7}{'time':>10}{'bytes':>7}"
    )
    for both, name in ((True, "source, at most, both"), (False, "source, at most, one direction")):
        print(f"{name:<32}{_numbers(SOURCE[both])}")
    for s in all_scenes:
        print(s.name)
        for name, (extras, both) in VARIANTS.items():
            run = partial(_counted, s.tree(extras), s.X[:COUNTED], both, extras != layout.BARE)
            (time,) = best_times([partial(run, counting=False)], COUNTED, 2)
            found = run(counting=True)
            counts = f"{found.per_pose(box_pair.CUT_PAIRS):>9.0f}{found.per_pose(box_pair.SLABS):>8.0f}"
            leaves, exactly = (found.counts[kind] / COUNTED for kind in ("triangle_pairs", "exact_pairs"))
            size = s.tree(extras).nbytes / len(s.mesh.triangles)
            print(
                f"  {name:<30}{_numbers(found.per_pair())}{counts}{leaves:>8.0f}{exactly:>7.2f}{duration(time):>10}"
                f"{size:>7.1f}"
            )


def _counted(tree: kc.BoxTree, X: np.ndarray, both: bool, extras: bool, *, counting: bool) -> BoxSearch:
    search = BoxSearch(tree, X, "all", both=both, extras=extras, counting=counting)
    search.run_to_end()
    return search


def _numbers(per_pair: tuple[float, ...] | list[float]) -> str:
    pairs, steps = "".join(f"{x:>7.2f}" for x in per_pair), "".join(f"{4 * x:>7.1f}" for x in per_pair)
    return f"{'':4}{pairs}{'':4}{steps}"


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
    operations(all_scenes)
    times(all_scenes, "any")
    times(all_scenes, "all")


if __name__ == "__main__":
    main()
