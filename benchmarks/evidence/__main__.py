"""Measures the published figures and writes `docs/evidence.md`: `python -m benchmarks.evidence [WORD ...]`.

Words select rows by their names; then nothing is written. `--record LABEL` adds the ratios to the history. Rows that
have become slower than the history says are listed at the end.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.evidence import convex, history, meshes, page, robots
from benchmarks.evidence.question import Measured, Question, measure
from benchmarks.harness import duration

DOCS = Path(__file__).parents[2] / "docs"
GROUPS: dict[str, Callable[[], Iterator[Question]]] = {
    "Convex bodies and points": convex.questions,
    "Meshes and moving bodies": meshes.questions,
    "Robots, frame loops and crowds": robots.questions,
}


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.evidence")
    parser.add_argument("words", nargs="*", help="only rows whose name contains all of these")
    parser.add_argument("--record", metavar="LABEL", help="add the ratios to the history")
    options = parser.parse_args()
    start = time.monotonic()
    groups: dict[str, list[Measured]] = {}
    for title, questions in GROUPS.items():
        for question in questions():
            if all(word in question.name for word in options.words):
                row = measure(question)
                groups.setdefault(title, []).append(row)
                print(
                    f"{row.name:<72}{duration(row.ours):>10}{row.ratio:9.2f}x  {row.lowest:.2f} to {row.highest:.2f}"
                )
    rows = [row for group in groups.values() for row in group]
    for line in history.slower(rows, history.read()):
        print(f"slower than before: {line}")
    if options.words:
        return
    (DOCS / "evidence.md").write_text(
        page.page_text(groups, (time.monotonic() - start) / 60.0), encoding="utf-8"
    )
    page.draw(groups, DOCS / "evidence.svg")
    if options.record:
        history.append(options.record, rows)


if __name__ == "__main__":
    main()
