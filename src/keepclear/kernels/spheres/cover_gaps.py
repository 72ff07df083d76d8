"""How far triangles and boxes reach out of a union of balls, by branch and bound with proved bounds.

g(p) = min over balls of |p - c| - r is how far a point is outside of all balls. For one ball |p - c| - r is convex, so
its greatest value over a triangle or a box is at a corner: U = min over balls of max over corners is an upper bound on
g, and g at a corner is a lower bound on its maximum. A triangle with U <= 0 lies in one ball. Any other is halved at
the middle of its longest edge (docs/theory/sphere-covers).
"""

from __future__ import annotations

import math

from keepclear.compiler.kernel import kernel

BALL = 4  # x, y, z and radius
BLOCK = 16  # triangles for which the near balls are found together
DEPTH = 80  # a triangle is halved this often at most: its edges become 2^-40 of the original ones

# Parameters: greatest distance of the true surface from the triangles [m], the largest coordinate, tolerance of a bound
# where something is outside and where nothing is [m], the smallest area that is halved to find area fractions [m^2],
# the greatest number of triangles to visit.
PAD, LARGEST, TOLERANCE, FINE, LEAST_AREA, BUDGET, NUMBERS = 0, 1, 2, 3, 4, 5, 6
# Output: greatest g found and its point, the upper bound on all g, the area, the area that is certainly outside, the
# area that is neither certainly outside nor certainly inside, triangles visited.
LOWER, WITNESS, UPPER, AREA, AREA_OUTSIDE, AREA_OPEN, VISITED, ROW = 0, 1, 4, 5, 6, 7, 8, 9
# An entry of the stack: nine coordinates, the area, whether it has been counted, which balls are near, the depth.
_AREA, _COUNTED, _FIRST, _LAST, _LEVEL, ENTRY = 9, 10, 11, 12, 13, 14
STACK = ENTRY * (DEPTH + 3)

# A norm of three rounded differences has a relative error of less than 4 units of 2^-53.
UP, DOWN = 1.0 + 2.0**-50, 1.0 - 2.0**-50
UNIT = (
    2.0**-52
)  # more than sqrt(3) units of 2^-53: error of a rounded midpoint relative to the largest coordinate


@kernel(inline=True, boundscheck=False)
def _away(x, y, z, balls, i):
    x, y, z = x - balls[BALL * i], y - balls[BALL * i + 1], z - balls[BALL * i + 2]
    return math.sqrt(x * x + y * y + z * z)


@kernel(inline=True, boundscheck=False)
def _square(S, i, j):
    """Return the squared distance of the corners at S[i:] and S[j:]."""
    x, y, z = S[i] - S[j], S[i + 1] - S[j + 1], S[i + 2] - S[j + 2]
    return x * x + y * y + z * z


@kernel(boundscheck=False)
def _bounds(S, at, balls, near, first, last, pad):
    """Return U, g at the three corners, and a lower bound on g everywhere on the triangle at S[at:].

    The balls are near[first:last]. The ones that matter for some point of the triangle are copied to near[last:]; the
    end of that range is returned last.
    """
    ax, ay, az, bx, by, bz = S[at], S[at + 1], S[at + 2], S[at + 3], S[at + 4], S[at + 5]
    cx, cy, cz = S[at + 6], S[at + 7], S[at + 8]
    mx, my, mz = (ax + bx + cx) / 3.0, (ay + by + cy) / 3.0, (az + bz + cz) / 3.0
    upper = ga = gb = gc = least = math.inf
    for k in range(first, last):
        i = near[k]
        r = balls[BALL * i + 3]
        a, b, c = _away(ax, ay, az, balls, i), _away(bx, by, bz, balls, i), _away(cx, cy, cz, balls, i)
        m = _away(mx, my, mz, balls, i)
        ga, gb, gc = (
            min(ga, (a * DOWN - pad) - r),
            min(gb, (b * DOWN - pad) - r),
            min(gc, (c * DOWN - pad) - r),
        )
        upper = min(upper, (max(a, b, c) * UP + pad) - r)
        least = min(least, m * DOWN - r)
    x, y, z = ax - mx, ay - my, az - mz
    across = x * x + y * y + z * z
    x, y, z = bx - mx, by - my, bz - mz
    across = max(across, x * x + y * y + z * z)
    x, y, z = cx - mx, cy - my, cz - mz
    # harmless (UP): where least exceeds it, DOWN leaves 4 units of m, which is not smaller
    across = math.sqrt(max(across, x * x + y * y + z * z)) * UP + 2.0 * pad
    kept = last
    for k in range(first, last):
        i = near[k]
        r = balls[BALL * i + 3]
        # The terms with 1.001 and 1e-12 absorb the rounding of this comparison itself.
        # harmless (DOWN): 1e-12 absorbs it; only a ball that is nearest to a corner is needed
        # harmless (1e-12 * (abs(upper) + r)): outside DOWN absorbs it, inside only the upper bound gets larger
        if _away(mx, my, mz, balls, i) * DOWN - 1.001 * across - r <= upper + 1e-12 * (abs(upper) + r):
            near[kept] = i
            kept += 1
    return upper, ga, gb, gc, least - across, kept


