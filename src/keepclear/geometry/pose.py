"""Poses and times as public arguments: arrays of the right form, checked, with errors that name the fault."""

from __future__ import annotations

from typing import Any, NoReturn, cast

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, converted, shown
from keepclear.errors import ArgumentError, PoseError, TrajectoryError
from keepclear.kernels.convex import pose as kernels
from keepclear.kernels.motion.rigid import is_increasing
from keepclear.tolerances import LATEST_TIME

__all__ = ["nearest_rigid"]

_FLOAT64 = np.dtype(np.float64)
ROTATION_AND_TRANSLATION = (
    "is a pair of a rotation and a translation, but a pose is one matrix (4, 4): "
    "X = np.eye(4); X[:3, :3] = R; X[:3, 3] = t."
)


def nearest_rigid(X: npt.ArrayLike, *, tolerance: float = 1e-3) -> FloatArray:
    """Return the rigid pose nearest to X, for rotations that were printed with fewer digits.

    Args:
        X: One pose (4, 4) or many (n, 4, 4).
        tolerance: Largest max |R^T R - 1| that still counts as a rounded rotation; a scaled or sheared one is
            refused.

    Returns:
        A new array of the same shape whose rotations are the orthogonal polar factors of the given ones. A
        rotation that is orthonormal to 1e-15 is returned bit for bit.

    Examples:
        >>> X = np.eye(4)
        >>> X[:2, :2] = [[0.866, -0.5], [0.5, 0.866]]
        >>> nearest_rigid(X)[:2, :2].round(6).tolist()
        [[0.866019, -0.500011], [0.500011, 0.866019]]
    """
    if isinstance(tolerance, bool) or not isinstance(tolerance, int | float) or not 0.0 <= tolerance < 1.0:
        raise ArgumentError(f"tolerance must be a number from 0 to below 1, but it is {tolerance!r}.")
    poses, single = as_poses(X, "X")
    poses = np.array(poses, copy=True)
    R = poses[:, :3, :3]
    with np.errstate(invalid="ignore", over="ignore"):
        defect = np.abs(np.swapaxes(R, 1, 2) @ R - np.eye(3)).max(axis=(1, 2), initial=0.0)
    rough = np.flatnonzero((defect > kernels.NEARLY_ORTHONORMAL) & (defect <= tolerance))
    if len(rough):
        u, _, vt = np.linalg.svd(R[rough])
        R[rough] = np.where(np.linalg.det(R[rough])[:, None, None] > 0.0, u @ vt, R[rough])
    bad = kernels.project_poses(poses)
    if bad:
        k, why = divmod(-bad - 1, 8)
        refuse_pose("X", poses, k, why, single)
    return poses[0] if single else poses


def as_poses(X: object, name: str) -> tuple[FloatArray, bool]:
    """Return poses as a writable, contiguous float64 array (n, 4, 4), and whether one (4, 4) was given."""
    plain = type(X) is np.ndarray and X.dtype == _FLOAT64 and X.flags.carray
    array = cast(FloatArray, X) if plain else _converted(X, name)
    if array.shape == (4, 4):
        return array[None], True
    if array.shape[1:] != (4, 4):
        raise PoseError(
            f"{name} must be a pose (4, 4) or poses (n, 4, 4), but it has shape {array.shape}; "
            "put rotation R and translation p into one matrix [[R, p], [0, 0, 0, 1]]."
        )
    return array, False


def is_rotation_and_translation(value: object) -> bool:
    """Return whether a value is a pair of a rotation (3, 3) and a translation (3,), the poses of other libraries."""
    if not isinstance(value, list | tuple) or len(value) != 2:
        return False
    try:
        return np.shape(value[0]) == (3, 3) and np.size(value[1]) == 3
    except ValueError:  # a ragged list
        return False


def checked_poses(X: object, name: str, *, scaled: bool) -> tuple[FloatArray, FloatArray, bool]:
    """Return checked copies of poses (n, 4, 4), their uniform scales (n,), and whether one (4, 4) was given.

    Args:
        X: One pose or many.
        name: The argument's name, for messages.
        scaled: Whether the rotations may include a uniform scale.
    """
    given, single = as_poses(X, name)
    poses, scales = given.copy(), np.empty(len(given))
    if scaled:
        bad = kernels.project_scaled_poses(poses, scales)
    else:
        scales[:] = 1.0
        bad = kernels.project_poses(poses)
    if bad:
        k, why = divmod(-bad - 1, 8)
        refuse_pose(name, given, k, why, single)
    return poses, scales, single


