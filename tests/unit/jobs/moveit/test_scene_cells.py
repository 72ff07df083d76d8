"""Planning scenes of MoveIt as cells: each part of a scene has its place in the cell."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from tests.unit.jobs.cell.cells import ARM, SRDF
from tests.unit.jobs.moveit.scenes import SCENE, TETRA, cell_of, changed, item, pose, transform, written

import keepclear as kc
from keepclear.errors import ArgumentError, CellError
from keepclear.jobs.cell.template import write_template

OBJECTS = ("world", "collision_objects")
ATTACHED = ("robot_state", "attached_collision_objects")
STATE = ("robot_state", "joint_state")
MATRIX = "allowed_collision_matrix"


def notes_of(folder: Path) -> list[str]:
    return list(yaml.safe_load((folder / "cell.yaml").read_text())["notes"])


def test_a_scene_becomes_a_cell(tmp_path: Path) -> None:
    report = kc.verify(cell_of(tmp_path, SCENE))
    assert report.verdict is kc.Verdict.CLEAR
    assert {pair.b for pair in report.pairs if pair.a == "arm/forearm"} == {"ball", "table", "wedge"}
    assert notes_of(tmp_path) == [
        "objects and rules are from the planning scene scene.json",
        "the subframes tip of wedge are not used",
        "the cone lamp is checked as a pyramid of 64 sides around it",
        "the padding of links is checked as a margin between them, or what they hold, and objects that are not "
        "attached: as large as the padding, times 1.42 for cylinders and 1.74 for boxes, whose corners it moves "
        "farther",
    ]
    texts = [note.text for note in report.assumptions if note.kind == "note"]
    assert sorted(texts) == sorted(notes_of(tmp_path))


def test_shapes_and_poses_are_those_of_the_message(tmp_path: Path) -> None:
    cell = cell_of(tmp_path, SCENE)
    shapes = {name: repr(body.shapes[0][0]) for name, body in cell.objects.items() if body.robot is None}
    assert shapes["part"] == "Cylinder(radius=0.04, length=0.1)"  # a message has the height first
    assert shapes["table"] == "Box(size=(2.0, 2.0, 0.05))"
    assert shapes["ball"] == "Sphere(radius=0.1)"
    assert cell.objects["arm"].q.tolist() == [-1.0, 0.05]
    assert np.array_equal(cell.objects["part"].X_LA[:3, 3], [0.25, 0, 0])
    assert np.array_equal(cell.objects["table"].X_W[:3, 3], [0, 0, -0.08])
    ((wedge, _),) = cell.objects["wedge"].shapes
    assert np.array_equal(wedge.vertices, [[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]])
    assert wedge.is_solid


def test_the_pose_of_an_object_is_before_that_of_its_shapes(tmp_path: Path) -> None:
    half = math.sqrt(0.5)
    scene = changed(*OBJECTS, 1, "pose", pose(1, 2, 3, 0, 0, half, half))  # x of the object points along y
    scene["world"]["collision_objects"][1]["primitive_poses"] = [pose(0.5, 0, 0, half, 0, 0, half)]
    X_W = cell_of(tmp_path, scene).objects["ball"].X_W
    assert np.allclose(X_W, [[0, 0, 1, 1], [1, 0, 0, 2.5], [0, 1, 0, 3], [0, 0, 0, 1]], atol=1e-15)


def test_several_shapes_are_parts(tmp_path: Path) -> None:
    scene = changed(*OBJECTS, 1, "meshes", [TETRA])
    scene["world"]["collision_objects"][1]["mesh_poses"] = [pose(0, 0, 0.2)]
    (ball, _), (mesh, X_OS) = cell_of(tmp_path, scene).objects["ball"].shapes
    assert (type(ball), type(mesh)) == (kc.Sphere, kc.Mesh)
    assert X_OS[:3, 3].tolist() == [0, 0, 0.2]


def test_a_cone_is_inside_its_mesh(tmp_path: Path) -> None:
    ((mesh, _),) = cell_of(tmp_path, SCENE).objects["lamp"].shapes
    assert mesh.is_solid
    for angle in np.linspace(0, 2 * math.pi, 1000):
        rim = kc.Sphere(1e-6), [[1, 0, 0, 0.05 * math.cos(angle)], [0, 1, 0, 0.05 * math.sin(angle)],
                                [0, 0, 1, -0.1 + 1e-6], [0, 0, 0, 1]]  # fmt: skip
        assert kc.collide(mesh, np.eye(4), *rim).colliding
    assert mesh.bounds[1][2] == pytest.approx(0.1, abs=1e-9)  # the apex is at +z
    assert mesh.bounds[1][0] == pytest.approx(0.05, rel=0.0013)


def test_padding_is_a_margin_from_what_is_not_attached(tmp_path: Path) -> None:
    report = kc.verify(cell_of(tmp_path, changed("link_padding", 1, "padding", 0.01)))
    margins = {frozenset((pair.a, pair.b)): pair.margin for pair in report.pairs}
    assert 0.01 * math.sqrt(3) < margins[frozenset(("arm/hand", "ball"))] < 0.01 * math.sqrt(3) + 2e-7
    assert 0.01 * math.sqrt(2) < margins[frozenset(("part", "table"))] < 0.01 * math.sqrt(2) + 2e-7
    assert margins[frozenset(("arm/hand", "arm/base"))] == 0.0  # as in MoveIt
    assert margins[frozenset(("arm/forearm", "ball"))] == 0.0


def test_the_padding_of_what_a_link_holds_depends_on_its_shape(tmp_path: Path) -> None:
    for kind, sizes, factor in ((1, [0.1] * 3, 3), (2, [0.1], 1), (3, [0.1, 0.1], 2), (4, [0.1, 0.1], 2)):
        scene = changed(*ATTACHED, 0, "object", item("part", kind, sizes, pose(0.25, 0, 0), "hand"))
        report = kc.verify(cell_of(tmp_path, scene))
        (margin,) = [pair.margin for pair in report.pairs if {pair.a, pair.b} == {"part", "ball"}]
        assert 0.01 * math.sqrt(factor) <= margin < 0.01 * math.sqrt(factor) + 2e-7


def test_allowed_pairs_come_from_matrix_defaults_and_touch_links(tmp_path: Path) -> None:
    report = kc.verify(cell_of(tmp_path, SCENE))
    free = {frozenset((pair.a, pair.b)): pair.detail for pair in report.unchecked}
    assert free[frozenset(("arm/base", "table"))] == "allowed collision matrix"
    assert free[frozenset(("arm/forearm", "part"))] == "touch_links of the scene"
    assert free[frozenset(("arm/hand", "lamp"))] == "allowed collision matrix"  # by the default of the lamp
    assert free[frozenset(("part", "lamp"))] == "allowed collision matrix"
    assert frozenset(("arm/base", "arm/hand")) not in free
    assert frozenset(("part", "table")) not in free


def test_the_matrix_replaces_the_srdf_file(tmp_path: Path) -> None:
    (tmp_path / "arm.srdf").write_text(SRDF)
    found = {}
    for name, scene in (("with", SCENE), ("without", changed(MATRIX, {}))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "arm.srdf").write_text(SRDF)
        report = kc.verify(cell_of(tmp_path / name, scene))
        found[name] = {
            pair.detail for pair in report.unchecked if pair.a.startswith("arm/") and "/" in pair.b
        }
    assert found == {"with": {"scene"}, "without": {"Adjacent"}}
    note = "the scene has no allowed collision matrix: pairs of links are those of the robot's files"
    assert note in notes_of(tmp_path / "without")


@pytest.mark.parametrize(("entry", "default"), [(True, False), (False, True)])
def test_a_pair_is_checked_if_entry_or_default_forbids_it(tmp_path: Path, entry: bool, default: bool) -> None:
    scene = changed(MATRIX, "entry_values", 2, "enabled", 3, entry)
    scene[MATRIX]["entry_values"][3]["enabled"][2] = entry
    scene[MATRIX] |= {"default_entry_names": ["table"], "default_entry_values": [default]}
    report = kc.verify(cell_of(tmp_path, scene))
    assert ("arm/hand", "table") in {(pair.a, pair.b) for pair in report.pairs}
    (note,) = [text for text in notes_of(tmp_path) if "differ for" in text]
    assert "hand and table" in note
    assert "these pairs are checked" in note


def test_defaults_of_both_names_must_allow_a_pair(tmp_path: Path) -> None:
    scene = changed(
        MATRIX,
        {"default_entry_names": ["hand", "ball", "table"], "default_entry_values": [True, True, False]},
    )
    report = kc.verify(cell_of(tmp_path, scene))
    assert "arm/hand" in {pair.a for pair in report.pairs if pair.b == "table"}
    assert "arm/hand" not in {pair.a for pair in report.pairs if pair.b == "ball"}
    assert "arm/forearm" not in {pair.a for pair in report.pairs if pair.b == "ball"}  # one default is enough


def test_names_of_the_matrix_without_link_or_object_are_noted(tmp_path: Path) -> None:
    written(tmp_path, changed(MATRIX, "default_entry_names", ["<octomap>"]))
    assert "the allowed collision matrix has <octomap>, which is neither a link nor an object" in notes_of(
        tmp_path
    )


def test_objects_of_the_world_may_touch_each_other(tmp_path: Path) -> None:
    """A cup stands on a table: MoveIt does not check objects of the world against each other."""
    scene = changed(*OBJECTS, 1, item("cup", 1, [0.1, 0.1, 0.1], pose(0, 0.9, -0.01)))
    report = kc.verify(cell_of(tmp_path, scene, motion=None))
    assert report.verdict is kc.Verdict.CLEAR
    report = kc.verify(cell_of(tmp_path, scene))
    assert report.verdict is kc.Verdict.CLEAR
    pairs = {frozenset((pair.a, pair.b)) for pair in report.pairs}
    assert frozenset(("cup", "table")) not in pairs
    assert frozenset(("part", "cup")) in pairs
    assert frozenset(("arm/hand", "cup")) in pairs


def test_objects_on_one_link_may_touch_each_other(tmp_path: Path) -> None:
    more = {"link_name": "hand", "object": item("label", 1, [0.05, 0.05, 0.05], pose(0.25, 0, 0), "hand")}
    report = kc.verify(cell_of(tmp_path, changed(*ATTACHED, lambda held: [*held, more])))
    free = {frozenset((pair.a, pair.b)): pair.detail for pair in report.unchecked}
    assert free[frozenset(("part", "label"))] == "both are attached to hand"
    other = changed(*ATTACHED, lambda held: [*held, more | {"link_name": "forearm"}])
    (tmp_path / "other").mkdir()
    moving = "time,shoulder,reach\n0,-1,0.05\n2,1,0.1\n"
    contact = kc.verify(cell_of(tmp_path / "other", other, motion=moving)).first
    assert {contact.a, contact.b} == {"label", "part"}  # on two links that move: they are checked


def test_an_attached_object_in_another_frame_is_placed_by_the_state(tmp_path: Path) -> None:
    scene = changed(*ATTACHED, 0, "object", item("part", 2, [0.02], pose(0.3, 0, 0.1), "base"))
    X_LA = cell_of(tmp_path, scene).objects["part"].X_LA
    turned = [0.3 * math.cos(1) - 0.55, 0.3 * math.sin(1), 0.0]  # the hand is at 0.55 m, turned by -1 rad
    assert np.allclose(X_LA[:3, 3], turned, atol=1e-15)


def test_frames_and_the_base_are_placed(tmp_path: Path) -> None:
    scene = changed(*OBJECTS, 1, "header", "frame_id", "cam")
    scene["world"]["collision_objects"][3]["header"]["frame_id"] = "world"
    state = scene["robot_state"]
    state["joint_state"]["header"]["frame_id"] = "world"
    state["multi_dof_joint_state"] = {
        "header": {"frame_id": "world"}, "joint_names": ["virtual"], "transforms": [transform(5, 0, 0)],
    }  # fmt: skip
    scene["fixed_frame_transforms"] = [  # as MoveIt writes them: the child is the frame of the scene
        {"header": {"frame_id": "world"}, "child_frame_id": "world", "transform": transform(0, 0, 0)},
        {"header": {"frame_id": "cam"}, "child_frame_id": "world", "transform": transform(0, 3, 0)},
    ]
    cell = cell_of(tmp_path, scene)
    assert cell.objects["arm"].X_W[:3, 3].tolist() == [5, 0, 0]
    assert np.array_equal(cell.objects["table"].X_W[:3, 3], [5, 0, -0.08])  # relative to the base
    assert np.array_equal(cell.objects["ball"].X_W[:3, 3], [0, 4.5, 0])
    assert np.array_equal(cell.objects["wedge"].X_W[:3, 3], [0, 0, 1])


@pytest.mark.parametrize("frame", ["world", "base"])
def test_a_fixed_virtual_joint_places_the_root_in_its_parent_frame(tmp_path: Path, frame: str) -> None:
    scene = changed(*OBJECTS, 0, "header", "frame_id", "world")
    scene["robot_state"]["joint_state"]["header"]["frame_id"] = frame
    scene["robot_state"]["multi_dof_joint_state"]["header"]["frame_id"] = frame
    scene["fixed_frame_transforms"] = []
    with pytest.raises(CellError, match="'world'"):
        cell_of(tmp_path, scene)
    joint = '<virtual_joint name="v" type="fixed" parent_frame="world" child_link="base"/></robot>'
    (tmp_path / "arm.srdf").write_text(SRDF.replace("</robot>", joint.replace("fixed", "planar")))
    with pytest.raises(CellError, match="'world'"):
        cell_of(tmp_path, scene)
    (tmp_path / "arm.srdf").write_text(SRDF.replace("</robot>", joint))
    cell = cell_of(tmp_path, scene)
    assert np.array_equal(cell.objects["arm"].X_W, np.eye(4))
    assert np.array_equal(cell.objects["table"].X_W[:3, 3], [0, 0, -0.08])


def test_a_link_counts_before_a_fixed_frame_of_its_name(tmp_path: Path) -> None:
    scene = changed(*OBJECTS, 1, "header", "frame_id", "forearm")
    scene["fixed_frame_transforms"].append(
        {"header": {"frame_id": "forearm"}, "child_frame_id": "base", "transform": transform(9, 9, 9)}
    )
    X_W = cell_of(tmp_path, scene).objects["ball"].X_W
    assert np.allclose(X_W[:3, 3], [1.5 * math.sin(1), 1.5 * math.cos(1), 0.1])  # turned by -1 rad


def test_meshes_keep_all_digits(tmp_path: Path) -> None:
    scene = changed(*OBJECTS, 3, "meshes", 0, "vertices", 1, "x", 1 / 3)
    ((mesh, _),) = cell_of(tmp_path, scene).objects["wedge"].shapes
    assert mesh.vertices[1, 0] == 1 / 3


def without_state(*names: str) -> dict[str, Any]:
    """Return the scene with the values of some joints only."""
    scene = changed("robot_state", "attached_collision_objects", [])
    values = dict(zip(("shoulder", "reach"), (-1.0, 0.05), strict=True))
    state = {"header": {"frame_id": "base"}, "name": [*names], "position": [values[name] for name in names]}
    scene["robot_state"]["joint_state"] = state
    return scene


def test_the_scene_is_where_the_robot_starts(tmp_path: Path) -> None:
    report = kc.verify(
        cell_of(tmp_path, changed(*OBJECTS, 1, item("ball", 2, [0.1], pose(0.3, -0.5, 0.1))), motion=None)
    )
    assert report.first is not None  # the arm points there
    assert kc.verify(cell_of(tmp_path, SCENE, motion=None)).verdict is kc.Verdict.CLEAR


def test_joints_that_the_program_does_not_move_rest_as_in_the_scene(tmp_path: Path) -> None:
    text = written(tmp_path, SCENE, motion="time,shoulder\n0,-1\n2,1\n")
    assert "to fix" not in text
    q = kc.read_cell(tmp_path / "cell.yaml").motions["arm"].motion.q
    assert q.tolist() == [[-1.0, 0.05], [1.0, 0.05]]


def test_joints_without_values_are_refused_where_they_matter(tmp_path: Path) -> None:
    with pytest.raises(CellError, match="joint_state has no value of reach; add it, or give a motion"):
        cell_of(tmp_path, without_state("shoulder"), motion=None)
    assert cell_of(tmp_path, without_state("shoulder")).objects["arm"].rest == {"shoulder": -1.0}
    on_hand = changed(*OBJECTS, 1, "header", "frame_id", "hand", scene=without_state("shoulder"))
    with pytest.raises(
        CellError, match=r"object 'ball': its frame is the link 'hand', and the scene does not say"
    ):
        cell_of(tmp_path, on_hand)
    without_shoulder = changed(*OBJECTS, 1, "header", "frame_id", "hand", scene=without_state("reach"))
    with pytest.raises(CellError, match="its frame is the link 'hand'"):
        cell_of(tmp_path, without_shoulder)
    on_forearm = changed(*OBJECTS, 1, "header", "frame_id", "forearm", scene=without_state("shoulder"))
    assert cell_of(tmp_path, on_forearm).objects["ball"].X_W[2, 3] == pytest.approx(0.1)


def test_values_of_fixed_and_mimicking_joints_are_compared(tmp_path: Path) -> None:
    urdf = ARM.replace(
        "</robot>",
        """
  <link name="finger"/><link name="plate"/>
  <joint name="slide" type="prismatic"><parent link="hand"/><child link="finger"/><axis xyz="0 1 0"/>
    <limit lower="0" upper="1" velocity="1" effort="1"/><mimic joint="reach" multiplier="2" offset="0.1"/></joint>
  <joint name="glue" type="fixed"><parent link="hand"/><child link="plate"/></joint>
