"""A dish is concave: how far is the feed from its surface, and does the dish clear its mast when it tilts?"""

import numpy as np

import keepclear as kc

# A paraboloid of 2.4 m with a focal length of 0.9 m, 20 mm thick: a profile rotated about the axis.
focus, radius, thick, n_rings, n_around = 0.9, 1.2, 0.02, 24, 72
r = np.linspace(0.0, radius, n_rings + 1)[1:]
inside = np.stack([r, r**2 / (4.0 * focus)], axis=1)
profile = np.concatenate([inside, (inside - [0.0, thick])[::-1]])
angle = 2.0 * np.pi * np.arange(n_around) / n_around
rings = np.stack([np.outer(profile[:, 0], np.cos(angle)), np.outer(profile[:, 0], np.sin(angle)),
                  np.tile(profile[:, 1:], n_around)], axis=-1)  # fmt: skip
k = np.arange(len(profile) * n_around).reshape(len(profile), n_around)
a, b, c, d = k[:-1], np.roll(k, -1, axis=1)[:-1], np.roll(k, -1, axis=1)[1:], k[1:]
walls = np.concatenate([np.stack([a, b, c], -1).reshape(-1, 3), np.stack([a, c, d], -1).reshape(-1, 3)])
top, bottom, around = k.size, k.size + 1, np.roll(k, -1, axis=1)
caps = np.concatenate([
    np.stack([around[0], k[0], np.full(n_around, top)], 1), np.stack([k[-1], around[-1], np.full(n_around, bottom)], 1)
])  # fmt: skip
vertices = np.concatenate([rings.reshape(-1, 3), [[0, 0, 0], [0, 0, -thick]]])
dish = kc.prepare(kc.Mesh(vertices, np.concatenate([walls, caps])), elements=True)
print(dish.shape)
print(f"{dish.elements}, hull of {len(kc.Convex(vertices).vertices)} vertices")

# The feed is at the focus. Its centre is a focal length away from the dish.
feed, X_WF = kc.Sphere(0.15), np.eye(4)
X_WF[2, 3] = focus
found = kc.distance(dish, np.eye(4), feed, X_WF)
print(f"feed: {found.distance:.4f} m from the dish, nearest point {found.p_WA.round(4)}")
assert 0.0 <= (focus - 0.15) - found.distance < 1e-3  # facets are chords, on the inner side of the paraboloid
X_WF[2, 3] = 0.3
low = kc.distance(dish, np.eye(4), feed, X_WF)
assert kc.distance(kc.Convex(vertices), np.eye(4), feed, X_WF).colliding  # the answer of the hull alone
print(f"feed lowered into the bowl: the hulls overlap, but the dish is {low.distance:.4f} m away")
assert 0.0 <= (0.3 - 0.15) - low.distance < 1e-3

# The dish tilts about its elevation axis, 0.35 m behind it, from the zenith to 10 degrees above the horizon.
times, tilt = np.linspace(0.0, 20.0, 33), np.radians(np.linspace(0.0, 80.0, 33))
X = np.tile(np.eye(4), (33, 1, 1))
X[:, 0, 0] = X[:, 2, 2] = np.cos(tilt)
X[:, 0, 2], X[:, 2, 0] = np.sin(tilt), -np.sin(tilt)
X[:, :3, 3] = 0.35 * X[:, :3, 2]
mast, X_WM = kc.Cylinder(0.1, 3.0), np.eye(4)
X_WM[2, 3] = -1.5 - 0.1
swing = kc.PoseTrajectory(times, X, "screw")
least = kc.clearance(dish, swing, mast, X_WM)
print(f"tilting: at least {least.lower:.4f} m from the mast, closest at {least.time:.2f} s")
sampled = kc.distance(dish, swing.pose(np.linspace(0.0, 20.0, 300)), mast, X_WM).distance.min()
assert 0.0 < least.lower <= sampled
assert least.upper - least.lower <= 1e-4
