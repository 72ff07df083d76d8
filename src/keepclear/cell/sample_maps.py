"""Samples by name: from NPZ files, from JSON and YAML, and from the cell file itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from keepclear.cell.joint_tables import FACTORS, filled, warn_of_degrees
from keepclear.cell.names import did_you_mean, listed
from keepclear.cell.rotations import check_rotations, from_quaternions, from_rpy
from keepclear.cell.samples import Joints, JointSamples, PoseSamples, Source, check_times
from keepclear.checks import FloatArray, shown
from keepclear.names import counted

__all__ = ["joints_of", "poses_of"]

TIMES = ("times", "time", "t")
VALUES, SPEEDS, NAMES = ("q", "positions", "joint_positions"), ("qd", "velocities"), ("joint_names", "joints")
POSES, POSITIONS = ("X_W", "poses", "X"), ("positions", "position", "p", "xyz")
_JOINT_KEYS = (*TIMES, *VALUES, "q_deg", *SPEEDS, *NAMES)
_POSE_KEYS = (*TIMES, *POSES, *POSITIONS, "quat_xyzw", "quat_wxyz", "quat", "rpy", "rpy_deg")


def joints_of(source: Source, samples: Mapping[str, Any], joints: Joints) -> JointSamples:
    """Return the values of a robot's joints in samples by name.

    Raises:
        Failed: A value is missing, unknown or invalid.
    """
    _check_keys(source, samples, (*_JOINT_KEYS, *joints.names), "q")
    times = _times(source, samples)
    key = next((name for name in (*VALUES, "q_deg") if name in samples), None)
    if key is None and not all(name in samples or name in joints.rest for name in joints.names):
        source.fail("there are no joint values; give them as 'q'")
    names = _joint_names(source, samples, joints)
    given = samples if key is None else samples[key]
    q = _columns(source, key or "q", given, len(times), names, joints, "deg" if key == "q_deg" else None)
    speed_key = next((name for name in SPEEDS if name in samples), None)
    qd = None
    if speed_key is not None:
        qd = _columns(source, speed_key, samples[speed_key], len(times), names, joints, None, rest=0.0)
    check_times(source, times, None)
    source.stop_if_wrong()
    warn_of_degrees(source, q, joints)
    return JointSamples(times, q, qd)


def poses_of(source: Source, samples: Mapping[str, Any]) -> PoseSamples:
    """Return the poses in samples by name.

    Raises:
        Failed: A value is missing, unknown or invalid.
    """
    _check_keys(source, samples, _POSE_KEYS, "positions")
    times = _times(source, samples)
    n = len(times)
    check_times(source, times, None)
    length = FACTORS["length"][source.unit("length")]
    key = next((name for name in POSES if name in samples), None)
    if key is not None:
        X = _matrices(source, key, samples[key], n)
        X[:, :3, 3] *= length
        X = check_rotations(source, X, None)
        source.stop_if_wrong()
        return PoseSamples(times, X, turns=True)
    key = next((name for name in POSITIONS if name in samples), None)
    if key is None:
        source.fail(
            "there are no poses; give 'positions', with 'quat_xyzw' or 'rpy' if it rotates, or 'poses'"
        )
    X = np.tile(np.eye(4), (n, 1, 1))
    X[:, :3, 3] = _rows(source, str(key), samples[str(key)], n, 3) * length
    turns = _rotations(source, samples, n)
    if turns is not None:
        X[:, :3, :3] = turns
    source.stop_if_wrong()
    return PoseSamples(times, X, turns=turns is not None)


def _check_keys(source: Source, samples: Mapping[str, Any], known: Sequence[str], example: str) -> None:
    """Record errors for unknown names and missing times."""
    for name in samples:
        if name not in known and name not in source.options.ignore:
            advice = f"expected times and {example}; remove it, or name it under 'ignore' in the cell"
            source.problem(f"unknown name '{name}'{did_you_mean(name, known, advice)}")
    if not any(name in samples for name in TIMES) and source.options.dt is None:
        source.problem(
            "there are no times; give them as 'times', or write dt: 0.1 (seconds from one to the next)"
        )
    source.stop_if_wrong()


def _times(source: Source, samples: Mapping[str, Any]) -> FloatArray:
    key = next((name for name in TIMES if name in samples), None)
    if key is None:
        rows = next((samples[name] for name in (*VALUES, "q_deg", *POSES, *POSITIONS) if name in samples), ())
        rows = next(iter(rows.values()), ()) if isinstance(rows, Mapping) else rows
        if not isinstance(rows, Sequence | np.ndarray) or (isinstance(rows, np.ndarray) and rows.ndim == 0):
            source.fail(f"there must be a row of numbers for each time, but there is {shown(rows)}")
        n = len(rows)
        times = np.arange(n, dtype=np.float64) * (source.options.dt or 0.0)
    else:
        times = _array(source, key, samples[key]) * FACTORS["time"][source.unit("time")]
        if times.ndim != 1:
            source.problem(f"'{key}' must be a list of times, but it has the shape {times.shape}")
        source.stop_if_wrong()
    start = source.options.start
    return times if start is None or not len(times) else np.asarray(times - times[0] + start)


def _array(source: Source, key: str, value: Any) -> FloatArray:
    """Return numbers as an array; record an error if they are not numbers."""
    try:
        array = np.asarray(value)
    except ValueError:  # rows of different lengths
        array = np.empty(0, dtype=object)
    if array.size == 0 and array.dtype.kind == "f":
        return array.astype(np.float64)
    if array.dtype.kind not in "iuf":
        source.fail(f"'{key}' must be rows of numbers, all of one length")
    array = array.astype(np.float64)
    if not np.isfinite(array).all():
        source.problem(
            f"'{key}' has a value that is not finite, at {np.argwhere(~np.isfinite(array))[0].tolist()}"
        )
    return array


def _rows(source: Source, key: str, value: Any, n: int, columns: int) -> FloatArray:
    array = _array(source, key, value)
    if array.shape != (n, columns):
        source.fail(
            f"'{key}' must have {counted(n, 'row')} of {counted(columns, 'number')}, one for each time, "
            f"but its shape is {array.shape}"
        )
    return array


def _matrices(source: Source, key: str, value: Any, n: int) -> FloatArray:
    array = _array(source, key, value)
    if array.shape == (n, 3, 4):
        array = np.concatenate((array, np.tile([[[0.0, 0.0, 0.0, 1.0]]], (n, 1, 1))), axis=1)
    if array.shape != (n, 4, 4):
        source.fail(
            f"'{key}' must have the shape ({n}, 4, 4), one pose for each time, but it has {array.shape}"
        )
    return array.copy()


def _rotations(source: Source, samples: Mapping[str, Any], n: int) -> FloatArray | None:
    """Return the rotations (n, 3, 3), None if there are none."""
    given = [name for name in ("quat_xyzw", "quat_wxyz", "quat", "rpy", "rpy_deg") if name in samples]
    if not given:
        return None
    if len(given) > 1:
        source.fail(f"the rotation is given by {listed(given)}; keep one of them")
    key = given[0]
    if key in ("rpy", "rpy_deg"):
        unit = "deg" if key == "rpy_deg" else source.unit("angle")
        return from_rpy(_rows(source, key, samples[key], n, 3) * FACTORS["angle"][unit])
    if key == "quat" and source.options.order is None:
        source.fail(
            "'quat' does not give the order; write order: xyzw or order: wxyz in the cell, or call it quat_xyzw"
        )
    values = _rows(source, key, samples[key], n, 4)
    if key == "quat_wxyz" or (key == "quat" and source.options.order == "wxyz"):
        values = values[:, [1, 2, 3, 0]]
    return from_quaternions(source, values, None)


def _joint_names(source: Source, samples: Mapping[str, Any], joints: Joints) -> list[str]:
    """Return the names of columns: those in the samples, those in the cell, or those of the robot."""
    key = next((name for name in NAMES if name in samples), None)
    if key is None:
        return list(source.options.joints or joints.names)
    given = samples[key].tolist() if isinstance(samples[key], np.ndarray) else samples[key]
    names = given if isinstance(given, list) else [given]
    if not all(isinstance(name, str) for name in names):
        source.fail(f"'{key}' must list the names of the joints")
    twice = [name for k, name in enumerate(names) if name in names[:k]]
    if twice:
        source.problem(f"'{key}' names '{twice[0]}' twice; each column needs a different joint")
    return names


def _columns(
    source: Source, key: str, given: Any, n: int, names: list[str], joints: Joints, unit: str | None,
    rest: float | None = None,
) -> FloatArray:  # fmt: skip
    """Return values (n, joints) in the order of the robot [rad or m, or per second]."""
    if isinstance(given, Mapping):
        names = [name for name in given if key != "q" or name not in _JOINT_KEYS or name in joints.names]
        values = {name: _array(source, f"{key}.{name}", given[name]) for name in names}
        bad = [name for name in names if values[name].shape != (n,)]
        if bad:
            shape = values[bad[0]].shape
            source.problem(
                f"'{key}' of '{bad[0]}' must have {counted(n, 'value')}, one for each time, but has {shape}"
            )
    else:
        array = _rows(source, key, given, n, len(names))
        values = {name: array[:, k] for k, name in enumerate(names)}
    for name in names:
        if name not in joints.names and name not in source.options.ignore:
            others = [joint for joint in joints.names if joint not in names]
            advice = (
                f"to leave it out, give ignore: [{name}] in the cell; its joints are {listed(joints.names)}"
            )
            source.problem(f"the robot has no joint '{name}'{did_you_mean(name, others, advice)}")
    missing = [
        name for name in joints.names if name not in values and (rest is None and name not in joints.rest)
    ]
    if missing and not source.problems:
        where = f"q: {{{missing[0]}: 0}}"
        source.problem(
            f"'{key}' lacks {listed(missing)}; add it, or give a fixed value in the cell, such as {where}"
        )
    source.stop_if_wrong()
    scaled = {}
    for name in (name for name in joints.names if name in values):
        measure = joints.measure(name)
        scaled[name] = (
            values[name]
            * FACTORS[measure][unit if unit is not None and measure == "angle" else source.unit(measure)]
        )
    return filled(joints, scaled, n, rest)
