"""OMPL's motion validator and state validity checker, based on a world."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from ompl import base as ob

from keepclear.checks import FloatArray
from keepclear.plan.columns import JointColumns, space_of
from keepclear.scene.items import WorldRobot
from keepclear.world.edges import CheckedEdges
from keepclear.world.world import World

__all__ = ["MotionValidator", "ValidityChecker"]

BACK_OFF = np.array([1.0, 0.999, 0.98, 0.875, 0.5])  # tried parts of the proved length, the longest first


class MotionValidator(ob.MotionValidator):  # type: ignore[misc]
    """Motions of one robot, each proved clear as a whole; made by `kc.plan.motion_validator`."""

    def __init__(self, world: World, name: str, space: Any, others: Any, options: dict[str, Any]) -> None:
        self._kept, self._information = _prepared(world, name, space, others, options["t"])
        super().__init__(self._information or space)
        self._world, self._name, self._options = world, name, options
        self._n_valid = self._n_invalid = 0
        none = np.empty((0, self._kept.dof))
        world.check_edges(name, none, none, **options)  # bad options raise here, and tables are built

    @property
    def _columns(self) -> JointColumns:
        self._kept = _present(self._kept, self._world, self._name)
        return self._kept

    def checkMotion(self, s1: Any, s2: Any) -> bool:
        """Return whether the whole motion from one state to another is proved clear, its ends included."""
        q0, q1 = self._columns.edge(s1, s2)
        is_clear = bool(self._world.check_edges(self._name, q0, q1, **self._options).clear[0])
        self._count(is_clear)
        return is_clear

    def checkMotionWithLastValid(self, s1: Any, s2: Any, lastValidState: Any) -> tuple[bool, float]:
        """Return whether the motion is proved clear, and the fraction of it that is.

        The state there is written into `lastValidState` (None: nowhere). The motion from s1 to that state is proved
        clear by itself, so that a planner may keep it; the fraction is 0 where no such motion is known.
        """
        columns = self._columns
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
        return self._columns.waypoints(path.getStates())

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
        self._columns.write_checked(state, q)

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
        self._kept, self._information = _prepared(world, name, space, others, options["t"])
        super().__init__(self._information or space)
        self._world, self._name, self._options = world, name, options
        world.check_configurations(name, np.empty((0, self._kept.dof)), **options)

    @property
    def _columns(self) -> JointColumns:
        self._kept = _present(self._kept, self._world, self._name)
        return self._kept

    def isValid(self, state: Any) -> bool:
        """Return whether nothing is in contact in a state; exact."""
        q = self._columns.configuration(state)
        return bool(self._world.check_configurations(self._name, q, **self._options).free[0])

    def clearance(self, state: Any) -> float:
        """Return a lower bound of the minimum distance in a state, from convex covers: 0 where these overlap [m]."""
        q = self._columns.configuration(state)
        return float(self._world.check_configurations(self._name, q, settle=False, **self._options).gap[0])

    def write_state(self, state: Any, q: npt.ArrayLike) -> None:
        """Write a configuration (joints,) of the robot into a state of the space."""
        self._columns.write_checked(state, q)


def _prepared(world: World, name: str, given: Any, others: Any, t: float) -> tuple[JointColumns, Any]:
    """Return the columns of states, and a SpaceInformation if the user gave a space.

    OMPL's parent classes hold a bare pointer to the SpaceInformation and never read it. One that is made here is kept
    by the validator. One of the user is not: it keeps the validator, and a cycle through C++ would never be freed.
    """
    space = space_of(given)
    robot = world._robot_tables(name, t)[0].robot
    return JointColumns(name, robot, space, others), ob.SpaceInformation(space) if given is space else None


def _present(columns: JointColumns, world: World, name: str) -> JointColumns:
    """Return the columns of the robot that a world now has by that name."""
    found = world._find_any(name)
    return columns.of(found.robot) if isinstance(found, WorldRobot) else columns
