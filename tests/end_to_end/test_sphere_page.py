"""Pages of spheres in a real browser: ranks by a slider, what an audit shows, and names that are no markup."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.end_to_end.pages import NO_WEBGL, Opened, open_file, picture, set_slider, settle
from tests.unit.report.example_reports import NASTY

import keepclear as kc

pytestmark = pytest.mark.xdist_group("browser")  # one browser for all of them
Opener = Callable[..., Opened]
ARM = """<robot name="arm"><link name="base">
<collision><geometry><box size="0.4 0.2 0.2"/></geometry></collision></link>
<link name="hand"><collision><geometry><cylinder radius="0.05" length="0.3"/></geometry></collision></link>
<joint name="j" type="fixed"><parent link="base"/><child link="hand"/><origin xyz="0 0 0.3"/></joint></robot>"""


@pytest.fixture(scope="module")
def open_spheres(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Opener:
    """Write the page of spheres, open it from disk, and wait until it is ready."""
    folder = tmp_path_factory.mktemp("spheres")

    def opened(spheres: Any, script: str = "", title: str = "", **settings: Any) -> Opened:
        path = folder / f"spheres {len(list(folder.iterdir()))}.html"
        spheres.to_html(path, title=title)
        return open_file(browser, path, script, **settings)

    return opened


def audit_of(folder: Path) -> kc.SphereAudit:
    file = folder / "arm.urdf"
    file.write_text(ARM)
    covers = {
        "base": kc.SphereCover([[-0.1, 0, 0], [0.1, 0, 0]], [0.15, 0.15]),
        "hand": kc.SphereCover([[0, 0, 0]], [0.2]),
    }
    return kc.audit_sphere_model(kc.SphereModel("arm", covers), kc.read_robot(file))


def drawn(opened: Opened) -> np.ndarray[Any, Any]:
    settle(opened)
    return picture(opened).astype(int)


def reddish(colours: np.ndarray[Any, Any]) -> int:
    """Return how many pixels are red; on the left are the axes, of which one is too."""
    red, green, blue = np.moveaxis(colours[:, 100:], -1, 0)
    return int(((red > 110) & (red > 2 * green) & (red > 2 * blue)).sum())


def test_a_slider_chooses_the_rank(open_spheres: Opener) -> None:
    tree = kc.build_sphere_tree(kc.Box([0.4, 0.2, 0.2]), 0.04)
    page = open_spheres(tree)
    last = len(tree.ranks) - 1
    assert (page.data("rank"), page.data("drawnSpheres")) == (str(last), str(tree.n_leaves))
    finest = drawn(page)
    for k, rank in enumerate(tree.ranks):
        set_slider(page, k)
        assert (page.data("rank"), page.data("spheres")) == (str(k), str(len(rank)))
        assert f"{k + 1} of {last + 1}" in page.page.locator(".reading").inner_text()
        assert page.page.locator("tr[aria-selected=true] td").first.inner_text() == f"rank {k + 1}"
    set_slider(page, 0)
    assert (drawn(page) != finest).any(axis=2).sum() > 2000
    page.page.locator("tr[data-row='1']").click()
    assert (page.data("rank"), page.page.locator("input.slider").input_value()) == ("1", "1")
    page.page.locator("h1").click()
    page.page.keyboard.press("ArrowRight")
    assert page.data("rank") == "2"
    assert page.troubles == []
    page.page.context.close()


def test_what_is_uncovered_is_red_until_radii_are_grown(open_spheres: Opener, tmp_path: Path) -> None:
    audit = audit_of(tmp_path)
    page = open_spheres(audit)
    assert page.page.locator("h1").inner_text() == "arm: audit of 3 spheres"
    assert int(page.data("uncovered")) > 100
    before = reddish(drawn(page))
    assert before > 200
    set_slider(page, 200)
    assert page.data("uncovered") == "0"
    assert float(page.data("grown")) == pytest.approx(audit.inflation, rel=1e-3)
    assert reddish(drawn(page)) == 0
    set_slider(page, 0)
    assert page.page.locator("tr[data-state=uncovered]").count() == 1
    assert page.page.locator("tr[data-state=covered]").count() == 1
    page.page.locator("tr[data-state=uncovered]").click()
    assert page.data("row") == "0"
    shown = drawn(page)
    page.page.locator("button[data-toggle=showSpheres]").click()
    assert (drawn(page) != shown).any(axis=2).sum() > 500
    assert page.troubles == []
    page.page.context.close()


def test_names_are_no_markup_and_webgl_is_not_needed(open_spheres: Opener, tmp_path: Path) -> None:
    page = open_spheres(
        audit_of(tmp_path), title=NASTY, script=NO_WEBGL, viewport={"width": 390, "height": 800}
    )
    assert page.page.locator("h1").inner_text() == NASTY
    assert page.page.locator("img").count() == 0
    assert "WebGL is not available in this browser" in page.page.locator(".stage").inner_text()
    set_slider(page, 200)
    assert page.data("uncovered") == "0"
    assert page.page.evaluate("document.documentElement.scrollWidth") == 390
    assert [trouble for trouble in page.troubles if "WebGL" not in trouble] == []
    page.page.context.close()
