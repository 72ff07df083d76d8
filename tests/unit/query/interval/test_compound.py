"""Compounds over an interval of time: the earliest of their parts, and never more proved than of each pair."""

from __future__ import annotations

import itertools
import pickle
from typing import Any

import numpy as np
import pytest
from numba import config

import keepclear as kc

HERE = np.eye(4)
TETRAHEDRON = kc.Mesh(
    [[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]
)


def at(x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Any:
    X = np.eye(4)
    X[:3, 3] = x, y, z
    return X


def random_pose(rng: np.random.Generator, size: float) -> Any:
    X = np.eye(4)
    X[:3, :3] = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    X[:3, :3] *= np.sign(np.linalg.det(X[:3, :3]))
    X[:3, 3] = rng.uniform(-size, size, 3)
    return X


def moving(rng: np.random.Generator, interpolation: Any, size: float = 2.0) -> kc.PoseTrajectory:
    X_W = np.array([random_pose(rng, size) for _ in range(2)])
    if interpolation == "cubic":  # close to each other, or a cubic would deform the body
        X_W = kc.PoseTrajectory([0.0, 1.0], X_W, "screw").pose(np.linspace(0.0, 1.0, 31))
        return kc.PoseTrajectory(np.linspace(0.0, 1.0, 31), X_W, "cubic", max_deviation=0.1)
    return kc.PoseTrajectory([0.0, 1.0], X_W, interpolation)


CUT = [(kc.Box([1, 0.6, 0.4]), at(-0.5)), (kc.Box([1, 0.6, 0.4]), at(0.5))]
WHOLE = kc.Box([2, 0.6, 0.4])


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="half a minute without compiled kernels")
@pytest.mark.parametrize("interpolation", ["screw", "linear", "cubic"])
@pytest.mark.parametrize("seed", range(8))
def test_a_box_cut_in_two_touches_when_the_whole_does(interpolation: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    motion, other = moving(rng, interpolation), [kc.Sphere(0.3), kc.Cylinder(0.2, 0.8), TETRAHEDRON][seed % 3]
    still = random_pose(rng, 1.0)
    whole, cut = kc.first_contact(WHOLE, motion, other, still), kc.first_contact(CUT, motion, other, still)
    assert cut.verdict is whole.verdict
    least, most = kc.clearance(WHOLE, motion, other, still), kc.clearance(CUT, motion, other, still)
    assert most.lower <= least.upper
    assert least.lower <= most.upper
    assert most.upper - most.lower <= 1e-4
    if whole.verdict is kc.Verdict.COLLIDING:
        assert cut.t_lo <= cut.time <= cut.t_hi
        assert max(cut.t_lo, whole.t_lo) <= min(cut.t_hi, whole.t_hi) + 1e-3
        assert cut.parts[0] in (0, 1)
        assert cut.parts[1] == -1
        assert np.allclose(cut.X_WA, motion.pose(cut.time), atol=1e-9)
        assert np.allclose(cut.X_WB, still)
        assert "(part " in cut.names[0]
        p_A = np.linalg.inv(cut.X_WA) @ [*cut.p_W, 1.0]
        assert (p_A[0] - 1e-3 <= 0.0) if cut.parts[0] == 0 else (p_A[0] + 1e-3 >= 0.0)
    else:
        assert (cut.t_lo, cut.t_hi) == (1.0, 1.0)
        times = np.linspace(0.0, 1.0, 6)
        curves = least.profile(times), most.profile(times)
        assert np.allclose(curves[0].upper, curves[1].upper, atol=2e-3 if interpolation == "cubic" else 1e-9)
        assert (curves[1].lower_between <= np.minimum(curves[0].upper[1:], curves[0].upper[:-1]) + 2e-3).all()


def test_the_earliest_pair_of_parts_answers() -> None:
    X_W = np.array([at(-5.0), at(5.0)])
    train = kc.PoseTrajectory([0.0, 10.0], X_W, "linear")
    wagons = [(kc.Sphere(0.5), at(x=-2.0 * k)) for k in range(4)]
    gates = [
        (kc.Box([0.1, 1, 1]), at(y=9.0)),
        (kc.Box([0.1, 1, 1]), at(x=2.0)),
        (kc.Box([0.1, 1, 1]), at(x=-2.0)),
    ]
    found = kc.first_contact(wagons, train, gates, HERE)
    assert found.parts == (0, 2)
    assert found.t_lo <= 2.45 <= found.t_hi + 1e-4
    assert found.normal_W == pytest.approx([1.0, 0.0, 0.0], abs=1e-6)
    assert found.p_W == pytest.approx([-2.05, 0.0, 0.0], abs=1e-3)
    assert found.to_dict()["parts"] == [0, 2]
    for a, X in wagons:
        alone = [kc.first_contact([(a, X)], train, b, Y) for b, Y in gates]
        assert all(k.verdict is kc.Verdict.CLEAR or k.t_hi >= found.t_lo for k in alone)


@pytest.mark.parametrize("budget", [1, 2, 3, 5, 8, 13, 30, 80])
def test_a_budget_for_all_parts_never_ends_clear(budget: int) -> None:
    """Each pair alone is clear after a few distances; all 16 of them need more than the budget has."""
    rng = np.random.default_rng(2)
    motion = moving(rng, "screw")
    parts = [(kc.Box([0.2, 0.2, 0.2]), at(x=0.4 * k)) for k in range(4)]
    fence = [(kc.Cylinder(0.1, 2.0), at(x=0.5 * k, y=6.0)) for k in range(4)]
    free = kc.first_contact(parts, motion, fence, HERE)
    assert free.verdict is kc.Verdict.CLEAR
    found = kc.first_contact(parts, motion, fence, HERE, budget=budget)
    if found.verdict is kc.Verdict.CLEAR:
        assert found.evaluations >= 16  # at least one for each pair of parts
        assert found.evaluations <= budget
    else:
        assert found.verdict is kc.Verdict.UNDECIDED
        assert found.t_lo < found.t_hi == 1.0
    close = kc.clearance(parts, motion, fence, HERE, budget=budget)
    least = kc.clearance(parts, motion, fence, HERE)
    assert close.lower <= least.upper
    assert least.lower <= close.upper


def test_a_late_contact_with_little_budget_keeps_what_is_not_proved() -> None:
    """The first pair touches at the end, and the budget has nothing left for the second, which touches before."""
    X_W = np.array([at(-5.0), at(5.0)])
    train = kc.PoseTrajectory([0.0, 10.0], X_W, "linear")
    gates = [(kc.Box([0.1, 1, 1]), at(x=4.0)), (kc.Box([0.1, 1, 1]), at(x=1.0))]
    full = kc.first_contact(kc.Sphere(0.5), train, gates, HERE)
    assert full.time == pytest.approx(5.45, abs=1e-3)
    for budget in range(1, full.evaluations + 3):
        found = kc.first_contact(kc.Sphere(0.5), train, gates, HERE, budget=budget)
        assert found.verdict is not kc.Verdict.CLEAR
        assert found.t_lo <= 5.45


def test_batches_take_compounds_beside_other_cases() -> None:
    rng = np.random.default_rng(7)
    cases: list[Any] = []
    for k in range(12):
        body: Any = [CUT, WHOLE, kc.Sphere(0.4), TETRAHEDRON][k % 4]
        cases.append((body, moving(rng, "screw"), [CUT, kc.Capsule(0.1, 1.0)][k % 2], random_pose(rng, 1.0)))
    found = kc.first_contact_batch(cases, threads=2)
    assert len(set(found.verdict)) == 2
    for case, result in zip(cases, found, strict=True):
        alone = kc.first_contact(*case)
        assert (alone.verdict, alone.parts) == (result.verdict, result.parts)
        assert alone.t_lo == result.t_lo
    with pytest.raises(kc.ArgumentError, match=r"cases\[1\]: a compound needs at least one part"):
        kc.first_contact_batch([cases[1], ([], HERE, kc.Sphere(1), HERE)])


def test_sampling_and_bisection_take_compounds() -> None:
    rng = np.random.default_rng(0)
    motion = moving(rng, "screw", 0.5)
    whole = kc.first_contact(CUT, motion, TETRAHEDRON, HERE, method="bisection")
    assert whole.verdict is kc.Verdict.COLLIDING
    sampled = kc.first_contact(CUT, motion, TETRAHEDRON, HERE, method="sampling", samples=50)
    assert sampled.verdict is kc.Verdict.COLLIDING
    assert not sampled.safe


def test_far_from_the_frame_rounding_is_allowed_for() -> None:
    """A ball 1e5 m from its frame's origin rolls towards a wall: positions are rounded to 1e-11 m."""
    X_AP = at(1e5, 2e5, -1e5)
    X_W = np.array([at(0.0), at(2.0)]) @ np.linalg.inv(X_AP)
    rolling = kc.PoseTrajectory([0.0, 2.0], X_W, "screw")
    for start in itertools.islice(np.linspace(1.3, 1.7, 9), 9):
        found = kc.first_contact(
            [(kc.Sphere(0.1), X_AP)], rolling, kc.Box([0.2, 2, 2]), at(start), tolerance=1e-5
        )
        assert found.t_lo <= start - 0.2 + 1e-9
        assert found.t_hi >= start - 0.2 - 1e-4
    with pytest.raises(kc.ArgumentError, match="finer than double precision"):
        kc.first_contact([(kc.Sphere(0.1), X_AP)], rolling, kc.Box([0.2, 2, 2]), HERE, tolerance=1e-8)


def test_a_round_part_beside_the_origin_of_a_linear_motion() -> None:
    """Its origin goes straight while the body turns: the part moves along no screw and no line."""
    X_W = np.array([at(0.0), at(1.0)])
    X_W[1, :2, :2] = [[0, -1], [1, 0]]
    motion = kc.PoseTrajectory([0.0, 1.0], X_W, "linear")
    times = np.linspace(0.0, 1.0, 4001)
    path = motion.pose(times) @ at(1.0)
    low = path[:, 1, 3].max() + 0.1
    for gap, verdict in ((1e-3, "CLEAR"), (-1e-3, "COLLIDING")):
        ceiling = at(y=low + gap + 0.05)
        found = kc.first_contact([(kc.Sphere(0.1), at(1.0))], motion, kc.Box([9, 0.1, 9]), ceiling)
        assert found.verdict.name == verdict


def test_every_result_has_parts() -> None:
    """Least distances of convex bodies, whose closest points are found when asked for, had none."""
    X_W = np.array([at(3.0), at(5.0)])
    motion = kc.PoseTrajectory([0.0, 1.0], X_W, "linear")
    for other in (kc.Sphere(0.5), TETRAHEDRON):
        for found in (kc.clearance(WHOLE, HERE, other, motion), kc.first_contact(WHOLE, HERE, other, motion)):
            assert found.parts == (-1, -1)
            assert found.to_dict()["parts"] == [-1, -1]
            assert pickle.loads(pickle.dumps(found)).parts == (-1, -1)
