"""Bisection: first contacts known by hand, its rules, and what it answers at the edges."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import keepclear as kc
from keepclear.motion.trajectory import PoseTrajectory
from keepclear.query.interval import bisection
from keepclear.query.interval.separation import Planes
from keepclear.query.moving.deformed import Placed
from keepclear.query.moving.evaluation import Evaluation, Evaluator
from keepclear.query.moving.overlap import surely_meet
from keepclear.query.moving.question import checked_query
from keepclear.query.moving.results import Feature, FirstContact
from keepclear.results import Verdict

REST = np.eye(4)
BALL = kc.Sphere(0.1)
WALL = kc.Box([0.2, 2.0, 2.0])


def moved(x: float, y: float = 0.0, z: float = 0.0, R: np.ndarray | None = None) -> np.ndarray:
    X = np.eye(4)
    X[:3, 3] = x, y, z
    if R is not None:
        X[:3, :3] = R
    return X


def way(*x: float, times: Any = None) -> PoseTrajectory:
    """Return a motion along the x axis through these places, one second each."""
    return PoseTrajectory(np.arange(len(x)) if times is None else times, [moved(p) for p in x], "linear")


def turned(axis: str, degrees: float) -> np.ndarray:
    return np.asarray(Rotation.from_euler(axis, degrees, degrees=True).as_matrix())


def bisect(a: Any, motion_a: Any, b: Any, motion_b: Any, **options: Any) -> FirstContact:
    return bisection.bisection_first_contact(checked_query(a, motion_a, b, motion_b, **options))


def cube(size: float) -> kc.Mesh:
    corners = size * (np.indices((2, 2, 2)).reshape(3, 8).T - 0.5)
    faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    return kc.Mesh(corners, faces)


def octahedron(radius: float) -> kc.Mesh:
    corners = radius * np.concatenate([np.eye(3), -np.eye(3)])
    rings = ([1, 2, 4, 5], [2, 1, 5, 4])
    faces = [
        [tip, ring[i], ring[(i + 1) % 4]] for tip, ring in ((0, rings[0]), (3, rings[1])) for i in range(4)
    ]
    return kc.Mesh(corners, faces)


BODIES: dict[str, Callable[[], Any]] = {  # each reaches from -0.1 to 0.1 along x
    "sphere": lambda: BALL,
    "box": lambda: kc.Box([0.2, 0.3, 0.1]),
    "capsule": lambda: kc.Capsule(0.1, 0.3),
    "cylinder": lambda: kc.Cylinder(0.1, 0.3),
    "hull": lambda: kc.Convex([[-0.1, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0, -0.1, 0.1], [0, 0, -0.1]]),
    "mesh": lambda: octahedron(0.1),
}
PAIRS = [(a, b) for a in BODIES for b in BODIES if list(BODIES).index(a) <= list(BODIES).index(b)]


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_two_bodies_meet_at_a_known_time(a: str, b: str) -> None:
    """One metre apart at 1 m/s: they touch after 0.8 s, and 0.1 s before that they are 0.1 m apart."""
    k = bisect(BODIES[a](), way(0.0, 1.0), BODIES[b](), moved(1.0), tolerance=0.01)
    assert k.verdict is Verdict.COLLIDING
    assert 0.79 <= k.time <= 0.81
    assert k.t_lo <= 0.8 <= k.t_hi <= 0.83
    assert k.t_lo <= k.time <= k.t_hi
    assert k.distance <= 0.01
    assert k.X_WA is not None
    assert k.X_WA[0, 3] == pytest.approx(k.time)
    assert k.p_W[0] == pytest.approx(0.9, abs=0.02)
    with_margin = bisect(BODIES[a](), way(0.0, 1.0), BODIES[b](), moved(1.0), tolerance=0.01, margin=0.1)
    assert 0.69 <= with_margin.time <= 0.71
    assert bisect(BODIES[a](), way(0.0, 0.79), BODIES[b](), moved(1.0)).verdict is Verdict.CLEAR


def test_far_away_one_distance_is_enough() -> None:
    k = bisect(BALL, way(0.0, 1.0), WALL, moved(5.0))
    assert (k.verdict, k.evaluations, dict(k.counts)) == (Verdict.CLEAR, 1, {"B": 1})
    assert k.t_lo == k.t_hi == 1.0
    assert math.isnan(k.time)


def test_both_ends_together_prove_what_neither_does_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The ball slides along the wall, 0.6 m away on a way of 1 m: 0.6 + 0.6 > 1, but 0.6 < 1."""
    along = PoseTrajectory([0, 1], [moved(0, 0), moved(0, 1)], "linear")
    by_plane = bisect(BALL, along, WALL, moved(0.8))  # it comes no closer to the wall's plane
    assert (by_plane.verdict, by_plane.evaluations) == (Verdict.CLEAR, 1)
    monkeypatch.setattr(Planes, "_plane", lambda *_: None)
    k = bisect(BALL, along, WALL, moved(0.8))
    assert (k.verdict, k.evaluations) == (Verdict.CLEAR, 2)


