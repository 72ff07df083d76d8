"""Pairs of moving bodies for the kernels: least distances of many convex pairs, and of single faces of meshes."""

from __future__ import annotations

import math

import numpy as np

import keepclear as kc
from keepclear.continuous.moving_pair import ConvexPairs, ConvexStore, MovingPair
from keepclear.continuous.query import checked_query
from keepclear.kernels.advance.swept_leaf import FOUND, LOWER, NOW, UNPROVED
from keepclear.motions.motion import Motion

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


def pairs(budget: int | None = None) -> ConvexPairs:
    n = len(CASES)
    return ConvexPairs(ConvexStore(BODIES, MOTIONS), CASES, np.zeros(n), np.ones(n), (0.0, 1e-4), budget)


def test_least_distances_of_many_pairs() -> None:
    """A ball past a box at 10 and 30 cm, through it, and a box past a box at 30 cm; each the same as alone."""
    found = pairs().run_least(0, 4, np.full(4, math.inf), np.full(4, math.nan))
    assert found.proved.all()
    assert (found.upper - found.lower <= 1e-4).all()
    for k, (true, (a, ma, b, mb)) in enumerate(zip((0.1, 0.3, 0.0, 0.3), CASES, strict=True)):
        assert found.lower[k] <= true <= found.upper[k] + 1e-12
        alone = kc.clearance(BODIES[a], MOTIONS[ma], BODIES[b], MOTIONS[mb])
        assert abs(found.upper[k] - alone.upper) <= 1e-4
        assert 0.0 <= found.time[k] <= 1.0
    assert found.effort.min() >= 1


def test_least_distances_as_far_as_they_are_of_interest() -> None:
    below = np.array([0.05, 1.0, 1.0, 0.2])
    found = pairs().run_least(0, 4, below, np.full(4, 0.45))
    assert found.upper[[0, 3]].tolist() == [0.05, 0.2]
    assert (found.lower[[0, 3]] >= [0.05 - 1e-4, 0.2 - 1e-4]).all()
    assert found.lower[1] <= 0.3 <= found.upper[1]
    assert found.upper[2] <= 1e-4


def test_a_budget_leaves_no_lower_bound() -> None:
    found = pairs(budget=2).run_least(0, 2, np.full(2, math.inf), np.full(2, math.nan))
    assert found.lower.tolist() == [0.0, 0.0]
    assert (found.upper >= [0.1, 0.3]).all()
    assert found.proved.all()


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
            least.append(pair.answer[FOUND])
            assert pair.answer[FOUND] - pair.answer[LOWER] <= 1e-6
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
            assert MovingPair.of(checked_query(a, ma, b, mb)).keeps_out(0.0) is expected
            assert expected or kc.first_contact(a, ma, b, mb).time == 0.0


def test_pairs_are_followed_until_a_horizon() -> None:
    """Pair 2 collides at 0.364 s; others are followed for 0.1 s more, and pair 3, which comes later, as long."""
    some = pairs()
    horizon = some.run_until(0, 4, math.inf, 0.1)
    assert horizon == some.answers[2, NOW] + 0.1
    assert some.answers[[0, 1], NOW].tolist() == [1.0, 1.0]  # they came first
    assert some.answers[3, NOW] == horizon
    assert some.have_stopped.tolist() == [False, False, True, False]
    some.begin_again(np.array([2]), np.array([0.9]))
    assert some.run_until(0, 4, math.inf, 0.0) == math.inf
    assert some.answers[:, NOW].tolist() == [1.0] * 4
    assert (some.answers[[0, 1, 3], UNPROVED] == 0.0).all()
