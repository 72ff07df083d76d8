"""The pairs that a report covers: listed pairs, unchecked pairs, and the remaining far pairs."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence

import numpy as np

from keepclear.errors import ArgumentError, ReportError, UnknownNameError
from keepclear.names import known_names
from keepclear.report.parts import PairReport, Unchecked
from keepclear.report.records import PairRecords
from keepclear.report.report import Report
from keepclear.results import Verdict

NEVER_MOVING = "they do not move relative to each other, and are apart"


def find_pair(report: Report, a: str, b: str) -> PairReport:
    """Return the result for two objects, for `Report.pair`."""
    if report.programs:
        return PairRecords.of([_in_program(program, a, b) for program in report.programs]).sorted()[0]
    _check_names(report, a, b)
    rows = report.records.rows_of(a, b)
    if rows:
        return report.pairs[rows[0]]
    selection = [one.text for one in report.assumptions if one.kind == "selection"]
    if selection:
        raise ReportError(
            f"the pair {a!r} - {b!r} is not listed, and the report does not say whether it was selected: "
            f"{selection[0]}."
        )
    reason = _why_unchecked(report, a, b)
    if reason:
        raise ReportError(f"the pair {a!r} - {b!r} was not checked: {reason}.")
    if report.sampling is not None:
        raise ReportError(
            f"the pair {a!r} - {b!r} is not listed: the motion was sampled in time, and boxes around the motions of "
            "this pair do not come near; ask world.verify() for a verdict."
        )
    left = report._n_unlisted
    if left is None:
        left = count_far(report)
        object.__setattr__(report, "_n_unlisted", left)  # cached: reports are frozen
    if report.far is None or left != report.far.count:
        known = "no pair is far" if report.far is None else f"{report.far.count} pairs are far"
        raise ReportError(
            f"the pair {a!r} - {b!r} is not listed, and may not have been checked: {known}, and {left} pairs "
            "of its objects are not listed; write the report again."
        )
    return PairReport(
        a=a, b=b, verdict=Verdict.CLEAR, time=None, t_lo=report.t1, t_hi=report.t1, clearance_lower=report.far.bound,
        proof="swept boxes", program=report.program,
    )  # fmt: skip


def count_far(report: Report) -> int:
    """Return how many pairs of the objects of a report are neither listed nor unchecked nor at rest."""
    number = {name: k for k, name in enumerate(report.objects)}
    n, n_groups = len(number), len(report.at_rest)
    group = np.arange(n) + n_groups  # each object is a group
    for k, names in enumerate(report.at_rest):
        group[[number[name] for name in names if name in number]] = k
    sizes = np.bincount(group[group < n_groups])
    at_rest = int((sizes * (sizes - 1) // 2).sum())
    records = report.records
    own = np.array([number.get(name, -1) for name in records.names], dtype=np.int64)
    skipped = [
        (number[a], number[b])
        for (a, b), entries in _by_pair(report.unchecked).items()
        if a in number and b in number and _is_covered(entries, report.t0, report.t1)
    ]
    gone = np.concatenate([np.stack([own[records.a], own[records.b]], axis=1), np.reshape(skipped, (-1, 2))])
    gone = np.sort(gone[(gone >= 0).all(axis=1)].astype(np.int64), axis=1)
    gone = gone[group[gone[:, 0]] != group[gone[:, 1]]]
    return n * (n - 1) // 2 - at_rest - len(np.unique(gone[:, 0] * n + gone[:, 1]))


def unchecked_pairs(report: Report, *, at_rest: bool = True) -> set[tuple[str, str]]:
    """Return the pairs that were not checked at any time, each with sorted names.

    Args:
        report: A report of one program.
        at_rest: Whether to add the pairs within its groups `at_rest`.
    """
    found = {
        pair
        for pair, entries in _by_pair(report.unchecked).items()
        if _is_covered(entries, report.t0, report.t1)
    }
    for group in report.at_rest if at_rest else ():
        found.update(itertools.combinations(sorted(group), 2))
    return found


def _in_program(report: Report, a: str, b: str) -> PairReport:
    try:
        return find_pair(report, a, b)
    except (UnknownNameError, ReportError) as error:
        raise type(error)(f"program {report.program!r}: {error}") from error


def object_names(report: Report) -> Sequence[str]:
    """Return the names of all objects and links of a report; of format 1, those that occur in pairs."""
    if report.objects:
        return report.objects
    listed = (name for entry in report.unchecked for name in (entry.a, entry.b))
    return tuple(dict.fromkeys([*report.records.names, *listed]))


def _check_names(report: Report, a: str, b: str) -> None:
    known = object_names(report)
    for name in (a, b):
        if name not in known:
            raise UnknownNameError(f"the report has no object {name!r}{known_names(name, known, 'object')}")
    if a == b:
        raise ArgumentError(f"{a!r} is the name of both objects; give the names of two different objects.")


def _why_unchecked(report: Report, a: str, b: str) -> str:
    """Return why a pair was not checked at any time; "" if it was checked, or if that is unknown."""
    from keepclear.report.words import REASONS

    entries = [entry for entry in report.unchecked if {entry.a, entry.b} == {a, b}]
    if _is_covered(entries, report.t0, report.t1):
        reasons = [
            ", ".join(filter(None, [REASONS.get(entry.reason, entry.reason), entry.detail]))
            for entry in entries
        ]
        return "; ".join(dict.fromkeys(reasons))
    if any(a in names and b in names for names in report.at_rest):
        return NEVER_MOVING
    is_whole = report.far is None and report.sampling is None
    return "all pairs that were checked are listed" if is_whole else ""


def _by_pair(unchecked: Iterable[Unchecked]) -> dict[tuple[str, str], list[Unchecked]]:
    found: dict[tuple[str, str], list[Unchecked]] = {}
    for entry in unchecked:
        key = (entry.a, entry.b) if entry.a <= entry.b else (entry.b, entry.a)
        found.setdefault(key, []).append(entry)
    return found


def _is_covered(entries: Sequence[Unchecked], t0: float, t1: float) -> bool:
    """Return whether a pair is unchecked from t0 to t1; windows whose ends are neighbouring float64 count as one."""
    windows = sorted(
        (-math.inf if entry.t_from is None else entry.t_from, math.inf if entry.t_to is None else entry.t_to)
        for entry in entries
    )
    reach = math.nextafter(t0, -math.inf)
    for start, stop in windows:
        if start > math.nextafter(reach, math.inf):
            break
        reach = max(reach, stop)
    return reach >= t1
