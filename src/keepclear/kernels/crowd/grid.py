"""Hierarchical grids of a crowd: the cell edge doubles from level to level, and only occupied cells are stored.

A sphere's box is no longer than the cell edge of its level, so it overlaps at most two cells along each axis. It is a
*native* of those cells, and a *visitor* of the cells it overlaps on all coarser levels. Two boxes that overlap share a
cell on the coarser of their two levels. Cells are found by hashing level and indices. Indices wrap around after 2^18
cells, so distant cells may share a list. That costs only time: each sphere found in a list is compared box by box.
"""

from __future__ import annotations

from keepclear.compiler.kernel import kernel
from keepclear.kernels.crowd import layout as at

KEY, NATIVES, COUNT, FOLLOWING, IDS, SLOTS = at.KEY, at.NATIVES, at.COUNT, at.FOLLOWING, at.IDS, at.SLOTS
WRAP = (1 << 18) - 1
MULTIPLIER = 0x1E3779B97F4A7C15
LOW_BITS = 1 | 1 << 18 | 1 << 36


@kernel(inline=True, boundscheck=False)
def whole(q):
    """Return the greatest integer not above a number."""
    k = int(q)
    return k - 1 if q < k else k


@kernel(inline=True, boundscheck=False)
def cell_key(level, ix, iy, iz):
    """Return the integer key of a cell."""
    return (((((int(level) << 18) | (int(ix) & WRAP)) << 18) | (int(iy) & WRAP)) << 18) | (int(iz) & WRAP)


@kernel(inline=True, boundscheck=False)
def home(key, mask):
    """Return the preferred row of a cell in the table; eight cells that share a corner are neighbours there too."""
    low = (key & 1) | ((key >> 17) & 2) | ((key >> 34) & 4)
    return ((((key & ~LOW_BITS) * MULTIPLIER) >> 24 << 3) | low) & mask


@kernel(boundscheck=False)
def find_cell(G, key):
    """Return the row of a cell, or the free row where it would be stored."""
    mask = len(G) - 1
    row = home(key, mask)
    while G[row, KEY] != key and G[row, KEY] >= 0:
        row = (row + 1) & mask
    return row


@kernel(boundscheck=False)
def insert_id(G, B, C, key, side, i):
    """Add a sphere to a list of a cell; the caller ensures that there is space."""
    row = find_cell(G, key)
    if G[row, KEY] < 0:
        G[row, KEY] = key
        C[at.N_CELLS] += 1
    block = G[row, side]
    if block < 0 or B[block, COUNT] == SLOTS:
        new = C[at.FREE_BLOCK]
        C[at.FREE_BLOCK] = B[new, FOLLOWING]
        C[at.N_BLOCKS] += 1
        B[new, COUNT] = 0
        B[new, FOLLOWING] = block
        G[row, side] = new
        block = new
    n = B[block, COUNT]
    B[block, IDS + n] = i
    B[block, COUNT] = n + 1


@kernel(boundscheck=False)
def remove_id(G, B, C, key, side, i):
    """Remove a sphere from a list of a cell, and the cell from the table if both its lists are empty."""
    row = find_cell(G, key)
    first = G[row, side]
    block, k = first, 0
    while True:
        n, k = B[block, COUNT], 0
        while k < n and B[block, IDS + k] != i:
            k += 1
        if k < n:
            break
        block = B[block, FOLLOWING]
    n = B[first, COUNT] - 1
    B[block, IDS + k] = B[first, IDS + n]
    B[first, COUNT] = n
    if n == 0:
        G[row, side] = B[first, FOLLOWING]
        B[first, FOLLOWING] = C[at.FREE_BLOCK]
        C[at.FREE_BLOCK] = first
        C[at.N_BLOCKS] -= 1
        if G[row, NATIVES] < 0 and G[row, at.VISITORS] < 0:
            remove_cell(G, C, row)


@kernel(boundscheck=False)
def remove_cell(G, C, row):
    """Free a row of the table, and move up the rows that it displaced from their preferred rows."""
    mask = len(G) - 1
    hole = row
    G[hole, KEY] = -1
    C[at.N_CELLS] -= 1
    while True:
        row = (row + 1) & mask
        key = int(G[row, KEY])
        if key < 0:
            return
        if ((row - home(key, mask)) & mask) >= ((row - hole) & mask):
            G[hole, KEY], G[hole, 1], G[hole, 2] = G[row, KEY], G[row, 1], G[row, 2]
            G[row, KEY], G[row, 1], G[row, 2] = -1, -1, -1
            hole = row


@kernel(boundscheck=False)
def enter_cells(G, B, C, i, level, side, a, b, old):
    """Add a sphere to the cells from a to b that are not among those from old[0] to old[1], triples of indices."""
    count = 0
    o, p = old
    for ix in range(a[0], b[0] + 1):
        for iy in range(a[1], b[1] + 1):
            for iz in range(a[2], b[2] + 1):
                if not (o[0] <= ix <= p[0] and o[1] <= iy <= p[1] and o[2] <= iz <= p[2]):
                    insert_id(G, B, C, cell_key(level, ix, iy, iz), side, i)
                    count += 1
    C[at.ENTERING] += count


