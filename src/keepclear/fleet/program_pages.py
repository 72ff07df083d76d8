"""Pages of single programs of a fleet, with the moving cell and distances over time, created on request."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from keepclear.cell.cell import Cell
from keepclear.cell.known_robots import KnownRobots
from keepclear.cell.verify import verify
from keepclear.errors import ReportError
from keepclear.fleet.results import ProgramResult
from keepclear.fleet.run import sources_of
from keepclear.report.report import Report

__all__ = ["ProgramPages"]

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
