"""A figure walks up a step: when does the foot land, with which part, and how far does it clear the edge?"""

import numpy as np

import keepclear as kc

# A foot in profile: heel, arch, ball and toes, extruded over 90 mm. The arch is concave.
outline = np.array([
    [-0.06, 0.0], [0.0, 0.0], [0.04, 0.02], [0.09, 0.02], [0.13, 0.0], [0.18, 0.0], [0.2, 0.02], [0.12, 0.06],
    [0.02, 0.1], [-0.06, 0.1],
])  # fmt: skip
ears = [[0, 1, 9], [1, 8, 9], [1, 2, 8], [2, 3, 8], [3, 7, 8], [3, 4, 7], [4, 5, 7], [5, 6, 7]]
n = len(outline)
vertices = np.concatenate([np.c_[outline[:, 0], np.full(n, y), outline[:, 1]] for y in (-0.045, 0.045)])
i, j = np.arange(n), np.roll(np.arange(n), -1)
sides = np.concatenate([np.stack([i, n + j, j], 1), np.stack([i, n + i, n + j], 1)])
foot = kc.Mesh(vertices, np.concatenate([ears, np.array(ears)[:, ::-1] + n, sides]))
if foot.volume < 0.0:
    foot = kc.Mesh(vertices, foot.triangles[:, ::-1])
print(foot, kc.decompose(foot), sep="\n")

# The ground, and a step of 0.16 m that begins 0.5 m ahead.
ground = [(kc.Box([3.0, 1.0, 0.1]), np.eye(4)), (kc.Box([1.0, 1.0, 0.16]), np.eye(4))]
ground[0][1][:3, 3] = 0.0, 0.0, -0.05
ground[1][1][:3, 3] = 1.0, 0.0, 0.08


def stride(lift: float) -> kc.PoseTrajectory:
    """Return a swing of 0.6 s: the ankle rises, and the heel lands on the step with the toes 15 degrees up."""
    times = np.linspace(0.0, 0.6, 13)
    s = times / 0.6
    pitch = np.radians(-40.0 * s * (1.0 - s) ** 2 + 15.0 * s**2)
    X = np.tile(np.eye(4), (13, 1, 1))
    X[:, 0, 0] = X[:, 2, 2] = np.cos(pitch)
    X[:, 0, 2], X[:, 2, 0] = -np.sin(pitch), np.sin(pitch)
    X[:, 0, 3] = 0.1 + 0.62 * s
    X[:, 2, 3] = 0.03 + 0.12 * s + lift * 4.0 * s * (1.0 - s)
    return kc.PoseTrajectory(times, X, "screw")


# With a lift of 0.16 m the foot lands heel first, and touches nothing before.
swing = stride(0.16)
landing = kc.first_contact(foot, swing, ground, np.eye(4), tolerance=1e-6)
print(landing)
assert landing.verdict is kc.Verdict.COLLIDING
X = swing.pose(landing.time)
heel = (vertices @ X[:3, :3].T + X[:3, 3])[[0, n]]
assert np.abs(heel[:, 2] - 0.16).max() < 1e-4  # both corners of the heel are on the step
assert np.abs(np.asarray(landing.p_W)[2] - 0.16) < 1e-3

# How far does the foot clear the edge of the step during the whole swing? The edge is a thin capsule.
edge = [(kc.Capsule(1e-6, 1.0), np.array([[1, 0, 0, 0.5], [0, 0, -1, 0], [0, 1, 0, 0.16], [0, 0, 0, 1.0]]))]
for lift in (0.16, 0.13, 0.05):
    stumble = kc.first_contact(foot, stride(lift), ground, np.eye(4))
    over = kc.clearance(foot, stride(lift), edge, np.eye(4))
    print(
        f"lift {lift:.2f} m: first contact at {stumble.time:.3f} s, {max(over.lower, 0.0):.3f} m from the edge"
    )
assert stumble.time < landing.time - 0.05  # with the smallest lift the foot stumbles over the edge
