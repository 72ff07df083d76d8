"""How objects and robots of a world move, checked."""

from __future__ import annotations

from typing import Any

from keepclear.checks import as_array, shown
from keepclear.errors import ArgumentError
from keepclear.kinds import PROGRAMS, ROBOTS
from keepclear.motion.joints.link_motion import LinkMotion
from keepclear.motion.joints.program import JointTrajectory
from keepclear.motion.motion import Motion
from keepclear.query.moving.question import as_motion
from keepclear.robot.model import Robot


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
    if isinstance(q, dict):
        return JointTrajectory(robot, [0.0], {key: [value] for key, value in q.items()}, name=name)
    values = as_array(q, f"robot {name!r}: the joint values")
    if values.shape == (4, 4):
        raise ArgumentError(
            f"robot {name!r} needs a JointTrajectory or the values of its joints, but got an array (4, 4); the pose of "
            "its base is X_WB= of world.add_robot."
        )
    return JointTrajectory(robot, [0.0], values[None], name=name)
