"""The result of conservative advancement; fields that cost more than the contact itself are computed when read."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, read_only
from keepclear.continuous.place import Place, place_of_contact
from keepclear.continuous.query import Query
from keepclear.continuous.results import SURFACE, Feature, FirstContact
from keepclear.kernels.tables.pair import Pairs
from keepclear.motions.motion import Motion
from keepclear.proximity.body import has_triangles
from keepclear.results import Verdict

_set = object.__setattr__
_UNKNOWN = read_only(np.full(3, np.nan))
_CLEAR, _COLLIDING, _UNDECIDED = Verdict.CLEAR, Verdict.COLLIDING, Verdict.UNDECIDED  # slow to look up


def is_over(query: Query, now: float) -> bool:
    """Return whether a whole interval is proved if everything until `now` is.

    A single instant is searched as the shortest span that contains it; nothing is proved before the end of that span.
    """
    return now >= query.t1 if query.t0 < query.t1 else now > query.t1


class AdvancementContact(FirstContact):
    """A `FirstContact` of the default method, made from a row of PAIR.

    Args:
        query: The query.
        rows: Rows of PAIR.
        k: The number of the row with the result.
    """

    __slots__ = ("_asked", "_k", "_place", "_rows")

    _asked: Query | Callable[[int], Query]
    _k: int
    _place: Place
    _rows: Pairs

    def __init__(self, query: Query, rows: Pairs, k: int) -> None:
        time, now, t1 = rows["time"].item(k), rows["now"].item(k), query.t1
        verdict, t_lo, t_hi = _COLLIDING, min(time, t1), rows["certain"].item(k)
        if time > now:  # nothing found, or a witness without a proof of the time before it: the budget ended
            verdict, t_lo, t_hi = _UNDECIDED, now, min(time, t1)
            if time == math.inf and is_over(query, now):
                verdict, t_lo, t_hi = _CLEAR, t1, t1
            time = math.nan
        else:
            time = t_lo
            limit = math.inf if query.time_tolerance is None else query.time_tolerance
            if not (t_hi <= t1 and t_hi - time <= limit):
                t_hi = time
        _fill(self, verdict, time, t_lo, t_hi, query, rows, k)

    @staticmethod
    def proved(rows: Pairs) -> tuple[npt.NDArray[np.bool_], FloatArray]:
        """Return which of many results are CLEAR, and the time until which each is proved clear."""
        time, now, t1 = rows["time"], rows["now"], rows["t1"]
        clear = (time == math.inf) & np.where(rows["t0"] < t1, now >= t1, now > t1)
        return clear, np.where(clear, t1, np.where(time > now, now, np.minimum(time, t1)))

    @property
    def _query(self) -> Query:
        asked = self._asked
        if not isinstance(asked, Query):
            asked = asked(self._k)
            _set(self, "_asked", asked)
        return asked

    @property
    def distance(self) -> float:
        """See `FirstContact`."""
        return self._told("distance") if self.verdict is _COLLIDING else math.nan

    @property
    def evaluations(self) -> int:
        """See `FirstContact`."""
        return int(self._told("evaluations"))

    @property
    def X_WA(self) -> FloatArray | None:
        """See `FirstContact`."""
        return self._pose(self._query.motion_a)

    @property
    def X_WB(self) -> FloatArray | None:
        """See `FirstContact`."""
        return self._pose(self._query.motion_b)

    @property
    def p_W(self) -> FloatArray:
        """See `FirstContact`."""
        return _UNKNOWN if self.time != self.time else self._where().p_W

    @property
    def normal_W(self) -> FloatArray:
        """See `FirstContact`."""
        return _UNKNOWN if self.time != self.time else self._where().normal_W

    @property
    def features(self) -> tuple[Feature, Feature]:
        """See `FirstContact`."""
        return (SURFACE, SURFACE) if self.time != self.time else self._where().features

    method = "hybrid"
    parts = (-1, -1)
    safe = True

    @property
    def holds(self) -> str:
        """See `FirstContact`."""
        return self._query.holds

    @property
    def deviation(self) -> float:
        """See `FirstContact`."""
        return sum(self._query.deviations)

    @property
    def margin(self) -> float:
        """See `FirstContact`."""
        return self._query.margin

    @property
    def tolerance(self) -> float:
        """See `FirstContact`."""
        return self._query.tolerance

    @property
    def names(self) -> tuple[str, str]:
        """See `FirstContact`."""
        return self._query.names

    @property
    def counts(self) -> Mapping[str, int]:
        """See `FirstContact`."""
        found = {"distances": self.evaluations}
        if has_triangles(self._query.body_a) or has_triangles(self._query.body_b):
            found["box pairs"] = self._told("box_pairs")
        return found

    def _told(self, name: str) -> Any:
        return self._rows[name].item(self._k)

    def _pose(self, motion: Motion) -> FloatArray | None:
        return None if self.time != self.time else read_only(motion.pose(self.time))

    def _where(self) -> Place:
        try:
            return self._place
        except AttributeError:
            pass
        query, swapped = self._query, self._told("swapped") == 1
        X_WA, X_WB = query.motion_a.pose(self.time), query.motion_b.pose(self.time)
        normal_W: FloatArray | None = None
        normal = np.array(self._rows["normal"][self._k].tolist())
        if normal.any() and self.distance > 0.0:
            # A normal of planes in the frame of the search, so it transforms like a normal.
            across = np.linalg.solve((X_WB if swapped else X_WA)[:3, :3].T, normal)
            normal_W = across * ((-1.0 if swapped else 1.0) / math.sqrt(across @ across))
        # A pair of triangles does not give the position if one body is inside the other, or if surfaces cross.
        triangles = (self._told("triangle_a"), self._told("triangle_b"))
        if self._told("distance") == 0.0:
            triangles = -1, -1
        place = place_of_contact(query, self.time, swapped, triangles, X_WA, X_WB, normal_W)
        _set(self, "_place", place)
        return place

    def __reduce__(self) -> Any:
        return _plain, ({f.name: getattr(self, f.name) for f in fields(FirstContact)},)


def advancement_contact(
    verdict: Verdict,
    time: float,
    t_lo: float,
    t_hi: float,
    query: Callable[[int], Query],
    rows: Pairs,
    k: int,
) -> AdvancementContact:
    """Return the result of row k, whose verdict and bracket are known; `query` is called when the rest is read."""
    contact = _new(AdvancementContact)
    _fill(contact, verdict, time, t_lo, t_hi, query, rows, k)
    return contact


def _fill(
    contact: AdvancementContact,
    verdict: Verdict,
    time: float,
    t_lo: float,
    t_hi: float,
    asked: Query | Callable[[int], Query],
    rows: Pairs,
    k: int,
) -> None:
    """Set the slots of a result: past the guard of frozen classes, which takes as long as all of them."""
    _set_verdict(contact, verdict)
    _set_time(contact, time)
    _set_t_lo(contact, t_lo)
    _set_t_hi(contact, t_hi)
    _set_asked(contact, asked)
    _set_rows(contact, rows)
    _set_k(contact, k)


_new = object.__new__
_setters: list[Callable[[AdvancementContact, Any], None]] = [
    getattr(AdvancementContact, name).__set__
    for name in ("verdict", "time", "t_lo", "t_hi", "_asked", "_rows", "_k")
]
_set_verdict, _set_time, _set_t_lo, _set_t_hi, _set_asked, _set_rows, _set_k = _setters


def _plain(values: dict[str, Any]) -> FirstContact:
    return FirstContact(**values)
