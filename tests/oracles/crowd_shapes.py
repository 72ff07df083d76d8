"""Contact times of shapes inside the members of a crowd, by another library at as many times as a proof needs."""

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import coal
import numpy as np
from scipy.spatial.transform import Rotation
from tests.oracles.crowd_comparison import told_stretches
from tests.oracles.crowd_families import Scene, random_scene
from tests.oracles.crowd_library import library_crowd, plain
from tests.oracles.crowd_paths import Paths

import keepclear as kc

Array = np.ndarray
Span = tuple[float, float]
SHORT = 1e-9  # stretches are cut to this length [s]
EXACT = 1e-5  # of a distance that the other library tells, in parts of the size


@dataclass(frozen=True)
class Body:
    """A shape in both libraries (there in convex parts with their places), the radius that holds it, how it turns."""

    shape: Any
    parts: list[tuple[Any, Array]]
    radius: float
    start: Array
    axis: Array
    speed: float

    def rotation(self, t: float) -> Array:
        return Rotation.from_rotvec(self.axis * (self.speed * t)).as_matrix() @ self.start


def random_body(rng: np.random.Generator, size: float) -> Body:
    """A shape of about a size: box, sphere, capsule, cylinder, hull or angle; at rest, turned, or turning."""
    kind = int(rng.integers(0, 6))
    a, b, c = size * rng.uniform(0.1, 1.0, 3)
    parts = None
    if kind == 5:
        mesh, parts, radius = angle(a, b, c)
        made = mesh, None, radius
    elif kind == 0:
        made = kc.Box([a, b, c]), coal.Box(a, b, c), 0.5 * math.hypot(a, b, c)
    elif kind == 1:
        made = kc.Sphere(0.5 * a), coal.Sphere(0.5 * a), 0.5 * a
    elif kind == 2:
        made = kc.Capsule(0.3 * a, b), coal.Capsule(0.3 * a, b), 0.3 * a + 0.5 * b
    elif kind == 3:
        made = kc.Cylinder(0.3 * a, b), coal.Cylinder(0.3 * a, b), math.hypot(0.3 * a, 0.5 * b)
    else:
        points = rng.normal(size=(12, 3)) * (0.3 * size)
        made = kc.Convex(points), convex(points), float(np.linalg.norm(points, axis=1).max())
    shape, other, radius = made
    axis = rng.normal(size=3)
    speed = float(rng.choice([0.0, 0.0, 1.0, 5.0, 20.0])) if parts is None else float(rng.choice([0.0, 0.5]))
    start = np.eye(3) if rng.integers(0, 3) == 0 else Rotation.random(random_state=rng).as_matrix()
    return Body(
        shape, parts or [(other, np.zeros(3))], radius * 1.001, start, axis / np.linalg.norm(axis), speed
    )


def angle(a: float, b: float, c: float) -> tuple[Any, list[tuple[Any, Array]], float]:
    """An L of two legs a and b long, a fifth of them wide and c high, as a mesh and as two boxes."""
    w = 0.2 * min(a, b)
    outline = np.array([[0, 0], [a, 0], [a, w], [w, w], [w, b], [0, b]]) - np.array([0.3 * a, 0.3 * b])
    low, high = (np.column_stack([outline, np.full(6, z)]) for z in (-0.5 * c, 0.5 * c))
    top = np.array([[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]])
    k = np.arange(6)
    n = (k + 1) % 6
    sides = np.concatenate([np.column_stack([k, n, n + 6]), np.column_stack([k, n + 6, k + 6])])
    mesh = kc.Mesh(np.concatenate([low, high]), np.concatenate([top[:, ::-1], top + 6, sides]))
    corner = np.array([-0.3 * a, -0.3 * b, 0.0])
    parts = [
        (coal.Box(a, w, c), corner + np.array([0.5 * a, 0.5 * w, 0.0])),
        (coal.Box(w, b, c), corner + np.array([0.5 * w, 0.5 * b, 0.0])),
    ]
    return mesh, parts, float(np.linalg.norm(np.concatenate([low, high]), axis=1).max())


def convex(points: Array) -> Any:
    """The hull of points (n, 3) in the other library."""
    several = coal.StdVec_Vec3s()
    for p in points:
        several.append(p)
    return coal.Convex.convexHull(several, True, None)


class Moved(NamedTuple):
    """Two bodies on their way: distance at a time, and how fast it can change at most."""

    distance: Callable[[float], float]
    speed: float
    size: float


def moved(paths: Paths, bodies: list[Body | None], radii: Array, i: int, j: int) -> Moved:
    """Members i and j with what is in them; a member without a body is its sphere."""
    request, result = coal.DistanceRequest(), coal.DistanceResult()

    def placed(k: int, x: Array, t: float) -> list[tuple[Any, Any]]:
        body = bodies[k]
        if body is None:
            return [(coal.Sphere(float(radii[k])), coal.Transform3s(np.eye(3), x))]
        turned = body.rotation(t)
        return [(shape, coal.Transform3s(turned, x + turned @ place)) for shape, place in body.parts]

    def distance(t: float) -> float:
        x = paths.positions(t)
        nearest = math.inf
        for (a, X_WA), (b, X_WB) in itertools.product(placed(i, x[i], t), placed(j, x[j], t)):
            result.clear()
            nearest = min(nearest, float(coal.distance(a, X_WA, b, X_WB, request, result)))
        return nearest

    _, v, a = paths.floats
    spans = paths.spans[:, None]
    speeds = np.linalg.norm(v[:, j] - v[:, i], axis=1) + 0.5 * (
        np.linalg.norm(a[:, j] - a[:, i], axis=1) * spans[:, 0]
    )
    turning = sum(b.speed * b.radius for b in (bodies[i], bodies[j]) if b)
    return Moved(distance, float(speeds.max()) * (1.0 + 1e-9) + turning, float(radii[i] + radii[j]))


