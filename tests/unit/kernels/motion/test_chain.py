"""Chains of joints in kernels: poses and rates as products of matrices give them, and bounds that hold."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from tests.oracles.poses import random_pose

from keepclear.compiler.kernel import kernel
from keepclear.kernels.motion import state as layout
from keepclear.kernels.motion.chain import chain_at, chain_bounds
from keepclear.kernels.motion.path_length import path_lengths
from keepclear.kernels.motion.rows import segment_of
from keepclear.kernels.tables.motion import PRISMATIC, REVOLUTE, motion_numbers, segment_rows
from keepclear.motion.packed_chain import Chain, pack_chain

Array = np.ndarray
MIXED = [
    (REVOLUTE,),
    (PRISMATIC,),
    (REVOLUTE, REVOLUTE),
    (REVOLUTE, PRISMATIC),
    (PRISMATIC, REVOLUTE),
    (REVOLUTE, REVOLUTE, REVOLUTE),
    (REVOLUTE, PRISMATIC, REVOLUTE),
    (REVOLUTE, REVOLUTE, PRISMATIC, REVOLUTE),
]


@kernel("void(float64[::1], int64, float64, float64[::1])")
def pose_of_piece(Q, k, s, out):  # type: ignore[no-untyped-def]
    """Write the pose and rate of a packed chain after the part s of piece k."""
    chain_at(Q, k, s, segment_of(Q, k).duration, out, 0)


@kernel("void(float64[::1], int64, float64, float64, float64[::1], float64[::1])")
def bounds_of_piece(Q, k, s, h, p, out):  # type: ignore[no-untyped-def]
    """Write the bounds of a packed chain around the part s of piece k, half length h, at a point."""
    chain_bounds(Q, k, s, h, segment_of(Q, k).duration, p[0], p[1], p[2], out)


def random_chain(rng: np.random.Generator, kinds: tuple[int, ...], pieces: int = 1) -> Chain:
    maps = np.array([random_pose(rng, 0.5) for _ in range(len(kinds) + 1)])
    return Chain(maps, np.array(kinds), rng.normal(size=(pieces, len(kinds), 4)))


def value_of(c: Array, s: float, T: float) -> tuple[float, float, float, float]:
    """The value of a cubic after a part of its duration, and its three derivatives by time."""
    return (
        c[0] + c[1] * s + c[2] * s**2 + c[3] * s**3,
        (c[1] + 2 * c[2] * s + 3 * c[3] * s**2) / T,
        (2 * c[2] + 6 * c[3] * s) / T**2,
        6 * c[3] / T**3,
    )


def joint_series(kind: int, q: float, rate: float, push: float) -> list[Array]:
    """A joint's map and its first two derivatives by time."""
    M = [np.zeros((4, 4)) for _ in range(3)]
    M[0] = np.eye(4)
    if kind == REVOLUTE:
        c, s = math.cos(q), math.sin(q)
        M[0][:2, :2] = [[c, -s], [s, c]]
        first, second = np.array([[-s, -c], [c, -s]]), np.array([[-c, s], [-s, -c]])
        M[1][:2, :2], M[2][:2, :2] = rate * first, push * first + rate**2 * second
    else:
        M[0][2, 3], M[1][2, 3], M[2][2, 3] = q, rate, push
    return M


def series(chain: Chain, piece: int, s: float, T: float) -> list[Array]:
    """The map of the chain's end and its first two derivatives by time, by the rules for products."""
    total = [chain.maps[0], np.zeros((4, 4)), np.zeros((4, 4))]
    for k, kind in enumerate(chain.kinds):
        E = joint_series(kind, *value_of(chain.coefficients[piece, k], s, T)[:3])
        a, b = total, [M @ chain.maps[k + 1] for M in E]
        total = [a[0] @ b[0], a[1] @ b[0] + a[0] @ b[1], a[2] @ b[0] + 2 * a[1] @ b[1] + a[0] @ b[2]]
    return total


def levers(chain: Chain, p: Array, s: float, h: float, T: float) -> tuple[Array, Array]:
    """The largest distances of a point from the axes of the joints (1 for those that slide), and the joints' motion.

    Returns:
        levers: (n,).
        motion: (n, 3) bounds of speed, acceleration and jerk.
    """
    n = len(chain.kinds)
    motion, found = np.zeros((n, 3)), np.ones(n)
    x, moved, far = np.append(p, 1.0), 0.0, float(np.linalg.norm(p))
    for k in reversed(range(n)):
        q, rate, push, jerk = value_of(chain.coefficients[0, k], s, T)
        motion[k, 2] = abs(jerk)
        motion[k, 1] = abs(push) + h * T * abs(jerk)
        motion[k, 0] = abs(rate) + h * T * abs(push) + 0.5 * (h * T) ** 2 * abs(jerk)
        x = chain.maps[k + 1] @ x
        far += float(np.linalg.norm(chain.maps[k + 1][:3, 3]))
        if chain.kinds[k] == REVOLUTE:
            found[k] = min(math.hypot(x[0], x[1]) + moved, far)
        else:
            far += abs(q) + h * T * motion[k, 0]
        moved += h * T * motion[k, 0] * found[k]
        x = joint_series(chain.kinds[k], q, 0.0, 0.0)[0] @ x
    return found, motion


