"""Hints of a report with the rows of the motion files of its cell."""

from __future__ import annotations

import os
from dataclasses import replace

from keepclear.cell.cell import Cell
from keepclear.cell.locations import CellLines
from keepclear.report.hint import Hint, Waypoints, fix_text
from keepclear.report.report import Report

__all__ = ["with_rows"]


def with_rows(report: Report, cell: Cell) -> Report:
    """Return a report of a cell, or of one of its programs, whose hints name the rows of waypoints."""
    records = report.records
    if not records.hints:
        return report
    lines = CellLines(os.fspath(cell.path))
    hints = {row: _hint(hint, lines, report.program) for row, hint in records.hints.items()}
    return replace(report, pairs=replace(records, hints=hints))


def _hint(hint: Hint, lines: CellLines, program: str) -> Hint:
    around, near = (_waypoints(found, lines, program) for found in (hint.around, hint.near))
    text = "" if hint.shift_W is None else fix_text(hint.moves, hint.shift_W, hint.time, near)
    return replace(hint, around=around, near=near, text=text)


def _waypoints(found: Waypoints | None, lines: CellLines, program: str) -> Waypoints | None:
    rows = None if found is None else lines.rows(found.of, program, found.t_first, found.t_last)
    if found is None:
        return None
    if rows is None:
        return replace(found, file=lines.file(found.of, program))
    return replace(found, file=rows[0], row_first=rows[1], row_last=rows[2])
