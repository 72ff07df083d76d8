"""`keepclear init`: writes a commented cell file for a robot and its program."""

from __future__ import annotations

from pathlib import Path

import click

from keepclear.cli.exits import BAD_INPUT, Finished
from keepclear.cli.outputs import echo_lines
from keepclear.errors import ArgumentError


@click.command()
@click.argument("urdf", type=click.Path())
@click.argument("motion", type=click.Path(), required=False)
@click.option(
    "-o", "--output", default="cell.yaml", show_default=True, metavar="FILE", help="Where to write it."
)
@click.option("--srdf", type=click.Path(), metavar="FILE", help="SRDF file; default: beside the URDF file.")
@click.option("--package-dir", "package_dirs", multiple=True, metavar="FOLDER",
              help="Folder with the packages of package:// names in the URDF; may be given several times.")  # fmt: skip
@click.option(
    "--scene", type=click.Path(), metavar="FILE", help="Planning scene of MoveIt: YAML, JSON or .scene."
)
@click.option("--force", is_flag=True, help="Overwrite existing files.")
def init(
    urdf: str,
    motion: str | None,
    output: str,
    srdf: str | None,
    package_dirs: tuple[str, ...],
    scene: str | None,
    force: bool,
) -> None:
    """Write a commented cell file for a robot and its program.

    URDF is the file of the robot, MOTION one of its trajectories, such as a CSV file with times and joints, or a
    RobotTrajectory or recorded JointState messages as YAML. --scene adds the objects, attached objects, allowed pairs
    and padding of a planning scene of MoveIt.

    Exit codes: 0 written; 2 bad input: nothing was written, or MOTION has errors, which the cell has as comments.
    """
    from keepclear.jobs.cell.template import SCHEMA_FILE, write_template

    path = Path(output)
    for given in (urdf, motion):
        if given is not None and Path(given).suffix.lower() == ".scene":
            raise ArgumentError(f"'{given}' is a planning scene; give it as --scene {given}.")
    if path.exists() and not force:
        raise ArgumentError(f"'{path}' exists; --force overwrites it, and -o chooses another file.")
    if not path.parent.is_dir():
        raise ArgumentError(
            f"there is no folder '{path.parent}' to write '{path.name}' into; create it first."
        )
    text = write_template(
        urdf, motion, path, srdf=srdf, package_dirs=package_dirs, scene=scene, overwrite=force
    )
    to_fix = [line.strip().removeprefix("# ") for line in text.splitlines() if "# to fix: " in line]
    first = f"correct {motion} or its options in {path}, " if to_fix else ""
    view, verify = f"keepclear view {path}", f"keepclear verify {path}"
    echo_lines([
        f"written: {path}",
        f"also written: {SCHEMA_FILE.name}, for completion and checks in editors",
        f"next: {first}{view}, add the objects around the robot, then {verify}" if scene is None
        else f"next: {first}read the notes in {path}, {view}, then {verify}",
    ])  # fmt: skip
    if to_fix:
        echo_lines(to_fix, err=True)
        raise Finished(BAD_INPUT)
