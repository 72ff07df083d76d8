"""`keepclear init`: a cell file to begin with."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import keepclear as kc
from keepclear.cli.main import main

URDF = """<robot name="lever">
  <link name="base"><collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
  <link name="arm"><collision><origin xyz="0.5 0 0.2"/><geometry><box size="1 0.1 0.1"/></geometry></collision></link>
  <joint name="turn" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
    <limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
</robot>
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a robot and one of its programs, in which commands run."""
    (tmp_path / "lever.urdf").write_text(URDF)
    (tmp_path / "swing.csv").write_text("time,turn\n0,0\n1,0.5\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["init", *map(str, arguments)], catch_exceptions=False)


def test_the_cell_that_is_written_can_be_read(folder: Path) -> None:
    result = run("lever.urdf", "swing.csv")
    assert result.exit_code == 0, result.stderr
    assert result.stdout.splitlines()[0] == "written: cell.yaml"
    cell = kc.read_cell(folder / "cell.yaml")
    assert cell.objects["lever"].robot is not None
    assert cell.world().span == (0.0, 1.0)
    assert "#" in (folder / "cell.yaml").read_text()


def test_a_file_is_not_written_over_unless_forced(folder: Path) -> None:
    path = folder / "mine.yaml"
    path.write_text("mine")
    result = run("lever.urdf", "-o", path)
    assert (result.exit_code, path.read_text()) == (2, "mine")
    assert "--force overwrites it" in result.stderr
    assert run("lever.urdf", "-o", path, "--force").exit_code == 0
    assert path.read_text() != "mine"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["no-such.urdf"], "no-such.urdf"),
        (["lever.urdf", "-o", "no/such/cell.yaml"], "there is no folder 'no/such'"),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], words: str, folder: Path) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1
    assert words in result.stderr
    assert not (folder / "cell.yaml").exists()


def test_packages_of_meshes_are_named_in_the_cell(folder: Path) -> None:
    """Without the folder, the message names the option, not the argument of Python."""
    (folder / "packages" / "lever_description").mkdir(parents=True)
    (folder / "packages" / "lever_description" / "bar.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    mesh = '<mesh filename="package://lever_description/bar.obj"/>'
    (folder / "far").mkdir()
    (folder / "far" / "bar.urdf").write_text(
        f'<robot name="bar"><link name="bar"><collision><geometry>{mesh}</geometry></collision></link></robot>'
    )
    result = run("far/bar.urdf")
    assert result.exit_code == 2
    assert result.stderr.endswith("; give --package-dir FOLDER, the folder that holds the package.\n")
    result = run("far/bar.urdf", "--package-dir", "packages")
    assert result.exit_code == 0, result.stderr
    assert "    package_dirs: [packages]\n" in (folder / "cell.yaml").read_text()
    assert kc.read_cell(folder / "cell.yaml").objects["bar"].robot is not None


SCENE = """shelf
* post
1
cylinder
0.05 1
1.1 0 0
0 0 0 1
0 0 0 0
* lamp
1
cone
0.1 0.2
0 0 2
0 0 0 1
0 0 0 0
.
"""


def test_a_planning_scene_becomes_a_cell_that_is_verified(folder: Path) -> None:
    (folder / "shelf.scene").write_text(SCENE)
    (folder / "plan.yaml").write_text(
        "joint_trajectory:\n  joint_names: [turn]\n  points:\n"
        "  - {positions: [-1.0], time_from_start: {sec: 0, nanosec: 0}}\n"
        "  - {positions: [1.0], time_from_start: {sec: 2, nanosec: 0}}\n"
    )
    (folder / "moveit.srdf").write_text('<robot name="lever"/>')
    result = run("lever.urdf", "plan.yaml", "--scene", "shelf.scene", "--srdf", "moveit.srdf")
    assert result.exit_code == 0, result.stderr
    assert result.stdout.splitlines() == [
        "written: cell.yaml",
        "also written: cell.schema.json, for completion and checks in editors",
        "next: read the notes in cell.yaml, keepclear view cell.yaml, then keepclear verify cell.yaml",
    ]
    assert sorted(path.name for path in folder.glob("cell*")) == [
        "cell.schema.json", "cell.yaml", "cell_lamp_0.obj",
    ]  # fmt: skip
    assert "srdf: moveit.srdf" in (folder / "cell.yaml").read_text()
    checked = CliRunner().invoke(main, ["verify", "cell.yaml"], catch_exceptions=False)
    assert checked.exit_code == 0, checked.stdout
    (folder / "shelf.scene").write_text(SCENE.replace("1.1 0 0", "1.0 0 0"))
    assert run("lever.urdf", "plan.yaml", "--scene", "shelf.scene").exit_code == 2  # the cell is there
    assert run("lever.urdf", "plan.yaml", "--scene", "shelf.scene", "--force").exit_code == 0
    checked = CliRunner().invoke(main, ["verify", "cell.yaml"], catch_exceptions=False)
    assert checked.exit_code == 1
    assert "post" in checked.stdout


def test_what_is_wrong_with_a_scene_is_one_line(folder: Path) -> None:
    (folder / "bad.scene").write_text(SCENE.replace("cone", "plane"))
    result = run("lever.urdf", "--scene", "bad.scene")
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert "bad.scene:11: the shape 'plane' is not read; use box, sphere, cylinder, cone or mesh" in line
    assert not (folder / "cell.yaml").exists()
    for arguments in (["bad.scene"], ["lever.urdf", "bad.scene"]):
        assert "'bad.scene' is a planning scene; give it as --scene bad.scene." in run(*arguments).stderr


def test_the_stamp_of_a_message_does_not_count(folder: Path) -> None:
    (folder / "plan.yaml").write_text(
        "header: {stamp: {sec: 1700000000, nanosec: 0}}\njoint_names: [turn]\npoints:\n"
        "- {positions: [0.0], time_from_start: {sec: 0, nanosec: 0}}\n"
        "- {positions: [1.0], time_from_start: {sec: 2, nanosec: 0}}\n"
    )
    assert run("lever.urdf", "plan.yaml").exit_code == 0
    assert kc.read_cell(folder / "cell.yaml").world().span == (0.0, 2.0)


def test_a_planning_scene_is_no_motion(folder: Path) -> None:
    (folder / "scene.yaml").write_text("robot_state: {}\nworld: {}\n")
    result = run("lever.urdf", "scene.yaml")
    assert result.exit_code == 2
    assert (
        "to fix: scene.yaml: it is a planning scene, not a motion; keepclear init URDF --scene makes"
        in result.stderr
    )


def test_what_is_wrong_with_the_program_is_said_at_once(folder: Path) -> None:
    (folder / "swing.csv").write_text("time,turm\n0,0\n1,0.5\n")
    result = run("lever.urdf", "swing.csv")
    assert (result.exit_code, (folder / "cell.yaml").is_file()) == (2, True)
    assert result.stderr.startswith("to fix: swing.csv:1: ")
    assert "next: correct swing.csv or its options in cell.yaml, keepclear view cell.yaml" in result.stdout
