"""How well balls around centres contain points, and where centres should move to contain the remaining points.

A ball around a centre that is s outside of the body (negative inside) may have the radius e - s for an excess of e: its
value at a point p is |p - c| + s, and p is contained if the least value of all balls is at most e.
"""

from __future__ import annotations

import math

from keepclear.kernels._compile import kernel

# A centre: x, y, z, s, and the gradient of s.
CENTER = 7
# Row of a ball: the sum of the weights of its points, of their subgradients with these weights, the greatest of their
# values.
WEIGHT, PULL, WORST, ROW = 0, 1, 4, 5

STEP, LEAST_SQUARE = 0.7, 0.05  # fraction of Polyak's step, and limit below which pulls cancel each other


@kernel(
    "float64(float64[::1], float64[::1], float64, float64, float64[::1], int32[::1], float64[::1])",
    boundscheck=False,
)
def assign(points, centers, limit, margin, rows, owner, values):
    """Write the ball with the least value of each point, that value, and the sums for each ball; return the greatest.

    Args:
        points: Three coordinates each.
        centers: CENTER numbers each.
        limit: The greatest value that is allowed.
        margin: Points with values above limit - margin pull at their ball, with the excess over it as weight.
        rows: ROW numbers for each centre.
        owner: One number for each point; a ball that was near before is tried first.
        values: One number for each point.
    """
    n = centers.shape[0] // CENTER
    for k in range(rows.shape[0]):
        rows[k] = 0.0
    for j in range(n):
        rows[ROW * j + WORST] = -math.inf
    greatest = -math.inf
    for i in range(owner.shape[0]):
        x, y, z = points[3 * i], points[3 * i + 1], points[3 * i + 2]
        found = owner[i]
        a = CENTER * found
        dx, dy, dz = x - centers[a], y - centers[a + 1], z - centers[a + 2]
        best = math.sqrt(dx * dx + dy * dy + dz * dz) + centers[a + 3]
        for j in range(n):
            a = CENTER * j
            near = best - centers[a + 3]
            dx, dy, dz = x - centers[a], y - centers[a + 1], z - centers[a + 2]
            square = dx * dx + dy * dy + dz * dz
            if near > 0.0 and square < near * near:
                best, found = math.sqrt(square) + centers[a + 3], j
        owner[i], values[i] = found, best
        greatest = max(greatest, best)
        r, a = ROW * found, CENTER * found
        rows[r + WORST] = max(rows[r + WORST], best)
        weight = best - (limit - margin)
        if weight > 0.0:
            dx, dy, dz = centers[a] - x, centers[a + 1] - y, centers[a + 2] - z
            length = math.sqrt(dx * dx + dy * dy + dz * dz)
            if length > 0.0:
                dx, dy, dz = dx / length, dy / length, dz / length
            rows[r + WEIGHT] += weight
            rows[r + PULL] += weight * (dx + centers[a + 4])
            rows[r + PULL + 1] += weight * (dy + centers[a + 5])
            rows[r + PULL + 2] += weight * (dz + centers[a + 6])
    return greatest


@kernel("void(float64[::1], float64[::1], float64, float64, float64, float64[::1])", boundscheck=False)
def move(centers, rows, limit, margin, longest, moved):
    """Write the new positions of centres that have points of a value greater than limit - margin.

    The step is Polyak's for the greatest value of the ball, along the mean of the subgradients of its points.

    Args:
        centers, rows: As filled by `assign`.
        limit, margin: As for `assign`.
        longest: No centre moves farther than this.
        moved: Three coordinates each.
    """
    for j in range(centers.shape[0] // CENTER):
        a, r = CENTER * j, ROW * j
        x = y = z = 0.0
        if rows[r + WEIGHT] > 0.0:
            x, y, z = (
                rows[r + PULL] / rows[r + WEIGHT],
                rows[r + PULL + 1] / rows[r + WEIGHT],
                rows[r + PULL + 2] / rows[r + WEIGHT],
            )
            square = x * x + y * y + z * z
            step = STEP * (rows[r + WORST] - (limit - margin)) / max(square, LEAST_SQUARE)
            length = step * math.sqrt(square)
            if length > longest:
                step *= longest / length
            x, y, z = x * step, y * step, z * step
        moved[3 * j], moved[3 * j + 1], moved[3 * j + 2] = (
            centers[a] - x,
            centers[a + 1] - y,
            centers[a + 2] - z,
        )


@kernel("void(float64[::1], float64[::1], float64, int32[::1])", boundscheck=False)
def held_alone(points, centers, limit, counts):
    """Count for each ball the points that no other ball contains.

    Args:
        points, centers: As for `assign`.
        limit: The greatest value of a point that is contained.
        counts: One number for each centre.
    """
    n = counts.shape[0]
    for j in range(n):
        counts[j] = 0
    for i in range(points.shape[0] // 3):
        x, y, z = points[3 * i], points[3 * i + 1], points[3 * i + 2]
        holders, last = 0, 0
        for j in range(n):
            a = CENTER * j
            dx, dy, dz = x - centers[a], y - centers[a + 1], z - centers[a + 2]
            near = limit - centers[a + 3]
            if near > 0.0 and dx * dx + dy * dy + dz * dz <= near * near:
                holders += 1
                last = j
                if holders > 1:
                    break
        if holders == 1:
            counts[last] += 1
