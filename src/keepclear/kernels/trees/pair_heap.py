"""A heap of pairs of nodes: keys, and three integers of data for each; the least key comes first."""

from __future__ import annotations

import math

import numpy as np

from keepclear.compiler.kernel import kernel
from keepclear.kernels.tables.surface import ORIGIN, ROOT_HALF
from keepclear.kernels.trees.obb_tree import HALF, NODE


@kernel(inline=True, boundscheck=False)
def insert(keys, nodes, size, key, a, b, stamp):
    """Add a pair to the heap; return its new size."""
    i = size
    while i > 0:
        up = (i - 1) >> 1
        if keys[up] <= key:
            break
        keys[i] = keys[up]
        nodes[3 * i], nodes[3 * i + 1], nodes[3 * i + 2] = nodes[3 * up], nodes[3 * up + 1], nodes[3 * up + 2]
        i = up
    keys[i] = key
    nodes[3 * i], nodes[3 * i + 1], nodes[3 * i + 2] = a, b, stamp
    return size + 1


@kernel(boundscheck=False)
def remove_first(keys, nodes, size):
    """Remove the pair with the least key from the heap; return its new size."""
    size -= 1
    key, i = keys[size], 0
    a, b, stamp = nodes[3 * size], nodes[3 * size + 1], nodes[3 * size + 2]
    while True:
        down = 2 * i + 1
        if down >= size:
            break
        if down + 1 < size and keys[down + 1] < keys[down]:
            down += 1
        if key <= keys[down]:
            break
        keys[i] = keys[down]
        nodes[3 * i], nodes[3 * i + 1], nodes[3 * i + 2] = (
            nodes[3 * down],
            nodes[3 * down + 1],
            nodes[3 * down + 2],
        )
        i = down
    keys[i] = key
    nodes[3 * i], nodes[3 * i + 1], nodes[3 * i + 2] = a, b, stamp
    return size


# In `memory`: the closest triangles (-1 for none), the number of pairs in the heap, the number of the frame (-1 before
# the first), frames and steps since the search began at the roots, recent steps, and the number of proofs.
TRIANGLE_A, TRIANGLE_B, SIZE, FRAME, FRAMES, COST, RECENT, KEPT, MEMORY = 0, 1, 2, 3, 4, 5, 6, 7, 8
# In `motion`: how far B has moved since the search began at the roots, the last relative matrix, the distance of the
# surfaces, how far B has moved in total; then proofs.
MOVED, LAST, CLEARANCE, TRAVELLED, PROOFS = 0, 1, 14, 15, 16
# A proof: nodes of A and B, direction in A's frame, reach of A; then of B direction, reach, centre and radius.
PROOF, MOST_PROOFS = 14, 512
MOTION = PROOFS + PROOF * MOST_PROOFS
PROVED = -2  # stamp of a pair whose proof was valid in the last frame


@kernel(boundscheck=False)
def begin(memory, motion, keys, nodes):
    """Restart the search at the roots."""
    memory[SIZE], memory[KEPT], motion[MOVED] = 1, 0, 0.0
    memory[FRAMES], memory[COST], memory[RECENT] = 0, 0, 0
    keys[0] = -math.inf
    nodes[0], nodes[1], nodes[2] = 0, 0, memory[FRAME] + 1


@kernel(boundscheck=False)
def is_worn(memory, cost):
    """Record the cost of a frame; return whether to restart at the roots.

    A front only gets finer, and the longer it is used the worse it fits. A restart is paid for once. It is due as soon
    as frames cost more than the mean since the last restart, whose cost is included.
    """
    memory[FRAMES] += 1
    memory[COST] += cost
    if memory[FRAMES] > 4:
        memory[RECENT] = (3 * memory[RECENT] + cost) // 4
    return memory[RECENT] * memory[FRAMES] > memory[COST]


