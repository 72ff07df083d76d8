"""Upper bounds on how far points are outside of a hull, by the triangles above them.

See `geometry/shapes/hull_witness.py`.
"""

from __future__ import annotations

import math

from keepclear.compiler.kernel import kernel


@kernel(inline=True, boundscheck=False)
def _rest(C, t, x, y, z, a, b, c):
    """Return a point less the combination of three corners with weights, none negative and at most 1 in sum."""
    a, b, c = max(a, 0.0), max(b, 0.0), max(c, 0.0)
    total = a + b + c
    if total > 1.0:
        a, b, c = a / total, b / total, c / total
    return (
        x - (a * C[t, 0] + b * C[t, 3] + c * C[t, 6]),
        y - (a * C[t, 1] + b * C[t, 4] + c * C[t, 7]),
        z - (a * C[t, 2] + b * C[t, 5] + c * C[t, 8]),
    )


@kernel(inline=True, boundscheck=False)
def _weights(H, t, x, y, z):
    """Return the weights of the three corners of a triangle that combine to a point, up to rounding."""
    return (
        H[t, 0] * x + H[t, 1] * y + H[t, 2] * z,
        H[t, 3] * x + H[t, 4] * y + H[t, 5] * z,
        H[t, 6] * x + H[t, 7] * y + H[t, 8] * z,
    )


@kernel(
    "void(float64[:,::1], int32[::1], float64[::1], float64[:,::1], float64[:,::1], float64, float64[::1])"
)
def bound_outside(points, witness, middle, H, C, enough, out):
    """Write how far each point is from a combination of the corners of its triangle and the middle; inf if unknown.

    Args:
        points: (n, 3).
        witness: (n,) a triangle for each, in range.
        middle: (3,) a point of the hull.
        H: (m, 9) for each triangle three rows whose products with an offset from the middle are the weights.
        C: (m, 9) its corners relative to the middle.
        enough: A distance that is not refined.
        out: (n,) the result.
    """
    for k in range(points.shape[0]):
        t = witness[k]
        x, y, z = points[k, 0] - middle[0], points[k, 1] - middle[1], points[k, 2] - middle[2]
        a, b, c = _weights(H, t, x, y, z)
        u, v, w = _rest(C, t, x, y, z, a, b, c)
        found = math.sqrt(u * u + v * v + w * w)
        if not found <= enough:  # a sliver: the residual is distributed again
            u, v, w = (
                x - (a * C[t, 0] + b * C[t, 3] + c * C[t, 6]),
                y - (a * C[t, 1] + b * C[t, 4] + c * C[t, 7]),
                z - (a * C[t, 2] + b * C[t, 5] + c * C[t, 8]),
            )
            da, db, dc = _weights(H, t, u, v, w)
            u, v, w = _rest(C, t, x, y, z, a + da, b + db, c + dc)
            again = math.sqrt(u * u + v * v + w * w)
            if again < found or not found < math.inf:
                found = again
        out[k] = found if found < math.inf else math.inf
