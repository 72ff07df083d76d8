"""A plane that separates two convex bodies during an interval: the stop rule of Gilbert's iteration that ends with it.

All computations are in A's frame in the middle of the interval. A point p of B is at p + s (v + w x (p - o)) for s from
-h to h, up to a remainder. Along a direction d, from A to B, the gap of the moving bodies is

    min over B of (d + s d x w) . (p - o)  +  d . o + s d . v  -  the same maximum over A:

a minimum of functions linear in s, so it is least at one of both ends. So two support points of B, along directions
that are tilted by h d x w, prove a whole interval.
"""

from __future__ import annotations

import math

from keepclear.compiler.kernel import kernel
from keepclear.kernels.convex.gjk import center_line, iterate, known_points, support_of_core
from keepclear.kernels.convex.support import CENTER, KIND, WALK, support

PROVED, UNPROVED, CLOSE, STALLED = 1, 2, 3, 4
"""CLOSE: points of both are as near as contact. STALLED: the bounds on the distance stay apart, because of rounding."""
GOES_ON = 0
WITHIN = 0.02  # relative difference of bounds that suffices to know that an interval must be halved


@kernel(boundscheck=False)
def _certain(F, x, y, z, far, slack):
    """Return an upper bound on how far a core reaches along (x, y, z), from the reach of its support point.

    A walk over the hull's graph ends at most `slack` short of the support point, if it ends above the centre.
    """
    if F[KIND] != WALK:
        return far
    slack *= math.sqrt(x * x + y * y + z * z)
    return far + slack if far - (x * F[CENTER] + y * F[CENTER + 1] + z * F[CENTER + 2]) > slack else math.inf


@kernel(boundscheck=False)
def _reach(F, L, x, y, z, hint, slack):
    """Return an upper bound on how far a core reaches along (x, y, z), and the vertex."""
    px, py, pz, k, _ = support(F, L, x, y, z, hint, False)
    return _certain(F, x, y, z, x * px + y * py + z * pz, slack), k


@kernel(boundscheck=False)
def is_apart(FA, LA, FB, LB, pose, spin_a, spin_b, v_a, v_b, moves_a, h, d, hints, slacks, needed):
    """Return whether a direction d proves that A and B keep more than `needed` during the interval.

    Args:
        pose: Of B in A's frame, R row by row and p.
        spin_a, spin_b: Angular velocities.
        v_a, v_b: Velocities of both origins.
        moves_a: Whether A moves.
        h: Half the interval.
        d: Unit vector from A to B.
        hints: Vertices to start from.
        slacks: Greatest shortfall of support points [m].
        needed: The distance to keep, with remainder and rounding [m].
    """
    dx, dy, dz = d
    ax, ay, az = spin_a
    bx, by, bz = spin_b
    r00, r01, r02, r10, r11, r12, r20, r21, r22, px, py, pz = pose
    # d x w
    tx, ty, tz = dy * bz - dz * by, dz * bx - dx * bz, dx * by - dy * bx
    ux, uy, uz = dy * az - dz * ay, dz * ax - dx * az, dx * ay - dy * ax
    at = dx * px + dy * py + dz * pz
    drift = dx * (v_b[0] - v_a[0]) + dy * (v_b[1] - v_a[1]) + dz * (v_b[2] - v_a[2])
    far_a, ka, kb = 0.0, hints[0], hints[1]
    if not moves_a:
        far_a, ka = _reach(FA, LA, dx, dy, dz, ka, slacks[0])
    for end in range(2):
        s = h if end == 0 else -h
        if moves_a:
            far_a, ka = _reach(FA, LA, dx + s * ux, dy + s * uy, dz + s * uz, ka, slacks[0])
        x, y, z = -dx - s * tx, -dy - s * ty, -dz - s * tz
        far_b, kb = _reach(
            FB,
            LB,
            r00 * x + r10 * y + r20 * z,
            r01 * x + r11 * y + r21 * z,
            r02 * x + r12 * y + r22 * z,
            kb,
            slacks[1],
        )
        if not at + s * drift - far_b - far_a > needed:
            return False
        if h == 0.0:
            break
    return True


@kernel(inline=True, boundscheck=False)
def _remembered(A, B, pose, question):
    """Return the first vector from B to A: against the direction in memory, or between centres if there is none."""
    plane = question[8]
    vx, vy, vz = -plane.direction[0], -plane.direction[1], -plane.direction[2]
    return center_line(A[0], B[0], pose) if vx == 0.0 and vy == 0.0 and vz == 0.0 else (vx, vy, vz)


