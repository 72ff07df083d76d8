"""Sphere trees from the numbers of their cells: the cells themselves, and the proof that they cover a surface.

A tree is divided from its root by rules (`division.py`), so that the number of each cell in the grid of its parent
determines its position. What remains to prove is that no cell is missing.
"""

from __future__ import annotations

from keepclear.kernels._compile import kernel
from keepclear.kernels.spheres.cell_surface import TRIANGLES, solid_passes, triangle_passes
from keepclear.kernels.spheres.division import center, cut, first_cell, grid_of, last_cell

# Results of a proof: proved; the surface passes through a cell that is missing.
PROVED, MISSING = 0, 1
# Rows of scratch for each rank: the cell that is searched, its grid, the part of the grid, and the progress of the
# search.
NODE, NX, NY, NZ, I0, J0, K0, NI, NJ, NK, AT, PLACES = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
# ... the box of the cell, and the widths of the cells in it.
X0, Y0, Z0, X1, Y1, Z1, WX, WY, WZ, LENGTHS = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9


@kernel(
    "int64(float64[:,::1], int32[::1], int32[::1], float64[::1], boolean, float64[:,::1], float64[:,::1], int32[::1])",
    boundscheck=False,
)
def unfold(cells, counts, slots, lengths, even, new_cells, spheres, parents):
    """Fill one rank from the rank above; return 0, or 1 + p if the children of cell p are not part of its grid.

    Args:
        cells: The rank above, (n, 6): lower and upper corner.
        counts: How many children each has, (n,); at least one, and `slots` of them in total.
        slots: The number of each child in the grid of its parent, increasing for each parent.
        lengths: Edge of the cubes, radius to store with the centres.
        even: How lengths are divided, as for `divide`.
        new_cells, spheres, parents: The rank.
    """
    c = 0
    for p in range(cells.shape[0]):
        x0, y0, z0, x1, y1, z1 = (
            cells[p, 0], cells[p, 1], cells[p, 2], cells[p, 3], cells[p, 4], cells[p, 5],
        )  # fmt: skip
        nx, ny, nz, wx, wy, wz = grid_of(x0, y0, z0, x1, y1, z1, lengths[0], even)
        before = -1
        for _ in range(counts[p]):
            slot = slots[c]
            if slot <= before or slot >= nx * ny * nz:
                return 1 + p
            before = slot
            i, j, k = slot // (ny * nz), slot // nz % ny, slot % nz
            new_cells[c, 0], new_cells[c, 3] = cut(x0, x1, wx, nx, i), cut(x0, x1, wx, nx, i + 1)
            new_cells[c, 1], new_cells[c, 4] = cut(y0, y1, wy, ny, j), cut(y0, y1, wy, ny, j + 1)
            new_cells[c, 2], new_cells[c, 5] = cut(z0, z1, wz, nz, k), cut(z0, z1, wz, nz, k + 1)
            spheres[c, 0] = center(x0, x1, wx, nx, i, even)
            spheres[c, 1] = center(y0, y1, wy, ny, j, even)
            spheres[c, 2] = center(z0, z1, wz, nz, k, even)
            spheres[c, 3] = lengths[1]
            parents[c] = p
            c += 1
    return 0


@kernel(inline=True, boundscheck=False)
def _passes(kind, V, T, t, x0, y0, z0, x1, y1, z1, pad):
    """Return whether triangle t, or the surface of a solid, may touch a closed box."""
    if kind == TRIANGLES:
        return triangle_passes(V, T[3 * t], T[3 * t + 1], T[3 * t + 2], x0, y0, z0, x1, y1, z1, pad)
    return solid_passes(kind, V[0], V[1], V[2], x0, y0, z0, x1, y1, z1)


