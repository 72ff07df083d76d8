"""Mesh files: formats, units, merged vertices, and one clear error for each thing that can be wrong."""

from __future__ import annotations

import json
import struct
import sys
import warnings
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh

from keepclear.cli.commands.verify import MESH_FILES
from keepclear.errors import (
    ArgumentError,
    FileMissingError,
    MeshError,
    MeshFileError,
    MissingPackageError,
    UnitWarning,
)
from keepclear.geometry.mesh_files import reading
from keepclear.geometry.mesh_files.reading import read_mesh
from keepclear.geometry.shapes.mesh import Mesh

SHARED = Path(__file__).resolve().parents[4].parent / "shared" / "data"
STEP_FILE = Path(__file__).resolve().parents[3] / "data" / "cylinder.step"
TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize("kind", ["stl", "stl_ascii", "obj", "ply", "off", "glb", "3mf", "dae"])
def test_formats(kind: str, tmp_path: Path) -> None:
    box = trimesh.creation.box([0.5, 0.25, 2.0])
    file = write(tmp_path / f"box.{kind.removesuffix('_ascii')}", box.scene().export(file_type=kind)
                 if kind == "3mf" else box.export(file_type=kind))  # fmt: skip
    mesh = read_mesh(file, unit="m", solid=True)
    assert (len(mesh.vertices), len(mesh.triangles)) == (8, 12)
    assert mesh.volume == pytest.approx(0.25, rel=1e-15)
    assert mesh.name == file.name
    assert mesh.tessellation_error == 0.0


def test_gltf_with_its_buffers_beside_it(tmp_path: Path) -> None:
    for name, content in trimesh.creation.box([1, 2, 3]).scene().export(file_type="gltf").items():
        write(tmp_path / name, content)
    assert read_mesh(tmp_path / "model.gltf").volume == pytest.approx(6.0)
    buffer = tmp_path / "gltf_buffer_0.bin"
    buffer.write_bytes(buffer.read_bytes()[:-4])
    with pytest.raises(MeshFileError, match=r"model\.gltf"):
        read_mesh(tmp_path / "model.gltf")


@pytest.mark.parametrize("kind", ["glb", "3mf"])
def test_parts_of_a_scene_stand_in_their_places(kind: str, tmp_path: Path) -> None:
    box = trimesh.creation.box([1, 1, 1])
    scene = trimesh.Scene()
    scene.add_geometry(box, geom_name="a")
    scene.add_geometry(
        box.copy(), geom_name="b", transform=trimesh.transformations.translation_matrix([5, 0, 0])
    )
    mesh = read_mesh(write(tmp_path / f"two.{kind}", scene.export(file_type=kind)), unit="m")
    assert mesh.check.n_pieces == 2
    assert [bound.tolist() for bound in mesh.bounds] == [[-0.5, -0.5, -0.5], [5.5, 0.5, 0.5]]


def test_mirrored_part_is_not_inside_out(tmp_path: Path) -> None:
    scene = trimesh.Scene()
    scene.add_geometry(trimesh.creation.box([1, 1, 1]), transform=np.diag([-1.0, 1, 1, 1]))
    mesh = read_mesh(write(tmp_path / "mirrored.glb", scene.export(file_type="glb")))
    assert mesh.volume == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("unit", "metres"), [("m", 1), ("cm", 1e-2), ("mm", 1e-3), ("um", 1e-6), ("in", 0.0254)]
)
def test_units_and_scale(unit: str, metres: float, tmp_path: Path) -> None:
    file = write(tmp_path / "t.obj", TETRAHEDRON)
    assert read_mesh(file, unit).bounds[1].tolist() == [metres] * 3
    assert read_mesh(file, unit=unit, scale=2).bounds[1].tolist() == [2 * metres] * 3


def test_files_that_carry_a_unit_use_it_unless_told_otherwise(tmp_path: Path) -> None:
    box = trimesh.creation.box([100, 100, 100])
    three = write(tmp_path / "box.3mf", box.scene().export(file_type="3mf"))
    assert read_mesh(three).bounds[1] == pytest.approx(
        [0.05] * 3
    )  # 3MF: millimetres unless it says otherwise
    assert read_mesh(three, unit="cm").bounds[1] == pytest.approx([0.5] * 3)
    glb = write(tmp_path / "box.glb", box.export(file_type="glb"))
    assert read_mesh(glb).bounds[1].tolist() == [50.0] * 3
    assert read_mesh(glb, unit="mm").bounds[1] == pytest.approx([0.05] * 3)
    dae = box.export(file_type="dae").replace(b"<up_axis>", b'<unit name="inch" meter="0.0254"/><up_axis>')
    assert read_mesh(write(tmp_path / "box.dae", dae)).bounds[1] == pytest.approx([1.27] * 3)


