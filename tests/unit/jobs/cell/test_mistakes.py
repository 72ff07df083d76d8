"""Mistakes in cell files: all at once, each with line and column, with what to do."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.jobs.cell.cells import ARM, FLAP, PICK, SRDF, write

from keepclear.errors import CellError
from keepclear.jobs.cell.cell import read_cell
from keepclear.jobs.cell.verify import verify

TEN = """\
tolerance: -1
objects:
  arm: {robot: arm.urdf, motion: bad.csv}
  table: {box: [1.2, 0.8], position: [0, 0, -0.025]}
  part: {mesh: flip.obj, unit: mm}
  cart: {sphere: 0.1, motoin: cart.csv}
  tool: {robot: broken.urdf}
  tray: {sphere: 0.1, motion: {times: [0, 0], positions: [[0, 0, 0], [1, 0, 0]]}}
allowed: [[arm/forarm, table], [arm/hand, tabel]]
margins: [{pair: [arm, part], margn: 0.005}]
"""


def mistakes(folder: Path, text: str, **files: str) -> tuple[str, ...]:
    """Return the mistakes of a cell, with the file called as it is."""
    path = write(folder, cell_yaml=text, **files)
    with pytest.raises(CellError) as caught:
        read_cell(path)
    assert str(caught.value) == "\n".join(caught.value.mistakes)
    return tuple(line.replace(str(path), "cell.yaml") for line in caught.value.mistakes)


def test_ten_mistakes_are_ten_located_lines(tmp_path: Path) -> None:
    bad = PICK.replace("shoulder", "sholder")
    found = mistakes(tmp_path, TEN, arm_urdf=ARM, bad_csv=bad, flap_obj=FLAP, broken_urdf="<robot name='x'>")
    assert found[0] == "cell.yaml:1:12: tolerance: it must be greater than 0, but it is -1"
    assert found[1] == (
        "cell.yaml:3:34: objects.arm.motion: bad.csv:1: the robot has no joint 'sholder'; did you mean 'shoulder'?"
    )
    assert found[2] == (
        "cell.yaml:4:16: objects.table.box: expected 3 values, such as [1.2, 0.8, 0.05], but there are 2"
    )
    assert found[3] == (
        "cell.yaml:5:16: objects.part.mesh: there is no mesh file 'flip.obj'; did you mean 'flap.obj'?"
    )
    assert found[4] == "cell.yaml:6:23: objects.cart.motoin: unknown key 'motoin'; did you mean 'motion'?"
    assert found[5].startswith("cell.yaml:7:17: objects.tool.robot: URDF file 'broken.urdf'")
    assert found[6] == (
        "cell.yaml:8:31: objects.tray.motion: times[1]: times must increase, but 0 s follows 0 s; "
        "drop the repeated sample"
    )
    assert found[7] == (
        "cell.yaml:9:12: allowed[0][0]: 'arm' has no link 'forarm'; did you mean 'arm/forearm'?"
    )
    assert found[8] == "cell.yaml:9:43: allowed[1][1]: there is no object 'tabel'; did you mean 'table'?"
    assert found[9] == "cell.yaml:10:31: margins[0].margn: unknown key 'margn'; did you mean 'margin'?"
    assert len(found) == 10


CASES = {
    "an empty file": ("", "1:1: the cell is empty; it needs keys and values, such as objects: "),
    "a list": ("[1]", "1:1: the cell is the list [1]; it needs keys and values"),
    "no objects": ("title: x", "1:1: the cell has no objects; add some, such as objects: {table: "),
    "empty objects": ("objects: {}", "1:1: objects: the cell has no objects; add some"),
    "objects without value": ("objects:", "1:1: objects: it has no value; give one, such as {table: "),
    "objects in a list": (
        "objects: [1]",
        "1:10: objects: expected each object by its name, such as {table: ",
    ),
    "a misspelt objects": ("objcts: {}", "1:1: objcts: unknown key 'objcts'; did you mean 'objects'?"),
    "an unknown key": (
        "objects: {a: {sphere: 1, zzz: 1}}",
        "1:26: objects.a.zzz: unknown key 'zzz'; the keys here are position, rpy, ",
    ),
    "no shape": (
        "objects: {a: {position: [0, 0, 0]}}",
        "1:11: objects.a: it has no shape; give one of box,",
    ),
    "two shapes": (
        "objects: {a: {sphere: 1, box: [1, 1, 1]}}",
        "1:26: objects.a.box: there is 'sphere' as well as 'box'; keep one, or list several shapes under 'parts'",
    ),
    "a text for a number": (
        "objects: {a: {sphere: x}}",
        "1:23: objects.a.sphere: expected a number or keys and values",
    ),
    "a number in quotes": (
        "objects: {a: {box: [1, '1', 1]}}",
        "1:24: objects.a.box[1]: expected a number, but it is '1'",
    ),
    "infinity": (
        "objects: {a: {sphere: .inf}}",
        "1:23: objects.a.sphere: expected a finite number, such as 0.1, but it is inf",
    ),
    "a size that is too large": (
        "objects: {a: {sphere: 1e12}}",
        "1:23: objects.a.sphere: Sphere: radius must lie between",
    ),
    "a length that is missing": (
        "objects: {a: {cylinder: {radius: 1}}}",
        "1:15: objects.a.cylinder: 'length' is missing; add it such as length: 0.3",
    ),
    "true for a text": (
        "objects: {a: {mesh: true}}",
        "1:21: objects.a.mesh: expected a text, such as part.stl, but it is true",
    ),
    "a wrong word": (
        "objects: {a: {mesh: flap.obj, unit: mmm}}",
        "1:37: objects.a.unit: it must be 'm', 'cm', 'mm', 'um', 'in' or 'ft', but it is 'mmm'; did you mean 'mm'?",
    ),
    "a unit of a box": (
        "objects: {a: {box: [1, 1, 1], unit: mm}}",
        "1:31: objects.a.unit: only a mesh has 'unit'",
    ),
    "a tessellation of triangles": (
        "objects: {a: {mesh: flap.obj, tessellation: 0.00002}}",
        "1:31: objects.a.tessellation: only a STEP file has 'tessellation', and flap.obj is not one; remove it",
    ),
    "a tessellation of a box": (
        "objects: {a: {box: [1, 1, 1], tessellation: 0.00002}}",
        "1:31: objects.a.tessellation: only a mesh has 'tessellation'",
    ),
    "no tessellation": (
        "objects: {a: {mesh: flap.obj, unit: mm, tessellation: 0}}",
        "1:55: objects.a.tessellation: it must be greater than 0, but it is 0",
    ),
    "an open mesh": (
        "objects: {a: {mesh: flap.obj, unit: mm, solid: true}}",
        "1:21: objects.a.mesh: mesh 'flap.obj' has 3 open edges (first: vertices 0-1), so it has no inside; repair it, "
        "or read it with solid: false to check its surface only",
    ),
    "a fleet file": (
        "cells: [cell.yaml]",
        "1:1: cells: this is a fleet file, not a cell; run: keepclear batch ",
    ),
    "a state of a box": (
        "objects: {a: {box: [1, 1, 1], state: x}}",
        "1:31: objects.a.state: only a robot has 'state'",
    ),
    "two rotations": (
        "objects: {a: {sphere: 1, rpy: [0, 0, 0], rpy_deg: [0, 0, 0]}}",
        "1:42: objects.a.rpy_deg: the rotation is also given by 'rpy'; keep one of them",
    ),
    "a pose and a position": (
        "objects: {a: {sphere: 1, position: [0, 0, 0], pose: [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]}}",
        "1:47: objects.a.pose: 'pose' already gives position and rotation; remove it or 'position'",
    ),
    "a pose that mirrors": (
        "objects: {a: {sphere: 1, pose: [[-1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]}}",
        "1:32: objects.a.pose: the matrix mirrors, which no rigid motion does; mirror the shape instead",
    ),
    "a quaternion of zeros": (
        "objects: {a: {sphere: 1, quat_xyzw: [0, 0, 0, 0]}}",
        "1:37: objects.a.quat_xyzw: the quaternion [0.0, 0.0, 0.0, 0.0] is not a rotation; repair it",
    ),
    "a slash in a name": (
        "objects: {a/b: {sphere: 1}}",
        "1:11: objects.a/b: a name has no '/', which stands between",
    ),
    "a part without shape": (
        "objects: {a: {parts: [{sphere: 1}, {position: [0, 0, 1]}]}}",
        "1:36: objects.a.parts[1]: it has no shape; give one of box, capsule, cylinder, ellipsoid, "
        "mesh, sphere",
    ),
    "a motion beside a position": (
        "objects: {a: {sphere: 1, position: [0, 0, 0], motion: {times: [0], positions: [[0, 0, 0]]}}}",
        "1:26: objects.a.position: the motion already gives its pose; remove 'position' or 'motion'",
    ),
    "a spline of something that is not a robot": (
        "objects: {a: {sphere: 1, motion: {times: [0], positions: [[0, 0, 0]], interpolation: spline}}}",
        (
            "1:86: objects.a.motion.interpolation: 'spline' is not for an object that is not a robot; use linear, "
            "screw or cubic"
        ),
    ),
    "too few samples of a cubic": (
        "objects: {a: {sphere: 1, interpolation: cubic, motion: {times: [0, 1], positions: [[0, 0, 0], [1, 0, 0]]}}}",
        '1:56: objects.a.motion: "cubic" needs 3n + 1 samples',
    ),
    "joint values of a ball": (
        "objects: {a: {sphere: 1, motion: {times: [0], q: [[0]]}}}",
        "1:34: objects.a.motion: joint values are for robots, and this object is not a robot; give positions or poses",
    ),
    "a method that there is not": (
        "method: bisect\nobjects: {a: {sphere: 1}}",
        "1:9: method: it must be 'hybrid', 'bisection', 'exact' or 'bisect_exact', but it is 'bisect'",
    ),
    "an interval that runs backwards": (
        "interval: [3, 1]\nobjects: {a: {sphere: 1}}",
        "1:11: interval: it ends at 1 s and begins at 3 s; give the earlier time first",
    ),
    "a pair of three": (
        "objects: {a: {sphere: 1}}\nallowed: [[a, a, a]]",
        "2:11: allowed[0]: expected 2 values",
    ),
    "a pair of one with itself": (
        "objects: {a: {sphere: 1}}\nallowed: [[a, a]]",
        "2:11: allowed[0]: 'a' is named twice; a pair has two different names",
    ),
    "a link of a ball": (
        "objects: {a: {sphere: 1}, b: {sphere: 1}}\nallowed: [[a/tip, b]]",
        "2:12: allowed[0][0]: 'a' is not a robot, so it has no link 'tip'; name it 'a'",
    ),
    "a list that is none": (
        "objects: {a: {sphere: 1}}\nonly: a",
        "2:7: only: expected a list such as [arm, [cart, table]]",
    ),
    "an empty list": ("objects: {a: {sphere: 1}}\nonly: []", "2:7: only: this list is empty; give entries"),
    "a window that ends too early": (
        "objects: {a: {sphere: 1}, b: {sphere: 1}}\nallowed: [{pair: [a, b], from: 3, to: 2}]",
        "2:39: allowed[0].to: it ends at 2 s, but begins at 3 s; give a later time",
    ),
    "a program of nothing": (
        "objects: {ball: {sphere: 1}}\nprograms: {p: {bal: a.csv}}",
        "2:16: programs.p.bal: there is no object 'bal'; did you mean 'ball'?",
    ),
    "a program without its file": (
        "objects: {ball: {sphere: 1}}\nprograms: {p: {ball: {file: lost.npz}}}",
        "2:29: programs.p.ball.file: there is no motion file 'lost.npz'; check the path",
    ),
    "two ways to tell the time": (
        "objects: {ball: {sphere: 1, motion: {file: way.csv, dt: 1, speed: 2}}}",
        "1:60: objects.ball.motion.speed: 'dt' already gives the times of rows; keep one of them",
    ),
    "two units": (
        "objects: {ball: {sphere: 1, motion: {file: way.csv, dt: 1, unit: mm, units: {length: cm}}}}",
        "1:60: objects.ball.motion.unit: 'units' gives lengths in cm; keep one of them",
    ),
    "a merge of nothing": (
        "objects: {ball: {<<: 5, sphere: 1}}",
        "1:18: objects.ball: '<<' takes keys and values, such as '<<: *name'",
    ),
    "attached to a ball": (
        "objects: {a: {sphere: 1}, b: {sphere: 1}}\nattached: [{object: a, to: b, from: 1}]",
        "2:28: attached[0].to: 'b' is not a robot; attach to a link, such as arm/hand",
    ),
    "a tool of a ball": (
        "objects: {a: {sphere: 1}, b: {sphere: 1, tool: {of: a, link: flange}}}",
        "1:53: objects.b.tool.of: 'a' is not a robot; name the robot that has this tool",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_mistake_is_one_line_at_its_place(tmp_path: Path, name: str) -> None:
    text, expected = CASES[name]
    found = mistakes(tmp_path, text, flap_obj=FLAP, way_csv="x,y,z\n0,0,0\n")
    assert len(found) == 1, found
    assert found[0].startswith(f"cell.yaml:{expected}")
    assert "pydantic" not in found[0]
    assert "Input should" not in found[0]


ROBOT_CASES = {
    "arm: {robot: arm.urdf, motion: bad.csv}": (
        "objects.arm.motion: bad.csv:3: times must increase, but 0 s follows 1 s; sort the samples by time",
    ),
    "arm: {robot: arm.urdf, srdf: arm.srdf, state: uot}": (
        "objects.arm.state: robot 'arm' has no state 'uot'",
    ),
    "arm: {robot: arm.urdf, srdf: am.srdf}": (
        "objects.arm.srdf: there is no SRDF file 'am.srdf'; did you mean 'arm.srdf'?",
    ),
    "arm: {robot: arm.urdf, q: [1]}": ("objects.arm.q: it has 1 value for 2 joints: shoulder and reach",),
    "arm: {robot: arm.urdf, q: {sholder: 1}}": (
        "objects.arm.q.sholder: the robot has no joint 'sholder'; did you mean 'shoulder'?",
    ),
    "arm: {robot: arm.urdf, package_dirs: [nowhere]}": (
        "objects.arm.package_dirs[0]: there is no folder 'nowhere'; check the path",
    ),
    "arm: {robot: amr.urdf, motion: pik.csv}": (
        "objects.arm.robot: there is no URDF file 'amr.urdf'; did you mean 'arm.urdf'?",
        "objects.arm.motion: there is no motion file 'pik.csv'; did you mean 'pick.csv'?",
    ),
    "arm: {robot: arm.urdf, tool: {of: arm, link: hand}}": (
        "objects.arm.tool: a robot is not a tool; give the tool as an object",
    ),
    "arm: {robot: arm.urdf, motion: pick.csv, interpolation: screw}": (
        "objects.arm.interpolation: 'screw' is not for a robot; use linear or spline",
    ),
}


@pytest.mark.parametrize("text", ROBOT_CASES)
def test_mistakes_about_robots_are_told(tmp_path: Path, text: str) -> None:
    files = {"arm_urdf": ARM, "arm_srdf": SRDF, "pick_csv": PICK}
    bad, expected = "time,shoulder,reach\n1,0,0\n0,0,0\n", ROBOT_CASES[text]
    found = mistakes(tmp_path, f"objects:\n  {text}\n", bad_csv=bad, **files)
    assert len(found) == len(expected), found
    for line, start in zip(found, expected, strict=True):
        assert line.startswith("cell.yaml:2:")
        assert start in line


def test_what_can_be_built_is_there_beside_the_mistakes(tmp_path: Path) -> None:
    path = write(tmp_path, cell_yaml=TEN, arm_urdf=ARM, bad_csv=PICK.replace("reach", "rech"))
    cell = read_cell(path, strict=False)
    assert list(cell.objects) == ["arm", "cart", "tray"]
    assert len(cell.mistakes) == 10
    world = cell.world()
    assert world.names == ("arm", "cart", "tray")
    assert repr(cell) == f"Cell('{path}', 3 objects, 10 errors)"


def test_a_broken_file_can_be_looked_at(tmp_path: Path) -> None:
    cell = read_cell(write(tmp_path, cell_yaml="objects: [1\n"), strict=False)
    assert cell.objects == {}
    assert len(cell.mistakes) == 1


def test_many_rows_with_the_same_mistake_are_counted(tmp_path: Path) -> None:
    rows = ", ".join(["[0, 0, x]"] * 50)
    found = mistakes(tmp_path, f"objects: {{a: {{sphere: 1, motion: {{times: [0], positions: [{rows}]}}}}}}")
    assert len(found) == 3
    assert found[2].endswith("positions[2][2]: expected a number, but it is 'x' (and 47 more like this)")


def test_one_mistake_hides_no_other(tmp_path: Path) -> None:
    text = """\
