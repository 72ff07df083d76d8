"""Edges and configurations of a Panda arm in the rooms of its labelled paths, beside pinocchio with coal.

Times of single edges: each edge is queried many times in one call, so that the call itself does not count; the cost
of one call is a separate line. `--truth N` compares N edges and ten times as many configurations of each room with
`verify` and pinocchio, and `--quick` takes a tenth of everything.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

import keepclear as kc
from benchmarks.harness import best_times
from benchmarks.panda import Path, read_paths, world_of
from benchmarks.panda_peers import SRDF, URDF, Kinematics, MujocoHulls, PinocchioSampled, samples

EDGES, CONFIGURATIONS, PEER_EDGES = 10_000, 10_000, 600
REPEATS, ROUNDS = 20, 3
TOLERANCE = 1e-3  # [m]
STEP = 0.01  # of the peer's samples [rad]


@dataclass(frozen=True)
class Room:
    """A world with its edges (two ends each) and where these come from."""

    path: Path
    world: kc.World
    q0: np.ndarray
    q1: np.ndarray


def cut_edges(rng: np.random.Generator, waypoints: np.ndarray, length: float, n: int) -> np.ndarray:
    """Return edges (2, n, 7) of a length cut from a path's segments; whole segments where these are shorter."""
    sizes = np.linalg.norm(np.diff(waypoints, axis=0), axis=1)
    long = np.flatnonzero(sizes >= length)
    k = rng.choice(long, n) if len(long) else np.full(n, int(np.argmax(sizes)))
    directions = (waypoints[k + 1] - waypoints[k]) / sizes[k, None]
    start = waypoints[k] + rng.uniform(0.0, np.maximum(sizes[k] - length, 0.0))[:, None] * directions
    return np.stack([start, start + np.minimum(length, sizes[k])[:, None] * directions])


def uniform_edges(rng: np.random.Generator, robot: kc.Robot, length: float, n: int) -> np.ndarray:
    """Return edges (2, n, 7) of a length whose starts are uniform within limits, turned back where they leave these."""
    start = rng.uniform(robot.lower, robot.upper, size=(n, robot.dof))
    step = rng.normal(size=start.shape)
    step *= length / np.linalg.norm(step, axis=1)[:, None]
    end = start + step
    return np.stack([start, np.where((end < robot.lower) | (end > robot.upper), start - step, end)])


