"""Components of a surface, which share no vertex position, and a representative vertex (seed) of each."""

from __future__ import annotations

from keepclear.compiler.kernel import kernel
from keepclear.kernels.tables.surface import N_TRIANGLES, ORIGIN, SURFACE_HEADER

NOTHING, USED = -1, -2  # marks of vertices that are not seeds


@kernel(inline=True, boundscheck=False)
def _first_of(parent, v):
    """Return the first vertex of the component that contains v, and shorten the path to it."""
    while parent[v] != v:
        parent[v] = parent[parent[v]]
        v = parent[v]
    return v


@kernel(inline=True, boundscheck=False)
def _square(S, v):
    """Return the square of a vertex's distance from the centre of the surface's box."""
    q = SURFACE_HEADER + 3 * v
    x, y, z = S[q] - S[ORIGIN], S[q + 1] - S[ORIGIN + 1], S[q + 2] - S[ORIGIN + 2]
    return x * x + y * y + z * z


@kernel("int64(float64[::1], int32[::1], int64[::1], int32[::1])", boundscheck=False)
def find_seeds(S, T, parent, seeds):
    """Write the vertex of each component that is farthest from the centre to `seeds`; return the number of components.

    Args:
        S, T: The surface.
        parent: For each vertex the first one at the same position; changed.
        seeds: Space for as many numbers as there are vertices.
    """
    for v in range(parent.shape[0]):
        seeds[v] = NOTHING
    for k in range(0, 3 * int(S[N_TRIANGLES]), 3):
        v = _first_of(parent, T[k])
        for i in range(3):
            seeds[T[k + i]] = USED
            w = _first_of(parent, T[k + i])
            parent[max(v, w)] = min(v, w)
            v = min(v, w)
    # The first vertex of a component comes before all others, so that its mark has been read when its seed is written.
    for v in range(parent.shape[0]):
        if seeds[v] == USED:
            first = _first_of(parent, v)
            if seeds[first] < 0 or _square(S, v) > _square(S, seeds[first]):
                seeds[first] = v
    count = 0
    for v in range(parent.shape[0]):
        if seeds[v] >= 0:
            seeds[count] = seeds[v]
            count += 1
    return count
