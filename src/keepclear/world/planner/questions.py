"""Queries of planners: which edges are clear, and which configurations are free."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping
from functools import partial
from typing import Self

import numpy as np
import numpy.typing as npt

from keepclear.checks import (
    FloatArray,
    checked_budget,
    checked_flag,
    checked_instant,
    checked_length,
    checked_positive,
)
from keepclear.errors import ArgumentError, UnitWarning
from keepclear.geometry.trees.trees import Using
from keepclear.kernels.tables.record import Rows
from keepclear.motion.joints.kinematics import checked_configurations
from keepclear.query.batches import checked_threads
from keepclear.robot.spheres.model import SphereModel
from keepclear.scene.coverage import check_covered
from keepclear.scene.items import WorldRobot
from keepclear.scene.robots.robot_tables import RobotTables
from keepclear.scene.scene import Scene
from keepclear.world.contents.contents import Contents
from keepclear.world.planner.edges import Asked, CheckedConfigurations, CheckedEdges, run_edges
from keepclear.world.planner.proved_free import check_model, model_of, prove_free, sphere_tables
from keepclear.world.selection.distant import unit_mistakes

Configurations = npt.ArrayLike | Mapping[str, npt.ArrayLike]

DEGREES = 7.0
"""From here on [rad], an angle beyond its limits may be in degrees; limits of a turn end at 2 pi."""


class PlannerQuestions(Contents):
    """Queries about one robot, with everything else at its pose at an instant."""

    _n_threads: int

    def __init__(self, using: Using | None = None) -> None:
        super().__init__(using)
        self._warned: set[str] = set()

    def _fork(self) -> Self:
        again = super()._fork()
        again._warned = set(self._warned)
        return again

    def check_edges(
        self,
        name: str,
        q0: Configurations,
        q1: Configurations,
        *,
        t: float = 0.0,
        tolerance: float = 1e-3,
        margin: float | None = None,
        budget: int | None = None,
        settle: bool = True,
        earliest: bool = False,
        threads: int | None = None,
    ) -> CheckedEdges:
        """Prove for many edges of a robot that nothing touches along them, or find a contact on each.

        An edge is straight in joint space, q(s) = q0 + s (q1 - q0) for s from 0 to 1; edges are independent of each
        other. The checked pairs are those that this robot's joints move relative to each other: its links, the objects
        that it holds at t, and everything else at its pose at t. Pairs that robots or `allow` let touch at t, or that
        were not selected (`only`), are left out. All edges are one compiled run that releases the GIL.

        Args:
            name: The robot.
            q0: Starts of the edges, (n, joints), columns as in `robot.joint_names` [rad or m]; one row is repeated.
            q1: Their ends, likewise.
            t: The instant that defines the poses of all other bodies [s].
            tolerance: A pair whose minimum distance exceeds its margin by less than this may get either verdict [m].
                No contact is missed.
            margin: Distance that counts as contact [m], or None; the margin of a pair applies where it is larger.
            budget: Maximum number of distances for each edge, or None. An edge that needs more is UNDECIDED.
            settle: False uses convex covers only, which are faster and never give COLLIDING: edges that they do not
                prove are UNDECIDED.
            earliest: Whether to find the earliest contact of each edge; otherwise any contact ends its search.
            threads: How many threads work; None: as many as this world may use. Answers do not depend on it.

        Returns:
            A `CheckedEdges`: `clear` and `colliding` (n,), `verdict`, `t_lo` (proved clear until there), `time`
            (contact in [0, 1], nan where none), `evaluations`, and `pair(k)`. Apart from a budget or settle=False,
            edges are UNDECIDED only where the tolerance is below 1e-11 of the path length of the joints.

        Raises:
            UnknownNameError: There is no such robot.
            ArgumentError: q0 or q1 has a wrong shape or a value that is not finite, or a number is invalid.

        Examples:
            >>> import numpy as np
            >>> from pathlib import Path
            >>> from tempfile import TemporaryDirectory
            >>> import keepclear as kc
            >>> text = '''<robot name="lever">
            ...   <link name="base"/>
            ...   <link name="arm"><collision>
            ...     <origin xyz="0.5 0 0"/><geometry><box size="1 0.1 0.1"/></geometry>
            ...   </collision></link>
            ...   <joint name="turn" type="continuous">
            ...     <parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
            ...   </joint>
            ... </robot>'''
            >>> with TemporaryDirectory() as folder:
            ...     file = Path(folder) / "lever.urdf"
            ...     _ = file.write_text(text)
            ...     robot = kc.read_robot(file)
            >>> world = kc.World()
            >>> world.add_robot("lever", robot)
            >>> world.add("post", kc.Cylinder(0.05, 1.0), [[1, 0, 0, 0.8], [0, 1, 0, 0.5], [0, 0, 1, 0], [0, 0, 0, 1]])
            >>> edges = world.check_edges("lever", [[0.0], [0.0]], [[0.4], [1.0]])
            >>> edges.clear.tolist(), edges.pair(1)
            ([True, False], ('lever/arm', 'post'))
        """
        accepted = checked_positive("tolerance", tolerance, "metres")
        robot, tables = self._robot_tables(name, t)
        start, end = _rows(robot, "q0", q0), _rows(robot, "q1", q1)
        if len(start) != len(end):
            start, end = _repeated(name, start, end)
        asked = Asked(
            accepted, None if margin is None else checked_length("margin", margin),
            None if budget is None else checked_budget(budget), checked_flag("settle", settle),
            checked_flag("earliest", earliest), self._n_threads if threads is None else checked_threads(threads),
        )  # fmt: skip
        return CheckedEdges(self._answers(robot, tables, asked, q0=start, q1=end), tables)

    def check_configurations(
        self,
        name: str,
        q: Configurations,
        *,
        t: float = 0.0,
        margin: float | None = None,
        settle: bool = True,
        threads: int | None = None,
    ) -> CheckedConfigurations:
        """Return which of many configurations of a robot are free of contact; exact, in one compiled run.

        The pairs are those of `check_edges`.

        Args:
            name: The robot.
            q: Configurations (n, joints), columns as in `robot.joint_names` [rad or m].
            t: The instant that defines the poses of all other bodies [s].
            margin: Distance that counts as contact [m], or None; the margin of a pair applies where it is larger.
            settle: False uses convex covers only: `free` is then proved, `gap` is a lower bound of the minimum
                distance, and `colliding` raises.
            threads: How many threads work; None: as many as this world may use. Answers do not depend on it.

        Returns:
            A `CheckedConfigurations`: `colliding` and `free` (n,), and `pair(k)`.
        """
        robot, tables = self._robot_tables(name, t)
        rows, settled = _rows(robot, "q", q), checked_flag("settle", settle)
        asked = Asked(
            0.0, None if margin is None else checked_length("margin", margin), None, settled, earliest=False,
            threads=self._n_threads if threads is None else checked_threads(threads),
        )  # fmt: skip
        return CheckedConfigurations(self._answers(robot, tables, asked, q=rows), tables, is_settled=settled)

    def proved_free(
        self,
        name: str,
        q: Configurations,
        *,
        model: SphereModel | None = None,
        t: float = 0.0,
        margin: float | None = None,
        threads: int | None = None,
    ) -> npt.NDArray[np.bool_]:
        """Return which of many configurations of a robot are proved free by spheres around its links.

        The pairs are those of `check_edges`. Spheres of links are compared with the exact shapes of obstacles and with
        the spheres of other links; one body inside another one counts as contact.

        Args:
            name: The robot.
            q: Configurations (n, joints), columns as in `robot.joint_names` [rad or m].
            model: Spheres that are proved to cover all links (`robot.sphere_model`). None: a suitable model, built by
                the first such call and kept with the robot.
            t: The instant that defines the poses of all other bodies [s].
            margin: Distance that counts as contact [m], or None; the margin of a pair applies where it is larger.
            threads: How many threads work; None: as many as this world may use. Answers do not depend on it.

        Returns:
            (n,) True is a proof that nothing comes within its margin. False means possible contact: two bodies are not
            farther apart than their margin and the `excess` of both covers (0 for an obstacle), and 4e-6 of their
            distance from the robot's base for rounding; cavities and small openings of links count as filled. Objects
            that the robot holds get spheres of an eighth of their size. Configurations beyond the limits of prismatic
            joints may be False even without contact.

        Raises:
            UnknownNameError: There is no such robot.
            ArgumentError: q has a wrong shape or a value that is not finite; or the model does not cover, or has no
                spheres for a link, so that it would prove nothing.
        """
        robot, tables = self._robot_tables(name, t)
        rows = _rows(robot, "q", q)
        least = None if margin is None else checked_length("margin", margin)
        n_threads = self._n_threads if threads is None else checked_threads(threads)
        if model is not None:
            check_model(robot.robot, model)
        if not tables.n_pairs:  # a warning was given
            _refuse_bad(robot, "q", rows)
            return np.ones(len(rows), np.bool_)
        used = model_of(robot.robot) if model is None else model
        key = "spheres", name, tables.t, id(used)
        _, spheres = tables.scene.kept(
            key, lambda: (used, sphere_tables(tables, used))
        )  # so that the id is not reused
        found, bad, beyond = prove_free(spheres, rows, least, n_threads)
        if bad >= 0:
            _refuse_bad(robot, "q", rows)
        if beyond:
            self._warn_of_limits(robot, rows)
        return found

    def _robot_tables(self, name: str, t: float) -> tuple[WorldRobot, RobotTables]:
        with self._lock:  # another thread may remove the robot
            if not isinstance(self._find_any(name), WorldRobot):
                raise ArgumentError(f"{name!r} is an object without joints; name a robot of this World.")
            instant, scene = checked_instant("t", t), self._present_scene()
        robot = scene.timeline.robots[name]
        return robot, scene.kept(("robot", name, instant), partial(self._make_tables, scene, robot, instant))

    def _make_tables(self, scene: Scene, robot: WorldRobot, t: float) -> RobotTables:
        """Return the tables of a robot, and warn if its results may be clear by an error of the model."""
        check_covered(scene.timeline, t, t)
        tables = RobotTables(scene, robot, t)
        for text in unit_mistakes(scene.steps(t, t), scene):
            self._warn(f"units {text}", text, UnitWarning)
        if not tables.n_pairs:
            self._warn(
                f"pairs {robot.name}",
                f"robot {robot.name!r}: no pair is checked, so that everything is clear: its links have no collision "
                "shapes, there is nothing else, or all pairs may touch.",
            )
        given = {event.name for event in scene.rules.attachments if event.X_LA is not None}
        held = ", ".join(name for name in tables.holds if name not in given)
        if held and len(robot.program.times) == 1 and (robot.program.q[0] == robot.robot.zero).all():
            self._warn(
                f"grasp {robot.name}",
                f"robot {robot.name!r} holds {held} at its pose relative to the robot's zero pose; if it was grasped "
                f"in another pose, set it with world.move({robot.name!r}, q).",
            )
        return tables

    def _warn(self, key: str, text: str, category: type[Warning] = UserWarning) -> None:
        """Issue a warning once per world."""
        if key not in self._warned:
            self._warned.add(key)
            level, frame = 1, sys._getframe()
            while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("keepclear."):
                level, frame = level + 1, frame.f_back
            warnings.warn(text, category, stacklevel=level)  # at the line of the user, whatever calls this

    def _answers(self, robot: WorldRobot, tables: RobotTables, asked: Asked, **ends: FloatArray) -> Rows:
        """Return the results of the kernel, which checks every value; `ends` are q, or q0 and q1."""
        some = list(ends.values())
        answers, bad, beyond = run_edges(tables, some[0], some[-1], asked)
        if bad >= 0:
            for name, q in ends.items():
                _refuse_bad(robot, name, q)
        if beyond:
            self._warn_of_limits(robot, *ends.values())
        return answers

    def _warn_of_limits(self, robot: WorldRobot, *some: FloatArray) -> None:
        """Warn once for each joint of a robot that is beyond its limits."""
        # harmless (1e-9): without it, more joints are warned of
        lower, upper = robot.robot.lower - 1e-9, robot.robot.upper + 1e-9
        for q in some:
            for k in np.flatnonzero(((q < lower) | (q > upper)).any(axis=0)).tolist():
                joint, worst = robot.robot.joint_names[k], q[:, k]
                value = worst[np.argmax(np.maximum(lower[k] - worst, worst - upper[k]))]
                limits = f"{robot.robot.lower[k]:.6g} to {robot.robot.upper[k]:.6g}"
                in_degrees = robot.robot.kinematics.turns[k] and abs(value) > DEGREES
                hint = " Are these degrees? Radians are expected." if in_degrees else ""
                self._warn(
                    f"limits {robot.name} {k}",
                    f"robot {robot.name!r}: joint {joint!r} is at {value:.6g}, beyond its limits {limits}; it "
                    f"is checked there as well; this warning appears once.{hint}",
                )


def _rows(robot: WorldRobot, name: str, q: Configurations) -> FloatArray:
    """Return configurations (n, joints) in the form of kernels."""
    dof = len(robot.robot.kinematics.joint_names)
    if (
        type(q) is np.ndarray
        and q.dtype == np.float64
        and q.ndim == 2
        and q.shape[1] == dof
        and q.flags.carray
    ):
        return q
    return checked_configurations(robot.name, robot.robot.kinematics, q, name)[0]


def _refuse_bad(robot: WorldRobot, name: str, q: FloatArray) -> None:
    """Raise if a value is not finite, or too large."""
    checked_configurations(robot.name, robot.robot.kinematics, q, name)


def _repeated(name: str, q0: FloatArray, q1: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return both ends with equal numbers of rows; a single row is repeated."""
    if 1 not in (len(q0), len(q1)):
        raise ArgumentError(
            f"robot {name!r}: q0 has {len(q0)} configurations and q1 has {len(q1)}; give as many, or one of either."
        )
    n = len(q1) if len(q0) == 1 else len(q0)
    q0, q1 = (np.repeat(q, n, axis=0) if len(q) == 1 else q for q in (q0, q1))
    return q0, q1
