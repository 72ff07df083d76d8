"""The command `keepclear`: finds the file of the command asked for, and turns errors into one line."""

from __future__ import annotations

import functools
import importlib
import os
import re
import sys
import warnings
from pathlib import Path
from typing import Any

import click

import keepclear
from keepclear.cli.exits import BAD_INPUT, STOPPED, exit_code_of
from keepclear.errors import CellError, KeepclearError
from keepclear.names import did_you_mean, reworded_keywords

_COMMANDS = {
    "batch": "Verify a fleet: many cells, programs and variants.",
    "cache": "Show or clear the cache of compiled kernels and of structures built for meshes.",
    "crowd": "Simulate a crowd of spheres, and find every contact.",
    "demo": "Verify an included cell, and show a contact that sampling misses.",
    "init": "Write a commented cell file for a robot and its program.",
    "pairs": "Prove which links of a robot can touch each other (self-collision).",
    "reproduce": "Make a report again, and say what differs.",
    "spheres": "Cover a mesh or a robot with spheres, or audit a sphere model.",
    "prepare": "Build the structures that queries of a mesh need, and write them to a file.",
    "store": "Show the content of a store, remove outdated results, or write its reports.",
    "verify": "Prove that nothing in a cell touches, or report what does, when and where.",
    "view": "Show a report, or a cell file while it is being written.",
    "warmup": "Compile all kernels ahead of their first use.",
}
"""Each command and its line of help: command `name` is the function `name` in `keepclear/cli/commands/name.py`."""


class BadInput(click.ClickException):
    """An error of the user's making: one line on stderr, exit code 2."""

    exit_code = BAD_INPUT

    def show(self, file: Any = None) -> None:  # noqa: ARG002
        click.echo(f"keepclear: {' '.join(self.message.split())}", err=True)


class Mistakes(BadInput):
    """The errors of a cell file: a line for each that begins with its position, to which editors jump."""

    def show(self, file: Any = None) -> None:  # noqa: ARG002
        click.echo(self.message, err=True)


class Commands(click.Group):
    """The commands by name; a command's file is imported when it runs, so that help appears at once."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in _COMMANDS:
            return None
        command = getattr(importlib.import_module(f"keepclear.cli.commands.{cmd_name}"), cmd_name)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            command = {".yaml": "verify", ".yml": "verify", ".urdf": "init"}.get(Path(name).suffix.lower())
            advice = "." if command is None else f"; did you mean 'keepclear {command} {name}'?"
            ctx.fail(f"there is no command '{name}'{did_you_mean(name, _COMMANDS) or advice}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(sorted(_COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        if os.environ.get("NO_COLOR"):  # https://no-color.org
            ctx.color = False
        try:
            Path.cwd()
        except OSError as error:
            raise BadInput("the current folder no longer exists; change to another one") from error
        try:
            with warnings.catch_warnings():
                warnings.showwarning = _show_warning
                return super().invoke(ctx)
        except CellError as error:
            raise Mistakes("\n".join(" ".join(line.split()) for line in error.mistakes)) from error
        except KeepclearError as error:
            command = self.get_command(ctx, ctx.invoked_subcommand or "")
            raise BadInput(_with_options(str(error), command)) from error
        except KeyboardInterrupt:
            click.echo("keepclear: stopped", err=True)
            raise SystemExit(STOPPED) from None

    def main(self, *args: Any, standalone_mode: bool = True, **options: Any) -> Any:
        """Run a command; as a program, it ends with the exit codes that `--help` lists, whatever happens."""
        run = functools.partial(super().main, *args, standalone_mode=False, **options)
        if not standalone_mode:
            return run()
        sys.exit(exit_code_of(run))


_FUNCTION = re.compile(r"\A(?:place_spheres|read_mesh|simulate|verify|verify_many): ")  # what a command calls
_OPTIONS = {"format": "--format", "package_dirs": "--package-dir", "scale": "--scale", "unit": "--unit"}


def _with_options(text: str, command: click.Command | None) -> str:
    """Return a message with options of the command in place of Python arguments that mean the same."""
    known = {name for one in (command.params if command is not None else ()) for name in one.opts}

    def option(name: str, value: str) -> str | None:
        if _OPTIONS.get(name) not in known:
            return None
        shown = f"FOLDER, the {value.strip('[]')}" if value.startswith("[") else value
        return f"{_OPTIONS[name]} {shown}".rstrip()

    text = _FUNCTION.sub("", text).replace(
        "give the JSON that `report.to_json` wrote", "give what --json wrote"
    )
    if "--stepwise" in known:
        text = re.sub(r"\bdt\b", "--stepwise", text)
    return reworded_keywords(text, option, "give")


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: Any = None,  # noqa: ARG001, of the standard library
    line: str | None = None,
) -> None:
    """Print a warning about input as one line; another one keeps the line of code that it comes from."""
    if issubclass(category, UserWarning):
        context = click.get_current_context(silent=True)
        text = _with_options(str(message), context.command if context is not None else None)
        click.echo(f"warning: {' '.join(text.split())}", err=True)
    else:
        click.echo(warnings.formatwarning(message, category, filename, lineno, line), nl=False, err=True)


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(keepclear.__version__, prog_name="keepclear", message="%(prog)s %(version)s")
def main() -> None:
    """Prove that moving bodies keep clear of each other, or find where and when they touch.

    Exit codes: 0 clear, 1 collision, 2 bad input, 3 undecided, 4 internal error, 130 stopped.
    """
