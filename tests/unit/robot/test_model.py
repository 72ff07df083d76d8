"""A robot answers for configurations, and makes other robots with tools attached."""

from __future__ import annotations

import copy
import math
import pickle
import re
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import keepclear as kc
from keepclear.robot import model
from keepclear.robot.links import AllowedPair

Write = Callable[..., Path]

LEVER = """
<link name="base"/>
<link name="arm"><collision><geometry><box size="1 0.1 0.1"/></geometry></collision></link>
<link name="rod"><collision><geometry><box size="0.1 0.1 1"/></geometry></collision></link>
<joint name="turn" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/></joint>
<joint name="push" type="prismatic"><parent link="arm"/><child link="rod"/><origin xyz="1 0 0"/>
  <axis xyz="0 0 1"/><limit lower="0.2" upper="0.4"/></joint>
"""


@pytest.fixture
def robot(write: Write) -> kc.Robot:
    return kc.read_robot(write(LEVER))


def test_one_configuration_or_many(robot: kc.Robot) -> None:
    X = robot.link_poses([math.pi / 2, 0.3])
    assert X.shape == (3, 4, 4)
    assert np.allclose(X[2], [[0, -1, 0, 0], [1, 0, 0, 1], [0, 0, 1, 0.3], [0, 0, 0, 1]], atol=1e-15)
    many = robot.link_poses([[0, 0], [math.pi / 2, 0.3]])
    assert many.shape == (2, 3, 4, 4)
    assert np.array_equal(many[1], X)
    assert robot.link_poses(np.empty((0, 2))).shape == (0, 3, 4, 4)


def test_values_by_name(robot: kc.Robot) -> None:
    X = robot.link_poses([1.0, 0.3])
    assert np.array_equal(robot.link_poses({"push": 0.3, "turn": 1.0}), X)
    many = robot.link_poses({"push": [0.3, 0.4], "turn": 1.0})
    assert np.array_equal(many, robot.link_poses([[1.0, 0.3], [1.0, 0.4]]))


def test_the_base_may_stand_elsewhere(robot: kc.Robot) -> None:
    X_WB = np.eye(4)
    X_WB[:3, 3] = 1, 2, 3
    assert robot.link_poses([0, 0], X_WB)[2, :3, 3].tolist() == [2, 2, 3]
    several = robot.link_poses([0, 0], [np.eye(4), X_WB])
    assert several.shape == (2, 3, 4, 4)
    assert several[:, 1, 0, 3].tolist() == [0, 1]
    assert np.array_equal(robot.link_poses([[0, 0], [0, 0]], [np.eye(4), X_WB]), several)
    with pytest.raises(kc.ArgumentError, match="X_WB has 3 poses, but q has 2 configurations"):
        robot.link_poses([[0, 0], [0, 0]], [X_WB] * 3)
    with pytest.raises(kc.PoseError, match="X_WB"):
        robot.link_poses([0, 0], np.eye(3))


@pytest.mark.parametrize(
    ("q", "text"),
    [
        (
            [1.0],
            "q must have shape (2,) or (n, 2), a column for each of 2 joints: turn, push, but it has shape (1,)",
        ),
        (np.zeros((2, 2, 2)), "but it has shape (2, 2, 2)"),
        (1.0, "but it has shape ()"),
        ([0.0, math.nan], "joint 'push' is nan; give finite radians or metres from -1e"),
        ([[0.0, 0.0], [math.inf, 0.0]], "joint 'turn' of configuration 1 is inf"),
        (["a", "b"], "q must be an array of numbers"),
        ([[1.0], [1.0, 2.0]], "q must be an array of numbers"),
        (None, "q must be an array of numbers"),
        ({"turn": 0.0}, "q has no value for 1 joint: push"),
        ({"turn": [0.0, 1.0], "push": [1.0] * 3}, "different numbers of values (turn: 2, push: 3)"),
        (
            {"turn": [[0.0]], "push": 0.0},
            "q['turn'] must be a number or an array (n,), but it has shape (1, 1)",
        ),
        ({"turn": "x", "push": 0.0}, "q['turn'] must be an array of numbers"),
    ],
)
def test_bad_configurations_are_refused(robot: kc.Robot, q: Any, text: str) -> None:
    with pytest.raises(kc.ArgumentError, match=re.escape(text)) as caught:
        robot.link_poses(q)
    assert str(caught.value).startswith("robot 'bot': q")


def test_unknown_names_are_refused(robot: kc.Robot) -> None:
    with pytest.raises(
        kc.UnknownNameError,
        match=r"names 'pusch', which is not an independent joint; did you mean 'push'\? These are 2 "
        r"joints: turn, push\.",
    ):
        robot.link_poses({"turn": 0.0, "pusch": 0.0})
    with pytest.raises(
        kc.UnknownNameError, match=r"has no link 'aarm'; did you mean 'arm'\? It has 3 links: arm, base, rod"
    ):
        robot.link("aarm")
    with pytest.raises(kc.UnknownNameError, match=r"robot 'bot' has no state 'home'\. It has no states\."):
        robot.state("home")


