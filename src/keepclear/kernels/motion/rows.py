"""Rows of a motion for kernels: references to the array that it is stored in; see `tables.motion`."""

from __future__ import annotations

from keepclear.compiler.kernel import kernel, row_reader
from keepclear.kernels.tables.motion import (
    CHAIN_LINK,
    CUBIC_SEGMENT,
    HEAD,
    JOINTED_SEGMENT,
    MOTION,
    RIGID,
    SEGMENT,
)

_motion_at, _segment_at = row_reader(MOTION), row_reader(SEGMENT)
_rigid_at, _cubic_at = row_reader(RIGID), row_reader(CUBIC_SEGMENT)
_jointed_at, _link_at = row_reader(JOINTED_SEGMENT), row_reader(CHAIN_LINK)
_LINK = CHAIN_LINK.itemsize // 8


@kernel(inline=True, boundscheck=False)
def motion_of(Q):
    """Return the MOTION row of a motion."""
    return _motion_at(Q, 0)


@kernel(inline=True, boundscheck=False)
def knot_of(Q, k):
    """Return knot k of a motion [s]; segment k begins there."""
    return Q[HEAD + k]


@kernel(inline=True, boundscheck=False)
def _place(Q, k):
    """Return where the row of segment k begins."""
    motion = motion_of(Q)
    return HEAD + motion.n + 1 + motion.width * k


@kernel(inline=True, boundscheck=False)
def segment_of(Q, k):
    """Return what segment k has whatever its kind, a row of SEGMENT."""
    return _segment_at(Q, _place(Q, k))


@kernel(inline=True, boundscheck=False)
def rigid_of(Q, k):
    """Return segment k of a rigid motion."""
    return _rigid_at(Q, _place(Q, k))


@kernel(inline=True, boundscheck=False)
def cubic_of(Q, k):
    """Return segment k of a cubic motion."""
    return _cubic_at(Q, _place(Q, k))


@kernel(inline=True, boundscheck=False)
def jointed_of(Q, k):
    """Return segment k of a chain of joints."""
    return _jointed_at(Q, _place(Q, k))


@kernel(inline=True, boundscheck=False)
def coefficients_of(Q, k):
    """Return where the coefficients of the joints in segment k of a chain begin: four for each joint, by powers."""
    motion = motion_of(Q)
    return _place(Q, motion.n) + 4 * motion.joints * k


@kernel(inline=True, boundscheck=False)
def link_of(Q, m):
    """Return link m of a chain, a row of CHAIN_LINK; 0 is before the first joint."""
    return _link_at(Q, coefficients_of(Q, motion_of(Q).n) + _LINK * m)