@pytest.mark.parametrize(
    ("unit", "metres"), [("micron", 1e-6), ("inch", 0.0254), ("foot", 0.3048), ("meter", 1.0)]
)
def test_units_of_3mf(unit: str, metres: float, tmp_path: Path) -> None:
    source = write(tmp_path / "a.3mf", trimesh.creation.box([2, 2, 2]).scene().export(file_type="3mf"))
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(tmp_path / "b.3mf", "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(b'"millimeter"', f'"{unit}"'.encode()))
    assert read_mesh(tmp_path / "b.3mf").bounds[1] == pytest.approx([metres] * 3, rel=1e-15)


def test_implausible_sizes_warn(tmp_path: Path) -> None:
    file = write(tmp_path / "part.obj", TETRAHEDRON.replace("1 0 0", "120 0 0"))
    with pytest.warns(UnitWarning, match=r"part\.obj' has no unit and would be 120 m large.*pass unit='mm'"):
        read_mesh(file)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read_mesh(file, unit="mm")
        read_mesh(file, scale=0.1)
    with pytest.warns(UnitWarning, match="may not be metres"):
        read_mesh(file, scale=1e-6)


def test_duplicate_vertices_are_merged_exactly_or_not_at_all(tmp_path: Path) -> None:
    file = write(tmp_path / "box.stl", trimesh.creation.box([1, 1, 1]).export(file_type="stl"))
    merged, loose = read_mesh(file), read_mesh(file, merge=False)
    assert (len(merged.vertices), len(loose.vertices)) == (8, 36)
    assert np.array_equal(merged.vertices[merged.triangles], loose.vertices[loose.triangles])
    assert loose.is_solid


def test_faces_without_area_stay_part_of_the_surface(tmp_path: Path) -> None:
    file = write(tmp_path / "t.obj", TETRAHEDRON + "v 3 0 0\nf 2 5 5\nv 1 0 0\nf 2 6 5\n")
    mesh = read_mesh(file)
    assert len(mesh.triangles) == 6
    assert mesh.check.degenerate_faces == (4, 5)
    assert mesh.bounds[1].tolist() == [3.0, 1.0, 1.0]


def test_solid(tmp_path: Path) -> None:
    file = write(tmp_path / "flap.obj", TETRAHEDRON.replace("f 1 4 3\n", ""))
    assert not read_mesh(file).is_solid
    with pytest.raises(
        MeshError, match=r"mesh 'flap\.obj' has 3 open edges \(first: vertices 0-2\), so it has no"
    ):
        read_mesh(file, solid=True)
    closed = write(tmp_path / "t.obj", TETRAHEDRON)
    assert read_mesh(closed, solid=True).is_solid
    assert not read_mesh(closed, solid=False).is_solid


def test_obj_in_all_its_forms(tmp_path: Path) -> None:
    text = (
        "# a comment\r\nmtllib part.mtl\r\no one\r\nv 0 0 0 1.0\r\nv 2 0 0\r\n"
        "v 2 1 0 0.5 0.5 0.5\r\nv 0 1 \\\r\n 0\r\n"
        "vt 0 0\nvn 0 0 1\ng top\nusemtl red\ns off\nf 1/1/1 2/1/1 3/1/1 4/1/1 # a quadrilateral\n"
        "v 0 0 1\nv 1 0 1\nv 0 1 1\nf -3 -2 -1\nv 9 9 9\nf -4//1 -3//1 -2//1\nl 1 2"
    )
    mesh = read_mesh(write(tmp_path / "part.obj", text + "\nf 5 6 8\n"))
    assert mesh.triangles.tolist() == [[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 5, 6], [4, 5, 7]]
    assert mesh.vertices[4].tolist() == [0.0, 0.0, 1.0]  # -3 counts from the vertices seen so far
    bent = "v 0 0 0\nv 1 0 0\nv 1 1 0.3\nv 0 1 0\nf 1 2 3 4\n"
    assert len(read_mesh(write(tmp_path / "bent.obj", bent)).triangles) == 2


def test_binary_ply_with_mixed_polygons(tmp_path: Path) -> None:
    for order, mark in (("little", "<"), ("big", ">")):
        head = (
            f"ply\nformat binary_{order}_endian 1.0\ncomment x\nelement vertex 5\nproperty double x\n"
            "property double y\nproperty double z\nelement face 2\nproperty uchar color\n"
            "property list uchar int vertex_indices\nend_header\n"
        )
        points = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1]], dtype=f"{mark}f8")
        faces = struct.pack(f"{mark}BB4iBB3i", 7, 4, 0, 1, 2, 3, 7, 3, 0, 1, 4)
        mesh = read_mesh(write(tmp_path / "mixed.ply", head.encode() + points.tobytes() + faces))
        assert mesh.triangles.tolist() == [[0, 1, 2], [0, 2, 3], [0, 1, 4]]
        assert mesh.vertices.tolist() == points.tolist()