def test_a_tool_is_one_more_link(robot: kc.Robot) -> None:
    X_LA = np.eye(4)
    X_LA[:3, 3] = 0, 0, 0.5
    tool = robot.attach("tool", kc.Sphere(0.2), "rod", X_LA)
    assert robot.link_names == ("base", "arm", "rod")
    assert tool.link_names == ("base", "arm", "rod", "tool")
    assert tool.joint_names == robot.joint_names
    assert tool.link_poses([0, 0.3])[3, :3, 3].tolist() == [1, 0, 0.8]
    assert tool.link("tool").elements[0].shape == kc.Sphere(0.2)
    assert tool.allowed_pairs == (
        *robot.allowed_pairs,
        AllowedPair("rod", "tool", "neighbours", "tool is attached to rod"),
    )
    twice = tool.attach("nail", [(kc.Box([1, 1, 1]), X_LA), kc.Sphere(0.1)], "tool")
    assert [element.X_LG[2, 3] for element in twice.link("nail").elements] == [0.5, 0.0]
    assert np.array_equal(twice.link_poses([0, 0.3])[4], tool.link_poses([0, 0.3])[3])


def test_a_tool_on_a_link_without_shapes_may_touch_the_nearest_one_above(write: Write) -> None:
    flange = '<link name="flange"/><joint name="f" type="continuous"><parent link="rod"/><child link="flange"/></joint>'
    robot = kc.read_robot(write(LEVER + flange)).attach("tool", kc.Sphere(0.2), "flange")
    assert robot.allowed_pairs[-1] == AllowedPair("rod", "tool", "neighbours", "tool is attached to flange")
    assert robot.attach("other", kc.Sphere(0.2), "base").allowed_pairs[-1].a == "base"


def test_bad_tools_are_refused(robot: kc.Robot) -> None:
    with pytest.raises(kc.ArgumentError, match=r"cannot be called 'arm'.*is taken"):
        robot.attach("arm", kc.Sphere(1), "rod")
    with pytest.raises(kc.ArgumentError, match="is not a name"):
        robot.attach("", kc.Sphere(1), "rod")
    with pytest.raises(kc.UnknownNameError, match="has no link 'rood'; did you mean 'rod'"):
        robot.attach("tool", kc.Sphere(1), "rood")
    with pytest.raises(kc.ArgumentError, match="expected a shape"):
        robot.attach("tool", "sphere", "rod")
    with pytest.raises(kc.PoseError, match="X_LA"):
        robot.attach("tool", kc.Sphere(1), "rod", np.zeros((4, 4)))
    with pytest.raises(
        kc.ArgumentError, match=re.escape("X_LA must be one pose (4, 4), but it has shape (2, 4, 4)")
    ):
        robot.attach("tool", kc.Sphere(1), "rod", [np.eye(4), np.eye(4)])


def test_more_pairs_may_be_allowed(robot: kc.Robot) -> None:
    more = robot.with_allowed("base", "rod", detail="behind the guard")
    assert more.allowed_pairs[-1] == AllowedPair("base", "rod", "allowed", "behind the guard")
    with pytest.raises(kc.UnknownNameError, match="has no link 'x'"):
        robot.with_allowed("base", "x")
    with pytest.raises(kc.ArgumentError, match="never checked against itself"):
        robot.with_allowed("rod", "rod")


def test_a_robot_never_changes(robot: kc.Robot) -> None:
    with pytest.raises(FrozenInstanceError):
        robot.name = "other"  # type: ignore[misc]
    with pytest.raises(ValueError, match="read-only"):
        robot.lower[0] = 0.0
    with pytest.raises(ValueError, match="read-only"):
        robot.kinematics.axis[1] = 0.0
    with pytest.raises(TypeError):
        robot.states["home"] = robot.zero  # type: ignore[index]
    assert robot.zero.tolist() == pytest.approx([0.0, 0.3])


def test_a_pickled_robot_is_restored(robot: kc.Robot) -> None:
    content = pickle.dumps(robot.attach("tool", kc.Sphere(0.2), "rod"))
    model._pickled.clear()  # as in another process
    other = pickle.loads(content)
    assert repr(other) == "Robot('bot', 2 joints, 4 links, 3 shapes)"
    assert other.allowed_pairs[-1].b == "tool"
    assert np.array_equal(other.link_poses([1, 0.3])[:3], robot.link_poses([1, 0.3]))


def test_a_pickled_robot_is_restored_once(robot: kc.Robot) -> None:
    assert copy.deepcopy(robot) is robot, "it is immutable"
    cells = pickle.dumps((robot, 1)), pickle.dumps((robot, 2))
    model._pickled.clear()
    (first, _), (second, _) = map(pickle.loads, cells)
    assert first is second is not robot
    assert pickle.loads(pickle.dumps(first)) is first
