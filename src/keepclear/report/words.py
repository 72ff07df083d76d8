"""A report in plain words: the sentences that a terminal, a log and a page show."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal

import numpy as np

from keepclear.query.moving.results import shown_times
from keepclear.report.parts import SAMPLED, FarPairs, Hint, PairReport, Point, Sampling, Unchecked, Waypoints
from keepclear.report.records import UNDECIDED, PairRecords
from keepclear.report.report import Report
from keepclear.results import Verdict

REASONS = {
    "allowed": "allowed",
    "neighbours": "links next to each other",
    "srdf": "disabled by the robot's SRDF",
    "zero pose": "touching in the robot's zero pose",
    "not designated": "not among the selected pairs",
    "at rest": "at rest relative to each other",
    "undecided": "left open when the budget ended",
}
"""Why a pair was not checked, in words; other reasons are shown as they are."""

_NARROW = 1e-5  # [s]: narrower brackets of contacts are not shown; the JSON has all digits
_DIGITS = 3  # significant digits of a length
_FINEST = 1e-6  # [m]: smaller bounds of a distance are not shown
_SHOWN = 4  # a line names at most this many pairs, then the number of the others
_OVERLAP = re.compile(
    r"(?P<pair>.+): they overlap(?: by (?P<depth>[0-9.e+-]+) (?P<unit>mm|m)|[,:] .+), and this is not checked "
    "because .+"
)


def describe(report: Report) -> str:
    """Return a report as a few lines of text; the first one is the verdict, and warnings follow it."""
    warnings = [f"warning: {text}" for text in shown_warnings(report.warnings)]
    lines = [headline(report), *warnings, *_details(report)]
    return "\n  ".join(line for line in lines if line)


def overlap_warning(a: str, b: str, state: str, until: str) -> str:
    """Return the warning about a pair at rest that overlaps; `shown_warnings` recognizes it."""
    return f"{a!r} and {b!r}: {state}, and this is not checked because {until}"


def shown_warnings(warnings: Sequence[str]) -> list[str]:
    """Return warnings for a text: many overlaps at rest as one line, after the others."""
    found = {text: match for text in warnings if (match := _OVERLAP.fullmatch(text)) is not None}
    others = [text for text in warnings if text not in found]
    if len(found) <= _SHOWN:
        return [*others, *found]
    depths = [float(m["depth"]) * (0.001 if m["unit"] == "mm" else 1.0) for m in found.values() if m["depth"]]
    by = ""
    if depths:  # depths of meshes are unknown
        by = (
            f" by up to {length(max(depths))}"
            if len(depths) == len(found)
            else f" by {length(max(depths))} or more"
        )
    names = _listed([match["pair"] for match in found.values()], len(found))
    return [*others, f"{counted(len(found), 'pair')} at rest overlap{by}, and this is not checked: {names}"]


def headline(report: Report) -> str:
    """Return the verdict as one sentence."""
    return f"{report.verdict.value}: {verdict_text(report)}"


def verdict_text(report: Report, *, briefly: bool = False) -> str:
    """Return the sentence of the verdict without the verdict itself; if brief, without brackets and positions."""
    if report.programs:
        return _programs_text(report)
    if report.verdict is Verdict.COLLIDING:
        first = _most_urgent(report)
        if first is None:
            return "contact"
        touches = first.margin > 0.0 and event_of(first, report.tolerance) == "contact"
        return _contact_text(first, briefly=briefly, touches=touches)
    if report.verdict is Verdict.UNDECIDED and report.sampling is not None:
        return _sampling_text(report, report.sampling)
    if report.verdict is Verdict.UNDECIDED:
        n = report.records.verdict_counts()[Verdict.UNDECIDED]
        if not report.n_checked:
            return (
                "the check was stopped before its first pair"
                if report.interrupted
                else "nothing was verified"
            )
        why = "the check was stopped" if report.interrupted else "the budget ended"
        if report.cross_check is not None and report.cross_check.disagreements:
            why = "methods contradict each other, so the check ended"
        found = _found_touching(report.records)
        return f"{why} with {number(n)} of {counted(report.n_checked, 'pair')} undecided, {found}"
    return _clear_text(report.records, report)


def _found_touching(pairs: PairRecords) -> str:
    """Return whether an undecided pair was found within its margin while its minimum distance was searched."""
    undecided = pairs.verdict == UNDECIDED
    row = pairs.least_row(pairs.clearance_upper, undecided & (pairs.clearance_upper <= pairs.margin))
    if row is None:
        return "no contact found so far"
    pair = pairs[row]
    assert pair.clearance_time is not None
    return f"but {pair_title(pair)} was found {clearance(pair)} apart at {moment(pair.clearance_time, 4)} s"


def shown_verdict(report: Report) -> str:
    """Return the verdict as people read it: "TOO CLOSE" instead of COLLIDING where nothing touches.

    A pair whose later contacts were not searched may touch, so that its report stays COLLIDING.
    """
    if report.verdict is not Verdict.COLLIDING:
        return str(report.verdict.value)
    if report.programs:
        words = {shown_verdict(program) for program in report.programs}
        return "COLLIDING" if "COLLIDING" in words else "TOO CLOSE"
    touching = report.records.having(Verdict.COLLIDING)
    if not (touching.margin > 0.0).all():
        return "COLLIDING"
    may_touch = (is_open(pair) or event_of(pair, report.tolerance) == "contact" for pair in touching)
    return "COLLIDING" if not len(touching) or any(may_touch) else "TOO CLOSE"


def _most_urgent(report: Report) -> PairReport | None:
    """Return the first pair that touches, else the first that is too close."""
    first, touching = report.first, report.records.having(Verdict.COLLIDING).sorted()
    if first is None or not (touching.margin > 0.0).any():
        return first
    return next((pair for pair in touching if event_of(pair, report.tolerance) == "contact"), first)


def pair_title(pair: PairReport | Unchecked) -> str:
    """Return the two names of a pair in quotes."""
    return f"{pair.a!r} - {pair.b!r}"


def pair_sentence(pair: PairReport, *, briefly: bool = False) -> str:
    """Return the result of a pair as a sentence without its verdict; if brief, without brackets and positions."""
    if pair.verdict is Verdict.COLLIDING:
        return _contact_text(pair, briefly=briefly)
    if pair.verdict is Verdict.UNDECIDED and pair.proof == SAMPLED:
        if pair.clearance_upper is None or pair.clearance_time is None:
            return f"{pair_title(pair)} has no contact at any step"
        return f"{pair_title(pair)} may touch at {moment(pair.clearance_time)} s, {clearance(pair)} apart"
    if pair.verdict is Verdict.UNDECIDED:
        lo, hi = _distinct(pair.t_lo, pair.t_hi)
        return f"{pair_title(pair)} is undecided from {lo} to {hi} s"
    text = f"{pair_title(pair)} stays apart"
    if pair.margin > 0.0:
        text = f"{pair_title(pair)} keeps its margin of {length(pair.margin)}"
    least = clearance(pair)
    when = f" at {moment(pair.clearance_time, 4)} s" if pair.clearance_time is not None else ""
    return f"{text}, {least}{when}" if least else text


def event_of(pair: PairReport, tolerance: float) -> str:
    """Return the event of a pair according to its contacts: "contact", "too close", "undecided" or "clear"."""
    if pair.verdict is not Verdict.COLLIDING:
        return "clear" if pair.verdict is Verdict.CLEAR else "undecided"
    return contact_event(pair.margin, reach(pair), tolerance)


def reach(pair: PairReport) -> float:
    """Return an upper bound of the minimum distance of a pair, negative if it overlaps; infinite if unknown [m]."""
    known = [c.distance_upper for c in pair.contacts if c.distance_upper is not None]
    return min([*known, *([] if pair.clearance_upper is None else [pair.clearance_upper])], default=math.inf)


def is_open(pair: PairReport) -> bool:
    """Return whether a pair that came within its margin was not searched for the rest: it may touch later."""
    is_searched = pair.curve is not None or all(c.distance_upper is not None for c in pair.contacts)
    return pair.verdict is Verdict.COLLIDING and pair.margin > 0.0 and not is_searched


def contact_event(margin: float, upper: float, tolerance: float) -> str:
    """Return whether a pair that is not clear is in "contact" or "too close".

    It is in contact if it has no margin, or if its shapes were found to touch: at most the tolerance apart. Otherwise
    it only comes closer than its margin.

    Args:
        margin: The margin of the pair [m].
        upper: Its minimum distance is at most this [m].
        tolerance: The tolerance of the report [m].
    """
    return "contact" if margin <= 0.0 or upper <= tolerance else "too close"


def reached(lower: float, upper: float) -> str:
    """Return how close a pair comes that is too close: its minimum distance, or an upper bound of it."""
    return between(lower, upper) if lower > 0.0 else _at_most(upper)


def clearance(pair: PairReport) -> str:
    """Return the minimum distance of a pair in words, never more than is proved; "" if it is unknown.

    The upper bound is that of the distance at `clearance_time`, so that the text is true of that instant too.
    """
    lower, upper = pair.clearance_lower, pair.clearance_upper
    if upper is None:
        return f"more than {length(lower, ROUND_FLOOR)}" if lower > max(pair.margin, 0.0) else ""
    if lower <= 0.0:
        most = _at_most(upper)
        return most.replace("at most", "between 0 and") if pair.verdict is Verdict.CLEAR else most
    return between(lower, upper)


def between(lower: float, upper: float) -> str:
    """Return two bounds of a length, such as "0.937 to 1.33 mm"; one number if three digits are the same."""
    if not 0.0 < lower <= upper < math.inf or _is_narrow(lower, upper):
        return measured(lower, upper)
    low, high = length(lower, ROUND_FLOOR), length(upper * (1.0 - 1e-9), ROUND_CEILING)
    (number, unit), other = low.split(), high.split()[1]
    return f"{number} to {high}" if unit == other else f"{low} to {high}"


def measured(lower: float, upper: float) -> str:
    """Return a length between two bounds in words: rounded to three digits, or the lower bound rounded down.

    It is rounded to the nearest if the bounds differ by less than one unit of the last digit, so that 40 mm known to
    within a micrometre reads "40 mm" and not "39.9 mm". For wider bounds, the text never exceeds the lower one.
    """
    is_known = 0.0 < lower <= upper < math.inf and _is_narrow(lower, upper)
    return length(lower, None if is_known else ROUND_FLOOR)


def _is_narrow(lower: float, upper: float) -> bool:
    """Return whether bounds above 0 differ by less than one unit of the last digit that is shown."""
    value, scale, _ = _shown(lower)
    return (Decimal(upper) - Decimal(lower)) * scale < Decimal(10) ** (value.adjusted() + 1 - _DIGITS)


def length(metres: float, rounding: str | None = None) -> str:
    """Return a length in three digits: millimetres below 0.1 m, else metres; rounded up or down on request."""
    if not math.isfinite(metres):
        return "an unknown distance"
    number, _, unit = _shown(metres)
    context = Context(prec=_DIGITS) if rounding is None else Context(prec=_DIGITS, rounding=rounding)
    return f"{float(context.plus(number)):.6g} {unit}"


def _at_most(upper: float) -> str:
    """Return an upper bound of a distance in words, rounded up to at least a micrometre; 0 is shown as exact."""
    shown = max(upper, _FINEST) * (1.0 - 1e-9)  # 2 mm to rounding is not shown as 2.01 mm
    return f"at most {length(shown, ROUND_CEILING)}" if upper > 0.0 else "0 mm"


def _shown(metres: float) -> tuple[Decimal, int, str]:
    """Return a length in its display unit, the number of these units in a metre, and the unit."""
    scale, unit = (1000, "mm") if abs(metres) < 0.0995 else (1, "m")
    return Decimal(metres) * scale, scale, unit


def moment(t: float, digits: int = 5) -> str:
    """Return a time in seconds without its unit: in this many digits, and to the millisecond from 100 s on.

    Times of recordings may be seconds since 1970, of which a few digits say nothing.
    """
    return f"{t:.{digits}g}" if abs(t) < 100.0 else f"{t:.3f}".rstrip("0").rstrip(".")


def counted(n: int, noun: str) -> str:
    """Return a number and its noun, such as "1 pair", "21 pairs" or "1 999 000 pairs"."""
    return f"{number(n)} {noun}{'s' * (n != 1)}"


def number(n: int) -> str:
    """Return a count as text, in groups of three digits if it has five or more."""
    return str(n) if n < 10_000 else f"{n:,}".replace(",", " ")


def far_text(far: FarPairs) -> str:
    """Return how far apart far pairs are, as a sentence without their number."""
    if far.bound > 0.0:
        return f"swept boxes prove that each stays more than {length(far.bound, ROUND_FLOOR)} apart"
    return "swept boxes prove that each keeps its margin"


def _contact_text(pair: PairReport, *, briefly: bool = False, touches: bool = False) -> str:
    within = f"comes within {length(pair.margin)} of" if pair.margin > 0.0 else "touches"
    text = f"{pair.a!r} {within} {pair.b!r}"
    if pair.time is not None:
        narrow = briefly or pair.t_hi - pair.t_lo < _NARROW
        time, bracket = shown_times(pair.time, pair.t_lo, pair.t_hi)
        text += f" at {moment(pair.time)} s" if narrow else f" at {time} s ({bracket} s)"
    permission = pair.contacts[0].permission_end if pair.contacts else None
    if permission is not None:
        text += f": the contact continues when its permission ends at {moment(permission)} s"
    place = pair.contacts[0].p_W if pair.contacts else None
    if place is not None and not briefly:
        text += ", p_W = ({:.3g}, {:.3g}, {:.3g}) m".format(*(x + 0.0 for x in place))
    return f"{text}, and then touches it" if touches else text


def _clear_text(pairs: PairRecords, report: Report) -> str:
    """Return the sentence about the clear pairs and the far pairs of a report."""
    start, end = _distinct(report.t0, report.t1)
    when = f"from {start} to {end} s" if report.t0 < report.t1 else f"at {start} s"
    n_far = 0 if report.far is None else report.far.count
    n = len(pairs) + n_far
    if not n:
        return f"no pair had to be checked {when}"
    text = f"{counted(n, 'pair')} proved clear {when}"
    if n_far:
        near = {0: "none comes near", 1: "1 comes near"}.get(len(pairs), f"{number(len(pairs))} come near")
        text += f", {near}"
    known = ~np.isnan(pairs.clearance_upper)  # those with a minimum distance, else those with a bound alone
    row = pairs.least_row(pairs.clearance_lower, known if known.any() else ~known)
    closest = None if row is None else pairs[row]
    if closest is not None and closest.clearance_upper is not None:
        closest_at = closest.clearance_time if report.t0 < report.t1 else None
        when = "" if closest_at is None else f" at {moment(closest_at, 4)} s"
        return f"{text}, closest {pair_title(closest)} {clearance(closest)}{when}"
    least = "" if closest is None else clearance(closest)
    if n_far and report.far is not None:
        bound = report.far.bound
        apart = bound if closest is None else min(bound, closest.clearance_lower)
        is_known = apart > 0.0 and (closest is None or least)
        least = f"more than {length(apart, ROUND_FLOOR)}" if is_known else ""
    return f"{text}, {'' if n == 1 else 'all '}{least} apart" if least else text


def _sampling_text(report: Report, sampling: Sampling) -> str:
    """Return the sentence about sampled steps without a contact: nothing is proved between them."""
    n, may_touch = len(sampling.times), sampling.count("MAY_TOUCH")
    if not n:
        return "the simulation was stopped before its first step"
    of = "" if n == sampling.n_asked else f" of {number(sampling.n_asked)}"
    start, end = _distinct(sampling.times[0], sampling.times[-1])
    text = f"sampled at {number(n)}{of} step{'s' * (n != 1 or bool(of))} from {start} to {end} s"
    if may_touch:
        k = sampling.steps.index("MAY_TOUCH")
        text += (
            f", {counted(may_touch, 'possible contact')}, the first at {moment(sampling.times[k])} s with a gap of at "
            f"most {length(sampling.gaps[k], ROUND_CEILING)}"
        )
    else:
        text += ", no contact at any of them"
    stopped = ", and the simulation was stopped" if report.interrupted else ""
    return f"{text}; nothing is proved between steps{stopped}"


def _programs_text(report: Report) -> str:
    total = counted(len(report.programs), "program")
    by = Counter(shown_verdict(program) for program in report.programs)
    if report.verdict is Verdict.CLEAR:
        return f"{total} proved clear"
    words = {
        "COLLIDING": ("collides", "collide"),
        "TOO CLOSE": ("comes too close", "come too close"),
        "UNDECIDED": ("is undecided", "are undecided"),
    }
    parts: list[str] = []
    for verdict, (one, many) in words.items():
        if n := by[verdict]:
            parts.append(f"{n}{'' if parts else f' of {total}'} {one if n == 1 else many}")
    return ", ".join(parts)


def _details(report: Report) -> Iterator[str]:
    if report.programs:
        yield from (f"{program.program!r} {headline(program)}" for program in report.programs)
    else:
        yield from _other_pairs(report)
    yield _not_checked(report.unchecked)
    touching = [pair_title(pair) for pair in report.unchecked if pair.touching]
    if touching:
        within = length(report.tolerance)
        yield f"at rest, touching or within margin and tolerance ({within}): {_listed(touching, len(touching))}"
    if report.interrupted and report.verdict is not Verdict.UNDECIDED:
        yield "the check was stopped before its end"


def _other_pairs(report: Report) -> Iterator[str]:
    first, touching = _most_urgent(report), report.records.having(Verdict.COLLIDING).sorted()
    if len(touching) > 1:
        others = (pair for pair in touching if pair != first)
        contacts = [
            f"{pair_title(pair)}{'' if pair.time is None else f' at {moment(pair.time, 4)} s'}"
            for pair in itertools.islice(others, _SHOWN)
        ]
        n = len(touching) - 1
        yield f"{_more_events(report, touching)}: {_listed(contacts, n)}"
    open_pairs = report.records.having(Verdict.UNDECIDED)
    if open_pairs and report.sampling is not None:
        near = [pair_sentence(pair) for pair in open_pairs if pair.clearance_upper is not None]
        yield f"possible contacts: {_listed(near, len(near))}" if near else ""
    elif open_pairs:
        shown = [pair_sentence(pair) for pair in open_pairs[:_SHOWN]]
        yield f"undecided: {_listed(shown, len(open_pairs))}"
    clear = report.records.having(Verdict.CLEAR)
    if report.verdict is not Verdict.CLEAR and (clear or (report.far is not None and report.far.count)):
        yield _clear_text(clear, report)


def _more_events(report: Report, touching: PairRecords) -> str:
    """Return how many pairs besides the first are in contact, and how many are only too close."""
    if not (touching.margin > 0.0).any():
        return counted(len(touching) - 1, "more contact")
    first = _most_urgent(report)
    events = Counter(event_of(pair, report.tolerance) for pair in touching if pair != first)
    parts = [counted(events["contact"], "more contact")] if events["contact"] else []
    if events["too close"]:
        parts.append(f"{number(events['too close'])}{'' if parts else ' more'} too close")
    return ", ".join(parts)


def _not_checked(unchecked: Sequence[Unchecked]) -> str:
    if not unchecked:
        return ""
    whole = [pair for pair in unchecked if pair.t_from is None and pair.t_to is None]
    by = Counter(REASONS.get(pair.reason, pair.reason) for pair in whole)
    reasons = [f"{number(n)} {reason}" for reason, n in by.most_common()]
    for pair in unchecked:
        if pair.t_from is not None or pair.t_to is not None:
            reasons.append(f"{pair_title(pair)} {window(pair)} {REASONS.get(pair.reason, pair.reason)}")
    return f"not checked: {'; '.join(reasons)}"


def window(pair: Unchecked) -> str:
    """Return when a pair was not checked; "" for the whole interval."""
    start = "" if pair.t_from is None else f"from {moment(pair.t_from, 4)} s"
    end = "" if pair.t_to is None else f"until {moment(pair.t_to, 4)} s"
    return " ".join(filter(None, [start, end]))


def _listed(texts: Sequence[str], n: int) -> str:
    """Return the first of n texts, and the number of the others."""
    more = n - _SHOWN
    shown = ", ".join(texts[:_SHOWN])
    return f"{shown} and {number(more)} more" if more > 0 else shown


def _distinct(lo: float, hi: float) -> tuple[str, str]:
    """Return two times with enough digits to distinguish them."""
    digits = 4
    while lo < hi and digits < 17 and f"{lo:.{digits}g}" == f"{hi:.{digits}g}":
        digits += 1
    return f"{lo:.{digits}g}", f"{hi:.{digits}g}"


def fix_text(moves: str, shift_W: Point, time: float, near: Waypoints | None) -> str:
    """Return a shift as a sentence: lift or lower along z, else move."""
    x, y, z = shift_W
    if x == y == 0.0:
        what = f"{'lift' if z > 0.0 else 'lower'} {moves!r} by {_millimetres(abs(z))} mm"
    else:
        what = f"move {moves!r} by ({', '.join(map(_millimetres, shift_W))}) mm"
    where = "" if near is None else _nearest_text(near, time)
    return f"{what} {where or f'at {moment(time, 4)} s'}"


def hint_line(hint: Hint) -> str:
    """Return a hint as one line: the waypoints around the contact, its duration and depth, and what to do."""
    parts = [] if hint.around is None else [waypoints_text(hint.around)]
    if hint.duration > 0.0:
        parts.append(f"for {moment(hint.duration, 3)} s")
    if hint.depth is not None:
        parts.append(f"at least {length(hint.depth, 'ROUND_FLOOR')} deep")
    text = hint.text
    if hint.around is not None and hint.around.file:  # the file is named once
        text = text.removesuffix(f" of {hint.around.file}")
    return "; ".join(filter(None, [", ".join(parts), text]))


def waypoints_text(found: Waypoints) -> str:
    """Return two waypoints in words."""
    if found.row_first is not None and found.row_last is not None:
        if found.row_first == found.row_last:
            return f"row {found.row_first} of {found.file}"
        return f"rows {found.row_first} to {found.row_last} of {found.file}"
    if found.file:
        return f"samples {found.first + 1} to {found.last + 1} of {found.file}"  # a file without rows, such as YAML
    if found.first == found.last:
        return f"waypoint {found.first} of {found.of!r}"
    return f"waypoints {found.first} to {found.last} of {found.of!r}"


def _nearest_text(near: Waypoints, time: float) -> str:
    is_first = time - near.t_first <= near.t_last - time
    row = near.row_first if is_first else near.row_last
    if row is not None:
        return f"near row {row} of {near.file}"
    if near.file:
        return f"near sample {(near.first if is_first else near.last) + 1} of {near.file}"
    return f"near waypoint {near.first if is_first else near.last} of {near.of!r}"


def _millimetres(metres: float) -> str:
    return f"{1e3 * metres + 0.0:.6g}"
