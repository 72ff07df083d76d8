"""Memory of meshes and trees per triangle: as they report it, and as a new process grows, beside coal's and fcl's."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import keepclear as kc
from benchmarks.mesh_models import torus_knot
from benchmarks.mesh_peers import Coal, Fcl

N_TRIANGLES = 1_000_000
PORTION = 10_000  # vertices or triangles that a world is given at once
STATM = Path("/proc/self/statm")


def resident() -> int:
    """Return how much memory this process has [bytes]; 0 where the system does not tell."""
    if not STATM.exists():
        return 0
    return int(STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _coal(boxes: str) -> Callable[[kc.Mesh], Any]:
    small = torus_knot(100)
    return Coal(small, small, boxes).build


def _fcl() -> Callable[[kc.Mesh], Any]:
    small = torus_knot(100)
    return Fcl(small, small).build


def _coal_bytes(model: Any) -> int:
    return int(model.memUsage(False))


def _our_bytes(made: tuple[Any, ...]) -> int:
    return sum(part.nbytes for part in made)


def _mesh_again(mesh: kc.Mesh) -> tuple[kc.Mesh]:
    return (kc.Mesh(mesh.vertices, mesh.triangles),)


def _both_trees(mesh: kc.Mesh) -> tuple[kc.OBBTree, kc.BoxTree]:
    return kc.build_obb_tree(mesh), kc.build_box_tree(mesh)


def _world(using: Any, mesh: kc.Mesh) -> tuple[kc.World]:
    """Return a world that got a mesh in portions, as a device does; its trees are built at the end of the block."""
    world = kc.World(using, threads=1)
    with world.begin("mesh") as target:
        for k in range(0, len(mesh.vertices), PORTION):
            target.vertices(mesh.vertices[k : k + PORTION])
        for k in range(0, len(mesh.triangles), PORTION):
            target.faces(mesh.triangles[k : k + PORTION])
    return (world,)


# For each contestant, what makes its builder, and what its model reports (python-fcl's reports nothing). Trees are
# built for a mesh that is there already; the memory of the mesh is a line of its own.
BUILDERS: dict[str, tuple[Callable[[], Callable[[kc.Mesh], Any]], Callable[[Any], int] | None]] = {
    "Mesh": (lambda: _mesh_again, _our_bytes),
    "BoxTree": (lambda: lambda mesh: (kc.build_box_tree(mesh),), _our_bytes),
    "OBBTree": (lambda: lambda mesh: (kc.build_obb_tree(mesh),), _our_bytes),
    "OBBTree and BoxTree": (lambda: _both_trees, _our_bytes),
    "World(using='box_tree'), with its mesh": (lambda: partial(_world, "box_tree"), _our_bytes),
    "World(using='obb_tree'), with its mesh": (lambda: partial(_world, "obb_tree"), _our_bytes),
    "coal, OBB": (lambda: _coal("OBB"), _coal_bytes),
    "coal, OBBRSS": (lambda: _coal("OBBRSS"), _coal_bytes),
    "python-fcl, OBBRSS": (_fcl, None),
}


def first_question(made: Any) -> None:
    """Search each of our trees once, so that it is known whether the mesh is closed, and all is kept that is needed."""
    for part in made if isinstance(made, tuple) else ():
        X_WB = np.eye(4)
        X_WB[0, 3] = 100.0
        if isinstance(part, kc.World):
            part.submit("mesh", "mesh", X_WB).result()
        elif isinstance(part, kc.Mesh):
            _ = part.check
        else:
            kc.collide(part, np.eye(4), part, X_WB)


def measure(name: str, n_triangles: int) -> dict[str, int | None]:
    """Return bytes as reported, as grown when one model is built in this process, and after its first search."""
    make, reported = BUILDERS[name]
    build, mesh = make(), torus_knot(n_triangles)
    small = build(
        torus_knot(4000)
    )  # loads code, also that of the cache, and grows what is shared between builds
    first_question(small)
    gc.collect()
    before = resident()
    tree = build(mesh)
    gc.collect()
    grown = resident() - before if before else None
    first_question(tree)
    gc.collect()
    asked = resident() - before if before else None
    del small
    return {"reported": None if reported is None else reported(tree), "grown": grown, "searched": asked}


def in_new_process(name: str, n_triangles: int = N_TRIANGLES) -> dict[str, int | None]:
    """Measure in a new process, so that no contestant inherits what others left.

    Large arrays go back to the system as soon as they are freed; else new ones would hide where old ones were.
    """
    command = [sys.executable, "-m", "benchmarks.mesh_memory", name, str(n_triangles)]
    environment = os.environ | {"MALLOC_MMAP_THRESHOLD_": "65536"}
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    answer: dict[str, int | None] = json.loads(done.stdout)
    return answer


def per_triangle(value: int | None, triangles: int) -> str:
    """Return bytes per triangle, or that they are not known."""
    return "not known" if value is None else f"{value / triangles:.1f}"


def main() -> None:
    """Print bytes per triangle of all contestants, or measure one if it is named on the command line."""
    if __name__ == "__main__" and len(sys.argv) == 3:
        print(json.dumps(measure(sys.argv[1], int(sys.argv[2]))))
        return
    mesh = torus_knot(N_TRIANGLES)
    n = len(mesh.triangles)
    columns = "reported", "grown", "searched"
    print(f"\nMemory, {n} triangles, bytes per triangle{columns[0]:>22}{columns[1]:>12}{columns[2]:>12}")
    for name in BUILDERS:
        found = in_new_process(name)
        reported, grown, searched = (per_triangle(found[key], n) for key in columns)
        print(f"{name:<42}{reported:>20}{grown:>12}{searched:>12}")
    print(
        "Reported: the arrays of the mesh; boxes of our trees, which read these arrays; boxes, vertices and triangles "
        "of coal's.\nGrown: resident memory of a new process; for trees, beyond a mesh that is there already.\n"
        "Searched: the same after the first search, which for ours finds whether the mesh is closed."
    )


if __name__ == "__main__":
    main()
