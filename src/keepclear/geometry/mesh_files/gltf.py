"""A reader of GLB and glTF files; unsupported features that would change shape or position are refused by name."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.files.access import parse_json, read_regular_file
from keepclear.geometry.mesh_files.parts import Part, assembled, part_of_shared, placed, strip_triangles
from keepclear.geometry.mesh_files.text import Damage, FileMesh

_JSON, _BINARY = 0x4E4F534A, 0x004E4942  # kinds of chunks in a GLB file
_TRIANGLES, _STRIP, _FAN = 4, 5, 6  # modes of a primitive; points and lines have no surface
_INDEX_TYPES = {5121: "u1", 5123: "<u2", 5125: "<u4"}
_FLOAT = 5126
# Extensions that are about appearance or information only. All others are refused, also where they are optional.
_HARMLESS = (
    "KHR_materials_", "KHR_texture_", "KHR_lights_", "KHR_xmp", "KHR_techniques_webgl", "EXT_texture_", "EXT_lights_",
    "EXT_structural_metadata", "EXT_mesh_features", "MSFT_texture_dds", "MSFT_packing_", "ADOBE_materials_",
    "CESIUM_primitive_outline", "FB_geometry_metadata",
)  # fmt: skip
_WITH_EXTENSIONS = ("scenes", "nodes", "meshes", "accessors", "bufferViews", "buffers", "skins")


def read_glb(data: bytes) -> FileMesh:
    """Return all parts of a GLB file in their poses; its unit is the metre."""
    if data[:4] != b"glTF" or len(data) < 20:
        raise Damage("does not begin like a GLB file; it is damaged, truncated or of another format")
    declared = int.from_bytes(data[8:12], "little")
    if declared != len(data):
        raise Damage(
            f"is damaged or truncated: it declares {declared} bytes and has {len(data)}; export it again"
        )
    if int.from_bytes(data[4:8], "little") != 2:
        raise Damage("is not of version 2 of glTF; export it again")
    return _Gltf(glb_header(data), dict(reversed(list(_chunks(data)))).get(_BINARY), None).mesh()


def glb_header(data: bytes) -> dict[str, Any]:
    """Return the header of a GLB file."""
    chunks = dict(reversed(list(_chunks(data))))
    if _JSON not in chunks:
        raise Damage("has no header; it is damaged")
    return _tree(chunks[_JSON])


def read_gltf(data: bytes, folder: Path) -> FileMesh:
    """Return all parts of a glTF file in their poses; its buffers are files beside it."""
    return _Gltf(_tree(data), None, folder).mesh()


def _chunks(data: bytes) -> Iterator[tuple[int, bytes]]:
    offset = 12
    while offset < len(data):
        size, kind = int.from_bytes(data[offset : offset + 4], "little"), data[offset + 4 : offset + 8]
        if offset + 8 + size > len(data):
            raise Damage("is damaged: a chunk of it is longer than the file")
        yield int.from_bytes(kind, "little"), data[offset + 8 : offset + 8 + size]
        offset += 8 + size


def _tree(header: bytes) -> dict[str, Any]:
    try:
        tree = parse_json(header.decode("utf-8-sig"))
    except ValueError as cause:
        raise Damage(f"has a damaged header ({cause}); export it again") from cause
    if not isinstance(tree, dict):
        raise Damage("has a damaged header (it is no object); export it again")
    return tree


class _Gltf:
    """One reading of a file: its header, the binary chunk of a GLB file, and the folder of a glTF file."""

    def __init__(self, tree: dict[str, Any], binary: bytes | None, folder: Path | None) -> None:
        self.tree, self.binary, self.folder = tree, binary, folder
        self.buffers: dict[int, bytes] = {}
        self.parts: dict[int, list[Part]] = {}

    def mesh(self) -> FileMesh:
        """Return all meshes of the scene as one."""
        self.check_extensions()
        self.check_motion()
        nodes = list(
            placed(((root, _matrix(self.tree["nodes"][root])) for root in self.roots()), self.children)
        )
        self.check_nodes([node for node, _ in nodes])
        copies = ((part, X) for node, X in nodes for part in self.parts_of(self.tree["nodes"][node]))
        return assembled(copies, 1.0)

    def roots(self) -> list[int]:
        """Return the nodes at the top of the one scene; without a scene, those that are below no other."""
        scenes, nodes = self.tree.get("scenes", []), self.tree.get("nodes", [])
        if len(scenes) > 1:
            raise Damage(f"has {len(scenes)} scenes, and one is read; export only the one you need")
        if scenes:
            return _indices(scenes[0].get("nodes", []), len(nodes))
        below = {child for node in nodes for child in node.get("children", [])}
        return [i for i in range(len(nodes)) if i not in below]

    def children(self, node: int) -> Iterable[tuple[int, FloatArray]]:
        """Return the nodes below a node, each with its matrix."""
        nodes = self.tree["nodes"]
        return [(i, _matrix(nodes[i])) for i in _indices(nodes[node].get("children", []), len(nodes))]

    def check_extensions(self) -> None:
        """Refuse extensions that may change the shape: known ones, and all unknown ones."""
        names = [*self.tree.get("extensionsRequired", []), *self.tree.get("extensionsUsed", [])]
        for key in _WITH_EXTENSIONS:
            for item in self.tree.get(key, []):
                names += item.get("extensions", {})
                names += [name for one in item.get("primitives", []) for name in one.get("extensions", {})]
        for name in names:
            if not isinstance(name, str) or not name.startswith(_HARMLESS):
                raise Damage(f"uses the extension {name!r}, which is not applied; export it without")

    def check_motion(self) -> None:
        """Refuse features that deform or move the parts."""
        if any(animation.get("channels") for animation in self.tree.get("animations", [])):
            raise Damage(
                "has animations, which move its parts; export it without, and give motions in keepclear"
            )
        if any("skin" in node and "mesh" in node for node in self.tree.get("nodes", [])):
            raise Damage(
                "has skins, which deform its parts; export it without armature, deformations applied"
            )
        for mesh in self.tree.get("meshes", []):
            if any("targets" in primitive for primitive in mesh.get("primitives", [])):
                raise Damage(
                    "has morph targets, which deform its parts; export it without, deformations applied"
                )

    def check_nodes(self, found: list[int]) -> None:
        """Refuse repeated nodes, and meshes that are not in the scene."""
        if len(set(found)) < len(found):
            raise Damage("has a node below two others; it is damaged")
        meshes = [self.tree["nodes"][node]["mesh"] for node in found if "mesh" in self.tree["nodes"][node]]
        shown = set(_indices(meshes, len(self.tree.get("meshes", []))))
        hidden = [node for node in self.tree.get("nodes", []) if "mesh" in node]
        if len(hidden) > len(meshes):
            raise Damage("has a node with a mesh that is not in its scene; add it to the scene, or remove it")
        for i, mesh in enumerate(self.tree.get("meshes", [])):
            if i not in shown:
                name = f" {mesh['name']!r}" if isinstance(mesh.get("name"), str) else ""
                raise Damage(
                    f"has a mesh{name} (number {i}) that is not in its scene; add it to the scene, or remove it"
                )

    def parts_of(self, node: dict[str, Any]) -> list[Part]:
        """Return the surfaces of a node's mesh, read once."""
        if "mesh" not in node:
            return []
        index = node["mesh"]
        if index not in self.parts:
            primitives = self.tree["meshes"][index]["primitives"]
            self.parts[index] = [
                self.part(one)
                for one in primitives
                if one.get("mode", _TRIANGLES) in (_TRIANGLES, _STRIP, _FAN)
            ]
            if any(one.get("mode", _TRIANGLES) not in range(7) for one in primitives):
                raise Damage("has a primitive of an unknown mode; it is damaged")
        return self.parts[index]

    def part(self, primitive: dict[str, Any]) -> Part:
        """Return a primitive of triangles, a strip or a fan."""
        vertices = self.values(primitive["attributes"]["POSITION"], "VEC3", {_FLOAT: "<f4"})
        if "indices" in primitive:
            corners = self.values(primitive["indices"], "SCALAR", _INDEX_TYPES)[:, 0].astype(np.int64)
        else:
            corners = np.arange(len(vertices))
        triangles = _triangles(corners, primitive.get("mode", _TRIANGLES))
        return part_of_shared(vertices, np.full(len(triangles), 3), triangles.ravel())

    def values(self, index: int, kind: str, types: dict[int, str]) -> npt.NDArray[Any]:
        """Return the values (n, columns) of an accessor, which must be plain ones of these types."""
        accessor = self.tree["accessors"][index]
        if "sparse" in accessor or "bufferView" not in accessor:
            raise Damage("holds compressed or sparse geometry; export it without compression")
        component, normalized = accessor["componentType"], accessor.get("normalized", False)
        if accessor["type"] != kind or component not in types or normalized:
            raise Damage(
                f"has quantized geometry (component type {component!r}); export it without quantization"
            )
        columns = 3 if kind == "VEC3" else 1
        dtype = np.dtype(types[component])
        view = self.tree["bufferViews"][accessor["bufferView"]]
        begin = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        stride = view.get("byteStride", dtype.itemsize * columns)
        n, size = accessor["count"], dtype.itemsize * columns
        length = (n - 1) * stride + size if n else 0
        buffer = self.buffer(view["buffer"])
        end = view.get("byteOffset", 0) + view["byteLength"]
        if n < 0 or begin < 0 or stride < size or begin + length > min(end, len(buffer)):
            raise Damage(f"is truncated or damaged: accessor {index} is longer than its buffer")
        shape, strides = (n, columns), (stride, dtype.itemsize)
        return np.ndarray(shape, dtype, buffer, begin, strides) if n else np.zeros(shape, dtype)

    def buffer(self, index: int) -> bytes:
        """Return the bytes of a buffer: the chunk of a GLB file, a file beside it, or what the header holds."""
        if index not in self.buffers:
            buffer = self.tree["buffers"][index]
            self.buffers[index] = self.resource(buffer.get("uri"))
            if len(self.buffers[index]) < buffer["byteLength"]:
                raise Damage(
                    f"has a buffer of {len(self.buffers[index])} bytes that should have {buffer['byteLength']}; it is "
                    "truncated: export it again"
                )
        return self.buffers[index]

    def resource(self, uri: str | None) -> bytes:
        if uri is None:
            if self.binary is None:
                raise Damage("has a buffer without content; it is compressed or damaged")
            return self.binary
        if uri.startswith("data:"):
            _, comma, text = uri.partition(",")
            try:
                return base64.b64decode(text, validate=True) if comma else b""
            except binascii.Error as cause:
                raise Damage(f"has a damaged buffer ({cause}); export it again") from cause
        if self.folder is None or "://" in uri:
            raise Damage(f"has a buffer at {uri[:60]!r}, which is not read; export it with its buffers")
        try:
            return read_regular_file(self.folder / unquote(uri))
        except OSError as cause:
            raise Damage(
                f"has a buffer {uri[:60]!r} that cannot be opened: {cause.strerror or cause}"
            ) from cause


