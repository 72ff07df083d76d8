"""Trees of oriented boxes over triangles: built top-down by the covariance of the surface, and refitted.

A node is 64 bytes, one cache line: 15 numbers in single precision and a link, in one buffer that kernels access both as
float32 and as int32 (see `surface_layout` for the surface itself). Coordinates are relative to the origin of the
surface, so that single precision loses little; its error is added to the half sizes.
"""

from __future__ import annotations

import math

import numpy as np

from keepclear.compiler.kernel import kernel
from keepclear.kernels.tables.surface import N_TRIANGLES, ORIGIN, ROOT_HALF, SURFACE_HEADER
from keepclear.kernels.vectors import (
    cross,
    dot,
    matrix,
    minus,
    plus,
    put,
    scaled,
    three,
    turned,
    turned_back,
    wide,
)

# Words of a node. The axes are unit vectors to single precision, the thinnest direction first.
CENTER, AXES, HALF, LINK, NODE = 0, 3, 12, 15, 16

# Widening of the half sizes, as a fraction of their sum. Axes rounded to single precision have errors of 6e-8 each, so
# their products differ from those of orthonormal vectors by less than 4e-7. A box as centre plus multiples of its axes,
# and the gaps along them, then stay on the safe side (docs/theory/oriented-boxes).
INFLATION = 2e-6
# Each side of a split gets at least a sixteenth, so there are at most log(2^31) / log(16/15) + 2 < 350 levels.
STACK = 3 * 700
SINGLE_UP = 1.0 + 2.0**-22  # rounds a positive number up through the conversion to single precision


@kernel(inline=True, boundscheck=False)
def corner(S, T, k):
    """Return a corner of a triangle (entry k of T), relative to the origin of the surface."""
    q = SURFACE_HEADER + 3 * T[k]
    return S[q] - S[ORIGIN], S[q + 1] - S[ORIGIN + 1], S[q + 2] - S[ORIGIN + 2]


@kernel(inline=True, boundscheck=False)
def _rotate(p, q, r, x, y, vx, vy, vz, wx, wy, wz):
    """Make the entry r of a symmetric matrix zero (Jacobi): diagonal p, q; x, y couple them to the third axis."""
    # harmless (1e-15 * (abs(p) + abs(q))): any rotation keeps axes orthonormal, and boxes are fitted to any axes
    if abs(r) <= 1e-15 * (abs(p) + abs(q)):
        return p, q, x, y, vx, vy, vz, wx, wy, wz
    theta = 0.5 * (q - p) / r
    t = 1.0 / (abs(theta) + math.sqrt(theta * theta + 1.0))
    if theta < 0.0:
        t = -t
    c = 1.0 / math.sqrt(t * t + 1.0)
    s = t * c
    return (
        p - t * r, q + t * r, c * x - s * y, s * x + c * y,
        c * vx - s * wx, c * vy - s * wy, c * vz - s * wz, s * vx + c * wx, s * vy + c * wy, s * vz + c * wz,
    )  # fmt: skip


@kernel(boundscheck=False)
def principal_axes(xx, yy, zz, xy, xz, yz, A):
    """Write the eigenvectors of a symmetric matrix to A[0:9] (three rows), the smallest eigenvalue first."""
    ux, uy, uz = 1.0, 0.0, 0.0
    vx, vy, vz = 0.0, 1.0, 0.0
    wx, wy, wz = 0.0, 0.0, 1.0
    for _ in range(8):
        # harmless (<=): boxes are fitted to any orthonormal axes
        # harmless (1e-9 * (xx + yy + zz)): likewise
        if abs(xy) + abs(xz) + abs(yz) <= 1e-9 * (xx + yy + zz):  # axes need few digits
            break
        xx, yy, xz, yz, ux, uy, uz, vx, vy, vz = _rotate(xx, yy, xy, xz, yz, ux, uy, uz, vx, vy, vz)
        xy = 0.0
        xx, zz, xy, yz, ux, uy, uz, wx, wy, wz = _rotate(xx, zz, xz, xy, yz, ux, uy, uz, wx, wy, wz)
        xz = 0.0
        yy, zz, xy, xz, vx, vy, vz, wx, wy, wz = _rotate(yy, zz, yz, xy, xz, vx, vy, vz, wx, wy, wz)
        yz = 0.0
    if yy < xx:
        xx, yy = yy, xx
        ux, uy, uz, vx, vy, vz = vx, vy, vz, ux, uy, uz
    if zz < xx:
        xx, zz = zz, xx
        ux, uy, uz, wx, wy, wz = wx, wy, wz, ux, uy, uz
    if zz < yy:
        vx, vy, vz, wx, wy, wz = wx, wy, wz, vx, vy, vz
    A[0], A[1], A[2] = ux, uy, uz
    A[3], A[4], A[5] = vx, vy, vz
    A[6], A[7], A[8] = wx, wy, wz


