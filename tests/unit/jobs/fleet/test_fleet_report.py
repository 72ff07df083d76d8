"""Reports over fleets: JSON, CSV, JUnit, SARIF, annotations and the overview, from two small cells and odd names."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from tests.unit.jobs.fleet.fleets import changed, failed, verified, write_cell

import keepclear as kc
from keepclear.jobs.fleet.findings import RULES, findings_of
from keepclear.report.parts import FarPairs

NASTY = "<script>alert('&\"')</script>"


@pytest.fixture
def mixed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> kc.fleet.FleetReport:
    """Two cells, of which one has contacts, and one with a mistake, named relative to the current folder."""
    monkeypatch.chdir(tmp_path)
    write_cell(tmp_path, "good.yaml")
    write_cell(tmp_path, "hit.yaml", wall=0.5)
    (tmp_path / "bad.yaml").write_text("objects:\n  ball: {sphere: -1}\n")
    paths = [Path(name) for name in ("good.yaml", "hit.yaml", "bad.yaml")]
    return kc.fleet.FleetReport(verified(*paths), "night")


def test_json_has_every_program_and_is_read_back(mixed: kc.fleet.FleetReport, tmp_path: Path) -> None:
    text = mixed.to_json(tmp_path / "fleet.json")
    content = json.loads(text)
    assert (content["format"], content["verdict"]) == ("keepclear-fleet/1", "COLLIDING")
    found = {(one["cell"], one["program"]): one for one in content["programs"]}
    assert [one["verdict"] for one in found.values()] == [
        "UNDECIDED",
        "CLEAR",
        "CLEAR",
        "COLLIDING",
        "COLLIDING",
    ]
    good = found["good.yaml", "inline"]
    assert 0.0 < good["clearance_lower"] <= good["clearance_upper"] < 0.1
    assert good["closest"] == ["ball", "post"]
    assert "bad.yaml:2:18" in found["bad.yaml", ""]["failure"]
    assert "effort" not in content, "two runs that found the same give the same bytes"
    assert kc.fleet.FleetReport.from_json(tmp_path / "fleet.json").to_json() == text
    effort = json.loads(mixed.to_json(tmp_path / "fleet.json", effort=True))["effort"]
    assert sum(one["computed"] for one in effort) == sum(one.computed for one in mixed.results) > 0
    again = kc.fleet.FleetReport.from_json(tmp_path / "fleet.json")
    assert [one.computed for one in again.results] == [one.computed for one in mixed.results]


def test_a_least_clearance_claims_no_more_than_all_bounds() -> None:
    def pair(b: str, lower: float, upper: float | None) -> kc.PairReport:
        return kc.PairReport(a="a", b=b, verdict=kc.Verdict.CLEAR, time=None, t_lo=1.0, t_hi=1.0,
                             clearance_lower=lower, clearance_upper=upper)  # fmt: skip

    def least(*pairs: kc.PairReport, far: FarPairs | None = None) -> Any:
        report = kc.Report(verdict=kc.Verdict.CLEAR, t0=0.0, t1=1.0, tolerance=1e-3, pairs=pairs, far=far)
        return kc.fleet.ProgramResult(cell="c", program="", report=report).least

    assert least(pair("b", 0.2, 0.21), pair("c", 0.1, None)) == (0.1, 0.21, "a", "b")
    assert least(pair("b", 0.2, 0.21), far=FarPairs(3, 0.05)) == (0.05, 0.21, "a", "b")
    assert least(pair("c", 0.1, None)) == (0.1, None, "a", "c")
    assert least(far=FarPairs(3, 0.05)) == (0.05, None, "", "")
    assert least() is None
    assert failed("a", "b").least is None


def test_the_table_has_no_formulas(mixed: kc.fleet.FleetReport, tmp_path: Path) -> None:
    good = next(one for one in mixed.results if one.verdict is kc.Verdict.CLEAR)
    names = ["=1+1", "+cmd", "-2+3", "@SUM(A1)", " =1", "\tx", 'a,"b"\nc', "42"]
    results = [*mixed.results, *(replace(good, program=name) for name in names)]
    text = kc.fleet.FleetReport(results).to_csv(tmp_path / "fleet.csv")
    assert (tmp_path / "fleet.csv").read_bytes().decode() == text
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert len(rows) == len(results)
    for row in rows:
        texts = (row[name] for name in ("cell", "program", "variant", "a", "b", "failure", "changes"))
        assert not any(value.lstrip(" ").startswith(("=", "+", "-", "@", "\t")) for value in texts)
    assert {"'=1+1", "'-2+3", 'a,"b"\nc', "42"} <= {row["program"] for row in rows}
    hit = next(row for row in rows if row["verdict"] == "COLLIDING")
    assert (float(hit["first_contact_s"]) > 0.0, {hit["a"], hit["b"]}) == (True, {"ball", "wall"})
    assert next(row for row in rows if row["cell"] == "bad.yaml")["verdict"] == ""


def test_junit_has_times_and_files(mixed: kc.fleet.FleetReport) -> None:
    old = kc.Report(verdict=kc.Verdict.CLEAR, t0=0.0, t1=1.0, tolerance=1e-3)
    assert "time=" not in old.to_junit().replace("timestamp", ""), "one report does not know what it took"
    root = ElementTree.fromstring(mixed.to_junit().encode())
    assert [suite.get("name") for suite in root] == [one.name for one in mixed.results]
    assert [suite.get("file") for suite in root] == [one.cell for one in mixed.results]
    assert float(root.attrib["time"]) == pytest.approx(sum(one.seconds for one in mixed.results), abs=1e-4)
    assert {case.get("file") for case in root.iter("testcase")} == {"good.yaml", "hit.yaml", "bad.yaml"}
    assert (root.get("failures"), root.get("errors")) == ("2", "1")
    error = next(root.iter("error"))
    assert error.get("type") == "bad input"
    assert "bad.yaml:2:18" in str(error.get("message"))


def test_a_clearance_that_fell_fails_a_test_case(tmp_path: Path) -> None:
    kc.fleet.FleetReport(verified(write_cell(tmp_path))).to_json(tmp_path / "old.json")
    results = verified(write_cell(tmp_path, post=0.19))
    comparison = kc.fleet.read_baseline(tmp_path / "old.json").compare(results)
    report = kc.fleet.FleetReport(results, "", comparison)
    root = ElementTree.fromstring(report.to_junit().encode())
    assert [failure.get("type") for failure in root.iter("failure")] == ["clearance fell"] * 2
    assert len(json.loads(report.to_json())["baseline"]["changes"]) == 2
    assert {one.rule for one in report.findings()} == {"clearance-fell"}
    assert "clearance fell from" in report.to_html()
    assert "clearance fell from" in report.to_csv()


def test_findings_stand_at_their_lines(mixed: kc.fleet.FleetReport) -> None:
    found = {(one.rule, one.location.file): one.location for one in mixed.findings()}
    lines = Path("hit.yaml").read_text().splitlines()
    inline, table, bad = (
        found["contact", "hit.yaml"],
        found["contact", "rows.csv"],
        found["input", "bad.yaml"],
    )
    assert "[0, 0, 0]" in lines[inline.line - 1], "the sample before the contact"
    assert inline.line - 1 == lines.index("        - [0, 0, 0]")
    assert Path("rows.csv").read_text().splitlines()[table.line - 1] == "1,0.2,0,0"
    assert (bad.line, bad.column) == (2, 18)


def test_places_that_are_not_known(tmp_path: Path) -> None:
    path = write_cell(tmp_path, wall=0.5)
    results = verified(path)
    varied = [replace(one, variant="speed=2") for one in results]
    lines = path.read_text().splitlines()
    contacts = [one.location for one in findings_of(varied) if one.rule == "contact"]
    found = {lines[location.line - 1].strip() for location in contacts}
    assert found == {"ball:", "table: {ball: rows.csv}"}, "another speed: the motion, not one of its samples"
    (tmp_path / "rows.csv").write_text("nothing\n")
    path.write_text("objects: [broken\n")
    assert {one.location for one in findings_of(results)} == {(str(path), 1, 1)}
    path.unlink()
    assert {one.location for one in findings_of(results)} == {(str(path), 1, 1)}


def test_annotations_of_one_cause_are_one_at_the_object(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wall that was moved gave a contact for each program, at rows of motions that nobody had edited."""
    monkeypatch.chdir(tmp_path)
    more = "".join(f"  p{k}: {{ball: rows.csv}}\n" for k in range(5))
    path = write_cell(tmp_path, wall=0.5, more=more)
    report = kc.fleet.FleetReport(verified(Path("cell.yaml")))
    assert len(report.findings()) == 14, "a contact and an overlap at rest of each program"
    first, *rows, warning = report.annotations()
    assert warning.startswith("::warning file=cell.yaml,line=4,col=3,title=Warning::cell.yaml inline: ")
    line = path.read_text().splitlines().index("  wall: {box: [0.2, 1, 1], position: [0.5, 0, 0]}") + 1
    text = "cell.yaml: 'wall': 7 pairs in contact or closer than their margin in 7 programs, such as cell.yaml inline: "
    assert first.startswith(f"::error file=cell.yaml,line={line},col=3,title=Contact::{text}")
    assert len(rows) == 3
    assert sum("file=rows.csv,line=4," in row for row in rows) == 2
    few = kc.fleet.FleetReport(verified(write_cell(tmp_path, "few.yaml", wall=0.5)))
    assert len(list(few.annotations())) == 3, "a few contacts stand at their rows only"


