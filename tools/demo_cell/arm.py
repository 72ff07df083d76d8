"""The arm of the demo cell: six joints and a gripper, designed for this package."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import shapely
import trimesh
from tools.demo_cell.solids import FloatArray, cut, joined, milled, moved, turned, write_ply

# Joints: name, kind, parent, child, place of the child's frame in the parent's [m], axis, limits, speed.
JOINTS = (
    ("joint_1", "revolute", "base", "turret", (0.0, 0.0, 0.18), "0 0 1", (-2.9, 2.9), 4.0),
    ("joint_2", "revolute", "turret", "upper_arm", (0.0, 0.0, 0.20), "0 1 0", (-1.9, 2.3), 4.0),
    ("joint_3", "revolute", "upper_arm", "forearm", (0.0, 0.0, 0.40), "0 1 0", (-3.3, 1.2), 4.0),
    ("joint_4", "revolute", "forearm", "yoke", (0.24, 0.0, 0.0), "1 0 0", (-3.1, 3.1), 6.0),
    ("joint_5", "revolute", "yoke", "wrist", (0.14, 0.0, 0.0), "0 1 0", (-2.1, 2.1), 6.0),
    ("joint_6", "revolute", "wrist", "flange", (0.075, 0.0, 0.0), "1 0 0", (-6.2, 6.2), 8.0),
    ("gripper_mount", "fixed", "flange", "gripper", (0.02, 0.0, 0.0), "1 0 0", None, 0.0),
    ("grip", "prismatic", "gripper", "finger_left", (0.055, 0.0, 0.0), "0 1 0", (0.0, 0.024), 0.1),
    ("grip_mirrored", "prismatic", "gripper", "finger_right", (0.055, 0.0, 0.0), "0 -1 0", (0.0, 0.024), 0.1),
)
TOOL = 0.075 + 0.02 + 0.135  # from the centre of the wrist to the middle of the finger tips [m]

# Pairs that the file of the robot disables: those that touch by design, and those that joint limits keep apart.
DISABLED = (
    ("base", "turret", "Adjacent"),
    ("turret", "upper_arm", "Adjacent"),
    ("upper_arm", "forearm", "Adjacent"),
    ("forearm", "yoke", "Adjacent"),
    ("yoke", "wrist", "Adjacent"),
    ("wrist", "flange", "Adjacent"),
    ("flange", "gripper", "Adjacent"),
    ("gripper", "finger_left", "Adjacent"),
    ("gripper", "finger_right", "Adjacent"),
    ("yoke", "flange", "Never"),
    ("wrist", "gripper", "Never"),
    ("flange", "finger_left", "Never"),
    ("flange", "finger_right", "Never"),
)
HOME = {"joint_2": 0.102, "joint_3": 0.718, "joint_5": 0.751}  # the tool points down [rad]


def rounded(lower: tuple[float, float], upper: tuple[float, float], radius: float) -> shapely.Polygon:
    """Return a rectangle with round corners [m]."""
    return shapely.box(*lower, *upper).buffer(-radius).buffer(radius, quad_segs=3)


def solids() -> dict[str, trimesh.Trimesh]:
    """Return the solid of each link, in its own frame [m]."""
    return {
        "base": _base(),
        "turret": _turret(),
        "upper_arm": _upper_arm(),
        "forearm": _forearm(),
        "yoke": _yoke(),
        "wrist": _wrist(),
        "flange": turned([(0.032, 0.0), (0.034, 0.004), (0.034, 0.014), (0.028, 0.02)], "x", 24),
        "gripper": _gripper(),
        "finger_left": _finger(1.0),
        "finger_right": _finger(-1.0),
    }


def _base() -> trimesh.Trimesh:
    column = turned(
        [(0.125, 0.0), (0.125, 0.014), (0.119, 0.02), (0.1, 0.026), (0.088, 0.05), (0.084, 0.15), (0.092, 0.16),
         (0.092, 0.178)]
    )  # fmt: skip
    socket = moved(milled(rounded((-0.045, 0.035), (0.045, 0.115), 0.012), 0.08, "x", 0.004), -0.09, 0.0, 0.0)
    return joined(column, socket)


def _turret() -> trimesh.Trimesh:
    skirt = turned([(0.096, 0.0), (0.1, 0.006), (0.1, 0.04), (0.088, 0.062), (0.07, 0.075)])
    cheek = shapely.union_all(
        [shapely.Point(0.2, 0.0).buffer(0.068, quad_segs=6), shapely.box(0.03, -0.068, 0.2, 0.068)]
    )
    cheeks = [moved(milled(cheek, 0.03, "y", 0.005), 0.0, side * 0.071, 0.0) for side in (-1, 1)]
    caps = [
        moved(turned([(0.05, -0.01), (0.05, 0.006), (0.044, 0.012)], "y", 20), 0.0, 0.092, 0.2),
        moved(turned([(0.044, -0.012), (0.05, -0.006), (0.05, 0.01)], "y", 20), 0.0, -0.092, 0.2),
    ]
    return joined(skirt, *cheeks, *caps)


def _upper_arm() -> trimesh.Trimesh:
    waist = shapely.Polygon([(0.0, -0.06), (0.40, -0.05), (0.40, 0.05), (0.0, 0.06)])
    outline = shapely.union_all(
        [
            shapely.Point(0, 0).buffer(0.07, quad_segs=6),
            shapely.Point(0.40, 0).buffer(0.058, quad_segs=6),
            waist,
        ]
    )
    hollow = [shapely.Point(0.20, side * 0.115).buffer(0.075, quad_segs=8) for side in (-1, 1)]
    body = milled(outline.difference(shapely.union_all(hollow)), 0.1, "y", 0.008)
    slot = rounded((0.1, -0.016), (0.3, 0.016), 0.0155)
    return cut(body, milled(slot, 0.2, "y"))


def _forearm() -> trimesh.Trimesh:
    outline = shapely.Polygon(
        [(-0.03, 0.055), (-0.045, 0.065), (-0.045, 0.075), (-0.03, 0.084), (0.09, 0.084), (0.18, 0.056),
         (0.238, 0.056), (0.238, -0.056), (0.18, -0.056), (0.09, -0.084), (-0.03, -0.084), (-0.045, -0.075),
         (-0.045, -0.065), (-0.03, -0.055), (0.075, -0.055), (0.088, -0.04), (0.088, 0.04), (0.075, 0.055)]
    )  # fmt: skip
    collar = turned([(0.048, 0.18), (0.052, 0.185), (0.052, 0.238)], "x", 24)
    return joined(milled(outline, 0.09, "z", 0.008), collar)


def _yoke() -> trimesh.Trimesh:
    tube = turned([(0.044, 0.002), (0.047, 0.006), (0.047, 0.05), (0.04, 0.075)], "x", 24)
    outline = shapely.Polygon(
        [(0.03, 0.04), (0.07, 0.053), (0.16, 0.053), (0.172, 0.047), (0.172, 0.039), (0.085, 0.039), (0.076, 0.03),
         (0.076, -0.03), (0.085, -0.039), (0.172, -0.039), (0.172, -0.047), (0.16, -0.053), (0.07, -0.053),
         (0.03, -0.04)]
    )  # fmt: skip
    return joined(tube, milled(outline, 0.056, "z", 0.005))


def _wrist() -> trimesh.Trimesh:
    hub = turned([(0.036, -0.037), (0.038, -0.034), (0.038, 0.034), (0.036, 0.037)], "y", 24)
    nose = turned([(0.028, 0.0), (0.03, 0.05), (0.034, 0.055), (0.034, 0.073)], "x", 24)
    return joined(hub, nose)


def _gripper() -> trimesh.Trimesh:
    """Return the palm; the small screws on its sides stand out 6 mm."""
    palm = milled(rounded((0.0, -0.055), (0.052, 0.055), 0.008), 0.05, "z", 0.003)
    screw = [(0.0055, -0.004), (0.0055, 0.003), (0.0015, 0.006)]
    left = moved(turned(screw, "y", 12), 0.026, 0.055, 0.0)
    right = moved(turned([(r, -h) for r, h in reversed(screw)], "y", 12), 0.026, -0.055, 0.0)
    return joined(palm, left, right)


def _finger(side: float) -> trimesh.Trimesh:
    """Return a finger whose grip is on the plane y = 0 of its frame: at q it is q away from the other's mirror."""
    points = [(0.002, 0.004), (0.022, 0.006), (0.062, 0.006), (0.068, 0.0), (0.098, 0.0), (0.098, 0.01), (0.07, 0.02),
              (0.002, 0.024)]  # fmt: skip
    finger = milled(shapely.Polygon([(x, side * y) for x, y in points]), 0.03, "z", 0.002)
    groove = turned([(0.015, -0.03), (0.015, 0.03)], "z", 32)
    return cut(finger, moved(groove, 0.08, -side * 0.0115, 0.0))


