"""The BoxTree beside oriented boxes and the source's own tree: size, pairs of boxes, operations and times."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import keepclear as kc
from benchmarks.harness import best_times, duration
from benchmarks.mesh_models import machined_part, near_contact_poses, scan_like, torus_knot
from benchmarks.operations import Case, captured, counted, replay
from benchmarks.references.box_tree import CUTS, LEAVES, begin, build_tree, overlapping
from keepclear.kernels.box_trees import pair
from keepclear.kernels.spheres import pair_search as sphere_pairs
from keepclear.kernels.trees import obb_pair
from keepclear.query.instant.pair_search import PairSearch

KNOTS = (1_000, 10_000, 100_000)
SCAN = 30_000
POSES, COUNTED = 200, 4
ROUNDS = 5
KINDS = "multiply", "add", "compare"
STEP = {True: (12, 16, 20), False: (6, 8, 10)}
"""Multiplications, additions and comparisons of a step of the source, at most: in both directions, and in one."""


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


def operations(n_triangles: int = KNOTS[0], n_poses: int = COUNTED) -> None:
    """Print operations on boxes, of the source's search, of ours, of oriented boxes and of spheres, on one knot.

    Tests of polygons and setting up a pose are left out; a division counts as a multiplication. The time of the
    source's search is that without tests of polygons.
    """
    mesh = torus_knot(n_triangles)
    X, E = near_contact_poses(mesh, mesh, n_poses), np.eye(4)
    tree = build_tree(np.asarray(mesh.vertices), np.asarray(mesh.triangles, np.int32))
    obb, box = kc.build_obb_tree(mesh), kc.build_box_tree(mesh)
    spheres = kc.build_sphere_tree(mesh, 0.01 * float(np.ptp(np.asarray(mesh.vertices), axis=0).max()))
    print(
        f"\noperations on boxes and spheres, per pose near contact, find='all' ({mesh.name})\n{'':<34}"
        + "".join(f"{kind:>12}" for kind in KINDS)
        + f"{'pairs':>9}{'leaves':>9}{'per pair':>20}{'per step':>20}{'at most':>14}{'time':>11}"
    )
    for both, name in ((True, "source, both directions"), (False, "source, one direction")):
        cases, pairs, leaves = [], 0, 0
        for x in X:
            found, state = overlapping(tree, tree, x, both=both)
            true = kc.collide(mesh, E, mesh, x, find="all").pairs
            lost = set(map(tuple, true.tolist())) - set(map(tuple, found.tolist()))
            assert not lost, f"{name}: {lost} intersect, and their boxes do not"
            pairs, leaves = pairs + state[CUTS], leaves + state[LEAVES]
            names = dict(zip(("E", "R", "G", "nodes"), begin(tree, tree, x), strict=True))
            arrays = {f"{key}_{body}": getattr(tree, key) for key in ("cuts", "links") for body in "ab"}
            cases.append({**names, **arrays, "both": np.array(both)})
        spent = counted("benchmarks.references.box_tree:operations_of", cases)
        steps = sum(one["steps"] for one in spent)
        (time,) = best_times(
            [lambda both=both: [overlapping(tree, tree, x, both=both) for x in X]], n_poses, ROUNDS
        )
        _print_operations(name, spent, n_poses, pairs, leaves, time, steps, STEP[both])
    for name, module, kernel, call, which in (
        ("ours", pair, "collide", lambda: PairSearch(box, E, box, X, "all").run_to_end(), (2, 6, 11)),
        (
            "oriented boxes",
            obb_pair,
            "collide",
            lambda: PairSearch(obb, E, obb, X, "all").run_to_end(),
            (2, 6),
        ),
        (
            "spheres",
            sphere_pairs,
            "search",
            lambda: kc.collide(spheres, E, spheres, X, find="all"),
            (0, 2, 11),
        ),
    ):
        calls: list[Case] = [{**one, "counted": np.array(which)} for one in captured(module, kernel, call)]
        if name == "spheres":
            found = kc.collide(spheres, E, spheres, X, find="all")
            pairs, leaves = int(found.tests.sum()), len(found.pairs)
        else:
            kind = box if name == "ours" else obb
            search = PairSearch(kind, E, kind, X, "all").run_to_end()
            pairs, leaves = search.counts["box_pairs"], search.counts["triangle_pairs"]
        (time,) = best_times([call], n_poses, ROUNDS)
        _print_operations(name, counted(f"{replay.__module__}:replay", calls), n_poses, pairs, leaves, time)


def _print_operations(
    name: str,
    spent: list[dict[str, int]],
    n_poses: int,
    pairs: int,
    leaves: int,
    time: float,
    steps: int = 0,
    most: tuple[int, ...] = (),
) -> None:
    total = [sum(one[kind] for one in spent) for kind in KINDS]
    total[0] += sum(one["divide"] for one in spent)
    per_pair = " ".join(f"{x / pairs:.1f}" for x in total)
    per_step = " ".join(f"{x / steps:.1f}" for x in total) if steps else "-"
    columns = (
        "".join(f"{x / n_poses:>12,.0f}" for x in total)
        + f"{pairs / n_poses:>9,.0f}{leaves / n_poses:>9,.0f}"
    )
    print(
        f"{name:<34}{columns}{per_pair:>20}{per_step:>20}{' '.join(map(str, most)) or '-':>14}{duration(time):>11}"
    )


def main() -> None:
    """Print all tables."""
    operations()
    all_scenes = scenes()
    sizes(all_scenes)
    times(all_scenes, "any")
    times(all_scenes, "all")


if __name__ == "__main__":
    main()
