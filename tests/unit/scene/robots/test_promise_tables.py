"""Tables of robots and frames: boxes, limits, margins and slacks that kernels trust, with errors put into poses."""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.oracles.poses import pose, random_rotation
from tests.unit.world.worlds import at, drive, number, scene, slider, timeline, way

import keepclear as kc
from keepclear.geometry.shapes.packed import packed
from keepclear.kernels.convex import gjk
from keepclear.kernels.spheres import configurations as kernel
from keepclear.motion.motion import LINK_ROUNDING, MOTION_TABLE
from keepclear.scene.frame_table import FrameTable
from keepclear.scene.robots import robot_tables, sphere_bodies
from keepclear.scene.robots.robot_tables import RobotTables, _Placed, grouped, largest_slack
from keepclear.scene.robots.sphere_tables import SphereTables
from keepclear.scene.timeline import _carried_to
from keepclear.world.planner.proved_free import prove_free, sphere_tables

WRONG = 2.0**-7
COVERS = {
    name: kc.SphereCover([[0.0, 0.0, 0.0]], [radius], cover=0.0, excess=0.0, solid=True)
    for name, radius in (("head", 0.1), ("lamp", 0.05), ("finger", 0.05))
}
MODEL = kc.SphereModel("slider", COVERS)


def beside(margin: float = 0.0, X_WB: Any = None) -> kc.World:
    """A slider whose head passes a beam of 4 m at 0.3 m, and whose finger passes its lamp."""
    world = kc.World(threads=1)
    base = np.eye(4) if X_WB is None else X_WB
    world.add_robot("bot", slider(), X_WB=base)
    world.add("beam", kc.Box([4.0, 0.2, 0.2]), base @ at(0, 0.5))
    world.set_margin("bot/lamp", "bot/finger", 0.2)
    world.set_margin("beam", None, margin)
    return world


def robot_of(world: kc.World) -> RobotTables:
    here = scene(world)
    return RobotTables(here, here.timeline.robots["bot"], 0.0)


def spheres_of(world: kc.World) -> SphereTables:
    return sphere_tables(robot_of(world), MODEL)


def free(tables: SphereTables, q: list[list[float]], margin: float | None = None) -> list[bool]:
    return prove_free(tables, np.array(q), margin, 1)[0].tolist()


Q = [[-1.9, 1.5], [0.0, 1.5], [1.9, 1.5]]


def test_nothing_within_the_margin_is_proved_free() -> None:
    tables = spheres_of(beside())
    assert free(tables, Q, 0.31) == [False] * 3
    assert free(tables, Q, 0.24) == [True] * 3
    assert free(tables, Q, 0.31) == [False] * 3
    assert free(tables, Q, 0.0) == [True] * 3
    assert free(tables, Q, None) == [True] * 3
    assert free(spheres_of(beside(0.31)), Q) == [False] * 3
    assert free(tables, [[0.0, 0.49]]) == [False]  # the finger is 0.19 m from the lamp
    assert free(tables, [[0.0, 0.51]]) == [True]


def test_the_margin_of_a_question_counts() -> None:
    wider = {
        name: kc.SphereCover(c.centers, 1.01 * c.radii, 0.0, 0.1, solid=True) for name, c in COVERS.items()
    }
    world, model = beside(), kc.SphereModel("slider", wider)
    assert not world.proved_free("bot", Q, model=model, margin=0.31).any()
    assert world.proved_free("bot", Q, model=model, margin=0.24).all()


BRANCHES = """<robot name="branches"><link name="base"/>{links}{joints}</robot>"""
LINK = '<link name="{0}"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>'
JOINT = """<joint name="turn_{0}" type="continuous"><parent link="{1}"/><child link="{0}"/><axis xyz="0 0 1"/>
<origin xyz="1 0 0"/></joint>"""


def test_margins_of_links_are_the_larger_ones(tmp_path: Path) -> None:
    parents = {"a": "base", "b": "a", "c": "b", "d": "base"}
    links, joints = (
        "".join(map(LINK.format, parents)),
        "".join(JOINT.format(*pair) for pair in parents.items()),
    )
    (tmp_path / "branches.urdf").write_text(BRANCHES.format(links=links, joints=joints))
    world = kc.World(threads=1)
    world.add_robot("bot", kc.read_robot(tmp_path / "branches.urdf"))
    own = {name: 0.125 * k for k, name in enumerate(("bot/a", "bot/b", "bot/c", "bot/d"))}
    for name, margin in own.items():
        world.set_margin(name, None, margin)
    tables = robot_of(world)
    assert len(tables.own) > 2
    for margin in (None, 0.3, 0.5):
        for row in tables.with_margin(margin)[0]:
            asked = [own[name] for name in tables.names(row.a, row.b)]
            assert row.margin == max(*asked, margin or 0.0)


