"""A plane that is said to separate two moving hulls does so at every instant."""

import numpy as np
import pytest
from numba.core import config
from tests.oracles.poses import random_pose, unit_vector

import keepclear as kc
from keepclear.geometry.shapes.packed import packed
from keepclear.kernels.convex import gjk, support
from keepclear.kernels.edges.separation import CLOSE, PROVED, UNPROVED, is_apart, separate
from keepclear.kernels.tables.robot import PLANE
from keepclear.scene.robots.robot_tables import largest_slack

REST = (0.0, 0.0, 0.0)
NO_PLANE = np.array([(REST, -1, -1)], PLANE)

pytestmark = pytest.mark.skipif(
    not config.DISABLE_JIT, reason="inner kernels, which only kernels call, are tested as Python"
)


def pose_tuple(X: np.ndarray) -> tuple[float, ...]:
    return (*X[:3, :3].ravel().tolist(), *X[:3, 3].tolist())


def hull(rng: np.random.Generator, n: int) -> kc.Convex:
    d = rng.normal(size=(n, 3))
    return kc.Convex(d / np.linalg.norm(d, axis=1)[:, None] * rng.uniform(0.1, 0.4, size=3))


@pytest.mark.parametrize("seed", range(20))
def test_a_proof_holds_for_all_points_at_all_times(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = hull(rng, 60), hull(rng, 80)
    (FA, LA), (FB, LB) = packed(a), packed(b)
    slacks = largest_slack(FA, LA), largest_slack(FB, LB)
    proved = 0
    for _ in range(20):
        X = random_pose(rng, 0.0)
        X[:3, 3] = unit_vector(rng) * rng.uniform(0.3, 1.2)
        spin_b, v_b = tuple(rng.normal(size=3) * 0.5), tuple(rng.normal(size=3) * 0.3)
        moves_a = bool(rng.random() < 0.5)
        spin_a, v_a = (
            (tuple(rng.normal(size=3) * 0.5), tuple(rng.normal(size=3) * 0.3)) if moves_a else (REST, REST)
        )
        h, needed, plane = 0.5, float(rng.uniform(0.0, 0.05)), NO_PLANE.copy()[0]
        ended, _ = separate(
            FA, LA, FB, LB, pose_tuple(X), spin_a, spin_b, v_a, v_b, moves_a, h, plane, slacks, needed, 10.0, -1.0,
            np.empty(gjk.MEMORY),
        )  # fmt: skip
        if ended != PROVED:
            continue
        proved += 1
        d = plane.direction
        p = b.vertices @ X[:3, :3].T
        for s in np.linspace(-h, h, 9):
            moved_b = p + X[:3, 3] + s * (np.array(v_b) + np.cross(spin_b, p))
            moved_a = a.vertices + s * (np.array(v_a) + np.cross(spin_a, a.vertices))
            assert (moved_b @ d).min() - (moved_a @ d).max() > needed - 1e-12
    assert proved > 3


def test_near_and_far_hulls_are_told_apart() -> None:
    (FA, LA), (FB, LB) = packed(kc.Box([1.0, 1.0, 1.0])), packed(kc.Box([1.0, 1.0, 1.0]))

    def ask(x: float, needed: float, contact: float) -> int:
        plane, X = NO_PLANE.copy()[0], np.eye(4)
        X[0, 3] = x
        given = pose_tuple(X), REST, REST, REST, REST, False, 0.0, plane, (0.0, 0.0), needed, 0.0, contact
        return int(separate(FA, LA, FB, LB, *given, np.empty(gjk.MEMORY))[0])

    assert ask(1.2, 0.1, 0.0) == PROVED
    assert ask(1.2, 0.3, 0.1) == UNPROVED
    assert ask(1.2, 0.3, 0.25) == CLOSE
    assert ask(0.9, 0.0, 0.0) == CLOSE


@pytest.mark.parametrize("seed", range(20))
def test_hulls_that_overlap_end_a_search_soon(seed: int) -> None:
    rng = np.random.default_rng(seed)
    (FA, LA), (FB, LB) = packed(hull(rng, 60)), packed(hull(rng, 80))
    plane, M = NO_PLANE.copy()[0], np.empty(gjk.MEMORY)
    still = REST, REST, REST, REST, False, 0.0
    X = pose_tuple(random_pose(rng, 0.02))
    ended, best = separate(FA, LA, FB, LB, X, *still, plane, (0.0, 0.0), 0.0, 0.0, 0.0, M)
    assert ended == CLOSE
    assert best <= 0.0


def test_an_instant_needs_one_pair_of_support_points() -> None:
    (FA, LA), (FB, LB) = packed(kc.Sphere(0.1)), packed(kc.Cylinder(0.2, 1.0))
    X = np.eye(4)
    X[0, 3] = 1.0
    given = pose_tuple(X), REST, REST, REST, REST, False, 0.0, (1.0, 0.0, 0.0), (-1, -1), (0.0, 0.0)
    assert is_apart(FA, LA, FB, LB, *given, 0.79)
    assert not is_apart(FA, LA, FB, LB, *given, 0.81)


def test_the_largest_slack_bounds_that_of_every_direction() -> None:
    rng = np.random.default_rng(5)
    for n in (100, 300):
        F, L = packed(hull(rng, n))
        assert F[support.KIND] == support.WALK
        most = largest_slack(F, L)
        assert 0.0 < most < 1e-12
        points = F[support.HEADER : support.HEADER + 3 * int(F[support.COUNT])].reshape(-1, 3)
        for _ in range(300):
            d = unit_vector(rng)
            k = int(np.argmax(points @ d))
            slack = support.walk_slack(F, L, *d, k)
            assert slack <= most
    F, L = packed(kc.Box([1.0, 1.0, 1.0]))
    assert largest_slack(F, L) == 0.0
