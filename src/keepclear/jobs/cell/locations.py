"""Source positions: the row of a motion at a time, else the lines of a cell about an object; hints name such rows."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from keepclear.checks import FloatArray
from keepclear.errors import KeepclearError
from keepclear.files.access import MAX_TEXT_SIZE, read_regular_file
from keepclear.files.yaml import Document, Place, read_document
from keepclear.jobs.cell.cell import Cell, is_about
from keepclear.jobs.cell.motions import source_of
from keepclear.jobs.cell.validation import validated
from keepclear.jobs.motion_files.reading import TABLES
from keepclear.jobs.motion_files.samples import Failed, Source
from keepclear.jobs.motion_files.table_motions import TIME_NAMES, row_times, time_column
from keepclear.jobs.motion_files.tables import read_table
from keepclear.report.parts import Hint, Waypoints
from keepclear.report.report import Report
from keepclear.report.words import fix_text

_ROWS = ("positions", "poses", "q", "q_deg", "times")  # keys of samples that have an entry for each time


class Location(NamedTuple):
    """A position in a file; line and column count from 1."""

    file: str
    line: int = 1
    column: int = 1


class Samples(NamedTuple):
    """The times of the samples of a motion (n,) [s], and the position of each by its number."""

    times: FloatArray
    at: Callable[[int], Location]


class CellLines:
    """The lines of a cell file and of the motion files that it names. A file that cannot be read has only line 1.

    Args:
        path: The cell file as given by the user.
    """

    def __init__(self, path: str) -> None:
        self._path, self._folder = path, Path(path).parent
        self._tables: dict[tuple[Place, str], tuple[FloatArray, tuple[int, ...]] | None] = {}
        self._document = Document(path, None)  # of a file that cannot be read
        with suppress(KeepclearError):
            self._document = read_document(Path(path), path)
        self._specs = validated(self._document)

    def object(self, name: str) -> Location:
        """Return the position of an object, or of the object of a link such as "arm/hand"."""
        return self._at(("objects", self._owner(name)), key=True)

    def moves(self, name: str) -> bool:
        """Return whether an object has a motion, in the cell or in a program; True if the cell cannot be read."""
        if self._document.value is None:
            return True
        body = self._specs.objects.get(self._owner(name))
        return (body is not None and body.motion is not None) or any(
            self._owner(name) in motions for motions in self._specs.programs.values()
        )

    def named(self, text: str) -> Location | None:
        """Return the position of the object that a text names first, as "arm: ...", 'arm' or 'arm/hand'."""
        starts = {
            name: min(
                (k for k in (text.find(f"'{name}'"), text.find(f"'{name}/")) if k >= 0),
                default=0 if text.startswith((f"{name}: ", f"{name}/")) else -1,
            )
            for name in self._specs.objects
        }
        found = [(start, name) for name, start in starts.items() if start >= 0]
        return self.object(min(found)[1]) if found else None

    def program(self, program: str) -> Location:
        """Return the position of a program; the first line of the cell if there is none."""
        if program not in self._specs.programs:
            return Location(self._path)
        return self._at(("programs", program), key=True)

    def pair(self, a: str, b: str, program: str = "", time: float | None = None) -> Location:
        """Return the sample of a motion of one of two objects that holds at a time, else a line about them.

        A motion of the program counts before one of an object, and that of what holds an object if the object has none.
        The sample is the last at or before the time.
        """
        names = self._owner(a), self._owner(b)
        moving = list(self._motions(program, names))
        if not moving:
            moving = list(self._motions(program, tuple(self._holders(names, program, time))))
        if time is not None:
            for place, spec in moving:
                found = self._samples(place, spec)
                if found is not None and len(found.times):
                    return found.at(max(int(np.searchsorted(found.times, time, side="right")) - 1, 0))
        return self._at(moving[0][0], key=True) if moving else self.object(a)

    def rows(self, name: str, program: str, t_first: float, t_last: float) -> tuple[str, int, int] | None:
        """Return the file of the motion of an object, relative to the cell, and the rows of two neighbouring samples.

        None if the file has no rows, such as an archive of arrays.

        Args:
            name: The object.
            program: The program, "" for the motion of the object itself.
            t_first: The time of the first sample [s].
            t_last: The time of the next one; the same for a single sample.
        """
        for place, spec in self._motions(program, (name,)):
            found = self._samples(place, spec)
            if found is None or not len(found.times):
                return None
            k = int(np.argmin(np.abs(found.times - t_first)))
            last = min(k + 1, len(found.times) - 1) if t_first < t_last else k
            return self._shown(spec), found.at(k).line, found.at(last).line
        return None

    def file(self, name: str, program: str) -> str:
        """Return the file of the motion of an object, relative to the cell; "" if it has none."""
        return next((self._shown(spec) for _, spec in self._motions(program, (name,))), "")

    def _shown(self, spec: Any) -> str:
        label = Path(source_of(spec).label or self._path)
        return label.name if label.is_absolute() or label == Path(self._path) else label.as_posix()

    def _owner(self, name: str) -> str:
        """Return the object of a name: for links, the part before the '/'."""
        return name if name in self._specs.objects else name.partition("/")[0]

    def _holders(self, names: tuple[str, ...], program: str, time: float | None) -> list[str]:
        """Return the objects to which some objects are attached at a time, and those to which these are."""
        found = list(names)
        for name in found:  # which grows
            spec = self._specs.objects.get(name)
            if spec is not None and spec.tool is not None and spec.tool.of not in found:
                found.append(spec.tool.of)
            for _, rule in self._specs.attached:
                start = -math.inf if rule.from_ is None else rule.from_
                end = math.inf if rule.until is None else rule.until
                if is_about(rule, program) and rule.object == name and (time is None or start <= time <= end):
                    holder = self._owner(rule.to)
                    if holder not in found:
                        found.append(holder)
        return found[len(names) :]

    def _motions(self, program: str, names: tuple[str, ...]) -> Iterator[tuple[Place, Any]]:
        for name in names:
            spec = self._specs.programs.get(program, {}).get(name)
            if spec is not None:
                yield ("programs", program, name), spec
        for name in names:
            body = self._specs.objects.get(name)
            if body is not None and body.motion is not None:
                yield ("objects", name, "motion"), body.motion

    def _samples(self, place: Place, spec: Any) -> Samples | None:
        """Return the times of the samples of a motion, and their positions; None if unknown."""
        source = source_of(spec)
        if not source.label:
            times = np.asarray(spec.times, dtype=np.float64)
            if source.options.start is not None and len(times):
                times = times - times[0] + source.options.start
            named = next(key for key in _ROWS if isinstance(getattr(spec, key, None), list))
            return Samples(times, lambda k: self._at((*place, named, k)))
        key = (place, source.label)
        if key not in self._tables:
            self._tables[key] = self._table(source)
        found = self._tables[key]
        if found is None:
            return None
        times, lines = found
        return Samples(times, lambda k: Location(str(self._folder / source.label), lines[k]))

    def _table(self, source: Source) -> tuple[FloatArray, tuple[int, ...]] | None:
        """Return the times of the rows of a motion file, and their lines; None where it is not a table with times."""
        path = self._folder / source.label
        if path.suffix.lower() not in TABLES:
            return None
        try:
            table = read_table(source, read_regular_file(path, MAX_TEXT_SIZE))
            named = [column for column in table.columns if column.name.lower() in TIME_NAMES]
            times = time_column(source, named[0]) if named else row_times(source, len(table.values))
        except (Failed, OSError):
            return None
        return None if times is None or source.problems else (times, table.lines)

    def _at(self, place: Place, *, key: bool = False) -> Location:
        return Location(self._path, *self._document.position(place, key=key))


def with_rows(report: Report, cell: Cell) -> Report:
    """Return a report of a cell, or of one of its programs, whose hints name the rows of waypoints."""
    records = report.records
    if not records.hints:
        return report
    lines = CellLines(os.fspath(cell.path))
    hints: dict[int, Hint] = {}
    for row, hint in records.hints.items():
        around, near = (_waypoints(found, lines, report.program) for found in (hint.around, hint.near))
        text = "" if hint.shift_W is None else fix_text(hint.moves, hint.shift_W, hint.time, near)
        hints[row] = replace(hint, around=around, near=near, text=text)
    return replace(report, pairs=replace(records, hints=hints))


def _waypoints(found: Waypoints | None, lines: CellLines, program: str) -> Waypoints | None:
    if found is None:
        return None
    rows = lines.rows(found.of, program, found.t_first, found.t_last)
    if rows is None:
        return replace(found, file=lines.file(found.of, program))
    return replace(found, file=rows[0], row_first=rows[1], row_last=rows[2])
