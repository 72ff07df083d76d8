"""Where a command writes: paths are checked before the work begins, and files are written when it is done."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from keepclear.errors import ArgumentError, ReportError
from keepclear.report.formats import FORMATS

if TYPE_CHECKING:
    from keepclear.cli.crowd_run import CrowdResult
    from keepclear.cli.spheres_result import AuditResult, BuiltResult
    from keepclear.geometry.models.prepared import Prepared
    from keepclear.jobs.fleet.fleet_report import FleetReport
    from keepclear.report.report import Report

STANDARD_OUTPUT = "-"


@dataclass(frozen=True, slots=True)
class Output:
    """One file that is asked for: its kind, such as "json", and its path, "-" for the standard output."""

    kind: str
    path: str

    @property
    def is_standard(self) -> bool:
        return self.path == STANDARD_OUTPUT


def checked_outputs(
    given: Mapping[str, str | None], *, not_over: Iterable[str | os.PathLike[str]] = ()
) -> list[Output]:
    """Return the files to write, after checking that they can be; `given` has their paths by kind of `FORMATS`.

    Raises:
        ArgumentError: A path cannot be written, is given twice, or is one of the files that are read.
        MissingPackageError: A PDF is asked for, and there is no Chromium.
    """
    found = [(one.kind, given.get(one.kind)) for one in FORMATS]
    outputs = [Output(kind, path) for kind, path in found if path is not None]
    seen = {os.path.realpath(path): _IN_USE for path in not_over}
    for output in outputs:
        option, path = f"--{output.kind}", os.path.realpath(output.path)
        if output.kind == "pdf":
            from keepclear.report.pages.pdf import find_chromium

            if output.is_standard:
                raise ArgumentError("--pdf -: a PDF is no text; give the path of a file.")
            find_chromium()
        if output.is_standard:
            path = STANDARD_OUTPUT
            if sys.stdout.name == os.devnull:  # as `keepclear.__main__` leaves it
                raise ArgumentError(f"{option} -: the standard output is closed; give the path of a file.")
        else:
            check_writable(option, Path(output.path))
        if path in seen:
            raise ArgumentError(f"{option} {output.path}: {seen[path]}.")
        seen[path] = f"this is also the path of {option}; choose another path"
    return outputs


def check_not_over(outputs: Iterable[Output], files: Iterable[str | os.PathLike[str]]) -> None:
    """Raise an `ArgumentError` if a file that was read would be replaced."""
    read = {os.path.realpath(file) for file in files}
    for output in outputs:
        if not output.is_standard and os.path.realpath(output.path) in read:
            where = f"--{output.kind} {output.path}"
            raise ArgumentError(
                f"{where}: the cell uses this file, which would be overwritten; choose another path."
            )


_IN_USE = "this command already uses this file; choose another path"


def check_writable(option: str, path: Path, not_over: Iterable[str] = ()) -> None:
    """Raise an `ArgumentError` if a file cannot be written, or is one of some others."""
    why = ""
    if not str(path):
        why = "the path is empty"
    elif path.is_dir():
        why = "this is a folder; give the path of a file"
    elif path.exists() and not os.access(path, os.W_OK):
        why = "the file is not writable; choose another path, or change its permissions"
    elif not path.parent.is_dir():
        why = f"there is no folder '{path.parent}'; create it first"
    elif not os.access(path.parent, os.W_OK):
        why = f"the folder '{path.parent}' is not writable; choose another path"
    elif os.path.realpath(path) in map(os.path.realpath, not_over):
        why = _IN_USE
    if why:
        raise ArgumentError(f"{option} {path}: {why}.")


def write_outputs(
    report: Report | CrowdResult | BuiltResult | AuditResult | Prepared | FleetReport,
    outputs: Iterable[Output],
    **settings: Any,
) -> list[str]:
    """Write the report to each output with settings of its kind, and return the paths of the files.

    Raises:
        ArgumentError: A file cannot be written after all; the others are.
    """
    written, failed = [], []
    for output in outputs:
        write = partial(getattr(report, f"to_{output.kind}"), **settings)
        try:
            if output.is_standard:
                echo_lines([write().rstrip("\n")], asked_for=True)
                continue
            write(output.path)
            written.append(output.path)
        except ReportError as error:
            failed.append(f"--{output.kind} {output.path}: {str(error).rstrip('.')}")
        except OSError as error:
            failed.append(f"--{output.kind} {output.path}: cannot be written: {error.strerror or error}")
    if failed:
        raise ArgumentError("; ".join(failed) + ".")
    return written


def publish(
    result: Any,
    outputs: Sequence[Output],
    lines: Iterable[str],
    *,
    quiet: bool,
    to_stderr: bool = False,
    more: Callable[[], list[str]] = list,
) -> None:
    """Print what people read, write the result to each output, and print which files were written.

    The standard error takes the lines if the standard output is one of the outputs, or `to_stderr` is given. `more`
    writes other files, and returns their paths.
    """
    to_stderr = to_stderr or any(output.is_standard for output in outputs)
    if not quiet:
        echo_lines(lines, err=to_stderr)
    written = [*write_outputs(result, outputs), *more()]
    if not quiet:
        echo_lines([f"written: {path}" for path in written], err=to_stderr)


def echo_lines(lines: Iterable[str], *, err: bool = False, asked_for: bool = False) -> None:
    """Print lines; a reader that goes away, such as `head`, or a full disk is no reason to stop.

    What a full disk loses is reported on stderr, once.

    Raises:
        OSError: The lines are what was asked for, and cannot be written, for another reason than a closed pipe.
    """
    try:
        for line in lines:
            click.echo(line, err=err)
    except OSError as error:
        stream = sys.stderr if err else sys.stdout
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        if isinstance(error, BrokenPipeError):
            return
        if asked_for:
            raise
        if not err:
            with suppress(OSError):
                click.echo(f"keepclear: the output is lost: {error.strerror or error}", err=True)
