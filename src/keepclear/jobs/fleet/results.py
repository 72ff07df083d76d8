"""Results of single programs of a fleet: exit codes, and JSON with or without computing effort."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from keepclear.checks import shown
from keepclear.errors import FileMissingError, ReportError
from keepclear.files.access import MAX_TEXT_SIZE, parse_json, read_regular_file
from keepclear.report.json_file import report_dict, report_of
from keepclear.report.report import Report
from keepclear.results import Verdict

__all__ = [
    "FAILED",
    "FORMAT",
    "NOT_RUN",
    "UNREAD",
    "Least",
    "ProgramResult",
    "effort_dict",
    "exit_code_of",
    "program_dict",
    "read_json_results",
    "results_of_report",
]


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
    def key(self) -> tuple[str, str, str]:
        """Cell, program and variant, unique within a fleet."""
        return self.cell, self.program, self.variant

    @property
    def name(self) -> str:
        """Cell, program and variant in one line."""
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


FORMAT = "keepclear-fleet/1"
_TEXTS = ("cell", "program", "variant", "failure")
_CODES = (2, 3, 4, NOT_RUN)


def program_dict(result: ProgramResult) -> dict[str, Any]:
    """Return the findings about one program."""
    least = result.least
    return {
        "cell": result.cell,
        "program": result.program,
        "variant": result.variant,
        "verdict": result.verdict.value,
        "clearance_lower": None if least is None else least.lower,
        "clearance_upper": None if least is None else least.upper,
        "closest": None if least is None or not least.a else [least.a, least.b],
        "failure": result.failure,
        "failure_code": result.failure_code if result.report is None else None,
        "report": None if result.report is None else report_dict(result.report, effort=False),
    }


def effort_dict(results: Iterable[ProgramResult]) -> list[dict[str, Any]]:
    """Return the computing effort of each program, in the order of the programs."""
    return [{"computed": r.computed, "stored": r.stored, "seconds": r.seconds} for r in results]


def read_json_results(path: str | os.PathLike[str]) -> tuple[str, list[ProgramResult], bool]:
    """Return the title, the results of all programs in a JSON file, and whether it is the report of a single cell.

    Results from the report of a single cell have the cell "", because the file does not contain its path.

    Raises:
        FileMissingError: There is no such file.
        ReportError: The file is neither a fleet's results nor a report, is damaged, or has a newer version.
    """
    file = Path(path)
    label = f"{file.name!r}"
    try:
        content = parse_json(read_regular_file(file, MAX_TEXT_SIZE).decode("utf-8-sig"))
    except FileNotFoundError as cause:
        raise FileMissingError(f"there is no file {str(file)!r}; check the path.") from cause
    except OSError as cause:
        raise ReportError(f"{label} cannot be read: {cause.strerror or cause}.") from cause
    except (ValueError, RecursionError) as cause:
        raise ReportError(
            f"{label} is neither a store nor JSON ({cause}); give what --store or --json wrote."
        ) from cause
    found = content.get("format") if isinstance(content, dict) else None
    if isinstance(found, str) and found.partition("/")[0] == FORMAT.partition("/")[0]:
        if found != FORMAT:
            raise ReportError(f"{label} has the format {found!r}, and this version reads {FORMAT!r}.")
        title = content.get("title", "")
        return title if isinstance(title, str) else "", _results(content, label), False
    report = report_of(content, label)
    return report.title, results_of_report("", report), True


def results_of_report(cell: str, report: Report, **effort: Any) -> list[ProgramResult]:
    """Return the report of a cell as results of its programs."""
    return [
        ProgramResult(cell=cell, program=one.program, report=one, **effort)
        for one in report.programs or (report,)
    ]


def _results(content: dict[str, Any], label: str) -> list[ProgramResult]:
    entries = content.get("programs")
    if not isinstance(entries, list):
        raise ReportError(f"{label} has no list 'programs'; it is damaged.")
    efforts = _efforts(content.get("effort"), len(entries), label)
    found = [
        _result(entry, effort, f"{label}: programs[{k}]")
        for k, (entry, effort) in enumerate(zip(entries, efforts, strict=True))
    ]
    names = [one.key for one in found]
    if len(set(names)) != len(names):
        raise ReportError(f"{label} lists a program twice; it is damaged.")
    return found


def _result(entry: Any, effort: dict[str, Any], label: str) -> ProgramResult:
    if not isinstance(entry, dict) or not all(isinstance(entry.get(name), str) for name in _TEXTS):
        raise ReportError(f"{label} must have the texts {', '.join(_TEXTS)}, but it is {shown(entry)}.")
    texts: dict[str, Any] = {name: entry[name] for name in _TEXTS}
    report = None if entry.get("report") is None else report_of(entry["report"], f"{label}.report")
    verdict = (Verdict.UNDECIDED if report is None else report.verdict).value
    if entry.get("verdict") != verdict or (report is None) != bool(entry["failure"]):
        raise ReportError(
            f"{label}: its verdict or its failure contradicts its report; write the file again."
        )
    if report is None:
        code = entry.get("failure_code")
        if isinstance(code, bool) or not isinstance(code, int) or code not in _CODES:
            raise ReportError(
                f"{label}: its failure_code must be one of 2, 3, 4 and 130, but it is {shown(code)}."
            )
        return ProgramResult(report=None, failure_code=code, **texts, **effort)
    return ProgramResult(report=report, **texts, **effort)


def _efforts(content: Any, n: int, label: str) -> Sequence[dict[str, Any]]:
    if content is None:
        return [{}] * n
    is_right = isinstance(content, list) and len(content) == n
    kinds: dict[str, Any] = {"computed": int, "stored": int, "seconds": (int, float)}
    for entry in content if is_right else ():
        is_right &= isinstance(entry, dict) and all(
            isinstance(entry.get(name), kind) and not isinstance(entry[name], bool) and entry[name] >= 0
            for name, kind in kinds.items()
        )
    if not is_right:
        raise ReportError(f"{label}: effort must have counts and seconds for each of {n} programs.")
    return [{name: entry[name] for name in kinds} for entry in content]
