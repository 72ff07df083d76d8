"""When members of a crowd overlap each other or a wall: all pairs, all intervals, exact roots."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from flint import fmpq, fmpq_poly
from tests.oracles.crowd_paths import Paths, as_float, exact
from tests.oracles.crowd_roots import Stretch, not_positive

Array = np.ndarray
WALL = -1
Box = tuple[Array, Array]


class Overlap(NamedTuple):
    """A time from the first to the last instant of contact of two members, or of one with a face of the box (j = -1).

    `is_begun`: it began before the paths did; `is_left`: it was still on when they (or a member) came to an end.
    """

    i: int
    j: int
    begin: float
    end: float
    face: int = -1
    is_begun: bool = False
    is_left: bool = False
    exact_begin: fmpq = fmpq(0)
    exact_end: fmpq = fmpq(0)

    @property
    def is_instant(self) -> bool:
        """Whether the two only graze each other."""
        return bool(self.exact_begin == self.exact_end)


def squared_gap(paths: Paths, k: int, i: int, j: int, reach: fmpq) -> fmpq_poly:
    """Squared distance of two centres less the squared reach, over the time since the start of interval k."""
    total = fmpq_poly([-reach * reach])
    for c in range(paths.x.shape[2]):
        d = fmpq_poly(
            [p[k, j, c] - p[k, i, c] for p in (paths.x, paths.v)]
            + [(paths.a[k, j, c] - paths.a[k, i, c]) / 2]
        )
        total += d * d
    return total


def wall_gap(paths: Paths, k: int, i: int, face: int, r: float, box: Box) -> fmpq_poly:
    """How far a member is from a face of the box (0, 1: lower and upper in x, and so on), over time in interval k."""
    c, upper = divmod(face, 2)
    way = fmpq_poly([paths.x[k, i, c], paths.v[k, i, c], paths.a[k, i, c] / 2])
    limit = exact(box[upper][c])
    return (limit - way if upper else way - limit) - exact(r)


def near_pairs(paths: Paths, k: int, radii: Array) -> list[tuple[int, int]]:
    """The pairs that may touch in an interval: near in its middle, for all they can move until its ends."""
    x, v, a = (y[k] for y in paths.floats)
    h = 0.5 * paths.spans[k]
    i, j = np.array(list(combinations(range(paths.n), 2)), dtype=int).reshape(-1, 2).T
    d, dv, da = (np.linalg.norm(y[j] - y[i], axis=1) for y in (x, v, a))
    reach = radii[i] + radii[j] + dv * h + 0.5 * da * h * h
    near = (
        (d <= reach * (1.0 + 1e-9) + 1e-9 * (1.0 + np.abs(x).max()))
        & paths.present[k, i]
        & paths.present[k, j]
    )
    return list(zip(i[near].tolist(), j[near].tolist(), strict=True))


def near_faces(paths: Paths, k: int, radii: Array, box: Box) -> Iterator[tuple[int, int]]:
    """The members and faces that may touch in an interval."""
    x, v, a = (y[k] for y in paths.floats)
    h = 0.5 * paths.spans[k]
    reach = (
        radii[:, None]
        + (np.abs(v) * h + 0.5 * np.abs(a) * h * h) * (1.0 + 1e-9)
        + 1e-9 * (1.0 + np.abs(x).max())
    )
    for upper, gap in enumerate((x - box[0], box[1] - x)):
        for i, c in zip(*np.nonzero((gap <= reach) & paths.present[k][:, None]), strict=True):
            yield int(i), 2 * int(c) + upper


def stretches(
    paths: Paths, k: int, radii: Array, box: Box | None
) -> Iterator[tuple[tuple[int, int, int], Stretch]]:
    """Contacts in interval k: (i, j, face) and the times, in absolute time."""
    start, length = paths.grid[k], paths.grid[k + 1] - paths.grid[k]
    for i, j in near_pairs(paths, k, radii):
        reach = exact(radii[i]) + exact(radii[j])
        for s in not_positive(squared_gap(paths, k, i, j, reach), length):
            yield (i, j, -1), Stretch(s.begin + start, s.end + start)
    if box is not None:
        for i, face in near_faces(paths, k, radii, box):
            for s in not_positive(wall_gap(paths, k, i, face, radii[i], box), length):
                yield (i, WALL, face), Stretch(s.begin + start, s.end + start)


def overlaps(paths: Paths, radii: Array, box: Box | None = None) -> list[Overlap]:
    """Every overlap of the paths, by begin; radii (n,), or (intervals, n) where they change."""
    parts: dict[tuple[int, int, int], list[Stretch]] = {}
    for k in range(len(paths.grid) - 1):
        for key, new in stretches(paths, k, radii if radii.ndim == 1 else radii[k], box):
            parts.setdefault(key, []).append(new)
    found = [overlap(paths, key, run) for key, several in parts.items() for run in joined_runs(several)]
    return sorted(found, key=lambda o: (o.exact_begin, o.i, o.j))


def joined_runs(parts: Sequence[Stretch]) -> list[Stretch]:
    """Stretches in order of time, those that touch made one."""
    runs: list[Stretch] = []
    for new in parts:
        if runs and runs[-1].end >= new.begin:
            runs[-1] = Stretch(runs[-1].begin, new.end)
        else:
            runs.append(new)
    return runs


def overlap(paths: Paths, key: tuple[int, int, int], run: Stretch) -> Overlap:
    """An overlap with what is known about its ends."""
    i, j, face = key
    return Overlap(
        i,
        j,
        as_float(run.begin),
        as_float(run.end),
        face,
        is_begun=bool(run.begin == paths.grid[0]),
        is_left=bool(run.end == paths.grid[-1]),
        exact_begin=run.begin,
        exact_end=run.end,
    )
