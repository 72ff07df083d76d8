"""Samples of a motion while they are read: numbers in metres, radians and seconds, and findings while reading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

import numpy as np

from keepclear.cell.names import listed
from keepclear.cell.units import NAMES
from keepclear.checks import FloatArray

__all__ = ["Failed", "JointSamples", "Joints", "Options", "PoseSamples", "Source", "check_times"]

DEFAULTS = {"time": "s", "angle": "rad", "length": "m"}
_SHOWN = 3  # problems of one kind in one file


class Failed(Exception):  # noqa: N818 - nobody sees it
    """Samples that cannot be read; the errors are among the problems of their source."""


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a cell for a motion file.

    Attributes:
        units: The short names of the given units of "time", "angle" and "length".
        order: The order of quaternions, "xyzw" or "wxyz".
        columns: Names of columns that have no header.
        ignore: Columns to ignore.
        joints: Names of joints in the order of columns.
        dt: Time from row to row [s].
        speed: Speed of the joint that travels farthest, in units of angle per second.
        start: When the first sample happens [s].
    """

    units: Mapping[str, str] = field(default_factory=dict)
    order: str | None = None
    columns: Sequence[str] | None = None
    ignore: Sequence[str] = ()
    joints: Sequence[str] | None = None
    dt: float | None = None
    speed: float | None = None
    start: float | None = None


@dataclass(frozen=True, slots=True)
class Joints:
    """The joints of the robot that samples are for.

    Attributes:
        names: In the order of q.
        is_angle: Whether each of them is an angle.
        rest: Values of joints that samples may omit [rad or m].
    """

    names: tuple[str, ...]
    is_angle: tuple[bool, ...]
    rest: Mapping[str, float] = field(default_factory=dict)

    def measure(self, name: str) -> str:
        """Return "angle" or "length"."""
        return "angle" if self.is_angle[self.names.index(name)] else "length"


@dataclass(frozen=True, slots=True)
class JointSamples:
    """Values of all joints at some times: (n,), (n, joints), and speeds like these or None."""

    times: FloatArray
    q: FloatArray
    qd: FloatArray | None


@dataclass(frozen=True, slots=True)
class PoseSamples:
    """Poses at some times: (n,), (n, 4, 4); `turns` is False where there are positions only."""

    times: FloatArray
    X_W: FloatArray
    turns: bool


@dataclass(slots=True)
class Source:
    """The source of samples, and the findings in them.

    Attributes:
        label: The file as the cell names it, "" for samples in the cell itself.
        options: The options of the cell for it.
        problems: Sentences without a full stop, each with the line of the file if it has one.
        warnings: Sentences for the report.
        guessed: Units that were guessed, in words.
    """

    label: str
    options: Options
    problems: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    guessed: list[str] = field(default_factory=list)

    def problem(self, text: str, line: int | None = None) -> None:
        """Record an error."""
        where = self.label if line is None else f"{self.label}:{line}"
        self.problems.append(f"{where}: {text}" if self.label else text)

    def fail(self, text: str, line: int | None = None) -> NoReturn:
        """Record an error, and raise `Failed`."""
        self.problem(text, line)
        raise Failed

    def problems_of_rows(self, texts: Sequence[tuple[int, str]]) -> None:
        """Record the errors of some rows: the first few, and the number of the others."""
        for k, (line, text) in enumerate(texts[:_SHOWN]):
            more = len(texts) - _SHOWN
            last = k == _SHOWN - 1 and more > 0
            self.problem(text + (f" (and {more} more like this)" if last else ""), line)

    def stop_if_wrong(self) -> None:
        """Raise `Failed` if there are problems."""
        if self.problems:
            raise Failed

    def unit(self, measure: str, declared: str | None = None, default: str | None = None) -> str:
        """Return the unit of a "time", "angle" or "length": declared in the header, given in the cell, or guessed."""
        said = self.options.units.get(measure)
        if declared is not None:
            if said is not None and said != declared:
                self.problem(
                    f"its header says {NAMES[declared]}, but the cell says {NAMES[said]}; correct one of them"
                )
            return declared
        if said is not None:
            return said
        guess = default or DEFAULTS[measure]
        if NAMES[guess] not in self.guessed:
            self.guessed.append(NAMES[guess])
        return guess

    def guess(self) -> str | None:
        """Return a sentence about the units that were guessed, None if none were."""
        if not self.guessed:
            return None
        units = [name for name in NAMES.values() if name in self.guessed]
        return f"{self.label} is taken as {listed(units)}, since neither it nor the cell gives units"


def check_times(source: Source, times: FloatArray, lines: Sequence[int] | None) -> None:
    """Record an error for times that do not increase."""
    if len(times) == 0:
        source.problem("it has no samples; give at least one")
        return
    late = np.flatnonzero(np.diff(times) <= 0.0)
    texts = []
    for k in late.tolist():
        before, after = times[k], times[k + 1]
        advice = "drop the repeated sample" if before == after else "sort the samples by time"
        text = f"times must increase, but {after:.9g} s follows {before:.9g} s; {advice}"
        if lines is None:
            text = f"times[{k + 1}]: {text}"
        texts.append((0 if lines is None else lines[k + 1], text))
    if lines is None:
        for _, text in texts[:1]:
            source.problem(text)
    else:
        source.problems_of_rows(texts)
