"""A cable hangs between a machine and its moving head: in every step only what has changed is prepared again."""

import numpy as np

import keepclear as kc

RADIUS, LENGTH, N_RINGS, N_AROUND = 0.012, 1.6, 120, 8
angle = 2.0 * np.pi * np.arange(N_AROUND) / N_AROUND


def cable(head: np.ndarray) -> np.ndarray:
    """Return the vertices of a cable of fixed length: clamped for 0.4 m, then a parabola to the head."""
    clamp = np.array([0.4, 0.0, 1.0])
    span = np.linalg.norm((head - clamp)[:2])
    low, high = 0.0, 2.0
    s = np.linspace(0.0, 1.0, N_RINGS - 40)
    while high - low > 1e-9:  # find the sag that gives the cable its length
        sag = 0.5 * (low + high)
        z = clamp[2] + (head[2] - clamp[2]) * s - 4.0 * sag * s * (1.0 - s)
        long = np.hypot(np.diff(s) * span, np.diff(z)).sum() > LENGTH - 0.4
        low, high = (low, sag) if long else (sag, high)
    hanging = np.c_[clamp[:2] + np.outer(s, (head - clamp)[:2]), z]
    line = np.concatenate([np.linspace([0.0, 0.0, 1.0], clamp, 40, endpoint=False), hanging])
    along = np.gradient(line, axis=0)
    along /= np.linalg.norm(along, axis=1)[:, None]
    side = np.cross(along, [0.0, 1.0, 0.0])
    side /= np.linalg.norm(side, axis=1)[:, None]
    across = np.cross(along, side)
    rings = line[:, None] + RADIUS * (
        np.cos(angle)[:, None] * side[:, None] + np.sin(angle)[:, None] * across[:, None]
    )
    return rings.reshape(-1, 3)


# A closed tube, prepared once in its first shape.
k = np.arange(N_RINGS * N_AROUND).reshape(N_RINGS, N_AROUND)
a, b, c, d = k[:-1], np.roll(k, -1, 1)[:-1], np.roll(k, -1, 1)[1:], k[1:]
walls = np.concatenate([np.stack([a, b, c], -1).reshape(-1, 3), np.stack([a, c, d], -1).reshape(-1, 3)])
last = k[-1, 0]
ends = [[0, i + 1, i] for i in range(1, N_AROUND - 1)] + [
    [last, last + i, last + i + 1] for i in range(1, N_AROUND - 1)
]
heads = [
    np.array([0.9 + 0.5 * np.cos(u), 0.0, 0.9 + 0.15 * np.sin(2 * u)])
    for u in np.linspace(0.0, 2.0 * np.pi, 20)
]
rest = kc.prepare(kc.Mesh(cable(heads[0]), np.concatenate([walls, ends])), sphere_tree=0.02)
print(rest.shape)

# The head moves around a closed curve; a vice stands under the cable.
vice, X_WV = kc.Box([0.2, 0.2, 0.2]), np.eye(4)
X_WV[:3, 3] = 0.85, 0.0, 0.1
distances = []
for head in heads:
    model = rest.refit(cable(head))
    distances.append(kc.distance(model, np.eye(4), vice, X_WV).distance)
worst = int(np.argmin(distances))
print(f"the cable stays {1e3 * min(distances):.1f} mm from the vice, closest in step {worst} of {len(heads)}")

# A newly prepared model gives the same distances.
for k in range(0, len(heads), 7):
    fresh = kc.distance(kc.Mesh(cable(heads[k]), rest.shape.triangles), np.eye(4), vice, X_WV)
    assert abs(fresh.distance - distances[k]) < 1e-12
assert 0.0 < min(distances) < 0.5

# The sphere tree is refitted too. It gives a lower bound on the distance of a tool in the vice.
model = rest.refit(cable(heads[worst]))
tool = kc.build_sphere_tree(kc.Capsule(0.03, 0.2), 0.02)
near = kc.distance(model.sphere_tree, np.eye(4), tool, X_WV)
print(
    f"{model.sphere_tree.n_spheres} spheres cover the cable; a tool in the vice is at least {near.lower:.3f} m away"
)
assert near.lower > 0.0
