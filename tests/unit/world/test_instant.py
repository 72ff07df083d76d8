"""A world at one instant: pairs in contact, distances, and which pairs are looked at."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.world.worlds import at, drive, number, slider, timeline, way

import keepclear as kc
from keepclear.scene.frames import Frames
from keepclear.world.instant import judged_pairs


def passing() -> kc.World:
    world = kc.World()
    world.add("a", kc.Sphere(0.1), way([0, 1], (0, 0, 0), (1, 0, 0)))
    world.add("b", kc.Sphere(0.1), at(0.5, 0.15))
    world.add("c", kc.Sphere(0.1), at(0.5, 0.3))
    return world


def test_pairs_in_contact() -> None:
    world = passing()
    assert world.collisions(0.0) == (("b", "c"),)
    assert world.collisions(0.5) == (("a", "b"), ("b", "c"))
    assert world.collisions(0.5, at_rest=False) == (("a", "b"),)


def test_margins_count() -> None:
    world = passing()
    world.set_margin("a", "c", 0.11)
    assert ("a", "c") in world.collisions(0.5)
    world.set_margin("a", "c", 0.09)
    assert ("a", "c") not in world.collisions(0.5)


def test_windows_count_with_their_ends() -> None:
    world = passing()
    world.allow("a", "b", t_from=0.45, t_to=0.55)
    assert ("a", "b") in world.collisions(0.44)
    for t in (0.45, 0.5, 0.55):
        assert ("a", "b") not in world.collisions(t)
    assert ("a", "b") in world.collisions(0.56)


def test_distances_closest_first() -> None:
    found = passing().distances(0.5)
    assert [(d.a, d.b) for d in found] == [("a", "b"), ("b", "c"), ("a", "c")]
    apart = found[2]
    assert apart.distance == pytest.approx(0.1)
    assert apart.lower <= 0.1 + 1e-12
    assert apart.p_WA == pytest.approx([0.5, 0.1, 0])
    assert apart.p_WB == pytest.approx([0.5, 0.2, 0])
    assert apart.normal_W == pytest.approx([0, 1, 0])
    assert [(d.a, d.b) for d in passing().distances(0.5, far=0.09)] == [("a", "b"), ("b", "c")]
    assert [(d.a, d.b) for d in passing().distances(0.5, at_rest=False)] == [("a", "b"), ("a", "c")]


def test_the_closest_of_several_parts() -> None:
    world = kc.World()
    world.add(
        "a", [(kc.Sphere(0.1), at(0, 0)), (kc.Sphere(0.1), at(1, 0)), (kc.Sphere(0.1), at(9, 0))], np.eye(4)
    )
    world.add("b", kc.Sphere(0.1), at(1.5, 0))
    (found,) = world.distances()
    assert found.distance == pytest.approx(0.3)
    assert found.p_WA == pytest.approx([1.1, 0, 0])


def test_links_and_what_they_carry() -> None:
    world = kc.World()
    world.add_robot("bot", slider(), drive([0, 2], [0, 2]))
    world.add("part", kc.Sphere(0.05), at(0.5, 0, -0.12))
    world.attach("part", "bot/head", 0.5, 1.5)
    assert world.collisions(0.2) == ()
    for t in (0.5, 1.0, 1.5):
        assert world.collisions(t) == (("bot/head", "part"),)
    assert world.collisions(1.8) == ()
    (near,) = [d for d in world.distances(1.8) if (d.a, d.b) == ("bot/head", "part")]
    assert near.distance == pytest.approx(np.hypot(0.3, 0.12) - 0.15)


def test_pairs_that_are_looked_at() -> None:
    world = kc.World()
    world.add_robot("bot", slider(), drive([0, 1], [0, 1]))
    world.add("x", kc.Sphere(0.1), at(5, 5))
    line = timeline(world)

    def pairs(frames: Frames | None) -> set[frozenset[int]]:
        return {frozenset(pair) for pair in judged_pairs(line, world._rules, 0.5, frames)}

    x, finger, lamp, head = (number(line, name) for name in ("x", "bot/finger", "bot/lamp", "bot/head"))
    assert pairs(None) == {frozenset(p) for p in ((x, finger), (x, lamp), (x, head), (finger, lamp))}
    assert pairs(Frames(line, world._rules)) == {frozenset(p) for p in ((x, finger), (x, lamp), (x, head))}
    world.only([("bot/finger", "x")])
    assert pairs(None) == {frozenset((x, finger))}
