"""Pairs of a crowd: their lists, and for how long two spheres, their bounds or a wall cannot meet or part."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from numba.core import config

from keepclear.crowd.parts.tables import build_tables
from keepclear.kernels.crowd import layout as at
from keepclear.kernels.crowd import pairs
from keepclear.kernels.crowd.heap import set_time

pytestmark = pytest.mark.skipif(
    not config.DISABLE_JIT, reason="inner kernels, which only kernels call, are tested as Python"
)
inf = math.inf


def tables(x, v, r, A, **settings: float):
    """Return tables with spheres whose states are known at time 0, at rest in a box from 0 to 10."""
    n = len(x)
    T = build_tables(n, np.zeros(at.S_SIZE), np.zeros(1))
    T.F[:, at.X : at.X + 3], T.F[:, at.V : at.V + 3] = x, v
    T.F[:, at.RADIUS], T.F[:, at.ACCELERATION] = r, A
    T.S[at.EXTENT], T.S[at.SLACK], T.S[at.TOLERANCE] = 10.0, 10.0 * 2.0**-49, 10.0 * 2.0**-44
    T.S[at.MOTION], T.S[at.RESPONSE], T.S[at.DIMENSIONS] = at.BALLISTIC, at.REPORT, 3
    T.S[at.UPPER : at.UPPER + 3] = 10.0
    for name, value in settings.items():
        T.S[getattr(at, name)] = value
    return T


def listed(T, i: int) -> list[int]:
    """Return the pairs in the list of a sphere, and check that it reads the same backwards."""
    found, before, e = [], -1, int(T.N[i, at.FIRST_PAIR])
    while e >= 0:
        p, side = e >> 1, e & 1
        assert T.Q[p, at.FIRST + side] == i
        assert T.Q[p, at.PREVIOUS + side] == before
        found.append(p)
        before, e = e, int(T.Q[p, at.NEXT + side])
    return found


def test_lists_of_pairs_hold_what_was_put_in() -> None:
    rng = np.random.default_rng(0)
    T = tables(np.zeros((8, 3)), 0.0, 1.0, 0.0)
    alive: dict[int, tuple[int, int]] = {}
    for _ in range(400):
        if alive and rng.random() < 0.45:
            p = int(rng.choice(list(alive)))
            pairs.remove_pair(T.N, T.Q, T.K, T.H, T.C, p)
            del alive[p]
        else:
            i, j = (int(k) for k in rng.choice(8, 2, replace=False))
            p = pairs.add_pair(T.N, T.Q, T.C, i, j, at.OVERLAPPING)
            if p < 0:
                assert len(alive) == len(T.Q)
                T.grow_pairs()
                continue
            assert p not in alive
            assert T.Q[p, at.STATE] == at.OVERLAPPING
            set_time(T.K, T.H, T.C, len(T.N) + p, rng.random())
            alive[p] = i, j
        assert T.C[at.N_PAIRS] == len(alive) == T.C[at.HEAP_SIZE]
        for i in range(8):
            assert sorted(listed(T, i)) == sorted(p for p, who in alive.items() if i in who)


@pytest.mark.parametrize("t", [0.0, 1.0, -3.0, 1.7e9, -1e6])
@pytest.mark.parametrize("s", [0.0, 1e-300, 1e-9, 0.1, 7.0, 1e12])
def test_later_is_never_too_late(t: float, s: float) -> None:
    u = pairs.later(t, s)
    assert t <= u
    assert Fraction(u) <= Fraction(t) + Fraction(s)
    assert Fraction(t) + Fraction(s) - Fraction(u) <= Fraction(2.0**-51) * abs(
        Fraction(t) + Fraction(s)
    ) + Fraction(2.0**-52) * Fraction(abs(t))
    assert pairs.later(t, inf) == inf


def test_what_is_seen_from_the_first_includes_ages_and_gravity() -> None:
    T = tables([[0, 0, 0], [5, 1, 0]], [[1, 0, 0], [0, 2, -1]], 1.0, [2.0, 4.0])
    T.S[at.GRAVITY : at.GRAVITY + 3] = 0.0, 0.0, -10.0
    T.F[1, at.PROBED] = -1.0
    t = 2.0
    first = np.array([2.0, 0.0, -20.0])
    second = np.array([5.0, 1.0 + 6.0, -3.0 - 45.0])
    *found, unknown, rate = pairs.relative(T.F, T.S, 0, 1, t)
    np.testing.assert_allclose(found[:3], second - first)
    np.testing.assert_allclose(found[3:], [-1.0, 2.0, -1.0 - 10.0])
    assert unknown == 0.5 * 2.0 * 4.0 + 0.5 * 4.0 * 9.0
    assert rate == 2.0 * 2.0 + 4.0 * 3.0
    T.S[at.MOTION] = at.OBSERVED
    T.F[0, at.ERROR_X], T.F[0, at.ERROR_V], T.F[1, at.ERROR_V] = 0.5, 0.25, 1.0
    *_, more, faster = pairs.relative(T.F, T.S, 0, 1, t)
    assert more == unknown + 0.5 + 0.25 * 2.0 + 3.0
    assert faster == rate + 1.25


def test_small_numbers() -> None:
    T = tables([[0, 0, 0]], 0.0, 1.0, 0.0)
    assert pairs.tick(-(2.0**49)) == 1.0
    assert pairs.contact_tolerance(T.S, 0.0, 1e9, 1e9) == T.S[at.TOLERANCE]
    assert pairs.contact_tolerance(T.S, 2.0**50, 3.0, 4.0) == T.S[at.TOLERANCE] + 6.0 + 8.0
    assert pairs.speed_of(3.0, -4.0, 1.0) == 8.0
    assert pairs.resting_distance(T.S, 2.0) == 2e-9
    assert pairs.resting_distance(T.S, 0.0) == 4.0 * T.S[at.TOLERANCE]
    assert pairs.hold_time(0.0, -2.0, 0.0, 1e-9) == pytest.approx(5e-7)
    assert pairs.hold_time(0.0, 0.0, 2.0, 1e-9) == pytest.approx(1e-3)
    assert pairs.hold_time(0.0, 1e9, 2.0, 1e-9) == pytest.approx(1e-15)
    assert pairs.hold_time(2.0**49, 1e9, 2.0, 1e-9) == 1.0


def test_two_that_touch_and_do_not_approach() -> None:
    C = np.zeros(at.C_SIZE, np.int64)

    def step(t: float, gap: float, rate: float, a: float, rest: float = 1e-9) -> float:
        return pairs.touching_step(C, t, gap, rate, a, 1e-12, rest)

    assert step(0.0, 0.0, 1.0, 0.0) == inf
    assert step(0.0, 0.0, 1.0, -2.0) == inf
    assert step(0.0, 0.0, 1.0, 4.0) == 0.5  # apart until then
    assert step(0.0, -2e-12, 1.0, 4.0) == 0.5
    assert step(0.0, -2.1e-12, 1.0, 4.0) == 0.25  # may turn from then on
    assert C[at.RESTING] == 0
    assert step(0.0, 0.0, 0.0, 4.0, 2e-8) == pytest.approx(1e-4)
    assert step(2.0**49, 0.0, 0.0, 4.0, 2e-8) == 1.0
    assert C[at.RESTING] == 2


@pytest.mark.parametrize(
    ("response", "gap", "speed", "is_contact"),
    [
        (at.ELASTIC, 0.0, -1.0, True),
        (at.ELASTIC, 1.0, -1.0, True),
        (at.ELASTIC, 1.1, -1.0, False),
        (at.ELASTIC, 0.0, 0.0, False),
        (at.ELASTIC, -9.0, 0.0, False),
        (at.ASK, -9.0, 1.0, False),
        (at.ASK, 1.0, -1.0, True),
        (at.REPORT, 0.0, 0.0, True),
        (at.REPORT, 0.0, 1e-300, False),
        (at.REPORT, 1.1, -1.0, False),
        (at.REPORT, -2.0, 1.0, False),
        (at.REPORT, -2.1, 1.0, True),
    ],
)
def test_what_is_a_contact(response: int, gap: float, speed: float, is_contact: bool) -> None:
    S = np.zeros(at.S_SIZE)
    S[at.RESPONSE] = response
    assert pairs.is_contact(S, gap, speed, 1.0) == is_contact


def test_what_has_parted() -> None:
    assert pairs.has_parted(1.1, -5.0, 1.0)
    assert pairs.has_parted(-1.0, 1e-9, 1.0)
    assert not pairs.has_parted(1.0, 0.0, 1.0)
    assert not pairs.has_parted(-1.1, 5.0, 1.0)


def test_contacts_of_a_collapse_count_as_resting() -> None:
    N = np.zeros((1, at.N_COLUMNS), np.int64)
    for contacts, resting in ((0, False), (980, False), (981, True), (1000, True)):
        N[0, at.CONTACTS] = contacts
        assert pairs.is_resting(N, 0) == resting


@pytest.mark.parametrize(
    ("distance", "speed", "bound", "response", "step"),
    [
        (5.0, -1.0, 0.0, at.REPORT, 3.0),
        (5.0, 1.0, 0.0, at.REPORT, inf),
        (5.0, -1.0, 0.0, at.ELASTIC, 3.0),
        (5.0, 0.0, 1.5, at.REPORT, math.sqrt(2.0)),
        (2.0, -1.0, 0.0, at.ELASTIC, 0.0),
        (2.0, 1.0, 0.0, at.ELASTIC, inf),
        (2.0, 1.0, 0.0, at.REPORT, inf),
        (2.0, 0.0, 0.0, at.REPORT, 0.0),
        (2.0, 1.0, 1.0, at.REPORT, 1.0),
        (1.0, 1.0, 0.0, at.REPORT, 0.0),
        (1.0, 1.0, 0.0, at.ASK, inf),
        (1.0, -1.0, 0.0, at.ASK, 0.0),
        (1.0, 1.0, 1.0, at.ELASTIC, 0.5),
        (2.0, 1.0, 1.0, at.ELASTIC, 1.0),
    ],
)
def test_two_that_are_apart(distance: float, speed: float, bound: float, response: int, step: float) -> None:
    T = tables([[0, 0, 0], [distance, 0, 0]], [[0, 0, 0], [speed, 0, 0]], 1.0, bound, RESPONSE=response)
    found = pairs.approach_step(T.F, T.N, T.S, T.C, 0, 1, 0.0, inf)
    assert found == pytest.approx(step, rel=2e-4)
    assert found <= step
    assert T.C[at.ROOTS] == 1


def test_times_beyond_the_horizon_are_of_no_interest_and_shapes_are_looked_at() -> None:
    T = tables([[0, 0, 0], [5, 0, 0]], [[0, 0, 0], [-1, 0, 0]], 1.0, 0.0)
    assert pairs.approach_step(T.F, T.N, T.S, T.C, 0, 1, 0.0, 2.9) == inf
    assert pairs.approach_step(T.F, T.N, T.S, T.C, 0, 1, 0.0, 3.1) < 3.1
    T.S[at.OWN_TOLERANCE] = 0.5
    assert pairs.approach_step(T.F, T.N, T.S, T.C, 0, 1, 0.0, inf) == pytest.approx(2.5)
    T = tables([[0, 0, 0], [1.5, 0, 0]], [[0, 0, 0], [1, 0, 0]], 1.0, 0.0, RESPONSE=at.ASK)
    T.N[1, at.SHAPED] = 1
    assert pairs.approach_step(T.F, T.N, T.S, T.C, 0, 1, 0.0, inf) == 0.0


@pytest.mark.parametrize(
    ("distance", "speed", "bound", "step"),
    [
        (1.0, 1.0, 0.0, 1.0),
        (1.0, -1.0, 0.0, 3.0),
        (1.0, 0.0, 0.0, inf),
        (1.0, 0.0, 1.0, 1.0),
        (0.0, 2.0, 0.0, 1.0),
        (2.5, -1.0, 0.0, 0.0),
        (2.5, 0.0, 0.0, 0.0),
    ],
)
def test_two_that_overlap(distance: float, speed: float, bound: float, step: float) -> None:
    T = tables([[0, 0, 0], [distance, 0, 0]], [[0, 0, 0], [speed, 0, 0]], 1.0, bound)
    found = pairs.overlap_step(T.F, T.S, T.C, 0, 1, 0.0, inf)
    assert found == pytest.approx(step, rel=1e-6)
    assert found <= step + 4.0 * T.S[at.TOLERANCE]
    if 0.0 < step < inf:
        assert pairs.overlap_step(T.F, T.S, T.C, 0, 1, 0.0, 0.9 * step) == inf


def test_bounds_of_observed_spheres_that_overlap() -> None:
    T = tables([[0, 0, 0], [1, 0, 0]], [[0, 0, 0], [2, 0, 0]], 1.0, 0.0, MOTION=at.OBSERVED)
    assert pairs.bounds_step(T.F, T.S, 0, 1, 0.0) == pytest.approx(0.5)
    assert pairs.bounds_step(T.F, T.S, 0, 1, 0.4) == pytest.approx(0.1)
    assert pairs.bounds_step(T.F, T.S, 0, 1, 0.6) == 0.0
    T.F[0, at.ERROR_V] = 1.0
    assert pairs.bounds_step(T.F, T.S, 0, 1, 0.0) == pytest.approx(1.0)
    T.F[1, at.ERROR_V] = 1.0
    assert pairs.bounds_step(T.F, T.S, 0, 1, 0.0) == inf


@pytest.mark.parametrize(
    ("x", "v", "bound", "gravity", "response", "outside", "step"),
    [
        (5.0, -2.0, 0.0, 0.0, at.ELASTIC, 0, 2.0),
        (5.0, 2.0, 0.0, 0.0, at.ELASTIC, 0, 2.0),
        (5.0, 0.0, 0.0, 0.0, at.ELASTIC, 0, inf),
        (5.0, 0.0, 2.0, 0.0, at.ELASTIC, 0, 2.0),
        (5.0, 0.0, 0.0, -8.0, at.ELASTIC, 0, 1.0),
        (5.0, 0.0, 0.0, 8.0, at.ELASTIC, 0, 1.0),
        (5.0, 0.0, 4.0, 4.0, at.ELASTIC, 0, 1.0),
        (1.0, -1.0, 0.0, 0.0, at.ELASTIC, 0, 0.0),
        (1.0, 1.0, 2.0, 0.0, at.ELASTIC, 0, 1.0),
        (1.0, 1.0, 0.0, 0.0, at.ELASTIC, 0, 8.0),
        (1.0, 1.0, 0.0, 0.0, at.REPORT, 0, 8.0),
        (1.0, 0.0, 0.0, 0.0, at.REPORT, 0, 0.0),
        (0.5, 1.0, 0.0, 0.0, at.REPORT, 0, 0.0),
        (0.5, 1.0, 0.0, 0.0, at.ELASTIC, 0, 8.5),
        (9.0, 1.0, 0.0, 0.0, at.ELASTIC, 0, 0.0),
        (9.5, 0.0, 0.0, 0.0, at.REPORT, 2, inf),
        (9.5, -1.0, 0.0, 0.0, at.REPORT, 2, 0.5),
        (9.5, 1.0, 0.0, -2.0, at.REPORT, 2, (1.0 + math.sqrt(3.0)) / 2.0),
        (0.5, 0.5, 0.0, 0.0, at.REPORT, 1, 1.0),
        (5.0, 0.0, 0.0, 0.0, at.REPORT, 1, 0.0),
    ],
)
def test_walls(
    x: float, v: float, bound: float, gravity: float, response: int, outside: int, step: float
) -> None:
    """The same along each axis: the others are at rest in the middle."""
    for c in range(3):
        T = tables([[5, 5, 5]], 0.0, 1.0, bound, RESPONSE=response)
        T.F[0, at.X + c], T.F[0, at.V + c], T.S[at.GRAVITY + c] = x, v, gravity
        T.N[0, at.OUTSIDE] = outside << (2 * c)
        found = pairs.wall_step(T.F, T.N, T.S, T.C, 0, 0.0)
        if bound == 0.0 or step < 2.0 or c == 0:
            assert found == pytest.approx(min(step, 2.0 if bound == 2.0 else inf), rel=1e-9)
        assert found <= step + 4.0 * T.S[at.TOLERANCE]


def test_the_tolerance_of_the_caller_moves_walls_and_discs_know_no_third_axis() -> None:
    T = tables([[5, 5, 5]], [[-1, 0, 0]], 1.0, 0.0, RESPONSE=at.ELASTIC, OWN_TOLERANCE=0.5)
    assert pairs.wall_step(T.F, T.N, T.S, T.C, 0, 0.0) == pytest.approx(3.5)
    flat = tables([[5, 5, 0]], [[0, 0, -1]], 1.0, 0.0, RESPONSE=at.ELASTIC, DIMENSIONS=2)
    assert pairs.wall_step(flat.F, flat.N, flat.S, flat.C, 0, 0.0) == inf


def test_no_step_is_shorter_than_a_tick() -> None:
    t = 2.0**40
    T = tables([[0, 0, 0], [2.001, 0, 0]], [[0, 0, 0], [-1, 0, 0]], 1.0, 1e9, RESPONSE=at.ELASTIC)
    T.F[:, at.PROBED] = t
    for found in (
        pairs.approach_step(T.F, T.N, T.S, T.C, 0, 1, t, inf),
        pairs.overlap_step(T.F, T.S, T.C, 0, 1, t, inf),
        pairs.wall_step(T.F, T.N, T.S, T.C, 1, t),
    ):
        assert found == 0.0 or found >= pairs.tick(t)


def test_what_old_probes_leave_open_is_looked_at() -> None:
    """With an old probe of one of them nothing is proved by how the centres of bounds move: both are asked at once."""
    T = tables([[0, 0, 0], [2.2, 0, 0]], [[0, 0, 0], [1, 0, 0]], 1.0, [0.0, 10.0], RESPONSE=at.ELASTIC)
    T.F[1, at.PROBED], T.F[1, at.X] = -0.3, 2.2 - 0.3
    # The bounds overlap by 0.25 m, and the centres go apart.
    assert pairs.approach_step(T.F, T.N, T.S, T.C, 0, 1, 0.0, inf) == 0.0
    T = tables([[0, 0, 0], [1.55, 0, 0]], [[0, 0, 0], [-1, 0, 0]], 1.0, [0.0, 10.0])
    T.F[1, at.PROBED], T.F[1, at.X] = -0.3, 1.55 + 0.3
    # They overlap for certain by as good as nothing, and the centres approach.
    assert pairs.overlap_step(T.F, T.S, T.C, 0, 1, 0.0, inf) == 0.0
