"""Penetration depth of two cores in closed form: parallel cylinders, and boxes with each other."""

from __future__ import annotations

import math

import numpy as np

from keepclear.compiler.kernel import kernel
from keepclear.kernels.convex.gjk import (
    CONVERGED,
    CORES_MEET,
    DISTANCE,
    LOWER,
    MEMORY,
    NORMAL,
    POINT_A,
    ROUNDING,
    ROW,
    STATE,
    UPPER,
    WALK_SLACK,
    center_line,
    difference,
    relative_pose,
    search,
    state_of,
    witness_points,
    write_points,
)
from keepclear.kernels.convex.pose import load_pose
from keepclear.kernels.convex.simplex import sliver_normal
from keepclear.kernels.convex.support import (
    BOX,
    CYLINDER,
    DEFECT,
    EXTENT,
    KIND,
    POINT,
    RADIUS,
    SEGMENT,
    SIZE_X,
    SIZE_Y,
    SIZE_Z,
    UNIT,
    WALK,
    certain_support,
    is_curved,
    support,
    walk_slack,
)


@kernel
def parallel_cylinders(FA, FB, pose):
    """Return the depth and direction in closed form where A - B is an upright cylinder, exactly or nearly.

    The Minkowski sum of points, segments and cylinders with parallel axes is one cylinder; its nearest surface is the
    side or a cap. A polytope would need 70 000 faces for nine digits of the side.

    Returns:
        (found, depth, direction, error): error bounds the effect of a slight angle between the axes [m].
    """
    r02, r12, r22 = pose[2], pose[5], pose[8]
    px, py, pz = pose[9], pose[10], pose[11]
    ka, kb = int(FA[KIND]), int(FB[KIND])
    round_a, round_b = (
        ka == POINT or ka == SEGMENT or ka == CYLINDER,
        kb == POINT or kb == SEGMENT or kb == CYLINDER,
    )
    x, y, z = 0.0, 0.0, 1.0
    angle = 0.0
    if ka == POINT:
        x, y, z = r02, r12, r22
    elif kb != POINT:
        angle = math.sqrt(r02 * r02 + r12 * r12)
    # harmless (1e-9): cylinders that are not exactly parallel are then searched like other bodies
    if not (round_a and round_b) or angle > 1e-9:
        return False, 0.0, 0.0, 0.0, 0.0, 0.0
    # The offset of B along the common axis, and perpendicular to it: s times the unit vector (ux, uy, uz).
    along = x * px + y * py + z * pz
    ux, uy, uz = px - along * x, py - along * y, pz - along * z
    s = math.sqrt(ux * ux + uy * uy + uz * uz)
    error = angle * (FA[EXTENT] + FB[EXTENT])
    # harmless (1e-12 * (FA[EXTENT] + FB[EXTENT])): the direction of a shorter offset is right too
    if s > 1e-12 * (FA[EXTENT] + FB[EXTENT]):
        ux, uy, uz = ux / s, uy / s, uz / s
    else:  # on the axis all perpendicular directions are equivalent: take one
        ux, uy, uz = (0.0, z, -y) if abs(x) <= 0.6 else (-z, 0.0, x)
        u = math.sqrt(ux * ux + uy * uy + uz * uz)
        ux, uy, uz = ux / u, uy / u, uz / u
        error += 2.0 * s
    side, cap = FA[SIZE_X] + FB[SIZE_X] - s, FA[SIZE_Z] + FB[SIZE_Z] - abs(along)
    if cap <= side:
        sign = 1.0 if along >= 0.0 else -1.0
        return True, cap, sign * x, sign * y, sign * z, error
    return True, side, ux, uy, uz, error


@kernel(inline=True, boundscheck=False)
def _store_edges(F, points, n, r00, r01, r02, r10, r11, r12, r20, r21, r22):
    """Append the half edges of a box or segment, rotated by r, to the rows of points; return their number."""
    if F[KIND] == BOX:
        points[n, 0], points[n, 1], points[n, 2] = F[SIZE_X] * r00, F[SIZE_X] * r10, F[SIZE_X] * r20
        points[n + 1, 0], points[n + 1, 1], points[n + 1, 2] = (
            F[SIZE_Y] * r01,
            F[SIZE_Y] * r11,
            F[SIZE_Y] * r21,
        )
        n += 2
    if F[KIND] != POINT:
        points[n, 0], points[n, 1], points[n, 2] = F[SIZE_Z] * r02, F[SIZE_Z] * r12, F[SIZE_Z] * r22
        n += 1
    return n


