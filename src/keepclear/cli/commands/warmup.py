"""`keepclear warmup`: compiles all kernels ahead of their first use."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from keepclear.cli.outputs import echo_lines
from keepclear.cli.progress import progress_bar

if TYPE_CHECKING:
    from keepclear.compiler.warmup import Ready


@click.command()
@click.option(
    "--report", is_flag=True, help="Print each kernel, its compile time and the origin of its code."
)
@click.option("--processes", type=click.IntRange(min=1), help="Number of processes; by default one per core.")
def warmup(report: bool, processes: int | None) -> None:
    """Compile all kernels ahead of their first use.

    Kernels that are in the package or in the cache already are not compiled again.
    """
    ready = compile_kernels(processes)
    if report:
        _print_table(ready)


def compile_kernels(processes: int | None) -> list[Ready]:
    """Compile everything in parallel processes, with progress on stderr."""
    from keepclear.compiler import cache_folders, code_files
    from keepclear.compiler import warmup as _warmup

    cache_folders.cache_folder()  # prints why it is not used, which the processes that compile do not
    groups = [
        name for name in _warmup.group_names() if _warmup.count_entry_points([name])
    ]  # others need no process
    total, ready = _warmup.count_entry_points(groups), []
    with progress_bar(first="compiling kernels", stays=True) as show:
        for entry in _warmup.compile_all(groups, processes):
            ready.append(entry)
            if show is not None:
                show(len(ready), total, "compiling kernels")
    unstored = [entry for entry in ready if entry.problem]
    if unstored and not code_files.complaints:
        count = f"{len(unstored)} of {len(ready)} kernels were compiled but not stored"
        click.echo(f"keepclear: {count}: {unstored[0].problem}", err=True)
    return ready


def _print_table(ready: list[Ready]) -> None:

    width = max([len("kernel"), *(len(entry.kernel) for entry in ready)])
    ordered = sorted(ready, key=lambda entry: entry.kernel)
    echo_lines([
        f"{'kernel':<{width}}  seconds  source",
        *(f"{entry.kernel:<{width}}  {entry.seconds:7.2f}  {entry.origin}" for entry in ordered),
        f"{'all':<{width}}  {sum(entry.seconds for entry in ready):7.2f}",
    ])  # fmt: skip
