"""Results of queries over an interval of time: first contact, minimum distance, and distance over time."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.checks import as_array
from keepclear.errors import ArgumentError
from keepclear.results import Verdict, compared_by_content, has_same_content

__all__ = ["Clearance", "Feature", "FirstContact", "Profile"]

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Feature:
    """A part of a body's surface that takes part in a contact.

    `kind` is "vertex", "edge", "face" or "surface" (curved, or not known more closely). `index` holds the numbers of
    the vertices of a vertex or an edge, or the number of a face alone; it is empty for a surface.
    """

    kind: str
    index: tuple[int, ...] = ()

    def __str__(self) -> str:
        return " ".join([self.kind, "-".join(map(str, self.index))]).rstrip()


SURFACE = Feature("surface")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FirstContact:
    """Whether and when two moving bodies first come within a margin of each other.

    Attributes:
        verdict: CLEAR: farther apart than the margin all the time, proved. COLLIDING: at `time` they are within margin
            plus tolerance. UNDECIDED: the budget ended first.
        time: Time of contact [s]; nan unless COLLIDING. Bodies that cross the scene within a few float64 ticks touch
            between two such numbers: `time` is one of them, and poses, point and distance are those of the contact.
        t_lo: Proved clear from the start until here [s].
        t_hi: Where contact (distance <= margin) is proved, so that the first contact is between `t_lo` and `t_hi`;
            `time` where it is not proved anywhere. UNDECIDED: the end of the open interval. CLEAR: the end, like
            `t_lo`.
        X_WA: Pose of A at `time`, (4, 4); None unless COLLIDING. For a cubic trajectory its matrix, which is not
            exactly rigid.
        X_WB: Pose of B at `time`.
        p_W: The midpoint of the closest points at `time`, (3,) in the world [m]; nan where unknown.
        normal_W: Unit vector from A to B there, (3,); nan where unknown.
        distance: Upper bound of the distance at `time` [m], certified; negative where a depth is known.
        features: What touches, of A and of B.
        parts: Which parts of compounds touch, of A and of B; -1 for a body that is not a compound.
        evaluations: Number of instants at which a distance was computed, or of equivalent searches.
        method: The method that answered.
        safe: False for sampling, which may miss a contact; True otherwise.
        holds: What was assumed about a body before or after its trajectory; "" for nothing.
        deviation: Bound of how far the motions take the bodies' points from rigid ones [m], added up; 0 unless cubic.
        margin: Distance that counts as contact [m].
        tolerance: A minimum distance between margin and margin + tolerance may get either verdict [m].
        counts: How often the method took each kind of step.
        names: Names of the bodies for printing.
    """

    verdict: Verdict
    time: float
    t_lo: float
    t_hi: float
    X_WA: FloatArray | None = None
    X_WB: FloatArray | None = None
    p_W: FloatArray = field(default_factory=lambda: _unknown())
    normal_W: FloatArray = field(default_factory=lambda: _unknown())
    distance: float = math.nan
    features: tuple[Feature, Feature] = (SURFACE, SURFACE)
    parts: tuple[int, int] = (-1, -1)
    evaluations: int = 0
    method: str = ""
    safe: bool = True
    holds: str = ""
    deviation: float = 0.0
    margin: float = 0.0
    tolerance: float = 0.0
    counts: Mapping[str, int] = field(default_factory=dict)
    names: tuple[str, str] = ("A", "B")

    def __bool__(self) -> bool:
        raise TypeError("a FirstContact has no truth value; compare .verdict with kc.Verdict.CLEAR.")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FirstContact):
            return NotImplemented
        return all(has_same_content(getattr(self, f.name), getattr(other, f.name)) for f in fields(self))

    def __hash__(self) -> int:
        return hash((self.verdict, self.time if self.time == self.time else None, self.t_lo, self.t_hi))

    def __str__(self) -> str:
        text = f"{self.verdict.value} {self._when()}"
        if self.deviation > 0.0:
            text += f"; not rigid by up to {self.deviation:.2g} m"
        return f"{text}; {self.holds}" if self.holds else text

    def __repr__(self) -> str:
        return f"FirstContact({self.verdict.value} {self._when()}, {self.method}, {self.evaluations} evaluations)"

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as numbers, strings and lists for JSON; None stands for nan."""
        return {f.name: _plain(getattr(self, f.name)) for f in fields(self)}

    def _when(self) -> str:
        a, b = self.names
        margin = f", margin {self.margin:g} m" if self.margin > 0.0 else ""
        if self.verdict is Verdict.CLEAR:
            return f"until t = {self.t_hi:.9g} s, {a} and {b}{margin}"
        if self.verdict is Verdict.COLLIDING:
            how = "" if self.safe else ", an earlier contact may have been missed"
            t, bracket = shown_times(self.time, self.t_lo, self.t_hi)
            return f"at t = {t} s ({bracket}), {_gap(self.distance)} between {a} and {b}{margin}{how}"
        if not self.safe:
            return (
                f"{a} and {b}: no contact at {self.evaluations} instants, which proves nothing between them"
            )
        _, bracket = shown_times(self.t_lo, self.t_lo, self.t_hi)
        return (
            f"{a} and {b}: the budget ended after {self.evaluations} evaluations, {bracket} s is left{margin}"
        )