def _converted(X: object, name: str) -> FloatArray:
    if is_rotation_and_translation(X):
        raise PoseError(f"{name} {ROTATION_AND_TRANSLATION}")
    expected = f"{name} must be an array of numbers of shape (4, 4) or (n, 4, 4)"
    array = converted(X, expected, PoseError)
    if array.dtype.kind not in "iuf":
        what = f"a {type(X).__name__}" if array.ndim == 0 else "an array"
        raise PoseError(f"{expected}, but it is {what} of dtype {array.dtype}.")
    with np.errstate(over="ignore"):
        return np.array(array, dtype=np.float64, order="C", copy=True)


def refuse_pose(name: str, poses: FloatArray, k: int, why: int, single: bool, first: int = 0) -> NoReturn:
    """Raise the `PoseError` for pose k, which a kernel refused; `first` is the index of pose 0 in the user's array."""
    X = poses[k]
    label = name if single else f"{name}[{first + k}]"
    R = X[:3, :3]
    if not np.isfinite(X).all():
        i, j = np.argwhere(~np.isfinite(X))[0]
        message = f"has an entry that is not finite: [{i}, {j}] = {X[i, j]}."
    elif why == kernels.POSE_BAD_LAST_ROW:
        message = f"has the last row {X[3].tolist()}, not [0, 0, 0, 1]; is it transposed, or scaled?"
    elif why == kernels.POSE_TOO_FAR:
        message = f"has the translation {X[:3, 3].tolist()}, farther than {kernels.FARTHEST:g} m; give it in metres."
    elif why == kernels.POSE_REFLECTION:
        message = (
            "mirrors (its rotation has determinant -1); a rigid body cannot, so mirror the shape's points."
        )
    else:
        with np.errstate(over="ignore", invalid="ignore"):
            scale = np.linalg.norm(R, axis=0)
            defect = float(np.abs(R.T @ R - np.eye(3)).max())
            # harmless (1e-6 * scale.max()): it selects the advice in a message
            even = bool(np.ptp(scale) <= 1e-6 * scale.max())
        message = (
            f"is not rigid: |R^T R - 1| is {defect:.2g}, "
            f"and the columns of R have lengths {scale.round(6).tolist()}; "
        )
        if even and defect > 1e-3:
            message += f"scale belongs to the shape: shape.scaled({scale.mean():.6g})."
        else:
            message += "for a rotation printed with few digits use kc.nearest_rigid(X)."
    raise PoseError(f"{label} {message}")


def checked_pose(X: object, name: str, *, scaled: bool) -> FloatArray:
    """Return a checked copy of one pose (4, 4), or raise a `PoseError`."""
    poses, _, single = checked_poses(X, name, scaled=scaled)
    if not single:
        raise PoseError(
            f"{name} must be one pose (4, 4), but it has shape {poses.shape}; take them one by one."
        )
    pose: FloatArray = poses[0]
    return pose


def checked_times(label: str, times: npt.ArrayLike) -> FloatArray:
    """Return a fresh array of increasing times (n,), n >= 1, or raise a `TrajectoryError`."""
    expected = f"{label}: times must be numbers (n,) in seconds"
    given = converted(times, expected, TrajectoryError)
    if given.ndim != 1 or given.dtype.kind not in "iuf":
        raise TrajectoryError(f"{expected}, but they are {shown(times)}.")
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


def checked_instants(t: npt.ArrayLike) -> tuple[FloatArray, bool]:
    """Return times as a fresh float64 array (n,), and whether one was given."""
    array = converted(t, "t must be a time or an array of times", ArgumentError)
    if array.ndim > 1 or (array.dtype.kind not in "iuf" and array.size):
        raise ArgumentError(f"t must be a time or an array of times (n,) in seconds, but it is {shown(t)}.")
    times = np.array(array, dtype=np.float64, order="C", copy=True).reshape(-1)
    bad = np.flatnonzero(~(np.abs(times) <= LATEST_TIME))
    if len(bad):
        which = "t" if array.ndim == 0 else f"t[{bad[0]}]"
        raise ArgumentError(
            f"{which} is {times[bad[0]]}, which is not a time; give finite seconds, up to {LATEST_TIME:g}."
        )
    return times, array.ndim == 0


def one_pose(X: Any, name: str) -> FloatArray:
    """Return one checked pose (4, 4)."""
    poses, _, single = checked_poses(X, name, scaled=False)
    if not single:
        raise ArgumentError(f"{name} must be one pose (4, 4), but it has shape {np.shape(X)}.")
    pose: FloatArray = poses[0]
    return pose
