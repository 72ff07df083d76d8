"""What the library answers: verdicts, states, and results that are frozen, printable and comparable."""

from __future__ import annotations

import enum
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["Distance", "State", "Verdict"]

FloatArray = npt.NDArray[np.float64]


class Verdict(enum.Enum):
    """What is known about a pair over an interval of time; nothing ever rounds UNDECIDED to CLEAR."""

    CLEAR = "CLEAR"
    COLLIDING = "COLLIDING"
    UNDECIDED = "UNDECIDED"


class State(enum.IntEnum):
    """How two bodies lie at one instant; touching is contact."""

    SEPARATE = 0
    TOUCHING = 1
    INTERFERING = 2
    CONTAINED = 3


class Distance:
    """The closest points of two bodies at one instant, or at n instants (then every field has n first).

    Attributes are computed from one row of numbers when they are read, because a query takes less time than
    building an object of twelve fields would.
    """

    __slots__ = ("_rows",)

    _rows: FloatArray

    def __init__(self, rows: FloatArray) -> None:
        self._rows = rows

    def _column(self, k: int) -> Any:
        return self._rows[k].item() if self._rows.ndim == 1 else _read_only(self._rows[:, k])

    @property
    def distance(self) -> Any:
        """Signed distance [m]: positive apart, 0 touching, minus the penetration depth when they overlap."""
        return self._column(0)

    @property
    def lower(self) -> Any:
        """Certified lower bound of the signed distance [m]: never above the truth, rounding included."""
        return self._column(1)

    @property
    def upper(self) -> Any:
        """Certified upper bound of the signed distance [m]: never below the truth, rounding included."""
        return self._column(2)

    @property
    def p_WA(self) -> FloatArray:
        """The closest point of A, (3,), in the world [m]; the deepest one when the bodies overlap."""
        return _read_only(self._rows[..., 3:6])

    @property
    def p_WB(self) -> FloatArray:
        """The closest point of B, (3,), in the world [m]: p_WA + distance * normal_W."""
        return _read_only(self._rows[..., 6:9])

    @property
    def normal_W(self) -> FloatArray:
        """Unit vector, (3,), from A to B; moving B along it parts them fastest."""
        return _read_only(self._rows[..., 9:12])

    @property
    def state(self) -> Any:
        """`State`: separate (proved), touching (zero to rounding) or interfering; a batch gives integers."""
        column = self._column(13)
        return State(int(column)) if self._rows.ndim == 1 else column.astype(np.int8)

    @property
    def colliding(self) -> Any:
        """Whether the bodies touch or overlap; False is proved."""
        apart = self._column(1) > 0.0
        return not apart if self._rows.ndim == 1 else ~apart

    @property
    def iterations(self) -> Any:
        """How many iterations the search took."""
        column = self._column(12)
        return int(column) if self._rows.ndim == 1 else column.astype(np.int64)

    def __len__(self) -> int:
        if self._rows.ndim == 1:
            raise TypeError("this Distance answers one pair of poses, so it has no length; a batch has.")
        return len(self._rows)

    def __bool__(self) -> bool:
        raise TypeError(
            "a Distance is neither true nor false; ask for .colliding, or compare .lower with a margin."
        )

    def __getitem__(self, index: Any) -> Distance:
        if self._rows.ndim == 1:
            raise TypeError("this Distance answers one pair of poses, so it has no items; a batch has.")
        return Distance(self._rows[index])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Distance):
            return NotImplemented
        return np.array_equal(self._rows[..., :14], other._rows[..., :14])

    def __hash__(self) -> int:
        return hash((self._rows[..., :14] + 0.0).tobytes())  # -0.0 equals 0.0

    def __reduce__(self) -> tuple[Any, ...]:
        return Distance, (self._rows[..., :16].copy(),)

    def __repr__(self) -> str:
        if self._rows.ndim == 2:
            n = len(self._rows)
            if n == 0:
                return "Distance(0 pairs of poses)"
            return (
                f"Distance({n} pairs of poses, smallest distance {self.distance.min():.6g} m, "
                f"{int(np.sum(self.colliding))} colliding)"
            )
        a, b = ("({:.6g}, {:.6g}, {:.6g})".format(*p) for p in (self.p_WA, self.p_WB))
        return (
            f"Distance({self.state.name}, {self.distance + 0.0:.9g} m, lower {self.lower:.9g} m, "
            f"upper {self.upper:.9g} m, p_WA = {a}, p_WB = {b})"
        )


def _read_only(view: FloatArray) -> FloatArray:
    view.flags.writeable = False
    return view
