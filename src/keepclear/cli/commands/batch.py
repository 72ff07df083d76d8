"""`keepclear batch`: verifies a fleet of cells, programs and variants; `verify` of several cells is one too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

import click

from keepclear.cli.exits import CONTACT, INTERNAL_ERROR, STOPPED, Finished
from keepclear.cli.options import Grouped, number, together
from keepclear.cli.outputs import Output, check_not_over, echo_lines
from keepclear.cli.progress import plain_line, progress_bar, quiet_kernels, stoppable
from keepclear.cli.reporting import Reporting, report_options
from keepclear.cli.summary import instant, verdict_style
from keepclear.errors import ArgumentError, FleetError

if TYPE_CHECKING:
    from keepclear.cli.reporting import Reporting
    from keepclear.jobs.cell.building import KnownRobots
    from keepclear.jobs.cell.cell import Cell
    from keepclear.jobs.cell.verify import VerifyOptions
    from keepclear.jobs.executors.executor import Executor
    from keepclear.jobs.fleet.results import ProgramResult

SHOWN_WARNINGS = 10
SHOWN_FAILURES = 500  # characters of why a program has no report


fleet_options = together(
    click.option("--store", metavar="FILE", help="Take unchanged results from this file, and keep new ones in it."),
    click.option("--processes", type=click.IntRange(min=1), metavar="N", help="Run jobs in N processes."),
    click.option("--cluster", metavar="ADDRESS",
                 help="Run jobs on the Dask cluster of this scheduler, such as tcp://10.0.0.1:8786; "
                      "'local' starts one."),
    click.option("--timeout", callback=number(0.0, above=True), metavar="SECONDS",
                 help="Time limit of a job; a program that exceeds it has no report (exit code 3)."),
)  # fmt: skip
"""Adds the options that commands about many cells have in common."""


def chosen_executor(processes: int | None, cluster: str | None, timeout: float | None) -> Executor | None:
    """Return where jobs run; None: in this process."""
    from keepclear.executors import Dask, Processes

    if processes is not None and cluster is not None:
        raise ArgumentError("--processes and --cluster: choose one of them.")
    if cluster is not None:
        if cluster != "local" and "://" not in cluster:
            raise ArgumentError(
                f"--cluster {cluster}: give the address of a scheduler, such as tcp://10.0.0.1:8786, or 'local'."
            )
        return Dask(None if cluster == "local" else cluster)
    if processes is None and timeout is None:
        return None
    return Processes(processes or 1)  # a time limit needs a process that can be ended


def summary_of(results: Sequence[ProgramResult], *, stopped: bool) -> Iterator[str]:
    """Give the summary: how many programs have which verdict, how much was computed, and warnings, each once."""
    from keepclear.jobs.fleet.findings import not_run_text, plain_cause
    from keepclear.report.words import counted, shown_verdict

    counts = Counter(
        "not run" if one.not_run else "without a report" if one.report is None else shown_verdict(one.report)
        for one in results
    )
    computed, stored = sum(one.computed for one in results), sum(one.stored for one in results)
    warnings: dict[str, dict[str, str]] = {}  # by their causes: the first text of each program
    for one in results:
        for text in one.report.warnings if one.report is not None else ():
            warnings.setdefault(plain_cause(text), {}).setdefault(one.name, text)
    for texts in sorted(warnings.values(), key=len, reverse=True)[:SHOWN_WARNINGS]:
        name, text = next(iter(texts.items()))
        more = f" (and {counted(len(texts) - 1, 'more program')})" if len(texts) > 1 else ""
        yield f"warning: {plain_line(name)}: {' '.join(text.split())}{more}"
    if len(warnings) > SHOWN_WARNINGS:
        yield f"warning: {len(warnings) - SHOWN_WARNINGS} more kinds of warnings, in the files of the report"
    found = ", ".join(f"{n} {verdict}" for verdict, n in sorted(counts.items()))
    yield f"{counted(len(results), 'program')}: {found or 'nothing was verified'}"
    yield f"{counted(computed + stored, 'pair')}: {computed} proved in this run, {stored} taken from the store"
    if text := not_run_text(results):
        yield click.style(f"UNDECIDED: {text}", fg="yellow")
    if stopped:
        yield "with --store, the next run continues from here"


def run_fleet(
    sources: Iterable[Any],
    options: VerifyOptions,
    *,
    timeout: float | None,
    title: str,
    reporting: Reporting,
    strict: bool,
    store: str | None,
    executor: Executor | None,
) -> NoReturn:
    """Verify all programs, with a line for each as it is known, report them, and end with their exit code.

    Ctrl-C and SIGTERM report those known by then.
    """
    from keepclear.jobs.fleet.run import not_run, sources_of, verify_programs

    named = list(sources_of(sources))
    for source in named:
        source.read = partial(_read, source.read, reporting.outputs)
    found: list[ProgramResult] = []
    stopped, quiet, failure = False, reporting.quiet, ""
    reporting = reporting.since(store)
    keep_last = not reporting.is_baseline(store)
    with stoppable(), progress_bar(quiet) as progress, quiet_kernels(quiet):
        try:
            for result in verify_programs(
                named, executor, store, progress, options, timeout=timeout, keep_last=keep_last
            ):
                found.append(result)
                if not quiet or result.report is None:
                    echo_lines(_lines(result), err=reporting.to_stderr or result.report is None)
        except KeyboardInterrupt:
            stopped = True
        except FleetError as error:
            if not found:
                raise
            failure = str(error)  # what is known is reported all the same
    partly = stopped or bool(failure)
    if partly:
        found += not_run(named, found, failure or "stopped before the end")
    if not quiet:
        echo_lines(summary_of(found, stopped=stopped), err=reporting.to_stderr)
    code = reporting.finish(found, title, strict=strict, partly=partly, cells=named, store=store)
    n = sum(one.exit_code(strict=True) != one.exit_code() for one in found) if strict else 0
    if n:
        click.echo(
            f"keepclear: {n} of {len(found)} programs have warnings, which --strict counts as bad input",
            err=True,
        )
    if failure:
        click.echo(f"keepclear: {failure}", err=True)
        raise Finished(code if code == CONTACT else INTERNAL_ERROR)
    raise Finished(STOPPED if stopped and code != CONTACT else code)


def _read(
    read: Callable[[KnownRobots | None], Cell], outputs: Iterable[Output], robots: KnownRobots | None
) -> Cell:
    """Return a cell, or end the command if a file would be written over one that the cell names."""
    from keepclear.cli.main import BadInput

    cell = read(robots)
    try:
        check_not_over(outputs, [cell.path, *cell.files])
    except ArgumentError as error:
        raise BadInput(str(error)) from error
    return cell


def _lines(result: ProgramResult) -> Iterator[str]:
    from keepclear.report.words import length, shown_verdict

    if result.report is None:
        for line in result.failure.splitlines() or [""]:
            yield (
                line[:SHOWN_FAILURES]
                if line.startswith(result.cell)
                else f"{plain_line(result.name)}: {line[:SHOWN_FAILURES]}"
            )
        return
    report = result.report
    text = click.style(f"{shown_verdict(report):9}", fg=verdict_style(result.verdict))
    detail, least = "", result.least
    if (first := report.first) is not None:
        what = f"come within {length(first.margin)}" if first.margin > 0.0 else "touch"
        detail = (
            f": {first.a} and {first.b} {what}{'' if first.time is None else f' at {instant(first.time)}'}"
        )
    elif least is not None and least.lower > 0.0:
        bound = length(least.lower, "ROUND_FLOOR")
        detail = f": by at least {bound}{f' ({least.a} and {least.b})' if least.upper is not None else ''}"
    yield f"{text} {plain_line(result.name + detail)}"


@click.command(cls=Grouped)
@click.argument("fleet", type=click.Path())
@click.option("--strict", is_flag=True, help="Exit with 2 if a report has warnings.")
@click.option("--no-clearances", is_flag=True, help="Compute verdicts only, without minimum distances.")
@click.option("--quiet", "-q", is_flag=True, help="Print errors only.")
@report_options
@fleet_options
def batch(
    fleet: str,
    strict: bool,
    no_clearances: bool,
    quiet: bool,
    store: str | None,
    processes: int | None,
    cluster: str | None,
    timeout: float | None,
    **given: Any,
) -> None:
    """Verify a fleet: many cells, programs and variants.

    FLEET is a fleet file in YAML, or a folder of cells. Options override the file. After Ctrl-C or SIGTERM, finished
    work is in the store, and the files report the programs that were not run, which are UNDECIDED.

    Exit codes: the first of 1 (collision, or a clearance that fell since --baseline), 130 (stopped), 4 (a job failed),
    2 (bad input, or warnings with --strict) and 3 (undecided, or a time limit) that occurs in any program, else 0.
    """
    from keepclear.jobs.fleet.fleet_file import read_fleet

    read = read_fleet(fleet)
    options = replace(read.options, clearances=False) if no_clearances else read.options
    limit = read.timeout if timeout is None else timeout
    for kind, path in read.outputs.items():
        given[kind] = given[kind] or path
    store = store or read.store
    reporting = Reporting.checked(
        given, not_over=[fleet, *([] if store is None else [store])], quiet=quiet,
        clearances=options.clearances,
    )  # fmt: skip
    run_fleet(
        read.sources, options, timeout=limit, title=read.title, reporting=reporting, strict=strict,
        store=store, executor=chosen_executor(processes, cluster, limit),
    )  # fmt: skip