def link_poses(q: FloatArray) -> dict[str, FloatArray]:
    """Return the pose of each link at one configuration (joint_1 to joint_6, grip), (4, 4) in the frame of the base."""
    columns = dict(
        zip(("joint_1", "joint_2", "joint_3", "joint_4", "joint_5", "joint_6", "grip"), q, strict=True)
    )
    columns["grip_mirrored"] = columns["grip"]
    poses = {"base": np.eye(4)}
    for name, kind, parent, child, place, axis, _, _ in JOINTS:
        X = np.eye(4)
        X[:3, 3] = place
        direction = np.array([float(word) for word in axis.split()])
        if kind == "prismatic":
            X[:3, 3] += columns[name] * direction
        elif kind == "revolute":
            X[:3, :3] = _turn(direction, float(columns[name]))
        poses[child] = poses[parent] @ X
    return poses


def _turn(axis: FloatArray, angle: float) -> FloatArray:
    K = np.cross(axis, np.eye(3)).T
    turn: FloatArray = np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * K @ K
    return turn


def write(folder: Path) -> None:
    """Write the meshes, the URDF and the SRDF."""
    (folder / "meshes").mkdir(parents=True, exist_ok=True)
    for link, solid in solids().items():
        write_ply(solid, folder / "meshes" / f"{link}.ply")
    (folder / "arm.urdf").write_text(_urdf())
    (folder / "arm.srdf").write_text(_srdf())


