"""Links of a robot and their shapes, and pairs of links that may touch."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from keepclear.checks import FloatArray
from keepclear.geometry.bodies.body import as_body
from keepclear.geometry.shapes.mesh import as_shape
from keepclear.geometry.shapes.shape import Shape

Colour = tuple[float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class LinkElement:
    """One collision shape of a link.

    Attributes:
        shape: The shape as in the file; it is not made convex.
        X_LG: (4, 4) its pose in the frame of the link.
        source: Its origin: the path of a mesh file, the element of a robot file such as "box", or "attached".
    """

    shape: Shape
    X_LG: FloatArray
    source: str


class Geometry(NamedTuple):
    """The geometry of a <collision> of a link, or of a <visual>, as a robot file gives it.

    Attributes:
        kind: An element of the table of kinds.
        numbers: Its sizes, one after the other [m]; of a mesh its scale, one number, three or none.
        filename: Of a mesh, as it is written; else "".
        X_LG: Pose of the geometry in the frame of its link.
    """

    kind: str
    numbers: tuple[float, ...]
    filename: str
    X_LG: FloatArray


class LinkVisual(NamedTuple):
    """One visual geometry of a link: for display only, and read when it is shown.

    Attributes:
        geometry: None where it cannot be read.
        colour: Red, green and blue from 0 to 1, None where the file gives none.
        folder: Where the robot's file is.
        package_dirs: Where packages are, as `checked_package_dirs` returns them.
    """

    geometry: Geometry | None
    colour: Colour | None
    folder: Path
    package_dirs: tuple[tuple[str | None, Path], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Link:
    """A rigid part of a robot, with any number of collision shapes; none: it is never in contact."""

    name: str
    elements: tuple[LinkElement, ...]
    visuals: tuple[LinkVisual, ...] = ()


@dataclass(frozen=True, slots=True)
class AllowedPair:
    """Two links of a robot that may touch, so that they are not checked.

    Attributes:
        a: Name of the first link.
        b: Name of the second.
        reason: "srdf" (the robot's SRDF file disables them), "neighbours" (no other link with shapes between them),
            "zero pose" (they touch in the zero pose), or what `with_allowed` was given.
        detail: A sentence or a word, such as the reason that the SRDF gives.
    """

    a: str
    b: str
    reason: str
    detail: str = ""


def elements_of(shape: object) -> tuple[LinkElement, ...]:
    """Return a shape, or several with or without their poses, as the elements of a link."""
    parts = as_body(shape, bare=True).parts
    return tuple(LinkElement(as_shape(part.body), part.X_OP, "attached") for part in parts)
