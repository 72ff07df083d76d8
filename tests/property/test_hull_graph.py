"""Hulls that are hard to describe and to walk on: what they leave out, how they close, where walks end."""

from fractions import Fraction

import numpy as np
import pytest
from tests.oracles.exact_convex import signed_distance
from tests.oracles.exact_points import convex
from tests.oracles.hull_bodies import (
    ball,
    closing_faults,
    exact_points,
    extreme_points,
    graph_faults,
    gridded_box,
    is_convex_surface,
    prism,
)
from tests.oracles.poses import random_rotation
from tests.unit.kernels.convex.probe import (
    CERTAIN,
    SLACK,
    VERTEX,
    exact_shortfalls,
    hard_directions,
    probed,
    vertices_of,
)

import keepclear as kc
from keepclear.geometry.shapes.hull import build_hull_graph
from keepclear.geometry.shapes.packed import packed
from keepclear.kernels.convex import support as core

TURN = random_rotation(np.random.default_rng(1))
BULGES = [0.0, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-6]


def assert_sound(hull):
    """The surface closes, neighbours go around their vertex, and nothing of it is doubtful."""
    assert list(graph_faults(hull.graph)) == []
    assert list(closing_faults([face.tolist() for face in hull.faces])) == []
    assert hull.graph.proved
    assert {int(k) for face in hull.faces for k in face} == set(hull.graph.point_index.tolist())


@pytest.mark.parametrize("flat", [False, True], ids=["solid", "flat"])
def test_small_whole_numbers_have_exactly_their_extreme_points(flat):
    """Repeated, collinear and coplanar points in all mixtures; nothing is rounded, so nothing may be left out."""
    rng = np.random.default_rng(2)
    for _ in range(120):
        points = rng.integers(0, int(rng.integers(2, 6)), size=(int(rng.integers(1, 40)), 3)).astype(float)
        if flat:
            points = points[:, :2] @ rng.integers(-3, 4, size=(2, 3))
        graph = build_hull_graph(points)
        grid = exact_points(points)
        found = [grid[k] for k in graph.point_index]
        told = f"points = {points.tolist()}"
        assert len(set(found)) == len(found), told
        assert set(found) == extreme_points(points), told
        if graph.dimension == 3:
            assert_sound(kc.Convex(points))
            assert is_convex_surface(graph.vertices, graph.triangles), told


@pytest.mark.parametrize("bulge", [1e-2, 1e-6, 1e-9])
def test_swollen_faces_keep_exactly_their_extreme_points(bulge):
    points = gridded_box(5, bulge)
    graph = build_hull_graph(points)
    grid = exact_points(points)
    assert {grid[k] for k in graph.point_index} == extreme_points(points)
    assert is_convex_surface(graph.vertices, graph.triangles)


@pytest.mark.parametrize("turned", [False, True], ids=["exact", "turned"])
def test_a_finely_gridded_box_is_a_box(turned):
    hull = kc.Convex(gridded_box(50) @ TURN.T if turned else gridded_box(50))
    assert (len(hull.vertices), len(hull.faces)) == (8, 6)
    assert sorted(len(face) for face in hull.faces) == [4] * 6
    assert_sound(hull)
    assert packed(hull).reals[core.DEFECT] <= 1e-14