@pytest.mark.parametrize(("angle", "most"), [(0.0, 1), (90.0, 40)])
def test_sliding_close_by_takes_few_distances(angle: float, most: int) -> None:
    """Two tenths of a millimetre above a table, a metre along it: no point comes any lower, turning or not."""
    slide = PoseTrajectory([0, 1], [moved(0, 0, 0.0502), moved(1, 0, 0.0502, turned("z", angle))], "linear")
    k = bisect(kc.Cylinder(0.1, 0.1), slide, kc.Box([4.0, 4.0, 1.0]), moved(0, 0, -0.5))
    assert k.verdict is Verdict.CLEAR
    assert k.evaluations <= most


def test_two_directions_at_two_ends_prove_nothing() -> None:
    """A point goes (-1, 0) -> (0, 0) -> (0, 1), through the other one: it moves by 1 along each of both normals."""
    around = PoseTrajectory([0, 1, 2], [moved(-1, 0), moved(0, 0), moved(0, 1)], "linear")
    k = bisect(kc.Sphere(1e-3), around, kc.Sphere(1e-3), REST)
    assert k.verdict is Verdict.COLLIDING
    assert k.time == pytest.approx(0.998, abs=2e-4)


def test_a_contact_at_the_end_does_not_end_the_search() -> None:
    """In and out and in again, to stop in contact, as every grasp does."""
    k = bisect(BALL, way(0.0, 0.85, 0.0, 0.85), WALL, moved(1.0), tolerance=1e-3)
    assert k.time == pytest.approx(0.8 / 0.85, abs=2e-3)
    assert k.counts["D"] + k.counts["A"] > 0


def test_the_first_of_several_contacts_is_found() -> None:
    places = 0.805 * (1.0 - np.cos(np.linspace(0.0, 6 * math.pi, 61))) / 2.0
    k = bisect(BALL, way(*places, times=np.linspace(0.0, 6.0, 61)), WALL, moved(1.0), tolerance=1e-4)
    first = next(i for i, x in enumerate(places) if x >= 0.8)
    assert 0.1 * (first - 1) <= k.time <= 0.1 * first


def test_contact_at_the_start() -> None:
    k = bisect(BALL, way(0.85, 0.0), WALL, moved(1.0))
    assert (k.verdict, k.time, k.t_lo, k.t_hi, k.evaluations) == (Verdict.COLLIDING, 0.0, 0.0, 0.0, 1)
    assert k.distance == pytest.approx(-0.05)


def test_touching_at_the_start_is_contact() -> None:
    k = bisect(BALL, way(0.75, 0.0), kc.Box([0.25, 1.0, 1.0]), moved(0.975))
    assert (k.verdict, k.time, k.t_lo) == (Verdict.COLLIDING, 0.0, 0.0)


def test_touching_at_the_end_is_contact() -> None:
    for a in (kc.Sphere(0.125), cube(0.25)):
        k = bisect(a, way(0.0, 0.75), kc.Box([0.25, 1.0, 1.0]), moved(1.0))
        assert k.verdict is Verdict.COLLIDING
        assert 0.75 * (1.0 - k.time) <= 1e-4


def test_meshes_overlap_surely_although_no_faces_cross() -> None:
    """Two cubes in a row: faces that meet lie in each other's planes, or end in them."""
    for shift, sure in ((0.1, True), (0.2, False), (0.05, True)):
        answer = kc.distance(cube(0.2), REST, cube(0.2), moved(shift))
        assert answer.state is kc.State.INTERFERING
        assert surely_meet(Placed(cube(0.2), REST), Placed(cube(0.2), moved(shift)), answer, 1e-14) is sure


