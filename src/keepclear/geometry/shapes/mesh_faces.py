"""The faces of a mesh as given by the user: checked, and cut into triangles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, IndexArray, as_array, shown
from keepclear.errors import MeshError
from keepclear.tolerances import POLYGON_FLATNESS, POLYGON_ROUNDING

Offsets = npt.NDArray[np.int64]

_LARGEST_INDEX = 2**31 - 1
_TURN_NOISE = 1e-14  # sine of the angle that rounding can give a straight corner


class Faces(NamedTuple):
    """Polygons in one array: face i has the corners `corners[start[i]:start[i + 1]]`, indices of vertices."""

    start: Offsets
    corners: IndexArray


def checked_faces(label: str, faces: object, n_vertices: int) -> Faces:
    """Return a copy of faces given as an array (m, k) or as lists of indices, or raise a `MeshError` that names one."""
    start, flat = _flattened(label, faces)
    if len(start) < 2:
        raise MeshError(f"{label} has no faces; give at least one triangle, such as faces=[[0, 1, 2]].")
    if flat.dtype.kind not in "iu":
        _refuse_indices(label, flat)
    outside = (flat < 0) | (flat >= n_vertices)
    if outside.any():
        first = int(outside.argmax())
        face = int(np.searchsorted(start, first, side="right")) - 1
        have = f"vertices 0 to {n_vertices - 1}" if n_vertices else "no vertices"
        raise MeshError(
            f"{label}: faces[{face}] uses vertex {flat[first]}, but there are {have}; "
            "indices count from 0, so check whether these count from 1 or belong to other vertices."
        )
    result = Faces(start, np.array(flat, dtype=np.int32))  # always a copy: callers reuse their arrays
    _check_corners(label, result)
    return result


def triangulated(
    label: str, vertices: FloatArray, faces: Faces, *, flat: bool = True
) -> tuple[IndexArray, IndexArray]:
    """Return the triangles (t, 3) of all faces, fans around their first corners, and the face of each.

    Where all faces are triangles, these are the faces' own corners and not a copy. With flat=False polygons may be
    bent, as quadrilaterals in files often are; viewed along their mean normal they must be convex all the same.
    """
    counts = np.diff(faces.start)
    if counts.max() == 3:
        return faces.corners.reshape(-1, 3), np.arange(len(counts), dtype=np.int32)
    start, corners = _without_repeats(faces)
    counts = np.diff(start)
    _check_polygons(label, vertices, Faces(start, corners), flat)
    face = np.repeat(np.arange(len(counts)), counts - 2)
    fan_start = np.concatenate(([0], np.cumsum(counts - 2)))
    second = start[face] + np.arange(len(face)) - fan_start[face] + 1
    triangles = np.column_stack((corners[start[face]], corners[second], corners[second + 1]))
    return np.ascontiguousarray(triangles, dtype=np.int32), face.astype(np.int32)


def _flattened(label: str, faces: object) -> tuple[Offsets, npt.NDArray[Any]]:
    """Return where each face starts in the list of all corners, and that list with the dtype it came with."""
    expected = "faces must be an integer array (m, 3) or (m, k), or a list of lists of vertex indices"
    if faces is None or isinstance(faces, str | bytes | bytearray | dict | set | frozenset):
        raise MeshError(f"{label}: {expected}, but they are {shown(faces)}.")
    try:
        array = as_array(faces, f"{label}: faces", MeshError)
    except MeshError:
        raise
    except ValueError as cause:
        if not isinstance(faces, Sequence):
            raise MeshError(f"{label}: {expected}, but they are {shown(faces)}: {cause}") from cause
        return _flattened_lists(label, faces)
    except Exception as cause:  # any error of a user-defined __array__
        raise MeshError(f"{label}: {expected}, but they are {shown(faces)}: {cause}") from cause
    if array.size == 0:
        if array.ndim == 2 and array.shape[0] > 0:
            raise MeshError(f"{label}: faces[0] has no corners; a face needs at least 3.")
        return np.zeros(1, dtype=np.int64), array
    if array.ndim == 1 and array.dtype == object and all(isinstance(f, Sequence | np.ndarray) for f in array):
        return _flattened_lists(label, list(array))
    if array.ndim != 2:
        raise MeshError(f"{label}: {expected}, but they have shape {array.shape}.")
    n_faces, k = array.shape
    return np.arange(n_faces + 1, dtype=np.int64) * k, array.ravel()


def _flattened_lists(label: str, faces: Sequence[Any]) -> tuple[Offsets, npt.NDArray[Any]]:
    """Return the same as `_flattened` for faces with different numbers of corners."""
    try:
        counts = [len(face) for face in faces]
        flat = np.asarray(list(chain.from_iterable(faces)))
    except (TypeError, ValueError) as cause:
        raise MeshError(
            f"{label}: faces must be lists of vertex indices, but some entry is not: {cause}"
        ) from cause
    if flat.ndim != 1:
        raise MeshError(f"{label}: faces must be lists of vertex indices, but they are nested deeper.")
    return np.concatenate(([0], np.cumsum(counts, dtype=np.int64))), flat


def _refuse_indices(label: str, flat: npt.NDArray[Any]) -> None:
    if flat.dtype == object and all(isinstance(i, int) and not isinstance(i, bool) for i in flat):
        worst = max(flat, key=abs)
        raise MeshError(f"{label}: faces use vertex {shown(worst)}, which no mesh has; check the indices.")
    advice = (
        "convert them with np.asarray(faces, dtype=int)" if flat.dtype.kind == "f" else "give whole numbers"
    )
    raise MeshError(
        f"{label}: faces must hold integers (indices of vertices), but they hold {flat.dtype} values; "
        f"{advice}."
    )


def _check_corners(label: str, faces: Faces) -> None:
    """Raise a `MeshError` for the first face with fewer than 3 different corners."""
    counts = np.diff(faces.start)
    if (counts == 3).all():
        a, b, c = faces.corners.reshape(-1, 3).T
        if ((a != b) & (b != c) & (c != a)).all():
            return
    for k in np.unique(counts):
        members = np.flatnonzero(counts == k)
        corners = np.sort(faces.corners[faces.start[members][:, None] + np.arange(k)], axis=1)
        distinct = (np.diff(corners, axis=1) != 0).sum(axis=1) + 1 if k else np.zeros(len(members), dtype=int)
        if (distinct < 3).any():
            face = int(members[int((distinct < 3).argmax())])
            given = faces.corners[faces.start[face] : faces.start[face + 1]].tolist()
            raise MeshError(
                f"{label}: faces[{face}] = {given} has fewer than 3 different corners; "
                "remove it or repair it."
            )


def _without_repeats(faces: Faces) -> Faces:
    """Return faces without corners that are equal to the corner after them."""
    following = np.roll(faces.corners, -1)
    following[faces.start[1:] - 1] = faces.corners[faces.start[:-1]]
    kept = faces.corners != following
    if kept.all():
        return faces
    return Faces(np.concatenate(([0], np.cumsum(kept)))[faces.start], faces.corners[kept])


def _check_polygons(label: str, vertices: FloatArray, faces: Faces, flat: bool) -> None:
    """Raise a `MeshError` for the first polygon that is not flat or not convex."""
    counts = np.diff(faces.start)
    for k in np.unique(counts[counts > 3]):
        members = np.flatnonzero(counts == k)
        for part in np.array_split(members, len(members) * int(k) // 1_000_000 + 1):
            points = vertices[faces.corners[faces.start[part][:, None] + np.arange(k)]]
            _check_group(label, points, part, flat)


def _check_group(label: str, points: FloatArray, face_index: Offsets, flat: bool) -> None:
    """Check polygons with equally many corners, (m, k, 3)."""
    extent = np.ptp(points, axis=1).max(axis=1)
    tolerance = POLYGON_FLATNESS * extent + POLYGON_ROUNDING * np.abs(points).max(axis=(1, 2))
    size = np.where(extent > 0.0, extent, 1.0)
    p = (points - points.mean(axis=1, keepdims=True)) / size[:, None, None]
    tolerance = tolerance / size
    edges = np.roll(p, -1, axis=1) - p
    normal = np.cross(p, np.roll(p, -1, axis=1)).sum(axis=1)  # Newell: twice the area
    length = np.linalg.norm(normal, axis=1)
    normal = normal / np.where(length > 0.0, length, 1.0)[:, None]
    offset = np.abs(np.einsum("mkc,mc->mk", p, normal)).max(axis=1)
    if not flat:
        offset[:] = 0.0
    before = np.roll(edges, 1, axis=1)
    sine = np.einsum("mkc,mc->mk", np.cross(before, edges), normal)
    cosine = np.einsum("mkc,mkc->mk", before, edges)
    edge_length = np.linalg.norm(edges, axis=2)
    reflex = sine < -_TURN_NOISE * edge_length * np.roll(edge_length, 1, axis=1)
    turn = np.arctan2(sine, cosine).sum(axis=1)
    plain = (offset <= tolerance) & (edge_length.min(axis=1) > 0.0) & ~reflex.any(axis=1)
    plain &= (np.abs(turn - 2.0 * math.pi) < 1.0) & (length > 4.0 * tolerance)
    for i in np.flatnonzero(~plain):
        if not _is_thin(p[i], tolerance[i]):
            _check_unusual(label, int(face_index[i]), p[i], normal[i], float(offset[i]), float(tolerance[i]))


def _is_thin(p: FloatArray, tolerance: float) -> bool:
    """Return whether all corners are on one line within the tolerance: degenerate, and reported elsewhere."""
    ends = p[np.linalg.norm(p - p[0], axis=1).argmax()] - p[0]
    length = float(np.linalg.norm(ends))
    if length <= tolerance:
        return True
    return bool(np.linalg.norm(np.cross(p - p[0], ends / length), axis=1).max() <= 2.0 * tolerance)


def _check_unusual(
    label: str, face: int, p: FloatArray, normal: FloatArray, offset: float, tolerance: float
) -> None:
    """Check one polygon with straight, reflex or coincident corners; all lengths relative to its extent."""
    if offset > tolerance:
        raise MeshError(
            f"{label}: faces[{face}] has {len(p)} corners that leave their plane by {offset:.2g} of its size "
            f"(allowed: {tolerance:.2g}); split it into triangles."
        )
    axis = np.eye(3)[np.abs(normal).argmin()]
    u = np.cross(axis, normal)
    u /= np.linalg.norm(u) or 1.0
    flat = np.column_stack((p @ u, p @ np.cross(normal, u)))
    flat = flat[(flat != np.roll(flat, -1, axis=0)).any(axis=1)]
    edges = np.roll(flat, -1, axis=0) - flat
    before = np.roll(edges, 1, axis=0)
    turns = np.arctan2(before[:, 0] * edges[:, 1] - before[:, 1] * edges[:, 0], (before * edges).sum(axis=1))
    if abs(float(turns.sum()) - 2.0 * math.pi) > 1.0 or _dent(flat) > tolerance:
        raise MeshError(
            f"{label}: faces[{face}] with {len(p)} corners is not convex; split it into triangles "
            "or convex polygons, with the corners in order around each one."
        )


def _dent(flat: FloatArray) -> float:
    """Return how far the corners of a polygon in the plane (k, 2) lie inside its convex hull at most."""
    order = np.lexsort((flat[:, 1], flat[:, 0]))
    points = [(float(x), float(y)) for x, y in flat[order]]
    hull = np.array(_half_hull(points)[:-1] + _half_hull(points[::-1])[:-1])
    along = np.roll(hull, -1, axis=0) - hull
    length = np.hypot(along[:, 0], along[:, 1])
    hull, along = hull[length > 0.0], along[length > 0.0] / length[length > 0.0, None]
    depth = np.full(len(flat), np.inf)
    for (hx, hy), (ax, ay) in zip(hull.tolist(), along.tolist(), strict=True):
        np.minimum(depth, np.abs(ax * (flat[:, 1] - hy) - ay * (flat[:, 0] - hx)), out=depth)
    return float(depth.max())


def _half_hull(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the lower half of the hull of points in sorted order (Andrew's monotone chain)."""
    chain: list[tuple[float, float]] = []
    for x, y in points:
        while len(chain) > 1:
            (ax, ay), (bx, by) = chain[-2], chain[-1]
            if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0.0:
                break
            chain.pop()
        chain.append((x, y))
    return chain
