"""`keepclear spheres`: covers a mesh or a robot with spheres; `keepclear spheres audit`: measures a sphere model."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from keepclear.cli.exits import Finished
from keepclear.cli.options import number, together
from keepclear.cli.outputs import check_writable, checked_outputs, publish
from keepclear.cli.progress import progress_bar, quiet_kernels
from keepclear.errors import ArgumentError, FileMissingError
from keepclear.names import did_you_mean

FORMATS = ["curobo", "xrdf", "urdf", "srdf", "json"]
EXIT_CODES = {"covered": 0, "uncovered": 1, "undecided": 3}
_ROBOTS = (".urdf", ".xml", ".xacro")


class WithAudit(click.Command):
    """A command whose first word may be `audit`, which is another command; a file of that name is ./audit."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        if args[:1] == ["audit"]:
            return audit.make_context(f"{info_name} audit", args[1:], parent=parent, **extra)
        return super().make_context(info_name, args, parent=parent, **extra)


_shared = together(
    click.option("--package-dir", "package_dirs", multiple=True, type=click.Path(), metavar="FOLDER",
                 help="Folder with the packages of package:// names in the URDF; may be given several times."),
    click.option("--solid", is_flag=True, help="Also cover the inside of closed shapes, not only the surface."),
    click.option("--json", metavar="FILE", help="Write the results as JSON; - is the standard output."),
    click.option("--html", metavar="FILE", help="Write a page that shows the spheres."),
    click.option("--quiet", "-q", is_flag=True, help="Print errors only."),
)  # fmt: skip


@click.command(cls=WithAudit)
@click.argument("file", type=click.Path(), metavar="MESH|URDF")
@click.option(
    "--accuracy",
    callback=number(0.0, above=True),
    metavar="METRES",
    help="Radius of the smallest spheres of a tree; of a robot, how far its spheres may reach beyond it.",
)
@click.option(
    "--max-spheres",
    callback=number(1, whole=True),
    metavar="N",
    help="Maximum number of spheres; they have different radii.",
)
@click.option(
    "--ratio",
    callback=number(1.0, above=True),
    metavar="R",
    help="Approximate ratio of the radii of consecutive ranks of a tree.  [default: 2]",
)
@click.option("--unit", metavar="UNIT", help="Unit of a mesh file that has none: m, mm, cm, in, ft ...")
@click.option(
    "--write", metavar="FILE", help="Write the spheres as a sphere model; the file name gives the format."
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(FORMATS),
    help="Format of --write, if the file name does not give it.",
)
@_shared
def spheres(
    file: str,
    accuracy: float | None,
    max_spheres: int | None,
    ratio: float | None,
    unit: str | None,
    write: str | None,
    format_: str | None,
    package_dirs: Sequence[str],
    solid: bool,
    json: str | None,
    html: str | None,
    quiet: bool,
) -> None:
    """Cover a mesh or a robot with spheres, and prove the cover.

    A mesh becomes a sphere tree: ranks of ever smaller spheres. With --max-spheres or --solid it becomes a small
    number of spheres of different radii, like the links of a robot.

    keepclear spheres audit MODEL --urdf URDF audits an existing sphere model.

    Exit codes: 0 done; 2 bad input; 4 internal error.
    """

    is_robot = Path(file).suffix.lower() in _ROBOTS
    if not os.path.exists(file):  # noqa: PTH110, a name that is too long is none
        advice = did_you_mean(file, ["audit"]) or "; check the path."
        raise FileMissingError(f"there is no file '{file}'{advice}")
    if accuracy is None and max_spheres is None:
        raise ArgumentError("give --accuracy METRES, such as 0.01, or --max-spheres N, such as 256.")
    if accuracy is not None and max_spheres is not None:
        raise ArgumentError("--accuracy and --max-spheres exclude each other; leave one of them out.")
    is_tree = not is_robot and max_spheres is None and not solid
    if ratio is not None and not is_tree:
        raise ArgumentError("--ratio is for the tree of a mesh; leave it out.")
    if unit is not None and is_robot:
        raise ArgumentError("--unit is for meshes; a URDF file gives the scale of each mesh.")
    outputs = checked_outputs({"json": json, "html": html}, not_over=[file])
    if write is not None:
        _check_write(write, format_, file, is_robot)

    import keepclear as kc
    from keepclear.cli.spheres_result import BuiltResult
    from keepclear.robot.readers.urdf import read_urdf

    with progress_bar(quiet, f"reading {Path(file).name}") as progress, quiet_kernels(quiet):
        size: dict[str, Any] = {"accuracy": accuracy} if max_spheres is None else {"max_spheres": max_spheres}
        if is_robot:
            robot = read_urdf(file, tuple(package_dirs))
            model = robot.sphere_model(**size, solid=solid, progress=progress)
            built = BuiltResult(file, model=model, robot=robot)
        elif is_tree:
            tree = kc.build_sphere_tree(kc.read_mesh(file, unit=unit), **size, ratio=ratio or 2.0)
            built = BuiltResult(file, tree=tree)
        else:
            mesh = kc.read_mesh(file, unit=unit)
            cover = kc.build_sphere_cover(mesh, **size, solid=solid, progress=progress)
            built = BuiltResult(file, cover=cover, mesh=mesh)

    def spheres_of_model() -> list[str]:
        if write is None:
            return []
        built.write(write, format_)
        return [write]

    with quiet_kernels(quiet):
        publish(built, outputs, built.lines(), quiet=quiet, more=spheres_of_model)


