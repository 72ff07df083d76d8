"""`keepclear demo`: verifies a cell that ships in the package, in which samples miss a contact."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import click

from keepclear.cli.outputs import echo_lines
from keepclear.cli.progress import progress_bar, quiet_kernels
from keepclear.cli.summary import verdict_style

if TYPE_CHECKING:
    from keepclear.report.report import Report
    from keepclear.results import Verdict

CELL = Path(__file__).parents[2] / "jobs" / "cell" / "demo"
SAMPLES, DURATION = 100, 8.0  # of the sampled check; of the programs [s]
NEEDED = (
    "motion.state:poses_at,fill_span", "motion.path_length:path_lengths", "triangles.components:find_seeds",
    "convex.pose", "convex.gjk:distance_one", "trees.mesh_convex:distance",
    "advance.convex:advance_pairs,fill_pairs", "advance.minimum:least_pairs", "advance.surface_bounds",
    "advance.hull_windows", "advance.triangles:closest_corners", "advance.mesh_pair", "broad_phase.swept",
    "broad_phase.tree", "trees.obb_tree:build", "box_trees.tree:build", "box_trees.pair:collide",
    "box_trees.containment", "trees.cold_distance:distance", "trees.contact_points:cut_hits",
    "trees.obb_pair:collide", "trees.winding:winding", "triangles.triangle_cut:cut",
    "triangles.exact:meet_exactly",
)  # fmt: skip
"""Kernels that the demo uses, in the order in which two processes take them from both ends: they share little."""


@click.command()
@click.option("--out", type=click.Path(file_okay=False), default="keepclear-demo", show_default=True, metavar="FOLDER",
              help="Folder for a copy of the cell and for its report.")  # fmt: skip
def demo(out: str) -> None:
    """Verify an included cell, and show a contact that sampling misses.

    A cart brings a part, and an arm reaches through an arch to take it. One program grazes a fin of the arch for a
    few milliseconds; the other one was corrected.
    """
    import keepclear as kc
    from keepclear.cli.commands.verify import CURVE_INSTANTS, run

    folder = copy_cell(Path(out))
    cell, page = folder / "cell.yaml", folder / "report.html"
    echo_lines(["A cart brings a part, and an arm reaches through an arch to take it.\n"])
    prepare_kernels()
    options = kc.VerifyOptions(scene=True, curves=CURVE_INSTANTS, contacts="all", evidence=True)
    report = run(cell, options)
    for program in report.programs[:1]:
        touching = sampled_contacts(cell, program)
        said = (
            f"contact in {len(touching)} of them" if touching else click.style("clear", fg="green", bold=True)
        )
        echo_lines([f"sampled check  program '{program.program}' at {SAMPLES} poses: {said}"])
    for program in report.programs:
        echo_lines([f"keepclear      program '{program.program}' at every instant: {_judged(program)}"])
    report.to_html(page)
    echo_lines([
        f"\nreport  {page}   (open it in a browser, or: keepclear view {page})", f"repeat  keepclear verify {cell}",
    ])  # fmt: skip


def copy_cell(folder: Path) -> Path:
    """Copy the cell of the demo into a folder, which is made if need be, and return it."""
    from keepclear.errors import ArgumentError

    try:
        shutil.copytree(CELL, folder, dirs_exist_ok=True)
    except (OSError, shutil.Error) as error:
        why = getattr(error, "strerror", None) or "some files cannot be copied"
        raise ArgumentError(
            f"--out {folder}: the cell cannot be copied there ({why}); choose another folder."
        ) from error
    return folder


def prepare_kernels() -> None:
    """Compile what the demo needs, if nothing has been compiled yet, in parallel processes."""
    from keepclear.compiler import cache_folders, warmup

    is_plain = os.environ.get("NUMBA_DISABLE_JIT", "0") != "0"  # there is nothing to compile
    groups = [f"keepclear.kernels.{name}" for name in NEEDED]
    if is_plain or cache_folders.cache_folder() is None or warmup.is_stored(groups[0]):
        return
    with progress_bar(first="compiling kernels, once") as show:
        for done, _ in enumerate(warmup.compile_all(groups), start=1):
            if show is not None:
                show(done, max(done, warmup.count_entry_points(groups)), "compiling kernels, once")


def sampled_contacts(cell: Path, report: Report) -> list[float]:
    """Return the equally spaced instants at which a checked pair of the report touches [s], as simulations do."""
    import numpy as np

    import keepclear as kc

    with quiet_kernels():
        world = kc.read_cell(cell).world(report.program)
        times = np.linspace(report.t0, report.t1, SAMPLES)
        return [float(t) for t in times if world.collisions(t, at_rest=False)]


def _judged(report: Report) -> str:
    """Return the verdict of a program in a few words."""
    from keepclear.results import Verdict

    first = report.first
    if first is not None and first.time is not None:
        word = _coloured("contact", report.verdict)
        step = DURATION / (SAMPLES - 1)
        k = int(first.time / step)
        contact = first.contacts[0] if first.contacts else None
        lasting = ""
        if contact is not None and contact.t_end is not None:
            lasting = f"for {1e3 * (contact.t_end - contact.time):.0f} ms, "
        return (
            f"{word} at t = {first.time:.4f} s between '{first.a}' and '{first.b}'\n"
            f"{'':15}{lasting}between the samples at {k * step:.4f} and {(k + 1) * step:.4f} s"
        )
    if report.verdict is not Verdict.CLEAR or not report.pairs:
        return _coloured(report.verdict.value.lower(), report.verdict)
    least = min(report.pairs, key=lambda pair: pair.clearance_lower)
    spare = int(1e4 * least.clearance_lower) / 10.0  # rounded down: what is proved
    return f"{_coloured('proved clear', report.verdict)} with {spare:.1f} mm to spare"


def _coloured(text: str, verdict: Verdict) -> str:
    return click.style(text, fg=verdict_style(verdict), bold=True)
