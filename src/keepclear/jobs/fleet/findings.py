"""Findings of a fleet for code review: each with rule, level and source line; SARIF and GitHub's commands."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import quote

from keepclear.jobs.cell.locations import CellLines, Location
from keepclear.jobs.fleet.changes import Cause, Change, causes_of, checked_pairs
from keepclear.jobs.fleet.results import UNREAD, ProgramResult
from keepclear.report.json_file import json_text
from keepclear.report.words import counted, pair_sentence, verdict_text
from keepclear.results import Verdict

_MISTAKE = re.compile(r"(?P<file>.+?):(?P<line>[0-9]{1,9}):(?P<column>[0-9]{1,9}): (?P<text>.+)", re.DOTALL)


_NUMBER = re.compile(r"(?P<name>'[^']*')|(?<![\w.])-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?(?!\w)")
ROWS = 3
"""How many findings of one cause stand at their lines where few are shown."""
_STATES = {
    "contact": "in contact or closer than their margin", "undecided": "undecided",
    "clearance-fell": "closer than before", "pair-gone": "not checked any more",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rule:
    """A kind of finding: its level ("error", "warning" or "note"), a title, and a sentence about it."""

    level: str
    title: str
    text: str


RULES = {
    "contact": Rule("error", "Contact", "Two bodies touch, or come closer than their margin."),
    "undecided": Rule("warning", "Undecided pair", "Nothing is proved about a pair: a budget ended first."),
    "clearance-fell": Rule("error", "Clearance fell", "A proved clearance fell by more than the limit."),
    "pair-gone": Rule("warning", "Pair not checked any more", "The baseline checked a pair, and this run did not."),
    "input": Rule("error", "Bad input", "A cell, or a file that it names, has an error: nothing was verified."),
    "not-run": Rule("error", "Not run", "Programs were not verified: the run was stopped before."),
    "job": Rule("error", "Failed job", "A program has no result: its job failed."),
    "time-limit": Rule("error", "Time limit", "A program has no result: its job reached its time limit."),
    "warning": Rule("warning", "Warning", "Something in a cell that should be checked by a person."),
}  # fmt: skip
"""The kinds of findings by their ids."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding for a reviewer.

    Attributes:
        rule: The key of its rule in `RULES`.
        text: A sentence, with the name of the program.
        location: The line of the cell or motion file that causes it.
        subject: Cell, program, variant and pair; they identify the finding across runs.
        about: The pair of a program that it is about, as a change; None for all other findings.
    """

    rule: str
    text: str
    location: Location
    subject: str
    about: Change | None = None

    @property
    def level(self) -> str:
        """The level of its rule."""
        return RULES[self.rule].level

    @property
    def fingerprint(self) -> str:
        """A digest of rule and subject that is the same in every run."""
        return hashlib.sha256(f"{self.rule}\0{self.subject}".encode("utf-8", "replace")).hexdigest()[:32]


def findings_of(results: Iterable[ProgramResult], changes: Iterable[Change] = ()) -> list[Finding]:
    """Return the findings of all programs, sorted by the names of the programs, contacts first.

    Args:
        results: The results.
        changes: Changes since a baseline; clearances that fell and pairs that are gone become findings.
    """
    lines: dict[str, CellLines] = {}
    by_name = {one.key: one for one in results}
    found = [
        finding
        for _, result in sorted(by_name.items())
        if not result.not_run
        for finding in _of_result(result, _lines(lines, result.cell))
    ]
    if text := not_run_text(by_name.values()):
        cell = min(one.cell for one in by_name.values() if one.not_run)
        found.append(Finding("not-run", text, Location(cell, 1, 1), "not run"))
    for change in changes:
        one = by_name.get(change.key)
        if one is not None and change.kind in ("clearance", "gone pair"):
            found.append(_of_change(change, one, _lines(lines, change.cell)))
    order = list(RULES)
    return sorted(found, key=lambda finding: order.index(finding.rule))


def not_run_text(results: Iterable[ProgramResult]) -> str:
    """Return how many programs were not run, and why; "" if all were."""
    every = list(results)
    reasons = [one.failure for one in every if one.not_run]
    if not reasons:
        return ""
    were = "was" if len(reasons) == 1 else "were"
    unread = sum(text.endswith(UNREAD) for text in reasons)
    cells = f"; {counted(unread, 'cell')} among them not read, each counted as one program" if unread else ""
    return f"{len(reasons)} of {counted(len(every), 'program')} {were} {min(reasons).removesuffix(UNREAD)}{cells}"


def _lines(known: dict[str, CellLines], cell: str) -> CellLines:
    if cell not in known:
        known[cell] = CellLines(cell)
    return known[cell]


def _of_result(result: ProgramResult, lines: CellLines) -> Iterator[Finding]:
    report = result.report
    if report is None:
        yield from _of_failure(result, lines)
        return
    records = report.records
    for verdict, rule in ((Verdict.COLLIDING, "contact"), (Verdict.UNDECIDED, "undecided")):
        for pair in records.having(verdict):
            time = pair.time if verdict is Verdict.COLLIDING else pair.t_lo
            where = lines.pair(pair.a, pair.b, result.program, _own_time(result, time))
            subject = f"{result.name}\0{pair.a}\0{pair.b}"
            about = Change("verdict", *result.key, pair.a, pair.b, after=verdict.value)
            yield Finding(rule, f"{result.name}: {pair_sentence(pair)}", where, subject, about)
    if result.verdict is Verdict.UNDECIDED and not records.verdict_counts()[Verdict.UNDECIDED]:
        text = verdict_text(report, briefly=True)
        yield Finding("undecided", f"{result.name}: {text}", lines.program(result.program), result.name)
    for text in report.warnings:
        where = lines.program(result.program)
        yield Finding("warning", f"{result.name}: {text}", where, f"{result.name}\0{text}")


def _own_time(result: ProgramResult, time: float | None) -> float | None:
    """Return the time in the motion files of a program; None for a variant with a different speed."""
    return None if "speed=" in result.variant else time


def _of_failure(result: ProgramResult, lines: CellLines) -> Iterator[Finding]:
    """Yield a finding for each error of a cell, at its line, or one finding for a failed job."""
    rule = {2: "input", 3: "time-limit"}.get(result.failure_code, "job")
    for text in result.failure.splitlines() or [result.failure]:
        match = _MISTAKE.fullmatch(text)
        if match is not None and match["file"].partition(" [")[0] == result.cell:
            column = 1 if result.variant else int(match["column"])
            line = (
                1 if result.variant else int(match["line"])
            )  # lines of a variant differ from those of the file
            yield Finding(
                rule,
                match["text"],
                Location(result.cell, max(line, 1), max(column, 1)),
                f"{result.name}\0{text}",
            )
        else:
            where = lines.program(result.program)
            yield Finding(rule, f"{result.name}: {text}", where, f"{result.name}\0{rule}")


def _of_change(change: Change, result: ProgramResult, lines: CellLines) -> Finding:
    subject = f"{result.name}\0{change.a}\0{change.b}"
    if change.kind == "gone pair":
        return Finding("pair-gone", str(change), lines.object(change.a), subject, change)
    time = None
    if result.report is not None:
        rows = result.report.records.rows_of(change.a, change.b)
        time = result.report.pairs[rows[0]].clearance_time if rows else None
    where = lines.pair(change.a, change.b, result.program, _own_time(result, time))
    return Finding("clearance-fell", str(change), where, subject, change)


def by_cause(findings: Sequence[Finding], results: Sequence[ProgramResult]) -> list[Finding]:
    """Return the findings for readers who see only a few: one for each cause first, then some of its findings.

    A cause of more than `ROWS` findings about pairs of a cell is one finding at the object that they have in common,
    and `ROWS` of them follow. Warnings of programs of a cell that differ in numbers only are one.

    Args:
        findings: The findings, as `findings_of` returns them.
        results: The results that they are about.
    """
    lines: dict[str, CellLines] = {}
    checked = checked_pairs(one.report for one in results if one.report is not None)
    found = []
    for rule in RULES:
        same = [one for one in findings if one.rule == rule]
        of_pairs: dict[Change, Finding] = {one.about: one for one in same if one.about is not None}
        rows = [one for one in same if one.about is None]
        if rule == "warning":
            rows = _warnings(rows, results, lines)
        for cause in causes_of(list(of_pairs), checked):
            for cell in sorted({one.cell for one in cause.changes}):
                changes = [one for one in cause.changes if one.cell == cell]
                rows += [of_pairs[one] for one in changes[:ROWS]]
                if len(changes) > ROWS:
                    found.append(_of_cause(cause, changes, of_pairs[changes[0]], _lines(lines, cell)))
        found += rows
    return found


def _of_cause(cause: Cause, changes: Sequence[Change], first: Finding, lines: CellLines) -> Finding:
    """Return the finding about what many pairs of a cell have in common, at the object that does not move if any."""
    names = sorted(cause.objects, key=lines.moves)
    n = len({(one.program, one.variant) for one in changes})
    what = f"{counted(len(changes), 'pair')} {_STATES[first.rule]} in {counted(n, 'program')}"
    text = f"{changes[0].cell}: {cause.subject}: {what}, such as {first.text}"
    where = lines.object(names[0]) if names else lines.program("")
    return Finding(first.rule, text, where, f"{changes[0].cell}\0{cause.subject}")


def _warnings(
    found: Sequence[Finding], results: Sequence[ProgramResult], lines: dict[str, CellLines]
) -> list[Finding]:
    """Return warnings, those of several programs of a cell that have one cause as one finding."""
    groups: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for result in results:
        for text in dict.fromkeys(result.report.warnings) if result.report is not None else ():
            groups.setdefault((result.cell, plain_cause(text)), []).append((result.name, text))
    by = {one.subject: one for one in found}
    made = []
    for (cell, cause), entries in groups.items():
        (name, text), n = entries[0], len({name for name, _ in entries})
        first = by[f"{name}\0{text}"]
        if n > 1:
            where = _lines(lines, cell).named(text) or Location(cell)
            first = Finding(
                "warning",
                f"{first.text} (and {counted(n - 1, 'more program')} of {cell})",
                where,
                f"{cell}\0{cause}",
            )
        made.append(first)
    return made


def plain_cause(text: str) -> str:
    """Return a warning with "#" in place of numbers: warnings that differ in numbers only have one cause.

    Examples:
        >>> plain_cause("arm: joint 'wrist 3' moves at 2.07 rad/s, faster than its limit of 1.5 rad/s")
        "arm: joint 'wrist 3' moves at # rad/s, faster than its limit of # rad/s"
    """
    return _NUMBER.sub(lambda match: match["name"] or "#", text)


SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
BASE = "%SRCROOT%"
_GITHUB = {"error": "error", "warning": "warning", "note": "notice"}
_HALF = ("utf-8", "surrogateescape")


def sarif_text(findings: Sequence[Finding], failures: Sequence[str] = ()) -> str:
    """Return findings as a SARIF 2.1.0 log with one run.

    Args:
        findings: The findings.
        failures: Why programs have no report; without any, the run was successful.
    """
    ids = list(RULES)
    rules = [
        {
            "id": name,
            "name": rule.title.title().replace(" ", ""),
            "shortDescription": {"text": rule.title},
            "fullDescription": {"text": rule.text},
            "defaultConfiguration": {"level": rule.level},
        }
        for name, rule in RULES.items()
    ]
    driver = {"name": "keepclear", "version": version("keepclear"), "rules": rules}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": not failures,
                "toolExecutionNotifications": [
                    {"level": "error", "message": {"text": _whole(text)}} for text in failures
                ],
            }
        ],
        "results": [_result(finding, ids.index(finding.rule)) for finding in findings],
    }
    return json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}) + "\n"


def _result(finding: Finding, rule: int) -> dict[str, Any]:
    uri = _uri(finding.location.file)
    artifact = {"uri": uri} if uri.startswith("file:") else {"uri": uri, "uriBaseId": BASE}
    region = {"startLine": finding.location.line, "startColumn": finding.location.column}
    return {
        "ruleId": finding.rule,
        "ruleIndex": rule,
        "level": finding.level,
        "message": {"text": _whole(finding.text)},
        "locations": [{"physicalLocation": {"artifactLocation": artifact, "region": region}}],
        "partialFingerprints": {"keepclear/v1": finding.fingerprint},
    }


def github_lines(findings: Iterable[Finding]) -> Iterator[str]:
    """Yield a workflow command of GitHub for each finding; the review shows it at its line."""
    for finding in findings:
        file, line, column = finding.location
        properties = {
            "file": _shown(file),
            "line": str(line),
            "col": str(column),
            "title": RULES[finding.rule].title,
        }
        listed = ",".join(f"{name}={_escaped(value, ':,')}" for name, value in properties.items())
        yield f"::{_GITHUB[finding.level]} {listed}::{_escaped(finding.text)}"


def _escaped(text: str, others: str = "") -> str:
    """Return a text with the characters escaped that would end a workflow command or one of its properties."""
    marks = "%\r\n" + others
    return "".join(f"%{ord(c):02X}" if c in marks else c for c in _whole(text))


def _whole(text: str) -> str:
    """Return a text that UTF-8 can encode: a lone surrogate, which file names may contain, becomes a '?'."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _shown(file: str) -> str:
    """Return a path, relative to the current folder if it is below it."""
    path = Path(os.path.normpath(file))
    if not path.is_absolute():
        return path.as_posix()
    here = Path.cwd()
    return path.relative_to(here).as_posix() if path.is_relative_to(here) else path.as_posix()


def _uri(file: str) -> str:
    """Return a path as a URI reference: relative if it is below the current folder, else with "file:"."""
    shown = _shown(file)
    path = Path(shown)
    if path.is_absolute() or ".." in path.parts:
        absolute = os.path.normpath(Path.cwd() / path)
        return "file://" + quote(Path(absolute).as_posix().encode(*_HALF), safe="/")
    return quote(shown.encode(*_HALF), safe="/")
