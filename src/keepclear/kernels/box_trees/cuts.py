"""Cuts of the boxes of a tree: tight boxes, trims, slabs and splits of sets of triangles.

Sets are ranges of a list of triangles. Results are passed in one scratch array, W: the box that a node is given, the
tight box of its triangles and the box of their midpoints, all relative to the origin of the surface.
"""

from __future__ import annotations

import math

from keepclear.compiler.kernel import kernel
from keepclear.kernels.tables.surface import ROOT_HALF
from keepclear.kernels.trees.obb_tree import corner

BOX, TIGHT, MIDDLES, SLAB_AT, BINS_AT, STACK_AT = 0, 6, 12, 18, 24, 168  # indices in W
TRIANGLE = 10  # numbers that describe a triangle: box, normal, area
BINS = 16
LEAST_PART = 16  # a side of a split gets at least one triangle in 16, so a path has at most 350 splits
SLAB_STEPS, SLAB_SLOPES = 1 << 21, 511  # offsets and slopes of slabs range from minus to plus this many steps
SLOPE = 1.0 / SLAB_SLOPES


@kernel(inline=True, boundscheck=False)
def slab_unit(S):
    """Return the unit of the offsets of slabs [m]: products are at most the sum of half sizes."""
    return (S[ROOT_HALF] + S[ROOT_HALF + 1] + S[ROOT_HALF + 2]) * (1.0 + 2.0**-20) / SLAB_STEPS


@kernel(boundscheck=False)
def describe(S, T, n, B):
    """Write box, normal (twice its area long) and twice the area of each triangle, in tree coordinates."""
    for t in range(n):
        ax, ay, az = corner(S, T, 3 * t)
        bx, by, bz = corner(S, T, 3 * t + 1)
        cx, cy, cz = corner(S, T, 3 * t + 2)
        q = TRIANGLE * t
        B[q], B[q + 1], B[q + 2] = min(ax, bx, cx), min(ay, by, cy), min(az, bz, cz)
        B[q + 3], B[q + 4], B[q + 5] = max(ax, bx, cx), max(ay, by, cy), max(az, bz, cz)
        bx, by, bz = bx - ax, by - ay, bz - az
        cx, cy, cz = cx - ax, cy - ay, cz - az
        x, y, z = by * cz - bz * cy, bz * cx - bx * cz, bx * cy - by * cx
        B[q + 6], B[q + 7], B[q + 8] = x, y, z
        B[q + 9] = math.sqrt(x * x + y * y + z * z)


