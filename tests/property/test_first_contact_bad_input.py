"""Bad motions and bad questions about them: one clear error of the library's own, which names the thing."""

import math

import numpy as np
import pytest
from tests.oracles.motion_poses import turn
from tests.oracles.poses import pose

import keepclear as kc

HERE = np.eye(4)
BALL = kc.Sphere(0.5)
BOX = kc.Box([1, 1, 1])


def shift(x: float) -> np.ndarray:
    return pose(np.eye(3), (x, 0, 0))


def poses(n: int) -> np.ndarray:
    return np.array([shift(3.0 - k) for k in range(n)])


def with_entry(value: float) -> np.ndarray:
    X = poses(3)
    X[1, 0, 3] = value
    return X


REFLECTED = np.array([HERE, np.diag([1.0, 1.0, -1.0, 1.0]), HERE])
SHEARED = np.array([HERE, [[1, 0.5, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], HERE])
LAST_ROW = np.array([HERE, [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 1, 1]], HERE])
HALF_TURN = np.array([HERE, pose(np.diag([-1.0, -1.0, 1.0]), (0, 0, 0))])

TRAJECTORIES = {
    "unsorted": (([0, 2, 1], poses(3), "linear"), r"times\[2\]"),
    "repeated": (([0, 1, 1], poses(3), "screw"), r"times\[2\]"),
    "nan time": (([0, math.nan, 2], poses(3), "linear"), r"times"),
    "infinite time": (([0, 1, math.inf], poses(3), "linear"), r"times"),
    "too few times": (([0, 1], poses(3), "linear"), r"times|poses|X_W"),
    "too many times": (([0, 1, 2, 3], poses(3), "linear"), r"times|poses|X_W"),
    "times in a table": (([[0, 1, 2]], poses(3), "linear"), r"times"),
    "times in words": ((["a", "b", "c"], poses(3), "linear"), r"times"),
    "no times": (([], np.zeros((0, 4, 4)), "linear"), r"times|X_W"),
    "one pose": (([0, 1, 2], HERE, "linear"), r"X_W"),
    "3 x 3": (([0, 1], np.array([np.eye(3)] * 2), "linear"), r"X_W"),
    "nan pose": (([0, 1, 2], with_entry(math.nan), "linear"), r"X_W\[1\]"),
    "infinite pose": (([0, 1, 2], with_entry(math.inf), "screw"), r"X_W\[1\]"),
    "reflection": (([0, 1, 2], REFLECTED, "linear"), r"X_W\[1\]"),
    "shear": (([0, 1, 2], SHEARED, "screw"), r"X_W\[1\]"),
    "last row": (([0, 1, 2], LAST_ROW, "linear"), r"X_W\[1\]"),
    "half a turn": (([0, 1], HALF_TURN, "screw"), r"turn"),
    "half a turn, straight": (([0, 1], HALF_TURN, "linear"), r"turn"),
    "cubic of 3": (([0, 1, 2], poses(3), "cubic"), r"cubic|4|3n"),
    "cubic of 5": ((range(5), poses(5), "cubic"), r"cubic|4|3n"),
    "cubic of 6": ((range(6), poses(6), "cubic"), r"cubic|4|3n"),
    "cubic, uneven": (([0, 1, 2.5, 3], poses(4), "cubic"), r"times\[|spaced"),
    "cubic reflection": ((range(4), np.concatenate([REFLECTED, [HERE]]), "cubic"), r"X_W\[1\]"),
    "unknown interpolation": (([0, 1], poses(2), "quintic"), r"quintic"),
    "interpolation of no words": (([0, 1], poses(2), 3), r"3"),
}


@pytest.mark.parametrize("name", TRAJECTORIES)
def test_bad_trajectories(name):
    arguments, message = TRAJECTORIES[name]
    with pytest.raises(kc.KeepclearError, match=message) as caught:
        kc.PoseTrajectory(*arguments)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("hold", ["never", 0, None, ("before",)])