@kernel(boundscheck=False)
def leave_cells(G, B, C, i, level, side, a, b, kept):
    """Remove a sphere from the cells from a to b that are not among those from kept[0] to kept[1]."""
    count = 0
    o, p = kept
    for ix in range(a[0], b[0] + 1):
        for iy in range(a[1], b[1] + 1):
            for iz in range(a[2], b[2] + 1):
                if not (o[0] <= ix <= p[0] and o[1] <= iy <= p[1] and o[2] <= iz <= p[2]):
                    remove_id(G, B, C, cell_key(level, ix, iy, iz), side, i)
                    count += 1
    C[at.LEAVING] += count


@kernel(boundscheck=False)
def has_capacity(G, B, C):
    """Return whether one more sphere can be moved in the grids without enlarging the tables."""
    need = 16 * (C[at.TOP_LEVEL] + 1)
    return 2 * (C[at.N_CELLS] + need) < len(G) and C[at.N_BLOCKS] + need < len(B)


@kernel(boundscheck=False)
def unregister(G, B, C, N, i):
    """Remove a sphere from all its cells."""
    if N[i, at.REGISTERED] == 0:
        return
    level = N[i, at.LEVEL]
    nowhere = (1, 1, 1), (0, 0, 0)
    for rank in range(level, C[at.TOP_LEVEL] + 1):
        h = rank - level
        a = (N[i, at.RANGE] >> h, N[i, at.RANGE + 2] >> h, N[i, at.RANGE + 4] >> h)
        b = (N[i, at.RANGE + 1] >> h, N[i, at.RANGE + 3] >> h, N[i, at.RANGE + 5] >> h)
        leave_cells(G, B, C, i, rank, NATIVES if h == 0 else at.VISITORS, a, b, nowhere)
    N[i, at.REGISTERED] = 0


@kernel(boundscheck=False)
def register(G, B, C, N, i, level, a, b):
    """Add a sphere to the cells from a to b of its level, and to the cells that contain them on coarser levels."""
    nowhere = (1, 1, 1), (0, 0, 0)
    same = N[i, at.REGISTERED] == 1 and N[i, at.LEVEL] == level
    if not same:
        unregister(G, B, C, N, i)
    o = (N[i, at.RANGE], N[i, at.RANGE + 2], N[i, at.RANGE + 4])
    p = (N[i, at.RANGE + 1], N[i, at.RANGE + 3], N[i, at.RANGE + 5])
    for rank in range(level, C[at.TOP_LEVEL] + 1):
        h = rank - level
        side = NATIVES if h == 0 else at.VISITORS
        a2, b2 = (a[0] >> h, a[1] >> h, a[2] >> h), (b[0] >> h, b[1] >> h, b[2] >> h)
        if same:
            o2, p2 = (o[0] >> h, o[1] >> h, o[2] >> h), (p[0] >> h, p[1] >> h, p[2] >> h)
            if a2 == o2 and b2 == p2:
                break
            enter_cells(G, B, C, i, rank, side, a2, b2, (o2, p2))
            leave_cells(G, B, C, i, rank, side, o2, p2, (a2, b2))
        else:
            enter_cells(G, B, C, i, rank, side, a2, b2, nowhere)
    N[i, at.REGISTERED], N[i, at.LEVEL] = 1, level
    for k in range(3):
        N[i, at.RANGE + 2 * k], N[i, at.RANGE + 2 * k + 1] = a[k], b[k]


@kernel(boundscheck=False)
def clear_grid(G, B, C):
    """Empty all cells, and link all blocks into the list of free blocks."""
    for row in range(len(G)):
        G[row, KEY], G[row, 1], G[row, 2] = -1, -1, -1
    for block in range(len(B)):
        B[block, COUNT], B[block, FOLLOWING] = 0, block + 1
    B[len(B) - 1, FOLLOWING] = -1
    C[at.FREE_BLOCK], C[at.N_CELLS], C[at.N_BLOCKS] = 0, 0, 0


@kernel("boolean(int64[:,::1], int64[:,::1], int64[:,::1], int64[::1])")
def rebuild_grid(N, G, B, C):
    """Fill empty tables with all registered spheres, on all levels up to the top; False if space is too small."""
    clear_grid(G, B, C)
    entering, leaving = C[at.ENTERING], C[at.LEAVING]
    for i in range(len(N)):
        if N[i, at.REGISTERED] == 1:
            if not has_capacity(G, B, C):
                return False
            N[i, at.REGISTERED] = 0
            a = (N[i, at.RANGE], N[i, at.RANGE + 2], N[i, at.RANGE + 4])
            b = (N[i, at.RANGE + 1], N[i, at.RANGE + 3], N[i, at.RANGE + 5])
            register(G, B, C, N, i, N[i, at.LEVEL], a, b)
    C[at.ENTERING], C[at.LEAVING] = entering, leaving
    return True
