"""A heap of pairs of nodes: keys, and three integers of data for each; the least key comes first."""

from __future__ import annotations

from keepclear.kernels._compile import kernel


@kernel(inline=True, boundscheck=False)
def insert(keys, nodes, size, key, a, b, stamp):
    """Add a pair to the heap; return its new size."""
    i = size
    while i > 0:
        up = (i - 1) >> 1
        if keys[up] <= key:
            break
        keys[i] = keys[up]
        nodes[3 * i], nodes[3 * i + 1], nodes[3 * i + 2] = nodes[3 * up], nodes[3 * up + 1], nodes[3 * up + 2]
        i = up
    keys[i] = key
    nodes[3 * i], nodes[3 * i + 1], nodes[3 * i + 2] = a, b, stamp
    return size + 1


@kernel(boundscheck=False)
def remove_first(keys, nodes, size):
    """Remove the pair with the least key from the heap; return its new size."""
    size -= 1
    key, i = keys[size], 0
    a, b, stamp = nodes[3 * size], nodes[3 * size + 1], nodes[3 * size + 2]
    while True:
        down = 2 * i + 1
        if down >= size:
            break
        if down + 1 < size and keys[down + 1] < keys[down]:
            down += 1
        if key <= keys[down]:
            break
        keys[i] = keys[down]
        nodes[3 * i], nodes[3 * i + 1], nodes[3 * i + 2] = (
            nodes[3 * down],
            nodes[3 * down + 1],
            nodes[3 * down + 2],
        )
        i = down
    keys[i] = key
    nodes[3 * i], nodes[3 * i + 1], nodes[3 * i + 2] = a, b, stamp
    return size
