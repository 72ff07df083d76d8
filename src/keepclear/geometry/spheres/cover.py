"""Covers: few spheres of different radii around the surface or the solid of a body, with certified bounds."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from keepclear.checks import (
    FloatArray,
    as_array,
    checked_flag,
    checked_length,
    checked_points,
    is_whole,
    read_only,
    real_number,
    shown,
)
from keepclear.errors import ArgumentError, KeepclearError
from keepclear.tolerances import LARGEST_SIZE

__all__ = ["SphereCover"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SphereCover:
    """Spheres around a body, in its frame; immutable.

    `cover` and `excess` are certified bounds. A cover of which nothing is known has infinity for both, which is the
    default: it proves nothing.

    Attributes:
        centers: (m, 3) centres [m]; read-only.
        radii: (m,) radii, all > 0 [m]; read-only.
        cover: Upper bound of how far a point of the body may lie outside of all spheres [m]; 0 where it is proved
            that none does.
        excess: Upper bound of how far a point of the spheres may lie from the body [m]: from its solid, or from its
            surface where that bounds none.
        solid: Whether `cover` is about the whole solid; otherwise it is about the surface, and containment needs
            another test. Of an open mesh only the surface is covered.
        openings: How many openings of open meshes count as closed by caps: `excess` is measured from the solid with
            these caps. `cover` does not depend on them.
    """

    centers: FloatArray
    radii: FloatArray
    cover: float = math.inf
    excess: float = math.inf
    solid: bool = False
    openings: int = 0

    def __post_init__(self) -> None:
        centers = checked_points("SphereCover", "centers", self.centers)
        try:
            radii = np.array(as_array(self.radii, "SphereCover: radii"), dtype=np.float64)
        except KeepclearError:
            raise
        except (TypeError, ValueError):
            radii = np.empty(0)
        if not len(centers):
            raise ArgumentError("SphereCover: centers is empty; a cover has at least one sphere.")
        if radii.shape != (len(centers),) or not ((radii > 0.0) & (radii <= LARGEST_SIZE)).all():
            raise ArgumentError(
                f"SphereCover: radii must be {len(centers)} numbers > 0, up to {LARGEST_SIZE:g} m, but they are "
                f"{shown(self.radii)}."
            )
        for name in ("cover", "excess"):
            value = getattr(self, name)
            if real_number(value) != math.inf:
                object.__setattr__(self, name, checked_length(f"SphereCover: {name}", value))
        object.__setattr__(self, "centers", read_only(centers))
        object.__setattr__(self, "radii", read_only(radii))
        object.__setattr__(self, "solid", checked_flag("solid", self.solid))
        if not is_whole(self.openings) or self.openings < 0:
            raise ArgumentError(
                f"SphereCover: openings must be a whole number >= 0, but it is {shown(self.openings)}."
            )

    def __len__(self) -> int:
        return len(self.radii)

    def __repr__(self) -> str:
        n = len(self)
        what = "solid" if self.solid else "surface"
        cover = f"{what} covered" if self.cover == 0.0 else f"{what} up to {self.cover:.3g} m outside"
        k = self.openings
        closed = f", {k} opening{'s' * (k != 1)} closed" if k else ""
        return f"SphereCover({n} sphere{'s' * (n != 1)}, {cover}, excess {self.excess:.3g} m{closed})"
