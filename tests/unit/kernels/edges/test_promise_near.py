"""Balls and boxes of a robot during an interval: cases in which each term of a bound is needed."""

from __future__ import annotations

import numpy as np
import pytest
from numba.core import config

from keepclear.kernels.edges import layout as at
from keepclear.kernels.edges import poses
from keepclear.kernels.edges.poses import bound_acceleration, move_nodes, place_body
from keepclear.kernels.motion import joints as kinematics

pytestmark = pytest.mark.skipif(
    not config.DISABLE_JIT, reason="inner kernels, which only kernels call, are tested as Python"
)
TINY = 1e-12


class Two:
    """Two balls of 0.1 and 0.2 m on nodes 1 and 2, or on the base, some way apart along x."""

    def __init__(self, distance: float) -> None:
        self.states, self.bodies = np.zeros((3, at.NODE_STATE)), np.zeros((2, at.BODY))
        self.parts, self.placed = np.zeros((2, at.BODY_LINKS), np.int64), np.zeros((2, at.BODY_STATE))
        self.bodies[:, at.RADIUS] = 0.1, 0.2
        self.bodies[:, [at.POSE, at.POSE + 5, at.POSE + 10]] = 1.0
        self.placed[:, at.WIDE] = self.placed[:, at.REACH] = 0.1, 0.2
        self.placed[1, at.BALL] = distance
        self.parts[:, at.OF_NODE] = 1, 2

    def move(self, body: int, speed: float, acceleration: float, h: float) -> None:
        """Let a ball move towards the other one."""
        self.placed[body, at.BALL_VELOCITY] = speed if body == 0 else -speed
        self.placed[body, at.ACCELERATION] = acceleration
        self.placed[body, at.WIDE] += 0.5 * h * h * acceleration
        self.placed[body, at.REACH] += h * speed + 0.5 * h * h * acceleration

    def may_touch(self, margin: float, h: float) -> bool:
        return bool(poses.near_ball(self.parts, self.states, self.bodies, self.placed, 0, 1, 0, margin, h))


@pytest.mark.parametrize("node", [0, 1])
@pytest.mark.parametrize("body", [0, 1])
def test_balls_that_come_within_the_margin(body: int, node: int) -> None:
    h = 0.5
    for margin in (0.0, 0.4):
        for speed, acceleration in ((0.0, 0.0), (2.0, 0.0), (0.0, 3.0), (2.0, 3.0)):
            way = h * speed + 0.5 * h * h * acceleration
            for gap, expected in ((way + margin - TINY, True), (way + margin + 0.01, False)):
                two = Two(0.3 + gap)
                if node == 0:
                    two.parts[1 - body, at.OF_NODE] = 0
                two.move(body, speed, acceleration, h)
                assert two.may_touch(margin, h) == expected


def crane() -> tuple[np.ndarray, np.ndarray]:
    """Two revolute joints about z, 1 m apart along x."""
    nodes, joints = np.zeros((3, kinematics.JOINT)), np.zeros((3, 2), np.int64)
    nodes[1:, kinematics.REVOLUTE] = nodes[1:, kinematics.MULTIPLIER] = 1.0
    nodes[1:, [kinematics.MAP, kinematics.MAP + 5, kinematics.MAP + 10]] = 1.0
    nodes[2, kinematics.MAP + 3] = 1.0
    joints[1:, kinematics.PARENT], joints[1:, kinematics.COLUMN] = (0, 1), (0, 1)
    return nodes, joints


def states_at(q0: np.ndarray, q1: np.ndarray, s: float) -> np.ndarray:
    nodes, joints = crane()
    states = np.zeros((3, at.NODE_STATE))
    states[0, [kinematics.TURN, kinematics.TURN + 4, kinematics.TURN + 8]] = 1.0
    scratch = np.empty((2, 1)), np.empty((3, 1)), states[:, :, None]
    move_nodes(nodes, joints, q0[None], q1[None], 0, s, scratch, states)
    return states


def test_accelerations_hold_where_inner_joints_carry_points_outwards() -> None:
    # In the middle the second link is folded back onto the first joint's axis; it unfolds during the interval.
    nodes, joints = crane()
    q0, q1 = np.array([-0.5, np.pi - 1.5]), np.array([0.5, np.pi + 1.5])
    point = np.array([0.0, 0.0, 0.0])
    bound = bound_acceleration(nodes, joints, states_at(q0, q1, 0.5), 2, 0, *point, 0.0, 0.5)
    e = 1e-4

    def tip(s: float) -> np.ndarray:
        a, b = q0 + s * (q1 - q0)
        return np.array([np.cos(a) + np.cos(a + b), np.sin(a) + np.sin(a + b)])

    most = max(
        np.linalg.norm(tip(s + e) - 2.0 * tip(s) + tip(s - e)) / e**2 for s in np.linspace(0.01, 0.99, 60)
    )
    assert bound >= most


def test_balls_of_bodies_include_acceleration_and_rounding() -> None:
    nodes, joints = crane()
    q0, q1 = np.array([-0.5, 0.0]), np.array([0.5, 0.0])
    bodies, parts, out = (
        np.zeros((1, at.BODY)),
        np.array([[2] + [0] * (at.BODY_LINKS - 1)]),
        np.zeros((1, at.BODY_STATE)),
    )
    bodies[0, at.RADIUS], bodies[0, at.CENTER] = 0.1, 1.0
    bodies[0, [at.POSE, at.POSE + 5, at.POSE + 10]] = 1.0
    out[0, at.STAMP] = -1.0
    h, rounding = 0.5, 1e-3
    place_body(nodes, joints, states_at(q0, q1, 0.5), bodies, parts, 0, h, 0.0, rounding, out)
    for s in (0.0, 1.0):
        a = float((q0 + s * (q1 - q0))[0])
        center = 2.0 * np.array([np.cos(a), np.sin(a)])
        linear = out[0, at.BALL : at.BALL + 2] + (s - 0.5) * out[0, at.BALL_VELOCITY : at.BALL_VELOCITY + 2]
        off = np.linalg.norm(center - linear)
        assert out[0, at.WIDE] >= 0.1 + off + rounding
        assert out[0, at.REACH] >= 0.1 + np.linalg.norm(center - out[0, at.BALL : at.BALL + 2]) + rounding
    assert out[0, at.ACCELERATION] >= 2.1
