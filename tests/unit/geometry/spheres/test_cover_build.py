"""Compact covers: proved by exact arithmetic and by points, excess by points, numbers of spheres, bad input."""

from __future__ import annotations

import numpy as np
import pytest
from numba.core import config
from tests.oracles import sphere_cover as oracle
from tests.unit.geometry.sphere_meshes import CUBE, QUADS, soup
from tests.unit.geometry.spheres.test_cover_measure import MESHES, corners_of
from tests.unit.geometry.spheres.test_tree import SHAPES, solid_points

import keepclear as kc
from keepclear.geometry.spheres.cover_measure import measure_cover

pytestmark = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="takes minutes as plain Python")

takes_long = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="a search takes minutes as plain Python")


def check_points(cover: kc.SphereCover, points: np.ndarray) -> None:
    assert oracle.farthest_outside_unequal(points, cover.centers, cover.radii) <= 0.0


@takes_long
@pytest.mark.parametrize("name", MESHES)
def test_every_point_of_a_surface_is_covered(name: str) -> None:
    mesh = MESHES[name]()
    accuracy = 0.3
    cover = kc.build_sphere_cover(mesh, accuracy)
    assert cover.cover == 0.0
    assert 0.0 < cover.excess <= accuracy
    check_points(cover, oracle.surface_points(np.asarray(mesh.vertices), mesh.triangles, 30000, 4))
    assert oracle.is_covered_exactly_unequal(corners_of(mesh), cover.centers, cover.radii)
    rng = np.random.default_rng(5)
    d = rng.normal(size=(100, 3))
    d /= np.linalg.norm(d, axis=1)[:, None]
    points = (cover.centers[:, None] + cover.radii[:, None, None] * d).reshape(-1, 3)
    far = oracle.distance_to_triangles(points, corners_of(mesh))
    if mesh.is_solid:
        far[oracle.is_inside(points, corners_of(mesh))] = 0.0
    assert far.max() <= cover.excess


@takes_long
@pytest.mark.parametrize("name", [name for name in SHAPES if name not in ("hull", "polygon", "stick")])
def test_primitives(name: str) -> None:
    cover = kc.build_sphere_cover(SHAPES[name], 0.08)
    assert cover.cover == 0.0
    assert cover.excess <= 0.08
    check_points(cover, solid_points(SHAPES[name], 20000, 1))


@takes_long
def test_a_ball_needs_one_sphere_and_a_bar_few() -> None:
    assert len(kc.build_sphere_cover(kc.Sphere(0.3), 0.01)) == 1
    bar = kc.build_sphere_cover(kc.Box([0.4, 0.1, 0.1]), 0.04)
    # A chain of m balls of half length w has sqrt(2 0.05^2 + w^2) - 0.05 = 0.04 for w = 0.0557 at most: 4 balls.
    assert len(bar) == 4


@takes_long
def test_the_inside_of_a_solid_is_filled() -> None:
    cube = kc.Mesh(CUBE, QUADS)
    cover = kc.build_sphere_cover(cube, 0.15, solid=True)
    assert cover.solid
    assert cover.cover == 0.0
    assert cover.excess <= 0.15
    steps = np.linspace(0.0, 1.0, 41)
    check_points(cover, np.array([[x, y, z] for x in steps for y in steps for z in steps]))
    assert measure_cover(cube, cover.centers, cover.radii, solid=True).covered


@takes_long
def test_a_thick_body_has_a_hole_unless_it_is_filled() -> None:
    """A body far thicker than its accuracy: spheres at the surface do not reach its middle of their own accord."""
    shell = kc.Box([1.0, 1.0, 1.0])
    cover = kc.build_sphere_cover(shell, 0.2, solid=True)
    m = measure_cover(shell, cover.centers, cover.radii, solid=True)
    assert m.covered
    assert m.excess_upper <= 0.2


@takes_long
def test_bodies_of_several_shapes() -> None:
    X = np.eye(4)
    X[:3, 3] = 0.3, 0.1, -0.2
    X[:3, :3] = [[0.8, -0.6, 0.0], [0.6, 0.8, 0.0], [0.0, 0.0, 1.0]]
    cover = kc.build_sphere_cover([(kc.Box([0.2, 0.1, 0.1]), np.eye(4)), (kc.Cylinder(0.05, 0.2), X)], 0.03)
    check_points(cover, solid_points(kc.Box([0.2, 0.1, 0.1]), 10000, 1))
    check_points(cover, solid_points(kc.Cylinder(0.05, 0.2), 10000, 2) @ X[:3, :3].T + X[:3, 3])
    assert cover.excess <= 0.03


