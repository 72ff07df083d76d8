"""Hints for a pair that touches: which waypoints are around the contact, and which shift restores the margin."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Hint", "Waypoints", "fix_text", "hint_line", "waypoints_text"]

Point = tuple[float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Waypoints:
    """The two waypoints of a motion around an instant.

    Attributes:
        of: The object or robot whose motion it is.
        first: The last waypoint at or before the instant, counted from 0, as in `motion.times`.
        last: The next waypoint; `first` beyond the last one.
        t_first: The time of `first` [s].
        t_last: The time of `last` [s].
        file: The file that has them, relative to the folder of the cell; "" if they come from no file.
        row_first: The line of `first` in the file, counted from 1, as editors and spreadsheets do; None if unknown.
        row_last: The line of `last`.
    """

    of: str
    first: int
    last: int
    t_first: float
    t_last: float
    file: str = ""
    row_first: int | None = None
    row_last: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """How to correct a contact; about its two objects only, and about one instant.

    Attributes:
        around: The waypoints around the start of the first contact; None for a motion without waypoints.
        time: The worst instant found, at which the shift is longest [s].
        near: The waypoints around that instant.
        duration: The pair is within its margin for at least this long, in all its contacts that were searched [s].
        depth: The objects overlap by at least this at some instant [m]; None where no depth is known: meshes.
        moves: The object or link that the shift moves.
        shift_W: A shift in the world that restores the margin at `time` [m]; None if none was found.
        distance_lower: After it the two are at least this far apart at `time`, certified [m].
        text: The shift as a sentence; "" if none was found.
    """

    around: Waypoints | None
    time: float
    near: Waypoints | None
    duration: float
    depth: float | None = None
    moves: str = ""
    shift_W: Point | None = None
    distance_lower: float | None = None
    text: str = ""


def fix_text(moves: str, shift_W: Point, time: float, near: Waypoints | None) -> str:
    """Return a shift as a sentence: lift or lower along z, else move."""
    from keepclear.report.words import moment

    x, y, z = shift_W
    if x == y == 0.0:
        what = f"{'lift' if z > 0.0 else 'lower'} {moves!r} by {_millimetres(abs(z))} mm"
    else:
        what = f"move {moves!r} by ({', '.join(map(_millimetres, shift_W))}) mm"
    where = "" if near is None else _nearest_text(near, time)
    return f"{what} {where or f'at {moment(time, 4)} s'}"


def hint_line(hint: Hint) -> str:
    """Return a hint as one line: the waypoints around the contact, its duration and depth, and what to do."""
    from keepclear.report.words import length, moment

    parts = [] if hint.around is None else [waypoints_text(hint.around)]
    if hint.duration > 0.0:
        parts.append(f"for {moment(hint.duration, 3)} s")
    if hint.depth is not None:
        parts.append(f"at least {length(hint.depth, 'ROUND_FLOOR')} deep")
    text = hint.text
    if hint.around is not None and hint.around.file:  # the file is named once
        text = text.removesuffix(f" of {hint.around.file}")
    return "; ".join(filter(None, [", ".join(parts), text]))


def waypoints_text(found: Waypoints) -> str:
    """Return two waypoints in words."""
    if found.row_first is not None and found.row_last is not None:
        if found.row_first == found.row_last:
            return f"row {found.row_first} of {found.file}"
        return f"rows {found.row_first} to {found.row_last} of {found.file}"
    if found.file:
        return f"samples {found.first + 1} to {found.last + 1} of {found.file}"  # a file without rows, such as YAML
    if found.first == found.last:
        return f"waypoint {found.first} of {found.of!r}"
    return f"waypoints {found.first} to {found.last} of {found.of!r}"


def _nearest_text(near: Waypoints, time: float) -> str:
    is_first = time - near.t_first <= near.t_last - time
    row = near.row_first if is_first else near.row_last
    if row is not None:
        return f"near row {row} of {near.file}"
    if near.file:
        return f"near sample {(near.first if is_first else near.last) + 1} of {near.file}"
    return f"near waypoint {near.first if is_first else near.last} of {near.of!r}"


def _millimetres(metres: float) -> str:
    return f"{1e3 * metres + 0.0:.6g}"
