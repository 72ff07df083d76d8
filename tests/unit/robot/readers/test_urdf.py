"""URDF files: joints, limits and mimics become arrays, shapes stay what they are."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import keepclear as kc
from keepclear.kernels.tables.motion import FIXED, PRISMATIC, REVOLUTE

Write = Callable[..., Path]

TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
SHAPES = """
<link name="base"/>
<link name="a"><collision><origin xyz="0.1 0 0" rpy="0 0 1.5707963267948966"/>
  <geometry><box size="1 2 3"/></geometry></collision></link>
<link name="b">
  <collision><geometry><cylinder radius="0.1" length="0.5"/></geometry></collision>
  <collision><geometry><sphere radius="0.2"/></geometry></collision>
  <collision><geometry><capsule radius="0.3" length="0.4"/></geometry></collision>
</link>
"""
ARM = """
<joint name="lift" type="prismatic"><parent link="base"/><child link="a"/>
  <origin xyz="0 0 1"/><axis xyz="0 0 2"/><limit lower="-0.1" upper="0.4" velocity="0.5" effort="9"/></joint>
<joint name="turn" type="continuous"><parent link="a"/><child link="b"/></joint>
"""


def link(name: str, mesh: str = "") -> str:
    shape = f"<collision><geometry><mesh {mesh}/></geometry></collision>" if mesh else ""
    return f'<link name="{name}">{shape}</link>'


def joint(name: str, parent: str, child: str, kind: str = "revolute", inside: str = "") -> str:
    limit = '<limit lower="-1" upper="2" velocity="3"/>' if "<limit" not in inside else ""
    ends = f'<parent link="{parent}"/><child link="{child}"/>'
    return f'<joint name="{name}" type="{kind}">{ends}{limit}{inside}</joint>'


def test_a_robot_has_links_joints_and_limits(write: Write) -> None:
    robot = kc.read_robot(write(SHAPES + ARM))
    k = robot.kinematics
    assert robot.name == "bot"
    assert robot.link_names == ("base", "a", "b")
    assert robot.link_joints == ("", "lift", "turn")
    assert robot.joint_names == ("lift", "turn")
    assert robot.dof == 2
    assert k.parent.tolist() == [-1, 0, 1]
    assert k.kind.tolist() == [FIXED, PRISMATIC, REVOLUTE]
    assert k.column.tolist() == [-1, 0, 1]
    assert k.axis.tolist() == [[0, 0, 1], [0, 0, 1], [1, 0, 0]]  # the default axis of URDF is x
    assert k.X_PJ[1, :3, 3].tolist() == [0, 0, 1]
    assert robot.lower.tolist() == [-0.1, -math.inf]
    assert robot.upper.tolist() == [0.4, math.inf]
    assert robot.speed.tolist() == [0.5, math.inf]
    assert str(robot) == "Robot('bot', 2 joints, 3 links, 4 shapes)"


def test_shapes_stay_what_they_are(write: Write) -> None:
    robot = kc.read_robot(write(SHAPES + ARM), name="other")
    assert robot.name == "other"
    assert robot.link("base").elements == ()
    (box,) = robot.link("a").elements
    assert (box.shape, box.source) == (kc.Box([1, 2, 3]), "box")
    assert np.allclose(box.X_LG, [[0, -1, 0, 0.1], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], atol=1e-15)
    shapes = [element.shape for element in robot.link("b").elements]
    assert shapes == [kc.Cylinder(0.1, 0.5), kc.Sphere(0.2), kc.Capsule(0.3, 0.4)]
    assert [element.source for element in robot.link("b").elements] == ["cylinder", "sphere", "capsule"]


def test_links_come_in_the_order_of_branches_and_joints_in_that_of_the_file(write: Write) -> None:
    links = "".join(map(link, ["tip", "left", "root", "right"]))
    joints = joint("j3", "left", "tip") + joint("j1", "root", "left") + joint("j2", "root", "right")
    robot = kc.read_robot(write(links + joints))
    assert robot.link_names == ("root", "left", "tip", "right")
    assert robot.joint_names == ("j3", "j1", "j2")
    assert robot.kinematics.column.tolist() == [-1, 1, 0, 2]


def test_mimics_follow_each_other(write: Write) -> None:
    links = "".join(map(link, "abcdef"))
    joints = (
        joint("j1", "a", "b", inside='<mimic joint="j2" multiplier="2" offset="0.5"/>')
        + joint("j2", "b", "c", inside='<mimic joint="j3" multiplier="-3" offset="1"/>')
        + joint("j3", "c", "d")
        + joint("still", "d", "e", "fixed")
        + joint("j4", "e", "f", inside='<mimic joint="still" multiplier="7" offset="0.25"/>')
    )
    robot = kc.read_robot(write(links + joints))
    k = robot.kinematics
    assert robot.joint_names == ("j3",)
    assert k.column.tolist() == [-1, 0, 0, 0, -1, -1]
    assert k.multiplier.tolist() == [1, -6, -3, 1, 1, 0]
    assert k.offset.tolist() == [0, 2.5, 1, 0, 0, 0.25]
    X = robot.link_poses([0.1])
    assert np.allclose(X[5, 1:3, 1], [math.cos(a := 1.9 + 0.7 + 0.1 + 0.25), math.sin(a)], atol=1e-15)


def test_limits_that_are_left_out(write: Write) -> None:
    links = "".join(map(link, "abcde"))
    joints = (
        joint("free", "a", "b", inside="<limit velocity='0'/>")
        + joint("half", "b", "c", inside="<limit upper='1'/>")
        + joint("wheel", "c", "d", "continuous", inside="<limit lower='0' upper='0' velocity='4'/>")
        + '<joint name="bare" type="prismatic"><parent link="d"/><child link="e"/></joint>'
    )
    robot = kc.read_robot(write(links + joints))
    assert robot.lower.tolist() == [-math.inf, 0.0, -math.inf, -math.inf]
    assert robot.upper.tolist() == [math.inf, 1.0, math.inf, math.inf]
    assert robot.speed.tolist() == [math.inf, math.inf, 4.0, math.inf]
    assert robot.warnings == (
        "joint 'free' is revolute without limits, so any value is accepted.",
        "joint 'bare' is prismatic without limits, so any value is accepted.",
    )


def test_meshes_are_scaled_mirrored_and_shared(write: Write, tmp_path: Path) -> None:
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "t.obj").write_text(TETRAHEDRON)
    links = (
        link("a", 'filename="meshes/t.obj"')
        + link("b", 'filename="package://somewhere/meshes/t.obj" scale="1 1 1"')
        + link("c", f'filename="file://{tmp_path}/meshes/t.obj" scale="0.5 -1 2"')
        + link("d", 'filename="package://meshes/t.obj" scale="0.1"')
    )
    joints = "".join(joint(f"j{b}", a, b, "fixed") for a, b in ("ab", "bc", "cd"))
    robot = kc.read_robot(write(links + joints))
    a, b, c, d = (robot.link(name).elements[0].shape for name in "abcd")
    assert a is b
    assert isinstance(c, kc.Mesh)
    assert [a.volume, c.volume] == pytest.approx([1.0, 1.0])  # mirrored, and yet its faces look outwards
    assert np.array_equal(c.bounds, [[0, -2, 0], [0.5, 0, 6]])
    assert np.allclose(d.bounds[1], [0.1, 0.2, 0.3])
    assert robot.link("a").elements[0].source == str(tmp_path / "meshes" / "t.obj")
    assert robot.warnings == ()


@pytest.mark.parametrize(
    ("scale", "text"),
    [
        ("100", 'is 300 m large; its numbers look like millimetres: write scale="0.001 0.001 0.001"'),
        ("0.0001", "is 0.0003 m large; its numbers may not be metres: check its scale"),
    ],
)
def test_implausible_sizes_are_told(write: Write, tmp_path: Path, scale: str, text: str) -> None:
    (tmp_path / "t.obj").write_text(TETRAHEDRON)
    robot = kc.read_robot(write(link("a", f'filename="t.obj" scale="{scale}"')))
    assert robot.warnings == (f"link 'a': mesh 't.obj' {text}.",)


def test_a_mesh_in_millimetres_with_its_scale_is_no_news(write: Write, tmp_path: Path) -> None:
    (tmp_path / "t.obj").write_text(TETRAHEDRON.replace(" 3\n", " 300\n", 1))
    assert kc.read_robot(write(link("a", 'filename="t.obj" scale="0.001 0.001 0.001"'))).warnings == ()


def test_links_that_are_only_seen_are_told(write: Write) -> None:
    seen = '<link name="{}"><visual><geometry><mesh filename="missing.dae"/></geometry></visual></link>'
    file = write(seen.format("a") + seen.format("b") + joint("j", "a", "b"))
    assert kc.read_robot(file).warnings == (
        "2 links have visual and no collision geometry, so they are not checked: a, b.",
    )
    assert kc.read_robot(write(seen.format("a"))).warnings == (
        "link 'a' has visual and no collision geometry, so it is not checked.",
    )


def test_what_is_not_needed_is_not_in_the_way(tmp_path: Path) -> None:
    file = tmp_path / "odd.urdf"
    file.write_text(
        '<robot xmlns="http://ros.org/urdf" xmlns:xacro="http://ros.org/wiki/xacro">'
        '<!-- a comment --><material name="m"><color rgba="bad"/></material><gazebo><joint/></gazebo>'
        '<link name="a"><inertial><mass value="heavy"/></inertial><visual><geometry><teapot/></geometry></visual>'
        '<collision größe="1"><geometry><!-- c --><box size="1,2,3"/></geometry></collision></link>'
        '<transmission name="t"><joint name="a"/></transmission></robot>',
        encoding="utf-8",
    )
    robot = kc.read_robot(file)
    assert robot.name == "odd"
    assert robot.links[0].elements[0].shape == kc.Box([1, 2, 3])


def test_origins_turn_about_fixed_axes_first_x_then_y_then_z(write: Write) -> None:
    element = '<collision><origin {}/><geometry><sphere radius="1"/></geometry></collision>'
    origins = ('xyz="1, 2, 3" rpy="0.3 -0.4 2.5"', 'rpy="-0 0 0"')
    body = f'<link name="a">{"".join(map(element.format, origins))}</link>'
    turned, plain = (element.X_LG for element in kc.read_robot(write(body)).link("a").elements)
    expected = np.eye(4)
    expected[:3, :3] = Rotation.from_euler("xyz", [0.3, -0.4, 2.5]).as_matrix()
    expected[:3, 3] = 1.0, 2.0, 3.0
    np.testing.assert_allclose(turned, expected, rtol=0.0, atol=1e-15)
    assert plain.tobytes() == np.eye(4).tobytes()  # no -0


def test_reading_a_robot_needs_no_library_of_meshes(write: Write) -> None:
    file = write('<link name="a"><collision><geometry><sphere radius="1"/></geometry></collision></link>')
    code = f"""
import sys
import keepclear as kc
kc.read_robot({str(file)!r})
print(sorted({{"collada", "networkx", "scipy.spatial", "trimesh", "yourdfpy"}} & set(sys.modules)))"""
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"
