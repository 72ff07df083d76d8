"""A robot among bodies at rest, as flat tables for the kernels of edges and configurations."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.errors import ArgumentError
from keepclear.geometry.bodies.body import Geometry
from keepclear.geometry.bodies.bounds import bounding_volumes_of, extent_of
from keepclear.geometry.shapes.packed import packed
from keepclear.geometry.shapes.shape import Shape
from keepclear.kernels.convex import support
from keepclear.kernels.tables.motion import FIXED, REVOLUTE
from keepclear.kernels.tables.record import Rows
from keepclear.kernels.tables.robot import BODY_GROUP, JOINT, NODE_BODY, OWN_PAIR
from keepclear.motion.joints.chains import axis_frame, chain_lengths
from keepclear.motion.joints.kinematics import Kinematics, held_map
from keepclear.motion.motion import MOTION_TABLE
from keepclear.query.instant.inner_balls import inner_balls_of
from keepclear.query.instant.mesh_distance import obb_tree_of
from keepclear.scene.hulls import hull_of
from keepclear.scene.items import WorldRobot
from keepclear.scene.timeline import part_of

if TYPE_CHECKING:
    from keepclear.scene.scene import Scene

IntArray = npt.NDArray[np.int64]
GROUP_SIZE = 4  # bodies at rest that share a box: balls of the robot are compared with boxes first
LARGE = 4.0  # a body this many times larger than the median has a separate box
MOST_SLACK = 1e-9  # hill climbing that may fall short by more is not used [part of the extent of a hull]
LEAST_ROUNDING = 208.0 * support.UNIT  # of kernels/edges/check.py, for a robot of one node [part of SIZE]
NOT_RIGID = 1e-12  # how far an object at rest may be from rigid [part of its size]


class RobotTables:
    """One robot, the bodies that it carries, and the bodies that it may touch, as they are at an instant.

    Pairs are those that the robot's joints move relative to each other, without those that are excluded, not selected,
    or allowed to touch at that instant.

    Args:
        scene: The scene.
        robot: The robot.
        t: The instant [s].

    Attributes:
        scene, robot, t: As given.
        joints, bodies, groups: Rows of JOINT, NODE_BODY and BODY_GROUP for `kernels.edges.check.run`.
        own, margins: Pairs of bodies that the robot carries, and margins of all other pairs, for the same kernel.
        arrays: Hulls, surfaces and trees for the same kernel.
        items: (bodies,) the item of each body.
        shapes: The shape of each body, or the tree that stands for it.
        n_pairs: How many pairs of bodies are checked.
        holds: Names of the objects that the robot holds.
        limits: (2, joints) limits of q, a little wider [rad or m].
    """

    def __init__(self, scene: Scene, robot: WorldRobot, t: float) -> None:
        self.scene, self.robot, self.t = scene, robot, t
        self.joints, frames = joint_nodes(robot.robot.kinematics, robot.X_WB)
        n_nodes = len(self.joints)
        reach = chain_lengths(robot.robot.kinematics) + float(np.linalg.norm(robot.X_WB[:3, 3]))
        # Kernels count the products of maps of nodes; those of other joints are made here, and add half as much.
        more = 1.0 + 0.5 * (2 + len(reach) - n_nodes) / (n_nodes + 5.5)
        carried: list[_Placed] = []
        resting: list[_Placed] = []
        for g, which in enumerate(scene.geoms):
            i, p = which
            k = scene.timeline.parent_index(i, t)
            parent, part = scene.timeline.parent_frames[i][k], part_of(scene.items, which)
            if parent.robot is robot:
                node, X_NL = frames[parent.link]
                size = more * (float(reach[parent.link]) + parent.terms_of(part.X_OP) + extent_of(part.body))
                placed = _Placed(g, i, part.body, node, X_NL @ parent.X_LO @ part.X_OP, size)
                (carried if node > 0 else resting).append(placed)
            else:
                resting.append(_Placed(g, i, part.body, 0, *_pose_at(scene, i, p, k, t)))
        carried.sort(key=lambda placed: placed.node)
        self.own = self._own_pairs(carried, self.joints["parent"])
        items = [np.array([b.item for b in some], np.int64) for some in (carried, resting)]
        both_items = np.repeat(items[0], len(resting)), np.tile(items[1], len(carried))
        margins = self._margins(*both_items).reshape(len(carried), len(resting))
        kept = np.flatnonzero((margins >= 0.0).any(axis=0))
        resting, margins = [resting[k] for k in kept.tolist()], margins[:, kept]
        rounding = 32.0 * (n_nodes + 5.5) * support.UNIT  # of kernels/edges/check.py, for these nodes
        order, self.groups = grouped(resting, len(carried), rounding)
        resting, margins = [resting[k] for k in order.tolist()], margins[:, order]
        most = margins.max(axis=1, initial=0.0)
        both = carried + resting
        self.margins = np.ascontiguousarray(np.column_stack([most, margins]))
        self.bodies, self.arrays = _body_tables(both)
        self.items = np.array([b.item for b in both], np.int64)
        self.shapes = tuple(b.body for b in both)
        self.n_pairs = len(self.own) + int(np.count_nonzero(margins >= 0.0))
        self.holds = tuple(dict.fromkeys(
            scene.items[b.item].name for b in carried if scene.items[b.item].owner is not robot
        ))  # fmt: skip
        # harmless (1e-9): without it, more configurations get a warning
        self.limits = np.stack([robot.robot.lower - 1e-9, robot.robot.upper + 1e-9])

    def with_margin(self, margin: float | None) -> tuple[Rows, FloatArray]:
        """Return own pairs and margins, none below the given one; errors of shapes and paths are added to that too."""
        if margin is None or margin == 0.0:
            return self.own, self.margins
        own, margins, n = self.own.copy(), self.margins.copy(), len(self.margins)
        least = margin + self._errors(self.items[own["a"]], self.items[own["b"]])
        own["margin"] = np.maximum(own["margin"], least)
        least = margin + self._errors(
            np.repeat(self.items[:n], len(self.items) - n), np.tile(self.items[n:], n)
        )
        each, least = margins[:, 1:], least.reshape(n, margins.shape[1] - 1)
        each[:] = np.where(each >= 0.0, np.maximum(each, least), each)
        margins[:, 0] = each.max(axis=1, initial=0.0)
        return own, margins

    def names(self, a: int, b: int) -> tuple[str, str]:
        """Return the names of the items of two bodies, in the order of items."""
        i, j = sorted((int(self.items[a]), int(self.items[b])))
        return self.scene.items[i].name, self.scene.items[j].name

    def _own_pairs(self, carried: Sequence[_Placed], parents: IntArray) -> Rows:
        found = [(x, y) for y in range(len(carried)) for x in range(y) if carried[x].node != carried[y].node]
        items = np.array([(carried[x].item, carried[y].item) for x, y in found], np.int64).reshape(-1, 2)
        rows = []
        for (x, y), margin in zip(found, self._margins(items[:, 0], items[:, 1]).tolist(), strict=True):
            if margin >= 0.0:
                common = _common_node(parents, carried[x].node, carried[y].node)
                rows.append((margin, x, y, common))  # nodes are sorted, so that only x may be the common one
        return np.array(rows, OWN_PAIR)

    def _margins(self, i: IntArray, j: IntArray) -> FloatArray:
        """Return the margins of pairs of items at the instant, -1 for unchecked pairs, (n,) [m]."""
        scene, rules = self.scene, self.scene.pair_rules
        i, j = np.minimum(i, j), np.maximum(i, j)
        keys = i * len(scene.items) + j
        found = np.maximum(rules.margins[i], rules.margins[j]) + rules.errors[i] + rules.errors[j]
        found[~rules.is_checked(keys) | (i == j)] = -1.0
        is_special = np.isin(keys, rules.special)
        if scene.rules.tolerances:
            is_special[:] = True
        for k in np.flatnonzero(is_special & (found >= 0.0)).tolist():
            found[k] = self._margin(int(i[k]), int(j[k]))
        return found

    def _errors(self, i: IntArray, j: IntArray) -> FloatArray:
        """Return the errors of the shapes and paths of pairs of items at the instant, (n,) [m]."""
        found: FloatArray = self.scene.pair_rules.errors[i] + self.scene.pair_rules.errors[j]
        if self.scene.rules.tolerances:
            pairs = zip(i.tolist(), j.tolist(), strict=True)
            found += [self.scene.errors.at(a, b, self.t) for a, b in pairs]
        return found

    def _margin(self, i: int, j: int) -> float:
        """Return the margin of two items at the instant, -1 if they may touch then [m]."""
        scene, rules, t = self.scene, self.scene.pair_rules, self.t
        if any(rule.window[0] <= t <= rule.window[1] for rule in rules.windows(i, j)):
            return -1.0
        if scene.errors.lag(i, j) > 0.0:
            names = scene.items[i].name, scene.items[j].name
            raise ArgumentError(
                f"{names[0]!r} or {names[1]!r} may be early or late on its path (set_path_tolerance with a time); "
                "edges and configurations have no speed. Give a distance instead."
            )
        return rules.margin(i, j) + scene.errors.at(i, j, t)


class _Placed:
    """A body: its number in the scene, its item, its node, its pose in the frame of that, and the size that rounding is
    relative to.
    """

    __slots__ = ("X", "body", "geom", "item", "node", "size")

    def __init__(self, geom: int, item: int, body: Geometry, node: int, X: FloatArray, size: float) -> None:
        self.geom, self.item, self.body, self.node, self.X, self.size = geom, item, body, node, X, size


def joint_nodes(kinematics: Kinematics, X_WB: FloatArray) -> tuple[Rows, list[tuple[int, FloatArray]]]:
    """Return the moving joints as rows of JOINT, one for each node, and each link's node and pose there."""
    joints = [(np.eye(4)[:3], 0.0, 0.0, 0, 0, 0)]
    frames: list[tuple[int, FloatArray]] = []
    for link, parent in enumerate(kinematics.parent.tolist()):
        if parent < 0:
            frames.append((0, X_WB))
            continue
        node, X_NP = frames[parent]
        X_NJ, kind, column = X_NP @ kinematics.X_PJ[link], kinematics.kind[link], kinematics.column[link]
        if kind == FIXED:
            frames.append((node, X_NJ))
        elif column < 0:
            frames.append((node, X_NJ @ held_map(kinematics, link)))
        else:
            A = axis_frame(kinematics.axis[link])
            value = kinematics.multiplier[link], kinematics.offset[link]
            joints.append(((X_NJ @ A)[:3], *value, node, column, kind == REVOLUTE))
            frames.append((len(joints) - 1, A.T.copy()))
    return np.array(joints, JOINT), frames


