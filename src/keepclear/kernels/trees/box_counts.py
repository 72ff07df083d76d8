"""What a search of two box trees counts: steps, pairs of boxes, and, where it is asked for, every operation.

Operations are those on real numbers: a division counts as a multiplication, a difference as an addition, a sign that
is asked for as a comparison, the greatest of three numbers as two. Absolute values are free, and so is what is done
with links and kinds of nodes. What a pose costs before its first step, and tests of two triangles, are not counted.
"""

from __future__ import annotations

from keepclear.kernels._compile import kernel

# Behind the state of a search as `obb_pair` has it: steps (a node opened, trimmed, or held against planes), tests of
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
