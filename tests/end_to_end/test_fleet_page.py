"""The overview of a fleet in a real browser: 1 000 programs sorted and filtered, narrow screens, and nasty names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.end_to_end.pages import open_file
from tests.unit.report.example_reports import NASTY

import keepclear as kc
from keepclear.jobs.fleet.baseline import Comparison
from keepclear.jobs.fleet.changes import Change

pytestmark = pytest.mark.xdist_group("browser")  # one browser for all of them


def result(k: int) -> kc.fleet.ProgramResult:
    verdict = kc.Verdict.COLLIDING if k % 100 == 7 else kc.Verdict.CLEAR
    time = 0.5 if verdict is kc.Verdict.COLLIDING else None
    least = 0.0 if time else 0.01 + 1e-4 * ((37 * k) % 1000)
    pair = kc.PairReport(a="arm/hand", b="table", verdict=verdict, time=time, t_lo=time or 1.0, t_hi=time or 1.0,
                         clearance_lower=least, clearance_upper=least)  # fmt: skip
    report = kc.Report(verdict=verdict, t0=0.0, t1=1.0, tolerance=1e-3, pairs=[pair])
    return kc.fleet.ProgramResult(
        cell=f"cells/line_{k // 20:02d}.yaml", program=f"pick_{k % 20:02d}", report=report
    )


@pytest.fixture(scope="module")
def overview(tmp_path_factory: pytest.TempPathFactory) -> Path:
    results = [result(k) for k in range(1000)]
    results.append(
        kc.fleet.ProgramResult(
            cell=NASTY, program=NASTY, variant=NASTY, report=None, failure=NASTY, failure_code=4
        )
    )
    fell = Change("clearance", results[3].cell, results[3].program, "", "arm/hand", NASTY, 0.05, 0.02)
    moved = [
        Change("clearance", one.cell, one.program, "", "arm/hand", "table", 0.05, 0.04)
        for one in results[20:60]
    ]
    path = tmp_path_factory.mktemp("fleet") / "fleet.html"
    report = kc.fleet.FleetReport(
        results, NASTY, Comparison(NASTY, 1e-3, (fell, *moved), 1000, 0, {"arm": 1000, "table": 40})
    )
    report.to_html(path, pages={results[3].name: "pages/one.html"})
    return path


def rows(opened: Any) -> list[str]:
    return [text.split("\n")[0] for text in opened.page.locator("tbody tr td.pair").all_inner_texts()]


def test_it_sorts_and_filters_a_thousand_programs(browser: Any, overview: Path) -> None:
    opened = open_file(browser, overview)
    page = opened.page
    assert opened.data("shown") == "1001"
    first = page.locator("tbody tr").evaluate_all("rows => rows.slice(0, 11).map(row => row.dataset.verdict)")
    assert first == ["COLLIDING"] * 10 + ["NONE"]
    page.fill("input[type=search]", "line_03 pick_1")
    assert opened.data("shown") == "10"
    page.fill("input[type=search]", "")
    page.click("button[data-kind=changed]")
    assert opened.data("shown") == "41"
    page.fill("input[type=search]", "line_00")
    assert rows(opened) == ["pick_03"]
    assert page.locator("td.pair a").get_attribute("href") == "pages/one.html"
    page.fill("input[type=search]", "")
    page.click("button[data-kind=changed]")
    page.click("th.program button")
    page.click("th.program button")
    assert page.locator("th.program").get_attribute("aria-sort") == "descending"
    assert page.locator("tbody tr").count() == 300
    page.click("button.rest")
    assert page.locator("tbody tr").count() == 1001
    page.click("th.least button")
    texts = page.locator("td.least").all_inner_texts()
    assert [text.split("\n")[0] for text in texts[:10]] == ["contact"] * 10
    assert [float(text.split()[0]) for text in texts[11:20]] == sorted(
        float(t.split()[0]) for t in texts[11:20]
    )
    assert opened.troubles == []


def test_rows_and_changes_of_one_cause_are_one_line(browser: Any, overview: Path) -> None:
    opened = open_file(browser, overview)
    page = opened.page
    lines = page.locator(".changes .groups > li")
    assert lines.count() == 2
    assert (
        lines.nth(0).inner_text().startswith("'table' in 2 cells: 40 clearances in 40 programs fell, most ")
    )
    assert page.locator(".changes .groups ul").is_hidden()
    lines.nth(0).locator("summary").click()
    assert lines.nth(0).locator("li").count() == 40
    assert lines.nth(0).locator("li").first.inner_text() == (
        "cells/line_01.yaml pick_00: 'arm/hand' - 'table': clearance fell from 50 mm to 40 mm"
    )
    row = page.locator("tbody tr[data-verdict=COLLIDING]").first
    assert row.locator("p.text").is_hidden()
    row.locator("summary").click()
    assert row.locator("p.text").inner_text() == "'arm/hand' touches 'table' at 0.5 s"
    assert row.locator("td.least").inner_text().split("\n") == ["contact", "arm/hand - table"]
    assert page.locator("tbody tr[data-verdict=NONE] p.text").is_visible()
    assert opened.troubles == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_narrow_screen(browser: Any, overview: Path, scheme: str) -> None:
    opened = open_file(browser, overview, viewport={"width": 390, "height": 800}, color_scheme=scheme)
    assert opened.page.evaluate("document.documentElement.scrollWidth") == 390
    assert opened.page.locator("tbody tr").first.is_visible()
    colours = opened.page.evaluate(
        "['color', 'backgroundColor'].map(name => getComputedStyle(document.body)[name])"
    )
    light, dark = (sum(map(int, colour[4:-1].split(","))) for colour in colours)
    assert (light < dark) == (scheme == "light"), "text is dark on light, or light on dark"
    assert opened.troubles == []
