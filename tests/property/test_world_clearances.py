"""Least distances that worlds report: bounds hold, are close and are reached, also where meshes are not their hulls."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tests.oracles import mesh_bodies as make
from tests.oracles.clearance_check import faults
from tests.oracles.contact_time import Encounter
from tests.oracles.contact_time_check import told
from tests.oracles.exact_points import box, capsule
from tests.oracles.motion_bodies import Thing
from tests.oracles.motion_families import SHAPES, planted_miss, random_path
from tests.oracles.motion_poses import fixed, library_motion, move, turn
from tests.oracles.motion_scenes import shift
from tests.oracles.poses import pose, random_rotation

import keepclear as kc

KINDS = ("screw", "linear", "cubic")


def reported(case: Encounter, tolerance: float, **options: Any) -> Any:
    """What a world of both bodies reports: a `Clearance` by its names."""
    world = kc.World(threads=1)
    world.add("a", case.a.library(), library_motion(case.move_a))
    world.add("b", case.b.library(), library_motion(case.move_b))
    report = world.verify(*case.span, tolerance=tolerance, **{"far": 100.0, **options})
    (pair,) = report.pairs
    points = np.array(pair.p_WA), np.array(pair.p_WB)
    return SimpleNamespace(
        lower=pair.clearance_lower,
        upper=pair.clearance_upper,
        time=pair.clearance_time,
        p_WA=points[0],
        p_WB=points[1],
        verdict=pair.verdict,
    )


@pytest.mark.parametrize("a", SHAPES)
def test_bounds_hold_and_are_close(a: str) -> None:
    """Each shape beside others: a gap that is planted where a flat or round spot of B faces A."""
    for place, b in list(enumerate(SHAPES))[list(SHAPES).index(a) % 3 :: 3]:
        rng = np.random.default_rng([list(SHAPES).index(a), place, 41])
        kind, gap = KINDS[(place + len(a)) % 3], float(10.0 ** rng.uniform(-2, 0))
        case = planted_miss(rng, SHAPES[a](rng, 1.0), SHAPES[b](rng, 1.0), kind, gap).case
        tolerance = min(0.3 * gap, float(10.0 ** rng.uniform(-4, -2)))
        answer = reported(case, tolerance)
        wrong = [*faults(case, answer, tolerance)]
        if not answer.lower <= gap + 1e-12:
            wrong.append(f"lower is more than the planted {gap!r}")
        if not answer.upper >= gap - 1e-12:
            wrong.append(f"upper is less than the planted {gap!r}")
        assert not wrong, told(case, wrong, answer, gap)


@pytest.mark.parametrize("seed", range(8))
def test_meshes_with_hollows(seed: int) -> None:
    """Rings, stars and slots beside what reaches into them: there hulls overlap, and only surfaces tell."""
    rng = np.random.default_rng([seed, 42])
    hollow = (
        make.torus(12, 6, 0.5, 0.12),
        make.star(0.3),
        make.moved(make.notched_block(), (0, 0, -0.2), scale=0.04),
    )
    a = Thing(hollow[seed % 3])
    b = (Thing(box((0.1, 0.1, 0.7))), Thing(capsule(0.05, 0.6)), Thing(make.torus(9, 5, 0.4, 0.08)))[
        seed // 3
    ]
    for _ in range(12):
        where = pose(random_rotation(rng), rng.uniform(0.0, 1.0) * rng.normal(size=3))
        case = Encounter(a, random_path(rng, KINDS[seed % 2], 0.7), b, fixed(where))
        if min(case.distances(np.linspace(*case.span, 60))[0]) > 1e-2:
            break
    else:
        pytest.skip("every one of these paths touches")
    tolerance = float(10.0 ** rng.uniform(-4, -3))
    answer = reported(case, tolerance)
    if answer.verdict is kc.Verdict.CLEAR:
        assert not (wrong := [*faults(case, answer, tolerance)]), told(case, wrong, answer, 0.0)


def test_a_bead_that_passes_through_a_ring() -> None:
    """The hulls overlap while the bead is in the ring; its distance to the ring is least in the middle."""
    ring, tolerance = Thing(make.torus(32, 16, 0.5, 0.1)), 1e-4
    bead = Thing(make.moved(make.octahedron(), (0, 0, 0), scale=0.2))
    path = move("linear", [0, 1], [shift(0.02, 0, -1), shift(0.02, 0, 1)])
    world = kc.World(threads=1)
    world.add("ring", ring.library(), np.eye(4))
    world.add("bead", bead.library(), library_motion(path))
    (pair,) = world.verify(tolerance=tolerance, far=1.0).pairs
    poses = path.at(np.linspace(0, 1, 2001)).astype(float)
    sampled = kc.distance(ring.library(), np.eye(4), bead.library(), poses)
    assert pair.verdict is kc.Verdict.CLEAR
    assert pair.clearance_upper - pair.clearance_lower <= tolerance
    assert pair.clearance_lower <= float(np.min(sampled.upper))
    assert pair.clearance_upper >= float(np.min(sampled.lower)) - 1e-6
    assert abs(pair.clearance_time - 0.5) < 0.05


def test_a_link_that_glides_along_a_wall() -> None:
    """A notched block slides and turns with its slot along a wall: the distance is nearly constant for long."""
    block = Thing(make.moved(make.notched_block(), (0, 0, -0.2), scale=0.04))
    size = block.extent
    wall = Thing(box((6, 6, 0.2)))
    path = move(
        "screw", [0, 1, 2], [shift(-1, 0, 0), pose(turn((0, 0, 1), 0.7), (0, 0.2, 0.003)), shift(1, 0, 0.001)]
    )
    case = Encounter(block, path, wall, fixed(shift(0, 0, -0.1 - size)))
    for tolerance in (1e-3, 1e-5):
        answer = reported(case, tolerance)
        assert not (wrong := [*faults(case, answer, tolerance)]), told(case, wrong, answer, 0.0)


def test_what_is_far_is_only_said_to_be_so() -> None:
    """A ring around a rod, 0.38 m apart, and `far` on either side of that: hulls overlap all the while."""
    ring, rod = Thing(make.torus(24, 12, 0.5, 0.1)), Thing(box((0.04, 0.04, 4.0)))
    case = Encounter(
        ring, move("linear", [0, 1], [shift(0, 0, -0.5), shift(0, 0, 0.5)]), rod, fixed(np.eye(4))
    )
    near = reported(case, 1e-3)
    assert 0.3 < near.lower <= near.upper <= near.lower + 1e-3
    world = kc.World(threads=1)
    world.add("ring", ring.library(), library_motion(case.move_a))
    world.add("rod", rod.library(), np.eye(4))
    (pair,) = world.verify(tolerance=1e-3, far=0.3).pairs
    assert pair.clearance_lower == 0.3
    assert pair.clearance_upper is None
    assert pair.p_WA is None
