"""Contact that stays: edges through triangles while both move a little."""

from __future__ import annotations

import numpy as np
import pytest

from keepclear.robot.pairs.lasting_contact import crossing_slack

TRIANGLE = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])


def crosses(ends: np.ndarray, triangle: np.ndarray) -> bool:
    """Whether a segment passes through a triangle, by the signs of volumes."""

    def volume(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> float:
        return float(np.linalg.det(np.stack([b - a, c - a, d - a])))

    p, q = ends
    a, b, c = triangle
    if volume(a, b, c, p) * volume(a, b, c, q) > 0.0:
        return False
    signs = [volume(p, q, a, b), volume(p, q, b, c), volume(p, q, c, a)]
    return all(sign >= 0.0 for sign in signs) or all(sign <= 0.0 for sign in signs)


def test_an_edge_through_the_middle_may_move_as_far_as_it_is_from_the_sides() -> None:
    r = 1.0 - np.sqrt(0.5)  # of the circle inside of the triangle
    ends = np.array(
        [[[r, r, -1.0], [r, r, 0.5]], [[r, r, -0.1], [r, r, 1.0]], [[0.9, 0.9, -1.0], [0.9, 0.9, 1.0]]]
    )
    slack = crossing_slack(ends, np.repeat(TRIANGLE[None], 3, axis=0))
    assert slack[0] == pytest.approx(r, abs=1e-6)
    assert slack[1] == pytest.approx(0.1, abs=1e-6)
    assert slack[2] < 0.0


@pytest.mark.parametrize("seed", range(20))
def test_edges_that_move_by_less_still_cross(seed: int) -> None:
    rng = np.random.default_rng(seed)
    triangles, ends = rng.normal(size=(200, 3, 3)), rng.normal(size=(200, 2, 3))
    slack = crossing_slack(ends, triangles)
    found = np.flatnonzero(slack > 0.0)
    assert len(found)
    for k in found:
        for _ in range(20):
            step = rng.normal(size=(2, 3))
            step *= slack[k] / np.linalg.norm(step, axis=1)[:, None]
            assert crosses(ends[k] + step, triangles[k])
    assert [k for k in np.flatnonzero(slack < 0.0) if crosses(ends[k], triangles[k])] == []
