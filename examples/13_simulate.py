"""Three cells step by step, as a simulator shows them: an arm at a conveyor, two arms, a vehicle between shelves."""

from pathlib import Path

import numpy as np

import keepclear as kc

demo = Path(kc.__file__).parent / "jobs" / "cell" / "demo"
robot = kc.read_robot(demo / "arm.urdf", srdf=demo / "arm.srdf")


def at(x: float, y: float, z: float, turn: float = 0.0) -> np.ndarray:
    """Return a pose that is turned about the vertical."""
    X_W = np.eye(4)
    X_W[:2, :2] = [[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]
    X_W[:3, 3] = x, y, z
    return X_W


def swing(times: list[float], turns: list[float]) -> kc.JointTrajectory:
    """Return a program that turns the arm about its base, with its gripper low in front of it."""
    q = np.tile([0.0, 0.6, 0.6, 0.0, 0.4, 0.0, 0.02], (len(times), 1))
    q[:, 0] = turns
    return kc.JointTrajectory(robot, times, q)


# An arm at a conveyor. It swings over the belt, and parcels pass below. The last parcel is too high.
cell = kc.World()
cell.add_robot("arm", robot, swing([0.0, 4.0, 8.0], [-0.8, 0.8, -0.8]))
cell.add("belt", kc.Box([0.3, 2.4, 0.04]), at(0.4, 0.0, -0.02))
for k, height in enumerate([0.08, 0.08, 0.2]):
    start, end = -1.0 - 0.4 * k, 0.8 - 0.4 * k
    ride = kc.PoseTrajectory([0.0, 8.0], [at(0.4, start, height / 2), at(0.4, end, height / 2)], "linear")
    cell.add(f"parcel {k}", kc.Box([0.15, 0.15, height]), ride)
    cell.allow("belt", f"parcel {k}", reason="parcels lie on the belt")

free = []
s = cell.simulate(dt=0.02, models="exact", on_step=lambda step: free.append(step.step is kc.Step.FREE))
print(s)
assert free == [True] * (len(s) - 1) + [False]  # it was called for each step, and the last one is the contact
assert s.steps[-1] is kc.Step.CONTACT
assert "parcel 2" in s.pairs(-1)[0][:2]

# Two arms that reach for the same position. When one of them waits, no step has a contact.
reach = [0.9, 0.9, 0.0, 0.9]
for wait in (0.1, 2.0):
    pair = kc.World()
    pair.add_robot("left", robot, swing([0.0, 0.1, 1.0, 2.0], reach))
    pair.add_robot(
        "right", robot, swing([0.0, wait, wait + 1.0, wait + 2.0], reach), at(0.75, 0.0, 0.0, np.pi)
    )
    s = pair.simulate(dt=0.02, models="exact")
    print(f"the right arm waits {wait:g} s: {s!r}")
    assert (s.stopped_at is not None) == (wait == 0.1)
print(s.report())  # no step has a contact, and that proves nothing: UNDECIDED
print(pair.verify())  # this is a proof
assert s.report().verdict is kc.Verdict.UNDECIDED
assert pair.verify().verdict is kc.Verdict.CLEAR

# A vehicle turns beside a pillar. Covers by spheres of 20 mm cannot decide whether it touches, but they bound its
# distance from above. Spheres of 2 mm prove that it does not touch, at each step.
route = [at(-2.0, 0.0, 0.0), at(0.0, 0.0, 0.0), at(0.6, 0.6, 0.0, np.pi / 2), at(0.6, 2.0, 0.0, np.pi / 2)]
vehicle = [(kc.Box([0.6, 0.4, 0.3]), at(0.0, 0.0, 0.15)), (kc.Cylinder(0.03, 0.8), at(-0.25, 0.15, 0.7))]
hall = kc.World()
hall.add("vehicle", vehicle, kc.PoseTrajectory([0.0, 4.0, 6.0, 9.0], route, "screw"))
hall.add("shelf", kc.Box([1.6, 0.3, 1.4]), at(-0.8, 0.37, 0.7))
hall.add("pillar", kc.Box([0.3, 0.3, 2.0]), at(0.725, -0.125, 1.0, 0.6))
coarse = hall.simulate(dt=0.05, accuracy=0.02)
print(f"spheres of 20 mm: {coarse}")
apart = hall.distances(coarse.stopped_at)[0]
print(f"'{apart.a}' and '{apart.b}' are {1e3 * apart.distance:.1f} mm apart then")
assert coarse.steps[-1] is kc.Step.MAY_TOUCH
assert 0.0 < apart.distance <= coarse.gap[-1] < 0.081
fine = hall.simulate(dt=0.05, accuracy=0.002)
print(f"spheres of 2 mm: {fine!r}")
assert (fine.steps == kc.Step.FREE).all()
