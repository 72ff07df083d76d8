"""`keepclear prepare`: builds what questions about a mesh need, once, into a file."""

from __future__ import annotations

from pathlib import Path

import click

SUFFIX = ".kcm"


@click.command()
@click.argument("mesh", type=click.Path())
@click.option(
    "--output",
    "-o",
    metavar="FILE",
    help="The file to write; by default the name of the mesh with .kcm, here.",
)
@click.option(
    "--unit", type=click.Choice(["m", "cm", "mm", "um", "in", "ft"]), help="What one unit of the file is."
)
@click.option("--scale", type=click.FloatRange(min=0.0, min_open=True), default=1.0, show_default=True,
              help="A factor on top.")  # fmt: skip
@click.option("--tree", "trees", multiple=True, type=click.Choice(["obb_tree", "box_tree"]),
              help="Build this tree, in place of those that suit the mesh; may be given twice.")  # fmt: skip
@click.option("--no-hull", is_flag=True, help="Leave out the convex hull.")
@click.option("--quiet", "-q", is_flag=True, help="Print nothing but errors.")
def prepare(
    mesh: str,
    output: str | None,
    unit: str | None,
    scale: float,
    trees: tuple[str, ...],
    no_hull: bool,
    quiet: bool,
) -> None:
    """Build what questions about a mesh need, once, into a file.

    MESH is a file that kc.read_mesh reads: STL, OBJ, PLY, OFF, GLB, glTF, DAE, 3MF or STEP. kc.read_prepared reads
    what is written, proves all of it, and gives a model that stands for the mesh in every question.
    """
    import keepclear as kc

    shape = kc.read_mesh(mesh, unit, scale=scale)
    chosen: list[kc.preprocess.trees.Using] | None = list(trees) or None  # type: ignore[arg-type]
    prepared = kc.prepare(shape, trees=chosen, hull=not no_hull)
    target = Path(output) if output is not None else Path(Path(mesh).name).with_suffix(SUFFIX)
    kc.write_prepared(prepared, target)
    if quiet:
        return
    click.echo(f"{target}: {shape!r}")
    for line in section_lines(prepared.sections):
        click.echo(line)


def section_lines(sections: dict[str, int]) -> list[str]:
    """Return a line for each section of a prepared model: its name, its bytes and what it is."""
    from keepclear.preprocess.sections import SECTIONS

    lines = []
    for name, size in sections.items():
        what = SECTIONS[name].what if name in SECTIONS else "vertices and faces"
        lines.append(f"  {name:<10} {size / 1e6:8.2f} MB  {what}")
    return lines
