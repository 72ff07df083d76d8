"""`keepclear demo`: tracks a hull that tumbles past a post and a shelf, and says what was found."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from rich.table import Table

    import keepclear as kc
    from keepclear.results import Distance

    FloatArray = npt.NDArray[np.float64]

FRAMES, DURATION = 1000, 4.0  # of the motion [1, s]
STEP = 25  # frames in one call
PAUSE = 0.05  # after each call, so that it can be watched [s]
SAMPLES = 20
RAMP = "▁▂▃▄▅▆▇█"


@dataclass
class Pair:
    """The hull A and one thing B that it passes, and what their tracker has answered so far."""

    name: str
    b: kc.Cylinder | kc.Box
    X_WB: FloatArray
    tracker: kc.Tracker
    answers: list[Distance] = field(default_factory=list)

    def smallest(self) -> list[float]:
        """Return the smallest distance of each call so far [m]."""
        return [float(answer.distance.min()) for answer in self.answers]


@click.command()
def demo() -> None:
    """Track the closest points of two moving bodies.

    A hull of 500 vertices tumbles past a post (a cylinder) and a shelf (a box). Each frame is one instant of
    the motion, and each answer has certified bounds.
    """
    from rich.console import Console
    from rich.live import Live

    hull, X_WA, pairs = _scene()
    console = Console()
    click.echo(f"A hull of 500 vertices tumbles past a post and a shelf: {FRAMES} frames, {DURATION:g} s.\n")
    with Live(console=console, auto_refresh=False) as live:
        for k in range(0, FRAMES, STEP):
            for pair in pairs:
                pair.answers.append(pair.tracker.distance(X_WA[k : k + STEP], pair.X_WB))
            if console.is_terminal:
                live.update(_table(pairs, console.encoding), refresh=True)
                time.sleep(PAUSE)
            elif (k + STEP) % 100 == 0:
                smallest = "   ".join(
                    f"{pair.name} {min(pair.smallest()[-100 // STEP :]):8.4f} m" for pair in pairs
                )
                click.echo(f"frames {k + STEP - 100:3} to {k + STEP - 1:3}   {smallest}")
    for pair in pairs:
        _print_closest(pair, hull, X_WA)
    _print_contrast(pairs[0])


def _scene() -> tuple[kc.Convex, FloatArray, list[Pair]]:
    """Return the hull, its pose in each frame, and the pairs it makes with post and shelf."""
    import numpy as np

    import keepclear as kc

    k = np.arange(500) + 0.5  # a spiral of points on an ellipsoid
    x, angle = 1.0 - k / 250.0, k * np.pi * (3.0 - 5.0**0.5)
    y, z = np.sqrt(1.0 - x * x) * [np.cos(angle), np.sin(angle)]
    hull = kc.Convex(np.stack([0.30 * x, 0.06 * y, 0.05 * z + 0.04 * x], axis=1))
    s = np.linspace(0.0, 1.0, FRAMES)
    c, d = np.cos(6.0 * np.pi * s), np.sin(6.0 * np.pi * s)  # three turns
    X_WA = np.tile(np.eye(4), (FRAMES, 1, 1))
    X_WA[:, :2, :2] = np.array([[c, -d], [d, c]]).transpose(2, 0, 1)
    X_WA[:, :3, 3] = np.stack([1.6 * s - 0.8, 0.0 * s, 0.1 * s * s], axis=1)
    pairs = []
    for name, b, place in (
        ("post", kc.Cylinder(radius=0.04, length=0.8), [0.15, 0.335, 0.0]),
        ("shelf", kc.Box([0.3, 0.1, 0.5]), [-0.2, -0.36, 0.0]),
    ):
        X_WB = np.eye(4)
        X_WB[:3, 3] = place
        kc.distance(hull, np.stack([X_WB, X_WA[0]]), b, X_WB)  # compile now what is not in the cache
        pairs.append(Pair(name, b, X_WB, kc.Tracker(hull, b)))
    return hull, X_WA, pairs


def _table(pairs: list[Pair], encoding: str) -> Table:
    """Return the live table: distance now, smallest so far, and its course, red where they touch."""
    from rich.table import Table
    from rich.text import Text

    ramp = RAMP if encoding.lower().startswith("utf") else "_.-~=+*#"
    table = Table("hull to", "now", "smallest", "distance over time (red: contact)", box=None)
    for pair in pairs:
        course = Text()
        for answer, smallest in zip(pair.answers, pair.smallest(), strict=True):
            level = min(len(ramp) - 1, int(max(0.0, smallest) * 16.0))
            course.append(ramp[level], style="red" if answer.colliding.any() else "green")
        now = float(pair.answers[-1].distance[-1])
        table.add_row(pair.name, f"{now:7.4f} m", f"{min(pair.smallest()):7.4f} m", course)
    return table


def _print_closest(pair: Pair, hull: kc.Convex, X_WA: FloatArray) -> None:
    """Print when and where the hull was closest, how certain that is and what it took."""
    import keepclear as kc

    calls = pair.smallest()
    answer = pair.answers[calls.index(min(calls))]
    k = int(answer.distance.argmin())
    r, frame = answer[k], STEP * calls.index(min(calls)) + k
    p_WA, p_WB = ("({:.5f}, {:.5f}, {:.5f})".format(*p) for p in (r.p_WA, r.p_WB))
    start = time.perf_counter()
    kc.Tracker(hull, pair.b).distance(X_WA, pair.X_WB)
    milliseconds = 1e3 * (time.perf_counter() - start)
    done, seconds = pair.tracker.statistics, DURATION * frame / (FRAMES - 1)
    iterations, vertices = done.iterations / FRAMES, done.vertices / FRAMES
    click.echo(f"""
{pair.name}: closest in frame {frame}, at {seconds:.3f} s: {r.state.name}, distance {1e3 * r.distance:.3f} mm
  certified  {r.lower!r} m <= true distance <= {r.upper!r} m
  where      p_WA = {p_WA}, p_WB = {p_WB}
  per frame  {iterations:.1f} iterations, {vertices:.0f} vertices looked at
  time       all {FRAMES} frames again, in one call: {milliseconds:.1f} ms""")


def _print_contrast(pair: Pair) -> None:
    """Print what a few samples of the motion see, and what all its frames see."""
    import numpy as np

    distance = np.concatenate([answer.distance for answer in pair.answers])
    contact = np.concatenate([answer.colliding for answer in pair.answers])
    few = slice(None, None, FRAMES // SAMPLES)
    seen, nearest = contact[few].sum(), 1e3 * distance[few].min()
    click.echo(f"""
{pair.name}, sampled at {SAMPLES} poses: {seen} contacts, smallest distance {nearest:.1f} mm
{pair.name}, tracked over {FRAMES} frames: {contact.sum()} with contact, first in frame {contact.argmax()}
Both look at instants only. Each instant is certified; between two of them nobody has looked.
For a proof about the time between, describe the motion and ask kc.first_contact (examples/06_first_contact.py).""")
