"""`keepclear prepare`: builds what questions about a mesh need, once, into a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from keepclear.cli.options import number
from keepclear.cli.outputs import checked_outputs, echo_lines, write_outputs
from keepclear.cli.progress import progress_bar

if TYPE_CHECKING:
    from keepclear.geometry.trees.trees import Using

SUFFIX = ".kcm"


@click.command()
@click.argument("mesh", type=click.Path())
@click.option(
    "--output",
    "-o",
    metavar="FILE",
    help="File to write; by default the name of the mesh with .kcm, in the current folder.",
)
@click.option("--unit", type=click.Choice(["m", "cm", "mm", "um", "in", "ft"]), help="Unit of the file.")
@click.option("--scale", type=click.FloatRange(min=0.0, min_open=True), default=1.0, show_default=True,
              help="Additional factor.")  # fmt: skip
@click.option("--tree", "trees", multiple=True, type=click.Choice(["obb_tree", "box_tree"]),
              help="Build this tree instead of those that suit the mesh; may be given twice.")  # fmt: skip
@click.option("--no-hull", is_flag=True, help="Leave out the convex hull.")
@click.option("--elements", is_flag=True, help="Also find the convex elements of the mesh.")
@click.option("--spheres", callback=number(0.0, above=True), metavar="METRES",
              help="Also build a sphere tree whose smallest spheres have this radius.")  # fmt: skip
@click.option(
    "--html", metavar="FILE", help="Write a page that shows elements, holes and hull; implies --elements."
)
@click.option("--quiet", "-q", is_flag=True, help="Print errors only.")
def prepare(
    mesh: str,
    output: str | None,
    unit: str | None,
    scale: float,
    trees: tuple[str, ...],
    no_hull: bool,
    elements: bool,
    spheres: float | None,
    html: str | None,
    quiet: bool,
) -> None:
    """Build the structures that queries of a mesh need, and write them to a file.

    MESH is a file that kc.read_mesh reads: STL, OBJ, PLY, OFF, GLB, glTF, DAE, 3MF or STEP. kc.read_prepared reads the
    file back, proves what is in it, and returns a model that every query accepts in place of the mesh.
    """
    import keepclear as kc

    target = Path(output) if output is not None else Path(Path(mesh).name).with_suffix(SUFFIX)
    page = checked_outputs({"html": html}, not_over=(mesh, target))
    shape = kc.read_mesh(mesh, unit, scale=scale)
    chosen: list[Using] | None = list(trees) or None  # type: ignore[arg-type]
    with progress_bar(quiet, f"preparing {Path(mesh).name}"):
        prepared = kc.prepare(
            shape, trees=chosen, hull=not no_hull, elements=elements or html is not None, sphere_tree=spheres
        )
    kc.write_prepared(prepared, target)
    write_outputs(prepared, page)
    if quiet:
        return
    echo_lines([f"{target}: {shape!r}", *section_lines(prepared.sections)])


def section_lines(sections: dict[str, int]) -> list[str]:
    """Return a line for each section of a prepared model: its name, its bytes and what it is."""
    from keepclear.geometry.models.sections import SECTIONS

    lines = []
    for name, size in sections.items():
        what = SECTIONS[name].what if name in SECTIONS else "vertices and faces"
        lines.append(f"  {name:<11} {size / 1e6:8.2f} MB  {what}")
    return lines
