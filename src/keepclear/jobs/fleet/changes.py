"""Changes between two reports of one program, and what changes of a fleet have in common."""

from __future__ import annotations

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from decimal import ROUND_FLOOR
from typing import Any, NamedTuple

from keepclear.errors import KeepclearError, ReportError
from keepclear.jobs.fleet.results import ProgramResult
from keepclear.names import listed
from keepclear.report.coverage import unchecked_pairs
from keepclear.report.records import VERDICTS
from keepclear.report.report import Report
from keepclear.report.words import counted, length
from keepclear.results import Verdict

KINDS = {
    "verdict": ("changed verdict", ""),
    "clearance": ("fallen clearance", ""),
    "new pair": ("new pair", "not checked before"),
    "gone pair": ("gone pair", "not checked any more"),
    "new program": ("new program", "not in the baseline"),
    "gone program": ("gone program", "not verified now"),
}
"""The kinds of changes, each with its name in a summary, and with what became of the pair or the program."""

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
    def key(self) -> tuple[str, str, str]:
        """Cell, program and variant."""
        return self.cell, self.program, self.variant

    @property
    def title(self) -> str:
        """The name of this kind of change in a summary."""
        return KINDS[self.kind][0]

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
        fate = KINDS[self.kind][1]
        if self.kind.endswith("program"):
            return fate if self.after is None else f"{fate}, {self.after} now"
        return ": ".join(filter(None, (pair, fate, self.detail)))

    def __str__(self) -> str:
        variant = f"[{self.variant}]" if self.variant else ""
        return f"{' '.join(filter(None, [self.cell, self.program, variant]))}: {self.text}"

    def to_dict(self) -> dict[str, Any]:
        """Return the change as a dictionary for JSON."""
        return asdict(self)


