"""The hull graph on bodies known by hand: corners, faces, neighbours, and the proof that a walk is safe."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.oracles.hull_bodies import (
    CUBE,
    closing_faults,
    cone,
    exact_points,
    extreme_points,
    graph_faults,
    gridded_box,
    is_convex_surface,
    prism,
    rim,
)
from tests.oracles.poses import random_rotation

from keepclear.geometry.shapes.hull import build_hull_graph, facet_polygons, prove_convex, twin_edges

TURN = random_rotation(np.random.default_rng(1))
OCTAHEDRON = np.concatenate([np.eye(3), -np.eye(3)])
SOLIDS = {
    "tetrahedron": (np.concatenate([np.zeros((1, 3)), np.eye(3)]), 4, 4),
    "cube": (CUBE, 8, 6),
    "octahedron": (OCTAHEDRON, 6, 8),
    "prism": (prism(7), 14, 9),
    "cone": (cone(24), 25, 25),
    "gridded box": (gridded_box(5), 8, 6),
    "cube and its middle": (np.concatenate([CUBE, [[0.5, 0.5, 0.5]], CUBE[:3]]), 8, 6),
}


@pytest.mark.parametrize("turned", [False, True], ids=["exact", "turned"])
@pytest.mark.parametrize("name", SOLIDS)
def test_solids_have_their_corners_and_faces(name: str, turned: bool) -> None:
    points, n_vertices, n_faces = SOLIDS[name]
    points = points @ TURN.T if turned else points
    graph = build_hull_graph(points)
    polygons = facet_polygons(graph)
    assert (len(graph.vertices), len(polygons), graph.dimension) == (n_vertices, n_faces, 3)
    assert graph.proved
    assert np.array_equal(graph.vertices, points[graph.point_index])
    assert list(graph_faults(graph)) == []
    assert is_convex_surface(graph.vertices, graph.triangles)
    assert list(closing_faults([p.tolist() for p in polygons])) == []


@pytest.mark.parametrize("name", SOLIDS)
def test_vertices_are_the_extreme_points(name: str) -> None:
    points = SOLIDS[name][0]
    graph = build_hull_graph(points)
    grid = exact_points(points)
    found = [grid[k] for k in graph.point_index]
    assert len(set(found)) == len(found)
    assert set(found) == extreme_points(points)


def test_polygons_turn_counter_clockwise_seen_from_outside() -> None:
    for points, _, _ in SOLIDS.values():
        middle = points.mean(axis=0)
        for polygon in facet_polygons(build_hull_graph(points)):
            corners = points[polygon]
            normal = np.cross(corners, np.roll(corners, -1, axis=0)).sum(axis=0)
            assert normal @ (corners[0] - middle) > 0.01 * np.linalg.norm(normal)


@pytest.mark.parametrize(
    ("points", "dimension", "corners"),
    [
        ([[1.0, 2.0, 3.0]], 0, 1),
        ([[1.0, 2.0, 3.0]] * 5, 0, 1),
        ([[0, 0, 0], [1, 2, 3]], 1, 2),
        ([[0, 0, 0], [1, 0, 0], [2, 0, 0]], 1, 2),
        ([[0, 0, 0], [3, 3, 3], [1, 1, 1], [2, 2, 2]], 1, 2),
        ([[0, 0, 0], [1, 0, 0], [0, 1, 0]], 2, 3),
        ([[0, 0, 0], [2, 0, 0], [2, 2, 0], [0, 2, 0], [1, 1, 0], [1, 0, 0]], 2, 4),
        (rim(40, 0.3) @ TURN.T, 2, 40),
    ],
)
def test_hulls_without_an_inside(points: Any, dimension: int, corners: int) -> None:
    points = np.array(points, dtype=np.float64)
    graph = build_hull_graph(points)
    assert graph.dimension == dimension
    assert len(graph.vertices) == corners
    assert not graph.proved  # nothing to walk on: the tree of boxes or a scan decides
    assert len(graph.triangles) == len(graph.neighbours) == 0
    assert len(graph.neighbour_start) == corners + 1
    assert np.array_equal(graph.vertices, points[graph.point_index])


def test_an_apex_has_all_of_the_rim_around_it_in_order() -> None:
    graph = build_hull_graph(cone(100))
    apex = int(np.flatnonzero(graph.point_index == 100)[0])
    around = graph.neighbours[graph.neighbour_start[apex] : graph.neighbour_start[apex + 1]]
    steps = np.diff(graph.point_index[np.append(around, around[0])]) % 100
    assert len(around) == 100
    assert set(steps.tolist()) == {1}


def test_twin_edges() -> None:
    start, end = np.array([0, 1, 2, 1, 0, 3]), np.array([1, 2, 0, 0, 3, 1])
    assert twin_edges(start[:0], end[:0], 4) is not None
    assert twin_edges(start, end, 4) is None  # four edges have no twin
    triangles = np.array([[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]])
    start, end = triangles.ravel(), np.roll(triangles, -1, axis=1).ravel()
    twin = twin_edges(start, end, 4)
    assert twin is not None
    assert np.array_equal(start[twin], end)
    assert np.array_equal(end[twin], start)
    doubled = np.concatenate([start, start[:1]]), np.concatenate([end, end[:1]])
    assert twin_edges(*doubled, 4) is None


def roof(height: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A pyramid below a square with corners 0 and 2 lifted: with the ridge 0-2, and with the valley 1-3."""
    points = np.array([[0, 0, height], [1, 0, 0], [1, 1, height], [0, 1, 0], [0.5, 0.5, -1.0]])
    sides = [[1, 0, 4], [2, 1, 4], [3, 2, 4], [0, 3, 4]]
    return points, np.array([[0, 1, 2], [0, 2, 3], *sides]), np.array([[0, 1, 3], [1, 2, 3], *sides])