@kernel(boundscheck=False)
def _stretch(E):
    """Return an upper bound on the stretch of a 3x3 matrix, at most 5 % too large for a difference of rotations.

    The stretch is the root of the largest eigenvalue of E^T E; the sum of powers of the eigenvalues, here the eighth,
    bounds it.
    """
    big = 0.0
    for i in range(9):
        big = max(big, abs(E[i]))
    if big == 0.0:
        return 0.0
    f = 1.0 / big
    a, b, c = 0.0, 0.0, 0.0
    d, e, g = 0.0, 0.0, 0.0
    for i in range(0, 9, 3):
        x, y, z = f * E[i], f * E[i + 1], f * E[i + 2]
        a, b, c = a + x * x, b + y * y, c + z * z
        d, e, g = d + x * y, e + x * z, g + y * z
    for _ in range(2):
        p, q, r = a * a + d * d + e * e, d * d + b * b + g * g, e * e + g * g + c * c
        d, e, g = a * d + d * b + e * g, a * e + d * g + e * c, d * e + b * g + g * c
        a, b, c = p, q, r
    power = a * a + b * b + c * c + 2.0 * (d * d + e * e + g * g)
    return big * math.sqrt(math.sqrt(math.sqrt(math.sqrt(power))))


@kernel(boundscheck=False)
def travel_since(SB, Q, motion, E):
    """Return how far a point of B can have moved in A's frame since the last frame, and store this frame."""
    travel = 0.0
    for i in range(3):
        d = Q[9 + i] - motion[LAST + 9 + i]
        for j in range(3):
            E[3 * i + j] = Q[3 * i + j] - motion[LAST + 3 * i + j]
            d += E[3 * i + j] * SB[ORIGIN + j]
        travel += d * d
    for k in range(13):
        motion[LAST + k] = Q[k]
    radius = math.sqrt(SB[ROOT_HALF] ** 2 + SB[ROOT_HALF + 1] ** 2 + SB[ROOT_HALF + 2] ** 2)
    # harmless (1e-9): twice the allowance of poses, 512 u of the scene, is more than this rounding
    travel = (math.sqrt(travel) + _stretch(E) * radius) * (1.0 + 1e-9) + 2.0 * Q[13]
    motion[TRAVELLED] += travel
    return travel


@kernel(boundscheck=False)
def keep(NB, a, b, x, y, z, far_a, far_b, Q, memory, motion):
    """Store the proof that the nodes a and b are separate along the unit vector (x, y, z)."""
    at, q, square = PROOFS + PROOF * memory[KEPT], NODE * b, 0.0
    motion[at], motion[at + 1], motion[at + 5] = a, b, far_a
    motion[at + 2], motion[at + 3], motion[at + 4] = x, y, z
    for j in range(3):
        motion[at + 6 + j] = -(Q[j] * x + Q[3 + j] * y + Q[6 + j] * z)
        motion[at + 10 + j] = NB[q + j]
        half = np.float64(NB[q + HALF + j])
        square += half * half
    motion[at + 9], motion[at + 13] = far_b, math.sqrt(square) * (1.0 + 1e-5)
    memory[KEPT] += 1


@kernel(boundscheck=False)
def check_proofs(Q, memory, motion, enough, keys, nodes, size):
    """Move pairs no longer proved to be `enough` apart back to the heap; return its size and the least gap left.

    When B's direction e turns to f, points within the radius r of c get farther along it by at most (f - e) . c + |f -
    e| r.
    """
    r00, r01, r02 = Q[0], Q[1], Q[2]
    r10, r11, r12 = Q[3], Q[4], Q[5]
    r20, r21, r22 = Q[6], Q[7], Q[8]
    tx, ty, tz = Q[14], Q[15], Q[16]
    to, least = PROOFS, math.inf
    for at in range(PROOFS, PROOFS + PROOF * memory[KEPT], PROOF):
        x, y, z = motion[at + 2], motion[at + 3], motion[at + 4]
        u = -(r00 * x + r10 * y + r20 * z) - motion[at + 6]
        v = -(r01 * x + r11 * y + r21 * z) - motion[at + 7]
        w = -(r02 * x + r12 * y + r22 * z) - motion[at + 8]
        gap = x * tx + y * ty + z * tz - motion[at + 5] - motion[at + 9]
        gap -= u * motion[at + 10] + v * motion[at + 11] + w * motion[at + 12]
        gap -= math.sqrt(u * u + v * v + w * w) * motion[at + 13]
        if gap > enough:
            least = min(least, gap)
            if to < at:
                for i in range(PROOF):
                    motion[to + i] = motion[at + i]
            to += PROOF
        else:
            a, b = int(motion[at]), int(motion[at + 1])
            # harmless (motion[MOVED]): a smaller key is checked earlier
            size = insert(keys, nodes, size, gap - Q[13] + motion[MOVED], a, b, PROVED)
    memory[KEPT] = (to - PROOFS) // PROOF
    return size, least
