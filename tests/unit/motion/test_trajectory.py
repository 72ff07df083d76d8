"""Trajectories through poses: what is between the samples, what is beyond them, and what is refused in which words."""

from __future__ import annotations

import math
import pickle
from typing import Any

import numpy as np
import pytest
from tests.oracles.poses import pose, random_pose, rotation_of_quaternion

from keepclear.errors import ArgumentError, PoseError, TrajectoryError
from keepclear.geometry.pose import nearest_rigid
from keepclear.motion.trajectory import PoseTrajectory, all_between

KINDS = ("cubic", "screw", "linear")


def turn(angle: float, axis: tuple[float, float, float] = (0, 0, 1), p: Any = (0, 0, 0)) -> np.ndarray:
    half = 0.5 * angle
    return pose(rotation_of_quaternion(np.array([math.cos(half), *(math.sin(half) * np.array(axis))])), p)


def some_poses(n: int, seed: int = 1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.array([random_pose(rng, 1.0) for _ in range(n)])


@pytest.mark.parametrize("kind", KINDS)
def test_it_goes_through_its_samples(kind: Any) -> None:
    times, X_W = np.arange(7.0) * 0.5, some_poses(7)
    motion = PoseTrajectory(times, X_W, kind)
    # The coefficients of a cubic are together up to 111 times as large as its values, and each is rounded.
    limit = 111 * 2.0**-53 * np.abs(X_W).max() if kind == "cubic" else 1e-15
    assert np.abs(motion.pose(times) - X_W).max() <= limit
    assert np.abs(motion.pose(np.nextafter(times[1:], 0.0)) - X_W[1:]).max() <= limit + 1e-14
    assert (motion.t_start, motion.t_end, motion.interpolation, motion.hold) == (0.0, 3.0, kind, "both")
    assert motion.knots.tolist() == (times[::3] if kind == "cubic" else times).tolist()
    assert np.array_equal(motion.times, times)
    assert motion.X_W.tobytes() == X_W.tobytes()


def test_a_screw_turns_and_slides_evenly_about_its_axis() -> None:
    # Half a turn less a bit about the axis x = 1, y = 0, and 3 m along it.
    X_W = [turn(0.0), turn(3.0, p=(1 - math.cos(3.0), -math.sin(3.0), 3.0))]
    motion = PoseTrajectory([0, 1], X_W, "screw")
    for s in (0.1, 0.5, 0.9):
        expected = turn(3.0 * s, p=(1 - math.cos(3.0 * s), -math.sin(3.0 * s), 3.0 * s))
        assert np.abs(motion.pose(s) - expected).max() <= 2e-15


def test_a_linear_motion_goes_straight_and_turns_evenly() -> None:
    motion = PoseTrajectory([2, 4], [turn(0.2, p=(1, 2, 3)), turn(2.2, p=(3, 2, -1))], "linear")
    assert np.abs(motion.pose(2.5) - turn(0.7, p=(1.5, 2, 2))).max() <= 1e-15


def test_a_cubic_motion_is_the_cubic_of_each_entry() -> None:
    X_W = some_poses(4)
    motion = PoseTrajectory([0, 1, 2, 3], X_W)
    t = np.array([0.25, 1.5, 2.75])
    expected = np.polynomial.polynomial.polyval(
        t, np.polynomial.polynomial.polyfit(range(4), X_W.reshape(4, 16), 3)
    )
    assert np.abs(motion.pose(t) - expected.T.reshape(3, 4, 4)).max() <= 1e-13


def test_one_sample_is_rest() -> None:
    X_W = some_poses(1)
    for kind in ("screw", "linear"):
        motion = PoseTrajectory([2.0], X_W, kind)  # type: ignore[arg-type]
        assert np.array_equal(motion.pose([1, 2, 3]), np.repeat(X_W, 3, axis=0))
        assert motion.knots.tolist() == [2.0]
        assert motion.path_length(1.0, 0, 5) == 0.0
    assert np.array_equal(PoseTrajectory([2.0], X_W[0], "screw").pose(2.0), X_W[0])


@pytest.mark.parametrize("kind", KINDS)
def test_beyond_its_times_it_stands_still(kind: Any) -> None:
    motion = PoseTrajectory([0, 1, 2, 3], some_poses(4), kind)
    assert np.array_equal(motion.pose(-5.0), motion.pose(0.0))
    assert np.array_equal(motion.pose(50.0), motion.pose(3.0))
    assert motion.path_length(1.0, -9, 9) == motion.path_length(1.0, 0, 3)
    assert motion.path_length(1.0, 3, 9) == motion.displacement(1.0, -9, 0) == 0.0


@pytest.mark.parametrize(
    ("hold", "before", "after"),
    [("both", True, True), ("before", True, False), ("after", False, True), ("none", False, False)],
)
def test_hold_says_where_it_may_be_asked(hold: Any, before: bool, after: bool) -> None:
    motion = PoseTrajectory([1, 2], some_poses(2), "screw", hold=hold, name="lift")
    for t, allowed, words in (
        (0.5, before, "before its first time 1 s"),
        (2.5, after, "after its last time 2 s"),
    ):
        if allowed:
            motion.pose(t)
            motion.path_length(0.1, min(t, 1.5), max(t, 1.5))
        else:
            message = f"trajectory 'lift': its hold is '{hold}', so it has no pose at {t} s, {words};"
            with pytest.raises(TrajectoryError, match=message):
                motion.pose([1.5, t])
            with pytest.raises(TrajectoryError, match=message):
                motion.path_length(0.1, min(t, 1.5), max(t, 1.5))
    motion.pose([1, 2])


def test_it_is_a_value_that_never_changes() -> None:
    X_W = some_poses(2)
    motion = PoseTrajectory([0, 1], X_W, "screw", hold="after", max_deviation=0.25, name="lift")
    X_W[0, 0, 3] = 99.0
    assert motion.pose(0.0)[0, 3] != 99.0
    with pytest.raises(AttributeError, match="a PoseTrajectory never changes"):
        motion._hold = "none"
    with pytest.raises(ValueError, match="read-only"):
        motion.times[0] = 1.0
    again = pickle.loads(pickle.dumps(motion))
    assert (again.hold, again.max_deviation, again.name, again.interpolation) == (
        "after",
        0.25,
        "lift",
        "screw",
    )
    assert again._packed.tobytes() == motion._packed.tobytes()
    assert again != motion
    assert len({motion, again}) == 2


def test_it_can_be_printed() -> None:
    motion = PoseTrajectory([0, 1.5], some_poses(2), "screw", name="lift")
    assert repr(motion) == "PoseTrajectory('lift', 2 samples from 0 to 1.5 s, 'screw')"
    assert repr(PoseTrajectory([3], some_poses(1), "linear")) == (
        "PoseTrajectory(1 sample from 3 to 3 s, 'linear')"
    )


@pytest.mark.parametrize("kind", KINDS)
def test_reversed_goes_the_same_way_back(kind: Any) -> None:
    times = np.array([0, 1, 2, 3, 5, 7, 9.0])
    motion = PoseTrajectory(times, some_poses(7), kind, hold="before")
    back = motion.reversed()
    t = np.linspace(0, 9, 40)
    assert np.abs(back.pose(-t) - motion.pose(t)).max() <= 1e-14
    assert (back.t_start, back.t_end, back.hold) == (-9.0, 0.0, "after")


def test_quaternions_have_their_order_in_the_name() -> None:
    p = [[1, 2, 3], [4, 5, 6]]
    q = np.array([[0.0, 0, 0, 1], [0, 0, 3, 4]])  # x y z w: no turn, and 2 atan(3/4) about z
    expected = [turn(0, p=p[0]), turn(2 * math.atan2(3, 4), p=p[1])]
    one = PoseTrajectory.from_positions([0, 1], p, quat_xyzw=q, interpolation="screw")
    two = PoseTrajectory.from_positions(
        [0, 1], p, quat_wxyz=q[:, [3, 0, 1, 2]] * -1e-200, interpolation="screw"
    )
    assert np.abs(one.X_W - expected).max() <= 1e-15
    assert np.abs(two.X_W - expected).max() <= 1e-15
    straight = PoseTrajectory.from_positions([0, 1], p)
    assert straight.interpolation == "linear"
    assert np.abs(straight.pose(0.5) - pose(np.eye(3), (2.5, 3.5, 4.5))).max() <= 1e-15
    assert np.array_equal(PoseTrajectory.from_positions([0, 1], p, quat_wxyz=[1, 0, 0, 0]).X_W, straight.X_W)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"quat_xyzw": [0, 0, 0, 1], "quat_wxyz": [1, 0, 0, 0]}, ArgumentError, "not both; they differ in their order"),
        ({"quat_xyzw": [[0, 0, 0, 1]] * 3}, TrajectoryError, "there are 2 positions but 3 quaternions in quat_xyzw"),
        ({"quat_wxyz": [[1, 0, 0, 0], [0, 0, 0, 0]]}, PoseError, r"quat_wxyz\[1\] = \[0.0, .* is not a rotation"),
        ({"quat_wxyz": [[1, 0, 0, 0], [math.nan, 0, 0, 0]]}, PoseError, r"quat_wxyz\[1\] = \[nan"),
        ({"quat_wxyz": [1, 0, 0]}, TrajectoryError, r"quat_wxyz must be numbers of shape \(n, 4\)"),
        ({"positions": [[0, 0], [1, 1]]}, TrajectoryError, r"positions must be numbers of shape \(n, 3\)"),
        ({"positions": [[0, 0, 0], [1, 1]]}, TrajectoryError, r"positions must be numbers of shape \(n, 3\)"),
        ({"positions": [[0, 0, 0], [math.inf, 1, 2]]}, PoseError, r"X_W\[1\] has an entry that is not finite"),
    ],
)  # fmt: skip
def test_bad_positions_and_quaternions_are_refused(arguments: Any, error: type, message: str) -> None:
    with pytest.raises(error, match=f"trajectory 'lift': .*{message}"):
        PoseTrajectory.from_positions(
            [0, 1], **({"positions": [[0, 0, 0], [1, 0, 0]], "name": "lift"} | arguments)
        )


