"""Divide and conquer on faces as it is described, with lists and sets, in exact arithmetic, for integer coordinates."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np

Plane = tuple[tuple[int, int, int], int]


def decomposed(vertices: np.ndarray, triangles: np.ndarray, sign: int = 1) -> list[set[int]]:
    """Return elements as sets of triangles; coplanar neighbours are one face from the start."""
    points = [tuple(int(x) for x in p) for p in vertices]
    first = {p: i for i, p in reversed(list(enumerate(points)))}
    T = [tuple(first[points[v]] for v in t) for t in triangles]
    planes = [_plane(points, t) for t in T]
    across = _neighbours(T)
    faces = _flat(T, planes, across)
    found = [set(face) for face in faces]
    n = len(found) + 1
    while len(found) < n:
        n = len(found)
        found = _decompose(found, points, T, planes, across, sign)
    return found


def _decompose(items, points, T, planes, across, sign):
    if len(items) < 2:
        return items
    middle = len(items) // 2
    left = _decompose(items[:middle], points, T, planes, across, sign)
    right = _decompose(items[middle:], points, T, planes, across, sign)
    merged = []
    for a in left:
        rest = []
        for b in right:
            if _fit(a, b, points, T, planes, across, sign):
                a = a | b
            else:
                rest.append(b)
        merged.append(a)
        right = rest
    return merged + right


def _fit(a, b, points, T, planes, across, sign):
    """Return whether two elements share an edge and each bounds the other."""
    if not any(u in b for t in a for u in across[t]):
        return False
    for one, other in ((a, b), (b, a)):
        corners = {v for t in other for v in T[t]}
        for t in one:
            normal, offset = planes[t]
            if any(
                sign * (sum(n * x for n, x in zip(normal, points[v], strict=True)) - offset) > 0
                for v in corners
            ):
                return False
    return True


def _plane(points, t) -> Plane:
    a, b, c = (np.array(points[v], dtype=object) for v in t)
    u, v = b - a, c - a
    normal = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    return normal, sum(n * x for n, x in zip(normal, a, strict=True))


def _same_plane(p: Plane, q: Plane) -> bool:
    k = next(i for i in range(3) if p[0][i])
    ratio = Fraction(int(q[0][k]), int(p[0][k]))
    return ratio > 0 and all(ratio * x == y for x, y in zip((*p[0], p[1]), (*q[0], q[1]), strict=True))


def _neighbours(T):
    """Return the triangles across the edges of each, where two share an edge in opposite directions."""
    users: dict[tuple[int, int], list[tuple[int, bool]]] = {}
    for i, t in enumerate(T):
        for a, b in ((t[0], t[1]), (t[1], t[2]), (t[2], t[0])):
            users.setdefault((min(a, b), max(a, b)), []).append((i, a < b))
    across: list[list[int]] = [[] for _ in T]
    for found in users.values():
        if len(found) == 2 and found[0][1] != found[1][1]:
            for (i, _), (j, _) in (found, found[::-1]):
                across[i].append(j)
    return across


def _flat(T, planes, across):
    """Return coplanar triangles that hang together, in the order of their first triangle."""
    face = list(range(len(T)))
    for i, beside in enumerate(across):
        for j in beside:
            if _same_plane(planes[i], planes[j]):
                a, b = sorted((face[i], face[j]))
                face = [a if f == b else f for f in face]
    return [[i for i, f in enumerate(face) if f == root] for root in sorted(set(face))]


def bounds_itself(vertices: np.ndarray, triangles: np.ndarray, faces: set[int], sign: int) -> bool:
    """Return whether no corner of an element is beyond the plane of one of its faces, exactly."""
    points = [tuple(int(x) for x in p) for p in vertices]
    corners = {int(v) for t in faces for v in triangles[t]}
    for t in faces:
        normal, offset = _plane(points, triangles[t])
        if any(
            sign * (sum(n * x for n, x in zip(normal, points[v], strict=True)) - offset) > 0 for v in corners
        ):
            return False
    return True


def can_still_merge(vertices: np.ndarray, triangles: np.ndarray, elements: list[set[int]], sign: int) -> bool:
    """Return whether any two elements fit together."""
    points = [tuple(int(x) for x in p) for p in vertices]
    first = {p: i for i, p in reversed(list(enumerate(points)))}
    T = [tuple(first[points[v]] for v in t) for t in triangles]
    planes, across = [_plane(points, t) for t in T], _neighbours(T)
    return any(_fit(a, b, points, T, planes, across, sign) for a, b in combinations(elements, 2))