@takes_long
def test_many_spheres_are_searched_where_they_are_needed() -> None:
    """Moving all spheres for each point that the proof found took a minute, and ended with 331 of them."""
    cover = kc.build_sphere_cover(kc.Box([1.0, 1.0, 1.0]), 0.03)
    assert cover.cover == 0.0
    assert cover.excess <= 0.03
    assert len(cover) < 300
    check_points(cover, solid_points(kc.Box([1.0, 1.0, 1.0]), 20000, 1))


@takes_long
@pytest.mark.parametrize("most", [1, 2, 5, 12])
def test_no_more_spheres_than_allowed(most: int) -> None:
    bar = kc.Box([0.4, 0.1, 0.1])
    cover = kc.build_sphere_cover(bar, max_spheres=most)
    assert len(cover) <= most
    assert cover.cover == 0.0
    check_points(cover, solid_points(bar, 20000, 3))
    if most == 2:  # two cubes: half diagonals of (0.1, 0.05, 0.05), less the depth 0.05
        assert cover.excess < 1.05 * (np.sqrt(0.01 + 2 * 0.0025) - 0.05)


@takes_long
def test_covers_are_the_same_every_time() -> None:
    mesh = soup(12, 5)
    first, second = (kc.build_sphere_cover(mesh, 0.2) for _ in range(2))
    np.testing.assert_array_equal(first.centers, second.centers)
    np.testing.assert_array_equal(first.radii, second.radii)


def test_bad_input() -> None:
    box = kc.Box([1, 1, 1])
    for given in ({}, {"accuracy": 0.1, "max_spheres": 4}):
        with pytest.raises(kc.ArgumentError, match="give either accuracy, in metres, or max_spheres"):
            kc.build_sphere_cover(box, **given)
    for value in (0.0, -1.0, np.nan, "a"):
        with pytest.raises(kc.ArgumentError, match="accuracy"):
            kc.build_sphere_cover(box, value)  # type: ignore[arg-type]
    for value in (0, 2.5, True, "a"):
        with pytest.raises(kc.ArgumentError, match="max_spheres must be a whole number"):
            kc.build_sphere_cover(box, max_spheres=value)  # type: ignore[arg-type]
    with pytest.raises(kc.ArgumentError, match="too fine for a compact cover"):
        kc.build_sphere_cover(box, 1e-6)
    with pytest.raises(kc.ArgumentError, match="without shapes"):
        kc.build_sphere_cover([], 0.1)
    with pytest.raises(kc.ArgumentError, match="solid"):
        kc.build_sphere_cover(box, 0.1, solid=2)  # type: ignore[arg-type]


def test_of_an_open_mesh_no_solid_is_claimed() -> None:
    """An open link was called a covered solid, although a point in its hollow was 22 mm outside of all spheres."""
    shell = kc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [1, 2, 3]])
    cover = kc.build_sphere_cover([(shell, np.eye(4))], accuracy=0.2, solid=True)
    assert cover.cover == 0.0
    assert not cover.solid


def test_an_accuracy_beyond_the_size_is_refused() -> None:
    with pytest.raises(kc.ArgumentError, match="max_spheres, the number of spheres"):
        kc.build_sphere_cover(kc.Box([0.1, 0.1, 0.1]), accuracy=20)


def test_a_sphere_is_its_cover() -> None:
    X = np.eye(4)
    X[:3, 3] = [1.0, 2.0, 3.0]
    cover = kc.build_sphere_cover([(kc.Sphere(0.3), X)], max_spheres=1)
    assert len(cover) == 1
    assert cover.solid
    assert cover.excess < 1e-10
    assert measure_cover([(kc.Sphere(0.3), X)], cover.centers, cover.radii * 1.002).covered


def test_the_excess_is_at_most_the_accuracy() -> None:
    cover = kc.build_sphere_cover(kc.Ellipsoid([0.51, 0.515, 0.187]), 0.05, solid=True)
    assert cover.excess <= 0.05
