"""The page of a simulation in a real browser: every step is a frame, with its state on a strip."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.end_to_end.pages import Opened, open_file
from tests.unit.world.simulated import near_miss, passing

import keepclear as kc

pytestmark = pytest.mark.xdist_group("browser")  # one browser for all of them


def opened(browser: Any, folder: Path, simulation: kc.Simulation) -> Opened:
    path = folder / "steps.html"
    simulation.to_html(path, title="steps")
    return open_file(browser, path)


def marks(page: Opened) -> list[str]:
    return page.page.locator(".strip span").evaluate_all("all => all.map((one) => one.dataset.step)")  # type: ignore[no-any-return]


def test_it_opens_at_the_contact_and_steps_back(browser: Any, tmp_path: Path) -> None:
    page = opened(browser, tmp_path, passing().simulate(dt=0.1, models="exact"))
    assert (page.data("verdict"), page.data("step"), page.time()) == ("COLLIDING", "CONTACT", 0.5)
    assert marks(page) == ["FREE"] * 5 + ["CONTACT"]
    assert page.page.locator(".step").inner_text() == "step 6 of 11 at 0.5 s: contact"
    assert page.page.locator(".strip").get_attribute("aria-label") == "6 steps: 5 free, 1 contact"
    for k in (4, 3, 2, 1, 0):
        page.page.keyboard.press("ArrowLeft")
        assert page.time() == pytest.approx(0.1 * k)
        assert (page.data("frame"), page.data("step")) == (str(k), "FREE")
    page.page.keyboard.press("End")
    assert (page.time(), page.data("step")) == (0.5, "CONTACT")  # the last step, not the end of the interval
    assert "CLEAR" not in page.page.locator("body").inner_text()
    assert page.troubles == []


def test_a_possible_contact_shows_its_gap(browser: Any, tmp_path: Path) -> None:
    page = opened(browser, tmp_path, near_miss().simulate(dt=0.1))
    assert (page.data("verdict"), page.data("step"), page.time()) == ("UNDECIDED", "MAY_TOUCH", 0.5)
    assert page.page.locator(".step").inner_text().startswith("step 6 of 11 at 0.5 s: may touch, at most 20")
    assert "nothing is proved between steps" in page.page.locator(".sentence").inner_text()
    strip = page.page.locator(".strip").bounding_box()
    page.page.mouse.click(strip["x"] + 0.41 * strip["width"], strip["y"] + 5)
    assert page.time() == pytest.approx(0.2)
    assert page.data("step") == "FREE"
    assert page.troubles == []


def test_many_steps_are_runs(browser: Any, tmp_path: Path) -> None:
    page = opened(browser, tmp_path, passing().simulate(dt=0.001, models="exact", stop=False))
    assert marks(page) == ["FREE", "CONTACT", "FREE"]
    assert page.page.locator(".strip").get_attribute("aria-label") == "1001 steps: 900 free, 101 contact"


def test_a_proof_has_no_steps(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "proof.html"
    passing().verify(scene=True).to_html(path)
    page = open_file(browser, path)
    assert not page.page.locator(".strip").is_visible()
    assert page.data("step") == ""
    assert page.troubles == []
