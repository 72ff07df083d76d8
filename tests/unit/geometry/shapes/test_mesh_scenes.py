"""Files of several parts: each part in its pose, and nothing that changes shape or position is lost in silence."""

from __future__ import annotations

import base64
import copy
import io
import json
import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh

from keepclear.errors import MeshFileError
from keepclear.geometry.mesh_files import parts
from keepclear.geometry.mesh_files.reading import read_mesh
from keepclear.geometry.shapes.mesh import Mesh

POINTS = np.array([[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]], dtype="<f4")
CORNERS = np.array([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3], dtype="<u2")  # of a tetrahedron
GLTF: dict[str, Any] = {
    "asset": {"version": "2.0"},
    "scene": 0,
    "scenes": [{"nodes": [0]}],
    "nodes": [{"mesh": 0}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
    "accessors": [
        {"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 4},
        {"bufferView": 1, "componentType": 5123, "type": "SCALAR", "count": 12},
    ],
    "bufferViews": [
        {"buffer": 0, "byteOffset": 0, "byteLength": 48},
        {"buffer": 0, "byteOffset": 48, "byteLength": 24},
    ],
    "buffers": [
        {
            "byteLength": 72,
            "uri": "data:application/octet-stream;base64,"
            + base64.b64encode(POINTS.tobytes() + CORNERS.tobytes()).decode(),
        }
    ],
}


def gltf(folder: Path, **changes: Any) -> Path:
    path = folder / "a.gltf"
    path.write_text(json.dumps(GLTF | changes))
    return path


def changed(path: str, value: Any) -> dict[str, Any]:
    """Return the header with one value set, such as at nodes/0/skin."""
    tree = copy.deepcopy(GLTF)
    *steps, last = [int(step) if step.isdigit() else step for step in path.split("/")]
    inside: Any = tree
    for step in steps:
        inside = inside[step]
    inside[last] = value
    return tree


def triangles(mesh: Mesh) -> np.ndarray[Any, Any]:
    """Return the triangles as sorted rows, to compare meshes."""
    corners = mesh.vertices[mesh.triangles].reshape(-1, 9)
    return corners[np.lexsort(corners.T)]


def test_a_gltf_file_with_its_buffer_inside(tmp_path: Path) -> None:
    mesh = read_mesh(gltf(tmp_path), solid=True)
    assert mesh.volume == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        (
            GLTF | {"extensionsRequired": ["EXT_mesh_gpu_instancing"]},
            "uses the extension 'EXT_mesh_gpu_instancing'",
        ),
        (GLTF | {"extensionsRequired": ["KHR_draco_mesh_compression"]}, "'KHR_draco_mesh_compression'"),
        (GLTF | {"extensionsRequired": ["KHR_mesh_quantization"]}, "'KHR_mesh_quantization'"),
        (GLTF | {"extensionsRequired": ["EXT_meshopt_compression"]}, "'EXT_meshopt_compression'"),
        (GLTF | {"extensionsUsed": ["EXT_mesh_gpu_instancing"]}, "'EXT_mesh_gpu_instancing'"),
        (changed("nodes/0/extensions", {"EXT_mesh_gpu_instancing": {}}), "'EXT_mesh_gpu_instancing'"),
        (changed("meshes/0/primitives/0/extensions", {"OWN_shape": {}}), "'OWN_shape', which is not applied"),
        (
            GLTF | {"animations": [{"channels": [{"target": {"node": 0}}]}]},
            "has animations, which move its parts",
        ),
        (changed("nodes/0/skin", 0), "has skins, which deform its parts"),
        (changed("meshes/0/primitives/0/targets", [{"POSITION": 0}]), "has morph targets, which deform"),
        (GLTF | {"scenes": [{"nodes": [0]}, {"nodes": [0]}]}, "has 2 scenes, and one is read"),
        (GLTF | {"nodes": [{"mesh": 0}, {"mesh": 0}]}, "has a node with a mesh that is not in its scene"),
        (
            GLTF | {"meshes": [*GLTF["meshes"], {"name": "lid", "primitives": []}]},
            "has a mesh 'lid' .number 1. that",
        ),
        (changed("accessors/0/sparse", {"count": 1}), "holds compressed or sparse geometry"),
        (changed("accessors/0/componentType", 5122), "has quantized geometry .component type 5122"),
        (changed("accessors/1/normalized", True), "has quantized geometry"),
        (changed("accessors/0/count", 5), "accessor 0 is longer than its buffer"),
        (changed("bufferViews/0/byteStride", 0), "accessor 0 is longer than its buffer"),
        (changed("buffers/0/byteLength", 73), "has a buffer of 72 bytes that should have 73"),
        (changed("buffers/0/uri", "http://example.org/a.bin"), "has a buffer at 'http://example.org/a.bin'"),
        (changed("buffers/0/uri", "pipe"), "has a buffer 'pipe' that cannot be opened: it is a named pipe"),
        (changed("meshes/0/primitives/0/mode", 7), "has a primitive of an unknown mode"),
        (changed("nodes/0/children", [0]), "levels, or a part that contains itself"),
        (changed("nodes/0/mesh", -1), "refers to number -1 of 1"),
        (changed("nodes/0/rotation", [0, 0, 0, 0]), "has a rotation that is not a unit quaternion"),
        (changed("nodes/0/matrix", [1.0] * 16), "has a part whose matrix is not finite, or not affine"),
    ],
)
def test_gltf_that_would_lose_something_is_refused(
    tmp_path: Path, tree: dict[str, Any], message: str
) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(MeshFileError, match=message):
        read_mesh(gltf(tmp_path, **tree))