def lever_of(kinds: Array, r: Array, joints: tuple[int, ...]) -> float:
    """What a derivative by these joints is at most: all but the outermost turn it."""
    outer = max(joints)
    if kinds[outer] == PRISMATIC and sum(j == outer for j in joints) > 1:
        return 0.0
    return float(r[outer]) if all(kinds[j] == REVOLUTE for j in joints if j != outer) else 0.0


def expected_bounds(chain: Chain, p: Array, s: float, h: float, T: float) -> list[float]:
    """The bounds as sums over single joints, pairs and triples, with what happens in the middle."""
    r, motion = levers(chain, p, s, h, T)
    n, kinds = len(r), chain.kinds
    w, a, b = motion.T
    second = sum(r[i] * a[i] for i in range(n))
    third = sum(r[i] * b[i] for i in range(n))
    for i, j in itertools.product(range(n), repeat=2):
        second += lever_of(kinds, r, (i, j)) * w[i] * w[j]
        third += 3.0 * lever_of(kinds, r, (i, j)) * w[i] * a[j]
    for i, j, k in itertools.product(range(n), repeat=3):
        third += lever_of(kinds, r, (i, j, k)) * w[i] * w[j] * w[k]
    turning = kinds == REVOLUTE
    W, A, B = w[turning].sum(), a[turning].sum(), b[turning].sum()
    M = series(chain, 0, s, T)
    here = float(np.linalg.norm((M[2] @ np.append(p, 1.0))[:3]))
    spin, push = M[1][:3, :3] @ M[0][:3, :3].T, M[2][:3, :3] @ M[0][:3, :3].T
    now = float(np.linalg.norm(spin)) / math.sqrt(2.0)
    faster = float(np.linalg.norm(push - push.T)) / math.sqrt(8.0)
    span = h * T
    return [
        min(second, here + span * third),
        min(W * W + A, faster + now * now + span * (W**3 + 3 * W * A + B)),
        min(W, now + span * (W * W + A)),
    ]