def counted_once(changes: Iterable[Change]) -> list[Change]:
    """Return changes for a count: without those verdicts of programs that changed with the verdict of a pair."""
    every = list(changes)
    of_pairs = {(*one.key, one.after) for one in every if one.a and one.kind == "verdict"}
    return [
        one for one in every
        if one.a or one.kind != "verdict" or (*one.key, one.after) not in of_pairs
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
    new = result.report
    if old is None or new is None:
        states = [None if one is None else one.verdict.value for one in (old, new)]
        return ([] if old is new else [Change("verdict", *result.key, before=states[0], after=states[1])]), 0
    _check_alike(result.name, old, new, baseline)
    changes = []
    if old.verdict is not new.verdict:
        changes.append(Change("verdict", *result.key, before=old.verdict.value, after=new.verdict.value))
    n_unknown = 0
    before, after = _rows(old), _rows(new)
    for pair in sorted(before.keys() | after.keys()):
        a, b = pair
        was, why_not_before = (before[pair], "") if pair in before else _unlisted(old, a, b)
        now, why_not = (after[pair], "") if pair in after else _unlisted(new, a, b)
        if was is None or now is None:
            if now is not None:
                changes.append(
                    Change("new pair", *result.key, a, b, after=now.verdict, detail=why_not_before)
                )
            elif was is not None:
                changes.append(Change("gone pair", *result.key, a, b, before=was.verdict, detail=why_not))
        elif was.verdict != now.verdict:
            changes.append(Change("verdict", *result.key, a, b, before=was.verdict, after=now.verdict))
        elif was.verdict == CLEAR and now.is_known and was.lower - now.lower > limit:
            bound = "" if was.is_known else "more than"  # farther apart than clearances were searched
            changes.append(
                Change("clearance", *result.key, a, b, before=was.lower, after=now.lower, detail=bound)
            )
        elif was.verdict == CLEAR and was.is_known and not now.is_known and now.lower < was.lower - limit:
            n_unknown += 1
    either = before.keys() | after.keys()
    changes += (
        Change(kind, *result.key, a, b, detail=why) for kind, a, b, why in _not_listed(old, new, either)
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


_SHOWN = 3  # names in one line
Common = tuple[str, tuple[str, ...]]  # a subject and the names of its objects
_URGENCY = ("COLLIDING", None, "UNDECIDED")  # new verdicts that come first; None: no report


@dataclass(frozen=True, slots=True)
class Cause:
    """Changes that probably have one cause.

    Attributes:
        subject: What they have in common: the name of an object, of two objects, or of a cell file.
        changes: The changes, in the order of the programs.
        objects: The names of the object or of the two objects; empty for a cell file.
    """

    subject: str
    changes: tuple[Change, ...]
    objects: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The changes in one line: what they have in common, where they are and how many of each kind."""
        if len(self.changes) == 1:
            return str(self.changes[0])
        cells = {one.cell for one in self.changes}
        where = counted(len(cells), "cell") if len(cells) > 1 else min(cells)
        where = f" in {where}" if any(one.a for one in self.changes) else ""
        return f"{self.subject}{where}: {', '.join(_parts(self.changes))}"

    @property
    def urgency(self) -> tuple[int, int, str]:
        """The order of causes: new contacts first, then programs without a report, then by the number of changes."""
        found = {one.after for one in self.changes if one.kind == "verdict"}
        rank = next((k for k, verdict in enumerate(_URGENCY) if verdict in found), len(_URGENCY))
        return rank, -len(self.changes), self.subject


def checked_pairs(reports: Iterable[Report]) -> Counter[str]:
    """Return the number of listed pairs of each object; a robot with its links is one object."""
    found: Counter[str] = Counter()
    for report in reports:
        records = report.records
        owners = [_owner(name) for name in records.names]
        for a, b in zip(records.a.tolist(), records.b.tolist(), strict=True):
            found.update({owners[a], owners[b]})
    return found


def causes_of(changes: Sequence[Change], checked: Mapping[str, int]) -> list[Cause]:
    """Return the changes grouped by what they have in common, the most urgent first.

    Pairs are grouped by objects. The object that is taken first has the greatest n s^3, where n of its pairs changed
    and s is their share of its checked pairs: a table that was moved changes nearly all of its pairs, while the robot
    beside it has many others that stay the same. Then the next object is taken for what is left. A changed verdict of
    a program belongs to the pair that changed it; other changes of programs are grouped by their cells.

    Args:
        changes: The changes.
        checked: The number of checked pairs of each object, as `checked_pairs` returns it.
    """
    of_pairs = [change for change in changes if change.a]
    groups = _by_object(of_pairs, checked)
    explained = {
        (*one.key, one.after): common
        for common, group in groups.items()
        for one in group
        if one.kind == "verdict"
    }
    for change in changes:
        if not change.a:
            key = *change.key, change.after
            own: Common = change.cell, ()
            groups[explained.get(key, own) if change.kind == "verdict" else own].append(change)
    causes = (Cause(subject, tuple(group), objects) for (subject, objects), group in groups.items())
    return sorted(causes, key=lambda one: one.urgency)


def _by_object(changes: Sequence[Change], checked: Mapping[str, int]) -> defaultdict[Common, list[Change]]:
    """Return changes of pairs by the objects that explain most of them."""
    rows: dict[str, set[int]] = defaultdict(set)
    for k, change in enumerate(changes):
        for owner in _owners(change):
            rows[owner].add(k)
    totals = {owner: max(len(found), checked.get(owner, 0)) for owner, found in rows.items()}

    def score(owner: str) -> float:
        return len(rows[owner]) * (len(rows[owner]) / totals[owner]) ** 3

    queue = [(-score(owner), owner) for owner in rows]
    heapq.heapify(queue)
    groups: defaultdict[Common, list[Change]] = defaultdict(list)
    while queue:
        known, owner = heapq.heappop(queue)
        if not rows[owner]:
            continue
        if (
            -score(owner) != known
        ):  # scores only fall as changes are taken: an entry that is still first is the best
            heapq.heappush(queue, (-score(owner), owner))
            continue
        taken = sorted(rows[owner])
        partners = {one for k in taken for one in _owners(changes[k])} - {owner}
        is_tie = len(partners) == 1 and all(score(one) >= -known for one in partners)
        objects = tuple(sorted({owner, *partners})) if is_tie else (owner,)
        groups[" - ".join(map(repr, objects)), objects] += [changes[k] for k in taken]
        for k in taken:
            for one in _owners(changes[k]):
                rows[one].discard(k)
    return groups


def _owner(name: str) -> str:
    """Return the object of a name: the robot of a link such as "arm/hand"."""
    return name.partition("/")[0]


def _owners(change: Change) -> set[str]:
    return {_owner(change.a), _owner(change.b)}


def _parts(changes: Sequence[Change]) -> Iterator[str]:
    """Yield how many changes there are of each kind."""
    verdicts: dict[str, list[Change]] = defaultdict(list)
    for one in changes:
        if one.kind == "verdict":
            verdicts[f"{one.before or 'no report'} -> {one.after or 'no report'}"].append(one)
    yield from (f"{_number(found, 'pair')} {states}" for states, found in verdicts.items())
    fallen = [one for one in changes if one.kind == "clearance"]
    if fallen:
        most = max(fallen, key=_fall)
        before = f"{most.detail} {_length(most.before)}".lstrip()
        example = f"from {before} to {_length(most.after)} ({most.a!r} - {most.b!r})"
        yield f"{_number(fallen, 'clearance')} fell, most {example}"
    for kind, (_, fate) in KINDS.items():
        found = [one for one in changes if one.kind == kind and fate]
        reasons = sorted({one.detail for one in found if one.detail})
        why = f" ({listed(reasons[:_SHOWN], None)})" if reasons else ""
        if found:
            yield f"{_number(found, 'pair')} {fate}{why}"


def _number(changes: Sequence[Change], noun: str) -> str:
    """Return how many pairs changed, and in how many programs; of whole programs alone, their number."""
    programs = counted(len({one.key for one in changes}), "program")
    n = sum(bool(one.a) for one in changes)
    return f"{counted(n, noun)} in {programs}" if n else programs


def _fall(change: Change) -> float:
    known = isinstance(change.before, float) and isinstance(change.after, float)
    return change.before - change.after if known else 0.0  # type: ignore[operator]


def _length(value: str | float | None) -> str:
    return length(value, ROUND_FLOOR) if isinstance(value, float) else str(value)
