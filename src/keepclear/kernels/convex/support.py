"""Support point of a convex core in a direction: closed forms, a scan, or a walk over the hull's graph.

A shape is stored as two flat arrays. `reals` is a header, then the vertices (x, y, z each), then the boxes of a tree
over the vertices (centre, half size: six numbers each). `links` is the start of each vertex's neighbours, the
neighbours in their cyclic order, a table from direction to start vertex, and the tree's skip, first and count per box.
The offsets of the last parts are in the header.
"""

from __future__ import annotations

import math

from keepclear.compiler.kernel import kernel

# Kinds of core. A sphere is a point and a radius, a capsule a segment and a radius.
POINT, SEGMENT, BOX, CYLINDER, ELLIPSOID, SCAN, WALK = 0, 1, 2, 3, 4, 5, 6

# Header of `reals`.
KIND, RADIUS, SIZE_X, SIZE_Y, SIZE_Z, EXTENT, COUNT, CENTER, DEFECT = 0, 1, 2, 3, 4, 5, 6, 7, 10
TABLE_EDGE, NEIGHBOURS_AT, TABLE_AT, BOXES_AT, BOX_LINKS_AT, BOX_COUNT, PROVED, CURVED = (
    11,
    12,
    13,
    14,
    15,
    16,
    17,
    18,
)
HEADER = 20

UNIT = 2.0**-53  # rounding unit of float64


@kernel(inline=True, boundscheck=False)
def is_curved(reals):
    """Return whether a core has a curved surface, so that searches converge without end."""
    return reals[CURVED] != 0.0


@kernel(inline=True, boundscheck=False)
def start_vertex(reals, links, x, y, z):
    """Return a vertex near the support point along (x, y, z), from a table.

    Directions are unfolded from an octahedron onto a square of cells: fewer mispredicted branches than with a cube.
    """
    m = abs(x) + abs(y) + abs(z)
    if not m > 0.0:
        return 0
    u, v = x / m, y / m
    if z < 0.0:
        u, v = (1.0 - abs(v)) * (1.0 if u >= 0.0 else -1.0), (1.0 - abs(u)) * (1.0 if v >= 0.0 else -1.0)
    edge = int(reals[TABLE_EDGE])
    i = min(int((u + 1.0) * 0.5 * edge), edge - 1)
    j = min(int((v + 1.0) * 0.5 * edge), edge - 1)
    return links[int(reals[TABLE_AT]) + i * edge + j]


@kernel(inline=True, boundscheck=False)
def _walk(reals, links, x, y, z, k):
    """Walk from vertex k to neighbours that are farther along (x, y, z) until there is none; return the last one."""
    at = int(reals[NEIGHBOURS_AT])
    q = HEADER + 3 * k
    best = x * reals[q] + y * reals[q + 1] + z * reals[q + 2]
    visited = 1
    climbing = True
    while climbing:
        climbing = False
        first, last = links[k], links[k + 1]
        visited += last - first
        for j in range(first, last):
            m = links[at + j]
            q = HEADER + 3 * m
            s = x * reals[q] + y * reals[q + 1] + z * reals[q + 2]
            if s > best:
                best, k, climbing = s, m, True
    return k, visited


@kernel(inline=True, boundscheck=False)
def _scan(reals, x, y, z, first, last, k, best):
    """Visit vertices first..last-1; return the farthest, or (k, best) when none is farther than best.

    Two at a time, because each comparison waits for the one before it.
    """
    q = HEADER + 3 * first
    k2, best2 = k, best
    for m in range(first, last - 1, 2):
        s = x * reals[q] + y * reals[q + 1] + z * reals[q + 2]
        t = x * reals[q + 3] + y * reals[q + 4] + z * reals[q + 5]
        if s > best:
            best, k = s, m
        if t > best2:
            best2, k2 = t, m + 1
        q += 6
    if (last - first) % 2 == 1:
        q = HEADER + 3 * (last - 1)
        s = x * reals[q] + y * reals[q + 1] + z * reals[q + 2]
        if s > best:
            best, k = s, last - 1
    return (k2, best2) if best2 > best else (k, best)


