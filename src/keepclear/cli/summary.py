"""A report as lines for a terminal: warnings, the verdict, the closest pairs, and what was not checked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

import click

from keepclear.cli.progress import columns_of, padded

if TYPE_CHECKING:
    from keepclear.report.parts import CrossCheck, PairReport
    from keepclear.report.report import Report
    from keepclear.results import Verdict

SHOWN_PAIRS = 8  # pairs in the table of a program
SHOWN_OWN = 3  # of a robot's own links
SHOWN_TEXTS = 12  # warnings and assumptions, of each kind
SHOWN_NAMES = 4  # of what something is assumed about
TITLES = ("pair", "result", "minimum distance", "margin", "slack", "at")

T = TypeVar("T")


def summary_lines(report: Report) -> Iterator[str]:
    """Give the lines of a report, with colours that `click.echo` removes outside of terminals."""
    from keepclear.report.records import UNDECIDED
    from keepclear.report.words import shown_warnings

    if report.title:
        yield click.style(report.title, bold=True)
    yield from _texts("warning", shown_warnings(report.warnings), "yellow")
    programs = report.programs or (report,)
    left_out, shared_out = _own_and_shared([list(_not_checked(program)) for program in programs])
    assumed, shared_assumed = _own_and_shared(
        [list(dict.fromkeys((one.subject, one.text) for one in program.assumptions)) for program in programs]
    )
    for program, out, texts in zip(programs, left_out, assumed, strict=True):
        yield _verdict_line(f"{program.program}: " if program.program else "", program)
        yield from _table(program)
        yield from (f"  {line}" for line in (*out, *_assumption_lines(texts)))
        yield ""
    yield from shared_out
    yield from _assumption_lines(shared_assumed)
    if report.programs:
        yield _verdict_line("", report)
    if report.cross_check is not None:
        yield _cross_check_line(report.cross_check)
    if report.interrupted:
        is_open = (report.records.verdict == UNDECIDED).any() or not report.n_checked
        left = (
            "pairs that are still open are UNDECIDED"
            if is_open
            else "all pairs are checked, but some distances may be missing"
        )
        yield click.style(f"stopped before the end; {left}", fg="yellow")


def _cross_check_line(repeated: CrossCheck) -> str:
    from keepclear.report.words import counted

    parts = [f"{counted(repeated.n_confirmed, 'pair')} confirmed by another method"]
    if repeated.unconfirmed:
        parts.append(f"{len(repeated.unconfirmed)} left open")
    wrong = len(repeated.disagreements)
    if wrong:
        parts.append(click.style(f"{counted(wrong, 'pair')} with contradictory answers", fg="red"))
    return f"cross-check: {', '.join(parts)}"


def verdict_style(verdict: Verdict) -> str:
    """Return the colour of a verdict."""
    return {"CLEAR": "green", "COLLIDING": "red", "UNDECIDED": "yellow"}[verdict.value]


def _verdict_line(name: str, report: Report) -> str:
    from keepclear.report.words import shown_verdict, verdict_text

    word = click.style(shown_verdict(report), fg=verdict_style(report.verdict), bold=True)
    return f"{name}{word}: {verdict_text(report)}"


def _table(report: Report) -> Iterator[str]:
    """Give the contacts and the closest pairs, one line each, under a line of titles; a hint is a line below."""
    from keepclear.report.groups import PINNED, groups_of
    from keepclear.report.words import hint_line

    groups = {name: rows for name, rows in _shown_groups(report).items() if rows}
    shown = [row for rows in groups.values() for row in rows]
    texts = {row: _row(report.pairs[row], report.tolerance) for row in shown}
    widths = [max(map(columns_of, column)) for column in zip(TITLES, *texts.values(), strict=True)]
    if shown:
        yield click.style(f"  {_cells(TITLES, widths)}", dim=True)
    for title, rows in groups.items():
        if len(groups) > 1:
            yield click.style(f"  {title}:", dim=True)
        for row in rows:
            pair, (name, result, *rest) = report.pairs[row], texts[row]
            word = click.style(padded(result, widths[1]), fg=verdict_style(pair.verdict))
            yield f"  {padded(name, widths[0])}  {word}  {_cells(rest, widths[2:])}".rstrip()
            if pair.hint is not None and (hint := hint_line(pair.hint)):
                yield click.style(f"    {hint}", dim=True)
    for pin in report.pins:
        if not (groups_of(report.records, [pin]) == PINNED).any():
            yield f"  pinned {pin}: no pair of it is listed; all are far apart or not checked"
    if report.n_checked > len(shown):
        yield f"  {_others(report, shown)}"


def _cells(texts: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(padded(text, width) for text, width in zip(texts, widths, strict=True)).rstrip()


def _shown_groups(report: Report) -> dict[str, list[int]]:
    """Return the rows of the table by group, each by urgency: touches, too close, undecided; then the least slack.

    Where the motion was sampled, all pairs are open: only those that touch or may touch are shown. Of pinned pairs all
    are shown, as far as there are not too many.
    """
    import numpy as np

    from keepclear.report.groups import OWN_LINKS, PINNED, SURROUNDINGS, groups_of
    from keepclear.report.records import CLEAR
    from keepclear.report.words import event_of

    records = report.records
    is_clear = records.verdict == CLEAR
    is_found = ~np.isnan(records.clearance_upper) | ~np.isnan(records.time)
    not_clear = np.flatnonzero(~is_clear & is_found if report.sampling is not None else ~is_clear).tolist()
    if (records.margin[not_clear] > 0.0).any():
        events = ["contact", "too close", "undecided"]
        not_clear.sort(key=lambda row: events.index(event_of(records[row], report.tolerance)))
    is_near = is_clear & ~np.isnan(records.clearance_upper)
    slack = records.clearance_lower - records.margin
    order = records.order_by(slack).tolist()
    near = [row for row in order if is_near[row]]
    group = groups_of(records, report.pins)
    pinned = dict.fromkeys(row for row in (*not_clear, *near, *order) if group[row] == PINNED)
    found = {"pinned": list(pinned)[: 2 * SHOWN_PAIRS]}
    titles = (SURROUNDINGS, "with the surroundings", SHOWN_PAIRS), (OWN_LINKS, "own links", SHOWN_OWN)
    for code, title, most in titles:
        bad, good = ([row for row in rows if group[row] == code] for rows in (not_clear, near))
        found[title] = [*bad, *good][: max(most, min(len(bad), 2 * SHOWN_PAIRS))]
    return found


def _row(pair: PairReport, tolerance: float) -> tuple[str, ...]:
    """Return the texts of a pair under `TITLES`."""
    from keepclear.report.words import between, clearance, event_of, is_open, length, reach, reached
    from keepclear.results import Verdict

    name, margin, time = f"{pair.a} - {pair.b}", length(pair.margin), pair.clearance_time
    if pair.verdict is Verdict.CLEAR:
        upper = pair.clearance_upper
        lower = round(pair.clearance_lower - pair.margin, 12)
        slack = "" if upper is None else between(lower, upper - pair.margin)
        return name, "clear", clearance(pair), margin, slack, "" if time is None else instant(time)
    if pair.verdict is Verdict.UNDECIDED:
        when = f"{instant(pair.t_lo)} to {instant(pair.t_hi)}" if time is None else instant(time)
        return name, "undecided", clearance(pair) or "unknown", margin, "unknown", when
    when = "" if pair.time is None else instant(pair.time)
    if pair.contacts and pair.contacts[0].permission_end is not None:
        when += ", when its permission ends"
    least = reach(pair)
    if event_of(pair, tolerance) == "contact":
        depth = max(-least, 0.0) * (1.0 + 1e-9)  # 40 mm to rounding is not shown as 39.9 mm
        deep = f", at least {length(depth, 'ROUND_FLOOR')} deep" if depth > tolerance else ""
        return name, "touches", f"0 mm{deep}", margin, length(min(least, 0.0) - pair.margin), when
    if is_open(pair) or least >= pair.margin:
        result = "may touch" if is_open(pair) else "too close"
        return name, result, f"at most {margin}", margin, "at most 0 mm", when
    return name, "too close", reached(0.0, least), margin, length(least - pair.margin), when


def instant(t: float) -> str:
    """Return a time of a table: all of them have four decimals."""
    return f"{t:.4f} s"


def _others(report: Report, shown: Sequence[int]) -> str:
    """Return what is said about the pairs that the table leaves out."""
    import numpy as np

    from keepclear.report.words import counted, length, number
    from keepclear.results import Verdict

    n, far = report.n_checked - len(shown), report.far
    if report.sampling is not None:
        return f"{'and ' * bool(shown)}{counted(n, 'more pair' if shown else 'pair')} without contact at any step"
    rest = report.records.take(np.delete(np.arange(len(report.pairs)), shown))
    n_not_clear = len(rest) - rest.verdict_counts()[Verdict.CLEAR]
    if n_not_clear:
        are = "is" if n_not_clear == 1 else "are"
        return f"and {counted(n, 'more pair')}, of which {number(n_not_clear)} {are} not clear"
    bounds = [*rest.clearance_lower.tolist(), *([far.bound] if far is not None and far.count else [])]
    least, more = min(bounds), f"{counted(n, 'more pair')}, proved clear"
    return f"and {more}, by at least {length(least, 'ROUND_FLOOR')}" if least > 0.0 else f"and {more}"


def _not_checked(report: Report) -> Iterator[str]:
    """Give the pairs that were not checked, by reason, and when."""
    from keepclear.report.words import REASONS, counted, window

    by: dict[str, list[str]] = {}
    for pair in report.unchecked:
        names = f"{pair.a} - {pair.b}" + (" (touching or nearly)" if pair.touching else "")
        when = window(pair)
        reason = (
            pair.detail if pair.reason == "allowed" and pair.detail else REASONS.get(pair.reason, pair.reason)
        )
        by.setdefault(f"{reason}{f', {when}' if when else ''}", []).append(names)
    for reason, pairs in by.items():
        listed = ", ".join(pairs[:3]) + (f" and {len(pairs) - 3} more" if len(pairs) > 3 else "")
        yield f"not checked ({reason}): {counted(len(pairs), 'pair')}: {listed}"


def _own_and_shared(of_programs: list[list[T]]) -> tuple[list[list[T]], list[T]]:
    """Return what each program has alone, or with some others, and what all of them have."""
    shared = [one for one in of_programs[0] if all(one in some for some in of_programs)]
    return [[one for one in some if one not in shared] for some in of_programs], shared


def _assumption_lines(assumed: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Give a line for each text, with all that it is said about."""
    subjects: dict[str, list[str]] = {}
    for subject, text in assumed:
        subjects.setdefault(text, []).append(subject)
    texts = []
    for text, names in subjects.items():
        known = names if all(names) else []  # what is said about nothing in particular is said about all
        listed = ", ".join(known[:SHOWN_NAMES])
        listed += f" and {len(known) - SHOWN_NAMES} more" if len(known) > SHOWN_NAMES else ""
        texts.append(f"{listed}: {text}" if listed else text)
    yield from _texts("assumed", texts, None)


def _texts(kind: str, texts: Sequence[str], colour: str | None) -> Iterator[str]:
    for text in texts[:SHOWN_TEXTS]:
        yield f"{click.style(f'{kind}:', fg=colour) if colour else f'{kind}:'} {' '.join(text.split())}"
    if len(texts) > SHOWN_TEXTS:
        yield f"{kind}: {len(texts) - SHOWN_TEXTS} more, in the files of the report"
