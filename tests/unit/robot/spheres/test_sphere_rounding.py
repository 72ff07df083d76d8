"""Spheres in decimal numbers: whoever reads them, in double or single precision, has spheres that contain the given."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from keepclear.robot.spheres.numbers import SphereTexts, rounded_outward


def contains(center: list[float], radius: float, other: list[float], small: float) -> bool:
    """Tell in rational numbers whether a ball contains another one: |c - d| + s <= r."""
    square = sum((Fraction(x) - Fraction(y)) ** 2 for x, y in zip(center, other, strict=True))
    left = Fraction(radius) - Fraction(small)
    return left >= 0 and square <= left * left


def readings(texts: SphereTexts) -> list[tuple[list[float], float]]:
    """Return a sphere as readers may have it: in double precision, and in single, nearest, rounded down and up."""
    found = []
    numbers = [float(text) for text in (*texts.center, texts.radius)]
    found.append((numbers[:3], numbers[3]))
    near = [np.float32(x) for x in numbers]
    down = [x if x <= y else np.nextafter(x, np.float32(-np.inf)) for x, y in zip(near, numbers, strict=True)]
    up = [x if x >= y else np.nextafter(x, np.float32(np.inf)) for x, y in zip(near, numbers, strict=True)]
    for single in (near, down, up, [*down[:3], down[3]], [*up[:3], down[3]]):
        found.append(([float(x) for x in single[:3]], float(single[3])))
    return found


@pytest.mark.parametrize("exponent", [-9, -6, -3, -1, 0, 3, 6])
def test_each_reading_contains_the_sphere(exponent: int) -> None:
    rng = np.random.default_rng(9 + exponent)
    centers = rng.normal(size=(300, 3)) * 10.0 ** rng.uniform(-3.0, 3.0, (300, 1)) * 10.0**exponent
    radii = 10.0 ** rng.uniform(-2.0, 2.0, 300) * 10.0**exponent
    for center, radius, texts in zip(
        centers.tolist(), radii.tolist(), rounded_outward(centers, radii), strict=True
    ):
        for read_center, read_radius in readings(texts):
            assert contains(read_center, read_radius, center, radius), (center, radius, texts)


def test_little_is_added() -> None:
    rng = np.random.default_rng(1)
    centers, radii = rng.uniform(-1.0, 1.0, (500, 3)), rng.uniform(0.01, 0.1, 500)
    grown = np.array([float(texts.radius) for texts in rounded_outward(centers, radii)]) - radii
    assert grown.min() >= 0.0
    assert grown.max() < 3e-7  # single precision alone costs 1.2e-7 m of a centre 1 m away


def test_numbers_are_short_where_they_can_be() -> None:
    (texts,) = rounded_outward(np.array([[0.5, 0.0, -0.25]]), np.array([0.125]))
    assert texts == SphereTexts(("0.5", "0", "-0.25"), "0.125")


def test_a_radius_below_single_precision_is_raised() -> None:
    (texts,) = rounded_outward(np.zeros((1, 3)), np.array([1e-300]))
    assert np.float32(texts.radius) >= 1e-30


def test_what_moves_centres_is_added() -> None:
    (texts,) = rounded_outward(np.zeros((1, 3)), np.array([0.5]), moved=0.25)
    assert 0.75 <= float(texts.radius) < 0.75001
