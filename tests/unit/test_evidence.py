"""The published figures: ratios with their spread, the page, and rows that have become slower."""

from __future__ import annotations

from pathlib import Path

from benchmarks.evidence import history, page
from benchmarks.evidence.question import Measured, Question, measure

FAST = Measured("distance of hulls", "500 poses", 1e-6, {"coal": 3e-6, "fcl": 4e-6}, 2.8, 3.1)
SLOW = Measured("one call", "500 poses", 2e-6, {"coal": 1e-6}, 0.45, 0.55)


def test_the_ratio_is_that_of_the_fastest_peer() -> None:
    question = Question("sum", "none", lambda: sum(range(2000)), {"slow": lambda: sum(range(60000))}, 1, 3)
    row = measure(question)
    assert row.peer == "slow"
    assert row.lowest <= row.ratio <= row.highest
    assert FAST.peer == "coal"
    assert round(FAST.ratio, 9) == 3.0


def test_the_page_lists_where_keepclear_is_behind_first() -> None:
    text = page.page_text({"Convex": [FAST, SLOW]}, 3.0)
    behind, convex = text.index("## Where keepclear is behind"), text.index("## Convex")
    assert (
        behind
        < text.index("| one call | 500 poses | 2.00 us | 1.00 us (coal) | 0.50 | 0.45 to 0.55 |")
        < convex
    )
    assert text.count("distance of hulls") == 1
    assert "In no row of this page." in page.page_text({"Convex": [FAST]}, 3.0)


def test_ratios_that_fall_are_listed(tmp_path: Path) -> None:
    file = tmp_path / "history.jsonl"
    assert history.read(file) == []
    history.append("0.1", [Measured("distance of hulls", "", 1e-6, {"coal": 6e-6}, 5.8, 6.1), SLOW], file)
    history.append("0.2", [FAST], file)
    (line,) = history.slower([FAST, SLOW], history.read(file))
    assert line == "distance of hulls: ratio 3.00 (at most 3.10), at 0.1 6.00"
