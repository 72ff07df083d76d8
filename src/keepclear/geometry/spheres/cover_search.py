"""The search for compact covers: few spheres that provably cover a body and reach at most a chosen distance beyond it.

A ball around a centre that is s outside of the body (negative inside) reaches at most r + s beyond it, so that any
centre may have the radius e - s for an excess of e. Centres are chosen greedily, then deleted one at a time while the
others move so that all sample points stay covered; what the proof finds outside becomes a sample
(docs/theory/sphere-covers).
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.geometry.spheres.cover import SphereCover
from keepclear.geometry.spheres.cover_body import CoverBody
from keepclear.geometry.spheres.cover_measure import inside_gaps, measure_excess, points_outside, surface_row
from keepclear.geometry.spheres.outer_solid import area_of, halves_of, points_inside, surface_distances
from keepclear.kernels.spheres import cover_gaps, cover_moves
from keepclear.kernels.spheres.cover_moves import CENTER
from keepclear.kernels.trees import nearest_triangle


class Centers(NamedTuple):
    """Centres with their distances from a body, in the form of `kernels.spheres.cover_moves`.

    Attributes:
        table: (n, CENTER) x, y, z, an upper bound of the distance (negative inside) and its gradient.
        near: (outlines, n) lower bounds of the distance from each outline [m].
        inside: (outlines, n) whether a centre is inside of each outline.
    """

    table: FloatArray
    near: FloatArray
    inside: npt.NDArray[np.bool_]

    @property
    def points(self) -> FloatArray:
        """Their positions, (n, 3) [m]."""
        return np.ascontiguousarray(self.table[:, :3])

    def some(self, which: npt.NDArray[np.int64]) -> Centers:
        """Return some of them."""
        return Centers(self.table[which], self.near[:, which], self.inside[:, which])

    def joined(self, other: Centers) -> Centers:
        """Return these and others."""
        joined = [np.concatenate(pair, axis) for *pair, axis in zip(self, other, (0, 1, 1), strict=True)]
        return Centers(*joined)


def centers_at(body: CoverBody, points: FloatArray, before: Centers | None = None) -> Centers:
    """Return centres at points (n, 3); `before` has their earlier positions.

    A centre that moved by less than its distance from a surface is still on the same side of it.
    """
    outlines = body.outlines
    n = len(points)
    table, near, inside = (
        np.empty((n, CENTER)),
        np.zeros((len(outlines), n)),
        np.zeros((len(outlines), n), bool),
    )
    table[:, :3], table[:, 3] = points, np.inf
    moved = np.full(n, np.inf)
    if before is not None:
        moved = np.sqrt(((points - before.table[:, :3]) ** 2).sum(axis=1)) * (1.0 + 1e-12)
    for k, (mesh, shells, pad, _) in enumerate(outlines):
        rows = surface_distances(mesh, points)
        near[k] = rows[:, nearest_triangle.LOWER]
        if shells:
            unknown = np.ones(n, bool) if before is None else moved >= before.near[k]
            if before is not None:
                inside[k] = before.inside[k]
            which = np.flatnonzero(unknown)
            inside[k, which] = points_inside(shells, points[which])
            inside[k] &= near[k] > pad
        outside = np.where(inside[k], -(near[k] - pad), rows[:, nearest_triangle.UPPER] + pad)
        better = outside < table[:, 3]
        away = points - rows[:, nearest_triangle.NEAREST :]
        length = np.sqrt((away * away).sum(axis=1))
        sign = np.where(inside[k], -1.0, 1.0)
        gradient = away * (sign / np.where(length > 0.0, length, 1.0))[:, None]
        table[better, 3] = outside[better]
        table[better, 4:] = gradient[better]
    return Centers(table, near, inside)


SLACK = 2e-4
"""Reserve for the last inflation and for rounding [part of the excess]."""
SPACING = 0.6
"""Initial distance between samples of the surface [part of the excess]."""
MOST_SAMPLES = 20_000
MARGIN = 0.03
"""Samples that are covered by less than this also attract centres [part of the excess]."""
TIGHT = 0.03
"""By how much smaller the excess is while spheres are deleted [part of it], halved each time.

