"""Certified bounds of the part of a body outside of spheres, and of their excess, by branch and bound."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.checks import (
    FloatArray,
    as_array,
    checked_flag,
    checked_points,
    checked_positive,
    read_only,
    shown,
)
from keepclear.errors import ArgumentError, PoseError
from keepclear.geometry.shapes.curved import Region, RoundSurface
from keepclear.geometry.shapes.mesh import as_shape
from keepclear.geometry.shapes.shape import Shape
from keepclear.geometry.spheres.cover_body import CoverBody, build_cover_body
from keepclear.kernels.spheres import cover_gaps as kernel
from keepclear.tolerances import LARGEST_SIZE

UP, DOWN = 1.0 + 2.0**-48, 1.0 - 2.0**-48
"""More than cover the rounding of a few sums of positive numbers [1]."""

SHARE = 1e-3
"""Largest undecided share of the surface, as a part of the whole [1]."""

SKEW = 1e-6
"""Largest deviation of a pose's matrix from a rotation [1]; it counts as a defect of the surface."""

MOST_TRIANGLES = 4_000_000
"""Greatest number of triangles that a measurement visits for one shape [1]: a few seconds."""

MOST_POINTS = 400_000
"""Greatest number of points that are compared with a body for its excess, and for the cover of its inside [1]."""


@dataclass(frozen=True, slots=True, eq=False)
class CoverMeasure:
    """Bounds of what spheres leave out of a body, and of how far they reach beyond it.

    Attributes:
        sticks_out_lower, sticks_out_upper: Bounds of the greatest distance of a point of the body from the union of the
            spheres [m]; both 0 where it is proved that no point is outside. Infinity without spheres.
        worst_point: (3,) the point of the body that was found farthest outside, or nearest to it.
        uncovered_lower, uncovered_upper: Bounds of the part of the surface, by area, that is outside [1].
        excess_lower, excess_upper: Bounds of the greatest distance of a point of the spheres from the body [m]: from
            its solids, and from surfaces that bound none.
        excess_point: (3,) the point of the spheres that was found farthest from the body.
        solid: Whether `sticks_out` is about the inside of the body too.
        inflation: What must be added to each radius to cover the body, rounding of that sum included [m].
        openings: How many openings of its meshes count as closed where the excess is measured.
    """

    sticks_out_lower: float
    sticks_out_upper: float
    worst_point: FloatArray
    uncovered_lower: float
    uncovered_upper: float
    excess_lower: float
    excess_upper: float
    excess_point: FloatArray
    solid: bool
    inflation: float
    openings: int

    @property
    def covered(self) -> bool:
        """Whether it is proved that no point of the body is outside of the spheres."""
        return self.sticks_out_upper == 0.0


def measure_cover(
    shape: object,
    centers: npt.ArrayLike,
    radii: npt.ArrayLike,
    *,
    tolerance: float = 1e-4,
    solid: bool = False,
) -> CoverMeasure:
    """Return what spheres leave out of a body and how far they reach beyond it, as certified bounds.

    Args:
        shape: A shape, or a sequence of (shape, pose in the frame of the body), such as the elements of a link.
        centers: (m, 3) centres in the frame of the body [m]; m may be 0.
        radii: (m,) radii >= 0 [m].
        tolerance: How far lower and upper bounds may be apart [m]; those of curved surfaces at least 0.2 % of a radius.
        solid: Whether the inside of closed shapes must be covered too.

    Raises:
        ArgumentError: An argument is out of its range, or there is no shape.
        PoseError: A pose is invalid.
        ShapeError: A hull whose faces could not be proved.

    Examples:
        >>> import keepclear as kc
        >>> from keepclear.geometry.spheres.cover_measure import measure_cover
        >>> m = measure_cover(kc.Box([2, 2, 2]), [[0, 0, 0]], [1.5])
        >>> round(m.sticks_out_lower, 6), round(m.sticks_out_upper, 6), round(m.excess_upper, 6)
        (0.232051, 0.232051, 0.5)
    """
    width = checked_positive("tolerance", tolerance, "metres")
    body = build_cover_body(checked_elements(shape), 0.25 * width)
    return measure_body(body, checked_spheres(centers, radii), width, checked_flag("solid", solid))


