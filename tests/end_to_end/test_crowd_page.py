"""The page of a crowd in a real browser: spheres and discs are drawn, move, flash and show their bounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from tests.end_to_end.pages import NO_WEBGL, Opened, open_file, picture, set_slider, settle
from tests.unit.report.example_reports import NASTY

import keepclear as kc

pytestmark = pytest.mark.xdist_group("browser")  # one browser for all of them
Opener = Callable[..., Opened]


def box_of_spheres() -> kc.CrowdAnimation:
    """Some spheres in a box; the second one reaches the first, which rests, at 1 s."""
    rng = np.random.default_rng(1)
    x = np.array([[30.0, 50, 50], [70, 50, 50], *rng.uniform(5, 35, (10, 3)), *rng.uniform(65, 95, (10, 3))])
    v = np.array([[0.0, 0, 0], [-20, 0, 0], *rng.normal(size=(20, 3))])
    radii = np.array([10.0, 10.0, *rng.uniform(0.5, 1.0, 20)])
    box = ([0, 0, 0], [100, 100, 100])
    crowd = kc.Crowd(x, v, radii, 3.0, bounds=box, motion=lambda ids, t: (x[ids] + t * v[ids], v[ids]))
    return kc.CrowdAnimation(crowd, 2.0, rate=10)


@pytest.fixture(scope="module")
def open_crowd(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Opener:
    """Write a recorded crowd as a page, open it from disk, and wait until it is ready."""
    folder = tmp_path_factory.mktemp("crowds")

    def opened(
        animation: kc.CrowdAnimation, options: dict[str, Any] | None = None, script: str = "", **settings: Any
    ) -> Opened:
        path = folder / f"crowd {len(list(folder.iterdir()))}.html"
        animation.to_html(path, **(options or {}))
        return open_file(browser, path, script, **settings)

    return opened


@pytest.fixture(scope="module")
def crowd_page(open_crowd: Opener) -> Iterator[Opened]:
    opened = open_crowd(box_of_spheres(), {"facts": {"Seed": "1"}})
    yield opened
    assert opened.troubles == []


def drawn(opened: Opened, time: float | None = None) -> np.ndarray[Any, Any]:
    """Return the picture at a time as whole numbers."""
    if time is not None:
        set_slider(opened, time)
    settle(opened)
    return picture(opened).astype(int)


def is_red(colours: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    red, green, blue = np.moveaxis(colours, -1, 0)
    mask: np.ndarray[Any, Any] = (red > 110) & (red > 2 * green) & (red > 2 * blue)
    return mask


def test_it_says_what_it_shows(crowd_page: Opened) -> None:
    assert crowd_page.page.title() == "22 spheres for 2 s"
    assert crowd_page.page.locator(".sentence").inner_text() == "22 spheres, 2 s: 1 overlap."
    assert crowd_page.page.locator("dl.facts").inner_text().split() == ["Seed", "1"]
    legend = crowd_page.page.locator(".legend.colours").inner_text()
    assert "radius 0." in legend
    assert "overlaps another" in legend


def test_spheres_are_drawn_and_move(crowd_page: Opened) -> None:
    before = drawn(crowd_page, 0.0)
    crowd_page.wait_for("Number(document.body.dataset.drawnTriangles) > 5000")
    assert len(np.unique(before.reshape(-1, 3), axis=0)) > 500
    after = drawn(crowd_page, 0.8)
    assert crowd_page.data("frame") == "8"
    assert (before != after).any(axis=2).sum() > 500


def test_those_that_overlap_are_red(crowd_page: Opened) -> None:
    apart = is_red(drawn(crowd_page, 0.5)).sum()
    assert crowd_page.data("overlapping") == "0"
    touching = is_red(drawn(crowd_page, 1.2)).sum()
    assert (crowd_page.data("overlapping"), crowd_page.data("glowing")) == ("1", "2")
    assert touching > apart + 500
    crowd_page.page.keyboard.press("f")
    assert is_red(drawn(crowd_page)).sum() < apart + 200
    crowd_page.page.keyboard.press("f")


def test_bounds_are_drawn_on_request(crowd_page: Opened) -> None:
    without = drawn(crowd_page, 0.9)
    button = crowd_page.page.locator("button[data-toggle=bounds]")
    assert button.get_attribute("aria-pressed") == "false"
    button.click()
    assert crowd_page.data("bounds") == "true"
    assert (drawn(crowd_page) != without).any(axis=2).sum() > 300
    assert crowd_page.page.locator(".legend .bounds").is_visible()
    crowd_page.page.keyboard.press("b")
    assert (drawn(crowd_page) == without).all()


def test_colours_tell_size_or_speed(crowd_page: Opened) -> None:
    by_size = drawn(crowd_page, 0.3)
    crowd_page.page.get_by_label("Colour").select_option("speed")
    assert (drawn(crowd_page) != by_size).any(axis=2).sum() > 500
    assert "m/s and more" in crowd_page.page.locator(".legend.colours").inner_text()
    crowd_page.page.locator("h1").click()
    crowd_page.page.keyboard.press("c")
    assert (crowd_page.data("colour"), (drawn(crowd_page) == by_size).all()) == ("size", True)


def test_events_are_listed_and_sought(crowd_page: Opened) -> None:
    rows = crowd_page.page.locator("tr[data-event]")
    set_slider(crowd_page, 0.2)
    assert (crowd_page.data("events"), rows.count()) == ("0", 0)
    assert "There are no events yet." in crowd_page.page.locator(".side").inner_text()
    set_slider(crowd_page, 2.0)
    assert rows.count() == int(crowd_page.data("events")) > 0
    crowd_page.page.locator("tr[data-kind=begin]", has_text="0 \u2013 1").click()
    assert abs(crowd_page.time() - 1.0) < 1e-6
    assert crowd_page.data("chosen") == "0 1"
    crowd_page.page.get_by_label("Only events of the member").fill("21")
    set_slider(crowd_page, 2.0)
    assert "There are no events of this member yet." in crowd_page.page.locator(".side").inner_text()
    crowd_page.page.get_by_label("Only events of the member").fill("")
    crowd_page.page.locator("h1").click()
    crowd_page.page.keyboard.press("Escape")
    assert crowd_page.data("chosen") == ""


def test_time_is_chosen_on_the_plot_and_by_keys(crowd_page: Opened) -> None:
    over = crowd_page.page.locator(".plot .u-over")
    box = over.bounding_box()
    over.click(position={"x": box["width"] * 0.75, "y": box["height"] / 2})
    assert abs(crowd_page.time() - 1.5) < 0.05
    crowd_page.page.locator("h1").click()
    crowd_page.page.keyboard.press("Home")
    crowd_page.page.keyboard.press("ArrowRight")
    assert crowd_page.time() == 0.1
    crowd_page.page.keyboard.press("Space")
    crowd_page.wait_for("Number(document.body.dataset.time) > 0.2")
    crowd_page.page.keyboard.press("Space")
    assert crowd_page.data("playing") == "false"


def test_nothing_went_wrong_and_nothing_was_asked_of_a_network(crowd_page: Opened) -> None:
    assert crowd_page.troubles == []


def test_discs_on_a_phone_in_the_dark(open_crowd: Opener) -> None:
    x = np.array([[[0.0, 0.0], [4.0, 0.2], [np.nan, np.nan]], [[4.0, 0.0], [0.0, 0.2], [2.0, 1.0]]])
    times = [0.0, 1.0, 2.0]
    tracks = kc.RecordedTracks(times, np.concatenate([x, x[1:]]))
    animation = kc.CrowdAnimation(kc.Crowd(None, None, 0.5, motion=tracks), 2.0, rate=10)
    phone = open_crowd(
        animation,
        {"title": NASTY, "names": [NASTY, "b", "c"], "facts": {NASTY: NASTY}},
        viewport={"width": 390, "height": 800},
        color_scheme="dark",
        has_touch=True,
    )
    assert phone.page.locator("h1").inner_text() == NASTY
    assert phone.page.evaluate("document.documentElement.scrollWidth") == 390
    assert phone.page.locator("img").count() == 0
    assert phone.page.locator("button[data-toggle=bounds]").count() == 0
    assert is_red(drawn(phone, 0.5)).sum() > 300
    assert phone.page.locator("tr[data-event] .who").first.inner_text() == f"{NASTY} \u2013 b"
    assert is_red(drawn(phone, 0.05)).sum() == 0
    phone.page.locator("button.play").tap()
    phone.wait_for("Number(document.body.dataset.time) > 0.1")
    assert phone.troubles == []
    phone.page.context.close()


def test_without_webgl_everything_else_works(open_crowd: Opener) -> None:
    old = open_crowd(box_of_spheres(), {"bounds": True}, script=NO_WEBGL)
    assert "WebGL is not available in this browser" in old.page.locator(".stage").inner_text()
    set_slider(old, 2.0)
    old.page.locator("tr[data-kind=begin]").first.click()
    assert abs(old.time() - 1.0) < 1e-6
    assert old.page.locator(".plot .u-over").count() == 1
    assert [trouble for trouble in old.troubles if "WebGL" not in trouble] == []
    old.page.context.close()


def test_nobody_and_a_single_instant(open_crowd: Opener) -> None:
    empty = open_crowd(kc.CrowdAnimation(kc.Crowd(np.zeros((0, 3)), None, 1.0), rate=2))
    assert empty.page.locator(".sentence").inner_text() == "0 spheres, 0 s: 0 contacts possible."
    empty.page.locator("h1").click()
    empty.page.keyboard.press("Space")
    empty.page.keyboard.press("b")
    assert (empty.time(), empty.data("playing")) == (0.0, "false")
    assert empty.troubles == []
    empty.page.context.close()
