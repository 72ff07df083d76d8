"""Hulls from elsewhere: those that are the hull of the points come back as built, everything else is refused."""

from __future__ import annotations

import numpy as np
import pytest
from tests.oracles.hull_bodies import CUBE, ball, cone, gridded_box, prism
from tests.oracles.poses import random_rotation

from keepclear.geometry.hulls import check as hull_check
from keepclear.geometry.hulls.check import checked_hull_graph
from keepclear.geometry.shapes.hull import HullGraph, HullLayout, build_graph, build_hull_graph
from keepclear.geometry.shapes.packed_hull import SCAN_LIMIT, find_layout, is_layout_of

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


def check(points, index, triangles, facet) -> HullGraph | None:
    """Check arrays with the best layout that can be found for them: whoever wrote them would do so too."""
    nothing = np.empty(0, np.int64)
    try:
        layout = find_layout(points, build_graph(index, points[index], triangles, facet, 3, proved=True))
    except (IndexError, ValueError, RuntimeWarning):
        layout = HullLayout(np.zeros(len(points), np.int32), nothing, nothing)
    return checked_hull_graph(points, index, triangles, facet, layout)


@pytest.mark.parametrize("name", BODIES)
def test_the_hull_of_the_points_comes_back_as_it_was_built(name: str) -> None:
    points = BODIES[name]
    built = build_hull_graph(points)
    found = check(points, *arrays(points))
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
    assert check(points[kept], index, triangles, facet) is not None
    assert check(points, kept[index], triangles, facet) is None


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
        assert check(points, *found) is None
    index, triangles, facet = arrays(points)
    assert check(points, index, triangles[:-1], facet[:-1]) is None
    assert check(points, index, triangles[:, :2], facet) is None
    assert check(points, index, triangles, facet[:-1]) is None
    assert check(points, index[:0], triangles[:0], facet[:0]) is None


def test_surfaces_that_are_not_convex_or_inside_out_are_refused() -> None:
    points = np.concatenate([BODIES["ball"], [[0.3, 0.0, 0.0]]])
    index, triangles, facet = arrays(points)
    assert check(points, index, triangles[:, ::-1], facet) is None  # inside out
    dented = index.copy()
    dented[17] = len(points) - 1
    assert check(points, dented, triangles, facet) is None
    swapped = index.copy()
    swapped[[3, 90]] = swapped[[90, 3]]
    assert check(points, swapped, triangles, facet) is None


def test_flat_faces_that_are_not_flat_are_refused() -> None:
    points = BODIES["cone"]
    index, triangles, facet = arrays(points)
    top = np.flatnonzero((points[index[triangles]][:, :, 2] > 0.5).any(axis=1))
    facet[top[0]] = facet[top[1]]
    assert check(points, index, triangles, np.unique(facet, return_inverse=True)[1]) is None


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
    assert check(points, np.arange(n + 2), triangles, np.arange(2 * n)) is None


def test_two_bodies_are_not_one() -> None:
    tetrahedron = BODIES["tetrahedron"]
    index, triangles, _ = arrays(tetrahedron)
    points = np.concatenate([tetrahedron, tetrahedron - 5.0])
    both = np.concatenate([triangles, triangles + 4])
    assert hull_check.bent_edges(points[np.concatenate([index, index + 4])], both) == []
    assert not hull_check._surrounds_once(points[np.concatenate([index, index + 4])], both)


def test_layouts_that_number_nothing_are_refused() -> None:
    points = BODIES["ball"]
    graph = build_hull_graph(points)
    good = find_layout(points, graph)
    counts = len(points), len(graph.vertices), len(graph.triangles)
    assert len(graph.vertices) > SCAN_LIMIT
    assert is_layout_of(good, *counts)
    for name, values in good._asdict().items():
        for k, wrong in ((0, -1), (-1, 10**6)):
            changed = values.copy()
            changed[k] = wrong
            assert not is_layout_of(good._replace(**{name: changed}), *counts), name
        assert not is_layout_of(good._replace(**{name: values[1:]}), *counts), name
    twice = good.order.copy()
    twice[0] = twice[1]
    assert not is_layout_of(good._replace(order=twice), *counts)


@pytest.mark.parametrize("name", BODIES)
def test_wrong_witnesses_prove_nothing(name: str) -> None:
    """Points are then said to be outside, never inside: their own triangle is the only one that shows they are not."""
    points = BODIES[name]
    graph = build_hull_graph(points)
    good = find_layout(points, graph)
    shifted = ((good.witness + len(graph.triangles) // 2) % len(graph.triangles)).astype(np.int32)
    arguments = graph.point_index, graph.triangles, graph.facet
    assert checked_hull_graph(points, *arguments, good) is not None
    assert checked_hull_graph(points, *arguments, good._replace(witness=shifted)) is None
