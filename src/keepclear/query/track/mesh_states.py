"""The states of two tracked meshes: when their hulls are released and recovered.

States decide which work is done. Every result is exact in every state (docs/theory/nonconvex-tracking), so thresholds
may be coarse and checks may be delayed: a check is due when the relative motion has used up the clearance of the last
one, or when the time of recovery has come.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from keepclear.checks import FloatArray
from keepclear.geometry.hulls.build import hull_of
from keepclear.geometry.shapes.convex import Convex
from keepclear.geometry.trees.trees import OBBTree
from keepclear.kernels.convex import gjk
from keepclear.kernels.convex import support as core
from keepclear.kernels.trees import hull_frames, mesh_convex
from keepclear.query.instant.distance import distance
from keepclear.query.track.tracked_hulls import ON_FACE, TrackedHull, sphere_around
from keepclear.query.track.transitions import RECOVERED, States, Thresholds

DEEP = 0.02
"""Smallest depth of a vertex inside of a hull that is kept as a proof that its mesh is near, in radii [1]."""

_track: Any = hull_frames.track


class HullSide(TrackedHull):
    """One of two meshes with its hull: whether it is released, and since when the other mesh is not near it."""

    __slots__ = ("center", "clear_t", "inner", "is_near", "is_released", "mesh", "name", "tree")

    def __init__(self, name: str, tree: OBBTree, hull: Convex) -> None:
        super().__init__(hull, tree.mesh)
        self.name, self.tree, self.mesh = name, tree, tree.mesh
        self.center, self.radius = sphere_around(tree.mesh.bounds)
        self.is_released = self.is_near = False
        self.clear_t = -math.inf
        self.inner = 0

    @classmethod
    def of(cls, name: str, tree: OBBTree) -> HullSide | None:
        """Return a mesh with its hull; None if it has none."""
        hull = hull_of(tree.mesh)
        return None if hull is None else cls(name, tree, hull)

    def depth_of(self, other: HullSide, X_W: FloatArray, X_WO: FloatArray) -> float:
        """Return how deep a vertex of the other mesh is inside of this hull [m]; 0 if none is found inside.

        The last such vertex is tried first, then the one nearest to the middle.
        """
        faces = self.faces
        if faces is None:
            return 0.0
        R, p = X_WO[:3, :3].T @ X_W[:3, :3], X_WO[:3, :3].T @ (X_W[:3, 3] - X_WO[:3, 3])
        vertices = other.mesh._vertices
        for is_last in (True, False):
            if not is_last:
                offsets = vertices - (R @ self.center + p)
                self.inner = int(np.einsum("ij,ij->i", offsets, offsets).argmin())
            inside = faces.offsets - faces.normals @ (R.T @ (vertices[self.inner] - p))
            depth = float(inside.min())
            if depth > DEEP * self.radius:
                return depth
        return max(0.0, depth)


class MeshStates(States):
    """Two meshes and their hulls, intact or released; `out` is what `hull_frames.track` works on."""

    def __init__(self, a: HullSide, b: HullSide, thresholds: Thresholds) -> None:
        super().__init__()
        self.a, self.b = a, b
        self.thresholds = thresholds.sized(a.radius, b.radius)
        self.hulls = (*a.packed, *b.packed)
        self.reset()

    def reset(self) -> None:
        """Discard the last frame, and begin with both hulls."""
        self.out = out = np.zeros(hull_frames.CELLS)
        out[gjk.ROW : gjk.ROW + 4] = 0.0, -1.0, -1.0, 0.0
        out[hull_frames.TRIANGLES : hull_frames.TRIANGLES + 2] = -1.0
        # harmless (self.thresholds.eps_hull): from it on, states are checked, and the answer is the same
        out[hull_frames.FAR], out[hull_frames.NEAR] = self.thresholds.far, self.thresholds.eps_hull
        for k, side in enumerate((self.a, self.b)):
            out[hull_frames.SPHERES + 4 * k : hull_frames.SPHERES + 4 * k + 4] = *side.center, side.radius
            out[hull_frames.EXTENTS + k] = side.packed.reals[core.EXTENT]
            side.is_released = side.is_near = False
        self.is_far = self.in_contact = False
        self.due, self.due_t = 0.0, math.inf

    @property
    def is_intact(self) -> bool:
        """Whether neither hull is released."""
        return not (self.a.is_released or self.b.is_released)

    def check(
        self, t: float, X_WA: FloatArray, X_WB: FloatArray, travelled: float, ended: int | None = None
    ) -> None:
        """Release and recover hulls, and set the time of the next check.

        Args:
            t: Time of the frame [s].
            X_WA: Rigid pose (4, 4) of A.
            X_WB: Rigid pose of B.
            travelled: The total travel of B relative to A, as counted by the search [m].
            ended: How `track` ended in this frame, if it was called; `out` then has its results.
        """
        if ended is None:
            self.out = self.out.copy()  # the last array may be in use by a result
            ended = _track(*self.hulls, X_WA, X_WB, self.out, math.inf)
        out, eps = self.out, self.thresholds.eps_hull or 0.0
        between = -math.inf if ended == hull_frames.OVERLAP else float(out[hull_frames.HULLS + gjk.LOWER])
        self.note_far(t, bool(out[hull_frames.IS_FAR] > 0.0))
        # harmless (eps): states decide which work is done, and no answer depends on them
        if self.is_intact and between < eps:
            self._release_hit(t, X_WA, X_WB, overlapping=ended == hull_frames.OVERLAP)
        apart = {side.name: self._foreign(t, side, X_WA, X_WB, between) for side in (self.a, self.b)}
        self._recover(t)
        # harmless (travelled): states decide which work is done, and no answer depends on them
        self._put_off(travelled, between, apart)

    def _release(self, t: float, side: HullSide) -> None:
        side.is_released = side.is_near = True
        self.note(t, side.name, "released")

    def _release_hit(self, t: float, X_WA: FloatArray, X_WB: FloatArray, overlapping: bool) -> None:
        """Release the hull whose virtual face was hit; of two the one with fewer elements, else that of A."""
        row = self.out[hull_frames.HULLS : hull_frames.HULLS + gjk.ROW]
        p_WA, p_WB = row[gjk.POINT_A : gjk.POINT_A + 3], row[gjk.POINT_B : gjk.POINT_B + 3]
        if overlapping:
            depth = distance(self.a.shape, X_WA, self.b.shape, X_WB)
            # harmless (ON_FACE * (self.a.radius + self.b.radius)): no answer depends on states
            if -depth.distance > ON_FACE * (self.a.radius + self.b.radius):
                for side in (self.a, self.b):
                    if not side.is_convex:
                        self._release(t, side)
                return
            p_WA, p_WB = depth.p_WA, depth.p_WB
        virtual = [
            side for side, p, X in ((self.a, p_WA, X_WA), (self.b, p_WB, X_WB)) if side.is_virtual(p, X)
        ]
        if virtual:
            self._release(t, min(virtual, key=lambda side: len(side.mesh._triangles)))

    def _foreign(self, t: float, side: HullSide, X_WA: FloatArray, X_WB: FloatArray, between: float) -> float:
        """Return a lower bound of the distance of the other mesh from the hull of a side; release a hull that is hit.

        A negative number is minus the depth of a vertex of the other mesh inside of the hull.
        """
        other, eps = (self.b if side is self.a else self.a), self.thresholds.eps_hull or 0.0
        apart = between
        # harmless: states decide which work is done, and no answer depends on them
        if not self.is_intact and between <= RECOVERED * eps:
            X_side, X_other = (X_WA, X_WB) if side is self.a else (X_WB, X_WA)
            apart, p_W = -side.depth_of(other, X_side, X_other) if between < 0.0 else 0.0, side.center
            # harmless (<): states decide which work is done, and no answer depends on them
            if not apart < 0.0:
                row = np.empty(gjk.ROW)
                mesh_convex.distance(*other.tree.arrays, *side.packed, X_other[None], X_side[None], row, 0, 1)
                apart, p_W = float(row[gjk.LOWER]), row[gjk.POINT_B : gjk.POINT_B + 3]
            if self._is_hit(side, apart, p_W, X_side):
                self._release(t, side)
        # harmless: states decide which work is done, and no answer depends on them
        is_near = apart < RECOVERED * eps
        if side.is_near and not is_near:
            side.clear_t = t
        side.is_near = is_near
        return apart

    def _is_hit(self, side: HullSide, apart: float, p_W: FloatArray, X_W: FloatArray) -> bool:
        """Return whether elements that are `apart` from the hull of a side hit a virtual face of it, at p_W."""
        # harmless (>=): states decide which work is done, and no answer depends on them
        if side.is_released or apart >= (self.thresholds.eps_hull or 0.0) or side.is_convex:
            return False
        return apart <= 0.0 or side.is_virtual(p_W, X_W)

    def _recover(self, t: float) -> None:
        for side in (self.a, self.b):
            if side.is_released and not side.is_near and t - side.clear_t >= self.thresholds.recovery:
                side.is_released = False
                self.note(t, side.name, "recovered")

    def _put_off(self, travelled: float, between: float, apart: dict[str, float]) -> None:
        """Set the travel and the time at which the next check is due."""
        far, eps = self.thresholds.far or 0.0, self.thresholds.eps_hull or 0.0
        balls = float(self.out[hull_frames.BALLS])
        left = balls - far if self.is_far else hull_frames.HYSTERESIS * far - balls
        self.due_t = math.inf
        if self.is_intact:
            # harmless: it is when states are checked again, and no answer depends on them
            left = min(left, between - eps)
        for side in (self.a, self.b):
            gap = apart[side.name]
            if side.is_released:
                # harmless: likewise
                left = min(left, abs(gap - RECOVERED * eps))
                if not side.is_near:
                    self.due_t = min(self.due_t, side.clear_t + self.thresholds.recovery)
            # harmless (<): likewise
            elif not self.is_intact and not (gap < 0.0 and side.is_convex):
                # harmless: likewise
                left = min(left, gap - eps)
        # harmless (travelled): likewise
        self.due = travelled + max(left, 0.0)