def test_bad_holds(hold):
    with pytest.raises(kc.KeepclearError, match="hold"):
        kc.PoseTrajectory([0, 1], poses(2), "linear", hold=hold)


@pytest.mark.parametrize("limit", [-1.0, math.nan, "much", None])
def test_bad_limits_of_deviation(limit):
    with pytest.raises(kc.KeepclearError, match="max_deviation"):
        kc.PoseTrajectory(range(4), poses(4), max_deviation=limit)


@pytest.mark.parametrize(
    "X", [REFLECTED[1], SHEARED[1], LAST_ROW[1], np.full((4, 4), math.nan), np.eye(3), "here", None]
)
def test_bad_poses_at_rest(X):
    with pytest.raises(kc.KeepclearError):
        kc.Fixed(X)
    with pytest.raises(kc.KeepclearError):
        kc.first_contact(BALL, X, BOX, HERE)


WAY = kc.PoseTrajectory([0, 1], poses(2), "linear")
OPTIONS = {
    "negative margin": ({"margin": -0.1}, "margin"),
    "nan margin": ({"margin": math.nan}, "margin"),
    "infinite margin": ({"margin": math.inf}, "margin"),
    "margin in words": ({"margin": "wide"}, "margin"),
    "no tolerance": ({"tolerance": 0.0}, "tolerance"),
    "negative tolerance": ({"tolerance": -1e-4}, "tolerance"),
    "nan tolerance": ({"tolerance": math.nan}, "tolerance"),
    "infinite tolerance": ({"tolerance": math.inf}, "tolerance"),
    "tolerance of a kind": ({"tolerance": True}, "tolerance"),
    "tolerance of nothing": ({"tolerance": None}, "tolerance"),
    "no time tolerance": ({"time_tolerance": 0.0}, "time_tolerance"),
    "negative time tolerance": ({"time_tolerance": -1.0}, "time_tolerance"),
    "no budget": ({"budget": 0}, "budget"),
    "negative budget": ({"budget": -5}, "budget"),
    "half a budget": ({"budget": 10.5}, "budget"),
    "budget in words": ({"budget": "all"}, "budget"),
    "back in time": ({"t0": 0.8, "t1": 0.2}, "t0|t1"),
    "nan start": ({"t0": math.nan}, "t0"),
    "infinite end": ({"t1": math.inf}, "t1"),
    "end in words": ({"t1": "later"}, "t1"),
    "unknown method": ({"method": "guess"}, "guess"),
    "method of no words": ({"method": 3}, "method"),
    "no samples": ({"method": "sampling", "samples": 0}, "samples"),
    "half a sample": ({"method": "sampling", "samples": 2.5}, "samples"),
    "samples for a proof": ({"method": "bisection", "samples": 10}, "samples"),
}


@pytest.mark.parametrize("name", OPTIONS)
def test_bad_options(name):
    options, message = OPTIONS[name]
    with pytest.raises(kc.KeepclearError, match=message) as caught:
        kc.first_contact(BALL, WAY, BOX, HERE, **options)
    assert isinstance(caught.value, ValueError)
    with pytest.raises(kc.KeepclearError, match=message):
        kc.first_contact_batch([(BALL, WAY, BOX, kc.Fixed(HERE))], **options)


@pytest.mark.parametrize(
    "name", [n for n, (o, _) in OPTIONS.items() if set(o) <= {"tolerance", "budget", "t0", "t1"}]
)
def test_bad_options_of_clearance(name):
    options, message = OPTIONS[name]
    with pytest.raises(kc.KeepclearError, match=message):
        kc.clearance(BALL, WAY, BOX, HERE, **options)


@pytest.mark.parametrize("wrong", [None, 3, "box", [1, 2, 3], np.eye(4), kc.Sphere])
def test_bodies_that_are_none(wrong):
    for asked in (kc.first_contact, kc.clearance):
        for arguments in ((wrong, WAY, BOX, HERE), (BALL, WAY, wrong, HERE)):
            with pytest.raises(kc.KeepclearError):
                asked(*arguments)