@pytest.mark.parametrize("a", ["sphere", "box", "mesh"])
def test_both_at_rest(a: str) -> None:
    apart = bisect(BODIES[a](), REST, WALL, moved(0.3), t0=0.0, t1=10.0)
    assert (apart.verdict, apart.evaluations, apart.t_hi) == (Verdict.CLEAR, 1, 10.0)
    near = bisect(BODIES[a](), REST, WALL, moved(0.2 + 1e-6), tolerance=1e-4)
    assert near.verdict is Verdict.CLEAR  # a distance that is proved is not a contact, whatever the tolerance
    within = bisect(BODIES[a](), REST, WALL, moved(0.3), margin=0.2, t0=3.0, t1=10.0)
    assert (within.verdict, within.time, within.t_hi) == (Verdict.COLLIDING, 3.0, 3.0)
    inside = bisect(BODIES[a](), REST, kc.Box([1, 1, 1]), REST)
    assert (inside.verdict, inside.time, inside.t_hi) == (Verdict.COLLIDING, 0.0, 0.0)


def test_a_near_miss_is_proved_clear() -> None:
    passing = PoseTrajectory([0, 1], [moved(-0.02, 0.1 + 1e-5), moved(0.03, 0.1 + 1e-5)], "linear")
    k = bisect(BALL, passing, kc.Sphere(1e-9), moved(0.0, -1e-9), tolerance=1e-6)
    assert k.verdict is Verdict.CLEAR


def test_leaving_what_is_almost_touched_is_clear() -> None:
    """A nanometre away at the start, a corner turns away from a wall while others turn towards it."""
    away = PoseTrajectory([0, 1], [moved(-0.2 - 1e-9, 0, 0), moved(-0.5, 0, 0, turned("z", 80.0))], "screw")
    k = bisect(kc.Box([0.2, 0.2, 0.2]), away, WALL, moved(0.0))
    assert (k.verdict, k.evaluations < 200) == (Verdict.CLEAR, True)


def test_a_thin_plate_is_not_missed() -> None:
    """A spinning cube of 5 cm through a plate of 1 mm: a corner or an edge meets it within 0.1 m of the centre."""
    turns = [moved(0.02 * i, 0.0, 0.5 - 0.1 * i, turned("y", 130.0 * i)) for i in range(11)]
    k = bisect(kc.Box([1.0, 1.0, 0.001]), REST, cube(0.05), PoseTrajectory(range(11), turns, "screw"))
    assert k.verdict is Verdict.COLLIDING
    assert 4.0 < k.time < 5.0
    assert k.t_lo <= k.time <= k.t_hi < k.time + 0.01


def test_only_relative_motion_counts() -> None:
    """Two bodies 1 cm apart make a long journey together; seen from each other they hardly move."""
    places = [moved(3.0 * i, math.sin(i), 0.5 * i, turned("z", 40.0 * i)) for i in range(6)]
    ball = PoseTrajectory(range(6), places, "screw")
    wall = PoseTrajectory(range(6), [X @ moved(0.21) for X in places], "screw")
    k = bisect(BALL, ball, WALL, wall)
    assert (k.verdict, k.evaluations) == (Verdict.CLEAR, 1)


def test_two_that_spin_in_their_places_do_not_come_closer() -> None:
    """Seen from one, the other one makes a circle of 2 m around it; in the world neither gets anywhere."""
    spin = [
        PoseTrajectory(range(4), [moved(x, 0, 0, turned(axis, 100.0 * i)) for i in range(4)], "screw")
        for x, axis in ((0.0, "z"), (2.0, "y"))
    ]
    k = bisect(kc.Box([0.2, 0.2, 0.2]), spin[0], kc.Box([0.2, 0.3, 0.2]), spin[1])
    assert k.verdict is Verdict.CLEAR
    assert k.evaluations <= 2


