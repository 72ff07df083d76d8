"""The controls of a report page in a real browser: tabs, tree, paths, joints, presets, links, measuring, print."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.end_to_end.pages import Opened, Opener, picture, set_slider, settle
from tests.unit.report.example_reports import (
    CLOSE,
    CONTACT,
    FAR,
    clear_report,
    full_report,
    small_scene,
    straight_curve,
)

import keepclear as kc
from keepclear.report.parts import Contact, PairReport, Unchecked
from keepclear.report.report import Report
from keepclear.report.scene import Scene, SceneBody, SceneRobot

pytestmark = pytest.mark.xdist_group("browser")  # one browser for all of them

LASTING = replace(
    CONTACT,
    contacts=(
        replace(CONTACT.contacts[0], t_last=2.4999, distance_upper=-0.0123),
        Contact(time=6.0, t_lo=5.99, t_hi=6.0, t_last=8.0, p_W=(0.3, 0.0, 0.05)),
    ),
)
TOO_CLOSE = replace(
    CONTACT, b="wall", margin=0.05, time=4.0, t_lo=3.99, t_hi=4.0, clearance_upper=0.05, clearance_time=4.0, curve=None,
    contacts=(Contact(time=4.0, t_lo=3.99, t_hi=4.0, t_end=5.0, t_last=4.9, p_W=(0.3, 0.0, 0.2), distance_upper=0.03),),
)  # fmt: skip


def robot_scene() -> Scene:
    """Return a scene with joints, a link without a shape, a visual shape and a note."""
    scene = small_scene()
    n = len(scene.times)
    turn, shift = np.linspace(0.0, np.pi, n), np.linspace(0.0, 0.5, n)
    origins = np.zeros((n, 2, 3))
    origins[:, :, 0], origins[:, 1, 2] = np.cos(turn)[:, None], 0.5
    robot = SceneRobot(
        "arm", ("elbow", "slide"), (True, False), (-1.0, 0.0), (4.0, 0.4), np.stack([turn, shift], axis=1),
        ("arm/forearm", "arm/tool0"), origins,
    )  # fmt: skip
    forearm = next(body for body in scene.bodies if body.name == "arm/forearm")
    shown = replace(forearm, shape=kc.Sphere(0.15), colour=(0.1, 0.5, 0.1), is_visual=True)
    bodies = (*scene.bodies, shown)
    return replace(
        scene, bodies=bodies, robots=(robot,), notes=("the visual geometry of 1 link cannot be read",)
    )


def report_of(**changes: object) -> Report:
    values = {"pairs": (LASTING, TOO_CLOSE, CLOSE, FAR), "scene": robot_scene()} | changes
    return full_report(**values)


@pytest.fixture(scope="module")
def shown(open_page: Opener) -> Iterator[Opened]:
    opened = open_page(report_of())
    yield opened
    assert opened.troubles == []


def colours_of(opened: Opened) -> np.ndarray[Any, Any]:
    settle(opened)
    return picture(opened).astype(int)


def test_contacts_and_pairs_that_are_too_close_are_counted_apart(shown: Opened) -> None:
    facts = shown.page.locator("dl.facts").inner_text()
    assert "1 contact, 1 too close, 2 clear" in facts
    groups = shown.page.locator("tr.group").evaluate_all("rows => rows.map(row => row.dataset.group)")
    assert groups == ["contact", "too close", "clear"]
    more = shown.page.locator(".more").inner_text()
    assert "for at least 3.22 s, 2 times \u00b7 at least 12.3 mm deep" in more


def test_pairs_are_grouped_by_object_and_folded(shown: Opened) -> None:
    choice = shown.page.get_by_label("Group pairs")
    choice.select_option("object")
    groups = shown.page.locator("tr.group").evaluate_all("rows => rows.map(row => row.dataset.group)")
    assert groups == ["table", "wall", "part"]
    shown.page.locator("tr.group[data-group=part] button").click()
    assert shown.page.locator("tr[data-pair]").count() == 2
    choice.select_option("none")
    assert shown.page.locator("tr.group").count() == 0
    choice.select_option("event")
    assert shown.page.locator("tr[data-pair]").count() == 4


def test_lanes_show_durations_and_seek(shown: Opened) -> None:
    page = shown.page
    page.locator("[data-tab=lanes]").click()
    lanes = page.locator(".lane").evaluate_all("all => all.map(one => one.dataset.event)")
    assert lanes == ["contact", "too close", "clear"]  # the last one is allowed for a while
    bars = page.locator(".lane[data-lane='0'] .lane-track button")
    assert bars.nth(0).get_attribute("title") == "contact at 1.284 s, 1.22 s"
    assert bars.nth(1).get_attribute("title") == "contact at 6 s, at least 2 s"
    page.locator(".lane[data-lane='1'] [data-event='too close']").click()
    assert (shown.data("selectedPair"), shown.time()) == ("arm/forearm - wall", 4.0)
    assert page.locator(".lane[aria-current=true]").get_attribute("data-lane") == "1"
    track = page.locator(".lane[data-lane='0'] .lane-track").bounding_box()
    page.mouse.click(track["x"] + 0.5 * track["width"] + 1, track["y"] + 1)
    assert shown.data("selectedPair") == "arm/forearm - table"
    assert shown.time() == pytest.approx(4.0, abs=0.1)
    page.locator("[data-tab=one]").click()


def test_what_is_too_close_is_amber_and_allowed_contact_keeps_its_colour(open_page: Opener) -> None:
    def share(opened: Opened, time: float) -> tuple[float, float]:
        set_slider(opened, time)
        red, green, blue = np.moveaxis(colours_of(opened), 2, 0)
        is_red = (red > 120) & (red > 2 * green) & (red > 2 * blue)
        return float(is_red.mean()), float(((red > 120) & (green > 0.5 * red) & (blue < 0.4 * red)).mean())

    scene = small_scene()
    narrow = replace(straight_curve(0.0, 8.0, 0.04, 0.04), lower=(0.0399999,) * 9, upper=(0.0400001,) * 9)
    opened = open_page(full_report(pairs=(replace(TOO_CLOSE, curve=narrow),), scene=scene))
    assert opened.page.locator(".panel.one .now").inner_text() == "40 mm at 4.000 s"  # and not 39.9 mm
    opened.page.locator("[data-toggle=ghost]").click()
    before, during = share(opened, 3.0), share(opened, 4.5)
    opened.page.context.close()
    assert during[0] <= before[0] + 0.001
    assert during[1] > before[1] + 0.005
    low = replace(
        CONTACT.curve,
        upper=tuple(0.0 for _ in CONTACT.curve.upper),
        lower=tuple(0.0 for _ in CONTACT.curve.lower),
    )  # type: ignore[union-attr, type-var]
    touching = replace(CONTACT, curve=low, contacts=(replace(CONTACT.contacts[0], t_end=None),))
    allowed = Unchecked(a="table", b="arm/forearm", reason="allowed", t_from=4.0)
    opened = open_page(full_report(pairs=(touching,), unchecked=(allowed,), scene=scene))
    set_slider(opened, 3.5)
    assert opened.data("contact") == "arm/forearm - table"
    set_slider(opened, 5.0)
    assert opened.data("contact") == ""
    opened.page.context.close()


def test_the_least_distance_of_all_pairs_is_a_curve(shown: Opened) -> None:
    page = shown.page
    page.locator("[data-tab=all]").click()
    assert page.locator(".panel.all .u-over").is_visible()
    set_slider(shown, 7.9)
    assert (
        "arm/hand \u2013 part" not in page.locator(".panel.all .now").inner_text()
    )  # allowed then, so not checked
    set_slider(shown, 2.9)
    assert page.locator(".panel.all .now").inner_text().endswith("arm/hand \u2013 part")
    page.locator("[data-tab=one]").click()
    assert not page.locator(".panel.all .u-over").is_visible()


def test_joint_values_follow_the_cursor(shown: Opened) -> None:
    page = shown.page
    page.locator("[data-tab=joints]").click()
    set_slider(shown, 4.0)
    assert page.locator("[data-joint=elbow]").inner_text() == "90.00\u00b0"
    assert page.locator("[data-joint=slide]").inner_text() == "250.00 mm"
    assert not page.locator("[data-joint=slide].outside").count()
    set_slider(shown, 8.0)
    assert page.locator("[data-joint=slide].outside").inner_text() == "500.00 mm"
    page.locator("[data-tab=one]").click()


def test_objects_can_be_hidden_framed_and_traced(shown: Opened) -> None:
    page = shown.page
    set_slider(shown, 4.0)
    page.locator("[data-view=fit]").click()
    page.locator("[data-tab=scene]").click()
    whole = colours_of(shown)
    page.get_by_label("Show table", exact=True).click()
    without = colours_of(shown)
    assert (whole != without).any(axis=2).mean() > 0.01
    assert page.get_by_label("Show table", exact=True).get_attribute("aria-pressed") == "false"
    page.get_by_label("Path of arm/tool0").click()
    traced = colours_of(shown)
    assert (traced != without).any(axis=2).sum() > 50
    assert page.locator("[data-object='arm/tool0'] .eye").count() == 0  # it has no shape
    page.locator("[data-object=arm] .fold").click()
    assert page.locator("[data-object='arm/tool0']").count() == 0
    page.locator("[data-object=arm] .fold").click()
    page.get_by_role("button", name="Show all").click()
    np.testing.assert_array_equal(colours_of(shown), whole)
    page.locator("[data-object=table] .object").click()
    assert (colours_of(shown) != whole).any(axis=2).mean() > 0.05
    page.get_by_label("Filter objects by name").fill("tab")
    names = page.locator("[data-object]").evaluate_all("all => all.map(one => one.dataset.object)")
    assert names == ["table"]
    page.get_by_label("Filter objects by name").fill("")
    page.locator("[data-tab=pairs]").click()


def test_visual_shapes_can_be_exchanged_for_those_that_were_checked(shown: Opened) -> None:
    page = shown.page
    page.locator("[data-view=fit]").click()
    visual = colours_of(shown)
    toggle = page.locator("[data-toggle=visual]")
    toggle.click()
    checked = colours_of(shown)
    assert toggle.get_attribute("aria-pressed") == "false"
    assert (visual != checked).any(axis=2).sum() > 200
    toggle.click()
    np.testing.assert_array_equal(colours_of(shown), visual)
    assert "the visual geometry of 1 link" in page.locator("details.warnings").inner_text()


def test_presets_turn_the_view(shown: Opened) -> None:
    seen = []
    for name in ("iso", "front", "right", "top"):
        shown.page.locator(f"[data-view={name}]").click()
        seen.append(colours_of(shown))
    for one, other in ((0, 1), (1, 2), (2, 3), (3, 0)):
        assert (seen[one] != seen[other]).any(axis=2).mean() > 0.02
    shown.page.locator("[data-view=fit]").click()
    np.testing.assert_array_equal(colours_of(shown), seen[3])  # the same direction


def test_look_at_pair_goes_to_the_present_pose(shown: Opened) -> None:
    page = shown.page
    page.locator("tr[data-pair='0']").click()
    look = page.get_by_label("Zoom to the selected pair")
    look.click()
    at_contact = colours_of(shown)
    set_slider(shown, 7.0)
    look.click()
    elsewhere = colours_of(shown)
    assert (at_contact != elsewhere).any(axis=2).mean() > 0.02
    blue = (elsewhere[..., 2] > 1.3 * elsewhere[..., 0]) & (elsewhere[..., 2] > 150)
    assert blue.any()  # the edges of the selected bodies are in sight


def test_measuring_needs_two_clicks(shown: Opened) -> None:
    page = shown.page
    page.locator("tr[data-pair='0']").click()
    page.get_by_label("Zoom to the selected pair").click()
    page.locator("[data-toggle=measure]").click()
    label = page.locator(".label.measured")
    settle(shown)
    assert label.inner_text() == "Click on two points to measure."
    box = page.locator("canvas.canvas").bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.click(*middle)
    settle(shown)
    assert label.inner_text() == "Click on the second point."
    page.mouse.click(middle[0] + 30, middle[1] + 8)
    settle(shown)
    assert label.inner_text().startswith("about ")
    page.locator("canvas.canvas").press("Escape")
    settle(shown)
    assert not label.is_visible()
    assert page.locator("[data-toggle=measure]").get_attribute("aria-pressed") == "false"


def test_the_address_leads_to_a_moment(shown: Opened, open_page: Opener) -> None:
    page = shown.page
    page.locator("tr[data-pair='1']").click()
    page.wait_for_function("() => location.hash.includes('wall')")
    fragment = page.evaluate("location.hash")
    assert fragment == "#t=4&pair=arm%2Fforearm+-+wall"
    page.evaluate("location.hash = '#t=2.5&pair=arm%2Fhand+-+part'")
    shown.wait_for("document.body.dataset.selectedPair === 'arm/hand - part'")
    assert shown.time() == 2.5
    page.locator("[data-action=link]").click()
    page.wait_for_selector("[data-action=link][data-done]")
    assert page.evaluate("location.hash") == "#t=2.5&pair=arm%2Fhand+-+part"
    linked = open_page(report_of(), fragment=fragment)
    assert (linked.data("selectedPair"), linked.time()) == ("arm/forearm - wall", 4.0)
    linked.page.evaluate("location.hash = '#t=nan&pair=nothing'")
    assert (linked.data("selectedPair"), linked.time()) == ("arm/forearm - wall", 4.0)
    assert linked.troubles == []
    linked.page.context.close()


def test_paper_has_the_view(shown: Opened) -> None:
    page = shown.page
    page.locator("[data-tab=scene]").click()
    page.pdf()  # which raises beforeprint
    address = page.locator("img.paper").get_attribute("src")
    assert address.startswith("data:image/png")
    assert len(address) > 10_000
    page.emulate_media(media="print")
    assert page.locator("img.paper").is_visible()
    assert not page.locator("canvas.canvas").is_visible()
    assert not page.locator(".tools").first.is_visible()
    assert page.locator("tr[data-pair]").first.is_visible()
    assert not page.locator(".tree").is_visible()
    page.emulate_media(media="screen")
    page.locator("[data-tab=pairs]").click()
    assert page.locator("canvas.canvas").is_visible()


def test_a_world_at_rest_has_no_slider(open_page: Opener) -> None:
    scene = small_scene()
    still = Scene(scene.times[:1], tuple(replace(body, X_W=body.X_W[:1]) for body in scene.bodies))
    opened = open_page(
        clear_report(
            t1=0.0, pairs=(replace(CLOSE, t_lo=0.0, t_hi=0.0, clearance_time=0.0, curve=None),), scene=still
        )
    )
    assert not opened.page.locator(".transport").is_visible()
    assert not opened.page.locator(".clearances").is_visible()
    assert opened.page.locator("canvas.canvas").is_visible()
    opened.page.keyboard.press("Space")
    assert opened.data("playing") == "false"
    assert opened.troubles == []
    opened.page.context.close()


def test_many_bodies_and_pairs_stay_usable(open_page: Opener) -> None:
    """Bodies are drawn in one batch, and only rows in sight are in the document."""
    rng = np.random.default_rng(5)
    times = np.array([0.0, 8.0])
    shape = kc.Box([0.1, 0.1, 0.1])
    bodies, pairs = [], []
    for k in range(400):
        X = np.tile(np.eye(4), (2 if k % 2 else 1, 1, 1))
        X[:, :3, 3] = rng.uniform(-2, 2, 3)
        X[-1, 0, 3] += 0.3 if k % 2 else 0.0
        bodies.append(SceneBody(f"box {k}", shape, X))
        pairs.append(
            replace(CLOSE, a=f"box {k}", b="box 0" if k else "box 1", curve=None, p_WA=None, p_WB=None)
        )
    hit: PairReport = replace(CONTACT, a="box 6", b="box 7", curve=None)
    report = full_report(pairs=(hit, *pairs), scene=Scene(times, tuple(bodies)), unchecked=())
    opened = open_page(report)
    assert 0 < opened.page.locator("tr[data-pair]").count() < 120
    assert opened.page.locator(".side .bar .count").first.inner_text() == "401"
    opened.page.locator(".side .scroll").first.evaluate("one => one.scrollTop = one.scrollHeight")
    opened.wait_for("document.querySelector('tr[data-pair=\"400\"]')")
    opened.page.locator("[data-view=fit]").click()
    settle(opened)
    assert int(opened.data("drawnTriangles")) > 400 * 6
    before = colours_of(opened)
    set_slider(opened, 8.0)
    assert (colours_of(opened) != before).any(axis=2).mean() > 0.01
    opened.page.locator("[data-tab=scene]").click()
    assert 0 < opened.page.locator("[data-object]").count() < 200
    opened.page.get_by_label("Filter objects by name").fill("box 399")
    opened.page.get_by_label("Show box 399", exact=True).click()
    opened.page.locator("[data-toggle=xray]").click()
    settle(opened)
    assert opened.troubles == []


def test_wide_and_narrow_windows_have_no_sideways_scrolling(open_page: Opener) -> None:
    opened = open_page(report_of(), viewport={"width": 390, "height": 500}, color_scheme="dark")
    for width in (390, 768, 1920):
        opened.page.set_viewport_size({"width": width, "height": 500})
        for tab in ("all", "lanes", "joints", "scene"):
            opened.page.locator(f"[data-tab={tab}]").click()
            assert opened.page.evaluate("document.documentElement.scrollWidth") == width, (width, tab)
    assert opened.troubles == []
    opened.page.context.close()
