"""Nodes and bodies of random arms: where they are, how they move, and that bounds hold during an interval."""

from pathlib import Path

import numpy as np
import pytest
from numba.core import config
from tests.oracles.poses import random_pose
from tests.oracles.robot_random import random_arm

import keepclear as kc
from keepclear.kernels.edges import layout
from keepclear.kernels.edges.poses import bound_acceleration, move_nodes, place_body, velocity_at
from keepclear.kernels.motion import joints as kinematics
from keepclear.scene.robot_tables import joint_nodes

pytestmark = pytest.mark.skipif(
    not config.DISABLE_JIT, reason="inner kernels, which only kernels call, are tested as Python"
)


def base_states(n: int) -> np.ndarray:
    states = np.zeros((n, layout.NODE_STATE))
    states[0, [0, 4, 8]] = 1.0
    return states


def place(
    nodes: np.ndarray,
    joints: np.ndarray,
    q0: np.ndarray,
    q1: np.ndarray,
    k: int,
    s: float,
    states: np.ndarray,
) -> None:
    """Write poses and velocities of nodes."""
    scratch = np.empty((q0.shape[1], 1)), np.empty((3, 1)), states[:, :, None]
    move_nodes(nodes, joints, q0, q1, k, s, scratch, states)


@pytest.mark.parametrize("seed", range(8))
def test_links_are_where_forward_kinematics_has_them(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    robot = kc.read_robot(random_arm(rng, tmp_path, "r", 6)[0])
    X_WB, q0, q1 = random_pose(rng, 1.0), *rng.normal(size=(2, 1, robot.dof))
    nodes, joints, frames = joint_nodes(robot.kinematics, X_WB)
    states = base_states(len(nodes))
    for s in (0.0, 0.3, 1.0):
        place(nodes, joints, q0, q1, 0, s, states)
        expected = robot.link_poses(q0[0] + s * (q1[0] - q0[0]), X_WB)
        for link, (node, X_NL) in enumerate(frames):
            X = np.eye(4)
            X[:3, :3] = states[node, kinematics.TURN : kinematics.TURN + 9].reshape(3, 3)
            X[:3, 3] = states[node, kinematics.PLACE : kinematics.PLACE + 3]
            assert np.abs(X @ X_NL - expected[link]).max() < 1e-13


@pytest.mark.parametrize("seed", range(8))
def test_points_keep_within_the_bounds_of_their_motion(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    robot = kc.read_robot(random_arm(rng, tmp_path, "r", 7)[0])
    q0, q1 = rng.normal(size=(2, 1, robot.dof))
    nodes, joints, _ = joint_nodes(robot.kinematics, np.eye(4))
    states, later = base_states(len(nodes)), base_states(len(nodes))
    middle, h = 0.5, 0.4
    place(nodes, joints, q0, q1, 0, middle, states)
    for n in range(1, len(nodes)):
        center = states[n, kinematics.PLACE : kinematics.PLACE + 3] + rng.normal(size=3) * 0.2
        point = center + 0.1 * np.array([0.0, 0.6, 0.8])
        stop = int(joints[n, kinematics.PARENT]) if rng.random() < 0.5 else 0
        bound = bound_acceleration(nodes, joints, states, n, stop, *center, 0.1, h)
        velocity = np.array(velocity_at(states, n, *point)) - velocity_at(states, stop, *point)
        local = to_frame(states, n, point)
        for s in np.linspace(-h, h, 17):
            place(nodes, joints, q0, q1, 0, middle + s, later)
            # Seen from the node that bounds are relative to, as it is in the middle.
            there = from_frame(states, stop, to_frame(later, stop, from_frame(later, n, local)))
            off = np.linalg.norm(there - point - s * velocity)
            assert off <= 0.5 * s * s * bound + 1e-12


def test_a_body_is_inside_of_its_ball_as_far_as_it_reaches(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    robot = kc.read_robot(random_arm(rng, tmp_path, "r", 6)[0])
    q0, q1 = rng.normal(size=(2, 1, robot.dof))
    nodes, joints, _ = joint_nodes(robot.kinematics, np.eye(4))
    states, later = base_states(len(nodes)), base_states(len(nodes))
    bodies, parts = np.zeros((1, layout.BODY)), np.zeros((1, layout.BODY_LINKS), np.int64)
    parts[0, layout.OF_NODE] = len(nodes) - 1
    bodies[0, layout.CENTER : layout.CENTER + 4] = 0.1, -0.2, 0.05, 0.15
    X = random_pose(rng, 0.3)
    bodies[0, layout.POSE : layout.POSE + 12] = X[:3].ravel()
    out = np.full((1, layout.BODY_STATE), -1.0)
    place(nodes, joints, q0, q1, 0, 0.5, states)
    place_body(nodes, joints, states, bodies, parts, 0, 0.5, 1.0, 0.0, out)
    center, reach = out[0, layout.BALL : layout.BALL + 3], out[0, layout.REACH]
    d = rng.normal(size=(50, 3))
    points = (np.array([0.1, -0.2, 0.05]) + 0.15 * d / np.linalg.norm(d, axis=1)[:, None]) @ X[:3, :3].T + X[
        :3, 3
    ]
    for s in np.linspace(0.0, 1.0, 9):
        place(nodes, joints, q0, q1, 0, s, later)
        for point in points:
            there = from_frame(later, len(nodes) - 1, point)
            assert np.linalg.norm(there - center) <= reach + 1e-12


def to_frame(states: np.ndarray, n: int, p_W: np.ndarray) -> np.ndarray:
    R = states[n, kinematics.TURN : kinematics.TURN + 9].reshape(3, 3)
    return R.T @ (p_W - states[n, kinematics.PLACE : kinematics.PLACE + 3])


def from_frame(states: np.ndarray, n: int, p: np.ndarray) -> np.ndarray:
    R = states[n, kinematics.TURN : kinematics.TURN + 9].reshape(3, 3)
    return R @ p + states[n, kinematics.PLACE : kinematics.PLACE + 3]
