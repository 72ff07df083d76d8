"""What is asked of a world, checked at its door."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np

from keepclear.continuous.arguments import as_motion, checked_budget, checked_deviation
from keepclear.continuous.extent import extent_of
from keepclear.errors import ArgumentError, TrajectoryError
from keepclear.kinds import PROGRAMS, ROBOTS
from keepclear.motions.motion import Motion
from keepclear.motions.samples import checked_choice
from keepclear.robot.joint_trajectory import JointTrajectory
from keepclear.robot.link_motion import LinkMotion
from keepclear.robot.model import Robot
from keepclear.scene.items import WorldObject, WorldRobot
from keepclear.scene.rules import Window
from keepclear.scene.timeline import Timeline
from keepclear.shapes.arguments import real_number, shown
from keepclear.tolerances import LATEST_TIME
from keepclear.world.verify import Task

MOST_INSTANTS = 100_000


def checked_motion(name: str, motion: Any) -> Motion:
    """Return how an object moves: a motion as it is, or a pose (4, 4) as a body at rest."""
    if isinstance(motion, JointTrajectory):
        raise ArgumentError(
            f"object {name!r}: a JointTrajectory moves a robot; add that with world.add_robot."
        )
    if isinstance(motion, LinkMotion):
        raise ArgumentError(
            f"object {name!r}: it moves with a link; attach it to the robot (robot.attach), or for a while "
            "(world.attach), so that both are known to move together."
        )
    return as_motion(motion, f"object {name!r}: motion")


def checked_program(name: str, robot: Any, motion: Any) -> JointTrajectory:
    """Return the program of a robot: a trajectory as it is, or values (joints,) as a robot at rest."""
    if not isinstance(robot, Robot):
        raise ArgumentError(f"robot {name!r} must come from kc.read_robot, but it is {shown(robot)}.")
    ROBOTS.check(robot, f"robot {name!r}")
    if isinstance(motion, JointTrajectory):
        PROGRAMS.check(motion, f"robot {name!r}: its program")
        if motion.robot is robot:
            return motion
        if motion.robot.joint_names != robot.joint_names:
            raise ArgumentError(
                f"robot {name!r}: its program is for another robot, with the joints "
                f"{', '.join(motion.robot.joint_names)}."
            )
        return JointTrajectory(
            robot, motion.times, motion.q, motion.qd, motion.interpolation,  # type: ignore[arg-type]
            hold=motion.hold, name=motion.name,  # type: ignore[arg-type]
        )  # fmt: skip
    if isinstance(motion, Motion):
        raise ArgumentError(
            f"robot {name!r} needs a JointTrajectory or joint values, not a {type(motion).__name__}."
        )
    q = robot.zero if motion is None else motion
    values = {key: [value] for key, value in q.items()} if isinstance(q, dict) else np.asarray(q)[None]
    return JointTrajectory(robot, [0.0], values, name=name)


def checked_window(t_from: object, t_to: object, what: str) -> Window:
    """Return a window of time; None is no end."""
    start = -math.inf if t_from is None else checked_instant(f"{what}: t_from", t_from)
    end = math.inf if t_to is None else checked_instant(f"{what}: t_to", t_to)
    if start > end:
        raise ArgumentError(f"{what}: it begins at {start:.9g} s, after its end at {end:.9g} s.")
    return start, end


def checked_instant(name: str, t: object) -> float:
    """Return a time that is not too large [s]."""
    time = real_number(t)
    if time is None or not math.isfinite(time):
        raise ArgumentError(f"{name} must be a finite number of seconds, but it is {shown(t)}.")
    if abs(time) > LATEST_TIME:
        raise ArgumentError(f"{name} = {time:g} s is beyond the largest time, {LATEST_TIME:g} s.")
    return time


def checked_length(name: str, value: object, unit: str = "metres") -> float:
    """Return a finite number that is not negative."""
    number = real_number(value)
    if number is None or not 0.0 <= number < math.inf:
        raise ArgumentError(f"{name} must be a finite number >= 0, in {unit}, but it is {shown(value)}.")
    return number


def checked_interval(span: Window, t0: object, t1: object) -> Window:
    """Return an interval of time, by default all that moves."""
    start = span[0] if t0 is None else checked_instant("t0", t0)
    end = span[1] if t1 is None else checked_instant("t1", t1)
    if start > end:
        raise ArgumentError(f"t0 = {start:.9g} s comes after t1 = {end:.9g} s; give the earlier time first.")
    return start, end


def checked_task(t0: float, t1: float, **given: Any) -> Task:
    """Return what is asked, with every option checked."""
    tolerance = real_number(given["tolerance"])
    if tolerance is None or not 0.0 < tolerance < math.inf:
        raise ArgumentError(
            f"tolerance must be a finite number > 0, in metres, but it is {shown(given['tolerance'])}."
        )
    contacts = checked_choice("verify", "contacts", given["contacts"], ("earliest", "first", "all"))
    curves = given["curves"]
    if (
        isinstance(curves, bool)
        or not isinstance(curves, int | np.integer)
        or not 0 <= curves <= MOST_INSTANTS
    ):
        raise ArgumentError(
            f"curves must be a number of instants from 0 to {MOST_INSTANTS}, but it is {shown(curves)}."
        )
    return Task(
        t0=t0, t1=t1, tolerance=tolerance, contacts=contacts, clearances=bool(given["clearances"]),
        far=checked_length("far", given["far"]), curves=int(curves), budget=checked_budget(given["budget"]),
        threads=given["threads"], scene=bool(given["scene"]),
    )  # fmt: skip


def span_of(objects: Iterable[WorldObject | WorldRobot]) -> Window:
    """Return when the first motion begins and the last one ends; 0 and 0 if nothing moves [s]."""
    spans = []
    for found in objects:
        motion = found.program if isinstance(found, WorldRobot) else found.motion
        if motion is not None and math.isfinite(motion.t_start) and motion.t_end > motion.t_start:
            spans.append((motion.t_start, motion.t_end))
    return (min(s for s, _ in spans), max(e for _, e in spans)) if spans else (0.0, 0.0)


def check_covered(timeline: Timeline, t0: float, t1: float) -> None:
    """Raise unless every motion says where its body is while it carries it, and keeps it rigid enough."""
    for i, item in enumerate(timeline.items):
        for k, carrier in enumerate(timeline.carriers[i]):
            start, end = max(t0, carrier.window[0]), min(t1, carrier.window[1])
            motion = timeline.motion(i, 0, k)
            if start > end:
                continue
            for p, part in enumerate(item.parts):
                name = partial(repr, item.name)
                checked_deviation(timeline.motion(i, p, k), extent_of(part.body), name)
            if motion.hold != "both":
                for t in (start, end):
                    try:
                        motion._check_time(t)
                    except TrajectoryError as error:
                        raise TrajectoryError(f"{item.name}: {error}") from None
