"""A loop at frame rate: current poses, near pairs, and contacts since the last frame."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, IntArray, shown
from keepclear.errors import ArgumentError, KeepclearError
from keepclear.geometry.bodies.bounds import shape_of
from keepclear.geometry.pose import as_poses, refuse_pose
from keepclear.kernels.broad_phase import frame
from keepclear.kernels.convex import gjk
from keepclear.kernels.convex.pose import project_poses
from keepclear.motion.fixed import Fixed
from keepclear.motion.joints.chains import inverse
from keepclear.motion.joints.program import JointTrajectory
from keepclear.motion.motion import Motion
from keepclear.motion.trajectory import all_between
from keepclear.query.interval.batch import first_contact_batch
from keepclear.query.interval.first_contact import first_contact
from keepclear.results import Verdict
from keepclear.scene.frame_table import FrameTable, LastFrame, Near, Placing
from keepclear.scene.items import WorldObject, WorldRobot
from keepclear.scene.programs import checked_program
from keepclear.scene.timeline import AT_ORIGIN, Timeline
from keepclear.world.contents.frame_contacts import FrameContacts, Pairs

Owner = WorldObject | WorldRobot
MOST_PLACINGS = 8  # cached lists of names; the next call often repeats one
HALF_TURN = 1e-6  # [rad]; a turn that is closer to half a turn than this has no certain axis
SLACK = 1e-9
"""Smallest increase of margins for rounding of poses [m]; it is the same for nearly all pairs, so that they are
advanced in one run, and far below any tolerance."""
_NOTHING = Pairs(np.empty(0, dtype=object), np.empty(0, np.int64))


class FrameLoop:
    """The frame table of a world, and the near pairs of its last frame.

    Attributes:
        table: The table; None after a change of the world other than poses.
        moved: Names of all objects and robots that were given another pose or program: they count as moving.
        t: The instant of the last frame [s].
    """

    def __init__(self) -> None:
        self.table: FrameTable | None = None
        self.moved: set[str] = set()
        self.t = 0.0
        self._last_frame: FrameTable | LastFrame | None = None
        self._near = _NOTHING
        self._placings: list[tuple[list[str], Placing]] = []

    def copy(self) -> FrameLoop:
        """Return a loop that continues from the same last frame, without a table."""
        again = FrameLoop()
        again.moved, again.t, again._near = set(self.moved), self.t, self._near
        last = self._last_frame
        again._last_frame = last.last_frame() if isinstance(last, FrameTable) else last
        return again

    def drop(self) -> None:
        """Discard the table because the world has changed; the near pairs of the last frame are kept."""
        self.table, self._placings = None, []

    def settle(
        self, set_motion: Callable[[str, Motion], None], set_program: Callable[[str, JointTrajectory], None]
    ) -> None:
        """Store the poses of updated objects and robots as motions, for all other queries."""
        if self.table is None:
            return
        poses, programs = self.table.settled()
        for name, program in programs.items():
            set_program(name, program)
        for name, X in poses.items():
            set_motion(name, Fixed(X))
        self.moved.update(poses)  # including objects that a robot held and may have released since

    def place_fast(self, names: object, X: object) -> bool:
        """Take over poses of the same objects as in the last call; return False if the table has to be rebuilt."""
        if self.table is None or not isinstance(names, list | tuple) or type(X) is not np.ndarray:
            return False
        placing = self._known(names)
        if placing is None or X.dtype != np.float64 or X.shape != (len(names), 4, 4):
            return False
        poses = np.array(X, order="C")
        if project_poses(poses):
            return False
        self.table.place(placing, poses)
        return True

    def place(self, names: list[str], poses: FloatArray, programs: dict[str, JointTrajectory]) -> bool:
        """Take over checked poses (n, 4, 4) of objects and programs of robots; return False without a usable table."""
        table = self.table
        if table is None or not table.moved.issuperset(programs):
            return False
        placing = self._known(names) or table.placing(names)
        if placing is None:
            return False
        if names:
            known = [(listed, other) for listed, other in self._placings if other is not placing]
            self._placings = [(list(names), placing), *known][:MOST_PLACINGS]
            table.place(placing, poses)
        for name, program in programs.items():
            table.place_robot(name, program)
        return True

    def _known(self, names: list[str] | tuple[str, ...]) -> Placing | None:
        """Return the rows of objects that an earlier call has named in the same order."""
        given = names if isinstance(names, list) else list(names)
        try:
            return next((placing for listed, placing in self._placings if listed == given), None)
        except ValueError:  # arrays among the names
            return None

    def use(self, table: FrameTable, t: float) -> None:
        """Use a table from now on, for an instant at which it is valid."""
        if table is not self.table:
            self.table, self._placings = table, []
        table.t = self.t = t

    @property
    def last_frame(self) -> LastFrame | None:
        """The poses of the last frame."""
        last = self._last_frame
        return last.last_frame() if isinstance(last, FrameTable) else last

    def contacts(self, far: float, *, between: bool, tolerance: float) -> FrameContacts:
        """Return the near pairs now, and with `between` the pairs that have touched since the last frame."""
        table = self.table
        assert table is not None
        steps = None
        if between:
            steps = _Steps(table)
            table.rows["travel"] = steps.path_lengths()
        try:
            near = table.run(far)
        finally:
            travel = table.rows["travel"].copy() if between else None
            table.rows["travel"] = 0.0
        try:
            table.measure(near)
            found = self._answer(table, near, far, travel, steps, tolerance)
        except BaseException:  # the next call covers the same motion again
            if steps is not None:
                table.X_last[:] = steps.X_last
            raise
        table.end_frame()
        self._last_frame, self._near = table, found._near
        return found

    def _answer(
        self,
        table: FrameTable,
        near: Near,
        far: float,
        travel: FloatArray | None,
        steps: _Steps | None,
        tolerance: float,
    ) -> FrameContacts:
        a, b, rows = near.pairs["a"], near.pairs["b"], near.rows
        i, j = table.rows["owner"][a], table.rows["owner"][b]
        margin = table.margins(i, j)
        lower = rows[:, gjk.LOWER]
        is_near = lower <= np.maximum(far, margin)
        keep, verdicts, times = is_near, None, None
        if steps is not None and travel is not None:
            # harmless (frame.ROUNDING): lengths have reserves; a float above a rounded sum is above the exact one
            is_open = ~(lower > (margin + (travel[a] + travel[b])) * (1.0 + frame.ROUNDING))
            verdicts, times = steps.first_contacts(a, b, margin, is_open, tolerance)
            keep = is_near | (verdicts != Verdict.CLEAR)
        if not keep.all():
            i, j, rows, margin, is_near = i[keep], j[keep], rows[keep], margin[keep], is_near[keep]
            if verdicts is not None and times is not None:
                verdicts, times = verdicts[keep], times[keep]
        keys = i * len(table.names) + j
        if table.has_parts and len(keys):
            keys, first, rows, verdicts, times, is_near = _closest_parts(keys, rows, verdicts, times, is_near)
            i, j, margin = i[first], j[first], margin[first]
            # Of a pair that touched on its path and is far apart now, only the parts that touched are known.
            for k in np.flatnonzero(~is_near).tolist():
                rows[k] = table.closest_parts(int(i[k]), int(j[k]))
        near_keys = keys if is_near.all() else keys[is_near]
        now = Pairs(table.names, near_keys)
        both = None if verdicts is None or times is None else (verdicts, times)
        return FrameContacts(table.names, (i, j), rows, margin, (now, self._near), both)


def _closest_parts(
    keys: IntArray,
    rows: FloatArray,
    verdicts: npt.NDArray[np.object_] | None,
    times: FloatArray | None,
    is_near: npt.NDArray[np.bool_],
) -> tuple[IntArray, IntArray, FloatArray, Any, Any, npt.NDArray[np.bool_]]:
    """Return one row for each pair of items: that of the closest parts, with the bounds and contacts of all parts."""
    order = np.lexsort([rows[:, gjk.DISTANCE], keys])
    sorted_keys = keys[order]
    starts = np.flatnonzero(np.concatenate([[True], sorted_keys[1:] != sorted_keys[:-1]]))
    first = order[starts]
    best = rows[first]
    for column in (gjk.LOWER, gjk.UPPER):
        best[:, column] = np.minimum.reduceat(rows[order, column], starts)
    state, ended = best[:, gjk.STATE], ~(best[:, gjk.LOWER] > 0.0)
    state[ended & (state == gjk.SEPARATE)] = gjk.TOUCHING
    near = np.logical_or.reduceat(is_near[order], starts)
    if verdicts is None or times is None:
        return sorted_keys[starts], first, best, None, None, near
    rank = np.array([_RANKS[verdict] for verdict in verdicts[order].tolist()])
    worst = np.maximum.reduceat(rank, starts)
    of_all = np.array([*_RANKS, None], dtype=object)[worst]
    earliest = np.fmin.reduceat(times[order], starts)
    return sorted_keys[starts], first, best, of_all, np.where(worst == 2, earliest, np.nan), near


_RANKS = {Verdict.CLEAR: 0, Verdict.UNDECIDED: 1, Verdict.COLLIDING: 2}


class _Steps:
    """The motions of bodies from the last frame to this one: along screws, and of robots linear in their joints.

    Args:
        table: The table, before the poses of this frame become those of the last one.

    Attributes:
        X_last: (n, 4, 4) the poses of the last frame.
    """

    def __init__(self, table: FrameTable) -> None:
        drifted = table.drifted()
        if drifted is not None:
            raise ArgumentError(
                f"contacts: {drifted!r} has a motion and has moved since the last call, which had another t; "
                "between=True needs updated poses: give them with world.update, or use world.verify."
            )
        self._table, self.X_last = table, table.X_last.copy()
        self._slack = np.maximum(table.slack_last, table.rows["slack"])
        self._q = {
            name: np.array([table.programs_last[name].at(table.t), program.at(table.t)])
            for name, program in table.programs.items()
        }
        self._programs: dict[str, JointTrajectory] = {}
        self._motions: dict[int, Motion] = {}
        self._linked = {g for g in table.riders if self._rides(g)}

    def path_lengths(self) -> FloatArray:
        """Return an upper bound of the path length of all points of each body, (n,) [m].

        On a screw by the angle w, a point at the distance r from the axis travels r w across it, while its chord is
        2 r sin(w / 2); along the axis both are equal. So its path is at most (w / 2) / sin(w / 2) times its chord.
        Other points within R of it are faster by at most w R.
        """
        table = self._table
        X, Y, centers, radii = self.X_last, table.X, table.rows["center"], table.rows["radius"]
        D = Y[:, :3, :3] - X[:, :3, :3]
        sine = np.minimum(1.0, np.sqrt((D * D).sum(axis=(1, 2)) / 8.0))  # sine of half the angle
        half = np.arcsin(sine)
        chord = np.einsum("nij,nj->ni", D, centers) + (Y[:, :3, 3] - X[:, :3, 3])
        moves = (X != Y).any(axis=(1, 2))
        for g in np.flatnonzero(moves & (half > 0.5 * (math.pi - HALF_TURN))).tolist():
            if g not in self._linked:
                self._refuse_turn(g)
        with np.errstate(invalid="ignore", divide="ignore"):
            longer = np.where(sine > 1e-4, half / sine, 1.0 + 1e-8)
        size = np.abs(X[:, :3, 3]).sum(axis=1) + np.abs(Y[:, :3, 3]).sum(axis=1) + np.abs(centers).sum(axis=1)
        lengths = np.sqrt((chord * chord).sum(axis=1)) * longer + 2.0 * half * radii
        lengths = np.where(moves, lengths * (1.0 + 1e-9) + 1e-13 * (size + radii), 0.0)
        for g in self._linked:
            ride = table.riding(g)
            assert ride is not None
            start, end = self._q[ride.robot]
            rests = np.array_equal(start, end)
            lengths[g] = 0.0 if rests else self._motion(g).path_length(shape_of(table.bodies[g]), 0.0, 1.0)
        return np.asarray(lengths)

    def first_contacts(
        self, a: IntArray, b: IntArray, margins: FloatArray, is_open: npt.NDArray[np.bool_], tolerance: float
    ) -> tuple[npt.NDArray[np.object_], FloatArray]:
        """Return verdicts and times of pairs of bodies, (k,) each; those that are not open are proved clear."""
        verdicts, times = np.full(len(a), Verdict.CLEAR, dtype=object), np.full(len(a), np.nan)
        slack = self._slack[a] + self._slack[b]
        self._make_screws(np.unique(np.concatenate([a[is_open], b[is_open]])))
        # harmless (SLACK): the slack itself suffices
        grown = margins + np.where(slack > 0.0, np.maximum(slack, SLACK), 0.0)
        pairs = list(zip(a[is_open].tolist(), b[is_open].tolist(), strict=True))
        cases = [self._case(*pair) for pair in pairs]
        try:
            found = first_contact_batch(cases, tolerance, grown[is_open], t0=0.0, t1=1.0)
        except KeepclearError:
            self._refuse(pairs, tolerance, grown[is_open].tolist())
            raise
        verdicts[is_open], times[is_open] = found.verdict, found.time
        return verdicts, times

    def _refuse(self, pairs: list[tuple[int, int]], tolerance: float, margins: list[float]) -> None:
        """Raise the error of the first invalid pair, with its names."""
        for (a, b), margin in zip(pairs, margins, strict=True):
            body_a, motion_a, body_b, motion_b = self._case(a, b)
            try:
                # harmless (margin): it only raises the error of a pair that is refused with any margin
                first_contact(body_a, motion_a, body_b, motion_b, tolerance, margin, t0=0.0, t1=1.0)
            except KeepclearError as error:
                raise type(error)(
                    f"contacts: between the frames, {self._name(a)!r} and {self._name(b)!r}: {error}"
                ) from None

    def _make_screws(self, bodies: IntArray) -> None:
        """Create the screw motions of all bodies that need one."""
        X, Y = self.X_last, self._table.X
        moves = (X[bodies] != Y[bodies]).any(axis=(1, 2))
        which = [g for g in bodies[moves].tolist() if g not in self._linked]
        motions = all_between(X[which], Y[which], "screw", [self._name(g) for g in which])
        self._motions.update(zip(which, motions, strict=True))

    def _case(self, a: int, b: int) -> tuple[Any, Motion, Any, Motion]:
        """Return two bodies with their motions; two links of a robot move only by the joints between them."""
        table = self._table
        one, other = table.riding(a), table.riding(b)
        motions = self._motion(a), self._motion(b)
        if a in self._linked and b in self._linked and one and other and one.robot == other.robot:
            name = f"{self._name(b)} relative to {self._name(a)}"
            program = self._program(one.robot)
            terms, X_first = one.terms + other.terms, inverse(one.X_LP)
            motions = AT_ORIGIN, program.between(one.link, other.link, X_first, other.X_LP, name, terms)
        return table.bodies[a], motions[0], table.bodies[b], motions[1]

    def _program(self, robot: str) -> JointTrajectory:
        found = self._programs.get(robot)
        if found is None:
            given = self._table.programs[robot].robot
            found = self._programs[robot] = JointTrajectory(given, [0.0, 1.0], self._q[robot], name=robot)
        return found

    def _motion(self, g: int) -> Motion:
        found = self._motions.get(g)
        if found is None:
            found = self._motions[g] = self._made(g)
        return found

    def _made(self, g: int) -> Motion:
        ride = self._table.riding(g)
        if g in self._linked and ride is not None:
            table = self._table
            X_WB = table.scene.timeline.robots[ride.robot].X_WB
            terms = ride.terms + float(np.linalg.norm(X_WB[:3, 3]))
            return self._program(ride.robot).between(0, ride.link, X_WB, ride.X_LP, self._name(g), terms)
        return Fixed(self._table.X[g])  # those that move have their screws

    def _rides(self, g: int) -> bool:
        """Return whether a body was on a link of a robot in both frames, at the same position."""
        ride = self._table.riding(g)
        if ride is None:
            return False
        last = self._table.rides_last.get(g)
        if last is None or (last.robot, last.link) != (ride.robot, ride.link):
            return False
        return bool(np.allclose(last.X_LP, ride.X_LP, rtol=0.0, atol=SLACK))

    def _name(self, g: int) -> str:
        return str(self._table.names[self._table.rows["owner"][g]])

    def _refuse_turn(self, g: int) -> NoReturn:
        raise ArgumentError(
            f"contacts: {self._name(g)!r} has made half a turn since the last call, so that the axis of its "
            "screw is not certain; update it more often, or call contacts without between=True."
        )


def ride_along(timeline: Timeline, t: float, programs: dict[str, JointTrajectory]) -> dict[str, FloatArray]:
    """Return the poses of objects that robots hold at an instant, by name, as given by the programs of the robots."""
    found = {}
    for i, item in enumerate(timeline.items):
        parent = timeline.parent_frames[i][timeline.parent_index(i, t)]
        if parent.robot is None or parent.robot.name not in programs or isinstance(item.owner, WorldRobot):
            continue
        robot = parent.robot
        link = programs[robot.name].link(robot.robot.link_names[parent.link], robot.X_WB)
        X = (link.pose(t) @ parent.X_LO)[None]
        project_poses(X)
        found[item.name] = X[0]
    return found


def checked_names(names: object) -> list[str]:
    """Return names as a list, each once."""
    if isinstance(names, str):
        return [names]
    if isinstance(names, np.ndarray):
        names = names.tolist()
    if not isinstance(names, list | tuple):
        raise ArgumentError(f"update: names must be a name or a list of names, but got {shown(names)}.")
    seen: set[str] = set()
    for name in names:
        if not isinstance(name, str):
            raise ArgumentError(
                f"update: an object is given by its name, a string such as 'table', but got {shown(name)}."
            )
        if name in seen:
            raise ArgumentError(f"update: {name!r} is named twice; give it one pose.")
        seen.add(name)
    return list(names)


def checked_update(
    owners: Sequence[Owner], X: Any, *, single: bool
) -> tuple[list[str], FloatArray, dict[str, JointTrajectory]]:
    """Return names and checked poses (n, 4, 4) of objects, and programs of robots; raises before anything is changed.

    Args:
        owners: The named objects and robots.
        X: A pose or joint values each.
        single: Whether a single name was given, to which X belongs.
    """
    robots = [owner for owner in owners if isinstance(owner, WorldRobot)]
    if single:
        X = [X]
    elif not robots and isinstance(X, np.ndarray):
        return [owner.name for owner in owners], _checked_poses(owners, X), {}
    try:
        count = len(X)
    except TypeError:
        raise ArgumentError(
            f"update: expected a pose for each of {len(owners)} names, but got {shown(X)}."
        ) from None
    if count != len(owners):
        raise ArgumentError(f"update: there are {len(owners)} names, but {count} poses or joint values.")
    objects, given, programs = [], [], {}
    for owner, value in zip(owners, X, strict=True):
        if isinstance(owner, WorldRobot):
            programs[owner.name] = _checked_joints(owner, value)
        else:
            objects.append(owner)
            given.append(value)
    names = [owner.name for owner in objects]
    if all(type(value) is np.ndarray and value.shape == (4, 4) for value in given):
        return names, _checked_poses(objects, np.array(given).reshape(-1, 4, 4)), programs
    poses = [_checked_pose(name, value) for name, value in zip(names, given, strict=True)]
    return names, np.array(poses).reshape(-1, 4, 4), programs


def _checked_pose(name: str, value: object) -> FloatArray:
    label = f"update: the pose of {name!r}"
    poses, single = as_poses(value, label)
    if not single:
        raise ArgumentError(f"{label} must be one pose (4, 4), but it has shape {poses.shape}.")
    X = poses.copy()
    bad = project_poses(X)
    if bad:
        refuse_pose(label, poses, 0, (-bad - 1) % 8, single=True)
    return np.asarray(X[0])


def _checked_poses(owners: Sequence[Owner], X: object) -> FloatArray:
    given, single = as_poses(X, "update: X")
    if single or len(given) != len(owners):
        shape = (4, 4) if single else given.shape
        raise ArgumentError(
            f"update: {len(owners)} names need poses ({len(owners)}, 4, 4), but X has shape {shape}."
        )
    poses = given.copy()
    bad = project_poses(poses)
    if bad:
        k, why = divmod(-bad - 1, 8)
        refuse_pose(f"update: the pose of {owners[k].name!r}", given[k : k + 1], 0, why, single=True)
    return poses


def _checked_joints(owner: WorldRobot, value: object) -> JointTrajectory:
    if isinstance(value, JointTrajectory | Motion):
        raise ArgumentError(
            f"update: robot {owner.name!r} needs the values of its joints now, not a {type(value).__name__}; "
            f"world.move({owner.name!r}, program) gives it a program."
        )
    n = len(owner.robot.joint_names)
    if not isinstance(value, dict) and _shape_of(value) != (n,):
        raise ArgumentError(
            f"update: robot {owner.name!r} needs {n} joint values, shape ({n},), but got {shown(value)}."
        )
    return checked_program(owner.name, owner.robot, value)


def _shape_of(value: Any) -> tuple[int, ...] | None:
    """Return the shape of an array; None if it is not an array."""
    try:
        return tuple(np.shape(value))
    except Exception:  # ragged lists, or any error of a user-defined __array__
        return None