@compared_by_content
class Profile(NamedTuple):
    """Bounds of the distance of two moving bodies at given times and between them.

    Attributes:
        times: Instants (n,) [s].
        lower: Lower bound of the distance at each, (n,) [m], certified.
        upper: Upper bound of the distance at each, (n,) [m], certified.
        lower_between: Lower bound of the distance from each instant to the next, (n - 1,) [m], certified.
    """

    times: FloatArray
    lower: FloatArray
    upper: FloatArray
    lower_between: FloatArray


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Clearance:
    """The minimum distance of two moving bodies.

    Attributes:
        lower: The distance is never less than this [m], certified.
        upper: The minimum distance is at most this [m], certified; reached at `time`.
        time: When [s].
        p_WA: The closest point of A at `time`, (3,) in the world [m].
        p_WB: The closest point of B.
        parts: Which parts of compounds are closest then, of A and of B; -1 for a body that is not a compound.
        evaluations: At how many instants a distance was computed.
        holds: What was assumed about a body before or after its trajectory; "" for nothing.
        deviation: Bound of how far the motions take the bodies' points from rigid ones [m], added up; 0 unless cubic.
        names: Names of the bodies for printing.
    """

    lower: float
    upper: float
    time: float
    p_WA: FloatArray = field(default_factory=lambda: _unknown())
    p_WB: FloatArray = field(default_factory=lambda: _unknown())
    parts: tuple[int, int] = (-1, -1)
    evaluations: int = 0
    holds: str = ""
    deviation: float = 0.0
    names: tuple[str, str] = ("A", "B")
    _profile: Callable[[FloatArray], Profile] | None = None

    def profile(self, times: npt.ArrayLike) -> Profile:
        """Return certified bounds of the distance at increasing times [s], and between consecutive ones."""
        if self._profile is None:
            raise TypeError("this Clearance was not made by kc.clearance, so it has no motions to evaluate.")
        try:
            instants = np.array(as_array(times), dtype=np.float64)
        except (TypeError, ValueError) as cause:
            raise ArgumentError(f"times must be an array (n,) of instants in seconds: {cause}") from cause
        return self._profile(instants)

    def __bool__(self) -> bool:
        raise TypeError("a Clearance has no truth value; compare .lower with a margin.")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Clearance):
            return NotImplemented
        names = [f.name for f in fields(self) if f.name != "_profile"]
        return all(has_same_content(getattr(self, name), getattr(other, name)) for name in names)

    def __hash__(self) -> int:
        return hash((self.lower, self.upper, self.time))

    def __str__(self) -> str:
        a, b = self.names
        text = f"{self.lower:.6g} .. {self.upper:.6g} m between {a} and {b}, least at t = {self.time:.6g} s"
        return f"{text}; {self.holds}" if self.holds else text

    def __repr__(self) -> str:
        return f"Clearance({self.lower:.9g} .. {self.upper:.9g} m at {self.time:.9g} s, {self.evaluations} evaluations)"

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as numbers, strings and lists for JSON; None stands for nan."""
        return {f.name: _plain(getattr(self, f.name)) for f in fields(self) if f.name != "_profile"}


class ReadLater:
    """A base of results whose remaining fields are computed when one of them is first read.

    Such a field is a slot that is not set. Pickles and copies are plain results.
    """

    __slots__ = ()

    def _later(self, name: str) -> Mapping[str, Any] | None:
        """Return the values of a field and of those that are found with it; None for an unknown name."""
        raise NotImplementedError

    def __getattr__(self, name: str) -> Any:
        found = self._later(name)
        if found is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        for known, value in found.items():
            object.__setattr__(self, known, value)
        return found[name]

    def __reduce__(self) -> Any:
        kind = FirstContact if isinstance(self, FirstContact) else Clearance
        return partial(kind, **{f.name: getattr(self, f.name) for f in fields(kind)}), ()


def changed(contact: FirstContact, **values: Any) -> FirstContact:
    """Return a plain result with other values of some fields."""
    return FirstContact(**{f.name: getattr(contact, f.name) for f in fields(FirstContact)} | values)


def shown_times(time: float, t_lo: float, t_hi: float) -> tuple[str, str]:
    """Return a time and the bracket around it as texts, with enough digits to distinguish its ends."""
    digits = 4
    while t_lo < t_hi and digits < 17 and f"{t_lo:.{digits}g}" == f"{t_hi:.{digits}g}":
        digits += 1
    return f"{time:.{digits}g}", f"{t_lo:.{digits + 1}g} .. {t_hi:.{digits + 1}g}"


def _gap(distance: float) -> str:
    if distance <= 0.0:
        return "contact"
    text = f"{distance:.2g}"
    if "e" in text and distance >= 1e-9:
        text = f"{float(text):.10f}".rstrip("0")
    return f"{text} m"


def _unknown() -> FloatArray:
    values = np.full(3, np.nan)
    values.flags.writeable = False
    return values


def _plain(value: Any) -> Any:
    """Return a value in the types that JSON has."""
    if isinstance(value, Verdict):
        return value.value
    if isinstance(value, Feature):
        return {"kind": value.kind, "index": list(value.index)}
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    if isinstance(value, Mapping):
        return dict(value)
    return None if isinstance(value, float) and not math.isfinite(value) else value
