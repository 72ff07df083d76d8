"""Bodies at rest."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, read_only
from keepclear.errors import PoseError
from keepclear.geometry.pose import checked_poses
from keepclear.kernels.motion.state import POSE_ROUNDING
from keepclear.motion.motion import (
    MOTION_TABLE,
    NEVER,
    Motion,
    MotionRow,
    TimelessMotion,
    head_of,
    no_samples,
)
from keepclear.motion.packing import pack_rest

__all__ = ["Fixed"]


class Fixed(TimelessMotion):
    """A body at rest, at all times.

    Args:
        X_W: Its pose in the world, (4, 4).

    Raises:
        PoseError: The pose is not rigid.

    Examples:
        >>> import numpy as np
        >>> table = Fixed(np.eye(4))
        >>> table.pose(3.5)[:3, 3].tolist()
        [0.0, 0.0, 0.0]
    """

    __slots__ = ("_X_W",)

    _X_W: FloatArray

    def __init__(self, X_W: npt.ArrayLike) -> None:
        poses, _, single = checked_poses(X_W, "X_W", scaled=False)
        if not single:
            raise PoseError(
                f"Fixed: X_W must be one pose (4, 4), but it has shape {np.shape(X_W)}; "
                "several poses in time are a kc.PoseTrajectory."
            )
        self._fill(_X_W=poses[0], _packed=pack_rest(poses[0], 0.0))

    @classmethod
    def at(cls, X_W: FloatArray) -> Fixed:
        """Return a body at rest at a checked pose, which is not checked again."""
        motion = cls.__new__(cls)
        motion._fill(_X_W=X_W, _packed=pack_rest(X_W, 0.0))
        return motion

    @property
    def X_W(self) -> FloatArray:
        """The pose in the world, (4, 4)."""
        return read_only(self._X_W)

    @property
    def knots(self) -> FloatArray:
        """No times, (0,): nothing ever changes."""
        return read_only(np.empty(0))

    def _poses_at(self, times: FloatArray) -> FloatArray:
        return np.tile(self._X_W + 0.0, (len(times), 1, 1))  # kernels have no negative zeros

    def _never_moves(self, *_: float) -> bool:
        return True

    @property
    def _label(self) -> str:
        return "Fixed"

    def __repr__(self) -> str:
        x, y, z = self._X_W[:3, 3]
        return f"Fixed(at ({x:.6g}, {y:.6g}, {z:.6g}) m)"


def product_place(motion: Fixed) -> float:
    """Return the size that the rounding of a product of poses is relative to [m]; 0 for a given pose."""
    place = head_of(motion).place
    # harmless (2.0**-40): then a given pose gets a slack as if it were a product
    return 0.0 if place <= float(np.linalg.norm(motion.X_W[:3, 3])) * (1.0 + 2.0**-40) else place


def rounded_place(motion: Motion) -> float:
    """Return the size that the rounding of the poses of a motion is relative to [m]; 0 for a given pose at rest."""
    return product_place(motion) if isinstance(motion, Fixed) else head_of(motion).place


def _slack(motion: Fixed, _: FloatArray, extent: float) -> float:
    place = product_place(motion)
    return POSE_ROUNDING * (place + extent) if place > 0.0 else 0.0


MOTION_TABLE.add(
    Fixed,
    MotionRow(
        shift=lambda motion, X: Fixed(motion.X_W @ X),
        moves=lambda _: NEVER,
        slack=_slack,
        between=lambda _: "",
        samples=no_samples,
        content=lambda motion: (motion.X_W,),
    ),
)
