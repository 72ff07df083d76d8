"""Differences of two reports: each change of a finding is named, and what is no finding is not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.unit.report.example_reports import (
    CLOSE,
    CONTACT,
    FAR,
    OPEN,
    far_report,
    full_report,
    programs_report,
)

import keepclear as kc
from keepclear.report.differences import finding_differences
from keepclear.report.parts import Assumption, Hint, Unchecked
from keepclear.report.report import Report


def differences(before: Report, now: Report) -> list[str]:
    return list(finding_differences(before, now))


def with_contact(**changes: Any) -> Report:
    pair = replace(CONTACT, **changes)
    return full_report(pairs=(pair, OPEN, CLOSE, FAR))


HINT = Hint(time=1.3, duration=0.1, around=None, near=None)
FIRST = CONTACT.contacts[0]


@pytest.mark.parametrize(
    ("now", "text"),
    [
        (with_contact(time=1.2845), "'arm/forearm' - 'table': time 1.284 s then, 1.2845 s now"),
        (with_contact(margin=0.02), "'arm/forearm' - 'table': margin "),
        (with_contact(contacts=(replace(FIRST, t_end=1.75), *CONTACT.contacts[1:])),
         "'arm/forearm' - 'table': contacts[0].t_end: "),
        (with_contact(contacts=()), "'arm/forearm' - 'table': contacts: 2 values then, 0 values now"),
        (with_contact(p_WA=(9.0, 0.0, 0.0)), "'arm/forearm' - 'table': p_WA"),
        (with_contact(hint=HINT), "'arm/forearm' - 'table': hint: none then, present now"),
        (full_report(tolerance=0.002), "tolerance: 0.001 m then, 0.002 m now"),
        (full_report(warnings=("new",)), "warning only now: new"),
        (full_report(assumptions=(Assumption(kind="unit", subject="a", text="b"),)), "assumed only now: a: b"),
        (full_report(unchecked=()), "not checked only then: "),
        (full_report(title="other"), "title: "),
        (full_report(at_rest=(("a", "b"),)), "at_rest: "),
        (full_report(pairs=(CONTACT, OPEN, CLOSE)), f"'{FAR.a}' - '{FAR.b}' is listed only then"),
    ],
)  # fmt: skip
def test_a_change_is_named(now: Report, text: str) -> None:
    found = differences(full_report(), now)
    assert any(line.startswith(text) for line in found), found


def test_a_verdict_is_named_for_the_report_and_the_pair() -> None:
    clear = replace(CLOSE, a=CONTACT.a, b=CONTACT.b)
    now = full_report(verdict=kc.Verdict.UNDECIDED, pairs=(clear, OPEN, CLOSE, FAR))
    found = differences(full_report(), now)
    assert found == [
        "verdict: COLLIDING then, UNDECIDED now", "'arm/forearm' - 'table': COLLIDING then, CLEAR now",
    ]  # fmt: skip


def test_order_effort_curves_and_rounding_are_no_findings() -> None:
    report = full_report()
    normal = None if FIRST.normal_W is None else tuple(-x for x in FIRST.normal_W)
    swapped = replace(
        CONTACT, a=CONTACT.b, b=CONTACT.a, p_WA=CONTACT.p_WB, p_WB=CONTACT.p_WA, curve=None, proof="hulls",
        evaluations=7, time=1.284 * (1 + 1e-11), contacts=(replace(FIRST, normal_W=normal), *CONTACT.contacts[1:]),
    )  # fmt: skip
    now = replace(report, pairs=(FAR, CLOSE, OPEN, swapped), objects=report.objects[::-1])
    assert differences(report, now) == []
    assert differences(report, report.pinned(CONTACT.b)) == []


def test_far_pairs_and_windows_are_compared() -> None:
    report = far_report()
    assert report.far is not None
    (text,) = differences(report, replace(report, far=replace(report.far, bound=0.05)))
    assert text.startswith("far pairs: ")
    before, now = (
        full_report(unchecked=(Unchecked(a="a", b="b", reason="allowed", t_to=end),)) for end in (1.0, 2.0)
    )
    assert differences(before, now) == [
        "not checked only then: 'a' - 'b' (allowed, until 1 s)",
        "not checked only now: 'a' - 'b' (allowed, until 2 s)",
    ]


def test_programs_are_compared_by_name() -> None:
    report = programs_report()
    assert differences(report, replace(report, programs=report.programs[::-1])) == []
    name = report.programs[-1].program
    assert f"program {name!r}: only then" in differences(
        report, replace(report, programs=report.programs[:-1])
    )
    changed = replace(report.programs[0], warnings=("hot",))
    found = differences(report, replace(report, programs=(changed, *report.programs[1:])))
    assert found == [f"program {changed.program!r}: warning only now: hot"]
