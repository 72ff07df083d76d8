"""Seeded families with spheres, capsules and cylinders in all pairs."""

from collections.abc import Iterator

import numpy as np
from tests.oracles.cases import Case, Generator, at_gaps, case, random_hull
from tests.oracles.exact_points import Body, box, capsule, cylinder, sphere
from tests.oracles.poses import pose, signed_permutations


def primitive(rng: Generator, kind: str) -> Body:
    r, length = rng.uniform(0.1, 1.0), rng.uniform(0.1, 2.0)
    return {
        "sphere": lambda: sphere(r),
        "box": lambda: box(rng.uniform(0.1, 2.0, size=3)),
        "capsule": lambda: capsule(r, length),
        "cylinder": lambda: cylinder(r, length),
        "convex": lambda: random_hull(rng),
    }[kind]()


def primitive_pairs(rng: Generator, kinds: list[str], repeats: int, gaps: np.ndarray) -> Iterator[Case]:
    for i, first in enumerate(kinds):
        for second in kinds[i:]:
            for _ in range(repeats):
                a, b = primitive(rng, first), primitive(rng, second)
                yield at_gaps(rng, *((a, b) if rng.random() < 0.5 else (b, a)), gaps)


def primitives(rng: Generator) -> Iterator[Case]:
    """Spheres, boxes, capsules and hulls in all pairs."""
    gaps = np.array([3.0, 0.1, 1e-3, 1e-9, 0.0, -1e-6, -0.05, -0.4])
    yield from primitive_pairs(rng, ["sphere", "box", "capsule", "convex"], 5, gaps)


def primitives_aligned(rng: Generator) -> Iterator[Case]:
    """The same at places in eighths with right-angled turns: exact touch, parallel axes, shared centres."""
    turns = signed_permutations()
    kinds = ["sphere", "box", "capsule"]
    for i, first in enumerate(kinds):
        for second in kinds[i:]:
            for _ in range(6):
                a, b = (eighths(rng, kind) for kind in (first, second))
                pairs = [
                    (np.eye(4), pose(turns[rng.integers(24)], rng.integers(-8, 9, size=3) / 8))
                    for _ in range(6)
                ]
                yield case(a, b, [*pairs, (np.eye(4), np.eye(4))])


def eighths(rng: Generator, kind: str) -> Body:
    x, y, z = (float(c) for c in rng.integers(1, 9, size=3) / 8)
    return {"sphere": sphere(x), "box": box((x, y, z)), "capsule": capsule(x, y), "cylinder": cylinder(x, y)}[
        kind
    ]


def cylinders(rng: Generator) -> Iterator[Case]:
    """Cylinders against everything at general poses."""
    gaps = np.array([3.0, 0.1, 1e-3, 1e-7, -1e-3, -0.2])
    for other in ("sphere", "box", "capsule", "cylinder", "convex"):
        for _ in range(5):
            a, b = primitive(rng, "cylinder"), primitive(rng, other)
            yield at_gaps(rng, *((a, b) if rng.random() < 0.5 else (b, a)), gaps)
    for _ in range(3):
        thin, disc = cylinder(1e-3, 10.0), cylinder(1.0, 1e-3)
        for a, b in ((thin, disc), (thin, thin), (disc, disc)):
            yield at_gaps(rng, a, b, np.array([1.0, 1e-2, 1e-5]))


FAMILIES = (
    primitives,
    primitives_aligned,
    cylinders,
)
