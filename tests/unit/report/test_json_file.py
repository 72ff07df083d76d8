"""Reports as JSON: nothing is lost, the schema describes it, and whatever is no report is refused with a reason."""

from __future__ import annotations

import json
import math
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from tests.unit.report.example_reports import (
    CLOSE,
    CONTACT,
    NASTY,
    clear_report,
    full_report,
    programs_report,
    small_scene,
)

import keepclear as kc
from keepclear.report import json_file
from keepclear.report.report import Assumption, Contact, Curve, PairReport, Report, Unchecked

SCHEMA = json.loads(Path(json_file.__file__).with_name("report.schema.json").read_text(encoding="utf-8"))
REPORTS = [clear_report(), full_report(), programs_report(), full_report(title=NASTY, interrupted=True)]


@pytest.mark.parametrize("report", REPORTS, ids=["clear", "full", "programs", "nasty"])
def test_nothing_is_lost(report: Report, tmp_path: Path) -> None:
    text = report.to_json(tmp_path / "report.json")
    assert Report.from_json(text) == report
    assert Report.from_json(str(tmp_path / "report.json")) == report
    again = kc.read_report(tmp_path / "report.json")
    assert again == report
    assert again.to_json() == text
    assert (str(again), again.to_junit(), again.exit_code) == (
        str(report),
        report.to_junit(),
        report.exit_code,
    )
    assert [path.name for path in tmp_path.iterdir()] == ["report.json"]


@pytest.mark.parametrize("report", REPORTS, ids=["clear", "full", "programs", "nasty"])
def test_the_schema_describes_it(report: Report) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.validate(json.loads(report.to_json()), SCHEMA)
    broken = json.loads(report.to_json()) | {"verdict": "FINE"}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(broken, SCHEMA)


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (Report, "report"),
        (PairReport, "pair"),
        (Contact, "contact"),
        (Curve, "curve"),
        (Unchecked, "unchecked"),
        (Assumption, "assumption"),
    ],
)
def test_the_schema_has_every_field_and_no_other(kind: Any, name: str) -> None:
    assert set(SCHEMA["$defs"][name]["properties"]) == {f.name for f in fields(kind)} - {"scene"}


def test_what_readers_look_for_is_at_the_top() -> None:
    content = json.loads(full_report().to_json())
    assert list(content)[:2] == ["format", "verdict"]
    assert content["format"] == "keepclear-report/1"
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
    content = json.loads(full_report().to_json()) | {"format": "keepclear-report/1.7", "mood": "good"}
    content["pairs"][0]["colour"] = "red"
    assert Report.from_json(json.dumps(content)).pairs == full_report().pairs


def changed(place: str, value: Any) -> str:
    """Return the full report with one value of its JSON exchanged; DELETE takes it out."""
    content = json.loads(full_report().to_json())
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
        ("", "is no report: it is not JSON"),
        ("{", "is no report: it is not JSON"),
        ("[1, 2]", "has no 'format'"),
        ('{"a": 1}', "has no 'format'"),
        ("[" * 100_000, "is not JSON"),
        ('{"format": NaN}', "NaN is no number in JSON"),
        (changed("format", "other/1"), "has the format 'other/1', not 'keepclear-report/1'; it is no report"),
        (changed("format", "keepclear-report/2"), "update keepclear to read it"),
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
        (changed("pairs/0/evaluations", 1.5), "pairs[0].evaluations must be an integer, but it is 1.5"),
        (changed("interrupted", 0), "interrupted must be true or false"),
        (changed("warnings/0", None), "warnings[0] must be a text"),
        (changed("statistics", []), "statistics must be an object"),
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
    with pytest.raises(kc.ReportError, match=r"report 'mesh\.stl' is no text"):
        kc.read_report(tmp_path / "mesh.stl")
    (tmp_path / "page.html").write_text("<!doctype html>")
    with pytest.raises(kc.ReportError, match=r"report 'page\.html' is no report: it is a web page"):
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
        ({"clearance_lower": 0.0, "clearance_upper": 0.0}, "is CLEAR, but its least distance is 0 m"),
        (
            {"clearance_lower": -0.2, "clearance_upper": -0.1},
            "has the margin 0.002 m and a clearance of at least -0.2 m",
        ),
    ],
)
def test_a_clear_pair_that_is_not_is_refused(changes: dict[str, Any], message: str) -> None:
    text = clear_report(pairs=(replace(CLOSE, **changes),)).to_json()
    with pytest.raises(kc.ReportError) as caught:
        Report.from_json(text)
    assert message in str(caught.value)


def test_a_collision_without_a_pair_that_collides_is_refused() -> None:
    text = clear_report().to_json().replace('"verdict": "CLEAR"', '"verdict": "COLLIDING"', 1)
    with pytest.raises(kc.ReportError, match="its verdict is COLLIDING, but no pair in it is"):
        Report.from_json(text)
