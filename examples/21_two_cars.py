"""Two cars at a crossing: do they touch, when and where, and how late may one of them brake?"""

import numpy as np

import keepclear as kc

# A car in profile, extruded: bonnet, cabin and boot, with arches for the wheels, which are concave.
arch = [[0.35 * np.cos(a), 0.35 * np.sin(a)] for a in np.linspace(np.pi, 0.0, 9)]
lower = [[-2.1, 0.0], *([x - 1.3, z] for x, z in arch), *([x + 1.3, z] for x, z in arch), [2.1, 0.0]]
upper = [[2.2, 0.5], [1.2, 0.7], [0.5, 1.2], [-1.0, 1.2], [-1.8, 0.75], [-2.2, 0.7]]
outline = np.array([*lower, *upper]) + np.array([0.0, 0.2])
n = len(outline)


def area(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> float:
    return float((b - a)[0] * (c - a)[1] - (b - a)[1] * (c - a)[0])


left, ears = list(range(n)), []  # ears of the polygon are truncated until a triangle is left
while len(left) > 3:
    for k in range(len(left)):
        i, j, m = left[k - 1], left[k], left[(k + 1) % len(left)]
        a, b, c = outline[[i, j, m]]
        others = [p for p in left if p not in (i, j, m)]
        if area(a, b, c) > 1e-12 and not any(
            min(area(a, b, p), area(b, c, p), area(c, a, p)) >= 0.0 for p in outline[others]
        ):
            ears.append([i, j, m])
            left.pop(k)
            break
ears = np.array([*ears, left])
i, j = np.arange(n), np.roll(np.arange(n), -1)
vertices = np.concatenate([np.c_[outline[:, 0], np.full(n, y), outline[:, 1]] for y in (-0.9, 0.9)])
sides = np.concatenate([np.stack([i, j, n + j], 1), np.stack([i, n + j, n + i], 1)])
car = kc.prepare(kc.Mesh(vertices, np.concatenate([ears, ears[:, ::-1] + n, sides[:, ::-1]])), elements=True)
print(car.shape, car.elements, sep="\n")


def straight(x: float, y: float, heading: float, speed: float, brake: float = np.inf) -> kc.PoseTrajectory:
    """Return a car that drives straight on for 6 s, or brakes with 7 m/s^2 from a time on until it stands."""
    times = np.linspace(0.0, 6.0, 121)
    braking = np.clip(times - brake, 0.0, speed / 7.0)
    way = speed * np.minimum(times, brake + braking) - 3.5 * braking**2
    X = np.tile(np.eye(4), (len(times), 1, 1))
    X[:, :2, :2] = [[np.cos(heading), -np.sin(heading)], [np.sin(heading), np.cos(heading)]]
    X[:, 0, 3], X[:, 1, 3] = x + np.cos(heading) * way, y + np.sin(heading) * way
    return kc.PoseTrajectory(times, X, "linear")


# Head on in one lane, 40 m apart at 10 and 15 m/s: bumpers of 2.2 m meet after (40 - 4.4) / 25 s.
crash = kc.first_contact(car, straight(0, 0, 0, 10), car, straight(40, 0, np.pi, 15), tolerance=1e-6)
print("head on:", crash)
assert abs(crash.time - (40.0 - 4.4) / 25.0) < 1e-6

# At a crossing: one comes from the west at 12 m/s, the other from the south at 11 m/s.
other = straight(0.0, -30.0, 0.5 * np.pi, 11.0)
crash = kc.first_contact(car, straight(-30.0, 0.0, 0.0, 12.0), car, other)
print("crossing:", crash)
assert crash.verdict is kc.Verdict.COLLIDING

# How late may the first one brake and keep half a metre? Proved clear on one side, contact on the other.
early, late = 0.0, crash.time
while late - early > 0.01:
    brake = 0.5 * (early + late)
    found = kc.first_contact(car, straight(-30.0, 0.0, 0.0, 12.0, brake), car, other, margin=0.5)
    early, late = (brake, late) if found.verdict is kc.Verdict.CLEAR else (early, brake)
least = kc.clearance(car, straight(-30.0, 0.0, 0.0, 12.0, early), car, other)
print(f"braking after {early:.2f} s keeps {least.lower:.3f} m; after {late:.2f} s it does not")
assert least.lower >= 0.5
