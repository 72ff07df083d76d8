"""Shifts that separate bodies: known by hand for boxes, proved by `kc.distance` for meshes."""

from __future__ import annotations

import math

import numpy as np
import pytest

import keepclear as kc
from keepclear.world.verify.separating_shift import depth_measure, separating_shift


def at(x: float, y: float = 0.0, z: float = 0.0) -> np.ndarray:
    X = np.eye(4)
    X[:3, 3] = x, y, z
    return X


def as_mesh(size: tuple[float, float, float]) -> kc.Mesh:
    """Return a box as a mesh, which has no depth."""
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * np.array(size) / 2
    faces = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6],
             [0, 6, 4], [1, 5, 7], [1, 7, 3]]  # fmt: skip
    return kc.Mesh(corners, faces)


TABLE = kc.Box([1.0, 1.0, 0.1])


@pytest.mark.parametrize("cube", [kc.Box([0.2, 0.2, 0.2]), as_mesh((0.2, 0.2, 0.2))], ids=["box", "mesh"])
def test_a_cube_sunk_into_a_table_is_lifted(cube: kc.Shape) -> None:
    # The cube reaches from 0.037 to 0.237 m, the table up to 0.05 m: 13 mm deep.
    found = separating_shift([(cube, at(0, 0, 0.137))], [(TABLE, at(0))], 0.0)
    assert found is not None
    x, y, z = found.shift_W
    assert (x, y) == (0.0, 0.0)
    assert 0.013 < z <= 0.0131
    assert 0.0 < found.lower <= z - 0.013 + 1e-6


def test_the_margin_is_restored_as_well() -> None:
    found = separating_shift([(kc.Sphere(0.1), at(0, 0, 0.17))], [(TABLE, at(0))], 0.05)
    assert found is not None
    assert found.shift_W[:2] == (0.0, 0.0)
    assert 0.03 < found.shift_W[2] <= 0.0302
    assert found.lower > 0.05


def test_depth_and_direction_are_those_of_convex_bodies() -> None:
    poses, table = np.array([at(0.59), at(0.7)]), [(TABLE, np.array([at(0)] * 2))]
    found = depth_measure([(kc.Box([0.2] * 3), poses)], table)
    assert found.values == pytest.approx(np.array([[-0.01, 0.1]]))
    assert found.depth == pytest.approx([0.01, np.nan], nan_ok=True)
    assert found.depth[0] <= 0.01
    np.testing.assert_allclose(found.directions(0), [[1, 0, 0]], atol=1e-9)
    found = depth_measure([(as_mesh((0.2,) * 3), poses)], table)
    assert found.values == pytest.approx(np.array([[-0.01, 0.1]])), "hulls tell how deep meshes are"
    assert np.isnan(found.depth).all(), "but meshes have no depth"


def test_an_oblique_direction_is_used_where_it_is_much_shorter() -> None:
    turned = np.eye(4)
    c = math.sqrt(0.5)
    turned[:2, :2] = [[c, -c], [c, c]]
    turned[:3, 3] = 0.55, 0.55, 0.0  # a face of the tall block cuts 2 mm off the corner of the tall post
    post, block = [(kc.Box([1, 1, 9]), at(0))], [(kc.Box([0.145421356, 9, 9]), turned)]
    measured = depth_measure(*([(body, X[None]) for body, X in parts] for parts in (block, post)))
    found = separating_shift(block, post, 0.0, measured.directions(0))
    depth = measured.depth.item()
    assert found is not None
    x, y, z = found.shift_W
    assert z == 0.0
    assert x == pytest.approx(y, rel=0.05)
    assert depth <= math.hypot(x, y) <= 1.1 * depth + 1e-5


def test_every_part_is_separated() -> None:
    """A fork around a bar: sideways one prong would hit it."""
    fork = [(kc.Box([0.02, 0.1, 0.2]), at(x)) for x in (-0.03, 0.03)]
    bar = [(kc.Box([0.05, 1.0, 0.05]), at(0, 0, 0.12))]
    found = separating_shift(fork, bar, 0.001)
    assert found is not None
    for shape, X in fork:
        moved = X.copy()
        moved[:3, 3] += found.shift_W
        assert kc.distance(shape, moved, *bar[0]).lower > 0.001
    assert found.shift_W == (0.0, 0.0, pytest.approx(-0.006, rel=0.02))


def test_a_body_inside_a_shell_is_taken_out() -> None:
    shell, ball = as_mesh((1.0, 1.0, 0.4)), kc.Sphere(0.05)
    found = separating_shift([(ball, at(0))], [(shell, at(0))], 0.0)
    assert found is not None
    assert found.shift_W == (0.0, 0.0, pytest.approx(0.25, rel=0.01))
