"""The result of conservative advancement; fields that cost more than the contact itself are computed when read."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, cast

import numpy as np

from keepclear.checks import FloatArray, read_only
from keepclear.geometry.bodies.body import has_triangles
from keepclear.kernels.tables.pair import Pairs
from keepclear.query.moving.contact_geometry import place_of_contact
from keepclear.query.moving.question import Query
from keepclear.query.moving.results import SURFACE, FirstContact, ReadLater
from keepclear.results import Verdict

_UNKNOWN = read_only(np.full(3, np.nan))
_CLEAR, _COLLIDING, _UNDECIDED = Verdict.CLEAR, Verdict.COLLIDING, Verdict.UNDECIDED  # slow to look up


class AdvancementContact(ReadLater, FirstContact):
    """A `FirstContact` of the default method, made from a row of PAIR by `contact_of_row` or `advancement_contact`."""

    __slots__ = ("_asked", "_k", "_rows")

    _asked: Query | Callable[[int], Query]
    _k: int
    _rows: Pairs

    method = "hybrid"
    parts = (-1, -1)
    safe = True

    def _later(self, name: str) -> Mapping[str, Any] | None:
        make = _LATER.get(name)
        return None if make is None else make(self)

    @property
    def _query(self) -> Query:
        if not isinstance(self._asked, Query):
            _set_asked(self, self._asked(self._k))
        return cast(Query, self._asked)

    def _told(self, name: str) -> Any:
        return self._rows[name].item(self._k)


def _effort(contact: AdvancementContact) -> dict[str, Any]:
    return {"evaluations": contact._told("evaluations")}


def _counts(contact: AdvancementContact) -> dict[str, Any]:
    query, found = contact._query, {"distances": contact.evaluations}
    if has_triangles(query.body_a) or has_triangles(query.body_b):
        found["box pairs"] = contact._told("box_pairs")
    return {"counts": found}


def _distance(contact: AdvancementContact) -> dict[str, Any]:
    return {"distance": contact._told("distance") if contact.verdict is _COLLIDING else math.nan}


def _facts(contact: AdvancementContact) -> dict[str, Any]:
    return contact._query.facts()


def _poses(contact: AdvancementContact) -> dict[str, Any]:
    if contact.verdict is not _COLLIDING:
        return {"X_WA": None, "X_WB": None}
    query, t = contact._query, contact.time
    return {"X_WA": read_only(query.motion_a.pose(t)), "X_WB": read_only(query.motion_b.pose(t))}


def _place(contact: AdvancementContact) -> dict[str, Any]:
    if contact.verdict is not _COLLIDING:
        return {"p_W": _UNKNOWN, "normal_W": _UNKNOWN, "features": (SURFACE, SURFACE)}
    query, swapped, distance = contact._query, contact._told("swapped") == 1, contact._told("distance")
    X_WA, X_WB = query.motion_a.pose(contact.time), query.motion_b.pose(contact.time)
    normal_W: FloatArray | None = None
    normal = np.array(contact._rows["normal"][contact._k].tolist())
    if normal.any() and distance > 0.0:
        # A normal of planes in the frame of the search, so it transforms like a normal.
        across = np.linalg.solve((X_WB if swapped else X_WA)[:3, :3].T, normal)
        normal_W = across * ((-1.0 if swapped else 1.0) / math.sqrt(across @ across))
    # A pair of triangles does not give the position if one body is inside the other, or if surfaces cross.
    triangles = (contact._told("triangle_a"), contact._told("triangle_b"))
    if distance == 0.0:
        triangles = -1, -1
    return place_of_contact(query, contact.time, swapped, triangles, X_WA, X_WB, normal_W)._asdict()


_LATER: dict[str, Callable[[AdvancementContact], dict[str, Any]]] = {
    "evaluations": _effort, "counts": _counts, "distance": _distance,
    **dict.fromkeys(("holds", "deviation", "margin", "tolerance", "names"), _facts),
    **dict.fromkeys(("X_WA", "X_WB"), _poses), **dict.fromkeys(("p_W", "normal_W", "features"), _place),
}  # fmt: skip


def contact_of_row(
    asked: Query | Callable[[int], Query], rows: Pairs, k: int, time_tolerance: float | None = None
) -> AdvancementContact:
    """Return the result of row k of PAIR; `asked` is as in `advancement_contact`."""
    time, now, t0, t1 = (rows[name].item(k) for name in ("time", "now", "t0", "t1"))
    verdict, t_lo, t_hi = _COLLIDING, min(time, t1), rows["certain"].item(k)
    if time > now:  # nothing found, or a witness without a proof of the time before it: the budget ended
        verdict, t_lo, t_hi = _UNDECIDED, now, min(time, t1)
        # A single instant is searched as the shortest span that contains it; nothing is proved before the end of that.
        if time == math.inf and (now >= t1 if t0 < t1 else now > t1):
            verdict, t_lo, t_hi = _CLEAR, t1, t1
        time = math.nan
    else:
        time = t_lo
        limit = math.inf if time_tolerance is None else time_tolerance
        if not (t_hi <= t1 and t_hi - time <= limit):
            t_hi = time
    return advancement_contact(verdict, time, t_lo, t_hi, asked, rows, k)


def advancement_contact(
    verdict: Verdict,
    time: float,
    t_lo: float,
    t_hi: float,
    asked: Query | Callable[[int], Query],
    rows: Pairs,
    k: int,
) -> AdvancementContact:
    """Return the result of row k, whose verdict and bracket are known.

    `asked` is the query, or returns that of a row; it is called when the rest is read. Slots are set past the guard of
    frozen classes, which takes as long as all of them.
    """
    contact = object.__new__(AdvancementContact)
    _set_verdict(contact, verdict)
    _set_time(contact, time)
    _set_t_lo(contact, t_lo)
    _set_t_hi(contact, t_hi)
    _set_asked(contact, asked)
    _set_rows(contact, rows)
    _set_k(contact, k)
    return contact


_setters: list[Callable[[AdvancementContact, Any], None]] = [
    getattr(AdvancementContact, name).__set__
    for name in ("verdict", "time", "t_lo", "t_hi", "_asked", "_rows", "_k")
]
_set_verdict, _set_time, _set_t_lo, _set_t_hi, _set_asked, _set_rows, _set_k = _setters
