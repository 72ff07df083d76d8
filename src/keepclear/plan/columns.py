"""The mapping between the numbers of a state of an OMPL space and the joints of a robot."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, shown
from keepclear.errors import ArgumentError
from keepclear.names import close_name, listed
from keepclear.robot.configuration import checked_configurations
from keepclear.robot.kinematics import REVOLUTE
from keepclear.robot.model import Robot

__all__ = ["JointColumns", "space_of", "wraps"]

STRAIGHT = "RealVectorStateSpace, SO2StateSpace and CompoundStateSpace"


class Leaf(NamedTuple):
    """A subspace without subspaces: the position of its state in the whole state, its size, and its labels."""

    path: tuple[int, ...]
    is_angle: bool
    labels: tuple[str, ...]


class JointColumns:
    """Reads and writes configurations of a robot in states of an OMPL space.

    Edges of the space are straight in joint space; an angle of an `SO2StateSpace` travels the shorter arc, as OMPL
    interpolates it.
    """

    def __init__(
        self,
        name: str,
        robot: Robot,
        space: Any,
        others: npt.ArrayLike | Mapping[str, npt.ArrayLike] | None = None,
    ) -> None:
        """Match the numbers of a space with joints: by names where it has them, otherwise in the robot's order.

        Args:
            name: The robot's name in its world, for messages.
            robot: The robot.
            space: An OMPL space.
            others: Configuration (dof,) from which joints that the space lacks take their values, or their values by
                name; None: it has all.

        Raises:
            ArgumentError: The space is not straight in joint space, or its numbers are not this robot's joints.
        """
        self.robot, self._name, self._space, self._given = robot, name, space, others
        self._leaves = tuple(_leaves(name, robot, space, ()))
        labels = [label for leaf in self._leaves for label in leaf.labels]
        self._column = _matched(name, robot, labels, is_part=others is not None)
        self._others: FloatArray | None = None
        if others is not None:
            if isinstance(others, Mapping):  # values of joints that the space has are not used
                others = {robot.joint_names[k]: 0.0 for k in self._column} | dict(others)
            values, is_one = checked_configurations(name, robot.kinematics, others, "others")
            if not is_one:
                raise ArgumentError(
                    f"robot {name!r}: others must be one configuration, but it has {len(values)}."
                )
            self._others = values[0]
        angles = [leaf.is_angle for leaf in self._leaves for _ in leaf.labels]
        self._angles = [column for column, is_angle in zip(self._column, angles, strict=True) if is_angle]
        for column in self._angles:
            if not wraps(robot, column):
                raise ArgumentError(
                    f"robot {name!r}: joint {robot.joint_names[column]!r} does not repeat after 360 degrees "
                    "(it has limits, is prismatic, or others mimic it), so its values do not belong in an "
                    "SO2StateSpace; use a RealVectorStateSpace with bounds."
                )
        self.dof = robot.dof
        self._is_plain = self._column == list(range(self.dof)) and self._leaves == (
            Leaf((), False, tuple(labels)),
        )

    def of(self, robot: Robot) -> JointColumns:
        """Return the columns of the same space for the robot that now has the name; another robot is matched again."""
        return self if robot is self.robot else JointColumns(self._name, robot, self._space, self._given)

    def configuration(self, state: Any) -> FloatArray:
        """Return the configuration (1, dof) of a state."""
        if self._is_plain:
            return np.array([state[0 : self.dof]])
        q = np.zeros((1, self.dof)) if self._others is None else self._others[None].copy()
        q[0, self._column] = [value for leaf in self._leaves for value in _read(leaf, state)]
        return q

    def write(self, state: Any, q: FloatArray) -> None:
        """Write a configuration (dof,) into a state."""
        values = iter(q[self._column].tolist())
        for leaf in self._leaves:
            part = _part(leaf, state)
            if leaf.is_angle:
                part.value = math.remainder(next(values), math.tau)
            else:
                part[0 : len(leaf.labels)] = [next(values) for _ in leaf.labels]

    def write_checked(self, state: Any, q: npt.ArrayLike) -> None:
        """Write a user's configuration (dof,) into a state."""
        values, is_one = checked_configurations(self._name, self.robot.kinematics, q)
        if not is_one:
            raise ArgumentError(
                f"robot {self._name!r}: a state holds one configuration, but q has {len(values)}."
            )
        self.write(state, values[0])

    def edge(self, first: Any, second: Any) -> tuple[FloatArray, FloatArray]:
        """Return both ends (1, dof) of the motion from one state to another, angles on the shorter arc."""
        q0, q1 = self.configuration(first), self.configuration(second)
        if self._angles:
            q1[:, self._angles] += math.tau * self._turns(q0, q1)
        return q0, q1

    def waypoints(self, states: list[Any]) -> FloatArray:
        """Return the configurations (n, dof) of consecutive states, without jumps of whole turns."""
        rows = [self.configuration(state) for state in states]
        if not rows:
            return np.empty((0, self.dof))
        q = np.concatenate(rows)
        if self._angles:
            q[1:, self._angles] += math.tau * np.cumsum(self._turns(q[:-1], q[1:]), axis=0)
        return q

    def _turns(self, q0: FloatArray, q1: FloatArray) -> FloatArray:
        """Return by how many turns, at most one, OMPL shifts the angles of q1 when it interpolates from q0."""
        difference = q1[:, self._angles] - q0[:, self._angles]
        return np.where(np.abs(difference) > math.pi, -np.copysign(1.0, difference), 0.0)


