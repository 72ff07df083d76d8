"""Visual shapes of a robot on its page: files of several formats, scales, origins and colours, read back as pixels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.end_to_end import visual_robot as robot
from tests.end_to_end.pages import Opened, Opener, picture, settle

pytestmark = pytest.mark.xdist_group("browser")  # one browser for all of them


def places(opened: Opened, colour: tuple[float, float, float]) -> np.ndarray[Any, Any]:
    """Return the pixels (n, 2), x to the right and y upwards, that have about the hue of a colour."""
    settle(opened)
    seen = picture(opened).astype(float)
    seen, wanted = seen - seen.min(axis=2, keepdims=True), np.array(colour) - min(colour)
    size = np.linalg.norm(seen, axis=2)
    alike = (seen @ wanted) / np.maximum(size * np.linalg.norm(wanted), 1e-9)
    rows, columns = np.nonzero((alike > 0.97) & (size > 60.0))
    return np.stack([columns, seen.shape[0] - rows], axis=1)


def extent(found: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    size: np.ndarray[Any, Any] = np.ptp(np.percentile(found, [1, 99], axis=0), axis=0)
    return size


@pytest.fixture(scope="module")
def shown(open_page: Opener, tmp_path_factory: pytest.TempPathFactory) -> Opened:
    opened = open_page(robot.verified(tmp_path_factory.mktemp("visuals")))
    opened.page.locator("[data-view=front]").click()
    return opened


def test_files_of_all_formats_are_shown_in_their_colours_and_poses(shown: Opened) -> None:
    blue, green, magenta, yellow = (
        places(shown, colour) for colour in (robot.BLUE, robot.GREEN, robot.MAGENTA, robot.YELLOW)
    )
    heights = [found[:, 1].mean() for found in (blue, green, magenta)]
    assert heights == sorted(heights)
    assert yellow[:, 0].mean() - magenta[:, 0].mean() == pytest.approx(1.5 * extent(magenta)[0], rel=0.15)
    assert extent(yellow)[0] / extent(yellow)[1] == pytest.approx(0.2 / 0.06, rel=0.25)  # scaled along x
    assert extent(magenta)[0] / extent(magenta)[1] == pytest.approx(
        1.0, rel=0.15
    )  # of the file in millimetres
    # The column is turned by 45 degrees, so that it is as wide as its diagonal.
    assert extent(green)[0] / extent(magenta)[0] == pytest.approx(0.12 * 2**0.5 / 0.2, rel=0.15)
    assert shown.troubles == []


def test_the_checked_shapes_have_the_colours_of_their_links(shown: Opened) -> None:
    toggle = shown.page.locator("[data-toggle=visual]")
    toggle.click()
    try:
        assert len(places(shown, robot.YELLOW)) < 30  # its link has another colour, and is a ball
        ball = places(shown, robot.MAGENTA)
        filled = len(ball) / (np.ptp(ball, axis=0) + 1).prod()
        assert filled == pytest.approx(np.pi / 4, rel=0.1)
        assert len(places(shown, robot.BLUE)) > 500
    finally:
        toggle.click()


def test_a_link_that_is_only_shown_says_so(shown: Opened) -> None:
    page = shown.page
    page.locator("[data-tab=scene]").click()
    assert page.locator("[data-object='shown/camera']").inner_text().split("\n")[-1] == "not checked"
    assert "not checked" not in page.locator("[data-object='shown/hand']").inner_text()
    assert "'camera' has visual and no collision geometry" in page.locator("details.warnings").inner_text()
