"""Samples of a motion as public arguments: increasing times, matching counts, unambiguous rotations."""

from __future__ import annotations

from typing import NoReturn

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, as_array, shown
from keepclear.errors import PoseError, TrajectoryError
from keepclear.kernels.motion.rigid import is_increasing
from keepclear.motions.pose import checked_poses
from keepclear.tolerances import LATEST_TIME

# How unevenly the four instants of a cubic segment may be spaced, as a part of the segment; times that were computed or
# printed with ten digits are within it. Beside it, what rounding the times themselves does is always allowed.
EVEN_SPACING = 1e-9


def checked_samples(label: str, times: npt.ArrayLike, X_W: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return fresh arrays of increasing times (n,) and of as many rigid poses (n, 4, 4), n >= 1."""
    t = checked_times(label, times)
    try:
        poses, _, single = checked_poses(X_W, "X_W", scaled=False)
    except PoseError as error:
        raise PoseError(f"{label}: {error}") from None
    if single and len(t) != 1:
        raise TrajectoryError(f"{label}: X_W is one pose (4, 4) for {len(t)} times; give poses (n, 4, 4).")
    if len(poses) != len(t):
        missing = abs(len(t) - len(poses))
        few = ("time" if len(t) < len(poses) else "pose") + (" is" if missing == 1 else "s are")
        raise TrajectoryError(
            f"{label}: there are {len(t)} times but {len(poses)} poses; each pose has its time, "
            f"so {missing} more {few} missing."
        )
    return t, poses


def checked_times(label: str, times: npt.ArrayLike) -> FloatArray:
    """Return a fresh array of increasing times (n,), n >= 1, or raise a `TrajectoryError`."""
    try:
        given = as_array(times)
    except Exception as cause:  # ragged lists, or any error of a user-defined __array__
        raise TrajectoryError(f"{label}: times must be numbers (n,) in seconds: {cause}") from cause
    if given.ndim != 1 or given.dtype.kind not in "iuf":
        raise TrajectoryError(f"{label}: times must be numbers (n,) in seconds, but they are {shown(times)}.")
    if len(given) == 0:
        raise TrajectoryError(f"{label}: there are no times; give at least one sample, or use kc.Fixed.")
    if given.dtype == np.float64:
        t = given.copy()
    else:
        with np.errstate(over="ignore"):
            t = given.astype(np.float64)
    if is_increasing(t, LATEST_TIME, 1.0 / LATEST_TIME):
        return t
    bad = np.flatnonzero(~(np.abs(t) <= LATEST_TIME))
    if len(bad):
        k = int(bad[0])
        why = (
            f"beyond {LATEST_TIME:g} s; give seconds"
            if np.isfinite(t[k])
            else "not finite; drop the sample or repair it"
        )
        raise TrajectoryError(f"{label}: times[{k}] is {t[k]}, {why}.")
    with np.errstate(over="ignore"):
        late = np.flatnonzero(np.diff(t) <= 0.0)
    if len(late):
        _refuse_order(label, t, int(late[0]))
    k = int(np.flatnonzero(np.diff(t) < 1.0 / LATEST_TIME)[0])
    raise TrajectoryError(
        f"{label}: times[{k + 1}] follows times[{k}] within {t[k + 1] - t[k]:.3g} s, less than "
        f"{1.0 / LATEST_TIME:g} s; give times in seconds."
    )


def _refuse_order(label: str, t: FloatArray, k: int) -> None:
    if t[k + 1] == t[k]:
        what, advice = "follows", "drop the repeated sample"
    else:
        what, advice = "comes after", "sort the samples by time"
    raise TrajectoryError(
        f"{label}: times must increase, but times[{k + 1}] = {t[k + 1]:.12g} s {what} "
        f"times[{k}] = {t[k]:.12g} s; {advice}."
    )


def check_cubic_samples(label: str, t: FloatArray) -> None:
    """Raise a `TrajectoryError` unless there are 3n + 1 times, equally spaced within each segment of four."""
    n = len(t)
    if n < 4 or n % 3 != 1:
        missing = 4 - n if n < 4 else (1 - n) % 3
        raise TrajectoryError(
            f'{label}: "cubic" needs 3n + 1 samples, four for each segment that share their ends, but there are {n}; '
            f"{missing} more {'is' if missing == 1 else 'are'} missing "
            f'({n + missing} would do). "screw" and "linear" take any number.'
        )
    start, T = t[:-3:3, None], (t[3::3] - t[:-3:3])[:, None]
    even = start + T * (np.array([1.0, 2.0]) / 3.0)
    inner = np.stack([t[1::3], t[2::3]], axis=1)
    off = np.abs(inner - even)
    # harmless: without it, more times are refused
    rounding = 2.0 * np.spacing(np.maximum(np.abs(t[:-3:3]), np.abs(t[3::3])))[:, None]
    # harmless (rounding): without it, more times are refused
    bad = np.argwhere(off > EVEN_SPACING * T + rounding)
    if len(bad):
        i, j = bad[0]
        k = 3 * i + 1 + j
        raise TrajectoryError(
            f'{label}: "cubic" needs equally spaced times in each segment of four, but times[{k}] = {t[k]:.12g} s is '
            f"not where times[{3 * i}] = {t[3 * i]:.12g} s and times[{3 * i + 3}] = {t[3 * i + 3]:.12g} s ask for it, "
            f'at {even[i, j]:.12g} s; sample it there, or use "screw" or "linear".'
        )


def refuse_half_turn(label: str, interpolation: str, t: FloatArray, k: int) -> NoReturn:
    """Raise the `TrajectoryError` for half a turn from sample k to the next."""
    raise TrajectoryError(
        f"{label}: from X_W[{k}] at {t[k]:.9g} s to X_W[{k + 1}] at {t[k + 1]:.9g} s the body makes half a turn, "
        f"which {interpolation!r} could make in either direction; put a sample between them."
    )
