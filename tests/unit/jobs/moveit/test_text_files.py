"""MoveIt's .scene text files, of both forms."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.unit.jobs.moveit.scenes import cell_of

import keepclear as kc
from keepclear.errors import CellError
from keepclear.jobs.moveit.reader import read_planning_scene

OLD = """noname
* table
1
box
2 2 0.05
0 0 -0.08
0 0 0 1
0 0 0 0
* post
2
cylinder
0.05 0.6
0.8 0 0.2
0 0 0.707107 0.707107
1 0 0 1
mesh
4 4
0 0 0
0.1 0 0
0 0.1 0
0 0 0.1
0 2 1
0 1 3
1 2 3
2 0 3
0 0 1
0 0 0 1
0 0 0 0
.
"""
NEW = """noname
* a table
0 0 -0.08
0 0 0 1
2
box
2 2 0.05
0 0 0
0 0 0 1
0 0 0 0
cone
0.1 0.3
0 0 1
0 0 0 1
0 0 0 0
1
tip
0 0 1
0 0 0 1
* ball
0 2 0
0 0 0 1
1
sphere
0.1
0 0 0
0 0 0 1
0 0 0 0
0
.
"""


def test_objects_of_the_old_form_have_poses_of_shapes(tmp_path: Path) -> None:
    cell = cell_of(tmp_path, OLD, "old.scene")
    assert np.array_equal(cell.objects["table"].X_W[:3, 3], [0, 0, -0.08])
    (post, X_OP), (mesh, X_OM) = cell.objects["post"].shapes
    assert repr(post) == "Cylinder(radius=0.05, length=0.6)"  # a text has the radius first
    assert X_OP[:3, 3].tolist() == [0.8, 0, 0.2]
    assert np.allclose(X_OP[:3, :3], [[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    assert (len(mesh.triangles), X_OM[2, 3]) == (4, 1.0)
    contact = kc.verify(cell).first
    assert (contact.a, contact.b) == ("arm/hand", "post")


def test_objects_of_the_new_form_have_a_pose_and_subframes(tmp_path: Path) -> None:
    (tmp_path / "new.scene").write_text(NEW)
    scene = read_planning_scene(tmp_path / "new.scene")
    assert [one.name for one in scene.objects] == ["a table", "ball"]
    assert scene.objects[0].X_FO[:3, 3].tolist() == [0, 0, -0.08]
    assert scene.objects[0].shapes[1].is_cone
    assert scene.notes == ["the subframes tip of a table are not used"]
    assert cell_of(tmp_path, NEW, "new.scene").objects["ball"].X_W[:3, 3].tolist() == [0, 2, 0]


def test_an_empty_scene_is_one(tmp_path: Path) -> None:
    assert list(cell_of(tmp_path, "noname\n.\n", "empty.scene").objects) == ["arm"]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (".\n", "", ":28: the file ends where '*' or '.' is expected"),
        (".\n", ".\n* more\n", ":29: there are lines after '.'"),
        ("box\n2 2", "plane\n2 2", ":4: the shape 'plane' is not read"),
        ("2 2 0.05", "2 2", ":5: expected the sizes of a box, 3 values, but found 2"),
        ("2 2 0.05", "2 2 -1", ":5: Box: size[2] must be finite and > 0"),
        (
            "2 2 0.05",
            "2 2 nan",
            ":5: expected the sizes of a box, numbers up to 1e+09 m, but found '2 2 nan'",
        ),
        ("2 2 0.05", "2 2 1e12", ":5: expected the sizes of a box, numbers up to 1e+09 m"),
        ("2 2 0.05", "2 2 1_0", ":5: expected the sizes of a box, 3 numbers"),
        ("0.707107 0.707107", "7 0", ":14: the quaternion (0, 0, 7, 0) has the length 7"),
        ("2 0 3", "2 0 4", ":25: expected three numbers of vertices, 0 to 3, but one is 4"),
        ("4 4\n", "4 999999999999\n", ":17: expected a whole number"),
        ("4 4\n", "4 999999999\n", ":27: expected a triangle, 3 values, but found 4"),
        ("* post", "* table", ":9: the object needs a name that no other has"),
        ("* post", "* ", ":9: the object needs a name that no other has, but it is ''"),
        ("* post\n2", "* post\n0", ":10: 'post' has no shapes"),
        ("* table", "# table", ":2: expected '* name' or '.', but found '# table'"),
        ("1 0 0 1\nmesh", "mesh", ":15: expected a colour, 4 values, but found 1"),
        (OLD, "", ":1: the file is empty"),
    ],
)
def test_errors_have_their_line(tmp_path: Path, old: str, new: str, expected: str) -> None:
    assert old in OLD
    (tmp_path / "a.scene").write_text(OLD.replace(old, new, 1))
    with pytest.raises(CellError) as caught:
        read_planning_scene(tmp_path / "a.scene")
    (line,) = caught.value.mistakes
    assert f"a.scene{expected}" in line
