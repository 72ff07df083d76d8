"""What a page shows of a world: instants, few enough for many bodies, and bodies where they are."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.world.worlds import at, timeline, way

import keepclear as kc
from keepclear.report.parts import Contact, PairReport
from keepclear.scene import display as module
from keepclear.scene.display import FRAMES, make_scene


def pair(k: int, t: float, *, hit: bool) -> PairReport:
    contacts = (Contact(time=t, t_lo=t, t_hi=t),) if hit else ()
    verdict = kc.Verdict.COLLIDING if hit else kc.Verdict.CLEAR
    return PairReport(
        a="a", b=f"b{k}", verdict=verdict, time=t if hit else None, t_lo=t, t_hi=t, contacts=contacts,
        clearance_upper=0.01, clearance_time=t,
    )  # fmt: skip


def world() -> kc.World:
    made = kc.World(threads=1)
    made.add("a", kc.Sphere(0.1), way([0, 2], (0, 0, 0), (2, 0, 0)))
    made.add("b", kc.Sphere(0.1), at(1, 0.5))
    return made


def test_moments_of_pairs_are_among_the_instants() -> None:
    pairs = [pair(0, 0.123456, hit=True), pair(1, 1.7654321, hit=False)]
    scene = make_scene(timeline(world()), 0.0, 2.0, pairs)
    assert {0.0, 0.123456, 1.7654321, 2.0} <= set(scene.times.tolist())
    assert len(scene.times) == FRAMES + 3
    assert [len(body.X_W) for body in scene.bodies] == [len(scene.times), 1]


def test_many_moments_of_many_bodies_are_thinned_and_contacts_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_POSES", 200)
    times = np.linspace(0.01, 1.99, 500)
    pairs = [pair(0, 1.2345, hit=True), *(pair(k, float(t), hit=False) for k, t in enumerate(times))]
    scene = make_scene(timeline(world()), 0.0, 2.0, pairs)
    assert len(scene.times) <= 210
    assert {0.0, 1.2345, 2.0} <= set(scene.times.tolist())
    assert (np.diff(scene.times) > 0.0).all()


def test_one_instant_is_one_frame() -> None:
    scene = make_scene(timeline(world()), 1.0, 1.0, [])
    assert scene.times.tolist() == [1.0]
