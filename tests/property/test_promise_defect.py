"""Hulls that may reach beyond their support points: every bound allows for it, whichever body it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.oracles.floor import HALF, grid_mesh
from tests.oracles.poses import pose

import keepclear as kc
from keepclear.geometry.shapes.packed import packed
from keepclear.kernels.convex import support

DEFECT = 0.01
SIGNS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=np.float64)


def loose(half: Any) -> kc.Convex:
    """A box as a hull whose points may be this far outside of it."""
    shape = kc.Convex(SIGNS * half)
    packed(shape)[0][support.DEFECT] = DEFECT
    return shape


CUBE, FLOOR = loose([0.5, 0.5, 0.5]), loose(HALF)
BODIES = {"box": kc.Box([1.0, 1.0, 1.0]), "sphere": kc.Sphere(0.5), "hull": kc.Convex(SIGNS * 0.5)}
FLOORS = {"box": kc.Box([2.0 * h for h in HALF]), "mesh": kc.Mesh(*grid_mesh())}
FLOORS["box tree"] = kc.build_box_tree(FLOORS["mesh"])
PAIRS = [(name, CUBE, floor) for name, floor in FLOORS.items()] + [
    (name, body, FLOOR) for name, body in BODIES.items()
]
TURNED = pose(
    np.array([[np.cos(0.3), -np.sin(0.3), 0], [np.sin(0.3), np.cos(0.3), 0], [0, 0, 1]]), np.zeros(3)
)


def above(gap: float) -> np.ndarray:
    X = TURNED.copy()
    X[2, 3] = HALF[2] + 0.5 + gap
    return X


@pytest.mark.parametrize(("name", "a", "b"), PAIRS)
def test_distances(name: str, a: Any, b: Any) -> None:
    gaps = [0.5, 0.02, 1e-9] if "mesh" in name or "tree" in name else [0.5, 0.02, 1e-9, -1e-9, -0.1]
    for gap in gaps:
        for found in (kc.distance(a, above(gap), b, np.eye(4)), kc.distance(b, np.eye(4), a, above(gap))):
            assert found.lower <= max(gap - DEFECT, 0.0 if gap > 0.0 else gap - DEFECT) + 1e-12
            assert found.upper >= gap - 1e-12
    tracker = kc.Tracker(a, b)
    for gap in (0.5, 0.4, 0.02):
        assert tracker.distance(above(gap), np.eye(4)).lower <= gap - DEFECT + 1e-12


@pytest.mark.parametrize(("name", "a", "b"), PAIRS)
def test_clearances(name: str, a: Any, b: Any) -> None:
    motion = kc.PoseTrajectory([0.0, 1.0, 2.0], [above(0.5), above(0.1), above(0.5)], "screw")
    for x, y, m, n in ((a, b, motion, np.eye(4)), (b, a, np.eye(4), motion)):
        found = kc.clearance(x, m, y, n, tolerance=1e-3, budget=3000)
        assert found.lower <= 0.1 - DEFECT + 1e-9, name