def _urdf() -> str:
    lines = [
        '<?xml version="1.0"?>',
        "<!-- An arm of our own design, about a metre of reach. -->",
        '<robot name="arm">',
    ]
    for link in solids():
        mesh = f'<geometry><mesh filename="meshes/{link}.ply"/></geometry>'
        lines += [
            f'  <link name="{link}">',
            f"    <visual>{mesh}</visual>",
            f"    <collision>{mesh}</collision>",
        ]
        lines.append("  </link>")
    for name, kind, parent, child, place, axis, limits, speed in JOINTS:
        origin = " ".join(f"{value:g}" for value in place)
        lines += [
            f'  <joint name="{name}" type="{kind}">',
            f'    <parent link="{parent}"/><child link="{child}"/><origin xyz="{origin}"/>',
        ]
        if limits is not None:
            bounds = f'lower="{limits[0]:g}" upper="{limits[1]:g}" velocity="{speed:g}" effort="100"'
            lines.append(f'    <axis xyz="{axis}"/><limit {bounds}/>')
        if name == "grip_mirrored":
            lines.append('    <mimic joint="grip"/>')
        lines.append("  </joint>")
    return "\n".join([*lines, "</robot>", ""])


def _srdf() -> str:
    lines = ['<?xml version="1.0"?>', '<robot name="arm">', '  <group name="arm">']
    lines += [f'    <joint name="joint_{k}"/>' for k in range(1, 7)]
    lines += ["  </group>", '  <group name="gripper">', '    <joint name="grip"/>', "  </group>"]
    lines.append('  <group_state name="home" group="arm">')
    lines += [f'    <joint name="joint_{k}" value="{HOME.get(f"joint_{k}", 0.0):g}"/>' for k in range(1, 7)]
    lines.append("  </group_state>")
    lines += [f'  <disable_collisions link1="{a}" link2="{b}" reason="{why}"/>' for a, b, why in DISABLED]
    return "\n".join([*lines, "</robot>", ""])
