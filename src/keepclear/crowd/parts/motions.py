"""The built-in motions of a crowd's members; a probe function is the alternative, and Numba may have compiled it."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, as_array, checked_instant, real_number, shown
from keepclear.crowd.parts.member_arrays import LONGEST_TIME, SMALLEST_NUMBER, checked_bounds
from keepclear.errors import ArgumentError, CrowdError, TrajectoryError
from keepclear.geometry.pose import checked_times
from keepclear.kernels.crowd import layout as at
from keepclear.kernels.crowd.motion import (
    D_CENTRE,
    D_HALF,
    D_INTERVAL,
    D_RESPONSE,
    D_ROWS,
    D_SEED,
    D_SPEED,
    ROW,
)
from keepclear.kinds import CROWD_MOTIONS
from keepclear.results import has_same_content
from keepclear.tolerances import LARGEST_SIZE

__all__ = ["Ballistic", "Probe", "RandomForces", "RecordedTracks", "VelocityField"]

Bounds = tuple[FloatArray, FloatArray]


@runtime_checkable
class Probe(Protocol):
    """The interface of a user-defined motion; a plain function suffices if spheres pass through each other."""

    def __call__(self, ids: npt.NDArray[np.int64], t: float) -> tuple[npt.ArrayLike, npt.ArrayLike]:
        """Return positions (k, 3) and velocities (k, 3) of the members with these ids at time t."""


@CROWD_MOTIONS.register
@dataclass(frozen=True)
class Ballistic:
    """Free flight under the crowd's gravity; exact with maximum accelerations of 0."""

    def pack(self, bounds: Bounds | None, dimensions: int) -> tuple[int, FloatArray]:
        """Return the number of the motion in kernels, and its parameters."""
        del bounds, dimensions
        return at.BALLISTIC, np.zeros(D_ROWS)


@CROWD_MOTIONS.register
@dataclass(frozen=True)
class RandomForces:
    """Random forces: the acceleration of each member is constant for an interval, then changes.

    In interval k, from k h to (k + 1) h, member i has the acceleration that `random_acceleration` in
    `keepclear.kernels.crowd.motion` computes from the seed, i and k by the hash of splitmix64, plus gravity: a uniform
    random direction, and a random fraction of its maximum acceleration. So the motion can be reproduced independently.

    Args:
        seed: Selects the sequence, from 0 to 2^53.
        interval: Length h of the intervals [s].
    """

    seed: int = 0
    interval: float = 0.1

    def __post_init__(self) -> None:
        seed = real_number(self.seed)
        if seed is None or not 0 <= seed <= 2.0**53 or seed != int(seed):
            raise ArgumentError(
                f"RandomForces: seed must be a whole number from 0 to 2**53, but it is {shown(self.seed)}."
            )
        _positive("RandomForces", "interval", self.interval, "seconds")

    def pack(self, bounds: Bounds | None, dimensions: int) -> tuple[int, FloatArray]:
        """Return the number of the motion in kernels, and its parameters."""
        del bounds, dimensions
        data = np.zeros(D_ROWS)
        data[D_INTERVAL], data[D_SEED] = self.interval, self.seed
        return at.RANDOM, data


