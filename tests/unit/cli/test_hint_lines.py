"""Hints on the console: a line of their own below their pair."""

from __future__ import annotations

from dataclasses import replace

from tests.unit.report.example_reports import CONTACT, full_report
from tests.unit.report.test_json_file import HINT

from keepclear.cli.summary import summary_lines


def test_a_hint_stands_below_its_pair() -> None:
    lines = list(summary_lines(full_report(pairs=(replace(CONTACT, hint=HINT),))))
    (row,) = (k for k, line in enumerate(lines) if line.startswith("  arm/forearm - table"))
    below = "rows 13 to 14 of pick.csv, for 1.2 s, at least 12.3 mm deep; lift 'arm/forearm' by 13.1 mm near row 14"
    assert below in lines[row + 1]
