"""Contacts and pairs that are too close on the page of a verified world: durations without being asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from tests.end_to_end.pages import Opened, Opener, picture, set_slider, settle

import keepclear as kc

pytestmark = pytest.mark.xdist_group("browser")  # one browser for all of them


def at(x: float = 0.0, z: float = 0.0) -> np.ndarray[Any, Any]:
    X_W = np.eye(4)
    X_W[[0, 2], 3] = x, z
    return X_W


def press() -> kc.World:
    """Return three rams above a plate: one presses into it, one only comes within its margin, one does both."""
    world = kc.World()
    world.add("plate", kc.Box([1.2, 0.4, 0.1]), at(z=-0.05))
    depths = {"left": (-0.02, 0.2), "middle": (0.0123, 0.2), "right": (-0.01, 0.01)}
    for x, (name, (first, second)) in zip((-0.4, 0.0, 0.4), depths.items(), strict=True):
        gaps = [0.2, first, 0.2, second, 0.2]
        poses = [at(x, 0.05 + gap) for gap in gaps]
        world.add(name, kc.Sphere(0.05), kc.PoseTrajectory([0, 2, 4, 6, 8], poses, "linear"))
        if name != "left":
            world.set_margin(name, "plate", 0.02)
    return world


@pytest.fixture(scope="module")
def shown(open_page: Opener) -> Iterator[Opened]:
    opened = open_page(press().verify(tolerance=1e-4, scene=True, curves=200, title="press"))
    yield opened
    assert opened.troubles == []


def test_the_header_counts_contacts_by_distance(shown: Opened) -> None:
    assert "2 contacts, 1 too close, 3 clear" in shown.page.locator("dl.facts").inner_text()
    more = shown.page.locator(".more").inner_text()
    assert more.startswith("within the margin for 0.7")
    assert "2 times \u00b7 the shapes touch" in more


def test_a_page_on_which_nothing_touches_says_too_close(open_page: Opener) -> None:
    world = press()
    world.remove("left")
    world.remove("right")
    opened = open_page(world.verify(tolerance=1e-4, scene=True, curves=20, title="press"))
    assert opened.page.locator("h1").inner_text() == "TOO CLOSE"
    assert opened.page.title() == "TOO CLOSE - press"
    assert opened.data("verdict") == "COLLIDING"
    assert opened.troubles == []


def test_rows_have_durations_and_least_distances(shown: Opened) -> None:
    def row(name: str) -> str:
        text: str = shown.page.locator("tr[data-pair]", has_text=name).first.inner_text()
        return " ".join(text.replace("\u00a0", " ").split())

    # It presses 20 mm deep at 0.11 m/s, and counts as apart from one tolerance on: 2 (20 + 0.1) / 110 s.
    assert "contact 0.365 s \u2265 19.9 mm deep" in row("left")
    assert "12.3 mm 0.165 s" in row("middle")
    assert "2\u00d7" in row("right")
    title = shown.page.locator("tr[data-pair]", has_text="middle").first.get_attribute("title")
    assert title.startswith("'middle' comes within 20 mm of 'plate' at 1.91")
    assert ", 12.3 mm at the closest, within the margin for 0.16" in title


def test_lanes_tell_contact_from_margin(shown: Opened) -> None:
    page = shown.page
    page.locator("[data-tab=lanes]").click()
    lane = page.locator(".lane", has_text="right")
    events = lane.locator("button").evaluate_all("all => all.map(one => one.dataset.event)")
    assert events == ["too close", "contact", "too close"]
    titles = lane.locator("button").evaluate_all("all => all.map(one => one.title)")
    assert titles[0].startswith("closer than the margin of 20 mm at ")
    assert titles[1].startswith("contact at ")
    assert titles[2].startswith("too close (10 mm, margin 20 mm) at ")
    ticks = page.locator(".lane-ticks span").all_inner_texts()
    assert ticks == ["0 s", "2 s", "4 s", "6 s", "8 s"]
    lane.locator("[data-event=contact]").click()
    assert 1.8 < shown.time() <= 2.0
    assert "plate - right" in shown.data("contact")
    page.locator("[data-tab=one]").click()


def test_colours_are_those_of_the_moment(shown: Opened) -> None:
    """Within the margin a body is amber, and red only while it touches."""

    def share(time: float) -> tuple[float, float]:
        set_slider(shown, time)
        settle(shown)
        red, green, blue = np.moveaxis(picture(shown).astype(int), 2, 0)
        is_red = (red > 120) & (red > 2 * green) & (red > 2 * blue)
        is_amber = (red > 120) & (green > 0.5 * red) & (blue < 0.4 * red)
        return float(is_red.mean()), float(is_amber.mean())

    page = shown.page
    page.locator("tr[data-pair]", has_text="right").first.click()
    page.locator("[data-toggle=ghost]").click()
    page.get_by_label("Zoom to the selected pair").click()
    touching, close = share(2.0), share(6.0)
    page.locator("[data-toggle=ghost]").click()
    assert touching[0] > 0.02
    assert close[1] > 0.02
    assert close[0] < 0.3 * touching[0]


def test_labels_name_distance_and_margin(shown: Opened) -> None:
    page = shown.page
    label = page.locator(".label.distance")
    page.locator("tr[data-pair]", has_text="middle").first.click()
    settle(shown)
    assert label.inner_text() == "too close (12.3 mm, margin 20 mm)"
    page.locator("tr[data-pair]", has_text="left").first.click()
    settle(shown)
    assert label.inner_text() == "contact"
    page.set_viewport_size({"width": 390, "height": 700})
    page.locator("tr[data-pair]", has_text="middle").first.click()
    settle(shown)
    box, stage = label.bounding_box(), page.locator(".stage").bounding_box()
    page.set_viewport_size({"width": 1100, "height": 760})
    assert stage["x"] <= box["x"]
    assert box["x"] + box["width"] <= stage["x"] + stage["width"]


def test_a_pair_with_more_contacts_than_are_searched_says_so(open_page: Opener) -> None:
    world = kc.World()
    world.add("plate", kc.Box([1.2, 0.4, 0.1]), at(z=-0.05))
    times = [0.5 * k for k in range(101)]
    poses = [at(z=0.06 if k % 2 == 0 else 0.04) for k in range(101)]
    world.add("ram", kc.Sphere(0.05), kc.PoseTrajectory(times, poses, "linear"))
    opened = open_page(world.verify(tolerance=1e-4, scene=True, curves=200))
    title = opened.page.locator("tr[data-pair='0']").get_attribute("title")
    assert "40 times or more" in title
    assert "\u2265 40\u00d7" in opened.page.locator("tr[data-pair='0']").inner_text()
    set_slider(opened, 49.5)  # in contact, as the curve says
    assert opened.data("contact") == "plate - ram"
    assert opened.troubles == []
    opened.page.context.close()


def test_a_pair_with_several_windows_is_one_pair_at_the_top(open_page: Opener) -> None:
    world = kc.World()
    world.add("plate", kc.Box([1.2, 0.4, 0.1]), at(z=-0.05))
    poses = [at(z=0.06 if k % 2 == 0 else 0.04) for k in range(9)]
    world.add("ram", kc.Sphere(0.05), kc.PoseTrajectory(range(9), poses, "linear"))
    for start in (0.2, 2.2, 4.2):
        world.allow("ram", "plate", t_from=start, t_to=start + 1.6)
    opened = open_page(world.verify(tolerance=1e-4))
    assert opened.page.locator(".facts a[href='#unchecked']").inner_text() == "1 pair"
    opened.page.context.close()
