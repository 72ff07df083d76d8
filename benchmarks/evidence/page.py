"""The page of published figures: tables with the spread over rounds, where keepclear is behind, and a plot."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

import keepclear
from benchmarks.evidence.question import Measured
from benchmarks.harness import duration

PACKAGES = ("numpy", "scipy", "numba", "coal", "python-fcl", "rapier3d", "pin", "ipctk", "mujoco")


def page_text(groups: dict[str, Sequence[Measured]], minutes: float) -> str:
    """Return the page as Markdown."""
    rows = [row for group in groups.values() for row in group]
    behind = sorted((row for row in rows if row.ratio < 1.0), key=lambda row: row.ratio)
    parts = [_head(minutes), "![Ratios of all rows](evidence.svg)\n", _behind(behind)]
    for title, group in groups.items():
        parts.append(f"## {title}\n\n{_table(group)}")
    return "\n".join(parts)


def _head(minutes: float) -> str:
    return f"""# Evidence: speed beside other libraries

`make bench` writes this page. Each row is one question on the same inputs, in one process, on one thread. Times are
process CPU time per query, the best of several rounds in which all libraries take turns. Everything has run once
before; models, trees and transforms of the peers are built ahead. The ratio is the time of the fastest peer divided by
ours: above 1, keepclear is faster. The spread is the least and the greatest ratio of a single round.

Libraries do not promise the same. keepclear's answers are certified, rounding included, and verdicts about motions
hold at every instant; peers sample, stop at 1e-6, or work in single precision. `python -m benchmarks NAME` runs longer
benchmarks of one subject; the files in `benchmarks/` have their names.

Measured with {_versions()}, in {minutes:.0f} minutes.
"""


def _versions() -> str:
    names = [f"keepclear {keepclear.__version__}", f"Python {platform.python_version()}", platform.machine()]
    for package in PACKAGES:
        try:
            names.append(f"{package} {metadata.version(package)}")
        except metadata.PackageNotFoundError:
            names.append(f"{package} not installed")
    return ", ".join(names)


def _behind(rows: Sequence[Measured]) -> str:
    if not rows:
        return "## Where keepclear is behind\n\nIn no row of this page.\n"
    return f"## Where keepclear is behind\n\n{_table(rows)}"


def _table(rows: Sequence[Measured]) -> str:
    lines = [
        "| question | inputs | keepclear | fastest peer | ratio | spread |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for row in rows:
        peer = f"{duration(row.peers[row.peer])} ({row.peer})"
        spread = f"{row.lowest:.2f} to {row.highest:.2f}"
        lines.append(
            f"| {row.name} | {row.drawn} | {duration(row.ours)} | {peer} | {row.ratio:.2f} | {spread} |"
        )
    return "\n".join(lines) + "\n"


def draw(groups: dict[str, Sequence[Measured]], path: Path) -> None:
    """Draw all ratios with their spread, on a logarithmic axis."""
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    rows = [row for group in groups.values() for row in group][::-1]
    with plt.rc_context({"svg.hashsalt": "keepclear", "svg.fonttype": "none"}):
        figure, axes = plt.subplots(figsize=(9.0, 0.8 + 0.2 * len(rows)), layout="constrained")
        for k, row in enumerate(rows):
            colour = "tab:red" if row.ratio < 1.0 else "tab:blue"
            axes.plot([row.lowest, row.highest], [k, k], color=colour, alpha=0.4, linewidth=3)
            axes.plot(row.ratio, k, "o", color=colour, markersize=4)
        axes.axvline(1.0, color="black", linewidth=0.8)
        axes.set(xscale="log", ylim=(-1, len(rows)), xlabel="time of the fastest peer divided by keepclear's")
        axes.set_yticks(range(len(rows)), [row.name for row in rows], fontsize=7)
        axes.grid(axis="x", alpha=0.3)
        figure.savefig(path, metadata={"Date": None})
        plt.close(figure)