def test_binary_ply_that_declares_fewer_faces_than_it_has(tmp_path: Path) -> None:
    data = trimesh.creation.box([1, 1, 1]).export(file_type="ply")
    assert b"element face 12" in data
    file = write(tmp_path / "box.ply", data.replace(b"element face 12", b"element face 11"))
    with pytest.raises(MeshFileError, match="13 bytes follow the data that its header declares"):
        read_mesh(file)


def test_off_in_one_line_and_with_colours(tmp_path: Path) -> None:
    text = (
        "COFF 4 1 0\n# note\n0 0 0 255 0 0\n1 0 0 255 0 0\n1 1 0 9 0 0\n0 1 0 9 0 0\n\n4 0 1 2 3 0.5 0.5 1\n"
    )
    assert read_mesh(write(tmp_path / "a.off", text)).triangles.tolist() == [[0, 1, 2], [0, 2, 3]]


STL_TEXT = (
    "solid a b\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
)
PLY_HEAD = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
PLY_FACE = "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.stl", "", "is empty; export it again"),
        ("a.obj", " \n", "is empty; export it again"),
        ("a.stl", STL_TEXT, "is not closed by 'endsolid'"),
        (
            "a.stl",
            STL_TEXT.replace("vertex 1 0 0\n", "") + "endsolid a b\n",
            "a facet that is not 'facet normal'",
        ),
        (
            "a.stl",
            STL_TEXT.replace("1 0 0", "1 O 0") + "endsolid\n",
            "has 'o' in a facet where a number should be",
        ),
        ("a.stl", STL_TEXT.replace("1 0 0", "1 nan 0") + "endsolid\n", r"vertices\[1\] has y = nan"),
        (
            "a.stl",
            b"\0" * 80 + struct.pack("<I", 3) + b"\0" * 149,
            r"declares 3 triangles \(234 bytes\), but has 233",
        ),
        ("a.stl", b"\0" * 84, "has no vertices and no faces"),
        ("a.stl", b"\0" * 50, "has only 50 bytes"),
        ("a.obj", "v 0 0 0\nv 1 0 0\n", "has 2 points and no faces, so it has no surface.*kc.Convex"),
        ("a.obj", TETRAHEDRON + "f 1 2 9\n", r"face \(4, corners \[0, 1, 8\], counted from 0\)"),
        ("a.obj", TETRAHEDRON + "f 0 1 2\n", "uses vertex 0 in line 9, but OBJ files count from 1"),
        ("a.obj", TETRAHEDRON + "f 1 2\n", "has a face with 2 corners in line 9"),
        ("a.obj", TETRAHEDRON + "v 1 2\n", "has a vertex with 2 numbers in line 9"),
        ("a.obj", TETRAHEDRON + "x 1 2\n", "unknown word 'x' in line 9"),
        ("a.obj", TETRAHEDRON + "surf 0 1 0 1 1\n", "has curved surfaces"),
        ("a.obj", TETRAHEDRON + "v 1 1 1\nf 1 2 3", r"seems to be truncated \(1 vertices are in no face\)"),
        (
            "a.obj",
            "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 1 0.1 0\nf 1 4 2 3\n",
            r"mesh file '.*a.obj': faces\[0\] .* not convex",
        ),
        (
            "a.off",
            "OFF\n3 2 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
            "declares 3 vertices and 2 faces, but has 4 lines",
        ),
        ("a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1\n", "declares 3 corners and lists 2"),
        ("a.off", "3 1 0\n0 0 0\n", "does not begin with 'OFF'"),
        ("a.ply", PLY_HEAD + "end_header\n0 0 0\n1 0 0\n0 1 0\n", "has 3 points and no faces"),
        ("a.ply", PLY_HEAD + PLY_FACE, "declares 4 lines of data and has 3"),
        ("a.ply", PLY_HEAD + PLY_FACE + "4 0 1 2\n", "fewer values than it declares"),
        ("a.ply", PLY_HEAD + PLY_FACE + "3 0 1 5\n", "uses a vertex outside of its 3"),
        ("a.ply", PLY_HEAD, "has no complete PLY header"),
        ("a.ply", PLY_HEAD.replace("float z", "quad z") + PLY_FACE, "has 'property quad z' in its header"),
        ("a.glb", b"glTF" + struct.pack("<II", 2, 99) + b"\0" * 40, "declares 99 bytes and has 52"),
        ("a.glb", b"solid of another kind", "does not begin like a GLB file"),
        ("a.gltf", "{}", "has no vertices and no faces"),
        ("a.gltf", "[1", "has a damaged header"),
        ("a.3mf", b"PK\x03\x04 and no more", "is damaged, truncated or no archive .BadZipFile"),
        ("a.dae", "<COLLADA><asset>", "cannot be read as DAE"),
        ("a.step", "ISO-10303-21;\nHEADER;\n", "does not end with 'END-ISO-10303-21;'"),
        ("a.blend", "x", "unknown extension '.blend'; convert it to one of STL, OBJ"),
        ("a", "x", "unknown extension ''"),
    ],
)
def test_bad_files(name: str, content: str | bytes, message: str, tmp_path: Path) -> None:
    if name.endswith("step"):
        pytest.importorskip("cascadio", reason="STEP files need cascadio")
    file = write(tmp_path / name, content)
    with pytest.raises(MeshFileError, match=message) as caught:
        read_mesh(file)
    assert str(file) in str(caught.value) or repr(name) in str(caught.value)


