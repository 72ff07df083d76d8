"""Builds compact covers of bodies: to an excess, or with a maximum number of spheres."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from keepclear.checks import FloatArray, checked_flag, checked_positive, is_whole, shown
from keepclear.errors import ArgumentError
from keepclear.preprocess.cover_body import build_cover_body
from keepclear.preprocess.cover_measure import checked_elements
from keepclear.preprocess.cover_search import WORK, cover_body
from keepclear.preprocess.sphere_cover import SphereCover
from keepclear.shapes.primitives import Sphere
from keepclear.shapes.shape import Shape

__all__ = ["build_covers", "build_sphere_cover", "checked_wish", "one_sphere"]

Elements = Sequence[tuple[Shape, FloatArray]]

DEVIATION = 0.01
"""Largest distance of triangles inside of a curved surface [part of the excess]."""
FINEST = 1e-4
"""The smallest excess, as a part of the size of a body [1]: below it there would be too many spheres to search."""
QUICK = 0.05
"""Work for the first covers of a search for the excess [part of the work of the last one]."""
CLOSE = 1.06
"""The ratio of an excess that is large enough to one that is not, at which quick covers end [1]."""
TRIES = 12
SPHERE_SLACK = 1e-12
"""Enlargement of the cover of a sphere, as a part of sizes [1]: the proof of other covers needs as much."""
SMALL, FACTORS, MORE_FACTORS = 64, (0.9, 0.96), (0.6, 0.66, 0.72, 0.78, 0.84, 0.9, 0.96)
"""Step of the final reduction of the excess [1]; few spheres are found fast, and their number jumps."""


def build_sphere_cover(
    shape: object, accuracy: float | None = None, *, max_spheres: int | None = None, solid: bool = False
) -> SphereCover:
    """Return a small number of spheres of different radii that provably cover a body.

    Args:
        shape: A shape, or a sequence of (shape, pose in the frame of the body).
        accuracy: How far spheres may reach beyond the body [m]: beyond its solids, and beyond open surfaces.
        max_spheres: Instead of `accuracy`, the maximum number of spheres: the cover then has nearly the smallest
        excess.
        solid: Whether the inside of closed shapes is covered too, so that a body inside them is in contact with the
            spheres.

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
    return build_covers([checked_elements(shape)], *wish, checked_flag("solid", solid))[0]


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


def build_covers(
    bodies: Sequence[Elements], accuracy: float | None, max_spheres: int | None, solid: bool
) -> list[SphereCover]:
    """Return covers of bodies: each to an accuracy, or all within a number of spheres, with the smallest excess."""
    if accuracy is not None:
        largest = max(build_cover_body(elements, math.inf).size for elements in bodies)
        if accuracy > largest:
            raise ArgumentError(
                f"accuracy = {accuracy:g} m is more than the size of what is covered, {largest:.3g} m; give metres, or "
                "max_spheres, the number of spheres."
            )
        return [_cover(elements, accuracy, solid, WORK) for elements in bodies]
    assert max_spheres is not None
    if len(bodies) > max_spheres:
        raise ArgumentError(
            f"max_spheres = {max_spheres} is too few for {len(bodies)} bodies, one for each at least."
        )
    return _within(bodies, max_spheres, solid)


def _cover(elements: Elements, excess: float, solid: bool, work: int) -> SphereCover:
    body = build_cover_body(elements, DEVIATION * excess)
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
    return cover


def one_sphere(elements: Elements) -> SphereCover | None:
    """Return the cover of a body that is a sphere; None for others."""
    if len(elements) != 1 or type(elements[0][0]) is not Sphere:
        return None
    radius, center = elements[0][0].radius, elements[0][1][:3, 3]
    slack = SPHERE_SLACK * (radius + float(np.abs(center).max()))
    return SphereCover(center[None], [radius + slack], 0.0, 2.0 * slack, True)  # type: ignore[arg-type]


def _within(bodies: Sequence[Elements], most: int, solid: bool) -> list[SphereCover]:
    """Return covers with a maximum total number of spheres, all of about the same excess.

    The number of spheres grows with a power of the excess between -1 and -2: quick covers bracket the excess, and the
    last ones use the remaining work to reduce it.
    """
    size = max(build_cover_body(elements, math.inf).size for elements in bodies)
    lower, upper = 0.0, size
    excess = size * min(0.9, (0.5 * most / len(bodies)) ** -0.67)
    best: list[SphereCover] | None = None
    for _ in range(TRIES):
        covers = [_cover(elements, excess, solid, int(QUICK * WORK)) for elements in bodies]
        n = sum(map(len, covers))
        if n <= most:
            best, upper = covers, min(upper, excess)
        else:
            lower = max(lower, excess)
        if upper <= CLOSE * lower or 0.6 * upper < FINEST * size:
            break
        step = min(max((n / most) ** (1.0 / 1.5), 0.6), 1.6)
        excess *= min(step, 0.95) if n <= most else max(step, 1.05)
        if lower > 0.0 and not 1.01 * lower < excess < 0.99 * upper:
            excess = math.sqrt(lower * upper)
    for factor in MORE_FACTORS if most <= SMALL else FACTORS:
        covers = [_cover(elements, factor * upper, solid, WORK) for elements in bodies]
        if sum(map(len, covers)) <= most:
            best = covers
            break
    while best is None:
        covers = [_cover(elements, upper, solid, WORK) for elements in bodies]
        best = covers if sum(map(len, covers)) <= most else None
        upper *= 1.25
    return best
