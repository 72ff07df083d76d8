"""How well balls around centres contain points, and where centres should move to contain the remaining points.

A ball around a centre that is s outside of the body (negative inside) may have the radius e - s for an excess of e: its
value at a point p is |p - c| + s, and p is contained if the least value of all balls is at most e.
"""

from __future__ import annotations

import math

from keepclear.compiler.kernel import kernel

# A centre: x, y, z, s, and the gradient of s.
CENTER = 7
# Row of a ball: the sum of the weights of its points, of their subgradients with these weights, the greatest of their
# values.
WEIGHT, PULL, WORST, ROW = 0, 1, 4, 5

BLOCK = 32  # points that are compared with balls together, before each is compared with the remaining ones
STEP, LEAST_SQUARE = 0.7, 0.05  # fraction of Polyak's step, and limit below which pulls cancel each other


@kernel(boundscheck=False)
def _around(points, first, last):
    """Return a ball around points first, ..., last - 1."""
    x0 = y0 = z0 = math.inf
    x1 = y1 = z1 = -math.inf
    for i in range(first, last):
        x0, x1 = min(x0, points[3 * i]), max(x1, points[3 * i])
        y0, y1 = min(y0, points[3 * i + 1]), max(y1, points[3 * i + 1])
        z0, z1 = min(z0, points[3 * i + 2]), max(z1, points[3 * i + 2])
    x, y, z = 0.5 * (x0 + x1), 0.5 * (y0 + y1), 0.5 * (z0 + z1)
    square = 0.0
    for i in range(first, last):
        dx, dy, dz = points[3 * i] - x, points[3 * i + 1] - y, points[3 * i + 2] - z
        square = max(square, dx * dx + dy * dy + dz * dz)
    # harmless (1e-12): it decides where centres are tried; `cover_gaps` measures what they cover
    return x, y, z, math.sqrt(square) * (1.0 + 1e-12)


@kernel(boundscheck=False)
def _candidates(centers, x, y, z, radius, limit, near, reach):
    """Write the balls that can have the least value of a point within the radius, or one of at most the limit.

    The value of a ball differs by at most the distance of two points, so a ball is neither if its value in the middle
    exceeds the least one by more than twice the radius.
    """
    n, least = centers.shape[0] // CENTER, math.inf
    for j in range(n):
        a = CENTER * j
        dx, dy, dz = x - centers[a], y - centers[a + 1], z - centers[a + 2]
        reach[j] = math.sqrt(dx * dx + dy * dy + dz * dz) + centers[a + 3] - radius
        # harmless (min): it decides where centres are tried; `cover_gaps` measures what they cover
        # harmless (reach[j]): likewise
        least = min(least, reach[j])
    # harmless (max): it decides where centres are tried; `cover_gaps` measures what they cover
    most, count = max(least + 2.0 * radius, limit), 0
    # harmless (1e-12 * abs(most)): it decides where centres are tried; `cover_gaps` measures what they cover
    most += 1e-12 * abs(most)
    for j in range(n):
        # harmless (reach[j]): it decides where centres are tried; `cover_gaps` measures what they cover
        # harmless (<=): likewise
        if reach[j] <= most:
            near[count] = j
            count += 1
    return count


