"""Approximate convex hulls for searching: faces as planes, fast and up to a tolerance. They prove nothing."""

from __future__ import annotations

import math

import numpy as np

from keepclear.compiler.kernel import kernel
from keepclear.kernels.decomposition.void_depth import is_inside, scratch_of

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


@kernel(inline=True, boundscheck=False)
def _height(plane, points, k):
    return plane[0] * points[k, 0] + plane[1] * points[k, 1] + plane[2] * points[k, 2] - plane[3]


@kernel(inline=True, boundscheck=False)
def _crossing(points, a, b, ha, hb, out, at):
    """Write where the edge from a, below, to b, above, crosses height 0; heights are relative to the plane."""
    t = -ha / (hb - ha)
    for k in range(3):
        value = points[a, k] + t * (points[b, k] - points[a, k])
        low, high = min(points[a, k], points[b, k]), max(points[a, k], points[b, k])
        out[at, k] = min(max(value, low), high)


@kernel(
    "int64(float64[:,::1], int64[::1], float64[::1], float64[:,::1], int64[::1], int64[::1])",
    boundscheck=False,
)
def clip(points, start, plane, out, out_start, source):
    """Write the parts of polygons that are not above a plane; return how many there are.

    Args:
        points, start: Corners of convex polygons; where each of them begins.
        plane: Unit normal n and offset d: the part with n . x <= d is kept.
        out, out_start: The corners of the remaining polygons: space for all corners and one more for each polygon.
        source: For each remaining polygon the number of the one that it was cut from.
    """
    n, at = 0, 0
    out_start[0] = 0
    for p in range(start.shape[0] - 1):
        first, end = start[p], start[p + 1]
        for i in range(first, end):
            j = i + 1 if i + 1 < end else first
            hi, hj = _height(plane, points, i), _height(plane, points, j)
            if hi <= 0.0:
                out[at, 0], out[at, 1], out[at, 2] = points[i, 0], points[i, 1], points[i, 2]
                at += 1
                if hj > 0.0:
                    _crossing(points, i, j, hi, hj, out, at)
                    at += 1
            elif hj <= 0.0:
                _crossing(points, j, i, hj, hi, out, at)
                at += 1
        if at > out_start[n]:
            source[n] = p
            n += 1
            out_start[n] = at
    return n


@kernel(boundscheck=False)
def _corner(planes, i, j, plane, shift, x):
    """Write the point of three planes, each moved outwards by `shift`; return whether there is one."""
    a0, a1, a2 = planes[i, 0], planes[i, 1], planes[i, 2]
    b0, b1, b2 = planes[j, 0], planes[j, 1], planes[j, 2]
    c0, c1, c2 = plane[0], plane[1], plane[2]
    u0, u1, u2 = b1 * c2 - b2 * c1, b2 * c0 - b0 * c2, b0 * c1 - b1 * c0
    det = a0 * u0 + a1 * u1 + a2 * u2
    if abs(det) < 1e-9:
        return False
    v0, v1, v2 = c1 * a2 - c2 * a1, c2 * a0 - c0 * a2, c0 * a1 - c1 * a0
    w0, w1, w2 = a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0
    da, db, dc = planes[i, 3] + shift, planes[j, 3] + shift, plane[3] + shift
    x[0] = (da * u0 + db * v0 + dc * w0) / det
    x[1] = (da * u1 + db * v1 + dc * w1) / det
    x[2] = (da * u2 + db * v2 + dc * w2) / det
    return True


@kernel(boundscheck=False)
def _within(planes, n, x, slack):
    for k in range(n):
        if planes[k, 0] * x[0] + planes[k, 1] * x[1] + planes[k, 2] * x[2] - planes[k, 3] > slack:
            return False
    return True


