"""Nodes and bodies of random arms: where they are, how they move, and that bounds hold during an interval."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core import config
from tests.oracles.poses import random_pose
from tests.oracles.robot_random import random_arm

import keepclear as kc
from keepclear.kernels.edges.poses import bound_acceleration, move_nodes, place_body, velocity_at
from keepclear.kernels.tables.robot import MOVED_BODY, NODE, NODE_BODY
from keepclear.scene.robots.robot_tables import joint_nodes

pytestmark = pytest.mark.skipif(
    not config.DISABLE_JIT, reason="inner kernels, which only kernels call, are tested as Python"
)


def base_nodes(n: int) -> np.ndarray:
    nodes = np.zeros(n, NODE)
    nodes["pose"][0, [0, 4, 8]] = 1.0
    return nodes


def place(joints: np.ndarray, q0: np.ndarray, q1: np.ndarray, s: float, nodes: np.ndarray) -> None:
    """Write poses and velocities of nodes on the first edge."""
    move_nodes(joints, q0, q1, 0, s, np.empty((q0.shape[1], 1)), np.empty((3, 1)), nodes)


def pose_of(nodes: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    pose = nodes["pose"][n, :, 0]
    return pose[:9].reshape(3, 3), pose[9:]


@pytest.mark.parametrize("seed", range(8))
def test_links_are_where_forward_kinematics_has_them(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    robot = kc.read_robot(random_arm(rng, tmp_path, "r", 6)[0])
    X_WB, q0, q1 = random_pose(rng, 1.0), *rng.normal(size=(2, 1, robot.dof))
    joints, frames = joint_nodes(robot.kinematics, X_WB)
    nodes = base_nodes(len(joints))
    for s in (0.0, 0.3, 1.0):
        place(joints, q0, q1, s, nodes)
        expected = robot.link_poses(q0[0] + s * (q1[0] - q0[0]), X_WB)
        for link, (node, X_NL) in enumerate(frames):
            X = np.eye(4)
            X[:3, :3], X[:3, 3] = pose_of(nodes, node)
            assert np.abs(X @ X_NL - expected[link]).max() < 1e-13


@pytest.mark.parametrize("seed", range(8))
def test_points_keep_within_the_bounds_of_their_motion(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    robot = kc.read_robot(random_arm(rng, tmp_path, "r", 7)[0])
    q0, q1 = rng.normal(size=(2, 1, robot.dof))
    joints, _ = joint_nodes(robot.kinematics, np.eye(4))
    nodes, later = base_nodes(len(joints)), base_nodes(len(joints))
    middle, h = 0.5, 0.4
    place(joints, q0, q1, middle, nodes)
    for n in range(1, len(joints)):
        center = pose_of(nodes, n)[1] + rng.normal(size=3) * 0.2
        point = center + 0.1 * np.array([0.0, 0.6, 0.8])
        stop = int(joints["parent"][n]) if rng.random() < 0.5 else 0
        bound = bound_acceleration(joints, nodes, n, stop, center, 0.1, h)
        velocity = np.array(velocity_at(nodes[n], *point)) - velocity_at(nodes[stop], *point)
        local = to_frame(nodes, n, point)
        for s in np.linspace(-h, h, 17):
            place(joints, q0, q1, middle + s, later)
            # Seen from the node that bounds are relative to, as it is in the middle.
            there = from_frame(nodes, stop, to_frame(later, stop, from_frame(later, n, local)))
            off = np.linalg.norm(there - point - s * velocity)
            assert off <= 0.5 * s * s * bound + 1e-12


def test_a_body_is_inside_of_its_ball_as_far_as_it_reaches(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    robot = kc.read_robot(random_arm(rng, tmp_path, "r", 6)[0])
    q0, q1 = rng.normal(size=(2, 1, robot.dof))
    joints, _ = joint_nodes(robot.kinematics, np.eye(4))
    nodes, later = base_nodes(len(joints)), base_nodes(len(joints))
    body: Any = np.zeros(1, NODE_BODY)[0]
    out: Any = np.zeros(1, MOVED_BODY)[0]
    body.node, body.center, body.radius = len(joints) - 1, (0.1, -0.2, 0.05), 0.15
    X = random_pose(rng, 0.3)
    body.pose = X[:3]
    place(joints, q0, q1, 0.5, nodes)
    place_body(joints, nodes, body, 0.5, 1, 0.0, out)
    center, reach = out.center, out.reach
    d = rng.normal(size=(50, 3))
    points = (np.array([0.1, -0.2, 0.05]) + 0.15 * d / np.linalg.norm(d, axis=1)[:, None]) @ X[:3, :3].T + X[
        :3, 3
    ]
    for s in np.linspace(0.0, 1.0, 9):
        place(joints, q0, q1, s, later)
        for point in points:
            there = from_frame(later, len(joints) - 1, point)
            assert np.linalg.norm(there - center) <= reach + 1e-12


def to_frame(nodes: np.ndarray, n: int, p_W: np.ndarray) -> np.ndarray:
    R, p = pose_of(nodes, n)
    return R.T @ (p_W - p)


def from_frame(nodes: np.ndarray, n: int, p: np.ndarray) -> np.ndarray:
    R, p_W = pose_of(nodes, n)
    return R @ p + p_W
