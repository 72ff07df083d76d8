"""Points and vectors as tuples of three numbers, which machine code keeps in registers."""

from __future__ import annotations

import numpy as np

from keepclear.compiler.kernel import kernel


@kernel(inline=True, boundscheck=False)
def minus(a, b):
    """Return the vector from b to a."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@kernel(inline=True, boundscheck=False)
def plus(a, b):
    """Return the sum of two vectors."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@kernel(inline=True, boundscheck=False)
def moved(a, t, u):
    """Return a moved by t times u."""
    return a[0] + t * u[0], a[1] + t * u[1], a[2] + t * u[2]


@kernel(inline=True, boundscheck=False)
def scaled(f, a):
    """Return f times a vector."""
    return f * a[0], f * a[1], f * a[2]


@kernel(inline=True, boundscheck=False)
def dot(a, b):
    """Return the product of two vectors."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel(inline=True, boundscheck=False)
def cross(a, b):
    """Return the vector product of two vectors."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@kernel(inline=True, boundscheck=False)
def sum_of_magnitudes(a):
    """Return the sum of the magnitudes of a vector, which is never below its length."""
    return abs(a[0]) + abs(a[1]) + abs(a[2])


@kernel(inline=True, boundscheck=False)
def three(V, k):
    """Return the three numbers of an array from k on."""
    return V[k], V[k + 1], V[k + 2]


@kernel(inline=True, boundscheck=False)
def wide(N, k):
    """Return the three numbers of an array of single precision from k on, in double precision."""
    return np.float64(N[k]), np.float64(N[k + 1]), np.float64(N[k + 2])


@kernel(inline=True, boundscheck=False)
def matrix(V, k):
    """Return the rows of the matrix in an array from k on."""
    return three(V, k), three(V, k + 3), three(V, k + 6)


@kernel(inline=True, boundscheck=False)
def turned(r, a):
    """Return a matrix, given by its rows, times a vector."""
    return dot(r[0], a), dot(r[1], a), dot(r[2], a)


@kernel(inline=True, boundscheck=False)
def turned_back(r, a):
    """Return the transpose of a matrix, given by its rows, times a vector."""
    u, v, w = r
    return (
        u[0] * a[0] + v[0] * a[1] + w[0] * a[2],
        u[1] * a[0] + v[1] * a[1] + w[1] * a[2],
        u[2] * a[0] + v[2] * a[1] + w[2] * a[2],
    )


@kernel(inline=True, boundscheck=False)
def put(V, k, a):
    """Write three numbers to an array from k on."""
    V[k], V[k + 1], V[k + 2] = a
