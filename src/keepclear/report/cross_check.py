"""The part of a report about findings that were repeated by an independent method."""

from __future__ import annotations

from dataclasses import dataclass

from keepclear.results import Verdict

__all__ = ["Answer", "CrossCheck", "Disagreement"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The result of one method for a pair.

    Attributes:
        method: "hybrid", "bisection", "exact" or "bisect_exact"; "swept boxes" or "hulls" if these proved it.
        verdict: CLEAR, COLLIDING or UNDECIDED.
        time: When contact begins; None unless COLLIDING [s].
        t_lo: The objects are proved apart until this time [s].
        t_hi: COLLIDING: they are in contact at this time, or, where it equals `time`, within margin and tolerance.
            UNDECIDED: nothing is known from t_lo to this time [s].
    """

    method: str
    verdict: Verdict
    time: float | None
    t_lo: float
    t_hi: float

    def __str__(self) -> str:
        when = f"at {self.time:.9g} s" if self.time is not None else f"until {self.t_lo:.9g} s"
        return f"{self.method}: {self.verdict.value} {when}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """A pair about which two methods contradict each other: at least one of them is wrong.

    Attributes:
        a: Name of the first object.
        b: Name of the second.
        reason: The contradiction, as a sentence.
        first: The result of the verification.
        second: The result of the independent method.
        program: The program of the pair; "" if there is only one.
    """

    a: str
    b: str
    reason: str
    first: Answer
    second: Answer
    program: str = ""

    def __str__(self) -> str:
        return f"methods disagree about '{self.a}' - '{self.b}': {self.first}; {self.second}; {self.reason}"


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossCheck:
    """Findings repeated by an independent method.

    Attributes:
        n_confirmed: The number of pairs whose results do not contradict each other.
        unconfirmed: Pairs, (name, name), that the independent method could not decide, or not within the budget.
        disagreements: Pairs about which the methods contradict each other.
    """

    n_confirmed: int
    unconfirmed: tuple[tuple[str, ...], ...] = ()
    disagreements: tuple[Disagreement, ...] = ()
