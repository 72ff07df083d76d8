"""`keepclear spheres` and `keepclear spheres audit`: options, exit codes, and files."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from numba.core import config

import keepclear as kc
from keepclear.cli import progress
from keepclear.cli.commands.spheres import EXIT_CODES
from keepclear.cli.main import main
from keepclear.robot.spheres import model as sphere_model

BOX = '<link name="{}"><collision><geometry><box size="0.4 0.2 0.2"/></geometry></collision></link>'
ARM = f"""<robot name="arm">{BOX.format("base")}{BOX.format("hand")}
<joint name="j" type="fixed"><parent link="base"/><child link="hand"/><origin xyz="0 0 0.3"/></joint></robot>"""


compiled = pytest.mark.skipif(
    bool(config.DISABLE_JIT), reason="shares of uncovered surfaces take minutes in Python"
)


@pytest.fixture
def urdf(tmp_path: Path) -> Path:
    file = tmp_path / "arm.urdf"
    file.write_text(ARM)
    return file


@pytest.fixture
def mesh(tmp_path: Path) -> Path:
    file = tmp_path / "wedge.off"
    file.write_text("OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n")
    return file


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["spheres", *map(str, arguments)])


def write_model(folder: Path, radius: float, links: tuple[str, ...] = ("base", "hand")) -> Path:
    file = folder / "model.yml"
    cover = kc.SphereCover([[-0.1, 0, 0], [0.1, 0, 0]], np.full(2, radius))
    kc.write_sphere_model(kc.SphereModel("arm", dict.fromkeys(links, cover)), file)
    return file


def test_a_mesh_becomes_a_tree(mesh: Path, tmp_path: Path) -> None:
    ended = run(mesh, "--accuracy", "0.1", "--ratio", "3", "--json", tmp_path / "a.json", "--html", tmp_path / "a.html",
                "--write", tmp_path / "a.yml")  # fmt: skip
    assert ended.exit_code == 0, ended.output
    tree = kc.build_sphere_tree(kc.read_mesh(mesh), 0.1, 3.0)
    lines = ended.output.splitlines()
    assert lines[0] == f"wedge.off: {tree.n_spheres} spheres in {len(tree.ranks)} ranks"
    assert lines[len(tree.ranks)].split() == [
        "rank",
        str(len(tree.ranks)),
        str(tree.n_leaves),
        "of",
        "100",
        "mm",
    ]
    assert "proved: each rank covers the surface; the last reaches at most 0.201 m beyond it" in lines
    content = json.loads((tmp_path / "a.json").read_text())
    assert [rank["spheres"] for rank in content["ranks"]] == [len(rank) for rank in tree.ranks]
    assert (content["cover"], content["excess"]) == (0.0, tree.excess)
    assert "wedge.off" in (tmp_path / "a.html").read_text()
    assert kc.read_sphere_model(tmp_path / "a.yml").n_spheres == tree.n_leaves


@compiled
def test_a_robot_becomes_a_model(urdf: Path, tmp_path: Path) -> None:
    ended = run(
        urdf, "--accuracy", "0.1", "--write", tmp_path / "model.urdf", "--html", tmp_path / "model.html"
    )
    assert ended.exit_code == 0, ended.output
    assert "proved: the spheres cover the surface" in ended.output
    audit = run("audit", tmp_path / "model.urdf", "--urdf", urdf)
    assert audit.exit_code == 0, audit.output
    assert "Proved: the spheres cover the surfaces of 2 links." in audit.output


@compiled
def test_a_number_of_spheres_and_solids(mesh: Path, urdf: Path, tmp_path: Path) -> None:
    ended = run(
        mesh, "--max-spheres", "12", "--solid", "--write", tmp_path / "a.json", "--html", tmp_path / "a.html"
    )
    assert ended.exit_code == 0, ended.output
    assert "proved: the spheres cover the solid" in ended.output
    assert kc.read_sphere_model(tmp_path / "a.json").n_spheres <= 12
    ended = run(urdf, "--max-spheres", "10", "--json", tmp_path / "b.json", "-q")
    assert (ended.exit_code, ended.output, ended.stderr) == (0, "", "")
    content = json.loads((tmp_path / "b.json").read_text())
    assert content["spheres"] <= 10
    assert content["cover"] == 0.0


@compiled
def test_progress_is_written_as_lines_where_there_is_no_terminal(
    urdf: Path, mesh: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sphere_model, "stored_covers", lambda *_: None)  # an earlier run may have stored them
    monkeypatch.setenv("KEEPCLEAR_QUIET", "")
    monkeypatch.setattr(progress, "LINE_PERIOD", 0.0)
    monkeypatch.setattr(progress, "LINE_GROWTH", 0.0)
    ended = run(urdf, "--max-spheres", "11", "--json", "-")
    assert re.search(r"covering base to [0-9.]+ mm", ended.stderr)
    assert "covering hand to " in ended.stderr
    assert json.loads(ended.stdout)["spheres"] <= 11
    ended = run(mesh, "--accuracy", "0.2", "--solid")
    assert "covering to 200 mm" in ended.stderr


@compiled
def test_openings_that_count_as_closed_are_named(tmp_path: Path) -> None:
    (tmp_path / "tube.obj").write_text(_tube())
    file = tmp_path / "tube.urdf"
    file.write_text(
        '<robot name="tube"><link name="tube"><collision><geometry><mesh filename="tube.obj"/></geometry></collision>'
        "</link></robot>"
    )
    ended = run(
        file, "--max-spheres", "12", "--write", tmp_path / "tube.yml", "--json", tmp_path / "tube.json"
    )
    sentence = "excess is measured with small openings of open meshes closed: tube (2)"
    assert sentence in ended.output
    assert json.loads((tmp_path / "tube.json").read_text())["links"][0]["openings"] == 2
    audit = run("audit", tmp_path / "tube.yml", "--urdf", file, "--json", tmp_path / "audit.json")
    assert audit.exit_code == 0, audit.output
    assert sentence in audit.output
    assert json.loads((tmp_path / "audit.json").read_text())["links"][0]["openings"] == 2


def _tube() -> str:
    """Return a square tube without ends as an OBJ file."""
    lines = [f"v {x} {y} {z}" for z in (0, 1) for x, y in ((0, 0), (0.1, 0), (0.1, 0.1), (0, 0.1))]
    return "\n".join(lines + [f"f {i} {i % 4 + 1} {i % 4 + 5} {i + 4}" for i in (1, 2, 3, 4)]) + "\n"


@compiled
def test_what_sticks_out_ends_with_1(urdf: Path, tmp_path: Path) -> None:
    model = write_model(tmp_path, 0.15)
    ended = run("audit", model, "--urdf", urdf, "--json", tmp_path / "a.json", "--html", tmp_path / "a.html")
    assert ended.exit_code == 1
    rows = [line.split() for line in ended.output.splitlines()]
    assert rows[1][0] == "link"
    assert rows[2][:4] == ["base", "2", "23.21", "mm"]  # sqrt(3) * 0.1 - 0.15
    assert "2 of 2 links stick out of their spheres, 'base' by 23.20 mm." in ended.output
    content = json.loads((tmp_path / "a.json").read_text())
    assert content["state"] == "uncovered"
    assert abs(content["links"][0]["sticks_out_lower"] - (0.1 * 3**0.5 - 0.15)) < 1e-4
    assert "Audit of model.yml" in (tmp_path / "a.html").read_text()


def test_what_is_covered_ends_with_0(urdf: Path, tmp_path: Path) -> None:
    ended = run("audit", write_model(tmp_path, 0.18), "--urdf", urdf)
    assert ended.exit_code == 0
    assert "Proved: the spheres cover the surfaces of 2 links." in ended.output
    assert run("audit", write_model(tmp_path, 0.18), "--urdf", urdf, "--quiet").output == ""


@compiled
def test_a_link_without_spheres_is_uncovered(urdf: Path, tmp_path: Path) -> None:
    ended = run("audit", write_model(tmp_path, 0.18, ("base",)), "--urdf", urdf)
    assert ended.exit_code == 1
    assert "'hand' has no spheres" in ended.output
    assert "No growth of radii covers a link without spheres." in ended.output


def test_what_is_not_decided_ends_with_3() -> None:
    assert EXIT_CODES == {"covered": 0, "uncovered": 1, "undecided": 3}


@compiled
def test_undecided(urdf: Path, tmp_path: Path) -> None:
    """A ball through the corners of a box to the last digit: nothing is outside, and rounding leaves no proof."""
    urdf.write_text(ARM.replace("0.4 0.2 0.2", "0.2 0.2 0.2"))
    text = json.dumps({
        "format": "keepclear spheres", "version": 1, "robot": "arm",
        "links": {name: {"centers": [[0, 0, 0]], "radii": [0.1 * 3**0.5], "cover": 0.0, "excess": 0.0, "solid": False,
                         "shapes": None} for name in ("base", "hand")},
    })  # fmt: skip
    (tmp_path / "model.json").write_text(text)
    ended = run("audit", tmp_path / "model.json", "--urdf", urdf)
    assert ended.exit_code == 3, ended.output
    assert "nothing was found outside, and cover is not proved" in ended.output


@compiled
def test_other_shapes_are_said(urdf: Path, tmp_path: Path) -> None:
    robot = kc.read_robot(urdf)
    cover = kc.SphereCover([[-0.1, 0, 0], [0.1, 0, 0]], [0.18, 0.18])
    kc.write_sphere_model(kc.SphereModel("arm", {"base": cover, "hand": cover}), tmp_path / "a.json", robot)
    assert "other shapes" not in run("audit", tmp_path / "a.json", "--urdf", urdf).output
    urdf.write_text(ARM.replace("0.4 0.2 0.2", "0.4 0.2 0.1", 1))
    ended = run("audit", tmp_path / "a.json", "--urdf", urdf)
    assert "The file says that it was made for other shapes of: base." in ended.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["{mesh}"], "give --accuracy METRES"),
        (["{mesh}", "--accuracy", "-1"], "--accuracy must be a number > 0, but it is '-1'"),
        (["{mesh}", "--accuracy", "0.1", "--max-spheres", "3"], "exclude each other"),
        (["{urdf}", "--accuracy", "0.1", "--ratio", "2"], "--ratio is for the tree of a mesh"),
        (["{urdf}", "--accuracy", "0.1", "--unit", "mm"], "--unit is for meshes"),
        (["{mesh}", "--accuracy", "0.1", "--write", "{folder}/a"], "does not give the format"),
        (["{mesh}", "--accuracy", "0.1", "--write", "{folder}/a.urdf"], "URDF is for robots"),
        (["{mesh}", "--accuracy", "0.1", "--write", "{folder}/none/a.yml"], "none/a.yml: there is no folder"),
        (["{mesh}", "--accuracy", "0.1", "--html", "{mesh}"], "this command already uses this file"),
        (["{folder}/none.stl", "--accuracy", "0.1"], "none.stl"),
        (["{folder}/none.stl"], "none.stl'; check the path."),
        (["adit"], "there is no file 'adit'; did you mean 'audit'?"),
        (["audit", "{model}", "--urdf", "{folder}/none.urdf"], "there is no URDF file"),
        (["audit", "{folder}/none.yml", "--urdf", "{urdf}"], "there is no sphere model"),
        (["audit", "{urdf}", "--urdf", "{urdf}"], "has a box among its collision shapes"),
        (["audit", "{model}", "--urdf", "{urdf}", "--tolerance", "0"], "--tolerance must be a number > 0"),
        (["audit", "{model}", "--urdf", "{urdf}", "--json", "{model}"], "this command already uses this file"),
    ],
)  # fmt: skip
def test_bad_input_ends_with_2(
    arguments: list[str], said: str, mesh: Path, urdf: Path, tmp_path: Path
) -> None:
    known = {"mesh": mesh, "urdf": urdf, "folder": tmp_path, "model": write_model(tmp_path, 0.2)}
    ended = run(*(argument.format(**known) for argument in arguments))
    assert ended.exit_code == 2
    assert said.format(**known) in ended.output
    assert ended.output.count("\n") == 1


def test_help_names_both_commands() -> None:
    assert "keepclear spheres audit MODEL" in run("--help").output
    assert "certified bound" in run("audit", "--help").output
