"""Common parts of files of sphere models: links with their spheres, and the check of their numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from keepclear.checks import FloatArray, real_number, shown
from keepclear.errors import RobotError
from keepclear.tolerances import LARGEST_SIZE, SMALLEST_SIZE

__all__ = ["MAX_MODEL_SIZE", "MAX_SPHERES", "LinkSpheres", "ModelFile", "checked_spheres", "sphere_mistake"]

MAX_MODEL_SIZE = 2**25
"""Greatest size of a file of spheres [bytes]: 400 000 of them take about as much."""

MAX_SPHERES = 1_000_000
"""Most spheres of a model that is read."""

Spheres = Sequence[tuple[Sequence[float], float]]


@dataclass(frozen=True, slots=True)
class LinkSpheres:
    """The spheres of a link, in its frame.

    Attributes:
        centers: (m, 3) centres [m].
        radii: (m,) radii > 0 [m].
        solid: Whether the file claims to cover the whole solid; claims of a file are not proofs.
        digest: Digest of the shapes of the link for which they were made; "" if the file has none.
    """

    centers: FloatArray
    radii: FloatArray
    solid: bool = False
    digest: str = ""


@dataclass(frozen=True, slots=True)
class ModelFile:
    """The content of a file of a sphere model.

    Attributes:
        shown: The name of the file in messages.
        robot_name: The name in the file; "" for none.
        links: The spheres of each link by its name; links without spheres are omitted.
    """

    shown: str
    robot_name: str
    links: Mapping[str, LinkSpheres] = field(default_factory=dict)


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


def checked_spheres(spheres: Iterable[tuple[Sequence[float], float]], grown: float = 0.0) -> LinkSpheres:
    """Return spheres whose numbers were checked as arrays, with radii larger by a length [m]."""
    found = list(spheres)
    centers = np.array([[float(x) for x in center] for center, _ in found]).reshape(-1, 3)
    return LinkSpheres(centers, np.array([float(radius) + grown for _, radius in found]))


def check_count(shown_file: str, n: int) -> None:
    """Raise a `RobotError` if a model has too many spheres."""
    if n > MAX_SPHERES:
        raise RobotError(f"{shown_file} has {n} spheres, and at most {MAX_SPHERES} are read.")
