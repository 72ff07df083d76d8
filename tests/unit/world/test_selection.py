"""`world.only`: what is left of a selection when its objects are removed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from tests.unit.world.worlds import at, slider, way

import keepclear as kc


def test_queries_raise_once_everything_that_only_selected_is_removed() -> None:
    """An empty selection checks nothing: `verify` said CLEAR with a warning, although the part moves into the wall."""
    world = kc.World()
    world.add_robot("arm", slider())
    world.add("wall", kc.Box([1, 1, 1]), at(3, 0))
    world.add("part", kc.Box([1, 1, 1]), way([0, 1], (9, 0, 0), (3, 0, 0)))
    world.only(["part"])
    assert world.verify().verdict is kc.Verdict.COLLIDING
    world.remove("part")
    world.add("part", kc.Box([1, 1, 1]), way([0, 1], (9, 0, 0), (3, 0, 0)))
    queries: list[Callable[[], object]] = [
        world.verify,
        lambda: world.collisions(0.0),
        lambda: world.distances(0.0),
        world.contacts,
        lambda: world.simulate(dt=0.5),
        lambda: world.check_configurations("arm", np.zeros((1, 2))),
        lambda: world.check_edges("arm", np.zeros((1, 2)), np.ones((1, 2))),
        lambda: world.proved_free("arm", np.zeros((1, 2))),
        world.copy().verify,
    ]
    for query in queries:
        with pytest.raises(
            kc.ArgumentError, match=r"`only` selected were removed, so that nothing would be checked"
        ):
            query()
    world.only(["part"])
    assert world.verify().verdict is kc.Verdict.COLLIDING


def test_removing_one_of_two_selected_objects_leaves_the_other() -> None:
    world = kc.World()
    world.add("wall", kc.Box([1, 1, 1]), at(3, 0))
    world.add("part", kc.Box([1, 1, 1]), way([0, 1], (9, 0, 0), (3, 0, 0)))
    world.add("ball", kc.Sphere(0.1), at(50, 0))
    world.only(["part", "ball"])
    world.remove("ball")
    assert world.verify().verdict is kc.Verdict.COLLIDING
