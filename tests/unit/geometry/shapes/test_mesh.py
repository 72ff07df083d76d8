"""Meshes: what they hold, what is wrong with them, and whether they have an inside."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
import trimesh

from keepclear.errors import ArgumentError, MeshError, UnitWarning
from keepclear.geometry.shapes.mesh import SEEDS, Mesh, as_shape
from keepclear.geometry.shapes.primitives import Sphere

CUBE = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
SQUARES = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]


def cube_triangles() -> np.ndarray:
    return Mesh(CUBE, SQUARES).triangles.copy()


def test_polygons_are_cut_into_triangles() -> None:
    cube = Mesh(CUBE, SQUARES, name="cube")
    assert cube.is_solid
    assert cube.volume == pytest.approx(1.0, rel=1e-15)
    assert cube.area == pytest.approx(6.0, rel=1e-15)
    assert cube.triangles.dtype == np.int32
    assert cube.triangles[:2].tolist() == [[0, 1, 3], [0, 3, 2]]
    assert cube.triangle_face.tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    assert np.asarray(cube.faces).tolist() == SQUARES
    assert repr(cube) == "Mesh('cube', 8 vertices, 6 faces, 12 triangles, extent (1, 1, 1) m, solid)"
    assert [bound.tolist() for bound in cube.bounds] == [[0, 0, 0], [1, 1, 1]]


def test_mixed_polygons_keep_their_faces() -> None:
    faces = [[0, 1, 3, 2], [4, 6, 7], [4, 7, 5], *SQUARES[2:]]
    mesh = Mesh(CUBE, faces)
    assert mesh.faces == tuple(map(tuple, faces))
    assert mesh.is_solid
    assert mesh.triangle_face.tolist() == [0, 0, 1, 2, 3, 3, 4, 4, 5, 5, 6, 6]
    assert pickle.loads(pickle.dumps(mesh)) == mesh


def test_holds_copies_that_cannot_be_written() -> None:
    vertices, faces = CUBE.copy(), cube_triangles()
    mesh = Mesh(vertices, faces)
    vertices[:] = 7.0
    faces[:] = 0
    assert mesh.volume == pytest.approx(1.0, rel=1e-15)
    for array in (mesh.vertices, mesh.triangles, mesh.triangle_face, mesh.faces):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1  # type: ignore[index]
    with pytest.raises(AttributeError, match="a Mesh never changes"):
        mesh.name = "other"  # type: ignore[misc]


@pytest.mark.parametrize(
    "faces", [cube_triangles(), np.array(SQUARES, np.int32)], ids=["triangles", "squares"]
)
def test_an_array_of_faces_that_the_caller_fills_again_changes_nothing(faces: np.ndarray) -> None:
    assert faces.dtype == np.int32  # the type that meshes hold: it was taken without a copy once
    mesh, before = Mesh(CUBE, faces), faces.copy()
    number = hash(Mesh(CUBE, before))
    faces[:] = 0
    assert np.array_equal(np.asarray(mesh.faces), before)
    assert hash(mesh) == number


def test_memory_counts_each_array_once() -> None:
    triangles, squares = Mesh(CUBE, cube_triangles()), Mesh(CUBE, SQUARES)
    assert np.shares_memory(np.asarray(triangles.faces), triangles.triangles)
    assert triangles.nbytes == 8 * (16 + 24) + 4 * (36 + SEEDS) + 4 * 12
    assert squares.nbytes == triangles.nbytes + 8 * 7 + 4 * 24  # where its polygons start, and their corners


def test_a_square_with_a_corner_twice_is_a_face_of_four_corners() -> None:
    mesh = Mesh(CUBE, [[0, 1, 1, 2]])
    assert (mesh.triangles.tolist(), np.asarray(mesh.faces).tolist()) == ([[0, 1, 2]], [[0, 1, 1, 2]])
    assert mesh != Mesh(CUBE, [[0, 1, 2]])


def test_equality_is_by_content_and_not_by_name() -> None:
    mesh = Mesh(CUBE, SQUARES, name="a")
    assert mesh == Mesh(CUBE.tolist(), np.array(SQUARES), name="b")
    assert hash(mesh) == hash(Mesh(CUBE, SQUARES))
    assert mesh == Mesh(np.where(CUBE == 0.0, -0.0, CUBE), SQUARES)  # 0.0 and -0.0 are the same number
    assert mesh == Mesh(CUBE, SQUARES, solid=True)
    assert mesh != Mesh(CUBE, SQUARES, solid=False)
    assert mesh != Mesh(CUBE, cube_triangles())
    assert mesh != Mesh(CUBE, SQUARES, tessellation_error=1e-3)
    assert copy.deepcopy(mesh) is mesh
    again = pickle.loads(pickle.dumps(mesh))
    assert again == mesh
    assert again.name == "a"


def test_scaled() -> None:
    mesh = Mesh(CUBE, SQUARES, name="cube", tessellation_error=0.01).scaled(0.5)
    assert mesh.volume == pytest.approx(0.125, rel=1e-15)
    assert mesh.tessellation_error == 0.005
    assert mesh.name == "cube"


def test_open_mesh() -> None:
    mesh = Mesh(CUBE, SQUARES[:-1], name="gripper.stl")
    assert not mesh.is_solid
    assert mesh.check.n_open_edges == 4
    assert mesh.check.open_edges == ((1, 3), (1, 5), (3, 7), (5, 7))
    assert "4 open edges (first: vertices 1-3, 1-5, 3-7, 5-7)" in str(mesh.check)
    with pytest.raises(MeshError, match=r"mesh 'gripper\.stl' has 4 open edges.*no volume"):
        _ = mesh.volume
    with pytest.raises(MeshError) as caught:
        Mesh(CUBE, SQUARES[:-1], solid=True, name="gripper.stl")
    assert str(caught.value) == (
        "mesh 'gripper.stl' has 4 open edges (first: vertices 1-3), so it has no inside; "
        "repair it, or read it with solid=False to check its surface only."
    )
    assert not Mesh(CUBE, SQUARES[:-1], solid=False).is_solid


def test_flipped_face_is_inconsistent_winding() -> None:
    faces = cube_triangles()
    faces[5] = faces[5][::-1]
    check = Mesh(CUBE, faces).check
    assert (check.n_inconsistent_edges, check.n_open_edges, check.n_nonmanifold_edges) == (3, 0, 0)
    assert not check.is_closed
    with pytest.raises(MeshError, match="3 edges with inconsistent winding"):
        Mesh(CUBE, faces, solid=True)


def test_duplicate_face() -> None:
    faces = np.vstack([cube_triangles(), np.roll(cube_triangles()[4:5], 1, axis=1)])
    check = Mesh(CUBE, faces).check
    assert (check.n_duplicate_faces, check.duplicate_faces) == (1, (12,))
    assert check.n_nonmanifold_edges == 3
    assert not check.is_closed


def test_degenerate_face_is_kept_and_reported() -> None:
    vertices = np.vstack([CUBE, [[2, 0, 0], [3, 0, 0], [4, 0, 0]]])
    mesh = Mesh(vertices, np.vstack([cube_triangles(), [[8, 9, 10]]]))
    assert len(mesh.triangles) == 13
    assert (mesh.check.n_degenerate_faces, mesh.check.degenerate_faces) == (1, (12,))
    assert mesh.check.n_pieces == 2
    assert mesh.bounds[1].tolist() == [4.0, 1.0, 1.0]


def test_inside_out_and_unused_vertices() -> None:
    mesh = Mesh(np.vstack([CUBE, [[9, 9, 9]]]), cube_triangles()[:, ::-1])
    assert mesh.is_solid
    assert mesh.check.is_inside_out
    assert mesh.check.volume == mesh.volume == pytest.approx(-1.0)
    assert mesh.check.n_unused_vertices == 1
    assert "faces are oriented inwards" in str(mesh.check)
    assert mesh.bounds[1].tolist() == [1.0, 1.0, 1.0]  # of the surface, not of stray vertices


def test_triangle_soup_is_closed_by_position() -> None:
    soup = CUBE[cube_triangles()].reshape(-1, 3)
    mesh = Mesh(soup, np.arange(36).reshape(-1, 3))
    assert mesh.is_solid
    assert mesh.check.n_coincident_vertices == 28
    assert mesh.check.seam_gap == 0.0


@pytest.mark.parametrize(("noise", "is_closed"), [(1e-16, True), (3e-8, True), (1e-5, False)])
def test_seams_within_single_precision_are_closed(noise: float, is_closed: bool) -> None:
    generator = np.random.default_rng(7)
    soup = CUBE[cube_triangles()].reshape(-1, 3)
    soup = soup + generator.uniform(-noise, noise, soup.shape)
    mesh = Mesh(soup, np.arange(36).reshape(-1, 3))
    assert mesh.check.is_closed is is_closed
    assert np.array_equal(mesh.vertices, soup)  # nothing is moved
    if is_closed:
        assert 0.0 < mesh.check.seam_gap < 4 * noise
        assert "with seams of up to" in str(mesh.check)


def test_boxes_that_touch_along_an_edge_are_solid() -> None:
    vertices = np.vstack([CUBE, CUBE + np.array([1, 1, 0])])
    mesh = Mesh(vertices, np.vstack([cube_triangles(), cube_triangles() + 8]), solid=True)
    assert mesh.check.n_nonmanifold_edges == 1
    assert mesh.volume == pytest.approx(2.0)
    assert mesh.check.n_pieces == 1


def test_collapsed_mesh_has_no_inside() -> None:
    mesh = Mesh(np.zeros((3, 3)), [[0, 1, 2]])
    assert not mesh.is_solid
    assert mesh.check.n_degenerate_faces == 1
    with pytest.raises(MeshError, match="no triangle with three different corners"):
        Mesh(np.zeros((3, 3)), [[0, 1, 2]], solid=True)


def test_pieces_of_shuffled_strips() -> None:
    n, generator = 3000, np.random.default_rng(3)
    order = generator.permutation(4 * n)
    strip = np.column_stack([np.arange(n - 2), np.arange(1, n - 1), np.arange(2, n)])
    faces = order[np.vstack([strip + k * n for k in range(4)])]
    assert Mesh(generator.uniform(size=(4 * n, 3)), faces).check.n_pieces == 4


PLATE = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0.5, 0.1, 0], [0.5, 0, 0], [1, 1, 0.1]]


@pytest.mark.parametrize(
    "face", [[0, 1, 2, 3], [3, 2, 1, 0], [0, 5, 1, 2, 3], [5, 1, 2, 3, 0], [0, 1, 1, 2, 3]]
)
def test_convex_polygons(face: list[int]) -> None:
    assert Mesh(PLATE, [face, [0, 1, 2]]).area == pytest.approx(1.5, rel=1e-15)


@pytest.mark.parametrize(
    ("face", "message"),
    [
        ([0, 4, 1, 2, 3], r"faces\[1\] with 5 corners is not convex"),
        ([0, 2, 1, 3], r"faces\[1\] with 4 corners is not convex"),
        ([0, 1, 6, 3], r"faces\[1\] has 4 corners that leave their plane by 0.025 of its size"),
    ],
)
def test_bent_and_concave_polygons_are_refused(face: list[int], message: str) -> None:
    with pytest.raises(MeshError, match=message):
        Mesh(PLATE, [[0, 1, 2], face])


def test_fine_polygons_are_judged_by_their_outline() -> None:
    angle = np.linspace(0, 2 * np.pi, 5000, endpoint=False)
    ring = np.column_stack([np.cos(angle), np.sin(angle), 0 * angle]).round(7)
    assert Mesh(ring, [list(range(5000))]).area == pytest.approx(np.pi, rel=1e-5)
    dented = np.where(ring[:, 1:2] < 0, ring * [1, -0.9, 1], ring)  # every single corner is almost straight
    with pytest.raises(MeshError, match="not convex"):
        Mesh(dented, [list(range(5000))])
    twice = np.concatenate([ring[::10], 1.5 * ring[::10]])
    with pytest.raises(MeshError, match="not convex"):
        Mesh(twice, [list(range(1000))])


@pytest.mark.parametrize(
    ("vertices", "faces", "message"),
    [
        (CUBE, [[0, 1, 8]], r"faces\[0\] uses vertex 8, but there are vertices 0 to 7"),
        (CUBE, [[0, 1, 2], [0, -1, 2]], r"faces\[1\] uses vertex -1"),
        (
            CUBE,
            np.array([[0.0, 1.0, 2.0]]),
            r"hold float64 values; convert them with np.asarray\(faces, dtype=int\)",
        ),
        (CUBE, [[0, 1, 2], [3, 3, 4]], r"faces\[1\] = \[3, 3, 4\] has fewer than 3 different corners"),
        (CUBE, [], "Mesh has no faces"),
        (np.full((3, 3), np.nan), [[0, 1, 2]], r"vertices\[0\] has x = nan, one of 9 values"),
        (CUBE[:, :2], [[0, 1, 2]], r"vertices must have shape \(n, 3\).*it has shape \(8, 2\)"),
        (CUBE * 1e10, [[0, 1, 2]], r"more than 1e\+09 m from the origin"),
    ],
)
def test_messages(vertices: Any, faces: Any, message: str) -> None:
    with pytest.raises(MeshError, match=message):
        Mesh(vertices, faces)


def test_trimesh_is_taken_as_a_mesh_and_looked_at_again() -> None:
    box = trimesh.creation.box([1, 2, 3])
    mesh = as_shape(box)
    assert isinstance(mesh, Mesh)
    assert mesh.volume == pytest.approx(6.0)
    assert as_shape(box) is mesh
    box.vertices[0] -= 1.0
    assert as_shape(box) != mesh
    box.vertices[0] += 1.0
    assert as_shape(box) == mesh


def test_trimesh_in_another_unit_warns() -> None:
    box = trimesh.creation.box([1, 2, 3])
    box.units = "millimeters"
    with pytest.warns(UnitWarning, match="taken as it is, in metres"):
        Mesh.from_trimesh(box)


def test_as_shape_takes_shapes_and_refuses_the_rest() -> None:
    sphere = Sphere(1)
    assert as_shape(sphere) is sphere
    with pytest.raises(ArgumentError, match=r"but got 'box' \(str\); kc.Convex\(points\)"):
        as_shape("box")
    with pytest.raises(ArgumentError, match=r"takes a trimesh.Trimesh"):
        Mesh.from_trimesh(CUBE)
