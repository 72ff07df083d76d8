"""Convex decomposition: elements of surfaces, and parts that contain solids beside CoACD and V-HACD."""

from __future__ import annotations

import time
import warnings
from functools import partial
from pathlib import Path

import numpy as np
from tests.unit.geometry.element_meshes import dish, frame, gear, l_block, plate, u_block

import keepclear as kc
from benchmarks.mesh_models import machined_part, scan_like, torus_knot
from keepclear.geometry.decomposition.solid_search import BUDGET, Solid

SHARED = Path(__file__).parents[2] / "shared" / "data" / "meshes"
ROUNDS = 3


def parts() -> dict[str, kc.Mesh]:
    """Return the parts: those of the outside data that are there, and some that are made here."""
    found = {}
    for name in ("featuretype.STL", "torus.STL", "spot.obj", "busted.STL"):
        if (SHARED / name).is_file():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", kc.UnitWarning)
                found[name] = kc.read_mesh(SHARED / name, unit="m")
    return found | {
        "machined part": machined_part(), "torus knot": torus_knot(100_000), "scan": scan_like(100_000),
        "L": l_block(), "U": u_block(), "gear": gear(24), "plate with 9 holes": plate(9), "truss": frame(),
        "dish": dish(24, 72),
    }  # fmt: skip


def surfaces(meshes: dict[str, kc.Mesh]) -> None:
    """Print elements and times."""
    print(
        "\nConvex elements of surfaces, eps a millionth of the size, best of "
        f"{ROUNDS} rounds of process CPU time\n"
        f"{'':<20}{'triangles':>10}{'convex only':>13}{'concave first':>15}{'largest defect':>16}{'time':>10}"
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
            f"{name:<20}{len(mesh.triangles):>10}{both[0]:>13}{both[1]:>15}{found.defects.max():>14.1e} m"
            f"{1e3 * best:>7.0f} ms"
        )


SOLIDS = {"featuretype.STL": 0.11, "torus.STL": 0.13, "spot.obj": 0.08}
"""Allowed excess [m]. The holes of `featuretype` have radii from 0.125 m on."""


def solids(meshes: dict[str, kc.Mesh]) -> None:
    """Print parts, excess and time beside the peers that are installed, all measured by the same certified excess."""
    print(
        "\nConvex parts of solids, process CPU time of one call; short: how far vertices and centres of triangles are\n"
        "outside of all parts\n"
        f"{'':<18}{'':<10}{'parts':>6}{'vertices':>10}{'excess':>10}{'short':>10}{'volumes':>10}{'time':>10}"
    )
    for name, excess in SOLIDS.items():
        if name not in meshes:
            continue
        mesh = meshes[name]
        kc.decompose(kc.Mesh(mesh.vertices, mesh.triangles), solid=True, max_parts=1)
        for method, run in {"keepclear": partial(_ours, excess), "CoACD": _coacd, "V-HACD": _vhacd}.items():
            try:
                start = time.process_time()
                hulls = run(mesh)
                seconds = time.process_time() - start
            except ImportError:
                print(f"{name:<18}{method:<10} not installed")
                continue
            bound, short, volume = _measured(mesh, hulls, excess)
            n = sum(len(hull.vertices) for hull in hulls)
            print(
                f"{name:<18}{method:<10}{len(hulls):>6}{n:>10}{bound:>8.4f} m{short:>8.1e} m"
                f"{volume / mesh.volume:>10.3f}{seconds:>8.2f} s"
            )


def _ours(excess: float, mesh: kc.Mesh) -> list[kc.Convex]:
    return list(kc.decompose(kc.Mesh(mesh.vertices, mesh.triangles), solid=True, excess=excess).parts)


def _coacd(mesh: kc.Mesh) -> list[kc.Convex]:
    import coacd

    coacd.set_log_level("error")
    vertices, index = np.unique(mesh.vertices, axis=0, return_inverse=True)
    found = coacd.run_coacd(coacd.Mesh(vertices, index.reshape(-1)[mesh.triangles]), threshold=0.05)
    return [kc.Convex(np.asarray(points, float)) for points, _ in found]


def _vhacd(mesh: kc.Mesh) -> list[kc.Convex]:
    import vhacdx

    faces = np.column_stack([np.full(len(mesh.triangles), 3), mesh.triangles]).astype(np.uint32)
    found = vhacdx.compute_vhacd(np.array(mesh.vertices), faces.ravel())
    return [kc.Convex(np.asarray(points, float)) for points, _ in found]


def _measured(mesh: kc.Mesh, hulls: list[kc.Convex], allowed: float) -> tuple[float, float, float]:
    """Return the certified excess of hulls, how far points of the surface are outside of all of them, and volumes."""
    solid = Solid(mesh)
    bounds = [
        solid.excess(
            hull.graph.vertices, hull.graph.triangles, 0.5 * allowed, np.inf, 0.02 * allowed, BUDGET
        )[0]
        for hull in hulls
    ]
    points = np.concatenate([mesh.vertices, mesh.vertices[mesh.triangles].mean(axis=1)])
    short, volume = np.full(len(points), np.inf), 0.0
    for hull in hulls:
        a, b, c = (hull.vertices[hull.triangles[:, k]] for k in range(3))
        normals = np.cross(b - a, c - a)
        volume += float(np.einsum("ij,ij->i", a - hull.vertices[0], normals).sum()) / 6.0
        normals /= np.maximum(np.linalg.norm(normals, axis=1), 1e-300)[:, None]
        heights = points @ normals.T - np.einsum("ij,ij->i", normals, a)
        short = np.minimum(short, heights.max(axis=1))
    return max(bounds), max(float(short.max()), 0.0), volume


def main() -> None:
    """Print all tables."""
    meshes = parts()
    surfaces(meshes)
    solids(meshes)
