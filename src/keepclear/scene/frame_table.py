"""A world at one instant as flat tables, for a loop at frame rate: from frame to frame only poses change."""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.geometry.bodies.body import HERE, Geometry, has_triangles
from keepclear.geometry.bodies.bounds import bounding_volumes_of, extent_of, shape_of
from keepclear.geometry.shapes.convex import Convex
from keepclear.geometry.shapes.packed import packed
from keepclear.geometry.shapes.shape import Shape
from keepclear.kernels.broad_phase import frame
from keepclear.kernels.convex import gjk
from keepclear.kernels.convex.pose import project_poses
from keepclear.kernels.convex.support import RADIUS
from keepclear.kernels.tables.frame import FRAME, FRAME_BODY, NEAR_PAIR
from keepclear.kernels.tables.motion import PRISMATIC
from keepclear.kernels.tables.record import Rows
from keepclear.motion.joints.chains import chain_lengths
from keepclear.motion.joints.kinematics import link_poses
from keepclear.motion.joints.program import JointTrajectory
from keepclear.motion.motion import LINK_ROUNDING, MOTION_TABLE, Motion
from keepclear.query.instant.compound import COMPOSED
from keepclear.query.track.tracker import Tracker
from keepclear.scene.hulls import hull_of
from keepclear.scene.items import WorldObject, WorldRobot
from keepclear.scene.pair_rules import reach_of
from keepclear.scene.scene import Scene
from keepclear.scene.steps import curve_order, n_nodes
from keepclear.scene.timeline import ParentFrame, part_of

IntArray = npt.NDArray[np.int64]
IN_WORLD = 0  # the class of items that never move
SORT_AGAIN = 16  # frames after which moving bodies are sorted again: boxes of trees grow while bodies travel
FIRST_CAPACITY = 256  # pairs


class Near(NamedTuple):
    """The pairs of bodies that a frame reports, rows of NEAR_PAIR, and their results (n, gjk.ROW)."""

    pairs: Rows
    rows: FloatArray


class Riding(NamedTuple):
    """A body on a link of a robot: the robot's name, the link, and the pose of the body in the link's frame.

    `terms` is the size that the rounding of that pose is relative to [m].
    """

    robot: str
    link: int
    X_LP: FloatArray
    terms: float


@dataclass(slots=True)
class Placing:
    """Names of objects, and the rows of their poses: an array of bodies, or those of objects with several parts."""

    names: tuple[str, ...]
    bodies: IntArray
    parts: list[tuple[int, IntArray, FloatArray]]


class LastFrame(NamedTuple):
    """What a table takes over from the last frame: bodies, their poses and links, and the programs of robots."""

    numbers: dict[tuple[str, int], int]  # of bodies, by name of the item and number of the part
    bodies: list[Geometry]
    X: FloatArray
    slack: FloatArray  # how far points of bodies may have been from their positions [m]
    rides: dict[int, Riding]
    programs: dict[str, JointTrajectory]


