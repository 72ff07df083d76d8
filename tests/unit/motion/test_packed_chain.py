"""Chains of joints as kernels read them: joints at rest fold away, and bounds of fourth derivatives hold."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.oracles.poses import random_pose

from keepclear.kernels.motion.state import POSE_ROUNDING, poses_at
from keepclear.kernels.tables.motion import CUBIC, PRISMATIC, REVOLUTE, motion_numbers, segment_rows
from keepclear.motion.packed_chain import Chain, chain_states, joint_map, pack_chain

Array = np.ndarray
KNOTS = np.array([0.5, 1.5, 4.0])


def poses(Q: Array, times: list[float]) -> Array:
    X = np.empty((len(times), 4, 4))
    poses_at(Q, np.array(times), X)
    return X


def random_chain(kinds: tuple[int, ...], seed: int = 0, pieces: int = 2) -> Chain:
    rng = np.random.default_rng(seed)
    maps = np.array([random_pose(rng, 0.4) for _ in range(len(kinds) + 1)])
    return Chain(maps, np.array(kinds), rng.normal(size=(pieces, len(kinds), 4)))


def place(chain: Chain, piece: int, s: float) -> Array:
    """The map of the chain's end, multiplied out."""
    X = chain.maps[0]
    for k, kind in enumerate(chain.kinds):
        value = np.polyval(chain.coefficients[piece, k, ::-1], s)
        X = X @ joint_map(int(kind), float(value)) @ chain.maps[k + 1]
    return X