def _indices(values: list[Any], n: int) -> list[int]:
    """Return indices below n, or raise `Damage`; negative ones would count from the end."""
    for value in values:
        if type(value) is not int or not 0 <= value < n:
            raise Damage(f"refers to number {value!r} of {n}; it is damaged")
    return values


def _matrix(node: dict[str, Any]) -> FloatArray:
    """Return the matrix of a node: as given, by columns, or its translation, rotation (x, y, z, w) and scale."""
    if "matrix" in node:
        return np.array(node["matrix"], dtype=np.float64).reshape(4, 4).T
    X = np.eye(4)
    x, y, z, w = np.array(node.get("rotation", [0.0, 0.0, 0.0, 1.0]), dtype=np.float64)
    length = np.sqrt(x * x + y * y + z * z + w * w)
    if not abs(length - 1.0) < 1e-3:
        raise Damage("has a rotation that is not a unit quaternion; it is damaged")
    x, y, z, w = x / length, y / length, z / length, w / length
    X[:3, :3] = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    X[:3, :3] *= np.array(node.get("scale", [1.0, 1.0, 1.0]), dtype=np.float64).reshape(3)
    X[:3, 3] = np.array(node.get("translation", [0.0, 0.0, 0.0]), dtype=np.float64).reshape(3)
    return X


def _triangles(corners: npt.NDArray[np.int64], mode: int) -> npt.NDArray[np.int64]:
    """Return the triangles (n, 3) of a list of corners, all with the same orientation."""
    if mode == _TRIANGLES:
        if len(corners) % 3:
            raise Damage(
                f"has {len(corners)} corners of triangles, which is not a multiple of 3; it is damaged"
            )
        return corners.reshape(-1, 3)
    return strip_triangles(corners, is_fan=mode == _FAN)
