"""When bounds meet and spheres part: never late, and as late as they can be, compared with exact signs."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from keepclear.kernels.crowd.roots import first_root, meeting, parting


def squares(xv: np.ndarray, R: float, b: float, a: float, s: Fraction) -> Fraction:
    """Squared distance minus squared sum of radii at time s, exactly."""
    x = [Fraction(float(p)) + Fraction(float(v)) * s for p, v in zip(xv[:3], xv[3:], strict=True)]
    radius = Fraction(R) + Fraction(b) * s + Fraction(a) * s * s / 2
    return sum((c * c for c in x), Fraction(0)) - radius * radius


def cases(n: int) -> list[tuple[np.ndarray, float, float, float]]:
    rng = np.random.default_rng(5)
    found = []
    while len(found) < n:
        xv = np.concatenate(
            [rng.uniform(-5.0, 5.0, 3), rng.normal(size=3) * rng.choice([0.0, 0.3, 3.0, 30.0])]
        )
        R, b, a = rng.uniform(0.01, 2.0), rng.choice([0.0, 1.0]) * rng.random(), rng.choice([0.01, 1.0, 30.0])
        if np.linalg.norm(xv[:3]) > R:
            found.append((xv, float(R), float(b), float(a)))
    return found


@pytest.mark.parametrize("k", range(40))
def test_bounds_have_not_met_before_and_meet_soon_after(k: int) -> None:
    xv, R, b, a = cases(40)[k]
    s = meeting(xv, R, b, a, math.inf, 0.0, 0.0)
    assert 0.0 < s < math.inf
    for part in np.linspace(0.0, 1.0, 60):
        assert squares(xv, R, b, a, Fraction(float(part * s))) >= 0
    after = s * (1.0 + 1e-10)
    grazes = abs(float(squares(xv, R, b, a, Fraction(s)))) < 1e-9
    assert squares(xv, R, b, a, Fraction(after)) <= 0 or grazes


@pytest.mark.parametrize("k", range(40))
def test_a_coarse_time_is_earlier_and_close(k: int) -> None:
    xv, R, b, a = cases(40)[k]
    fine, coarse = (meeting(xv, R, b, a, math.inf, 0.0, accuracy) for accuracy in (0.0, 1e-4))
    assert coarse <= fine
    assert coarse >= fine * (1.0 - 1e-3)


def test_straight_ways_have_exact_times() -> None:
    head_on = np.array([10.0, 0.0, 0.0, -2.0, 0.0, 0.0])
    assert meeting(head_on, 2.0, 0.0, 0.0, math.inf, 0.0, 0.0) == pytest.approx(4.0, rel=1e-13)
    assert meeting(head_on, 2.0, 0.0, 0.0, math.inf, 0.0, 0.0) <= 4.0
    assert meeting(head_on, 2.0, 0.0, 0.0, 3.9, 0.0, 0.0) == math.inf
    assert meeting(-head_on * [1, 1, 1, -1, 1, 1], 2.0, 0.0, 0.0, math.inf, 0.0, 0.0) == math.inf
    passing = np.array([10.0, 2.1, 0.0, -2.0, 0.0, 0.0])
    assert meeting(passing, 2.0, 0.0, 0.0, math.inf, 0.0, 0.0) == math.inf


def test_a_graze_on_straight_ways_is_not_lost() -> None:
    for y in (2.0, np.nextafter(2.0, 0.0)):
        grazing = np.array([10.0, y, 0.0, -2.0, 0.0, 0.0])
        assert meeting(grazing, 2.0, 0.0, 0.0, math.inf, 0.0, 0.0) == pytest.approx(5.0, abs=1e-6)


def test_bounds_that_meet_now() -> None:
    assert meeting(np.array([1.0, 0.0, 0.0, 5.0, 0.0, 0.0]), 1.5, 0.0, 1.0, math.inf, 0.0, 0.0) == 0.0


def test_slack_makes_it_earlier() -> None:
    xv = np.array([10.0, 0.0, 0.0, -1.0, 0.0, 0.0])
    assert meeting(xv, 1.0, 0.0, 0.0, math.inf, 0.5, 0.0) == pytest.approx(8.5)


def test_slack_makes_it_earlier_for_bounds_that_grow_too() -> None:
    xv = np.array([10.0, 0.0, 0.0, -1.0, 0.0, 0.0])
    # 8.5 = s + s^2 / 4
    found = meeting(xv, 1.0, 0.0, 0.5, math.inf, 0.5, 0.0)
    assert found == pytest.approx(2.0 * (math.sqrt(9.5) - 1.0), rel=1e-12)
    assert found <= 2.0 * (math.sqrt(9.5) - 1.0)


@pytest.mark.parametrize("distance", [1e2, 1e4, 1e6])
def test_no_meeting_on_straight_ways_is_lost_by_rounding(distance: float) -> None:
    """From far away they come just within the sum of radii: exact arithmetic says so, and so must the kernel."""
    rng = np.random.default_rng(11)
    met = 0
    for _ in range(150):
        along, aside = np.linalg.qr(rng.normal(size=(3, 2)))[0].T
        v = -along * rng.uniform(0.1, 10.0)
        xv = np.concatenate([distance * along + (1.0 - 10.0 ** -rng.uniform(8, 16)) * aside, v])
        x, w = [Fraction(float(c)) for c in xv[:3]], [Fraction(float(c)) for c in xv[3:]]
        xx, xw, ww = (
            sum((p * q for p, q in zip(a, b, strict=True)), Fraction(0)) for a, b in ((x, x), (x, w), (w, w))
        )
        if xw * xw - ww * (xx - 1) < 0:
            continue  # rounding of the case itself let them miss each other
        met += 1
        found = meeting(xv, 1.0, 0.0, 0.0, math.inf, 0.0, 0.0)
        assert found < math.inf
        nearest = -xw / ww
        assert Fraction(found) <= nearest
        assert squares(xv, 1.0, 0.0, 0.0, Fraction(found)) >= 0
    assert met > 50


@pytest.mark.parametrize("k", range(40))
def test_spheres_overlap_until_they_may_part(k: int) -> None:
    rng = np.random.default_rng(k)
    x = rng.normal(size=3)
    xv = np.concatenate([x, rng.normal(size=3) * rng.choice([0.1, 1.0, 10.0])])
    R, b, a = (
        float(np.linalg.norm(x) * rng.uniform(1.01, 3.0)),
        float(rng.choice([0.0, 0.5])),
        float(rng.choice([0.0, 5.0])),
    )
    s = parting(xv, R, b, a, math.inf, 0.0)
    assert 0.0 < s < math.inf
    for part in np.linspace(0.0, 1.0, 60):
        assert squares(xv, R, -b, -a, Fraction(float(part * s))) <= 0
    late = Fraction(s * (1.0 + 1e-6))
    shrunk = Fraction(R) - Fraction(b) * late - Fraction(a) * late * late / 2
    assert squares(xv, R, -b, -a, late) >= 0 or shrunk <= 0


def test_spheres_at_rest_never_part() -> None:
    assert parting(np.array([0.5, 0, 0, 0, 0, 0.0]), 1.0, 0.0, 0.0, math.inf, 0.0) == math.inf


@pytest.mark.parametrize(
    ("gap", "rate", "a", "root"),
    [
        (2.0, -1.0, 0.0, 2.0),
        (2.0, 1.0, 0.0, math.inf),
        (2.0, 0.0, 4.0, 1.0),
        (0.0, 3.0, 2.0, 3.0),
        (4.0, -5.0, -2.0, 1.0),
        (7.0, -5.0, -2.0, math.inf),
    ],
)
def test_first_roots_of_parabolas(gap: float, rate: float, a: float, root: float) -> None:
    assert first_root(gap, rate, a) == pytest.approx(root, rel=1e-13)
    assert first_root(gap, rate, a) <= root
