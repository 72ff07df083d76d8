"""A cell: the content of its file, read, built and ready to be checked."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from keepclear.checks import checked_path
from keepclear.errors import CellError, KeepclearError, UnknownNameError
from keepclear.files.yaml import Document, Place, read_document
from keepclear.jobs.cell.building import Builder, CellObject, KnownRobots, has_pose, plain, pose_of
from keepclear.jobs.cell.motions import CellMotion, build_motion
from keepclear.jobs.cell.validation import Specs, check_references, validated
from keepclear.jobs.motion_files.samples import Options, Source
from keepclear.motion.joints.program import JointTrajectory
from keepclear.motion.trajectory import PoseTrajectory
from keepclear.names import counted, did_you_mean, listed
from keepclear.world.verify.options import Proof

if TYPE_CHECKING:
    from keepclear.world.world import World

__all__ = ["Cell", "build_cell", "read_cell"]


DEFAULT_TOLERANCE = 1e-3
DEFAULT_FAR = 0.1


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Cell:
    """The content of a cell file; `kc.read_cell` makes one.

    Attributes:
        path: The file.
        title: Title of the report.
        tolerance: A pair whose minimum distance exceeds its margin by less than this may get either verdict [m].
        interval: The checked time interval [s], None: the span of the motions.
        far: Pairs that stay farther apart are reported with this bound only [m].
        method: The method for pairs that swept boxes and hulls leave open.
        spheres: Options of sphere models for stepwise checks: accuracy [m], ratio, ranks.
        objects: The objects that could be built, by name.
        motions: Motions of objects outside of programs.
        program_motions: Motions by program and object.
        files: The files that it names, including missing ones, with the meshes of its robots.
        read_at: When reading of them began [s since 1970]; 0 where that is unknown.
    """

    path: Path
    title: str
    tolerance: float
    interval: tuple[float, float] | None
    far: float
    method: Proof
    spheres: Mapping[str, Any]
    objects: Mapping[str, CellObject]
    motions: Mapping[str, CellMotion]
    program_motions: Mapping[str, Mapping[str, CellMotion]]
    files: tuple[Path, ...]
    _document: Document = field(repr=False)
    _specs: Specs = field(repr=False)
    read_at: float = 0.0

    @property
    def mistakes(self) -> tuple[str, ...]:
        """One line for each error, `file:line:column: where: what`; none unless read with strict=False."""
        return self._document.mistakes

    @property
    def programs(self) -> tuple[str, ...]:
        """The names of the programs, in the order of the file; none where objects have one motion each."""
        return tuple(self.program_motions)

    def world(self, program: str | None = None) -> World:
        """Return a new world with all objects of the cell.

        Args:
            program: The program whose motions replace those of the objects that it names; None: no program.

        Raises:
            UnknownNameError: There is no such program.
        """
        world = self._built(program)[0]
        for mistake in self.mistakes:  # their subjects are left out
            world.warn(mistake)
        return world

    def _built(self, program: str | None) -> tuple[World, list[tuple[Place, str]]]:
        """Return a world of everything that fits together, and the errors of the rest."""
        from keepclear.world.world import World

        motions = dict(self.motions)
        if program is not None:
            motions |= self._motions_of(program)
        world = World()
        mistakes: list[tuple[Place, str]] = []
        self._add_objects(world, motions, mistakes)
        self._add_rules(world, program, mistakes)
        return world, mistakes

    def _motions_of(self, program: str) -> Mapping[str, CellMotion]:
        if program in self.program_motions:
            return self.program_motions[program]
        has = f"it has {counted(len(self.programs), 'program')}: {listed(self.programs)}"
        hint = did_you_mean(str(program), self.programs, has if self.programs else "it has no programs")
        raise UnknownNameError(f"cell '{self._document.file}' has no program '{program}'{hint}")

    def _add_objects(
        self, world: World, motions: Mapping[str, CellMotion], mistakes: list[tuple[Place, str]]
    ) -> None:
        for name, body in self.objects.items():
            spec = self._specs.objects[name]
            moving = motions.get(name)
            motion = None if moving is None else moving.motion
            with _noted(mistakes, ("objects", name)):
                if body.robot is not None:
                    assert not isinstance(motion, PoseTrajectory)
                    world.add_robot(name, body.robot, body.q if motion is None else motion, body.X_W)
                else:
                    assert not isinstance(motion, JointTrajectory)
                    shapes = list(body.shapes)
                    shape = (
                        shapes[0][0]
                        if len(shapes) == 1 and np.array_equal(shapes[0][1], np.eye(4))
                        else shapes
                    )
                    world.add(name, shape, body.X_W if motion is None else motion)
                if spec is not None and spec.margin is not None:
                    world.set_margin(name, None, spec.margin)
                if spec is not None and spec.path_tolerance is not None:
                    lag = spec.path_tolerance
                    world.set_path_tolerance(name, distance=lag.distance, time=lag.time)
            for found in (body, moving):
                for note in () if found is None else found.assumptions:
                    world.assume(note.kind, note.subject, note.text)
                for text in () if found is None else found.warnings:
                    world.warn(text)
            if body.robot is not None and body.q is None and motion is None:
                world.warn(
                    f"{name}: the cell gives neither a motion nor joint values at rest: it stays in its zero pose"
                )
        for text in self._specs.settings.notes or ():
            world.assume("note", "cell", text)
        if not motions:
            world.warn("nothing in this cell moves: it is checked at rest")

    def _add_rules(self, world: World, program: str | None, mistakes: list[tuple[Place, str]]) -> None:
        """Set the pairs of the world; rules about missing objects are left out."""
        for place, entry in self._specs.allowed:
            if not is_about(entry, program):
                continue
            with _noted(mistakes, place):
                if isinstance(entry, list):
                    world.allow(entry[0], entry[1])
                else:
                    a, b = entry.pair
                    world.allow(a, b, t_from=entry.from_, t_to=entry.to, reason=entry.reason or "")
        seen: set[frozenset[str]] = set()
        for place, margin in self._specs.margins:
            if not is_about(margin, program):
                continue
            if frozenset(margin.pair) in seen:
                a, b = margin.pair
                mistakes.append((place, f"the pair {a!r} - {b!r} already has a margin; keep one of them"))
            seen.add(frozenset(margin.pair))
            with _noted(mistakes, place):
                world.set_margin(margin.pair[0], margin.pair[1], margin.margin)
        if self._specs.only:
            with _noted(mistakes, ("only",)):
                world.only(
                    [entry if isinstance(entry, str) else tuple(entry) for _, entry in self._specs.only]
                )
        for name, body in self.objects.items():
            spec = self._specs.objects[name]
            if spec is not None and spec.tool is not None:
                with _noted(mistakes, ("objects", name, "tool")):
                    world.attach(name, f"{spec.tool.of}/{spec.tool.link}", X_LA=body.X_LA)
        for place, attached in self._specs.attached:
            if not is_about(attached, program):
                continue
            X_LA = pose_of(attached, Source("", Options()))[0] if has_pose(attached) else None
            with _noted(mistakes, place):
                world.attach(attached.object, attached.to, attached.from_, attached.until, X_LA=X_LA)

    def __repr__(self) -> str:
        programs = f", {counted(len(self.programs), 'program')}" if self.programs else ""
        wrong = f", {counted(len(self.mistakes), 'error')}" if self.mistakes else ""
        return f"Cell('{self._document.file}', {counted(len(self.objects), 'object')}{programs}{wrong})"


def read_cell(path: str | os.PathLike[str], strict: bool = True) -> Cell:
    """Return the content of a cell file, with all files that it names read.

    Args:
        path: A YAML file; the reference page on cell files describes the format. Paths in it are relative to its
            folder.
        strict: False returns what could be built in spite of errors, which `cell.mistakes` lists; for viewing a cell
            while it is being written.

    Raises:
        CellError: The file has errors; it lists all of them, each as `file:line:column: where: what, and what to do`.
        FileMissingError: There is no such file.
    """
    file, begun = checked_path("read_cell", path, "a cell file"), time.time()
    return build_cell(file, read_document(file, os.fspath(path)), strict, read_at=begun)


def build_cell(
    file: Path,
    document: Document,
    strict: bool = True,
    robots: KnownRobots | None = None,
    read_at: float = 0.0,
) -> Cell:
    """Return the content of a cell's document, with all files that it names read, relative to a file.

    `robots` has those of cells that were read before in the same run, `read_at` is when the document was read.
    """
    specs = validated(document)
    builder = Builder(document, file.parent, robots)
    built = {
        name: None if spec is None else builder.object(name, spec) for name, spec in specs.objects.items()
    }
    objects = {name: body for name, body in built.items() if body is not None}
    motions, program_motions = _motions(document, builder, specs, objects)
    for place, attached in specs.attached:
        builder.pose(place, attached, [])
    check_references(document, specs, objects)
    _check_complete(document, specs, objects, motions, program_motions)
    settings = specs.settings
    cell = Cell(
        path=file,
        title=settings.title or file.name,
        tolerance=DEFAULT_TOLERANCE if settings.tolerance is None else settings.tolerance,
        interval=None if settings.interval is None else (settings.interval[0], settings.interval[1]),
        far=DEFAULT_FAR if settings.far is None else settings.far,
        method=settings.method or "hybrid",
        spheres={} if settings.spheres is None else settings.spheres.model_dump(exclude_none=True),
        objects=objects,
        motions=motions,
        program_motions=program_motions,
        files=tuple(builder.files),
        _document=document,
        _specs=specs,
        read_at=read_at,
    )
    _check_covered(cell)
    if not document.mistakes:
        for program in cell.programs or (None,):
            for place, text in cell._built(program)[1]:
                document.add(place, text)
    if strict and document.mistakes:
        raise CellError(document.mistakes)
    return cell


def _check_complete(
    document: Document, specs: Specs, objects: Mapping[str, CellObject], motions: Mapping[str, CellMotion],
    program_motions: Mapping[str, Mapping[str, CellMotion]],
) -> None:  # fmt: skip
    """Record an error for each entry that was not built, unless another error explains it."""
    if document.mistakes:
        return
    missing: list[Place] = [("objects", name) for name in specs.objects if name not in objects]
    for name, spec in specs.objects.items():
        if spec is not None and spec.motion is not None and name not in motions:
            missing.append(("objects", name, "motion"))
    for program, entries in specs.programs.items():
        missing += [("programs", program, name) for name in entries if name not in program_motions[program]]
    for key in ("allowed", "margins", "only", "attached"):
        read = [place for place, _ in getattr(specs, key)]
        missing += [(key, k) for k in range(len(document.value.get(key) or ())) if (key, k) not in read]
    for place in missing:
        document.add(
            place, "it cannot be built from these values; compare them with the reference of cell files"
        )


def _motions(
    document: Document, builder: Builder, specs: Specs, objects: Mapping[str, CellObject]
) -> tuple[dict[str, CellMotion], dict[str, dict[str, CellMotion]]]:
    """Return the motions of objects, and those of programs."""
    own: dict[str, CellMotion] = {}
    programs: dict[str, dict[str, CellMotion]] = {program: {} for program in specs.programs}

    def add(found: dict[str, CellMotion], place: Place, name: str, spec: Any) -> None:
        owner = specs.objects.get(name)
        if spec is None or owner is None:
            return
        motion = build_motion(document, builder, place, spec, owner, objects.get(name))
        found |= {} if motion is None else {name: motion}

    for name, body in specs.objects.items():
        add(own, ("objects", name, "motion"), name, None if body is None else body.motion)
    for program, entries in specs.programs.items():
        for name, entry in entries.items():
            add(programs[program], ("programs", program, name), name, entry)
    return own, programs


@contextmanager
def _noted(mistakes: list[tuple[Place, str]], place: Place) -> Iterator[None]:
    """Record errors of the library at a position."""
    try:
        yield
    except KeepclearError as error:
        mistakes.append((place, plain(error)))


def is_about(rule: object, program: str | None) -> bool:
    """Return whether a rule counts in a program; without a program those count that name none."""
    named = getattr(rule, "program", None)
    return named is None or program == named or (not isinstance(named, str) and program in named)


def _check_covered(cell: Cell) -> None:
    """Record an error for each motion that is undefined in a part of the interval in which it is needed.

    The interval is the one that the cell gives, or the span of all motions.
    """
    carried = {
        entry.object for _, entry in cell._specs.attached
    }  # the world knows the times of their motions
    places: dict[str, Place] = {name: ("objects", name, "motion") for name in cell.motions}
    for program, motions in cell.program_motions.items() or [("", {})]:
        at = places | {name: ("programs", program, name) for name in motions}
        moving = {
            name: one for name, one in (dict(cell.motions) | dict(motions)).items() if name not in carried
        }
        span = cell.interval or (
            min((one.motion.t_start for one in moving.values()), default=0.0),
            max((one.motion.t_end for one in moving.values()), default=0.0),
        )
        for name, one in moving.items():
            _check_span(cell._document, at[name], one, span)


def _check_span(document: Document, place: Place, one: CellMotion, span: tuple[float, float]) -> None:
    motion = one.motion
    for needed, is_short, side, end in (
        (span[0], span[0] < motion.t_start, "before", motion.t_start),
        (span[1], span[1] > motion.t_end, "after", motion.t_end),
    ):
        if is_short and motion.hold not in ("both", side):
            text = f"it is not defined {side} {end:g} s, but {needed:g} s is needed"
            advice = f"let it rest there with hold: {side} or both, or give an interval within its times"
            document.add(place, f"{text}; {advice}")
