"""Faces of hulls that belong to the surface, that do not, and that do in part: known by hand."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.geometry.element_meshes import blocks, gear, plate, u_block
from tests.unit.geometry.part_meshes import dish, ring

import keepclear as kc
from keepclear.geometry.hulls.faces import MIXED, REAL, VIRTUAL, HullFaces, hull_faces_of

TETRAHEDRON = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])


def faces_of(mesh: kc.Mesh) -> HullFaces:
    found = hull_faces_of(mesh)
    assert found is not None
    return found


def kind_towards(faces: HullFaces, *direction: float) -> int:
    """Return the virtuality of the face whose normal is a direction."""
    (face,) = np.flatnonzero(faces.normals @ np.array(direction) > 1.0 - 1e-9)
    return int(faces.virtuality[face])


def counts(faces: HullFaces) -> tuple[int, int, int]:
    return tuple(int((faces.virtuality == kind).sum()) for kind in (REAL, VIRTUAL, MIXED))  # type: ignore[return-value]


def round_mesh(n: int) -> kc.Mesh:
    """Return a sphere of n rings of n vertices: every triangle is a face of its hull."""
    theta = np.linspace(0.0, np.pi, n + 1)[1:-1]
    phi = np.arange(n) * 2.0 * np.pi / n
    rows = np.stack(
        [
            np.outer(np.sin(theta), np.cos(phi)),
            np.outer(np.sin(theta), np.sin(phi)),
            np.repeat(np.cos(theta)[:, None], n, 1),
        ],
        axis=-1,
    )
    return kc.Mesh(kc.Convex(np.r_[rows.reshape(-1, 3), [[0, 0, 1], [0, 0, -1]]]).points, _rings(n))


def _rings(n: int) -> list[list[int]]:
    """Return quads between rings, and triangles around the poles."""
    at = np.arange((n - 1) * n).reshape(n - 1, n)
    top, bottom, faces = at.size, at.size + 1, []
    for j in range(n):
        k = (j + 1) % n
        faces += [[top, at[0, j], at[0, k]], [bottom, at[-1, k], at[-1, j]]]
        faces += [[at[i, j], at[i + 1, j], at[i + 1, k], at[i, k]] for i in range(n - 2)]
    return [[int(i) for i in face] for face in faces]


def test_all_faces_of_a_cube_are_real_with_all_its_triangles_as_owners() -> None:
    faces = faces_of(blocks([[[1]]]))
    assert len(faces) == 6
    assert counts(faces) == (6, 0, 0)
    assert sorted(faces.owners.tolist()) == list(range(12))
    for face in range(6):
        assert len(faces.corners_of(face)) == 4
        assert len(faces.owners_of(face)) == 2


def test_faces_cut_into_many_squares_are_real() -> None:
    assert counts(faces_of(blocks(np.ones((4, 3, 2))))) == (6, 0, 0)


def test_the_mouth_of_a_u_is_mixed_between_its_arms() -> None:
    """Both arms end in the plane of the mouth, whose middle third no face covers."""
    faces = faces_of(u_block())
    assert kind_towards(faces, 0, 1, 0) == MIXED
    assert kind_towards(faces, 0, -1, 0) == REAL
    assert kind_towards(faces, 0, 0, 1) == MIXED  # the U itself in its rectangle
    assert counts(faces) == (3, 0, 3)


def test_the_mouth_of_a_v_is_virtual() -> None:
    outline = np.array([[0, 0], [3, 3], [2, 3], [0, 1], [-2, 3], [-3, 3]], dtype=float)
    narrow = np.array([[0, 0], [3, 3], [0, 1], [-3, 3]], dtype=float)
    for ring_, kind in ((outline, MIXED), (narrow, VIRTUAL)):
        n = len(ring_)
        points = np.r_[np.c_[ring_, np.zeros(n)], np.c_[ring_, np.ones(n)]]
        sides = [[i, (i + 1) % n, n + (i + 1) % n, n + i] for i in range(n)]
        mesh = kc.Mesh(points, sides, solid=False)
        assert kind_towards(faces_of(mesh), 0, 1, 0) == kind
        assert kind_towards(faces_of(mesh), 0, 0, 1) == VIRTUAL


@pytest.mark.parametrize(("through", "bottom"), [(False, REAL), (True, MIXED)])
def test_a_plate_with_a_hole_is_mixed_where_the_hole_opens(through: bool, bottom: int) -> None:
    faces = faces_of(plate(2, through=through))
    assert kind_towards(faces, 0, 0, 1) == MIXED
    assert kind_towards(faces, 0, 0, -1) == bottom
    assert all(kind_towards(faces, *side) == REAL for side in ((1, 0, 0), (0, 1, 0), (-1, 0, 0), (0, -1, 0)))


def test_every_face_of_a_round_mesh_is_real() -> None:
    mesh = round_mesh(24)
    faces = faces_of(mesh)
    real, virtual, mixed = counts(faces)
    assert (virtual, mixed) == (0, 0)
    assert real == len(faces) >= 24 * 23
    assert sorted(faces.owners.tolist()) == list(range(len(mesh.triangles)))


def test_gears_have_virtual_faces_between_teeth_and_rings_a_mixed_top() -> None:
    assert counts(faces_of(gear())) == (0, 6, 2)
    assert kind_towards(faces_of(ring()), 0, 0, 1) == MIXED
    assert (faces_of(dish()).virtuality != REAL).any()


def test_two_coincident_squares_do_not_cover_a_face_twice_as_large() -> None:
    """Their area is that of the face, but their boundary runs through it."""
    box = blocks(np.ones((2, 1, 1)))
    middles = box.vertices[box.triangles].mean(axis=1)
    top = np.flatnonzero((middles[:, 2] == 1.0) & (middles[:, 0] > 1.0))
    rest = np.setdiff1d(np.arange(len(box.triangles)), np.flatnonzero(middles[:, 2] == 1.0))
    mesh = kc.Mesh(box.vertices, np.r_[box.triangles[rest], box.triangles[top], box.triangles[top]])
    assert kind_towards(faces_of(mesh), 0, 0, 1) == MIXED


def test_orientation_does_not_count_and_t_junctions_stay_in_doubt() -> None:
    cube = blocks([[[1]]])
    turned = cube.triangles.copy()
    turned[::2] = turned[::2, ::-1]
    assert counts(faces_of(kc.Mesh(cube.vertices, turned, solid=False))) == (6, 0, 0)
    # One square as two triangles beside a third whose long side has a vertex in its middle.
    square = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0.5, 0.5, 0], [0.5, 0.5, -1]])
    mesh = kc.Mesh(square, [[0, 1, 2], [0, 4, 3], [4, 2, 3], [0, 1, 5], [2, 3, 5]], solid=False)
    assert kind_towards(faces_of(mesh), 0, 0, 1) == MIXED


def test_moved_and_turned_meshes_have_the_same_faces() -> None:
    rng = np.random.default_rng(5)
    for mesh, expected in ((u_block(), (3, 0, 3)), (plate(1), (4, 0, 2)), (blocks([[[1]]]), (6, 0, 0))):
        q, r = np.linalg.qr(rng.normal(size=(3, 3)))
        q = q * np.sign(np.diag(r)) * np.sign(np.linalg.det(q * np.sign(np.diag(r))))
        moved = kc.Mesh(mesh.vertices @ q.T + rng.normal(size=3), mesh.faces)
        assert counts(faces_of(moved)) == expected


def test_a_corner_that_no_triangle_uses_makes_virtual_faces() -> None:
    mesh = kc.Mesh(np.r_[TETRAHEDRON, [[2.0, 2.0, 2.0]]], [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
    faces = faces_of(mesh)
    assert counts(faces) == (3, 3, 0)


def test_flat_meshes_have_no_hull_faces() -> None:
    assert hull_faces_of(kc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])) is None