def stretches_below(pair: Moved, level: float, t0: float, t1: float) -> list[Span]:
    """Where the distance is at most a level, in order; everywhere else it is proved greater, by speeds."""
    found: list[Span] = []
    todo = [(t0, t1)]
    while todo:
        a, b = todo.pop()
        middle, half = 0.5 * (a + b), 0.5 * (b - a)
        d = pair.distance(middle) - level
        if d > pair.speed * half:
            continue
        if d < -pair.speed * half or half < SHORT:
            if found and found[-1][1] >= a - SHORT:
                found[-1] = (found[-1][0], b)
            else:
                found.append((a, b))
        else:
            todo += [(middle, b), (a, middle)]
    return found


def shape_scene(seed: int) -> tuple[Scene, list[Body | None], list[float]]:
    """A crowd of a few with shapes in most of them, and their tolerances."""
    rng = np.random.default_rng([seed, 77])
    kind = str(rng.choice(["plain", "ballistic", "slow", "dense"]))
    scene = random_scene(kind, seed)
    n = min(len(scene.radii), 6)
    bodies = [random_body(rng, 3.0) if rng.random() < 0.85 else None for _ in range(n)]
    radii = np.array([b.radius if b else r for b, r in zip(bodies, scene.radii, strict=False)])
    fine = (
        1e-2 if any(b and len(b.parts) > 1 for b in bodies) else 1e-4
    )  # meshes that overlap are looked at often
    tolerances = [float(rng.choice([1e-2, 1e-3, 1e-4], p=[0.4, 0.3, 0.3])) for _ in range(n)]
    tolerances = [max(t, fine) for t in tolerances]
    part = Scene(
        f"shapes {kind} {seed}",
        scene.x[:n],
        scene.v[:n],
        radii,
        scene.bounds[:n],
        scene.seed,
        scene.interval,
        scene.gravity,
        None,
        min(scene.t_end, 1.0),
    )
    return part, bodies, tolerances


def shape_crowd(scene: Scene, bodies: list[Body | None], tolerances: list[float]) -> Any:
    """The library's crowd with its shapes."""
    crowd = library_crowd(scene, "report", bounds=None)
    for i, (body, tolerance) in enumerate(zip(bodies, tolerances, strict=True)):
        if body:
            turns = body.rotation if body.speed > 0.0 else body.start
            crowd.attach(
                i,
                body.shape,
                rotation=turns,
                max_angular_speed=body.speed * (1.0 + 1e-9),
                tolerance=tolerance,
            )
    return crowd


def shape_faults(seed: int) -> tuple[list[str], int]:
    """What is wrong with contacts of shapes, and how many there are."""
    rng = np.random.default_rng(seed)
    scene, bodies, tolerances = shape_scene(seed)
    crowd = shape_crowd(scene, bodies, tolerances)
    stops = [*np.sort(rng.uniform(0.0, scene.t_end, int(rng.integers(0, 4)))), scene.t_end]
    events = [e for t in stops for e in plain(crowd.advance(t))]
    told, wrong = told_stretches(events)
    paths, count = scene.paths(), 0
    for i, j in itertools.combinations(range(len(bodies)), 2):
        known = [tolerances[k] for k in (i, j) if bodies[k]]
        tolerance = min(known) if known else crowd.tolerance
        more, contacts = pair_faults(
            moved(paths, bodies, scene.radii, i, j), told.get((i, j), []), tolerance, scene.t_end
        )
        wrong += [f"({i}, {j}): {text}" for text in more]
        count += contacts
    return [f"{scene.name}: {text}" for text in wrong], count


def pair_faults(pair: Moved, told: list[Any], tolerance: float, t_end: float) -> tuple[list[str], int]:
    """Missed and invented contacts of one pair.

    What surely touches must be told; begins are no farther apart than the tolerance, all of it no more than twice that.
    """
    slack = EXACT * pair.size
    surely = stretches_below(pair, -slack, 0.0, t_end)
    maybe = stretches_below(pair, 2.0 * tolerance + slack, 0.0, t_end)
    said = [(t.begin, min(t.end, t_end)) for t in told]
    wrong = [f"MISSED {s}; told {said}, maybe {maybe}" for s in surely if not is_within(s, said)]
    wrong += [f"INVENTED {s}; surely {surely}, maybe {maybe}" for s in said if not is_within(s, maybe)]
    wrong += [f"EARLY {s}; surely {surely}" for s in said if pair.distance(s[0]) > tolerance + slack]
    return wrong, len(surely)


def is_within(s: Span, several: list[Span]) -> bool:
    slack = 4.0 * SHORT
    return any(a - slack <= s[0] and s[1] <= b + slack for a, b in several)
