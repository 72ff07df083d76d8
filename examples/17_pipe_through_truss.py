"""Can a pipe be carried into a truss? The certified clearance of the motion, and the widest pipe that fits."""

import numpy as np

import keepclear as kc


def bar(p: np.ndarray, q: np.ndarray, radius: float, n: int = 12) -> tuple[np.ndarray, np.ndarray]:
    """Return the vertices and triangles of a closed prism from p to q."""
    axis = (q - p) / np.linalg.norm(q - p)
    u = np.cross(axis, [0.0, 0.0, 1.0] if abs(axis[2]) < 0.9 else [1.0, 0.0, 0.0])
    u /= np.linalg.norm(u)
    angle = 2.0 * np.pi * np.arange(n) / n
    ring = radius * (np.outer(np.cos(angle), u) + np.outer(np.sin(angle), np.cross(axis, u)))
    i, j = np.arange(n), np.roll(np.arange(n), -1)
    sides = np.concatenate([np.stack([i, j, n + j], 1), np.stack([i, n + j, n + i], 1)])
    ends = np.concatenate([np.stack([0 * i, j, i], 1)[1:-1], np.stack([0 * i + n, n + i, n + j], 1)[1:-1]])
    return np.concatenate([p + ring, q + ring]), np.concatenate([sides, ends])


# A bridge of four bays as one mesh: four chords, posts, and a diagonal on each side of each bay.
x, nodes, bars = np.arange(5.0), {}, []
for side, (y, z) in {"a": (0, 0), "b": (1, 0), "c": (1, 1), "d": (0, 1)}.items():
    nodes |= {(side, k): np.array([x[k], y, z]) for k in range(5)}
    bars += [((side, k), (side, k + 1)) for k in range(4)]
for one, other in ("ab", "bc", "cd", "da"):
    bars += [((one, k), (other, k)) for k in range(5) if (one, other) != ("a", "b") or k]
    bars += [((one, k), (other, k + 1)) for k in range(4)]
parts = [bar(nodes[p], nodes[q], 0.04) for p, q in bars]
shift = np.cumsum([0, *(len(V) for V, _ in parts[:-1])])
truss = kc.Mesh(
    np.concatenate([V for V, _ in parts]),
    np.concatenate([F + s for (_, F), s in zip(parts, shift, strict=True)]),
)
print(truss)

# The pipe enters through the end of the bridge and turns between the diagonals.
times = np.linspace(0.0, 10.0, 41)
s = times / times[-1]
yaw = 0.3 * np.clip(1.6 * s - 0.6, 0.0, 1.0)
X = np.tile(np.eye(4), (len(times), 1, 1))
X[:, :3, 0] = np.stack([0.0 * s, 0.0 * s, -np.ones_like(s)], axis=1)
X[:, :3, 2] = np.stack([np.cos(yaw), np.sin(yaw), 0.0 * s], axis=1)
X[:, :3, 1] = np.cross(X[:, :3, 2], X[:, :3, 0])
X[:, :3, 3] = np.stack([-1.2 + 2.6 * s, 0.5 + 0.1 * s, 0.5 + 0.0 * s], axis=1)
carried = kc.PoseTrajectory(times, X, "linear")

pipe = kc.Cylinder(0.05, 1.5)
least = kc.clearance(truss, np.eye(4), pipe, carried)
print(
    f"a pipe of 100 mm keeps at least {1e3 * least.lower:.1f} mm from the truss, closest at {least.time:.2f} s"
)
assert least.lower > 0.0

# The widest pipe: bisect between a radius that is proved to fit and one that touches.
fits, touches = 0.05, 0.5
while touches - fits > 1e-3:
    radius = 0.5 * (fits + touches)
    clear = kc.first_contact(truss, np.eye(4), kc.Cylinder(radius, 1.5), carried).verdict is kc.Verdict.CLEAR
    fits, touches = (radius, touches) if clear else (fits, radius)
print(f"pipes of up to {2e3 * fits:.0f} mm fit; a pipe of {2e3 * touches:.0f} mm does not")

# No sample of the motion is closer than the certified bound.
sampled = kc.distance(truss, np.eye(4), pipe, carried.pose(np.linspace(0.0, 10.0, 500))).distance
assert least.lower <= sampled.min() <= least.upper + 0.01
assert abs(kc.distance(truss, np.eye(4), pipe, carried.pose(least.time)).distance - least.upper) < 1e-6
