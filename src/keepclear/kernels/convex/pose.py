"""Rigid poses: checked and projected to the nearest rigid matrix, entry by entry."""

from __future__ import annotations

import math

from keepclear.compiler.kernel import kernel

# Reasons for refusing a pose, as the kernels report them.
POSE_OK, POSE_TOO_FAR, POSE_BAD_LAST_ROW, POSE_REFLECTION, POSE_NOT_RIGID = 0, 1, 2, 3, 4

# A rotation this close to orthonormal, max |R^T R - 1|, is used bit for bit: a product of a few rotations in double
# precision has this error (2e-16 to 8e-16). The error bounds of `gjk` allow for it.
ORTHONORMAL = 1e-15
# A rotation farther than this from orthonormal is refused: it is an error (scale, shear, lost digits).
NEARLY_ORTHONORMAL = 1e-6
# The same two limits for s R with a uniform scale s, relative to s; forming the product rounds each entry once more.
SCALED_ORTHONORMAL = 4e-15
SMALLEST_SCALE, LARGEST_SCALE = 1e-6, 1e6
# A translation beyond this [m] is refused, like infinity: products of a few of them would overflow.
FARTHEST = 1e12


@kernel(inline=True, boundscheck=False)
def _is_orthonormal(a, b, c, d, e, f, g, h, i, limit):
    """Return whether all |R^T R - 1| are within a limit; NaN is not."""
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
    """Return one Newton-Schulz step R (3 - R^T R) / 2 towards the orthogonal polar factor (converges quadratically)."""
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
            # harmless (ORTHONORMAL): more steps lead to the same rotation
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


@kernel(boundscheck=False)
def _scale_of(X, k):
    """Return the root mean square length of the columns of X[k]."""
    total = 0.0
    for i in range(3):
        for j in range(3):
            total += X[k, i, j] * X[k, i, j]
    return math.sqrt(total / 3.0)


@kernel("int64(float64[:,:,::1], float64[::1])")
def project_scaled_poses(X, scales):
    """Replace each pose s R by its nearest one and write its scale s; return 0, or -(1 + 8 k + why) for a bad pose k.

    A scale within 1e-6 of 1 is a rigid pose. A scaled rotation that is orthonormal to 4e-15 of its scale stays bit
    for bit.
    """
    for k in range(X.shape[0]):
        status, a, b, c, d, e, f, g, h, i, _, _, _ = load_pose(X, k)
        s, as_given = 1.0, False
        if status == POSE_NOT_RIGID:
            s = _scale_of(X, k)
            if not SMALLEST_SCALE <= s <= LARGEST_SCALE:
                return -(1 + 8 * k + POSE_NOT_RIGID)
            a, b, c = X[k, 0, 0] / s, X[k, 0, 1] / s, X[k, 0, 2] / s
            d, e, f = X[k, 1, 0] / s, X[k, 1, 1] / s, X[k, 1, 2] / s
            g, h, i = X[k, 2, 0] / s, X[k, 2, 1] / s, X[k, 2, 2] / s
            as_given = _is_orthonormal(a, b, c, d, e, f, g, h, i, SCALED_ORTHONORMAL)
            status, a, b, c, d, e, f, g, h, i, _, _, _ = _checked(
                a, b, c, X[k, 0, 3], d, e, f, X[k, 1, 3], g, h, i, X[k, 2, 3],
                X[k, 3, 0], X[k, 3, 1], X[k, 3, 2], X[k, 3, 3],
            )  # fmt: skip
        if status != POSE_OK:
            return -(1 + 8 * k + status)
        scales[k] = s
        if not as_given:
            X[k, 0, 0], X[k, 0, 1], X[k, 0, 2] = s * a, s * b, s * c
            X[k, 1, 0], X[k, 1, 1], X[k, 1, 2] = s * d, s * e, s * f
            X[k, 2, 0], X[k, 2, 1], X[k, 2, 2] = s * g, s * h, s * i
    return 0


@kernel(inline=True, boundscheck=False)
def relative_matrix(X_WA, i, X_WB, j):
    """Return (r row by row, t, s^2): p_A = r p_B + t between two checked poses, s the scale of B in A's frame.

    With A = s_a R_a the inverse is A^T / s_a^2, up to the defect of R_a that `project_scaled_poses` accepts; the
    callers' rounding allowance covers it.
    """
    a00, a01, a02 = X_WA[i, 0, 0], X_WA[i, 0, 1], X_WA[i, 0, 2]
    a10, a11, a12 = X_WA[i, 1, 0], X_WA[i, 1, 1], X_WA[i, 1, 2]
    a20, a21, a22 = X_WA[i, 2, 0], X_WA[i, 2, 1], X_WA[i, 2, 2]
    b00, b01, b02 = X_WB[j, 0, 0], X_WB[j, 0, 1], X_WB[j, 0, 2]
    b10, b11, b12 = X_WB[j, 1, 0], X_WB[j, 1, 1], X_WB[j, 1, 2]
    b20, b21, b22 = X_WB[j, 2, 0], X_WB[j, 2, 1], X_WB[j, 2, 2]
    x, y, z = X_WB[j, 0, 3] - X_WA[i, 0, 3], X_WB[j, 1, 3] - X_WA[i, 1, 3], X_WB[j, 2, 3] - X_WA[i, 2, 3]
    ss = (
        a00 * a00
        + a01 * a01
        + a02 * a02
        + a10 * a10
        + a11 * a11
        + a12 * a12
        + a20 * a20
        + a21 * a21
        + a22 * a22
    ) / 3.0
    # harmless (NEARLY_ORTHONORMAL): a division by 1 changes nothing, and one by nearly 1 is as exact
    if abs(ss - 1.0) > NEARLY_ORTHONORMAL:
        a00, a01, a02 = a00 / ss, a01 / ss, a02 / ss
        a10, a11, a12 = a10 / ss, a11 / ss, a12 / ss
        a20, a21, a22 = a20 / ss, a21 / ss, a22 / ss
    r00, r01, r02 = (
        a00 * b00 + a10 * b10 + a20 * b20,
        a00 * b01 + a10 * b11 + a20 * b21,
        a00 * b02 + a10 * b12 + a20 * b22,
    )
    r10, r11, r12 = (
        a01 * b00 + a11 * b10 + a21 * b20,
        a01 * b01 + a11 * b11 + a21 * b21,
        a01 * b02 + a11 * b12 + a21 * b22,
    )
    r20, r21, r22 = (
        a02 * b00 + a12 * b10 + a22 * b20,
        a02 * b01 + a12 * b11 + a22 * b21,
        a02 * b02 + a12 * b12 + a22 * b22,
    )
    ss = (
        r00 * r00
        + r01 * r01
        + r02 * r02
        + r10 * r10
        + r11 * r11
        + r12 * r12
        + r20 * r20
        + r21 * r21
        + r22 * r22
    ) / 3.0
    return (
        r00, r01, r02, r10, r11, r12, r20, r21, r22,
        a00 * x + a10 * y + a20 * z, a01 * x + a11 * y + a21 * z, a02 * x + a12 * y + a22 * z, ss,
    )  # fmt: skip
