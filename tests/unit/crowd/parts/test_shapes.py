"""Shapes inside the spheres of a crowd: contacts are those of the shapes, turned as they are."""

from __future__ import annotations

import math

import numpy as np
import pytest

import keepclear as kc


def told(events) -> list[tuple[int, int, str]]:
    return [(int(e.i), int(e.j), str(e.kind)) for e in events]


def boxes(**options) -> kc.Crowd:
    """A cube of edge 2 stands, another one comes along x with 1 m/s: faces meet at 4 s, and part at 8 s."""
    known = {"motion": kc.Ballistic(), "response": "report"}
    crowd = kc.Crowd([[0, 0, 0], [6, 0, 0]], [[0, 0, 0], [-1, 0, 0]], 2.0, **(known | options))
    crowd.attach(0, kc.Box([2, 2, 2]), tolerance=1e-6)
    crowd.attach(1, kc.Box([2, 2, 2]), tolerance=1e-3)
    return crowd


@pytest.mark.parametrize("bound", [0.0, 0.5])
def test_cubes_meet_with_their_faces(bound: float) -> None:
    events = boxes(max_accelerations=bound).advance(10.0)
    assert told(events) == [(0, 1, "begin"), (0, 1, "end")]
    np.testing.assert_allclose(events.time, [4.0, 8.0], atol=2e-6)
    assert events.time[0] <= 4.0
    assert events.position[0][0] == pytest.approx(1.0, abs=1e-5)


def test_cubes_of_two_parts_meet_like_whole_ones() -> None:
    low, high = np.eye(4), np.eye(4)
    low[1, 3], high[1, 3] = -0.5, 0.5
    crowd = boxes()
    for i, tolerance in ((0, 1e-6), (1, 1e-3)):
        crowd.detach(i)
        crowd.attach(i, [(kc.Box([2, 1, 2]), low), (kc.Box([2, 1, 2]), high)], tolerance=tolerance)
    events = crowd.advance(10.0)
    assert told(events) == [(0, 1, "begin"), (0, 1, "end")]
    np.testing.assert_allclose(events.time, [4.0, 8.0], atol=2e-6)
    with pytest.raises(kc.ArgumentError, match="out of a sphere"):
        crowd.attach(0, [(kc.Box([2, 1, 2]), np.eye(4)), (kc.Sphere(0.5), 4 * low - 3 * np.eye(4))])


def test_a_point_meets_a_cube() -> None:
    crowd = kc.Crowd(
        [[0, 0, 0], [6, 0.5, 0]],
        [[0, 0, 0], [-1, 0, 0]],
        [2.0, 0.0],
        motion=kc.Ballistic(),
        response="report",
    )
    crowd.attach(0, kc.Box([2, 2, 2]), tolerance=1e-6)
    events = crowd.advance(10.0)
    assert told(events) == [(0, 1, "begin"), (0, 1, "end")]
    np.testing.assert_allclose(events.time, [5.0, 7.0], atol=2e-6)


def test_cubes_that_pass_each_other_do_not_touch_though_their_spheres_do() -> None:
    crowd = kc.Crowd(
        [[0, 0, 0], [6, 2.1, 0]], [[0, 0, 0], [-1, 0, 0]], 2.0, 0.1, motion=kc.Ballistic(), response="report"
    )
    for i in range(2):
        crowd.attach(i, kc.Box([2, 2, 2]), tolerance=1e-4)
    assert len(crowd.advance(12.0)) == 0
    crowd = kc.Crowd(
        [[0, 0, 0], [6, 2.1, 0]], [[0, 0, 0], [-1, 0, 0]], 2.0, 0.1, motion=kc.Ballistic(), response="report"
    )
    assert told(crowd.advance(12.0)) == [(0, 1, "begin"), (0, 1, "end")]


def test_a_shape_and_a_sphere() -> None:
    crowd = boxes()
    crowd.detach(1)
    crowd.change(1, radii=0.5)
    events = crowd.advance(9.0)
    assert told(events) == [(0, 1, "begin"), (0, 1, "end")]
    np.testing.assert_allclose(events.time, [4.5, 7.5], atol=2e-6)