def _check_write(write: str, format_: str | None, file: str, is_robot: bool) -> None:
    """Raise an `ArgumentError` for a file that could not be written, before the work begins."""
    from keepclear.robot.spheres.files import format_of_name

    kind = format_ or format_of_name(write)
    if kind is None:
        raise ArgumentError(f"--write {write}: the file name does not give the format; add --format.")
    if kind in ("urdf", "srdf") and not is_robot:
        raise ArgumentError(f"--write {write}: {kind.upper()} is for robots, and this is a mesh.")
    check_writable("--write", Path(write), [file])


@click.command()
@click.argument("model", type=click.Path(), metavar="MODEL")
@click.option(
    "--urdf", required=True, type=click.Path(), metavar="FILE", help="The robot with its true shapes."
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(FORMATS),
    help="Format of MODEL, if its file name does not give it.",
)
@click.option(
    "--tolerance",
    callback=number(0.0, above=True),
    default="0.0001",
    type=str,
    show_default=True,
    metavar="METRES",
    help="Maximum difference of lower and upper bounds.",
)
@_shared
def audit(
    model: str,
    urdf: str,
    format_: str | None,
    tolerance: float,
    package_dirs: Sequence[str],
    solid: bool,
    json: str | None,
    html: str | None,
    quiet: bool,
) -> None:
    """Measure how far the links of a robot stick out of a sphere model, and prove it.

    MODEL is a file of cuRobo, XRDF, URDF with spheres, SRDF or keepclear's JSON. For each link: how far its surface
    sticks out of its spheres and where, which share of it does, how far spheres reach beyond the link, and what must be
    added to its radii to cover it. Every number is a certified bound.

    Exit codes: 0 every link is proved covered; 1 a link is not covered; 2 bad input; 3 undecided.
    """
    from keepclear.cli.spheres_result import AuditResult
    from keepclear.robot.readers.urdf import read_urdf
    from keepclear.robot.spheres.audit import audit_sphere_model
    from keepclear.robot.spheres.files import parse_model_file
    from keepclear.robot.spheres.json_form import link_digest

    outputs = checked_outputs({"json": json, "html": html}, not_over=[model, urdf])
    with quiet_kernels(quiet):
        robot = read_urdf(urdf, tuple(package_dirs))
        content = parse_model_file(model, robot, format_)
        changed = [
            name for name, digest in content.digests.items() if digest != link_digest(robot.link(name))
        ]
        found = audit_sphere_model(content.model(), robot, tolerance=tolerance, solid=solid or None)
        result = AuditResult(model, found, tuple(changed))
        publish(result, outputs, result.lines(), quiet=quiet)
    raise Finished(EXIT_CODES[result.audit.state])
