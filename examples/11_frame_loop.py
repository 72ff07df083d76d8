"""Near pairs at frame rate: poses of many bodies in, contacts out, and nothing missed between two frames."""

import numpy as np

import keepclear as kc

# Forty bodies fly in a room with a floor and a pillar.
rng = np.random.default_rng(4)
shapes = [kc.Sphere(0.08), kc.Box([0.12, 0.16, 0.1]), kc.Capsule(0.05, 0.1), kc.Cylinder(0.06, 0.14)]
names = [f"body_{k:02}" for k in range(40)]
position = rng.uniform([-0.7, -0.7, 0.1], [0.7, 0.7, 1.4], (40, 3))
velocity = rng.normal(scale=0.4, size=(40, 3))

world = kc.World()
X_W = np.tile(np.eye(4), (41, 1, 1))
X_W[40, :3, 3] = [0.0, 0.0, 0.75]
world.add("floor", kc.Box([3.0, 3.0, 0.02]), kc.Fixed(np.eye(4)))
world.add("pillar", kc.Box([0.1, 0.1, 1.4]), X_W[40])
X_W = X_W[:40]
X_W[:, :3, 3] = position
for k, name in enumerate(names):
    world.add(name, shapes[k % 4], X_W[k])
world.set_margin("pillar", None, 0.02)  # a smaller distance from the pillar counts as contact

# The loop: new poses, then the near pairs. Floor and pillar never move: their contact is not reported.
began = ended = deepest = 0
for frame in range(120):
    position += velocity / 60.0
    velocity[np.abs(position - [0.0, 0.0, 0.75]) > [0.8, 0.8, 0.7]] *= -1.0
    X_W[:, :3, 3] = position
    world.update(names, X_W)
    f = world.contacts(far=0.05)
    began, ended = began + len(f.began), ended + len(f.ended)
    if len(f) and f.distance.min() < deepest:
        deepest, k = f.distance.min(), int(f.distance.argmin())
        print(
            f"frame {frame:3}: {f.a[k]} and {f.b[k]} overlap by {-deepest:.4f} m along {f.normal_W[k].round(3)}"
        )
print(f"{began} pairs came within 0.05 m, {ended} left again; now {len(f)} are near")
assert began - ended == len(f)

# Every row equals the result of kc.distance, with the same certified bound.
k = int(f.distance.argmin())
a, b = (names.index(name) if name in names else None for name in (f.a[k], f.b[k]))
if a is not None and b is not None:
    r = kc.distance(shapes[a % 4], X_W[a], shapes[b % 4], X_W[b])
    assert abs(r.distance - f.distance[k]) < 1e-12
    assert f.lower[k] <= r.upper

# A bullet is on one side of the pillar in this frame, and on the other side in the next: samples miss the contact.
X_WB = np.eye(4)
X_WB[:3, 3] = [-0.5, 0.0, 1.2]
world.add("bullet", kc.Sphere(0.01), X_WB)
world.contacts()
X_WB[0, 3] = 0.5
world.update("bullet", X_WB)
f = world.contacts(between=True)  # each body moves by the screw between its last two poses
(k,) = np.flatnonzero((f.a == "bullet") & (f.b == "pillar"))
print(
    f"bullet and pillar: {f.verdict[k].name} at {f.time[k]:.3f} of the frame, now {f.distance[k]:.3f} m apart"
)
assert f.verdict[k] is kc.Verdict.COLLIDING
assert abs(f.time[k] - (0.5 - 0.05 - 0.01 - 0.02)) < 1e-3
