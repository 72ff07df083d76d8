"""Primitives and overlapping hulls beside coal 3: the same batch of poses, apart and deep in each other."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import keepclear as kc
from benchmarks.convex_distance import FRAMES, ball_points, random_poses
from benchmarks.harness import compare, table


def coal_shapes() -> dict[str, object]:
    """Return the peer's shapes by name."""
    import coal

    def hull(points: np.ndarray) -> object:
        vertices = coal.StdVec_Vec3s()
        for point in points:
            vertices.append(point)
        return coal.ConvexBase.convexHull(vertices, False, "Qt")

    shapes: dict[str, object] = {
        "sphere": coal.Sphere(0.5),
        "box": coal.Box(1.0, 0.8, 0.6),
        "capsule": coal.Capsule(0.3, 1.0),
        "cylinder": coal.Cylinder(0.4, 1.0),
        "hull of 32": hull(ball_points(32, 1)),
        "hull of 512": hull(ball_points(512, 1)),
    }
    for shape in shapes.values():
        shape.computeLocalAABB()  # type: ignore[attr-defined]
    return shapes


OURS = {
    "sphere": kc.Sphere(0.5),
    "box": kc.Box([1.0, 0.8, 0.6]),
    "capsule": kc.Capsule(0.3, 1.0),
    "cylinder": kc.Cylinder(0.4, 1.0),
    "hull of 32": kc.Convex(ball_points(32, 1)),
    "hull of 512": kc.Convex(ball_points(512, 1)),
}
PAIRS = (
    ("sphere", "box"), ("box", "box"), ("capsule", "capsule"), ("capsule", "box"), ("cylinder", "box"),
    ("cylinder", "cylinder"), ("hull of 32", "box"), ("hull of 512", "cylinder"), ("hull of 512", "hull of 512"),
)  # fmt: skip


def coal_job(a: object, b: object, X: np.ndarray) -> Callable[[], list[float]]:
    """Return a job that asks the peer for the signed distance at each pose, with transforms made ahead."""
    import coal

    ask, identity = coal.ComputeDistance(a, b), coal.Transform3s()
    transforms = [coal.Transform3s(pose[:3, :3], pose[:3, 3]) for pose in X]
    request, result = coal.DistanceRequest(), coal.DistanceResult()
    request.enable_signed_distance = True
    request.gjk_initial_guess = coal.GJKInitialGuess.BoundingVolumeGuess

    def job() -> list[float]:
        answers = []
        for transform in transforms:
            result.clear()
            answers.append(ask(identity, transform, request, result))
        return answers

    return job


def main() -> None:
    """Print both tables, with how far the peer's answers are from ours (which the tests check in exact arithmetic)."""
    peers = coal_shapes()
    for title, reach in (("Apart, per query", 1.0), ("Overlapping, per query", 0.1)):
        X = random_poses()
        X[:, :3, 3] *= reach
        rows = []
        for name_a, name_b in PAIRS:
            a, b = OURS[name_a], OURS[name_b]
            job = coal_job(peers[name_a], peers[name_b], X)
            off = np.abs(np.array(job()) - kc.distance(a, np.eye(4), b, X).distance).max()
            rows.append(
                compare(
                    f"{name_a} - {name_b} ({off:.0e} m)", lambda: kc.distance(a, np.eye(4), b, X), job, FRAMES
                )
            )
        table(title, "coal", rows)


if __name__ == "__main__":
    main()
