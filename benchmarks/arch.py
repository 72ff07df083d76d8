"""The gripper that reaches through an arch (examples/16_arch.py): cost and pairs per frame, beside all combinations.

Draws docs/how-to/arch.svg.
"""

from __future__ import annotations

import itertools
import runpy
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import keepclear as kc
from keepclear.query.track.transitions import TrackerEvent

ROOT = Path(__file__).parents[1]
FIGURE = ROOT / "docs" / "how-to" / "arch.svg"
ROUNDS = 5
MODES: dict[str, dict[str, Any]] = {
    "exact": {},
    "exact=False": {"exact": False},
    "enough=0.1": {"enough": 0.1},
}
MARKED = ("merged", "released", "recovered", "void", "contact")


def run(options: dict[str, Any]) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[TrackerEvent]]:
    """Return times [s], the CPU time of each frame [s], the pairs computed in it, and the events."""
    story = runpy.run_path(str(ROOT / "examples" / "16_arch.py"), run_name="arch")["Story"]()
    tracker, rows = story.tracker, []
    for t, X in story.frames():
        before, start = tracker.statistics.pairs, time.process_time()
        tracker.distance(None, X, t, **options)
        rows.append((t, time.process_time() - start, tracker.statistics.pairs - before))
    times, costs, pairs = np.array(rows).T
    return times, costs, pairs, list(tracker.events)


def all_combinations() -> np.ndarray:
    """Return the CPU time of each frame if all pairs of members are asked, without a tracker [s]."""
    story = runpy.run_path(str(ROOT / "examples" / "16_arch.py"), run_name="arch")["Story"]()
    costs = []
    for _, X in story.frames():
        fixed = {**story.scene["arch"]._members, **story.scene._members}
        poses = {**story.scene["arch"]._content.fixed, **story.scene._content.fixed}
        moving = {**story.arm._members, **story.hand._members}
        a = [(fixed[name], poses[name]) for name in poses]
        b = [(moving[name], X[name]) for name in X]
        start = time.process_time()
        for (one, X_WA), (other, X_WB) in itertools.product(a, b):
            kc.distance(one, X_WA, other, X_WB)
        costs.append(time.process_time() - start)
    return np.array(costs)


def draw(found: dict[str, tuple[Any, ...]], cold: np.ndarray) -> None:
    """Draw cost and pairs of each frame over time, with the events."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams.update({"svg.hashsalt": "keepclear", "svg.fonttype": "none"})
    import matplotlib.pyplot as plt

    figure, (top, bottom) = plt.subplots(2, 1, sharex=True, figsize=(9.0, 6.5))
    times, _, _, events = found["exact"]
    top.semilogy(times, 1e6 * cold, color="0.7", label="all combinations, cold")
    for name, (_, costs, pairs, _) in found.items():
        top.semilogy(times, 1e6 * costs, lw=0.9, label=name)
        bottom.step(times, pairs, lw=0.9, label=name)
    bottom.axhline(20, color="0.7", label="all combinations")
    for event in events:
        if event.kind in MARKED:
            top.axvline(event.t, color="0.85", lw=0.6, zorder=0)
            top.text(
                event.t, top.get_ylim()[1], f"{event.node} {event.kind}", rotation=90, fontsize=5, va="top"
            )
    top.set_ylabel("CPU time per frame [us]")
    bottom.set_ylabel("pairs computed per frame")
    bottom.set_xlabel("time [s]")
    top.legend(fontsize=7)
    bottom.legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(FIGURE, metadata={"Date": None, "Creator": None})


def main(options: Sequence[str] = ()) -> None:
    """Print cost and pairs per frame; `--figure` replaces the figure of the documentation."""
    found = {}
    for name, mode in MODES.items():
        runs = [run(mode) for _ in range(ROUNDS)]
        times, _, pairs, events = runs[0]
        found[name] = times, np.min([costs for _, costs, _, _ in runs], axis=0), pairs, events
    cold = np.min([all_combinations() for _ in range(2)], axis=0)
    print(f"\nA gripper reaches through an arch, {len(cold)} frames; 4 members against 5: 20 combinations")
    print(f"{'':<26}{'median':>12}{'99 %':>12}{'pairs, mean':>14}{'pairs, most':>14}")
    rows = [(name, costs, pairs) for name, (_, costs, pairs, _) in found.items()]
    for name, costs, pairs in [*rows, ("all combinations, cold", cold, np.full(len(cold), 20.0))]:
        middle, most = 1e6 * np.median(costs), 1e6 * np.percentile(costs, 99)
        print(f"{name:<26}{middle:9.0f} us{most:9.0f} us{pairs.mean():14.1f}{pairs.max():14.0f}")
    if "--figure" in options:
        draw(found, cold)
        print(f"figure: {FIGURE.relative_to(ROOT)}")


if __name__ == "__main__":
    main(sys.argv[1:])
