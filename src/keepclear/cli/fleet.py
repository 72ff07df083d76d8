"""Many cells on the command line: where jobs run, a line for each program, and the exit code of all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import click

from keepclear.cli.exits import STOPPED
from keepclear.cli.progress import progress_bar
from keepclear.errors import ArgumentError

if TYPE_CHECKING:
    from keepclear.executors.executor import Executor
    from keepclear.fleet.results import ProgramResult

__all__ = ["FleetResults", "chosen_executor", "fleet_options", "run_fleet"]

SHOWN_FAILURES = 500  # characters of why a program has no report


def fleet_options(command: Any) -> Any:
    """Add the options that commands about many cells have in common."""
    options = [
        click.option("--store", metavar="FILE", help="Take what is unchanged from this file, and keep results in it."),
        click.option("--processes", type=click.IntRange(min=1), metavar="N", help="Work in N processes."),
        click.option("--cluster", metavar="ADDRESS",
                     help="Work on the Dask cluster of this scheduler, tcp://10.0.0.1:8786; 'local' starts one."),
        click.option("--timeout", type=click.FloatRange(min=0.0, min_open=True), metavar="SECONDS",
                     help="How long a job may take; a program beyond it is UNDECIDED."),
    ]  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


def chosen_executor(processes: int | None, cluster: str | None, timeout: float | None) -> Executor | None:
    """Return where jobs run; None: in this process."""
    from keepclear.executors import Dask, Processes

    if processes is not None and cluster is not None:
        raise ArgumentError("--processes and --cluster: choose one of them.")
    if cluster is not None:
        return Dask(None if cluster == "local" else cluster)
    if processes is None and timeout is None:
        return None
    return Processes(processes or 1)  # a time limit needs a process that can be ended


class FleetResults:
    """The results of all programs, as they came.

    Attributes:
        results: The results.
        stopped: Whether Ctrl-C or SIGTERM ended the run before all were known.
    """

    def __init__(self) -> None:
        self.results: list[ProgramResult] = []
        self.stopped = False

    def exit_code(self, *, strict: bool = False) -> int:
        """Return the exit code of all: the first of 1, 4, 2 and 3 that occurs; 130 for a run that was stopped."""
        from keepclear.fleet.results import exit_code_of

        code = exit_code_of(result.exit_code(strict=strict) for result in self.results)
        return STOPPED if self.stopped and code != 1 else code

    def to_json(self, path: str | None = None) -> str:
        """Return all results as JSON: findings only, programs in the order of their names."""
        from keepclear.report.json_file import json_text, report_dict, write_text

        entries = [
            {
                "cell": one.cell, "program": one.program, "variant": one.variant, "verdict": one.verdict.value,
                "failure": one.failure,
                "report": None if one.report is None else report_dict(one.report, effort=False),
            }
            for one in sorted(self.results, key=lambda one: one.name)
        ]  # fmt: skip
        text = json_text({"format": "keepclear-fleet/1", "programs": entries}) + "\n"
        if path is not None:
            write_text(text, path)
        return text

    def lines(self) -> Iterator[str]:
        """Give the summary: how many programs have which verdict, and how much was computed."""
        counts: dict[str, int] = {}
        for one in self.results:
            verdict = one.verdict.value if one.report is not None else "without a report"
            counts[verdict] = counts.get(verdict, 0) + 1
        found = ", ".join(f"{n} {verdict}" for verdict, n in sorted(counts.items()))
        computed, stored = sum(r.computed for r in self.results), sum(r.stored for r in self.results)
        yield f"{len(self.results)} programs: {found}"
        yield f"{computed} pair tasks computed, {stored} taken from the store"
        if self.stopped:
            yield "stopped before the end; what was done is in the store, if there is one"


def run_fleet(
    sources: Iterable[Any],
    options: dict[str, Any],
    *,
    store: str | None,
    executor: Executor | None,
    quiet: bool = False,
    err: bool = False,
) -> FleetResults:
    """Return the results of all programs, with a line for each as it is known; Ctrl-C gives those known by then."""
    from keepclear.cli.outputs import echo_lines
    from keepclear.cli.verify import quiet_kernels, stoppable
    from keepclear.fleet.run import verify_programs

    found = FleetResults()
    with quiet_kernels(quiet), stoppable(), progress_bar(quiet) as progress:
        try:
            for result in verify_programs(sources, executor, store, progress, **options):
                found.results.append(result)
                if not quiet or result.report is None:
                    echo_lines(_lines(result), err=err or result.report is None)
        except KeyboardInterrupt:
            found.stopped = True
    if not quiet:
        echo_lines(found.lines(), err=err)
    return found


def _lines(result: ProgramResult) -> Iterator[str]:
    from keepclear.cli.summary import verdict_style

    if result.report is None:
        for line in result.failure.splitlines() or [""]:
            yield (
                line[:SHOWN_FAILURES]
                if line.startswith(result.cell)
                else f"{result.name}: {line[:SHOWN_FAILURES]}"
            )
        return
    report = result.report
    text = click.style(f"{result.verdict.value:9}", fg=verdict_style(result.verdict))
    detail = ""
    if (first := report.first) is not None:
        detail = f": {first.a} and {first.b} at {first.time:.6g} s"
    yield f"{text} {result.name}{detail}"
