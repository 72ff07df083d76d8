"""Results of single programs of a fleet, and their exit codes."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from keepclear.report.report import Report
from keepclear.results import Verdict

__all__ = ["FAILED", "NOT_RUN", "UNREAD", "Least", "ProgramResult", "exit_code_of"]

FAILED = 4
"""The exit code of a program whose job failed."""
NOT_RUN = 130
"""The exit code of a program that was not run, because the run was stopped before."""
UNREAD = " (before its cell was read, so its programs are unknown)"
"""The end of the failure of a cell that was not read."""
_ORDER = (1, NOT_RUN, FAILED, 2, 3)
"""Exit codes of single programs by descending priority; 0 (clear) comes after all of them."""


class Least(NamedTuple):
    """The minimum clearance among the pairs of a program.

    Attributes:
        lower: No pair comes closer than this [m]; negative where two bodies overlap.
        upper: The closest pair comes at least as close as this [m]; None if only the lower bound is known.
        a: The first of the closest pair, or of the pair with the smallest bound; "" if that pair is not listed.
        b: The second.
    """

    lower: float
    upper: float | None
    a: str
    b: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramResult:
    """The result of one program of a fleet.

    Attributes:
        cell: The path of the cell file as given by the user.
        program: The name of the program; "" if the cell has no programs.
        variant: The variant of the cell, such as "table.position.z=0.02"; "" for none.
        report: The report; None if the cell has errors or the job failed.
        computed: How many pairs were proved in this run.
        stored: How many pairs were taken entirely from the store of earlier runs.
        seconds: Process time of its jobs [s]; 0 if all results were stored.
        failure: Why there is no report; "" if there is one.
        failure_code: The exit code without a report: 2 bad input, 3 a time limit, 4 a job that failed, 130 not run.
    """

    cell: str
    program: str
    variant: str = ""
    report: Report | None
    computed: int = 0
    stored: int = 0
    seconds: float = 0.0
    failure: str = ""
    failure_code: int = FAILED

    @property
    def name(self) -> str:
        """Cell, program and variant in one line, unique within a fleet."""
        parts = [self.cell, self.program, f"[{self.variant}]" if self.variant else ""]
        return " ".join(part for part in parts if part)

    @property
    def not_run(self) -> bool:
        """Whether nothing is known because the run was stopped before this program was verified."""
        return self.report is None and self.failure_code == NOT_RUN

    @property
    def verdict(self) -> Verdict:
        """The verdict; UNDECIDED without a report."""
        return Verdict.UNDECIDED if self.report is None else self.report.verdict

    @property
    def least(self) -> Least | None:
        """The minimum clearance; None if there is no report, or no bound in it."""
        if self.report is None:
            return None
        records, far = self.report.records, self.report.far
        bounds = [*records.clearance_lower.tolist(), *([far.bound] if far is not None and far.count else [])]
        lower = min(bounds, default=math.nan)
        if not math.isfinite(lower):
            return None
        row = records.least_row(records.clearance_lower, ~np.isnan(records.clearance_upper))
        if row is not None:
            pair = records[row]
            return Least(lower, pair.clearance_upper, pair.a, pair.b)
        row = records.least_row(records.clearance_lower, records.clearance_lower == lower)
        return (
            Least(lower, None, "", "") if row is None else Least(lower, None, records[row].a, records[row].b)
        )

    def exit_code(self, *, strict: bool = False) -> int:
        """Return the exit code of this program; with `strict`, warnings count as bad input, as for `verify`."""
        if self.report is None:
            return self.failure_code
        code = self.report.exit_code
        return 2 if strict and self.report.warnings and code not in (1, FAILED) else code


def exit_code_of(codes: Iterable[int]) -> int:
    """Return the common exit code of many programs: the first of 1, 130, 4, 2 and 3 that occurs, else 0.

    Examples:
        >>> exit_code_of([0, 3, 2, 0])
        2
    """
    found = set(codes)
    return next((code for code in _ORDER if code in found), 0)
