"""Samples by name: from NPZ files, from JSON and YAML, from messages of ROS, and from the cell file itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from keepclear.checks import FloatArray, real_number, shown
from keepclear.jobs.motion_files.samples import (
    FACTORS,
    Joints,
    JointSamples,
    PoseSamples,
    Source,
    check_rotations,
    check_times,
    rotations,
)
from keepclear.jobs.motion_files.table_motions import filled, warn_of_degrees
from keepclear.names import counted, did_you_mean, listed

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
    if key == "quat" and source.options.order is None:
        source.fail(
            "'quat' does not give the order; write order: xyzw or order: wxyz in the cell, or call it quat_xyzw"
        )
    if key == "rpy" and source.unit("angle") == "deg":
        key = "rpy_deg"
    values = _rows(source, given[0], samples[given[0]], n, 3 if key.startswith("rpy") else 4)
    return rotations(source, f"quat_{source.options.order}" if key == "quat" else key, values)


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


_AROUND = ("joint_trajectory", "trajectory", "goal")  # messages that hold such a message
_SAME = 1e-3  # difference of joint values at rest that is not worth a warning [rad or m]


def message_samples(source: Source, content: Any, joints: Joints | None = None) -> dict[str, Any] | None:
    """Return times, q, qd and joint_names of a message; None if it is not such a message.

    Args:
        source: The options of the cell for the file; findings are added to it.
        content: The message, or several recorded ones.
        joints: Those of the robot: a start state gives the values of joints that the trajectory does not move.

    Raises:
        Failed: The message has an error.
    """
    states = content if isinstance(content, list) else [content]
    if states and are_joint_states(states):
        return _states(source, states)
    while isinstance(content, list) and len(content) == 1:
        content = content[0]
    start = content.get("trajectory_start") if isinstance(content, Mapping) else None
    for _ in range(3):
        inner = next(
            (content[key] for key in _AROUND if isinstance(content, Mapping) and key in content), None
        )
        _check_alone(source, content, inner)
        content = content if inner is None else inner[0] if isinstance(inner, list) and inner else inner
    if not isinstance(content, Mapping) or "points" not in content:
        return None
    names, points = content.get("joint_names"), content["points"]
    _check_stamp(source, content)
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        source.fail("'joint_names' must list the names of the joints")
    if not isinstance(points, list) or not points or not all(isinstance(point, Mapping) for point in points):
        source.problem("'points' must list points, each with positions and time_from_start")
    source.stop_if_wrong()
    samples = _samples(source, names, points)
    if isinstance(start, Mapping):
        _add_start(source, samples, start, joints)
    return samples


def are_joint_states(content: list[Any]) -> bool:
    """Return whether all messages are sensor_msgs/JointState: names, and a position for each."""
    return all(isinstance(one, Mapping) and {"name", "position"} <= set(one) for one in content)


def _states(source: Source, states: list[Mapping[str, Any]]) -> dict[str, Any]:
    """Return recorded states as samples, with times from the first stamp; measured velocities are not used."""
    names = states[0]["name"]
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        source.fail("message 1: 'name' must list the names of the joints")
    times: list[float] = []
    rows: list[list[Any]] = []
    first: tuple[int, int] | None = None
    for k, state in enumerate(states, 1):
        when = _stamp(state.get("header"))
        if when is None:
            source.fail(
                f"message {k} has no header.stamp with sec and nanosec, the time of its values; record it with one"
            )
        first = when if first is None else first
        times.append((when[0] - first[0]) + (when[1] - first[1]) * 1e-9)
        rows.append(_state_row(source, state, names, k))
    return {"times": times, "q": rows, "joint_names": names}


def _state_row(source: Source, state: Mapping[str, Any], names: list[str], k: int) -> list[Any]:
    """Return the values of a recorded state in the order of the names."""
    own, values = state["name"], state["position"]
    if not isinstance(own, list) or not isinstance(values, list) or len(own) != len(values):
        source.fail(f"message {k}: 'name' and 'position' must be lists of one length")
    if sorted(map(str, own)) != sorted(names) or len(set(names)) < len(names):
        advice = "record a topic on which every message has all joints, once each"
        source.fail(f"message {k} has other joints than the first: {listed(list(map(str, own)))}; {advice}")
    by_name = dict(zip(own, values, strict=True))
    return [by_name[name] for name in names]


def _stamp(header: Any) -> tuple[int, int] | None:
    """Return seconds and nanoseconds: as one float64, seconds since 1970 would lose digits."""
    stamp = header.get("stamp") if isinstance(header, Mapping) else None
    if not isinstance(stamp, Mapping):
        return None
    whole, rest = stamp.get("sec", stamp.get("secs")), stamp.get("nanosec", stamp.get("nsecs"))
    is_time = type(whole) is int and abs(whole) < 2**40 and type(rest) is int and 0 <= rest < 10**9
    return (whole, rest) if is_time else None


def _add_start(
    source: Source, samples: dict[str, Any], start: Mapping[str, Any], joints: Joints | None
) -> None:
    """Add joints that rest where a DisplayTrajectory starts; warn of what the cell must have as well."""
    if held := start.get("attached_collision_objects"):
        source.warnings.append(
            f"{source.label}: its trajectory_start has {counted(len(held), 'attached object')}, not read from "
            "here; the cell must have them, such as by the planning scene"
        )
    state = start.get("joint_state")
    names, values = (state.get("name"), state.get("position")) if isinstance(state, Mapping) else (None, None)
    if joints is None or not isinstance(names, list) or not isinstance(values, list):
        return
    for name, value in zip(map(str, names), values, strict=False):
        if name not in joints.names or name in samples["joint_names"]:
            continue
        if name not in joints.rest:
            samples["joint_names"] = [*samples["joint_names"], name]
            samples["q"] = [[*row, value] for row in samples["q"]]
            if "qd" in samples:
                samples["qd"] = [[*row, 0.0] for row in samples["qd"]]
        elif abs((real_number(value) or 0.0) - joints.rest[name]) > _SAME:
            source.warnings.append(
                f"{source.label} starts with {name} at {value}, and the cell holds it at {joints.rest[name]:g}, "
                "which counts"
            )


def _samples(source: Source, names: list[str], points: list[Mapping[str, Any]]) -> dict[str, Any]:
    times: list[float] = []
    q: list[list[float]] = []
    qd: list[list[float]] = []
    for k, point in enumerate(points):
        time = _seconds(point.get("time_from_start"))
        if time is None:
            source.fail(f"points[{k}] has no 'time_from_start' in seconds, or as sec and nanosec; add it")
        times.append(time)
        for key, rows in (("positions", q), ("velocities", qd)):
            row = point.get(key) or []
            if not isinstance(row, list):
                source.fail(f"points[{k}].{key} must list numbers, one for each joint")
            if len(row) not in ((len(names),) if key == "positions" else (0, len(names))):
                text = (
                    f"points[{k}].{key} has {counted(len(row), 'value')} for {counted(len(names), 'joint')}"
                )
                source.fail(f"{text}; give one for each of them")
            rows.append(row)
    given = [point.get("accelerations") for point in points]
    if any(isinstance(row, list) and any(row) for row in given):
        source.warnings.append(
            f"{source.label} has accelerations that are not used: between its points, joints move as "
            "'interpolation' defines, by cubic splines if there are velocities"
        )
    samples: dict[str, Any] = {"times": times, "q": q, "joint_names": names}
    if all(qd):
        samples["qd"] = qd
    elif any(qd):
        source.fail(
            f"points[{[bool(row) for row in qd].index(False)}] has no velocities, but others have; add them"
        )
    return samples


def _check_alone(source: Source, content: Any, inner: Any) -> None:
    """Refuse messages with parts that are not read: several trajectories, and joints of several values."""
    if isinstance(inner, list) and len(inner) > 1:
        source.fail(
            f"it has {len(inner)} trajectories, and one is read; join their points, or keep one of them"
        )
    other = content.get("multi_dof_joint_trajectory") if isinstance(content, Mapping) else None
    if isinstance(other, Mapping) and other.get("points"):
        source.fail(
            "its multi_dof_joint_trajectory has points, which are not read; give that motion as poses"
        )


def _check_stamp(source: Source, content: Mapping[str, Any]) -> None:
    """Refuse a start that the message gives and the cell does not: robots would move at other times."""
    header = content.get("header")
    stamp = header.get("stamp") if isinstance(header, Mapping) else None
    when = _seconds(stamp)
    if stamp and when != 0.0 and source.options.start is None:
        what = "a stamp in its header" if when is None else f"the stamp {when:.9g} s in its header"
        source.fail(f"it has {what}; give its start in the cell, such as start: 0")


def _seconds(value: Any) -> float | None:
    """Return a duration in seconds: a number, or seconds and nanoseconds by the names of ROS 1 or 2."""
    if isinstance(value, Mapping):
        whole = real_number(value.get("sec", value.get("secs", 0)))
        rest = real_number(value.get("nanosec", value.get("nsecs", 0)))
        return None if not value or whole is None or rest is None else whole + rest * 1e-9
    return real_number(value)
