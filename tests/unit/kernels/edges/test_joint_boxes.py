"""Bounds over boxes of joint values hold for every configuration in the box: random chains, sampled densely."""

from typing import Any

import numpy as np
import pytest
from numba.core import config
from tests.oracles.poses import random_pose

from keepclear.kernels.edges import joint_boxes
from keepclear.kernels.tables.joint_boxes import BOX_SEARCH, ROUTE_JOINT
from keepclear.kernels.tables.robot import JOINT

pytestmark = pytest.mark.skipif(
    not config.DISABLE_JIT, reason="inner kernels, which only kernels call, are tested as Python"
)
Array = np.ndarray


class Chain:
    """A chain of revolute and prismatic joints between two bodies, some of which share a column."""

    def __init__(self, rng: np.random.Generator, n: int, d: int) -> None:
        columns = np.concatenate([np.arange(d), rng.integers(d, size=n - d)])
        self.maps = np.array([random_pose(rng, 0.3) for _ in range(n + 1)])
        self.route = np.zeros(n + 1, JOINT)
        self.route["map"], self.route["column"][:n] = self.maps[:, :3], columns
        self.route["revolute"][:n] = rng.random(n) < 0.7
        self.route["multiplier"][:n] = rng.uniform(-1.5, 1.5, n)
        self.route["offset"][:n] = rng.normal(size=n)
        self.joints = np.zeros(n, ROUTE_JOINT)

    def frames(self, q: Array) -> list[Array]:
        """The frames of all joints in A's frame, those that have moved first, and of B."""
        X, found = self.maps[0], []
        for k, joint in enumerate(self.route[:-1]):
            value = joint.multiplier * q[joint.column] + joint.offset
            Z = np.eye(4)
            if joint.revolute:
                Z[:2, :2] = [[np.cos(value), -np.sin(value)], [np.sin(value), np.cos(value)]]
            else:
                Z[2, 3] = value
            X = X @ Z
            found.append(X)
            X = X @ self.maps[k + 1]
        return [*found, X]


@pytest.mark.parametrize("seed", range(12))
def test_gaps_and_moves_hold_for_all_configurations_of_a_box(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 6))
    d = int(rng.integers(1, n + 1))
    chain = Chain(rng, n, d)
    middle, half = rng.normal(size=d), 10.0 ** rng.uniform(-2.5, 0.7) * rng.uniform(0.2, 1.0, d)
    pose = joint_boxes._place(chain.route, np.array([middle - half, middle + half]), chain.joints)
    X_AB = chain.frames(middle)[-1]
    assert np.allclose(np.reshape(pose[:9], (3, 3)), X_AB[:3, :3], atol=1e-12)
    assert np.allclose(pose[9:], X_AB[:3, 3], atol=1e-12)

    points_a, points_b = rng.normal(size=(5, 3)) * 0.1, rng.normal(size=(6, 3)) * 0.1
    asked: Any = np.zeros(1, BOX_SEARCH)[0]
    asked.a.radius = np.linalg.norm(points_a, axis=1).max()
    asked.b.radius = np.linalg.norm(points_b, axis=1).max()
    balls = (0.0, 0.0, 0.0), pose[9:]
    cut, moved_a, moved_b = joint_boxes._middle(chain.route, asked, *balls, chain.joints)
    direction = rng.normal(size=3)
    direction /= np.linalg.norm(direction)
    gap, _, _ = joint_boxes._gap(
        chain.route, chain.joints, cut, points_a, points_b, *(None,) * 4, asked, pose, tuple(direction),
        moved_a, moved_b,
    )  # fmt: skip

    # The frame in the middle: after the joint before the cut has moved; there the direction stays.
    center = chain.frames(middle)
    X_AM = center[cut - 1] if cut else np.eye(4)
    n_M = X_AM[:3, :3].T @ direction
    start = [place(chain, center, X_AM, cut, points_a, points_b)]
    ends = [*rng.uniform(-1, 1, (300, d)), *np.array(np.meshgrid(*[[-1, 1]] * d)).reshape(d, -1).T]
    for corner in ends:
        frames = chain.frames(middle + half * corner)
        a, b = place(chain, frames, frames[cut - 1] if cut else np.eye(4), cut, points_a, points_b)
        assert np.linalg.norm(a - start[0][0], axis=1).max() <= moved_a + 1e-12
        assert np.linalg.norm(b - start[0][1], axis=1).max() <= moved_b + 1e-12
        assert (b @ n_M).min() - (a @ n_M).max() >= gap - 1e-12


def place(
    chain: Chain, frames: list[Array], X_AM: Array, cut: int, a: Array, b: Array
) -> tuple[Array, Array]:
    """Points of A and of B in the frame in the middle."""
    del chain, cut
    X_MA = np.linalg.inv(X_AM)
    X_MB = X_MA @ frames[-1]
    return a @ X_MA[:3, :3].T + X_MA[:3, 3], b @ X_MB[:3, :3].T + X_MB[:3, 3]


@pytest.mark.parametrize("seed", range(6))
def test_curved_bodies_reach_no_farther_than_their_bound(seed: int) -> None:
    import keepclear as kc
    from keepclear.geometry.shapes.extent import body_points
    from keepclear.geometry.shapes.packed import packed

    rng = np.random.default_rng(seed)
    shape = kc.Cylinder(0.1, 0.3) if seed % 2 else kc.Ellipsoid([0.1, 0.05, 0.2])
    n = int(rng.integers(1, 4))
    chain = Chain(rng, n, n)
    middle, half = rng.normal(size=n), rng.uniform(0.02, 0.5, n)
    pose = joint_boxes._place(chain.route, np.array([middle - half, middle + half]), chain.joints)
    inner = 0.0
    for k in range(n):
        chain.joints["inner"][k] = inner
        inner += chain.joints["width"][k] if chain.route["revolute"][k] else 0.0
    direction = rng.normal(size=3)
    direction /= np.linalg.norm(direction)
    reach, *_ = joint_boxes._curved_reach(
        chain.route, chain.joints, 0, n, body_points(shape)[0], *packed(shape), pose, tuple(direction)
    )
    surface = rng.normal(size=(400, 3))
    surface /= np.linalg.norm(surface, axis=1)[:, None]
    if seed % 2:
        z = rng.choice([-0.15, 0.15], 400)
        surface = np.column_stack([0.1 * surface[:, :2] / np.linalg.norm(surface[:, :2], axis=1)[:, None], z])
    else:
        surface = surface * [0.1, 0.05, 0.2]
    most = -np.inf
    for corner in rng.uniform(-1, 1, (100, n)):
        X = chain.frames(middle + half * corner)[-1]
        most = max(most, float(((surface @ X[:3, :3].T + X[:3, 3]) @ direction).max()))
    assert most <= reach + 1e-6  # an ellipsoid is packed a little too small, which its defect makes good
