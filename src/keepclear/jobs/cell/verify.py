"""Verification from a cell file, `kc.verify("cell.yaml")`, and the evidence of what its report was made of."""

from __future__ import annotations

import datetime
import hashlib
import importlib.metadata
import os
import platform
import shlex
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from keepclear import __version__
from keepclear.checks import shown
from keepclear.errors import ArgumentError, CellError
from keepclear.files.access import read_regular_file
from keepclear.jobs.cell.cell import Cell, read_cell
from keepclear.jobs.cell.locations import with_rows
from keepclear.jobs.store.version import method_digest
from keepclear.report.groups import check_pins, pinned_report
from keepclear.report.json_file import plain
from keepclear.report.parts import CrossCheck, Evidence, FarPairs, InputFile, path_from
from keepclear.report.records import VERDICTS, PairRecords
from keepclear.report.report import Report
from keepclear.results import Verdict
from keepclear.world.verify.assumptions import in_order
from keepclear.world.verify.options import Proof
from keepclear.world.verify.units import KnownResults

if TYPE_CHECKING:
    from keepclear.world.world import World

__all__ = ["VerifyOptions", "verify"]

Progress = Callable[[int, int, str], None]
T = TypeVar("T")

_NUMBER = (int, float)
SETTINGS: dict[str, tuple[type, ...]] = {
    "program": (str,), "t0": _NUMBER, "t1": _NUMBER, "tolerance": _NUMBER, "contacts": (str,), "clearances": (bool,),
    "budget": (int,), "stepwise": _NUMBER, "models": (str,),
    "accuracy": _NUMBER, "ratio": _NUMBER, "ranks": (int,), "method": (str,), "cross_check": (bool,), "hints": (bool,),
}  # fmt: skip
"""The options that decide findings, which evidence lists, with the types of their values."""
_OF_WORLDS = (
    "t0", "t1", "tolerance", "contacts", "clearances", "curves", "budget", "threads", "scene", "method", "cross_check",
    "hints",
)  # fmt: skip
_OF_PROOFS = ("contacts", "curves", "budget", "method", "cross_check", "hints")
_OF_SPHERES = ("accuracy", "ratio", "ranks")
_FLAGS = {"clearances": "--no-clearances", "cross_check": "--cross-check"}
_RULE = "The far pairs of all programs; each program says which ones they are."
_ONLY_IN_PYTHON = {"t0", "t1", "budget"}


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyOptions:
    """The options of `kc.verify`, which fleets and the command `keepclear verify` share.

    Attributes:
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
        scene: Whether the report keeps the scene for its page.
        stepwise: Sample the motion at steps of this length [s] until the first contact, as `World.simulate` does, and
            prove nothing: the verdict is COLLIDING or UNDECIDED. Only program, t0, t1, tolerance, scene, models and
            the options of spheres apply then.
        models: What `stepwise` compares: "exact" shapes (also for None) or "spheres".
        accuracy: Radius of the smallest of these spheres [m], as in `World.simulate`; instead of that of the cell.
        ratio: About how many times smaller the spheres of the next rank are; instead of that of the cell.
        ranks: Number of ranks of spheres; instead of that of the cell.
        method: The method for pairs that swept boxes and hulls leave open, as in `World.verify`, instead of that of the
            cell.
        cross_check: Whether to repeat the checks by an independent method, as in `World.verify`.
        hints: Whether colliding pairs get hints, as in `World.verify`, here with the rows of motion files.
        pins: Objects, links, robots, or pairs such as "arm/hand - table", whose pairs come first; as `Report.pinned`.
        evidence: Whether the report gets its `evidence`: versions, date, settings, and digests of all input files.

    Examples:
        >>> import keepclear as kc
        >>> kc.VerifyOptions(contacts="all").clearances
        True
    """

    program: str | None = None
    t0: float | None = None
    t1: float | None = None
    tolerance: float | None = None
    contacts: Literal["earliest", "first", "all"] = "first"
    clearances: bool = True
    curves: int = 0
    budget: int | None = None
    threads: int | None = None
    scene: bool = False
    stepwise: float | None = None
    models: Literal["spheres", "exact"] | None = None
    accuracy: float | None = None
    ratio: float | None = None
    ranks: int | None = None
    method: Proof | None = None
    cross_check: bool = False
    hints: bool = False
    pins: Sequence[str] = ()
    evidence: bool = False

    def asked_of(self, cell: Cell) -> dict[str, Any]:
        """Return the arguments of `World.verify`; the cell gives those that are None here."""
        start, end = cell.interval or (None, None)
        own = {"t0": start, "t1": end, "tolerance": cell.tolerance, "method": cell.method}
        given = {name: getattr(self, name) for name in _OF_WORLDS}
        return given | {name: value for name, value in own.items() if given[name] is None} | {"far": cell.far}

    def changed(self, names: Iterable[str]) -> dict[str, Any]:
        """Return those of some options whose values are not the defaults."""
        usual = VerifyOptions()
        return {name: value for name in names if (value := getattr(self, name)) != getattr(usual, name)}


