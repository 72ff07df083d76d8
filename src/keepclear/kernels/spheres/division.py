"""Test whether the surface of a shape passes through an axis-aligned box; never a false No, rounding included."""

from __future__ import annotations

import math

from keepclear.compiler.kernel import kernel

# Kinds of surface: triangles, or that of a solid given by up to three lengths.
TRIANGLES, BALL, BOX, CAPSULE, CYLINDER, ELLIPSOID = 0, 1, 2, 3, 4, 5

# Sums of three squares of quotients have relative errors of at most 6 units of 2^-53; the limit is 1 within this.
INNER, OUTER = 1.0 - 2.0**-49, 1.0 + 2.0**-49
# Products that leave the range of double have absolute errors of less than this.
TINY = 1e-300


@kernel(inline=True, boundscheck=False)
def _separates(x, y, z, ax, ay, az, bx, by, bz, cx, cy, cz, hx, hy, hz):
    """Return whether the direction (x, y, z) separates the triangle a, b, c from the box of half sizes h around 0."""
    p, q, r = x * ax + y * ay + z * az, x * bx + y * by + z * bz, x * cx + y * cy + z * cz
    reach = abs(x) * hx + abs(y) * hy + abs(z) * hz + TINY
    return min(p, q, r) > reach or max(p, q, r) < -reach


@kernel(boundscheck=False)
def triangle_passes(V, a, b, c, x0, y0, z0, x1, y1, z1, pad):
    """Return whether the triangle of vertices a, b, c may touch the closed box from (x0, y0, z0) to (x1, y1, z1).

    Any direction along which the two do not overlap proves that they are separate, even if the direction was rounded;
    so only the projections need an allowance. Coordinates up to M have errors of u |v| after the subtraction of the
    centre, sums of three products of 3 u of the terms, in total less than 16 u M per unit of |x| + |y| + |z|: `pad`, at
    least 64 u M, is added to the half sizes. The directions are those of the separating axis theorem: the faces of the
    box, the normal, and the nine products of edges.
    """
    mx, my, mz = 0.5 * (x0 + x1), 0.5 * (y0 + y1), 0.5 * (z0 + z1)
    hx, hy, hz = max(x1 - mx, mx - x0) + pad, max(y1 - my, my - y0) + pad, max(z1 - mz, mz - z0) + pad
    ax, ay, az = V[3 * a] - mx, V[3 * a + 1] - my, V[3 * a + 2] - mz
    bx, by, bz = V[3 * b] - mx, V[3 * b + 1] - my, V[3 * b + 2] - mz
    cx, cy, cz = V[3 * c] - mx, V[3 * c + 1] - my, V[3 * c + 2] - mz
    if min(ax, bx, cx) > hx or max(ax, bx, cx) < -hx:
        return False
    if min(ay, by, cy) > hy or max(ay, by, cy) < -hy:
        return False
    if min(az, bz, cz) > hz or max(az, bz, cz) < -hz:
        return False
    ux, uy, uz = bx - ax, by - ay, bz - az
    vx, vy, vz = cx - bx, cy - by, cz - bz
    x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    if _separates(x, y, z, ax, ay, az, bx, by, bz, cx, cy, cz, hx, hy, hz):
        return False
    for k in range(3):
        if k == 1:
            ux, uy, uz = vx, vy, vz
        elif k == 2:
            ux, uy, uz = ax - cx, ay - cy, az - cz
        if (
            _separates(0.0, -uz, uy, ax, ay, az, bx, by, bz, cx, cy, cz, hx, hy, hz)
            or _separates(uz, 0.0, -ux, ax, ay, az, bx, by, bz, cx, cy, cz, hx, hy, hz)
            or _separates(-uy, ux, 0.0, ax, ay, az, bx, by, bz, cx, cy, cz, hx, hy, hz)
        ):
            return False
    return True


@kernel(inline=True, boundscheck=False)
def _nearest(lower, upper):
    """Return the least |x| for x from lower to upper."""
    return max(lower, -upper, 0.0)


