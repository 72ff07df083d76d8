"""What a crowd reports, held against the truth: overlaps one by one, with the times that rounding allows."""

import itertools
import math
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from tests.oracles.crowd_paths import Paths
from tests.oracles.crowd_truth import Overlap, depth

Array = np.ndarray
SAME_TIME = 1e-9  # [s]
Key = tuple[int, int]


class Told(NamedTuple):
    """A stretch of overlap as reported; `end` is inf where none was told."""

    begin: float
    end: float


def told_stretches(events: Sequence[tuple[float, int, int, str]]) -> tuple[dict[Key, list[Told]], list[str]]:
    """Pair up begins and ends (time, i, j, "begin" or "end"), and say what does not pair up."""
    found: dict[Key, list[Told]] = defaultdict(list)
    wrong = []
    for time, i, j, kind in events:
        runs = found[i, j]
        is_open = bool(runs) and math.isinf(runs[-1].end)
        if i >= j:
            wrong.append(f"{i}, {j} at {time}: not in order of ids")
        if kind == "begin" and not is_open:
            runs.append(Told(time, math.inf))
        elif kind == "end" and is_open:
            runs[-1] = Told(runs[-1].begin, time)
        else:
            wrong.append(
                f"{i}, {j} at {time!r}: a {kind!r} where the pair is {'in' if is_open else 'out of'} contact"
            )
    times = [event[0] for event in events]
    wrong += [f"event at {b!r} comes after {a!r}" for a, b in itertools.pairwise(times) if b < a]
    return dict(found), wrong


def overlap_faults(
    events: Sequence[tuple[float, int, int, str]],
    truth: Sequence[Overlap],
    paths: Paths,
    radii: Array,
    tolerance: float,
) -> list[str]:
    """Everything that is wrong with the events of a crowd whose members pass through each other.

    A time is right within 1e-9 s, or where the gap is below the tolerance then [m]: what a slow approach allows.
    """
    told, wrong = told_stretches(events)
    true: dict[Key, list[Overlap]] = defaultdict(list)
    for o in truth:
        true[o.i, o.j].append(o)
    for key in sorted({*told, *true}):
        case = Pair(key, paths, radii, tolerance)
        wrong += [f"{key}: {text}" for text in case.faults(told.get(key, []), true.get(key, []))]
    return wrong


class Pair(NamedTuple):
    """One pair of a crowd, and how exactly it is judged."""

    key: Key
    paths: Paths
    radii: Array
    tolerance: float

    @property
    def reach(self) -> float:
        return float(self.radii[self.key[0]] + self.radii[self.key[1]])

    def is_touching(self, t: float) -> bool:
        """Whether the pair is in contact within the tolerance at a time, neither deep nor apart."""
        return abs(self.paths.gap(*self.key, self.reach, t)) <= self.tolerance

    def is_same(self, said: float, true: float) -> bool:
        return abs(said - true) <= SAME_TIME or self.is_touching(said)

    def faults(self, told: Sequence[Told], true: Sequence[Overlap]) -> list[str]:
        left, wrong = list(told), []
        for o in true:
            match = next((t for t in left if self.is_same(t.begin, o.begin) and self.meets(t, o)), None)
            if match is None:
                if not self.is_graze(o):
                    wrong.append(f"MISSED overlap {o.begin!r} - {o.end!r}; told {list(told)}")
                continue
            left.remove(match)
            wrong += self.end_faults(match, o)
        for t in left:
            if not (
                self.is_touching(t.begin) and (self.is_touching(t.end) if math.isfinite(t.end) else False)
            ):
                gap = self.paths.gap(*self.key, self.reach, t.begin)
                wrong.append(
                    f"INVENTED overlap {t.begin!r} - {t.end!r}, the gap is {gap}; true {[o[2:4] for o in true]}"
                )
        return wrong

    def meets(self, t: Told, o: Overlap) -> bool:
        """Whether two stretches have an instant in common, or nearly."""
        return t.begin <= o.end + SAME_TIME and (t.end >= o.begin - SAME_TIME)

    def is_graze(self, o: Overlap) -> bool:
        """Whether members touch, but are nowhere deeper in each other than rounding of their positions."""
        x, _, _ = self.paths.floats
        return o.is_instant or depth(self.paths, self.radii, o) <= 1e-14 * float(np.abs(x).max())

    def end_faults(self, t: Told, o: Overlap) -> list[str]:
        if o.is_left:
            late = math.isinf(t.end) or self.is_same(t.end, o.end)
            return [] if late else [f"ended at {t.end!r}, but is still on at {o.end!r}"]
        if math.isinf(t.end):
            return [f"no end was told, it is {o.end!r}"]
        return [] if self.is_same(t.end, o.end) else [f"ended at {t.end!r}, but the truth is {o.end!r}"]
