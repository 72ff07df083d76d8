"""A path for an arm through an arch: a small RRT-Connect whose every edge is proved clear, shortened by shortcuts."""

from pathlib import Path

import numpy as np

import keepclear as kc

# The cell that ships with keepclear. At 2 s its cart has arrived, and the arm is to reach through the arch.
cell = kc.read_cell(Path(kc.__file__).parent / "jobs" / "cell" / "demo" / "cell.yaml")
world, robot = cell.world("pick-corrected"), cell.objects["arm"].robot
program = cell.program_motions["pick-corrected"]["arm"].motion
start, goal, now = program.q[0], program.q[60], 2.0

MARGIN = 0.002  # margin of all pairs [m]

# The queries of a planner: which configurations are free (exact), and which edges are clear from end to end (proved).
assert world.check_configurations("arm", [start, goal], t=now, margin=MARGIN).free.all()
direct = world.check_edges("arm", start, goal, t=now, margin=MARGIN)
print(f"straight ahead: {direct.verdict[0].name}, {direct.pair(0)}")
assert direct.colliding[0]

STEP, BATCH, ROUNDS = 0.5, 64, 500  # longest new edge [rad], edges for each call, rounds
rng = np.random.default_rng(1)
held = np.array([name == "grip" for name in robot.joint_names])  # the gripper stays as it is


def is_clear(a: np.ndarray, b: np.ndarray, is_forward: bool = True) -> np.ndarray:
    """Return which edges are proved clear, in the direction in which they will be travelled."""
    q0, q1 = (a, b) if is_forward else (b, a)
    return world.check_edges("arm", q0, q1, t=now, margin=MARGIN).clear


def nearest(tree: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Return the row of the tree that is nearest to each configuration."""
    return np.argmin(np.linalg.norm(q[:, None] - tree[None], axis=2), axis=1)


def branch(tree: np.ndarray, parent: np.ndarray, k: int) -> list[np.ndarray]:
    """Return the configurations from row k to the root."""
    return [] if k < 0 else [tree[k], *branch(tree, parent, parent[k])]


def plan() -> np.ndarray:
    """Return waypoints (n, joints) from start to goal."""
    here, there = (start[None], np.array([-1])), (goal[None], np.array([-1]))
    for k in range(ROUNDS):
        # Grow this tree towards random configurations: a batch of edges is one compiled call.
        (tree, parent), (other, other_parent), is_forward = here, there, k % 2 == 0
        target = np.where(held, start, rng.uniform(robot.lower, robot.upper, (BATCH, robot.dof)))
        near = nearest(tree, target)
        way = target - tree[near]
        q = tree[near] + way * np.minimum(1.0, STEP / np.linalg.norm(way, axis=1, keepdims=True))
        clear = is_clear(tree[near], q, is_forward)
        here = tree, parent = np.vstack([tree, q[clear]]), np.append(parent, near[clear])
        # Connect it: edges of any length are one proof each.
        new = np.arange(len(tree) - np.count_nonzero(clear), len(tree))
        across = nearest(other, tree[new])
        bridges = np.flatnonzero(is_clear(tree[new], other[across], is_forward))
        if len(bridges):
            i, j = new[bridges[0]], across[bridges[0]]
            path = np.array(branch(tree, parent, i)[::-1] + branch(other, other_parent, j))
            return path if is_forward else path[::-1]
        here, there = there, here
    raise SystemExit("no path found; try more rounds")


def shortened(path: np.ndarray) -> np.ndarray:
    """Return the path with the longest shortcuts that are clear: all of them are one call."""
    i, j = np.triu_indices(len(path), 2)
    clear = is_clear(path[i], path[j])
    best = dict(zip(i[clear], j[clear], strict=True))  # of one start, the last is the longest
    kept = [0]
    while kept[-1] < len(path) - 1:
        kept.append(best.get(kept[-1], kept[-1] + 1))
    return path[kept]


path = plan()
short = shortened(path)
length = [np.linalg.norm(np.diff(one, axis=0), axis=1).sum() for one in (path, short)]
print(f"path: {len(path)} waypoints, {length[0]:.2f} rad; shortened: {len(short)}, {length[1]:.2f} rad")

# The final path is certified: every segment once more, and the whole path as one motion below.
assert (short[0] == start).all()
assert (short[-1] == goal).all()
assert is_clear(short[:-1], short[1:]).all()
# Each segment of the motion takes as long as its slowest joint needs.
duration = (np.abs(np.diff(short, axis=0)) / robot.speed).max(axis=1)
times = now + np.append(0.0, np.cumsum(duration))
world.move("arm", kc.JointTrajectory(robot, times, short))
report = world.verify(times[0], times[-1])
print(report)
assert report.verdict is kc.Verdict.CLEAR
