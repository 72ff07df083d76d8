"""The caller's own probe and response: asked for what is needed, and held to what they promise."""

from __future__ import annotations

import math

import numpy as np
import pytest

import keepclear as kc


class Swing:
    """Two members on one line; the second swings around x = 3 with amplitude 2 and angular speed 1."""

    def __init__(self) -> None:
        self.asked: list[tuple[list[int], float]] = []

    def __call__(self, ids, t):
        self.asked.append((ids.tolist(), t))
        x = np.array([[0.0, 0.0], [3.0 + 2.0 * math.cos(t), 0.0]])
        v = np.array([[0.0, 0.0], [-2.0 * math.sin(t), 0.0]])
        return x[ids], v[ids]


def crowd_of(probe, bound: float = 2.0, **options) -> kc.Crowd:
    return kc.Crowd([[0, 0], [5, 0]], [[0, 0], [0, 0]], 1.0, [0.0, bound], motion=probe, **options)


def test_contacts_of_a_probed_motion() -> None:
    swing = Swing()
    events = crowd_of(swing).advance(5.0)
    # 3 + 2 cos t = 2
    assert events.kind.tolist() == ["begin", "end"]
    np.testing.assert_allclose(events.time, [2.0 * math.pi / 3.0, 4.0 * math.pi / 3.0], atol=1e-11)
    assert len(swing.asked) < 60
    times = [t for _, t in swing.asked]
    assert times == sorted(times)


def test_a_broken_promise_names_sphere_and_time() -> None:
    crowd = crowd_of(Swing(), bound=1.0)
    with pytest.raises(
        kc.CrowdError, match=r"at [\d.]+ s sphere 1 is .* maximum acceleration of 1 m/s\^2 allows"
    ):
        crowd.advance(5.0)
    before = crowd.time
    with pytest.raises(kc.CrowdError, match="sphere 1"):
        crowd.advance(5.0)
    assert crowd.time == before


def test_a_velocity_that_does_not_fit_is_a_broken_promise() -> None:
    def probe(ids, t):
        return np.array([[0.0, 0.0], [5.0, 0.0]])[ids], np.array([[0.0, 0.0], [3.0, 0.0]])[ids] * (t > 0)

    with pytest.raises(kc.CrowdError, match="the velocity of sphere 1 differs by"):
        kc.Crowd([[0, 0], [5, 0]], [[0, 0], [0, 0]], 1.0, [0.0, 0.01], motion=probe).advance(99.0)


@pytest.mark.parametrize(
    ("probe", "words"),
    [
        (
            lambda ids, _t: (np.full((len(ids), 2), math.nan), np.zeros((len(ids), 2))),
            r"positions \[nan nan\] for sphere [01]; expected numbers",
        ),
        (
            lambda ids, _t: (np.zeros((len(ids), 3)), np.zeros((len(ids), 2))),
            r"positions of shape \([12], 3\); expected \([12], 2\)",
        ),
        (lambda ids, _t: np.zeros((len(ids) + 2, 2)), "raised ValueError: too many values"),
        (lambda _ids, _t: 1 / 0, "raised ZeroDivisionError: division by zero"),
        (lambda _ids, _t: None, "raised TypeError"),
    ],
)
def test_a_bad_probe_is_told_and_can_be_repaired(probe, words: str) -> None:
    good, bad = Swing(), True

    def moody(ids, t):
        return probe(ids, t) if bad else good(ids, t)

    crowd = crowd_of(moody)
    with pytest.raises(kc.CrowdError, match=words):
        crowd.advance(5.0)
    bad = False
    assert crowd.advance(5.0).kind.tolist() == ["begin", "end"]


def test_a_plain_function_cannot_bounce() -> None:
    with pytest.raises(kc.ArgumentError, match="cannot bounce"):
        crowd_of(Swing(), response="elastic")


def test_a_motion_with_restart_bounces() -> None:
    class Free:
        def __init__(self, x, v) -> None:
            self.t, self.x, self.v = np.zeros(len(x)), np.array(x, float), np.array(v, float)

        def __call__(self, ids, t):
            return self.x[ids] + self.v[ids] * (t - self.t[ids])[:, None], self.v[ids]

        def restart(self, ids, t, positions, velocities) -> None:
            self.t[ids], self.x[ids], self.v[ids] = t, positions, velocities

    x, v = [[0, 0], [10, 0]], [[1, 0], [-1, 0]]
    crowd = kc.Crowd(x, v, 1.0, 0.5, motion=Free(x, v), bounds=([-2, -5], [12, 5]))
    events = crowd.advance(9.5)
    assert [(round(float(e.time), 9), str(e.kind)) for e in events] == [
        (4.0, "contact"),
        (9.0, "wall"),
        (9.0, "wall"),
    ]
    np.testing.assert_allclose(crowd.positions(), [[-0.5, 0], [10.5, 0]], atol=1e-9)


def ballistic(response) -> kc.Crowd:
    return kc.Crowd(
        [[0, 0], [10, 0]],
        [[1, 0], [-1, 0]],
        1.0,
        motion=kc.Ballistic(),
        response=response,
        bounds=([-3, -3], [13, 3]),
    )


def test_a_response_of_the_caller() -> None:
    seen = []

    def sticky(event, velocities):
        seen.append((round(float(event.time), 9), int(event.i), int(event.j)))
        return -0.5 * velocities

    crowd = ballistic(sticky)
    assert crowd.advance(30.0).kind.tolist() == ["contact", "wall", "wall"]
    assert sorted(seen) == [(4.0, 0, 1), (16.0, 0, -1), (16.0, 1, -1)]
    np.testing.assert_allclose(crowd.velocities(), [[0.25, 0], [-0.25, 0]])


def test_a_response_may_let_members_pass() -> None:
    crowd = ballistic(lambda _event, _velocities: None)
    assert crowd.advance(8.0).kind.tolist() == ["contact", "end"]


def test_a_response_that_fails_is_asked_again() -> None:
    answers = iter([np.zeros(3), None])
    crowd = ballistic(lambda _event, _velocities: next(answers))
    with pytest.raises(
        kc.CrowdError, match=r"the response to spheres \[0, 1\] at 4 s must return finite velocities"
    ):
        crowd.advance(8.0)
    assert crowd.advance(8.0).kind.tolist() == ["contact", "end"]
    assert crowd.statistics["contacts"] == 1
    with pytest.raises(kc.CrowdError, match="raised StopIteration"):
        crowd.advance(30.0)


def test_a_response_that_takes_all_speed_is_no_endless_loop() -> None:
    x = np.column_stack([[0.0, 3.0, 6.0], np.zeros(3)])
    crowd = kc.Crowd(
        x,
        [[1, 0], [0, 0], [-1, 0]],
        1.0,
        motion=kc.Ballistic(),
        response=lambda _e, v: v.mean(axis=0) + 0.0 * v,
    )
    crowd.advance(5.0)
    assert crowd.statistics["steps"] < 4000
    assert crowd.statistics["resting"] > 0
