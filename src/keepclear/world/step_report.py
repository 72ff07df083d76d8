"""A simulation as a report: never CLEAR, with a state for each step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from keepclear.checks import FloatArray, checked_flag, shown
from keepclear.errors import ArgumentError
from keepclear.report.report import SAMPLED, Assumption, Contact, PairReport, Report, Sampling
from keepclear.report.words import counted
from keepclear.results import Verdict
from keepclear.world.scene import scene_at
from keepclear.world.step_results import CONTACT, FREE, Simulation

if TYPE_CHECKING:
    from keepclear.world.stepping import Found, Stepping

MOST_POSES = 2_000_000  # greatest number of poses in a page, of 28 bytes each: all bodies at all frames
Point = tuple[float, float, float]


class Facts(NamedTuple):
    """The content of a report besides the steps: the run with its plan, a tolerance [m], assumptions and warnings."""

    work: Stepping
    tolerance: float
    assumptions: tuple[Assumption, ...]
    warnings: tuple[str, ...]


def step_report(
    facts: Facts, found: Mapping[int, Mapping[int, Found]], simulation: Simulation, *, title: str, scene: bool
) -> Report:
    """Return a simulation as a report: COLLIDING with a witness, otherwise UNDECIDED.

    Args:
        facts: The content besides the steps.
        found: The pairs that are not free, by step and row of the pair.
        simulation: The steps.
        title: For the report.
        scene: Whether the report has a scene for a page.
    """
    if not isinstance(title, str):
        raise ArgumentError(f"report: title must be a string, but it is {shown(title)}.")
    work, plan = facts.work, facts.work.plan
    first, closest = _by_pair(found)
    pairs = []
    for row in range(len(plan.table)):
        contact = first.get(row)
        if contact is not None:
            t = float(simulation.times[contact[0]])
            pairs.append(_colliding(facts, simulation, row, t, work.point(contact[1], t)))
        else:
            pairs.append(_open(facts, simulation, row, closest.get(row)))
    verdict = Verdict.COLLIDING if first else Verdict.UNDECIDED
    assumptions = [one for one in facts.assumptions if one.kind != "tolerance"]  # instants need none
    text, warnings = (
        "the motion was sampled, and nothing is known about the time between steps",
        list(facts.warnings),
    )
    if plan.n_far:
        text += f"; {counted(plan.n_far, 'more pair')} do not come near and are not listed"
    assumptions.append(Assumption(kind="sampling", subject="all pairs", text=text))
    if not (pairs or plan.n_far or simulation.interrupted):
        warnings.append("no pair was checked: there is only one body, or none that moves, or all may touch")
    return Report(
        verdict=verdict,
        t0=simulation.t0,
        t1=simulation.t1,
        tolerance=facts.tolerance,
        pairs=sorted(pairs, key=_order),
        objects=work.scene.names,
        at_rest=work.scene.at_rest,
        unchecked=plan.unchecked,
        assumptions=tuple(assumptions),
        warnings=tuple(warnings),
        title=title,
        interrupted=simulation.interrupted,
        sampling=Sampling(
            n_asked=simulation.n_asked,
            times=tuple(simulation.times.tolist()),
            steps=tuple(step.value for step in simulation.steps.tolist()),
            gaps=tuple(simulation.gap.tolist()),
        ),
        statistics={"steps": len(simulation), "pairs": len(pairs) + plan.n_far, **simulation.statistics},
        scene=scene_at(work.scene.timeline, _frames(work, simulation))
        if checked_flag("scene", scene)
        else None,
    )


def _by_pair(
    found: Mapping[int, Mapping[int, Found]],
) -> tuple[dict[int, tuple[int, Found]], dict[int, tuple[int, Found]]]:
    """Return the first contact of each pair, and its finding at the step with the smallest gap, by row."""
    first: dict[int, tuple[int, Found]] = {}
    closest: dict[int, tuple[int, Found]] = {}
    for k in sorted(found):
        for row, one in found[k].items():
            if one.code == CONTACT:
                first.setdefault(row, (k, one))
            # harmless (<): each gap is an upper bound of the least distance
            elif row not in closest or one.gap < closest[row][1].gap:
                closest[row] = k, one
    return first, closest


def _names(facts: Facts, row: int) -> tuple[str, str]:
    names, table = facts.work.scene.names, facts.work.plan.table
    return names[int(table.i[row])], names[int(table.j[row])]


def _colliding(facts: Facts, simulation: Simulation, row: int, t: float, p_W: Point | None) -> PairReport:
    """Return the result of a pair that is in contact at a step; contact may have begun earlier, between steps."""
    a, b = _names(facts, row)
    margin = float(facts.work.plan.table.margins[row])
    contact = Contact(time=t, t_lo=simulation.t0, t_hi=t, p_W=p_W)
    return PairReport(
        a=a, b=b, verdict=Verdict.COLLIDING, time=t, t_lo=simulation.t0, t_hi=t, margin=margin, contacts=(contact,),
        proof=SAMPLED,
    )  # fmt: skip


def _open(facts: Facts, simulation: Simulation, row: int, near: tuple[int, Found] | None) -> PairReport:
    """Return the result of an undecided pair; where its covers overlap, its distance is bounded."""
    a, b = _names(facts, row)
    return PairReport(
        a=a, b=b, verdict=Verdict.UNDECIDED, time=None, t_lo=simulation.t0, t_hi=simulation.t1,
        margin=float(facts.work.plan.table.margins[row]), clearance_upper=None if near is None else near[1].gap,
        clearance_time=None if near is None else float(simulation.times[near[0]]), proof=SAMPLED,
    )  # fmt: skip


def _order(pair: PairReport) -> tuple[bool, float, str, str]:
    """Return the sort key of pairs: contacts by time, then possible contacts by gap, then names."""
    is_open = pair.verdict is not Verdict.COLLIDING
    key = pair.clearance_upper if is_open else pair.time
    return is_open, np.inf if key is None else key, pair.a, pair.b


def _frames(work: Stepping, simulation: Simulation) -> FloatArray:
    """Return the instants that a page shows: all steps, or of very many those that are not free and some others."""
    if not len(simulation):
        return np.array([simulation.t0])
    most = max(MOST_POSES // len(work.scene.geoms), 100)
    if len(simulation) <= most:
        return simulation.times
    some = np.linspace(0, len(simulation) - 1, most).astype(np.int64)
    busy = np.flatnonzero(simulation._codes != FREE)[:most]
    return np.asarray(simulation.times[np.unique(np.concatenate([some, busy]))])
