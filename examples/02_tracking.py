"""Track the closest points of two moving bodies: each search starts from the last result."""

import numpy as np

import keepclear as kc

# Two hulls of 2000 vertices each: points on an ellipsoid.
rng = np.random.default_rng(1)
directions = rng.normal(size=(2000, 3))
directions /= np.linalg.norm(directions, axis=1)[:, None]
a = kc.Convex(directions * [0.30, 0.10, 0.10])
b = kc.Convex(directions * [0.10, 0.25, 0.15])
print(a)

# The second body passes the first in 1000 frames and rotates meanwhile.
s = np.linspace(0.0, 1.0, 1000)
X_WB = np.tile(np.eye(4), (1000, 1, 1))
X_WB[:, 0, 0] = X_WB[:, 1, 1] = np.cos(2 * np.pi * s)
X_WB[:, 1, 0] = np.sin(2 * np.pi * s)
X_WB[:, 0, 1] = -X_WB[:, 1, 0]
X_WB[:, :3, 3] = np.stack([2.0 * s - 1.0, np.full(1000, 0.4), 0.1 * s], axis=1)
X_WA = np.eye(4)  # a single pose is repeated

# A whole motion in one call ...
tracker = kc.Tracker(a, b)
frames = tracker.distance(X_WA, X_WB)
print(frames)
closest = int(frames.distance.argmin())
print(f"closest in frame {closest}:", frames[closest])
print(tracker.statistics)

# ... or frame by frame, as in a controller.
live = kc.Tracker(a, b)
for k in range(1000):
    r = live.distance(X_WA, X_WB[k])
    if r.lower < 0.1:  # `lower` is certified: as long as it is above the margin, the margin is kept
        print(f"margin of 0.1 m not certain from frame {k} on, distance {r.distance:.4f} m")
        break

# Starting each frame from nothing gives the same distances, with more work.
cold = kc.distance(a, X_WA, b, X_WB)
assert np.abs(cold.distance - frames.distance).max() < 1e-12
print(f"iterations per frame: {cold.iterations.mean():.1f} cold, {frames.iterations.mean():.1f} tracked")
assert frames.iterations.sum() < cold.iterations.sum()
