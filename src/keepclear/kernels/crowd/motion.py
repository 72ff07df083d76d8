"""Built-in motions of a crowd: the true positions of spheres, as chains of parabolas.

Every sphere has an anchor: position and velocity at a time, and the acceleration until the anchor's end. A probe
evaluates the parabola at a time. Past its end the anchor moves on, and the motion determines the next parabola.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import config
from numba.extending import intrinsic

from keepclear.compiler.kernel import kernel
from keepclear.kernels.crowd import layout as at

# Data of the motions: random forces and velocity fields have an interval and a seed or the field's parameters; recorded
# tracks have rows of time, position, and whether the track continues after that sample.
D_INTERVAL, D_SEED, D_SPEED, D_RESPONSE, D_CENTRE, D_HALF = 0, 1, 1, 2, 3, 6
D_ROWS, ROW = 16, 5
# Relative violation of the promised bounds that is accepted as rounding of the caller's arithmetic.
ROUNDING = 1e-12


@kernel(boundscheck=False)
def random_acceleration(seed, i, k, size, dimensions):
    """Return the acceleration of sphere i in interval k: isotropic direction, magnitude uniform between 0 and `size`.

    The chain of hashes is mix(seed + G), then mix((. ^ i) + G) and mix((. ^ k) + G); three more steps give the numbers
    u0, u1, u2. In space z = 2 u0 - 1 and the angle is 2 pi u1, in the plane the angle is 2 pi u0; u2 is the fraction of
    `size`.
    """
    h = hashed(seed, i, k)
    u0, u1 = uniform(h, 1), uniform(h, 2)
    length = size * uniform(h, 3) * (1.0 - 2.0**-50)
    if dimensions == 2:
        return length * math.cos(2.0 * math.pi * u0), length * math.sin(2.0 * math.pi * u0), 0.0
    z, angle = 2.0 * u0 - 1.0, 2.0 * math.pi * u1
    across = length * math.sqrt((1.0 - z) * (1.0 + z))
    return across * math.cos(angle), across * math.sin(angle), length * z


@kernel(boundscheck=False)
def field_velocity(D, x, y, z, dimensions):
    """Return the velocity of the circulating field: upwards in the middle of the box, downwards along its sides."""
    hx, hy, hz = D[D_HALF], D[D_HALF + 1], D[D_HALF + 2]
    u, w = math.pi * (x - D[D_CENTRE]) / hx, math.pi * (y - D[D_CENTRE + 1]) / hy
    if dimensions == 2:
        return (
            D[D_SPEED] * hx / (2.0 * hy) * math.sin(u) * math.sin(0.5 * w),
            D[D_SPEED] * math.cos(u) * math.cos(0.5 * w),
            0.0,
        )
    q = 0.5 * math.pi * (z - D[D_CENTRE + 2]) / hz
    return (
        D[D_SPEED] * hx / (4.0 * hz) * math.sin(u) * math.sin(q),
        D[D_SPEED] * hy / (4.0 * hz) * math.sin(w) * math.sin(q),
        0.5 * D[D_SPEED] * (math.cos(u) + math.cos(w)) * math.cos(q),
    )


@kernel("void(int64, int64, int64, float64, int64, float64[::1])")
def random_force(seed, i, k, size, dimensions, out):
    """Write `random_acceleration` into an array (3,)."""
    out[0], out[1], out[2] = random_acceleration(seed, i, k, size, dimensions)


@kernel(boundscheck=False)
def steer(F, N, S, D, i, k):
    """Set the acceleration of an anchor for interval k and the end of that interval."""
    dimensions = int(S[at.DIMENSIONS])
    if S[at.MOTION] == at.RANDOM:
        a = random_acceleration(int(D[D_SEED]), N[i, at.ID], k, F[i, at.ACCELERATION], dimensions)
    else:
        u = field_velocity(D, F[i, at.ANCHOR_X], F[i, at.ANCHOR_X + 1], F[i, at.ANCHOR_X + 2], dimensions)
        g = 1.0 / D[D_RESPONSE]
        ax, ay = g * (u[0] - F[i, at.ANCHOR_V]), g * (u[1] - F[i, at.ANCHOR_V + 1])
        az = g * (u[2] - F[i, at.ANCHOR_V + 2])
        size = math.sqrt(ax * ax + ay * ay + az * az)
        limit = F[i, at.ACCELERATION] * (1.0 - 2.0**-50)
        part = limit / size if size > limit else 1.0
        a = (part * ax, part * ay, part * az)
    for c in range(3):
        F[i, at.ANCHOR_A + c] = a[c] + S[at.GRAVITY + c]
    F[i, at.ANCHOR_END] = (k + 1) * D[D_INTERVAL]


@kernel(boundscheck=False)
def interval_of(t, interval):
    """Return the number k of the interval [k h, (k + 1) h) that contains a time, with the products as rounded."""
    k = math.floor(t / interval)
    while k * interval > t:
        k -= 1
    while (k + 1) * interval <= t:
        k += 1
    return k


@kernel(boundscheck=False)
def set_anchor(F, N, S, D, i, t):
    """Start a new anchor from the sphere's probed state at time t, as after an impact."""
    if S[at.MOTION] == at.OBSERVED:
        return
    for c in range(3):
        F[i, at.ANCHOR_X + c], F[i, at.ANCHOR_V + c] = F[i, at.X + c], F[i, at.V + c]
    F[i, at.ANCHOR_T], motion = t, S[at.MOTION]
    if motion == at.RANDOM or motion == at.FIELD:
        if not (F[i, at.ANCHOR_END] > t and F[i, at.ANCHOR_END] < math.inf):
            steer(F, N, S, D, i, interval_of(t, D[D_INTERVAL]))
    elif motion != at.TRACKS:
        for c in range(3):
            F[i, at.ANCHOR_A + c] = S[at.GRAVITY + c]
        F[i, at.ANCHOR_END] = math.inf