def test_a_turned_cube_meets_with_its_edge() -> None:
    crowd = boxes()
    c = math.sqrt(0.5)
    crowd.attach(1, kc.Box([2, 2, 2]), rotation=[[c, -c, 0], [c, c, 0], [0, 0, 1]], tolerance=1e-6)
    (event,) = crowd.advance(5.0)
    assert event.time == pytest.approx(5.0 - math.sqrt(2.0), abs=2e-6)


def spin(rate: float):
    def rotation(t: float) -> np.ndarray:
        c, s = math.cos(rate * t), math.sin(rate * t)
        return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])

    return rotation


def test_a_bar_that_turns_hits_once_per_half_turn() -> None:
    crowd = kc.Crowd(
        [[0, 0, 0], [2.5, 0, 0]], np.zeros((2, 3)), [2.1, 1.0], motion=kc.Ballistic(), response="report"
    )
    # A bar 4 x 0.2 around z reaches out to the sphere while cos(angle) is large enough.
    crowd.attach(0, kc.Box([4, 0.2, 0.2]), rotation=spin(1.0), max_angular_speed=1.0, tolerance=1e-5)
    events = crowd.advance(6.5)
    assert told(events) == [(0, 1, "begin"), (0, 1, "end")] * 2 + [(0, 1, "begin")]
    assert events.time[0] == 0.0
    np.testing.assert_allclose(np.diff(events.time)[1:3].sum(), math.pi, atol=1e-4)


def test_a_rotation_that_is_faster_than_promised() -> None:
    crowd = boxes()
    crowd.attach(0, kc.Box([2, 2, 2]), rotation=spin(3.0), max_angular_speed=1.0)
    with pytest.raises(kc.CrowdError, match=r"the shape of member 0 is turned by .* rad since .* allows"):
        crowd.advance(6.0)
    assert crowd.time < 6.0


def test_a_rotation_that_fails_is_asked_again() -> None:
    answers = iter([ZeroDivisionError("no")])

    def moody(t: float) -> np.ndarray:
        for error in answers:
            raise error
        return spin(0.0)(t)

    crowd = boxes()
    crowd.attach(0, kc.Box([2, 2, 2]), rotation=moody, max_angular_speed=1e-6, tolerance=1e-6)
    with pytest.raises(kc.CrowdError, match=r"the rotation of member 0 at .* raised ZeroDivisionError: no"):
        crowd.advance(9.0)
    assert told(crowd.advance(9.0)) == [(0, 1, "begin"), (0, 1, "end")]


def test_a_response_of_the_caller_hears_of_shapes() -> None:
    heard = []

    def answer(event, velocities):
        heard.append((str(event.kind), float(event.time)))
        return -velocities

    crowd = boxes(response=answer)
    assert told(crowd.advance(9.0)) == [(0, 1, "contact"), (0, 1, "end")]
    assert heard == [("contact", pytest.approx(4.0, abs=2e-6))]
    np.testing.assert_allclose(crowd.velocities()[1], [1, 0, 0])


def test_a_failing_response_to_shapes_is_asked_again() -> None:
    answers = iter([ZeroDivisionError])

    def moody(_event, _velocities):
        for error in answers:
            raise error

    crowd = boxes(response=moody)
    with pytest.raises(kc.CrowdError, match="raised ZeroDivisionError"):
        crowd.advance(9.0)
    assert told(crowd.advance(9.0)) == [(0, 1, "contact"), (0, 1, "end")]
    assert crowd.statistics["contacts"] == 1