def wraps(robot: Robot, column: int) -> bool:
    """Return whether a joint, and all that mimic it, have the same poses after a turn of 360 degrees."""
    k = robot.kinematics
    moved = k.column == column
    is_whole = np.mod(k.multiplier[moved], 1.0) == 0.0
    return bool(
        k.lower[column] == -math.inf
        and k.upper[column] == math.inf
        and (k.kind[moved] == REVOLUTE).all()
        and is_whole.all()
    )


def _leaves(name: str, robot: Robot, space: Any, path: tuple[int, ...]) -> Iterator[Leaf]:
    """Yield the subspaces that contain numbers; kinds whose motions are not straight in joint space raise."""
    from ompl import base as ob

    kind = type(space)
    if kind is ob.RealVectorStateSpace:
        labels = tuple(space.getDimensionName(i) for i in range(space.getDimension()))
        yield Leaf(path, False, labels)
    elif kind is ob.SO2StateSpace:
        label = space.getName()  # a name generated by OMPL does not count
        yield Leaf(path, True, (label if label in robot.joint_names else "",))
    elif kind is ob.CompoundStateSpace:
        for i in range(space.getSubspaceCount()):
            yield from _leaves(name, robot, space.getSubspace(i), (*path, i))
    else:
        raise ArgumentError(
            f"robot {name!r}: motions of a {kind.__name__} may not be straight in joint space; use {STRAIGHT}, exactly "
            "these classes."
        )


def _matched(name: str, robot: Robot, labels: list[str], *, is_part: bool) -> list[int]:
    """Return the column of q of each number of a state."""
    joints = robot.joint_names
    if not any(labels) and not is_part:
        if len(labels) != len(joints):
            raise ArgumentError(
                f"robot {name!r} has {len(joints)} joints ({listed(joints, None)}), but the space has "
                f"{len(labels)} dimensions; give it as many, or name its dimensions after joints and give the "
                "values of the other joints with others=."
            )
        return list(range(len(joints)))
    for label in labels:
        if label not in joints:
            what = (
                "a dimension without a name" if label == "" else f"dimension {label!r}, which is not a joint"
            )
            raise ArgumentError(
                f"robot {name!r}: the space has {what}{close_name(label, joints)} Name all dimensions after joints, "
                f"or none: {listed(joints, None)}."
            )
    if len(set(labels)) != len(labels):
        twice = next(label for label in labels if labels.count(label) > 1)
        raise ArgumentError(f"robot {name!r}: the space has joint {twice!r} twice; name each joint once.")
    missing = [joint for joint in joints if joint not in labels]
    if missing and not is_part:
        raise ArgumentError(
            f"robot {name!r}: the space lacks {listed(missing)}; give the values of these joints with others=."
        )
    return [joints.index(label) for label in labels]


def _part(leaf: Leaf, state: Any) -> Any:
    for i in leaf.path:
        state = state[i]
    return state


def _read(leaf: Leaf, state: Any) -> list[float]:
    part = _part(leaf, state)
    return [part.value] if leaf.is_angle else part[0 : len(leaf.labels)]


def space_of(given: Any) -> Any:
    """Return the state space of an OMPL SpaceInformation, or the space itself."""
    from ompl import base as ob

    if isinstance(given, ob.SpaceInformation):
        return given.getStateSpace()
    if isinstance(given, ob.StateSpace):
        return given
    raise ArgumentError(
        f"space must be a SpaceInformation or a state space of OMPL, but it is {shown(given)}."
    )