@kernel(boundscheck=False)
def walk_slack(reals, links, x, y, z, k):
    """Bound how much farther than vertex k, where a walk along (x, y, z) ended, the support point can be [m].

    Derivation: docs/theory/closest-points. No neighbour of k is farther by more than e, the rounding of two products.
    Cut the hull with the plane through k and the support point that contains the direction: the height is a concave
    function of the distance across. It leaves k through a triangle k, i, j; where both neighbours are lower by more
    than e, it only decreases. Otherwise it gains at most e until it crosses the edge ij, in the part of that edge that
    is not lower, and never gains more per distance later on. The whole distance is at most twice the extent r:
    gain <= e 2 r / distance to the edge. A blunt vertex at the opposite end of the hull ties with its neighbours as
    well; it is recognized because it is not above the centre.
    """
    if reals[KIND] != WALK:
        return 0.0
    first, last, at = links[k], links[k + 1], int(reals[NEIGHBOURS_AT])
    if reals[PROVED] == 0.0 or first == last:
        return math.inf
    r = reals[EXTENT]
    q = HEADER + 3 * k
    px, py, pz = reals[q], reals[q + 1], reals[q + 2]
    length = math.sqrt(x * x + y * y + z * z)
    e = 6.0 * UNIT * r * length
    best = x * px + y * py + z * pz
    nearest = math.inf
    q = HEADER + 3 * links[at + last - 1]
    ax, ay, az = reals[q], reals[q + 1], reals[q + 2]
    drop_a = best - (x * ax + y * ay + z * az)
    for j in range(first, last):
        q = HEADER + 3 * links[at + j]
        bx, by, bz = reals[q], reals[q + 1], reals[q + 2]
        drop_b = best - (x * bx + y * by + z * bz)
        if drop_a <= e or drop_b <= e:
            # From t0 to t1 of the edge ab the height may not be lower: e - drop > 0, with a small reserve.
            t0 = 0.0 if drop_a <= e else 1.0 - min(1.0, 2.0 * e / (drop_a - drop_b))
            t1 = 1.0 if drop_b <= e else min(1.0, 2.0 * e / (drop_b - drop_a))
            ux, uy, uz = bx - ax, by - ay, bz - az
            wx, wy, wz = px - ax, py - ay, pz - az
            t = min(t1, max(t0, (wx * ux + wy * uy + wz * uz) / (ux * ux + uy * uy + uz * uz)))
            wx, wy, wz = wx - t * ux, wy - t * uy, wz - t * uz
            nearest = min(nearest, wx * wx + wy * wy + wz * wz)
        ax, ay, az = bx, by, bz
        drop_a = drop_b
    if nearest == math.inf:
        return 0.0
    if nearest == 0.0:
        return math.inf
    slack = 2.1 * (e / length) * r / math.sqrt(nearest)
    above = best - (x * reals[CENTER] + y * reals[CENTER + 1] + z * reals[CENTER + 2])
    return slack if above > slack * length else math.inf


@kernel(boundscheck=False)
def certain_support(reals, links, x, y, z, px, py, pz, k):
    """Return the support point, vertex and how many were visited, like `support`, from the tree of boxes alone.

    It is p, vertex k, or a better one; for cores without a walk p is the best.
    """
    if reals[KIND] != WALK:
        return px, py, pz, k, 0
    best = x * px + y * py + z * pz
    boxes, box_links, n = int(reals[BOXES_AT]), int(reals[BOX_LINKS_AT]), int(reals[BOX_COUNT])
    visited = 0
    i = 0
    while i < n:
        q = boxes + 6 * i
        bound = x * reals[q] + y * reals[q + 1] + z * reals[q + 2]
        bound += abs(x) * reals[q + 3] + abs(y) * reals[q + 4] + abs(z) * reals[q + 5]
        j = box_links + 3 * i
        visited += 1
        if bound <= best:
            i = links[j]
        else:
            count = links[j + 2]
            if count > 0:
                first = links[j + 1]
                k, best = _scan(reals, x, y, z, first, first + count, k, best)
                visited += count
            i += 1
    q = HEADER + 3 * k
    return reals[q], reals[q + 1], reals[q + 2], k, visited


@kernel(inline=True, boundscheck=False)
def support(reals, links, x, y, z, hint, rough):
    """Return the support point of the core along (x, y, z), its vertex (or 0) and how many were visited.

    Args:
        hint: Vertex to start the walk from; a negative one is looked up in the table of directions.
        rough: Accept the vertex from the table, without a walk.
    """
    kind = int(reals[KIND])
    if kind < POINT or kind > WALK:
        raise ValueError("the number of a core has no support function")
    if kind >= SCAN:
        if kind == WALK:
            k, visited = hint, 1
            if hint < 0 or rough:
                k = start_vertex(reals, links, x, y, z)
            if not rough:
                k, visited = _walk(reals, links, x, y, z, k)
        else:
            visited = int(reals[COUNT])
            k, _ = _scan(
                reals,
                x,
                y,
                z,
                1,
                visited,
                0,
                x * reals[HEADER] + y * reals[HEADER + 1] + z * reals[HEADER + 2],
            )
        q = HEADER + 3 * k
        return reals[q], reals[q + 1], reals[q + 2], k, visited
    sx, sy, sz = reals[SIZE_X], reals[SIZE_Y], reals[SIZE_Z]
    if kind == CYLINDER:
        m = (x * x + y * y) ** 0.5
        if m > 0.0:
            sx, sy = sx * (x / m), sx * (y / m)
        else:
            sy = 0.0
    elif kind == ELLIPSOID:
        # The unit ball, stretched: the support point along d is D (D d) / |D d|, with D the radii.
        u, v, w = sx * x, sy * y, sz * z
        m = (u * u + v * v + w * w) ** 0.5
        if m > 0.0:
            return sx * (u / m), sy * (v / m), sz * (w / m), 0, 1
    else:
        sx, sy = (sx if x > 0.0 else -sx), (sy if y > 0.0 else -sy)
    return sx, sy, (sz if z > 0.0 else -sz), 0, 1
