"""The arguments of queries about an interval of time, checked once, as one value for every method."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, cast

import numpy as np

from keepclear.checks import (
    checked_budget,
    checked_instant,
    checked_length,
    checked_positive,
    is_whole,
    shown,
)
from keepclear.errors import ArgumentError, KeepclearError, PoseError, TrajectoryError
from keepclear.geometry.bodies.body import Geometry, as_geometry, is_on_boxes
from keepclear.geometry.bodies.bounds import bounding_volumes_of, extent_of, shape_of
from keepclear.geometry.pose import ROTATION_AND_TRANSLATION, is_rotation_and_translation
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.shapes.shape import Shape
from keepclear.kinds import MOTIONS
from keepclear.motion.custom import CheckedMotion, CustomMotion, ShiftedMotion, UnpackedMotion
from keepclear.motion.fixed import Fixed
from keepclear.motion.motion import Head, Motion, head_of
from keepclear.motion.trajectory import PoseTrajectory
from keepclear.names import close_name

DEFAULT_METHOD = "hybrid"
METHODS = (DEFAULT_METHOD, "bisection", "exact", "bisect_exact", "sampling")
DEFAULT_SAMPLES, MOST_SAMPLES = 128, 10_000_000
_RIGID = (0.0, 0.0)  # deviations of motions without cubics

SMALLEST_TOLERANCE = 1e-12
"""Smallest tolerance of a distance, as a part of the size of the scene (extents and positions, added up) [1].

