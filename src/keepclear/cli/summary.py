"""A report as lines for a terminal: warnings, the verdict, the closest pairs, and what was not checked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from keepclear.cli.terminal import columns_of, padded

if TYPE_CHECKING:
    from keepclear.report.records import PairRecords
    from keepclear.report.report import PairReport, Report
    from keepclear.results import Verdict

__all__ = ["summary_lines", "verdict_style"]

SHOWN_PAIRS = 8  # pairs in the table of a program
SHOWN_TEXTS = 12  # warnings and assumptions, of each kind


def summary_lines(report: Report) -> Iterator[str]:
    """Give the lines of a report, with colours that `click.echo` leaves out where nobody sees them."""
    if report.title:
        yield click.style(report.title, bold=True)
    yield from _texts("warning", report.warnings, "yellow")
    programs = report.programs or (report,)
    rests_on = [[*_not_checked(program), *_assumed(program)] for program in programs]
    shared = [line for line in rests_on[0] if all(line in lines for lines in rests_on)]
    for program, lines in zip(programs, rests_on, strict=True):
        yield _verdict_line(f"{program.program}: " if program.program else "", program)
        yield from _table(program)
        yield from (f"  {line}" for line in lines if line not in shared)
        yield ""
    yield from shared
    if report.programs:
        yield _verdict_line("", report)
    if report.interrupted:
        counts = report.records.verdict_counts()
        is_open = (
            any(n for verdict, n in counts.items() if verdict.value == "UNDECIDED") or not report.n_checked
        )
        left = (
            "what was open by then is UNDECIDED"
            if is_open
            else "all pairs are checked, but distances may be missing"
        )
        yield click.style(f"stopped before the end; {left}", fg="yellow")


def verdict_style(verdict: Verdict) -> str:
    """Return the colour of a verdict."""
    return {"CLEAR": "green", "COLLIDING": "red", "UNDECIDED": "yellow"}[verdict.value]


def _verdict_line(name: str, report: Report) -> str:
    from keepclear.report.words import verdict_text

    word = click.style(report.verdict.value, fg=verdict_style(report.verdict), bold=True)
    return f"{name}{word}: {verdict_text(report)}"


def _table(report: Report) -> Iterator[str]:
    """Give the contacts and the closest pairs, one line each, under a line of titles."""
    shown = _shown_rows(report.records)
    pairs = [report.pairs[row] for row in shown]
    rows = [_row(pair) for pair in pairs]
    if rows:
        width = max(columns_of("pair"), *(columns_of(name) for name, *_ in rows))
        gap = max(len("least distance"), *(len(least) for _, _, least, _ in rows))
        yield click.style(f"  {'pair':<{width}}  {'verdict':<9}  {'least distance':<{gap}}  at", dim=True)
        for pair, (name, verdict, least, time) in zip(pairs, rows, strict=True):
            word = click.style(f"{verdict:<9}", fg=verdict_style(pair.verdict))
            yield f"  {padded(name, width)}  {word}  {least:<{gap}}  {time}".rstrip()
    if report.n_checked > len(shown):
        yield f"  {_others(report, shown)}"


def _shown_rows(records: PairRecords) -> list[int]:
    """Return the rows of the table: what touches or is open in the order of the report, then the closest pairs."""
    import numpy as np

    from keepclear.report.records import VERDICTS
    from keepclear.results import Verdict

    is_clear = records.verdict == VERDICTS.index(Verdict.CLEAR)
    not_clear = np.flatnonzero(~is_clear).tolist()
    is_near = is_clear & ~np.isnan(records.clearance_upper)
    near = [row for row in records.order_by(records.clearance_lower).tolist() if is_near[row]]
    return [*not_clear, *near][: max(SHOWN_PAIRS, min(len(not_clear), 2 * SHOWN_PAIRS))]


def _row(pair: PairReport) -> tuple[str, str, str, str]:
    from keepclear.report.words import clearance
    from keepclear.results import Verdict

    name = f"{pair.a} - {pair.b}"
    if pair.verdict is Verdict.COLLIDING:
        what = f"within {1e3 * pair.margin:g} mm" if pair.margin > 0.0 else "contact"
        if pair.contacts and pair.contacts[0].permission_end is not None:
            what += ", continues when its permission ends"
        return name, pair.verdict.value, what, "" if pair.time is None else f"{pair.time:.4f} s"
    if pair.verdict is Verdict.UNDECIDED:
        return name, pair.verdict.value, "unknown", f"{pair.t_lo:.4f} to {pair.t_hi:.4f} s"
    time = "" if pair.clearance_time is None else f"{pair.clearance_time:.4f} s"
    return name, pair.verdict.value, clearance(pair), time


def _others(report: Report, shown: Sequence[int]) -> str:
    """Return what is said about the pairs that the table leaves out."""
    import numpy as np

    from keepclear.report.words import counted, length, number
    from keepclear.results import Verdict

    n, far = report.n_checked - len(shown), report.far
    rest = report.records.take(np.delete(np.arange(len(report.pairs)), shown))
    n_not_clear = len(rest) - rest.verdict_counts()[Verdict.CLEAR]
    if n_not_clear:
        return f"and {counted(n, 'more pair')}, of which {number(n_not_clear)} not clear"
    bounds = [*rest.clearance_lower.tolist(), *([far.bound] if far is not None and far.count else [])]
    least, more = min(bounds), f"{counted(n, 'more pair')}, proved clear"
    return f"and {more}, by {length(least, 'ROUND_FLOOR')} at least" if least > 0.0 else f"and {more}"


def _not_checked(report: Report) -> Iterator[str]:
    """Give who was not judged, by reason, and when."""
    from keepclear.report.words import REASONS, counted, window

    by: dict[str, list[str]] = {}
    for pair in report.unchecked:
        names = f"{pair.a} - {pair.b}" + (" (touching)" if pair.touching else "")
        when = window(pair)
        reason = (
            pair.detail if pair.reason == "allowed" and pair.detail else REASONS.get(pair.reason, pair.reason)
        )
        by.setdefault(f"{reason}{f', {when}' if when else ''}", []).append(names)
    for reason, pairs in by.items():
        listed = ", ".join(pairs[:3]) + (f" and {len(pairs) - 3} more" if len(pairs) > 3 else "")
        yield f"not checked, {reason}: {counted(len(pairs), 'pair')}: {listed}"


def _assumed(report: Report) -> Iterator[str]:
    texts = list(dict.fromkeys(f"{entry.subject}: {entry.text}" if entry.subject else entry.text
                               for entry in report.assumptions))  # fmt: skip
    yield from _texts("assumed", texts, None)


def _texts(kind: str, texts: Sequence[str], colour: str | None) -> Iterator[str]:
    for text in texts[:SHOWN_TEXTS]:
        yield f"{click.style(f'{kind}:', fg=colour) if colour else f'{kind}:'} {' '.join(text.split())}"
    if len(texts) > SHOWN_TEXTS:
        yield f"{kind}: {len(texts) - SHOWN_TEXTS} more, in the files of the report"
