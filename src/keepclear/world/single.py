"""The first contact of two objects or links that a user names."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from keepclear.continuous.results import FirstContact
from keepclear.errors import ArgumentError
from keepclear.results import Verdict
from keepclear.scene.rules import Window
from keepclear.scene.timeline import Timeline
from keepclear.world.contacts import contact_of
from keepclear.world.pair_check import PairFinding, check_pair, part_rows

_UNKNOWN = np.full(3, np.nan)


def contact_of_pair(
    timeline: Timeline,
    names: tuple[str, str],
    window: Window,
    tolerance: float,
    margin: float,
    budget: int | None,
    method: str,
) -> FirstContact:
    """Return the first contact of two items, in the world; the margin grows by the errors of their shapes.

    Raises:
        ArgumentError: A name is that of a robot with links, or the method cannot answer this pair.
    """
    i, j = _number(timeline, names[0]), _number(timeline, names[1])
    cuts = sorted({t for t in (*timeline.changes(i), *timeline.changes(j)) if window[0] < t < window[1]})
    ends = [window[0], *cuts, window[1]]
    margin += timeline.items[i].error + timeline.items[j].error
    rows = part_rows(timeline, i, j, ((*window, margin) for window in itertools.pairwise(ends)))
    finding = check_pair(rows, timeline, tolerance, budget, method=method)
    if finding.refused:
        raise ArgumentError(
            f"first_contact of {names[0]!r} and {names[1]!r}: method={method!r} {finding.refused}; "
            "use method='hybrid'."
        )
    facts: dict[str, Any] = {
        "evaluations": finding.evaluations, "method": method, "margin": margin, "tolerance": tolerance,
        "names": names,
    }  # fmt: skip
    if finding.verdict is Verdict.COLLIDING:
        return _contact(timeline, finding, facts)
    t_lo, t_hi = (window[1], window[1]) if finding.verdict is Verdict.CLEAR else finding.left
    return FirstContact(
        verdict=finding.verdict, time=np.nan, t_lo=t_lo, t_hi=t_hi, X_WA=None, X_WB=None, p_W=_UNKNOWN,
        normal_W=_UNKNOWN, **facts,
    )  # fmt: skip


def _contact(timeline: Timeline, finding: PairFinding, facts: dict[str, Any]) -> FirstContact:
    found, reported = finding.contact, contact_of(finding)
    assert found is not None
    assert finding.which is not None
    facts |= {name: getattr(found, name) for name in ("distance", "features", "holds", "deviation")}
    X_WA, X_WB = (timeline.poses(*which, np.array([found.time]))[0] for which in finding.which)
    p_W, normal_W = (
        _UNKNOWN if value is None else np.array(value) for value in (reported.p_W, reported.normal_W)
    )
    return FirstContact(
        verdict=Verdict.COLLIDING, time=found.time, t_lo=finding.bracket[0], t_hi=found.t_hi,
        X_WA=X_WA, X_WB=X_WB, p_W=p_W, normal_W=normal_W, **facts,
    )  # fmt: skip


def _number(timeline: Timeline, name: str) -> int:
    for k, item in enumerate(timeline.items):
        if item.name == name:
            return k
    raise ArgumentError(f"{name!r} is a robot with several links; say which one: {name}/link.")
