"""The distance of two bodies, their closest points, and certified bounds."""

import numpy as np

import keepclear as kc


def pose(x: float, y: float, z: float) -> np.ndarray:
    """Return the pose of a frame that is moved and not turned."""
    X = np.eye(4)
    X[:3, 3] = x, y, z
    return X


table = kc.Box([1.2, 0.8, 0.05])  # full edge lengths [m], centred on its frame
part = kc.Capsule(radius=0.04, length=0.2)  # axis z, length without the caps
X_WT = pose(0, 0, 0)

# Apart: the closest points, the normal from table to part, and bounds that hold with rounding included.
r = kc.distance(table, X_WT, part, pose(0.3, 0.1, 0.5))
print(r)
print("certified:", r.lower, "<= true distance <=", r.upper)
assert r.lower <= 0.335 <= r.upper
assert not r.colliding  # proved, because r.lower > 0

# Overlapping: the distance is minus the depth, and moving the part by `depth` along the normal separates them.
r = kc.distance(table, X_WT, part, pose(0.3, 0.1, 0.155))
print(r)
depth = -r.distance
assert r.state is kc.State.INTERFERING
assert np.allclose(depth, 0.01)
apart = kc.distance(table, X_WT, part, pose(*(np.array([0.3, 0.1, 0.155]) + (depth + 1e-9) * r.normal_W)))
print("moved out along the normal:", apart.state.name)
assert apart.state is kc.State.SEPARATE

# Touching, up to rounding: 0 and 1e-17 m cannot be distinguished here. It counts as contact.
r = kc.distance(kc.Sphere(0.5), pose(0, 0, 0), kc.Sphere(0.5), pose(1, 0, 0))
print(r)
assert r.state is kc.State.TOUCHING
assert r.colliding

# Many poses at once: every field becomes an array with one entry per pose, in one compiled call.
X_WP = np.stack([pose(0.3, 0.1, z) for z in np.linspace(0.5, 0.1, 9)])
batch = kc.distance(table, X_WT, part, X_WP, threads=2)
print(batch)
for z, d, hit in zip(X_WP[:, 2, 3], batch.distance, batch.colliding, strict=True):
    print(f"  part at {z:.2f} m: {d:+.3f} m{'  contact' if hit else ''}")
