"""Reports as JUnit XML for continuous integration: a test case for each pair, and one for all far pairs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple
from xml.etree import ElementTree

from keepclear.report.parts import Unchecked
from keepclear.report.report import Report
from keepclear.report.words import REASONS, counted, far_text, headline, pair_sentence, verdict_text, window
from keepclear.results import Verdict

_FORBIDDEN = re.compile(
    "[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
)  # characters that XML does not allow


def junit_text(report: Report) -> str:
    """Return a report as JUnit XML.

    A program is a suite and a pair a case of it: COLLIDING is a failure, UNDECIDED an error, and a pair that was not
    checked at all is skipped. One case, which passes, stands for all far pairs.
    """
    title = report.title or "keepclear"
    return junit_document(
        title, [suite_of(one, one.program or one.title or title) for one in report.programs or (report,)]
    )


def junit_document(title: str, suites: Iterable[ElementTree.Element]) -> str:
    """Return suites as a document with the sums of their counts, and of the times of suites that have one."""
    root = ElementTree.Element("testsuites", name=_xml(title))
    root.extend(suites)
    _count(root)
    times = [float(suite.attrib["time"]) for suite in root if "time" in suite.attrib]
    if times:
        root.set("time", f"{sum(times):.6f}")
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


class Case(NamedTuple):
    """A test case.

    Attributes:
        name: Its name.
        tag: "failure", "error" or "skipped"; "" for a case that passes.
        kind: The kind of failure.
        text: What is said about it.
        out: Its output.
        file: The file that it refers to; None: no file.
    """

    name: str
    tag: str = ""
    kind: str = ""
    text: str = ""
    out: str = ""
    file: str | None = None


def suite_of(
    report: Report, title: str, *, file: str | None = None, seconds: float | None = None
) -> ElementTree.Element:
    """Return the suite of one program.

    Args:
        report: Its report.
        title: The name of the suite.
        file: The file that its test cases refer to; None: no file.
        seconds: The computing time [s]; None if unknown.
    """
    facts = {"verdict": report.verdict.value, "t0": repr(report.t0), "t1": repr(report.t1)}
    facts |= {"tolerance": repr(report.tolerance), "format": report.format}
    cases = (case._replace(file=file) for case in _cases(report))
    suite = build_suite(title, cases, file=file, seconds=seconds, properties=facts)
    lines = [headline(report), *(f"assumed: {a.subject}: {a.text}" for a in report.assumptions)]
    ElementTree.SubElement(suite, "system-out").text = _xml("\n".join(lines))
    if report.warnings:
        ElementTree.SubElement(suite, "system-err").text = _xml("\n".join(report.warnings))
    return suite


def build_suite(
    title: str,
    cases: Iterable[Case],
    *,
    file: str | None = None,
    seconds: float | None = None,
    properties: Mapping[str, str] | None = None,
) -> ElementTree.Element:
    """Return a suite of test cases."""
    suite = ElementTree.Element("testsuite", name=_xml(title))
    if file is not None:
        suite.set("file", _xml(file))
    if seconds is not None:
        suite.set("time", f"{seconds:.6f}")
    if properties is not None:
        listed = ElementTree.SubElement(suite, "properties")
        for key, value in properties.items():
            ElementTree.SubElement(listed, "property", name=key, value=value)
    for one in cases:
        case = ElementTree.SubElement(suite, "testcase", classname=_xml(title), name=_xml(one.name))
        if one.tag:
            found = ElementTree.SubElement(case, one.tag, message=_xml(one.text))
            if one.kind:
                found.set("type", one.kind)
                found.text = _xml(one.text)
        if one.out:
            ElementTree.SubElement(case, "system-out").text = _xml(one.out)
        if one.file is not None:
            case.set("file", _xml(one.file))
    _count(suite)
    return suite


def _cases(report: Report) -> Iterator[Case]:
    """Yield the test cases of a report: listed pairs, one for all far pairs, and pairs that were not checked."""
    windows: dict[frozenset[str], list[Unchecked]] = {}
    for entry in report.unchecked:
        windows.setdefault(frozenset((entry.a, entry.b)), []).append(entry)
    if report.verdict is Verdict.UNDECIDED and not report.records.verdict_counts()[Verdict.UNDECIDED]:
        yield Case("verify", "error", report.verdict.value, verdict_text(report))
    for pair in report.pairs:
        skipped = windows.pop(frozenset((pair.a, pair.b)), [])
        texts = [f"not checked {window(entry) or 'in part'}: {_reason(entry)}" for entry in skipped]
        name, sentence = f"{pair.a} - {pair.b}", pair_sentence(pair)
        if pair.verdict is Verdict.CLEAR:
            yield Case(name, out="\n".join([sentence, *texts]))
        else:
            tag = "failure" if pair.verdict is Verdict.COLLIDING else "error"
            yield Case(name, tag, pair.verdict.value, sentence, "\n".join(texts))
    if report.far is not None and report.far.count:
        title = f"{counted(report.far.count, 'pair')} far apart"
        yield Case(title, out=f"{title}: {far_text(report.far)}\n{report.far.rule}")
    for entries in windows.values():
        reasons = (" ".join(filter(None, [window(entry), _reason(entry)])) for entry in entries)
        yield Case(f"{entries[0].a} - {entries[0].b}", "skipped", text="; ".join(reasons))


def _reason(entry: Unchecked) -> str:
    text = REASONS.get(entry.reason, entry.reason)
    state = "" if entry.touching is None or entry.detail else "touching" if entry.touching else "apart"
    return ", ".join(filter(None, [text, entry.detail, state]))


def _count(element: ElementTree.Element) -> None:
    """Set the counts that readers of JUnit expect on suites."""
    element.set("tests", str(len(element.findall(".//testcase"))))
    for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        element.set(attribute, str(len(element.findall(f".//testcase/{tag}"))))


def _xml(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
