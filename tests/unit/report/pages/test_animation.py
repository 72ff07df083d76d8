"""Recorded crowds: frames at their times, all events, and a page that holds them in whole numbers."""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.unit.report.example_reports import NASTY

import keepclear as kc
from keepclear.report.pages.animation import MOST_NUMBERS, usual_rate
from keepclear.report.pages.crowd_page import build_crowd_payload, rough_differences
from keepclear.report.pages.payload import Packer

Array = np.ndarray[Any, Any]


def two(**options: Any) -> kc.Crowd:
    """Two that meet in the middle at 4 s, and bounce."""
    given: dict[str, Any] = {"motion": kc.Ballistic()}
    return kc.Crowd([[0, 0, 0], [10, 0, 0]], [[1, 0, 0], [-1, 0, 0]], 1.0, **(given | options))


def unpacked(payload: dict[str, Any], data: str) -> dict[str, Any]:
    """Return what a page would read: arrays in place of their descriptions."""
    content = base64.b64decode(data)
    if payload["packing"] == "deflate-raw":
        content = zlib.decompress(content, -15)

    def read(value: Any) -> Any:
        if isinstance(value, dict) and set(value) == {"at", "n", "kind"}:
            return np.frombuffer(content, np.dtype(value["kind"]).newbyteorder("<"), value["n"], value["at"])
        if isinstance(value, dict):
            return {name: read(entry) for name, entry in value.items()}
        return [read(entry) for entry in value] if isinstance(value, list) else value

    return read(payload)


def unfolded(low: Array, high: Array, m: int) -> Array:
    """Return what `rough_differences` packed, (m, series), as the page computes it."""
    folded = low.astype(np.int64) | (high.astype(np.int64) << 8)
    second = ((folded >> 1) ^ -(folded & 1)).reshape(-1, m)
    steps = np.concatenate([second[:, :1] * 0, np.cumsum(second[:, 1:], axis=1)], axis=1)
    return ((second[:, :1] + np.cumsum(steps, axis=1)) % 65_536).T


def payload_of(animation: kc.CrowdAnimation, **options: Any) -> dict[str, Any]:
    given: dict[str, Any] = {"title": "", "bounds": False, "facts": {}}
    return unpacked(*build_crowd_payload(animation, **(given | options)))


def test_frames_and_events() -> None:
    animation = kc.CrowdAnimation(two(), 5.0, rate=4)
    assert animation.times.tolist() == [k / 4 for k in range(21)]
    assert animation.events.kind.tolist() == ["contact"]
    assert animation.events.time == pytest.approx([4.0], abs=1e-9)
    assert animation.frames[16].x[:, 0].tolist() == [4.0, 6.0]
    assert animation.frames[20].x[:, 0].tolist() == [3.0, 7.0]
    assert animation.crowd.time == 5.0
    assert not animation.has_bounds  # nobody accelerates: bounds do not grow


def test_it_goes_on_in_pieces_and_ends_between_frames() -> None:
    animation = kc.CrowdAnimation(two(), rate=2)
    assert len(animation.events) == 0
    assert len(animation.advance(3.9)) == 0
    assert len(animation.advance(4.2)) == 1
    assert animation.times.tolist() == [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 3.9, 4, 4.2]
    assert len(animation.advance(4.2)) == 0
    with pytest.raises(kc.ArgumentError, match="until must not be earlier"):
        animation.advance(1.0)
    assert len(animation.events) == 1


def test_pieces_that_end_at_frames_add_none() -> None:
    animation = kc.CrowdAnimation(two(), rate=10)
    for k in range(1, 31):
        animation.advance(k * 0.1)  # 0.1 is no double: some of these are a hair beside k / 10
    assert animation.times == pytest.approx(np.arange(31) / 10)


def test_a_look_at_each_frame_can_end_it() -> None:
    animation, seen = kc.CrowdAnimation(two(), rate=10), []
    animation.advance(5.0, lambda time: seen.append(time) or time >= 0.3)
    assert seen == pytest.approx([0.1, 0.2, 0.3])
    assert animation.crowd.time == pytest.approx(0.3)


def test_bounds_are_recorded_where_they_grow() -> None:
    crowd = two(max_accelerations=[2.0, 0.0], motion=None)
    animation = kc.CrowdAnimation(crowd, 1.0, rate=2)
    assert animation.has_bounds
    assert animation.frames[2].bound_radii is not None
    assert animation.frames[2].bound_radii.tolist() == [2.0, 1.0]
    found = payload_of(animation, bounds=True)
    assert found["show_bounds"] is True
    numbers = unfolded(*found["bounds"]["numbers"], 3).astype(np.uint16).view(np.int16).reshape(3, 2, 4)
    assert numbers[2] * found["bounds"]["quantum"] == pytest.approx(
        np.array([[0, 0, 0, 2.0], [0, 0, 0, 1.0]]), abs=1e-3
    )
    assert kc.CrowdAnimation(two(max_accelerations=1.0), bounds=False).has_bounds is False


