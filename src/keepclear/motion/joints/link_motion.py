"""The motion of a link of a robot, relative to the world or to another link."""

from __future__ import annotations

import numpy as np

from keepclear.checks import FloatArray
from keepclear.geometry.bodies.bounds import ball_and_box
from keepclear.geometry.shapes.extent import body_points, body_radius
from keepclear.geometry.shapes.shape import Shape
from keepclear.kernels.motion.path_length import path_lengths
from keepclear.kernels.motion.state import ROUND_UP
from keepclear.kernels.tables.motion import JOINTED, link_rows, motion_numbers, segment_rows
from keepclear.motion.motion import MOTION_TABLE, Motion, MotionRow, at_any_time, packed_slack
from keepclear.motion.packed_chain import Chain, pack_chain
from keepclear.motion.path_length import STEP_ROUNDING, WORLD_FRAME, Leg, make_leg

FINER = 8  # steps of a displacement for each step of a path length


class LinkMotion(Motion):
    """The motion of a link, or of what is fixed to it; `JointTrajectory.link` and `.relative` make it.

    Poses are those of the link in the frame it moves relative to: the world, or another link of the same robot. Then
    only the joints between both count.
    """

    __slots__ = ("_name", "_t_end")

    _name: str
    _t_end: float

    def __init__(self, knots: FloatArray, chain: Chain, hold: str, name: str) -> None:
        self._fill(_packed=pack_chain(knots, chain), _hold=hold, _name=name, _t_end=float(knots[-1]))

    @property
    def t_end(self) -> float:
        """The time of the last waypoint [s]; a link without joints that move is packed without it."""
        return self._t_end

    @property
    def name(self) -> str:
        """The name in messages."""
        return self._name

    def _never_moves(self, *_: float) -> bool:
        return bool(motion_numbers(self._packed).kind != JOINTED)

    @property
    def _label(self) -> str:
        return f"motion of {self._name!r}"

    def path_length(self, body: object, t0: float, t1: float) -> float:
        """Return a certified bound of the path length of any point of a body between two times [m].

        The path lengths follow from the travel of the joints and the distances of the body from their axes.

        Args:
            body: A shape that moves with the link, or the radius [m] of a ball around its origin that holds it.
            t0: When the path begins [s].
            t1: When it ends [s].
        """
        t0, t1 = self._check_interval(t0, t1)
        return self._leg(body, t0, t1).between(t0, t1) if t0 < t1 else 0.0

    def displacement(self, body: object, t0: float, t1: float) -> float:
        """Return a certified bound of how far any point of a body gets from where it is at t0, until t1 [m].

        Args:
            body: A shape that moves with the link, or the radius [m] of a ball around its origin that holds it.
            t0: When the body is where distances are measured from [s].
            t1: The end of the motion [s].
        """
        t0, t1 = self._check_interval(t0, t1)
        if t0 == t1:
            return 0.0
        leg = self._leg(body, t0, t1)
        times = np.unique(np.concatenate([np.linspace(t, u, FINER + 1) for t, u in _steps(leg)]))
        points, radius = body_points(body)
        X = self.pose(times)
        moved = X[:, :3] - X[0, :3]
        # Over a body, the displacement of a point is largest at points whose hull contains the body.
        away = np.array([np.sqrt(((points @ M[:, :3].T + M[:, 3]) ** 2).sum(axis=1)).max() for M in moved])
        away += 2.0 * radius
        out = np.empty((len(times) - 1, 3))
        path_lengths(WORLD_FRAME, self._packed, leg.body, times, np.array([0.0, 0.0, 1.0]), out.reshape(-1))
        reached = float((np.minimum(away[:-1], away[1:]) + out[:, 0]).max()) + self._rounding(body)
        return min(reached * ROUND_UP, leg.between(t0, t1))

    def _leg(self, body: object, t0: float, t1: float) -> Leg:
        rounding = self._rounding(body)
        if isinstance(body, Shape):
            around = ball_and_box(body)
        else:
            radius = body_radius(body)
            around = np.array([0.0, 0.0, 0.0, radius, radius, radius, radius])
        return make_leg(WORLD_FRAME, self._packed, around, [self.knots], (t0, t1), rounding, 0.0)

    def _rounding(self, body: object) -> float:
        row = motion_numbers(self._packed)
        return STEP_ROUNDING * float(row.place + row.terms * body_radius(body))

    def __repr__(self) -> str:
        return f"LinkMotion({self._name!r} from {self.t_start:.6g} to {self.t_end:.6g} s)"


def _steps(leg: Leg) -> list[tuple[float, float]]:
    return list(zip(leg.times[:-1], leg.times[1:], strict=True))


def _shifted(motion: LinkMotion, X: FloatArray) -> LinkMotion:
    """Return the motion of a frame that is fixed at X in a link: the last map of its chain is multiplied.

    Its length grows by no more than that of X, and so do bounds of the derivatives of the origin.
    """
    Q = motion._packed.copy()
    segments = segment_rows(Q)
    if motion_numbers(Q).kind != JOINTED:
        segments["p"] += segments["R"][0] @ X[:3, 3]
        segments["R"] = segments["R"][0] @ X[:3, :3]
    else:
        last = link_rows(Q)["X"][-1]
        last[:] = last @ X
        segments["fourth_p"] += segments["fourth_R"] * float(np.linalg.norm(X[:3, 3]))
    return motion._changed(_packed=Q)


MOTION_TABLE.add(
    LinkMotion,
    MotionRow(
        shift=_shifted,
        moves=at_any_time,
        slack=packed_slack,
        between=lambda motion: f"its joints move as those of {motion.name!r} between waypoints",
        samples=lambda motion: motion.knots,
        content=lambda motion: (motion.knots, motion._packed, motion.hold),
    ),
)
