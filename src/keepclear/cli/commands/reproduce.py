"""`keepclear reproduce`: makes a report again from its cell, and says whether anything differs, and what."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from keepclear.cli.exits import CONTACT, Finished
from keepclear.cli.outputs import check_not_over, checked_outputs, echo_lines, publish
from keepclear.cli.progress import plain_line, progress_bar, quiet_kernels, stoppable
from keepclear.cli.summary import verdict_style

if TYPE_CHECKING:
    from keepclear.jobs.cell.reproduction import Reproduction

SHOWN = 40  # differences of one kind
EQUAL, DIFFERS = 0, 3


@click.command()
@click.argument("report", metavar="REPORT", type=click.Path())
@click.option("--cell", metavar="CELL", help="The cell file, if it is not where the report says.")
@click.option("--json", metavar="FILE", help="Write the new report as JSON; - is the standard output.")
@click.option("--quiet", "-q", is_flag=True, help="Print errors only; see the exit code.")
def reproduce(report: str, cell: str | None, json: str | None, quiet: bool) -> None:
    """Make a report again, and say whether anything differs: inputs, version, verdicts, times or clearances.

    REPORT is the file that `keepclear verify CELL --json REPORT` wrote. The cell that it names, relative to its
    folder, is verified with the same settings. Nothing else in the report is opened or run.

    Exit codes: 0 equal, whatever the verdict is; 1 a collision that the report does not have; 3 another difference of
    inputs or findings; 2 bad input, such as a report without evidence; 4 internal error. Another version or platform
    is named, and does not count as a difference.
    """
    from keepclear.jobs.cell.reproduction import reproduce as made_again

    outputs = checked_outputs({"json": json}, not_over=[report, *([] if cell is None else [cell])])
    to_stderr = any(output.is_standard for output in outputs)
    with quiet_kernels(quiet), stoppable(), progress_bar(quiet) as progress:
        found = made_again(report, cell, progress)
        if found.now.interrupted:  # what is left open is no difference
            raise KeyboardInterrupt
    if not quiet:
        evidence = found.before.evidence
        assert evidence is not None
        made = f"{evidence.cell}, verified {evidence.date} by keepclear {evidence.version}"
        echo_lines([plain_line(f"{Path(report).name}: {made}")], err=to_stderr)
        for lines in (found.origin, found.inputs, found.findings):
            more = [f"{len(lines) - SHOWN} more differences"] if len(lines) > SHOWN else []
            echo_lines([f"  {plain_line(line)}" for line in (*lines[:SHOWN], *more)], err=to_stderr)
        echo_lines([_conclusion(found)], err=to_stderr)
    if found.now.cell_path is not None and found.now.evidence is not None:
        folder = found.now.cell_path.parent
        check_not_over(outputs, [folder / one.path for one in found.now.evidence.inputs])
    publish(found.now, outputs, (), quiet=quiet)
    raise Finished(EQUAL if found.is_equal else CONTACT if found.collides_anew else DIFFERS)


def _conclusion(found: Reproduction) -> str:
    from keepclear.report.words import counted

    verdict = click.style(found.now.verdict.value, fg=verdict_style(found.now.verdict))
    if found.is_equal:
        n = counted(found.now.n_checked, "pair")
        return f"{click.style('equal', fg='green')}: {verdict}, same inputs and findings, {n} checked again"
    if not found.findings:
        return f"{click.style('differs', fg='yellow')}: {verdict}, other inputs, but the same findings"
    n = counted(len(found.findings), "difference")
    return f"{click.style('differs', fg='red')}: {verdict} now, {n} in the findings"
