"""The texts of the corpus: cells, motions, robots and tracks, all made for these tests."""

from __future__ import annotations

import json

from tests.unit.jobs.moveit.scenes import SCENE, item, pose, transform

ARM = """<?xml version="1.0"?>
<robot name="arm">
  <link name="base"><collision><geometry><box size="0.2 0.2 0.1"/></geometry></collision></link>
  <link name="forearm">
    <collision><origin xyz="0.25 0 0"/><geometry><box size="0.5 0.05 0.05"/></geometry></collision>
  </link>
  <link name="hand">
    <collision><origin xyz="0.1 0 0"/><geometry><box size="0.2 0.04 0.04"/></geometry></collision>
  </link>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="forearm"/><origin xyz="0 0 0.1"/><axis xyz="0 0 1"/>
    <limit lower="-2" upper="2" velocity="2" effort="1"/>
  </joint>
  <joint name="reach" type="prismatic">
    <parent link="forearm"/><child link="hand"/><origin xyz="0.5 0 0"/><axis xyz="1 0 0"/>
    <limit lower="0" upper="0.3" velocity="1" effort="1"/>
  </joint>
</robot>
"""

ALL_KINDS = """<robot name="kinds" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <!-- every kind of joint and geometry -->
  <material name="grey"><color rgba="0.5 0.5 0.5 1"/></material>
  <link name="rail"><inertial><mass value="1"/></inertial></link>
  <link name="cart"><visual><geometry><sphere radius="1"/></geometry></visual>
    <collision name="first"><origin xyz="0 0 0.1" rpy="0 0 1.57"/><geometry><cylinder radius="0.1" length="0.2"/></geometry></collision>
    <collision><geometry><capsule radius="0.05" length="0.2"/></geometry></collision></link>
  <link name="left"><collision><geometry><sphere radius="0.05"/></geometry></collision></link>
  <link name="right"><collision><geometry><mesh filename="part.stl" scale="0.5 0.5 -0.5"/></geometry></collision></link>
  <link name="tool"><collision><geometry><mesh filename="package://beside/part.stl"/></geometry></collision></link>
  <joint name="slide" type="prismatic"><parent link="rail"/><child link="cart"/><axis xyz="1 0 0"/>
    <limit lower="0" upper="2.5" velocity="1" effort="5"/></joint>
  <joint name="grip" type="revolute"><origin xyz="0 0.3 0" rpy="0.1 0.2 0.3"/><parent link="cart"/><child link="left"/>
    <axis xyz="0 1 1"/><limit lower="-1" upper="1" velocity="1" effort="5"/></joint>
  <joint name="follow" type="continuous"><origin xyz="0 -0.6 0"/><parent link="cart"/><child link="right"/>
    <mimic joint="grip" multiplier="-1" offset="0.1"/></joint>
  <joint name="mount" type="fixed"><origin xyz="1 0 0"/><parent link="cart"/><child link="tool"/></joint>
  <gazebo reference="cart"><material>Gazebo/Grey</material></gazebo>
  <transmission name="t"><joint name="slide"/></transmission>
</robot>
"""

SRDF = """<?xml version="1.0"?>
<robot name="arm">
  <group name="all"><group name="turn"/><joint name="reach"/></group>
  <group name="turn"><joint name="shoulder"/></group>
  <group name="chain"><chain base_link="base" tip_link="hand"/></group>
  <group name="links"><link name="forearm"/></group>
  <group_state name="home" group="all"><joint name="shoulder" value="0.1"/><joint name="reach" value="0.05"/></group_state>
  <end_effector name="gripper" parent_link="hand" group="turn"/>
  <virtual_joint name="fixed_base" type="fixed" parent_frame="world" child_link="base"/>
  <passive_joint name="reach"/>
  <disable_default_collisions link="base"/>
  <enable_collisions link1="base" link2="hand"/>
  <disable_collisions link1="base" link2="forearm" reason="Adjacent"/>
  <disable_collisions link1="forearm" link2="hand" reason="Adjacent"/>
</robot>
"""

PICK = "time [s],shoulder [deg],reach [mm]\n0,-60,0\n1,0,100\n2,60,0\n"

PLAIN_CELL = """title: Pick beside a post
tolerance: 0.0005
objects:
  arm:   {robot: arm.urdf, motion: pick.csv}
  table: {box: [2, 2, 0.05], position: [0, 0, -0.08]}
  post:  {cylinder: {radius: 0.05, length: 0.6}, position: [0.8, 0, 0.2]}
allowed: [[arm/base, table]]
"""

