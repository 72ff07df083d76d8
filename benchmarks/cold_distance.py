"""Cold distances of two meshes over gaps and sizes, beside python-fcl and coal: single calls without memory."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

import keepclear as kc
from benchmarks.harness import best_times, duration
from benchmarks.mesh_models import grid_triangles, outward, scan_like, torus_knot
from benchmarks.mesh_peers import Coal, Fcl

SIZES = (1_000, 10_000, 100_000)
GAPS = (0.002, 0.01, 0.05, 0.2, 1.0)  # of the diagonal of the bounding box
POSES = 8
ROUNDS = 5
SHARED = Path(__file__).parents[2] / "shared" / "data" / "meshes"


def bumpy_sphere(n_triangles: int) -> kc.Mesh:
    """Return a closed ball of 1 m with 60 smooth bumps and dents, and nearly n triangles."""
    n = n_triangles // 2 + 2
    z = 1.0 - (2.0 * np.arange(n) + 1.0) / n
    turn = np.pi * (3.0 - np.sqrt(5.0)) * np.arange(n)
    directions = np.column_stack(
        [np.sqrt(1.0 - z * z) * np.cos(turn), np.sqrt(1.0 - z * z) * np.sin(turn), z]
    )
    waves = (
        np.sin(5.0 * directions[:, 0]) * np.sin(5.0 * directions[:, 1] + 1.0) * np.sin(5.0 * directions[:, 2])
    )
    triangles = outward(directions, ConvexHull(directions).simplices)
    return kc.Mesh(0.5 * (1.0 + 0.25 * waves)[:, None] * directions, triangles, name=f"bumpy {n_triangles}")


def torus(n_triangles: int) -> kc.Mesh:
    """Return a torus of 1 m, its tube 0.3 m thick, of nearly n triangles."""
    around = max(3, round(np.sqrt(n_triangles / 2 * 0.3)))
    rings = round(n_triangles / 2 / around)
    t, v = (2.0 * np.pi * np.arange(n) / n for n in (rings, around))
    r = 0.35 + 0.15 * np.cos(v)
    points = np.stack(
        [np.outer(np.cos(t), r), np.outer(np.sin(t), r), np.outer(t**0, 0.15 * np.sin(v))], axis=-1
    )
    return kc.Mesh(points.reshape(-1, 3), grid_triangles(rings, around), name=f"torus {n_triangles}")


def gear(n_triangles: int, n_teeth: int = 20) -> kc.Mesh:
    """Return a gear of 1 m with a bore, flat sides and straight flanks, of nearly n triangles."""
    per_tooth = max(4, 2 * round(0.5 * np.sqrt(n_triangles / 2 / n_teeth)))
    rings = n_teeth * per_tooth
    across = max(4, round(n_triangles / 2 / rings))
    flank = max(1, across // 4)
    phase = np.arange(rings) % per_tooth / per_tooth
    outer = 0.42 + 0.08 * np.clip(1.5 - 5.0 * abs(phase - 0.5), 0.0, 1.0)
    # Around the section: outwards along the upper side, down the teeth, inwards, up the bore.
    steps = np.array([flank, across - 3 * flank, flank, flank])
    s = np.concatenate([k + np.arange(n) / n for k, n in enumerate(steps)])
    out = np.interp(s, [0, 1, 2, 3, 4], [0.0, 1.0, 1.0, 0.0, 0.0])
    z = np.interp(s, [0, 1, 2, 3, 4], [0.1, 0.1, -0.1, -0.1, 0.1])
    r = 0.15 + out[None] * (outer - 0.15)[:, None]
    t = 2.0 * np.pi * np.arange(rings)[:, None] / rings
    points = np.stack([np.cos(t) * r, np.sin(t) * r, np.broadcast_to(z, r.shape)], axis=-1)
    return kc.Mesh(points.reshape(-1, 3), grid_triangles(rings, across)[:, ::-1], name=f"gear {n_triangles}")


SHAPES: dict[str, Callable[[int], kc.Mesh]] = {
    "scan": scan_like,
    "bumpy sphere": bumpy_sphere,
    "torus": torus,
    "gear": gear,
    "knot": torus_knot,
}


def size_of(mesh: kc.Mesh) -> float:
    """Return the diagonal of the bounding box [m]."""
    lower, upper = mesh.bounds
    return float(np.linalg.norm(upper - lower))


def poses_at(mesh: kc.Mesh, gap: float, n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return n pairs of poses of a mesh and itself at a distance of `gap` [m], to 1e-6 of it.

    Both are turned at random. B comes from outside along a random line through the middles of both boxes, by as much as
    the distance exceeds the gap, again and again: nothing is passed on the way, and the first position counts.
    """
    rng, size = np.random.default_rng(seed), size_of(mesh)
    lower, upper = mesh.bounds
    middle = 0.5 * (lower + upper)
    X_WA, X_WB = np.tile(np.eye(4), (n, 1, 1)), np.tile(np.eye(4), (n, 1, 1))
    k = 0
    while k < n:
        X_WA[k, :3, :3], X_WB[k, :3, :3] = Rotation.random(2, random_state=rng).as_matrix()
        X_WA[k, :3, 3] = -X_WA[k, :3, :3] @ middle
        direction = rng.normal(size=3)
        direction /= np.linalg.norm(direction)
        along = 1.5 * size + gap
        for _ in range(200):
            X_WB[k, :3, 3] = along * direction - X_WB[k, :3, :3] @ middle
            beyond = float(kc.distance(mesh, X_WA[k], mesh, X_WB[k]).distance) - gap
            if beyond <= 1e-6 * gap or along < 0.0:
                break
            along -= beyond
        if abs(beyond) <= 1e-6 * gap:
            k += 1
    return X_WA, X_WB