@kernel(boundscheck=False)
def _open(kind, V, T, t, level, node, x0, y0, z0, x1, y1, z1, edge, even, pad, places, lengths):
    """Begin the search of a cell: its grid, and the part of it that the box of triangle t overlaps."""
    nx, ny, nz, wx, wy, wz = grid_of(x0, y0, z0, x1, y1, z1, edge, even)
    i0, j0, k0, i1, j1, k1 = 0, 0, 0, nx - 1, ny - 1, nz - 1
    if kind == TRIANGLES:
        a, b, c = 3 * T[3 * t], 3 * T[3 * t + 1], 3 * T[3 * t + 2]
        i0 = first_cell(x0, x1, wx, nx, min(V[a], V[b], V[c]) - pad)
        i1 = last_cell(x0, x1, wx, nx, max(V[a], V[b], V[c]) + pad)
        j0 = first_cell(y0, y1, wy, ny, min(V[a + 1], V[b + 1], V[c + 1]) - pad)
        j1 = last_cell(y0, y1, wy, ny, max(V[a + 1], V[b + 1], V[c + 1]) + pad)
        k0 = first_cell(z0, z1, wz, nz, min(V[a + 2], V[b + 2], V[c + 2]) - pad)
        k1 = last_cell(z0, z1, wz, nz, max(V[a + 2], V[b + 2], V[c + 2]) + pad)
    places[level, NODE], places[level, AT] = node, 0
    places[level, NX], places[level, NY], places[level, NZ] = nx, ny, nz
    places[level, I0], places[level, J0], places[level, K0] = i0, j0, k0
    places[level, NI], places[level, NJ], places[level, NK] = i1 + 1 - i0, j1 + 1 - j0, k1 + 1 - k0
    lengths[level, X0], lengths[level, Y0], lengths[level, Z0] = x0, y0, z0
    lengths[level, X1], lengths[level, Y1], lengths[level, Z1] = x1, y1, z1
    lengths[level, WX], lengths[level, WY], lengths[level, WZ] = wx, wy, wz


@kernel(inline=True, boundscheck=False)
def _find(slots, begin, end, slot):
    """Return the child with a number in the grid, -1 if there is none; numbers increase."""
    while begin < end:
        middle = (begin + end) // 2
        if slots[middle] < slot:
            begin = middle + 1
        else:
            end = middle
    return begin


@kernel(
    "int64(int64, float64[::1], int32[::1], float64[::1], int32[::1], int32[::1], float64[::1], boolean, float64,"
    " uint8[::1], int64[:,::1], float64[:,::1])",
    boundscheck=False,
)
def prove(kind, V, T, root, first, slots, edges, even, pad, is_hit, places, lengths):
    """Prove that the lowest rank of a tree covers a surface; return PROVED or MISSING.

    Each triangle, or the surface of a solid, descends from the root into all cells of a grid that it may touch, whether
    or not they are in the tree. It must not reach a cell of the lowest rank that is missing. A cell of a higher rank
    may be missing: then it must not reach any of the cells into which that cell would be divided.

    Args:
        kind, V, T, pad: The surface, as for `divide`.
        root: The cell of the root, (6,).
        first: The children of sphere i are first[i]:first[i + 1].
        slots: The number of each sphere in the grid of its parent, increasing for each parent.
        edges: Edge of the cubes of each rank below the root.
        even: How lengths are divided.
        is_hit: Receives 1 for each sphere of the lowest rank through whose cell the surface passes.
        places, lengths: Scratch, a row for each rank.
    """
    n = T.shape[0] // 3 if kind == TRIANGLES else 1
    n_ranks = edges.shape[0]
    for t in range(n):
        _open(kind, V, T, t, 0, 0, root[0], root[1], root[2], root[3], root[4], root[5], edges[0], even, pad, places,
              lengths)  # fmt: skip
        level = 0
        while level >= 0:
            at = places[level, AT]
            nj, nk = places[level, NJ], places[level, NK]
            if at == places[level, NI] * nj * nk:
                level -= 1
                continue
            places[level, AT] = at + 1
            i = places[level, I0] + at // (nj * nk)
            j, k = places[level, J0] + at // nk % nj, places[level, K0] + at % nk
            nx, ny, nz, node = places[level, NX], places[level, NY], places[level, NZ], places[level, NODE]
            child = -1
            if node >= 0:
                slot = (i * ny + j) * nz + k
                found = _find(slots, first[node], first[node + 1], slot)
                if found < first[node + 1] and slots[found] == slot:
                    child = found
            is_last = level == n_ranks - 1
            if is_last and child >= 0 and is_hit[child] == 1:
                continue
            x0 = cut(lengths[level, X0], lengths[level, X1], lengths[level, WX], nx, i)
            x1 = cut(lengths[level, X0], lengths[level, X1], lengths[level, WX], nx, i + 1)
            y0 = cut(lengths[level, Y0], lengths[level, Y1], lengths[level, WY], ny, j)
            y1 = cut(lengths[level, Y0], lengths[level, Y1], lengths[level, WY], ny, j + 1)
            z0 = cut(lengths[level, Z0], lengths[level, Z1], lengths[level, WZ], nz, k)
            z1 = cut(lengths[level, Z0], lengths[level, Z1], lengths[level, WZ], nz, k + 1)
            if not _passes(kind, V, T, t, x0, y0, z0, x1, y1, z1, pad):
                continue
            if is_last:
                if child < 0:
                    return MISSING
                is_hit[child] = 1
                continue
            level += 1
            _open(
                kind, V, T, t, level, child, x0, y0, z0, x1, y1, z1, edges[level], even, pad, places, lengths
            )
    return PROVED
