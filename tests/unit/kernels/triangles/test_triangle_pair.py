"""The float64 test of two triangles: what it is certain of is true, also for corners that are a little elsewhere."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.kernels.triangles.common_points import common_points, places

from keepclear.kernels.triangles.triangle_pair import meet

FLOOR = np.array([[0.0, 0, 0], [4, 0, 0], [0, 4, 0]])


def ask(a: np.ndarray, b: np.ndarray, delta: float = 0.0) -> int:
    return int(meet(*map(tuple, a.tolist()), *map(tuple, b.tolist()), delta))


@pytest.mark.parametrize(
    ("b", "answer"),
    [
        ([[1, 1, -1], [1, 1, 1], [9, 8, 1]], 1),
        ([[1, 1, -1], [1.5, 1, -1], [1, 1, 3]], 1),  # through the middle
        ([[-9, 1, -9], [9, 1, -9], [0, 1, 90]], 1),  # around the middle
        ([[1, 1, 1], [1, 1, 2], [2, 1, 1]], -1),  # above the plane
        ([[-1, -1, -1], [-1, -1, 1], [-2, -1, 1]], -1),  # its plane misses
        ([[5, 5, -1], [6, 5, 1], [5, 6, 1]], -1),  # planes reach through, the triangles miss each other
        ([[5, 5, 0], [6, 5, 0], [5, 6, 0]], -1),  # beside it in one plane
        ([[3, 3, 0], [4, 3, 0], [3, 4, 0]], -1),  # beside its long edge only
        ([[9, 9, 0], [9, 9, 0], [9, 9, 0]], -1),  # a point far away
        ([[5, 0, 0], [6, 0, 0], [7, 0, 0]], -1),  # a segment far away
        ([[1, 1, 0], [1, 1, 1], [2, 1, 1]], 0),  # touching is never certain
        ([[1, 1, 0], [2, 1, 0], [1, 2, 0]], 0),  # nor is overlap in one plane
        ([[2, 2, -1], [2, 2, 1], [3, 3, 0.5]], 0),  # edge on edge
        ([[1, 1, -1], [1, 1, 1], [1, 1, 2]], 0),  # a segment
        ([[1, 1, 1e-17], [1, 1, 1], [2, 1, 1]], 0),
        ([[1, 1, 1e-300], [1, 1, 1], [2, 1, 1]], 0),
    ],
)
def test_beside_a_triangle_on_the_floor(b: list[list[float]], answer: int) -> None:
    other = np.array(b, dtype=np.float64)
    for i in range(3):
        for j in range(3):
            turned_a, turned_b = np.roll(FLOOR, i, axis=0), np.roll(other, j, axis=0)
            assert ask(turned_a, turned_b) == answer
            assert ask(turned_b[::-1], turned_a) == answer


def test_corners_that_may_be_elsewhere() -> None:
    """Decisions end where corners moved by delta could change them, and not a hundred times earlier."""
    above, through = [[1.0, 1, 1], [1, 1, 2], [2, 1, 1]], [[1.0, 1, -1], [1, 1, 1], [2, 1.5, 1]]
    for b, sure in ((above, -1), (through, 1)):
        assert ask(FLOOR, np.array(b), 0.01) == sure
        assert ask(np.array(b), FLOOR, 0.01) == sure
        assert ask(FLOOR, np.array(b), 1.0) == 0
        assert ask(np.array(b), FLOOR, 1.0) == 0


@pytest.mark.parametrize("delta", [0.0, 1e-15, 1e-9, 1e-2])
def test_certain_is_true_where_corners_are_moved(delta: float) -> None:
    """Pairs about as far from touching as corners are moved: b is the truth, c is what the kernel sees."""
    rng = np.random.default_rng(11)
    found = set()
    for k in range(45):
        a, b = rng.normal(size=(2, 3, 3))
        if k % 3 == 0:
            b[0] = rng.dirichlet(np.ones(3)) @ a  # a corner on the face
        elif k % 3 == 1:
            b[0], b[1] = (a[0] + a[1]) / 2 + b[0], (a[0] + a[1]) / 2 - b[0]  # edge on edge
        b += rng.normal(size=(3, 3)) * max(delta, 1e-16) * 10.0 ** rng.uniform(-1, 2)
        way = rng.normal(size=(3, 3))
        c = b + 0.9 * delta * way / np.linalg.norm(way, axis=1, keepdims=True)
        c = np.where(np.abs(c - b) > 0.55 * delta, b, c)  # rounding may have moved them farther
        answer = ask(a, c, delta)
        found.add(answer)
        if answer:
            assert bool(common_points(places(a), places(b))) == (answer > 0)
    assert found == {-1, 0, 1}
