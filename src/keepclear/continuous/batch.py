"""First contacts of many pairs in one call: convex pairs in one compiled run, results created when read."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, cast, overload

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, shown
from keepclear.continuous.advancement_result import AdvancementContact
from keepclear.continuous.compound import PartQuery, compound_first_contact, part_queries
from keepclear.continuous.extent import bounding_volumes_of
from keepclear.continuous.first_contact import Method, Moving, answer_query
from keepclear.continuous.moving_pair import ConvexPairs, ConvexStore
from keepclear.continuous.query import (
    SMALLEST_TOLERANCE,
    Query,
    as_motion,
    checked_method,
    checked_query,
    checked_samples,
)
from keepclear.continuous.results import FirstContact
from keepclear.errors import ArgumentError, KeepclearError
from keepclear.kinds import MOTIONS
from keepclear.motions.fixed import Fixed
from keepclear.motions.motion import Head, Motion, head_of
from keepclear.proximity.batch import checked_threads, in_pieces
from keepclear.proximity.compound import Compound, as_compound
from keepclear.proximity.distance import Body, Parts, as_body
from keepclear.results import Verdict

__all__ = ["FirstContacts", "first_contact_batch"]

Case = tuple[Body | Parts, Moving, Body | Parts, Moving]
Asking = Callable[[int], Query]


def first_contact_batch(
    cases: Iterable[Case],
    tolerance: float = 1e-4,
    margin: float = 0.0,
    method: Method = "hybrid",
    *,
    samples: int | None = None,
    time_tolerance: float | None = None,
    budget: int | None = None,
    t0: float | None = None,
    t1: float | None = None,
    threads: int = 1,
) -> FirstContacts:
    """Return the first contact of each of many pairs, as `first_contact` would.

    Args:
        cases: Sequence of (a, motion_a, b, motion_b); bodies may be compounds. Shapes and motions that are repeated are
            checked once.
        tolerance: As in `first_contact`, like the following options.
        margin: See there.
        method: See there.
        samples: See there.
        time_tolerance: See there.
        budget: See there, for each case.
        t0: See there, for all cases; by default each case has its own interval.
        t1: See there.
        threads: How many threads share the cases; the answers do not depend on it.

    Returns:
        A sequence of `FirstContact`, one for each case, with `verdict`, `time`, `t_lo` and `t_hi` as arrays besides.

    Raises:
        ArgumentError: An argument is invalid; the message names the case.

    Examples:
        >>> import numpy as np
        >>> import keepclear as kc
        >>> contacts = kc.first_contact_batch([(kc.Sphere(1), np.eye(4), kc.Sphere(2), np.eye(4))])
        >>> contacts[0].verdict.name, contacts.time.tolist()
        ('COLLIDING', [0.0])
    """
    chosen = checked_method(method)
    count, threads = checked_samples(samples, chosen), checked_threads(threads)
    table = _Table(cases)

    options = {
        "tolerance": tolerance, "margin": margin, "time_tolerance": time_tolerance, "budget": budget,
        "t0": t0, "t1": t1,
    }  # fmt: skip

    def queries_of(k: int) -> list[PartQuery]:
        try:
            return part_queries(*table.case(k), **options)
        except KeepclearError as error:
            raise type(error)(f"cases[{k}]: {error}") from None

    def query(k: int) -> Query:
        if table.is_compound[k]:
            return queries_of(k)[0].query
        try:
            return checked_query(*table.case(k), **options)
        except KeepclearError as error:
            raise type(error)(f"cases[{k}]: {error}") from None

    results = FirstContacts(len(table.cases), query)
    easy: set[int] = set()
    if table.cases:
        first = query(0)  # the common options are checked with it
        table.set_intervals(first, t0 is not None, t1 is not None)
        if chosen == "hybrid":
            results._advance_pairs(table, first, threads)
            easy = set(np.flatnonzero(table.is_easy).tolist())
    left = np.flatnonzero(~results._known).tolist()
    queries = [
        table.query(k, first) if k in easy else queries_of(k) if table.is_compound[k] else query(k) for k in left
    ]  # fmt: skip

    def piece(i: int, j: int) -> None:
        for k in range(i, j):
            asked = queries[k]
            try:
                if isinstance(asked, Query):
                    results._put(left[k], answer_query(asked, chosen, count))
                else:
                    results._put(left[k], compound_first_contact(asked, chosen, count))
            except KeepclearError as error:
                raise type(error)(f"cases[{left[k]}]: {error}") from None

    in_pieces(len(left), threads, piece)
    return results


class FirstContacts(Sequence[FirstContact]):
    """The first contacts of many pairs: a `FirstContact` for each index, and the main fields as arrays.

    Attributes:
        time: Times of contact, (n,) [s]; nan unless COLLIDING.
        t_lo: Proved clear from the start until here, (n,) [s].
        t_hi: See `FirstContact.t_hi`, (n,) [s].
    """

    def __init__(self, n: int, query: Asking) -> None:
        self.time, self.t_lo, self.t_hi = np.full(n, np.nan), np.empty(n), np.empty(n)
        self._query = query
        self._results: list[FirstContact | None] = [None] * n
        self._known = np.zeros(n, dtype=bool)
        self._verdicts = np.empty(n, dtype=object)
        self._rows = np.empty(n, np.int64)
        self._pairs: ConvexPairs | None = None

    @property
    def verdict(self) -> npt.NDArray[np.object_]:
        """The verdicts, (n,)."""
        return self._verdicts

    def __len__(self) -> int:
        return len(self._results)

    @overload
    def __getitem__(self, k: int) -> FirstContact: ...
    @overload
    def __getitem__(self, k: slice) -> list[FirstContact]: ...
    def __getitem__(self, k: int | slice) -> FirstContact | list[FirstContact]:
        if isinstance(k, slice):
            return [self[i] for i in range(*k.indices(len(self)))]
        k = range(len(self))[k]
        found = self._results[k]
        if found is None:
            assert self._pairs is not None
            found = self._results[k] = self._pairs_result(self._rows[k], self._query(k))
        return found

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FirstContacts | list | tuple):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        counts = {v: int(np.count_nonzero(self._verdicts == v)) for v in Verdict}
        return f"FirstContacts({', '.join(f'{n} {v.value}' for v, n in counts.items() if n)})"

    def __reduce__(self) -> Any:
        return _restored, (list(self),)

    def _pairs_result(self, row: int, query: Query) -> FirstContact:
        pairs = self._pairs
        assert pairs is not None
        return AdvancementContact(query, pairs.rows, row)

    def _put(self, k: int, result: FirstContact) -> None:
        self._results[k], self._known[k] = result, True
        self.time[k], self.t_lo[k], self.t_hi[k] = result.time, result.t_lo, result.t_hi
        self._verdicts[k] = result.verdict

    def _advance_pairs(self, table: _Table, common: Query, threads: int) -> None:
        """Compute the results of pairs of convex bodies on rigid motions."""
        starts, ends = table.starts, table.ends
        which = np.flatnonzero(table.is_easy & table.is_convex)
        if not len(which):
            return
        pairs = self._pairs = ConvexPairs.of_cases(
            *table.used(which),
            starts[which],
            ends[which],
            (common.margin, common.tolerance),
            common.budget,
        )
        in_pieces(len(which), threads, pairs.run)
        proved = which[pairs.rows["unproved"] == 0]
        self._rows[which] = np.arange(len(which))
        limit = math.inf if common.time_tolerance is None else common.time_tolerance
        found = AdvancementContact.brackets(pairs.rows, limit)
        for name, values in zip(("_verdicts", "time", "t_lo", "t_hi"), found, strict=True):
            getattr(self, name)[which] = values
        self._known[proved] = True


def _restored(results: list[FirstContact]) -> FirstContacts:
    contacts = FirstContacts(len(results), _nothing)
    for k, result in enumerate(results):
        contacts._put(k, result)
    return contacts


def _nothing(k: int) -> Query:
    raise AssertionError(k)


def _numbered(parts: list[Any]) -> tuple[list[int], Iterable[int]]:
    """Return the number of each of some objects, equal for the same object, and the first index of each number."""
    ids = list(map(id, parts))
    places = dict(zip(reversed(ids), range(len(ids) - 1, -1, -1), strict=True))
    order = sorted(places, key=places.__getitem__)
    numbers = dict(zip(order, range(len(order)), strict=True))
    return list(map(numbers.__getitem__, ids)), map(places.__getitem__, order)


def _renumbered(numbers: npt.NDArray[np.int64]) -> tuple[list[int], npt.NDArray[np.int64]]:
    """Return the distinct numbers, and the index of each number among them."""
    found, places = np.unique(numbers, return_inverse=True)
    return found.tolist(), places.reshape(numbers.shape)


class _Table:
    """The cases, with every shape and every motion stored once."""

    def __init__(self, cases: object) -> None:
        if isinstance(cases, str | bytes) or not isinstance(cases, Iterable):
            raise ArgumentError(
                f"cases must be a sequence of (a, motion_a, b, motion_b), but it is {shown(cases)}."
            )
        self.cases: list[Any] = list(cases)
        for k, case in enumerate(self.cases):
            if type(case) not in (tuple, list) or len(case) != 4:
                raise ArgumentError(
                    f"cases[{k}]: a case must be (a, motion_a, b, motion_b), but it is {shown(case)}."
                )
        parts = list(itertools.chain.from_iterable(self.cases))
        bodies, motions = parts[::2], parts[1::2]
        body_numbers, body_places = _numbered(bodies)
        motion_numbers, motion_places = _numbered(motions)
        self.bodies: list[Body | Compound] = [self._body(bodies[place], place) for place in body_places]
        self.motions: list[Motion] = [
            motions[place] if MOTIONS.has(motions[place]) else self._motion(motions[place], place)
            for place in motion_places
        ]
        self.numbers = np.empty((len(self.cases), 4), np.int64)
        self.numbers[:, ::2] = np.array(body_numbers, np.int64).reshape(-1, 2)
        self.numbers[:, 1::2] = np.array(motion_numbers, np.int64).reshape(-1, 2)
        compounds = np.array([type(body) is Compound for body in self.bodies], dtype=bool)
        self.is_compound: npt.NDArray[np.bool_] = (
            compounds[self.numbers[:, 0]] | compounds[self.numbers[:, 2]]
        )

    def _body(self, part: Any, place: int) -> Body | Compound:
        """Return a body, checked."""
        try:
            return as_compound(part) if isinstance(part, list | tuple) else as_body(part)
        except KeepclearError as error:
            raise type(error)(f"cases[{place // 2}]: {error}") from None

    def _motion(self, part: object, place: int) -> Motion:
        """Return a motion, checked."""
        try:
            return as_motion(part, ("motion_a", "motion_b")[place % 2])
        except KeepclearError as error:
            raise type(error)(f"cases[{place // 2}]: {error}") from None

    def case(self, k: int) -> tuple[Any, Motion, Any, Motion]:
        """Return a case as it was checked; later changes by the user have no effect."""
        a, ma, b, mb = self.numbers[k]
        return self.bodies[a], self.motions[ma], self.bodies[b], self.motions[mb]

    def used(self, which: npt.NDArray[np.intp]) -> tuple[ConvexStore, npt.NDArray[np.int64]]:
        """Return a store of the bodies and motions of plain cases, and their numbers in each case, (n, 4)."""
        if len(which) == len(self.numbers):
            return ConvexStore(cast(list[Body], self.bodies), self.motions), self.numbers
        numbers = self.numbers[which].copy()
        bodies, numbers[:, ::2] = _renumbered(numbers[:, ::2])
        motions, numbers[:, 1::2] = _renumbered(numbers[:, 1::2])
        some = [cast(Body, self.bodies[k]) for k in bodies]
        return ConvexStore(some, [self.motions[k] for k in motions]), numbers

    def query(self, k: int, common: Query) -> Query:
        """Return the query of an easy case; `common` has the options of all cases."""
        a, motion_a, b, motion_b = self.case(k)
        return Query(
            a, motion_a, b, motion_b, float(self.starts[k]), float(self.ends[k]), common.tolerance, common.margin,
            common.time_tolerance, common.budget, float(self._sizes[k]),
            (bounding_volumes_of(a).extent, bounding_volumes_of(b).extent), (0.0, 0.0),
        )  # fmt: skip

    def set_intervals(self, common: Query, has_t0: bool, has_t1: bool) -> None:
        """Set when the interval of each case starts and ends, and which cases are easy or convex.

        An easy case has no compound, and rigid motions that cover all times; it has a span of time, or two bodies that
        never move; and its tolerance is not too fine. Its interval is the requested one, or the span of both motions.

        Args:
            common: The query of the first case.
            has_t0: Whether its start is that of all cases.
            has_t1: Whether its end is that of all cases.
        """
        a, ma, b, mb = self.numbers.T
        heads = [head_of(motion) for motion in self.motions]
        fields = map(Head._fields.index, ("t_start", "t_end", "place", "terms"))
        first, last, place, terms = (np.array([head[at] for head in heads]) for at in fields)
        easy = np.array([
            MOTIONS.has(motion) and head.before and head.after and not head.affine
            for motion, head in zip(self.motions, heads, strict=True)
        ])  # fmt: skip
        volumes = [
            None if type(body) is Compound else bounding_volumes_of(cast(Body, body)) for body in self.bodies
        ]
        convex = np.array([line is not None and not line.is_mesh for line in volumes])
        extents = np.array([0.0 if line is None else line.extent for line in volumes])
        self._sizes: FloatArray = place[ma] + terms[ma] * extents[a] + place[mb] + terms[mb] * extents[b]
        first[np.isinf(first)], last[np.isinf(last)] = math.inf, -math.inf  # a body at rest sets no limit
        starts, ends = np.minimum(first[ma], first[mb]), np.maximum(last[ma], last[mb])
        if has_t0:
            starts = np.full(len(a), common.t0)
        else:
            starts[np.isinf(starts)] = common.t1 if has_t1 else 0.0
        ends = np.full(len(a), common.t1) if has_t1 else np.where(np.isinf(ends), starts, ends)
        fixed = np.array([type(motion) is Fixed for motion in self.motions])
        is_span = (starts < ends) | ((starts == ends) & fixed[ma] & fixed[mb])
        fine = self._sizes * SMALLEST_TOLERANCE <= common.tolerance
        self.starts, self.ends = starts, ends
        self.is_easy: npt.NDArray[np.bool_] = easy[ma] & easy[mb] & is_span & fine & ~self.is_compound
        self.is_convex: npt.NDArray[np.bool_] = convex[a] & convex[b]
