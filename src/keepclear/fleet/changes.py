"""Changes between two reports of one program."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict, dataclass
from decimal import ROUND_FLOOR
from typing import Any, NamedTuple

from keepclear.errors import KeepclearError, ReportError
from keepclear.fleet.results import ProgramResult
from keepclear.names import listed
from keepclear.report.coverage import unchecked_pairs
from keepclear.report.records import VERDICTS
from keepclear.report.report import Report
from keepclear.report.words import length
from keepclear.results import Verdict

__all__ = ["KINDS", "Change", "changes_of", "counted_once"]

KINDS = {
    "verdict": "changed verdict",
    "clearance": "fallen clearance",
    "new pair": "new pair",
    "gone pair": "gone pair",
    "new program": "new program",
    "gone program": "gone program",
}
"""The kinds of changes, each with its name in a summary."""

CLEAR = Verdict.CLEAR.value
Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between an earlier report and the new one.

    Attributes:
        kind: One of `KINDS`.
        cell: The cell.
        program: The program.
        variant: The variant.
        a: The first of the pair, "" for a change of the whole program.
        b: The second.
        before: The earlier verdict, or the proved clearance [m]; None if there was none.
        after: The new verdict or clearance.
        detail: Additional information, such as why a pair is no longer checked.
    """

    kind: str
    cell: str
    program: str
    variant: str
    a: str = ""
    b: str = ""
    before: str | float | None = None
    after: str | float | None = None
    detail: str = ""

    @property
    def title(self) -> str:
        """The name of this kind of change in a summary."""
        return KINDS[self.kind]

    @property
    def text(self) -> str:
        """The change in words, without the name of the program."""
        pair = f"{self.a!r} - {self.b!r}"
        if self.kind == "clearance" and isinstance(self.before, float) and isinstance(self.after, float):
            known = "" if not self.detail else f"{self.detail} "
            before, after = (length(one, ROUND_FLOOR) for one in (self.before, self.after))  # proved bounds
            return f"{pair}: clearance fell from {known}{before} to {after}"
        if self.kind == "verdict":
            states = " -> ".join(
                "no report" if one is None else str(one) for one in (self.before, self.after)
            )
            return f"{pair}: {states}" if self.a else states
        if self.kind.endswith("program"):
            return (
                "not verified now"
                if self.kind == "gone program"
                else f"not in the baseline, {self.after} now"
            )
        return f"{pair}: {'not checked before' if self.kind == 'new pair' else 'not checked any more'}" + (
            f": {self.detail}" if self.detail else ""
        )

    def __str__(self) -> str:
        variant = f"[{self.variant}]" if self.variant else ""
        return f"{' '.join(filter(None, [self.cell, self.program, variant]))}: {self.text}"

    def to_dict(self) -> dict[str, Any]:
        """Return the change as a dictionary for JSON."""
        return asdict(self)


def counted_once(changes: Iterable[Change]) -> list[Change]:
    """Return changes for a count: without those verdicts of programs that changed with the verdict of a pair."""
    every = list(changes)
    of_pairs = {
        (one.cell, one.program, one.variant, one.after) for one in every if one.a and one.kind == "verdict"
    }
    return [
        one for one in every
        if one.a or one.kind != "verdict" or (one.cell, one.program, one.variant, one.after) not in of_pairs
    ]  # fmt: skip


class _Row(NamedTuple):
    """The findings about a pair: its verdict, a lower bound of its distance, and whether an upper bound is known."""

    verdict: str
    lower: float
    is_known: bool