@kernel(boundscheck=False)
def solid_passes(kind, p, q, r, x0, y0, z0, x1, y1, z1):
    """Return whether the surface of a solid of a `kind` may touch a closed box: part of the box is inside, part is not.

    All solids are symmetric and separable: the least and the greatest value of their function over a box come from the
    least and the greatest |x|, |y| and |z|. Differences of doubles have relative errors of one unit, so relative
    allowances suffice.

    Args:
        kind: BALL (radius p), BOX (half sizes p, q, r), CAPSULE and CYLINDER (radius p, half length r), ELLIPSOID
            (radii p, q, r).
        p, q, r: Its lengths.
        x0, y0, z0, x1, y1, z1: The box.
    """
    ax, ay, az = _nearest(x0, x1), _nearest(y0, y1), _nearest(z0, z1)
    bx, by, bz = max(-x0, x1), max(-y0, y1), max(-z0, z1)
    if kind == BOX:
        return ax <= p and ay <= q and az <= r and (bx >= p or by >= q or bz >= r)
    if kind == CYLINDER:
        if az > r or (ax / p) * (ax / p) + (ay / p) * (ay / p) > OUTER:
            return False
        return bz >= r or (bx / p) * (bx / p) + (by / p) * (by / p) >= INNER
    if kind != BALL and kind != CAPSULE and kind != ELLIPSOID:
        raise ValueError("the number of a solid has no test of cells")
    if kind == CAPSULE:
        az, bz = max(az - r, 0.0), max(bz - r, 0.0)
    if kind != ELLIPSOID:
        q = r = p
    near = (ax / p) * (ax / p) + (ay / q) * (ay / q) + (az / r) * (az / r)
    far = (bx / p) * (bx / p) + (by / q) * (by / q) + (bz / r) * (bz / r)
    return near <= OUTER and far >= INNER


# Counts of a division: cells that stay, their triangles in total, and the most pairs of a cell and a triangle for one
# parent.
CELLS, PAIRS, MOST_PAIRS, COUNTS = 0, 1, 2, 3
# Sphere: centre and radius.
SPHERE = 4
# A length that exceeds an integer number of edges by less than this fraction of an edge needs no further cube.
FLUSH = 1e-9


@kernel(inline=True, boundscheck=False)
def divisions(length, edge):
    """Return how many cubes of an edge divide a length."""
    # harmless (FLUSH): one cube more divides the length too
    return max(1, math.ceil(length / edge - FLUSH))


@kernel(inline=True, boundscheck=False)
def cut(lower, upper, width, m, i):
    """Return where cell i of m begins; neighbours get the same number, so there is no gap between them."""
    if i == m:
        return upper
    return min(lower + i * width, upper)


@kernel(inline=True, boundscheck=False)
def center(lower, upper, width, m, i, even):
    """Return the centre of cube i: of its cell if cells are equal or there is only one, else of the whole cube."""
    if even or m == 1:
        return 0.5 * (cut(lower, upper, width, m, i) + cut(lower, upper, width, m, i + 1))
    if i == m - 1:
        return upper - 0.5 * width
    return lower + (i + 0.5) * width


@kernel(inline=True, boundscheck=False)
def first_cell(lower, upper, width, m, x):
    """Return the first of m cells that reaches x or more; m - 1 if none does."""
    i = min(max(int((x - lower) / width), 0), m - 1) if width > 0.0 else 0
    while i > 0 and cut(lower, upper, width, m, i) >= x:
        i -= 1
    while i < m - 1 and cut(lower, upper, width, m, i + 1) < x:
        i += 1
    return i


@kernel(inline=True, boundscheck=False)
def last_cell(lower, upper, width, m, x):
    """Return the last of m cells that begins at x or before; 0 if none does."""
    i = min(max(int((x - lower) / width), 0), m - 1) if width > 0.0 else m - 1
    while i < m - 1 and cut(lower, upper, width, m, i + 1) <= x:
        i += 1
    while i > 0 and cut(lower, upper, width, m, i) > x:
        i -= 1
    return i


