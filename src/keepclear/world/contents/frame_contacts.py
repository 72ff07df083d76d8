"""The near pairs of a frame: the result of `World.contacts`."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, IntArray, read_only
from keepclear.kernels.convex import gjk
from keepclear.results import Verdict

__all__ = ["FrameContacts"]

Pair = tuple[str, str]


class Pairs:
    """Pairs of items, each with the smaller number first: their names, and sorted keys i n + j, (k,)."""

    __slots__ = ("keys", "names")

    def __init__(self, names: npt.NDArray[np.object_], keys: IntArray) -> None:
        self.names, self.keys = names, keys

    def without(self, other: Pairs) -> tuple[Pair, ...]:
        """Return the sorted names of the pairs that are not in another set of pairs."""
        if other.names is self.names:
            i, j = divmod(np.setdiff1d(self.keys, other.keys, assume_unique=True), max(1, len(self.names)))
            return tuple(zip(self.names[i].tolist(), self.names[j].tolist(), strict=True))
        known = set(other.named())
        return tuple(pair for pair in self.named() if pair not in known)

    def named(self) -> list[Pair]:
        """Return the names of all pairs."""
        i, j = divmod(self.keys, max(1, len(self.names)))
        return list(zip(self.names[i].tolist(), self.names[j].tolist(), strict=True))


class FrameContacts:
    """The near pairs of a frame, as arrays with a row for each pair of objects or links, in the order of their names.

    `len(f)` is the number of pairs. Names and pairs are created when they are read.
    """

    __slots__ = ("_i", "_j", "_last", "_margin", "_names", "_near", "_rows", "_time", "_verdict")

    def __init__(
        self,
        names: npt.NDArray[np.object_],
        items: tuple[IntArray, IntArray],
        rows: FloatArray,
        margin: FloatArray,
        near: tuple[Pairs, Pairs],
        between: tuple[npt.NDArray[np.object_], FloatArray] | None,
    ) -> None:
        self._names, (self._i, self._j), self._rows, self._margin = names, items, rows, margin
        self._near, self._last = near
        self._verdict = None if between is None else between[0]
        self._time = None if between is None else between[1]

    @property
    def a(self) -> npt.NDArray[np.object_]:
        """The names of the first of each pair, (k,)."""
        return np.asarray(self._names[self._i])

    @property
    def b(self) -> npt.NDArray[np.object_]:
        """The names of the second of each pair, (k,)."""
        return np.asarray(self._names[self._j])

    @property
    def distance(self) -> FloatArray:
        """Signed distances, (k,) [m]: 0 in contact of meshes, minus the depth where convex bodies overlap."""
        return read_only(self._rows[:, gjk.DISTANCE])

    @property
    def lower(self) -> FloatArray:
        """Certified lower bounds of the distances, (k,) [m]: never above the truth, rounding included."""
        return read_only(self._rows[:, gjk.LOWER])

    @property
    def upper(self) -> FloatArray:
        """Certified upper bounds of the distances, (k,) [m]."""
        return read_only(self._rows[:, gjk.UPPER])

    @property
    def margin(self) -> FloatArray:
        """The margins of the pairs, (k,) [m], from `set_margin`; 0 where none was set."""
        return read_only(self._margin)

    @property
    def p_WA(self) -> FloatArray:
        """The points of A closest to B, (k, 3), in the world [m]."""
        return read_only(self._rows[:, gjk.POINT_A : gjk.POINT_A + 3])

    @property
    def p_WB(self) -> FloatArray:
        """The points of B closest to A, (k, 3), in the world [m]."""
        return read_only(self._rows[:, gjk.POINT_B : gjk.POINT_B + 3])

    @property
    def normal_W(self) -> FloatArray:
        """Unit vectors from A to B, (k, 3); NaN where meshes are in contact."""
        return read_only(self._rows[:, gjk.NORMAL : gjk.NORMAL + 3])

    @property
    def state(self) -> npt.NDArray[np.int8]:
        """`kc.State` of each pair as integers, (k,): SEPARATE, TOUCHING, INTERFERING or CONTAINED."""
        return self._rows[:, gjk.STATE].astype(np.int8)

    @property
    def began(self) -> tuple[Pair, ...]:
        """The pairs (name, name) that are near now and were not in the last call."""
        return self._near.without(self._last)

    @property
    def ended(self) -> tuple[Pair, ...]:
        """The pairs (name, name) that were near in the last call and are no longer near, or no longer checked."""
        return self._last.without(self._near)

    @property
    def verdict(self) -> npt.NDArray[np.object_]:
        """With between=True: `kc.Verdict` of each pair since the last call, (k,)."""
        return np.asarray(self._asked(self._verdict, "verdict"))

    @property
    def time(self) -> FloatArray:
        """With between=True: when pairs first touched, (k,), 0 in the last frame and 1 now; nan unless COLLIDING."""
        return np.asarray(self._asked(self._time, "time"))

    def __len__(self) -> int:
        return len(self._rows)

    def __repr__(self) -> str:
        words = f"{len(self)} pairs" if len(self) != 1 else "1 pair"
        if len(self):
            k = int(self._rows[:, gjk.DISTANCE].argmin())
            words += f", closest {self.a[k]!r} and {self.b[k]!r} at {self._rows[k, gjk.DISTANCE]:.6g} m"
        if self._verdict is not None:
            words += f", {int(np.count_nonzero(self._verdict == Verdict.COLLIDING))} in contact since the last call"
        return f"FrameContacts({words})"

    def _asked(self, value: Any, name: str) -> Any:
        if value is None:
            raise AttributeError(
                f"{name} describes the time since the last call: use world.contacts(between=True)."
            )
        return read_only(value)
