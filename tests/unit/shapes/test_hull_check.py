"""Hulls from elsewhere: those that are the hull of the points come back as built, everything else is refused."""

from __future__ import annotations

import numpy as np
import pytest
from tests.oracles.hull_bodies import CUBE, ball, cone, gridded_box, prism
from tests.oracles.poses import random_rotation

from keepclear.shapes import hull_check
from keepclear.shapes.hull import build_hull_graph
from keepclear.shapes.hull_check import checked_hull_graph

TURN = random_rotation(np.random.default_rng(1))
BODIES = {
    "tetrahedron": np.concatenate([np.zeros((1, 3)), np.eye(3)]),
    "cube and its middle": np.concatenate([CUBE, [[0.5, 0.5, 0.5]], CUBE[:3]]),
    "prism": prism(31),
    "cone": cone(24),
    "gridded box": gridded_box(5),
    "ball": ball(np.random.default_rng(2), 200),
    "far away": CUBE + 1000.0,
    "turned box": gridded_box(6) @ TURN.T,
    "plate": prism(40) * [1.0, 1.0, 1e-4],
}


def arrays(points):
    """Vertices, triangles and flat faces of the hull as it is built, as copies to be changed."""
    graph = build_hull_graph(points)
    return graph.point_index.copy(), graph.triangles.copy(), graph.facet.copy()


@pytest.mark.parametrize("name", BODIES)
def test_the_hull_of_the_points_comes_back_as_it_was_built(name: str) -> None:
    points = BODIES[name]
    built = build_hull_graph(points)
    found = checked_hull_graph(points, *arrays(points))
    assert found is not None
    for field in ("point_index", "vertices", "triangles", "facet", "neighbour_start", "neighbours"):
        assert np.array_equal(getattr(found, field), getattr(built, field)), field
    assert (found.proved, found.dimension) == (built.proved, built.dimension) == (True, 3)


@pytest.mark.parametrize("name", BODIES)
def test_a_hull_that_leaves_out_a_vertex_is_refused(name: str) -> None:
    """The hull of all points but one is closed and convex, and that one point is outside."""
    points = BODIES[name]
    graph = build_hull_graph(points)
    if len(graph.vertices) == 4:
        points = np.concatenate([points, [[-0.5, -0.5, -0.5]]])
    without = graph.point_index[-1] if len(points) == len(BODIES[name]) else len(points) - 1
    kept = np.array([k for k in range(len(points)) if not np.array_equal(points[k], points[without])])
    index, triangles, facet = arrays(points[kept])
    assert checked_hull_graph(points[kept], index, triangles, facet) is not None
    assert checked_hull_graph(points, kept[index], triangles, facet) is None


def test_numbers_that_number_nothing_are_refused() -> None:
    points = BODIES["prism"]
    for which, change in [
        (0, lambda a: a.__setitem__(0, len(points))),
        (0, lambda a: a.__setitem__(0, -1)),
        (0, lambda a: a.__setitem__(0, a[1])),
        (1, lambda a: a.__setitem__((0, 0), len(a))),
        (1, lambda a: a.__setitem__((0, 0), -1)),
        (1, lambda a: a.__setitem__((0, 0), a[0, 1])),
        (2, lambda a: a.__setitem__(0, len(a))),
        (2, lambda a: a.__setitem__(0, -1)),
    ]:
        found = arrays(points)
        change(found[which])
        assert checked_hull_graph(points, *found) is None
    index, triangles, facet = arrays(points)
    assert checked_hull_graph(points, index, triangles[:-1], facet[:-1]) is None
    assert checked_hull_graph(points, index, triangles[:, :2], facet) is None
    assert checked_hull_graph(points, index, triangles, facet[:-1]) is None
    assert checked_hull_graph(points, index[:0], triangles[:0], facet[:0]) is None


def test_surfaces_that_are_not_convex_or_inside_out_are_refused() -> None:
    points = np.concatenate([BODIES["ball"], [[0.3, 0.0, 0.0]]])
    index, triangles, facet = arrays(points)
    assert checked_hull_graph(points, index, triangles[:, ::-1], facet) is None  # inside out
    dented = index.copy()
    dented[17] = len(points) - 1
    assert checked_hull_graph(points, dented, triangles, facet) is None
    swapped = index.copy()
    swapped[[3, 90]] = swapped[[90, 3]]
    assert checked_hull_graph(points, swapped, triangles, facet) is None


def test_flat_faces_that_are_not_flat_are_refused() -> None:
    points = BODIES["cone"]
    index, triangles, facet = arrays(points)
    top = np.flatnonzero((points[index[triangles]][:, :, 2] > 0.5).any(axis=1))
    facet[top[0]] = facet[top[1]]
    assert checked_hull_graph(points, index, triangles, np.unique(facet, return_inverse=True)[1]) is None


def test_a_surface_that_winds_twice_is_refused() -> None:
    """Spindles whose rim winds twice around the axis, in and out: closed, of Euler number 2, convex along all edges.

    A walk on it ends at an inner vertex. Angles around its ends add up to less than a full turn, as for the hull.
    """
    n = 40
    turns = np.arange(n) * (4 * np.pi / n)
    radius = 0.1 * (1.0 + 0.2 * np.cos(turns / 2))  # winds twice before it closes
    around = np.column_stack([radius * np.cos(turns), radius * np.sin(turns), np.zeros(n)])
    points = np.concatenate([around, [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]]])
    k = np.arange(n)
    upper = np.column_stack([k, (k + 1) % n, np.full(n, n)])
    lower = np.column_stack([(k + 1) % n, k, np.full(n, n + 1)])
    triangles = np.concatenate([upper, lower])
    assert hull_check.bent_edges(points, triangles) == []  # so edges alone do not tell
    assert not hull_check._surrounds_once(points, triangles)
    assert checked_hull_graph(points, np.arange(n + 2), triangles, np.arange(2 * n)) is None


def test_two_bodies_are_not_one() -> None:
    tetrahedron = BODIES["tetrahedron"]
    index, triangles, _ = arrays(tetrahedron)
    points = np.concatenate([tetrahedron, tetrahedron - 5.0])
    both = np.concatenate([triangles, triangles + 4])
    assert hull_check.bent_edges(points[np.concatenate([index, index + 4])], both) == []
    assert not hull_check._surrounds_once(points[np.concatenate([index, index + 4])], both)


def test_hulls_that_take_longer_to_check_than_to_find_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    points = BODIES["prism"]
    found = arrays(points)
    monkeypatch.setattr(hull_check, "MOST_PRODUCTS", len(points) * len(found[1]) - 1)
    assert checked_hull_graph(points, *found) is None


def test_points_are_compared_in_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hull_check, "AT_ONCE", 1)
    points = BODIES["gridded box"]
    assert checked_hull_graph(points, *arrays(points)) is not None
    outside = np.concatenate([points, [[0.5, 0.5, 9.0]]])
    assert checked_hull_graph(outside, *arrays(points)) is None