def test_limits_contain_the_errors_of_comparisons_in_float32() -> None:
    tables = spheres_of(beside(0.3))
    _, _, near, added, _ = tables._pack_limits(None)
    units = 26.0 * 2.0**-24  # as derived in kernels/spheres/configurations.py
    needed = 0.3 + units * (9.1 + 2.0 + 0.3)  # the head reaches 9.1 m from the base, the beam 2 m
    names = [tables.tables.names(row[0], row[0])[0] for row in tables._rows]
    head = names.index("bot/head")
    assert added[head, 0] >= needed
    assert near[head, 0] >= (0.1 + needed) ** 2


def test_obstacles_of_an_unknown_kind_are_refused() -> None:
    tables = spheres_of(beside(0.3))
    tables._obstacles.rows["kind"] = 9
    with pytest.raises(ValueError, match="has no test"):
        free(tables, [[0.0, 1.5]], 5.0)


SCREW = """<robot name="screw"><link name="base"/>
<link name="a"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<link name="b"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<joint name="turn" type="continuous"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/></joint>
<joint name="fast" type="continuous"><parent link="base"/><child link="b"/><axis xyz="0 0 1"/>
<origin xyz="1 0 0"/><mimic joint="turn" multiplier="1e5"/></joint></robot>"""


def test_limits_contain_the_errors_of_large_angles_and_of_the_base(tmp_path: Path) -> None:
    (tmp_path / "screw.urdf").write_text(SCREW)
    world = kc.World(threads=1)
    world.add_robot("bot", kc.read_robot(tmp_path / "screw.urdf"))
    world.add("wall", kc.Sphere(0.1), at(0, 3))
    covers = dict.fromkeys(("a", "b"), COVERS["head"])
    tables = sphere_tables(robot_of(world), kc.SphereModel("screw", covers))
    assert tables._unit >= 2.0**-53 * 1e5 * kernel.LARGEST_VALUE  # of an angle of 1e11 rad
    X_WB = np.eye(4)
    X_WB[:3, :3] *= 1.0 + 1e-3
    tables._measure(replace(tables.tables.robot, X_WB=X_WB))
    assert tables._unit >= 2e-3


@pytest.fixture
def wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """Poses of the beam may be wrong by WRONG."""
    assert scene(beside()).timeline.motion(0, 0, 0)  # the classes of motions are imported, and have rows

    def slack(_: Any, __: Any, extent: float) -> float:
        return WRONG if extent > 1.0 else 0.0

    for cls, row in MOTION_TABLE:
        monkeypatch.setitem(MOTION_TABLE._rows, cls, replace(row, slack=slack))


def test_boxes_of_groups_contain_the_rounding_of_poses() -> None:
    _, rows = grouped([_Placed(0, 0, kc.Box([1.0, 1.0, 1.0]), 0, np.eye(4), 2.0)], 0, WRONG)
    assert (rows["low"][0] <= -0.5 - 2.0 * WRONG).all()
    assert (rows["high"][0] >= 0.5 + 2.0 * WRONG).all()


@pytest.mark.usefixtures("wrong")
def test_nothing_is_free_of_an_obstacle_whose_pose_is_wrong() -> None:
    world = beside()
    for margin, expected in ((0.3 - 0.99 * WRONG, False), (0.3 - 4.0 * WRONG, True)):
        assert (free(spheres_of(world), [[0.0, 1.5]], margin) == [True]) == expected
        assert bool(world.check_configurations("bot", [[0.0, 1.5]], margin=margin).free[0]) == expected
        assert (
            bool(world.check_configurations("bot", [[0.0, 1.5]], margin=margin, settle=False).free[0])
            == expected
        )