def options_of(who: str, options: VerifyOptions | None, given: Mapping[str, Any]) -> VerifyOptions:
    """Return options in which some are replaced by keyword arguments of a function."""
    if options is not None and not isinstance(options, VerifyOptions):
        raise ArgumentError(f"{who}: options must be kc.VerifyOptions, but it is {shown(options)}.")
    return replace(options or VerifyOptions(), **given)


def verify(
    path: str | os.PathLike[str] | Cell,
    options: VerifyOptions | None = None,
    *,
    progress: Progress | None = None,
    store: KnownResults | None = None,
    **given: Any,
) -> Report:
    """Return the verdict over a cell file: proved clear, or what touches first, when and where.

    Args:
        path: The cell file, or a cell from `kc.read_cell`.
        options: The options; None: the defaults of `kc.VerifyOptions`.
        progress: Called as progress(done, total, text); the text begins with the name of the program.
        store: A `kc.ResultStore` of results of earlier runs, as in `World.verify`.
        **given: Single options by their names in `kc.VerifyOptions`, instead of those in `options`.

    Returns:
        The report. With several programs its `programs` has one report for each, its verdict is the worst of theirs,
        and its pairs are those of all. After Ctrl-C it has the results so far: `interrupted` is True, and open pairs
        are UNDECIDED.

    Raises:
        CellError: The file has errors; it lists all of them.
        UnknownNameError: There is no such program.
        ArgumentError: An option is invalid.
    """
    asked = options_of("verify", options, given)
    if asked.stepwise is None and asked.models is not None:
        raise ArgumentError(
            "verify: models is for stepwise checks; give stepwise, the time between steps, too."
        )
    if asked.models != "spheres" and (spheres := asked.changed(_OF_SPHERES)):
        raise ArgumentError(
            f"verify: {next(iter(spheres))} is for sphere models; give stepwise and models='spheres' too."
        )
    if asked.stepwise is not None and (wrong := asked.changed(_OF_PROOFS)):
        raise ArgumentError(
            f"verify: {next(iter(wrong))} is for proofs, and stepwise samples; leave out one of them."
        )
    cell = path if isinstance(path, Cell) else read_cell(path)
    if cell.mistakes:  # read with strict=False: invalid parts were left out
        raise CellError(cell.mistakes)
    known = _object_names(cell)
    check_pins(asked.pins, known)
    programs = (asked.program,) if asked.program is not None else cell.programs or (None,)
    worlds = {
        name: cell.world(name) for name in programs
    }  # all of them first, so that errors come before any work
    spans = {name: world.span for name, world in worlds.items()}
    reports: list[Report] = []
    for name, world in worlds.items():
        if reports and reports[-1].interrupted:
            reports.append(_not_begun(cell, name, asked, spans[name]))
            continue
        call = _named_progress(progress, name)
        try:
            with world:
                report = program_report(cell, name, world, asked, store, call)
        except KeyboardInterrupt:  # while nothing was known yet
            report = _not_begun(cell, name, asked, spans[name])
        reports.append(with_rows(report, cell))
    report = reports[0] if len(reports) == 1 else merged(reports, cell.title)
    if asked.pins:
        report = pinned_report(report, asked.pins, known)
    return _with_evidence(report, cell, asked) if asked.evidence else report


def program_report(
    cell: Cell, program: str | None, world: World, options: VerifyOptions, store: KnownResults | None,
    progress: Progress | None = None,
) -> Report:  # fmt: skip
    """Return the report of one program, in its world; the report and each of its pairs have the name of the program."""
    asked = options.asked_of(cell)
    if options.stepwise is None:
        report = world.verify(**asked, progress=progress, title=cell.title, store=store)
    else:
        own = {name: asked[name] for name in ("t0", "t1", "tolerance", "scene")}
        step, models = options.stepwise, options.models or "exact"
        if models == "spheres":
            given = {name: getattr(options, name) for name in _OF_SPHERES}
            own |= dict(cell.spheres) | {name: value for name, value in given.items() if value is not None}
        report = world.sampled(step, models, **own, progress=progress, title=cell.title)
    if program is None:
        return report
    repeated = report.cross_check
    if repeated is not None:
        named = tuple(replace(one, program=program) for one in repeated.disagreements)
        repeated = replace(repeated, disagreements=named)
    return replace(report, program=program, pairs=report.records.named(program), cross_check=repeated)


def _object_names(cell: Cell) -> list[str]:
    """Return the names of all objects and links of a cell."""
    names: list[str] = []
    for name, body in cell.objects.items():
        links = [] if body.robot is None else [link.name for link in body.robot.links if link.elements]
        names += [f"{name}/{link}" for link in links] or [name]
    return names


