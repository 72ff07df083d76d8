"""URDF files that are wrong: one clear error for each, with the line where there is one."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import keepclear as kc

Write = Callable[..., Path]

TWO = '<link name="a"/><link name="b"/>'
JOINT = '<joint name="j" type="{}"><parent link="{}"/><child link="{}"/>{}</joint>'
OTHER = JOINT.replace('"j"', '"k"')
ENTITY = (
    '<!DOCTYPE robot [<!ENTITY e SYSTEM "file:///etc/hostname">]><robot name="a">&e;<link name="b"/></robot>'
)
MESH = '<link name="a"><collision><geometry><mesh filename="{}"/></geometry></collision></link>'


def shape(text: str) -> str:
    return f'<link name="a">\n<collision><geometry>{text}</geometry></collision></link>'


def moving(inside: str) -> str:
    return TWO + JOINT.format("revolute", "a", "b", inside)


CASES = {
    "floating": (TWO + JOINT.format("floating", "a", "b", ""), "line 3: joint 'j' is floating, which has no"),
    "planar": (TWO + JOINT.format("planar", "a", "b", ""), "joint 'j' is planar"),
    "type": (TWO + JOINT.format("hinge", "a", "b", ""), "type 'hinge'; known are revolute, continuous, "),
    "no type": (TWO + '<joint name="j"/>', "joint 'j' has no type"),
    "no name": ("<link/>", 'a <link> has no name="..."'),
    "no child": (TWO + '<joint name="j" type="fixed"><parent link="a"/></joint>', "joint 'j' has no <child link"),
    "twice": (TWO + '\n<link name="a"/>', "line 4: link 'a' is defined twice, first in line 3"),
    "joint twice": (TWO + 2 * JOINT.format("fixed", "a", "b", ""), "joint 'j' is defined twice"),
    "no links": ("", "it has no <link>, so it is not a robot"),
    "roots": (TWO, "2 links have no parent (a, b), but a robot has one root"),
    "two parents": (
        TWO + '<link name="c"/>' + JOINT.format("fixed", "a", "c", "") + OTHER.format("fixed", "b", "c", ""),
        "link 'c' is the child of joint 'j' and of joint 'k'",
    ),
    "circle": (
        '<link name="r"/>' + TWO + JOINT.format("fixed", "a", "b", "") + OTHER.format("fixed", "b", "a", ""),
        "the joints form a loop: a -> b -> a",
    ),
    "missing link": (
        '<link name="arm"/>' + JOINT.format("fixed", "arn", "arm", ""),
        "the parent of joint 'j' is link 'arn', which is not there; did you mean 'arm'?",
    ),
    "axis": (moving('<axis xyz="0 0 0"/>'), "the axis of joint 'j' is 0 0 0; give it a direction"),
    "axis numbers": (moving('<axis xyz="0 1"/>'), "the axis of joint 'j' has xyz=\"0 1\"; expected 3 finite numbers"),
    "origin": (moving('<origin rpy="0 0 x"/>'), "the origin of joint 'j' has rpy=\"0 0 x\""),
    "nan": (moving('<origin xyz="0 nan 0"/>'), "xyz=\"0 nan 0\"; expected 3 finite numbers"),
    "limit": (moving('<limit lower="low"/>'), "the limit of joint 'j' has lower=\"low\", which is not a number"),
    "reversed": (moving('<limit lower="1" upper="-1"/>'), "limits of joint 'j' are reversed: lower is 1, upper is -1"),
    "mimic": (moving('<mimic joint="jj"/>'), "joint 'j' mimics joint 'jj', which is not there; did you mean 'j'?"),
    "mimic itself": (moving('<mimic joint="j"/>'), "joints mimic each other in a loop: j -> j"),
    "multiplier": (moving('<mimic joint="j" multiplier="two"/>'), "has multiplier=\"two\"; expected 1 finite number."),
    "geometry": (shape("<cone/>"), "line 4: the collision geometry of link 'a' is a <cone>; known are box"),
    "no geometry": (shape(""), "the collision geometry of link 'a' has no shapes; give exactly one"),
    "two shapes": (shape('<sphere radius="1"/><sphere radius="2"/>'), "has 2 shapes; give exactly one"),
    "radius": (shape("<sphere/>"), "a <sphere>, has no radius"),
    "negative": (shape('<sphere radius="-1"/>'), "geometry of link 'a': Sphere: radius must be finite and > 0"),
    "negative edge": (shape('<box size="1 -2 3"/>'), "Box: size[1] must be finite and > 0, but it is -2.0; give"),
    "size": (shape('<box size="1 2"/>'), "has size=\"1 2\"; expected 3 finite numbers"),
    "no file": (shape("<mesh/>"), "a <mesh>, has no filename"),
    "scale": (shape('<mesh filename="x.stl" scale="1 0 1"/>'), "mesh 'x.stl' of link 'a' has a scale of 0"),
    "scale numbers": (shape('<mesh filename="x.stl" scale="1 2"/>'), "scale=\"1 2\"; expected 1 or 3 finite numbers"),
    "xacro": ('<xacro:arm xmlns:xacro="http://www.ros.org/wiki/xacro"/>' + TWO, "<xacro:arm> is not expanded"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_each_mistake_has_its_message(write: Write, name: str) -> None:
    body, text = CASES[name]
    with pytest.raises(kc.RobotError, match=re.escape(text)) as caught:
        kc.read_robot(write(body))
    assert str(caught.value).startswith("URDF file '")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("", "is empty"),
        ("<robot name='a'><link name='b'></robot>", "line 1: it is not well-formed XML"),
        ("<sdf><model/></sdf>", "it holds <sdf>, not <robot>, so it is no URDF"),
        ("not xml", "it is not well-formed XML"),
        (ENTITY, "it declares entities, which are not expanded"),
    ],
)
def test_files_that_are_no_robots(tmp_path: Path, content: str, text: str) -> None:
    file = tmp_path / "x.urdf"
    file.write_text(content)
    with pytest.raises(kc.RobotError, match=re.escape(text)):
        kc.read_robot(file)


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(kc.FileMissingError, match=r"there is no URDF file '.*x.urdf'; check the path"):
        kc.read_robot(tmp_path / "x.urdf")
    with pytest.raises(kc.RobotError, match="is a folder"):
        kc.read_robot(tmp_path)
    with pytest.raises(kc.ArgumentError, match="it was given XML; write it to a file"):
        kc.read_robot('<robot name="a"/>')
    for bad in (3, None, "", b"x"):
        with pytest.raises(kc.ArgumentError, match="takes the path of a URDF file"):
            kc.read_robot(bad)  # type: ignore[arg-type]


def test_the_srdf_must_be_there(write: Write, tmp_path: Path) -> None:
    with pytest.raises(kc.FileMissingError, match="there is no SRDF file"):
        kc.read_robot(write('<link name="a"/>'), srdf=tmp_path / "x.srdf")
    with pytest.raises(kc.ArgumentError, match="name must be a non-empty string"):
        kc.read_robot(write('<link name="a"/>'), name="")


def test_a_damaged_mesh_names_its_link(write: Write, tmp_path: Path) -> None:
    (tmp_path / "x.stl").write_text("solid nothing")
    with pytest.raises(kc.RobotError, match=r"link 'a': mesh file '.*x\.stl'"):
        kc.read_robot(write(MESH.format("x.stl")))


SHAPE = "<geometry><box size='1 1 1'/></geometry>"
JOINTED = "<link name='a'/><link name='b'/><joint name='j' type='fixed'><parent link='a'/><child link='b'/>{}</joint>"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<link name='a'/><include filename='arm.urdf'/>", "<include> is not expanded"),
        ("<link name='a'/><model name='m'/>", "<model> is not expanded"),
        (
            f"<link name='a'><Collision>{SHAPE}</Collision></link>",
            "<Collision> is unknown; did you mean <collision>?",
        ),
        (
            f"<link name='a'><x:collision xmlns:x='y'>{SHAPE}</x:collision></link>",
            "is unknown; did you mean <collision>?",
        ),
        (
            f"<link name='a'><collision>{SHAPE}{SHAPE}</collision></link>",
            "has two <geometry>; keep one of them",
        ),
        (
            f"<link name='a'><collision><origin/><origin/>{SHAPE}</collision></link>",
            "has two <origin>; keep one",
        ),
        (
            f"<link name='a'><collision><pose>1 0 0 0 0 0</pose>{SHAPE}</collision></link>",
            "has a <pose>, as SDF files",
        ),
        (
            f"<link name='a'><collision><origin quat_xyzw='0 0 0 1'/>{SHAPE}</collision></link>",
            'has quat_xyzw="..."',
        ),
        (
            f"<link name='a'><collision><origin xyz='0 0 1_0'/>{SHAPE}</collision></link>",
            'has xyz="0 0 1_0"; expected 3',
        ),
        (JOINTED.format("<origin xyz='0 0 1'/><origin xyz='0 0 2'/>"), "joint 'j' has two <origin>"),
        (JOINTED.format("<pose>0 0 1 0 0 0</pose>"), "joint 'j' has a <pose>"),
        (JOINTED.format("<limit lower='-1_0'/>"), 'has lower="-1_0", which is not a number'),
    ],
)
def test_elements_that_would_be_lost_are_refused(tmp_path: Path, body: str, text: str) -> None:
    (tmp_path / "robot.urdf").write_text(f"<robot name='r'>{body}</robot>")
    with pytest.raises(kc.RobotError) as caught:
        kc.read_robot(tmp_path / "robot.urdf")
    assert text in str(caught.value)
