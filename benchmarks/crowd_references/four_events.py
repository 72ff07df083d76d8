"""A crowd run by the source's four events, on the tables of a `kc.Crowd`."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.crowd_references.four_event_kernels import advance_four_events
from keepclear.crowd.parts.events import event_records
from keepclear.kernels.crowd import layout as at

PROBED = (at.BALLISTIC, at.RANDOM, at.FIELD, at.COMPILED)
KINDS = ("entering", "leaving", "resetting", "colliding", "wall")


class FourEvents:
    """A crowd that has not started, taken over: it goes on from event to event as the source describes.

    Args:
        crowd: A `kc.Crowd` with a motion that kernels can probe, without gravity; elastic, or "report" without walls.
        edge: Of the finest cells [m]; a sphere belongs to the finest level whose cells are twice as wide as it.
    """

    def __init__(self, crowd: Any, edge: float) -> None:
        T = crowd._state.tables
        passes = T.S[at.RESPONSE] == at.REPORT
        if T.S[at.MOTION] not in PROBED or T.S[at.RESPONSE] == at.ASK:
            raise ValueError("the reference runs motions that kernels can probe, elastic or reported")
        if T.S[at.GRAVITY : at.GRAVITY + 3].any() or (passes and T.S[at.WALLED]):
            raise ValueError("the reference knows no gravity, and no walls that spheres pass")
        self.crowd, self.counted = crowd, np.zeros(len(KINDS), np.int64)
        T.S[at.EDGE] = edge
        T.empty_grid()

    def advance(self, until: float) -> Any:
        """Handle all events up to a time and return the contacts among them, as `Crowd.advance` does."""
        crowd, T = self.crowd, self.crowd._state.tables
        while (status := advance_four_events(T.packed(), self.counted, until)) != at.DONE:
            if status == at.GROW_PAIRS:
                T.grow_pairs()
            elif status == at.GROW_GRID:
                T.grow_grid()
            elif status == at.EVENTS_FULL:
                crowd._state.drain()
            elif status == at.NEEDS_PROBE:
                raise RuntimeError("the compiled probe failed")
        return event_records(crowd._state.take_events(), crowd.dimensions)

    @property
    def statistics(self) -> dict[str, int]:
        """How many events of each kind there were, and what the tables count besides."""
        own = dict(zip(KINDS, self.counted.tolist(), strict=True))
        C = self.crowd._state.tables.C
        return own | {
            "contacts": int(C[at.CONTACT_COUNT]),
            "wall contacts": int(C[at.WALL_COUNT]),
            "probes": int(C[at.PROBES]),
            "roots": int(C[at.ROOTS]),
        }
