"""The exact method: first contact from the instants at which vertices touch faces and edges touch edges."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from keepclear.checks import FloatArray
from keepclear.errors import ArgumentError
from keepclear.geometry.bodies.body import Geometry
from keepclear.geometry.shapes.convex import Convex
from keepclear.kernels.advance import exact
from keepclear.kernels.advance.exact import CROSSING, EDGES, VERTEX_A
from keepclear.query.instant.collide import faces_of
from keepclear.query.moving.contact_geometry import Place, known_mesh, place_of_contact
from keepclear.query.moving.moving_pair import MovingPair
from keepclear.query.moving.question import Query
from keepclear.query.moving.results import SURFACE, Feature, FirstContact
from keepclear.results import Verdict

# Pairs of boxes and of triangles between two checks for Ctrl-C; about a tenth of a second.
PIECE = 1 << 14
# Times before the contact at which poses are sampled for the direction of approach, as parts of the time until contact.
EARLIER = (2.0**-30, 2.0**-20, 2.0**-10, 0.25, 1.0)
PARALLEL = 1e-9  # sine of the angle below which two edges have no common normal


def exact_first_contact(query: Query) -> FirstContact | None:
    """Return when two polyhedra first touch: the earliest instant at which their features touch.

    The guarantees are those of `kc.first_contact`. The result is None if rounding leaves no proof either way. The
    instant is between two float64 numbers unless the query is in local time.

    Raises:
        ArgumentError: There is a margin, or a body without faces.
    """
    of_faces = with_faces(query, "exact")
    pair = MovingPair.of(of_faces)
    row = pair.row
    if pair.starts_inside(of_faces):
        row["time"], row["features"] = query.t0, 9 * CROSSING
        row["triangle_a"] = row["triangle_b"] = -1
    else:
        row["time_tolerance"] = math.inf if query.time_tolerance is None else query.time_tolerance
        pair.run(query.budget, exact.search, PIECE)
    return None if row["unproved"][0] else _answer(query, of_faces, pair)


def without_roots(query: Query) -> str:
    """Return why roots cannot give the time of contact of a query's bodies; "" if they can."""
    if not query.is_packed:
        return "needs trajectories, but one motion is a kc.CustomMotion"
    for body, name in zip((query.body_a, query.body_b), query.names, strict=True):
        if faces_of(body) is None:
            return f"needs two bodies with faces, but {name} ({body!r}) is curved or flat"
    if query.margin > 0.0:
        return f"takes no margin, but margin = {query.margin:g} m"
    return ""


def with_faces(query: Query, method: str) -> Query:
    """Return a query with its bodies as meshes or trees.

    Raises:
        ArgumentError: Roots cannot give the time of contact of these bodies; the message names the method.
    """
    reason = without_roots(query)
    if reason:
        raise ArgumentError(f"method={method!r} {reason}; use method='hybrid'.")
    a, b = faces_of(query.body_a), faces_of(query.body_b)
    assert a is not None
    assert b is not None
    return replace(query, body_a=a, body_b=b)


def _answer(query: Query, of_faces: Query, pair: MovingPair) -> FirstContact:
    """Return the result of a search."""
    row, evaluations = pair.row, pair.row["evaluations"].item()
    time, now, certain = row["time"].item(), row["now"].item(), row["certain"].item()
    triangles, distance = (row["triangle_a"].item(), row["triangle_b"].item()), row["distance"].item()
    facts: dict[str, Any] = query.facts() | {
        "evaluations": evaluations, "method": "exact",
        "counts": {"triangle pairs": evaluations, "box pairs": row["box_pairs"].item()},
    }  # fmt: skip
    if time > now:  # nothing found, or a witness without a proof of the time before it: the budget ended
        verdict, t_lo, t_hi = Verdict.UNDECIDED, now, min(time, query.t1)
        if time == math.inf and (now >= query.t1 if query.t0 < query.t1 else now > query.t1):
            verdict, t_lo, t_hi = Verdict.CLEAR, query.t1, query.t1
        return FirstContact(verdict=verdict, time=math.nan, t_lo=t_lo, t_hi=t_hi, **facts)
    time = min(time, query.t1)
    t_hi = min(certain, query.t1) if certain < math.inf else time
    code = row["features"].item()
    kind, i, k = code // 9, code // 3 % 3, code % 3
    if kind == CROSSING:  # they overlap at the start; without triangles, one is inside the other
        time = t_hi = query.t0
    X_WA, X_WB = query.motion_a.pose(time), query.motion_b.pose(time)
    if kind == CROSSING:
        place, distance = place_of_contact(of_faces, time, pair.swapped, triangles, X_WA, X_WB), 0.0
    else:
        if pair.swapped:
            triangles, i, k = triangles[::-1], k, i
            kind = kind if kind == EDGES else 1 - kind
        touch = Touch(of_faces, (query.body_a, query.body_b), triangles, (kind, i, k))
        place = touch.place(time, distance)
    return FirstContact(
        verdict=Verdict.COLLIDING, time=time, t_lo=time, t_hi=t_hi, X_WA=X_WA, X_WB=X_WB, distance=distance,
        **place._asdict(), **facts,
    )  # fmt: skip


