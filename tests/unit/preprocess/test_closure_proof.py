"""Proofs that a mesh is closed or open: they say what a search says, and nothing else passes for one."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.preprocess.test_model_cache import bumpy

import keepclear as kc
from keepclear.preprocess.closure_proof import (
    ClosureProof,
    find_closure_proof,
    first_in_order,
    proof_from,
    proved_closure,
)
from keepclear.shapes.mesh_check import find_closure, first_at_position

TORUS = bumpy(8)
CUBE = kc.Mesh(
    [[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)],
    [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]],
)


def soup(mesh: kc.Mesh) -> kc.Mesh:
    """The same triangles, each with vertices that no other has."""
    return kc.Mesh(
        mesh.vertices[mesh.triangles].reshape(-1, 3), np.arange(mesh.triangles.size).reshape(-1, 3)
    )


def joined(*meshes: kc.Mesh) -> kc.Mesh:
    starts = np.cumsum([0, *(len(mesh.vertices) for mesh in meshes)])
    triangles = [mesh.triangles + start for mesh, start in zip(meshes, starts, strict=False)]
    return kc.Mesh(np.concatenate([mesh.vertices for mesh in meshes]), np.concatenate(triangles))


SLIVER = kc.Mesh(
    [*CUBE.vertices, [0, 0, 0]], [*CUBE.triangles.tolist(), [0, 8, 7]]
)  # without an area, edges pair
MESHES = {
    "torus": TORUS,
    "cube": CUBE,
    "soup": soup(TORUS),
    "two cubes": joined(
        CUBE, kc.Mesh(CUBE.vertices + np.array([1.0, 1.0, 0.0]), CUBE.triangles)
    ),  # share an edge
    "cube twice": joined(CUBE, CUBE),
    "sliver": SLIVER,
    "open": kc.Mesh(TORUS.vertices, TORUS.triangles[:-1]),
    "open soup": soup(kc.Mesh(TORUS.vertices, TORUS.triangles[:-5])),
    "one turned": kc.Mesh(CUBE.vertices, [CUBE.triangles[0][::-1], *CUBE.triangles[1:]]),
    "one triangle": kc.Mesh(CUBE.vertices[:3], [[0, 1, 2]]),
}


@pytest.mark.parametrize("name", MESHES)
def test_a_proof_says_what_a_search_says(name: str) -> None:
    mesh = MESHES[name]
    proof = find_closure_proof(mesh._vertices, mesh._triangles)
    assert proof is not None
    found = proved_closure(mesh._vertices, mesh._triangles, proof)
    assert found is not None
    assert found[0] == find_closure(mesh._vertices, mesh._triangles)
    assert np.array_equal(found[1], first_at_position(mesh._vertices))
    assert proof_from(proof._asdict()) == proof


def test_a_mesh_with_seams_has_no_proof() -> None:
    points = soup(TORUS).vertices.copy()
    points += np.random.default_rng(1).uniform(-1e-9, 1e-9, points.shape)
    mesh = kc.Mesh(points, np.arange(len(points)).reshape(-1, 3))
    assert mesh._closed.is_closed
    assert mesh._closed.seam_gap > 0.0
    assert find_closure_proof(mesh._vertices, mesh._triangles) is None


def test_an_open_edge_near_another_position_proves_nothing() -> None:
    """A seam might close it: the proof would call a solid a surface, and what is inside of it clear."""
    points = soup(TORUS).vertices.copy()
    points[0] += 1e-9
    mesh = kc.Mesh(points, np.arange(len(points)).reshape(-1, 3))
    assert mesh._closed.is_closed
    order = np.lexsort(points.T[::-1]).astype(np.int32)
    nothing = np.empty(0, np.int32)
    for edge in ([0, 1], [1, 0], [2, 0]):
        proof = ClosureProof(order, nothing, np.array(edge, np.int32))
        assert proved_closure(mesh._vertices, mesh._triangles, proof) is None


@pytest.mark.parametrize("name", ["torus", "soup"])
def test_wrong_numbers_prove_nothing(name: str) -> None:
    mesh = MESHES[name]
    proof = find_closure_proof(mesh._vertices, mesh._triangles)
    assert proof is not None
    rng = np.random.default_rng(2)
    for field in ("order", "twins"):
        good = getattr(proof, field)
        for _ in range(100):
            bad = good.copy()
            k = rng.integers(len(bad))
            bad[k] = rng.choice([bad[k - 1], -1, len(bad), 2**31 - 1, bad[k] - 1])
            wrong = proof._replace(**{field: bad})
            assert np.array_equal(bad, good) or proved_closure(mesh._vertices, mesh._triangles, wrong) is None
    swapped = proof.order.copy()
    swapped[[3, 4]] = swapped[[4, 3]]
    assert first_in_order(mesh._vertices, swapped) is None
    assert proved_closure(mesh._vertices, mesh._triangles[:-1], proof) is None


def test_arrays_of_other_types_prove_nothing() -> None:
    proof = find_closure_proof(TORUS._vertices, TORUS._triangles)
    assert proof is not None
    for wrong in (
        {},
        proof._asdict() | {"order": proof.order.astype(np.float64)},
        proof._asdict() | {"order": proof.order[None]},
        proof._asdict() | {"more": proof.order},
    ):
        assert proved_closure(TORUS._vertices, TORUS._triangles, proof_from(wrong)) is None
