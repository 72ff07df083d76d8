"""The solid that open meshes nearly bound: excess counts beyond it; the cover of the surface does not depend on it."""

from __future__ import annotations

import numpy as np
import pytest
from numba.core import config
from tests.oracles import sphere_cover as oracle
from tests.unit.geometry.sphere_meshes import CUBE, QUADS, ring

import keepclear as kc
from keepclear.geometry.spheres.cover_body import build_cover_body
from keepclear.geometry.spheres.cover_measure import measure_cover
from keepclear.geometry.spheres.outer_solid import outer_solid_of

pytestmark = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="takes minutes as plain Python")
UNIT = np.array(CUBE, float)
TRIANGLES = np.asarray(kc.Mesh(CUBE, QUADS).triangles)


def joined(*meshes: tuple[np.ndarray, np.ndarray], **options: bool) -> kc.Mesh:
    """Return one mesh of several arrays of vertices and triangles."""
    starts = np.cumsum([0, *(len(vertices) for vertices, _ in meshes)])
    triangles = [t + start for (_, t), start in zip(meshes, starts, strict=False)]
    return kc.Mesh(np.concatenate([v for v, _ in meshes]), np.concatenate(triangles), **options)


def divided(vertices: np.ndarray, triangles: np.ndarray, times: int) -> tuple[np.ndarray, np.ndarray]:
    """Return each triangle in four, again and again."""
    corners = vertices[triangles]
    for _ in range(times):
        a, b, c = (corners[:, k] for k in range(3))
        ab, bc, ca = 0.5 * (a + b), 0.5 * (b + c), 0.5 * (c + a)
        corners = np.concatenate(
            [np.stack(t, axis=1) for t in ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))]
        )
    points, links = np.unique(corners.reshape(-1, 3), axis=0, return_inverse=True)
    return points, links.reshape(-1, 3)


def with_hole(vertices: np.ndarray, triangles: np.ndarray, seed: int) -> tuple[kc.Mesh, np.ndarray]:
    """Return a mesh without one of its triangles, and the corners of all of them."""
    missing = np.random.default_rng(seed).integers(len(triangles))
    return kc.Mesh(vertices, np.delete(triangles, missing, axis=0)), vertices[triangles]


def depth(shape: object, point: list[float]) -> tuple[float, float]:
    """Return bounds of how deep a point is inside."""
    body = build_cover_body([(shape, np.eye(4))], 0.0)
    found = body.outside(np.array([point], float))
    return -float(found.upper[0]), -float(found.lower[0])


@pytest.mark.parametrize("flipped", [False, True])
def test_a_cube_with_a_small_hole_is_a_solid(flipped: bool) -> None:
    vertices, triangles = divided(UNIT, TRIANGLES, 2)
    mesh, _ = with_hole(vertices, triangles[:, ::-1] if flipped else triangles, 1)
    middle = UNIT.mean(axis=0)
    assert not mesh.is_solid
    measure = measure_cover(mesh, [middle], [0.9], tolerance=1e-3)
    assert (measure.covered, measure.openings) == (True, 1)
    assert 0.4 - 1e-3 <= measure.excess_lower <= measure.excess_upper <= 0.4 + 1e-3
    declared = kc.Mesh(mesh.vertices, mesh.triangles, solid=False)
    measure = measure_cover(declared, [middle], [0.9], tolerance=1e-3)
    assert (measure.covered, measure.openings) == (True, 0)
    assert measure.excess_lower >= 0.5 - 1e-3  # the middle is a point of the sphere


def test_a_cube_without_a_lid_is_a_surface() -> None:
    mesh = kc.Mesh(CUBE, QUADS[:5])
    measure = measure_cover(mesh, [UNIT.mean(axis=0)], [0.3], tolerance=1e-3)
    assert measure.openings == 0
    assert measure.excess_lower >= 0.49