def grouped(resting: Sequence[_Placed], n_carried: int, rounding: float) -> tuple[IntArray, Rows]:
    """Return an order of bodies at rest and groups of neighbours with boxes around them; large ones are alone.

    Kernels leave out a group by its box alone, so that it contains the `rounding` of poses, a part of their sizes.
    """
    if not resting:
        return np.empty(0, np.int64), np.empty(0, BODY_GROUP)
    low, high = np.empty((len(resting), 3)), np.empty((len(resting), 3))
    for k, placed in enumerate(resting):
        around = bounding_volumes_of(placed.body).around
        R, p = placed.X[:3, :3], placed.X[:3, 3]
        center, half = R @ around[:3] + p, np.abs(R) @ around[4:7]
        half += 1e-12 * (np.abs(center) + half) + rounding * placed.size
        low[k], high[k] = center - half, center + half
    sizes = (high - low).max(axis=1)
    alone = sizes > LARGE * np.median(sizes)
    middle = 0.5 * (low + high)
    span = np.maximum(middle.max(axis=0) - middle.min(axis=0), 1e-30)
    cells = ((middle - middle.min(axis=0)) / span * 1023.0).astype(np.int64)
    codes = np.zeros(len(resting), np.int64)
    for bit in range(10):
        for axis in range(3):
            codes |= ((cells[:, axis] >> bit) & 1) << (3 * bit + axis)
    order = np.lexsort((codes, alone))
    n_small = int(np.count_nonzero(~alone))
    starts = [*range(0, n_small, GROUP_SIZE), *range(n_small, len(resting))]
    ends = [*starts[1:], len(resting)]
    groups = [
        (low[order[i:j]].min(axis=0), high[order[i:j]].max(axis=0), n_carried + i, n_carried + j)
        for i, j in zip(starts, ends, strict=True)
    ]
    return order, np.array(groups, BODY_GROUP)


