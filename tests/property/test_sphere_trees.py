"""No pose in contact is called free, and gaps and bounds of sphere trees hold, for seeded pairs of bodies."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from tests.unit.geometry.sphere_meshes import CUBE, QUADS, ring, soup, spiky

import keepclear as kc

N = 400
BODIES = {
    "ring": ring(),
    "spikes": spiky(),
    "soup": soup(8, 11),
    "open box": kc.Mesh((np.array(CUBE) - 0.5) * [1.2, 0.9, 0.7], QUADS[:5]),
    "big cube": kc.Mesh((np.array(CUBE) - 0.5) * 2.0, QUADS),
    "sheet": kc.Mesh((np.array(CUBE) - 0.5) * [1.0, 1.0, 1e-6], QUADS),
    "ball": kc.Sphere(0.4),
    "plate": kc.Box([1.0, 0.6, 0.01]),
    "capsule": kc.Capsule(0.1, 1.2),
    "cylinder": kc.Cylinder(0.4, 0.2),
    "ellipsoid": kc.Ellipsoid([0.9, 0.3, 0.1]),
    "hull": kc.Convex(np.random.default_rng(3).normal(0, 0.4, (25, 3))),
    "polygon": kc.Convex([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]),
}
NAMES = list(BODIES)


def poses_near_contact(a: kc.Mesh, b: kc.Mesh, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return poses of which many are in contact, some just so: B is moved along a line until the truth changes."""
    rng = np.random.default_rng(seed)
    X_WA, X_WB = (np.tile(np.eye(4), (N, 1, 1)) for _ in range(2))
    for X in (X_WA, X_WB):
        X[:, :3, :3] = Rotation.random(N, random_state=rng.integers(1 << 30)).as_matrix()
    d = rng.normal(size=(N, 3))
    d /= np.linalg.norm(d, axis=1)[:, None]
    low, high = np.zeros(N), np.full(N, 4.0)
    for _ in range(14):
        middle = 0.5 * (low + high)
        X_WB[:, :3, 3] = middle[:, None] * d
        touching = kc.collide(a, X_WA, b, X_WB).colliding
        low, high = np.where(touching, middle, low), np.where(touching, high, middle)
    offset = rng.choice([-0.3, -0.05, -1e-3, 0.0, 1e-3, 0.02, 0.1, 0.3], N)
    X_WB[:, :3, 3] = (low + offset)[:, None] * d
    return X_WA, X_WB


@pytest.mark.parametrize("k", range(len(NAMES)))
def test_no_contact_is_called_free_and_bounds_hold(k: int) -> None:
    seen = 0
    for step in (0, 1, 4):
        a, b = BODIES[NAMES[k]], BODIES[NAMES[(k + step) % len(NAMES)]]
        X_WA, X_WB = poses_near_contact(a, b, 100 * k + step)
        exact = kc.distance(a, X_WA, b, X_WB)
        colliding = exact.colliding | kc.collide(a, X_WA, b, X_WB).colliding
        true = np.maximum(exact.distance, 0.0)
        cells = ("source", "even")[k % 2]
        tree_a, tree_b = (
            kc.build_sphere_tree(a, 0.03, cells=cells),
            kc.build_sphere_tree(b, 0.06, cells=cells),
        )
        found = kc.collide(tree_a, X_WA, tree_b, X_WB)
        assert not (colliding & ~found.may_touch).any()
        assert (true[found.may_touch] <= found.gap[found.may_touch]).all()
        assert (exact.upper[~found.may_touch] > 0.0).all()
        bounds = kc.distance(tree_a, X_WA, tree_b, X_WB)
        assert (bounds.lower <= np.maximum(exact.upper, 0.0)).all()
        assert (np.maximum(exact.lower, 0.0) <= bounds.upper).all()
        assert not (colliding & (bounds.lower > 0.0)).any()
        near = kc.collide(tree_a, X_WA, tree_b, X_WB, margin=0.05)
        assert (exact.upper[~near.may_touch] > 0.05).all()
        assert (true[near.may_touch] <= near.gap[near.may_touch]).all()
        seen += int((~found.may_touch).sum() > 0) + int(colliding.sum() > N // 10)
    assert seen == 6
