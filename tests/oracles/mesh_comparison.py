"""Compares results of the library for meshes with the truth and lists their errors."""

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from tests.oracles.exact_convex import Truth
from tests.oracles.exact_points import dot, integers, refine, sqrt_interval
from tests.oracles.mesh_cases import MeshCase
from tests.oracles.mesh_distance import distance_squared, face_distance_squared, surface_distance
from tests.oracles.mesh_inside import APART, CONTAINED, MEETING, MeshTruth, truth_of
from tests.oracles.mesh_pairs import common_points
from tests.oracles.mesh_scene import MeshBody, Scene, Triangle, mesh_scene_size, scene

import keepclear as kc

EPS = float(np.finfo(np.float64).eps)
STATES = {APART: kc.State.SEPARATE, MEETING: kc.State.INTERFERING, CONTAINED: kc.State.CONTAINED}
CHECKED_SEGMENTS = 3  # of each answer: exact distances of points take a while


def library_mesh(body: MeshBody) -> Any:
    """The library's mesh for a body."""
    return kc.Mesh(body.vertices, body.faces)


def told(case: MeshCase, i: int, wrong: list[str], answer: Any) -> str:
    """A fault with all that is needed to ask again."""
    return (
        f"{'; '.join(wrong)}\n  answer {answer}\n  a = {case.a!r}\n  X_WA = np.array({case.X_WA[i].tolist()})\n"
        f"  b = {case.b!r}\n  X_WB = np.array({case.X_WB[i].tolist()})"
    )


def collide_faults_of(case: MeshCase, structures: tuple[str, ...]) -> Iterator[str]:
    """Describe every wrong answer of `collide` to a case, asked with each structure, for any and all pairs."""
    a, b = library_mesh(case.a), library_mesh(case.b)
    asked = [
        (using, find, kc.collide(a, case.X_WA, b, case.X_WB, find=find, using=using))
        for using in structures
        for find in ("any", "all")
    ]
    for i in range(len(case)):
        world = scene(case.a, case.X_WA[i], case.b, case.X_WB[i])
        truth = truth_of(world)
        size = mesh_scene_size(case.a, case.X_WA[i], case.b, case.X_WB[i])
        for using, find, answers in asked:
            wrong = [*state_faults(answers, i, world, truth), *pair_faults(answers[i], find, truth)]
            if not wrong and find == "all":
                wrong = list(segment_faults(answers[i], world, size))
            if wrong:
                yield told(case, i, [f"{using}, find={find!r}", *wrong], answers[i])


def state_faults(answers: Any, i: int, world: Scene, truth: MeshTruth) -> Iterator[str]:
    """Contact, state and solidity are exactly as they should be, in the batch and in its element."""
    answer = answers[i]
    colliding = truth.relation != APART
    if bool(answer.colliding) != colliding or bool(answers.colliding[i]) != colliding:
        yield f"{'missed contact' if colliding else 'called contact'}, {truth.relation} is true"
    if answer.state != STATES[truth.relation] or answers.state[i] != STATES[truth.relation]:
        yield f"state is {answer.state!r}, {truth.relation} is true"
    if tuple(answer.solid) != (world.a.is_closed, world.b.is_closed):
        yield f"solid is {answer.solid}, but {(world.a.is_closed, world.b.is_closed)} is true"


def pair_faults(answer: Any, find: str, truth: MeshTruth) -> Iterator[str]:
    """All pairs in order and once each, or one of them as the witness."""
    pairs = [tuple(p) for p in answer.pairs.tolist()]
    if find == "any":
        if len(pairs) != min(1, len(truth.pairs)) or not set(pairs) <= set(truth.pairs):
            yield f"the witness is {pairs}, true are {list(truth.pairs)[:5]}"
        return
    expected = list(truth.pairs)
    if pairs != expected:
        missing, extra = (sorted(set(p) - set(q))[:5] for p, q in ((expected, pairs), (pairs, expected)))
        yield f"{len(pairs)} pairs instead of {len(expected)}: missing {missing}, extra {extra}, or not in order"
    elif answer.coplanar.tolist() != list(truth.pairs.values()):
        k = next(
            k for k, (p, q) in enumerate(zip(answer.coplanar, truth.pairs.values(), strict=True)) if p != q
        )
        yield f"pair {pairs[k]}: coplanar is {bool(answer.coplanar[k])}"