def checked_elements(shape: object) -> list[tuple[Shape, FloatArray]]:
    """Return a shape, or several with their poses, as a list of shapes and poses (4, 4)."""
    if not isinstance(shape, tuple | list):
        return [(as_shape(shape), np.eye(4))]
    elements = []
    for item in shape:
        is_pair = isinstance(item, tuple | list) and len(item) == 2
        elements.append((as_shape(item[0]), _pose(item[1])) if is_pair else (as_shape(item), np.eye(4)))
    if not elements:
        raise ArgumentError("a body without shapes has no cover.")
    return elements


def _pose(value: object) -> FloatArray:
    """Return the pose of a shape in a body, or raise."""
    try:
        X = np.array(as_array(value), dtype=np.float64)
    except (TypeError, ValueError):
        X = np.empty(0)
    if X.shape != (4, 4) or not (np.abs(X) <= LARGEST_SIZE).all():
        raise PoseError(f"the pose of a shape must be a finite (4, 4) array, but it is {shown(value)}.")
    R = X[:3, :3]
    is_rigid = np.abs(R.T @ R - np.eye(3)).max() <= SKEW and np.linalg.det(R) > 0.0
    if not is_rigid or not np.array_equal(X[3], [0.0, 0.0, 0.0, 1.0]):
        raise PoseError(
            f"the pose of a shape must be a rotation and a translation, but it is {shown(value)}."
        )
    return X


def checked_spheres(centers: npt.ArrayLike, radii: npt.ArrayLike) -> FloatArray:
    """Return spheres (m, 4), x, y, z and radius, or raise."""
    points = (
        np.empty((0, 3)) if np.size(centers) == 0 else checked_points("measure_cover", "centers", centers)
    )
    try:
        lengths = np.array(as_array(radii), dtype=np.float64)
    except (TypeError, ValueError):
        lengths = np.full(1, np.nan)
    if lengths.shape != (len(points),) or not ((lengths >= 0.0) & (lengths <= LARGEST_SIZE)).all():
        raise ArgumentError(
            f"measure_cover: radii must be {len(points)} numbers from 0 to {LARGEST_SIZE:g}, in metres, "
            f"but they are {shown(radii)}."
        )
    return np.column_stack([points, lengths])


def measure_body(body: CoverBody, spheres: FloatArray, tolerance: float, solid: bool) -> CoverMeasure:
    """Return the measure of spheres (m, 4) around a body."""
    if not len(spheres):
        point = read_only(body.corners()[0, 0])
        return CoverMeasure(
            math.inf, math.inf, point, 1.0, 1.0, 0.0, 0.0, point, solid, math.inf, body.openings
        )
    rest = outside_of_single(body, spheres)
    # To the tolerance first: halving without end where balls only just contain the surface would use the whole budget
    # before the search has seen the rest.
    row = surface_row(rest, spheres, tolerance, tolerance, math.inf)
    if row[kernel.LOWER] <= 0.0 < row[kernel.UPPER]:
        coarse = row[kernel.UPPER]
        row = surface_row(rest, spheres, tolerance, 0.0, math.inf)
        row[kernel.UPPER] = min(row[kernel.UPPER], coarse)
    if not rest.parts:
        row[kernel.WITNESS : kernel.WITNESS + 3] = body.corners()[0, 0]
    lower, upper, worst = (
        row[kernel.LOWER],
        row[kernel.UPPER],
        row[kernel.WITNESS : kernel.WITNESS + 3].copy(),
    )
    least, most = (0.0, 0.0) if upper <= 0.0 else _shares(body, spheres)
    if solid:
        holes, upper = inside_gaps(rest, spheres, tolerance, float(upper))
        if len(holes):
            deepest = (
                float((np.sqrt(((holes[0] - spheres[:, :3]) ** 2).sum(axis=1)) - spheres[:, 3]).min()) * DOWN
            )
            deepest -= 2.0**-50 * (body.largest + float(np.abs(spheres).max())) + max(
                part.pad for part in body.parts
            )
            lower, worst = (deepest, holes[0].copy()) if deepest > lower else (lower, worst)
    sticks_out = 0.0 if upper <= 0.0 else float(upper) * UP
    excess_lower, excess_upper, far = measure_excess(body, spheres, tolerance)
    return CoverMeasure(
        max(0.0, float(lower) * DOWN),
        sticks_out,
        read_only(worst),
        float(least),
        float(most),
        excess_lower,
        excess_upper,
        read_only(far),
        solid,
        0.0
        if sticks_out == 0.0
        else (sticks_out + 2.0**-52 * (float(spheres[:, 3].max()) + sticks_out)) * UP,
        body.openings,
    )


