"""Several programs against one cell: their reports as one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from keepclear.report.cross_check import CrossCheck
from keepclear.report.records import VERDICTS, PairRecords
from keepclear.report.report import FarPairs, Report
from keepclear.world.assumptions import in_order

__all__ = ["merged"]

T = TypeVar("T")


def merged(reports: Sequence[Report], title: str) -> Report:
    """Return the reports of several programs as one.

    Its verdict is the worst of theirs, its pairs are those of all, and each assumption occurs once. Far pairs are
    counted; the report of each program has its far pairs and groups at rest.
    """
    verdict = min((report.verdict for report in reports), key=VERDICTS.index)
    return Report(
        verdict=verdict,
        t0=min(report.t0 for report in reports),
        t1=max(report.t1 for report in reports),
        tolerance=max(report.tolerance for report in reports),
        pairs=PairRecords.joined(report.records for report in reports).sorted(),
        far=_all_far([report.far for report in reports if report.far is not None]),
        objects=_once(name for report in reports for name in report.objects),
        unchecked=_once(pair for report in reports for pair in report.unchecked),
        assumptions=_once(one for report in reports for one in report.assumptions),
        warnings=in_order(text for report in reports for text in report.warnings),
        title=title,
        programs=tuple(reports),
        interrupted=any(report.interrupted for report in reports),
        cross_check=_all_repeated(
            [report.cross_check for report in reports if report.cross_check is not None]
        ),
        statistics=_sums([report.statistics for report in reports]),
    )


def _all_far(parts: Sequence[FarPairs]) -> FarPairs | None:
    """Return the far pairs of several programs: how many, and what holds for all of them."""
    if not parts:
        return None
    rule = "The far pairs of all programs; each program says which ones they are."
    return FarPairs(count=sum(far.count for far in parts), bound=min(far.bound for far in parts), rule=rule)


def _all_repeated(parts: Sequence[CrossCheck]) -> CrossCheck | None:
    """Return the cross-check of several programs; None if no findings were repeated."""
    if not parts:
        return None
    return CrossCheck(
        n_confirmed=sum(part.n_confirmed for part in parts),
        unconfirmed=_once(names for part in parts for names in part.unconfirmed),
        disagreements=tuple(one for part in parts for one in part.disagreements),
    )


def _once(things: Iterable[T]) -> tuple[T, ...]:
    """Return values without repetitions, in order."""
    return tuple(dict.fromkeys(things))


def _sums(counts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the sums of counts by name; other values are ignored."""
    total: dict[str, Any] = {}
    for one in counts:
        for name, value in one.items():
            if isinstance(value, Mapping):
                total[name] = _sums([total.get(name, {}), value])
            elif isinstance(value, int | float) and not isinstance(value, bool):
                total[name] = total.get(name, 0) + value
    return total
