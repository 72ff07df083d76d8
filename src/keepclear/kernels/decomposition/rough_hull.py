"""Approximate convex hulls for searching: faces as planes, fast and up to a tolerance. They prove nothing."""

from __future__ import annotations

import math

from keepclear.kernels._compile import kernel

MOST_FACES = 4096


@kernel(boundscheck=False)
def _face(Q, a, b, c, H, at):
    """Write the plane through three points, normal outwards if counter-clockwise; return whether there is one."""
    ux, uy, uz = Q[b, 0] - Q[a, 0], Q[b, 1] - Q[a, 1], Q[b, 2] - Q[a, 2]
    vx, vy, vz = Q[c, 0] - Q[a, 0], Q[c, 1] - Q[a, 1], Q[c, 2] - Q[a, 2]
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    s = math.sqrt(nx * nx + ny * ny + nz * nz)
    if s < 1e-200:
        H[at, 0], H[at, 1], H[at, 2], H[at, 3] = 0.0, 0.0, 0.0, 0.0
        return False
    nx, ny, nz = nx / s, ny / s, nz / s
    H[at, 0], H[at, 1], H[at, 2] = nx, ny, nz
    H[at, 3] = nx * Q[a, 0] + ny * Q[a, 1] + nz * Q[a, 2]
    return True


@kernel(boundscheck=False)
def _insert(Q, p, H, F, n, eps, seen):
    """Add point p to a hull of n faces; return the new number of faces, -1 if there is no space."""
    x, y, z = Q[p, 0], Q[p, 1], Q[p, 2]
    m = 0
    for f in range(n):
        if H[f, 0] * x + H[f, 1] * y + H[f, 2] * z - H[f, 3] > eps:
            seen[m] = f
            m += 1
    if m == 0:
        return n
    # Faces that are visible from the point move to the end of the list.
    end = n
    for i in range(m - 1, -1, -1):
        f = seen[i]
        end -= 1
        if f != end:
            for k in range(3):
                F[f, k], F[end, k] = F[end, k], F[f, k]
            for k in range(4):
                H[f, k], H[end, k] = H[end, k], H[f, k]
    # Edges of only one visible face form new faces with the point.
    top = n
    for i in range(end, n):
        for k in range(3):
            a, b = F[i, k], F[i, (k + 1) % 3]
            shared = False
            for j in range(end, n):
                if j != i and (
                    (F[j, 0] == b and F[j, 1] == a)
                    or (F[j, 1] == b and F[j, 2] == a)
                    or (F[j, 2] == b and F[j, 0] == a)
                ):
                    shared = True
                    break
            if not shared:
                if top >= F.shape[0]:
                    return -1
                F[top, 0], F[top, 1], F[top, 2] = a, b, p
                top += 1
    for i in range(n, top):
        to = end + i - n
        F[to, 0], F[to, 1], F[to, 2] = F[i, 0], F[i, 1], F[i, 2]
        _face(Q, F[to, 0], F[to, 1], F[to, 2], H, to)
    return end + top - n


@kernel(boundscheck=False)
def rough_hull(Q, n, eps, H, F, seen, mark):
    """Write the faces of the hull of n points: planes H (n . x = d), corners F; return how many.

    0: the points are flat. -1: it failed at points that are coplanar up to the tolerance, or has too many faces.
    """
    if n < 4:
        return 0
    a, b = 0, 0
    for i in range(1, n):
        if Q[i, 0] < Q[a, 0]:
            a = i
    best = 0.0
    for i in range(n):
        s = (Q[i, 0] - Q[a, 0]) ** 2 + (Q[i, 1] - Q[a, 1]) ** 2 + (Q[i, 2] - Q[a, 2]) ** 2
        if s > best:
            best, b = s, i
    if best <= eps * eps:
        return 0
    length = math.sqrt(best)
    ux, uy, uz = (Q[b, 0] - Q[a, 0]) / length, (Q[b, 1] - Q[a, 1]) / length, (Q[b, 2] - Q[a, 2]) / length
    best, c = 0.0, -1
    for i in range(n):
        x, y, z = Q[i, 0] - Q[a, 0], Q[i, 1] - Q[a, 1], Q[i, 2] - Q[a, 2]
        along = x * ux + y * uy + z * uz
        s = x * x + y * y + z * z - along * along
        if s > best:
            best, c = s, i
    if best <= eps * eps:
        return 0
    _face(Q, a, b, c, H, 0)
    best, d, sign = 0.0, -1, 1.0
    for i in range(n):
        s = H[0, 0] * Q[i, 0] + H[0, 1] * Q[i, 1] + H[0, 2] * Q[i, 2] - H[0, 3]
        if abs(s) > best:
            best, d, sign = abs(s), i, s
    if best <= eps:
        return 0
    if sign > 0.0:
        b, c = c, b
    F[0, 0], F[0, 1], F[0, 2] = a, b, c
    F[1, 0], F[1, 1], F[1, 2] = a, d, b
    F[2, 0], F[2, 1], F[2, 2] = b, d, c
    F[3, 0], F[3, 1], F[3, 2] = c, d, a
    for i in range(4):
        _face(Q, F[i, 0], F[i, 1], F[i, 2], H, i)
    faces = 4
    # Extreme points first: most others are then inside immediately.
    for k in range(13):
        x, y, z = k % 3 - 1.0, (k // 3) % 3 - 1.0, (k // 9) % 3 - 1.0
        low, high, least, most = 0, 0, math.inf, -math.inf
        for i in range(n):
            s = x * Q[i, 0] + y * Q[i, 1] + z * Q[i, 2]
            if s < least:
                least, low = s, i
            if s > most:
                most, high = s, i
        faces = _insert(Q, low, H, F, faces, eps, seen)
        faces = _insert(Q, high, H, F, faces, eps, seen) if faces > 0 else faces
        if faces < 0:
            return -1
    for i in range(n):
        faces = _insert(Q, i, H, F, faces, eps, seen)
        if faces < 0:
            return -1
    # A closed triangulated surface of genus 0 has twice as many triangles as vertices, less four.
    for i in range(n):
        mark[i] = False
    vertices = 0
    for f in range(faces):
        for k in range(3):
            if not mark[F[f, k]]:
                mark[F[f, k]] = True
                vertices += 1
    return faces if faces == 2 * vertices - 4 else -1


@kernel(boundscheck=False)
def volume_of(Q, F, n):
    """Return the volume that n faces enclose."""
    total = 0.0
    if n <= 0:
        return total
    ox, oy, oz = Q[F[0, 0], 0], Q[F[0, 0], 1], Q[F[0, 0], 2]
    for f in range(n):
        a, b, c = F[f, 0], F[f, 1], F[f, 2]
        ax, ay, az = Q[a, 0] - ox, Q[a, 1] - oy, Q[a, 2] - oz
        bx, by, bz = Q[b, 0] - ox, Q[b, 1] - oy, Q[b, 2] - oz
        cx, cy, cz = Q[c, 0] - ox, Q[c, 1] - oy, Q[c, 2] - oz
        total += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
    return total / 6.0


@kernel(boundscheck=False)
def escape(H, n, x, y, z):
    """Return how deep a point is inside of n faces: the distance to the nearest one; negative outside."""
    least = math.inf
    for f in range(n):
        s = H[f, 3] - (H[f, 0] * x + H[f, 1] * y + H[f, 2] * z)
        if s < least:
            least = s
            if s < 0.0:
                return s
    return least
