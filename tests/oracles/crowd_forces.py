"""The seeded accelerations of random forces, written from their description, in integers of any size."""

import math

ALL_BITS = (1 << 64) - 1
STEP = 0x9E3779B97F4A7C15


def mixed(z: int) -> int:
    """The finaliser of splitmix64."""
    z &= ALL_BITS
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & ALL_BITS
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & ALL_BITS
    return z ^ z >> 31


def draws(seed: int, member: int, number: int) -> tuple[float, float, float]:
    """Three numbers in [0, 1) that belong to a member and to the number of an interval."""
    state = mixed(seed + STEP)
    state = mixed((state ^ member & ALL_BITS) + STEP)
    state = mixed((state ^ number & ALL_BITS) + STEP)
    u0, u1, u2 = ((mixed(state + k * STEP) >> 11) * 2.0**-53 for k in (1, 2, 3))
    return u0, u1, u2


def acceleration(seed: int, member: int, number: int, bound: float, dimension: int) -> tuple[float, ...]:
    """What acts on a member in an interval: any direction alike, size uniform up to the bound [m/s^2]."""
    u0, u1, u2 = draws(seed, member, number)
    size = bound * u2 * (1.0 - 2.0**-50)
    if dimension == 2:
        return size * math.cos(2.0 * math.pi * u0), size * math.sin(2.0 * math.pi * u0)
    z, angle = 2.0 * u0 - 1.0, 2.0 * math.pi * u1
    s = math.sqrt((1.0 - z) * (1.0 + z))
    return size * s * math.cos(angle), size * s * math.sin(angle), size * z


def interval_number(t: float, interval: float) -> int:
    """The greatest k with k * interval (a double) <= t."""
    k = math.floor(t / interval)
    while k * interval > t:
        k -= 1
    while (k + 1) * interval <= t:
        k += 1
    return k