def outside_of_single(body: CoverBody, spheres: FloatArray) -> CoverBody:
    """Return a body without balls and capsules that one of the spheres contains: polyhedra around them are larger."""
    return body._replace(parts=tuple(part for part in body.parts if not _is_in_one(part.curved, spheres)))


def _is_in_one(surface: RoundSurface | None, spheres: FloatArray) -> bool:
    """Return whether one of the spheres contains a ball or a capsule; also the same ball, which no halving decides."""
    if surface is None or surface.spine is None:
        return False
    ends = surface.spine @ surface.X[:3, :3].T + surface.X[:3, 3]
    away = np.sqrt(((ends[:, None] - spheres[:, :3]) ** 2).sum(axis=2)).max(axis=0)
    # Where the centre is the same, all of it is exact.
    slack = 0.0 if not surface.spine.any() else surface.rounding
    reach = np.where(away == 0.0, 0.0, away * UP + slack + 2.0**-50 * spheres[:, 3])
    radius = float(surface.regions[0].radii[0])
    return bool((reach <= spheres[:, 3] - radius).any())


def surface_row(
    body: CoverBody, spheres: FloatArray, tolerance: float, fine: float, least_area: float
) -> FloatArray:
    """Return the results of `surface_gaps` for all parts of a body.

    Where the triangles of a curved surface are too coarse to decide (fine = 0), its patches are halved instead.
    """
    balls = np.ascontiguousarray(spheres).reshape(-1)
    near, stack = np.empty((kernel.DEPTH + 3) * len(spheres), np.int32), np.empty(kernel.STACK)
    row, numbers, none = np.zeros(kernel.ROW), np.empty(kernel.NUMBERS), np.empty(0)
    row[kernel.LOWER] = row[kernel.UPPER] = -np.inf
    for mesh, pad, curved in body.parts:
        # Bounds cannot come closer than twice the pad: below that, halving would only use the budget.
        width, narrow = max(tolerance, 2.5 * pad), max(fine, 2.5 * pad) if fine > 0.0 else 0.0
        numbers[:] = pad, body.largest, width, narrow, least_area, row[kernel.VISITED] + MOST_TRIANGLES
        V, T = mesh._vertices.reshape(-1).copy(), mesh._triangles.reshape(-1).copy()
        before = row[kernel.UPPER]
        kernel.surface_gaps(V, T, balls, numbers, near, stack, row, none)
        if curved is not None and fine == 0.0 and row[kernel.LOWER] <= 0.0 < row[kernel.UPPER]:
            found = round_gaps(curved, spheres)
            row[kernel.UPPER] = max(before, min(found.upper, row[kernel.UPPER]))
            if found.lower > 0.0:
                row[kernel.LOWER], row[kernel.WITNESS : kernel.WITNESS + 3] = found.lower, found.point
    return row


def points_outside(corners: FloatArray, spheres: FloatArray, tolerance: float) -> FloatArray:
    """Return a point of each of (n, 3, 3) triangles that is about the farthest from spheres, for triangles outside."""
    balls = np.ascontiguousarray(spheres).reshape(-1)
    near, stack = np.empty((kernel.DEPTH + 3) * len(spheres), np.int32), np.empty(kernel.STACK)
    row, found = np.zeros(kernel.ROW), np.empty(3 * len(corners))
    row[kernel.LOWER] = row[kernel.UPPER] = -np.inf
    numbers = np.array([0.0, float(np.abs(corners).max()), tolerance, 0.0, math.inf, MOST_TRIANGLES])
    links = np.arange(3 * len(corners), dtype=np.int32)
    n = kernel.surface_gaps(corners.reshape(-1), links, balls, numbers, near, stack, row, found)
    return found[: 3 * n].reshape(-1, 3)


