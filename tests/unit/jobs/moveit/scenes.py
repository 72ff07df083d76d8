"""A planning scene around the small arm, in the forms in which MoveIt writes it."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.unit.jobs.cell.cells import ARM

import keepclear as kc
from keepclear.jobs.cell.template import write_template

PICK = "time,shoulder,reach\n0,-1,0.05\n2,1,0.05\n"


def point(x: float, y: float, z: float) -> dict[str, float]:
    return {"x": x, "y": y, "z": z}


def pose(x: float = 0.0, y: float = 0.0, z: float = 0.0, *xyzw: float) -> dict[str, Any]:
    qx, qy, qz, qw = xyzw or (0.0, 0.0, 0.0, 1.0)
    return {"position": point(x, y, z), "orientation": {"x": qx, "y": qy, "z": qz, "w": qw}}


def transform(x: float, y: float, z: float) -> dict[str, Any]:
    return {"translation": point(x, y, z), "rotation": {"x": 0.0, "y": 0.0, "z": 0.0, "w": 1.0}}


def item(name: str, kind: int, sizes: list[float], at: dict[str, Any], frame: str = "base") -> dict[str, Any]:
    return {
        "header": {"stamp": {"sec": 0, "nanosec": 0}, "frame_id": frame}, "pose": at, "id": name,
        "type": {"key": "", "db": ""}, "operation": 0, "primitives": [{"type": kind, "dimensions": sizes}],
        "primitive_poses": [pose()], "meshes": [], "mesh_poses": [], "planes": [], "plane_poses": [],
    }  # fmt: skip


TETRA = {
    "vertices": [point(0, 0, 0), point(0.1, 0, 0), point(0, 0.1, 0), point(0, 0, 0.1)],
    "triangles": [{"vertex_indices": face} for face in ([0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3])],
}
SCENE: dict[str, Any] = {
    "name": "noname",
    "robot_model_name": "arm",
    "robot_state": {
        "joint_state": {
            "header": {"frame_id": "base"}, "name": ["shoulder", "reach"], "position": [-1.0, 0.05], "velocity": [],
        },
        "multi_dof_joint_state": {"header": {"frame_id": "base"}, "joint_names": [], "transforms": []},
        "attached_collision_objects": [{
            "link_name": "hand", "object": item("part", 3, [0.1, 0.04], pose(0.25, 0, 0), "hand"),
            "touch_links": ["forearm"], "weight": 0.0,
        }],
        "is_diff": False,
    },
    "fixed_frame_transforms": [
        {"header": {"frame_id": "base"}, "child_frame_id": "base", "transform": transform(0, 0, 0)},
    ],
    "allowed_collision_matrix": {
        "entry_names": ["base", "forearm", "hand", "table"],
        "entry_values": [
            {"enabled": [False, True, False, True]}, {"enabled": [True, False, True, False]},
            {"enabled": [False, True, False, False]}, {"enabled": [True, False, False, False]},
        ],
        "default_entry_names": ["lamp"], "default_entry_values": [True],
    },
    "link_padding": [{"link_name": "base", "padding": 0.0}, {"link_name": "hand", "padding": 0.01}],
    "link_scale": [{"link_name": "hand", "scale": 1.0}],
    "object_colors": [{"id": "table", "color": {"r": 1.0}}],
    "world": {
        "collision_objects": [
            item("table", 1, [2.0, 2.0, 0.05], pose(0, 0, -0.08)), item("ball", 2, [0.1], pose(0, 1.5, 0)),
            item("lamp", 4, [0.2, 0.05], pose(0.9, 0, 0.1)),
            {"header": {"frame_id": "/base"}, "id": "wedge", "meshes": [TETRA], "mesh_poses": [pose(0, 0, 1)],
             "subframe_names": ["tip"], "subframe_poses": [pose()]},
        ],
        "octomap": {"header": {"frame_id": ""}, "origin": pose(), "octomap": {"data": []}},
    },
    "is_diff": False,
}  # fmt: skip


def changed(*path: Any, scene: dict[str, Any] = SCENE) -> dict[str, Any]:
    """Return the scene with another value at a path of keys; a function of the value there gives the new one."""
    found = copy.deepcopy(scene)
    *steps, key, value = path
    inner: Any = found
    for step in steps:
        inner = inner[step]
    inner[key] = value(inner[key]) if isinstance(value, Callable) else value  # type: ignore[arg-type]
    return found


def written(folder: Path, scene: object, name: str = "scene.json", motion: str | None = PICK) -> str:
    """Write the arm, its program and a scene, and the cell of them; return its text."""
    (folder / "arm.urdf").write_text(ARM)
    if motion is not None:
        (folder / "pick.csv").write_text(motion)
    (folder / name).write_text(scene if isinstance(scene, str) else json.dumps(scene))
    program = None if motion is None else folder / "pick.csv"
    return write_template(
        folder / "arm.urdf", program, folder / "cell.yaml", scene=folder / name, overwrite=True
    )


def cell_of(folder: Path, scene: object, name: str = "scene.json", motion: str | None = PICK) -> kc.Cell:
    """Return the cell of a scene, read from its file."""
    written(folder, scene, name, motion)
    return kc.read_cell(folder / "cell.yaml")
