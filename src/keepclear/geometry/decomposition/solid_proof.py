"""The proof that convex parts contain a solid: per cell, by clipped polygons and one point for each face of a part.

Let C be a cell whose planes are moved outwards by half the growth, and P the part of its piece.

1. The surface of the solid inside of C is within a rounding r of the clipped polygons, which reach beyond C
   (`kernels/decomposition/cuts.py`). All their corners are deeper than r in P. So the surface inside of C is in P.
2. Let f be a face of P, and D the part of C above its plane. D is convex, and no surface is in it, by 1. So D is
   entirely inside or entirely outside of the solid. It is outside if one point of it is, or if it is empty.
3. A point of C outside of P is above the plane of some face. So no point of the solid in C is outside of P.

The cells fill the box around the solid. A cell without polygons and with one point outside of the solid contains no
part of it. Signs of heights are decided with bounds of their rounding, points inside or outside of the solid exactly.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from keepclear.checks import FloatArray
from keepclear.errors import KeepclearError
from keepclear.geometry.decomposition.solid_search import MOST_CORNERS, Flags, Group, Indices, Piece, Solid
from keepclear.geometry.shapes.convex import Convex
from keepclear.kernels.decomposition import cuts

UNIT = 2.0**-53
CLIP_ROUNDING = 64.0 * UNIT
"""Upper bound of the rounding of a point by clipping at one plane, as a part of the largest coordinate [1].

The error of a height is 4 units, that of a crossing 4 more; 64 are eight times that.
"""
PADDINGS = (2e-5, 3.1e-5, 9.7e-6, 1.3e-4, 4.9e-4)
"""How far parts are padded, as a part of the size [1], one after the other until the proof succeeds.

