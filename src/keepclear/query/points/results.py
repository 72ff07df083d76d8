"""Results of queries about moving points."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

__all__ = ["PointContact"]


@dataclass(frozen=True, slots=True, eq=False)
class PointContact:
    """Whether and when moving points make contact: for one query numbers, for n queries arrays (n,).

    Attributes:
        colliding: Whether there is contact in [0, 1]. False is proved, always.
        time: The start of the bracket, `t_lo`; nan where there is no contact.
        t_lo: No contact before this instant; 1 where there is none at all.
        t_hi: Contact is proved between `t_lo` and `t_hi`; equal to `t_lo` where only a distance of margin + tolerance
            or less is proved, and 1 where nothing is.
        undecided: Whether `colliding` is True only because nothing could be proved before the budget ended.
        margin: Distance that counts as contact [m].
        tolerance: Distance beyond the margin that may count as contact [m].
        exact: Whether every answer is that of exact arithmetic, so that `tolerance` only limits the bracket.
    """

    colliding: Any
    time: Any
    t_lo: Any
    t_hi: Any
    undecided: Any
    margin: float
    tolerance: float
    exact: bool

    @property
    def safe(self) -> str:
        """The guarantee of the results, in words."""
        if self.exact:
            return "no contact is missed, and no false contact is reported: decided in exact arithmetic"
        return (
            f"no contact is missed; a minimum distance of up to {self.tolerance:g} m more than {self.margin:g} m may "
            "count as contact"
        )

    def __len__(self) -> int:
        if np.ndim(self.time) == 0:
            raise TypeError("this PointContact answers one query, so it has no length; a batch has.")
        return len(self.time)

    def __bool__(self) -> bool:
        raise TypeError("a PointContact has no truth value; read .colliding.")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PointContact):
            return NotImplemented
        return all(
            np.array_equal(getattr(self, name), getattr(other, name), equal_nan=name == "time")
            for name in (field.name for field in fields(self))
        )

    def __hash__(self) -> int:
        return hash(
            # harmless (self.margin): a hash may be the same for results that differ
            (np.asarray(self.t_lo).tobytes(), np.asarray(self.t_hi).tobytes(), self.margin, self.tolerance)
        )

    def __repr__(self) -> str:
        if np.ndim(self.time) == 0:
            found = f"contact between {self.t_lo:.9g} and {self.t_hi:.9g}" if self.colliding else "no contact"
            return f"PointContact({'undecided, ' if self.undecided else ''}{found})"
        text = f"PointContact({len(self.time)} queries, {int(np.sum(self.colliding))} colliding"
        return (
            f"{text}, {int(np.sum(self.undecided))} of these undecided)"
            if np.any(self.undecided)
            else f"{text})"
        )
