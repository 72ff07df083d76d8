"""Models that are prepared once: loading against preparing, sizes worth storing, and a second run of a cell."""

from __future__ import annotations

import os
import resource
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import keepclear as kc
from benchmarks.harness import duration
from benchmarks.mesh_models import machined_part, scan_like, torus_knot
from benchmarks.panda_peers import SRDF, URDF
from keepclear.geometry.hulls import build as hulls
from keepclear.geometry.hulls.faces import build_hull_faces
from keepclear.geometry.models.element_files import ElementRecord, read_elements, write_elements
from keepclear.geometry.models.sections import SECTIONS, Model
from keepclear.geometry.shapes.hull import build_hull_graph
from keepclear.geometry.shapes.mesh_check import find_closure
from keepclear.geometry.storage.cache import mesh_digest, read_entry, write_entry
from keepclear.geometry.trees.trees import TREE_VERSION, OBBTree

ROUNDS = 5
N_PARTS = 30


def main() -> None:
    """Print all tables."""
    with tempfile.TemporaryDirectory() as folder:
        structures()
        loading(Path(folder))
        element_files(Path(folder))
        break_even()
        repeated_cell(Path(folder))


def cpu(job: Callable[[], object]) -> float:
    """Return the CPU time that a job takes [s]."""
    start = time.process_time()
    job()
    return time.process_time() - start


def loading(folder: Path) -> None:
    """Print how long models take to prepare and to load: best of rounds that take turns."""
    print("\nPrepare a model, or load it from its file")
    print(f"{'':<28}{'prepare':>12}{'load':>12}{'ratio':>8}{'bytes':>12}")
    find, hulls.read_entry = hulls.read_entry, lambda *_: None  # hulls are to be found each time
    path = folder / "model.kcm"
    try:
        for mesh in (torus_knot(100_000), scan_like(100_000), scan_like(10_000), machined_part()):
            best = [np.inf, np.inf]
            for _ in range(ROUNDS):
                same = kc.Mesh(mesh.vertices, mesh.triangles)
                best[0] = min(best[0], cpu(lambda same=same: kc.prepare(same)))
                kc.write_prepared(kc.prepare(same), path)
                best[1] = min(best[1], cpu(lambda: kc.read_prepared(path)))
            size = path.stat().st_size
            print(
                f"{mesh.name:<28}{duration(best[0]):>12}{duration(best[1]):>12}{best[0] / best[1]:7.1f}x{size:12d}"
            )
    finally:
        hulls.read_entry = find


def element_files(folder: Path, sizes: tuple[int, ...] = (1000, 10_000, 100_000)) -> None:
    """Print how long L files of one convex element with N vertices take to load, beside building its graph."""
    print(
        f"\nL files of convex elements\n{'vertices':>10}{'build':>12}{'load':>12}{'load per vertex':>18}{'bytes':>12}"
    )
    for n in sizes:
        points = np.random.default_rng(n).normal(size=(n, 3))
        points /= np.linalg.norm(points, axis=1)[:, None]
        graph = build_hull_graph(points)
        around = tuple(np.split(graph.neighbours.astype(np.int64), graph.neighbour_start[1:-1]))
        path = folder / "ball.l"
        write_elements([ElementRecord(1, graph.vertices, around)], path)
        build = min(cpu(lambda points=points: build_hull_graph(points)) for _ in range(2))
        load = min(cpu(lambda path=path: read_elements(path)) for _ in range(2))
        assert len(read_elements(path)[0].vertices) == len(graph.vertices)
        size = path.stat().st_size
        print(f"{n:>10}{duration(build):>12}{duration(load):>12}{duration(load / n):>18}{size:>12}")


def structures() -> None:
    """Print for each structure how many bytes it has, and how long it takes to build, and to prove or build again."""
    print("\nStructures of a file: building them, and reading them")
    print(f"{'':<28}{'bytes':>12}{'build':>12}{'read':>12}{'ratio':>8}")
    for mesh in (scan_like(100_000), torus_knot(100_000)):
        accuracy = float(np.ptp(mesh.vertices, axis=0).max()) / 50
        model = Model(mesh, None, kc.build_sphere_tree(mesh, accuracy))
        graph = build_hull_graph(mesh._vertices)
        builders: dict[str, Callable[[], object]] = {
            "obb_tree": lambda mesh=mesh: kc.build_obb_tree(mesh),
            "box_tree": lambda mesh=mesh: kc.build_box_tree(mesh),
            "hull": lambda mesh=mesh: build_hull_graph(mesh._vertices),
            "hull_faces": lambda mesh=mesh, graph=graph: build_hull_faces(
                mesh._vertices, mesh._triangles.astype(np.int64), graph
            ),
            "sphere_tree": lambda mesh=mesh, accuracy=accuracy: kc.build_sphere_tree(mesh, accuracy),
        }
        kc.prepare(mesh, trees=["obb_tree", "box_tree"])
        for name, build in builders.items():
            arrays = SECTIONS[name].write(model)
            assert arrays is not None
            read = min(
                cpu(lambda name=name, arrays=arrays: SECTIONS[name].read(model, arrays))
                for _ in range(ROUNDS)
            )
            best = min(cpu(build) for _ in range(ROUNDS))
            size = sum(array.nbytes for array in arrays.values())
            print(f"{name:<28}{size:12d}{duration(best):>12}{duration(read):>12}{best / read:7.1f}x")
        closure = min(
            cpu(lambda mesh=mesh: find_closure(mesh._vertices, mesh._triangles)) for _ in range(ROUNDS)
        )
        print(f"{'whether it is closed':<28}{0:12d}{duration(closure):>12}")