@kernel(
    "int64(float64[::1], int32[::1], float32[::1], int32[::1], float64[:,::1], float64, float64[:,::1], boolean[::1])",
    allocates=True,
)
def corners(S, T, N, L, planes, shift, out, inside):
    """Write the corners of a cell with planes moved outwards, and whether each is in the solid; return their number."""
    scratch, x, n, m = scratch_of(L), np.empty(3), 0, planes.shape[0]
    largest = 0.0
    for k in range(m):
        largest = max(largest, abs(planes[k, 3]))
    slack = shift * (1.0 + 1e-6) + 1e-14 * largest
    for k in range(2, m):
        for i in range(k):
            for j in range(i):
                if (
                    n < out.shape[0]
                    and _corner(planes, i, j, planes[k], shift, x)
                    and _within(planes, m, x, slack)
                ):
                    out[n, 0], out[n, 1], out[n, 2] = x[0], x[1], x[2]
                    inside[n] = is_inside(S, T, N, L, x[0], x[1], x[2], scratch)
                    n += 1
    return n


@kernel(allocates=True)
def _sorted_along(points, directions):
    """Return for each direction the order of points along it, and their heights in this order."""
    n, m = points.shape[0], directions.shape[0]
    order, heights = np.empty((m, n), np.int64), np.empty((m, n))
    for k in range(m):
        along = np.empty(n)
        for i in range(n):
            along[i] = (
                directions[k, 0] * points[i, 0]
                + directions[k, 1] * points[i, 1]
                + directions[k, 2] * points[i, 2]
            )
        index = np.argsort(along)
        for i in range(n):
            order[k, i], heights[k, i] = index[i], along[index[i]]
    return order, heights


@kernel(boundscheck=False)
def _surround(order, heights, void_order, void_heights, is_above, void_above, above, counts):
    """Write for each point of the void on one side of a plane how many of the samples there surround it.

    That is the least number of samples in a half-space with the point on its boundary (Tukey's depth), over some
    directions: 0 if the point is outside of the hull of the samples.
    """
    n, m = order.shape[1], void_order.shape[1]
    total = 0
    for i in range(n):
        total += is_above[i] == above
    for i in range(m):
        counts[i] = total if void_above[i] == above else 0
    for k in range(order.shape[0]):
        i, below = 0, 0
        for j in range(m):
            v = void_order[k, j]
            while i < n and heights[k, i] < void_heights[k, j]:
                below += is_above[order[k, i]] == above
                i += 1
            if void_above[v] == above:
                counts[v] = min(counts[v], min(below, total - below))


@kernel(
    "int64(float64[:,::1], float64[:,::1], float64[:,::1], float64[:,::1], float64[:,:,::1])",
    allocates=True,
)
def rate_by_samples(samples, void, directions, candidates, surround):
    """Write how many samples of a part surround points of its void after a cut, (cuts, 2 sides, points); return 0."""
    order, heights = _sorted_along(samples, directions)
    void_order, void_heights = _sorted_along(void, directions)
    n, m = samples.shape[0], void.shape[0]
    is_above, void_above, counts = np.empty(n, np.bool_), np.empty(m, np.bool_), np.empty(m, np.int64)
    for q in range(candidates.shape[0]):
        for i in range(n):
            is_above[i] = _height(candidates[q], samples, i) > 0.0
        for i in range(m):
            void_above[i] = _height(candidates[q], void, i) > 0.0
        for side in range(2):
            _surround(order, heights, void_order, void_heights, is_above, void_above, side == 1, counts)
            for i in range(m):
                surround[q, side, i] = counts[i]
    return 0


