"""Contact of moving points as exact arithmetic decides it, in families that are made to be hard."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from tests.oracles.moving_points import first_contact
from tests.oracles.point_families import FAMILIES, met, on_a_grid, scattered

import keepclear as kc
from keepclear.query.points.results import PointContact

KINDS = {"vertex_face": kc.vertex_face_contact, "edge_edge": kc.edge_edge_contact}
ULP = 2.0**-52


def ask(kind: str, points: np.ndarray, **options: object) -> PointContact:
    if points.shape[2] == 2:
        return KINDS[kind](points[:, :, 0], points[:, :, 1], **options)
    return KINDS[kind](control=points, **options)


def check(kind: str, points: np.ndarray) -> int:
    """Compare with the oracle, and return how many queries collide."""
    exact = ask(kind, points)
    quick = ask(kind, points, exact=False)
    assert not exact.undecided.any()
    hits = 0
    for i, control in enumerate(points):
        truth = first_contact(control, kind == "edge_edge")
        assert exact.colliding[i] == (truth is not None), (i, control.tolist())
        if truth is None:
            assert np.isnan(exact.time[i])
            assert exact.t_lo[i] == exact.t_hi[i] == 1.0
            continue
        hits += 1
        t = float(truth.mid())
        assert exact.t_lo[i] <= t + ULP * t
        assert t <= exact.t_hi[i] + ULP * t
        assert quick.colliding[i]
        assert quick.t_lo[i] <= t + ULP * t
    return hits


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("family", FAMILIES)
def test_straight_paths_are_decided_as_by_exact_arithmetic(family: str, kind: str) -> None:
    rng = np.random.default_rng([len(family), len(kind), 1])
    check(kind, FAMILIES[family](rng, 60, 1))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("family", [name for name in FAMILIES if name not in ("in_a_plane", "of_all_sizes")])
def test_cubic_paths_are_decided_as_by_exact_arithmetic(family: str, kind: str) -> None:
    rng = np.random.default_rng([len(family), len(kind), 3])
    check(kind, FAMILIES[family](rng, 8, 3))


@pytest.mark.parametrize("kind", KINDS)
def test_planted_contacts_are_found(kind: str) -> None:
    rng = np.random.default_rng(7)
    assert check(kind, met(rng, 50, 1, kind == "edge_edge")) > 25
    assert check(kind, met(rng, 10, 3, kind == "edge_edge")) > 5


@pytest.mark.parametrize("kind", KINDS)
def test_order_of_corners_and_direction_of_axes_do_not_matter(kind: str) -> None:
    rng = np.random.default_rng(11)
    points = np.concatenate([on_a_grid(rng, 150, 1), scattered(rng, 150, 1)])
    answer = ask(kind, points)
    orders = (
        [[0, 2, 3, 1], [0, 3, 2, 1]] if kind == "vertex_face" else [[2, 3, 0, 1], [1, 0, 2, 3], [0, 1, 3, 2]]
    )
    for order, axes in product(orders, ([1, 2, 0], [0, 2, 1])):
        other = ask(kind, -points[:, order][..., axes])
        assert np.array_equal(answer.colliding, other.colliding)
        hit = answer.colliding
        assert (np.maximum(answer.t_lo, other.t_lo) <= np.minimum(answer.t_hi, other.t_hi) + ULP)[hit].all()


@pytest.mark.parametrize("kind", KINDS)
def test_time_may_run_backwards(kind: str) -> None:
    rng = np.random.default_rng(12)
    for d in (1, 3):
        points = on_a_grid(rng, 60, d)
        forth, back = ask(kind, points), ask(kind, points[:, :, ::-1])
        assert np.array_equal(forth.colliding, back.colliding)
        assert (forth.t_lo + back.t_lo <= 1.0 + ULP)[forth.colliding].all()


@pytest.mark.parametrize("kind", KINDS)
def test_a_straight_path_is_also_a_cubic_one(kind: str) -> None:
    points = on_a_grid(np.random.default_rng(13), 60, 1) * 3.0
    cubic = np.stack(
        [points[:, :, 0] + k * (points[:, :, 1] - points[:, :, 0]) / 3.0 for k in range(4)], axis=2
    )
    straight, raised = ask(kind, points), ask(kind, cubic)
    assert np.array_equal(straight.colliding, raised.colliding)
    hit = straight.colliding
    assert (np.maximum(straight.t_lo, raised.t_lo) <= np.minimum(straight.t_hi, raised.t_hi) + ULP)[hit].all()


def test_threads_do_not_change_answers() -> None:
    points = scattered(np.random.default_rng(14), 101, 1)
    assert ask("edge_edge", points, threads=3) == ask("edge_edge", points)


def distances(kind: str, points: np.ndarray, times: np.ndarray) -> np.ndarray:
    """The distance at each of these instants: from the origin to the nearest of a polygon's edges, or to its inside."""
    t = times[:, None, None]
    basis = (
        [1 - t, t]
        if points.shape[1] == 2
        else [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3]
    )
    x = sum(b * points[None, :, j] for j, b in enumerate(basis))
    pairs = [(0, 2), (1, 2), (1, 3), (0, 3)] if kind == "edge_edge" else [(1, 0), (2, 0), (3, 0)]
    corners = [x[:, i] - x[:, j] for i, j in pairs]
    normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
    found, inside = [], np.ones(len(times), bool)
    for p, q in zip(corners, corners[1:] + corners[:1], strict=True):
        share = np.clip(-np.sum(p * (q - p), axis=1) / np.sum((q - p) ** 2, axis=1), 0.0, 1.0)
        found.append(np.linalg.norm(p + share[:, None] * (q - p), axis=1))
        inside &= np.sum(np.cross(p, q) * normal, axis=1) >= 0.0
    height = np.abs(np.sum(corners[0] * normal, axis=1)) / np.linalg.norm(normal, axis=1)
    return np.where(inside, height, np.min(found, axis=0))


@pytest.mark.parametrize("d", [1, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_a_margin_is_kept_and_not_exceeded(kind: str, d: int) -> None:
    points = scattered(np.random.default_rng([15, d]), 100, d)
    margin, tolerance = 0.1, 1e-4
    answer = ask(kind, points, margin=margin, tolerance=tolerance)
    assert 20 < answer.colliding.sum() < 80
    assert not answer.undecided.any()
    times = np.linspace(0.0, 1.0, 1001)
    for i, control in enumerate(points):
        near = times[distances(kind, control, times) <= margin]
        if near.size:
            assert answer.colliding[i]
            assert answer.t_lo[i] <= near[0]
        if answer.colliding[i]:
            now = distances(kind, control, answer.time[[i]])[0]
            assert now <= margin + tolerance
            assert now >= margin or answer.time[i] == 0.0


@pytest.mark.parametrize("kind", KINDS)
def test_a_larger_margin_is_reached_earlier(kind: str) -> None:
    points = scattered(np.random.default_rng(16), 200, 1)
    answers = [ask(kind, points, margin=margin) for margin in (0.0, 1e-9, 0.01, 0.1)]
    for small, large in pairwise(answers):
        assert (large.colliding | ~small.colliding).all()
        hit = small.colliding
        assert (large.t_lo <= small.t_hi)[hit].all()
