"""The page of a cell that is being written: where everything is over time, and what is wrong; nothing is verified."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from keepclear.cell.cell import Cell
    from keepclear.report.report import Report

__all__ = ["CellPage", "cell_page", "cell_report"]


@dataclass(frozen=True, slots=True)
class CellPage:
    """What a page shows, and what it depends on.

    Attributes:
        report: A report that checks nothing, with a scene for each program.
        mistakes: One line for each error of the cell file.
        files: The cell file and all files that it names; when one of them changes, so does the page.
    """

    report: Report
    mistakes: tuple[str, ...]
    files: tuple[Path, ...]

    def html(self) -> str:
        """Return the page."""
        return self.report.to_html()


def cell_page(path: str | os.PathLike[str]) -> CellPage:
    """Return the page of a cell file as it is now, with all that is right in it."""
    import keepclear as kc

    try:
        cell = kc.read_cell(path, strict=False)
    except kc.KeepclearError as error:  # the file is gone: editors replace files
        return CellPage(_empty(Path(path).name, (str(error),)), (str(error),), (Path(path),))
    return CellPage(cell_report(cell), cell.mistakes, tuple(dict.fromkeys((Path(path), *cell.files))))


def cell_report(cell: Cell) -> Report:
    """Return a report that checks nothing and shows the cell in motion, one for each of its programs."""
    programs = [_one(cell, program) for program in cell.programs or (None,)]
    if len(programs) == 1:
        return programs[0]
    first, last = min(program.t0 for program in programs), max(program.t1 for program in programs)
    top = replace(programs[0], program="", scene=None, t0=first, t1=last)
    return replace(top, programs=tuple(programs))


def _one(cell: Cell, program: str | None) -> Report:
    """Return one program of a cell in motion."""
    import keepclear as kc

    empty = replace(_empty(cell.title, tuple(cell.mistakes)), tolerance=cell.tolerance, program=program or "")
    world = cell.world(program)
    if not len(world):
        return empty
    start, end = cell.interval or (None, None)
    try:
        seen = world.unverified(start, end, tolerance=cell.tolerance)
    except kc.KeepclearError as error:
        return replace(empty, warnings=(*empty.warnings, str(error)))
    finally:
        world.close()
    return replace(
        empty,
        t0=seen.t0,
        t1=seen.t1,
        assumptions=seen.assumptions,
        warnings=tuple(dict.fromkeys((*empty.warnings, *seen.warnings))),
        scene=seen.scene,
    )


def _empty(title: str, mistakes: tuple[str, ...]) -> Report:
    import keepclear as kc

    return kc.Report(
        verdict=kc.Verdict.UNDECIDED, t0=0.0, t1=0.0, tolerance=0.0, title=title, warnings=mistakes
    )
