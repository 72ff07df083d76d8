"""A crowd that goes on for ever fails its test instead of hanging it."""

from __future__ import annotations

import pytest

import keepclear.crowd.crowd as module

MOST = 20_000


@pytest.fixture(autouse=True)
def no_endless_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail when one call of `advance` takes more steps, or asks its caller more often, than any test here needs."""
    serve, advance = module.Crowd._serve, module.Crowd.advance
    served = 0

    def count(crowd: module.Crowd, status: int) -> None:
        nonlocal served
        served += 1
        assert served <= MOST // 10, f"served {served} times, it is {crowd.time!r} s: {crowd.statistics}"
        assert status != module.at.OUT_OF_STEPS, f"{MOST} steps, it is {crowd.time!r} s: {crowd.statistics}"
        serve(crowd, status)

    def start(crowd: module.Crowd, until: float) -> object:
        nonlocal served
        served = 0
        return advance(crowd, until)

    monkeypatch.setattr(module, "RUN", MOST)
    monkeypatch.setattr(module.Crowd, "_serve", count)
    monkeypatch.setattr(module.Crowd, "advance", start)
