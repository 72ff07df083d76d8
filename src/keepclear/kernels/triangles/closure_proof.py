"""One-pass checks of the proof that a surface is closed: sorted positions, and counterparts of all edges."""

from __future__ import annotations

from keepclear.kernels._compile import kernel


@kernel("boolean(float64[:,::1], int32[::1], int64[::1])")
def fill_first(vertices, order, first):
    """Write the first vertex at the position of each to `first`; return whether `order` sorts the vertices by position.

    Args:
        vertices: (n, 3).
        order: (n,) all vertices by x, y, z; equal ones by their numbers.
        first: (n,) the result.
    """
    n = vertices.shape[0]
    for k in range(n):
        first[k] = -1
    last = -1
    for k in range(n):
        v = order[k]
        if v < 0 or v >= n or first[v] >= 0:
            return False
        first[v] = v
        if last >= 0:
            axis = 0
            while axis < 3 and vertices[v, axis] == vertices[last, axis]:
                axis += 1
            if axis < 3 and vertices[v, axis] < vertices[last, axis]:
                return False
            if axis == 3:
                if v < last:
                    return False
                first[v] = first[last]
        last = v
    return True


@kernel("boolean(int32[::1], int64[::1], int32[::1])")
def are_counterparts(T, first, twins):
    """Return whether the edges of triangles form pairs of counterparts that run in opposite directions.

    Args:
        T: Three corners per triangle, in range.
        first: For each vertex the first one at its position.
        twins: For each edge, from a corner to the next of its triangle, its counterpart, whose counterpart it must be.
    """
    n, whole = twins.shape[0], False
    for k in range(n):
        twin = twins[k]
        if twin < 0 or twin >= n or twins[twin] != k:
            return False
        tail, head = first[T[k]], first[T[k - 2 if k % 3 == 2 else k + 1]]
        if first[T[twin]] != head or first[T[twin - 2 if twin % 3 == 2 else twin + 1]] != tail:
            return False
        if k % 3 == 0 and tail != head:
            third = first[T[k + 2]]
            whole = whole or (third != tail and third != head)
    return whole  # a surface of triangles without area has no inside, even if its edges pair
