"""Convex polyhedra: what they accept, how they describe themselves, and what they refuse."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from tests.oracles.hull_bodies import CUBE, closing_faults, cone, gridded_box

from keepclear.errors import KeepclearError, ShapeError
from keepclear.geometry.shapes.convex import Convex

# Corner k of the cube is (x, y, z) = the binary digits of k.
FACES = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
TETRAHEDRON = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]


def test_printed_forms() -> None:
    assert repr(Convex(CUBE)) == "Convex(8 vertices, 6 faces, size 1 x 1 x 1 m)"
    assert repr(Convex(cone(10) * 0.5)) == "Convex(11 vertices, 11 faces, size 1 x 0.951057 x 0.5 m)"
    assert repr(Convex([[0, 0, 0], [1, 0, 0], [0, 2, 0]])) == "Convex(3 vertices, size 1 x 2 x 0 m)"


def test_points_are_kept_as_given_and_only_corners_are_vertices() -> None:
    points = np.concatenate([[[0.5, 0.5, 0.5]], CUBE, CUBE[:2]])
    hull = Convex(points)
    assert np.array_equal(hull.points, points)
    assert sorted(map(tuple, hull.vertices.tolist())) == sorted(map(tuple, CUBE.tolist()))
    assert hull.is_solid
    assert [b.tolist() for b in hull.bounds] == [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]


def test_edges_neighbours_and_triangles_agree() -> None:
    hull = Convex(gridded_box(4))
    edges = {tuple(e) for e in hull.edges.tolist()}
    assert len(edges) == len(hull.edges) == 18  # twelve, and a diagonal in each of six faces
    assert all(a < b for a, b in edges)
    from_neighbours = {tuple(sorted((v, int(w)))) for v in range(8) for w in hull.neighbours(v)}
    from_triangles = {tuple(sorted((a, b))) for t in hull.triangles.tolist() for a in t for b in t if a != b}
    assert edges == from_neighbours == from_triangles


@pytest.mark.parametrize("vertex", [-1, 8, 100])
def test_a_vertex_out_of_range_has_no_neighbours(vertex: int) -> None:
    with pytest.raises(ShapeError, match=f"vertex {vertex} is out of range; it has 8 vertices"):
        Convex(CUBE).neighbours(vertex)


def test_faces_found_are_polygons_of_the_given_points() -> None:
    hull = Convex(np.concatenate([[[0.5, 0.5, 0.5]], CUBE]))
    expected = {frozenset(k + 1 for k in face) for face in FACES}
    assert {frozenset(face.tolist()) for face in hull.faces} == expected
    assert list(closing_faults([face.tolist() for face in hull.faces])) == []


def test_given_faces_are_kept() -> None:
    hull = Convex(CUBE, FACES)
    assert [face.tolist() for face in hull.faces] == FACES
    assert len(hull.triangles) == 12
    triangles = [[a, b, c] for a, b, c, d in FACES] + [[c, d, a] for a, b, c, d in FACES]
    assert len(Convex(CUBE, triangles).faces) == 12
    assert len(Convex(CUBE, np.array(triangles)).faces) == 12
    assert hull != Convex(CUBE)
    assert hull == Convex(CUBE, FACES)


def test_faces_may_be_off_by_printed_digits() -> None:
    rng = np.random.default_rng(4)
    assert len(Convex(CUBE + rng.uniform(-1e-7, 1e-7, size=CUBE.shape), FACES).faces) == 6


def without(k: int) -> list[list[int]]:
    return [face for i, face in enumerate(FACES) if i != k]


@pytest.mark.parametrize(
    ("points", "faces", "message"),
    [
        (CUBE, without(3), "the faces do not close up: each edge must belong to two faces"),
        (CUBE, [FACES[0][::-1], *FACES[1:]], "the faces do not close up"),
        (CUBE, [*FACES, FACES[0]], "the faces do not close up"),
        (CUBE, [face[::-1] for face in FACES], "the faces are not convex: points["),
        (CUBE, [*FACES[:5], [1, 5, 7, 8]], "8"),
        (CUBE, [*FACES[:5], [1, 5, 7, -1]], "-1"),
        (CUBE, [*FACES[:5], [1, 5]], "faces[5]"),
        (CUBE, [*FACES[:5], [1, 5, 5, 3]], "the faces do not close up"),
        ([*TETRAHEDRON, [2, 0, 0]], [[0, 1, 4], [0, 4, 1]], "faces[0] has no area"),
    ],
)
def test_faces_that_are_not_faces_of_the_hull(points: Any, faces: Any, message: str) -> None:
    with pytest.raises(ShapeError) as caught:
        Convex(points, faces)
    assert message in str(caught.value)
    assert str(caught.value).startswith("Convex: ")


@pytest.mark.parametrize(
    "points",
    [
        [],
        np.empty((0, 3)),
        [1.0, 2.0, 3.0],
        [[1.0, 2.0]],
        [[1, 2, 3], [1, 2]],
        [[0, 0, np.nan]],
        [[0, 0, np.inf]],
        [["a", "b", "c"]],
        None,
        "points",
        [[1j, 0, 0]],
        np.zeros((2, 2, 3)),
        [[1e300, 0, 0]],
    ],
)
def test_points_that_are_none(points: Any) -> None:
    with pytest.raises(ShapeError, match="Convex: "):
        Convex(points)
    assert issubclass(ShapeError, KeepclearError)
    assert issubclass(ShapeError, ValueError)


@pytest.mark.parametrize("dtype", [np.float32, np.int64, np.uint8, ">f8"])
def test_points_of_many_kinds(dtype: Any) -> None:
    points = CUBE.astype(dtype)
    assert Convex(points) == Convex(CUBE) == Convex(points.tolist()) == Convex(tuple(map(tuple, points)))
    assert Convex(np.asfortranarray(points)) == Convex(np.repeat(points, 2, axis=0)[::2]) == Convex(CUBE)
    assert Convex(points).points.dtype == np.float64


def test_nothing_changes() -> None:
    points = CUBE.copy()
    hull = Convex(points)
    points[:] = 7.0
    assert hull == Convex(CUBE)
    for array in (hull.points, hull.vertices, hull.triangles, *hull.bounds):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    neighbours = hull.neighbours(0)
    neighbours[:] = -1
    assert -1 not in hull.neighbours(0)
    with pytest.raises(AttributeError):
        hull.points = CUBE  # type: ignore[misc]


def test_equal_by_content_hashable_and_stored() -> None:
    hull = Convex(CUBE, FACES)
    hull.graph  # noqa: B018 (built on first use; it does not count)
    again = pickle.loads(pickle.dumps(hull))
    assert again == hull
    assert hash(again) == hash(hull)
    assert [face.tolist() for face in again.faces] == FACES
    assert copy.deepcopy(hull) == hull
    assert len({hull, again, Convex(CUBE, FACES), Convex(CUBE)}) == 2
    assert hull != CUBE.tolist()


def test_scaled() -> None:
    hull = Convex(CUBE, FACES).scaled(0.25)
    assert np.array_equal(hull.points, CUBE * 0.25)
    assert [face.tolist() for face in hull.faces] == FACES
    for factor in (0.0, -1.0, np.nan, np.inf, "2"):
        with pytest.raises(ShapeError):
            Convex(CUBE).scaled(factor)


def test_flat_hulls_are_no_solids() -> None:
    flat = Convex([[0, 0, 0], [2, 0, 0], [2, 2, 0], [0, 2, 0], [1, 1, 0]])
    assert not flat.is_solid
    assert len(flat.vertices) == 4
    assert len(flat.edges) == len(flat.triangles) == 0
    assert not Convex([[1, 2, 3]]).is_solid
