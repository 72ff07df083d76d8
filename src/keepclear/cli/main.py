"""The command `keepclear`: finds the file of the command asked for, and turns errors into one line."""

from __future__ import annotations

import importlib
from typing import Any

import click

import keepclear
from keepclear.errors import KeepclearError

_COMMANDS = {
    "cache": "Show where compiled kernels are kept, or remove them.",
    "demo": "Track the closest points of two moving bodies.",
    "warmup": "Compile all kernels ahead of their first use.",
}
"""Each command and its line of help: command `name` is the function `name` in `keepclear/cli/name.py`."""


class BadInput(click.ClickException):
    """An error of the user's making: one line on stderr, exit code 2."""

    exit_code = 2

    def show(self, file: Any = None) -> None:  # noqa: ARG002
        click.echo(f"keepclear: {' '.join(self.message.split())}", err=True)


class Commands(click.Group):
    """The commands by name; a command's file is imported when it runs, so that help appears at once."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in _COMMANDS:
            return None
        command = getattr(importlib.import_module(f"keepclear.cli.{cmd_name}"), cmd_name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(sorted(_COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeepclearError as error:
            raise BadInput(str(error)) from error


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(keepclear.__version__, prog_name="keepclear", message="%(prog)s %(version)s")
def main() -> None:
    """Certified distances and contacts of moving bodies.

    Exit codes: 0 clear, 1 collision, 2 bad input, 3 undecided.
    """
