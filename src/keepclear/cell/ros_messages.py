"""Samples in the form of a trajectory_msgs/JointTrajectory message, in JSON or YAML."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from keepclear.cell.samples import Source
from keepclear.checks import real_number
from keepclear.shapes.mesh_check import counted

__all__ = ["message_samples"]

_AROUND = ("joint_trajectory", "trajectory", "goal")  # messages that hold such a message


def message_samples(source: Source, content: Any) -> dict[str, Any] | None:
    """Return times, q, qd and joint_names of a message; None if it is not such a message.

    Raises:
        Failed: The message has an error.
    """
    while isinstance(content, list) and len(content) == 1:
        content = content[0]
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
    return _samples(source, names, points)


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