@kernel(boundscheck=False)
def _triangle_axes(S, T, t, A):
    """Write to A a triangle's normal and the directions across and along its longest edge; return if they exist."""
    best, e, f = -1.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for i in range(3):
        a = corner(S, T, 3 * t + i)
        u = minus(corner(S, T, 3 * t + (i + 1) % 3), a)
        length = dot(u, u)
        if length > best:
            best, e, f = length, u, minus(corner(S, T, 3 * t + (i + 2) % 3), a)
    n = cross(e, f)
    area = dot(n, n)
    # Rounding turns the normal by 4 u of two edges over the area. Below this the axes would not be orthogonal to single
    # precision, and neither bounds along them nor boxes would be as accurate as searches assume.
    if not area > 1e-14 * best * best:
        return False
    n, e = scaled(1.0 / math.sqrt(area), n), scaled(1.0 / math.sqrt(best), e)
    put(A, 0, n)
    put(A, 3, cross(n, e))
    put(A, 6, e)
    return True


@kernel(boundscheck=False)
def _spread_axes(S, T, order, first, last, A):
    """Write the principal axes of the surface of the triangles order[first:last] to A.

    Moments of a triangle with area m, centroid c and corners v: m (9 c c^T + sum v v^T) / 12 (Gottschalk 2000, 3.2).
    They are weighted by area, not by vertices: a region with dense vertices has no more surface.
    """
    total, mx, my, mz = 0.0, 0.0, 0.0, 0.0
    xx, yy, zz = 0.0, 0.0, 0.0
    xy, xz, yz = 0.0, 0.0, 0.0
    for k in range(first, last):
        t = 3 * order[k]
        a, b, c = corner(S, T, t), corner(S, T, t + 1), corner(S, T, t + 2)
        n = cross(minus(b, a), minus(c, a))
        m = math.sqrt(dot(n, n))
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = a, b, c
        sx, sy, sz = ax + bx + cx, ay + by + cy, az + bz + cz
        total += m
        mx, my, mz = mx + m * sx, my + m * sy, mz + m * sz
        xx += m * (sx * sx + ax * ax + bx * bx + cx * cx)
        yy += m * (sy * sy + ay * ay + by * by + cy * cy)
        zz += m * (sz * sz + az * az + bz * bz + cz * cz)
        xy += m * (sx * sy + ax * ay + bx * by + cx * cy)
        xz += m * (sx * sz + ax * az + bx * bz + cx * cz)
        yz += m * (sy * sz + ay * az + by * bz + cy * cz)
    if total > 0.0:
        # mean = (sum m s) / (3 total); covariance = (sum) / (12 total) - mean mean^T
        q, r = 1.0 / (12.0 * total), 1.0 / (3.0 * total)
        mx, my, mz = r * mx, r * my, r * mz
        xx, yy, zz = q * xx - mx * mx, q * yy - my * my, q * zz - mz * mz
        xy, xz, yz = q * xy - mx * my, q * xz - mx * mz, q * yz - my * mz
    principal_axes(xx, yy, zz, xy, xz, yz, A)


@kernel(boundscheck=False)
def fit_box(S, T, order, first, last, N, node, A):
    """Write centre, axes and half sizes of the box around the triangles order[first:last] to a node."""
    if last - first > 1 or not _triangle_axes(S, T, order[first], A):
        _spread_axes(S, T, order, first, last, A)
    at = NODE * node
    for i in range(9):
        N[at + AXES + i] = np.float32(A[i])
        A[i] = np.float64(N[at + AXES + i])
    axes = matrix(A, 0)
    lo0, lo1, lo2 = math.inf, math.inf, math.inf
    hi0, hi1, hi2 = -math.inf, -math.inf, -math.inf
    for k in range(first, last):
        t = 3 * order[k]
        for i in range(3):
            p, q, r = turned(axes, corner(S, T, t + i))
            lo0, hi0 = min(lo0, p), max(hi0, p)
            lo1, hi1 = min(lo1, q), max(hi1, q)
            lo2, hi2 = min(lo2, r), max(hi2, r)
    m0, m1, m2 = 0.5 * (lo0 + hi0), 0.5 * (lo1 + hi1), 0.5 * (lo2 + hi2)
    x, y, z = turned_back(axes, (m0, m1, m2))
    N[at], N[at + 1], N[at + 2] = np.float32(x), np.float32(y), np.float32(z)
    # Relative to the rounded centre; the last term is the rounding of these products themselves.
    x, y, z = turned(axes, wide(N, at))
    h0, h1, h2 = (
        0.5 * (hi0 - lo0) + abs(x - m0),
        0.5 * (hi1 - lo1) + abs(y - m1),
        0.5 * (hi2 - lo2) + abs(z - m2),
    )
    more = INFLATION * (h0 + h1 + h2) + 1e-15 * (S[ROOT_HALF] + S[ROOT_HALF + 1] + S[ROOT_HALF + 2])
    # harmless (SINGLE_UP): INFLATION is five times what is needed, and this rounding 3 % of it
    N[at + HALF] = np.float32((h0 + more) * SINGLE_UP)
    # harmless (SINGLE_UP): INFLATION is five times what is needed, and this rounding 3 % of it
    N[at + HALF + 1] = np.float32((h1 + more) * SINGLE_UP)
    # harmless (SINGLE_UP): INFLATION is five times what is needed, and this rounding 3 % of it
    N[at + HALF + 2] = np.float32((h2 + more) * SINGLE_UP)


