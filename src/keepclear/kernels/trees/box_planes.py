"""Parts of two surfaces that lie between parallel planes: tests whether they are separate along the planes' normal.

Boxes around a slanted part of a surface are as thick as it is long; between the planes of a slab it is thin.

A search of two box trees counts steps and pairs of boxes, and, on request, every operation: those on real numbers. A
division counts as a multiplication, a difference as an addition, a sign test as a comparison, the greatest of three
numbers as two. Absolute values are free, and so are operations on links and kinds of nodes. The cost of a pose before
its first step, and tests of two triangles, are not counted.
"""

from __future__ import annotations

from keepclear.kernels._compile import kernel
from keepclear.kernels.trees.box_cuts import slab_unit
from keepclear.kernels.trees.box_tree import slab_of
from keepclear.kernels.trees.obb_tree import corner

# After the state of a search as in `obb_pair`: steps (a node opened, trimmed, or compared with planes), tests of
# planes, operations (only if COUNTING is set), and pairs of boxes of which one was cut and compared.
STEPS, SLABS, MULTIPLICATIONS, ADDITIONS, COMPARISONS, CUT_PAIRS, COUNTING, STATE = (
    8,
    9,
    10,
    11,
    12,
    13,
    15,
    16,
)
# A pair of parts: gaps in A's and in B's frame, boxes of a and b (lower corners, and upper ones with the opposite sign,
# so that cuts increase all of them), sums of their edges, the two nodes, and the nodes of the slabs they are in.
BOX_A, BOX_B, SIZES, NODES, IN_SLABS, PAIR = 12, 18, 24, 26, 28, 30
# In Q, after what `obb_pair.place` writes: the widening of gaps, 1 / s^2 and 1 / s.
SLACK, INVERSE, PLACE = 17, 18, 20
# Products with directions of slabs, which are at most sqrt(3) long, need more (docs/theory/box-tree).
SLAB_SLACK = 4.0


@kernel(inline=True, boundscheck=False)
def count(state, multiplications, additions, comparisons):
    """Add operations to a state that counts them."""
    if state[COUNTING] != 0:
        state[MULTIPLICATIONS] += multiplications
        state[ADDITIONS] += additions
        state[COMPARISONS] += comparisons


@kernel(inline=True, boundscheck=False)
def _misses(mx, my, mz, shift, lower, upper, E, box, nx, ny, nz, least, most, slack, state):
    """Return whether shift + m . x stays out of lower..upper for all x of a box that lies between two planes.

    n . x is between least and most there (n = 0: no planes). m . x = k n . x + (m - k n) . x for any k; the k that
    makes m - k n shortest leaves the smallest contribution of the edges of the box.
    """
    k = mx * nx + my * ny + mz * nz
    count(state, 11, 10, 9)
    if k != 0.0:
        count(state, 7, 5, 0)
        k /= nx * nx + ny * ny + nz * nz
        mx, my, mz = mx - k * nx, my - k * ny, mz - k * nz
    low = shift + (k * least if k >= 0.0 else k * most)
    high = shift + (k * most if k >= 0.0 else k * least)
    for i in range(3):
        m = mx if i == 0 else (my if i == 1 else mz)
        low += abs(m) * E[box + i if m >= 0.0 else box + 3 + i]
        high -= abs(m) * E[box + 3 + i if m >= 0.0 else box + i]
    count(state, 0, 1, 1)
    if low > upper + slack:
        return True
    count(state, 0, 1, 1)
    return high < lower - slack


@kernel(inline=True, boundscheck=False)
def planes_of(S, T, L, slab, state):
    """Return the normal of two planes, 0 if there are none, and the least and greatest product with it between them.

    The planes are those of a slab, or both are that of a triangle, coded as -2 less the triangle; -1 means none.
    """
    if slab >= 0:
        count(state, 6, 2, 0)
        return slab_of(L, slab, slab_unit(S))
    if slab == -1:
        return 0.0, 0.0, 0.0, 0.0, 0.0
    t = 3 * (-2 - slab)
    ax, ay, az = corner(S, T, t)
    bx, by, bz = corner(S, T, t + 1)
    cx, cy, cz = corner(S, T, t + 2)
    ux, uy, uz = bx - ax, by - ay, bz - az
    vx, vy, vz = cx - ax, cy - ay, cz - az
    x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    length = max(abs(x), abs(y), abs(z))
    count(state, 6, 18, 3)
    if not length > 0.0:
        return 0.0, 0.0, 0.0, 0.0, 0.0
    x, y, z = x / length, y / length, z / length
    count(state, 12, 6, 4)
    a, b, c = x * ax + y * ay + z * az, x * bx + y * by + z * bz, x * cx + y * cy + z * cz
    return x, y, z, min(a, b, c), max(a, b, c)


@kernel(inline=True, boundscheck=False)
def planes_apart(SA, TA, LA, SB, TB, LB, Q, E, at, state):
    """Return whether two parts are separate along the normal of planes that one of them lies between."""
    ax, ay, az, a_least, a_most = planes_of(SA, TA, LA, int(E[at + IN_SLABS]), state)
    bx, by, bz, b_least, b_most = planes_of(SB, TB, LB, int(E[at + IN_SLABS + 1]), state)
    slack = SLAB_SLACK * Q[SLACK]
    state[SLABS] += 1
    count(state, 1, 0, 3)
    if (ax != 0.0) | (ay != 0.0) | (az != 0.0):
        count(state, 12, 8, 0)
        x, y = Q[0] * ax + Q[3] * ay + Q[6] * az, Q[1] * ax + Q[4] * ay + Q[7] * az
        z, shift = Q[2] * ax + Q[5] * ay + Q[8] * az, ax * Q[14] + ay * Q[15] + az * Q[16]
        if _misses(x, y, z, shift, a_least, a_most, E, at + BOX_B, bx, by, bz, b_least, b_most, slack, state):
            return True
    count(state, 0, 0, 3)
    if (bx != 0.0) | (by != 0.0) | (bz != 0.0):
        count(state, 16, 8, 0)
        inverse = Q[INVERSE]
        x, y = inverse * (Q[0] * bx + Q[1] * by + Q[2] * bz), inverse * (Q[3] * bx + Q[4] * by + Q[5] * bz)
        z, slack = inverse * (Q[6] * bx + Q[7] * by + Q[8] * bz), slack * Q[INVERSE + 1]
        shift = -(x * Q[14] + y * Q[15] + z * Q[16])
        return _misses(
            x, y, z, shift, b_least, b_most, E, at + BOX_A, ax, ay, az, a_least, a_most, slack, state
        )
    return False
