"""OMPL's RRTConnect plans for an arm, and the returned path is certified, even after shortcuts."""

from pathlib import Path

import numpy as np

import keepclear as kc

try:
    from ompl import base as ob
    from ompl import geometric as og
    from ompl import util as ou
except ImportError:
    print('skipped: this example needs OMPL (pip install "keepclear[plan]"); 10_plan_a_path.py does without')
    raise SystemExit(0) from None

ou.setLogLevel(ou.LOG_WARN)
ou.RNG.setSeed(1)

# The cell that ships with keepclear. At 2 s its cart has arrived, and the arm is to reach through the arch.
cell = kc.read_cell(Path(kc.__file__).parent / "jobs" / "cell" / "demo" / "cell.yaml")
world, robot = cell.world("pick-corrected"), cell.objects["arm"].robot
program = cell.program_motions["pick-corrected"]["arm"].motion
start, goal, now = program.q[0], program.q[60], 2.0

# A space of six joints with their names and limits; the gripper, which it lacks, has its value from `others`.
joints = [name for name in robot.joint_names if name != "grip"]
si = ob.SpaceInformation(kc.plan.joint_space(robot, joints))
validator = kc.plan.motion_validator(world, "arm", si, t=now, margin=0.002, others=start)
si.setMotionValidator(validator)
si.setStateValidityChecker(kc.plan.validity_checker(world, "arm", si, t=now, margin=0.002, others=start))
si.setup()

problem = ob.ProblemDefinition(si)
ends = si.allocState(), si.allocState()
for state, q in zip(ends, (start, goal), strict=True):
    validator.write_state(state, q)
problem.setStartAndGoalStates(*ends)
planner = og.RRTConnect(si)
planner.setRange(0.8)  # [rad]: proofs of long edges cost more, and fewer of these are clear
planner.setProblemDefinition(problem)
planner.setup()
planner.solve(10.0)
assert problem.hasExactSolution()
print(
    f"{validator.getCheckedMotionCount()} motions, of which {validator.getValidMotionCount()} are proved clear"
)


def certified(path: og.PathGeometric) -> np.ndarray | None:
    """Return the waypoints (n, joints) of a path if each of its segments is proved clear."""
    return validator.configurations(path) if validator.check_path(path).clear.all() else None


# Shortcuts and smoothing create new segments: the result is certified again, or the planned path is returned.
path = problem.getSolutionPath()
planned = certified(path)
og.PathSimplifier(si).simplify(path, 0.5)
simplified = certified(path)
waypoints = planned if simplified is None else simplified
assert waypoints is not None
length = [np.linalg.norm(np.diff(one, axis=0), axis=1).sum() for one in (planned, waypoints)]
print(
    f"planned: {len(planned)} waypoints, {length[0]:.2f} rad; returned: {len(waypoints)}, {length[1]:.2f} rad"
)

# The same path as one motion, each segment as long as its slowest joint needs.
duration = (np.abs(np.diff(waypoints, axis=0)) / robot.speed).max(axis=1)
times = now + np.append(0.0, np.cumsum(duration))
world.move("arm", kc.JointTrajectory(robot, times, waypoints))
report = world.verify(times[0], times[-1])
print(report)
assert report.verdict is kc.Verdict.CLEAR
