"""Reports as JUnit XML for continuous integration: a test case for each pair, and one for all far pairs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple
from xml.etree import ElementTree

from keepclear.report.parts import FarPairs, PairReport, Unchecked
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
    name = _xml(title)
    suite = _new_suite(name, file, seconds)
    properties = ElementTree.SubElement(suite, "properties")
    facts = {"verdict": report.verdict.value, "t0": repr(report.t0), "t1": repr(report.t1)}
    for key, value in {**facts, "tolerance": repr(report.tolerance), "format": report.format}.items():
        ElementTree.SubElement(properties, "property", name=key, value=value)
    checked = {frozenset((pair.a, pair.b)) for pair in report.pairs}
    windows: dict[frozenset[str], list[Unchecked]] = {}
    for entry in report.unchecked:
        windows.setdefault(frozenset((entry.a, entry.b)), []).append(entry)
    if report.verdict is Verdict.UNDECIDED and not report.records.verdict_counts()[Verdict.UNDECIDED]:
        case = ElementTree.SubElement(suite, "testcase", classname=name, name="verify")
        text = _xml(verdict_text(report))
        ElementTree.SubElement(case, "error", message=text, type=report.verdict.value).text = text
    for pair in report.pairs:
        suite.append(_checked_case(name, pair, windows.get(frozenset((pair.a, pair.b)), [])))
    if report.far is not None and report.far.count:
        suite.append(_far_case(name, report.far))
    for names, entries in windows.items():
        if names not in checked:
            suite.append(_skipped_case(name, entries))
    _count(suite)
    for case in suite.iter("testcase") if file is not None else ():
        case.set("file", suite.attrib["file"])
    lines = [headline(report), *(f"assumed: {a.subject}: {a.text}" for a in report.assumptions)]
    ElementTree.SubElement(suite, "system-out").text = _xml("\n".join(lines))
    if report.warnings:
        ElementTree.SubElement(suite, "system-err").text = _xml("\n".join(report.warnings))
    return suite


class Failed(NamedTuple):
    """A test case that does not belong to a pair: name, kind of failure, text, file, and "failure" or "error"."""

    name: str
    kind: str
    text: str
    file: str
    tag: str = "error"


def failed_suite(
    title: str, cases: Iterable[Failed], *, file: str | None = None, seconds: float | None = None
) -> ElementTree.Element:
    """Return a suite of failed test cases."""
    suite = _new_suite(_xml(title), file, seconds)
    for one in cases:
        case = ElementTree.SubElement(suite, "testcase", classname=_xml(title), name=_xml(one.name))
        case.set("file", _xml(one.file))
        ElementTree.SubElement(case, one.tag, message=_xml(one.text), type=one.kind).text = _xml(one.text)
    _count(suite)
    return suite


def _new_suite(name: str, file: str | None, seconds: float | None) -> ElementTree.Element:
    suite = ElementTree.Element("testsuite", name=name)
    if file is not None:
        suite.set("file", _xml(file))
    if seconds is not None:
        suite.set("time", f"{seconds:.6f}")
    return suite


def _checked_case(suite: str, pair: PairReport, windows: list[Unchecked]) -> ElementTree.Element:
    case = ElementTree.Element("testcase", classname=suite, name=_xml(f"{pair.a} - {pair.b}"))
    kind = {Verdict.CLEAR: None, Verdict.COLLIDING: "failure", Verdict.UNDECIDED: "error"}[pair.verdict]
    if kind is not None:
        sentence = _xml(pair_sentence(pair))
        ElementTree.SubElement(case, kind, message=sentence, type=pair.verdict.value).text = sentence
    texts = [pair_sentence(pair)] if kind is None else []
    texts += [f"not checked {window(entry) or 'in part'}: {_reason(entry)}" for entry in windows]
    if texts:
        ElementTree.SubElement(case, "system-out").text = _xml("\n".join(texts))
    return case


def _far_case(suite: str, far: FarPairs) -> ElementTree.Element:
    title = f"{counted(far.count, 'pair')} far apart"
    case = ElementTree.Element("testcase", classname=suite, name=title)
    ElementTree.SubElement(case, "system-out").text = _xml(f"{title}: {far_text(far)}\n{far.rule}")
    return case


def _skipped_case(suite: str, entries: list[Unchecked]) -> ElementTree.Element:
    case = ElementTree.Element("testcase", classname=suite, name=_xml(f"{entries[0].a} - {entries[0].b}"))
    message = "; ".join(" ".join(filter(None, [window(entry), _reason(entry)])) for entry in entries)
    ElementTree.SubElement(case, "skipped", message=_xml(message))
    return case


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
