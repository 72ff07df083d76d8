"""Samples in the shape of a trajectory_msgs/JointTrajectory message, as JSON or YAML has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from keepclear.cell.samples import Source
from keepclear.shapes.arguments import real_number
from keepclear.shapes.mesh_check import counted

__all__ = ["message_samples"]

_AROUND = ("joint_trajectory", "trajectory", "goal")  # messages that hold such a message


def message_samples(source: Source, content: Any) -> dict[str, Any] | None:
    """Return times, q, qd and joint_names of a message, None if it is none.

    Raises:
        Failed: It is one, and something in it does not fit.
    """
    while isinstance(content, list) and len(content) == 1:
        content = content[0]
    for _ in range(3):
        inner = next(
            (content[key] for key in _AROUND if isinstance(content, Mapping) and key in content), None
        )
        content = content if inner is None else inner[0] if isinstance(inner, list) and inner else inner
    if not isinstance(content, Mapping) or "points" not in content:
        return None
    names, points = content.get("joint_names"), content["points"]
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
            if len(row) not in ((len(names),) if key == "positions" else (0, len(names))):
                text = (
                    f"points[{k}].{key} has {counted(len(row), 'value')} for {counted(len(names), 'joint')}"
                )
                source.fail(f"{text}; give one for each of them")
            rows.append(row)
    samples: dict[str, Any] = {"times": times, "q": q, "joint_names": names}
    if all(qd):
        samples["qd"] = qd
    elif any(qd):
        source.fail(
            f"points[{[bool(row) for row in qd].index(False)}] has no velocities, but others have; add them"
        )
    return samples


def _seconds(value: Any) -> float | None:
    """Return a duration in seconds: a number, or seconds and nanoseconds by the names of ROS 1 or 2."""
    if isinstance(value, Mapping):
        whole = real_number(value.get("sec", value.get("secs", 0)))
        rest = real_number(value.get("nanosec", value.get("nsecs", 0)))
        return None if not value or whole is None or rest is None else whole + rest * 1e-9
    return real_number(value)
