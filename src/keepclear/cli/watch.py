"""A cell shown again whenever its files change: a page on this machine that reloads itself."""

from __future__ import annotations

import time
from pathlib import Path

import click

from keepclear.cli.cell_page import CellPage, cell_page
from keepclear.cli.local_server import HTML, TEXT, serving
from keepclear.cli.outputs import echo_lines

__all__ = ["Watched", "serve"]

PERIOD = 0.5  # between looks at the files [s]

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

    def answer(self, path: str) -> tuple[str, str] | None:
        """Return what a browser asks for: the frame, the version of the page, or the page."""
        found = {"/": (HTML, FRAME), "/version": (TEXT, str(self.version)), "/page": (HTML, self.html)}
        return found.get(path)


def serve(path: Path, port: int, opens: bool) -> None:
    """Show a cell in the browser until Ctrl-C, and again whenever one of its files changes."""
    watched = Watched(path)
    with serving(watched.answer, port, opens=opens):
        _print_mistakes(watched)
        while True:
            time.sleep(PERIOD)
            if watched.look():
                echo_lines([f"reloaded: {path}"])
                _print_mistakes(watched)


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
