"""`keepclear init`: writes a commented cell file for a robot and its program."""

from __future__ import annotations

from pathlib import Path

import click

from keepclear.errors import ArgumentError


@click.command()
@click.argument("urdf", type=click.Path())
@click.argument("motion", type=click.Path(), required=False)
@click.option(
    "-o", "--output", default="cell.yaml", show_default=True, metavar="FILE", help="Where to write it."
)
@click.option("--package-dir", "package_dirs", multiple=True, metavar="FOLDER",
              help="Folder with the packages of package:// names in the URDF; may be given several times.")  # fmt: skip
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
def init(urdf: str, motion: str | None, output: str, package_dirs: tuple[str, ...], force: bool) -> None:
    """Write a commented cell file for a robot and its program.

    URDF is the file of the robot, MOTION one of its trajectories, such as a CSV file with times and joints.
    """
    from keepclear.cell.schema import SCHEMA_FILE
    from keepclear.cell.template import write_template

    path = Path(output)
    if path.exists() and not force:
        raise ArgumentError(f"'{path}' exists; --force overwrites it, and -o chooses another file.")
    if not path.parent.is_dir():
        raise ArgumentError(
            f"there is no folder '{path.parent}' to write '{path.name}' into; create it first."
        )
    write_template(urdf, motion, path, package_dirs=package_dirs, overwrite=force)
    click.echo(f"written: {path}")
    click.echo(f"also written: {SCHEMA_FILE.name}, for completion and checks in editors")
    click.echo(f"next: keepclear view {path}, add the objects around the robot, then keepclear verify {path}")
