"""A lift above a floor, whose faces are parallel: cases in which each term of the proof of a pair is needed."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core import config
from tests.unit.kernels.edges.test_promise_faults import Faults

import keepclear as kc
from keepclear.kernels.convex.support import DEFECT
from keepclear.kernels.edges import check
from keepclear.kernels.tables.robot import JOINT

pytestmark = [
    pytest.mark.skipif(
        not config.DISABLE_JIT, reason="inner kernels, which only kernels call, are tested as Python"
    ),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]
UP = np.array([0.0, 0.0, 1.0])
GAP, TOLERANCE, WRONG = 0.25, 1e-6, 2.0**-7


def prism(radius: float, low: float, high: float, n: int = 64) -> tuple[np.ndarray, np.ndarray]:
    """Vertices and triangles of a regular prism."""
    angle = 2.0 * np.pi * np.arange(n) / n
    ring = radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    vertices = [[*p, z] for z in (low, high) for p in ring]
    faces = [[0, k + 1, k] for k in range(1, n - 1)] + [[n, n + k, n + k + 1] for k in range(1, n - 1)]
    for k in range(n):
        m = (k + 1) % n
        faces += [[k, m, n + m], [k, n + m, n + k]]
    return np.array(vertices), np.array(faces)


def joined(*parts: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    starts = np.cumsum([0, *(len(vertices) for vertices, _ in parts)])
    faces = [faces + start for (_, faces), start in zip(parts, starts, strict=False)]
    return np.concatenate([vertices for vertices, _ in parts]), np.concatenate(faces)


def apex(sign: float) -> np.ndarray:
    """Points of a hull without parallel faces, whose end along z is the origin."""
    points = np.random.default_rng(3).normal(size=(80, 3))
    points = 0.1 * points / np.linalg.norm(points, axis=1)[:, None]
    points[:, :2] *= 4.0  # wide, so that balls around hulls prove nothing
    points[:, 2] += sign * 0.2
    return np.concatenate([np.zeros((1, 3)), points])


TIPS = {
    "ball": '<sphere radius="0.125"/>',
    "mesh": '<mesh filename="tip.obj"/>',
}
APEX = '<mesh filename="apex.obj"/>'
PLATE, ROOF = prism(4.0, -1.0, 0.0), prism(4.0, 4.0, 5.0)
FLOORS: dict[str, Any] = {
    "box": (kc.Box([8.0, 8.0, 1.0]), -0.5),
    "hull": (kc.Convex(PLATE[0]), 0.0),
    "mesh": (kc.Mesh(*PLATE), 0.0),
    "roofed": (kc.Mesh(*joined(PLATE, ROOF)), 0.0),
}


def write(file: Path, vertices: np.ndarray, faces: Any) -> None:
    text = [f"v {x!r} {y!r} {z!r}" for x, y, z in vertices.tolist()]
    text += ["f " + " ".join(str(int(i) + 1) for i in face) for face in faces]
    file.write_text("\n".join(text) + "\n")


def lift(folder: Path, tip: str, floor: str, margin: float) -> kc.World:
    """A world in which the lowest point of a robot's tip is at the height q above a floor."""
    points = apex(1.0) - [[0.0, 0.0, 0.125]]
    write(folder / "tip.obj", *prism(0.125, -0.125, 0.125))
    write(folder / "apex.obj", points, kc.Convex(points).faces)
    (folder / "lift.urdf").write_text(
        '<robot name="lift"><link name="base"/><link name="tip"><collision><origin xyz="0 0 0.125"/>'
        f'<geometry>{TIPS.get(tip, APEX)}</geometry></collision></link><joint name="z" type="prismatic">'
        '<parent link="base"/><child link="tip"/><axis xyz="0 0 1"/>'
        '<limit lower="-1" upper="9" velocity="1" effort="1"/></joint></robot>'
    )
    world = kc.World(threads=1)
    world.add_robot("arm", kc.read_robot(folder / "lift.urdf"), [1.0])
    shape, z = FLOORS[floor] if floor in FLOORS else (kc.Convex(apex(-1.0)), 0.0)
    X = np.eye(4)
    X[2, 3] = z
    world.add("floor", shape, X)
    world.set_margin("arm/tip", "floor", margin)
    return world


EACH = pytest.mark.parametrize(("tip", "floor"), [(t, f) for t in TIPS for f in FLOORS])


