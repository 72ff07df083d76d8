"""Every button, choice and key of a report page in a real browser that other tests do not press."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from tests.end_to_end.pages import Opened, Opener, picture, set_slider, settle
from tests.end_to_end.test_report_controls import colours_of, report_of
from tests.unit.report.example_reports import far_report, full_report, small_scene

import keepclear as kc
from keepclear.report.parts import Assumption

pytestmark = pytest.mark.xdist_group("browser")  # one browser for all of them


@pytest.fixture(scope="module")
def shown(open_page: Opener) -> Iterator[Opened]:
    opened = open_page(report_of())
    yield opened
    assert opened.troubles == []


def chart_of(opened: Opened) -> bytes:
    """Return the chart of the selected pair as a picture."""
    settle(opened)
    picture: bytes = opened.page.locator(".panel.one .plot").screenshot()
    return picture


def middle_of(opened: Opened) -> tuple[float, float]:
    box = opened.page.locator("canvas.canvas").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_buttons_step_and_play(shown: Opened) -> None:
    page = shown.page
    set_slider(shown, 1.0)
    page.get_by_label("Step forward", exact=True).click()
    assert shown.time() == 1.25
    page.get_by_label("Step back", exact=True).click()
    assert shown.time() == 1.0
    page.get_by_label("Play", exact=True).click()
    shown.wait_for("Number(document.body.dataset.time) > 1.05")
    page.get_by_label("Pause", exact=True).click()
    assert shown.data("playing") == "false"


def test_the_speed_is_that_of_the_choice(shown: Opened) -> None:
    """In half a second of the clock a fast motion is farther than a slow one in a whole second could be."""
    page = shown.page
    moved = {}
    for speed in ("0.05", "4"):
        set_slider(shown, 0.0)
        page.get_by_label("Speed").select_option(speed)
        page.get_by_label("Play", exact=True).click()
        page.wait_for_timeout(500)
        page.get_by_label("Pause", exact=True).click()
        moved[speed] = shown.time()
    page.get_by_label("Speed").select_option("1")
    assert 0.0 < moved["0.05"] < 0.2 < moved["4"]


def test_keys_with_shift_step_ten_frames(shown: Opened) -> None:
    set_slider(shown, 1.0)
    shown.page.locator("h1").click()
    shown.page.keyboard.press("Shift+ArrowRight")
    assert shown.time() == 3.5
    shown.page.keyboard.press("Shift+ArrowLeft")
    assert shown.time() == 1.0


def test_the_grid_can_be_hidden(shown: Opened) -> None:
    page = shown.page
    page.locator("[data-view=top]").click()
    with_grid = colours_of(shown)
    page.locator("[data-toggle=grid]").click()
    without = colours_of(shown)
    page.locator("[data-toggle=grid]").click()
    assert (with_grid != without).any(axis=2).sum() > 200
    np.testing.assert_array_equal(colours_of(shown), with_grid)


def test_all_but_the_selected_pair_can_be_seen_through(shown: Opened) -> None:
    page = shown.page
    page.locator("tr[data-pair='2']").click()
    page.locator("[data-view=fit]").click()
    solid = colours_of(shown)
    page.locator("[data-toggle=xray]").click()
    thin = colours_of(shown)
    page.locator("[data-toggle=xray]").click()
    assert (solid != thin).any(axis=2).mean() > 0.01
    assert (solid != colours_of(shown)).any(
        axis=2
    ).mean() < 0.005  # surfaces in one plane may be drawn in another order


def test_the_view_turns_moves_and_zooms(shown: Opened) -> None:
    page = shown.page
    page.locator("[data-view=iso]").click()
    x, y = middle_of(shown)
    seen = [colours_of(shown)]
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 90, y + 10, steps=4)
    page.mouse.up()
    seen.append(colours_of(shown))
    page.mouse.down(button="right")
    page.mouse.move(x + 150, y + 40, steps=4)
    page.mouse.up(button="right")
    seen.append(colours_of(shown))
    page.mouse.wheel(0, -400)
    page.wait_for_timeout(100)
    seen.append(colours_of(shown))
    for before, after in itertools.pairwise(seen):
        assert (before != after).any(axis=2).mean() > 0.01
    page.locator("[data-view=fit]").click()


def test_the_body_under_the_pointer_is_named(shown: Opened) -> None:
    page = shown.page
    page.locator("[data-tab=scene]").click()
    page.locator("[data-object=table] .object").click()
    settle(shown)
    x, y = middle_of(shown)
    page.mouse.move(x - 3, y)
    page.mouse.move(x, y)
    assert page.locator(".label.name").is_visible()
    assert page.locator(".label.name").inner_text() in (
        "table",
        "part",
        "arm/forearm",
        "arm/hand",
        "arm/base",
    )
    page.mouse.move(5, 5)
    assert not page.locator(".label.name").is_visible()
    page.locator("[data-tab=pairs]").click()


def test_the_chart_zooms_in_to_the_least_distance(shown: Opened) -> None:
    page = shown.page
    page.locator("tr[data-pair='2']").click()
    button = page.locator(".panel.one .zoom")
    whole = chart_of(shown)
    button.click()
    assert button.get_attribute("aria-pressed") == "true"
    assert chart_of(shown) != whole
    button.click()
    assert chart_of(shown) == whole


def test_a_drag_on_the_chart_moves_time(shown: Opened) -> None:
    page = shown.page
    page.locator("tr[data-pair='2']").click()
    box = page.locator(".panel.one .u-over").bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 0.25 * box["width"], y)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.5 * box["width"], y, steps=3)
    page.mouse.up()
    assert shown.time() == pytest.approx(4.0, abs=0.05)


def test_pairs_are_sorted_by_each_column(shown: Opened) -> None:
    page = shown.page
    page.get_by_label("Group pairs").select_option("none")
    rows = page.locator("tr[data-pair]")

    def order() -> Any:
        return rows.evaluate_all("rows => rows.map(row => row.dataset.pair)")

    page.locator("th.least button").click()
    assert order() == ["0", "2", "1", "3"]  # contact, 4.12 mm, too close at 30 mm, far
    assert page.locator("th.least").get_attribute("aria-sort") == "ascending"
    page.locator("th.least button").click()
    assert order() == ["3", "1", "2", "0"]
    page.locator("th.time button").click()
    assert order() == ["0", "2", "1", "3"]  # at 1.284, 3.2 and 4 s, and at no time
    page.locator("th.verdict button").click()
    page.get_by_label("Group pairs").select_option("event")


def test_rows_and_tabs_are_reached_by_keys(shown: Opened) -> None:
    page = shown.page
    page.locator("tr[data-pair='2']").focus()
    page.keyboard.press("Enter")
    assert (shown.data("selectedPair"), shown.time()) == ("arm/hand - part", 3.2)
    page.locator("[data-tab=one]").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("[data-tab=all]").get_attribute("aria-selected") == "true"
    assert shown.time() == 3.2  # arrows on tabs do not step
    page.keyboard.press("ArrowLeft")
    assert page.locator("[data-tab=one]").get_attribute("aria-selected") == "true"


def test_a_hidden_robot_hides_its_links(shown: Opened) -> None:
    page = shown.page
    page.locator("[data-tab=scene]").click()
    page.get_by_label("Show arm", exact=True).click()
    assert page.get_by_label("Show arm/forearm", exact=True).is_disabled()
    page.get_by_label("Show arm", exact=True).click()
    assert page.get_by_label("Show arm/forearm", exact=True).is_enabled()
    page.locator("[data-tab=pairs]").click()


def test_facts_lead_to_what_they_count(shown: Opened) -> None:
    page = shown.page
    page.locator("details.warnings summary").click()
    assert page.locator("details.warnings[open]").count() == 0
    page.locator("dl.facts a[href='#warnings']").click()
    assert page.locator("details.warnings[open]").count() == 1


def test_a_static_world_has_no_button_without_an_effect(open_page: Opener) -> None:
    world = kc.World()
    X_W = np.eye(4)
    world.add("table", kc.Box([1.0, 1.0, 0.1]), X_W.copy())
    X_W[2, 3] = 0.08
    world.add("cup", kc.Cylinder(0.05, 0.1), X_W)
    opened = open_page(world.verify(scene=True, curves=50))
    page = opened.page
    for name in ("ghost", "visual"):
        assert not page.locator(f"[data-toggle={name}]").is_visible()
    assert not page.locator("th.time").is_visible()
    assert page.locator(".more").inner_text().startswith("at least 20 mm deep")
    page.locator("details.method summary").click()
    assert "proved for this instant" in page.locator("details.method").inner_text()
    assert opened.troubles == []
    page.context.close()


def test_far_pairs_count_as_clear(open_page: Opener) -> None:
    opened = open_page(far_report(scene=small_scene()))
    assert "14 clear" in opened.page.locator("dl.facts").inner_text()
    opened.page.context.close()


def test_equal_assumptions_are_one_entry(open_page: Opener) -> None:
    moving = [Assumption(kind="interpolation", subject=f"cart {k}", text="moves linearly") for k in range(30)]
    opened = open_page(
        full_report(assumptions=(*moving, Assumption(kind="unit", subject="a.stl", text="metres")))
    )
    entries = opened.page.locator("details.assumptions dl > div")
    opened.page.locator("details.assumptions summary").click()
    assert entries.count() == 2
    assert "cart 0, cart 1, " in entries.first.inner_text()
    assert "and 18 more" in entries.first.inner_text()
    opened.page.context.close()


def test_paper_leaves_out_pairs_without_a_measured_distance(shown: Opened) -> None:
    page = shown.page
    page.pdf()
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.locator("tr[data-pair]").count() == 3
    assert (
        page.locator(".side .empty").first.inner_text()
        == "Not printed: 1 clear pair without a measured distance."
    )
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.locator("tr[data-pair]").count() == 4
    assert not page.locator(".side .empty").first.is_visible()
    assert picture(shown).any()
