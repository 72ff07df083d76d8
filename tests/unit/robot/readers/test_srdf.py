"""SRDF files: pairs, groups and states, and names that the robot lacks."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import keepclear as kc
from keepclear.robot.links import AllowedPair

Write = Callable[..., Path]

BALL = '<link name="{}"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>'
JOINT = (
    '<joint name="{0}" type="{3}"><parent link="{1}"/><child link="{2}"/><origin xyz="0 0 1"/>'
    '<limit lower="{4}" upper="2"/>{5}</joint>'
)
ROBOT = (
    "".join(BALL.format(name) for name in ("base", "upper", "lower", "hand", "finger"))
    + '<link name="frame"/>'
    + JOINT.format("j1", "base", "upper", "revolute", -1, "")
    + JOINT.format("j2", "upper", "lower", "revolute", 1, "")
    + JOINT.format("flange", "lower", "frame", "fixed", -1, "")
    + JOINT.format("j3", "frame", "hand", "revolute", -1, "")
    + JOINT.format("grip", "hand", "finger", "prismatic", -1, '<mimic joint="j3"/>')
)
ALL_NEIGHBOURS = "".join(
    f'<disable_collisions link1="{a}" link2="{b}"/>'
    for a, b in (("base", "upper"), ("upper", "lower"), ("lower", "hand"), ("hand", "finger"))
)


@pytest.fixture
def read(write: Write) -> Callable[[str], kc.Robot]:
    """Read the robot with an SRDF file of these lines."""
    urdf = write(ROBOT)
    return lambda body: kc.read_robot(urdf, srdf=write(body, "robot.srdf"))


def test_only_its_pairs_are_allowed(read: Callable[[str], kc.Robot]) -> None:
    robot = read(
        '<disable_collisions link1="base" link2="upper" reason="Adjacent"/>'
        '<disable_collisions link1="upper" link2="base" reason="again"/>'
        '<disable_collisions link1="hand" link2="base"/>'
    )
    assert robot.allowed_pairs == (
        AllowedPair("base", "upper", "srdf", "Adjacent"),
        AllowedPair("hand", "base", "srdf", ""),
    )
    assert robot.warnings == (
        "SRDF file 'robot.srdf' does not disable 3 pairs of neighbours, so they are checked: "
        "upper - lower, lower - hand, hand - finger.",
    )


def test_links_can_be_disabled_by_default_and_enabled_again(read: Callable[[str], kc.Robot]) -> None:
    robot = read(
        ALL_NEIGHBOURS
        + '<disable_default_collisions link="finger"/>'
        + '<enable_collisions link1="finger" link2="base"/><enable_collisions link1="hand" link2="finger"/>'
    )
    pairs = {frozenset((pair.a, pair.b)): pair.detail for pair in robot.allowed_pairs}
    assert pairs == {
        frozenset(("base", "upper")): "",
        frozenset(("upper", "lower")): "",
        frozenset(("lower", "hand")): "",
        frozenset(("hand", "finger")): "",
        frozenset(("upper", "finger")): "collisions are disabled by default",
        frozenset(("lower", "finger")): "collisions are disabled by default",
    }
    assert robot.warnings == ()


def test_groups_are_joints(read: Callable[[str], kc.Robot]) -> None:
    robot = read(
        ALL_NEIGHBOURS
        + '<group name="whole"><group name="wrist"/><group name="arm"/></group>'
        + '<group name="arm"><chain base_link="base" tip_link="frame"/></group>'
        + '<group name="wrist"><joint name="j3"/><joint name="grip"/></group>'
        + '<group name="links"><link name="lower"/><link name="finger"/><link name="base"/></group>'
        + '<group name="back"><chain base_link="hand" tip_link="lower"/></group>'
    )
    assert robot.groups == {
        "whole": ("j1", "j2", "j3"),
        "arm": ("j1", "j2"),
        "wrist": ("j3",),  # grip follows j3
        "links": ("j2",),
        "back": ("j3",),
    }
    assert robot.warnings == ()


def test_states_are_configurations(read: Callable[[str], kc.Robot]) -> None:
    robot = read(
        ALL_NEIGHBOURS
        + '<group name="arm"><joint name="j1"/></group>'
        + '<virtual_joint name="world" type="planar" parent_frame="map" child_link="base"/>'
        + '<group_state name="up" group="arm"><joint name="j1" value="0.25"/><joint name="grip" value="9"/>'
        + '<joint name="flange" value="1"/><joint name="world" value="1"/>'
        + '<joint name="root" value="0 0 1"/></group_state>'
        + '<group_state name="rest"><joint name="j3" value=" -0.5 "/></group_state>'
        + '<group_state name="bad" group="arm"><joint name="j1" value="1 2"/></group_state>'
    )
    assert {name: q.tolist() for name, q in robot.states.items()} == {
        "arm/up": [0.25, 1.5, 0.0],  # the limits of j2 leave out 0
        "rest": [0.0, 1.5, -0.5],
    }
    assert robot.state("up").tolist() == robot.state("arm/up").tolist() == [0.25, 1.5, 0.0]
    assert robot.state("rest").tolist() == [0.0, 1.5, -0.5]
    assert robot.warnings == (
        "SRDF file 'robot.srdf', line 3: state 'arm/bad' is left out, because it gives joint 'j1' the value \"1 2\", "
        "not one finite number.",
    )
    with pytest.raises(kc.UnknownNameError, match="robot 'bot' has no state 'rets'; did you mean 'rest'"):
        robot.state("rets")


def test_the_same_name_in_two_groups_needs_its_group(read: Callable[[str], kc.Robot]) -> None:
    groups = '<group name="a"><joint name="j1"/></group><group name="b"><joint name="j2"/></group>'
    states = "".join(f'<group_state name="home" group="{g}"/>' for g in "ab")
    robot = read(ALL_NEIGHBOURS + groups + states)
    with pytest.raises(kc.ArgumentError, match="has 2 states 'home'; say which: a/home, b/home"):
        robot.state("home")
    assert robot.state("b/home").tolist() == [0.0, 1.5, 0.0]


def test_unknown_names_are_told(read: Callable[[str], kc.Robot]) -> None:
    robot = read(
        ALL_NEIGHBOURS
        + '<disable_collisions link1="bass" link2="hand"/><disable_collisions link1="hand" link2="zzz"/>'
        + '<group name="arm"><joint name="j11"/><link name="bass"/><group name="leg"/></group>'
        + '<group_state name="up" group="arms"><joint name="j1" value="1"/></group_state>'
    )
    assert len(robot.allowed_pairs) == 4
    assert robot.warnings == (
        "SRDF file 'robot.srdf' names links 'bass', 'zzz', which robot 'bot' does not have; did you mean 'base'?",
        "SRDF file 'robot.srdf' names joint 'j11', which robot 'bot' does not have; did you mean 'j1'?",
        "SRDF file 'robot.srdf' names groups 'leg', 'arms', which the SRDF does not have.",
    )


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<disable_collisions link1='base'/>", 'line 3: a <disable_collisions> has no link2="..."'),
        ("<disable_collisions link1='base' link2='base'/>", "names link 'base' twice; name two links"),
        ("<group name='a'><group name='b'/></group><group name='b'><group name='a'/></group>", "a -> b -> a"),
        ("<group/>", 'a <group> has no name="..."'),
        ("<group_state group='a'/>", 'a <group_state> has no name="..."'),
        ("<robot>", "it is not well-formed XML"),
    ],
)
def test_mistakes_have_their_line(read: Callable[[str], kc.Robot], body: str, text: str) -> None:
    with pytest.raises(kc.RobotError, match=re.escape(text)):
        read(body)


def test_groups_may_be_nested_deeply_and_often(read: Callable[[str], kc.Robot]) -> None:
    levels = "".join(
        f'<group name="g{i}">{f"""<group name="g{i - 1}"/>""" * 10}</group>' for i in range(1, 12)
    )
    chain = "".join(f'<group name="c{i}"><group name="c{i + 1}"/></group>' for i in range(3000))
    leaf = '<group name="{}"><joint name="j2"/><joint name="flange"/></group>'
    robot = read(leaf.format("g0") + levels + chain + leaf.format("c3000") + ALL_NEIGHBOURS)
    assert robot.groups["g11"] == robot.groups["c0"] == ("j2",)


def test_a_long_circle_of_groups_is_named_in_short(read: Callable[[str], kc.Robot]) -> None:
    circle = "".join(f'<group name="c{i}"><group name="c{(i + 1) % 3000}"/></group>' for i in range(3000))
    with pytest.raises(
        kc.RobotError, match=r"'c0' contains itself: c0 -> c1 -> c2 -> c3 -> c4 -> c5 -> \.\.\. -> c0"
    ):
        read(circle)


def test_an_unknown_element_about_collisions_is_refused(read: Callable[[str], kc.Robot]) -> None:
    with pytest.raises(kc.RobotError, match="<enable_collision> is unknown; about collisions there are"):
        read('<disable_default_collisions link="hand"/><enable_collision link1="hand" link2="base"/>')