class Touch:
    """A pair of features of triangles of two meshes, A's first.

    Args:
        query: The query about meshes.
        bodies: The original bodies, which may be boxes and hulls.
        triangles: Numbers of the triangles of A and B.
        found: Kind of contact and the corners, as in `kernels.swept_exact`.
    """

    def __init__(
        self,
        query: Query,
        bodies: tuple[Geometry, Geometry],
        triangles: tuple[int, int],
        found: tuple[int, int, int],
    ) -> None:
        self._query, self._bodies, self._triangles = query, bodies, triangles
        self._kind, self._corners = found[0], found[1:]
        self._meshes = known_mesh(query.body_a), known_mesh(query.body_b)

    def place(self, time: float, distance: float) -> Place:
        """Return point, normal and features of a contact at this time, given the distance of the features then [m]."""
        normal, p, q = self._geometry(time)
        return Place(
            0.5 * (p + q), self._oriented(normal, time, distance), (self._feature(0), self._feature(1))
        )

    def _geometry(self, time: float) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return a normal of the contact, of either sign, and the closest points of both features."""
        a, b = self._corners_at(0, time), self._corners_at(1, time)
        i, k = self._corners
        if self._kind != EDGES:
            point, face = (a[i], b) if self._kind == VERTEX_A else (b[k], a)
            normal = _unit(np.cross(face[1] - face[0], face[2] - face[0]))
            foot = point - normal * (normal @ (point - face[0])) if np.isfinite(normal).all() else point
            return (normal, point, foot) if self._kind == VERTEX_A else (normal, foot, point)
        p, u = a[i], a[(i + 1) % 3] - a[i]
        q, v = b[k], b[(k + 1) % 3] - b[k]
        n = np.cross(u, v)
        square = float(n @ n)
        # harmless (PARALLEL): without it, the normal of a known contact has fewer digits
        if not square > PARALLEL**2 * float(u @ u) * float(v @ v):
            return _unit(np.zeros(3)), p, p
        s, t = float(np.cross(q - p, v) @ n) / square, float(np.cross(q - p, u) @ n) / square
        return _unit(n), p + min(max(s, 0.0), 1.0) * u, q + min(max(t, 0.0), 1.0) * v

    def _oriented(self, normal: FloatArray, time: float, distance: float) -> FloatArray:
        """Return the normal from A to B, by their earlier poses, or by the outside of the faces."""
        if not np.isfinite(normal).all():
            return normal
        for part in EARLIER:
            _, p, q = self._geometry(time - part * (time - self._query.t0))
            gap = float(normal @ (q - p))
            # harmless (>): it orients the normal of a known contact
            if abs(gap) > 4.0 * distance:
                return normal if gap > 0.0 else -normal
        a, b = self._corners_at(0, time), self._corners_at(1, time)
        outside = np.cross(a[1] - a[0], a[2] - a[0]), np.cross(b[1] - b[0], b[2] - b[0])
        return normal if float(normal @ (_unit(outside[0]) - _unit(outside[1]))) >= 0.0 else -normal

    def _corners_at(self, which: int, time: float) -> FloatArray:
        mesh, motion = self._meshes[which], (self._query.motion_a, self._query.motion_b)[which]
        X = motion.pose(time)
        return np.asarray(mesh._vertices[mesh._triangles[self._triangles[which]]] @ X[:3, :3].T + X[:3, 3])

    def _feature(self, which: int) -> Feature:
        """Return the feature of a body that takes part in the contact."""
        mesh, body = self._meshes[which], self._bodies[which]
        triangle, corner = self._triangles[which], self._corners[which]
        vertices = [int(v) for v in mesh._triangles[triangle]]
        if isinstance(body, Convex):
            vertices = [
                int(np.flatnonzero((body.points == mesh._vertices[v]).all(axis=1))[0]) for v in vertices
            ]
            faces = [i for i, face in enumerate(body.faces) if {*vertices} <= {*map(int, face)}]
            face = Feature("face", (faces[0],)) if faces else SURFACE
            polygon = [int(v) for v in body.faces[faces[0]]] if faces else vertices
        else:
            face = Feature("face", (int(mesh._triangle_face[triangle]),))
            polygon = mesh._corners_of_face(face.index[0])
        if self._kind == EDGES:
            ends = vertices[corner], vertices[(corner + 1) % 3]
            sides = {frozenset(side) for side in zip(polygon, polygon[1:] + polygon[:1], strict=True)}
            # An edge between triangles of one polygon belongs to this face.
            return Feature("edge", (min(ends), max(ends))) if frozenset(ends) in sides else face
        return Feature("vertex", (vertices[corner],)) if (self._kind == VERTEX_A) == (which == 0) else face


def _unit(v: FloatArray) -> FloatArray:
    length = float(np.linalg.norm(v))
    return np.asarray(v / length) if length > 0.0 else np.full(3, np.nan)