def segment_faults(answer: Any, world: Scene, size: float) -> Iterator[str]:
    """Segments and polygons lie on both faces, and reach as far as they should where that is well conditioned."""
    if answer.segments_W.shape != (len(answer.pairs), 2, 3) or not np.all(np.isfinite(answer.segments_W)):
        yield f"segments_W have shape {answer.segments_W.shape}, or are not finite"
        return
    for k in range(min(len(answer.pairs), CHECKED_SEGMENTS)):
        i, j = (int(c) for c in answer.pairs[k])
        of_a, of_b = faces_of(world, i, j)
        points = answer.polygon_W(k) if answer.coplanar[k] else answer.segments_W[k]
        tolerance = 1e-12 * size + rounding_of(points) + 2.0**-1070
        for name, triangles in (("A", of_a), ("B", of_b)):
            off = max(distance_from(p, triangles, world.grid) for p in points)
            if off > tolerance:
                yield f"pair {i}, {j}: a common point is {off / size:.3g} of the scene from the face of {name}"
        if len(of_a) == len(of_b) == 1 and is_clear_crossing(of_a[0], of_b[0], world.grid, size):
            yield from reach_faults(points, of_a[0], of_b[0], world.grid, size)


def reach_faults(points: np.ndarray, a: Triangle, b: Triangle, grid: int, size: float) -> Iterator[str]:
    """Every corner of what two triangles share is among the points."""
    for corner in common_points(a, b):
        p = np.array([float(c / (1 << grid)) for c in corner])
        off = min(math.hypot(*(q - p)) for q in points)
        if off > 1e-11 * size + 8 * EPS * float(np.max(np.abs(p))) + 2.0**-1070:
            yield f"the common point {p.tolist()} is {off / size:.3g} of the scene from what was given"


def faces_of(world: Scene, i: int, j: int) -> tuple[list[Triangle], list[Triangle]]:
    """The triangles of face i of A and of face j of B."""
    of_a = [t for t, face in zip(world.triangles_a, world.a.triangle_face, strict=True) if face == i]
    of_b = [t for t, face in zip(world.triangles_b, world.b.triangle_face, strict=True) if face == j]
    return of_a, of_b


def is_clear_crossing(a: Triangle, b: Triangle, grid: int, size: float) -> bool:
    """Whether no corner is near the plane of the other triangle: then rounding cannot move what they share far.

    An end of the common segment is where an edge crosses a plane; it moves by the rounding of heights over the
    slope of the edge, and the ends of its two intervals do not depend on anything else.
    """
    for t, other in ((a, b), (b, a)):
        if not any(t.normal):
            return False
        root = sqrt_interval(Fraction(dot(t.normal, t.normal)))[1] * (1 << grid)
        if any(abs(dot(t.normal, p) - t.offset) / root < 1e-3 * size for p in other.points):
            return False
    return True


def rounding_of(points: np.ndarray) -> float:
    return 4 * EPS * float(np.max(np.abs(points)))


def distance_from(p_W: np.ndarray, triangles: list[Triangle], grid: int) -> float:
    """How far a float64 point is from triangles given on a grid [m]."""
    flat, k = integers(p_W)
    finer = max(k, grid)
    (p,) = refine([tuple(flat)], k, finer)
    squares = []
    for t in triangles:
        corners = refine(list(t.points), grid, finer)
        squares.append(distance_squared(Triangle(p, p, p), Triangle(*corners)))
    return float(sqrt_interval(min(squares) / (1 << 2 * finer))[1])


