"""Sphere trees: radii by hand, cells by exact clipping, cover in exact arithmetic and by points, bad input."""

from __future__ import annotations

import copy
import dataclasses
import math
import pickle
from pathlib import Path

import numpy as np
import pytest
from tests.oracles import sphere_cover as oracle
from tests.unit.geometry.sphere_meshes import CUBE, QUADS, ring, soup, spiky

import keepclear as kc

MESHES = {
    "closed": ring,
    "spiky": spiky,
    "cube": lambda: kc.Mesh(CUBE, QUADS),
    "open": lambda: kc.Mesh(np.array(CUBE) + 0.37, QUADS[:4]),
    "thin": lambda: kc.Mesh(np.array(CUBE) * [1.0, 0.7, 1e-7], QUADS),
    "flat": lambda: kc.Mesh([[0, 0, 0.5], [1, 0.2, 0.5], [0.3, 1.1, 0.5]], [[0, 1, 2]]),
    "needle": lambda: kc.Mesh([[0, 0, 0], [1.3, 0.9, 0.7], [0.65, 0.45, 0.35 + 1e-9]], [[0, 1, 2]]),
    "segment": lambda: kc.Mesh([[0, 0, 0], [1.0, 0.5, 0.25], [0.5, 0.25, 0.125]], [[0, 1, 2]]),
    "non-manifold": lambda: kc.Mesh(
        [[0, 0, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0], [-1, -1, 0.5]], [[0, 1, 2], [0, 1, 3], [0, 1, 4]]
    ),
    "soup": lambda: soup(40, 3),
    "far away": lambda: kc.Mesh(np.array(CUBE) * 0.3 + [1e4, -2e4, 5e3], QUADS),
}
SHAPES = {
    "sphere": kc.Sphere(0.3),
    "box": kc.Box([0.4, 0.3, 0.2]),
    "plate": kc.Box([0.4, 0.3, 1e-6]),
    "capsule": kc.Capsule(0.1, 0.5),
    "cylinder": kc.Cylinder(0.2, 0.3),
    "disc": kc.Cylinder(0.4, 1e-4),
    "ellipsoid": kc.Ellipsoid([0.4, 0.2, 0.05]),
    "hull": kc.Convex(np.random.default_rng(1).normal(0, 0.2, (30, 3))),
    "polygon": kc.Convex([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0.5, 0.5, 0], [0.5, 1.4, 0]]),
    "stick": kc.Convex([[0, 0, 0], [0.3, 0.2, 0.6]]),
}


def solid_points(shape: kc.Box, n: int, seed: int) -> np.ndarray:
    """Return points on the surface of a primitive, each family by its own formula, rounded to the nearest double."""
    rng = np.random.default_rng(seed)
    d = rng.normal(size=(n, 3))
    d /= np.linalg.norm(d, axis=1)[:, None]
    t = rng.uniform(-1, 1, n)
    kind = type(shape).__name__
    if kind == "Sphere":
        return d * shape.radius
    if kind == "Ellipsoid":
        return d * shape.radii
    if kind == "Box":
        p = rng.uniform(-0.5, 0.5, (n, 3))
        p[np.arange(n), rng.integers(0, 3, n)] = rng.choice([-0.5, 0.5], n)
        return p * shape.size
    if kind == "Capsule":
        caps = d * shape.radius + np.sign(d[:, 2:]) * [0, 0, 0.5 * shape.length]
        u = d[:, :2] / np.linalg.norm(d[:, :2], axis=1)[:, None]
        return np.concatenate([caps, np.column_stack([u * shape.radius, 0.5 * t * shape.length])])
    u = d[:, :2] / np.linalg.norm(d[:, :2], axis=1)[:, None]
    wall = np.column_stack([u * shape.radius, 0.5 * t * shape.length])
    ends = np.column_stack(
        [u * shape.radius * np.sqrt(rng.uniform(0, 1, n))[:, None], 0.5 * shape.length * np.sign(t)]
    )
    return np.concatenate([wall, ends])


