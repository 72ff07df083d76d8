"""Exit codes: 1 means a contact, an uncovered link or a clearance that fell, and nothing else ever does."""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
from collections.abc import Callable

import click

CONTACT = 1
BAD_INPUT = 2
INTERNAL_ERROR = 4
STOPPED = 130
"""The exit code of a command that Ctrl-C stopped, as shells have it; `verify` and `crowd` report what they know."""


class Finished(SystemExit):
    """The end of a command that came to a verdict; its exit code is the one thing that may be 1."""

    def __init__(self, exit_code: int) -> None:
        super().__init__(exit_code)
        self.exit_code = exit_code


def exit_code_of(run: Callable[[], object]) -> int:
    """Run a command and return the exit code of the process, with one line on stderr for what went wrong.

    An unexpected error also prints where it happened.
    """
    for stream in (sys.stdout, sys.stderr):
        if getattr(stream, "errors", "") == "strict" and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a name that cannot be printed ends no run
    try:
        code = _run(run)
    except BaseException as error:
        code = _told(error)
    for stream in (sys.stdout, sys.stderr):
        _flush(stream)
    return code


def _run(run: Callable[[], object]) -> int:
    try:
        found = run()  # the framework returns the code of its own exits, such as that of --help
        return _not_a_contact(found if isinstance(found, int) else 0)
    except Finished as end:
        return end.exit_code
    except SystemExit as end:
        if end.code is not None and not isinstance(end.code, int):
            click.echo(f"keepclear: {end.code}", err=True)
            return INTERNAL_ERROR
        return _not_a_contact(end.code or 0)
    except (KeyboardInterrupt, click.Abort):
        click.echo("keepclear: stopped", err=True)
        return STOPPED
    except click.UsageError as error:
        if isinstance(error, getattr(click.exceptions, "NoArgsIsHelpError", ())):  # from click 8.2 on
            click.echo(error.format_message(), err=True)
            return BAD_INPUT
        command = error.ctx.command_path if error.ctx is not None else "keepclear"
        text = " ".join(error.format_message().split())
        stop = "" if text.endswith((".", "?", "!", "?)")) else "."
        click.echo(f"keepclear: {text}{stop} See '{command} --help'.", err=True)
        return BAD_INPUT
    except click.ClickException as error:
        error.show()
        return _not_a_contact(error.exit_code)


def _not_a_contact(code: int) -> int:
    """Return the exit code of something that is not a verdict: the framework ends with 1 when a pipe is closed."""
    return INTERNAL_ERROR if code == CONTACT else code


def _told(error: BaseException) -> int:
    """Return the exit code of an unexpected error, after it was printed."""
    with contextlib.suppress(Exception):  # stderr may be closed, or memory be short
        if isinstance(error, MemoryError):
            click.echo("keepclear: there is not enough memory for this", err=True)
        else:
            traceback.print_exception(error, limit=-20)
            reason = " ".join(f"{type(error).__name__}: {error}".split())[:200]
            click.echo(f"keepclear: internal error: {reason}; please report it", err=True)
    return INTERNAL_ERROR


def _flush(stream: object) -> None:
    """Write what is left; a reader that went away must not change the exit code when Python ends."""
    try:
        stream.flush()  # type: ignore[attr-defined]
    except (OSError, ValueError, AttributeError):
        with contextlib.suppress(Exception):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())  # type: ignore[attr-defined]
