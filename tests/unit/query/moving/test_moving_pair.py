"""Pairs of moving bodies for the kernels: least distances of many convex pairs, and of single faces of meshes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from tests.unit.kernels.advance.hull_searches import reached, windows_of

import keepclear as kc
from keepclear.kernels.advance import mesh_convex
from keepclear.kernels.advance.boxes import WINDOW
from keepclear.kernels.motion.state import STATE
from keepclear.kernels.tables.pair import Pairs, forget_answers, new_pairs
from keepclear.motion.motion import Motion
from keepclear.query.moving.moving_pair import BodyTable, MovingPair
from keepclear.query.moving.question import checked_query

REST = kc.Fixed(np.eye(4))


def moved(x: float, y: float = 0.0, z: float = 0.0) -> np.ndarray:
    X = np.eye(4)
    X[:3, 3] = x, y, z
    return X


def passing(y: float) -> kc.PoseTrajectory:
    return kc.PoseTrajectory([0.0, 1.0], [moved(-1, y), moved(1.2, y)], "linear")


BODIES = [kc.Box([0.2, 0.2, 0.2]), kc.Sphere(0.1)]
MOTIONS: list[Motion] = [REST, passing(0.3), passing(0.5), passing(0.0)]
CASES = np.array([[0, 0, 1, 1], [1, 2, 0, 0], [0, 0, 1, 3], [0, 0, 0, 2]])


def pairs_of(store: BodyTable, cases: Any, t1: float = 1.0) -> Pairs:
    """Prepared pairs from time 0 on: for each the numbers of A, its motion, B and its motion."""
    rows = new_pairs(len(cases))
    for name, column in zip(("shape_a", "motion_a", "shape_b", "motion_b"), np.array(cases).T, strict=True):
        rows[name] = column
    rows["t1"], rows["tolerance"] = t1, 1e-4
    store.prepare(rows)
    return rows


def least(below: float | np.ndarray, hint: float = math.nan, budget: int | None = None) -> np.ndarray:
    store = BodyTable(BODIES, MOTIONS)
    rows = pairs_of(store, CASES)
    rows["hint"] = hint
    store.least(rows, budget, below)
    return rows


def test_least_distances_of_many_pairs() -> None:
    """A ball past a box at 10 and 30 cm, through it, and a box past a box at 30 cm; each the same as alone."""
    found = least(math.inf)
    lower, upper = found["lower"], found["distance"]
    assert (found["unproved"] == 0).all()
    assert (upper - lower <= 1e-4).all()
    for k, (true, (a, ma, b, mb)) in enumerate(zip((0.1, 0.3, 0.0, 0.3), CASES, strict=True)):
        assert lower[k] <= true <= upper[k] + 1e-12
        alone = kc.clearance(BODIES[a], MOTIONS[ma], BODIES[b], MOTIONS[mb])
        assert abs(upper[k] - alone.upper) <= 1e-4
        assert 0.0 <= found["time"][k] <= 1.0
    assert found["evaluations"].min() >= 1


def test_least_distances_as_far_as_they_are_of_interest() -> None:
    found = least(np.array([0.05, 1.0, 1.0, 0.2]), 0.45)
    lower, upper = found["lower"], found["distance"]
    assert upper[[0, 3]].tolist() == [math.inf, math.inf]  # nothing so close was found
    assert (lower[[0, 3]] >= [0.05 - 1e-4, 0.2 - 1e-4]).all()
    assert lower[1] <= 0.3 <= upper[1]
    assert upper[2] <= 1e-4


def test_a_budget_leaves_no_lower_bound() -> None:
    found = least(math.inf, budget=2)[:2]
    assert found["lower"].tolist() == [0.0, 0.0]
    assert (found["distance"] >= [0.1, 0.3]).all()
    assert (found["unproved"] == 0).all()


def test_pairs_without_shapes_have_no_bounds_and_are_not_advanced() -> None:
    """Their numbers are -1: a kernel that read the last shape instead would prove them clear."""
    store = BodyTable(BODIES, MOTIONS)
    for search in ("least", "advance"):
        rows = pairs_of(store, CASES)
        rows["shape_a"][:2] = -1
        store.prepare(rows)
        getattr(store, search)(rows, None, *((0.5,) if search == "least" else ()))
        assert rows["unproved"].tolist() == [1, 1, 0, 0]
        assert rows["now"][:2].tolist() == [0.0, 0.0]
        if search == "least":
            assert rows["lower"][:2].tolist() == [0.0, 0.0]
            assert rows["distance"][:2].tolist() == [math.inf, math.inf]


OUTLINE = (-1, 1), (-0.5, 1), (-0.5, 0), (0.5, 0), (0.5, 1), (1, 1), (1, -1), (-1, -1)
TROUGH = kc.Mesh(
    [[x, y, z] for y in (-1, 1) for x, z in OUTLINE],
    [[0, 1, 9, 8], [1, 2, 10, 9], [2, 3, 11, 10], [3, 4, 12, 11], [4, 5, 13, 12], [5, 6, 14, 13], [6, 7, 15, 14],
     [7, 0, 8, 15]],
    solid=False,
)  # fmt: skip
"""The sides of a trough along y: its floor is at z = 0 between walls at x = 0.5 and -0.5, which end at z = 1."""


Pair = tuple[BodyTable, Pairs]


def beside_the_trough(ball: kc.PoseTrajectory) -> Pair:
    """A ball of 0.1 m beside the hull of the trough; the third body is the surface of the trough."""
    store = BodyTable([kc.Convex(TROUGH.vertices), kc.Sphere(0.1), TROUGH], [REST, ball])
    return store, pairs_of(store, [[0, 0, 1, 1]])


def test_surfaces_reach_what_hulls_do_where_these_lie_on_them() -> None:
    """Above a wall, which ends where the hull does: 0.2 m, at the lowest instant whatever it begins with."""
    ball = kc.PoseTrajectory([0.0, 1.0], [moved(0.75, 0, 2.3), moved(0.75, 0, 1.3)], "linear")
    pair = beside_the_trough(ball)
    at_end, time = reached(*pair, [2, 1], 1.0, 0.2 + 1e-9, 1e-4)
    assert time == 1.0
    assert 0.2 <= at_end <= 0.2 + 1e-9
    found, time = reached(*pair, [2, 1], 0.3, 0.0, 1e-4)
    assert 0.2 - 1e-12 <= found <= 0.2 + 1e-4
    assert time > 0.999
    enough, time = reached(*pair, [2, 1], 0.3, 5.0, 1e-4)
    assert time == 0.3
    assert abs(enough - 0.9) < 1e-9


def test_surfaces_reach_less_than_hulls_above_a_trough() -> None:
    """In the trough, inside of its hull, towards a wall: 0.5 - 0.3 - 0.1 m, which is a local minimum at the end."""
    ball = kc.PoseTrajectory([0.0, 1.0], [moved(0.0, 0, 0.6), moved(0.3, 0, 0.6)], "linear")
    pair = beside_the_trough(ball)
    found, time = reached(*pair, [2, 1], 0.4, 0.0, 1e-5)
    assert 0.1 - 1e-12 <= found <= 0.1 + 1e-4
    assert time > 0.99
    swapped = BodyTable([kc.Sphere(0.1), kc.Convex(TROUGH.vertices), TROUGH], [ball, REST])
    again, _ = reached(swapped, pairs_of(swapped, [[0, 0, 1, 1]]), [0, 2], 0.4, 0.0, 1e-5)
    assert abs(again - found) <= 1e-4


def test_nothing_is_reached_where_a_motion_deforms() -> None:
    turned = moved(0.3, 0.3)
    turned[:2, :2] = [[0.0, -1.0], [1.0, 0.0]]
    ball = kc.PoseTrajectory([0, 1 / 3, 2 / 3, 1], [moved(0), moved(0.2), moved(0.2, 0.1), turned], "cubic")
    pair = beside_the_trough(ball)
    assert reached(*pair, [2, 1], 0.5, 0.0, 1e-5)[0] == math.inf


def test_windows_hold_all_times_at_which_a_pair_is_near() -> None:
    """Ball past box and back: within 0.15 m while |x| is small, in two windows; outside they are proved farther."""
    there_and_back = kc.PoseTrajectory(
        [0.0, 1.0, 2.0], [moved(-1, 0.3), moved(1, 0.3), moved(-1, 0.3)], "linear"
    )
    store = BodyTable(BODIES, [REST, there_and_back])
    found = pairs_of(store, [[0, 0, 1, 1]], 2.0)
    t = np.linspace(0.0, 2.0, 4001)
    x = 2.0 * np.abs(t - np.round(t / 2.0) * 2.0) - 1.0
    gaps = np.hypot(np.maximum(np.abs(x) - 0.1, 0.0), 0.2) - 0.1
    for limit, count in ((0.05, 0), (0.15, 2), (0.3, 2), (2.0, 1)):
        windows = windows_of(store, found, 0, limit, 1e-3)
        assert len(windows) == count
        inside = np.zeros(len(t), dtype=bool)
        for t0, t1 in windows:
            assert 0.0 <= t0 <= t1 <= 2.0
            inside |= (t >= t0) & (t <= t1)
        assert (gaps[~inside] >= limit).all()
        if count == 2:
            assert inside.mean() < 0.6


def test_one_face_of_a_mesh() -> None:
    """The floor has two faces; the one that is far from the ball's path is farther from it."""
    floor = kc.Mesh([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], [[0, 1, 2], [0, 2, 3]])
    above = kc.PoseTrajectory([0.0, 1.0], [moved(0.5, -0.5, 1.0), moved(0.5, -0.5, 0.4)], "linear")
    for a, ma, b, mb, faces in (
        (floor, REST, BODIES[1], above, ([0, -1], [1, -1])),
        (BODIES[1], above, floor, REST, ([-1, 0], [-1, 1])),
    ):
        query, least = checked_query(a, ma, b, mb, tolerance=1e-6), []
        for which in faces:
            pair = MovingPair.of_faces(query, which)
            assert pair is not None
            pair.run(None)
            least.append(pair.row["distance"][0])
            assert pair.row["distance"][0] - pair.row["lower"][0] <= 1e-6
        assert abs(least[0] - 0.3) <= 1e-6
        assert abs(least[1] - (math.hypot(0.4, math.sqrt(0.5)) - 0.1)) <= 1e-6
        assert MovingPair.of_faces(query, [-1, -1]) is None
        assert MovingPair.of_faces(query, [2, 2]) is None


