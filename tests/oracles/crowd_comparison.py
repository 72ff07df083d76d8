"""Compares the events of a crowd with the truth: overlaps one by one, with the times that rounding allows."""

import itertools
import math
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from flint import fmpq
from tests.oracles.crowd_paths import Paths, as_float, exact
from tests.oracles.crowd_roots import Stretch, not_positive
from tests.oracles.crowd_truth import Box, Overlap, joined_runs, squared_gap, wall_gap

Array = np.ndarray
Event = tuple[float, int, int, str]
SAME_TIME = 1e-9  # [s]
KIND_ORDER = ("contact", "begin", "end", "wall", "possible")
Key = tuple[int, int]


class Told(NamedTuple):
    """A stretch of overlap as reported; `end` is inf where none was told."""

    begin: float
    end: float


def told_stretches(events: Sequence[Event]) -> tuple[dict[Key, list[Told]], list[str]]:
    """Pair up begins and ends (time, i, j, "begin" or "end"), and say what does not pair up."""
    found: dict[Key, list[Told]] = defaultdict(list)
    wrong = []
    for time, i, j, kind in events:
        runs = found[i, j]
        is_open = bool(runs) and math.isinf(runs[-1].end)
        if 0 <= j <= i:
            wrong.append(f"{i}, {j} at {time}: not in order of ids")
        if kind == "begin" and not is_open:
            runs.append(Told(time, math.inf))
        elif kind == "end" and is_open:
            runs[-1] = Told(runs[-1].begin, time)
        else:
            wrong.append(
                f"{i}, {j} at {time!r}: a {kind!r} where the pair is {'in' if is_open else 'out of'} contact"
            )
    return dict(found), wrong + order_faults(events)


def order_faults(events: Sequence[Event]) -> list[str]:
    """Events that come in another order than by time, kind, i and j; walls of one member in any order."""
    keys = [(t, KIND_ORDER.index(kind), i, max(j, -1)) for t, i, j, kind in events]
    return [f"event {b} comes after {a}" for a, b in itertools.pairwise(keys) if b < a]


def overlap_faults(
    events: Sequence[Event],
    truth: Sequence[Overlap],
    paths: Paths,
    radii: Array,
    tolerance: float,
    *,
    box: Box | None = None,
    same_time: float = SAME_TIME,
) -> list[str]:
    """Everything that is wrong with the events of a crowd whose members pass through each other and through walls.

    A time is right within 1e-9 s, or where the gap is below the tolerance then [m]: what a slow approach allows.
    Radii are (n,), or (intervals, n) where they change. The j of a wall is -1 less the number of the face.
    """
    told, wrong = told_stretches(events)
    true: dict[Key, list[Overlap]] = defaultdict(list)
    for o in truth:
        true[o.i, o.j if o.j >= 0 else -1 - o.face].append(o)
    for key in sorted({*told, *true}):
        case = Pair(key, paths, radii, tolerance, box, same_time)
        wrong += [f"{key}: {text}" for text in case.faults(told.get(key, []), true.get(key, []))]
    return wrong


class Pair(NamedTuple):
    """One pair of a crowd, and how exactly it is judged."""

    key: Key
    paths: Paths
    radii: Array
    tolerance: float
    box: Box | None
    same_time: float

    def faults(self, told: Sequence[Told], true: Sequence[Overlap]) -> list[str]:
        """Compare stretch by stretch; where that fails, ask what overlaps a little more or less room would give."""
        if len(told) == len(true) and all(self.is_same(t, o) for t, o in zip(told, true, strict=True)):
            return []
        surely, maybe = self.stretches(-self.tolerance), self.stretches(self.tolerance)
        last = self.paths.grid[-1]
        said = [Stretch(exact(t.begin), last if math.isinf(t.end) else exact(t.end)) for t in told]
        wrong = []
        for s in surely:
            if s.begin < s.end and not self.is_within(s, said):
                wrong.append(f"MISSED {self.words(s)}; told {list(told)}, true {[o[2:4] for o in true]}")
        for s in said:
            if not self.is_within(s, maybe):
                wrong.append(f"INVENTED {self.words(s)}; told {list(told)}, true {[o[2:4] for o in true]}")
        return wrong

    def is_same(self, t: Told, o: Overlap) -> bool:
        ends = math.isinf(t.end) if o.is_left else abs(t.end - o.end) <= self.same_time
        return abs(t.begin - o.begin) <= self.same_time and ends

    def is_within(self, s: Stretch, several: Sequence[Stretch]) -> bool:
        """Whether a stretch lies in one of several, those that are as good as one being joined."""
        slack = exact(self.same_time)
        runs: list[Stretch] = []
        for other in several:
            wide = Stretch(other.begin - slack, other.end + slack)
            if runs and wide.begin <= runs[-1].end:
                runs[-1] = Stretch(runs[-1].begin, max(wide.end, runs[-1].end))
            else:
                runs.append(wide)
        return any(run.begin <= s.begin and s.end <= run.end for run in runs)

    def stretches(self, more: float) -> list[Stretch]:
        """The overlaps if the sum of the radii were more."""
        i, j = self.key
        parts: list[Stretch] = []
        for k, (start, end) in enumerate(itertools.pairwise(self.paths.grid)):
            r = self.radii if self.radii.ndim == 1 else self.radii[k]
            if not self.paths.present[k, [i, max(j, i)]].all():
                continue
            if j >= 0:
                reach = exact(r[i]) + exact(r[j]) + exact(more)
                if reach < 0:
                    continue
                f = squared_gap(self.paths, k, i, j, reach)
            else:
                assert self.box is not None
                f = wall_gap(self.paths, k, i, -1 - j, r[i], self.box) - exact(more)
            parts += [Stretch(s.begin + start, s.end + start) for s in not_positive(f, end - start)]
        return joined_runs(parts)

    def words(self, s: Stretch) -> str:
        return f"overlap {as_float(s.begin)!r} - {as_float(s.end)!r} ({as_float(s.end - s.begin):.3g} s)"


def room(paths: Paths, *, tolerance: float = 0.0) -> float:
    """How far members may be off by rounding of positions and times, beside the tolerance."""
    x, v, a = paths.floats
    span = as_float(paths.grid[-1] - fmpq(0))
    way = float(np.abs(x).max()) + span * (float(np.abs(v).max()) + span * float(np.abs(a).max()))
    return tolerance + 1e-14 * way
