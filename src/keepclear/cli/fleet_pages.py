"""The overview of a fleet in the browser; pages of single programs are made when they are opened."""

from __future__ import annotations

import html
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from keepclear.cli.local_server import HTML, serving

if TYPE_CHECKING:
    from keepclear.fleet.fleet_report import FleetReport

__all__ = ["FleetPages", "serve_fleet"]

PERIOD = 0.5  # between checks for Ctrl-C [s]


class FleetPages:
    """The overview of a fleet, and the pages that it links to.

    Args:
        report: The results.
        cells: Their cells, as `verify_programs` takes them.
    """

    def __init__(self, report: FleetReport, cells: Iterable[Any]) -> None:
        from keepclear.fleet.overview import page_names

        names = page_names(report)
        self._cells = list(cells)
        self._results = {f"/programs/{names[one.name]}": one for one in report.results if one.name in names}
        self._overview = report.to_html(pages={name: f"programs/{file}" for name, file in names.items()})
        self._lock = threading.Lock()  # one page at a time: a browser may open many

    def answer(self, path: str) -> tuple[str, str] | None:
        """Return what a browser asks for: the overview, or the page of a program as its files are now."""
        from keepclear.errors import KeepclearError
        from keepclear.fleet.program_pages import ProgramPages

        if path == "/":
            return HTML, self._overview
        result = self._results.get(path)
        if result is None:
            return None
        with self._lock:
            try:
                return HTML, ProgramPages(self._cells).report(result).to_html()
            except KeepclearError as error:
                return HTML, f"<!doctype html><title>no page</title><p>{html.escape(str(error))}"


def serve_fleet(report: FleetReport, cells: Iterable[Any], port: int, *, opens: bool) -> None:
    """Show a fleet in the browser until Ctrl-C or SIGTERM."""
    from keepclear.cli.verify import stoppable

    answer = FleetPages(report, cells).answer
    with suppress(KeyboardInterrupt), stoppable(), serving(answer, port, opens=opens, option="--serve"):
        while True:
            time.sleep(PERIOD)