def break_even() -> None:
    """Print from how many triangles on a tree is read from the cache faster than it is built."""
    print("\nTree of oriented boxes: build it, or read it from the cache")
    print(f"{'triangles':<28}{'build':>12}{'read':>12}{'ratio':>8}")
    for n in (250, 500, 1000, 2000, 4000, 16_000):
        mesh = scan_like(n)
        key = "obb_tree", TREE_VERSION["obb_tree"], mesh_digest(mesh)
        write_entry(*key, {"nodes": kc.build_obb_tree(mesh)._nodes})

        def read(mesh: kc.Mesh = mesh, key: tuple[str, int, bytes] = key) -> None:
            stored = read_entry(*key)
            assert stored is not None
            OBBTree(mesh, stored["nodes"])

        build = min(cpu(lambda mesh=mesh: kc.build_obb_tree(mesh)) for _ in range(4 * ROUNDS))
        again = min(cpu(read) for _ in range(4 * ROUNDS))
        print(f"{n:<28}{duration(build):>12}{duration(again):>12}{build / again:7.1f}x")


def repeated_cell(folder: Path) -> None:
    """Print how long `keepclear verify` takes for a cell of a robot and 30 meshes, first and again."""
    if not URDF.exists():
        print("\nthe cell needs the Panda of the shared data, which is not there")
        return
    cell = write_cell(folder)
    models = folder / "cache"
    environment = os.environ | {"KEEPCLEAR_QUIET": "1"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package has its bytecode
    kernels = Path(os.environ.get("KEEPCLEAR_CACHE_DIR") or Path("~/.cache/keepclear").expanduser())

    def verify() -> tuple[float, int]:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, "-m", "keepclear", "verify", "-q", "--threads", "1", str(cell)]
        code = subprocess.run(
            command, env=environment | {"KEEPCLEAR_CACHE_DIR": str(models)}, check=False
        ).returncode
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, code

    models.mkdir(mode=0o700)
    (models / "kernels").symlink_to(kernels / "kernels")  # compiled kernels are there both times
    verify()  # kernels and bytecode
    first, again = [], []
    for _ in range(3):
        for entry in (models / "models").glob("*"):
            entry.unlink()
        first.append(verify())
        again.append(verify())
    assert len({code for _, code in first + again}) == 1
    best = min(first)[0], min(again)[0]
    print(
        f"\nkeepclear verify, a Panda among {N_PARTS} meshes of 5 000 to 50 000 triangles (exit {first[0][1]})"
    )
    print(f"first {duration(best[0])}, again {duration(best[1])}: {best[0] / best[1]:.1f}x")


def write_cell(folder: Path) -> Path:
    """Write a cell in which a Panda turns between 30 parts that stand around it, close to its path."""
    lines = [f"  arm: {{robot: {URDF}, srdf: {SRDF}, motion: arm.csv}}"]
    for k, n in enumerate(np.geomspace(5_000, 50_000, N_PARTS).astype(int) // 2 * 2):
        mesh = scan_like(int(n), seed=k).scaled(0.6) if k % 2 else torus_knot(int(n)).scaled(0.04)
        write_stl(folder / f"part{k}.stl", mesh)
        turn, radius = -2.4 + 4.8 * k / (N_PARTS - 1), 0.64
        x, y, z = radius * np.cos(turn), radius * np.sin(turn), 0.45 if k % 3 else 0.62
        lines.append(f"  part{k}: {{mesh: part{k}.stl, unit: m, position: [{x:.4f}, {y:.4f}, {z:.4f}]}}")
    (folder / "cell.yaml").write_text("tolerance: 0.001\nobjects:\n" + "\n".join(lines) + "\n")
    names = kc.read_robot(URDF).joint_names
    rows = [",".join(["time", *names])]
    for t in np.linspace(0.0, 10.0, 21):
        q = [-2.5 + 0.5 * t, -0.35, 0.0, -2.4, 0.0, 2.0, 0.8, *[0.0] * len(names)][: len(names)]
        rows.append(",".join(f"{value:.6f}" for value in (t, *q)))
    (folder / "arm.csv").write_text("\n".join(rows) + "\n")
    return folder / "cell.yaml"


def write_stl(path: Path, mesh: kc.Mesh) -> None:
    """Write a mesh as binary STL."""
    rows = np.zeros(
        len(mesh.triangles),
        np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")]),
    )
    rows["corners"] = mesh.vertices[mesh.triangles]
    path.write_bytes(bytes(80) + struct.pack("<I", len(rows)) + rows.tobytes())


if __name__ == "__main__":
    main()
