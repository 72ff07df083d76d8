"""The source's BoxTree: no pair of polygons is lost, and a step takes no more operations than the source says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from benchmarks.box_tree import STEP
from benchmarks.mesh_models import near_contact_poses, torus_knot
from benchmarks.references.box_tree import begin, build_tree, operations_of, overlapping
from numba.core import config

import keepclear as kc

pytestmark = pytest.mark.skipif(
    not config.DISABLE_JIT, reason="a benchmark's kernel, which it compiles itself"
)
KINDS = "multiply", "add", "compare"


@pytest.fixture(scope="module")
def knot() -> tuple[kc.Mesh, Any, np.ndarray]:
    mesh = torus_knot(100)
    tree = build_tree(np.asarray(mesh.vertices), np.asarray(mesh.triangles, np.int32))
    return mesh, tree, near_contact_poses(mesh, mesh, 3)


def boxes_overlap(mesh: kc.Mesh, X: np.ndarray) -> set[tuple[int, int]]:
    """Pairs of triangles whose boxes, along the axes of either body, overlap."""
    v, t = np.asarray(mesh.vertices), np.asarray(mesh.triangles)
    found = np.ones((len(t), len(t)), bool)
    for a, b in ((v, v @ X[:3, :3].T + X[:3, 3]), ((v - X[:3, 3]) @ X[:3, :3], v)):
        low_a, high_a, low_b, high_b = (f(x[t], axis=1) for x in (a, b) for f in (np.min, np.max))
        found &= (low_a[:, None] <= high_b[None]).all(axis=2) & (low_b[None] <= high_a[:, None]).all(axis=2)
    return set(zip(*np.nonzero(found), strict=True))


@pytest.mark.parametrize("both", [True, False])
def test_it_finds_all_pairs_whose_boxes_overlap(knot: tuple[kc.Mesh, Any, np.ndarray], both: bool) -> None:
    mesh, tree, poses = knot
    for X in poses:
        leaves, state = overlapping(tree, tree, X, both=both)
        found = set(map(tuple, leaves.tolist()))
        assert len(found) == len(leaves) == state[2]
        assert boxes_overlap(mesh, X) <= found
        assert set(map(tuple, kc.collide(mesh, np.eye(4), mesh, X, find="all").pairs.tolist())) <= found


@pytest.mark.parametrize("both", [True, False])
def test_a_step_takes_the_operations_that_the_source_says(
    knot: tuple[kc.Mesh, Any, np.ndarray], both: bool
) -> None:
    _, tree, poses = knot
    names = dict(zip(("E", "R", "G", "nodes"), begin(tree, tree, poses[0]), strict=True))
    arrays = {f"{key}_{body}": getattr(tree, key) for key in ("cuts", "links") for body in "ab"}
    spent = operations_of({**names, **arrays, "both": np.array(both)})
    for kind, most in zip(KINDS, STEP[both], strict=True):
        assert 0.8 * 0.75 * most <= spent[kind] / spent["steps"] <= most
    assert spent["divide"] == 0
