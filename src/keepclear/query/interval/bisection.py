"""The first contact by halving the interval: the earlier half first, until everything before a contact is proved clear.

The method is that of Shimada, Okano and Kawabe (docs/theory/time-of-contact), with its rule A corrected: a contact at
the end of an interval is a witness, and the search continues before it.
"""

from __future__ import annotations

import contextlib
import enum
from collections import Counter

from keepclear.query.interval.separation import Planes
from keepclear.query.moving.evaluation import BudgetEnded, Evaluation, Evaluator
from keepclear.query.moving.question import Query
from keepclear.query.moving.relative_path_length import RelativePathLength
from keepclear.query.moving.results import FirstContact
from keepclear.results import Verdict

# Number of instants after a witness without a proved contact that are tried for one, at doubling distances.
PROBES = 6
# Number of halvings that bring a proved contact closer to the witness.
CLOSER = 8
MOST_HALVINGS = 60  # the same with a time tolerance
# An interval that may still be a near miss, or is wider than the time tolerance, is halved further: at most this many
# times in total, and while the relative path length exceeds this part of the tolerance.
PATIENCE, PATIENCE_IN_TIME = 128, 1024
FINEST = 2.0**-20


class Status(enum.Enum):
    """The state of an interval of time, from the distances at its two ends."""

    A = "contact at its end"
    B = "clear, proved"
    C = "contact possible"
    D = "contact certain: overlap at its end"


class _Indivisible(Exception):  # noqa: N818, it is no error
    """An interval between two neighbouring float64 times could not be proved, and cannot be halved."""


def bisection_first_contact(query: Query, evaluator: Evaluator | None = None) -> FirstContact | None:
    """Return the first contact of a query by bisection; None if its times have too few digits.

    Args:
        query: The query.
        evaluator: Computes distances, by default those of the query's bodies; others must lie within these bodies.
    """
    try:
        return _Search(query, Evaluator(query) if evaluator is None else evaluator).run()
    except _Indivisible:
        return None


def bisection_or_undecided(query: Query) -> FirstContact:
    """Return the same for a query without local time, UNDECIDED instead of None."""
    search = _Search(query, Evaluator(query))
    try:
        return search.run()
    except _Indivisible:
        return search.undecided()