PROGRAMS_CELL = """# every key of a cell
title: Two programs
tolerance: 1e-3
interval: [0, 2]
far: 0.2
objects:
  arm: &arm {robot: arm.urdf, srdf: arm.srdf, state: home, margin: 0.001, path_tolerance: {distance: 0.001, time: 0.01}}
  helper: {<<: *arm, position: [0, 3, 0], rpy_deg: [0, 0, 90], state: home}
  part: {mesh: part.stl, unit: mm, scale: 2.0, solid: true, position: [0.9, 0.5, 0.1], quat_xyzw: [0, 0, 0, 1]}
  ball: {sphere: 0.1, pose: [[1, 0, 0, 2], [0, 1, 0, 0], [0, 0, 1, 0]]}
  pin: {capsule: [0.02, 0.3], position: [2, 2, 0], rpy: [0.1, 0.2, 0.3]}
  gate: {parts: [{box: [0.1, 0.1, 1]}, {cylinder: [0.05, 0.3], position: [0, 0.5, 0]}], position: [-2, 0, 0]}
  cart: {box: [0.4, 0.3, 0.2], motion: {times: [0, 4], positions: [[3, -1, 0], [3, 1, 0]], interpolation: linear}}
allowed:
  - [arm/base, cart]
  - {pair: [arm/hand, part], from: 1.2, to: 1.5, reason: it holds the part, program: pick}
margins: [{pair: [arm, ball], margin: 0.005}, {pair: [cart, part], margin: 0.01, program: [pick, place]}]
only: [arm, [cart, part]]
attached: [{object: part, to: arm/hand, from: 1.2, until: 1.6, program: pick}]
programs:
  pick: {arm: pick.csv}
  place: {arm: {times: [0, 1], q: {shoulder: [0, 1], reach: [0, 0.1]}, hold: both}, cart: {file: cart.csv, unit: mm, start: 0.5}}
"""

CART = "time,x,y,z\n0,3000,-1000,0\n1,3000,0,0\n2,3000,1000,0\n"

