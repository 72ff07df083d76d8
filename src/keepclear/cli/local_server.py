"""Pages for a browser on this machine: the server, and the overview of a fleet with pages made when opened."""

from __future__ import annotations

import contextlib
import html
import http.server
import threading
import time
import webbrowser
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import click

from keepclear.cli.outputs import echo_lines
from keepclear.cli.progress import stoppable
from keepclear.errors import ArgumentError

if TYPE_CHECKING:
    from keepclear.jobs.fleet.fleet_report import FleetReport

LOCAL_HOSTS = ("127.0.0.1", "localhost")  # what a browser on this machine calls the server
HTML, TEXT = "text/html", "text/plain"
Answer = Callable[[str], tuple[str, str] | None]
"""Returns the kind and the text of what a path names, None: there is no such thing."""


def check_port(port: int, option: str) -> None:
    """Raise an `ArgumentError` if a port is in use now."""
    try:
        http.server.HTTPServer(("127.0.0.1", port), http.server.BaseHTTPRequestHandler).server_close()
    except OSError as cause:
        raise ArgumentError(f"{option} {port} cannot be used: {cause.strerror or cause}.") from cause


@contextmanager
def serving(answer: Answer, port: int, *, opens: bool, option: str = "--port") -> Iterator[None]:
    """Serve pages on a port of this machine, 0: a free one; print the address, and open it in the browser if asked.

    `option` is the one that names the port.

    Raises:
        ArgumentError: The port is in use.
    """
    try:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler_of(answer))
    except OSError as cause:
        raise ArgumentError(f"{option} {port} cannot be used: {cause.strerror or cause}.") from cause
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_address[1]}/"
    echo_lines([f"{address}   (Ctrl-C ends it)"])
    if opens:
        webbrowser.open(address)
    try:
        yield
    except KeyboardInterrupt:
        click.echo("ended", err=True)
    finally:
        server.shutdown()
        server.server_close()


def handler_of(answer: Answer) -> type[http.server.BaseHTTPRequestHandler]:
    """Return what answers a browser."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def handle(self) -> None:
            with contextlib.suppress(ConnectionError):  # the browser went on to another page
                super().handle()

        def do_GET(self) -> None:
            host = self.headers.get("Host", "")  # browsers leave out the port 80
            if (host.rpartition(":")[0] or host) not in LOCAL_HOSTS:
                self.send_error(403)  # a name from elsewhere that was pointed at this machine
                return
            found = answer(self.path.partition("?")[0])
            kind, text = (TEXT, "") if found is None else found
            body = text.encode("utf-8", "replace")
            self.send_response(404 if found is None else 200)
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            """Say nothing about each request."""

    return Handler


PERIOD = 0.5  # between checks for Ctrl-C [s]


class FleetPages:
    """The overview of a fleet, and the pages that it links to.

    Args:
        report: The results.
        cells: Their cells, as `verify_programs` takes them.
    """

    def __init__(self, report: FleetReport, cells: Iterable[Any]) -> None:
        from keepclear.jobs.fleet.pages import page_names

        names = page_names(report)
        self._cells = list(cells)
        self._results = {f"/programs/{names[one.name]}": one for one in report.results if one.name in names}
        self._overview = report.to_html(pages={name: f"programs/{file}" for name, file in names.items()})
        self._lock = threading.Lock()  # one page at a time: a browser may open many

    def answer(self, path: str) -> tuple[str, str] | None:
        """Return what a browser asks for: the overview, or the page of a program as its files are now."""
        from keepclear.errors import KeepclearError
        from keepclear.jobs.fleet.pages import ProgramPages

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

    answer = FleetPages(report, cells).answer
    with suppress(KeyboardInterrupt), stoppable(), serving(answer, port, opens=opens, option="--serve"):
        while True:
            time.sleep(PERIOD)
