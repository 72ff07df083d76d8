"""Labelled paths of a Panda arm as MoveIt would have written them: a planning scene and a DisplayTrajectory in YAML."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
import yaml
from tests.oracles.robot_panda import ABSENT, PANDA

import keepclear as kc
from keepclear.jobs.cell.template import write_template

pytestmark = pytest.mark.skipif(not PANDA.is_dir(), reason=ABSENT)
ROOT = "panda_link0"
EVERY = 6  # all 74 paths agree; these take seconds


@cache
def told(name: str) -> Any:
    return json.loads((PANDA / f"{name}.json").read_text(encoding="utf-8"))


def pose_of(X: np.ndarray) -> dict[str, Any]:
    """Return a pose message; the quaternion is the eigenvector of Bar-Itzhack's matrix with the largest value."""
    (a, b, c), (d, e, f), (g, h, i) = X[:3, :3]
    K = [[a - e - i, b + d, c + g, h - f], [b + d, e - a - i, f + h, c - g],
         [c + g, f + h, i - a - e, d - b], [h - f, c - g, d - b, a + e + i]]  # fmt: skip
    x, y, z, w = np.linalg.eigh(np.array(K) / 3.0)[1][:, -1].tolist()
    return {
        "position": dict(zip("xyz", X[:3, 3].tolist(), strict=True)),
        "orientation": {"x": x, "y": y, "z": z, "w": w},
    }


def scene_of(problem: dict[str, Any]) -> dict[str, Any]:
    """Return a full scene with all fields that MoveIt writes, allowed pairs as in the SRDF file."""
    here = pose_of(np.eye(4))
    srdf, urdf = (ElementTree.parse(PANDA / f"panda.{kind}").getroot() for kind in ("srdf", "urdf"))
    links = sorted(str(link.get("name")) for link in urdf.findall("link"))
    off = {frozenset((one.get("link1"), one.get("link2"))) for one in srdf.findall("disable_collisions")}
    objects = [
        {
            "header": {"stamp": {"sec": 0, "nanosec": 0}, "frame_id": ROOT},
            "pose": pose_of(np.array(one["pose"])), "id": one["id"], "type": {"key": "", "db": ""},
            "primitives": [{
                "type": {"box": 1, "cylinder": 3}[one["type"]], "dimensions": one["dimensions"],
                "polygon": {"points": []},
            }],
            "primitive_poses": [here], "meshes": [], "mesh_poses": [], "planes": [], "plane_poses": [],
            "subframe_names": [], "subframe_poses": [], "operation": "\x00",
        }
        for one in problem["objects"]
    ]  # fmt: skip
    state = {
        "header": {"stamp": {"sec": 0, "nanosec": 0}, "frame_id": ROOT}, "name": [*problem["start"]],
        "position": [float(value) for value in problem["start"].values()], "velocity": [], "effort": [],
    }  # fmt: skip
    octomap = {"header": {"frame_id": ""}, "binary": False, "id": "", "resolution": 0.0, "data": []}
    return {
        "name": "(noname)",
        "robot_state": {
            "joint_state": state,
            "multi_dof_joint_state": {"header": {"frame_id": ROOT}, "joint_names": [], "transforms": [], "twist": [],
                                      "wrench": []},
            "attached_collision_objects": [], "is_diff": False,
        },
        "robot_model_name": "panda",
        "fixed_frame_transforms": [{
            "header": {"frame_id": ROOT}, "child_frame_id": ROOT,
            "transform": {"translation": here["position"], "rotation": here["orientation"]},
        }],
        "allowed_collision_matrix": {
            "entry_names": links,
            "entry_values": [{"enabled": [frozenset((a, b)) in off for b in links]} for a in links],
            "default_entry_names": [], "default_entry_values": [],
        },
        "link_padding": [{"link_name": link, "padding": 0.0} for link in links],
        "link_scale": [{"link_name": link, "scale": 1.0} for link in links],
        "object_colors": [],
        "world": {
            "collision_objects": objects,
            "octomap": {"header": {"frame_id": ""}, "origin": here, "octomap": octomap},
        },
        "is_diff": False,
    }  # fmt: skip


def display_of(path: dict[str, Any], problem: dict[str, Any]) -> dict[str, Any]:
    """Return the path with a second for each of its segments."""
    points = [
        {"positions": row, "velocities": [], "accelerations": [], "time_from_start": {"sec": k, "nanosec": 0}}
        for k, row in enumerate(path["waypoints"])
    ]
    trajectory = {
        "header": {"frame_id": ROOT},
        "joint_names": told("trajectories")["joints"],
        "points": points,
    }
    start = {"name": [*problem["start"]], "position": [float(value) for value in problem["start"].values()]}
    return {
        "model_id": "panda",
        "trajectory": [
            {"joint_trajectory": trajectory, "multi_dof_joint_trajectory": {"joint_names": [], "points": []}}
        ],
        "trajectory_start": {"joint_state": start, "attached_collision_objects": [], "is_diff": False},
    }


@pytest.mark.parametrize("k", range(0, 74, EVERY))
def test_a_path_has_the_verdict_of_its_label(tmp_path: Path, k: int) -> None:
    path = told("trajectories")["trajectories"][k]
    key = path["problem"], path["index"]
    (problem,) = [one for one in told("problems")["problems"] if (one["problem"], one["index"]) == key]
    (tmp_path / "scene.yaml").write_text(yaml.safe_dump(scene_of(problem)) + "---\n")
    (tmp_path / "trajectory.yaml").write_text(yaml.safe_dump(display_of(path, problem)) + "---\n")
    write_template(
        PANDA / "panda.urdf",
        tmp_path / "trajectory.yaml",
        tmp_path / "cell.yaml",
        scene=tmp_path / "scene.yaml",
    )
    report = kc.verify(tmp_path / "cell.yaml")
    assert report.verdict is (kc.Verdict.COLLIDING if path["label"] == "hit" else kc.Verdict.CLEAR)
    if path["label"] == "hit":
        assert report.first.time <= path["hit_segment"] + path["hit_t"] + 1e-6
