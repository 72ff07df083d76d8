"""A kind of motion that only tests have: a turn at constant speed about the z axis of the world, of any angle.

Its segments are screws, which kernels know; another number of a segment needs branches in `kernels/motion`.
"""

from __future__ import annotations

import math

import numpy as np

from keepclear.checks import FloatArray
from keepclear.motion.motion import MOTION_TABLE, Motion, MotionRow, Moves, packed_slack
from keepclear.motion.trajectory import PoseTrajectory


class Orbit(Motion):
    """A body that starts at X0 and turns by an angle [rad] about the z axis, from time 0 to 1."""

    __slots__ = ("X0", "angle")

    X0: FloatArray
    angle: float

    def __init__(self, X0: FloatArray, angle: float) -> None:
        turns = np.linspace(0.0, angle, 1 + math.ceil(abs(angle)))
        X_W = np.tile(np.eye(4), (len(turns), 1, 1))
        X_W[:, 0, 0] = X_W[:, 1, 1] = np.cos(turns)
        X_W[:, 1, 0], X_W[:, 0, 1] = np.sin(turns), -np.sin(turns)
        screws = PoseTrajectory(np.linspace(0.0, 1.0, len(turns)), X_W @ X0, "screw")
        self._fill(X0=np.asarray(X0), angle=float(angle), _packed=screws._packed, _hold="both")

    @property
    def _label(self) -> str:
        return "Orbit"

    def _never_moves(self, *_: float) -> bool:
        return self.angle == 0.0


def _moves(motion: Orbit) -> Moves:
    ends = np.array([0.0, 1.0])
    return Moves(ends, np.array([motion.angle != 0.0]), ("orbit", motion.angle))


MOTION_TABLE.add(
    Orbit,
    MotionRow(
        shift=lambda motion, X: Orbit(motion.X0 @ X, motion.angle),
        moves=_moves,
        slack=packed_slack,
        between=lambda motion: f"it turns by {motion.angle:g} rad about the z axis at constant speed",
        samples=lambda _: np.array([0.0, 1.0]),
        content=lambda motion: (motion.X0, motion.angle),
    ),
)