@kernel(boundscheck=False)
def _split(S, T, order, first, last, u):
    """Partition the triangles first..last-1 by their side of the mean along u; return where those beyond it begin."""
    mean = 0.0
    for k in range(first, last):
        t = 3 * order[k]
        for i in range(3):
            mean += dot(u, corner(S, T, t + i))
    mean /= last - first
    i, j = first, last - 1
    while i <= j:
        t = 3 * order[i]
        if dot(u, plus(plus(corner(S, T, t), corner(S, T, t + 1)), corner(S, T, t + 2))) < mean:
            i += 1
        else:
            order[i], order[j] = order[j], order[i]
            j -= 1
    # A split that leaves almost nothing on one side would make the tree deep: halve the list instead.
    least = (last - first) // 16 + 1
    return i if i - first >= least and last - i >= least else (first + last) // 2


@kernel("int64(float64[::1], int32[::1], int32[::1], float32[::1], int32[::1], int64[::1], float64[::1])")
def build(S, T, order, N, L, stack, A):
    """Build the tree over all triangles; return the number of nodes.

    Args:
        S, T: The surface.
        order: One entry per triangle; receives the triangles in the order of the nodes above them.
        N, L: Space for 2 n - 1 nodes, two views of the same memory.
        stack: STACK numbers of scratch.
        A: Space for 9 numbers.
    """
    n = int(S[N_TRIANGLES])
    for k in range(n):
        order[k] = k
    n_nodes, depth = 1, 1
    stack[0], stack[1], stack[2] = 0, 0, n
    while depth > 0:
        depth -= 1
        node, first, last = stack[3 * depth], stack[3 * depth + 1], stack[3 * depth + 2]
        fit_box(S, T, order, first, last, N, node, A)
        at = NODE * node
        if last - first == 1:
            L[at + LINK] = -1 - order[first]
            continue
        longest = 2 if N[at + HALF + 2] >= N[at + HALF + 1] else 1
        middle = _split(S, T, order, first, last, three(A, 3 * longest))
        L[at + LINK] = n_nodes
        stack[3 * depth], stack[3 * depth + 1], stack[3 * depth + 2] = n_nodes + 1, middle, last
        depth += 1
        stack[3 * depth], stack[3 * depth + 1], stack[3 * depth + 2] = n_nodes, first, middle
        depth += 1
        n_nodes += 2
    return n_nodes


@kernel("int64(float64[::1], int32[::1], int32[::1], float32[::1], int32[::1], int64[::1], float64[::1], uint8[::1],"
        " int32[::1])")  # fmt: skip
def refit(S, T, order, N, L, stack, A, is_moved, n_moved):
    """Fit the boxes of a built tree to vertices that moved; return how many boxes were fitted.

    A node's triangles are a range of `order`; its first child has the first of them, and a leaf has one. So a traversal
    in the order of building, left before right, finds where each range begins, and on the way up where it ends.

    Args:
        S, T: The surface, with new vertices.
        order: Scratch, one entry per triangle; filled as by `build`.
        N, L: The nodes.
        stack, A: Scratch as for `build`.
        is_moved: Which triangles have moved; boxes that contain none of them are unchanged.
        n_moved: Scratch, one entry more than there are triangles.
    """
    depth, done, n_nodes = 1, 0, 0
    stack[0], stack[1], n_moved[0] = 0, -1, 0
    while depth > 0:
        node, first = stack[2 * depth - 2], stack[2 * depth - 1]
        link = L[NODE * node + LINK]
        if first < 0 and link >= 0:  # on the way down
            stack[2 * depth - 1] = done
            stack[2 * depth], stack[2 * depth + 1] = link + 1, -1
            stack[2 * depth + 2], stack[2 * depth + 3] = link, -1
            depth += 2
            continue
        if link < 0:
            first = done
            order[done] = -1 - link
            n_moved[done + 1] = n_moved[done] + is_moved[order[done]]
            done += 1
        # harmless (n_moved[first]): boxes of triangles that did not move are fitted again
        if n_moved[done] > n_moved[first]:
            fit_box(S, T, order, first, done, N, node, A)
            n_nodes += 1
        depth -= 1
    return n_nodes