def test_shapes_that_are_put_in_and_taken_out_while_spheres_overlap() -> None:
    crowd = kc.Crowd([[0, 0, 0], [3, 0, 0]], np.zeros((2, 3)), 2.0, motion=kc.Ballistic(), response="report")
    assert told(crowd.advance(1.0)) == [(0, 1, "begin")]
    crowd.attach(0, kc.Box([1, 1, 1]))
    assert told(crowd.advance(2.0)) == [(0, 1, "end")]
    assert crowd.attached[0].shape == kc.Box([1, 1, 1])
    crowd.detach(0)
    assert told(crowd.advance(3.0)) == [(0, 1, "begin")]
    crowd.attach(1, kc.Box([1, 1, 1]))
    crowd.remove(1)
    assert crowd.attached == {}
    assert told(crowd.advance(4.0)) == [(0, 1, "end")]


def test_shapes_are_given_again_to_a_restored_crowd(tmp_path) -> None:
    crowd = boxes()
    crowd.advance(4.5)
    crowd.save(tmp_path / "crowd")
    with pytest.raises(kc.ArgumentError, match=r"had shapes in the members \[0, 1\]; give those"):
        kc.Crowd.restore(tmp_path / "crowd")
    again = kc.Crowd.restore(tmp_path / "crowd", attached=crowd.attached)
    assert again.advance(9.0).tobytes() == crowd.advance(9.0).tobytes()


def test_meshes_on_recorded_tracks() -> None:
    x = np.zeros((3, 2, 3))
    x[:, 1, 0] = [6.0, 2.0, 6.0]
    crowd = kc.Crowd(None, None, 2.0, motion=kc.RecordedTracks([0, 1, 2], x))
    for i in range(2):
        crowd.attach(i, kc.Box([2.2, 2.2, 2.2]), tolerance=1e-6)
    events = crowd.advance(2.0)
    assert told(events) == [(0, 1, "begin"), (0, 1, "end")]
    np.testing.assert_allclose(events.time, [1.0 - 0.05, 1.0 + 0.05], atol=1e-5)


@pytest.mark.parametrize(
    ("make", "act", "words"),
    [
        (
            boxes,
            lambda c: c.attach(0, kc.Box([4, 4, 4])),
            "reaches 3.4641 m from its origin, out of a sphere of 2 m",
        ),
        (boxes, lambda c: c.attach(7, kc.Box([1, 1, 1])), "there is no member 7"),
        (boxes, lambda c: c.attach(0, kc.Box([1, 1, 1]), tolerance=0.0), "tolerance must be greater than 0"),
        (boxes, lambda c: c.attach(0, kc.Box([1, 1, 1]), rotation=spin(1.0)), "give max_angular_speed"),
        (boxes, lambda c: c.attach(0, kc.Box([1, 1, 1]), rotation=np.eye(4)), r"matrix \(3, 3\)"),
        (
            boxes,
            lambda c: c.attach(0, kc.Box([1, 1, 1]), rotation=2.0 * np.eye(3)),
            "the rotation of member 0",
        ),
        (
            boxes,
            lambda c: c.attach(0, kc.Box([1, 1, 1]), max_angular_speed=-1.0),
            "max_angular_speed must be",
        ),
        (
            boxes,
            lambda c: c.change(0, radii=1.0),
            "the shape of member 0 reaches 1.73205 m .* out of a sphere of 1 m",
        ),
        (boxes, lambda c: (c.detach(0), c.detach(0)), "member 0 has no shape"),
        (
            lambda: kc.Crowd([[0, 0, 0]], [[0, 0, 0]], 1.0, 1.0),
            lambda c: c.attach(0, kc.Box([1, 1, 1])),
            "observed members have no certain position",
        ),
        (
            lambda: kc.Crowd([[0, 0]], [[0, 0]], 1.0, motion=kc.Ballistic(), response="report"),
            lambda c: c.attach(0, kc.Box([1, 1, 1])),
            "discs in a plane take none",
        ),
        (
            lambda: kc.Crowd([[0, 0, 0]], [[0, 0, 0]], 1.0, motion=kc.Ballistic()),
            lambda c: c.attach(0, kc.Box([1, 1, 1])),
            "the elastic response knows spheres only",
        ),
    ],
)
def test_what_cannot_be_attached(make, act, words: str) -> None:
    crowd = make()
    with pytest.raises(kc.ArgumentError, match=words):
        act(crowd)