def test_extensions_of_appearance_are_harmless(tmp_path: Path) -> None:
    names = ["KHR_materials_unlit", "KHR_texture_transform", "KHR_lights_punctual"]
    assert len(read_mesh(gltf(tmp_path, extensionsRequired=names, extensionsUsed=names)).triangles) == 4


@pytest.mark.parametrize(
    ("node", "corner"),
    [
        ({"translation": [10, 20, 30]}, [10, 20, 33]),
        ({"scale": [1, 1, -2]}, [0, 0, -6]),
        ({"rotation": [np.sqrt(0.5), 0, 0, np.sqrt(0.5)]}, [0, -3, 0]),  # a quarter turn about x
        (
            {"rotation": [np.sqrt(0.5), 0, 0, np.sqrt(0.5)], "scale": [1, 1, 2], "translation": [1, 1, 1]},
            [1, -5, 1],
        ),
        ({"matrix": [1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 5, 6, 7, 1]}, [5, 3, 7]),  # by columns
    ],
)
def test_nodes_of_gltf_stand_where_they_are_put(
    tmp_path: Path, node: dict[str, Any], corner: list[float]
) -> None:
    tree = {"nodes": [{"children": [1], "translation": [100, 0, 0]}, {"mesh": 0, **node}]}
    mesh = read_mesh(gltf(tmp_path, **tree), solid=True, merge=True)
    assert np.abs(mesh.vertices - np.array(corner) - [100, 0, 0]).max(axis=1).min() < 1e-12
    assert mesh.volume > 0.0  # a mirrored part is not inside out
    scene = trimesh.load_scene(gltf(tmp_path, **tree), process=False)
    assert np.allclose(np.sort(mesh.vertices, axis=0), np.sort(scene.to_mesh().vertices, axis=0), atol=1e-12)


@pytest.mark.parametrize(("mode", "faces"), [(5, [[0, 1, 2], [1, 3, 2]]), (6, [[0, 1, 2], [0, 2, 3]])])
def test_strips_and_fans_of_gltf_are_read(tmp_path: Path, mode: int, faces: list[list[int]]) -> None:
    tree = copy.deepcopy(GLTF)
    tree["meshes"][0]["primitives"] = [{"attributes": {"POSITION": 0}, "mode": mode}]
    mesh = read_mesh(gltf(tmp_path, **tree))
    assert np.array_equal(triangles(mesh), triangles(Mesh(POINTS, faces)))


