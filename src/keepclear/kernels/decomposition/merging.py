"""Certificates of elements: how far their vertices are above the planes of their faces."""

from __future__ import annotations

import numpy as np

from keepclear.compiler.kernel import kernel

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


# Rows of `chains`: heads and tails of the lists of faces and boundaries of each element.
FACES, BOUNDARY, CHAINS = 0, 2, 4
# Counters: pairs tested, pairs merged, pairs of a plane and a vertex or a box compared.
TESTED, MERGED, COMPARED, COUNTS = 0, 1, 2, 3
# States of a range on the stack: its halves are decomposed one after the other, then merged.
LEFT, RIGHT, MERGE = 0, 1, 2
RANGES = 64  # levels of halving: more than any number of elements needs
# Plane of a face: unit normal and offset.
PLANE = 4


@kernel(inline=True, boundscheck=False)
def _height(V, v, nx, ny, nz, offset):
    """Return how far a vertex is above a plane."""
    return nx * V[v, 0] + ny * V[v, 1] + nz * V[v, 2] - offset


@kernel("int64(float64[:,::1], int64[:,::1], int64[::1], float64[:,::1], boolean[::1], int64[::1], float64,"
        " int64[::1], float64[:,::1], float64[::1], int64[::1])")  # fmt: skip
def grow(V, T, opposite, normals, is_thin, order, flat, face, planes, flatness, stack):
    """Assign triangles to flat faces, each grown from its largest triangle over shared edges; return their number.

    Args:
        V, T: Vertices and triangles.
        opposite: For half-edge 3 t + k, from corner k of triangle t to the next, the half-edge across it, or -1.
        normals: Unit normals of the triangles; anything where `is_thin`.
        is_thin: Triangles without a plane: they begin no face, and join one if they lie in its plane.
        order: All triangles, in the order in which they may begin a face.
        flat: How far a vertex of a face may be from its plane.
        face: Receives the face of each triangle; -1 for thin ones that lie in no neighbour's plane.
        planes: Receives the planes; flatness: how far the vertices of each face are from its plane.
        stack: Scratch, one entry for each triangle.
    """
    face[:] = -1
    n_faces = 0
    for i in range(order.shape[0]):
        seed = order[i]
        if face[seed] >= 0 or is_thin[seed]:
            continue
        nx, ny, nz = normals[seed, 0], normals[seed, 1], normals[seed, 2]
        offset = nx * V[T[seed, 0], 0] + ny * V[T[seed, 0], 1] + nz * V[T[seed, 0], 2]
        planes[n_faces, 0], planes[n_faces, 1], planes[n_faces, 2] = nx, ny, nz
        planes[n_faces, 3] = offset
        worst = 0.0
        for k in range(3):
            worst = max(worst, abs(_height(V, T[seed, k], nx, ny, nz, offset)))
        face[seed] = n_faces
        stack[0] = seed
        top = 1
        while top > 0:
            top -= 1
            t = stack[top]
            for k in range(3):
                h = opposite[3 * t + k]
                if h < 0 or face[h // 3] >= 0:
                    continue
                u = h // 3
                facing = normals[u, 0] * nx + normals[u, 1] * ny + normals[u, 2] * nz
                if not is_thin[u] and facing <= 0.0:
                    continue
                most = 0.0
                for c in range(3):
                    most = max(most, abs(_height(V, T[u, c], nx, ny, nz, offset)))
                if most <= flat:
                    face[u] = n_faces
                    worst = max(worst, most)
                    stack[top] = u
                    top += 1
        flatness[n_faces] = worst
        n_faces += 1
    return n_faces


@kernel(boundscheck=False)
def _root(owner, i):
    """Return the element that contains i after merging."""
    while owner[i] != i:
        owner[i] = owner[owner[i]]
        i = owner[i]
    return i


@kernel(boundscheck=False)
def _highest(
    a, b, V, planes, sign, eps, chains, next_face, start, vertex, tree, boxes, children, stack, counts
):
    """Return how far vertices of element b are above planes of element a, at most; more than eps ends the search."""
    most = 0.0
    n_faces = planes.shape[0]
    f = chains[FACES, a]
    while f >= 0:
        nx, ny, nz = sign * planes[f, 0], sign * planes[f, 1], sign * planes[f, 2]
        offset = sign * planes[f, 3]
        stack[0] = tree[b]
        top = 1
        while top > 0:
            top -= 1
            node = stack[top]
            counts[COMPARED] += 1
            x = boxes[node, 3] if nx > 0.0 else boxes[node, 0]
            y = boxes[node, 4] if ny > 0.0 else boxes[node, 1]
            z = boxes[node, 5] if nz > 0.0 else boxes[node, 2]
            if nx * x + ny * y + nz * z - offset <= most:
                continue
            if node >= n_faces:
                stack[top], stack[top + 1] = children[node - n_faces, 0], children[node - n_faces, 1]
                top += 2
                continue
            for i in range(start[node], start[node + 1]):
                v = vertex[i]
                height = nx * V[v, 0] + ny * V[v, 1] + nz * V[v, 2] - offset
                if height > most:
                    most = height
                    if height > eps:
                        return most
        f = next_face[f]
    return most


@kernel(inline=True, boundscheck=False)
def _plant(node, left, right, boxes, children, n_faces):
    """Write a node whose children are two trees."""
    children[node - n_faces, 0], children[node - n_faces, 1] = left, right
    for k in range(3):
        boxes[node, k] = min(boxes[left, k], boxes[right, k])
        boxes[node, 3 + k] = max(boxes[left, 3 + k], boxes[right, 3 + k])


@kernel(inline=True, boundscheck=False)
def _join(chains, kind, following, a, b):
    """Append a list of element b to that of element a."""
    head = chains[kind, b]
    if head < 0:
        return
    if chains[kind, a] < 0:
        chains[kind, a] = head
    else:
        following[chains[kind + 1, a]] = head
    chains[kind + 1, a] = chains[kind + 1, b]


@kernel(inline=True, boundscheck=False)
def _insert(candidates, n, place, element):
    """Insert an element into a list in descending order of position; return its length."""
    i = n
    while i > 0 and place[candidates[i - 1]] < place[element]:
        candidates[i] = candidates[i - 1]
        i -= 1
    candidates[i] = element
    return n + 1


@kernel(boundscheck=False)
def _neighbours(a, entry, before, middle, end, after, owner, chains, next_edge, across, place, stamp, tick,
                candidates, n):  # fmt: skip
    """Insert neighbours of element a that are in the right half, after the position `after`; return their number.

    The boundary is read from an entry on, with `before` the entry before it; edges that have become interior are
    removed.
    """
    while entry >= 0:
        following = next_edge[entry]
        b = _root(owner, across[entry])
        if b == a:
            if before < 0:
                chains[BOUNDARY, a] = following
            else:
                next_edge[before] = following
            if following < 0:
                chains[BOUNDARY + 1, a] = before
        else:
            if stamp[b] != tick and place[b] >= middle and place[b] < end and place[b] > after:
                stamp[b] = tick
                n = _insert(candidates, n, place, b)
            before = entry
        entry = following
    return n


@kernel(
    "int64(int64[::1], float64[:,::1], float64[:,::1], float64, float64, boolean, int64[::1], int64[:,::1], int64[::1],"
    " int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], float64[:,::1], int64[:,::1], int64, int64[::1],"
    " int64[:,::1], int64[::1], float64[::1], int64[::1])",
    allocates=True,
)
def merge(
    elements, V, planes, sign, eps, neighbours_only, owner, chains, next_face, start, vertex, next_edge, across, tree,
    boxes, children, n_nodes, place, scratch, sizes, defects, counts,
):  # fmt: skip
    """Decompose a list of elements: both halves first, then each left element with the right ones that remain.

    A pair is merged if it shares an edge and no vertex of either is above a plane of the other by more than eps. The
    merged element keeps the position of the left one.

    Args:
        elements: Their numbers, in order.
        V, planes: Vertices; planes of the faces.
        sign: 1, or -1 for planes that face the opposite direction.
        eps: How far a vertex may be above a plane.
        neighbours_only: Whether only pairs that share an edge are visited; the others cannot be merged.
        owner: The element that each element is a part of; its own number at first.
        chains: Heads and tails of the lists.
        next_face, next_edge, across: Their entries.
        start, vertex: The vertices of each face.
        tree: The root of the tree of each element; its number at first.
        boxes, children: Boxes of all nodes, faces first; children of the other nodes.
        n_nodes: How many nodes there are.
        place: The position of each element in the list, -1 for those that are not in it.
        scratch: Scratch, three rows with an entry for each element.
        sizes: How many faces each element has, kept up to date.
        defects: Largest height so far of each element, kept up to date.
        counts: Counters.

    Returns:
        The number of nodes.
    """
    n_faces = planes.shape[0]
    stamp, candidates, stack = scratch[0], scratch[1], scratch[2]
    stamp[:] = 0
    ranges = np.empty((RANGES, 3), np.int64)
    ranges[0, 0], ranges[0, 1], ranges[0, 2] = 0, elements.shape[0], LEFT
    top, tick = 1, 0
    while top > 0:
        begin, end, state = ranges[top - 1, 0], ranges[top - 1, 1], ranges[top - 1, 2]
        if end - begin < 2:
            top -= 1
            continue
        middle = (begin + end) // 2
        if state != MERGE:
            ranges[top - 1, 2] = state + 1
            ranges[top, 0] = begin if state == LEFT else middle
            ranges[top, 1] = middle if state == LEFT else end
            ranges[top, 2] = LEFT
            top += 1
            continue
        top -= 1
        for i in range(begin, middle):
            a = elements[i]
            if owner[a] != a:
                continue
            tick += 1
            if neighbours_only:
                n = _neighbours(a, chains[BOUNDARY, a], -1, middle, end, -1, owner, chains, next_edge, across, place,
                                stamp, tick, candidates, 0)  # fmt: skip
            else:
                n = 0
                for j in range(end - 1, middle - 1, -1):
                    if owner[elements[j]] == elements[j]:
                        candidates[n] = elements[j]
                        n += 1
            while n > 0:
                n -= 1
                b = candidates[n]
                counts[TESTED] += 1
                if not neighbours_only and not _share_edge(a, b, owner, chains, next_edge, across):
                    continue
                # Across a concave edge half of the larger element is above the few planes of the smaller one.
                few, many = (a, b) if sizes[a] < sizes[b] else (b, a)
                height = _highest(few, many, V, planes, sign, eps, chains, next_face, start, vertex, tree, boxes,
                                  children, stack, counts)  # fmt: skip
                if height > eps:
                    continue
                other = _highest(many, few, V, planes, sign, eps, chains, next_face, start, vertex, tree, boxes,
                                 children, stack, counts)  # fmt: skip
                height = max(height, other)
                if height > eps:
                    continue
                counts[MERGED] += 1
                owner[b] = a
                sizes[a] += sizes[b]
                defects[a] = max(defects[a], defects[b], height)
                _join(chains, FACES, next_face, a, b)
                _plant(n_nodes, tree[a], tree[b], boxes, children, n_faces)
                tree[a] = n_nodes
                n_nodes += 1
                before, entry = chains[BOUNDARY + 1, a], chains[BOUNDARY, b]
                _join(chains, BOUNDARY, next_edge, a, b)
                if neighbours_only:
                    n = _neighbours(a, entry, before, middle, end, place[b], owner, chains, next_edge, across, place,
                                    stamp, tick, candidates, n)  # fmt: skip
    return n_nodes


@kernel(boundscheck=False)
def _share_edge(a, b, owner, chains, next_edge, across):
    """Return whether two elements have an edge in common."""
    entry = chains[BOUNDARY, a]
    while entry >= 0:
        if _root(owner, across[entry]) == b:
            return True
        entry = next_edge[entry]
    return False
