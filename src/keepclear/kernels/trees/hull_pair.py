"""Closest points of the convex hulls of two meshes, by GJK with the trees of the meshes as support functions."""

from __future__ import annotations

import math

from keepclear.kernels._compile import kernel
from keepclear.kernels.convex.simplex import closest_on_segment, closest_on_tetrahedron, closest_on_triangle
from keepclear.kernels.trees.obb_tree import LINK, NODE, corner
from keepclear.kernels.trees.surface_layout import ORIGIN
from keepclear.kernels.trees.tree_reach import box_reach

# Results: the closest points of both hulls in A's frame, then the unit vector from A to B.
POINT_A, POINT_B, NORMAL, HULLS = 0, 3, 6, 9
ITERATIONS, PATIENCE = (
    8,
    3,
)  # only the start of a search: exact closest points would cost more than they save
ROUGH = 1e-3  # accuracy, as a fraction of the distance of the hulls


@kernel(boundscheck=False)
def _support(S, T, N, L, x, y, z, px, py, pz, stack, bounds):
    """Return the support point along a direction, relative to the origin of the tree, and its value.

    The support point p along the last direction saves most of the search.
    """
    far = x * px + y * py + z * pz
    stack[0], bounds[0], depth = 0, math.inf, 1
    while depth > 0:
        depth -= 1
        if bounds[depth] <= far:
            continue
        link = L[NODE * stack[depth] + LINK]
        while link >= 0:
            p, q = box_reach(N, NODE * link, x, y, z), box_reach(N, NODE * link + NODE, x, y, z)
            other = link + 1
            if p < q:
                p, q = q, p
                other, link = link, other
            if q > far:
                stack[depth], bounds[depth] = other, q
                depth += 1
            if p <= far:
                break
            link = L[NODE * link + LINK]
        if link < 0:
            t = -1 - link
            for k in range(3):
                u, v, w = corner(S, T, 3 * t + k)
                along = x * u + y * v + z * w
                if along > far:
                    far, px, py, pz = along, u, v, w
    return px, py, pz, far


