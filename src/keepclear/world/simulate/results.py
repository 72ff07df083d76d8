"""The result of a simulation: the state of each step, the pairs that may touch, where it stopped, and its report."""

from __future__ import annotations

import enum
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, Self

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, checked_flag, is_whole, shown
from keepclear.errors import ArgumentError, CopyError
from keepclear.report.parts import SAMPLED, Assumption, Contact, PairReport, Sampling
from keepclear.report.report import Report
from keepclear.report.words import counted, length, number
from keepclear.results import Verdict
from keepclear.scene.display import scene_at

if TYPE_CHECKING:
    from keepclear.world.simulate.sampling import Found, Stepping

__all__ = ["SimulatedStep", "Simulation", "Step", "StepPair"]

MOST_POSES = 2_000_000  # greatest number of poses in a page, of 28 bytes each: all bodies at all frames
Point = tuple[float, float, float]


class Step(enum.Enum):
    """The state of one instant; nothing is known about the time between two instants."""

    FREE = "FREE"
    MAY_TOUCH = "MAY_TOUCH"
    CONTACT = "CONTACT"


STEPS = (Step.FREE, Step.MAY_TOUCH, Step.CONTACT)
"""The states of steps by their code, the worst last."""
FREE, MAY_TOUCH, CONTACT = range(3)


class StepPair(NamedTuple):
    """Two objects or links that touch, or may touch, at an instant.

    Attributes:
        a: Name of the first.
        b: Name of the second.
        step: `kc.Step.CONTACT`: they touch, or are within their margin. `kc.Step.MAY_TOUCH`: the covers do.
        gap: MAY_TOUCH: their distance is at most this [m], certified; NaN at CONTACT.
        margin: The distance that counts as contact [m].
        p_W: CONTACT: a point where they touch, or midway between their closest points. MAY_TOUCH: midway between the
            centres of two smallest spheres that are within the margin. In the world [m]; None where unknown.
    """

    a: str
    b: str
    step: Step
    gap: float
    margin: float
    p_W: Point | None


