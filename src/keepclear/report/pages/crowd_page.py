"""The page of a crowd: its recording as packed numbers, and the viewer, in a single file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.crowd.crowd import Crowd
from keepclear.report.pages.animation import MOST_NUMBERS, CrowdAnimation, Frame
from keepclear.report.pages.page import built_page, counted
from keepclear.report.pages.payload import Packer

MOST_EVENTS = 200_000
"""A page lists this many events, the first ones; the plot contains all of them."""

BINS, MANY = 180, 1000  # bins of the plot of events; number of events from which it shows rates per second
_KINDS = ("contact", "begin", "end", "wall", "possible")
_PER_SECOND = ("cells entered", "cells left", "bounds updated", "bounds touched", "walls touched")


def crowd_page_text(
    animation: CrowdAnimation,
    title: str,
    bounds: bool,
    facts: Mapping[str, str],
    names: Sequence[object] | None = None,
) -> str:
    """Return the page of a recorded crowd; texts in it are escaped and cannot become a script or a request."""
    payload, data = build_crowd_payload(animation, title, bounds, facts, names)
    words = [f"{name}: {value}" for name, value in payload["facts"]]
    title = payload["title"]
    return built_page(
        "crowd",
        title=title,
        heading=title,
        sentence=payload["sentence"],
        words="\n".join(words),
        payload=payload,
        data=data,
    )


def build_crowd_payload(
    animation: CrowdAnimation,
    title: str,
    bounds: bool,
    facts: Mapping[str, str],
    names: Sequence[object] | None = None,
) -> tuple[dict[str, Any], str]:
    """Return the JSON of the page, and the arrays that it refers to, encoded in base 64."""
    crowd, packer = animation.crowd, Packer()
    frames = _thinned(animation)
    duration = frames[-1].time - frames[0].time
    radii = animation.radii
    ids = np.array(sorted(radii), dtype=np.int64)
    events = animation.events
    payload: dict[str, Any] = {
        "title": title or f"{counted(len(ids), _noun(crowd.dimensions))} for {_seconds(frames)}",
        "sentence": _sentence(animation, len(ids), frames),
        "dimensions": crowd.dimensions,
        "mode": _mode(crowd),
        "box": None if crowd.bounds is None else [corner.tolist() for corner in crowd.bounds],
        "shapes": len(crowd.attached),
        "rate": (len(frames) - 1) / max(duration, 1e-9),
        "ids": packer.add(ids, "u4"),
        "radii": packer.add(np.array([radii[i] for i in ids.tolist()]), "f4"),
        "times": packer.add(np.array([frame.time for frame in frames]), "f8"),
        "names": None if names is None else [str(names[i]) for i in ids],
        "show_bounds": bool(bounds and animation.has_bounds),
        "events": _events(events, packer),
        "curve": _curve(events, frames, packer),
        "facts": [[str(name), str(value)] for name, value in facts.items()],
        "statistics": [  # the name of a count, the count, and its rate per second
            [name, count, count / duration if duration > 0.0 and name in _PER_SECOND else None]
            for name, count in crowd.statistics.items()
        ],
    }
    payload |= _motion(frames, ids, packer)
    payload["packing"], data = packer.text()
    return payload, data


def _noun(dimensions: int) -> str:
    return "disc" if dimensions == 2 else "sphere"


def _seconds(frames: list[Frame]) -> str:
    return f"{frames[-1].time - frames[0].time:.4g} s"


def _sentence(animation: CrowdAnimation, n: int, frames: list[Frame]) -> str:
    kinds, with_walls = animation.events["kind"], animation.events["j"] < 0

    def number(kind: str, walls: bool) -> int:
        return int(((kinds == kind) & (with_walls == walls)).sum())

    mode = _mode(animation.crowd)
    if mode == "observed":
        said = [f"{counted(number('possible', False), 'contact')} possible"]
    elif mode == "passing":
        said = [counted(number("begin", False), "overlap")]
    else:
        said = [counted(number("contact", False), "contact")]
    walls = number("wall", True) + number("begin", True)
    said += [f"{walls:,} with walls"] if walls else []
    return f"{counted(n, _noun(animation.crowd.dimensions))}, {_seconds(frames)}: {', '.join(said)}."


def _mode(crowd: Crowd) -> str:
    """Return the meaning of events: possible contacts, overlaps, or impacts."""
    if crowd.motion is None:
        return "observed"
    return "passing" if crowd.response == "report" else "impacts"


def _thinned(animation: CrowdAnimation) -> list[Frame]:
    """Return as many frames as a page can hold, equally spaced, including the last one."""
    frames, d = animation.frames, animation.crowd.dimensions
    per_frame = max(len(animation.radii), 1) * ((2 * d + 1) if animation.has_bounds else d)
    step = -(-len(frames) * per_frame // MOST_NUMBERS)
    if step <= 1:
        return frames
    return [*frames[:-1:step], frames[-1]]


def _motion(frames: list[Frame], ids: npt.NDArray[np.int64], packer: Packer) -> dict[str, Any]:
    """Return positions and bounds of all members in all frames, as integer multiples of a small length.

    An absent member has its last known position, or else its first one, and is marked as absent.
    """
    n, m, d = len(ids), len(frames), frames[0].x.shape[1]
    x = np.full((m, n, d), np.nan, np.float32)
    rows = [np.searchsorted(ids, frame.ids) for frame in frames]
    for k, (frame, row) in enumerate(zip(frames, rows, strict=True)):
        x[k, row] = frame.x
    there = ~np.isnan(x[:, :, 0])
    _fill(x, there)
    lower = x.min(axis=(0, 1)) if n else np.zeros(d)
    upper = x.max(axis=(0, 1)) if n else np.zeros(d)
    quantum = max(float((upper - lower).max()) / 65_535.0, 1e-9)
    whole = np.rint((x - lower) / quantum).astype(np.uint16)
    motion: dict[str, Any] = {
        "origin": lower.astype(np.float64).tolist(),
        "quantum": quantum,
        "positions": rough_differences(whole, packer),
        "present": None if there.all() else packer.add(there.astype(np.uint8), "u1"),
        "bounds": None,
    }
    if n and all(frame.bound_x is not None for frame in frames):
        motion["bounds"] = _bounds(frames, rows, x, packer)
    return motion


def _fill(x: npt.NDArray[np.float32], there: npt.NDArray[np.bool_]) -> None:
    """Replace NaN by the last value before it, or else by the first value after it."""
    for k in range(1, len(x)):
        gone = ~there[k]
        x[k, gone] = x[k - 1, gone]
    for k in range(len(x) - 2, -1, -1):
        gone = np.isnan(x[k, :, 0])
        x[k, gone] = x[k + 1, gone]


def _bounds(
    frames: list[Frame],
    rows: list[npt.NDArray[np.int64]],
    x: npt.NDArray[np.float32],
    packer: Packer,
) -> dict[str, Any]:
    """Return the offsets of the centres of bounds from those of members, and the radii of bounds."""
    m, n, d = x.shape
    numbers = np.zeros((m, n, d + 1), np.float32)
    for k, (frame, row) in enumerate(zip(frames, rows, strict=True)):
        assert frame.bound_x is not None
        numbers[k, row, :d] = frame.bound_x - frame.x
        numbers[k, row, d] = frame.bound_radii
    quantum = max(float(np.abs(numbers).max()) / 32_767.0, 1e-9)
    whole = np.rint(numbers / quantum).astype(np.int16).view(np.uint16)
    return {"quantum": quantum, "numbers": rough_differences(whole, packer)}


def rough_differences(whole: npt.NDArray[np.uint16], packer: Packer) -> list[dict[str, Any]]:
    """Append numbers (m, n, k) over m instants in a form that compresses well, and return the range of their bytes.

    A body that moves at almost constant speed has small second differences. They are taken modulo 2^16, folded so that
    small ones of either sign have no high byte, and written as all low bytes and all high bytes, member by member.
    """
    series = np.moveaxis(whole, 0, -1).reshape(-1, len(whole))
    steps = series.copy()
    steps[:, 1:] -= series[:, :-1]
    second = steps.copy()
    second[:, 2:] -= steps[:, 1:-1]
    signed = second.view(np.int16)
    folded = ((signed << 1) ^ (signed >> 15)).view(np.uint16)
    return [
        packer.add((folded & 0xFF).astype(np.uint8), "u1"),
        packer.add((folded >> 8).astype(np.uint8), "u1"),
    ]


def _events(events: Any, packer: Packer) -> dict[str, Any]:
    shown = events[:MOST_EVENTS]
    number = {kind: k for k, kind in enumerate(_KINDS)}
    codes, inverse = np.unique(shown["kind"], return_inverse=True)
    kinds = np.array([number[str(kind)] for kind in codes], dtype=np.uint8)[inverse]
    return {
        "kinds": list(_KINDS),
        "all": len(events),
        "time": packer.add(shown["time"], "f8"),
        "i": packer.add(shown["i"], "u4"),
        "j": packer.add(shown["j"], "i4"),
        "kind": packer.add(kinds, "u1"),
        "position": packer.add(shown["position"], "f4"),
    }


def _curve(events: Any, frames: list[Frame], packer: Packer) -> dict[str, Any]:
    """Return contacts between members and with walls over time: per second, or per bin if they are few."""
    t0, t1 = frames[0].time, max(frames[-1].time, frames[0].time + 1e-9)
    chosen = np.isin(events["kind"], ("contact", "begin", "possible", "wall"))
    is_many = int(chosen.sum()) > MANY
    edges: FloatArray = np.linspace(t0, t1, (BINS if is_many else BINS // 2) + 1)
    scale = 1.0 / (edges[1] - edges[0]) if is_many else 1.0
    with_walls = events["j"] < 0

    def numbers(wanted: Any) -> dict[str, Any]:
        return packer.add(np.histogram(events["time"][wanted], edges)[0] * scale, "f4")

    return {
        "t0": t0,
        "t1": t1,
        "per_second": is_many,
        "contacts": numbers(chosen & ~with_walls),
        "walls": numbers(chosen & with_walls),
    }