def check_invariants(tree: kc.SphereTree) -> None:
    """Check parents, cells and reaches of every rank."""
    ranks = tree.ranks
    assert ranks[0].parent.tolist() == [-1]
    assert len(ranks[0]) == 1
    for k, rank in enumerate(ranks):
        low, high = rank.cells[:, 0], rank.cells[:, 1]
        assert (low <= high).all()
        far = np.linalg.norm(np.maximum(np.abs(high - rank.centers), np.abs(low - rank.centers)), axis=1)
        assert (far <= rank.radius * (1 + 1e-15)).all()
        assert (rank.reach >= rank.radius).all()
        assert not rank.centers.flags.writeable
        if k + 1 == len(ranks):
            assert (rank.reach == rank.radius).all()
            assert not rank.child_start.any()
            break
        below = ranks[k + 1]
        assert np.array_equal(rank.child_start, np.searchsorted(below.parent, np.arange(len(rank) + 1)))
        assert (np.diff(rank.child_start) > 0).all()
        mother = below.parent
        assert (low[mother] <= below.cells[:, 0]).all()
        assert (below.cells[:, 1] <= high[mother]).all()
        corner = np.maximum(
            np.abs(below.cells[:, 1] - rank.centers[mother]), np.abs(below.cells[:, 0] - rank.centers[mother])
        )
        assert (np.linalg.norm(corner, axis=1) <= rank.radius * (1 + 1e-15)).all()
        apart = np.linalg.norm(below.centers - rank.centers[mother], axis=1)
        assert (apart + below.reach <= rank.reach[mother] * (1 + 1e-15)).all()


@pytest.mark.parametrize(
    ("ratio", "accuracy", "radii"),
    [
        (2.0, 0.1, [1.5, 0.1 * 15**0.75, 0.1 * 15**0.5, 0.1 * 15**0.25, 0.1]),  # log 15 / log 2 = 3.91
        (1.5, 0.1, [0.1 * 15 ** (k / 7) for k in range(7, -1, -1)]),  # 6.68
        (3.0, 0.1, [1.5, math.sqrt(1.5 * 0.1), 0.1]),  # 2.46: the middle one is the geometric mean
        (4.0, 1.5 / 32, [1.5 / 32 * 32 ** (k / 3) for k in range(3, -1, -1)]),  # 2.5: half goes up
        (100.0, 0.5, [1.5, 0.5]),  # never less than two ranks
        (2.0, 1.499999, [1.5, 1.499999]),
        (2.0, 1.5, [1.5]),
        (2.0, 7.0, [1.5]),
    ],
)
def test_radii_are_those_of_the_formulas(ratio: float, accuracy: float, radii: list[float]) -> None:
    tree = kc.build_sphere_tree(kc.Box([2, 2, 1]), accuracy, ratio)
    found = [rank.radius for rank in tree.ranks]
    assert found[0] == 1.5
    assert len(found) == len(radii)
    for k, (radius, expected) in enumerate(zip(found, radii, strict=True)):
        assert expected <= radius <= expected * (1 + (2.1e-9 if k else 0.0)) * (1 + 1e-14)
    check_invariants(tree)


def test_ranks_can_be_asked_for() -> None:
    tree = kc.build_sphere_tree(kc.Box([2, 2, 1]), 0.1, ranks=3)
    assert [round(rank.radius, 6) for rank in tree.ranks] == [1.5, 0.387298, 0.1]
    assert round(tree.ratio, 6) == round(math.sqrt(15), 6)
    assert len(kc.build_sphere_tree(kc.Box([2, 2, 1]), 2.0, ranks=5).ranks) == 1


def test_reach_exceeds_the_radius_where_cubes_stick_out() -> None:
    """Half sizes (10, 5, 5): the children reach 12.91, the enclosing sphere 12.25."""
    tree = kc.build_sphere_tree(kc.Box([20, 10, 10]), math.sqrt(150) / 2)
    root, leaves = tree.ranks
    edge = 2 * math.sqrt(150) / 2 / math.sqrt(3)
    assert len(leaves) == 3 * 2 * 2
    assert np.allclose(np.unique(leaves.centers[:, 0]), [-10 + edge / 2, -10 + 1.5 * edge, 10 - edge / 2])
    assert np.allclose(np.unique(leaves.cells[:, :, 0]), [-10, -10 + edge, -10 + 2 * edge, 10])
    assert round(float(root.reach[0]), 2) == 12.91
    assert round(root.radius, 2) == 12.25


