"""Flat arrays of surfaces: what the header says, and one seed for each piece."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import keepclear as kc
from keepclear.errors import MeshError
from keepclear.preprocess import surface as sf

CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=np.float64)
FACES = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])


def tetrahedra(*shifts: float) -> kc.Mesh:
    vertices = np.concatenate([CORNERS + shift for shift in shifts])
    return kc.Mesh(vertices, np.concatenate([FACES + 4 * i for i in range(len(shifts))]))


def test_the_header_of_a_solid() -> None:
    mesh = tetrahedra(0.0)
    reals, links = sf.surface_of_mesh(mesh)
    assert reals[sf.EXTENT] == pytest.approx(1.0, abs=1e-14)
    assert reals[sf.EXTENT] >= 1.0
    assert list(reals[[sf.RADIUS, sf.N_TRIANGLES, sf.N_SEEDS, sf.SOLID, sf.SEAM]]) == [
        0.0,
        4.0,
        1.0,
        1.0,
        0.0,
    ]
    assert list(reals[sf.ORIGIN : sf.ORIGIN + 3]) == [0.5, 0.5, 0.5]
    assert np.array_equal(reals[sf.HEADER :].reshape(-1, 3), mesh.vertices)
    assert np.array_equal(links[:12].reshape(-1, 3), mesh.triangles)
    assert (reals.dtype, links.dtype, len(links)) == (np.float64, np.int32, 13)


def test_each_piece_has_a_seed_far_out() -> None:
    mesh = tetrahedra(0.0, 5.0, -3.0)
    reals, links = sf.surface_of_mesh(mesh)
    assert reals[sf.N_SEEDS] == 3
    assert sorted(links[-3:] // 4) == [0, 1, 2]
    center = reals[sf.ORIGIN : sf.ORIGIN + 3]
    for seed in links[-3:]:
        piece = mesh.vertices[seed // 4 * 4 : seed // 4 * 4 + 4]
        far = np.linalg.norm(piece - center, axis=1).max()
        assert np.linalg.norm(mesh.vertices[seed] - center) == far


def test_pieces_that_share_a_position_are_one() -> None:
    beside = CORNERS + np.array([1.0, 0.0, 0.0])  # its corner 0 is corner 1 of the other
    vertices = np.concatenate([CORNERS, beside])
    both = kc.Mesh(vertices, np.concatenate([FACES, FACES + 4]))
    assert sf.surface_of_mesh(both).reals[sf.N_SEEDS] == 1


def test_the_box_encloses_the_used_vertices_and_no_others() -> None:
    rng = np.random.default_rng(1)
    vertices = rng.normal(size=(30, 3)) * [1e3, 1.0, 1e-3] + 1e5
    vertices[29] = 1e9  # unused
    mesh = kc.Mesh(vertices, rng.permuted(np.tile(np.arange(29), (20, 1)), axis=1)[:, :3])
    reals = sf.bare_surface(mesh).reals
    origin, half = reals[sf.ORIGIN : sf.ORIGIN + 3], reals[sf.HALF : sf.HALF + 3]
    assert reals[sf.EXTENT] < 1e6
    for vertex in vertices[np.unique(mesh.triangles)]:
        for x, middle, reach in zip(vertex, origin, half, strict=True):
            assert abs(Fraction(x) - Fraction(middle)) <= Fraction(reach)


def test_a_bare_surface_does_not_look_whether_the_mesh_is_closed() -> None:
    mesh = tetrahedra(0.0)
    bare = sf.bare_surface(mesh)
    assert mesh._check is None
    assert list(bare.reals[[sf.N_SEEDS, sf.SOLID]]) == [0.0, 0.0]
    assert len(bare.links) == 12


def test_an_open_mesh_and_one_closed_by_a_seam() -> None:
    assert sf.surface_of_mesh(kc.Mesh(CORNERS, FACES[:3])).reals[sf.SOLID] == 0.0
    vertices = np.concatenate([CORNERS, CORNERS[1:] + 1e-9])
    faces = [[0, 2, 1], [0, 1, 3], [4, 5, 6], [0, 3, 2]]
    reals = sf.surface_of_mesh(kc.Mesh(vertices, faces)).reals
    assert list(reals[[sf.SOLID, sf.N_SEEDS]]) == [1.0, 2.0]
    assert reals[sf.SEAM] == pytest.approx(np.sqrt(3.0) * 1e-9, rel=1e-6)


def test_a_surface_made_with_solid_false_is_no_solid() -> None:
    reals = sf.surface_of_mesh(kc.Mesh(CORNERS, FACES, solid=False)).reals
    assert list(reals[[sf.SOLID, sf.SEAM, sf.N_SEEDS]]) == [0.0, 0.0, 1.0]


def test_a_mesh_too_small_for_single_precision_is_refused() -> None:
    small = kc.Mesh(np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]]) * 1e-21, [[0, 1, 2]], name="dust")
    with pytest.raises(MeshError, match=r"mesh 'dust' extends 1e-21 m, less than 1e-20 m"):
        sf.bare_surface(small)
    assert sf.bare_surface(kc.Mesh(np.zeros((3, 3)), [[0, 1, 2]])).reals[sf.EXTENT] == 0.0
