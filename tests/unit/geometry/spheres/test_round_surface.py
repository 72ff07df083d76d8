"""Ranks of sphere trees as covers: proved with little to spare on curved surfaces; refused where a point is out."""

from __future__ import annotations

import numpy as np
import pytest
from numba.core import config
from tests.oracles import sphere_cover as oracle
from tests.unit.geometry.spheres.test_cover_measure import MESHES
from tests.unit.geometry.spheres.test_tree import SHAPES, solid_points

import keepclear as kc
from keepclear.geometry.shapes.curved import RoundSurface
from keepclear.geometry.shapes.table import SHAPE_TABLE
from keepclear.geometry.spheres.cover_files import is_covered
from keepclear.geometry.spheres.cover_measure import measure_cover, round_gaps

pytestmark = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="takes minutes as plain Python")
CURVED = [
    name
    for name, shape in SHAPES.items()
    if type(shape).__name__ in ("Sphere", "Capsule", "Cylinder", "Ellipsoid")
]
X = np.eye(4)
X[:3, :3] = [[0.8, -0.6, 0.0], [0.6, 0.8, 0.0], [0.0, 0.0, 1.0]]
X[:3, 3] = 0.3, -0.1, 0.2


def surface_of(shape: kc.Shape) -> RoundSurface:
    found = SHAPE_TABLE[shape].triangulate(shape, 0.1).curved
    assert found is not None
    return found


def ranks_of(shape: kc.Shape) -> list[tuple[np.ndarray, np.ndarray]]:
    lower, upper = shape.bounds
    size = float(np.linalg.norm(np.subtract(upper, lower)))
    tree = kc.build_sphere_tree(shape, 0.05 * size, cells="source")
    return [(rank.centers, np.full(len(rank), rank.radius)) for rank in tree.ranks]


@pytest.mark.parametrize("name", [*SHAPES, *MESHES])
def test_ranks_that_are_slightly_larger_cover(name: str) -> None:
    """Polyhedra of 160 corners around were too far from curved surfaces to prove spheres that are 0.3 % larger."""
    shape = SHAPES[name] if name in SHAPES else MESHES[name]()
    for centers, radii in ranks_of(shape):
        cover = kc.SphereCover(centers @ X[:3, :3].T + X[:3, 3], 1.003 * radii, 0.0)
        assert is_covered([(shape, X)], cover)
    assert measure_cover(shape, centers, 1.003 * radii, tolerance=0.01).covered


@pytest.mark.parametrize("name", CURVED)
def test_a_point_outside_refuses(name: str) -> None:
    shape = SHAPES[name]
    points = solid_points(shape, 20000, 6)
    for centers, radii in ranks_of(shape)[2:4]:
        worst = oracle.outside_unequal(points, centers, radii).max()
        smaller = radii + worst - 2e-3 * radii  # the worst sample is out by that
        found = round_gaps(surface_of(shape), np.column_stack([centers, smaller]))
        assert found.upper > 0.0
        assert found.lower > 0.0
        at = oracle.outside_unequal(found.point[None], centers, smaller)[0]
        assert at >= found.lower
        assert not is_covered([(shape, np.eye(4))], kc.SphereCover(centers, smaller, 0.0))


@pytest.mark.parametrize("name", CURVED)
def test_points_of_the_surface_are_below_the_bound(name: str) -> None:
    """One ball far larger than the shape: the bound is the greatest distance of a point from its centre."""
    shape = SHAPES[name]
    found = round_gaps(surface_of(shape), np.array([[0.05, -0.02, 0.03, 9.0]]))
    far = np.linalg.norm(solid_points(shape, 50000, 2) - [0.05, -0.02, 0.03], axis=1).max() - 9.0
    assert far <= found.upper
