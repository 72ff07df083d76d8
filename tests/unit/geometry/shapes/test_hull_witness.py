"""Witnesses: points of a hull are shown to be in it, and no point outside ever is, whatever triangle is given."""

from __future__ import annotations

import numpy as np
import pytest
from tests.oracles.hull_bodies import ball, cone, gridded_box, prism

from keepclear.geometry.shapes.hull import build_hull_graph
from keepclear.geometry.shapes.hull_witness import SMALL, bound_outside, find_witnesses, reach_of

RNG = np.random.default_rng(4)
BODIES = {
    "ball": ball(RNG, 300),
    "cone": cone(40),
    "prism": prism(50),
    "gridded box": gridded_box(9),
    "plate": ball(RNG, 300) * [1.0, 1.0, 1e-4],
    "needle": ball(RNG, 200) * [1.0, 1e-3, 1e-3],
    "far away": ball(RNG, 100) + 1000.0,
}


@pytest.mark.parametrize("name", BODIES)
def test_points_inside_are_shown_to_be_inside(name: str) -> None:
    points = BODIES[name]
    graph = build_hull_graph(points)
    weights = RNG.dirichlet(np.ones(len(points)), 500)
    inner = np.ascontiguousarray(np.concatenate([points, weights @ points]))
    outside = bound_outside(inner, find_witnesses(inner, graph), graph)
    assert (outside <= SMALL * reach_of(graph) + 4e-16 * np.abs(points).max()).mean() > 0.99
    assert outside.max() <= 1e-12 * np.abs(points).max()


@pytest.mark.parametrize("name", BODIES)
def test_no_point_outside_is_called_inside(name: str) -> None:
    """Each point is beyond the plane of a facet by a known distance; the bound is not less, for any witness at all."""
    points = BODIES[name]
    graph = build_hull_graph(points)
    a, b, c = (graph.vertices[graph.triangles[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    for gap in (1e-10, 1e-6, 1e-2, 1.0):
        away = gap * reach_of(graph)
        beyond = np.ascontiguousarray((a + b + c) / 3.0 + away * normal)
        certain = away - 1e-13 * np.abs(beyond).max()
        found = bound_outside(beyond, find_witnesses(beyond, graph), graph)
        assert (found >= certain).all()
        for _ in range(5):
            any_one = RNG.integers(len(graph.triangles), size=len(beyond)).astype(np.int32)
            assert (bound_outside(beyond, any_one, graph) >= certain).all()
