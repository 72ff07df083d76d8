"""A web server for a browser on this machine, and for nothing else."""

from __future__ import annotations

import contextlib
import http.server
import threading
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from keepclear.cli.outputs import echo_lines
from keepclear.errors import ArgumentError

__all__ = ["HTML", "TEXT", "Answer", "check_port", "handler_of", "serving"]

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
