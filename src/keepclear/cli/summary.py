"""A report as lines for a terminal: warnings, the verdict, the closest pairs, and what was not checked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
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
        yield from _table(program.pairs)
        yield from (f"  {line}" for line in lines if line not in shared)
        yield ""
    yield from shared
    if report.programs:
        yield _verdict_line("", report)
    if report.interrupted:
        is_open = any(pair.verdict.value == "UNDECIDED" for pair in report.pairs) or not report.pairs
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


def _table(pairs: Sequence[PairReport]) -> Iterator[str]:
    """Give the contacts and the closest pairs, one line each, under a line of titles."""
    from keepclear.results import Verdict

    open_or_touching = [pair for pair in pairs if pair.verdict is not Verdict.CLEAR]
    near = [pair for pair in pairs if pair.verdict is Verdict.CLEAR and pair.clearance_upper is not None]
    near.sort(key=lambda pair: (pair.clearance_lower, pair.a, pair.b))
    shown = [*open_or_touching, *near][: max(SHOWN_PAIRS, min(len(open_or_touching), 2 * SHOWN_PAIRS))]
    rows = [_row(pair) for pair in shown]
    if rows:
        width = max(len("pair"), *(len(name) for name, *_ in rows))
        gap = max(len("least distance"), *(len(least) for _, _, least, _ in rows))
        yield click.style(f"  {'pair':<{width}}  {'verdict':<9}  {'least distance':<{gap}}  at", dim=True)
        for pair, (name, verdict, least, time) in zip(shown, rows, strict=True):
            word = click.style(f"{verdict:<9}", fg=verdict_style(pair.verdict))
            yield f"  {name:<{width}}  {word}  {least:<{gap}}  {time}".rstrip()
    if len(pairs) > len(shown):
        yield f"  {_others(pairs, shown)}"


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


def _others(pairs: Sequence[PairReport], shown: Sequence[PairReport]) -> str:
    """Return what is said about the pairs that the table leaves out."""
    from keepclear.report.words import counted, length
    from keepclear.results import Verdict

    seen = {id(pair) for pair in shown}
    rest = [pair for pair in pairs if id(pair) not in seen]
    clear = [pair for pair in rest if pair.verdict is Verdict.CLEAR]
    if len(clear) < len(rest):
        return f"and {counted(len(rest), 'more pair')}, of which {len(rest) - len(clear)} not clear"
    least = min(pair.clearance_lower for pair in clear)
    more = f"{counted(len(rest), 'more pair')}, proved clear"
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