def largest_slack(reals: FloatArray, links: npt.NDArray[np.int32]) -> float:
    """Return by how much hill climbing on a hull's graph may fall short in any direction [m]; infinite without a proof.

    `kernels.convex.support.walk_slack` bounds it for a vertex and a direction by 2.1 e r / d, with d the distance of
    the vertex from a part of an edge between two of its neighbours that follow each other. The minimum distance of a
    vertex from any such edge as a whole bounds it for all.
    """
    if reals[support.KIND] != support.WALK:
        return 0.0
    if reals[support.PROVED] == 0.0:
        return np.inf
    n, at = int(reals[support.COUNT]), int(reals[support.NEIGHBOURS_AT])
    points = reals[support.HEADER : support.HEADER + 3 * n].reshape(n, 3)
    starts = links[: n + 1].astype(np.int64)
    counts = np.diff(starts)
    if (counts < 2).any():
        return np.inf
    owner = np.repeat(np.arange(n), counts)
    here = links[at : at + int(starts[-1])].astype(np.int64)
    where = np.arange(len(here))
    is_last = where == starts[1:][owner] - 1
    following = here[np.where(is_last, starts[:-1][owner], where + 1)]
    p, a, b = points[owner], points[here], points[following]
    edge, away = b - a, p - a
    square = (edge * edge).sum(axis=1)
    s = np.clip((edge * away).sum(axis=1) / np.where(square > 0.0, square, 1.0), 0.0, 1.0)
    least = float(np.sqrt(((away - s[:, None] * edge) ** 2).sum(axis=1)).min())
    r = float(reals[support.EXTENT])
    return 2.2 * 6.0 * support.UNIT * r * r / least if least > 0.0 else np.inf


