"""Reports of several programs as one: the worst verdict, all pairs in order, far pairs counted."""

from __future__ import annotations

from dataclasses import replace

from tests.unit.report.example_reports import CLOSE, CONTACT, FAR, clear_report, far_report

import keepclear as kc
from keepclear.jobs.cell.verify import merged
from keepclear.report.parts import FarPairs
from keepclear.report.report import Report


def test_far_pairs_are_summed_and_told_apart_by_program() -> None:
    objects = (*far_report().objects, "cart")
    good = far_report(program="good", statistics={"pairs": 14, "evaluations": 3})
    bad = far_report(
        program="bad", verdict=kc.Verdict.COLLIDING, pairs=(CONTACT, CLOSE), far=FarPairs(count=19, bound=0.05),
        objects=objects, statistics={"pairs": 21, "evaluations": 4},
    )  # fmt: skip
    report = merged([good, bad, clear_report(program="listed")], "cell.yaml")
    assert report.verdict is kc.Verdict.COLLIDING
    assert report.pairs == [CONTACT, CLOSE, CLOSE, CLOSE, FAR, FAR]
    assert report.far is not None
    assert (report.far.count, report.far.bound) == (31, 0.05)
    assert "each program says which ones" in report.far.rule
    assert [program.far for program in report.programs] == [good.far, bad.far, None]
    assert report.objects == objects
    assert report.at_rest == ()
    assert report.n_checked == 37
    assert report.statistics == {"pairs": 35, "evaluations": 7}
    assert Report.from_json(report.to_json()) == report


def test_programs_without_far_pairs_have_none_together() -> None:
    report = merged([clear_report(program="a"), clear_report(program="b")], "cell.yaml")
    assert report.far is None
    assert [pair.program for pair in report.pairs] == [""] * 4
    named = [replace(one, pairs=one.records.named(one.program)) for one in report.programs]
    assert [pair.program for pair in merged(named, "").pairs] == ["a", "b", "a", "b"]