def test_joint_maps_turn_about_z_and_shift_along_it() -> None:
    c, s = math.cos(0.3), math.sin(0.3)
    assert joint_map(REVOLUTE, 0.3).tolist() == [[c, -s, 0, 0], [s, c, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    assert joint_map(PRISMATIC, 0.3)[:3, 3].tolist() == [0, 0, 0.3]
    assert joint_map(PRISMATIC, 0.3)[:3, :3].tolist() == np.eye(3).tolist()


@pytest.mark.parametrize("kinds", [(REVOLUTE,), (PRISMATIC,), (REVOLUTE, PRISMATIC, REVOLUTE)])
def test_poses_between_and_beyond_the_knots(kinds: tuple[int, ...]) -> None:
    chain = random_chain(kinds)
    Q = pack_chain(KNOTS, chain)
    found = poses(Q, [-9.0, 0.5, 1.0, 2.0, 3.5, 4.0, 99.0])
    pieces = [(0, 0.0), (0, 0.0), (0, 0.5), (1, 0.2), (1, 0.8), (1, 1.0), (1, 1.0)]
    assert np.allclose(found, [place(chain, *where) for where in pieces], atol=1e-14)
    assert motion_numbers(Q).t0 == 0.5
    assert motion_numbers(Q).t1 == 4.0
    assert motion_numbers(Q).kind != CUBIC


def test_joints_that_never_move_become_part_of_the_maps() -> None:
    chain = random_chain((REVOLUTE, PRISMATIC, REVOLUTE))
    chain.coefficients[:, 1] = [0.3, 0.0, 0.0, 0.0]
    Q = pack_chain(KNOTS, chain)
    assert motion_numbers(Q).joints == 2
    assert np.allclose(poses(Q, [1.0, 2.0]), [place(chain, 0, 0.5), place(chain, 1, 0.2)], atol=1e-14)


def test_a_joint_that_rests_at_different_values_moves() -> None:
    """It jumps at a knot: no program makes it do so, but nobody may take it for one at rest."""
    chain = random_chain((REVOLUTE, REVOLUTE))
    chain.coefficients[:, 1, 1:] = 0.0
    chain.coefficients[:, 1, 0] = [0.3, 0.4]
    assert motion_numbers(pack_chain(KNOTS, chain)).joints == 2


def test_a_chain_at_rest_is_a_pose() -> None:
    chain = random_chain((REVOLUTE, PRISMATIC))
    chain.coefficients[:, :, 1:] = 0.0
    chain.coefficients[1] = chain.coefficients[0]
    Q = pack_chain(KNOTS, chain)
    assert motion_numbers(Q).joints == 0
    assert np.allclose(poses(Q, [-1.0, 2.0]), place(chain, 0, 0.0), atol=1e-15)


@pytest.mark.parametrize("kinds", [(REVOLUTE,), (PRISMATIC,), (REVOLUTE, PRISMATIC, REVOLUTE)])
def test_states_in_bulk_are_those_of_kernels(kinds: tuple[int, ...]) -> None:
    chain = random_chain(kinds, seed=2)
    Q = pack_chain(KNOTS, chain)
    s = np.array([0.0, 0.25, 0.5])
    where = np.array([0, 1, 1])
    M, rate = chain_states(Q, where, s)
    assert np.allclose(M, [place(chain, int(k), u)[:3] for k, u in zip(where, s, strict=True)], atol=1e-14)
    step = 1e-6
    T = np.diff(KNOTS)[where]
    after, before = (chain_states(Q, where, s + sign * step)[0] for sign in (1, -1))
    assert np.allclose(rate, (after - before) / (2 * step * T)[:, None, None], atol=1e-8)


@pytest.mark.parametrize(
    "kinds", [(REVOLUTE,), (PRISMATIC, REVOLUTE), (REVOLUTE, PRISMATIC), (REVOLUTE,) * 3]
)
def test_no_fourth_derivative_exceeds_its_bound(kinds: tuple[int, ...]) -> None:
    """Fourth differences of exact matrices, in long doubles, beside the bounds in the records."""
    for seed in range(3):
        chain = random_chain(kinds, seed)
        Q = pack_chain(KNOTS, chain)
        for piece, T in enumerate(np.diff(KNOTS)):
            segment = segment_rows(Q)[piece]
            turn, origin = 0.0, 0.0
            step = 0.01
            for s in np.linspace(0.03, 0.97, 9):
                X = [place(chain, piece, s + k * step) for k in range(-2, 3)]
                fourth = (X[0] - 4 * X[1] + 6 * X[2] - 4 * X[3] + X[4]) / (step * T) ** 4
                turn = max(turn, float(np.linalg.norm(fourth[:3, :3], ord=2)))
                origin = max(origin, float(np.linalg.norm(fourth[:3, 3])))
            assert turn <= segment["fourth_R"] * (1 + 1e-9) + 1e-4
            assert origin <= segment["fourth_p"] * (1 + 1e-9) + 1e-4


def test_bounds_of_an_even_turn_and_of_what_slides_on_it() -> None:
    """At w rad/s the fourth derivative is w^4 times the radius; what slides at v adds 4 w^3 v."""
    maps = np.tile(np.eye(4), (3, 1, 1))
    maps[1, :3, 3] = 0.3, 0.4, 0.0
    chain = Chain(
        maps, np.array([REVOLUTE, PRISMATIC]), np.array([[[0.0, 2.0, 0.0, 0.0], [0.1, 0.2, 0.0, 0.0]]])
    )
    Q = pack_chain(np.array([0.0, 1.0]), chain)
    (segment,) = segment_rows(Q)
    assert segment["fourth_R"] == pytest.approx(16.0, rel=1e-12)
    assert segment["fourth_p"] == pytest.approx(16.0 * (0.5 + 0.3) + 4 * 8.0 * 0.2, rel=1e-12)
    # Rounding is measured by all that positions are sums of: 0.5 m to the slide, 0.3 m along it, and more.
    assert motion_numbers(Q).place >= 0.8
    assert motion_numbers(Q).terms >= 1.0


def test_bounds_count_how_speeds_change() -> None:
    """With w, a and b the bounds of an angle's derivatives, that of the rotation is w^4 + 6 w^2 a + 3 a^2 + 4 w b."""
    c = np.array([[[0.0, 0.5, 0.25, 0.125]]])
    Q = pack_chain(np.array([0.0, 2.0]), Chain(np.tile(np.eye(4), (2, 1, 1)), np.array([REVOLUTE]), c))
    w, a, b = (0.5 + 0.5 + 0.375) / 2, (0.5 + 0.75) / 4, 0.75 / 8
    told = segment_rows(Q)["fourth_R"][0]
    assert told == pytest.approx(w**4 + 6 * w * w * a + 3 * a * a + 4 * w * b, rel=1e-12)
    slid = pack_chain(
        np.array([0.0, 2.0]),
        Chain(np.tile(np.eye(4), (3, 1, 1)), np.array([REVOLUTE, PRISMATIC]), np.tile(c, (1, 2, 1))),
    )
    rotation, value = w**4 + 6 * w * w * a + 3 * a * a + 4 * w * b, 0.875
    told = segment_rows(slid)["fourth_p"][0]
    assert told == pytest.approx(
        rotation * value + 4 * (w**3 + 3 * w * a + b) * w + 6 * (w * w + a) * a + 4 * w * b, rel=1e-12
    )


@pytest.mark.parametrize("turns", [1e3, 1e6])
def test_rounding_grows_with_large_angles(turns: float) -> None:
    """Poses of a lever of 1 m after many radians are right within what the header says about rounding."""
    maps = np.tile(np.eye(4), (2, 1, 1))
    maps[1, :3, 3] = 1.0, 0.0, 0.0
    Q = pack_chain(
        np.array([0.0, 3.0]), Chain(maps, np.array([REVOLUTE]), np.array([[[0.7, turns, 0.0, 0.0]]]))
    )
    allowed = POSE_ROUNDING * motion_numbers(Q).place
    for t in (0.1, 1.1, 2.9):
        exact = np.longdouble(0.7) + np.longdouble(t) / np.longdouble(3.0) * np.longdouble(turns)
        right = np.array([np.cos(exact), np.sin(exact)]).astype(float)
        off = float(np.abs(poses(Q, [t])[0, :2, 3] - right).max())
        assert off <= allowed
        assert allowed < 1e-14 * (10.0 + turns)
