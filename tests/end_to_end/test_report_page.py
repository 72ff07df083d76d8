"""The page of a report in a real browser: opened from disk, drawn, moved, clicked, and read back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.end_to_end.pages import NO_WEBGL, Opened, Opener, picture, set_slider, settle
from tests.unit.report.example_reports import (
    CLOSE,
    CONTACT,
    EVIDENCE,
    NASTY,
    far_report,
    full_report,
    programs_report,
    small_scene,
)

from keepclear.report.parts import Contact, Curve

pytestmark = pytest.mark.xdist_group("browser")  # one browser for all of them


@pytest.fixture(scope="module")
def report_page(open_page: Opener) -> Iterator[Opened]:
    opened = open_page(full_report(scene=small_scene()))
    yield opened
    assert opened.troubles == []


def is_red(colours: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    red, green, blue = (colours[..., k].astype(int) for k in range(3))
    mask: np.ndarray[Any, Any] = (red > 120) & (red > 2 * green) & (red > 2 * blue)
    return mask


def test_it_opens_at_the_first_contact(report_page: Opened) -> None:
    assert report_page.data("verdict") == "COLLIDING"
    assert report_page.data("selectedPair") == "arm/forearm - table"
    assert report_page.time() == 1.284
    assert report_page.data("contact") == "arm/forearm - table"
    assert report_page.page.locator("h1").inner_text() == "COLLIDING"
    sentence = report_page.page.locator(".sentence").inner_text()
    assert sentence == "'arm/forearm' touches 'table' at 1.284 s."


def test_the_cell_is_drawn_and_what_touches_is_red(report_page: Opened) -> None:
    report_page.wait_for("Number(document.body.dataset.drawnTriangles) > 500")
    at_contact = picture(report_page)
    assert len(np.unique(at_contact.reshape(-1, 3), axis=0)) > 500
    set_slider(report_page, 5.0)
    assert report_page.data("contact") == ""
    settle(report_page)
    with_ghost = is_red(picture(report_page)).sum()
    ghost = report_page.page.locator("button[data-toggle=ghost]")
    ghost.click()
    assert ghost.get_attribute("aria-pressed") == "false"
    settle(report_page)
    apart = is_red(picture(report_page)).sum()  # the contact's point and normal are still marked
    ghost.click()
    assert is_red(at_contact).sum() > 2 * apart + 500
    assert with_ghost > 2 * apart + 100  # the view is close, so that the ghost is partly outside


def test_the_slider_moves_time_and_bodies(report_page: Opened) -> None:
    set_slider(report_page, 0.5)
    settle(report_page)
    before = picture(report_page)
    set_slider(report_page, 2.0)
    assert report_page.time() == 2.0
    assert report_page.data("frame") == "8"
    assert report_page.page.locator("output.clock").inner_text() == "2.000 s"
    assert report_page.data("contact") == "arm/forearm - table"
    settle(report_page)
    assert (picture(report_page) != before).any(axis=2).mean() > 0.01


def test_a_click_on_the_plot_seeks(report_page: Opened) -> None:
    over = report_page.page.locator(".panel.one .u-over")
    box = over.bounding_box()
    over.click(position={"x": box["width"] * 0.75, "y": box["height"] / 2})
    assert abs(report_page.time() - 6.0) < 0.05


def test_a_click_on_a_row_selects_and_seeks(report_page: Opened) -> None:
    report_page.page.locator("tr[data-pair]", has_text="4.12 to 4.2").click()
    assert report_page.data("selectedPair") == "arm/hand - part"
    assert report_page.time() == 3.2
    row = report_page.page.locator("tr[aria-selected=true]")
    assert row.count() == 1
    settle(report_page)
    assert report_page.page.locator(".label.distance").inner_text() == "4.2 mm"  # of the points
    report_page.page.locator("button[data-contact='1']").click()
    assert report_page.data("selectedPair") == "arm/forearm - table"
    assert report_page.time() == 3.0


def test_a_far_pair_has_no_curve_and_says_why(report_page: Opened) -> None:
    report_page.page.locator("tr[data-pair]", has_text="more than 0.1 m").click()
    assert "more than 0.1 m apart all the time" in report_page.page.locator(".panel.one .plot").inner_text()


def test_pairs_are_sorted_and_filtered(report_page: Opened) -> None:
    rows = report_page.page.locator("tr[data-pair]")
    assert rows.evaluate_all("rows => rows.map(row => row.dataset.pair)") == ["0", "1", "2", "3"]
    report_page.page.get_by_label("Group pairs").select_option("none")
    header = report_page.page.locator("th.pair button")
    header.click()
    assert rows.first.get_attribute("data-pair") == "3"
    header.click()
    assert rows.first.get_attribute("data-pair") == "1"
    report_page.page.locator("th.verdict button").click()
    report_page.page.get_by_label("Filter pairs by name").fill("hand table")
    assert rows.count() == 1
    assert report_page.page.locator(".side .bar .count").first.inner_text() == "1 of 4"
    report_page.page.get_by_label("Filter pairs by name").fill("")
    report_page.page.get_by_label("Group pairs").select_option("event")


def test_keys_play_and_step(report_page: Opened) -> None:
    page = report_page.page
    set_slider(report_page, 1.0)
    page.locator("h1").click()
    page.keyboard.press("ArrowRight")
    assert report_page.time() == 1.25
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert report_page.time() == 0.75
    page.keyboard.press("Space")
    report_page.wait_for("Number(document.body.dataset.time) > 0.8")
    assert report_page.data("playing") == "true"
    page.keyboard.press("Space")
    assert report_page.data("playing") == "false"
    page.keyboard.press("End")
    assert report_page.time() == 8.0
    page.keyboard.press("Home")
    assert report_page.time() == 0.0


def test_what_it_rests_on_unfolds(report_page: Opened) -> None:
    page = report_page.page
    assert page.locator("details.warnings[open]").count() == 1
    page.locator("dl.facts a", has_text="4 pairs").click()
    assert "disabled by the robot's SRDF" in page.locator("details.unchecked").inner_text()
    page.locator("details.assumptions summary").click()
    assert "taken as millimetres" in page.locator("details.assumptions").inner_text()


def test_nothing_went_wrong_and_nothing_was_asked_of_a_network(report_page: Opened) -> None:
    assert report_page.troubles == []


def test_programs_can_be_switched_on_a_phone_in_the_dark(open_page: Opener) -> None:
    good, bad = programs_report().programs
    both = replace(
        programs_report(), programs=(replace(good, scene=small_scene()), replace(bad, scene=small_scene()))
    )
    phone = open_page(both, viewport={"width": 390, "height": 800}, color_scheme="dark", has_touch=True)
    assert phone.data("program") == "bad"
    assert phone.page.evaluate("document.documentElement.scrollWidth") == 390
    phone.page.locator("nav.programs button", has_text="good").tap()
    assert phone.data("program") == "good"
    assert phone.data("verdict") == "CLEAR"
    assert phone.data("selectedPair") == "arm/hand - part"
    assert phone.page.locator("tr[data-pair]").count() == 2
    assert phone.troubles == []
    phone.page.context.close()


def test_without_webgl_everything_else_works(open_page: Opener) -> None:
    old = open_page(full_report(scene=small_scene()), script=NO_WEBGL)
    assert "WebGL is not available in this browser" in old.page.locator(".stage").inner_text()
    old.page.locator("tr[data-pair]", has_text="4.12 to 4.2").click()
    assert old.time() == 3.2
    assert old.page.locator(".plot .u-over").count() == 1
    assert [trouble for trouble in old.troubles if "WebGL" not in trouble] == []
    old.page.context.close()


def test_a_single_instant_without_a_scene_and_with_nasty_names(open_page: Opener) -> None:
    curve = Curve(times=(1.0,), lower=(0.0,), upper=(0.001,), lower_between=())
    contact = Contact(time=1.0, t_lo=1.0, t_hi=1.0)
    pair = replace(CONTACT, a=NASTY, time=1.0, t_lo=1.0, t_hi=1.0, contacts=(contact,), curve=curve)
    report = full_report(pairs=(pair, CLOSE), t0=1.0, t1=1.0, title=NASTY, warnings=(NASTY,))
    nasty = open_page(report)
    assert "made without the shapes" in nasty.page.locator(".stage").inner_text()
    assert nasty.data("selectedPair") == f"{NASTY} - table"
    assert nasty.page.locator("tr[data-pair] .name").first.inner_text() == NASTY
    assert nasty.page.locator("img").count() == 0
    nasty.page.locator("h1").click()
    nasty.page.keyboard.press("Space")
    assert (nasty.time(), nasty.data("playing")) == (1.0, "false")
    assert not nasty.page.locator("input.slider").is_visible()
    assert not nasty.page.locator(".clearances").is_visible()
    assert nasty.page.locator("dl.facts").inner_text().startswith("Instant\n1 s")
    assert nasty.troubles == []
    nasty.page.context.close()


def test_far_pairs_are_counted_on_the_page(open_page: Opener) -> None:
    opened = open_page(far_report(scene=small_scene()))
    assert (
        opened.page.locator(".sentence")
        .inner_text()
        .startswith("14 pairs proved clear from 0 to 8 s, 2 come near")
    )
    assert opened.page.locator("tbody tr[data-pair]").count() == 2
    assert "12 pairs: swept boxes prove that each stays more than 0.1 m apart" in opened.page.content()
    assert opened.troubles == []
    bare = open_page(far_report(pairs=()))
    assert bare.page.locator(".side .empty").inner_text() == "No pair comes near, or none had to be checked."
    assert bare.troubles == []


def test_evidence_is_on_the_page(open_page: Opener) -> None:
    nasty = replace(
        EVIDENCE, command=NASTY, inputs=(*EVIDENCE.inputs, replace(EVIDENCE.inputs[0], path=NASTY))
    )
    opened = open_page(replace(programs_report(), evidence=nasty))
    page = opened.page
    page.locator("details.evidence summary").click()
    text = page.locator("details.evidence").inner_text()
    for said in (
        "keepclear 0.1.0, sources 0123",
        "2026-01-02 03:04:05 UTC",
        "Linux",
        "contacts: first",
        NASTY,
        "ab" * 32,
    ):
        assert " ".join(said.split()) in " ".join(text.split())
    assert "tolerance" not in text, "it is as the cell says"
    assert page.locator(".inputs tbody tr").count() == 2
    assert opened.troubles == []
    plain = open_page(full_report())
    assert plain.page.locator("details.evidence").count() == 0


def test_pinned_pairs_are_first_and_own_links_below_the_surroundings(open_page: Opener) -> None:
    own = replace(CLOSE, a="arm/base", b="arm/forearm", clearance_lower=0.001, clearance_upper=0.001)
    report = full_report(
        pairs=(CONTACT, own, CLOSE), objects=("arm/base", "arm/forearm", "table", CLOSE.a, CLOSE.b)
    )
    opened = open_page(report.pinned(f"{CLOSE.a} - {CLOSE.b}"))
    page = opened.page
    titles = page.locator("tr.group .title")
    assert titles.all_inner_texts() == ["Pinned", "Contacts", "Clear, own links"]
    assert page.locator("tr[data-pair]").first.get_attribute("data-pair") == "0"
    page.locator(".side select").select_option("object")
    assert titles.all_inner_texts()[0] == "Pinned"
    assert titles.all_inner_texts()[-1] == "arm, own links"
    page.locator(".side select").select_option("none")
    page.locator("th.time button").click()
    page.locator("th.time button").click()
    assert page.locator("tr[data-pair]").first.get_attribute("data-pair") == "0"
    assert opened.troubles == []


def test_paper_has_all_programs_and_a_page_for_signatures(open_page: Opener) -> None:
    opened = open_page(replace(programs_report(), evidence=EVIDENCE))
    page = opened.page
    assert page.locator(".signatures, .paper-program").count() == 0
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    programs = programs_report().programs
    assert page.locator(".paper-program").count() == len(programs) - 1
    shown = page.locator("h1").all_inner_texts()
    assert sorted(shown) == sorted(program.verdict.value for program in programs)
    signatures = page.locator(".signatures").inner_text()
    assert "keepclear 0.1.0" in signatures
    assert "ab" * 32 in signatures
    assert page.locator(".signatures .verdicts li").count() == len(programs)
    assert page.locator(".signatures tbody tr").count() == 3
    page.emulate_media(media="screen")
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.locator(".signatures, .paper-program").count() == 0
    assert opened.troubles == []


@pytest.mark.usefixtures("browser")  # it skips where there is no Chromium
def test_a_report_is_printed_as_pdf(tmp_path: Path) -> None:
    report = replace(programs_report(), evidence=EVIDENCE)
    report.to_pdf(tmp_path / "report.pdf")
    content = (tmp_path / "report.pdf").read_bytes()
    assert f"/Title ({report.verdict.value} - ".encode() in content
    pages = len(re.findall(rb"/Type\s*/Page\b(?!s)", content))
    assert pages >= len(report.programs) + 1, "each program begins a page, and so do the signatures"
    sizes = {tuple(map(float, box.split())) for box in re.findall(rb"/MediaBox \[0 0 ([\d. ]+)\]", content)}
    assert {(round(width), round(height)) for width, height in sizes} == {(595, 842)}, "A4, in points"
    assert str(tmp_path).encode() not in content
    assert [path.name for path in tmp_path.iterdir()] == ["report.pdf"]