def distance_faults_of(case: MeshCase) -> Iterator[str]:
    """Describe every wrong answer of `distance` to a case, by oriented boxes, and by box trees, cold and tracked."""
    a, b = library_mesh(case.a), library_mesh(case.b)
    answers = kc.distance(a, case.X_WA, b, case.X_WB)
    boxes = kc.build_box_tree(a), kc.build_box_tree(b)
    by_boxes = {
        "BoxTree": kc.distance(boxes[0], case.X_WA, boxes[1], case.X_WB),
        "BoxTree, tracked": kc.Tracker(*boxes).distance(case.X_WA, case.X_WB),
    }
    for i in range(len(case)):
        world = scene(case.a, case.X_WA[i], case.b, case.X_WB[i])
        truth = truth_of(world)
        size = mesh_scene_size(case.a, case.X_WA[i], case.b, case.X_WB[i])
        wrong = list(state_faults(answers, i, world, truth))
        if truth.relation == APART:
            distance = surface_distance(world)
            wrong += [
                *value_faults(answers[i], distance, size),
                *witness_faults(answers[i], world, distance, size),
            ]
        else:
            wrong += contact_faults(answers[i])
        for name, found in by_boxes.items():
            faults = list(state_faults(found, i, world, truth))
            if truth.relation == APART:
                faults += value_faults(found[i], distance, size)
            else:
                faults += contact_faults(found[i])
            wrong += [f"{name}: {fault}, {found[i]}" for fault in faults]
        if wrong:
            yield told(case, i, wrong, answers[i])


def value_faults(answer: Any, truth: Truth, size: float) -> Iterator[str]:
    """Bounds without any tolerance; the value to 1e-12 of the scene."""
    if Fraction(answer.lower) > truth.upper:
        yield f"lower is {float(Fraction(answer.lower) - truth.upper):.3g} above the truth {truth}"
    if Fraction(answer.upper) < truth.lower:
        yield f"upper is {float(truth.lower - Fraction(answer.upper)):.3g} below the truth {truth}"
    if not answer.lower <= answer.distance <= answer.upper:
        yield "distance is outside of its bounds"
    if truth.error(answer.distance) > 1e-12 * size:
        yield f"distance is off by {truth.error(answer.distance) / size:.3g} of the scene, {truth} is true"
    if answer.upper - answer.lower > 1e-11 * size:
        yield f"the bounds are {(answer.upper - answer.lower) / size:.3g} of the scene apart"


def witness_faults(answer: Any, world: Scene, truth: Truth, size: float) -> Iterator[str]:
    """Points lie on their surfaces and are as far apart as they should be; the faces are the closest ones."""
    tolerance = 1e-12 * size + rounding_of(np.array([answer.p_WA, answer.p_WB]))
    for name, p, triangles in (
        ("p_WA", answer.p_WA, world.triangles_a),
        ("p_WB", answer.p_WB, world.triangles_b),
    ):
        off = distance_from(p, triangles, world.grid)
        if not off <= tolerance:
            yield f"{name} is {off / size:.3g} of the scene from its surface"
    between = answer.p_WB - answer.p_WA
    if not abs(math.hypot(*between) - answer.distance) <= tolerance:
        yield f"|p_WB - p_WA| is {math.hypot(*between)!r}, distance is {answer.distance!r}"
    if answer.distance > 1e-6 * size:
        if not abs(float(np.linalg.norm(answer.normal_W)) - 1.0) <= 1e-14:
            yield f"|normal| - 1 is {np.linalg.norm(answer.normal_W) - 1.0:.3g}"
        if not np.linalg.norm(between - answer.distance * answer.normal_W) <= tolerance:
            yield "p_WB is not at p_WA + distance * normal"
    i, j = (int(c) for c in answer.faces)
    off = float(sqrt_interval(face_distance_squared(world, i, j))[1] - truth.lower)
    if off > 1e-12 * size:
        yield f"faces {i}, {j} are {off / size:.3g} of the scene farther apart than the closest ones"


def contact_faults(answer: Any) -> Iterator[str]:
    """Nothing but 0 is claimed about bodies that meet or contain each other."""
    if answer.distance != 0.0 or not answer.lower <= 0.0 <= answer.upper:
        yield f"distance {answer.distance!r} in [{answer.lower!r}, {answer.upper!r}] instead of 0"
    if not np.all(np.isnan(answer.normal_W)):
        yield f"normal {answer.normal_W} although they meet"
