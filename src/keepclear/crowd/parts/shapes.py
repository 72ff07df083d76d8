"""Shapes attached to the spheres of a crowd: where spheres overlap, exact distances decide whether shapes touch."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, as_array, checked_number, shown
from keepclear.crowd.parts.probing import ask_response
from keepclear.crowd.parts.state import State
from keepclear.errors import ArgumentError, CrowdError, KeepclearError, PoseError
from keepclear.geometry.bodies.body import Body, Geometry, as_body
from keepclear.geometry.bodies.bounds import extent_of, shape_of
from keepclear.geometry.pose import checked_poses
from keepclear.geometry.shapes.convex import Convex
from keepclear.geometry.shapes.extent import body_points
from keepclear.geometry.shapes.primitives import Sphere
from keepclear.geometry.shapes.row import ROUND_UP
from keepclear.kernels.crowd import layout as at
from keepclear.kernels.crowd.events import settle
from keepclear.query.instant.distance import distance
from keepclear.tolerances import LARGEST_SIZE

__all__ = ["Attachment"]

Rotation = Callable[[float], npt.ArrayLike]


@dataclass(frozen=True, eq=False)
class Attachment:
    """A shape attached to a member, its origin at the centre of the sphere.

    Args:
        shape: Any shape, a tree of a mesh, or a compound `[(shape, X), ...]`.
        rotation: Its axes in the world (3, 3), or a function of time that returns them; None: not rotated.
        max_angular_speed: Maximum angular speed, whatever the rotation does [rad/s].
        tolerance: A gap at which shapes count as touching [m]; by default a thousandth of the sphere's radius.
    """

    shape: Any
    rotation: npt.ArrayLike | Rotation | None = None
    max_angular_speed: float = 0.0
    tolerance: float | None = None


def _reach(body: Geometry, X: FloatArray) -> float:
    """Return the greatest distance of a part from the origin of its compound [m]."""
    points, radius = body_points(shape_of(body))
    moved = points @ X[:3, :3].T + X[:3, 3]
    terms = float(np.abs(points).max()) + float(
        np.abs(X[:3, 3]).max()
    )  # they may cancel, and their rounding does not
    return (float(np.sqrt((moved * moved).sum(axis=1).max())) + radius) * ROUND_UP + 2.0**-48 * terms


class Turning:
    """The rotation of an attached shape at the requested times, which must not exceed the maximum angular speed."""

    def __init__(self, i: int, given: Attachment, radius: float) -> None:
        if type(given) is not Attachment:
            raise ArgumentError(
                f"crowd: the shape of member {i} must be a kc.Attachment, but it is {shown(given)}."
            )
        try:
            body = as_body(given.shape)
        except ArgumentError as error:
            raise ArgumentError(f"crowd: member {i}: {error}") from None
        self.i, self.given = i, given
        first = body.parts[0].body
        self.body: Geometry | Body = body if body.numbered else first
        self.reach = max(_reach(p.body, p.X_OP) for p in body.parts) if body.numbered else extent_of(first)
        self.check_fit(radius)
        self.speed = checked_number("max_angular_speed", given.max_angular_speed, 0.0, LARGEST_SIZE)
        self.tolerance = 1e-3 * radius
        if given.tolerance is not None:
            self.tolerance = checked_number("tolerance", given.tolerance, 0.0, LARGEST_SIZE)
        if not self.tolerance > 0.0:
            raise ArgumentError(
                "crowd: tolerance must be greater than 0: shapes are checked until they are this close."
            )
        self.last: tuple[float, FloatArray] | None = None
        self.steady = None if callable(given.rotation) else _rotation(i, given.rotation)
        if self.steady is None and self.speed == 0.0:
            raise ArgumentError(
                f"crowd: the shape of member {i} rotates by a function; give max_angular_speed, its maximum "
                "angular speed."
            )

    def check_fit(self, radius: float) -> None:
        """Raise an `ArgumentError` if a sphere does not contain the shape."""
        if self.reach > radius * (1.0 + 1e-12):
            raise ArgumentError(
                f"crowd: the shape of member {self.i} reaches {self.reach:.6g} m from its origin, out of a sphere of "
                f"{radius:.6g} m; give the member a larger radius (crowd.change)."
            )

    def at(self, t: float) -> FloatArray:
        """Return the rotation (3, 3) at a time."""
        if self.steady is not None:
            return self.steady
        if self.last is not None and self.last[0] == t:
            return self.last[1]
        try:
            found = _rotation(self.i, self.given.rotation(t))  # type: ignore[operator, misc]
        except KeepclearError:
            raise
        except Exception as cause:
            raise CrowdError(
                f"crowd: the rotation of member {self.i} at {t:.9g} s raised {type(cause).__name__}: {cause}"
            ) from cause
        if self.last is not None:
            since, before = self.last
            turned = 2.0 * math.asin(min(1.0, float(np.linalg.norm(found - before)) / math.sqrt(8.0)))
            if turned > self.speed * abs(t - since) + 1e-9:
                raise CrowdError(
                    f"crowd: at {t:.9g} s the shape of member {self.i} is turned by {turned:.6g} rad since "
                    f"{since:.9g} s; its maximum angular speed of {self.speed:g} rad/s allows "
                    f"{self.speed * abs(t - since):.6g} rad."
                )
        self.last = (t, found)
        return found


def _rotation(i: int, value: Any) -> FloatArray:
    X = np.eye(4)
    if value is not None:
        R = as_array(value, f"crowd: the rotation of member {i}")
        if R.shape != (3, 3) or R.dtype.kind not in "iuf":
            raise ArgumentError(
                f"crowd: the rotation of member {i} must be a matrix (3, 3), but it has shape {R.shape}."
            )
        X[:3, :3] = R
    try:
        return np.asarray(checked_poses(X, "rotation", scaled=False)[0].reshape(4, 4)[:3, :3])
    except PoseError as cause:
        raise ArgumentError(f"crowd: the rotation of member {i}: {cause}") from None


@cache
def _point() -> Convex:
    """Return a single point, the shape of a member without a radius: no sphere is that small."""
    return Convex([[0.0, 0.0, 0.0]])


def attach(crowd: State, i: int, given: Attachment) -> None:
    """Attach a shape to a member; see `Crowd.attach`."""
    T = crowd.tables
    if crowd.dimensions != 3:
        raise ArgumentError("crowd: shapes are solid; discs in a plane take none.")
    if T.S[at.MOTION] == at.OBSERVED:
        raise ArgumentError("crowd: observed members have no certain position for a shape.")
    if T.S[at.RESPONSE] == at.ELASTIC:
        raise ArgumentError(
            'crowd: the elastic response knows spheres only; use response="report" or a function for shapes.'
        )
    row = int(crowd.rows_of([i])[0])
    turning = Turning(int(i), given, float(T.F[row, at.RADIUS]))
    crowd.shapes[int(i)] = turning
    T.N[row, at.SHAPED] = 1
    crowd.recheck(row)


def check_fit(crowd: State, ids: npt.NDArray[np.int64], radii: FloatArray) -> None:
    """Raise an `ArgumentError` if a sphere of this radius would not contain the shape of its member."""
    for i, r in zip(ids, radii, strict=True):
        if int(i) in crowd.shapes:
            crowd.shapes[int(i)].check_fit(float(r))


def detach(crowd: State, i: int) -> None:
    """Detach a shape from a member; see `Crowd.detach`."""
    row = int(crowd.rows_of([i])[0])
    if int(i) not in crowd.shapes:
        raise ArgumentError(f"crowd: member {i} has no shape.")
    del crowd.shapes[int(i)]
    crowd.tables.N[row, at.SHAPED] = 0
    crowd.recheck(row)


def check_shapes(crowd: State) -> None:
    """Return whether the shapes of two spheres that overlap touch now, and when to check again.

    Until the next check no point can have travelled farther than the gap. If they touch, then not farther than their
    depth, by which convex bodies must travel to separate, or than the tolerance.
    """
    T, t = crowd.tables, crowd.time
    i, j, p = (int(T.C[k]) for k in (at.ASKED_A, at.ASKED_B, at.ASKED_PAIR))
    F, N, d = T.F, T.N, crowd.dimensions
    moving: list[tuple[Geometry | Body, FloatArray, float, float]] = []
    for row in (i, j):
        turning = crowd.shapes.get(int(N[row, at.ID]))
        X = np.eye(4)
        X[:3, 3] = F[row, at.X : at.X + d]
        if turning is None:
            r = float(F[row, at.RADIUS])
            moving.append((Sphere(r) if r > 0.0 else _point(), X, 0.0, math.inf))
        else:
            X[:3, :3] = turning.at(t)
            moving.append((turning.body, X, turning.speed * turning.reach, turning.tolerance))
    (a, X_WA, turn_a, near_a), (b, X_WB, turn_b, near_b) = moving
    found, tolerance = distance(a, X_WA, b, X_WB), min(near_a, near_b)
    touching = found.lower <= tolerance
    speed = float(np.linalg.norm(F[j, at.V : at.V + d] - F[i, at.V : at.V + d])) + turn_a + turn_b
    A = float(F[i, at.ACCELERATION] + F[j, at.ACCELERATION])
    gap = max(tolerance, -float(found.upper)) if touching else float(found.lower)
    root = math.sqrt(speed * speed + 2.0 * A * gap)
    step = 2.0 * gap / (speed + root) * (1.0 - 1e-12) if speed + root > 0.0 else math.inf
    state = int(T.Q[p, at.STATE])
    settle(T.packed(), p, at.OVERLAPPING if touching else at.NEAR, max(t + step, np.nextafter(t, math.inf)))
    if touching == (state == at.OVERLAPPING):
        return
    asks = T.S[at.RESPONSE] == at.ASK
    kind = (at.CONTACT if asks else at.BEGIN) if touching else at.END
    place = 0.5 * (np.asarray(found.p_WA) + np.asarray(found.p_WB))
    who = sorted((int(N[i, at.ID]), int(N[j, at.ID])))
    k = int(T.C[at.N_EVENTS])
    T.E[k, [at.E_TIME, at.E_I, at.E_J, at.E_KIND]] = t, who[0], who[1], kind
    T.E[k, at.E_POSITION : at.E_POSITION + 3] = place
    T.C[at.N_EVENTS] = k + 1
    if touching:
        T.C[at.CONTACT_COUNT] += 1
        if asks:
            ask_response(crowd)
