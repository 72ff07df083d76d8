"""Settings derived from the arguments of a crowd: motion, response, masses and tolerances."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, checked_choice, shown
from keepclear.crowd.parts.member_arrays import MOST_INTERVALS, check_inside, checked_sizes, checked_vectors
from keepclear.crowd.parts.motions import Ballistic, RandomForces, RecordedTracks, VelocityField, is_compiled
from keepclear.errors import ArgumentError
from keepclear.kernels.crowd import layout as at
from keepclear.kinds import CROWD_MOTIONS


def masses_of(masses: npt.ArrayLike | None, r: FloatArray) -> FloatArray:
    """Return the masses (n,): those given, or the cubes of radii; a point weighs as little as a sphere of 1e-9 m."""
    if masses is None:
        return np.asarray(np.maximum(r, 1e-9) ** 3)
    return checked_sizes("masses", masses, len(r), zero=False)


def checked_motion(motion: Any) -> Any:
    if isinstance(motion, Ballistic | RandomForces | VelocityField | RecordedTracks):
        CROWD_MOTIONS.check(motion, "crowd: motion")
    if motion is None or callable(motion) or motion in CROWD_MOTIONS:
        return motion
    raise ArgumentError(
        "crowd: motion must be Ballistic(), RandomForces(), VelocityField(), RecordedTracks(), a function "
        f"probe(ids, t) or None, but it is {shown(motion)}."
    )


def accelerations_of(
    motion: Any, max_accelerations: npt.ArrayLike | None, box: tuple[FloatArray, FloatArray] | None
) -> npt.ArrayLike:
    """Return the maximum accelerations that were given, or those that a motion has by itself.

    Unknown values are not 0: observed members are unlimited, and a user-defined motion requires them.
    """
    if max_accelerations is not None:
        return max_accelerations
    if motion is None:
        return np.inf
    if motion in CROWD_MOTIONS:
        return motion.max_acceleration(box) if isinstance(motion, VelocityField) else 0.0
    raise ArgumentError(
        "crowd: max_accelerations are missing; only the author of a function knows them, and contacts would be "
        "missed without them: give the largest that members can have, 0 for straight paths at constant speed."
    )


def first_velocities(
    motion: Any,
    velocities: npt.ArrayLike | None,
    x: FloatArray,
    max_speeds: FloatArray,
    errors: FloatArray | float = 0.0,
) -> tuple[FloatArray, FloatArray]:
    """Return velocities (n, 2 or 3) and their errors (n,).

    A measured speed may exceed the maximum speed by the error of the measurement, (n,) [m/s].

    Where none are given, observed members may have any up to their maximum speeds, and members of a motion of the
    crowd's own start at rest; a motion of the caller needs them.
    """
    if velocities is not None:
        v = checked_vectors("velocities", velocities, *x.shape)
        speeds = np.linalg.norm(v, axis=1)
        fast = speeds - errors > max_speeds * (1.0 + 1e-12)
        if motion is None and fast.any():
            i = int(np.argmax(fast))
            raise ArgumentError(
                f"crowd: the velocity of member {i} of these is {speeds[i]:g} m/s, more than its maximum speed "
                f"(max_speeds), {max_speeds[i]:g} m/s; one of the two is wrong."
            )
        return v, np.zeros(len(x))
    if motion is None:
        if np.isinf(max_speeds).any():
            i = int(np.flatnonzero(np.isinf(max_speeds))[0])
            raise ArgumentError(
                f"crowd: velocities are missing, and member {i} of these has no maximum speed; give max_speeds."
            )
        return np.zeros_like(x), max_speeds.copy()
    if motion in CROWD_MOTIONS:
        return np.zeros_like(x), np.zeros(len(x))
    raise ArgumentError(
        "crowd: velocities are missing; give those that the caller's motion has at the start."
    )


def check_time_of_motion(motion: Any, name: str, t: float) -> None:
    """Raise an `ArgumentError` for times at which a motion is undefined, or that it cannot count."""
    if isinstance(motion, RandomForces | VelocityField) and abs(t) > MOST_INTERVALS * motion.interval:
        raise ArgumentError(
            f"crowd: {name} is {t:g} s, and an interval of {motion.interval:g} s can be counted up to "
            f"{MOST_INTERVALS * motion.interval:g} s; give the motion a longer interval."
        )
    if isinstance(motion, RecordedTracks):
        first, last = float(motion.times[0]), float(motion.times[-1])
        rounding = 1e-12 * (abs(first) + abs(last))
        if not first - rounding <= t <= last + rounding:
            raise ArgumentError(
                f"crowd: {name} is {t:.9g} s, and the recorded tracks are from {first:.9g} s to {last:.9g} s; "
                "other times are not recorded."
            )


def packed_motion(motion: Any, box: Any, dimensions: int) -> tuple[int, FloatArray]:
    if motion is None:
        return at.OBSERVED, np.zeros(1)
    if is_compiled(motion):
        return at.COMPILED, np.zeros(8)
    if motion in CROWD_MOTIONS:
        kind, data = motion.pack(box, dimensions)
        return int(kind), data
    return at.EXTERNAL, np.zeros(1)


def checked_response(response: Any, kind: int, motion: Any) -> tuple[Any, int]:
    bounces = kind in (at.BALLISTIC, at.RANDOM, at.FIELD) or hasattr(motion, "restart")
    if response is None:
        response = "elastic" if bounces else "report"
    codes = {"elastic": at.ELASTIC, "report": at.REPORT}
    code = (
        at.ASK if callable(response) else codes[checked_choice("crowd", "response", response, tuple(codes))]
    )
    if code != at.REPORT and not bounces:
        raise ArgumentError(
            'crowd: members that your code moves cannot bounce; use response="report", or give a probe that has a '
            "method restart(ids, t, positions, velocities)."
        )
    return response, code


def first_positions(
    tracks: RecordedTracks, positions: Any, velocities: Any
) -> tuple[FloatArray, FloatArray, float]:
    if positions is not None or velocities is not None:
        raise ArgumentError("crowd: recorded tracks contain positions and velocities; give None for both.")
    there = ~np.isnan(tracks.positions[:, :, 0])
    first = there.argmax(axis=0)
    x = np.nan_to_num(tracks.positions[first, np.arange(tracks.n_members)])
    return x, np.zeros_like(x), float(tracks.times[0])


def set_walls(S: FloatArray, x: FloatArray, r: FloatArray, box: tuple[FloatArray, FloatArray] | None) -> None:
    """Set the walls, and the tolerances that follow from the size of coordinates."""
    far = float((np.abs(x) + r[:, None]).max()) if len(x) else 1.0
    if box is not None:
        if S[at.MOTION] == at.OBSERVED:
            raise ArgumentError("crowd: walls cannot reflect observed members; leave bounds out.")
        check_inside(x, r, box, np.arange(len(x)))
        d = x.shape[1]
        S[at.WALLED], S[at.LOWER : at.LOWER + d], S[at.UPPER : at.UPPER + d] = 1.0, *box
        far = max(far, float(np.abs(np.concatenate(box)).max()))
    set_extent(S, far)


def set_extent(S: FloatArray, far: float) -> None:
    """Set the tolerances that follow from the size of coordinates; see `enclose` in the kernels."""
    S[at.EXTENT] = far = max(far, 1e-9)
    S[at.SLACK], S[at.TOLERANCE] = 2.0**-49 * far, 2.0**-44 * far
