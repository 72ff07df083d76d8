"""Closed solids for the demo cell: turned, milled and joined parts, and the files that hold them."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import shapely
import trimesh

FloatArray = npt.NDArray[np.float64]
ABOUT = {  # the turn that takes the axis z of a new solid to another axis
    "x": np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]),
    "y": np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]),
    "z": np.eye(3),
}


def turned(profile: Sequence[tuple[float, float]], axis: str = "z", sides: int = 28) -> trimesh.Trimesh:
    """Return a solid of revolution about an axis; the profile lists (radius, height) [m] from one end to the other."""
    angle = 2.0 * np.pi * (np.arange(sides) + 0.5) / sides
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    rings = [np.column_stack([r * circle, np.full(sides, h)]) for r, h in profile]
    points = [*np.concatenate(rings), [0.0, 0.0, profile[0][1]], [0.0, 0.0, profile[-1][1]]]
    k = np.arange(sides)
    after = (k + 1) % sides
    first, last, n = len(points) - 2, len(points) - 1, (len(rings) - 1) * sides
    faces = [np.stack([after, k, np.full(sides, first)], axis=1)]
    for start in range(0, n, sides):
        a, b, c, d = start + k, start + after, start + sides + after, start + sides + k
        faces += [np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)]
    faces.append(np.stack([n + k, n + after, np.full(sides, last)], axis=1))
    return _placed(np.array(points), np.concatenate(faces), axis)


def milled(
    outline: shapely.Polygon, thickness: float, axis: str = "z", chamfer: float = 0.0
) -> trimesh.Trimesh:
    """Return a plate of a given outline, centred on the plane normal to the axis, its edges broken by a chamfer [m].

    The outline is in the two axes that follow the normal: (y, z) about x, (z, x) about y, (x, y) about z.
    """
    heights = [
        (-0.5 * thickness, chamfer),
        (-0.5 * thickness + chamfer, 0.0),
        (0.5 * thickness - chamfer, 0.0),
    ]
    outline = shapely.geometry.polygon.orient(outline)
    if chamfer == 0.0:
        solid = trimesh.creation.extrude_polygon(outline, thickness, engine="earcut")
        return _placed(solid.vertices - [0.0, 0.0, 0.5 * thickness], solid.faces, axis)
    slabs = []
    levels = [*heights, (0.5 * thickness, chamfer)]
    corners, caps = trimesh.creation.triangulate_polygon(outline, engine="earcut")
    inset = _inset(np.asarray(corners), outline, chamfer)
    n = len(corners)
    for height, cut in levels:
        slabs.append(np.column_stack([inset if cut else corners, np.full(n, height)]))
    ring = _ring_of(np.asarray(corners), outline)
    after = np.roll(ring, -1)
    faces = [caps[:, ::-1]]
    for level in range(3):
        a, b = level * n + ring, level * n + after
        c, d = b + n, a + n
        faces += [np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)]
    faces.append(caps + 3 * n)
    return _placed(np.concatenate(slabs), np.concatenate(faces), axis)


def block(lower: Sequence[float], upper: Sequence[float]) -> trimesh.Trimesh:
    """Return a box between two corners [m]."""
    return _checked(trimesh.creation.box(bounds=[lower, upper]))


def moved(solid: trimesh.Trimesh, x: float, y: float, z: float) -> trimesh.Trimesh:
    """Return the solid, shifted [m]."""
    return trimesh.Trimesh(solid.vertices + np.array([x, y, z]), solid.faces, process=False)


def joined(*solids: trimesh.Trimesh) -> trimesh.Trimesh:
    """Return the union of solids as one closed surface."""
    return _checked(trimesh.boolean.union(list(solids), engine="manifold"))


def cut(solid: trimesh.Trimesh, *away: trimesh.Trimesh) -> trimesh.Trimesh:
    """Return the solid without the others."""
    return _checked(trimesh.boolean.difference([solid, *away], engine="manifold"))


def write_ply(solid: trimesh.Trimesh, path: Path) -> None:
    """Write a binary PLY file: 12 bytes for a vertex, 13 for a triangle."""
    solid = _checked(solid)
    n_v, n_f = len(solid.vertices), len(solid.faces)
    header = (
        "ply\nformat binary_little_endian 1.0\ncomment metres\n"
        f"element vertex {n_v}\nproperty float x\nproperty float y\nproperty float z\n"
        f"element face {n_f}\nproperty list uchar int vertex_indices\nend_header\n"
    )
    rows = np.zeros(n_f, dtype=[("n", "u1"), ("face", "<i4", 3)])
    rows["n"], rows["face"] = 3, solid.faces
    path.write_bytes(header.encode() + solid.vertices.astype("<f4").tobytes() + rows.tobytes())


def write_stl_in_millimetres(solid: trimesh.Trimesh, path: Path) -> None:
    """Write a binary STL file, in millimetres as most design programs do."""
    solid = _checked(solid)
    rows = np.zeros(
        len(solid.faces), dtype=[("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("more", "<u2")]
    )
    rows["normal"], rows["corners"] = solid.face_normals, 1e3 * solid.vertices[solid.faces]
    path.write_bytes(b"millimetres".ljust(80) + struct.pack("<I", len(rows)) + rows.tobytes())


def _placed(points: FloatArray, faces: npt.NDArray[np.int64], axis: str) -> trimesh.Trimesh:
    return _checked(trimesh.Trimesh(points @ ABOUT[axis].T, faces, process=False))


def _checked(solid: trimesh.Trimesh) -> trimesh.Trimesh:
    """Return the solid with vertices as single precision stores them, or say that it is none."""
    solid = trimesh.Trimesh(np.round(solid.vertices, 6), solid.faces, process=True)
    solid.update_faces(solid.nondegenerate_faces())
    solid.remove_unreferenced_vertices()
    if not solid.is_volume:
        raise ValueError("a part of the demo cell is no closed solid; change its profile or outline.")
    return solid


def _ring_of(corners: FloatArray, outline: shapely.Polygon) -> npt.NDArray[np.int64]:
    """Return the rows of corners in the order of the outline."""
    points = np.asarray(outline.exterior.coords)[:-1]
    return np.array([int(np.linalg.norm(corners - point, axis=1).argmin()) for point in points])


def _inset(corners: FloatArray, outline: shapely.Polygon, by: float) -> FloatArray:
    """Return the corners of the outline, each edge moved inwards."""
    ring = _ring_of(corners, outline)
    points = corners[ring]
    along = np.roll(points, -1, axis=0) - points
    along /= np.linalg.norm(along, axis=1)[:, None]
    inward = np.column_stack([-along[:, 1], along[:, 0]])  # the outline runs counterclockwise
    before = np.roll(inward, 1, axis=0)
    bisector = inward + before
    shift = by * bisector / (0.5 * (bisector**2).sum(axis=1))[:, None]
    result = corners.copy()
    result[ring] = points + shift
    return result
