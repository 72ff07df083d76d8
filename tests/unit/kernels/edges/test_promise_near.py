"""Balls and boxes of a robot during an interval: cases in which each term of a bound is needed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numba.core import config

from keepclear.kernels.edges import poses
from keepclear.kernels.edges.poses import bound_acceleration, move_nodes, place_body
from keepclear.kernels.tables.robot import JOINT, MOVED_BODY, NODE, NODE_BODY

pytestmark = pytest.mark.skipif(
    not config.DISABLE_JIT, reason="inner kernels, which only kernels call, are tested as Python"
)
TINY = 1e-12


class Two:
    """Two balls of 0.1 and 0.2 m on nodes 1 and 2, or on the base, some way apart along x."""

    def __init__(self, distance: float) -> None:
        self.nodes, self.bodies, self.placed = (
            np.zeros(3, NODE),
            np.zeros(2, NODE_BODY),
            np.zeros(2, MOVED_BODY),
        )
        self.bodies["radius"] = 0.1, 0.2
        self.bodies["pose"] = np.eye(4)[:3]
        self.placed["wide"] = self.placed["reach"] = 0.1, 0.2
        self.placed["center"][1, 0] = distance
        self.bodies["node"] = 1, 2

    def move(self, body: int, speed: float, acceleration: float, h: float) -> None:
        """Let a ball move towards the other one."""
        moved: Any = self.placed[body]
        moved.velocity[0] = speed if body == 0 else -speed
        moved.acceleration = acceleration
        moved.wide += 0.5 * h * h * acceleration
        moved.reach += h * speed + 0.5 * h * h * acceleration

    def may_touch(self, margin: float, h: float) -> bool:
        return bool(poses.near_ball(self.nodes, self.bodies, self.placed, 0, 1, 0, margin, h))


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
                    two.bodies["node"][1 - body] = 0
                two.move(body, speed, acceleration, h)
                assert two.may_touch(margin, h) == expected


def crane() -> np.ndarray:
    """Two revolute joints about z, 1 m apart along x."""
    joints = np.zeros(3, JOINT)
    joints["revolute"][1:] = joints["multiplier"][1:] = 1
    joints["map"][1:] = np.eye(4)[:3]
    joints["map"][2, 0, 3] = 1.0
    joints["parent"][1:], joints["column"][1:] = (0, 1), (0, 1)
    return joints


def nodes_at(q0: np.ndarray, q1: np.ndarray, s: float) -> np.ndarray:
    nodes = np.zeros(3, NODE)
    nodes["pose"][0, [0, 4, 8]] = 1.0
    move_nodes(crane(), q0[None], q1[None], 0, s, np.empty((2, 1)), np.empty((3, 1)), nodes)
    return nodes


def test_accelerations_hold_where_inner_joints_carry_points_outwards() -> None:
    # In the middle the second link is folded back onto the first joint's axis; it unfolds during the interval.
    q0, q1 = np.array([-0.5, np.pi - 1.5]), np.array([0.5, np.pi + 1.5])
    point = np.array([0.0, 0.0, 0.0])
    bound = bound_acceleration(crane(), nodes_at(q0, q1, 0.5), 2, 0, point, 0.0, 0.5)
    e = 1e-4

    def tip(s: float) -> np.ndarray:
        a, b = q0 + s * (q1 - q0)
        return np.array([np.cos(a) + np.cos(a + b), np.sin(a) + np.sin(a + b)])

    most = max(
        np.linalg.norm(tip(s + e) - 2.0 * tip(s) + tip(s - e)) / e**2 for s in np.linspace(0.01, 0.99, 60)
    )
    assert bound >= most


def test_balls_of_bodies_include_acceleration_and_rounding() -> None:
    q0, q1 = np.array([-0.5, 0.0]), np.array([0.5, 0.0])
    body: Any = np.zeros(1, NODE_BODY)[0]
    out: Any = np.zeros(1, MOVED_BODY)[0]
    body.node, body.radius, body.center[0], body.pose = 2, 0.1, 1.0, np.eye(4)[:3]
    out.stamp = -1
    h, rounding = 0.5, 1e-3
    place_body(crane(), nodes_at(q0, q1, 0.5), body, h, 0, rounding, out)
    for s in (0.0, 1.0):
        a = float((q0 + s * (q1 - q0))[0])
        center = 2.0 * np.array([np.cos(a), np.sin(a)])
        linear = out.center[:2] + (s - 0.5) * out.velocity[:2]
        off = np.linalg.norm(center - linear)
        assert out.wide >= 0.1 + off + rounding
        assert out.reach >= 0.1 + np.linalg.norm(center - out.center[:2]) + rounding
    assert out.acceleration >= 2.1
