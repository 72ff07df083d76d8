"""What spheres leave out of bodies: answers by hand, by points, and in exact arithmetic; bad input."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numba.core import config
from tests.oracles import sphere_cover as oracle
from tests.unit.geometry.sphere_meshes import CUBE, QUADS, ring, soup, spiky
from tests.unit.geometry.spheres.test_tree import SHAPES, solid_points

import keepclear as kc
from keepclear.geometry.spheres.cover_measure import measure_cover

pytestmark = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="takes minutes as plain Python")

MESHES = {
    "closed": ring,
    "spiky": spiky,
    "cube": lambda: kc.Mesh(CUBE, QUADS),
    "open": lambda: kc.Mesh(np.array(CUBE) + 0.37, QUADS[:4]),
    "thin": lambda: kc.Mesh(np.array(CUBE) * [1.0, 0.7, 1e-7], QUADS),
    "needle": lambda: kc.Mesh([[0, 0, 0], [1.3, 0.9, 0.7], [0.65, 0.45, 0.35 + 1e-9]], [[0, 1, 2]]),
    "non-manifold": lambda: kc.Mesh(
        [[0, 0, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0], [-1, -1, 0.5]], [[0, 1, 2], [0, 1, 3], [0, 1, 4]]
    ),
    "soup": lambda: soup(40, 3),
}
TOLERANCE = 1e-3


def corners_of(mesh: kc.Mesh) -> np.ndarray:
    return np.asarray(mesh.vertices)[np.asarray(mesh.triangles)]


def random_spheres(mesh: kc.Mesh, n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    low, high = mesh.bounds
    centers = rng.uniform(low, high, (n, 3))
    return centers, rng.uniform(0.1, 0.5, n) * float(np.linalg.norm(high - low))


@pytest.mark.parametrize("name", MESHES)
@pytest.mark.parametrize("n", [1, 3] if config.DISABLE_JIT else [1, 3, 8])
def test_bounds_hold_for_points_of_the_surface(name: str, n: int) -> None:
    mesh = MESHES[name]()
    centers, radii = random_spheres(mesh, n, n)
    m = measure_cover(mesh, centers, radii, tolerance=TOLERANCE)
    corners = corners_of(mesh)
    points = oracle.surface_points(np.asarray(mesh.vertices), mesh.triangles, 20000, 1)
    g = oracle.outside_unequal(points, centers, radii)
    assert g.max() <= m.sticks_out_upper + 1e-12
    assert m.sticks_out_upper - m.sticks_out_lower <= TOLERANCE * (1 + 1e-9)
    at = oracle.outside_unequal(m.worst_point[None], centers, radii)[0]
    assert m.sticks_out_lower <= max(at, 0.0) + 1e-12
    assert oracle.distance_to_triangles(m.worst_point[None], corners)[0] < 1e-12
    outside = float((g[-20000:] > 0.0).mean())
    assert m.uncovered_lower - 0.012 <= outside <= m.uncovered_upper + 0.012
    if m.sticks_out_upper == 0.0:
        assert oracle.is_covered_exactly_unequal(corners, centers, radii)
    else:
        assert m.sticks_out_lower > 0.0
        assert measure_cover(mesh, centers, radii + m.inflation, tolerance=TOLERANCE).sticks_out_upper == 0.0


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="ten thousands of distances take long as plain Python")
@pytest.mark.parametrize("name", ["closed", "spiky", "cube", "open", "soup"])
def test_excess_holds_for_points_of_the_spheres(name: str) -> None:
    mesh = MESHES[name]()
    centers, radii = random_spheres(mesh, 4, 7)
    m = measure_cover(mesh, centers, radii, tolerance=TOLERANCE)
    rng = np.random.default_rng(2)
    d = rng.normal(size=(1500, 3))
    d /= np.linalg.norm(d, axis=1)[:, None]
    d *= np.cbrt(rng.uniform(0.6, 1.0, 1500))[:, None]
    points = (centers[:, None] + radii[:, None, None] * d).reshape(-1, 3)
    far = oracle.distance_to_triangles(points, corners_of(mesh))
    if mesh.is_solid:
        far[oracle.is_inside(points, corners_of(mesh))] = 0.0
    assert far.max() <= m.excess_upper
    assert m.excess_upper - m.excess_lower <= TOLERANCE * (1 + 1e-6)
    witness = m.excess_point[None]
    assert oracle.outside_unequal(witness, centers, radii)[0] <= 1e-12
    assert oracle.distance_to_triangles(witness, corners_of(mesh))[0] >= m.excess_lower - 1e-9


@pytest.mark.parametrize("name", [name for name in SHAPES if name not in ("hull", "polygon", "stick")])
def test_primitives(name: str) -> None:
    shape = SHAPES[name]
    centers = np.array([[0.02, 0.0, 0.05], [-0.1, 0.05, -0.1]])
    radii = np.array([0.3, 0.25])
    m = measure_cover(shape, centers, radii, tolerance=TOLERANCE)
    g = oracle.outside_unequal(solid_points(shape, 20000, 3), centers, radii)
    assert max(g.max(), 0.0) <= m.sticks_out_upper + 1e-12
    assert max(g.max(), 0.0) >= m.sticks_out_lower - 0.02  # few points
    assert m.sticks_out_upper - m.sticks_out_lower <= 2.5 * TOLERANCE


@pytest.mark.parametrize("name", ["hull", "polygon", "stick"])
def test_hulls(name: str) -> None:
    shape = SHAPES[name]
    m = measure_cover(shape, [[0.0, 0.0, 0.0]], [0.2], tolerance=TOLERANCE)
    far = float(np.linalg.norm(shape.points, axis=1).max()) - 0.2
    assert m.sticks_out_lower <= far <= m.sticks_out_upper
    assert m.sticks_out_upper - m.sticks_out_lower <= TOLERANCE * (1 + 1e-9)


def test_a_hole_inside_is_found_only_when_the_solid_is_asked_for() -> None:
    """Spheres around the corners, edges and faces of a cube leave a hole in the middle."""
    cube = kc.Box([2.0, 2.0, 2.0])
    steps = np.linspace(-1.0, 1.0, 9)
    grid = np.array([[x, y, z] for x in steps for y in steps for z in steps])
    centers = grid[np.abs(grid).max(axis=1) == 1.0]
    radii = np.full(len(centers), 0.26)
    surface = measure_cover(cube, centers, radii)
    assert surface.covered
    assert surface.sticks_out_upper == 0.0
    assert surface.uncovered_upper == 0.0
    solid = measure_cover(cube, centers, radii, solid=True)
    assert not solid.covered
    assert (
        solid.sticks_out_lower <= 0.74 <= solid.sticks_out_upper <= solid.sticks_out_lower + 1e-4 * (1 + 1e-9)
    )
    assert np.abs(solid.worst_point).max() < 0.01
    more = np.concatenate([centers, [[0.0, 0.0, 0.0]]])
    filled = measure_cover(cube, more, np.append(radii, 1.5), solid=True)
    assert filled.covered
    assert filled.excess_lower <= 0.5 <= filled.excess_upper


def test_a_body_of_two_shapes_with_poses() -> None:
    X = np.eye(4)
    X[:3, 3] = 3.0, 0.0, 0.0
    turned = X @ np.array([[0.0, -1.0, 0, 0], [1.0, 0, 0, 0], [0, 0, 1.0, 0], [0, 0, 0, 1.0]])
    body = [(kc.Box([2, 2, 2]), np.eye(4)), (kc.Box([1.0, 2.0, 2.0]), turned)]
    m = measure_cover(body, [[0, 0, 0], [3, 0, 0]], [1.75, 1.0])
    far = math.sqrt(1.0 + 0.25 + 1.0) - 1.0
    assert m.sticks_out_lower <= far <= m.sticks_out_upper < far + 1e-4
    assert m.excess_lower <= 0.75 <= m.excess_upper < 0.75 + 2e-4


def test_an_exact_touch_is_decided_soundly() -> None:
    """Corners of a triangle on the sphere to the last bit, or outside by a unit in the last place."""
    mesh = kc.Mesh([[1, 0, 0], [0, 1, 0], [-1, 0, 0]], [[0, 1, 2]])
    assert measure_cover(mesh, [[0, 0, 0]], [math.nextafter(1.0 + 1e-15, 2.0)]).covered
    out = measure_cover(mesh, [[0, 0, 0]], [1.0 - 2.0**-53])
    assert not out.covered
    assert out.sticks_out_upper < 1e-9


def test_spheres_far_away_and_huge_and_none() -> None:
    box = kc.Box([0.1, 0.1, 0.1])
    far = measure_cover(box, [[1e6, 0.0, 0.0]], [1.0])
    corner = math.hypot(1e6 + 0.05, 0.05, 0.05) - 1.0
    assert far.sticks_out_lower <= corner <= far.sticks_out_upper <= corner * (1 + 1e-9) + 1e-4
    assert far.uncovered_lower == pytest.approx(1.0, abs=1e-6)
    assert far.excess_lower <= 1e6 + 1.0 - 0.05 <= far.excess_upper
    huge = measure_cover(box, [[0.0, 0.0, 0.0]], [1e8])
    assert huge.covered
    assert huge.excess_lower <= 1e8 - 0.05 <= huge.excess_upper
    none = measure_cover(box, [], [])
    assert none.sticks_out_lower == none.sticks_out_upper == none.inflation == math.inf
    assert none.uncovered_lower == 1.0
    assert none.excess_upper == 0.0
    point = measure_cover(box, [[0.0, 0.0, 0.0]], [0.0])
    assert point.excess_upper < 1e-12
    assert point.uncovered_lower > 0.99


def test_bad_input() -> None:
    box, X = kc.Box([1, 1, 1]), np.diag([2.0, 1.0, 1.0, 1.0])
    for centers, radii in (
        ([[0, 0, 0]], [-1.0]),
        ([[0, 0, 0]], [math.nan]),
        ([[0, 0, 0]], [1.0, 2.0]),
        ([[0, 0, 0]], ["a"]),
    ):
        with pytest.raises(kc.ArgumentError, match="radii must be 1 numbers"):
            measure_cover(box, centers, radii)  # type: ignore[arg-type]
    with pytest.raises(kc.ShapeError, match="not finite"):
        measure_cover(box, [[0, 0, math.inf]], [1.0])
    with pytest.raises(kc.ArgumentError, match="without shapes"):
        measure_cover([], [[0, 0, 0]], [1.0])
    for pose, words in ((X, "a rotation and a translation"), (np.eye(3), "finite \\(4, 4\\)")):
        with pytest.raises(kc.PoseError, match=words):
            measure_cover([(box, pose)], [[0, 0, 0]], [1.0])
    with pytest.raises(kc.ArgumentError, match="tolerance"):
        measure_cover(box, [[0, 0, 0]], [1.0], tolerance=0.0)


def surface_points(shape: kc.Cylinder | kc.Capsule | kc.Sphere, rng: np.random.Generator) -> np.ndarray:
    """Points of a curved surface."""
    p = rng.normal(size=(3000, 3))
    p /= np.linalg.norm(p, axis=1)[:, None]
    if isinstance(shape, kc.Sphere):
        return p * shape.radius
    half = 0.5 * shape.length
    if isinstance(shape, kc.Capsule):
        return p * shape.radius + [0, 0, 1] * np.sign(p[:, 2:]) * half
    p[:, :2] *= shape.radius / np.linalg.norm(p[:, :2], axis=1)[:, None]
    return np.column_stack([p[:, :2], np.clip(p[:, 2] * 3.0, -1.0, 1.0) * half])


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("shape", [kc.Cylinder(0.3, 0.8), kc.Capsule(0.3, 0.5), kc.Sphere(0.5)], ids=repr)
def test_bounds_are_as_close_as_the_tolerance(shape: Any, seed: int) -> None:
    """Where balls just touched the surface, halving used the whole budget: bounds of 0.3 m remained 0.3 m apart."""
    rng = np.random.default_rng(seed)
    points = surface_points(shape, rng)
    centers = points[rng.integers(0, len(points), 8)]
    away = np.linalg.norm(points[:, None] - centers, axis=2)
    nearest = away.argmin(axis=1)
    radii = np.array([away[nearest == k, k].max(initial=1e-6) for k in range(8)])
    for tolerance in (1e-2, 1e-3, 1e-4):
        found = measure_cover(shape, centers, radii, tolerance=tolerance)
        assert found.sticks_out_upper - found.sticks_out_lower <= max(tolerance, 2e-3 * shape.radius)
        outside = (away - radii).min(axis=1).max()
        assert outside <= found.sticks_out_upper + 1e-12


@pytest.mark.parametrize("solid", [False, True])
def test_one_ball_around_a_ball_or_a_capsule(solid: bool) -> None:
    """The same ball covers a ball, to the last digit; our own model of a spherical link was undecided."""
    ball, capsule, X = kc.Sphere(0.1), kc.Capsule(0.1, 0.2), np.eye(4)
    X[:3, 3] = 0.1, 0.7, -3.3
    place = [X[:3, 3].tolist()]
    assert measure_cover([(ball, X)], place, [0.1], solid=solid).covered
    less = 0.099 if solid else math.nextafter(0.1, 0.0)  # the inside takes longer to be undecided
    assert not measure_cover([(ball, X)], place, [less], solid=solid).covered
    assert measure_cover([(capsule, X)], place, [0.2 + 1e-12], solid=solid).covered
    assert not measure_cover([(capsule, X)], place, [0.199], solid=solid).covered
    assert measure_cover([(ball, X), (kc.Box([0.1, 0.1, 0.1]), X)], place, [0.1], solid=solid).covered
    assert not measure_cover([(ball, X), (kc.Box([0.2, 0.1, 0.1]), X)], place, [0.1], solid=solid).covered


def test_an_excess_whose_last_cubes_are_all_outside_of_the_ball() -> None:
    """None of the eighths of the last open cubes touched the ball: "argmax of an empty sequence" ended the audit."""
    places = [[-0.515, 0.908, -0.452], [0.704, -0.527, 0.33]]
    X_ball, X_box = (np.eye(4) for _ in places)
    X_ball[:3, 3], X_box[:3, 3] = places
    parts = [(kc.Sphere(0.20643462799132772), X_ball), (kc.Box([0.017, 0.014, 0.043]), X_box)]
    center, radius = np.array([0.267, -0.018, -0.264]), 1.157
    found = measure_cover(parts, [center], [radius], tolerance=0.01)
    assert found.excess_upper - found.excess_lower <= 0.02
    p = np.random.default_rng(0).normal(size=(20_000, 3))
    p = center + radius * p / np.linalg.norm(p, axis=1)[:, None]
    beside_box = np.linalg.norm(np.maximum(np.abs(p - places[1]) - [0.0085, 0.007, 0.0215], 0.0), axis=1)
    beside_ball = np.linalg.norm(p - places[0], axis=1) - 0.20643462799132772
    assert np.minimum(beside_box, beside_ball).max() <= found.excess_upper