def test_last_number_of_a_text_without_newline(tmp_path: Path) -> None:
    rows = "\n".join(f"{i} {i * i} 0" for i in range(20))
    write(tmp_path / "whole.off", f"OFF\n20 1 0\n{rows}\n3 0 1 2\n")
    assert len(read_mesh(tmp_path / "whole.off", unit="m").triangles) == 1
    write(tmp_path / "sure.off", f"OFF\n20 1 0\n{rows}\n3 0 1 2")  # no vertex has an index 2x
    assert len(read_mesh(tmp_path / "sure.off", unit="m").triangles) == 1
    write(tmp_path / "cut.off", f"OFF\n20 1 0\n{rows}\n3 0 2 1")  # it may have been 12
    with pytest.raises(MeshFileError, match="its last number may be truncated"):
        read_mesh(tmp_path / "cut.off", unit="m")


def test_sparse_and_lost_geometry_in_gltf_is_refused(tmp_path: Path) -> None:
    files = trimesh.creation.box([1, 2, 3]).scene().export(file_type="gltf")
    for name, content in files.items():
        write(tmp_path / name, content)
    tree: dict[str, Any] = json.loads(files["model.gltf"])
    tree["accessors"][1]["sparse"] = {"count": 1}
    write(tmp_path / "model.gltf", json.dumps(tree))
    with pytest.raises(MeshFileError, match="compressed or sparse geometry"):
        read_mesh(tmp_path / "model.gltf")
    del tree["accessors"][1]["sparse"]
    tree["accessors"][0]["count"] += 1
    write(tmp_path / "model.gltf", json.dumps(tree))
    with pytest.raises(MeshFileError, match="accessor 0 is longer than its buffer"):
        read_mesh(tmp_path / "model.gltf")


def test_every_format_is_documented(tmp_path: Path) -> None:
    """A format that is read and listed nowhere is not found by anyone."""
    page = (Path(__file__).parents[4] / "docs" / "reference" / "file-formats.md").read_text()
    rows = page.partition("## Meshes")[2].partition("## Robots")[0].splitlines()
    listed = {
        name.strip().lower() for row in rows if row.startswith("| ") for name in row.split("|")[1].split(",")
    }
    extensions = {*reading._READERS, ".gltf", ".step"}
    assert listed - {"format", "---"} == {extension[1:] for extension in extensions}
    assert set(MESH_FILES) == {*extensions, *reading.STEP_FILES}
    (tmp_path / "a.xyz").write_text("x")
    with pytest.raises(MeshFileError) as error:
        read_mesh(tmp_path / "a.xyz")
    named = str(error.value).partition("one of ")[2].rstrip(".").replace(" or ", ", ").lower().split(", ")
    assert set(named) == listed - {"format", "---"}


def test_missing_file_and_folder(tmp_path: Path) -> None:
    write(tmp_path / "gripper.stl", "x")
    with pytest.raises(
        FileMissingError, match=r"there is no mesh file '.*griper\.stl'; did you mean 'gripper\.stl'\?$"
    ):
        read_mesh(tmp_path / "griper.stl")
    with pytest.raises(FileNotFoundError, match="nor a folder"):
        read_mesh(tmp_path / "no" / "a.stl")
    folder = tmp_path / "parts.stl"
    folder.mkdir()
    with pytest.raises(MeshFileError, match="is a folder; give the path of one mesh file"):
        read_mesh(folder)


