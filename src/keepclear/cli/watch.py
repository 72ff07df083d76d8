"""A cell shown again whenever its files change: a page on this machine that reloads itself."""

from __future__ import annotations

import http.server
import threading
import time
import webbrowser
from pathlib import Path
from typing import Any

import click

from keepclear.cli.cell_page import CellPage, cell_page

__all__ = ["Watched", "serve"]

PERIOD = 0.5  # between looks at the files [s]
LOCAL_HOSTS = ("127.0.0.1", "localhost")  # what a browser on this machine calls the server

# The cell's own page may not reach for anything; this frame around it polls the version, and reloads it.
FRAME = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>keepclear view</title><link rel="icon" href="data:,">
<style>html, body, iframe { margin: 0; border: 0; width: 100%; height: 100%; display: block }</style></head>
<body><iframe src="/page" title="the cell"></iframe>
<script>
let version = null;
async function look() {
  try {
    const current = await (await fetch("/version", {cache: "no-store"})).text();
    if (version !== null && current !== version) document.querySelector("iframe").src = "/page?" + current;
    version = current;
  } catch { /* the command has ended */ }
  setTimeout(look, 500);
}
look();
</script></body></html>
"""


class Watched:
    """A cell file and its page, which `look` rebuilds when a file has changed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.version = 0
        self.page = cell_page(path)
        self.html = self.page.html()
        self._seen = _stamps(self.page)

    def look(self) -> bool:
        """Return whether something changed; then the page is new."""
        if _stamps(self.page) == self._seen:
            return False
        self._seen = _stamps(self.page)
        self.page = cell_page(self.path)
        self.html = self.page.html()
        self._seen = _stamps(self.page)
        self.version += 1
        return True


def serve(path: Path, port: int, opens: bool) -> None:
    """Show a cell in the browser until Ctrl-C, and again whenever one of its files changes."""
    watched = Watched(path)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler_of(watched))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_address[1]}/"
    click.echo(f"{address}   (Ctrl-C ends it)")
    _print_mistakes(watched)
    if opens:
        webbrowser.open(address)
    try:
        while True:
            time.sleep(PERIOD)
            if watched.look():
                click.echo(f"reloaded: {path}")
                _print_mistakes(watched)
    except KeyboardInterrupt:
        click.echo("ended", err=True)
    finally:
        server.shutdown()
        server.server_close()


def handler_of(watched: Watched) -> type[http.server.BaseHTTPRequestHandler]:
    """Return what answers a browser: the frame, the version of the page, and the page."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.headers.get("Host", "").rpartition(":")[0] not in LOCAL_HOSTS:
                self.send_error(403)  # a name from elsewhere that was pointed at this machine
                return
            name = self.path.partition("?")[0]
            answers = {"/": FRAME, "/version": str(watched.version), "/page": watched.html}
            body = answers.get(name, "").encode("utf-8", "replace")
            kind = "text/plain" if name == "/version" else "text/html"
            self.send_response(200 if name in answers else 404)
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            """Say nothing about each request."""

    return Handler


def _print_mistakes(watched: Watched) -> None:
    for line in watched.page.mistakes:
        click.echo(line, err=True)


def _stamps(page: CellPage) -> list[tuple[str, int, int]]:
    """Return when each file was changed, and its size; zeros where there is none."""
    stamps = []
    for file in page.files:
        try:
            seen = file.stat()
            stamps.append((str(file), seen.st_mtime_ns, seen.st_size))
        except OSError:
            stamps.append((str(file), 0, 0))
    return stamps
