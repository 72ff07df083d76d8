"""`keepclear batch`: verifies a fleet of cells, programs and variants."""

from __future__ import annotations

from typing import Any

import click

from keepclear.cli.fleet import chosen_executor, fleet_options, run_fleet
from keepclear.cli.options import Grouped
from keepclear.cli.reporting import Reporting, report_options


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
    from keepclear.fleet.fleet_file import read_fleet

    read = read_fleet(fleet)
    options = dict(read.options)
    if no_clearances:
        options["clearances"] = False
    limit = options.pop("timeout", None) if timeout is None else timeout
    for kind, path in read.outputs.items():
        given[kind] = given[kind] or path
    store = store or read.store
    reporting = Reporting.checked(
        given, not_over=[fleet, *([] if store is None else [store])], quiet=quiet,
        clearances=options.get("clearances", True),
    )  # fmt: skip
    run_fleet(
        read.sources, options | {"timeout": limit}, title=read.title, reporting=reporting, strict=strict,
        store=store, executor=chosen_executor(processes, cluster, limit),
    )  # fmt: skip
