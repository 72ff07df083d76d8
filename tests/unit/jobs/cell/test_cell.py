"""Cells as they are built: shapes, poses, motions, rests and rules."""

from __future__ import annotations

import math
import pickle
from pathlib import Path

import numpy as np
import pytest
from tests.unit.jobs.cell.cells import ARM, FLAP, PICK, SRDF, write

import keepclear as kc
from keepclear.errors import ArgumentError, CellError, FileMissingError, UnknownNameError
from keepclear.jobs.cell.cell import Cell, read_cell
from keepclear.motion.joints.program import JointTrajectory
from keepclear.motion.trajectory import PoseTrajectory


def cell_of(folder: Path, text: str, **files: str) -> Cell:
    return read_cell(write(folder, cell_yaml=text, **files))


def test_settings_have_defaults(tmp_path: Path) -> None:
    cell = cell_of(tmp_path, "objects: {a: {sphere: 1}}")
    assert (cell.title, cell.tolerance, cell.interval, cell.far) == ("cell.yaml", 1e-3, None, 0.1)
    told = cell_of(tmp_path, "title: x\ntolerance: 5e-4\ninterval: [0, 8]\nfar: 1\nobjects: {a: {sphere: 1}}")
    assert (told.title, told.tolerance, told.interval, told.far) == ("x", 5e-4, (0.0, 8.0), 1.0)


def test_notes_are_assumptions_of_the_report(tmp_path: Path) -> None:
    report = kc.verify(cell_of(tmp_path, "notes: [measured on 3 May]\nobjects: {a: {sphere: 1}}"))
    notes = [(note.subject, note.text) for note in report.assumptions if note.kind == "note"]
    assert notes == [("cell", "measured on 3 May")]
    with pytest.raises(CellError, match=r"notes\[0\]: "):
        cell_of(tmp_path, "notes: ['']\nobjects: {a: {sphere: 1}}")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("box: [1, 2, 3]", "Box(size=(1.0, 2.0, 3.0))"),
        ("sphere: 0.5", "Sphere(radius=0.5)"),
        ("sphere: {radius: 0.5}", "Sphere(radius=0.5)"),
        ("cylinder: {radius: 1, length: 2}", "Cylinder(radius=1.0, length=2.0)"),
        ("capsule: [1, 2]", "Capsule(radius=1.0, length=2.0)"),
        (
            "mesh: flap.obj, unit: mm",
            "Mesh('flap.obj', 3 vertices, 1 triangle, extent (0.08, 0.05, 0) m, surface)",
        ),
    ],
)
def test_shapes_are_what_the_file_says(tmp_path: Path, text: str, expected: str) -> None:
    cell = cell_of(tmp_path, f"objects: {{a: {{{text}}}}}", flap_obj=FLAP)
    ((shape, X_OS),) = cell.objects["a"].shapes
    assert repr(shape) == expected
    assert np.array_equal(X_OS, np.eye(4))


def test_cells_with_named_sizes_go_to_other_processes(tmp_path: Path) -> None:
    cell = cell_of(tmp_path, "objects: {a: {cylinder: {radius: 1, length: 2}}}")
    again = pickle.loads(pickle.dumps(cell))
    assert again.objects["a"].shapes[0][0] == cell.objects["a"].shapes[0][0]


STEP = Path(__file__).resolve().parents[3] / "data" / "two_pins.step"


def test_a_step_file_is_as_fine_as_the_cell_says(tmp_path: Path) -> None:
    pytest.importorskip("cascadio", reason="STEP files need cascadio")
    text = (
        f"objects: {{a: {{mesh: {STEP}}}, b: {{mesh: {STEP}, tessellation: 0.00001, position: [1, 0, 0]}}}}"
    )
    cell = cell_of(tmp_path, text)
    coarse, fine = (cell.objects[name].shapes[0][0] for name in "ab")
    assert isinstance(coarse, kc.Mesh)
    assert isinstance(fine, kc.Mesh)
    assert (coarse.tessellation_error, fine.tessellation_error) == pytest.approx((1e-4, 1e-5), rel=0.01)
    assert len(fine.triangles) > 2 * len(coarse.triangles)
    assert kc.verify(cell).pairs[0].margin == coarse.tessellation_error + fine.tessellation_error


@pytest.mark.parametrize(
    "text",
    [
        "rpy: [0, 0, 1.5707963267948966]",
        "rpy_deg: [0, 0, 90]",
        f"quat_xyzw: [0, 0, {math.sqrt(0.5)}, {math.sqrt(0.5)}]",
        "quat_wxyz: [2, 0, 0, 2]",
    ],
)
def test_poses_may_be_given_in_many_ways(tmp_path: Path, text: str) -> None:
    cell = cell_of(tmp_path, f"objects: {{a: {{sphere: 1, position: [1, 2, 3], {text}}}}}")
    expected = [[0, -1, 0, 1], [1, 0, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]]
    assert np.allclose(cell.objects["a"].X_W, expected, rtol=0, atol=1e-15)
    matrix = f"objects: {{a: {{sphere: 1, pose: {expected[:3]}}}}}"
    assert np.array_equal(cell_of(tmp_path, matrix).objects["a"].X_W, expected)


