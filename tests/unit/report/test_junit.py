"""Reports as JUnit XML: suites, cases, failures, errors and skipped cases, as continuous integration counts them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

from tests.unit.report.example_reports import (
    CONTACT,
    NASTY,
    clear_report,
    far_report,
    full_report,
    programs_report,
)

import keepclear as kc


def counts(element: ElementTree.Element) -> tuple[int, ...]:
    return tuple(int(element.attrib[name]) for name in ("tests", "failures", "errors", "skipped"))


def test_each_pair_is_a_case(tmp_path: Path) -> None:
    text = full_report().to_junit(tmp_path / "junit.xml")
    assert (tmp_path / "junit.xml").read_text(encoding="utf-8") == text
    root = ElementTree.fromstring(text.encode())
    (suite,) = root
    assert (root.tag, suite.tag, suite.get("name")) == ("testsuites", "testsuite", "cell.yaml")
    assert counts(root) == counts(suite) == (7, 1, 1, 3)
    found = {case.get("name"): [child.tag for child in case] for case in suite.iter("testcase")}
    assert found == {
        "arm/forearm - table": ["failure"],
        "arm/hand - table": ["error"],
        "arm/hand - part": ["system-out"],
        "arm/base - part": ["system-out"],
        "arm/base - table": ["skipped"],
        "arm/base - arm/forearm": ["skipped"],
        "arm/base - arm/hand": ["skipped"],
    }
    failure = next(suite.iter("failure"))
    assert failure.get("type") == "COLLIDING"
    assert str(failure.get("message")).startswith("'arm/forearm' touches 'table' at 1.284 s")
    assert "from 2 to 2.25 s" in str(next(suite.iter("error")).get("message"))
    skipped = [entry.get("message") for entry in suite.iter("skipped")]
    assert skipped[0] == "at rest relative to each other, touching"
    assert skipped[2] == "disabled by the robot's SRDF, Never"
    windowed = next(case for case in suite.iter("testcase") if case.get("name") == "arm/hand - part")
    assert str(windowed.findtext("system-out")).endswith("not checked from 3.25 s: allowed")
    assert str(suite.findtext("system-out")).startswith("COLLIDING: ")
    assert "beyond its limit" in str(suite.findtext("system-err"))


def test_each_program_is_a_suite() -> None:
    root = ElementTree.fromstring(programs_report().to_junit().encode())
    assert [suite.get("name") for suite in root] == ["good", "bad"]
    assert [counts(suite)[:2] for suite in root] == [(2, 0), (7, 1)]
    assert counts(root) == (9, 1, 1, 3)


def test_names_cannot_break_the_xml() -> None:
    pair = replace(CONTACT, a=NASTY, b="bell\x07\ud800]]>")
    report = clear_report(verdict=kc.Verdict.COLLIDING, pairs=(pair,), title=NASTY)
    root = ElementTree.fromstring(report.to_junit().encode())
    assert next(root.iter("testcase")).get("name") == f"{NASTY} - bell\ufffd\ufffd]]>"
    assert root.get("name") == NASTY


def test_one_case_stands_for_all_far_pairs() -> None:
    root = ElementTree.fromstring(far_report().to_junit().encode())
    assert counts(root) == (4, 0, 0, 1)
    case = next(case for case in root.iter("testcase") if case.get("name") == "12 pairs far apart")
    assert [child.tag for child in case] == ["system-out"]
    text = str(case.findtext("system-out"))
    assert text.startswith("12 pairs far apart: swept boxes prove that each stays more than 0.1 m apart\n")
    assert "All pairs of the objects that are not listed" in text
    none = far_report(far=None).to_junit()
    assert "far apart" not in none