@kernel(boundscheck=False)
def hull_pair(SA, TA, NA, LA, SB, TB, NB, LB, Q, stack, bounds, H):
    """Return a lower bound on the distance of the hulls, up to rounding of the pose; not positive if they may overlap.

    H receives the closest points of the hulls and the direction. The gap is that of the planes through the support
    points, so it is a lower bound on the distance of the meshes whether or not the iteration has converged.
    """
    tx, ty, tz = Q[14], Q[15], Q[16]
    best = -math.inf
    n = 0
    # The simplex: differences b - a, and points of A; all relative to the origin of A's tree.
    x1, y1, z1, a1, b1, c1 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    x2, y2, z2, a2, b2, c2 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    x3, y3, z3, a3, b3, c3 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    l1, l2, l3 = 1.0, 0.0, 0.0
    vx, vy, vz = tx, ty, tz
    upper = math.inf
    ax, ay, az = corner(SA, TA, 0)
    px, py, pz = corner(SB, TB, 0)
    for k in range(ITERATIONS):
        if k == PATIENCE and not best > 0.0:
            break  # they overlap or nearly touch
        length = math.sqrt(vx * vx + vy * vy + vz * vz)
        if not length > 64.0 * Q[13]:
            return best
        ux, uy, uz = vx / length, vy / length, vz / length
        ax, ay, az, far_a = _support(SA, TA, NA, LA, ux, uy, uz, ax, ay, az, stack, bounds)
        dx, dy, dz = (
            -(Q[0] * ux + Q[3] * uy + Q[6] * uz),
            -(Q[1] * ux + Q[4] * uy + Q[7] * uz),
            -(Q[2] * ux + Q[5] * uy + Q[8] * uz),
        )
        px, py, pz, far_b = _support(SB, TB, NB, LB, dx, dy, dz, px, py, pz, stack, bounds)
        gap = ux * tx + uy * ty + uz * tz - far_a - far_b
        if gap > best:
            best = gap
            H[NORMAL], H[NORMAL + 1], H[NORMAL + 2] = ux, uy, uz
        x = Q[0] * px + Q[1] * py + Q[2] * pz + tx - ax
        y = Q[3] * px + Q[4] * py + Q[5] * pz + ty - ay
        z = Q[6] * px + Q[7] * py + Q[8] * pz + tz - az
        # harmless (<=): the gap of planes through support points holds whenever the iteration ends
        if n > 0 and upper - gap <= ROUGH * upper:
            break
        if n == 0:
            n, x1, y1, z1, a1, b1, c1 = 1, x, y, z, ax, ay, az
            l1, l2, l3 = 1.0, 0.0, 0.0
            vx, vy, vz = x, y, z
        elif n == 1:
            n, x2, y2, z2, a2, b2, c2 = 2, x, y, z, ax, ay, az
            l1, l2, vx, vy, vz = closest_on_segment(x1, y1, z1, x, y, z)
            l3 = 0.0
        elif n == 2:
            n, x3, y3, z3, a3, b3, c3 = 3, x, y, z, ax, ay, az
            l1, l2, l3, vx, vy, vz = closest_on_triangle(x1, y1, z1, x2, y2, z2, x, y, z)
        else:
            # harmless (>): the gap of planes through support points holds whenever the iteration ends
            apart = gap > 0.0
            inside, out, m1, m2, m3, wx, wy, wz = closest_on_tetrahedron(
                x1, y1, z1, x2, y2, z2, x3, y3, z3, x, y, z, upper, apart
            )
            if inside:
                return best
            if out == 0:
                x1, y1, z1, a1, b1, c1 = x2, y2, z2, a2, b2, c2
            if out <= 1:
                x2, y2, z2, a2, b2, c2 = x3, y3, z3, a3, b3, c3
            if out <= 2:
                x3, y3, z3, a3, b3, c3 = x, y, z, ax, ay, az
            l1, l2, l3 = m1, m2, m3
            vx, vy, vz = wx, wy, wz
        square = vx * vx + vy * vy + vz * vz
        # harmless (<): the gap of planes through support points holds whenever the iteration ends
        if not square < upper * upper:
            break  # rounding: no nearer than before
        upper = math.sqrt(square)
        H[POINT_A] = l1 * a1 + l2 * a2 + l3 * a3 + SA[ORIGIN]
        H[POINT_A + 1] = l1 * b1 + l2 * b2 + l3 * b3 + SA[ORIGIN + 1]
        H[POINT_A + 2] = l1 * c1 + l2 * c2 + l3 * c3 + SA[ORIGIN + 2]
        H[POINT_B], H[POINT_B + 1], H[POINT_B + 2] = H[POINT_A] + vx, H[POINT_A + 1] + vy, H[POINT_A + 2] + vz
        # Remove the points of weight zero.
        if n == 3 and l3 == 0.0:
            n = 2
        if n >= 2 and l2 == 0.0:
            x2, y2, z2, a2, b2, c2, l2 = x3, y3, z3, a3, b3, c3, l3
            n -= 1
        if n >= 2 and l1 == 0.0:
            x1, y1, z1, a1, b1, c1, l1 = x2, y2, z2, a2, b2, c2, l2
            x2, y2, z2, a2, b2, c2, l2 = x3, y3, z3, a3, b3, c3, l3
            n -= 1
    return best


@kernel(boundscheck=False)
def plane_gap(SA, TA, NA, LA, SB, TB, NB, LB, Q, x, y, z, stack, bounds):
    """Return the gap of the meshes along a unit vector, up to the rounding of the pose."""
    u, v, w = corner(SA, TA, 0)
    _, _, _, far_a = _support(SA, TA, NA, LA, x, y, z, u, v, w, stack, bounds)
    dx, dy, dz = (
        -(Q[0] * x + Q[3] * y + Q[6] * z),
        -(Q[1] * x + Q[4] * y + Q[7] * z),
        -(Q[2] * x + Q[5] * y + Q[8] * z),
    )
    u, v, w = corner(SB, TB, 0)
    _, _, _, far_b = _support(SB, TB, NB, LB, dx, dy, dz, u, v, w, stack, bounds)
    return x * Q[14] + y * Q[15] + z * Q[16] - far_a - far_b