BAD_SAMPLES: list[tuple[Any, Any, str, str]] = [
    ([0, 1, 1], 3, "screw", r"times must increase, but times\[2\] = 1 s follows times\[1\] = 1 s; drop the repeated"),
    ([0, 2, 1], 3, "linear", r"times must increase, but times\[2\] = 1 s comes after times\[1\] = 2 s; sort"),
    ([0, 1, math.nan], 3, "screw", r"times\[2\] is nan, not finite; drop the sample"),
    ([-math.inf, 1], 2, "screw", r"times\[0\] is -inf, not finite"),
    ([0, 1e300], 2, "screw", r"times\[1\] is 1e\+300, beyond 1e\+20 s"),
    ([0, 1e-30], 2, "screw", r"times\[1\] follows times\[0\] within 1e-30 s, less than 1e-20 s"),
    ([], 0, "screw", r"there are no times; give at least one sample"),
    ("soon", 2, "screw", r"times must be numbers \(n,\) in seconds, but they are 'soon'"),
    ([[0, 1]], 2, "screw", r"times must be numbers \(n,\) in seconds"),
    ([[0], [0, 1]], 2, "screw", r"times must be numbers \(n,\) in seconds"),
    ([0, 1], 3, "screw", r"there are 2 times but 3 poses; each pose has its time, so 1 more time is missing"),
    ([0, 1, 2, 3], 2, "screw", r"there are 4 times but 2 poses; each pose has its time, so 2 more poses are missing"),
    ([0, 1, 2, 3, 4], 5, "cubic", r'"cubic" needs 3n \+ 1 .* but there are 5; 2 more are missing \(7 would do\)'),
    ([0, 1, 2, 3, 4, 5], 6, "cubic", r"but there are 6; 1 more is missing \(7 would do\)"),
    ([0], 1, "cubic", r"but there are 1; 3 more are missing \(4 would do\)"),
    ([0, 1, 2.1, 3], 4, "cubic", r"equally spaced times in each segment of four, but times\[2\] = 2.1 s is not where "
     r"times\[0\] = 0 s and times\[3\] = 3 s ask for it, at 2 s"),
    ([0, 1, 2, 3, 4 + 1e-8, 5, 6], 7, "cubic", r"but times\[4\] = 4.00000001 s is not where times\[3\]"),
]  # fmt: skip