def _walkable(
    reals: FloatArray, links: npt.NDArray[np.int32]
) -> tuple[FloatArray, npt.NDArray[np.int32], float]:
    """Return a hull with the slack of hill climbing on it, or one whose vertices are all compared if that is large."""
    slack = largest_slack(reals, links)
    # harmless (MOST_SLACK * reals[support.EXTENT]): all vertices are compared, which takes longer
    if slack > MOST_SLACK * reals[support.EXTENT]:
        reals, slack = reals.copy(), 0.0
        reals[support.KIND] = support.SCAN
    return reals, links, slack


def _body_tables(both: Sequence[_Placed]) -> tuple[Rows, tuple[Any, ...]]:
    """Return rows of NODE_BODY, and the joined arrays of hulls, surfaces and trees."""
    bodies = np.zeros(len(both), NODE_BODY)
    hulls, meshes, balls = _Joined(2), _Joined(3), _Joined(1)
    known: dict[int, tuple[FloatArray, npt.NDArray[np.int32], float]] = {}
    for body, placed in zip(bodies, both, strict=True):
        around = bounding_volumes_of(placed.body).around
        body.center, body.radius, body.half = around[:3], around[3], around[4:7]
        body.pose, body.node, body.extent = placed.X[:3], placed.node, placed.size
        cover = hull_of(placed.body)
        if cover is not None:
            assert isinstance(cover, Shape)
            if id(cover) not in known:
                known[id(cover)] = _walkable(*packed(cover))
            reals, links, body.slack = known[id(cover)]
            body.hull = 1
            body.reals, body.links = hulls.add(id(cover), (reals, links), cover)
        tree = obb_tree_of(placed.body)
        if tree is not None:
            S, T, N, _ = tree.arrays
            body.mesh = 1
            body.surface, body.triangles, body.boxes = meshes.add(id(tree), (S, T, N), tree)
            (body.inner,) = balls.add(id(tree.mesh), (inner_balls_of(tree.mesh),), tree.mesh)
    F, L = hulls.arrays((np.float64, np.int32))
    S, T, N = meshes.arrays((np.float64, np.int32, np.float32))
    inner = np.concatenate([np.empty((0, 4)), *balls.lists[0]])
    return bodies, (F, L, S, T, N, N.view(np.int32), inner)


class _Joined:
    """Concatenated arrays of several kinds, each stored once."""

    def __init__(self, kinds: int) -> None:
        self.lists: list[list[npt.NDArray[Any]]] = [[] for _ in range(kinds)]
        self._sizes = [0] * kinds
        self._known: dict[Hashable, tuple[list[tuple[int, int]], object]] = {}

    def add(self, key: Hashable, arrays: Sequence[npt.NDArray[Any]], owner: object) -> list[tuple[int, int]]:
        """Return start and end of each array; the owner is referenced, so that its id is not reused."""
        if key not in self._known:
            ranges: list[tuple[int, int]] = []
            for k, array in enumerate(arrays):
                self.lists[k].append(array)
                ranges.append((self._sizes[k], self._sizes[k] + len(array)))
                self._sizes[k] += len(array)
            self._known[key] = ranges, owner
        return self._known[key][0]

    def arrays(self, kinds: Sequence[Any]) -> list[npt.NDArray[Any]]:
        """Return the joined arrays, each with at least one number, so that kernels can index them."""
        return [
            np.concatenate([np.zeros(0, kind), *found]).astype(kind, copy=False)
            if found
            else np.zeros(1, kind)
            for kind, found in zip(kinds, self.lists, strict=True)
        ]


def _common_node(parents: IntArray, a: int, b: int) -> int:
    """Return the last common ancestor of two nodes; parents have smaller numbers."""
    while a != b:
        if a > b:
            a = int(parents[a])
        else:
            b = int(parents[b])
    return a


def _pose_at(scene: Scene, i: int, p: int, k: int, t: float) -> tuple[FloatArray, float]:
    """Return the pose of a part of an item at an instant, which must be rigid, and the size for its rounding [m]."""
    motion, extent = scene.timeline.motion(i, p, k), extent_of(scene.items[i].parts[p].body)
    X = np.asarray(motion.pose(t), dtype=np.float64)
    if np.abs(X[:3, :3].T @ X[:3, :3] - np.eye(3)).max() > NOT_RIGID:
        raise ArgumentError(
            f"object {scene.items[i].name!r} is slightly deformed at {t:.6g} s, between samples of its cubic "
            'trajectory; give it a motion with interpolation="screw" or "linear", or use the time of a sample.'
        )
    slack = MOTION_TABLE[motion].slack(motion, X[None], extent)
    return X, float(np.linalg.norm(X[:3, 3])) + extent + slack / LEAST_ROUNDING