def test_interleaved_values_of_gltf_are_read(tmp_path: Path) -> None:
    rows = np.hstack((np.full((4, 3), 9, "<f4"), POINTS, np.full((4, 2), 7, "<f4")))
    data = base64.b64encode(rows.tobytes() + CORNERS.tobytes()).decode()
    tree = copy.deepcopy(GLTF)
    tree["accessors"][0]["byteOffset"] = 12
    tree["bufferViews"] = [
        {"buffer": 0, "byteLength": 128, "byteStride": 32},
        {"buffer": 0, "byteOffset": 128, "byteLength": 24},
    ]
    tree["buffers"] = [{"byteLength": 152, "uri": f"data:;base64,{data}"}]
    assert np.array_equal(triangles(read_mesh(gltf(tmp_path, **tree))), triangles(read_mesh(gltf(tmp_path))))


DAE = """<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="millimeter" meter="0.001"/><up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="s"><float_array id="a" count="12">0 0 0 1 0 0 0 2 0 0 0 3</float_array><technique_common>
<accessor source="#a" count="4" stride="3"><param name="X"/><param name="Y"/><param name="Z"/></accessor>
</technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
SURFACE
</mesh></geometry></library_geometries>
<library_nodes><node id="n"><instance_geometry url="#g"/></node></library_nodes>
<library_visual_scenes><visual_scene id="scene">
<node id="top">TRANSFORM<instance_geometry url="#g"/></node></visual_scene>
</library_visual_scenes>
<scene><instance_visual_scene url="#scene"/></scene>
</COLLADA>"""
TRIANGLES = (
    '<triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/>'
    "<p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles>"
)


def dae(folder: Path, text: str = DAE, surface: str = TRIANGLES, transform: str = "") -> Path:
    path = folder / "a.dae"
    path.write_text(text.replace("SURFACE", surface).replace("TRANSFORM", transform))
    return path


INPUTS = '<input semantic="VERTEX" source="#v" offset="1"/><input semantic="NORMAL" source="#s" offset="0"/>'


@pytest.mark.parametrize(
    ("surface", "faces"),
    [
        (TRIANGLES, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]),
        (f'<triangles count="1">{INPUTS}<p>9 0 9 2 9 1</p></triangles>', [[0, 2, 1]]),
        (
            f'<polylist count="2">{INPUTS}<vcount>3 3</vcount><p>9 0 9 2 9 1 9 0 9 1 9 3</p></polylist>',
            [[0, 2, 1], [0, 1, 3]],
        ),
        (
            f'<polygons count="2">{INPUTS}<p>9 0 9 2 9 1</p><p>9 0 9 1 9 3</p></polygons>',
            [[0, 2, 1], [0, 1, 3]],
        ),
        (f'<tristrips count="1">{INPUTS}<p>9 0 9 1 9 2 9 3</p></tristrips>', [[0, 1, 2], [1, 3, 2]]),
        (f'<trifans count="1">{INPUTS}<p>9 0 9 1 9 2 9 3</p></trifans>', [[0, 1, 2], [0, 2, 3]]),
        (
            TRIANGLES + f'<lines count="1">{INPUTS}<p>0 0 1 1</p></lines><triangles count="0"/>',
            [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
        ),
    ],
)
def test_surfaces_of_dae_are_read(tmp_path: Path, surface: str, faces: list[list[int]]) -> None:
    mesh = read_mesh(dae(tmp_path, surface=surface), unit="m")
    assert np.array_equal(triangles(mesh), triangles(Mesh(POINTS, faces)))


def test_a_polygon_of_dae_is_made_into_triangles(tmp_path: Path) -> None:
    text = DAE.replace("0 2 0 0 0 3", "1 1 0 0 1 0")
    surface = f'<polylist count="1">{INPUTS}<vcount>4</vcount><p>9 0 9 1 9 2 9 3</p></polylist>'
    assert len(read_mesh(dae(tmp_path, text, surface)).triangles) == 2


