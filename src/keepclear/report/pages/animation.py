"""A recording of a crowd, for a page that shows it in motion."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, checked_number
from keepclear.crowd.crowd import Crowd
from keepclear.crowd.parts.events import event_records
from keepclear.crowd.parts.member_arrays import LONGEST_TIME
from keepclear.errors import ArgumentError, CopyError
from keepclear.exclusive import one_thread
from keepclear.kernels.crowd import layout as at

__all__ = ["CrowdAnimation"]

RATE, LEAST_RATE = 30.0, 8.0
"""Default frames per second, and the rate below which bounds are omitted before more frames are."""

MOST_NUMBERS = 16_000_000
"""Greatest number of coordinates in all frames of a page; each takes about one byte in the file."""

MOST_FRAMES = 10_000_000
"""Greatest number of frames of one call that nothing can end earlier."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """The state of members at an instant: ids (k,), centres (k, d), and bounds if they are recorded."""

    time: float
    ids: npt.NDArray[np.int64]
    x: npt.NDArray[np.float32]
    bound_x: npt.NDArray[np.float32] | None
    bound_radii: npt.NDArray[np.float32] | None


class CrowdAnimation:
    """A crowd and its recorded states over time, for a page that shows it in motion.

    Args:
        crowd: The crowd; the animation advances it and does not copy it. Between calls of `advance` it may be observed
            and changed.
        until: Advance to this time at once [s]; None: later, by `advance`.
        rate: Frames per second; by default 30, fewer for crowds that are too large for a page.
        bounds: Whether to record the bounds of the members. None: if they grow, and a page can hold them.

    Attributes:
        crowd: The crowd.
        rate: Frames per second.
        frames: The recording, a `Frame` for each instant.
        cpu_seconds: Processor time of the crowd itself, without the recording [s].

    Examples:
        >>> crowd = Crowd([[0, 0], [9, 0]], [[1, 0], [-1, 0]], 1.0, max_accelerations=0.0)
        >>> animation = CrowdAnimation(crowd, until=4.0, rate=10)
        >>> len(animation.frames), animation.events.kind.tolist()
        (41, ['possible'])
        >>> page = animation.to_html(title="Two walkers")
    """

    _user = 0  # the thread that uses the animation, see `keepclear.exclusive`

    def __init__(
        self,
        crowd: Crowd,
        until: float | None = None,
        *,
        rate: float | None = None,
        bounds: bool | None = None,
    ) -> None:
        if not isinstance(crowd, Crowd):
            raise ArgumentError(f"CrowdAnimation takes a kc.Crowd, but this is a {type(crowd).__name__}.")
        duration = 1.0 if until is None else max(_end(until) - crowd.time, 0.0)
        if bounds is None and not (crowd.bounds_at(crowd.time + 1.0)[1] > crowd.radii).any():
            bounds = False
        usual, bounded = usual_rate(len(crowd), crowd.dimensions, duration, bounds)
        self.crowd = crowd
        self.rate = usual if rate is None else checked_number("rate", rate, 1e-9, 1e9)
        self.has_bounds = bounded
        self.frames: list[Frame] = []
        self.cpu_seconds = 0.0
        self._radii: dict[int, float] = {}
        self._known: tuple[npt.NDArray[np.int64], FloatArray] = (np.zeros(0, np.int64), np.zeros(0))
        self._events: list[Any] = []
        self._start = crowd.time
        self._record()
        if until is not None:
            self.advance(until)

    def __reduce__(self) -> NoReturn:
        raise CopyError(
            "a CrowdAnimation cannot be copied or pickled: it advances its crowd; record a copy of the crowd, "
            "kc.CrowdAnimation(crowd.copy())."
        )

    @property
    @one_thread
    def events(self) -> np.recarray[Any, Any]:
        """All events so far, as `Crowd.advance` returns them."""
        if not self._events:
            return event_records(np.zeros((0, at.E_COLUMNS)), self.crowd.dimensions)
        joined = np.concatenate(self._events)
        self._events = [joined]
        return joined.view(np.recarray)

    @property
    def times(self) -> FloatArray:
        """The times of the frames (m,) [s]."""
        return np.array([frame.time for frame in self.frames])

    @property
    def radii(self) -> dict[int, float]:
        """The last radius of every present or past member, by id [m]."""
        return dict(self._radii)

    @one_thread
    def advance(
        self, until: float, on_frame: Callable[[float], bool | None] | None = None
    ) -> np.recarray[Any, Any]:
        """Advance the crowd and record frames; return the events of this call.

        Args:
            until: When to end [s].
            on_frame: Called with the time after each frame; if it returns True, recording ends.
        """
        end, first = _end(until), len(self._events)
        frames = (end - self.crowd.time) * self.rate
        if frames > MOST_FRAMES and on_frame is None:
            raise ArgumentError(
                f"crowd: until = {end:g} s would record {frames:.3g} frames, more than {MOST_FRAMES}; give an earlier "
                "time, or a lower rate."
            )
        while self.crowd.time < end:
            number = round((self.crowd.time - self._start) * self.rate, 6) // 1 + 1
            instant = self._start + number / self.rate
            begun = time.process_time()
            self._events.append(self.crowd.advance(instant if instant < end - 1e-6 / self.rate else end))
            self.cpu_seconds += time.process_time() - begun
            self._record()
            if on_frame is not None and on_frame(self.crowd.time):
                break
        else:
            self._events.append(self.crowd.advance(end))  # raises if `until` is in the past
        seen = np.concatenate(self._events[first:])
        self._events[first:] = [seen]
        return seen.view(np.recarray)

    @one_thread
    def to_html(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        title: str = "",
        bounds: bool = False,
        facts: Mapping[str, str] | None = None,
        names: Sequence[object] | None = None,
    ) -> str:
        """Return one self-contained web page that shows the crowd in motion; write it to a file if a path is given.

        Args:
            path: Where to write it.
            title: Title of the page; by default the number of members.
            bounds: Whether to draw the bounds at first; a button on the page shows and hides them.
            facts: Further facts for the page, by name.
            names: Names of members by id; by default their ids.
        """
        from keepclear.report.json_file import written
        from keepclear.report.pages.crowd_page import crowd_page_text

        return written(crowd_page_text(self, title, bounds, dict(facts or {}), names), path)

    def _record(self) -> None:
        crowd, ids = self.crowd, self.crowd.ids
        x, r = crowd.positions(), crowd.radii
        bound_x = bound_r = None
        if self.has_bounds:
            bound_x, bound_r = (part.astype(np.float32) for part in crowd.bounds_at())
        there = ~np.isnan(x[:, 0])
        if bound_x is not None and bound_r is not None:
            unknown = np.isnan(bound_x[:, 0])
            bound_x[unknown], bound_r[unknown] = x[unknown], r[unknown]
        if self.frames and self.frames[-1].time >= crowd.time - 1e-6 / self.rate:
            self.frames.pop()  # a later sample of the same instant
        if not (np.array_equal(ids, self._known[0]) and np.array_equal(r, self._known[1])):
            self._radii.update(zip(ids.tolist(), r.tolist(), strict=True))
            self._known = ids, r
        self.frames.append(
            Frame(
                crowd.time,
                ids[there],
                x[there].astype(np.float32),
                None if bound_x is None else bound_x[there],
                None if bound_r is None else bound_r[there],
            )
        )


def usual_rate(n: int, dimensions: int, duration: float, bounds: bool | None) -> tuple[float, bool]:
    """Return how many frames per second of n members a page can hold, and whether it can hold their bounds."""
    affordable = MOST_NUMBERS / max(n * duration, 1e-9)
    with_bounds = min(RATE, affordable / (2 * dimensions + 1))
    if bounds or (bounds is None and with_bounds >= LEAST_RATE):
        return max(with_bounds, 1.0 / max(duration, 1.0)), True
    return max(min(RATE, affordable / dimensions), 1.0 / max(duration, 1.0)), False


def _end(until: object) -> float:
    return checked_number("until", until, -LONGEST_TIME, LONGEST_TIME)
