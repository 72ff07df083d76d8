"""Certificates of elements: how far their vertices are above the planes of their faces."""

from __future__ import annotations

import numpy as np

from keepclear.kernels._compile import kernel

STACK = 128  # boxes on the stack: two for each halving of a list of faces


@kernel(
    "void(float64[:,::1], float64[:,::1], int64[::1], int64[::1], int64[::1], int64[::1], float64[::1], float64,"
    " float64[:,::1], float64[::1])",
    boundscheck=False,
    allocates=True,
)
def highest_vertices(V, planes, start, vertex, faces, first, signs, enough, boxes, heights):
    """Write for each element how far a vertex of it is at most above the plane of one of its faces.

    The faces of an element are the leaves of a binary tree of boxes, in the given order; a plane is compared with the
    boxes that may reach above the height found so far.

    Args:
        V, planes: Vertices; planes of the faces.
        start, vertex: The vertices of each face.
        faces, first: The faces of element e are faces[first[e]:first[e + 1]].
        signs: 1, or -1 for elements whose planes face the opposite direction.
        enough: A height that ends the search of an element.
        boxes: Scratch, two rows for each face of the largest element.
        heights: Receives the heights, at least 0.
    """
    stack = np.empty(STACK, np.int64)
    for e in range(first.shape[0] - 1):
        begin, n = first[e], first[e + 1] - first[e]
        for i in range(n):
            f, node = faces[begin + i], n + i
            for k in range(3):
                boxes[node, k], boxes[node, 3 + k] = np.inf, -np.inf
            for m in range(start[f], start[f + 1]):
                for k in range(3):
                    boxes[node, k] = min(boxes[node, k], V[vertex[m], k])
                    boxes[node, 3 + k] = max(boxes[node, 3 + k], V[vertex[m], k])
        for node in range(n - 1, 0, -1):
            for k in range(3):
                boxes[node, k] = min(boxes[2 * node, k], boxes[2 * node + 1, k])
                boxes[node, 3 + k] = max(boxes[2 * node, 3 + k], boxes[2 * node + 1, 3 + k])
        most = 0.0
        for i in range(n):
            f, sign = faces[begin + i], signs[e]
            x, y, z, offset = (
                sign * planes[f, 0],
                sign * planes[f, 1],
                sign * planes[f, 2],
                sign * planes[f, 3],
            )
            stack[0], top = 1, 1
            while top > 0 and most <= enough:
                top -= 1
                node = stack[top]
                u = boxes[node, 3] if x > 0.0 else boxes[node, 0]
                v = boxes[node, 4] if y > 0.0 else boxes[node, 1]
                w = boxes[node, 5] if z > 0.0 else boxes[node, 2]
                if x * u + y * v + z * w - offset <= most:
                    continue
                if node < n:
                    stack[top], stack[top + 1] = 2 * node, 2 * node + 1
                    top += 2
                    continue
                g = faces[begin + node - n]
                for m in range(start[g], start[g + 1]):
                    p = vertex[m]
                    most = max(most, x * V[p, 0] + y * V[p, 1] + z * V[p, 2] - offset)
        heights[e] = most
