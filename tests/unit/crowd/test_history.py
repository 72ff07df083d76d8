"""What a crowd remembers: any time before now is told as it was told then."""

from __future__ import annotations

import numpy as np
import pytest

import keepclear as kc

BOX = ([0, 0], [10, 10])


def crowd_of(motion, n: int = 6, **options) -> kc.Crowd:
    rng = np.random.default_rng(2)
    x = np.stack(np.meshgrid([2.0, 5.0, 8.0], [3.0, 7.0]), axis=-1).reshape(-1, 2)[:n]
    return kc.Crowd(
        x, rng.normal(size=(n, 2)) * 6, 0.9, 5.0, motion=motion, bounds=BOX, history=True, **options
    )


@pytest.mark.parametrize("response", ["elastic", "report"])
@pytest.mark.parametrize(
    "motion",
    [kc.Ballistic(), kc.RandomForces(seed=3, interval=0.07), kc.VelocityField(speed=4.0)],
    ids=lambda motion: type(motion).__name__,
)
def test_the_past_is_what_it_was(motion, response: str) -> None:
    crowd = crowd_of(motion, response=response)
    times = np.linspace(0.0, 1.0, 9)
    then = []
    for t in times:
        crowd.advance(float(t))
        then.append((crowd.positions(), crowd.velocities()))
    for t, (x, v) in zip(times, then, strict=True):
        np.testing.assert_allclose(crowd.positions(float(t)), x, atol=1e-11)
        np.testing.assert_allclose(crowd.velocities(float(t)), v, atol=1e-11)
    if response == "elastic":
        assert crowd.statistics["contacts"] + crowd.statistics["wall contacts"] > 3


def test_at_an_impact_the_velocity_is_that_after_it() -> None:
    crowd = kc.Crowd([[2, 5]], [[-1, 0]], 1.0, motion=kc.Ballistic(), bounds=BOX, history=True)
    (event,) = crowd.advance(3.0)
    assert crowd.velocities(float(event.time)).tolist() == [[1.0, 0.0]]
    assert crowd.velocities(float(np.nextafter(event.time, 0.0))).tolist() == [[-1.0, 0.0]]
    np.testing.assert_allclose(crowd.positions(0.25), [[1.75, 5]])
    np.testing.assert_allclose(crowd.positions(2.5), [[2.5, 5]])


def test_newcomers_have_no_past_and_changes_are_remembered() -> None:
    crowd = crowd_of(kc.Ballistic(), n=2, response="report")
    crowd.advance(0.2)
    x = crowd.positions()
    crowd.observe(0, 0.2, [[5, 5]], [[1, 0]])
    crowd.add([[7, 7]], [[0, 1]], 0.5)
    crowd.advance(0.4)
    np.testing.assert_allclose(crowd.positions(0.3)[[0, 2]], [[5.1, 5], [7, 7.1]])
    before = crowd.positions(0.1)
    assert np.isnan(before[2]).all()
    assert np.isfinite(before[:2]).all()
    np.testing.assert_allclose(crowd.positions(np.nextafter(0.2, 0))[:2], x, atol=1e-12)
    crowd.remove(1)
    assert crowd.positions(0.3).shape == (2, 2)
    assert np.isnan(crowd.positions(-1.0)).all()


def test_history_is_saved(tmp_path) -> None:
    crowd = crowd_of(kc.RandomForces(seed=1))
    crowd.advance(0.5)
    crowd.save(tmp_path / "crowd")
    again = kc.Crowd.restore(tmp_path / "crowd")
    crowd.advance(0.9)
    again.advance(0.9)
    for t in (0.0, 0.3, 0.7):
        np.testing.assert_array_equal(crowd.positions(t), again.positions(t))


def test_who_keeps_no_history_says_so() -> None:
    crowd = kc.Crowd([[2, 5]], [[-1, 0]], 1.0, motion=kc.Ballistic(), bounds=BOX)
    crowd.advance(1.0)
    with pytest.raises(
        kc.ArgumentError, match=r"what was at 0\.5 s is not kept; give the crowd history=True"
    ):
        crowd.positions(0.5)
    kept = kc.Crowd([[2, 5]], [[-1, 0]], 1.0, motion=kc.Ballistic(), bounds=BOX, history=True)
    kept.advance(1.0)
    with pytest.raises(kc.ArgumentError, match=r"the bounds of 0\.5 s are not kept"):
        kept.bounds_at(0.5)
    with pytest.raises(kc.ArgumentError, match="not a probe function"):
        kc.Crowd([[2, 5]], [[-1, 0]], 1.0, 0.0, motion=lambda _ids, _t: None, history=True)


def test_impacts_that_have_no_room_are_remembered_all_the_same() -> None:
    crowd, small = crowd_of(kc.Ballistic()), crowd_of(kc.Ballistic())
    small._state.tables.L = small._state.tables.L[:3].copy()
    assert small.advance(1.0).tobytes() == crowd.advance(1.0).tobytes()
    for t in (0.2, 0.6, 0.9):
        np.testing.assert_array_equal(small.positions(t), crowd.positions(t))