def test_warnings_of_one_cause_are_one_annotation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_cell(tmp_path)
    texts = [f"post: 'post' and 'wall' overlap at rest by {k} mm" for k in (2, 3)]
    results = [
        one for text, part in zip(texts, verified(Path("cell.yaml")), strict=True)
        for one in changed([part], warnings=(text, "'nothing' is far away"))
    ]  # fmt: skip
    lines = list(kc.fleet.FleetReport(results).annotations())
    assert lines == [
        f"::warning file=cell.yaml,line=4,col=3,title=Warning::cell.yaml inline: {texts[0]} "
        "(and 1 more program of cell.yaml)",
        "::warning file=cell.yaml,line=1,col=1,title=Warning::cell.yaml inline: 'nothing' is far away "
        "(and 1 more program of cell.yaml)",
    ]


def check_sarif(log: Any) -> list[Any]:
    """Check what SARIF 2.1.0 requires, and return the results: sections 3.13, 3.14, 3.19, 3.27 to 3.30 and 3.49."""
    assert log["version"] == "2.1.0"
    assert log["$schema"].startswith("https://")
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "keepclear"
    ids = [rule["id"] for rule in driver["rules"]]
    assert len(set(ids)) == len(ids)
    assert all(rule["shortDescription"]["text"] for rule in driver["rules"])
    assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
    for result in run["results"]:
        assert result["message"]["text"]
        assert ids[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in ("none", "note", "warning", "error")
        for location in result["locations"]:
            physical = location["physicalLocation"]
            assert re.fullmatch(r"(file://)?[A-Za-z0-9_.~/%-]+", physical["artifactLocation"]["uri"])
            region = physical["region"]
            assert all(
                isinstance(region[name], int) and region[name] >= 1 for name in ("startLine", "startColumn")
            )
        assert all(isinstance(value, str) for value in result["partialFingerprints"].values())
    found: list[Any] = run["results"]
    return found


def test_sarif(mixed: kc.fleet.FleetReport, tmp_path: Path) -> None:
    text = mixed.to_sarif(tmp_path / "fleet.sarif")
    results = check_sarif(json.loads(text))
    rules = [one["ruleId"] for one in results]
    assert sorted(set(rules), key=list(RULES).index) == ["contact", "input", "warning"]
    assert rules.count("contact") == 2
    assert len({one["partialFingerprints"]["keepclear/v1"] for one in results}) == len(results)
    assert check_sarif(json.loads(kc.fleet.FleetReport([]).to_sarif())) == []


@pytest.mark.parametrize(
    ("name", "uri"),
    [
        ("a b#c?.yaml", "a%20b%23c%3F.yaml"),
        ("50%.yaml", "50%25.yaml"),
        ("zürich/größe.yaml", "z%C3%BCrich/gr%C3%B6%C3%9Fe.yaml"),
        ("a:b,c.yaml", "a%3Ab%2Cc.yaml"),
        ("./x/../y.yaml", "y.yaml"),
        ("half\udcff.yaml", "half%FF.yaml"),
    ],
)
def test_sarif_and_annotations_with_odd_file_names(
    name: str, uri: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    report = kc.fleet.FleetReport([failed(name, f"{name}:3:7: 100%: no\nsecond line")])
    results = check_sarif(json.loads(report.to_sarif().encode()))
    places = [one["locations"][0]["physicalLocation"] for one in results]
    assert {place["artifactLocation"]["uri"] for place in places} == {uri}
    assert {place["region"]["startLine"] for place in places} == {3, 1}
    lines = list(report.annotations())
    assert all(line.encode() and "\n" not in line and "\r" not in line for line in lines)
    first = re.fullmatch(r"::error file=([^,:]+),line=3,col=7,title=Bad input::100%25: no", lines[0])
    assert first is not None
    absolute = kc.fleet.FleetReport([failed(str(tmp_path / "in.yaml"), "x"), failed("/else/where.yaml", "x")])
    uris = [
        one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        for one in check_sarif(json.loads(absolute.to_sarif()))
    ]
    assert sorted(uris) == ["file:///else/where.yaml", "in.yaml"]


def test_a_newline_cannot_forge_an_annotation() -> None:
    report = kc.fleet.FleetReport([failed("a.yaml\n::error::forged", "it is\r bad", 4)])
    lines = list(report.annotations())
    assert len(lines) == 2
    assert all(line.startswith("::error file=") for line in lines)
    assert not any("\n" in line or "\r" in line for line in lines)


class Outline(HTMLParser):
    """The tags and addresses of a page, and the text of its data."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.data = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("src", "href")]

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1] == "script" and data.startswith("{"):
            self.data = data


def test_no_name_becomes_markup(mixed: kc.fleet.FleetReport, tmp_path: Path) -> None:
    good = next(one for one in mixed.results if one.verdict is kc.Verdict.CLEAR)
    odd = [
        replace(good, cell=NASTY, program=NASTY, variant=NASTY),
        failed(NASTY, NASTY),
        replace(good, program="\ud800"),
    ]
    report = kc.fleet.FleetReport([*mixed.results, *odd], NASTY)
    plain, text = Outline(mixed.to_html()), report.to_html(tmp_path / "fleet.html")
    outline = Outline(text)
    assert (tmp_path / "fleet.html").read_text(encoding="utf-8") == text
    assert outline.tags == plain.tags
    assert all(link.startswith("data:") for link in outline.links)
    assert NASTY not in text
    rows = json.loads(outline.data)["rows"]
    assert NASTY in {row["program"] for row in rows}
    assert "three" not in text.lower()
    assert len(text) < 100_000
    ElementTree.fromstring(report.to_junit().encode("utf-8", "replace"))


def test_the_overview_says_too_close_where_nothing_touches(tmp_path: Path) -> None:
    cell = write_cell(tmp_path, more="margins: [{pair: [ball, wall], margin: 0.3}]\n")
    close = list(kc.fleet.verify_programs([cell], contacts="all"))
    page = json.loads(Outline(kc.fleet.FleetReport(close).to_html()).data)
    assert (page["verdict"], page["shown"], page["sentence"]) == (
        "COLLIDING",
        "TOO CLOSE",
        "2 programs: 2 too close",
    )
    assert [(row["verdict"], row["shown"], row["pair"]) for row in page["rows"]] == [
        ("COLLIDING", "TOO CLOSE", "ball - wall")
    ] * 2
    for row in page["rows"]:
        words = row["least_text"].split()
        assert words[:2] + words[3:] == ["at", "most", "m"]
        assert 0.15 <= float(words[2]) <= 0.151
    first = list(kc.fleet.verify_programs([cell], contacts="first"))
    page = json.loads(Outline(kc.fleet.FleetReport(first).to_html()).data)
    assert page["shown"] == "COLLIDING"  # it may touch later
    assert page["rows"][0]["least_text"] == "at most 0.3 m"


def test_the_overview_links_to_pages(mixed: kc.fleet.FleetReport, tmp_path: Path) -> None:
    paths = mixed.write_pages(tmp_path / "pages")
    assert len(paths) == len({*paths.values()}) == 4
    assert all(path.read_text().startswith("<!doctype html>") for path in paths.values())
    text = mixed.to_html(pages={name: f"a b/{path.name}" for name, path in paths.items()})
    links = [row["page"] for row in json.loads(Outline(text).data)["rows"]]
    assert links[0] is None
    assert all(link.startswith("a%20b/") for link in links[1:])
    odd = replace(mixed.results[1], cell="../../etc/<x>", program="/root")
    (path,) = kc.fleet.FleetReport([odd]).write_pages(tmp_path / "odd").values()
    assert path.parent == tmp_path / "odd"


def test_one_program_by_name(mixed: kc.fleet.FleetReport) -> None:
    assert mixed.program("good.yaml inline").verdict is kc.Verdict.CLEAR
    with pytest.raises(kc.UnknownNameError, match="2 programs are called 'inline'; give the full name"):
        mixed.program("inline")
    with pytest.raises(kc.UnknownNameError, match="has no program 'good inline'; did you mean"):
        mixed.program("good inline")
    with pytest.raises(kc.ReportError, match=r"bad\.yaml has no report"):
        mixed.program("bad.yaml")


def test_exit_codes(mixed: kc.fleet.FleetReport) -> None:
    good = [one for one in mixed.results if one.cell == "good.yaml"]
    late, broken = failed("l.yaml", "late", 3), failed("b.yaml", "broke", 4)
    assert mixed.exit_code() == 1
    assert kc.fleet.FleetReport(good).exit_code() == 0
    assert kc.fleet.FleetReport([*good, late]).exit_code() == 3
    assert kc.fleet.FleetReport([*good, late, failed("x", "y")]).exit_code() == 2
    assert kc.fleet.FleetReport([late, failed("x", "y"), broken]).exit_code() == 4
    warned = changed(good, warnings=("w",))
    assert [kc.fleet.FleetReport(warned).exit_code(strict=strict) for strict in (False, True)] == [0, 2]
    assert kc.fleet.FleetReport([]).verdict is kc.Verdict.UNDECIDED
