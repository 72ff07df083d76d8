"""`keepclear batch`: verifies a fleet of cells, programs and variants."""

from __future__ import annotations

import click

from keepclear.cli.exits import Finished
from keepclear.cli.fleet import chosen_executor, fleet_options, run_fleet


@click.command()
@click.argument("fleet", type=click.Path())
@click.option("--json", metavar="FILE", help="Write all reports as JSON; - is the standard output.")
@click.option("--strict", is_flag=True, help="Exit with 2 if a report has warnings.")
@click.option("--no-clearances", is_flag=True, help="Verdicts only: do not find how close pairs get.")
@click.option("--quiet", "-q", is_flag=True, help="Print nothing but errors.")
@fleet_options
def batch(
    fleet: str,
    json: str | None,
    strict: bool,
    no_clearances: bool,
    quiet: bool,
    store: str | None,
    processes: int | None,
    cluster: str | None,
    timeout: float | None,
) -> None:
    """Verify a fleet: many cells, programs and variants.

    FLEET is a fleet file in YAML, or a folder of cells. Options count before what the file says. Ctrl-C and SIGTERM
    keep what is known in the store.

    Exit codes: the first of 1 (collision), 4 (a job failed), 2 (bad input, or warnings with --strict) and 3 (undecided,
    or a time limit) that occurs in any program, else 0.
    """
    from keepclear.cli.outputs import checked_outputs, write_outputs
    from keepclear.fleet.fleet_file import read_fleet

    read = read_fleet(fleet)
    options = dict(read.options)
    if no_clearances:
        options["clearances"] = False
    limit = options.pop("timeout", None) if timeout is None else timeout
    outputs = checked_outputs(json or read.outputs.get("json"), None, None, not_over=[fleet])
    found = run_fleet(
        read.sources, options | {"timeout": limit}, store=store or read.store, quiet=quiet,
        executor=chosen_executor(processes, cluster, limit), err=any(output.is_standard for output in outputs),
    )  # fmt: skip
    write_outputs(found, outputs)
    raise Finished(found.exit_code(strict=strict))
