"""Compares results about moving bodies with the truth and lists their errors."""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from tests.oracles.contact_time import Encounter, Truth, first_contact_truth, point_distance
from tests.oracles.mesh_scene import mesh_body
from tests.oracles.motion_bodies import Thing
from tests.oracles.motion_poses import library_motion

import keepclear as kc

SLACK = 1e-13  # of the scene, for numbers that the library rounds once: poses and points


def scene(case: Encounter) -> float:
    """The length that rounding refers to [m]: both bodies and the largest coordinates of their ways."""
    far = max(float(np.max(np.abs(m.X_W[:, :3, 3]))) for m in (case.move_a, case.move_b))
    return case.a.extent + case.b.extent + far


def asked(case: Encounter, **options: Any) -> Any:
    """The library's answer."""
    for name in ("t0", "t1"):
        if not math.isnan(getattr(case, name)):
            options[name] = getattr(case, name)
    motions = library_motion(case.move_a), library_motion(case.move_b)
    return kc.first_contact(case.a.library(), motions[0], case.b.library(), motions[1], **options)


def told(case: Encounter, wrong: list[str], answer: Any, truth: Any) -> str:
    """A fault with all that is needed to ask again."""
    moves = "\n".join(
        f"  {name}: {m.kind} times = {m.times.tolist()}, X_W = {m.X_W.tolist()}"
        for name, m in (("motion_a", case.move_a), ("motion_b", case.move_b))
    )
    return (
        f"{'; '.join(wrong)}\n  truth {truth}\n  answer {answer}\n"
        f"  a = {case.a!r}\n  b = {case.b!r}\n{moves}\n  span {case.span}"
    )


def contact_faults(
    case: Encounter, answer: Any, truth: Truth, *, tolerance: float = 1e-4, margin: float = 0.0
) -> list[str]:
    """Everything that is wrong with an answer of `first_contact`, in words; an empty list if nothing is."""
    if answer.verdict is kc.Verdict.UNDECIDED:
        return [f"undecided on [{answer.t_lo!r}, {answer.t_hi!r}]"]
    if answer.verdict is kc.Verdict.CLEAR:
        return list(clear_faults(case, answer, truth))
    if not (case.span[0] <= answer.t_lo <= answer.time <= answer.t_hi <= case.span[1]):
        return [
            f"times {answer.t_lo!r}, {answer.time!r}, {answer.t_hi!r} are not in order within the interval"
        ]
    at_time, at_end = case.distances([answer.time, answer.t_hi])[0].tolist()
    return [
        *time_faults(case, answer, truth, tolerance, margin, (at_time, at_end)),
        *pose_faults(case, answer),
        *point_faults(case, answer, tolerance, margin),
        *normal_faults(case, answer, at_time),
        *feature_faults(case, answer, tolerance, margin),
    ]


def clear_faults(case: Encounter, answer: Any, truth: Truth) -> Iterator[str]:
    """Called clear: there is no contact, and there are no numbers of one."""
    if not math.isnan(truth.contact_at):
        yield f"MISSED: called clear, but in contact at {truth.contact_at!r}"
    if not (answer.t_lo == answer.t_hi == case.span[1]):
        yield f"clear until {answer.t_lo!r}, {answer.t_hi!r} and not until the end {case.span[1]!r}"
    if not math.isnan(answer.time) or answer.X_WA is not None or answer.X_WB is not None:
        yield "clear, but with a time or poses of contact"


def time_faults(
    case: Encounter, answer: Any, truth: Truth, tolerance: float, margin: float, there: tuple[float, float]
) -> Iterator[str]:
    """The bracket holds the first contact, and the witness is one; `there` are the distances at `time` and `t_hi`.

    Thin surfaces may have passed through each other at `t_hi`: then the contact is in between.
    """
    if answer.t_lo > truth.contact_at:
        yield f"MISSED: t_lo is {answer.t_lo - truth.contact_at:.3g} s after contact at {truth.contact_at!r}"
    if there[0] > margin + tolerance:
        yield f"FALSE: at time {answer.time!r} the distance is {there[0]:.6g}"
    if answer.t_hi > answer.time and there[1] > margin:
        within = first_contact_truth(replace(case, t0=answer.t_lo, t1=answer.t_hi), margin, most=20_000)
        if within.clear_until == answer.t_hi:
            yield f"there is no contact until t_hi, the distance there is {there[1]:.6g}"
    if answer.t_hi > answer.time and answer.t_hi < truth.clear_until:
        yield f"t_hi is {truth.clear_until - answer.t_hi:.3g} s before the first contact"
    if not (answer.distance <= margin + tolerance and (there[0] == 0.0 or answer.distance >= there[0])):
        yield f"distance {answer.distance!r} is not between the true {there[0]:.6g} and margin + tolerance"


