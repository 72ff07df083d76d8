"""Figures over the number of spheres: four files, the same bytes each time, and a clear error without matplotlib."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import keepclear as kc
from keepclear.report.pages.crowd_figures import check_package, write_figures


@dataclass
class Measured:
    members: int
    cost: float
    noun: str = "spheres"

    def per_second(self, kind: str) -> float:
        return self.members * len(kind)


RUNS = [Measured(500, 0.011), Measured(1000, 0.031), Measured(3500, 0.42)]


def test_time_and_events_are_drawn_twice_alike(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        written = write_figures(RUNS, tmp_path / folder)
    names = ["crowd_time.png", "crowd_time.svg", "crowd_events.png", "crowd_events.svg"]
    assert [path.name for path in written] == names
    for name in names:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes(), name
    assert (tmp_path / "a" / "crowd_time.png").read_bytes().startswith(b"\x89PNG")
    times, events = ((tmp_path / "a" / f"crowd_{name}.svg").read_text() for name in ("time", "events"))
    assert "processing time per simulated second [ms]" in times
    assert "number of spheres" in times
    assert "number per simulated second" in events
    for kind in ("cells entered", "cells left", "bounds updated", "bounds touched", "walls touched"):
        assert f">{kind}<" in events
    assert "<dc:date>" not in times


def test_slow_runs_are_in_seconds_and_one_run_is_enough(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    write_figures([Measured(1, 2.0, "disc")], tmp_path)
    text = (tmp_path / "crowd_time.svg").read_text()
    assert "processing time per simulated second [s]" in text
    assert "number of discs" in text


def test_without_matplotlib_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(kc.MissingPackageError) as caught:
        check_package()
    assert str(caught.value) == "figures need matplotlib; install it with: pip install 'keepclear[plot]'."
    with pytest.raises(kc.MissingPackageError):
        write_figures(RUNS, tmp_path)
    assert list(tmp_path.iterdir()) == []