def test_positions_come_back_from_the_page() -> None:
    animation = kc.CrowdAnimation(two(bounds=([-5, -5, -5], [15, 5, 5])), 5.0, rate=8)
    found = payload_of(animation)
    assert found["box"] == [[-5, -5, -5], [15, 5, 5]]
    whole = unfolded(*found["positions"], 41).reshape(41, 2, 3)
    x = np.array(found["origin"]) + whole * found["quantum"]
    seen = np.stack([frame.x for frame in animation.frames])
    assert np.abs(x - seen).max() <= found["quantum"]
    assert found["quantum"] < 2e-4
    assert found["events"]["time"] == pytest.approx([4.0], abs=1e-9)
    assert (found["events"]["i"][0], found["events"]["j"][0]) == (0, 1)
    assert found["curve"]["contacts"].sum() == 1.0
    assert found["present"] is None
    assert found["title"] == "2 spheres for 5 s"
    assert found["sentence"] == "2 spheres, 5 s: 1 contact."


def test_any_numbers_come_back_from_differences() -> None:
    whole = np.random.default_rng(1).integers(0, 65_536, (50, 7, 3)).astype(np.uint16)
    whole[:, 0, 0] = np.where(np.arange(50) % 2, 65_535, 0)
    packer = Packer()
    places = rough_differences(whole, packer)
    packing, data = packer.text()
    found = unpacked({"packing": packing, "places": places}, data)["places"]
    assert (unfolded(*found, 50).reshape(50, 7, 3) == whole).all()


def test_those_who_come_and_go() -> None:
    crowd = two(motion=None, max_accelerations=0.0)
    animation = kc.CrowdAnimation(crowd, 1.0, rate=1)
    (third,) = crowd.add([[5, 9, 0]], [[0, 0, 0]], 0.5, 0.0)
    animation.advance(2.0)
    crowd.remove([0])
    animation.advance(4.0)
    found = payload_of(animation, names=["a", "b", "c"])
    assert found["ids"].tolist() == [0, 1, third]
    assert found["radii"].tolist() == [1.0, 1.0, 0.5]
    assert found["names"] == ["a", "b", "c"]
    assert found["present"].reshape(5, 3).tolist() == [[1, 1, 0], [1, 1, 0], [1, 1, 1], [0, 1, 1], [0, 1, 1]]


def test_recorded_tracks_and_their_overlaps() -> None:
    x = np.array([[[0.0, 0], [4, 0]], [[4, 0], [0, 0]]])
    animation = kc.CrowdAnimation(
        kc.Crowd(None, None, 0.5, motion=kc.RecordedTracks([0, 1], x)), 1.0, rate=10
    )
    assert animation.events.kind.tolist() == ["begin", "end"]
    found = payload_of(animation)
    assert (found["dimensions"], found["box"]) == (2, None)
    assert found["sentence"] == "2 discs, 1 s: 1 overlap."
    nobody = payload_of(kc.CrowdAnimation(kc.Crowd(np.zeros((0, 2)), None, 1.0), 1.0, rate=2))
    assert nobody["sentence"] == "0 discs, 1 s: 0 contacts possible."


def test_large_crowds_have_fewer_frames() -> None:
    assert usual_rate(1000, 3, 15.0, None) == (30.0, True)
    rate, bounds = usual_rate(10_000, 3, 15.0, None)
    assert bounds
    assert rate == pytest.approx(MOST_NUMBERS / (7 * 150_000))
    rate, bounds = usual_rate(100_000, 3, 15.0, None)
    assert not bounds
    assert 3.0 < rate < 4.0
    assert usual_rate(0, 2, 0.0, None) == (30.0, True)


def test_too_many_frames_are_thinned(monkeypatch: pytest.MonkeyPatch) -> None:
    animation = kc.CrowdAnimation(two(), 5.0, rate=20)
    monkeypatch.setattr("keepclear.report.pages.crowd_page.MOST_NUMBERS", 6 * 40)
    found = payload_of(animation)
    assert len(found["times"]) <= 40
    assert (found["times"][0], found["times"][-1]) == (0.0, 5.0)
    monkeypatch.setattr("keepclear.report.pages.crowd_page.MOST_EVENTS", 0)
    found = payload_of(animation)
    assert (found["events"]["all"], len(found["events"]["time"])) == (1, 0)


def test_names_stay_texts(tmp_path: Path) -> None:
    animation = kc.CrowdAnimation(two(), 1.0, rate=2)
    text = animation.to_html(tmp_path / "a.html", title=NASTY, facts={NASTY: NASTY}, names=[NASTY, "b"])
    assert (tmp_path / "a.html").read_text(encoding="utf-8") == text
    plain = animation.to_html(title="plain", facts={"a": "b"})
    count = lambda page: len(re.findall(r"<(?=[a-z/!])", page))  # noqa: E731
    assert count(text) == count(plain)
    (payload,) = re.findall(r'id="keepclear-report">(.*?)</script>', text)
    assert json.loads(payload)["title"] == NASTY
    assert not set(payload) & set("<>&")
    assert "caf?" in animation.to_html(title="caf\udce9")


def test_what_is_no_crowd_or_rate_is_refused() -> None:
    with pytest.raises(kc.ArgumentError, match=r"CrowdAnimation takes a kc\.Crowd, but this is a list"):
        kc.CrowdAnimation([])  # type: ignore[arg-type]
    for rate in (0.0, -1.0, np.nan, "fast"):
        with pytest.raises(kc.ArgumentError, match="rate must be a finite number"):
            kc.CrowdAnimation(two(), rate=rate)  # type: ignore[arg-type]
    with pytest.raises(kc.ReportError, match="cannot be written"):
        kc.CrowdAnimation(two(), 1.0, rate=1).to_html("no/such/folder/a.html")
