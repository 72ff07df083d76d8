"""Convex decomposition of surfaces: elements and time, convex ones only and concave ones first."""

from __future__ import annotations

import time
import warnings
from pathlib import Path

import numpy as np

import keepclear as kc
from benchmarks.mesh_models import machined_part, scan_like, torus_knot

SHARED = Path(__file__).parents[2] / "shared" / "data" / "meshes"
ROUNDS = 3


def parts() -> dict[str, kc.Mesh]:
    """Return the parts: those of the outside data that are there, and three that are made here."""
    found = {}
    for name in ("featuretype.STL", "torus.STL", "spot.obj", "busted.STL"):
        if (SHARED / name).is_file():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", kc.UnitWarning)
                found[name] = kc.read_mesh(SHARED / name, unit="m")
    return found | {
        "machined part": machined_part(), "torus knot": torus_knot(100_000), "scan": scan_like(100_000),
    }  # fmt: skip


def surfaces(meshes: dict[str, kc.Mesh]) -> None:
    """Print elements and times."""
    print(
        "\nConvex elements of surfaces, eps a millionth of the size, best of "
        f"{ROUNDS} rounds of process CPU time\n"
        f"{'':<18}{'triangles':>10}{'convex only':>13}{'concave first':>15}{'largest defect':>16}{'time':>10}"
    )
    for name, mesh in meshes.items():
        kc.decompose(mesh)
        best = np.inf
        for _ in range(ROUNDS):
            start = time.process_time()
            found = kc.decompose(mesh)
            best = min(best, time.process_time() - start)
        both = [len(kc.decompose(mesh, negative=negative)) for negative in (False, True)]
        print(
            f"{name:<18}{len(mesh.triangles):>10}{both[0]:>13}{both[1]:>15}{found.defects.max():>14.1e} m"
            f"{1e3 * best:>7.0f} ms"
        )


def main() -> None:
    """Print all tables."""
    surfaces(parts())
