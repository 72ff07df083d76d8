"""Samples of a motion while they are read: units, rotations, and findings in the file they come from."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.names import listed

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
    late = np.flatnonzero(np.diff(times) <= 0.0) + 1
    texts = []
    for before, after in zip(times[late - 1].tolist(), times[late].tolist(), strict=True):
        advice = "drop the repeated sample" if before == after else "sort the samples by time"
        texts.append(f"times must increase, but {after:.9g} s follows {before:.9g} s; {advice}")
    where = f"times[{late[0]}]" if len(late) else ""
    _note(source, late, texts, lines, where)


_UNITS = {
    "s": ("time", 1.0, "seconds sec secs second"),
    "ms": ("time", 1e-3, "milliseconds msec millisecond"),
    "us": ("time", 1e-6, "microseconds usec µs"),
    "min": ("time", 60.0, "minutes minute"),
    "rad": ("angle", 1.0, "radians radian"),
    "deg": ("angle", math.pi / 180.0, "degrees degree °"),
    "m": ("length", 1.0, "metres metre meter meters"),
    "cm": ("length", 1e-2, "centimetres centimetre centimeter centimeters"),
    "mm": ("length", 1e-3, "millimetres millimetre millimeter millimeters"),
    "um": ("length", 1e-6, "micrometres micrometers µm"),
    "in": ("length", 0.0254, "inches inch"),
    "ft": ("length", 0.3048, "feet foot"),
}
"""What a unit measures, its size in the SI unit, and its other names, first the one in texts."""

FACTORS = {
    measure: {short: factor for short, (what, factor, _) in _UNITS.items() if what == measure}
    for measure in DEFAULTS
}
NAMES = {short: words.split()[0] for short, (_, _, words) in _UNITS.items()}
_UNIT_NAMES = {word: short for short, (_, _, words) in _UNITS.items() for word in (short, *words.split())}
_BRACKETED = re.compile(r"(.*\S)\s*[\[(]\s*([^\[\]()]*?)\s*[\])]")


def unit_of(text: str) -> tuple[str, bool] | None:
    """Return the short name of a unit and whether it is per second; None if the text is not a unit.

    Examples:
        >>> unit_of("degrees/s"), unit_of("mm"), unit_of("x")
        (('deg', True), ('mm', False), None)
    """
    name, slash, below = text.strip().lower().partition("/")
    short = _UNIT_NAMES.get(name.strip())
    if short is None or (slash and _UNIT_NAMES.get(below.strip()) != "s"):
        return None
    return short, bool(slash)


def split_unit(heading: str) -> tuple[str, str | None]:
    """Return the name in the head of a column, and what it has in brackets behind it.

    Examples:
        >>> split_unit("j1 [deg]"), split_unit("time(ms)"), split_unit("x")
        (('j1', 'deg'), ('time', 'ms'), ('x', None))
    """
    found = _BRACKETED.fullmatch(heading.strip())
    return (found[1], found[2]) if found else (heading.strip(), None)


ROTATIONS = ("rpy", "rpy_deg", "quat_xyzw", "quat_wxyz")
"""Keys of a rotation in cell files, and names in motion files."""

ROUNDED = 1e-3  # how far from orthonormal a matrix may be that was printed with few digits
WILD = 1e100  # no entry of a matrix is larger: neither that of a rotation nor a position [m]
UNREPORTED = 1e-6  # from here on the report says that rotations were rounded


def from_rpy(angles: FloatArray) -> FloatArray:
    """Return the rotations (n, 3, 3) of turns about the fixed axes x, then y, then z, (n, 3) [rad].

    Examples:
        >>> from_rpy(np.array([[0.0, 0.0, np.pi / 2]]))[0].round(9).tolist()
        [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [-0.0, 0.0, 1.0]]
    """
    (cr, cp, cy), (sr, sp, sy) = np.cos(angles).T, np.sin(angles).T
    rows = [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ]
    return np.moveaxis(np.array(rows), -1, 0)


def rotations(source: Source, key: str, values: FloatArray, lines: Sequence[int] | None = None) -> FloatArray:
    """Return rotations (n, 3, 3) of angles (n, 3) [rad or deg] or quaternions (n, 4), as a key of ROTATIONS says."""
    if key in ("rpy", "rpy_deg"):
        return from_rpy(values if key == "rpy" else np.radians(values))
    return from_quaternions(source, values if key == "quat_xyzw" else values[:, [1, 2, 3, 0]], lines)


def from_quaternions(source: Source, xyzw: FloatArray, lines: Sequence[int] | None) -> FloatArray:
    """Return the rotations (n, 3, 3) of quaternions (n, 4), the scalar part last; record errors for invalid ones."""
    largest = np.abs(xyzw).max(axis=1, initial=0.0)
    zero = np.flatnonzero(~((largest > 0.0) & np.isfinite(largest)))
    texts = [f"the quaternion {xyzw[k].tolist()} is not a rotation; repair it" for k in zero.tolist()]
    _note(source, zero, texts, lines)
    if len(zero):
        return np.tile(np.eye(3), (len(xyzw), 1, 1))
    scaled = xyzw / largest[:, None]  # squares of 1e200 would overflow, and the length be infinite
    size = np.linalg.norm(scaled, axis=1)
    with np.errstate(over="ignore"):
        length = size * largest
    if np.abs(length - 1.0).max(initial=0.0) > ROUNDED:
        worst = float(length[np.argmax(np.abs(length - 1.0))])
        source.warnings.append(
            f"{source.label or 'a motion'} has quaternions of length {worst:.4g} instead of 1; they are normalized"
        )
    x, y, z, w = (scaled / size[:, None]).T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), -1, 0)


def check_rotations(source: Source, X: FloatArray, lines: Sequence[int] | None) -> FloatArray:
    """Return matrices (n, 4, 4) with their rotations made orthonormal; record errors for those that are not rigid."""
    R = X[:, :3, :3]
    wild = np.flatnonzero(~(np.abs(X) <= WILD).all(axis=(1, 2)))
    if len(wild):  # including values that are not finite, for which a decomposition never ends
        texts = ["the matrix is not rigid: it has numbers that are not finite or too large; repair it"] * len(
            wild
        )
        _note(source, wild, texts, lines)
        return X
    defect = np.abs(np.swapaxes(R, 1, 2) @ R - np.eye(3)).max(axis=(1, 2), initial=0.0)
    mirrored = np.linalg.det(R) < 0.0
    moved = np.abs(X[:, 3] - [0.0, 0.0, 0.0, 1.0]).max(axis=1, initial=0.0) > 0.0
    bad = np.flatnonzero((defect > ROUNDED) | mirrored | moved)
    texts = []
    for k in bad.tolist():
        if moved[k]:
            texts.append(
                f"the last row of the matrix is {X[k, 3].tolist()}, not [0, 0, 0, 1]; is it transposed?"
            )
        elif mirrored[k]:
            texts.append("the matrix mirrors, which no rigid motion does; mirror the shape instead")
        else:
            texts.append(
                f"the matrix is not rigid: its rotation is off by {defect[k]:.2g}; give rotations without scale"
            )
    _note(source, bad, texts, lines)
    if len(bad):
        return X
    if defect.max(initial=0.0) > UNREPORTED:
        source.warnings.append(
            f"{source.label or 'a pose'} has rotations with few digits, off by {defect.max():.2g}; "
            "the nearest rigid ones are used"
        )
    u, _, vt = np.linalg.svd(R)
    result = X.copy()
    result[:, :3, :3] = np.where(defect[:, None, None] > 1e-15, u @ vt, R)
    return result


def _note(
    source: Source,
    rows: npt.NDArray[np.intp],
    texts: list[str],
    lines: Sequence[int] | None,
    where: str = "",
) -> None:
    """Record errors of rows by their lines; without lines only the first, as that of `where`, or of its sample."""
    if lines is None:
        for k, text in zip(rows.tolist()[:1], texts[:1], strict=True):
            source.problem(f"{where or f'sample {k + 1}'}: {text}")
    else:
        source.problems_of_rows([(lines[k], text) for k, text in zip(rows.tolist(), texts, strict=True)])
