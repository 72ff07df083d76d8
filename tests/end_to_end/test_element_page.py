"""The page of a prepared mesh in a real browser: elements, hull, holes, and a name that is no markup."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.end_to_end.pages import NO_WEBGL, Opened, open_file, picture, set_slider, settle
from tests.unit.geometry.element_meshes import plate, u_block
from tests.unit.report.example_reports import NASTY

import keepclear as kc

pytestmark = pytest.mark.xdist_group("browser")  # one browser for all of them
Opener = Callable[..., Opened]


@pytest.fixture(scope="module")
def open_elements(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Opener:
    """Write the page of elements, open it from disk, and wait until it is ready."""
    folder = tmp_path_factory.mktemp("elements")

    def opened(elements: Any, script: str = "", title: str = "", **settings: Any) -> Opened:
        path = folder / f"elements {len(list(folder.iterdir()))}.html"
        shown = kc.decompose(elements) if isinstance(elements, kc.Mesh) else elements
        shown.to_html(path, title=title)
        return open_file(browser, path, script, **settings)

    return opened


def drawn(opened: Opened) -> np.ndarray[Any, Any]:
    settle(opened)
    return picture(opened).astype(int)


def reddish(colours: np.ndarray[Any, Any]) -> int:
    """Return how many pixels are as red as concave elements; on the left are the axes, of which one is too."""
    red, green, blue = np.moveaxis(colours[:, 100:], -1, 0)
    return int(((red > 100) & (red > 1.5 * green) & (red > 1.5 * blue)).sum())


def test_holes_are_listed_and_red(open_elements: Opener) -> None:
    page = open_elements(kc.prepare(plate(3), elements=True))
    assert page.page.locator("h1").inner_text() == "mesh: 4 convex elements"
    cells = page.page.locator("tbody tr td:nth-child(2)").all_inner_texts()
    assert sorted(cells) == ["convex", "hole", "hole", "hole"]
    assert "4 real, 2 mixed" in page.page.locator(".facts").inner_text()
    page.page.locator("button[data-toggle=showHull]").click()
    assert page.data("hull") == "false"
    assert reddish(drawn(page)) > 300
    page.page.locator("tbody tr", has_text="convex").click()
    assert page.data("element") == "3"
    assert reddish(drawn(page)) == 0  # all others are pale
    page.page.locator("tbody tr", has_text="convex").click()
    assert (page.data("element"), reddish(drawn(page)) > 300) == ("", True)
    page.page.locator("h1").click()
    page.page.keyboard.press("c")
    assert page.data("concave") == "true"
    assert reddish(drawn(page)) > 1000  # the plate is gone, and the walls are seen from outside
    assert page.troubles == []
    page.page.context.close()


def test_the_mouth_of_a_u_is_closed_by_the_hull(open_elements: Opener) -> None:
    page = open_elements(u_block())
    before = drawn(page)
    page.page.locator("h1").click()
    page.page.keyboard.press("h")
    assert (before != drawn(page)).any(axis=2).sum() > 1000
    page.page.keyboard.press("e")
    assert page.data("elements") == "false"
    bare = drawn(page)
    page.page.keyboard.press("e")
    whole = drawn(page)
    assert (bare != whole).any(axis=2).sum() > 10_000
    set_slider(page, 60)
    assert page.data("apart") == "0.60"
    assert (whole != drawn(page)).any(axis=2).sum() > 1000
    page.page.locator("h1").click()
    page.page.keyboard.press("ArrowLeft")
    assert page.data("apart") == "0.55"
    assert page.troubles == []
    page.page.context.close()


def test_names_are_text_and_the_page_does_without_webgl_and_on_a_phone(open_elements: Opener) -> None:
    mesh = kc.Mesh(plate(1).vertices, plate(1).triangles, name=NASTY)
    page = open_elements(mesh, NO_WEBGL, viewport={"width": 390, "height": 800})
    assert NASTY in page.page.locator("h1").inner_text()
    assert page.page.locator(".stage.missing").count() == 1
    assert page.page.locator("tbody tr").count() == 2
    assert page.page.evaluate("document.documentElement.scrollWidth") <= 390
    assert all("WebGL" in trouble for trouble in page.troubles)
    page.page.context.close()


def test_what_is_no_mesh_has_no_page(tmp_path: Any) -> None:
    with pytest.raises(kc.ArgumentError, match="the elements of a mesh, but the prepared shape is Sphere"):
        kc.prepare(kc.Sphere(1.0)).to_html(tmp_path / "x.html")
    flat = kc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    kc.decompose(flat).to_html(tmp_path / "flat.html")
    assert "1 triangle makes" in (tmp_path / "flat.html").read_text()
