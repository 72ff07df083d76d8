"""Small robots, motions and worlds whose answers are known by hand."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import keepclear as kc
from keepclear.scene.scene import Scene
from keepclear.scene.timeline import Timeline

Array = np.ndarray

# A head on a rail along x, a ball of 0.1 m. On it a finger that lifts, a ball of 0.05 m, 0.3 m above; beside it a lamp.
SLIDER = """
<robot name="slider">
<link name="rail"/>
<link name="head"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<link name="lamp"><collision><geometry><sphere radius="0.05"/></geometry></collision></link>
<link name="finger"><collision><geometry><sphere radius="0.05"/></geometry></collision></link>
<joint name="drive" type="prismatic"><parent link="rail"/><child link="head"/><axis xyz="1 0 0"/>
  <limit lower="-9" upper="9" velocity="99" effort="1"/></joint>
<joint name="bolt" type="fixed"><parent link="head"/><child link="lamp"/><origin xyz="0 0 0.5"/></joint>
<joint name="lift" type="prismatic"><parent link="head"/><child link="finger"/><origin xyz="0 0 0.3"/>
  <axis xyz="0 0 1"/><limit lower="-9" upper="9" velocity="99" effort="1"/></joint>
</robot>
"""
# An arm of 1 m that turns about z, with a ball of 0.1 m at its end.
SWING = """
<robot name="swing">
<link name="post"/>
<link name="arm"><collision><origin xyz="1 0 0"/><geometry><sphere radius="0.1"/></geometry></collision></link>
<joint name="turn" type="continuous"><parent link="post"/><child link="arm"/><axis xyz="0 0 1"/></joint>
</robot>
"""


@cache
def _robot(text: str) -> kc.Robot:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "robot.urdf"
        file.write_text(text)
        return kc.read_robot(file)


def slider() -> kc.Robot:
    return _robot(SLIDER)


def swing() -> kc.Robot:
    return _robot(SWING)


def drive(times: list[float], places: list[float], lifts: list[float] | None = None, **more: Any) -> Any:
    """A program of the slider."""
    return kc.JointTrajectory(slider(), times, {"drive": places, "lift": lifts or [0.0] * len(times)}, **more)


def at(x: float, y: float, z: float = 0.0) -> Array:
    X = np.eye(4)
    X[:3, 3] = x, y, z
    return X


def way(times: list[float], *places: tuple[float, float, float], **more: Any) -> kc.PoseTrajectory:
    """A body that goes straight from place to place."""
    return kc.PoseTrajectory.from_positions(times, places, interpolation="linear", **more)


def timeline(world: kc.World) -> Timeline:
    return world._present_timeline()


def scene(world: kc.World) -> Scene:
    return world._present_scene()


def number(line: Timeline | Scene, name: str) -> int:
    return [item.name for item in line.items].index(name)


def body(tables: Scene, name: str, part: int = 0) -> int:
    """The number of a part of an object or link among all bodies."""
    return tables.bodies_of(number(tables, name))[part]


def cube(size: float) -> kc.Mesh:
    """A solid cube with triangles, around its origin."""
    hull = kc.Convex(np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, -1).T * (0.5 * size))
    return kc.Mesh(hull.vertices, hull.triangles)


def gate(gap: float) -> kc.Mesh:
    """A mesh of two cubes of 1 m, below and above a gap along x; its hull has no gap."""
    post = cube(1.0)
    vertices = [post.vertices + np.array([0, side * (0.5 + 0.5 * gap), 0]) for side in (-1, 1)]
    return kc.Mesh(np.concatenate(vertices), np.concatenate([post.faces, post.faces + len(post.vertices)]))
