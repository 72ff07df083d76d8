"""Differences between two reports about the same cell, each as a line."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from keepclear.checks import shown
from keepclear.report.json_file import plain
from keepclear.report.parts import Evidence, InputFile, PairReport, Unchecked
from keepclear.report.report import Report
from keepclear.report.words import clearance, counted, length, moment, pair_title, window

_RELATIVE, _ABSOLUTE = 1e-9, 1e-12  # differences of numbers that other processors and libraries may make
_SHOWN = 3


def origin_differences(before: Evidence, now: Evidence) -> Iterator[str]:
    """Give the differences of versions and platforms, which are no findings."""
    if before.version != now.version:
        yield f"version: keepclear {before.version} then, {now.version} now"
    elif before.sources != now.sources:
        sources = f"{before.sources or 'unknown'} then, {now.sources} now"
        yield f"version: other sources of keepclear {now.version} ({sources})"
    if before.platform != now.platform:
        yield f"platform: {before.platform} then, {now.platform} now"


def input_differences(before: Iterable[InputFile], now: Iterable[InputFile]) -> Iterator[str]:
    """Give the files that changed, are new, or are no longer read."""
    then, here = _by_path(before), _by_path(now)
    for path in sorted({*then, *here}):
        if path not in here:
            yield f"input no longer read: {path}"
        elif path not in then:
            yield f"new input: {path}"
        elif then[path] != here[path]:
            yield f"input changed: {path}"


def finding_differences(before: Report, now: Report) -> Iterator[str]:
    """Give the differences of verdicts, times, clearances, unchecked pairs, assumptions and warnings."""
    if before.verdict is not now.verdict:
        yield f"verdict: {before.verdict.value} then, {now.verdict.value} now"
    if before.interrupted and not now.interrupted:
        yield "the check was stopped before its end then, and is complete now"
    then = {report.program: report for report in before.programs or (before,)}
    here = {report.program: report for report in now.programs or (now,)}
    for program in sorted({*then, *here}):
        name = f"program {program!r}: " if program else ""
        if program not in here or program not in then:
            yield f"{name or 'the cell without programs: '}only {'then' if program in then else 'now'}"
        else:
            yield from (f"{name}{text}" for text in _of_program(then[program], here[program]))


def _of_program(before: Report, now: Report) -> Iterator[str]:
    for name, unit in (("t0", "s"), ("t1", "s"), ("tolerance", "m")):
        one, two = getattr(before, name), getattr(now, name)
        if not _is_same(one, two):
            yield f"{name}: {one:g} {unit} then, {two:g} {unit} now"
    yield from _of_leaves("", *(_other_facts(report) for report in (before, now)))
    then, here = ({(*sorted((pair.a, pair.b)),): pair for pair in report.pairs} for report in (before, now))
    for key in sorted({*then, *here}):
        if key in then and key in here:
            yield from _of_pair(then[key], here[key])
        else:
            yield f"{key[0]!r} - {key[1]!r} is listed only {'then' if key in then else 'now'}"
    far = [
        (0, 0.0) if report.far is None else (report.far.count, report.far.bound) for report in (before, now)
    ]
    if far[0] != far[1]:
        texts = [f"{counted(n, 'pair')} beyond {length(bound)}" for n, bound in far]
        yield f"far pairs: {texts[0]} then, {texts[1]} now"
    unchecked = [[_unchecked_text(one) for one in report.unchecked] for report in (before, now)]
    assumed = [[f"{one.subject}: {one.text}" for one in report.assumptions] for report in (before, now)]
    yield from _of_texts("not checked", *unchecked)
    yield from _of_texts("assumed", *assumed)
    yield from _of_texts("warning", list(before.warnings), list(now.warnings))


def _other_facts(report: Report) -> dict[str, Any]:
    """Return what else a report says; groups and names in an order that does not depend on that of the cell file."""
    return {
        "title": report.title,
        "objects": sorted(report.objects),
        "at_rest": sorted(sorted(group) for group in report.at_rest),
        "sampling": plain(report.sampling),
        "cross_check": plain(report.cross_check),
    }


def _unchecked_text(pair: Unchecked) -> str:
    names, when = " - ".join(map(repr, sorted((pair.a, pair.b)))), window(pair)
    return f"{names} ({', '.join(filter(None, [pair.reason, when, 'touching' * bool(pair.touching)]))})"


def _of_pair(before: PairReport, now: PairReport) -> Iterator[str]:
    """Give the differences of a pair: its main figures in words, or else every other value by its name."""
    title = pair_title(now)
    main = list(_of_figures(before, now))
    if main:
        yield from (f"{title}: {text}" for text in main)
    else:
        yield from _of_leaves(f"{title}: ", _pair_values(before), _pair_values(now))


def _of_figures(before: PairReport, now: PairReport) -> Iterator[str]:
    if before.verdict is not now.verdict:
        yield f"{before.verdict.value} then, {now.verdict.value} now"
        return
    times = [(pair.time, pair.t_lo, pair.t_hi) for pair in (before, now)]
    if not all(map(_is_same, *times)):
        yield f"time {_when(before)} then, {_when(now)} now"
    if not _is_same(before.margin, now.margin):
        yield f"margin {length(before.margin)} then, {length(now.margin)} now"
    bounds = [(pair.clearance_lower, pair.clearance_upper) for pair in (before, now)]
    if not all(map(_is_same, *bounds)):
        texts = [clearance(pair) or "unknown" for pair in (before, now)]
        more = "" if texts[0] != texts[1] else f" ({_bounds(before)} then, {_bounds(now)} now)"
        yield f"clearance {texts[0]} then, {texts[1]} now{more}"


def _pair_values(pair: PairReport) -> dict[str, Any]:
    """Return the values of a pair, from the first of its names by the alphabet to the second; without its curve."""
    values: dict[str, Any] = plain(replace(pair, curve=None, proof="", evaluations=0))
    if pair.a > pair.b:
        values |= {"a": pair.b, "b": pair.a, "p_WA": values["p_WB"], "p_WB": values["p_WA"]}
        for contact in values["contacts"]:
            if contact["normal_W"] is not None:
                contact["normal_W"] = [-x for x in contact["normal_W"]]
    return values


def _of_leaves(title: str, before: Any, now: Any) -> Iterator[str]:
    """Give the first differences of two trees of values, each with its name, such as contacts[0].t_end."""
    found = list(_unequal("", before, now))
    for name, one, two in found[:_SHOWN]:
        yield f"{title}{name}: {_brief(one)} then, {_brief(two)} now"
    if len(found) > _SHOWN:
        yield f"{title}{counted(len(found) - _SHOWN, 'more value')} differ"


def _brief(value: Any) -> str:
    if isinstance(value, list):
        return counted(len(value), "value")
    return "none" if value is None else "present" if isinstance(value, dict) else shown(value)


def _unequal(name: str, one: Any, two: Any) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(one, dict) and isinstance(two, dict):
        for key in {**one, **two}:
            yield from _unequal(f"{name}.{key}".lstrip("."), one.get(key), two.get(key))
    elif isinstance(one, list) and isinstance(two, list) and len(one) == len(two):
        for k, (x, y) in enumerate(zip(one, two, strict=True)):
            yield from _unequal(f"{name}[{k}]", x, y)
    elif not _is_same(one, two):
        yield name, one, two


def _bounds(pair: PairReport) -> str:
    upper = "unknown" if pair.clearance_upper is None else f"{pair.clearance_upper:.9g}"
    return f"{pair.clearance_lower:.9g} to {upper} m"


def _when(pair: PairReport) -> str:
    if pair.time is not None:
        return f"{moment(pair.time, 9)} s"
    return f"{moment(pair.t_lo, 9)} to {moment(pair.t_hi, 9)} s"


def _of_texts(kind: str, before: list[str], now: list[str]) -> Iterator[str]:
    for when, texts in (("then", set(before) - set(now)), ("now", set(now) - set(before))):
        found = sorted(texts)
        yield from (f"{kind} only {when}: {text}" for text in found[:_SHOWN])
        if len(found) > _SHOWN:
            yield f"{kind} only {when}: {len(found) - _SHOWN} more"


def _by_path(files: Iterable[InputFile]) -> dict[str, list[str]]:
    """Return the digests of files by path; files beyond a common folder have only a name, which may occur twice."""
    found: dict[str, list[str]] = {}
    for file in files:
        found.setdefault(file.path, []).append(file.sha256.lower())
    return {path: sorted(digests) for path, digests in found.items()}


def _is_same(one: Any, two: Any) -> bool:
    if isinstance(one, int | float) and isinstance(two, int | float):
        return one == two or math.isclose(one, two, rel_tol=_RELATIVE, abs_tol=_ABSOLUTE)
    return bool(one == two)
