"""Builds compact covers of bodies: to an excess, or with a maximum number of spheres."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from keepclear.checks import FloatArray, checked_flag, checked_positive, is_whole, shown
from keepclear.errors import ArgumentError
from keepclear.geometry.shapes.primitives import Sphere
from keepclear.geometry.shapes.shape import Shape
from keepclear.geometry.spheres.cover import SphereCover
from keepclear.geometry.spheres.cover_body import CoverBody, build_cover_body
from keepclear.geometry.spheres.cover_measure import checked_elements
from keepclear.geometry.spheres.cover_search import WORK, cover_body
from keepclear.geometry.spheres.outer_solid import area_of

__all__ = ["build_covers", "build_sphere_cover", "checked_wish", "one_sphere"]

Elements = Sequence[tuple[Shape, FloatArray]]
Progress = Callable[[int, int, str], object]
Show = Callable[[int, float], object]

DEVIATION = 0.01
"""Largest distance of triangles inside of a curved surface [part of the excess]."""
FINEST = 1e-4
"""The smallest excess, as a part of the size of a body [1]: below it there would be too many spheres to search."""
QUICK = 0.05
"""Work for the first covers of a search for the excess [part of the work of the last one]."""
CLOSE = 1.06
"""The ratio of an excess that is large enough to one that is not, at which quick covers end [1]."""
TRIES = 12
PER_SPHERE = 18.0
"""About the area of a surface that a sphere covers, in squares of the excess [1]; where the search begins."""
SPHERE_SLACK = 1e-12
"""Enlargement of the cover of a sphere, as a part of sizes [1]: the proof of other covers needs as much."""
SMALL, FACTORS, MORE_FACTORS = 64, (0.95,), (0.8, 0.87, 0.95)
"""Step of the final reduction of the excess [1]; few spheres are found fast, and their number jumps."""


def build_sphere_cover(
    shape: object,
    accuracy: float | None = None,
    *,
    max_spheres: int | None = None,
    solid: bool = False,
    progress: Progress | None = None,
) -> SphereCover:
    """Return a small number of spheres of different radii that provably cover a body.

    Args:
        shape: A shape, or a sequence of (shape, pose in the frame of the body).
        accuracy: How far spheres may reach beyond the body [m]: beyond its solids, those that
            open meshes nearly bound included, and beyond surfaces that bound none (docs/theory/sphere-covers).
        max_spheres: Instead of `accuracy`, the maximum number of spheres: the cover then has nearly the smallest
            excess.
        solid: Whether the inside of closed shapes is covered too, so that a body inside them is in contact with the
            spheres.
        progress: Called as progress(done, total, text) before each search; done and total are 0, because the number
            of searches is not known.

    Raises:
        ArgumentError: A number is out of its range, or both or neither of the two are given.
        PoseError: A pose is invalid.
        ShapeError: The faces of a hull could not be proved.

    Examples:
        >>> import keepclear as kc
        >>> cover = kc.build_sphere_cover(kc.Box([0.4, 0.1, 0.1]), accuracy=0.02)
        >>> cover.cover, cover.excess <= 0.02
        (0.0, True)
    """
    wish = checked_wish(accuracy, max_spheres)

    def show(_: int, excess: float) -> None:
        if progress is not None:
            progress(0, 0, f"covering to {1e3 * excess:.3g} mm")

    return build_covers([checked_elements(shape)], *wish, checked_flag("solid", solid), show)[0]


def checked_wish(accuracy: object, max_spheres: object) -> tuple[float | None, int | None]:
    """Return an accuracy or a number of spheres, or raise."""
    if (accuracy is None) == (max_spheres is None):
        raise ArgumentError("give either accuracy, in metres, or max_spheres.")
    if accuracy is not None:
        return checked_positive("accuracy", accuracy, "metres"), None
    if not is_whole(max_spheres) or not 1 <= max_spheres <= 1_000_000:  # type: ignore[operator]
        raise ArgumentError(
            f"max_spheres must be a whole number from 1 to 1000000, but it is {shown(max_spheres)}."
        )
    return None, int(max_spheres)  # type: ignore[call-overload]


class _Target(NamedTuple):
    """A body to cover: its shapes, its triangles, the area of these [m^2], and the covers that were found."""

    elements: Elements
    body: CoverBody
    area: float
    found: list[SphereCover]


def build_covers(
    bodies: Sequence[Elements],
    accuracy: float | None,
    max_spheres: int | None,
    solid: bool,
    show: Show | None = None,
) -> list[SphereCover]:
    """Return covers of bodies: each to an accuracy, or all within a number of spheres, with the smallest excess.

    Before each cover is searched, `show` is called with the number of its body and the excess [m].
    """
    targets = [_target(elements) for elements in bodies]
    if accuracy is not None:
        largest = max(target.body.size for target in targets)
        if accuracy > largest:
            raise ArgumentError(
                f"accuracy = {accuracy:g} m is more than the size of what is covered, {largest:.3g} m; give metres, or "
                "max_spheres, the number of spheres."
            )
        return _all_covers(targets, accuracy, solid, WORK, math.inf, show)[0]
    assert max_spheres is not None
    if len(bodies) > max_spheres:
        raise ArgumentError(
            f"max_spheres = {max_spheres} is too few for {len(bodies)} bodies, one for each at least."
        )
    return _within(targets, max_spheres, solid, show)


def _target(elements: Elements) -> _Target:
    body = build_cover_body(elements, math.inf)
    return _Target(elements, body, area_of(body.corners()), [])


def _cover(target: _Target, excess: float, solid: bool, work: int) -> SphereCover:
    """Return the cover with the fewest spheres that was found for an excess or a smaller one."""
    elements, coarse, _, found = target
    body = build_cover_body(elements, DEVIATION * excess, coarse)
    if excess < FINEST * body.size:
        raise ArgumentError(
            f"accuracy = {excess:g} m is too fine for a compact cover of a body of {body.size:g} m: at least "
            f"{FINEST * body.size:.3g} m; kc.build_sphere_tree covers surfaces to any accuracy."
        )
    exact = one_sphere(elements)
    if exact is not None:
        return exact
    aim = excess
    for _ in range(TRIES):
        cover = cover_body(body, aim, solid, work)
        if cover.excess <= excess:
            break
        aim *= 0.97 * excess / cover.excess  # the proof had to inflate it
    found.append(cover)
    return min((one for one in found if one.excess <= max(excess, cover.excess)), key=len)


def one_sphere(elements: Elements) -> SphereCover | None:
    """Return the cover of a body that is a sphere; None for others."""
    if len(elements) != 1 or type(elements[0][0]) is not Sphere:
        return None
    radius, center = elements[0][0].radius, elements[0][1][:3, 3]
    slack = SPHERE_SLACK * (radius + float(np.abs(center).max()))
    return SphereCover(center[None], [radius + slack], 0.0, 2.0 * slack, True)  # type: ignore[arg-type]


def _all_covers(
    targets: Sequence[_Target], excess: float, solid: bool, work: int, most: float, show: Show | None
) -> tuple[list[SphereCover], float]:
    """Return covers of all bodies and their number of spheres; no covers, and an estimate, if these are too many.

    The largest bodies come first, so that too many spheres are noticed early.
    """
    covers: dict[int, SphereCover] = {}
    total, n, area = sum(target.area for target in targets), 0, 0.0
    for k in sorted(range(len(targets)), key=lambda k: -targets[k].area):
        if show is not None:
            show(k, excess)
        covers[k] = _cover(targets[k], excess, solid, work)
        n, area = n + len(covers[k]), area + targets[k].area
        if n + len(targets) - len(covers) > most:
            return [], max(float(n + len(targets) - len(covers)), n * total / area)
    return [covers[k] for k in range(len(targets))], float(n)


def _within(targets: Sequence[_Target], most: int, solid: bool, show: Show | None) -> list[SphereCover]:
    """Return covers with a maximum total number of spheres, all of about the same excess.

    The number of spheres grows with a power of the excess between -1 and -2.5: quick covers bracket the excess, and
    the last ones use more work to reduce it.
    """
    size = max(target.body.size for target in targets)
    area = sum(target.area for target in targets)
    lower, upper = 0.0, size
    excess = min(0.5 * size, math.sqrt(area / (PER_SPHERE * (most - len(targets) + 1))))
    best: list[SphereCover] = []
    for _ in range(TRIES):
        covers, n = _all_covers(targets, excess, solid, int(QUICK * WORK), most, show)
        if covers:
            best, upper = covers, min(upper, excess)
        else:
            lower = max(lower, excess)
        if upper <= CLOSE * lower or 0.6 * upper < FINEST * size:
            break
        step = min(max((n / most) ** (1.0 / 1.5), 0.6), 1.6)
        excess *= min(step, 0.95) if covers else max(step, 1.05)
        if lower > 0.0 and not 1.01 * lower < excess < 0.99 * upper:
            excess = math.sqrt(lower * upper)
    for factor in MORE_FACTORS if most <= SMALL else FACTORS:
        covers, _ = _all_covers(targets, factor * upper, solid, WORK, most, show)
        if covers:
            return covers
    while not best:
        best, _ = _all_covers(targets, upper, solid, WORK, most, show)
        upper *= 1.25
    return best
