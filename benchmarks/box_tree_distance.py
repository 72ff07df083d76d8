"""Distances, first contacts and verification on box trees themselves, and what they cost beside oriented boxes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import keepclear as kc
from benchmarks.harness import best_times, duration
from benchmarks.mesh_models import machined_part, near_contact_poses, scan_like, smooth_motion, torus_knot
from benchmarks.moving_cases import Case, Family, mesh_mesh_families

POSES, FRAMES, CASES = 100, 500, 8
APART = 0.05  # of the size of a mesh, by which poses near contact are moved away
BUILDERS: dict[str, Callable[[kc.Mesh], Any]] = {"OBBTree": kc.build_obb_tree, "BoxTree": kc.build_box_tree}


def distances() -> None:
    """Print times of single distances, near and farther away, and of frames of a motion, with bytes of the trees."""
    print(
        f"\nDistance of a mesh and itself, per pose\n{'':<22}{'':<10}{'near contact':>14}{'farther':>12}"
        f"{'tracked frame':>15}{'bytes per triangle':>20}"
    )
    for mesh in (
        torus_knot(1_000),
        torus_knot(10_000),
        torus_knot(100_000),
        machined_part(),
        scan_like(30_000),
    ):
        near = near_contact_poses(mesh, mesh, POSES)
        far = near.copy()
        lower, upper = mesh.bounds
        away = far[:, :3, 3] - 0.5 * (lower + upper)
        size = float(np.linalg.norm(upper - lower))
        far[:, :3, 3] += APART * size * away / np.linalg.norm(away, axis=1)[:, None]
        motion = smooth_motion(mesh, mesh, FRAMES)
        trees = {name: build(mesh) for name, build in BUILDERS.items()}
        _agree(mesh.name or "", trees, np.concatenate([near, far]))
        jobs = [partial(_distances, tree, X) for tree in trees.values() for X in (near, far)]
        cold = best_times(jobs, POSES, 3)
        tracked = best_times([partial(_tracked, tree, motion) for tree in trees.values()], FRAMES, 3)
        for k, (name, tree) in enumerate(trees.items()):
            columns = f"{duration(cold[2 * k]):>14}{duration(cold[2 * k + 1]):>12}{duration(tracked[k]):>15}"
            print(
                f"{mesh.name if k == 0 else '':<22}{name:<10}{columns}{tree.nbytes / len(mesh.triangles):>20.1f}"
            )


def _distances(tree: Any, X: np.ndarray) -> kc.Distance:
    return kc.distance(tree, np.eye(4), tree, X)


def _tracked(tree: Any, X: np.ndarray) -> None:
    kc.Tracker(tree, tree).distance(np.eye(4), X)


def _agree(name: str, trees: dict[str, Any], X: np.ndarray) -> None:
    one, other = (_distances(tree, X) for tree in trees.values())
    assert np.array_equal(one.state, other.state), f"{name}: the trees do not answer the same"
    assert np.all((one.lower <= other.upper) & (other.lower <= one.upper)), (
        f"{name}: bounds contradict each other"
    )


def contacts() -> None:
    """Print times of first contacts and of worlds verified with minimum distances, and how many distances they took."""
    print(
        f"\nFirst contact, and verification with clearances to 1 mm, per pair of 1 000 triangles\n{'':<30}"
        f"{'OBBTree':>12}{'BoxTree':>12}{'ratio':>9}{'distances':>11}{'verify':>12}{'BoxTree':>12}{'ratio':>9}"
    )
    for family in mesh_mesh_families(CASES):
        first = best_times([partial(_first, family, build) for build in BUILDERS.values()], CASES, 1)
        verified = best_times(
            [partial(_verify, family, using) for using in ("obb_tree", "box_tree")], CASES, 1
        )
        answers = [_first(family, build) for build in BUILDERS.values()]
        verdicts = [[k.verdict for k in found] for found in answers]
        assert verdicts[0] == verdicts[1], f"{family.name}: the trees do not answer the same"
        counts = sum(k.evaluations for k in answers[1]) / CASES
        print(
            f"{family.name:<30}{duration(first[0]):>12}{duration(first[1]):>12}{first[1] / first[0]:>8.1f}x"
            f"{counts:>11.0f}{duration(verified[0]):>12}{duration(verified[1]):>12}{verified[1] / verified[0]:>8.1f}x"
        )


def _first(family: Family, build: Callable[[kc.Mesh], Any]) -> list[kc.FirstContact]:
    trees = {id(body): build(body) for case in family.cases for body in _meshes(case)}
    return [
        kc.first_contact(trees[id(case.fixed)], case.question[1], trees[id(case.moving)], case.question[3])
        for case in family.cases
    ]


def _verify(family: Family, using: Any) -> None:
    for case in family.cases:
        with kc.World(using, threads=1) as world:
            world.add("fixed", case.fixed, case.question[1])
            world.add("moving", case.moving, case.question[3])
            world.verify()


def _meshes(case: Case) -> list[kc.Mesh]:
    return [body for body in (case.fixed, case.moving) if isinstance(body, kc.Mesh)]


def main() -> None:
    """Print both tables."""
    distances()
    contacts()


if __name__ == "__main__":
    main()
