"""Where links are: sine and cosine, and products of plain matrices as the oracle of the kernel."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from tests.oracles.poses import random_pose

from keepclear.errors import RobotError
from keepclear.kernels.motion import joints
from keepclear.kernels.tables.motion import FIXED, PRISMATIC, REVOLUTE
from keepclear.motion.joints.kinematics import Kinematics, build_tables, link_poses


def turned(axis: np.ndarray, angle: float) -> np.ndarray:
    x, y, z = axis
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    X = np.eye(4)
    X[:3, :3] += math.sin(angle) * K + (1.0 - math.cos(angle)) * K @ K
    return X


def slow_poses(k: Kinematics, q: np.ndarray, X_WB: np.ndarray) -> np.ndarray:
    """Multiply one matrix after the other."""
    poses = [X_WB]
    for link in range(1, len(k.parent)):
        value = k.offset[link] + (k.multiplier[link] * q[k.column[link]] if k.column[link] >= 0 else 0.0)
        motion = np.eye(4)
        if k.kind[link] == REVOLUTE:
            motion = turned(k.axis[link], value)
        elif k.kind[link] == PRISMATIC:
            motion[:3, 3] = value * k.axis[link]
        poses.append(poses[k.parent[link]] @ k.X_PJ[link] @ motion)
    return np.array(poses)


def random_tree(rng: np.random.Generator, n: int) -> Kinematics:
    """Return a tree of all kinds of joints, axes and origins, with mimics and held joints."""
    dof = max(1, n // 2)
    axes = np.vstack([np.eye(3), -np.eye(3), rng.normal(size=(3, 3))])
    axis = axes[rng.integers(0, len(axes), n)]
    axis /= np.linalg.norm(axis, axis=1)[:, None]
    X_PJ = np.array([random_pose(rng, 1.0) for _ in range(n)])
    for link in range(n):
        if rng.random() < 0.75:  # about one axis, a right angle or none at all
            X_PJ[link, :3, :3] = turned(np.eye(3)[rng.integers(3)], rng.choice([0.0, math.pi / 2, 0.3]))[
                :3, :3
            ]
    return Kinematics(
        link_names=tuple(f"l{i}" for i in range(n)),
        parent=np.array([-1, *(int(rng.integers(0, i)) for i in range(1, n))]),
        X_PJ=X_PJ,
        kind=rng.choice([FIXED, REVOLUTE, REVOLUTE, PRISMATIC], n),
        axis=axis,
        column=rng.integers(-1, dof, n),
        multiplier=rng.choice([1.0, -0.5, 2.0], n),
        offset=rng.choice([0.0, 0.7], n),
        joint_names=tuple(f"j{i}" for i in range(dof)),
        lower=np.full(dof, -math.inf),
        upper=np.full(dof, math.inf),
        speed=np.full(dof, math.inf),
        turns=np.ones(dof, bool),
    )


def test_sine_and_cosine_are_right() -> None:
    quarters = np.arange(-8, 9) * math.pi / 4
    angles = [0.0, -0.0, 1e-300, 1e-9, *quarters, *np.nextafter(quarters, 9), 99999.9, -99999.9, 31415.926]
    angles += np.random.default_rng(1).uniform(-1e5, 1e5, 30).tolist()
    for angle in map(float, angles):
        s, c = joints.sine_cosine(angle)
        assert abs(s - math.sin(angle)) <= 4e-16
        assert abs(c - math.cos(angle)) <= 4e-16


@pytest.mark.parametrize("seed", range(8))
def test_poses_are_products_of_matrices(seed: int) -> None:
    rng = np.random.default_rng(seed)
    k = random_tree(rng, 3 + 2 * seed)
    q = rng.uniform(-4.0, 4.0, (3, len(k.joint_names)))
    bases = np.array([random_pose(rng, 2.0) for _ in range(3)])
    tables = build_tables(k)
    one = link_poses(tables, q, bases[:1].copy())
    each = link_poses(tables, q, bases)
    for i in range(3):
        assert np.allclose(one[i], slow_poses(k, q[i], bases[0]), rtol=0, atol=2e-14)
        assert np.allclose(each[i], slow_poses(k, q[i], bases[i]), rtol=0, atol=2e-14)
    assert (each[:, :, 3] == [0.0, 0.0, 0.0, 1.0]).all()


def test_many_turns_are_as_good() -> None:
    k = random_tree(np.random.default_rng(4), 6)
    for angle in (1e5, 12345678.9, -1e12):
        q = np.full((1, len(k.joint_names)), angle)
        poses = link_poses(build_tables(k), q, np.eye(4)[None])
        expected = slow_poses(k, q[0], np.eye(4))
        # Prismatic joints slide as far as revolute ones turn: an entry is rounded by units of the largest one.
        rounding = 4.0 * 2.0**-53 * np.abs(expected).max()
        assert np.allclose(poses[0], expected, rtol=0.0, atol=1e-13 + rounding)


def test_no_configurations_have_no_poses() -> None:
    k = random_tree(np.random.default_rng(4), 6)
    assert link_poses(build_tables(k), np.empty((0, 3)), np.eye(4)[None]).shape == (0, 6, 4, 4)


@pytest.mark.parametrize("parent", [[], [0, 0], [-1, -1], [-1, 1], [-1, 2, 0]])
def test_what_is_no_tree_is_refused(parent: list[int]) -> None:
    n = len(parent)
    k = replace(random_tree(np.random.default_rng(4), max(n, 1)), parent=np.array(parent, dtype=np.int64))
    with pytest.raises(RobotError, match="make no tree"):
        build_tables(k)


@pytest.mark.parametrize("name", ["motion", "origin"])
def test_kinds_that_the_kernel_does_not_know_are_refused(name: str) -> None:
    links = build_tables(random_tree(np.random.default_rng(0), 4))
    links[name][1] = 9
    with pytest.raises(ValueError, match="unknown kind"):
        link_poses(links, np.zeros((1, 2)), np.eye(4)[None])