def _shares(body: CoverBody, spheres: FloatArray) -> tuple[float, float]:
    """Return bounds of the part of the surface that is outside, about SHARE apart.

    The triangles on the boundary of the union remain open: their area is proportional to the square root of that of one
    triangle, and their number to its inverse.
    """
    whole = surface_row(body, spheres, math.inf, math.inf, math.inf)[kernel.AREA]
    if not whole > 0.0:
        return 0.0, 1.0
    least = 1e-6 * whole
    row = surface_row(body, spheres, math.inf, math.inf, least)
    if row[kernel.AREA_OPEN] > SHARE * whole:
        factor = 1.1 * row[kernel.AREA_OPEN] / (SHARE * whole)
        factor = min(factor, max(1.0, 0.8 * MOST_TRIANGLES / row[kernel.VISITED]))
        row = surface_row(body, spheres, math.inf, math.inf, least / (factor * factor))
    outside, open_ = row[kernel.AREA_OUTSIDE] / whole, row[kernel.AREA_OPEN] / whole
    return max(0.0, outside * (1.0 - 1e-9)), min(1.0, (outside + open_) * (1.0 + 1e-9))


def inside_gaps(
    body: CoverBody, spheres: FloatArray, tolerance: float, upper: float
) -> tuple[FloatArray, float]:
    """Return points of the inside of closed parts outside of spheres, the worst first, and a bound for all points.

    Boxes are halved along each side until they are in one ball, outside of the solid, or cannot raise the bound: if
    nothing was found outside, until their size is a hundredth of the tolerance.

    Args:
        body: The body.
        spheres: (m, 4).
        tolerance: How far the bound may be above what was found [m].
        upper: The bound of the surface [m].
    """
    balls = np.ascontiguousarray(spheres).reshape(-1)
    spent, lower = 0, 0.0
    found, gaps_found = [np.empty((0, 3))], [np.empty(0)]
    for part in body.parts:
        if not part.mesh.is_solid:
            continue
        low, high = part.mesh.bounds
        growth = 2.0**-50 * max(float(np.abs([low, high]).max()), 1e-300)
        boxes = np.concatenate([0.5 * (low + high), 0.5 * (high - low) + growth + part.pad])[None]
        while len(boxes):
            gaps, middle = np.empty(len(boxes)), np.empty(len(boxes))
            kernel.box_gaps(boxes.reshape(-1), balls, gaps, middle)
            gaps, middle = gaps + part.pad, middle - part.pad
            upper = max(upper, min(0.0, float(gaps.max())))
            left = gaps > 0.0
            boxes, gaps, middle = boxes[left], gaps[left], middle[left]
            if not len(boxes):
                break
            half = np.sqrt((boxes[:, 3:] ** 2).sum(axis=1)) * UP
            where = part.solid_outside(boxes[:, :3])
            keep = where.lower <= half + growth
            holes = (where.upper <= 0.0) & (middle > 0.0)
            if holes.any():
                found.append(boxes[holes, :3])
                gaps_found.append(middle[holes])
                lower = max(lower, float(middle[holes].max()))
            enough = lower + tolerance if lower > 0.0 else 0.0
            spent += len(boxes)
            settled = keep & (gaps <= enough)
            open_ = keep & ~settled
            finest = float(boxes[0, 3:].max()) < 0.01 * tolerance
            if finest or spent + 8 * int(open_.sum()) > MOST_POINTS:
                settled, open_ = keep, np.zeros_like(keep)
            if settled.any():
                upper = max(upper, float(gaps[settled].max()))
            boxes = _eighths(boxes[open_], growth)
    order = np.argsort(-np.concatenate(gaps_found), kind="stable")
    return np.concatenate(found)[order], upper


_SIGNS = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])


