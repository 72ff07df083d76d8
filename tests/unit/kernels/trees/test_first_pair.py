"""Where a search for the distance of two meshes begins: a lower bound by hulls, an upper one by two triangles."""

from __future__ import annotations

import numpy as np
import pytest
from numba.core import config
from tests.unit.geometry.element_meshes import blocks, gear, u_block

import keepclear as kc
from keepclear.kernels.trees import first_pair as start
from keepclear.kernels.trees.first_pair import first_pair
from keepclear.kernels.trees.obb_gap import measure_fully
from keepclear.kernels.trees.obb_pair import STACK, place
from keepclear.kernels.triangles import triangle_distance as triangle
from keepclear.query.instant.mesh_distance import obb_tree_of

pytestmark = pytest.mark.skipif(
    not config.DISABLE_JIT, reason="inner kernels, which only kernels call, are tested as Python"
)


def begun(a: kc.Mesh, b: kc.Mesh, X: np.ndarray) -> tuple[float, float, bool]:
    """Return the gap of the hulls, the distance of the first triangles, and whether there are any."""
    A, B = obb_tree_of(a).arrays, obb_tree_of(b).arrays
    Q, M, W, H = np.empty(20), np.empty(24), np.empty(triangle.RESULT), np.empty(start.HULLS)
    place(A[0], B[0], np.eye(4)[None], 0, X[None], 0, Q, M)
    stack, bounds = np.empty(STACK, np.int32), np.empty(STACK)
    ta, tb, gap = first_pair(*A, *B, Q, stack, bounds, W, H)
    if ta < 0:
        return gap, np.inf, False
    measure_fully(A[0], A[1], ta, B[0], B[1], tb, Q, W)
    return gap, float(np.sqrt(W[triangle.SQUARE])), True


@pytest.mark.parametrize("seed", range(30))
def test_bounds_enclose_the_distance(seed: int) -> None:
    rng = np.random.default_rng(seed)
    q, r = np.linalg.qr(rng.normal(size=(3, 3)))
    X = np.eye(4)
    X[:3, :3] = q * np.sign(np.diag(r)) * np.linalg.det(q * np.sign(np.diag(r)))
    X[:3, 3] = rng.normal(size=3) * rng.choice([1.0, 4.0, 20.0])
    a, b = (gear(5), u_block()) if seed % 2 else (u_block(), blocks(rng.random((3, 2, 2)) < 0.6))
    true = kc.distance(a, np.eye(4), b, X).distance
    hulls = kc.distance(kc.Convex(a.vertices), np.eye(4), kc.Convex(b.vertices), X).distance
    gap, upper, found = begun(a, b, X)
    assert gap <= max(hulls, 0.0) + 1e-12
    assert found == (gap > 0.0)
    assert found or np.linalg.norm(X[:3, 3]) < 12.0
    if found:
        assert gap <= true + 1e-12
        assert upper >= true - 1e-12


def test_real_closest_points_end_it_at_once() -> None:
    X = np.eye(4)
    X[0, 3] = 5.0
    gap, upper, found = begun(blocks([[[1]]]), blocks([[[1]]]), X)
    assert found
    assert gap == pytest.approx(4.0, abs=1e-12)
    assert upper == pytest.approx(4.0, abs=1e-12)
