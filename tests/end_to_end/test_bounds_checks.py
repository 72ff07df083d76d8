"""The innermost kernels run without bounds checks; here every kind of query runs as plain Python, which checks them.

Compiled checks take the same view (a negative index counts from the end), and a minute and a half of compiling.
"""

import os
import subprocess
import sys

QUERIES = """
import numpy as np
import keepclear as kc
from keepclear.geometry.models import prepared

rng = np.random.default_rng(3)
ring = np.linspace(0.0, 2.0 * np.pi, 100, endpoint=False)
ball = rng.normal(size=(120, 3))
ball /= np.linalg.norm(ball, axis=1)[:, None]
cone = np.vstack([[0.0, 0.0, 1.0], np.column_stack([np.cos(ring), np.sin(ring), 0.0 * ring])])  # apex: tree of boxes
grid = np.array([[x, y, z] for x in range(5) for y in range(5) for z in (0, 1)], dtype=float) / 4.0
shapes = [
    kc.Sphere(0.5), kc.Box([1, 0.8, 0.6]), kc.Capsule(0.3, 1), kc.Cylinder(0.4, 1),
    kc.Convex(ball[:8]), kc.Convex(ball),
    kc.Convex(cone), kc.Convex(grid), kc.Convex(ball[:1]), kc.Convex(ball[:2]), kc.Convex(cone[1:] * [1, 1, 0]),
]
n = 5
X = np.tile(np.eye(4), (n, 1, 1))
for k in range(n):
    q, r = np.linalg.qr(rng.normal(size=(3, 3)))
    q *= np.sign(np.diag(r))
    X[k, :3, :3] = q if np.linalg.det(q) > 0 else q[:, [1, 0, 2]]
    X[k, :3, 3] = rng.normal(size=3) * (0.02 if k % 3 == 0 else 1.5)
contacts = 0
for a in shapes:
    for b in shapes:
        cold = kc.distance(a, np.eye(4), b, X)
        warm = kc.Tracker(a, b).distance(np.eye(4), X)
        assert np.isfinite(cold.distance).all() and np.isfinite(warm.distance).all()
        assert (np.maximum(cold.lower, warm.lower) <= np.minimum(cold.upper, warm.upper)).all()
        contacts += int(cold.colliding.sum())
hulls = [kc.Convex(ball[:40]), kc.Convex(ball), kc.Box([1, 0.8, 0.6])]
bodies = [kc.Mesh(hull.vertices, hull.triangles) for hull in hulls[:2]]
bodies.append(kc.Mesh(bodies[1].vertices, bodies[1].triangles[:-5]))
for a in bodies:
    for b in bodies:
        cold = kc.distance(a, np.eye(4), b, X)
        warm = kc.Tracker(a, b).distance(np.eye(4), X)
        assert np.allclose(cold.distance, warm.distance, atol=1e-12)
        for using in ("obb_tree", "box_tree"):
            found = kc.collide(a, np.eye(4), b, X, "all", using=using)
            assert np.array_equal(found.colliding, cold.colliding)
            assert all(np.isfinite(ends).all() for ends in found.segments_W)
        contacts += int(cold.colliding.sum())
    for b in shapes:
        assert np.isfinite(kc.distance(a, np.eye(4), b, X[:3]).distance).all()
    kept = kc.prepare(a, trees=["obb_tree", "box_tree"])
    assert prepared._decoded(prepared._encoded(kept)).sections == kept.sections
    moved = a.vertices + 0.1
    assert kc.build_obb_tree(a).refit(moved).n_nodes == kc.build_obb_tree(a).n_nodes
    assert kc.build_box_tree(a).refit(moved).n_nodes == kc.build_box_tree(a).n_nodes
for kind in ("screw", "linear"):
    for a in shapes[:4]:
        for b in shapes[1:]:
            casts = kc.first_contact(a, (X[::-1].copy(), X), b, X[2], interpolation=kind)
            assert casts == kc.first_contact_batch([
                (a, kc.PoseTrajectory([0, 1], [X[n - 1 - k], X[k]], kind), b, X[2]) for k in range(n)
            ])
            contacts += int(np.isfinite(casts.time).sum())
print("contacts", contacts)
"""


def test_every_query_stays_inside_its_arrays() -> None:
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", QUERIES], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.split()[1]) > 150