@pytest.mark.parametrize("cells", ["source", "even"])
@pytest.mark.parametrize("name", ["spiky", "open", "flat", "non-manifold"])
def test_cells_are_those_of_exact_clipping(name: str, cells: str) -> None:
    """In general position: where a cell is touched by rounding alone, the test may keep it."""
    mesh = MESHES[name]()
    sheared = mesh.vertices @ [[1.0, 0.11, 0.07], [0.05, 0.83, -0.13], [-0.09, 0.17, 0.71]]
    shape = kc.Mesh(sheared, mesh.triangles, solid=False)
    tree = kc.build_sphere_tree(shape, 0.17 * float(np.ptp(shape.vertices, axis=0).max()), cells=cells)
    corners = shape.vertices[shape.triangles]
    root = tree.ranks[0].radius
    radii = [
        tree.accuracy * (root / tree.accuracy) ** (k / (len(tree.ranks) - 1)) for k in range(len(tree.ranks))
    ]
    expected = oracle.slow_ranks(corners, radii[::-1], cells == "even")
    for rank, slow in zip(tree.ranks, expected, strict=True):
        assert len(rank) == len(slow)
        assert np.allclose(rank.centers, [center for center, _ in slow], atol=1e-12)
        assert rank.parent.tolist() == [parent for _, parent in slow]


@pytest.mark.parametrize("cells", ["source", "even"])
@pytest.mark.parametrize("name", MESHES)
def test_every_rank_covers_the_surface_of_a_mesh(name: str, cells: str) -> None:
    mesh = MESHES[name]()
    tree = kc.build_sphere_tree(mesh, 0.08 * float(np.ptp(mesh.vertices, axis=0).max()), cells=cells)
    check_invariants(tree)
    points = oracle.surface_points(mesh.vertices, mesh.triangles, 5000, 1)
    scale = float(np.abs(mesh.vertices).max())
    for rank in tree.ranks:
        assert oracle.farthest_outside(points, rank.centers, rank.radius) <= 1e-15 * scale
    assert tree.cover == 0.0


@pytest.mark.parametrize("name", ["spiky", "open", "needle", "segment", "non-manifold"])
def test_cover_is_proved_in_rational_arithmetic(name: str) -> None:
    mesh = MESHES[name]()
    tree = kc.build_sphere_tree(mesh, 0.2 * float(np.ptp(mesh.vertices, axis=0).max()))
    corners = mesh.vertices[mesh.triangles]
    for rank in tree.ranks:
        assert oracle.is_covered_exactly(corners, rank.centers, rank.radius)
    thinned = tree.ranks[-1].centers[1:]
    assert not oracle.is_covered_exactly(corners, thinned, 0.6 * tree.ranks[-1].radius)


@pytest.mark.parametrize("cells", ["source", "even"])
@pytest.mark.parametrize("name", SHAPES)
def test_every_rank_covers_the_surface_of_a_convex_body(name: str, cells: str) -> None:
    shape = SHAPES[name]
    tree = kc.build_sphere_tree(shape, 0.03, cells=cells)
    check_invariants(tree)
    if isinstance(shape, kc.Convex):
        points = oracle.surface_points(shape.vertices, shape.triangles, 5000, 1) if shape.is_solid else None
        if points is None:  # every point of a flat hull is a mean of its corners
            weights = np.random.default_rng(2).dirichlet(np.full(len(shape.points), 0.4), 3000)
            points = np.concatenate([shape.points, weights @ shape.points])
    else:
        points = solid_points(shape, 5000, 1)
    for rank in tree.ranks:
        assert oracle.farthest_outside(points, rank.centers, rank.radius) <= 1e-15
    if name in ("sphere", "box", "cylinder"):  # the surface only: the middle of a thick body is in no sphere
        assert oracle.farthest_outside(np.zeros((1, 3)), tree.ranks[-1].centers, tree.ranks[-1].radius) > 0.0


@pytest.mark.parametrize("name", ["closed", "open", "soup", "non-manifold", "needle"])
def test_the_excess_bounds_how_far_spheres_reach(name: str) -> None:
    mesh = MESHES[name]()
    tree = kc.build_sphere_tree(mesh, 0.1)
    leaves = tree.ranks[-1]
    rng = np.random.default_rng(4)
    d = rng.normal(size=(len(leaves), 3))
    points = leaves.centers + leaves.radius * d / np.linalg.norm(d, axis=1)[:, None]
    away = oracle.distance_to_triangles(points, mesh.vertices[mesh.triangles])
    assert away.max() <= tree.excess
    assert 0.2 <= tree.excess <= 0.2000001
    middle = oracle.distance_to_triangles(leaves.centers, mesh.vertices[mesh.triangles])
    assert middle.max() <= leaves.radius


