"""`keepclear prepare`: writes a model that answers as its mesh does, and says what is in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import keepclear as kc
from keepclear.cli.main import main

CUBE = "".join(f"v {x} {y} {z}\n" for x in (0, 10) for y in (0, 10) for z in (0, 10)) + (
    "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n"
)


@pytest.fixture
def mesh(tmp_path: Path) -> Path:
    (tmp_path / "cube.obj").write_text(CUBE)
    return tmp_path / "cube.obj"


def test_a_model_is_written_into_the_current_folder(
    mesh: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    result = CliRunner().invoke(main, ["prepare", str(mesh), "--unit", "mm"], catch_exceptions=False)
    assert result.exit_code == 0
    target = Path("cube.kcm")
    head, *lines = result.output.splitlines()
    assert head.startswith(
        f"{target}: Mesh('cube.obj', 8 vertices, 12 triangles, extent (0.01, 0.01, 0.01) m, solid)"
    )
    names = [line.split()[0] for line in lines]
    assert names == ["shape", "obb_tree", "box_tree", "hull", "hull_faces"]
    assert lines[-1].endswith("which faces of the hull are real")
    assert kc.read_prepared(target).shape == kc.read_mesh(mesh, "mm")


def test_options(mesh: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.kcm"
    options = ["--unit", "mm", "--scale", "2", "--tree", "obb_tree", "--no-hull", "-q", "-o", str(target)]
    result = CliRunner().invoke(main, ["prepare", str(mesh), *options], catch_exceptions=False)
    assert (result.exit_code, result.output) == (0, "")
    model = kc.read_prepared(target)
    assert model.shape == kc.read_mesh(mesh, "mm", scale=2.0)
    assert set(model.sections) == {"shape", "obb_tree"}


def test_bad_input_is_one_line(mesh: Path, tmp_path: Path) -> None:
    for arguments, why in (
        ([str(tmp_path / "none.obj")], "there is no mesh file"),
        ([str(mesh), "-o", str(tmp_path / "none" / "x.kcm")], "cannot be written"),
    ):
        result = CliRunner().invoke(main, ["prepare", "--unit", "mm", *arguments])
        assert result.exit_code == 2
        assert why in result.output
        assert len(result.output.splitlines()) == 1


def test_a_page_of_elements_is_written_too(mesh: Path, tmp_path: Path) -> None:
    target, page = tmp_path / "cube.kcm", tmp_path / "cube.html"
    options = ["--unit", "mm", "-o", str(target), "--html", str(page), "--spheres", "0.002"]
    result = CliRunner().invoke(main, ["prepare", str(mesh), *options], catch_exceptions=False)
    assert result.exit_code == 0
    assert "cube.obj: 1 convex element" in page.read_text()
    model = kc.read_prepared(target)
    assert (len(model.elements), model.sphere_tree.accuracy) == (1, 0.002)
    for bad, why in ((tmp_path / "none" / "x.html", "there is no folder"), (target, "already")):
        result = CliRunner().invoke(main, ["prepare", str(mesh), "-o", str(target), "--html", str(bad)])
        assert (result.exit_code, why in result.output) == (2, True)