def test_a_tube_is_closed_at_both_ends() -> None:
    turn = 2.0 * np.pi * np.arange(24) / 24
    circle = np.stack([0.1 * np.cos(turn), 0.1 * np.sin(turn), np.zeros(24)], axis=1)
    vertices = np.concatenate([circle, circle + np.array([0.0, 0.0, 1.2])])
    i, j = np.arange(24), (np.arange(24) + 1) % 24
    tube = kc.Mesh(vertices, np.concatenate([np.stack([i, j, i + 24], 1), np.stack([j, j + 24, i + 24], 1)]))
    cover = kc.build_sphere_cover(tube, 0.05)
    assert cover.openings == 2
    assert "2 openings closed" in repr(cover)
    assert len(cover) <= 14  # a surface takes about 90
    points = oracle.surface_points(vertices, tube.triangles, 20000, 3)
    assert oracle.farthest_outside_unequal(points, cover.centers, cover.radii) <= 1e-15
    low, high = depth(tube, [0.0, 0.0, 0.03])
    assert low <= 0.03 <= high  # the cap bounds the solid
    assert high - low < 1e-9


@pytest.mark.parametrize("flipped", [False, True])
def test_a_cavity_belongs_to_the_solid(flipped: bool) -> None:
    """However the components are oriented: nothing comes into a closed cavity."""
    inner = TRIANGLES[:, ::-1] if flipped else TRIANGLES
    mesh = joined((UNIT, TRIANGLES), (0.5 * UNIT + 0.25 * UNIT.max(), inner))
    middle = UNIT.mean(axis=0).tolist()
    low, high = depth(mesh, middle)
    assert low <= 0.5 <= high
    assert high - low < 1e-9


def test_walls_inside_of_another_component_do_not_count() -> None:
    wide = UNIT * [2.0, 1.0, 1.0]
    slim = UNIT * [2.0, 0.8, 0.8] + [1.0, 0.1, 0.1]
    mesh = joined((wide, TRIANGLES), (slim, TRIANGLES))
    low, _ = depth(mesh, [2.0, 0.5, 0.5])  # in the middle of the end of the wide one
    assert low > 0.37
    _, high = depth(
        mesh, [1.99, 0.05, 0.5]
    )  # beside the slim one, where the end of the wide one bounds the solid
    assert high <= 0.01 + 1e-9
    low, _ = depth(mesh, [1.0, 0.5, 0.5])  # in the middle of the end of the slim one
    assert 0.499 <= low <= 0.5 + 1e-9


def test_triangles_with_small_gaps_are_joined() -> None:
    vertices, triangles = divided(UNIT, TRIANGLES, 1)
    corners = vertices[triangles]
    noise = np.random.default_rng(4).uniform(-1e-5, 1e-5, corners.shape)
    soup = kc.Mesh((corners + noise).reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3))
    assert not soup.is_solid
    (outline,) = [one for one in outer_solid_of(soup) if one.shells]
    assert outline.openings == 0
    low, high = depth(soup, UNIT.mean(axis=0).tolist())
    assert low <= 0.5 <= high
    assert high - low < 1e-3


def test_a_flipped_triangle_is_no_opening_to_the_inside() -> None:
    vertices, triangles = divided(UNIT, TRIANGLES, 2)
    triangles[5] = triangles[5, ::-1]
    low, _ = depth(kc.Mesh(vertices, triangles), UNIT.mean(axis=0).tolist())
    assert low > 0.49


@pytest.mark.parametrize("seed", range(6))
def test_excess_by_solid_angles_and_cover_by_points(seed: int) -> None:
    """Winding numbers of the open surface, as a sum of angles, and distances from all triangles."""
    rng = np.random.default_rng(seed)
    base = ring() if seed % 2 else kc.Mesh(CUBE, QUADS)
    vertices, triangles = divided(
        np.asarray(base.vertices), np.asarray(base.triangles), (seed % 2 == 0 and 2) or 0
    )
    mesh, whole = with_hole(vertices, triangles, seed)
    size = float(np.linalg.norm(np.subtract(*mesh.bounds)))
    cover = kc.build_sphere_cover(mesh, float(rng.uniform(0.08, 0.15)) * size)
    assert cover.openings == 1
    points = oracle.surface_points(vertices, mesh.triangles, 20000, seed)
    assert oracle.farthest_outside_unequal(points, cover.centers, cover.radii) <= 1e-15
    directions = rng.normal(size=(len(cover), 300, 3))
    directions /= np.linalg.norm(directions, axis=2, keepdims=True)
    shells = (cover.centers[:, None] + cover.radii[:, None, None] * directions).reshape(-1, 3)
    open_ = np.asarray(mesh.vertices)[np.asarray(mesh.triangles)]
    away = np.where(oracle.is_inside(shells, open_), 0.0, oracle.distance_to_triangles(shells, whole))
    assert away.max() <= cover.excess + 1e-12
    assert away.max() > 0.5 * cover.excess
