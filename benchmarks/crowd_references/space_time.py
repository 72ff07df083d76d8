"""A crowd run by Hubbard's space-time bounds, on the tables of a `kc.Crowd`."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.crowd_references.space_time_kernels import LISTED, advance_space_time
from keepclear.crowd.parts.events import event_records
from keepclear.kernels.crowd import layout as at

KINDS = ("built", "swapped", "bounds", "horns", "wall")
FACTOR = 8.0


class SpaceTime:
    """An elastic crowd that has not started, taken over: all its bounds are built again at each collision.

    Args:
        crowd: A `kc.Crowd` with a built-in motion.
        factor: The interval that bounds are built for, in mean times between collisions.
        is_anew: Find the pairs whose boxes overlap anew whenever bounds are built, instead of keeping them.
    """

    def __init__(self, crowd: Any, factor: float = FACTOR, *, is_anew: bool = False) -> None:
        T = crowd._state.tables
        if T.S[at.MOTION] not in (at.BALLISTIC, at.RANDOM, at.FIELD) or T.S[at.RESPONSE] != at.ELASTIC:
            raise ValueError("the reference runs built-in motions with elastic impacts")
        n = len(T.F)
        self.crowd, self.options = crowd, (factor, is_anew)
        self.counted = np.zeros(len(KINDS) + 1, np.int64)
        self.counted[LISTED] = -1  # pairs whose boxes overlap: not known yet
        order = np.tile(np.arange(2 * n), (3, 1))
        heap = np.zeros(6 * n), np.full((6 * n, 2), -1, np.int64), np.zeros(at.C_SIZE, np.int64)
        faces = np.zeros((3, 2 * n)), np.zeros((3, 2 * n))
        self._own = (
            *faces,
            order,
            np.zeros(n, np.int64),
            *heap,
            self.counted,
            np.array([1e-3]),
            np.zeros((8 * n + 64, 2), np.int64),
        )

    def advance(self, until: float) -> Any:
        """Handle all collisions up to a time and return the contacts among them, as `Crowd.advance` does."""
        crowd, T = self.crowd, self.crowd._state.tables
        while (status := advance_space_time(T.packed(), *self._own, until, *self.options)) != at.DONE:
            if status == at.EVENTS_FULL:
                crowd._state.drain()
            elif status == at.GROW_PAIRS:
                self._own = (*self._own[:-1], np.zeros((2 * len(self._own[-1]), 2), np.int64))
        return event_records(crowd._state.take_events(), crowd.dimensions)

    @property
    def statistics(self) -> dict[str, int]:
        """How often bounds were built, faces swapped, and collisions of each kind handled."""
        return dict(zip(KINDS, self.counted[:LISTED].tolist(), strict=True))
