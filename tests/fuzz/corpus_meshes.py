"""The meshes of the corpus: a tetrahedron or a box in every format, made for these tests."""

from __future__ import annotations

import base64
import io
import json
import struct
import zipfile
from pathlib import Path

import numpy as np

STEP_FILE = Path(__file__).parents[1] / "data" / "cylinder.step"

V = np.array([[0.0, 0.0, 0.0], [100.0, 0.0, 0.0], [0.0, 100.0, 0.0], [0.0, 0.0, 100.0]])
F = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])

OBJ = """# a tetrahedron, with all that an OBJ file may have
mtllib part.mtl
o part
v 0 0 0
v 0.1 0 0 1.0
v 0 0.1 0 0.5 0.5 0.5
v 0 0 0.1
vt 0 0
vn 0 0 1
g first
usemtl grey
s off
f 1/1/1 3/1/1 2/1/1
f 1//1 2//1 4//1
f -4 -1 -2
g second
f 2 3 4
l 1 2
"""

OFF = """OFF
# a box of quads
8 6 12
0 0 0
1 0 0
1 1 0
0 1 0
0 0 1
1 0 1
1 1 1
0 1 1
4 3 2 1 0
4 4 5 6 7
4 0 1 5 4 255 0 0
4 1 2 6 5
4 2 3 7 6
4 3 0 4 7
"""

DAE = """<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset><unit name="millimeter" meter="0.001"/><up_axis>Z_UP</up_axis></asset>
  <library_geometries><geometry id="g" name="part"><mesh>
    <source id="p"><float_array id="pa" count="12">0 0 0 100 0 0 0 100 0 0 0 100</float_array>
      <technique_common><accessor source="#pa" count="4" stride="3">
        <param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/>
      </accessor></technique_common></source>
    <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
    <triangles count="2"><input semantic="VERTEX" source="#v" offset="0"/><p>0 2 1 0 1 3</p></triangles>
    <polylist count="2"><input semantic="VERTEX" source="#v" offset="0"/><vcount>3 3</vcount><p>0 3 2 1 2 3</p></polylist>
  </mesh></geometry></library_geometries>
  <library_visual_scenes><visual_scene id="s">
    <node id="n"><matrix>1 0 0 5 0 1 0 0 0 0 1 0 0 0 0 1</matrix>
      <node id="m"><translate>1 2 3</translate><rotate>0 0 1 90</rotate><scale>1 1 2</scale>
      <instance_geometry url="#g"/></node></node>
  </visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#s"/></scene>
</COLLADA>
"""

MODEL_3MF = """<?xml version="1.0" encoding="UTF-8"?>
<model unit="millimeter" xml:lang="en-US" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02">
  <resources>
    <object id="1" type="model" name="part"><mesh>
      <vertices><vertex x="0" y="0" z="0"/><vertex x="100" y="0" z="0"/><vertex x="0" y="100" z="0"/><vertex x="0" y="0" z="100"/></vertices>
      <triangles><triangle v1="0" v2="2" v3="1"/><triangle v1="0" v2="1" v3="3"/><triangle v1="0" v2="3" v3="2"/><triangle v1="1" v2="2" v3="3"/></triangles>
    </mesh></object>
    <object id="2" type="model"><components><component objectid="1" transform="1 0 0 0 1 0 0 0 1 200 0 0"/></components></object>
  </resources>
  <build><item objectid="1"/><item objectid="2" transform="1 0 0 0 1 0 0 0 1 0 0 50"/></build>
</model>
"""

RELATIONS = """<?xml version="1.0" encoding="UTF-8"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
  <Relationship Target="/3D/3dmodel.model" Id="rel0" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/>
</Relationships>
"""

TYPES = """<?xml version="1.0" encoding="UTF-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
  <Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/>
</Types>
"""


def files() -> dict[str, bytes]:
    """Return all files by their places in the corpus."""
    return {
        "mesh_stl/binary.stl": binary_stl(),
        "mesh_stl/text.stl": text_stl().encode(),
        "mesh_obj/part.obj": OBJ.encode(),
        "mesh_off/box.off": OFF.encode(),
        "mesh_off/one_line.off": b"OFF 3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
        "mesh_ply/text.ply": text_ply().encode(),
        "mesh_ply/little.ply": binary_ply("<"),
        "mesh_ply/big.ply": binary_ply(">"),
        "mesh_glb/part.glb": glb(),
        "mesh_gltf/embedded.gltf": gltf(embedded=True).encode(),
        "mesh_gltf/strip.gltf": gltf(embedded=True, mode=5).encode(),
        "mesh_dae/part.dae": DAE.encode(),
        "mesh_3mf/stored.3mf": archive_3mf(zipfile.ZIP_STORED),
        "mesh_3mf/deflated.3mf": archive_3mf(zipfile.ZIP_DEFLATED),
        "mesh_step/cylinder.step": STEP_FILE.read_bytes(),
    }


