"""Bodies that come within a margin but do not touch: every query of a world reports them, whoever has the margin."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.oracles.floor import grid_mesh
from tests.oracles.poses import pose, rotation_of_quaternion

import keepclear as kc

MARGIN, GAP = 0.1, 0.06
TURN = rotation_of_quaternion(np.array([np.cos(0.2), 0.0, 0.0, np.sin(0.2)]))
SHAPES: dict[str, Any] = {
    "box": kc.Box([8.0, 6.0, 1.0]),
    "mesh": kc.Mesh(*grid_mesh(2)),
    "parts": [
        (kc.Box([1.0, 1.0, 1.0]), pose(np.eye(3), [9.0, 0.0, 0.0])),
        (kc.Box([8.0, 6.0, 1.0]), np.eye(4)),
    ],
}
PAIRS = [(b, a) for b in SHAPES for a in ("floor", "ball", "pair")]


def above(gap: float, turned: bool = False) -> np.ndarray:
    """A pose of a ball of 0.25 m above the floor."""
    return pose(TURN if turned else np.eye(3), [0.3, 0.2, 0.5 + 0.25 + gap])


def world_of(floor: str, whose: str, ball: Any) -> kc.World:
    """A world in which the margin belongs to the floor, to the ball, or to the pair."""
    world = kc.World(threads=1)
    world.add("floor", SHAPES[floor], np.eye(4))
    world.add("ball", kc.Sphere(0.25), ball)
    world.add("aside", kc.Sphere(0.25), pose(np.eye(3), [0.0, 0.0, 30.0]))
    if whose == "pair":
        world.set_margin("floor", "ball", MARGIN)
    else:
        world.set_margin(whose, None, MARGIN)
    return world


def is_named(pairs: Any) -> bool:
    return any({"floor", "ball"} == set(pair) for pair in pairs)


@pytest.mark.parametrize(("floor", "whose"), PAIRS)
def test_instants(floor: str, whose: str) -> None:
    for gap, expected in ((GAP, True), (MARGIN + 0.01, False)):
        world = world_of(floor, whose, above(gap))
        assert is_named(world.collisions(0.0)) == expected
        found = world.contacts(far=0.0)
        assert is_named(zip(found.a, found.b, strict=True)) == expected
        (row,) = [p for p in world.distances(0.0) if {p.a, p.b} == {"floor", "ball"}]
        assert gap - 1e-9 < row.lower <= gap


@pytest.mark.parametrize(("floor", "whose"), PAIRS)
def test_frames(floor: str, whose: str) -> None:
    side = np.array([6.0, 0.0, 0.0])
    for gap, expected in ((GAP, True), (MARGIN + 0.05, False)):
        world = world_of(floor, whose, above(gap + 3.0))
        world.contacts(far=0.0)
        world.update(["ball"], above(gap)[None])
        found = world.contacts(far=0.0)
        assert is_named(zip(found.a, found.b, strict=True)) == expected
        # From one side to the other, turning: nearest in between.
        start, end = above(gap + 1.0), above(gap + 1.0, turned=True)
        start[:3, 3] -= side
        end[:3, 3] += side
        start[2, 3], end[2, 3] = above(gap)[2, 3], above(gap)[2, 3]
        world.update(["ball"], start[None])
        world.contacts(far=0.0)
        world.update(["ball"], end[None])
        found = world.contacts(far=0.0, between=True, tolerance=1e-3)
        clear = [
            found.verdict[k] is kc.Verdict.CLEAR
            for k in range(len(found.a))
            if {found.a[k], found.b[k]} == {"floor", "ball"}
        ]
        assert (all(clear) if clear else True) != expected


@pytest.mark.parametrize(("floor", "whose"), PAIRS)
def test_intervals(floor: str, whose: str) -> None:
    for gap, expected in ((GAP, True), (MARGIN + 0.01, False)):
        motion = kc.PoseTrajectory(
            [0.0, 1.0, 2.0], [above(2.0), above(gap, turned=True), above(2.0)], "linear"
        )
        world = world_of(floor, whose, motion)
        report = world.verify(tolerance=1e-3)
        (row,) = [p for p in report.pairs if {p.a, p.b} == {"floor", "ball"}]
        assert (row.verdict is kc.Verdict.CLEAR) != expected
        assert row.clearance_lower <= gap + 1e-9
        assert (world.first_contact("floor", "ball", tolerance=1e-3).verdict is kc.Verdict.CLEAR) != expected
        steps = world.simulate(t0=0.0, t1=2.0, dt=0.5, models="exact", stop=False).steps
        assert (kc.Step.FREE not in {steps[2]}) == expected