def test_meshes_of_the_shared_data_are_covered(shared_data: Path) -> None:
    for name in ("busted.STL", "featuretype.STL", "spot.obj", "torus.STL"):
        mesh = kc.read_mesh(shared_data / "meshes" / name, unit="mm")
        size = float(np.ptp(mesh.vertices, axis=0).max())
        tree = kc.build_sphere_tree(mesh, 0.02 * size)
        check_invariants(tree)
        points = oracle.surface_points(mesh.vertices, mesh.triangles, 20_000, 1)
        for rank in tree.ranks:
            assert oracle.farthest_outside(points, rank.centers, rank.radius) <= 1e-15 * size


def test_a_box_and_its_mesh_have_the_same_cells() -> None:
    size = np.array([0.41, 0.33, 0.27])
    mesh = kc.Mesh((np.array(CUBE) - 0.5) * size, QUADS)
    box, same = kc.build_sphere_tree(kc.Box(size), 0.03), kc.build_sphere_tree(mesh, 0.03)
    for a, b in zip(box.ranks, same.ranks, strict=True):
        assert np.array_equal(a.centers, b.centers)
        assert np.array_equal(a.reach, b.reach)


def test_a_hull_that_is_not_proved_convex_is_refused() -> None:
    hull = kc.Convex(np.random.default_rng(1).normal(size=(20, 3)))
    doubtful = kc.Convex(hull.points)
    object.__setattr__(doubtful, "_graph", dataclasses.replace(hull.graph, proved=False))
    kc.build_sphere_tree(hull, 0.3)
    with pytest.raises(kc.ShapeError, match=r"could not be proved convex.*give its surface as a kc\.Mesh"):
        kc.build_sphere_tree(doubtful, 0.3)


def test_points_that_a_hull_leaves_out_widen_the_test() -> None:
    """The graph is that of other points, which a corner is 1 cm outside of: its spheres must still cover it."""
    cube = np.array(CUBE)
    stretched = kc.Convex(np.concatenate([cube, [[1.01, 0.5, 0.5]]]))
    graph = kc.Convex(cube).graph
    object.__setattr__(stretched, "_graph", graph)
    tree = kc.build_sphere_tree(stretched, 0.05)
    tip = np.array([[1.01, 0.5, 0.5]])
    for rank in tree.ranks:
        assert oracle.farthest_outside(tip, rank.centers, rank.radius) <= 0.0
    assert 0.13 < tree.excess < 0.15


def test_the_largest_numbers_of_children_are_added_up() -> None:
    tree = kc.build_sphere_tree(kc.Box([0.4, 0.2, 0.2]), 0.05)
    assert tree.most_children == 16 + np.diff(tree.ranks[1].child_start).max()
    assert kc.build_sphere_tree(kc.Sphere(0.1), 1.0).most_children == 0


def test_a_point_is_one_sphere_of_radius_0() -> None:
    tree = kc.build_sphere_tree(kc.Convex([[1, 2, 3]]), 0.1)
    assert tree.ranks[0].centers.tolist() == [[1, 2, 3]]
    assert tree.ranks[0].radius == 0.0


