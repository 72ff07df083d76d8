"""Motions of a user's own class: answers like those of the same motion that kernels know, and lies that are caught."""

from __future__ import annotations

import itertools
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import keepclear as kc
from keepclear.motion.custom import CheckedMotion
from keepclear.motion.motion import shifted_motion

HERE = np.eye(4)
TETRAHEDRON = kc.Mesh(
    [[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]
)


class Wrapped(kc.CustomMotion):
    """A trajectory as a user could have written it: between samples its origin and angle have constant speeds."""

    def __init__(self, trajectory: kc.PoseTrajectory, hold: str = "none") -> None:
        super().__init__(trajectory.t_start, trajectory.t_end, hold=hold)
        self.trajectory, times, X_W = trajectory, trajectory.times, trajectory.X_W
        spans = list(itertools.pairwise(times.tolist()))
        self.speeds = np.array([trajectory.path_length(0.0, t0, t1) / (t1 - t0) for t0, t1 in spans])
        traces = np.einsum("kij,kij->k", X_W[1:, :3, :3], X_W[:-1, :3, :3])
        self.turns = np.arccos(np.clip((traces - 1) / 2, -1, 1)) / np.diff(times)

    def pose(self, t: float) -> Any:
        return self.trajectory.pose(t)

    def path_length(self, radius: float, t0: float, t1: float) -> float:
        assert self.t_start <= t0 < t1 <= self.t_end
        times = self.trajectory.times
        during = np.maximum(0.0, np.minimum(times[1:], t1) - np.maximum(times[:-1], t0))
        return float(during @ (self.speeds + self.turns * radius)) * (1 + 1e-9)


class Straight(kc.CustomMotion):
    """1 m/s along x, from x = -1 m on; what tests replace shows whether it is caught."""

    def __init__(self, **changed: Callable[..., Any]) -> None:
        super().__init__(0.0, 2.0, name="feeder")
        self.changed = changed

    def pose(self, t: float) -> Any:
        X = np.eye(4)
        X[0, 3] = t - 1.0
        return self.changed["pose"](t, X) if "pose" in self.changed else X

    def path_length(self, radius: float, t0: float, t1: float) -> Any:
        if "path_length" in self.changed:
            return self.changed["path_length"](radius, t0, t1)
        return (t1 - t0) * (1 + 1e-12)


def random_pose(rng: np.random.Generator, size: float) -> Any:
    X = np.eye(4)
    X[:3, :3] = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    X[:3, :3] *= np.sign(np.linalg.det(X[:3, :3]))
    X[:3, 3] = rng.uniform(-size, size, 3)
    return X


def cases() -> list[tuple[Any, kc.PoseTrajectory, Any, Any]]:
    rng = np.random.default_rng(41)
    bodies = [kc.Box([0.3, 0.2, 0.5]), kc.Sphere(0.2), kc.Cylinder(0.2, 0.6), TETRAHEDRON]
    found = []
    for k in range(24):
        X_WA = np.array([random_pose(rng, 1.0) for _ in range(3)])
        moving = kc.PoseTrajectory([0.0, 0.4, 1.0], X_WA, "screw" if k % 2 else "linear")
        other: Any = random_pose(rng, 1.0)
        if k % 3 == 0:
            other = kc.PoseTrajectory(
                [0.1, 0.9], np.array([random_pose(rng, 1.0) for _ in range(2)]), "screw"
            )
        found.append((bodies[k % 4], moving, bodies[(k // 2) % 4], other))
    return found


@pytest.mark.parametrize("number", range(24))
def test_verdicts_are_those_of_the_same_trajectory(number: int) -> None:
    a, moving, b, other = cases()[number]
    known = kc.first_contact(a, moving, b, other, tolerance=1e-3)
    own = kc.first_contact(a, Wrapped(moving), b, other, tolerance=1e-3)
    swapped = kc.first_contact(b, other, a, Wrapped(moving, hold="both"), tolerance=1e-3)
    for found in (own, swapped):
        assert found.verdict is known.verdict
        if known.verdict is kc.Verdict.COLLIDING:
            # Each bracket holds the first contact, unless one of them found a near miss within the tolerance.
            assert found.t_lo <= known.t_hi + 1e-9
            assert known.t_lo <= found.t_hi + 1e-2
            assert found.distance <= 1e-3
            assert np.allclose(own.X_WA, moving.pose(own.time))
    least, mine = kc.clearance(a, moving, b, other), kc.clearance(a, Wrapped(moving), b, other)
    assert mine.lower <= least.upper
    assert least.lower <= mine.upper
    assert mine.upper - mine.lower <= 1e-4
    if least.lower > 0.0:
        times = np.linspace(0.1, 0.9, 7)
        curve, own_curve = least.profile(times), mine.profile(times)
        assert np.allclose(curve.upper, own_curve.upper, atol=1e-9)
        assert (own_curve.lower_between <= np.minimum(curve.upper[1:], curve.upper[:-1]) + 1e-9).all()


def test_a_budget_ends_undecided_and_never_clear() -> None:
    wall = np.eye(4)
    wall[1, 3] = 0.3
    found = kc.first_contact(kc.Sphere(0.1), Straight(), kc.Box([9, 0.1, 9]), wall, budget=3)
    assert found.verdict is kc.Verdict.UNDECIDED
    assert found.t_lo < found.t_hi == 2.0
    assert kc.first_contact(kc.Sphere(0.1), Straight(), kc.Box([9, 0.1, 9]), wall).verdict is kc.Verdict.CLEAR


def test_a_thin_wall_is_never_passed() -> None:
    """Two mm of wall and ball, passed in 2 ms of 2 s: equally spaced instants miss it."""
    found = kc.first_contact(kc.Sphere(5e-4), Straight(), kc.Box([1e-3, 1, 1]), HERE)
    assert found.verdict is kc.Verdict.COLLIDING
    assert found.t_lo <= 0.999 <= found.t_hi
    assert kc.first_contact(kc.Sphere(5e-4), Straight(), kc.Box([1e-3, 1, 1]), HERE, method="sampling",
                            samples=100).verdict is kc.Verdict.UNDECIDED  # fmt: skip


def test_both_motions_may_be_a_users_own() -> None:
    found = kc.first_contact_batch([(kc.Sphere(0.1), Straight(), kc.Sphere(0.1), Straight()),
                                    (kc.Sphere(0.1), Straight(), kc.Sphere(0.1), HERE)])  # fmt: skip
    assert [v.name for v in found.verdict] == ["COLLIDING", "COLLIDING"]
    assert found[0].time == 0.0
    assert found[1].time == pytest.approx(0.8, abs=1e-3)


def test_times_beyond_the_motion_need_a_hold() -> None:
    with pytest.raises(kc.TrajectoryError, match="ends already at 2 s"):
        kc.first_contact(kc.Sphere(0.1), Straight(), kc.Sphere(0.1), HERE, t1=3.0)
    held = Wrapped(cases()[1][1], hold="both")
    found = kc.first_contact(
        kc.Sphere(0.01), held, kc.Sphere(0.01), 50 * HERE + np.diag([-49, -49, -49, -49]), t1=9.0
    )
    assert "held after 1 s" in found.holds


LIES: dict[str, tuple[dict[str, Any], str]] = {
    "nan pose": ({"pose": lambda t, X: X * np.nan if t > 1.5 else X}, r"not finite"),
    "stretched pose": ({"pose": lambda t, X: X * np.array([1.1, 1, 1, 1]) if t > 1.5 else X}, "not rigid"),
    "many poses": ({"pose": lambda _, X: X[None]}, r"must be one pose \(4, 4\)"),
    "no pose": ({"pose": lambda *_: None}, "pose"),
    "negative length": ({"path_length": lambda _, t0, t1: t0 - t1}, "finite length >= 0"),
    "nan length": ({"path_length": lambda *_: np.nan}, "finite length >= 0"),
    "infinite length": ({"path_length": lambda *_: np.inf}, "finite length >= 0"),
    "no length": ({"path_length": lambda *_: None}, "finite length >= 0"),
    "too short": ({"path_length": lambda _, t0, t1: 0.9 * (t1 - t0)}, "correct that bound"),
    "rest": ({"path_length": lambda *_: 0.0}, "correct that bound"),
    "a jump": ({"pose": lambda t, X: X + 0.5 * (t > 1.0) * np.eye(4, k=3)}, "correct that bound"),
    "a turn": ({"pose": lambda t, X: X @ turned(3.0 * (t > 1.0))}, "correct that bound"),
}


def turned(angle: float) -> Any:
    X = np.eye(4)
    X[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    return X


@pytest.mark.parametrize("lie", LIES)
def test_a_motion_that_contradicts_itself_is_named(lie: str) -> None:
    changed, message = LIES[lie]
    box, wall = kc.Box([0.2, 0.2, 0.2]), np.eye(4)
    wall[1, 3] = 0.5
    with pytest.raises(kc.TrajectoryError, match=rf"Straight 'feeder': .*{message}"):
        kc.first_contact(box, Straight(**changed), kc.Box([9, 0.1, 9]), wall)


def test_two_poses_at_one_instant_are_refused() -> None:
    poses = iter(np.linspace(0.0, 1.0, 1000))
    moody = Straight(pose=lambda _, X: X + next(poses) * np.eye(4, k=3))
    checked = CheckedMotion(moody)
    checked.pose(0.5)
    with pytest.raises(kc.TrajectoryError, match=r"from 0\.5 to 0\.5 s"):
        checked.pose(0.5)


def test_what_is_wrong_with_the_times_is_said_at_once() -> None:
    for times, message in (
        ((1.0, 0.0), "before it starts"),
        ((np.nan, 1.0), "finite time"),
        ((0.0, np.inf), "finite"),
    ):
        with pytest.raises(kc.ArgumentError, match=message):
            Timed(*times)
    with pytest.raises(kc.ArgumentError, match="hold must be one of"):
        Timed(0.0, 1.0, hold="forever")
    with pytest.raises(kc.ArgumentError, match=r"super\(\)\.__init__"):
        kc.first_contact(kc.Sphere(1), Forgetful(), kc.Sphere(1), HERE)
    with pytest.raises(TypeError, match="abstract"):
        kc.CustomMotion(0.0, 1.0)  # type: ignore[abstract]


class Timed(kc.CustomMotion):
    """A body at rest."""

    def pose(self, _: float) -> Any:
        return HERE

    def path_length(self, *_: float) -> float:
        return 0.0


class Forgetful(Timed):
    """It does not say when it moves."""

    def __init__(self) -> None:
        self.speed = 1.0


def test_exact_needs_known_curves() -> None:
    with pytest.raises(kc.ArgumentError, match=r"needs trajectories, but one motion is a kc\.CustomMotion"):
        kc.first_contact(kc.Sphere(1), Straight(), kc.Sphere(1), HERE, method="exact")


def test_worlds_take_it() -> None:
    world = kc.World()
    wall = np.eye(4)
    wall[0, 3] = 0.5
    world.add("wall", kc.Box([0.01, 1, 1]), wall)
    world.add("far", kc.Box([0.01, 1, 1]), 30 * (wall - HERE) + HERE)
    world.add(
        "part", [(kc.Sphere(0.05), turned(0.0)), (TETRAHEDRON.scaled(0.1), at(0.0, 0.0, 0.2))], Straight()
    )
    report = world.verify()
    assert report.verdict is kc.Verdict.COLLIDING
    assert "between two poses are those that the class Straight 'feeder' gives" in str(report.assumptions)
    (hit,) = [pair for pair in report.pairs if pair.verdict is kc.Verdict.COLLIDING]
    assert {hit.a, hit.b} == {"wall", "part"}
    assert hit.time == pytest.approx(1.395, abs=2e-3)  # the tetrahedron reaches 0.1 m
    (free,) = [pair for pair in report.pairs if {pair.a, pair.b} == {"far", "part"}]
    assert (free.verdict, free.proof) == (kc.Verdict.CLEAR, "swept boxes")
    found = world.first_contact("wall", "part")
    assert found.t_lo <= 1.395 <= found.t_hi + 2e-4
    assert world.collisions(1.45) == (("part", "wall"),)
    assert world.collisions(0.2) == ()
    assert [pair.b for pair in world.distances(0.0, far=2.0)] == ["wall"]
    world.remove("wall")
    assert world.verify().verdict is kc.Verdict.CLEAR


def test_worlds_agree_with_the_same_trajectory() -> None:
    for number in (0, 5, 9, 14, 22):
        a, moving, b, other = cases()[number]
        verdicts, least = [], []
        for motion in (moving, Wrapped(moving, hold="both")):
            world = kc.World()
            world.add("a", a, motion)
            world.add("b", b, other)
            report = world.verify(tolerance=1e-3)
            verdicts.append(report.verdict)
            lower, upper = report.pairs[0].clearance_lower, report.pairs[0].clearance_upper
            least.append((lower, np.inf if upper is None else upper))
        assert verdicts[0] is verdicts[1]
        if verdicts[0] is kc.Verdict.CLEAR:
            assert least[0][0] <= least[1][1]
            assert least[1][0] <= least[0][1]


def test_a_liar_is_named_in_a_world() -> None:
    world = kc.World()
    world.add("wall", kc.Box([0.01, 1, 1]), HERE)
    world.add("part", kc.Sphere(0.1), Straight(path_length=lambda *_: 0.0))
    with pytest.raises(kc.TrajectoryError, match="Straight 'feeder'"):
        world.verify()


def test_a_path_tolerance_in_time_is_refused() -> None:
    world = kc.World()
    world.add("wall", kc.Box([0.01, 1, 1]), at(5.0))
    world.add("part", kc.Sphere(0.1), Straight())
    world.set_path_tolerance("part", time=0.1)
    with pytest.raises(kc.ArgumentError, match="not possible with a user-defined motion"):
        world.verify()


def at(x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Any:
    X = np.eye(4)
    X[:3, 3] = x, y, z
    return X


def test_shifted_motions_travel_no_farther_than_they_say() -> None:
    rng = np.random.default_rng(3)
    for _, moving, _, _ in cases()[:8]:
        X = random_pose(rng, 2.0)
        for original in (moving, CheckedMotion(Wrapped(moving))):
            shifted = shifted_motion(original, X, 1.0)
            times = np.linspace(0.0, 1.0, 400)
            poses = shifted.pose(times)
            assert np.allclose(poses, moving.pose(times) @ X, atol=1e-12)
            corner = poses[:, :3, :3] @ [0.1, 0.2, 0.3] + poses[:, :3, 3]
            walked = np.linalg.norm(np.diff(corner, axis=0), axis=1).sum()
            box = kc.Box([0.2, 0.4, 0.6])
            assert walked <= shifted.path_length(box, 0.0, 1.0)
            if original is moving:
                assert shifted.path_length(box, 0.0, 1.0) <= 2.0 * walked + 1.0
    assert pickle.loads(pickle.dumps(shifted)).pose(0.3) == pytest.approx(shifted.pose(0.3))


def test_a_bound_that_does_not_shrink_ends_without_a_proof() -> None:
    class Lazy(kc.CustomMotion):
        def pose(self, t: float) -> Any:
            X = np.eye(4)
            X[0, 3] = t
            return X

        def path_length(self, _radius: float, _t0: float, _t1: float) -> float:
            return 10.0

    wall = np.eye(4)
    wall[0, 3] = 5.0
    found = kc.clearance(kc.Sphere(0.1), Lazy(0.0, 1.0), kc.Sphere(0.1), wall)
    assert found.lower == 0.0
    assert found.upper == pytest.approx(3.8)


def test_it_says_what_it_is() -> None:
    """Also before its __init__ has run, as a debugger may ask then."""
    assert repr(Timed(0, 2.5)) == "Timed(from 0 to 2.5 s)"
    assert repr(Straight()) == "Straight('feeder' from 0 to 2 s)"
    assert repr(Forgetful()) == "Forgetful(without times)"
