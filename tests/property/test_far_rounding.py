"""Products of poses whose lengths cancel, planted within rounding of margins, for each row of the table in the docs."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from tests.oracles import far_points as exact
from tests.oracles.far_campaign import findings, main
from tests.oracles.far_cases import Case
from tests.oracles.far_robots import Arm, floats
from tests.oracles.poses import random_pose
from tests.unit.test_architecture import defined_in, found_path, quoted

import keepclear as kc
from keepclear.crowd.parts.shapes import _reach
from keepclear.kernels.tables.motion import motion_numbers
from keepclear.motion.motion import head_of, shifted_motion
from keepclear.robot.pairs.element_pair import ElementPair

PROJECT = Path(__file__).parents[2]
PAGE = PROJECT / "docs" / "theory" / "rounding.md"
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


CHUNK = 5


def chunks(seeds: int) -> pytest.MarkDecorator:
    """Runs a test once for each five of its seeds, so that a part of it is fast."""
    return pytest.mark.parametrize("first", range(0, seeds, CHUNK))


def faults(family: str, first: int, folder: Path) -> list[str]:
    found = [f for seed in range(first, first + CHUNK) for f in findings([family], seed, folder)]
    assert len(found) >= CHUNK * 0.8
    return [f"{f.call} at {f.scale:.3g} m: {f.fault}" for f in found if f.fault]


@chunks(80)
def test_parts(first: int, tmp_path: Path) -> None:
    assert faults("parts", first, tmp_path) == []


@chunks(100)
def test_passing(first: int, tmp_path: Path) -> None:
    assert faults("passing", first, tmp_path) == []


@chunks(40)
def test_groups(first: int, tmp_path: Path) -> None:
    assert faults("groups", first, tmp_path) == []


@chunks(30)
def test_custom(first: int, tmp_path: Path) -> None:
    assert faults("custom", first, tmp_path) == []


@chunks(60)
def test_chains(first: int, tmp_path: Path) -> None:
    assert faults("chains", first, tmp_path) == []


@chunks(40)
def test_links(first: int, tmp_path: Path) -> None:
    assert faults("links", first, tmp_path) == []


@chunks(60)
def test_held(first: int, tmp_path: Path) -> None:
    assert faults("held", first, tmp_path) == []


def test_joint_boxes(tmp_path: Path) -> None:
    worst = 0.0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        case = Case(rng)
        base = '<collision><geometry><sphere radius="0.1"/></geometry></collision>'
        arm = Arm(case, tmp_path, exact.thing("sphere", 0.1), 0.1, base)
        arm.X_WB = np.eye(4)
        robot, last = arm.robot, len(arm.joints)
        columns, limits = np.arange(len(arm.q)), np.stack([-np.abs(arm.q), np.abs(arm.q)])
        a, b = robot.links[0].elements[0], robot.links[last].elements[0]
        pair = ElementPair(robot.kinematics, 0, a, last, b, columns, limits)
        true = arm.link(arm.q)
        off = [
            float(exact.Fraction(true[i][3] - exact.fixed(pair.poses(arm.q[None])[0, i, 3]), exact.ONE))
            for i in range(3)
        ]
        assert np.linalg.norm(off) <= 0.5 * pair.slip
        worst = max(worst, float(np.linalg.norm(off)) / pair.slip)
    assert worst > 1e-4  # the bound is one of rounding, and not merely large


def test_reach_of_members() -> None:
    far = np.array([[1e6, 0.0, 0.0], [1e6 + 1.0, 0.0, 0.0], [1e6, 1.0, 0.0], [1e6, 0.0, 1.0]])
    for seed in range(50):
        X = random_pose(np.random.default_rng(seed), 0.0)
        X[:3, 3] = -X[:3, :3] @ far[0]
        true = exact.apply(exact.exact_map(X), [tuple(exact.fixed(v) for v in p) for p in far.tolist()])
        square = max(sum(exact.Fraction(v, exact.ONE) ** 2 for v in p) for p in true)
        assert exact.Fraction(_reach(kc.Convex(far), X)) ** 2 >= square


def test_places_of_products_are_those_of_their_terms() -> None:
    X_WO, X_OP = np.eye(4), np.eye(4)
    X_WO[0, 3], X_OP[0, 3] = 1e6, -1e6
    given, moving = kc.Fixed(X_WO), kc.PoseTrajectory([0, 1], [X_WO, X_WO], "screw")
    for motion in (given, moving):
        head_of(motion)
        shifted = shifted_motion(motion, X_OP, 1.0)
        assert np.linalg.norm(shifted.pose(0.0)[:3, 3]) == 0.0
        assert head_of(shifted).place >= 3e6
        assert (
            motion_numbers(shifted._packed).place == head_of(shifted).place
        )  # kernels and queries read the same
    assert head_of(given).place < 1.1e6
    turned = np.array([X_WO, X_WO @ np.diag([-1.0, -1.0, 1.0, 1.0])])
    turned[1, :3, :3] = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    twice = shifted_motion(shifted_motion(kc.PoseTrajectory([0, 1], turned, "linear"), X_OP, 1.0), X_OP, 1.0)
    assert isinstance(twice, kc.PoseTrajectory)
    assert head_of(twice).place >= 3e6


def test_oracle_maps_agree_with_float_ones(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    case = Case(rng)
    case.scale = 1.0
    arm = Arm(case, tmp_path, exact.thing("box", 0.1), 0.1)
    assert np.allclose(floats(arm.link(arm.q)), arm.robot.link_poses(arm.q, arm.X_WB)[-1], atol=1e-13)
    A = arm.link(arm.q)
    assert np.allclose(floats(exact.product(A, exact.inverse(A))), np.eye(4), atol=1e-50)


def test_the_campaign_ends_without_a_violation(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--cases", "200", "--seed", "1"]) == 0
    assert "0 violations" in capsys.readouterr().out


def rows() -> list[list[str]]:
    """The cells of the rows of the table."""
    lines = [line for line in PAGE.read_text().splitlines() if line.startswith("| ")]
    return [re.split(r"(?<!\\)\|", line)[1:-1] for line in lines[2:]]


def test_rows_name_functions_and_tests_that_exist() -> None:
    found = rows()
    assert len(found) >= 20
    for product, where, _, tests in found:
        name, module = quoted(where)
        path = found_path(module)
        assert path is not None, product
        assert name in defined_in(path), f"{product}: {name} is not in {module}"
        for test in quoted(tests):
            assert test in globals(), f"{product}: there is no {test}"
