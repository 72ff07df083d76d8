"""What a page needs to show a cell in motion: shapes, and where they are at some instants."""

from __future__ import annotations

from dataclasses import dataclass

from keepclear.checks import FloatArray
from keepclear.shapes.shape import Shape

__all__ = ["Scene", "SceneBody"]


@dataclass(frozen=True, slots=True, eq=False)
class SceneBody:
    """One shape of an object or of a link.

    Attributes:
        name: The object or link as pairs call it, such as "table" or "arm/forearm"; several bodies may share one.
        shape: The shape as it was checked.
        X_W: Its poses in the world, (n, 4, 4) at the times of the scene, or (1, 4, 4) where it never moves.
    """

    name: str
    shape: Shape
    X_W: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """All bodies of a world, and where they are at some instants.

    Attributes:
        times: (n,) increasing [s]; the instants of contacts and of least clearances are among them.
        bodies: In the order of the world.
    """

    times: FloatArray
    bodies: tuple[SceneBody, ...]
