"""Where meshes are looked for, in which order, and what is said when they are nowhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from keepclear.errors import ArgumentError, FileMissingError
from keepclear.robot.readers.link_shapes import checked_package_dirs, find_mesh


def found(uri: str, folder: Path, package_dirs: object = ()) -> Path:
    return find_mesh(uri, folder, checked_package_dirs(package_dirs), "link 'a'")


def made(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("x")
    return path


def test_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    mesh = made(tmp_path / "robot" / "meshes" / "a b.stl")
    folder = tmp_path / "robot"
    assert found("meshes/a b.stl", folder) == mesh
    assert found("meshes\\a b.stl", folder) == mesh
    assert found(str(mesh), folder) == mesh
    assert found(f"file://{mesh}", folder) == mesh
    assert found(f"file://{tmp_path}/robot/meshes/a%20b.stl", folder) == mesh
    assert found("a b.stl", folder, [folder / "meshes"]) == mesh


@pytest.mark.parametrize("place", ["arm/urdf", "arm", "elsewhere/robots", "arm/urdf/deep/deeper"])
def test_a_package_is_found_above_the_file(tmp_path: Path, place: str) -> None:
    mesh = made(tmp_path / "arm" / "meshes" / "a.stl")
    folder = tmp_path / place
    folder.mkdir(parents=True, exist_ok=True)
    assert found("package://arm/meshes/a.stl", folder) == mesh
    assert found("model://arm/meshes/a.stl", folder) == mesh


def test_a_package_under_another_name_is_found_beside_the_file(tmp_path: Path) -> None:
    mesh = made(tmp_path / "clone" / "meshes" / "a.stl")
    assert found("package://arm/meshes/a.stl", mesh.parents[1]) == mesh
    (tmp_path / "clone" / "urdf").mkdir()
    assert found("package://arm/meshes/a.stl", tmp_path / "clone" / "urdf") == mesh


def test_package_dirs_come_first(tmp_path: Path) -> None:
    made(tmp_path / "here" / "arm" / "a.stl")
    wanted = made(tmp_path / "there" / "arm" / "a.stl")
    assert found("package://arm/a.stl", tmp_path / "here", [tmp_path / "there"]) == wanted
    assert found("package://arm/a.stl", tmp_path / "here", tmp_path / "there" / "arm") == wanted
    assert found("package://arm/a.stl", tmp_path / "here", {"arm": wanted.parent}) == wanted
    assert found("package://arm/a.stl", tmp_path / "here", {"leg": wanted.parent}) != wanted


def test_a_mesh_that_is_nowhere_lists_the_places(tmp_path: Path) -> None:
    with pytest.raises(FileMissingError) as caught:
        found("package://arm/a.stl", tmp_path, [tmp_path])
    text = str(caught.value)
    assert text.startswith(
        f"link 'a': mesh 'package://arm/a.stl' is not there; tried '{tmp_path}/arm/a.stl', "
    )
    assert text.endswith("pass package_dirs=[folder that holds the package].")
    with pytest.raises(FileMissingError, match=r"tried '.*/b\.stl'; check the path\."):
        found("b.stl", tmp_path)


def test_package_dirs_are_checked(tmp_path: Path) -> None:
    with pytest.raises(FileMissingError, match=r"package_dirs: there is no folder '.*nowhere'"):
        checked_package_dirs([tmp_path / "nowhere"])
    with pytest.raises(ArgumentError, match="must be a list of folders"):
        checked_package_dirs(3)
    with pytest.raises(ArgumentError, match="must hold paths of folders"):
        checked_package_dirs([3])
