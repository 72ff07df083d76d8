"""Spheres in a box: none overlap, all are inside, the same seed gives the same places, and too many are refused."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import keepclear as kc
from keepclear.crowd.experiment import SETTINGS, Experiment, Range, Setting
from keepclear.crowd.placing import filled_share, place_spheres

Array = np.ndarray[Any, Any]


def assert_apart(x: Array, radii: Array) -> None:
    """Check every pair in exact arithmetic."""
    rows = [[Fraction(float(c)) for c in row] for row in x]
    r = [Fraction(float(value)) for value in radii]
    for i, j in combinations(range(len(r)), 2):
        gap = sum((a - b) ** 2 for a, b in zip(rows[i], rows[j], strict=True))
        assert gap > (r[i] + r[j]) ** 2, (i, j)


def assert_inside(x: Array, radii: Array, lower: Array, upper: Array) -> None:
    assert (x - radii[:, None] >= lower).all()
    assert (x + radii[:, None] <= upper).all()


@pytest.mark.parametrize(
    ("n", "lower", "upper", "share"),
    [
        (70, [0.0, 0.0, 0.0], [56.0, 56.0, 56.0], 0.4),
        (60, [-10.0, 3.0], [120.0, 100.0], 0.4),
        (40, [1000.0, 0.0, -5.0], [1020.0, 80.0, 75.0], 0.25),
    ],
)
def test_they_keep_apart_and_inside(n: int, lower: list[float], upper: list[float], share: float) -> None:
    radii = np.random.default_rng(3).uniform(0.1, 10.0, n)
    assert filled_share(radii, np.array(lower), np.array(upper)) > share
    x = place_spheres(radii, (lower, upper), seed=5)
    assert x.shape == (n, len(lower))
    assert_apart(x, radii)
    assert_inside(x, radii, np.array(lower), np.array(upper))


def test_the_fullest_box_of_the_source() -> None:
    r = np.random.default_rng(2).uniform(0.1, 10.0, 3500)
    assert filled_share(r, np.zeros(3), np.full(3, 200.0)) > 0.45
    x = place_spheres(r, ([0, 0, 0], [200, 200, 200]), seed=2)
    order = np.argsort(x[:, 0])
    x, r = x[order], r[order]
    for shift in range(1, len(r)):
        near = x[shift:, 0] - x[:-shift, 0] <= 20.0
        if not near.any():
            break
        d = np.linalg.norm(x[shift:][near] - x[:-shift][near], axis=1)
        assert (d > (r[shift:] + r[:-shift])[near]).all()


def test_sizes_may_differ_much() -> None:
    radii = np.concatenate([np.full(3, 4.0), np.full(40, 0.4), np.full(80, 1e-3), np.zeros(5)])
    x = place_spheres(radii, ([0, 0, 0], [16, 16, 16]), seed=1)
    assert_apart(x, radii)
    assert_inside(x, radii, np.zeros(3), np.full(3, 16.0))


def test_the_seed_decides() -> None:
    radii, box = np.linspace(0.5, 2.0, 30), ([0, 0, 0], [15, 15, 15])
    first = place_spheres(radii, box, seed=7)
    assert (first == place_spheres(radii, box, seed=7)).all()
    assert (first != place_spheres(radii, box, seed=8)).any()


@pytest.mark.parametrize(
    ("radii", "box", "text"),
    [
        (np.full(9, 1.0), ([0, 0], [5, 5]), "9 spheres would fill 113.1% of the box"),
        (
            np.full(20, 1.0),
            ([0, 0], [9, 9]),
            "20 spheres fill 77.6% of the box, and could not be put into it",
        ),
        ([1.0, 3.0], ([0, 0, 0], [9, 9, 5]), "sphere 1 with radius 3 does not fit into a box that is 5 wide"),
        ([1.0, -1.0], ([0, 0], [9, 9]), "radii[1] must be finite and >= 0, but it is -1"),
        ([1.0, np.nan], ([0, 0], [9, 9]), "radii[1] must be finite"),
        ([1.0], ([0, 0], [9, -9]), "bounds must be a lower and an upper corner"),
        ([1.0], ([0], [9]), "corners have 2 or 3 numbers, but the lower one has 1"),
        ([1.0], None, "bounds are missing"),
        ([1.0], 5, "bounds must be two corners"),
        ([[1.0]], ([0, 0], [9, 9]), "radii must be one number"),
    ],
)
def test_what_does_not_fit_is_refused(radii: Any, box: Any, text: str) -> None:
    with pytest.raises(kc.ArgumentError) as caught:
        place_spheres(radii, box)
    assert text in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("seed", [-1, 0.5, "1", None])
def test_a_seed_is_a_whole_number(seed: Any) -> None:
    with pytest.raises(kc.ArgumentError, match="seed must be a whole number"):
        place_spheres([1.0], ([0, 0], [9, 9]), seed=seed)


def test_nobody_and_somebody_who_just_fits() -> None:
    assert place_spheres([], ([0, 0], [1, 1])).shape == (0, 2)
    assert place_spheres([0.5], ([0, 0], [1, 1])).tolist() == [[0.5, 0.5]]


def test_boxes_are_as_full_as_those_of_the_source() -> None:
    assert [Experiment(n).size for n in (1, 500, 3500)] == [200.0, 200.0, 200.0]
    assert Experiment(28_000).size == pytest.approx(400.0, rel=1e-9)
    assert Experiment(1000, motion="field").size == 200.0
    half = Setting(Range(0.05, 5.0), *SETTINGS["random"][1:])
    assert Experiment(1000, setting=half).size == pytest.approx(100.0, rel=1e-9)
    radii = np.random.default_rng(0).uniform(0.1, 10.0, 100_000)
    spheres, discs = Experiment(1000), Experiment(1000, dimensions=2)
    assert discs.filled(radii) == pytest.approx(spheres.filled(radii), rel=0.01)
    assert Experiment(10, dimensions=2).size == pytest.approx(discs.size / 10.0, rel=1e-9)


@pytest.mark.parametrize("motion", ["random", "field", "ballistic"])
@pytest.mark.parametrize("dimensions", [2, 3])
def test_crowds_are_those_that_were_asked_for(motion: str, dimensions: int) -> None:
    crowd = Experiment(30, motion=motion, dimensions=dimensions, seed=4).build()
    again = Experiment(30, motion=motion, dimensions=dimensions, seed=4).build()
    radii, speeds, _ = SETTINGS[motion]
    assert crowd.dimensions == dimensions
    assert ((crowd.radii >= radii.low) & (crowd.radii <= radii.high)).all()
    speed = np.linalg.norm(crowd.velocities(), axis=1)
    assert ((speed >= speeds.low - 1e-9) & (speed <= speeds.high + 1e-9)).all()
    assert (crowd.positions() == again.positions()).all()
