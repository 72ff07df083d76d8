"""Bisection combined with the exact method for parts that it cannot prove, as the source of the method proposes.

Shimada, Okano and Kawabe give two methods and leave open how to combine them. Here distances and path lengths prove
most of the interval clear; a part that they do not prove is solved exactly if the bodies have few triangles, or as soon
as it is short, so that trees leave few pairs of triangles in it (docs/theory/time-of-contact).
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

from keepclear.geometry.bodies.body import Geometry
from keepclear.geometry.bodies.bounds import shape_of
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.query.interval.exact import exact_first_contact, with_faces
from keepclear.query.interval.separation import Planes
from keepclear.query.moving.evaluation import Evaluation, Evaluator
from keepclear.query.moving.question import Query
from keepclear.query.moving.relative_path_length import RelativePathLength
from keepclear.query.moving.results import FirstContact
from keepclear.results import Verdict

# The whole interval is solved exactly if the bodies have no more pairs of triangles than this.
FEW = 1024
# Otherwise a part of it is, where bodies travel no farther in it than this part of the smaller one's extent.
SHORT = 1.0


class _BudgetEnded(Exception):  # noqa: N818, it is no error
    """The budget of distances and pairs of triangles is used up."""


def bisect_exact_first_contact(query: Query) -> FirstContact | None:
    """Return when two polyhedra first touch, by bisection and the exact method; None where rounding leaves no proof.

    Times are local, as for the exact method.

    Raises:
        ArgumentError: There is a margin, or a body without faces.
    """
    of_faces = with_faces(query, "bisect_exact")
    search = _Search(query, _n_triangles(of_faces.body_a) * _n_triangles(of_faces.body_b) <= FEW)
    try:
        found = search.run()
    except _BudgetEnded:
        found = search.without_contact(Verdict.UNDECIDED, search.proved)
    return None if found is None else search.told(found)


class _Search:
    """One search: the time until which everything is proved, and its effort."""

    def __init__(self, query: Query, has_few: bool) -> None:
        self._query = query
        self._evaluator = Evaluator(replace(query, budget=None))  # the budget is for both methods together
        self._path_length = RelativePathLength(query)
        self._planes = Planes(query, self._evaluator, self._path_length)
        self._counts: Counter[str] = Counter(
            {"distances": 0, "exact": 0, "triangle pairs": 0, "box pairs": 0}
        )
        self._short = SHORT * min(query.extents)
        self._has_few = has_few
        self.proved = query.t0

    def run(self) -> FirstContact | None:
        """Return the first contact, or None where the exact method has no proof."""
        query = self._query
        start = self._at(query.t0)
        if query.t0 == query.t1 or not start.lower > 0.0:
            return self._exactly(query.t0, query.t1, apart=False)
        if start.lower > self._path_length.needed(query.t0, query.t1, 1) or self._planes.prove_after(
            start, query.t1
        ):
            return self.without_contact(Verdict.CLEAR, query.t1)
        waiting = [(start, self._at(query.t1))]
        while waiting:
            first, last = waiting.pop()
            self.proved = first.t
            needed = self._path_length.needed(first.t, last.t, 2, first.lower + last.lower)
            if first.lower + last.lower > needed or self._planes.prove(first, last):
                continue
            middle = 0.5 * (first.t + last.t)
            if self._has_few or needed <= self._short or not first.t < middle < last.t:
                # harmless (>): t0 is handled above, and later no body gets inside another without contact
                found = self._exactly(first.t, last.t, apart=first.lower > 0.0)
                if found is None or found.verdict is not Verdict.CLEAR:
                    return found
            else:
                between = self._at(middle)
                waiting += [(between, last), (first, between)]
        return self.without_contact(Verdict.CLEAR, query.t1)

    def without_contact(self, verdict: Verdict, proved: float) -> FirstContact:
        """Return CLEAR, or UNDECIDED from an instant on."""
        return self._evaluator.undisturbed(verdict, proved, self._query.t1, "bisect_exact", {})

    def told(self, found: FirstContact) -> FirstContact:
        """Return an answer with the effort of the whole search."""
        effort = self._counts["distances"] + self._counts["triangle pairs"]
        t_hi = self._query.t1 if found.verdict is not Verdict.COLLIDING else found.t_hi
        return replace(found, t_hi=t_hi, evaluations=effort, method="bisect_exact", counts=dict(self._counts))

    def _left(self) -> float:
        """Return the rest of the budget; raise if there is none."""
        budget = math.inf if self._query.budget is None else self._query.budget
        left = budget - self._counts["distances"] - self._counts["triangle pairs"]
        if left < 1:
            raise _BudgetEnded
        return left

    def _at(self, t: float) -> Evaluation:
        self._left()
        self._counts["distances"] += 1
        return self._evaluator.at(t)

    def _exactly(self, t0: float, t1: float, *, apart: bool) -> FirstContact | None:
        """Solve a part of the interval by the exact method."""
        left = self._left()
        found = exact_first_contact(replace(
            self._query, t0=t0, t1=t1, starts_apart=apart, budget=None if left == math.inf else int(left)
        ))  # fmt: skip
        if found is not None:
            self._counts["exact"] += 1
            self._counts.update(found.counts)
        return found


def _n_triangles(body: Geometry) -> int:
    mesh = shape_of(body)
    assert isinstance(mesh, Mesh)
    return len(mesh.triangles)