objects:
  arm: {robot: arm.urdf, motion: {file: bad.csv, unts: {angle: deg}}, margin: x}
  part: {sphere: 0.1, motion: {file: lost.npz, hold: never}}
allowed: [{pair: [arm, prt], from: abc}, [arm, prt, 5]]
margins: [{pair: [arm/hnd, part], margn: 1}]
attached: [{object: prt, to: arm/hnd}]
programs: {p: {am: 5, arm: {file: bad.csv, hodl: both}}}
"""
    found = mistakes(tmp_path, text, arm_urdf=ARM, bad_csv=PICK.replace("reach", "rech"))
    assert [line.removeprefix("cell.yaml:").split(": ")[1] for line in found] == [
        "objects.arm.motion.file",
        "objects.arm.motion.unts",
        "objects.arm.margin",
        "objects.part.motion.file",
        "objects.part.motion.hold",
        "allowed[0].pair[1]",
        "allowed[0].from",
        "allowed[1]",
        "allowed[1][1]",
        "margins[0].pair[0]",
        "margins[0].margn",
        "attached[0]",
        "attached[0].object",
        "attached[0].to",
        "programs.p.am",
        "programs.p.am",
        "programs.p.arm.file",
        "programs.p.arm.hodl",
    ]


def test_a_cell_with_mistakes_is_not_verified(tmp_path: Path) -> None:
    """What is wrong in it is left out: without the wall, a ball through a wall was CLEAR."""
    motion = "{times: [0, 1], positions: [[-1, 0, 0], [1, 0, 0]]}"
    things = "  wall: {box: [0.1, 1]}\n  lamp: {sphere: 0.1, position: [9, 9, 9]}\n"
    text = f"objects:\n  ball: {{sphere: 0.1, motion: {motion}}}\n{things}"
    cell = read_cell(write(tmp_path, cell_yaml=text), strict=False)
    assert len(cell.mistakes) == 1
    with pytest.raises(CellError, match="wall"):
        verify(cell)
    assert any("wall" in warning for warning in cell.world().verify().warnings)


@pytest.mark.parametrize("wall", ["{scale: 2, position: [0, 0, 0]}", "{parts: [{sphere: 0.1}, {scale: 2}]}"])
def test_a_key_that_looks_like_a_shape_makes_no_object(tmp_path: Path, wall: str) -> None:
    """'scale' passed for a misspelt 'capsule', which nobody told: the wall was left out, and the cell was CLEAR."""
    (found,) = mistakes(tmp_path, f"objects:\n  ball: {{sphere: 0.1}}\n  wall: {wall}\n")
    assert "it has no shape; give one of box, capsule, cylinder" in found


def test_nothing_is_left_out_in_silence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    motion = "{times: [0, 1], positions: [[-1, 0, 0], [1, 0, 0]]}"
    text = f"objects:\n  ball: {{sphere: 0.1, motion: {motion}}}\nprograms: {{go: {{ball: {motion}}}}}\n"
    monkeypatch.setattr("keepclear.jobs.cell.cell.build_motion", lambda *_: None)
    found = mistakes(tmp_path, text)
    assert [line.split(": ")[1] for line in found] == ["objects.ball.motion", "programs.go.ball"]
    monkeypatch.setattr("keepclear.jobs.cell.building.Builder.object", lambda *_: None)
    assert "objects.ball: it cannot be built from these values" in mistakes(tmp_path, text)[0]


def test_a_pair_has_one_margin(tmp_path: Path) -> None:
    """The last one counted in silence: 0.2 m and then 0 was CLEAR."""
    text = """\
objects:
  a: {sphere: 0.1}
  b: {sphere: 0.1, motion: {times: [0, 1], positions: [[1, 0, 0], [2, 0, 0]]}}
margins: [{pair: [a, b], margin: 0.2}, {pair: [b, a], margin: 0}]
"""
    (found,) = mistakes(tmp_path, text)
    assert found == "cell.yaml:4:40: margins[1]: the pair 'b' - 'a' already has a margin; keep one of them"
