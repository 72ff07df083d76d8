"""Box trees: cuts known by hand, boxes and slabs that hold their triangles in exact fractions, and their size."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from tests.unit.kernels.trees.box_trees import outside, places

import keepclear as kc
from keepclear.kernels.box_trees import tree as layout

# Rounding of the builder, as a part of the extent: two units for each node on the way, and a few for the products with
# the direction of a slab (docs/theory/box-tree).
UNIT = Fraction(1, 2**53)


def allowed(tree: kc.BoxTree) -> Fraction:
    return UNIT * (2 * tree.depth + 40)


def soup(n: int, seed: int, size: float = 0.2) -> kc.Mesh:
    """Triangles here and there, far from the frame's origin."""
    rng = np.random.default_rng(seed)
    corners = rng.normal(size=(n, 1, 3)) + size * rng.normal(size=(n, 3, 3)) + np.array([30.0, 0.0, -7.0])
    return kc.Mesh(corners.reshape(-1, 3), np.arange(3 * n).reshape(n, 3))


def sheet(n: int, bend: float = 0.1) -> kc.Mesh:
    """A gently bent sheet, slanted to all axes, of 2 n^2 triangles."""
    i, j = (x.ravel() for x in np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij"))
    u, v = i / n, j / n
    points = np.stack([u + 0.3 * v, v - 0.4 * u, 0.7 * u + 0.8 * v + bend * np.sin(3 * u)], axis=1)
    corner = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).ravel()
    right, up = corner + n + 1, corner + 1
    return kc.Mesh(
        points, np.concatenate([np.stack([corner, right, up], 1), np.stack([right, right + 1, up], 1)])
    )


FAMILIES = {
    "one": soup(1, 1),
    "two": soup(2, 2),
    "three": soup(3, 3),
    "soup": soup(30, 4),
    "large triangles": soup(20, 5, size=3.0),
    "sheet": sheet(4),
    "flat": sheet(4, bend=0.0),
    "in a plane of the axes": kc.Mesh(np.diag([1.0, 1.0, 0.0]) @ np.ones((3, 3)), [[0, 1, 2]]),
    "duplicates": kc.Mesh(np.eye(3), [[0, 1, 2]] * 37),
    "a point": kc.Mesh(np.full((3, 3), 5.0), [[0, 1, 2]] * 5),
    "a line": kc.Mesh(np.arange(30.0)[:, None] * [[0.0, 1.0, 0.0]], [[k, k + 1, k + 2] for k in range(28)]),
    "tiny": kc.Mesh(sheet(3).vertices * 1e-18, sheet(3).triangles),
    "huge": kc.Mesh(sheet(3).vertices * 5e8, sheet(3).triangles),
}


@pytest.mark.parametrize("name", FAMILIES)
def test_boxes_and_slabs_hold_their_triangles(name: str) -> None:
    tree = kc.build_box_tree(FAMILIES[name])
    assert outside(tree) <= allowed(tree)


@pytest.mark.parametrize("name", FAMILIES)
def test_a_tree_has_each_triangle_once_and_says_how_deep_it_is(name: str) -> None:
    tree = kc.build_box_tree(FAMILIES[name])
    nodes = list(places(tree))
    n = len(tree.mesh.triangles)
    assert sorted(place.node for place in nodes) == list(range(tree.n_nodes))
    assert sorted(place.link for place in nodes if place.kind == layout.LEAF) == list(range(n))
    assert sum(place.kind == layout.SPLIT for place in nodes) == n - 1
    assert max(place.level for place in nodes) == tree.depth
    assert all(place.link > place.node for place in nodes if place.kind != layout.LEAF)


@pytest.mark.parametrize("name", FAMILIES)
def test_a_tree_takes_at_most_32_bytes_per_triangle(name: str) -> None:
    tree = kc.build_box_tree(FAMILIES[name])
    assert tree._nodes.base is None  # it keeps no larger array alive
    assert tree.nbytes == 12 * (tree.n_nodes + 1) <= 32 * len(tree.mesh.triangles)


def test_two_triangles_apart_along_x_are_split_there() -> None:
    vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 1], [7, 0, 0], [8, 0, 0], [7, 1, 1]]
    tree = kc.build_box_tree(kc.Mesh(vertices, [[0, 1, 2], [3, 4, 5]]))
    root, *leaves = places(tree)
    assert (root.kind, root.axis, root.link) == (layout.SPLIT, 0, 1)
    assert tree._nodes[1:3] == pytest.approx([7.0, 7.0], rel=1e-6)  # off the upper end, off the lower end
    assert tree._nodes[1] < 7.0
    assert {leaf.link: round(float(leaf.upper[0] - leaf.lower[0]), 5) for leaf in leaves} == {0: 1.0, 1: 1.0}


def test_empty_space_is_trimmed_and_slanted_pieces_get_slabs() -> None:
    kinds = [place.kind for place in places(kc.build_box_tree(sheet(6)))]
    assert kinds.count(layout.TRIM) > 10
    assert kinds.count(layout.SLAB) > 10


def test_a_slab_is_thin_where_the_surface_is_flat() -> None:
    tree = kc.build_box_tree(sheet(6, bend=0.0))
    slabs = [slab for place in places(tree) if place.kind == layout.LEAF for slab in place.slabs]
    assert slabs
    assert max(greatest - least for _, least, greatest in slabs) < Fraction(1, 200)  # of boxes 1.5 wide


def test_no_path_is_long_whatever_the_triangles() -> None:
    sizes = 2.0 ** np.arange(
        0.0, -120.0, -0.5
    )  # a spiral into a point: halves of the box hold one triangle each
    vertices = np.concatenate([np.outer(sizes, d) for d in ([1, 0, 0], [0, 1, 0.2], [0.3, 0, 1])])
    n = len(sizes)
    mesh = kc.Mesh(vertices, np.stack([np.arange(n), n + np.arange(n), 2 * n + np.arange(n)], axis=1))
    tree = kc.build_box_tree(mesh)
    assert tree.depth <= 4 * (
        np.log(n) / np.log(16 / 15) + 2
    )  # at most three one-child nodes and a split per level
    assert outside(tree) <= allowed(tree)


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("how", ["not", "a little", "inside out", "to a point"])
def test_boxes_follow_moved_vertices(name: str, how: str) -> None:
    mesh = FAMILIES[name]
    moved = {
        "not": mesh.vertices,
        "a little": mesh.vertices + 0.05 * np.sin(7.0 * mesh.vertices[:, [1, 2, 0]]),
        "inside out": -1.3 * mesh.vertices[::-1],
        "to a point": np.ones_like(mesh.vertices),
    }[how]
    tree = kc.build_box_tree(mesh)
    before = tree._nodes.tobytes()
    refitted = tree.refit(moved)
    assert outside(refitted) <= allowed(refitted)
    assert tree._nodes.tobytes() == before
    same = [(place.node, place.kind, place.link) for place in places(refitted)]
    assert same == [(place.node, place.kind, place.link) for place in places(tree)]


def test_boxes_refitted_to_the_same_vertices_are_the_same() -> None:
    for mesh in (soup(60, 4), sheet(6)):
        tree = kc.build_box_tree(mesh)
        assert tree.refit(mesh.vertices)._nodes.tobytes() == tree._nodes.tobytes()
