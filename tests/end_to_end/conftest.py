"""What tests of pages share: one browser for all of them, and reports written as pages."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from tests.end_to_end.pages import FLAGS, Opened, Opener, open_file

from keepclear.report.report import Report


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    names = ("chromium", "chromium-browser", "google-chrome")
    path = next(filter(None, map(shutil.which, names)), None)
    if path is None:
        pytest.skip("there is no Chromium on this machine: tests/install_chromium installs it where it can")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def open_page(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Opener:
    """Write a report as a page, open it from disk, and wait until it is ready."""
    folder = tmp_path_factory.mktemp("pages")

    def opened(report: Report, **settings: Any) -> Opened:
        path = folder / f"page {len(list(folder.iterdir()))}.html"
        report.to_html(path)
        return open_file(browser, path, **settings)

    return opened