@pytest.mark.parametrize(
    ("transform", "corner"),
    [
        ("<translate>10 20 30</translate>", [10, 20, 33]),
        ("<rotate>2 0 0 90</rotate>", [0, -3, 0]),
        ("<rotate>0 0 0 0</rotate><scale>1 1 -2</scale>", [0, 0, -6]),
        ("<translate>1 1 1</translate><rotate>1 0 0 90</rotate><scale>1 1 2</scale>", [1, -5, 1]),
        ("<matrix>1 0 0 5 0 0 -1 6 0 1 0 7 0 0 0 1</matrix>", [5, 3, 7]),
    ],
)
def test_nodes_of_dae_stand_where_they_are_put(tmp_path: Path, transform: str, corner: list[float]) -> None:
    mesh = read_mesh(dae(tmp_path, transform=transform), solid=True)
    assert np.abs(mesh.vertices * 1e3 - np.array(corner)).max(axis=1).min() < 1e-12
    assert mesh.volume > 0.0


def test_nodes_of_dae_can_be_used_several_times(tmp_path: Path) -> None:
    inside = (
        '<node id="in"><translate>5 0 0</translate><instance_node url="#n"/></node><instance_node url="#n"/>'
    )
    mesh = read_mesh(dae(tmp_path, transform=inside), unit="m")
    assert len(mesh.triangles) == 12
    assert mesh.bounds[1].tolist() == [6, 2, 3]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            '<instance_geometry url="#g"/></node></visual',
            '<instance_controller url="#c"/></node></visual',
            "has controllers",
        ),
        ("TRANSFORM", "<skew>45 0 1 0 1 0 0</skew>", "has a <skew>"),
        ("TRANSFORM", "<lookat>0 0 0 1 0 0 0 0 1</lookat>", "has a <lookat>"),
        ("TRANSFORM", "<rotate>0 0 0 90</rotate>", "about an axis 0 0 0"),
        ("TRANSFORM", "<translate>1 2</translate>", "has a <translate> of 2 numbers; expected 3"),
        ("TRANSFORM", "<translate>1 2 1_0</translate>", "has '1_0' in a <translate>"),
        ("TRANSFORM", '<instance_node url="other.dae#n"/>', "refers to 'other.dae#n' for a <node>"),
        ("TRANSFORM", '<instance_node url="#top"/>', "a part that contains itself"),
        (
            "<library_nodes>",
            "<library_animations><animation><channel target='top/x'/></animation></library_animations><library_nodes>",
            "has animations",
        ),
        (
            "<library_nodes>",
            "<library_geometries><geometry id='h'><spline/></geometry></library_geometries><library_nodes>",
            "has splines",
        ),
        (
            '<instance_geometry url="#g"/></node></visual',
            "</node></visual",
            "has a geometry 'g' that is not in its scene",
        ),
        (
            '<geometry id="g">',
            "<geometry id=\"g\"><asset><unit meter='1'/></asset>",
            r"has the units \[0.001, 1.0\] m",
        ),
        ("</library_visual_scenes>", "<visual_scene id='t'/></library_visual_scenes>", "has 2 scenes"),
        ("<scene>", "<other>", "cannot be read as DAE"),
        ("0 0 0 1 0 0 0 2 0 0 0 3", "0 0 0 1 0 0 0 2 0 x 0 3", "has 'x' in a <float_array>"),
        ("0 0 0 1 0 0 0 2 0 0 0 3", "0 0 0 1 0 0 0 2 0", "fewer than it declares"),
        ("<p>0 2 1 0 1 3", "<p>0 2 1 q 1 3", "has 'q' in a <p>"),
        ("<p>0 2 1 0 1 3", "<p>0 2 1", "declares 4 and has 3"),
        ("<p>0 2 1 0 1 3", "<p>0 2 1 0 1 4", "outside of the 4"),
        ("<triangles", "<splines", "cannot be read as DAE"),
        ("</mesh>", "<patches/></mesh>", "has <patches> in a mesh, which is unknown"),
        ("<COLLADA ", "<!DOCTYPE a [<!ENTITY e 'x'>]><COLLADA ", "it declares entities"),
    ],
)
def test_dae_that_would_lose_something_is_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = DAE.replace("SURFACE", TRIANGLES)
    assert old in text
    with pytest.raises(MeshFileError, match=message):
        read_mesh(dae(tmp_path, text.replace(old, new, 1)))


CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
MODEL = f"""<model unit="millimeter" xmlns="{CORE}" xmlns:p="http://schemas.microsoft.com/3dmanufacturing/production/2015/06"
 xmlns:b="http://schemas.microsoft.com/3dmanufacturing/beamlattice/2017/02" REQUIRED><resources>
<object id="1"><mesh><vertices>
<vertex x="0" y="0" z="0"/><vertex x="1" y="0" z="0"/><vertex x="0" y="2" z="0"/><vertex x="0" y="0" z="3"/>
</vertices><triangles><triangle v1="0" v2="2" v3="1"/><triangle v1="0" v2="1" v3="3"/>
<triangle v1="0" v2="3" v3="2"/><triangle v1="1" v2="2" v3="3"/></triangles></mesh></object>
OBJECTS</resources><build>BUILD</build></model>"""
RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" '
    'Target="/3D/main.model" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>'
)


def threemf(
    folder: Path, objects: str = "", build: str = '<item objectid="1"/>', required: str = "", **files: str
) -> Path:
    path = folder / "a.3mf"
    model = MODEL.replace("OBJECTS", objects).replace("BUILD", build).replace("REQUIRED", required)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("_rels/.rels", RELATIONS)
        archive.writestr("3D/main.model", model)
        for name, text in files.items():
            archive.writestr(f"3D/{name}.model", text)
    return path


def test_components_and_items_of_3mf_stand_where_they_are_put(tmp_path: Path) -> None:
    objects = (
        '<object id="2"><components><component objectid="1"/>'
        '<component objectid="1" transform="1 0 0 0 0 1 0 -1 0 10 20 30"/></components></object>'
        '<object id="3"><components><component objectid="2" transform="1 0 0 0 1 0 0 0 1 0 0 100"/>'
        "</components></object>"
    )
    build = '<item objectid="3"/><item objectid="1" transform="-1 0 0 0 1 0 0 0 1 -5 0 0"/>'
    mesh = read_mesh(threemf(tmp_path, objects, build), unit="m")
    assert len(mesh.triangles) == 12
    # rows are transformed: (0, 0, 3) becomes 3 times the third row, and the fourth on top
    for corner in ([0, 0, 103], [10, 20 - 3, 130], [-6, 0, 0]):
        assert np.abs(mesh.vertices - corner).max(axis=1).min() == 0.0
    assert mesh.volume == pytest.approx(3.0)


def test_parts_of_3mf_may_be_in_other_files_of_the_archive(tmp_path: Path) -> None:
    other = (
        MODEL.replace("OBJECTS", "").replace("BUILD", "").replace("REQUIRED", "").replace('z="3"', 'z="7"')
    )
    build = '<item objectid="1"/><item p:path="/3D/other.model" objectid="1"/>'
    mesh = read_mesh(threemf(tmp_path, build=build, required='requiredextensions="p"', other=other), unit="m")
    assert len(mesh.triangles) == 8
    assert mesh.bounds[1].tolist() == [1, 2, 7]


