"""The first contact of two objects or links that are named: at all times, whatever is allowed."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.unit.world.worlds import at, drive, slider, way

import keepclear as kc
from keepclear.results import Verdict


def passing(y: float) -> kc.World:
    world = kc.World()
    world.add("a", kc.Sphere(0.1), way([0, 1], (0, 0, 0), (1, 0, 0)))
    world.add("b", kc.Sphere(0.1), at(0.5, y))
    return world


def test_a_contact_with_its_poses() -> None:
    world = passing(0.0)
    world.allow("a", "b")
    found = world.first_contact("b", "a", tolerance=1e-6)
    assert found.verdict is Verdict.COLLIDING
    assert found.time == pytest.approx(0.3, abs=2e-6)
    assert found.t_lo <= 0.3
    assert found.names == ("b", "a")
    assert found.X_WA[0, 3] == 0.5
    assert found.X_WB[0, 3] == pytest.approx(found.time)
    assert found.p_W == pytest.approx([0.4, 0, 0], abs=1e-5)
    assert found.normal_W == pytest.approx([-1, 0, 0], abs=1e-6)


def test_margins_are_those_of_the_pair_or_as_asked_for() -> None:
    world = passing(0.25)
    assert world.first_contact("a", "b").verdict is Verdict.CLEAR
    assert world.first_contact("a", "b", margin=0.06).verdict is Verdict.COLLIDING
    world.set_margin("a", "b", 0.06)
    assert world.first_contact("a", "b").verdict is Verdict.COLLIDING
    assert world.first_contact("a", "b").margin == 0.06
    assert world.first_contact("a", "b", margin=0.0).verdict is Verdict.CLEAR


def test_intervals() -> None:
    world = passing(0.0)
    clear = world.first_contact("a", "b", t1=0.25)
    assert clear.verdict is Verdict.CLEAR
    assert (clear.t_lo, clear.t_hi) == (0.25, 0.25)
    assert math.isnan(clear.time)
    assert world.first_contact("a", "b", t0=0.4, t1=0.4).time == 0.4
    assert world.first_contact("a", "b", t0=0.8).verdict is Verdict.CLEAR


def test_what_the_budget_leaves_open() -> None:
    found = passing(0.20001).first_contact("a", "b", tolerance=1e-7, budget=2)
    assert found.verdict is Verdict.UNDECIDED
    assert 0.0 <= found.t_lo < found.t_hi <= 1.0


def test_a_part_before_while_and_after_it_rides() -> None:
    """The part is taken at 0.5 s and let go at 1.5 s; a post stands in its way, a bird comes to where it rests."""
    world = kc.World()
    world.add_robot("bot", slider(), drive([0, 2], [0, 2]))
    world.add("part", kc.Sphere(0.05), at(0.5, 0, -0.3))
    world.add("post", kc.Sphere(0.05), at(1.2, 0, -0.3))
    world.add("bird", kc.Sphere(0.05), way([0, 3], (1.5, 3, -0.3), (1.5, 0, -0.3)))
    assert world.first_contact("part", "post").verdict is Verdict.CLEAR
    assert world.first_contact("part", "bird").verdict is Verdict.CLEAR
    world.attach("part", "bot/head", 0.5, 1.5)
    assert world.first_contact("part", "post").time == pytest.approx(1.1, abs=1e-3)
    late = world.first_contact("bird", "part")
    assert late.time == pytest.approx(2.9, abs=1e-3)
    assert late.X_WB[:3, 3] == pytest.approx([1.5, 0, -0.3])
    linked = world.first_contact("bot/head", "part", margin=0.16, tolerance=1e-5)
    assert linked.time == pytest.approx(0.5 - math.sqrt(0.31**2 - 0.3**2), abs=1e-3)


def test_objects_of_several_parts() -> None:
    world = kc.World()
    world.add("a", kc.Sphere(0.1), way([0, 1], (0, 0, 0), (1, 0, 0)))
    world.add("b", [(kc.Sphere(0.1), at(0.9, 0)), (kc.Sphere(0.1), at(0.6, 0))], np.eye(4))
    found = world.first_contact("a", "b")
    assert found.time == pytest.approx(0.4, abs=1e-3)
    assert found.X_WB[0, 3] == 0.6
