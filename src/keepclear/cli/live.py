"""A cell in a live 3D view with viser: a slider for the time, reloaded when a file changes."""

from __future__ import annotations

import time
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from keepclear.cli.outputs import echo_lines
from keepclear.errors import MissingPackageError

if TYPE_CHECKING:
    from keepclear.cli.watch import Watched
    from keepclear.report.scene import Scene

__all__ = ["show_live"]

PERIOD = 0.5  # between looks at the files [s]
FRAMES = 30  # a second, while it plays


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
    from keepclear.cli.watch import Watched

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
        self.controls: list[Any] = [server.gui.add_markdown(_mistakes(watched.page.mistakes))]
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
        from keepclear.report.display import build_display_mesh

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

        scene = self.scene
        k = int(np.abs(scene.times - scene.times[0] - self.time.value).argmin())
        for handle, body in zip(self.bodies, scene.bodies, strict=True):
            X_W = body.X_W[min(k, len(body.X_W) - 1)]
            handle.position, handle.wxyz = X_W[:3, 3], _quaternion(X_W[:3, :3])


def _quaternion(R: Any) -> Any:
    from scipy.spatial.transform import Rotation

    return Rotation.from_matrix(R).as_quat(scalar_first=True)


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


def _mistakes(lines: tuple[str, ...]) -> str:
    return "\n".join(["**errors**", *(f"- {line}" for line in lines)]) if lines else "no errors"
