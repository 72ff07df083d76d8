"""Source T, time of contact: evaluations of the bisection on three trajectories of rising risk, beside 128 samples.

    python examples/sources/contact_time.py [page.html]

The source (Shimada, Okano, Kawabe) halves an interval until the distances at its ends prove that nothing touches in
between. It took 2, 5 and 15 distances where sampling took 128, 128 and 58.
"""

import sys

import numpy as np

import keepclear as kc

SHOULDER, UPPER, FOREARM = 0.6, 0.5, 0.6
SOURCE = {"low": (2, 128), "middle": (5, 128), "high": (15, 58)}
# Joint angles (base, shoulder, elbow) at the start and at the end [degrees].
TRAJECTORIES = {
    "low": ((100.0, 40.0, -50.0), (150.0, 20.0, -60.0)),
    "middle": ((40.0, 80.0, -40.0), (-50.0, 85.0, -55.0)),
    "high": ((70.0, 30.0, -50.0), (-50.0, 30.0, -40.0)),
}


def pose(joints: np.ndarray) -> np.ndarray:
    """Return the pose of the middle of the forearm for three joint angles [degrees]."""
    base, shoulder, elbow = np.radians(joints)
    X = np.eye(4)
    X[2, 3] = SHOULDER
    for axis, angle, along in ((2, base, 0.0), (1, -shoulder, UPPER), (1, -elbow, 0.5 * FOREARM)):
        i, j = (axis + 1) % 3, (axis + 2) % 3
        turn = np.eye(4)
        turn[i, i] = turn[j, j] = np.cos(angle)
        turn[j, i], turn[i, j] = np.sin(angle), -np.sin(angle)
        X = X @ turn
        X[:3, 3] += along * X[:3, 0]
    return X


column, X_WC = kc.Box([0.3, 0.3, 1.2]), np.eye(4)
X_WC[:3, 3] = 0.75, 0.0, 0.6
forearm = kc.Box([FOREARM, 0.12, 0.12])
print(f"{'risk':<8}{'source':>8}{'bisection':>11}{'sampling':>10}{'here':>6}{'hybrid':>8}  verdict")
for name, (start, end) in TRAJECTORIES.items():
    angles = np.linspace(start, end, 8 * 3 + 1)  # four matrices for each cubic, as the source has them
    motion = kc.PoseTrajectory(
        np.linspace(0.0, 1.0, len(angles)), np.array([pose(q) for q in angles]), "cubic"
    )
    tolerance = 0.01
    found = kc.first_contact(column, X_WC, forearm, motion, tolerance=tolerance, method="bisection")
    hybrid = kc.first_contact(column, X_WC, forearm, motion, tolerance=tolerance)
    samples = kc.first_contact(
        column, X_WC, forearm, motion, tolerance=tolerance, method="sampling", samples=128
    )
    asked = samples.evaluations
    print(
        f"{name:<8}{SOURCE[name][0]:>8}{found.evaluations:>11}{SOURCE[name][1]:>10}{asked:>6}{hybrid.evaluations:>8}"
        f"  {found.verdict.name}"
        + (f" at t = {found.time:.4f}" if found.verdict is kc.Verdict.COLLIDING else "")
    )
    assert found.verdict is hybrid.verdict
    assert found.evaluations < asked / 2
    if found.verdict is kc.Verdict.COLLIDING:
        assert abs(found.time - hybrid.time) < 1e-2

if len(sys.argv) > 1:
    world = kc.World()
    world.add("column", column, X_WC)
    world.add("forearm", forearm, motion)
    world.verify(scene=True).to_html(sys.argv[1])
    print("page", sys.argv[1])
