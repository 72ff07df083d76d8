"""Without an SRDF file: neighbours may touch, and links that touch in the zero pose are told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import keepclear as kc

Write = Callable[..., Path]

ZERO = "they touch in the zero pose"
REAL = ", but not with all joints in the middle of their limits, so this may be a real contact"


def ball(name: str, radius: float = 0.1) -> str:
    return (
        f'<link name="{name}"><collision><geometry><sphere radius="{radius}"/></geometry></collision></link>'
    )


def joint(
    name: str, parent: str, child: str, kind: str = "revolute", xyz: str = "1 0 0", limits: str = "-1 1"
) -> str:
    lower, upper = limits.split()
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/><origin xyz="{xyz}"/>'
        f'<axis xyz="0 0 1"/><limit lower="{lower}" upper="{upper}"/></joint>'
    )


def pairs(robot: kc.Robot) -> list[tuple[str, str, str, str]]:
    return [(pair.a, pair.b, pair.reason, pair.detail) for pair in robot.allowed_pairs]


def test_neighbours_are_found_through_links_without_shapes(write: Write) -> None:
    body = (
        ball("a") + '<link name="f1"/><link name="f2"/>' + ball("b") + ball("c") + ball("d") + '<link name="tip"/>'
        + joint("j1", "a", "f1") + joint("j2", "f1", "f2", "fixed") + joint("j3", "f2", "b")
        + joint("j4", "f2", "c", xyz="0 1 0") + joint("j5", "b", "d", "fixed") + joint("j6", "d", "tip")
    )  # fmt: skip
    robot = kc.read_robot(write(body))
    assert pairs(robot) == [
        ("a", "b", "neighbours", "joints j1, j2, j3"),
        ("b", "d", "neighbours", "joint j5"),
        ("a", "c", "neighbours", "joints j1, j2, j4"),
    ]
    assert robot.warnings == ()


def test_links_beside_an_empty_root_are_no_neighbours(write: Write) -> None:
    body = '<link name="world"/>' + ball("a") + ball("b")
    robot = kc.read_robot(write(body + joint("j1", "world", "a") + joint("j2", "world", "b", xyz="0 1 0")))
    assert pairs(robot) == []


def test_links_that_touch_in_the_zero_pose_are_told(write: Write) -> None:
    body = ball("a") + ball("b") + ball("c", 1.95) + joint("j1", "a", "b") + joint("j2", "b", "c")
    robot = kc.read_robot(write(body))
    assert pairs(robot)[2:] == [("a", "c", "zero pose", ZERO)]
    assert robot.warnings == (
        "robot 'bot' has no SRDF file, and 1 pair of its links touches in the zero pose; not checked: a - c.",
    )


def test_a_contact_that_the_middle_of_the_limits_does_not_have_may_be_real(write: Write) -> None:
    # c hangs on b at (1, 0, 0); b turns by q, so that at 0 c is in a, and in the middle of the limits, 1.5, it is not.
    body = ball("a") + ball("b") + ball("c") + joint("j1", "a", "b", xyz="1 0 0", limits="0 3")
    robot = kc.read_robot(write(body + joint("j2", "b", "c", xyz="-1 0 0")))
    assert pairs(robot)[2:] == [("a", "c", "zero pose", ZERO + REAL)]
    assert robot.warnings == (
        f"robot 'bot' has no SRDF file, and 1 pair of its links touches in the zero pose{REAL}; not checked: a - c.",
    )


def test_the_zero_pose_respects_limits(write: Write) -> None:
    body = ball("a") + ball("b") + ball("c") + joint("j1", "a", "b", "prismatic", limits="0.5 0.7")
    robot = kc.read_robot(write(body + joint("j2", "b", "c", "prismatic", "-1 0 -0.6")))
    assert robot.zero.tolist() == [0.6, 0.0]
    told = "they touch in the zero pose (joint j1 at 0.6, since the limits leave out 0)"
    assert pairs(robot)[2:] == [("a", "c", "zero pose", told)]
    assert "(joint j1 at 0.6, since the limits leave out 0)" in robot.warnings[0]


def test_links_that_never_move_against_each_other_are_not_judged(write: Write) -> None:
    body = ball("a") + ball("b") + ball("c") + joint("j1", "a", "b", "fixed")
    robot = kc.read_robot(write(body + joint("j2", "b", "c", "fixed", "-1 0 0")))
    assert [pair[:2] for pair in pairs(robot)] == [("a", "b"), ("b", "c")]
    assert robot.warnings == ()


def test_several_shapes_are_one_link(write: Write) -> None:
    two = (
        '<link name="c"><collision><geometry><sphere radius="0.1"/></geometry></collision>'
        '<collision><origin xyz="-2.15 0 0"/><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>'
    )
    body = ball("a") + ball("b") + two + joint("j1", "a", "b") + joint("j2", "b", "c")
    assert pairs(kc.read_robot(write(body)))[2:] == [("a", "c", "zero pose", ZERO)]
    assert pairs(kc.read_robot(write(body.replace("-2.15", "-2.25"))))[2:] == []
