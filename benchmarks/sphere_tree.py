"""Sphere trees: savings by the hierarchy and the marks, ranks and ratios, surface against filling, time to build."""

from __future__ import annotations

import math
import time

import numpy as np

import keepclear as kc
from benchmarks.harness import best_times, duration
from benchmarks.mesh_models import machined_part, scan_like, torus_knot
from keepclear.query.instant.sphere_results import SphereCollision, SphereDistance
from keepclear.query.instant.sphere_search import sphere_collide

POSES = 100
ROUNDS = 3
PARTS = ("torus knot", "scan", "machined part")


def parts() -> dict[str, kc.Mesh]:
    """Return parts of about 10 000 triangles."""
    return dict(zip(PARTS, (torus_knot(10_000), scan_like(10_000), machined_part()), strict=True))


def size_of(mesh: kc.Mesh) -> float:
    """Return the longest edge of the box around a mesh [m]."""
    return float(np.ptp(mesh.vertices, axis=0).max())


def poses_near(tree: kc.SphereTree, n: int = POSES, seed: int = 1) -> np.ndarray:
    """Return poses of a copy of a tree at which the covers are just apart or just overlap, half of each."""
    rng = np.random.default_rng(seed)
    X = np.tile(np.eye(4), (n, 1, 1))
    for k in range(n):
        q, r = np.linalg.qr(rng.normal(size=(3, 3)))
        q *= np.sign(np.diag(r))
        X[k, :3, :3] = q if np.linalg.det(q) > 0.0 else q[:, [1, 0, 2]]
    d = rng.normal(size=(n, 3))
    d /= np.linalg.norm(d, axis=1)[:, None]
    center = tree.ranks[0].centers[0]
    low, high = np.zeros(n), np.full(n, 2.1 * float(tree.ranks[0].reach[0]))
    for _ in range(20):
        middle = 0.5 * (low + high)
        X[:, :3, 3] = center - np.einsum("kij,j->ki", X[:, :3, :3], center) + middle[:, None] * d
        touching = kc.collide(tree, np.eye(4), tree, X).may_touch
        low, high = np.where(touching, middle, low), np.where(touching, high, middle)
    shift = tree.accuracy * np.where(np.arange(n) % 2, 0.5, -0.5)
    X[:, :3, 3] += shift[:, None] * d
    return X


def against_all_pairs(meshes: dict[str, kc.Mesh]) -> None:
    """Print tests with the hierarchy and marks, with the hierarchy alone, and of all smallest pairs."""
    print(
        "\nSphere trees, tests of spheres per pose near contact, accuracy 2 % of the size\n"
        f"{'':<16}{'find':>5}{'leaves':>8}{'all pairs':>12}{'hierarchy':>11}{'and marks':>11}{'saved':>8}"
        f"{'marks save':>12}{'time':>10}"
    )
    for name, mesh in meshes.items():
        tree = kc.build_sphere_tree(mesh, 0.02 * size_of(mesh))
        X = poses_near(tree)
        for find in ("any", "all"):

            def run(
                marks: bool = True, find: str = find, tree: kc.SphereTree = tree, X: np.ndarray = X
            ) -> object:
                return sphere_collide(tree, np.eye(4), tree, X, find, 0.0, False, 1, marks=marks)

            marked, plain = run(True), run(False)
            assert isinstance(marked, SphereCollision)
            assert isinstance(plain, SphereCollision)
            assert np.array_equal(marked.may_touch, plain.may_touch)
            (seconds,) = best_times([run], POSES, ROUNDS)
            everything = float(tree.n_leaves) ** 2
            print(
                f"{name:<16}{find:>5}{tree.n_leaves:>8}{everything:>12.3g}{plain.n_tests / POSES:>11.0f}"
                f"{marked.n_tests / POSES:>11.0f}{everything * POSES / marked.n_tests:>7.0f}x"
                f"{1 - marked.n_tests / plain.n_tests:>11.0%}{duration(seconds):>10}"
            )