@CROWD_MOTIONS.register
@dataclass(frozen=True, eq=False)
class VelocityField:
    """Members circulate in a box: up along its middle, down along its sides, like a fluid above a flame.

    At the start of each interval a member chooses the acceleration that would bring its velocity to the field's within
    the response time, but at most its maximum acceleration, and keeps it until the interval ends. By default the
    maximum acceleration is what the field needs: see `max_acceleration`.

    Args:
        speed: Speed of the field in the middle of the box [m/s].
        bounds: Lower and upper corner of the box; by default those of the crowd.
        interval: How long an acceleration is kept [s].
        response: Response time [s].
    """

    speed: float = 20.0
    bounds: tuple[npt.ArrayLike, npt.ArrayLike] | None = None
    interval: float = 1.0 / 60.0
    response: float = 0.5

    def __post_init__(self) -> None:
        _positive("VelocityField", "speed", self.speed, "metres per second", LARGEST_SIZE)
        _positive("VelocityField", "interval", self.interval, "seconds")
        _positive("VelocityField", "response", self.response, "seconds")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, VelocityField):
            return NotImplemented
        return has_same_content(astuple(self), astuple(other))

    def __hash__(self) -> int:
        return hash((self.speed, self.interval, self.response))

    def max_acceleration(self, bounds: Bounds | None = None) -> float:
        """Return a bound on the acceleration of whatever flows with the field [m/s^2]: speed times gradient.

        Args:
            bounds: Lower and upper corner of the box, if the field has none.
        """
        half = 0.5 * np.subtract(*self._box(bounds)[::-1])
        d = len(half)
        along = np.pi / half
        along[-1] *= 0.5  # the field turns once across the box, and half a turn along its height
        greatest = np.append(self.speed * half[:-1] / (2 * (d - 1) * half[-1]), self.speed)
        gradient = greatest[:, None] * along
        if d == 3:
            gradient[0, 1] = gradient[1, 0] = 0.0
            gradient[2, :2] *= 0.5
        return float(np.linalg.norm(greatest) * np.linalg.norm(gradient))

    def _box(self, bounds: Bounds | None, dimensions: int | None = None) -> Bounds:
        given = bounds if self.bounds is None else self.bounds
        if given is None:
            raise ArgumentError("VelocityField: it needs a box; give it bounds, or give them to the crowd.")
        try:
            d = len(np.asarray(given[0], dtype=np.float64)) if dimensions is None else dimensions
        except (TypeError, ValueError, IndexError):
            d = 3
        box = checked_bounds(given, d)
        assert box is not None
        if (box[1] - box[0]).min() < 2.0 * SMALLEST_NUMBER:
            raise ArgumentError(
                f"VelocityField: its box must be at least {2.0 * SMALLEST_NUMBER:g} m wide, but it is "
                f"{(box[1] - box[0]).min():g}."
            )
        return box

    def pack(self, bounds: Bounds | None, dimensions: int) -> tuple[int, FloatArray]:
        """Return the number of the motion in kernels, and its parameters."""
        box = self._box(bounds, dimensions)
        data = np.zeros(D_ROWS)
        data[D_INTERVAL], data[D_SPEED], data[D_RESPONSE] = self.interval, self.speed, self.response
        data[D_HALF : D_HALF + 3] = 1.0
        data[D_CENTRE : D_CENTRE + dimensions] = 0.5 * (box[0] + box[1])[:dimensions]
        data[D_HALF : D_HALF + dimensions] = 0.5 * (box[1] - box[0])[:dimensions]
        return at.FIELD, data


