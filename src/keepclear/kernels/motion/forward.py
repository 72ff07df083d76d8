"""Poses of all links of a robot, for many configurations in one call.

The pose of a link in its parent's frame is X_PJ times the rotation or translation of its joint. Rows of a pose do not
mix: row i of the child is row i of the parent times both. Nearly all robots are modelled with axes along x, y or z and
with origins rotated about one of them, and such a rotation mixes only two columns. The tables say which, so that a row
costs about 17 multiplications instead of 36.
"""

from __future__ import annotations

from keepclear.compiler.kernel import kernel
from keepclear.kernels.motion.joints import map_of, mapped, mixed, turn

# Motion of a joint and rotation of its origin: none, about x, y or z, about any axis; or a translation along an axis.
NONE, ABOUT_X, ABOUT_Y, ABOUT_Z, ABOUT_ANY, ALONG = 0, 1, 2, 3, 4, 5


@kernel(inline=True, boundscheck=False)
def _turned(u, v, w, link, s, c):
    """Return a row rotated about any axis a, by Rodrigues' formula: c r + (1 - c) (r . a) a + s r x a."""
    x, y, z = link.axis[0], link.axis[1], link.axis[2]
    d = (1.0 - c) * (u * x + v * y + w * z)
    return (
        c * u + d * x + s * (v * z - w * y),
        c * v + d * y + s * (w * x - u * z),
        c * w + d * z + s * (u * y - v * x),
    )


@kernel(inline=True, boundscheck=False)
def _joint_value(link, q, k):
    """Return the value of a link's joint, and its sine and cosine if the joint is revolute."""
    if link.motion == NONE:
        return 0.0, 0.0, 1.0
    value = link.offset + link.multiplier * q[k, link.column]
    if link.motion == ALONG:
        return value, 0.0, 1.0
    s, c = turn(value)
    return value, s, c


@kernel("void(LINK[::1], float64[:,::1], float64[:,:,::1], float64[:,:,:,::1])", boundscheck=False)
def place_links(links, q, X_WB, X):
    """Write the poses of all links for many configurations.

    Args:
        links: Parents before children.
        q: (n, dof) configurations.
        X_WB: (1, 4, 4) or (n, 4, 4), the pose of link 0.
        X: (n, links, 4, 4), receives the poses.
    """
    for k in range(q.shape[0]):
        base = k if X_WB.shape[0] > 1 else 0
        for i in range(4):
            for j in range(4):
                X[k, 0, i, j] = X_WB[base, i, j]
        for n in range(1, links.shape[0]):
            link = links[n]
            parent, motion, origin = link.parent, link.motion, link.origin
            if not (NONE <= motion <= ALONG and NONE <= origin <= ABOUT_ANY):
                raise ValueError("a joint of an unknown kind")
            x, y, z = link.map[0, 3], link.map[1, 3], link.map[2, 3]
            s0, c0 = link.sine, link.cosine
            value, s, c = _joint_value(link, q, k)
            for i in range(3):
                u, v, w = X[k, parent, i, 0], X[k, parent, i, 1], X[k, parent, i, 2]
                p = X[k, parent, i, 3] + (u * x + v * y + w * z)
                if origin == ABOUT_X:
                    v, w = mixed(v, w, s0, c0)
                elif origin == ABOUT_Y:
                    w, u = mixed(w, u, s0, c0)
                elif origin == ABOUT_Z:
                    u, v = mixed(u, v, s0, c0)
                elif origin == ABOUT_ANY:
                    u, v, w, _ = mapped(u, v, w, p, map_of(link))
                if motion == ABOUT_Z:
                    u, v = mixed(u, v, s, c)
                elif motion == ABOUT_X:
                    v, w = mixed(v, w, s, c)
                elif motion == ABOUT_Y:
                    w, u = mixed(w, u, s, c)
                elif motion == ALONG:
                    p += value * (u * link.axis[0] + v * link.axis[1] + w * link.axis[2])
                elif motion == ABOUT_ANY:
                    u, v, w = _turned(u, v, w, link, s, c)
                X[k, n, i, 0], X[k, n, i, 1], X[k, n, i, 2], X[k, n, i, 3] = u, v, w, p
            X[k, n, 3, 0], X[k, n, 3, 1], X[k, n, 3, 2], X[k, n, 3, 3] = 0.0, 0.0, 0.0, 1.0
