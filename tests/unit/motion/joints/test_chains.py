"""The way between links of a robot: only the joints between them, along their axes, in both directions."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.oracles.poses import random_pose, unit_vector

from keepclear.kernels.tables.motion import FIXED, PRISMATIC, REVOLUTE
from keepclear.motion.joints.chains import axis_frame, chain_between, inverse
from keepclear.motion.joints.kinematics import Kinematics
from keepclear.motion.packed_chain import joint_map

Array = np.ndarray
#      root - 1 - 2 (fixed) - 3
#           \ 4 - 5 (mimics joint 1) ; 6 is held at a value on 5
PARENT = [-1, 0, 1, 2, 0, 4, 5]
KIND = [FIXED, REVOLUTE, FIXED, PRISMATIC, REVOLUTE, REVOLUTE, REVOLUTE]
COLUMN = [-1, 0, -1, 1, 2, 0, -1]


def tree(seed: int = 0) -> Kinematics:
    rng = np.random.default_rng(seed)
    n = len(PARENT)
    X = np.array([np.eye(4), *(random_pose(rng, 0.5) for _ in range(n - 1))])
    axis = np.array([unit_vector(rng) for _ in range(n)])
    axis[1], axis[4] = (0, 0, -1), (1, 0, 0)
    multiplier, offset = np.ones(n), np.zeros(n)
    multiplier[5], offset[5], offset[6] = -2.0, 0.25, 0.6
    ends = np.full(3, 9.0)
    return Kinematics(
        tuple(f"l{k}" for k in range(n)), np.array(PARENT), X, np.array(KIND), axis, np.array(COLUMN),
        multiplier, offset, ("a", "b", "c"), -ends, ends, ends, np.ones(3, bool),
    )  # fmt: skip


def turned(axis: Array, angle: float) -> Array:
    """Rodrigues' rotation, as a map."""
    K = np.cross(np.eye(3), axis)  # times a vector: the cross product of the axis with it
    X = np.eye(4)
    X[:3, :3] += math.sin(angle) * K + (1.0 - math.cos(angle)) * (K @ K)
    return X


def link_poses(k: Kinematics, q: Array) -> list[Array]:
    found = [np.eye(4)]
    for link in range(1, len(k.parent)):
        value = k.offset[link] + (k.multiplier[link] * q[k.column[link]] if k.column[link] >= 0 else 0.0)
        E = np.eye(4)
        if k.kind[link] == REVOLUTE:
            E = turned(k.axis[link], value)
        elif k.kind[link] == PRISMATIC:
            E[:3, 3] = value * k.axis[link]
        found.append(found[k.parent[link]] @ k.X_PJ[link] @ E)
    return found


def multiplied(chain: object, s: float) -> Array:
    X: Array = chain.maps[0]  # type: ignore[attr-defined]
    for k, kind in enumerate(chain.kinds):  # type: ignore[attr-defined]
        value = float(np.polyval(chain.coefficients[0, k, ::-1], s))  # type: ignore[attr-defined]
        X = X @ joint_map(int(kind), value) @ chain.maps[k + 1]  # type: ignore[attr-defined]
    return X


@pytest.mark.parametrize("first", range(7))
@pytest.mark.parametrize("last", range(7))
def test_the_way_between_any_two_links(first: int, last: int) -> None:
    k = tree()
    rng = np.random.default_rng(5)
    c = rng.normal(size=(1, 3, 4))
    X_first, X_last = random_pose(rng, 1.0), random_pose(rng, 1.0)
    chain = chain_between(k, first, last, c, X_first, X_last)
    for s in (0.0, 0.4, 1.0):
        X = link_poses(k, np.array([np.polyval(c[0, j, ::-1], s) for j in range(3)]))
        assert np.allclose(
            multiplied(chain, s), X_first @ np.linalg.inv(X[first]) @ X[last] @ X_last, atol=1e-13
        )