@kernel(boundscheck=False)
def next_interval(F, N, S, D, i):
    """Move an anchor to its end, where the next interval of constant acceleration begins."""
    t = F[i, at.ANCHOR_END]
    s = t - F[i, at.ANCHOR_T]
    for c in range(3):
        v, a = F[i, at.ANCHOR_V + c], F[i, at.ANCHOR_A + c]
        F[i, at.ANCHOR_X + c] += (v + 0.5 * a * s) * s
        F[i, at.ANCHOR_V + c] = v + a * s
    F[i, at.ANCHOR_T] = t
    steer(F, N, S, D, i, interval_of(t, D[D_INTERVAL]))


@kernel(boundscheck=False)
def next_sample(F, N, D, i):
    """Move the anchor of a recorded track to its next sample; return whether the track continues from there.

    If it does not, the anchor's end is the time of the sample after the gap, when the member appears again, or
    infinity.
    """
    k = N[i, at.KNOT] + 1
    N[i, at.KNOT] = k
    if k >= N[i, at.LAST_KNOT]:
        F[i, at.ANCHOR_END] = math.inf
        return False
    row = D_ROWS + ROW * k
    start, end = D[row], D[row + ROW]
    F[i, at.ANCHOR_T], F[i, at.ANCHOR_END] = start, end
    if D[row + 4] == 0.0:
        return False
    for c in range(3):
        F[i, at.ANCHOR_X + c], F[i, at.ANCHOR_A + c] = D[row + 1 + c], 0.0
        F[i, at.ANCHOR_V + c] = (D[row + ROW + 1 + c] - D[row + 1 + c]) / (end - start)
    return True


@kernel(boundscheck=False)
def ask_compiled(F, N, S, D, C, i, t):
    """Call the caller's compiled probe for a sphere's state at t; False if it failed or broke its bound."""
    if call_probe(C[at.PROBE_ADDRESS], N[i, at.ID], t, D.ctypes.data) != 1:
        return False
    s, A = t - F[i, at.PROBED], F[i, at.ACCELERATION]
    off, change, far, fast = 0.0, 0.0, 0.0, 0.0
    for c in range(3):
        g, x, v = S[at.GRAVITY + c], D[c], D[3 + c]
        off += (x - F[i, at.X + c] - (F[i, at.V + c] + 0.5 * g * s) * s) ** 2
        change += (v - F[i, at.V + c] - g * s) ** 2
        far, fast = max(far, abs(x)), max(fast, abs(v))
    # harmless (S[at.SLACK]): then more probes are refused
    if not math.sqrt(off) <= promised_travel(A, s, far, fast, S[at.SLACK]):
        return False
    if not math.sqrt(change) <= promised_change(A, s, t, fast):
        return False
    for c in range(3):
        F[i, at.X + c], F[i, at.V + c] = D[c], D[3 + c]
    F[i, at.PROBED] = t
    C[at.PROBES] += 1
    return True


