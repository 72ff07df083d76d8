"""Random forces are the numbers of their description, and the circulating field has no sources."""

from __future__ import annotations

import numpy as np
import pytest

from keepclear.kernels.crowd_motion import D_CENTRE, D_HALF, D_ROWS, D_SPEED, field_velocity, random_force

# Computed from the description with integers of any size: seed, id, interval, and the accelerations for a size of 10.
KNOWN = [
    (
        (1, 0, 0),
        (6.280591562430787, -5.5518445134271825),
        (-4.392216824575123, 3.0594673076845282, 6.451116107657426),
    ),
    (
        (1, 0, 1),
        (-1.0439171722215104, -0.48972102866175327),
        (-0.05031702381926607, 1.1406744180659665, 0.1609963274622146),
    ),
    (
        (1, 7, 3),
        (-0.10833073207624362, -0.03450388147526368),
        (-0.05129973467342472, 0.10084582884495887, 0.011158914644507776),
    ),
    (
        (12345, 2, 59),
        (5.833111356438748, 2.0405646682557226),
        (2.741653525260928, -0.4759861694957561, -5.517777213318906),
    ),
]


@pytest.mark.parametrize(("who", "plane", "space"), KNOWN)
def test_random_forces_are_those_of_the_description(who, plane, space) -> None:
    out = np.zeros(3)
    random_force(*who, 10.0, 2, out)
    np.testing.assert_allclose(out, [*plane, 0.0], rtol=1e-14, atol=0.0)
    random_force(*who, 10.0, 3, out)
    np.testing.assert_allclose(out, space, rtol=1e-14, atol=0.0)


def test_random_forces_keep_their_bound_and_point_everywhere() -> None:
    out, found = np.zeros(3), np.zeros((400, 3))
    for k in range(400):
        random_force(9, k % 20, k // 20 - 5, 3.0, 3, out)
        found[k] = out
    sizes = np.linalg.norm(found, axis=1)
    assert sizes.max() <= 3.0
    assert sizes.max() > 2.9
    assert np.abs(found.mean(axis=0)).max() < 0.25
    assert (np.abs(found).max(axis=0) > 2.0).all()


@pytest.mark.parametrize("dimensions", [2, 3])
def test_the_field_circulates_without_sources_and_stays_in_its_box(dimensions: int) -> None:
    D = np.zeros(D_ROWS)
    D[D_SPEED], D[D_CENTRE : D_CENTRE + 3], D[D_HALF : D_HALF + 3] = 2.0, (1.0, 2.0, 3.0), (4.0, 5.0, 6.0)
    up = dimensions - 1
    middle = field_velocity(D, 1.0, 2.0, 3.0, dimensions)
    np.testing.assert_allclose(middle, np.eye(3)[up] * 2.0, atol=1e-15)
    rng = np.random.default_rng(0)
    for _ in range(20):
        x = D[D_CENTRE : D_CENTRE + 3] + D[D_HALF : D_HALF + 3] * rng.uniform(-1.0, 1.0, 3)
        h, divergence = 1e-5, 0.0
        for c in range(dimensions):
            e = h * np.eye(3)[c]
            divergence += (
                field_velocity(D, *(x + e), dimensions)[c] - field_velocity(D, *(x - e), dimensions)[c]
            ) / (2 * h)
        assert abs(divergence) < 1e-8
        for c in range(dimensions):
            wall = x.copy()
            wall[c] = D[D_CENTRE + c] + D[D_HALF + c]
            assert abs(field_velocity(D, *wall, dimensions)[c]) < 1e-14
