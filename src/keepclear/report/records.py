"""The results of many pairs as columns; the report of a pair is created when it is read."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, SupportsIndex, TypeVar, overload

import numpy as np
import numpy.typing as npt

from keepclear.report.hint import Hint
from keepclear.report.history import ContactHistory
from keepclear.report.report import Contact, Curve, PairReport, Point
from keepclear.results import Verdict

__all__ = ["PROOFS", "VERDICTS", "Histories", "OnDemand", "PairRecords", "order_key"]

VERDICTS = (Verdict.COLLIDING, Verdict.UNDECIDED, Verdict.CLEAR)
"""The verdicts by their code, the worst first, so that an unwritten row (code 0) has the worst verdict."""

PROOFS = ("", "swept boxes", "hulls", "exact shapes")
"""The methods of proof by code; "" for no proof."""

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
Points = tuple[Point | None, Point | None]
Entry = TypeVar("Entry")

_CODES = {"a": np.int32, "b": np.int32, "verdict": np.int8, "proof": np.int32, "program": np.int32}
_FLOATS = ("time", "t_lo", "t_hi", "margin", "clearance_lower", "clearance_upper", "clearance_time")
_COLUMNS = {**_CODES, "evaluations": np.int64, **dict.fromkeys(_FLOATS, np.float64)}
_ALL_OF_ONE = np.zeros(0, dtype=np.int32)
_CLEAR = VERDICTS.index(Verdict.CLEAR)
_SPARSE = ("contacts", "points", "curves", "histories", "hints")


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class PairRecords(Sequence[PairReport]):
    """The results of k pairs: a sequence of `PairReport`s that stores columns and creates an entry when it is read.

    It compares equal to any list, tuple or `PairRecords` of the same reports. Columns are read-only, and not copied.

    Attributes:
        names: The names of objects; `a` and `b` are indices of it.
        a: (k,) the first of each pair.
        b: (k,) the second.
        verdict: (k,) codes of `VERDICTS`.
        time: (k,) when contact begins; NaN without a contact [s].
        t_lo: (k,) as in `PairReport` [s].
        t_hi: (k,) as in `PairReport` [s].
        margin: (k,) the required distance [m].
        clearance_lower: (k,) the minimum distance is at least this [m].
        clearance_upper: (k,) the minimum distance is at most this; NaN if it was not computed [m].
        clearance_time: (k,) the time of that distance; NaN if there is none [s].
        proof: (k,) codes of `proofs`.
        evaluations: (k,) numbers of distance queries.
        contacts: The contacts by row, for rows that have any.
        points: The closest points by row, for rows that have any [m].
        curves: The distances over time by row, for rows that have a curve.
        histories: The contacts with durations for a page, by row; they are not findings and are not compared.
        hints: The hints by row, for rows that have one.
        program: (k,) codes of `programs`.
        proofs: The methods of proof by code.
        programs: The programs of pairs, by code; "" if there is only one.
    """

    names: tuple[str, ...]
    a: npt.NDArray[np.int32]
    b: npt.NDArray[np.int32]
    verdict: npt.NDArray[np.int8]
    time: FloatArray
    t_lo: FloatArray
    t_hi: FloatArray
    margin: FloatArray
    clearance_lower: FloatArray
    clearance_upper: FloatArray
    clearance_time: FloatArray
    proof: npt.NDArray[np.int32]
    evaluations: IntArray
    contacts: Mapping[int, tuple[Contact, ...]] = field(default_factory=dict)
    points: Mapping[int, Points] = field(default_factory=dict)
    curves: Mapping[int, Curve] = field(default_factory=dict)
    histories: Mapping[int, ContactHistory] = field(default_factory=dict)
    hints: Mapping[int, Hint] = field(default_factory=dict)
    program: npt.NDArray[np.int32] = field(default_factory=lambda: _ALL_OF_ONE)
    proofs: tuple[str, ...] = PROOFS
    programs: tuple[str, ...] = ("",)

    def __post_init__(self) -> None:
        own, n = self.__dict__, len(self.a)
        if self.program is _ALL_OF_ONE:
            own["program"] = np.zeros(n, dtype=np.int32)
        for name, kind in _COLUMNS.items():
            column = np.asarray(own[name], dtype=kind).view()
            if column.shape != (n,):
                raise ValueError(
                    f"PairRecords: {name} has the shape {column.shape}, but there are {n} pairs."
                )
            column.flags.writeable = False
            own[name] = column
        if n:
            sizes = len(self.names), len(self.names), len(VERDICTS), len(self.proofs), len(self.programs)
            for (name, kind), size in zip(_CODES.items(), sizes, strict=True):
                unsigned = (
                    np.uint8 if kind is np.int8 else np.uint32
                )  # -1 must not select the last entry, CLEAR
                if own[name].view(unsigned).max() >= size:
                    raise ValueError(f"PairRecords: a code of {name} is not from 0 to {size - 1}.")

    @classmethod
    def of(cls, pairs: Iterable[PairReport]) -> PairRecords:
        """Return reports of pairs as records; records are returned as they are."""
        if isinstance(pairs, PairRecords):
            return pairs
        given = tuple(pairs)
        names, proofs, programs = _Codes(()), _Codes(PROOFS), _Codes(())
        values: dict[str, Any] = {
            "a": [names[pair.a] for pair in given],
            "b": [names[pair.b] for pair in given],
            "verdict": [VERDICTS.index(pair.verdict) for pair in given],
            "proof": [proofs[pair.proof] for pair in given],
            "program": np.array([programs[pair.program] for pair in given], dtype=np.int32),
            "evaluations": [pair.evaluations for pair in given],
        }
        for name in _FLOATS:
            column = [getattr(pair, name) for pair in given]
            values[name] = [np.nan if value is None else value for value in column]
        points = {k: (pair.p_WA, pair.p_WB) for k, pair in enumerate(given)}
        records = cls(
            names=tuple(names),
            contacts={k: pair.contacts for k, pair in enumerate(given) if pair.contacts},
            points={k: both for k, both in points.items() if both != (None, None)},
            curves={k: pair.curve for k, pair in enumerate(given) if pair.curve is not None},
            hints={k: pair.hint for k, pair in enumerate(given) if pair.hint is not None},
            proofs=tuple(proofs),
            programs=tuple(programs),
            **values,
        )
        records._made.update(enumerate(given))
        return records

    @classmethod
    def joined(cls, parts: Iterable[PairRecords]) -> PairRecords:
        """Return the records of all parts, one after the other."""
        parts = list(parts)
        if not parts:
            return cls.of(())
        names, proofs, programs = _Codes(()), _Codes(PROOFS), _Codes(())
        columns: dict[str, list[npt.NDArray[Any]]] = {name: [] for name in _COLUMNS}
        sparse: dict[str, Any] = {name: {} for name in _SPARSE}
        start = 0
        for part in parts:
            codes = {
                "a": names.of(part.names),
                "proof": proofs.of(part.proofs),
                "program": programs.of(part.programs),
            }
            codes["b"] = codes["a"]
            for name, found in columns.items():
                column = getattr(part, name)
                found.append(codes[name][column] if name in codes else column)
            for name, entries in sparse.items():
                if name != "histories":  # pages show each part separately
                    entries.update({start + row: entry for row, entry in getattr(part, name).items()})
            start += len(part)
        values: dict[str, Any] = {name: np.concatenate(found) for name, found in columns.items()}
        return cls(
            names=tuple(names), proofs=tuple(proofs), programs=tuple(programs), **sparse, **values
        )  # fmt: skip

    def named(self, program: str) -> PairRecords:
        """Return the same records, assigned to the program of this name."""
        return replace(self, program=_ALL_OF_ONE, programs=(program,))

    def with_effort(self, proofs: Iterable[str], evaluations: npt.ArrayLike) -> PairRecords:
        """Return the same findings, with the given proof and number of distance queries of each."""
        codes = _Codes(PROOFS)
        proof = codes.of(proofs).astype(np.int32)
        return replace(
            self, proof=proof, proofs=tuple(codes), evaluations=np.asarray(evaluations, dtype=np.int64)
        )

    def take(self, rows: npt.ArrayLike) -> PairRecords:
        """Return the records of the given rows, which must be distinct, in their order."""
        return self._taken(self.__dict__, np.asarray(rows, dtype=np.int64))

    @classmethod
    def in_order(cls, rows: npt.NDArray[np.intp], **columns: Any) -> PairRecords:
        """Return the records of distinct rows of columns, given as arguments of the class; codes are not checked."""
        n = len(columns["a"])
        given = {**{name: {} for name in _SPARSE}, "proofs": PROOFS, "programs": ("",), **columns}
        given.setdefault("program", np.zeros(n, dtype=np.int32))
        return cls._taken(given, rows)

    @staticmethod
    def _taken(own: dict[str, Any], rows: npt.NDArray[Any]) -> PairRecords:
        result = object.__new__(PairRecords)
        values = result.__dict__
        for entry in _FIELDS:
            values[entry] = own[entry]
        for name, kind in _COLUMNS.items():
            values[name] = column = own[name][rows].astype(kind, copy=False)
            column.flags.writeable = False
        if any(own[name] for name in _SPARSE):
            place = np.full(len(own["a"]), -1)
            place[rows] = np.arange(len(rows))
            for name in _SPARSE:
                if own[name]:
                    values[name] = _moved(own[name], place)
        return result

    def having(self, verdict: Verdict) -> PairRecords:
        """Return the records of the pairs with this verdict."""
        return self.take(np.flatnonzero(self.verdict == VERDICTS.index(verdict)))

    def sorted(self) -> PairRecords:
        """Return the records in the order of reports: contacts by time, undecided pairs, clear pairs by slack.

        The slack is the minimum distance minus the margin. Ties are sorted by the names of programs and objects.
        """
        return self.take(np.lexsort((*self._ranks(), order_key(**self.__dict__), self.verdict)))

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
        row = self.least_row(self.time, self.verdict == VERDICTS.index(Verdict.COLLIDING))
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

    def __len__(self) -> int:
        return len(self.a)

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
        return _restored, ({name: getattr(self, name) for name in _FIELDS},)

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

    def _make(self, row: int) -> PairReport:
        own = self.__dict__
        time, t_lo, t_hi, margin, lower, upper, closest = (own[name].item(row) for name in _FLOATS)
        p_WA, p_WB = self.points.get(row, (None, None))
        return PairReport(
            a=self.names[self.a[row]], b=self.names[self.b[row]], verdict=VERDICTS[self.verdict[row]],
            time=_known(time), t_lo=t_lo, t_hi=t_hi, margin=margin, clearance_lower=lower,
            clearance_upper=_known(upper), clearance_time=_known(closest), p_WA=p_WA, p_WB=p_WB,
            contacts=self.contacts.get(row, ()), curve=self.curves.get(row), proof=self.proofs[self.proof[row]],
            evaluations=self.evaluations.item(row), program=self.programs[self.program[row]],
            hint=self.hints.get(row),
        )  # fmt: skip

    def _has_content_of(self, other: PairRecords) -> bool:
        one, two = self.__dict__, other.__dict__
        tables = {"a": "names", "b": "names", "proof": "proofs", "program": "programs"}
        for name in _COLUMNS:
            column, as_found = one[name], two[name]
            if name in tables and one[tables[name]] != two[tables[name]]:
                mine, theirs = one[tables[name]], two[tables[name]]
                if [mine[k] for k in column.tolist()] != [theirs[k] for k in as_found.tolist()]:
                    return False
            elif not np.array_equal(column, as_found, equal_nan=name in _FLOATS):
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


def order_key(
    *,
    verdict: npt.NDArray[np.int8],
    time: FloatArray,
    margin: FloatArray,
    clearance_lower: FloatArray,
    clearance_upper: FloatArray,
    **_: object,
) -> FloatArray:
    """Return the sort key (k,) of pairs within one verdict, from their columns: times of contact, or distances."""
    close = np.where(np.isnan(clearance_upper), clearance_lower, clearance_upper)
    left = np.where(verdict == _CLEAR, close - margin, close)
    return np.where(np.isnan(time), left, time)


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


_FIELDS = tuple(entry.name for entry in fields(PairRecords))


class _Codes(dict[str, int]):
    """Texts and their numbers; a new text gets the next number."""

    def __init__(self, texts: Iterable[str]) -> None:
        super().__init__((text, k) for k, text in enumerate(texts))

    def __missing__(self, text: str) -> int:
        self[text] = len(self)
        return self[text]

    def of(self, texts: Iterable[str]) -> IntArray:
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


def _known(value: float) -> float | None:
    return None if value != value else value


def _restored(values: dict[str, Any]) -> PairRecords:
    return PairRecords(**values)
