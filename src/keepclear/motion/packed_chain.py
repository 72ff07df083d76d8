"""Chains of joints in the form of kernels: constant maps, and between them joints whose values are cubic in time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.errors import ArgumentError
from keepclear.kernels.motion.rigid import ROUND_UP
from keepclear.kernels.tables.motion import (
    FIXED,
    JOINTED,
    PRISMATIC,
    REVOLUTE,
    joint_coefficients,
    link_rows,
    motion_row,
    new_motion,
    segment_rows,
)
from keepclear.motion.packing import pack_rest


class Chain(NamedTuple):
    """F_0 E_1 F_1 ... E_n F_n: maps, and joints that rotate about the z axis or translate along it.

    Attributes:
        maps: (n + 1, 4, 4) rigid maps.
        kinds: (n,) REVOLUTE or PRISMATIC.
        coefficients: (pieces, n, 4) each joint's value by powers of the elapsed part of a piece.
        terms: The sum of the lengths of all translations that the maps are products of [m]; 0: those of the maps.
            Rounding is relative to it: in a product they may cancel.
        products: The number of products of maps.
    """

    maps: FloatArray
    kinds: npt.NDArray[np.int64]
    coefficients: FloatArray
    terms: float = 0.0
    products: int = 0


def pack_chain(knots: FloatArray, chain: Chain) -> FloatArray:
    """Return the motion of the end of a chain; `knots` (pieces + 1,) are the times between its pieces [s].

    Joints that never move become part of the maps.

    Rounding is POSE_ROUNDING = 64 u of `place` + `terms` r for a point r from the end. Each joint and each product of
    maps adds 8 u of the sum of all lengths, and each radian of a joint's value 4 u. Joints that never move count: their
    maps are rounded once, and lengths may cancel in them.
    """
    unknown = chain.kinds[(chain.kinds != REVOLUTE) & (chain.kinds != PRISMATIC)]
    if len(unknown):  # kernels treat any other number as a prismatic joint
        raise ArgumentError(f"a chain of joints has one of kind {unknown[0]}, which is none that is known.")
    units, terms = _rounding_terms(chain)
    chain = _without_rest(chain)
    n = len(chain.kinds)
    if n == 0:
        Q = pack_rest(chain.maps[0], float(knots[0]))
    else:
        Q = new_motion(JOINTED, knots, n)
        segments, links = segment_rows(Q), link_rows(Q)
        joint_coefficients(Q)[:] = chain.coefficients
        segments["rests"] = are_at_rest(chain.coefficients)
        segments["fourth_R"], segments["fourth_p"] = _derivative_bounds(segments["duration"], chain)
        links["kind"], links["X"] = [FIXED, *chain.kinds], chain.maps[:, :3]
    row = motion_row(Q)
    # harmless (ROUND_UP): the units count roundings twice, a reserve far above this factor
    row["terms"], row["place"] = units * ROUND_UP, terms * units * ROUND_UP
    return Q


def are_at_rest(coefficients: FloatArray) -> npt.NDArray[np.bool_]:
    """Return in which segments no joint moves, (n,), for coefficients (n, joints, 4)."""
    return np.asarray((coefficients[:, :, 1:] == 0.0).all(axis=(1, 2)))


def _rounding_terms(chain: Chain) -> tuple[float, float]:
    """Return the rounding of a chain in units of POSE_ROUNDING, and the sum of lengths that it is relative to [m]."""
    is_revolute = chain.kinds == REVOLUTE
    sizes = np.abs(chain.coefficients).sum(axis=2)
    angles = float(sizes[:, is_revolute].sum(axis=1).max(initial=0.0))
    slides = float(sizes[:, ~is_revolute].sum(axis=1).max(initial=0.0))
    reach = float(np.sqrt((chain.maps[:, :3, 3] ** 2).sum(axis=1)).sum())
    return 1.0 + (len(chain.kinds) + chain.products) / 8.0 + angles / 16.0, max(reach, chain.terms) + slides


def _without_rest(chain: Chain) -> Chain:
    """Return a chain without the joints that never move."""
    c = chain.coefficients
    moving = (c[:, :, 1:] != 0.0).any(axis=(0, 2)) | (c[:, :, 0] != c[:1, :, 0]).any(axis=0)
    if moving.all():
        return chain
    maps = [chain.maps[0]]
    for k, moves in enumerate(moving):
        if moves:
            maps.append(chain.maps[k + 1])
        else:
            maps[-1] = maps[-1] @ joint_map(int(chain.kinds[k]), float(c[0, k, 0])) @ chain.maps[k + 1]
    return chain._replace(
        maps=np.array(maps), kinds=chain.kinds[moving], coefficients=np.ascontiguousarray(c[:, moving])
    )


def joint_map(kind: int, value: float) -> FloatArray:
    """Return the map of a joint at a value [rad or m], (4, 4)."""
    return joint_maps(kind == REVOLUTE, np.array([value])).reshape(4, 4)


def joint_maps(is_revolute: bool, values: FloatArray) -> FloatArray:
    """Return the maps of a joint at values (k,) [rad or m], (k, 4, 4)."""
    X = np.tile(np.eye(4), (len(values), 1, 1))
    if is_revolute:
        X[:, 0, 0] = X[:, 1, 1] = np.cos(values)
        X[:, 1, 0] = np.sin(values)
        X[:, 0, 1] = -X[:, 1, 0]
    else:
        X[:, 2, 3] = values
    return X


def _derivative_bounds(durations: FloatArray, chain: Chain) -> tuple[FloatArray, FloatArray]:
    """Return bounds (pieces,) of the fourth derivatives of rotation and origin of the last link.

    A product of rotations whose angles have derivatives bounded by w, a and b has those of an exponential of their
    sums; translations follow Leibniz's rule.
    """
    reach = float(np.sqrt((chain.maps[:, :3, 3] ** 2).sum(axis=1)).sum())
    revolute = chain.kinds == REVOLUTE
    all_turn = bool(revolute.all())
    w, a, b = _speed_sums(durations, chain.coefficients if all_turn else chain.coefficients[:, revolute])
    square = w * w
    turns = square * square + 6.0 * square * a + 3.0 * a * a + 4.0 * w * b
    places = turns * reach
    if not all_turn:
        prismatic = chain.coefficients[:, ~revolute]
        value, (v, u, s) = np.abs(prismatic).sum(axis=(1, 2)), _speed_sums(durations, prismatic)
        places += (
            turns * value + 4.0 * (square * w + 3.0 * w * a + b) * v + 6.0 * (square + a) * u + 4.0 * w * s
        )
    # harmless (ROUND_UP): the errors of cubics that it bounds are rounded up by as much
    return turns * ROUND_UP, places * ROUND_UP


def _speed_sums(T: FloatArray, coefficients: FloatArray) -> FloatArray:
    """Return sums over joints of bounds of their first three derivatives, (3, pieces)."""
    _, c1, c2, c3 = np.abs(coefficients).sum(axis=1).T
    square = T * T
    return np.stack([(c1 + 2.0 * c2 + 3.0 * c3) / T, (2.0 * c2 + 6.0 * c3) / square, 6.0 * c3 / (square * T)])


def chain_states(Q: FloatArray, pieces: npt.NDArray[np.intp], s: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the maps [R | p] (k, 3, 4) of the end of a packed chain and their rates, at parts s (k,) of pieces."""
    c, T = joint_coefficients(Q)[pieces], segment_rows(Q)["duration"][pieces]
    links, maps = link_rows(Q), np.tile(np.eye(4), (len(link_rows(Q)), 1, 1))
    maps[:, :3] = links["X"]
    M = np.tile(maps[0], (len(s), 1, 1))
    rate = np.zeros_like(M)
    for k in range(len(maps) - 1):
        is_revolute, F = links["kind"][k + 1] == REVOLUTE, maps[k + 1]
        value = c[:, k, 0] + s * (c[:, k, 1] + s * (c[:, k, 2] + s * c[:, k, 3]))
        speed = (c[:, k, 1] + s * (2.0 * c[:, k, 2] + s * 3.0 * c[:, k, 3])) / T
        E, dE = joint_maps(is_revolute, value), np.zeros((len(s), 4, 4))
        if is_revolute:
            dE[:, 0, 0] = dE[:, 1, 1] = -E[:, 1, 0] * speed
            dE[:, 1, 0] = E[:, 0, 0] * speed
            dE[:, 0, 1] = -dE[:, 1, 0]
        else:
            dE[:, 2, 3] = speed
        rate = (rate @ E + M @ dE) @ F
        M = M @ E @ F
    return M[:, :3], rate[:, :3]
