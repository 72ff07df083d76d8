"""Random small robots: no sampled configuration contradicts what was proved about a pair of links."""

from pathlib import Path

import numpy as np
import pytest
from tests.oracles.joint_samples import corners_and_points, gaps
from tests.oracles.robot_random import random_arm

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