def read_rooms(robot: kc.Robot, length: float, n: int) -> list[Room]:
    """Return the rooms of all labelled paths with n edges in all, half of them cut from the path of the room."""
    rng, paths = np.random.default_rng(15), read_paths()
    rooms = []
    for path in paths:
        half = max(1, n // (2 * len(paths)))
        both = [cut_edges(rng, path.waypoints, length, half), uniform_edges(rng, robot, length, half)]
        q0, q1 = np.concatenate(both, axis=1)
        rooms.append(Room(path, world_of(robot, path), q0, q1))
    return rooms


def edge_times(room: Room) -> np.ndarray:
    """Return the CPU time of each edge of a room, without the call [s]."""
    found = np.empty(len(room.q0))
    for k in range(len(found)):
        many = [np.repeat(q[k : k + 1], REPEATS, axis=0) for q in (room.q0, room.q1)]
        best = np.inf
        for _ in range(ROUNDS):
            start = time.process_time_ns()
            room.world.check_edges("panda", *many, tolerance=TOLERANCE, threads=1)
            best = min(best, time.process_time_ns() - start)
        found[k] = best / REPEATS * 1e-9
    return found


def print_edges(robot: kc.Robot, length: float, n: int, peer: PinocchioSampled | None) -> None:
    """Print what edges of a length take, free and colliding ones apart, beside samples of the peer."""
    rooms = read_rooms(robot, length, n)
    times, clear, peer_times = [], [], []
    for room in rooms:
        found = room.world.check_edges("panda", room.q0, room.q1, tolerance=TOLERANCE, threads=1)
        assert not (found.verdict == kc.Verdict.UNDECIDED).any()
        clear.append(found.clear)
        times.append(edge_times(room))
    t, is_clear = np.concatenate(times), np.concatenate(clear)
    print(f"\nedges of {length} rad: {len(t)} in {len(rooms)} rooms, {np.count_nonzero(is_clear)} clear")
    print(f"{'':<26}{'median':>10}{'90 %':>10}{'99 %':>10}{'mean':>10}{'worst':>10}   [us]")
    for name, some in (("clear", t[is_clear]), ("colliding", t[~is_clear]), ("all", t)):
        print_line(name, some)
    print_covers(rooms, is_clear)
    if peer is not None:
        each = max(1, PEER_EDGES // len(rooms))
        ours = []
        for room, mine in zip(rooms, times, strict=True):
            for k in np.linspace(0, len(room.q0) - 1, each).astype(int):
                job = peer.job(room.path.obstacles, samples(np.stack([room.q0[k], room.q1[k]]), STEP))
                peer_times.append(best_times([job], 1, 1)[0])
                ours.append(mine[k])
        print_line(f"pinocchio, every {STEP} rad", np.array(peer_times))
        print(f"{'times as long, median':<26}{np.median(np.array(peer_times) / ours):10.1f}")


def print_covers(rooms: Sequence[Room], is_clear: np.ndarray) -> None:
    """Print what whole batches take with exact shapes and with covers alone, and how many edges covers prove."""
    whole, covers, proved = 0.0, 0.0, []
    for room in rooms:
        ask = partial(room.world.check_edges, "panda", room.q0, room.q1, tolerance=TOLERANCE, threads=1)
        exact, alone = best_times([ask, partial(ask, settle=False)], 1, 3)
        whole, covers = whole + exact, covers + alone
        proved.append(ask(settle=False).clear)
    share = np.concatenate(proved)[is_clear].mean()
    print(
        f"covers alone, in batches: {whole / covers:.2f} times as fast, {100 * share:.1f} % of clear edges proved"
    )


def print_line(name: str, t: np.ndarray) -> None:
    """Print a line of a table, times in microseconds."""
    values = [*np.percentile(t, (50, 90, 99)), t.mean(), t.max()] if len(t) else []
    print(f"{name:<26}" + "".join(f"{1e6 * value:10.1f}" for value in values))


def print_calls(robot: kc.Robot, n: int) -> None:
    """Print what one edge per call takes."""
    found: list[float] = []
    for room in read_rooms(robot, 0.2, n)[::8]:
        for k in range(0, len(room.q0), 8):
            ends = room.q0[k : k + 1], room.q1[k : k + 1]
            found += best_times([partial(room.world.check_edges, "panda", *ends, threads=1)], 1, 1)
    print(f"\n{'one edge of 0.2 rad per call':<26}")
    print_line("", np.array(found))


def print_configurations(robot: kc.Robot, n: int, peers: Sequence[PinocchioSampled | MujocoHulls]) -> None:
    """Print what configurations take in batches, uniform within limits, beside peers that are asked one by one."""
    rng, rooms = np.random.default_rng(16), read_rooms(robot, 0.2, 200)[::8]
    share, times = [], {name: [] for name in ("exact", "covers, with gap", *(peer.name for peer in peers))}
    for room in rooms:
        q, world = rng.uniform(robot.lower, robot.upper, size=(n, robot.dof)), room.world
        for name, settle in (("exact", True), ("covers, with gap", False)):
            ask = partial(world.check_configurations, "panda", q, settle=settle, threads=1)
            times[name] += best_times([ask], n, ROUNDS)
        share.append(world.check_configurations("panda", q, threads=1).free.mean())
        for peer in peers:
            question, some = peer.question(room.path.obstacles), q[:PEER_EDGES]
            job = partial(_ask_all, question, some)
            times[peer.name] += best_times([job], len(some), ROUNDS)
    print(f"\nconfigurations in batches of {n}, {len(rooms)} rooms, {100 * np.mean(share):.0f} % free")
    print(f"{'':<26}{'median':>10}{'90 %':>10}{'99 %':>10}{'mean':>10}{'worst':>10}   [us]")
    for name, some_times in times.items():
        print_line(name, np.array(some_times))
    print("pinocchio: coal's tree of boxes, exact meshes; mujoco: convex hulls of the meshes")


def _ask_all(question: Callable[[np.ndarray], bool], q: np.ndarray) -> list[bool]:
    return [question(one) for one in q]


def compare_with_truth(robot: kc.Robot, peer: PinocchioSampled | None, each: int) -> None:
    """Stop where an edge is answered otherwise than by `verify`, or a configuration otherwise than by the peer.

    The peer's models are made of our arrays. Where it disagrees, exact contacts of single pairs decide.
    """
    wrong, n_edges, n_states, peer_wrong = 0, 0, 0, 0
    rng = np.random.default_rng(17)
    for length in (0.2, 1.0):
        for room in read_rooms(robot, length, 2 * each * len(read_paths())):
            found = room.world.check_edges("panda", room.q0, room.q1, tolerance=TOLERANCE)
            asked = world_of(robot, room.path)
            for k in range(len(room.q0)):
                asked.move("panda", kc.JointTrajectory(robot, [0.0, 1.0], [room.q0[k], room.q1[k]]))
                report = asked.verify(tolerance=TOLERANCE, contacts="earliest", clearances=False, threads=1)
                wrong += report.verdict is not found.verdict[k] and not in_band(asked)
            n_edges += len(room.q0)
            if peer is None:
                continue
            q = np.concatenate(
                [room.q0, room.q1, rng.uniform(robot.lower, robot.upper, size=(8 * each, robot.dof))]
            )
            ours = room.world.check_configurations("panda", q).colliding
            ask = peer.question(room.path.obstacles)
            for k in np.flatnonzero(ours != [ask(one) for one in q]).tolist():
                asked.move("panda", q[k])
                is_ours_wrong = bool(touching(asked)) != bool(ours[k])
                wrong, peer_wrong = wrong + is_ours_wrong, peer_wrong + (not is_ours_wrong)
            n_states += len(q)
    print(f"\n{n_edges} edges beside verify, {n_states} configurations beside pinocchio: {wrong} wrong")
    print(f"pinocchio wrong by exact contacts: {peer_wrong}")
    assert wrong == 0


def touching(world: kc.World) -> list[tuple[str, str]]:
    """Return the pairs of the arm that touch, without its base among things at rest."""
    return [pair for pair in world.collisions(0.0) if not {"panda/panda_link0"} & set(pair) or is_own(pair)]


def is_own(pair: Sequence[str]) -> bool:
    return all(name.startswith("panda/") for name in pair)


def in_band(world: kc.World) -> bool:
    """Return whether the minimum distance is so close to the margin that an edge may get either verdict."""
    report = world.verify(tolerance=1e-5, threads=1)
    left = min(pair.clearance_lower - pair.margin for pair in report.pairs)
    return 0.0 <= left <= TOLERANCE


def main(options: Sequence[str] = ()) -> None:
    """Print all tables."""
    robot = kc.read_robot(URDF, SRDF)
    part = 10 if "--quick" in options else 1
    peers: list[PinocchioSampled | MujocoHulls] = []
    for name, make in (("pinocchio", lambda: PinocchioSampled(Kinematics())), ("mujoco", MujocoHulls)):
        try:
            peers.append(make())
        except ImportError:
            print(f"{name} is not installed")
    peer = peers[0] if peers and isinstance(peers[0], PinocchioSampled) else None
    if "--truth" in options:
        compare_with_truth(robot, peer, int(options[list(options).index("--truth") + 1]))
        return
    print_edges(robot, 0.2, EDGES // part, peer)
    print_edges(robot, 1.0, EDGES // (5 * part), peer)
    print_calls(robot, EDGES // part)
    print_configurations(robot, CONFIGURATIONS // part, peers)


if __name__ == "__main__":
    main()
