"""The parts of a report: what it says about a pair, and where it comes from."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from keepclear.results import Verdict

__all__ = ["PairReport"]

RULE = (
    "All pairs of the objects that are not listed in `pairs`, not `unchecked` for the whole interval, and not in one "
    "group of `at_rest`."
)
"""The default description of far pairs."""

SAMPLED = "sampled in time"
"""The value of `proof` for a pair that was checked at some instants; nothing is proved between them."""

Point = tuple[float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Waypoints:
    """The two waypoints of a motion around an instant.

    Attributes:
        of: The object or robot whose motion it is.
        first: The last waypoint at or before the instant, counted from 0, as in `motion.times`.
        last: The next waypoint; `first` beyond the last one.
        t_first: The time of `first` [s].
        t_last: The time of `last` [s].
        file: The file that has them, relative to the folder of the cell; "" if they come from no file.
        row_first: The line of `first` in the file, counted from 1, as editors and spreadsheets do; None if unknown.
        row_last: The line of `last`.
    """

    of: str
    first: int
    last: int
    t_first: float
    t_last: float
    file: str = ""
    row_first: int | None = None
    row_last: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """How to correct a contact; about its two objects only, and about one instant.

    Attributes:
        around: The waypoints around the start of the first contact; None for a motion without waypoints.
        time: The worst instant found, at which the shift is longest [s].
        near: The waypoints around that instant.
        duration: The pair is within its margin for at least this long, in all its contacts that were searched [s].
        depth: The objects overlap by at least this at some instant [m]; None where no depth is known: meshes.
        moves: The object or link that the shift moves.
        shift_W: A shift in the world that restores the margin at `time` [m]; None if none was found.
        distance_lower: After it the two are at least this far apart at `time`, certified [m].
        text: The shift as a sentence; "" if none was found.
    """

    around: Waypoints | None
    time: float
    near: Waypoints | None
    duration: float
    depth: float | None = None
    moves: str = ""
    shift_W: Point | None = None
    distance_lower: float | None = None
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """A time at which two objects are within their margin.

    Attributes:
        time: When it begins, at most `t_hi` and at least `t_lo` [s].
        t_lo: Until here the objects are proved apart [s].
        t_hi: Here they are within margin and tolerance [s].
        t_end: When they are proved apart again; None if they are not, or if that was not computed [s].
        p_W: A point of contact in the world [m], None where unknown.
        normal_W: The direction from A to B there, None where unknown.
        permission_end: When the permission to touch ends, where the objects are in contact then and the contact
            continues; None for a contact that begins otherwise [s].
        t_last: The last instant at which they were found within their margin during this contact; None if that was
            not computed [s].
        distance_upper: At some instant of the contact they are at most this far apart [m]; negative if they overlap by
            at least that depth. None if it was not computed, or for meshes without a margin, which have no depth.
    """

    time: float
    t_lo: float
    t_hi: float
    t_end: float | None = None
    p_W: Point | None = None
    normal_W: Point | None = None
    permission_end: float | None = None
    t_last: float | None = None
    distance_upper: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Curve:
    """Certified bounds of a distance over time: at each instant lower <= distance <= upper.

    Attributes:
        times: (n,) increasing [s].
        lower: (n,) [m].
        upper: (n,) [m].
        lower_between: (n - 1,) a lower bound for all times between an instant and the next [m].
    """

    times: tuple[float, ...]
    lower: tuple[float, ...]
    upper: tuple[float, ...]
    lower_between: tuple[float, ...]

    def __repr__(self) -> str:
        least = f", at least {min(self.lower):.6g} m" if self.lower else ""
        return f"Curve({len(self.times)} instants{least})"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactHistory:
    """The contacts of a pair, how long each lasts, and how close the pair comes.

    Attributes:
        contacts: In the order of time, with `t_last`, and `t_end` where the pair separates again.
        least: For each contact, certified bounds of the least distance during it, None where the margin is 0 [m].
        left: The time from which contacts were not searched [s]; None: all were found.
        rest: Certified bounds of the least distance from there on, or over contacts whose own was not searched, while
            the pair is checked; None where that was not searched, or where nothing was left out [m].
        queries: How many distance queries it took.
    """

    contacts: tuple[Contact, ...]
    least: tuple[tuple[float, float] | None, ...]
    left: float | None = None
    rest: tuple[float, float] | None = None
    queries: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, weakref_slot=True)
class PairReport:
    """The result for two objects over the interval.

    Attributes:
        a: Name of the first, such as "arm/forearm".
        b: Name of the second.
        verdict: CLEAR, COLLIDING or UNDECIDED.
        time: When contact begins, None unless COLLIDING [s].
        t_lo: They are proved apart until this time; the end of the interval if CLEAR [s].
        t_hi: COLLIDING: they are in contact at this time, or, where it equals `time`, within margin and tolerance.
            UNDECIDED: nothing is known from t_lo to this time [s].
        margin: The margin of the pair; the largest, if it changes [m].
        clearance_lower: The minimum distance over the interval is at least this [m].
        clearance_upper: It is at most this [m]; None where it was not computed: a far pair.
        clearance_time: When the distance is `clearance_upper`, None where there is none [s].
        p_WA: The point of A closest to B then, None where unknown [m].
        p_WB: The point of B closest to A then, None where unknown [m].
        contacts: The first contact, or all of them with contacts="all"; none if CLEAR.
        curve: The distance over time, None without `curves`.
        proof: The method of proof: "swept boxes", "hulls" or "exact shapes"; "sampled in time" if nothing is proved.
        evaluations: The number of distances that were computed.
        program: The program of this result, "" where there is only one.
        hint: COLLIDING, with hints: the waypoints around the contact, and a shift that restores the margin.
    """

    a: str
    b: str
    verdict: Verdict
    time: float | None
    t_lo: float
    t_hi: float
    margin: float = 0.0
    clearance_lower: float = 0.0
    clearance_upper: float | None = None
    clearance_time: float | None = None
    p_WA: Point | None = None
    p_WB: Point | None = None
    contacts: tuple[Contact, ...] = ()
    curve: Curve | None = None
    proof: str = ""
    evaluations: int = 0
    program: str = ""
    hint: Hint | None = None

    def __str__(self) -> str:
        from keepclear.report.words import pair_sentence

        return f"{self.verdict.value}: {pair_sentence(self)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unchecked:
    """A pair that was not checked, or not all the time, and why.

    Attributes:
        a: Name of the first.
        b: Name of the second.
        reason: "allowed", "neighbours" (links next to each other), "srdf" (the robot's file disables them), "zero pose"
            (links that touch in the zero pose), "not designated" (other pairs were selected), "at rest" (they have not
            moved relative to each other), "undecided" (a budget ended before all contacts were found).
        detail: A sentence, such as the reason that an SRDF gives.
        touching: Whether they touch or are within margin and tolerance, where that was checked ("at rest"), else None.
        t_from: The time from which they were not checked [s]; None: the start.
        t_to: The time until which they were not checked [s]; None: the end.
    """

    a: str
    b: str
    reason: str
    detail: str = ""
    touching: bool | None = None
    t_from: float | None = None
    t_to: float | None = None


@dataclass(frozen=True, slots=True)
class FarPairs:
    """The pairs that were checked and are not listed, because boxes around their motions prove that they stay apart.

    Attributes:
        count: How many pairs.
        bound: Each of them is farther apart than this at all times at which it is checked [m]; 0: than its margin.
        rule: Which pairs these are, as a sentence.
    """

    count: int
    bound: float
    rule: str = RULE


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Sampling:
    """The steps of a simulation: results at some instants; nothing is known about the time between them.

    Attributes:
        n_asked: How many steps were requested; fewer were checked if something touched, or may touch.
        times: (n,) the steps that were checked, increasing [s].
        steps: (n,) "FREE" (proved for that instant), "MAY_TOUCH" or "CONTACT".
        gaps: (n,) MAY_TOUCH: some pair is not farther apart than this [m]; else NaN.
    """

    n_asked: int
    times: tuple[float, ...]
    steps: tuple[str, ...]
    gaps: tuple[float, ...]

    def count(self, step: str) -> int:
        """Return how many steps have a state."""
        return self.steps.count(step)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sampling):
            return NotImplemented
        mine, theirs = ((s.n_asked, s.times, s.steps, tuple(map(repr, s.gaps))) for s in (self, other))
        return mine == theirs

    def __hash__(self) -> int:
        return hash((self.n_asked, self.times, self.steps))

    def __repr__(self) -> str:
        return f"Sampling({len(self.times)} of {self.n_asked} steps)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumption:
    """An assumption of a verdict, which was not proved.

    Attributes:
        kind: "hold", "interpolation", "unit", "limits", "lag", "tolerance", "shape", "interval", "selection",
            "sampling", "method" (which one answered), or "note" (a sentence of the cell file).
        subject: The object or file that it concerns.
        text: A sentence.
    """

    kind: str
    subject: str
    text: str


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


@dataclass(frozen=True, slots=True, kw_only=True)
class InputFile:
    """A file that a report depends on.

    Attributes:
        path: The file, relative to the folder of the cell.
        sha256: SHA-256 of its bytes in hexadecimal digits.
        size: Its size [bytes].
    """

    path: str
    sha256: str
    size: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The origin of a report: version, date, platform, input files with their digests, and settings.

    Attributes:
        version: The version of keepclear.
        sources: A digest of the sources that decide verdicts.
        date: When the check ended, in UTC, as in ISO 8601.
        command: A command that makes the report; for people, never run.
        platform: System, processor, and versions of Python and of libraries.
        cell: The cell file, relative to the folder of the report.
        inputs: The cell and all files that it names, sorted by path.
        settings: The options of `kc.verify`; None: as the cell says.
    """

    version: str
    sources: str = ""
    date: str
    command: str = ""
    platform: str = ""
    cell: str
    inputs: tuple[InputFile, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)


def path_from(folder: str | os.PathLike[str], path: str | os.PathLike[str]) -> str:
    """Return a path relative to a folder, with slashes; only its name if they have no folder in common but the root.

    So the folders of a machine are not told in files that are handed over.
    """
    start, end = Path(os.path.abspath(folder)), Path(os.path.abspath(path))  # noqa: PTH100 - links stay as they are
    shared = 0
    while shared < min(len(start.parts), len(end.parts)) and start.parts[shared] == end.parts[shared]:
        shared += 1
    if shared <= 1 and len(start.parts) > 1:
        return end.name
    return "/".join([".."] * (len(start.parts) - shared) + list(end.parts[shared:]))