def test_bodies_may_be_swapped_and_moved_together() -> None:
    common = moved(10.0, -3.0, 2.0, turned("x", 77.0))
    motion = PoseTrajectory([0, 1], [moved(0.0), moved(1.0, 0.1, 0.0, turned("z", 100.0))], "screw")
    shape = kc.Box([0.3, 0.05, 0.05])
    plain = bisect(shape, motion, WALL, moved(0.8), tolerance=1e-5)
    swapped = bisect(WALL, moved(0.8), shape, motion, tolerance=1e-5)
    carried = PoseTrajectory([0, 1], common @ motion.X_W, "screw")
    together = bisect(shape, carried, WALL, common @ moved(0.8), tolerance=1e-5)
    assert plain.verdict is Verdict.COLLIDING
    assert swapped.time == pytest.approx(plain.time, abs=1e-4)
    assert together.time == pytest.approx(plain.time, abs=1e-4)
    assert np.allclose(swapped.normal_W, -plain.normal_W, atol=1e-6)


def test_the_budget_leaves_an_interval_and_more_of_it_decides() -> None:
    passing = PoseTrajectory([0, 1], [moved(-1.0, 0.2), moved(1.0, 0.2, 0.0, turned("z", 120.0))], "linear")
    few = bisect(kc.Box([0.2, 0.2, 0.2]), passing, kc.Sphere(0.02), REST, budget=4)
    assert (few.verdict, few.evaluations) == (Verdict.UNDECIDED, 4)
    assert 0.0 <= few.t_lo < few.t_hi == 1.0
    assert math.isnan(few.time)
    more = bisect(kc.Box([0.2, 0.2, 0.2]), passing, kc.Sphere(0.02), REST, budget=100)
    assert more.verdict is Verdict.CLEAR
    assert 4 < more.evaluations < 100


def test_a_contact_that_was_seen_decides_when_the_budget_ends() -> None:
    k = bisect(BALL, way(0.0, 0.85), WALL, moved(1.0), budget=2)
    assert (k.verdict, k.t_lo, k.time, k.t_hi) == (Verdict.COLLIDING, 0.0, 1.0, 1.0)


@pytest.mark.parametrize("width", [1e-3, 1e-6])
def test_a_time_tolerance_narrows_the_bracket(width: float) -> None:
    """At 1 cm/s a tolerance of 0.1 mm is 10 ms; the ball spins, so that its way exceeds what it comes closer by."""
    steps = [moved(0.01 * i, 0.0, 0.0, turned("z", 100.0 * i)) for i in range(3)]
    slow = PoseTrajectory([0, 1, 2], steps, "linear")
    ball = kc.Box([0.2, 0.02, 0.02])
    plain = bisect(ball, slow, WALL, moved(0.20))
    narrow = bisect(ball, slow, WALL, moved(0.20), time_tolerance=width)
    assert plain.verdict is narrow.verdict is Verdict.COLLIDING
    assert narrow.t_hi - narrow.t_lo <= width
    assert plain.t_lo <= narrow.t_lo <= narrow.time <= narrow.t_hi <= plain.t_hi


def test_no_instant_is_evaluated_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[float] = []
    plain = Evaluator.at

    def at(self: Evaluator, t: float) -> Evaluation:
        seen.append(t)
        return plain(self, t)

    monkeypatch.setattr(Evaluator, "at", at)
    k = bisect(BALL, way(0.0, 0.9, 0.2, 0.9), WALL, moved(1.0), time_tolerance=1e-6)
    assert len(seen) == len(set(seen)) == k.evaluations


def test_every_interval_has_a_status() -> None:
    k = bisect(BALL, way(0.0, 1.0), WALL, moved(1.0))
    assert set(k.counts) <= {status.name for status in bisection.Status}
    # Every distance but those at the two ends halves an interval, apart from those that prove the contact at the end.
    intervals = sum(k.counts.values())
    assert intervals <= 1 + 2 * (k.evaluations - 2)


def test_a_time_before_or_after_the_motion_is_rest() -> None:
    k = bisect(BALL, way(0.0, 0.5), WALL, moved(1.0), t0=-3.0, t1=5.0)
    assert (k.verdict, k.t_hi) == (Verdict.CLEAR, 5.0)
    assert k.holds == "sphere is held before 0 s and after 1 s"
    later = bisect(BALL, way(0.0, 0.5), WALL, way(2.0, 1.0, 0.7, times=[2.0, 4.0, 5.0]), tolerance=1e-3)
    assert later.time == pytest.approx(5.0, abs=5e-3)  # the ball is held at 0.5 m, the wall arrives at 0.7 m