class SimulatedStep(NamedTuple):
    """One step, as `on_step` gets it.

    Attributes:
        number: Counted from 0.
        time: The instant [s].
        step: FREE, MAY_TOUCH or CONTACT.
        gap: The least bound of its pairs that may touch [m]: at least one pair is not farther apart; else NaN.
        pairs: The pairs that touch or may touch, `StepPair` each; none if FREE.
    """

    number: int
    time: float
    step: Step
    gap: float
    pairs: tuple[StepPair, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class Simulation:
    """The sampled states of a world; nothing is known about the time between two steps.

    The verdict is never CLEAR: use `world.verify()` for a proof.

    Attributes:
        times: (n,) the instants that were checked [s].
        gap: (n,) at a step that is MAY_TOUCH, the least bound of its pairs [m]: at least one pair is not farther apart;
            else NaN.
        stopped_at: The time of the last step, if it is a contact or a possible contact, or if `on_step` ended the run
            [s]; None: it ran to its end, or Ctrl-C ended it.
        t0: Start of the requested interval [s].
        t1: Its end [s].
        n_asked: How many steps were requested.
        models: "spheres" or "exact".
        interrupted: Whether Ctrl-C ended it before its last step.
        statistics: Counts by name: pairs of bodies that come near, sphere models and their spheres, comparisons.
    """

    times: FloatArray
    gap: FloatArray
    stopped_at: float | None
    t0: float
    t1: float
    n_asked: int
    models: str
    interrupted: bool
    statistics: Mapping[str, int]
    _codes: npt.NDArray[np.int8]
    _found: Mapping[int, Mapping[int, Found]]  # by step and row of the pair; none for steps that are free
    _work: Stepping
    _assumptions: tuple[Assumption, ...]
    _warnings: tuple[str, ...]
    _steps: list[Any] = field(default_factory=list)

    @property
    def steps(self) -> npt.NDArray[np.object_]:
        """The state of each step, (n,) `kc.Step`; `s.steps == kc.Step.CONTACT` is an array of bool."""
        if not self._steps:
            table = np.empty(len(STEPS), dtype=object)
            table[:] = STEPS
            found = table[self._codes]
            found.flags.writeable = False
            self._steps.append(found)
        steps: npt.NDArray[np.object_] = self._steps[0]
        return steps

    def pairs(self, k: int) -> tuple[StepPair, ...]:
        """Return the pairs that touch or may touch at step k: contacts first, then by gap; none if FREE."""
        if not is_whole(k) or not -len(self) <= k < len(self):
            raise ArgumentError(
                f"there is no step {shown(k)}; steps are numbered from 0 to {len(self) - 1}."
                if len(self)
                else "there is no step: the simulation was stopped before its first one."
            )
        k = int(k) % len(self)
        return self._work.pairs(self._found.get(k, {}), float(self.times[k]))

    @property
    def position(self) -> Point | None:
        """Where the pairs of the last step touch or may touch first, in the world [m]; None where it did not stop."""
        if self.stopped_at is None or self._codes[-1] == FREE:
            return None
        return next((pair.p_W for pair in self.pairs(len(self) - 1) if pair.p_W is not None), None)

    @property
    def deciding_accuracy(self) -> float | None:
        """An `accuracy` with which spheres decide the pairs of the last step [m]; None where it is not MAY_TOUCH.

        It is 0 if no sphere model can: shapes are within their margin.
        """
        if not len(self) or self._codes[-1] != MAY_TOUCH:
            return None
        found, t = self._found[len(self) - 1].values(), float(self.times[-1])
        return min(self._work.deciding_accuracy(one, t) for one in found)

    def report(self, *, title: str = "", scene: bool = False) -> Report:
        """Return a report that is COLLIDING if a step is a contact, and otherwise UNDECIDED: sampling proves nothing.

        Args:
            title: For the report.
            scene: Whether it keeps the scene for its page: each step is then a frame of the page.
        """
        return _report(self, title, scene)

    def to_html(self, path: str | os.PathLike[str] | None = None, *, title: str = "") -> str:
        """Return one self-contained web page that shows each step; write it to a file if a path is given."""
        return self.report(title=title, scene=True).to_html(path)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self

    def __reduce__(self) -> NoReturn:
        raise CopyError("a Simulation cannot be pickled: it keeps its world; pickle its report().")

    def __len__(self) -> int:
        return len(self.times)

    def __bool__(self) -> bool:
        raise TypeError("a Simulation has no truth value; compare .steps with kc.Step.FREE.")

    def __repr__(self) -> str:
        counts = ", ".join(f"{number(n)} {step.value}" for step, n in self._counts() if n)
        steps = f"{number(len(self))} of {counted(self.n_asked, 'step')}"
        return f"Simulation(sampled, {steps}{': ' if counts else ''}{counts})"

    def __str__(self) -> str:
        lines = [f"sampled at {self._extent()}; nothing is known between two steps"]
        lines += [f"{counted(n, 'step')} {step.value}" for step, n in self._counts() if n]
        if self.stopped_at is not None:
            lines.append(f"stopped at {self.stopped_at:.6g} s{self._who()}")
            lines += [] if self.deciding_accuracy is None else [accuracy_words(self.deciding_accuracy)]
        if self.interrupted:
            lines.append("interrupted: the steps after that are not known")
        return "\n  ".join(lines)

    def _extent(self) -> str:
        if not len(self):
            return f"none of {counted(self.n_asked, 'step')}"
        of = "" if len(self) == self.n_asked else f" of {number(self.n_asked)}"
        steps = f"{number(len(self))}{of} step{'s' * (self.n_asked != 1)}"
        return f"{steps} from {self.times[0]:.6g} to {self.times[-1]:.6g} s"

    def _who(self) -> str:
        pairs = self.pairs(len(self) - 1)
        return f": {pair_words(pairs[0])}" if pairs else ""

    def _counts(self) -> Sequence[tuple[Step, int]]:
        counts = np.bincount(self._codes, minlength=len(STEPS)).tolist()
        return list(zip(STEPS, counts, strict=True))


def pair_words(pair: StepPair) -> str:
    """Return the state of a pair at an instant as a sentence."""
    place = (
        "" if pair.p_W is None else ", p_W = ({:.3g}, {:.3g}, {:.3g}) m".format(*(x + 0.0 for x in pair.p_W))
    )
    if pair.step is Step.CONTACT:
        within = f"is within {length(pair.margin)} of" if pair.margin > 0.0 else "touches"
        return f"{pair.a!r} {within} {pair.b!r}{place}"
    return f"{pair.a!r} may touch {pair.b!r}, at most {length(pair.gap, 'ROUND_CEILING')} apart{place}"


def accuracy_words(radius: float) -> str:
    """Return with which sphere models the possible contacts of a step could be decided."""
    if radius == 0.0:
        return "no sphere model decides that, since the shapes are within their margin; compare exact shapes"
    digits = math.floor(math.log10(radius))
    rounded = math.floor(radius / 10.0 ** (digits - 1)) * 10.0 ** (digits - 1)
    return f"spheres with an accuracy of {rounded:.2g} m decide that, and so do exact shapes"


def _report(simulation: Simulation, title: str, scene: bool) -> Report:
    """Return a simulation as a report: COLLIDING with a witness, otherwise UNDECIDED."""
    if not isinstance(title, str):
        raise ArgumentError(f"report: title must be a string, but it is {shown(title)}.")
    work, plan = simulation._work, simulation._work.plan
    first, closest = _by_pair(simulation._found)
    pairs = []
    for row in range(len(plan.table)):
        contact = first.get(row)
        if contact is not None:
            pairs.append(_colliding(simulation, row, *contact))
        else:
            pairs.append(_open(simulation, row, closest.get(row)))
    verdict = Verdict.COLLIDING if first else Verdict.UNDECIDED
    assumptions = [one for one in simulation._assumptions if one.kind != "tolerance"]  # instants need none
    text = "the motion was sampled, and nothing is known about the time between steps"
    warnings = list(simulation._warnings)
    if simulation.deciding_accuracy is not None:
        pair = simulation.pairs(-1)[0]
        warnings.append(
            f"at {simulation.times[-1]:.6g} s {pair_words(pair)}; {accuracy_words(simulation.deciding_accuracy)}"
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
        tolerance=work.tolerance,
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


def _colliding(simulation: Simulation, row: int, k: int, found: Found) -> PairReport:
    """Return the result of a pair that is in contact at a step; contact may have begun earlier, between steps."""
    (a, b), t = simulation._work.names(row), float(simulation.times[k])
    contact = Contact(time=t, t_lo=simulation.t0, t_hi=t, p_W=simulation._work.point(found, t))
    return PairReport(
        a=a, b=b, verdict=Verdict.COLLIDING, time=t, t_lo=simulation.t0, t_hi=t,
        margin=float(simulation._work.plan.table.margins[row]), contacts=(contact,), proof=SAMPLED,
    )  # fmt: skip


def _open(simulation: Simulation, row: int, near: tuple[int, Found] | None) -> PairReport:
    """Return the result of an undecided pair; where its covers overlap, its distance is bounded."""
    a, b = simulation._work.names(row)
    return PairReport(
        a=a, b=b, verdict=Verdict.UNDECIDED, time=None, t_lo=simulation.t0, t_hi=simulation.t1,
        margin=float(simulation._work.plan.table.margins[row]),
        clearance_upper=None if near is None else near[1].gap,
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