def changes_of(
    result: ProgramResult, old: Report | None, limit: float, baseline: str
) -> tuple[list[Change], int]:
    """Return the changes since an old report, and the number of pairs whose clearance is no longer known.

    A clearance fell if the lower bound that is proved now is below the one proved before by more than the limit. Where
    only a bound is known now, because the pair is far apart or clearances were not asked for, nothing is compared.

    Raises:
        ReportError: The two cannot be compared.
    """
    name = {"cell": result.cell, "program": result.program, "variant": result.variant}
    new = result.report
    if old is None or new is None:
        states = [None if one is None else one.verdict.value for one in (old, new)]
        return ([] if old is new else [Change("verdict", **name, before=states[0], after=states[1])]), 0
    _check_alike(result.name, old, new, baseline)
    changes = []
    if old.verdict is not new.verdict:
        changes.append(Change("verdict", **name, before=old.verdict.value, after=new.verdict.value))
    n_unknown = 0
    before, after = _rows(old), _rows(new)
    for pair in sorted(before.keys() | after.keys()):
        a, b = pair
        was, why_not_before = (before[pair], "") if pair in before else _unlisted(old, a, b)
        now, why_not = (after[pair], "") if pair in after else _unlisted(new, a, b)
        if was is None or now is None:
            if now is not None:
                changes.append(Change("new pair", **name, a=a, b=b, after=now.verdict, detail=why_not_before))
            elif was is not None:
                changes.append(Change("gone pair", **name, a=a, b=b, before=was.verdict, detail=why_not))
        elif was.verdict != now.verdict:
            changes.append(Change("verdict", **name, a=a, b=b, before=was.verdict, after=now.verdict))
        elif was.verdict == CLEAR and now.is_known and was.lower - now.lower > limit:
            bound = "" if was.is_known else "more than"  # farther apart than clearances were searched
            changes.append(
                Change("clearance", **name, a=a, b=b, before=was.lower, after=now.lower, detail=bound)
            )
        elif was.verdict == CLEAR and was.is_known and not now.is_known and now.lower < was.lower - limit:
            n_unknown += 1
    either = before.keys() | after.keys()
    changes += (
        Change(kind, **name, a=a, b=b, detail=why) for kind, a, b, why in _not_listed(old, new, either)
    )
    return changes, n_unknown


def _check_alike(name: str, old: Report, new: Report, baseline: str) -> None:
    if old.tolerance != new.tolerance:
        raise ReportError(
            f"baseline {baseline!r}: {name} was verified with a tolerance of {old.tolerance:g} m, and now with "
            f"{new.tolerance:g} m; verify both with the same."
        )
    if old.sampling is not None or new.sampling is not None:
        raise ReportError(
            f"baseline {baseline!r}: {name} was sampled in time, which proves nothing; give a report of a proof."
        )
    if old.interrupted:
        raise ReportError(
            f"baseline {baseline!r}: the check of {name} was stopped before its end; give a report of a whole run."
        )


def _rows(report: Report) -> dict[Pair, _Row]:
    """Return the findings about the listed pairs, keyed by their sorted names."""
    records, names = report.records, report.records.names
    columns = (records.a, records.b, records.verdict, records.clearance_lower, records.clearance_upper)
    return {
        _pair(names[a], names[b]): _Row(VERDICTS[verdict].value, lower, not math.isnan(upper))
        for a, b, verdict, lower, upper in zip(*(column.tolist() for column in columns), strict=True)
    }


def _unlisted(report: Report, a: str, b: str) -> tuple[_Row | None, str]:
    """Return the findings about a pair that a report does not list, or the reason why there are none."""
    absent = [name for name in (a, b) if report.objects and name not in report.objects]
    if absent:
        return None, f"there is no {listed(map(repr, absent))}"
    try:
        found = report.pair(a, b)
    except KeepclearError as error:
        return None, str(error).removeprefix(f"the pair {a!r} - {b!r} was not checked: ").rstrip(".")
    return _Row(found.verdict.value, found.clearance_lower, False), ""


def _not_listed(old: Report, new: Report, known: Collection[Pair]) -> Iterator[tuple[str, str, str, str]]:
    """Yield the pairs of objects in both reports that neither report lists and only one has checked."""
    at_rest = set(map(frozenset, old.at_rest)) != set(map(frozenset, new.at_rest))
    was, now = (unchecked_pairs(report, at_rest=at_rest) for report in (old, new))
    both = set(old.objects) & set(new.objects)
    for pair in sorted(was ^ now):
        if pair in known or not both.issuperset(pair):
            continue
        (before, why_not_before), (after, why_not) = (_unlisted(report, *pair) for report in (old, new))
        if (before is None) != (after is None):
            yield "gone pair" if after is None else "new pair", *pair, why_not or why_not_before


def _pair(a: str, b: str) -> Pair:
    return (a, b) if a <= b else (b, a)