def test_a_body_that_starts_outside_the_box_around_a_mesh() -> None:
    """A ball beside a cube of 1 m as a mesh: inside it, in its box, touching it, and 1e-5 m away; also at a corner."""
    hull = kc.Convex(np.array(np.meshgrid([0, 1], [0, 1], [0, 1])).reshape(3, -1).T)
    mesh = kc.Mesh(hull.vertices, hull.triangles)
    diagonal = 1.0 + 0.1 / math.sqrt(3.0)
    places = [((0.5, 0.5, 0.5), False), ((1.05, 0.5, 0.5), False), ((1.1, 0.5, 0.5), False)]
    places += [((1.1 + 1e-5, 0.5, 0.5), True), ((-3.0, 0.2, 0.1), True), ((diagonal + 1e-3,) * 3, True)]
    for place, expected in places:
        flight = kc.PoseTrajectory([0.0, 1.0], [moved(*place), moved(5, 5, 5)], "linear")
        for a, ma, b, mb in ((mesh, REST, BODIES[1], flight), (BODIES[1], flight, mesh, REST)):
            pair = MovingPair.of(checked_query(a, ma, b, mb))
            (SA, _, NA, _), ball = pair.bodies_as_arrays()
            size, work = pair.row["scale"].item(), np.empty(WINDOW + 2 * STATE + 32)
            assert mesh_convex.keeps_out(SA, NA, *ball, *pair.packs, size, 0.0, work) is expected
            assert expected or kc.first_contact(a, ma, b, mb).time == 0.0


def test_pairs_are_advanced_until_a_horizon() -> None:
    """Pair 2 collides at 0.364 s; others are advanced for 0.1 s more, and pair 3, which comes later, as long."""
    store = BodyTable(BODIES, MOTIONS)
    rows = pairs_of(store, CASES)
    horizon = store.advance(rows, None, within=0.1)
    assert horizon == rows["now"][2] + 0.1
    assert rows["now"][[0, 1]].tolist() == [1.0, 1.0]  # they came first
    assert rows["now"][3] == horizon
    assert (rows["time"] < math.inf).tolist() == [False, False, True, False]
    forget_answers(rows, np.array([2]), 0.9)
    assert store.advance(rows, None, within=0.0) == math.inf
    assert rows["now"].tolist() == [1.0] * 4
    assert (rows["unproved"][[0, 1, 3]] == 0).all()