@CROWD_MOTIONS.register
class RecordedTracks:
    """Members move linearly from one recorded sample to the next; where a sample is missing they are absent.

    Args:
        times: Times of the samples (m,), increasing [s].
        positions: Positions (m, n, 2) or (m, n, 3) of n members; rows of NaN where a member is absent. A member is
            present between two consecutive samples; an isolated sample has no effect.
    """

    def __init__(self, times: npt.ArrayLike, positions: npt.ArrayLike) -> None:
        self.times = checked_times("RecordedTracks", times)
        try:
            x = np.array(as_array(positions), dtype=np.float64)
        except (TypeError, ValueError) as cause:
            raise TrajectoryError(
                f"RecordedTracks: positions must be numbers (m, n, 2 or 3): {cause}"
            ) from None
        if len(self.times) < 2:
            raise TrajectoryError("RecordedTracks: a track needs two samples, but there is one time.")
        if x.ndim != 3 or x.shape[2] not in (2, 3) or len(x) != len(self.times):
            raise TrajectoryError(
                f"RecordedTracks: positions must have shape ({len(self.times)}, n, 2 or 3), one row per time, "
                f"but they have shape {x.shape}."
            )
        missing = np.isnan(x)
        partial = missing.any(axis=2) != missing.all(axis=2)
        if partial.any() or np.isinf(x).any():
            k, i = np.argwhere(partial | np.isinf(x).any(axis=2))[0]
            raise TrajectoryError(
                f"RecordedTracks: positions[{k}, {i}] is {x[k, i]}; give finite numbers, or NaN in all of a position "
                "where a member is absent."
            )
        if (np.abs(x) > LARGEST_SIZE).any() or np.abs(self.times).max() > LONGEST_TIME:
            raise TrajectoryError(
                f"RecordedTracks: positions must lie within {LARGEST_SIZE:g} m, and times within {LONGEST_TIME:g} s."
            )
        self.positions = x
        self.positions.flags.writeable = False
        self.times.flags.writeable = False

    @property
    def n_members(self) -> int:
        """How many members there are."""
        return int(self.positions.shape[1])

    def at(self, t: float) -> FloatArray:
        """Return the positions (n, 2 or 3) at a time, NaN where a member is absent."""
        k, s = self._piece(checked_instant("t", t))
        if not 0.0 <= s <= 1.0:
            return np.full(self.positions.shape[1:], np.nan)
        now = self.positions[k] * (1.0 - s) + self.positions[k + 1] * s
        # At a sample, members that appear or disappear are present, too.
        if s == 0.0:
            now = self.positions[k].copy()
        elif s == 1.0:
            now = self.positions[k + 1].copy()
        return np.asarray(now)

    def velocities(self, t: float) -> FloatArray:
        """Return the velocities (n, 2 or 3) at a time; at a sample, those of the segment after it."""
        k, s = self._piece(checked_instant("t", t))
        if not 0.0 <= s <= 1.0:
            return np.full(self.positions.shape[1:], np.nan)
        return np.asarray((self.positions[k + 1] - self.positions[k]) / (self.times[k + 1] - self.times[k]))

    def _piece(self, t: float) -> tuple[int, float]:
        k = int(np.clip(np.searchsorted(self.times, t, side="right") - 1, 0, len(self.times) - 2))
        return k, float((t - self.times[k]) / (self.times[k + 1] - self.times[k]))

    def pack(self, bounds: Bounds | None, dimensions: int) -> tuple[int, FloatArray]:
        """Return the number of the motion in kernels, and its parameters: rows of samples, member by member."""
        del bounds
        m, n = self.positions.shape[:2]
        rows = np.zeros((n, m, ROW))
        rows[:, :, 0] = self.times
        rows[:, :, 1 : 1 + dimensions] = np.nan_to_num(self.positions.transpose(1, 0, 2))
        there = ~np.isnan(self.positions[:, :, 0]).T
        rows[:, :-1, 4] = there[:, :-1] & there[:, 1:]
        return at.TRACKS, np.concatenate([np.zeros(D_ROWS), rows.ravel()])


def is_compiled(motion: object) -> bool:
    """Return whether a probe was compiled by `numba.njit` or a relative of it."""
    from numba.core.dispatcher import Dispatcher

    return isinstance(motion, Dispatcher)


def compile_probe(probe: Any, dimensions: int) -> Any:
    """Return a C function `int64(int64 id, float64 t, float64 *out)` around a probe, with its `address`.

    It returns 1 and writes position and velocity, three numbers each; in all other cases Python calls the probe
    again and raises the error.
    """
    import numba

    d = dimensions

    def ask(i, t, out):  # type: ignore[no-untyped-def]
        try:
            ids = np.empty(1, np.int64)
            ids[0] = i
            x, v = probe(ids, t)
            if x.shape != (1, d) or v.shape != (1, d):
                return 0
            for c in range(3):
                out[c], out[3 + c] = 0.0, 0.0
            for c in range(d):
                out[c], out[3 + c] = x[0, c], v[0, c]
        except Exception:
            return 0
        return 1

    try:
        return numba.cfunc("int64(int64, float64, CPointer(float64))", nopython=True)(ask)
    except numba.core.errors.NumbaError as cause:
        reason = str(cause).strip().splitlines()
        raise CrowdError(
            "crowd: the compiled probe must take (ids: int64 array, t: float) and return two arrays "
            f"(k, {dimensions}): {reason[-1] if reason else cause}"
        ) from cause


def _positive(motion: str, argument: str, value: object, unit: str, most: float = LONGEST_TIME) -> None:
    number = real_number(value)
    if number is None or not SMALLEST_NUMBER <= number <= most:
        raise ArgumentError(
            f"{motion}: {argument} must be a number > 0 in {unit}, from {SMALLEST_NUMBER:g} to {most:g}, but it is "
            f"{shown(value)}."
        )
