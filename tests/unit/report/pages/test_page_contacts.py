"""Pairs of a page that were not searched for contacts: they may be in contact, and the page says so."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import keepclear as kc
from keepclear.report.pages.payload import contact_content


def passing(curves: int) -> kc.Report:
    """Return the report of two spheres that overlap for a while, with a margin."""
    X = np.tile(np.eye(4), (2, 1, 1))
    X[:, 0, 3] = -1.0, 1.0
    world = kc.World()
    world.add("a", kc.Sphere(0.1), kc.PoseTrajectory([0.0, 1.0], X, "screw"))
    world.add("b", kc.Sphere(0.1), np.eye(4))
    world.set_margin("a", "b", 0.05)
    return world.verify(curves=curves)


def test_a_pair_that_was_not_searched_may_be_in_contact(tmp_path: Path) -> None:
    report = passing(curves=0)
    (pair,) = report.pairs
    found = contact_content(pair, None, report)
    assert (found["event"], found["is_open"]) == ("too close", True)
    report.to_json(tmp_path / "r.json")
    again = kc.read_report(tmp_path / "r.json")
    assert contact_content(again.pairs[0], None, again)["is_open"]
    assert "or in contact" in again.to_html()


def test_a_history_or_a_curve_decides() -> None:
    report = passing(curves=60)
    (pair,) = report.pairs
    assert contact_content(pair, None, report)["event"] == "contact", "by its curve"
    history = report.records.histories[0]
    assert contact_content(pair, history, report)["event"] == "contact"