@kernel(boundscheck=False)
def measure(B, order, first, last, W):
    """Write the box of triangles first..last-1 to W[TIGHT:], and that of their midpoints, doubled, to W[MIDDLES:]."""
    for k in range(TIGHT, MIDDLES + 6):
        W[k] = math.inf if (k // 3) % 2 == 0 else -math.inf
    for k in range(first, last):
        q = TRIANGLE * order[k]
        for i in range(3):
            lower, upper = B[q + i], B[q + 3 + i]
            W[TIGHT + i] = min(W[TIGHT + i], lower)
            W[TIGHT + 3 + i] = max(W[TIGHT + 3 + i], upper)
            W[MIDDLES + i] = min(W[MIDDLES + i], lower + upper)
            # harmless (max): any split is valid
            W[MIDDLES + 3 + i] = max(W[MIDDLES + 3 + i], lower + upper)


@kernel(boundscheck=False)
def best_trim(W):
    """Return the axis along which a trim saves most area, and the fraction of the area that is left."""
    x, y, z = W[BOX + 3] - W[BOX], W[BOX + 4] - W[BOX + 1], W[BOX + 5] - W[BOX + 2]
    area, axis, least = x * y + y * z + z * x, 0, math.inf
    for k in range(3):
        across = y + z if k == 0 else (z + x if k == 1 else x + y)
        width = x if k == 0 else (y if k == 1 else z)
        left = area - across * (width - (W[TIGHT + 3 + k] - W[TIGHT + k]))
        if left < least:
            axis, least = k, left
    return axis, (least / area if area > 0.0 else 1.0)


@kernel(inline=True, boundscheck=False)
def trim_cuts(W, axis):
    """Return how much the box can be cut along an axis."""
    return W[TIGHT + axis] - W[BOX + axis], W[BOX + 3 + axis] - W[TIGHT + 3 + axis]


@kernel(boundscheck=False)
def fit_slab(S, T, B, order, first, last, agreement, W):
    """Write axis and words of the slab of the triangles first..last-1 to W[SLAB_AT:]; return its fraction of the box.

    Its direction is that of the sum of the normals. The fraction is 2, and nothing is written, if there is no such
    direction or the normals agree too little.
    """
    x, y, z, area = 0.0, 0.0, 0.0, 0.0
    for k in range(first, last):
        q = TRIANGLE * order[k]
        x, y, z = x + B[q + 6], y + B[q + 7], z + B[q + 8]
        area += B[q + 9]
    axis = 0 if abs(x) >= max(abs(y), abs(z)) else (1 if abs(y) >= abs(z) else 2)
    if axis > 0:
        x, y, z = (y, z, x) if axis == 1 else (z, x, y)
    if math.sqrt(x * x + y * y + z * z) < agreement * area or (agreement > 0.0 and not area > 0.0):
        return 2.0
    u, v = 512, 512
    if x != 0.0:
        u, v = u + math.floor(SLAB_SLOPES * (y / x) + 0.5), v + math.floor(SLAB_SLOPES * (z / x) + 0.5)
    y, z = SLOPE * (u - 512), SLOPE * (v - 512)
    nx, ny, nz = (1.0, y, z) if axis == 0 else ((z, 1.0, y) if axis == 1 else (y, z, 1.0))
    lower, upper = math.inf, -math.inf
    for k in range(first, last):
        for i in range(3):
            x, y, z = corner(S, T, 3 * order[k] + i)
            product = nx * x + ny * y + nz * z
            lower, upper = min(lower, product), max(upper, product)
    unit = slab_unit(S)
    steps = 1.0 / unit if unit > 1e-300 else 0.0
    W[SLAB_AT] = axis
    W[SLAB_AT + 1] = ((math.floor(lower * steps) + SLAB_STEPS) << 10) + u
    W[SLAB_AT + 2] = ((math.ceil(upper * steps) + SLAB_STEPS) << 10) + v
    width = abs(nx) * (W[TIGHT + 3] - W[TIGHT]) + abs(ny) * (W[TIGHT + 4] - W[TIGHT + 1])
    width += abs(nz) * (W[TIGHT + 5] - W[TIGHT + 2])
    return (upper - lower) / width if width > 0.0 else 2.0


@kernel(inline=True, boundscheck=False)
def _bin(B, t, axis, start, per_bin, bins):
    """Return the bin of a triangle along an axis."""
    q = TRIANGLE * t + axis
    return min(bins - 1, int((B[q] + B[q + 3] - start) * per_bin))


@kernel(boundscheck=False)
def _fill_bins(B, order, first, last, bins, W):
    """Write for each axis and bin how many triangles have their midpoint there, and their lowest and highest point."""
    for axis in range(3):
        at = BINS_AT + 3 * BINS * axis
        for j in range(bins):
            W[at + 3 * j], W[at + 3 * j + 1], W[at + 3 * j + 2] = 0.0, math.inf, -math.inf
        start = W[MIDDLES + axis]
        spread = W[MIDDLES + 3 + axis] - start
        per_bin = bins / spread if spread > 0.0 else 0.0
        for k in range(first, last):
            q = TRIANGLE * order[k] + axis
            j = at + 3 * _bin(B, order[k], axis, start, per_bin, bins)
            W[j] += 1.0
            W[j + 1], W[j + 2] = min(W[j + 1], B[q]), max(W[j + 2], B[q + 3])


@kernel(boundscheck=False)
def _best_split(W, count, bins):
    """Return axis and bin where the second side begins, and where the two sides end and begin; axis -1: nowhere.

    The cost of a side is the area of its box times its number of triangles; its box differs from the whole in one face
    only.
    """
    least, best, where = math.inf, -1, 0
    # harmless (>=): any split is valid; searches allocate by the depth of the tree
    fewest = count // LEAST_PART + 1 if count >= LEAST_PART else 1
    upper_end, lower_end = 0.0, 0.0
    for axis in range(3):
        at = BINS_AT + 3 * BINS * axis
        i, k = (axis + 1) % 3, (axis + 2) % 3
        y, z = W[BOX + 3 + i] - W[BOX + i], W[BOX + 3 + k] - W[BOX + k]
        for j in range(bins - 2, 0, -1):  # the lowest point of this bin and all after it
            W[at + 3 * j + 1] = min(W[at + 3 * j + 1], W[at + 3 * j + 4])
        left, left_end = 0.0, -math.inf
        for j in range(1, bins):
            left += W[at + 3 * j - 3]
            left_end, right_end = max(left_end, W[at + 3 * j - 1]), W[at + 3 * j + 1]
            if left < fewest or count - left < fewest:
                continue
            cost = left * (y * z + (y + z) * (left_end - W[BOX + axis]))
            cost += (count - left) * (y * z + (y + z) * (W[BOX + 3 + axis] - right_end))
            # harmless (<): any split is valid
            if cost < least:
                least, best, where = cost, axis, j
                upper_end, lower_end = left_end, right_end
    return best, where, upper_end, lower_end


@kernel(boundscheck=False)
def split(B, order, first, last, W):
    """Order the triangles first..last-1 into two sides; return axis, where the second begins, and their two ends."""
    count = last - first
    bins = min(BINS, 2 * count)
    _fill_bins(B, order, first, last, bins, W)
    axis, where, upper_end, lower_end = _best_split(W, count, bins)
    if axis >= 0:
        start = W[MIDDLES + axis]
        per_bin = bins / (W[MIDDLES + 3 + axis] - start)
        i, j = first, last - 1
        while i <= j:
            if _bin(B, order[i], axis, start, per_bin, bins) < where:
                i += 1
            else:
                order[i], order[j] = order[j], order[i]
                j -= 1
        return axis, i, upper_end, lower_end
    # All midpoints, or nearly all, coincide: any halves are valid.
    axis, middle = 0, first + count // 2
    for k in range(1, 3):
        if W[TIGHT + 3 + k] - W[TIGHT + k] > W[TIGHT + 3 + axis] - W[TIGHT + axis]:
            axis = k
    upper_end, lower_end = -math.inf, math.inf
    for k in range(first, last):
        q = TRIANGLE * order[k] + axis
        if k < middle:
            upper_end = max(upper_end, B[q + 3])
        else:
            lower_end = min(lower_end, B[q])
    return axis, middle, upper_end, lower_end
