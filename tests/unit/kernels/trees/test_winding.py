"""Winding numbers about points, and one body inside another: known by hand, and as exact rays count them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from tests.oracles import mesh_bodies as make
from tests.oracles.exact_points import integers, triples
from tests.oracles.mesh_inside import APART, CONTAINED, MEETING, truth_of, winding_number
from tests.oracles.mesh_scene import MeshBody, Triangle, mesh_body, scene
from tests.oracles.poses import random_rotation

import keepclear as kc
from keepclear.compiler.kernel import kernel
from keepclear.geometry.trees.surface import Surface, surface_of_mesh
from keepclear.kernels.convex.pose import relative_matrix
from keepclear.kernels.tables.surface import N_TRIANGLES, ORIGIN, SEAM, SOLID
from keepclear.kernels.trees import obb_tree
from keepclear.kernels.trees.obb_tree import HALF, LINK, NODE
from keepclear.kernels.trees.winding import ON_SURFACE, contained, winding_numbers
from keepclear.kernels.triangles.exact import SCRATCH

Tree = tuple[np.ndarray, np.ndarray]
CUBE = make.box_mesh((2, 2, 2))
EYE = np.eye(4)


def surface(body: MeshBody) -> Surface:
    return surface_of_mesh(kc.Mesh(body.vertices, [list(face) for face in body.faces]))


def oriented_boxes(packed: Surface) -> Tree:
    n = int(packed.reals[N_TRIANGLES])
    N = np.zeros(NODE * (2 * n - 1), np.float32)
    obb_tree.build(
        *packed, np.zeros(n, np.int32), N, N.view(np.int32), np.zeros(obb_tree.STACK, np.int64), np.zeros(9)
    )
    return N, N.view(np.int32)


def upright_boxes(packed: Surface) -> Tree:
    """A tree of axis-aligned boxes over triangles in random order, cut anywhere: the layout, told a second time."""
    reals, links = packed
    n = int(reals[N_TRIANGLES])
    corners = reals[16:].reshape(-1, 3)[links[: 3 * n]].reshape(n, 3, 3) - reals[ORIGIN : ORIGIN + 3]
    rng = np.random.default_rng(7)
    L = np.zeros((2 * n - 1, 16), np.int32)
    N = L.view(np.float32)
    used = 1

    def fill(node: int, faces: np.ndarray) -> None:
        nonlocal used
        points = corners[faces].reshape(-1, 3)
        N[node, :3] = (points.min(axis=0) + points.max(axis=0)) / 2
        N[node, 3:12] = np.eye(3).ravel()
        half = np.abs(points - N[node, :3].astype(float)).max(axis=0)
        N[node, HALF : HALF + 3] = half * (1 + 1e-6) + 1e-40
        if len(faces) == 1:
            L[node, LINK] = -1 - faces[0]
            return
        cut, first = int(rng.integers(1, len(faces))), used
        L[node, LINK], used = first, used + 2
        fill(first, faces[:cut])
        fill(first + 1, faces[cut:])

    fill(0, rng.permutation(n))
    return N.ravel(), L.ravel()


def numbers(body: MeshBody, points: object, trees: Callable[[Surface], Tree] = oriented_boxes) -> list[int]:
    packed = surface(body)
    return numbers_of(packed, trees(packed), points)


def numbers_of(packed: Surface, tree: Tree, points: object) -> list[int]:
    flat = np.array(points, dtype=np.float64).ravel()
    out = np.zeros(len(flat) // 3, np.int64)
    winding_numbers(packed.reals, packed.links, *tree, flat, out)
    return out.tolist()


def exact_numbers(body: MeshBody, points: object) -> list[int]:
    n = len(body.vertices)
    flat, _ = integers(np.concatenate([body.vertices, np.array(points, dtype=np.float64).reshape(-1, 3)]))
    grid = triples(flat)
    triangles = [Triangle(*(grid[i] for i in corners)) for corners in body.triangles]
    return [exact_number(p, triangles) for p in grid[n:]]


def exact_number(p: tuple[int, int, int], triangles: list[Triangle]) -> int:
    try:
        return winding_number(p, triangles)
    except ValueError:
        return ON_SURFACE


def pentagram() -> MeshBody:
    """A prism over the five-pointed star that is drawn in one line: it goes around its middle twice."""
    turns = 4 * np.pi * np.arange(5) / 5
    rim = np.column_stack([np.cos(turns), np.sin(turns)])
    points = [(x, y, z) for z in (-1, 1) for x, y in rim] + [(0, 0, -1), (0, 0, 1)]
    sides = [[i, (i + 1) % 5, 5 + (i + 1) % 5, 5 + i] for i in range(5)]
    caps = [[10, (i + 1) % 5, i] for i in range(5)] + [[11, 5 + i, 5 + (i + 1) % 5] for i in range(5)]
    return mesh_body(points, make.triangulated(sides) + caps)


KNOWN = {
    "cube": (
        CUBE,
        {(0, 0, 0): 1, (0.5, 0.5, 0.5): 1, (1.5, 0, 0): 0, (0, 0, -9e9): 0, (1, 0, 0): ON_SURFACE},
    ),
    "inside out": (make.flipped(CUBE), {(0, 0, 0): -1, (0.25, 0.5, -0.5): -1, (2, 0, 0): 0}),
    "hollow": (make.shell(CUBE, make.box_mesh((1, 1, 1))), {(0, 0, 0): 0, (0.75, 0, 0): 1, (1.25, 0, 0): 0}),
    "twice": (make.joined(CUBE, CUBE), {(0, 0, 0): 2, (0.5, 0.25, 0): 2, (1.5, 0.25, 0): 0}),
    "nested, both outwards": (make.joined(CUBE, make.box_mesh((1, 1, 1))), {(0, 0, 0): 2, (0.75, 0, 0): 1}),
    "overlapping": (
        make.joined(CUBE, make.moved(CUBE, (1, 0, 0))),
        {(0.5, 0, 0): 2, (-0.5, 0, 0): 1, (1.5, 0, 0): 1, (0, 0, 0): ON_SURFACE},
    ),
    "cancelling": (make.joined(CUBE, make.flipped(CUBE)), {(0, 0, 0): 0, (0.5, 0, 0): 0}),
    "ring": (make.torus(8, 6, 2.0, 0.5), {(0, 0, 0): 0, (2, 0, 0): 1, (0, -1.9, 0.1): 1, (0, 0, 0.2): 0}),
    "star": (pentagram(), {(0, 0, 0): 2, (0.7, 0, 0): 1, (-0.7, 0, 0): 0, (0, 0, 2): 0}),
    "flat": (mesh_body([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 1]]), {(0.25, 0.25, 1e-9): 0}),
}


@pytest.mark.parametrize("trees", [oriented_boxes, upright_boxes])
@pytest.mark.parametrize("name", KNOWN)
def test_known_numbers(name: str, trees: Callable[[Surface], Tree]) -> None:
    body, expected = KNOWN[name]
    assert numbers(body, list(expected), trees) == list(expected.values())


def test_points_of_a_grid_where_rays_would_hit_edges_and_corners() -> None:
    block = make.joined(make.notched_block(), make.moved(make.notched_block(), (0, 0, 20)))
    points = [(x, y, z) for x in (-8, -4, 0, 8) for y in (-4, 0, 1) for z in (-4, 2, 4, 6, 12, 25)]
    found = numbers(block, points)
    assert found == exact_numbers(block, points)
    assert {found.count(k) > 5 for k in (0, 1, ON_SURFACE)} == {True}


@pytest.mark.parametrize("seed", range(6))
def test_points_next_to_faces_edges_and_corners(seed: int) -> None:
    rng = np.random.default_rng(seed)
    body = make.with_faults(rng, make.solids(rng))
    corners = body.vertices[list(body.triangles[int(rng.integers(len(body.triangles)))])]
    weights = np.array([[1, 0, 0], [0.5, 0.5, 0], [0.25, 0.25, 0.5]])
    near = np.repeat(weights @ corners, 2, axis=0)
    points = np.nextafter(near, np.where(rng.random(near.shape) < 0.5, -9.0, 9.0))
    assert numbers(body, points) == exact_numbers(body, points)


@pytest.mark.parametrize("scale", [1e-18, 1e-9, 1e8])
def test_sizes_far_from_one(scale: float) -> None:
    body = mesh_body(make.star(0.8).vertices * scale, make.star(0.8).faces)
    points = np.array([(0, 0, 0), (0.3, 0.3, 0.2), (0.9, 0, 0), (0.6, 0.6, 0), (0.7, 0.7, 0.7)]) * scale
    packed = surface(body)
    tree = upright_boxes(packed) if scale > 1e-30 else whole_space(packed)
    assert numbers_of(packed, tree, points) == exact_numbers(body, points) == [1, 1, 1, 0, 1]


def whole_space(packed: Surface) -> Tree:
    """A tree whose boxes hold everything: coordinates below 1e-45 are nothing in single precision."""
    N, L = upright_boxes(packed)
    N.reshape(-1, NODE)[:, HALF : HALF + 3] = 1.0
    return N, L


def test_rays_pass_by_triangles_without_area() -> None:
    hairs = [
        [(0, 0, 0), (0, 0, 0), (0, 0, 5)],
        [(9, 1, 2), (9, 1, 2), (9, 1, 2)],
        [(3, 3, 3), (6, 6, 6), (4, 4, 4)],
    ]
    body = make.joined(
        make.box_mesh((20, 20, 20)), mesh_body(np.reshape(hairs, (-1, 3)), [[0, 1, 2], [3, 4, 5]])
    )
    body = make.joined(body, mesh_body(hairs[2], [[0, 1, 2], [2, 1, 0]]))
    points = [(0, 0, 6), (0, 0, -1), (9, 1, 1), (2, 2, 2), (7, 7, 7), (1, 1, 0)]
    assert numbers(body, points) == [1] * 6


def split_ball(gap: float) -> Surface:
    """Two cones, base to base; the rims are `gap` apart, and the surface says that this is a seam."""
    turns = np.arange(12) * np.pi / 6
    rim = 0.95 * np.column_stack([np.cos(turns), np.sin(turns), 0 * turns])
    points = np.concatenate([rim + np.array([0, 0, 1e-8]), rim, [(0, 0, 1), (0, 0, -1)]])
    upper = [[i, (i + 1) % 12, 24] for i in range(12)]
    lower = [[12 + (i + 1) % 12, 12 + i, 25] for i in range(12)]
    packed = surface(mesh_body(points, upper + lower))
    assert packed.reals[SOLID] == 1.0
    assert packed.reals[SEAM] > 0.0
    packed.reals[16:].reshape(-1, 3)[:12, 2] = gap
    packed.reals[SEAM] = gap
    return packed


def test_no_ray_counts_that_passes_through_a_seam() -> None:
    packed = split_ball(1e-3)
    tree = oriented_boxes(packed)
    points = [(0.8, 0.02, z) for z in np.linspace(-0.03, 0.0, 100)]
    assert numbers_of(packed, tree, points) == [1] * 100
    packed.reals[SEAM] = 0.0  # and the test can fail:
    assert set(numbers_of(packed, tree, points)) == {0, 1}


@pytest.mark.parametrize("width", [1e-8, 1.0])
def test_solid_angles_decide_next_to_a_seam(width: float) -> None:
    packed = split_ball(1e-8)
    packed.reals[SEAM] = width  # 1.0 says only that there is one: no ray is far enough from it
    inner = [(0, 0, 5e-9), (0.94, 0, 5e-9), (0, 0.9, 0), (0.5, 0.5, 5e-9), (0, 0, -0.99)]
    outer = [(0.94, 0, 0.05), (0.96, 0, 5e-9), (0, 0.9, -0.2), (0, 0, 1.5)]
    assert numbers_of(packed, oriented_boxes(packed), inner + outer) == [1] * 5 + [0] * 4


@kernel(
    "int64(float64[::1], int32[::1], float32[::1], int32[::1], float64[::1], int32[::1], float32[::1], int32[::1],"
    "float64[:,:,::1], float64[:,:,::1])",
    allocates=True,
)
def probe(SA, TA, NA, LA, SB, TB, NB, LB, X_WA, X_WB):  # type: ignore[no-untyped-def]
    """Answer `contained` for one pair of poses."""
    rel = relative_matrix(X_WA, 0, X_WB, 0)
    M = np.zeros(24)
    for i in range(12):
        M[i], M[12 + i] = X_WA[0, i // 4, i % 4], X_WB[0, i // 4, i % 4]
    delta = 2.0**-45 * (SA[0] + SB[0] * rel[0] + abs(rel[9]) + abs(rel[10]) + abs(rel[11]))
    digits, stack = np.zeros(SCRATCH, np.int64), np.zeros(800, np.int32)
    return contained(SA, TA, NA, LA, SB, TB, NB, LB, rel, delta, M, digits, stack)[0]


def inside(a: MeshBody, X_WA: np.ndarray, b: MeshBody, X_WB: np.ndarray) -> int:
    A, B = surface(a), surface(b)
    return probe(*A, *oriented_boxes(A), *B, *upright_boxes(B), X_WA[None].copy(), X_WB[None].copy())


def pose(rng: np.random.Generator, shift: object = (0, 0, 0), scale: float = 1.0) -> np.ndarray:
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = scale * random_rotation(rng), shift
    return X


PLATE = mesh_body([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
SMALL, LARGE = make.box_mesh((1, 1, 1)), make.box_mesh((4, 4, 4))
HOLLOW = make.shell(LARGE, make.box_mesh((3, 3, 3)))
PAIRS = {
    "cube in a cube": (SMALL, LARGE, (0.25, 0.5, 0), 1),
    "beside it": (SMALL, LARGE, (3, 0, 0), 0),
    "far away": (SMALL, LARGE, (1e12, 0, 0), 0),
    "cube in a cavity": (SMALL, HOLLOW, (0.25, 0.5, 0), 0),
    "cube in a thick wall": (make.moved(SMALL, (0, 0, 0), scale=0.25), HOLLOW, (1.75, 0, 0), 1),
    "hollow cube in a cube": (make.shell(SMALL, make.box_mesh((0.5, 0.5, 0.5))), LARGE, (0, 0, 0), 1),
    "hollow cube around a hollow cube": (HOLLOW, make.shell(make.box_mesh((2, 2, 2)), SMALL), (0, 0, 0), 0),
    "plate in a cube": (PLATE, LARGE, (0, 0, 0), 1),
    "plate in a cavity": (PLATE, HOLLOW, (0, 0, 0), 0),
    "plate beside a cube": (PLATE, LARGE, (0, 0, 3), 0),
    "cube in a cube inside out": (SMALL, make.flipped(LARGE), (0, 0, 0), 1),
    "one piece in, one out": (make.joined(make.moved(SMALL, (9, 0, 0)), SMALL), LARGE, (0, 0, 0), 1),
    "two plates": (PLATE, make.moved(PLATE, (0, 0, 1)), (0, 0, 0), 0),
}


@pytest.mark.parametrize("name", PAIRS)
def test_known_pairs(name: str) -> None:
    a, b, shift, expected = PAIRS[name]
    X_WA, rng = pose(np.random.default_rng(3)), np.random.default_rng(4)
    X_WA[:3, 3] = X_WA[:3, :3] @ shift
    X_WB = X_WA.copy()
    X_WB[:3, 3] = 0
    assert inside(a, X_WA, b, X_WB) == expected
    assert inside(b, X_WB, a, X_WA) == {0: 0, 1: 2}[expected]
    to, scale = pose(rng, (5, -7, 1)), np.diag([0.1, 0.1, 0.1, 1.0])
    assert inside(a, to @ scale @ X_WA, b, to @ scale @ X_WB) == expected


@pytest.mark.parametrize(("scale", "expected"), [(1e-5, 2), (0.45, 2), (2.5, 1), (1e5, 1)])
def test_scaled_bodies(scale: float, expected: int) -> None:
    X_WA = pose(np.random.default_rng(5), (3, 0, 4))
    X_WB = X_WA @ np.diag([scale, scale, scale, 1.0])
    assert inside(CUBE, X_WA, CUBE, X_WB) == expected
    assert inside(CUBE, X_WB, CUBE, X_WA) == 3 - expected


@pytest.mark.parametrize("turned", [False, True])
def test_bodies_one_digit_apart(turned: bool) -> None:
    """The corners of one cube are next to those of the other: no ray in double precision can tell."""
    X = pose(np.random.default_rng(6), (0.1, 0.2, 0.3)) if turned else EYE
    larger = make.moved(CUBE, (0, 0, 0), scale=1 + 2**-52)
    assert inside(CUBE, X, larger, X) == 1
    assert inside(CUBE, X, make.shell(LARGE, larger), X) == 0
    assert (
        inside(larger, X, make.shell(LARGE, CUBE), X) == 1
    )  # not disjoint from the cavity's wall: in the wall
    beside = X @ np.array([[1, 0, 0, 2 + 2**-50], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]])
    assert inside(CUBE, X, CUBE, beside) == 0


@pytest.mark.parametrize("seed", range(8))
def test_random_pairs(seed: int) -> None:
    """Bodies of all kinds about one place, their sizes different: beside, inside and in cavities."""
    rng = np.random.default_rng(seed)
    found = []
    while len(found) < 4:
        a, b = make.solids(rng), make.moved(make.solids(rng), (0, 0, 0), scale=float(rng.choice([0.1, 0.3])))
        X_WA, X_WB = pose(rng), pose(rng, rng.normal(size=3) * 0.5)
        truth = truth_of(scene(a, X_WA, b, X_WB)).relation
        if truth != MEETING:
            found.append(truth)
            assert inside(a, X_WA, b, X_WB) == (2 if truth == CONTAINED else 0)
            assert inside(b, X_WB, a, X_WA) == (1 if truth == CONTAINED else 0)
    assert set(found) <= {APART, CONTAINED}
