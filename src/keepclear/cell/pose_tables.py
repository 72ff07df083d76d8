"""Poses from tables: columns x, y, z with quaternions or roll, pitch, yaw, or the entries of a matrix."""

from __future__ import annotations

import numpy as np

from keepclear.cell.joint_tables import TIME_NAMES, row_times, si_column, time_column
from keepclear.cell.names import did_you_mean, listed
from keepclear.cell.rotations import check_rotations, from_quaternions, from_rpy
from keepclear.cell.samples import PoseSamples, Source, check_times
from keepclear.cell.tables import Column, Table
from keepclear.checks import FloatArray

__all__ = ["pose_samples"]

POSITION, QUATERNION, ANGLES = ("x", "y", "z"), ("qx", "qy", "qz", "qw"), ("roll", "pitch", "yaw")
MATRIX = tuple(f"m{i}{j}" for i in range(3) for j in range(4))
LAST_ROW = ("m30", "m31", "m32", "m33")
_FORMS = ("pos_{}", "position_{}", "position.{}", "p{}", "t{}")
_TURN_FORMS = ("quat_{}", "q_{}", "orientation_{}", "orientation.{}")
_OTHER_NAMES = {form.format(axis): axis for form in _FORMS for axis in POSITION} | {
    form.format(axis): f"q{axis}" for form in _TURN_FORMS for axis in "xyzw"
}
_KNOWN = (*POSITION, *QUATERNION, *ANGLES, *MATRIX, *LAST_ROW)
_EXPECTED = "time,x,y,z,qx,qy,qz,qw"


def pose_samples(source: Source, table: Table) -> PoseSamples:
    """Return the poses in a table.

    Raises:
        Failed: Columns are missing or unknown, times do not increase, rotations are none.
    """
    rows_are_right = not source.problems
    if not table.columns:
        source.fail(
            f"it has no header, so its columns are unknown; write one such as {_EXPECTED}, or name them in "
            "the cell: columns: [time, x, y, z]",
            table.lines[0],
        )
    time, columns = _sorted_out(source, table)
    groups = [
        group for group in (POSITION, QUATERNION, ANGLES, MATRIX) if any(name in columns for name in group)
    ]
    for group in groups:
        if missing := [name for name in group if name not in columns]:
            source.problem(f"there is no column {listed(missing)} beside the others; add it", table.header)
    if MATRIX in groups and len(groups) > 1:
        source.problem(
            "it has the entries of a matrix and other poses as well; ignore one of them", table.header
        )
    elif QUATERNION in groups and ANGLES in groups:
        source.problem("it has quaternions and angles; name one of them under 'ignore'", table.header)
    elif MATRIX not in groups and POSITION not in groups:
        source.problem(f"it has no positions; its header should be like {_EXPECTED}", table.header)
    times = row_times(source, len(table.values)) if time is None else time_column(source, time)
    if times is None:
        source.fail(
            "it has no times; add a column 'time', or write dt: 0.1 (seconds from row to row) in the cell"
        )
    if rows_are_right:
        check_times(source, times, table.lines)
    source.stop_if_wrong()
    X = _poses(source, columns, table.lines)
    source.stop_if_wrong()
    return PoseSamples(times, X, turns=groups != [POSITION])


def _sorted_out(source: Source, table: Table) -> tuple[Column | None, dict[str, Column]]:
    """Return the column of times, and the others by their names; note those that are unknown."""
    time, columns = None, {}
    for column in table.columns:
        name = column.name.lower()
        name = _OTHER_NAMES.get(name, name)
        if name in TIME_NAMES and time is None:
            time = column
        elif name in _KNOWN:
            columns[name] = column
        else:
            advice = f"the columns are like {_EXPECTED}; remove it, or name it under 'ignore' in the cell"
            hint = did_you_mean(name, (*_KNOWN, "time"), advice)
            source.problem(f"unknown column '{column.name}'{hint}", table.header)
    return time, columns


def _poses(source: Source, columns: dict[str, Column], lines: tuple[int, ...]) -> FloatArray:
    """Return the poses (n, 4, 4) that the columns give."""
    X = np.tile(np.eye(4), (len(lines), 1, 1))
    if "m00" in columns:
        for name in MATRIX:
            i, j = int(name[1]), int(name[2])
            X[:, i, j] = columns[name].values
            if j == 3:
                X[:, i, j] = si_column(source, columns[name], "length")
        for j, name in enumerate(LAST_ROW):
            if name in columns:
                X[:, 3, j] = columns[name].values
        return check_rotations(source, X, lines)
    for k, name in enumerate(POSITION):
        X[:, k, 3] = si_column(source, columns[name], "length")
    if "qx" in columns:
        quaternions = np.stack([columns[name].values for name in QUATERNION], axis=1)
        X[:, :3, :3] = from_quaternions(source, quaternions, lines)
    elif "roll" in columns:
        X[:, :3, :3] = from_rpy(
            np.stack([si_column(source, columns[name], "angle") for name in ANGLES], axis=1)
        )
    return X
