"""What changed since an earlier run, and baselines that cannot be compared."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.unit.jobs.fleet.fleets import changed, failed, verified, write_cell

import keepclear as kc
from keepclear.jobs.fleet.changes import Change, causes_of, changes_of
from keepclear.report.parts import FarPairs, Unchecked


def saved(results: list[kc.fleet.ProgramResult], path: Path) -> Path:
    kc.fleet.FleetReport(results).to_json(path)
    return path


def test_nothing_changed(tmp_path: Path) -> None:
    cell = write_cell(tmp_path)
    store = tmp_path / "results.db"
    results = list(kc.fleet.verify_programs([cell], store=store))
    kc.verify(cell, threads=1).to_json(tmp_path / "report.json")
    for path in (store, saved(results, tmp_path / "fleet.json"), tmp_path / "report.json"):
        found = kc.fleet.read_baseline(path).compare(results)
        assert (found.changes, found.n_compared, found.n_unknown) == ((), 2, 0)
        assert list(found.lines()) == [f"since {path}: 2 programs compared: nothing changed"]


def test_a_store_is_compared_as_it_was_before_the_run(tmp_path: Path) -> None:
    store = tmp_path / "results.db"
    list(kc.fleet.verify_programs([write_cell(tmp_path)], store=store))
    before = kc.fleet.read_baseline(store)
    results = list(kc.fleet.verify_programs([write_cell(tmp_path, post=0.19)], store=store))
    assert [change.kind for change in before.compare(results).changes] == ["clearance", "clearance"]


def test_bounds_in_texts_are_rounded_down() -> None:
    """A lower bound of 41.86 mm was 41.9 mm in an annotation, and 41.8 mm in the summary."""
    change = Change("clearance", "a.yaml", "", "", "a", "b", before=0.05599, after=0.04186)
    assert change.text == "'a' - 'b': clearance fell from 55.9 mm to 41.8 mm"


def test_clearances_that_fell(tmp_path: Path) -> None:
    old = saved(verified(write_cell(tmp_path)), tmp_path / "old.json")
    results = verified(write_cell(tmp_path, post=0.19))
    found = kc.fleet.read_baseline(old).compare(results)
    assert {(change.a, change.b) for change in found.fallen} == {("ball", "post")}
    for change in found.fallen:
        assert change.before == pytest.approx(0.05, abs=1e-3)
        assert change.after == pytest.approx(0.04, abs=1e-3)
        assert "clearance fell from" in str(change)
    assert kc.fleet.FleetReport(results, "", found).exit_code() == 1
    assert kc.fleet.FleetReport(results).exit_code() == 0
    within = kc.fleet.read_baseline(old).compare(results, 0.02)
    assert within.changes == ()
    assert kc.fleet.FleetReport(results, "", within).exit_code() == 0
    risen = verified(write_cell(tmp_path, post=0.21))
    assert kc.fleet.read_baseline(old).compare(risen).changes == ()


def test_changes_with_one_cause_are_one_line(tmp_path: Path) -> None:
    """A post moved in two cells, a wall in one: the ball is in all of their pairs, but not all of its pairs changed."""
    a, b = write_cell(tmp_path, "a.yaml"), write_cell(tmp_path, "b.yaml")
    old = saved(verified(a, b), tmp_path / "old.json")
    write_cell(tmp_path, "a.yaml", post=0.19, wall=0.55)
    write_cell(tmp_path, "b.yaml", post=0.19)
    found = kc.fleet.read_baseline(old).compare(verified(a, b))
    assert len(found.changes) == 8
    assert list(found.lines()) == [
        f"since {old}: 4 programs compared: 2 changed verdicts, 4 fallen clearances",
        f"  'wall' in {a}: 2 pairs in 2 programs CLEAR -> COLLIDING",
        "  'post' in 2 cells: 4 clearances in 4 programs fell, most from 49.9 mm to 39.9 mm ('ball' - 'post')",
    ]
    page = kc.fleet.FleetReport(verified(a, b), "", found).to_html()
    assert '"changes":6,' in page, "a program whose pair touches is no second change"


def change(kind: str, program: str, a: str, b: str, **values: Any) -> Change:
    return Change(kind, values.pop("cell", "c.yaml"), program, "", a, b, **values)


def test_causes_name_what_changes_have_in_common() -> None:
    fell = {"before": 0.05, "after": 0.04}
    moved = [change("clearance", f"p{k}", "arm/hand", "table", **fell) for k in range(3)]
    one = change("clearance", "p9", "arm/hand", "post", before=0.1, after=0.01, detail="more than")
    assert [cause.text for cause in causes_of([*moved, one], {"arm": 40, "table": 3, "post": 9})] == [
        "'table' in c.yaml: 3 clearances in 3 programs fell, most from 50 mm to 40 mm ('arm/hand' - 'table')",
        "c.yaml p9: 'arm/hand' - 'post': clearance fell from more than 0.1 m to 10 mm",
    ]
    (cause,) = causes_of([*moved, one], {"arm": 4, "table": 9, "post": 9})
    assert (cause.subject, cause.changes) == ("'arm'", (*moved, one))
    assert cause.text.endswith("most from more than 0.1 m to 10 mm ('arm/hand' - 'post')")
    (cause,) = causes_of(moved, {})
    assert cause.subject == "'arm' - 'table'"  # nothing shows which of the two it is
    (cause,) = causes_of([change("clearance", p, "arm/hand", "arm/base", **fell) for p in "pq"], {"arm": 2})
    assert cause.subject == "'arm'"


def test_causes_of_programs_and_of_pairs_that_are_gone() -> None:
    def whole(kind: str, program: str, **values: Any) -> Change:
        return change(kind, program, "", "", **values)

    verdict = {"before": "CLEAR", "after": "COLLIDING"}
    changes = [
        whole("verdict", "p", **verdict),
        change("verdict", "p", "arm", "table", **verdict),
        whole("verdict", "q", cell="d.yaml", before="CLEAR"),
        whole("verdict", "r", cell="d.yaml", before="CLEAR"),
        *(whole("gone program", name, cell="e.yaml") for name in "pq"),
        *(change("gone pair", name, "lid", "box", cell="f.yaml", detail="allowed") for name in "pq"),
        whole("new program", "p", cell="g.yaml", after="CLEAR"),
    ]
    assert [cause.text for cause in causes_of(changes, {"arm": 9, "table": 1})] == [
        "'table' in c.yaml: 1 pair in 1 program CLEAR -> COLLIDING",
        "d.yaml: 2 programs CLEAR -> no report",
        "'box' - 'lid' in f.yaml: 2 pairs in 2 programs not checked any more (allowed)",
        "e.yaml: 2 programs not verified now",
        "g.yaml p: not in the baseline, CLEAR now",
    ]
    assert causes_of([], {}) == []


def test_causes_of_many_changes_are_found_at_once() -> None:
    """Ten thousand objects that changed alone, and one with a thousand pairs."""
    alone = [change("clearance", "p", f"a{k}", f"b{k}", before=1.0, after=0.5) for k in range(10_000)]
    common = [change("clearance", "p", "table", f"c{k}", before=1.0, after=0.5) for k in range(1000)]
    found = causes_of([*alone, *common], {})
    assert len(found) == 10_001
    assert found[0].subject == "'table'"
    assert sum(len(cause.changes) for cause in found) == 11_000


def test_verdicts_that_changed(tmp_path: Path) -> None:
    old = saved(verified(write_cell(tmp_path)), tmp_path / "old.json")
    found = kc.fleet.read_baseline(old).compare(verified(write_cell(tmp_path, wall=0.55)))
    states = {(one.program, one.a, one.b, one.before, one.after) for one in found.changes}
    assert states >= {
        ("inline", "", "", "CLEAR", "COLLIDING"),
        ("inline", "ball", "wall", "CLEAR", "COLLIDING"),
        ("table", "", "", "CLEAR", "COLLIDING"),
    }
    assert {one.kind for one in found.changes} == {"verdict"}


def test_pairs_that_are_new_or_gone(tmp_path: Path) -> None:
    old = saved(verified(write_cell(tmp_path)), tmp_path / "old.json")
    now = verified(write_cell(tmp_path, more="allowed: [[ball, post]]\n"))
    gone = kc.fleet.read_baseline(old).compare(now)
    assert {(one.kind, one.a, one.b, one.detail) for one in gone.changes} == {
        ("gone pair", "ball", "post", "allowed")
    }
    back = kc.fleet.read_baseline(saved(now, tmp_path / "now.json")).compare(verified(write_cell(tmp_path)))
    assert {(one.kind, one.a, one.b) for one in back.changes} == {("new pair", "ball", "post")}


def test_far_pairs_that_are_allowed_now_are_gone() -> None:
    def report(**given: object) -> kc.Report:
        far = FarPairs(given.pop("n"), 0.1)  # type: ignore[arg-type]
        return kc.Report(
            verdict=kc.Verdict.CLEAR, t0=0.0, t1=1.0, tolerance=1e-3, objects=("a", "b", "c"), far=far, **given
        )  # type: ignore[arg-type]  # fmt: skip

    result = kc.fleet.ProgramResult(
        cell="c.yaml", program="", report=report(n=2, unchecked=(Unchecked(a="a", b="b", reason="allowed"),))
    )  # fmt: skip
    found, _ = changes_of(result, report(n=3), 1e-3, "old")
    assert [(one.kind, one.a, one.b) for one in found] == [("gone pair", "a", "b")]
    again, _ = changes_of(replace(result, report=report(n=3)), result.report, 1e-3, "old")
    assert [(one.kind, one.a, one.b) for one in again] == [("new pair", "a", "b")]


def test_a_bound_of_a_far_pair_is_no_fall(tmp_path: Path) -> None:
    def result(lower: float, upper: float | None) -> kc.fleet.ProgramResult:
        pair = kc.PairReport(
            a="a", b="b", verdict=kc.Verdict.CLEAR, time=None, t_lo=1.0, t_hi=1.0, clearance_lower=lower,
            clearance_upper=upper,
        )  # fmt: skip
        report = kc.Report(
            verdict=kc.Verdict.CLEAR, t0=0.0, t1=1.0, tolerance=1e-3, pairs=[pair], objects=("a", "b")
        )
        return kc.fleet.ProgramResult(cell="c.yaml", program="", report=report)

    known, bound, near = result(0.15, 0.15), result(0.1, None), result(0.05, 0.05)
    found = kc.fleet.read_baseline(saved([known], tmp_path / "known.json")).compare([bound])
    assert (found.changes, found.n_unknown) == ((), 1)
    assert "1 clearance not compared" in list(found.lines())[-1]
    found = kc.fleet.read_baseline(saved([bound], tmp_path / "bound.json")).compare([near])
    assert [(one.kind, one.before, one.after) for one in found.changes] == [("clearance", 0.1, 0.05)]


def test_programs_that_are_new_gone_or_without_a_report(tmp_path: Path) -> None:
    results = verified(write_cell(tmp_path))
    old = kc.fleet.read_baseline(saved([results[0], failed("bad.yaml", "no")], tmp_path / "old.json"))
    found = old.compare(results)
    assert {(one.kind, one.cell, one.program) for one in found.changes} == {
        ("new program", results[1].cell, "table"),
        ("gone program", "bad.yaml", ""),
    }
    assert [one.kind for one in old.compare(results, partly=True).changes] == ["new program"]
    bad = replace(results[0], report=None, failure="it broke", failure_code=4)
    changes = old.compare([bad]).changes
    assert ("verdict", "CLEAR", None) in {(one.kind, one.before, one.after) for one in changes}


def test_what_cannot_be_compared(tmp_path: Path) -> None:
    results = verified(write_cell(tmp_path))
    old = kc.fleet.read_baseline(saved(results, tmp_path / "old.json"))
    other = [replace(one, cell="other.yaml") for one in results]
    with pytest.raises(
        kc.ReportError, match=r"has no program of this run: it is about .* about 'other\.yaml'"
    ):
        old.compare(other)
    finer = changed(results, tolerance=1e-4)
    with pytest.raises(kc.ReportError, match=r"with a tolerance of 0\.001 m, and now with 0\.0001 m"):
        old.compare(finer)
    kc.verify(write_cell(tmp_path), threads=1).to_json(tmp_path / "report.json")
    single = kc.fleet.read_baseline(tmp_path / "report.json")
    with pytest.raises(kc.ReportError, match="is the report of one cell, but this run has several"):
        single.compare([*results, *other])
    renamed = changed(results, title="x")
    with pytest.raises(kc.ReportError, match=r"is about 'cell\.yaml', and this run about 'x'"):
        single.compare(renamed)


def test_damaged_baselines(tmp_path: Path) -> None:
    with pytest.raises(kc.FileMissingError, match="there is no baseline"):
        kc.fleet.read_baseline(tmp_path / "nothing.json")
    good = json.loads(saved(verified(write_cell(tmp_path)), tmp_path / "old.json").read_text())

    def refused(content: object, message: str) -> None:
        (tmp_path / "bad.json").write_text(json.dumps(content))
        with pytest.raises(kc.ReportError, match=message):
            kc.fleet.read_baseline(tmp_path / "bad.json")

    refused([], "it has no 'format'")
    refused(good | {"format": "keepclear-fleet/9"}, "has the format 'keepclear-fleet/9'")
    refused(good | {"programs": None}, "has no list 'programs'")
    refused(good | {"programs": [good["programs"][0]] * 2}, "lists a program twice")
    refused(good | {"programs": [good["programs"][0] | {"cell": 5}]}, "must have the texts")
    refused(good | {"programs": [good["programs"][0] | {"verdict": "UNDECIDED"}]}, "contradicts its report")
    refused(
        good | {"programs": [good["programs"][0] | {"report": {}}]}, r"programs\[0\]\.report is not a report"
    )
    refused(good | {"effort": [{}]}, "effort must have counts")
    lost = {"report": None, "verdict": "UNDECIDED", "failure": "x", "failure_code": True}
    refused(good | {"programs": [good["programs"][0] | lost]}, "failure_code must be one of 2, 3, 4 and 130")
    (tmp_path / "bad.json").write_text("time,x\n0,1\n")
    with pytest.raises(kc.ReportError, match="is neither a store nor JSON"):
        kc.fleet.read_baseline(tmp_path / "bad.json")
    with pytest.raises(kc.ReportError, match="cannot be read"):
        kc.fleet.read_baseline(tmp_path)
    (tmp_path / "bad.db").write_bytes(b"SQLite format 3\0" + bytes(84))
    (tmp_path / "bad.db").chmod(0o600)
    with pytest.raises(kc.StoreError):
        kc.fleet.read_baseline(tmp_path / "bad.db")
