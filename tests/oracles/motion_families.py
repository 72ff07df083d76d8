"""Moving pairs with a contact planted at a known time, or a gap of known width: for all shapes and all motions."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from tests.oracles import mesh_bodies as make
from tests.oracles.contact_time import Encounter, Truth
from tests.oracles.contact_time_support import support_of
from tests.oracles.exact_points import box, capsule, convex, cylinder, sphere
from tests.oracles.mesh_scene import mesh_body
from tests.oracles.motion_bodies import Thing
from tests.oracles.motion_poses import Move, fixed, move, turn
from tests.oracles.poses import pose, random_rotation, unit_vector

Array = np.ndarray
Generator = np.random.Generator


class Question(NamedTuple):
    """A pair of moving bodies, how to ask about it, and what is true."""

    case: Encounter
    truth: Truth
    tolerance: float = 1e-4
    margin: float = 0.0


SHAPES: dict[str, Callable[[Generator, float], Thing]] = {
    "sphere": lambda rng, s: Thing(sphere(s * rng.uniform(0.2, 0.5))),
    "box": lambda rng, s: Thing(box(s * rng.uniform(0.3, 1.0, size=3))),
    "capsule": lambda rng, s: Thing(capsule(s * rng.uniform(0.1, 0.3), s * rng.uniform(0.3, 1.0))),
    "cylinder": lambda rng, s: Thing(cylinder(s * rng.uniform(0.1, 0.3), s * rng.uniform(0.3, 1.0))),
    "convex": lambda rng, s: Thing(convex(0.3 * s * rng.normal(size=(int(rng.integers(5, 14)), 3)))),
    "solid mesh": lambda rng, s: Thing(notched(rng.uniform(0.6, 1.0) * s)),
    "box mesh": lambda rng, s: Thing(make.box_mesh(s * rng.uniform(0.3, 1.0, size=3), quads=True)),
    "open mesh": lambda rng, s: Thing(sheet(s * rng.uniform(0.4, 1.0, size=2))),
}


def notched(size: float) -> make.MeshBody:
    """A block with a slot, not convex."""
    return make.moved(make.notched_block(), (0, 0, -0.2 * size), scale=0.04 * size)


def sheet(size: Array) -> make.MeshBody:
    """A rectangle of four triangles in the plane z = 0."""
    x, y = size / 2
    corners = [(-x, -y, 0), (x, -y, 0), (x, y, 0), (-x, y, 0), (0, 0, 0)]
    return mesh_body(corners, [(0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)])


def flat_spot(thing: Thing, rng: Generator) -> tuple[Array, Array]:
    """A point of the surface and the outward normal there, with the whole body on the other side of the plane."""
    if thing.kind == "sphere":
        n = unit_vector(rng)
        return thing.radius * n, n
    if thing.kind in ("capsule", "cylinder"):
        length = thing.body.length
        if thing.kind == "cylinder" and rng.random() < 0.5:
            return np.array([0.3 * thing.radius, 0.2 * thing.radius, length / 2]), np.array([0, 0, 1.0])
        turn_z = rng.uniform(0, 2 * np.pi)
        n = np.array([np.cos(turn_z), np.sin(turn_z), 0.0])
        return thing.radius * n + np.array([0, 0, rng.uniform(-0.4, 0.4) * length]), n
    choices = []
    for a, b, c in thing.points[thing.triangles]:
        n = np.cross(b - a, c - a)
        n /= np.linalg.norm(n)
        for side in (n, -n):
            if np.max((thing.points - a) @ side) <= 1e-15 * thing.extent:
                choices.append(((a + b + c) / 3, side))
    return choices[int(rng.integers(len(choices)))]


def random_path(rng: Generator, kind: str, size: float) -> Move:
    """A way of about 3 sizes with turns, of one to three pieces over one to three seconds; cubics turn gently."""
    n = int(rng.integers(1, 4))
    count = 3 * n + 1 if kind == "cubic" else n + 1
    along, axis = unit_vector(rng), unit_vector(rng)
    gentle = kind == "cubic"
    bend, R = 0.4 * size * rng.normal(size=3), random_rotation(rng)
    X = []
    for u in np.linspace(-1, 1, count):
        X.append(pose(R, 1.5 * size * u * along + bend * u * u))
        axis = axis if gentle else unit_vector(rng)
        R = R @ turn(axis, 0.1 if gentle else rng.uniform(0.2, 2.9))
        U, _, V = np.linalg.svd(R)
        R = U @ V
    steps = np.ones(n) if gentle else rng.uniform(0.3, 1.0, size=n)
    knots = np.concatenate([[0.0], np.cumsum(steps)])
    times = np.linspace(0.0, knots[-1], count) if gentle else knots
    return move(kind, times, X)


def highest(thing: Thing, told: Move, u: Array, t: Array) -> tuple[Array, Array]:
    """The heights (m,) of a moving body along u, and its highest points (m, 3), at times (m,)."""
    X = told.at(t).astype(np.float64)
    if thing.is_mesh:
        P = np.einsum("tij,nj->tni", X[:, :3, :3], thing.points[thing.corners]) + X[:, None, :3, 3]
        points = P[np.arange(len(t)), np.argmax(P @ u, axis=1)]
    else:
        support = support_of(thing, X[:, :3, :3], X[:, :3, 3])
        points = support(np.tile(u, (len(t), 1)), np.arange(len(t)))
    return points @ u, points


def against(spot: tuple[Array, Array], u: Array, p: Array, rng: Generator) -> Array:
    """A pose of B with its spot at p and its outward normal there along -u."""
    q, n = spot
    R = frame(-u, rng) @ frame(n, rng).T
    U, _, V = np.linalg.svd(R)
    R = U @ V
    return pose(R, p - R @ q)


def frame(n: Array, rng: Generator) -> Array:
    """A rotation with n as its last column."""
    x = np.cross(n, unit_vector(rng))
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(n, x), n])


def planted_impact(rng: Generator, a: Thing, b: Thing, kind: str, margin: float = 0.0) -> Question:
    """A moving A reaches a flat or round place of B, with the margin between them, at a time known to rounding.

    Until then a plane parts the bodies: B's tangent plane, which A's highest point reaches from below at a
    good speed. So the truth needs no search, only the height of A.
    """
    size = max(a.extent, b.extent)
    while True:
        told = random_path(rng, kind, size)
        when = float(rng.uniform(0.3, 0.95)) * told.times[-1]
        t = np.linspace(0.0, when, 300)[:-1]
        step = 1e-6 * told.times[-1]
        centre = told.at([when - step, when + step])[:, :3, 3].astype(np.float64)
        u = centre[1] - centre[0] + 0.3 * step * size * rng.normal(size=3)
        u /= np.linalg.norm(u)
        (top, before), (p, _) = highest(a, told, u, np.array([when, when - step]))
        speed = (top - before) / step
        rest = top - highest(a, told, u, t)[0]
        if speed > 0.2 * size and np.all(rest > 0.05 * size * (when - t)):
            break
    X_WB = against(flat_spot(b, rng), u, p + margin * u, rng)
    slide = 0.1 * size * np.cross(u, unit_vector(rng))  # along the plane
    other = fixed(X_WB)
    if rng.random() < 0.5:
        ends = (told.times[0] - 0.2, told.times[-1] + 0.1)
        other = move("linear", ends, [pose(X_WB[:3, :3], X_WB[:3, 3] + (s - when) * slide) for s in ends])
    rounding = 1e-12 * size / speed
    return Question(Encounter(a, told, b, other), Truth(when - rounding, when + rounding), margin=margin)


def planted_miss(rng: Generator, a: Thing, b: Thing, kind: str, gap: float) -> Question:
    """A moving A passes below a flat or round place of B with a gap at its highest instant; negative gaps are hits."""
    size = max(a.extent, b.extent)
    while True:
        told = random_path(rng, kind, size)
        end = told.times[-1]
        u = unit_vector(rng)
        t = np.linspace(0.0, end, 400)
        heights = highest(a, told, u, t)[0]
        best = int(np.argmax(heights))
        if 20 < best < 380:
            break
    low, high = t[best - 1], t[best + 1]
    for _ in range(60):  # ternary search: the top is smooth, or a corner of two smooth arcs
        x, y = low + (high - low) / 3, high - (high - low) / 3
        f, g = highest(a, told, u, np.array([x, y]))[0]
        low, high = (low, y) if f > g else (x, high)
    when = float((low + high) / 2)
    (top,), (p,) = highest(a, told, u, np.array([when]))
    X_WB = against(flat_spot(b, rng), u, p + (gap + max(0.0, float(heights.max()) - top)) * u, rng)
    truth = Truth(end, np.nan) if gap > 0 else Truth(0.0, when)
    return Question(Encounter(a, told, b, fixed(X_WB)), truth, tolerance=1e-7)
