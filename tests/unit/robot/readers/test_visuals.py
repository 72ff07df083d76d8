"""Visual geometry of links: shown where it can be read, and never a reason for a failure."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import keepclear as kc
from keepclear.report.scene import Scene
from keepclear.robot.readers.link_shapes import VisualReader, colour_of

BALL = "<collision><geometry><sphere radius='0.1'/></geometry></collision>"
CORNERS = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def robot_of(folder: Path, visual: str, materials: str = "") -> kc.Robot:
    (folder / "look.obj").write_text(CORNERS)
    joint = (
        "<joint name='x' type='prismatic'><parent link='rail'/><child link='cart'/><axis xyz='1 0 0'/>"
        "<limit lower='0' upper='2' velocity='9'/></joint>"
    )
    text = f"<robot name='slide'>{materials}<link name='rail'/><link name='cart'>{visual}{BALL}</link>{joint}</robot>"
    path = folder / "slide.urdf"
    path.write_text(text)
    return kc.read_robot(path)


def scene_of(robot: kc.Robot) -> Scene:
    world = kc.World(threads=1)
    world.add_robot("slide", robot, kc.JointTrajectory(robot, [0.0, 1.0], [[0.0], [1.0]]))
    world.add("wall", kc.Box([0.1, 1.0, 1.0]), kc.Fixed(np.eye(4)))
    scene = world.verify(scene=True, title="visuals").scene
    assert scene is not None
    return scene


def test_a_visual_mesh_is_shown_beside_the_checked_shape(tmp_path: Path) -> None:
    visual = (
        "<visual><origin xyz='0 0 0.5'/><geometry><mesh filename='look.obj' scale='0.1 0.1 0.1'/></geometry>"
        "<material name='blue'/></visual>"
    )
    material = "<material name='blue'><color rgba='0 0 0.8 1'/></material>"
    scene = scene_of(robot_of(tmp_path, visual, material))
    checked, shown = (
        [body for body in scene.bodies if body.name == "slide/cart" and body.is_visual is on]
        for on in (False, True)
    )
    assert (len(checked), len(shown), scene.notes) == (1, 1, ())
    assert shown[0].colour == checked[0].colour == (0.0, 0.0, 0.8)
    np.testing.assert_allclose(shown[0].X_W[-1, :3, 3], [1.0, 0.0, 0.5])
    assert shown[0].shape.bounds[1].max() == pytest.approx(0.1)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("visual", "reason"),
    [
        ("<visual><geometry><mesh filename='absent.stl'/></geometry></visual>", "'absent.stl' is not there"),
        ("<visual><geometry><mesh filename='slide.urdf'/></geometry></visual>", "slide.urdf"),
        ("<visual><geometry><torus/></geometry></visual>", "none of those that URDF has"),
        ("<visual/>", ""),
    ],
)
def test_what_cannot_be_shown_is_one_note(tmp_path: Path, visual: str, reason: str) -> None:
    scene = scene_of(robot_of(tmp_path, visual))
    assert not any(body.is_visual for body in scene.bodies)
    (note,) = scene.notes
    assert note.startswith(
        "the visual geometry of 1 link cannot be read (cart), so the shapes that were checked"
    )
    assert reason in note
    assert str(tmp_path) not in note.partition("mesh")[0]


def test_a_visual_like_the_checked_shape_is_not_shown_twice(tmp_path: Path) -> None:
    same = BALL.replace("collision", "visual").replace(
        "</visual>", "<material name=''><color rgba='1 0 0 1'/></material></visual>"
    )
    robot = robot_of(tmp_path, same)
    assert VisualReader().read(robot.link("cart")) == ()
    assert colour_of(robot.link("cart")) == (1.0, 0.0, 0.0)
    assert not any(body.is_visual for body in scene_of(robot).bodies)


@pytest.mark.parametrize("rgba", ["1 2 3 4", "red", "0.5", ""])
def test_a_colour_that_makes_no_sense_is_left_out(tmp_path: Path, rgba: str) -> None:
    visual = BALL.replace("collision", "visual").replace(
        "</visual>", f"<material name=''><color rgba='{rgba}'/></material></visual>"
    )
    assert colour_of(robot_of(tmp_path, visual).link("cart")) is None


def test_joints_and_paths_of_links_are_part_of_the_scene(tmp_path: Path) -> None:
    scene = scene_of(robot_of(tmp_path, ""))
    (robot,) = scene.robots
    assert (robot.joints, robot.is_revolute, robot.links) == (("x",), (False,), ("slide/cart",))
    assert (robot.lower, robot.upper) == ((0.0,), (2.0,))
    np.testing.assert_allclose(robot.q[:, 0], scene.times)
    np.testing.assert_allclose(robot.origins[:, 0, 0], scene.times)


def test_the_panda_is_shown_with_its_colours(shared_data: Path) -> None:
    folder = shared_data / "panda"
    robot = kc.read_robot(folder / "panda.urdf", srdf=folder / "panda.srdf")
    assert colour_of(robot.link("panda_link1")) == (1.0, 1.0, 1.0)
    reader = VisualReader()
    assert reader.read(robot.link("panda_link0")) == ()  # the mesh that is checked too
    assert reader.read(robot.link("panda_link1")) == ()
    assert list(reader.failures) == ["panda_link1"]
