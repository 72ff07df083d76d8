"""The route from one link of a robot to another, as a chain of joints."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.kernels.tables.motion import FIXED, PRISMATIC
from keepclear.motion.joints.kinematics import Kinematics
from keepclear.motion.packed_chain import Chain


def chain_between(
    kinematics: Kinematics,
    first: int,
    last: int,
    coefficients: FloatArray,
    X_first: FloatArray,
    X_last: FloatArray,
    terms: float = 0.0,
) -> Chain:
    """Return X_first, then the route from link `first` to link `last`, then X_last; only joints in between occur.

    Args:
        kinematics: The robot.
        first: Number of the link in whose frame the route begins.
        last: Number of the link in whose frame it ends.
        coefficients: (pieces, n, 4) of the columns of q, by powers.
        X_first: The map before the route, (4, 4).
        X_last: The map after the route, (4, 4).
        terms: The sum of the lengths of the translations that X_first and X_last are products of, if they are [m].
    """
    route = route_between(kinematics, first, last)
    maps = route.maps.copy()
    maps[0] = X_first @ maps[0]
    maps[-1] = maps[-1] @ X_last
    if coefficients.shape[1]:
        values = coefficients[:, route.columns] * route.factors[:, None]
    else:
        values = np.zeros((len(coefficients), len(route.kinds), 4))
    values[:, :, 0] += route.offsets
    ends = float(np.linalg.norm(X_first[:3, 3]) + np.linalg.norm(X_last[:3, 3]))
    return Chain(maps, route.kinds, values, route.terms + max(ends, terms), route.products + 4)


def route_between(kinematics: Kinematics, first: int, last: int) -> Route:
    """Return the joints between two links, and the maps before, between and after them."""
    routes = _routes(kinematics)
    route = routes.get((first, last))
    if route is None:
        route = routes[first, last] = _make_route(kinematics, first, last)
    return route


class Route(NamedTuple):
    """The part of a chain between two links that is the same for all programs.

    Attributes:
        maps: (n + 1, 4, 4) before, between and after its joints.
        kinds: (n,) of joints.
        columns: (n,) columns of q; a joint without one has the factor 0.
        factors: (n,) of these columns.
        offsets: (n,) added to the values [rad or m].
        terms: The sum of the lengths of the translations of all joints that are passed, fixed ones included [m].
        products: The number of products that the maps are made of.
    """

    maps: FloatArray
    kinds: npt.NDArray[np.int64]
    columns: npt.NDArray[np.int64]
    factors: FloatArray
    offsets: FloatArray
    terms: float
    products: int


@lru_cache(maxsize=32)
def _routes(kinematics: Kinematics) -> dict[tuple[int, int], Route]:
    """Return the routes of a robot that are known so far, by the numbers of both links."""
    del kinematics
    return {}


def _make_route(kinematics: Kinematics, first: int, last: int) -> Route:
    up, down = _links_between(kinematics, first, last)
    frames = _joint_frames(kinematics)
    maps = [np.eye(4)]
    for link, around in [
        *((link, frames[link].up) for link in up),
        *((link, frames[link].down) for link in down),
    ]:
        maps[-1] = maps[-1] @ around[0]
        if frames[link].moves:
            maps.append(around[1])
        else:
            maps[-1] = maps[-1] @ around[1]
    passed = [(link, -1.0) for link in up] + [(link, 1.0) for link in down]
    links = [link for link, _ in passed if frames[link].moves]
    signs = np.array([sign for link, sign in passed if frames[link].moves])
    kinds = np.array([frames[link].kind for link in links], dtype=np.int64)
    columns = kinematics.column[links].astype(np.int64)
    factors = np.where(columns >= 0, signs * kinematics.multiplier[links], 0.0)
    lengths = np.linalg.norm(kinematics.X_PJ[[link for link, _ in passed], :3, 3], axis=1)
    return Route(
        np.array(maps),
        kinds,
        columns,
        factors,
        signs * kinematics.offset[links],
        float(lengths.sum()),
        len(passed),
    )


class _JointFrame(NamedTuple):
    """The maps before and after the joint of a link, with its axis along z, for both directions of the route."""

    moves: bool
    kind: int
    up: tuple[FloatArray, FloatArray]
    down: tuple[FloatArray, FloatArray]


@lru_cache(maxsize=32)
def _joint_frames(kinematics: Kinematics) -> list[_JointFrame]:
    frames = []
    for link in range(len(kinematics.link_names)):
        X_PJ = kinematics.X_PJ[link]
        A = np.eye(4) if kinematics.kind[link] == FIXED else axis_frame(kinematics.axis[link])
        kind = int(kinematics.kind[link])
        frames.append(_JointFrame(kind != FIXED, kind, (A, A.T @ inverse(X_PJ)), (X_PJ @ A, A.T.copy())))
    return frames


def chain_lengths(kinematics: Kinematics) -> FloatArray:
    """Return the sum of the lengths of all translations from the base to each link, (links,) [m].

    Prismatic joints that q moves are not included, those that are held are. Rounding of a link's pose is relative to
    this sum: the translations of its chain may cancel.
    """
    steps = np.linalg.norm(kinematics.X_PJ[:, :3, 3], axis=1)
    is_held = (kinematics.kind == PRISMATIC) & (kinematics.column < 0)
    steps[is_held] += np.abs(kinematics.offset[is_held])
    for link, parent in enumerate(kinematics.parent.tolist()):
        if parent >= 0:
            steps[link] += steps[parent]
    return np.asarray(steps)


def inverse(X: FloatArray) -> FloatArray:
    """Return the inverse of a rigid map (4, 4)."""
    out = np.eye(4)
    out[:3, :3] = X[:3, :3].T
    out[:3, 3] = -X[:3, :3].T @ X[:3, 3]
    return out


def _links_between(kinematics: Kinematics, first: int, last: int) -> tuple[list[int], list[int]]:
    """Return the links whose joints are passed against their direction, in order, and those passed along it."""
    up, down = _to_root(kinematics, first), _to_root(kinematics, last)
    while up and down and up[-1] == down[-1]:
        up.pop()
        down.pop()
    return up, down[::-1]


def _to_root(kinematics: Kinematics, link: int) -> list[int]:
    """Return a link and its ancestors, without the root, which has no joint."""
    links = []
    while kinematics.parent[link] >= 0:
        links.append(link)
        link = int(kinematics.parent[link])
    return links


def axis_frame(axis: FloatArray) -> FloatArray:
    """Return a rotation (4, 4) that takes the z axis to a unit vector; exact where that is along an axis."""
    X = np.eye(4)
    k = int(np.argmax(np.abs(axis)))
    if np.count_nonzero(axis) == 1:
        # A permutation of the axes that takes z to the given axis; half a turn about another axis for its negative.
        R = np.roll(np.eye(3), (k + 1) % 3, axis=0)
        X[:3, :3] = R if axis[k] > 0.0 else R @ np.diag([1.0, -1.0, -1.0])
        return X
    side = np.cross(axis, np.roll(np.eye(3)[k], 1))
    side /= np.linalg.norm(side)
    X[:3, :3] = np.stack([side, np.cross(axis, side), axis], axis=1)
    return X
