"""Pages of single programs: the moving cell is in them, and what has changed since the overview is said."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.unit.jobs.fleet.fleets import failed, verified, write_cell

import keepclear as kc
from keepclear.cli.local_server import FleetPages
from keepclear.jobs.fleet.pages import ProgramPages


def test_a_page_shows_the_moving_cell(tmp_path: Path) -> None:
    path = write_cell(tmp_path)
    results = verified(path)
    for one in results:
        assert one.report is not None
        report = ProgramPages([path]).report(one)
        assert report.scene is not None
        assert any(pair.curve is not None for pair in report.pairs)
        assert (report.verdict, report.warnings) == (one.verdict, one.report.warnings)
        assert (report.t0, report.t1, report.tolerance, report.program) == (
            one.report.t0, one.report.t1, one.report.tolerance, one.program,
        )  # fmt: skip


def test_pages_are_written_with_the_moving_cell(tmp_path: Path) -> None:
    path = write_cell(tmp_path)
    report = kc.fleet.FleetReport(verified(path))
    plain, shown = report.write_pages(tmp_path / "plain"), report.write_pages(tmp_path / "shown", [path])
    assert plain.keys() == shown.keys()
    for name in plain:
        assert len(shown[name].read_text()) > len(plain[name].read_text())


def test_a_changed_cell_is_said(tmp_path: Path) -> None:
    path = write_cell(tmp_path)
    before = verified(path)[0]
    assert before.verdict is kc.Verdict.CLEAR
    write_cell(tmp_path, wall=0.5)
    after = ProgramPages([path]).report(before)
    assert after.verdict is kc.Verdict.COLLIDING
    assert after.warnings[0] == "the overview says CLEAR; files of this cell have changed since then"


def test_results_of_other_cells_have_no_page(tmp_path: Path) -> None:
    path = write_cell(tmp_path)
    (one, *_) = verified(path)
    with pytest.raises(kc.ReportError, match=r"other\.yaml inline: its cell is not among those given"):
        ProgramPages([path]).report(replace(one, cell="other.yaml"))
    with pytest.raises(kc.ReportError, match=r"bad\.yaml has no report: no"):
        ProgramPages([path]).report(failed("bad.yaml", "no"))


def test_a_browser_gets_the_overview_and_pages_of_programs(tmp_path: Path) -> None:
    path = write_cell(tmp_path)
    pages = FleetPages(kc.fleet.FleetReport([*verified(path), failed("bad.yaml", "no")]), [path])
    found = pages.answer("/")
    assert found is not None
    data = found[1].partition('<script type="application/json" id="keepclear-report">')[2]
    links = [row["page"] for row in json.loads(data.partition("</script>")[0])["rows"]]
    assert len(links) == 3
    assert links.count(None) == 1, "a program without a report has no page"
    known = [link for link in links if link is not None]
    for link in known:
        kind, page = pages.answer(f"/{link}") or ("", "")
        assert kind == "text/html"
        assert 'data-verdict="CLEAR"' in page
    for other in ("/programs/other.html", "/programs/../cell.yaml", "/cell.yaml", ""):
        assert pages.answer(other) is None
    path.write_text("objects: {a: {box: 3}}\n")
    assert "box" in (pages.answer(f"/{known[0]}") or ("", ""))[1]