def test_meshes_without_unit_are_told(tmp_path: Path) -> None:
    body = cell_of(tmp_path, "objects: {a: {mesh: flap.obj}}", flap_obj=FLAP).objects["a"]
    assert [(note.kind, note.subject) for note in body.assumptions] == [("unit", "a")]
    assert body.assumptions[0].text.startswith("flap.obj has no unit")
    assert len(body.warnings) == 1
    assert body.warnings[0] == (
        "a: mesh file 'flap.obj' has no unit and would be 80 m large in metres: looks like millimetres; "
        "write unit: mm, or unit: m if it really is that large"
    )


def test_parts_move_as_one(tmp_path: Path) -> None:
    motion = "{times: [0, 1], positions: [[0, 0, 0], [1, 0, 0]]}"
    parts = "[{sphere: 0.1}, {box: [1, 1, 1], position: [0, 0, 1]}]"
    cell = cell_of(tmp_path, f"objects: {{a: {{parts: {parts}, motion: {motion}}}}}")
    assert len(cell.objects["a"].shapes) == 2
    assert np.array_equal(cell.objects["a"].shapes[1][1][:3, 3], [0, 0, 1])
    moved = cell.motions["a"].motion
    assert isinstance(moved, PoseTrajectory)
    assert moved.interpolation == "linear"
    assert cell.world().names == ("a",)


def test_positions_alone_keep_the_rotation_of_the_object(tmp_path: Path) -> None:
    motion = "{times: [0, 1], positions: [[0, 0, 0], [1, 0, 0]], hold: none}"
    cell = cell_of(tmp_path, f"objects: {{a: {{box: [1, 2, 3], rpy_deg: [0, 0, 90], motion: {motion}}}}}")
    moved = cell.motions["a"].motion
    assert isinstance(moved, PoseTrajectory)
    assert moved.hold == "none"
    assert np.allclose(moved.pose(0.5)[:3], [[0, -1, 0, 0.5], [1, 0, 0, 0], [0, 0, 1, 0]], rtol=0, atol=1e-15)


def test_robots_move_and_rest(tmp_path: Path) -> None:
    files = {"arm_urdf": ARM, "arm_srdf": SRDF, "pick_csv": PICK, "part_csv": "time,shoulder\n0,0\n1,1\n"}
    moving = (
        cell_of(tmp_path, "objects: {arm: {robot: arm.urdf, motion: pick.csv}}", **files)
        .motions["arm"]
        .motion
    )
    assert isinstance(moving, JointTrajectory)
    assert moving.at(0.5).tolist() == [0.25, 0.05]
    for text, expected in (
        ("srdf: arm.srdf, state: out", [0.5, 0.2]),
        ("srdf: arm.srdf, state: all/out, q: {reach: 0.1}", [0.5, 0.1]),
        ("q: [1, 0.3]", [1.0, 0.3]),
        ("q_deg: {shoulder: 90, reach: 0.3}", [math.pi / 2, 0.3]),
    ):
        resting = cell_of(tmp_path, f"objects: {{arm: {{robot: arm.urdf, {text}}}}}", **files).objects["arm"]
        assert resting.q is not None
        assert resting.q.tolist() == expected
    partly = "objects: {arm: {robot: arm.urdf, q: {reach: 0.2}, motion: part.csv}}"
    filled = cell_of(tmp_path, partly, **files).motions["arm"].motion
    assert isinstance(filled, JointTrajectory)
    assert filled.q.tolist() == [[0.0, 0.2], [1.0, 0.2]]


def test_speeds_make_a_spline_unless_the_cell_says_otherwise(tmp_path: Path) -> None:
    motion = "{times: [0, 1], q: [[0, 0], [1, 0.1]], qd: [[0, 0], [0, 0]]}"
    text = f"objects: {{arm: {{robot: arm.urdf, motion: {motion}}}}}"
    spline = cell_of(tmp_path, text, arm_urdf=ARM).motions["arm"]
    assert spline.motion.interpolation == "spline"
    assert spline.warnings == ()
    straight = cell_of(tmp_path, text.replace("]]}", "]], interpolation: linear}")).motions["arm"]
    assert straight.motion.interpolation == "linear"
    assert straight.warnings == (
        "arm: arm has speeds that are not used: with interpolation: linear, joints move at constant speed",
    )


def test_values_by_joint_and_in_degrees(tmp_path: Path) -> None:
    motion = "{times: [0, 1], q_deg: {reach: [0, 0.1], shoulder: [0, 90]}, start: 2}"
    cell = cell_of(tmp_path, f"objects: {{arm: {{robot: arm.urdf, motion: {motion}}}}}", arm_urdf=ARM)
    moved = cell.motions["arm"].motion
    assert isinstance(moved, JointTrajectory)
    assert moved.q.tolist() == [[0.0, 0.0], [math.pi / 2, 0.1]]
    assert (moved.t_start, moved.t_end) == (2.0, 3.0)


