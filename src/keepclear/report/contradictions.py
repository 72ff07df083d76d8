"""Checks for reports that contradict themselves: they were edited, truncated or damaged, and prove nothing."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator

from keepclear.errors import ReportError
from keepclear.report.coverage import count_far
from keepclear.report.parts import Contact, Curve, FarPairs, PairReport, Sampling
from keepclear.report.report import Report
from keepclear.results import Verdict

_SEVERITY = {Verdict.CLEAR: 0, Verdict.UNDECIDED: 1, Verdict.COLLIDING: 2}


def check_report(report: Report, label: str) -> None:
    """Raise a `ReportError` if verdicts, times or bounds of a report contradict each other.

    Args:
        report: As read from a file.
        label: Its name in messages.
    """
    for text in _contradictions(report):
        raise ReportError(f"{label} contradicts itself: {text}; write it again.")
    for program in report.programs:
        check_report(program, f"{label}, program {program.program!r}")


def _contradictions(report: Report) -> Iterator[str]:
    """Yield the contradictions in a report, apart from those in its programs."""
    if report.sampling is not None:
        yield from _about_sampling(report, report.sampling)
    yield from _about_verdicts(report)
    yield from _about_disagreements(report)
    if not -math.inf < report.t0 <= report.t1 < math.inf:
        yield f"its interval begins at {report.t0:g} s and ends at {report.t1:g} s"
    if not 0.0 <= report.tolerance < math.inf:
        yield f"its tolerance is {report.tolerance:g} m"
    for (a, b), count in Counter(tuple(sorted((pair.a, pair.b))) for pair in report.pairs).items():
        if a == b:
            yield f"it has a pair of {a!r} with itself"
        elif count > 1 and not report.programs:
            yield f"the pair {a!r} - {b!r} is listed twice"
    for pair in report.pairs:
        interval = None if report.programs else (report.t0, report.t1)  # each program has its own
        for text in _about_pair(pair, interval):
            yield f"the pair {pair.a!r} - {pair.b!r} {text}"
    yield from _about_margins(report)
    yield from _about_objects(report)
    if report.far is not None:
        yield from _about_far(report, report.far)
    for entry in report.unchecked:
        if entry.t_from is not None and entry.t_to is not None and not entry.t_from <= entry.t_to:
            yield f"the pair {entry.a!r} - {entry.b!r} is unchecked from {entry.t_from:g} s to {entry.t_to:g} s"


def _about_verdicts(report: Report) -> Iterator[str]:
    """Yield a text if the verdict is better than that of a pair or program, or worse than all of them."""
    parts: tuple[PairReport | Report, ...] = (*report.pairs, *report.programs)
    for part in parts:
        if _SEVERITY[part.verdict] > _SEVERITY[report.verdict]:
            yield f"its verdict is {report.verdict.value}, but {_name(part)} is {part.verdict.value}"
    if report.verdict is Verdict.COLLIDING and all(part.verdict is not Verdict.COLLIDING for part in parts):
        yield "its verdict is COLLIDING, but no pair in it is"
    if report.verdict is Verdict.UNDECIDED and not report.interrupted:
        is_checked = bool(parts) or (report.far is not None and report.far.count > 0)
        if is_checked and all(part.verdict is not Verdict.UNDECIDED for part in parts):
            yield "its verdict is UNDECIDED, but no pair in it is, and the check was not stopped"


def _about_disagreements(report: Report) -> Iterator[str]:
    """Yield a text for each pair that is CLEAR, or missing, although methods disagree about it."""
    if report.cross_check is None or report.programs:  # each program has its own
        return
    verdicts = {frozenset((pair.a, pair.b)): pair.verdict for pair in report.pairs}
    for one in report.cross_check.disagreements:
        verdict = verdicts.get(frozenset((one.a, one.b)))
        if verdict is None or verdict is Verdict.CLEAR:
            yield f"methods disagree about {one.a!r} - {one.b!r}, which is {'CLEAR' if verdict else 'not listed'}"


def _about_sampling(report: Report, sampling: Sampling) -> Iterator[str]:
    """Yield a text if a sampled pair or report is CLEAR, or if the steps do not match the report."""
    clear = report.records.having(Verdict.CLEAR)
    if report.verdict is Verdict.CLEAR or clear:
        name = _name(clear[0]) if clear else "it"
        yield f"{name} is CLEAR, but was sampled in time, which proves nothing"
    if report.far is not None and report.far.count:
        yield "it was sampled in time, but has far pairs, which are CLEAR"
    n = len(sampling.times)
    if not n == len(sampling.steps) == len(sampling.gaps) or n > sampling.n_asked:
        yield f"it has {n} steps of {sampling.n_asked}, {len(sampling.steps)} states and {len(sampling.gaps)} gaps"
    unknown = next((step for step in sampling.steps if step not in ("FREE", "MAY_TOUCH", "CONTACT")), None)
    if unknown is not None:
        yield f"a step is {unknown!r}, not FREE, MAY_TOUCH or CONTACT"
    if "CONTACT" in sampling.steps and report.verdict is not Verdict.COLLIDING:
        yield f"a step is CONTACT, but its verdict is {report.verdict.value}"
    times = list(sampling.times)
    if times and not (_is_rising(times) and report.t0 <= times[0] and times[-1] <= report.t1):
        yield "its steps do not increase, or are outside of the interval"


def _about_objects(report: Report) -> Iterator[str]:
    """Yield a text for an object of pairs or groups that the report does not list, or lists twice."""
    known = set(report.objects)
    if len(known) < len(report.objects):
        name = next(name for name, n in Counter(report.objects).items() if n > 1)
        yield f"the object {name!r} is listed twice"
    groups = Counter(name for names in report.at_rest for name in names)
    for name, count in groups.items():
        if name not in known or count > 1:
            has = "is in two groups at rest" if count > 1 else "is at rest, but not among its objects"
            yield f"{name!r} {has}"
    if known:
        unknown = next((name for name in report.records.used_names() if name not in known), None)
        if unknown is not None:
            yield f"it has a pair of {unknown!r}, which is not among its objects"


def _about_far(report: Report, far: FarPairs) -> Iterator[str]:
    if not 0.0 <= far.bound < math.inf:
        yield f"its far pairs are at least {far.bound:g} m apart"
    if report.programs:
        in_programs = sum(program.far.count for program in report.programs if program.far is not None)
        if far.count != in_programs:
            yield f"{far.count} pairs are far, but {in_programs} pairs of its programs"
    elif far.count > count_far(report):
        yield f"{far.count} pairs are far, but its objects make only {max(count_far(report), 0)} that are not listed"


def _about_pair(pair: PairReport, interval: tuple[float, float] | None) -> Iterator[str]:
    is_hit = pair.verdict is Verdict.COLLIDING
    if is_hit != (pair.time is not None) or (pair.contacts and not is_hit):
        has = "has no time of contact" if pair.time is None and is_hit else "has a contact"
        yield f"is {pair.verdict.value} and {has}"
    times = [pair.t_lo, *([pair.time] if pair.time is not None else []), pair.t_hi]
    if not _is_rising(times):
        yield f"has times that do not increase: {_listed(times)}"
    if interval is not None:
        yield from _about_interval(pair, times, interval)
    yield from _about_bounds(pair)
    for k, contact in enumerate(pair.contacts):
        yield from _about_contact(contact, f"contact {k}")
    if pair.contacts and pair.time is not None and pair.contacts[0].time != pair.time:
        yield f"touches at {pair.time:g} s, but its first contact is at {pair.contacts[0].time:g} s"
    if pair.hint is not None and not is_hit:
        yield f"is {pair.verdict.value} and has a hint about a contact"
    if not _is_rising([contact.time for contact in pair.contacts]):
        yield "has contacts that are not in the order of time"
    if pair.curve is not None:
        yield from _about_curve(pair.curve)


def _about_interval(pair: PairReport, times: list[float], interval: tuple[float, float]) -> Iterator[str]:
    t0, t1 = interval
    asked = [*times, *(contact.time for contact in pair.contacts)]
    asked += [] if pair.clearance_time is None else [pair.clearance_time]
    outside = [t for t in asked if not t0 <= t <= t1]
    if outside:
        yield f"has a time {outside[0]:g} s outside of the interval from {t0:g} s to {t1:g} s"
    if pair.verdict is Verdict.CLEAR and pair.t_lo < t1:
        yield f"is CLEAR, but proved apart until {pair.t_lo:g} s only, not until {t1:g} s"


def _about_bounds(pair: PairReport) -> Iterator[str]:
    lower, upper = pair.clearance_lower, pair.clearance_upper
    if not (lower >= 0.0 or lower == -math.inf) or not 0.0 <= pair.margin < math.inf:
        yield f"has the margin {pair.margin:g} m and a clearance of at least {lower:g} m"
    if upper is not None and not max(lower, 0.0) <= upper:
        yield f"has a clearance of at least {lower:g} m and at most {upper:g} m"
    if upper is not None and upper <= 0.0 and pair.verdict is Verdict.CLEAR:
        yield f"is CLEAR, but its minimum distance is {upper:g} m"


def _about_margins(report: Report) -> Iterator[str]:
    """Yield a text for each clear pair that comes closer than its margin.

    The margin of an object that may deviate from its path changes with its speed, and reports contain the largest
    margin. Such a pair may come closer than that at another time.
    """
    if any(one.kind == "lag" for one in report.assumptions):
        return
    for pair in report.pairs:
        upper = pair.clearance_upper
        if pair.verdict is Verdict.CLEAR and upper is not None and upper < pair.margin:
            yield (
                f"the pair {pair.a!r} - {pair.b!r} is CLEAR with a margin of {pair.margin:g} m, but its minimum "
                f"distance is {upper:g} m at most"
            )


def _about_contact(contact: Contact, name: str) -> Iterator[str]:
    times = [contact.t_lo, contact.time, contact.t_hi]
    if not _is_rising(times):
        yield f"has {name} with times that do not increase: {_listed(times)}"
    if contact.t_end is not None and not contact.t_end >= contact.time:
        yield f"has {name} that begins at {contact.time:g} s and ends at {contact.t_end:g} s"
    if contact.t_last is not None:
        until = math.inf if contact.t_end is None else contact.t_end
        if not contact.time <= contact.t_last <= until:
            yield f"has {name} at {contact.time:g} s that was last found at {contact.t_last:g} s"

    end = contact.permission_end
    slack = 1e-9 * max(1.0, abs(contact.time))  # the check begins just after the permission
    if end is not None and not contact.t_lo - slack <= end <= contact.t_hi + slack:
        yield f"has {name} at {contact.time:g} s, which is said to go on from a permission that ends at {end:g} s"


def _about_curve(curve: Curve) -> Iterator[str]:
    n = len(curve.times)
    if not n == len(curve.lower) == len(curve.upper) == len(curve.lower_between) + min(n, 1):
        yield f"has a curve of {n} times and {len(curve.lower)} lower and {len(curve.upper)} upper bounds"
    if not _is_rising(list(curve.times)):
        yield "has a curve whose times do not increase"
    for t, low, high in zip(curve.times, curve.lower, curve.upper, strict=False):
        if not low <= high:
            yield f"has a curve that is at least {low:g} m and at most {high:g} m at {t:g} s"


def _is_rising(values: list[float]) -> bool:
    """Return whether no value is less than the one before; False if any value is NaN."""
    return not any(math.isnan(value) for value in values) and all(
        a <= b for a, b in itertools.pairwise(values)
    )


def _listed(times: list[float]) -> str:
    return ", ".join(f"{time:g} s" for time in times)


def _name(part: PairReport | Report) -> str:
    return f"program {part.program!r}" if isinstance(part, Report) else f"the pair {part.a!r} - {part.b!r}"
