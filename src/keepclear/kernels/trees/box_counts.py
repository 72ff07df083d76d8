"""Counters of a search of two box trees: steps, pairs of boxes, and, on request, every operation.

Operations are those on real numbers: a division counts as a multiplication, a difference as an addition, a sign test as
a comparison, the greatest of three numbers as two. Absolute values are free, and so are operations on links and kinds
of nodes. The cost of a pose before its first step, and tests of two triangles, are not counted.
"""

from __future__ import annotations

from keepclear.kernels._compile import kernel

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


@kernel(inline=True, boundscheck=False)
def count(state, multiplications, additions, comparisons):
    """Add operations to a state that counts them."""
    if state[COUNTING] != 0:
        state[MULTIPLICATIONS] += multiplications
        state[ADDITIONS] += additions
        state[COMPARISONS] += comparisons