Without it the remaining spheres cover the samples so tightly that the proof finds points outside between all of them.
"""
STEPS = 120
"""Number of moves of centres before a deletion is given up."""
PATIENCE, PROGRESS = 20, 0.8
"""Number of steps after which the uncovered distance must have shrunk to this part, else centres stop moving [1]."""
NEAR = 12
"""About how many centres are near enough to a block of samples to be compared with each of them."""
NEIGHBOURS = 18
"""How many centres move when one is deleted."""
STEP_WORK = 40_000
"""Fixed cost of a step, in comparisons."""
ROUNDS = 60
"""Number of rounds in which points found by the proof become samples, before spheres are inflated instead."""
WORK = 600_000_000
"""Greatest number of comparisons of samples and centres for deleting spheres; 3 ns each."""
MOST_CANDIDATES = 4000


@dataclass(slots=True)
class _Search:
    """Centres of a body for one excess, and the samples that they cover.

    Attributes:
        body: What is covered.
        excess: How far spheres may reach beyond it, minus the error of its triangles [m].
        solid: Whether its inside is covered too.
        pieces: (k, 3, 3) small triangles of the surface.
        samples: (n, 3) points that must be covered.
        work: How many comparisons may still be made.
        blocks: Balls around blocks of samples.
    """

    body: CoverBody
    excess: float
    solid: bool
    pieces: FloatArray
    samples: FloatArray
    work: int
    blocks: FloatArray

    def assign(self, centers: Centers, samples: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        """Return the greatest value of a sample, all values, and the sums of each ball."""
        n = len(centers.table)
        rows, values = np.empty((n, cover_moves.ROW)), np.empty(len(samples))
        self.work -= _comparisons(n, len(samples)) + STEP_WORK
        greatest = cover_moves.assign(
            samples.reshape(-1), centers.table.reshape(-1), self.excess, MARGIN * self.excess, rows.reshape(-1), values,
            np.empty(n, np.int32), np.empty(n),
        )  # fmt: skip
        return greatest, values, rows

    def settle(self, centers: Centers, samples: FloatArray, steps: int) -> Centers | None:
        """Return the centres moved until they cover all samples; None if they do not within the number of steps."""
        moved = np.empty((len(centers.table), 3))
        before = math.inf
        for k in range(steps):
            greatest, _, rows = self.assign(centers, samples)
            if greatest <= self.excess:
                return centers
            if k % PATIENCE == PATIENCE - 1:
                if greatest - self.excess > PROGRESS * before:
                    return None
                before = greatest - self.excess
            cover_moves.move(
                centers.table.reshape(-1), rows.reshape(-1), self.excess, MARGIN * self.excess, 0.5 * self.excess,
                moved.reshape(-1),
            )  # fmt: skip
            centers = centers_at(self.body, moved, centers)
        return None

    def reduce(self, centers: Centers) -> Centers:
        """Return fewer centres that cover all samples: those that alone cover the fewest samples are deleted first."""
        failed = np.zeros(len(centers.table), bool)
        alone = self._held_alone(centers)
        while len(centers.table) > 1 and self.work > 0:
            k = int(np.where(failed, np.inf, alone).argmin())
            if failed[k]:
                return centers
            fewer = self._without(centers, k)
            if fewer is None:
                failed[k] = True
                continue
            centers, fixed = fewer
            failed = np.append(failed[fixed], np.zeros(len(centers.table) - len(fixed), bool))
            alone = self._held_alone(centers)
        return centers

    def _held_alone(self, centers: Centers) -> npt.NDArray[np.int32]:
        """Return how many samples each centre covers alone."""
        n = len(centers.table)
        alone = np.empty(n, np.int32)
        self.work -= _comparisons(n, len(self.samples))
        cover_moves.held_alone(
            self.samples.reshape(-1), centers.table.reshape(-1), self.excess, alone, np.empty(n, np.int32),
            np.empty(n),
        )  # fmt: skip
        return alone

    def _without(self, centers: Centers, k: int) -> tuple[Centers, npt.NDArray[np.int64]] | None:
        """Return the centres without one, its neighbours moved to cover its samples; None if they cannot.

        Centres that did not move come first; their numbers are returned, too.
        """
        table = centers.table
        gaps = np.sqrt(((table[:, :3] - table[k, :3]) ** 2).sum(axis=1)) + table[:, 3]
        gaps[k] = np.inf
        moving = np.argsort(gaps, kind="stable")[: min(NEIGHBOURS, len(table) - 1)]
        return self._with_moved(centers, moving, np.append(moving, k), np.empty((0, 3)))

    def _with_moved(
        self, centers: Centers, moving: npt.NDArray[np.int64], taken: npt.NDArray[np.int64], more: FloatArray
    ) -> tuple[Centers, npt.NDArray[np.int64]] | None:
        """Return the centres without those taken, but with some of them moved; None if these cannot cover.

        They cover all samples that the taken centres cover alone, and more points. Centres that were not taken come
        first; their numbers are returned, too.
        """
        is_fixed = np.ones(len(centers.table), bool)
        is_fixed[taken] = False
        fixed, is_left = np.flatnonzero(is_fixed), np.ones(len(self.samples), np.uint8)
        for k in taken:
            x, y, z, s = centers.table[k, :4]
            cover_moves.held(
                self.samples.reshape(-1), self.blocks, is_left, x, y, z, max(self.excess - s, 0.0), True
            )
        samples = np.concatenate([self.samples[is_left == 0], more])
        if len(fixed) and len(samples):
            _, values, _ = self.assign(centers.some(fixed), samples)
            samples = np.ascontiguousarray(samples[values > self.excess])
        neighbours = centers.some(np.sort(moving))
        moved = self.settle(neighbours, samples, STEPS) if len(samples) else neighbours
        return None if moved is None else (centers.some(fixed).joined(moved), fixed)

    def cover_all(self, centers: Centers) -> Centers:
        """Return centres that cover all samples.

        The worst uncovered sample is covered first: by moving the centres next to it, or else by another centre.
        """
        _, values, _ = self.assign(centers, self.samples)
        open_ = values > self.excess
        while open_.any():
            which = np.flatnonzero(open_)
            point = self.samples[which[values[which].argmax()]]
            gaps = np.sqrt(((centers.table[:, :3] - point) ** 2).sum(axis=1)) + centers.table[:, 3]
            moving = np.argsort(gaps, kind="stable")[:NEIGHBOURS]
            near = np.ascontiguousarray(self.samples[which])
            moved = self._with_moved(centers, moving, moving, near[_holds(near, point, self.excess)])
            centers = centers.joined(centers_at(self.body, point[None])) if moved is None else moved[0]
            values[which] = self.assign(centers, near)[1]
            open_[which] = values[which] > self.excess
        return centers

    def spheres(self, centers: Centers) -> FloatArray:
        """Return the largest spheres (n, 4) of centres; those farther outside than the excess have none."""
        radii = self.excess - centers.table[:, 3]
        has = radii > 0.0
        return np.column_stack([centers.table[has, :3], radii[has]])

    def missed(self, spheres: FloatArray, tolerance: float) -> FloatArray:
        """Return points of the body outside of spheres."""
        points = points_outside(self.pieces, spheres, 0.005 * self.excess)
        if self.solid and not len(points):
            points, _ = inside_gaps(self.body, _inflated(spheres, self.body.pad), tolerance, 0.0)
        return points

    def prove(self, centers: Centers, tolerance: float) -> Centers:
        """Return centres whose spheres cover the body, up to rounding and points that many rounds do not find.

        Points outside become samples. If centres cannot cover them, the worst become centres.
        """
        for _ in range(ROUNDS):
            points = self.missed(self.spheres(centers), tolerance)
            if not len(points):
                break
            self.samples = _in_order(np.concatenate([self.samples, points]))
            self.blocks = _blocks(self.samples)
            centers = self.cover_all(centers)
        return centers


def _comparisons(n_centers: int, n_samples: int) -> int:
    """Return about how many comparisons of samples and centres are made: of blocks with all, of samples with few."""
    return n_centers * (n_samples // cover_moves.BLOCK + 1) + min(n_centers, NEAR) * n_samples


def cover_body(body: CoverBody, excess: float, solid: bool, work: int = WORK) -> SphereCover:
    """Return a cover of a body that is proved, with at most that excess unless the proof had to inflate it.

    Args:
        body: What is covered.
        excess: How far spheres may reach beyond it [m].
        solid: Whether its inside is covered too.
        work: How many pairs of samples and centres are compared to find fewer spheres.
    """
    spacing, pieces = _pieces(body, excess)
    aim = max(excess * (1.0 - (10.0 if solid else 1.0) * SLACK) - body.pad, 0.5 * excess)
    samples = _samples(body, pieces, spacing, solid)
    search = _Search(body, aim, solid, pieces, samples, work, _blocks(samples))
    centers = _greedy(search)
    tolerance = 0.1 * SLACK * excess * (10.0 if solid else 1.0)
    best, stale, tight = None, 0, TIGHT
    while best is None or (search.work > 0 and stale < 2):
        search.excess = (1.0 - tight) * aim
        centers = search.reduce(search.cover_all(centers))
        search.excess, tight = aim, 0.5 * tight
        centers = search.prove(centers, tolerance)
        stale += 1
        if best is None or len(centers.table) < len(best.table):
            best, stale = centers, 0
    return _proved(body, _inflated(search.spheres(best), body.pad), solid, tolerance)


def _proved(body: CoverBody, spheres: FloatArray, solid: bool, tolerance: float) -> SphereCover:
    """Return spheres as a cover, inflated until they cover everything."""
    for k in range(60):
        upper = float(surface_row(body, spheres, tolerance, 0.0, math.inf)[cover_gaps.UPPER])
        if solid:
            _, upper = inside_gaps(body, spheres, tolerance, upper)
        if upper <= 0.0:
            _, excess, _ = measure_excess(body, spheres, tolerance)
            return SphereCover(
                spheres[:, :3], spheres[:, 3], 0.0, excess, solid and body.is_closed, body.openings
            )
        spheres = _inflated(spheres, 1.001 * upper + 1e-3 * tolerance * 2.0**k)
    raise AssertionError("inflated spheres cover any body")


def _inflated(spheres: FloatArray, more: float) -> FloatArray:
    """Return spheres with larger radii, rounded up."""
    return np.column_stack([spheres[:, :3], np.nextafter(spheres[:, 3] + more, np.inf)])


def _pieces(body: CoverBody, excess: float) -> tuple[float, FloatArray]:
    """Return triangles of the surface halved until they are small, and the greatest length of their edges [m]."""
    corners = body.corners()
    spacing = max(SPACING * excess, math.sqrt(2.0 * area_of(corners) / MOST_SAMPLES), 1e-3 * body.size)
    small = []
    while len(corners):
        edges = ((corners - np.roll(corners, -1, axis=1)) ** 2).sum(axis=2)
        large = edges.max(axis=1) > spacing * spacing
        small.append(corners[~large])
        corners = halves_of(corners[large])
    found = np.concatenate(small)
    return spacing, np.ascontiguousarray(found[_order(found.mean(axis=1))])


def _samples(body: CoverBody, pieces: FloatArray, spacing: float, solid: bool) -> FloatArray:
    """Return points of the surface, and of the inside, with about the given spacing."""
    found = [pieces.reshape(-1, 3)]
    if solid:
        points = _grid(body, body.size / 24.0)
        found.append(points[body.outside(points).upper < 0.0])
    return _apart(np.concatenate(found), 0.6 * spacing)


def _apart(points: FloatArray, spacing: float) -> FloatArray:
    """Return the first point of each cell of a grid, near ones near each other in the order."""
    cells = np.floor((points - points.min(axis=0)) / spacing).astype(np.int64)
    _, y, z = (cells.max(axis=0) + 1).tolist()
    _, first = np.unique((cells[:, 0] * y + cells[:, 1]) * z + cells[:, 2], return_index=True)
    return _in_order(points[first])


def _blocks(points: FloatArray) -> FloatArray:
    """Return balls around blocks of points, concatenated."""
    blocks = np.empty(4 * -(-len(points) // cover_moves.BLOCK))
    cover_moves.blocks_of(points.reshape(-1), blocks)
    return blocks


def _in_order(points: FloatArray) -> FloatArray:
    return np.ascontiguousarray(points[_order(points)])


def _order(points: FloatArray) -> npt.NDArray[np.int64]:
    """Return an order in which near points are mostly near each other: the bits of coordinates in turn (Morton)."""
    lower, upper = points.min(axis=0), points.max(axis=0)
    cells = ((points - lower) * (1023.0 / max(float((upper - lower).max()), 1e-300))).astype(np.int64)
    code = np.zeros(len(points), np.int64)
    for bit in range(10):
        for axis in range(3):
            code |= ((cells[:, axis] >> bit) & 1) << (3 * bit + axis)
    return np.argsort(code, kind="stable")


def _grid(body: CoverBody, step: float) -> FloatArray:
    """Return the points of a grid in the box around a body."""
    counts = np.maximum(np.ceil((body.upper - body.lower) / step).astype(int), 1)
    axes = [
        low + (np.arange(n) + 0.5) * (high - low) / n
        for low, high, n in zip(body.lower, body.upper, counts, strict=True)
    ]
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)


def _greedy(search: _Search) -> Centers:
    """Return centres that cover all samples, each the one that covers the most of the remaining samples.

    Candidates are points of a grid and the samples, each of which covers itself. Gains only shrink, so a candidate
    whose gain was computed again and is still the greatest is the best one.
    """
    body, samples = search.body, search.samples
    extent = np.maximum(body.upper - body.lower, 0.05 * body.size)
    step = max(0.4 * search.excess, float(np.cbrt(np.prod(extent) / MOST_CANDIDATES)))
    every = max(1, len(samples) // MOST_CANDIDATES)
    points = np.concatenate([_grid(body, step), samples[::every]])
    radii = search.excess - body.outside(points).upper
    has = radii > 0.3 * search.excess
    points, radii = points[has], radii[has]
    flat, blocks, is_left = samples.reshape(-1), search.blocks, np.ones(len(samples), np.uint8)
    n_left = len(samples)
    heap = [(-n_left, k) for k in range(len(points))]
    known = np.full(len(points), -1)
    chosen: list[FloatArray] = []
    while n_left:
        if not heap:  # a sample that no candidate covers
            points = np.concatenate([points, samples[is_left > 0][:1]])
            radii, known = np.append(radii, 0.99 * search.excess), np.append(known, -1)
            heap = [(-n_left, len(points) - 1)]
        _, k = heap[0]
        is_best = known[k] == len(chosen)
        x, y, z = points[k]
        gain = cover_moves.held(flat, blocks, is_left, x, y, z, radii[k], is_best)
        if is_best:
            chosen.append(points[k])
            n_left -= gain
            heapq.heappop(heap)
            continue
        known[k] = len(chosen)
        if gain:
            heapq.heapreplace(heap, (-gain, k))
        else:
            heapq.heappop(heap)
    return centers_at(body, np.array(chosen))


def _holds(points: FloatArray, center: FloatArray, radius: float) -> npt.NDArray[np.bool_]:
    d = points - center
    return np.asarray(np.einsum("ij,ij->i", d, d) <= radius * radius)