class _Search:
    """One search: the evaluated instants, and the time until which everything is proved."""

    def __init__(self, query: Query, evaluator: Evaluator) -> None:
        self._query = query
        self._limit = query.margin + query.tolerance
        self._evaluator = evaluator
        self._path_length = RelativePathLength(query)
        self._planes = Planes(query, evaluator, self._path_length)
        self._counts: Counter[str] = Counter()
        self._proved = query.t0  # clear until here
        self._close: list[Evaluation] = []  # instants within margin + tolerance
        self._contact: Evaluation | None = None  # the earliest instant with proved contact
        self._patience = PATIENCE if query.time_tolerance is None else PATIENCE_IN_TIME

    def run(self) -> FirstContact:
        """Search, and return the result."""
        try:
            witness = self._first_witness()
        except BudgetEnded:
            # An instant in contact decides, even if it may not be the first.
            later = [close for close in self._close if close.t >= self._proved]
            if not later:
                return self.undecided()
            witness = min(later, key=lambda close: close.t)
        if witness is None:
            return self._without_contact(Verdict.CLEAR, self._query.t1)
        with contextlib.suppress(BudgetEnded):
            self._prove_contact(witness)
        t_hi = witness.t if self._contact is None else self._contact.t
        return self._evaluator.colliding(witness, self._proved, t_hi, "bisection", dict(self._counts))

    def undecided(self) -> FirstContact:
        """Return the result UNDECIDED for the rest of the interval."""
        return self._without_contact(Verdict.UNDECIDED, self._proved)

    def _without_contact(self, verdict: Verdict, proved: float) -> FirstContact:
        return self._evaluator.undisturbed(verdict, proved, self._query.t1, "bisection", dict(self._counts))

    def _first_witness(self) -> Evaluation | None:
        """Return an instant within margin + tolerance before which everything is proved, or None if all is clear."""
        query = self._query
        start = self._at(query.t0)
        if start.contact or start.lower <= query.margin:
            return start
        if (
            query.t0 == query.t1
            or start.lower > self._path_length.needed(query.t0, query.t1, 1)
            or self._planes.prove_after(start, query.t1)
        ):
            self._counts[Status.B.name] += 1
            return None
        waiting = [(start, self._at(query.t1))]
        while waiting:
            first, last = waiting.pop()
            self._proved = first.t
            needed = self._path_length.needed(first.t, last.t, 2, first.lower + last.lower)
            status = self._status(first, last, needed)
            self._counts[status.name] += 1
            if status is Status.B:
                continue
            middle = 0.5 * (first.t + last.t)
            divisible = first.t < middle < last.t
            witness = self._end(first, last, needed, divisible)
            if witness is not None:
                return witness
            if not divisible:  # bodies as fast as this cross the whole scene between two numbers
                raise _Indivisible
            between = self._at(middle)
            waiting += [(between, last), (first, between)]
        return None

    def _at(self, t: float) -> Evaluation:
        """Compute the distance at an instant, and remember it if it is close."""
        evaluation = self._evaluator.at(t)
        if evaluation.upper <= self._limit:
            self._close.append(evaluation)
        if evaluation.contact and (self._contact is None or t < self._contact.t):
            self._contact = evaluation
        return evaluation

    def _status(self, first: Evaluation, last: Evaluation, needed: float) -> Status:
        """Return the state of an interval that its ends prove."""
        if first.lower + last.lower > needed or self._planes.prove(first, last):
            return Status.B
        # harmless (self._query.margin): the status is counted; only B ends an interval
        depth = self._query.margin - last.upper
        if last.contact and (depth > self._query.tolerance or last.answer._is_of_surfaces):
            return Status.D
        # harmless (<=): the status is counted; only B ends an interval
        return Status.A if last.upper <= self._limit else Status.C

    def _end(self, first: Evaluation, last: Evaluation, needed: float, divisible: bool) -> Evaluation | None:
        """Return the witness if an interval that could not be proved ends the search, or None to continue.

        The distances at both ends add up to no more than `needed`, so that one of them is within margin + tolerance
        when `needed` exceeds twice the margin by no more than twice the tolerance.
        """
        query = self._query
        witness = first if first.upper <= self._limit else last if last.upper <= self._limit else None
        # harmless (query.margin): then the search goes on
        if witness is None or not divisible or first.lower <= query.margin:
            return witness
        # harmless (2.0 * query.margin): then the search goes on
        width, rest = query.time_tolerance, needed - 2.0 * query.margin
        if width is not None and self._contact is not None and self._contact.t - first.t <= width:
            return witness
        if rest > 2.0 * query.tolerance:
            return None
        settled = last.contact and width is None
        # harmless (2.0 * FINEST * query.tolerance): then the search goes on, until patience ends
        if settled or rest <= 2.0 * FINEST * query.tolerance or self._patience == 0:
            return witness
        self._patience -= 1
        return None

    def _prove_contact(self, witness: Evaluation) -> None:
        """Search for an instant with proved contact soon after the witness; it bounds the first contact from above."""
        query = self._query
        # harmless (2.0 * query.margin): it selects the instants that are tried; each is evaluated
        path_length = self._path_length.needed(witness.t, query.t1, 2) - 2.0 * query.margin
        # harmless (>): then no later instant of contact is searched, and the witness stays
        if self._contact is None and path_length > 0.0:
            step = (query.t1 - witness.t) * min(1.0, 2.0 * query.tolerance / path_length)
            for k in range(PROBES):
                t = min(witness.t + step * (2**k), query.t1)
                if self._contact is None and t > witness.t:
                    self._at(t)
        early = witness.t
        for _ in range(CLOSER if query.time_tolerance is None else MOST_HALVINGS):
            if self._contact is None or not early < 0.5 * (early + self._contact.t) < self._contact.t:
                return
            if query.time_tolerance is not None:
                close = self._contact.t - self._proved <= query.time_tolerance
            else:
                # harmless (2.0 * query.margin): it selects when the bracket of a contact is narrow enough
                rest = self._path_length.needed(early, self._contact.t, 2) - 2.0 * query.margin
                close = rest <= 2.0 * query.tolerance
            if close:
                return
            middle = self._at(0.5 * (early + self._contact.t))
            if not middle.contact:
                early = middle.t
