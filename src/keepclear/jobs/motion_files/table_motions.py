"""Motions from tables: columns by the names of joints, lists of joint values, and columns of poses."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from keepclear.checks import FloatArray
from keepclear.errors import UnitMistake
from keepclear.jobs.motion_files.samples import (
    FACTORS,
    NAMES,
    Joints,
    JointSamples,
    PoseSamples,
    Source,
    check_rotations,
    check_times,
    from_quaternions,
    from_rpy,
    unit_of,
)
from keepclear.jobs.motion_files.tables import Column, Table
from keepclear.names import counted, did_you_mean, listed, nearest

TIME_NAMES = ("time", "t", "timestamp", "time_from_start")
_VALUE = ("{}", "{}_position", "{}_pos", "{}.position", "{}/position", "position_{}", "pos_{}", "q_{}")
_SPEED = ("{}_velocity", "{}_vel", "{}.velocity", "{}/velocity", "velocity_{}", "vel_{}", "qd_{}", "{}_speed")
_MANY_TURNS = 25.0  # rad: four turns; joints of robots rarely turn farther


def joint_samples(source: Source, table: Table, joints: Joints) -> JointSamples:
    """Return the values of a robot's joints in a table.

    Raises:
        Failed: Columns are missing or unknown, times do not increase.
    """
    rows_are_right = not source.problems
    if not table.columns:
        table = _named_list(source, table, joints)
    found: dict[tuple[str, bool], Column] = {}
    time, speed, unknown = None, None, []
    for column in table.columns:
        role = _role(column.name, joints.names)
        if role is not None:
            found[role] = column
        elif column.name.lower() in TIME_NAMES and time is None:
            time = column
        elif column.name == "speed" and source.options.columns is not None:
            speed = column
        else:
            unknown.append(column.name)
    _check_columns(source, [name for name, is_speed in found if not is_speed], unknown, joints, table.header)
    speeds = [name for name, is_speed in found if is_speed]
    if speeds and (
        missing := [name for name in joints.names if name not in speeds and name not in joints.rest]
    ):
        source.problem(f"it has speeds of some joints, but not of {listed(missing)}; add or remove columns")
    times = None if time is None else time_column(source, time)
    if times is not None and rows_are_right:
        check_times(source, times, table.lines)
    source.stop_if_wrong()
    default = None if time is not None else "deg"
    n = len(table.values)
    values = {
        name: si_column(source, column, joints.measure(name), default=default)
        for (name, is_speed), column in found.items()
        if not is_speed
    }
    q, qd = filled(joints, values, n), None
    if speeds:
        rates = {
            name: si_column(source, column, joints.measure(name), True, _like(source, found, name))
            for (name, is_speed), column in found.items()
            if is_speed
        }
        qd = filled(joints, rates, n, rest=0.0)
    source.stop_if_wrong()
    warn_of_degrees(source, q, joints)
    if times is None:
        return _timed_list(source, table, q, joints, speed)
    return JointSamples(times, q, qd)


def filled(joints: Joints, values: dict[str, FloatArray], n: int, rest: float | None = None) -> FloatArray:
    """Return columns (n, joints) in the order of the robot; joints without a column keep their values at rest."""
    columns = [
        values[name] if name in values else np.full(n, joints.rest[name] if rest is None else rest)
        for name in joints.names
    ]
    return np.stack(columns, axis=1) if columns else np.empty((n, 0))


def warn_of_degrees(source: Source, q: FloatArray, joints: Joints) -> None:
    """Warn about angles of many turns in a file that does not declare radians."""
    angles = np.abs(q[:, list(joints.is_angle)])
    if angles.size and angles.max() > _MANY_TURNS and "radians" in source.guessed:
        source.warnings.append(
            UnitMistake(
                f"{source.label} has angles up to {angles.max():.4g}, taken as radians; if they are degrees, give "
                "units: {angle: deg} in the cell"
            )
        )


def time_column(source: Source, column: Column) -> FloatArray:
    """Return times in seconds, shifted if the cell gives a start time."""
    if source.options.dt is not None or source.options.speed is not None:
        source.problem("it has times; remove 'dt' and 'speed' from the cell")
    times = si_column(source, column, "time")
    start = source.options.start
    return times if start is None else times - times[0] + start


def row_times(source: Source, n: int) -> FloatArray | None:
    """Return times of rows that are `dt` apart; None if the cell does not give it."""
    if source.options.dt is None:
        return None
    return np.asarray((source.options.start or 0.0) + source.options.dt * np.arange(n), dtype=np.float64)


def _role(name: str, joints: Sequence[str]) -> tuple[str, bool] | None:
    """Return the joint whose values or speeds (True) a column has, None if it is not a joint's."""
    if name in joints:
        return name, False
    for joint in joints:
        if any(name == form.format(joint) for form in _VALUE):
            return joint, False
        if any(name == form.format(joint) for form in _SPEED):
            return joint, True
    return None


