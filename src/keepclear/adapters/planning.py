"""Adapters for planning libraries: `kc.plan`, for OMPL with the extra "plan"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from keepclear.checks import shown
from keepclear.errors import ArgumentError, MissingPackageError, UnknownNameError
from keepclear.names import close_name, listed
from keepclear.robot.model import Robot
from keepclear.world.world import World

if TYPE_CHECKING:
    from ompl import base as ob

    from keepclear.adapters.ompl import MotionValidator, ValidityChecker

__all__ = ["joint_space", "motion_validator", "validity_checker"]

Values = npt.ArrayLike | Mapping[str, npt.ArrayLike]


def motion_validator(
    world: World,
    name: str,
    space: ob.SpaceInformation | ob.StateSpace,
    *,
    t: float = 0.0,
    tolerance: float = 1e-3,
    margin: float | None = None,
    budget: int | None = None,
    others: Values | None = None,
) -> MotionValidator:
    """Return a motion validator for OMPL that accepts a motion only if all of it is proved clear.

    A motion is an edge of `world.check_edges`: straight in joint space, with everything else at its pose at t.

    Args:
        world: The world; changes to it count from the next motion on.
        name: The robot in it.
        space: An `ompl.base.SpaceInformation`, or a state space: `RealVectorStateSpace`, `SO2StateSpace` for joints
            without limits, or a `CompoundStateSpace` of these. Dimensions (and SO2 subspaces) that are named after
            joints may have any order; without names the order is that of `robot.joint_names`.
        t: The instant that defines the poses of all other bodies [s].
        tolerance: A pair whose minimum distance exceeds its margin by less than this may get either verdict [m].
        margin: Distance that counts as contact [m], or None; the margin of a pair applies where it is larger.
        budget: Maximum number of distances for each motion, or None. A motion that needs more is not accepted.
        others: Values of the joints that the space lacks: a configuration (joints,), or a dict by joint name; None: the
            space has all joints.

    Returns:
        An `ompl.base.MotionValidator`. Besides OMPL's methods it has `check_path(path)`, which certifies a finished
        path segment by segment, `configurations(path)` and `write_state(state, q)`.

    Raises:
        MissingPackageError: ompl is not installed.
        UnknownNameError: There is no such robot.
        ArgumentError: The space is not one of this robot's joints, or an option is invalid.
    """
    _check(world)
    from keepclear.adapters.ompl import MotionValidator

    options = {"t": t, "tolerance": tolerance, "margin": margin, "budget": budget}
    return MotionValidator(world, name, space, others, options)


def validity_checker(
    world: World,
    name: str,
    space: ob.SpaceInformation | ob.StateSpace,
    *,
    t: float = 0.0,
    margin: float | None = None,
    others: Values | None = None,
) -> ValidityChecker:
    """Return a state validity checker for OMPL: a state is valid if nothing is in contact; exact.

    A state is a configuration of `world.check_configurations`. `clearance(state)` is a certified lower bound.

    Args:
        world: The world; changes to it count from the next state on.
        name: The robot in it.
        space: As for `motion_validator`.
        t: The instant that defines the poses of all other bodies [s].
        margin: Distance that counts as contact [m], or None; the margin of a pair applies where it is larger.
        others: As for `motion_validator`.

    Returns:
        An `ompl.base.StateValidityChecker`; it also has `write_state(state, q)`.

    Raises:
        MissingPackageError: ompl is not installed.
        UnknownNameError: There is no such robot.
        ArgumentError: The space is not one of this robot's joints, or an option is invalid.
    """
    _check(world)
    from keepclear.adapters.ompl import ValidityChecker

    return ValidityChecker(world, name, space, others, {"t": t, "margin": margin})


def joint_space(robot: Robot, joints: Sequence[str] | None = None) -> ob.StateSpace:
    """Return an OMPL space of a robot's joints, with their names and limits.

    It is a `RealVectorStateSpace` if all joints have limits. Otherwise it is a `CompoundStateSpace` of one for those
    that have limits and an `SO2StateSpace` for each of the others; `write_state` of validators fills its states.

    Args:
        robot: The robot.
        joints: Which joints, such as `robot.groups["arm"]`; None: all.

    Raises:
        MissingPackageError: ompl is not installed.
        UnknownNameError: There is no such joint.
        ArgumentError: A joint has no limits and is not the same after a full turn: no space holds all its values. Or
            `joints` is a single name instead of a list.
    """
    if not isinstance(robot, Robot):
        raise ArgumentError(f"robot must be a kc.Robot, from kc.read_robot, but it is {shown(robot)}.")
    ob = _ompl_base()
    from keepclear.adapters.ompl import wraps

    if isinstance(joints, str):
        raise ArgumentError(
            f"joints must be a list of names, but it is {joints!r}; give "
            + (
                f"robot.groups[{joints!r}]."
                if joints in robot.groups
                else "a list, such as robot.joint_names."
            )
        )
    names = robot.joint_names if joints is None else tuple(joints)
    for joint in names:
        if joint not in robot.joint_names:
            raise UnknownNameError(
                f"robot {robot.name!r} has no independent joint {joint!r}"
                f"{close_name(joint, robot.joint_names)} These are {listed(robot.joint_names)}."
            )
    columns = [robot.joint_names.index(joint) for joint in names]
    angles = [k for k in columns if wraps(robot, k)]
    lengths = ob.RealVectorStateSpace(0)
    for k in columns:
        if k in angles:
            continue
        lower, upper = float(robot.lower[k]), float(robot.upper[k])
        if not upper - lower < float("inf"):
            raise ArgumentError(
                f"robot {robot.name!r}: joint {robot.joint_names[k]!r} has limits {lower:g} to {upper:g}, and no space "
                "holds all its values; make a RealVectorStateSpace with bounds that suit your task."
            )
        lengths.addDimension(robot.joint_names[k], lower, upper)
    if not angles:
        return lengths
    space = ob.CompoundStateSpace()
    if len(angles) < len(columns):
        space.addSubspace(lengths, 1.0)
    for k in angles:
        turn = ob.SO2StateSpace()
        turn.setName(robot.joint_names[k])
        space.addSubspace(turn, 1.0)
    return space


def _check(world: object) -> None:
    if not isinstance(world, World):
        raise ArgumentError(f"world must be a kc.World, but it is {shown(world)}.")
    _ompl_base()


def _ompl_base() -> Any:
    """Return OMPL's module `base`."""
    try:
        from ompl import base
    except ImportError as error:
        raise MissingPackageError(
            'kc.plan needs the package ompl, version 2 or later; install it with pip install "keepclear[plan]". '
            "world.check_edges answers other planners without it."
        ) from error
    return base
