"""Random small robots: no sampled configuration contradicts what was proved about a pair of links."""

from pathlib import Path

import numpy as np
import pytest
from tests.oracles.joint_samples import corners_and_points, gaps
from tests.oracles.robot_kinematics import link_pose
from tests.oracles.robot_random import random_arm, words
from tests.oracles.robot_urdf import read_arm

import keepclear as kc

TOLERANCE = 1e-3


@pytest.mark.parametrize("seed", range(24))
def test_samples_never_contradict_proofs(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(1000 + seed)
    path, arm = random_arm(rng, tmp_path, "r", int(rng.integers(2, 6)))
    robot = kc.read_robot(path)
    middle, width = rng.normal(size=robot.dof), rng.choice([0.05, 0.4, 1.5], size=robot.dof)
    limits = np.column_stack([middle - width, middle + width])
    proved = robot.prove_pairs(limits, tolerance=TOLERANCE, budget=3000)
    q = corners_and_points(rng, limits, 150)
    assert len(proved) == len(arm.solid_links) * (len(arm.solid_links) - 1) // 2
    for pair in proved:
        found = np.array(list(gaps(arm, robot, pair.a, pair.b, q)))
        if pair.kind is kc.Reach.NEVER:
            assert (found > 0.0).all(), pair
        if pair.kind is kc.Reach.ALWAYS:
            assert (found <= (TOLERANCE if pair.is_within else 0.0)).all(), pair
        assert (pair.volume_left > 0.0) == (pair.kind is kc.Reach.UNDECIDED)
        for q_one, touches in ((pair.q_apart, False), (pair.q_touching, True)):
            if q_one is None:
                continue
            assert (q_one >= limits[:, 0]).all()
            assert (q_one <= limits[:, 1]).all()
            (gap,) = gaps(arm, robot, pair.a, pair.b, q_one[None])
            assert gap > 0.0 if not touches else gap <= (TOLERANCE if pair.is_within else 0.0), (pair, gap)
        if pair.kind is kc.Reach.SOMETIMES:
            assert pair.q_apart is not None
            assert pair.q_touching is not None


PLANTED = 2e-3  # least distance that is planted, or depth [m]


def least_distance(rng: np.random.Generator, text: str, link: str, limits: np.ndarray) -> float:
    """The least distance of the origins of the root and a link over a box of joint values, sampled and refined."""
    arm = read_arm(text, Path)

    def distances(q: np.ndarray) -> np.ndarray:
        return np.linalg.norm(np.asarray(link_pose(arm, link, q), float)[:, :3, 3], axis=1)

    q = corners_and_points(rng, limits, 4000)
    found = distances(q)
    best = q[np.argsort(found)[:20]]
    width = limits[:, 1] - limits[:, 0]
    for k in range(45):
        steps = 0.3 * 0.7**k * width * rng.uniform(-1, 1, (len(best), 20, len(width)))
        around = np.clip(best[:, None] + steps, limits[:, 0], limits[:, 1])
        around[:, 0] = best
        found = distances(around.reshape(-1, len(width))).reshape(len(best), 20)
        best = around[np.arange(len(best)), found.argmin(axis=1)]
    return float(found.min())


@pytest.mark.parametrize("planted", [PLANTED, -PLANTED])
@pytest.mark.parametrize("seed", range(10))
def test_planted_distances_are_decided(seed: int, planted: float, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 5))
    joints = ""
    for k in range(n):
        kind = "revolute" if rng.random() < 0.8 else "prismatic"
        ends = rng.uniform(-1.5, 0.0), rng.uniform(0.0, 1.5)
        low, high = (0.2 * ends[0], 0.2 * ends[1]) if kind == "prismatic" else ends
        joints += (
            f'<joint name="j{k}" type="{kind}"><parent link="l{k}"/><child link="l{k + 1}"/>'
            f'<origin xyz="{words(rng.uniform(-0.4, 0.4, 3))}" rpy="{words(rng.uniform(-3, 3, 3))}"/>'
            f'<axis xyz="{words(rng.normal(size=3))}"/><limit lower="{low}" upper="{high}"/></joint>'
        )
    # The last joint would only turn the last ball: it is moved away from its axis.
    joints += (
        f'<joint name="end" type="fixed"><parent link="l{n}"/><child link="end"/>'
        f'<origin xyz="{words(rng.uniform(-0.3, 0.3, 3))}"/></joint>'
    )
    names = "".join(f'<link name="l{k}"/>' for k in range(1, n + 1))
    bare = f'<robot name="r"><link name="l0"/>{names}<link name="end"/>{joints}</robot>'
    (tmp_path / "bare.urdf").write_text(bare)
    robot = kc.read_robot(tmp_path / "bare.urdf")
    limits = np.column_stack([robot.lower, robot.upper])
    least = least_distance(rng, bare, "end", limits)
    if least < 0.02:
        pytest.skip("the origins come too close to each other for two balls")
    ball = f'<collision><geometry><sphere radius="{(least - planted) / 2!r}"/></geometry></collision>'
    for name in ("l0", "end"):
        bare = bare.replace(f'<link name="{name}"/>', f'<link name="{name}">{ball}</link>')
    (tmp_path / "r.urdf").write_text(bare)
    pair = kc.read_robot(tmp_path / "r.urdf").prove_pairs()["l0", "end"]
    assert pair.kind is (kc.Reach.NEVER if planted > 0.0 else kc.Reach.SOMETIMES)
