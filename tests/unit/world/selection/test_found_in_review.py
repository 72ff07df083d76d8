"""What a last reading of the world found: each of these once said more than was proved, or less than was asked."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.world.worlds import at, drive, number, scene, slider, way

import keepclear as kc
from keepclear.world.selection.plan import plan_pairs


def two_meetings() -> kc.World:
    """A ball that meets one post at about 0.3 s and another at about 0.8 s."""
    world = kc.World(threads=1)
    world.add("ball", kc.Sphere(0.1), way([0, 1], (0, 0, 0), (2, 0, 0)))
    world.add("near", kc.Sphere(0.1), at(0.8, 0))
    world.add("remote", kc.Sphere(0.1), at(1.8, 0))
    return world


def test_a_pair_that_was_judged_until_the_earliest_contact_is_not_clear_when_the_user_stops_there() -> None:
    def stop(done: int, _: int, text: str) -> None:
        if text == "checking pairs" and done == 1:
            raise KeyboardInterrupt

    report = two_meetings().verify(contacts="earliest", clearances=False, progress=stop)
    assert report.interrupted
    by_name = {(pair.a, pair.b): pair for pair in report.pairs}
    assert by_name["ball", "near"].verdict is kc.Verdict.COLLIDING
    assert by_name["ball", "remote"].verdict is kc.Verdict.UNDECIDED
    assert by_name["ball", "remote"].t_lo <= 0.31


def test_a_place_that_nobody_knows_is_refused_at_an_instant_too() -> None:
    world = kc.World()
    X_W = np.array([at(0, 0), at(1, 0)])
    world.add("a", kc.Sphere(0.1), kc.PoseTrajectory([0, 1], X_W, "linear", hold="none"))
    world.add("b", kc.Sphere(0.1), at(0, 9))
    assert world.collisions(0.5) == ()
    for ask in (world.collisions, world.distances):
        with pytest.raises(kc.TrajectoryError, match=r"^a: .*no pose at 2 s"):
            ask(2.0)


def test_a_check_of_nothing_says_so() -> None:
    world = kc.World()
    world.add("a", kc.Sphere(0.1), at(0, 0))
    assert any("no pair was checked" in text for text in world.verify().warnings)
    with pytest.raises(kc.ArgumentError, match=r"^only: no pair is selected"):
        world.only([])
    world.add("b", kc.Sphere(0.1), at(1, 0))
    assert not any("no pair was checked" in text for text in world.verify().warnings)


def test_a_part_is_late_only_while_something_carries_it() -> None:
    world = kc.World()
    world.add_robot("bot", slider(), drive([0, 2], [0, 2]))
    world.add("part", kc.Sphere(0.05), at(0.5, 0, 1))
    world.add("wall", kc.Sphere(0.1), at(5, 0, 0))
    world.attach("part", "bot/head", 0.5, 1.5)
    world.set_path_tolerance("bot", time=0.05)
    tables = scene(world)
    pair = np.array([[number(tables, "part"), number(tables, "wall")]])
    plan = plan_pairs(tables, pair, 0.0, 2.0).plan(0)
    assert [rest[:3] for rest in plan.at_rest] == [(0.0, 0.45, 0.0)]
    during = [window.margin for window in plan.checked if 0.5 <= window.t0 < 1.5]
    assert min(during) >= 0.05


def test_a_world_can_be_shown_without_being_judged() -> None:
    world = two_meetings()
    world.only([("ball", "near")])
    shown = world.unverified(title="as it is")
    assert (shown.verdict, shown.pairs, shown.title) == (kc.Verdict.UNDECIDED, (), "as it is")
    assert (shown.t0, shown.t1) == (0.0, 1.0)
    assert shown.scene is not None
    assert [body.name for body in shown.scene.bodies] == ["ball", "near", "remote"]
    with pytest.raises(kc.ArgumentError, match="t0"):
        world.unverified(2.0, 1.0)
