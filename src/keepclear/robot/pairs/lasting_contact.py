"""Two links that touch for all values of the joints between them: proved box by box.

At the centre of a box a point p is inside of A by r_A and inside of B by r_B. Over the box p, as a point of B, moves
relative to A by at most m(p), the sum over the joints of 2 sin(w / 2) rho(p) for revolute and w for prismatic ones, so
that both balls still overlap if r_A + r_B > m(p). Surfaces have no inside: there an edge of one that passes through a
triangle of the other still does so if both of its ends are farther from the plane, and all of it is farther from the
sides of the triangle, than they move. See docs/theory/joint-boxes.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from keepclear.checks import FloatArray, IntArray
from keepclear.geometry.bodies.bounds import bounding_volumes_of
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.shapes.shape import Shape
from keepclear.geometry.trees.trees import MeshTree
from keepclear.motion.joints.chains import inverse
from keepclear.query.instant.collide import collide, faces_of
from keepclear.query.instant.distance import distance
from keepclear.query.instant.inner_balls import inner_depths
from keepclear.query.moving.moving_pair import check_for_stop
from keepclear.robot.pairs.element_pair import ElementPair

OFFSETS = np.logspace(-6.0, -0.3, 12)  # distance of the tried points on an axis from contacts [part of sizes]
SHALLOW = 0.1  # part of the tolerance: a contact with a smaller margin is not proved by smaller boxes
PATIENCE = 256  # boxes after which a contact within the tolerance suffices
MOST_CROSSINGS = 4096  # pairs of triangles whose edges are tried
UP = 1.0 + 1e-12
SLIVER, ROUNDING = 1e-6, 1e-9
EYE = np.eye(4)


class Lasting(NamedTuple):
    """The result of a search.

    Attributes:
        left: (n, 2, columns) boxes over which contact is not proved, lower and upper ends [rad or m].
        q_apart: (columns,) values at which the links are apart by more than the tolerance; None: not found.
        is_within: Whether somewhere the links are only proved to stay within the tolerance of contact.
        boxes: How many boxes were examined.
    """

    left: FloatArray
    q_apart: FloatArray | None
    is_within: bool
    boxes: int


def lasting_contact(pairs: Sequence[ElementPair], tolerance: float, budget: int) -> Lasting:
    """Prove, box by box, that some two shapes of two links always touch; ends where they are apart."""
    stack, boxes, is_within = [pairs[0].limits], 0, False
    while stack and boxes < budget:
        check_for_stop()
        box = stack.pop()
        boxes += 1
        middle = 0.5 * (box[0] + box[1])
        found = [_Centre(pair, box) for pair in pairs]
        if min(one.gap for one in found) > tolerance:
            return Lasting(np.array([*stack, box]), middle, is_within, boxes)
        best = max((one for one in found if one.gap <= tolerance), key=_Centre.margin)
        if best.margin() > 0.0:
            continue
        if best.within() <= tolerance and (boxes > PATIENCE or best.slack() < SHALLOW * tolerance):
            is_within = True
            continue
        column = best.column()
        low, high = box.copy(), box.copy()
        low[1, column] = high[0, column] = middle[column]
        if not box[0, column] < middle[column] < box[1, column]:
            stack.append(box)
            break
        stack += [high, low]
    return Lasting(np.array(stack).reshape(-1, 2, pairs[0].limits.shape[1]), None, is_within, boxes)


class _Centre:
    """Two shapes at the centre of a box, and how far points move over it.

    Attributes:
        gap: Upper bound of their distance at the centre, 0 where they touch [m].
    """

    def __init__(self, pair: ElementPair, box: FloatArray) -> None:
        self._pair = pair
        middle = 0.5 * (box[0] + box[1])
        joints, X = pair.frames(middle[None])
        self._joints, self._X = joints[0], X[0]
        widths = (np.maximum(box[1] - middle, middle - box[0])[pair.columns]) * np.abs(pair.factors) * UP
        chords = 2.0 * np.sin(0.5 * np.minimum(widths, np.pi)) * UP
        self._chords = np.where(pair.is_revolute, chords, widths)
        self._margin: float | None = None
        self._segments: FloatArray | None = None
        self._meshes = _mesh_of(pair.a), _mesh_of(pair.b)
        self._faces = np.empty((0, 2), np.int64)
        self._within, self._slack, self._shares = np.inf, 0.0, self._chords
        has_faces = self._meshes[0] is not None and self._meshes[1] is not None
        found = collide(pair.a, EYE, pair.b, self._X, find="all" if has_faces else "any")
        self._touches, self.gap = bool(found.colliding), 0.0
        if not self._touches:
            self.gap = max(0.0, float(distance(pair.a, EYE, pair.b, self._X).upper))
        elif has_faces and len(found.pairs):
            self._faces = np.asarray(found.pairs)[:MOST_CROSSINGS]
            self._segments = np.asarray(found.segments_W).reshape(-1, 3)

    def moves(self, points: FloatArray) -> FloatArray:
        """Bound how far points (n, 3) in A's frame, as points of B, move relative to A over the box, by joint."""
        out = np.empty((len(points), len(self._chords)))
        for k, chord in enumerate(self._chords):
            axis, origin = self._joints[k, :3, 2], self._joints[k, :3, 3]
            rho = (
                np.linalg.norm(np.cross(axis, points - origin), axis=1) if self._pair.is_revolute[k] else 1.0
            )
            out[:, k] = chord * rho * UP
        return out

    def margin(self) -> float:
        """Return the margin of the contact at the centre over the box, beyond rounding; positive: contact lasts [m]."""
        if self._margin is None:
            margin = self._find_margin()
            self._margin = margin if self._touches else -np.inf
        return self._margin

    def within(self) -> float:
        """Bound how far the shapes get from each other over the box [m]; after `margin`."""
        return self._within + self._pair.slip

    def slack(self) -> float:
        """Return how far shapes may move before the contact at the centre is lost, as known after `margin` [m]."""
        return self._slack

    def column(self) -> int:
        """Return the column of q that moves the best point most; after `margin`."""
        shares = np.bincount(self._pair.columns, self._shares, self._pair.limits.shape[1])
        if not shares.any():
            shares = np.bincount(self._pair.columns, self._chords, self._pair.limits.shape[1])
        return int(shares.argmax())

    def _find_margin(self) -> float:
        """Find the point that proves best that the contact lasts, and one that proves that it nearly does.

        A point that is inside of B by r and at most e from A represents the nearest point of A, which is inside of B by
        at least r - e and moves farther by at most e times the sum of all rotation angles.
        """
        points, depths_a, depths_b = self._candidates()
        moves = self.moves(points)
        totals = moves.sum(axis=1)
        missing = np.maximum(-depths_a, 0.0) + np.maximum(-depths_b, 0.0)
        k = int((missing + totals).argmin())
        self._within, self._shares = float(missing[k] + totals[k]), moves[k]
        rest = depths_a + depths_b
        margins = np.where(rest > 0.0, rest - totals - missing * self._chords.sum() * UP, -np.inf)
        self._slack = float(rest.max())
        best = float(margins.max()) - self._pair.slip
        if best > -np.inf:
            self._shares = moves[margins.argmax()]
        return best if best > 0.0 else max(best, self._crossing_margin())

    def _candidates(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return points that may be inside of both, and their depths: those near axes hardly move."""
        pair = self._pair
        near = distance(pair.a, EYE, pair.b, self._X)
        points = [0.5 * (np.asarray(near.p_WA) + np.asarray(near.p_WB))[None]]
        if self._segments is not None:
            points.append(self._segments.mean(axis=0)[None])
        known = np.concatenate([points[-1] if self._segments is None else self._segments])
        size = bounding_volumes_of(pair.a).around[3] + bounding_volumes_of(pair.b).around[3]
        steps = size * np.concatenate([-OFFSETS, [0.0], OFFSETS])
        for joint in self._joints:
            axis, origin = joint[:3, 2], joint[:3, 3]
            along = (known - origin) @ axis
            for start in (along.min(), along.mean(), along.max()):
                points.append(origin + axis * (start + steps)[:, None])
            points += [_line_through(mesh, X, axis, origin) for mesh, X in self._surfaces()]
        found = np.concatenate(points)
        depths_a, depths_b = inner_depths(pair.a, found), inner_depths(pair.b, self._in_b(found))
        return found, depths_a, depths_b

    def _surfaces(self) -> list[tuple[Mesh, FloatArray]]:
        """Return the shapes that are not solids, with their poses: they consist only of their surface."""
        both = (self._pair.a, EYE), (self._pair.b, self._X)
        return [(shape, X) for shape, X in both if isinstance(shape, Mesh) and not shape.is_solid]

    def _in_b(self, points: FloatArray) -> FloatArray:
        X_BA = inverse(self._X)
        return np.ascontiguousarray(points @ X_BA[:3, :3].T + X_BA[:3, 3])

    def _crossing_margin(self) -> float:
        """Return the largest margin of an edge that passes through a triangle."""
        pair, faces, meshes = self._pair, self._faces, self._meshes
        if len(faces) == 0 or meshes[0] is None or meshes[1] is None:
            return -np.inf
        a, b = _triangles(meshes[0], faces[:, 0]), _triangles(meshes[1], faces[:, 1])
        i, j = _product(a.starts, b.starts)
        corners_a = a.corners[i]
        corners_b = b.corners[j] @ self._X[:3, :3].T + self._X[:3, 3]
        best = -np.inf
        for edges, triangles in ((corners_a, corners_b), (corners_b, corners_a)):
            for k in range(3):
                ends = edges[:, [k, (k + 1) % 3]]
                rest = crossing_slack(ends, triangles)
                self._slack = max(self._slack, float(rest.max()))
                moves = self.moves(ends.reshape(-1, 3)).sum(axis=1).reshape(-1, 2).max(axis=1)
                best = max(best, float((rest - moves).max()) - pair.slip)
        return best


def crossing_slack(ends: FloatArray, triangles: FloatArray) -> FloatArray:
    """Bound how far both ends of segments (n, 2, 3) may move before they leave triangles (n, 3, 3) that they cross.

    Negative where a segment does not cross its triangle [m].

    Derivation: While both ends move by less than r, the segment stays in the set of points within r of where it was,
    which is convex. It cuts the plane of the triangle as long as its ends stay on their sides. The part of that set in
    the plane is connected and contains a point of the triangle; if it keeps clear of the triangle's sides, it is inside
    of the triangle, and so is the point where the segment cuts the plane.

    Rounding: normals of triangles and of pairs of lines are right to a few u / SLIVER, some 1e-10, since those that are
    nearly flat or parallel are left out; ROUNDING of all coordinates is subtracted.
    """
    t0, t1, t2 = (triangles[:, k] for k in range(3))
    normals = np.cross(t1 - t0, t2 - t0)
    length = np.linalg.norm(normals, axis=1)
    longest = np.maximum(np.linalg.norm(t1 - t0, axis=1), np.linalg.norm(t2 - t0, axis=1))
    is_flat = ~(length > SLIVER * longest * longest)
    n = normals / np.where(is_flat, 1.0, length)[:, None]
    heights = np.einsum("nij,nj->ni", ends - t0[:, None], n)
    crosses = (heights[:, 0] * heights[:, 1] < 0.0) & ~is_flat
    s = heights[:, 0] / np.where(crosses, heights[:, 0] - heights[:, 1], 1.0)
    x = ends[:, 0] + s[:, None] * (ends[:, 1] - ends[:, 0])
    slack = np.abs(heights).min(axis=1)
    for k in range(3):
        p, q = triangles[:, k], triangles[:, (k + 1) % 3]
        crosses &= (np.cross(q - p, x - p) * n).sum(axis=1) > 0.0
        slack = np.minimum(slack, _lower_segment_distance(ends[:, 0], ends[:, 1], p, q))
    size = np.abs(triangles).max(axis=(1, 2)) + np.abs(ends).max(axis=(1, 2))
    return np.where(crosses, slack - ROUNDING * size, -1.0)


def _lower_segment_distance(a: FloatArray, b: FloatArray, p: FloatArray, q: FloatArray) -> FloatArray:
    """Bound the distance of segments ab and pq from below: that of their lines, or of parallel ones 0, (n,)."""
    normal = np.cross(b - a, q - p)
    length = np.linalg.norm(normal, axis=1)
    scale = np.linalg.norm(b - a, axis=1) * np.linalg.norm(q - p, axis=1)
    is_skew = length > SLIVER * scale
    gap = np.abs(((p - a) * normal).sum(axis=1)) / np.where(is_skew, length, 1.0)
    return np.where(is_skew, gap, 0.0)


class _Triangles(NamedTuple):
    """Triangles of faces: those of face k are corners[starts[k] : starts[k + 1]]."""

    corners: FloatArray
    starts: IntArray


def _triangles(mesh: Mesh, faces: IntArray) -> _Triangles:
    order = np.argsort(mesh._triangle_face, kind="stable")
    sorted_faces = mesh._triangle_face[order]
    first, last = np.searchsorted(sorted_faces, faces, "left"), np.searchsorted(sorted_faces, faces, "right")
    counts = last - first
    starts = np.concatenate([[0], np.cumsum(counts)])
    which = np.repeat(first - starts[:-1], counts) + np.arange(starts[-1])
    return _Triangles(mesh._vertices[mesh.triangles[order[which]]], starts)


def _product(a: IntArray, b: IntArray) -> tuple[IntArray, IntArray]:
    """Return numbers of triangles of both, each of face k of A with each of face k of B."""
    counts_b = np.diff(b)
    counts = np.diff(a) * counts_b
    face = np.repeat(np.arange(len(counts)), counts)
    which = np.arange(len(face)) - np.repeat(np.cumsum(counts) - counts, counts)
    return a[face] + which // counts_b[face], b[face] + which % counts_b[face]


def _line_through(mesh: Mesh, X: FloatArray, axis: FloatArray, origin: FloatArray) -> FloatArray:
    """Return the approximate points at which a line passes through the triangles of a mesh at a pose, (n, 3)."""
    corners = (mesh._vertices @ X[:3, :3].T + X[:3, 3])[mesh.triangles]
    t0, e1, e2 = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    across = np.cross(axis, e2)
    det = (e1 * across).sum(axis=1)
    factor = 1.0 / np.where(np.abs(det) > 1e-30, det, np.inf)
    u = ((origin - t0) * across).sum(axis=1) * factor
    other = np.cross(origin - t0, e1)
    v, s = (other @ axis) * factor, (other * e2).sum(axis=1) * factor
    hit = (factor != 0.0) & (u >= 0.0) & (v >= 0.0) & (u + v <= 1.0)
    found: FloatArray = origin + s[hit, None] * axis
    return found


def _mesh_of(shape: Shape) -> Mesh | None:
    found = faces_of(shape)
    return found.mesh if isinstance(found, MeshTree) else found
