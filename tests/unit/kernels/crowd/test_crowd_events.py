"""The event loop of a crowd: impulses, collapses, what is put back, and how a run ends."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numba.core import config

import keepclear as kc
from keepclear.kernels.crowd import events
from keepclear.kernels.crowd import layout as at

pytestmark = pytest.mark.skipif(
    not config.DISABLE_JIT, reason="inner kernels, which only kernels call, are tested as Python"
)


def head_on(**options) -> kc.Crowd:
    known = {"motion": kc.Ballistic(), "masses": [1.0, 3.0]}
    return kc.Crowd([[0, 0, 0], [3, 4, 0]], [[1, 0, 0.5], [-1, -2, 0]], 2.5, **(known | options))


@pytest.mark.parametrize("kept", [0.0, 1.0])
def test_an_impulse_keeps_momentum_and_energy(kept: float) -> None:
    F = head_on()._state.tables.F
    rows = [0, 1] if F[0, at.X] == 0.0 else [1, 0]
    i, j = rows
    m = F[[i, j], at.MASS][:, None]
    before = F[[i, j], at.V : at.V + 3].copy()
    n = np.array([3.0, 4.0, 0.0])
    speed = float((before[1] - before[0]) @ n / 5.0)
    assert speed < 0.0
    events.bounce(F, i, j, *n, 5.0, speed, kept)
    after = F[[i, j], at.V : at.V + 3]
    np.testing.assert_allclose((m * after).sum(axis=0), (m * before).sum(axis=0), atol=1e-15)
    assert (after[1] - after[0]) @ n / 5.0 == pytest.approx(-kept * speed, abs=1e-15)
    lost = 0.5 * (m * before**2).sum() - 0.5 * (m * after**2).sum()
    assert lost == pytest.approx((1.0 - kept**2) * 0.5 * 0.75 * speed**2, abs=1e-14)
    across = np.array([4.0, -3.0, 0.0])
    np.testing.assert_allclose(after @ across, before @ across, atol=1e-14)


def test_masses_of_any_size_make_finite_velocities() -> None:
    for masses in ([1e-310, 1e-310], [1e-310, 1e9], [1e9, 1e-27]):
        F = head_on(masses=masses)._state.tables.F
        events.bounce(F, 0, 1, 3.0, 4.0, 0.0, 5.0, -1.0, 1.0)
        assert np.isfinite(F[:, at.V : at.V + 3]).all()


def test_spheres_are_put_back_to_touching_around_their_centre_of_mass() -> None:
    F = head_on()._state.tables.F
    i, j = (0, 1) if F[0, at.X] == 0.0 else (1, 0)
    m = F[[i, j], at.MASS][:, None]
    centre = (m * F[[i, j], at.X : at.X + 3]).sum(axis=0)
    events.push_out(F, i, j, 3.0, 4.0, 0.0, 5.0, -0.5)
    way = F[j, at.X : at.X + 3] - F[i, at.X : at.X + 3]
    assert np.linalg.norm(way) == pytest.approx(5.5)
    np.testing.assert_allclose((m * F[[i, j], at.X : at.X + 3]).sum(axis=0), centre, atol=1e-14)


def test_a_thousand_contacts_each_soon_after_the_last_are_a_collapse() -> None:
    T = head_on()._state.tables
    hold, t = 1.0, 0.0
    for _ in range(events.MOST_CONTACTS):
        assert not events.is_collapsing(T.F, T.N, 0, t, hold)
        t += 0.4
    assert events.is_collapsing(T.F, T.N, 0, t, hold)
    assert events.is_resting(T.N, 0)
    # After the hold a few are answered, and then it is held again.
    t += hold
    answered = 0
    while not events.is_collapsing(T.F, T.N, 0, t, hold):
        answered += 1
        assert events.is_resting(T.N, 0)
    assert answered == events.FEW_CONTACTS
    # Left alone for long enough it is over.
    t += 5.0 * hold
    assert not events.is_collapsing(T.F, T.N, 0, t, hold)
    assert T.N[0, at.CONTACTS] == 1
    assert not events.is_resting(T.N, 0)


def test_contacts_that_come_slowly_are_no_collapse() -> None:
    T = head_on()._state.tables
    for k in range(2 * events.MOST_CONTACTS):
        assert not events.is_collapsing(T.F, T.N, 0, 0.6 * k, 1.0)
    assert T.N[0, at.CONTACTS] == 1


def test_a_run_says_why_it_ended() -> None:
    crowd = head_on(response="report")
    T = crowd._state.tables
    assert events.advance(T.packed(), 1.0, 1) == at.OUT_OF_STEPS
    assert crowd.time == 0.0
    while (status := events.advance(T.packed(), 1.0, 100)) in (at.GROW_GRID, at.GROW_PAIRS):
        crowd._serve(status)
    assert status == at.DONE
    assert crowd.time == 1.0
    assert events.advance(T.packed(), 0.5, 100) == at.DONE
    assert crowd.time == 1.0
    T.E = np.zeros((7, at.E_COLUMNS))
    T.C[at.N_EVENTS] = 0
    assert events.advance(T.packed(), 99.0, 100) == at.EVENTS_FULL


def test_spheres_that_are_woken_are_renewed_first() -> None:
    crowd = head_on(response="report")
    crowd.advance(0.5)
    T = crowd._state.tables
    before = crowd.statistics["bounds updated"]
    events.wake(T.packed(), np.array([1]), 0.5, 1)
    assert T.F[1, at.HORIZON] == 0.5
    assert T.N[1, at.JUMPED] == 1
    events.wake(T.packed(), np.array([1]), 0.5, 0)
    assert T.N[1, at.JUMPED] == 1
    assert events.advance(T.packed(), 0.5, 100) == at.DONE
    assert crowd.statistics["bounds updated"] == before + 1
    assert T.N[1, at.JUMPED] == 0


@pytest.mark.parametrize("first", [0, 1])
def test_how_long_two_are_clear_with_limits_of_speed(first: int) -> None:
    """Bounds that grow along parabolas, then along tangents: as a fine sum of small steps tells."""
    A, V, e, f = np.array([2.0, 0.5]), np.array([1.0, 2.0]), np.array([0.1, 0.0]), np.array([0.0, 0.25])
    crowd = kc.Crowd([[0, 0], [20, 1]], [[0.5, 0], [-0.25, 0]], 0.5, A, max_speeds=V)
    crowd.observe(
        [0, 1], 0.0, [[0, 0], [20, 1]], [[0.5, 0], [-0.25, 0]], position_errors=e, velocity_errors=f
    )
    s = np.linspace(0.0, 10.0, 1_000_001)
    W = V + np.array([0.5, 0.25])
    grown = [np.minimum(f[k] + A[k] * s, W[k]) for k in range(2)]
    way = sum(
        e[k] + np.concatenate([[0.0], np.cumsum(0.5 * (g[1:] + g[:-1]) * 1e-5)]) for k, g in enumerate(grown)
    )
    gap = np.hypot(20.0 - 0.75 * s, 1.0) - 1.0 - way
    meet = s[np.argmax(gap <= 0.0)]
    found = crowd.clear_until(first, 1 - first)
    assert found == pytest.approx(meet, abs=2e-5)
    assert found == crowd.clear_until(first)
    crowd.advance(2.0)
    assert crowd.clear_until(first, 1 - first) == pytest.approx(found, rel=1e-12)
    (event,) = crowd.advance(8.0)
    assert event.time == pytest.approx(found, rel=1e-12)


def test_how_long_tracks_are_clear() -> None:
    x = np.array(
        [[[0, 0], [5, 0], [50, 0]], [[0, 0], [6, 0], [50, 0]], [[0, 0], [0, 0], [51, 0]]], dtype=float
    )
    x[0, 2] = math.nan
    crowd = kc.Crowd(None, None, 0.5, motion=kc.RecordedTracks([0, 1, 3], x))
    crowd.advance(0.25)
    # They go apart until the next sample, and what comes then is not looked at.
    assert crowd.clear_until(0, 1) == crowd.clear_until(0) == pytest.approx(1.0, abs=1e-15)
    assert crowd.clear_until(0) <= 1.0
    crowd.advance(1.0)
    assert crowd.clear_until(0, 1) == pytest.approx(1.0 + 5.0 / 3.0)
    assert crowd.clear_until(0, 1) <= 1.0 + 5.0 / 3.0
    assert crowd.clear_until(0, 2) == pytest.approx(3.0, abs=1e-15)
    with pytest.raises(kc.ArgumentError, match="an id is given twice"):
        crowd.clear_until(2, 2)