def test_programs_replace_motions(tmp_path: Path) -> None:
    text = """
objects:
  ball: {sphere: 0.1, position: [0, 0, 5]}
  cart: {sphere: 0.1, motion: {times: [0, 1], positions: [[0, 0, 0], [1, 0, 0]]}}
programs:
  up: {ball: {times: [0, 1], positions: [[0, 0, 5], [0, 0, 6]]}}
  still: {}
"""
    cell = cell_of(tmp_path, text)
    assert cell.programs == ("up", "still")
    assert cell.world("up").span == (0.0, 1.0)
    assert list(cell.program_motions["up"]) == ["ball"]
    with pytest.raises(
        UnknownNameError, match=r"cell '.*cell\.yaml' has no program 'upp'.*; did you mean 'up'\?"
    ):
        cell.world("upp")


def test_files_are_relative_to_the_cell_and_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "parts").mkdir()
    write(tmp_path / "parts", flap_obj=FLAP)
    text = "objects: {a: {mesh: parts/flap.obj, unit: mm}, b: {mesh: parts/flap.obj, unit: mm, position: [1, 0, 0]}}"
    monkeypatch.chdir(tmp_path.parent)
    cell = cell_of(tmp_path, text)
    assert cell.objects["a"].shapes[0][0] is cell.objects["b"].shapes[0][0]


def test_what_a_world_refuses_is_located(tmp_path: Path) -> None:
    text = """
objects:
  arm: {robot: arm.urdf, motion: pick.csv}
  ball: {sphere: 0.1}
attached:
  - {object: ball, to: arm/hand, from: 0, until: 1.5}
  - {object: ball, to: arm/forearm, from: 1, until: 2}
"""
    path = write(tmp_path, cell_yaml=text, arm_urdf=ARM, pick_csv=PICK)
    with pytest.raises(CellError) as caught:
        read_cell(path)
    (line,) = caught.value.mistakes
    assert line.startswith(f"{path}:7:5: attached[1]: ")


def test_what_is_no_cell_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileMissingError, match="there is no cell file"):
        read_cell(tmp_path / "cell.yaml")
    with pytest.raises(FileMissingError, match="cannot be opened"):
        read_cell(tmp_path)
    with pytest.raises(ArgumentError, match="read_cell takes the path of a cell file"):
        read_cell(5)  # type: ignore[arg-type]


def test_all_files_are_named_also_those_that_are_not_there(tmp_path: Path) -> None:
    arm = ARM.replace('<box size="0.2 0.2 0.1"/>', '<mesh filename="flap.obj" scale="0.001 0.001 0.001"/>')
    text = "objects: {arm: {robot: arm.urdf, srdf: no.srdf, motion: pick.csv}, a: {mesh: part.stl}}"
    cell = read_cell(
        write(tmp_path, cell_yaml=text, arm_urdf=arm, pick_csv=PICK, flap_obj=FLAP), strict=False
    )
    assert {file.name for file in cell.files} == {"arm.urdf", "no.srdf", "pick.csv", "part.stl", "flap.obj"}
    assert len(cell.mistakes) == 2


def test_a_motion_must_last_as_long_as_is_asked_about(tmp_path: Path) -> None:
    text = """
objects:
  a: {sphere: 0.1, motion: {times: [0, 1], positions: [[0, 0, 0], [1, 0, 0]], hold: before}}
  b: {sphere: 0.1, motion: {times: [0, 2], positions: [[0, 9, 0], [1, 9, 0]]}}
"""
    assert cell_of(tmp_path, "interval: [-1, 1]" + text).interval == (-1.0, 1.0)
    with pytest.raises(CellError) as caught:
        cell_of(tmp_path, text)
    assert str(caught.value).endswith(
        ":3:28: objects.a.motion: it is not defined after 1 s, but 2 s is needed; let it rest there with hold: after "
        "or both, or give an interval within its times"
    )


def test_parts_that_turn_move_as_any_other_shape(tmp_path: Path) -> None:
    """One default for all: the origin moves straight, whatever the shape. A screw differs by 0.4 m half-way here."""
    motion = "{times: [0, 1], positions: [[0, 0, 0], [1, 0, 0]], rpy_deg: [[0, 0, 0], [0, 0, 170]]}"
    shapes = {"one": "box: [0.1, 0.1, 0.1]", "parts": "parts: [{box: [0.1, 0.1, 0.1]}, {box: [0.1, 0.1, 0.1], "
              "position: [0, 0.15, 0]}]"}  # fmt: skip
    turn = np.radians(85)
    second = 0.5 - 0.15 * np.sin(turn), 0.15 * np.cos(turn)  # where the other part is at half time
    for name, shape in shapes.items():
        for x, y, touches in ((0.5, 0.0, True), (*second, name == "parts"), (0.5, -0.45, False)):
            text = f"objects:\n  a: {{{shape}, motion: {motion}}}\n  b: {{sphere: 0.01, position: [{x}, {y}, 0]}}\n"
            cell = cell_of(tmp_path, text + "interval: [0.48, 0.52]")
            assert cell.motions["a"].motion.interpolation == "linear"
            assert (kc.verify(cell).verdict is kc.Verdict.COLLIDING) is touches
