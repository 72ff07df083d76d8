"""OMPL's motion validator and state validity checker, based on a world, and the joints in states of its spaces."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from ompl import base as ob

from keepclear.checks import FloatArray, shown
from keepclear.errors import ArgumentError
from keepclear.motion.joints.kinematics import checked_configurations
from keepclear.names import close_name, listed
from keepclear.robot.model import Robot
from keepclear.scene.items import WorldRobot
from keepclear.world.planner.edges import CheckedEdges
from keepclear.world.world import World

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
        """Return the columns of the same space for another robot of the same name."""
        return JointColumns(self._name, robot, self._space, self._given)

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
    return bool(k.lower[column] == -math.inf and k.upper[column] == math.inf and k.repeats(column))


def _leaves(name: str, robot: Robot, space: Any, path: tuple[int, ...]) -> Iterator[Leaf]:
    """Yield the subspaces that contain numbers; kinds whose motions are not straight in joint space raise."""
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
    if isinstance(given, ob.SpaceInformation):
        return given.getStateSpace()
    if isinstance(given, ob.StateSpace):
        return given
    raise ArgumentError(
        f"space must be a SpaceInformation or a state space of OMPL, but it is {shown(given)}."
    )


BACK_OFF = np.array([1.0, 0.999, 0.98, 0.875, 0.5])  # tried parts of the proved length, the longest first


class _Columns:
    """The columns of states for the robot that a world has by a name: another robot of that name is matched again.

    OMPL's parent classes hold a bare pointer to the SpaceInformation and never read it. One that is made here is kept
    here. One of the user is not: it keeps the validator, and a cycle through C++ would never be freed.
    """

    def __init__(self, world: World, name: str, given: Any, others: Any, t: float) -> None:
        self._world, self._name, space = world, name, space_of(given)
        self._known = JointColumns(name, world._robot_tables(name, t)[0].robot, space, others)
        self.information = ob.SpaceInformation(space) if given is space else None

    def __call__(self) -> JointColumns:
        found = self._world._find_any(self._name)
        if isinstance(found, WorldRobot) and found.robot is not self._known.robot:
            self._known = self._known.of(found.robot)
        return self._known


class MotionValidator(ob.MotionValidator):  # type: ignore[misc]
    """Motions of one robot, each proved clear as a whole; made by `kc.plan.motion_validator`."""

    def __init__(self, world: World, name: str, space: Any, others: Any, options: dict[str, Any]) -> None:
        self._columns = _Columns(world, name, space, others, options["t"])
        super().__init__(self._columns.information or space)
        self._world, self._name, self._options = world, name, options
        self._n_valid = self._n_invalid = 0
        none = np.empty((0, self._columns().dof))
        world.check_edges(name, none, none, **options)  # bad options raise here, and tables are built

    def checkMotion(self, s1: Any, s2: Any) -> bool:
        """Return whether the whole motion from one state to another is proved clear, its ends included."""
        q0, q1 = self._columns().edge(s1, s2)
        is_clear = bool(self._world.check_edges(self._name, q0, q1, **self._options).clear[0])
        self._count(is_clear)
        return is_clear

    def checkMotionWithLastValid(self, s1: Any, s2: Any, lastValidState: Any) -> tuple[bool, float]:
        """Return whether the motion is proved clear, and the fraction of it that is.

        The state there is written into `lastValidState` (None: nowhere). The motion from s1 to that state is proved
        clear by itself, so that a planner may keep it; the fraction is 0 where no such motion is known.
        """
        columns = self._columns()
        q0, q1 = columns.edge(s1, s2)
        found = self._world.check_edges(self._name, q0, q1, earliest=True, **self._options)
        is_clear = bool(found.clear[0])
        self._count(is_clear)
        part, end = (1.0, q1) if is_clear else self._proved_part(q0, q1, float(found.t_lo[0]))
        if lastValidState is not None:  # which may be s2 itself
            columns.write(lastValidState, end[0])
        return is_clear, part

    def _proved_part(self, q0: FloatArray, q1: FloatArray, t_lo: float) -> tuple[float, FloatArray]:
        """Return the part of a motion that is proved clear as a separate edge, at most t_lo, and its end."""
        parts = t_lo * BACK_OFF
        ends = q0 + parts[:, None] * (q1 - q0)
        proved = np.flatnonzero(self._world.check_edges(self._name, q0, ends, **self._options).clear)
        return (float(parts[proved[0]]), ends[proved[:1]]) if len(proved) else (0.0, q0)

    def configurations(self, path: Any) -> FloatArray:
        """Return the configurations (n, joints) of a path's states, columns as in `robot.joint_names`.

        Angles of an SO2StateSpace continue beyond half a turn, so that consecutive rows are the edges of the path.
        """
        return self._columns().waypoints(path.getStates())

    def check_path(self, path: Any) -> CheckedEdges:
        """Return the results of each segment of a path: `check_path(path).clear.all()` certifies it.

        Planners check each edge that they use. Later changes of a path (shortcuts, smoothing, subdivision) make new
        segments, and this checks all of them.

        Args:
            path: An `ompl.geometric.PathGeometric`.
        """
        q = self.configurations(path)
        q = np.repeat(q, 2, axis=0) if len(q) == 1 else q
        return self._world.check_edges(self._name, q[:-1].copy(), q[1:].copy(), **self._options)

    def write_state(self, state: Any, q: npt.ArrayLike) -> None:
        """Write a configuration (joints,) of the robot into a state of the space.

        Args:
            state: A state of the space, such as `space.allocState()`.
            q: Joint values, columns as in `robot.joint_names`; those that the space lacks are ignored.
        """
        self._columns().write_checked(state, q)

    def _count(self, is_clear: bool) -> None:
        self._n_valid += is_clear
        self._n_invalid += not is_clear

    def getValidMotionCount(self) -> int:
        """Return how many motions were proved clear."""
        return self._n_valid

    def getInvalidMotionCount(self) -> int:
        """Return how many motions were not proved clear."""
        return self._n_invalid

    def getCheckedMotionCount(self) -> int:
        """Return how many motions were checked."""
        return self._n_valid + self._n_invalid

    def getValidMotionFraction(self) -> float:
        """Return the fraction of motions that were proved clear, 0 where none was checked."""
        return self._n_valid / max(self.getCheckedMotionCount(), 1)

    def resetMotionCounter(self) -> None:
        """Set the counts of motions to 0."""
        self._n_valid = self._n_invalid = 0


class ValidityChecker(ob.StateValidityChecker):  # type: ignore[misc]
    """States of one robot, exact; made by `kc.plan.validity_checker`."""

    def __init__(self, world: World, name: str, space: Any, others: Any, options: dict[str, Any]) -> None:
        self._columns = _Columns(world, name, space, others, options["t"])
        super().__init__(self._columns.information or space)
        self._world, self._name, self._options = world, name, options
        world.check_configurations(name, np.empty((0, self._columns().dof)), **options)

    def isValid(self, state: Any) -> bool:
        """Return whether nothing is in contact in a state; exact."""
        q = self._columns().configuration(state)
        return bool(self._world.check_configurations(self._name, q, **self._options).free[0])

    def clearance(self, state: Any) -> float:
        """Return a lower bound of the minimum distance in a state, from convex covers: 0 where these overlap [m]."""
        q = self._columns().configuration(state)
        return float(self._world.check_configurations(self._name, q, settle=False, **self._options).gap[0])

    def write_state(self, state: Any, q: npt.ArrayLike) -> None:
        """Write a configuration (joints,) of the robot into a state of the space."""
        self._columns().write_checked(state, q)
