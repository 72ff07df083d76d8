"""The verdict over one pair of a world: cheap bounds first, exact shapes only where they are needed."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from keepclear.checks import FloatArray
from keepclear.continuous.clearance import least_below
from keepclear.continuous.first_contact import answer_query
from keepclear.continuous.query import Query, checked_query
from keepclear.continuous.results import FirstContact
from keepclear.results import Verdict
from keepclear.scene.hulls import Tasks
from keepclear.scene.scene import Scene
from keepclear.scene.timeline import Seen, Timeline, part_of
from keepclear.world.look import look_at

# A window in which the least distance is searched is looked at in at most so many parts, most of which hulls rule out.
PARTS = 24


class PairTask(NamedTuple):
    """A question about two parts (item, part), for a window of time in which their boxes come close.

    `hint` is a time at which they are likely to be near each other; `apart` says that they are proved apart just
    before t0.
    """

    pair: int
    a: tuple[int, int]
    b: tuple[int, int]
    t0: float
    t1: float
    margin: float
    hint: float = math.nan
    apart: bool = False


@dataclass(slots=True)
class PairFinding:
    """What exact shapes say about a pair.

    Attributes:
        verdict: CLEAR unless something else was found.
        contact: Its first contact in the frame of `seen`, None where there is none.
        seen: The motions that `contact` is about.
        which: The parts that touch.
        evaluations: How many distances it took.
        left: The window of time that is undecided [s].
    """

    verdict: Verdict = Verdict.CLEAR
    contact: FirstContact | None = None
    seen: Seen | None = None
    which: tuple[tuple[int, int], tuple[int, int]] | None = None
    evaluations: int = 0
    left: tuple[float, float] = (math.inf, -math.inf)

    def add(self, earlier: PairFinding) -> None:
        """Add what was found about earlier times: no contact."""
        self.evaluations += earlier.evaluations
        self.left = min(self.left[0], earlier.left[0]), max(self.left[1], earlier.left[1])
        if self.verdict is Verdict.CLEAR:
            self.verdict = earlier.verdict


def check_pair(
    tasks: Sequence[PairTask],
    timeline: Timeline,
    tolerance: float,
    budget: int | None,
    limit: float = math.inf,
) -> PairFinding:
    """Return the verdict over the tasks of one pair, with exact shapes: the first contact of any two parts.

    Nobody asks about what comes after `limit` [s].
    """
    finding = PairFinding()
    for task in sorted(tasks, key=lambda task: (task.t0, task.a, task.b)):
        if task.t0 > limit:
            break
        query, seen = task_query(task, timeline, tolerance, budget)
        if query.t1 > limit:
            query = replace(query, t1=limit)
        found = answer_query(query, "hybrid", 0)
        finding.evaluations += found.evaluations
        if found.verdict is Verdict.COLLIDING and not (
            finding.contact is not None and found.time >= finding.contact.time
        ):
            finding.contact, finding.seen, finding.which, limit = found, seen, (task.a, task.b), found.time
        elif found.verdict is Verdict.UNDECIDED:
            finding.left = min(finding.left[0], found.t_lo), max(finding.left[1], found.t_hi)
    if finding.contact is not None:
        finding.verdict = Verdict.COLLIDING
    elif finding.left[0] < math.inf:
        finding.verdict = Verdict.UNDECIDED
    return finding


def measure_pair(
    tasks: Sequence[PairTask],
    scene: Scene,
    times: FloatArray,
    tolerance: float,
    budget: int | None,
    far: float,
) -> tuple[float, float, float, tuple[tuple[int, int], tuple[int, int]] | None, int]:
    """Return bounds of the least distance within the tasks of a pair, when and between which parts, and the effort.

    Distances of `far` and more are not told apart: then the upper bound is infinite. A look at likely instants gives a
    first upper bound. Parts of the tasks in which not even the hulls come so close are left out; exact shapes are
    searched in what remains.
    """
    timeline = scene.timeline
    upper, time, which, effort = far + tolerance, math.nan, None, 0
    for task in tasks:
        found = look_at(timeline, task.a, task.b, task.hint)
        effort += 1
        if found.upper < upper:
            upper, time, which = max(found.upper, 0.0), task.hint, (task.a, task.b)
    lower = upper
    for task in _narrowed(tasks, scene, times, upper, tolerance):
        if upper <= 0.0:
            break
        query, _ = task_query(task, timeline, tolerance, budget)
        low, high, when, count, _ = least_below(replace(query, margin=0.0), upper, task.hint)
        effort += count
        lower = min(lower, low)
        if high < upper:
            upper, time, which = high, when, (task.a, task.b)
    return min(lower, upper), upper if which is not None else math.inf, time, which, effort


def _narrowed(
    tasks: Sequence[PairTask], scene: Scene, times: FloatArray, upper: float, tolerance: float
) -> list[PairTask]:
    """Return the parts of tasks in which hulls come closer than a distance, in order of time."""
    parts: list[PairTask] = []
    owners: list[int] = []
    for number, task in enumerate(tasks):
        inner = times[(times > task.t0) & (times < task.t1)]
        cuts = np.concatenate(
            [[task.t0], inner[:: max(1, math.ceil(len(inner) / PARTS))], [task.t1]]
        ).tolist()
        parts += [task._replace(t0=t0, t1=t1, hint=0.5 * (t0 + t1)) for t0, t1 in itertools.pairwise(cuts)]
        owners += [number] * (len(cuts) - 1)
    margins = np.full(len(parts), upper)
    left, *_ = scene.hulls.left_open(_columns(scene, parts), margins, max(tolerance, 0.05 * upper), None)
    joined: list[tuple[int, PairTask]] = []
    for number, part, is_open in zip(owners, parts, left, strict=True):
        if not is_open:
            continue
        if joined and joined[-1][0] == number and joined[-1][1].t1 == part.t0:
            last = joined[-1][1]
            joined[-1] = number, last._replace(t1=part.t1, hint=0.5 * (last.t0 + part.t1))
        else:
            joined.append((number, part))
    return sorted((part for _, part in joined), key=lambda task: (task.t0, task.a, task.b))


def pair_tasks(scene: Scene, tasks: Tasks) -> dict[int, list[PairTask]]:
    """Return tasks by the row of their pair, in order."""
    found: dict[int, list[PairTask]] = defaultdict(list)
    columns = (tasks.pair, tasks.a, tasks.b, tasks.t0, tasks.t1, tasks.margin, tasks.hint, tasks.apart)
    for pair, a, b, *numbers in zip(*(column.tolist() for column in columns), strict=True):
        found[pair].append(PairTask(pair, scene.geoms[a], scene.geoms[b], *numbers))
    return dict(sorted(found.items()))


def _columns(scene: Scene, tasks: Sequence[PairTask]) -> Tasks:
    a, b = (np.array([scene.first[i] + p for i, p in side]) for side in list(zip(*tasks, strict=True))[1:3])
    t0, t1, margin, hint = np.array([task[3:7] for task in tasks]).T
    return Tasks(np.array([task.pair for task in tasks]), a, b, t0, t1, margin, hint)


def task_query(
    task: PairTask, timeline: Timeline, tolerance: float, budget: int | None
) -> tuple[Query, Seen]:
    """Return the question of a task in the frame in which it is best answered."""
    seen = timeline.seen(task.a, task.b, task.t0)
    query = checked_query(
        part_of(timeline.items, task.a).body, seen.motion_a, part_of(timeline.items, task.b).body, seen.motion_b,
        tolerance=tolerance, margin=task.margin, budget=budget, t0=task.t0, t1=task.t1,
    )  # fmt: skip
    return replace(query, starts_apart=True) if task.apart else query, seen