@pytest.mark.parametrize(
    "wrong", [None, 3, "still", [1, 2, 3], np.zeros((4, 4)), np.eye(4)[None].repeat(2, 0)]
)
def test_motions_that_are_none(wrong):
    for asked in (kc.first_contact, kc.clearance):
        for arguments in ((BALL, wrong, BOX, HERE), (BALL, WAY, BOX, wrong)):
            with pytest.raises(kc.KeepclearError):
                asked(*arguments)


def test_trajectories_that_do_not_hold():
    """Without a hold, asking beyond the times is an error that names the time; within them it is not."""
    early = kc.PoseTrajectory([0, 1], poses(2), "linear", hold="none")
    late = kc.PoseTrajectory([2, 3], poses(2), "linear", hold="none")
    for asked in (kc.first_contact, kc.clearance):
        with pytest.raises(kc.TrajectoryError, match="hold"):
            asked(BALL, early, BOX, late)
        with pytest.raises(kc.TrajectoryError, match="hold"):
            asked(BALL, early, BOX, HERE, t1=2.0)
        asked(BALL, early, BOX, HERE, t0=0.2, t1=0.8)
    after = kc.PoseTrajectory([0, 1], poses(2), "linear", hold="after")
    assert kc.first_contact(BALL, after, BOX, HERE, t1=2.0).verdict is kc.Verdict.CLEAR
    with pytest.raises(kc.TrajectoryError, match="hold"):
        kc.first_contact(BALL, after, BOX, HERE, t0=-1.0)


def test_cubics_that_deform_are_refused_with_advice():
    """A quarter of a turn in one cubic segment is millimetres off at one metre; a smaller body, or more samples, do."""
    quarter = [pose(turn((0, 0, 1), a), (0, 0, 0)) for a in np.linspace(0, math.pi / 2, 4)]
    way = kc.PoseTrajectory(range(4), quarter)
    large, far = kc.Box([2, 2, 0.1]), pose(np.eye(3), (0, 0, 5))
    for asked in (kc.first_contact, kc.clearance):
        with pytest.raises(kc.TrajectoryError, match="dens"):
            asked(large, way, BOX, far)
        asked(kc.Box([0.1, 0.1, 0.1]), way, BOX, far)
    allowed = kc.PoseTrajectory(range(4), quarter, max_deviation=0.1)
    answer = kc.first_contact(large, allowed, BOX, far)
    assert answer.verdict is kc.Verdict.CLEAR
    assert 1e-3 < answer.deviation < 0.1


def test_batches_name_the_case_that_is_wrong():
    good = (BALL, WAY, BOX, kc.Fixed(HERE))
    for bad in ((BALL, WAY, BOX), (None, WAY, BOX, HERE), (BALL, "way", BOX, HERE), 7):
        with pytest.raises(kc.KeepclearError, match=r"cases\[1\]"):
            kc.first_contact_batch([good, bad])
    with pytest.raises(kc.KeepclearError, match="cases"):
        kc.first_contact_batch(None)
    assert len(kc.first_contact_batch([])) == 0


def test_profiles_at_bad_times():
    answer = kc.clearance(BALL, WAY, BOX, HERE)
    for times in ([0.5, 0.2], [0.5, 0.5], [0.1, math.nan], [[0.1, 0.2]], "now", [0.0, 5.0]):
        with pytest.raises(kc.KeepclearError, match="times"):
            answer.profile(times)


def test_the_exact_method_is_for_polyhedra_without_a_margin():
    for a, options in ((BALL, {}), (BOX, {"margin": 0.01})):
        with pytest.raises(kc.KeepclearError, match="exact"):
            kc.first_contact(a, WAY, BOX, HERE, method="exact", **options)
