"""`keepclear store`: shows what a store of results holds, removes what is outdated, or writes its reports."""

from __future__ import annotations

import time
from pathlib import Path

import click

from keepclear.cli.options import number
from keepclear.cli.outputs import check_writable, echo_lines


@click.command()
@click.argument("file", type=click.Path())
@click.option("--prune", is_flag=True, help="Remove results of other versions, and with --days older ones.")
@click.option(
    "--days", metavar="N", callback=number(0, whole=True), help="With --prune: keep results of N days."
)
@click.option(
    "--export", metavar="FILE", help="Write the last report of each program as JSON; - is standard output."
)
@click.option("--programs", is_flag=True, help="List the last verdict of each program.")
def store(file: str, prune: bool, days: int | None, export: str | None, programs: bool) -> None:
    """Show the content of a store, remove outdated results, or write its reports.

    FILE is the store that --store of `keepclear verify` and `keepclear batch` names. Removing results costs the time
    to compute them again, and nothing else.
    """
    from keepclear.errors import ArgumentError, StoreError
    from keepclear.jobs.fleet.fleet_report import FleetReport
    from keepclear.jobs.fleet.results import ProgramResult
    from keepclear.jobs.store.database import ResultStore
    from keepclear.jobs.store.reports import decode_report

    if days is not None and not prune:
        raise ArgumentError("--days needs --prune; give both.")
    if export is not None and export != "-":
        check_writable("--export", Path(export))
    if not Path(file).exists():
        raise StoreError(f"there is no store at {file!r}; check the path.")
    with ResultStore(file, write=prune) as opened:
        if prune:
            echo_lines([f"removed {opened.prune(days=days)} results"])
        if export is not None:
            results = []
            for row in opened.programs():
                content = opened.report_content(row)
                if content is None:
                    raise StoreError(f"store {file!r} has lost the report of {row.cell!r} {row.program!r}.")
                report = decode_report(content)
                results.append(
                    ProgramResult(cell=row.cell, program=row.program, variant=row.variant, report=report)
                )
            text = FleetReport(results, Path(file).name).to_json(None if export == "-" else export)
            if export == "-":
                echo_lines([text.rstrip("\n")], asked_for=True)
            return
        rows = opened.programs()
        echo_lines([f"{what:28} {n:8} {size / 1e6:10.2f} MB" for what, (n, size) in opened.counts().items()])
        echo_lines([f"{'of other versions':28} {opened.outdated():8}", f"{'programs':28} {len(rows):8}"])
        if programs:
            when = [time.strftime("%Y-%m-%d %H:%M", time.localtime(row.finished)) for row in rows]
            names = [" ".join(filter(None, row[:3])) for row in rows]
            echo_lines(
                [f"{row.verdict:9} {t}  {name}" for row, t, name in zip(rows, when, names, strict=True)]
            )
