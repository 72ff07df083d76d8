"""VERDICT: the results of many pairs as rows; the report of a pair is created when it is read."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from typing import Any, SupportsIndex, TypeVar, overload

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, IntArray
from keepclear.kernels.tables.record import record
from keepclear.report.parts import Contact, ContactHistory, Curve, Hint, PairReport, Point
from keepclear.results import Verdict

VERDICTS = (Verdict.COLLIDING, Verdict.UNDECIDED, Verdict.CLEAR)
"""The verdicts by their code, the worst first, so that an unwritten row (code 0) has the worst verdict."""
COLLIDING, UNDECIDED, CLEAR = range(3)

PROOFS = ("", "swept boxes", "hulls", "exact shapes")
"""The methods of proof by code; "" for no proof."""
_, BOXES, HULLS, EXACT = range(4)

_MOST_QUERIES = 30_000
"""Distance queries for the histories of one page: 1 s for convex shapes, and a few seconds for meshes."""

f8, i8, u4, u2 = np.float64, np.int64, np.uint32, np.uint16

VERDICT = record(
    ("time", f8),  # when contact begins; nan without a contact [s]
    ("t_lo", f8),  # as in `PairReport` [s]
    ("t_hi", f8),  # as in `PairReport` [s]
    ("margin", f8),  # the required distance [m]
    ("clearance_lower", f8),  # the minimum distance is at least this [m]
    ("clearance_upper", f8),  # the minimum distance is at most this; nan if it was not computed [m]
    ("clearance_time", f8),  # the time of that distance; nan if there is none [s]
    ("evaluations", i8),  # number of distance queries
    ("a", u4),  # the first of the pair: index of `names`
    ("b", u4),  # the second
    ("program", u4),  # index of `programs`
    ("proof", u2),  # index of `proofs`
    (
        "verdict",
        u2,
    ),  # index of `VERDICTS`; a row of zeros has the worst, so rows come from np.zeros, not np.empty
)
Verdicts = npt.NDArray[np.record]
"""Rows of VERDICT, (k,)."""

Points = tuple[Point | None, Point | None]
Entry = TypeVar("Entry")

_NAMES: tuple[str, ...] = VERDICT.names or ()
_MOST_PROOFS = np.iinfo(u2).max + 1


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class PairRecords(Sequence[PairReport]):
    """The results of k pairs: a sequence of `PairReport`s that stores rows and creates an entry when it is read.

    It compares equal to any list, tuple or `PairRecords` of the same reports. Rows are read-only, and not copied. Each
    field of a row is an attribute, too: `records.verdict` is `records.rows["verdict"]`.

    Attributes:
        names: The names of objects; `a` and `b` are indices of it.
        rows: (k,) rows of `VERDICT`: the fields of `PairReport` that are numbers, NaN for None, and codes.
        contacts: The contacts by row, for rows that have any.
        points: The closest points by row, for rows that have any [m].
        curves: The distances over time by row, for rows that have a curve.
        histories: The contacts with durations for a page, by row; they are not findings and are not compared.
        hints: The hints by row, for rows that have one.
        proofs: The methods of proof by code.
        programs: The programs of pairs, by code; "" if there is only one.
    """

    names: tuple[str, ...]
    rows: Verdicts
    contacts: Mapping[int, tuple[Contact, ...]] = field(default_factory=dict)
    points: Mapping[int, Points] = field(default_factory=dict)
    curves: Mapping[int, Curve] = field(default_factory=dict)
    histories: Mapping[int, ContactHistory] = field(default_factory=dict)
    hints: Mapping[int, Hint] = field(default_factory=dict)
    proofs: tuple[str, ...] = PROOFS
    programs: tuple[str, ...] = ("",)

    def __post_init__(self) -> None:
        rows = self.rows.view()
        if rows.dtype != VERDICT or rows.ndim != 1 or len(self.proofs) > _MOST_PROOFS:
            raise ValueError(
                f"PairRecords takes rows of VERDICT and at most {_MOST_PROOFS} methods of proof."
            )
        rows.flags.writeable = False
        self.__dict__["rows"] = rows
        for name, texts in self._texts.items() if len(rows) else ():
            if rows[name].max() >= len(texts):
                raise ValueError(f"PairRecords: a code of {name} is not from 0 to {len(texts) - 1}.")

    @classmethod
    def of(cls, pairs: Iterable[PairReport]) -> PairRecords:
        """Return reports of pairs as records; records are returned as they are."""
        if isinstance(pairs, PairRecords):
            return pairs
        given = tuple(pairs)
        names, proofs, programs = _Codes(()), _Codes(PROOFS), _Codes(())
        codes = {
            "a": names, "b": names, "proof": proofs, "program": programs, "verdict": _Codes(VERDICTS),
        }  # fmt: skip
        rows = np.zeros(len(given), VERDICT)
        for name in _NAMES:
            values = [getattr(pair, name) for pair in given]
            known = codes[name].of(values) if name in codes else values
            rows[name] = np.array(known, dtype=VERDICT[name])  # None becomes nan
        points = {k: (pair.p_WA, pair.p_WB) for k, pair in enumerate(given)}
        records = cls(
            names=tuple(names),
            rows=rows,
            contacts={k: pair.contacts for k, pair in enumerate(given) if pair.contacts},
            points=_found_points(points),
            curves={k: pair.curve for k, pair in enumerate(given) if pair.curve is not None},
            hints={k: pair.hint for k, pair in enumerate(given) if pair.hint is not None},
            proofs=tuple(proofs),
            programs=tuple(programs),
        )
        records._made.update(enumerate(given))
        return records

    @classmethod
    def joined(cls, parts: Iterable[PairRecords]) -> PairRecords:
        """Return the records of all parts, one after the other."""
        names, proofs, programs = _Codes(()), _Codes(PROOFS), _Codes(())
        codes = {"a": names, "b": names, "proof": proofs, "program": programs}
        joined, start = [np.zeros(0, VERDICT)], 0
        sparse: dict[str, Any] = {name: {} for name in _SPARSE}
        for part in parts:
            rows = part.rows.copy()
            for name, known in codes.items():
                rows[name] = known.of(part._texts[name])[rows[name]]
            joined.append(rows)
            for name, entries in sparse.items():
                if name != "histories":  # pages show each part separately
                    entries.update({start + row: entry for row, entry in getattr(part, name).items()})
            start += len(part)
        return cls(
            names=tuple(names), rows=np.concatenate(joined), proofs=tuple(proofs), programs=tuple(programs), **sparse
        )  # fmt: skip

    def named(self, program: str) -> PairRecords:
        """Return the same records, assigned to the program of this name."""
        rows = self.rows.copy()
        rows["program"] = 0
        return replace(self, rows=rows, programs=(program,))

    def with_effort(self, proofs: Iterable[str], evaluations: npt.ArrayLike) -> PairRecords:
        """Return the same findings, with the given proof and number of distance queries of each."""
        codes, rows = _Codes(PROOFS), self.rows.copy()
        rows["proof"], rows["evaluations"] = codes.of(proofs), evaluations
        return replace(self, rows=rows, proofs=tuple(codes))

    def take(self, rows: npt.ArrayLike) -> PairRecords:
        """Return the records of the given rows, which must be distinct, in their order."""
        which = np.asarray(rows, dtype=np.int64)
        position = np.full(len(self), -1)
        position[which] = np.arange(len(which))
        sparse: Any = {
            name: _moved(entries, position) for name in _SPARSE if (entries := getattr(self, name))
        }
        return replace(self, rows=self.rows[which], **sparse)

    def having(self, verdict: Verdict) -> PairRecords:
        """Return the records of the pairs with this verdict."""
        return self.take(np.flatnonzero(self.verdict == VERDICTS.index(verdict)))

    def sorted(self) -> PairRecords:
        """Return the records in the order of reports: contacts by time, undecided pairs, clear pairs by slack.

        The slack is the minimum distance minus the margin. Ties are sorted by the names of programs and objects.
        """
        return self.take(np.lexsort((*self._ranks(), order_key(self.rows), self.verdict)))

    def order_by(self, key: FloatArray) -> npt.NDArray[np.intp]:
        """Return the rows (k,) sorted by a key (k,); ties are sorted by the names of programs and objects."""
        return np.lexsort((*self._ranks(), key))

    def least_row(self, key: FloatArray, among: npt.NDArray[np.bool_]) -> int | None:
        """Return the row of a selection with the smallest key, of equal ones the first by name; None if it is empty.

        Args:
            key: (k,) NaN counts as infinite.
            among: (k,) the selection.
        """
        rows = np.flatnonzero(among)
        if not len(rows):
            return None
        values = np.where(np.isnan(key[rows]), np.inf, key[rows])
        rows = rows[values == values.min()]
        order = np.lexsort([rank[rows] for rank in self._ranks()])
        return int(rows[order[0]])

    def first_contact(self) -> PairReport | None:
        """Return the pair with the first contact, of simultaneous ones the first by name; None without a contact."""
        row = self.least_row(self.time, self.verdict == COLLIDING)
        return None if row is None else self[row]

    @property
    def worst(self) -> Verdict | None:
        """The worst verdict, None if there are no pairs."""
        return VERDICTS[self.verdict.min()] if len(self) else None

    def verdict_counts(self) -> dict[Verdict, int]:
        """Return how many pairs have each verdict."""
        counts = np.bincount(self.verdict, minlength=len(VERDICTS))
        return dict(zip(VERDICTS, counts.tolist(), strict=True))

    def proof_counts(self) -> dict[str, int]:
        """Return how many pairs each method proved, "" for none; only methods that occur, sorted by name."""
        counts = np.bincount(self.proof, minlength=len(self.proofs)).tolist()
        return dict(sorted((name, n) for name, n in zip(self.proofs, counts, strict=True) if n))

    def used_names(self) -> list[str]:
        """Return the names that occur in pairs, each once."""
        used = np.unique(np.concatenate((self.a, self.b)))
        return [self.names[k] for k in used.tolist()]

    def rows_of(self, a: str, b: str) -> list[int]:
        """Return the rows of two objects, in either order; one row for each program."""
        number = self._number
        if a not in number or b not in number:
            return []
        keys, order = self._by_pair
        low, high = sorted((number[a], number[b]))
        begin, end = np.searchsorted(keys, low * len(self.names) + high + np.arange(2))
        return sorted(order[begin:end].tolist())

    def __getattr__(self, name: str) -> npt.NDArray[Any]:
        if name not in _NAMES:
            raise AttributeError(f"PairRecords has no attribute {name!r}")
        return self.rows[name]

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, index: SupportsIndex) -> PairReport: ...
    @overload
    def __getitem__(self, index: slice) -> PairRecords: ...
    def __getitem__(self, index: SupportsIndex | slice) -> PairReport | PairRecords:
        if isinstance(index, slice):
            return self.take(np.arange(len(self))[index])
        row = range(len(self))[index]
        found = self._made.get(row)
        return self._made.setdefault(row, self._make(row)) if found is None else found

    def __iter__(self) -> Iterator[PairReport]:
        return (self[row] for row in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, PairRecords):
            return len(self) == len(other) and self._has_content_of(other)
        if isinstance(other, list | tuple):
            return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))
        return NotImplemented

    def __repr__(self) -> str:
        found = ", ".join(f"{n} {verdict.value}" for verdict, n in self.verdict_counts().items() if n)
        return f"PairRecords({len(self)} pairs{': ' if found else ''}{found})"

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(PairRecords, **{entry.name: getattr(self, entry.name) for entry in fields(self)}), ()

    @cached_property
    def _made(self) -> weakref.WeakValueDictionary[int, PairReport]:
        """The reports that a caller still references, so that reading a pair twice gives the same object."""
        return weakref.WeakValueDictionary()

    @cached_property
    def _number(self) -> dict[str, int]:
        return {name: k for k, name in enumerate(self.names)}

    @cached_property
    def _by_pair(self) -> tuple[IntArray, npt.NDArray[np.intp]]:
        low, high = np.minimum(self.a, self.b), np.maximum(self.a, self.b)
        keys = low * np.int64(len(self.names)) + high  # the same for (a, b) and (b, a)
        order = np.argsort(keys, kind="stable")
        return keys[order], order

    def columns(self) -> dict[str, list[Any]]:
        """Return the fields of all rows as lists: numbers, and what codes select."""
        texts = self._texts
        return {
            name: [texts[name][code] for code in self.rows[name].tolist()]
            if name in texts
            else self.rows[name].tolist()
            for name in _NAMES
        }

    @property
    def _texts(self) -> dict[str, Sequence[Any]]:
        """What the codes of rows select."""
        names = self.names
        return {
            "a": names, "b": names, "program": self.programs, "proof": self.proofs, "verdict": VERDICTS,
        }  # fmt: skip

    def _make(self, row: int) -> PairReport:
        values = dict(zip(_NAMES, self.rows[row].item(), strict=True))
        for name in ("time", "clearance_upper", "clearance_time"):
            if values[name] != values[name]:
                values[name] = None
        for name, texts in self._texts.items():
            values[name] = texts[values[name]]
        p_WA, p_WB = self.points.get(row, (None, None))
        return PairReport(
            **values, p_WA=p_WA, p_WB=p_WB, contacts=self.contacts.get(row, ()), curve=self.curves.get(row),
            hint=self.hints.get(row),
        )  # fmt: skip

    def _has_content_of(self, other: PairRecords) -> bool:
        mine, theirs = self._texts, other._texts
        for name in _NAMES:
            one, two = self.rows[name], other.rows[name]
            if name in mine and mine[name] != theirs[name]:
                if any(mine[name][p] != theirs[name][q] for p, q in zip(one, two, strict=True)):
                    return False
            elif not np.array_equal(one, two, equal_nan=name not in mine):
                return False
        return _found_points(self.points) == _found_points(other.points) and all(
            getattr(self, name) == getattr(other, name) for name in ("contacts", "curves", "hints")
        )

    def _ranks(self) -> tuple[npt.NDArray[Any], ...]:
        """Return the alphabetical ranks of names, (k,) each: b, a, and programs if there are several."""
        used = range(len(self.names))
        if len(self.names) > 2 * len(self):  # most objects occur in no pair
            used = np.unique(np.concatenate((self.a, self.b))).tolist()
        rank = _rank_of(self.names, used)
        ranks = rank[self.b], rank[self.a]
        if len(self.programs) == 1:
            return ranks
        return *ranks, _rank_of(self.programs, range(len(self.programs)))[self.program]


def order_key(rows: Verdicts) -> FloatArray:
    """Return the sort key (k,) of pairs within one verdict: times of contact, or distances."""
    upper = rows["clearance_upper"]
    close = np.where(np.isnan(upper), rows["clearance_lower"], upper)
    left = np.where(rows["verdict"] == CLEAR, close - rows["margin"], close)
    return np.where(np.isnan(rows["time"]), left, rows["time"])


class OnDemand(Mapping[int, Entry]):
    """Entries by row that are created when first read; the data that creates them must not change."""

    def __init__(self, makers: Mapping[int, Callable[[], Entry]]) -> None:
        self._makers, self._entries = dict(makers), dict[int, Entry]()

    def moved(self, place: IntArray) -> OnDemand[Entry]:
        """Return entries by the new numbers of their rows, without those of removed rows (-1)."""
        moved = type(self)(_moved(self._makers, place))
        moved._entries = dict(_moved(self._entries, place))
        return moved

    def __getitem__(self, row: int) -> Entry:
        if row not in self._entries:
            self._entries[row] = self._makers[row]()
        return self._entries[row]

    def __iter__(self) -> Iterator[int]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)

    def __repr__(self) -> str:
        return repr(dict(self))


class Histories(OnDemand[ContactHistory]):
    """Contacts with durations by row, created when first read; pickles contain only those created so far."""

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self._entries),)


def histories_within(
    histories: Mapping[int, ContactHistory], rows: Iterable[int], most_queries: int = _MOST_QUERIES
) -> dict[int, ContactHistory]:
    """Return the histories of rows in their order, within a budget of distance queries.

    The budget does not depend on which histories exist already, so that one report always gives the same page.
    """
    found: dict[int, ContactHistory] = {}
    spent = 0
    for row in rows:
        if spent >= most_queries:
            break
        if row in histories:
            found[row] = histories[row]
            spent += found[row].queries
    return found


_SPARSE = ("contacts", "points", "curves", "histories", "hints")


class _Codes(dict[Any, int]):
    """Texts and their numbers; a new text gets the next number."""

    def __init__(self, texts: Iterable[Any]) -> None:
        super().__init__((text, k) for k, text in enumerate(texts))

    def __missing__(self, text: Any) -> int:
        self[text] = len(self)
        return self[text]

    def of(self, texts: Iterable[Any]) -> IntArray:
        return np.array([self[text] for text in texts], dtype=np.int64)


def _rank_of(texts: Sequence[str], used: Sequence[int]) -> IntArray:
    rank = np.zeros(len(texts), dtype=np.int64)
    rank[sorted(used, key=texts.__getitem__)] = np.arange(len(used))
    return rank


def _moved(entries: Mapping[int, Entry], place: IntArray) -> Mapping[int, Entry]:
    """Return entries by the new numbers of their rows, without those of removed rows (-1)."""
    if isinstance(entries, OnDemand):
        return entries.moved(place)
    now = place[list(entries)].tolist() if entries else []
    return {row: entry for row, entry in zip(now, entries.values(), strict=True) if row >= 0}


def _found_points(points: Mapping[int, Points]) -> dict[int, Points]:
    """Return the closest points without rows whose points turned out to be unknown."""
    return {row: both for row, both in points.items() if both != (None, None)}