@kernel(boundscheck=False)
def box_axes(FA, FB, pose, points):
    """Return the depth and direction in closed form where A and B are boxes, segments or points, one of them a box.

    The edges of both span A - B, and each of its faces is spanned by two of them: 15 directions for two boxes (the
    separating axes of Gottschalk, Lin and Manocha, 1996), 6 for a box and a segment, 3 for a box and a point.
    """
    ka, kb = int(FA[KIND]), int(FB[KIND])
    if not (ka <= BOX and kb <= BOX and (ka == BOX or kb == BOX)):
        return False, 0.0, 0.0, 0.0, 0.0
    r00, r01, r02, r10, r11, r12, r20, r21, r22, px, py, pz = pose
    n = _store_edges(FA, points, 0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    n = _store_edges(FB, points, n, r00, r01, r02, r10, r11, r12, r20, r21, r22)
    depth = math.inf
    bx, by, bz = 1.0, 0.0, 0.0
    for i in range(n):
        ux, uy, uz = points[i, 0], points[i, 1], points[i, 2]
        for j in range(i):
            vx, vy, vz = points[j, 0], points[j, 1], points[j, 2]
            x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
            nn = x * x + y * y + z * z
            # harmless (1e-30 * (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz)): each bounds the depth
            if nn <= 1e-30 * (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz):
                continue  # parallel to rounding: a face that others span as well, within the slack of `least`
            if nn < 1e-4 * (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz):
                x, y, z = sliver_normal(x, y, z, ux, uy, uz, vx, vy, vz)
                nn = x * x + y * y + z * z
            along = x * px + y * py + z * pz
            height = -abs(along)
            for k in range(n):
                height += abs(x * points[k, 0] + y * points[k, 1] + z * points[k, 2])
            length = math.sqrt(nn)
            if height < depth * length:
                sign = 1.0 if along >= 0.0 else -1.0
                depth = height / length
                bx, by, bz = sign * x / length, sign * y / length, sign * z / length
    return True, depth, bx, by, bz


# Points of the polytope: initial capacity (most pairs need 10 to 50), then eight times more, up to the limit. A search
# that reaches the limit returns the interval it has. Two concentric balls of 2048 vertices need 20 000. On curved sides
# the search never ends: 4000 points leave 1e-6 of the radius where all directions are equally deep.
FEW_POINTS, MOST_POINTS, MOST_CURVED_POINTS = 512, 100_000, 4096
CURVED = 1e-12  # same scale; a gap this small ends the search for the depth of a curved body
FLAT = 1e-13  # A - B is flat if thinner than this fraction of the scale
# The first tetrahedron has three corners around the likely way out, along the line of centres, and one opposite: with
# it hulls of 8, 128 and 2048 vertices need 9, 13 and 22 support points, with one from widths along axes 17, 22 and 28.
TILT, SINE = 1.5, 0.5 * math.sqrt(3.0)
WIDE = 1e-4  # cube of the scale; a smaller volume of it is searched in more directions


@kernel(boundscheck=False)
def _support_point(FA, IA, FB, IB, pose, x, y, z, points, k, scale, certain):
    """Store the support point of A - B along (x, y, z), and the points of A and B it comes from, in row k.

    Returns:
        Bound on how far a walk may have fallen short of it [m]; 0 where it would matter and the trees of boxes were
        searched. Infinity unless it is asked for (`certain`), which takes as long as the walks.
    """
    r00, r01, r02, r10, r11, r12, r20, r21, r22, px, py, pz = pose
    ax, ay, az, ha, _ = support(FA, IA, x, y, z, -1, False)
    u, v, w = -(r00 * x + r10 * y + r20 * z), -(r01 * x + r11 * y + r21 * z), -(r02 * x + r12 * y + r22 * z)
    bx, by, bz, hb, _ = support(FB, IB, u, v, w, -1, False)
    slack = math.inf
    if certain:
        slack = walk_slack(FA, IA, x, y, z, ha) + walk_slack(FB, IB, u, v, w, hb)
    # harmless (slack): with the slack or by the trees of boxes, the bound holds
    # harmless (>): likewise
    # harmless (WALK_SLACK * scale): likewise
    if certain and slack > WALK_SLACK * scale:
        slack = 0.0
        ax, ay, az, ha, _ = certain_support(FA, IA, x, y, z, ax, ay, az, ha)
        bx, by, bz, hb, _ = certain_support(FB, IB, u, v, w, bx, by, bz, hb)
    points[k, 3], points[k, 4], points[k, 5] = ax, ay, az
    points[k, 6], points[k, 7], points[k, 8] = bx, by, bz
    points[k, 0] = ax - (r00 * bx + r01 * by + r02 * bz + px)
    points[k, 1] = ay - (r10 * bx + r11 * by + r12 * bz + py)
    points[k, 2] = az - (r20 * bx + r21 * by + r22 * bz + pz)
    return slack


@kernel(allocates=True)
def _make_scratch(n):
    """Return scratch space for n points: points, faces, planes, alive, stamps, stack, edge_face, free, heap."""
    return (
        np.empty((n, 9)), np.empty((4 * n, 6), np.int32), np.empty((4 * n, 5)), np.zeros(4 * n, np.int8),
        np.zeros(4 * n, np.int32), np.empty(8 * n, np.int32), np.full(n, -1, np.int32), np.empty(4 * n, np.int32),
        np.empty((16 * n, 3)),
    )  # fmt: skip


@kernel(inline=True, boundscheck=False)
def _copy(source, i, target, k):
    """Copy row i of one array of points to row k of another."""
    for c in range(9):
        target[k, c] = source[i, c]


@kernel(inline=True, boundscheck=False)
def _across(points, i, x, y, z):
    """Return the coordinate of point i along a direction."""
    return x * points[i, 0] + y * points[i, 1] + z * points[i, 2]


@kernel(inline=True, boundscheck=False)
def _volume(points, i, j, x, y, z):
    """Return the determinant of (x, y, z) and the points i and j."""
    return (
        x * (points[i, 1] * points[j, 2] - points[i, 2] * points[j, 1])
        + y * (points[i, 2] * points[j, 0] - points[i, 0] * points[j, 2])
        + z * (points[i, 0] * points[j, 1] - points[i, 1] * points[j, 0])
    )


@kernel(inline=True, boundscheck=False)
def _plane(points, faces, planes, f):
    """Write the unit normal of face f and the least and greatest height of its corners along it.

    A sliver has an inaccurate normal, but any unit normal proves its least height. A face without area is a line
    between its neighbours: it is never the nearest.
    """
    i, j, k = faces[f, 0], faces[f, 1], faces[f, 2]
    ux, uy, uz = points[j, 0] - points[i, 0], points[j, 1] - points[i, 1], points[j, 2] - points[i, 2]
    vx, vy, vz = points[k, 0] - points[i, 0], points[k, 1] - points[i, 1], points[k, 2] - points[i, 2]
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    uu, vv = ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz
    nn = nx * nx + ny * ny + nz * nz
    # harmless (1e-30 * max(uu, vv) * max(uu, vv)): any unit normal proves the least height of a face
    if nn <= 1e-30 * max(uu, vv) * max(uu, vv) or nn == 0.0:
        planes[f, 0], planes[f, 1], planes[f, 2] = 0.0, 0.0, 0.0
        planes[f, 3], planes[f, 4] = math.inf, math.inf
        return
    if nn < 1e-4 * uu * vv:
        nx, ny, nz = sliver_normal(nx, ny, nz, ux, uy, uz, vx, vy, vz)
    n = math.sqrt(nx * nx + ny * ny + nz * nz)
    nx, ny, nz = nx / n, ny / n, nz / n
    planes[f, 0], planes[f, 1], planes[f, 2] = nx, ny, nz
    p, q, r = _across(points, i, nx, ny, nz), _across(points, j, nx, ny, nz), _across(points, k, nx, ny, nz)
    planes[f, 3], planes[f, 4] = min(p, q, r), max(p, q, r)


@kernel(inline=True, boundscheck=False)
def _first_points(FA, IA, FB, IB, pose, points, scale):
    """Write a tetrahedron in A - B around the likely direction of its depth; return whether it has a volume."""
    x, y, z = center_line(FA, FB, pose)
    length = math.sqrt(x * x + y * y + z * z)
    x, y, z = x / length, y / length, z / length
    ax, ay, az = (0.0, z, -y) if abs(x) <= 0.6 else (-z, 0.0, x)
    a = math.sqrt(ax * ax + ay * ay + az * az)
    ax, ay, az = ax / a, ay / a, az / a
    bx, by, bz = y * az - z * ay, z * ax - x * az, x * ay - y * ax
    _support_point(FA, IA, FB, IB, pose, x, y, z, points, 3, scale, False)
    for i in range(3):
        c, s = (1.0 if i == 0 else -0.5), (0.0 if i == 0 else (SINE if i == 1 else -SINE))
        u, v, w = c * ax + s * bx - TILT * x, c * ay + s * by - TILT * y, c * az + s * bz - TILT * z
        _support_point(FA, IA, FB, IB, pose, u, v, w, points, i, scale, False)
    ux, uy, uz = points[0, 0] - points[3, 0], points[0, 1] - points[3, 1], points[0, 2] - points[3, 2]
    vx, vy, vz = points[1, 0] - points[3, 0], points[1, 1] - points[3, 1], points[1, 2] - points[3, 2]
    wx, wy, wz = points[2, 0] - points[3, 0], points[2, 1] - points[3, 1], points[2, 2] - points[3, 2]
    volume = ux * (vy * wz - vz * wy) + uy * (vz * wx - vx * wz) + uz * (vx * wy - vy * wx)
    if volume < 0.0:  # viewed from outside, corners 0, 1, 2 are clockwise
        _copy(points, 0, points, 4)
        _copy(points, 1, points, 0)
        _copy(points, 4, points, 1)
    # harmless (WIDE * scale * scale * scale): any tetrahedron of points of A - B is a start
    return abs(volume) > WIDE * scale * scale * scale


@kernel
def _first_tetrahedron(FA, IA, FB, IB, pose, points, scale):
    """Write a tetrahedron in A - B to rows 0 to 3.

    Returns:
        (4, 0, 0, 0), or the dimension of a flat A - B and a direction perpendicular to it.
    """
    # harmless (FLAT * scale): bounds of a thin tetrahedron hold too: any unit normal proves the least height of a face
    thin = FLAT * scale
    nx, ny, nz = 1.0, 0.0, 0.0
    width = -1.0
    for axis in range(3):
        x, y, z = (1.0 if axis == 0 else 0.0), (1.0 if axis == 1 else 0.0), (1.0 if axis == 2 else 0.0)
        _support_point(FA, IA, FB, IB, pose, x, y, z, points, 2, scale, True)
        _support_point(FA, IA, FB, IB, pose, -x, -y, -z, points, 3, scale, True)
        across = _across(points, 2, x, y, z) - _across(points, 3, x, y, z)
        if across > width:
            width = across
            _copy(points, 2, points, 0)
            _copy(points, 3, points, 1)
    if width <= thin:
        return 0, nx, ny, nz
    ex, ey, ez = points[0, 0] - points[1, 0], points[0, 1] - points[1, 1], points[0, 2] - points[1, 2]
    # Two directions perpendicular to the edge, and the support point along one of them.
    ax, ay, az = (
        (0.0, ez, -ey)
        if abs(ex) <= abs(ey) and abs(ex) <= abs(ez)
        else ((-ez, 0.0, ex) if abs(ey) <= abs(ez) else (ey, -ex, 0.0))
    )
    bx, by, bz = ey * az - ez * ay, ez * ax - ex * az, ex * ay - ey * ax
    a, b = math.sqrt(ax * ax + ay * ay + az * az), math.sqrt(bx * bx + by * by + bz * bz)
    ax, ay, az = ax / a, ay / a, az / a
    bx, by, bz = bx / b, by / b, bz / b
    width = -1.0
    for turn in range(4):
        x, y, z = (ax, ay, az) if turn < 2 else (bx, by, bz)
        if turn % 2 == 1:
            x, y, z = -x, -y, -z
        _support_point(FA, IA, FB, IB, pose, x, y, z, points, 3, scale, True)
        across = _across(points, 3, x, y, z) - _across(points, 0, x, y, z)
        if across > width:
            width = across
            _copy(points, 3, points, 2)
    if width <= thin:
        return 1, ax, ay, az
    ux, uy, uz = points[2, 0] - points[0, 0], points[2, 1] - points[0, 1], points[2, 2] - points[0, 2]
    nx, ny, nz = ey * uz - ez * uy, ez * ux - ex * uz, ex * uy - ey * ux
    n = math.sqrt(nx * nx + ny * ny + nz * nz)
    nx, ny, nz = nx / n, ny / n, nz / n
    base = _across(points, 0, nx, ny, nz)
    _support_point(FA, IA, FB, IB, pose, -nx, -ny, -nz, points, 4, scale, True)
    _support_point(FA, IA, FB, IB, pose, nx, ny, nz, points, 3, scale, True)
    up, down = _across(points, 3, nx, ny, nz) - base, base - _across(points, 4, nx, ny, nz)
    if max(up, down) <= thin:
        return 2, nx, ny, nz
    if up < down:  # viewed along the edge times the vector to corner 2, the base 0, 1, 2 is clockwise
        _copy(points, 4, points, 3)
        _copy(points, 0, points, 4)
        _copy(points, 1, points, 0)
        _copy(points, 4, points, 1)
    return 4, 0.0, 0.0, 0.0


@kernel(boundscheck=False)
def _grow(points, faces, planes, alive, stack, edge_face, free, n_free, n_faces, nearest, w, scale):
    """Replace the faces that are visible from point w by a cone of faces from their horizon to w.

    faces[f] holds three corners and the three faces across the edges 01, 12, 20. alive[f] is 1, or 0 for a removed
    face, 2 while it is marked as visible.

    Returns:
        (new faces, where they are in the stack, faces ever used or -1 if rounding made the horizon cross itself, free
        ones).
    """
    # harmless (4.0 * 2.0**-53 * scale): any closed surface of points around the origin proves a least depth
    hair = 4.0 * 2.0**-53 * scale
    stack[0] = nearest
    alive[nearest] = 2
    n_seen, at = 1, 0
    while at < n_seen:
        f = stack[at]
        at += 1
        for e in range(3):
            g = faces[f, 3 + e]
            if (
                alive[g] == 1
                and _across(points, w, planes[g, 0], planes[g, 1], planes[g, 2]) - planes[g, 4] > hair
            ):
                alive[g] = 2
                stack[n_seen] = g
                n_seen += 1
    # The horizon as edges that start at distinct corners.
    n_edges = 0
    for s in range(n_seen):
        f = stack[s]
        for e in range(3):
            if alive[faces[f, 3 + e]] == 1:
                if edge_face[faces[f, e]] >= 0:
                    for i in range(edge_face.shape[0]):
                        edge_face[i] = -1
                    return 0, 0, -1, 0
                edge_face[faces[f, e]] = 0
                n_edges += 1
    n_made = 0
    first_made = n_seen
    for s in range(n_seen):
        f = stack[s]
        for e in range(3):
            g = faces[f, 3 + e]
            if alive[g] == 1:
                if n_free > 0:
                    n_free -= 1
                    new = free[n_free]
                else:
                    new = n_faces
                    n_faces += 1
                u, v = faces[f, e], faces[f, (e + 1) % 3]
                faces[new, 0], faces[new, 1], faces[new, 2] = u, v, w
                faces[new, 3] = g
                for back in range(3):
                    if faces[g, 3 + back] == f and faces[g, back] == v:
                        faces[g, 3 + back] = new
                edge_face[u] = new
                stack[first_made + n_made] = new
                n_made += 1
    for s in range(n_made):
        new = stack[first_made + s]
        after = edge_face[faces[new, 1]]
        faces[new, 4] = after
        faces[after, 5] = new
    for s in range(n_made):
        new = stack[first_made + s]
        edge_face[faces[new, 0]] = -1
        alive[new] = 1
        _plane(points, faces, planes, new)
    for s in range(n_seen):
        alive[stack[s]] = 0
        free[n_free] = stack[s]
        n_free += 1
    return n_made, first_made, n_faces, n_free


@kernel(inline=True, boundscheck=False)
def _push(heap, n, height, face, stamp):
    """Add a face to the heap of (height, face, stamp) rows, lowest first; return its new size."""
    i = n
    while i > 0 and heap[(i - 1) // 2, 0] > height:
        up = (i - 1) // 2
        heap[i, 0], heap[i, 1], heap[i, 2] = heap[up, 0], heap[up, 1], heap[up, 2]
        i = up
    heap[i, 0], heap[i, 1], heap[i, 2] = height, face, stamp
    return n + 1


@kernel(inline=True, boundscheck=False)
def _pop(heap, n):
    """Remove the first row of the heap; return its new size."""
    n -= 1
    height = heap[n, 0]
    i = 0
    while 2 * i + 1 < n:
        down = 2 * i + 1
        if down + 1 < n and heap[down + 1, 0] < heap[down, 0]:
            down += 1
        if heap[down, 0] >= height:
            break
        heap[i, 0], heap[i, 1], heap[i, 2] = heap[down, 0], heap[down, 1], heap[down, 2]
        i = down
    heap[i, 0], heap[i, 1], heap[i, 2] = height, heap[n, 1], heap[n, 2]
    return n


@kernel(boundscheck=False)
def _expand(FA, IA, FB, IB, pose, scratch, scale):
    """Expand the tetrahedron in scratch.points until its nearest plane is a face of A - B.

    Returns:
        (whether it ended within its capacity, least depth, greatest depth, its direction, slack, nearest face).

    Walks of hulls are trusted until the search would end: then the greatest depth is certified, and if they fell short
    it continues with certain support points.
    """
    points, faces, planes, alive, stamps, stack, edge_face, free, heap = scratch
    n_points, n_faces, n_free = 4, 4, 0
    n_heap, made = 0, 0
    # Faces 0 1 2, 0 3 1, 1 3 2, 2 3 0, each with its neighbours; the fourth corner is below the first face.
    faces[0, 0], faces[0, 1], faces[0, 2] = 0, 1, 2
    faces[0, 3], faces[0, 4], faces[0, 5] = 1, 2, 3
    faces[1, 0], faces[1, 1], faces[1, 2] = 0, 3, 1
    faces[1, 3], faces[1, 4], faces[1, 5] = 3, 2, 0
    faces[2, 0], faces[2, 1], faces[2, 2] = 1, 3, 2
    faces[2, 3], faces[2, 4], faces[2, 5] = 1, 3, 0
    faces[3, 0], faces[3, 1], faces[3, 2] = 2, 3, 0
    faces[3, 3], faces[3, 4], faces[3, 5] = 2, 1, 0
    for f in range(4):
        alive[f] = 1
        stamps[f] = 0
        _plane(points, faces, planes, f)
        n_heap = _push(heap, n_heap, planes[f, 3], f, 0)
    # harmless (CURVED): it ends a search, whose bounds hold whenever it ends
    tolerance = (CURVED if is_curved(FA) or is_curved(FB) else CONVERGED) * scale
    most = points.shape[0] - 2
    least, greatest, best_slack = math.inf, math.inf, 0.0
    best_x, best_y, best_z = 1.0, 0.0, 0.0
    ended, nearest, certain = False, 0, FA[KIND] != WALK and FB[KIND] != WALK
    while n_heap > 0:
        nearest = int(heap[0, 1])
        if alive[nearest] != 1 or stamps[nearest] != heap[0, 2]:
            n_heap = _pop(heap, n_heap)  # a removed face
            continue
        least = planes[nearest, 3]
        x, y, z = planes[nearest, 0], planes[nearest, 1], planes[nearest, 2]
        slack = _support_point(FA, IA, FB, IB, pose, x, y, z, points, n_points, scale, certain)
        height = _across(points, n_points, x, y, z)
        if height < greatest:
            greatest, best_slack = height, slack
            best_x, best_y, best_z = x, y, z
        if greatest - least <= tolerance or height - planes[nearest, 4] <= tolerance:
            if certain:
                ended = True
                break
            found, certain = greatest, True
            best_slack = _support_point(
                FA, IA, FB, IB, pose, best_x, best_y, best_z, points, n_points, scale, True
            )
            greatest = _across(points, n_points, best_x, best_y, best_z)
            # harmless: it ends a search, whose bounds hold whenever it ends
            if greatest == found and height == found:
                ended = True
                break
            continue
        if n_points >= most:
            break
        n_made, first, grown, n_free = _grow(
            points, faces, planes, alive, stack, edge_face, free, n_free, n_faces, nearest, n_points, scale
        )
        if grown < 0:
            ended = True
            break
        n_points, n_faces = n_points + 1, grown
        made += 1
        if n_heap + n_made >= heap.shape[0]:
            break
        for s in range(first, first + n_made):
            stamps[stack[s]] = made
            n_heap = _push(heap, n_heap, planes[stack[s], 3], stack[s], made)
    if not certain:
        best_slack = _support_point(
            FA, IA, FB, IB, pose, best_x, best_y, best_z, points, n_points, scale, True
        )
        greatest = _across(points, n_points, best_x, best_y, best_z)
    return ended, least, greatest, best_x, best_y, best_z, best_slack, nearest


@kernel(boundscheck=False)
def _deepest_points(FA, IA, FB, IB, pose, x, y, z, depth, scale, memory, points, i, j, k):
    """Return the deepest points, or the closest ones, of bodies whose depth along (x, y, z) is the depth.

    Where the origin is above the face i, j, k of A - B, they are those of its corners, by the same weights. Elsewhere
    (the face is a part of a larger one, or none is known, i < 0) B is moved along the direction until it is separate,
    and the closest points are searched there. A wider gap is easier to search, a narrower one tolerates an inexact
    direction: the best of three is used.

    Returns:
        The point of A, and its difference from B's point at the true position of B: a point that A - B really has.
    """
    best, gap = math.inf, 1e-3
    ax, ay, az = 0.0, 0.0, 0.0
    vx, vy, vz = 0.0, 0.0, 0.0
    if i >= 0:
        la, lb, lc = (
            _volume(points, j, k, x, y, z),
            _volume(points, k, i, x, y, z),
            _volume(points, i, j, x, y, z),
        )
        if la >= 0.0 and lb >= 0.0 and lc >= 0.0 and la + lb + lc > 0.0:
            total = 1.0 / (la + lb + lc)
            la, lb, lc = la * total, lb * total, lc * total
            ax = la * points[i, 3] + lb * points[j, 3] + lc * points[k, 3]
            ay = la * points[i, 4] + lb * points[j, 4] + lc * points[k, 4]
            az = la * points[i, 5] + lb * points[j, 5] + lc * points[k, 5]
            vx = la * points[i, 0] + lb * points[j, 0] + lc * points[k, 0]
            vy = la * points[i, 1] + lb * points[j, 1] + lc * points[k, 1]
            vz = la * points[i, 2] + lb * points[j, 2] + lc * points[k, 2]
            best = math.sqrt((vx - depth * x) ** 2 + (vy - depth * y) ** 2 + (vz - depth * z) ** 2)
    for _ in range(3):
        # harmless (<=): it ends a choice among points
        # harmless (1e-13 * scale): likewise
        if best <= 1e-13 * scale:
            break
        shift = depth + gap * scale
        parted = (pose[0], pose[1], pose[2], pose[3], pose[4], pose[5], pose[6], pose[7], pose[8],
                  pose[9] + shift * x, pose[10] + shift * y, pose[11] + shift * z)  # fmt: skip
        memory[0], memory[3] = 0.0, 0.0
        memory[1], memory[2] = -1.0, -1.0
        found = search(FA, IA, FB, IB, parted, memory, 0)
        px, py, pz, qx, qy, qz = witness_points(memory, 0, found[6], found[7], found[8])
        ux, uy, uz = difference(pose, px, py, pz, qx, qy, qz)
        off = math.sqrt((ux - depth * x) ** 2 + (uy - depth * y) ** 2 + (uz - depth * z) ** 2)
        if off < best:
            best = off
            ax, ay, az = px, py, pz
            vx, vy, vz = ux, uy, uz
        gap *= 1e-3
    return ax, ay, az, vx, vy, vz


@kernel(
    "void(float64[::1], int32[::1], float64[::1], int32[::1], float64[:,:,::1], float64[:,:,::1], float64[::1])",
    allocates=True,
)
def penetration_many(FA, IA, FB, IB, X_WA, X_WB, rows):
    """Complete the result rows whose cores intersect: depth, direction, deepest points, certified interval."""
    scratch, memory = _make_scratch(FEW_POINTS), np.empty(MEMORY)
    for k in range(rows.shape[0] // ROW):
        row = k * ROW
        if rows[row + STATE] != CORES_MEET:
            continue
        A = load_pose(X_WA, k if X_WA.shape[0] > 1 else 0)
        B = load_pose(X_WB, k if X_WB.shape[0] > 1 else 0)
        pose = relative_pose(A[1:], B[1:])
        scale = (
            FA[EXTENT] + FB[EXTENT] + math.sqrt(pose[9] * pose[9] + pose[10] * pose[10] + pose[11] * pose[11])
        )
        found, least, x, y, z, slack = parallel_cylinders(FA, FB, pose)
        greatest = least
        least -= slack
        if not found:
            found, greatest, x, y, z = box_axes(FA, FB, pose, scratch[0])
            least, slack = greatest - 32.0 * UNIT * scale, 0.0
        flat, ci, cj, ck = False, -1, -1, -1
        if not found:
            dimension, x, y, z = 4, 0.0, 0.0, 0.0
            if not _first_points(FA, IA, FB, IB, pose, scratch[0], scale):
                dimension, x, y, z = _first_tetrahedron(FA, IA, FB, IB, pose, scratch[0], scale)
            flat = dimension < 4
            if flat:  # it has no interior, hence no depth
                slack = _support_point(FA, IA, FB, IB, pose, x, y, z, scratch[0], 0, scale, True)
                least, greatest = 0.0, max(0.0, _across(scratch[0], 0, x, y, z))
            else:
                curved = is_curved(FA) or is_curved(FB)
                most = MOST_CURVED_POINTS if curved else MOST_POINTS
                while True:
                    ended, least, greatest, x, y, z, slack, face = _expand(
                        FA, IA, FB, IB, pose, scratch, scale
                    )
                    size = scratch[0].shape[0]
                    if ended or size >= most:
                        break
                    larger = _make_scratch(min(8 * size, most))
                    for c in range(4):
                        _copy(scratch[0], c, larger[0], c)
                    scratch = larger
                ci, cj, ck = scratch[1][face, 0], scratch[1][face, 1], scratch[1][face, 2]
        depth = max(0.0, greatest)
        ax, ay, az, vx, vy, vz = _deepest_points(
            FA, IA, FB, IB, pose, x, y, z, depth, scale, memory, scratch[0], ci, cj, ck
        )
        length = math.sqrt(vx * vx + vy * vy + vz * vz)  # length of a point of A - B: an upper bound
        if greatest < 0.0:
            # Separate after all. The vector between these points may prove more than a face of A - B.
            if length > 0.0:
                u, v, w = -vx / length, -vy / length, -vz / length
                short = _support_point(FA, IA, FB, IB, pose, u, v, w, scratch[0], 0, scale, True)
                height = _across(scratch[0], 0, u, v, w)
                # harmless (<): either direction proves its own bound
                # harmless (slack): likewise
                if height + short < greatest + slack:
                    greatest, slack = height, short
                    x, y, z = u, v, w
            _finish_apart(FA, FB, A, ax, ay, az, length, -greatest - slack, x, y, z, scale, rows, row)
        else:
            if flat or least < 0.0:  # rounding may hide whether they intersect: they touch
                known = _known_length(FA, FB, scale, rows, row)
                # harmless (<): it selects which of two points is reported
                if known < length:
                    ax, ay, az = _known_point(A, FA[RADIUS], rows, row)
                    vx, vy, vz = 0.0, 0.0, 0.0
                # harmless (min): the larger length is an upper bound too
                least = -min(length, known)
            # The rounding difference between the points and the depth is split; B's point takes the other half.
            # harmless (>=): only the position of points within rounding depends on it
            deep = greatest if least >= 0.0 else 0.0
            ax, ay, az = ax - 0.5 * (vx - deep * x), ay - 0.5 * (vy - deep * y), az - 0.5 * (vz - deep * z)
            _finish(FA, FB, A, ax, ay, az, least, greatest, x, y, z, slack, scale, rows, row)


@kernel(boundscheck=False)
def _finish(FA, FB, A, ax, ay, az, least, greatest, x, y, z, slack, scale, rows, row):
    """Write one row of two bodies that overlap, with the radii and all rounding added."""
    ra, rb = FA[RADIUS], FB[RADIUS]
    rounding = ROUNDING * (scale + ra + rb)
    rows[row + DISTANCE] = -(greatest if least >= 0.0 else 0.0) - (ra + rb)
    rows[row + LOWER] = -greatest - (ra + rb) - slack - FA[DEFECT] - FB[DEFECT] - rounding
    rows[row + UPPER] = -min(least, greatest) - (ra + rb) + rounding
    rows[row + STATE] = state_of(rows[row + LOWER], rows[row + UPPER])
    write_points(A, ax + ra * x, ay + ra * y, az + ra * z, x, y, z, rows, row)


@kernel(boundscheck=False)
def _finish_apart(FA, FB, A, ax, ay, az, length, apart, x, y, z, scale, rows, row):
    """Write one row of two bodies that are separate after all, by less than the first search could resolve."""
    ra, rb = FA[RADIUS], FB[RADIUS]
    rounding = ROUNDING * (scale + ra + rb)
    known = _known_length(FA, FB, scale, rows, row)
    # harmless (<): either length is that of points of both bodies
    if known < length:
        ax, ay, az = _known_point(A, ra, rows, row)
        length = known
    rows[row + DISTANCE], rows[row + UPPER] = length - (ra + rb), length - (ra + rb) + rounding
    rows[row + LOWER] = max(rows[row + LOWER], apart - (ra + rb) - FA[DEFECT] - FB[DEFECT] - rounding)
    rows[row + STATE] = state_of(rows[row + LOWER], rows[row + UPPER])
    write_points(A, ax + ra * x, ay + ra * y, az + ra * z, x, y, z, rows, row)


@kernel(boundscheck=False)
def _known_length(FA, FB, scale, rows, row):
    """Return the length of the difference of the points that the first search left in the row."""
    ra, rb = FA[RADIUS], FB[RADIUS]
    # harmless (ROUNDING * (scale + ra + rb)): a longer length is an upper bound too
    return max(0.0, rows[row + UPPER] + (ra + rb) - ROUNDING * (scale + ra + rb))


@kernel(boundscheck=False)
def _known_point(A, radius, rows, row):
    """Return the point of A's core that the first search left in the row, in the frame of A."""
    _, a00, a01, a02, a10, a11, a12, a20, a21, a22, atx, aty, atz = A
    x = rows[row + POINT_A] - radius * rows[row + NORMAL] - atx
    y = rows[row + POINT_A + 1] - radius * rows[row + NORMAL + 1] - aty
    z = rows[row + POINT_A + 2] - radius * rows[row + NORMAL + 2] - atz
    return a00 * x + a10 * y + a20 * z, a01 * x + a11 * y + a21 * z, a02 * x + a12 * y + a22 * z
