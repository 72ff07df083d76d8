"""Flat faces of a surface: neighbouring triangles that lie in one plane within a tolerance."""

from __future__ import annotations

from keepclear.kernels._compile import kernel

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
