"""A report from JSON, made again from its cell, and what differs."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from keepclear.checks import shown
from keepclear.errors import FileMissingError, ReportError, UnknownNameError
from keepclear.jobs.cell.cell import read_cell
from keepclear.jobs.cell.verify import SETTINGS, verify
from keepclear.report.differences import finding_differences, input_differences, origin_differences
from keepclear.report.json_file import read_report
from keepclear.report.parts import Evidence
from keepclear.report.report import Report
from keepclear.results import Verdict

_MOST = 1e300  # numbers from here on are no settings, and integers may be too large for a float


@dataclass(frozen=True, slots=True, kw_only=True)
class Reproduction:
    """A report and the one that was made again.

    Attributes:
        before: The report as read.
        now: The report as made again.
        inputs: Differences of input files, one line each.
        findings: Differences of findings.
        origin: Differences of version and platform; they are no difference of the result.
    """

    before: Report
    now: Report
    inputs: tuple[str, ...]
    findings: tuple[str, ...]
    origin: tuple[str, ...]

    @property
    def is_equal(self) -> bool:
        """Whether inputs and findings are the same."""
        return not self.inputs and not self.findings

    @property
    def collides_anew(self) -> bool:
        """Whether a pair collides now that the report does not list as colliding."""
        before, now = (
            {
                (pair.program, *sorted((pair.a, pair.b)))
                for pair in report.pairs
                if pair.verdict is Verdict.COLLIDING
            }
            for report in (self.before, self.now)
        )
        return not now <= before


def reproduce(
    path: str | os.PathLike[str],
    cell: str | os.PathLike[str] | None = None,
    progress: Callable[[int, int, str], None] | None = None,
) -> Reproduction:
    """Return a report in a JSON file and the one that its cell gives now, with the differences.

    Only the cell is opened that the report names, relative to the folder of the report, and the files that this cell
    names. Nothing in the report is run, and its list of files is only compared.

    Args:
        path: The report.
        cell: The cell file, if it is somewhere else now.
        progress: Called as progress(done, total, text).

    Raises:
        ReportError: The file is not a report, or has no evidence, or its evidence is invalid.
        FileMissingError: There is no such report or cell.
        CellError: The cell has errors.
    """
    before = read_report(path)
    label = f"report {Path(path).name!r}"
    if before.evidence is None:
        raise ReportError(
            f"{label} has no evidence of what it was made of; write it again with `keepclear verify CELL --json FILE`."
        )
    settings = _settings(before.evidence, label)
    file = Path(path).parent / _relative(before.evidence.cell, label) if cell is None else Path(cell)
    if not os.path.isfile(file):  # noqa: PTH113 - a name may be too long to be a path
        hint = "give its path with --cell" if cell is None else "check the path"
        raise FileMissingError(
            f"{label} is about the cell {shown(os.fspath(file))}, which does not exist; {hint}."
        )
    now = verify(read_cell(file), progress=progress, evidence=True, **settings)
    with contextlib.suppress(UnknownNameError):  # the cell has changed
        now = now.pinned(*before.pins)
    assert now.evidence is not None
    return Reproduction(
        before=before,
        now=now,
        inputs=tuple(input_differences(before.evidence.inputs, now.evidence.inputs)),
        findings=tuple(finding_differences(before, now)),
        origin=tuple(origin_differences(before.evidence, now.evidence)),
    )


def _relative(text: str, label: str) -> Path:
    """Return the path of the cell, which must be relative."""
    is_relative = not PurePosixPath(text).is_absolute() and not PureWindowsPath(text).anchor
    if not text or not is_relative or not text.isprintable():
        raise ReportError(
            f"{label}: evidence.cell must be a path relative to the report, but it is {shown(text)}; give --cell."
        )
    return Path(text)


def _settings(evidence: Evidence, label: str) -> dict[str, Any]:
    """Return the options for `verify`, of known names and types; `verify` checks their values."""
    found = {}
    for name, value in evidence.settings.items():
        if name not in SETTINGS:
            raise ReportError(
                f"{label}: evidence.settings has {shown(name)}, which this version does not know; update keepclear."
            )
        is_right = isinstance(value, SETTINGS[name]) and (
            bool in SETTINGS[name] or not isinstance(value, bool)
        )
        if value is not None and not (is_right and (isinstance(value, str) or abs(value) < _MOST)):
            raise ReportError(f"{label}: evidence.settings.{name} is invalid: {shown(value)}.")
        if value is not None:
            found[name] = value
    return found