@kernel(boundscheck=False)
def _near_block(V, T, first, last, balls, pad, near):
    """Write to near[0:] the balls that matter for a point of triangles first, ..., last - 1; return their number.

    The rule is that of `_bounds`, for a ball around all corners instead of one around a triangle.
    """
    x0 = y0 = z0 = math.inf
    x1 = y1 = z1 = -math.inf
    for k in range(3 * first, 3 * last):
        v = 3 * T[k]
        x0, y0, z0 = min(x0, V[v]), min(y0, V[v + 1]), min(z0, V[v + 2])
        x1, y1, z1 = max(x1, V[v]), max(y1, V[v + 1]), max(z1, V[v + 2])
    x, y, z = 0.5 * (x0 + x1), 0.5 * (y0 + y1), 0.5 * (z0 + z1)
    across = 0.0
    for k in range(3 * first, 3 * last):
        v = 3 * T[k]
        dx, dy, dz = V[v] - x, V[v + 1] - y, V[v + 2] - z
        across = max(across, dx * dx + dy * dy + dz * dz)
    # harmless (UP): 1.001 absorbs it
    # harmless (2.0 * pad): the balls that are nearest to corners decide all bounds, and corners have no pad
    across = math.sqrt(across) * UP + 2.0 * pad
    upper, kept = math.inf, 0
    for i in range(balls.shape[0] // BALL):
        # harmless (min): more balls are kept
        # harmless (UP): 1e-12 absorbs it
        upper = min(upper, _away(x, y, z, balls, i) * UP - balls[BALL * i + 3])
    upper += 1.001 * across
    for i in range(balls.shape[0] // BALL):
        r = balls[BALL * i + 3]
        # harmless (DOWN): 1e-12 absorbs it
        # harmless (1e-12 * (abs(upper) + r)): outside DOWN absorbs it, inside only the upper bound gets larger
        if _away(x, y, z, balls, i) * DOWN - 1.001 * across - r <= upper + 1e-12 * (abs(upper) + r):
            near[kept] = i
            kept += 1
    return kept


@kernel(boundscheck=False)
def _halve(S, at, area, counted, first, last, level):
    """Replace the triangle at S[at:] by its two halves, at S[at:] and after it."""
    ab, bc, ca = _square(S, at, at + 3), _square(S, at + 3, at + 6), _square(S, at + 6, at)
    p, q = 0, 3
    if bc >= ab and bc >= ca:
        p, q = 3, 6
    elif ca >= ab:
        p, q = 6, 0
    to = at + ENTRY
    for k in range(9):
        S[to + k] = S[at + k]
    for k in range(3):
        middle = 0.5 * (S[at + p + k] + S[at + q + k])
        S[at + p + k] = middle
        S[to + q + k] = middle
    for start in (at, to):
        S[start + _AREA], S[start + _COUNTED], S[start + _LEVEL] = 0.5 * area, counted, level + 1.0
        S[start + _FIRST], S[start + _LAST] = first, last


@kernel(
    "int64(float64[::1], int32[::1], float64[::1], float64[::1], int32[::1], float64[::1], float64[::1],"
    " float64[::1])",
    boundscheck=False,
)
def surface_gaps(V, T, balls, numbers, near, S, row, found):
    """Bound the greatest g over triangles, and the area that is outside; return how many points were found outside.

    When the budget ends, triangles are no longer halved, and bounds stay valid.

    Args:
        V, T: Vertices, and corners of the triangles.
        balls: BALL numbers each.
        numbers: See above.
        near: Scratch, (DEPTH + 3) entries for each ball.
        S: Scratch of STACK numbers.
        row: ROW numbers; LOWER, UPPER, and areas are continued.
        found: The point of each triangle that was found farthest outside, three numbers each, as many as there is space
            for; without space triangles that are not the worst are halved less often.
    """
    n_found = n_near = 0
    n = T.shape[0] // 3
    step = UNIT * numbers[LARGEST]
    for t in range(n):
        if t % BLOCK == 0:
            # harmless (numbers[PAD]): the balls that are nearest to corners decide all bounds, and corners have no pad
            n_near = _near_block(V, T, t, min(t + BLOCK, n), balls, numbers[PAD] + DEPTH * step, near)
        for j in range(3):
            for k in range(3):
                S[3 * j + k] = V[3 * T[3 * t + j] + k]
        ux, uy, uz, vx, vy, vz = S[3] - S[0], S[4] - S[1], S[5] - S[2], S[6] - S[0], S[7] - S[1], S[8] - S[2]
        x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
        S[_AREA], S[_COUNTED], S[_FIRST], S[_LAST], S[_LEVEL] = (
            0.5 * math.sqrt(x * x + y * y + z * z),
            0.0,
            0,
            n_near,
            0.0,
        )
        row[AREA] += S[_AREA]
        depth, farthest, fx, fy, fz = 1, 0.0, 0.0, 0.0, 0.0
        while depth > 0:
            depth -= 1
            at = ENTRY * depth
            row[VISITED] += 1.0
            area, counted, level = S[at + _AREA], S[at + _COUNTED], S[at + _LEVEL]
            last = int(S[at + _LAST])
            pad = numbers[PAD] + level * step
            upper, ga, gb, gc, least, kept = _bounds(S, at, balls, near, int(S[at + _FIRST]), last, pad)
            for j in range(3):
                g = (ga, gb, gc)[j]
                if g > farthest:
                    farthest, fx, fy, fz = g, S[at + 3 * j], S[at + 3 * j + 1], S[at + 3 * j + 2]
                if g > row[LOWER]:
                    row[LOWER] = g
                    for k in range(3):
                        row[WITNESS + k] = S[at + 3 * j + k]
            if upper <= 0.0:
                row[UPPER] = max(row[UPPER], upper)
                continue
            if counted == 0.0 and least > 0.0:
                row[AREA_OUTSIDE] += area
                counted = 1.0
            known = farthest if found.shape[0] > 0 else row[LOWER]
            enough = known + numbers[TOLERANCE] if known > 0.0 else numbers[FINE]
            is_open = counted == 0.0 and area > numbers[LEAST_AREA]
            if (is_open or upper > enough) and level < DEPTH and row[VISITED] < numbers[BUDGET]:
                _halve(S, at, area, counted, last, kept, level)
                depth += 2
                continue
            row[UPPER] = max(row[UPPER], upper)
            if counted == 0.0:
                row[AREA_OPEN] += area
        if farthest > 0.0 and 3 * n_found + 2 < found.shape[0]:
            found[3 * n_found], found[3 * n_found + 1], found[3 * n_found + 2] = fx, fy, fz
            n_found += 1
    return n_found


@kernel(
    "int64(float64[::1], int32[::1], float64[::1], float64[::1], int32[::1], float64[::1], float64[::1])",
    boundscheck=False,
)
def patch_gaps(V, T, balls, pads, near, upper, lower):
    """Write an upper bound of g over each patch of a surface, and a lower bound of its maximum; return 0.

    Args:
        V, T: Corners of patches, which are points of the surface, and their numbers, three for each patch.
        balls: BALL numbers each.
        pads: How far each patch may be from the triangle of its corners [m].
        near: Scratch, two entries for each ball.
        upper, lower: One number for each patch.
    """
    n, n_near, most = pads.shape[0], 0, 0.0
    for t in range(n):
        # harmless (max): the pad of a block only keeps more balls than corners need
        # harmless (pads[t]): likewise
        most = max(most, pads[t])
    for t in range(n):
        if t % BLOCK == 0:
            n_near = _near_block(V, T, t, min(t + BLOCK, n), balls, most, near)
        u, ga, gb, gc, _, _ = _bounds(V, 9 * t, balls, near, 0, n_near, pads[t])
        upper[t], lower[t] = u, max(ga, gb, gc)
    return 0


@kernel("int64(float64[::1], float64[::1], float64[::1], float64[::1])", boundscheck=False)
def box_gaps(boxes, balls, upper, middle):
    """Write for each box an upper bound on g over it, and a lower bound on g at its centre; return 0.

    Args:
        boxes: Centre and half sizes, six numbers each.
        balls: BALL numbers each.
        upper, middle: One number for each box.
    """
    for b in range(upper.shape[0]):
        x, y, z = boxes[6 * b], boxes[6 * b + 1], boxes[6 * b + 2]
        hx, hy, hz = boxes[6 * b + 3], boxes[6 * b + 4], boxes[6 * b + 5]
        most = least = math.inf
        for i in range(balls.shape[0] // BALL):
            dx, dy, dz = abs(x - balls[BALL * i]), abs(y - balls[BALL * i + 1]), abs(z - balls[BALL * i + 2])
            r = balls[BALL * i + 3]
            least = min(least, math.sqrt(dx * dx + dy * dy + dz * dz) * DOWN - r)
            dx, dy, dz = dx + hx, dy + hy, dz + hz
            most = min(most, math.sqrt(dx * dx + dy * dy + dz * dz) * UP - r)
        upper[b], middle[b] = most, least
    return 0
