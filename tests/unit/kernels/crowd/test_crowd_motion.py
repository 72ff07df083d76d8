"""Random forces are the numbers of their description, and the circulating field has no sources."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numba.core import config

import keepclear as kc
from keepclear.kernels.crowd import motion
from keepclear.kernels.crowd.motion import D_CENTRE, D_HALF, D_ROWS, D_SPEED, field_velocity, random_force

# Computed from the description with integers of any size: seed, id, interval, and the accelerations for a size of 10.
KNOWN = [
    (
        (1, 0, 0),
        (6.280591562430787, -5.5518445134271825),
        (-4.392216824575123, 3.0594673076845282, 6.451116107657426),
    ),
    (
        (1, 0, 1),
        (-1.0439171722215104, -0.48972102866175327),
        (-0.05031702381926607, 1.1406744180659665, 0.1609963274622146),
    ),
    (
        (1, 7, 3),
        (-0.10833073207624362, -0.03450388147526368),
        (-0.05129973467342472, 0.10084582884495887, 0.011158914644507776),
    ),
    (
        (12345, 2, 59),
        (5.833111356438748, 2.0405646682557226),
        (2.741653525260928, -0.4759861694957561, -5.517777213318906),
    ),
]


@pytest.mark.parametrize(("who", "plane", "space"), KNOWN)
def test_random_forces_are_those_of_the_description(who, plane, space) -> None:
    out = np.zeros(3)
    random_force(*who, 10.0, 2, out)
    np.testing.assert_allclose(out, [*plane, 0.0], rtol=1e-14, atol=0.0)
    random_force(*who, 10.0, 3, out)
    np.testing.assert_allclose(out, space, rtol=1e-14, atol=0.0)


def test_random_forces_keep_their_bound_and_point_everywhere() -> None:
    out, found = np.zeros(3), np.zeros((400, 3))
    for k in range(400):
        random_force(9, k % 20, k // 20 - 5, 3.0, 3, out)
        found[k] = out
    sizes = np.linalg.norm(found, axis=1)
    assert sizes.max() <= 3.0
    assert sizes.max() > 2.9
    assert np.abs(found.mean(axis=0)).max() < 0.25
    assert (np.abs(found).max(axis=0) > 2.0).all()


@pytest.mark.parametrize("dimensions", [2, 3])
def test_the_field_circulates_without_sources_and_stays_in_its_box(dimensions: int) -> None:
    D = np.zeros(D_ROWS)
    D[D_SPEED], D[D_CENTRE : D_CENTRE + 3], D[D_HALF : D_HALF + 3] = 2.0, (1.0, 2.0, 3.0), (4.0, 5.0, 6.0)
    up = dimensions - 1
    middle = field_velocity(D, 1.0, 2.0, 3.0, dimensions)
    np.testing.assert_allclose(middle, np.eye(3)[up] * 2.0, atol=1e-15)
    rng = np.random.default_rng(0)
    for _ in range(20):
        x = D[D_CENTRE : D_CENTRE + 3] + D[D_HALF : D_HALF + 3] * rng.uniform(-1.0, 1.0, 3)
        h, divergence = 1e-5, 0.0
        for c in range(dimensions):
            e = h * np.eye(3)[c]
            divergence += (
                field_velocity(D, *(x + e), dimensions)[c] - field_velocity(D, *(x - e), dimensions)[c]
            ) / (2 * h)
        assert abs(divergence) < 1e-8
        for c in range(dimensions):
            wall = x.copy()
            wall[c] = D[D_CENTRE + c] + D[D_HALF + c]
            assert abs(field_velocity(D, *wall, dimensions)[c]) < 1e-14


def crowd_of(motion, **options) -> kc.Crowd:
    known = {"gravity": [0.0, 0.0, -2.0], "response": "report", "motion": motion}
    return kc.Crowd([[1, 2, 3]], [[0.5, 0, 1]], 0.1, 4.0, **(known | options))


@pytest.mark.parametrize("interval", [0.1, 0.25, 1.0 / 3.0])
@pytest.mark.parametrize("t0", [0.0, -0.7, 12.3, 1e5])
def test_states_follow_the_forces_of_each_interval(interval: float, t0: float) -> None:
    """The truth as a sum of parabolas, piece by piece, with borders that are products."""
    crowd = crowd_of(kc.RandomForces(seed=5, interval=interval), time=t0)
    x, v, t, out = np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.0, 1.0]), t0, np.zeros(3)
    k = math.floor(t0 / interval)
    k += (k + 1) * interval <= t0
    for end in np.linspace(t0, t0 + 1.3, 8)[1:]:
        while t < end:
            random_force(5, 0, k, 4.0, 3, out)
            border = min((k + 1) * interval, end)
            a, s = out + np.array([0, 0, -2.0]), border - t
            x, v, t = x + v * s + 0.5 * a * s * s, v + a * s, border
            k += border == (k + 1) * interval
        np.testing.assert_allclose(crowd.positions(float(end))[0], x, rtol=0, atol=1e-11 * (1 + abs(t0)))
        np.testing.assert_allclose(crowd.velocities(float(end))[0], v, rtol=0, atol=1e-11 * (1 + abs(t0)))
        crowd.advance(float(end))
        np.testing.assert_allclose(crowd.positions()[0], x, rtol=0, atol=1e-11 * (1 + abs(t0)))


def test_an_impact_changes_the_velocity_and_no_force() -> None:
    """A wall turns a member round in the middle of an interval; the forces after it are the same numbers."""
    free = kc.Crowd([[5, 5]], [[-3, 0]], 1.0, 2.0, motion=kc.RandomForces(seed=3, interval=0.5))
    walled = kc.Crowd(
        [[5, 5]],
        [[-3, 0]],
        1.0,
        2.0,
        motion=kc.RandomForces(seed=3, interval=0.5),
        bounds=([0, -99], [99, 99]),
    )
    (event,) = walled.advance(2.4)
    t = float(event.time)
    assert t % 0.5 > 0.01
    # Mirrored at the wall: what the free one lost after t the walled one gained, but for the force along x.
    np.testing.assert_allclose(walled.positions()[0, 1], free.positions(2.4)[0, 1], atol=1e-12)
    pushed = free.velocities(2.4)[0, 0] - free.velocities(t)[0, 0]
    assert walled.velocities()[0, 0] == pytest.approx(-free.velocities(t)[0, 0] + pushed, abs=1e-9)


def test_a_field_pulls_no_harder_than_it_may() -> None:
    crowd = kc.Crowd(
        [[5, 2]], [[0, 0]], 0.5, 3.0,
        motion=kc.VelocityField(speed=50.0, interval=0.1, response=0.01), bounds=([0, 0], [10, 10]),
    )  # fmt: skip
    before = crowd.velocities()[0]
    for t in np.arange(0.1, 0.9, 0.1):
        crowd.advance(float(t))
        after = crowd.velocities()[0]
        assert np.linalg.norm(after - before) == pytest.approx(0.3, rel=1e-9)
        before = after
    gentle = kc.Crowd(
        [[5, 5]], [[0, 0]], 0.5, 99.0,
        motion=kc.VelocityField(speed=2.0, interval=0.1, response=0.5), bounds=([0, 0], [10, 10]),
    )  # fmt: skip
    gentle.advance(0.1)
    np.testing.assert_allclose(gentle.velocities()[0], [0.0, 0.4], atol=1e-12)


def test_a_field_goes_on_pulling_as_before_after_an_impact() -> None:
    """The acceleration chosen at the start of an interval is kept until its end, whatever the member runs into."""
    crowd = kc.Crowd(
        [[5, 2]], [[0, -8]], 1.0, 99.0,
        motion=kc.VelocityField(speed=2.0, interval=1.0, response=2.0), bounds=([0, 0], [10, 10]),
    )  # fmt: skip
    pulled = crowd.velocities(0.05)[0] - crowd.velocities(0.0)[0]
    (event,) = crowd.advance(0.3)
    assert 0.1 < event.time < 0.2
    after = crowd.velocities(0.35)[0] - crowd.velocities()[0]
    np.testing.assert_allclose(after, pulled, atol=1e-12)
    assert pulled[1] > 0.1


@pytest.mark.skipif(not config.DISABLE_JIT, reason="inner kernels are tested as Python")
@pytest.mark.parametrize("interval", [0.1, 1.0 / 3.0, 0.7, 1e-3])
def test_which_interval_holds_a_time(interval: float) -> None:
    rng = np.random.default_rng(0)
    for k in [*range(-30, 30), *rng.integers(-(10**9), 10**9, 50)]:
        border = int(k) * interval
        assert motion.interval_of(border, interval) == k
        assert motion.interval_of(np.nextafter(border, -np.inf), interval) == k - 1
        assert motion.interval_of(border + 0.5 * interval, interval) == k


@pytest.mark.skipif(not config.DISABLE_JIT, reason="inner kernels are tested as Python")
def test_promises_of_a_probe() -> None:
    assert motion.promised_travel(2.0, 3.0, 0.0, 0.0, 0.25) == 9.25
    assert motion.promised_travel(0.0, 3.0, 1e3, 1e3, 0.0) == pytest.approx(4e-9)
    assert motion.promised_change(2.0, 3.0, 0.0, 0.0) == pytest.approx(6.0)
    assert motion.promised_change(0.0, 3.0, 1e9, 1e3) == pytest.approx(1e-9)


@pytest.mark.parametrize("start", [0.0, 0.5, 1.0, 2.5, 3.0, 4.5])
def test_tracks_may_start_anywhere(start: float) -> None:
    """Somebody walks, is away, walks again: from any start the overlaps that are left are told."""
    nan = math.nan
    x = np.zeros((6, 2, 2))
    x[:, 1, 0] = [-4.0, -2.0, 0.0, nan, 2.0, 0.0]
    x[3, 1] = nan
    crowd = kc.Crowd(None, None, 0.5, motion=kc.RecordedTracks(np.arange(6.0), x), time=start)
    told = [(round(float(e.time), 9), str(e.kind)) for e in crowd.advance(5.0)]
    assert told == [e for e in [(1.5, "begin"), (2.0, "end"), (4.5, "begin"), (5.0, "end")] if e[0] >= start]