@kernel(
    "int64(float64[::1], int32[::1], float32[::1], int32[::1], float64[:,::1], int64[:,::1], float64[:,::1],"
    " float64[:,::1], boolean[::1], float64[:,::1], float64[:,::1], float64[:,:,::1], float64, float64,"
    " float64[:,::1])",
    allocates=True,
)
def rate_cuts(
    S, T, N, L, points, edges, planes, corner_points, inside, candidates, void, weights, shift, eps, rates
):
    """Write for each plane how much of the void remains in the hulls of both sides: the sum of the weights.

    Args:
        S, T, N, L: The solid.
        points, edges: Corners of the polygons of a part, and the edges of its polygons.
        planes, corner_points, inside: Its cell, its corners, and which of them are in the solid.
        candidates: Planes, (n, 4).
        void: Points that no hull should contain, (m, 4).
        weights: Their weights, (n, 2 sides, m).
        shift: How far both sides reach beyond the plane.
        eps: Tolerance of hulls.
        rates: For each plane and side: the remaining void, and the volume of the hull.
    """
    scratch, x = scratch_of(L), np.empty(3)
    n, e, c, m = points.shape[0], edges.shape[0], corner_points.shape[0], planes.shape[0]
    Q, new = np.empty((n + e + c + m * m + 8, 3)), np.empty((m * m, 3))
    H, F, seen = (
        np.empty((MOST_FACES, 4)),
        np.empty((MOST_FACES, 3), np.int64),
        np.empty(MOST_FACES, np.int64),
    )
    heights, mark = np.empty(n), np.empty(Q.shape[0], np.bool_)
    for q in range(candidates.shape[0]):
        plane, n_new = candidates[q], 0
        for i in range(m):
            for j in range(i):
                if _corner(planes, i, j, plane, 0.0, x) and _within(planes, m, x, shift):
                    if is_inside(S, T, N, L, x[0], x[1], x[2], scratch):
                        new[n_new, 0], new[n_new, 1], new[n_new, 2] = x[0], x[1], x[2]
                        n_new += 1
        for i in range(n):
            heights[i] = _height(plane, points, i)
        for side in range(2):
            sign, k = 1.0 - 2.0 * side, n_new
            for i in range(n_new):
                Q[i, 0], Q[i, 1], Q[i, 2] = new[i, 0], new[i, 1], new[i, 2]
            for i in range(n):
                if sign * heights[i] <= shift:
                    Q[k, 0], Q[k, 1], Q[k, 2] = points[i, 0], points[i, 1], points[i, 2]
                    k += 1
            for i in range(e):
                a, b = edges[i, 0], edges[i, 1]
                ha, hb = sign * heights[a] - shift, sign * heights[b] - shift
                if ha <= 0.0 and hb > 0.0:
                    _crossing(points, a, b, ha, hb, Q, k)
                    k += 1
                elif hb <= 0.0 and ha > 0.0:
                    _crossing(points, b, a, hb, ha, Q, k)
                    k += 1
            for i in range(c):
                if inside[i] and sign * _height(plane, corner_points, i) <= shift:
                    Q[k, 0], Q[k, 1], Q[k, 2] = corner_points[i, 0], corner_points[i, 1], corner_points[i, 2]
                    k += 1
            faces = rough_hull(Q, k, eps, H, F, seen, mark)
            total = 0.0
            for i in range(void.shape[0]):
                if faces != 0 and sign * _height(plane, void, i) <= shift:
                    if faces < 0 or escape(H, faces, void[i, 0], void[i, 1], void[i, 2]) > 0.0:
                        total += weights[q, side, i]
            rates[q, 2 * side], rates[q, 2 * side + 1] = total, volume_of(Q, F, faces)
    return 0


@kernel(
    "UniTuple(float64, 2)(float64[:,::1], float64[:,::1], float64, boolean[::1], boolean[::1])",
    allocates=True,
)
def probe_hull(points, void, eps, is_vertex, is_held):
    """Return the volume of the hull of points and the greatest weight of void in it; mark vertices, and void inside.

    The volume is negative where the hull was not found.
    """
    n = points.shape[0]
    H, F, seen = (
        np.empty((MOST_FACES, 4)),
        np.empty((MOST_FACES, 3), np.int64),
        np.empty(MOST_FACES, np.int64),
    )
    faces = rough_hull(points, n, eps, H, F, seen, is_vertex)
    if faces < 0:
        return -1.0, 0.0
    for i in range(n):
        is_vertex[i] = faces == 0
    for f in range(faces):
        for k in range(3):
            is_vertex[F[f, k]] = True
    most = 0.0
    for i in range(void.shape[0]):
        is_held[i] = False
        if faces > 0 and escape(H, faces, void[i, 0], void[i, 1], void[i, 2]) > eps:
            is_held[i] = True
            most = max(most, void[i, 3])
    return volume_of(points, F, faces), most