@pytest.mark.parametrize("seed", range(10))
def test_boxes_of_groups_contain_their_bodies(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size = rng.uniform(0.1, 1.0, 3)
    X = pose(random_rotation(rng), rng.normal(size=3) * 10.0 ** rng.integers(0, 6))
    _, rows = grouped([_Placed(0, 0, kc.Box(size), 0, X, 0.0)], 0, 0.0)
    low, high = rows["low"][0], rows["high"][0]
    for signs in itertools.product((-1, 1), repeat=3):
        corner = [s * Fraction(float(v)) / 2 for s, v in zip(signs, size, strict=True)]
        for k in range(3):
            *r, p = (Fraction(float(v)) for v in X[k])
            at_k = sum((a * b for a, b in zip(r, corner, strict=True)), p)
            assert Fraction(float(low[k])) <= at_k <= Fraction(float(high[k]))


def test_hill_climbing_may_fall_short_by_its_slack() -> None:
    rng = np.random.default_rng(0)
    points = rng.normal(size=(200, 3))
    hull = kc.Convex(points / np.linalg.norm(points, axis=1)[:, None])
    known = largest_slack(*packed(hull))
    assert 0.0 < known < robot_tables.MOST_SLACK
    assert robot_tables._walkable(*packed(hull))[2] == known


@pytest.mark.parametrize("seed", range(3))
def test_each_inner_point_outside_of_spheres_is_in_a_marked_cell(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sphere_bodies, "CELLS", 8)
    rng = np.random.default_rng(seed)
    size, X = np.array([1.0, 0.8, 0.5]), pose(random_rotation(rng), rng.normal(size=3))
    spheres = np.column_stack(
        [rng.uniform(-0.4, 0.4, (3, 3)) @ X[:3, :3].T + X[:3, 3], rng.uniform(0.3, 0.4, 3)]
    )
    corners = np.array(list(itertools.product((-0.5, 0.5), repeat=3))) * size @ X[:3, :3].T + X[:3, 3]
    found = sphere_bodies._hollow(spheres, corners, [(kc.Box(size), X)])
    assert found is not None
    cells = found.cells.reshape(8, 8, 8)
    assert 0 < np.count_nonzero(cells) < cells.size
    inner = rng.uniform(-0.5, 0.5, (20000, 3)) * size @ X[:3, :3].T + X[:3, 3]
    away = np.linalg.norm(inner[:, None] - spheres[:, :3], axis=2)
    numbers = ((inner[(away > spheres[:, 3]).all(axis=1)] - found.low) * found.per_metre).astype(int)
    assert cells[tuple(numbers.T)].all()


def exact(X: np.ndarray, p: Any) -> list[Fraction]:
    """A point under a float64 map, exactly."""
    rows = [[Fraction(float(v)) for v in row] for row in X[:3]]
    return [sum((r * Fraction(float(v)) for r, v in zip(row, p, strict=False)), row[3]) for row in rows]


def apart(p: list[Fraction], q: Any) -> Fraction:
    return sum(((a - Fraction(float(b))) ** 2 for a, b in zip(p, q, strict=True)), Fraction(0))


@pytest.mark.parametrize("seed", range(40))
def test_spheres_and_balls_contain_what_they_cover(seed: int) -> None:
    rng = np.random.default_rng(seed)
    far, radius = (1e5, 1e-3) if seed % 2 else (1.0, 1e4)
    X = pose(random_rotation(rng), rng.normal(size=3) * far)
    cover = kc.SphereCover(rng.normal(size=(4, 3)), radius * rng.uniform(0.5, 1.0, 4), 0.0, 0.0, solid=True)
    hull = kc.Convex(rng.normal(size=(4, 3)) * [1e-3, 1e-4, 1e-4])
    found = sphere_bodies.sphere_body(1, cover, X, [(hull, X)])
    for center, own, (*moved, wider) in zip(cover.centers, cover.radii, found.spheres, strict=True):
        room = Fraction(float(wider)) - Fraction(float(own))
        assert room >= 0
        assert apart(exact(X, center), moved) <= room**2
    for corner in np.asarray(hull.vertices):
        assert apart(exact(X, corner), found.ball[:3]) <= Fraction(float(found.ball[3])) ** 2


@pytest.mark.parametrize("seed", range(5))
def test_the_length_of_a_body_is_not_too_large(seed: int) -> None:
    rng = np.random.default_rng(seed)
    hull = kc.Convex(rng.normal(size=(20, 3)) + rng.normal(size=3) * 1e3)
    low, high = hull.bounds
    true = max(Fraction(float(b)) - Fraction(float(a)) for a, b in zip(low, high, strict=True))
    assert 0.999 * float(true) < sphere_bodies.seeds_of(hull)[1] <= true


def frame_world() -> kc.World:
    world = kc.World()
    world.add("rack", [(kc.Sphere(0.1), at(1, 0)), (kc.Sphere(0.1), at(-1, 0))], at(0, 0))
    world.add("ball", kc.Sphere(0.1), at(2, 0))
    world.add_robot("bot", slider(), X_WB=at(1e6, 0))
    return world


@pytest.mark.parametrize("name", ["rack", "ball"])
def test_closest_parts_are_nearer_or_farther_by_their_slack(name: str) -> None:
    here = scene(frame_world())
    table = FrameTable(here, 0.0, ())
    table.rows["slack"] = 0.0
    table.rows["slack"][here.bodies_of(number(here, name))] = WRONG
    for pair in itertools.permutations(("rack", "ball")):
        row = table.closest_parts(*(number(here, one) for one in pair))
        assert row[gjk.LOWER] <= 0.8 - WRONG
        assert row[gjk.UPPER] >= 0.8 + WRONG


def test_a_table_takes_over_the_slacks_of_the_last_frame() -> None:
    here = scene(frame_world())
    table = FrameTable(here, 0.0, ())
    table.slack_last[:] = WRONG
    assert (FrameTable(here, 0.0, (), table.last_frame()).slack_last == WRONG).all()


def test_links_of_a_robot_far_away_are_rounded() -> None:
    table = FrameTable(scene(frame_world()), 0.0, ("bot",))
    table.place_robot("bot", drive([0.0, 1.0], [0.0, 1.0]))
    assert (table._joints["bot"].slacks(np.zeros(2)) >= LINK_ROUNDING * 1e6).all()


def test_an_object_that_is_grasped_far_away_is_rounded() -> None:
    world = kc.World()
    world.add("cart", kc.Sphere(0.1), way([0, 1], (1e6, 0, 1), (1e6 + 1, 0, 1)))
    (parent,) = timeline(world).parent_frames[0]
    assert _carried_to(parent, 0.5)[1] >= 1e6
