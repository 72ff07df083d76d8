"""Tests whether exact shapes come within a distance of each other at one pose; the search ends at the first contact."""

from __future__ import annotations

import math

import numpy as np

from keepclear.kernels._compile import kernel
from keepclear.kernels.convex.support import BOX, CYLINDER, KIND, RADIUS, SIZE_X, SIZE_Y, SIZE_Z
from keepclear.kernels.edges.separation import CLOSE, PROVED, separate
from keepclear.kernels.trees.mesh_convex import as_box, as_triangle
from keepclear.kernels.trees.obb_tree import LINK, NODE
from keepclear.kernels.trees.surface_layout import ORIGIN

STRETCHED = 1.0 + 1e-6  # boxes in single precision stretch lengths by less than this
REST = (0.0, 0.0, 0.0)


@kernel(boundscheck=False)
def inner_balls_meet(inner, first_a, last_a, first_b, last_b, rel, within):
    """Return whether balls inside of A and of B, whose pose in A's frame is `rel`, come within a distance."""
    for j in range(first_b, last_b):
        x, y, z = inner[j, 0], inner[j, 1], inner[j, 2]
        bx = rel[0] * x + rel[1] * y + rel[2] * z + rel[9]
        by = rel[3] * x + rel[4] * y + rel[5] * z + rel[10]
        bz = rel[6] * x + rel[7] * y + rel[8] * z + rel[11]
        for i in range(first_a, last_a):
            x, y, z = bx - inner[i, 0], by - inner[i, 1], bz - inner[i, 2]
            far = inner[i, 3] + inner[j, 3] + within
            if far > 0.0 and x * x + y * y + z * z <= far * far:
                return True
    return False


@kernel(boundscheck=False)
def inner_ball_meets_convex(inner, first, last, FB, rel, within):
    """Return whether a ball inside of A comes within a distance of B, a box or a cylinder at a pose in A's frame."""
    kind = FB[KIND]
    if kind != BOX and kind != CYLINDER:
        return False
    for i in range(first, last):
        x, y, z = inner[i, 0] - rel[9], inner[i, 1] - rel[10], inner[i, 2] - rel[11]
        bx = abs(rel[0] * x + rel[3] * y + rel[6] * z)
        by = abs(rel[1] * x + rel[4] * y + rel[7] * z)
        bz = max(0.0, abs(rel[2] * x + rel[5] * y + rel[8] * z) - FB[SIZE_Z])
        if kind == BOX:
            bx, by = max(0.0, bx - FB[SIZE_X]), max(0.0, by - FB[SIZE_Y])
        else:
            bx, by = max(0.0, math.sqrt(bx * bx + by * by) - FB[SIZE_X]), 0.0
        far = inner[i, 3] + within + FB[RADIUS]
        if far > 0.0 and bx * bx + by * by + bz * bz <= far * far:
            return True
    return False


@kernel(inline=True, boundscheck=False)
def _square_to(S, N, node, rel):
    """Return the squared distance from the centre of a node's box to the origin of the convex body."""
    at = NODE * node
    x = rel[9] - S[ORIGIN] - np.float64(N[at])
    y = rel[10] - S[ORIGIN + 1] - np.float64(N[at + 1])
    z = rel[11] - S[ORIGIN + 2] - np.float64(N[at + 2])
    return x * x + y * y + z * z


@kernel(boundscheck=False)
def touches_convex(S, T, N, L, FB, IB, rel, within, slip, slack, P, K, memory, stack):
    """Return whether a triangle of a mesh has a point within a distance of a convex body; containment is not tested.

    Args:
        S, T, N, L: Surface and tree of the mesh.
        FB, IB: The core of the convex body.
        rel: Its pose in the mesh's frame.
        within: The distance [m].
        slip: Rounding error of distances [m].
        slack: Greatest shortfall of support points of the convex body [m].
        P, K: Scratch: a part of the mesh as a convex core.
        memory: Scratch of `separate`.
        stack: Scratch: nodes.
    """
    limit = within + FB[RADIUS]
    # harmless (2.0 * slip): a contact that this search misses is found by the distance that follows it
    # harmless (STRETCHED): likewise
    needed = (limit + 2.0 * slip) * STRETCHED
    memory[4] = -1.0
    stack[0], depth = 0, 1
    while depth > 0:
        depth -= 1
        node = stack[depth]
        link = L[NODE * node + LINK]
        memory[0], memory[1], memory[2] = 0.0, 0.0, 0.0
        memory[3] = -1.0
        if link < 0:
            as_triangle(S, T, -1 - link, P)
            ended, _ = separate(
                P,
                K,
                FB,
                IB,
                rel,
                REST,
                REST,
                REST,
                REST,
                False,
                0.0,
                memory,
                0,
                # harmless (slack): a contact that this search misses is found by the distance that follows it
                (0.0, slack),
                needed,
                0.0,
                limit - slip,
            )
            if ended == CLOSE:
                return True
            continue
        pose = as_box(S, N, node, rel, P)
        ended, _ = separate(
            P,
            K,
            FB,
            IB,
            pose,
            REST,
            REST,
            REST,
            REST,
            False,
            0.0,
            memory,
            0,
            # harmless (slack): a contact that this search misses is found by the distance that follows it
            (0.0, slack),
            needed,
            0.0,
            -1.0,
        )
        if ended == PROVED:
            continue
        # The child whose centre is nearer to that of B is on top.
        stack[depth], stack[depth + 1] = link, link + 1
        if _square_to(S, N, link, rel) < _square_to(S, N, link + 1, rel):
            stack[depth], stack[depth + 1] = link + 1, link
        depth += 2
    return False