def ranks_and_ratios(mesh: kc.Mesh) -> None:
    """Print tests and times over the number of ranks and over the ratio, at one accuracy."""
    accuracy = 0.02 * size_of(mesh)
    reference = kc.build_sphere_tree(mesh, accuracy)
    X = poses_near(reference)
    head = (
        f"{'spheres':>9}{'tests any':>11}{'time':>10}{'tests all':>11}{'time':>10}{'build':>10}{'bytes':>11}"
    )
    print(f"\nSphere trees, ranks and ratios, {mesh.name}, per pose near contact\n{'':<22}{head}")
    rows: list[tuple[str, dict[str, float | int]]] = [(f"{n} ranks", {"ranks": n}) for n in range(2, 9)]
    rows += [(f"ratio {ratio}", {"ratio": ratio}) for ratio in (1.3, 1.5, 2.0, 2.5, 3.0, 4.0)]
    for cells in ("source", "even"):
        for label, options in rows:

            def build(cells: str = cells, options: dict[str, float | int] = options) -> kc.SphereTree:
                return kc.build_sphere_tree(mesh, accuracy, cells=cells, **options)  # type: ignore[arg-type]

            tree = build()
            columns = ""
            for find in ("any", "all"):

                def run(tree: kc.SphereTree = tree, find: str = find) -> SphereCollision:
                    return sphere_collide(tree, np.eye(4), tree, X, find, 0.0, False, 1)

                tests = run().n_tests / POSES
                (seconds,) = best_times([run], POSES, ROUNDS)
                columns += f"{tests:>11.0f}{duration(seconds):>10}"
            (seconds,) = best_times([build], 1, ROUNDS)
            name = f"{label}, {cells}"
            print(f"{name:<22}{tree.n_spheres:>9}{columns}{duration(seconds):>10}{tree.nbytes:>11}")


def surface_or_filling(meshes: dict[str, kc.Mesh]) -> None:
    """Print how many smallest spheres the surface needs, and how many cubes of the same edge fill the box around it."""
    print(
        "\nSphere trees, smallest spheres for the surface; about how many cubes of that edge fill solid and box\n"
        f"{'':<16}{'accuracy':>10}{'source':>10}{'even':>10}{'solid':>12}{'box':>12}{'even/solid':>12}"
    )
    for name, mesh in meshes.items():
        for part in (0.04, 0.02, 0.01, 0.005):
            accuracy = part * size_of(mesh)
            counts = [kc.build_sphere_tree(mesh, accuracy, cells=c).n_leaves for c in ("source", "even")]
            edge = 2.0 * accuracy / math.sqrt(3.0)
            lower, upper = mesh.bounds
            box = math.prod(math.ceil(length / edge) for length in (upper - lower).tolist())
            solid = (
                abs(mesh.volume) / edge**3 + 0.5 * counts[1]
            )  # whole cubes inside, and those at the surface
            print(
                f"{name:<16}{part:>10.1%}{counts[0]:>10}{counts[1]:>10}{solid:>12.0f}{box:>12}"
                f"{counts[1] / solid:>12.2f}"
            )


def building(meshes: dict[str, kc.Mesh]) -> None:
    """Print how long building takes at 1 % of the size."""
    print(
        f"\nSphere trees, build at 1 % of the size\n{'':<16}{'triangles':>10}{'cells':>8}{'spheres':>9}{'time':>10}"
    )
    for name, mesh in meshes.items():
        for cells in ("source", "even"):
            best, tree = math.inf, None
            for _ in range(ROUNDS):
                start = time.process_time()
                tree = kc.build_sphere_tree(mesh, 0.01 * size_of(mesh), cells=cells)  # type: ignore[arg-type]
                best = min(best, time.process_time() - start)
            assert tree is not None
            print(f"{name:<16}{len(mesh.triangles):>10}{cells:>8}{tree.n_spheres:>9}{duration(best):>10}")


def accuracy_and_speed(mesh: kc.Mesh) -> None:
    """Print how tests and the bound of the gap change with the accuracy."""
    print(
        f"\nSphere trees, accuracy, {mesh.name}\n"
        f"{'':<16}{'leaves':>9}{'gap':>12}{'tests any':>11}{'time':>10}{'lower bound':>13}"
    )
    for part in (0.08, 0.04, 0.02, 0.01, 0.005):
        tree = kc.build_sphere_tree(mesh, part * size_of(mesh), cells="even")
        X = poses_near(tree)

        def run(tree: kc.SphereTree = tree, X: np.ndarray = X) -> SphereCollision:
            return kc.collide(tree, np.eye(4), tree, X)

        def bound(tree: kc.SphereTree = tree, X: np.ndarray = X) -> SphereDistance:
            return kc.distance(tree, np.eye(4), tree, X)

        found = run()
        seconds, descent = best_times([run, bound], POSES, ROUNDS)
        gap = float(np.nanmax(found.gap)) / size_of(mesh)
        print(
            f"{part:<16.1%}{tree.n_leaves:>9}{gap:>12.2%}{found.n_tests / POSES:>11.0f}{duration(seconds):>10}"
            f"{duration(descent):>13}"
        )


def main() -> None:
    """Print all tables."""
    meshes = parts()
    building(meshes)
    against_all_pairs(meshes)
    ranks_and_ratios(meshes["scan"])
    surface_or_filling(meshes)
    accuracy_and_speed(meshes["machined part"])


if __name__ == "__main__":
    main()