@pytest.mark.parametrize("kinds", MIXED)
def test_poses_and_rates_are_products_of_matrices(kinds: tuple[int, ...]) -> None:
    rng = np.random.default_rng(len(kinds))
    chain = random_chain(rng, kinds, pieces=2)
    Q = pack_chain(np.array([1.0, 1.7, 4.2]), chain)
    for piece, T in ((0, 0.7), (1, 2.5)):
        for s in (0.0, 0.3, 1.0):
            out = np.zeros(24)
            pose_of_piece(Q, piece, s, out)
            M, rate, _ = series(chain, piece, s, T)
            assert np.allclose(out[:12].reshape(3, 4), M[:3], atol=1e-14)
            assert np.allclose(out[12:].reshape(3, 4), rate[:3], rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("kinds", MIXED)
@pytest.mark.parametrize("h", [0.5, 0.02])
def test_bounds_are_sums_over_joints(kinds: tuple[int, ...], h: float) -> None:
    rng = np.random.default_rng(7)
    for T in (0.5, 3.0):
        chain, p = random_chain(rng, kinds), rng.normal(size=3)
        out = np.zeros(3)
        bounds_of_piece(pack_chain(np.array([0.0, T]), chain), 0, 0.5, h, p, out)
        assert np.allclose(out, expected_bounds(chain, p, 0.5, h, T), rtol=1e-12)


@pytest.mark.parametrize("kinds", MIXED)
def test_no_instant_exceeds_the_bounds(kinds: tuple[int, ...]) -> None:
    rng = np.random.default_rng(3)
    T = 1.3
    for h in (0.5, 0.1, 0.01):
        chain, p = random_chain(rng, kinds), rng.normal(size=3)
        out = np.zeros(3)
        bounds_of_piece(pack_chain(np.array([0.0, T]), chain), 0, 0.5, h, p, out)
        for s in np.linspace(0.5 - h, 0.5 + h, 9):
            _, rate, push = series(chain, 0, s, T)
            assert np.linalg.norm((push @ np.append(p, 1.0))[:3]) <= out[0] * (1 + 1e-12)
            assert np.linalg.norm(push[:3, :3], ord=2) <= out[1] * (1 + 1e-12)
            assert np.linalg.norm(rate[:3, :3], ord=2) <= out[2] * (1 + 1e-12)


def test_an_even_turn_is_bounded_exactly() -> None:
    """A point 0.5 m from an axis at 3 rad/s is pulled inwards by 4.5 m/s^2, however long one looks."""
    chain = Chain(np.array([np.eye(4), np.eye(4)]), np.array([REVOLUTE]), np.array([[[0.2, 6.0, 0.0, 0.0]]]))
    for h in (0.5, 1e-3):
        out = np.zeros(3)
        bounds_of_piece(pack_chain(np.array([0.0, 2.0]), chain), 0, 0.5, h, np.array([0.3, 0.4, 7.0]), out)
        assert out == pytest.approx([4.5, 9.0, 3.0], rel=1e-12)


def test_an_even_shift_bends_nothing() -> None:
    chain = Chain(np.array([np.eye(4), np.eye(4)]), np.array([PRISMATIC]), np.array([[[0.2, 6.0, 0.0, 0.0]]]))
    out = np.ones(3)
    bounds_of_piece(pack_chain(np.array([0.0, 2.0]), chain), 0, 0.5, 0.5, np.ones(3), out)
    assert out.tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("power", [1, 2, 3])
def test_a_piece_rests_only_where_no_joint_moves(power: int) -> None:
    coefficients = np.zeros((2, 2, 4))
    coefficients[:, :, 0] = 0.3
    coefficients[1, 1, power] = 1e-9
    chain = Chain(np.tile(np.eye(4), (3, 1, 1)), np.array([REVOLUTE, REVOLUTE]), coefficients)
    Q = pack_chain(np.array([0.0, 1.0, 2.0]), chain)
    assert motion_numbers(Q).joints == 1  # the first joint never moves
    assert segment_rows(Q)["rests"].tolist() == [1, 0]


def test_two_chains_see_each_other_as_their_poses_say() -> None:
    """Speed and acceleration in the frame of another chain, beside differences of sampled places."""
    rng = np.random.default_rng(11)
    for kinds in ((REVOLUTE, REVOLUTE), (REVOLUTE, PRISMATIC, REVOLUTE)):
        QA, QB = (pack_chain(np.array([0.0, 1.0]), random_chain(rng, kinds)) for _ in range(2))
        p, times = np.append(rng.normal(size=3) * 0.2, 1.0), np.linspace(0.40, 0.42, 21)
        A, B = np.empty((21, 4, 4)), np.empty((21, 4, 4))
        layout.poses_at(QA, times, A)
        layout.poses_at(QB, times, B)
        places = (np.linalg.inv(A) @ B @ p)[:, :3]
        step, h = times[1] - times[0], 0.01
        out = np.empty(3)
        point = np.concatenate([p[:3], np.zeros(4)])
        path_lengths(QA, QB, point, np.array([0.40, 0.42]), np.array([0.0, 0.0, 1.0]), out)
        assert out[1] == pytest.approx(np.linalg.norm(places[11] - places[9]) / (2 * step), rel=1e-4)
        acceleration = np.linalg.norm(places[2:] - 2 * places[1:-1] + places[:-2], axis=1) / step**2
        told = (out[0] / h - 2.0 * out[1]) / h
        assert acceleration.max() * (1 - 1e-6) <= told < 10.0 * acceleration.max()
        assert np.linalg.norm(np.diff(places, axis=0), axis=1).sum() <= out[0]


def bend_seen(QA: Array, QB: Array, p: Array, t: float) -> float:
    """The bound of the acceleration of a point of B in the frame of A, in a short span around an instant."""
    h, out = 0.002, np.empty(3)
    path_lengths(
        QA, QB, np.concatenate([p, np.zeros(4)]), np.array([t - h, t + h]), np.array([0.0, 0.0, 1.0]), out
    )
    return float((out[0] / h - 2.0 * out[1]) / h)


def one_joint(kind: int, coefficients: list[float], first: Array | None = None) -> Array:
    maps = np.array([np.eye(4) if first is None else first, np.eye(4)])
    return pack_chain(np.array([0.0, 1.0]), Chain(maps, np.array([kind]), np.array([[coefficients]])))


def test_who_turns_sees_what_goes_straight_bend() -> None:
    """At 3 rad/s, what passes the axis at 2 m/s is accelerated by twice the product: 12 m/s^2."""
    along_x = np.eye(4)[[2, 0, 1, 3]]
    turning = one_joint(REVOLUTE, [0.0, 3.0, 0.0, 0.0])
    sliding = one_joint(PRISMATIC, [-1.0, 2.0, 0.0, 0.0], along_x)
    assert 12.0 <= bend_seen(turning, sliding, np.zeros(3), 0.5) <= 12.5


def test_who_begins_to_turn_sees_what_rests_bend() -> None:
    """A turn that is at rest at 0.5 s and accelerates by 8 rad/s^2 makes that 8 m/s^2 at a distance of 1 m."""
    turning = one_joint(REVOLUTE, [1.0, -4.0, 4.0, 0.0])
    resting = one_joint(PRISMATIC, [0.0, 0.0, 0.0, 1e-9])
    assert 8.0 * (1 - 1e-6) <= bend_seen(turning, resting, np.array([1.0, 0.0, 0.0]), 0.5) <= 8.5