Bounds of the distance at one instant are 1e-13 of that size apart for round bodies, and poses between samples are
rounded by some 1e-14 of it. A finer tolerance could neither be proved nor refuted, so it is refused.
"""


@dataclass(slots=True)
class Query:
    """A checked query about two bodies and an interval of time; it does not change after its creation.

    It is not frozen, because creating a frozen dataclass takes as long as all checks together.

    Attributes:
        body_a: A shape or a tree.
        motion_a: How it moves.
        body_b: The other body.
        motion_b: How it moves.
        t0: Start of the interval [s].
        t1: Its end [s].
        tolerance: Largest error of a decision [m].
        margin: Distance that counts as contact [m].
        time_tolerance: Width that the bracket of a contact should have [s], or None.
        budget: Maximum number of evaluations, or None.
        size: Size of the terms that positions of points are sums of [m]; rounding is relative to it.
        extents: Largest distance of a point of A from its frame's origin, and the same for B [m].
        deviations: Bounds of how far the motions take points of A and B from rigid motions [m]; 0 unless cubic.
        starts_apart: Whether the bodies are known to be apart at t0, neither inside the other.
    """

    body_a: Geometry
    motion_a: Motion
    body_b: Geometry
    motion_b: Motion
    t0: float
    t1: float
    tolerance: float
    margin: float
    time_tolerance: float | None
    budget: int | None
    size: float
    extents: tuple[float, float]
    deviations: tuple[float, float]
    starts_apart: bool = False

    @property
    def holds(self) -> str:
        """The assumptions about the bodies before and after their trajectories; "" for none."""
        a, b = head_of(self.motion_a), head_of(self.motion_b)
        if max(a.t_start, b.t_start) <= self.t0 and self.t1 <= min(a.t_end, b.t_end):
            return ""
        return _holds((self.motion_a, self.motion_b), self.names, self.t0, self.t1)

    @property
    def at_rest(self) -> bool:
        """Whether neither body ever moves."""
        return type(self.motion_a) is Fixed and type(self.motion_b) is Fixed

    @property
    def is_packed(self) -> bool:
        """Whether kernels can read both motions; otherwise the query runs in rounds from Python."""
        return self.motion_a._is_packed and self.motion_b._is_packed

    @property
    def is_advanced(self) -> bool:
        """Whether kernels can advance both bodies through time: they read both motions, and no body is a BoxTree."""
        return self.is_packed and not is_on_boxes(self.body_a, self.body_b)

    @property
    def names(self) -> tuple[str, str]:
        """The names of A and B."""
        return names_of(self.body_a, self.body_b)

    def facts(self) -> dict[str, Any]:
        """Return the fields of results that come from the query."""
        return {
            "holds": self.holds,
            "deviation": sum(self.deviations),
            "margin": self.margin,
            "tolerance": self.tolerance,
            "names": self.names,
        }


def checked_query(
    a: object,
    motion_a: object,
    b: object,
    motion_b: object,
    *,
    tolerance: object = 1e-4,
    margin: object = 0.0,
    time_tolerance: object = None,
    budget: object = None,
    t0: object = None,
    t1: object = None,
) -> Query:
    """Return a query with every argument checked.

    Raises:
        ArgumentError: A number or an option is invalid.
        TrajectoryError: A motion does not cover the interval, or is not rigid enough for its body.
    """
    body_a, body_b = as_geometry(a), as_geometry(b)
    moving_a, moving_b = as_motion(motion_a, "motion_a"), as_motion(motion_b, "motion_b")
    head_a, head_b = head_of(moving_a), head_of(moving_b)
    start, end = _interval(moving_a, moving_b, t0, t1)
    extent_a, extent_b = bounding_volumes_of(body_a).extent, bounding_volumes_of(body_b).extent
    eps = checked_positive("tolerance", tolerance, "metres")
    size = _size(head_a, extent_a) + _size(head_b, extent_b)
    if eps < SMALLEST_TOLERANCE * size:
        raise ArgumentError(
            f"tolerance = {eps:g} m is finer than double precision can decide for bodies and positions of "
            f"{size:.3g} m; give at least {SMALLEST_TOLERANCE * size:.2g} m."
        )
    return Query(
        body_a,
        moving_a,
        body_b,
        moving_b,
        start,
        end,
        eps,
        checked_length("margin", margin),
        None if time_tolerance is None else checked_positive("time_tolerance", time_tolerance, "seconds"),
        None if budget is None else checked_budget(budget),
        size,
        (extent_a, extent_b),
        _RIGID
        if not (head_a.affine or head_b.affine)
        else (
            checked_deviation(moving_a, extent_a, lambda: names_of(body_a, body_b)[0]),
            checked_deviation(moving_b, extent_b, lambda: names_of(body_a, body_b)[1]),
        ),
    )


def finest_tolerance(bodies: tuple[Geometry, Geometry], motions: tuple[Motion, Motion]) -> float:
    """Return the smallest tolerance that double precision can decide for two bodies and their positions [m]."""
    return SMALLEST_TOLERANCE * sum(
        _size(head_of(motion), extent_of(body)) for body, motion in zip(bodies, motions, strict=True)
    )


def checked_method(method: object) -> str:
    """Return the name of a method, or raise an `ArgumentError` that suggests one."""
    if isinstance(method, str) and method in METHODS:
        return method
    known = ", ".join(map(repr, METHODS))
    raise ArgumentError(
        f"method must be one of {known}, but it is {shown(method)}{close_name(method, METHODS)}"
    )


def checked_samples(samples: object, method: str) -> int:
    """Return the number of instants for sampling, or raise an `ArgumentError`."""
    if samples is None:
        return DEFAULT_SAMPLES
    if method != "sampling":
        raise ArgumentError(
            f"samples is for method='sampling' only, but the method is {method!r}, which chooses instants itself."
        )
    if not is_whole(samples) or not 2 <= int(samples) <= MOST_SAMPLES:  # type: ignore[call-overload]
        raise ArgumentError(
            f"samples must be a whole number from 2 to {MOST_SAMPLES}, but it is {shown(samples)}."
        )
    return int(samples)  # type: ignore[call-overload,no-any-return]


def as_motion(value: object, name: str) -> Motion:
    """Return a motion unchanged, and a pose (4, 4) as a body at rest."""
    if MOTIONS.has(value):
        return cast(Motion, value)
    if value in MOTIONS:
        return CheckedMotion(value) if isinstance(value, CustomMotion) else cast(Motion, value)
    if isinstance(value, UnpackedMotion) and type(value) in (CheckedMotion, ShiftedMotion):
        return value  # internal, made from a checked motion
    if isinstance(value, Motion):
        raise MOTIONS.error(value, name)
    advice = "give kc.Fixed(X_W), kc.PoseTrajectory(times, X_W), a kc.CustomMotion, or a pose (4, 4) for a body at rest"
    if value is None or isinstance(value, str | bytes | dict | Shape):
        raise ArgumentError(f"{name} must be a motion, but it is {shown(value)}; {advice}.")
    try:
        shape = np.shape(value)  # type: ignore[call-overload]
    except ValueError:
        shape = ()
    if is_rotation_and_translation(value):
        raise PoseError(f"{name} {ROTATION_AND_TRANSLATION}")
    if shape != (4, 4):
        what = f"an array of shape {shape}" if len(shape) else shown(value)
        if shape[-2:] == (4, 4):
            advice += "; kc.first_contact takes a tuple (X_start, X_end) for a cast, or casts from (n, 4, 4)"
        raise ArgumentError(f"{name} must be a motion, but it is {what}; {advice}.")
    try:
        return Fixed(value)  # type: ignore[arg-type]
    except KeepclearError as error:
        raise type(error)(f"{name}: {error}") from None


def names_of(a: Geometry, b: Geometry) -> tuple[str, str]:
    """Return the names of two bodies: the name of a mesh, or the kind of shape."""
    first, second = _name_of(a), _name_of(b)
    return (first, second) if first != second else (f"{first} A", f"{second} B")


def _name_of(body: Geometry) -> str:
    shape = shape_of(body)
    if isinstance(shape, Mesh) and shape.name:
        return PurePath(shape.name).name
    return type(shape).__name__.lower()


def _interval(motion_a: Motion, motion_b: Motion, t0: object, t1: object) -> tuple[float, float]:
    """Return the interval: the requested one, or the span of both motions."""
    head_a, head_b = head_of(motion_a), head_of(motion_b)
    first = None if t0 is None else checked_instant("t0", t0)
    last = None if t1 is None else checked_instant("t1", t1)
    if head_a.t_start == head_b.t_start == -math.inf:  # both at rest at all times
        start = first if first is not None else last if last is not None else 0.0
        end = last if last is not None else start
    else:
        earlier, later = (head_b, head_a) if head_b.t_start < head_a.t_start else (head_a, head_b)
        start = (later if earlier.t_start == -math.inf else earlier).t_start if first is None else first
        earlier, later = (head_b, head_a) if head_b.t_end < head_a.t_end else (head_a, head_b)
        end = (earlier if later.t_end == math.inf else later).t_end if last is None else last
    if start > end:
        raise ArgumentError(
            f"the interval must not end before it starts, but t0 = {start!r} s and t1 = {end!r} s"
            f"{_span_note(t0, t1)}."
        )
    for name, motion, head in (("motion_a", motion_a, head_a), ("motion_b", motion_b, head_b)):
        if start < head.t_start or end > head.t_end:
            _check_covered(name, motion, head, start, end)
    return start, end


def _span_note(t0: object, t1: object) -> str:
    missing = "t0" if t0 is None else "t1" if t1 is None else ""
    return f"; {missing} was not given and comes from the motions" if missing else ""


def _check_covered(name: str, motion: Motion, head: Head, start: float, end: float) -> None:
    """Raise unless a motion covers the whole interval."""
    early = start < head.t_start and not head.before
    late = end > head.t_end and not head.after
    if early or late:
        when = f"begins only at {motion.t_start:.9g} s" if early else f"ends already at {motion.t_end:.9g} s"
        side = "before" if early else "after"
        raise TrajectoryError(
            f"{name} {when}, and its hold={motion.hold!r} does not say where the body is {side} that, but the interval "
            f"is {start:.9g} to {end:.9g} s; give t0= and t1= inside it, or hold='both' if the body is at rest."
        )


def _holds(motions: tuple[Motion, Motion], names: tuple[str, str], start: float, end: float) -> str:
    """Return the assumptions about the bodies outside of their trajectories."""
    parts = []
    for name, motion in zip(names, motions, strict=True):
        sides = [f"before {motion.t_start:.6g} s"] if start < motion.t_start else []
        sides += [f"after {motion.t_end:.6g} s"] if end > motion.t_end else []
        if sides:
            parts.append(f"{name} is held {' and '.join(sides)}")
    return ", ".join(parts)


def checked_deviation(motion: Motion, extent: float, name: Callable[[], str]) -> float:
    """Return how far a motion is from a rigid one for a body of this extent [m]; raise if that is too far."""
    if not head_of(motion).affine:
        return 0.0
    deviation = motion.deviation(extent)
    assert type(motion) is PoseTrajectory  # the only kind whose matrices are not rigid
    limit = motion.max_deviation
    if not deviation <= limit:
        raise TrajectoryError(
            f"the cubic trajectory of {name()} takes points of it up to {deviation:.3g} m away from "
            f"a rigid motion, more than max_deviation = {limit:g} m; sample it more densely (half the step divides "
            "this by about 16), use "
            'interpolation="screw", or raise max_deviation if the body really deforms like that.'
        )
    return deviation


def _size(head: Head, extent: float) -> float:
    """Return the size of the terms that positions of the body's points are sums of, for bounds of rounding [m]."""
    return head.place + head.terms * extent