def test_a_tree_prints_its_counts_and_never_changes() -> None:
    tree = kc.build_sphere_tree(kc.Box([0.4, 0.2, 0.2]), 0.05)
    assert repr(tree) == (
        "SphereTree(195 spheres: 1 of 0.2449 m, 16 of 0.1107 m, 178 of 0.05 m; cover 0 m, excess 0.1 m, "
        "Box(size=(0.4, 0.2, 0.2)))"
    )
    assert tree.n_spheres == 195
    assert tree.n_leaves == 178
    assert tree.nbytes == 195 * (4 * 8 + 4 + 4 + 6 * 8) + 4
    with pytest.raises(AttributeError, match="never changes"):
        tree.accuracy = 1.0
    with pytest.raises(AttributeError, match="never changes"):
        del tree.accuracy
    with pytest.raises(ValueError, match="read-only"):
        tree.ranks[-1].centers[0, 0] = 1.0
    with pytest.raises(TypeError, match="build_sphere_tree"):
        kc.SphereTree()
    again = pickle.loads(pickle.dumps(tree))
    assert repr(again) == repr(tree)
    for a, b in zip(again.ranks, tree.ranks, strict=True):
        for x, y in zip(a, b, strict=True):
            assert np.array_equal(x, y)
    assert copy.deepcopy(tree) is copy.copy(tree) is tree


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"accuracy": 0.0}, "accuracy must be a finite number > 0"),
        ({"accuracy": -1}, "accuracy must be"),
        ({"accuracy": math.nan}, "accuracy must be"),
        ({"accuracy": math.inf}, "accuracy must be"),
        ({"accuracy": "fine"}, "accuracy must be"),
        ({"accuracy": True}, "accuracy must be"),
        ({"accuracy": 1e-14}, "too fine for coordinates of 1 m"),
        ({"accuracy": 1e-4, "ranks": 2}, "more than 16777216; take more ranks"),
        ({"ratio": 1.0}, "ratio must be a finite number > 1"),
        ({"ratio": math.inf}, "ratio must be"),
        ({"ratio": None}, "ratio must be"),
        ({"ratio": 1.01}, "would need 288 ranks"),
        ({"ranks": 1}, "ranks must be a whole number from 2 to 64"),
        ({"ranks": 2.5}, "ranks must be"),
        ({"ranks": True}, "ranks must be"),
        ({"ranks": 65}, "ranks must be"),
        ({"cells": "odd"}, "cells must be 'source' or 'even'"),
    ],
)
def test_bad_arguments(arguments: dict[str, object], message: str) -> None:
    given = {"accuracy": 0.1} | arguments
    with pytest.raises(kc.ArgumentError, match=message):
        kc.build_sphere_tree(kc.Box([2, 2, 2]), **given)


@pytest.mark.parametrize("wrong", ["mesh", None, [(kc.Sphere(1), np.eye(4))], np.zeros((3, 3))])
def test_what_is_no_shape_is_refused(wrong: object) -> None:
    with pytest.raises(kc.ArgumentError, match="expected a shape"):
        kc.build_sphere_tree(wrong, 0.1)  # type: ignore[arg-type]


def test_too_many_spheres_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("keepclear.geometry.spheres.tree.MOST_SPHERES", 100)
    with pytest.raises(kc.ArgumentError, match="178 spheres, more than 100"):
        kc.build_sphere_tree(kc.Box([0.4, 0.2, 0.2]), 0.05)


def test_an_accuracy_without_hope_is_refused_at_once() -> None:
    """Counting the spheres of a cube of 4 km at 10 cm took minutes before it was refused."""
    cube = kc.Mesh([[x, y, z] for x in (0, 4e3) for y in (0, 4e3) for z in (0, 4e3)], QUADS)
    with pytest.raises(
        kc.ArgumentError, match=r"at least 4\.2.e\+08 spheres, more than 16777216; take a larger"
    ):
        kc.build_sphere_tree(cube, 0.1)


@pytest.mark.parametrize(("far", "least"), [(1e6, r"5\.3e\+07"), (5e8, r"2\.65e\+10")])
def test_a_vertex_far_away_is_refused_at_once(far: float, least: str) -> None:
    """Refitted to a vertex 1000 km away, a model took all memory for 5e7 spheres of 10 cm."""
    square = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]])
    moved = square.copy()
    moved[3] = far, far, 0
    triangles = [[0, 1, 2], [1, 3, 2]]
    model = kc.prepare(kc.Mesh(square, triangles), sphere_tree=0.1)
    for build in (lambda: kc.build_sphere_tree(kc.Mesh(moved, triangles), 0.1), lambda: model.refit(moved)):
        with pytest.raises(kc.ArgumentError, match=f"at least {least} spheres, more than 16777216"):
            build()


def test_a_needle_is_refused_by_its_length() -> None:
    """It has hardly an area, and yet 5e7 spheres along its length."""
    needle = kc.Mesh([[0, 0, 0], [1e7, 0, 0], [0, 1e-6, 0]], [[0, 1, 2]])
    with pytest.raises(kc.ArgumentError, match=r"at least 5e\+07 spheres, more than 16777216"):
        kc.build_sphere_tree(needle, 0.1)