def pose_faults(case: Encounter, answer: Any) -> Iterator[str]:
    """The poses are those of the motions at the time, or within one tick of it: a contact may be between two."""
    for name, m, X in (("X_WA", case.move_a, answer.X_WA), ("X_WB", case.move_b, answer.X_WB)):
        here = m.at(answer.time)[0].astype(np.float64)
        ticks = [
            m.at(math.nextafter(answer.time, end))[0].astype(np.float64) for end in (-math.inf, math.inf)
        ]
        moved = np.maximum(*(np.abs(tick - here) for tick in ticks))
        off = np.maximum(np.abs(np.asarray(X) - here) - moved, 0.0)
        reach = float(np.max(np.abs(m.X_W[:, :3, 3])))
        if np.max(off[:3, :3]) > 1e-13 or np.max(off[:3, 3]) > SLACK * (scene(case) + reach):
            yield f"{name} is off by {np.max(off):.3g}"


def point_faults(case: Encounter, answer: Any, tolerance: float, margin: float) -> Iterator[str]:
    """The point is as near to both bodies as these are to each other."""
    if not np.all(np.isfinite(answer.p_W)):
        yield f"p_W is {answer.p_W}"
        return
    for name, thing, X in (("A", case.a, answer.X_WA), ("B", case.b, answer.X_WB)):
        off = point_distance(thing, np.asarray(X), np.asarray(answer.p_W))
        if off > margin + tolerance + SLACK * scene(case):
            yield f"p_W is {off:.3g} off body {name}"


def normal_faults(case: Encounter, answer: Any, lower: float) -> Iterator[str]:
    """The normal has length 1 or is unknown as a whole, and parts convex bodies that are apart, B on its side."""
    n = np.asarray(answer.normal_W)
    if np.all(np.isnan(n)):
        return
    if not abs(np.linalg.norm(n) - 1.0) <= 1e-12:
        yield f"the normal {n} has not the length 1"
        return
    if case.a.is_mesh or case.b.is_mesh or lower < 1e-7 * scene(case) or case.by_supports:
        return
    far_a = np.max((case.a.points @ answer.X_WA[:3, :3].T) @ n) + case.a.radius + answer.X_WA[:3, 3] @ n
    near_b = np.min((case.b.points @ answer.X_WB[:3, :3].T) @ n) - case.b.radius + answer.X_WB[:3, 3] @ n
    if near_b - far_a < 0.5 * lower:
        yield f"along the normal the bodies are {near_b - far_a:.3g} apart, not {lower:.3g}"


def feature_faults(case: Encounter, answer: Any, tolerance: float, margin: float) -> Iterator[str]:
    """Features are named in a known way, and lie where the contact is."""
    for thing, X, feature in zip(
        (case.a, case.b), (answer.X_WA, answer.X_WB), answer.features or (), strict=False
    ):
        if feature.kind not in ("vertex", "edge", "face", "surface"):
            yield f"a feature is called {feature.kind!r}"
            continue
        index = [int(i) for i in feature.index]
        expected = {"vertex": 1, "edge": 2, "face": 1, "surface": 0}[feature.kind]
        if len(index) != expected and feature.kind != "surface":
            yield f"a {feature.kind} with the index {feature.index}"
            continue
        if not thing.is_mesh or feature.kind == "surface":
            continue
        corners = index if feature.kind != "face" else list(thing.body.faces[index[0]])
        p_W = thing.points[corners] @ np.asarray(X)[:3, :3].T + np.asarray(X)[:3, 3]
        off = feature_distance(p_W, np.asarray(answer.p_W))
        if off > margin + tolerance + SLACK * scene(case):
            yield f"p_W is {off:.3g} from its {feature.kind} {feature.index}"


def feature_distance(corners: np.ndarray, p: np.ndarray) -> float:
    """How far a point is from the hull of a few corners in a plane, by fans of triangles [m]."""
    fan = [(0, i, i + 1) for i in range(1, len(corners) - 1)] or [(0, len(corners) - 1, len(corners) - 1)]
    return point_distance(Thing(mesh_body(corners, fan), surface=True), np.eye(4), p)
