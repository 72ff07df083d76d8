"""The data of a page that shows a cell in motion: shapes, joints, and their poses at some instants."""

from __future__ import annotations

from dataclasses import dataclass

from keepclear.checks import FloatArray
from keepclear.geometry.shapes.shape import Shape

Colour = tuple[float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class SceneBody:
    """One shape of an object or of a link.

    Attributes:
        name: The name of the object or link in pairs, such as "table" or "arm/forearm"; several bodies may share one.
        shape: The shape as it was checked, or a visual one.
        X_W: Its poses in the world, (n, 4, 4) at the times of the scene, or (1, 4, 4) if it never moves.
        colour: Red, green and blue from 0 to 1 as given in its file; None if the file gives no colour.
        is_visual: Whether it is a visual shape, which was not checked and is shown instead of the checked shapes.
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
        lower: Their lower limits, infinite for none, (d,) [rad or m].
        upper: Their upper limits, (d,) [rad or m].
        q: Their values, (n, d) [rad or m].
        links: The names of the moving links, as in pairs.
        origins: The origins of their frames in the world, (n, len(links), 3) [m].
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
    """All bodies of a world, and their poses at some instants.

    Attributes:
        times: (n,) increasing [s]; the instants of contacts and of minimum clearances are among them.
        bodies: In the order of the world; visual ones after those that were checked.
        robots: In the order of the world.
        notes: Sentences about what cannot be shown as in its file.
    """

    times: FloatArray
    bodies: tuple[SceneBody, ...]
    robots: tuple[SceneRobot, ...] = ()
    notes: tuple[str, ...] = ()