Points that stick out of the hull of others by less than a quarter of it are not vertices: they would make faces so thin
that the rounding of their normals hides on which side a point is. No padding is a round multiple of another one or of
the growth, so that a face that passes through a corner of a cell does not do so again.
"""


def proved_part(solid: Solid, group: Group, max_vertices: int | None = None) -> Convex:
    """Return the hull of a group of pieces, moved outwards until it is proved to contain the solid in their cells.

    Args:
        solid: The solid.
        group: The pieces.
        max_vertices: Greatest number of vertices, at least 8: the fewer, the farther the part reaches; at last a box.

    Raises:
        KeepclearError: The proof failed; the solid itself may still be valid.
    """
    points = np.concatenate([piece.cover for piece in group.pieces])
    for padding in PADDINGS:
        part = _proved_hull(solid, group, points, padding * solid.size, max_vertices)
        if part is not None:
            return part
    for padding in PADDINGS if max_vertices is not None else ():
        for part in reversed(_wrapped(points, padding * solid.size, max_vertices or 0)):
            missing = _missing(solid, group, points, part)
            if missing is not None and not len(missing):
                return part
    raise KeepclearError(
        f"decompose: a part of {len(group.pieces)} pieces could not be proved to contain them; "
        "this is an error of keepclear, please report it with the mesh."
    )


def _proved_hull(
    solid: Solid, group: Group, points: FloatArray, padding: float, max_vertices: int | None
) -> Convex | None:
    """Return a padded hull that is proved to contain the pieces; None if that fails, or has too many vertices."""
    for _ in range(8):
        part = _padded(points, padding)
        if part is None or (max_vertices is not None and len(part.vertices) > max_vertices):
            return None
        missing = _missing(solid, group, points, part)
        if missing is None:
            return None
        if not len(missing):
            return part
        points = np.concatenate([points, missing])
    return None


def _wrapped(points: FloatArray, padding: float, max_vertices: int) -> list[Convex]:
    """Return polyhedra of few vertices around points, each with one face more than the last: a box to begin with.

    The corner that is farthest out is cut off by a plane along the face of the hull that it is farthest above.
    """
    from scipy.spatial import ConvexHull, HalfspaceIntersection, QhullError

    normals = np.concatenate([np.eye(3), -np.eye(3)])
    found: list[Convex] = []
    try:
        faces = ConvexHull(points)
        inside = points[faces.vertices].mean(axis=0)
        points = points[faces.vertices]
        while len(normals) <= max_vertices:
            offsets = -(points @ normals.T).max(axis=0) - padding
            corners = HalfspaceIntersection(np.column_stack([normals, offsets]), inside).intersections
            part = Convex(corners)
            if len(part.vertices) > max_vertices:
                break
            if part.graph.proved:
                found.append(part)
            heights = part.vertices @ faces.equations[:, :3].T + faces.equations[:, 3]
            heights[:, (faces.equations[:, :3] @ normals.T).max(axis=1) > 1.0 - 1e-9] = -1.0
            worst = int(heights.max(axis=0).argmax())
            if heights[:, worst].max() <= padding:
                break
            normals = np.concatenate([normals, faces.equations[worst : worst + 1, :3]])
    except QhullError:
        return found or [_box_around(points, padding)]
    return found


def _box_around(points: FloatArray, padding: float) -> Convex:
    lower, upper = points.min(axis=0) - padding, points.max(axis=0) + padding
    corners = np.stack(np.meshgrid(*np.stack([lower, upper], axis=1), indexing="ij"), axis=-1)
    return Convex(corners.reshape(-1, 3))


def is_empty_proved(solid: Solid, piece: Piece) -> bool:
    """Return whether a cell without polygons contains no part of the solid."""
    _, inside = _corners_within(solid, piece)
    return not len(piece.points) and bool((~inside).any())


def _padded(points: FloatArray, padding: float) -> Convex | None:
    """Return a hull around points, moved outwards, if its surface is proved to be convex."""
    thin = _thinned(points, 0.25 * padding)
    if thin is None:
        return _thick(points, padding)
    vertices, equations = thin
    middle = vertices.mean(axis=0)
    inner = float(-(equations[:, :3] @ middle + equations[:, 3]).max())
    if inner < 100.0 * padding:
        return _thick(vertices, padding)
    grown = middle + (vertices - middle) * (1.0 + padding / inner)
    part = Convex(grown)
    if not part.graph.proved:  # nearly coplanar vertices: in general position there are none
        rng = np.random.default_rng(len(vertices))
        part = Convex(grown + rng.uniform(-0.1, 0.1, grown.shape) * padding)
    return part if part.graph.proved else None


def _thinned(points: FloatArray, tolerance: float) -> tuple[FloatArray, FloatArray] | None:
    """Return some of the points, and the faces of their hull, out of which no point sticks more than a tolerance.

    None where the points are flat.
    """
    from scipy.spatial import ConvexHull, QhullError

    try:
        points = points[ConvexHull(points).vertices]
        chosen = np.unique(np.concatenate([points.argmin(axis=0), points.argmax(axis=0), *_simplex(points)]))
        while True:
            hull = ConvexHull(points[chosen])
            heights = points @ hull.equations[:, :3].T + hull.equations[:, 3]
            out = np.flatnonzero(heights.max(axis=1) > tolerance)
            if not len(out):
                return points[chosen], hull.equations
            farthest = np.unique(heights[out].argmax(axis=0)[heights[out].max(axis=0) > tolerance])
            chosen = np.unique(np.concatenate([chosen, out[farthest]]))
    except QhullError:
        return None


def _simplex(points: FloatArray) -> list[Indices]:
    """Return four points that are far apart."""
    a = int(points[:, 0].argmin())
    b = int(np.linalg.norm(points - points[a], axis=1).argmax())
    along = (points[b] - points[a]) / max(float(np.linalg.norm(points[b] - points[a])), 1e-300)
    offsets = points - points[a]
    c = int(np.linalg.norm(offsets - np.outer(offsets @ along, along), axis=1).argmax())
    d = int(np.abs(offsets @ np.cross(along, offsets[c])).argmax())
    return [np.array([a, b, c, d])]


def _thick(points: FloatArray, padding: float) -> Convex | None:
    """Return the hull of octahedra around points that are flat, or nearly so."""
    octahedron = np.concatenate([np.eye(3), -np.eye(3)]) * (2.0 * padding)
    part = Convex((points[:, None, :] + octahedron[None]).reshape(-1, 3))
    return part if part.is_solid and part.graph.proved else None


class _Facets:
    """The faces of a part: heights of points above them, times twice their areas, and bounds of the rounding."""

    def __init__(self, part: Convex) -> None:
        self.a, b, c = (part.vertices[part.triangles[:, k]] for k in range(3))
        u, v = b - self.a, c - self.a
        self.middle = part.vertices.mean(axis=0)
        self.normals = np.cross(u, v)
        self.lengths = np.linalg.norm(self.normals, axis=1) * (1.0 + 8.0 * UNIT)
        self.spread = 48.0 * UNIT * np.abs(u).max(axis=1) * np.abs(v).max(axis=1)

    def heights(self, points: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return heights (faces, points), and how far those above a face may be off (faces, 1).

        The bound is that of `shapes.hull.is_doubtful`, twice, since both points are taken relative to a third one.
        """
        offsets, corners = points - self.middle, self.a - self.middle
        heights = self.normals @ offsets.T - np.einsum("ij,ij->i", self.normals, corners)[:, None]
        reach = max(float(np.abs(offsets).max(initial=0.0)), float(np.abs(corners).max()))
        return heights, (2.0 * self.spread * reach)[:, None]


