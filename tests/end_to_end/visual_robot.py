"""A robot whose visual shapes differ from those that are checked: files of four formats, scales, origins, colours."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import keepclear as kc

BLUE, GREEN, MAGENTA, YELLOW = (0.05, 0.2, 0.9), (0.05, 0.7, 0.1), (0.85, 0.05, 0.8), (0.9, 0.8, 0.05)

URDF = """<robot name="shown">
  <material name="blue"><color rgba="0.05 0.2 0.9 1"/></material>
  <material name="yellow"><color rgba="0.9 0.8 0.05 1"/></material>
  <link name="base">
    <visual><origin xyz="0 0 0.1"/><geometry><mesh filename="block.stl" scale="0.001 0.001 0.001"/></geometry>
      <material name="blue"/></visual>
    <collision><origin xyz="0 0 0.1"/><geometry><cylinder radius="0.2" length="0.2"/></geometry></collision>
  </link>
  <link name="arm">
    <visual><origin xyz="0 0 0.25" rpy="0 0 0.7853981633974483"/><geometry><mesh filename="column.obj"/></geometry>
      <material name="own"><color rgba="0.05 0.7 0.1 1"/></material></visual>
    <collision><origin xyz="0 0 0.25"/><geometry><capsule radius="0.08" length="0.34"/></geometry></collision>
  </link>
  <link name="hand">
    <visual><origin xyz="0 0 0.1"/><geometry><mesh filename="head.dae"/></geometry>
      <material name="pink"><color rgba="0.85 0.05 0.8 1"/></material></visual>
    <visual><origin xyz="0.3 0 0.1"/><geometry><mesh filename="nose.glb" scale="2 1 1"/></geometry>
      <material name="yellow"/></visual>
    <collision><origin xyz="0 0 0.1"/><geometry><sphere radius="0.1"/></geometry></collision>
  </link>
  <link name="camera">
    <visual><geometry><box size="0.1 0.1 0.1"/></geometry></visual>
  </link>
  <joint name="turn" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0 0 0.2"/><axis xyz="0 0 1"/>
    <limit lower="-2" upper="2" velocity="9" effort="1"/></joint>
  <joint name="nod" type="revolute"><parent link="arm"/><child link="hand"/><origin xyz="0 0 0.5"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" velocity="9" effort="1"/></joint>
  <joint name="mount" type="fixed"><parent link="hand"/><child link="camera"/><origin xyz="0 0 0.35"/></joint>
</robot>
"""
_MATERIALS = """<library_effects><effect id="e"><profile_COMMON><technique sid="t"><phong><diffuse>
<color>0 1 1 1</color>
</diffuse></phong></technique></profile_COMMON></effect></library_effects>
<library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>"""


def write_robot(folder: Path) -> Path:
    """Write the robot and its meshes, and return the path of its URDF file."""
    import trimesh

    folder.mkdir(parents=True, exist_ok=True)
    trimesh.creation.box([300, 300, 200]).export(folder / "block.stl")
    (folder / "column.obj").write_text(_obj([0.12, 0.12, 0.5]), encoding="utf-8")
    (folder / "head.dae").write_text(_dae([200.0, 200.0, 200.0]), encoding="utf-8")
    trimesh.creation.box([0.1, 0.06, 0.06]).export(folder / "nose.glb")
    path = folder / "shown.urdf"
    path.write_text(URDF, encoding="utf-8")
    return path


def verified(folder: Path) -> kc.Report:
    """Return the report of the robot in motion beside a wall that it does not touch."""
    robot = kc.read_robot(write_robot(folder))
    world = kc.World(threads=1)
    world.add_robot("shown", robot, kc.JointTrajectory(robot, [0.0, 2.0], [[0.0, 0.0], [0.8, 0.4]]))
    X_W = np.eye(4)
    X_W[:3, 3] = 0.0, 0.9, 0.4
    world.add("wall", kc.Box([0.8, 0.05, 0.8]), X_W)
    return world.verify(scene=True, curves=50, title="visuals")


def _corners(size: list[float]) -> list[tuple[float, float, float]]:
    x, y, z = (0.5 * s for s in size)
    return [(a * x, b * y, c * z) for c in (-1, 1) for b in (-1, 1) for a in (-1, 1)]


_QUADS = ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5))


def _obj(size: list[float]) -> str:
    """Return a box in which each half of the faces has its own material of a library that is not there."""
    lines = [
        "mtllib absent.mtl",
        "o column",
        *("v {} {} {}".format(*p) for p in _corners(size)),
        "usemtl steel",
    ]
    for k, quad in enumerate(_QUADS):
        lines += ["usemtl rubber"] * (k == 3) + ["f " + " ".join(str(i + 1) for i in quad)]
    return "\n".join(lines) + "\n"


def _dae(size: list[float]) -> str:
    """Return a box in millimetres, with a material of its own."""
    numbers = " ".join(f"{x:g}" for p in _corners(size) for x in p)
    faces = " ".join(str(i) for quad in _QUADS for i in quad)
    return f"""<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit meter="0.001" name="millimeter"/><up_axis>Z_UP</up_axis></asset>{_MATERIALS}
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="24">{numbers}</float_array><technique_common>
<accessor source="#pa" count="8" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<polylist count="6" material="m"><input semantic="VERTEX" source="#v" offset="0"/>
<vcount>4 4 4 4 4 4</vcount><p>{faces}</p></polylist>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><instance_geometry url="#g"/></node></visual_scene>
</library_visual_scenes><scene><instance_visual_scene url="#s"/></scene>
</COLLADA>
"""
