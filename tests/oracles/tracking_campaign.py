"""Trackers of non-convex bodies and groups against all pairs: `python -m tests.oracles.tracking_campaign [seeds]`.

Each seed is a motion of two meshes or groups, near and far, touching, nested and jumping, in states as they come and
in forced ones. The distance must be the least of all pairs of triangles to 1e-9 of the size, and contact as
`kc.collide` decides it exactly.
"""

from __future__ import annotations

import itertools
import sys
from typing import Any

import numpy as np
from tests.oracles.poses import random_rotation
from tests.unit.geometry.element_meshes import blocks, gear, l_block, plate, u_block
from tests.unit.geometry.part_meshes import dish, hollow_box, ring, truss

import keepclear as kc
from keepclear.query.track.group_tracker import GroupTracker
from keepclear.query.track.mesh_tracker import MeshTracker

E = np.eye(4)
MESHES = {
    "U": u_block(), "L": l_block(), "gear": gear(5), "plate": plate(2), "blind": plate(1, through=False),
    "ring": ring(12), "truss": truss(1), "dish": dish(8, 2), "hollow": hollow_box(), "cube": blocks([[[1]]]),
}  # fmt: skip


def triangle_distance(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Return the distances of n pairs of triangles (n, 3, 3) that do not cross: corners to faces, edges to edges."""
    best = np.full(len(p), np.inf)
    for one, other in ((p, q), (q, p)):
        for k in range(3):
            best = np.minimum(best, point_triangle(one[:, k], other))
    for i, j in itertools.product(range(3), repeat=2):
        best = np.minimum(best, segment_segment(p[:, i], p[:, (i + 1) % 3], q[:, j], q[:, (j + 1) % 3]))
    return best


def dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.einsum("ij,ij->i", a, b)


def point_segment(x: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    s = np.clip(dot(x - a, b - a) / np.maximum(dot(b - a, b - a), 1e-300), 0.0, 1.0)
    return np.linalg.norm(a + s[:, None] * (b - a) - x, axis=1)


def point_triangle(x: np.ndarray, t: np.ndarray) -> np.ndarray:
    a, b, c = t[:, 0], t[:, 1], t[:, 2]
    n = np.cross(b - a, c - a)
    inside = np.ones(len(x), bool)
    edges = np.full(len(x), np.inf)
    for u, v in ((a, b), (b, c), (c, a)):
        inside &= dot(np.cross(v - u, x - u), n) >= 0.0
        edges = np.minimum(edges, point_segment(x, u, v))
    height = np.abs(dot(x - a, n)) / np.maximum(np.linalg.norm(n, axis=1), 1e-300)
    return np.where(inside, np.minimum(height, edges), edges)


def segment_segment(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> np.ndarray:
    u, v, w = b - a, d - c, a - c
    uu, uv, vv = dot(u, u), dot(u, v), dot(v, v)
    det = uu * vv - uv * uv
    flat = det <= 1e-14 * uu * vv
    s = np.clip((uv * dot(v, w) - vv * dot(u, w)) / np.where(flat, 1.0, det), 0.0, 1.0)
    t = np.clip((uv * s + dot(v, w)) / np.maximum(vv, 1e-300), 0.0, 1.0)
    s = np.clip((uv * t - dot(u, w)) / np.maximum(uu, 1e-300), 0.0, 1.0)
    inner = np.linalg.norm(w + s[:, None] * u - t[:, None] * v, axis=1)
    ends = [point_segment(a, c, d), point_segment(b, c, d), point_segment(c, a, b), point_segment(d, a, b)]
    return np.minimum(np.where(flat, np.inf, inner), np.min(ends, axis=0))


def brute(a: kc.Mesh, X: np.ndarray, b: kc.Mesh, Y: np.ndarray) -> tuple[float, bool]:
    """Return the minimum distance of all pairs of triangles, 0 in contact, and whether there is contact."""
    if kc.collide(a, X, b, Y).colliding:
        return 0.0, True
    p = (a.vertices @ X[:3, :3].T + X[:3, 3])[a.triangles]
    q = (b.vertices @ Y[:3, :3].T + Y[:3, 3])[b.triangles]
    i, j = (k.ravel() for k in np.meshgrid(np.arange(len(p)), np.arange(len(q)), indexing="ij"))
    return float(triangle_distance(p[i], q[j]).min()), False


def pose(rng: np.random.Generator, size: float) -> np.ndarray:
    X = np.eye(4)
    X[:3, :3] = random_rotation(rng) if rng.integers(4) else np.eye(3)
    X[:3, 3] = rng.uniform(-size, size, 3).round(int(rng.integers(1, 12)))
    return X


def path(rng: np.random.Generator, n: int) -> np.ndarray:
    """Return frames: small moves with jumps between them; some end in contact of faces on a grid."""
    frames = []
    X = pose(rng, 4.0)
    step = pose(rng, 0.05)
    for k in range(n):
        if k % 20 == 0:
            X = pose(rng, rng.choice([1.0, 3.0, 8.0]))
            angle, axis = rng.uniform(0.0, 0.04), rng.integers(3)
            step = np.eye(4)
            i, j = (axis + 1) % 3, (axis + 2) % 3
            step[i, i] = step[j, j] = np.cos(angle)
            step[i, j], step[j, i] = -np.sin(angle), np.sin(angle)
            step[:3, 3] = -X[:3, 3] * rng.uniform(0.0, 0.1)
        X = X.copy()
        X[:3, 3] += step[:3, 3]
        X[:3, :3] = X[:3, :3] @ step[:3, :3]
        frames.append(X)
    return np.array(frames)


def check(found: kc.Distance, truth: float, contact: bool, size: float, what: str) -> None:
    assert found.colliding == contact, f"{what}: {found}, contact {contact}"
    assert abs(found.distance - truth) <= 1e-9 * size, f"{what}: {found}, truth {truth}"
    assert found.lower <= truth + 1e-9 * size, f"{what}: {found}, truth {truth}"


def mesh_seed(seed: int, frames: int) -> int:
    """Compare one motion of two meshes; return how many frames were compared."""
    rng = np.random.default_rng(seed)
    names = [str(name) for name in rng.choice(list(MESHES), 2)]
    a, b = (MESHES[name] for name in names)
    tracker = kc.Tracker(a, b, eps_hull=float(rng.choice([0.01, 0.1, 0.5])), recovery=0.1, far=1.0)
    bounded = kc.Tracker(a, b, far=1.0)
    assert isinstance(tracker, MeshTracker)
    for k, X in enumerate(path(rng, frames)):
        states = tracker._states
        if states is not None and seed % 2:
            states.a.is_released, states.b.is_released = (bool(flag) for flag in rng.integers(2, size=2))
        truth, contact = brute(a, E, b, X)
        check(tracker.distance(E, X, 0.02 * k), truth, contact, 10.0, f"seed {seed}, {names}, frame {k}")
        bound = bounded.distance(E, X, exact=False)
        assert bound.lower <= truth + 1e-8
        assert bound.distance >= truth - 1e-8
        assert bound.colliding == contact, f"seed {seed}, {names}, frame {k}: bounds"
    return frames


def group_seed(seed: int, frames: int) -> int:
    """Compare one motion of two groups of meshes; return how many frames were compared."""
    rng = np.random.default_rng(seed)
    bodies: dict[str, Any] = {
        f"{side}{k}": MESHES[str(rng.choice(["U", "L", "cube", "blind"]))] for side in "ab" for k in range(3)
    }
    a = kc.Group({"in": kc.Group({"a0": bodies["a0"], "a1": bodies["a1"]}), "a2": bodies["a2"]})
    b = kc.Group({"b0": bodies["b0"], "in": kc.Group({"b1": bodies["b1"], "b2": bodies["b2"]})})
    tracker = kc.Tracker(a, b, eps_hull=0.2, recovery=0.1, rest=0.1)
    assert isinstance(tracker, GroupTracker)
    home = {name: pose(rng, 2.0) for name in bodies}
    for k, X in enumerate(path(rng, frames)):
        if k % 37 == 36:
            home[str(rng.choice(list(bodies)))] = pose(rng, 2.0)
        poses = {name: (X @ home[name] if name[0] == "b" else home[name]) for name in bodies}
        if seed % 2:
            for node in (*tracker._side_a.root.within(), *tracker._side_b.root.within()):
                node.is_released = bool(node.hull is not None and rng.integers(2))
        pairs = itertools.product([n for n in bodies if n[0] == "a"], [n for n in bodies if n[0] == "b"])
        each = [brute(bodies[p], poses[p], bodies[q], poses[q]) for p, q in pairs]
        found = tracker.distance(*({n: poses[n] for n in bodies if n[0] == side} for side in "ab"), 0.02 * k)
        check(found, min(d for d, _ in each), any(c for _, c in each), 12.0, f"group seed {seed}, frame {k}")
    return frames


def main() -> None:
    """Run seeds of meshes and of groups; stop at the first that differs."""
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    compared = 0
    for seed in range(seeds):
        compared += mesh_seed(seed, 60)
        compared += group_seed(seed, 30)
        if (seed + 1) % 10 == 0:
            sys.stdout.write(
                f"{seed + 1} seeds, {compared} frames: as the minimum over all pairs of triangles\n"
            )


if __name__ == "__main__":
    main()
