"""Findings of a verification repeated by an independent method, and the contradictions between the two.

All parts of a pair are checked again, in all windows of time, without swept boxes and hulls: by bisection, or by
conservative advancement if the first result came from bisection. Results may differ within the tolerance of verdicts;
a contradiction is proved by the distance at an instant (docs/theory/time-of-contact).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from keepclear.errors import KeepclearError
from keepclear.query.moving.evaluation import Evaluation, Evaluator
from keepclear.report.parts import Answer, CrossCheck, Disagreement
from keepclear.results import Verdict
from keepclear.scene.timeline import Timeline
from keepclear.world.selection.plan import PairPlan
from keepclear.world.verify.options import Task
from keepclear.world.verify.pair_check import PairFinding, Which, check_pair, part_rows, row_query

# The method that repeats a result; all other results, including those of boxes and hulls, use bisection.
_INDEPENDENT = {"bisection": "hybrid", "bisect_exact": "hybrid"}


@dataclass(slots=True)
class Repetition:
    """The findings of a verification that were repeated, by the row of their pair."""

    timeline: Timeline
    task: Task
    confirmed: set[int] = field(default_factory=set)
    disagreements: dict[int, Disagreement] = field(default_factory=dict)

    def repeat(self, k: int, plan: PairPlan, finding: PairFinding) -> bool:
        """Check a pair again, and return whether the result contradicts the finding."""
        first = answer_of(finding, self.task.t1)
        # Times after a contact are not checked.
        limit = first.t_hi if finding.contact is not None else self.task.t1
        method = _INDEPENDENT.get(finding.method, "bisection")
        try:
            rows = part_rows(self.timeline, plan.i, plan.j, plan.checked)
            again = check_pair(rows, self.timeline, self.task.tolerance, self.task.budget, limit, method)
            second = answer_of(again, limit)
            reason = self._contradiction(plan, finding, first, second)
            reason = reason or self._contradiction(plan, again, second, first)
        except (
            KeepclearError
        ):  # a query that the method does not support, such as a deforming curved body and a mesh
            return False
        if reason:
            a, b = (self.timeline.items[i].name for i in (plan.i, plan.j))
            self.disagreements[k] = Disagreement(a=a, b=b, reason=reason, first=first, second=second)
        elif again.verdict is not Verdict.UNDECIDED:
            self.confirmed.add(k)
        return bool(reason)

    def result(self, pairs: dict[int, tuple[str, str]]) -> CrossCheck:
        """Return the cross-check of a report for the given rows of pairs."""
        known = self.confirmed | self.disagreements.keys()
        return CrossCheck(
            n_confirmed=len(self.confirmed),
            unconfirmed=tuple(sorted(names for k, names in pairs.items() if k not in known)),
            disagreements=tuple(self.disagreements[k] for k in sorted(self.disagreements)),
        )

    def _contradiction(self, plan: PairPlan, finding: PairFinding, contact: Answer, other: Answer) -> str:
        """Return why a contact contradicts the distance at its time, or the other method's proof; else ""."""
        if contact.time is None or finding.which is None:
            return ""
        samples = self._samples(plan, finding.which, contact.time)
        if all(sample.lower > reach + self.task.tolerance for reach, sample in samples):
            least = min(sample.lower for _, sample in samples)
            return f"at {contact.time:.9g} s they are at least {least:.4g} m apart"
        for t in sorted({contact.time, contact.t_hi}):
            was_apart = t <= other.t_lo if other.verdict is Verdict.CLEAR else t < other.t_lo
            if was_apart and any(sample.contact for _, sample in self._samples(plan, finding.which, t)):
                return f"at {t:.9g} s they are in contact"
        return ""

    def _samples(self, plan: PairPlan, which: Which, t: float) -> Sequence[tuple[float, Evaluation]]:
        """Return the distance of two parts at an instant, with the margin of each window of time that it is in."""
        rows, found = part_rows(self.timeline, plan.i, plan.j, plan.checked), []
        a, b = (self.timeline.first[i] + p for i, p in which)
        for k in np.flatnonzero((rows["geom_a"] == a) & (rows["geom_b"] == b)).tolist():
            t0, t1, margin = (rows[name].item(k) for name in ("t0", "t1", "margin"))
            if t0 <= t <= t1:
                query, _ = row_query(rows, k, self.timeline, self.task.tolerance, None, (t0, t1))
                found.append((margin, Evaluator(query).at(t)))
        return found


def answer_of(finding: PairFinding, t1: float) -> Answer:
    """Return the finding about the time until t1 as a result of its method."""
    t_lo, t_hi, time = t1, t1, None
    if finding.contact is not None:
        (t_lo, t_hi), time = finding.bracket, finding.contact.time
    elif finding.verdict is Verdict.UNDECIDED:
        t_lo, t_hi = finding.left
    return Answer(method=finding.method, verdict=finding.verdict, time=time, t_lo=t_lo, t_hi=t_hi)
