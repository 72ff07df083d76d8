"""One body inside the other, by rays through box trees: answers known by hand, and those of oriented boxes."""

from __future__ import annotations

import numpy as np
import pytest
from tests.oracles.poses import random_rotation
from tests.unit.kernels.box_trees.test_tree import sheet

import keepclear as kc
from keepclear.kernels.box_trees import containment

CORNERS = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
QUADS = np.array([[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]])
CUBE = kc.Mesh(CORNERS, QUADS)
SMALL = kc.Mesh(0.1 * CORNERS, QUADS)
HOLLOW = kc.Mesh(np.concatenate([2.0 * CORNERS, CORNERS]), np.concatenate([QUADS, QUADS[:, ::-1] + 8]))
TWO = kc.Mesh(
    np.concatenate([0.1 * CORNERS, 0.1 * CORNERS + np.array([9.0, 0.0, 0.0])]), [*QUADS, *(QUADS + 8)]
)
TURN = random_rotation(np.random.default_rng(3))


def contained(
    a: kc.Mesh, b: kc.Mesh, places: list[list[float]], R: np.ndarray
) -> tuple[list[int], list[int]]:
    """Return which body is inside for each place of B, as box trees and as oriented boxes say."""
    X_WB = np.tile(np.eye(4), (len(places), 1, 1))
    X_WB[:, :3, :3], X_WB[:, :3, 3] = R, places
    answers = []
    for kernel, build in (
        (containment.contained_many_in_boxes, kc.build_box_tree),
        (containment.contained_many, kc.build_obb_tree),
    ):
        inner, vertices = np.empty(len(places), np.int32), np.empty(len(places), np.int32)
        poses = np.arange(len(places))
        kernel(*build(a).arrays, *build(b).arrays, np.eye(4)[None], X_WB, poses, inner, vertices)
        answers.append(inner.tolist())
    return answers[0], answers[1]


@pytest.mark.parametrize("R", [np.eye(3), TURN, 1.5 * TURN], ids=["straight", "turned", "scaled"])
@pytest.mark.parametrize(
    ("a", "b", "places", "expected"),
    [
        (CUBE, SMALL, [[0, 0, 0], [0.7, 0, 0], [3, 0, 0], [1.4, 1.4, 1.4]], [2, 2, 0, 0]),
        (SMALL, CUBE, [[0, 0, 0], [3, 0, 0]], [1, 0]),
        (HOLLOW, SMALL, [[0, 0, 0], [1.5, 0, 0], [0, 0, -1.5], [5, 0, 0]], [0, 2, 2, 0]),
        (CUBE, TWO, [[0, 0, 0], [4, 4, 4]], [2, 0]),
        (kc.Mesh(CORNERS, QUADS[:5]), SMALL, [[0, 0, 0]], [0]),
        (CUBE, kc.Mesh(0.1 * CORNERS, QUADS[:2]), [[0, 0, 0]], [2]),
        (CUBE, sheet(2), [[0, 0, 5]], [0]),
    ],
    ids=["in a cube", "around a cube", "in a hollow cube", "one piece of two", "open", "a surface", "none"],
)
def test_what_is_inside(
    a: kc.Mesh, b: kc.Mesh, places: list[list[float]], expected: list[int], R: np.ndarray
) -> None:
    assert contained(a, b, places, R) == (expected, expected)


def test_rays_through_slabs_and_trims_count_as_all_triangles_do() -> None:
    i, j = np.meshgrid(np.arange(9), np.arange(6), indexing="ij")
    u, v = 2 * np.pi * i / 9, 2 * np.pi * j / 6
    ring = (
        np.stack([(2 + np.cos(v)) * np.cos(u), (2 + np.cos(v)) * np.sin(u), np.sin(v)], -1).reshape(-1, 3)
        @ TURN.T
    )
    corner = lambda i, j: (i % 9) * 6 + j % 6  # noqa: E731
    torus = kc.Mesh(
        ring,
        np.stack([corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)], -1).reshape(-1, 4),
    )
    around = np.random.default_rng(4).uniform(-3.0, 3.0, size=(25, 3)).tolist()
    dust = kc.Mesh(1e-6 * CORNERS, QUADS)
    boxes, oriented = contained(torus, dust, around, np.eye(3))
    assert boxes == oriented
    assert {0, 2} == set(boxes)