@pytest.mark.parametrize("bulge", BULGES)
@pytest.mark.parametrize("turned", [False, True], ids=["exact", "turned"])
def test_what_is_left_out_is_accounted_for(turned, bulge):
    """Points that stick out of the vertices' hull by less than rounding are left out; the defect says by how much."""
    points = gridded_box(20, bulge) @ TURN.T if turned else gridded_box(20, bulge)
    hull = kc.Convex(points)
    assert_sound(hull)
    shape = packed(hull)  # it may hold more vertices than the graph: points that Qhull lost
    held = shape.reals[core.HEADER : core.HEADER + 3 * int(shape.reals[core.COUNT])].reshape(-1, 3)
    defect, vertices = shape.reals[core.DEFECT], convex(held)
    assert defect <= 1e-12 * 4.0  # what answers may be off by
    left_out = np.setdiff1d(np.arange(len(points)), hull.graph.point_index)
    corners = hull.vertices[hull.triangles[:: max(1, len(hull.triangles) // 40)]]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    heights = points[left_out] @ normals.T - np.einsum("ij,ij->i", normals, corners[:, 0])
    for k in left_out[np.argsort(heights.max(axis=1))[-3:]]:
        outside = signed_distance(convex(points[k]), np.eye(4), vertices, np.eye(4))
        assert outside.upper <= Fraction(defect)


@pytest.mark.parametrize(("n", "bulge"), [(60, 1e-11), (60, 10.0**-10.75), (60, 1e-10)])
def test_faces_that_flatten_round_after_round(n, bulge):
    """A bulge at the edge of rounding: each round of leaving points out makes new points flat."""
    assert_sound(kc.Convex(gridded_box(n, bulge) @ TURN.T))


def test_a_slight_bulge_of_a_fine_grid_is_not_lost():
    """Each point is within rounding of its neighbours' plane, all together they are not: the middle is 3e-11 up."""
    hull = kc.Convex(gridded_box(101, 3e-11))
    X_WB = np.eye(4)
    X_WB[2, 3] = 3.0
    result = kc.distance(hull, np.eye(4), kc.Sphere(0.5), X_WB)
    assert result.lower <= 1.5 - 3e-11 <= result.upper
    assert abs(result.distance - (1.5 - 3e-11)) <= 1e-12 * (np.sqrt(3.0) + 0.5 + 3.0)


@pytest.mark.parametrize(
    "points",
    [
        ball(np.random.default_rng(3), 120),
        ball(np.random.default_rng(4), 80) * [1.0, 1e-6, 1e-6],
        ball(np.random.default_rng(4), 80) * [1.0, 1e-6, 1e-6] @ TURN.T,
        ball(np.random.default_rng(5), 80) * [1.0, 1.0, 1e-6] @ TURN.T,
        ball(np.random.default_rng(6), 80) + np.array([1e4, 0.0, -1e4]),
        np.repeat(ball(np.random.default_rng(7), 60), 3, axis=0),
        prism(60) @ TURN.T,
    ],
    ids=["ball", "needle", "turned needle", "plate", "far ball", "repeats", "prism"],
)
def test_hulls_are_convex_in_exact_arithmetic(points):
    hull = kc.Convex(points)
    assert_sound(hull)
    assert is_convex_surface(hull.vertices, hull.triangles)
    assert np.isin(np.unique(points, axis=0), hull.vertices).all()  # all are extreme


@pytest.mark.parametrize(
    ("points", "n"),
    [
        (ball(np.random.default_rng(8), 2000), 60),
        (gridded_box(8, 1e-6) @ TURN.T, 250),
        (gridded_box(8, 1e-9), 250),
        (gridded_box(8, 1e-11) @ TURN.T, 250),
        (gridded_box(8, 1e-10) @ TURN.T + np.array([3.0, -5.0, 7.0]), 250),
        (ball(np.random.default_rng(9), 200) * [1.0, 1e-6, 1e-6] @ TURN.T, 250),
        (ball(np.random.default_rng(10), 200) * [1.0, 1.0, 1e-6] @ TURN.T, 250),
        (prism(60) @ TURN.T, 250),
    ],
    ids=["ball", "bulge 1e-6", "bulge 1e-9", "bulge 1e-11", "far 1e-10", "needle", "plate", "prism"],
)
def test_no_vertex_is_farther_than_a_walk_and_its_slack(points, n):
    """Thousands of directions, from the table and from any vertex, against exact products with all vertices."""
    rng = np.random.default_rng(11)
    hull = kc.Convex(points)
    shape = packed(hull)
    assert shape.reals[core.KIND] == core.WALK
    vertices, directions = vertices_of(shape), hard_directions(rng, hull, n)
    rounding = 4 * core.UNIT * shape.reals[core.EXTENT]
    opposite = np.argmin(directions @ vertices.T, axis=1)
    for hints in (None, np.where(rng.random(4 * n) < 0.5, opposite, rng.integers(len(vertices), size=4 * n))):
        rows = probed(shape, directions, hints)
        short = exact_shortfalls(vertices, directions, rows[:, VERTEX])
        worst = int(np.argmax(short - rows[:, SLACK]))
        told = f"{short[worst]} short of {directions[worst].tolist()} with slack {rows[worst, SLACK]}"
        assert short[worst] <= rows[worst, SLACK] + rounding, told
        assert np.max(exact_shortfalls(vertices, directions, rows[:, CERTAIN])) <= rounding
