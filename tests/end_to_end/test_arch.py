"""The arch: merged, released level by level, grasped, left, recovered and merged again, exact in every frame."""

from __future__ import annotations

import itertools
import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import keepclear as kc

EXAMPLE = Path(__file__).parents[2] / "examples" / "16_arch.py"


def bodies_of(group: kc.Group, poses: dict[str, np.ndarray]) -> list[tuple[Any, np.ndarray]]:
    """Return all bodies of a group with their poses."""
    found: list[tuple[Any, np.ndarray]] = []
    for name in group:
        member = group[name]
        if isinstance(member, kc.Group):
            found += bodies_of(member, poses)
        else:
            found.append(
                (member, group._content.fixed[name] if name in group._content.fixed else poses[name])
            )
    return found


def test_the_arm_reaches_through_the_arch() -> None:
    story = runpy.run_path(str(EXAMPLE), run_name="arch")["Story"]()
    tracker, computed, combinations = story.tracker, [], 0
    for t, X in story.frames():
        before = tracker.statistics.pairs
        found = tracker.distance(None, X, t)
        computed.append(tracker.statistics.pairs - before)
        pairs = list(itertools.product(bodies_of(story.scene, {}), bodies_of(story.arm, X)))
        combinations = max(combinations, len(pairs))
        cold = [kc.distance(a, X_WA, b, X_WB) for (a, X_WA), (b, X_WB) in pairs]
        assert found.distance == pytest.approx(min(r.distance for r in cold), abs=1e-9)
        assert found.colliding == any(r.colliding for r in cold)
    assert [(event.node, event.kind) for event in tracker.events] == [
        ("A/arch", "merged"),
        ("A", "merged"),
        ("B/hand", "merged"),
        ("B", "merged"),
        ("B", "void"),  # the arm starts to move
        ("A", "released"),  # the hand enters the hull of arch and part,
        ("A/arch", "released"),  # then that of the arch
        ("B/hand", "released"),  # the part enters between the fingers
        ("B/hand", "void"),  # the fingers close
        ("A-B", "contact"),
        ("A/part", "detached"),
        ("B/hand/part", "attached"),
        ("A", "void"),
        ("A-B", "apart"),
        ("B/hand", "merged"),  # with the part
        ("A/arch", "recovered"),
        ("A", "merged"),
        ("B/hand", "void"),  # the fingers open
        ("A/part", "attached"),
        ("B/hand/part", "detached"),
        ("A", "void"),
        ("A", "merged"),  # with the part set down
        ("B/hand", "merged"),
        ("B", "merged"),  # the arm rests
    ]
    events = {(event.node, event.kind): event.t for event in tracker.events}
    assert events["A/arch", "released"] > events["A", "released"], "one level at a time"
    assert max(computed) <= combinations - 4
    assert max(computed[22:96]) <= 8, "flat while hulls are intact"


def test_bounds_of_hulls_are_enough_outside_of_the_arch() -> None:
    story = runpy.run_path(str(EXAMPLE), run_name="arch")["Story"]()
    computed = []
    for t, X in story.frames():
        before = story.tracker.statistics.pairs
        story.tracker.distance(None, X, t, enough=0.1)
        computed.append(story.tracker.statistics.pairs - before)
    assert max(computed[22:96]) <= 2
