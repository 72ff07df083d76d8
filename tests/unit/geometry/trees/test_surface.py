"""Flat arrays of surfaces: what the header says, and one seed for each piece."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import keepclear as kc
from keepclear.errors import MeshError
from keepclear.geometry.shapes.mesh import SEEDS
from keepclear.geometry.trees import surface as sf
from keepclear.kernels.tables import surface as layout

CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=np.float64)
FACES = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])


def tetrahedra(*shifts: float) -> kc.Mesh:
    vertices = np.concatenate([CORNERS + shift for shift in shifts])
    return kc.Mesh(vertices, np.concatenate([FACES + 4 * i for i in range(len(shifts))]))


def test_the_header_of_a_solid() -> None:
    mesh = tetrahedra(0.0)
    reals, links = sf.surface_of_mesh(mesh)
    assert reals[layout.EXTENT] == pytest.approx(1.0, abs=1e-14)
    assert reals[layout.EXTENT] >= 1.0
    assert list(reals[[layout.RADIUS, layout.N_TRIANGLES, layout.N_SEEDS, layout.SOLID, layout.SEAM]]) == [
        0.0,
        4.0,
        1.0,
        1.0,
        0.0,
    ]
    assert list(reals[layout.ORIGIN : layout.ORIGIN + 3]) == [0.5, 0.5, 0.5]
    assert np.array_equal(reals[layout.SURFACE_HEADER :].reshape(-1, 3), mesh.vertices)
    assert np.array_equal(links[:12].reshape(-1, 3), mesh.triangles)
    assert (reals.dtype, links.dtype, len(links)) == (np.float64, np.int32, 13)


def test_each_piece_has_a_seed_far_out() -> None:
    mesh = tetrahedra(0.0, 5.0, -3.0)
    reals, links = sf.surface_of_mesh(mesh)
    assert reals[layout.N_SEEDS] == 3
    assert sorted(links[-3:] // 4) == [0, 1, 2]
    center = reals[layout.ORIGIN : layout.ORIGIN + 3]
    for seed in links[-3:]:
        piece = mesh.vertices[seed // 4 * 4 : seed // 4 * 4 + 4]
        far = np.linalg.norm(piece - center, axis=1).max()
        assert np.linalg.norm(mesh.vertices[seed] - center) == far


def test_pieces_that_share_a_position_are_one() -> None:
    beside = CORNERS + np.array([1.0, 0.0, 0.0])  # its corner 0 is corner 1 of the other
    vertices = np.concatenate([CORNERS, beside])
    both = kc.Mesh(vertices, np.concatenate([FACES, FACES + 4]))
    assert sf.surface_of_mesh(both).reals[layout.N_SEEDS] == 1


def test_the_box_encloses_the_used_vertices_and_no_others() -> None:
    rng = np.random.default_rng(1)
    vertices = rng.normal(size=(30, 3)) * [1e3, 1.0, 1e-3] + 1e5
    vertices[29] = 1e9  # unused
    mesh = kc.Mesh(vertices, rng.permuted(np.tile(np.arange(29), (20, 1)), axis=1)[:, :3])
    reals = sf.bare_surface(mesh).reals
    origin, half = reals[layout.ORIGIN : layout.ORIGIN + 3], reals[layout.ROOT_HALF : layout.ROOT_HALF + 3]
    assert reals[layout.EXTENT] < 1e6
    for vertex in vertices[np.unique(mesh.triangles)]:
        for x, middle, reach in zip(vertex, origin, half, strict=True):
            assert abs(Fraction(x) - Fraction(middle)) <= Fraction(reach)


def test_a_bare_surface_does_not_look_whether_the_mesh_is_closed() -> None:
    mesh = tetrahedra(0.0)
    bare = sf.bare_surface(mesh)
    assert mesh._check is None
    assert list(bare.reals[[layout.N_SEEDS, layout.SOLID]]) == [0.0, 0.0]
    assert len(bare.links) == 12


@pytest.mark.parametrize("n_components", [1, SEEDS, SEEDS + 1, 20])
def test_vertices_and_triangles_are_there_once(n_components: int) -> None:
    mesh = tetrahedra(*(3.0 * k for k in range(n_components)))
    n, m = len(mesh.vertices), len(mesh.triangles)
    assert mesh.nbytes == 8 * (16 + 3 * n) + 4 * (3 * m + SEEDS) + 4 * m
    before, expected = mesh.triangles, mesh.triangles.copy()
    obb, box = kc.build_obb_tree(mesh), kc.build_box_tree(mesh)
    assert mesh._check is None
    for tree in (obb, box):
        reals, links = tree.arrays[:2]
        assert reals is obb.arrays[0]
        assert links is obb.arrays[1]
        assert reals[layout.N_SEEDS] == n_components
        assert np.shares_memory(reals, mesh.vertices)
        for triangles in (mesh.triangles, np.asarray(mesh.faces)):
            assert np.shares_memory(links, triangles)
            assert np.array_equal(triangles, expected)
    assert np.array_equal(before, expected)
    assert mesh.nbytes == 8 * (16 + 3 * n) + 4 * (3 * m + max(n_components, SEEDS)) + 4 * m


def test_moved_vertices_leave_the_arrays_of_the_mesh_alone() -> None:
    mesh = tetrahedra(0.0)
    tree = kc.build_obb_tree(mesh)
    reals, links = (part.copy() for part in tree.surface)
    moved = tree.refit(CORNERS[[0, 0, 0, 0]])  # all in one point: no inside, other sizes
    assert moved.surface.reals[layout.EXTENT] == moved.surface.reals[layout.SOLID] == 0.0
    assert np.array_equal(tree.surface.reals, reals)
    assert np.array_equal(tree.surface.links, links)
    assert not np.shares_memory(moved.surface.links, tree.surface.links)


def test_threads_that_ask_at_once_fill_the_header_once(monkeypatch: pytest.MonkeyPatch) -> None:
    find, calls = sf.find_seeds, []

    def slow_find(*arrays: Any) -> Any:
        calls.append(1)
        time.sleep(0.05)
        return find(*arrays)

    monkeypatch.setattr(sf, "find_seeds", slow_find)
    mesh, barrier = tetrahedra(0.0, 5.0), threading.Barrier(6)
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(lambda _: (barrier.wait(), sf.surface_of_mesh(mesh))[1], range(6)))
    assert all(surface is found[0] for surface in found)
    assert (len(calls), found[0].reals[layout.N_SEEDS]) == (1, 2.0)


def test_an_open_mesh_and_one_closed_by_a_seam() -> None:
    assert sf.surface_of_mesh(kc.Mesh(CORNERS, FACES[:3])).reals[layout.SOLID] == 0.0
    vertices = np.concatenate([CORNERS, CORNERS[1:] + 1e-9])
    faces = [[0, 2, 1], [0, 1, 3], [4, 5, 6], [0, 3, 2]]
    reals = sf.surface_of_mesh(kc.Mesh(vertices, faces)).reals
    assert list(reals[[layout.SOLID, layout.N_SEEDS]]) == [1.0, 2.0]
    assert reals[layout.SEAM] == pytest.approx(np.sqrt(3.0) * 1e-9, rel=1e-6)


def test_a_surface_made_with_solid_false_is_no_solid() -> None:
    reals = sf.surface_of_mesh(kc.Mesh(CORNERS, FACES, solid=False)).reals
    assert list(reals[[layout.SOLID, layout.SEAM, layout.N_SEEDS]]) == [0.0, 0.0, 1.0]


def test_a_mesh_too_small_for_single_precision_is_refused() -> None:
    small = kc.Mesh(np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]]) * 1e-21, [[0, 1, 2]], name="dust")
    with pytest.raises(MeshError, match=r"mesh 'dust' extends 1e-21 m, less than 1e-20 m"):
        sf.bare_surface(small)
    assert sf.bare_surface(kc.Mesh(np.zeros((3, 3)), [[0, 1, 2]])).reals[layout.EXTENT] == 0.0