BEAMS = '<object id="9"><mesh><vertices/><triangles/><b:beamlattice/></mesh></object>'


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"required": 'requiredextensions="b"'},
            "requires the extension '.*beamlattice/2017/02', which is not applied",
        ),
        ({"objects": BEAMS}, "has a beam lattice"),
        ({"objects": '<object id="2" slicestackid="4"/>'}, "has slices"),
        ({"build": '<item objectid="7"/>'}, "refers to an object '7' that is not there"),
        ({"build": '<item p:path="/3D/gone.model" objectid="1"/>'}, "has no '3D/gone.model' in it"),
        (
            {"build": '<item objectid="1" transform="1 0 0 0 1 0 0 0 1"/>'},
            "has a transform of 9 numbers; expected 12",
        ),
        ({"build": '<item objectid="1" transform="1 0 0 0 1 0 0 0 1 0 0 1_0"/>'}, "has '1_0' in a transform"),
        ({"build": ""}, "has an object '1' that is not in its build"),
        ({"objects": '<object id="1"/>'}, "has two objects '1'"),
        (
            {
                "objects": '<object id="2"><components><component objectid="2"/></components></object>',
                "build": '<item objectid="2"/>',
            },
            "a part that contains itself",
        ),
        (
            {"other": "<model unit='inch'/>", "build": '<item p:path="/3D/other.model" objectid="1"/>'},
            "different units",
        ),
    ],
)
def test_3mf_that_would_lose_something_is_refused(
    tmp_path: Path, changes: dict[str, str], message: str
) -> None:
    with pytest.raises(MeshFileError, match=message):
        read_mesh(threemf(tmp_path, **changes))


def test_a_damaged_number_of_3mf_loses_no_triangles(tmp_path: Path) -> None:
    source = threemf(tmp_path)
    with zipfile.ZipFile(source) as archive:
        text = archive.read("3D/main.model").decode()
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("3D/3dmodel.model", text.replace('v1="0" v2="3"', 'v1="x" v2="3"'))
    source.write_bytes(file.getvalue())
    with pytest.raises(MeshFileError, match="has 'x' in a triangle"):
        read_mesh(source)


def test_copies_that_multiply_are_refused(tmp_path: Path) -> None:
    objects = "".join(
        f'<object id="{i}"><components>{f"""<component objectid="{i - 1}"/>""" * 10}</components></object>'
        for i in range(2, 14)
    )
    with pytest.raises(MeshFileError, match=f"more than {parts.MAX_COPIES} copies of parts"):
        read_mesh(threemf(tmp_path, objects, '<item objectid="13"/>'))


def test_an_archive_that_unpacks_a_thousandfold_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.3mf", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("3D/3dmodel.model", b" " * 2**27)
    with pytest.raises(MeshFileError, match="would unpack from"):
        read_mesh(tmp_path / "a.3mf")


PLY = """ply
format ascii 1.0
element vertex 3
property float x
property float y
property float z
element {0} 1
property list uchar int vertex_indices
{1}end_header
0 0 0
1 0 0
0 1 0
3 0 1 2
"""


@pytest.mark.parametrize(
    ("element", "more", "message"),
    [
        ("tristrips", "", "holds strips of triangles"),
        ("quad", "", "holds faces in an unknown element 'quad'"),
        (
            "face",
            "element face 0\nproperty list uchar int vertex_indices\n",
            "has element 'face' or a property of it twice",
        ),
        (
            "face",
            "element vertex 0\nproperty float x\nproperty float x\n",
            "has element 'vertex' or a property of it twice",
        ),
    ],
)
def test_ply_that_would_lose_faces_is_refused(tmp_path: Path, element: str, more: str, message: str) -> None:
    (tmp_path / "a.ply").write_text(PLY.format(element, more))
    with pytest.raises(MeshFileError, match=message):
        read_mesh(tmp_path / "a.ply")


def test_step_with_parts_in_other_files_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("cascadio", reason="STEP files need cascadio")
    text = "ISO-10303-21;\nDATA;\n#1=DOCUMENT_FILE('bolt.stp','','',#2,'','');\nENDSEC;\nEND-ISO-10303-21;\n"
    (tmp_path / "a.step").write_text(text)
    with pytest.raises(
        MeshFileError, match=r"refers to parts in another file, 'bolt\.stp', which is not read"
    ):
        read_mesh(tmp_path / "a.step")
