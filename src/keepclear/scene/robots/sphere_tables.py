"""A robot's spheres among bodies at rest, as flat tables for the kernel of proved configurations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.geometry.shapes.packed import packed
from keepclear.geometry.shapes.primitives import Sphere
from keepclear.kernels.convex import support
from keepclear.kernels.spheres import configurations as kernel
from keepclear.kernels.tables.record import Rows
from keepclear.kernels.tables.robot import BOX, OBSTACLE, SPHERE_BODY, SPHERE_PAIR
from keepclear.scene.items import WorldRobot
from keepclear.scene.robots.robot_tables import LEAST_ROUNDING, RobotTables, joint_nodes
from keepclear.scene.robots.sphere_bodies import CELLS, UNIT, SphereBody, seeds_of

IntArray = npt.NDArray[np.int64]
PADDED = 8  # spheres of a body are repeated, and obstacles padded, to a multiple of this
UP = 1.0 + 1e-6  # factor that compensates for rounding down to float32
LEAST_SLIDE = 1.0  # prismatic joints may move bodies this far in total, whatever their limits [m]


class _Obstacles(NamedTuple):
    """Bodies at rest, including padding: boxes, rows of OBSTACLE, seeds, and the terms of limits.

    `core` is the radius that a core has, `low` and `high` are corners of a box of the base frame around the body,
    `size` bounds how far its points are from the base; [m].
    """

    boxes: FloatArray
    rows: Rows
    seeds: FloatArray
    longest: FloatArray
    core: FloatArray
    low: FloatArray
    high: FloatArray
    size: FloatArray


class SphereTables:
    """One robot with spheres, and the bodies that it may touch, as they are at an instant.

    Args:
        tables: The robot at an instant: which pairs are checked, with their margins, and exact shapes.
        bodies: Links and held objects, by the names of items.
    """

    def __init__(self, tables: RobotTables, bodies: Mapping[str, SphereBody]) -> None:
        self.tables = tables
        robot = tables.robot
        self._joints, _ = joint_nodes(robot.robot.kinematics, np.eye(4))
        self._n_carried = len(tables.margins)
        self._parts = _in_base(tables.bodies, self._n_carried, robot.X_WB)
        self._bodies: list[SphereBody] = []
        self._rows: list[IntArray] = []
        numbers: dict[int, int] = {}
        for o, i in enumerate(tables.items.tolist()):
            item = tables.scene.items[i]
            if i not in numbers and (o < self._n_carried or item.owner is robot):
                numbers[i] = len(self._bodies)
                self._bodies.append(bodies[item.name])
                self._rows.append(np.flatnonzero(tables.items == i))
        self._number = [numbers.get(i, -1) for i in tables.items.tolist()]
        self._resting = [o for o in range(self._n_carried, len(self._parts)) if self._number[o] < 0]
        self._pairs = self._find_pairs()  # by numbers of bodies
        self._obstacles = self._find_obstacles()
        self._measure(robot)
        self._robot_arrays, self._inside = self._pack_robot(), self._find_inside()
        self._limits: tuple[float | None, tuple[Any, ...]] | None = None

    def arrays(self, margin: float | None) -> tuple[Any, ...]:
        """Return the arguments of `kernels.spheres.configurations.run` before q; no margin is below the given one."""
        kept = self._limits
        if kept is None or kept[0] != margin:
            kept = self._limits = margin, self._pack_limits(margin)
        chunks, chunk_limits, near, added, pairs = kept[1]
        F, G, S, T, N, L, _ = self.tables.arrays
        return (
            self._joints, *self._robot_arrays, self._obstacles.rows, chunks, chunk_limits, near, added, self._inside,
            pairs, self._parts, F, G, S, T, N, L, self.tables.limits, self._slide,
        )  # fmt: skip

    def room(self) -> tuple[Any, ...]:
        """Return scratch for one thread: the arguments of `run` between q and the counts."""
        probe = packed(Sphere(1.0))[0].copy()
        probe[support.RADIUS] = 0.0
        work = np.zeros(kernel.work_size(len(self._joints), self.tables.limits.shape[1], len(probe)))
        work[len(work) - len(probe) :] = probe
        bits = np.zeros(kernel.CHUNK + len(self._bodies) + 1, np.int32)
        bits[: kernel.CHUNK] = (1 << np.arange(kernel.CHUNK, dtype=np.int64)).astype(np.uint32).view(np.int32)
        return work, np.zeros((4, max(1, self._robot_arrays[1].shape[1])), np.float32), bits

    def _find_pairs(self) -> dict[tuple[int, int], tuple[int, int]]:
        """Return the pairs of bodies, and indices of their margins: a row for pairs of links, else row and column."""
        own, margins = self.tables.own, self.tables.margins
        found: dict[tuple[int, int], tuple[int, int]] = {}
        for k, (a, b) in enumerate(zip(own["a"].tolist(), own["b"].tolist(), strict=True)):
            found.setdefault((self._number[a], self._number[b]), (k, -1))
        for o in range(self._n_carried, len(self._number)):
            for g in range(self._n_carried):
                column = 1 + o - self._n_carried
                if self._number[o] >= 0 and margins[g, column] >= 0.0:
                    found.setdefault((self._number[g], self._number[o]), (g, column))
        return found

    def _find_obstacles(self) -> _Obstacles:
        reals = self.tables.arrays[0]
        n = -(-len(self._resting) // PADDED) * PADDED
        found = _Obstacles(
            np.zeros((kernel.BOX_ROWS, n)), np.zeros(n, OBSTACLE), np.empty((0, 3)), np.full(n, np.inf), np.zeros(n),
            np.zeros((n, 3)), np.zeros((n, 3)), np.zeros(n),
        )  # fmt: skip
        seeds, n_seeds = [found.seeds], sum(len(body.seeds) for body in self._bodies)
        for k, o in enumerate(self._resting):
            part: Any = self._parts[o]
            R, p = part.pose[:, :3], part.pose[:, 3]
            core = reals[slice(*part.reals)]
            kind, center, half = kernel.GENERAL, part.center, part.half
            if not part.mesh:
                kind = kernel.OF_CORE.get(int(core[support.KIND]), kernel.GENERAL)
            if kind != kernel.GENERAL:
                center, half = np.zeros(3), core[support.SIZE_X : support.SIZE_X + 3]
                # harmless (core[support.DEFECT]): cores of these kinds have none
                found.core[k] = core[support.RADIUS] + core[support.DEFECT]
            found.boxes[kernel.TURN : kernel.TURN + 9, k] = R.T.ravel()
            found.boxes[kernel.MINUS : kernel.MINUS + 3, k] = R.T @ p + center
            found.boxes[kernel.HALF : kernel.HALF + 3, k] = half
            middle, reach = R @ part.center + p, np.abs(R) @ part.half
            found.low[k], found.high[k] = middle - reach, middle + reach
            found.size[k] = np.linalg.norm(p) + np.linalg.norm(part.center) + np.linalg.norm(part.half)
            here, found.longest[k] = seeds_of(self.tables.shapes[o])
            seeds.append(here @ R.T + p)
            found.rows[k] = kind, o, (n_seeds, n_seeds + len(here))
            n_seeds += len(here)
        return found._replace(seeds=np.concatenate(seeds))

    def _measure(self, robot: WorldRobot) -> None:
        """Find how far bodies reach from the base, and the error of their poses as a part of that."""
        joints = self._joints[1:]
        columns, is_turn = joints["column"], joints["revolute"] != 0
        multiplier, offset = np.abs(joints["multiplier"]), np.abs(joints["offset"])
        # harmless (maximum): configurations that slide farther are not proved free
        ends = np.maximum(np.abs(robot.robot.lower), np.abs(robot.robot.upper))
        ends = np.where(np.isfinite(ends), ends, LEAST_SLIDE)
        self._slide = float((offset + multiplier * ends[columns])[~is_turn].sum()) * 1.01
        if not is_turn.all():
            # harmless (max): configurations that slide farther are not proved free
            self._slide = max(LEAST_SLIDE, self._slide)
        angles = float((offset + multiplier * kernel.LARGEST_VALUE)[is_turn].sum())
        R = robot.X_WB[:3, :3]
        defect = float(np.abs(R.T @ R - np.eye(3)).max())
        unit = 2.0 * (16.0 * (1 + len(joints)) + 4.0 * angles + 88.0) * UNIT + 4.0 * defect
        self._unit = kernel.SLACK * kernel.SINGLE + unit
        steps = np.linalg.norm(joints["map"][:, :, 3], axis=1)
        reach = float(steps.sum()) + self._slide
        self._sizes = np.array([
            reach + max(
                float(np.linalg.norm(body.ball[:3]) + body.ball[3]),
                float((np.linalg.norm(body.spheres[:, :3], axis=1) + body.spheres[:, 3]).max()),
            )
            for body in self._bodies
        ])  # fmt: skip
        # Poses of bodies at rest were given in the world, whose origin may be far away; those on links are products.
        sizes = self.tables.bodies["extent"]
        most = sizes[: self._n_carried].max(initial=0.0) + sizes[self._n_carried :].max(initial=0.0)
        self._far = LEAST_ROUNDING * (float(np.linalg.norm(robot.X_WB[:3, 3])) + float(most))

    def _pack_robot(self) -> tuple[Any, ...]:
        """Return the arguments of the kernel from bodies to boxes."""
        bodies = np.zeros(len(self._bodies), SPHERE_BODY)
        spheres, seeds, cells, hollow = [np.empty((0, 4))], [], [np.zeros(1, np.int8)], list[int]()
        n_spheres, n_seeds, n_cells = 0, 0, 1
        for row, body, rows in zip(bodies, self._bodies, self._rows, strict=True):
            count = -(-len(body.spheres) // PADDED) * PADDED
            inner = [] if body.hollow is None else rows[list(body.hollow.parts)].tolist()
            row.center, row.radius, row.node, row.cells = body.ball[:3], body.ball[3], body.node, n_cells
            row.spheres = n_spheres, n_spheres + count
            row.parts = len(hollow), len(hollow) + len(inner)
            row.seeds = n_seeds, n_seeds + len(body.seeds)
            spheres.append(np.resize(body.spheres, (count, 4)))
            seeds.append(body.seeds)
            hollow += inner
            n_spheres, n_seeds = n_spheres + count, n_seeds + len(body.seeds)
            if body.hollow is not None:
                row.low, row.per_metre = body.hollow.low, body.hollow.per_metre
                cells.append(body.hollow.cells)
                n_cells += len(body.hollow.cells)
        reals = np.ascontiguousarray(np.concatenate(spheres).T)
        single = reals.astype(np.float32)
        # harmless (UP): one unit of float32, of which comparisons need 26 and SLACK is 32
        single[3] = (reals[3] + np.linalg.norm(reals[:3] - single[:3], axis=0)) * UP
        boxes = self._obstacles.boxes.astype(np.float32)
        # harmless (UP): one unit of float32, of which comparisons need 26 and SLACK is 32
        boxes[kernel.HALF :] = self._obstacles.boxes[kernel.HALF :] * UP
        return (
            bodies, single, reals, np.array([*hollow, 0], np.int64),
            np.concatenate([*seeds, self._obstacles.seeds]), np.concatenate(cells), CELLS, boxes,
        )  # fmt: skip

    def _find_inside(self) -> npt.NDArray[np.int8]:
        """Return which obstacles (columns) may be inside of which bodies."""
        longest = self._obstacles.longest
        found = [[body.may_hold(one) for one in longest] for body in self._bodies]
        return np.array(found, np.int8).reshape(len(self._bodies), len(longest))

    def _pack_limits(self, margin: float | None) -> tuple[Any, ...]:
        """Return chunks of obstacles with limits, limits of balls and spheres near obstacles, and pairs with theirs."""
        own, margins = self.tables.with_margin(margin)
        n, m = len(self._bodies), len(self._obstacles.core)
        kept = np.full((n, m), -1.0)
        for o, g in enumerate(self._number[: self._n_carried]):
            kept[g, : len(self._resting)] = margins[o, [1 + r - self._n_carried for r in self._resting]]
        balls = np.array([body.ball[3] for body in self._bodies])
        slack = self._unit * (
            self._sizes[:, None] + self._obstacles.size + self._obstacles.core + kept.clip(0.0)
        )
        added = kept + self._obstacles.core + slack + self._far
        near = np.where(kept >= 0.0, (balls[:, None] + added) ** 2, -1.0)
        chunks = np.zeros(-(-m // kernel.CHUNK), BOX)
        chunk_limits = np.zeros((len(chunks), n), np.float32)
        for c in range(len(chunks)):
            some = slice(kernel.CHUNK * c, min(kernel.CHUNK * (c + 1), len(self._resting)))
            chunks["low"][c] = self._obstacles.low[some].min(axis=0)
            chunks["high"][c] = self._obstacles.high[some].max(axis=0)
            chunk_limits[c] = _not_less(near[:, some].max(axis=1))
        limits = np.zeros((len(self._pairs), 2))
        inside = []
        for k, ((a, b), (row_of, column)) in enumerate(self._pairs.items()):
            A, B = self._bodies[a], self._bodies[b]
            asked = float(own["margin"][row_of] if column < 0 else margins[row_of, column])
            more = asked + self._unit * (self._sizes[a] + self._sizes[b] + asked) + self._far
            limits[k] = (balls[a] + balls[b] + more) ** 2, more
            inside.append((a, b, B.may_hold(A.longest), A.may_hold(B.longest)))
        rows = zip(inside, _not_less(limits).tolist(), strict=True)
        pairs = np.array([(*pair, *limit) for pair, limit in rows], SPHERE_PAIR)
        return chunks, chunk_limits, _not_less(near), _not_less(added), pairs


def _not_less(some: FloatArray) -> npt.NDArray[np.float32]:
    """Return numbers in float32; positive ones are not rounded down."""
    return np.ascontiguousarray(np.where(some > 0.0, some * UP, some).astype(np.float32))


def _in_base(bodies: Rows, n_carried: int, X_WB: FloatArray) -> Rows:
    """Return bodies with poses in the frames of nodes, those of bodies at rest in the frame of the robot's base."""
    bodies = bodies.copy()
    poses, R, p = bodies["pose"][n_carried:], X_WB[:3, :3], X_WB[:3, 3]
    poses[:, :, 3] -= p
    poses[:] = R.T @ poses
    return bodies