@kernel(boundscheck=False)
def promised_travel(A, s, far, fast, slack):
    """Return how far a sphere may be from its force-free position, including rounding of the caller's arithmetic."""
    return 0.5 * A * s * s + slack + ROUNDING * (far + fast * s)


@kernel(boundscheck=False)
def promised_change(A, s, t, fast):
    """Return how much the velocity of a sphere may change in s, including rounding of the caller's arithmetic."""
    return A * s + ROUNDING * (fast + A * (abs(t) + s)) + 1e-300


@kernel(boundscheck=False)
def refresh(F, N, S, D, C, i, t):
    """Probe a sphere: update its known state to time t; return False if kernels cannot evaluate its motion."""
    if F[i, at.PROBED] == t:
        return True
    if S[at.MOTION] == at.OBSERVED or S[at.MOTION] == at.EXTERNAL:
        return False
    if S[at.MOTION] == at.COMPILED:
        return ask_compiled(F, N, S, D, C, i, t)
    if S[at.MOTION] != at.TRACKS:  # the next segment of a track begins with a separate event
        while t >= F[i, at.ANCHOR_END]:
            next_interval(F, N, S, D, i)
    s = t - F[i, at.ANCHOR_T]
    for c in range(3):
        v, a = F[i, at.ANCHOR_V + c], F[i, at.ANCHOR_A + c]
        F[i, at.X + c] = F[i, at.ANCHOR_X + c] + (v + 0.5 * a * s) * s
        F[i, at.V + c] = v + a * s
    F[i, at.PROBED] = t
    C[at.PROBES] += 1
    return True


STEP, FIRST, SECOND = (
    np.uint64(0x9E3779B97F4A7C15),
    np.uint64(0xBF58476D1CE4E5B9),
    np.uint64(0x94D049BB133111EB),
)
S30, S27, S31, S11 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11)


def _bits(n: int) -> Any:
    """Return an integer as 64 bits, negative ones in two's complement."""
    return np.uint64(n)


def _product(a: Any, b: Any) -> Any:
    """Return the low 64 bits of a product."""
    return a * b


def _sum(a: Any, b: Any) -> Any:
    """Return the low 64 bits of a sum."""
    return a + b


def _plain_bits(n: int) -> Any:
    return np.uint64(int(n) & 0xFFFFFFFFFFFFFFFF)


def _plain_product(a: Any, b: Any) -> Any:
    return _plain_bits(int(a) * int(b))


def _plain_sum(a: Any, b: Any) -> Any:
    return _plain_bits(int(a) + int(b))


bits: Any = _plain_bits if config.DISABLE_JIT else kernel(_bits)
product: Any = _plain_product if config.DISABLE_JIT else kernel(_product)
total: Any = _plain_sum if config.DISABLE_JIT else kernel(_sum)


@kernel(boundscheck=False)
def mixed(z):
    """Return 64 well mixed bits: the finaliser of splitmix64."""
    z = product(z ^ (z >> S30), FIRST)
    z = product(z ^ (z >> S27), SECOND)
    return z ^ (z >> S31)


@kernel(boundscheck=False)
def hashed(seed, i, k):
    """Return the 64-bit hash of a seed, a member and an interval."""
    z = mixed(total(bits(seed), STEP))
    z = mixed(total(z ^ bits(i), STEP))
    return mixed(total(z ^ bits(k), STEP))


@kernel(boundscheck=False)
def uniform(z, n):
    """Return the n-th pseudorandom number in [0, 1) derived from 64 bits."""
    return float(mixed(total(z, product(bits(n), STEP))) >> S11) * 2.0**-53


SUCCESS = 1


def _call_address(typing_context: Any, address: Any, i: Any, t: Any, out: Any) -> Any:
    """Call `int64 f(int64 id, double t, double *out)` at an address; 1 means that out holds position and velocity."""
    del typing_context, address, i, t, out
    signature = types.int64(types.int64, types.int64, types.float64, types.int64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        del context, signature
        word = ir.IntType(64)
        kind = ir.FunctionType(word, [word, ir.DoubleType(), word])
        return builder.call(builder.inttoptr(arguments[0], kind.as_pointer()), arguments[1:])

    return signature, generate


def _never(address: int, i: int, t: float, out: int) -> int:
    """Raise an error: without the compiler there are no compiled probes, and Python calls the probe instead."""
    del address, i, t, out
    return 0


call_probe: Any = _never if config.DISABLE_JIT else intrinsic(_call_address)
