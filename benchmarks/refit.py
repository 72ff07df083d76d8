"""Flexible bodies: a model refitted after some of its vertices have moved, beside one that is prepared again."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

import keepclear as kc
from benchmarks.harness import duration
from benchmarks.mesh_models import machined_part, scan_like, torus_knot
from keepclear.geometry.hulls import build

ROUNDS = 3
SHARES = (0.001, 0.01, 0.1, 1.0)
"""Shares of the vertices that move: those nearest to a vertex drawn at random, towards the middle by a thousandth."""


def main() -> None:
    """Print the table."""
    print(
        f"\nA model with trees, hull, elements and sphere tree, best of {ROUNDS} rounds of process CPU time; the\n"
        "vertices that move are those nearest to one drawn at random\n"
        f"{'':<28}{'moved':>8}{'prepare':>12}{'refit':>12}{'ratio':>8}{'elements':>20}"
    )
    find, build.read_entry = build.read_entry, lambda *_: None  # hulls are to be found each time
    try:
        for mesh in (torus_knot(20_000), scan_like(20_000), machined_part()):
            for share in SHARES:
                row(mesh, share)
    finally:
        build.read_entry = find


def row(mesh: kc.Mesh, share: float) -> None:
    """Print how long one deformation takes."""
    size = float(np.ptp(mesh.vertices, axis=0).max())
    rest = kc.prepare(kc.Mesh(mesh.vertices, mesh.triangles), elements=True, sphere_tree=size / 50)
    rng = np.random.default_rng(1)
    best, counts = [np.inf, np.inf], (0, 0)
    for _ in range(ROUNDS):
        V = np.array(mesh.vertices)
        center = V[rng.integers(len(V))]
        near = np.argsort(np.linalg.norm(V - center, axis=1))[: max(1, int(share * len(V)))]
        same = np.isin(
            np.unique(V, axis=0, return_inverse=True)[1], np.unique(V, axis=0, return_inverse=True)[1][near]
        )
        V[same] += 1e-3 * (V.mean(axis=0) - V[same])
        anew, fresh = cpu(
            lambda V=V: kc.prepare(kc.Mesh(V, mesh.triangles), elements=True, sphere_tree=size / 50)
        )
        again, moved = cpu(lambda V=V: rest.refit(V))
        best = [min(best[0], anew), min(best[1], again)]
        counts = len(moved.elements or ()), len(fresh.elements or ())
    print(
        f"{mesh.name:<28}{100 * share:>7.1f}%{duration(best[0]):>12}{duration(best[1]):>12}"
        f"{best[0] / best[1]:>7.1f}x{f'{counts[0]} beside {counts[1]}':>20}"
    )


def cpu(job: Callable[[], kc.Prepared]) -> tuple[float, kc.Prepared]:
    """Return the CPU time that a job takes [s], and what it returns."""
    start = time.process_time()
    result = job()
    return time.process_time() - start, result
