"""The source's directed graph beside the library's search, on hulls with triangles, large polygons and an apex."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.closest_graph import FAMILIES, STATES, WAYS, agreement, hulls, jumps, steps
from benchmarks.operations import Counted, counts
from benchmarks.references.graph import INNER_PRODUCTS, NODES, SCANS, Search, build_graph
from numba.core import config

import keepclear as kc

inner = pytest.mark.skipif(not config.DISABLE_JIT, reason="a benchmark's kernel, which it compiles itself")


@pytest.mark.parametrize("triangulated", [False, True])
@pytest.mark.parametrize("family", FAMILIES)
def test_graphs_of_closed_surfaces(family: str, triangulated: bool) -> None:
    hull = hulls(family, 32)[0]
    graph = build_graph(hull, triangulated=triangulated)
    assert len(graph.seen) == 32
    corners = {"ball": 3, "drum": 16, "cone": 31}[family]
    largest = 3 if triangulated else corners
    polygons = hull.graph.triangles if triangulated else hull.faces
    assert max(len(polygon) for polygon in polygons) == largest


def test_a_flat_hull_has_no_graph() -> None:
    flat = kc.Convex([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])
    with pytest.raises(ValueError, match="a flat hull"):
        build_graph(flat, triangulated=False)


@inner
def test_answers_are_those_of_the_library() -> None:
    text = agreement(3, sizes=(8, 32))
    assert text.startswith("1728 answers equal to kc.distance") or "more ended without one" in text


@inner
def test_a_short_move_costs_the_polygons_around_the_closest_point() -> None:
    a, b = hulls("ball", 128)
    for options in ({}, {"triangulated": True}):
        search = Search(a, b, **options)
        X = steps(12, 128)
        search.distances(X[:2], tracked=True)
        search.state[INNER_PRODUCTS:] = 0
        search.distances(X, tracked=True)
        assert search.state[SCANS] == 2  # the first query
        assert search.state[INNER_PRODUCTS] / len(X) < 80
        assert search.state[NODES] > 0


@inner
@pytest.mark.parametrize("way", WAYS)
def test_overlap_is_found(way: str) -> None:
    a, b = hulls("drum", 8)
    found = Search(a, b, **WAYS[way]).distances(jumps(5, STATES["interfering"]), tracked=False)
    truth = kc.distance(a, np.eye(4), b, jumps(5, STATES["interfering"])).distance
    assert ((found[:, 2] > 0.0) == (truth < 0.0)).all()


def test_operations_are_counted_by_kind() -> None:
    x, before = Counted(2.0), dict(counts)
    y = 3.0 * x + x - 1.0
    assert (float(y / 2.0), y > x, -y < np.float64(0.5), abs(-y) == 7.0) == (3.5, True, True, True)
    spent = {kind: counts[kind] - before[kind] for kind in before}
    assert spent == {"multiply": 1, "add": 2, "divide": 1, "compare": 3}
