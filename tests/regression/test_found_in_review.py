"""Answers that were wrong once: each test tells the story of a bug with its numbers."""

import numpy as np
import pytest

import keepclear as kc


def moved(x: float, y: float, z: float) -> np.ndarray:
    X = np.eye(4)
    X[:3, 3] = x, y, z
    return X


def test_no_search_ends_on_a_vertex_of_the_table() -> None:
    """A dome of 4 mm in a cylinder was SEPARATE (lower 2e-13 m): the search ended before its first walk."""
    g = np.linspace(-0.5, 0.5, 9)
    points = [[x, y, 0.004 * (1 - 2 * (x * x + y * y))] for x in g for y in g]
    points += [[x, y, -1.0] for x in (-0.5, 0.5) for y in (-0.5, 0.5)]
    points[0][2] = -2e-13
    r = kc.distance(kc.Convex(points), np.eye(4), kc.Cylinder(1.0, 1.0), moved(0.0, 0.01, 0.5 + 2e-13))
    assert r.state is kc.State.INTERFERING
    assert r.lower <= -0.004 + 2e-13 <= r.upper


def test_parallel_cylinders_a_hair_apart() -> None:
    """Caps 2 um apart were answered with a distance of 0, outside of its own bounds."""
    X = moved(0.955336489125606, 0.29552020666133955, 1.000002)
    r = kc.distance(kc.Cylinder(1.0, 1.0), np.eye(4), kc.Cylinder(0.5, 1.0), X)
    assert r.lower <= 2e-6 <= r.upper
    assert r.distance == pytest.approx(2e-6, abs=1e-12)
    assert np.allclose(r.p_WB - r.p_WA, [0.0, 0.0, 2e-6], rtol=0.0, atol=1e-12)


def test_the_rims_of_parallel_cylinders() -> None:
    """Rim to rim, side and cap both apart: upper was 1.08e-10 m, the truth is the hypotenuse, 1.262e-10 m."""
    X_WA = np.eye(4)
    X_WA[:3, :3] = [[0, 0, -1], [-1, 0, 0], [0, 1, 0]]
    X_WB = X_WA.copy()
    X_WB[:3, 3] = -429.1424953970146, 704.278847048209, 8.624928357447774e-14
    a, b = (
        kc.Cylinder(701.0016265248411, 3.51934294061471),
        kc.Cylinder(3.2772205232732365, 854.7656478532474),
    )
    assert kc.distance(a, X_WA, b, X_WB).upper >= 1.26246e-10


@pytest.mark.parametrize("seed", range(12))
def test_noise_on_a_flat_face_costs_no_corners(seed: int) -> None:
    """Noise of 1e-17 to 1e-13 m on a gridded face cost corners (6 vertices; 0.56 m, not 0.25 m), or it crashed."""
    rng = np.random.default_rng(seed)
    g = np.linspace(-0.5, 0.5, int(rng.integers(5, 40)))
    x, y = np.meshgrid(g, g)
    bulge = 10 ** rng.uniform(-15, -11)
    z = 0.5 + bulge * (1 - 2 * (x * x + y * y)) + rng.normal(size=x.shape) * 10 ** rng.uniform(-17, -13)
    bottom = [[a, b, -0.5] for a in (-0.5, 0.5) for b in (-0.5, 0.5)]
    cube = kc.Convex(np.r_[np.c_[x.ravel(), y.ravel(), z.ravel()], bottom])
    r = kc.distance(cube, np.eye(4), kc.Sphere(0.25), moved(1.0, 0.45, 0.45))
    assert r.distance == pytest.approx(0.25, abs=1e-12)
    assert r.upper - r.lower < 1e-11


def test_corner_to_corner_ends_at_the_corners() -> None:
    """The point of a box was 4.6e-9 m outside of it: the proof leaned towards the centres."""
    r = kc.distance(kc.Box([1, 1, 1]), np.eye(4), kc.Box([1, 1, 1]), moved(3.0 + 1e-7, 3.0, 3.0))
    assert r.p_WA.tolist() == [0.5, 0.5, 0.5]


def test_hulls_smaller_than_any_product_are_refused() -> None:
    """A cube of 1e-200 m gave points that are not numbers."""
    cube = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]) * 1e-200
    with pytest.raises(kc.ShapeError, match="1e-200 m"):
        kc.Convex(cube)


@pytest.mark.parametrize("method", ["hybrid", "exact"])
def test_a_budget_that_ends_within_a_single_instant_proves_nothing(method: str) -> None:
    """Soups of triangles at rest that cross were CLEAR with a budget of 1: their one instant was over at its start."""
    verdicts = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        corners = rng.uniform(-1, 1, (2, 6, 1, 3)) + 0.25 * rng.normal(size=(2, 6, 3, 3))
        a, b = (kc.Mesh(c.reshape(-1, 3), np.arange(18).reshape(-1, 3), solid=False) for c in corners)
        if kc.collide(a, np.eye(4), b, np.eye(4)).colliding:
            k = kc.first_contact(a, np.eye(4), b, np.eye(4), 1e-9, method=method, budget=1)  # type: ignore[arg-type]
            verdicts.append(k.verdict)
    assert kc.Verdict.CLEAR not in verdicts
    assert kc.Verdict.UNDECIDED in verdicts