def _eighths(boxes: FloatArray, growth: float) -> FloatArray:
    """Return the eight parts of each box, a little enlarged for the rounding of their centres."""
    half = 0.5 * boxes[:, None, 3:]
    centers = boxes[:, None, :3] + _SIGNS * half
    halves = np.broadcast_to(half + growth, centers.shape)
    return np.ascontiguousarray(np.concatenate([centers, halves], axis=2).reshape(-1, 6))


def measure_excess(body: CoverBody, spheres: FloatArray, tolerance: float) -> tuple[float, float, FloatArray]:
    """Return bounds of the greatest distance of a point of the spheres from a body, and the point of the lower one.

    A point of a ball of radius r whose centre is d deep inside is at most r - d away from the body: the segment to it
    leaves the body not before d. Where a centre is outside by d it is r + d. The point of the ball beyond the nearest
    point of the surface shows most often that this is so; where it does not, the ball is divided into cubes, and a cube
    of half diagonal h whose centre, moved into the ball, is outside by d reaches at most d + h.
    """
    centers, radii = spheres[:, :3], spheres[:, 3]
    rounding = 2.0**-45 * max(body.largest, float(np.abs(spheres).max()))
    at = body.outside(centers)
    bounds = np.maximum(at.upper + radii, 0.0) * UP + rounding
    away = at.nearest - centers
    length = np.sqrt((away**2).sum(axis=1))
    ways = np.where(length[:, None] > 0.0, away / np.where(length, length, 1.0)[:, None], [0.0, 0.0, 1.0])
    ways = np.where((at.upper > 0.0)[:, None], -ways, ways)
    witnesses = centers + (radii * (1.0 - 1e-12))[:, None] * ways
    found = body.outside(witnesses).lower
    k = int(found.argmax())
    lower, point = max(0.0, float(found[k])), witnesses[k]
    upper, spent = 0.0, 0
    order = np.argsort(-bounds, kind="stable")
    for i in order:
        if bounds[i] <= max(lower + tolerance, upper):
            upper = max(upper, float(bounds[i]))
            break
        bound, better, there, used = _excess_of_ball(
            body, centers[i], float(radii[i]), lower, tolerance, MOST_POINTS - spent
        )
        spent += used
        if better > lower:
            lower, point = better, there
        upper = max(upper, min(bound, float(bounds[i])))
    return lower, max(upper, lower) + rounding, point


def _excess_of_ball(
    body: CoverBody, center: FloatArray, radius: float, lower: float, tolerance: float, budget: int
) -> tuple[float, float, FloatArray, int]:
    """Return an upper bound for one ball, the greatest distance found, its point, and the number of points."""
    boxes = np.concatenate([center, np.full(3, radius)])[None]
    upper, point, spent = 0.0, center, 0
    growth = 2.0**-50 * (float(np.abs(center).max()) + radius)
    while len(boxes):
        offsets = boxes[:, :3] - center
        length = np.sqrt((offsets**2).sum(axis=1))
        half = np.sqrt((boxes[:, 3:] ** 2).sum(axis=1)) * UP
        touches = length * DOWN - half <= radius
        boxes, offsets, length, half = boxes[touches], offsets[touches], length[touches], half[touches]
        if not len(boxes):
            break
        inner = (
            center + offsets * np.minimum(1.0, radius * (1.0 - 1e-12) / np.maximum(length, 1e-300))[:, None]
        )
        at = body.outside(inner)
        spent += len(boxes)
        k = int(at.lower.argmax())
        if at.lower[k] > lower:
            lower, point = float(at.lower[k]), inner[k]
        bounds = (at.upper + half * (1.0 + 1e-9)) + 1e-12 * radius
        open_ = bounds > lower + tolerance
        if spent + 8 * int(open_.sum()) > budget:
            open_[:] = False
        if not open_.all():
            upper = max(upper, float(bounds[~open_].max()))
        boxes = _eighths(boxes[open_], growth)
    return upper, lower, point, spent


AROUND = 16
"""Number of the first patches around the axis [1]."""

MOST_PATCHES = 2_000_000
"""Greatest number of patches that a proof visits [1]: a few seconds."""


class RoundGaps(NamedTuple):
    """An upper bound of g over a surface, the greatest g that was found, and its point (docs/theory/sphere-covers)."""

    upper: float
    lower: float
    point: FloatArray


