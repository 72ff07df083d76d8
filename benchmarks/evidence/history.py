"""Ratios to peers over versions, one line of JSON each, and which of them have fallen.

Ratios are kept, not times: the machine may differ from one record to the next, and the peer is measured beside us.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from benchmarks.evidence.question import Measured

FILE = Path(__file__).parent / "history.jsonl"
SLOWER = 0.75
"""A ratio that falls below this part of the best recorded one is listed; spreads over rounds reach 0.8."""


def read(file: Path = FILE) -> list[dict[str, object]]:
    """Return all records, oldest first: label, and ratios by the name of the row."""
    if not file.is_file():
        return []
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


def append(label: str, rows: Sequence[Measured], file: Path = FILE) -> None:
    """Add the ratios of a run under a label, for example a version or a commit."""
    ratios = {row.name: round(row.ratio, 3) for row in rows}
    with file.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps({"label": label, "ratios": ratios}, ensure_ascii=False) + "\n")


def slower(rows: Sequence[Measured], records: Sequence[dict[str, object]]) -> list[str]:
    """Return a line for each row whose highest ratio of this run is far below the best recorded one."""
    lines = []
    for row in rows:
        before = [
            (float(ratios[row.name]), str(record["label"]))
            for record in records
            if isinstance(ratios := record["ratios"], dict) and row.name in ratios
        ]
        if before and row.highest < SLOWER * max(before)[0]:
            best, label = max(before)
            lines.append(
                f"{row.name}: ratio {row.ratio:.2f} (at most {row.highest:.2f}), at {label} {best:.2f}"
            )
    return lines
