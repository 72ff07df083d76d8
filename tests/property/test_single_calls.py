"""A single question has the answer that it has in a batch, bit for bit, in any thread and in any order."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import keepclear as kc
from keepclear.errors import KeepclearError
from keepclear.query.points.results import PointContact

Case = tuple[Any, Any, Any, Any]
HOLDS = ("both", "both", "both", "before", "after", "none")


def random_shape(rng: np.random.Generator) -> kc.Shape:
    makers: list[Callable[[], kc.Shape]] = [
        lambda: kc.Sphere(rng.uniform(0.05, 0.4)),
        lambda: kc.Box(rng.uniform(0.05, 0.6, 3)),
        lambda: kc.Capsule(rng.uniform(0.05, 0.3), rng.uniform(0.1, 0.6)),
        lambda: kc.Cylinder(rng.uniform(0.05, 0.3), rng.uniform(0.1, 0.6)),
        lambda: kc.Convex(0.25 * rng.normal(size=(int(rng.integers(4, 90)), 3))),
        lambda: _hull_mesh(rng),
    ]
    return makers[rng.integers(len(makers))]()


def _hull_mesh(rng: np.random.Generator) -> kc.Mesh:
    hull = kc.Convex(0.3 * rng.normal(size=(12, 3)))
    return kc.Mesh(hull.graph.vertices, hull.graph.triangles)


def random_poses(rng: np.random.Generator, n: int) -> np.ndarray:
    X = np.tile(np.eye(4), (n, 1, 1))
    turn = Rotation.random(random_state=rng)
    for k in range(n):
        X[k, :3, :3] = (turn * Rotation.from_rotvec(0.3 * k * rng.normal(size=3))).as_matrix()
    X[:, :3, 3] = rng.normal(scale=0.7, size=(n, 3))
    return X


def random_motion(rng: np.random.Generator) -> Any:
    kind = rng.integers(6)
    if kind == 0:
        return kc.Fixed(random_poses(rng, 1)[0])
    if kind == 1:
        return random_poses(rng, 1)[0]
    n = int(rng.integers(2, 6))
    times = np.cumsum(rng.uniform(0.1, 1.0, n)) + rng.choice([0.0, 0.0, 1e3])
    hold: Any = HOLDS[rng.integers(len(HOLDS))]
    if kind == 2:
        times, X = np.linspace(times[0], times[-1], 4), random_poses(rng, 4)
        X[:, :3, :3] = Rotation.from_rotvec([[0.0, 0.0, 0.02 * k] for k in range(4)]).as_matrix()
        return kc.PoseTrajectory(times, X, "cubic", hold=hold, max_deviation=0.1)
    return kc.PoseTrajectory(times, random_poses(rng, n), "screw" if kind == 3 else "linear", hold=hold)


def random_question(seed: int) -> tuple[Case, dict[str, Any]]:
    rng = np.random.default_rng([20, seed])
    case = random_shape(rng), random_motion(rng), random_shape(rng), random_motion(rng)
    options: dict[str, Any] = {
        "tolerance": float(rng.choice([1e-4, 1e-3, 1e-6])),
        "margin": float(rng.choice([0.0, 0.0, 0.01, 0.2])),
        "time_tolerance": None if rng.random() < 0.7 else 1e-4,
        "budget": None if rng.random() < 0.8 else int(rng.integers(1, 12)),
        "t0": None if rng.random() < 0.7 else float(rng.uniform(0.0, 1.0)),
    }
    options["t1"] = (
        None if rng.random() < 0.7 else (options["t0"] or 0.0) + float(rng.choice([0.0, 0.5, 2.0]))
    )
    return case, options


def answer(ask: Callable[[], Any]) -> Any:
    """Return the answer, or the error as a text."""
    try:
        return ask()
    except KeepclearError as error:
        return f"{type(error).__name__}: {error}".replace("cases[0]: ", "")


@pytest.mark.parametrize("block", range(8))
def test_first_contact_alone_and_in_a_batch_are_equal(block: int) -> None:
    verdicts = set()
    for seed in range(60 * block, 60 * block + 60):
        case, options = random_question(seed)
        alone = answer(lambda case=case, options=options: kc.first_contact(*case, **options))
        batch = answer(lambda case=case, options=options: kc.first_contact_batch([case], **options)[0])
        assert alone == batch, seed
        verdicts.add(alone[:15] if isinstance(alone, str) else alone.verdict)
    assert {kc.Verdict.CLEAR, kc.Verdict.COLLIDING} < verdicts


def test_threads_share_no_scratch() -> None:
    questions = [random_question(seed) for seed in range(80)]

    def ask(question: tuple[Case, dict[str, Any]]) -> tuple[Any, Any]:
        case, options = question
        short = {name: options[name] for name in ("tolerance", "budget", "t0", "t1")}
        return (
            answer(lambda: kc.first_contact(*case, **options)),
            answer(lambda: kc.clearance(*case, **short)),
        )

    expected = [ask(question) for question in questions]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(ask, reversed(questions))) == expected[::-1]


def test_a_result_keeps_its_answer_while_others_are_computed() -> None:
    """Arrays of a question belong to it: those of the next question are others."""
    questions = [random_question(seed) for seed in range(40)]
    kept = [answer(lambda c=case, o=options: kc.first_contact(*c, **o)) for case, options in questions]
    before = [k if isinstance(k, str) else k.to_dict() for k in kept]
    for case, options in questions:
        answer(lambda c=case, o=options: kc.first_contact(*c, **o))
    assert [k if isinstance(k, str) else k.to_dict() for k in kept] == before


def random_points(seed: int) -> tuple[np.ndarray, np.ndarray, dict[str, Any]]:
    rng = np.random.default_rng([21, seed])
    x0, x1 = rng.normal(size=(2, 4, 3))
    if rng.random() < 0.3:
        x0[:, 2] = x1[:, 2] = 0.0  # all in one plane, which float64 often leaves open
    options = {
        "margin": float(rng.choice([0.0, 0.0, 0.1])),
        "exact": bool(rng.random() < 0.7),
        "budget": int(rng.choice([1, 3, 10_000])),
    }
    return x0, x1, options


@pytest.mark.parametrize("ask", [kc.vertex_face_contact, kc.edge_edge_contact])
def test_one_query_of_points_and_a_batch_of_one_are_equal(ask: Callable[..., PointContact]) -> None:
    undecided = set()
    for seed in range(300):
        x0, x1, options = random_points(seed)
        one, batch = ask(x0, x1, **options), ask(x0[None], x1[None], **options)
        undecided.add((one.colliding, one.undecided, one.t_lo == one.t_hi))
        for name in ("colliding", "time", "t_lo", "t_hi", "undecided"):
            found = getattr(one, name)
            assert type(found) in (bool, float), (seed, name)
            assert np.array_equal([found], getattr(batch, name), equal_nan=True), (seed, name)
    assert len(undecided) >= 4


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_one_number_that_is_not_finite_is_found_among_large_ones(value: float) -> None:
    x0 = np.full((4, 3), 1e200)  # its squares are not finite, although it is
    assert not kc.vertex_face_contact(x0 + np.arange(12.0).reshape(4, 3) * 1e199, x0 * 0.5 + 1e200).undecided
    x0[2, 1] = value
    with pytest.raises(KeepclearError, match=r"x0\[2, 1\] = .* is not finite"):
        kc.vertex_face_contact(x0, x0)


def random_pair_at_rest(seed: int) -> tuple[kc.Shape, np.ndarray, kc.Shape, np.ndarray]:
    """Return two bodies near each other, the first a mesh; in three of ten cases the second one is inside it."""
    rng = np.random.default_rng([22, seed])
    a, b = _hull_mesh(rng), random_shape(rng)
    X = random_poses(rng, 2)
    X[:, :3, 3] *= 0.6
    if seed % 10 < 3:
        a, X[1, :3, 3] = a.scaled(8.0), X[0, :3, 3]
    return a, X[0], b, X[1]


@pytest.mark.parametrize("find", ["any", "all"])
@pytest.mark.parametrize("using", ["obb_tree", "box_tree"])
def test_collide_alone_and_in_a_batch_are_equal(find: Any, using: Any) -> None:
    states = set()
    for seed in range(120):
        a, X_WA, b, X_WB = random_pair_at_rest(seed)
        options = {"find": find, "using": using} if isinstance(b, kc.Mesh | kc.Box | kc.Convex) else {}
        alone = kc.collide(a, X_WA, b, X_WB, **options)
        batch = kc.collide(a, X_WA[None], b, X_WB[None], **options)[0]
        assert alone == batch, seed
        assert np.array_equal(alone.segments_W, batch.segments_W), seed
        assert np.array_equal(alone.coplanar, batch.coplanar), seed
        states.add(alone.state)
    assert states == {kc.State.SEPARATE, kc.State.INTERFERING, kc.State.CONTAINED}


def test_distance_of_meshes_alone_and_in_a_batch_of_two_are_equal() -> None:
    """The code for many poses begins at two of them."""
    states = set()
    for seed in range(120):
        a, X_WA, b, X_WB = random_pair_at_rest(seed)
        alone = kc.distance(a, X_WA, b, X_WB)
        batch = kc.distance(a, X_WA, b, np.stack([X_WB, X_WB]))
        assert alone.parts.tolist() == [-1, -1]
        for name in (
            "distance",
            "lower",
            "upper",
            "p_WA",
            "p_WB",
            "normal_W",
            "faces",
            "state",
            "iterations",
        ):
            found, expected = getattr(alone, name), getattr(batch, name)[0]
            assert np.array_equal(found, expected, equal_nan=True), (seed, name)
        states.add(alone.state)
    assert states == {kc.State.SEPARATE, kc.State.INTERFERING, kc.State.CONTAINED}


def test_searches_of_threads_share_no_stack() -> None:
    pairs = [random_pair_at_rest(seed) for seed in range(60)]
    kept = [kc.collide(*pair) for pair in pairs]
    with ThreadPoolExecutor(4) as pool:
        for _ in range(5):
            assert list(pool.map(lambda pair: kc.collide(*pair), pairs)) == kept


@pytest.mark.parametrize("kind", ["sphere", "box", "mesh"])
def test_a_budget_beyond_the_integers_of_kernels_is_no_limit(kind: str) -> None:
    """It was an OverflowError of NumPy."""
    box = kc.Box([0.2, 0.2, 0.2])
    body = {"sphere": kc.Sphere(0.1), "box": box, "mesh": _hull_mesh(np.random.default_rng(1))}[kind]
    way = kc.PoseTrajectory.from_positions([0.0, 1.0], [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    case = body, way, box, np.eye(4)
    assert kc.first_contact(*case, budget=10**30) == kc.first_contact(*case)
    assert kc.first_contact_batch([case], budget=10**30)[0] == kc.first_contact(*case)
    assert kc.clearance(*case, budget=10**30) == kc.clearance(*case)
    x0, x1, _ = random_points(0)
    assert kc.vertex_face_contact(x0, x1, budget=10**30) == kc.vertex_face_contact(x0, x1)
