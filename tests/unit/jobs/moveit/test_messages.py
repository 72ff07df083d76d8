"""Messages with errors, and with content that a cell cannot have: each is refused by the name of its field."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.unit.jobs.moveit.scenes import SCENE, changed, item, pose, transform, written

from keepclear.errors import CellError, FileMissingError
from keepclear.jobs.moveit.reader import read_planning_scene

FIRST = ("world", "collision_objects", 0)
HELD = ("robot_state", "attached_collision_objects", 0)
STATE = ("robot_state", "joint_state")
BASE = ("robot_state", "multi_dof_joint_state")
MATRIX = "allowed_collision_matrix"
MESH = ("world", "collision_objects", 3, "meshes", 0)
FRAME = {"header": {"frame_id": "base"}, "child_frame_id": "cam", "transform": transform(0, 3, 0)}
AT = "world.collision_objects[0]"


def without(*path: Any) -> dict[str, Any]:
    """Return the scene without a field."""
    return changed(*path[:-1], lambda fields: {key: fields[key] for key in fields if key != path[-1]})


@pytest.mark.parametrize(
    ("scene", "expected"),
    [
        # what a cell cannot have
        (changed("is_diff", True), "is_diff: this is a change of another scene"),
        (changed("robot_state", "is_diff", True), "robot_state.is_diff: this is a change of another scene"),
        (changed("link_scale", 0, "scale", 1.1), "link_scale[0].scale: link 'hand' is scaled by 1.1"),
        (changed("world", "octomap", "octomap", "data", [1]), "world.octomap: an octomap is not read"),
        (changed("world", "octomap", "octomap", "data", "AQ=="), "world.octomap: an octomap is not read"),
        (changed("world", "octomap", [1]), "world.octomap: expected fields and values, but it is [1]"),
        (changed(*FIRST, "planes", [{"coef": [0, 0, 1, 0]}]), f"{AT}.planes: 'table' has an infinite plane"),
        (changed(*FIRST, "plane_poses", [pose()]), f"{AT}.plane_poses: 'table' has an infinite plane"),
        (changed(*FIRST, "primitives", 0, "type", 5), f"{AT}.primitives[0].type: expected 1 (box), 2 (sphere)"),
        (changed(*FIRST, "primitives", 0, "type", "box"), f"{AT}.primitives[0].type: expected 1 (box)"),
        (without(*FIRST, "primitives", 0, "type"), f"{AT}.primitives[0].type: expected 1 (box), 2 (sphere), 3 (cylin"),
        (changed(*FIRST, "operation", 1), f"{AT}.operation: it is 1, and objects must be added (0)"),
        (changed(*FIRST, "operation", "\x03"), f"{AT}.operation: it is '\\x03', and objects must be added"),
        (changed(*FIRST, "operation", True), f"{AT}.operation: it is True, and objects must be added"),
        (changed(*BASE, "joint_names", ["a", "b"]), "multi_dof_joint_state: it has 2 joint_names and 0 transforms"),
        (changed(*BASE, "joint_names", ["a"]), "multi_dof_joint_state: it has 1 joint_names and 0 transforms"),
        # names
        (changed(*FIRST, "id", ""), f"{AT}.id: it is missing or empty"),
        (without(*FIRST, "id"), f"{AT}.id: it is missing or empty"),
        (changed(*FIRST, "id", "part"), f"{AT}.id: there are two objects 'part'"),
        (changed(*FIRST, "header", "frame_id", "bas"), "object 'table': its frame 'bas' is not a link, nor in"),
        (changed(*FIRST, "header", "frame_id", ""), f"{AT}.header.frame_id: it is missing or empty"),
        (without(*FIRST, "header"), f"{AT}.header.frame_id: it is missing or empty"),
        (changed(*FIRST, "header", "base"), f"{AT}.header: expected fields and values, but it is 'base'"),
        (changed(*FIRST, lambda one: one | {"primitve": []}),
         f"{AT}.primitve: this field is unknown; did you mean 'primitives'?"),
        (changed(*FIRST, "pose", "position", {"X": 1.0, "y": 0, "z": 0}), "pose.position.X: this field is unknown"),
        (changed("link_padding", 1, "link_name", "hnd"), "link_padding: the robot has no link 'hnd'; did you mean"),
        (changed(*HELD, "link_name", "hnd"), "object 'part': the robot has no link 'hnd'; did you mean 'hand'?"),
        (without(*HELD, "link_name"), "attached_collision_objects[0].link_name: it is missing or empty"),
        (changed(*HELD, "touch_links", ["x"]), "touch_links of 'part': the robot has no link 'x'"),
        (changed(*STATE, "name", ["shoulder", "rech"]), "robot arm has no joint 'rech'; did you mean 'reach'?"),
        (changed(*STATE, "name", ["reach", "reach"]), "joint_state.position[1]: joint 'reach' has two values"),
        # numbers
        (changed(*STATE, "position", [1]), "robot_state.joint_state: it has 2 names and 1 positions"),
        (changed(*STATE, "position", [1, 1e300]), "joint_state.position[1]: 1e+300 is beyond 1e+09; lengths are"),
        (changed(*STATE, "position", [1, "nan"]), "joint_state.position[1]: expected a number, but it is 'nan'"),
        (changed(*STATE, "position", [1, float("nan")]), "joint_state.position[1]: expected a number, but it is nan"),
        (changed(*FIRST, "primitives", 0, "dimensions", [1, 2]), "dimensions: a box has x, y, z, but there are 2"),
        (changed(*FIRST, "primitives", 0, "dimensions", [1, 2, "..."]),
         "dimensions[2]: expected a number, but it is '...'; echo the message with --full-length"),
        (changed(*FIRST, "primitives", 0, "dimensions", "<sequence>"), "dimensions: expected a list, but it is '<seq"),
        (changed(*FIRST, "primitives", 0, "dimensions", [1, 2, 0]), "dimensions: Box: size[2] must be finite and > 0"),
        (changed(*FIRST, "primitives", 0, "dimensions", [1, 2, 1e-12]), "dimensions: Box: size[2] must lie between"),
        (changed(*FIRST, "primitives", 0, "dimensions", [1, 2, 1e12]), "dimensions[2]: 1e+12 is beyond 1e+09"),
        (changed(*FIRST, "primitives", 0, "dimensions", [1, 2, 10**400]), "dimensions[2]: expected a number"),
        (changed(*FIRST, "primitives", 0, "dimensions", [1, 2, True]), "dimensions[2]: expected a number, but it is T"),
        (changed(*FIRST, "pose", "position", "x", 1e300), "pose.position.x: 1e+300 is beyond 1e+09"),
        (without(*FIRST, "pose", "position", "x"), "pose.position.x: expected a number, but it is missing"),
        (changed(*FIRST, "pose", "orientation", "w", 2.0), "pose.orientation: the quaternion (0, 0, 0, 2) has"),
        (changed(*FIRST, "pose", "orientation", {"z": 1.0}), "pose.orientation.x: expected a number, but"),
        (changed(*FIRST, "primitive_poses", [pose(), pose()]), "primitive_poses: it has 2 poses for 1 primitives"),
        (changed(*FIRST, "primitives", []), "primitive_poses: it has 1 poses for 0 primitives"),
        (changed(*FIRST, "primitives", None), "primitives: expected a list, but it is None"),
        (changed("link_padding", 1, "padding", -0.1), "link_padding[1].padding: a padding of -0.1 m shrinks the link"),
        (without("link_padding", 1, "padding"), "link_padding[1].padding: expected a number, but it is missing"),
        (changed("link_padding", 0, {"link_name": "hand", "padding": 0.02}), "link 'hand' has two paddings"),
        # meshes
        (changed(*MESH, {"vertices": [], "triangles": []}), "meshes[0]: the mesh has 0 vertices and no triangles"),
        (changed(*MESH, "triangles", 0, "vertex_indices", [0, 1, 9]),
         "meshes[0].triangles[0].vertex_indices: expected three numbers of vertices, 0 to 3, but it is [0, 1, 9]"),
        (changed(*MESH, "triangles", 0, "vertex_indices", [0, -1, 2]), "expected three numbers of vertices, 0 to 3"),
        (changed(*MESH, "triangles", 0, "vertex_indices", [0, 1]), "expected three numbers of vertices, 0 to 3"),
        # the allowed collision matrix
        (changed(MATRIX, "entry_values", 0, "enabled", 1, False), "'forearm' and 'base' have different values"),
        (changed(MATRIX, "entry_names", ["base"]), f"{MATRIX}: it has 1 entry_names and 4 entry_values"),
        (changed(MATRIX, "entry_values", 0, "enabled", [True]), "entry_values[0]: it has 1 values for 4 names"),
        (changed(MATRIX, "entry_values", 0, "enabled", 0, "no"), "enabled[0]: expected true or false, but it is 'no'"),
        (changed(MATRIX, "default_entry_values", []), f"{MATRIX}: it has 1 default_entry_names and 0 values"),
        (changed(MATRIX, lambda fields: fields | {"default_entry_names": ["a", "a"], "default_entry_values": [1, 0]}),
         "default_entry_names: it has a name twice"),
        # frames
        (changed(*BASE, {"header": {"frame_id": "map"}, "joint_names": ["v"], "transforms": [transform(0, 0, 0)]}),
         "multi_dof_joint_state.header.frame_id: it is 'map', and elsewhere the frame of the scene is 'base'"),
        (changed(*STATE, "header", "frame_id", "map") | {"fixed_frame_transforms": []},
         "it is relative to the frame 'map', and does not say where the robot's root link 'base' is in it"),
        (changed("fixed_frame_transforms", [FRAME]),
         "fixed_frame_transforms[0].child_frame_id: it is 'cam', but MoveIt has the frame of the scene here, 'base'"),
        (changed("fixed_frame_transforms", [FRAME], scene=changed(*STATE, "header", {})),
         "fixed_frame_transforms: without a transform of the frame of the scene to itself"),
        (changed("fixed_frame_transforms", lambda list_: [*list_, *list_]), "the frame 'base' is placed twice"),
        (changed("fixed_frame_transforms", 0, "header", {}), "[0].header.frame_id: it is missing or empty"),
        # other messages
        ({"name": "x"}, "it is not a moveit_msgs/PlanningScene: it has no world"),
        ([SCENE], "expected fields and values, but it is"),
        ({"joint_names": [], "points": []}, "it is a trajectory, not a planning scene; give it after the URDF file"),
        ({"model_id": "arm", "trajectory": []}, "it is a trajectory, not a planning scene"),
        ({"frame_id": "arm"}, "frame_id: this field is unknown"),
    ],
)  # fmt: skip
def test_a_scene_with_an_error_is_refused_by_its_field(
    tmp_path: Path, scene: dict[str, Any], expected: str
) -> None:
    with pytest.raises(CellError) as caught:
        written(tmp_path, scene)
    (line,) = caught.value.mistakes
    assert line.startswith(f"{tmp_path / 'scene.json'}: ")
    assert expected in line
    assert not (tmp_path / "cell.yaml").exists()


def test_forms_of_bytes_and_empty_rotations_are_read(tmp_path: Path) -> None:
    for value in (0, 2, "\x00", "AA=="):
        written(tmp_path, changed(*FIRST, "operation", value))
    written(
        tmp_path, changed(*FIRST, "pose", pose(0, 0, -0.08, 0, 0, 0, 0))
    )  # MoveIt takes it as no rotation
    assert "table: {box: [2, 2, 0.05], position: [0, 0, -0.08]}" in (tmp_path / "cell.yaml").read_text()
    written(tmp_path, changed("world", "collision_objects", []))
    path = tmp_path / "a.yaml"
    path.write_text(yaml.safe_dump(changed(*FIRST, "operation", "\x00")))
    assert len(read_planning_scene(path).objects) == 5


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.json", "{", "a.json: it is not JSON: "),
        ("a.json", '{"world": {}, "world": {}}', "a.json: it is not JSON: "),
        ("a.yaml", "world: [", "a.yaml:1:9: "),
        ("a.yaml", "world: {}\nworld: {}", "a.yaml:2:1: "),
        ("a.yaml", f"{yaml.safe_dump(SCENE)}---\n{yaml.safe_dump(SCENE)}", "a.yaml:"),
        ("a.yaml", "", "expected fields and values"),
        ("a.yaml", "response:\nmoveit_msgs.srv.GetPlanningScene_Response(scene=None)", "what `ros2 service call`"),
        ("a.txt", "{}", "the file extension '.txt' is unknown; use .yaml, .json or .scene"),
    ],
)  # fmt: skip
def test_files_that_are_no_messages(tmp_path: Path, name: str, text: str, expected: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(CellError) as caught:
        read_planning_scene(tmp_path / name)
    assert expected in str(caught.value)


def test_files_that_are_not_there_or_not_text(tmp_path: Path) -> None:
    (tmp_path / "scene.yaml").write_bytes(b"\xff\xfe")
    with pytest.raises(CellError, match="it is not UTF-8 text"):
        read_planning_scene(tmp_path / "scene.yaml")
    with pytest.raises(FileMissingError, match=r"did you mean 'scene\.yaml'\?"):
        read_planning_scene(tmp_path / "scen.yaml")
    with pytest.raises(FileMissingError, match="is a folder"):
        read_planning_scene(tmp_path)


def test_many_objects_are_read_at_once(tmp_path: Path) -> None:
    objects = [item(f"box {k}", 1, [0.1, 0.1, 0.1], pose(3, 0, k)) for k in range(300)]
    (tmp_path / "a.json").write_text(json.dumps(changed("world", "collision_objects", objects)))
    assert len(read_planning_scene(tmp_path / "a.json").objects) == 301
