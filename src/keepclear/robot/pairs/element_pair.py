"""Two shapes on two links of a robot, over the values of the joints between them: routes, exact answers, proofs."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from keepclear.checks import BoolArray, FloatArray, IntArray
from keepclear.geometry.bodies.bounds import bounding_volumes_of
from keepclear.geometry.hulls.build import hull_of
from keepclear.geometry.shapes.extent import body_points
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.shapes.packed import packed
from keepclear.geometry.shapes.shape import Shape
from keepclear.kernels.convex import gjk, support
from keepclear.kernels.edges import joint_boxes
from keepclear.kernels.tables.joint_boxes import BOX_SEARCH, OPEN_BOX, ROUTE_JOINT
from keepclear.kernels.tables.motion import REVOLUTE
from keepclear.kernels.tables.record import Rows
from keepclear.kernels.tables.robot import JOINT, PLANE
from keepclear.motion.joints.chains import inverse, route_between
from keepclear.motion.joints.kinematics import Kinematics
from keepclear.motion.packed_chain import joint_maps
from keepclear.query.instant.collide import collide
from keepclear.query.instant.distance import distance
from keepclear.query.moving.moving_pair import check_for_stop
from keepclear.results import Distance
from keepclear.robot.links import LinkElement

LEAST_ROOM = 64  # free rows of the stack for a call of the kernel
EXACT_COST = 200  # boxes that one exact distance counts as
FIRST_OPEN, MOST_OPEN = 16, 512  # boxes for which exact shapes are compared in one call
FIRST_REACH, LEAST_REACH = 0.6, 1e-6  # largest step towards contact, in any column [rad or m]
BEYOND = 1.02  # factor of a step over the one to distance 0 of a linear function
EYE = np.eye(4)
_search: Callable[..., int] = joint_boxes.search


class Searched(NamedTuple):
    """The result of a search over boxes.

    Attributes:
        left: (n, 2, columns) boxes that are not proved, lower and upper ends [rad or m].
        q_near: (columns,) values at which the shapes come within the tolerance of each other; None: not found.
        boxes: How many boxes were examined.
    """

    left: FloatArray
    q_near: FloatArray | None
    boxes: int


class ElementPair:
    """A shape of one link and a shape of another; only the joints between the two links count.

    Args:
        kinematics: The robot.
        first: Number of the first link.
        a: Its shape.
        last: Number of the other link.
        b: Its shape.
        columns: (d,) the columns of q that move the links relative to each other.
        limits: (2, d) lower and upper ends of these [rad or m].
    """

    def __init__(
        self,
        kinematics: Kinematics,
        first: int,
        a: LinkElement,
        last: int,
        b: LinkElement,
        columns: IntArray,
        limits: FloatArray,
    ) -> None:
        self.a, self.b, self.limits = a.shape, b.shape, limits
        route = route_between(kinematics, first, last)
        self.maps = route.maps.copy()
        self.maps[0] = inverse(a.X_LG) @ self.maps[0]
        self.maps[-1] = self.maps[-1] @ b.X_LG
        self.factors, self.offsets = route.factors, route.offsets
        self.is_revolute = route.kinds == REVOLUTE
        moves = self.factors != 0.0
        self.columns = np.where(
            moves, np.searchsorted(columns, np.where(moves, route.columns, columns[0])), 0
        ).astype(np.int64)
        most = np.abs(limits).max(axis=0)[self.columns] * np.abs(self.factors) + np.abs(self.offsets)
        size = (
            max(
                float(np.linalg.norm(self.maps[:, :3, 3], axis=1).sum()),
                # In products of fixed maps lengths may cancel, and their rounding does not.
                route.terms + float(np.linalg.norm(a.X_LG[:3, 3]) + np.linalg.norm(b.X_LG[:3, 3])),
            )
            + float(most[~self.is_revolute].sum())
            + bounding_volumes_of(self.a).extent
            + bounding_volumes_of(self.b).extent
        )
        n_maps = len(kinematics.parent) + 2 * len(self.factors)
        angles = float(most[self.is_revolute].sum())
        self.error = sum(s.tessellation_error for s in (self.a, self.b) if isinstance(s, Mesh))
        """How far distances of the true surfaces may be from those of the shapes [m]."""
        self.slip = 4.0 * (16.0 * n_maps + 4.0 * angles + 88.0) * support.UNIT * size + self.error
        """Bound of this and of the rounding of distances that are computed from the pose of B in A's frame [m]."""

    def poses(self, q: FloatArray) -> FloatArray:
        """Return the pose of B in A's frame for values (n, d) of the columns, (n, 4, 4)."""
        return self.frames(q)[1]

    def frames(self, q: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the frames of all joints, before they move, and of B in A's frame: (n, joints, 4, 4), (n, 4, 4)."""
        joints = np.empty((len(q), len(self.factors), 4, 4))
        X = np.tile(self.maps[0], (len(q), 1, 1))
        for k, (factor, offset) in enumerate(zip(self.factors, self.offsets, strict=True)):
            joints[:, k] = X
            value = offset + factor * q[:, self.columns[k]]
            X = X @ joint_maps(bool(self.is_revolute[k]), value) @ self.maps[k + 1]
        return joints, X

    def distances(self, X_AB: FloatArray) -> Distance:
        """Return exact distances at poses (n, 4, 4)."""
        return distance(self.a, EYE, self.b, X_AB)

    def touches(self, X_AB: FloatArray) -> BoolArray:
        """Return whether the shapes touch at poses (n, 4, 4), (n,)."""
        return np.asarray(collide(self.a, EYE, self.b, X_AB).colliding)

    def approach(self, q: FloatArray, steps: int) -> tuple[FloatArray, FloatArray]:
        """Return values (n, d) near which distances are smaller than at the given ones, and the distances (n,) [m].

        Steps along the gradient of the distance are slightly longer than needed to reach 0, and shorter after each step
        without an improvement.
        """
        lower, upper = self.limits
        best_q, best, slopes = q.copy(), np.full(len(q), np.inf), np.zeros(q.shape)
        reach = np.full(len(q), FIRST_REACH)
        for _ in range(steps):
            joints, X = self.frames(q)
            found = self.distances(X)
            now = np.where(found.colliding, 0.0, found.distance)
            is_better = now < best
            best_q[is_better], best[is_better] = q[is_better], now[is_better]
            slopes[is_better] = self._slopes(joints, found)[is_better]
            reach[~is_better] *= 0.3
            if (best <= 0.0).any() or (reach < LEAST_REACH).all():
                break
            blocked = ((best_q <= lower) & (slopes > 0.0)) | ((best_q >= upper) & (slopes < 0.0))
            free = np.where(blocked, 0.0, slopes)
            square = (free * free).sum(axis=1)
            step = -free * (BEYOND * best / np.where(square > 0.0, square, np.inf))[:, None]
            longest = np.abs(step).max(axis=1)
            step *= np.minimum(1.0, reach / np.where(longest > 0.0, longest, 1.0))[:, None]
            q = np.clip(best_q + step, lower, upper)
        return best_q, best

    def _slopes(self, joints: FloatArray, found: Distance) -> FloatArray:
        """Return the derivatives of distances by the columns, (n, d)."""
        slopes = np.zeros((len(joints), self.limits.shape[1]))
        n, p = np.asarray(found.normal_W), np.asarray(found.p_WB)
        for k, factor in enumerate(self.factors):
            axis = joints[:, k, :3, 2]
            moved = np.cross(axis, p - joints[:, k, :3, 3]) if self.is_revolute[k] else axis
            slopes[:, self.columns[k]] += factor * (n * moved).sum(axis=1)
        return slopes

    def depths(self, q: FloatArray) -> FloatArray:
        """Return how deep the hulls of the shapes overlap at values (n, d), (n,) [m]; nan where a shape has none."""
        hulls = [hull_of(shape) if isinstance(shape, Mesh) else shape for shape in (self.a, self.b)]
        if hulls[0] is None or hulls[1] is None:
            return np.full(len(q), np.nan)
        return np.asarray(-distance(hulls[0], EYE, hulls[1], self.poses(q)).distance)


class BoxSearch:
    """Proves, box by box, that two shapes never touch; the proof can be continued after a budget has ended.

    Args:
        pair: The shapes.
        tolerance: The search ends when the shapes come this close [m].
    """

    def __init__(self, pair: ElementPair, tolerance: float) -> None:
        self._pair, self._tolerance = pair, tolerance
        d, n = pair.limits.shape[1], len(pair.factors)
        route = np.zeros(n + 1, JOINT)
        route["map"] = pair.maps[:, :3]
        route["revolute"][:n], route["multiplier"][:n] = pair.is_revolute, pair.factors
        route["offset"][:n], route["column"][:n] = pair.offsets, pair.columns
        a, b = _Cover(pair.a), _Cover(pair.b)
        near = a.core_radius + b.core_radius + tolerance
        has_hulls = a.has_hull and b.has_hull
        self._asked = np.array([(a.row, b.row, pair.slip, near, has_hulls, 1, 0, 0, 0)], BOX_SEARCH)
        self._fixed = route, a.points, b.points, a.reals, a.links, b.reals, b.links, self._asked
        self._scratch = np.empty(n, ROUTE_JOINT), np.empty(gjk.MEMORY), np.empty(1, PLANE), np.empty(d)
        self._n_exact = 0
        self._directions, self._boxes = np.zeros((64, 3)), np.zeros((64, 2, d))
        self._boxes[0] = pair.limits

    def run(self, budget: int) -> Searched:
        """Continue until everything is proved, shapes are near, or the total number of boxes is reached."""
        stack, n_opened, examined, most = (
            self._asked[name] for name in ("stack", "opened", "examined", "budget")
        )
        stuck = [self._boxes[:0]]
        opened, boxes = self._space(FIRST_OPEN)
        near: FloatArray | None = None
        while stack[0] > 0 and near is None:
            most[0] = budget - EXACT_COST * self._n_exact
            if examined[0] >= most[0]:
                break
            check_for_stop()
            self._make_room(LEAST_ROOM)
            n_opened[0] = 0
            _search(*self._fixed, self._directions, self._boxes, opened, boxes, *self._scratch)
            n = int(n_opened[0])
            if n:
                self._n_exact += n
                near = self._settle(opened[:n], boxes[:n], stuck)
                if n == len(opened) < MOST_OPEN:
                    opened, boxes = self._space(2 * n)
        left = np.concatenate([self._boxes[: stack[0]], *stuck])
        return Searched(left, near, int(examined[0]))

    def _space(self, n: int) -> tuple[Rows, FloatArray]:
        """Return space for open boxes."""
        return np.empty(n, OPEN_BOX), np.empty((n, *self._boxes.shape[1:]))

    def _settle(self, opened: Rows, boxes: FloatArray, stuck: list[FloatArray]) -> FloatArray | None:
        """Compare exact shapes for open boxes; halves of those that stay open go back to the stack."""
        X = np.tile(np.eye(4), (len(opened), 1, 1))
        X[:, :3] = opened["pose"]
        found = self._pair.distances(X)
        lower, upper = np.asarray(found.lower), np.asarray(found.upper)
        is_open = ~(lower > opened["moved"])
        near = np.where(is_open, upper, np.inf)
        k = int(near.argmin())
        directions, split = opened["direction"], opened["split"]
        if near[k] <= self._tolerance:
            self._push(directions[is_open], boxes[is_open])
            return np.asarray(0.5 * (boxes[k, 0] + boxes[k, 1]))
        stuck.append(boxes[is_open & (split < 0)])
        whole = is_open & (split >= 0)
        low, high, directions = boxes[whole], boxes[whole], directions[whole]
        at, column = np.arange(len(low)), split[whole]
        cut = 0.5 * (low[at, 0, column] + low[at, 1, column])
        low[at, 1, column], high[at, 0, column] = cut, cut
        self._push(np.concatenate([directions, directions]), np.concatenate([low, high]))
        return None

    def _push(self, directions: FloatArray, boxes: FloatArray) -> None:
        self._make_room(len(boxes))
        size = self._asked["stack"]
        some = slice(size[0], size[0] + len(boxes))
        self._directions[some], self._boxes[some] = directions, boxes
        size += len(boxes)

    def _make_room(self, n: int) -> None:
        if self._asked["stack"][0] + n > len(self._boxes):
            more = len(self._boxes) + n
            self._directions = np.concatenate([self._directions, np.zeros((more, 3))])
            self._boxes = np.concatenate([self._boxes, np.zeros((more, *self._boxes.shape[1:]))])


class _Cover:
    """A convex body that contains a shape: its core for the search of planes, and points whose hull contains it.

    Attributes:
        has_hull: Whether there is one; flat and damaged meshes have none.
        points: (n, 3) [m].
        core_radius: Radius of the ball that is added to the core [m].
        row: The fields of COVER: how far the body reaches beyond the hull of the points, or its curved core beyond
            itself, and whether the points only enclose the core, among them.
    """

    def __init__(self, shape: Shape) -> None:
        cover = hull_of(shape) if isinstance(shape, Mesh) else shape
        self.has_hull = cover is not None
        ball = bounding_volumes_of(shape).around[:4]
        if cover is None:
            self.reals, self.links = np.zeros(support.HEADER), np.zeros(1, np.int32)
            self.points, self.core_radius = np.zeros((1, 3)), 0.0
            self.row = ball[:3], ball[3], 0.0, False
            return
        self.reals, self.links = packed(cover)
        count = int(self.reals[support.COUNT])
        self.core_radius = float(self.reals[support.RADIUS])
        thick = self.core_radius + float(self.reals[support.DEFECT])
        self.row = ball[:3], ball[3], thick, bool(self.reals[support.CURVED])
        if count > 0:
            self.points = np.ascontiguousarray(
                self.reals[support.HEADER : support.HEADER + 3 * count].reshape(-1, 3)
            )
        else:
            self.points = np.ascontiguousarray(body_points(cover)[0], dtype=np.float64)