@pytest.mark.parametrize(
    ("first", "last", "kinds"),
    [
        (0, 3, [REVOLUTE, PRISMATIC]),
        (3, 0, [PRISMATIC, REVOLUTE]),
        (2, 3, [PRISMATIC]),
        (1, 2, []),
        (3, 3, []),
        (3, 5, [PRISMATIC, REVOLUTE, REVOLUTE, REVOLUTE]),
        (4, 6, [REVOLUTE, REVOLUTE]),
    ],
)
def test_only_joints_between_two_links_count(first: int, last: int, kinds: list[int]) -> None:
    chain = chain_between(tree(), first, last, np.ones((4, 3, 4)), np.eye(4), np.eye(4))
    assert chain.kinds.tolist() == kinds
    assert chain.coefficients.shape == (4, len(kinds), 4)
    assert chain.maps.shape == (len(kinds) + 1, 4, 4)


def test_mimics_and_held_joints() -> None:
    c = np.arange(12.0).reshape(1, 3, 4)
    down = chain_between(tree(), 4, 6, c, np.eye(4), np.eye(4)).coefficients[0]
    assert down.tolist() == [[0.25, -2.0, -4.0, -6.0], [0.6, 0.0, 0.0, 0.0]]
    up = chain_between(tree(), 6, 4, c, np.eye(4), np.eye(4)).coefficients[0]
    assert up.tolist() == [[-0.6, 0.0, 0.0, 0.0], [-0.25, 2.0, 4.0, 6.0]]


def test_a_robot_without_moving_joints() -> None:
    chain = chain_between(tree(), 5, 6, np.zeros((1, 0, 4)), np.eye(4), np.eye(4))
    assert chain.coefficients.tolist() == [[[0.6, 0.0, 0.0, 0.0]]]


def test_the_inverse_of_a_rigid_map() -> None:
    X = random_pose(np.random.default_rng(1), 2.0)
    assert np.allclose(inverse(X) @ X, np.eye(4), atol=1e-15)
    assert inverse(X)[3].tolist() == [0, 0, 0, 1]


@pytest.mark.parametrize("axis", [*np.eye(3), *-np.eye(3)])
def test_frames_of_coordinate_axes_are_exact(axis: Array) -> None:
    X = axis_frame(axis)
    assert X[:3, 2].tolist() == axis.tolist()
    assert (X[:3, :3] @ X[:3, :3].T).tolist() == np.eye(3).tolist()
    assert np.linalg.det(X[:3, :3]) == 1.0
    assert np.isin(X, (-1.0, 0.0, 1.0)).all()


def test_frames_of_other_axes_are_rotations_to_them() -> None:
    rng = np.random.default_rng(2)
    axes = [unit_vector(rng) for _ in range(20)]
    # Axes as they are exported: almost along z, and of length 1 in float64.
    axes += [np.array([1e-8, 0.0, 1.0]), np.array([0.0, -1.0, 3e-9]), np.array([-1.0, 1e-12, 0.0])]
    for axis in axes:
        X = axis_frame(axis)
        assert np.allclose(X[:3, 2], axis, rtol=0.0, atol=1e-15)
        assert np.allclose(X[:3, :3] @ X[:3, :3].T, np.eye(3), atol=1e-15)
        assert np.linalg.det(X[:3, :3]) == pytest.approx(1.0, abs=1e-14)


def test_an_axis_that_is_almost_along_z_keeps_its_tilt() -> None:
    """A tilt of 1e-8 rad was dropped, because the component along z is 1 in float64: poses were off by 2e-8 m."""
    k = tree()
    k.axis[1] = 1e-8, 0.0, 1.0
    c = np.zeros((1, 3, 4))
    c[0, 0, 0] = math.pi
    chain = chain_between(k, 0, 1, c, np.eye(4), np.eye(4))
    assert np.allclose(multiplied(chain, 0.0), k.X_PJ[1] @ turned(k.axis[1], math.pi), rtol=0.0, atol=1e-15)