def _not_begun(cell: Cell, program: str | None, options: VerifyOptions, span: tuple[float, float]) -> Report:
    """Return the report of a program that was not begun: nothing is known."""
    asked = options.asked_of(cell)
    return Report(
        verdict=Verdict.UNDECIDED,
        t0=span[0] if asked["t0"] is None else asked["t0"],
        t1=span[1] if asked["t1"] is None else asked["t1"],
        tolerance=asked["tolerance"],
        title=cell.title,
        program=program or "",
        interrupted=True,
    )


def _named_progress(progress: Progress | None, program: str | None) -> Progress | None:
    """Return a progress function that adds the name of the program."""
    if progress is None or program is None:
        return progress
    return lambda done, total, text: progress(done, total, f"{program}: {text}")


def merged(reports: Sequence[Report], title: str) -> Report:
    """Return the reports of several programs as one.

    Its verdict is the worst of theirs, its pairs are those of all, and each assumption occurs once. Far pairs are
    counted; the report of each program has its far pairs and groups at rest.
    """
    verdict = min((report.verdict for report in reports), key=VERDICTS.index)
    far = [report.far for report in reports if report.far is not None]
    repeated = [report.cross_check for report in reports if report.cross_check is not None]
    return Report(
        verdict=verdict,
        t0=min(report.t0 for report in reports),
        t1=max(report.t1 for report in reports),
        tolerance=max(report.tolerance for report in reports),
        pairs=PairRecords.joined(report.records for report in reports).sorted(),
        far=None
        if not far
        else FarPairs(sum(one.count for one in far), min(one.bound for one in far), _RULE),
        objects=_once(name for report in reports for name in report.objects),
        unchecked=_once(pair for report in reports for pair in report.unchecked),
        assumptions=_once(one for report in reports for one in report.assumptions),
        warnings=in_order(text for report in reports for text in report.warnings),
        title=title,
        programs=tuple(reports),
        interrupted=any(report.interrupted for report in reports),
        cross_check=None
        if not repeated
        else CrossCheck(
            n_confirmed=sum(part.n_confirmed for part in repeated),
            unconfirmed=_once(names for part in repeated for names in part.unconfirmed),
            disagreements=tuple(one for part in repeated for one in part.disagreements),
        ),
        statistics=_sums([report.statistics for report in reports]),
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


def _with_evidence(report: Report, cell: Cell, options: VerifyOptions) -> Report:
    """Return a report with its evidence, and a warning about files that were written since the check began."""
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH") or time.time())
    date = datetime.datetime.fromtimestamp(seconds, datetime.UTC)
    inputs, changed = _inputs_of(cell)
    libraries = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("numpy", "numba"))
    evidence = Evidence(
        version=__version__,
        sources=method_digest().hex()[:16],
        date=date.strftime("%Y-%m-%dT%H:%M:%SZ"),
        command=_command(cell, options, report.pins),
        platform=f"{platform.system()} {platform.machine()}, Python {platform.python_version()}, {libraries}",
        cell=cell.path.name,
        inputs=inputs,
        settings={name: getattr(options, name) for name in SETTINGS},
    )
    if changed:
        text = f"written during the check, so the digests may be of other content: {', '.join(changed)}"
        programs = tuple(replace(one, warnings=(text, *one.warnings)) for one in report.programs)
        report = replace(report, warnings=(text, *report.warnings), programs=programs)
    return replace(report, evidence=evidence, cell_path=cell.path)


def _inputs_of(cell: Cell) -> tuple[tuple[InputFile, ...], list[str]]:
    """Return the cell and the files that it names, with their digests, and those that were written since it was read.

    Both are sorted by path.
    """
    found, changed = set(), []
    for file in (cell.path, *cell.files):
        path = path_from(cell.path.parent, file)
        try:
            content, written = read_regular_file(file), Path(file).stat().st_mtime
        except OSError:  # a file that it may name, and that does not exist
            continue
        found.add((path, hashlib.sha256(content).hexdigest(), len(content)))
        changed += [path] if written > cell.read_at else []
    inputs = (InputFile(path=path, sha256=digest, size=size) for path, digest, size in sorted(found))
    return tuple(inputs), sorted(changed)


def _command(cell: Cell, options: VerifyOptions, pins: Sequence[str]) -> str:
    """Return the command for the same settings; a call in Python where the command line does not have one of them."""
    given = options.changed(SETTINGS)
    if not _ONLY_IN_PYTHON.isdisjoint(given):
        given |= {"pins": list(pins)} if pins else {}
        texts = "".join(f", {name}={plain(value)!r}" for name, value in given.items())
        return f"kc.verify({cell.path.name!r}{texts})"
    words = ["keepclear", "verify", cell.path.name]
    if options.stepwise is None:  # the command has another default than the function
        given["contacts"] = options.contacts
    for name, value in given.items():
        if name != "hints":  # the command adds them
            words += [_FLAGS[name]] if name in _FLAGS else [f"--{name}", str(value)]
    words += [word for pin in pins for word in ("--pin", pin)]
    return shlex.join(words)
