"""What commands about cells report beside their summary: files, annotations, pages, and what changed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from keepclear.cli.exits import BAD_INPUT
from keepclear.cli.local_server import check_port
from keepclear.cli.options import number, together
from keepclear.cli.outputs import Output, checked_outputs, echo_lines, write_outputs
from keepclear.errors import ArgumentError, KeepclearError
from keepclear.report.formats import FORMATS

if TYPE_CHECKING:
    from keepclear.jobs.fleet.baseline import Baseline
    from keepclear.jobs.fleet.fleet_report import FleetReport
    from keepclear.jobs.fleet.results import ProgramResult


report_options = together(
    *(click.option(f"--{one.kind}", metavar="FILE", help=one.help) for one in FORMATS if one.key),
    click.option("--annotations", type=click.Choice(["github"]),
                 help="Print findings as workflow commands; a review shows them at their lines."),
    click.option("--baseline", metavar="OLD", help="Compare with a store, or with the JSON of an earlier run."),
    click.option("--baseline-limit", metavar="METRES", callback=number(0.0),
                 help="With --baseline: exit with 1 if a clearance fell by more than this; by default 0.001."),
    click.option("--effort", is_flag=True,
                 help="Add the effort of each program to the JSON of several cells: computed, stored, seconds."),
    click.option("--pages", metavar="FOLDER",
                 help="Write a page for each program, to which the overview links."),
    click.option("--serve", metavar="PORT", type=click.IntRange(0, 65535),
                 help="Show the overview at this port of this machine (0: a free one) until Ctrl-C; "
                      "pages of programs are made when they are opened."),
)  # fmt: skip
"""Adds the options of what is reported; `Reporting.checked` takes their values."""


@dataclass(frozen=True, slots=True)
class Reporting:
    """What is asked for.

    Attributes:
        outputs: The files.
        annotations: Whose workflow commands are printed, None: none are.
        baseline: The earlier run, None: nothing is compared.
        limit: How far clearances may fall [m], None: the default.
        effort: Whether the JSON has what each program took.
        pages: The folder of the pages of programs, None: none are written.
        port: Where the overview is served after the run, None: it is not.
        quiet: Whether to print nothing but errors.
        to_stderr: Whether what people read is printed to stderr, because the standard output is one of the files.
        last: The last run in the store, for the overview where no baseline is given.
    """

    outputs: tuple[Output, ...] = ()
    annotations: str | None = None
    baseline: Baseline | None = None
    limit: float | None = None
    effort: bool = False
    pages: str | None = None
    port: int | None = None
    quiet: bool = False
    to_stderr: bool = False
    last: Baseline | None = None

    @classmethod
    def checked(
        cls, given: dict[str, Any], *, not_over: Iterable[str], quiet: bool, clearances: bool = True
    ) -> Reporting:
        """Return what options ask for, after paths and the baseline were checked.

        Raises:
            ArgumentError: Options contradict each other, or a path cannot be written.
            KeepclearError: The baseline cannot be used.
        """
        from keepclear.jobs.fleet.baseline import read_baseline

        path, limit, pages = given["baseline"], given["baseline_limit"], given["pages"]
        if limit is not None and path is None:
            raise ArgumentError("--baseline-limit needs --baseline; give both.")
        if limit is not None and not clearances:
            raise ArgumentError(
                "--baseline-limit needs clearances; leave it out, or leave out --no-clearances."
            )
        if pages is not None and Path(pages).exists() and not Path(pages).is_dir():
            raise ArgumentError(f"--pages {pages}: this is a file; give the path of a folder.")
        if given["serve"] is not None:
            check_port(given["serve"], "--serve")
        if given["effort"] and given["json"] is None:
            raise ArgumentError("--effort needs --json; give both.")
        read = [*not_over, *([] if path is None else [path])]
        outputs = checked_outputs(given, not_over=read)
        baseline = None if path is None else read_baseline(path)
        to_stderr = any(output.is_standard for output in outputs)
        return cls(
            tuple(outputs), given["annotations"], baseline, limit, given["effort"], pages, given["serve"], quiet,
            to_stderr,
        )  # fmt: skip

    def of_cell(self, is_mine: bool) -> Reporting:
        """Return the same with the files that the report of a cell writes only, or with the others."""
        kinds = {one.kind for one in FORMATS if one.of_cell == is_mine}
        return replace(self, outputs=tuple(output for output in self.outputs if output.kind in kinds))

    def since(self, store: str | None) -> Reporting:
        """Return the same with the last run of a store, which an overview compares with if nothing else is given."""
        from keepclear.jobs.fleet.baseline import read_baseline

        is_shown = self.port is not None or any(output.kind == "html" for output in self.outputs)
        if store is None or self.baseline is not None or not is_shown or not Path(store).exists():
            return self
        return replace(self, last=read_baseline(store))

    def finish(
        self,
        results: Sequence[ProgramResult],
        title: str,
        *,
        strict: bool,
        partly: bool,
        cells: Sequence[Any] | None = None,
        store: str | None = None,
    ) -> int:
        """Compare, print, write and serve everything, and return the exit code.

        A baseline that cannot be compared is an error of one line, after which the files are written all the same.
        `cells` are those of the results, for the pages of programs. `store` is where results are kept.
        """
        from keepclear.jobs.fleet.fleet_report import FleetReport
        from keepclear.jobs.fleet.results import exit_code_of

        codes = []
        report = FleetReport(results, title)
        if self.baseline is not None and not (partly and all(one.not_run for one in results)):
            try:
                report = FleetReport(results, title, self._compared(self.baseline, results, partly=partly))
            except KeepclearError as error:
                click.echo(f"keepclear: {' '.join(str(error).split())}", err=True)
                codes.append(BAD_INPUT)
        if report.comparison is not None and not self.quiet:
            echo_lines(report.comparison.lines(), err=self.to_stderr)
        if store is not None and report.comparison is not None and self.is_baseline(store):
            self._accept(report, store)
        if self.annotations is not None:
            echo_lines(report.annotations(), err=self.to_stderr)
        overview = report
        if self.last is not None:  # compared with the last run in the store, if with nothing else
            with suppress(KeepclearError):  # other cells: this run is the first about them
                overview = FleetReport(results, title, self._compared(self.last, results, partly=partly))
        try:
            written = self._write(report, overview, cells)
            if not self.quiet:
                echo_lines([f"written: {path}" for path in written], err=self.to_stderr)
            if self.port is not None and cells is not None:
                from keepclear.cli.local_server import serve_fleet

                serve_fleet(overview, cells, self.port, opens=not self.quiet)
        except KeepclearError as error:  # a contact is still what the exit code says
            click.echo(f"keepclear: {' '.join(str(error).split())}", err=True)
            codes.append(BAD_INPUT)
        return exit_code_of([*codes, report.exit_code(strict=strict)])

    def is_baseline(self, store: str | None) -> bool:
        """Return whether the baseline is the store of this run, in which results of this run must not replace it."""
        if store is None or self.baseline is None or self.baseline.kind != "store":
            return False
        return os.path.exists(store) and os.path.samefile(store, self.baseline.name)  # noqa: PTH110, PTH121

    def _accept(self, report: FleetReport, store: str) -> None:
        """Keep results for the comparison of the next run, except for programs that came closer or are no longer clear.

        Otherwise the same command, run again, would find that nothing changed.
        """
        from keepclear.jobs.fleet.baseline import keep_last
        from keepclear.jobs.store.database import ResultStore
        from keepclear.report.words import counted
        from keepclear.results import Verdict

        assert report.comparison is not None
        worse = [
            change
            for change in report.comparison.changes
            if change.kind == "clearance"
            or (change.kind == "verdict" and change.before == Verdict.CLEAR.value)
        ]
        fallen = {change.key for change in worse}
        kept = [one for one in report.results if one.key not in fallen]
        with ResultStore(store) as opened:
            keep_last(opened, kept)
        if fallen and not self.quiet:
            text = f"the baseline keeps the former results of {counted(len(fallen), 'program')}"
            echo_lines([f"  {text}; to accept the new ones, run once without --baseline"], err=self.to_stderr)

    def _compared(self, baseline: Baseline, results: Sequence[ProgramResult], *, partly: bool) -> Any:
        limit = {} if self.limit is None else {"limit": self.limit}
        return baseline.compare(results, **limit, partly=partly)

    def _write(self, report: FleetReport, overview: FleetReport, cells: Sequence[Any] | None) -> list[str]:
        """Write pages and files, and return the paths."""
        pages: dict[str, Path] = {}
        written, failed = [], []
        try:
            pages = {} if self.pages is None else report.write_pages(self.pages, cells)
        except KeepclearError as error:
            failed.append(f"--pages {self.pages}: {error}")
        for output in self.outputs:
            settings: dict[str, Any] = {"effort": True} if output.kind == "json" and self.effort else {}
            if output.kind == "html":
                folder = Path.cwd() if output.is_standard else Path(output.path).parent
                links = {name: Path(os.path.relpath(page, folder)).as_posix() for name, page in pages.items()}
                settings = {"pages": links}
            try:
                written += write_outputs(overview if output.kind == "html" else report, [output], **settings)
            except KeepclearError as error:
                failed.append(str(error))
        if failed:
            raise ArgumentError(" ".join(failed))
        return [*written, *([str(self.pages)] if pages else [])]
