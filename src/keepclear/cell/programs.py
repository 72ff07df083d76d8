"""Several programs against one cell: their reports as one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from keepclear.report.report import PairReport, Report
from keepclear.results import Verdict
from keepclear.world.assumptions import in_order

__all__ = ["merged"]

T = TypeVar("T")
_WORST_FIRST = (Verdict.COLLIDING, Verdict.UNDECIDED, Verdict.CLEAR)


def merged(reports: Sequence[Report], title: str) -> Report:
    """Return the reports of several programs as one.

    Its verdict is the worst of theirs, its pairs are those of all, and what they assume is there once.
    """
    verdict = min((report.verdict for report in reports), key=_WORST_FIRST.index)
    pairs = [pair for report in reports for pair in report.pairs]
    return Report(
        verdict=verdict,
        t0=min(report.t0 for report in reports),
        t1=max(report.t1 for report in reports),
        tolerance=max(report.tolerance for report in reports),
        pairs=tuple(sorted(pairs, key=_order)),
        unchecked=_once(pair for report in reports for pair in report.unchecked),
        assumptions=_once(one for report in reports for one in report.assumptions),
        warnings=in_order(text for report in reports for text in report.warnings),
        title=title,
        programs=tuple(reports),
        interrupted=any(report.interrupted for report in reports),
        statistics=_sums([report.statistics for report in reports]),
    )


def _order(pair: PairReport) -> tuple[int, float, str, str, str]:
    """Return a key that puts contacts first by time, then undecided pairs, then clear ones by clearance."""
    rank = _WORST_FIRST.index(pair.verdict)
    close = pair.clearance_lower if pair.clearance_upper is None else pair.clearance_upper
    return rank, close if pair.time is None else pair.time, pair.program, pair.a, pair.b


def _once(things: Iterable[T]) -> tuple[T, ...]:
    """Return things without those that are there already, in order."""
    result: list[T] = []
    for thing in things:
        if thing not in result:
            result.append(thing)
    return tuple(result)


def _sums(counts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return counts by name, added up; what is no count is left out."""
    total: dict[str, Any] = {}
    for one in counts:
        for name, value in one.items():
            if isinstance(value, Mapping):
                total[name] = _sums([total.get(name, {}), value])
            elif isinstance(value, int | float) and not isinstance(value, bool):
                total[name] = total.get(name, 0) + value
    return total
