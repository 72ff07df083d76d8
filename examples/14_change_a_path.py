"""A path changed to avoid contact: simulate, lift the arm where it touches, simulate again, and prove the result."""

from pathlib import Path

import numpy as np

import keepclear as kc

demo = Path(kc.__file__).parent / "jobs" / "cell" / "demo"
robot = kc.read_robot(demo / "arm.urdf", srdf=demo / "arm.srdf")

# The arm swings from right to left within 4 s, with its gripper low. Two crates stand in its way.
times = np.linspace(0.0, 4.0, 17)
turns, lift = np.linspace(-1.2, 1.2, 17), np.zeros(17)
low, high = np.array([0.6, 0.6, 0.0, 0.4, 0.0, 0.02]), np.array([0.1, 0.7, 0.0, 0.75, 0.0, 0.02])


def program() -> kc.JointTrajectory:
    """Return the program through the waypoints as they are now: each lifted by its part of the way from low to high."""
    q = low + lift[:, None] * (high - low)
    return kc.JointTrajectory(robot, times, np.column_stack([turns, q]))


world = kc.World()
world.add_robot("arm", robot, program())
for name, turn in (("crate 1", -0.5), ("crate 2", 0.6)):
    X_W = np.eye(4)
    X_W[:3, 3] = 0.36 * np.cos(turn), 0.36 * np.sin(turn), 0.1
    world.add(name, kc.Box([0.1, 0.1, 0.2]), X_W)

for k in range(40):
    s = world.simulate(dt=0.05, models="exact")
    if s.stopped_at is not None:
        touched = s.pairs(-1)[0]
        print(
            f"{k}: step {len(s) - 1} at {s.stopped_at:.2f} s is a {touched.step.name}: '{touched.a}' and '{touched.b}'"
        )
        t = s.stopped_at
    else:
        # No step has a contact. That is not a proof: the motion between the steps is verified now.
        report = world.verify(tolerance=1e-4)
        print(f"{k}: all {len(s)} steps are FREE; {report}")
        if report.verdict is kc.Verdict.CLEAR:
            break
        t = report.first.time
    # Lift the waypoints around the contact.
    near = np.abs(times - t) < 0.5
    lift[near] = np.minimum(lift[near] + 0.25, 1.0)
    world.move("arm", program())

assert report.verdict is kc.Verdict.CLEAR
assert (s.steps == kc.Step.FREE).all()
print(f"lifted at {np.count_nonzero(lift)} of {len(lift)} waypoints")
