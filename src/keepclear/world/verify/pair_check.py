"""The verdict over one pair of a world: cheap bounds first, exact shapes only where needed."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from keepclear.checks import FloatArray
from keepclear.kernels.advance.rows import CONTACT, FALLS, HORIZON, UNIT
from keepclear.kernels.tables.pair import Pairs, forget_answers, new_pairs
from keepclear.motion.motion import Motion
from keepclear.query.interval.advancement_result import contact_of_row
from keepclear.query.interval.first_contact import answer_query, method_for
from keepclear.query.moving.moving_pair import BodyTable
from keepclear.query.moving.question import Query, checked_query
from keepclear.query.moving.results import FirstContact
from keepclear.results import Verdict
from keepclear.scene.hulls import HullTable
from keepclear.scene.rules import Window
from keepclear.scene.timeline import RelativeMotion, Timeline, part_of

NO_BODIES = BodyTable()
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

    def after(self, earlier: PairFinding) -> PairFinding:
        """Return this finding together with that about earlier times, which have no contact."""
        method, refused = (
            (earlier.method, earlier.refused) if earlier.refused else (self.method, self.refused)
        )
        left = min(self.left[0], earlier.left[0]), max(self.left[1], earlier.left[1])
        verdict = earlier.verdict if self.verdict is Verdict.CLEAR else self.verdict
        evaluations = self.evaluations + earlier.evaluations
        return replace(
            self, verdict=verdict, left=left, method=method, refused=refused, evaluations=evaluations
        )


class RowChecks:
    """Rows of PAIR of one or more pairs of items, decided by exact shapes: the first contact of any two parts.

    Rows are advanced by kernels, one after the other; those that kernels cannot decide are asked as a `Query`. Times
    before `since` of a row are not checked, nor times after a contact of its pair. For parts that the method does not
    support, such as curved ones by roots, "hybrid" is used, and the finding says why.

    Args:
        rows: The rows; they are copied, and sorted by unit.
        timeline: The motions.
        tolerance: See `kc.first_contact`, like the following.
        budget: See there.
        method: See there.
        bodies: The bodies of the scene for kernels; None: each row is asked as a query.
        horizon: Later times are not checked [s].
        falls: Whether the horizon falls with each contact.
    """

    def __init__(
        self,
        rows: Pairs,
        timeline: Timeline,
        tolerance: float,
        budget: int | None,
        method: str = "hybrid",
        bodies: HullTable | None = None,
        *,
        horizon: float = math.inf,
        falls: bool = False,
    ) -> None:
        self._timeline, self._tolerance, self._budget, self._method = timeline, tolerance, budget, method
        rows = rows[np.lexsort((rows["geom_b"], rows["geom_a"], rows["since"], rows["unit"]))]
        self.rows, self._answers, self._done = rows, dict[int, tuple[FirstContact, str, str]](), 0
        rows["t0"] = rows["since"]
        rows["tolerance"], rows["limit"], rows["evaluations"], rows["box_pairs"] = tolerance, 0, 0, 0
        forget_answers(rows, slice(None), rows["t0"])
        self._store = NO_BODIES if bodies is None else bodies.store
        if bodies is not None and method == "hybrid":
            bodies.fill_exact(rows, self._query)
        else:
            rows["shape_a"], rows["unproved"] = -1, 1
        self.state = np.array([math.inf, -1.0, horizon, float(falls)])

    def run(self) -> None:
        """Decide all rows; Ctrl-C works, and what was decided before is known."""
        rows, end = self.rows, len(self.rows)
        while self._done < end:
            k = self._store.first_contacts(rows, self._budget, self._done, end, self.state)
            if k < end and rows["unproved"][k]:
                self._ask(k)
                k += 1
            self._done = k

    def _ask(self, k: int) -> None:
        """Decide a row in Python."""
        query = self._query(k)
        chosen, refused = method_for(query, self._method)
        found = answer_query(query, chosen, 0)
        self._answers[k], self.rows["limit"][k] = (found, chosen, refused), 1
        if found.verdict is Verdict.COLLIDING and found.time < self.state[CONTACT]:
            self.state[CONTACT], self.state[UNIT] = found.time, self.rows["unit"][k]
            if self.state[FALLS]:
                self.state[HORIZON] = min(self.state[HORIZON], found.time)

    def _query(self, k: int) -> Query:
        window = self.rows["t0"].item(k), self.rows["t1"].item(k)
        return row_query(self.rows, k, self._timeline, self._tolerance, self._budget, window)[0]

    def findings(self) -> dict[int, PairFinding]:
        """Return the finding of each unit that is decided, and of which a row was checked."""
        end, unit, found = self._done, self.rows["unit"], dict[int, PairFinding]()
        if end < len(self.rows):  # the rest of a pair may change its answer
            end = int(np.searchsorted(unit, unit[end]))
        for k in np.flatnonzero(self.rows["limit"][:end]).tolist():
            self._add(found.setdefault(unit.item(k), PairFinding(method=self._method)), k)
        for finding in found.values():
            if finding.contact is not None:
                finding.verdict = Verdict.COLLIDING
            elif finding.left[0] < math.inf:
                finding.verdict = Verdict.UNDECIDED
        return found

    def _add(self, finding: PairFinding, k: int) -> None:
        """Add the answer about a row to the finding of its unit."""
        if k in self._answers:
            found, chosen, refused = self._answers[k]
            if refused:
                finding.method, finding.refused = chosen, refused
        else:
            found = contact_of_row(self._query, self.rows, k)
        finding.evaluations += found.evaluations
        if found.verdict is Verdict.COLLIDING and not (
            finding.contact is not None and found.time >= finding.contact.time
        ):
            timeline, a, b = self._timeline, self.rows["geom_a"][k], self.rows["geom_b"][k]
            finding.contact, finding.which = found, (timeline.geoms[a], timeline.geoms[b])
            finding.frame = timeline.relative_motion(*finding.which, self.rows["t0"].item(k)).frame
        elif found.verdict is Verdict.UNDECIDED:
            finding.left = min(finding.left[0], found.t_lo), max(finding.left[1], found.t_hi)


def check_pair(
    rows: Pairs,
    timeline: Timeline,
    tolerance: float,
    budget: int | None,
    limit: float = math.inf,
    method: str = "hybrid",
) -> PairFinding:
    """Return the finding over the rows of one pair until `limit` [s], each asked as a query; see `RowChecks`."""
    checks = RowChecks(rows, timeline, tolerance, budget, method, horizon=limit)
    checks.run()
    found = checks.findings()
    return next(iter(found.values())) if found else PairFinding(method=method)


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
