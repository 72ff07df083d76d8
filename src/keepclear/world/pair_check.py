"""The verdict over one pair of a world: cheap bounds first, exact shapes only where needed."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from keepclear.continuous.first_contact import answer_query, method_for
from keepclear.continuous.query import Query, checked_query
from keepclear.continuous.results import FirstContact
from keepclear.results import Verdict
from keepclear.scene.hulls import Tasks
from keepclear.scene.scene import Scene
from keepclear.scene.timeline import RelativeMotion, Timeline, part_of


class PairTask(NamedTuple):
    """A query about two parts (item, part), for a window of time in which their boxes come close.

    `hint` is a time at which they are likely to be near each other; `apart` means that they are proved apart just
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
    """The result of exact shapes for a pair.

    Attributes:
        verdict: CLEAR unless something else was found.
        contact: Its first contact in the frame of `relative`; None for none.
        relative: The motions of `contact`.
        which: The parts that touch.
        evaluations: The number of distance queries.
        left: The window of time that is undecided [s].
        method: The method that gave the result.
        refused: Why the requested method was replaced by another one; "" if it was not.
    """

    verdict: Verdict = Verdict.CLEAR
    contact: FirstContact | None = None
    relative: RelativeMotion | None = None
    which: tuple[tuple[int, int], tuple[int, int]] | None = None
    evaluations: int = 0
    left: tuple[float, float] = (math.inf, -math.inf)
    method: str = "hybrid"
    refused: str = ""

    def add(self, earlier: PairFinding) -> None:
        """Add the finding about earlier times, which have no contact."""
        self.evaluations += earlier.evaluations
        if earlier.refused:
            self.method, self.refused = earlier.method, earlier.refused
        self.left = min(self.left[0], earlier.left[0]), max(self.left[1], earlier.left[1])
        if self.verdict is Verdict.CLEAR:
            self.verdict = earlier.verdict


def check_pair(
    tasks: Sequence[PairTask],
    timeline: Timeline,
    tolerance: float,
    budget: int | None,
    limit: float = math.inf,
    method: str = "hybrid",
) -> PairFinding:
    """Return the verdict over the tasks of one pair, with exact shapes: the first contact of any two parts.

    Times after `limit` [s] are not checked. For parts that the method does not support, such as curved ones by roots,
    "hybrid" is used, and the finding says why.
    """
    finding = PairFinding(method=method)
    for task in sorted(tasks, key=lambda task: (task.t0, task.a, task.b)):
        if task.t0 > limit:
            break
        query, relative = task_query(task, timeline, tolerance, budget)
        if query.t1 > limit:
            query = replace(query, t1=limit)
        chosen, refused = method_for(query, method)
        if refused:
            finding.method, finding.refused = chosen, refused
        found = answer_query(query, chosen, 0)
        finding.evaluations += found.evaluations
        if found.verdict is Verdict.COLLIDING and not (
            finding.contact is not None and found.time >= finding.contact.time
        ):
            finding.contact, finding.relative, finding.which = found, relative, (task.a, task.b)
            limit = found.time
        elif found.verdict is Verdict.UNDECIDED:
            finding.left = min(finding.left[0], found.t_lo), max(finding.left[1], found.t_hi)
    if finding.contact is not None:
        finding.verdict = Verdict.COLLIDING
    elif finding.left[0] < math.inf:
        finding.verdict = Verdict.UNDECIDED
    return finding


def pair_tasks(scene: Scene, tasks: Tasks) -> dict[int, list[PairTask]]:
    """Return tasks by the row of their pair, in order."""
    found: dict[int, list[PairTask]] = defaultdict(list)
    columns = (tasks.pair, tasks.a, tasks.b, tasks.t0, tasks.t1, tasks.margin, tasks.hint, tasks.apart)
    for pair, a, b, *numbers in zip(*(column.tolist() for column in columns), strict=True):
        found[pair].append(PairTask(pair, scene.geoms[a], scene.geoms[b], *numbers))
    return dict(sorted(found.items()))


def pair_task(scene: Scene, tasks: Tasks, row: int) -> PairTask:
    """Return the task of a row."""
    a, b = scene.geoms[tasks.a.item(row)], scene.geoms[tasks.b.item(row)]
    t0, t1, margin, hint = (column.item(row) for column in (tasks.t0, tasks.t1, tasks.margin, tasks.hint))
    return PairTask(tasks.pair.item(row), a, b, t0, t1, margin, hint, tasks.apart.item(row))


def task_query(
    task: PairTask, timeline: Timeline, tolerance: float, budget: int | None
) -> tuple[Query, RelativeMotion]:
    """Return the query of a task in the frame that suits it best."""
    relative = timeline.relative_motion(task.a, task.b, task.t0)
    query = checked_query(
        part_of(timeline.items, task.a).body, relative.motion_a,
        part_of(timeline.items, task.b).body, relative.motion_b,
        tolerance=tolerance, margin=task.margin, budget=budget, t0=task.t0, t1=task.t1,
    )  # fmt: skip
    return replace(query, starts_apart=True) if task.apart else query, relative
