"""What a page needs to show a cell in motion: shapes, joints, and where they are at some instants."""

from __future__ import annotations

from dataclasses import dataclass

from keepclear.checks import FloatArray
from keepclear.shapes.shape import Shape

__all__ = ["Scene", "SceneBody", "SceneRobot"]

Colour = tuple[float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class SceneBody:
    """One shape of an object or of a link.

    Attributes:
        name: The object or link as pairs call it, such as "table" or "arm/forearm"; several bodies may share one.
        shape: The shape as it was checked, or a visual one.
        X_W: Its poses in the world, (n, 4, 4) at the times of the scene, or (1, 4, 4) where it never moves.
        colour: Red, green and blue from 0 to 1 as its file gives them, None where it gives none.
        is_visual: Whether it is a visual shape, which was not checked, shown in place of those that were.
    """

    name: str
    shape: Shape
    X_W: FloatArray
    colour: Colour | None = None
    is_visual: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class SceneRobot:
    """The joints and links of a robot at the times of a scene.

    Attributes:
        name: The robot.
        joints: The names of its joints, (d,).
        is_revolute: Which of them are angles, (d,).
        lower: Their limits, infinite where there are none, (d,) [rad or m].
        upper: (d,).
        q: Their values, (n, d) [rad or m].
        links: The names of the links that move, as pairs call them.
        origins: Where the origins of their frames are, (n, len(links), 3) [m].
    """

    name: str
    joints: tuple[str, ...]
    is_revolute: tuple[bool, ...]
    lower: tuple[float, ...]
    upper: tuple[float, ...]
    q: FloatArray
    links: tuple[str, ...]
    origins: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """All bodies of a world, and where they are at some instants.

    Attributes:
        times: (n,) increasing [s]; the instants of contacts and of least clearances are among them.
        bodies: In the order of the world; visual ones after those that were checked.
        robots: In the order of the world.
        notes: What cannot be shown as its file has it, as sentences.
    """

    times: FloatArray
    bodies: tuple[SceneBody, ...]
    robots: tuple[SceneRobot, ...] = ()
    notes: tuple[str, ...] = ()
