"""What trees weigh per triangle: as they say themselves, and as the memory of a new process grows, beside coal's."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import keepclear as kc
from benchmarks.mesh_models import torus_knot
from benchmarks.mesh_peers import Coal, Fcl

N_TRIANGLES = 1_000_000
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


def _our_bytes(tree: Any) -> int:
    return int(tree.nbytes)


# For each contestant, what makes its builder, and what its model says of itself (python-fcl's says nothing).
BUILDERS: dict[str, tuple[Callable[[], Callable[[kc.Mesh], Any]], Callable[[Any], int] | None]] = {
    "BoxTree": (lambda: kc.build_box_tree, _our_bytes),
    "OBBTree": (lambda: kc.build_obb_tree, _our_bytes),
    "coal, OBB": (lambda: _coal("OBB"), _coal_bytes),
    "coal, OBBRSS": (lambda: _coal("OBBRSS"), _coal_bytes),
    "python-fcl, OBBRSS": (_fcl, None),
}


def first_question(tree: Any) -> None:
    """Ask one of our trees something, so that it finds out whether the mesh is closed, and keeps what it needs."""
    if isinstance(tree, kc.BoxTree | kc.OBBTree):
        X_WB = np.eye(4)
        X_WB[0, 3] = 100.0
        kc.collide(tree, np.eye(4), tree, X_WB)


def measure(name: str, n_triangles: int) -> dict[str, int | None]:
    """Return bytes as told, as grown when one tree is built in this process, and after its first question."""
    make, told = BUILDERS[name]
    build, mesh = make(), torus_knot(n_triangles)
    small = build(torus_knot(1000))  # loads code and grows what is shared between builds
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
    return {"told": None if told is None else told(tree), "grown": grown, "asked": asked}


def in_new_process(name: str) -> dict[str, int | None]:
    """Measure in a process of its own, so that nobody inherits what others left.

    Large arrays go back to the system as soon as they are freed; else new ones would hide where old ones were.
    """
    command = [sys.executable, "-m", "benchmarks.mesh_memory", name, str(N_TRIANGLES)]
    environment = os.environ | {"MALLOC_MMAP_THRESHOLD_": "65536"}
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    answer: dict[str, int | None] = json.loads(done.stdout)
    return answer


def per_triangle(value: int | None, triangles: int) -> str:
    """Return bytes per triangle, or that nobody knows."""
    return "not known" if value is None else f"{value / triangles:.1f}"


def main() -> None:
    """Print bytes per triangle of one tree, or measure one contestant if it is named on the command line."""
    if __name__ == "__main__" and len(sys.argv) == 3:
        print(json.dumps(measure(sys.argv[1], int(sys.argv[2]))))
        return
    mesh = torus_knot(N_TRIANGLES)
    n = len(mesh.triangles)
    arrays = mesh.vertices.nbytes + mesh.triangles.nbytes
    print(f"\nMemory, {n} triangles, bytes per triangle{'told':>22}{'grown':>12}{'asked':>12}")
    for name in BUILDERS:
        found = in_new_process(name)
        told, grown, asked = (per_triangle(found[key], n) for key in ("told", "grown", "asked"))
        print(f"{name:<42}{told:>20}{grown:>12}{asked:>12}")
    print(
        f"Told: boxes of our trees; boxes, vertices and triangles of coal's. The arrays of the mesh are "
        f"{arrays / n:.1f}.\nGrown: resident memory of a new process, with the copy of these arrays that each keeps."
        "\nAsked: the same after the first question, which for ours looks whether the mesh is closed."
    )


if __name__ == "__main__":
    main()