class FrameTable:
    """The bodies of a scene at an instant: shapes, poses, rules, and the state of near pairs.

    Args:
        scene: The scene; its motions give all poses.
        t: The instant [s].
        moved: Names of objects and robots that `update` or `move` has moved: they count as moving.
        last: The last frame, whose poses are taken over.

    Attributes:
        rows: (n,) rows of FRAME_BODY.
        X: (n, 4, 4) poses of all bodies now.
        X_last: (n, 4, 4) their poses in the last frame.
        programs: The programs of robots now, by name.
        programs_last: Those of the last frame.
        rides_last: The links that bodies were fixed to in the last frame, by body.
        slack_last: (n,) how far points of bodies may have been from their positions in the last frame [m].
    """

    def __init__(self, scene: Scene, t: float, moved: Iterable[str], last: LastFrame | None = None) -> None:
        self.scene, self.t, self.moved = scene, t, frozenset(moved)
        timeline = scene.timeline
        self._parents = [
            timeline.parent_frames[i][timeline.parent_index(i, t)] for i in range(len(scene.items))
        ]
        self.bodies: list[Geometry] = [part_of(scene.items, geom).body for geom in scene.geoms]
        self.names = np.array([*scene.names, None], dtype=object)[:-1]
        n = len(self.bodies)
        self._errors = np.array([part_of(scene.items, geom).error for geom in scene.geoms])  # parts of slacks
        self.rows = np.zeros(n, FRAME_BODY)
        self.rows["owner"], self.rows["group"] = scene.item, self._groups()[scene.item]
        self._riding = {g: self._ride(i, p) for g, (i, p) in enumerate(scene.geoms) if self._parents[i].robot}
        self.rows["center"], self.rows["radius"] = scene.around[:, :3], scene.around[:, 3]
        self.rows["half"] = scene.around[:, 4:7]
        self.rows["margin"] = scene.pair_rules.margins[scene.item]
        self.rows["reach"] = reach_of(scene.pair_rules)[scene.item]
        self.X = self._first_poses()
        self._join_shapes()
        self._frame = np.zeros(1, FRAME)
        self._rules, self._special = self._rule_keys()
        self.programs = {name: robot.program for name, robot in timeline.robots.items()}
        self._joints = {
            name: Joints(robot, self._on(name), self.bodies) for name, robot in timeline.robots.items()
        }
        self.X_last, self.programs_last, self.rides_last = self.X.copy(), dict(self.programs), self._riding
        self.slack_last = self.rows["slack"].copy()
        if last is not None:
            self._take_over(last)
        self._old: Rows = np.empty(0, frame.FRAME_PAIR)
        self._new: Rows = self._old
        self._reserve(FIRST_CAPACITY)
        self._boxes, self._starts = np.empty((n, 6)), np.empty(n + 1, np.int64)
        self._stack = np.empty(frame.STACK, np.int64)
        still = self.rows["group"] == IN_WORLD
        self._moving, self._still = np.flatnonzero(~still), np.flatnonzero(still)
        self._nodes = np.empty((n_nodes(len(self._moving)), 6)), np.empty((n_nodes(len(self._still)), 6))
        self._far, self._frames = -1.0, 0
        self._trackers: dict[tuple[int, int], tuple[int, Tracker]] = {}
        self._composite: dict[str, FloatArray] = {}
        self._applied: dict[int, Placing] = {}
        self._robots_moved: set[str] = set()

    def holds_at(self, t: float) -> bool:
        """Return whether everything has the same pose, holding link and allowed pairs at another instant."""
        if t == self.t:
            return True
        rules, timeline = self.scene.pair_rules, self.scene.timeline
        if self._has_motions or rules.never_left(t, t) != rules.never_left(self.t, self.t):
            return False
        return all(
            len(parents) == 1 or timeline.parent_index(i, t) == timeline.parent_index(i, self.t)
            for i, parents in enumerate(timeline.parent_frames)
        )

    @cached_property
    def _has_motions(self) -> bool:
        """Whether an item moves that is neither in `moved` nor held by a robot in `moved`."""
        return any(
            not still and item.owner.name not in self.moved and not (c.robot and c.robot.name in self.moved)
            for still, item, c in zip(
                self.scene.frames.is_still, self.scene.items, self._parents, strict=True
            )
        )

    @cached_property
    def has_parts(self) -> bool:
        """Whether an item has several bodies."""
        return len(self.bodies) > len(self.scene.items)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.scene.names)}

    @cached_property
    def _owner_names(self) -> npt.NDArray[np.object_]:
        return np.array([*(item.owner.name for item in self.scene.items), None], dtype=object)[:-1]

    def placing(self, names: Sequence[str]) -> Placing | None:
        """Return the rows of poses of objects; None if one of them needs another table.

        An object that was never moved before, or that a robot holds, needs another table.
        """
        bodies, parts = [], []
        for k, name in enumerate(names):
            i = self._numbers[name]
            if name not in self.moved or self._parents[i].robot is not None:
                return None
            numbers = self.scene.bodies_of(i)
            poses = [part.X_OP for part in self.scene.items[i].parts]
            if len(poses) == 1 and np.array_equal(poses[0], HERE):
                bodies.append(numbers[0])
            else:
                bodies.append(-1)
                parts.append((k, np.arange(numbers[0], numbers[-1] + 1), np.array(poses)))
        return Placing(tuple(names), np.array(bodies, np.int64), parts)

    def place(self, placing: Placing, poses: FloatArray) -> None:
        """Take over checked poses (n, 4, 4) of objects."""
        if placing.parts:
            plain = placing.bodies >= 0
            self.X[placing.bodies[plain]] = poses[plain]
            for k, numbers, X_OP in placing.parts:
                self._composite[placing.names[k]] = poses[k]
                self.X[numbers] = poses[k] @ X_OP
                self.rows["slack"][numbers] = self._composed(numbers, poses[k], X_OP) + self._errors[numbers]
                project_poses_of(self.X, numbers)
        else:
            self.X[placing.bodies] = poses
        self._applied[id(placing)] = placing

    def place_robot(self, name: str, program: JointTrajectory) -> None:
        """Move the links of a robot, and the objects that they hold, to their poses by a program."""
        joints = self._joints[name]
        self.programs[name] = program
        q = program.at(self.t)
        if len(joints.numbers):
            self.X[joints.numbers] = joints.poses(q)
            project_poses_of(self.X, joints.numbers)
            self.rows["slack"][joints.numbers] = joints.slacks(q) + self._errors[joints.numbers]
        self._robots_moved.add(name)

    def settled(self) -> tuple[dict[str, FloatArray], dict[str, JointTrajectory]]:
        """Return and clear the poses of objects and programs of robots that differ from the scene's, by name.

        Objects that a robot holds have moved with it.
        """
        poses: dict[str, FloatArray] = {}
        for placing in self._applied.values():
            for name, body in zip(placing.names, placing.bodies.tolist(), strict=True):
                poses[name] = self.X[body].copy() if body >= 0 else self._composite[name]
        programs = {name: self.programs[name] for name in self._robots_moved}
        for i, item in enumerate(self.scene.items):
            robot = self._parents[i].robot
            if robot is not None and robot.name in programs and isinstance(item.owner, WorldObject):
                poses[item.name] = self._held_pose(i, robot.name)
        self._applied, self._robots_moved = {}, set()
        return poses, programs

    def run(self, far: float) -> Near:
        """Return the pairs of bodies that are near now, or whose paths since the last frame may have touched.

        Path lengths since then are in `rows["travel"]`; the poses of this frame become those of the last one.
        Pairs with a mesh are compared by their hulls; `measure` compares the meshes.
        """
        renew = far != self._far
        if self._frames % SORT_AGAIN == 0 or renew:
            self._sort(renew)
        if renew:
            self._frame["far"], self._frame["renew"], self._far = far, 1, far
        self._frames += 1
        while True:
            ended = frame.near_contacts(
                self._F, self._L, self.rows, self.X, self.X_last, self._rules, self._special, self._stack,
                self._moving, self._nodes[0], self._still, self._nodes[1], self._boxes, self._pairs, self._starts,
                self._keys, self._old, self._new, self._reported, self._results, self._frame,
            )  # fmt: skip
            if ended != 1:
                break
            self._reserve(int(self._frame["needed"][0]) * 3 // 2)
        if ended != 0:
            raise RuntimeError(
                f"the frame kernel ended with {ended}"
            )  # poses and sizes are internal, so this is an internal error
        self._old, self._new = self._new, self._old
        m = int(self._frame["reported"][0])
        return Near(self._reported[:m].copy(), self._results[:m].copy())

    def end_frame(self) -> None:
        """Store programs, links and slacks of this frame as those of the last one, as `run` does with poses."""
        self.slack_last = self.rows["slack"].copy()
        self.programs_last, self.rides_last = dict(self.programs), self._riding

    def margins(self, i: IntArray, j: IntArray) -> FloatArray:
        """Return the margins of pairs of items, (k,) [m]."""
        margins = self.scene.pair_rules.margins
        found: FloatArray = np.maximum(margins[i], margins[j])
        special = self.scene.pair_rules.special
        if len(special) and len(i):
            keys = i * len(self.scene.items) + j
            at = np.minimum(np.searchsorted(special, keys), len(special) - 1)
            found = np.where(special[at] == keys, self._special[at], found)
        return found

    def measure(self, near: Near) -> None:
        """Replace results of hulls by those of meshes, each started from the result of the pair's last search."""
        which, slacks = np.flatnonzero(near.pairs["mesh"]), self.rows["slack"]
        for k, a, b in zip(which.tolist(), *(near.pairs[name][which].tolist() for name in "ab"), strict=True):
            _, tracker = self._trackers.get((a, b), (0, None))
            if tracker is None:
                tracker = Tracker(self.bodies[a], self.bodies[b])
            self._trackers[a, b] = self._frames, tracker
            row = tracker.distance(self.X[a], self.X[b])._rows
            slack = slacks[a] + slacks[b]
            found = near.rows[k]
            found[:] = row[: gjk.ROW]
            found[gjk.LOWER] -= slack
            found[gjk.UPPER] += slack
            if found[gjk.STATE] == gjk.SEPARATE and not found[gjk.LOWER] > 0.0:
                found[gjk.STATE] = gjk.TOUCHING
        if self._frames % SORT_AGAIN == 0:  # pairs that are no longer near need no memory
            old = self._frames - SORT_AGAIN
            # harmless (>): a pair without a tracker gets a new one
            self._trackers = {pair: known for pair, known in self._trackers.items() if known[0] > old}

    def closest_parts(self, i: int, j: int) -> FloatArray:
        """Return the result of two items over all their parts, (gjk.ROW,): closest parts, and bounds of all."""
        found = []
        for a, b in itertools.product(self.scene.bodies_of(i), self.scene.bodies_of(j)):
            row = (
                Tracker(self.bodies[a], self.bodies[b]).distance(self.X[a], self.X[b])._rows[: gjk.ROW].copy()
            )
            slack = self.rows["slack"][a] + self.rows["slack"][b]
            row[gjk.LOWER] -= slack
            row[gjk.UPPER] += slack
            found.append(row)
        rows = np.array(found)
        best: FloatArray = rows[np.argmin(rows[:, gjk.DISTANCE])].copy()
        best[gjk.LOWER], best[gjk.UPPER] = rows[:, gjk.LOWER].min(), rows[:, gjk.UPPER].min()
        return best

    @property
    def riders(self) -> Iterable[int]:
        """The bodies that are fixed to links now."""
        return self._riding.keys()

    def riding(self, g: int) -> Riding | None:
        """Return the link that a body is fixed to now, or None."""
        return self._riding.get(g)

    def drifted(self) -> str | None:
        """Return the name of an item whose motion has moved it since the last frame, or None."""
        for g in np.flatnonzero((self.X_last != self.X).any(axis=(1, 2))).tolist():
            i = int(self.scene.item[g])
            robot = self._parents[i].robot
            if self._owner_names[i] not in self.moved and (robot is None or robot.name not in self.moved):
                return str(self.names[i])
        return None

    def _groups(self) -> IntArray:
        """Return the group of each item: pairs of one group never move relative to each other, and are not reported."""
        scene, frames = self.scene, self.scene.frames
        if not self.moved and frames.nothing_moves:
            return np.arange(1, len(scene.items) + 1)  # every pair is checked
        numbers: dict[Hashable, int] = {IN_WORLD: 0}
        found = []
        for i, (item, parent) in enumerate(zip(scene.items, self._parents, strict=True)):
            key: Hashable = IN_WORLD if frames.is_still[i] else ("group", int(frames.groups[i]))
            is_moved = item.owner.name in self.moved
            if isinstance(item.owner, WorldRobot):
                if is_moved:
                    key = (
                        (item.owner.name, joints)
                        if (joints := _joints_to(item.owner, item.link))
                        else IN_WORLD
                    )
            elif is_moved or (parent.robot is not None and parent.robot.name in self.moved):
                key = item.name
            found.append(numbers.setdefault(key, len(numbers)))
        return np.array(found, np.int64)

    def _ride(self, i: int, p: int) -> Riding:
        parent = self._parents[i]
        assert parent.robot is not None
        X_OP = self.scene.items[i].parts[p].X_OP
        return Riding(parent.robot.name, parent.link, parent.X_LO @ X_OP, parent.terms_of(X_OP))

    def _on(self, robot: str) -> dict[int, Riding]:
        """Return the bodies that move with the joints of a robot; all others are at rest."""
        moves = self.rows["group"] != IN_WORLD
        return {g: ride for g, ride in self._riding.items() if ride.robot == robot and moves[g]}

    def _held_pose(self, i: int, robot: str) -> FloatArray:
        """Return the pose of an object that a robot holds."""
        parent = self._parents[i]
        X = self._joints[robot].link_pose(self.programs[robot].at(self.t), parent)[None]
        project_poses(X)
        return np.asarray(X[0])

    def _first_poses(self) -> FloatArray:
        """Return the poses of all bodies by their motions; poses that are rounded or not rigid get a slack."""
        timeline, n = self.scene.timeline, len(self.bodies)
        X = np.empty((n, 4, 4))
        for g, (i, p) in enumerate(self.scene.geoms):
            motion = timeline.motion(i, p, timeline.parent_index(i, self.t))
            X[g] = motion.pose(self.t)
            self.rows["slack"][g] = self._slack(g, motion, X[g]) + self._errors[g]
        assert project_poses(X) == 0, "motions are rigid, or nearly"
        return X

    def _slack(self, g: int, motion: Motion, X: FloatArray) -> float:
        """Return how far points of a body may be from those of the nearest rigid pose [m]; X becomes that pose."""
        return MOTION_TABLE[motion].slack(motion, X[None], extent_of(self.bodies[g]))

    def _composed(self, numbers: IntArray, X: FloatArray, X_OP: FloatArray) -> FloatArray:
        """Return how far rounding of products may move points of the parts of an object, (parts,) [m]."""
        extents = np.array([extent_of(self.bodies[g]) for g in numbers.tolist()])
        shifts = np.sqrt((X_OP[:, :3, 3] ** 2).sum(axis=1))
        far = math.sqrt(float((X[:3, 3] ** 2).sum()))
        return np.asarray(COMPOSED * (far + 2.0 * shifts + 2.0 * extents))

    def _join_shapes(self) -> None:
        """Store all convex shapes, and hulls of meshes, in joined arrays."""
        known: dict[int, int] = {}
        reals: list[FloatArray] = [np.empty(0)]
        links: list[npt.NDArray[np.int32]] = [np.empty(0, np.int32)]
        which = []
        for body, center in zip(self.bodies, self.rows["center"], strict=True):
            shape = shape_of(body)
            if id(shape) not in known:
                F, L = _around_mesh(body, center) if has_triangles(body) else packed(shape)
                known[id(shape)] = len(known) + 1
                reals.append(F)
                links.append(L)
            which.append(known[id(shape)])
        self.rows["hull"] = [has_triangles(body) for body in self.bodies]
        for name, arrays in (("reals", reals), ("links", links)):
            sizes = np.array([len(array) for array in arrays])
            ends = np.cumsum(sizes)
            self.rows[name] = np.stack([ends - sizes, ends], axis=1)[which]
        self._F, self._L = np.concatenate(reals), np.concatenate(links)

    def _rule_keys(self) -> tuple[IntArray, FloatArray]:
        """Return keys of rules for the kernel, with the windows of the instant, and margins of single pairs."""
        rules, n = self.scene.pair_rules, len(self.scene.items)
        excluded = np.union1d(rules.excluded, np.array(sorted(rules.never_left(self.t, self.t)), np.int64))
        selected = np.empty(0, np.int64) if rules.selected is None else rules.selected
        counts = n, len(excluded), -1 if rules.selected is None else len(selected), len(rules.special)
        self._frame[["items", "excluded", "selected", "special"]] = counts
        margins = [rules.set_margin(*divmod(key, n)) for key in rules.special.tolist()]
        return np.concatenate([excluded, selected, rules.special]).astype(np.int64), np.array(margins)

    def last_frame(self) -> LastFrame:
        """Return the last frame as it is now; this table may go on."""
        numbers = {self._identity(g): g for g in range(len(self.bodies))}
        return LastFrame(
            numbers,
            self.bodies,
            self.X_last.copy(),
            self.slack_last.copy(),
            self.rides_last,
            self.programs_last,
        )

    def _take_over(self, last: LastFrame) -> None:
        """Take over the poses of the last frame for bodies that it contains; others count as at rest."""
        old = last.numbers
        for g in range(len(self.bodies)):
            found = old.get(self._identity(g))
            if found is not None and last.bodies[found] is self.bodies[g]:
                self.X_last[g], self.slack_last[g] = last.X[found], last.slack[found]
        self.rides_last = {
            g: last.rides[found]
            for g in range(len(self.bodies))
            if (found := old.get(self._identity(g))) is not None and found in last.rides
        }
        for name, program in last.programs.items():
            now = self.programs.get(name)
            if now is not None and now.robot is program.robot:
                self.programs_last[name] = program

    def _identity(self, g: int) -> tuple[str, int]:
        i, p = self.scene.geoms[g]
        return self.scene.items[i].name, p

    def _reserve(self, n: int) -> None:
        self._pairs, self._keys, self._reported = (
            np.empty((n, 2), np.int64), np.empty(n, np.int64), np.empty(n, NEAR_PAIR)
        )  # fmt: skip
        self._results, self._new, used = np.empty((n, gjk.ROW)), np.empty(n, frame.FRAME_PAIR), self._old
        self._old = np.empty(max(n, len(used)), frame.FRAME_PAIR)
        self._old[: len(used)] = used

    def _sort(self, renew: bool) -> None:
        """Sort bodies along a space-filling curve, so that trees over them are efficient."""
        centers = self.X[:, :3, 3] + np.einsum("nij,nj->ni", self.X[:, :3, :3], self.rows["center"])
        boxes = np.tile(centers, 2)
        self._moving = self._moving[curve_order(boxes[self._moving])]
        if renew:
            self._still = self._still[curve_order(boxes[self._still])]


class Joints:
    """The poses of bodies on the links of a robot, and how far rounding may move them.

    Args:
        robot: The robot.
        riding: The bodies that move with its links, by number.
        bodies: All bodies.

    Attributes:
        numbers: These bodies.
    """

    def __init__(self, robot: WorldRobot, riding: dict[int, Riding], bodies: Sequence[Geometry]) -> None:
        self._robot, self._base = robot.robot, np.ascontiguousarray(robot.X_WB[None])
        self.numbers = np.array(list(riding), np.int64)
        self._links = np.array([ride.link for ride in riding.values()], np.int64)
        self._X_LP = np.array([ride.X_LP for ride in riding.values()]).reshape(-1, 4, 4)
        k = robot.robot.kinematics
        reach = chain_lengths(k) + float(np.linalg.norm(robot.X_WB[:3, 3]))
        self._reach = reach[self._links] + np.array([2.0 * ride.terms for ride in riding.values()])
        self._moves = k.column >= 0
        self._slides = self._moves & (k.kind == PRISMATIC)
        self._extents = np.array([extent_of(bodies[g]) for g in riding])

    def poses(self, q: FloatArray) -> FloatArray:
        """Return the poses of the bodies at joint values q, (n, 4, 4)."""
        X = link_poses(self._robot._tables, np.ascontiguousarray(q[None]), self._base)[0]
        return np.asarray(X[self._links] @ self._X_LP)

    def link_pose(self, q: FloatArray, parent: ParentFrame) -> FloatArray:
        """Return the pose of an object that a link holds, (4, 4)."""
        X = link_poses(self._robot._tables, np.ascontiguousarray(q[None]), self._base)[0, parent.link]
        return np.ascontiguousarray(X @ parent.X_LO)

    def slacks(self, q: FloatArray) -> FloatArray:
        """Return how far rounding may move points of the bodies, (n,) [m]; the bound of `pack_chain` is used."""
        k = self._robot.kinematics
        values = np.abs(k.offset[self._moves]) + np.abs(k.multiplier[self._moves] * q[k.column[self._moves]])
        slides = self._slides[self._moves]
        units = 1.0 + len(k.parent) / 8.0 + float(values[~slides].sum()) / 16.0
        reach = self._reach + float(values[slides].sum())
        return np.asarray(LINK_ROUNDING * units * (reach + 2.0 * self._extents))


def project_poses_of(X: FloatArray, numbers: IntArray) -> None:
    """Replace products of rigid poses by the nearest rigid poses."""
    some = X[numbers]
    bad = project_poses(some)
    assert bad == 0, "products of rigid poses are rigid"
    X[numbers] = some


def _joints_to(robot: WorldRobot, link: int) -> tuple[int, ...]:
    """Return the links from the root to a link whose joints can move: equal for links that are fixed to each other."""
    k, found = robot.robot.kinematics, []
    while link >= 0:
        if k.column[link] >= 0:
            found.append(link)
        link = int(k.parent[link])
    return tuple(found)


def _around_mesh(body: Geometry, center: FloatArray) -> tuple[FloatArray, npt.NDArray[np.int32]]:
    """Return the arrays of the hull of a mesh, or of the ball around one that has none."""
    hull = hull_of(body)
    if isinstance(hull, Shape):
        return packed(hull)
    F, L = packed(Convex(center[None]))
    F = F.copy()
    F[RADIUS] = bounding_volumes_of(body).around[3]
    return F, L
