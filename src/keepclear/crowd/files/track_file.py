"""Recorded tracks in a table of text: a row for each member at each instant."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from keepclear.checks import IntArray
from keepclear.crowd.parts.motions import RecordedTracks
from keepclear.errors import FileMissingError, TrajectoryError
from keepclear.files.access import MAX_TEXT_SIZE, parse_number, read_regular_file

_TIMES = ("time", "time_s", "t")
LARGEST_ID = 2**53
_FRAMES = ("frame", "frame_id")
_IDS = ("id", "agent_id", "member", "ped_id")


def read_tracks(
    path: str | os.PathLike[str], frame_rate: float | None = None
) -> tuple[RecordedTracks, IntArray]:
    """Return the tracks in a CSV file, and the ids of its members in their order (rising).

    The first line names the columns: `time` [s], or `frame` and then a frame rate is needed; `id`; and `x`, `y` and for
    spheres `z` [m], or `x_m` and so on. Rows may come in any order. A member is absent where it has no row at an
    instant at which others have one.

    Args:
        path: The file.
        frame_rate: Frames a second, for files that number frames.

    Raises:
        FileMissingError: There is no such file.
        TrajectoryError: It is no such table; the message names the line.
    """
    name = Path(path).name
    rows, columns = _rows(Path(path))
    places = _places(name, columns, frame_rate)
    numbers = np.array(list(_numbers(name, rows, places)), dtype=np.float64).reshape(-1, len(places))
    if len(numbers) == 0:
        raise TrajectoryError(f"tracks '{name}': there is no row under the names of the columns.")
    scale = 1.0 if columns[places[0]] in _TIMES or frame_rate is None else frame_rate
    instants, k = np.unique(numbers[:, 0], return_inverse=True)
    ids, i = np.unique(numbers[:, 1], return_inverse=True)
    _refuse_twice(name, k * len(ids) + i, numbers)
    x = np.full((len(instants), len(ids), len(places) - 2), np.nan)
    x[k, i] = numbers[:, 2:]
    _refuse_lone_rows(name, ~np.isnan(x[:, :, 0]), instants / scale, ids.astype(np.int64))
    return RecordedTracks(instants / scale, x), ids.astype(np.int64)


def _refuse_lone_rows(
    name: str, there: npt.NDArray[np.bool_], times: npt.NDArray[np.float64], ids: IntArray
) -> None:
    """Raise a `TrajectoryError` if a member of several rows is alone with one of them: nowhere before and after it.

    So are members whose rows are at instants that no other member has; they would silently be absent all the time.
    """
    around = np.pad(there, ((1, 1), (0, 0)))
    lone = there & ~around[:-2] & ~around[2:] & (there.sum(axis=0) > 1)
    if lone.any():
        k, i = np.argwhere(lone)[0]
        raise TrajectoryError(
            f"tracks '{name}': member {ids[i]} has a row at {times[k]:g} s, but none at the instants of others "
            "before and after, so it would have no position in between; give the rows of all members at common "
            "instants."
        )


def _rows(path: Path) -> tuple[list[list[str]], list[str]]:
    try:
        text = read_regular_file(path, MAX_TEXT_SIZE).decode("utf-8-sig")
    except FileNotFoundError:
        raise FileMissingError(f"there is no file '{path}' with tracks; check the path.") from None
    except (OSError, UnicodeDecodeError) as cause:
        why = getattr(cause, "strerror", None) or cause
        raise TrajectoryError(f"tracks '{path}' cannot be read as text: {why}.") from cause
    lines = text.splitlines()
    delimiter = ";" if lines and lines[0].count(";") > lines[0].count(",") else ","
    try:
        rows = list(csv.reader(lines, delimiter=delimiter))
    except csv.Error as cause:
        raise TrajectoryError(f"tracks '{path.name}': the file is not a table of text: {cause}") from cause
    return rows, [column.strip().lower() for column in rows[0]] if rows else []


def _places(name: str, columns: Sequence[str], frame_rate: float | None) -> list[int]:
    """Return where time, id and coordinates are in a row."""

    def find(names: Sequence[str]) -> int | None:
        return next((columns.index(one) for one in names if one in columns), None)

    time = find(_TIMES)
    if time is None and (time := find(_FRAMES)) is not None and frame_rate is None:
        raise TrajectoryError(
            f"tracks '{name}': the rows have frames, not times; give the frames per second (frame_rate, --frame-rate)."
        )
    axes = [find((axis, f"{axis}_m")) for axis in "xyz"]
    found = [time, find(_IDS), *axes[: 3 if axes[2] is not None else 2]]
    places = [place for place in found if place is not None]
    if len(places) < len(found):
        raise TrajectoryError(
            f"tracks '{name}': the first line must name the columns time (or frame), id, x and y, for spheres also z, "
            f"but it has {', '.join(columns) or 'nothing'}."
        )
    return places


def _numbers(name: str, rows: list[list[str]], places: list[int]) -> Iterator[list[float]]:
    for line, row in enumerate(rows[1:], 2):
        if not any(cell.strip() for cell in row):
            continue
        try:
            values = [parse_number(row[place]) for place in places]
        except (IndexError, ValueError):
            raise TrajectoryError(
                f"tracks '{name}', line {line}: {','.join(row)!r} is not a row of numbers."
            ) from None
        if not np.isfinite(values).all() or values[1] != int(values[1]):
            raise TrajectoryError(
                f"tracks '{name}', line {line}: numbers must be finite and ids whole, but they are {','.join(row)!r}."
            )
        if abs(values[1]) > LARGEST_ID:  # two of them may be the same float64
            raise TrajectoryError(
                f"tracks '{name}', line {line}: ids must be within {LARGEST_ID} of 0, but it is {row[places[1]]!r}."
            )
        yield values


def _refuse_twice(name: str, keys: IntArray, numbers: npt.NDArray[np.float64]) -> None:
    order = np.argsort(keys, kind="stable")
    again = np.flatnonzero(np.diff(keys[order]) == 0)
    if len(again):
        when, who = numbers[order[again[0]], :2]
        raise TrajectoryError(f"tracks '{name}': member {who:g} has two rows at {when:g}; keep one of them.")
