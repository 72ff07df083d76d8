"""The results of a fleet and their output formats: JSON, CSV, JUnit, SARIF, and an overview page."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from keepclear.errors import ReportError, UnknownNameError
from keepclear.jobs.fleet.baseline import Comparison
from keepclear.jobs.fleet.changes import Change
from keepclear.jobs.fleet.findings import (
    Finding,
    by_cause,
    findings_of,
    github_lines,
    not_run_text,
    sarif_text,
)
from keepclear.jobs.fleet.results import (
    FORMAT,
    NOT_RUN,
    ProgramResult,
    effort_dict,
    exit_code_of,
    program_dict,
    read_json_results,
)
from keepclear.names import known_names, listed
from keepclear.report.json_file import json_text, written
from keepclear.report.junit import Case, build_suite, junit_document, suite_of
from keepclear.report.report import Report
from keepclear.results import Verdict

__all__ = ["COLUMNS", "FleetReport", "csv_text"]


CONTACT = 1
_FAILURES = {2: "bad input", 3: "time limit", 4: "failed job", NOT_RUN: "not run"}
Location = str | os.PathLike[str]


class FleetReport:
    """The results of many programs.

    Args:
        results: The results in any order; they are sorted by name.
        title: The title of the outputs.
        comparison: The changes since a baseline; None if nothing was compared.

    Examples:
        >>> report = FleetReport([ProgramResult(cell="a.yaml", program="", report=None, failure="a.yaml:1:1: no")])
        >>> report.exit_code(), report.verdict.name
        (4, 'UNDECIDED')
    """

    def __init__(
        self, results: Iterable[ProgramResult], title: str = "", comparison: Comparison | None = None
    ) -> None:
        self.results = tuple(sorted(results, key=lambda one: one.name))
        self.title = title or "keepclear"
        self.comparison = comparison

    def __repr__(self) -> str:
        return f"FleetReport({self.verdict.value}, {len(self.results)} programs)"

    @property
    def verdict(self) -> Verdict:
        """COLLIDING if any program collides, else UNDECIDED if any is undecided or has no report, else CLEAR."""
        found = {one.verdict for one in self.results}
        order = (Verdict.COLLIDING, Verdict.UNDECIDED)
        nothing = Verdict.CLEAR if found else Verdict.UNDECIDED
        return next((verdict for verdict in order if verdict in found), nothing)

    @property
    def n_not_run(self) -> int:
        """How many programs were not run, because the run was stopped."""
        return sum(one.not_run for one in self.results)

    @property
    def changes(self) -> tuple[Change, ...]:
        """The changes since the baseline; empty without one."""
        return () if self.comparison is None else self.comparison.changes

    def exit_code(self, *, strict: bool = False) -> int:
        """Return the first of 1, 130, 4, 2 and 3 that occurs, else 0; 1 also for a clearance that fell too far."""
        codes = [one.exit_code(strict=strict) for one in self.results] or [3]  # nothing is not clear
        fallen = self.comparison is not None and self.comparison.fallen
        return exit_code_of([*codes, *([CONTACT] if fallen else [])])

    def program(self, name: str) -> Report:
        """Return the report of a program, given its full name, or its program name if that is unique.

        Raises:
            UnknownNameError: There is no such program, or several have the name.
            ReportError: The program has no report.
        """
        found = [one for one in self.results if one.name == name] or [
            one for one in self.results if name in (one.program, one.cell)
        ]
        if len(found) != 1:
            known = [one.name for one in found or self.results]
            several = f"{len(found)} programs are called {name!r}; give the full name of one: "
            raise UnknownNameError(
                f"{several}{listed(known, 'or')}." if found
                else f"the fleet has no program {name!r}{known_names(name, known, 'program')}"
            )  # fmt: skip
        if found[0].report is None:
            raise ReportError(f"{found[0].name} has no report: {found[0].failure}")
        return found[0].report

    def findings(self) -> list[Finding]:
        """Return the findings for a reviewer, each at the line of the cell or motion file that causes it."""
        return findings_of(self.results, self.changes)

    def to_json(self, path: Location | None = None, *, effort: bool = False) -> str:
        """Return all results as JSON, and write it to a file if a path is given.

        Args:
            path: Where to write it.
            effort: Whether to add the computing effort of each program: pairs proved, pairs taken from the store, and
                seconds. Without it, two runs with the same findings give the same bytes.
        """
        content: dict[str, Any] = {
            "format": FORMAT,
            "title": self.title,
            "verdict": self.verdict.value,
            "not_run": self.n_not_run,
            "programs": [program_dict(one) for one in self.results],
        }
        if self.comparison is not None:
            content["baseline"] = self.comparison.to_dict()
        if effort:
            content["effort"] = effort_dict(self.results)
        return written(json_text(content) + "\n", path)

    @classmethod
    def from_json(cls, path: Location) -> FleetReport:
        """Return the results in a JSON file that `to_json` wrote, without the changes since a baseline.

        Raises:
            FileMissingError: There is no such file.
            ReportError: The file is damaged, or was not written by `to_json`.
        """
        title, results, _ = read_json_results(path)
        return cls(results, title)

    def to_csv(self, path: Location | None = None) -> str:
        """Return a table with a row for each program, and write it to a file if a path is given."""
        return written(csv_text(self.results, self.changes), path)

    def to_junit(self, path: Location | None = None) -> str:
        """Return all results as JUnit XML, with the times and the cell files of programs.

        A program is a suite, a pair a test case, as in `Report.to_junit`. A program without a report is an error, also
        one that was not run. The
        clearances that fell since a baseline are failures in a separate suite.
        """
        suites = []
        for one in self.results:
            if one.report is None:
                failed = Case("verify", "error", _FAILURES[one.failure_code], one.failure, file=one.cell)
                suites.append(build_suite(one.name, [failed], file=one.cell, seconds=one.seconds))
            else:
                suites.append(suite_of(one.report, one.name, file=one.cell, seconds=one.seconds))
        if self.comparison is not None and self.comparison.fallen:
            cases = [
                Case(f"{change.a} - {change.b}", "failure", "clearance fell", str(change), file=change.cell)
                for change in self.comparison.fallen
            ]
            suites.append(build_suite(f"since {self.comparison.baseline}", cases))
        return written(junit_document(self.title, suites), path)

    def to_sarif(self, path: Location | None = None) -> str:
        """Return the findings as SARIF 2.1.0 for code review, and write it to a file if a path is given.

        Its `invocations` report an unsuccessful run if a program has no report.
        """
        failures = [one.failure for one in self.results if one.report is None and not one.not_run]
        stopped = not_run_text(self.results)
        return written(sarif_text(self.findings(), [*([stopped] if stopped else []), *failures]), path)

    def annotations(self) -> Iterator[str]:
        """Yield the findings as workflow commands of GitHub, by their causes: GitHub shows ten errors of a step."""
        yield from github_lines(by_cause(self.findings(), self.results))

    def to_html(self, path: Location | None = None, *, pages: Mapping[str, str] | None = None) -> str:
        """Return the overview as one self-contained web page, and write it to a file if a path is given.

        Args:
            path: Where to write it.
            pages: Addresses of the pages of single programs, by program name.
        """
        from keepclear.jobs.fleet.pages import overview_text

        return written(overview_text(self, pages or {}), path)

    def write_pages(self, folder: Location, cells: Iterable[Any] | None = None) -> dict[str, Path]:
        """Write a page for each program that has a report, and return the paths of the pages by program name.

        Args:
            folder: The folder for the pages; it is created. A page takes about 0.8 MB, and more with meshes.
            cells: The cells, as `verify_programs` takes them: pages then show the moving cell and distances over time.
                This verifies each program once more. With None, pages have the findings only.

        Raises:
            ReportError: The folder cannot be created or written to, or a result belongs to none of the cells.
            CellError: A cell file was changed and now has errors.
        """
        from keepclear.jobs.fleet.pages import ProgramPages, page_names

        try:
            Path(folder).mkdir(parents=True, exist_ok=True)
        except OSError as cause:
            raise ReportError(
                f"the folder {os.fspath(folder)!r} cannot be created: {cause.strerror or cause}."
            ) from cause
        paths = {name: Path(folder) / file for name, file in page_names(self).items()}
        pages = None if cells is None else ProgramPages(cells)
        for one in self.results:
            if one.report is not None:
                report = one.report if pages is None else pages.report(one)
                report.to_html(paths[one.name])
        return paths


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
        by.setdefault(change.key, []).append(change.text)
    file = io.StringIO(newline="")
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    for one in results:
        changed = "; ".join(by.get(one.key, ()))
        writer.writerow([_cell(value) for value in _row(one, changed)])
    return file.getvalue().encode("utf-8", "replace").decode("utf-8")


def _row(one: ProgramResult, changed: str) -> list[Any]:
    report, least = one.report, one.least
    first = None if report is None else report.first
    return [
        *one.key, "" if report is None else one.verdict.value,
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
