"""First contact of a vertex and a triangle, or of two edges, by hand, and with paths that are known only so well."""

from __future__ import annotations

import math

import numpy as np
import pytest

from keepclear.kernels.advance import features, points
from keepclear.kernels.advance.features import (
    BRACKET,
    CONTACT,
    FREE,
    NEAR,
    OPEN,
    SCRATCH,
    approach,
    bring_to_one,
    meet,
)
from keepclear.kernels.advance.points import EDGE_EDGE, ROW, VERTEX_FACE

FACE = np.array([[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]])


def polygon(corners: np.ndarray) -> tuple[np.ndarray, float]:
    """Scratch with the paths of corners (m, d + 1, 3), and the factor that brought them to 1."""
    W = np.full(SCRATCH, np.nan)
    m, n, _ = corners.shape
    W[: 3 * m * n] = corners.transpose(0, 2, 1).reshape(-1)
    return W, bring_to_one(W, m, n - 1)


def falling(height: float, depth: float, x: float = 1.0, y: float = 1.0, d: int = 1) -> np.ndarray:
    """The corners of the face seen from a vertex that falls to z = -depth."""
    z = np.linspace(height, -depth, d + 1)
    vertex = np.stack([np.full(d + 1, x), np.full(d + 1, y), z], axis=1)
    return FACE[:, None] - vertex[None]


@pytest.mark.parametrize("d", [1, 3])
def test_a_vertex_that_falls_through_a_face_meets_it(d: int) -> None:
    W, factor = polygon(falling(3.0, 1.0, d=d))
    assert meet(W, 3, d, 1e-6 * factor, 0.0, 1.0, 100) == CONTACT
    t_lo, t_hi = W[BRACKET], W[BRACKET + 1]
    assert t_lo <= 0.75 <= t_hi
    assert 4.0 * (t_hi - t_lo) <= 1e-6


def test_a_vertex_that_falls_beside_a_face_is_free() -> None:
    for x, y in ((-1e-9, 1.0), (1.0, -1e-9), (2.0, 2.0 + 1e-9)):
        W, factor = polygon(falling(3.0, 1.0, x, y))
        assert meet(W, 3, 1, 1e-6 * factor, 0.0, 1.0, 100) == FREE


def test_what_touches_exactly_stays_open_until_the_tolerance_decides() -> None:
    for corners in (falling(3.0, 0.0), falling(0.0, 3.0), falling(3.0, 1.0, 0.0, 1.0), falling(0.0, 0.0)):
        W, factor = polygon(corners)
        assert meet(W, 3, 1, 1e-6 * factor, 0.0, 1.0, 100) == NEAR
        assert meet(W, 3, 1, 0.0, 0.0, 1.0, 100) == OPEN


def test_a_small_budget_ends_the_search_where_it_is() -> None:
    W, _ = polygon(falling(3.0, 0.0))
    assert meet(W, 3, 1, 0.0, 0.0, 1.0, 2) == OPEN
    assert W[BRACKET + 1] == 1.0
    assert W[features.STEPS] == 2


def test_paths_that_may_be_off_are_free_only_if_all_of_them_are() -> None:
    W, factor = polygon(falling(3.0, -0.01))  # ends a centimetre above the face
    assert meet(W, 3, 1, 0.008 * factor, 0.002 * factor, 1.0, 100) == FREE
    assert meet(W, 3, 1, 0.044 * factor, 0.011 * factor, 1.0, 100) == NEAR
    assert W[BRACKET] <= 1.0
    assert 3.0 - 2.99 * W[BRACKET] <= 0.044


def test_contact_is_proved_for_all_paths_within_the_error() -> None:
    W, factor = polygon(falling(3.0, 1.0))
    assert meet(W, 3, 1, 0.04 * factor, 0.01 * factor, 1.0, 100) == CONTACT
    # A vertex that is up to 1 cm higher or lower meets the face within this bracket.
    assert W[BRACKET] <= (3.0 - 0.01) / 4.0
    assert W[BRACKET + 1] >= (3.0 + 0.01) / 4.0


@pytest.mark.parametrize("seed", range(6))
def test_errors_never_hide_a_contact(seed: int) -> None:
    rng = np.random.default_rng(seed)
    corners = rng.uniform(-1.0, 1.0, (3 + seed % 2, 4, 3))
    if seed % 2:
        corners[3] = corners[0] + corners[2] - corners[1]
    error = 0.02
    W, factor = polygon(corners)
    loose = meet(W, len(corners), 3, 0.1 * factor, error * factor, 1.0, 200)
    begin = W[BRACKET]
    for _ in range(8):
        shift = rng.normal(size=3)
        moved = corners + error * shift / np.linalg.norm(shift)
        V, other = polygon(moved)
        if meet(V, len(corners), 3, 1e-9 * other, 0.0, 1.0, 200) == CONTACT:
            assert loose != FREE
            assert begin <= V[BRACKET + 1]


@pytest.mark.parametrize("d", [1, 3])
def test_a_margin_is_reached_above_a_face_and_around_its_rim(d: int) -> None:
    for x, y, height in ((1.0, 1.0, 0.5), (-0.3, 1.0, 0.4), (-0.3, -0.4, 0.0)):
        W, factor = polygon(falling(3.0, 1.0, x, y, d))
        how = approach(W, 3, d, 1e-6 * factor, 0.5 * factor, 0.0, 100)
        assert how in (CONTACT, NEAR)
        assert 3.0 - 4.0 * W[BRACKET] == pytest.approx(height, abs=2e-3)
        z = 3.0 - 4.0 * W[BRACKET]
        assert math.hypot(min(x, 0.0), min(y, 0.0), z) <= 0.5 + 1e-6
    W, factor = polygon(falling(3.0, 1.0, -0.31, -0.4, d))
    assert approach(W, 3, d, 1e-6 * factor, 0.5 * factor, 0.0, 100) == FREE


def test_rows_of_a_batch_hold_how_each_query_ended() -> None:
    start = np.array([[[1.0, 1.0, 2.0], *FACE], [[5.0, 5.0, 2.0], *FACE]])
    end = start.copy()
    end[:, 0, 2] = -2.0
    out = np.empty(2 * ROW)
    points.contact_many(
        start.reshape(-1), end.reshape(-1), VERTEX_FACE, 1, 1e-6, 0.0, 100, np.empty(SCRATCH), out
    )
    assert out[0] == CONTACT
    assert out[1] <= 0.5 <= out[2]
    assert out[4:7].tolist() == [FREE, 1.0, 1.0]


def test_numbers_too_large_to_subtract_are_left_open() -> None:
    start = np.full((1, 4, 3), 1.7e308)
    start[0, 0] = -1.7e308
    out = np.empty(ROW)
    with np.errstate(over="ignore"):  # where the kernel runs as plain Python
        points.contact_many(
            start.reshape(-1), start.reshape(-1), EDGE_EDGE, 1, 1e-6, 0.0, 100, np.empty(SCRATCH), out
        )
    assert out[:3].tolist() == [OPEN, 0.0, 1.0]
