"""The first contacts of many pairs: the main fields as arrays, results created when they are read."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator, Sequence
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.errors import KeepclearError
from keepclear.kernels.advance import casts
from keepclear.kernels.tables.pair import Pairs, new_pairs
from keepclear.query.batches import in_pieces
from keepclear.query.interval.advancement_result import advancement_contact
from keepclear.query.moving.question import Query
from keepclear.query.moving.results import FirstContact
from keepclear.results import Verdict

__all__ = ["FirstContacts"]

_CODES = {
    Verdict.COLLIDING: casts.COLLIDING,
    Verdict.CLEAR: casts.CLEAR,
    Verdict.UNDECIDED: casts.UNDECIDED,
}
_VERDICTS = np.array(sorted(_CODES, key=_CODES.__getitem__), dtype=object)


_NO_ROWS: Pairs = new_pairs(0)


class FirstContacts(Sequence[FirstContact]):
    """The first contacts of many pairs: a `FirstContact` for each index, and its fields as arrays.

    Attributes:
        time: Times of contact, (n,) [s]; nan unless COLLIDING.
        t_lo: Proved clear from the start until here, (n,) [s].
        t_hi: See `FirstContact.t_hi`, (n,) [s].
    """

    def __init__(self, n: int) -> None:
        self._codes = np.zeros(n, np.uint8)
        self.time, self.t_lo, self.t_hi = self._times = np.empty((3, n))
        self._results: list[FirstContact | None] = [None] * n
        self._rows = _NO_ROWS
        self._query: Callable[[int], Query] = _nothing

    @classmethod
    def _of_rows(
        cls, rows: Pairs, query: Callable[[int], Query], time_tolerance: float | None
    ) -> FirstContacts:
        """Return the contacts of rows of PAIR that were advanced; `query` returns the query of one of them."""
        contacts = cls(len(rows))
        contacts._rows, contacts._query = rows, query
        limit = math.inf if time_tolerance is None else time_tolerance
        casts.read_brackets(rows, limit, contacts._codes, contacts._times)
        return contacts

    @property
    def verdict(self) -> npt.NDArray[np.object_]:
        """The verdicts, (n,)."""
        verdicts: npt.NDArray[np.object_] = _VERDICTS[self._codes]
        return verdicts

    @property
    def X_WA(self) -> FloatArray:
        """Poses of A at `time`, (n, 4, 4); nan unless COLLIDING."""
        return self._field("X_WA", (4, 4))

    @property
    def X_WB(self) -> FloatArray:
        """Poses of B at `time`, (n, 4, 4); nan unless COLLIDING."""
        return self._field("X_WB", (4, 4))

    @property
    def p_W(self) -> FloatArray:
        """See `FirstContact.p_W`, (n, 3)."""
        return self._field("p_W", (3,))

    @property
    def normal_W(self) -> FloatArray:
        """See `FirstContact.normal_W`, (n, 3)."""
        return self._field("normal_W", (3,))

    @property
    def distance(self) -> FloatArray:
        """See `FirstContact.distance`, (n,) [m]."""
        return self._field("distance", ())

    @property
    def evaluations(self) -> npt.NDArray[np.int64]:
        """See `FirstContact.evaluations`, (n,)."""
        return np.array([k.evaluations for k in self], np.int64)

    def __len__(self) -> int:
        return len(self._results)

    @overload
    def __getitem__(self, k: int) -> FirstContact: ...
    @overload
    def __getitem__(self, k: slice) -> list[FirstContact]: ...
    def __getitem__(self, k: int | slice) -> FirstContact | list[FirstContact]:
        if isinstance(k, slice):
            return [self[i] for i in range(*k.indices(len(self)))]
        k = operator.index(k)
        if not -len(self) <= k < len(self):
            raise IndexError(f"there is no result {k}: there are {len(self)} of them.")
        k %= len(self)
        found = self._results[k]
        if found is None:
            time, t_lo, t_hi = self._times[:, k].tolist()
            verdict = _VERDICTS[self._codes[k]]
            found = advancement_contact(verdict, time, t_lo, t_hi, self._query, self._rows, k)
            self._results[k] = found
        return found

    def __iter__(self) -> Iterator[FirstContact]:
        """Create all results that do not exist yet: together they take a third of the time that they take alone."""
        results, query, rows = self._results, self._query, self._rows
        fields = (self.verdict.tolist(), *self._times.tolist())
        for k, (found, verdict, time, t_lo, t_hi) in enumerate(zip(results, *fields, strict=True)):
            if found is None:
                results[k] = advancement_contact(verdict, time, t_lo, t_hi, query, rows, k)
        return iter(results)  # type: ignore[arg-type]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FirstContacts | list | tuple):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        counts = {v: int(np.count_nonzero(self._codes == _CODES[v])) for v in Verdict}
        return f"FirstContacts({', '.join(f'{n} {v.value}' for v, n in counts.items() if n)})"

    def __reduce__(self) -> Any:
        return _restored, (list(self),)

    def _field(self, name: str, shape: tuple[int, ...]) -> FloatArray:
        values = np.full((len(self), *shape), np.nan)
        for k in np.flatnonzero(self._codes == casts.COLLIDING).tolist():
            values[k] = getattr(self[k], name)
        return values

    def _put(self, k: int, result: FirstContact) -> None:
        self._results[k], self._codes[k] = result, _CODES[result.verdict]
        self._times[:, k] = result.time, result.t_lo, result.t_hi

    def _answer(
        self, which: Sequence[int], answer: Callable[[int], FirstContact], threads: int, name: str
    ) -> None:
        """Put the results of some indices that `answer` returns; its errors name the index."""

        def piece(i: int, j: int) -> None:
            for k in which[i:j]:
                try:
                    self._put(k, answer(k))
                except KeepclearError as error:
                    raise type(error)(f"{name}[{k}]: {error}") from None

        in_pieces(len(which), threads, piece)


def _nothing(k: int) -> Query:
    raise AssertionError(k)


def _restored(results: list[FirstContact]) -> FirstContacts:
    contacts = FirstContacts(len(results))
    for k, result in enumerate(results):
        contacts._put(k, result)
    return contacts
