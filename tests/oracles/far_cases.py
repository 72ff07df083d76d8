"""Worlds far from the origin whose pairs are planted within rounding of their margins, and what answers must hold."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from tests.oracles import far_points as exact
from tests.oracles.poses import pose, random_rotation

import keepclear as kc

UNIT = 2.0**-53
KINDS = ("sphere", "box", "mesh")
SIGNS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=np.float64)
FACES = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]


class Finding(NamedTuple):
    """One answer beside the truth; `fault` is empty if it holds."""

    call: str
    scale: float
    fault: str


class Truth(NamedTuple):
    """Bounds of the true distance, and the margin of the pair [m]."""

    lower: Fraction
    upper: Fraction
    margin: float
    scale: float

    def bounds(self, call: str, lower: float, upper: float | None = None) -> Finding:
        """An answer that claims lower <= distance <= upper."""
        fault = ""
        if Fraction(max(float(lower), 0.0)) > self.upper:
            fault = f"lower exceeds the distance by {float(Fraction(float(lower)) - self.upper):.3g} m"
        elif upper is not None and max(float(upper), 0.0) < self.lower:
            fault = f"upper is below the distance by {float(self.lower - Fraction(float(upper))):.3g} m"
        return Finding(call, self.scale, fault)

    def free(self, call: str, is_free: bool) -> Finding:
        """An answer that claims that the pair keeps its margin."""
        over = self.upper - Fraction(self.margin)
        fault = f"free, but within the margin by {float(-over):.3g} m" if is_free and over <= 0 else ""
        return Finding(call, self.scale, fault)


class Case:
    """Numbers of one planted pair.

    Attributes:
        scale: The lengths that cancel [m].
        center: Where the pair is, near the origin or as far away as that [m].
        margin: The margin of the pair [m].
        gap: The distance that is planted: the margin, and some units of rounding more or less [m].
    """

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self.scale = float(10.0 ** rng.uniform(0.0, 7.0))
        far = self.scale if rng.random() < 0.3 else 1.0
        self.center = rng.uniform(-1.0, 1.0, 3) * far
        self.margin = float(rng.choice([0.0, 0.01, 0.1]))
        off = float(rng.normal() * 10.0 ** rng.uniform(-1.0, 2.5)) * UNIT * self.scale
        self.gap = self.margin + (abs(off) if self.margin == 0.0 and rng.random() < 0.5 else off)

    @property
    def tolerance(self) -> float:
        """A tolerance that double precision can decide at this scale [m]."""
        return 1e-3 if self.scale < 1e5 else 0.1

    def far_pose(self) -> np.ndarray:
        return pose(random_rotation(self.rng), self.rng.uniform(-1.0, 1.0, 3) * self.scale)

    def body(self) -> tuple[exact.Thing, Any]:
        """A body of the oracle, and its shape."""
        kind, size = str(self.rng.choice(KINDS)), float(self.rng.choice([0.05, 0.25, 0.5]))
        return exact.thing(kind, size), shape(kind, size)

    def plant(self, placed: exact.Placed) -> tuple[exact.Placed, Any, np.ndarray]:
        """A body at the planted distance from a placed one: as the oracle knows it, its shape and its pose."""
        rng, (thing, made) = self.rng, self.body()
        n, R = rng.normal(size=3), random_rotation(rng)
        n /= np.linalg.norm(n)
        corner = thing.at(exact.exact_map(pose(R, np.zeros(3)))).support(-n)
        far = Fraction(self.gap) + Fraction(placed.radius) + Fraction(thing.radius)
        p = placed.support(n) + np.array([Fraction(v) for v in n], dtype=object) * far - corner
        X = pose(R, np.array([float(v) for v in p]))
        return thing.at(exact.exact_map(X)), made, X

    def truth(self, a: exact.Placed, b: exact.Placed) -> Truth:
        return Truth(*exact.true_distance(a, b), self.margin, self.scale)

    def away(self, X: np.ndarray) -> np.ndarray:
        """A pose some metres from another one."""
        out = X.copy()
        out[:3, 3] += self.rng.normal(size=3) * 3.0
        return out


def shape(kind: str, size: float) -> Any:
    """The shape of `far_points.thing`."""
    if kind == "sphere":
        return kc.Sphere(size)
    return kc.Box([2.0 * size] * 3) if kind == "box" else kc.Mesh(SIGNS * size, FACES)


def instant_findings(
    world: kc.World, names: tuple[str, str], t: float, truth: Truth, call: str
) -> Iterator[Finding]:
    """Everything that a world says about a pair at an instant."""
    found = {frozenset((p.a, p.b)): p for p in world.distances(t)}[frozenset(names)]
    yield truth.bounds(f"{call} distances", found.lower)
    pairs = {frozenset(pair) for pair in world.collisions(t)}
    yield truth.free(f"{call} collisions", frozenset(names) not in pairs)


def frame_findings(
    world: kc.World, names: tuple[str, str], truth: Truth, call: str, **options: Any
) -> Iterator[Finding]:
    """What `contacts` says about a pair."""
    found = world.contacts(far=truth.margin + 0.5, **options)
    rows = [k for k in range(len(found.a)) if {found.a[k], found.b[k]} == set(names)]
    yield truth.free(f"{call} contacts", not rows)
    for k in rows:
        yield truth.bounds(f"{call} contacts", float(found.lower[k]))
        if "between" in options:
            yield truth.free(f"{call} contacts between", found.verdict[k] is kc.Verdict.CLEAR)


def parts(rng: np.random.Generator, _: Path) -> Iterator[Finding]:
    """A part far from the origin of its object, which rests."""
    case = Case(rng)
    thing, made = case.body()
    X_OP = case.far_pose()
    R = random_rotation(rng)
    X_WO = pose(R, case.center - R @ X_OP[:3, 3])
    a = thing.at(exact.product(exact.exact_map(X_WO), exact.exact_map(X_OP)))
    b, other, X = case.plant(a)
    truth, arrives = (
        case.truth(a, b),
        kc.PoseTrajectory([0, 1], [case.away(X), X], str(rng.choice(["linear", "screw"]))),
    )
    found = kc.distance([(made, X_OP)], X_WO, other, X)
    yield truth.bounds("kc.distance of parts", float(found.lower), float(found.upper))
    first = kc.first_contact(
        [(made, X_OP)], X_WO, other, arrives, tolerance=case.tolerance, margin=case.margin
    )
    yield truth.free("kc.first_contact of parts", first.verdict is kc.Verdict.CLEAR)
    yield truth.bounds(
        "kc.clearance of parts",
        kc.clearance([(made, X_OP)], X_WO, other, arrives, tolerance=case.tolerance).lower,
    )
    world = kc.World(threads=1)
    world.add("a", [(made, X_OP)], X_WO)
    world.add("b", other, arrives)
    world.set_margin("a", "b", case.margin)
    yield from instant_findings(world, ("a", "b"), 1.0, truth, "parts:")
    pair = world.verify(tolerance=case.tolerance, threads=1).pairs[0]
    yield truth.free("parts: verify", pair.verdict is kc.Verdict.CLEAR)
    yield truth.bounds("parts: verify", pair.clearance_lower)
    world.move("b", X)
    yield from frame_findings(world, ("a", "b"), truth, "parts:")
    world.update(["a"], case.far_pose()[None])
    world.contacts(far=0.1)
    world.update(["a"], X_WO[None])
    yield from frame_findings(
        world,
        ("a", "b"),
        truth,
        "parts updated:",
        **({"between": True, "tolerance": 1e-2} if rng.random() < 0.5 else {}),
    )


def passing(rng: np.random.Generator, _: Path) -> Iterator[Finding]:
    """Parts of an object that passes at some time: along a line from far away, or along a screw that ends there."""
    case = Case(rng)
    thing, made = case.body()
    X_OP, R = case.far_pose(), random_rotation(rng)
    p = case.center - R @ X_OP[:3, 3]
    kind = str(rng.choice(["line", "screw", "linear", "cubic"]))
    if kind == "line":
        step = rng.normal(size=3) * case.scale
        X, t = np.array([pose(R, p - step), pose(R, p + step)]), float(rng.choice([0.25, 0.5, 1.0]))
        motion = kc.PoseTrajectory([0.0, 2.0 * t], X, "linear")
        between = [[Fraction(float(X[0, k, 3])) / 2 + Fraction(float(X[1, k, 3])) / 2] for k in range(3)]
        X_WO = tuple((*exact.exact_map(X[0])[k][:3], int(between[k][0] * exact.ONE)) for k in range(3))
    else:
        t, X = 1.0, np.array([pose(random_rotation(rng), p + rng.normal(size=3)), pose(R, p)])
        if kind == "cubic":
            X = np.array([pose(R, p + s) for s in rng.normal(size=(3, 3))] + [pose(R, p)])
        motion = kc.PoseTrajectory(np.linspace(0.0, 1.0, len(X)), X, kind if kind != "line" else "linear")
        X_WO = exact.exact_map(X[-1])
    a = thing.at(exact.product(X_WO, exact.exact_map(X_OP)))
    b, other, X_B = case.plant(a)
    truth = case.truth(a, b)
    world = kc.World(threads=1)
    world.add("a", [(made, X_OP)], motion)
    world.add("b", other, X_B)
    world.set_margin("a", "b", case.margin)
    yield from instant_findings(world, ("a", "b"), t, truth, f"{kind}:")
    first = kc.first_contact(
        [(made, X_OP)], motion, other, X_B, tolerance=case.tolerance, margin=case.margin, budget=2000
    )
    yield truth.free(f"{kind}: kc.first_contact", first.verdict is kc.Verdict.CLEAR)
    pair = world.verify(tolerance=case.tolerance, threads=1, budget=2000, clearances=False).pairs[0]
    yield truth.free(f"{kind}: verify", pair.verdict is kc.Verdict.CLEAR)
    steps = world.simulate(t0=t, t1=t, dt=1.0, models="exact") if rng.random() < 0.2 else None
    if steps is not None:
        yield truth.free(f"{kind}: simulate", steps.steps[0] is kc.Step.FREE)


def groups(rng: np.random.Generator, _: Path) -> Iterator[Finding]:
    """A tracked group of two bodies that move together, and a body that comes near one of them."""
    case = Case(rng)
    (thing, made), (_, friend) = case.body(), case.body()
    R = random_rotation(rng)
    X = pose(R, case.center + rng.uniform(-1.0, 1.0, 3) * case.scale)
    a = thing.at(exact.exact_map(X))
    b, other, X_B = case.plant(a)
    aside = X.copy()
    aside[:3, 3] -= 4.0 * (X_B[:3, 3] - X[:3, 3])
    tracker = kc.Tracker(kc.Group({"one": made, "two": friend}), other)
    for k in range(4):
        start = X_B.copy()
        start[:3, 3] += (3 - k) * 2.0 * (X_B[:3, 3] - X[:3, 3])
        found = tracker.distance({"one": X, "two": aside}, start, t=0.1 * k)
    truth = case.truth(a, b)
    far = exact.thing("sphere", 1.0).at(exact.exact_map(aside))  # around the other member
    if exact.true_distance(far, b)[0] > 0:
        yield truth.bounds("groups: tracker", float(found.lower), float(found.upper))


class _Following(kc.CustomMotion):
    """The motion of another one as a user would write it."""

    def __init__(self, motion: kc.PoseTrajectory) -> None:
        super().__init__(0.0, 1.0, hold="both")
        self.motion = motion

    def pose(self, t: float) -> np.ndarray:
        return self.motion.pose(t)

    def path_length(self, radius: float, t0: float, t1: float) -> float:
        return self.motion.path_length(radius, t0, t1) * (1.0 + 1e-9) + 1e-12 * radius


def custom(rng: np.random.Generator, _: Path) -> Iterator[Finding]:
    """A part of an object that moves as a user defines."""
    case = Case(rng)
    thing, made = case.body()
    X_OP, R = case.far_pose(), random_rotation(rng)
    p = case.center - R @ X_OP[:3, 3]
    motion = _Following(
        kc.PoseTrajectory([0.0, 1.0], [pose(R, p + rng.normal(size=3)), pose(R, p)], "linear")
    )
    a = thing.at(exact.product(exact.exact_map(pose(R, p)), exact.exact_map(X_OP)))
    b, other, X_B = case.plant(a)
    truth = case.truth(a, b)
    world = kc.World(threads=1)
    world.add("a", [(made, X_OP)], motion)
    world.add("b", other, X_B)
    world.set_margin("a", "b", case.margin)
    yield from instant_findings(world, ("a", "b"), 1.0, truth, "custom:")
    yield from frame_findings(world, ("a", "b"), truth, "custom:", t=1.0)
    pair = world.verify(tolerance=case.tolerance, threads=1, budget=200, clearances=False).pairs[0]
    yield truth.free("custom: verify", pair.verdict is kc.Verdict.CLEAR)
