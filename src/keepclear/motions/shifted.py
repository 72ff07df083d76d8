"""The motion of a frame that is fixed in a moving one, with the rounding of the product of both poses."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from keepclear.checks import FloatArray
from keepclear.kernels.motion import state as layout
from keepclear.kernels.motion.path_length import path_lengths
from keepclear.motions.custom import CheckedMotion, UnpackedMotion
from keepclear.motions.fixed import Fixed, product_place
from keepclear.motions.motion import Head, Motion, head_of
from keepclear.motions.packing import pack_rest
from keepclear.motions.row import MOTION_TABLE, MotionRow, at_any_time, no_samples, no_shift
from keepclear.tolerances import CUSTOM_POSE_ROUNDING

FEWEST_STEPS = 16  # in which the path of a packed motion is measured

_UP = np.array([0.0, 0.0, 1.0])
_WORLD_FRAME = pack_rest(np.eye(4), 0.0)


def shifted_motion(motion: Motion, X: FloatArray, extent: float) -> Motion:
    """Return the motion of a frame that is fixed at X in a moving one.

    Frames that are fixed to screws and entrywise cubics have motions of the same kind. A frame whose origin moves
    linearly while it rotates moves them along curves that kernels do not support; so do links and user-defined motions.

    Args:
        motion: The motion of the other frame.
        X: The pose in it, (4, 4).
        extent: How far the body reaches from the origin of the new frame [m].

    Derivation:
        The poses of the result are products X_W X, rounded. With u = 2^-53, at most `terms` for the norm of the linear
        part of X_W and `place` for the length of its position, a position of the product is off by at most
        4 u (place + sqrt(3) terms |X|) for the translation X, and an entry of its rotation by 3 u sqrt(3) terms; the
        projection to the nearest rotation adds the defects of both factors, 8 u at most, and rounds by 4 u. Together a
        point of the body is off by at most
            7 u (place + terms |X|) + (16 + 12) u terms extent < 32 u (place + terms (|X| + extent)).
        Bounds of rounding are POSE_ROUNDING = 64 u times `place` + `terms` extent of the motion itself. So half of
        those terms is added to the place of the result. The place of the product alone would not do: the terms of the
        sum may cancel, and leave a body near the origin that is rounded like one far from it.
    """
    if np.array_equal(X, np.eye(4)):
        return motion
    found = MOTION_TABLE[motion].shift(motion, X)
    if found is None:
        return ShiftedMotion(motion, X)
    head = head_of(motion)
    terms = head.place + head.terms * float(np.linalg.norm(X[:3, 3]))
    found._enlarge_place(1.5 * terms + 0.5 * head.terms * extent)
    return found


def rounded_place(motion: Motion) -> float:
    """Return the size that the rounding of the poses of a motion is relative to [m]; 0 for a given pose at rest."""
    return product_place(motion) if isinstance(motion, Fixed) else head_of(motion).place


class ShiftedMotion(UnpackedMotion):
    """The motion of a frame that is fixed in a moving one.

    Args:
        motion: The motion of the other frame.
        X: The pose of the frame in it, (4, 4).
    """

    __slots__ = ("X", "original")

    original: Motion
    X: FloatArray

    def __init__(self, motion: Motion, X: FloatArray) -> None:
        self._fill(original=motion, X=X)

    @property
    def t_start(self) -> float:
        """The time of the first pose [s]."""
        return self.original.t_start

    @property
    def t_end(self) -> float:
        """The time of the last pose [s]."""
        return self.original.t_end

    @property
    def hold(self) -> str:
        """Where the body is at rest outside its times."""
        return self.original.hold

    @property
    def knots(self) -> FloatArray:
        """The knots of the original motion [s]."""
        return self.original.knots

    @property
    def _label(self) -> str:
        return self.original._label

    def __reduce__(self) -> tuple[Any, ...]:
        return ShiftedMotion, (self.original, self.X)

    def _poses_at(self, times: FloatArray) -> FloatArray:
        return self.original._poses_at(times) @ self.X

    def _make_head(self) -> Head:
        head = head_of(self.original)
        return head._replace(place=head.place + head.terms * float(np.linalg.norm(self.X[:3, 3])))

    def _travel(self, around: FloatArray, t0: float, t1: float) -> float:
        center = self.X[:3, :3] @ around[:3] + self.X[:3, 3]
        # harmless (layout.ROUND_UP): 2^-48 of the radius, which is no smaller, are added below
        half = np.abs(self.X[:3, :3]) @ around[4:7] * layout.ROUND_UP
        # harmless (layout.ROUND_UP): 2^-48 of it are added below
        moved = np.concatenate([center, [around[3] * layout.ROUND_UP], half])
        moved[3:] += 2.0**-48 * (np.abs(self.X[:3, 3]).sum() + np.abs(around[:4]).sum())
        if isinstance(self.original, UnpackedMotion):
            return self.original._travel(moved, t0, t1)
        return packed_travel(self.original, moved, t0, t1)


def packed_travel(motion: Motion, around: FloatArray, t0: float, t1: float) -> float:
    """Return a bound of the length of the paths of points in a ball and a box, (7,), under a packed motion [m]."""
    t0, t1 = max(t0, motion.t_start), min(t1, motion.t_end)
    if t0 >= t1 or math.isinf(t0) or math.isinf(t1):
        return 0.0  # a motion without ends is one at rest
    knots = np.asarray(motion.knots)
    inner = knots[(knots > t0) & (knots < t1)]
    grid = np.linspace(t0, t1, FEWEST_STEPS + 1)[1:-1]
    times = np.unique(np.concatenate([[t0, t1], inner, grid[(grid > t0) & (grid < t1)]]))
    steps = np.empty((len(times) - 1, 3))
    path_lengths(_WORLD_FRAME, motion._packed, around, times, _UP, steps.reshape(-1))
    head = head_of(motion)
    size = head.place + head.terms * float(np.linalg.norm(around[:3]) + around[3])
    # harmless (layout.ROUND_UP): each step is rounded up by as much, and pairwise sums round by less than 30 u
    return (float(steps[:, 0].sum()) + len(times) * layout.POSE_ROUNDING * size) * layout.ROUND_UP


def pose_rounding(motion: Motion, X: FloatArray, extent: float) -> float:
    """Return how far points of a body may be from their positions by poses (n, 4, 4) of an unpacked motion [m]."""
    far = float(np.sqrt((X[:, :3, 3] ** 2).sum(axis=1)).max(initial=0.0))
    if isinstance(motion, ShiftedMotion):
        inner = head_of(motion.original)
        far += inner.place + 2.0 * float(np.linalg.norm(motion.X[:3, 3])) + inner.terms * extent
        if not isinstance(motion.original, UnpackedMotion):
            return layout.POSE_ROUNDING * far
    return CUSTOM_POSE_ROUNDING * (far + extent)


def _between(motion: ShiftedMotion) -> str:
    return MOTION_TABLE[motion.original].between(motion.original)


def _given(motion: CheckedMotion) -> str:
    return f"its path lengths between two poses are those that the class {motion._label} gives"


for kind, words in ((CheckedMotion, _given), (ShiftedMotion, _between)):
    MOTION_TABLE.add(
        kind,
        MotionRow(
            shift=no_shift,
            moves=at_any_time,
            slack=pose_rounding,
            between=words,
            samples=no_samples,
            content=None,
        ),
        is_public=False,
    )
