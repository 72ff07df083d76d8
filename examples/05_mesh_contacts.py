"""Whether two meshes intersect, which of their faces do, where, and how far apart they are otherwise."""

import numpy as np

import keepclear as kc


def gear(n_teeth: int, radius: float, thickness: float) -> kc.Mesh:
    """Return a gear around z with a pitch circle of this radius [m], its teeth 12 mm high."""
    turn = 2 * np.pi * np.arange(4 * n_teeth) / (4 * n_teeth)
    r = radius + 0.006 * np.tile([1.0, 1.0, -1.0, -1.0], n_teeth)
    rim = np.stack([r * np.cos(turn), r * np.sin(turn)], axis=1)
    vertices = [[*p, z] for z in (0.0, thickness) for p in (*rim, (0.0, 0.0))]
    n = len(rim)
    faces = []
    for k, m in zip(range(n), [*range(1, n), 0], strict=True):
        faces += [[k, m, m + n + 1, k + n + 1], [m, k, n], [k + n + 1, m + n + 1, 2 * n + 1]]
    return kc.Mesh(vertices, faces)


def placed(x: float, angle: float) -> np.ndarray:
    """Return the pose of a frame turned about z, and moved along x."""
    X = np.eye(4)
    X[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    X[0, 3] = x
    return X


wheel, pinion = gear(40, 0.2, 0.03), gear(20, 0.1, 0.03)
print(wheel)

# Tooth in gap, 2 mm more than the ideal distance: clear, although the gears reach into each other.
X_WA, X_WB = placed(0.0, -np.pi / 160), placed(0.302, np.pi - np.pi / 80 + np.pi / 20)
r = kc.distance(wheel, X_WA, pinion, X_WB)
print(r, "between faces", r.faces)
assert r.lower > 0.0  # proved clear
hulls = kc.Convex(wheel.vertices), kc.Convex(pinion.vertices)
assert kc.distance(hulls[0], X_WA, hulls[1], X_WB).colliding  # their hulls are not clear

# Rotated by half a tooth, teeth overlap teeth. Which faces intersect, and in which segments?
X_WB = placed(0.302, np.pi - np.pi / 80)
c = kc.collide(wheel, X_WA, pinion, X_WB, find="all")
print(c)
for (i, j), (p, q) in list(zip(c.pairs, c.segments_W, strict=True))[:3]:
    print(f"  face {i} meets face {j} from {p.round(4)} to {q.round(4)}")
assert c.state is kc.State.INTERFERING

# At which angles is the pinion clear while the wheel is at rest? One call for all of them.
angles = np.linspace(0.0, 2 * np.pi / 20, 200)
X_WB = np.stack([placed(0.302, angle) for angle in angles])
clear = ~kc.collide(wheel, X_WA, pinion, X_WB, threads=2).colliding
print(f"clear at {clear.sum()} of {len(angles)} angles of one tooth")
assert 0 < clear.sum() < len(angles)

# A part inside a solid is in contact as well, although no faces intersect.
pin = kc.Cylinder(radius=0.005, length=0.01)
X_WB = np.eye(4)
X_WB[:3, 3] = 0.05, 0.0, 0.015
print(kc.collide(wheel, X_WA, pin, X_WB))
assert kc.collide(wheel, X_WA, pin, X_WB).state is kc.State.CONTAINED
