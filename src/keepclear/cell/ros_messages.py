"""Samples in messages of ROS, in JSON or YAML: trajectory_msgs/JointTrajectory, and recorded sensor_msgs/JointState."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from keepclear.cell.names import listed
from keepclear.cell.samples import Joints, Source
from keepclear.checks import real_number
from keepclear.names import counted

__all__ = ["are_joint_states", "message_samples"]

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
    if any(_is_moving(point.get("accelerations")) for point in points):
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


def _is_moving(values: Any) -> bool:
    return isinstance(values, list) and any(values)


def _seconds(value: Any) -> float | None:
    """Return a duration in seconds: a number, or seconds and nanoseconds by the names of ROS 1 or 2."""
    if isinstance(value, Mapping):
        whole = real_number(value.get("sec", value.get("secs", 0)))
        rest = real_number(value.get("nanosec", value.get("nsecs", 0)))
        return None if not value or whole is None or rest is None else whole + rest * 1e-9
    return real_number(value)
