"""Readers of GLB, glTF, DAE, 3MF and STEP files: scenes of several parts, read by trimesh and cascadio."""

from __future__ import annotations

import io
import json
import warnings
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from keepclear.errors import MissingPackageError
from keepclear.shapes.mesh_faces import Faces
from keepclear.shapes.mesh_text import Damage, FileMesh

# The units that a 3MF file can name [m].
_UNITS_3MF = {
    "micron": 1e-6,
    "millimeter": 1e-3,
    "centimeter": 1e-2,
    "inch": 0.0254,
    "foot": 0.3048,
    "meter": 1.0,
}
_TRIANGLES, _STRIP, _FAN = 4, 5, 6  # modes of a glTF primitive


def read_glb(data: bytes) -> FileMesh:
    """Return all parts of a GLB file at their places; its unit is the metre."""
    if data[:4] != b"glTF" or len(data) < 20:
        raise Damage("does not begin like a GLB file; it is damaged, cut off or of another format")
    if int.from_bytes(data[8:12], "little") != len(data):
        raise Damage(
            f"is damaged or cut off: it declares {int.from_bytes(data[8:12], 'little')} bytes "
            f"and has {len(data)}; export it again"
        )
    size = int.from_bytes(data[12:16], "little")
    return _read_gltf(data, "glb", data[20 : 20 + size], None)


def read_gltf(data: bytes, folder: Path) -> FileMesh:
    """Return all parts of a glTF file at their places; its buffers are files in the same folder."""
    return _read_gltf(data, "gltf", data, folder)


def _read_gltf(data: bytes, kind: str, header: bytes, folder: Path | None) -> FileMesh:
    try:
        tree = json.loads(header)
    except ValueError as cause:
        raise Damage(f"has a damaged header ({cause}); export it again") from cause
    expected = _count_gltf(tree) if isinstance(tree, dict) else 0
    scene = _scene(data, kind, folder, skip_materials=True)
    found = sum(len(geometry.faces) for geometry in scene.geometry.values() if hasattr(geometry, "faces"))
    if found != expected:
        raise Damage(f"has {expected} triangles, but {found} can be read; export it without compression")
    return _assembled(scene, 1.0)


def _count_gltf(tree: dict[str, Any]) -> int:
    """Return how many triangles the meshes of a glTF header have."""
    total = 0
    for mesh in tree.get("meshes", []):
        for primitive in mesh["primitives"]:
            mode = primitive.get("mode", _TRIANGLES)
            if mode not in (_TRIANGLES, _STRIP, _FAN):
                continue
            used = [primitive["attributes"]["POSITION"]]
            used += [primitive["indices"]] if "indices" in primitive else []
            for index in used:
                accessor = tree["accessors"][index]
                if "sparse" in accessor or "bufferView" not in accessor:
                    raise Damage("holds compressed or sparse geometry; export it without compression")
            n = tree["accessors"][used[-1]]["count"]
            total += n // 3 if mode == _TRIANGLES else max(n - 2, 0)
    return total


def read_dae(data: bytes) -> FileMesh:
    """Return all parts of a COLLADA file at their places."""
    scene = _scene(data, "dae", None, ignore_broken=False)
    units = {str(geometry.metadata.get("units", "meters")) for geometry in scene.geometry.values()}
    unit = 1.0
    for text in units:  # trimesh says "meters" or "0.001 * meters", and leaves the numbers as they are
        unit = float(text.partition("*")[0]) if "*" in text else 1.0
    return _assembled(scene, unit)


def read_3mf(data: bytes) -> FileMesh:
    """Return all parts of a 3MF file at their places."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        broken = archive.testzip()
    if broken is not None:
        raise Damage(f"is damaged: {broken!r} in it does not have its checksum; export it again")
    scene = _scene(data, "3mf", None)
    units = {str(geometry.metadata.get("units")) for geometry in scene.geometry.values()}
    unit = 1e-3
    for text in units:
        unit = _UNITS_3MF.get(text.removesuffix("s"), 0.0)
        if unit == 0.0:
            raise Damage(f"is in an unknown unit {text!r}; say unit='mm' or what it really is")
    return _assembled(scene, unit)


def read_step(data: bytes, tolerance: float) -> FileMesh:
    """Return the surfaces of a STEP file as triangles that stay within a tolerance [m] of them."""
    try:
        import cascadio
    except ImportError as cause:
        raise MissingPackageError(
            'STEP files need the package cascadio; install it with pip install "keepclear[step]", '
            "or export the part as STL, GLB or 3MF."
        ) from cause
    if not data.lstrip().startswith(b"ISO-10303-21"):
        raise Damage("does not begin like a STEP file; it is damaged or of another format")
    if not data.rstrip().endswith(b"END-ISO-10303-21;"):
        raise Damage("does not end with 'END-ISO-10303-21;': it is cut off; export it again")
    # Measured: whatever the unit of the file, cascadio wants millimetres and delivers metres.
    converted = cascadio.load(data, file_type="step", tol_linear=tolerance * 1e3, use_parallel=False)
    if not converted:
        raise Damage("cannot be read as STEP; export it again, or as STL, GLB or 3MF")
    return _assembled(_scene(converted, "glb", None, skip_materials=True), 1.0)


def _scene(data: bytes, kind: str, folder: Path | None, **options: Any) -> Any:
    """Return what trimesh reads, untouched: nothing merged, removed or converted."""
    import trimesh

    resolver = None if folder is None else trimesh.resolvers.FilePathResolver(str(folder))
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return trimesh.load_scene(
            io.BytesIO(data), file_type=kind, resolver=resolver, process=False, **options
        )


def _assembled(scene: Any, unit: float) -> FileMesh:
    """Return the meshes of a scene as one, each copy in its place."""
    points, triangles, n_points = [np.zeros((0, 3))], [np.zeros((0, 3), dtype=np.int64)], 0
    for node in sorted(scene.graph.nodes_geometry):
        X, name = scene.graph[node]
        part = scene.geometry[name]
        if not hasattr(part, "faces"):
            continue  # points and lines have no surface
        vertices, faces = np.asarray(part.vertices, dtype=np.float64), np.asarray(part.faces, dtype=np.int64)
        if faces.size and not 0 <= faces.min() <= faces.max() < len(vertices):
            raise Damage(f"has a face that uses a vertex outside of the {len(vertices)} of its part")
        if not np.array_equal(X, np.eye(4)):
            vertices = vertices @ X[:3, :3].T + X[:3, 3]
        if np.linalg.det(X[:3, :3]) < 0.0:
            faces = faces[:, ::-1]  # a mirrored copy would show its inside
        points.append(vertices)
        triangles.append(faces + n_points)
        n_points += len(vertices)
    corners = np.concatenate(triangles).astype(np.int32)
    start = np.arange(len(corners) + 1, dtype=np.int64) * 3
    return FileMesh(np.concatenate(points), Faces(start, corners.ravel()), unit)
