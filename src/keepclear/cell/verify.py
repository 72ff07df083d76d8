"""Verification from a cell file: `kc.verify("cell.yaml")`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, TypeVar

from keepclear.cell.cell import Cell, read_cell
from keepclear.cell.evidence import changed_since, evidence_of
from keepclear.cell.locations import with_rows
from keepclear.errors import ArgumentError, CellError
from keepclear.report.cross_check import CrossCheck
from keepclear.report.groups import check_pins, pinned_report
from keepclear.report.records import VERDICTS, PairRecords
from keepclear.report.report import FarPairs, Report
from keepclear.results import Verdict
from keepclear.world.assumptions import in_order
from keepclear.world.task import Proof
from keepclear.world.units import KnownResults

__all__ = ["merged", "verify"]


Progress = Callable[[int, int, str], None]


def verify(
    path: str | os.PathLike[str] | Cell,
    *,
    program: str | None = None,
    t0: float | None = None,
    t1: float | None = None,
    tolerance: float | None = None,
    contacts: Literal["earliest", "first", "all"] = "first",
    clearances: bool = True,
    curves: int = 0,
    budget: int | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    scene: bool = False,
    stepwise: float | None = None,
    models: Literal["spheres", "exact"] | None = None,
    method: Proof | None = None,
    cross_check: bool = False,
    hints: bool = False,
    pins: Sequence[str] = (),
    evidence: bool = False,
    store: KnownResults | None = None,
) -> Report:
    """Return the verdict over a cell file: proved clear, or what touches first, when and where.

    Args:
        path: The cell file, or a cell from `kc.read_cell`.
        program: One program of the cell; None: all of them, or the motions of the objects where there are none.
        t0: Start of the interval [s], instead of that of the cell.
        t1: Its end [s].
        tolerance: A pair whose minimum distance exceeds its margin by less than this may get either verdict [m];
            instead of that of the cell.
        contacts: The "first" of each pair, "all" of them, or only the "earliest" of all pairs, as in `World.verify`.
        clearances: Whether to find the minimum distance of each pair.
        curves: At how many instants to bound the distance of each pair; 0: no curves.
        budget: Maximum number of distances for a pair before it is UNDECIDED; None: no limit.
        threads: Number of threads; None: one for each processor. The answer does not depend on it.
        progress: Called as progress(done, total, text); the text begins with the name of the program.
        scene: Whether the report keeps the scene for its page.
        stepwise: Sample the motion at steps of this length [s] until the first contact, as `World.simulate` does, and
            prove nothing: the verdict is COLLIDING or UNDECIDED. Only program, t0, t1, tolerance, progress, scene and
            models apply then.
        models: What `stepwise` compares: "exact" shapes (also for None) or "spheres".
        method: The method for pairs that swept boxes and hulls leave open, as in `World.verify`, instead of that of the
            cell.
        cross_check: Whether to repeat the checks by an independent method, as in `World.verify`.
        hints: Whether colliding pairs get hints, as in `World.verify`, here with the rows of motion files.
        pins: Objects, links, robots, or pairs such as "arm/hand - table", whose pairs come first; as `Report.pinned`.
        evidence: Whether the report gets its `evidence`: versions, date, settings, and digests of all input files.
        store: A `kc.ResultStore` of results of earlier runs, as in `World.verify`.

    Returns:
        The report. With several programs its `programs` has one report for each, its verdict is the worst of theirs,
        and its pairs are those of all. After Ctrl-C it has the results so far: `interrupted` is True, and open pairs
        are UNDECIDED.

    Raises:
        CellError: The file has errors; it lists all of them.
        UnknownNameError: There is no such program.
        ArgumentError: An option is invalid.
    """
    _check_stepwise(stepwise, models, {
        "contacts": contacts != "first", "curves": curves, "budget": budget, "method": method,
        "cross_check": cross_check, "hints": hints,
    })  # fmt: skip
    cell = path if isinstance(path, Cell) else read_cell(path)
    if cell.mistakes:  # read with strict=False: invalid parts were left out
        raise CellError(cell.mistakes)
    known = _object_names(cell)
    check_pins(pins, known)
    names: tuple[str | None, ...] = (program,) if program is not None else cell.programs or (None,)
    worlds = {
        name: cell.world(name) for name in names
    }  # all of them first, so that errors are raised before any work
    spans = {name: world.span for name, world in worlds.items()}
    start, end = cell.interval or (None, None)
    options: dict[str, Any] = {
        "t0": start if t0 is None else t0,
        "t1": end if t1 is None else t1,
        "tolerance": cell.tolerance if tolerance is None else tolerance,
        "contacts": contacts,
        "clearances": clearances,
        "far": cell.far,
        "curves": curves,
        "budget": budget,
        "threads": threads,
        "scene": scene,
        "method": cell.method if method is None else method,
        "cross_check": cross_check,
        "hints": hints,
    }
    reports: list[Report] = []
    for name in names:
        if reports and reports[-1].interrupted:
            reports.append(_not_begun(cell, name, options, spans[name]))
            continue
        call = None if progress is None else _named_progress(progress, name)
        try:
            if stepwise is None:
                report = worlds[name].verify(**options, progress=call, title=cell.title, store=store)
            else:
                report = worlds[name].sampled(
                    stepwise, models or "exact", t0=options["t0"], t1=options["t1"], tolerance=options["tolerance"],
                    scene=scene, progress=call, title=cell.title,
                )  # fmt: skip
        except KeyboardInterrupt:  # while nothing was known yet
            report = _not_begun(cell, name, options, spans[name])
        finally:
            worlds[name].close()
        reports.append(with_rows(_named(report, name), cell))
    report = reports[0] if len(reports) == 1 else merged(reports, cell.title)
    if pins:
        report = pinned_report(report, pins, known)
    if not evidence:
        return report
    settings = {
        "program": program, "t0": t0, "t1": t1, "tolerance": tolerance, "contacts": contacts, "clearances": clearances,
        "budget": budget, "stepwise": stepwise, "models": models, "method": method, "cross_check": cross_check,
        "hints": hints,
    }  # fmt: skip
    return _with_evidence(report, cell, settings)


def _object_names(cell: Cell) -> list[str]:
    """Return the names of all objects and links of a cell."""
    names: list[str] = []
    for name, body in cell.objects.items():
        links = [] if body.robot is None else [link.name for link in body.robot.links if link.elements]
        names += [f"{name}/{link}" for link in links] or [name]
    return names


def _with_evidence(report: Report, cell: Cell, settings: dict[str, Any]) -> Report:
    """Return a report with its evidence, and a warning about files that were written since the check began."""
    found = evidence_of(cell, settings, report.pins)
    changed = changed_since(cell, cell.read_at)
    if changed:
        text = f"written during the check, so the digests may be of other content: {', '.join(changed)}"
        programs = tuple(replace(one, warnings=(text, *one.warnings)) for one in report.programs)
        report = replace(report, warnings=(text, *report.warnings), programs=programs)
    return replace(report, evidence=found, cell_path=cell.path)


def _check_stepwise(stepwise: object, models: object, others: dict[str, object]) -> None:
    """Raise if options of a simulation are given without one, or options of a proof with one."""
    if stepwise is None and models is not None:
        raise ArgumentError(
            "verify: models is for stepwise checks; give stepwise, the time between steps, too."
        )
    wrong = [name for name, value in others.items() if value]
    if stepwise is not None and wrong:
        raise ArgumentError(f"verify: {wrong[0]} is for proofs, and stepwise samples; leave out one of them.")


def _named(report: Report, program: str | None) -> Report:
    """Return a report, and each of its pairs, with the name of its program."""
    if program is None:
        return report
    repeated = report.cross_check
    if repeated is not None:
        named = tuple(replace(one, program=program) for one in repeated.disagreements)
        repeated = replace(repeated, disagreements=named)
    return replace(report, program=program, pairs=report.records.named(program), cross_check=repeated)


def _not_begun(cell: Cell, program: str | None, options: dict[str, Any], span: tuple[float, float]) -> Report:
    """Return the report of a program that was not begun: nothing is known."""
    return Report(
        verdict=Verdict.UNDECIDED,
        t0=span[0] if options["t0"] is None else options["t0"],
        t1=span[1] if options["t1"] is None else options["t1"],
        tolerance=options["tolerance"],
        title=cell.title,
        program=program or "",
        interrupted=True,
    )


def _named_progress(progress: Progress, program: str | None) -> Progress:
    """Return a progress function that adds the name of the program."""

    def call(done: int, total: int, text: str) -> None:
        progress(done, total, f"{program}: {text}")

    return progress if program is None else call


T = TypeVar("T")


def merged(reports: Sequence[Report], title: str) -> Report:
    """Return the reports of several programs as one.

    Its verdict is the worst of theirs, its pairs are those of all, and each assumption occurs once. Far pairs are
    counted; the report of each program has its far pairs and groups at rest.
    """
    verdict = min((report.verdict for report in reports), key=VERDICTS.index)
    return Report(
        verdict=verdict,
        t0=min(report.t0 for report in reports),
        t1=max(report.t1 for report in reports),
        tolerance=max(report.tolerance for report in reports),
        pairs=PairRecords.joined(report.records for report in reports).sorted(),
        far=_all_far([report.far for report in reports if report.far is not None]),
        objects=_once(name for report in reports for name in report.objects),
        unchecked=_once(pair for report in reports for pair in report.unchecked),
        assumptions=_once(one for report in reports for one in report.assumptions),
        warnings=in_order(text for report in reports for text in report.warnings),
        title=title,
        programs=tuple(reports),
        interrupted=any(report.interrupted for report in reports),
        cross_check=_all_repeated(
            [report.cross_check for report in reports if report.cross_check is not None]
        ),
        statistics=_sums([report.statistics for report in reports]),
    )


def _all_far(parts: Sequence[FarPairs]) -> FarPairs | None:
    """Return the far pairs of several programs: how many, and what holds for all of them."""
    if not parts:
        return None
    rule = "The far pairs of all programs; each program says which ones they are."
    return FarPairs(count=sum(far.count for far in parts), bound=min(far.bound for far in parts), rule=rule)


def _all_repeated(parts: Sequence[CrossCheck]) -> CrossCheck | None:
    """Return the cross-check of several programs; None if no findings were repeated."""
    if not parts:
        return None
    return CrossCheck(
        n_confirmed=sum(part.n_confirmed for part in parts),
        unconfirmed=_once(names for part in parts for names in part.unconfirmed),
        disagreements=tuple(one for part in parts for one in part.disagreements),
    )


def _once(things: Iterable[T]) -> tuple[T, ...]:
    """Return values without repetitions, in order."""
    return tuple(dict.fromkeys(things))


def _sums(counts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the sums of counts by name; other values are ignored."""
    total: dict[str, Any] = {}
    for one in counts:
        for name, value in one.items():
            if isinstance(value, Mapping):
                total[name] = _sums([total.get(name, {}), value])
            elif isinstance(value, int | float) and not isinstance(value, bool):
                total[name] = total.get(name, 0) + value
    return total
