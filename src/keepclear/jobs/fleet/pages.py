"""Pages of a fleet: the overview of its programs, and pages of single programs made on request."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from decimal import ROUND_CEILING, ROUND_FLOOR
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from keepclear.errors import ReportError
from keepclear.jobs.cell.building import KnownRobots
from keepclear.jobs.cell.cell import Cell
from keepclear.jobs.cell.verify import verify
from keepclear.jobs.fleet.changes import counted_once
from keepclear.jobs.fleet.results import Least, ProgramResult
from keepclear.jobs.fleet.run import sources_of
from keepclear.report.pages.page import built_page, icon_of
from keepclear.report.report import Report
from keepclear.report.words import (
    counted,
    event_of,
    length,
    measured,
    reach,
    reached,
    shown_verdict,
    verdict_text,
)

if TYPE_CHECKING:
    from keepclear.jobs.fleet.baseline import Comparison
    from keepclear.jobs.fleet.fleet_report import FleetReport

_KINDS = {
    "COLLIDING": "colliding",
    "TOO CLOSE": "too close",
    "UNDECIDED": "undecided",
    "CLEAR": "proved clear",
    "": "without a report",
    "NOT RUN": "not run",
}
_NO_REPORT = ""


def overview_text(report: FleetReport, pages: Mapping[str, str]) -> str:
    """Return the overview; names in it are escaped and cannot become markup, a script or a request.

    Args:
        report: The results.
        pages: Paths of the pages of programs by program name, relative to the overview.
    """
    verdict, sentence = report.verdict.value, _sentence(report)
    payload = _payload(report, pages) | {"sentence": sentence}
    words = [f"{row['shown'] or 'NO REPORT'} {row['name']}: {row['text']}" for row in payload["rows"]]
    return built_page(
        "fleet",
        title=f"{payload['shown']} - {report.title}",
        heading=payload["shown"],
        sentence=sentence,
        words="\n".join(words),
        payload=payload,
        icon=icon_of(verdict),
        verdict=verdict,
    )


def page_names(report: FleetReport) -> dict[str, str]:
    """Return the file names for the pages of programs that have a report, by program name.

    The names are the same in every run and different for different programs.
    """
    return {one.name: _file_name(one.name) for one in report.results if one.report is not None}


def _file_name(name: str) -> str:
    plain = re.sub(r"[^A-Za-z0-9_.-]+", "-", name).strip("-.")[-60:]
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{plain}-{digest}.html"


def _sentence(report: FleetReport) -> str:
    counts = dict.fromkeys(_KINDS, 0)
    for one in report.results:
        counts["NOT RUN" if one.not_run else _shown(one)] += 1
    parts = [f"{n} {_KINDS[kind]}" for kind, n in counts.items() if n]
    return f"{counted(len(report.results), 'program')}: {', '.join(parts) or 'nothing was verified'}"


def _payload(report: FleetReport, pages: Mapping[str, str]) -> dict[str, Any]:
    changed: dict[str, list[str]] = {}
    known = {one.key: one.name for one in report.results}
    for change in counted_once(report.changes):
        name = known.get(change.key)
        if name is not None:
            changed.setdefault(name, []).append(change.text)
    rows = [_row(one, changed.get(one.name, []), pages.get(one.name)) for one in report.results]
    is_only_close = report.verdict.value == "COLLIDING" and all(row["shown"] != "COLLIDING" for row in rows)
    return {
        "title": report.title, "verdict": report.verdict.value,
        "shown": "TOO CLOSE" if is_only_close else report.verdict.value,
        "baseline": None if report.comparison is None else _baseline(report.comparison), "rows": rows,
    }  # fmt: skip


def _baseline(compared: Comparison) -> dict[str, Any]:
    """Return what changed: a line for each cause, and its changes if there are several."""
    causes = []
    for cause in compared.causes:
        changes = counted_once(cause.changes)
        causes.append(
            {"text": cause.text, "changes": [str(one) for one in changes] if len(changes) > 1 else []}
        )
    return {
        "name": compared.baseline, "limit": length(compared.limit), "changes": len(counted_once(compared.changes)),
        "causes": causes,
    }  # fmt: skip


def _row(one: ProgramResult, changes: list[str], page: str | None) -> dict[str, Any]:
    least = one.least
    pair = f"{least.a} - {least.b}" if least is not None and least.a else ""
    text = one.failure if one.report is None else verdict_text(one.report, briefly=True)
    return {
        "name": one.name, "cell": one.cell, "program": one.program, "variant": one.variant, "verdict": _verdict(one),
        "shown": _shown(one), "text": text, "least": None if least is None else max(least.lower, 0.0),
        "least_text": _least_text(one, least), "pair": pair,
        "warnings": 0 if one.report is None else len(one.report.warnings), "computed": one.computed,
        "stored": one.stored, "seconds": one.seconds, "changes": changes,
        "page": None if page is None else quote(page.encode("utf-8", "surrogateescape"), safe="/"),
    }  # fmt: skip


def _verdict(one: ProgramResult) -> str:
    return _NO_REPORT if one.report is None else one.verdict.value


def _shown(one: ProgramResult) -> str:
    """Return the verdict as people read it; "" without a report."""
    return _NO_REPORT if one.report is None else shown_verdict(one.report)


def _least_text(one: ProgramResult, least: Least | None) -> str:
    """Return the minimum clearance in words, never more than is proved."""
    if one.report is not None and one.verdict.value == "COLLIDING":
        pairs = one.report.records.having(one.verdict)
        if not len(pairs) or any(event_of(pair, one.report.tolerance) == "contact" for pair in pairs):
            return "contact"
        return reached(0.0, min(min(reach(pair), pair.margin) for pair in pairs))
    if least is None or (least.upper is None and least.lower <= 0.0):
        return "unknown"
    if least.lower > 0.0:
        if least.upper is None:
            return f"more than {length(least.lower, ROUND_FLOOR)}"
        return measured(least.lower, least.upper)
    return f"at most {length(max(least.upper or 0.0, 0.0), ROUND_CEILING)}"


CURVE_INSTANTS = 120


class ProgramPages:
    """Pages of the programs of cells.

    A result has no shapes, so each page reads its cell and verifies its program once more.

    Args:
        cells: The cells, as `verify_programs` takes them.
    """

    def __init__(self, cells: Iterable[Any]) -> None:
        self._sources = {(source.cell, source.variant): source for source in sources_of(cells)}
        self._robots = KnownRobots()
        self._last: tuple[tuple[str, str], Cell] | None = None

    def report(self, result: ProgramResult) -> Report:
        """Return the report of a program with the scene and the curves that its page shows.

        Raises:
            ReportError: The result has no report, or its cell is not one of these.
            CellError: The cell file was changed and now has errors.
            UnknownNameError: The cell file was changed and no longer has the program.
        """
        before = result.report
        if before is None:
            raise ReportError(f"{result.name} has no report: {result.failure}")
        report = verify(
            self._cell(result), program=result.program or None, t0=before.t0, t1=before.t1,
            tolerance=before.tolerance, contacts="all", curves=CURVE_INSTANTS, scene=True,
        )  # fmt: skip
        if report.verdict is before.verdict:
            return report
        text = f"the overview says {before.verdict.value}; files of this cell have changed since then"
        return replace(report, warnings=(text, *report.warnings))

    def _cell(self, result: ProgramResult) -> Cell:
        """Return the cell of a result; the last cell is cached, because programs of one cell follow each other."""
        key = result.cell, result.variant
        if self._last is None or self._last[0] != key:
            if key not in self._sources:
                raise ReportError(f"{result.name}: its cell is not among those given.")
            self._last = key, self._sources[key].read(self._robots)
        return self._last[1]
