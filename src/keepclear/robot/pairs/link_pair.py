"""Two links of a robot: sampled, then proved never or always to touch within the limits of the joints between them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from keepclear.checks import BoolArray, FloatArray, read_only
from keepclear.motion.joints.chains import route_between
from keepclear.query.instant.collide import collide
from keepclear.query.instant.distance import distance
from keepclear.robot.model import Robot
from keepclear.robot.pairs.element_pair import BoxSearch, ElementPair
from keepclear.robot.pairs.lasting_contact import SHALLOW, lasting_contact
from keepclear.robot.pairs.reach import PairReach, Reach

FIRST_SAMPLES = 64
EARLY = 20_000  # boxes that are examined before more configurations are sampled
STARTS, STEPS = 12, 40  # rounds of the search for contact by descent
MEASURED = 8  # configurations without contact of which the one with the largest distance is reported
# Rounds of the search for deeper or shallower contacts, and configurations around the best so far in each.
ROUNDS, AROUND = 4, 64
MOST_LASTING = 400  # greatest number of boxes for a lasting contact; about 20 ms each
MOST_BOXES = 2_000_000  # boxes for a proof that links are apart, where no budget is given
NOISE = 1e-3  # part of the tolerance: touching links that are elsewhere farther apart touch sometimes


class LinkPair:
    """Two links with shapes, and the joints between them.

    Args:
        robot: The robot.
        first: Number of the first link.
        last: Number of the second.
        limits: (2, dof) lower and upper ends of the joints' values [rad or m].
        samples: (n, dof) configurations within the limits.
        tolerance: A pair whose minimum distance is at most this, and the errors of its shapes, may get either kind [m].
    """

    def __init__(
        self, robot: Robot, first: int, last: int, limits: FloatArray, samples: FloatArray, tolerance: float
    ) -> None:
        self._robot, self._links, self._tolerance = robot, (first, last), tolerance
        self._limits, self._samples = limits, samples
        route = route_between(robot.kinematics, first, last)
        moves = (route.factors != 0.0) & (route.columns >= 0)
        self._columns = np.unique(route.columns[moves]).astype(np.int64)
        self._local = np.ascontiguousarray(limits[:, self._columns])
        self._pairs = [
            ElementPair(robot.kinematics, first, a, last, b, self._columns, self._local)
            for a in robot.links[first].elements
            for b in robot.links[last].elements
            if len(self._columns)
        ]
        self._tolerance += max((pair.error for pair in self._pairs), default=0.0)
        self._answer = PairReach(robot.links[first].name, robot.links[last].name, Reach.UNDECIDED)

    @property
    def is_rigid(self) -> bool:
        """Whether no joint moves the links relative to each other."""
        return len(self._columns) == 0

    @property
    def columns(self) -> list[int]:
        """The columns of q that move the links relative to each other."""
        found: list[int] = self._columns.tolist()
        return found

    def touches(self, q: FloatArray) -> BoolArray:
        """Return whether the links touch in configurations (n, dof), (n,)."""
        return self._touched(q[:, self._columns])

    def find_contact(self, budget: int) -> FloatArray | None:
        """Return a configuration (dof,) in which the links touch; None if none is found.

        Boxes lead there, or prove the links apart; where the budget ends first, samples and descent are tried.
        """
        found = None
        for pair in self._pairs:
            searched = BoxSearch(pair, self._tolerance).run(budget)
            if searched.q_near is not None:
                near, gaps = pair.approach(self._around(searched.q_near), STEPS)
                found = near[gaps <= 0.0][:1] if (gaps <= 0.0).any() else self._search_contact()
            elif len(searched.left):
                found = self._search_contact()
            if found is not None:
                break
        q = None if found is None else self._whole(found[0])
        return q if q is not None and self._exact_gap(q) == 0.0 else None

    def decide(self, budget: int | None) -> PairReach:
        """Return the result after a budget of boxes."""
        if self.is_rigid:
            return self._at_one_pose()
        q = self._samples[:FIRST_SAMPLES, self._columns]
        touched = self._touched(q)
        if touched.all():
            q = self._samples[:, self._columns]
            q = np.concatenate([q, self._shallow(q)])
            touched = self._touched(q)
        if touched.all():
            return self._lasting(q, budget)
        if touched.any():
            return self._mixed(q, touched, budget)
        return self._never(q, budget)

    def _at_one_pose(self) -> PairReach:
        q = self._whole(np.empty(0))
        gap = self._exact_gap(q)
        if gap == 0.0:
            return replace(self._answer, kind=Reach.ALWAYS, is_rigid=True, q_touching=q, gap=0.0)
        is_within = gap <= self._tolerance
        return replace(self._answer, kind=Reach.NEVER, is_rigid=True, q_apart=q, is_within=is_within, gap=gap)

    def _mixed(self, q: FloatArray, touched: BoolArray, budget: int | None) -> PairReach:
        """Return SOMETIMES, unless all distances are far below the tolerance."""
        apart = self._farthest(q[~touched])
        if self._gap(apart) > NOISE * self._tolerance:
            return self._sometimes(self._deepest(q[touched]), apart, 0)
        return self._lasting(q[touched], budget)

    def _lasting(self, q: FloatArray, budget: int | None) -> PairReach:
        """Prove that the links always touch, from values at which they do."""
        found = lasting_contact(self._pairs, self._tolerance, min(MOST_LASTING, budget or MOST_LASTING))
        if found.q_apart is not None:
            return self._sometimes(self._deepest(q), found.q_apart, found.boxes)
        q_touching = self._whole(self._deepest(q))
        known = replace(
            self._answer, q_touching=q_touching, gap=self._exact_gap(q_touching), boxes=found.boxes
        )
        if len(found.left):
            return replace(known, volume_left=self._share(found.left))
        return replace(known, kind=Reach.ALWAYS, is_within=found.is_within)

    def _never(self, q: FloatArray, budget: int | None) -> PairReach:
        """Prove that the links are apart, from values at which they are; search for contact where that takes long."""
        most = MOST_BOXES if budget is None else budget
        searches = [BoxSearch(pair, self._tolerance) for pair in self._pairs]
        for limit in sorted({min(EARLY, most), most}):
            found = [search.run(limit) for search in searches]
            boxes = sum(one.boxes for one in found)
            near = [(pair, one.q_near) for pair, one in zip(self._pairs, found, strict=True)]
            for pair, q_near in near:
                if q_near is not None:
                    return self._near(pair, q_near, q, boxes, budget)
            left = min(1.0, sum(self._share(one.left) for one in found))
            if not any(len(one.left) for one in found):  # a share may round to 0 while boxes are left
                return replace(
                    self._answer, kind=Reach.NEVER, q_apart=self._whole(self._farthest(q)), boxes=boxes
                )
            if limit <= EARLY:  # in the first round
                touching = self._search_contact()
                if touching is not None:
                    return self._sometimes(self._deepest(touching), self._farthest(q), boxes)
        return replace(self._answer, q_apart=self._whole(self._farthest(q)), volume_left=left, boxes=boxes)

    def _near(
        self, pair: ElementPair, q_near: FloatArray, q: FloatArray, boxes: int, budget: int | None
    ) -> PairReach:
        """Return SOMETIMES for links that come within the tolerance: with contact, if descent finds one."""
        apart = self._farthest(q)
        if self._gap(apart) <= self._tolerance:
            return self._lasting(q, budget)
        found, gaps = pair.approach(self._around(q_near), STEPS)
        if (gaps <= 0.0).any():
            return self._sometimes(self._deepest(found[gaps <= 0.0]), apart, boxes)
        return self._sometimes(found[gaps.argmin()], apart, boxes)

    def _around(self, q: FloatArray) -> FloatArray:
        """Return values (n, columns) near some, which come first."""
        scale = 1e-3 * (self._local[1] - self._local[0])
        around = q + scale * np.random.default_rng(2).uniform(-1.0, 1.0, (STARTS, len(q)))
        return np.asarray(np.clip(np.concatenate([q[None], around]), *self._local))

    def _search_contact(self) -> FloatArray | None:
        """Return values at which the links touch, by more samples and by descent; None where none were found."""
        q = self._samples[:, self._columns]
        touched = self._touched(q)
        if touched.any():
            return q[touched]
        for pair in self._pairs:
            distances = np.asarray(pair.distances(pair.poses(q)).distance)
            found, gaps = pair.approach(q[np.argsort(distances)[:STARTS]], STEPS)
            if (gaps <= 0.0).any():
                return found[gaps <= 0.0]
        return None

    def _sometimes(self, touching: FloatArray, apart: FloatArray, boxes: int) -> PairReach:
        """Return SOMETIMES with both configurations, decided by exact shapes."""
        q_touching, q_apart = self._whole(touching), self._whole(apart)
        gap = self._exact_gap(q_touching)
        if not self._exact_gap(q_apart) > 0.0:  # both touch: the contact is exact, and poses are rounded
            return replace(
                self._answer, q_touching=q_touching, gap=gap, is_within=True, volume_left=1.0, boxes=boxes
            )
        depth = float(self._depths(touching[None])[0])
        return replace(
            self._answer,
            kind=Reach.SOMETIMES,
            q_apart=q_apart,
            q_touching=q_touching,
            is_within=gap > 0.0 or depth <= SHALLOW * self._tolerance,
            gap=gap,
            hull_depth=depth if depth >= 0.0 and gap == 0.0 else np.nan,
            boxes=boxes,
        )

    def _touched(self, q: FloatArray) -> BoolArray:
        found = np.zeros(len(q), bool)
        for pair in self._pairs:
            found |= pair.touches(pair.poses(q))
        return found

    def _gap(self, q: FloatArray) -> float:
        """Return the distance of the links at values of their columns, 0 where they touch [m]."""
        found = [pair.distances(pair.poses(q[None])) for pair in self._pairs]
        return max(0.0, min(0.0 if one.colliding[0] else float(one.distance[0]) for one in found))

    def _exact_gap(self, q: FloatArray) -> float:
        """Return the distance of the links in a configuration (dof,), 0 where they touch [m]."""
        X = self._robot.link_poses(q)
        (i, j), least = self._links, np.inf
        for a in self._robot.links[i].elements:
            for b in self._robot.links[j].elements:
                poses = X[i] @ a.X_LG, X[j] @ b.X_LG
                if collide(a.shape, poses[0], b.shape, poses[1]).colliding:
                    return 0.0
                least = min(least, float(distance(a.shape, poses[0], b.shape, poses[1]).distance))
        return max(least, float(np.finfo(float).tiny))

    def _farthest(self, q: FloatArray) -> FloatArray:
        """Return the values with the largest distance between the links."""
        some = q[:MEASURED]
        found: FloatArray = some[int(np.argmax([self._gap(one) for one in some]))]
        return found

    def _deepest(self, q: FloatArray) -> FloatArray:
        """Return values at which the links touch and their hulls overlap deeply: the best of those given, improved."""

        def depths(some: FloatArray) -> FloatArray:
            found = np.nan_to_num(self._depths(some), nan=0.0)
            found[~self._touched(some)] = -np.inf
            return found

        best: FloatArray = self._improved(q, depths)[-1]
        return best

    def _shallow(self, q: FloatArray) -> FloatArray:
        """Return values (n, columns) at which hulls of the links overlap less and less, or are apart."""
        return self._improved(q, lambda some: -np.nan_to_num(self._depths(some), nan=0.0))

    def _improved(self, q: FloatArray, value: Callable[[FloatArray], FloatArray]) -> FloatArray:
        """Return the best of some values (n, columns) and better ones found near it, the best one last."""
        rng = np.random.default_rng(3)
        width = self._local[1] - self._local[0]
        best, most, around = [q[0]], -np.inf, q
        for k in range(ROUNDS + 1):
            found = value(around)
            i = int(found.argmax())
            if found[i] > most:
                best.append(around[i])
                most = float(found[i])
            spread = 0.3 ** (k + 1) * width * rng.uniform(-1.0, 1.0, (AROUND, len(width)))
            around = np.clip(best[-1] + spread, *self._local)
        return np.array(best)

    def _depths(self, q: FloatArray) -> FloatArray:
        """Return the overlap of the hulls of the links, the largest of all shapes, nan if unknown, (n,) [m]."""
        found = np.full(len(q), np.nan)
        for pair in self._pairs:
            found = np.fmax(found, pair.depths(q))
        return found

    def _whole(self, q: FloatArray) -> FloatArray:
        """Return a configuration (dof,) with values of the columns between the links; others are as in sample 0."""
        whole = self._samples[0].copy()
        whole[self._columns] = q
        return read_only(whole)

    def _share(self, boxes: FloatArray) -> float:
        """Return the part of the joint box that boxes (n, 2, columns) take up; columns without width do not count."""
        width = self._local[1] - self._local[0]
        moves = width > 0.0
        parts = (boxes[:, 1] - boxes[:, 0])[:, moves] / width[moves]
        return min(1.0, float(parts.prod(axis=1).sum()))
