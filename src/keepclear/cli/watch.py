"""A cell while it is being written: a page that reloads itself, or a live view with viser; nothing is verified."""

from __future__ import annotations

import os
import time
import webbrowser
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from keepclear.cli.local_server import HTML, TEXT, serving
from keepclear.cli.outputs import echo_lines
from keepclear.errors import MissingPackageError

if TYPE_CHECKING:
    from keepclear.jobs.cell.cell import Cell
    from keepclear.report.report import Report
    from keepclear.report.scene import Scene

PERIOD = 0.5  # between looks at the files [s]
FRAMES = 30  # a second, while it plays

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
        self.path, self.version = path, 0
        self._show()

    def _show(self) -> None:
        self.page = cell_page(self.path)
        self.html = self.page.report.to_html()
        self._seen = _stamps(self.page)

    def look(self) -> bool:
        """Return whether something changed; then the page is new."""
        if _stamps(self.page) == self._seen:
            return False
        self._show()
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


@dataclass(frozen=True, slots=True)
class CellPage:
    """What a page shows, and what it depends on.

    Attributes:
        report: A report that checks nothing, with a scene for each program.
        mistakes: One line for each error of the cell file.
        files: The cell file and all files that it names; when one of them changes, so does the page.
    """

    report: Report
    mistakes: tuple[str, ...]
    files: tuple[Path, ...]


def cell_page(path: str | os.PathLike[str]) -> CellPage:
    """Return the page of a cell file as it is now, with all that is right in it."""
    import keepclear as kc

    try:
        cell = kc.read_cell(path, strict=False)
    except kc.KeepclearError as error:  # the file is gone: editors replace files
        return CellPage(_empty(Path(path).name, (str(error),)), (str(error),), (Path(path),))
    return CellPage(cell_report(cell), cell.mistakes, tuple(dict.fromkeys((Path(path), *cell.files))))


def cell_report(cell: Cell) -> Report:
    """Return a report that checks nothing and shows the cell in motion, one for each of its programs."""
    programs = [_one(cell, program) for program in cell.programs or (None,)]
    if len(programs) == 1:
        return programs[0]
    first, last = min(program.t0 for program in programs), max(program.t1 for program in programs)
    top = replace(programs[0], program="", scene=None, t0=first, t1=last)
    return replace(top, programs=tuple(programs))


def _one(cell: Cell, program: str | None) -> Report:
    """Return one program of a cell in motion."""
    import keepclear as kc

    empty = replace(_empty(cell.title, tuple(cell.mistakes)), tolerance=cell.tolerance, program=program or "")
    world = cell.world(program)
    if not len(world):
        return empty
    start, end = cell.interval or (None, None)
    try:
        seen = world.unverified(start, end, tolerance=cell.tolerance)
    except kc.KeepclearError as error:
        return replace(empty, warnings=(*empty.warnings, str(error)))
    finally:
        world.close()
    return replace(
        empty,
        t0=seen.t0,
        t1=seen.t1,
        assumptions=seen.assumptions,
        warnings=tuple(dict.fromkeys((*empty.warnings, *seen.warnings))),
        scene=seen.scene,
    )


def _empty(title: str, mistakes: tuple[str, ...]) -> Report:
    import keepclear as kc

    return kc.Report(
        verdict=kc.Verdict.UNDECIDED, t0=0.0, t1=0.0, tolerance=0.0, title=title, warnings=mistakes
    )


def show_live(path: Path, port: int, opens: bool) -> None:
    """Show a cell with viser until Ctrl-C.

    Raises:
        MissingPackageError: viser is not installed.
    """
    try:
        import viser
    except ImportError as error:
        raise MissingPackageError(
            "--live needs viser; install it with: pip install 'keepclear[view]', or use --watch, which needs "
            "no other package."
        ) from error
    watched = Watched(path)
    server = viser.ViserServer(host="127.0.0.1", port=port or 8080, verbose=False)
    server.scene.set_up_direction("+z")
    address = f"http://127.0.0.1:{server.get_port()}/"
    echo_lines([f"{address}   (Ctrl-C ends it)"])
    if opens:
        webbrowser.open(address)
    try:
        while True:
            shown = Live(server, watched)
            while not watched.look():
                shown.play(PERIOD)
            shown.remove()
            echo_lines([f"reloaded: {path}"])
    except KeyboardInterrupt:
        click.echo("ended", err=True)
    finally:
        server.stop()


class Live:
    """The bodies of a cell in a viser server, and the controls that move them."""

    def __init__(self, server: Any, watched: Watched) -> None:
        self.server = server
        self.reports = watched.page.report.programs or (watched.page.report,)
        mistakes = watched.page.mistakes
        text = "\n- ".join(["**errors**", *mistakes]) if mistakes else "no errors"
        self.controls: list[Any] = [server.gui.add_markdown(text)]
        names = [report.program or "the cell" for report in self.reports]
        self.program = server.gui.add_dropdown("program", names)
        span = self.reports[0].t1 - self.reports[0].t0
        self.time = server.gui.add_slider("time [s]", 0.0, max(span, 1e-3), max(span / 1000.0, 1e-6), 0.0)
        self.plays = server.gui.add_checkbox("play", True)
        self.controls += [self.program, self.time, self.plays]
        self.bodies: list[Any] = []
        self.program.on_update(lambda _: self._fill())
        self.time.on_update(lambda _: self._place())
        self._fill()

    @property
    def scene(self) -> Scene:
        """What is shown: that of the chosen program."""
        report = next(
            report for report in self.reports if (report.program or "the cell") == self.program.value
        )
        assert report.scene is not None
        return report.scene

    def play(self, seconds: float) -> None:
        """Play in real time for a while."""
        for _ in range(max(1, round(seconds * FRAMES))):
            time.sleep(1.0 / FRAMES)
            if self.plays.value:
                later = self.time.value + 1.0 / FRAMES
                self.time.value = 0.0 if later > self.time.max else later

    def remove(self) -> None:
        """Take everything away."""
        for thing in (*self.bodies, *self.controls):
            thing.remove()

    def _fill(self) -> None:
        """Put the bodies of the chosen program into the view."""
        from keepclear.report.pages.display import build_display_mesh

        for body in self.bodies:
            body.remove()
        self.bodies = []
        for k, body in enumerate(self.scene.bodies):
            mesh = build_display_mesh(body.shape)
            self.bodies.append(
                self.server.scene.add_mesh_simple(
                    f"/{k}/{body.name}",
                    mesh.positions,
                    mesh.triangles,
                    flat_shading=True,
                    color=_colour(body.name),
                )
            )
        self._place()

    def _place(self) -> None:
        """Move each body to where it is at the time of the slider."""
        import numpy as np
        from scipy.spatial.transform import Rotation

        scene = self.scene
        k = int(np.abs(scene.times - scene.times[0] - self.time.value).argmin())
        for handle, body in zip(self.bodies, scene.bodies, strict=True):
            X_W = body.X_W[min(k, len(body.X_W) - 1)]
            turned = Rotation.from_matrix(X_W[:3, :3])
            handle.position, handle.wxyz = X_W[:3, 3], turned.as_quat(scalar_first=True)


def _colour(name: str) -> tuple[int, int, int]:
    """Return the colour of an object; the links of a robot share one."""
    colours = (
        (232, 143, 60),
        (120, 144, 156),
        (96, 125, 170),
        (126, 160, 110),
        (170, 120, 150),
        (150, 150, 140),
    )
    return colours[sum(name.partition("/")[0].encode()) % len(colours)]