@kernel(
    "float64(float64[::1], float64[::1], float64, float64, float64[::1], float64[::1], int32[::1], float64[::1])",
    boundscheck=False,
)
def assign(points, centers, limit, margin, rows, values, near, reach):
    """Write the least value of each point, and the sums for the ball that has it; return the greatest value.

    Points are compared with balls in blocks: the order of the points should follow their positions.

    Args:
        points: Three coordinates each.
        centers: CENTER numbers each.
        limit: The greatest value that is allowed.
        margin: Points with values above limit - margin pull at their ball, with the excess over it as weight.
        rows: ROW numbers for each centre.
        values: One number for each point.
        near, reach: Scratch, one number for each centre.
    """
    for k in range(rows.shape[0]):
        rows[k] = 0.0
    for j in range(centers.shape[0] // CENTER):
        rows[ROW * j + WORST] = -math.inf
    greatest, count = -math.inf, 0
    for i in range(values.shape[0]):
        if i % BLOCK == 0:
            bx, by, bz, radius = _around(points, i, min(i + BLOCK, values.shape[0]))
            # harmless (reach): scratch
            count = _candidates(centers, bx, by, bz, radius, -math.inf, near, reach)
        x, y, z = points[3 * i], points[3 * i + 1], points[3 * i + 2]
        best, found = math.inf, near[0]
        for k in range(count):
            a = CENTER * near[k]
            s = best - centers[a + 3]
            dx, dy, dz = x - centers[a], y - centers[a + 1], z - centers[a + 2]
            square = dx * dx + dy * dy + dz * dz
            if s > 0.0 and square < s * s:
                best, found = math.sqrt(square) + centers[a + 3], near[k]
        values[i] = best
        greatest = max(greatest, best)
        r, a = ROW * found, CENTER * found
        rows[r + WORST] = max(rows[r + WORST], best)
        # harmless (margin): it decides where centres are tried; `cover_gaps` measures what they cover
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
            # harmless (margin): it decides where centres are tried; `cover_gaps` measures what they cover
            # harmless (max): likewise
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


@kernel("void(float64[::1], float64[::1], float64, int32[::1], int32[::1], float64[::1])", boundscheck=False)
def held_alone(points, centers, limit, counts, near, reach):
    """Count for each ball the points that no other ball contains.

    Args:
        points, centers, near, reach: As for `assign`.
        limit: The greatest value of a point that is contained.
        counts: One number for each centre.
    """
    n, n_near = points.shape[0] // 3, 0
    for j in range(counts.shape[0]):
        counts[j] = 0
    for i in range(n):
        if i % BLOCK == 0:
            bx, by, bz, radius = _around(points, i, min(i + BLOCK, n))
            # harmless (reach): scratch
            n_near = _candidates(centers, bx, by, bz, radius, limit, near, reach)
        x, y, z = points[3 * i], points[3 * i + 1], points[3 * i + 2]
        holders, last = 0, 0
        for k in range(n_near):
            a = CENTER * near[k]
            dx, dy, dz = x - centers[a], y - centers[a + 1], z - centers[a + 2]
            s = limit - centers[a + 3]
            if s > 0.0 and dx * dx + dy * dy + dz * dz <= s * s:
                holders += 1
                last = near[k]
                if holders > 1:
                    break
        if holders == 1:
            counts[last] += 1


@kernel("void(float64[::1], float64[::1])", boundscheck=False)
def blocks_of(points, blocks):
    """Write a ball around each block of points: centre and radius."""
    n = points.shape[0] // 3
    for b in range(blocks.shape[0] // 4):
        x, y, z, radius = _around(points, BLOCK * b, min(BLOCK * b + BLOCK, n))
        blocks[4 * b], blocks[4 * b + 1], blocks[4 * b + 2], blocks[4 * b + 3] = x, y, z, radius


@kernel(
    "int64(float64[::1], float64[::1], uint8[::1], float64, float64, float64, float64, boolean)",
    boundscheck=False,
)
def held(points, blocks, is_left, x, y, z, radius, take):
    """Return how many of the points that are left a ball contains; with `take` they are no longer left."""
    n, count = is_left.shape[0], 0
    for b in range(blocks.shape[0] // 4):
        dx, dy, dz = blocks[4 * b] - x, blocks[4 * b + 1] - y, blocks[4 * b + 2] - z
        near = radius + blocks[4 * b + 3]
        if dx * dx + dy * dy + dz * dz > near * near:
            continue
        for i in range(BLOCK * b, min(BLOCK * b + BLOCK, n)):
            dx, dy, dz = points[3 * i] - x, points[3 * i + 1] - y, points[3 * i + 2] - z
            if is_left[i] != 0 and dx * dx + dy * dy + dz * dz <= radius * radius:
                count += 1
                if take:
                    is_left[i] = 0
    return count
