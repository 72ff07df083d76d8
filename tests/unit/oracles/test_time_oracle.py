"""The exact paths and distances on wild grids of time, checked on answers known by hand and against SciPy."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.interpolate import CubicHermiteSpline, CubicSpline
from tests.oracles import time_paths as paths
from tests.oracles import time_truth as truths
from tests.oracles.time_bodies import BODIES, axis_rotation
from tests.oracles.time_grids import GRIDS, even, later

import keepclear as kc

TIMES = [-1.0, 0.5, 0.75, 3.0, 3.5, 4.0, 4.5]
VALUES = [0.0, 2.0, -1.0, 1.0, 4.0, 4.5, -2.0]


def test_splines_agree_with_scipy():
    speeds = [0.5, -1.0, 2.0, 0.0, 3.0, -4.0, 1.0]
    hermite = paths.hermite(TIMES, VALUES, speeds)
    natural = paths.natural(TIMES, VALUES)
    for t in np.linspace(-1.0, 4.5, 50):
        assert float(hermite.at(t)) == pytest.approx(CubicHermiteSpline(TIMES, VALUES, speeds)(t), abs=1e-12)
        assert float(natural.at(t)) == pytest.approx(
            CubicSpline(TIMES, VALUES, bc_type="natural")(t), abs=1e-12
        )


def test_cubics_go_through_their_samples():
    times = [1.0, 1.25, 1.5, 1.75, 3.75, 5.75, 7.75]
    path = paths.cubic(times, VALUES)
    assert [path.at(t) for t in times] == [Fraction(x) for x in VALUES]
    assert path.at(-5.0) == VALUES[0]
    assert path.at(9.0) == VALUES[-1]


def test_ranges_and_lengths_by_hand():
    """t^2 - 1 from -1 to 2 through the cubic of four samples: down by 1, up by 4; and there and back in two ticks."""
    parabola = paths.cubic([-1.0, 0.0, 1.0, 2.0], [0.0, -1.0, 0.0, 3.0])
    assert parabola.range(-1.0, 2.0) == (-1, 3)
    assert parabola.length(-1.0, 2.0) == 5
    ticks = [1.0, later(1.0, 1), later(1.0, 2)]
    shuttle = paths.linear(ticks, [-1.0, 1.0, -1.0])
    assert shuttle.length(ticks[0], ticks[2]) == 4
    assert shuttle.at((Fraction(ticks[0]) + Fraction(ticks[1])) / 2) == 0


def test_differences_and_reversals():
    a, b = paths.hermite(TIMES, VALUES, [1.0] * 7), paths.linear([0.0, 1.0, 2.0], [3.0, -1.0, 5.0])
    difference, back = a.minus(b), a.negated_time()
    for t in (Fraction(k, 7) for k in range(-14, 42)):
        assert difference.at(t) == a.at(t) - b.at(t)
        assert back.at(-t) == a.at(t)
    assert a.minus(paths.constant(2.0)).at(0.5) == 0


@pytest.mark.parametrize("name", GRIDS)
def test_grids_increase_and_even_ones_are_even(name):
    for seed in range(50):
        rng = np.random.default_rng(seed)
        assert np.all(np.diff(GRIDS[name](rng, 5)) > 0)
        steps = np.diff([Fraction(t) for t in even(rng, name, 7)]).reshape(2, 3)
        assert all(len(set(row)) == 1 for row in steps)


@pytest.mark.parametrize("name", BODIES)
def test_bodies_reach_as_far_as_they_say(name):
    """Measured by a far plate: its distance is what is left of the way."""
    rng = np.random.default_rng(5)
    body, R = BODIES[name](rng, 1.0), axis_rotation(rng)
    X_WA, X_WB = np.eye(4), np.eye(4)
    X_WA[:3, :3] = R
    for axis in range(3):
        for side, reach in zip((-1, 1), body.along(R, axis), strict=True):
            X_WB[:3, 3] = 3.0 * side * np.eye(3)[axis]
            found = kc.distance(body.shape, X_WA, kc.Box([1.0, 1.0, 1.0]), X_WB).distance
            assert found == pytest.approx(2.5 - abs(float(reach)), abs=1e-12)


def test_distances_by_hand():
    balls = truths.passing_balls(Fraction(1), Fraction(1, 2))
    low, high = balls(Fraction(2))
    assert low <= Fraction(3, 2) <= high
    assert high - low < Fraction(1, 2**190)
    low, high = truths.passing(Fraction(3), Fraction(4))(Fraction(6))
    assert (float(low), float(high)) == (5.0, pytest.approx(np.hypot(6, 4)))
    low, high = truths.hinge(1.0, 0.5)(Fraction(np.pi / 3))
    assert low < 0.5 < high
    low, high = truths.rod(2.0, 0.5)(Fraction(np.pi / 6))
    assert low < 0.5 < high
    truth = truths.Truth(paths.linear([0.0, 1.0], [-1.0, 1.0]), Fraction(0), truths.slab(Fraction(1, 4)))
    assert truth.touches(0.0, 1.0, 0.0)
    assert not truth.touches(0.0, 0.25, 0.0)
    assert truth.is_clear(0.0, 0.25, Fraction(1, 8))
    assert not truth.overlaps_before(0.0, 0.375, 0.0)
    assert truth.overlaps_before(0.0, 0.376, 0.0)


def test_centres_come_again_with_each_turn():
    def away(low, high, period=Fraction(4)):
        return truths.distance_to(Fraction(1), period, (Fraction(low), Fraction(high)))

    assert [away(x, x) for x in (-4, -3, -2, 0, 1, 2, 3, 4, 5)] == [1, 0, 1, 1, 0, 1, 2, 1, 0]
    assert away(2, 3) == 1
    assert away(2, 5) == away(0, 100) == 0
    assert away(3, 3, None) == 2
    assert away(-3, -2, None) == 3
    assert away(-3, 2, None) == 0
