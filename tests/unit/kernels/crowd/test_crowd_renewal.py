"""New boxes of a crowd: they hold the bound until the horizon, and whoever may touch before it is queued."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from numba.core import config

import keepclear as kc
from keepclear.kernels.crowd import layout as at
from keepclear.kernels.crowd import renewal
from keepclear.kernels.crowd.events import advance, probe_all
from keepclear.kernels.crowd.grid import cell_key, find_cell
from keepclear.kernels.crowd.pairs import approach_step, relative
from keepclear.kernels.crowd.roots import meeting

pytestmark = pytest.mark.skipif(
    not config.DISABLE_JIT, reason="inner kernels, which only kernels call, are tested as Python"
)


def crowd_of(n: int = 8, seed: int = 0, **options) -> kc.Crowd:
    rng = np.random.default_rng(seed)
    x, v = rng.uniform(-4.0, 4.0, (n, 3)), rng.normal(size=(n, 3)) * 2.0
    known = {"motion": kc.Ballistic(), "response": "report", "gravity": [0.0, 0.3, -2.0], "growth": 1.0}
    r = rng.choice([0.0, 0.05, 0.4, 1.5], n)
    return kc.Crowd(x, v, r, rng.choice([0.0, 1.0, 5.0], n), **(known | options))


@pytest.mark.parametrize(
    ("v", "a"), [(1.0, 0.0), (-2.0, 3.0), (2.0, -3.0), (-1.0, 0.1), (0.0, 2.0), (0.0, 0.0)]
)
def test_the_span_of_a_parabola(v: float, a: float) -> None:
    u = np.linspace(0.0, 2.0, 2001)
    values = 5.0 + v * u + 0.5 * a * u * u
    lo, hi = renewal._span(5.0, v, a, 2.0)
    assert lo == pytest.approx(values.min(), abs=1e-6)
    assert hi == pytest.approx(values.max(), abs=1e-6)


@pytest.mark.parametrize("age", [0.0, 0.7])
@pytest.mark.parametrize("seed", range(4))
def test_a_box_holds_its_bound_until_the_horizon(seed: int, age: float) -> None:
    crowd = crowd_of(seed=seed, tolerance=0.125)
    T, t = crowd._state.tables, 0.25
    T.F[:, at.PROBED] = t - age
    g = T.S[at.GRAVITY : at.GRAVITY + 3]
    for i in range(len(T.F)):
        longest = renewal.enclose(T.F, T.S, i, t)
        F = T.F[i]
        lo, hi, end = F[at.LO : at.LO + 3], F[at.HI : at.HI + 3], F[at.HORIZON]
        assert end > t
        assert longest >= (hi - lo).max()
        ways = []
        for u in np.linspace(t, end, 50):
            s = u - F[at.PROBED]
            centre = F[at.X : at.X + 3] + (F[at.V : at.V + 3] + 0.5 * g * s) * s
            radius = F[at.RADIUS] + 0.5 * 0.125 + 0.5 * F[at.ACCELERATION] * s * s
            assert (centre - radius >= lo).all()
            assert (centre + radius <= hi).all()
            ways.append((centre, radius))
        # It is not much larger than it must be, and it grows about as far as it may.
        touched = np.array([[c - r, c + r] for c, r in ways])
        assert (touched[:, 0].min(axis=0) - lo < 1e-3).all()
        assert (hi - touched[:, 1].max(axis=0) < 1e-3).all()
        before = 2.0 * ways[0][1]
        assert (hi - lo).max() - before < 3.0 * T.S[at.GROWTH]


def test_a_box_of_an_observed_member_ends_where_its_speed_limit_is_reached() -> None:
    crowd = kc.Crowd([[0, 0]], [[1, 0]], 0.5, 2.0, max_speeds=1.0, growth=100.0)
    F, S = crowd._state.tables.F, crowd._state.tables.S
    crowd.observe(0, 0.0, [[0, 0]], [[1, 0]], position_errors=0.25, velocity_errors=0.5)
    assert F[0, at.TAU] == 0.75
    renewal.enclose(F, S, 0, 0.0)
    assert F[0, at.HORIZON] == 0.75
    radius = 0.5 + 0.25 + 0.5 * 0.75 + 2.0 * 0.75**2 / 2.0
    assert F[0, at.HI] == pytest.approx(0.75 + radius)
    renewal.reach_speed_limit(F, 0)
    assert F[0, at.ACCELERATION] == 0.0
    for s in (0.75, 2.0):
        grown = F[0, at.RADIUS] + F[0, at.ERROR_X] + F[0, at.ERROR_V] * s
        assert grown == pytest.approx(radius + 2.0 * (s - 0.75))
        assert grown >= radius + 2.0 * (s - 0.75)


def test_coordinates_that_grow_make_rounding_grow() -> None:
    crowd = kc.Crowd([[0, 0, 1]], [[1e6, 0, 0]], 0.5, motion=kc.Ballistic(), growth=1e6)
    S = crowd._state.tables.S
    assert S[at.EXTENT] == 1.5
    crowd.advance(5.0)
    assert S[at.EXTENT] >= 5e6
    assert S[at.SLACK] == 2.0**-49 * S[at.EXTENT]
    assert S[at.TOLERANCE] == 2.0**-44 * S[at.EXTENT]


def check_queue(T) -> None:
    size = int(T.C[at.HEAP_SIZE])
    for k in range(size):
        item = int(T.H[k, at.ITEM])
        assert T.H[item, at.PLACE] == k
        if k:
            up = (k - 1) // 4
            assert (T.K[up], T.H[up, at.ITEM]) <= (T.K[k], item)


def pairs_of(T) -> dict[tuple[int, int], int]:
    """Return the rows of all pairs, from the lists of spheres; each is in two lists."""
    found: dict[tuple[int, int], list[int]] = {}
    for i in range(len(T.N)):
        e = int(T.N[i, at.FIRST_PAIR])
        while e >= 0:
            p = e >> 1
            who = tuple(sorted((int(T.Q[p, at.FIRST]), int(T.Q[p, at.SECOND]))))
            found.setdefault(who, []).append(p)
            e = int(T.Q[p, at.NEXT + (e & 1)])
    for rows in found.values():
        assert len(rows) == 2
        assert rows[0] == rows[1]
    assert len(found) == T.C[at.N_PAIRS]
    return {who: rows[0] for who, rows in found.items()}


def check_cells(T, i: int) -> None:
    """A box is in all cells it meets on its level, and on all coarser ones."""
    level = int(T.N[i, at.LEVEL])
    for rank in range(level, int(T.C[at.TOP_LEVEL]) + 1):
        edge = T.S[at.EDGE] * 2.0**rank
        ranges = [
            range(math.floor(T.F[i, at.LO + c] / edge), math.floor(T.F[i, at.HI + c] / edge) + 1)
            for c in range(3)
        ]
        assert rank > level or all(len(r) <= 2 for r in ranges)
        for cell in itertools.product(*ranges):
            row = find_cell(T.G, cell_key(rank, *cell))
            assert T.G[row, at.KEY] >= 0
            block, there = int(T.G[row, at.NATIVES if rank == level else at.VISITORS]), []
            while block >= 0:
                there += T.B[block, at.IDS : at.IDS + T.B[block, at.COUNT]].tolist()
                block = int(T.B[block, at.FOLLOWING])
            assert there.count(i) == 1


def check_pairs(T, t: float) -> None:
    """Two who are there cannot touch before the first of their horizons, or their pair is queued in time."""
    F, N, pairs = T.F.copy(), T.N.copy(), pairs_of(T)
    probe_all(F, N, T.C.copy(), T.S, T.D, t)
    for i, j in itertools.combinations(range(len(N)), 2):
        if not (N[i, at.REGISTERED] and N[j, at.REGISTERED]):
            assert (i, j) not in pairs
            continue
        until = min(F[i, at.HORIZON], F[j, at.HORIZON])
        if until <= t:
            continue  # one of them is renewed before time goes on
        p = pairs.get((i, j), -1)
        if p >= 0 and T.Q[p, at.STATE] != at.APART:
            continue
        apart = (F[i, at.LO : at.LO + 3] > F[j, at.HI : at.HI + 3]).any() or (
            F[j, at.LO : at.LO + 3] > F[i, at.HI : at.HI + 3]
        ).any()
        *xv, unknown, rate = relative(F, T.S, i, j, t)
        R = F[i, at.RADIUS] + F[j, at.RADIUS] + unknown
        a = F[i, at.ACCELERATION] + F[j, at.ACCELERATION]
        meet = t + meeting(np.array(xv), R, rate, a, math.inf, 0.0, 0.0)
        if apart:
            assert meet >= until
        elif p < 0:
            # Those who overlap and go apart, where they bounce, are left alone until they may have turned.
            touching = t + approach_step(F, N, T.S, T.C, i, j, t, until - t)
            assert meet >= until * (1.0 - 1e-12) or touching >= until
        else:
            queued = T.K[T.H[len(N) + p, at.PLACE]]
            assert queued <= max(meet, t) + 1e-12


@pytest.mark.parametrize("response", ["report", "elastic"])
@pytest.mark.parametrize(
    ("seed", "motion"),
    [
        (0, kc.Ballistic()),
        (1, kc.RandomForces(seed=2)),
        (2, kc.Ballistic()),
        (3, kc.RandomForces(seed=7, interval=0.3)),
    ],
)
def test_nobody_is_overlooked_at_any_step(seed: int, motion, response: str) -> None:
    crowd = crowd_of(7, seed, motion=motion, response=response, bounds=([-6] * 3, [6] * 3), growth=0.5)
    for step in range(250):
        T = crowd._state.tables
        status = advance(T.packed(), 2.0, 1)
        if status == at.DONE:
            break
        crowd._serve(status)
        T, t = crowd._state.tables, crowd.time
        check_queue(T)
        check_pairs(T, t)
        if step % 10 == 0:
            for i in range(len(T.N)):
                if T.N[i, at.REGISTERED] and T.F[i, at.HORIZON] > t:
                    check_cells(T, i)
    assert crowd.statistics["steps"] > 60


def test_tables_that_are_full_are_enlarged_in_the_middle_of_a_renewal() -> None:
    """All boxes overlap: pairs, cells, blocks, levels and events run out again and again, and nothing is lost."""
    n = 30
    rng = np.random.default_rng(0)
    x = rng.uniform(-1.0, 1.0, (n, 2))
    v = rng.normal(size=(n, 2))
    r = rng.uniform(0.02, 0.05, n)
    r[3] = 20.0

    def run(small: bool):
        crowd = kc.Crowd(x, v, r, 2.0, motion=kc.Ballistic(), response="report", growth=0.3)
        T = crowd._state.tables
        if small:
            T.Q, T.K, T.H = T.Q[:2].copy(), T.K[: n + 2].copy(), T.H[: n + 2].copy()
            T.Q[:, at.NEXT] = 1, -1
            T.G, T.B, T.E = T.G[:64].copy(), T.B[:40].copy(), np.zeros((16, at.E_COLUMNS))
            T.G[:, at.KEY :] = -1
            T.B[:, at.FOLLOWING] = np.arange(1, 41)
            T.B[-1, at.FOLLOWING] = -1
        return crowd.advance(0.4), crowd

    (few, one), (many, other) = run(True), run(False)
    assert few.tobytes() == many.tobytes()
    assert len(few) >= n - 1
    assert np.array_equal(one.positions(), other.positions())
    assert len(one._state.tables.Q) == 64
    for crowd in (one, other):
        pairs_of(crowd._state.tables)
        check_queue(crowd._state.tables)


def test_events_that_have_no_room_are_told_all_the_same() -> None:
    n = 40
    x = np.zeros((3, n + 1, 2))
    x[:, 1:, 0] = np.linspace(-1.0, 1.0, n)
    x[2, 0] = math.nan
    crowd = kc.Crowd(None, None, np.r_[5.0, np.full(n, 1e-3)], motion=kc.RecordedTracks([0, 1, 2], x))
    crowd._state.tables.E = np.zeros((12, at.E_COLUMNS))
    grown = crowd._state.drain

    def keep_small() -> None:
        grown()
        crowd._state.tables.E = np.zeros((12, at.E_COLUMNS))

    crowd._state.drain = keep_small
    events = crowd.advance(2.0)
    assert events.kind.tolist() == ["begin"] * n + ["end"] * n
    assert set(events.time[:n]) == {0.0}
    assert set(events.time[n:]) == {1.0}
    assert events.j.tolist() == list(range(1, n + 1)) * 2
