"""Sphere models of robots: a cover for each link."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from keepclear.errors import ArgumentError, UnknownNameError
from keepclear.geometry.spheres.cover import SphereCover
from keepclear.geometry.spheres.cover_build import Progress, build_covers
from keepclear.geometry.spheres.cover_files import covers_digest, keep_covers, stored_covers
from keepclear.names import known_names
from keepclear.robot.links import Link

if TYPE_CHECKING:
    from keepclear.robot.model import Robot

__all__ = ["SphereModel", "build_sphere_model"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SphereModel:
    """A cover for each link of a robot that has shapes, in the frame of the link; immutable.

    Attributes:
        robot_name: For messages.
        covers: The cover of each link by its name; links without shapes have none.
    """

    robot_name: str
    covers: Mapping[str, SphereCover]

    def __post_init__(self) -> None:
        for name, cover in self.covers.items():
            if type(cover) is not SphereCover:
                raise ArgumentError(
                    f"sphere model of {self.robot_name!r}: link {name!r} must have a kc.SphereCover, "
                    f"but it has {type(cover).__name__}."
                )
        object.__setattr__(self, "covers", MappingProxyType(dict(self.covers)))

    def __getitem__(self, link: str) -> SphereCover:
        try:
            return self.covers[link]
        except KeyError:
            raise UnknownNameError(
                f"sphere model of {self.robot_name!r} has no link {link!r}"
                f"{known_names(link, tuple(self.covers), 'link')}"
            ) from None

    def __reduce__(self) -> tuple[type[SphereModel], tuple[object, ...]]:
        return type(self), (self.robot_name, dict(self.covers))

    @property
    def n_spheres(self) -> int:
        """The number of spheres of all links."""
        return sum(len(cover) for cover in self.covers.values())

    @property
    def cover(self) -> float:
        """Upper bound of how far a point of any link may lie outside of its spheres [m]; 0: proved that none does."""
        return max((cover.cover for cover in self.covers.values()), default=0.0)

    @property
    def excess(self) -> float:
        """Upper bound of how far a point of the spheres of any link may lie from it [m]."""
        return max((cover.excess for cover in self.covers.values()), default=0.0)

    def to_html(self, robot: Robot, path: str | os.PathLike[str] | None = None, *, title: str = "") -> str:
        """Return a self-contained page of the spheres over the robot, and write it to a file if a path is given.

        Args:
            robot: The robot of this model; shown in its zero pose.
            path: The file; an existing one is replaced.
            title: Title of the page.

        Raises:
            ArgumentError: `robot` is not a robot.
        """
        from keepclear.report.pages.sphere_page import page_of_spheres

        return page_of_spheres(self, robot, path, title=title)

    def __repr__(self) -> str:
        links, n = len(self.covers), self.n_spheres
        return (
            f"SphereModel('{self.robot_name}', {links} link{'s' * (links != 1)}, {n} sphere{'s' * (n != 1)}, "
            f"cover {self.cover:.3g} m, excess {self.excess:.3g} m)"
        )


def build_sphere_model(
    robot_name: str,
    links: Sequence[Link],
    accuracy: float | None,
    max_spheres: int | None,
    solid: bool,
    progress: Progress | None = None,
) -> SphereModel:
    """Return proved covers of all links that have shapes, from disk if stored; arguments are checked."""
    shaped = [link for link in links if link.elements]
    bodies = [[(element.shape, element.X_LG) for element in link.elements] for link in shaped]

    def show(k: int, excess: float) -> None:
        if progress is not None:
            progress(0, 0, f"covering {shaped[k].name} to {1e3 * excess:.3g} mm")

    if not bodies:
        return SphereModel(robot_name, {})
    digest = covers_digest(bodies, (accuracy, max_spheres, solid))
    covers = stored_covers(digest)
    if covers is None:
        covers = build_covers(bodies, accuracy, max_spheres, solid, show)
        keep_covers(digest, covers)
    return SphereModel(robot_name, {link.name: cover for link, cover in zip(shaped, covers, strict=True)})
