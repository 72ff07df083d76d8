"""Pairs of links over all joint values: proved, beside 10 000 random poses, as setup assistants take."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

import keepclear as kc

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
ROBOTS = ("panda", "fanuc")
ROUNDS = 3
POSES, ALWAYS = 10_000, 0.95  # what setup assistants sample by default, and the share that they call "always"


def sampled_kinds(robot: kc.Robot, limits: np.ndarray) -> dict[frozenset[str], str]:
    """Return what random poses say: never seen, in nearly all poses, or sometimes; contacts by our exact meshes."""
    q = np.random.default_rng(7).uniform(limits[:, 0], limits[:, 1], (POSES, robot.dof))
    X = robot.link_poses(q)
    shaped = [index for index, link in enumerate(robot.links) if link.elements]
    found = {}
    for n, i in enumerate(shaped):
        for j in shaped[n + 1 :]:
            touched = np.zeros(POSES, bool)
            for a in robot.links[i].elements:
                for b in robot.links[j].elements:
                    touched |= kc.collide(a.shape, X[:, i] @ a.X_LG, b.shape, X[:, j] @ b.X_LG).colliding
            share = touched.mean()
            kind = "NEVER" if share == 0.0 else "ALWAYS" if share >= ALWAYS else "SOMETIMES"
            found[frozenset((robot.links[i].name, robot.links[j].name))] = kind
    return found


def main() -> None:
    """Print a line for each robot, and the pairs about which samples are wrong."""
    if not DATA.is_dir():
        print("\npairs: the folder shared/data beside the project is absent")
        return
    print(
        f"\nPairs of links over all joint values, tolerance 0.1 mm, beside {POSES} random poses\n"
        f"{'':<8}{'pairs':>6}{'NEVER':>7}{'ALWAYS':>8}{'SOMETIMES':>11}{'UNDECIDED':>11}{'rigid':>7}{'proved in':>11}"
        f"{'sampled in':>12}{'samples wrong':>15}"
    )
    lines = []
    for name in ROBOTS:
        folder = DATA / name
        robot = kc.read_robot(folder / f"{name}.urdf", srdf=folder / f"{name}.srdf")
        proved, best = robot.prove_pairs(), np.inf
        for _ in range(ROUNDS):
            start = time.process_time()
            proved = robot.prove_pairs()
            best = min(best, time.process_time() - start)
        start = time.process_time()
        guessed = sampled_kinds(robot, proved.limits)
        sampling = time.process_time() - start
        wrong = [pair for pair in proved if guessed[frozenset((pair.a, pair.b))] != pair.kind.value]
        counts = [len(proved.of_kind(kind)) for kind in kc.Reach]
        print(
            f"{name:<8}{len(proved):>6}{counts[0]:>7}{counts[1]:>8}{counts[2]:>11}{counts[3]:>11}"
            f"{sum(pair.is_rigid for pair in proved):>7}{best:>9.2f} s{sampling:>10.2f} s{len(wrong):>15}"
        )
        lines += [f"  {name}: {pair}; samples say {guessed[frozenset((pair.a, pair.b))]}" for pair in wrong]
        lines += [
            f'  {name}: the SRDF disables {pair.a} - {pair.b} as "{allowed.detail}"; hulls overlap by '
            f"{1e3 * pair.hull_depth:.0f} mm"
            for allowed, pair in proved.wrongly_allowed()
        ]
    print("\n".join(lines))