@EACH
@pytest.mark.parametrize("gap", [0.0, GAP])
def test_wrong_poses_miss_no_contact(
    tip: str, floor: str, gap: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = lift(tmp_path, tip, floor, gap)
    Faults(monkeypatch, UP, 1.0)
    assert not world.check_configurations("arm", [[gap]]).free[0]
    assert not world.check_configurations("arm", [[gap]], settle=False).free[0]
    for way in (2e-12, 0.4):  # down to the margin
        edge = world.check_edges("arm", [[gap + way]], [[gap]], tolerance=TOLERANCE, budget=60)
        assert not edge.clear[0]


@EACH
def test_wrong_poses_make_up_no_contact(
    tip: str, floor: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = lift(tmp_path, tip, floor, GAP - 1.5 * TOLERANCE)
    Faults(monkeypatch, UP, -1.0)
    edge = world.check_edges("arm", [[GAP]], [[GAP + 1e-12]], tolerance=TOLERANCE)
    assert not edge.colliding[0]


@EACH
def test_edges_within_the_margin_collide(tip: str, floor: str, tmp_path: Path) -> None:
    world = lift(tmp_path, tip, floor, GAP)
    for low, expected in ((GAP - 0.01, True), (GAP + 0.01, False)):
        edge = world.check_edges("arm", [[0.5]], [[low]], tolerance=1e-3)
        assert edge.colliding[0] == expected
        assert edge.clear[0] != expected


@pytest.mark.parametrize("whose", [0, 1])
@pytest.mark.parametrize("column", ["defect", "slack"])
def test_hulls_may_reach_farther_than_their_points(
    whose: int, column: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hulls are told to reach farther, or support points to fall short: all distances are smaller by that."""
    world = lift(tmp_path, "apex", "apex", GAP - WRONG)
    check_pair = check.check_pair

    def changed(tables: Any, arrays: Any, nodes: Any, placed: Any, pair: Any, *rest: Any) -> Any:
        body = (pair.a, pair.b)[whose]
        bodies, F = tables[1].copy(), arrays[4].copy()
        if column == "slack":
            bodies["slack"][body] = WRONG
        else:
            F[bodies["reals"][body, 0] + DEFECT] = WRONG
        tables, arrays = (tables[0], bodies, tables[2]), (*arrays[:4], F, *arrays[5:])
        return check_pair(tables, arrays, nodes, placed, pair, *rest)

    monkeypatch.setattr(check, "check_pair", changed)
    covers = world.check_configurations("arm", [[GAP]], settle=False)
    assert not covers.free[0]
    # A motion by less than the shortfall: neither of both proves the edge without the other.
    for way in (0.0, WRONG / 8.0):
        edge = world.check_edges("arm", [[GAP + way]], [[GAP - way]], tolerance=TOLERANCE, budget=300)
        assert not edge.clear[0]
    world.set_margin("arm/tip", "floor", 0.0)
    covers = world.check_configurations("arm", [[GAP]], settle=False)
    assert covers.gap[0] <= GAP - WRONG


def test_the_least_gap_leaves_out_no_pair_with_a_larger_margin(tmp_path: Path) -> None:
    world = lift(tmp_path, "ball", "box", 0.0)
    X = np.eye(4)
    X[:3, 3] = 0.125 + 0.25 + 0.3, 0.0, GAP + 0.125  # 0.3 m beside the tip, nearer to the floor
    for shape in (kc.Sphere(0.25), kc.Box([0.5, 0.5, 0.5])):
        world.add("other", shape, X)
        world.set_margin("arm/tip", "other", 0.4)
        covers = world.check_configurations("arm", [[GAP]], settle=False)
        assert not covers.free[0]
        assert covers.gap[0] <= GAP
        world.remove("other")


def test_sliding_joints_add_to_sizes() -> None:
    joints = np.zeros(2, JOINT)
    joints["multiplier"][1], joints["offset"][1] = 2.0, 5.0
    _, reach, turns = check._rounding(joints, np.array([[-3.0]]), np.array([[1.0]]), 0)
    assert reach == 11.0
    assert turns == 0.0


@pytest.mark.filterwarnings("default::UserWarning")
def test_values_beyond_limits_are_told(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        lift(tmp_path, "ball", "box", 0.0).check_edges("arm", [[0.5]], [[0.6]])
    for beyond in (-1.5, 9.5):
        with pytest.warns(UserWarning, match="limit"):
            lift(tmp_path, "ball", "box", 0.0).check_edges("arm", [[0.5]], [[beyond]])


SWING = """<robot name="swing"><link name="base">{base}</link>
<link name="mid"><collision><geometry><sphere radius="1e-6"/></geometry></collision></link>
<joint name="m" type="fixed"><parent link="base"/><child link="mid"/></joint>
<link name="tip"><collision><origin xyz="1 0 0"/><geometry><sphere radius="0.125"/></geometry></collision></link>
<joint name="a" type="revolute"><origin rpy="0 -0.5 0"/><parent link="mid"/><child link="tip"/><axis xyz="0 -1 0"/>
<limit lower="-9" upper="9" velocity="1" effort="1"/></joint>
<link name="other">{other}</link>
<joint name="b" type="revolute"><parent link="base"/><child link="other"/><axis xyz="0 -1 0"/>
<limit lower="-9" upper="9" velocity="1" effort="1"/></joint></robot>"""


def swing(folder: Path, place: str, shape: str) -> kc.World:
    """A ball at the end of an arm of 1 m, and a floor that it comes down to at q = -0.5."""
    vertices, faces = joined(prism(0.3, -0.3, 0.0), prism(0.3, 4.0, 4.2))
    write(folder / "floor.obj", vertices, faces)
    floor = '<box size="0.6 0.6 0.3"/>' if shape == "box" else '<mesh filename="floor.obj"/>'
    z = -0.125 - (0.15 if shape == "box" else 0.0)
    ground = f'<collision><origin xyz="1 0 {z}"/><geometry>{floor}</geometry></collision>'
    texts = {"base": ground if place == "base" else "", "other": ground if place == "branch" else ""}
    (folder / "swing.urdf").write_text(SWING.format(**texts))
    world = kc.World(threads=1)
    world.add_robot("arm", kc.read_robot(folder / "swing.urdf"), [1.0, 0.0])
    name = {"world": "floor", "base": "arm/base", "branch": "arm/other"}[place]
    if place == "world":
        X = np.eye(4)
        X[:3, 3] = 1.0, 0.0, z
        world.add("floor", kc.Box([0.6, 0.6, 0.3]) if shape == "box" else kc.Mesh(vertices, faces), X)
    world.only([("arm/tip", name)])
    world.set_margin("arm/tip", name, 1e-9)
    return world


@pytest.mark.parametrize("shape", ["box", "roofed"])
@pytest.mark.parametrize("place", ["world", "base", "branch"])
def test_paths_that_bend_towards_a_floor(place: str, shape: str, tmp_path: Path) -> None:
    """A swing begins upright and ends at the floor: tangents of its path lead past the floor."""
    world = swing(tmp_path, place, shape)
    ways = [([0.7, 0.0], [-0.5, 0.0])]
    if place == "branch":
        ways += [([-0.5, -1.2], [-0.5, 0.0]), ([0.1, -0.6], [-0.5, 0.0])]
    for q0, q1 in ways:
        for start, end in ((q0, q1), (q1, q0)):
            edge = world.check_edges("arm", [start], [end], tolerance=1e-3, budget=400)
            assert not edge.clear[0]


BALLS = """<robot name="balls">
<link name="base"><collision><origin xyz="0 0 -2.5"/><geometry><sphere radius="2.5"/></geometry></collision></link>
<link name="x"><collision><origin xyz="0 0 3"/><geometry><sphere radius="1e-6"/></geometry></collision></link>
<joint name="x" type="prismatic"><parent link="base"/><child link="x"/><axis xyz="1 0 0"/>
<limit lower="-9" upper="9" velocity="1" effort="1"/></joint>
<link name="tip"><collision><origin xyz="0 0 0.125"/><geometry><sphere radius="0.125"/></geometry></collision></link>
<joint name="z" type="prismatic"><origin xyz="0 0 1"/><parent link="x"/><child link="tip"/><axis xyz="0 0 1"/>
<limit lower="-9" upper="9" velocity="1" effort="1"/></joint></robot>"""


def test_wrong_poses_of_two_balls_of_a_robot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "balls.urdf").write_text(BALLS)
    world = kc.World(threads=1)
    world.add_robot("arm", kc.read_robot(tmp_path / "balls.urdf"), [0.0, 0.0])
    world.set_margin("arm/tip", "arm/base", GAP)
    Faults(monkeypatch, UP, 1.0)
    near = [0.0, GAP - 1.0]
    assert not world.check_configurations("arm", [near]).free[0]
    assert not world.check_configurations("arm", [near], settle=False).free[0]
    edge = world.check_edges("arm", [[-1.0, GAP - 1.0]], [[3.0, GAP - 1.0]], tolerance=TOLERANCE, budget=300)
    assert not edge.clear[0]
    assert edge.t_lo[0] <= 0.25
    world.set_margin("arm/tip", "arm/base", 0.0)
    covers = world.check_configurations("arm", [near], settle=False)
    assert covers.gap[0] <= GAP