def round_gaps(surface: RoundSurface, spheres: FloatArray) -> RoundGaps:
    """Return bounds of how far a surface reaches out of spheres (m, 4); upper <= 0 proves that they contain it.

    A patch over a triangle of parameters is halved along its longest side until one ball contains it, or until a point
    of it is outside of all balls. It differs from the triangle of its corners by at most R (du^2 + dv^2) / 4, or
    R du^2 / 8 on a side, which shrinks with each step.
    """
    balls, near = np.ascontiguousarray(spheres).reshape(-1), np.empty(2 * len(spheres), np.int32)
    upper, lower, point, spent = -math.inf, -math.inf, np.zeros(3), 0
    for region in surface.regions:
        patches = _first_patches(region)
        while len(patches):
            corners = np.ascontiguousarray(_points(region, patches) @ surface.X[:3, :3].T + surface.X[:3, 3])
            high, low = np.empty(len(patches)), np.empty(len(patches))
            links = np.arange(3 * len(patches), dtype=np.int32)
            pads = _sag(region, patches) + surface.rounding
            kernel.patch_gaps(corners.reshape(-1), links, balls, pads, near, high, low)
            spent += len(patches)
            k = int(low.argmax())
            if low[k] > lower:
                outside = np.sqrt(((corners[k][:, None] - spheres[:, :3]) ** 2).sum(axis=2)) - spheres[:, 3]
                lower, point = float(low[k]), corners[k, int(outside.min(axis=1).argmax())]
            open_ = high > 0.0
            if lower > 0.0 or spent + 2 * int(open_.sum()) > MOST_PATCHES:
                return RoundGaps(math.inf, lower, point)
            upper = max(upper, float(high[~open_].max(initial=-math.inf)))
            patches = _halves(region, patches[open_])
    return RoundGaps(upper, lower, point)


def _first_patches(region: Region) -> FloatArray:
    """Return triangles (n, 3, 2) of the rectangle of parameters."""
    n = max(2, round(AROUND * (region.v1 - region.v0) / (2.0 * math.pi)))
    u, v = np.linspace(0.0, 2.0 * math.pi, AROUND + 1), np.linspace(region.v0, region.v1, n + 1)
    grid = np.stack(np.meshgrid(u, v, indexing="ij"), axis=-1)
    a, b, c, d = grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]
    return np.concatenate([np.stack([a, b, c], axis=2), np.stack([a, c, d], axis=2)]).reshape(-1, 3, 2)


def _points(region: Region, patches: FloatArray) -> FloatArray:
    """Return the corners of patches on the surface, (n, 3, 3) [m]."""
    u, v = patches[..., 0], patches[..., 1]
    across, height = (np.ones_like(v), v) if region.is_side else (np.cos(v), np.sin(v))
    a, b, c = region.radii
    return np.stack([a * across * np.cos(u), b * across * np.sin(u), region.z + c * height], axis=-1)


def _sag(region: Region, patches: FloatArray) -> FloatArray:
    """Return how far patches may be from the triangles of their corners [m]."""
    du, dv = np.ptp(patches, axis=1).T
    square = du * du / 8.0 if region.is_side else (du * du + dv * dv) / 4.0
    radius = max(region.radii[:2]) if region.is_side else max(region.radii)
    return np.asarray(radius * square * (1.0 + 1e-9))


def _halves(region: Region, patches: FloatArray) -> FloatArray:
    """Return the halves of patches, cut at the middle of their longest side, each pair side by side."""
    scale = np.array([max(region.radii[:2]), region.radii[2]]) if region.is_side else np.ones(2)
    edges = (((patches - np.roll(patches, -1, axis=1)) * scale) ** 2).sum(axis=2)
    longest, which = edges.argmax(axis=1), np.arange(len(patches))
    p, q, r = (patches[which, (longest + k) % 3] for k in range(3))
    middle = 0.5 * (p + q)
    first, second = np.stack([p, middle, r], axis=1), np.stack([middle, q, r], axis=1)
    return np.stack([first, second], axis=1).reshape(-1, 3, 2)
