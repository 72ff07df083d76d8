"""Bodies whose computed poses are wrong by as much as is allowed for: no query of a world becomes wrong.

What a pose may be wrong by is far larger here than rounding, and it is put in: the true bodies are nearer to each
other, or farther apart, than the computed ones.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.oracles.floor import grid_mesh
from tests.oracles.poses import pose, rotation_of_quaternion

import keepclear as kc
from keepclear.kinds import MOTIONS
from keepclear.motion.motion import MOTION_TABLE

WRONG, GAP, MARGIN = 2.0**-7, 0.25, 0.125
FLOORS: dict[str, Any] = {
    "box": kc.Box([8.0, 6.0, 1.0]),
    "mesh": kc.Mesh(*grid_mesh(2)),
    "parts": [
        (kc.Box([1.0, 1.0, 1.0]), pose(np.eye(3), [9.0, 0.0, 0.0])),
        (kc.Box([8.0, 6.0, 1.0]), np.eye(4)),
    ],
}
BALL = kc.Sphere(0.25)
TURN = rotation_of_quaternion(np.array([np.cos(0.3), 0.0, np.sin(0.3), 0.0]))


def moving(z: float, x: float, turned: bool = False) -> kc.PoseTrajectory:
    """A motion along the floor from 0 to 1 s; if it is turned, boxes around floor and ball overlap."""
    R = TURN if turned else np.eye(3)
    return kc.PoseTrajectory([0.0, 1.0], [pose(R, R @ [0.1, 0.0, z]), pose(R, R @ [x, 0.0, z])], "linear")


@pytest.fixture(params=["ball", "floor"])
def wrong(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Whose pose is wrong: all poses of it may be wrong by WRONG."""

    def slack(_: Any, __: Any, extent: float) -> float:
        return WRONG if (extent < 0.5) == (request.param == "ball") else 0.0

    assert moving(0.0, 0.3) in MOTIONS  # its class is imported, and has its row
    for cls, row in MOTION_TABLE:
        monkeypatch.setitem(MOTION_TABLE._rows, cls, replace(row, slack=slack))
    return str(request.param)


def world_of(floor: str, gap: float, margin: float, turned: bool = False) -> kc.World:
    world = kc.World(threads=1)
    world.add("floor", FLOORS[floor], moving(0.0, 0.3, turned))
    world.add("ball", BALL, moving(0.5 + 0.25 + gap, 0.5, turned))
    world.set_margin("floor", "ball", margin)
    return world


def is_named(pairs: Any) -> bool:
    return any({"floor", "ball"} == set(pair) for pair in pairs)


@pytest.mark.usefixtures("wrong")
@pytest.mark.parametrize("floor", list(FLOORS))
def test_distances(floor: str) -> None:
    (row,) = world_of(floor, GAP, 0.0).distances(0.5)
    assert row.lower <= GAP - WRONG
    (row,) = world_of(floor, WRONG / 2.0, 0.0).distances(0.5)
    assert row.lower <= 0.0


@pytest.mark.usefixtures("wrong")
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("margin", [0.0, MARGIN])
@pytest.mark.parametrize("floor", list(FLOORS))
def test_instants(floor: str, margin: float, turned: bool) -> None:
    for gap, expected in ((margin + 0.99 * WRONG, True), (margin + 1.01 * WRONG, False)):
        world = world_of(floor, gap, margin, turned)
        found = world.contacts(far=0.0, t=0.5)
        assert is_named(zip(found.a, found.b, strict=True)) == expected
        if not turned:
            continue  # boxes around bodies are wider than rounding, but not than what is put in
        assert is_named(world.collisions(0.5)) == expected
        steps = world.simulate(t0=0.0, t1=1.0, dt=0.5, models="exact", stop=False).steps
        assert (kc.Step.FREE not in set(steps)) == expected
        if expected:
            steps = world.simulate(t0=0.0, t1=1.0, dt=0.5, stop=False).steps
            assert kc.Step.FREE not in set(steps)


@pytest.mark.usefixtures("wrong")
@pytest.mark.parametrize("floor", list(FLOORS))
def test_bounds_of_contacts(floor: str) -> None:
    found = world_of(floor, GAP, MARGIN).contacts(far=1.0, t=0.5)
    (k,) = [k for k in range(len(found.a)) if {found.a[k], found.b[k]} == {"floor", "ball"}]
    assert found.lower[k] <= GAP - WRONG
    assert found.upper[k] >= GAP + WRONG
    found = world_of(floor, WRONG / 2.0, 0.0).contacts(far=1.0, t=0.5)
    assert is_named(zip(found.a, found.b, strict=True))
