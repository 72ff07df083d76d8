"""Changes of a fleet by what they have in common: an object, two objects, or a cell file."""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR

from keepclear.fleet.changes import Change
from keepclear.names import listed
from keepclear.report.report import Report
from keepclear.report.words import counted, length

__all__ = ["Cause", "causes_of", "checked_pairs"]

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
        (one.cell, one.program, one.variant, one.after): common
        for common, group in groups.items()
        for one in group
        if one.kind == "verdict"
    }
    for change in changes:
        if not change.a:
            key = change.cell, change.program, change.variant, change.after
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
    for kind, text in (("new pair", "not checked before"), ("gone pair", "not checked any more")):
        found = [one for one in changes if one.kind == kind]
        if found:
            reasons = sorted({one.detail for one in found if one.detail})
            why = f" ({listed(reasons[:_SHOWN], None)})" if reasons else ""
            yield f"{_number(found, 'pair')} {text}{why}"
    for kind, text in (("new program", "not in the baseline"), ("gone program", "not verified now")):
        n = sum(one.kind == kind for one in changes)
        if n:
            yield f"{counted(n, 'program')} {text}"


def _number(changes: Sequence[Change], noun: str) -> str:
    """Return how many pairs changed, and in how many programs; of whole programs alone, their number."""
    programs = counted(len({(one.cell, one.program, one.variant) for one in changes}), "program")
    n = sum(bool(one.a) for one in changes)
    return f"{counted(n, noun)} in {programs}" if n else programs


def _fall(change: Change) -> float:
    known = isinstance(change.before, float) and isinstance(change.after, float)
    return change.before - change.after if known else 0.0  # type: ignore[operator]


def _length(value: str | float | None) -> str:
    return length(value, ROUND_FLOOR) if isinstance(value, float) else str(value)
