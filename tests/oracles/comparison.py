"""Compares a result of the library with the truth and lists its errors."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from tests.oracles.cases import Case
from tests.oracles.curved import float_support
from tests.oracles.exact_convex import Truth, signed_distance
from tests.oracles.exact_points import Body, convex, scene_size

import keepclear as kc

EPS = float(np.finfo(np.float64).eps)


class Answer(NamedTuple):
    """One element of a result, single or batch."""

    distance: float
    lower: float
    upper: float
    p_WA: np.ndarray
    p_WB: np.ndarray
    normal_W: np.ndarray
    colliding: bool
    state: Any


def library_shape(body: Body) -> Any:
    """The library's shape for a body."""
    if body.kind == "convex":
        return kc.Convex(body.points)
    if body.kind == "box":
        return kc.Box(body.size)
    if body.kind == "sphere":
        return kc.Sphere(body.radius)
    kind = {"capsule": kc.Capsule, "cylinder": kc.Cylinder}[body.kind]
    return kind(body.radius, body.length)


def answers_of(result: Any) -> list[Answer]:
    """The elements of a batch result."""
    fields = [getattr(result, name) for name in Answer._fields]
    return [Answer(*row) for row in zip(*fields, strict=True)]


def answers_to(case: Case) -> list[Answer]:
    """Ask the library in one batch call."""
    return answers_of(kc.distance(library_shape(case.a), case.X_WA, library_shape(case.b), case.X_WB))


def faults_of(case: Case) -> Iterator[str]:
    """Describe every wrong answer to a case, with all that is needed to ask again."""
    for i, answer in enumerate(answers_to(case)):
        X_WA, X_WB = case.X_WA[i], case.X_WB[i]
        truth = signed_distance(case.a, X_WA, case.b, X_WB)
        wrong = faults(case.a, X_WA, case.b, X_WB, answer, truth)
        if wrong:
            yield (
                f"{'; '.join(wrong)}\n  truth {truth}\n  answer {answer}\n"
                f"  a = {case.a!r}\n  X_WA = {X_WA.tolist()}\n  b = {case.b!r}\n  X_WB = {X_WB.tolist()}"
            )


def faults(a: Body, X_WA: np.ndarray, b: Body, X_WB: np.ndarray, answer: Answer, truth: Truth) -> list[str]:
    """Everything that is wrong with an answer, in words; an empty list if nothing is."""
    size = scene_size(a, X_WA, b, X_WB)
    numbers = [answer.distance, answer.lower, answer.upper, *answer.p_WA, *answer.p_WB, *answer.normal_W]
    if not np.all(np.isfinite(numbers)):
        return ["not finite"]
    return [
        *value_faults(a, b, answer, truth, size),
        *state_faults(answer, truth, size),
        *witness_faults(a, X_WA, b, X_WB, answer, size),
    ]


def value_faults(a: Body, b: Body, answer: Answer, truth: Truth, size: float) -> Iterator[str]:
    """Bounds without any tolerance; the value to 1e-12 of the scene apart and 1e-9 overlapping."""
    if Fraction(answer.lower) > truth.upper:
        yield f"lower is {float(Fraction(answer.lower) - truth.upper):.3g} above the truth"
    if Fraction(answer.upper) < truth.lower:
        yield f"upper is {float(truth.lower - Fraction(answer.upper)):.3g} below the truth"
    if not answer.lower <= answer.distance <= answer.upper:
        yield "distance is outside of its bounds"
    apart = truth.lower > 0
    if truth.error(answer.distance) > (1e-12 if apart else 1e-9) * size:
        yield f"distance is off by {truth.error(answer.distance) / size:.3g} of the scene"
    if "cylinder" not in (a.kind, b.kind) and answer.upper - answer.lower > (1e-11 if apart else 1e-8) * size:
        yield f"the bounds are {(answer.upper - answer.lower) / size:.3g} of the scene apart"


def state_faults(answer: Answer, truth: Truth, size: float) -> Iterator[str]:
    """Contact is never missed; a gap above 1e-13 of the scene is never called contact."""
    if truth.upper <= 0 and not answer.colliding:
        yield "missed contact"
    if truth.lower > 1e-13 * size and answer.colliding:
        yield "called contact although apart"
    if answer.colliding == (answer.state == kc.State.SEPARATE):
        yield "state and colliding disagree"
    if truth.upper < -1e-9 * size and answer.state == kc.State.TOUCHING:
        yield "called touching although overlapping"


def witness_faults(
    a: Body, X_WA: np.ndarray, b: Body, X_WB: np.ndarray, answer: Answer, size: float
) -> Iterator[str]:
    """Points lie in their bodies, differ by distance times normal, and the normal parts the bodies."""
    rounding = 4 * EPS * float(np.max(np.abs([answer.p_WA, answer.p_WB])))
    n = answer.normal_W
    if abs(np.linalg.norm(n) - 1.0) > 1e-14:
        yield f"|normal| - 1 is {np.linalg.norm(n) - 1.0:.3g}"
    for name, body, X, p in (("p_WA", a, X_WA, answer.p_WA), ("p_WB", b, X_WB, answer.p_WB)):
        outside = distance_outside(body, X, p)
        if outside > 1e-11 * size + rounding:
            yield f"{name} is {outside / size:.3g} of the scene outside of its body"
    mismatch = float(np.linalg.norm(answer.p_WA + answer.distance * n - answer.p_WB))
    if mismatch > 1e-13 * size + rounding:
        yield f"p_WB is {mismatch / size:.3g} of the scene from p_WA + distance * normal"
    gap = gap_along(a, X_WA, b, X_WB, n)
    tolerance = 1e-9 if abs(answer.distance) > 1e-6 * size else 1e-6
    if gap < answer.distance - tolerance * size:
        yield f"along the normal the bodies are only {gap!r} apart"


def distance_outside(body: Body, X: np.ndarray, p_W: np.ndarray) -> float:
    """How far a world point is outside of a body [m]."""
    local = X[:3, :3].T @ (p_W - X[:3, 3])
    if body.kind == "convex":
        truth = signed_distance(convex(p_W), np.eye(4), body, X)
        return max(0.0, float(truth.upper))
    if body.kind == "box":
        return float(np.linalg.norm(np.maximum(np.abs(local) - np.array(body.size) / 2, 0.0)))
    beyond = max(0.0, abs(local[2]) - body.length / 2)
    radial = float(np.linalg.norm(local[:2]))
    if body.kind == "cylinder":
        return float(np.hypot(max(0.0, radial - body.radius), beyond))
    return max(0.0, float(np.hypot(radial, beyond)) - body.radius)


def gap_along(a: Body, X_WA: np.ndarray, b: Body, X_WB: np.ndarray, n: np.ndarray) -> float:
    """The gap between the supporting planes of A and B normal to n, in float64 [m]."""
    of_a = float_support(a, X_WA[:3, :3], X_WA[:3, 3] - X_WB[:3, 3])(n[None])[0] @ n
    of_b = float_support(b, X_WB[:3, :3], np.zeros(3))(-n[None])[0] @ n
    return float(of_b - of_a) - sum(body.radius for body in (a, b) if body.kind != "cylinder")