@kernel(inline=True, boundscheck=False)
def grid_of(x0, y0, z0, x1, y1, z1, edge, even):
    """Return into how many cells a box is divided along each axis, and their widths."""
    nx, ny, nz = divisions(x1 - x0, edge), divisions(y1 - y0, edge), divisions(z1 - z0, edge)
    wx, wy, wz = (x1 - x0) / nx, (y1 - y0) / ny, (z1 - z0) / nz
    if not even:
        wx, wy, wz = max(wx, edge), max(wy, edge), max(wz, edge)
    return nx, ny, nz, wx, wy, wz


@kernel(boundscheck=False)
def _mark_triangle(V, T, t, box, shape, pad, grid, pairs, n_pairs):
    """Count a triangle in every cell that it passes through; return the number of pairs, stored if there is space.

    The cells that its own box overlaps are tested one by one.
    """
    x0, y0, z0, x1, y1, z1 = box
    nx, ny, nz, wx, wy, wz = shape
    a, b, c = T[3 * t], T[3 * t + 1], T[3 * t + 2]
    i0 = first_cell(x0, x1, wx, nx, min(V[3 * a], V[3 * b], V[3 * c]) - pad)
    i1 = last_cell(x0, x1, wx, nx, max(V[3 * a], V[3 * b], V[3 * c]) + pad)
    j0 = first_cell(y0, y1, wy, ny, min(V[3 * a + 1], V[3 * b + 1], V[3 * c + 1]) - pad)
    j1 = last_cell(y0, y1, wy, ny, max(V[3 * a + 1], V[3 * b + 1], V[3 * c + 1]) + pad)
    k0 = first_cell(z0, z1, wz, nz, min(V[3 * a + 2], V[3 * b + 2], V[3 * c + 2]) - pad)
    k1 = last_cell(z0, z1, wz, nz, max(V[3 * a + 2], V[3 * b + 2], V[3 * c + 2]) + pad)
    for i in range(i0, i1 + 1):
        u0, u1 = cut(x0, x1, wx, nx, i), cut(x0, x1, wx, nx, i + 1)
        for j in range(j0, j1 + 1):
            v0, v1 = cut(y0, y1, wy, ny, j), cut(y0, y1, wy, ny, j + 1)
            for k in range(k0, k1 + 1):
                w0, w1 = cut(z0, z1, wz, nz, k), cut(z0, z1, wz, nz, k + 1)
                if triangle_passes(V, a, b, c, u0, v0, w0, u1, v1, w1, pad):
                    cell = (i * ny + j) * nz + k
                    grid[cell] += 1
                    if 2 * n_pairs + 1 < pairs.shape[0]:
                        pairs[2 * n_pairs], pairs[2 * n_pairs + 1] = cell, t
                    n_pairs += 1
    return n_pairs