def binary_stl() -> bytes:
    """Return the tetrahedron as binary STL."""
    record = b"".join(struct.pack("<12fH", 0, 0, 0, *V[face].ravel(), 0) for face in F)
    return b"a tetrahedron".ljust(80) + struct.pack("<I", len(F)) + record


def text_stl() -> str:
    """Return the tetrahedron as a text of STL."""
    facets = "".join(
        "facet normal 0 0 0\n outer loop\n"
        + "".join(f"  vertex {x:g} {y:g} {z:g}\n" for x, y, z in V[face])
        + " endloop\nendfacet\n"
        for face in F
    )
    return f"solid part\n{facets}endsolid part\n"


_PLY_HEADER = """ply
format {} 1.0
comment made for tests
element vertex 4
property {} x
property {} y
property {} z
property uchar red
element face 4
property list uchar int vertex_indices
end_header
"""


def text_ply() -> str:
    """Return the tetrahedron as a text of PLY."""
    points = "".join(f"{x:g} {y:g} {z:g} 255\n" for x, y, z in V)
    faces = "".join(f"3 {a} {b} {c}\n" for a, b, c in F)
    return _PLY_HEADER.format("ascii", "float", "float", "float") + points + faces


def binary_ply(order: str) -> bytes:
    """Return the tetrahedron as binary PLY in an order of bytes, "<" or ">"."""
    kind = "binary_little_endian" if order == "<" else "binary_big_endian"
    points = b"".join(struct.pack(order + "3dB", *point, 9) for point in V)
    faces = b"".join(struct.pack(order + "B3i", 3, *face) for face in F)
    return _PLY_HEADER.format(kind, "double", "double", "double").encode() + points + faces


def _buffer(mode: int) -> bytes:
    indices = F.ravel() if mode == 4 else np.array([0, 1, 2, 3])
    return V.astype("<f4").tobytes() + indices.astype("<u2").tobytes()


def gltf(*, embedded: bool, mode: int = 4) -> str:
    """Return the tetrahedron, twice, as glTF; its buffer is embedded, or that of a GLB file."""
    data = _buffer(mode)
    buffer: dict[str, object] = {"byteLength": len(data)}
    if embedded:
        buffer["uri"] = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    tree = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0, 1]}],
        "nodes": [
            {"mesh": 0, "name": "a", "translation": [0, 0, 200], "rotation": [0, 0, 0, 1], "scale": [1, 1, 1]},
            {"name": "b", "children": [2], "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 0, 0, 1]},
            {"mesh": 0},
        ],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "mode": mode}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "min": [0, 0, 0], "max": [100, 100, 100]},
            {"bufferView": 1, "componentType": 5123, "count": (len(data) - 48) // 2, "type": "SCALAR"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": 48},
            {"buffer": 0, "byteOffset": 48, "byteLength": len(data) - 48},
        ],
        "buffers": [buffer],
    }  # fmt: skip
    return json.dumps(tree)


def glb() -> bytes:
    """Return the tetrahedron as GLB."""
    return packed_glb(gltf(embedded=False).encode(), _buffer(4))


def packed_glb(header: bytes, data: bytes) -> bytes:
    """Return a GLB file of a header and a buffer, with lengths that fit."""
    header += b" " * (-len(header) % 4)
    data += b"\0" * (-len(data) % 4)
    chunks = (
        struct.pack("<I4s", len(header), b"JSON") + header + struct.pack("<I4s", len(data), b"BIN\0") + data
    )
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def archive_3mf(compression: int) -> bytes:
    """Return the tetrahedron as 3MF."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for name, text in (
            ("[Content_Types].xml", TYPES),
            ("_rels/.rels", RELATIONS),
            ("3D/3dmodel.model", MODEL_3MF),
        ):
            archive.writestr(zipfile.ZipInfo(name), text, compression)
    return buffer.getvalue()