MESSAGE = {
    "joint_names": ["shoulder", "reach"],
    "points": [
        {"positions": [0.0, 0.0], "velocities": [0.0, 0.0], "time_from_start": {"sec": 0, "nanosec": 0}},
        {
            "positions": [0.5, 0.1],
            "velocities": [0.0, 0.0],
            "time_from_start": {"sec": 1, "nanosec": 500000000},
        },
    ],
}
JOINTS = {"times": [0, 0.5, 1], "q": [[0, 0], [0.3, 0.1], [0.6, 0.2]], "joint_names": ["shoulder", "reach"]}
POSES = {"times": [0, 1], "positions": [[0, 0, 0], [1, 0, 0]], "rpy_deg": [[0, 0, 0], [0, 0, 90]]}
MATRICES = {"times": [0, 1], "poses": [[[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]] * 2}

TRACKS = "time,id,x,y,z\n" + "".join(
    f"{t},{i},{i * 2 + 0.1 * t},{0.5 * t},1\n" for t in (0, 0.5, 1) for i in (1, 2, 3)
)
FRAMES = "frame;agent_id;x_m;y_m\n" + "".join(
    f"{k};{i};{i * 2 + 0.1 * k};{0.5 * k}\n" for k in (0, 1, 2) for i in (4, 7)
)


def _motion_host(name: str, motion: str) -> str:
    """Return a cell of the arm, or of a box for files of poses, that moves by the file under test."""
    what = "robot: arm.urdf" if name.startswith("joints") else "box: [0.1, 0.1, 0.1]"
    return (
        f"objects:\n  mover: {{{what}, motion: {motion}}}\n  wall: {{box: [1, 1, 1], position: [9, 0, 0]}}\n"
    )


BESIDE = {
    "arm.urdf": ARM,
    "arm.srdf": SRDF,
    "pick.csv": PICK,
    "cart.csv": CART,
    "joints_csv.yaml": _motion_host("joints", "input.csv"),
    "joints_list.yaml": _motion_host("joints", "{file: input.txt, speed: 60}"),
    "joints_npz.yaml": _motion_host("joints", "input.npz"),
    "joints_json.yaml": _motion_host("joints", "input.json"),
    "joints_yaml.yaml": _motion_host("joints", "input.yml"),
    "poses_csv.yaml": _motion_host("poses", "input.csv"),
    "poses_npz.yaml": _motion_host("poses", "input.npz"),
    "poses_json.yaml": _motion_host("poses", "input.json"),
    "poses_yaml.yaml": _motion_host("poses", "input.yml"),
    "mesh_stl.yaml": "objects:\n  part: {mesh: input.stl, unit: m, motion: cart.csv}\n  wall: {box: [1, 1, 1]}\n",
    "urdf.yaml": "objects:\n  arm: {robot: input.urdf, position: [0, 0, 5]}\n"
    "  ball: {sphere: 0.1, motion: {times: [0, 1], positions: [[3, 0, 5], [2, 0, 5]]}}\n",
}

CUROBO = """robot_cfg:
  kinematics:
    urdf_path: arm.urdf
    collision_sphere_buffer: {base: 0.005}
    collision_spheres:
      base:
        - "center": [-0.05, 0.0, 0.0]
          "radius": 0.15
        - {center: [5e-2, 0, 0], radius: 0.15}
      hand: [{center: [0.1, 0, 0], radius: 0.12}]
      attached_object:
        - {center: [0, 0, 0], radius: -10.0}
"""
XRDF = """format: xrdf
format_version: 1.0
cspace: {joint_names: [shoulder], acceleration_limits: [10]}
collision:
  geometry: spheres
  buffer_distance: 0.001
geometry:
  spheres:
    spheres:
      base:
        - center: [0, 0, 0]
          radius: 0.2
      forearm:
        - {center: [0.1, 0, 0], radius: 0.15}
        - {center: [0.4, 0, 0], radius: 0.15}
"""
SPHERES_URDF = """<?xml version="1.0"?>
<robot name="arm">
  <link name="base">
    <visual><geometry><box size="0.2 0.2 0.1"/></geometry></visual>
    <collision><origin xyz="-0.05 0 0" rpy="0 0 0"/><geometry><sphere radius="0.15"/></geometry></collision>
    <collision><geometry><sphere radius="0.15"/></geometry><origin xyz="0.05 0 0"/></collision>
  </link>
  <link name="hand"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <joint name="j" type="fixed"><parent link="base"/><child link="hand"/></joint>
</robot>
"""
SPHERES_SRDF = """<robot name="arm">
  <group name="all"><joint name="shoulder"/></group>
  <link_sphere_approximation link="forearm">
    <sphere center="-0.2 0 0" radius="0.1"/>
    <sphere center="0.2 0 0" radius="1e-1"/>
    <sphere center="0 0 0" radius="0"/>
  </link_sphere_approximation>
</robot>
"""
SPHERES_JSON = json.dumps(
    {
        "format": "keepclear spheres",
        "version": 1,
        "robot": "arm",
        "links": {
            "base": {
                "centers": [[-0.05, 0.0, 0.0], [0.05, 0, 0]],
                "radii": [0.15, 0.15],
                "cover": 0.0,
                "excess": 0.08,
                "solid": True,
                "shapes": "0" * 64,
            }
        },
    },
    indent=1,
)

SCENE_WITH_BASE = {
    "scene": SCENE
    | {
        "robot_state": {
            "joint_state": {"name": ["shoulder", "reach"], "position": [0.1, 0.05]},
            "multi_dof_joint_state": {
                "header": {"frame_id": "map"},
                "joint_names": ["virtual"],
                "transforms": [transform(1.0, 0.0, 0.0)],
            },
        },
        "fixed_frame_transforms": [
            {"header": {"frame_id": "map"}, "child_frame_id": "map", "transform": transform(0.0, 0.0, 0.0)},
            {"header": {"frame_id": "cam"}, "child_frame_id": "map", "transform": transform(0.0, 0.0, 3.0)},
        ],
        "world": {"collision_objects": [item("ball", 2, [0.1], pose(0.0, 3.0, 0.0), "cam")]},
    }
}
DISPLAY = {
    "model_id": "arm",
    "trajectory": [
        {
            "joint_trajectory": {
                "joint_names": ["shoulder"],
                "points": [
                    {"positions": [0.1 * k], "time_from_start": {"sec": k, "nanosec": 0}} for k in (0, 1)
                ],
            }
        }
    ],
    "trajectory_start": {"joint_state": {"name": ["shoulder", "reach"], "position": [0.0, 0.1]}},
}
SCENE_TEXT = """noname
* table
0 0 -0.1
0 0 0 1
2
box
2 2 0.1
0 0 0
0 0 0 1
0 0 0 0
cone
0.1 0.3
0 0 1
0 0 0 1
1 0 0 1
1
edge
0 0 1
0 0 0 1
.
"""

FILES = {
    "scene_json/scene.json": json.dumps(SCENE),
    "scene_json/base.json": json.dumps(SCENE_WITH_BASE),
    "scene_yaml/scene.yaml": json.dumps(SCENE, indent=1) + "\n---\n",
    "scene_yaml/world.yaml": "collision_objects:\n- header: {frame_id: base}\n  id: ball\n"
    "  primitives:\n  - type: 2\n    dimensions: [0.1]\n  primitive_poses: []\n",
    "scene_text/new.scene": SCENE_TEXT,
    "scene_text/old.scene": "old\n* ball\n1\nsphere\n0.1\n2 0 0\n0 0 0 1\n0 0 0 0\n.\n",
    "joints_yaml/states.yml": "".join(
        f"header: {{stamp: {{sec: {k}, nanosec: 5}}}}\nname: [shoulder, reach]\nposition: [0.{k}, 0.1]\n---\n"
        for k in (1, 2)
    ),
    "joints_json/display.json": json.dumps(DISPLAY),
    "cell/tool.yaml": "notes: [a tool]\nobjects:\n  arm: {robot: arm.urdf, motion: pick.csv}\n"
    "  grip: {box: [0.1, 0.1, 0.1], tool: {of: arm, link: hand, position: [0.25, 0, 0], rpy_deg: [0, 0, 90]}}\n"
    "  part: {sphere: 0.05}\nattached: [{object: part, to: arm/hand, from: 1, position: [0.35, 0, 0]}]\n",
    "cell/plain.yaml": PLAIN_CELL,
    "cell/programs.yaml": PROGRAMS_CELL,
    "cell/small.yaml": "objects:\n  a: {sphere: 0.1}\n"
    "  b: {sphere: {radius: 0.2}, motion: {times: [0, 1], positions: [[2, 0, 0], [1, 0, 0]]}}\n",
    "urdf/arm.urdf": ARM,
    "urdf/kinds.urdf": ALL_KINDS,
    "srdf/arm.srdf": SRDF,
    "spheres_curobo/arm.yml": CUROBO,
    "spheres_xrdf/arm.xrdf": XRDF,
    "spheres_urdf/arm.urdf": SPHERES_URDF,
    "spheres_srdf/arm.srdf": SPHERES_SRDF,
    "spheres_json/arm.json": SPHERES_JSON,
    "joints_csv/units.csv": PICK,
    "joints_csv/semicolons.csv": "# made for tests\ntime;shoulder;reach;shoulder_vel;reach_vel\n0;0,5;0;0;0\n1;1,0;0,1;0;0\n",
    "joints_csv/quotes.csv": '"time","reach","shoulder"\n0,0.1,0.2\n0.25,1e-1,2E-1\n',
    "joints_list/rows.txt": "-60, 0\n0, 0.1\n60, 0\n",
    "joints_list/spaces.txt": "# a list of joint values\n-60 0\n0 0.1\n60 0\n",
    "joints_json/message.json": json.dumps({"joint_trajectory": MESSAGE}),
    "joints_json/plain.json": json.dumps(JOINTS),
    "joints_json/names.json": json.dumps({"times": [0, 1], "q_deg": {"shoulder": [0, 10], "reach": [0, 0.1]}}),
    "joints_yaml/message.yml": "joint_names: [shoulder, reach]\npoints:\n"
    "- {positions: [0.0, 0.0], time_from_start: {secs: 0, nsecs: 0}}\n"
    "- positions: [0.5, 0.1]\n  time_from_start: 1.5\n---\n",
    "joints_yaml/plain.yml": "times: [0, 1]\nq: &q\n- [0, 0]\n- [1, 0.1]\nqd: *q\n",
    "poses_csv/positions.csv": CART,
    "poses_csv/quaternions.csv": "time,x,y,z,qx,qy,qz,qw\n0,0,0,0,0,0,0,1\n1,1,0,0,0,0,0.7071068,0.7071068\n",
    "poses_csv/angles.csv": "t [ms]\tx\ty\tz\troll [deg]\tpitch\tyaw\n0\t0\t0\t0\t0\t0\t0\n500\t1\t0\t0\t90\t0\t0\n",
    "poses_csv/matrices.csv": "time," + ",".join(f"m{i}{j}" for i in range(3) for j in range(4)) + "\n"
    "0,1,0,0,0,0,1,0,0,0,0,1,0\n1,1,0,0,5,0,1,0,0,0,0,1,0\n",
    "poses_json/angles.json": json.dumps(POSES),
    "poses_json/matrices.json": json.dumps(MATRICES),
    "poses_yaml/angles.yml": "times: [0, 1]\npositions:\n- [0, 0, 0]\n- [1, 0, 0]\nquat_wxyz: [[1, 0, 0, 0], [1, 0, 0, 0]]\n",
    "tracks/spheres.csv": TRACKS,
    "tracks_frames/discs.csv": FRAMES,
}  # fmt: skip