@kernel(
    "int64(int64, float64[::1], int32[::1], float64[:,::1], int64[::1], int32[::1], float64[::1], boolean, int32[::1],"
    " int32[::1], int64[::1], float64[:,::1], float64[:,::1], int32[::1], int64[::1], int32[::1])",
    boundscheck=False,
)
def divide(
    kind, V, T, cells, start, triangles, lengths, even, grid, pairs, counts, new_cells, spheres, parents, new_start,
    new_triangles,
):  # fmt: skip
    """Divide the cells of one rank; return 0, or 1 + p if the grid of parent p does not fit into the scratch.

    It is called twice: with empty results it only counts, then it fills them. Children of a cell are consecutive, in
    the order of x, y, z; those of a later cell come later.

    Args:
        kind: TRIANGLES, or a solid of this module.
        V: Vertices, or the three lengths of the solid.
        T: Corners of the triangles.
        cells: The parents, (n, 6): lower and upper corner.
        start, triangles: The triangles that pass through cell p are triangles[start[p]:start[p + 1]].
        lengths: Edge of the cubes, radius to store with the centres, allowance of the triangle test.
        even: Whether a length is divided into equal parts; else cubes of the full edge begin at the lower end, and the
            last one is flush with the upper end.
        grid: Scratch, as large as the largest grid of one parent.
        pairs: Scratch for filling: 2 entries for each of counts[MOST_PAIRS].
        counts: Receives the counts.
        new_cells, spheres, parents, new_start, new_triangles: The rank, when filling; no triangles are stored if the
            last has no entries.
    """
    filling, storing = new_cells.shape[0] > 0, new_triangles.shape[0] > 0
    edge, radius, pad = lengths[0], lengths[1], lengths[2]
    n_cells, n_stored, most = 0, 0, 0
    for p in range(cells.shape[0]):
        x0, y0, z0, x1, y1, z1 = (
            cells[p, 0], cells[p, 1], cells[p, 2], cells[p, 3], cells[p, 4], cells[p, 5],
        )  # fmt: skip
        nx, ny, nz, wx, wy, wz = grid_of(x0, y0, z0, x1, y1, z1, edge, even)
        n = nx * ny * nz
        if n > grid.shape[0]:
            return 1 + p
        for cell in range(n):
            grid[cell] = 0
        n_pairs = 0
        if kind == TRIANGLES:
            box, shape = (x0, y0, z0, x1, y1, z1), (nx, ny, nz, wx, wy, wz)
            for k in range(start[p], start[p + 1]):
                n_pairs = _mark_triangle(V, T, triangles[k], box, shape, pad, grid, pairs, n_pairs)
        else:
            for cell in range(n):
                i, j, k = cell // (ny * nz), cell // nz % ny, cell % nz
                grid[cell] = solid_passes(
                    kind, V[0], V[1], V[2],
                    cut(x0, x1, wx, nx, i), cut(y0, y1, wy, ny, j), cut(z0, z1, wz, nz, k),
                    cut(x0, x1, wx, nx, i + 1), cut(y0, y1, wy, ny, j + 1), cut(z0, z1, wz, nz, k + 1),
                )  # fmt: skip
        most = max(most, n_pairs)
        for cell in range(n):
            passing = grid[cell]
            if passing == 0:
                continue
            if filling:
                i, j, k = cell // (ny * nz), cell // nz % ny, cell % nz
                new_cells[n_cells, 0] = cut(x0, x1, wx, nx, i)
                new_cells[n_cells, 1] = cut(y0, y1, wy, ny, j)
                new_cells[n_cells, 2] = cut(z0, z1, wz, nz, k)
                new_cells[n_cells, 3] = cut(x0, x1, wx, nx, i + 1)
                new_cells[n_cells, 4] = cut(y0, y1, wy, ny, j + 1)
                new_cells[n_cells, 5] = cut(z0, z1, wz, nz, k + 1)
                spheres[n_cells, 0] = center(x0, x1, wx, nx, i, even)
                spheres[n_cells, 1] = center(y0, y1, wy, ny, j, even)
                spheres[n_cells, 2] = center(z0, z1, wz, nz, k, even)
                spheres[n_cells, 3] = radius
                parents[n_cells] = p
                grid[cell] = n_cells
                if storing:
                    new_start[n_cells] = n_stored
            if kind == TRIANGLES:
                n_stored += passing
            n_cells += 1
        if storing:
            for k in range(n_pairs):
                cell = grid[pairs[2 * k]]
                new_triangles[new_start[cell]] = pairs[2 * k + 1]
                new_start[cell] += 1
    if storing:  # each entry is now at the end of its cell: shift them back by one
        for cell in range(n_cells, 0, -1):
            new_start[cell] = new_start[cell - 1]
        new_start[0] = 0
    counts[CELLS], counts[PAIRS], counts[MOST_PAIRS] = n_cells, n_stored, most
    return 0
