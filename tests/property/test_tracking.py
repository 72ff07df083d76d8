"""Tracking and cold queries of large and awkward hulls: never a missed contact, and a cost that stays flat."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from tests.oracles.exact_convex import signed_distance
from tests.oracles.exact_points import convex
from tests.oracles.hull_bodies import CUBE, ball, cone, graph_faults, gridded_box
from tests.oracles.poses import (
    is_rotation,
    pose,
    random_pose,
    random_rotation,
    rotation_of_quaternion,
    small_rotation,
)

import keepclear as kc

UNIT = 2.0**-53
TURN = random_rotation(np.random.default_rng(1))
SEED = np.random.default_rng(2)
BODIES = {
    "gridded box": gridded_box(12) @ TURN.T,
    "bulge 1e-14": gridded_box(12, 1e-14) @ TURN.T,
    "bulge 1e-13": gridded_box(12, 1e-13),
    "bulge 1e-12": gridded_box(12, 1e-12) @ TURN.T,
    "bulge 1e-11": gridded_box(12, 1e-11),
    "bulge 1e-9": gridded_box(12, 1e-9) @ TURN.T,
    "bulge 1e-6": gridded_box(12, 1e-6),
    "needle": ball(SEED, 200) * [1.0, 1e-6, 1e-6] @ TURN.T,
    "plate": ball(SEED, 200) * [1.0, 1.0, 1e-6] @ TURN.T,
    "cone": cone(500) @ TURN.T,
    "ball": ball(SEED, 1500),
    "cube": 2.0 * CUBE - 1.0,
    "far bulge": gridded_box(12, 1e-9) @ TURN.T + np.array([300.0, -200.0, 100.0]),
}
PAIRS = [(name, "cube") for name in BODIES] + [
    *((name, "ball") for name in ("bulge 1e-12", "bulge 1e-9", "needle", "cone")),
    *((name, name) for name in ("gridded box", "bulge 1e-13", "bulge 1e-11", "bulge 1e-6", "needle", "plate", "cone")),
]  # fmt: skip


@cache
def hull_of(name):
    return kc.Convex(BODIES[name])


def face_normal(rng, hull):
    corners = hull.vertices[hull.triangles[rng.integers(len(hull.triangles))]]
    n = np.cross(corners[1] - corners[0], corners[2] - corners[0])
    return n / np.linalg.norm(n)


def facing(rng, m, n):
    """A rotation that turns m to n, and then by an angle that rounding hides or hardly shows."""
    if 1.0 + m @ n < 1e-6:
        return random_rotation(rng)
    turn = rotation_of_quaternion(np.concatenate([[1.0 + m @ n], np.cross(m, n)]))
    turn = small_rotation(rng, 10.0 ** rng.uniform(-16, -6)) @ turn
    return turn if is_rotation(turn) else random_rotation(rng)


def hard_poses(rng, a, b, n):
    """Poses at gaps from 1 m to a micrometre of overlap: any features, a face, or two faces all but parallel."""
    X_WA, X_WB = [], []
    for k in range(n):
        R_WA = np.eye(3) if k % 3 == 0 else random_rotation(rng)
        normal = rng.normal(size=3) if k % 4 == 0 else face_normal(rng, a)
        normal /= np.linalg.norm(normal)
        away = R_WA @ normal
        R_WB = facing(rng, face_normal(rng, b), -away) if k % 4 >= 2 else random_rotation(rng)
        gap = rng.choice([1.0, 0.1, 1e-3, 1e-6, 1e-9, 1e-12, 0.0, -1e-6])
        step = np.max(a.points @ (R_WA.T @ away)) - np.min(b.points @ (R_WB.T @ away)) + gap
        X_WA.append(pose(R_WA, rng.normal(size=3) * (k % 2)))
        X_WB.append(pose(R_WB, X_WA[-1][:3, 3] + step * away))
    return np.array(X_WA), np.array(X_WB)


def scales(a, X_WA, b, X_WB):
    extents = sum(float(np.linalg.norm(shape.points, axis=1).max()) for shape in (a, b))
    return extents + np.linalg.norm(X_WA[:, :3, 3] - X_WB[:, :3, 3], axis=1)


def gaps_along(a, X_WA, b, X_WB, normals):
    """The gap between all points of A and all of B along each normal [m]; off by a few roundings of the scale."""
    of_a = [np.max(a.points @ (X[:3, :3].T @ n)) for X, n in zip(X_WA, normals, strict=True)]
    of_b = [np.min(b.points @ (X[:3, :3].T @ n)) for X, n in zip(X_WB, normals, strict=True)]
    return np.einsum("ij,ij->i", X_WB[:, :3, 3] - X_WA[:, :3, 3], normals) + of_b - of_a


@pytest.mark.parametrize("tracked", [False, True], ids=["cold", "tracked"])
@pytest.mark.parametrize(("name_a", "name_b"), PAIRS)
def test_lower_is_never_above_the_truth(name_a, name_b, tracked):
    """The gap along the normal, seen by all points, must carry `lower`; where it does not, the oracle decides."""
    rng = np.random.default_rng(3)
    a, b = hull_of(name_a), hull_of(name_b)
    X_WA, X_WB = hard_poses(rng, a, b, 120)
    r = kc.Tracker(a, b).distance(X_WA, X_WB) if tracked else kc.distance(a, X_WA, b, X_WB)
    size = scales(a, X_WA, b, X_WB)
    doubtful = np.flatnonzero(r.lower > gaps_along(a, X_WA, b, X_WB, r.normal_W) + 4 * UNIT * size)
    for k in {*doubtful.tolist(), *rng.integers(120, size=3).tolist()}:
        truth = signed_distance(convex(a.points), X_WA[k], convex(b.points), X_WB[k])
        told = f"frame {k}: {r[k]}, truth {truth}"
        assert Fraction(r.lower[k]) <= truth.upper, told
        assert Fraction(r.upper[k]) >= truth.lower, told


@pytest.mark.parametrize("tracked", [False, True], ids=["cold", "tracked"])
@pytest.mark.parametrize(("name_a", "name_b"), PAIRS)
def test_distances_of_large_hulls_are_accurate(name_a, name_b, tracked):
    """Narrow bounds are accurate by themselves; wide ones are shown to the oracle."""
    rng = np.random.default_rng(3)
    a, b = hull_of(name_a), hull_of(name_b)
    X_WA, X_WB = hard_poses(rng, a, b, 120)
    r = kc.Tracker(a, b).distance(X_WA, X_WB) if tracked else kc.distance(a, X_WA, b, X_WB)
    size = scales(a, X_WA, b, X_WB)
    wrong = []
    for k in np.flatnonzero(r.upper - r.lower > 1e-12 * size):
        truth = signed_distance(convex(a.points), X_WA[k], convex(b.points), X_WB[k])
        off = truth.error(r.distance[k]) / size[k]
        if off > (1e-12 if truth.lower > 0 else 1e-9):
            wrong.append(f"frame {k}: off by {off:.2g} of the scene: {r[k]}, truth {truth}")
    assert not wrong, "\n".join(wrong)


def needle(seed, n, thin):
    return ball(np.random.default_rng(seed), n) * [1.0, thin, thin] @ TURN.T


@pytest.mark.parametrize("thin", [1e-3, 1e-4, 1e-5, 1e-6])
def test_needles_side_by_side(thin):
    """Two needles all but parallel and a hair apart: their difference is a blade that GJK walks along."""
    rng = np.random.default_rng(4)
    wrong, asked = [], 0
    for seed in range(6):
        hull = kc.Convex(needle(seed, (8, 20, 40)[seed % 3], thin))
        X_WA, X_WB = hard_poses(rng, hull, hull, 200)
        r = kc.distance(hull, X_WA, hull, X_WB)
        size = scales(hull, X_WA, hull, X_WB)
        asked += len(r)
        for k in np.flatnonzero(r.upper - r.lower > 1e-12 * size):
            truth = signed_distance(convex(hull.points), X_WA[k], convex(hull.points), X_WB[k])
            off = truth.error(r.distance[k]) / size[k]
            if off > (1e-12 if truth.lower > 0 else 1e-9):
                wrong.append((off, f"seed {seed}, frame {k}: off by {off:.2g}: {r[k]}, truth {truth}"))
    assert not wrong, f"{len(wrong)} of {asked} are wrong; the worst: {max(wrong)[1]}"


def test_two_thin_tetrahedra():
    """The search came within 2.5e-12 m, took the wrong face of the next tetrahedron, and ended at 0.44 m."""
    points = np.array(
        [
            [0.26220466672202747, 0.09259858511904895, 0.6134404865733813],
            [0.05832866146101878, 0.020599867969394836, 0.13646402745598607],
            [0.2297706783601825, 0.08114306771858537, 0.5375604137007031],
            [-0.34074421264267585, -0.12033472486837127, -0.7971888018455502],
        ]
    )
    R_WB = np.array(
        [
            [0.8306565231894657, 0.5566633863157897, -0.011645377547614785],
            [-0.5352979013782722, 0.8041797457919193, 0.25836232937110193],
            [0.15318582592004482, -0.20837660807653527, 0.9659778941278686],
        ]
    )
    X_WA = pose(np.eye(3), (0.9742494560082414, -0.37179205318903635, 0.8710718051633862))
    X_WB = pose(R_WB, (0.974249033305099, -0.3717921859759845, 0.8710720058842821))
    truth = signed_distance(convex(points), X_WA, convex(points), X_WB)
    assert abs(float(truth.lower) - 2.4036e-12) < 1e-15
    result = kc.distance(kc.Convex(points), X_WA, kc.Convex(points), X_WB)
    assert Fraction(result.lower) <= truth.upper
    assert truth.error(result.distance) <= 1e-12 * 1.75


def around(n_vertices, part, frames=1000, away=3.0):
    """B circles A at a distance and turns, each point by at most a part of the vertex spacing per frame."""
    step = part * np.sqrt(4.0 * np.pi / n_vertices)
    t = np.arange(frames) * step / (2.0 * away)
    turns = [rotation_of_quaternion(np.array([np.cos(s), np.sin(s) * 0.6, 0.0, np.sin(s) * 0.8])) for s in t]
    path = away * np.column_stack([np.cos(t), np.sin(t), 0.1 + 0.0 * t])
    return kc.nearest_rigid(np.array([pose(R, p) for R, p in zip(turns, path, strict=True)]))


@cache
def balls(n):
    rng = np.random.default_rng(n)
    return kc.Convex(ball(rng, n)), kc.Convex(ball(rng, n))


SIZES = [100, 1000, 5000, 20_000]


@pytest.mark.parametrize("n", SIZES)
def test_vertices_looked_at_per_frame_do_not_grow(n):
    """Half a vertex spacing per frame: what is near the last closest features is enough, however large the rest."""
    tracker = kc.Tracker(*balls(n))
    tracker.distance(np.eye(4), around(n, 0.5))
    assert tracker.statistics.frames == 1000
    assert tracker.statistics.vertices / 1000 <= 60
    assert tracker.statistics.iterations / 1000 <= 3.0


@pytest.mark.parametrize("n", SIZES)
def test_iterations_at_a_tenth_of_the_spacing(n):
    tracker = kc.Tracker(*balls(n))
    frames = tracker.distance(np.eye(4), around(n, 0.1))
    assert tracker.statistics.iterations / 1000 <= 1.5
    assert tracker.statistics.iterations == int(frames.iterations.sum())
    assert tracker.statistics.vertices / 1000 <= 40


def all_around(rng, n, away=3.0):
    """Poses of B in every direction from A, turned in every way."""
    return np.array([pose(random_rotation(rng), away * p) for p in ball(rng, n)])


def cold_iterations(n, pairs=10):
    rng = np.random.default_rng(n)
    counts = []
    for _ in range(pairs):
        a, b = kc.Convex(ball(rng, n)), kc.Convex(ball(rng, n))
        counts.append(kc.distance(a, np.eye(4), b, all_around(rng, 200)).iterations.mean())
    return float(np.mean(counts))


def test_iterations_of_cold_queries():
    small = [cold_iterations(n) for n in (4, 8, 16, 24, 32)]
    assert np.mean(small) <= 4.0
    assert cold_iterations(2048, pairs=2) <= 7.0


def test_one_call_of_1000_frames_equals_1000_calls():
    """Through contact and out again, on hulls that are walked on."""
    rng = np.random.default_rng(5)
    a, b = kc.Convex(ball(rng, 300)), kc.Convex(ball(rng, 300))
    X_WB = around(300, 0.2)
    X_WB[:, :3, 3] *= np.linspace(1.0, 0.5, 1000)[:, None]
    at_once, one_by_one = kc.Tracker(a, b), kc.Tracker(a, b)
    expected = at_once.distance(np.eye(4), X_WB)
    assert 0 < int(expected.colliding.sum()) < 1000
    single = [one_by_one.distance(np.eye(4), X) for X in X_WB]
    assert b"".join(r._rows[:16].tobytes() for r in single) == expected._rows.tobytes()
    assert at_once.statistics == one_by_one.statistics


def test_threads_change_no_bit_of_large_hulls():
    rng = np.random.default_rng(6)
    a, b = kc.Convex(ball(rng, 300)), kc.Convex(gridded_box(12, 1e-9))
    X_WA, X_WB = (np.array([random_pose(rng, 1.0) for _ in range(300)]) for _ in range(2))
    expected = kc.distance(a, X_WA, b, X_WB)
    assert 50 < int(expected.colliding.sum()) < 250
    for threads in (2, 3):
        again = kc.distance(a, X_WA, b, X_WB, threads=threads)
        assert again._rows.tobytes() == expected._rows.tobytes()


def assert_tracks_well(hull, X_WB, most_vertices):
    """Frames against a small ball: as far away as all points say, and few vertices looked at."""
    tracker = kc.Tracker(hull, kc.Sphere(0.1))
    r = tracker.distance(np.eye(4), X_WB)
    assert not r.colliding.any()
    centre = kc.Convex([[0.0, 0.0, 0.0]])
    X_WA = np.tile(np.eye(4), (len(X_WB), 1, 1))
    gaps = gaps_along(hull, X_WA, centre, X_WB, r.normal_W) - 0.1
    size = scales(hull, X_WA, centre, X_WB)
    assert np.all(r.lower <= gaps + 4 * UNIT * size)
    assert np.all(r.distance <= gaps + 1e-12 * size)  # the normal's plane proves it
    assert tracker.statistics.vertices / len(X_WB) <= most_vertices


def test_an_apex_of_ten_thousand_neighbours():
    """Two cones base to base and a ball that circles them: apex, side, rim, and the other side."""
    hull = kc.Convex(np.concatenate([cone(10_000), [[0.0, 0.0, -1.0]]]) @ TURN.T)
    assert np.diff(hull.graph.neighbour_start).max() == 10_000
    assert hull.graph.proved
    assert next(graph_faults(hull.graph), None) is None
    angles = np.linspace(-2.5, 2.5, 1000)
    X_WB = np.array([pose(np.eye(3), TURN @ (2.5 * np.sin(a), 0.3, 2.5 * np.cos(a))) for a in angles])
    assert_tracks_well(hull, X_WB, 200)


def test_a_finely_gridded_flat_face():
    hull = kc.Convex(gridded_box(50) @ TURN.T)
    x = np.linspace(-2.0, 2.0, 1000)
    X_WB = np.array([pose(np.eye(3), TURN @ (s, 0.5 * s, 1.5)) for s in x])
    assert_tracks_well(hull, X_WB, 30)


def test_a_hardly_curved_fine_grid():
    """Vertices by the thousand in a face that rounding all but flattens: ties everywhere."""
    hull = kc.Convex(gridded_box(40, 1e-7) @ TURN.T)
    assert len(hull.vertices) > 3000
    x = np.linspace(-2.0, 2.0, 1000)
    X_WB = np.array([pose(np.eye(3), TURN @ (s, 0.5 * s, 1.5)) for s in x])
    assert_tracks_well(hull, X_WB, len(hull.vertices) / 10)  # every other frame asks the tree of boxes


def test_a_tracker_is_thrown_anywhere_at_any_scale():
    rng = np.random.default_rng(7)
    points = ball(rng, 150)
    for scale in (1e-6, 1.0, 1e6):
        a, b = kc.Convex(points * scale), kc.Convex(points[::-1] * scale)
        tracker = kc.Tracker(a, b)
        X_WA = np.array([random_pose(rng, scale) for _ in range(150)])
        X_WB = np.array([random_pose(rng, scale * 10.0 ** rng.uniform(0, 3)) for _ in range(150)])
        tracked, cold = tracker.distance(X_WA, X_WB), kc.distance(a, X_WA, b, X_WB)
        size = scales(a, X_WA, b, X_WB)
        assert np.all(np.abs(tracked.distance - cold.distance) <= 1e-12 * size)
        assert np.all(np.maximum(tracked.lower, cold.lower) <= np.minimum(tracked.upper, cold.upper))