def as_set(triangles: np.ndarray) -> set[tuple[int, ...]]:
    return {min((a, b, c), (b, c, a), (c, a, b)) for a, b, c in triangles.tolist()}


@pytest.mark.parametrize("height", [0.1, 1e-9, 2.0**-60, 1e-200])
def test_a_diagonal_that_is_bent_inwards_is_flipped(height: float) -> None:
    """Down to heights that no product of floats can see: u, v and w of the determinant round them away."""
    points, ridge, valley = roof(height)
    assert is_convex_surface(points, ridge)
    assert not is_convex_surface(points, valley)
    kept, proved = prove_convex(points, ridge)
    assert proved
    assert as_set(kept) == as_set(ridge)
    flipped, proved = prove_convex(points, valley)
    assert proved
    assert as_set(flipped) == as_set(ridge)


def test_a_flat_face_needs_no_flip() -> None:
    points, ridge, valley = roof(0.0)
    for triangles in (ridge, valley):
        kept, proved = prove_convex(points, triangles)
        assert proved
        assert as_set(kept) == as_set(triangles)


def bipyramid(step: int) -> tuple[np.ndarray, np.ndarray]:
    """Two apexes over five points joined in steps: 1 is a pentagon, 2 a star that winds around twice."""
    points = np.concatenate([rim(5), [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]]])
    ring = [(step * k % 5, step * (k + 1) % 5) for k in range(5)]
    return points, np.array([*((a, b, 5) for a, b in ring), *((b, a, 6) for a, b in ring)])


def dented_cube() -> tuple[np.ndarray, np.ndarray]:
    """A cube whose top is four triangles down to a point in its middle."""
    points = np.array([[x, y, z] for z in (0, 1) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))], dtype=float)
    points = np.concatenate([points, [[0.5, 0.5, 0.5]]])
    sides = [t for k in range(4) for t in ([k, (k + 1) % 4, 4 + k], [(k + 1) % 4, 4 + (k + 1) % 4, 4 + k])]
    top = [[4 + k, 4 + (k + 1) % 4, 8] for k in range(4)]
    return points, np.array([[0, 2, 1], [0, 3, 2], *sides, *top])


def test_convex_surfaces_are_proved() -> None:
    points, triangles = bipyramid(1)
    assert prove_convex(points, triangles)[1]
    points, triangles = dented_cube()
    points[8, 2] = 1.5  # a roof instead of a dent
    assert prove_convex(points, triangles)[1]


TETRAHEDRON = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=float)
NOT_CONVEX = {
    "dented": dented_cube(),
    "open": (CORNERS, TETRAHEDRON[:3]),
    "inside out": (CORNERS, TETRAHEDRON[:, ::-1]),
    "folded flat": (CORNERS * [1, 1, 0] + [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0.2, 0.2, 0]], TETRAHEDRON),
    "winding twice": bipyramid(2),
    "two bodies": (
        np.concatenate([CORNERS, CORNERS + 5.0]),
        np.concatenate([TETRAHEDRON, TETRAHEDRON + 4]),
    ),
}


@pytest.mark.parametrize("name", NOT_CONVEX)
def test_what_is_not_convex_is_not_proved(name: str) -> None:
    points, triangles = NOT_CONVEX[name]
    kept, proved = prove_convex(points, triangles)
    assert not proved or (list(closing_faults(kept.tolist())) == [] and is_convex_surface(points, kept))


def test_the_order_of_the_points_and_repeats_change_nothing() -> None:
    rng = np.random.default_rng(3)
    points = rng.normal(size=(40, 3))
    expected = {tuple(p) for p in build_hull_graph(points).vertices.tolist()}
    for _ in range(5):
        shuffled = rng.permutation(np.concatenate([points, points[rng.integers(40, size=20)]]))
        graph = build_hull_graph(shuffled)
        assert {tuple(p) for p in graph.vertices.tolist()} == expected
        assert graph.proved