</robot>""",
    )
    (tmp_path / "gripper.urdf").write_text(urdf)
    for slide, notes in (
        (0.2, []),
        (0.3, ["the scene has slide at 0.3, and reach moves it to 0.2, which counts"]),
    ):
        scene = changed(*STATE, "name", ["shoulder", "reach", "slide"])
        scene["robot_state"]["joint_state"]["position"] = [-1.0, 0.05, slide]
        (tmp_path / "scene.json").write_text(json.dumps(scene))
        write_template(
            tmp_path / "gripper.urdf",
            None,
            tmp_path / "cell.yaml",
            scene=tmp_path / "scene.json",
            overwrite=True,
        )
        assert [text for text in notes_of(tmp_path) if "slide" in text] == notes
        assert kc.read_cell(tmp_path / "cell.yaml").objects["arm"].rest == {"shoulder": -1.0, "reach": 0.05}
    scene["robot_state"]["joint_state"]["name"][2] = "glue"
    (tmp_path / "scene.json").write_text(json.dumps(scene))
    write_template(
        tmp_path / "gripper.urdf", None, tmp_path / "cell.yaml", scene=tmp_path / "scene.json", overwrite=True
    )
    assert "the scene has glue at 0.3, and the URDF file has it as a fixed joint" in notes_of(tmp_path)


def test_a_world_alone_is_around_the_origin_of_the_robot(tmp_path: Path) -> None:
    cell = cell_of(tmp_path, SCENE["world"])
    assert {"table", "ball", "lamp", "wedge"} < set(cell.objects)
    assert "the scene does not name its frame: the robot's root link base is at its origin" in notes_of(
        tmp_path
    )


def test_the_answer_of_the_service_and_yaml_of_echo_are_the_same(tmp_path: Path) -> None:
    cells = []
    for name, text in (
        ("scene.json", json.dumps(SCENE)),
        ("answer.yaml", yaml.safe_dump({"scene": json.loads(json.dumps(SCENE))})),
        ("echo.yml", yaml.safe_dump(json.loads(json.dumps(SCENE)), default_flow_style=None) + "---\n"),
    ):
        text = written(tmp_path, text, name)
        cells.append(text.replace(name, ""))
    assert cells[0] == cells[1] == cells[2]


def test_names_that_yaml_would_change_stay_texts(tmp_path: Path) -> None:
    names = ["on", "1e5", "null", "it's", "a: b", "x #y", "- z", "über", "*a", "{b}"]
    scene = changed(*OBJECTS, [item(name, 2, [0.1], pose(0, 2, k)) for k, name in enumerate(names)])
    scene[MATRIX] |= {"default_entry_names": names, "default_entry_values": [True] * len(names)}
    cell = cell_of(tmp_path, scene)
    assert [name for name in cell.objects if name not in ("arm", "part")] == [
        "on", "1e5", "null", "it_s", "a_ b", "x _y", "- z", "über", "_a", "_b_",
    ]  # fmt: skip
    assert len(kc.verify(cell).unchecked) > 3 * len(names)


def test_names_that_a_cell_cannot_keep_apart_are_refused(tmp_path: Path) -> None:
    with pytest.raises(
        CellError, match="object 'a/b': a cell would call it 'a_b', which is taken; rename it"
    ):
        cell_of(tmp_path, changed(*OBJECTS, [item(name, 2, [0.1], pose()) for name in ("a_b", "a/b")]))
    with pytest.raises(CellError, match=r"object 'x+\.\.\.': its name has 1200 characters; use at most 200"):
        cell_of(tmp_path, changed(*OBJECTS, 0, "id", "x" * 1200))
    with pytest.raises(CellError, match="object 'arm': a cell would call it 'arm', which is taken"):
        cell_of(tmp_path, changed(*OBJECTS, 0, "id", "arm"))


def test_files_are_not_overwritten(tmp_path: Path) -> None:
    cell_of(tmp_path, SCENE)
    (tmp_path / "cell.yaml").unlink()
    with pytest.raises(ArgumentError, match=r"cell_lamp_0\.obj' exists"):
        write_template(tmp_path / "arm.urdf", None, tmp_path / "cell.yaml", scene=tmp_path / "scene.json")
