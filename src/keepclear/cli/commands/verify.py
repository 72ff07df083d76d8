"""`keepclear verify`: a cell file goes in, a verdict comes out, with a report for people and for machines."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from keepclear.cli.commands.batch import chosen_executor, fleet_options, run_fleet
from keepclear.cli.exits import Finished
from keepclear.cli.options import Grouped, number, together
from keepclear.cli.outputs import Output, check_not_over, echo_lines, publish
from keepclear.cli.progress import progress_bar, quiet_kernels, stoppable
from keepclear.cli.reporting import Reporting, report_options
from keepclear.cli.summary import summary_lines
from keepclear.errors import ArgumentError
from keepclear.report.formats import FORMATS

if TYPE_CHECKING:
    from keepclear.jobs.cell.verify import VerifyOptions
    from keepclear.report.report import Report

MOST_THREADS = 10_000
CURVE_INSTANTS = 120  # of the clearance plots of a page
MESH_FILES = (".stl", ".obj", ".ply", ".off", ".glb", ".gltf", ".dae", ".3mf", ".step", ".stp")


@click.command(cls=Grouped)
@click.argument("cells", metavar="CELL...", type=click.Path(), nargs=-1, required=True)
@click.option("--program", metavar="NAME", help="Verify this program of the cell only.")
@click.option("--contacts", type=click.Choice(["first", "all", "earliest"]),
              help="Find all contacts of each pair with their durations (the default for one cell), the first contact "
                   "of each pair, or only the earliest contact of all pairs.")  # fmt: skip
@click.option(
    "--threads",
    type=click.IntRange(1, MOST_THREADS),
    metavar="N",
    help="Number of threads; by default one for each processor.",
)
@click.option("--tolerance", type=click.FloatRange(min=0.0, min_open=True), metavar="METRES",
              help="A pair whose minimum distance exceeds its margin by less than this may get either "
                   "verdict.")  # fmt: skip
@click.option("--stepwise", metavar="SECONDS", callback=number(0.0, above=True),
              help="Sample the motion at steps of this length until the first contact; proves nothing.")  # fmt: skip
@click.option("--models", type=click.Choice(["exact", "spheres"]),
              help="Models that --stepwise compares: exact shapes (the default) or sphere covers.")  # fmt: skip
@click.option("--accuracy", metavar="METRES", callback=number(0.0, above=True),
              help="Radius of the smallest spheres of --models spheres; default: 0.005, limited by the size of "
                   "each shape.")  # fmt: skip
@click.option(
    "--ratio",
    metavar="NUMBER",
    callback=number(1.0, above=True),
    help="About how many times smaller the spheres of the next rank are; default: 2.",
)
@click.option(
    "--ranks", type=click.IntRange(min=2), metavar="N", help="Number of ranks of spheres, instead of --ratio."
)
@click.option("--method", type=click.Choice(["hybrid", "bisection", "exact", "bisect_exact"]),
              help="Method for pairs that swept boxes and hulls leave open; overrides the cell file.")  # fmt: skip
@click.option("--cross-check", is_flag=True,
              help="Repeat each finding by an independent method; a contradiction exits with 4.")  # fmt: skip
@click.option("--strict", is_flag=True,
              help="Exit with 2 if the report has warnings; by default warnings are only printed.")  # fmt: skip
@click.option("--pin", "pins", metavar="NAME", multiple=True,
              help="List the pairs of this object, link or robot first, or the pair 'A - B'; repeatable.")  # fmt: skip
@together(*(click.option(f"--{one.kind}", metavar="FILE", help=one.help) for one in FORMATS if not one.key))
@click.option("--no-clearances", is_flag=True, help="Compute verdicts only, without minimum distances.")
@click.option("--quiet", "-q", is_flag=True, help="Print errors only; see the exit code and the files.")
@report_options
@fleet_options
def verify(
    cells: tuple[str, ...],
    program: str | None,
    contacts: Any,
    threads: int | None,
    tolerance: float | None,
    stepwise: float | None,
    models: Any,
    accuracy: float | None,
    ratio: float | None,
    ranks: int | None,
    method: Any,
    cross_check: bool,
    strict: bool,
    pins: tuple[str, ...],
    no_clearances: bool,
    quiet: bool,
    store: str | None,
    processes: int | None,
    cluster: str | None,
    timeout: float | None,
    **given: Any,
) -> None:
    """Prove that nothing in a cell touches, or report what does, when and where.

    CELL is a cell file in YAML; `keepclear init` writes a first one. Ctrl-C stops the check and reports the
    result so far; pairs that are still open are UNDECIDED. Several cells, or folders of them, get a line for each
    program.

    Exit codes: 0 clear, 1 collision, 2 bad input or warnings with --strict, 3 undecided or a time limit, 4 a job that
    failed, or methods that contradict each other with --cross-check. Several cells: the first of 1, 130 (stopped), 4, 2
    and 3 that occurs. 1 also for a clearance that fell since --baseline. With --stepwise: 1 at contact, otherwise 3,
    because sampling proves nothing.
    """
    from keepclear.jobs.cell.verify import VerifyOptions
    from keepclear.jobs.fleet.results import exit_code_of
    from keepclear.report.words import counted

    for name in cells:
        check_is_cell(Path(name))
    is_fleet = (
        len(cells) > 1 or os.path.isdir(cells[0]) or (processes, cluster, timeout) != (None, None, None)  # noqa: PTH112
    )
    read = [*cells, *([] if store is None else [store])]
    reporting = Reporting.checked(given, not_over=read, quiet=quiet, clearances=not no_clearances)
    if is_fleet:
        wrong = {"--stepwise": stepwise, "--models": models, "--accuracy": accuracy, "--ratio": ratio,
                 "--ranks": ranks, "--program": program, "--threads": threads,
                 "--cross-check": cross_check or None, "--pin": pins or None, "--pdf": given["pdf"]}  # fmt: skip
        _check_absent(wrong, "is for one cell, without --processes, --cluster and --timeout; leave it out")
        fleet = VerifyOptions(
            contacts=contacts or "first",
            clearances=not no_clearances,
            tolerance=tolerance,
            method=method,
            threads=1,
        )
        run_fleet(
            cells, fleet, timeout=timeout, reporting=reporting, strict=strict, store=store,
            title=", ".join(cells[:2]) + (f" and {len(cells) - 2} more" if len(cells) > 2 else ""),
            executor=chosen_executor(processes, cluster, timeout),
        )  # fmt: skip
    _check_absent(
        {"--pages": given["pages"], "--serve": given["serve"], "--effort": given["effort"] or None},
        "is for several cells; leave it out",
    )
    if models is not None and stepwise is None:
        raise ArgumentError("--models needs --stepwise; give both.")
    given_spheres = [
        name for name, value in (("--accuracy", accuracy), ("--ratio", ratio), ("--ranks", ranks)) if value
    ]
    if given_spheres and models != "spheres":
        raise ArgumentError(f"{given_spheres[0]} needs --stepwise and --models spheres; give all of them.")
    cell = cells[0]
    has_page = (given["html"], given["pdf"]) != (None, None)
    if (
        contacts is None
    ):  # all of them show whether a pair within its margin touches, how deep and for how long
        contacts = "first" if stepwise is not None or (no_clearances and not has_page) else "all"
    options = VerifyOptions(
        program=program, contacts=contacts, threads=threads, tolerance=tolerance, method=method, pins=pins,
        cross_check=cross_check, clearances=not no_clearances, stepwise=stepwise, models=models, accuracy=accuracy,
        ratio=ratio, ranks=ranks, scene=has_page,
        evidence=given["json"] is not None or has_page, hints=stepwise is None and not no_clearances,
        curves=CURVE_INSTANTS if has_page and stepwise is None else 0,
    )  # fmt: skip
    report = run(
        cell,
        options,
        quiet=quiet,
        outputs=reporting.outputs,
        store=store,
        is_last=not reporting.is_baseline(store),
    )
    whole = reporting.of_cell(True)
    publish(report, whole.outputs, summary_lines(report), quiet=quiet, to_stderr=reporting.to_stderr)
    code = exit_code(report, strict=strict)
    if code != report.exit_code:
        click.echo(
            f"keepclear: exit code {code}: {counted(len(report.warnings), 'warning')} with --strict", err=True
        )
        if quiet:
            echo_lines([f"warning: {text}" for text in report.warnings], err=True)
    partly = report.interrupted or program is not None
    raise Finished(
        exit_code_of([code, _finish(cell, report, reporting, strict=strict, partly=partly, store=store)])
    )


def check_is_cell(path: Path) -> None:
    """Raise an `ArgumentError` that names the command for a robot, a motion or a mesh instead of a cell file."""
    suffix = path.suffix.lower()
    if suffix in (".urdf", ".xacro"):
        raise ArgumentError(
            f"'{path}' is a robot, not a cell file; write one for it with: keepclear init {path}"
        )
    if suffix in (".csv", ".npz"):
        advice = "write one for the robot that it moves with: keepclear init ROBOT.urdf"
        raise ArgumentError(f"'{path}' is a motion, not a cell file; {advice} {path}")
    if suffix in MESH_FILES:
        example = f"objects: {{part: {{mesh: {path}}}}}"
        raise ArgumentError(f"'{path}' is a mesh, not a cell file; name it in one, such as {example}")


def _finish(
    cell: str, report: Report, reporting: Reporting, *, strict: bool, partly: bool, store: str | None
) -> int:
    """Report one cell as a fleet of its programs: tables, findings, what changed; return the exit code of that."""
    from keepclear.jobs.fleet.results import results_of_report

    rest = reporting.of_cell(False)
    if not rest.outputs and rest.annotations is None and rest.baseline is None:
        return 0
    results = results_of_report(cell, report)
    return rest.finish(results, report.title, strict=strict, partly=partly, store=store)


def _check_absent(values: dict[str, Any], why: str) -> None:
    """Raise an `ArgumentError` for the first option that has a value."""
    for name, value in sorted(values.items()):
        if value is not None:
            raise ArgumentError(f"{name} {why}.")


def exit_code(report: Report, *, strict: bool) -> int:
    """Return what the command exits with: contradictions and contacts count most, then warnings if they are to fail."""
    return 2 if strict and report.warnings and report.exit_code not in (1, 4) else report.exit_code


def run(
    cell: str | os.PathLike[str],
    options: VerifyOptions,
    *,
    quiet: bool = False,
    outputs: Iterable[Output] = (),
    store: str | None = None,
    is_last: bool = True,
) -> Report:
    """Return the report of a cell, with progress on stderr; Ctrl-C returns the result so far.

    `outputs` are files that will be written: none of them may be one that the cell names. `store` is the path of a
    store of results.
    """
    import keepclear as kc
    from keepclear.jobs.fleet.baseline import keep_last
    from keepclear.jobs.fleet.results import results_of_report

    with stoppable():
        try:
            with progress_bar(quiet) as progress, quiet_kernels(quiet):
                read = kc.read_cell(cell)
                check_not_over(outputs, read.files)
                if store is None:
                    return kc.verify(read, options, progress=progress)
                with kc.ResultStore(store) as known:
                    report = kc.verify(read, options, progress=progress, store=known)
                    if is_last:
                        keep_last(known, results_of_report(os.fspath(cell), report))
                    return report
        except KeyboardInterrupt:  # before the first pair was looked at, or while files were read
            return kc.Report(verdict=kc.Verdict.UNDECIDED, t0=0.0, t1=0.0, interrupted=True,
                             tolerance=options.tolerance or 0.0, title=Path(cell).name,
                             warnings=("stopped before anything was checked",))  # fmt: skip