@dataclass(frozen=True)
class Cell:
    """One shape at one size and one gap: seconds per query of each library, and how far peers are from the distance."""

    shape: str
    n: int
    gap: float
    ours: float
    peers: dict[str, float]
    errors: dict[str, float]


def _ours(mesh: kc.Mesh, pairs: Sequence[tuple[np.ndarray, np.ndarray]]) -> list[kc.Distance]:
    return [kc.distance(mesh, a, mesh, b) for a, b in pairs]


def measure(shape: str, n: int, mesh: kc.Mesh, gaps: Sequence[float]) -> list[Cell]:
    """Measure one mesh beside itself at each gap."""
    peers: list[Coal | Fcl] = [Fcl(mesh, mesh), Coal(mesh, mesh)]
    cells = []
    for gap in gaps:
        X_WA, X_WB = poses_at(mesh, gap * size_of(mesh), POSES, seed=17)
        pairs = [(np.ascontiguousarray(a), np.ascontiguousarray(b)) for a, b in zip(X_WA, X_WB, strict=True)]
        X_AB = np.linalg.inv(X_WA) @ X_WB
        jobs: list[Callable[[], object]] = [partial(_ours, mesh, pairs)]
        errors = {}
        for peer in peers:
            given = peer.poses(X_AB)
            # Either library reports points too, as keepclear does.
            jobs.append(partial(peer.distance, given, points=True))
            errors[peer.name] = float(
                np.abs(np.array(peer.distance(given)) / (gap * size_of(mesh)) - 1.0).max()
            )
        mine, *theirs = best_times(jobs, POSES, ROUNDS)
        cells.append(Cell(shape, n, gap, mine, dict(zip(errors, theirs, strict=True)), errors))
    return cells


def models(n: int) -> dict[str, kc.Mesh]:
    """Return the meshes of a size: generated ones, and beside 10 000 triangles those of the shared data."""
    found = {name: build(n) for name, build in SHAPES.items()}
    if n == 10_000 and SHARED.exists():
        found["spot (5 856)"] = kc.read_mesh(SHARED / "spot.obj", unit="m")
        found["featuretype (3 476)"] = kc.read_mesh(SHARED / "featuretype.STL", unit="in")
    return found


def print_cells(cells: Sequence[Cell]) -> None:
    """Print a line for each shape, gap and size."""
    names = list(cells[0].peers)
    print(
        f"\n{'':<24}{'triangles':>10}{'gap':>8}{'keepclear':>12}" + "".join(f"{name:>22}" for name in names)
    )
    for cell in cells:
        others = "".join(f"{duration(cell.peers[p]):>14}{cell.peers[p] / cell.ours:7.2f}x" for p in names)
        print(f"{cell.shape:<24}{cell.n:>10}{cell.gap:>8.1%}{duration(cell.ours):>12}{others}")


def print_ratios(cells: Sequence[Cell]) -> None:
    """Print for each size and gap the geometric mean of the times, and how many times faster we are at least."""
    names = list(cells[0].peers)
    print(
        "\nOver shapes: our time (geometric mean), and how many times faster than each (mean, least)\n"
        f"{'triangles':>10}{'gap':>8}{'keepclear':>12}" + "".join(f"{name:>20}" for name in names)
    )
    for n in dict.fromkeys(cell.n for cell in cells):
        for gap in dict.fromkeys(cell.gap for cell in cells):
            here = [cell for cell in cells if cell.n == n and cell.gap == gap]
            line = f"{n:>10}{gap:>8.1%}{duration(_mean([cell.ours for cell in here])):>12}"
            for name in names:
                ratios = [cell.peers[name] / cell.ours for cell in here]
                line += f"{_mean(ratios):>11.2f}x{min(ratios):7.2f}x"
            print(line)
    for name in names:
        print(f"{name} is off by at most {max(cell.errors[name] for cell in cells):.1e} of the gap")


def _mean(values: Sequence[float]) -> float:
    return float(np.exp(np.mean(np.log(values))))


def main(options: Sequence[str] = ()) -> None:
    """Print the tables; `--sizes 1000,10000` and `--gaps 0.01,0.2` leave out the others."""
    sizes, gaps = list(SIZES), list(GAPS)
    for option, value in zip(options[::2], options[1::2], strict=True):
        if option == "--sizes":
            sizes = [int(word) for word in value.split(",")]
        elif option == "--gaps":
            gaps = [float(word) for word in value.split(",")]
        else:
            sys.exit(f"{option} is no option here; there are --sizes and --gaps")
    print(
        f"\nCold distances: a mesh beside itself, {POSES} pairs of poses a gap, both turned at random, B moved along\n"
        "a random line through the middles until the distance is the gap, a part of the diagonal of the bounding box.\n"
        "Trees are built before; one call for each pair of poses, which keeps nothing."
    )
    cells = [
        cell for n in sizes for shape, mesh in models(n).items() for cell in measure(shape, n, mesh, gaps)
    ]
    print_cells(cells)
    print_ratios(cells)


if __name__ == "__main__":
    main(sys.argv[1:])
