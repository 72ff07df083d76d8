"""A world at one instant: pairs in contact, distances, and which pairs are looked at."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from tests.unit.world.worlds import at, drive, scene, slider, way

import keepclear as kc
from keepclear.world.selection.instant import _near_bodies


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


def test_pairs_that_are_checked() -> None:
    world = kc.World()
    world.add_robot("bot", slider(), drive([0, 1], [0, 1]))
    world.add("x", kc.Sphere(0.1), at(5, 5))

    def pairs(*, at_rest: bool, within: float = 1e3) -> set[frozenset[str]]:
        tables = scene(world)
        found = _near_bodies(tables, 0.5, within, at_rest=at_rest)
        return {frozenset(tables.items[tables.item[g]].name for g in (a, b)) for a, b, _ in found}

    moving = {frozenset(("x", f"bot/{link}")) for link in ("finger", "lamp", "head")}
    assert pairs(at_rest=True) == moving | {frozenset(("bot/finger", "bot/lamp"))}
    assert pairs(at_rest=False) == moving
    assert pairs(at_rest=True, within=0.2) == {frozenset(("bot/finger", "bot/lamp"))}
    world.only([("bot/finger", "x")])
    assert pairs(at_rest=True) == {frozenset(("x", "bot/finger"))}


def crowd(seed: int) -> kc.World:
    rng = np.random.default_rng(seed)
    world = kc.World()
    for k in range(20):
        start, end = rng.uniform(-0.6, 0.6, (2, 3))
        shape = kc.Sphere(0.1) if k % 2 else kc.Box([0.3, 0.1, 0.1])
        world.add(f"x{k:02}", shape, at(*start) if k % 3 == 0 else way([0, 1], start, end))
    for i, j in rng.integers(0, 20, (8, 2)).tolist():
        if i != j:
            world.set_margin(f"x{i:02}", f"x{j:02}", float(rng.choice([0.0, 0.3])))
    world.set_margin("x04", None, 0.1)
    world.allow("x05", "x06")
    world.allow("x07", "x08", t_from=0.4, t_to=0.6)
    return world


@pytest.mark.parametrize("seed", range(4))
def test_boxes_lose_no_pair(seed: int) -> None:
    """All pairs one by one, with distances of the shapes themselves."""
    world, allowed = crowd(seed), {("x05", "x06"), ("x07", "x08")}
    tables = scene(world)
    every, touching = {}, set()
    for i, j in itertools.combinations(range(20), 2):
        names = tables.items[i].name, tables.items[j].name
        if names in allowed:
            continue
        bodies = [(tables.items[k].parts[0].body, tables.timeline.motion(k, 0, 0).pose(0.5)) for k in (i, j)]
        every[names] = kc.distance(*bodies[0], *bodies[1]).distance
        if every[names] <= tables.rules.margin(*names):
            touching.add(names)
    assert set(world.collisions(0.5)) == touching
    assert {(d.a, d.b): pytest.approx(d.distance) for d in world.distances(0.5)} == every
    for far in (0.0, 0.05, 0.4):
        found = [(d.a, d.b) for d in world.distances(0.5, far=far)]
        assert set(found) == {names for names, distance in every.items() if distance <= far}
        assert len(found) == len(set(found))


def test_the_parts_that_overlap_deepest_count() -> None:
    world = kc.World()
    world.add("ball", kc.Sphere(0.2), np.eye(4))
    world.add("pair", [(kc.Sphere(0.1), at(0.29, 0)), (kc.Sphere(0.1), at(0, 0.2))], np.eye(4))
    (found,) = world.distances()
    assert found.distance == pytest.approx(-0.1)
    assert found.lower <= -0.1