@kernel(inline=True, boundscheck=False)
def _decided(question, _iterations, v, length, upper, far, best, a, b, ha, hb):
    """Return PROVED or UNPROVED if a plane decides an interval, else GOES_ON, and the greatest distance of planes."""
    FA, LA, FB, LB, pose, motions, moves_a, h, plane, slacks, needed, moved, contact = question
    if far > best:
        best = far
        vx, vy, vz = v
        dx, dy, dz = -vx / length, -vy / length, -vz / length
        plane.direction[0], plane.direction[1], plane.direction[2] = dx, dy, dz
        ax, ay, az = a
        bx, by, bz = b
        r00, r01, r02, r10, r11, r12, r20, r21, r22, px, py, pz = pose
        # harmless (>): it saves the next test, which decides
        # harmless (moved): likewise
        if far > needed + moved:
            x, y, z = (
                r00 * vx + r10 * vy + r20 * vz,
                r01 * vx + r11 * vy + r21 * vz,
                r02 * vx + r12 * vy + r22 * vz,
            )
            far_a = _certain(FA, -vx, -vy, -vz, -(vx * ax + vy * ay + vz * az), slacks[0])
            far_b = _certain(FB, x, y, z, x * bx + y * by + z * bz, slacks[1])
            if -(vx * px + vy * py + vz * pz) - far_a - far_b > (needed + moved) * length:
                return PROVED, best
        if far > needed:
            spin_a, spin_b, v_a, v_b = motions
            # B's point relative to its origin
            ox, oy, oz = (
                r00 * bx + r01 * by + r02 * bz,
                r10 * bx + r11 * by + r12 * bz,
                r20 * bx + r21 * by + r22 * bz,
            )
            rate = dx * (v_b[0] - v_a[0]) + dy * (v_b[1] - v_a[1]) + dz * (v_b[2] - v_a[2])
            wx, wy, wz = spin_b
            rate += dx * (wy * oz - wz * oy) + dy * (wz * ox - wx * oz) + dz * (wx * oy - wy * ox)
            if moves_a:
                wx, wy, wz = spin_a
                rate -= dx * (wy * az - wz * ay) + dy * (wz * ax - wx * az) + dz * (wx * ay - wy * ax)
            # Only if these two points themselves stay apart can the tilted support points prove it for all.
            if far - h * abs(rate) > needed and is_apart(
                FA, LA, FB, LB, pose, spin_a, spin_b, v_a, v_b, moves_a, h, (dx, dy, dz), (ha, hb), slacks, needed
            ):  # fmt: skip
                return PROVED, best
    # The interval is halved as soon as the distance is known well enough.
    # harmless (>): neither UNPROVED nor going on proves anything; the interval is halved sooner or later
    return UNPROVED if best > contact and best > (1.0 - WITHIN) * upper else GOES_ON, best


@kernel(boundscheck=False)
def separate(
    FA, LA, FB, LB, pose, spin_a, spin_b, v_a, v_b, moves_a, h, plane, slacks, needed, moved, contact, M
):
    """Search a direction that proves an interval; return (status, certified distance of the cores in the middle).

    Args:
        FA, LA, FB, LB: The cores.
        pose, spin_a, spin_b, v_a, v_b, moves_a, h, slacks: As for `is_apart`.
        plane: A PLANE: the direction and vertices to begin with; receives the last ones.
        needed: The distance that the cores must keep, with remainder and rounding [m].
        moved: How far any point of A or B moves at most to first order [m].
        contact: Cores with points no farther apart than this count as close [m].
        M: Scratch, begins with the simplex.
    """
    M[0], M[1], M[2], M[3] = 0.0, plane.vertex_a, plane.vertex_b, 0.0
    close = max(contact, 0.0)
    question = (
        FA, LA, FB, LB, pose, (spin_a, spin_b, v_a, v_b), moves_a, h, plane, slacks, needed, moved, contact
    )  # fmt: skip
    ended, best, inside, upper, _, _, _, _, _, _, _, _, _, _ = iterate(
        support_of_core, known_points, _decided, (FA, LA), (FB, LB), pose, _remembered, M, 0, False, 0.0,
        close, 0.0, 0.0, question,
    )  # fmt: skip
    plane.vertex_a, plane.vertex_b = int(M[1]), int(M[2])
    if ended == GOES_ON:
        # harmless (<=): a point inside counts as contact, and a search without one proves nothing
        ended = CLOSE if inside or upper <= close else STALLED
    return ended, best
