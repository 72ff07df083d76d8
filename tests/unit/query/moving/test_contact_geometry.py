"""Where a contact is: points, normals and features of bodies that touch, overlap, or are inside each other."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import keepclear as kc
from keepclear.query.moving.contact_geometry import Place, body_feature, place_of_contact
from keepclear.query.moving.question import checked_query
from keepclear.query.moving.results import SURFACE, Feature

REST = np.eye(4)
NOT_KNOWN = (-1, -1)
FLOOR = kc.Mesh([[-4, -4, 0], [4, -4, 0], [0, 4, 0]], [[0, 1, 2]])
SPIKE = kc.Mesh([[0, 0, 0], [1, 0, 2], [0, 1, 2]], [[0, 1, 2]])
RIDGE = kc.Mesh([[0, -1, 0], [0, 1, 0], [0, 0.3, -2]], [[0, 1, 2]])
BLADE = kc.Mesh([[-1, 0, 0], [1, 0, 0], [0.3, 0, 2]], [[0, 1, 2]])
GEM = kc.Mesh(
    np.concatenate([np.eye(3), -np.eye(3)]),
    [[0, 1, 2], [1, 3, 2], [3, 4, 2], [4, 0, 2], [1, 0, 5], [3, 1, 5], [4, 3, 5], [0, 4, 5]],
)
BOX = kc.Box([0.2, 0.4, 0.6])
SLAB = kc.Box([4.0, 4.0, 1.0])
CORNER_DOWN = (
    Rotation.from_rotvec([0, math.atan(1 / math.sqrt(2)), 0]) * Rotation.from_euler("x", math.pi / 4)
).as_rotvec()


def moved(x: float, y: float = 0.0, z: float = 0.0, turn: Any = (0, 0, 0)) -> np.ndarray:
    X = np.eye(4)
    X[:3, :3] = Rotation.from_rotvec(turn).as_matrix()
    X[:3, 3] = x, y, z
    return X


def place(
    a: Any, X_WA: Any, b: Any, X_WB: Any, triangles: Any = NOT_KNOWN, *, swapped: bool = False, **known: Any
) -> Place:
    """Where two bodies at rest touch."""
    query = checked_query(a, X_WA, b, X_WB)
    return place_of_contact(query, 0.0, swapped, triangles, X_WA, X_WB, **known)


def check(found: Place, p: Any, normal: Any, first: Any, second: Any) -> None:
    assert np.allclose(found.p_W, p, rtol=0.0, atol=1e-9)
    assert np.allclose(found.normal_W, normal, rtol=0.0, atol=1e-9, equal_nan=True)
    assert found.features == (first, second)


VERTEX, FACE = Feature("vertex", (0,)), Feature("face", (0,))
EDGE = Feature("edge", (0, 1))
TOUCHING: dict[str, Any] = {
    "vertex on face": (FLOOR, SPIKE, (0.5, 0.2), FACE, VERTEX),
    "vertex on edge": (RIDGE, SPIKE, (0.0, 0.5), EDGE, VERTEX),
    "vertex on vertex": (RIDGE, SPIKE, (0.0, 1.0), Feature("vertex", (1,)), VERTEX),
    "edge on edge": (RIDGE, BLADE, (0.0, 0.0), EDGE, EDGE),
}


@pytest.mark.parametrize("gap", [1e-5, 0.02])
@pytest.mark.parametrize("name", TOUCHING)
def test_two_triangles(name: str, gap: float) -> None:
    """B is above A by a gap: the point is half way, the normal goes up."""
    a, b, (x, y), of_a, of_b = TOUCHING[name]
    X = moved(x, y, gap)
    check(place(a, REST, b, X, (0, 0)), (x, y, gap / 2), (0, 0, 1), of_a, of_b)
    check(place(b, X, a, REST, (0, 0)), (x, y, gap / 2), (0, 0, -1), of_b, of_a)
    turn = moved(3.0, -2.0, 1.0, (0.3, -0.8, 0.5))
    seen = place(a, turn, b, turn @ X, (0, 0))
    check(seen, turn[:3] @ [x, y, gap / 2, 1.0], turn[:3, 2], of_a, of_b)


def test_triangles_are_named_in_the_order_of_the_search() -> None:
    """Swapped, the first number is that of B; faces are those of the mesh as it was given, edges its vertices."""
    two = kc.Mesh([[-4, -4, 0], [4, -4, 0], [4, 4, 0], [-4, 4, 0]], [[0, 1, 2, 3]])
    assert len(two.triangles) == 2
    corner = two.vertices[two.triangles[1]].mean(axis=0)
    X = moved(corner[0], corner[1], 1e-6)
    for pair, numbers, swapped in (
        ((two, REST, SPIKE, X), (1, 0), False),
        ((two, REST, SPIKE, X), (0, 1), True),
    ):
        check(place(*pair, numbers, swapped=swapped), [*corner[:2], 5e-7], (0, 0, 1), FACE, VERTEX)


def test_a_normal_that_is_known_is_taken() -> None:
    """Points that coincide have none of their own."""
    touching = place(FLOOR, REST, SPIKE, moved(0.5, 0.2), (0, 0))
    assert np.isnan(touching.normal_W).all()
    known = np.array([0.0, 0.0, 1.0])
    check(
        place(FLOOR, REST, SPIKE, moved(0.5, 0.2), (0, 0), normal_W=known), (0.5, 0.2, 0), known, FACE, VERTEX
    )


BOXES: dict[str, Any] = {
    "face": ((0, 0, 0), 0.3, Feature("face", (4,))),
    "edge": ((math.pi / 4, 0, 0), math.sqrt(0.5) * 0.5, Feature("edge", (0, 4))),
}


@pytest.mark.parametrize("gap", [1e-6, 0.1])
@pytest.mark.parametrize("name", BOXES)
def test_a_box_on_a_slab(name: str, gap: float) -> None:
    turn, depth, feature = BOXES[name]
    X = moved(0.1, 0.2, 0.5 + depth + gap, turn)
    found = place(SLAB, REST, BOX, X)
    assert found.p_W[2] == pytest.approx(0.5 + gap / 2, abs=1e-9)
    assert np.allclose(found.normal_W, (0, 0, 1), atol=1e-9)
    assert found.features == (Feature("face", (5,)), feature)
    other = place(BOX, X, SLAB, REST)
    assert np.allclose(other.normal_W, (0, 0, -1), atol=1e-9)
    assert other.features == (feature, Feature("face", (5,)))


def test_a_corner_of_a_cube_on_a_slab() -> None:
    cube = kc.Box([0.2, 0.2, 0.2])
    X = moved(0.1, 0.2, 0.5 + 0.1 * math.sqrt(3) + 1e-6, CORNER_DOWN)
    check(
        place(SLAB, REST, cube, X),
        (0.1, 0.2, 0.5 + 5e-7),
        (0, 0, 1),
        Feature("face", (5,)),
        Feature("vertex", (4,)),
    )


def test_edges_of_two_boxes() -> None:
    cube, half = kc.Box([0.2, 0.2, 0.2]), 0.1 * math.sqrt(2)
    X_WA, X_WB = moved(0, 0, 0, (math.pi / 4, 0, 0)), moved(0, 0, 2 * half + 1e-6, (0, math.pi / 4, 0))
    check(
        place(cube, X_WA, cube, X_WB),
        (0, 0, half + 5e-7),
        (0, 0, 1),
        Feature("edge", (3, 7)),
        Feature("edge", (4, 6)),
    )


@pytest.mark.parametrize("ball", [kc.Sphere(0.1), kc.Capsule(0.1, 0.2), kc.Cylinder(0.1, 0.2)], ids=repr)
def test_curved_bodies_touch_with_their_surface(ball: Any) -> None:
    depth = 0.2 if isinstance(ball, kc.Capsule) else 0.1
    found = place(SLAB, REST, ball, moved(0.1, 0.2, 0.5 + depth + 1e-6))
    assert found.features == (Feature("face", (5,)), SURFACE)
    assert np.allclose(found.normal_W, (0, 0, 1), atol=1e-6)


@pytest.mark.parametrize("swap", [False, True])
def test_a_ball_on_a_mesh(swap: bool) -> None:
    n = np.ones(3) / math.sqrt(3)
    X = moved(*(np.ones(3) / 3 + 0.101 * n))
    bodies = (kc.Sphere(0.1), X, GEM, REST) if swap else (GEM, REST, kc.Sphere(0.1), X)
    features = (SURFACE, FACE) if swap else (FACE, SURFACE)
    check(place(*bodies), np.ones(3) / 3 + 0.0005 * n, -n if swap else n, *features)


@pytest.mark.parametrize(
    ("inner", "X"),
    [
        (kc.Sphere(0.1), moved(0.05)),
        (kc.Box([0.1, 0.1, 0.1]), moved(-0.1)),
        (kc.Mesh(0.1 * GEM.vertices, GEM.faces), moved(0.05)),
    ],
)
def test_one_inside_the_other(inner: Any, X: Any) -> None:
    """A point of both, and no direction."""
    for pair in ((GEM, REST, inner, X), (inner, X, GEM, REST)):
        found = place(*pair)
        assert np.isnan(found.normal_W).all()
        assert np.abs(found.p_W - X[:3, 3]).max() <= 0.1 + 1e-9
        assert np.abs(found.p_W).sum() <= 1.0


def test_meshes_that_cross() -> None:
    found = place(FLOOR, REST, SPIKE, moved(0.1, 0.1, -0.5))
    assert abs(found.p_W[2]) <= 1e-9
    assert np.isnan(found.normal_W).all()


@pytest.mark.parametrize("seed", range(5))
def test_overlapping_bodies_have_a_common_point(seed: int) -> None:
    """A bar that sticks in a cube, anyhow: the middle of the deepest points may be outside of both."""
    rng = np.random.default_rng(seed)
    bar, cube = kc.Box([3.0, 0.1, 0.1]), kc.Box([1.0, 1.0, 1.0])
    x, y, z = rng.uniform(-0.6, 0.6, 3)
    X = moved(x, y, z, Rotation.random(random_state=seed).as_rotvec())
    found = place(cube, REST, bar, X)
    assert np.abs(found.p_W).max() <= 0.5 + 1e-9
    assert (np.abs(X[:3, :3].T @ (found.p_W - X[:3, 3])) <= np.array([1.5, 0.05, 0.05]) + 1e-9).all()
    assert np.linalg.norm(found.normal_W) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("body", "direction", "feature"),
    [
        (BOX, (1, 0, 0), Feature("face", (1,))),
        (BOX, (-1, 0, 0), Feature("face", (0,))),
        (BOX, (0, -1, 0), Feature("face", (2,))),
        (BOX, (0, 1, 0), Feature("face", (3,))),
        (BOX, (0, 0, -1), Feature("face", (4,))),
        (BOX, (0, 0, 1), Feature("face", (5,))),
        (BOX, (1, 1, 0), Feature("edge", (6, 7))),
        (BOX, (-1, 0, 1), Feature("edge", (1, 3))),
        (BOX, (1, -1, 1), Feature("vertex", (5,))),
        (BOX, (1, 1e-9, 0), Feature("face", (1,))),
        (BOX, (1, 1e-5, 0), Feature("edge", (6, 7))),
        (kc.Convex([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]), (1, 1, 1), None),
        (kc.Convex([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]), (1, 0, 0), Feature("vertex", (1,))),
        (kc.Convex([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]), (1, 1, 0), Feature("edge", (1, 2))),
        (kc.Sphere(1.0), (1, 0, 0), SURFACE),
        (BOX, (math.nan, 0, 0), SURFACE),
    ],
)
def test_what_is_farthest_along_a_direction(body: Any, direction: Any, feature: Any) -> None:
    found = body_feature(body, np.array(direction, dtype=float), -1)
    if feature is None:  # the face that is across the direction
        assert found.kind == "face"
        assert set(np.asarray(body.faces[found.index[0]]).tolist()) == {1, 2, 3}
    else:
        assert found == feature


def test_a_mesh_tells_its_closest_face() -> None:
    assert body_feature(GEM, np.ones(3), 3) == Feature("face", (3,))
    assert body_feature(GEM, np.ones(3), -1) == SURFACE


@pytest.mark.parametrize("build", [kc.build_obb_tree, kc.build_box_tree])
def test_trees_stand_for_their_meshes(build: Any) -> None:
    way = kc.PoseTrajectory([0, 1], [moved(0.5, 0.2, 1.0), moved(0.5, 0.2, -1.0)], "linear")
    k = kc.first_contact(build(FLOOR), REST, build(SPIKE), way)
    check(Place(k.p_W, k.normal_W, k.features), (0.5, 0.2, 0), (0, 0, 1), FACE, VERTEX)