def _missing(solid: Solid, group: Group, points: FloatArray, part: Convex) -> FloatArray | None:
    """Return points that are missing in a part for the proof: none if it is proved; None if it needs more padding."""
    facets = _Facets(part)
    depth = max(len(piece.planes) for piece in group.pieces)
    reach = solid.largest + solid.size
    rounding = CLIP_ROUNDING * depth * reach + 2.0 * solid.seam
    heights, errors = facets.heights(points)
    if (heights + errors + (facets.lengths * rounding)[:, None] >= 0.0).any():
        return None
    missing = [np.empty((0, 3))]
    for piece in group.pieces:
        lacking = _missing_in_cell(solid, piece, facets)
        if lacking is None:
            return None
        missing.append(lacking)
    return np.concatenate(missing)


def _corners_within(solid: Solid, piece: Piece) -> tuple[FloatArray, Flags]:
    """Return points near the corners of a cell that are certainly within its planes moved by half the growth."""
    out, inside = np.empty((MOST_CORNERS, 3)), np.empty(MOST_CORNERS, bool)
    n = cuts.corners(*solid.arrays, piece.planes, 0.45 * solid.growth, out, inside)
    out, inside = out[:n], inside[:n]
    heights = out @ piece.planes[:, :3].T - piece.planes[:, 3]
    keep = (heights <= 0.49 * solid.growth).all(axis=1)
    out, inside = out[keep], inside[keep]
    if solid.seam > 0.0 and len(out):  # near a seam the outside is uncertain
        inside = inside | (solid.depths(out) < 4.0 * solid.seam)
    return out, inside


def _missing_in_cell(solid: Solid, piece: Piece, facets: _Facets) -> FloatArray | None:
    """Return corners of a cell without which step 2 of the proof fails; None where corners would not help."""
    corners, inside = _corners_within(solid, piece)
    heights, errors = facets.heights(corners)
    lacking = inside & (heights + errors >= 0.0).any(axis=0)
    is_outside = ((heights - errors > 0.0) & ~inside[None, :]).any(axis=1)
    doubtful = np.flatnonzero(~is_outside)
    if not _are_below(solid, piece, facets, doubtful, corners, heights[doubtful]).all():
        return None if not lacking.any() else corners[lacking]
    return corners[lacking]


def _are_below(
    solid: Solid, piece: Piece, facets: _Facets, faces: Indices, corners: FloatArray, heights: FloatArray
) -> Flags:
    """Return the faces above which a cell, its planes moved outwards by half the growth, certainly has no point.

    The normal of a face is a sum of normals of planes with factors >= 0, up to a remainder; so the height of a point is
    at most that sum of the planes' offsets (duality of linear programs). The planes are those at the highest corner.
    """
    found = np.zeros(len(faces), bool)
    if not len(corners):
        return found
    highest = heights.argmax(axis=1)
    levels = corners @ piece.planes[:, :3].T - piece.planes[:, 3]
    for k in np.unique(highest):
        here = np.flatnonzero(highest == k)
        order = np.argsort(-levels[k], kind="stable")
        for most in (5, len(order)):
            left = here[~found[here]]
            if len(left):
                found[left] = _bounded(solid, piece.planes[order[:most]], facets, faces[left])
    return found


def _bounded(solid: Solid, planes: FloatArray, facets: _Facets, faces: Indices) -> Flags:
    """Return for which faces some three of the planes, moved outwards by half the growth, bound heights below 0."""
    triples = np.array(list(combinations(range(len(planes)), 3)))
    columns = np.swapaxes(planes[triples, :3], 1, 2)
    good = np.abs(np.linalg.det(columns)) > 1e-9
    triples, columns = triples[good], columns[good]
    normals, reach = facets.normals[faces], solid.largest + solid.size
    factors = np.maximum(np.linalg.inv(columns) @ normals.T, 0.0)  # (triples, 3, faces)
    remainder = np.abs(normals.T[None] - columns @ factors).sum(axis=1)
    offsets = (planes[:, 3] + 0.5 * solid.growth)[:, None] - planes[:, :3] @ facets.a[faces].T
    bound = (factors * offsets[triples]).sum(axis=1)
    bound += (remainder + facets.spread[faces]) * (4.0 * reach) + 64.0 * UNIT * reach * factors.sum(axis=1)
    return np.asarray((bound < 0.0).any(axis=0))
