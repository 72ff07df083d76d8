"""A transport robot drives through rooms: is the whole trip clear, and what if it turns in a doorpath?"""

import numpy as np

import keepclear as kc


def driven(stations: list[tuple[float, float, float]], speed: float = 0.8) -> kc.PoseTrajectory:
    """Return the motion through stations (x, y, heading), at constant linear and angular speed between them."""
    path = np.array(stations)
    steps = np.maximum(
        np.linalg.norm(np.diff(path[:, :2], axis=0), axis=1) / speed, np.abs(np.diff(path[:, 2])) / 0.6
    )
    X = np.tile(np.eye(4), (len(path), 1, 1))
    X[:, 0, 0] = X[:, 1, 1] = np.cos(path[:, 2])
    X[:, 1, 0] = np.sin(path[:, 2])
    X[:, 0, 1] = -X[:, 1, 0]
    X[:, :2, 3] = path[:, :2]
    return kc.PoseTrajectory(np.concatenate([[0.0], np.cumsum(steps)]), X, "screw")


# Two rooms and a corridor with doors of 1 m. Walls are boxes 0.1 m thick. The robot carries a long load.
world = kc.World()
walls = {
    "south": (0, 8, 0, 0), "north": (0, 8, 5, 5), "west": (0, 0, 0, 5), "east": (8, 8, 0, 5),
    "office left of door": (0, 2.0, 2, 2), "office right of door": (3.0, 8, 2, 2),
    "store below door": (5, 5, 2, 3.0), "store above door": (5, 5, 4.0, 5),
}  # fmt: skip
for name, (x0, x1, y0, y1) in walls.items():
    X_W = np.eye(4)
    X_W[:3, 3] = 0.5 * (x0 + x1), 0.5 * (y0 + y1), 1.25
    world.add(name, kc.Box([x1 - x0 + 0.1, y1 - y0 + 0.1, 2.5]), X_W)
X_RL = np.eye(4)
X_RL[:3, 3] = -0.2, 0.0, 0.7
X_RB = np.eye(4)
X_RB[2, 3] = 0.3
robot = [(kc.Box([0.7, 0.5, 0.4]), X_RB), (kc.Box([1.4, 0.6, 0.1]), X_RL)]

# From the office through the first door into the corridor, turn, and through the second door into the store.
north, east = 0.5 * np.pi, 0.0
trip = [(2.5, 1.2, north), (2.5, 3.5, north), (2.5, 3.5, east), (6.5, 3.5, east)]
world.add("robot", robot, driven(trip))


def verdict(margin: float) -> kc.Report:
    """Return the report for the whole trip, with a margin to all walls."""
    for name in walls:
        world.set_margin(name, "robot", margin)
    return world.verify(clearances=False)


print("with a margin of 50 mm to all walls:", verdict(0.05).verdict.name)
assert verdict(0.05).verdict is kc.Verdict.CLEAR

# The doors leave (1 - 0.1 - 0.6) / 2 = 0.15 m on each side; no other passage of the trip is narrower.
assert verdict(0.148).verdict is kc.Verdict.CLEAR
assert verdict(0.152).verdict is kc.Verdict.COLLIDING

# A planner cuts the corner: the robot turns while the load is still in the doorway.
world.remove("robot")
world.add(
    "robot", robot, driven([(2.5, 1.2, north), (2.5, 2.4, north), (3.2, 3.2, 0.25 * np.pi), (6.5, 3.5, east)])
)
report = verdict(0.05)
hit = min((pair for pair in report.pairs if pair.verdict is kc.Verdict.COLLIDING), key=lambda pair: pair.time)
wall = hit.a if hit.b == "robot" else hit.b
print(f"cutting the corner: {report.verdict.name}, within 0.05 m of '{wall}' at {hit.time:.2f} s")
assert report.verdict is kc.Verdict.COLLIDING
touching = [pair.distance for pair in world.distances(hit.time) if {pair.a, pair.b} == {hit.a, hit.b}]
assert touching[0] <= 0.05 + 1e-3