@pytest.mark.parametrize("path", [None, 3, b"a.stl", ["a.stl"], "", "a\0.stl"])
def test_paths_that_are_none(path: Any) -> None:
    with pytest.raises(ArgumentError, match="takes the path of a file"):
        read_mesh(path)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"unit": "inch"}, "unit is 'inch' .*; expected one of 'm', 'cm', 'mm', 'um', 'in', 'ft'"),
        ({"unit": 3}, "unit is 3"),
        ({"scale": 0}, "scale must be a finite number > 0, but it is 0"),
        ({"scale": "2"}, "scale must be"),
        ({"tolerance": -1}, "tolerance must be a finite number > 0"),
        ({"solid": "yes"}, "solid must be None, True or False"),
    ],
)
def test_options(options: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match=message):
        read_mesh(write(tmp_path / "t.obj", TETRAHEDRON), **options)


def greatest_depth(mesh: Mesh, x: float, radius: float) -> float:
    """Return how far the edges on the side of a cylinder along z run inside of it."""
    corners = mesh.vertices[mesh.triangles]
    side = corners[np.ptp(corners[:, :, 2], axis=1) > 0.0]
    middles = 0.5 * (side + np.roll(side, 1, axis=1)) - [x, 0.0, 0.0]
    return float(radius - np.hypot(middles[:, :, 0], middles[:, :, 1]).min())


def test_step_in_millimetres_with_its_tessellation_error() -> None:
    pytest.importorskip("cascadio", reason="STEP files need cascadio")
    coarse, fine = (read_mesh(STEP_FILE, tolerance=tolerance) for tolerance in (1e-3, 1e-6))
    for mesh, tolerance in (
        (coarse, 1e-3),
        (fine, 1e-6),
    ):  # and a little for the rounding to single precision
        assert tolerance < mesh.tessellation_error < tolerance + 2e-8
    assert len(fine.triangles) > 2 * len(coarse.triangles)
    for mesh in (coarse, fine):  # a cylinder of radius 5 mm around x = 10 mm, 20 mm long
        assert 0.0 < greatest_depth(mesh, x=0.01, radius=0.005) < mesh.tessellation_error
        assert mesh.is_solid
    assert fine.volume == pytest.approx(np.pi * 0.005**2 * 0.02, rel=1e-3)
    assert (
        read_mesh(STEP_FILE, scale=2.0, tolerance=1e-3).tessellation_error == 2.0 * coarse.tessellation_error
    )


def test_step_in_metres_has_the_same_tolerance(tmp_path: Path) -> None:
    pytest.importorskip("cascadio", reason="STEP files need cascadio")
    text = STEP_FILE.read_text().replace("SI_UNIT(.MILLI.,.METRE.)", "SI_UNIT($,.METRE.)")
    mesh = read_mesh(write(tmp_path / "large.stp", text), tolerance=0.01)
    assert mesh.bounds[1] == pytest.approx([15.0, 5.0, 20.0], abs=0.01)
    assert 1e-3 < greatest_depth(mesh, x=10.0, radius=5.0) < 0.01


def test_step_carries_its_unit_and_needs_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ArgumentError, match="a STEP file contains its unit"):
        read_mesh(STEP_FILE, unit="mm")
    monkeypatch.setitem(sys.modules, "cascadio", None)
    with pytest.raises(MissingPackageError, match=r'cylinder.step.*pip install "keepclear\[step\]"'):
        read_mesh(STEP_FILE)


@pytest.mark.parametrize(
    ("name", "n_vertices", "n_triangles"),
    [
        ("spot.obj", 2930, 5856),
        ("featuretype.STL", None, 3476),
        ("torus.STL", None, 8700),
        ("busted.STL", None, 3878),
    ],
)
def test_public_meshes_are_solids(name: str, n_vertices: int | None, n_triangles: int) -> None:
    file = SHARED / "meshes" / name
    if not file.exists():
        pytest.skip(f"the shared data folder with {name} is not beside the project")
    mesh = read_mesh(file, solid=True)
    assert len(mesh.triangles) == n_triangles
    assert n_vertices in (None, len(mesh.vertices))
    reference = trimesh.load_mesh(file)
    assert mesh.volume == pytest.approx(reference.volume, rel=1e-9)