def test_features_are_those_that_touch() -> None:
    steps = [moved(0.0, 0, 0, turned("z", 45.0)), moved(1.0, 0, 0, turned("z", 45.0))]
    k = bisect(
        kc.Box([0.1, 0.1, 0.1]), PoseTrajectory([0, 1], steps, "linear"), kc.Box([0.2, 1, 1]), moved(0.5)
    )
    assert k.features == (Feature("edge", (4, 5)), Feature("face", (0,)))
    mesh = cube(0.1)
    k = bisect(mesh, way(0.0, 1.0), kc.Box([0.2, 1, 1]), moved(0.5))
    assert k.features[0].kind == "face"
    assert mesh.vertices[mesh.faces[k.features[0].index[0]], 0].max() == 0.05


def quarter_turn() -> PoseTrajectory:
    """Return a quarter of a turn about z in one cubic segment: between samples points are up to 0.3 % off."""
    X = [moved(0, 0, 0, turned("z", angle)) for angle in (0.0, 30.0, 60.0, 90.0)]
    return PoseTrajectory([0, 1, 2, 3], X, max_deviation=0.02)


def farthest(motion: PoseTrajectory, points: np.ndarray, radius: float, times: np.ndarray) -> np.ndarray:
    """Return how far along y points with a ball around each reach under the matrices at some times."""
    M = motion.pose(times)[:, 1]
    return np.asarray((M[:, :3] @ points.T).max(axis=1) + M[:, 3] + radius * np.linalg.norm(M[:, :3], axis=1))


@pytest.mark.parametrize("kind", ["box", "hull", "mesh", "sphere", "capsule", "sphere beside a mesh"])
def test_a_cubic_deforms_its_body_and_that_is_the_truth(kind: str) -> None:
    """A plate lies 0.4 mm beyond, or before, what the deformed body reaches; the rigid body is millimetres off."""
    c = np.array([[1.0, 1.0, 0.0], [1.0, 0.9, 0.0], [0.9, 1.0, 0.1], [0.95, 0.95, -0.1]])
    bodies: dict[str, tuple[Any, np.ndarray, float]] = {
        "hull": (kc.Convex(c), c, 0.0),
        "mesh": (kc.Mesh(c, [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]]), c, 0.0),
        "box": (kc.Box([2.0, 0.1, 0.1]), np.array([[1.0, s, 0.05] for s in (-0.05, 0.05)]), 0.0),
        "sphere": (kc.Sphere(1.0), np.zeros((1, 3)), 1.0),
        "capsule": (kc.Capsule(0.8, 0.5), np.array([[0, 0, -0.25], [0, 0, 0.25]]), 0.8),
        "sphere beside a mesh": (kc.Sphere(1.0), np.zeros((1, 3)), 1.0),
    }
    shape, points, radius = bodies[kind]
    motion, times = quarter_turn(), np.linspace(0.0, 3.0, 3001)
    reached = farthest(motion, points, radius, times)
    reach, when = float(reached.max()), float(times[reached.argmax()])
    options = {"tolerance": 3e-4, "t0": max(0.0, when - 0.02), "t1": min(3.0, when + 0.03)}
    plate = cube(0.5) if kind == "sphere beside a mesh" else kc.Box([4.0, 0.5, 4.0])
    clear = bisect(shape, motion, plate, moved(0.0, reach + 0.25 + 4e-4), **options)
    assert clear.verdict is Verdict.CLEAR
    assert clear.deviation > 2e-3
    meets = bisect(shape, motion, plate, moved(0.0, reach + 0.25 - 4e-4), **options)
    assert meets.verdict is Verdict.COLLIDING
    assert reach - 4e-4 - farthest(motion, points, radius, np.array([meets.time]))[0] <= 3e-4
    assert meets.p_W[1] == pytest.approx(reach - 4e-4, abs=5e-4)  # on the plate, or in what they share
    assert np.isnan(meets.normal_W).all() or np.allclose(meets.normal_W, [0.0, 1.0, 0.0], atol=1e-3)


def test_a_ball_that_is_deformed_too_much_beside_a_mesh_is_refused() -> None:
    """With a margin of 20 cm even the stretching of that distance exceeds the tolerance."""
    with pytest.raises(
        kc.TrajectoryError,
        match=r"deforms it by up to .* too much to decide a margin of 0\.2 m beside a mesh",
    ):
        bisect(kc.Sphere(1.0), quarter_turn(), cube(0.5), moved(0.0, 2.0), tolerance=5e-5, margin=0.2)
