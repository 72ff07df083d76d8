"""Pairs that an SRDF file allows although they collide: found once, and warned of by worlds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import keepclear as kc
from keepclear.robot.pairs.prove import wrongly_allowed

Write = Callable[..., Path]

BAR = '<collision><origin xyz="0.15 0 0"/><geometry><box size="0.3 0.05 0.05"/></geometry></collision>'
JOINT = (
    '<joint name="{0}" type="{3}"><parent link="{1}"/><child link="{2}"/><origin xyz="0.29 0 0"/>'
    '<axis xyz="0 0 1"/>{4}</joint>'
)
LIMIT = '<limit lower="-2.9" upper="2.9" velocity="9"/>'


def read(
    write: Write, *disabled: tuple[str, str, str], kind: str = "revolute", limit: str = LIMIT
) -> kc.Robot:
    body = "".join(f'<link name="{name}">{BAR}</link>' for name in "abc") + '<link name="tip"/>'
    body += JOINT.format("j1", "a", "b", "revolute", LIMIT) + JOINT.format("j2", "b", "c", kind, limit)
    body += JOINT.format("j3", "c", "tip", "fixed", "")
    lines = [f'<disable_collisions link1="{a}" link2="{b}" reason="{why}"/>' for a, b, why in disabled]
    return kc.read_robot(write(body), srdf=write("".join(lines), "arm.srdf"))


def test_a_pair_that_collides_is_found_and_kept(write: Write) -> None:
    robot = read(write, ("a", "b", "Adjacent"), ("c", "a", "Never"), ("a", "tip", "Never"))
    ((allowed, pair, q),) = wrongly_allowed(robot)
    assert (allowed.a, allowed.b) == ("c", "a")
    assert pair.columns == [0, 1]
    assert pair.touches(q[None]).tolist() == [True]
    assert wrongly_allowed(robot) is wrongly_allowed(robot)
    assert wrongly_allowed(robot.attach("tool", kc.Sphere(0.01), "tip"))[0].allowed is allowed


@pytest.mark.parametrize("disabled", [("a", "b", "Adjacent"), ("a", "b", "Never"), ("a", "c", "Adjacent")])
def test_neighbours_and_what_is_said_to_be_adjacent_are_left_out(
    write: Write, disabled: tuple[str, str, str]
) -> None:
    assert wrongly_allowed(read(write, disabled)) == ()


def test_robots_without_limits_or_srdf_have_none(write: Write) -> None:
    assert wrongly_allowed(read(write, ("a", "c", "Never"), kind="prismatic", limit="")) == ()
    assert len(wrongly_allowed(read(write, ("a", "c", "Never"), kind="continuous", limit=""))) == 1
    assert wrongly_allowed(kc.read_robot(write(f'<link name="a">{BAR}</link>'))) == ()


def test_verify_warns_with_the_configuration_or_the_time(write: Write) -> None:
    robot = read(write, ("a", "b", "Adjacent"), ("b", "c", "Adjacent"), ("a", "c", "Never"))
    world = kc.World()
    world.add_robot("arm", robot, kc.JointTrajectory(robot, [0, 1], [[0, 0], [0.1, 0.1]]))
    (text,) = (text for text in world.verify().warnings if "SRDF" in text)
    assert text.startswith(
        'arm: its SRDF file disables a - c as "Never", so that this pair is not checked, but they '
    )
    assert "they touch at j1 = " in text
    assert "`keepclear pairs`" in text
    world.move("arm", kc.JointTrajectory(robot, [0, 1, 2], [[0, 0], [2.5, 2.5], [2.8, 2.8]]))
    assert any("in this program they touch at 1 s" in text for text in world.verify().warnings)


def test_a_robot_whose_pairs_are_right_has_no_warning(write: Write) -> None:
    robot = read(write, ("a", "b", "Adjacent"), ("b", "c", "Adjacent"))
    world = kc.World()
    world.add_robot("arm", robot, kc.JointTrajectory(robot, [0, 1], np.zeros((2, 2))))
    assert world.verify().warnings == ()
