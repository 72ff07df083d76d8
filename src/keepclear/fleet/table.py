"""Results of fleets as CSV: a row for each program, with texts that spreadsheets do not run as formulas."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import Any

from keepclear.fleet.changes import Change
from keepclear.fleet.results import ProgramResult

__all__ = ["COLUMNS", "csv_text"]

COLUMNS = (
    "cell", "program", "variant", "verdict", "first_contact_s", "a", "b", "clearance_lower_m", "clearance_upper_m",
    "closest_a", "closest_b", "pairs_checked", "warnings", "computed", "stored", "seconds", "changes", "failure",
)  # fmt: skip
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def csv_text(results: Iterable[ProgramResult], changes: Iterable[Change] = ()) -> str:
    """Return a table with a header and a row for each program.

    A text that begins with '=', '+', '-' or '@' is prefixed by an apostrophe: spreadsheets would run it as a formula.
    """
    by: dict[tuple[str, str, str], list[str]] = {}
    for change in changes:
        by.setdefault((change.cell, change.program, change.variant), []).append(change.text)
    file = io.StringIO(newline="")
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    for one in results:
        changed = "; ".join(by.get((one.cell, one.program, one.variant), ()))
        writer.writerow([_cell(value) for value in _row(one, changed)])
    return file.getvalue().encode("utf-8", "replace").decode("utf-8")


def _row(one: ProgramResult, changed: str) -> list[Any]:
    report, least = one.report, one.least
    first = None if report is None else report.first
    return [
        one.cell, one.program, one.variant, "" if report is None else one.verdict.value,
        None if first is None else first.time, "" if first is None else first.a, "" if first is None else first.b,
        None if least is None else least.lower, None if least is None else least.upper,
        "" if least is None else least.a, "" if least is None else least.b,
        None if report is None else report.n_checked, None if report is None else len(report.warnings),
        one.computed, one.stored, f"{one.seconds:.6f}", changed, one.failure,
    ]  # fmt: skip


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str) and not _is_number(value):
        return f"'{value}" if value.lstrip(" ").startswith(_FORMULA) else value
    return repr(value) if isinstance(value, float) else str(value)


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdigit() and text.isascii()
