"""Pairs of bodies on an edge of a robot: cases in which each term of a proof is needed; see `test_promise_faults`."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core import config
from tests.oracles.floor import ball_mesh
from tests.property.test_promise_edges import Case, joint_text, origin
from tests.unit.kernels.edges.test_promise_faults import ALLOWED, PART, Faults, set_margin, up_of

import keepclear as kc
from keepclear.geometry.shapes.packed import packed
from keepclear.kernels.convex import gjk
from keepclear.kernels.convex.support import DEFECT, KIND, WALK
from keepclear.kernels.edges import check, separation
from keepclear.kernels.edges import pair as pairs
from keepclear.kernels.tables.robot import MOVED_BODY, NODE_BODY, OPEN_PAIR, OWN_PAIR, PLANE

pytestmark = [
    pytest.mark.skipif(
        not config.DISABLE_JIT, reason="inner kernels, which only kernels call, are tested as Python"
    ),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]
LIMIT = '<limit lower="-10" upper="10" velocity="1" effort="1"/>'


def joint(kind: str, name: str, parent: str, child: str, xyz: Any, axis: str) -> str:
    return joint_text(kind, name, parent, child, origin(xyz, (0, 0, 0)), f'<axis xyz="{axis}"/>{LIMIT}')


def link(name: str, shape: str = "", xyz: Any = (0, 0, 0)) -> str:
    body = f"<collision>{origin(xyz, (0, 0, 0))}<geometry>{shape}</geometry></collision>" if shape else ""
    return f'<link name="{name}">{body}</link>'


def world_of(folder: Path, text: str, first: str, second: str, margin: float) -> kc.World:
    (folder / "robot.urdf").write_text(f'<robot name="robot">{text}</robot>')
    world = kc.World(threads=1)
    robot = kc.read_robot(folder / "robot.urdf")
    world.add_robot("arm", robot, np.zeros(text.count("<axis")))
    world.only([(first, second)])
    world.set_margin(first, second, margin)
    return world


def two_balls(folder: Path, margin: float) -> kc.World:
    """Two balls of 0.1 m on sliders along y; they are 0.5 m from each other where both values are the same."""
    ball = '<sphere radius="0.1"/>'
    text = link("base") + link("left", ball) + link("right", ball)
    text += joint("prismatic", "j1", "base", "left", (0, 0, 0), "0 1 0")
    text += joint("prismatic", "j2", "base", "right", (0.7, 0, 0), "0 1 0")
    return world_of(folder, text, "arm/left", "arm/right", margin)


@pytest.mark.parametrize("margin", [0.0, 0.5])
def test_balls_of_one_robot(margin: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world, s = two_balls(tmp_path, margin), 5.0 / 16.0
    q0, q1 = np.array([[-s, 0.0]]), np.array([[1.0 - s, 0.0]])
    rounding, place = check._rounding, check.place_body
    apart = {0: -1.0, 1: 1.0}
    monkeypatch.setattr(check, "_rounding", lambda *a: (ALLOWED, *rounding(*a)[1:]))
    size: list[float] = []

    def place_body(joints: Any, nodes: Any, body: Any, h: float, stamp: int, slip: float, out: Any) -> None:
        if out.stamp != stamp:
            place(joints, nodes, body, h, stamp, slip, out)
            off = apart[body.node - 1] * PART * ALLOWED * (body.extent + size[0])
            out.p[0] += off
            out.center[0] += off

    monkeypatch.setattr(check, "place_body", place_body)
    size.append(1.0 - s)  # sliders reach as far on the edge
    found = world.check_edges("arm", q0, q1, tolerance=1e-3)
    if margin:
        assert not found.clear[0]
        assert found.t_lo[0] <= s
    size[0] = 0.0
    q = np.zeros((1, 2))
    covers = world.check_configurations("arm", q, settle=False)
    assert covers.gap[0] <= 0.5
    assert world.check_configurations("arm", q).free[0] == (margin == 0.0)
    assert covers.free[0] == (margin == 0.0)
    size[0] = 1.0
    assert world.check_configurations("arm", q + 1.0, settle=False).gap[0] <= 0.5


@pytest.mark.parametrize("first", ["floor", "tip"])
def test_an_arm_that_rises_from_another(first: str, tmp_path: Path) -> None:
    # It rises ever more slowly: a straight path through the middle is above where it begins.
    links = {
        "floor": link("floor", '<box size="4 4 1"/>', (0, 0, -1.0))
        + joint("prismatic", "j1", "base", "floor", (0, 0, 0), "1 0 0"),
        "tip": link("tip", '<sphere radius="0.01"/>', (1, 0, 0))
        + joint("revolute", "j2", "base", "tip", (0, 0, 0), "0 -1 0"),
    }
    second = "tip" if first == "floor" else "floor"
    start, end, text = 0.1, 1.5, link("base") + links[first] + links[second]
    world = world_of(tmp_path, text, "arm/floor", "arm/tip", 0.5 + math.sin(start) - 0.01 + 1e-9)
    k = 1 if first == "floor" else 0
    q0, q1 = np.zeros((1, 2)), np.zeros((1, 2))
    q0[0, k], q1[0, k] = start, end
    found = world.check_edges("arm", q0, q1, tolerance=1e-3)
    assert not found.clear[0]
    assert found.t_lo[0] <= 1e-6


def test_bounds_of_gaps_and_balls_include_rounding(monkeypatch: pytest.MonkeyPatch) -> None:
    bodies, placed = np.zeros(2, NODE_BODY), np.zeros(2, MOVED_BODY)
    bodies["extent"], bodies["node"] = (2.0, 3.0), (1, 2)
    rows, slide, slips = np.zeros(1, OPEN_PAIR), 0.5, {}
    rows["b"] = 1
    monkeypatch.setattr(check, "bound_gap", lambda *_: 1.0)
    check._order_by_bound(bodies, placed, rows, 1, ALLOWED, slide)
    assert rows["bound"][0] <= 1.0 - ALLOWED * (2.0 + 3.0 + 2.0 * slide)

    def place_body(*arguments: Any) -> None:
        slips[arguments[2].node] = arguments[5]

    monkeypatch.setattr(check, "place_body", place_body)
    monkeypatch.setattr(check, "near_ball", lambda *_: True)
    tables = (None, bodies, np.zeros(1, OWN_PAIR))
    check._is_near(tables, None, placed, rows[0], 0.5, 1, ALLOWED, slide)
    assert slips[1] >= ALLOWED * (2.0 + slide)
    assert slips[2] >= ALLOWED * (3.0 + slide)


def test_the_first_interval_includes_rounding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begin, order, seen = check._begin, check._order_by_bound, []

    def watch(name: str, right: Any, at: int) -> None:
        def watched(*arguments: Any) -> Any:
            seen.append((name, arguments[at]))
            return right(*arguments)

        monkeypatch.setattr(check, name, watched)

    watch("_begin", begin, 8)
    watch("_order_by_bound", order, 4)
    world = two_balls(tmp_path, 0.1)
    world.check_edges("arm", np.zeros((1, 2)), np.ones((1, 2)), tolerance=1e-3)
    world.check_configurations("arm", np.zeros((1, 2)), settle=False)
    assert {name for name, _ in seen} == {"_begin", "_order_by_bound"}
    assert all(rounding >= 2.0**-46 for _, rounding in seen)


def no_hulls(patch: pytest.MonkeyPatch) -> None:
    """Leave the decision to exact shapes."""
    right = check.check_pair

    def check_pair(tables: Any, *rest: Any) -> Any:
        tables[1]["hull"] = 0
        return right(tables, *rest)

    patch.setattr(check, "check_pair", check_pair)


def test_an_arm_that_folds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Its tip goes out and comes back along x: it is at rest in the middle of the edge.
    half = 0.4
    points = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * 0.01
    quads = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    lines = [f"v {x} {y} {z}" for x, y, z in points] + ["f " + " ".join(str(i + 1) for i in f) for f in quads]
    (tmp_path / "tip.obj").write_text("\n".join(lines) + "\n")
    text = link("base") + link("upper") + link("tip", '<mesh filename="tip.obj"/>', (1, 0, 0))
    text += joint("revolute", "j1", "base", "upper", (0, 0, 0), "0 0 1")
    text += joint("revolute", "j2", "upper", "tip", (1, 0, 0), "0 0 1")
    (tmp_path / "robot.urdf").write_text(f'<robot name="robot">{text}</robot>')
    world = kc.World(threads=1)
    world.add_robot("arm", kc.read_robot(tmp_path / "robot.urdf"), np.zeros(2))
    X = np.eye(4)
    end = 2.0 * math.cos(half)
    X[0, 3] = end - 0.1
    world.add("wall", kc.Mesh(points * [1.0, 10.0, 10.0], quads), X)
    world.only([("arm/tip", "wall")])
    gap = end - (X[0, 3] + 0.01) - 0.01 * (math.cos(half) + math.sin(half))
    world.set_margin("arm/tip", "wall", gap + 1e-6)
    no_hulls(monkeypatch)
    for sign in (1.0, -1.0):
        q0, q1 = np.array([[-half, 2.0 * half]]) * sign, np.array([[half, -2.0 * half]]) * sign
        assert not world.check_edges("arm", q0, q1, tolerance=1e-4).clear[0]


@pytest.mark.parametrize("place", ["world", "base"])
def test_grazes_of_exact_shapes(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(2):
        case = Case(seed, tmp_path, "mesh", "mesh", place, far=False)
        q0, q1 = (case.q(case.s + k * 2.0**-10)[None] for k in (-1, 1))
        with monkeypatch.context() as patch:
            Faults(patch, up_of(case), 1.0)
            no_hulls(patch)
            edge = case.world.check_edges("arm", q0, q1, tolerance=1e-3)
            assert not edge.clear[0]
            assert edge.t_lo[0] <= 0.5


@pytest.mark.parametrize("which", [0, 1])
def test_hulls_that_fall_short(which: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    right, separate, short = check.check_pair, pairs.separate, 0.02
    seen: list[tuple[float, float]] = []

    def check_pair(tables: Any, arrays: Any, nodes: Any, placed: Any, pair: Any, *rest: Any) -> Any:
        g = (pair.a, pair.b)[which]
        arrays[4][tables[1]["reals"][g, 0] + DEFECT] = short
        tables[1]["slack"][g] = 0.5 * short
        return right(tables, arrays, nodes, placed, pair, *rest)

    def watched(*arguments: Any) -> Any:
        seen.append(arguments[12])
        return separate(*arguments)

    monkeypatch.setattr(check, "check_pair", check_pair)
    monkeypatch.setattr(pairs, "separate", watched)
    for seed in (0, 1, 2):
        case = Case(seed, tmp_path, "box", "box", "world", far=False)
        set_margin(case, max(0.0, float(case.height) - 0.5 * short))
        assert not case.world.check_configurations("arm", case.q(case.s)[None]).free[0]
    assert seen
    assert all(slacks[which] == 0.5 * short for slacks in seen)


@pytest.mark.parametrize("floor", ["box", "mesh"])
def test_no_contact_within_rounding(floor: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # What counts as contact is less by the rounding of poses, which is a thousandth of some metres.
    rounding, seen = check._rounding, []
    monkeypatch.setattr(check, "_rounding", lambda *a: (ALLOWED, *rounding(*a)[1:]))

    def watch(name: str, reach: int, slip: int | None) -> None:
        right = getattr(pairs, name)

        def watched(*arguments: Any) -> Any:
            less = arguments[slip] if slip is not None else 0.0
            seen.append((name, arguments[reach] - less))
            return right(*arguments)

        monkeypatch.setattr(pairs, name, watched)

    watch("inner_balls_meet", 4, None)
    watch("inner_ball_meets_convex", 4, None)
    watch("touches_convex", 7, 8)
    no_hulls(monkeypatch)
    tolerance = 1e-6
    for seed in range(3):
        case = Case(seed, tmp_path, "mesh", floor, "world", far=False)
        q0, q1 = (case.q(case.s + k * 2.0**-10)[None] for k in (-1, 1))
        case.world.check_edges("arm", q0, q1, tolerance=tolerance)
        assert seen
        assert all(limit <= case.margin + tolerance - ALLOWED * 0.5 for _, limit in seen)
        seen.clear()


def test_a_plane_of_hulls_that_fall_short() -> None:
    hull = kc.Convex(ball_mesh(np.random.default_rng(1), n=200)[0])
    F, L = packed(hull)
    assert F[KIND] == WALK
    points, h, slack, moved = hull.vertices, 0.5, 0.05, 0.3
    top, bottom = points[:, 2].max(), points[:, 2].min()
    for spare in (0.02, 0.05, 0.09):
        pose = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, float(top - bottom + moved + spare))
        rest, plane = (0.0, 0.0, 0.0), np.array([((0.0, 0.0, 1.0), -1, -1)], PLANE)[0]
        v, scratch = (0.0, 0.0, -moved / h), np.empty(gjk.MEMORY)
        ended, _ = separation.separate(
            F, L, F, L, pose, rest, rest, rest, v, False, h, plane, (slack, slack), 0.0, moved, -1.0, scratch
        )  # fmt: skip
        assert ended != separation.PROVED
