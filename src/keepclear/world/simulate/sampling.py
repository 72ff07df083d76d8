"""The pairs of a scene at many instants: boxes first, then sphere models or exact shapes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.errors import ArgumentError, ShapeError
from keepclear.geometry.bodies.body import Geometry
from keepclear.geometry.bodies.bounds import extent_of, shape_of
from keepclear.geometry.shapes.shape import Shape
from keepclear.geometry.spheres.tree import SphereTree, build_sphere_tree
from keepclear.motion.fixed import Fixed
from keepclear.motion.motion import MOTION_TABLE, head_of
from keepclear.query.instant.collide import collide
from keepclear.query.instant.distance import distance
from keepclear.query.instant.sphere_search import sphere_collide
from keepclear.scene.distances import query_distance, within
from keepclear.scene.scene import Scene
from keepclear.scene.timeline import part_of
from keepclear.world.selection.plan import Plan, make_plan, near_rows
from keepclear.world.simulate.results import CONTACT, MAY_TOUCH, STEPS, Point, StepPair

if TYPE_CHECKING:
    from keepclear.world.contents.contents import Models

BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int64]

# Steps are placed and compared in blocks; the first is short, because a contact may come soon.
FIRST_BLOCK, LARGEST_BLOCK = 8, 64
# The default radius of the smallest spheres [m], and its limits as parts of the radius of the enclosing ball.
ACCURACY, FINEST, COARSEST = 0.005, 1 / 256, 1 / 16
ENOUGH = 2.0**-40  # bound of the rounding of a distance of boxes, as a part of the coordinates


class Covers(NamedTuple):
    """Which sphere models are built, as in `kc.build_sphere_tree`.

    Attributes:
        accuracy: Radius of the smallest spheres [m]; None: depends on the size of each shape.
        ratio: About how many times smaller the spheres of the next rank are.
        ranks: Number of ranks instead; None: what the ratio gives.
    """

    accuracy: float | None = None
    ratio: float = 2.0
    ranks: int | None = None


class Placed(NamedTuple):
    """A body at the instants of a block, or at one instant if it rests there; m is their number, or 1.

    Attributes:
        X: (m, 4, 4) its poses, as returned by its motion.
        rigid: (m, 4, 4) the nearest rigid poses.
        slack: How far its points may be from their positions by the rigid poses [m].
        is_affine: Whether a cubic motion deforms it.
        center: (m, 3) the centre of the ball and of the box around it [m].
        half: (m, 3) half sizes of that box, along the axes of the world [m].
        radius: Radius of that ball [m].
    """

    X: FloatArray
    rigid: FloatArray
    slack: float
    is_affine: bool
    center: FloatArray
    half: FloatArray
    radius: float


class Found(NamedTuple):
    """Two bodies that touch or may touch at a step.

    Attributes:
        code: CONTACT or MAY_TOUCH.
        gap: MAY_TOUCH: a bound of their distance [m], else NaN.
        margin: The distance that counts as contact [m].
        bodies: Their numbers.
        p_W: A point between spheres that are within the margin; None for none [m].
    """

    code: int
    gap: float
    margin: float
    bodies: tuple[int, int]
    p_W: Point | None


class Block:
    """The poses of bodies at a few instants; each is computed when it is first needed."""

    def __init__(self, scene: Scene, times: FloatArray) -> None:
        self.scene, self.times = scene, times
        self._placed: dict[int, Placed] = {}

    def placed(self, g: int) -> Placed:
        """Return the poses of a body."""
        found = self._placed.get(g)
        if found is None:
            found = self._placed[g] = self._place(g)
        return found

    def _place(self, g: int) -> Placed:
        timeline, (i, p) = self.scene.timeline, self.scene.geoms[g]
        part = part_of(timeline.items, (i, p))
        number = np.array([timeline.parent_index(i, t) for t in self.times.tolist()])
        parts, rigid, slack, is_affine = [], [], 0.0, False
        for k in np.unique(number).tolist():  # in the order of time
            motion = timeline.motion(i, p, k)
            times = self.times[number == k]
            at_rest = isinstance(motion, Fixed) and len(times) == len(self.times)
            X = np.asarray(motion.pose(times[:1] if at_rest else times))
            near = X.copy()
            slack = max(slack, MOTION_TABLE[motion].slack(motion, near, extent_of(part.body)))
            is_affine |= head_of(motion).affine
            parts.append(X)
            rigid.append(near)
        X, near = np.concatenate(parts), np.concatenate(rigid)
        around = self.scene.around[g]
        center = near[:, :3, :3] @ around[:3] + near[:, :3, 3]
        return Placed(
            X, near, slack, is_affine, center, np.abs(near[:, :3, :3]) @ around[4:], float(around[3])
        )


def at(values: FloatArray, which: IntArray) -> FloatArray:
    """Return rows of an array that has one row for each instant, or one for all."""
    return values if len(values) == 1 else values[which]


@dataclass(slots=True)
class Stepping:
    """The check of a scene at many instants.

    Attributes:
        scene: The scene.
        times: (n,) the instants [s].
        exact: Whether the shapes themselves are compared, and not their sphere models.
        covers: Which sphere models are built.
        models: Sphere models by shape and what `covers` says; missing ones are added.
        tolerance: The tolerance of the list of pairs at rest [m].
        stop: Whether steps after the first that stops the simulation are not needed.
        plan: Which pairs are checked, and which are listed.
        statistics: Counts by name.
    """

    scene: Scene
    times: FloatArray
    exact: bool
    covers: Covers
    models: Models
    tolerance: float
    stop: bool
    plan: Plan = field(init=False)
    statistics: dict[str, int] = field(init=False)
    _rows: IntArray = field(init=False)
    _bodies: IntArray = field(init=False)
    _windows: FloatArray = field(init=False)
    _margins: FloatArray = field(init=False)
    _trees: dict[int, SphereTree] = field(default_factory=dict)

    def __post_init__(self) -> None:
        t0, t1 = float(self.times[0]), float(self.times[-1])
        self.plan = make_plan(self.scene, t0, t1, self.tolerance, self.tolerance)
        rows = near_rows(self.plan.table, self.plan.bodies, self.scene.steps(t0, t1), None)
        self._rows, self._margins = rows["pair"], rows["margin"]
        self._bodies = np.stack([rows["geom_a"], rows["geom_b"]], axis=1)
        self._windows = np.stack([rows["t0"], rows["t1"]], axis=1)
        names = "models", "spheres", "compared by spheres", "compared exactly"
        self.statistics = dict.fromkeys(names, 0)

    def blocks(self, *, single: bool) -> Iterator[list[dict[int, Found]]]:
        """Yield the pairs that are not free at each step of the next block, by row of the pair.

        Args:
            single: Whether each step is checked on request, instead of a block of steps in advance.
        """
        first, size, n = 0, FIRST_BLOCK, len(self.times)
        while first < n:
            last = min(first + size, n)
            block = Block(self.scene, self.times[first:last])
            if single:
                yield from (self._checked(block, k, k + 1) for k in range(last - first))
            else:
                yield self._checked(block, 0, last - first)
            first, size = last, min(2 * size, LARGEST_BLOCK)

    def pairs(self, found: Mapping[int, Found], t: float) -> tuple[StepPair, ...]:
        """Return the pairs that were found at an instant: contacts first, then by gap, then by name."""
        made = [
            StepPair(*self.names(row), STEPS[one.code], one.gap, one.margin, self.point(one, t))
            for row, one in found.items()
        ]
        return tuple(
            sorted(made, key=lambda pair: (-STEPS.index(pair.step), np.nan_to_num(pair.gap), pair[:2]))
        )

    def deciding_accuracy(self, found: Found, t: float) -> float:
        """Return a radius of smallest spheres [m] with which covers prove two bodies apart at an instant.

        It is 0 if there is none: the shapes are within their margin, or too close to tell. Spheres reach at most twice
        their radius beyond their shapes.
        """
        a, b = (self.scene.geoms[g] for g in found.bodies)
        sample = query_distance(self.scene.timeline, a, b, t)
        block = Block(self.scene, np.array([t]))
        limit = found.margin + sum(block.placed(g).slack for g in found.bodies)
        return max(0.0, 0.99 * (sample.lower - limit) / 4.0)

    def names(self, row: int) -> tuple[str, str]:
        """Return the names of a pair."""
        names, table = self.scene.names, self.plan.table
        return names[int(table.i[row])], names[int(table.j[row])]

    def point(self, found: Found, t: float) -> Point | None:
        """Return the position at which two bodies touch or may touch at an instant [m]."""
        if found.code == CONTACT:
            a, b = (self.scene.geoms[g] for g in found.bodies)
            sample = query_distance(self.scene.timeline, a, b, t)
            middle = 0.5 * (sample.p_WA + sample.p_WB)
            if np.isfinite(middle).all():
                x, y, z = middle.tolist()
                return x, y, z
        return found.p_W

    def _checked(self, block: Block, first: int, last: int) -> list[dict[int, Found]]:
        """Compare all pairs that may be near at some steps of a block."""
        found: list[dict[int, Found]] = [{} for _ in range(first, last)]
        times = block.times[first:last]
        near = (self._windows[:, 0] <= times[-1]) & (self._windows[:, 1] >= times[0])
        for k in np.flatnonzero(near).tolist():
            begin, end = self._windows[k].tolist()
            steps = np.arange(np.searchsorted(times, begin), np.searchsorted(times, end, side="right"))
            for j, one in self._compared(block, k, steps + first):
                self._keep(found[j - first], int(self._rows[k]), one)
                if self.stop and (one.code == CONTACT or not self.exact):
                    del found[j - first + 1 :]  # later steps are not needed
                    times = times[: j - first + 1]
                    break
        return found

    def _keep(self, found: dict[int, Found], row: int, one: Found) -> None:
        """Keep the worst finding of a pair over its bodies; of two bounds, the smaller one."""
        known = found.get(row)
        if known is None or (one.code, -one.gap) > (known.code, -known.gap):
            found[row] = one

    def _compared(self, block: Block, k: int, steps: IntArray) -> Iterator[tuple[int, Found]]:
        """Yield the steps of a block at which two bodies touch or may touch, in order."""
        a, b = self._bodies[k].tolist()
        one, other = block.placed(a), block.placed(b)
        margin = float(self._margins[k])
        limit = margin + one.slack + other.slack
        steps = steps[_near(one, other, steps, limit)]
        if not len(steps):
            return
        if self.exact:
            for j in steps[self._touching(block, (a, b), steps, margin)].tolist():
                yield j, Found(CONTACT, np.nan, margin, (a, b), None)
            return
        X = _pair_of(one.rigid, other.rigid, steps)
        found = self._by_models((a, b), X, len(steps), margin, limit)
        yield from ((j, one) for j, one in zip(steps.tolist(), found, strict=True) if one is not None)

    def _by_models(
        self, pair: tuple[int, int], X: tuple[FloatArray, FloatArray], n: int, margin: float, limit: float
    ) -> list[Found | None]:
        """Return the findings of sphere models for two bodies at n steps; None where they are proved apart."""
        self.statistics["compared by spheres"] += n
        trees = self._tree(pair[0]), self._tree(pair[1])
        found = sphere_collide(trees[0], X[0], trees[1], X[1], "any", limit, False, 1)
        rows: list[Found | None] = []
        for may_touch, inside, gap, positions in zip(
            found.may_touch.tolist(),
            found.contained.tolist(),
            found.gap.tolist(),
            found.positions_W,
            strict=True,
        ):
            point = tuple(positions[0].tolist()) if len(positions) else None
            code, bound = (CONTACT, np.nan) if inside else (MAY_TOUCH, gap)
            rows.append(Found(code, bound, margin, pair, point) if may_touch else None)
        return rows if len(rows) == n else rows * n

    def _touching(self, block: Block, pair: tuple[int, int], steps: IntArray, margin: float) -> BoolArray:
        """Return the steps at which two bodies are in contact, or within their margin, as in `World.collisions`."""
        n = len(steps)
        self.statistics["compared exactly"] += n
        one, other = block.placed(pair[0]), block.placed(pair[1])
        if one.is_affine or other.is_affine:
            which = self.scene.geoms[pair[0]], self.scene.geoms[pair[1]]
            times = block.times[steps].tolist()
            return np.array([within(self.scene.timeline, *which, t, margin) for t in times])
        a, b = self._body(pair[0]), self._body(pair[1])
        X_WA, X_WB = _pair_of(one.X, other.X, steps)
        slack = one.slack + other.slack
        if margin > 0.0 or slack > 0.0:
            return np.broadcast_to(distance(a, X_WA, b, X_WB).lower <= margin + slack, (n,))
        return np.broadcast_to(collide(a, X_WA, b, X_WB).colliding, (n,))

    def _body(self, g: int) -> Geometry:
        return part_of(self.scene.items, self.scene.geoms[g]).body

    def _tree(self, g: int) -> SphereTree:
        """Return the sphere model of a body; it is built on first use."""
        found = self._trees.get(g)
        if found is None:
            shape = shape_of(self._body(g))
            accuracy, ratio, ranks = self.covers
            key = shape, usual_accuracy(shape) if accuracy is None else accuracy, ratio, ranks
            found = self.models.get(key)
            if found is None:
                try:
                    found = self.models[key] = build_sphere_tree(*key)
                except (ArgumentError, ShapeError) as error:
                    name = self.scene.names[int(self.scene.item[g])]
                    raise type(error)(f"{name!r}: {error}") from error
            if all(found is not tree for tree in self._trees.values()):
                self.statistics["models"] += 1
                self.statistics["spheres"] += found.n_spheres
            self._trees[g] = found
        return found


def usual_accuracy(shape: Shape) -> float:
    """Return the default radius of the smallest spheres [m].

    It is 5 mm, but not less than 1/256 and not more than 1/16 of half the diagonal of the box around the shape.
    """
    lower, upper = shape.bounds
    radius = 0.5 * float(np.linalg.norm(upper - lower))
    return max(min(ACCURACY, COARSEST * radius), FINEST * radius)


def _near(one: Placed, other: Placed, steps: IntArray, limit: float) -> BoolArray:
    """Return the steps at which the balls and boxes around two bodies are within a limit; none is missed."""
    between = np.abs(at(one.center, steps) - at(other.center, steps))
    reach = at(one.half, steps) + at(other.half, steps)
    # harmless (reach): boxes are apart only where centres are farther apart than it
    coordinates = np.abs(at(one.center, steps)) + np.abs(at(other.center, steps)) + reach
    widened = limit + ENOUGH * coordinates.sum(axis=1)
    gaps = np.linalg.norm(np.maximum(between - reach, 0.0), axis=1)
    balls = np.linalg.norm(between, axis=1) - (one.radius + other.radius)
    # harmless (maximum): more steps are compared exactly
    near = np.maximum(gaps, balls) <= widened
    return np.broadcast_to(near, (len(steps),))


def _pair_of(X_WA: FloatArray, X_WB: FloatArray, steps: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return the poses of two bodies at some steps; if only one of them moves, the other has a single pose (4, 4)."""
    if len(X_WA) == len(X_WB) == 1:
        return X_WA, X_WB
    return (
        X_WA[0] if len(X_WA) == 1 else X_WA[steps],
        X_WB[0] if len(X_WB) == 1 else X_WB[steps],
    )
