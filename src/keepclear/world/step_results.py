"""The result of a simulation: the state of each step, the pairs that may touch, and where it stopped."""

from __future__ import annotations

import enum
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, NoReturn, Self

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, is_whole, shown
from keepclear.errors import ArgumentError, CopyError
from keepclear.report.report import Report
from keepclear.report.words import counted, length, number

__all__ = ["SimulatedStep", "Simulation", "Step", "StepPair"]

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
    _pairs: Callable[[int], tuple[StepPair, ...]]
    _report: Callable[..., Report]
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
        return self._pairs(int(k) % len(self))

    @property
    def position(self) -> Point | None:
        """Where the pairs of the last step touch or may touch first, in the world [m]; None where it did not stop."""
        if self.stopped_at is None or self._codes[-1] == FREE:
            return None
        return next((pair.p_W for pair in self.pairs(len(self) - 1) if pair.p_W is not None), None)

    def report(self, *, title: str = "", scene: bool = False) -> Report:
        """Return a report that is COLLIDING if a step is a contact, and otherwise UNDECIDED: sampling proves nothing.

        Args:
            title: For the report.
            scene: Whether it keeps the scene for its page: each step is then a frame of the page.
        """
        return self._report(self, title=title, scene=scene)

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
