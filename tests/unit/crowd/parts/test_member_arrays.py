"""What a crowd refuses at its door: one line that names the thing, and nothing built."""

from __future__ import annotations

import math

import numpy as np
import pytest

import keepclear as kc

X, V = [[0.0, 0.0], [5.0, 0.0]], [[1.0, 0.0], [0.0, 0.0]]
nan, inf = math.nan, math.inf


def make(positions=X, velocities=V, radii=1.0, bound=0.0, **options) -> kc.Crowd:
    return kc.Crowd(positions, velocities, radii, bound, **({"motion": kc.Ballistic()} | options))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"positions": None}, "positions are missing; only RecordedTracks contains them"),
        ({"positions": [[0, 0], [nan, 0]]}, r"positions\[1\] has x = nan; give finite numbers"),
        ({"positions": [[0, 0], [0, 1e10]]}, r"positions\[1\] has y = 1e\+10"),
        ({"positions": [0, 1]}, r"positions must have shape \(n, 2 or 3\), but they have shape \(2,\)"),
        ({"positions": [[0, 0], [1]]}, "positions must be numbers"),
        ({"positions": "here"}, "positions must be numbers"),
        ({"velocities": [[0, 0]]}, "there are 2 members, but 1 velocities"),
        ({"velocities": [[0, 0, 0], [0, 0, 0]]}, r"velocities must have shape \(2, 2\)"),
        ({"velocities": [[0, 0], [0, inf]]}, r"velocities\[1\] has y = inf"),
        ({"radii": -1.0}, r"radii\[0\] must be finite and >= 0, but it is -1"),
        ({"radii": 2e9}, r"radii\[0\] must be finite and >= 0, but it is 2e\+09; the greatest is 1e\+09\."),
        ({"radii": [1.0, nan]}, r"radii\[1\] must be finite"),
        ({"radii": [1.0, 2.0, 3.0]}, r"radii must be one number, or 2 of them.* shape \(3,\)"),
        ({"radii": [[1.0, 2.0]]}, r"radii must be one number, or 2 of them"),
        ({"bound": -1.0}, r"max_accelerations\[0\] must be finite and >= 0"),
        ({"bound": inf}, r"max_accelerations\[0\] must be finite"),
        ({"masses": 0.0}, r"masses\[0\] must be finite and > 0"),
        ({"bounds": 3.0}, r"bounds must be two corners \(lower, upper\)"),
        ({"bounds": ([0, 0], [1, 1], [2, 2])}, "bounds must be two corners"),
        ({"bounds": ([-9, -9], [9, -9])}, "along y they are -9 and -9"),
        ({"bounds": ([-9, -9], [9, nan])}, "the upper corner of bounds must be 2 finite numbers"),
        ({"bounds": ([-9, -9, -9], [9, 9])}, "the lower corner of bounds must be 2 finite numbers"),
        ({"bounds": ([-9, -9], [5.5, 9])}, r"sphere 1 at .* reaches out of the box along x"),
        ({"gravity": [0, 0, -9.81]}, "gravity must be 2 finite numbers"),
        ({"gravity": "down"}, "gravity must be numbers"),
        ({"tolerance": -1e-9}, "tolerance must be"),
        ({"tolerance": None}, "tolerance must be"),
        ({"time": nan}, "time must be"),
        ({"growth": -1.0}, "growth must be"),
        ({"motion": 7}, r"motion must be Ballistic\(\), RandomForces\(\)"),
        ({"response": "soft"}, "response"),
        ({"groups": [0.5, 1.0]}, "groups must be one whole number"),
        ({"groups": [1, 2, 3]}, "groups must be one whole number >= -1, or 2 of them"),
        ({"max_speeds": 3.0}, "max_speeds are for crowds without a motion"),
    ],
)
def test_bad_arguments(arguments, words: str) -> None:
    with pytest.raises(kc.ArgumentError, match=words):
        make(**arguments)


def test_arrays_are_copied() -> None:
    x, v, r = np.array(X), np.array(V), np.array([1.0, 1.0])
    crowd = make(x, v, r)
    x += 100.0
    v += 100.0
    r += 100.0
    crowd.advance(1.0)
    np.testing.assert_array_equal(crowd.positions(), [[1, 0], [5, 0]])
    for told in (crowd.positions(), crowd.velocities(), crowd.radii, crowd.ids, crowd.observed):
        told += 5
    np.testing.assert_array_equal(crowd.positions(), [[1, 0], [5, 0]])
    assert crowd.radii.tolist() == [1.0, 1.0]
    assert crowd.ids.tolist() == [0, 1]


def test_whole_numbers_and_odd_layouts_do() -> None:
    x = np.asfortranarray(np.array([[0, 0], [5, 0]], dtype=np.int32))
    crowd = make(x, np.array(V, dtype=np.float32)[::1], np.int64(1), np.float32(0.5))
    assert crowd.advance(4.0).kind.tolist() == ["contact"]


def test_what_a_crowd_tells_of_itself() -> None:
    crowd = make(bounds=([-9, -9], [9, 9]), growth=0.5, tolerance=1e-3)
    assert crowd.dimensions == 2
    assert crowd.growth == 0.5
    assert crowd.tolerance == pytest.approx(1e-3, abs=1e-9)
    assert crowd.bounds is not None
    assert [corner.tolist() for corner in crowd.bounds] == [[-9, -9], [9, 9]]
    assert crowd.motion == kc.Ballistic()
    assert crowd.response == "elastic"
    assert make().bounds is None
    assert set(crowd.statistics.values()) == {0}
    (event,) = crowd.advance(4.0)
    assert event.time == pytest.approx(2.999)


def test_events_come_in_order_of_time_kind_and_ids() -> None:
    """Two pairs meet at once, walls are met at once, and each kind comes in its turn."""
    x = [[0, 0], [4, 0], [0, 9], [4, 9]]
    v = [[1, 0], [-1, 0], [1, 0], [-1, 0]]
    crowd = make(x, v, 1.0, bounds=([-1, -1], [5, 10]), response="report")
    events = crowd.advance(9.0)
    times = [(round(float(e.time), 6), str(e.kind), int(e.i), int(e.j)) for e in events]
    order = {"contact": 0, "begin": 1, "end": 2, "wall": 3, "possible": 4}
    assert times == sorted(times, key=lambda e: (e[0], order[e[1]], e[2], e[3]))
    assert [e[1:] for e in times if e[0] == 1.0] == [("begin", 0, 1), ("begin", 2, 3)]


@pytest.mark.parametrize(("radii", "place"), [([1.0, 1.0], 4.0), ([1.0, 3.0], 3.0), ([0.0, 2.0], 3.0)])
def test_a_contact_is_told_where_surfaces_meet(radii: list[float], place: float) -> None:
    crowd = make([[0, 0], [8, 0]], [[1, 0], [-1, 0]], radii)
    (event,) = crowd.advance(3.5)
    np.testing.assert_allclose(event.position, [place, 0.0], atol=1e-12)