@pytest.mark.parametrize(("times", "n", "kind", "message"), BAD_SAMPLES)
def test_samples_that_do_not_fit_are_refused(times: Any, n: int, kind: Any, message: str) -> None:
    with pytest.raises(TrajectoryError, match=f"^trajectory 'lift': .*{message}"):
        PoseTrajectory(times, some_poses(max(n, 1)), kind, name="lift")


@pytest.mark.parametrize("spoil", ["nan", "mirrored", "scaled"])
def test_bad_poses_are_refused_by_their_index(spoil: str) -> None:
    X_W = some_poses(3)
    if spoil == "nan":
        X_W[1, 2, 3], words = math.nan, r"has an entry that is not finite: \[2, 3\] = nan"
    elif spoil == "mirrored":
        X_W[1, :3, 0], words = -X_W[1, :3, 0], "mirrors"
    else:
        X_W[1, :3, :3], words = 2 * X_W[1, :3, :3], "is not rigid"
    with pytest.raises(PoseError, match=rf"^PoseTrajectory: X_W\[1\] {words}"):
        PoseTrajectory([0, 1, 2], X_W, "screw")


@pytest.mark.parametrize("kind", ["screw", "linear"])
def test_half_a_turn_is_ambiguous(kind: Any) -> None:
    message = (
        "from X_W[1] at 1 s to X_W[2] at 3 s the body makes half a turn, which '"
        + kind
        + "' could make in either direction"
    )
    for angle in (math.pi, math.pi - 1e-9, math.pi + 1e-9):
        with pytest.raises(TrajectoryError) as caught:
            PoseTrajectory(
                [0, 1, 3], [turn(0.3), turn(0.1, (0, 1, 0)), turn(0.1, (0, 1, 0)) @ turn(angle)], kind
            )
        assert message in str(caught.value)
    motion = PoseTrajectory([0, 1], [turn(0.0), turn(math.pi - 1e-8)], kind)
    assert np.abs(motion.pose(0.5) - turn(math.pi / 2 - 5e-9)).max() <= 1e-14
    PoseTrajectory([0, 1, 2, 3], [turn(k * math.pi / 3) for k in range(4)])  # "cubic" knows the way round


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"interpolation": "cubik"}, "must be 'cubic', 'screw' or 'linear', but it is 'cubik'.*did you mean 'cubic'"),
        ({"interpolation": "Screw"}, "did you mean 'screw'"),
        ({"interpolation": 3}, r"but it is 3\."),
        ({"hold": "befor"}, "hold must be 'both', 'before', 'after' or 'none'.*did you mean 'before'"),
        ({"max_deviation": -1.0}, "max_deviation must be a finite number >= 0, in metres, but it is -1.0"),
        ({"max_deviation": math.nan}, "max_deviation must be a finite number"),
        ({"name": 7}, "name must be a string, but it is 7"),
    ],
)  # fmt: skip
def test_bad_options_are_refused(arguments: Any, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        PoseTrajectory([0, 1], some_poses(2), **({"interpolation": "screw"} | arguments))


def test_rounded_and_large_times_are_taken_for_what_they_mean() -> None:
    # Clocks count from 1970: there a time is rounded to 2.4e-7 s, much more than 1e-9 of a segment.
    stamps = 1.7e9 + np.arange(7) * 0.01
    motion = PoseTrajectory(stamps, some_poses(7))
    assert np.abs(motion.pose(stamps[::3]) - motion.X_W[::3]).max() <= 2e-14
    PoseTrajectory(np.round(np.arange(7) / 3, 10), some_poses(7))
    PoseTrajectory(np.arange(4) * 10_000_000, some_poses(4))  # integers: nanoseconds, if you like


def test_many_screws_are_those_of_one_by_one() -> None:
    rng = np.random.default_rng(8)
    X = np.tile(np.eye(4), (2, 20, 1, 1))
    for k, angle in enumerate([0.0, 1e-12, 1e-3, *rng.uniform(0.0, 3.1, 17)]):
        axis = rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        K = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
        X[1, k, :3, :3] = np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * (K @ K)
    X[:, 1:, :3, 3] = rng.normal(size=(2, 19, 3))
    X[1] = nearest_rigid(X[1])
    names = [f"body_{k}" for k in range(20)]
    for k, motion in enumerate(all_between(X[0], X[1], "screw", names)):
        single = PoseTrajectory([0, 1], X[:, k], "screw", name=names[k])
        assert np.array_equal(motion._packed, single._packed)
        assert repr(motion) == repr(single)
        assert np.array_equal(motion.X_W, single.X_W)
        assert np.array_equal(motion.pose(0.3), single.pose(0.3))
