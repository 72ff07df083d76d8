"""Casts as arrays: each is the first contact of its two-pose trajectories, to the last bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

import keepclear as kc
from keepclear.query.interval.first_contacts import FirstContacts

SHAPES: dict[str, Any] = {
    "sphere": kc.Sphere(0.15),
    "box": kc.Box([0.2, 0.3, 0.4]),
    "plate": kc.Box([1.0, 1.0, 0.001]),
    "capsule": kc.Capsule(0.05, 0.6),
    "cylinder": kc.Cylinder(0.2, 0.1),
    "ellipsoid": kc.Ellipsoid([0.1, 0.2, 0.3]),
    "hull": kc.Convex(np.random.default_rng(5).normal(size=(20, 3)) * 0.2),
    "far hull": kc.Convex(np.random.default_rng(6).normal(size=(8, 3)) * 0.1 + [2.0, 0.0, 0.0]),
}
TETRA = kc.Mesh(
    [[0.2, 0, 0], [-0.2, 0, 0], [0, 0.2, 0], [0, 0, 0.2]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
)
TURNS = (0.0, 1e-12, 1e-5, 0.3, 2.0, 3.1)


def poses(rng: np.random.Generator, n: int, center: Any, spread: float) -> np.ndarray:
    X = np.tile(np.eye(4), (n, 1, 1))
    X[:, :3, :3] = Rotation.random(n, random_state=rng).as_matrix()
    X[:, :3, 3] = np.asarray(center) + spread * rng.normal(size=(n, 3))
    return X


def ends(rng: np.random.Generator, n: int, center: Any) -> tuple[np.ndarray, np.ndarray]:
    """Poses on two sides of a centre, with turns of all sizes between them; some do not move at all."""
    X0 = poses(rng, n, center, 0.7)
    X1 = poses(rng, n, center, 0.7)
    axes = rng.normal(size=(n, 3))
    axes *= (rng.choice(TURNS, n) / np.linalg.norm(axes, axis=1))[:, None]
    X1[:, :3, :3] = Rotation.from_rotvec(axes).as_matrix() @ X0[:, :3, :3]
    still = rng.random(n) < 0.1
    X1[still] = X0[still]
    return X0, X1


def one_by_one(a: Any, A: Any, b: Any, B: Any, kind: str, n: int, **options: Any) -> list[kc.FirstContact]:
    """The slow, obvious way: a trajectory for each cast, and a call for each."""

    def motion(side: Any, k: int) -> Any:
        parts = [X if X.ndim == 2 else X[k] for X in (side if isinstance(side, tuple) else (side,))]
        return kc.Fixed(parts[0]) if len(parts) == 1 else kc.PoseTrajectory([0.0, 1.0], parts, kind)  # type: ignore[arg-type]

    margins = np.broadcast_to(options.pop("margin", 0.0), n).tolist()
    return [
        kc.first_contact(a, motion(A, k), b, motion(B, k), margin=margins[k], **options) for k in range(n)
    ]


def check(found: Any, expected: list[kc.FirstContact]) -> None:
    """All results and all arrays are equal, bit for bit."""
    assert isinstance(found, FirstContacts)
    assert len(found) == len(expected)
    assert found.verdict.tolist() == [k.verdict for k in expected]
    for name in ("time", "t_lo", "t_hi", "distance", "evaluations", "p_W", "normal_W"):
        assert np.array_equal(getattr(found, name), [getattr(k, name) for k in expected], equal_nan=True), (
            name
        )
    for name in ("X_WA", "X_WB"):
        nowhere = np.full((4, 4), np.nan)
        told = [nowhere if getattr(k, name) is None else getattr(k, name) for k in expected]
        assert np.array_equal(getattr(found, name), np.reshape(told, (-1, 4, 4)), equal_nan=True), name
    assert list(found) == expected


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    names=st.tuples(st.sampled_from(sorted(SHAPES)), st.sampled_from(sorted(SHAPES))),
    kind=st.sampled_from(["screw", "linear"]),
    far=st.sampled_from([0.0, 10.0, 1e4, 1e7]),
    rests=st.sampled_from(["", "a", "b", "each b"]),
)
def test_casts_are_first_contacts_of_trajectories(
    seed: int, names: tuple[str, str], kind: str, far: float, rests: str
) -> None:
    rng, n = np.random.default_rng(seed), 5
    center = far * np.array([0.6, -0.8, 0.3])
    A: Any = poses(rng, 1, center, 0.3)[0] if rests == "a" else ends(rng, n, center)
    B: Any = ends(rng, n, center)
    if rests.endswith("b"):
        B = poses(rng, n, center, 0.3)
        B = B if rests == "each b" else B[0]
    options = {"margin": rng.choice([0.0, 0.01, 0.2], n), "tolerance": 1e-4}
    a, b = (SHAPES[name] for name in names)
    found = kc.first_contact(a, A, b, B, interpolation=kind, **options)  # type: ignore[arg-type,call-overload]
    check(found, one_by_one(a, A, b, B, kind, n, **options))


@pytest.mark.parametrize("kind", ["screw", "linear"])
def test_a_cast_is_proved_by_dense_samples(kind: str) -> None:
    """Until `t_lo` no sample is in contact; at `time` the distance is within the tolerance."""
    rng, n = np.random.default_rng(12), 40
    a, b = SHAPES["box"], SHAPES["cylinder"]
    A, B = ends(rng, n, [0.0, 0.0, 0.0]), ends(rng, n, [0.0, 0.0, 0.0])
    found = kc.first_contact(a, A, b, B, interpolation=kind)
    assert {v.name for v in found.verdict} == {"CLEAR", "COLLIDING"}
    for k in range(n):
        motions = [kc.PoseTrajectory([0, 1], [X[0][k], X[1][k]], kind) for X in (A, B)]  # type: ignore[arg-type]
        times = np.linspace(0.0, found.t_lo[k], 100, endpoint=found.verdict[k] is kc.Verdict.CLEAR)
        if found.t_lo[k] > 0.0:
            assert (kc.distance(a, motions[0].pose(times), b, motions[1].pose(times)).upper > 0.0).all()
        if found.verdict[k] is kc.Verdict.COLLIDING:
            X = [motion.pose(found.time[k]) for motion in motions]
            assert kc.distance(a, X[0], b, X[1]).lower <= 1e-4


@pytest.mark.parametrize("threads", [2, 7, 64])
def test_threads_and_order_change_nothing(threads: int) -> None:
    rng, n = np.random.default_rng(3), 30
    A, B = ends(rng, n, [0.0, 0.0, 0.0]), ends(rng, n, [0.0, 0.0, 0.0])
    margin = rng.uniform(0.0, 0.1, n)
    a, b = SHAPES["hull"], SHAPES["capsule"]
    alone = kc.first_contact(a, A, b, B, margin=margin)
    assert kc.first_contact(a, A, b, B, margin=margin, threads=threads) == alone
    order = rng.permutation(n)
    mixed = kc.first_contact(
        a, (A[0][order], A[1][order]), b, (B[0][order], B[1][order]), margin=margin[order], threads=threads
    )
    assert list(mixed) == [alone[k] for k in order.tolist()]


@pytest.mark.parametrize(
    "options",
    [
        {"t0": 0.25},
        {"t1": 0.75},
        {"t0": -1.0, "t1": 3.0},
        {"t0": 0.5, "t1": 0.5},
        {"t0": 2.0, "t1": 3.0},
        {"budget": 1},
        {"budget": 3},
        {"time_tolerance": 1e-9},
        {"tolerance": 1e-9},
        {"method": "bisection", "tolerance": 0.01},
        {"method": "sampling", "samples": 7},
    ],
)
def test_every_option(options: Any) -> None:
    rng, n = np.random.default_rng(8), 8
    A, B = ends(rng, n, [0.0, 0.0, 0.0]), ends(rng, n, [0.0, 0.0, 0.0])
    for a, b in ((SHAPES["box"], SHAPES["hull"]), (SHAPES["sphere"], SHAPES["sphere"])):
        check(kc.first_contact(a, A, b, B, **options), one_by_one(a, A, b, B, "screw", n, **options))


def test_meshes_and_compounds() -> None:
    rng, n = np.random.default_rng(9), 6
    A, B = ends(rng, n, [0.0, 0.0, 0.0]), ends(rng, n, [0.0, 0.0, 0.0])
    X = np.eye(4)
    X[0, 3] = 0.4
    group = [(SHAPES["sphere"], np.eye(4)), (SHAPES["box"], X)]
    for a, b in ((TETRA, SHAPES["box"]), (TETRA, TETRA), (group, SHAPES["sphere"]), (SHAPES["box"], group)):
        check(kc.first_contact(a, A, b, B), one_by_one(a, A, b, B, "screw", n))


def test_contact_at_the_start_and_at_the_end() -> None:
    X0, X1 = np.tile(np.eye(4), (3, 1, 1)), np.tile(np.eye(4), (3, 1, 1))
    X0[:, 0, 3], X1[:, 0, 3] = [0.0, -2.0, -2.0], [2.0, -0.2, -0.21]
    ball = kc.Sphere(0.1)
    found = kc.first_contact(ball, (X0, X1), ball, np.eye(4), tolerance=1e-6)
    assert [v.name for v in found.verdict] == ["COLLIDING", "COLLIDING", "CLEAR"]
    assert found.time[0] == 0.0
    assert found.time[1] == pytest.approx(1.0, abs=1e-6)


def test_a_pause_in_the_middle_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """As after Ctrl-C was looked for: rows are packed again, and continue."""
    rng, n = np.random.default_rng(4), 10
    A, B = ends(rng, n, [0.0, 0.0, 0.0]), ends(rng, n, [0.0, 0.0, 0.0])
    a, b = SHAPES["plate"], SHAPES["hull"]
    expected = kc.first_contact(a, A, b, B)
    monkeypatch.setattr("keepclear.query.interval.casts.MOST_ROWS", 3)
    assert kc.first_contact(a, A, b, B) == expected
    monkeypatch.setattr("keepclear.query.moving.moving_pair.CONVEX_PIECE", 2)
    paused = kc.first_contact(a, A, b, B)  # a search that continues begins without its last simplex
    assert paused.verdict.tolist() == expected.verdict.tolist()
    assert paused.time == pytest.approx(expected.time, abs=1e-3, nan_ok=True)
