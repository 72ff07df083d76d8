"""The verdict over one pair of a world: cheap bounds first, exact shapes only where needed."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from keepclear.checks import FloatArray
from keepclear.continuous.first_contact import answer_query, method_for
from keepclear.continuous.query import Query, checked_query
from keepclear.continuous.results import FirstContact
from keepclear.kernels.tables.pair import Pairs, new_pairs
from keepclear.motions.motion import Motion
from keepclear.results import Verdict
from keepclear.scene.rules import Window
from keepclear.scene.timeline import RelativeMotion, Timeline, part_of

Which = tuple[tuple[int, int], tuple[int, int]]


@dataclass(slots=True)
class PairFinding:
    """The result of exact shapes for a pair.

    Attributes:
        verdict: CLEAR unless something else was found.
        contact: Its first contact in the frame of `frame`; None for none.
        frame: The motion of that frame; None for the world.
        which: The parts that touch.
        evaluations: The number of distance queries.
        left: The window of time that is undecided [s].
        method: The method that gave the result.
        refused: Why the requested method was replaced by another one; "" if it was not.
    """

    verdict: Verdict = Verdict.CLEAR
    contact: FirstContact | None = None
    frame: Motion | None = None
    which: Which | None = None
    evaluations: int = 0
    left: tuple[float, float] = (math.inf, -math.inf)
    method: str = "hybrid"
    refused: str = ""

    @property
    def bracket(self) -> tuple[float, float]:
        """The time until which the pair is proved clear, and the first one with a proved contact, of a contact [s]."""
        assert self.contact is not None
        return min(self.contact.t_lo, self.left[0]), self.contact.t_hi

    def in_world(self) -> tuple[FloatArray, FloatArray]:
        """Return the point and the normal of the contact in the world, (3,) each."""
        assert self.contact is not None
        p, n = np.asarray(self.contact.p_W), np.asarray(self.contact.normal_W)
        if self.frame is not None:
            X_WF = self.frame.pose(self.contact.time)
            p, n = X_WF[:3, :3] @ p + X_WF[:3, 3], X_WF[:3, :3] @ n
        return p, n

    def add(self, earlier: PairFinding) -> None:
        """Add the finding about earlier times, which have no contact."""
        self.evaluations += earlier.evaluations
        if earlier.refused:
            self.method, self.refused = earlier.method, earlier.refused
        self.left = min(self.left[0], earlier.left[0]), max(self.left[1], earlier.left[1])
        if self.verdict is Verdict.CLEAR:
            self.verdict = earlier.verdict


def check_pair(
    rows: Pairs,
    timeline: Timeline,
    tolerance: float,
    budget: int | None,
    limit: float = math.inf,
    method: str = "hybrid",
) -> PairFinding:
    """Return the verdict over rows of PAIR of two items, with exact shapes: the first contact of any two parts.

    Times before `since` of a row, and after `limit` [s], are not checked. For parts that the method does not support,
    such as curved ones by roots, "hybrid" is used, and the finding says why.
    """
    finding = PairFinding(method=method)
    order = [0]
    if len(rows) != 1:
        order = np.lexsort((rows["geom_b"], rows["geom_a"], rows["since"])).tolist()
    for k in order:
        t0, t1 = rows["since"].item(k), rows["t1"].item(k)
        if t0 > limit:
            break
        query, relative = row_query(rows, k, timeline, tolerance, budget, (t0, min(t1, limit)))
        chosen, refused = method_for(query, method)
        if refused:
            finding.method, finding.refused = chosen, refused
        found = answer_query(query, chosen, 0)
        finding.evaluations += found.evaluations
        if found.verdict is Verdict.COLLIDING and not (
            finding.contact is not None and found.time >= finding.contact.time
        ):
            finding.contact, finding.frame = found, relative.frame
            finding.which = timeline.geoms[rows["geom_a"][k]], timeline.geoms[rows["geom_b"][k]]
            limit = found.time
        elif found.verdict is Verdict.UNDECIDED:
            finding.left = min(finding.left[0], found.t_lo), max(finding.left[1], found.t_hi)
    if finding.contact is not None:
        finding.verdict = Verdict.COLLIDING
    elif finding.left[0] < math.inf:
        finding.verdict = Verdict.UNDECIDED
    return finding


def part_rows(timeline: Timeline, i: int, j: int, windows: Iterable[tuple[float, float, float]]) -> Pairs:
    """Return rows of PAIR for all parts of two items in windows of time: start, end [s] and margin [m] of each."""
    given = list(windows)
    n_a, n_b = len(timeline.items[i].parts), len(timeline.items[j].parts)
    rows = new_pairs(len(given) * n_a * n_b)
    of_a = timeline.first[i] + np.repeat(np.arange(n_a), n_b)
    of_b = timeline.first[j] + np.tile(np.arange(n_b), n_a)
    rows["geom_a"], rows["geom_b"] = np.tile(of_a, len(given)), np.tile(of_b, len(given))
    for name, column in zip(("t0", "t1", "margin"), np.array(given, float).reshape(-1, 3).T, strict=True):
        rows[name] = np.repeat(column, n_a * n_b)
    rows["since"] = rows["now"] = rows["t0"]
    return rows


def grouped(rows: Pairs, name: str) -> dict[int, Pairs]:
    """Return the rows with each number in a field, such as `pair`, in the order of numbers; views of one copy."""
    rows = rows[np.argsort(rows[name], kind="stable")]
    numbers, first = np.unique(rows[name], return_index=True)
    ends = [*first[1:].tolist(), len(rows)]
    return {k: rows[i:j] for k, i, j in zip(numbers.tolist(), first.tolist(), ends, strict=False)}


def row_query(
    rows: Pairs, k: int, timeline: Timeline, tolerance: float, budget: int | None, window: Window
) -> tuple[Query, RelativeMotion]:
    """Return the query of a row for a window of time, in the frame that suits it best."""
    a, b = timeline.geoms[rows["geom_a"][k]], timeline.geoms[rows["geom_b"][k]]
    relative = timeline.relative_motion(a, b, window[0])
    query = checked_query(
        part_of(timeline.items, a).body, relative.motion_a, part_of(timeline.items, b).body, relative.motion_b,
        tolerance=tolerance, margin=rows["margin"].item(k), budget=budget, t0=window[0], t1=window[1],
    )  # fmt: skip
    query.starts_apart = bool(rows["apart"][k])
    return query, relative
