"""Meshes from files: which reader, which unit, and one clear error for everything that can be wrong."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np

from keepclear.checks import FloatArray, checked_path, checked_positive, shown
from keepclear.errors import (
    ArgumentError,
    FileMissingError,
    MeshError,
    MeshFileError,
    MissingPackageError,
    UnitWarning,
)
from keepclear.files.access import read_named_file
from keepclear.geometry.mesh_files import dae, gltf, ply, step, text, threemf
from keepclear.geometry.mesh_files.text import Damage, FileMesh
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.shapes.mesh_check import first_at_position
from keepclear.geometry.shapes.mesh_faces import Faces, triangulated
from keepclear.names import did_you_mean
from keepclear.tolerances import IMPLAUSIBLY_LARGE, IMPLAUSIBLY_SMALL

__all__ = ["DEFAULT_TOLERANCE", "STEP_FILES", "read_mesh"]

_UNITS = {"m": 1.0, "cm": 1e-2, "mm": 1e-3, "um": 1e-6, "in": 0.0254, "ft": 0.3048}

_READERS: dict[str, Callable[[bytes], FileMesh]] = {
    ".3mf": threemf.read_3mf,
    ".dae": dae.read_dae,
    ".glb": gltf.read_glb,
    ".obj": text.read_obj,
    ".off": text.read_off,
    ".ply": ply.read_ply,
    ".stl": text.read_stl,
}
STEP_FILES = (".step", ".stp")
DEFAULT_TOLERANCE = 1e-4
"""How far triangles may be from the curved surfaces of a STEP file [m], if it is not said."""


def read_mesh(
    path: str | os.PathLike[str],
    unit: str | None = None,
    *,
    scale: float = 1.0,
    solid: bool | None = None,
    merge: bool = True,
    tolerance: float = DEFAULT_TOLERANCE,
) -> Mesh:
    """Return the mesh in a file: STL, OBJ, PLY, OFF, GLB, glTF, DAE, 3MF, or STEP with the extra `step`.

    All parts of a file are returned as one mesh, each in its pose. Files that contain a unit (GLB, glTF, DAE, 3MF,
    STEP) are converted to metres; others are taken as metres, with a warning if the size is implausible.

    Args:
        path: The file; its extension gives the format.
        unit: Unit of the numbers in the file, which overrides a unit in the file: "m", "cm", "mm", "um", "in" or "ft".
        scale: An additional factor, for parts that were drawn to scale.
        solid: As in `Mesh`: None: a solid if the mesh is closed; True requires a closed mesh; False: the surface only.
        merge: Whether vertices at exactly the same position become one; the surface is the same either way.
        tolerance: For STEP: how far triangles may be from the curved surface [m]; the mesh has it, and a little more
            for rounding, as its `tessellation_error`.

    Raises:
        FileMissingError: There is no such file.
        MeshFileError: The file cannot be read completely: unknown format, empty, damaged, truncated or without faces.
        MeshError: solid=True, and the mesh is not closed.
        MissingPackageError: The format needs a package that is not installed.

    Examples:
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     file = Path(folder) / "flap.obj"
        ...     _ = file.write_text("v 0 0 0\\nv 80 0 0\\nv 0 50 0\\nf 1 2 3\\n")
        ...     print(read_mesh(file, unit="mm"))
        Mesh('flap.obj', 3 vertices, 1 triangle, extent (0.08, 0.05, 0) m, surface)
    """
    file, ending = _checked_path(path)
    factor = checked_positive("read_mesh: scale", scale, "")
    deflection = checked_positive("read_mesh: tolerance", tolerance, "metres")
    if unit is not None and (not isinstance(unit, str) or unit not in _UNITS):
        raise ArgumentError(
            f"read_mesh: unit is {shown(unit)}; expected one of {', '.join(map(repr, _UNITS))}."
        )
    if unit is not None and ending in STEP_FILES:
        raise ArgumentError(
            f"read_mesh: a STEP file contains its unit, so unit={unit!r} has no meaning; use scale=."
        )
    if solid is not None and not isinstance(solid, bool | np.bool_):
        raise ArgumentError(f"read_mesh: solid must be None, True or False, but it is {shown(solid)}.")
    content = _parsed(file, ending, deflection)
    factor *= _UNITS[unit] if unit is not None else (content.unit or 1.0)
    error = content.error * float(scale)
    mesh = _built(file, content, factor, merge, error)
    if content.is_closed and solid is not False and not mesh.is_solid:
        raise MeshFileError(
            f"mesh file '{file}' has closed shells, but its triangles have {mesh.check.why_open()}: a part of its "
            "surface is lost; export it again, or read it with solid=False to check the rest of its surface only."
        )
    if unit is None and content.unit is None:
        _warn_if_implausible(mesh, file)
    mesh = mesh if solid is None else _with_solid(mesh, bool(solid), error)
    mesh._keep()
    return mesh


def _checked_path(path: object) -> tuple[Path, str]:
    file = checked_path("read_mesh", path)
    ending = file.suffix.lower()
    try:
        exists, is_folder = file.exists(), file.is_dir()
    except OSError as cause:
        raise MeshFileError(f"mesh file '{file}' cannot be opened: {cause.strerror or cause}.") from cause
    if not exists:
        raise FileMissingError(f"there is no mesh file '{file}'{_similar(file)}")
    if is_folder:
        raise MeshFileError(f"'{file}' is a folder; give the path of one mesh file in it.")
    if ending not in (*_READERS, ".gltf", *STEP_FILES):
        raise MeshFileError(
            f"mesh file '{file}' has the unknown extension '{file.suffix}'; "
            "convert it to one of STL, OBJ, PLY, OFF, GLB, glTF, DAE, 3MF or STEP."
        )
    return file, ending


def _similar(file: Path) -> str:
    try:
        names = [entry.name for entry in file.parent.iterdir()]
    except OSError:
        return f" (nor a folder '{file.parent}'); check the path."
    return did_you_mean(file.name, names) or "; check the path."


def _parsed(file: Path, ending: str, tolerance: float) -> FileMesh:
    """Return the content of a file; any error of a reader is raised as a `MeshFileError`."""
    data = read_named_file(file, "mesh file", MeshFileError)
    if not data.strip():
        raise MeshFileError(f"mesh file '{file}' is empty; export it again.")
    try:
        if ending in STEP_FILES:
            return step.read_step(data, tolerance)
        if ending == ".gltf":
            return gltf.read_gltf(data, file.parent)
        return _READERS[ending](data)
    except Damage as cause:
        raise MeshFileError(f"mesh file '{file}' {cause}.") from cause.__cause__
    except MissingPackageError as cause:
        raise MissingPackageError(f"mesh file '{file}': {cause}") from cause.__cause__
    except ImportError as cause:
        raise MissingPackageError(
            f"mesh file '{file}' needs the package {cause.name!r}; install it with pip install {cause.name}."
        ) from cause
    except Exception as cause:  # third-party readers raise any exception for a damaged file
        reason = " ".join(f"{type(cause).__name__}: {cause}".split())[:120]
        raise MeshFileError(
            f"mesh file '{file}' cannot be read as {ending[1:].upper()} ({reason}); "
            "it is damaged, truncated or of another format: export it again."
        ) from cause


def _built(
    file: Path,
    content: FileMesh,
    factor: float,
    merge: bool,
    error: float,
) -> Mesh:
    """Return the mesh of a file in metres, its vertices merged."""
    vertices, faces = content.vertices * factor + 0.0, content.faces
    if not len(vertices):
        raise MeshFileError(f"mesh file '{file}' has no vertices and no faces; export it again.")
    if len(faces.start) < 2:
        raise MeshFileError(
            f"mesh file '{file}' has {len(vertices)} points and no faces, so it has no surface; "
            "export it as a mesh, or use kc.Convex(points) for the hull of its points."
        )
    try:
        if merge and np.isfinite(vertices).all():
            vertices, faces = _merged(vertices, faces)
        vertices, faces = _separated(vertices, faces)
        triangles = faces.corners.reshape(-1, 3) if (np.diff(faces.start) == 3).all() else None
        if triangles is None:
            triangles, _ = triangulated(f"mesh file '{file}'", vertices, faces, flat=False)
        return Mesh(vertices, triangles, name=file.name, tessellation_error=error)
    except MeshError as cause:
        raise MeshFileError(str(cause)) from cause


def _merged(vertices: FloatArray, faces: Faces) -> tuple[FloatArray, Faces]:
    """Return the mesh with one vertex per position, in the order of their first appearance."""
    first = first_at_position(vertices)
    kept = np.flatnonzero(first == np.arange(len(vertices)))
    index = np.empty(len(vertices), dtype=np.int32)
    index[kept] = np.arange(len(kept), dtype=np.int32)
    return vertices[kept], Faces(faces.start, index[first[faces.corners]])


def _separated(vertices: FloatArray, faces: Faces) -> tuple[FloatArray, Faces]:
    """Return the mesh with separate vertices for faces that have fewer than three different ones.

    Such a face is a segment or a point. It has no area, but it is part of the surface, so it is kept.
    """
    if faces.corners.size == 3 * (len(faces.start) - 1) and (np.diff(faces.start) == 3).all():
        a, b, c = faces.corners.reshape(-1, 3).T
        if ((a != b) & (b != c) & (c != a)).all():
            return vertices, faces
    face = np.repeat(np.arange(len(faces.start) - 1), np.diff(faces.start))
    order = np.lexsort((faces.corners, face))
    is_new = np.ones(len(order), dtype=bool)
    is_new[1:] = (np.diff(faces.corners[order]) != 0) | (np.diff(face[order]) != 0)
    distinct = np.bincount(face[order][is_new], minlength=len(faces.start) - 1)
    loose = np.flatnonzero((distinct < 3)[face])
    if not len(loose):
        return vertices, faces
    corners = faces.corners.copy()
    corners[loose] = len(vertices) + np.arange(len(loose))
    return np.concatenate((vertices, vertices[faces.corners[loose]])), Faces(faces.start, corners)


def _warn_if_implausible(mesh: Mesh, file: Path) -> None:
    lower, upper = mesh.bounds
    extent = float((upper - lower).max())
    if extent > IMPLAUSIBLY_LARGE:
        advice = "looks like millimetres; pass unit='mm', or unit='m' if it really is that large"
    elif extent < IMPLAUSIBLY_SMALL:
        advice = "its numbers may not be metres; give their unit, or unit='m' if it really is that small"
    else:
        return
    warnings.warn(
        f"mesh file '{file}' has no unit and would be {extent:.3g} m large in metres: {advice}.",
        UnitWarning,
        stacklevel=3,
    )


def _with_solid(mesh: Mesh, solid: bool, error: float) -> Mesh:
    return Mesh(mesh.vertices, mesh.triangles, solid, name=mesh.name, tessellation_error=error)
