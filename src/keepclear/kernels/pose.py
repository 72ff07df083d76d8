"""Rigid poses: checked and projected to the nearest rigid matrix, scalar by scalar."""

from __future__ import annotations

from keepclear.kernels._compile import kernel

# Why a pose was refused, as the kernels report it.
POSE_OK, POSE_TOO_FAR, POSE_BAD_LAST_ROW, POSE_REFLECTION, POSE_NOT_RIGID = 0, 1, 2, 3, 4

# A rotation this close to orthonormal, max |R^T R - 1|, is the pose bit for bit: it is what a product of a
# few rotations in double precision leaves (2e-16 to 8e-16). The error bounds of `gjk` allow for it.
ORTHONORMAL = 1e-15
# A rotation farther than this from orthonormal is refused: it is a mistake (scale, shear, lost digits).
NEARLY_ORTHONORMAL = 1e-6
# A translation beyond this [m] is refused, as infinity is: products of a few of them would overflow.
FARTHEST = 1e12


@kernel(inline=True, boundscheck=False)
def _is_orthonormal(a, b, c, d, e, f, g, h, i, limit):
    """Tell whether all |R^T R - 1| are within a limit; NaN is not."""
    return (
        abs(a * a + d * d + g * g - 1.0) <= limit
        and abs(b * b + e * e + h * h - 1.0) <= limit
        and abs(c * c + f * f + i * i - 1.0) <= limit
        and abs(a * b + d * e + g * h) <= limit
        and abs(a * c + d * f + g * i) <= limit
        and abs(b * c + e * f + h * i) <= limit
    )


@kernel
def _polar_step(a, b, c, d, e, f, g, h, i):
    """One Newton-Schulz step R (3 - R^T R) / 2 towards the orthogonal polar factor (converges squared)."""
    s00, s01, s02 = a * a + d * d + g * g, a * b + d * e + g * h, a * c + d * f + g * i
    s11, s12, s22 = b * b + e * e + h * h, b * c + e * f + h * i, c * c + f * f + i * i
    # Corrections R (1 - S) / 2 are tiny, so their own rounding is far below that of R.
    k00, k11, k22 = 0.5 * (1.0 - s00), 0.5 * (1.0 - s11), 0.5 * (1.0 - s22)
    k01, k02, k12 = -0.5 * s01, -0.5 * s02, -0.5 * s12
    return (
        a + (a * k00 + b * k01 + c * k02), b + (a * k01 + b * k11 + c * k12), c + (a * k02 + b * k12 + c * k22),
        d + (d * k00 + e * k01 + f * k02), e + (d * k01 + e * k11 + f * k12), f + (d * k02 + e * k12 + f * k22),
        g + (g * k00 + h * k01 + i * k02), h + (g * k01 + h * k11 + i * k12), i + (g * k02 + h * k12 + i * k22),
    )  # fmt: skip


@kernel(inline=True, boundscheck=False)
def _checked(a, b, c, x, d, e, f, y, g, h, i, z, p, q, r, s):
    """Return (status, rotation row by row, translation) of a pose's 16 entries, projected to the nearest rigid one.

    The nearest rotation in the Frobenius norm is the orthogonal factor of the polar decomposition.
    """
    status = POSE_OK
    if not _is_orthonormal(a, b, c, d, e, f, g, h, i, ORTHONORMAL):
        if not _is_orthonormal(a, b, c, d, e, f, g, h, i, NEARLY_ORTHONORMAL):
            status = POSE_NOT_RIGID
        for _ in range(4):
            a, b, c, d, e, f, g, h, i = _polar_step(a, b, c, d, e, f, g, h, i)
            if _is_orthonormal(a, b, c, d, e, f, g, h, i, ORTHONORMAL):
                break
    if not abs(x) + abs(y) + abs(z) <= FARTHEST:
        status = POSE_TOO_FAR
    if p != 0.0 or q != 0.0 or r != 0.0 or s != 1.0:
        status = POSE_BAD_LAST_ROW
    if status == POSE_OK and a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) < 0.0:
        status = POSE_REFLECTION
    return status, a, b, c, d, e, f, g, h, i, x, y, z


@kernel(inline=True, boundscheck=False)
def load_pose(X, k):
    """Return the pose X[k] of an array (n, 4, 4), checked and projected."""
    return _checked(
        X[k, 0, 0], X[k, 0, 1], X[k, 0, 2], X[k, 0, 3], X[k, 1, 0], X[k, 1, 1], X[k, 1, 2], X[k, 1, 3],
        X[k, 2, 0], X[k, 2, 1], X[k, 2, 2], X[k, 2, 3], X[k, 3, 0], X[k, 3, 1], X[k, 3, 2], X[k, 3, 3],
    )  # fmt: skip


@kernel(inline=True, boundscheck=False)
def load_single_pose(X):
    """Return the pose X of an array (4, 4), checked and projected."""
    return _checked(
        X[0, 0], X[0, 1], X[0, 2], X[0, 3], X[1, 0], X[1, 1], X[1, 2], X[1, 3],
        X[2, 0], X[2, 1], X[2, 2], X[2, 3], X[3, 0], X[3, 1], X[3, 2], X[3, 3],
    )  # fmt: skip


@kernel("int64(float64[:,:,::1])")
def project_poses(X):
    """Replace each pose by its nearest rigid one; return 0, or -(1 + 8 k + why) for the first bad pose k."""
    for k in range(X.shape[0]):
        status, a, b, c, d, e, f, g, h, i, _, _, _ = load_pose(X, k)
        if status != POSE_OK:
            return -(1 + 8 * k + status)
        X[k, 0, 0], X[k, 0, 1], X[k, 0, 2] = a, b, c
        X[k, 1, 0], X[k, 1, 1], X[k, 1, 2] = d, e, f
        X[k, 2, 0], X[k, 2, 1], X[k, 2, 2] = g, h, i
    return 0