def _check_columns(
    source: Source, found: list[str], unknown: list[str], joints: Joints, line: int | None
) -> None:
    """Record errors for joints without a column, and for columns without a joint."""
    missing = [name for name in joints.names if name not in found and name not in joints.rest]
    if unknown and not found:
        text = f"none of its columns {listed(unknown)} is a joint of the robot"
        source.problem(f"{text}; the joints are {listed(joints.names)}", line)
        return
    for name in unknown:
        close = nearest(name, missing)
        if close is not None:
            missing.remove(close)
            source.problem(f"the robot has no joint '{name}'; did you mean '{close}'?", line)
        else:
            advice = "remove the column, or name it under 'ignore' in the cell"
            source.problem(f"column '{name}' is not a joint of the robot; {advice}", line)
    if missing:
        where = f"q: {{{missing[0]}: 0}}"
        source.problem(
            f"there is no column for {listed(missing)}; add one, or give a fixed value in the cell, such as {where}"
        )


def si_column(
    source: Source, column: Column, measure: str, per_second: bool = False, default: str | None = None
) -> FloatArray:
    """Return a column in metres, radians or seconds."""
    declared = None
    if column.unit is not None:
        parsed = unit_of(column.unit)
        if parsed is None or parsed[0] not in FACTORS[measure] or parsed[1] != per_second:
            units = listed([f"{u}/s" if per_second else u for u in FACTORS[measure]], "or")
            source.problem(f"column '{column.name}' is in '{column.unit}'; expected {units}")
            return column.values
        declared = parsed[0]
    unit = source.unit(measure, declared, default if measure == "angle" else None)
    return column.values * FACTORS[measure][unit]


def _like(source: Source, found: dict[tuple[str, bool], Column], name: str) -> str | None:
    """Return the unit of a joint's values; its speeds have the same unit unless their own head gives another."""
    column = found.get((name, False))
    parsed = None if column is None or column.unit is None else unit_of(column.unit)
    return parsed[0] if parsed else source.options.units.get("angle")


def _named_list(source: Source, table: Table, joints: Joints) -> Table:
    """Return a list without a header with the names of the robot's joints, or those that the cell gives."""
    names = list(source.options.joints or joints.names)
    n = table.values.shape[1]
    if n != len(names):
        some = ", ".join(names[:2])
        advice = f"columns: [{some}, ...]"
        if n > len(names):
            advice = f"columns: [time, {some}, ...], or [{some}, ..., speed] if the last one is a speed"
        source.problem(
            f"it has no header, and {counted(n, 'column')} for {counted(len(names), 'joint')}; write a header, or name "
            f"the columns in the cell: {advice}",
            table.lines[0],
        )
    source.stop_if_wrong()
    columns = tuple(Column(name, None, table.values[:, k]) for k, name in enumerate(names))
    return Table(columns, table.values, table.lines)


def _timed_list(
    source: Source, table: Table, q: FloatArray, joints: Joints, column: Column | None
) -> JointSamples:
    """Return rows of joint values with times that follow from `dt` or from a speed."""
    times = row_times(source, len(q))
    if times is not None:
        return JointSamples(times, q, None)
    speeds = np.full(len(q) - 1, source.options.speed) if column is None else column.values[1:]
    if column is None and source.options.speed is None:
        source.fail(
            "it has no times; add a column 'time', or give in the cell dt: 0.1 (seconds from row to row), or speed: 30 "
            "(units of angle per second, for the joint that travels farthest)"
        )
    if np.any(speeds <= 0.0):
        source.problem("a speed must be greater than 0", table.lines[1 + int(np.argmin(speeds))])
    step = np.abs(np.diff(q, axis=0))
    angle = np.array(joints.is_angle, dtype=bool)
    turns = step[:, angle].max(axis=1, initial=0.0)
    slides = (step[:, ~angle].max(axis=1, initial=0.0) > 0.0) & (turns == 0.0)
    if np.any(slides):
        line = table.lines[1 + int(np.flatnonzero(slides)[0])]
        source.problem(
            "only prismatic joints move here, so an angular speed gives no times; give 'dt' instead", line
        )
    source.stop_if_wrong()
    unit = source.unit("angle", None, "deg")
    lasting = turns / (speeds * FACTORS["angle"][unit])
    kept = np.concatenate(([True], lasting > 0.0))  # a row that repeats the one before takes no time
    times = (source.options.start or 0.0) + np.concatenate(([0.0], np.cumsum(lasting)))
    how = "the speeds in it" if column is not None else f"{source.options.speed:g} {NAMES[unit]} per second"
    source.warnings.append(
        f"{source.label} has no times: they follow from {how} of the joint that travels farthest, without acceleration"
    )
    return JointSamples(times[kept], q[kept], None)


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
