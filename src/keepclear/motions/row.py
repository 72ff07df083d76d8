"""What the library has to know about a kind of motion: the columns of its table of kinds.

How a motion is packed, and when it rests, are methods of its class (`motion.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.kinds import MOTIONS, Table

if TYPE_CHECKING:
    from keepclear.motions.motion import Motion

NO_TIMES: FloatArray = np.empty(0)


class Moves(NamedTuple):
    """When a body moves.

    Attributes:
        times: (n + 1,) ends of segments [s].
        moving: (n,) whether it may move in them; it rests before the first and after the last.
        path: A key that is equal for bodies that keep their relative pose while they move.
    """

    times: FloatArray
    moving: npt.NDArray[np.bool_]
    path: tuple[object, ...]


NEVER = Moves(NO_TIMES, np.empty(0, np.bool_), ())


@dataclass(frozen=True, slots=True, kw_only=True)
class MotionRow:
    """One kind of motion. No column has a default: a kind that does not say something raises where it is defined.

    Attributes:
        shift: Returns the motion of a frame that is fixed at a pose (4, 4) in the moving one, without its rounding.
        moves: Returns when it moves; None: it may move at any time, in no frame but its own.
        slack: Returns how far points of a body up to an extent [m] may be from their positions by the nearest rigid
            poses, and overwrites poses (n, 4, 4) by those [m].
        between: Returns what is assumed between samples, in words; "" for a body at rest.
        samples: Returns the times of its samples, by which hints name an instant; none without samples [s].
        content: Returns the values that results in a store depend on; None: they are not stored.
    """

    shift: Callable[[Any, FloatArray], Motion]
    moves: Callable[[Any], Moves | None]
    slack: Callable[[Any, FloatArray, float], float]
    between: Callable[[Any], str]
    samples: Callable[[Any], FloatArray]
    content: Callable[[Any], tuple[object, ...]] | None


MOTION_TABLE: Table[MotionRow] = Table(MOTIONS)
"""The rows of all kinds, each beside its class."""


def at_any_time(_: object) -> None:
    """Return None: a body may move at any time."""


def no_samples(_: object) -> FloatArray:
    """Return no times."""
    return NO_TIMES
