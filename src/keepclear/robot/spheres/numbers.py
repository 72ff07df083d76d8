"""Numbers in files of sphere models: checked when they are read, and rounded outward when they are written."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from decimal import ROUND_CEILING, ROUND_HALF_EVEN, Decimal
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from keepclear.checks import FloatArray, real_number, shown
from keepclear.geometry.spheres.cover import SphereCover
from keepclear.robot.spheres.model import SphereModel
from keepclear.tolerances import LARGEST_SIZE, SMALLEST_SIZE

MAX_MODEL_SIZE = 2**25
"""Greatest size of a file of spheres [bytes]: 400 000 of them take about as much."""

MAX_SPHERES = 1_000_000
"""Most spheres of a model that is read."""


class ModelFile(NamedTuple):
    """The content of a file of a sphere model.

    Attributes:
        path: The file.
        shown: Its name in messages.
        robot_name: The name in the file; "" for none.
        links: The spheres of each link by its name, in its frame, without bounds: claims of a file are not proofs.
            Links without spheres are omitted.
        digests: Digest of the shapes of a link for which its spheres were made, by its name, where the file has one.
    """

    path: Path
    shown: str
    robot_name: str
    links: Mapping[str, SphereCover]
    digests: Mapping[str, str] = MappingProxyType({})

    def model(self, robot_name: str = "") -> SphereModel:
        """Return the model, without proved bounds; the robot's name is for files without one."""
        return SphereModel(self.robot_name or robot_name or self.path.stem, self.links)


def sphere_mistake(center: object, radius: object) -> str:
    """Return the error in the numbers of a sphere; "" for none."""
    if not isinstance(center, list | tuple) or len(center) != 3:
        return f"a centre has three numbers, in metres, but it is {shown(center)}"
    for value in center:
        number = real_number(value)
        if number is None or not abs(number) <= LARGEST_SIZE:
            return f"a centre has three finite numbers, at most {LARGEST_SIZE:g} m, but one is {shown(value)}"
    number = real_number(radius)
    if number is None or not math.isfinite(number):
        return f"a radius is a finite number, in metres, but it is {shown(radius)}"
    if not SMALLEST_SIZE <= number <= LARGEST_SIZE:
        return f"a radius is a number from {SMALLEST_SIZE:g} to {LARGEST_SIZE:g} m, but it is {shown(radius)}"
    return ""


def cover_of(spheres: Iterable[tuple[Sequence[float], float]], grown: float = 0.0) -> SphereCover:
    """Return spheres whose numbers were checked, with radii larger by a length [m]."""
    found = list(spheres)
    centers = np.array([[float(x) for x in center] for center, _ in found])
    return SphereCover(centers, np.array([float(radius) + grown for _, radius in found]))


DIGITS = 6
"""Digits of a radius that are written: a file of text stays short, and radii grow by a few millionths at most."""

SMALLEST_RADIUS = 1e-30
"""Least radius that is written [m]: single precision has no smaller numbers of full precision."""

ROUND_UP = 1.0 + 2.0**-49
"""Upper bound of the rounding of a norm of three differences, and of a sum [1]."""


class SphereTexts(NamedTuple):
    """The numbers of a sphere as they are written: three coordinates and the radius [m]."""

    center: tuple[str, str, str]
    radius: str


def rounded_outward(centers: FloatArray, radii: FloatArray, moved: float = 0.0) -> list[SphereTexts]:
    """Return spheres in short decimal numbers, each of which contains the sphere that it represents.

    Args:
        centers: (m, 3) centres [m].
        radii: (m,) radii > 0 [m].
        moved: Error of the centres [m], such as the rounding of another frame.

    Derivation:
        A coordinate is written with `DIGITS` digits behind those of the radius. Read in double precision it is the
        nearest double; in single precision it is the number below or above, however that reader rounds. With e the
        largest distance of these from the coordinate, the sphere around what is read contains the given one if its
        radius is at least r + |(e_x, e_y, e_z)| + moved. The radius that is written is the least decimal number of its
        grid whose double, and the single below that, are not less.

    Examples:
        >>> rounded_outward(np.array([[1 / 3, 0.0, -0.25]]), np.array([0.05]))
        [SphereTexts(center=('0.33333333', '0', '-0.25'), radius='0.05000002')]
    """
    return [_rounded(c, r, moved) for c, r in zip(centers.tolist(), radii.tolist(), strict=True)]


def _rounded(center: Sequence[float], radius: float, moved: float) -> SphereTexts:
    radius = max(radius, SMALLEST_RADIUS)
    step = _step(radius)
    texts = [_text(Decimal(x).quantize(step, ROUND_HALF_EVEN)) if x else "0" for x in center]
    errors = [max(abs(x - near) for near in _readings(text)) for x, text in zip(center, texts, strict=True)]
    added = (math.hypot(*errors) + moved) * ROUND_UP
    needed = (radius + added) * ROUND_UP if added else radius
    step = _step(needed)  # not finer than single precision, so that a step or two are enough
    value = Decimal(needed).quantize(step, ROUND_CEILING)
    while min(_readings(_text(value))) < needed:
        value += step
    return SphereTexts((texts[0], texts[1], texts[2]), _text(value))


def _step(radius: float) -> Decimal:
    """Return the spacing of the numbers that are written with a radius."""
    return Decimal(1).scaleb(math.floor(math.log10(radius)) - DIGITS)


def _readings(text: str) -> tuple[float, float, float]:
    """Return the possible values of a text for its reader: the double, and the single-precision numbers around it."""
    value = float(text)
    near = np.float32(value)
    lower = near if near <= value else np.nextafter(near, np.float32(-np.inf))
    upper = near if near >= value else np.nextafter(near, np.float32(np.inf))
    return value, float(lower), float(upper)


def _text(value: Decimal) -> str:
    """Return a decimal number without zeros at its end, with an exponent where it is very small or large."""
    if not value:
        return "0"
    plain = value.normalize()
    exponent = plain.adjusted()
    if -8 <= exponent < 10:
        return format(plain, "f")
    text = format(plain, "e")
    mantissa, _, power = text.partition("e")
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}e{int(power):+03d}"
