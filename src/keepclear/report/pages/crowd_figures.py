"""The figures of a sweep over the number of spheres: processing time, and events by kind, as PNG and SVG."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from keepclear.errors import MissingPackageError

COUNTS = {
    "bounds touched": ("#c8301f", "o"),
    "cells entered": ("#2f6fde", "s"),
    "cells left": ("#2fa79b", "^"),
    "bounds updated": ("#7a55c7", "D"),
    "walls touched": ("#a86a00", "v"),
}
"""The colour and the marker of each count."""
STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#5d6b7c",
    "axes.labelcolor": "#17202b",
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e1e6ec",
    "xtick.color": "#5d6b7c",
    "ytick.color": "#5d6b7c",
    "svg.fonttype": "none",
    "svg.hashsalt": "keepclear",
}


class Measured(Protocol):
    """The measurements of one run for the figures."""

    @property
    def members(self) -> int: ...
    @property
    def cost(self) -> float: ...
    @property
    def noun(self) -> str: ...
    def per_second(self, kind: str) -> float: ...


def check_package() -> None:
    """Raise a `MissingPackageError` if matplotlib is not installed."""
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise MissingPackageError(
            "figures need matplotlib; install it with: pip install 'keepclear[plot]'."
        ) from error


def write_figures(runs: Sequence[Measured], folder: Path) -> list[Path]:
    """Draw processing time and events over the number of spheres, and return the paths of the PNG and SVG files.

    Raises:
        MissingPackageError: matplotlib is not installed.
    """
    check_package()
    import matplotlib as mpl
    from matplotlib.figure import Figure

    written = []
    with mpl.rc_context(STYLE):
        for name, draw in (("time", _draw_time), ("events", _draw_events)):
            figure = Figure(figsize=(6.4, 4.0), layout="constrained")
            draw(figure.add_subplot(), runs)
            for ending in ("png", "svg"):
                path = folder / f"crowd_{name}.{ending}"
                metadata = {"Date": None} if ending == "svg" else {"Software": None}
                figure.savefig(path, dpi=160, metadata=metadata)
                written.append(path)
    return written


def _draw_time(axes: Any, runs: Sequence[Measured]) -> None:
    n, cost = [run.members for run in runs], [run.cost for run in runs]
    unit, scale = ("ms", 1e3) if max(cost, default=0.0) < 0.5 else ("s", 1.0)
    values = [scale * value for value in cost]
    axes.plot(n, values, "o-", color="#2f6fde", linewidth=1.8, markersize=5)
    axes.fill_between(n, values, color="#2f6fde", alpha=0.08, linewidth=0)
    _frame(axes, runs, f"processing time per simulated second [{unit}]")


def _draw_events(axes: Any, runs: Sequence[Measured]) -> None:
    n = [run.members for run in runs]
    for kind, (colour, marker) in COUNTS.items():
        rates = [run.per_second(kind) for run in runs]
        axes.plot(n, rates, marker=marker, color=colour, label=kind, linewidth=1.6, markersize=4.5)
    axes.legend(frameon=False, title="count", alignment="left")
    axes.yaxis.set_major_formatter(_thousands)
    _frame(axes, runs, "number per simulated second")


def _frame(axes: Any, runs: Sequence[Measured], label: str) -> None:
    """Label the axes; both begin at 0, so that a straight line through the origin shows proportional growth."""
    axes.set_xlabel(f"number of {runs[0].noun if runs[0].noun.endswith('s') else runs[0].noun + 's'}")
    axes.set_ylabel(label)
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.xaxis.set_major_formatter(_thousands)


def _thousands(value: float, _place: int) -> str:
    return f"{value:,.0f}"
