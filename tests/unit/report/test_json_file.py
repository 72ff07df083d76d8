"""Reports as JSON: nothing is lost, the schema describes it, and whatever is no report is refused with a reason."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.unit.report.example_reports import (
    CLOSE,
    CONTACT,
    EVIDENCE,
    FAR,
    NASTY,
    OPEN,
    clear_report,
    far_report,
    full_report,
    programs_report,
    small_scene,
)

import keepclear as kc
from keepclear.report import json_file
from keepclear.report.parts import (
    Assumption,
    Contact,
    Curve,
    Evidence,
    FarPairs,
    Hint,
    InputFile,
    PairReport,
    Unchecked,
    Waypoints,
)
from keepclear.report.report import Report

SCHEMA = json.loads(Path(json_file.__file__).with_name("report.schema.json").read_text(encoding="utf-8"))
FAR_PROGRAMS = clear_report(
    programs=(far_report(program="near"), clear_report(program="all listed")),
    far=FarPairs(count=12, bound=0.1),
)
ROWS = Waypoints(
    of="arm", first=11, last=12, t_first=1.2, t_last=1.3, file="pick.csv", row_first=13, row_last=14
)
HINT = Hint(
    around=ROWS, time=1.9, near=None, duration=1.2, depth=0.0123, moves="arm/forearm", shift_W=(0.0, 0.0, 0.0131),
    distance_lower=0.0004, text="lift 'arm/forearm' by 13.1 mm near row 14 of pick.csv",
)  # fmt: skip
HINTS = full_report(pairs=(replace(CONTACT, hint=HINT), OPEN, CLOSE, FAR))
REPORTS = {
    "hints": HINTS,
    "evidence": clear_report(evidence=EVIDENCE),
    "clear": clear_report(),
    "full": full_report(),
    "programs": programs_report(),
    "nasty": full_report(title=NASTY, interrupted=True),
    "far": far_report(),
    "far programs": FAR_PROGRAMS,
}
each_report = pytest.mark.parametrize("report", REPORTS.values(), ids=REPORTS)


@each_report
def test_nothing_is_lost(report: Report, tmp_path: Path) -> None:
    text = report.to_json(tmp_path / "report.json")
    assert Report.from_json(text) == report
    assert Report.from_json(str(tmp_path / "report.json")) == report
    again = kc.read_report(tmp_path / "report.json")
    assert again == report
    assert again.evidence == report.evidence
    assert again.to_json() == text
    assert (str(again), again.to_junit(), again.exit_code) == (
        str(report),
        report.to_junit(),
        report.exit_code,
    )
    assert [path.name for path in tmp_path.iterdir()] == ["report.json"]


@each_report
def test_the_schema_describes_it(report: Report) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.validate(json.loads(report.to_json()), SCHEMA)
    broken = json.loads(report.to_json()) | {"verdict": "FINE"}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(broken, SCHEMA)


@pytest.mark.parametrize(
    ("kind", "name", "elsewhere"),
    [
        (Report, "report", {"scene", "statistics", "cell_path", "_n_unlisted"}),
        (PairReport, "pair", {"proof", "evaluations"}),
        (json_file.Effort, "effort", set()),
        (FarPairs, "far", set()),
        (Contact, "contact", set()),
        (Curve, "curve", set()),
        (Evidence, "evidence", set()),
        (InputFile, "input", set()),
        (Hint, "hint", set()),
        (Waypoints, "waypoints", set()),
        (Unchecked, "unchecked", set()),
        (Assumption, "assumption", set()),
    ],
)
def test_the_schema_has_every_field_and_no_other(kind: Any, name: str, elsewhere: set[str]) -> None:
    found = set(SCHEMA["$defs"][name]["properties"])
    assert found - {"effort"} == {f.name for f in fields(kind)} - elsewhere
    assert ("effort" in found) is (kind is Report)


@each_report
def test_effort_stands_apart_from_findings(report: Report) -> None:
    text = report.to_json(effort=False)
    content = json.loads(report.to_json())
    del content["effort"]
    content.pop("evidence", None)
    assert content == json.loads(text)
    assert not any(word in text for word in ("evaluations", "proof", "statistics", "effort"))
    harder = with_effort(report, "hulls", 1000)
    assert harder != report
    assert harder.to_json() != report.to_json()
    assert harder.to_json(effort=False) == text
    assert Report.from_json(text) == with_effort(report, "", 0, statistics={})
    changed_finding = replace(
        report, pairs=[*report.pairs[:-1], replace(report.pairs[-1], clearance_lower=0.2)]
    )
    assert changed_finding.to_json(effort=False) != text


def with_effort(report: Report, proof: str, evaluations: int, **changes: Any) -> Report:
    """Return a report that found the same with another effort."""
    return replace(
        report,
        pairs=[replace(pair, proof=proof, evaluations=evaluations) for pair in report.pairs],
        programs=tuple(with_effort(program, proof, evaluations, **changes) for program in report.programs),
        **changes,
    )


@pytest.mark.parametrize(
    ("name", "expected"), [("format-1.json", full_report()), ("format-1-programs.json", programs_report())]
)
def test_files_of_format_1_are_read(name: str, expected: Report, project: Path) -> None:
    path = project / "tests" / "data" / "reports" / name
    assert json.loads(path.read_text())["format"] == "keepclear-report/1"
    report = kc.read_report(path)
    assert report == expected
    assert report.to_json() == expected.to_json()
    assert (report.objects, report.far, report.format) == ((), None, "keepclear-report/2")


def test_what_readers_look_for_is_at_the_top() -> None:
    content = json.loads(full_report().to_json())
    assert list(content)[:2] == ["format", "verdict"]
    assert content["format"] == "keepclear-report/2"
    assert content["verdict"] == "COLLIDING"
    assert content["pairs"][0]["a"] == "arm/forearm"
    assert content["pairs"][0]["time"] == 1.284


def test_lists_of_numbers_take_one_line() -> None:
    lines = [line.strip() for line in full_report().to_json().splitlines()]
    assert '"times": [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0],' in lines
    assert '"p_W": [0.31, 0.02, 0.05],' in lines
    odd = full_report(warnings=("[\n 1,\n 2 ]", "[ 3 ]"), statistics={"none": [], "some": [1, None]})
    assert Report.from_json(odd.to_json()) == odd


def test_the_scene_stays_out_of_the_json() -> None:
    report = full_report(scene=small_scene())
    assert "scene" not in json.loads(report.to_json())
    assert Report.from_json(report.to_json()) == report


def test_what_is_not_finite_is_null() -> None:
    curve = Curve(times=(0.0, 1.0), lower=(-math.inf, 0.0), upper=(math.inf, 0.1), lower_between=(-math.inf,))
    contact = replace(CONTACT.contacts[0], p_W=(math.nan,) * 3, normal_W=(math.nan,) * 3)
    pair = replace(CLOSE, clearance_upper=math.nan, clearance_lower=-math.inf, curve=curve)
    hit = replace(CONTACT, contacts=(contact,))
    text = full_report(pairs=(hit, pair)).to_json()
    assert "NaN" not in text
    assert "Infinity" not in text
    touching, read = Report.from_json(text).pairs
    assert read.curve == curve
    assert (read.clearance_upper, read.clearance_lower) == (None, -math.inf)
    assert (touching.contacts[0].p_W, touching.contacts[0].normal_W) == (None, None)


def test_names_of_later_versions_are_passed_over() -> None:
    content = json.loads(full_report().to_json()) | {"format": "keepclear-report/2.7", "mood": "good"}
    content["pairs"][0]["colour"] = "red"
    assert Report.from_json(json.dumps(content)).pairs == full_report().pairs


def changed(place: str, value: Any, of: Callable[[], Report] = full_report) -> str:
    """Return the full report, or another, with one value of its JSON exchanged; DELETE takes it out."""
    content = json.loads(of().to_json())
    *way, last = [int(part) if part.isdigit() else part for part in place.split("/")]
    inside = content
    for part in way:
        inside = inside[part]
    if value == "DELETE":
        del inside[last]
    else:
        inside[last] = value
    return json.dumps(content)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is not a report: it is not JSON"),
        ("{", "is not a report: it is not JSON"),
        ("[1, 2]", "has no 'format'"),
        ('{"a": 1}', "has no 'format'"),
        ("[" * 100_000, "is not JSON"),
        ('{"format": NaN}', "NaN is not a number in JSON"),
        (
            changed("format", "other/1"),
            "has the format 'other/1', not 'keepclear-report/2'; it is not a report",
        ),
        (changed("format", "keepclear-report/3"), "update keepclear to read it"),
        (changed("verdict", "FINE"), "verdict must be CLEAR, COLLIDING or UNDECIDED, but it is 'FINE' (str)"),
        (changed("verdict", []), "verdict must be CLEAR, COLLIDING or UNDECIDED, but it is []"),
        (
            changed("verdict", "CLEAR"),
            "its verdict is CLEAR, but the pair 'arm/forearm' - 'table' is COLLIDING",
        ),
        (changed("verdict", "DELETE"), "has no 'verdict'"),
        (changed("t0", "soon"), "t0 must be a number, but it is 'soon'"),
        (changed("t0", True), "t0 must be a number, but it is True"),
        (changed("t0", 10**400), "t0 must be a number"),
        (changed("pairs", {}), "pairs must be a list"),
        (changed("pairs/1", 7), "pairs[1] must be an object, but it is 7"),
        (changed("pairs/1/a", "DELETE"), "has no 'pairs[1].a'"),
        (changed("pairs/0/contacts/0/p_W", [1, 2]), "pairs[0].contacts[0].p_W must be a list of 3"),
        (changed("pairs/0/curve/lower/3", "x"), "pairs[0].curve.lower[3] must be a number"),
        (changed("effort/evaluations/0", 1.5), "effort.evaluations[0] must be an integer, but it is 1.5"),
        (changed("effort/evaluations/0", 2**63), "effort.evaluations[0] must be a count from 0 to 2**63 - 1"),
        (changed("effort/evaluations", [1, 2]), "effort.evaluations has 2 entries for 4 pairs"),
        (changed("effort/proofs/1", None), "effort.proofs[1] must be a text"),
        (changed("effort/programs", [{}]), "effort.programs has 1 entries for 0 programs"),
        (changed("effort", 7), "effort must be an object"),
        (changed("far", 7), "far must be an object"),
        (changed("far", {"count": 1}), "has no 'far.bound'"),
        (changed("far", {"count": -1, "bound": 0.1}), "far.count must be a count"),
        (changed("objects", "table"), "objects must be a list"),
        (changed("at_rest", ["table"]), "at_rest[0] must be a list"),
        (changed("interrupted", 0), "interrupted must be true or false"),
        (changed("warnings/0", None), "warnings[0] must be a text"),
        (changed("effort/statistics", []), "effort.statistics must be an object"),
    ],
)
def test_what_is_no_report_is_refused(text: str, message: str) -> None:
    with pytest.raises(kc.ReportError) as caught:
        Report.from_json(text)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 300


def test_files_that_are_no_reports_are_named(tmp_path: Path) -> None:
    with pytest.raises(kc.FileMissingError, match=r"there is no report at '.*none\.json'; check the path"):
        kc.read_report(tmp_path / "none.json")
    with pytest.raises(kc.ReportError, match="cannot be read"):
        kc.read_report(tmp_path)
    (tmp_path / "mesh.stl").write_bytes(b"\x80\xff\x00")
    with pytest.raises(kc.ReportError, match=r"report 'mesh\.stl' is not text"):
        kc.read_report(tmp_path / "mesh.stl")
    (tmp_path / "page.html").write_text("<!doctype html>")
    with pytest.raises(kc.ReportError, match=r"report 'page\.html' is not a report: it is a web page"):
        kc.read_report(tmp_path / "page.html")


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(kc.ReportError, match=r"report\.json' cannot be written: No such file or directory"):
        clear_report().to_json(tmp_path / "none" / "report.json")


def test_the_reference_page_names_every_field(project: Path) -> None:
    page = (project / "docs" / "reference" / "report.md").read_text(encoding="utf-8")
    for name, record in SCHEMA["$defs"].items():
        for field in record.get("properties", ()):
            assert f"| `{field}` | " in page[page.index(f"{{#{name}}}") :], f"{name}.{field}"


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        ("t0", 9.0, "its interval begins at 9 s and ends at 8 s"),
        ("t1", None, "its interval begins at 0 s and ends at nan s"),
        ("tolerance", -1e-3, "its tolerance is -0.001 m"),
        ("pairs/0/time", None, "is COLLIDING and has no time of contact"),
        ("pairs/0/time", 0.5, "has times that do not increase"),
        ("pairs/0/t_lo", None, "has times that do not increase: nan s"),
        ("pairs/0/t_hi", 1.0, "has times that do not increase"),
        ("pairs/0/t_hi", 9.0, "has a time 9 s outside of the interval from 0 s to 8 s"),
        ("pairs/0/contacts/0/t_lo", 7.0, "has contact 0 with times that do not increase"),
        ("pairs/0/contacts/0/t_end", 0.1, "and ends at 0.1 s"),
        ("pairs/0/clearance_lower", 1.0, "has a clearance of at least 1 m and at most"),
        ("pairs/0/clearance_time", 11.0, "has a time 11 s outside of the interval"),
        ("pairs/0/margin", None, "has the margin nan m"),
        ("pairs/0/margin", -1.0, "has the margin -1 m"),
        ("pairs/0/b", "arm/forearm", "it has a pair of 'arm/forearm' with itself"),
        ("pairs/0/contacts/0/permission_end", 0.0, "said to go on from a permission that ends at 0 s"),
        ("pairs/0/curve/times/1", 5.5, "has a curve whose times do not increase"),
        ("pairs/0/curve/lower/3", 99.0, "has a curve that is at least 99 m and at most"),
        ("pairs/0/curve/lower_between", [], "has a curve of 9 times"),
    ],
)
def test_times_and_bounds_that_contradict_each_other_are_refused(
    place: str, value: Any, message: str
) -> None:
    with pytest.raises(kc.ReportError) as caught:
        Report.from_json(changed(place, value))
    assert "contradicts itself: " in str(caught.value)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"time": 1.0}, "is CLEAR and has a contact"),
        ({"contacts": CONTACT.contacts}, "is CLEAR and has a contact"),
        ({"t_lo": 3.0}, "is CLEAR, but proved apart until 3 s only, not until 8 s"),
        ({"clearance_lower": 0.0, "clearance_upper": 0.0}, "is CLEAR, but its minimum distance is 0 m"),
        (
            {"clearance_lower": -0.2, "clearance_upper": -0.1},
            "has the margin 0.002 m and a clearance of at least -0.2 m",
        ),
        (
            {"margin": 0.5},
            "is CLEAR with a margin of 0.5 m, but its minimum distance is",
        ),
    ],
)
def test_a_clear_pair_that_is_not_is_refused(changes: dict[str, Any], message: str) -> None:
    text = clear_report(pairs=(replace(CLOSE, **changes),)).to_json()
    with pytest.raises(kc.ReportError) as caught:
        Report.from_json(text)
    assert message in str(caught.value)


def test_a_clear_pair_may_come_closer_than_a_margin_of_another_time() -> None:
    """The margin of a body that may be 0.2 s late is 0.8 m while it is fast, and 0.06 m where it comes within 0.1 m."""
    world = kc.World()
    places = [(-4, 3, 0), (0, 3, 0), (0, 0.3, 0)]
    world.add(
        "a", kc.Sphere(0.1), kc.PoseTrajectory.from_positions([0, 1, 10], places, interpolation="linear")
    )
    world.add("b", kc.Sphere(0.1), np.eye(4))
    world.set_path_tolerance("a", time=0.2)
    report = world.verify(tolerance=1e-4)
    (pair,) = report.pairs
    assert pair.verdict is kc.Verdict.CLEAR
    assert pair.clearance_upper is not None
    assert pair.clearance_upper < pair.margin
    assert Report.from_json(report.to_json()) == report


def test_a_collision_without_a_pair_that_collides_is_refused() -> None:
    text = clear_report().to_json().replace('"verdict": "CLEAR"', '"verdict": "COLLIDING"', 1)
    with pytest.raises(kc.ReportError, match="its verdict is COLLIDING, but no pair in it is"):
        Report.from_json(text)


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        ("far/count", 13, "13 pairs are far, but its objects make only 12 that are not listed"),
        ("far/bound", -0.1, "its far pairs are at least -0.1 m apart"),
        ("far/bound", None, "its far pairs are at least nan m apart"),
        ("objects/6", "table", "the object 'table' is listed twice"),
        ("objects/3", "pert", "it has a pair of 'part', which is not among its objects"),
        ("at_rest/0/0", "wal", "'wal' is at rest, but not among its objects"),
        ("at_rest", [["table", "wall"], ["wall", "post"]], "'wall' is in two groups at rest"),
        (
            "verdict",
            "UNDECIDED",
            "its verdict is UNDECIDED, but no pair in it is, and the check was not stopped",
        ),
        ("verdict", "COLLIDING", "its verdict is COLLIDING, but no pair in it is"),
    ],
)
def test_far_pairs_that_contradict_the_rest_are_refused(place: str, value: Any, message: str) -> None:
    with pytest.raises(kc.ReportError) as caught:
        Report.from_json(changed(place, value, far_report))
    assert "contradicts itself: " in str(caught.value)
    assert message in str(caught.value)


def test_far_pairs_of_programs_are_those_of_all() -> None:
    with pytest.raises(kc.ReportError, match="11 pairs are far, but 12 pairs of its programs"):
        Report.from_json(changed("far/count", 11, lambda: FAR_PROGRAMS))


@pytest.mark.parametrize("far", [None, FarPairs(count=1, bound=0.0)])
def test_undecided_needs_a_reason(far: FarPairs | None) -> None:
    nothing = clear_report(verdict=kc.Verdict.UNDECIDED, pairs=(), far=far, objects=("a", "b"))
    if far is None:  # as `World.unverified` gives it
        assert Report.from_json(nothing.to_json()) == nothing
    else:
        with pytest.raises(kc.ReportError, match="its verdict is UNDECIDED, but no pair in it is"):
            Report.from_json(nothing.to_json())
    stopped = replace(nothing, interrupted=True)
    assert Report.from_json(stopped.to_json()) == stopped
